"""Bringing parts of other specs into an MjSpec, with their files.

What is attached is copied. Objects of the elements of the other spec lead to the copies afterwards, so that edits through them go
on; with `copy_during_attach` they stay with the other spec.
"""

import os

from corten import _core

from ._errors import as_value_error
from ._spec_attributes import _ORIENTATIONS
from ._spec_element import _type_of


def _renamed(path, prefix, suffix):
    """The name of a file that comes along with an attached spec."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    return f"{folder}/{prefix or ''}{stem}{suffix or ''}{ending}" if folder else f"{prefix or ''}{stem}{suffix or ''}{ending}"


class Attaching:
    """The part of an MjSpec that attaches others."""

    def _frame_at(self, site):
        """A frame where a site is, turned as it is."""
        place = {"pos": site._get_text("pos")}
        turn = next((name for name in _ORIENTATIONS if site._get_text(name)), "quat")
        place[turn] = site._get_text(turn)
        return site._element.parent.add("frame", **place)

    def _attach(self, place, part, prefix, suffix):
        other = part._spec
        if other is self and not self.copy_during_attach:
            raise ValueError("Error: Child element is in the parent spec; enable deep copy to attach a copy of it.")
        made = self._bring(other, part._element, place, prefix, suffix)
        return self._wrap(made)

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Bring a spec to a site or frame of this one; returns the frame it stands in.

        Objects of its elements lead to those of this spec from then on, unless `copy_during_attach` is set. Without a prefix, names
        start with "/"; one that is empty gives a warning when the spec is compiled.
        """
        if not prefix and prefix is not None:
            self._remarks.append("Attaching a spec with an empty prefix may prevent the model from being saved correctly.")
        prefix = "/" if prefix is None else prefix
        if site is None and frame is None:
            raise ValueError("Either site or frame must be specified.")
        if site is not None and frame is not None:
            raise ValueError("Only one of site or frame can be specified.")
        kind, where = ("site", site) if site is not None else ("frame", frame)
        if isinstance(where, str):
            where = self._find(kind, where)
            if where is None:
                raise ValueError(f"{kind.capitalize()} not found.")
        elif where._spec is not self:
            raise ValueError(f"{kind.capitalize()} spec does not match parent spec.")
        if child.parent is not None and not self.copy_during_attach:
            raise ValueError("Error: Child spec is already attached by reference; enable deep copy to attach a spec more than once.")
        self._check_files(child, prefix, suffix)
        place = self._frame_at(where) if site is not None else where._element.add("frame")
        self._bring(child, None, place, prefix, suffix)
        if not self.copy_during_attach:
            child.parent = self
        return self._wrap(place)

    def _files(self):
        """All files in memory that it was read with or was given."""
        return {**self._parsed, **self._made_assets}

    def _check_files(self, other, prefix, suffix):
        for name, content in other._files().items():
            there = self._made_assets.get(_renamed(name, prefix, suffix))
            if there is not None and not self.override_assets and there != content:
                raise ValueError(f"Asset {name} already exists in parent spec.")

    def _bring(self, other, part, place, prefix, suffix):
        """Copy a part of a spec (None: all of it) with its files; what leads to its elements leads to the copies then."""
        other._flush()
        self._flush()
        self._changed()
        self._check_files(other, prefix, suffix)
        assets = ("mesh", "texture", "hfield", "skin")
        before = {_core.element_describe(handle)[0] for kind in assets for handle in _core.spec_list(self._core, _type_of(kind))}
        had = len(place.children)
        with as_value_error():
            made = place.attach(other._spec if part is None else part, prefix or "", suffix or "")
        for kind in assets:
            for handle in _core.spec_list(self._core, _type_of(kind)):
                if _core.element_describe(handle)[0] not in before:
                    self._rename_file(handle, other, prefix, suffix)
        self._made_assets.update({_renamed(name, prefix, suffix): content for name, content in other._files().items()})
        if not self.copy_during_attach:
            if part is None:
                self._follow(other, zip(other._spec.world.children, place.children[had:], strict=False))
            else:
                self._follow(other, [(part, made)])
            self._follow_names(other, prefix or "", suffix or "")
        return made

    def _rename_file(self, handle, other, prefix, suffix):
        """A copied asset reads its own file, not one of the same name that was here before."""
        file, name = _core.element_get(handle, "file"), _core.element_describe(handle)[2]
        known = next((path for path in other._files() if file and os.path.basename(path) == os.path.basename(file)), None)
        if known is None or _renamed(file, prefix, suffix) == file:
            return
        with as_value_error():
            if name:
                _core.element_set(self._core, handle, "name", name)
            _core.element_set(self._core, handle, "file", _renamed(file, prefix, suffix))

    def _follow(self, other, pairs):
        """Objects of elements of another spec now lead to their copies, and those of what stands in them."""
        for original, copy in pairs:
            if original.tag != copy.tag:
                continue
            found = other._elements.pop(original._describe()[0], None)
            if found is not None:
                found._extra.setdefault("origin", other)
                found.__dict__.update(_spec=self, _element=copy)
                self._elements[copy._describe()[0]] = found
            if original.tag in ("body", "frame"):
                self._follow(other, zip(original.children, copy.children, strict=False))

    def _follow_names(self, other, prefix, suffix):
        """The same for actuators, sensors, assets, ...: by their names."""
        for address, found in list(other._elements.items()):
            if found._kind in ("body", "frame", "geom", "joint", "site", "camera", "light") or not found.name:
                continue
            copy = self._spec.find(_type_of(found._kind), f"{prefix}{found.name}{suffix}")
            if copy is not None and copy._describe()[0] not in self._elements:
                del other._elements[address]
                found.__dict__.update(_spec=self, _element=copy)
                self._elements[copy._describe()[0]] = found
