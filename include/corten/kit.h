/// @file
/// The kit of parts: joints, motors, couplings, muscles, tendons, sensors with errors, a solver and batched
/// vectors for programs that have no model. `parts.h` has the parts of a step; this header has parts to build
/// with.
///
/// Each is a small struct of numbers and functions over the caller's memory: nothing is allocated, nothing is
/// kept, and all functions are thread-safe. Functions that return a status check what they are given, so that
/// a bad number is a status and never a strange result; the others are plain arithmetic, NaN in and NaN out.
/// docs/kit.md has the equations and where they come from. Frames are right-handed, quaternions w x y z, six
/// numbers are rotation first.
#pragma once

#include "corten/error.h"
#include "corten/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- types

/// A frame seen from another: where it is and how it is turned.
typedef struct ctKitPose {
  ctReal pos[3];   ///< origin
  ctReal quat[4];  ///< rotation, unit
} ctKitPose;

/// Velocity of a frame: turning, and motion of its origin. Also the rate of one.
typedef struct ctKitTwist {
  ctReal angular[3];  ///< angular velocity
  ctReal linear[3];   ///< velocity of the origin
} ctKitTwist;

/// Force on a frame, with its torque about the origin.
typedef struct ctKitWrench {
  ctReal torque[3];  ///< about the origin
  ctReal force[3];   ///< anywhere along its line
} ctKitWrench;

/// Mass properties of a body in its frame.
typedef struct ctKitMass {
  ctReal mass;        ///< not negative
  ctReal com[3];      ///< centre of mass
  ctReal inertia[6];  ///< about the centre of mass, along the axes of the frame: xx yy zz xy xz yz
} ctKitMass;

/// A rigid body that moves. Pose and twist are those of its frame in the world, in world axes.
typedef struct ctKitRigid {
  ctKitPose pose;    ///< where it is
  ctKitTwist twist;  ///< how it moves
} ctKitRigid;

/// out = a b: the frame `b`, given in `a`, seen from where `a` is seen. `out` may be an argument.
CT_API void ct_kit_pose_mul(const ctKitPose* a, const ctKitPose* b, ctKitPose* out);
/// The frame in which `a` is given, seen from `a`.
CT_API void ct_kit_pose_inverse(const ctKitPose* a, ctKitPose* out);
/// A point given in the frame, seen from outside.
CT_API void ct_kit_pose_point(const ctKitPose* a, const ctReal point[3], ctReal out[3]);
/// Move the frame for a time with a constant twist in its own axes: a screw, the exponential map of SE(3).
/// Lynch and Park, Modern Robotics, section 3.3.
CT_API void ct_kit_pose_exp(const ctKitPose* a, const ctKitTwist* twist, ctReal time, ctKitPose* out);
/// The twist, in the axes of `a`, that brings `a` to `b` in unit time; turns by at most pi.
CT_API void ct_kit_pose_log(const ctKitPose* a, const ctKitPose* b, ctKitTwist* out);

/// A twist of the frame `a`, given in its axes, as the twist of the same body at the outer frame's origin, in
/// the outer axes: the adjoint map.
CT_API void ct_kit_twist_out(const ctKitPose* a, const ctKitTwist* twist, ctKitTwist* out);
/// The other way.
CT_API void ct_kit_twist_in(const ctKitPose* a, const ctKitTwist* twist, ctKitTwist* out);
/// A wrench given in the frame `a`, about the outer frame's origin and in the outer axes. Power is kept.
CT_API void ct_kit_wrench_out(const ctKitPose* a, const ctKitWrench* wrench, ctKitWrench* out);
/// The other way.
CT_API void ct_kit_wrench_in(const ctKitPose* a, const ctKitWrench* wrench, ctKitWrench* out);
/// Power of a wrench on a twist of the same frame.
CT_API ctReal ct_kit_power(const ctKitTwist* twist, const ctKitWrench* wrench);

/// Is it a mass a body can have: finite, not negative, principal moments that obey the triangle inequality?
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_ERR_INVALID
CT_API ctStatus ct_kit_mass_check(const ctKitMass* mass);
/// Two bodies given in one frame, as one. `out` may be an argument.
/// @return as ct_kit_mass_check()
CT_API ctStatus ct_kit_mass_add(const ctKitMass* a, const ctKitMass* b, ctKitMass* out);
/// A body given in the frame `a`, seen from outside.
CT_API ctStatus ct_kit_mass_move(const ctKitPose* a, const ctKitMass* mass, ctKitMass* out);
/// Principal frame, its origin in the centre of mass, and the moments in it, decreasing.
CT_API ctStatus ct_kit_mass_principal(const ctKitMass* mass, ctKitPose* frame, ctReal moments[3]);
/// Momentum about the frame's origin of a body that moves with a twist of its frame: I v.
CT_API ctStatus ct_kit_mass_momentum(const ctKitMass* mass, const ctKitTwist* twist, ctKitWrench* out);
/// A box of half sizes `size`, about its centre.
CT_API ctStatus ct_kit_mass_box(const ctReal size[3], ctReal density, ctKitMass* out);

