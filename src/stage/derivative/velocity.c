#include "stage/derivative/velocity.h"

#include "base/kinds.h"
#include "data/arena.h"
#include "data/awake.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/force/dcmotor.h"
#include "stage/force/force.h"
#include "stage/force/muscle.h"
#include "stage/position/reflected.h"
#include "stage/velocity/fluid.h"
#include "stage/velocity/velocity.h"

// Local derivatives are 6 x 6: rows torque then force, columns spin then velocity, in the shape's frame.
#define AT(s, row, col) ((s)[6 * (row) + (col)])
#define TORQUE          0
#define FORCE           3
#define SPIN            0
#define VELOCITY        3

static CT_FN void box_derivative(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctiBoxDrag drag = cti_box_drag(m, shape->size);
  for (int k = 0; k < 3; k++) {
    AT(s, TORQUE + k, SPIN + k) = -(drag.turn_linear + 2 * drag.turn_square[k] * cti_abs(w[k]));
    AT(s, FORCE + k, VELOCITY + k) = -(drag.move_linear + 2 * drag.move_square[k] * cti_abs(v[k]));
  }
}

// Block at (row, col) += scale [a] with [a] x = a x x.
static CT_FN void add_cross_block(ctReal s[36], int row, int col, const ctReal a[3], ctReal scale) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    AT(s, row + i, col + j) -= scale * a[k];
    AT(s, row + j, col + i) += scale * a[k];
  }
}

// Block at (row, col) += derivative of (c y) x z by y, with c element by element.
static CT_FN void add_weighted_cross_block(ctReal s[36], int row, int col, const ctReal c[3],
                                           const ctReal z[3]) {
  // (c y) x z = -[z] (c y)
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    AT(s, row + i, col + j) += c[j] * z[k];
    AT(s, row + j, col + i) -= c[i] * z[k];
  }
}

static CT_FN void add_added_mass(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctReal mass[3], inertia[3], momentum[3], spin[3];
  for (int k = 0; k < 3; k++) {
    mass[k] = m->opt.density * shape->coef[CTI_FLUID_MASS + k];
    inertia[k] = m->opt.density * shape->coef[CTI_FLUID_INERTIA + k];
    momentum[k] = mass[k] * v[k];
    spin[k] = inertia[k] * w[k];
  }
  // force: momentum x w
  add_weighted_cross_block(s, FORCE, VELOCITY, mass, w);
  add_cross_block(s, FORCE, SPIN, momentum, 1);
  // torque: momentum x v + spin x w
  add_weighted_cross_block(s, TORQUE, VELOCITY, mass, v);
  add_cross_block(s, TORQUE, VELOCITY, momentum, 1);
  add_weighted_cross_block(s, TORQUE, SPIN, inertia, w);
  add_cross_block(s, TORQUE, SPIN, spin, 1);
}

static CT_FN void add_kutta(ctReal s[36], const ctiEllipsoid* e, const ctReal v[3]) {
  if (e->kutta == 0) return;
  for (int j = 0; j < 3; j++) {
    // change of the factor, relative
    ctReal factor = e->u[j] / e->p - v[j] / e->v2 - e->a[j] * e->u[j] / e->q;
    for (int i = 0; i < 3; i++) {
      ctReal lift = e->p * v[i] - e->v2 * e->u[i];
      ctReal turn = 2 * (v[i] * e->u[j] - e->u[i] * v[j]);
      if (i == j) turn += e->p - e->v2 * e->a[i];
      AT(s, FORCE + i, VELOCITY + j) += e->kutta * (lift * factor + turn);
    }
  }
}

