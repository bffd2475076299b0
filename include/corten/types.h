/// @file
/// Enumerations with their keywords, option structs, and the small records of a simulation.
///
/// Every enumeration that has keywords in model files is written once, as a list of
/// X(identifier, "keyword"); the enumerators, the parser and the printers are derived from it.
/// Values are those of MuJoCo 4.0.
#pragma once

#include "corten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- constants -------------------------------------------------------------------------------------------

#define CT_NREF        2    ///< numbers in solref
#define CT_NIMP        5    ///< numbers in solimp
#define CT_NPOLY       2    ///< higher coefficients of stiffness and damping polynomials
#define CT_NFLUID      12   ///< fluid interaction parameters of a geom
#define CT_NEQDATA     12   ///< numbers of an equality constraint
#define CT_NDYN        10   ///< activation dynamics parameters
#define CT_NGAIN       10   ///< gain parameters
#define CT_NBIAS       10   ///< bias parameters
#define CT_NSENS       3    ///< integer sensor parameters
#define CT_NPLUGINPRM  16   ///< numbers of a plugin instance
#define CT_NPLUGINNAME 64   ///< bytes of the name of a plugin, with the zero at its end
#define CT_NISLAND     20   ///< islands with solver statistics
#define CT_NSOLVER     200  ///< solver iterations with statistics

// ---- enumerations with keywords --------------------------------------------------------------------------

// clang-format off
/// X(identifier, "keyword", numbers in qpos, numbers in qvel)
#define CT_JOINT_LIST(X) X(FREE, "free", 7, 6) X(BALL, "ball", 4, 3) X(SLIDE, "slide", 1, 1) X(HINGE, "hinge", 1, 1)
#define CT_GEOM_LIST(X)                                                                               \
  X(PLANE, "plane") X(HFIELD, "hfield") X(SPHERE, "sphere") X(CAPSULE, "capsule")                      \
  X(ELLIPSOID, "ellipsoid") X(CYLINDER, "cylinder") X(BOX, "box") X(MESH, "mesh") X(SDF, "sdf")
#define CT_INTEGRATOR_LIST(X)                                                                         \
  X(EULER, "Euler") X(RK4, "RK4") X(IMPLICIT, "implicit") X(IMPLICITFAST, "implicitfast") X(DISCRETE, "discrete") \
  X(SPRINGDAMPER, "implicitspringdamper")
#define CT_CONE_LIST(X)       X(PYRAMIDAL, "pyramidal") X(ELLIPTIC, "elliptic")
#define CT_JACOBIAN_LIST(X)   X(DENSE, "dense") X(SPARSE, "sparse") X(AUTO, "auto")
#define CT_SOLVER_LIST(X)     X(PGS, "PGS") X(CG, "CG") X(NEWTON, "Newton")
#define CT_CAMLIGHT_LIST(X)                                                                           \
  X(FIXED, "fixed") X(TRACK, "track") X(TRACKCOM, "trackcom") X(TARGETBODY, "targetbody")              \
  X(TARGETBODYCOM, "targetbodycom")
#define CT_PROJECTION_LIST(X) X(PERSPECTIVE, "perspective") X(ORTHOGRAPHIC, "orthographic")
#define CT_LIGHT_LIST(X)      X(SPOT, "spot") X(DIRECTIONAL, "directional") X(POINT, "point") X(IMAGE, "image")
#define CT_TEXTURE_LIST(X)    X(2D, "2d") X(CUBE, "cube") X(SKYBOX, "skybox")
#define CT_TEXROLE_LIST(X)                                                                            \
  X(USER, "user") X(RGB, "rgb") X(OCCLUSION, "occlusion") X(ROUGHNESS, "roughness")                    \
  X(METALLIC, "metallic") X(NORMAL, "normal") X(OPACITY, "opacity") X(EMISSIVE, "emissive")            \
  X(RGBA, "rgba") X(ORM, "orm")
#define CT_COLORSPACE_LIST(X) X(AUTO, "auto") X(LINEAR, "linear") X(SRGB, "sRGB")
#define CT_EQ_LIST(X)                                                                                 \
  X(CONNECT, "connect") X(WELD, "weld") X(JOINT, "joint") X(TENDON, "tendon") X(FLEX, "flex")          \
  X(FLEXVERT, "flexvert") X(FLEXSTRAIN, "flexstrain") X(DISTANCE, "distance")
#define CT_TENDON_LIST(X)     X(FIXED, "fixed") X(SPATIAL, "spatial")
#define CT_WRAP_LIST(X)                                                                               \
  X(NONE, "none") X(JOINT, "joint") X(PULLEY, "pulley") X(SITE, "site") X(SPHERE, "sphere") X(CYLINDER, "cylinder")
