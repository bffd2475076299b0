// The kit of parts. Records are structs as bytes, which the Python side sees as NumPy records by the tables
// here; every call takes buffers and checks how much they hold.
#include <stdio.h>
#include <string.h>

#include "core.h"

enum { MOST_ARGS = 12 };

typedef struct Args {
  void* at[MOST_ARGS];
  Py_ssize_t n[MOST_ARGS];  // elements
} Args;

// ---- records ----

// X(name, code, struct)
#define RECORD_LIST(X)                      \
  X("Pose", 'P', ctKitPose)                 \
  X("Twist", 'T', ctKitTwist)               \
  X("Wrench", 'W', ctKitWrench)             \
  X("Mass", 'M', ctKitMass)                 \
  X("Rigid", 'R', ctKitRigid)               \
  X("Joint", 'J', ctKitJoint)               \
  X("JointState", 'G', ctKitJointState)     \
  X("JointCommand", 'H', ctKitJointCommand) \
  X("Limit", 'L', ctKitLimit)               \
  X("Row", 'O', ctKitRow)                   \
  X("Motor", 'D', ctKitMotor)               \
  X("Muscle", 'U', ctKitMuscle)             \
  X("MuscleState", 'S', ctKitMuscleState)   \
  X("MuscleForce", 'F', ctKitMuscleForce)   \
  X("Antagonist", 'A', ctKitAntagonist)     \
  X("Station", 'I', ctKitStation)           \
  X("Tendon", 'N', ctKitTendon)             \
  X("Sensor", 'E', ctKitSensor)             \
  X("SensorState", 'Q', ctKitSensorState)   \
  X("CgStats", 'C', ctKitCgStats)

