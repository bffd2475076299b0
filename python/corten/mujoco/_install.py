"""Let `import mujoco` find this package."""

import importlib
import importlib.abc
import importlib.util
import sys

_OURS = __package__


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds mujoco and its modules here; nothing falls back to the other ones."""

    def find_spec(self, name, path=None, target=None):
        if name != "mujoco" and not name.startswith("mujoco."):
            return None
        ours = _OURS + name.removeprefix("mujoco")
        if importlib.util.find_spec(ours) is None:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=name == "mujoco")

    def create_module(self, spec):
        module = importlib.import_module(_OURS + spec.name.removeprefix("mujoco"))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        # it has run under its own name, which it keeps
        module.__spec__ = module.__spec__.loader_state


_finder = _Finder()


def installed():
    """Whether `import mujoco` finds this package."""
    return _finder in sys.meta_path


def install():
    """From now on `import mujoco` finds this package, in this process. The other one must not have been imported."""
    found = sys.modules.get("mujoco")
    if found is not None and found is not sys.modules[_OURS]:
        raise ImportError("mujoco has been imported already: call corten.mujoco.install() before anything imports it")
    if not installed():
        sys.meta_path.insert(0, _finder)
    for name, module in list(sys.modules.items()):
        if name == _OURS or name.startswith(_OURS + "."):
            sys.modules["mujoco" + name.removeprefix(_OURS)] = module


def uninstall():
    """Undo install()."""
    if installed():
        sys.meta_path.remove(_finder)
    for name, module in list(sys.modules.items()):
        if (name == "mujoco" or name.startswith("mujoco.")) and getattr(module, "__name__", "").startswith(_OURS):
            del sys.modules[name]