#define CT_TRN_LIST(X)                                                                                \
  X(JOINT, "joint") X(JOINTINPARENT, "jointinparent") X(SLIDERCRANK, "slidercrank")                    \
  X(TENDON, "tendon") X(SITE, "site") X(BODY, "body") X(SO3, "so3")
#define CT_DYN_LIST(X)                                                                                \
  X(NONE, "none") X(INTEGRATOR, "integrator") X(FILTER, "filter") X(FILTEREXACT, "filterexact")        \
  X(MUSCLE, "muscle") X(DCMOTOR, "dcmotor") X(PID, "pid") X(USER, "user")
#define CT_GAIN_LIST(X)                                                                               \
  X(FIXED, "fixed") X(AFFINE, "affine") X(MUSCLE, "muscle") X(DCMOTOR, "dcmotor") X(SO3, "so3")        \
  X(PID, "pid") X(USER, "user")
#define CT_BIAS_LIST(X)                                                                               \
  X(NONE, "none") X(AFFINE, "affine") X(MUSCLE, "muscle") X(DCMOTOR, "dcmotor") X(SO3, "so3") X(USER, "user")
#define CT_OBJ_LIST(X)                                                                                \
  X(UNKNOWN, "unknown") X(BODY, "body") X(XBODY, "xbody") X(JOINT, "joint") X(DOF, "dof")              \
  X(GEOM, "geom") X(SITE, "site") X(CAMERA, "camera") X(LIGHT, "light") X(FLEX, "flex")                \
  X(MESH, "mesh") X(SKIN, "skin") X(HFIELD, "hfield") X(TEXTURE, "texture") X(MATERIAL, "material")    \
  X(PAIR, "pair") X(EXCLUDE, "exclude") X(EQUALITY, "equality") X(TENDON, "tendon")                    \
  X(ACTUATOR, "actuator") X(SENSOR, "sensor") X(NUMERIC, "numeric") X(TEXT, "text")                    \
  X(TUPLE, "tuple") X(KEY, "key") X(PLUGIN, "plugin")
#define CT_STAGE_LIST(X)      X(NONE, "none") X(POS, "pos") X(VEL, "vel") X(ACC, "acc")
#define CT_DATATYPE_LIST(X)   X(REAL, "real") X(POSITIVE, "positive") X(AXIS, "axis") X(QUATERNION, "quaternion")
#define CT_SAMEFRAME_LIST(X)                                                                          \
  X(NONE, "none") X(BODY, "body") X(INERTIA, "inertia") X(BODYROT, "bodyrot") X(INERTIAROT, "inertiarot")
#define CT_SLEEP_LIST(X)                                                                              \
  X(AUTO, "auto") X(AUTO_NEVER, "auto_never") X(AUTO_ALLOWED, "auto_allowed") X(NEVER, "never")        \
  X(ALLOWED, "allowed") X(INIT, "init")
#define CT_CONSTRAINT_LIST(X)                                                                         \
  X(EQUALITY, "equality") X(FRICTION_DOF, "friction_dof") X(FRICTION_TENDON, "friction_tendon")        \
  X(LIMIT_JOINT, "limit_joint") X(LIMIT_TENDON, "limit_tendon")                                        \
  X(CONTACT_FRICTIONLESS, "contact_frictionless") X(CONTACT_PYRAMIDAL, "contact_pyramidal")            \
  X(CONTACT_ELLIPTIC, "contact_elliptic")
#define CT_EXCLUDE_LIST(X)                                                                            \
  X(NONE, "none") X(GAP, "gap") X(FUSED, "fused") X(NO_DOFS, "no_dofs") X(PASSIVE, "passive")
#define CT_WARNING_LIST(X)                                                                            \
  X(INERTIA, "singular inertia matrix") X(CONTACTFULL, "contacts dropped, arena full")                 \
  X(CNSTRFULL, "constraints dropped, arena full") X(BADQPOS, "bad number in qpos")                     \
  X(BADQVEL, "bad number in qvel") X(BADQACC, "bad number in qacc") X(BADCTRL, "bad number in ctrl")  \
  X(BADACT, "bad number in act")
#define CT_TIMER_LIST(X)                                                                              \
  X(STEP, "step") X(FORWARD, "forward") X(INVERSE, "inverse") X(POSITION, "position")                  \
  X(VELOCITY, "velocity") X(ACTUATION, "actuation") X(CONSTRAINT, "constraint") X(ADVANCE, "advance")  \
  X(POS_KINEMATICS, "pos_kinematics") X(POS_INERTIA, "pos_inertia") X(POS_COLLISION, "pos_collision")  \
  X(POS_MAKE, "pos_make") X(POS_PROJECT, "pos_project") X(COL_BROAD, "col_broad") X(COL_NARROW, "col_narrow")