// X(record, struct, member, code of its type)
#define FIELD_LIST(X)                                    \
  X("Pose", ctKitPose, pos, "r")                         \
  X("Pose", ctKitPose, quat, "r")                        \
  X("Twist", ctKitTwist, angular, "r")                   \
  X("Twist", ctKitTwist, linear, "r")                    \
  X("Wrench", ctKitWrench, torque, "r")                  \
  X("Wrench", ctKitWrench, force, "r")                   \
  X("Mass", ctKitMass, mass, "r")                        \
  X("Mass", ctKitMass, com, "r")                         \
  X("Mass", ctKitMass, inertia, "r")                     \
  X("Rigid", ctKitRigid, pose, "Pose")                   \
  X("Rigid", ctKitRigid, twist, "Twist")                 \
  X("Joint", ctKitJoint, kind, "i")                      \
  X("Joint", ctKitJoint, axis, "r")                      \
  X("Joint", ctKitJoint, axis2, "r")                     \
  X("JointState", ctKitJointState, position, "r")        \
  X("JointState", ctKitJointState, velocity, "r")        \
  X("JointCommand", ctKitJointCommand, mode, "i")        \
  X("JointCommand", ctKitJointCommand, position, "r")    \
  X("JointCommand", ctKitJointCommand, velocity, "r")    \
  X("JointCommand", ctKitJointCommand, force, "r")       \
  X("Limit", ctKitLimit, lower, "r")                     \
  X("Limit", ctKitLimit, upper, "r")                     \
  X("Limit", ctKitLimit, margin, "r")                    \
  X("Limit", ctKitLimit, solref, "r")                    \
  X("Limit", ctKitLimit, solimp, "r")                    \
  X("Row", ctKitRow, distance, "r")                      \
  X("Row", ctKitRow, sign, "r")                          \
  X("Row", ctKitRow, impedance, "r")                     \
  X("Row", ctKitRow, stiffness, "r")                     \
  X("Row", ctKitRow, damping, "r")                       \
  X("Row", ctKitRow, reference, "r")                     \
  X("Motor", ctKitMotor, mode, "i")                      \
  X("Motor", ctKitMotor, target, "r")                    \
  X("Motor", ctKitMotor, stiffness, "r")                 \
  X("Motor", ctKitMotor, damping, "r")                   \
  X("Motor", ctKitMotor, max_force, "r")                 \
  X("Motor", ctKitMotor, max_velocity, "r")              \
  X("Muscle", ctKitMuscle, max_force, "r")               \
  X("Muscle", ctKitMuscle, optimal_length, "r")          \
  X("Muscle", ctKitMuscle, slack_length, "r")            \
  X("Muscle", ctKitMuscle, pennation, "r")               \
  X("Muscle", ctKitMuscle, max_velocity, "r")            \
  X("Muscle", ctKitMuscle, activation, "r")              \
  X("Muscle", ctKitMuscle, deactivation, "r")            \
  X("Muscle", ctKitMuscle, width, "r")                   \
  X("Muscle", ctKitMuscle, passive_strain, "r")          \
  X("Muscle", ctKitMuscle, passive_shape, "r")           \
  X("Muscle", ctKitMuscle, tendon_strain, "r")           \
  X("Muscle", ctKitMuscle, tendon_shape, "r")            \
  X("Muscle", ctKitMuscle, curvature, "r")               \
  X("Muscle", ctKitMuscle, lengthening, "r")             \
  X("Muscle", ctKitMuscle, damping, "r")                 \
  X("MuscleState", ctKitMuscleState, activation, "r")    \
  X("MuscleState", ctKitMuscleState, fibre, "r")         \
  X("MuscleForce", ctKitMuscleForce, force, "r")         \
  X("MuscleForce", ctKitMuscleForce, fibre, "r")         \
  X("MuscleForce", ctKitMuscleForce, velocity, "r")      \
  X("MuscleForce", ctKitMuscleForce, cosine, "r")        \
  X("MuscleForce", ctKitMuscleForce, active, "r")        \
  X("MuscleForce", ctKitMuscleForce, passive, "r")       \
  X("MuscleForce", ctKitMuscleForce, by_length, "r")     \
  X("MuscleForce", ctKitMuscleForce, by_velocity, "r")   \
  X("MuscleForce", ctKitMuscleForce, by_activation, "r") \
  X("MuscleForce", ctKitMuscleForce, energy, "r")        \
  X("Antagonist", ctKitAntagonist, muscle, "Muscle")     \
  X("Antagonist", ctKitAntagonist, rest, "r")            \
  X("Antagonist", ctKitAntagonist, arm, "r")             \
  X("Antagonist", ctKitAntagonist, weight, "r")          \
  X("Station", ctKitStation, kind, "i")                  \
  X("Station", ctKitStation, body, "i")                  \
  X("Station", ctKitStation, place, "Pose")              \
  X("Station", ctKitStation, radius, "r")                \
  X("Station", ctKitStation, has_side, "i")              \
  X("Station", ctKitStation, side, "r")                  \
  X("Station", ctKitStation, divisor, "r")               \
  X("Tendon", ctKitTendon, rest, "r")                    \
  X("Tendon", ctKitTendon, stiffness, "r")               \
  X("Tendon", ctKitTendon, damping, "r")                 \
  X("Tendon", ctKitTendon, slack, "r")                   \
  X("Sensor", ctKitSensor, count, "i")                   \
  X("Sensor", ctKitSensor, delay, "i")                   \
  X("Sensor", ctKitSensor, seed, "u")                    \
  X("Sensor", ctKitSensor, stream, "u")                  \
  X("Sensor", ctKitSensor, timestep, "r")                \
  X("Sensor", ctKitSensor, bandwidth, "r")               \
  X("Sensor", ctKitSensor, matrix, "r")                  \
  X("Sensor", ctKitSensor, bias, "r")                    \
  X("Sensor", ctKitSensor, density, "r")                 \
  X("Sensor", ctKitSensor, walk, "r")                    \
  X("Sensor", ctKitSensor, wander, "r")                  \
  X("Sensor", ctKitSensor, wander_time, "r")             \
  X("Sensor", ctKitSensor, range, "r")                   \
  X("Sensor", ctKitSensor, resolution, "r")              \
  X("SensorState", ctKitSensorState, step, "s")          \
  X("SensorState", ctKitSensorState, walk, "r")          \
  X("SensorState", ctKitSensorState, wander, "r")        \
  X("SensorState", ctKitSensorState, filter, "r")        \
  X("CgStats", ctKitCgStats, iterations, "i")            \
  X("CgStats", ctKitCgStats, repaired, "i")              \
  X("CgStats", ctKitCgStats, converged, "i")             \
  X("CgStats", ctKitCgStats, initial, "r")               \
  X("CgStats", ctKitCgStats, residual, "r")              \
  X("CgStats", ctKitCgStats, least_rate, "r")            \
  X("CgStats", ctKitCgStats, most_rate, "r")

static const struct {
  const char* name;
  char code;
  Py_ssize_t size;
} records[] = {
#define X(name, code, T) {name, code, sizeof(T)},
    RECORD_LIST(X)
#undef X
};

static const struct {
  const char *record, *name, *code;
  Py_ssize_t offset, size;
} fields[] = {
#define X(record, T, member, code) {record, #member, code, offsetof(T, member), sizeof(((T*)0)->member)},
    FIELD_LIST(X)
#undef X
};

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Bytes of an element that a letter stands for.
static Py_ssize_t size_of(char code) {
  switch (code) {
    case 'r': return sizeof(ctReal);
    case 'i': return sizeof(int);
    case 'f': return sizeof(float);
    case 'd': return sizeof(double);
    case 'b': return 1;
    default: break;
  }
  for (int i = 0; i < COUNT_OF(records); i++) {
    if (records[i].code == code) return records[i].size;
  }
  return 0;
}