/// Rate of a twist under a wrench, both in world axes at the body's frame (Newton and Euler). Mass and
/// moments must be positive.
CT_API ctStatus ct_kit_rigid_acceleration(const ctKitRigid* body, const ctKitMass* mass,
                                          const ctKitWrench* wrench, ctKitTwist* out);
/// Advance: the twist by the acceleration, then the pose by the new twist.
CT_API ctStatus ct_kit_rigid_step(ctKitRigid* body, const ctKitMass* mass, const ctKitWrench* wrench,
                                  ctReal timestep);

// ---- joints

#define CT_KIT_JOINT_LIST(X) /* id, numbers of position, of velocity, text */                  \
  X(FIXED, 0, 0, "holds everything")                                                           \
  X(REVOLUTE, 1, 1, "angle about `axis`")                                                      \
  X(PRISMATIC, 1, 1, "way along `axis`")                                                       \
  X(UNIVERSAL, 2, 2, "angle about `axis`, then about `axis2`, which the first turns")          \
  X(CYLINDRICAL, 2, 2, "angle about `axis`, way along it")                                     \
  X(PLANAR, 3, 3, "ways along `axis2` and along axis x axis2, angle about `axis`, the normal") \
  X(SPHERICAL, 4, 3, "quaternion; angular velocity in the child's axes")                       \
  X(FREE, 7, 6, "position, quaternion; velocity in the parent's axes, angular one in the child's")

#define CT_AS_ENUM(id, nq, nv, text) CT_KIT_JOINT_##id,
/// Kinds of joints. Positions and velocities are those of the engine's joints.
typedef enum ctKitJointKind { CT_KIT_JOINT_LIST(CT_AS_ENUM) CT_KIT_JOINT_COUNT } ctKitJointKind;
#undef CT_AS_ENUM

/// A joint between a parent's frame and a child's.
typedef struct ctKitJoint {
  int kind;         ///< a ctKitJointKind
  ctReal axis[3];   ///< unit
  ctReal axis2[3];  ///< unit; for planar joints across `axis`. Unused where the kind has one axis
} ctKitJoint;

/// How many numbers the position of a kind has; -1 where there is no such kind.
CT_API int ct_kit_joint_nq(int kind);
/// How many the velocity has.
CT_API int ct_kit_joint_nv(int kind);

/// Is the kind known, are its axes unit vectors?
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_ERR_INVALID
CT_API ctStatus ct_kit_joint_check(const ctKitJoint* joint);
/// The position at which the child's frame is the parent's.
CT_API ctStatus ct_kit_joint_zero(const ctKitJoint* joint, ctReal* q);
/// Position to pose of the child in the parent.
CT_API ctStatus ct_kit_joint_pose(const ctKitJoint* joint, const ctReal* q, ctKitPose* out);
/// Motion subspace: column k is the child's twist, in its own axes, at unit velocity k. `out` has 6 x nv
/// numbers, row by row. Featherstone, Rigid Body Dynamics Algorithms, section 4.4.
CT_API ctStatus ct_kit_joint_subspace(const ctKitJoint* joint, const ctReal* q, ctReal* out);
/// Its rate in the child's axes: acceleration = S dv/dt + rate v.
CT_API ctStatus ct_kit_joint_subspace_rate(const ctKitJoint* joint, const ctReal* q, const ctReal* v,
                                           ctReal* out);
/// Velocity to twist of the child in its own axes: S v.
CT_API ctStatus ct_kit_joint_twist(const ctKitJoint* joint, const ctReal* q, const ctReal* v,
                                   ctKitTwist* out);
/// Advance the position by a velocity for a time, on the manifold. `out` may be `q`.
CT_API ctStatus ct_kit_joint_integrate(const ctKitJoint* joint, const ctReal* q, const ctReal* v, ctReal time,
                                       ctReal* out);
/// The velocity that brings `from` to `to` in unit time.
CT_API ctStatus ct_kit_joint_difference(const ctKitJoint* joint, const ctReal* from, const ctReal* to,
                                        ctReal* out);

/// Room for the position and for the velocity of any joint.
#define CT_KIT_NQ 7
#define CT_KIT_NV 6

/// Where a joint is and how it moves. The first nq and nv numbers count.
typedef struct ctKitJointState {
  ctReal position[CT_KIT_NQ];  ///< as the kind has it
  ctReal velocity[CT_KIT_NV];  ///< its rate
} ctKitJointState;

