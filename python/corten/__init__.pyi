# Made by tools/stubs.py from the field tables: do not edit.
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum, IntFlag
from os import PathLike
from typing import Any, Generic, NamedTuple, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_T = TypeVar("_T", bound=np.generic)
_Assets = Mapping[str, bytes]

class _Array(Generic[_T]):
    """A view; setting it copies into it."""
    def __get__(self, obj: object, owner: object = None, /) -> NDArray[_T]: ...
    def __set__(self, obj: object, value: ArrayLike, /) -> None: ...

class Error(Exception):
    status: int
    file: str | None
    line: int | None
    column: int | None
    element: str | None
    message: str

class Status(IntEnum):
    OK = 0
    ERR_ARGUMENT = 1
    ERR_MEMORY = 2
    ERR_NOT_FOUND = 3
    ERR_IO = 4
    ERR_SYNTAX = 5
    ERR_INVALID = 6
    ERR_UNSUPPORTED = 7
    ERR_LIMIT = 8
    STEP_DIVERGED = 9
    STEP_OVERFLOW = 10
    STEP_SINGULAR = 11

class JointType(IntEnum):
    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3

class GeomType(IntEnum):
    PLANE = 0
    HFIELD = 1
    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7
    SDF = 8
    NONE = 1001

class Integrator(IntEnum):
    EULER = 0
    RK4 = 1
    IMPLICIT = 2
    IMPLICITFAST = 3
    DISCRETE = 4
    SPRINGDAMPER = 5

class Cone(IntEnum):
    PYRAMIDAL = 0
    ELLIPTIC = 1

class Jacobian(IntEnum):
    DENSE = 0
    SPARSE = 1
    AUTO = 2

class Solver(IntEnum):
    PGS = 0
    CG = 1
    NEWTON = 2

class CamLight(IntEnum):
    FIXED = 0
    TRACK = 1
    TRACKCOM = 2
    TARGETBODY = 3
    TARGETBODYCOM = 4

class Projection(IntEnum):
    PERSPECTIVE = 0
    ORTHOGRAPHIC = 1

class LightType(IntEnum):
    SPOT = 0
    DIRECTIONAL = 1
    POINT = 2
    IMAGE = 3

class TextureType(IntEnum):
    _2D = 0
    CUBE = 1
    SKYBOX = 2

class TextureRole(IntEnum):
    USER = 0
    RGB = 1
    OCCLUSION = 2
    ROUGHNESS = 3
    METALLIC = 4
    NORMAL = 5
    OPACITY = 6
    EMISSIVE = 7
    RGBA = 8
    ORM = 9

class ColorSpace(IntEnum):
    AUTO = 0
    LINEAR = 1
    SRGB = 2

class EqType(IntEnum):
    CONNECT = 0
    WELD = 1
    JOINT = 2
    TENDON = 3
    FLEX = 4
    FLEXVERT = 5
    FLEXSTRAIN = 6
    DISTANCE = 7

class TendonType(IntEnum):
    FIXED = 0
    SPATIAL = 1

class WrapType(IntEnum):
    NONE = 0
    JOINT = 1
    PULLEY = 2
    SITE = 3
    SPHERE = 4
    CYLINDER = 5

class TrnType(IntEnum):
    JOINT = 0
    JOINTINPARENT = 1
    SLIDERCRANK = 2
    TENDON = 3
    SITE = 4
    BODY = 5
    SO3 = 6
    UNDEFINED = 1000

class DynType(IntEnum):
    NONE = 0
    INTEGRATOR = 1
    FILTER = 2
    FILTEREXACT = 3
    MUSCLE = 4
    DCMOTOR = 5
    PID = 6
    USER = 7

class GainType(IntEnum):
    FIXED = 0
    AFFINE = 1
    MUSCLE = 2
    DCMOTOR = 3
    SO3 = 4
    PID = 5
    USER = 6

class BiasType(IntEnum):
    NONE = 0
    AFFINE = 1
    MUSCLE = 2
    DCMOTOR = 3
    SO3 = 4
    USER = 5

class ObjType(IntEnum):
    UNKNOWN = 0
    BODY = 1
    XBODY = 2
    JOINT = 3
    DOF = 4
    GEOM = 5
    SITE = 6
    CAMERA = 7
    LIGHT = 8
    FLEX = 9
    MESH = 10
    SKIN = 11
    HFIELD = 12
    TEXTURE = 13
    MATERIAL = 14
    PAIR = 15
    EXCLUDE = 16
    EQUALITY = 17
    TENDON = 18
    ACTUATOR = 19
    SENSOR = 20
    NUMERIC = 21
    TEXT = 22
    TUPLE = 23
    KEY = 24
    PLUGIN = 25
    FRAME = 100
    DEFAULT = 101
    MODEL = 102

class Stage(IntEnum):
    NONE = 0
    POS = 1
    VEL = 2
    ACC = 3

class DataType(IntEnum):
    REAL = 0
    POSITIVE = 1
    AXIS = 2
    QUATERNION = 3

class SameFrame(IntEnum):
    NONE = 0
    BODY = 1
    INERTIA = 2
    BODYROT = 3
    INERTIAROT = 4

class SleepPolicy(IntEnum):
    AUTO = 0
    AUTO_NEVER = 1
    AUTO_ALLOWED = 2
    NEVER = 3
    ALLOWED = 4
    INIT = 5

class ConstraintType(IntEnum):
    EQUALITY = 0
    FRICTION_DOF = 1
    FRICTION_TENDON = 2
    LIMIT_JOINT = 3
    LIMIT_TENDON = 4
    CONTACT_FRICTIONLESS = 5
    CONTACT_PYRAMIDAL = 6
    CONTACT_ELLIPTIC = 7

class WarningType(IntEnum):
    INERTIA = 0
    CONTACTFULL = 1
    CNSTRFULL = 2
    BADQPOS = 3
    BADQVEL = 4
    BADQACC = 5
    BADCTRL = 6
    BADACT = 7

class TimerType(IntEnum):
    STEP = 0
    FORWARD = 1
    INVERSE = 2
    POSITION = 3
    VELOCITY = 4
    ACTUATION = 5
    CONSTRAINT = 6
    ADVANCE = 7
    POS_KINEMATICS = 8
    POS_INERTIA = 9
    POS_COLLISION = 10
    POS_MAKE = 11
    POS_PROJECT = 12
    COL_BROAD = 13
    COL_NARROW = 14

class DisableBit(IntFlag):
    CONSTRAINT = 1
    EQUALITY = 2
    FRICTIONLOSS = 4
    LIMIT = 8
    CONTACT = 16
    SPRING = 32
    DAMPER = 64
    GRAVITY = 128
    CLAMPCTRL = 256
    WARMSTART = 512
    FILTERPARENT = 1024
    ACTUATION = 2048
    REFSAFE = 4096
    SENSOR = 8192
    MIDPHASE = 16384
    EULERDAMP = 32768
    AUTORESET = 65536
    NATIVECCD = 131072
    ISLAND = 262144
    MULTICCD = 524288

class EnableBit(IntFlag):
    OVERRIDE = 1
    ENERGY = 2
    FWDINV = 4
    INVDISCRETE = 8
    SLEEP = 16
    DIAGEXACT = 32
    IPC = 64
    SPECULATIVE = 128

class State(IntFlag):
    TIME = 1
    QPOS = 2
    QVEL = 4
    ACT = 8
    HISTORY = 16
    WARMSTART = 32
    CTRL = 64
    QFRC_APPLIED = 128
    XFRC_APPLIED = 256
    EQ_ACTIVE = 512
    MOCAP_POS = 1024
    MOCAP_QUAT = 2048
    USERDATA = 4096
    PLUGIN = 8192
    PLASTIC = 16384
    PHYSICS = 16414
    FULLPHYSICS = 24607
    INPUT = 8128
    INTEGRATION = 32767

class _ContactRecord:
    dist: float
    pos: _Array[np.float64]
    frame: _Array[np.float64]
    includemargin: float
    friction: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    solimp: _Array[np.float64]
    adhesion: float
    surfacevel: _Array[np.float64]
    mu: float
    H: _Array[np.float64]
    dim: int
    geom1: int
    geom2: int
    geom: _Array[np.int32]
    flex: _Array[np.int32]
    elem: _Array[np.int32]
    vert: _Array[np.int32]
    exclude: int
    efc_address: int

class _ContactArray:
    def __len__(self) -> int: ...
    def __getitem__(self, i: SupportsIndex, /) -> _ContactRecord: ...
    dist: _Array[np.float64]
    pos: _Array[np.float64]
    frame: _Array[np.float64]
    includemargin: _Array[np.float64]
    friction: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    solimp: _Array[np.float64]
    adhesion: _Array[np.float64]
    surfacevel: _Array[np.float64]
    mu: _Array[np.float64]
    H: _Array[np.float64]
    dim: _Array[np.int32]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    geom: _Array[np.int32]
    flex: _Array[np.int32]
    elem: _Array[np.int32]
    vert: _Array[np.int32]
    exclude: _Array[np.int32]
    efc_address: _Array[np.int32]

class _WarningRecord:
    lastinfo: int
    number: int

class _WarningArray:
    def __len__(self) -> int: ...
    def __getitem__(self, i: SupportsIndex, /) -> _WarningRecord: ...
    lastinfo: _Array[np.int32]
    number: _Array[np.int32]

class _TimerRecord:
    duration: float
    number: int

class _TimerArray:
    def __len__(self) -> int: ...
    def __getitem__(self, i: SupportsIndex, /) -> _TimerRecord: ...
    duration: _Array[np.float64]
    number: _Array[np.int64]

class _SolverRecord:
    improvement: float
    gradient: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class _SolverArray:
    def __len__(self) -> int: ...
    def __getitem__(self, i: SupportsIndex, /) -> _SolverRecord: ...
    improvement: _Array[np.float64]
    gradient: _Array[np.float64]
    lineslope: _Array[np.float64]
    nactive: _Array[np.int32]
    nchange: _Array[np.int32]
    neval: _Array[np.int32]
    nupdate: _Array[np.int32]

