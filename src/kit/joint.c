// Joints: each kind is one row of functions. Limits and motors of a coordinate.
#include "kit/kit.h"
#include "math/quat.h"
#include "stage/constraint/softness.h"

#define AS_NQ(id, nq, nv, text) nq,
#define AS_NV(id, nq, nv, text) nv,
static const int joint_nq[] = {CT_KIT_JOINT_LIST(AS_NQ)};
static const int joint_nv[] = {CT_KIT_JOINT_LIST(AS_NV)};

int ct_kit_joint_nq(int kind) {
  return kind >= 0 && kind < CT_KIT_JOINT_COUNT ? joint_nq[kind] : -1;
}

int ct_kit_joint_nv(int kind) {
  return kind >= 0 && kind < CT_KIT_JOINT_COUNT ? joint_nv[kind] : -1;
}

static bool is_unit(const ctReal a[3]) {
  const ctReal tolerance = sizeof(ctReal) == 4 ? CT_R(1e-5) : CT_R(1e-9);
  return cti_abs(cti_dot3(a, a) - 1) <= tolerance;
}

ctStatus ct_kit_joint_check(const ctKitJoint* joint) {
  if (!joint) return CT_ERR_ARGUMENT;
  bool ok = true;
  switch (joint->kind) {
    case CT_KIT_JOINT_FIXED:
    case CT_KIT_JOINT_SPHERICAL:
    case CT_KIT_JOINT_FREE: break;
    case CT_KIT_JOINT_REVOLUTE:
    case CT_KIT_JOINT_PRISMATIC:
    case CT_KIT_JOINT_CYLINDRICAL: ok = is_unit(joint->axis); break;
    case CT_KIT_JOINT_UNIVERSAL: ok = is_unit(joint->axis) && is_unit(joint->axis2); break;
    case CT_KIT_JOINT_PLANAR: {
      const ctReal tolerance = sizeof(ctReal) == 4 ? CT_R(1e-5) : CT_R(1e-9);
      ok = is_unit(joint->axis) && is_unit(joint->axis2) &&
           cti_abs(cti_dot3(joint->axis, joint->axis2)) <= tolerance;
      break;
    }
    default: ok = false;
  }
  return ok ? CT_OK : CT_ERR_INVALID;
}

// The check, and the arrays a call needs; those of no numbers may be NULL.
static ctStatus check(const ctKitJoint* joint, const ctReal* q, const ctReal* v, const void* out) {
  ctStatus status = ct_kit_joint_check(joint);
  if (status != CT_OK) return status;
  bool none = joint_nq[joint->kind] == 0;
  if (!none && (!q || !v || !out)) return CT_ERR_ARGUMENT;
  if (none) return CT_OK;
  bool ok = cti_kit_all_finite(q, joint_nq[joint->kind]) && cti_kit_all_finite(v, joint_nv[joint->kind]);
  return ok ? CT_OK : CT_ERR_INVALID;
}

ctStatus ct_kit_joint_zero(const ctKitJoint* joint, ctReal* q) {
  ctStatus status = ct_kit_joint_check(joint);
  if (status != CT_OK) return status;
  int n = joint_nq[joint->kind];
  if (n > 0 && !q) return CT_ERR_ARGUMENT;
  for (int k = 0; k < n; k++) q[k] = 0;
  if (joint->kind == CT_KIT_JOINT_SPHERICAL) q[0] = 1;
  if (joint->kind == CT_KIT_JOINT_FREE) q[3] = 1;
  return CT_OK;
}

