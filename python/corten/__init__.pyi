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
_Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

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

class SimulationWarning(RuntimeWarning): ...

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

class ContactExclude(IntEnum):
    NONE = 0
    GAP = 1
    FUSED = 2
    NO_DOFS = 3
    PASSIVE = 4

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

class Part(IntEnum):
    KINEMATICS = 0
    COM = 1
    CAMERAS = 2
    TENDONS = 3
    CRB = 4
    MASS = 5
    FACTOR = 6
    COLLISION = 7
    CONSTRAINTS = 8
    TRANSMISSION = 9
    ENERGY_POSITION = 10
    TENDON_VELOCITY = 11
    ACTUATOR_VELOCITY = 12
    COM_VELOCITY = 13
    PASSIVE = 14
    REFERENCE = 15
    BIAS = 16
    ENERGY_VELOCITY = 17
    SUBTREE_VELOCITY = 18
    BODY_FORCES = 19
    SENSE_POSITION = 20
    SENSE_VELOCITY = 21
    SENSE_ACCELERATION = 22
    CHECK_POSITION = 23
    CHECK_VELOCITY = 24
    CHECK_ACCELERATION = 25
    INVERSE_POSITION = 26
    INVERSE_CONSTRAINT = 27
    COMPARE = 28
    ADVANCE_EULER = 29
    ADVANCE_RK4 = 30
    ADVANCE_IMPLICIT = 31
    FLEXES = 32
    ISLANDS = 33

class SensorType(IntEnum):
    TOUCH = 0
    ACCELEROMETER = 1
    VELOCIMETER = 2
    GYRO = 3
    FORCE = 4
    TORQUE = 5
    MAGNETOMETER = 6
    RANGEFINDER = 7
    CAMPROJECTION = 8
    JOINTPOS = 9
    JOINTVEL = 10
    TENDONPOS = 11
    TENDONVEL = 12
    ACTUATORPOS = 13
    ACTUATORVEL = 14
    ACTUATORFRC = 15
    JOINTACTFRC = 16
    TENDONACTFRC = 17
    BALLQUAT = 18
    BALLANGVEL = 19
    JOINTLIMITPOS = 20
    JOINTLIMITVEL = 21
    JOINTLIMITFRC = 22
    TENDONLIMITPOS = 23
    TENDONLIMITVEL = 24
    TENDONLIMITFRC = 25
    FRAMEPOS = 26
    FRAMEQUAT = 27
    FRAMEXAXIS = 28
    FRAMEYAXIS = 29
    FRAMEZAXIS = 30
    FRAMELINVEL = 31
    FRAMEANGVEL = 32
    FRAMELINACC = 33
    FRAMEANGACC = 34
    SUBTREECOM = 35
    SUBTREELINVEL = 36
    SUBTREEANGMOM = 37
    INSIDESITE = 38
    GEOMDIST = 39
    GEOMNORMAL = 40
    GEOMFROMTO = 41
    CONTACT = 42
    E_POTENTIAL = 43
    E_KINETIC = 44
    CLOCK = 45
    TACTILE = 46
    PLUGIN = 47
    USER = 48

class SleepState(IntEnum):
    ASLEEP = 0
    AWAKE = 1
    STATIC = -1

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
    """length of a step, s"""
    impratio: float
    """ratio of friction impedance to normal impedance in elliptic contacts; more makes friction harder"""
    tolerance: float
    """the main solver stops when the scaled gradient, or the improvement of the scaled cost in an iteration, is below"""
    ls_tolerance: float
    """slope at which a line search stops, as a part of tolerance"""
    noslip_tolerance: float
    """the noslip pass stops when an iteration improves the scaled cost by less"""
    ccd_tolerance: float
    """precision of the distance between convex shapes, m"""
    sleep_tolerance: float
    """a tree may fall asleep while dof_length times the velocity of each dof is below it, m/s"""
    gravity: _Array[np.float64]
    """acceleration of gravity in world axes, m/s^2 [3, float64]"""
    wind: _Array[np.float64]
    """velocity of the medium in world axes, m/s [3, float64]"""
    magnetic: _Array[np.float64]
    """magnetic flux in world axes, for magnetometers [3, float64]"""
    density: float
    """density of the medium, kg/m^3; 0: no lift and drag"""
    viscosity: float
    """dynamic viscosity of the medium, kg/(m s); 0: no viscous forces"""
    o_margin: float
    """margin of all contacts while the flag override is set, m"""
    o_solref: _Array[np.float64]
    """reference of all contacts while the flag override is set: time constant (s) and damping ratio, or both negative: -stiffness, -damping [2, float64]"""
    o_solimp: _Array[np.float64]
    """impedance of all contacts while the flag override is set: at 0, at width, width, midpoint, power [5, float64]"""
    o_friction: _Array[np.float64]
    """friction of all contacts while the flag override is set: sliding x 2, spinning, rolling x 2 [5, float64]"""
    integrator: int
    """integrator (ctIntegrator)"""
    cone: int
    """friction cone of contacts (ctCone)"""
    jacobian: int
    """whether the constraint Jacobian is stored dense or sparse (ctJacobian)"""
    solver: int
    """constraint solver (ctSolver)"""
    iterations: int
    """most iterations of the main solver"""
    ls_iterations: int
    """most evaluations of a line search in CG and Newton"""
    noslip_iterations: int
    """most iterations of the noslip pass; 0: no such pass"""
    ccd_iterations: int
    """most iterations of the convex collision search"""
    disableflags: int
    """what is switched off (bits of ctDisableBit)"""
    enableflags: int
    """what is switched on (bits of ctEnableBit)"""
    disableactuator: int
    """actuators of group g are off where bit g is set"""
    sdf_initpoints: int
    """starting points of the descent for each pair of shapes"""
    sdf_iterations: int
    """steps of descent from each starting point"""

class _Stat:
    meaninertia: float
    """mean diagonal element of the mass matrix in qpos0; scales the cost of the solver"""
    meanmass: float
    """mean mass of a body, kg"""
    meansize: float
    """mean size of a body, m"""
    extent: float
    """largest side of the box around the model in qpos0, m; cameras and fog go by it"""
    center: _Array[np.float64]
    """centre of that box in world axes, m [3, float64]"""

class _Global:
    cameraid: int
    """camera to begin with; -1: the free camera"""
    orthographic: int
    """the free camera is orthographic: 0 no, 1 yes"""
    fovy: float
    """vertical field of view of the free camera, degrees; orthographic: height of the view, m"""
    ipd: float
    """distance between the eyes in stereo, m"""
    azimuth: float
    """azimuth the free camera begins with, degrees"""
    elevation: float
    """elevation the free camera begins with, degrees"""
    linewidth: float
    """width of lines, pixels"""
    glow: float
    """how much a selected body glows"""
    realtime: float
    """speed a viewer begins with; 1: real time"""
    offwidth: int
    """width of pictures made off screen, pixels"""
    offheight: int
    """height of pictures made off screen, pixels"""
    ellipsoidinertia: int
    """shape that stands for an inertia: 0 box, 1 ellipsoid"""
    bvactive: int
    """mark the bounding boxes that were tested in a collision: 0 no, 1 yes"""

class _Quality:
    shadowsize: int
    """side of the shadow map, pixels"""
    offsamples: int
    """samples per pixel off screen"""
    numslices: int
    """subdivisions of a round shape around its axis"""
    numstacks: int
    """subdivisions of a round shape along its axis"""
    numquads: int
    """subdivisions of a side of a box"""

class _Headlight:
    ambient: _Array[np.float32]
    """ambient colour, red green blue [3, float32]"""
    diffuse: _Array[np.float32]
    """diffuse colour, red green blue [3, float32]"""
    specular: _Array[np.float32]
    """specular colour, red green blue [3, float32]"""
    active: int
    """0 off, 1 on, 2 left to the renderer: on"""

class _Map:
    stiffness: float
    """force with which the mouse pulls, by distance"""
    stiffnessrot: float
    """torque with which the mouse turns, by angle"""
    force: float
    """length of an arrow by force, m/N"""
    torque: float
    """length of an arrow by torque, m/(N m)"""
    alpha: float
    """factor on the opacity of geoms drawn transparent"""
    fogstart: float
    """where fog begins, in units of stat.extent"""
    fogend: float
    """where fog is complete, in units of stat.extent"""
    znear: float
    """near clipping plane, in units of stat.extent"""
    zfar: float
    """far clipping plane, in units of stat.extent"""
    haze: float
    """part of the distance to the horizon that is hazy"""
    shadowclip: float
    """reach of shadows of directional lights, in units of stat.extent"""
    shadowscale: float
    """part of a spot light's cone that throws shadows"""
    actuatortendon: float
    """width of a tendon drawn as an actuator, by its width"""

class _Scale:
    forcewidth: float
    """width of an arrow that stands for a force"""
    contactwidth: float
    """width of the disc that marks a contact"""
    contactheight: float
    """height of the disc that marks a contact"""
    connect: float
    """width of the capsules that connect bodies"""
    com: float
    """radius of the ball that marks a centre of mass"""
    camera: float
    """size of a camera"""
    light: float
    """size of a light"""
    selectpoint: float
    """radius of the ball that marks a selected point"""
    jointlength: float
    """length of the arrow that marks a joint"""
    jointwidth: float
    """width of the arrow that marks a joint"""
    actuatorlength: float
    """length of the arrow that marks an actuator"""
    actuatorwidth: float
    """width of the arrow that marks an actuator"""
    framelength: float
    """length of the axes of a frame"""
    framewidth: float
    """width of the axes of a frame"""
    constraint: float
    """width of the mark of an equality constraint"""
    slidercrank: float
    """width of the parts of a slider-crank"""
    frustum: float
    """distance of the far side of a camera's frustum"""

class _Rgba:
    fog: _Array[np.float32]
    """colour: fog [4, float32]"""
    haze: _Array[np.float32]
    """colour: haze at the horizon [4, float32]"""
    force: _Array[np.float32]
    """colour: external force [4, float32]"""
    inertia: _Array[np.float32]
    """colour: box or ellipsoid of an inertia [4, float32]"""
    joint: _Array[np.float32]
    """colour: joint [4, float32]"""
    actuator: _Array[np.float32]
    """colour: actuator in the middle of its range [4, float32]"""
    actuatornegative: _Array[np.float32]
    """colour: actuator at its lowest control [4, float32]"""
    actuatorpositive: _Array[np.float32]
    """colour: actuator at its highest control [4, float32]"""
    com: _Array[np.float32]
    """colour: centre of mass [4, float32]"""
    camera: _Array[np.float32]
    """colour: camera [4, float32]"""
    light: _Array[np.float32]
    """colour: light [4, float32]"""
    selectpoint: _Array[np.float32]
    """colour: selected point [4, float32]"""
    connect: _Array[np.float32]
    """colour: capsules that connect bodies [4, float32]"""
    contactpoint: _Array[np.float32]
    """colour: contact [4, float32]"""
    contactforce: _Array[np.float32]
    """colour: contact force [4, float32]"""
    contactfriction: _Array[np.float32]
    """colour: friction part of a contact force [4, float32]"""
    contacttorque: _Array[np.float32]
    """colour: contact torque [4, float32]"""
    contactgap: _Array[np.float32]
    """colour: contact in the gap, which exerts no force [4, float32]"""
    rangefinder: _Array[np.float32]
    """colour: ray of a rangefinder [4, float32]"""
    constraint: _Array[np.float32]
    """colour: equality constraint [4, float32]"""
    slidercrank: _Array[np.float32]
    """colour: slider-crank [4, float32]"""
    crankbroken: _Array[np.float32]
    """colour: slider-crank whose rod is too short [4, float32]"""
    frustum: _Array[np.float32]
    """colour: camera frustum [4, float32]"""
    bv: _Array[np.float32]
    """colour: bounding box [4, float32]"""
    bvactive: _Array[np.float32]
    """colour: bounding box that was tested in a collision [4, float32]"""