// clang-format on

#define X(id, ...) CT_JOINT_##id,
/// Type of a joint: free body, ball, slide along an axis, hinge about an axis. Numbers in qpos and qvel: 7
/// and 6, 4 and 3, 1 and 1, 1 and 1.
typedef enum ctJointType { CT_JOINT_LIST(X) CT_JOINT_COUNT } ctJointType;
#undef X
#define X(id, text) CT_GEOM_##id,
/// Shape of a geom or site. CT_GEOM_NONE stands for no shape; the values below CT_GEOM_COUNT are those of a
/// model.
typedef enum ctGeomType { CT_GEOM_LIST(X) CT_GEOM_COUNT, CT_GEOM_NONE = 1001 } ctGeomType;
#undef X
#define X(id, text) CT_INT_##id,
/// How a step goes from accelerations to the next state.
typedef enum ctIntegrator { CT_INTEGRATOR_LIST(X) CT_INT_COUNT } ctIntegrator;
#undef X
#define X(id, text) CT_CONE_##id,
/// Friction cone of contacts: approximated by a pyramid, or the elliptic cone itself.
typedef enum ctCone { CT_CONE_LIST(X) CT_CONE_COUNT } ctCone;
#undef X
#define X(id, text) CT_JAC_##id,
/// How the constraint Jacobian is stored: every number, those that may differ from 0, or what suits the
/// model's size.
typedef enum ctJacobian { CT_JACOBIAN_LIST(X) CT_JAC_COUNT } ctJacobian;
#undef X
#define X(id, text) CT_SOL_##id,
/// Constraint solver: projected Gauss-Seidel on the dual problem, conjugate gradient or Newton on the primal
/// one.
typedef enum ctSolver { CT_SOLVER_LIST(X) CT_SOL_COUNT } ctSolver;
#undef X
#define X(id, text) CT_CAMLIGHT_##id,
/// How a camera or light moves: fixed to its body, following its position or centre of mass in world axes, or
/// turned towards a body or its centre of mass.
typedef enum ctCamLight { CT_CAMLIGHT_LIST(X) CT_CAMLIGHT_COUNT } ctCamLight;
#undef X
#define X(id, text) CT_PROJ_##id,
/// Projection of a camera.
typedef enum ctProjection { CT_PROJECTION_LIST(X) CT_PROJ_COUNT } ctProjection;
#undef X
#define X(id, text) CT_LIGHT_##id,
/// Type of a light: a cone, parallel rays, a point, or a picture around the scene.
typedef enum ctLightType { CT_LIGHT_LIST(X) CT_LIGHT_COUNT } ctLightType;
#undef X
#define X(id, text) CT_TEXTURE_##id,
/// What a texture covers: a surface, a cube around an object, or the sky.
typedef enum ctTextureType { CT_TEXTURE_LIST(X) CT_TEXTURE_COUNT } ctTextureType;
#undef X
#define X(id, text) CT_TEXROLE_##id,
/// What a texture of a material stands for. ORM is occlusion, roughness and metallic in one.
typedef enum ctTextureRole { CT_TEXROLE_LIST(X) CT_TEXROLE_COUNT } ctTextureRole;
#undef X
#define X(id, text) CT_COLORSPACE_##id,
/// How the numbers of a texture encode colours. CT_COLORSPACE_AUTO: by its role.
typedef enum ctColorSpace { CT_COLORSPACE_LIST(X) CT_COLORSPACE_COUNT } ctColorSpace;
#undef X
#define X(id, text) CT_EQ_##id,
/// Type of an equality constraint: two points joined, two bodies welded, joints or tendons coupled, parts of
/// deformables held, two geoms at a distance (no model has it now).
typedef enum ctEqType { CT_EQ_LIST(X) CT_EQ_COUNT } ctEqType;
#undef X
#define X(id, text) CT_TENDON_##id,
/// Type of a tendon: a weighted sum of joint positions, or a path in space.
typedef enum ctTendonType { CT_TENDON_LIST(X) CT_TENDON_COUNT } ctTendonType;
#undef X
#define X(id, text) CT_WRAP_##id,
/// Station of a tendon path: joint of a fixed tendon, pulley that divides the force, site to pass through,
/// sphere or cylinder to wrap around.
typedef enum ctWrapType { CT_WRAP_LIST(X) CT_WRAP_COUNT } ctWrapType;
#undef X
#define X(id, text) CT_TRN_##id,
/// What an actuator acts on. JOINTINPARENT: the force of a ball or free joint is given in the parent's frame;
/// BODY: adhesion of contacts; SO3: three torques that turn a ball joint or site.
typedef enum ctTrnType { CT_TRN_LIST(X) CT_TRN_COUNT, CT_TRN_UNDEFINED = 1000 } ctTrnType;
#undef X
#define X(id, text) CT_DYN_##id,
/// How the activation of an actuator evolves. CT_DYN_NONE has no activation; CT_DYN_USER calls
/// ctCallbacks.dyn.
typedef enum ctDynType { CT_DYN_LIST(X) CT_DYN_COUNT } ctDynType;
#undef X
#define X(id, text) CT_GAIN_##id,
/// How the gain of an actuator, its force per control or activation, is computed. CT_GAIN_USER calls
/// ctCallbacks.gain.
typedef enum ctGainType { CT_GAIN_LIST(X) CT_GAIN_COUNT } ctGainType;
#undef X
#define X(id, text) CT_BIAS_##id,
/// How the bias of an actuator, its force beside the gain, is computed. CT_BIAS_USER calls ctCallbacks.bias.
typedef enum ctBiasType { CT_BIAS_LIST(X) CT_BIAS_COUNT } ctBiasType;
#undef X
#define X(id, text) CT_OBJ_##id,
/// Type of an object, for names, sensors, Jacobians. BODY is the inertial frame of a body, XBODY its own
/// frame. Those from CT_OBJ_FRAME on exist in specs only.
typedef enum ctObjType {
  CT_OBJ_LIST(X) CT_OBJ_COUNT,
  CT_OBJ_FRAME = 100,  ///< frame of a spec
  CT_OBJ_DEFAULT,      ///< default class of a spec
  CT_OBJ_MODEL         ///< a whole spec
} ctObjType;
#undef X
#define X(id, text) CT_STAGE_##id,
/// Stage of a step after which a sensor can be computed: positions, velocities, accelerations.
typedef enum ctStage { CT_STAGE_LIST(X) CT_STAGE_COUNT } ctStage;
#undef X
#define X(id, text) CT_DATATYPE_##id,
/// Kind of the numbers of a sensor: any, not negative, unit vector, unit quaternion. Cutoff and noise go by
/// it.
typedef enum ctDataType { CT_DATATYPE_LIST(X) CT_DATATYPE_COUNT } ctDataType;
#undef X
#define X(id, text) CT_SAMEFRAME_##id,
/// How a frame agrees with those of its body: not, with the body frame, with the inertial frame, or only in
/// orientation.
typedef enum ctSameFrame { CT_SAMEFRAME_LIST(X) CT_SAMEFRAME_COUNT } ctSameFrame;
#undef X
#define X(id, text) CT_SLEEP_##id,
/// When a tree may sleep: decided by the compiler (AUTO and its two outcomes) or by the author. INIT: it may,
/// and starts asleep.
typedef enum ctSleepPolicy { CT_SLEEP_LIST(X) CT_SLEEP_COUNT } ctSleepPolicy;
#undef X
#define X(id, text) CT_CNSTR_##id,
/// Kind of a constraint row (efc_type). Rows stand in this order.
typedef enum ctConstraintType { CT_CONSTRAINT_LIST(X) CT_CNSTR_COUNT } ctConstraintType;
#undef X
#define X(id, text) CT_EXCLUDE_##id,
/// Why a contact has no constraint rows: NONE, it has them; in the GAP, where it does not push yet; FUSED
/// with others, never here; PASSIVE, its force acts without rows (deformables); NO_DOFS, neither side can
/// move.
typedef enum ctContactExclude { CT_EXCLUDE_LIST(X) CT_EXCLUDE_COUNT } ctContactExclude;
#undef X
#define X(id, ...) CT_SENS_##id,
/// What a sensor measures; corten/fields/sensors.def explains each.
typedef enum ctSensorType {
#include "corten/fields/sensors.def"
  CT_SENS_COUNT
} ctSensorType;
#undef X
#define X(id, text) CT_WARN_##id,
/// Kinds of trouble a step can meet; `d->warning` counts them.
typedef enum ctWarningType { CT_WARNING_LIST(X) CT_WARN_COUNT } ctWarningType;
#undef X
#define X(id, text) CT_TIMER_##id,
/// Parts of a step whose time is measured; `d->timer` holds them. POS_* are parts of POSITION, COL_* of
/// POS_COLLISION.
typedef enum ctTimerType { CT_TIMER_LIST(X) CT_TIMER_COUNT } ctTimerType;
#undef X