/// At rest where the child's frame is the parent's.
CT_API ctStatus ct_kit_joint_state_zero(const ctKitJoint* joint, ctKitJointState* out);
/// Advance: the velocity by `nv` accelerations, then the position by the new velocity, on the manifold.
CT_API ctStatus ct_kit_joint_state_step(const ctKitJoint* joint, ctKitJointState* state,
                                        const ctReal* acceleration, ctReal timestep);

/// Add the engine's joints of a kind to a body of a spec: `name` for one joint, name_1, name_2, ... for
/// several, in the order of the position's numbers. Axes are those of the body; `joint` is checked first.
/// Fixed joints add nothing. A planar one slides, then turns; the engine has both positions and velocities
/// where ct_kit_joint_pose() has them.
/// @param name  may be NULL: joints have no names then
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID, or as ct_spec_add(); nothing is added then
CT_API ctStatus ct_kit_joint_to_spec(const ctKitJoint* joint, ctSpec* spec, ctElement* body, const char* name,
                                     ctError* err);

/// A limit of one coordinate. Soft as in the engine: `solref` and `solimp` mean what they mean there.
typedef struct ctKitLimit {
  ctReal lower;      ///< least value
  ctReal upper;      ///< largest value, at least `lower`
  ctReal margin;     ///< it acts from this distance on
  ctReal solref[2];  ///< time constant and damping ratio, or both negative: stiffness and damping
  ctReal solimp[5];  ///< impedance: first, last, width, midpoint, power
} ctKitLimit;

/// A constraint row that acts.
typedef struct ctKitRow {
  ctReal distance;   ///< to the limit, negative beyond it; the residual of a coupling
  ctReal sign;       ///< gradient of the distance by the coordinate: 1 or -1
  ctReal impedance;  ///< d, from 0 (soft) to 1 (hard)
  ctReal stiffness;  ///< k of the reference acceleration
  ctReal damping;    ///< b of it
  ctReal reference;  ///< acceleration asked for: - b velocity - k d distance
} ctKitRow;

/// Without end, and as soft as joints are by default.
CT_API void ct_kit_limit_default(ctKitLimit* out);
/// @return CT_OK, CT_ERR_ARGUMENT (NULL), CT_ERR_INVALID (reversed, not finite)
CT_API ctStatus ct_kit_limit_check(const ctKitLimit* limit);
/// The row of the limit at hand, the nearer one. `active` receives whether it acts; `row` is written then.
/// @param timestep  shortest time constant is twice this; 0 leaves it alone
CT_API ctStatus ct_kit_limit_row(const ctKitLimit* limit, ctReal position, ctReal velocity, ctReal timestep,
                                 bool* active, ctKitRow* row);
/// Force of the limit on its own: what the engine's solver gives when no other constraint acts.
/// @param free      acceleration of the coordinate without the limit
/// @param mobility  acceleration by unit force: inverse of the mass that is felt. Positive
CT_API ctStatus ct_kit_limit_force(const ctKitLimit* limit, ctReal position, ctReal velocity, ctReal free,
                                   ctReal mobility, ctReal timestep, ctReal* out);

#define CT_KIT_MOTOR_LIST(X) /* id, text */                           \
  X(OFF, "no force")                                                  \
  X(FORCE, "the target is a force")                                   \
  X(VELOCITY, "damping x (target - velocity)")                        \
  X(POSITION, "stiffness x (target - position) - damping x velocity") \
  X(SERVO, "damping x (wanted velocity - velocity), wanted: stiffness / damping x error, limited")

#define CT_AS_ENUM(id, text) CT_KIT_MOTOR_##id,
/// What a motor does with its target.
typedef enum ctKitMotorMode { CT_KIT_MOTOR_LIST(CT_AS_ENUM) CT_KIT_MOTOR_COUNT } ctKitMotorMode;
#undef CT_AS_ENUM

/// A motor on one coordinate.
typedef struct ctKitMotor {
  int mode;             ///< a ctKitMotorMode
  ctReal target;        ///< force, velocity or position
  ctReal stiffness;     ///< not negative
  ctReal damping;       ///< not negative; positive for a servo
  ctReal max_force;     ///< 0: none, infinite allowed
  ctReal max_velocity;  ///< of a servo; infinite allowed
} ctKitMotor;

/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID
CT_API ctStatus ct_kit_motor_check(const ctKitMotor* motor);
/// Force and, where not NULL, its derivatives by position and velocity.
CT_API ctStatus ct_kit_motor_force(const ctKitMotor* motor, ctReal position, ctReal velocity, ctReal* force,
                                   ctReal derivative[2]);

