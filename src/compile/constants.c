// Constants that need a forward pass at the reference configuration: inertia of dofs, inverse weights of
// bodies and dofs, lengths and strengths of actuators.
#include "compile/build.h"
#include "math/spatial.h"
#include "math/tree_ldl.h"
#include "stage/position/com.h"
#include "stage/position/inertia.h"
#include "stage/position/kinematics.h"
#include "stage/position/transmission.h"

typedef struct Work {
  ctModel* m;
  ctData* d;
  ctReal* row;        // nv reals
  ctReal* root_diag;  // sqrt(1/D)
} Work;

static void subtree_masses(ctModel* m) {
  for (int i = 0; i < m->nbody; i++) m->body_subtreemass[i] = m->body_mass[i];
  for (int i = m->nbody - 1; i > 0; i--) m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
}

// row M^-1 row', with the row in w->row, which is used up.
static ctReal inverse_weight(const Work* w) {
  const ctModel* m = w->m;
  cti_ldl_half(w->row, w->d->qLD, w->root_diag, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, 1);
  return cti_dot(w->row, w->row, m->nv);
}

// Row `axis` of the body's Jacobian at its centre of mass: 0..2 translation, 3..5 rotation.
static void body_row(const Work* w, int body, int axis) {
  const ctModel* m = w->m;
  const ctData* d = w->d;
  cti_zero(w->row, m->nv);
  int holder = body;
  while (holder > 0 && m->body_dofnum[holder] == 0) holder = m->body_parentid[holder];
  if (holder == 0) return;
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
  for (int k = m->body_dofadr[holder] + m->body_dofnum[holder] - 1; k >= 0; k = m->dof_parentid[k]) {
    ctReal motion[6];
    cti_motion_shift(motion, d->cdof + 6 * k, d->xipos + 3 * body, com);
    w->row[k] = axis < 3 ? motion[3 + axis] : motion[axis - 3];
  }
}

static void body_inverse_weights(const Work* w) {
  ctModel* m = w->m;
  for (int i = 1; i < m->nbody; i++) {
    ctReal* out = m->body_invweight0 + 2 * i;
    if (m->body_weldid[i] == 0) continue;
    if (m->body_simple[i] == 2) {
      // only sliders: the weight is the mass, whatever their number and armature
      out[0] = 1 / cti_max(CTI_MINVAL, m->body_mass[i]);
      continue;
    }
    for (int axis = 0; axis < 6; axis++) {
      body_row(w, i, axis);
      out[axis / 3] += inverse_weight(w) / 3;
    }
  }
}

// One value for all dofs of a ball, and one each for translation and rotation of a free joint.
static void dof_inverse_weights(const Work* w) {
  ctModel* m = w->m;
  for (int i = 0; i < m->nv; i++) {
    cti_zero(w->row, m->nv);
    w->row[i] = 1;
    m->dof_invweight0[i] = inverse_weight(w);
  }
  for (int j = 0; j < m->njnt; j++) {
    int groups = m->jnt_type[j] == CT_JOINT_FREE ? 2 : (m->jnt_type[j] == CT_JOINT_BALL ? 1 : 0);
    for (int g = 0; g < groups; g++) {
      ctReal* v = m->dof_invweight0 + m->jnt_dofadr[j] + 3 * g;
      v[0] = v[1] = v[2] = (v[0] + v[1] + v[2]) / 3;
    }
  }
}

// Length at the reference, and the acceleration a unit of force causes.
static void actuator_constants(const Work* w) {
  ctModel* m = w->m;
  const ctData* d = w->d;
  for (int i = 0; i < m->nout; i++) {
    m->actuator_length0[i] = d->actuator_length[i];
    cti_zero(w->row, m->nv);
    int adr = d->moment_rowadr[i];
    cti_add_scaled_sparse(w->row, d->actuator_moment + adr, d->moment_colind + adr, 1, d->moment_rownnz[i]);
    cti_solve_mass(m, d, w->row);
    m->actuator_acc0[i] = cti_norm(w->row, m->nv);
  }
}

// Stiffness and damping that give a joint the time constant and damping ratio asked for.
static void spring_dampers(const ctiBuild* b) {
  ctModel* m = b->m;
  for (int j = 0; j < m->njnt; j++) {
    const double* wanted = b->joint[j].spec->springdamper;
    if (wanted[0] <= 0 || wanted[1] <= 0) continue;
    int dof = m->jnt_dofadr[j],
        n = m->jnt_type[j] == CT_JOINT_FREE ? 6 : (m->jnt_type[j] == CT_JOINT_BALL ? 3 : 1);
    ctReal weight = 0;
    for (int k = dof; k < dof + n; k++) weight += m->dof_invweight0[k] / (ctReal)n;
    ctReal mass = 1 / cti_max(CTI_MINVAL, weight), time = (ctReal)wanted[0], ratio = (ctReal)wanted[1];
    m->jnt_stiffness[j] = mass / cti_max(CTI_MINVAL, time * time * ratio * ratio);
    for (int k = dof; k < dof + n; k++) m->dof_damping[k] = 2 * mass / cti_max(CTI_MINVAL, time);
  }
}

ctStatus cti_pass_constants(ctiBuild* b) {
  ctModel* m = b->m;
  subtree_masses(m);
  ctData* d;
  CT_TRY(ct_data_create(&d, m, b->err));
  Work w = {m, d, CTI_NEW_ARRAY(b->region, ctReal, m->nv), CTI_NEW_ARRAY(b->region, ctReal, m->nv)};
  ctStatus status = w.row && w.root_diag ? CT_OK : cti_error_memory(b->err);
  if (status == CT_OK) {
    cti_kinematics(m, d);
    cti_com(m, d);
    cti_mass_matrix(m, d);
    for (int i = 0; i < m->nv; i++) m->dof_M0[i] = cti_mass_diagonal(m, d, i);
    cti_mass_matrix(m, d);
    cti_factor_mass(m, d);
    for (int i = 0; i < m->nv; i++) w.root_diag[i] = cti_sqrt(d->qLDiagInv[i]);
    cti_transmission(m, d);
    body_inverse_weights(&w);
    dof_inverse_weights(&w);
    actuator_constants(&w);
    spring_dampers(b);
  }
  ct_data_free(d);
  return status;
}