class _Vis:
    @property
    def global_(self) -> _Global:
        """the settings of global"""
    @property
    def quality(self) -> _Quality:
        """the settings of quality"""
    @property
    def headlight(self) -> _Headlight:
        """the settings of headlight"""
    @property
    def map(self) -> _Map:
        """the settings of map"""
    @property
    def scale(self) -> _Scale:
        """the settings of scale"""
    @property
    def rgba(self) -> _Rgba:
        """the settings of rgba"""

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
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0, plugins: _Paths | None = None) -> Model: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0, plugins: _Paths | None = None) -> Model: ...
    @classmethod
    def from_urdf(cls, path: str | PathLike[str], assets: _Assets | None = None, *, lossless: bool = True, mujoco: bool = False, floating_base: bool = False, actuators: bool = False, package_path: _Paths | None = None, balance_inertia: bool = False, bound_mass: float = 0, bound_inertia: float = 0, total_mass: float = 0) -> Model: ...
    @classmethod
    def from_bytes(cls, content: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def to_mjb(self) -> bytes: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    def save(self, path: str | PathLike[str]) -> tuple[str, ...]: ...
    def check(self) -> None: ...
    def writable(self, name: str) -> NDArray[Any]: ...
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
        control: Callable[[Model, Data], object] | None = None,
        passive: Callable[[Model, Data], object] | None = None,
        contact_filter: Callable[[Model, Data, int, int], object] | None = None,
    ) -> None: ...
    def update(self) -> None: ...
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
    """reference configuration: qpos after a reset, in the pose the model was written in [nq, float64]"""
    qpos_spring: _Array[np.float64]
    """configuration in which joint springs are at rest [nq, float64]"""
    body_parentid: _Array[np.int32]
    """parent body; 0 for the world itself [nbody, int32]"""
    body_rootid: _Array[np.int32]
    """ancestor that is a child of the world; 0 for the world [nbody, int32]"""
    body_weldid: _Array[np.int32]
    """topmost body it is fixed to without joints: itself when it has joints or is a mocap body, 0 when it never moves [nbody, int32]"""
    body_mocapid: _Array[np.int32]
    """row in mocap_pos and mocap_quat; -1: not a mocap body [nbody, int32]"""
    body_jntnum: _Array[np.int32]
    """number of joints [nbody, int32]"""
    body_jntadr: _Array[np.int32]
    """first joint; -1: none [nbody, int32]"""
    body_dofnum: _Array[np.int32]
    """number of dofs [nbody, int32]"""
    body_dofadr: _Array[np.int32]
    """first dof; -1: none [nbody, int32]"""
    body_treeid: _Array[np.int32]
    """kinematic tree; -1: static [nbody, int32]"""
    body_geomnum: _Array[np.int32]
    """number of geoms [nbody, int32]"""
    body_geomadr: _Array[np.int32]
    """first geom; -1: none [nbody, int32]"""
    body_simple: _Array[np.uint8]
    """1: its rows of the mass matrix are diagonal; 2: also all its joints slide; 0: neither [nbody, uint8]"""
    body_sameframe: _Array[np.uint8]
    """how the inertial frame and the body frame agree (ctSameFrame) [nbody, uint8]"""
    body_pos: _Array[np.float64]
    """position of the body frame in the parent's frame, m [nbody x 3, float64]"""
    body_quat: _Array[np.float64]
    """orientation of the body frame in the parent's frame, quaternion w x y z [nbody x 4, float64]"""
    body_ipos: _Array[np.float64]
    """centre of mass in the body frame, m [nbody x 3, float64]"""
    body_iquat: _Array[np.float64]
    """orientation of the principal axes of inertia in the body frame, quaternion w x y z [nbody x 4, float64]"""
    body_mass: _Array[np.float64]
    """mass, kg [nbody, float64]"""
    body_subtreemass: _Array[np.float64]
    """mass of the body and everything below it, kg [nbody, float64]"""
    body_inertia: _Array[np.float64]
    """principal moments of inertia about the centre of mass, kg m^2 [nbody x 3, float64]"""
    body_invweight0: _Array[np.float64]
    """mean inverse inertia in qpos0: translation (1/kg), rotation (1/(kg m^2)) [nbody x 2, float64]"""
    body_gravcomp: _Array[np.float64]
    """part of the body's weight that is compensated; 1: it floats [nbody, float64]"""
    body_margin: _Array[np.float64]
    """largest margin plus gap of its geoms, m [nbody, float64]"""
    body_user: _Array[np.float64]
    """the user's own numbers [nbody x nuser_body, float64]"""
    body_plugin: _Array[np.int32]
    """plugin instance; -1: none [nbody, int32]"""
    body_contype: _Array[np.int32]
    """union of geom_contype over its geoms [nbody, int32]"""
    body_conaffinity: _Array[np.int32]
    """union of geom_conaffinity over its geoms [nbody, int32]"""
    body_bvhadr: _Array[np.int32]
    """root of its tree of bounding boxes; -1: none [nbody, int32]"""
    body_bvhnum: _Array[np.int32]
    """number of bounding boxes [nbody, int32]"""
    bvh_depth: _Array[np.int32]
    """depth in the tree; 0: root [nbvh, int32]"""
    bvh_child: _Array[np.int32]
    """left and right child, counted from the root; -1: none [nbvh x 2, int32]"""
    bvh_nodeid: _Array[np.int32]
    """geom of a body's leaf, triangle of a mesh's leaf; -1: inner node [nbvh, int32]"""
    bvh_aabb: _Array[np.float64]
    """box in the inertial frame of its body, or the frame of its mesh: centre, half sizes; m [nbvhstatic x 6, float64]"""
    oct_depth: _Array[np.int32]
    """depth in the octree; 0: root [noct, int32]"""
    oct_child: _Array[np.int32]
    """children, counted from the root; all -1: leaf [noct x 8, int32]"""
    oct_aabb: _Array[np.float64]
    """box in the frame of the mesh: centre, half sizes; m [noct x 6, float64]"""
    oct_coeff: _Array[np.float64]
    """signed distances at the corners of the cell, m [noct x 8, float64]"""
    jnt_type: _Array[np.int32]
    """type of joint (ctJointType) [njnt, int32]"""
    jnt_qposadr: _Array[np.int32]
    """first number in qpos: 7 for a free joint, 4 for a ball, 1 for others [njnt, int32]"""
    jnt_dofadr: _Array[np.int32]
    """first dof: 6 for a free joint, 3 for a ball, 1 for others [njnt, int32]"""
    jnt_bodyid: _Array[np.int32]
    """body it moves relative to the parent of that body [njnt, int32]"""
    jnt_actuatorid: _Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several [njnt, int32]"""
    jnt_group: _Array[np.int32]
    """group for display [njnt, int32]"""
    jnt_plasticadr: _Array[np.int32]
    """first number in plastic; -1: the spring does not yield [njnt, int32]"""
    jnt_limited: _Array[np.bool_]
    """has limits [njnt, bool]"""
    jnt_actfrclimited: _Array[np.bool_]
    """the total force of actuators is limited [njnt, bool]"""
    jnt_actgravcomp: _Array[np.bool_]
    """gravity compensation counts as an actuator force [njnt, bool]"""
    jnt_solref: _Array[np.float64]
    """reference of the limit: time constant (s) and damping ratio, or both negative: -stiffness, -damping [njnt x 2, float64]"""
    jnt_solimp: _Array[np.float64]
    """impedance of the limit: at 0, at width, width, midpoint, power [njnt x 5, float64]"""
    jnt_pos: _Array[np.float64]
    """anchor in the body frame, m; 0 for free joints [njnt x 3, float64]"""
    jnt_axis: _Array[np.float64]
    """axis in the body frame, unit length; hinges and slides [njnt x 3, float64]"""
    jnt_stiffness: _Array[np.float64]
    """spring stiffness, N/m or N m/rad [njnt, float64]"""
    jnt_stiffnesspoly: _Array[np.float64]
    """coefficients of the stiffness at higher powers of the displacement [njnt x 2, float64]"""
    jnt_springyield: _Array[np.float64]
    """elastic displacement at which the spring yields; 0: never [njnt, float64]"""
    jnt_range: _Array[np.float64]
    """lower and upper limit, m or rad; ball: (0, largest angle) [njnt x 2, float64]"""
    jnt_actfrcrange: _Array[np.float64]
    """least and largest total force of actuators [njnt x 2, float64]"""
    jnt_margin: _Array[np.float64]
    """distance from a limit at which its row appears, m or rad [njnt, float64]"""
    jnt_user: _Array[np.float64]
    """the user's own numbers [njnt x nuser_jnt, float64]"""
    dof_bodyid: _Array[np.int32]
    """body it moves [nv, int32]"""
    dof_jntid: _Array[np.int32]
    """joint it belongs to [nv, int32]"""
    dof_parentid: _Array[np.int32]
    """next dof towards the world; -1: none [nv, int32]"""
    dof_treeid: _Array[np.int32]
    """kinematic tree it belongs to [nv, int32]"""
    dof_Madr: _Array[np.int32]
    """address of the diagonal element in MuJoCo's older layout of the mass matrix [nv, int32]"""
    dof_simplenum: _Array[np.int32]
    """number of dofs from here on whose rows of the mass matrix are diagonal; 0: this one's is not [nv, int32]"""
    dof_solref: _Array[np.float64]
    """reference of the dry friction: time constant (s) and damping ratio, or both negative: -stiffness, -damping [nv x 2, float64]"""
    dof_solimp: _Array[np.float64]
    """impedance of the dry friction: at 0, at width, width, midpoint, power [nv x 5, float64]"""
    dof_frictionloss: _Array[np.float64]
    """dry friction, N or N m; 0: none [nv, float64]"""
    dof_armature: _Array[np.float64]
    """inertia of the rotor added to the diagonal of the mass matrix, kg or kg m^2 [nv, float64]"""
    dof_damping: _Array[np.float64]
    """damping, N s/m or N m s/rad [nv, float64]"""
    dof_dampingpoly: _Array[np.float64]
    """coefficients of the damping at higher powers of the velocity [nv x 2, float64]"""
    dof_invweight0: _Array[np.float64]
    """diagonal of the inverse mass matrix in qpos0, averaged over the dofs of a free or ball joint [nv, float64]"""
    dof_M0: _Array[np.float64]
    """diagonal of the mass matrix in qpos0 [nv, float64]"""
    dof_length: _Array[np.float64]
    """length that turns its velocity into m/s: 1 for translations, the size of the body for rotations [nv, float64]"""
    tree_bodyadr: _Array[np.int32]
    """first body [ntree, int32]"""
    tree_bodynum: _Array[np.int32]
    """number of bodies [ntree, int32]"""
    tree_dofadr: _Array[np.int32]
    """first dof [ntree, int32]"""
    tree_dofnum: _Array[np.int32]
    """number of dofs [ntree, int32]"""
    tree_sleep_policy: _Array[np.int32]
    """when it may sleep (ctSleepPolicy): the author's word, or one of the outcomes of auto [ntree, int32]"""
    geom_type: _Array[np.int32]
    """shape (ctGeomType) [ngeom, int32]"""
    geom_contype: _Array[np.int32]
    """bits of its kind: two geoms collide when contype of one meets conaffinity of the other [ngeom, int32]"""
    geom_conaffinity: _Array[np.int32]
    """bits of the kinds it collides with [ngeom, int32]"""
    geom_condim: _Array[np.int32]
    """rows of its contacts: 1 frictionless, 3 sliding, 4 also spinning, 6 also rolling [ngeom, int32]"""
    geom_bodyid: _Array[np.int32]
    """body it belongs to [ngeom, int32]"""
    geom_dataid: _Array[np.int32]
    """mesh or height field; -1: none [ngeom, int32]"""
    geom_matid: _Array[np.int32]
    """material; -1: none [ngeom, int32]"""
    geom_group: _Array[np.int32]
    """group for display [ngeom, int32]"""
    geom_priority: _Array[np.int32]
    """the geom of higher priority sets the parameters of a contact; equal ones are mixed [ngeom, int32]"""
    geom_plugin: _Array[np.int32]
    """plugin instance; -1: none [ngeom, int32]"""
    geom_sameframe: _Array[np.uint8]
    """how the geom frame and the frames of its body agree (ctSameFrame) [ngeom, uint8]"""
    geom_castshadow: _Array[np.bool_]
    """throws shadows [ngeom, bool]"""
    geom_solmix: _Array[np.float64]
    """weight in mixing contact parameters [ngeom, float64]"""
    geom_solref: _Array[np.float64]
    """reference of contacts: time constant (s) and damping ratio, or both negative: -stiffness, -damping [ngeom x 2, float64]"""
    geom_solimp: _Array[np.float64]
    """impedance of contacts: at 0, at width, width, midpoint, power [ngeom x 5, float64]"""
    geom_size: _Array[np.float64]
    """sizes by type, m: sphere (radius), capsule and cylinder (radius, half length), box and ellipsoid (half sizes), plane (half sizes, 0: infinite; grid spacing) [ngeom x 3, float64]"""
    geom_aabb: _Array[np.float64]
    """bounding box in the geom frame: centre, half sizes; m [ngeom x 6, float64]"""
    geom_rbound: _Array[np.float64]
    """radius of the bounding sphere, m; 0: plane [ngeom, float64]"""
    geom_pos: _Array[np.float64]
    """position in the body frame, m [ngeom x 3, float64]"""
    geom_quat: _Array[np.float64]
    """orientation in the body frame [ngeom x 4, float64]"""
    geom_friction: _Array[np.float64]
    """sliding, spinning (m), rolling (m) [ngeom x 3, float64]"""
    geom_margin: _Array[np.float64]
    """thickness added to the surface for contacts, m [ngeom, float64]"""
    geom_gap: _Array[np.float64]
    """distance beyond the margin at which contacts are found that exert no force, m [ngeom, float64]"""
    geom_surfacevel: _Array[np.float64]
    """velocity of the surface in the geom frame: linear (m/s), angular (rad/s); a conveyor belt [ngeom x 6, float64]"""
    geom_adhesion: _Array[np.float64]
    """adhesive force of its contacts, N [ngeom, float64]"""
    geom_fluid: _Array[np.float64]
    """fluid model: 1 for an ellipsoid (0: off), its coefficients, virtual mass and inertia [ngeom x 12, float64]"""
    geom_user: _Array[np.float64]
    """the user's own numbers [ngeom x nuser_geom, float64]"""
    geom_rgba: _Array[np.float32]
    """colour without a material [ngeom x 4, float32]"""
    site_type: _Array[np.int32]
    """shape (ctGeomType) [nsite, int32]"""
    site_bodyid: _Array[np.int32]
    """body it belongs to [nsite, int32]"""
    site_dataid: _Array[np.int32]
    """mesh; -1: none [nsite, int32]"""
    site_matid: _Array[np.int32]
    """material; -1: none [nsite, int32]"""
    site_group: _Array[np.int32]
    """group for display [nsite, int32]"""
    site_sameframe: _Array[np.uint8]
    """how the site frame and the frames of its body agree (ctSameFrame) [nsite, uint8]"""
    site_size: _Array[np.float64]
    """sizes by type, as geom_size, m [nsite x 3, float64]"""
    site_pos: _Array[np.float64]
    """position in the body frame, m [nsite x 3, float64]"""
    site_quat: _Array[np.float64]
    """orientation in the body frame [nsite x 4, float64]"""
    site_user: _Array[np.float64]
    """the user's own numbers [nsite x nuser_site, float64]"""
    site_rgba: _Array[np.float32]
    """colour without a material [nsite x 4, float32]"""
    cam_mode: _Array[np.int32]
    """how it moves (ctCamLight) [ncam, int32]"""
    cam_bodyid: _Array[np.int32]
    """body it is fixed to or follows [ncam, int32]"""
    cam_targetbodyid: _Array[np.int32]
    """body it looks at; -1: none [ncam, int32]"""
    cam_pos: _Array[np.float64]
    """position in the body frame, m [ncam x 3, float64]"""
    cam_quat: _Array[np.float64]
    """orientation in the body frame; a camera looks along -z, y is up [ncam x 4, float64]"""
    cam_poscom0: _Array[np.float64]
    """position in qpos0 relative to the centre of mass of its subtree, world axes, m [ncam x 3, float64]"""
    cam_pos0: _Array[np.float64]
    """position in qpos0 relative to its body, world axes, m [ncam x 3, float64]"""
    cam_mat0: _Array[np.float64]
    """orientation in qpos0, world axes, rows of a matrix [ncam x 9, float64]"""
    cam_projection: _Array[np.int32]
    """type of projection (ctProjection) [ncam, int32]"""
    cam_fovy: _Array[np.float64]
    """vertical field of view, degrees; orthographic: height of the view, m [ncam, float64]"""
    cam_ipd: _Array[np.float64]
    """distance between the eyes in stereo, m [ncam, float64]"""
    cam_resolution: _Array[np.int32]
    """width and height, pixels [ncam x 2, int32]"""
    cam_output: _Array[np.int32]
    """pictures it makes, bits: 1 colour, 2 depth, 4 distance, 8 normals, 16 segmentation [ncam, int32]"""
    cam_sensorsize: _Array[np.float32]
    """width and height of the sensor, m; 0: use cam_fovy [ncam x 2, float32]"""
    cam_intrinsic: _Array[np.float32]
    """focal lengths and principal point on the sensor, m: x y, x y [ncam x 4, float32]"""
    cam_user: _Array[np.float64]
    """the user's own numbers [ncam x nuser_cam, float64]"""
    light_mode: _Array[np.int32]
    """how it moves (ctCamLight) [nlight, int32]"""
    light_bodyid: _Array[np.int32]
    """body it is fixed to or follows [nlight, int32]"""
    light_targetbodyid: _Array[np.int32]
    """body it shines at; -1: none [nlight, int32]"""
    light_type: _Array[np.int32]
    """type of light (ctLightType) [nlight, int32]"""
    light_texid: _Array[np.int32]
    """texture of an image light; -1: none [nlight, int32]"""
    light_castshadow: _Array[np.bool_]
    """throws shadows [nlight, bool]"""
    light_bulbradius: _Array[np.float32]
    """radius of the bulb for soft shadows, m [nlight, float32]"""
    light_intensity: _Array[np.float32]
    """intensity, candela [nlight, float32]"""
    light_range: _Array[np.float32]
    """distance it reaches, m [nlight, float32]"""
    light_active: _Array[np.bool_]
    """is on [nlight, bool]"""
    light_pos: _Array[np.float64]
    """position in the body frame, m [nlight x 3, float64]"""
    light_dir: _Array[np.float64]
    """direction in the body frame, unit length [nlight x 3, float64]"""
    light_poscom0: _Array[np.float64]
    """position in qpos0 relative to the centre of mass of its subtree, world axes, m [nlight x 3, float64]"""
    light_pos0: _Array[np.float64]
    """position in qpos0 relative to its body, world axes, m [nlight x 3, float64]"""
    light_dir0: _Array[np.float64]
    """direction in qpos0, world axes [nlight x 3, float64]"""
    light_attenuation: _Array[np.float32]
    """constant, linear and quadratic attenuation with distance [nlight x 3, float32]"""
    light_cutoff: _Array[np.float32]
    """half angle of a spot light, degrees [nlight, float32]"""
    light_softness: _Array[np.float32]
    """softness of the edge of a spot light [nlight, float32]"""
    light_exponent: _Array[np.float32]
    """how a spot light fades towards its edge [nlight, float32]"""
    light_ambient: _Array[np.float32]
    """ambient colour, red green blue [nlight x 3, float32]"""
    light_diffuse: _Array[np.float32]
    """diffuse colour, red green blue [nlight x 3, float32]"""
    light_specular: _Array[np.float32]
    """specular colour, red green blue [nlight x 3, float32]"""
    flex_contype: _Array[np.int32]
    """bits of its kind, as geom_contype [nflex, int32]"""
    flex_conaffinity: _Array[np.int32]
    """bits of the kinds it collides with [nflex, int32]"""
    flex_condim: _Array[np.int32]
    """rows of its contacts: 1, 3, 4 or 6 [nflex, int32]"""
    flex_priority: _Array[np.int32]
    """as geom_priority [nflex, int32]"""
    flex_solmix: _Array[np.float64]
    """weight in mixing contact parameters [nflex, float64]"""
    flex_solref: _Array[np.float64]
    """reference of contacts: time constant (s) and damping ratio, or both negative: -stiffness, -damping [nflex x 2, float64]"""
    flex_solimp: _Array[np.float64]
    """impedance of contacts: at 0, at width, width, midpoint, power [nflex x 5, float64]"""
    flex_friction: _Array[np.float64]
    """sliding, spinning (m), rolling (m) [nflex x 3, float64]"""
    flex_margin: _Array[np.float64]
    """thickness added to the surface for contacts, m [nflex, float64]"""
    flex_gap: _Array[np.float64]
    """distance beyond the margin at which contacts are found that exert no force, m [nflex, float64]"""
    flex_selfcollide: _Array[np.int32]
    """contacts with itself: 0 none, 1 all pairs, 2 tree of boxes, 3 sweep and prune, 4 automatic [nflex, int32]"""
    flex_activelayers: _Array[np.int32]
    """layers of tetrahedra below the surface that collide with the deformable itself [nflex, int32]"""
    flex_passive: _Array[np.int32]
    """contacts act as forces, without constraint rows: 0 or 1 [nflex, int32]"""
    flex_dim: _Array[np.int32]
    """1 lines, 2 triangles, 3 tetrahedra [nflex, int32]"""
    flex_matid: _Array[np.int32]
    """material of each element; -1: none [nflexelem, int32]"""
    flex_group: _Array[np.int32]
    """group for display [nflex, int32]"""
    flex_interp: _Array[np.int32]
    """0: vertices move by themselves; 1, 2: interpolated from a cage of that order; negative: cage of a shell [nflex, int32]"""
    flex_cellnum: _Array[np.int32]
    """cells of the cage along its axes [nflex x 3, int32]"""
    flex_nodeadr: _Array[np.int32]
    """first node; -1: none [nflex, int32]"""
    flex_nodenum: _Array[np.int32]
    """number of nodes [nflex, int32]"""
    flex_vertadr: _Array[np.int32]
    """first vertex [nflex, int32]"""
    flex_vertnum: _Array[np.int32]
    """number of vertices [nflex, int32]"""
    flex_edgeadr: _Array[np.int32]
    """first edge [nflex, int32]"""
    flex_edgenum: _Array[np.int32]
    """number of edges [nflex, int32]"""
    flex_elemadr: _Array[np.int32]
    """first element [nflex, int32]"""
    flex_elemnum: _Array[np.int32]
    """number of elements [nflex, int32]"""
    flex_elemdataadr: _Array[np.int32]
    """first vertex id in flex_elem [nflex, int32]"""
    flex_stiffnessadr: _Array[np.int32]
    """first number in flex_stiffness; -1: none [nflex, int32]"""
    flex_elemedgeadr: _Array[np.int32]
    """first edge id in flex_elemedge [nflex, int32]"""
    flex_bendingadr: _Array[np.int32]
    """first number in flex_bending; -1: none [nflex, int32]"""
    flex_plasticadr: _Array[np.int32]
    """first number in plastic; -1: elastic [nflex, int32]"""
    flex_plasticmode: _Array[np.int32]
    """what yields, bits: 1 bending, 2 stretching [nflex, int32]"""
    flex_shellnum: _Array[np.int32]
    """number of surface pieces [nflex, int32]"""
    flex_shelldataadr: _Array[np.int32]
    """first vertex id in flex_shell; -1: none [nflex, int32]"""
    flex_texcoordadr: _Array[np.int32]
    """first row of flex_texcoord; -1: none [nflex, int32]"""
    flex_nodebodyid: _Array[np.int32]
    """body of each node [nflexnode, int32]"""
    flex_vertbodyid: _Array[np.int32]
    """body of each vertex; -1: interpolated [nflexvert, int32]"""
    flex_vertcell: _Array[np.int32]
    """cell of the cage each vertex lies in; -1: none [nflexvert, int32]"""
    flex_edge: _Array[np.int32]
    """vertices of each edge, counted in its deformable [nflexedge x 2, int32]"""
    flex_edgeflap: _Array[np.int32]
    """vertices across the two triangles at an edge, dim 2 with bending; -1: none [nflexedge x 2, int32]"""
    flex_elem: _Array[np.int32]
    """vertices of each element, dim + 1 each, counted in its deformable [nflexelemdata, int32]"""
    flex_elemtexcoord: _Array[np.int32]
    """texture coordinates of each element, dim + 1 each [nflexelemdata, int32]"""
    flex_elemedge: _Array[np.int32]
    """edges of each element, counted in its deformable [nflexelemedge, int32]"""
    flex_elemlayer: _Array[np.int32]
    """distance of an element from the surface, in elements; 0 on it and for dim below 3 [nflexelem, int32]"""
    flex_shell: _Array[np.int32]
    """vertices of each surface piece, dim each [nflexshelldata, int32]"""
    flex_vert: _Array[np.float64]
    """vertex in the frame of its body, m [nflexvert x 3, float64]"""
    flex_vert0: _Array[np.float64]
    """vertex in qpos0, as parts of the bounding box along its axes [nflexvert x 3, float64]"""
    flex_node: _Array[np.float64]
    """node in the frame of its body, m [nflexnode x 3, float64]"""
    flex_node0: _Array[np.float64]
    """node in qpos0, in the axes of the cage, m [nflexnode x 3, float64]"""
    flexedge_length0: _Array[np.float64]
    """length of an edge in qpos0, m [nflexedge, float64]"""
    flexedge_invweight0: _Array[np.float64]
    """inverse weight of an edge in qpos0, 1/kg [nflexedge, float64]"""
    flex_radius: _Array[np.float64]
    """radius around the elements, m [nflex, float64]"""
    flex_size: _Array[np.float64]
    """half sizes of the box around the vertices in qpos0, m [nflex x 3, float64]"""
    flex_stiffness: _Array[np.float64]
    """stiffness of each element, upper triangles over its edges [nflexstiffness, float64]"""
    flex_bending: _Array[np.float64]
    """bending stiffness of each edge [nflexbending, float64]"""
    efm0_dofid: _Array[np.int32]
    """constant metric factor: dof of each row [nefm0dof, int32]"""
    efm0_L_rownnz: _Array[np.int32]
    """constant metric factor: stored elements of each row [nefm0dof, int32]"""
    efm0_L_rowadr: _Array[np.int32]
    """constant metric factor: address of each row [nefm0dof, int32]"""
    efm0_L_colind: _Array[np.int32]
    """constant metric factor: columns [nefm0L, int32]"""
    efm0_L: _Array[np.float64]
    """constant metric factor: factor of M plus the implicit bending stiffness [nefm0L, float64]"""
    efmC_perm: _Array[np.int32]
    """order of the vertices in the sparse factor: their first dof, or -1 [nefmCvert, int32]"""
    flex_damping: _Array[np.float64]
    """Rayleigh damping, s [nflex, float64]"""
    flex_yield: _Array[np.float64]
    """strain at which stretching and bending yield; 0: never [nflex x 2, float64]"""
    flex_edgestiffness: _Array[np.float64]
    """stiffness of edges, N/m [nflex, float64]"""
    flex_edgedamping: _Array[np.float64]
    """damping of edges, N s/m [nflex, float64]"""
    flex_edgeequality: _Array[np.int32]
    """what equality constraints hold: 0 nothing, 1 edges, 3 strain [nflex, int32]"""
    flex_rigid: _Array[np.bool_]
    """all vertices are on one body [nflex, bool]"""
    flexedge_rigid: _Array[np.bool_]
    """both ends are on one body [nflexedge, bool]"""
    flex_centered: _Array[np.bool_]
    """all vertices are at the origins of their bodies [nflex, bool]"""
    flex_flatskin: _Array[np.bool_]
    """drawn with flat shading [nflex, bool]"""
    flex_bvhadr: _Array[np.int32]
    """root of its tree of bounding boxes; -1: none [nflex, int32]"""
    flex_bvhnum: _Array[np.int32]
    """number of bounding boxes [nflex, int32]"""
    flexedge_J_rownnz: _Array[np.int32]
    """stored elements of each row of flexedge_J [nflexedge, int32]"""
    flexedge_J_rowadr: _Array[np.int32]
    """address of each row [nflexedge, int32]"""
    flexedge_J_colind: _Array[np.int32]
    """dofs of the stored elements [nJfe, int32]"""
    flex_rgba: _Array[np.float32]
    """colour without a material [nflex x 4, float32]"""
    flex_texcoord: _Array[np.float32]
    """texture coordinates [nflextexcoord x 2, float32]"""
    mesh_vertadr: _Array[np.int32]
    """first vertex [nmesh, int32]"""
    mesh_vertnum: _Array[np.int32]
    """number of vertices [nmesh, int32]"""
    mesh_faceadr: _Array[np.int32]
    """first triangle [nmesh, int32]"""
    mesh_facenum: _Array[np.int32]
    """number of triangles [nmesh, int32]"""
    mesh_bvhadr: _Array[np.int32]
    """root of its tree of bounding boxes [nmesh, int32]"""
    mesh_bvhnum: _Array[np.int32]
    """number of bounding boxes [nmesh, int32]"""
    mesh_octadr: _Array[np.int32]
    """root of its octree; -1: none [nmesh, int32]"""
    mesh_octnum: _Array[np.int32]
    """number of octree cells [nmesh, int32]"""
    mesh_normaladr: _Array[np.int32]
    """first normal [nmesh, int32]"""
    mesh_normalnum: _Array[np.int32]
    """number of normals [nmesh, int32]"""
    mesh_texcoordadr: _Array[np.int32]
    """first texture coordinate; -1: none [nmesh, int32]"""
    mesh_texcoordnum: _Array[np.int32]
    """number of texture coordinates [nmesh, int32]"""
    mesh_graphadr: _Array[np.int32]
    """first number in mesh_graph; -1: no convex hull [nmesh, int32]"""
    mesh_extrema: _Array[np.int32]
    """hull vertices farthest in the 27 directions of a 3 x 3 x 3 grid, where searches start [nmesh x 27, int32]"""
    mesh_vert: _Array[np.float32]
    """vertices, about the centre of mass and along the principal axes, m [nmeshvert x 3, float32]"""
    mesh_normal: _Array[np.float32]
    """normals, unit length [nmeshnormal x 3, float32]"""
    mesh_texcoord: _Array[np.float32]
    """texture coordinates [nmeshtexcoord x 2, float32]"""
    mesh_face: _Array[np.int32]
    """vertices of each triangle, counted in its mesh [nmeshface x 3, int32]"""
    mesh_facenormal: _Array[np.int32]
    """normals of each triangle, counted in its mesh [nmeshface x 3, int32]"""
    mesh_facetexcoord: _Array[np.int32]
    """texture coordinates of each triangle, counted in its mesh [nmeshface x 3, int32]"""
    mesh_graph: _Array[np.int32]
    """convex hull: numbers of vertices and triangles, addresses of edge lists, vertex ids, edge lists (each ends with -1), triangles [nmeshgraph, int32]"""
    mesh_scale: _Array[np.float64]
    """factors that were applied to the vertices of the file [nmesh x 3, float64]"""
    mesh_pos: _Array[np.float64]
    """position of the mesh frame in the coordinates of the file, m [nmesh x 3, float64]"""
    mesh_quat: _Array[np.float64]
    """orientation of the mesh frame in the coordinates of the file [nmesh x 4, float64]"""
    mesh_pathadr: _Array[np.int32]
    """path of the file in paths; -1: none [nmesh, int32]"""
    mesh_polynum: _Array[np.int32]
    """number of hull polygons [nmesh, int32]"""
    mesh_polyadr: _Array[np.int32]
    """first hull polygon [nmesh, int32]"""
    mesh_polynormal: _Array[np.float64]
    """normal of each polygon, unit length [nmeshpoly x 3, float64]"""
    mesh_polyvertadr: _Array[np.int32]
    """first vertex id of each polygon in mesh_polyvert [nmeshpoly, int32]"""
    mesh_polyvertnum: _Array[np.int32]
    """number of its vertices [nmeshpoly, int32]"""
    mesh_polyvert: _Array[np.int32]
    """vertices of the polygons, counted in their mesh [nmeshpolyvert, int32]"""
    mesh_polymapadr: _Array[np.int32]
    """first polygon id of each vertex in mesh_polymap [nmeshvert, int32]"""
    mesh_polymapnum: _Array[np.int32]
    """number of its polygons [nmeshvert, int32]"""
    mesh_polymap: _Array[np.int32]
    """polygons at the vertices, counted in their mesh [nmeshpolymap, int32]"""
    skin_matid: _Array[np.int32]
    """material; -1: none [nskin, int32]"""
    skin_group: _Array[np.int32]
    """group for display [nskin, int32]"""
    skin_rgba: _Array[np.float32]
    """colour without a material [nskin x 4, float32]"""
    skin_inflate: _Array[np.float32]
    """distance the skin is moved along its normals, m [nskin, float32]"""
    skin_vertadr: _Array[np.int32]
    """first vertex [nskin, int32]"""
    skin_vertnum: _Array[np.int32]
    """number of vertices [nskin, int32]"""
    skin_texcoordadr: _Array[np.int32]
    """first texture coordinate; -1: none [nskin, int32]"""
    skin_faceadr: _Array[np.int32]
    """first triangle [nskin, int32]"""
    skin_facenum: _Array[np.int32]
    """number of triangles [nskin, int32]"""
    skin_boneadr: _Array[np.int32]
    """first bone [nskin, int32]"""
    skin_bonenum: _Array[np.int32]
    """number of bones [nskin, int32]"""
    skin_vert: _Array[np.float32]
    """vertices in the bind pose, world axes, m [nskinvert x 3, float32]"""
    skin_texcoord: _Array[np.float32]
    """texture coordinates of the vertices [nskintexvert x 2, float32]"""
    skin_face: _Array[np.int32]
    """vertices of each triangle, counted in its skin [nskinface x 3, int32]"""
    skin_bonevertadr: _Array[np.int32]
    """first row of each bone in skin_bonevertid [nskinbone, int32]"""
    skin_bonevertnum: _Array[np.int32]
    """number of vertices it moves [nskinbone, int32]"""
    skin_bonebindpos: _Array[np.float32]
    """position of its body in the bind pose, m [nskinbone x 3, float32]"""
    skin_bonebindquat: _Array[np.float32]
    """orientation of its body in the bind pose [nskinbone x 4, float32]"""
    skin_bonebodyid: _Array[np.int32]
    """body that moves the bone [nskinbone, int32]"""
    skin_bonevertid: _Array[np.int32]
    """vertex, counted in its skin [nskinbonevert, int32]"""
    skin_bonevertweight: _Array[np.float32]
    """weight of the bone at that vertex; those of a vertex add to 1 [nskinbonevert, float32]"""
    skin_pathadr: _Array[np.int32]
    """path of the file in paths; -1: none [nskin, int32]"""
    hfield_size: _Array[np.float64]
    """half size along x and y, height of sample 1, depth of the base below 0; m [nhfield x 4, float64]"""
    hfield_nrow: _Array[np.int32]
    """samples along y [nhfield, int32]"""
    hfield_ncol: _Array[np.int32]
    """samples along x [nhfield, int32]"""
    hfield_adr: _Array[np.int32]
    """first sample in hfield_data [nhfield, int32]"""
    hfield_data: _Array[np.float32]
    """heights, 0 to 1, row by row [nhfielddata, float32]"""
    hfield_pathadr: _Array[np.int32]
    """path of the file in paths; -1: none [nhfield, int32]"""
    tex_type: _Array[np.int32]
    """type of texture (ctTextureType) [ntex, int32]"""
    tex_colorspace: _Array[np.int32]
    """encoding of colours (ctColorSpace) [ntex, int32]"""
    tex_height: _Array[np.int32]
    """rows, pixels; the six sides of a cube stand below each other, unless one serves for all [ntex, int32]"""
    tex_width: _Array[np.int32]
    """columns, pixels [ntex, int32]"""
    tex_nchannel: _Array[np.int32]
    """bytes of a pixel [ntex, int32]"""
    tex_adr: _Array[np.int64]
    """first byte in tex_data [ntex, int64]"""
    tex_data: _Array[np.uint8]
    """pixels, row by row [ntexdata, uint8]"""
    tex_pathadr: _Array[np.int32]
    """path of the file in paths; -1: none [ntex, int32]"""
    tex_contenttypeadr: _Array[np.int32]
    """content type in paths; -1: none [ntex, int32]"""
    mat_texid: _Array[np.int32]
    """texture for each role (ctTextureRole); -1: none [nmat x CT_TEXROLE_COUNT, int32]"""
    mat_texuniform: _Array[np.bool_]
    """a cube texture keeps its scale whatever the size of the object [nmat, bool]"""
    mat_texrepeat: _Array[np.float32]
    """repetitions of a 2d texture [nmat x 2, float32]"""
    mat_emission: _Array[np.float32]
    """part of the colour that is emitted [nmat, float32]"""
    mat_specular: _Array[np.float32]
    """strength of highlights, 0 to 1 [nmat, float32]"""
    mat_shininess: _Array[np.float32]
    """sharpness of highlights, 0 to 1 [nmat, float32]"""
    mat_reflectance: _Array[np.float32]
    """strength of mirror images, 0: none [nmat, float32]"""
    mat_metallic: _Array[np.float32]
    """how metallic, 0 to 1; negative: not given [nmat, float32]"""
    mat_roughness: _Array[np.float32]
    """how rough, 0 to 1; negative: not given [nmat, float32]"""
    mat_rgba: _Array[np.float32]
    """colour [nmat x 4, float32]"""
    pair_dim: _Array[np.int32]
    """rows of its contacts: 1, 3, 4 or 6 [npair, int32]"""
    pair_geom1: _Array[np.int32]
    """first geom [npair, int32]"""
    pair_geom2: _Array[np.int32]
    """second geom [npair, int32]"""
    pair_signature: _Array[np.int32]
    """bodies of the geoms, 65536 * smaller id + larger id; pairs are sorted by it [npair, int32]"""
    pair_solref: _Array[np.float64]
    """reference of contacts, normal direction: time constant (s) and damping ratio, or both negative: -stiffness, -damping [npair x 2, float64]"""
    pair_solreffriction: _Array[np.float64]
    """reference of contacts, friction directions: time constant (s) and damping ratio, or both negative: -stiffness, -damping; 0 0: as pair_solref [npair x 2, float64]"""
    pair_solimp: _Array[np.float64]
    """impedance of contacts: at 0, at width, width, midpoint, power [npair x 5, float64]"""
    pair_margin: _Array[np.float64]
    """distance below which contacts exert a force, m [npair, float64]"""
    pair_gap: _Array[np.float64]
    """distance beyond the margin at which contacts are found that exert no force, m [npair, float64]"""
    pair_adhesion: _Array[np.float64]
    """adhesive force, N [npair, float64]"""
    pair_friction: _Array[np.float64]
    """sliding x 2, spinning (m), rolling x 2 (m) [npair x 5, float64]"""
    exclude_signature: _Array[np.int32]
    """bodies that do not collide, as in pair_signature [nexclude, int32]"""
    eq_type: _Array[np.int32]
    """type of constraint (ctEqType) [neq, int32]"""
    eq_obj1id: _Array[np.int32]
    """first object: body, site, joint, tendon or geom, by type [neq, int32]"""
    eq_obj2id: _Array[np.int32]
    """second object; -1: none [neq, int32]"""
    eq_objtype: _Array[np.int32]
    """what the ids count (ctObjType): bodies or sites; CT_OBJ_UNKNOWN where the type says it [neq, int32]"""
    eq_active0: _Array[np.bool_]
    """active after a reset [neq, bool]"""
    eq_solref: _Array[np.float64]
    """reference of its rows: time constant (s) and damping ratio, or both negative: -stiffness, -damping [neq x 2, float64]"""
    eq_solimp: _Array[np.float64]
    """impedance of its rows: at 0, at width, width, midpoint, power [neq x 5, float64]"""
    eq_data: _Array[np.float64]
    """connect: anchor in body 1, in body 2; weld: anchor in body 2, in body 1, orientation of body 2 in body 1, at 10 the torque scale; joint and tendon: polynomial coefficients [neq x 12, float64]"""
    tendon_type: _Array[np.int32]
    """type of tendon (ctTendonType) [ntendon, int32]"""
    tendon_adr: _Array[np.int32]
    """first station in wrap_* [ntendon, int32]"""
    tendon_num: _Array[np.int32]
    """number of stations [ntendon, int32]"""
    tendon_matid: _Array[np.int32]
    """material; -1: none [ntendon, int32]"""
    tendon_actuatorid: _Array[np.int32]
    """actuator that adds damping or armature; -1: none, -2: several [ntendon, int32]"""
    tendon_group: _Array[np.int32]
    """group for display [ntendon, int32]"""
    tendon_plasticadr: _Array[np.int32]
    """first number in plastic; -1: the spring does not yield [ntendon, int32]"""
    tendon_treenum: _Array[np.int32]
    """number of kinematic trees it touches [ntendon, int32]"""
    tendon_treeid: _Array[np.int32]
    """first two of them; -1: none [ntendon x 2, int32]"""
    ten_J_rownnz: _Array[np.int32]
    """stored elements of each row of ten_J [ntendon, int32]"""
    ten_J_rowadr: _Array[np.int32]
    """address of each row [ntendon, int32]"""
    ten_J_colind: _Array[np.int32]
    """dofs of the stored elements [nJten, int32]"""
    tendon_limited: _Array[np.bool_]
    """has limits [ntendon, bool]"""
    tendon_actfrclimited: _Array[np.bool_]
    """the total force of actuators is limited [ntendon, bool]"""
    tendon_width: _Array[np.float64]
    """width for drawing, m [ntendon, float64]"""
    tendon_solref_lim: _Array[np.float64]
    """reference of the limit: time constant (s) and damping ratio, or both negative: -stiffness, -damping [ntendon x 2, float64]"""
    tendon_solimp_lim: _Array[np.float64]
    """impedance of the limit: at 0, at width, width, midpoint, power [ntendon x 5, float64]"""
    tendon_solref_fri: _Array[np.float64]
    """reference of the dry friction: time constant (s) and damping ratio, or both negative: -stiffness, -damping [ntendon x 2, float64]"""
    tendon_solimp_fri: _Array[np.float64]
    """impedance of the dry friction: at 0, at width, width, midpoint, power [ntendon x 5, float64]"""
    tendon_range: _Array[np.float64]
    """lower and upper limit, m [ntendon x 2, float64]"""
    tendon_actfrcrange: _Array[np.float64]
    """least and largest total force of actuators, N [ntendon x 2, float64]"""
    tendon_margin: _Array[np.float64]
    """distance from a limit at which its row appears, m [ntendon, float64]"""
    tendon_stiffness: _Array[np.float64]
    """spring stiffness, N/m [ntendon, float64]"""
    tendon_stiffnesspoly: _Array[np.float64]
    """coefficients of the stiffness at higher powers of the displacement [ntendon x 2, float64]"""
    tendon_damping: _Array[np.float64]
    """damping, N s/m [ntendon, float64]"""
    tendon_dampingpoly: _Array[np.float64]
    """coefficients of the damping at higher powers of the velocity [ntendon x 2, float64]"""
    tendon_armature: _Array[np.float64]
    """inertia that moves with the length, kg [ntendon, float64]"""
    tendon_frictionloss: _Array[np.float64]
    """dry friction, N; 0: none [ntendon, float64]"""
    tendon_lengthspring: _Array[np.float64]
    """lengths between which the spring is at rest, m [ntendon x 2, float64]"""
    tendon_springyield: _Array[np.float64]
    """elastic displacement at which the spring yields; 0: never [ntendon, float64]"""
    tendon_length0: _Array[np.float64]
    """length in qpos0, m [ntendon, float64]"""
    tendon_invweight0: _Array[np.float64]
    """inverse weight in qpos0, 1/kg [ntendon, float64]"""
    tendon_user: _Array[np.float64]
    """the user's own numbers [ntendon x nuser_tendon, float64]"""
    tendon_rgba: _Array[np.float32]
    """colour without a material [ntendon x 4, float32]"""
    wrap_type: _Array[np.int32]
    """type of station (ctWrapType) [nwrap, int32]"""
    wrap_objid: _Array[np.int32]
    """joint, site or geom, by type; -1 for a pulley [nwrap, int32]"""
    wrap_prm: _Array[np.float64]
    """joint: coefficient; pulley: divisor; sphere and cylinder: side site, or -1 [nwrap, float64]"""
    actuator_trntype: _Array[np.int32]
    """what it acts on (ctTrnType) [nactuator, int32]"""
    actuator_dyntype: _Array[np.int32]
    """how its activation evolves (ctDynType) [nactuator, int32]"""
    actuator_gaintype: _Array[np.int32]
    """how the gain is computed (ctGainType) [nactuator, int32]"""
    actuator_biastype: _Array[np.int32]
    """how the bias is computed (ctBiasType) [nactuator, int32]"""
    actuator_ctrladr: _Array[np.int32]
    """first control in ctrl [nactuator, int32]"""
    actuator_ctrlnum: _Array[np.int32]
    """number of controls [nactuator, int32]"""
    actuator_ctrlspec: _Array[np.int32]
    """what the controls mean, bits in their order: 1 position, 2 velocity, 4 feedforward, 8 voltage, 16 none, 32 pressure; gain so3: 1 exponential map, 2 quaternion [nactuator, int32]"""
    actuator_outadr: _Array[np.int32]
    """first force output [nactuator, int32]"""
    actuator_outnum: _Array[np.int32]
    """number of force outputs: 3 for so3, else 1 [nactuator, int32]"""
    actuator_actadr: _Array[np.int32]
    """first activation in act; -1: none [nactuator, int32]"""
    actuator_actnum: _Array[np.int32]
    """number of activations [nactuator, int32]"""
    actuator_trnid: _Array[np.int32]
    """target: joint, tendon, site or body by transmission; reference or slider site; -1: none [nactuator x 2, int32]"""
    actuator_cranklength: _Array[np.float64]
    """length of the rod of a slider-crank, m [nactuator, float64]"""
    actuator_dynprm: _Array[np.float64]
    """parameters of the activation dynamics, by type [nactuator x 10, float64]"""
    actuator_gainprm: _Array[np.float64]
    """parameters of the gain, by type [nactuator x 10, float64]"""
    actuator_biasprm: _Array[np.float64]
    """parameters of the bias, by type [nactuator x 10, float64]"""
    actuator_actlimited: _Array[np.bool_]
    """activations are limited [nactuator, bool]"""
    actuator_actrange: _Array[np.float64]
    """least and largest activation [nactuator x 2, float64]"""
    actuator_actearly: _Array[np.bool_]
    """the force uses the activation at the end of the step [nactuator, bool]"""
    actuator_history: _Array[np.int32]
    """samples kept of its controls (0: none); interpolation: 0 holds, 1 linear, 2 cubic [nactuator x 2, int32]"""
    actuator_historyadr: _Array[np.int32]
    """first number in history; -1: none [nactuator, int32]"""
    actuator_delay: _Array[np.float64]
    """delay of its controls, s; 0: none [nactuator, float64]"""
    actuator_damping: _Array[np.float64]
    """damping added to its target [nactuator, float64]"""
    actuator_dampingpoly: _Array[np.float64]
    """coefficients of the damping at higher powers of the velocity [nactuator x 2, float64]"""
    actuator_armature: _Array[np.float64]
    """armature added to its target [nactuator, float64]"""
    actuator_group: _Array[np.int32]
    """group for display and for opt.disableactuator [nactuator, int32]"""
    actuator_user: _Array[np.float64]
    """the user's own numbers [nactuator x nuser_actuator, float64]"""
    actuator_plugin: _Array[np.int32]
    """plugin instance; -1: none [nactuator, int32]"""
    actuator_forcelimited: _Array[np.bool_]
    """the force is limited [nactuator, bool]"""
    actuator_forcerange: _Array[np.float64]
    """least and largest force [nactuator x 2, float64]"""
    actuator_ctrllimited: _Array[np.bool_]
    """the control is limited [nu, bool]"""
    actuator_ctrlrange: _Array[np.float64]
    """least and largest control [nu x 2, float64]"""
    actuator_gear: _Array[np.float64]
    """factors from the transmission to its length and force: joint and tendon the first, ball and free joints and sites all [nout x 6, float64]"""
    actuator_acc0: _Array[np.float64]
    """acceleration that a unit force causes in qpos0: norm over dofs [nout, float64]"""
    actuator_length0: _Array[np.float64]
    """length in qpos0 [nout, float64]"""
    actuator_lengthrange: _Array[np.float64]
    """least and largest length that occurs; muscles scale by it [nout x 2, float64]"""
    sensor_type: _Array[np.int32]
    """what it measures (ctSensorType) [nsensor, int32]"""
    sensor_datatype: _Array[np.int32]
    """kind of its numbers (ctDataType) [nsensor, int32]"""
    sensor_needstage: _Array[np.int32]
    """stage that computes it (ctStage) [nsensor, int32]"""
    sensor_objtype: _Array[np.int32]
    """type of the object it is attached to (ctObjType) [nsensor, int32]"""
    sensor_objid: _Array[np.int32]
    """that object; -1: none [nsensor, int32]"""
    sensor_reftype: _Array[np.int32]
    """type of the reference frame (ctObjType) [nsensor, int32]"""
    sensor_refid: _Array[np.int32]
    """reference frame; -1: the world [nsensor, int32]"""
    sensor_intprm: _Array[np.int32]
    """whole-number parameters, by type: fields, reduction and slots of contact sensors, fields of rangefinders [nsensor x 3, int32]"""
    sensor_dim: _Array[np.int32]
    """how many numbers it gives [nsensor, int32]"""
    sensor_adr: _Array[np.int32]
    """first of them in sensordata [nsensor, int32]"""
    sensor_cutoff: _Array[np.float64]
    """limit on the absolute value of real and positive numbers; 0: none [nsensor, float64]"""
    sensor_noise: _Array[np.float64]
    """standard deviation of its noise, added by ct_data_set_noise() [nsensor, float64]"""
    sensor_history: _Array[np.int32]
    """samples kept (0: none); interpolation: 0 holds, 1 linear, 2 cubic [nsensor x 2, int32]"""
    sensor_historyadr: _Array[np.int32]
    """first number in history; -1: none [nsensor, int32]"""
    sensor_delay: _Array[np.float64]
    """delay, s; 0: none [nsensor, float64]"""
    sensor_interval: _Array[np.float64]
    """period and phase of its measurements, s; period 0: every step [nsensor x 2, float64]"""
    sensor_user: _Array[np.float64]
    """the user's own numbers [nsensor x nuser_sensor, float64]"""
    sensor_plugin: _Array[np.int32]
    """plugin instance; -1: none [nsensor, int32]"""
    plugin: _Array[np.int32]
    """number of the plugin: built-in ones first, then those of the load options [nplugin, int32]"""
    plugin_stateadr: _Array[np.int32]
    """first number in plugin_state [nplugin, int32]"""
    plugin_statenum: _Array[np.int32]
    """number of its state variables [nplugin, int32]"""
    @property
    def plugin_attr(self) -> bytes:
        """attributes, each with its terminating zero [npluginattr, bytes]"""
    plugin_attradr: _Array[np.int32]
    """first byte in plugin_attr [nplugin, int32]"""
    plugin_prm: _Array[np.float64]
    """numbers of each instance, from its attributes [nplugin x 16, float64]"""
    @property
    def plugin_kind(self) -> bytes:
        """name of the plugin of each instance [nplugin x 64, bytes]"""
    numeric_adr: _Array[np.int32]
    """first number in numeric_data [nnumeric, int32]"""
    numeric_size: _Array[np.int32]
    """how many numbers [nnumeric, int32]"""
    numeric_data: _Array[np.float64]
    """the numbers [nnumericdata, float64]"""
    text_adr: _Array[np.int32]
    """first byte in text_data [ntext, int32]"""
    text_size: _Array[np.int32]
    """bytes, the terminating zero included [ntext, int32]"""
    @property
    def text_data(self) -> bytes:
        """the texts [ntextdata, bytes]"""
    tuple_adr: _Array[np.int32]
    """first object in tuple_obj* [ntuple, int32]"""
    tuple_size: _Array[np.int32]
    """number of objects [ntuple, int32]"""
    tuple_objtype: _Array[np.int32]
    """type of each object (ctObjType) [ntupledata, int32]"""
    tuple_objid: _Array[np.int32]
    """id of each object [ntupledata, int32]"""
    tuple_objprm: _Array[np.float64]
    """number that goes with each object [ntupledata, float64]"""
    key_time: _Array[np.float64]
    """time of each keyframe, s [nkey, float64]"""
    key_qpos: _Array[np.float64]
    """qpos of each keyframe [nkey x nq, float64]"""
    key_qvel: _Array[np.float64]
    """qvel of each keyframe [nkey x nv, float64]"""
    key_act: _Array[np.float64]
    """act of each keyframe [nkey x na, float64]"""
    key_mpos: _Array[np.float64]
    """mocap_pos of each keyframe [nkey x nmocap * 3, float64]"""
    key_mquat: _Array[np.float64]
    """mocap_quat of each keyframe [nkey x nmocap * 4, float64]"""
    key_ctrl: _Array[np.float64]
    """ctrl of each keyframe [nkey x nu, float64]"""
    key_plastic: _Array[np.float64]
    """plastic of each keyframe [nkey x nplastic, float64]"""
    name_bodyadr: _Array[np.int32]
    """first byte in names of the name of each body [nbody, int32]"""
    name_jntadr: _Array[np.int32]
    """first byte in names of the name of each joint [njnt, int32]"""
    name_geomadr: _Array[np.int32]
    """first byte in names of the name of each geom [ngeom, int32]"""
    name_siteadr: _Array[np.int32]
    """first byte in names of the name of each site [nsite, int32]"""
    name_camadr: _Array[np.int32]
    """first byte in names of the name of each camera [ncam, int32]"""
    name_lightadr: _Array[np.int32]
    """first byte in names of the name of each light [nlight, int32]"""
    name_flexadr: _Array[np.int32]
    """first byte in names of the name of each deformable [nflex, int32]"""
    name_meshadr: _Array[np.int32]
    """first byte in names of the name of each mesh [nmesh, int32]"""
    name_skinadr: _Array[np.int32]
    """first byte in names of the name of each skin [nskin, int32]"""
    name_hfieldadr: _Array[np.int32]
    """first byte in names of the name of each height field [nhfield, int32]"""
    name_texadr: _Array[np.int32]
    """first byte in names of the name of each texture [ntex, int32]"""
    name_matadr: _Array[np.int32]
    """first byte in names of the name of each material [nmat, int32]"""
    name_pairadr: _Array[np.int32]
    """first byte in names of the name of each contact pair [npair, int32]"""
    name_excludeadr: _Array[np.int32]
    """first byte in names of the name of each excluded pair [nexclude, int32]"""
    name_eqadr: _Array[np.int32]
    """first byte in names of the name of each equality constraint [neq, int32]"""
    name_tendonadr: _Array[np.int32]
    """first byte in names of the name of each tendon [ntendon, int32]"""
    name_actuatoradr: _Array[np.int32]
    """first byte in names of the name of each actuator [nactuator, int32]"""
    name_sensoradr: _Array[np.int32]
    """first byte in names of the name of each sensor [nsensor, int32]"""
    name_numericadr: _Array[np.int32]
    """first byte in names of the name of each custom list of numbers [nnumeric, int32]"""
    name_textadr: _Array[np.int32]
    """first byte in names of the name of each custom text [ntext, int32]"""
    name_tupleadr: _Array[np.int32]
    """first byte in names of the name of each custom tuple [ntuple, int32]"""
    name_keyadr: _Array[np.int32]
    """first byte in names of the name of each keyframe [nkey, int32]"""
    name_pluginadr: _Array[np.int32]
    """first byte in names of the name of each plugin instance [nplugin, int32]"""
    @property
    def names(self) -> bytes:
        """the names, each with its terminating zero; the first is the model's [nnames, bytes]"""
    names_map: _Array[np.int32]
    """hash table behind ct_model_name2id(); -1: empty slot [nnames_map, int32]"""
    @property
    def paths(self) -> bytes:
        """file paths, each with its terminating zero [npaths, bytes]"""
    B_rownnz: _Array[np.int32]
    """dofs of each body: those that move it, and those of the bodies below [nbody, int32]"""
    B_rowadr: _Array[np.int32]
    """address of each row [nbody, int32]"""
    B_colind: _Array[np.int32]
    """dofs, ascending [nB, int32]"""
    M_rownnz: _Array[np.int32]
    """stored elements of each row of M: the dofs towards the world, then the diagonal [nv, int32]"""
    M_rowadr: _Array[np.int32]
    """address of each row [nv, int32]"""
    M_colind: _Array[np.int32]
    """columns, ascending [nC, int32]"""
    mapM2M: _Array[np.int32]
    """where each element of M is in MuJoCo's older layout [nC, int32]"""
    D_rownnz: _Array[np.int32]
    """stored elements of each row of D: dofs towards the world, itself, dofs below [nv, int32]"""
    D_rowadr: _Array[np.int32]
    """address of each row [nv, int32]"""
    D_diag: _Array[np.int32]
    """position of the diagonal element in its row [nv, int32]"""
    D_colind: _Array[np.int32]
    """columns, ascending [nD, int32]"""
    mapM2D: _Array[np.int32]
    """where each element of D is in M; -1: not stored there [nD, int32]"""
    mapD2M: _Array[np.int32]
    """where each element of M is in D [nC, int32]"""
    @property
    def nq(self) -> int:
        """length of qpos: the numbers of a configuration"""
    @property
    def nv(self) -> int:
        """number of degrees of freedom (dofs): length of qvel, qacc and every joint-space force qfrc_*"""
    @property
    def nu(self) -> int:
        """number of controls: length of ctrl; an actuator may have one, several or none"""
    @property
    def nactuator(self) -> int:
        """number of actuators"""
    @property
    def nout(self) -> int:
        """number of force outputs of all actuators: 3 for a transmission of type so3, else 1 each"""
    @property
    def na(self) -> int:
        """number of activations: length of act"""
    @property
    def nbody(self) -> int:
        """number of bodies, the world (id 0) included"""
    @property
    def nbvh(self) -> int:
        """number of nodes of all trees of bounding boxes: nbvhstatic + nbvhdynamic"""
    @property
    def nbvhstatic(self) -> int:
        """number of nodes whose box is fixed to its body or mesh (bvh_aabb)"""
    @property
    def nbvhdynamic(self) -> int:
        """number of nodes whose box follows a deformable (bvh_aabb_dyn of the data)"""
    @property
    def noct(self) -> int:
        """number of octree cells of all meshes that serve as signed distance fields"""
    @property
    def njnt(self) -> int:
        """number of joints"""
    @property
    def ntree(self) -> int:
        """number of kinematic trees: moving bodies that hang together under the world"""
    @property
    def nM(self) -> int:
        """length of the mass matrix in the older layout of MuJoCo, which dof_Madr and mapM2M address"""
    @property
    def nB(self) -> int:
        """number of stored elements of the body-dof pattern (B_colind)"""
    @property
    def nC(self) -> int:
        """number of stored elements of the mass matrix M: its lower triangle"""
    @property
    def nD(self) -> int:
        """number of stored elements of the derivative matrices qDeriv and qLU: the square pattern of M"""
    @property
    def ngeom(self) -> int:
        """number of geoms"""
    @property
    def nsite(self) -> int:
        """number of sites"""
    @property
    def ncam(self) -> int:
        """number of cameras"""
    @property
    def nlight(self) -> int:
        """number of lights"""
    @property
    def nflex(self) -> int:
        """number of deformables"""
    @property
    def nflexnode(self) -> int:
        """number of nodes of all deformables that are interpolated from a cage"""
    @property
    def nflexvert(self) -> int:
        """number of vertices of all deformables"""
    @property
    def nflexedge(self) -> int:
        """number of edges of all deformables"""
    @property
    def nflexelem(self) -> int:
        """number of elements of all deformables: segments, triangles or tetrahedra"""
    @property
    def nflexelemdata(self) -> int:
        """number of vertex ids in flex_elem: dim + 1 for each element"""
    @property
    def nflexstiffness(self) -> int:
        """length of flex_stiffness"""
    @property
    def nflexbending(self) -> int:
        """length of flex_bending"""
    @property
    def nefm0dof(self) -> int:
        """number of dofs covered by the constant factor of the effective metric (efm0_*)"""
    @property
    def nefm0L(self) -> int:
        """number of stored elements of efm0_L"""
    @property
    def nefmCvert(self) -> int:
        """number of entries of efmC_perm"""
    @property
    def nflexelemedge(self) -> int:
        """number of edge ids in flex_elemedge"""
    @property
    def nflexshelldata(self) -> int:
        """number of vertex ids in flex_shell: dim for each piece of surface"""
    @property
    def nflextexcoord(self) -> int:
        """number of texture coordinates of all deformables"""
    @property
    def nJfe(self) -> int:
        """number of stored elements of the edge Jacobian flexedge_J"""
    @property
    def nmesh(self) -> int:
        """number of meshes"""
    @property
    def nmeshvert(self) -> int:
        """number of vertices of all meshes"""
    @property
    def nmeshnormal(self) -> int:
        """number of normals of all meshes"""
    @property
    def nmeshtexcoord(self) -> int:
        """number of texture coordinates of all meshes"""
    @property
    def nmeshface(self) -> int:
        """number of triangles of all meshes"""
    @property
    def nmeshgraph(self) -> int:
        """length of mesh_graph, which describes convex hulls"""
    @property
    def nmeshpoly(self) -> int:
        """number of polygons of all convex hulls"""
    @property
    def nmeshpolyvert(self) -> int:
        """number of vertex ids of all hull polygons"""
    @property
    def nmeshpolymap(self) -> int:
        """number of polygon ids in the map from vertices to polygons"""
    @property
    def nskin(self) -> int:
        """number of skins"""
    @property
    def nskinvert(self) -> int:
        """number of vertices of all skins"""
    @property
    def nskintexvert(self) -> int:
        """number of texture coordinates of all skins"""
    @property
    def nskinface(self) -> int:
        """number of triangles of all skins"""
    @property
    def nskinbone(self) -> int:
        """number of bones of all skins"""
    @property
    def nskinbonevert(self) -> int:
        """number of pairs of bone and vertex in all skins"""
    @property
    def nhfield(self) -> int:
        """number of height fields"""
    @property
    def nhfielddata(self) -> int:
        """number of samples of all height fields"""
    @property
    def ntex(self) -> int:
        """number of textures"""
    @property
    def ntexdata(self) -> int:
        """bytes of all textures"""
    @property
    def nmat(self) -> int:
        """number of materials"""
    @property
    def npair(self) -> int:
        """number of contact pairs that are listed explicitly"""
    @property
    def nexclude(self) -> int:
        """number of pairs of bodies that never collide"""
    @property
    def neq(self) -> int:
        """number of equality constraints"""
    @property
    def ntendon(self) -> int:
        """number of tendons"""
    @property
    def nJten(self) -> int:
        """number of stored elements of the tendon Jacobian ten_J"""
    @property
    def nwrap(self) -> int:
        """number of stations of all tendon paths: joints, sites, pulleys, wrapping geoms"""
    @property
    def nsensor(self) -> int:
        """number of sensors"""
    @property
    def nnumeric(self) -> int:
        """number of named lists of numbers"""
    @property
    def nnumericdata(self) -> int:
        """length of numeric_data"""
    @property
    def ntext(self) -> int:
        """number of named texts"""
    @property
    def ntextdata(self) -> int:
        """bytes in text_data, each text with its terminating zero"""
    @property
    def ntuple(self) -> int:
        """number of tuples: named lists of objects"""
    @property
    def ntupledata(self) -> int:
        """number of objects in all tuples"""
    @property
    def nkey(self) -> int:
        """number of keyframes"""
    @property
    def nmocap(self) -> int:
        """number of bodies moved from outside (mocap_pos, mocap_quat)"""
    @property
    def nplugin(self) -> int:
        """number of plugin instances"""
    @property
    def npluginattr(self) -> int:
        """bytes in plugin_attr"""
    @property
    def nuser_body(self) -> int:
        """numbers per body in body_user"""
    @property
    def nuser_jnt(self) -> int:
        """numbers per joint in jnt_user"""
    @property
    def nuser_geom(self) -> int:
        """numbers per geom in geom_user"""
    @property
    def nuser_site(self) -> int:
        """numbers per site in site_user"""
    @property
    def nuser_cam(self) -> int:
        """numbers per camera in cam_user"""
    @property
    def nuser_tendon(self) -> int:
        """numbers per tendon in tendon_user"""
    @property
    def nuser_actuator(self) -> int:
        """numbers per actuator in actuator_user"""
    @property
    def nuser_sensor(self) -> int:
        """numbers per sensor in sensor_user"""
    @property
    def nnames(self) -> int:
        """bytes of all names, each with its terminating zero"""
    @property
    def npaths(self) -> int:
        """bytes of all file paths, each with its terminating zero"""
    @property
    def nplastic(self) -> int:
        """length of plastic: rest positions of springs that yield"""
    @property
    def nnames_map(self) -> int:
        """number of slots of the hash table that finds names"""
    @property
    def nJmom(self) -> int:
        """number of stored elements of the actuator moments actuator_moment"""
    @property
    def ngravcomp(self) -> int:
        """number of bodies with gravity compensation"""
    @property
    def nemax(self) -> int:
        """most rows that all equality constraints together can make"""
    @property
    def njmax(self) -> int:
        """limit of constraint rows a model file may state; -1: none given. Kept for the file, memory grows as needed"""
    @property
    def nconmax(self) -> int:
        """limit of contacts a model file may state; -1: none given. Kept for the file, memory grows as needed"""
    @property
    def npolygonmax(self) -> int:
        """most vertices of a hull polygon"""
    @property
    def nmeshdegmax(self) -> int:
        """most polygons that meet at a hull vertex"""
    @property
    def nuserdata(self) -> int:
        """length of userdata"""
    @property
    def nsensordata(self) -> int:
        """length of sensordata"""
    @property
    def npluginstate(self) -> int:
        """length of plugin_state"""
    @property
    def nhistory(self) -> int:
        """length of history: samples of delayed actuators and sensors"""
    @property
    def narena(self) -> int:
        """0 in a compiled model: a ctData finds the size of its arena by itself"""
    @property
    def nbuffer(self) -> int:
        """bytes of the block that holds this struct and all arrays"""
    flg_gravcomp: bool
    """some body has gravity compensation"""
    flg_surfacevel: bool
    """some geom has a surface velocity"""
    flg_adhesion: bool
    """some geom or contact pair is adhesive"""
    @property
    def opt(self) -> _Opt:
        """physics options; may be changed between steps"""
    @property
    def stat(self) -> _Stat:
        """statistics of the model"""
    @property
    def vis(self) -> _Vis:
        """drawing settings, which the engine keeps and does not use"""

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
    def writable(self, name: str) -> NDArray[Any]: ...
    def __init__(self, model: Model) -> None: ...
    timing: bool
    @property
    def model(self) -> Model: ...
    @property
    def status(self) -> Status: ...
    def set_threads(self, count: int) -> None: ...
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
    def contact(self) -> _ContactArray:
        """The contacts of the last step, a read-only copy: `contact.dist`, `contact[0].geom`."""
    @property
    def warning(self) -> _WarningArray:
        """problems since the last reset, a record for each kind (WarningType): how often, and where last"""
    @property
    def timer(self) -> _TimerArray:
        """time spent, a record for each stage (TimerType): seconds and calls; filled while `timing` is on"""
    @property
    def solver(self) -> _SolverArray:
        """iterations of the constraint solver: 200 records for each of the first 20 islands"""
    qpos: _Array[np.float64]
    """configuration: slides m, hinges rad, balls a quaternion w x y z, free joints position and quaternion [nq, float64]"""
    qvel: _Array[np.float64]
    """velocities of the dofs, m/s or rad/s; rotations of free joints and balls in the body frame [nv, float64]"""
    act: _Array[np.float64]
    """activations of actuators [na, float64]"""
    history: _Array[np.float64]
    """past controls and measurements of delayed actuators and sensors: ring buffers [nhistory, float64]"""
    plastic: _Array[np.float64]
    """rest positions of springs that yield [nplastic, float64]"""
    qacc_warmstart: _Array[np.float64]
    """accelerations the solver starts from: those of the last step [nv, float64]"""
    plugin_state: _Array[np.float64]
    """state of plugins [npluginstate, float64]"""
    ctrl: _Array[np.float64]
    """controls of actuators [nu, float64]"""
    qfrc_applied: _Array[np.float64]
    """forces on the dofs, N or N m [nv, float64]"""
    xfrc_applied: _Array[np.float64]
    """force (N), then torque (N m), on each body at its centre of mass, world axes [nbody x 6, float64]"""
    eq_active: _Array[np.bool_]
    """whether each equality constraint is active [neq, bool]"""
    mocap_pos: _Array[np.float64]
    """positions of mocap bodies, world axes, m [nmocap x 3, float64]"""
    mocap_quat: _Array[np.float64]
    """orientations of mocap bodies, world axes, quaternion w x y z [nmocap x 4, float64]"""
    qacc: _Array[np.float64]
    """accelerations of the dofs: of the forward dynamics, or given to the inverse dynamics [nv, float64]"""
    act_dot: _Array[np.float64]
    """rates of the activations [na, float64]"""
    userdata: _Array[np.float64]
    """the user's own numbers; the engine neither reads nor writes them [nuserdata, float64]"""
    sensordata: _Array[np.float64]
    """measurements of the sensors, at sensor_adr [nsensordata, float64]"""
    tree_asleep: _Array[np.int32]
    """negative: awake, counting up from -11 to -1, when it may sleep; else asleep: the next tree of its cycle [ntree, int32]"""
    plugin: _Array[np.int32]
    """number of the plugin of each instance [nplugin, int32]"""
    plugin_data: _Array[np.uintp]
    """memory of each plugin instance: 0, their memory is plugin_state [nplugin, uint64]"""
    xpos: _Array[np.float64]
    """origin of the body frame, m [nbody x 3, float64]"""
    xquat: _Array[np.float64]
    """orientation of the body frame, quaternion w x y z [nbody x 4, float64]"""
    xmat: _Array[np.float64]
    """the same as a matrix, row by row [nbody x 9, float64]"""
    xipos: _Array[np.float64]
    """centre of mass of the body, m [nbody x 3, float64]"""
    xiquat: _Array[np.float64]
    """orientation of the principal axes of inertia [nbody x 4, float64]"""
    ximat: _Array[np.float64]
    """the same as a matrix, row by row [nbody x 9, float64]"""
    xanchor: _Array[np.float64]
    """anchor of the joint, m [njnt x 3, float64]"""
    xaxis: _Array[np.float64]
    """axis of the joint, unit length [njnt x 3, float64]"""
    geom_xpos: _Array[np.float64]
    """position of the geom, m [ngeom x 3, float64]"""
    geom_xquat: _Array[np.float64]
    """orientation of the geom [ngeom x 4, float64]"""
    geom_xmat: _Array[np.float64]
    """the same as a matrix, row by row [ngeom x 9, float64]"""
    site_xpos: _Array[np.float64]
    """position of the site, m [nsite x 3, float64]"""
    site_xquat: _Array[np.float64]
    """orientation of the site [nsite x 4, float64]"""
    site_xmat: _Array[np.float64]
    """the same as a matrix, row by row [nsite x 9, float64]"""
    cam_xpos: _Array[np.float64]
    """position of the camera, m [ncam x 3, float64]"""
    cam_xmat: _Array[np.float64]
    """orientation of the camera as a matrix, row by row; it looks along -z [ncam x 9, float64]"""
    light_xpos: _Array[np.float64]
    """position of the light, m [nlight x 3, float64]"""
    light_xdir: _Array[np.float64]
    """direction of the light, unit length [nlight x 3, float64]"""
    subtree_com: _Array[np.float64]
    """centre of mass of the body and everything below it, m [nbody x 3, float64]"""
    cdof: _Array[np.float64]
    """motion axis of the dof: rotation, translation at the centre of mass of its tree; world axes [nv x 6, float64]"""
    cinert: _Array[np.float64]
    """inertia of the body about the centre of mass of its tree, world axes: 6 of the tensor, mass times offset, mass [nbody x 10, float64]"""
    flexvert_xpos: _Array[np.float64]
    """vertex, world axes, m [nflexvert x 3, float64]"""
    flexelem_aabb: _Array[np.float64]
    """box around the element, world axes: centre, half sizes; m [nflexelem x 6, float64]"""
    flexelem_krot: _Array[np.float64]
    """stiffness of the element in its rotated frame [nflexstiffness, float64]"""
    flex_hessian_valid: _Array[np.bool_]
    """flexvert_hessian and flexedge_hessian are current [nflex, bool]"""
    flexvert_hessian: _Array[np.float64]
    """diagonal block of the stretching Hessian, upper triangle [nflexvert x 6, float64]"""
    flexedge_hessian: _Array[np.float64]
    """block of the stretching Hessian between the ends of the edge [nflexedge x 9, float64]"""
    flexedge_J: _Array[np.float64]
    """Jacobian of the edge lengths, sparse: flexedge_J_* of the model [nJfe, float64]"""
    flexedge_length: _Array[np.float64]
    """length of the edge, m [nflexedge, float64]"""
    bvh_aabb_dyn: _Array[np.float64]
    """bounding box, world axes: centre, half sizes; m [nbvhdynamic x 6, float64]"""
    flexvert_lambda: _Array[np.float64]
    """contact multiplier kept from step to step [nflexvert, float64]"""
    flexvert_conage: _Array[np.int32]
    """negative: in contact; positive: steps since [nflexvert, int32]"""
    ten_wrapadr: _Array[np.int32]
    """first point of the path in wrap_obj and wrap_xpos, which are lists of points here [ntendon, int32]"""
    ten_wrapnum: _Array[np.int32]
    """number of points of the path [ntendon, int32]"""
    ten_J: _Array[np.float64]
    """Jacobian of the tendon lengths, sparse: ten_J_* of the model [nJten, float64]"""
    ten_length: _Array[np.float64]
    """length, m; of a fixed tendon the weighted sum of joint positions [ntendon, float64]"""
    wrap_obj: _Array[np.int32]
    """what each point is on: a geom, -1 a site, -2 a pulley; two points for each station [nwrap x 2, int32]"""
    wrap_xpos: _Array[np.float64]
    """the points, world axes, m; two for each station [nwrap x 6, float64]"""
    actuator_length: _Array[np.float64]
    """length of the transmission, scaled by the gear [nout, float64]"""
    moment_rownnz: _Array[np.int32]
    """stored elements of each row of actuator_moment [nout, int32]"""
    moment_rowadr: _Array[np.int32]
    """address of each row [nout, int32]"""
    moment_colind: _Array[np.int32]
    """dofs of the stored elements [nJmom, int32]"""
    actuator_moment: _Array[np.float64]
    """Jacobian of the actuator lengths, sparse [nJmom, float64]"""
    crb: _Array[np.float64]
    """inertia of the body and everything below it, as cinert [nbody x 10, float64]"""
    M: _Array[np.float64]
    """mass matrix, lower triangle, sparse: M_* of the model [nC, float64]"""
    qLD: _Array[np.float64]
    """factor of M, L' D L, in the same pattern [nC, float64]"""
    qLDiagInv: _Array[np.float64]
    """inverse of the diagonal of D [nv, float64]"""
    tree_awake: _Array[np.int32]
    """1 awake, 0 asleep [ntree, int32]"""
    body_awake: _Array[np.int32]
    """state of each body (ctSleepState) [nbody, int32]"""
    body_awake_ind: _Array[np.int32]
    """bodies that are awake or static, nbody_awake of them [nbody, int32]"""
    parent_awake_ind: _Array[np.int32]
    """bodies whose parent is awake or static, nparent_awake of them [nbody, int32]"""
    dof_awake_ind: _Array[np.int32]
    """dofs that are awake, nv_awake of them [nv, int32]"""
    flexedge_velocity: _Array[np.float64]
    """rate of the edge length, m/s [nflexedge, float64]"""
    ten_velocity: _Array[np.float64]
    """rate of the tendon length, m/s [ntendon, float64]"""
    actuator_velocity: _Array[np.float64]
    """rate of the actuator length [nout, float64]"""
    cvel: _Array[np.float64]
    """velocity of the body at the centre of mass of its tree: rotation, translation; world axes [nbody x 6, float64]"""
    cdof_dot: _Array[np.float64]
    """rate of cdof [nv x 6, float64]"""
    qfrc_bias: _Array[np.float64]
    """Coriolis, centrifugal and gravity forces: what must be applied for qacc 0 [nv, float64]"""
    qfrc_spring: _Array[np.float64]
    """forces of springs [nv, float64]"""
    qfrc_damper: _Array[np.float64]
    """forces of dampers [nv, float64]"""
    qfrc_gravcomp: _Array[np.float64]
    """forces of gravity compensation [nv, float64]"""
    qfrc_fluid: _Array[np.float64]
    """forces of the medium [nv, float64]"""
    qfrc_adhesion: _Array[np.float64]
    """forces of adhesive contacts [nv, float64]"""
    qfrc_passive: _Array[np.float64]
    """sum of the passive forces: springs, dampers, gravity compensation (but where jnt_actgravcomp is set), medium, adhesion [nv, float64]"""
    subtree_linvel: _Array[np.float64]
    """velocity of the centre of mass of the subtree, m/s [nbody x 3, float64]"""
    subtree_angmom: _Array[np.float64]
    """angular momentum of the subtree about its centre of mass, kg m^2/s [nbody x 3, float64]"""
    qH: _Array[np.float64]
    """factor of M with implicit damping, as qLD [nC, float64]"""
    qHDiagInv: _Array[np.float64]
    """inverse of the diagonal of that factor's D [nv, float64]"""
    qDeriv: _Array[np.float64]
    """derivative of passive, actuator and minus bias forces by qvel, sparse: D_* of the model [nD, float64]"""
    qLU: _Array[np.float64]
    """LU factor of M - timestep * qDeriv, in the same pattern [nD, float64]"""
    actuator_force: _Array[np.float64]
    """force of each output, N or N m [nout, float64]"""
    qfrc_actuator: _Array[np.float64]
    """forces of the actuators on the dofs [nv, float64]"""
    qfrc_smooth: _Array[np.float64]
    """sum of all forces but those of constraints [nv, float64]"""
    qacc_smooth: _Array[np.float64]
    """acceleration without constraints [nv, float64]"""
    qfrc_constraint: _Array[np.float64]
    """forces of the constraints [nv, float64]"""
    qfrc_inverse: _Array[np.float64]
    """force that must be applied from outside for qacc: the result of ct_inverse() [nv, float64]"""
    cacc: _Array[np.float64]
    """acceleration of the body at the centre of mass of its tree, gravity counted as upward acceleration [nbody x 6, float64]"""
    cfrc_int: _Array[np.float64]
    """force between the body and its parent [nbody x 6, float64]"""
    cfrc_ext: _Array[np.float64]
    """external force on the body: xfrc_applied, contacts, equality constraints [nbody x 6, float64]"""
    efc_type: _Array[np.int32]
    """type of each row (ctConstraintType) [nefc, int32]"""
    efc_id: _Array[np.int32]
    """equality, dof, tendon, joint or contact, by type [nefc, int32]"""
    efc_J_rownnz: _Array[np.int32]
    """stored elements of each row of efc_J [nefc, int32]"""
    efc_J_rowadr: _Array[np.int32]
    """address of each row [nefc, int32]"""
    efc_J_rowsuper: _Array[np.int32]
    """number of rows after it with the same columns: its supernode [nefc, int32]"""
    efc_J_colind: _Array[np.int32]
    """dofs of the stored elements [nJ, int32]"""
    efc_J: _Array[np.float64]
    """Jacobian; dense rows of nv numbers where efc_J_rownnz is empty [nJ, float64]"""
    efc_pos: _Array[np.float64]
    """equality: error; limit and contact: distance, negative when violated; m or rad; dry friction: 0 [nefc, float64]"""
    efc_margin: _Array[np.float64]
    """distance below which the row acts [nefc, float64]"""
    efc_frictionloss: _Array[np.float64]
    """largest force of dry friction; 0 for other types [nefc, float64]"""
    efc_diagA: _Array[np.float64]
    """diagonal of J M^-1 J', estimated, or exact with the flag diagexact [nefc, float64]"""
    efc_KBIP: _Array[np.float64]
    """stiffness, damping, impedance and its derivative [nefc x 4, float64]"""
    efc_D: _Array[np.float64]
    """1 / efc_R: how strongly a row is enforced [nefc, float64]"""
    efc_R: _Array[np.float64]
    """regularisation: how soft a row is [nefc, float64]"""
    tendon_efcadr: _Array[np.int32]
    """first row that involves the tendon; -1: none [ntendon, int32]"""
    efc_vel: _Array[np.float64]
    """J qvel [nefc, float64]"""
    efc_aref: _Array[np.float64]
    """reference acceleration: what the constraint asks for [nefc, float64]"""
    efc_b: _Array[np.float64]
    """J qacc_smooth - efc_aref [nefc, float64]"""
    efc_state: _Array[np.int32]
    """0 satisfied, 1 quadratic, 2 and 3 friction at its negative and positive limit, 4 on the cone [nefc, int32]"""
    efc_force: _Array[np.float64]
    """force of each row, in its own coordinate [nefc, float64]"""
    efc_Y_rownnz: _Array[np.int32]
    """stored elements of each row of efc_Y [nefc, int32]"""
    efc_Y_rowadr: _Array[np.int32]
    """address of each row [nefc, int32]"""
    efc_Y_colind: _Array[np.int32]
    """dofs of the stored elements [nY, int32]"""
    efc_Y: _Array[np.float64]
    """J M^-1/2 [nY, float64]"""
    efc_AR_rownnz: _Array[np.int32]
    """stored elements of each row of efc_AR [nefc, int32]"""
    efc_AR_rowadr: _Array[np.int32]
    """address of each row [nefc, int32]"""
    efc_AR_colind: _Array[np.int32]
    """constraint rows of the stored elements [nA, int32]"""
    efc_AR: _Array[np.float64]
    """J M^-1 J' + diag(R) [nA, float64]"""
    tree_island: _Array[np.int32]
    """island of each tree; -1: none [ntree, int32]"""
    island_ntree: _Array[np.int32]
    """number of trees of each island [nisland, int32]"""
    island_itreeadr: _Array[np.int32]
    """first tree of each island in map_itree2tree [nisland, int32]"""
    map_itree2tree: _Array[np.int32]
    """trees by island [ntree, int32]"""
    dof_island: _Array[np.int32]
    """island of each dof; -1: none [nv, int32]"""
    island_nv: _Array[np.int32]
    """number of dofs of each island [nisland, int32]"""
    island_idofadr: _Array[np.int32]
    """first dof of each island in the order of islands [nisland, int32]"""
    island_dofadr: _Array[np.int32]
    """first dof of each island, as numbered in the model [nisland, int32]"""
    map_dof2idof: _Array[np.int32]
    """place of each dof in the order of islands [nv, int32]"""
    map_idof2dof: _Array[np.int32]
    """dofs in the order of islands; those in none come last [nv, int32]"""
    ifrc_smooth: _Array[np.float64]
    """qfrc_smooth in the order of islands [nidof, float64]"""
    iacc_smooth: _Array[np.float64]
    """qacc_smooth in the order of islands [nidof, float64]"""
    iacc: _Array[np.float64]
    """qacc in the order of islands [nidof, float64]"""
    efc_island: _Array[np.int32]
    """island of each constraint row [nefc, int32]"""
    island_ne: _Array[np.int32]
    """number of equality rows of each island [nisland, int32]"""
    island_nf: _Array[np.int32]
    """number of friction rows of each island [nisland, int32]"""
    island_nefc: _Array[np.int32]
    """number of rows of each island [nisland, int32]"""
    island_iefcadr: _Array[np.int32]
    """first row of each island in the order of islands [nisland, int32]"""
    map_efc2iefc: _Array[np.int32]
    """place of each row in the order of islands [nefc, int32]"""
    map_iefc2efc: _Array[np.int32]
    """rows in the order of islands [nefc, int32]"""
    iefc_type: _Array[np.int32]
    """efc_type in the order of islands [nefc, int32]"""
    iefc_id: _Array[np.int32]
    """efc_id in the order of islands [nefc, int32]"""
    iefc_frictionloss: _Array[np.float64]
    """efc_frictionloss in the order of islands [nefc, float64]"""
    iefc_D: _Array[np.float64]
    """efc_D in the order of islands [nefc, float64]"""
    iefc_R: _Array[np.float64]
    """efc_R in the order of islands [nefc, float64]"""
    iefc_aref: _Array[np.float64]
    """efc_aref in the order of islands [nefc, float64]"""
    iefc_state: _Array[np.int32]
    """efc_state in the order of islands [nefc, int32]"""
    iefc_force: _Array[np.float64]
    """efc_force in the order of islands [nefc, float64]"""
    ifrc_constraint: _Array[np.float64]
    """qfrc_constraint in the order of islands [nidof, float64]"""
    efm_c: _Array[np.float64]
    """effective metric: shift of the smooth force, h K qvel [nv, float64]"""
    efm_diag: _Array[np.float64]
    """effective metric: diagonal of h damping + h^2 stiffness [nv, float64]"""
    efm_ck: _Array[np.float64]
    """effective metric: h stiffness on the diagonal [nv, float64]"""
    efm_sdiag: _Array[np.float64]
    """effective metric: what is added to the diagonal of M [nv, float64]"""
    efm_fluid: _Array[np.float64]
    """effective metric: drag in the pattern of M [nC, float64]"""
    efm_tid: _Array[np.int32]
    """effective metric: tendons that contribute [ntendon, int32]"""
    efm_ts: _Array[np.float64]
    """effective metric: h^2 stiffness + h damping of each [ntendon, float64]"""
    efm_tk: _Array[np.float64]
    """effective metric: h stiffness of each [ntendon, float64]"""
    efm_aid: _Array[np.int32]
    """effective metric: actuators that contribute [nactuator, int32]"""
    efm_as: _Array[np.float64]
    """effective metric: h^2 and h terms of each [nactuator, float64]"""
    efm_ak: _Array[np.float64]
    """effective metric: h stiffness of each [nactuator, float64]"""
    efm_ca: _Array[np.float64]
    """effective metric: shift of the smooth force by actuators [nv, float64]"""
    efm_K_rownnz: _Array[np.int32]
    """effective metric: stored elements of each row of the stiffness matrix [nv, int32]"""
    efm_K_rowadr: _Array[np.int32]
    """effective metric: address of each row [nv, int32]"""
    efm_K_colind: _Array[np.int32]
    """effective metric: columns [nefmK, int32]"""
    efm_K_val: _Array[np.float64]
    """effective metric: values [nefmK, float64]"""
    efm_dofid: _Array[np.int32]
    """effective metric: first dof of each vertex that is covered [nefmdof, int32]"""
    efm_con_ind: _Array[np.int32]
    """effective metric: contact rows: count, contact, columns of each [nefmcon, int32]"""
    efm_con_val: _Array[np.float64]
    """effective metric: contact rows: scale, force, values of each [nefmcon, float64]"""
    efm_L: _Array[np.float64]
    """effective metric: factor of M + K [nefmL, float64]"""
    @property
    def ncon(self) -> int:
        """number of contacts"""
    @property
    def ne(self) -> int:
        """number of constraint rows of equalities: the first ones"""
    @property
    def nf(self) -> int:
        """number of constraint rows of dry friction in dofs and tendons: the next ones"""
    @property
    def nl(self) -> int:
        """number of constraint rows of joint and tendon limits: the next ones, before those of contacts"""
    @property
    def nefc(self) -> int:
        """number of constraint rows of all kinds"""
    @property
    def nJ(self) -> int:
        """number of stored elements of the constraint Jacobian efc_J: nefc * nv when it is dense"""
    @property
    def efm_active(self) -> int:
        """effective metric: 0 off, 1 on, 2 on with a general stiffness matrix"""
    @property
    def nefmK(self) -> int:
        """number of stored elements of efm_K_val"""
    @property
    def nefmcon(self) -> int:
        """length of efm_con_ind and efm_con_val"""
    @property
    def nefmT(self) -> int:
        """number of tendons that contribute to the effective metric"""
    @property
    def nefmA(self) -> int:
        """number of actuators that contribute to the effective metric"""
    @property
    def nefmdof(self) -> int:
        """number of vertices the effective metric covers, three dofs each"""
    @property
    def nefmL(self) -> int:
        """length of efm_L"""
    @property
    def nY(self) -> int:
        """number of stored elements of efc_Y"""
    @property
    def nA(self) -> int:
        """number of stored elements of efc_AR"""
    @property
    def nisland(self) -> int:
        """number of islands: sets of trees connected by constraint rows"""
    @property
    def nidof(self) -> int:
        """number of dofs in islands; the others are touched by no row"""
    @property
    def ntree_awake(self) -> int:
        """number of trees that are awake: all without the sleep flag"""
    @property
    def nbody_awake(self) -> int:
        """number of bodies that are awake or static, the length of body_awake_ind in use"""
    @property
    def nparent_awake(self) -> int:
        """number of bodies whose parent is awake or static, the length of parent_awake_ind in use"""
    @property
    def nv_awake(self) -> int:
        """number of dofs that are awake, the length of dof_awake_ind in use"""
    time: float
    """simulated time, s"""
    energy: _Array[np.float64]
    """potential and kinetic energy, J; computed by ct_energy_compute(), and by every step while the flag energy is set [2, float64]"""
    flg_energypos: bool
    """energy[0] is current"""
    flg_energyvel: bool
    """energy[1] is current"""
    flg_subtreevel: bool
    """subtree_linvel and subtree_angmom are current"""
    flg_rnepost: bool
    """cacc, cfrc_int and cfrc_ext are current"""
    solver_niter: _Array[np.int32]
    """iterations the solver took [20, int32]"""
    solver_nnz: _Array[np.int32]
    """elements of the matrix the solver worked on: factor (Newton), J (CG) or AR (PGS) [20, int32]"""
    solver_fwdinv: _Array[np.float64]
    """difference between forward and inverse dynamics while the flag fwdinv is set: constraint force, applied force [2, float64]"""

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
    def to_frame(self) -> Element: ...
    def remove(self) -> None: ...