/// What a joint shall do. The first nq and nv numbers count.
typedef struct ctKitJointCommand {
  int mode;                    ///< a ctKitMotorMode, for all numbers of the joint
  ctReal position[CT_KIT_NQ];  ///< target of the modes position and servo
  ctReal velocity[CT_KIT_NV];  ///< target of the mode velocity; with positions, that of a target which moves
  ctReal force[CT_KIT_NV];     ///< target of the mode force; added in the other modes, not when off
} ctKitJointCommand;

/// Stay at the position of a state: what `mode` makes of no velocity and no force.
CT_API ctStatus ct_kit_joint_command_hold(const ctKitJoint* joint, const ctKitJointState* state, int mode,
                                          ctKitJointCommand* out);
/// Drive a joint: for each of its nv numbers the force of a motor, which gives stiffness, damping and limits;
/// mode and targets are those of the command. Errors of position are differences on the manifold.
/// @param force       nv numbers
/// @param derivative  nv x 2, of each force by its error of position, negated, and by its velocity. May be
/// NULL
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID
CT_API ctStatus ct_kit_joint_drive(const ctKitJoint* joint, const ctKitMotor* motor,
                                   const ctKitJointState* state, const ctKitJointCommand* command,
                                   ctReal* force, ctReal* derivative);

// ---- couplings: residual and gradient; 0 where they hold

/// A point of one body on a point of another. residual: 3 numbers, a's point minus b's, in world axes;
/// `gradient`: 3 x 12, by the world twists of a (6) and b (6).
CT_API void ct_kit_connect(const ctKitPose* a, const ctReal anchor_a[3], const ctKitPose* b,
                           const ctReal anchor_b[3], ctReal residual[3], ctReal gradient[36]);
/// y = polynomial(x) of degree 4, as in the engine's joint equality: residual = y - p(x). A gear of ratio r
/// is {0, r, 0, 0, 0}. gradient: by y and x.
CT_API ctReal ct_kit_gear(const ctReal coef[5], ctReal y, ctReal x, ctReal gradient[2]);
/// A differential: the carrier turns by ratio x the mean of both sides. gradient: by carrier, left, right.
CT_API ctReal ct_kit_differential(ctReal ratio, ctReal carrier, ctReal left, ctReal right,
                                  ctReal gradient[3]);
/// A network of tendons: each of `nnode` nodes keeps a weighted sum of lengths at a rest value, as loops over
/// pulleys do. weight: nnode x ntendon; jacobian: ntendon x nv, the gradients of the lengths; residual:
/// nnode; gradient: nnode x nv.
CT_API ctStatus ct_kit_network(int nnode, int ntendon, int nv, const ctReal* weight, const ctReal* length,
                               const ctReal* rest, const ctReal* jacobian, ctReal* residual,
                               ctReal* gradient);
/// How hard a coupling is held: the row of a residual, as for limits.
CT_API ctStatus ct_kit_coupling_row(const ctReal solref[2], const ctReal solimp[5], ctReal residual,
                                    ctReal velocity, ctReal timestep, ctKitRow* row);

// ---- muscles

/// A muscle after Hill: contractile and parallel elastic element in the fibre, a series elastic tendon.
/// Normalised quantities are in units of max_force, optimal_length, slack_length and max_velocity.
typedef struct ctKitMuscle {
  ctReal max_force;       ///< isometric, at optimal length (N)
  ctReal optimal_length;  ///< of the fibre (m)
  ctReal slack_length;    ///< of the tendon (m); 0: there is none
  ctReal pennation;       ///< angle between fibre and tendon at optimal length (rad), below pi / 2
  ctReal max_velocity;    ///< of shortening, optimal lengths a second
  ctReal activation;      ///< time constant of activation (s)
  ctReal deactivation;    ///< time constant of deactivation (s)
  ctReal width;           ///< of the force-length curve: exp(-(l - 1)^2 / width)
  ctReal passive_strain;  ///< of the fibre where the parallel element alone bears max_force
  ctReal passive_shape;   ///< exponent of that curve
  ctReal tendon_strain;   ///< of the tendon at max_force
  ctReal tendon_shape;    ///< exponent of that curve
  ctReal curvature;       ///< of the force-velocity hyperbola, a / F0
  ctReal lengthening;     ///< force at fast lengthening, above 1
  ctReal damping;         ///< of the fibre, max_force at max_velocity; positive
} ctKitMuscle;

/// What a muscle remembers.
typedef struct ctKitMuscleState {
  ctReal activation;  ///< 0 to 1
  ctReal fibre;       ///< length of the fibre (m)
} ctKitMuscleState;