/// Sleep state of a body or tree: never moves, sleeps, moves.
typedef enum ctSleepState { CT_STATIC = -1, CT_ASLEEP = 0, CT_AWAKE = 1 } ctSleepState;

// ---- flags: X(identifier, "keyword", bit) ----------------------------------------------------------------

// clang-format off
#define CT_DISABLE_LIST(X)                                                                            \
  X(CONSTRAINT, "constraint", 0) X(EQUALITY, "equality", 1) X(FRICTIONLOSS, "frictionloss", 2)         \
  X(LIMIT, "limit", 3) X(CONTACT, "contact", 4) X(SPRING, "spring", 5) X(DAMPER, "damper", 6)          \
  X(GRAVITY, "gravity", 7) X(CLAMPCTRL, "clampctrl", 8) X(WARMSTART, "warmstart", 9)                   \
  X(FILTERPARENT, "filterparent", 10) X(ACTUATION, "actuation", 11) X(REFSAFE, "refsafe", 12)          \
  X(SENSOR, "sensor", 13) X(MIDPHASE, "midphase", 14) X(EULERDAMP, "eulerdamp", 15)                    \
  X(AUTORESET, "autoreset", 16) X(NATIVECCD, "nativeccd", 17) X(ISLAND, "island", 18)                  \
  X(MULTICCD, "multiccd", 19)