class Default:
    name: str
    def add(self, name: str) -> Default: ...
    def __getattr__(self, tag: str) -> Any: ...

class Spec:
    modelname: str
    def __init__(self, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0, plugins: _Paths | None = None) -> None: ...
    @classmethod
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0, plugins: _Paths | None = None) -> Spec: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0, plugins: _Paths | None = None) -> Spec: ...
    @classmethod
    def from_urdf(cls, path: str | PathLike[str], assets: _Assets | None = None, *, lossless: bool = True, mujoco: bool = False, floating_base: bool = False, actuators: bool = False, package_path: _Paths | None = None, balance_inertia: bool = False, bound_mass: float = 0, bound_inertia: float = 0, total_mass: float = 0) -> Spec: ...
    @classmethod
    def from_urdf_string(cls, text: str | bytes, assets: _Assets | None = None, *, lossless: bool = True, mujoco: bool = False, floating_base: bool = False, actuators: bool = False, package_path: _Paths | None = None, balance_inertia: bool = False, bound_mass: float = 0, bound_inertia: float = 0, total_mass: float = 0) -> Spec: ...
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
    def flex(self, name: str) -> Element: ...
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
    def flexes(self) -> list[Element]: ...
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
    def __setitem__(self, key: Any, value: ArrayLike) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def device(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class BatchProfile(NamedTuple):
    steps: int
    seconds: float
    stages: dict[str, float]
    lanes: int
    processors: int
    resident: int
    hertz: float
    step_bytes: int
    array_bytes: int
    arena_bytes: int

class BatchInfo(NamedTuple):
    backend: str
    nworld: int
    threads: int
    device: int
    real_bytes: int
    bytes_per_world: int
    bytes: int
    device_name: str
    @property
    def precision(self) -> str: ...

class Batch:
    def __init__(self, model: Model, nworld: SupportsIndex, backend: str = "auto", *, threads: SupportsIndex = 0,
                 device: SupportsIndex = 0, precision: str | None = None, stream: int = 0, reset_bad: bool = False,
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
    @property
    def precision(self) -> str: ...
    def copy(self) -> Batch: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, memo: Any) -> Batch: ...
    def step(self, n: SupportsIndex = 1) -> None: ...
    def profile(self, n: SupportsIndex = 10) -> BatchProfile: ...
    def forward(self) -> None: ...
    def sync(self) -> None: ...
    def rollout(self, ctrl: ArrayLike | None = None, nstep: SupportsIndex | None = None
                ) -> dict[str, NDArray[Any]]: ...
    def reset(self, ids: ArrayLike | slice | None = None, mask: ArrayLike | None = None,
              key: str | SupportsIndex | None = None) -> None: ...
    def output(self, *names: str) -> None: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...
    def vary(self, *names: str) -> None: ...
    def update(self) -> None: ...
    def set_noise(self, seed: int) -> None: ...
    def clear_noise(self) -> None: ...
    def data(self, world: SupportsIndex) -> Data: ...
    def world_model(self, world: SupportsIndex) -> Model: ...
    def render(self, ids: Sequence[int] | None = None, height: int = 120, width: int = 160, *,
               camera: Camera | str | SupportsIndex | None = None, columns: SupportsIndex | None = None, **options: Any) -> NDArray[np.uint8]: ...
    def contacts(self, world: SupportsIndex) -> _ContactArray: ...
    def contact_forces(self, world: SupportsIndex) -> NDArray[np.float64]: ...
    def view(self, name: str) -> Any: ...
    def get(self, name: str, ids: ArrayLike | slice | None = None) -> NDArray[Any]: ...
    def set(self, name: str, values: ArrayLike, ids: ArrayLike | slice | None = None) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    @property
    def status(self) -> NDArray[np.int32]: ...
    @property
    def warnings(self) -> Any: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes) -> None: ...