// ---- calls ----

#define AT(T, i)      ((T*)a->at[i])
#define REALS(i)      ((ctReal*)a->at[i])
#define ONE(i)        (REALS(i)[0])
#define HAS(i, count) (a->n[i] >= (Py_ssize_t)(count))
#define NQ(i)         ct_kit_joint_nq(AT(ctKitJoint, i)->kind)
#define NV(i)         ct_kit_joint_nv(AT(ctKitJoint, i)->kind)

static ctStatus muscle_rigid(const Args* a) {
  for (Py_ssize_t k = 0; k < a->n[4]; k++) {
    ctStatus status = ct_kit_muscle_rigid(AT(ctKitMuscle, 0), REALS(1)[k], REALS(2)[k], REALS(3)[k],
                                          AT(ctKitMuscleForce, 4) + k);
    if (status != CT_OK) return status;
  }
  return CT_OK;
}

static ctStatus muscle_equilibrium(const Args* a) {
  for (Py_ssize_t k = 0; k < a->n[3]; k++) {
    ctStatus status =
        ct_kit_muscle_equilibrium(AT(ctKitMuscle, 0), REALS(1)[k], REALS(2)[k], AT(ctKitMuscleForce, 3) + k);
    if (status != CT_OK) return status;
  }
  return CT_OK;
}

// curve(muscle, which, in, value, slope)
static ctStatus muscle_curve(const Args* a) {
  static ctReal (*const curves[])(const ctKitMuscle*, ctReal, ctReal*) = {
      ct_kit_muscle_active, ct_kit_muscle_passive, ct_kit_muscle_tendon, ct_kit_muscle_speed};
  int which = AT(int, 1)[0];
  ctStatus status = ct_kit_muscle_check(AT(ctKitMuscle, 0));
  if (status != CT_OK || which < 0 || which >= COUNT_OF(curves)) return status ? status : CT_ERR_ARGUMENT;
  for (Py_ssize_t k = 0; k < a->n[2]; k++)
    REALS(3)[k] = curves[which](AT(ctKitMuscle, 0), REALS(2)[k], REALS(4) + k);
  return CT_OK;
}

static ctReal active_below(const ctKitMuscle* muscle, ctReal force) {
  return ct_kit_muscle_active_inverse(muscle, force, false);
}

static ctReal active_beyond(const ctKitMuscle* muscle, ctReal force) {
  return ct_kit_muscle_active_inverse(muscle, force, true);
}

static ctStatus muscle_inverse(const Args* a) {
  static ctReal (*const inverses[])(const ctKitMuscle*, ctReal) = {
      ct_kit_muscle_passive_inverse, ct_kit_muscle_tendon_inverse, ct_kit_muscle_speed_inverse, active_below,
      active_beyond};
  int which = AT(int, 1)[0];
  ctStatus status = ct_kit_muscle_check(AT(ctKitMuscle, 0));
  if (status != CT_OK || which < 0 || which >= COUNT_OF(inverses)) return status ? status : CT_ERR_ARGUMENT;
  for (Py_ssize_t k = 0; k < a->n[2]; k++) REALS(3)[k] = inverses[which](AT(ctKitMuscle, 0), REALS(2)[k]);
  return CT_OK;
}

// Samples one after another: truth and out are rows of `count`.
static ctStatus sensor_read(const Args* a) {
  const ctKitSensor* s = AT(ctKitSensor, 0);
  ctStatus status = ct_kit_sensor_check(s);
  if (status != CT_OK) return status;
  if (a->n[2] % s->count != 0 || a->n[4] != a->n[2] || a->n[3] < (Py_ssize_t)(s->delay + 1) * s->count)
    return CT_ERR_ARGUMENT;
  for (Py_ssize_t k = 0; k < a->n[2] && status == CT_OK; k += s->count)
    status = ct_kit_sensor_read(s, AT(ctKitSensorState, 1), REALS(2) + k, REALS(3), REALS(4) + k);
  return status;
}

static ctStatus cg_solve(const Args* a) {
  Py_ssize_t n = a->n[1];
  if (n > INT32_MAX || a->n[2] > INT32_MAX || a->n[0] != n * n || a->n[4] != n) return CT_ERR_ARGUMENT;
  int64_t need = ct_kit_cg_work((int)n, AT(int, 2), (int)a->n[2]);
  if (need < 0 || a->n[5] < need) return CT_ERR_ARGUMENT;
  return ct_kit_cg_solve(REALS(0), REALS(1), (int)n, AT(int, 2), (int)a->n[2], ONE(3), (int)REALS(3)[1],
                         REALS(4), REALS(5), AT(ctKitCgStats, 6));
}

