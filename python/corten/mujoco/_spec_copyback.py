"""MjSpec.copy_back: numbers that were changed in a compiled model, written into the spec it came from."""

import numpy as np

from . import _enums as E

_SOL = {"solref": "solref", "solimp": "solimp"}
_LIMITS = {"solreflimit": "solref_limit", "solimplimit": "solimp_limit", "solreffriction": "solref_friction",
           "solimpfriction": "solimp_friction"}  # fmt: skip

# for each kind of element: how its fields begin in a model, and {field: attribute}
_FIELDS = {
    "body": ("body_", {"pos": "pos", "quat": "quat", "mass": "mass", "ipos": "ipos", "iquat": "iquat", "inertia": "inertia",
                       "gravcomp": "gravcomp", "user": "userdata"}),
    "joint": ("jnt_", {"pos": "pos", "axis": "axis", "range": "range", "actfrcrange": "actfrcrange", "margin": "margin",
                       "stiffness": "stiffness", "user": "userdata", "solref": "solref_limit", "solimp": "solimp_limit"}),
    "geom": ("geom_", {"pos": "pos", "quat": "quat", "size": "size", "friction": "friction", "solmix": "solmix", "margin": "margin",
                       "gap": "gap", "rgba": "rgba", "user": "userdata", **_SOL}),
    "site": ("site_", {"pos": "pos", "quat": "quat", "size": "size", "rgba": "rgba", "user": "userdata"}),
    "camera": ("cam_", {"pos": "pos", "quat": "quat", "fovy": "fovy", "ipd": "ipd", "user": "userdata"}),
    "light": ("light_", {"pos": "pos", "dir": "dir", "attenuation": "attenuation", "cutoff": "cutoff", "exponent": "exponent",
                         "ambient": "ambient", "diffuse": "diffuse", "specular": "specular", "bulbradius": "bulbradius",
                         "intensity": "intensity", "range": "range"}),
    "material": ("mat_", {name: name for name in
                          "texrepeat emission specular shininess reflectance metallic roughness rgba".split()}),
    "tendon": ("tendon_", {"stiffness": "stiffness", "damping": "damping", "frictionloss": "frictionloss", "range": "range",
                           "actfrcrange": "actfrcrange", "margin": "margin", "lengthspring": "springlength", "armature": "armature",
                           "width": "width", "rgba": "rgba", "user": "userdata"}),
    "actuator": ("actuator_", {name: name for name in "gear ctrlrange forcerange actrange gainprm biasprm dynprm lengthrange cranklength "
                                                      "user".split()}),
    "pair": ("pair_", {"friction": "friction", "margin": "margin", "gap": "gap", "solreffriction": "solreffriction", **_SOL}),
    "equality": ("eq_", {"data": "data", **_SOL}),
    "sensor": ("sensor_", {"cutoff": "cutoff", "noise": "noise", "user": "userdata"}),
    "key": ("key_", {name: name for name in "time qpos qvel act mpos mquat ctrl".split()}),
}  # fmt: skip
_DOFS = ("armature", "damping", "frictionloss")  # of a joint, once for each of its dofs
_SETTINGS = {"opt": "option", "stat": "stat"}


def _turn(quat):
    w, x, y, z = quat
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip


def _times(a, b):
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def _in_frames(element, attribute, value):
    """A place in the frame of the body, as seen from the frames that the element stands in."""
    frames, at = [], getattr(element, "frame", None)
    while at is not None:
        frames.append(at)
        at = at.frame
    for frame in reversed(frames):
        quat = np.asarray(frame.quat, float)
        if frame.alt.type != E.mjtOrientation.mjORIENTATION_QUAT:
            compiler = frame.compiler
            quat = frame._spec.resolve_orientation(compiler.degree, compiler.eulerseq, frame.alt)
        quat = quat / np.linalg.norm(quat)
        inverse = quat * [1, -1, -1, -1]
        if attribute == "pos":
            value = _turn(inverse) @ (value - np.asarray(frame.pos, float))
        elif attribute == "quat":
            value = _times(inverse, value)
        else:
            value = _turn(inverse) @ value
    return value


def _as_said(element, attribute, value):
    """What compiles to a value."""
    value = np.array(value, float)
    alt = getattr(element, "alt", None) if attribute == "quat" else None
    if alt is not None and alt.type != E.mjtOrientation.mjORIENTATION_QUAT:
        raise ValueError(f"{element._kind} {element.name!r}: quat was changed in the model, and the spec says it in another way")
    if attribute in ("pos", "quat") or (attribute in ("axis", "dir") and element._kind in ("joint", "light")):
        value = _in_frames(element, attribute, value)
    turns = element._kind == "joint" and attribute == "range" and element.type in (E.mjtJoint.mjJNT_HINGE, E.mjtJoint.mjJNT_BALL)
    if turns and element.compiler.degree:
        value = np.degrees(value)
    if np.ndim(getattr(element, attribute)) == 0:
        return float(value.ravel()[0])
    return value.ravel()


def _changes(spec, base, model):
    """(element, field of the model, row, attribute) of every number that differs."""
    for kind, (prefix, fields) in _FIELDS.items():
        for field, attribute in fields.items():
            before, now = getattr(base, prefix + field, None), getattr(model, prefix + field, None)
            if before is None or before.shape != now.shape or np.array_equal(before, now):
                continue
            elements = spec._all(kind)
            for id in range(len(before)):
                if not np.array_equal(before[id], now[id]):
                    yield elements[id], prefix + field, id, attribute
    for field in _DOFS:
        before, now = getattr(base, f"dof_{field}"), getattr(model, f"dof_{field}")
        joints = spec._all("joint")
        for dof in np.flatnonzero(np.any((before != now).reshape(len(before), -1), axis=1)) if len(before) else ():
            yield joints[model.dof_jntid[dof]], f"dof_{field}", dof, field


def copy_back(spec, model):
    """Write what was changed in `model`, compiled from `spec`. ValueError when the spec cannot say it; it is as it was then."""
    trial = spec.copy()
    base = trial.compile()
    if base.signature != model.signature:
        raise ValueError("incompatible model: it was not compiled from this spec")
    changes = list(_changes(trial, base, model))

    def write(to):
        own = {kind: to._all(kind) for kind in _FIELDS}
        for element, field, id, attribute in changes:
            target = own[element._kind][element.id]
            if element._kind == "body" and attribute in ("mass", "ipos", "iquat", "inertia"):
                for name in ("mass", "ipos", "iquat", "inertia"):
                    setattr(target, name, getattr(model, f"body_{name}")[id])
            else:
                setattr(target, attribute, _as_said(target, attribute, getattr(model, field)[id]))
        for settings, section in _SETTINGS.items():
            for name in type(getattr(to, section))._table:
                before, now = (getattr(getattr(m, settings), name, None) for m in (base, model))
                if now is not None and not np.array_equal(before, now):
                    setattr(getattr(to, section), name, now)

    write(trial)
    made = trial.compile()
    for element, field, id, attribute in changes:
        if not np.allclose(getattr(made, field)[id], getattr(model, field)[id], rtol=1e-12, atol=1e-14):
            raise ValueError(f"{element._kind} {element.name!r}: {attribute} was changed in the model, and the spec cannot say it")
    write(spec)