class _Opt:
    timestep: float
    impratio: float
    tolerance: float
    ls_tolerance: float
    noslip_tolerance: float
    ccd_tolerance: float
    sleep_tolerance: float
    gravity: _Array[np.float64]
    wind: _Array[np.float64]
    magnetic: _Array[np.float64]
    density: float
    viscosity: float
    o_margin: float
    o_solref: _Array[np.float64]
    o_solimp: _Array[np.float64]
    o_friction: _Array[np.float64]
    integrator: int
    cone: int
    jacobian: int
    solver: int
    iterations: int
    ls_iterations: int
    noslip_iterations: int
    ccd_iterations: int
    disableflags: int
    enableflags: int
    disableactuator: int
    sdf_initpoints: int
    sdf_iterations: int

class _Stat:
    meaninertia: float
    meanmass: float
    meansize: float
    extent: float
    center: _Array[np.float64]

class _Global:
    cameraid: int
    orthographic: int
    fovy: float
    ipd: float
    azimuth: float
    elevation: float
    linewidth: float
    glow: float
    realtime: float
    offwidth: int
    offheight: int
    ellipsoidinertia: int
    bvactive: int

class _Quality:
    shadowsize: int
    offsamples: int
    numslices: int
    numstacks: int
    numquads: int

class _Headlight:
    ambient: _Array[np.float32]
    diffuse: _Array[np.float32]
    specular: _Array[np.float32]
    active: int

class _Map:
    stiffness: float
    stiffnessrot: float
    force: float
    torque: float
    alpha: float
    fogstart: float
    fogend: float
    znear: float
    zfar: float
    haze: float
    shadowclip: float
    shadowscale: float
    actuatortendon: float

class _Scale:
    forcewidth: float
    contactwidth: float
    contactheight: float
    connect: float
    com: float
    camera: float
    light: float
    selectpoint: float
    jointlength: float
    jointwidth: float
    actuatorlength: float
    actuatorwidth: float
    framelength: float
    framewidth: float
    constraint: float
    slidercrank: float
    frustum: float

class _Rgba:
    fog: _Array[np.float32]
    haze: _Array[np.float32]
    force: _Array[np.float32]
    inertia: _Array[np.float32]
    joint: _Array[np.float32]
    actuator: _Array[np.float32]
    actuatornegative: _Array[np.float32]
    actuatorpositive: _Array[np.float32]
    com: _Array[np.float32]
    camera: _Array[np.float32]
    light: _Array[np.float32]
    selectpoint: _Array[np.float32]
    connect: _Array[np.float32]
    contactpoint: _Array[np.float32]
    contactforce: _Array[np.float32]
    contactfriction: _Array[np.float32]
    contacttorque: _Array[np.float32]
    contactgap: _Array[np.float32]
    rangefinder: _Array[np.float32]
    constraint: _Array[np.float32]
    slidercrank: _Array[np.float32]
    crankbroken: _Array[np.float32]
    frustum: _Array[np.float32]
    bv: _Array[np.float32]
    bvactive: _Array[np.float32]

class _Vis:
    @property
    def global_(self) -> _Global: ...
    @property
    def quality(self) -> _Quality: ...
    @property
    def headlight(self) -> _Headlight: ...
    @property
    def map(self) -> _Map: ...
    @property
    def scale(self) -> _Scale: ...
    @property
    def rgba(self) -> _Rgba: ...

class _ModelBody:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    parentid: _Array[np.int32]
    rootid: _Array[np.int32]
    weldid: _Array[np.int32]
    mocapid: _Array[np.int32]
    jntnum: _Array[np.int32]
    jntadr: _Array[np.int32]
    dofnum: _Array[np.int32]
    dofadr: _Array[np.int32]
    treeid: _Array[np.int32]
    geomnum: _Array[np.int32]
    geomadr: _Array[np.int32]
    simple: _Array[np.uint8]
    sameframe: _Array[np.uint8]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    ipos: _Array[np.float64]
    iquat: _Array[np.float64]
    mass: _Array[np.float64]
    subtreemass: _Array[np.float64]
    inertia: _Array[np.float64]
    invweight0: _Array[np.float64]
    gravcomp: _Array[np.float64]
    margin: _Array[np.float64]
    user: _Array[np.float64]
    plugin: _Array[np.int32]
    contype: _Array[np.int32]
    conaffinity: _Array[np.int32]
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    B_rownnz: _Array[np.int32]
    B_rowadr: _Array[np.int32]

class _ModelJoint:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    qpos0: _Array[np.float64]
    qpos_spring: _Array[np.float64]
    type: _Array[np.int32]
    qposadr: _Array[np.int32]
    dofadr: _Array[np.int32]
    actuatorid: _Array[np.int32]
    group: _Array[np.int32]
    plasticadr: _Array[np.int32]
    limited: _Array[np.bool_]
    actfrclimited: _Array[np.bool_]
    actgravcomp: _Array[np.bool_]
    solref: _Array[np.float64]
    solimp: _Array[np.float64]
    pos: _Array[np.float64]
    axis: _Array[np.float64]
    stiffness: _Array[np.float64]
    stiffnesspoly: _Array[np.float64]
    springyield: _Array[np.float64]
    range: _Array[np.float64]
    actfrcrange: _Array[np.float64]
    margin: _Array[np.float64]
    user: _Array[np.float64]
    bodyid: _Array[np.int32]
    jntid: _Array[np.int32]
    parentid: _Array[np.int32]
    treeid: _Array[np.int32]
    Madr: _Array[np.int32]
    simplenum: _Array[np.int32]
    frictionloss: _Array[np.float64]
    armature: _Array[np.float64]
    damping: _Array[np.float64]
    dampingpoly: _Array[np.float64]
    invweight0: _Array[np.float64]
    M0: _Array[np.float64]
    length: _Array[np.float64]
    M_rownnz: _Array[np.int32]
    M_rowadr: _Array[np.int32]
    D_rownnz: _Array[np.int32]
    D_rowadr: _Array[np.int32]
    D_diag: _Array[np.int32]

class _ModelGeom:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    contype: _Array[np.int32]
    conaffinity: _Array[np.int32]
    condim: _Array[np.int32]
    bodyid: _Array[np.int32]
    dataid: _Array[np.int32]
    matid: _Array[np.int32]
    group: _Array[np.int32]
    priority: _Array[np.int32]
    plugin: _Array[np.int32]
    sameframe: _Array[np.uint8]
    castshadow: _Array[np.bool_]
    solmix: _Array[np.float64]
    solref: _Array[np.float64]
    solimp: _Array[np.float64]
    size: _Array[np.float64]
    aabb: _Array[np.float64]
    rbound: _Array[np.float64]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    friction: _Array[np.float64]
    margin: _Array[np.float64]
    gap: _Array[np.float64]
    surfacevel: _Array[np.float64]
    adhesion: _Array[np.float64]
    fluid: _Array[np.float64]
    user: _Array[np.float64]
    rgba: _Array[np.float32]

class _ModelSite:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    bodyid: _Array[np.int32]
    dataid: _Array[np.int32]
    matid: _Array[np.int32]
    group: _Array[np.int32]
    sameframe: _Array[np.uint8]
    size: _Array[np.float64]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    user: _Array[np.float64]
    rgba: _Array[np.float32]

class _ModelCamera:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    mode: _Array[np.int32]
    bodyid: _Array[np.int32]
    targetbodyid: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    poscom0: _Array[np.float64]
    pos0: _Array[np.float64]
    mat0: _Array[np.float64]
    projection: _Array[np.int32]
    fovy: _Array[np.float64]
    ipd: _Array[np.float64]
    resolution: _Array[np.int32]
    output: _Array[np.int32]
    sensorsize: _Array[np.float32]
    intrinsic: _Array[np.float32]
    user: _Array[np.float64]

class _ModelLight:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    mode: _Array[np.int32]
    bodyid: _Array[np.int32]
    targetbodyid: _Array[np.int32]
    type: _Array[np.int32]
    texid: _Array[np.int32]
    castshadow: _Array[np.bool_]
    bulbradius: _Array[np.float32]
    intensity: _Array[np.float32]
    range: _Array[np.float32]
    active: _Array[np.bool_]
    pos: _Array[np.float64]
    dir: _Array[np.float64]
    poscom0: _Array[np.float64]
    pos0: _Array[np.float64]
    dir0: _Array[np.float64]
    attenuation: _Array[np.float32]
    cutoff: _Array[np.float32]
    softness: _Array[np.float32]
    exponent: _Array[np.float32]
    ambient: _Array[np.float32]
    diffuse: _Array[np.float32]
    specular: _Array[np.float32]

class _ModelFlex:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    contype: _Array[np.int32]
    conaffinity: _Array[np.int32]
    condim: _Array[np.int32]
    priority: _Array[np.int32]
    solmix: _Array[np.float64]
    solref: _Array[np.float64]
    solimp: _Array[np.float64]
    friction: _Array[np.float64]
    margin: _Array[np.float64]
    gap: _Array[np.float64]
    selfcollide: _Array[np.int32]
    activelayers: _Array[np.int32]
    passive: _Array[np.int32]
    dim: _Array[np.int32]
    group: _Array[np.int32]
    interp: _Array[np.int32]
    cellnum: _Array[np.int32]
    nodeadr: _Array[np.int32]
    nodenum: _Array[np.int32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]
    edgeadr: _Array[np.int32]
    edgenum: _Array[np.int32]
    elemadr: _Array[np.int32]
    elemnum: _Array[np.int32]
    elemdataadr: _Array[np.int32]
    stiffnessadr: _Array[np.int32]
    elemedgeadr: _Array[np.int32]
    bendingadr: _Array[np.int32]
    plasticadr: _Array[np.int32]
    plasticmode: _Array[np.int32]
    shellnum: _Array[np.int32]
    shelldataadr: _Array[np.int32]
    texcoordadr: _Array[np.int32]
    radius: _Array[np.float64]
    size: _Array[np.float64]
    damping: _Array[np.float64]
    yield_: _Array[np.float64]
    edgestiffness: _Array[np.float64]
    edgedamping: _Array[np.float64]
    edgeequality: _Array[np.int32]
    rigid: _Array[np.bool_]
    centered: _Array[np.bool_]
    flatskin: _Array[np.bool_]
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    rgba: _Array[np.float32]