static ctStatus touch(const Args* a) {
  bool touched = AT(int, 2)[0] != 0;
  const ctReal* p = REALS(1);
  ctStatus status = ct_kit_touch(REALS(0), (int)a->n[0], p[0], p[1], p[2], &touched, REALS(3));
  AT(int, 2)[0] = touched;
  return status;
}

static ctStatus limit_row(const Args* a) {
  bool active = false;
  const ctReal* p = REALS(1);
  ctStatus status = ct_kit_limit_row(AT(ctKitLimit, 0), p[0], p[1], p[2], &active, AT(ctKitRow, 2));
  AT(int, 3)[0] = active;
  return status;
}

// X(name, letters of the arguments, what they must hold, call)
#define CALL_LIST(X)                                                                                        \
  X(pose_mul, "PPP", 1, (ct_kit_pose_mul(AT(ctKitPose, 0), AT(ctKitPose, 1), AT(ctKitPose, 2)), CT_OK))     \
  X(pose_inverse, "PP", 1, (ct_kit_pose_inverse(AT(ctKitPose, 0), AT(ctKitPose, 1)), CT_OK))                \
  X(pose_point, "Prr", HAS(1, 3) && HAS(2, 3),                                                              \
    (ct_kit_pose_point(AT(ctKitPose, 0), REALS(1), REALS(2)), CT_OK))                                       \
  X(pose_exp, "PTrP", HAS(2, 1),                                                                            \
    (ct_kit_pose_exp(AT(ctKitPose, 0), AT(ctKitTwist, 1), ONE(2), AT(ctKitPose, 3)), CT_OK))                \
  X(pose_log, "PPT", 1, (ct_kit_pose_log(AT(ctKitPose, 0), AT(ctKitPose, 1), AT(ctKitTwist, 2)), CT_OK))    \
  X(twist_out, "PTT", 1, (ct_kit_twist_out(AT(ctKitPose, 0), AT(ctKitTwist, 1), AT(ctKitTwist, 2)), CT_OK)) \
  X(twist_in, "PTT", 1, (ct_kit_twist_in(AT(ctKitPose, 0), AT(ctKitTwist, 1), AT(ctKitTwist, 2)), CT_OK))   \
  X(wrench_out, "PWW", 1,                                                                                   \
    (ct_kit_wrench_out(AT(ctKitPose, 0), AT(ctKitWrench, 1), AT(ctKitWrench, 2)), CT_OK))                   \
  X(wrench_in, "PWW", 1,                                                                                    \
    (ct_kit_wrench_in(AT(ctKitPose, 0), AT(ctKitWrench, 1), AT(ctKitWrench, 2)), CT_OK))                    \
  X(power, "TWr", HAS(2, 1), (ONE(2) = ct_kit_power(AT(ctKitTwist, 0), AT(ctKitWrench, 1)), CT_OK))         \
  X(mass_check, "M", 1, ct_kit_mass_check(AT(ctKitMass, 0)))                                                \
  X(mass_add, "MMM", 1, ct_kit_mass_add(AT(ctKitMass, 0), AT(ctKitMass, 1), AT(ctKitMass, 2)))              \
  X(mass_move, "PMM", 1, ct_kit_mass_move(AT(ctKitPose, 0), AT(ctKitMass, 1), AT(ctKitMass, 2)))            \
  X(mass_principal, "MPr", HAS(2, 3), ct_kit_mass_principal(AT(ctKitMass, 0), AT(ctKitPose, 1), REALS(2)))  \
  X(mass_momentum, "MTW", 1, ct_kit_mass_momentum(AT(ctKitMass, 0), AT(ctKitTwist, 1), AT(ctKitWrench, 2))) \
  X(mass_box, "rrM", HAS(0, 3) && HAS(1, 1), ct_kit_mass_box(REALS(0), ONE(1), AT(ctKitMass, 2)))           \
  X(rigid_acceleration, "RMWT", 1,                                                                          \
    ct_kit_rigid_acceleration(AT(ctKitRigid, 0), AT(ctKitMass, 1), AT(ctKitWrench, 2), AT(ctKitTwist, 3)))  \
  X(rigid_step, "RMWr", HAS(3, 1),                                                                          \
    ct_kit_rigid_step(AT(ctKitRigid, 0), AT(ctKitMass, 1), AT(ctKitWrench, 2), ONE(3)))                     \
  X(joint_check, "J", 1, ct_kit_joint_check(AT(ctKitJoint, 0)))                                             \
  X(joint_zero, "Jr", HAS(1, NQ(0)), ct_kit_joint_zero(AT(ctKitJoint, 0), REALS(1)))                        \
  X(joint_pose, "JrP", HAS(1, NQ(0)), ct_kit_joint_pose(AT(ctKitJoint, 0), REALS(1), AT(ctKitPose, 2)))     \
  X(joint_subspace, "Jrr", HAS(1, NQ(0)) && HAS(2, 6 * NV(0)),                                              \
    ct_kit_joint_subspace(AT(ctKitJoint, 0), REALS(1), REALS(2)))                                           \
  X(joint_subspace_rate, "Jrrr", HAS(1, NQ(0)) && HAS(2, NV(0)) && HAS(3, 6 * NV(0)),                       \
    ct_kit_joint_subspace_rate(AT(ctKitJoint, 0), REALS(1), REALS(2), REALS(3)))                            \
  X(joint_twist, "JrrT", HAS(1, NQ(0)) && HAS(2, NV(0)),                                                    \
    ct_kit_joint_twist(AT(ctKitJoint, 0), REALS(1), REALS(2), AT(ctKitTwist, 3)))                           \
  X(joint_integrate, "Jrrrr", HAS(1, NQ(0)) && HAS(2, NV(0)) && HAS(3, 1) && HAS(4, NQ(0)),                 \
    ct_kit_joint_integrate(AT(ctKitJoint, 0), REALS(1), REALS(2), ONE(3), REALS(4)))                        \
  X(joint_difference, "Jrrr", HAS(1, NQ(0)) && HAS(2, NQ(0)) && HAS(3, NV(0)),                              \
    ct_kit_joint_difference(AT(ctKitJoint, 0), REALS(1), REALS(2), REALS(3)))                               \
  X(joint_state_zero, "JG", 1, ct_kit_joint_state_zero(AT(ctKitJoint, 0), AT(ctKitJointState, 1)))          \
  X(joint_state_step, "JGrr", HAS(2, NV(0)) && HAS(3, 1),                                                   \
    ct_kit_joint_state_step(AT(ctKitJoint, 0), AT(ctKitJointState, 1), REALS(2), ONE(3)))                   \
  X(joint_command_hold, "JGiH", HAS(2, 1),                                                                  \
    ct_kit_joint_command_hold(AT(ctKitJoint, 0), AT(ctKitJointState, 1), AT(int, 2)[0],                     \
                              AT(ctKitJointCommand, 3)))                                                    \
  X(joint_drive, "JDGHrr", HAS(4, NV(0)) && HAS(5, 2 * NV(0)),                                              \
    ct_kit_joint_drive(AT(ctKitJoint, 0), AT(ctKitMotor, 1), AT(ctKitJointState, 2),                        \
                       AT(ctKitJointCommand, 3), REALS(4), REALS(5)))                                       \
  X(limit_default, "L", 1, (ct_kit_limit_default(AT(ctKitLimit, 0)), CT_OK))                                \
  X(limit_check, "L", 1, ct_kit_limit_check(AT(ctKitLimit, 0)))                                             \
  X(limit_row, "LrOi", HAS(1, 3) && HAS(3, 1), limit_row(a))                                                \
  X(limit_force, "Lrr", HAS(1, 5) && HAS(2, 1),                                                             \
    ct_kit_limit_force(AT(ctKitLimit, 0), REALS(1)[0], REALS(1)[1], REALS(1)[2], REALS(1)[3], REALS(1)[4],  \
                       REALS(2)))                                                                           \
  X(motor_check, "D", 1, ct_kit_motor_check(AT(ctKitMotor, 0)))                                             \
  X(motor_force, "Drrr", HAS(1, 2) && HAS(2, 1) && HAS(3, 2),                                               \
    ct_kit_motor_force(AT(ctKitMotor, 0), REALS(1)[0], REALS(1)[1], REALS(2), REALS(3)))                    \
  X(connect, "PrPrrr", HAS(1, 3) && HAS(3, 3) && HAS(4, 3) && HAS(5, 36),                                   \
    (ct_kit_connect(AT(ctKitPose, 0), REALS(1), AT(ctKitPose, 2), REALS(3), REALS(4), REALS(5)), CT_OK))    \
  X(gear, "rrrr", HAS(0, 5) && HAS(1, 2) && HAS(2, 1) && HAS(3, 2),                                         \
    (ONE(2) = ct_kit_gear(REALS(0), REALS(1)[0], REALS(1)[1], REALS(3)), CT_OK))                            \
  X(differential, "rrr", HAS(0, 4) && HAS(1, 1) && HAS(2, 3),                                               \
    (ONE(1) = ct_kit_differential(REALS(0)[0], REALS(0)[1], REALS(0)[2], REALS(0)[3], REALS(2)), CT_OK))    \
  X(network, "rrrrrr",                                                                                      \
    a->n[0] == a->n[1] * a->n[2] && a->n[4] == a->n[2] && a->n[1] > 0 && a->n[3] % a->n[1] == 0 &&          \
        a->n[5] == a->n[2] * (a->n[3] / a->n[1]),                                                           \
    ct_kit_network((int)a->n[2], (int)a->n[1], (int)(a->n[3] / a->n[1]), REALS(0), REALS(1), REALS(2),      \
                   REALS(3), REALS(4), REALS(5)))                                                           \
  X(coupling_row, "rrrO", HAS(0, 2) && HAS(1, 5) && HAS(2, 3),                                              \
    ct_kit_coupling_row(REALS(0), REALS(1), REALS(2)[0], REALS(2)[1], REALS(2)[2], AT(ctKitRow, 3)))        \
  X(muscle_default, "rU", HAS(0, 4),                                                                        \
    (ct_kit_muscle_default(REALS(0)[0], REALS(0)[1], REALS(0)[2], REALS(0)[3], AT(ctKitMuscle, 1)), CT_OK)) \
  X(muscle_preset, "iU", HAS(0, 1), ct_kit_muscle_preset(AT(int, 0)[0], AT(ctKitMuscle, 1)))                \
  X(muscle_check, "U", 1, ct_kit_muscle_check(AT(ctKitMuscle, 0)))                                          \
  X(muscle_curve, "Uirrr", HAS(1, 1) && HAS(3, a->n[2]) && HAS(4, a->n[2]), muscle_curve(a))                \
  X(muscle_inverse, "Uirr", HAS(1, 1) && HAS(3, a->n[2]), muscle_inverse(a))                                \
  X(muscle_activation_rate, "Urr", HAS(1, 2) && HAS(2, 1),                                                  \
    ct_kit_muscle_activation_rate(AT(ctKitMuscle, 0), REALS(1)[0], REALS(1)[1], REALS(2)))                  \
  X(muscle_rigid, "UrrrF", HAS(1, a->n[4]) && HAS(2, a->n[4]) && HAS(3, a->n[4]), muscle_rigid(a))          \
  X(muscle_elastic, "USrF", HAS(2, 1),                                                                      \
    ct_kit_muscle_elastic(AT(ctKitMuscle, 0), AT(ctKitMuscleState, 1), ONE(2), AT(ctKitMuscleForce, 3)))    \
  X(muscle_equilibrium, "UrrF", HAS(1, a->n[3]) && HAS(2, a->n[3]), muscle_equilibrium(a))                  \
  X(muscle_step, "USrF", HAS(2, 3),                                                                         \
    ct_kit_muscle_step(AT(ctKitMuscle, 0), AT(ctKitMuscleState, 1), REALS(2)[0], REALS(2)[1], REALS(2)[2],  \
                       AT(ctKitMuscleForce, 3)))                                                            \
  X(antagonists_excite, "Arr", HAS(1, 2) && HAS(2, a->n[0]),                                                \
    ct_kit_antagonists_excite(AT(ctKitAntagonist, 0), (int)a->n[0], REALS(1)[0], REALS(1)[1], REALS(2)))    \
  X(antagonists_step, "ASrrrF",                                                                             \
    HAS(1, a->n[0]) && HAS(2, a->n[0]) && HAS(3, 2) && HAS(4, 2) && HAS(5, a->n[0]),                        \
    ct_kit_antagonists_step(AT(ctKitAntagonist, 0), (int)a->n[0], AT(ctKitMuscleState, 1), REALS(2),        \
                            REALS(3)[0], REALS(3)[1], REALS(4), REALS(4) + 1, AT(ctKitMuscleForce, 5)))     \
  X(path_check, "Ii", HAS(1, 1), ct_kit_path_check(AT(ctKitStation, 0), (int)a->n[0], AT(int, 1)[0]))       \
  X(path_length, "IPrrri", HAS(2, 1) && HAS(3, 6 * a->n[1]) && HAS(4, 6 * a->n[0]) && HAS(5, 1),            \
    ct_kit_path_length(AT(ctKitStation, 0), (int)a->n[0], AT(ctKitPose, 1), (int)a->n[1], REALS(2),         \
                       REALS(3), REALS(4), AT(int, 5)))                                                     \
  X(path_velocity, "rTr", HAS(0, 6 * a->n[1]) && HAS(2, 1),                                                 \
    (ONE(2) = ct_kit_path_velocity(REALS(0), AT(ctKitTwist, 1), (int)a->n[1]), CT_OK))                      \
  X(path_jacobian, "rrr", a->n[1] == a->n[0] * a->n[2] && a->n[0] % 6 == 0,                                 \
    (ct_kit_path_jacobian(REALS(0), REALS(1), (int)(a->n[0] / 6), (int)a->n[2], REALS(2)), CT_OK))          \
  X(fixed_length, "rrr", HAS(1, a->n[0]) && HAS(2, 1),                                                      \
    (ONE(2) = ct_kit_fixed_length(REALS(0), REALS(1), (int)a->n[0]), CT_OK))                                \
  X(tendon_joints, "ri", HAS(1, 1), (AT(int, 1)[0] = ct_kit_tendon_joints(REALS(0), (int)a->n[0]), CT_OK))  \
  X(tendon_force, "Nrr", HAS(1, 2) && HAS(2, 1),                                                            \
    ct_kit_tendon_force(AT(ctKitTendon, 0), REALS(1)[0], REALS(1)[1], REALS(2)))                            \
  X(sensor_default, "irE", HAS(0, 1) && HAS(1, 1),                                                          \
    (ct_kit_sensor_default(AT(int, 0)[0], ONE(1), AT(ctKitSensor, 2)), CT_OK))                              \
  X(sensor_check, "E", 1, ct_kit_sensor_check(AT(ctKitSensor, 0)))                                          \
  X(sensor_reset, "EQ", 1, ct_kit_sensor_reset(AT(ctKitSensor, 0), AT(ctKitSensorState, 1)))                \
  X(sensor_read, "EQrrr", 1, sensor_read(a))                                                                \
  X(imu, "RTrPr", HAS(2, 3) && HAS(4, 6),                                                                   \
    (ct_kit_imu(AT(ctKitRigid, 0), AT(ctKitTwist, 1), REALS(2), AT(ctKitPose, 3), REALS(4)), CT_OK))        \
  X(force_torque, "WPr", HAS(2, 6),                                                                         \
    (ct_kit_force_torque(AT(ctKitWrench, 0), AT(ctKitPose, 1), REALS(2)), CT_OK))                           \
  X(touch, "rrir", HAS(1, 3) && HAS(2, 1) && HAS(3, 3), touch(a))                                           \
  X(rangefinder, "rr", HAS(0, 3) && HAS(1, 1),                                                              \
    ct_kit_rangefinder(REALS(0)[0], REALS(0)[1], REALS(0)[2], REALS(1)))                                    \
  X(magnetometer, "PrPr", HAS(1, 3) && HAS(3, 3),                                                           \
    (ct_kit_magnetometer(AT(ctKitPose, 0), REALS(1), AT(ctKitPose, 2), REALS(3)), CT_OK))                   \
  X(allan, "rirdr", a->n[0] <= INT32_MAX && HAS(1, 1) && HAS(2, 1) && HAS(3, a->n[0] + 1) && HAS(4, 1),     \
    ct_kit_allan(REALS(0), (int)a->n[0], AT(int, 1)[0], ONE(2), AT(double, 3), REALS(4)))                   \
  X(cg_solve, "rrirrrC", HAS(3, 2), cg_solve(a))                                                            \
  X(max_dot, "frir", a->n[0] % 3 == 0 && a->n[0] / 3 <= INT32_MAX && HAS(1, 3) && HAS(2, 1) && HAS(3, 1),   \
    (AT(int, 2)[0] = ct_kit_max_dot(AT(float, 0), (int)(a->n[0] / 3), REALS(1), REALS(3)), CT_OK))          \
  X(dot8, "rrr", a->n[0] % 24 == 0 && a->n[1] == a->n[0] && HAS(2, a->n[0] / 3),                            \
    (ct_kit_dot8(AT(ctKitVec3x8, 0), AT(ctKitVec3x8, 1), (int)(a->n[0] / 24), REALS(2)), CT_OK))            \
  X(dot4, "rrr", a->n[0] % 12 == 0 && a->n[1] == a->n[0] && HAS(2, a->n[0] / 3),                            \
    (ct_kit_dot4(AT(ctKitVec3x4, 0), AT(ctKitVec3x4, 1), (int)(a->n[0] / 12), REALS(2)), CT_OK))            \
  X(integrate8, "rrrrrr",                                                                                   \
    a->n[0] % 24 == 0 && HAS(1, a->n[0] / 3) && HAS(2, 3) && HAS(3, 1) && a->n[4] == a->n[0] &&             \
        a->n[5] == a->n[0],                                                                                 \
    (ct_kit_integrate8(AT(ctKitVec3x8, 0), REALS(1), (int)(a->n[0] / 24), REALS(2), ONE(3),                 \
                       AT(ctKitVec3x8, 4), AT(ctKitVec3x8, 5)),                                             \
     CT_OK))                                                                                                \
  X(normal_force, "rrrrrrrr",                                                                               \
    a->n[0] <= INT32_MAX && HAS(1, a->n[0]) && HAS(2, a->n[0]) && HAS(3, a->n[0]) && HAS(4, 2) &&           \
        HAS(5, 5) && HAS(6, 2) && HAS(7, a->n[0]),                                                          \
    ct_kit_normal_force(REALS(0), REALS(1), REALS(2), REALS(3), (int)a->n[0], REALS(4), REALS(5),           \
                        REALS(6)[0], REALS(6)[1], REALS(7)))                                                \
  X(box_overlap, "rrb", a->n[0] % 6 == 0 && HAS(1, 6) && HAS(2, a->n[0] / 6),                               \
    (ct_kit_box_overlap(REALS(0), (int)(a->n[0] / 6), REALS(1), REALS(1) + 3, AT(ctByte, 2)), CT_OK))

