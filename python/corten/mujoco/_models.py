"""The functions mj_* of names and models: constants, saving, printing, textures."""

import os

import numpy as np

import corten
from corten import Error, Part, _core

from ._arguments import out
from ._constants import mjMINVAL, mjVERSION_HEADER
from ._enums import mjtCone, mjtGain, mjtJacobian, mjtSolver
from ._errors import FatalError, as_value_error
from ._steps import _run
from ._structs import MjModel, MjOption

_ask = _core.ask

def mj_name2id(m, type, name):
    """Id of an object with a name, -1 when there is none."""
    return _core.name2id(m, type, name.decode() if isinstance(name, bytes) else name)


def mj_id2name(m, type, id):
    """Name of an object, None when it has none."""
    return _core.id2name(m, type, id)


def mj_version():
    """The version of MuJoCo whose module this is like."""
    return mjVERSION_HEADER


def mj_versionString():
    """The version of MuJoCo whose module this is like."""
    number = mjVERSION_HEADER
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"


def mj_isPyramidal(m):
    return int(m.opt.cone == mjtCone.mjCONE_PYRAMIDAL)


def mj_isSparse(m):
    jacobian = m.opt.jacobian
    return int(jacobian == mjtJacobian.mjJAC_SPARSE or (jacobian == mjtJacobian.mjJAC_AUTO and m.nv >= 60))


def mj_isDual(m):
    return int(m.opt.solver == mjtSolver.mjSOL_PGS or m.opt.noslip_iterations > 0)


def mj_getTotalmass(m):
    """Sum of the masses of all bodies."""
    return _core.total_mass(m)


def mj_setTotalmass(m, newmass):
    """Scale all masses and inertias to a total mass."""
    _core.set_total_mass(m, float(newmass))


def mj_setConst(m, d):
    """Compute again what follows from the numbers of a model. The data comes to stand at qpos0."""
    light = np.flatnonzero((m.body_simple == 2) & (m.body_mass < mjMINVAL))  # their mass is all that sliders move
    if light.size:
        raise FatalError(f"setInertia0: moving body {light[0]} has 0 mass")
    try:
        _core.update_model(m)
    except Error as error:
        raise FatalError(str(error)) from error
    d.qpos[:] = m.qpos0
    for part in (Part.KINEMATICS, Part.COM, Part.CAMERAS, Part.TENDONS, Part.MASS, Part.FACTOR, Part.TRANSMISSION):
        _run(m, d, part)


def mj_sizeModel(m):
    """Bytes of the model in binary form."""
    return len(_core.model_mjb(m))


def mj_saveModel(m, filename=None, buffer=None):
    """Write the model in binary form (.mjb) to a file or into an array of bytes."""
    content = _core.model_mjb(m)
    if filename is not None:
        with open(filename, "wb") as file:
            file.write(content)
    elif buffer is not None:
        if not isinstance(buffer, np.ndarray) or buffer.dtype != np.uint8 or not buffer.flags.writeable:
            raise TypeError("buffer should be a writeable array of uint8")
        if buffer.size < len(content):
            raise FatalError(f"mj_saveModel: buffer too small, need {len(content)} bytes")
        buffer.flat[: len(content)] = np.frombuffer(content, np.uint8)


def mj_saveLastXML(filename, m):
    """Write a model as MJCF: every number as it was compiled."""
    try:
        _core.save_mjcf(m, filename)
    except Error as error:
        raise FatalError(str(error)) from error


def mj_printModel(m, filename):
    """Write everything in a model as text."""
    _write(filename, _core.print_model(m))


def mj_printData(m, d, filename):
    """Write everything in a data as text."""
    _write(filename, _core.print_data(m, d))


def mj_printFormattedModel(m, filename, float_format="%9.2g"):
    """mj_printModel: numbers are written as they are, whatever the format."""
    mj_printModel(m, filename)


def mj_printFormattedData(m, d, filename, float_format="%9.2g"):
    """mj_printData: numbers are written as they are, whatever the format."""
    mj_printData(m, d, filename)


def _write(filename, text):
    with open(filename, "w") as file:
        file.write(text)


def mj_loadTexture(m, id):
    """(pixels, colorspace) of a texture: a copy, or what its file holds."""
    if not 0 <= id < m.ntex:
        raise ValueError(f"mj_loadTexture: texture {id} is out of range: there are {m.ntex}")
    if m.tex_adr[id] >= 0:
        return m.texture(int(id)).data.copy(), int(m.tex_colorspace[id])
    made = _with_pixels(m, [int(id)])
    return made.texture(int(id)).data.copy(), int(made.tex_colorspace[id])


def mj_embedAssets(m):
    """A copy of a model with the pixels of textures that are left in their files."""
    return _with_pixels(m, np.flatnonzero(m.tex_adr < 0).tolist())