static CT_FN void add_drag(ctReal s[36], const ctiEllipsoid* e, const ctReal w[3], const ctReal v[3]) {
  bool moves = e->kutta != 0 || (e->p > 0 && e->q > 0);
  for (int j = 0; j < 3; j++) {
    ctReal by_area =
        moves ? e->drag_by_area * e->area * (e->a[j] * e->u[j] / e->q - e->u[j] / e->p) : CT_R(0);
    ctReal by_speed = e->speed > CTI_MINVAL ? e->drag * v[j] / e->speed : CT_R(0);
    ctReal by_turn = e->turn_drag > CTI_MINVAL ? e->swept[j] * e->swept[j] * w[j] / e->turn_drag : CT_R(0);
    for (int i = 0; i < 3; i++) {
      AT(s, FORCE + i, VELOCITY + j) -= v[i] * (by_area * e->speed + by_speed);
      AT(s, TORQUE + i, SPIN + j) -= w[i] * by_turn;
    }
    AT(s, FORCE + j, VELOCITY + j) -= e->drag * e->speed + e->move_linear;
    AT(s, TORQUE + j, SPIN + j) -= e->turn_drag + e->turn_linear;
  }
}

static CT_FN void ellipsoid_derivative(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctiEllipsoid e = cti_ellipsoid(m, shape);
  add_added_mass(s, m, shape);
  // Magnus: w x v
  add_cross_block(s, FORCE, VELOCITY, w, e.magnus);
  add_cross_block(s, FORCE, SPIN, v, -e.magnus);
  add_kutta(s, &e, v);
  add_drag(s, &e, w, v);
  for (int k = 0; k < 36; k++) s[k] *= shape->coef[CTI_FLUID_SCALE];
}

// Motion about `com` in world axes to the shape's velocity in its frame: w' = R'w, v' = R'(v + w x arm).
static CT_FN void motion_map(ctReal x[36], const ctiFluidShape* shape, const ctReal com[3]) {
  ctReal arm[3];
  cti_sub3(arm, shape->pos, com);
  for (int k = 0; k < 36; k++) x[k] = 0;
  for (int k = 0; k < 3; k++) {
    ctReal axis[3] = {shape->mat[k], shape->mat[3 + k], shape->mat[6 + k]}, lever[3];
    // axis . (w x arm) = (arm x axis) . w
    cti_cross3(lever, arm, axis);
    for (int c = 0; c < 3; c++) {
      AT(x, k, c) = axis[c];
      AT(x, 3 + k, 3 + c) = axis[c];
      AT(x, 3 + k, c) = lever[c];
    }
  }
}

// Of drag alone.
static CT_FN void drag_derivative(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  ctiEllipsoid e = cti_ellipsoid(m, shape);
  add_drag(s, &e, shape->local, shape->local + 3);
  for (int k = 0; k < 36; k++) s[k] *= shape->coef[CTI_FLUID_SCALE];
}

// matrix += derivative of the force by the body's motion, both about `com` in world axes; 6 x 6.
static CT_FN void add_fluid_derivative(ctReal matrix[36], const ctModel* m, const ctiFluidShape* shape,
                                       const ctReal com[3], bool drag) {
  ctReal s[36], x[36], sx[36];
  for (int k = 0; k < 36; k++) s[k] = 0;
  if (shape->coef && drag) {
    drag_derivative(s, m, shape);
  } else if (shape->coef) {
    ellipsoid_derivative(s, m, shape);
  } else {
    box_derivative(s, m, shape);
  }
  motion_map(x, shape, com);
  // forces go back along the path of the motions: X' S X
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) {
      ctReal sum = 0;
      for (int k = 0; k < 6; k++) sum += AT(s, r, k) * AT(x, k, c);
      AT(sx, r, c) = sum;
    }
  }
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) {
      ctReal sum = 0;
      for (int k = 0; k < 6; k++) sum += AT(x, k, r) * AT(sx, k, c);
      AT(matrix, r, c) += sum;
    }
  }
}

CT_FN bool cti_fluid_slopes(const ctModel* m, const ctData* d, int body, ctReal matrix[36],
                            ctReal wrench[6]) {
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
  ctiFluidShape shape;
  bool any = false;
  for (int k = 0; k < 36; k++) matrix[k] = 0;
  cti_zero6(wrench);
  for (int cursor = 0; cti_fluid_shape(&shape, m, d, body, &cursor); any = true) {
    ctReal local[6], force[6], arm[3], moment[3];
    cti_fluid_force(local, m, &shape);
    cti_mul_mat_vec3(force, shape.mat, local);
    cti_mul_mat_vec3(force + 3, shape.mat, local + 3);
    cti_sub3(arm, shape.pos, com);
    cti_cross3(moment, arm, force + 3);
    cti_add_to3(force, moment);
    cti_add_to6(wrench, force);
    add_fluid_derivative(matrix, m, &shape, com, false);
  }
  return any;
}