/// A muscle at work.
typedef struct ctKitMuscleForce {
  ctReal force;          ///< along the tendon, not negative (N)
  ctReal fibre;          ///< length of the fibre (m)
  ctReal velocity;       ///< of the fibre, lengthening positive (m/s)
  ctReal cosine;         ///< of the pennation angle
  ctReal active;         ///< contractile element (N)
  ctReal passive;        ///< parallel element (N)
  ctReal by_length;      ///< derivative of `force` by the length of the whole
  ctReal by_velocity;    ///< by its velocity
  ctReal by_activation;  ///< by activation
  ctReal energy;         ///< elastic, of fibre and tendon (J)
} ctKitMuscleForce;

#define CT_KIT_MUSCLE_LIST(X) /* id, keyword, force, fibre, tendon, pennation in degrees, source */ \
  X(BICEPS, "biceps", 624.3, 0.1157, 0.2723, 0, "long head: Holzbaur, Murray, Delp 2005")           \
  X(QUADRICEPS, "quadriceps", 2255.4, 0.0994, 0.1300, 18.4, "vastus lateralis: Arnold et al. 2010") \
  X(GASTROCNEMIUS, "gastrocnemius", 1308.0, 0.0510, 0.4010, 9.9, "medial head: Arnold et al. 2010") \
  X(SOLEUS, "soleus", 3585.9, 0.0440, 0.2820, 28.3, "Arnold et al. 2010")

#define CT_AS_ENUM(id, keyword, force, fibre, tendon, pennation, source) CT_KIT_MUSCLE_##id,
/// Muscles with measured parameters.
typedef enum ctKitMusclePreset { CT_KIT_MUSCLE_LIST(CT_AS_ENUM) CT_KIT_MUSCLE_COUNT } ctKitMusclePreset;
#undef CT_AS_ENUM

/// A muscle of that force, fibre, tendon and pennation (rad), with typical curves.
CT_API void ct_kit_muscle_default(ctReal max_force, ctReal optimal_length, ctReal slack_length,
                                  ctReal pennation, ctKitMuscle* out);
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, no such preset)
CT_API ctStatus ct_kit_muscle_preset(int preset, ctKitMuscle* out);
/// Positive forces, lengths and times, pennation below a right angle, all finite.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_ERR_INVALID
CT_API ctStatus ct_kit_muscle_check(const ctKitMuscle* muscle);

/// Active force by length of the fibre, normalised as the other curves; `slope` may be NULL in all of them.
CT_API ctReal ct_kit_muscle_active(const ctKitMuscle* muscle, ctReal length, ctReal* slope);
/// Force of the parallel element by length of the fibre.
CT_API ctReal ct_kit_muscle_passive(const ctKitMuscle* muscle, ctReal length, ctReal* slope);
/// Force of the tendon by its length.
CT_API ctReal ct_kit_muscle_tendon(const ctKitMuscle* muscle, ctReal length, ctReal* slope);
/// Factor of the active force by velocity of the fibre.
CT_API ctReal ct_kit_muscle_speed(const ctKitMuscle* muscle, ctReal velocity, ctReal* slope);
/// Length of the fibre at an active force above 0, up to 1: the one beyond the optimal length when `longer`,
/// else the one below; NaN for other forces.
CT_API ctReal ct_kit_muscle_active_inverse(const ctKitMuscle* muscle, ctReal force, bool longer);
/// Length of the fibre at which the parallel element has a force above 0; NaN for others.
CT_API ctReal ct_kit_muscle_passive_inverse(const ctKitMuscle* muscle, ctReal force);
/// Length of the tendon at a force above 0; NaN for others.
CT_API ctReal ct_kit_muscle_tendon_inverse(const ctKitMuscle* muscle, ctReal force);
/// Velocity of the fibre for a factor between -curvature and `lengthening`; NaN for others.
CT_API ctReal ct_kit_muscle_speed_inverse(const ctKitMuscle* muscle, ctReal force);

/// Rate of activation under an excitation, as the engine's muscles have it.
CT_API ctStatus ct_kit_muscle_activation_rate(const ctKitMuscle* muscle, ctReal excitation, ctReal activation,
                                              ctReal* out);
/// Force with a tendon that does not stretch: of length, velocity and activation.
CT_API ctStatus ct_kit_muscle_rigid(const ctKitMuscle* muscle, ctReal length, ctReal velocity,
                                    ctReal activation, ctKitMuscleForce* out);
/// Force with an elastic tendon for a fibre of known length; by_length is for that fibre, and the fibre's
/// velocity is the one at which forces balance. Closed form, also at zero activation.
CT_API ctStatus ct_kit_muscle_elastic(const ctKitMuscle* muscle, const ctKitMuscleState* state, ctReal length,
                                      ctKitMuscleForce* out);