class _ModelMesh:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    octadr: _Array[np.int32]
    octnum: _Array[np.int32]
    normaladr: _Array[np.int32]
    normalnum: _Array[np.int32]
    texcoordadr: _Array[np.int32]
    texcoordnum: _Array[np.int32]
    graphadr: _Array[np.int32]
    extrema: _Array[np.int32]
    scale: _Array[np.float64]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    pathadr: _Array[np.int32]
    polynum: _Array[np.int32]
    polyadr: _Array[np.int32]

class _ModelSkin:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    matid: _Array[np.int32]
    group: _Array[np.int32]
    rgba: _Array[np.float32]
    inflate: _Array[np.float32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]
    texcoordadr: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    boneadr: _Array[np.int32]
    bonenum: _Array[np.int32]
    pathadr: _Array[np.int32]

class _ModelHfield:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    size: _Array[np.float64]
    nrow: _Array[np.int32]
    ncol: _Array[np.int32]
    adr: _Array[np.int32]
    pathadr: _Array[np.int32]

class _ModelTexture:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    colorspace: _Array[np.int32]
    height: _Array[np.int32]
    width: _Array[np.int32]
    nchannel: _Array[np.int32]
    adr: _Array[np.int64]
    pathadr: _Array[np.int32]
    contenttypeadr: _Array[np.int32]

class _ModelMaterial:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    texid: _Array[np.int32]
    texuniform: _Array[np.bool_]
    texrepeat: _Array[np.float32]
    emission: _Array[np.float32]
    specular: _Array[np.float32]
    shininess: _Array[np.float32]
    reflectance: _Array[np.float32]
    metallic: _Array[np.float32]
    roughness: _Array[np.float32]
    rgba: _Array[np.float32]

class _ModelPair:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    dim: _Array[np.int32]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    signature: _Array[np.int32]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    solimp: _Array[np.float64]
    margin: _Array[np.float64]
    gap: _Array[np.float64]
    adhesion: _Array[np.float64]
    friction: _Array[np.float64]

class _ModelExclude:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    signature: _Array[np.int32]

class _ModelEquality:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    obj1id: _Array[np.int32]
    obj2id: _Array[np.int32]
    objtype: _Array[np.int32]
    active0: _Array[np.bool_]
    solref: _Array[np.float64]
    solimp: _Array[np.float64]
    data: _Array[np.float64]

class _ModelTendon:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    adr: _Array[np.int32]
    num: _Array[np.int32]
    matid: _Array[np.int32]
    actuatorid: _Array[np.int32]
    group: _Array[np.int32]
    plasticadr: _Array[np.int32]
    treenum: _Array[np.int32]
    treeid: _Array[np.int32]
    J_rownnz: _Array[np.int32]
    J_rowadr: _Array[np.int32]
    limited: _Array[np.bool_]
    actfrclimited: _Array[np.bool_]
    width: _Array[np.float64]
    solref_lim: _Array[np.float64]
    solimp_lim: _Array[np.float64]
    solref_fri: _Array[np.float64]
    solimp_fri: _Array[np.float64]
    range: _Array[np.float64]
    actfrcrange: _Array[np.float64]
    margin: _Array[np.float64]
    stiffness: _Array[np.float64]
    stiffnesspoly: _Array[np.float64]
    damping: _Array[np.float64]
    dampingpoly: _Array[np.float64]
    armature: _Array[np.float64]
    frictionloss: _Array[np.float64]
    lengthspring: _Array[np.float64]
    springyield: _Array[np.float64]
    length0: _Array[np.float64]
    invweight0: _Array[np.float64]
    user: _Array[np.float64]
    rgba: _Array[np.float32]

class _ModelActuator:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    trntype: _Array[np.int32]
    dyntype: _Array[np.int32]
    gaintype: _Array[np.int32]
    biastype: _Array[np.int32]
    ctrladr: _Array[np.int32]
    ctrlnum: _Array[np.int32]
    ctrlspec: _Array[np.int32]
    outadr: _Array[np.int32]
    outnum: _Array[np.int32]
    actadr: _Array[np.int32]
    actnum: _Array[np.int32]
    trnid: _Array[np.int32]
    cranklength: _Array[np.float64]
    dynprm: _Array[np.float64]
    gainprm: _Array[np.float64]
    biasprm: _Array[np.float64]
    actlimited: _Array[np.bool_]
    actrange: _Array[np.float64]
    actearly: _Array[np.bool_]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    delay: _Array[np.float64]
    damping: _Array[np.float64]
    dampingpoly: _Array[np.float64]
    armature: _Array[np.float64]
    group: _Array[np.int32]
    user: _Array[np.float64]
    plugin: _Array[np.int32]
    forcelimited: _Array[np.bool_]
    forcerange: _Array[np.float64]
    ctrllimited: _Array[np.bool_]
    ctrlrange: _Array[np.float64]
    gear: _Array[np.float64]
    acc0: _Array[np.float64]
    length0: _Array[np.float64]
    lengthrange: _Array[np.float64]

class _ModelSensor:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: _Array[np.int32]
    datatype: _Array[np.int32]
    needstage: _Array[np.int32]
    objtype: _Array[np.int32]
    objid: _Array[np.int32]
    reftype: _Array[np.int32]
    refid: _Array[np.int32]
    intprm: _Array[np.int32]
    dim: _Array[np.int32]
    adr: _Array[np.int32]
    cutoff: _Array[np.float64]
    noise: _Array[np.float64]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    delay: _Array[np.float64]
    interval: _Array[np.float64]
    user: _Array[np.float64]
    plugin: _Array[np.int32]

class _ModelNumeric:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    size: _Array[np.int32]
    data: _Array[np.float64]

class _ModelText:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    size: _Array[np.int32]

class _ModelTuple:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    size: _Array[np.int32]
    objtype: _Array[np.int32]
    objid: _Array[np.int32]
    objprm: _Array[np.float64]

class _ModelKey:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    time: _Array[np.float64]
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    act: _Array[np.float64]
    mpos: _Array[np.float64]
    mquat: _Array[np.float64]
    ctrl: _Array[np.float64]
    plastic: _Array[np.float64]