// ---- derivatives by velocity of forces that act on bodies: fluid and bias force ----
//
// The force f on a body (torque first, about the tree's centre of mass) depends on the motion of the body: df
// = S dv with a 6 x 6 matrix S. Its share in the dof forces is the sum over the bodies that both dofs move,
// so matrices are first summed over subtrees; then one product a dof gives all elements. The bias force also
// depends on the rates of the motion axes, which bring a vector a dof.

typedef struct BodyDerivatives {
  const ctModel* m;
  const ctData* d;
  ctReal* matrix;  // nbody x 36: S, then its sum over the subtree
  ctReal* rate;    // nv x 6: change of the bodies' accelerations with a dof's velocity
  ctReal* right;   // nv x 6: S times motion of the dof, and inertia times its rate
  ctReal* left;    // nv x 6: S' times motion
  ctReal* inert;   // nv x 6: inertia times motion
  bool bias;
} BodyDerivatives;

// Does the fluid act?
static CT_FN bool feels_fluid(const ctModel* m) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  return cti_has_fluid(m) && (m->opt.disableflags & none) != none;
}

// Zero matrices, in scratch: release by the caller's mark. CT_OK or CT_STEP_OVERFLOW.
static CT_FN ctStatus body_derivatives_begin(BodyDerivatives* s, const ctModel* m, ctData* d) {
  s->m = m;
  s->d = d;
  s->bias = false;
  s->matrix = CTI_SCRATCH(d, ctReal, 36 * (int64_t)m->nbody, "derivative.matrix");
  s->rate = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "derivative.rate");
  s->right = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "derivative.right");
  s->left = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "derivative.left");
  s->inert = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "derivative.inert");
  if (!s->matrix || !s->rate || !s->right || !s->left || !s->inert) return CT_STEP_OVERFLOW;
  cti_zero(s->matrix, 36);
  CTI_EACH_SPAN(span, cti_awake(d)->body)
  cti_zero(s->matrix + 36 * span->begin, 36 * (span->end - span->begin));
  return CT_OK;
}

// Add the matrices of the fluid's force, and of the bias force (subtracted: it stands on the other side).
static CT_FN void add_fluid_derivatives(BodyDerivatives* s, bool drag) {
  CTI_EACH(i, cti_awake(s->d)->body) {
    ctiFluidShape shape;
    for (int cursor = 0; cti_fluid_shape(&shape, s->m, s->d, i, &cursor);) {
      const ctReal* com = s->d->subtree_com + 3 * s->m->body_rootid[i];
      add_fluid_derivative(s->matrix + 36 * i, s->m, &shape, com, drag);
    }
  }
}

// S of the bias force I a + v x* (I v), whose acceleration a falls by v x dv: minus, because it is on the
// other side.
static CT_FN void add_bias_derivatives(BodyDerivatives* s) {
  CTI_EACH(i, cti_awake(s->d)->body) {
    const ctReal *inertia = s->d->cinert + 10 * i, *v = s->d->cvel + 6 * i;
    ctReal momentum[6];
    ctReal* matrix = s->matrix + 36 * i;
    cti_inertia_mul(momentum, inertia, v);
    for (int k = 0; k < 6; k++) {
      ctReal unit[6] = {0, 0, 0, 0, 0, 0}, t[6], carried[6], turned[6], gyro[6];
      unit[k] = 1;
      cti_cross_motion(t, v, unit);
      cti_inertia_mul(carried, inertia, t);
      cti_cross_force(turned, unit, momentum);
      cti_inertia_mul(t, inertia, unit);
      cti_cross_force(gyro, v, t);
      for (int r = 0; r < 6; r++) matrix[6 * r + k] -= turned[r] + gyro[r] - carried[r];
    }
  }
}