class Camera:
    kind: str
    id: int
    lookat: Sequence[float]
    distance: float
    azimuth: float
    elevation: float
    def __init__(self, kind: str = "free", id: int = 0, lookat: Sequence[float] = (0.0, 0.0, 0.0), distance: float = 1.0,
                 azimuth: float = 90.0, elevation: float = -45.0) -> None: ...

class Renderer:
    model: Model
    height: int
    width: int
    def __init__(self, model: Model, height: SupportsIndex = 240, width: SupportsIndex = 320, *, backend: str = "auto",
                 samples: SupportsIndex = 0, background: Sequence[float] = (0.0, 0.0, 0.0)) -> None: ...
    def camera(self, name: str | SupportsIndex | None = None) -> Camera: ...
    def show(self, *names: str) -> None: ...
    def hide(self, *names: str) -> None: ...
    def update(self, data: Data, camera: Camera | str | SupportsIndex | None = None, *, selected: SupportsIndex = 0) -> None: ...
    def render(self) -> NDArray[np.uint8]: ...
    def depth(self) -> NDArray[np.float32]: ...
    def segmentation(self) -> NDArray[np.int32]: ...
    def upload(self) -> None: ...
    @property
    def name(self) -> str: ...
    def close(self) -> None: ...
    def __enter__(self) -> Renderer: ...
    def __exit__(self, *reason: object) -> None: ...