#define CT_ENABLE_LIST(X)                                                                             \
  X(OVERRIDE, "override", 0) X(ENERGY, "energy", 1) X(FWDINV, "fwdinv", 2)                             \
  X(INVDISCRETE, "invdiscrete", 3) X(SLEEP, "sleep", 4) X(DIAGEXACT, "diagexact", 5)                   \
  X(IPC, "ipc", 6) X(SPECULATIVE, "speculative", 7)
/// Parts of a state, in the order in which ct_data_get_state writes them.
#define CT_STATE_LIST(X)                                                                              \
  X(TIME, "time", 0) X(QPOS, "qpos", 1) X(QVEL, "qvel", 2) X(ACT, "act", 3) X(HISTORY, "history", 4)   \
  X(WARMSTART, "qacc_warmstart", 5) X(CTRL, "ctrl", 6) X(QFRC_APPLIED, "qfrc_applied", 7)              \
  X(XFRC_APPLIED, "xfrc_applied", 8) X(EQ_ACTIVE, "eq_active", 9) X(MOCAP_POS, "mocap_pos", 10)        \
  X(MOCAP_QUAT, "mocap_quat", 11) X(USERDATA, "userdata", 12) X(PLUGIN, "plugin_state", 13)            \
  X(PLASTIC, "plastic", 14)
// clang-format on

#define X(id, text, bit) CT_DSBL_##id = 1 << bit,
/// What `opt.disableflags` switches off. Beside forces and constraints: CLAMPCTRL limits on controls,
/// WARMSTART the start of the solver from the last step, FILTERPARENT the rule that parent and child do not
/// collide, REFSAFE the lower bound on time constants, EULERDAMP the implicit damping of Euler, AUTORESET the
/// reset of a state that went bad.
typedef enum ctDisableBit { CT_DISABLE_LIST(X) CT_DSBL_COUNT = 20 } ctDisableBit;
#undef X
#define X(id, text, bit) CT_ENBL_##id = 1 << bit,
/// What `opt.enableflags` switches on: OVERRIDE contact parameters of the options, ENERGY its computation in
/// every step, FWDINV the comparison of forward and inverse dynamics, INVDISCRETE inverse dynamics of the
/// whole step, DIAGEXACT the exact diagonal of the dual matrix, SLEEP that trees at rest are left out of
/// steps. IPC keeps surfaces of deformables apart (docs/deformables.md).
typedef enum ctEnableBit { CT_ENABLE_LIST(X) CT_ENBL_COUNT = 8 } ctEnableBit;
#undef X
#define X(id, text, bit) CT_STATE_##id = 1 << bit,
/// Parts of a state, as bits, and useful unions of them.
typedef enum ctState {
  CT_STATE_LIST(X) CT_STATE_COUNT = 15,
  /// the parts that the equations of motion change
  CT_STATE_PHYSICS = CT_STATE_QPOS | CT_STATE_QVEL | CT_STATE_ACT | CT_STATE_HISTORY | CT_STATE_PLASTIC,
  /// CT_STATE_PHYSICS with time and the states of plugins
  CT_STATE_FULLPHYSICS = CT_STATE_TIME | CT_STATE_PHYSICS | CT_STATE_PLUGIN,
  /// the parts that a program writes and a step only reads
  CT_STATE_INPUT = CT_STATE_CTRL | CT_STATE_QFRC_APPLIED | CT_STATE_XFRC_APPLIED | CT_STATE_EQ_ACTIVE |
                   CT_STATE_MOCAP_POS | CT_STATE_MOCAP_QUAT | CT_STATE_USERDATA,
  /// everything a simulation needs to go on bit for bit
  CT_STATE_INTEGRATION = CT_STATE_FULLPHYSICS | CT_STATE_INPUT | CT_STATE_WARMSTART
} ctState;
#undef X