// Rates of the dofs from `dof` on that move together, from the velocity with all of them.
static CT_FN void group_rates(BodyDerivatives* s, ctReal velocity[6], int dof, int n) {
  for (int k = dof; k < dof + n; k++) cti_add_scaled6(velocity, s->d->cdof + 6 * k, s->d->qvel[k]);
  for (int k = dof; k < dof + n; k++) {
    cti_cross_motion(s->rate + 6 * k, velocity, s->d->cdof + 6 * k);
    cti_add_to6(s->rate + 6 * k, s->d->cdof_dot + 6 * k);
  }
}

// Dofs of a body change the accelerations of everything they carry: their axes turn with what comes before
// them, and turn what comes after.
static CT_FN void body_rates(BodyDerivatives* s, int body) {
  const ctModel* m = s->m;
  ctReal velocity[6];
  cti_copy6(velocity, s->d->cvel + 6 * m->body_parentid[body]);
  for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; j++) {
    int dof = m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case CT_JOINT_FREE:
        group_rates(s, velocity, dof, 3);
        group_rates(s, velocity, dof + 3, 3);
        break;
      case CT_JOINT_BALL: group_rates(s, velocity, dof, 3); break;
      default: group_rates(s, velocity, dof, 1);
    }
  }
}

static CT_FN void dof_products(BodyDerivatives* s, int dof) {
  const ctReal* matrix = s->matrix + 36 * s->m->dof_bodyid[dof];
  const ctReal *motion = s->d->cdof + 6 * dof, *crb = s->d->crb + 10 * s->m->dof_bodyid[dof];
  ctReal *right = s->right + 6 * dof, *left = s->left + 6 * dof;
  for (int r = 0; r < 6; r++) right[r] = cti_dot6(matrix + 6 * r, motion);
  cti_zero6(left);
  for (int r = 0; r < 6; r++) cti_add_scaled6(left, matrix + 6 * r, motion[r]);
  if (!s->bias) return;
  ctReal t[6];
  cti_inertia_mul(s->inert + 6 * dof, crb, motion);
  cti_inertia_mul(t, crb, s->rate + 6 * dof);
  cti_add_scaled6(right, t, -1);
}

// Sum over subtrees and prepare the dofs of the bodies; after this elements can be asked for.
static CT_FN void body_derivatives_finish(BodyDerivatives* s, bool bias) {
  const ctModel* m = s->m;
  s->bias = bias;
  CTI_EACH_DOWN(i, cti_awake(s->d)->body) {
    int parent = m->body_parentid[i];
    if (parent > 0) cti_add_to(s->matrix + 36 * parent, s->matrix + 36 * i, 36);
  }
  CTI_EACH(i, cti_awake(s->d)->body) {
    if (bias) body_rates(s, i);
    for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) dof_products(s, k);
  }
}

// Derivative of the force on dof `row` by the velocity of dof `col`, one of which moves the other's body.
static CT_FN ctReal body_derivative(const BodyDerivatives* s, int row, int col) {
  const ctReal* cdof = s->d->cdof;
  // bodies that both move are those of the outer of the two
  if (col >= row) return cti_dot6(cdof + 6 * row, s->right + 6 * col);
  ctReal slope = cti_dot6(s->left + 6 * row, cdof + 6 * col);
  return s->bias ? slope - cti_dot6(s->inert + 6 * row, s->rate + 6 * col) : slope;
}

// ---- derivative of an actuator's force by its velocity ----

// At or beyond a limit; a force that was scaled to the limit may miss it by rounding.
#define LIMIT_ROUNDING CT_R(1e-10)
CT_INLINE bool at_limit(ctReal x, const ctReal range[2]) {
  return x <= range[0] + LIMIT_ROUNDING * cti_abs(range[0]) ||
         x >= range[1] - LIMIT_ROUNDING * cti_abs(range[1]);
}

// Is the actuator's own force at its limit? Friction of a motor is beyond it.
CT_INLINE bool own_limit(const ctiActuatorView* a) {
  const ctModel* m = a->m;
  const ctReal *force = a->d->actuator_force + a->out, *range = m->actuator_forcerange + 2 * a->id;
  if (!m->actuator_forcelimited[a->id]) return false;
  if (m->actuator_outnum[a->id] > 1) {
    return cti_norm(force, m->actuator_outnum[a->id]) >= range[1] * (1 - LIMIT_ROUNDING);
  }
  bool motor = m->actuator_gaintype[a->id] == CT_GAIN_DCMOTOR;
  return at_limit(motor ? cti_motor_torque(a, a->d->act_dot) : force[0], range);
}