class Replay:
    model: Model
    qpos: NDArray[np.float64]
    time: NDArray[np.float64]
    def __init__(self, model: Model, qpos: ArrayLike, time: ArrayLike | None = None) -> None: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def apply_force(model: Model, data: Data, force: ArrayLike | None, torque: ArrayLike | None, point: ArrayLike,
                body: str | SupportsIndex, qfrc: NDArray[np.floating[Any]]) -> None: ...
def build_info() -> str: ...
def energy(model: Model, data: Data) -> tuple[float, float]: ...
def full_mass(model: Model, data: Data) -> NDArray[np.float64]: ...
def get_state(model: Model, data: Data, which: int = ...) -> NDArray[np.float64]: ...
def reset_keyframe(model: Model, data: Data, key: str | SupportsIndex) -> None: ...
def set_state(model: Model, data: Data, state: ArrayLike, which: int = ...) -> None: ...
def state_size(model: Model, which: int = ...) -> int: ...
def run_part(model: Model, data: Data, part: int, /) -> None: ...
def step(model: Model, data: Data, /, nstep: int = 1) -> None: ...
def tree_state(model: Model, data: Data, tree: SupportsIndex) -> SleepState: ...
def body_state(model: Model, data: Data, body: str | SupportsIndex) -> SleepState: ...
def tree_cycle(model: Model, data: Data, tree: SupportsIndex) -> list[int]: ...
def wake(model: Model, data: Data, tree: SupportsIndex | None = None) -> None: ...
def sleep(model: Model, data: Data, trees: ArrayLike) -> None: ...