def _with_pixels(m, ids):
    """A copy of a model with the pixels of some textures."""
    for id in ids:
        path = m.paths[m.tex_pathadr[id] :].split(b"\0")[0].decode()
        if not os.path.exists(path):
            raise ValueError(f"texture {id}: there is no file '{path}'")
    spec = corten.Spec.from_model(m)
    for id in ids:
        spec.textures[id].embed = "true"
    with as_value_error():
        return MjModel._of(_core.compile_spec(spec._core))


_SECTIONS = {
    "worldbody": ("body", "frame", "joint", "freejoint", "geom", "site", "camera", "light"),
    "asset": ("mesh", "texture", "material", "skin"),
    "tendon": ("spatial", "fixed"),
    "actuator": ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"),
    "keyframe": ("key",),
}
_NEEDED = {"adhesion": {"body": "b"}}


def mj_printSchema(flg_html, flg_pad):
    """The elements of MJCF that can be built without others, with their attributes; docs/mjcf.md has all."""
    spec, lines = corten.Spec(), [(0, "mujoco", ["model"])]
    body = spec.world.add("body", name="b")
    body.add("geom", size=0.1)
    for section, tags in _SECTIONS.items():
        lines.append((1, section, []))
        for tag in tags:
            place, path = (body, tag) if section == "worldbody" else (spec, f"{section}/{tag}")
            try:
                element = place.add(path, **_NEEDED.get(tag, {}))
            except Error:
                continue
            lines.append((2, tag, list(_core.element_attrs(element._handle))))
    if flg_html:
        rows = "".join(f"<tr><td>{'&nbsp;' * 4 * depth}{tag}</td><td>{' '.join(names)}</td></tr>\n" for depth, tag, names in lines)
        return f"<table>\n{rows}</table>\n"
    pad = 24 if flg_pad else 0
    return "".join(f"{'  ' * depth + tag:{pad}} {' '.join(names)}".rstrip() + "\n" for depth, tag, names in lines)


_INPUTS = ("pos", "vel", "ff", "voltage", "none", "pressure")
_TURNS = ("rx", "ry", "rz"), ("qw", "qx", "qy", "qz")


def mj_actuatorInputName(m, id, input):
    """What an input of an actuator is called, None when it has no name."""
    if not 0 <= id < m.nactuator or not 0 <= input < m.actuator_ctrlnum[id]:
        return None
    bits = int(m.actuator_ctrlspec[id])
    if m.actuator_gaintype[id] == mjtGain.mjGAIN_SO3:
        return _TURNS[bits == 2][input]
    names = [name for i, name in enumerate(_INPUTS) if bits >> i & 1]
    return names[input] if input < len(names) else None


def mj_defaultOption(opt):
    """Options to their defaults."""
    opt._copy_from(MjOption())


def mj_defaultVisual(vis):
    """Drawing settings to their defaults."""
    vis._copy_from(MjModel.from_xml_string("<mujoco/>").vis)


def mj_defaultSolRefImp(solref=None, solimp=None):
    """The default parameters of constraints."""
    if solref is not None:
        out(solref, 2, "solref").flat = (0.02, 1)
    if solimp is not None:
        out(solimp, 5, "solimp").flat = (0.9, 0.95, 0.001, 0.5, 2)


def mj_resetCallbacks():
    """Remove all callbacks."""
    from . import _callbacks

    _callbacks.reset()


def mju_threadpool(d, nthread):
    """Let threads solve the islands of a step."""
    d.set_threads(max(1, nthread))
    d.__dict__["_threads"] = nthread if nthread > 1 else 0


def mj_getCache():
    """The cache of assets, which keeps nothing: files are read when a model is compiled."""
    return _CACHE


_CACHE = object()


def _checked_cache(cache):
    if cache is not _CACHE:
        raise TypeError("cache should be what mj_getCache() gives")


def mj_getCacheSize(cache):
    """Always 0."""
    _checked_cache(cache)
    return 0


def mj_getCacheCapacity(cache):
    """Always 0."""
    _checked_cache(cache)
    return 0


def mj_setCacheCapacity(cache, size):
    """The capacity, which stays 0."""
    _checked_cache(cache)
    return 0


def mj_clearCache(cache):
    """Nothing: there is nothing in it."""
    _checked_cache(cache)


def mju_writeLog(type, msg):
    """Append a line to the log file, MUJOCO_LOG.TXT in the current folder."""
    with open("MUJOCO_LOG.TXT", "a") as file:
        file.write(f"{type}: {msg}\n\n")


def mju_getXMLDependencies(filename):
    """The file, and the files that it includes or refers to."""
    import xml.etree.ElementTree as tree

    found, folder = [filename], os.path.dirname(filename)
    for element in tree.parse(filename).iter():
        for key in ("file", *(f"file{side}" for side in ("right", "left", "up", "down", "front", "back"))):
            if element.get(key):
                name = os.path.join(folder, element.get(key))
                found.extend(mju_getXMLDependencies(name) if element.tag in ("include", "model") else [name])
    return list(dict.fromkeys(found))


__all__ = [name for name in globals() if name.startswith(("mj_", "mju_threadpool", "mju_writeLog", "mju_getXML"))]