// Is the total at the joint or tendon it acts on at its limit?
CT_INLINE bool target_limit(const ctModel* m, const ctData* d, int i) {
  int id = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT:
      if (!m->jnt_actfrclimited[id] || !cti_joint_is_scalar(m->jnt_type[id])) return false;
      return at_limit(d->qfrc_actuator[m->jnt_dofadr[id]], m->jnt_actfrcrange + 2 * id);
    case CT_TRN_TENDON: {
      if (!m->tendon_actfrclimited[id]) return false;
      ctReal total = 0;
      for (int k = 0; k < m->nactuator; k++) {
        if (m->actuator_trntype[k] == CT_TRN_TENDON && m->actuator_trnid[2 * k] == id) {
          total += d->actuator_force[m->actuator_outadr[k]];
        }
      }
      return at_limit(total, m->tendon_actfrcrange + 2 * id);
    }
    default: return false;
  }
}

// What the gain multiplies.
static CT_FN ctReal multiplied_input(const ctiActuatorView* a) {
  const ctModel* m = a->m;
  int count = m->actuator_actnum[a->id], last = m->actuator_actadr[a->id] + count - 1;
  if (count == 0) return m->actuator_ctrlnum[a->id] > 0 ? a->ctrl[0] : CT_R(0);
  return m->actuator_actearly[a->id] ? cti_next_activation(a, a->d->act_dot, last) : a->d->act[last];
}

CT_INLINE ctReal gain_derivative(const ctiActuatorView* a) {
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_AFFINE: return a->gain[2] * multiplied_input(a);
    case CT_GAIN_MUSCLE:
      return multiplied_input(a) *
             cti_muscle_gain_derivative(a->gain, a->m->actuator_lengthrange + 2 * a->out,
                                        a->m->actuator_acc0[a->out], a->length, a->velocity);
    case CT_GAIN_DCMOTOR: return cti_motor_torque_derivative(a);
    default: return 0;
  }
}

static CT_FN ctReal bias_derivative(const ctiActuatorView* a) {
  int kind = a->m->actuator_biastype[a->id];
  return kind == CT_BIAS_AFFINE || kind == CT_BIAS_SO3 ? a->bias[2] : CT_R(0);
}

// The same for each of its outputs, by that output's velocity. Zero while the actuator, or the joint or
// tendon it acts on, is at a limit of force. `ctrl`: the controls that act.
static CT_FN ctReal actuator_derivative(const ctModel* m, const ctData* d, const ctReal* ctrl, int actuator) {
  // nobody knows how the force of a plugin changes
  if (m->nplugin && m->actuator_plugin[actuator] >= 0) return 0;
  if (cti_actuator_disabled(m, actuator) || target_limit(m, d, actuator)) return 0;
  ctiActuatorView a = cti_actuator(m, d, actuator, ctrl);
  ctReal slope = own_limit(&a) ? CT_R(0) : gain_derivative(&a) + bias_derivative(&a);
  if (m->actuator_biastype[actuator] == CT_BIAS_DCMOTOR) slope += cti_motor_mechanical_derivative(&a);
  return slope;
}

// ---- the same by length ----

static CT_FN ctReal gain_by_length(const ctiActuatorView* a) {
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_AFFINE: return a->gain[1] * multiplied_input(a);
    case CT_GAIN_MUSCLE:
      return multiplied_input(a) * cti_muscle_gain_by_length(a->gain, a->m->actuator_lengthrange + 2 * a->out,
                                                             a->m->actuator_acc0[a->out], a->length,
                                                             a->velocity);
    case CT_GAIN_SO3: return -a->gain[0];
    case CT_GAIN_DCMOTOR: return cti_motor_torque_by_length(a);
    default: return 0;
  }
}