/// The fibre at rest in equilibrium with an elastic tendon, and the forces there. A slack muscle takes up the
/// slack in its fibre, as far as that can shorten.
CT_API ctStatus ct_kit_muscle_equilibrium(const ctKitMuscle* muscle, ctReal length, ctReal activation,
                                          ctKitMuscleForce* out);
/// Advance activation and fibre while the whole has the length at the end of the step. The fibre is taken at
/// the end of the step too: stable for every step, and without activation the elastic energy never grows.
CT_API ctStatus ct_kit_muscle_step(const ctKitMuscle* muscle, ctKitMuscleState* state, ctReal excitation,
                                   ctReal length, ctReal timestep, ctKitMuscleForce* out);

/// One of the muscles that turn a joint, against each other: those with a positive arm pull towards positive
/// angles, those with a negative one back. Any number may be on each side. Length: rest - arm x angle.
typedef struct ctKitAntagonist {
  ctKitMuscle muscle;  ///< what pulls
  ctReal rest;         ///< length at angle 0 (m)
  ctReal arm;          ///< moment arm with its sign, not 0 (m)
  ctReal weight;       ///< how much of its side's excitation it gets, 0 to 1
} ctKitAntagonist;

/// Excitations of a group for an effort from -1 to 1 and a co-contraction from 0 to 1: both sides get the
/// co-contraction, the one that is wanted gets the rest; each muscle by its weight.
/// @param out  n numbers
CT_API ctStatus ct_kit_antagonists_excite(const ctKitAntagonist* group, int n, ctReal effort,
                                          ctReal cocontraction, ctReal* out);
/// Advance a group. Nothing is advanced unless the status is CT_OK.
/// @param state       n muscles
/// @param excitation  n numbers
/// @param torque      about the joint
/// @param stiffness   -d torque / d angle for the fibres at hand, may be NULL
/// @param force       receives n muscles at work, may be NULL
CT_API ctStatus ct_kit_antagonists_step(const ctKitAntagonist* group, int n, ctKitMuscleState* state,
                                        const ctReal* excitation, ctReal angle, ctReal timestep,
                                        ctReal* torque, ctReal* stiffness, ctKitMuscleForce* force);

// ---- tendons

/// What a tendon passes.
typedef enum ctKitStationKind {
  CT_KIT_STATION_POINT,     ///< a point of a body
  CT_KIT_STATION_SPHERE,    ///< goes around a sphere
  CT_KIT_STATION_CYLINDER,  ///< goes around a cylinder along z of its frame
  CT_KIT_STATION_PULLEY,    ///< ends a branch; lengths of the next count 1 / divisor
  CT_KIT_STATION_COUNT      ///< how many there are
} ctKitStationKind;

/// A station of a path. Around a sphere or cylinder a path goes from one point to the next.
typedef struct ctKitStation {
  int kind;         ///< a ctKitStationKind
  int body;         ///< which pose it is fixed to
  ctKitPose place;  ///< in the body's frame; of a point only `pos` counts
  ctReal radius;    ///< of sphere or cylinder
  int has_side;     ///< is there a side point?
  ctReal side[3];   ///< in the body's frame: the side to pass on; inside: pass through the object
  ctReal divisor;   ///< of a pulley
} ctKitStation;

/// Spring, damper and limits of a tendon.
typedef struct ctKitTendon {
  ctReal rest[2];    ///< no spring force between these lengths; rest[0] <= rest[1]
  ctReal stiffness;  ///< not negative
  ctReal damping;    ///< not negative
  ctReal slack;      ///< 0: a spring pushes too. Otherwise it only pulls
} ctKitTendon;

/// Is the path one that can be followed? Branches have at least two points; objects stand between points;
/// bodies are below `nbody`.
CT_API ctStatus ct_kit_path_check(const ctKitStation* path, int count, int nbody);
/// Length of a path, and its gradient by the world twists of the bodies: 6 numbers each, may be NULL.
/// `point` receives the points it passes in the world, may be NULL: room for 2 x count.
CT_API ctStatus ct_kit_path_length(const ctKitStation* path, int count, const ctKitPose* body, int nbody,
                                   ctReal* length, ctReal* gradient, ctReal* point, int* npoint);
/// Rate of the length when the bodies move.
CT_API ctReal ct_kit_path_velocity(const ctReal* gradient, const ctKitTwist* twist, int nbody);
/// Gradient by joints from that by bodies: jacobian is 6 x nv for each body, one after another.
CT_API void ct_kit_path_jacobian(const ctReal* gradient, const ctReal* jacobian, int nbody, int nv,
                                 ctReal* out);