class DerivativeError(NamedTuple):
    eps: float
    centered: float
    forward: float
    worst: str

def check_derivatives(model: Model, data: Data, method: str = "auto", sizes: Sequence[float] = ..., *,
                      threads: int = 1) -> list[DerivativeError]: ...

class Linearization(tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.float64] | None]):
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def report(self) -> dict[str, Any]: ...
    @property
    def A(self) -> NDArray[np.float64]: ...
    @property
    def B(self) -> NDArray[np.float64]: ...
    @property
    def C(self) -> NDArray[np.float64] | None: ...
    @property
    def D(self) -> NDArray[np.float64] | None: ...

def linearize(model: Model, data: Data, method: str = "auto", *, eps: float = 1e-6, centered: bool = True,
              sensors: bool = True, threads: int = 1) -> Linearization: ...
def linearize_states(model: Model, states: ArrayLike, method: str = "auto", *, eps: float = 1e-6, centered: bool = True,
                     sensors: bool = False, threads: int = 0) -> list[Linearization]: ...
def linearize_batch(batch: Batch, method: str = "auto", *, eps: float = 1e-6, centered: bool = True, sensors: bool = False,
                    threads: int = 0) -> list[Linearization]: ...

class Rollout:
    model: Model
    steps: int
    states: NDArray[np.float64]
    def __init__(self, model: Model, data: Data, ctrl: ArrayLike | None = None, steps: int | None = None, *, threads: int = 1) -> None: ...
    @property
    def qpos(self) -> NDArray[np.float64]: ...
    @property
    def qvel(self) -> NDArray[np.float64]: ...
    @property
    def act(self) -> NDArray[np.float64]: ...
    def vjp(self, states: ArrayLike, sensors: ArrayLike | None = None, *,
            method: str = "auto") -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