static CT_FN ctReal bias_by_length(const ctiActuatorView* a) {
  switch (a->m->actuator_biastype[a->id]) {
    case CT_BIAS_AFFINE: return a->bias[1];
    case CT_BIAS_MUSCLE:
      return cti_muscle_bias_by_length(a->bias, a->m->actuator_lengthrange + 2 * a->out,
                                       a->m->actuator_acc0[a->out], a->length);
    default: return 0;
  }
}

CT_FN void cti_actuator_slopes(const ctModel* m, const ctData* d, const ctReal* ctrl, int actuator,
                               ctReal* by_length, ctReal* by_velocity) {
  *by_length = *by_velocity = 0;
  if (m->actuator_plugin[actuator] >= 0 || cti_actuator_disabled(m, actuator) || target_limit(m, d, actuator))
    return;
  ctiActuatorView a = cti_actuator(m, d, actuator, ctrl);
  if (!own_limit(&a)) {
    *by_length = gain_by_length(&a) + bias_by_length(&a);
    *by_velocity = gain_derivative(&a) + bias_derivative(&a);
  }
  if (m->actuator_biastype[actuator] == CT_BIAS_DCMOTOR) {
    *by_length += cti_motor_mechanical_by_length(&a);
    *by_velocity += cti_motor_mechanical_derivative(&a);
  }
}

// ---- derivative of the smooth forces by velocity: what implicit integration needs ----
//   reads   everything up to the force stage
//   writes  d->qDeriv, in the pattern of D (a row holds ancestors, itself, descendants)
//   before  actuation

// qDeriv += scale v'v, where D has elements; v is sparse.
static CT_FN void add_square(const ctModel* m, ctData* d, ctReal scale, const ctReal* value, const int* col,
                             int nnz) {
  CT_LANES(k, nnz) {
    const int *to = m->D_colind + m->D_rowadr[col[k]], count = m->D_rownnz[col[k]];
    ctReal* row = d->qDeriv + m->D_rowadr[col[k]];
    ctReal weight = scale * value[k];
    if (weight == 0) continue;
    // both have ascending columns
    for (int a = 0, b = 0; a < count && b < nnz;) {
      int x = to[a], y = col[b];
      if (x == y) row[a] += weight * value[b];
      a += x <= y;
      b += y <= x;
    }
  }
  CT_TEAM_SYNC();
}

static CT_FN void add_dampers(const ctModel* m, ctData* d) {
  CT_TEAM_SYNC();
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    ctiDamping b = cti_dof_damping(m, i);
    d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] -= cti_damper_derivative(b.linear, b.poly, d->qvel[i]);
  }
  CT_TEAM_SYNC();
  CTI_EACH(t, cti_awake(d)->tendon) {
    ctiDamping b = cti_tendon_damping(m, t);
    int adr = m->ten_J_rowadr[t];
    if (!cti_damps(&b)) continue;
    add_square(m, d, -cti_damper_derivative(b.linear, b.poly, d->ten_velocity[t]), d->ten_J + adr,
               m->ten_J_colind + adr, m->ten_J_rownnz[t]);
  }
}

// Actuators with the derivatives of their forces.
static CT_FN void add_slopes(const ctModel* m, ctData* d, const ctReal* slopes) {
  CTI_EACH(i, cti_awake(d)->actuator) {
    if (slopes[i] == 0) continue;
    for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++) {
      int adr = d->moment_rowadr[k];
      add_square(m, d, slopes[i], d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[k]);
    }
  }
}