/// A fixed tendon: weighted sum of joint positions; its gradient is the weights.
CT_API ctReal ct_kit_fixed_length(const ctReal* coef, const ctReal* q, int n);
/// How many joints move a tendon: the numbers of its gradient by joints that are not 0.
CT_API int ct_kit_tendon_joints(const ctReal* jacobian, int nv);
/// Force by which the tendon acts along the gradient of its length: negative when it pulls.
CT_API ctStatus ct_kit_tendon_force(const ctKitTendon* tendon, ctReal length, ctReal velocity, ctReal* out);

// ---- sensors with errors

/// Most channels of one sensor.
#define CT_KIT_CHANNELS 6

/// Errors of a sensor. Zero is none, everywhere but in `count`, `timestep` and the diagonal of `matrix`.
typedef struct ctKitSensor {
  int count;                                        ///< channels, 1 to CT_KIT_CHANNELS
  int delay;                                        ///< samples from measurement to output
  uint32_t seed;                                    ///< of the noise
  uint32_t stream;                                  ///< which sensor this is: others have other noise
  ctReal timestep;                                  ///< between samples, positive (s)
  ctReal bandwidth;                                 ///< of a low pass of first order (Hz); 0: none
  ctReal matrix[CT_KIT_CHANNELS][CT_KIT_CHANNELS];  ///< scale and cross-axis errors: identity is none
  ctReal bias[CT_KIT_CHANNELS];                     ///< constant
  ctReal density[CT_KIT_CHANNELS];                  ///< white noise (unit / sqrt(Hz))
  ctReal walk[CT_KIT_CHANNELS];                     ///< random walk of the bias (unit sqrt(Hz))
  ctReal wander[CT_KIT_CHANNELS];                   ///< standard deviation of a bias that wanders and returns
  ctReal wander_time[CT_KIT_CHANNELS];              ///< correlation time of it (s); positive where it wanders
  ctReal range[CT_KIT_CHANNELS];                    ///< saturates at plus and minus this; 0: never
  ctReal resolution[CT_KIT_CHANNELS];               ///< of quantisation; 0: none
} ctKitSensor;

/// What a sensor remembers.
typedef struct ctKitSensorState {
  uint64_t step;                   ///< samples so far
  ctReal walk[CT_KIT_CHANNELS];    ///< random walk so far
  ctReal wander[CT_KIT_CHANNELS];  ///< bias that wanders
  ctReal filter[CT_KIT_CHANNELS];  ///< of the low pass
} ctKitSensorState;

/// Without errors.
CT_API void ct_kit_sensor_default(int count, ctReal timestep, ctKitSensor* out);
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID
CT_API ctStatus ct_kit_sensor_check(const ctKitSensor* sensor);
/// Begin: zero the state; the wandering bias starts where it may be after a long time.
CT_API ctStatus ct_kit_sensor_reset(const ctKitSensor* sensor, ctKitSensorState* state);
/// Take a sample: truth through low pass, matrix, biases, noise, saturation, quantisation, delay. The same
/// numbers for the same seed, stream, step and truth.
/// @param truth    `count` numbers
/// @param history  (delay + 1) x count numbers, kept between calls; may be NULL without delay
/// @param out      `count` numbers; the first sample until the delay has passed
CT_API ctStatus ct_kit_sensor_read(const ctKitSensor* sensor, ctKitSensorState* state, const ctReal* truth,
                                   ctReal* history, ctReal* out);

/// What an IMU at `mount` on a body feels: acceleration less gravity (3), then angular velocity (3), in its
/// own axes. `acceleration` is the rate of the body's twist, all in the world.
CT_API void ct_kit_imu(const ctKitRigid* body, const ctKitTwist* acceleration, const ctReal gravity[3],
                       const ctKitPose* mount, ctReal out[6]);
/// What a force and torque sensor at `mount` feels: force, then torque, of a wrench on the body's frame in
/// its own axes.
CT_API void ct_kit_force_torque(const ctKitWrench* wrench, const ctKitPose* mount, ctReal out[6]);
/// What a pad of some area feels: out = total normal force, pressure, and 1 or 0: touched. The switch closes
/// at `on` and opens below `off`; `touched` remembers it. Forces that pull do not count.
CT_API ctStatus ct_kit_touch(const ctReal* force, int count, ctReal area, ctReal on, ctReal off,
                             bool* touched, ctReal out[3]);
/// What a rangefinder says to a true distance (negative: nothing hit): `least` when nearer, -1 beyond `most`.
CT_API ctStatus ct_kit_rangefinder(ctReal distance, ctReal least, ctReal most, ctReal* out);
/// What a magnetometer feels of a field in the world.
CT_API void ct_kit_magnetometer(const ctKitPose* body, const ctReal field[3], const ctKitPose* mount,
                                ctReal out[3]);