// ---- option structs --------------------------------------------------------------------------------------

/// Physics options, `model->opt`. May be changed between steps.
typedef struct ctOption {
  // members of fields/option.def, by tools/members.py
  // clang-format off
  // time
  ctReal timestep;  ///< length of a step, s

  // solvers
  ctReal impratio;          ///< ratio of friction impedance to normal impedance in elliptic contacts; more
                            ///< makes friction harder
  ctReal tolerance;         ///< the main solver stops when the scaled gradient, or the improvement of the
                            ///< scaled cost in an iteration, is below
  ctReal ls_tolerance;      ///< slope at which a line search stops, as a part of tolerance
  ctReal noslip_tolerance;  ///< the noslip pass stops when an iteration improves the scaled cost by less
  ctReal ccd_tolerance;     ///< precision of the distance between convex shapes, m
  ctReal sleep_tolerance;   ///< a tree may fall asleep while dof_length times the velocity of each dof is
                            ///< below it, m/s

  // surroundings
  ctReal gravity[3];   ///< acceleration of gravity in world axes, m/s^2
  ctReal wind[3];      ///< velocity of the medium in world axes, m/s
  ctReal magnetic[3];  ///< magnetic flux in world axes, for magnetometers
  ctReal density;      ///< density of the medium, kg/m^3; 0: no lift and drag
  ctReal viscosity;    ///< dynamic viscosity of the medium, kg/(m s); 0: no viscous forces

  // parameters of all contacts, while the flag override (ctEnableBit) is set
  ctReal o_margin;           ///< margin of all contacts while the flag override is set, m
  ctReal o_solref[CT_NREF];  ///< reference of all contacts while the flag override is set: time constant (s)
                             ///< and damping ratio, or both negative: -stiffness, -damping
  ctReal o_solimp[CT_NIMP];  ///< impedance of all contacts while the flag override is set: at 0, at width,
                             ///< width, midpoint, power
  ctReal o_friction[5];      ///< friction of all contacts while the flag override is set: sliding x 2,
                             ///< spinning, rolling x 2

  // choices
  int integrator;         ///< integrator (ctIntegrator)
  int cone;               ///< friction cone of contacts (ctCone)
  int jacobian;           ///< whether the constraint Jacobian is stored dense or sparse (ctJacobian)
  int solver;             ///< constraint solver (ctSolver)
  int iterations;         ///< most iterations of the main solver
  int ls_iterations;      ///< most evaluations of a line search in CG and Newton
  int noslip_iterations;  ///< most iterations of the noslip pass; 0: no such pass
  int ccd_iterations;     ///< most iterations of the convex collision search
  int disableflags;       ///< what is switched off (bits of ctDisableBit)
  int enableflags;        ///< what is switched on (bits of ctEnableBit)
  int disableactuator;    ///< actuators of group g are off where bit g is set

  // signed distance fields
  int sdf_initpoints;  ///< starting points of the descent for each pair of shapes
  int sdf_iterations;  ///< steps of descent from each starting point
  // clang-format on
  // end of members
} ctOption;

/// Statistics of a model, `model->stat`.
typedef struct ctStatistic {
  // members of fields/statistic.def, by tools/members.py
  // clang-format off
  ctReal meaninertia;  ///< mean diagonal element of the mass matrix in qpos0; scales the cost of the solver
  ctReal meanmass;     ///< mean mass of a body, kg
  ctReal meansize;     ///< mean size of a body, m
  ctReal extent;       ///< largest side of the box around the model in qpos0, m; cameras and fog go by it
  ctReal center[3];    ///< centre of that box in world axes, m
  // clang-format on
  // end of members
} ctStatistic;