static CT_FN ctStatus add_actuators(const ctModel* m, ctData* d) {
  if (m->nactuator == 0 || (m->opt.disableflags & CT_DSBL_ACTUATION)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* ctrl = CTI_SCRATCH(d, ctReal, m->nu, "derivative.ctrl");
  ctReal* slopes = CTI_SCRATCH(d, ctReal, m->nactuator, "derivative.slopes");
  if (!ctrl || !slopes) return CT_STEP_OVERFLOW;
  cti_acting_controls(m, d, ctrl);
  bool some = false;
  CTI_EACH_LANES(i, cti_awake(d)->actuator) {
    slopes[i] = actuator_derivative(m, d, ctrl, i);
    some = some || slopes[i] != 0;
  }
  CT_TEAM_SYNC();
  if (cti_team_any(some)) add_slopes(m, d, slopes);
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_KERNEL_INLINE_KEPT ctStatus cti_velocity_derivative(const ctModel* m, ctData* d, bool with_bias) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER, disabled = m->opt.disableflags & none;
  bool fluid = feels_fluid(m);
  CTI_EACH_SPAN(s, cti_awake(d)->dof) {
    int begin = m->D_rowadr[s->begin], last = s->end - 1;
    cti_team_zero(d->qDeriv + begin, m->D_rowadr[last] + m->D_rownnz[last] - begin);
  }
  ctStatus status = add_actuators(m, d);
  if (!(disabled & CT_DSBL_DAMPER)) add_dampers(m, d);
  if (!fluid && !with_bias) return status;

  size_t mark = cti_scratch_mark(d);
  BodyDerivatives s;
  if (status == CT_OK) status = body_derivatives_begin(&s, m, d);
  if (status == CT_OK) {
    if (fluid) add_fluid_derivatives(&s, false);
    if (with_bias) add_bias_derivatives(&s);
    body_derivatives_finish(&s, with_bias);
    CTI_EACH(i, cti_awake(d)->dof) {
      for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
        int j = m->D_colind[k];
        ctReal slope = body_derivative(&s, i, j);
        bool whole = with_bias || cti_is_lone_free_body(m, m->dof_treeid[i]);
        d->qDeriv[k] += whole ? slope : CT_R(0.5) * (slope + body_derivative(&s, j, i));
      }
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

CT_FN ctStatus cti_drag_metric(const ctModel* m, ctData* d, ctReal* out) {
  if (!feels_fluid(m)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  BodyDerivatives s;
  ctStatus status = body_derivatives_begin(&s, m, d);
  if (status == CT_OK) {
    add_fluid_derivatives(&s, true);
    body_derivatives_finish(&s, false);
    CTI_EACH(i, cti_awake(d)->dof) {
      for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
        int j = m->M_colind[k];
        out[k] = CT_R(-0.5) * m->opt.timestep * (body_derivative(&s, i, j) + body_derivative(&s, j, i));
      }
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

// The bias force of a free body is m w x (w x r) on its origin, with its moment, and w x I w; r leads from
// the origin to the centre of mass. It depends on the turn alone, whose axes are those of the body.
CT_FN void cti_free_body_derivative(ctReal block[36], const ctModel* m, const ctData* d, int tree) {
  cti_copy(block, d->qDeriv + m->D_rowadr[m->tree_dofadr[tree]], 36);
  cti_add_free_body_bias(block, m, d, tree);
}

CT_FN void cti_add_free_body_bias(ctReal block[36], const ctModel* m, const ctData* d, int tree) {
  int dof = m->tree_dofadr[tree], body = m->dof_bodyid[dof];
  const ctReal *inertia = d->crb + 10 * body, *R = d->xmat + 9 * body;
  ctReal r[3], turn[6] = {0, 0, 0, 0, 0, 0}, spin[6], carried[3];
  cti_sub3(r, d->subtree_com + 3 * body, d->xpos + 3 * body);
  cti_mul_mat_vec3(turn, R, d->qvel + dof + 3);
  cti_inertia_mul(spin, inertia, turn);
  cti_cross3(carried, turn, r);
  for (int k = 0; k < 3; k++) {
    ctReal axis[6] = {R[k], R[3 + k], R[6 + k], 0, 0, 0}, force[3], moment[3], t[6];
    cti_cross3(force, axis, carried);
    cti_cross3(t, axis, r);
    cti_cross3(t + 3, turn, t);
    cti_add_to3(force, t + 3);
    cti_scale3(force, force, inertia[9]);
    cti_cross3(moment, r, force);
    cti_cross3(t, axis, spin);
    cti_add_to3(moment, t);
    cti_inertia_mul(t, inertia, axis);
    cti_cross3(axis + 3, turn, t);
    cti_add_to3(moment, axis + 3);
    cti_mul_mat_t_vec3(t, R, moment);
    for (int i = 0; i < 3; i++) {
      block[6 * i + 3 + k] -= force[i];
      block[6 * (3 + i) + 3 + k] -= t[i];
    }
  }
}
