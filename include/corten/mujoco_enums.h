/// @file
/// Enumerations and constants of MuJoCo 4.0, by their names and values. Included by corten/mujoco.h; written
/// by tools/mujoco_names.py.
#pragma once

// clang-format off
/// As there.
typedef enum mjtActuator_ {
  mjACTUATOR_GENERAL = 0, mjACTUATOR_MOTOR = 1, mjACTUATOR_POSITION = 2, mjACTUATOR_VELOCITY = 3,
  mjACTUATOR_INTVELOCITY = 4, mjACTUATOR_DAMPER = 5, mjACTUATOR_CYLINDER = 6, mjACTUATOR_MUSCLE = 7,
  mjACTUATOR_ADHESION = 8, mjACTUATOR_PID = 9, mjACTUATOR_ORIENTATION = 10, mjACTUATOR_DCMOTOR = 11
} mjtActuator;
/// As there.
typedef enum mjtAlignFree_ {
  mjALIGNFREE_FALSE = 0, mjALIGNFREE_TRUE = 1, mjALIGNFREE_AUTO = 2
} mjtAlignFree;
/// As there.
typedef enum mjtBias_ {
  mjBIAS_NONE = 0, mjBIAS_AFFINE = 1, mjBIAS_MUSCLE = 2, mjBIAS_DCMOTOR = 3, mjBIAS_SO3 = 4, mjBIAS_USER =
  5
} mjtBias;
/// As there.
typedef enum mjtBuiltin_ {
  mjBUILTIN_NONE = 0, mjBUILTIN_GRADIENT = 1, mjBUILTIN_CHECKER = 2, mjBUILTIN_FLAT = 3
} mjtBuiltin;
/// As there.
typedef enum mjtCTimer_ {
  mjCTIMER_TOTAL = 0, mjCTIMER_ASSETS = 1, mjCTIMER_TEXTURE = 2, mjCTIMER_MESH_LOAD = 3,
  mjCTIMER_MESH_HULL = 4, mjCTIMER_MESH_POLYGON = 5, mjCTIMER_MESH_INERTIA = 6, mjCTIMER_MESH_BVH = 7,
  mjCTIMER_MESH_OCTREE = 8, mjNCTIMER = 9
} mjtCTimer;
/// As there.
typedef enum mjtCamLight_ {
  mjCAMLIGHT_FIXED = 0, mjCAMLIGHT_TRACK = 1, mjCAMLIGHT_TRACKCOM = 2, mjCAMLIGHT_TARGETBODY = 3,
  mjCAMLIGHT_TARGETBODYCOM = 4
} mjtCamLight;
/// As there.
typedef enum mjtCamOutBit_ {
  mjCAMOUT_RGB = 1, mjCAMOUT_DEPTH = 2, mjCAMOUT_DIST = 4, mjCAMOUT_NORMAL = 8, mjCAMOUT_SEG = 16,
  mjNCAMOUT = 5
} mjtCamOutBit;
/// As there.
typedef enum mjtCamera_ {
  mjCAMERA_FREE = 0, mjCAMERA_TRACKING = 1, mjCAMERA_FIXED = 2, mjCAMERA_USER = 3
} mjtCamera;
/// As there.
typedef enum mjtCatBit_ {
  mjCAT_STATIC = 1, mjCAT_DYNAMIC = 2, mjCAT_DECOR = 4, mjCAT_ALL = 7
} mjtCatBit;
/// As there.
typedef enum mjtColorSpace_ {
  mjCOLORSPACE_AUTO = 0, mjCOLORSPACE_LINEAR = 1, mjCOLORSPACE_SRGB = 2
} mjtColorSpace;
/// As there.
typedef enum mjtConDataField_ {
  mjCONDATA_FOUND = 0, mjCONDATA_FORCE = 1, mjCONDATA_TORQUE = 2, mjCONDATA_DIST = 3, mjCONDATA_POS = 4,
  mjCONDATA_NORMAL = 5, mjCONDATA_TANGENT = 6, mjCONDATA_LINVEL = 7, mjCONDATA_ANGVEL = 8, mjNCONDATA = 9
} mjtConDataField;
/// As there.
typedef enum mjtCone_ {
  mjCONE_PYRAMIDAL = 0, mjCONE_ELLIPTIC = 1
} mjtCone;
/// As there.
typedef enum mjtConflict_ {
  mjCONFLICT_WARNING = 0, mjCONFLICT_MERGE = 1, mjCONFLICT_ERROR = 2
} mjtConflict;
/// As there.
typedef enum mjtConstraint_ {
  mjCNSTR_EQUALITY = 0, mjCNSTR_FRICTION_DOF = 1, mjCNSTR_FRICTION_TENDON = 2, mjCNSTR_LIMIT_JOINT = 3,
  mjCNSTR_LIMIT_TENDON = 4, mjCNSTR_CONTACT_FRICTIONLESS = 5, mjCNSTR_CONTACT_PYRAMIDAL = 6,
  mjCNSTR_CONTACT_ELLIPTIC = 7
} mjtConstraint;
/// As there.
typedef enum mjtConstraintState_ {
  mjCNSTRSTATE_SATISFIED = 0, mjCNSTRSTATE_QUADRATIC = 1, mjCNSTRSTATE_LINEARNEG = 2,
  mjCNSTRSTATE_LINEARPOS = 3, mjCNSTRSTATE_CONE = 4
} mjtConstraintState;
/// As there.
typedef enum mjtCtrlChart_ {
  mjCHART_EXPMAP = 1, mjCHART_QUAT = 2
} mjtCtrlChart;
/// As there.
typedef enum mjtCtrlInput_ {
  mjINPUT_POS = 1, mjINPUT_VEL = 2, mjINPUT_FF = 4, mjINPUT_VOLTAGE = 8, mjINPUT_NONE = 16,
  mjINPUT_PRESSURE = 32
} mjtCtrlInput;
/// As there.
typedef enum mjtDataType_ {
  mjDATATYPE_REAL = 0, mjDATATYPE_POSITIVE = 1, mjDATATYPE_AXIS = 2, mjDATATYPE_QUATERNION = 3
} mjtDataType;
/// As there.
typedef enum mjtDisableBit_ {
  mjDSBL_CONSTRAINT = 1, mjDSBL_EQUALITY = 2, mjDSBL_FRICTIONLOSS = 4, mjDSBL_LIMIT = 8, mjDSBL_CONTACT =
  16, mjDSBL_SPRING = 32, mjDSBL_DAMPER = 64, mjDSBL_GRAVITY = 128, mjDSBL_CLAMPCTRL = 256,
  mjDSBL_WARMSTART = 512, mjDSBL_FILTERPARENT = 1024, mjDSBL_ACTUATION = 2048, mjDSBL_REFSAFE = 4096,
  mjDSBL_SENSOR = 8192, mjDSBL_MIDPHASE = 16384, mjDSBL_EULERDAMP = 32768, mjDSBL_AUTORESET = 65536,
  mjDSBL_NATIVECCD = 131072, mjDSBL_ISLAND = 262144, mjDSBL_MULTICCD = 524288, mjNDISABLE = 20
} mjtDisableBit;
/// As there.
typedef enum mjtDyn_ {
  mjDYN_NONE = 0, mjDYN_INTEGRATOR = 1, mjDYN_FILTER = 2, mjDYN_FILTEREXACT = 3, mjDYN_MUSCLE = 4,
  mjDYN_DCMOTOR = 5, mjDYN_PID = 6, mjDYN_USER = 7
} mjtDyn;
/// As there.
typedef enum mjtEmbed_ {
  mjEMBED_FALSE = 0, mjEMBED_TRUE = 1, mjEMBED_AUTO = 2
} mjtEmbed;
/// As there.
typedef enum mjtEnableBit_ {
  mjENBL_OVERRIDE = 1, mjENBL_ENERGY = 2, mjENBL_FWDINV = 4, mjENBL_INVDISCRETE = 8, mjENBL_SLEEP = 16,
  mjENBL_DIAGEXACT = 32, mjENBL_IPC = 64, mjENBL_SPECULATIVE = 128, mjNENABLE = 8
} mjtEnableBit;
/// As there.
typedef enum mjtEq_ {
  mjEQ_CONNECT = 0, mjEQ_WELD = 1, mjEQ_JOINT = 2, mjEQ_TENDON = 3, mjEQ_FLEX = 4, mjEQ_FLEXVERT = 5,
  mjEQ_FLEXSTRAIN = 6, mjEQ_DISTANCE = 7
} mjtEq;
/// As there.
typedef enum mjtFlexSection_ {
  mjFLEXSECTION_CIRCLE = 0, mjFLEXSECTION_BOX = 1
} mjtFlexSection;
/// As there.
typedef enum mjtFlexSelf_ {
  mjFLEXSELF_NONE = 0, mjFLEXSELF_NARROW = 1, mjFLEXSELF_BVH = 2, mjFLEXSELF_SAP = 3, mjFLEXSELF_AUTO = 4
} mjtFlexSelf;
/// As there.
typedef enum mjtFrame_ {
  mjFRAME_NONE = 0, mjFRAME_BODY = 1, mjFRAME_GEOM = 2, mjFRAME_SITE = 3, mjFRAME_CAMERA = 4,
  mjFRAME_LIGHT = 5, mjFRAME_CONTACT = 6, mjFRAME_WORLD = 7, mjNFRAME = 8
} mjtFrame;
/// As there.
typedef enum mjtGain_ {
  mjGAIN_FIXED = 0, mjGAIN_AFFINE = 1, mjGAIN_MUSCLE = 2, mjGAIN_DCMOTOR = 3, mjGAIN_SO3 = 4, mjGAIN_PID =
  5, mjGAIN_USER = 6
} mjtGain;
/// As there.
typedef enum mjtGeom_ {
  mjGEOM_PLANE = 0, mjGEOM_HFIELD = 1, mjGEOM_SPHERE = 2, mjGEOM_CAPSULE = 3, mjGEOM_ELLIPSOID = 4,
  mjGEOM_CYLINDER = 5, mjGEOM_BOX = 6, mjGEOM_MESH = 7, mjGEOM_SDF = 8, mjNGEOMTYPES = 9, mjGEOM_ARROW =
  100, mjGEOM_ARROW1 = 101, mjGEOM_ARROW2 = 102, mjGEOM_LINE = 103, mjGEOM_LINEBOX = 104, mjGEOM_FLEX =
  105, mjGEOM_SKIN = 106, mjGEOM_LABEL = 107, mjGEOM_TRIANGLE = 108, mjGEOM_NONE = 1001
} mjtGeom;
/// As there.
typedef enum mjtGeomInertia_ {
  mjINERTIA_VOLUME = 0, mjINERTIA_SHELL = 1
} mjtGeomInertia;
/// As there.
typedef enum mjtInertiaFromGeom_ {
  mjINERTIAFROMGEOM_FALSE = 0, mjINERTIAFROMGEOM_TRUE = 1, mjINERTIAFROMGEOM_AUTO = 2
} mjtInertiaFromGeom;
/// As there.
typedef enum mjtIntegrator_ {
  mjINT_EULER = 0, mjINT_RK4 = 1, mjINT_IMPLICIT = 2, mjINT_IMPLICITFAST = 3, mjINT_DISCRETE = 4
} mjtIntegrator;
/// As there.
typedef enum mjtJacobian_ {
  mjJAC_DENSE = 0, mjJAC_SPARSE = 1, mjJAC_AUTO = 2
} mjtJacobian;
/// As there.
typedef enum mjtJoint_ {
  mjJNT_FREE = 0, mjJNT_BALL = 1, mjJNT_SLIDE = 2, mjJNT_HINGE = 3
} mjtJoint;
/// As there.
typedef enum mjtLRMode_ {
  mjLRMODE_NONE = 0, mjLRMODE_MUSCLE = 1, mjLRMODE_MUSCLEUSER = 2, mjLRMODE_ALL = 3
} mjtLRMode;
/// As there.
typedef enum mjtLabel_ {
  mjLABEL_NONE = 0, mjLABEL_BODY = 1, mjLABEL_JOINT = 2, mjLABEL_GEOM = 3, mjLABEL_SITE = 4,
  mjLABEL_CAMERA = 5, mjLABEL_LIGHT = 6, mjLABEL_TENDON = 7, mjLABEL_ACTUATOR = 8, mjLABEL_CONSTRAINT = 9,
  mjLABEL_FLEX = 10, mjLABEL_SKIN = 11, mjLABEL_SELECTION = 12, mjLABEL_SELPNT = 13, mjLABEL_CONTACTPOINT
  = 14, mjLABEL_CONTACTFORCE = 15, mjLABEL_ISLAND = 16, mjNLABEL = 17
} mjtLabel;
/// As there.
typedef enum mjtLightType_ {
  mjLIGHT_SPOT = 0, mjLIGHT_DIRECTIONAL = 1, mjLIGHT_POINT = 2, mjLIGHT_IMAGE = 3
} mjtLightType;
/// As there.
typedef enum mjtLimited_ {
  mjLIMITED_FALSE = 0, mjLIMITED_TRUE = 1, mjLIMITED_AUTO = 2
} mjtLimited;
/// As there.
typedef enum mjtLogLevel_ {
  mjLOG_DEBUG = 0, mjLOG_INFO = 1, mjLOG_WARNING = 2, mjLOG_ERROR = 3
} mjtLogLevel;
/// As there.
typedef enum mjtLogTopic_ {
  mjTOPIC_NONE = 0, mjTOPIC_TIME_STP = 1, mjTOPIC_TIME_CMP = 2, mjTOPIC_SLEEP = 3, mjNTOPIC = 3
} mjtLogTopic;
/// As there.
typedef enum mjtMark_ {
  mjMARK_NONE = 0, mjMARK_EDGE = 1, mjMARK_CROSS = 2, mjMARK_RANDOM = 3
} mjtMark;
/// As there.
typedef enum mjtMeshBuiltin_ {
  mjMESH_BUILTIN_NONE = 0, mjMESH_BUILTIN_SPHERE = 1, mjMESH_BUILTIN_HEMISPHERE = 2, mjMESH_BUILTIN_CONE =
  3, mjMESH_BUILTIN_SUPERSPHERE = 4, mjMESH_BUILTIN_SUPERTORUS = 5, mjMESH_BUILTIN_WEDGE = 6,
  mjMESH_BUILTIN_PLATE = 7, mjMESH_BUILTIN_GRID = 8, mjMESH_BUILTIN_BOX = 9, mjMESH_BUILTIN_CYLINDER = 10,
  mjMESH_BUILTIN_ELLIPSOID = 11, mjMESH_BUILTIN_SQUARE = 12, mjMESH_BUILTIN_DISC = 13
} mjtMeshBuiltin;
/// As there.
typedef enum mjtMeshInertia_ {
  mjMESH_INERTIA_CONVEX = 0, mjMESH_INERTIA_EXACT = 1, mjMESH_INERTIA_LEGACY = 2, mjMESH_INERTIA_SHELL = 3
} mjtMeshInertia;
/// As there.
typedef enum mjtMouse_ {
  mjMOUSE_NONE = 0, mjMOUSE_ROTATE_V = 1, mjMOUSE_ROTATE_H = 2, mjMOUSE_MOVE_V = 3, mjMOUSE_MOVE_H = 4,
  mjMOUSE_ZOOM = 5, mjMOUSE_MOVE_V_REL = 6, mjMOUSE_MOVE_H_REL = 7, mjMOUSE_TURN_V = 8, mjMOUSE_TURN_H = 9
} mjtMouse;
/// As there.
typedef enum mjtObj_ {
  mjOBJ_UNKNOWN = 0, mjOBJ_BODY = 1, mjOBJ_XBODY = 2, mjOBJ_JOINT = 3, mjOBJ_DOF = 4, mjOBJ_GEOM = 5,
  mjOBJ_SITE = 6, mjOBJ_CAMERA = 7, mjOBJ_LIGHT = 8, mjOBJ_FLEX = 9, mjOBJ_MESH = 10, mjOBJ_SKIN = 11,
  mjOBJ_HFIELD = 12, mjOBJ_TEXTURE = 13, mjOBJ_MATERIAL = 14, mjOBJ_PAIR = 15, mjOBJ_EXCLUDE = 16,
  mjOBJ_EQUALITY = 17, mjOBJ_TENDON = 18, mjOBJ_ACTUATOR = 19, mjOBJ_SENSOR = 20, mjOBJ_NUMERIC = 21,
  mjOBJ_TEXT = 22, mjOBJ_TUPLE = 23, mjOBJ_KEY = 24, mjOBJ_PLUGIN = 25, mjNOBJECT = 26, mjOBJ_FRAME = 100,
  mjOBJ_DEFAULT = 101, mjOBJ_MODEL = 102
} mjtObj;
/// As there.
typedef enum mjtOrientation_ {
  mjORIENTATION_QUAT = 0, mjORIENTATION_AXISANGLE = 1, mjORIENTATION_XYAXES = 2, mjORIENTATION_ZAXIS = 3,
  mjORIENTATION_EULER = 4
} mjtOrientation;
/// As there.
typedef enum mjtPassthrough_ {
  mjPASSTHROUGH_NONE = 0, mjPASSTHROUGH_TEXTURES = 1
} mjtPassthrough;
/// As there.
typedef enum mjtPertBit_ {
  mjPERT_TRANSLATE = 1, mjPERT_ROTATE = 2
} mjtPertBit;
/// As there.
typedef enum mjtPluginCapabilityBit_ {
  mjPLUGIN_ACTUATOR = 1, mjPLUGIN_SENSOR = 2, mjPLUGIN_PASSIVE = 4, mjPLUGIN_SDF = 8
} mjtPluginCapabilityBit;
/// As there.
typedef enum mjtProjection_ {
  mjPROJ_PERSPECTIVE = 0, mjPROJ_ORTHOGRAPHIC = 1
} mjtProjection;
/// As there.
typedef enum mjtRayDataField_ {
  mjRAYDATA_DIST = 0, mjRAYDATA_DIR = 1, mjRAYDATA_ORIGIN = 2, mjRAYDATA_POINT = 3, mjRAYDATA_NORMAL = 4,
  mjRAYDATA_DEPTH = 5, mjNRAYDATA = 6
} mjtRayDataField;
/// As there.
typedef enum mjtRndFlag_ {
  mjRND_SHADOW = 0, mjRND_WIREFRAME = 1, mjRND_REFLECTION = 2, mjRND_ADDITIVE = 3, mjRND_SKYBOX = 4,
  mjRND_FOG = 5, mjRND_HAZE = 6, mjRND_DEPTH = 7, mjRND_SEGMENT = 8, mjRND_IDCOLOR = 9, mjRND_CULL_FACE =
  10, mjRND_POST_PROCESSING = 11, mjNRNDFLAG = 12
} mjtRndFlag;
/// As there.
typedef enum mjtSDFType_ {
  mjSDFTYPE_SINGLE = 0, mjSDFTYPE_INTERSECTION = 1, mjSDFTYPE_MIDSURFACE = 2, mjSDFTYPE_COLLISION = 3
} mjtSDFType;
/// As there.
typedef enum mjtSameFrame_ {
  mjSAMEFRAME_NONE = 0, mjSAMEFRAME_BODY = 1, mjSAMEFRAME_INERTIA = 2, mjSAMEFRAME_BODYROT = 3,
  mjSAMEFRAME_INERTIAROT = 4
} mjtSameFrame;
/// As there.
typedef enum mjtScaling_ {
  mjSCALING_SIMILAR = 0, mjSCALING_GEOMETRY = 1
} mjtScaling;
/// As there.
typedef enum mjtSensor_ {
  mjSENS_TOUCH = 0, mjSENS_ACCELEROMETER = 1, mjSENS_VELOCIMETER = 2, mjSENS_GYRO = 3, mjSENS_FORCE = 4,
  mjSENS_TORQUE = 5, mjSENS_MAGNETOMETER = 6, mjSENS_RANGEFINDER = 7, mjSENS_CAMPROJECTION = 8,
  mjSENS_JOINTPOS = 9, mjSENS_JOINTVEL = 10, mjSENS_TENDONPOS = 11, mjSENS_TENDONVEL = 12,
  mjSENS_ACTUATORPOS = 13, mjSENS_ACTUATORVEL = 14, mjSENS_ACTUATORFRC = 15, mjSENS_JOINTACTFRC = 16,
  mjSENS_TENDONACTFRC = 17, mjSENS_BALLQUAT = 18, mjSENS_BALLANGVEL = 19, mjSENS_JOINTLIMITPOS = 20,
  mjSENS_JOINTLIMITVEL = 21, mjSENS_JOINTLIMITFRC = 22, mjSENS_TENDONLIMITPOS = 23, mjSENS_TENDONLIMITVEL
  = 24, mjSENS_TENDONLIMITFRC = 25, mjSENS_FRAMEPOS = 26, mjSENS_FRAMEQUAT = 27, mjSENS_FRAMEXAXIS = 28,
  mjSENS_FRAMEYAXIS = 29, mjSENS_FRAMEZAXIS = 30, mjSENS_FRAMELINVEL = 31, mjSENS_FRAMEANGVEL = 32,
  mjSENS_FRAMELINACC = 33, mjSENS_FRAMEANGACC = 34, mjSENS_SUBTREECOM = 35, mjSENS_SUBTREELINVEL = 36,
  mjSENS_SUBTREEANGMOM = 37, mjSENS_INSIDESITE = 38, mjSENS_GEOMDIST = 39, mjSENS_GEOMNORMAL = 40,
  mjSENS_GEOMFROMTO = 41, mjSENS_CONTACT = 42, mjSENS_E_POTENTIAL = 43, mjSENS_E_KINETIC = 44,
  mjSENS_CLOCK = 45, mjSENS_TACTILE = 46, mjSENS_PLUGIN = 47, mjSENS_USER = 48
} mjtSensor;
/// As there.
typedef enum mjtSleepPolicy_ {
  mjSLEEP_AUTO = 0, mjSLEEP_AUTO_NEVER = 1, mjSLEEP_AUTO_ALLOWED = 2, mjSLEEP_NEVER = 3, mjSLEEP_ALLOWED =
  4, mjSLEEP_INIT = 5
} mjtSleepPolicy;
/// As there.
typedef enum mjtSleepState_ {
  mjS_STATIC = -1, mjS_ASLEEP = 0, mjS_AWAKE = 1
} mjtSleepState;
/// As there.
typedef enum mjtSolver_ {
  mjSOL_PGS = 0, mjSOL_CG = 1, mjSOL_NEWTON = 2
} mjtSolver;
/// As there.
typedef enum mjtStage_ {
  mjSTAGE_NONE = 0, mjSTAGE_POS = 1, mjSTAGE_VEL = 2, mjSTAGE_ACC = 3
} mjtStage;
/// As there.
typedef enum mjtState_ {
  mjSTATE_TIME = 1, mjSTATE_QPOS = 2, mjSTATE_QVEL = 4, mjSTATE_ACT = 8, mjSTATE_HISTORY = 16,
  mjSTATE_WARMSTART = 32, mjSTATE_CTRL = 64, mjSTATE_QFRC_APPLIED = 128, mjSTATE_XFRC_APPLIED = 256,
  mjSTATE_EQ_ACTIVE = 512, mjSTATE_MOCAP_POS = 1024, mjSTATE_MOCAP_QUAT = 2048, mjSTATE_USERDATA = 4096,
  mjSTATE_PLUGIN = 8192, mjSTATE_PLASTIC = 16384, mjNSTATE = 15, mjSTATE_PHYSICS = 16414,
  mjSTATE_FULLPHYSICS = 24607, mjSTATE_USER = 8128, mjSTATE_INTEGRATION = 32767
} mjtState;
/// As there.
typedef enum mjtStereo_ {
  mjSTEREO_NONE = 0, mjSTEREO_QUADBUFFERED = 1, mjSTEREO_SIDEBYSIDE = 2
} mjtStereo;
/// As there.
typedef enum mjtTendon_ {
  mjTENDON_FIXED = 0, mjTENDON_SPATIAL = 1
} mjtTendon;
/// As there.
typedef enum mjtTexture_ {
  mjTEXTURE_2D = 0, mjTEXTURE_CUBE = 1, mjTEXTURE_SKYBOX = 2
} mjtTexture;
/// As there.
typedef enum mjtTextureRole_ {
  mjTEXROLE_USER = 0, mjTEXROLE_RGB = 1, mjTEXROLE_OCCLUSION = 2, mjTEXROLE_ROUGHNESS = 3,
  mjTEXROLE_METALLIC = 4, mjTEXROLE_NORMAL = 5, mjTEXROLE_OPACITY = 6, mjTEXROLE_EMISSIVE = 7,
  mjTEXROLE_RGBA = 8, mjTEXROLE_ORM = 9, mjNTEXROLE = 10
} mjtTextureRole;
/// As there.
typedef enum mjtTimer_ {
  mjTIMER_STEP = 0, mjTIMER_FORWARD = 1, mjTIMER_INVERSE = 2, mjTIMER_POSITION = 3, mjTIMER_VELOCITY = 4,
  mjTIMER_ACTUATION = 5, mjTIMER_CONSTRAINT = 6, mjTIMER_ADVANCE = 7, mjTIMER_POS_KINEMATICS = 8,
  mjTIMER_POS_INERTIA = 9, mjTIMER_POS_COLLISION = 10, mjTIMER_POS_MAKE = 11, mjTIMER_POS_PROJECT = 12,
  mjTIMER_COL_BROAD = 13, mjTIMER_COL_NARROW = 14, mjNTIMER = 15
} mjtTimer;
/// As there.
typedef enum mjtTrn_ {
  mjTRN_JOINT = 0, mjTRN_JOINTINPARENT = 1, mjTRN_SLIDERCRANK = 2, mjTRN_TENDON = 3, mjTRN_SITE = 4,
  mjTRN_BODY = 5, mjTRN_SO3 = 6, mjTRN_UNDEFINED = 1000
} mjtTrn;
/// As there.
typedef enum mjtVisFlag_ {
  mjVIS_CONVEXHULL = 0, mjVIS_TEXTURE = 1, mjVIS_JOINT = 2, mjVIS_CAMERA = 3, mjVIS_ACTUATOR = 4,
  mjVIS_ACTIVATION = 5, mjVIS_LIGHT = 6, mjVIS_TENDON = 7, mjVIS_RANGEFINDER = 8, mjVIS_CONSTRAINT = 9,
  mjVIS_INERTIA = 10, mjVIS_SCLINERTIA = 11, mjVIS_PERTFORCE = 12, mjVIS_PERTOBJ = 13, mjVIS_CONTACTPOINT
  = 14, mjVIS_ISLAND = 15, mjVIS_CONTACTFORCE = 16, mjVIS_CONTACTSPLIT = 17, mjVIS_TRANSPARENT = 18,
  mjVIS_AUTOCONNECT = 19, mjVIS_COM = 20, mjVIS_SELECT = 21, mjVIS_STATIC = 22, mjVIS_SKIN = 23,
  mjVIS_FLEXVERT = 24, mjVIS_FLEXEDGE = 25, mjVIS_FLEXFACE = 26, mjVIS_FLEXSKIN = 27, mjVIS_BODYBVH = 28,
  mjVIS_MESHBVH = 29, mjVIS_SDFITER = 30, mjNVISFLAG = 31
} mjtVisFlag;
/// As there.
typedef enum mjtWarning_ {
  mjWARN_INERTIA = 0, mjWARN_CONTACTFULL = 1, mjWARN_CNSTRFULL = 2, mjWARN_BADQPOS = 3, mjWARN_BADQVEL =
  4, mjWARN_BADQACC = 5, mjWARN_BADCTRL = 6, mjNWARNING = 7
} mjtWarning;
/// As there.
typedef enum mjtWrap_ {
  mjWRAP_NONE = 0, mjWRAP_JOINT = 1, mjWRAP_PULLEY = 2, mjWRAP_SITE = 3, mjWRAP_SPHERE = 4,
  mjWRAP_CYLINDER = 5
} mjtWrap;
#define mjMAXCONPAIR 50
#define mjMAXFLEXNODES 27
#define mjMAXIMP 0.9999
#define mjMAXLIGHT 100
#define mjMAXLINE 100
#define mjMAXLINEPNT 1001
#define mjMAXOVERLAY 500
#define mjMAXPLANEGRID 200
#define mjMAXTREEDEPTH 50
#define mjMINAWAKE 10
#define mjMINIMP 0.0001
#define mjMINMU 1e-05
#define mjNBIAS 10
#define mjNDYN 10
#define mjNEQDATA 12
#define mjNFLUID 12
#define mjNGAIN 10
#define mjNGROUP 6
#define mjNIMP 5
#define mjNISLAND 20
#define mjNPOLY 2
#define mjNREF 2
#define mjNSENS 3
#define mjNSOLVER 200
#define mjPI 3.141592653589793
#define mjSC_IN 1
#define mjSC_INOUT 3
#define mjSC_OUT 2
#define mjVERSION_HEADER 4000000
/// As there.
static const char* const mjDISABLESTRING[20] = {
  "Constraint",
  "Equality",
  "Frictionloss",
  "Limit",
  "Contact",
  "Spring",
  "Damper",
  "Gravity",
  "Clampctrl",
  "Warmstart",
  "Filterparent",
  "Actuation",
  "Refsafe",
  "Sensor",
  "Midphase",
  "Eulerdamp",
  "AutoReset",
  "NativeCCD",
  "Island",
  "MultiCCD",
};
/// As there.
static const char* const mjENABLESTRING[8] = {
  "Override",
  "Energy",
  "Fwdinv",
  "InvDiscrete",
  "Sleep",
  "DiagExact",
  "IPC",
  "Speculative",
};
/// As there.
static const char* const mjFRAMESTRING[8] = {
  "None",
  "Body",
  "Geom",
  "Site",
  "Camera",
  "Light",
  "Contact",
  "World",
};
/// As there.
static const char* const mjLABELSTRING[17] = {
  "None",
  "Body",
  "Joint",
  "Geom",
  "Site",
  "Camera",
  "Light",
  "Tendon",
  "Actuator",
  "Constraint",
  "Flex",
  "Skin",
  "Selection",
  "SelPoint",
  "Contact",
  "ContactForce",
  "Island",
};
/// As there.
static const char* const mjRNDSTRING[12][3] = {
  {"Shadow", "1", "S"},
  {"Wireframe", "0", "W"},
  {"Reflection", "1", "R"},
  {"Additive", "0", "L"},
  {"Skybox", "1", "K"},
  {"Fog", "0", "G"},
  {"Haze", "1", "/"},
  {"Depth", "0", ""},
  {"Segment", "0", ","},
  {"Id Color", "0", ""},
  {"Cull Face", "1", ""},
  {"Post Processing", "1", ""},
};
/// As there.
static const char* const mjTIMERSTRING[15] = {
  "step",
  "forward",
  "inverse",
  "position",
  "velocity",
  "actuation",
  "constraint",
  "advance",
  "pos_kinematics",
  "pos_inertia",
  "pos_collision",
  "pos_make",
  "pos_project",
  "col_broadphase",
  "col_narrowphase",
};
/// As there.
static const char* const mjVISSTRING[31][3] = {
  {"Convex Hull", "0", "H"},
  {"Texture", "1", "X"},
  {"Joint", "0", "J"},
  {"Camera", "0", "Q"},
  {"Actuator", "0", "U"},
  {"Activation", "0", ","},
  {"Light", "0", "Z"},
  {"Tendon", "1", "V"},
  {"Range Finder", "1", "Y"},
  {"Equality", "0", "E"},
  {"Inertia", "0", "I"},
  {"Scale Inertia", "0", "'"},
  {"Perturb Force", "0", "B"},
  {"Perturb Object", "1", "O"},
  {"Contact Point", "0", "C"},
  {"Island", "0", "N"},
  {"Contact Force", "0", "F"},
  {"Contact Split", "0", "P"},
  {"Transparent", "0", "T"},
  {"Auto Connect", "0", "A"},
  {"Center of Mass", "0", "M"},
  {"Select Point", "0", ""},
  {"Static Body", "1", "D"},
  {"Skin", "1", ";"},
  {"Flex Vert", "0", ""},
  {"Flex Edge", "1", ""},
  {"Flex Face", "0", ""},
  {"Flex Skin", "1", ""},
  {"Body Tree", "0", "`"},
  {"Mesh Tree", "0", "\\"},
  {"SDF iters", "0", ""},
};
// clang-format on