/// Drawing settings, `model->vis`, in groups: global, quality, headlight, map, scale, rgba.
typedef struct ctVisual {
  // members of fields/visual.def, by tools/members.py
  // clang-format off
  struct {
    int cameraid;          ///< camera to begin with; -1: the free camera
    int orthographic;      ///< the free camera is orthographic: 0 no, 1 yes
    float fovy;            ///< vertical field of view of the free camera, degrees; orthographic: height of
                           ///< the view, m
    float ipd;             ///< distance between the eyes in stereo, m
    float azimuth;         ///< azimuth the free camera begins with, degrees
    float elevation;       ///< elevation the free camera begins with, degrees
    float linewidth;       ///< width of lines, pixels
    float glow;            ///< how much a selected body glows
    float realtime;        ///< speed a viewer begins with; 1: real time
    int offwidth;          ///< width of pictures made off screen, pixels
    int offheight;         ///< height of pictures made off screen, pixels
    int ellipsoidinertia;  ///< shape that stands for an inertia: 0 box, 1 ellipsoid
    int bvactive;          ///< mark the bounding boxes that were tested in a collision: 0 no, 1 yes
  } global;  ///< cameras and pictures

  struct {
    int shadowsize;  ///< side of the shadow map, pixels
    int offsamples;  ///< samples per pixel off screen
    int numslices;   ///< subdivisions of a round shape around its axis
    int numstacks;   ///< subdivisions of a round shape along its axis
    int numquads;    ///< subdivisions of a side of a box
  } quality;  ///< quality of rendering

  struct {
    float ambient[3];   ///< ambient colour, red green blue
    float diffuse[3];   ///< diffuse colour, red green blue
    float specular[3];  ///< specular colour, red green blue
    int active;         ///< 0 off, 1 on, 2 left to the renderer: on
  } headlight;  ///< light at the camera

  struct {
    float stiffness;       ///< force with which the mouse pulls, by distance
    float stiffnessrot;    ///< torque with which the mouse turns, by angle
    float force;           ///< length of an arrow by force, m/N
    float torque;          ///< length of an arrow by torque, m/(N m)
    float alpha;           ///< factor on the opacity of geoms drawn transparent
    float fogstart;        ///< where fog begins, in units of stat.extent
    float fogend;          ///< where fog is complete, in units of stat.extent
    float znear;           ///< near clipping plane, in units of stat.extent
    float zfar;            ///< far clipping plane, in units of stat.extent
    float haze;            ///< part of the distance to the horizon that is hazy
    float shadowclip;      ///< reach of shadows of directional lights, in units of stat.extent
    float shadowscale;     ///< part of a spot light's cone that throws shadows
    float actuatortendon;  ///< width of a tendon drawn as an actuator, by its width
  } map;  ///< from physical to drawn quantities

  struct {
    float forcewidth;      ///< width of an arrow that stands for a force
    float contactwidth;    ///< width of the disc that marks a contact
    float contactheight;   ///< height of the disc that marks a contact
    float connect;         ///< width of the capsules that connect bodies
    float com;             ///< radius of the ball that marks a centre of mass
    float camera;          ///< size of a camera
    float light;           ///< size of a light
    float selectpoint;     ///< radius of the ball that marks a selected point
    float jointlength;     ///< length of the arrow that marks a joint
    float jointwidth;      ///< width of the arrow that marks a joint
    float actuatorlength;  ///< length of the arrow that marks an actuator
    float actuatorwidth;   ///< width of the arrow that marks an actuator
    float framelength;     ///< length of the axes of a frame
    float framewidth;      ///< width of the axes of a frame
    float constraint;      ///< width of the mark of an equality constraint
    float slidercrank;     ///< width of the parts of a slider-crank
    float frustum;         ///< distance of the far side of a camera's frustum
  } scale;  ///< sizes of marks, in units of stat.meansize

  struct {
    float fog[4];               ///< colour: fog
    float haze[4];              ///< colour: haze at the horizon
    float force[4];             ///< colour: external force
    float inertia[4];           ///< colour: box or ellipsoid of an inertia
    float joint[4];             ///< colour: joint
    float actuator[4];          ///< colour: actuator in the middle of its range
    float actuatornegative[4];  ///< colour: actuator at its lowest control
    float actuatorpositive[4];  ///< colour: actuator at its highest control
    float com[4];               ///< colour: centre of mass
    float camera[4];            ///< colour: camera
    float light[4];             ///< colour: light
    float selectpoint[4];       ///< colour: selected point
    float connect[4];           ///< colour: capsules that connect bodies
    float contactpoint[4];      ///< colour: contact
    float contactforce[4];      ///< colour: contact force
    float contactfriction[4];   ///< colour: friction part of a contact force
    float contacttorque[4];     ///< colour: contact torque
    float contactgap[4];        ///< colour: contact in the gap, which exerts no force
    float rangefinder[4];       ///< colour: ray of a rangefinder
    float constraint[4];        ///< colour: equality constraint
    float slidercrank[4];       ///< colour: slider-crank
    float crankbroken[4];       ///< colour: slider-crank whose rod is too short
    float frustum[4];           ///< colour: camera frustum
    float bv[4];                ///< colour: bounding box
    float bvactive[4];          ///< colour: bounding box that was tested in a collision
  } rgba;  ///< colours of marks: red green blue alpha
  // clang-format on
  // end of members
} ctVisual;

// ---- records of a simulation -----------------------------------------------------------------------------