class Model:
    @classmethod
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None) -> Model: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None) -> Model: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    def save(self, path: str | PathLike[str]) -> tuple[str, ...]: ...
    def name2id(self, type: int, name: str) -> int: ...
    def id2name(self, type: int, id: int) -> str | None: ...
    def to_text(self) -> str: ...
    def set_callbacks(
        self,
        *,
        sensor: Callable[[Model, Data, int], float | Sequence[float] | NDArray[Any]] | None = None,
        dyn: Callable[[Model, Data, int], float | Sequence[float] | NDArray[Any]] | None = None,
        gain: Callable[[Model, Data, int], float] | None = None,
        bias: Callable[[Model, Data, int], float] | None = None,
    ) -> None: ...
    def copy(self) -> Model: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, memo: Any) -> Model: ...
    def body(self, key: str | SupportsIndex, /) -> _ModelBody: ...
    def jnt(self, key: str | SupportsIndex, /) -> _ModelJoint: ...
    def joint(self, key: str | SupportsIndex, /) -> _ModelJoint: ...
    def geom(self, key: str | SupportsIndex, /) -> _ModelGeom: ...
    def site(self, key: str | SupportsIndex, /) -> _ModelSite: ...
    def cam(self, key: str | SupportsIndex, /) -> _ModelCamera: ...
    def camera(self, key: str | SupportsIndex, /) -> _ModelCamera: ...
    def light(self, key: str | SupportsIndex, /) -> _ModelLight: ...
    def flex(self, key: str | SupportsIndex, /) -> _ModelFlex: ...
    def mesh(self, key: str | SupportsIndex, /) -> _ModelMesh: ...
    def skin(self, key: str | SupportsIndex, /) -> _ModelSkin: ...
    def hfield(self, key: str | SupportsIndex, /) -> _ModelHfield: ...
    def tex(self, key: str | SupportsIndex, /) -> _ModelTexture: ...
    def texture(self, key: str | SupportsIndex, /) -> _ModelTexture: ...
    def mat(self, key: str | SupportsIndex, /) -> _ModelMaterial: ...
    def material(self, key: str | SupportsIndex, /) -> _ModelMaterial: ...
    def pair(self, key: str | SupportsIndex, /) -> _ModelPair: ...
    def exclude(self, key: str | SupportsIndex, /) -> _ModelExclude: ...
    def eq(self, key: str | SupportsIndex, /) -> _ModelEquality: ...
    def equality(self, key: str | SupportsIndex, /) -> _ModelEquality: ...
    def ten(self, key: str | SupportsIndex, /) -> _ModelTendon: ...
    def tendon(self, key: str | SupportsIndex, /) -> _ModelTendon: ...
    def actuator(self, key: str | SupportsIndex, /) -> _ModelActuator: ...
    def sensor(self, key: str | SupportsIndex, /) -> _ModelSensor: ...
    def numeric(self, key: str | SupportsIndex, /) -> _ModelNumeric: ...
    def text(self, key: str | SupportsIndex, /) -> _ModelText: ...
    def tuple(self, key: str | SupportsIndex, /) -> _ModelTuple: ...
    def key(self, key: str | SupportsIndex, /) -> _ModelKey: ...
    def keyframe(self, key: str | SupportsIndex, /) -> _ModelKey: ...
    qpos0: _Array[np.float64]
    qpos_spring: _Array[np.float64]
    body_parentid: _Array[np.int32]
    body_rootid: _Array[np.int32]
    body_weldid: _Array[np.int32]
    body_mocapid: _Array[np.int32]
    body_jntnum: _Array[np.int32]
    body_jntadr: _Array[np.int32]
    body_dofnum: _Array[np.int32]
    body_dofadr: _Array[np.int32]
    body_treeid: _Array[np.int32]
    body_geomnum: _Array[np.int32]
    body_geomadr: _Array[np.int32]
    body_simple: _Array[np.uint8]
    body_sameframe: _Array[np.uint8]
    body_pos: _Array[np.float64]
    body_quat: _Array[np.float64]
    body_ipos: _Array[np.float64]
    body_iquat: _Array[np.float64]
    body_mass: _Array[np.float64]
    body_subtreemass: _Array[np.float64]
    body_inertia: _Array[np.float64]
    body_invweight0: _Array[np.float64]
    body_gravcomp: _Array[np.float64]
    body_margin: _Array[np.float64]
    body_user: _Array[np.float64]
    body_plugin: _Array[np.int32]
    body_contype: _Array[np.int32]
    body_conaffinity: _Array[np.int32]
    body_bvhadr: _Array[np.int32]
    body_bvhnum: _Array[np.int32]
    bvh_depth: _Array[np.int32]
    bvh_child: _Array[np.int32]
    bvh_nodeid: _Array[np.int32]
    bvh_aabb: _Array[np.float64]
    oct_depth: _Array[np.int32]
    oct_child: _Array[np.int32]
    oct_aabb: _Array[np.float64]
    oct_coeff: _Array[np.float64]
    jnt_type: _Array[np.int32]
    jnt_qposadr: _Array[np.int32]
    jnt_dofadr: _Array[np.int32]
    jnt_bodyid: _Array[np.int32]
    jnt_actuatorid: _Array[np.int32]
    jnt_group: _Array[np.int32]
    jnt_plasticadr: _Array[np.int32]
    jnt_limited: _Array[np.bool_]
    jnt_actfrclimited: _Array[np.bool_]
    jnt_actgravcomp: _Array[np.bool_]
    jnt_solref: _Array[np.float64]
    jnt_solimp: _Array[np.float64]
    jnt_pos: _Array[np.float64]
    jnt_axis: _Array[np.float64]
    jnt_stiffness: _Array[np.float64]
    jnt_stiffnesspoly: _Array[np.float64]
    jnt_springyield: _Array[np.float64]
    jnt_range: _Array[np.float64]
    jnt_actfrcrange: _Array[np.float64]
    jnt_margin: _Array[np.float64]
    jnt_user: _Array[np.float64]
    dof_bodyid: _Array[np.int32]
    dof_jntid: _Array[np.int32]
    dof_parentid: _Array[np.int32]
    dof_treeid: _Array[np.int32]
    dof_Madr: _Array[np.int32]
    dof_simplenum: _Array[np.int32]
    dof_solref: _Array[np.float64]
    dof_solimp: _Array[np.float64]
    dof_frictionloss: _Array[np.float64]
    dof_armature: _Array[np.float64]
    dof_damping: _Array[np.float64]
    dof_dampingpoly: _Array[np.float64]
    dof_invweight0: _Array[np.float64]
    dof_M0: _Array[np.float64]
    dof_length: _Array[np.float64]
    tree_bodyadr: _Array[np.int32]
    tree_bodynum: _Array[np.int32]
    tree_dofadr: _Array[np.int32]
    tree_dofnum: _Array[np.int32]
    tree_sleep_policy: _Array[np.int32]
    geom_type: _Array[np.int32]
    geom_contype: _Array[np.int32]
    geom_conaffinity: _Array[np.int32]
    geom_condim: _Array[np.int32]
    geom_bodyid: _Array[np.int32]
    geom_dataid: _Array[np.int32]
    geom_matid: _Array[np.int32]
    geom_group: _Array[np.int32]
    geom_priority: _Array[np.int32]
    geom_plugin: _Array[np.int32]
    geom_sameframe: _Array[np.uint8]
    geom_castshadow: _Array[np.bool_]
    geom_solmix: _Array[np.float64]
    geom_solref: _Array[np.float64]
    geom_solimp: _Array[np.float64]
    geom_size: _Array[np.float64]
    geom_aabb: _Array[np.float64]
    geom_rbound: _Array[np.float64]
    geom_pos: _Array[np.float64]
    geom_quat: _Array[np.float64]
    geom_friction: _Array[np.float64]
    geom_margin: _Array[np.float64]
    geom_gap: _Array[np.float64]
    geom_surfacevel: _Array[np.float64]
    geom_adhesion: _Array[np.float64]
    geom_fluid: _Array[np.float64]
    geom_user: _Array[np.float64]
    geom_rgba: _Array[np.float32]
    site_type: _Array[np.int32]
    site_bodyid: _Array[np.int32]
    site_dataid: _Array[np.int32]
    site_matid: _Array[np.int32]
    site_group: _Array[np.int32]
    site_sameframe: _Array[np.uint8]
    site_size: _Array[np.float64]
    site_pos: _Array[np.float64]
    site_quat: _Array[np.float64]
    site_user: _Array[np.float64]
    site_rgba: _Array[np.float32]
    cam_mode: _Array[np.int32]
    cam_bodyid: _Array[np.int32]
    cam_targetbodyid: _Array[np.int32]
    cam_pos: _Array[np.float64]
    cam_quat: _Array[np.float64]
    cam_poscom0: _Array[np.float64]
    cam_pos0: _Array[np.float64]
    cam_mat0: _Array[np.float64]
    cam_projection: _Array[np.int32]
    cam_fovy: _Array[np.float64]
    cam_ipd: _Array[np.float64]
    cam_resolution: _Array[np.int32]
    cam_output: _Array[np.int32]
    cam_sensorsize: _Array[np.float32]
    cam_intrinsic: _Array[np.float32]
    cam_user: _Array[np.float64]
    light_mode: _Array[np.int32]
    light_bodyid: _Array[np.int32]
    light_targetbodyid: _Array[np.int32]
    light_type: _Array[np.int32]
    light_texid: _Array[np.int32]
    light_castshadow: _Array[np.bool_]
    light_bulbradius: _Array[np.float32]
    light_intensity: _Array[np.float32]
    light_range: _Array[np.float32]
    light_active: _Array[np.bool_]
    light_pos: _Array[np.float64]
    light_dir: _Array[np.float64]
    light_poscom0: _Array[np.float64]
    light_pos0: _Array[np.float64]
    light_dir0: _Array[np.float64]
    light_attenuation: _Array[np.float32]
    light_cutoff: _Array[np.float32]
    light_softness: _Array[np.float32]
    light_exponent: _Array[np.float32]
    light_ambient: _Array[np.float32]
    light_diffuse: _Array[np.float32]
    light_specular: _Array[np.float32]
    flex_contype: _Array[np.int32]
    flex_conaffinity: _Array[np.int32]
    flex_condim: _Array[np.int32]
    flex_priority: _Array[np.int32]
    flex_solmix: _Array[np.float64]
    flex_solref: _Array[np.float64]
    flex_solimp: _Array[np.float64]
    flex_friction: _Array[np.float64]
    flex_margin: _Array[np.float64]
    flex_gap: _Array[np.float64]
    flex_selfcollide: _Array[np.int32]
    flex_activelayers: _Array[np.int32]
    flex_passive: _Array[np.int32]
    flex_dim: _Array[np.int32]
    flex_matid: _Array[np.int32]
    flex_group: _Array[np.int32]
    flex_interp: _Array[np.int32]
    flex_cellnum: _Array[np.int32]
    flex_nodeadr: _Array[np.int32]
    flex_nodenum: _Array[np.int32]
    flex_vertadr: _Array[np.int32]
    flex_vertnum: _Array[np.int32]
    flex_edgeadr: _Array[np.int32]
    flex_edgenum: _Array[np.int32]
    flex_elemadr: _Array[np.int32]
    flex_elemnum: _Array[np.int32]
    flex_elemdataadr: _Array[np.int32]
    flex_stiffnessadr: _Array[np.int32]
    flex_elemedgeadr: _Array[np.int32]
    flex_bendingadr: _Array[np.int32]
    flex_plasticadr: _Array[np.int32]
    flex_plasticmode: _Array[np.int32]
    flex_shellnum: _Array[np.int32]
    flex_shelldataadr: _Array[np.int32]
    flex_texcoordadr: _Array[np.int32]
    flex_nodebodyid: _Array[np.int32]
    flex_vertbodyid: _Array[np.int32]
    flex_vertcell: _Array[np.int32]
    flex_edge: _Array[np.int32]
    flex_edgeflap: _Array[np.int32]
    flex_elem: _Array[np.int32]
    flex_elemtexcoord: _Array[np.int32]
    flex_elemedge: _Array[np.int32]
    flex_elemlayer: _Array[np.int32]
    flex_shell: _Array[np.int32]
    flex_vert: _Array[np.float64]
    flex_vert0: _Array[np.float64]
    flex_node: _Array[np.float64]
    flex_node0: _Array[np.float64]
    flexedge_length0: _Array[np.float64]
    flexedge_invweight0: _Array[np.float64]
    flex_radius: _Array[np.float64]
    flex_size: _Array[np.float64]
    flex_stiffness: _Array[np.float64]
    flex_bending: _Array[np.float64]
    efm0_dofid: _Array[np.int32]
    efm0_L_rownnz: _Array[np.int32]
    efm0_L_rowadr: _Array[np.int32]
    efm0_L_colind: _Array[np.int32]
    efm0_L: _Array[np.float64]
    efmC_perm: _Array[np.int32]
    flex_damping: _Array[np.float64]
    flex_yield: _Array[np.float64]
    flex_edgestiffness: _Array[np.float64]
    flex_edgedamping: _Array[np.float64]
    flex_edgeequality: _Array[np.int32]
    flex_rigid: _Array[np.bool_]
    flexedge_rigid: _Array[np.bool_]
    flex_centered: _Array[np.bool_]
    flex_flatskin: _Array[np.bool_]
    flex_bvhadr: _Array[np.int32]
    flex_bvhnum: _Array[np.int32]
    flexedge_J_rownnz: _Array[np.int32]
    flexedge_J_rowadr: _Array[np.int32]
    flexedge_J_colind: _Array[np.int32]
    flex_rgba: _Array[np.float32]
    flex_texcoord: _Array[np.float32]
    mesh_vertadr: _Array[np.int32]
    mesh_vertnum: _Array[np.int32]
    mesh_faceadr: _Array[np.int32]
    mesh_facenum: _Array[np.int32]
    mesh_bvhadr: _Array[np.int32]
    mesh_bvhnum: _Array[np.int32]
    mesh_octadr: _Array[np.int32]
    mesh_octnum: _Array[np.int32]
    mesh_normaladr: _Array[np.int32]
    mesh_normalnum: _Array[np.int32]
    mesh_texcoordadr: _Array[np.int32]
    mesh_texcoordnum: _Array[np.int32]
    mesh_graphadr: _Array[np.int32]
    mesh_extrema: _Array[np.int32]
    mesh_vert: _Array[np.float32]
    mesh_normal: _Array[np.float32]
    mesh_texcoord: _Array[np.float32]
    mesh_face: _Array[np.int32]
    mesh_facenormal: _Array[np.int32]
    mesh_facetexcoord: _Array[np.int32]
    mesh_graph: _Array[np.int32]
    mesh_scale: _Array[np.float64]
    mesh_pos: _Array[np.float64]
    mesh_quat: _Array[np.float64]
    mesh_pathadr: _Array[np.int32]
    mesh_polynum: _Array[np.int32]
    mesh_polyadr: _Array[np.int32]
    mesh_polynormal: _Array[np.float64]
    mesh_polyvertadr: _Array[np.int32]
    mesh_polyvertnum: _Array[np.int32]
    mesh_polyvert: _Array[np.int32]
    mesh_polymapadr: _Array[np.int32]
    mesh_polymapnum: _Array[np.int32]
    mesh_polymap: _Array[np.int32]
    skin_matid: _Array[np.int32]
    skin_group: _Array[np.int32]
    skin_rgba: _Array[np.float32]
    skin_inflate: _Array[np.float32]
    skin_vertadr: _Array[np.int32]
    skin_vertnum: _Array[np.int32]
    skin_texcoordadr: _Array[np.int32]
    skin_faceadr: _Array[np.int32]
    skin_facenum: _Array[np.int32]
    skin_boneadr: _Array[np.int32]
    skin_bonenum: _Array[np.int32]
    skin_vert: _Array[np.float32]
    skin_texcoord: _Array[np.float32]
    skin_face: _Array[np.int32]
    skin_bonevertadr: _Array[np.int32]
    skin_bonevertnum: _Array[np.int32]
    skin_bonebindpos: _Array[np.float32]
    skin_bonebindquat: _Array[np.float32]
    skin_bonebodyid: _Array[np.int32]
    skin_bonevertid: _Array[np.int32]
    skin_bonevertweight: _Array[np.float32]
    skin_pathadr: _Array[np.int32]
    hfield_size: _Array[np.float64]
    hfield_nrow: _Array[np.int32]
    hfield_ncol: _Array[np.int32]
    hfield_adr: _Array[np.int32]
    hfield_data: _Array[np.float32]
    hfield_pathadr: _Array[np.int32]
    tex_type: _Array[np.int32]
    tex_colorspace: _Array[np.int32]
    tex_height: _Array[np.int32]
    tex_width: _Array[np.int32]
    tex_nchannel: _Array[np.int32]
    tex_adr: _Array[np.int64]
    tex_data: _Array[np.uint8]
    tex_pathadr: _Array[np.int32]
    tex_contenttypeadr: _Array[np.int32]
    mat_texid: _Array[np.int32]
    mat_texuniform: _Array[np.bool_]
    mat_texrepeat: _Array[np.float32]
    mat_emission: _Array[np.float32]
    mat_specular: _Array[np.float32]
    mat_shininess: _Array[np.float32]
    mat_reflectance: _Array[np.float32]
    mat_metallic: _Array[np.float32]
    mat_roughness: _Array[np.float32]
    mat_rgba: _Array[np.float32]
    pair_dim: _Array[np.int32]
    pair_geom1: _Array[np.int32]
    pair_geom2: _Array[np.int32]
    pair_signature: _Array[np.int32]
    pair_solref: _Array[np.float64]
    pair_solreffriction: _Array[np.float64]
    pair_solimp: _Array[np.float64]
    pair_margin: _Array[np.float64]
    pair_gap: _Array[np.float64]
    pair_adhesion: _Array[np.float64]
    pair_friction: _Array[np.float64]
    exclude_signature: _Array[np.int32]
    eq_type: _Array[np.int32]
    eq_obj1id: _Array[np.int32]
    eq_obj2id: _Array[np.int32]
    eq_objtype: _Array[np.int32]
    eq_active0: _Array[np.bool_]
    eq_solref: _Array[np.float64]
    eq_solimp: _Array[np.float64]
    eq_data: _Array[np.float64]
    tendon_type: _Array[np.int32]
    tendon_adr: _Array[np.int32]
    tendon_num: _Array[np.int32]
    tendon_matid: _Array[np.int32]
    tendon_actuatorid: _Array[np.int32]
    tendon_group: _Array[np.int32]
    tendon_plasticadr: _Array[np.int32]
    tendon_treenum: _Array[np.int32]
    tendon_treeid: _Array[np.int32]
    ten_J_rownnz: _Array[np.int32]
    ten_J_rowadr: _Array[np.int32]
    ten_J_colind: _Array[np.int32]
    tendon_limited: _Array[np.bool_]
    tendon_actfrclimited: _Array[np.bool_]
    tendon_width: _Array[np.float64]
    tendon_solref_lim: _Array[np.float64]
    tendon_solimp_lim: _Array[np.float64]
    tendon_solref_fri: _Array[np.float64]
    tendon_solimp_fri: _Array[np.float64]
    tendon_range: _Array[np.float64]
    tendon_actfrcrange: _Array[np.float64]
    tendon_margin: _Array[np.float64]
    tendon_stiffness: _Array[np.float64]
    tendon_stiffnesspoly: _Array[np.float64]
    tendon_damping: _Array[np.float64]
    tendon_dampingpoly: _Array[np.float64]
    tendon_armature: _Array[np.float64]
    tendon_frictionloss: _Array[np.float64]
    tendon_lengthspring: _Array[np.float64]
    tendon_springyield: _Array[np.float64]
    tendon_length0: _Array[np.float64]
    tendon_invweight0: _Array[np.float64]
    tendon_user: _Array[np.float64]
    tendon_rgba: _Array[np.float32]
    wrap_type: _Array[np.int32]
    wrap_objid: _Array[np.int32]
    wrap_prm: _Array[np.float64]
    actuator_trntype: _Array[np.int32]
    actuator_dyntype: _Array[np.int32]
    actuator_gaintype: _Array[np.int32]
    actuator_biastype: _Array[np.int32]
    actuator_ctrladr: _Array[np.int32]
    actuator_ctrlnum: _Array[np.int32]
    actuator_ctrlspec: _Array[np.int32]
    actuator_outadr: _Array[np.int32]
    actuator_outnum: _Array[np.int32]
    actuator_actadr: _Array[np.int32]
    actuator_actnum: _Array[np.int32]
    actuator_trnid: _Array[np.int32]
    actuator_cranklength: _Array[np.float64]
    actuator_dynprm: _Array[np.float64]
    actuator_gainprm: _Array[np.float64]
    actuator_biasprm: _Array[np.float64]
    actuator_actlimited: _Array[np.bool_]
    actuator_actrange: _Array[np.float64]
    actuator_actearly: _Array[np.bool_]
    actuator_history: _Array[np.int32]
    actuator_historyadr: _Array[np.int32]
    actuator_delay: _Array[np.float64]
    actuator_damping: _Array[np.float64]
    actuator_dampingpoly: _Array[np.float64]
    actuator_armature: _Array[np.float64]
    actuator_group: _Array[np.int32]
    actuator_user: _Array[np.float64]
    actuator_plugin: _Array[np.int32]
    actuator_forcelimited: _Array[np.bool_]
    actuator_forcerange: _Array[np.float64]
    actuator_ctrllimited: _Array[np.bool_]
    actuator_ctrlrange: _Array[np.float64]
    actuator_gear: _Array[np.float64]
    actuator_acc0: _Array[np.float64]
    actuator_length0: _Array[np.float64]
    actuator_lengthrange: _Array[np.float64]
    sensor_type: _Array[np.int32]
    sensor_datatype: _Array[np.int32]
    sensor_needstage: _Array[np.int32]
    sensor_objtype: _Array[np.int32]
    sensor_objid: _Array[np.int32]
    sensor_reftype: _Array[np.int32]
    sensor_refid: _Array[np.int32]
    sensor_intprm: _Array[np.int32]
    sensor_dim: _Array[np.int32]
    sensor_adr: _Array[np.int32]
    sensor_cutoff: _Array[np.float64]
    sensor_noise: _Array[np.float64]
    sensor_history: _Array[np.int32]
    sensor_historyadr: _Array[np.int32]
    sensor_delay: _Array[np.float64]
    sensor_interval: _Array[np.float64]
    sensor_user: _Array[np.float64]
    sensor_plugin: _Array[np.int32]
    plugin: _Array[np.int32]
    plugin_stateadr: _Array[np.int32]
    plugin_statenum: _Array[np.int32]
    @property
    def plugin_attr(self) -> bytes: ...
    plugin_attradr: _Array[np.int32]
    numeric_adr: _Array[np.int32]
    numeric_size: _Array[np.int32]
    numeric_data: _Array[np.float64]
    text_adr: _Array[np.int32]
    text_size: _Array[np.int32]
    @property
    def text_data(self) -> bytes: ...
    tuple_adr: _Array[np.int32]
    tuple_size: _Array[np.int32]
    tuple_objtype: _Array[np.int32]
    tuple_objid: _Array[np.int32]
    tuple_objprm: _Array[np.float64]
    key_time: _Array[np.float64]
    key_qpos: _Array[np.float64]
    key_qvel: _Array[np.float64]
    key_act: _Array[np.float64]
    key_mpos: _Array[np.float64]
    key_mquat: _Array[np.float64]
    key_ctrl: _Array[np.float64]
    key_plastic: _Array[np.float64]
    name_bodyadr: _Array[np.int32]
    name_jntadr: _Array[np.int32]
    name_geomadr: _Array[np.int32]
    name_siteadr: _Array[np.int32]
    name_camadr: _Array[np.int32]
    name_lightadr: _Array[np.int32]
    name_flexadr: _Array[np.int32]
    name_meshadr: _Array[np.int32]
    name_skinadr: _Array[np.int32]
    name_hfieldadr: _Array[np.int32]
    name_texadr: _Array[np.int32]
    name_matadr: _Array[np.int32]
    name_pairadr: _Array[np.int32]
    name_excludeadr: _Array[np.int32]
    name_eqadr: _Array[np.int32]
    name_tendonadr: _Array[np.int32]
    name_actuatoradr: _Array[np.int32]
    name_sensoradr: _Array[np.int32]
    name_numericadr: _Array[np.int32]
    name_textadr: _Array[np.int32]
    name_tupleadr: _Array[np.int32]
    name_keyadr: _Array[np.int32]
    name_pluginadr: _Array[np.int32]
    @property
    def names(self) -> bytes: ...
    names_map: _Array[np.int32]
    @property
    def paths(self) -> bytes: ...
    B_rownnz: _Array[np.int32]
    B_rowadr: _Array[np.int32]
    B_colind: _Array[np.int32]
    M_rownnz: _Array[np.int32]
    M_rowadr: _Array[np.int32]
    M_colind: _Array[np.int32]
    mapM2M: _Array[np.int32]
    D_rownnz: _Array[np.int32]
    D_rowadr: _Array[np.int32]
    D_diag: _Array[np.int32]
    D_colind: _Array[np.int32]
    mapM2D: _Array[np.int32]
    mapD2M: _Array[np.int32]
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nu(self) -> int: ...
    @property
    def nactuator(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def na(self) -> int: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nbvh(self) -> int: ...
    @property
    def nbvhstatic(self) -> int: ...
    @property
    def nbvhdynamic(self) -> int: ...
    @property
    def noct(self) -> int: ...
    @property
    def njnt(self) -> int: ...
    @property
    def ntree(self) -> int: ...
    @property
    def nM(self) -> int: ...
    @property
    def nB(self) -> int: ...
    @property
    def nC(self) -> int: ...
    @property
    def nD(self) -> int: ...
    @property
    def ngeom(self) -> int: ...
    @property
    def nsite(self) -> int: ...
    @property
    def ncam(self) -> int: ...
    @property
    def nlight(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    @property
    def nflexnode(self) -> int: ...
    @property
    def nflexvert(self) -> int: ...
    @property
    def nflexedge(self) -> int: ...
    @property
    def nflexelem(self) -> int: ...
    @property
    def nflexelemdata(self) -> int: ...
    @property
    def nflexstiffness(self) -> int: ...
    @property
    def nflexbending(self) -> int: ...
    @property
    def nefm0dof(self) -> int: ...
    @property
    def nefm0L(self) -> int: ...
    @property
    def nefmCvert(self) -> int: ...
    @property
    def nflexelemedge(self) -> int: ...
    @property
    def nflexshelldata(self) -> int: ...
    @property
    def nflextexcoord(self) -> int: ...
    @property
    def nJfe(self) -> int: ...
    @property
    def nmesh(self) -> int: ...
    @property
    def nmeshvert(self) -> int: ...
    @property
    def nmeshnormal(self) -> int: ...
    @property
    def nmeshtexcoord(self) -> int: ...
    @property
    def nmeshface(self) -> int: ...
    @property
    def nmeshgraph(self) -> int: ...
    @property
    def nmeshpoly(self) -> int: ...
    @property
    def nmeshpolyvert(self) -> int: ...
    @property
    def nmeshpolymap(self) -> int: ...
    @property
    def nskin(self) -> int: ...
    @property
    def nskinvert(self) -> int: ...
    @property
    def nskintexvert(self) -> int: ...
    @property
    def nskinface(self) -> int: ...
    @property
    def nskinbone(self) -> int: ...
    @property
    def nskinbonevert(self) -> int: ...
    @property
    def nhfield(self) -> int: ...
    @property
    def nhfielddata(self) -> int: ...
    @property
    def ntex(self) -> int: ...
    @property
    def ntexdata(self) -> int: ...
    @property
    def nmat(self) -> int: ...
    @property
    def npair(self) -> int: ...
    @property
    def nexclude(self) -> int: ...
    @property
    def neq(self) -> int: ...
    @property
    def ntendon(self) -> int: ...
    @property
    def nJten(self) -> int: ...
    @property
    def nwrap(self) -> int: ...
    @property
    def nsensor(self) -> int: ...
    @property
    def nnumeric(self) -> int: ...
    @property
    def nnumericdata(self) -> int: ...
    @property
    def ntext(self) -> int: ...
    @property
    def ntextdata(self) -> int: ...
    @property
    def ntuple(self) -> int: ...
    @property
    def ntupledata(self) -> int: ...
    @property
    def nkey(self) -> int: ...
    @property
    def nmocap(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def npluginattr(self) -> int: ...
    @property
    def nuser_body(self) -> int: ...
    @property
    def nuser_jnt(self) -> int: ...
    @property
    def nuser_geom(self) -> int: ...
    @property
    def nuser_site(self) -> int: ...
    @property
    def nuser_cam(self) -> int: ...
    @property
    def nuser_tendon(self) -> int: ...
    @property
    def nuser_actuator(self) -> int: ...
    @property
    def nuser_sensor(self) -> int: ...
    @property
    def nnames(self) -> int: ...
    @property
    def npaths(self) -> int: ...
    @property
    def nplastic(self) -> int: ...
    @property
    def nnames_map(self) -> int: ...
    @property
    def nJmom(self) -> int: ...
    @property
    def ngravcomp(self) -> int: ...
    @property
    def nemax(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def npolygonmax(self) -> int: ...
    @property
    def nmeshdegmax(self) -> int: ...
    @property
    def nuserdata(self) -> int: ...
    @property
    def nsensordata(self) -> int: ...
    @property
    def npluginstate(self) -> int: ...
    @property
    def nhistory(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    flg_gravcomp: bool
    flg_surfacevel: bool
    flg_adhesion: bool
    @property
    def opt(self) -> _Opt: ...
    @property
    def stat(self) -> _Stat: ...
    @property
    def vis(self) -> _Vis: ...

class _DataBody:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xfrc_applied: _Array[np.float64]
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]
    xmat: _Array[np.float64]
    xipos: _Array[np.float64]
    xiquat: _Array[np.float64]
    ximat: _Array[np.float64]
    subtree_com: _Array[np.float64]
    cinert: _Array[np.float64]
    crb: _Array[np.float64]
    awake: _Array[np.int32]
    cvel: _Array[np.float64]
    subtree_linvel: _Array[np.float64]
    subtree_angmom: _Array[np.float64]
    cacc: _Array[np.float64]
    cfrc_int: _Array[np.float64]
    cfrc_ext: _Array[np.float64]

class _DataJoint:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    qacc_warmstart: _Array[np.float64]
    qfrc_applied: _Array[np.float64]
    qacc: _Array[np.float64]
    xanchor: _Array[np.float64]
    xaxis: _Array[np.float64]
    cdof: _Array[np.float64]
    qLDiagInv: _Array[np.float64]
    cdof_dot: _Array[np.float64]
    qfrc_bias: _Array[np.float64]
    qfrc_spring: _Array[np.float64]
    qfrc_damper: _Array[np.float64]
    qfrc_gravcomp: _Array[np.float64]
    qfrc_fluid: _Array[np.float64]
    qfrc_adhesion: _Array[np.float64]
    qfrc_passive: _Array[np.float64]
    qHDiagInv: _Array[np.float64]
    qfrc_actuator: _Array[np.float64]
    qfrc_smooth: _Array[np.float64]
    qacc_smooth: _Array[np.float64]
    qfrc_constraint: _Array[np.float64]
    qfrc_inverse: _Array[np.float64]

class _DataGeom:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]
    xmat: _Array[np.float64]

class _DataSite:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]
    xmat: _Array[np.float64]

class _DataCamera:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: _Array[np.float64]
    xmat: _Array[np.float64]

class _DataLight:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: _Array[np.float64]
    xdir: _Array[np.float64]

class _DataFlex:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    hessian_valid: _Array[np.bool_]

class _DataEquality:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active: _Array[np.bool_]

class _DataTendon:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    wrapadr: _Array[np.int32]
    wrapnum: _Array[np.int32]
    length: _Array[np.float64]
    velocity: _Array[np.float64]

class _DataActuator:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    act: _Array[np.float64]
    ctrl: _Array[np.float64]
    act_dot: _Array[np.float64]
    length: _Array[np.float64]
    moment_rownnz: _Array[np.int32]
    moment_rowadr: _Array[np.int32]
    velocity: _Array[np.float64]
    force: _Array[np.float64]

class _DataSensor:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    data: _Array[np.float64]

class Data:
    def __init__(self, model: Model) -> None: ...
    timing: bool
    @property
    def model(self) -> Model: ...
    def set_noise(self, seed: int, world: int = 0) -> None: ...
    def clear_noise(self) -> None: ...
    def to_text(self) -> str: ...
    def copy(self) -> Data: ...
    def __copy__(self) -> Data: ...
    def __deepcopy__(self, memo: Any) -> Data: ...
    def body(self, key: str | SupportsIndex, /) -> _DataBody: ...
    def jnt(self, key: str | SupportsIndex, /) -> _DataJoint: ...
    def joint(self, key: str | SupportsIndex, /) -> _DataJoint: ...
    def geom(self, key: str | SupportsIndex, /) -> _DataGeom: ...
    def site(self, key: str | SupportsIndex, /) -> _DataSite: ...
    def cam(self, key: str | SupportsIndex, /) -> _DataCamera: ...
    def camera(self, key: str | SupportsIndex, /) -> _DataCamera: ...
    def light(self, key: str | SupportsIndex, /) -> _DataLight: ...
    def flex(self, key: str | SupportsIndex, /) -> _DataFlex: ...
    def eq(self, key: str | SupportsIndex, /) -> _DataEquality: ...
    def equality(self, key: str | SupportsIndex, /) -> _DataEquality: ...
    def ten(self, key: str | SupportsIndex, /) -> _DataTendon: ...
    def tendon(self, key: str | SupportsIndex, /) -> _DataTendon: ...
    def actuator(self, key: str | SupportsIndex, /) -> _DataActuator: ...
    def sensor(self, key: str | SupportsIndex, /) -> _DataSensor: ...
    @property
    def contact(self) -> _ContactArray: ...
    @property
    def warning(self) -> _WarningArray: ...
    @property
    def timer(self) -> _TimerArray: ...
    @property
    def solver(self) -> _SolverArray: ...
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    act: _Array[np.float64]
    history: _Array[np.float64]
    plastic: _Array[np.float64]
    qacc_warmstart: _Array[np.float64]
    plugin_state: _Array[np.float64]
    ctrl: _Array[np.float64]
    qfrc_applied: _Array[np.float64]
    xfrc_applied: _Array[np.float64]
    eq_active: _Array[np.bool_]
    mocap_pos: _Array[np.float64]
    mocap_quat: _Array[np.float64]
    qacc: _Array[np.float64]
    act_dot: _Array[np.float64]
    userdata: _Array[np.float64]
    sensordata: _Array[np.float64]
    tree_asleep: _Array[np.int32]
    plugin: _Array[np.int32]
    plugin_data: _Array[np.uintp]
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]
    xmat: _Array[np.float64]
    xipos: _Array[np.float64]
    xiquat: _Array[np.float64]
    ximat: _Array[np.float64]
    xanchor: _Array[np.float64]
    xaxis: _Array[np.float64]
    geom_xpos: _Array[np.float64]
    geom_xquat: _Array[np.float64]
    geom_xmat: _Array[np.float64]
    site_xpos: _Array[np.float64]
    site_xquat: _Array[np.float64]
    site_xmat: _Array[np.float64]
    cam_xpos: _Array[np.float64]
    cam_xmat: _Array[np.float64]
    light_xpos: _Array[np.float64]
    light_xdir: _Array[np.float64]
    subtree_com: _Array[np.float64]
    cdof: _Array[np.float64]
    cinert: _Array[np.float64]
    flexvert_xpos: _Array[np.float64]
    flexelem_aabb: _Array[np.float64]
    flexelem_krot: _Array[np.float64]
    flex_hessian_valid: _Array[np.bool_]
    flexvert_hessian: _Array[np.float64]
    flexedge_hessian: _Array[np.float64]
    flexedge_J: _Array[np.float64]
    flexedge_length: _Array[np.float64]
    bvh_aabb_dyn: _Array[np.float64]
    flexvert_lambda: _Array[np.float64]
    flexvert_conage: _Array[np.int32]
    ten_wrapadr: _Array[np.int32]
    ten_wrapnum: _Array[np.int32]
    ten_J: _Array[np.float64]
    ten_length: _Array[np.float64]
    wrap_obj: _Array[np.int32]
    wrap_xpos: _Array[np.float64]
    actuator_length: _Array[np.float64]
    moment_rownnz: _Array[np.int32]
    moment_rowadr: _Array[np.int32]
    moment_colind: _Array[np.int32]
    actuator_moment: _Array[np.float64]
    crb: _Array[np.float64]
    M: _Array[np.float64]
    qLD: _Array[np.float64]
    qLDiagInv: _Array[np.float64]
    tree_awake: _Array[np.int32]
    body_awake: _Array[np.int32]
    body_awake_ind: _Array[np.int32]
    parent_awake_ind: _Array[np.int32]
    dof_awake_ind: _Array[np.int32]
    flexedge_velocity: _Array[np.float64]
    ten_velocity: _Array[np.float64]
    actuator_velocity: _Array[np.float64]
    cvel: _Array[np.float64]
    cdof_dot: _Array[np.float64]
    qfrc_bias: _Array[np.float64]
    qfrc_spring: _Array[np.float64]
    qfrc_damper: _Array[np.float64]
    qfrc_gravcomp: _Array[np.float64]
    qfrc_fluid: _Array[np.float64]
    qfrc_adhesion: _Array[np.float64]
    qfrc_passive: _Array[np.float64]
    subtree_linvel: _Array[np.float64]
    subtree_angmom: _Array[np.float64]
    qH: _Array[np.float64]
    qHDiagInv: _Array[np.float64]
    qDeriv: _Array[np.float64]
    qLU: _Array[np.float64]
    actuator_force: _Array[np.float64]
    qfrc_actuator: _Array[np.float64]
    qfrc_smooth: _Array[np.float64]
    qacc_smooth: _Array[np.float64]
    qfrc_constraint: _Array[np.float64]
    qfrc_inverse: _Array[np.float64]
    cacc: _Array[np.float64]
    cfrc_int: _Array[np.float64]
    cfrc_ext: _Array[np.float64]
    efc_type: _Array[np.int32]
    efc_id: _Array[np.int32]
    efc_J_rownnz: _Array[np.int32]
    efc_J_rowadr: _Array[np.int32]
    efc_J_rowsuper: _Array[np.int32]
    efc_J_colind: _Array[np.int32]
    efc_J: _Array[np.float64]
    efc_pos: _Array[np.float64]
    efc_margin: _Array[np.float64]
    efc_frictionloss: _Array[np.float64]
    efc_diagA: _Array[np.float64]
    efc_KBIP: _Array[np.float64]
    efc_D: _Array[np.float64]
    efc_R: _Array[np.float64]
    tendon_efcadr: _Array[np.int32]
    efc_vel: _Array[np.float64]
    efc_aref: _Array[np.float64]
    efc_b: _Array[np.float64]
    efc_state: _Array[np.int32]
    efc_force: _Array[np.float64]
    efc_Y_rownnz: _Array[np.int32]
    efc_Y_rowadr: _Array[np.int32]
    efc_Y_colind: _Array[np.int32]
    efc_Y: _Array[np.float64]
    efc_AR_rownnz: _Array[np.int32]
    efc_AR_rowadr: _Array[np.int32]
    efc_AR_colind: _Array[np.int32]
    efc_AR: _Array[np.float64]
    tree_island: _Array[np.int32]
    island_ntree: _Array[np.int32]
    island_itreeadr: _Array[np.int32]
    map_itree2tree: _Array[np.int32]
    dof_island: _Array[np.int32]
    island_nv: _Array[np.int32]
    island_idofadr: _Array[np.int32]
    island_dofadr: _Array[np.int32]
    map_dof2idof: _Array[np.int32]
    map_idof2dof: _Array[np.int32]
    ifrc_smooth: _Array[np.float64]
    iacc_smooth: _Array[np.float64]
    iacc: _Array[np.float64]
    efc_island: _Array[np.int32]
    island_ne: _Array[np.int32]
    island_nf: _Array[np.int32]
    island_nefc: _Array[np.int32]
    island_iefcadr: _Array[np.int32]
    map_efc2iefc: _Array[np.int32]
    map_iefc2efc: _Array[np.int32]
    iefc_type: _Array[np.int32]
    iefc_id: _Array[np.int32]
    iefc_frictionloss: _Array[np.float64]
    iefc_D: _Array[np.float64]
    iefc_R: _Array[np.float64]
    iefc_aref: _Array[np.float64]
    iefc_state: _Array[np.int32]
    iefc_force: _Array[np.float64]
    ifrc_constraint: _Array[np.float64]
    efm_c: _Array[np.float64]
    efm_diag: _Array[np.float64]
    efm_ck: _Array[np.float64]
    efm_sdiag: _Array[np.float64]
    efm_fluid: _Array[np.float64]
    efm_tid: _Array[np.int32]
    efm_ts: _Array[np.float64]
    efm_tk: _Array[np.float64]
    efm_aid: _Array[np.int32]
    efm_as: _Array[np.float64]
    efm_ak: _Array[np.float64]
    efm_ca: _Array[np.float64]
    efm_K_rownnz: _Array[np.int32]
    efm_K_rowadr: _Array[np.int32]
    efm_K_colind: _Array[np.int32]
    efm_K_val: _Array[np.float64]
    efm_dofid: _Array[np.int32]
    efm_con_ind: _Array[np.int32]
    efm_con_val: _Array[np.float64]
    efm_L: _Array[np.float64]
    @property
    def ncon(self) -> int: ...
    @property
    def ne(self) -> int: ...
    @property
    def nf(self) -> int: ...
    @property
    def nl(self) -> int: ...
    @property
    def nefc(self) -> int: ...
    @property
    def nJ(self) -> int: ...
    @property
    def efm_active(self) -> int: ...
    @property
    def nefmK(self) -> int: ...
    @property
    def nefmcon(self) -> int: ...
    @property
    def nefmT(self) -> int: ...
    @property
    def nefmA(self) -> int: ...
    @property
    def nefmdof(self) -> int: ...
    @property
    def nefmL(self) -> int: ...
    @property
    def nY(self) -> int: ...
    @property
    def nA(self) -> int: ...
    @property
    def nisland(self) -> int: ...
    @property
    def nidof(self) -> int: ...
    @property
    def ntree_awake(self) -> int: ...
    @property
    def nbody_awake(self) -> int: ...
    @property
    def nparent_awake(self) -> int: ...
    @property
    def nv_awake(self) -> int: ...
    time: float
    energy: _Array[np.float64]
    flg_energypos: bool
    flg_energyvel: bool
    flg_subtreevel: bool
    flg_rnepost: bool
    solver_niter: _Array[np.int32]
    solver_nnz: _Array[np.int32]
    solver_fwdinv: _Array[np.float64]

class Element:
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    @property
    def spec(self) -> Spec: ...
    @property
    def tag(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def parent(self) -> Element | None: ...
    @property
    def children(self) -> list[Element]: ...
    def attributes(self) -> dict[str, Any]: ...
    def add(self, tag: str, **attributes: Any) -> Element: ...
    def add_xml(self, text: str) -> Element | None: ...
    def attach(self, other: Spec | Element, prefix: str = "", suffix: str = "") -> Element | None: ...
    def remove(self) -> None: ...

class Default:
    name: str
    def add(self, name: str) -> Default: ...
    def __getattr__(self, tag: str) -> Any: ...

class Spec:
    modelname: str
    def __init__(self) -> None: ...
    @classmethod
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None) -> Spec: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None) -> Spec: ...
    @classmethod
    def from_model(cls, model: Model) -> Spec: ...
    @property
    def assets(self) -> dict[str, bytes]: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    @property
    def world(self) -> Element: ...
    def add(self, tag: str, **attributes: Any) -> Element: ...
    def add_xml(self, text: str) -> Element | None: ...
    def find(self, type: int, name: str) -> Element | None: ...
    def default(self, name: str = "main") -> Default: ...
    def attach(self, other: Spec | Element, prefix: str = "", suffix: str = "",
               to: Element | None = None) -> Element | None: ...
    def copy(self) -> Spec: ...
    def __copy__(self) -> Spec: ...
    def __deepcopy__(self, memo: Any) -> Spec: ...
    def fuse_static(self) -> int: ...
    def discard_visual(self) -> int: ...
    def to_xml(self, folder: str | PathLike[str] | None = None) -> str: ...
    def save(self, path: str | PathLike[str], assets: bool = False) -> None: ...
    def compile(self) -> Model: ...
    def recompile(self, model: Model, data: Data) -> tuple[Model, Data]: ...
    def body(self, name: str) -> Element: ...
    def frame(self, name: str) -> Element: ...
    def joint(self, name: str) -> Element: ...
    def geom(self, name: str) -> Element: ...
    def site(self, name: str) -> Element: ...
    def camera(self, name: str) -> Element: ...
    def light(self, name: str) -> Element: ...
    def mesh(self, name: str) -> Element: ...
    def hfield(self, name: str) -> Element: ...
    def texture(self, name: str) -> Element: ...
    def material(self, name: str) -> Element: ...
    def pair(self, name: str) -> Element: ...
    def exclude(self, name: str) -> Element: ...
    def equality(self, name: str) -> Element: ...
    def tendon(self, name: str) -> Element: ...
    def actuator(self, name: str) -> Element: ...
    def sensor(self, name: str) -> Element: ...
    def numeric(self, name: str) -> Element: ...
    def text(self, name: str) -> Element: ...
    def tuple(self, name: str) -> Element: ...
    def key(self, name: str) -> Element: ...
    @property
    def bodies(self) -> list[Element]: ...
    @property
    def frames(self) -> list[Element]: ...
    @property
    def joints(self) -> list[Element]: ...
    @property
    def geoms(self) -> list[Element]: ...
    @property
    def sites(self) -> list[Element]: ...
    @property
    def cameras(self) -> list[Element]: ...
    @property
    def lights(self) -> list[Element]: ...
    @property
    def meshes(self) -> list[Element]: ...
    @property
    def hfields(self) -> list[Element]: ...
    @property
    def textures(self) -> list[Element]: ...
    @property
    def materials(self) -> list[Element]: ...
    @property
    def pairs(self) -> list[Element]: ...
    @property
    def excludes(self) -> list[Element]: ...
    @property
    def equalities(self) -> list[Element]: ...
    @property
    def tendons(self) -> list[Element]: ...
    @property
    def actuators(self) -> list[Element]: ...
    @property
    def sensors(self) -> list[Element]: ...
    @property
    def numerics(self) -> list[Element]: ...
    @property
    def texts(self) -> list[Element]: ...
    @property
    def tuples(self) -> list[Element]: ...
    @property
    def keys(self) -> list[Element]: ...
    @property
    def compiler(self) -> Any: ...
    @property
    def option(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    @property
    def statistic(self) -> Any: ...
    @property
    def visual(self) -> Any: ...

class BatchArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def device(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class BatchInfo(NamedTuple):
    backend: str
    nworld: int
    threads: int
    device: int
    real_bytes: int
    bytes_per_world: int
    bytes: int
    device_name: str

class Batch:
    def __init__(self, model: Model, nworld: SupportsIndex, backend: str = "auto", *, threads: SupportsIndex = 0,
                 device: SupportsIndex = 0, precision: str = "float", stream: int = 0, reset_bad: bool = False,
                 reset_key: str | SupportsIndex | None = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Batch: ...
    def __exit__(self, *reason: object) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def nworld(self) -> int: ...
    @property
    def info(self) -> BatchInfo: ...
    def step(self, n: SupportsIndex = 1) -> None: ...
    def forward(self) -> None: ...
    def sync(self) -> None: ...
    def rollout(self, ctrl: ArrayLike | None = None, nstep: SupportsIndex | None = None
                ) -> dict[str, NDArray[np.float64]]: ...
    def reset(self, ids: ArrayLike | slice | None = None, mask: ArrayLike | None = None,
              key: str | SupportsIndex | None = None) -> None: ...
    def output(self, *names: str) -> None: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...
    def vary(self, *names: str) -> None: ...
    def update(self) -> None: ...
    def view(self, name: str) -> Any: ...
    def get(self, name: str, ids: ArrayLike | slice | None = None) -> NDArray[np.float64]: ...
    def set(self, name: str, values: ArrayLike, ids: ArrayLike | slice | None = None) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    @property
    def status(self) -> NDArray[np.int32]: ...
    @property
    def warnings(self) -> Any: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes) -> None: ...

def apply_force(model: Model, data: Data, force: ArrayLike | None, torque: ArrayLike | None, point: ArrayLike,
                body: str | SupportsIndex, qfrc: NDArray[np.floating[Any]]) -> None: ...
def build_info() -> str: ...
def energy(model: Model, data: Data) -> tuple[float, float]: ...
def full_mass(model: Model, data: Data) -> NDArray[np.float64]: ...
def get_state(model: Model, data: Data, which: int = ...) -> NDArray[np.float64]: ...
def reset_keyframe(model: Model, data: Data, key: str | SupportsIndex) -> None: ...
def set_state(model: Model, data: Data, state: ArrayLike, which: int = ...) -> None: ...
def state_size(model: Model, which: int = ...) -> int: ...
def step(model: Model, data: Data, /, nstep: int = 1) -> None: ...
def add_mass(model: Model, data: Data, matrix: NDArray[np.floating[Any]]) -> None: ...
def angular_momentum(model: Model, data: Data, body: str | SupportsIndex) -> NDArray[np.float64]: ...
def contact_force(model: Model, data: Data, contact: int) -> NDArray[np.float64]: ...
def copy_state(model: Model, to: Data, source: Data, which: int = ...) -> None: ...
def differentiate_pos(model: Model, start: ArrayLike, end: ArrayLike, dt: float = ...) -> NDArray[np.float64]: ...
def extract_state(model: Model, state: ArrayLike, which: int, part: int) -> NDArray[np.float64]: ...
def inside_site(model: Model, data: Data, site: str | SupportsIndex, point: ArrayLike) -> bool: ...
def integrate_pos(model: Model, qpos: ArrayLike, qvel: ArrayLike, dt: float = ...) -> NDArray[np.float64]: ...
def jac_axis(model: Model, data: Data, point: ArrayLike, axis: ArrayLike, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_axis_dot(model: Model, data: Data, point: ArrayLike, axis: ArrayLike, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_body(model: Model, data: Data, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_body_com(model: Model, data: Data, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_geom(model: Model, data: Data, geom: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_object(model: Model, data: Data, type: int, id: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_object_dot(model: Model, data: Data, type: int, id: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_point(model: Model, data: Data, point: ArrayLike, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_point_dot(model: Model, data: Data, point: ArrayLike, body: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_site(model: Model, data: Data, site: str | SupportsIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def jac_subtree(model: Model, data: Data, body: str | SupportsIndex) -> NDArray[np.float64]: ...
def jac_subtree_dot(model: Model, data: Data, body: str | SupportsIndex) -> NDArray[np.float64]: ...
def kkt_residual(model: Model, data: Data) -> tuple[float, float]: ...
def load_state(model: Model, data: Data, source: bytes | str | PathLike[str]) -> None: ...
def mul_mass(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def mul_mass_half(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def normalize_pos(model: Model, qpos: ArrayLike) -> NDArray[np.float64]: ...
def object_acceleration(model: Model, data: Data, type: int, id: int, local: bool = ...) -> NDArray[np.float64]: ...
def object_velocity(model: Model, data: Data, type: int, id: int, local: bool = ...) -> NDArray[np.float64]: ...
def post_constraint(model: Model, data: Data) -> None: ...
def read_ctrl(model: Model, data: Data, actuator: str | SupportsIndex, time: float, interp: int = ...) -> NDArray[np.float64]: ...
def read_sensor(model: Model, data: Data, sensor: str | SupportsIndex, time: float, interp: int = ...) -> NDArray[np.float64]: ...
def save_state(model: Model, data: Data, path: str | PathLike[str] | None = ...) -> bytes: ...
def set_ctrl_history(model: Model, data: Data, actuator: str | SupportsIndex, times: ArrayLike | None, values: ArrayLike) -> None: ...
def set_keyframe(model: Model, data: Data, key: str | SupportsIndex) -> None: ...
def set_sensor_history(model: Model, data: Data, sensor: str | SupportsIndex, times: ArrayLike | None, values: ArrayLike, phase: float = ...) -> None: ...
def set_total_mass(model: Model, mass: float) -> None: ...
def solve_mass(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def solve_mass_half(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def subtree_velocity(model: Model, data: Data) -> None: ...
def total_mass(model: Model) -> float: ...
def forward(model: Model, data: Data, /) -> None: ...
def forward_acceleration(model: Model, data: Data, /) -> None: ...
def forward_actuation(model: Model, data: Data, /) -> None: ...
def forward_constraint(model: Model, data: Data, /) -> None: ...
def forward_position(model: Model, data: Data, /) -> None: ...
def forward_velocity(model: Model, data: Data, /) -> None: ...
def inverse(model: Model, data: Data, /) -> None: ...
def reset(model: Model, data: Data, /) -> None: ...
def step1(model: Model, data: Data, /) -> None: ...
def step2(model: Model, data: Data, /) -> None: ...