ctStatus ct_kit_joint_pose(const ctKitJoint* joint, const ctReal* q, ctKitPose* out) {
  ctStatus status = check(joint, q, q, out);
  if (status != CT_OK || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  ctReal second[4], across[3];
  cti_zero3(out->pos);
  cti_quat_unit(out->quat);
  switch (joint->kind) {
    case CT_KIT_JOINT_REVOLUTE: cti_quat_axis_angle(out->quat, joint->axis, q[0]); break;
    case CT_KIT_JOINT_PRISMATIC: cti_scale3(out->pos, joint->axis, q[0]); break;
    case CT_KIT_JOINT_UNIVERSAL:
      cti_quat_axis_angle(out->quat, joint->axis, q[0]);
      cti_quat_axis_angle(second, joint->axis2, q[1]);
      cti_quat_mul(out->quat, out->quat, second);
      break;
    case CT_KIT_JOINT_CYLINDRICAL:
      cti_quat_axis_angle(out->quat, joint->axis, q[0]);
      cti_scale3(out->pos, joint->axis, q[1]);
      break;
    case CT_KIT_JOINT_PLANAR:
      cti_cross3(across, joint->axis, joint->axis2);
      cti_scale3(out->pos, joint->axis2, q[0]);
      cti_add_scaled3(out->pos, across, q[1]);
      cti_quat_axis_angle(out->quat, joint->axis, q[2]);
      break;
    case CT_KIT_JOINT_SPHERICAL: cti_copy4(out->quat, q); break;
    case CT_KIT_JOINT_FREE:
      cti_copy3(out->pos, q);
      cti_copy4(out->quat, q + 3);
      break;
    default: break;
  }
  cti_normalize4(out->quat);
  return CT_OK;
}

// Columns of the motion subspace are motions: turn about or move along an axis.
static void set_column(ctReal* S, int nv, int column, bool turn, const ctReal axis[3]) {
  for (int k = 0; k < 3; k++) S[(k + (turn ? 0 : 3)) * nv + column] = axis[k];
}

// `rate`: the axes of columns that change are turned by minus the child's angular velocity in its own axes.
static ctStatus subspace(const ctKitJoint* joint, const ctReal* q, const ctReal* v, ctReal* S, bool rate) {
  ctKitPose pose;
  ctStatus status = ct_kit_joint_pose(joint, q, &pose);
  if (status != CT_OK) return status;
  const int nv = joint_nv[joint->kind], kind = joint->kind;
  for (int k = 0; k < 6 * nv; k++) S[k] = 0;
  ctReal conj[4], axis[3], w[3] = {0, 0, 0};
  cti_quat_conj(conj, pose.quat);
  if (rate) {
    if (kind == CT_KIT_JOINT_UNIVERSAL) cti_scale3(w, joint->axis2, -v[1]);
    if (kind == CT_KIT_JOINT_PLANAR) cti_scale3(w, joint->axis, -v[2]);
    if (kind == CT_KIT_JOINT_FREE) cti_scale3(w, v + 3, -1);
  }
  switch (kind) {
    case CT_KIT_JOINT_REVOLUTE:
      if (!rate) set_column(S, nv, 0, true, joint->axis);
      break;
    case CT_KIT_JOINT_PRISMATIC:
      if (!rate) set_column(S, nv, 0, false, joint->axis);
      break;
    case CT_KIT_JOINT_UNIVERSAL:
      cti_quat_rotate(axis, conj, joint->axis);
      if (rate) cti_cross3(axis, w, axis);
      set_column(S, nv, 0, true, axis);
      if (!rate) set_column(S, nv, 1, true, joint->axis2);
      break;
    case CT_KIT_JOINT_CYLINDRICAL:
      if (rate) break;
      set_column(S, nv, 0, true, joint->axis);
      set_column(S, nv, 1, false, joint->axis);
      break;
    case CT_KIT_JOINT_PLANAR:
      for (int k = 0; k < 2; k++) {
        cti_copy3(axis, joint->axis2);
        if (k == 1) cti_cross3(axis, joint->axis, joint->axis2);
        cti_quat_rotate(axis, conj, axis);
        if (rate) cti_cross3(axis, w, axis);
        set_column(S, nv, k, false, axis);
      }
      if (!rate) set_column(S, nv, 2, true, joint->axis);
      break;
    case CT_KIT_JOINT_SPHERICAL:
    case CT_KIT_JOINT_FREE: {
      const int first = kind == CT_KIT_JOINT_FREE ? 3 : 0;
      for (int k = 0; k < 3; k++) {
        ctReal unit[3] = {0, 0, 0};
        unit[k] = 1;
        if (!rate) set_column(S, nv, first + k, true, unit);
        if (kind == CT_KIT_JOINT_SPHERICAL) continue;
        cti_quat_rotate(axis, conj, unit);
        if (rate) cti_cross3(axis, w, axis);
        set_column(S, nv, k, false, axis);
      }
      break;
    }
    default: break;
  }
  return CT_OK;
}

ctStatus ct_kit_joint_subspace(const ctKitJoint* joint, const ctReal* q, ctReal* out) {
  ctStatus status = check(joint, q, q, out);
  return status == CT_OK ? subspace(joint, q, q, out, false) : status;
}

ctStatus ct_kit_joint_subspace_rate(const ctKitJoint* joint, const ctReal* q, const ctReal* v, ctReal* out) {
  ctStatus status = check(joint, q, v, out);
  return status == CT_OK ? subspace(joint, q, v, out, true) : status;
}

ctStatus ct_kit_joint_twist(const ctKitJoint* joint, const ctReal* q, const ctReal* v, ctKitTwist* out) {
  ctStatus status = check(joint, q, v, out);
  if (status != CT_OK || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  ctReal S[36], sum[6] = {0, 0, 0, 0, 0, 0};
  const int nv = joint_nv[joint->kind];
  status = subspace(joint, q, v, S, false);
  for (int r = 0; r < 6; r++) {
    for (int k = 0; k < nv; k++) sum[r] += S[r * nv + k] * v[k];
  }
  cti_copy3(out->angular, sum);
  cti_copy3(out->linear, sum + 3);
  return status;
}

ctStatus ct_kit_joint_integrate(const ctKitJoint* joint, const ctReal* q, const ctReal* v, ctReal time,
                                ctReal* out) {
  ctStatus status = check(joint, q, v, out);
  if (status != CT_OK) return status;
  if (!cti_kit_finite(time)) return CT_ERR_INVALID;
  const int kind = joint->kind;
  int straight = joint_nq[kind];
  if (kind == CT_KIT_JOINT_SPHERICAL) straight = 0;
  if (kind == CT_KIT_JOINT_FREE) straight = 3;
  if (kind == CT_KIT_JOINT_SPHERICAL || kind == CT_KIT_JOINT_FREE) {
    ctReal turned[4];
    cti_copy4(turned, q + straight);
    cti_quat_integrate(turned, v + straight, time);
    cti_normalize4(turned);
    cti_copy4(out + straight, turned);
  }
  for (int k = 0; k < straight; k++) out[k] = q[k] + time * v[k];
  return CT_OK;
}

ctStatus ct_kit_joint_difference(const ctKitJoint* joint, const ctReal* from, const ctReal* to, ctReal* out) {
  ctStatus status = check(joint, from, to, out);
  if (status != CT_OK) return status;
  const int kind = joint->kind;
  if (!cti_kit_all_finite(to, joint_nq[kind])) return CT_ERR_INVALID;
  int straight = joint_nq[kind];
  if (kind == CT_KIT_JOINT_SPHERICAL) straight = 0;
  if (kind == CT_KIT_JOINT_FREE) straight = 3;
  for (int k = 0; k < straight; k++) out[k] = to[k] - from[k];
  if (kind == CT_KIT_JOINT_SPHERICAL || kind == CT_KIT_JOINT_FREE)
    cti_quat_sub(out + straight, to + straight, from + straight);
  return CT_OK;
}

ctStatus ct_kit_joint_state_zero(const ctKitJoint* joint, ctKitJointState* out) {
  if (!out) return CT_ERR_ARGUMENT;
  ctKitJointState r;
  memset(&r, 0, sizeof(r));
  ctStatus status = ct_kit_joint_zero(joint, r.position);
  if (status == CT_OK) *out = r;
  return status;
}

ctStatus ct_kit_joint_state_step(const ctKitJoint* joint, ctKitJointState* state, const ctReal* acceleration,
                                 ctReal timestep) {
  if (!state) return CT_ERR_ARGUMENT;
  ctStatus status = check(joint, state->position, state->velocity, acceleration);
  if (status != CT_OK) return status;
  const int nv = joint_nv[joint->kind];
  if (!cti_kit_not_negative(timestep) || (nv > 0 && !cti_kit_all_finite(acceleration, nv)))
    return CT_ERR_INVALID;
  for (int k = 0; k < nv; k++) state->velocity[k] += timestep * acceleration[k];
  return ct_kit_joint_integrate(joint, state->position, state->velocity, timestep, state->position);
}

// ---- limits: the engine's impedance and reference ----

void ct_kit_limit_default(ctKitLimit* out) {
  const ctReal solimp[5] = {CT_R(0.9), CT_R(0.95), CT_R(0.001), CT_R(0.5), 2};
  out->lower = -(ctReal)INFINITY;
  out->upper = (ctReal)INFINITY;
  out->margin = 0;
  out->solref[0] = CT_R(0.02);
  out->solref[1] = 1;
  for (int k = 0; k < 5; k++) out->solimp[k] = solimp[k];
}

ctStatus ct_kit_limit_check(const ctKitLimit* limit) {
  if (!limit) return CT_ERR_ARGUMENT;
  bool ok = limit->lower <= limit->upper && cti_kit_not_negative(limit->margin) &&
            cti_kit_all_finite(limit->solref, 2) && cti_kit_all_finite(limit->solimp, 5);
  return ok ? CT_OK : CT_ERR_INVALID;
}

ctStatus ct_kit_coupling_row(const ctReal solref[2], const ctReal solimp[5], ctReal residual, ctReal velocity,
                             ctReal timestep, ctKitRow* row) {
  if (!solref || !solimp || !row) return CT_ERR_ARGUMENT;
  if (!cti_kit_all_finite(solref, 2) || !cti_kit_all_finite(solimp, 5) || !cti_kit_finite(residual) ||
      !cti_kit_finite(velocity) || !cti_kit_not_negative(timestep)) {
    return CT_ERR_INVALID;
  }
  ctReal bounded[5], slope;
  cti_clamp_solimp(bounded, solimp);
  cti_reference_gains(solref, bounded[1], 2 * timestep, &row->stiffness, &row->damping);
  row->distance = residual;
  row->sign = 1;
  row->impedance = cti_impedance_at(bounded, residual, &slope);
  row->reference = -row->damping * velocity - row->stiffness * row->impedance * residual;
  return CT_OK;
}

ctStatus ct_kit_limit_row(const ctKitLimit* limit, ctReal position, ctReal velocity, ctReal timestep,
                          bool* active, ctKitRow* row) {
  ctStatus status = ct_kit_limit_check(limit);
  if (status != CT_OK || !active || !row) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  if (!cti_kit_finite(position) || !cti_kit_finite(velocity)) return CT_ERR_INVALID;
  ctReal below = position - limit->lower, above = limit->upper - position;
  ctReal sign = below <= above ? CT_R(1) : CT_R(-1), distance = cti_min(below, above);
  *active = distance < limit->margin;
  if (!*active) return CT_OK;
  status = ct_kit_coupling_row(limit->solref, limit->solimp, distance - limit->margin, sign * velocity,
                               timestep, row);
  row->distance = distance;
  row->sign = sign;
  return status;
}

// One row on its own: force f >= 0 with (mobility + softness) f = reference - free acceleration, softness
// (1 - d) / d times the mobility.
ctStatus ct_kit_limit_force(const ctKitLimit* limit, ctReal position, ctReal velocity, ctReal free,
                            ctReal mobility, ctReal timestep, ctReal* out) {
  bool active;
  ctKitRow row;
  ctStatus status = ct_kit_limit_row(limit, position, velocity, timestep, &active, &row);
  if (status != CT_OK || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  if (!cti_kit_positive(mobility) || !cti_kit_finite(free)) return CT_ERR_INVALID;
  *out = 0;
  if (!active) return CT_OK;
  ctReal force = (row.reference - row.sign * free) * row.impedance / mobility;
  *out = row.sign * cti_max(0, force);
  return CT_OK;
}

// ---- motors ----

ctStatus ct_kit_motor_check(const ctKitMotor* motor) {
  if (!motor) return CT_ERR_ARGUMENT;
  bool ok = motor->mode >= 0 && motor->mode < CT_KIT_MOTOR_COUNT && cti_kit_finite(motor->target) &&
            cti_kit_not_negative(motor->stiffness) && cti_kit_not_negative(motor->damping) &&
            motor->max_force >= 0;
  if (motor->mode == CT_KIT_MOTOR_SERVO) ok = ok && motor->damping > 0 && motor->max_velocity > 0;
  return ok ? CT_OK : CT_ERR_INVALID;
}

// Force and its derivatives by position and velocity; `extra` is added before the limit.
static ctReal motor_force(const ctKitMotor* motor, ctReal position, ctReal velocity, ctReal extra,
                          ctReal by[2]) {
  ctReal f = 0;
  by[0] = by[1] = 0;
  switch (motor->mode) {
    case CT_KIT_MOTOR_FORCE: f = motor->target; break;
    case CT_KIT_MOTOR_VELOCITY:
      f = motor->damping * (motor->target - velocity);
      by[1] = -motor->damping;
      break;
    case CT_KIT_MOTOR_POSITION:
      f = motor->stiffness * (motor->target - position) - motor->damping * velocity;
      by[0] = -motor->stiffness;
      by[1] = -motor->damping;
      break;
    case CT_KIT_MOTOR_SERVO: {
      ctReal wanted = motor->stiffness / motor->damping * (motor->target - position);
      bool limited = cti_abs(wanted) > motor->max_velocity;
      wanted = cti_clip(wanted, -motor->max_velocity, motor->max_velocity);
      f = motor->damping * (wanted - velocity);
      by[0] = limited ? 0 : -motor->stiffness;
      by[1] = -motor->damping;
      break;
    }
    default: return 0;
  }
  f += extra;
  if (cti_abs(f) > motor->max_force) by[0] = by[1] = 0;
  return cti_clip(f, -motor->max_force, motor->max_force);
}

ctStatus ct_kit_motor_force(const ctKitMotor* motor, ctReal position, ctReal velocity, ctReal* force,
                            ctReal derivative[2]) {
  ctStatus status = ct_kit_motor_check(motor);
  if (status != CT_OK || !force) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  if (!cti_kit_finite(position) || !cti_kit_finite(velocity)) return CT_ERR_INVALID;
  ctReal by[2];
  *force = motor_force(motor, position, velocity, 0, by);
  if (derivative) {
    derivative[0] = by[0];
    derivative[1] = by[1];
  }
  return CT_OK;
}

ctStatus ct_kit_joint_command_hold(const ctKitJoint* joint, const ctKitJointState* state, int mode,
                                   ctKitJointCommand* out) {
  if (!state || !out) return CT_ERR_ARGUMENT;
  ctStatus status = check(joint, state->position, state->velocity, out);
  if (status != CT_OK) return status;
  if (mode < 0 || mode >= CT_KIT_MOTOR_COUNT) return CT_ERR_INVALID;
  memset(out, 0, sizeof(*out));
  out->mode = mode;
  for (int k = 0; k < joint_nq[joint->kind]; k++) out->position[k] = state->position[k];
  return CT_OK;
}

// The target is where the error is 0: each number is a motor at minus its error that wants to be at 0, and
// moves as fast as the target moves away.
ctStatus ct_kit_joint_drive(const ctKitJoint* joint, const ctKitMotor* motor, const ctKitJointState* state,
                            const ctKitJointCommand* command, ctReal* force, ctReal* derivative) {
  if (!motor || !state || !command) return CT_ERR_ARGUMENT;
  ctStatus status = check(joint, state->position, state->velocity, force);
  if (status != CT_OK) return status;
  const int nv = joint_nv[joint->kind];
  ctKitMotor m = *motor;
  m.mode = command->mode;
  m.target = 0;
  status = ct_kit_motor_check(&m);
  if (status != CT_OK) return status;
  if (!cti_kit_all_finite(command->velocity, nv) || !cti_kit_all_finite(command->force, nv))
    return CT_ERR_INVALID;
  ctReal error[CT_KIT_NV] = {0, 0, 0, 0, 0, 0}, by[2];
  const bool places = m.mode == CT_KIT_MOTOR_POSITION || m.mode == CT_KIT_MOTOR_SERVO;
  if (places) status = ct_kit_joint_difference(joint, state->position, command->position, error);
  if (status != CT_OK) return status;
  for (int k = 0; k < nv; k++) {
    force[k] = motor_force(&m, -error[k], state->velocity[k] - command->velocity[k], command->force[k], by);
    for (int i = 0; derivative && i < 2; i++) derivative[2 * k + i] = by[i];
  }
  return CT_OK;
}

// ---- couplings ----

void ct_kit_connect(const ctKitPose* a, const ctReal anchor_a[3], const ctKitPose* b,
                    const ctReal anchor_b[3], ctReal residual[3], ctReal gradient[36]) {
  ctReal arm[2][3];
  cti_quat_rotate(arm[0], a->quat, anchor_a);
  cti_quat_rotate(arm[1], b->quat, anchor_b);
  for (int k = 0; k < 3; k++) residual[k] = (a->pos[k] + arm[0][k]) - (b->pos[k] + arm[1][k]);
  if (!gradient) return;
  for (int k = 0; k < 36; k++) gradient[k] = 0;
  for (int e = 0; e < 2; e++) {
    const ctReal s = e == 0 ? CT_R(1) : CT_R(-1);
    for (int k = 0; k < 3; k++) {
      // rate of the point along axis k: linear + angular x arm
      int p = (k + 1) % 3, q = (k + 2) % 3;
      ctReal* row = gradient + 12 * k + 6 * e;
      row[p] = s * arm[e][q];
      row[q] = -s * arm[e][p];
      row[3 + k] = s;
    }
  }
}

ctReal ct_kit_gear(const ctReal coef[5], ctReal y, ctReal x, ctReal gradient[2]) {
  ctReal slope, value = cti_coupling(coef, x, &slope);
  if (gradient) {
    gradient[0] = 1;
    gradient[1] = -slope;
  }
  return y - value;
}

ctReal ct_kit_differential(ctReal ratio, ctReal carrier, ctReal left, ctReal right, ctReal gradient[3]) {
  if (gradient) {
    gradient[0] = 1;
    gradient[1] = gradient[2] = CT_R(-0.5) * ratio;
  }
  return carrier - CT_R(0.5) * ratio * (left + right);
}

ctStatus ct_kit_network(int nnode, int ntendon, int nv, const ctReal* weight, const ctReal* length,
                        const ctReal* rest, const ctReal* jacobian, ctReal* residual, ctReal* gradient) {
  if (nnode < 0 || ntendon < 0 || nv < 0 || !weight || !length || !rest || !residual ||
      (gradient && !jacobian)) {
    return CT_ERR_ARGUMENT;
  }
  if (!cti_kit_all_finite(length, ntendon) || !cti_kit_all_finite(rest, nnode)) return CT_ERR_INVALID;
  for (int i = 0; i < nnode; i++) {
    const ctReal* w = weight + (int64_t)i * ntendon;
    if (!cti_kit_all_finite(w, ntendon)) return CT_ERR_INVALID;
    ctReal sum = 0;
    for (int t = 0; t < ntendon; t++) sum += w[t] * length[t];
    residual[i] = sum - rest[i];
    for (int k = 0; gradient && k < nv; k++) {
      ctReal slope = 0;
      for (int t = 0; t < ntendon; t++) slope += w[t] * jacobian[(int64_t)t * nv + k];
      gradient[(int64_t)i * nv + k] = slope;
    }
  }
  return CT_OK;
}