def transition_fd(model: Model, data: Data, eps: float = 1e-6, centered: bool = False, *, sensors: bool = True,
                  threads: int = 1) -> tuple[NDArray[np.float64] | None, ...]: ...
def transition_fd_batch(batch: Batch, eps: float = 0.0, centered: bool = False, *,
                        sensors: bool = False) -> tuple[NDArray[np.float64] | None, ...]: ...
def inverse_fd(model: Model, data: Data, eps: float = 1e-6, actuation: bool = False, *, sensors: bool = True,
               mass: bool = True, threads: int = 1) -> tuple[NDArray[np.float64] | None, ...]: ...
def inverse_derivative(model: Model, data: Data, actuation: bool = False, *,
                       sensors: bool = False) -> tuple[NDArray[np.float64], ...]: ...
def smooth_velocity_derivative(model: Model, data: Data) -> NDArray[np.float64]: ...
def quat_difference_derivative(start: ArrayLike, end: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def quat_integration_derivative(vel: ArrayLike, dt: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def add_mass(model: Model, data: Data, matrix: NDArray[np.floating[Any]]) -> None: ...
def angular_momentum(model: Model, data: Data, body: str | SupportsIndex) -> NDArray[np.float64]: ...
def bias_force(model: Model, data: Data, acceleration: bool = ...) -> NDArray[np.float64]: ...
def contact_force(model: Model, data: Data, contact: int) -> NDArray[np.float64]: ...
def copy_state(model: Model, to: Data, source: Data, which: int = ...) -> None: ...
def differentiate_pos(model: Model, start: ArrayLike, end: ArrayLike, dt: float = ...) -> NDArray[np.float64]: ...
def extract_state(model: Model, state: ArrayLike, which: int, part: int) -> NDArray[np.float64]: ...
def geom_distance(model: Model, data: Data, geom1: str | SupportsIndex, geom2: str | SupportsIndex, distmax: float = ...) -> tuple[float, NDArray[np.float64]]: ...
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
def ray_cast(model: Model, data: Data, point: ArrayLike, direction: ArrayLike, geomgroup: ArrayLike | None = ..., skip_static: bool = ..., skip_body: str | SupportsIndex | None = ...) -> tuple[float, int, NDArray[np.float64]]: ...
def ray_cast_many(model: Model, data: Data, point: ArrayLike, direction: ArrayLike, geomgroup: ArrayLike | None = ..., skip_static: bool = ..., skip_body: str | SupportsIndex | None = ...) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]: ...
def ray_flex(model: Model, data: Data, flex: str | SupportsIndex, point: ArrayLike, direction: ArrayLike, vertices: ArrayLike = ..., edges: bool = ..., faces: ArrayLike = ..., skin: bool = ..., layer: int = ...) -> tuple[float, int, NDArray[np.float64]]: ...
def ray_geom(model: Model, data: Data, geom: str | SupportsIndex, point: ArrayLike, direction: ArrayLike) -> tuple[float, NDArray[np.float64]]: ...
def ray_shape(type: int, pos: ArrayLike, mat: ArrayLike, size: ArrayLike, point: ArrayLike, direction: ArrayLike) -> tuple[float, NDArray[np.float64]]: ...
def ray_skin(faces: ArrayLike, vertices: ArrayLike, point: ArrayLike, direction: ArrayLike) -> tuple[float, int]: ...
def read_ctrl(model: Model, data: Data, actuator: str | SupportsIndex, time: float, interp: int = ...) -> NDArray[np.float64]: ...
def read_sensor(model: Model, data: Data, sensor: str | SupportsIndex, time: float, interp: int = ...) -> NDArray[np.float64]: ...
def rows_mul(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def rows_mul_transposed(model: Model, data: Data, vector: ArrayLike) -> NDArray[np.float64]: ...
def save_state(model: Model, data: Data, path: str | PathLike[str] | None = ...) -> bytes: ...
def set_ctrl_history(model: Model, data: Data, actuator: str | SupportsIndex, times: ArrayLike | None, values: ArrayLike) -> None: ...
def set_keyframe(model: Model, data: Data, key: str | SupportsIndex) -> None: ...
def set_sensor_history(model: Model, data: Data, sensor: str | SupportsIndex, times: ArrayLike | None, values: ArrayLike, phase: float = ...) -> None: ...
def set_total_mass(model: Model, mass: float) -> None: ...
def site_contains(model: Model, data: Data, site: str | SupportsIndex, point: ArrayLike) -> bool: ...
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