/// Overlapping Allan deviation of `n` samples for averages over `m` samples. IEEE Std 952, annex C. `work`:
/// n + 1 numbers.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, m < 1, n <= 2 m)
CT_API ctStatus ct_kit_allan(const ctReal* sample, int n, int m, ctReal timestep, double* work, ctReal* out);

// ---- conjugate gradients

/// How a solve went.
typedef struct ctKitCgStats {
  int iterations;     ///< made
  int repaired;       ///< pivots of blocks that were not positive
  int converged;      ///< 1: the tolerance was reached
  ctReal initial;     ///< norm of the residual at the start
  ctReal residual;    ///< norm of the residual at the end, worked out anew
  ctReal least_rate;  ///< smallest step along a direction
  ctReal most_rate;   ///< largest step; most / least estimates the condition of the preconditioned matrix
} ctKitCgStats;

/// Numbers of work space that a solve needs, -1 when the blocks do not fill the matrix.
CT_API int64_t ct_kit_cg_work(int n, const int* block, int nblock);
/// Solve A x = b, A symmetric and positive definite, by conjugate gradients with block-Jacobi preconditioner
/// (Saad, Iterative Methods for Sparse Linear Systems, sections 9.2 and 10.2): in joint space A is J M^-1 J'
/// + R, and the blocks are the rows of one constraint.
///
/// @param matrix     n x n, row by row; only read
/// @param block      sizes of the diagonal blocks, in order; they add up to n
/// @param tolerance  of the norm of the residual over that of b
/// @param x          start, and receives the solution
/// @param work       ct_kit_cg_work() numbers
/// @return CT_OK, also where it has not converged; CT_ERR_ARGUMENT; CT_ERR_INVALID (not finite, not positive
///         definite along a direction)
CT_API ctStatus ct_kit_cg_solve(const ctReal* matrix, const ctReal* b, int n, const int* block, int nblock,
                                ctReal tolerance, int most, ctReal* x, ctReal* work, ctKitCgStats* stats);

// ---- batched vectors: structures of arrays, with vector instructions where there are some. Same bits as
// plain loops.

/// Four points.
typedef struct ctKitVec3x4 {
  ctReal x[4];  ///< first coordinates
  ctReal y[4];  ///< second
  ctReal z[4];  ///< third
} ctKitVec3x4;

/// Eight points.
typedef struct ctKitVec3x8 {
  ctReal x[8];  ///< first coordinates
  ctReal y[8];  ///< second
  ctReal z[8];  ///< third
} ctKitVec3x8;

/// The first of `n` points, of single precision and three numbers each, that is farthest along a direction;
/// -1 when there is none. `most` receives how far and may be NULL. The engine's search for the support of
/// small hulls.
CT_API int ct_kit_max_dot(const float* point, int n, const ctReal direction[3], ctReal* most);
/// Dot products of `count` groups of four pairs of vectors.
CT_API void ct_kit_dot4(const ctKitVec3x4* a, const ctKitVec3x4* b, int count, ctReal* out);
/// The same in groups of eight.
CT_API void ct_kit_dot8(const ctKitVec3x8* a, const ctKitVec3x8* b, int count, ctReal* out);
/// Advance `count` groups of eight points of some mass: velocity += timestep x (inverse mass x force +
/// gravity), then position += timestep x velocity. `inverse_mass`: 8 x count numbers.
CT_API void ct_kit_integrate8(const ctKitVec3x8* force, const ctReal* inverse_mass, int count,
                              const ctReal gravity[3], ctReal timestep, ctKitVec3x8* velocity,
                              ctKitVec3x8* position);
/// Which of `n` boxes overlap a box: 1 or 0 each; touching counts. Boxes are six arrays of n: least x, y, z,
/// largest x, y, z, one after another.
CT_API void ct_kit_box_overlap(const ctReal* boxes, int n, const ctReal least[3], const ctReal most[3],
                               ctByte* out);
/// Normal forces of `n` contacts that know nothing of each other, as soft as in the engine: 0 from `margin`
/// on, otherwise what ct_kit_limit_force() says. The arrays are plain arithmetic, NaN in and NaN out.
/// @param distance  between the surfaces, negative where they overlap
/// @param velocity  of it
/// @param free      acceleration of it without contact
/// @param mass      that it feels, inverse of the mobility
/// @return CT_OK, CT_ERR_ARGUMENT (NULL), CT_ERR_INVALID (solref, solimp, margin or timestep)
CT_API ctStatus ct_kit_normal_force(const ctReal* distance, const ctReal* velocity, const ctReal* free,
                                    const ctReal* mass, int n, const ctReal solref[2], const ctReal solimp[5],
                                    ctReal margin, ctReal timestep, ctReal* out);

#ifdef __cplusplus
}
#endif