/// One contact point.
typedef struct ctContact {
  ctReal dist;                     ///< distance between the surfaces; negative is penetration
  ctReal pos[3];                   ///< midpoint between the surfaces
  ctReal frame[9];                 ///< rows: normal (from geom[0] to geom[1]), two tangents
  ctReal includemargin;            ///< the contact pushes when dist is below this
  ctReal friction[5];              ///< sliding x 2, spinning, rolling x 2
  ctReal solref[CT_NREF];          ///< reference of the normal direction
  ctReal solreffriction[CT_NREF];  ///< reference of the friction directions
  ctReal solimp[CT_NIMP];          ///< impedance
  ctReal adhesion;                 ///< adhesive force along the normal
  ctReal surfacevel[3];            ///< surface velocity of geom[1] minus geom[0]: two tangents, spin
  ctReal mu;                       ///< friction of the regularised cone
#ifndef CTK_LEAN                   // contacts in worlds of a GPU are without
  ctReal H[36];                    ///< Hessian of the cone
#endif
  int dim;          ///< 1, 3, 4 or 6 rows
  int geom1;        ///< the same as geom[0]
  int geom2;        ///< the same as geom[1]
  int geom[2];      ///< geom ids, -1 for a deformable
  int flex[2];      ///< deformable ids, -1 for a geom
  int elem[2];      ///< element ids, -1 for none
  int vert[2];      ///< vertex ids, -1 for none
  int exclude;      ///< why it has no constraint rows (ctContactExclude)
  int efc_address;  ///< first constraint row, -1 for none
} ctContact;

/// How often a kind of trouble was met, and the index it was last met at.
typedef struct ctWarningStat {
  int lastinfo;  ///< index it was last met at: a dof, a number in qpos, a count of contacts, ... by kind
  int number;    ///< how often
} ctWarningStat;

/// Time spent in a stage (seconds) and how often it ran. Filled only while `d->now` is set.
typedef struct ctTimerStat {
  double duration;  ///< seconds in all
  int64_t number;   ///< how often it ran
} ctTimerStat;

/// One iteration of the constraint solver.
typedef struct ctSolverStat {
  ctReal improvement;  ///< by how much the cost fell, scaled
  ctReal gradient;     ///< norm of the gradient, scaled; 0 with PGS
  ctReal lineslope;    ///< steepness at the end of the line search, scaled; 0 with PGS
  int nactive;         ///< rows that are active
  int nchange;         ///< rows whose state changed
  int neval;           ///< evaluations of the cost in the line search
  int nupdate;         ///< updates of the factor (Newton), instead of a new one
} ctSolverStat;

// ---- access by name --------------------------------------------------------------------------------------

/// Type of the elements of a field.
typedef enum ctFieldType {
  CT_FIELD_REAL,     ///< ctReal
  CT_FIELD_FLOAT,    ///< float, in both precisions of the library
  CT_FIELD_INT,      ///< int
  CT_FIELD_SIZE,     ///< ctSize
  CT_FIELD_BYTE,     ///< ctByte
  CT_FIELD_BOOL,     ///< ctBool
  CT_FIELD_CHAR,     ///< char: text
  CT_FIELD_POINTER,  ///< uintptr_t
  CT_FIELD_CONTACT,  ///< ctContact
  CT_FIELD_COUNT
} ctFieldType;

/// Where a field lives, and so how long it stays.
typedef enum ctFieldPlace {
  CT_PLACE_SIZE,    ///< a count in the struct; only read
  CT_PLACE_MEMBER,  ///< a number or a short array in the struct
  CT_PLACE_BLOCK,   ///< an array that stays where it is as long as its struct
  CT_PLACE_ARENA    ///< an array that a step makes and the next one makes again
} ctFieldPlace;

/// What is known of a field without a model. All text is static.
typedef struct ctFieldInfo {
  const char* name;    ///< as ct_model_field() and ct_data_field() take it: "body_mass", "opt.gravity"
  ctFieldType type;    ///< of its elements
  ctFieldPlace place;  ///< where it lives
  int ndim;            ///< 0 scalar, 1 when an element of the array is a number, 2 when it is a row
  const char* rows;    ///< how many rows, in sizes of the model and data: "nbody"; "1" for a scalar
  const char* cols;    ///< how many columns: "3", "nuser_body"; "1" when there is only one
  const char* doc;     ///< description: meaning, frame, unit, what -1 stands for
} ctFieldInfo;

/// A field found by name: `rows * cols` elements at `data`, row by row.
typedef struct ctField {
  const char* name;  ///< static text
  ctFieldType type;  ///< of its elements
  void* data;        ///< owned by the model or data that was asked; NULL when the field is empty
  int64_t rows;      ///< number of rows; 1 for a scalar
  int64_t cols;      ///< numbers in a row; 1 when an element is a number
  int ndim;          ///< 0 scalar, 1 when an element of the array is a number, 2 when it is a row
} ctField;

/// Bytes of one element of a type, 0 for an unknown one. Thread-safe.
CT_API size_t ct_field_size(ctFieldType type);

#ifdef __cplusplus
}
#endif