#define X(name, form, holds, call)                           \
  static ctStatus call_##name(const Args* a, bool* enough) { \
    *enough = (holds);                                       \
    return *enough ? (call) : CT_ERR_ARGUMENT;               \
  }
CALL_LIST(X)
#undef X

static const struct {
  const char *name, *form;
  ctStatus (*call)(const Args* a, bool* enough);
} calls[] = {
#define X(name, form, holds, call) {#name, form, call_##name},
    CALL_LIST(X)
#undef X
};

// One call: kit(name, buffers...). Arrays come from the Python side, contiguous and of the right kind.
static PyObject* kit(PyObject* module, PyObject* args) {
  Py_ssize_t given = PyTuple_Size(args) - 1;
  PyObject* first = given >= 0 ? PyTuple_GetItem(args, 0) : NULL;
  if (!first) return PyErr_Format(PyExc_TypeError, "kit() takes a name and buffers");
  int at = 0;
  while (at < COUNT_OF(calls) && PyUnicode_CompareWithASCIIString(first, calls[at].name) != 0) at++;
  if (at == COUNT_OF(calls)) return PyErr_Format(PyExc_ValueError, "there is no %R in the kit", first);
  const Py_ssize_t count = (Py_ssize_t)strlen(calls[at].form);
  if (given != count) return PyErr_Format(PyExc_TypeError, "%s takes %zd buffers", calls[at].name, count);
  Py_buffer buffers[MOST_ARGS];
  Args a;
  Py_ssize_t taken = 0;
  bool ok = true;
  for (; ok && taken < count; taken++) {
    if (PyObject_GetBuffer(PyTuple_GetItem(args, taken + 1), &buffers[taken], PyBUF_WRITABLE) < 0) {
      ok = false;
      break;
    }
    Py_ssize_t size = size_of(calls[at].form[taken]);
    a.at[taken] = buffers[taken].buf;
    a.n[taken] = buffers[taken].len / size;
    // records are never missing
    if (buffers[taken].len % size != 0 || (size > (Py_ssize_t)sizeof(double) && a.n[taken] < 1)) {
      PyErr_Format(PyExc_ValueError, "%s: argument %zd has the wrong size", calls[at].name, taken + 1);
      ok = false;
    }
  }
  ctStatus status = CT_OK;
  bool enough = true;
  if (ok) status = calls[at].call(&a, &enough);
  for (Py_ssize_t k = 0; k < taken; k++) PyBuffer_Release(&buffers[k]);
  if (!ok) return NULL;
  if (!enough) return PyErr_Format(PyExc_ValueError, "%s: an array has the wrong size", calls[at].name);
  if (status == CT_OK) return Py_NewRef(Py_None);
  if (status != CT_ERR_INVALID) return raise_status(PyModule_GetState(module), calls[at].name, status);
  ctError err = {.status = status};
  snprintf(err.message, sizeof(err.message), "%s: a number is not finite, or nothing can have it",
           calls[at].name);
  return raise_error(PyModule_GetState(module), &err);
}

// ((name, size, ((field, code, offset, size), ...)), ...)
static PyObject* kit_records(PyObject* module, PyObject* none) {
  (void)module;
  (void)none;
  PyObject* all = PyList_New(0);
  for (int i = 0; all && i < COUNT_OF(records); i++) {
    PyObject* list = PyList_New(0);
    for (int k = 0; list && k < COUNT_OF(fields); k++) {
      if (strcmp(fields[k].record, records[i].name) != 0) continue;
      PyObject* row =
          Py_BuildValue("(ssnn)", fields[k].name, fields[k].code, fields[k].offset, fields[k].size);
      if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
      Py_XDECREF(row);
    }
    PyObject* record = list ? Py_BuildValue("(snN)", records[i].name, records[i].size, list) : NULL;
    if (!record || PyList_Append(all, record) < 0) Py_CLEAR(all);
    Py_XDECREF(record);
  }
  return all;
}

PyMethodDef kit_methods[] = {
    {"kit", kit, METH_VARARGS, "kit(name, buffers...)"},
    {"kit_records", kit_records, METH_NOARGS, "kit_records() -> list"},
    {NULL, NULL, 0, NULL},
};
