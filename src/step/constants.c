// Constants that need a forward pass at the reference configuration: inertia of dofs, inverse weights of
// bodies and dofs, lengths and strengths of actuators.
#include "step/constants.h"

#include "base/alloc.h"
#include "base/error.h"
#include "data/awake.h"
#include "math/spatial.h"
#include "math/tree_ldl.h"
#include "query/forces.h"
#include "stage/position/flex.h"
#include "stage/position/position.h"
#include "stage/sleep/policy.h"
#include "step/derived.h"

typedef struct Work {
  ctModel* m;
  ctData* d;
  ctReal* row;        // nv reals
  ctReal* root_diag;  // sqrt(1/D)
  ctReal* blocks;     // nv reals: parts of a row
  ctReal* size;       // nbody reals: how far bodies reach
} Work;

// row M^-1 row', with the row in w->row, which is used up.
static ctReal inverse_weight(const Work* w) {
  const ctModel* m = w->m;
  cti_ldl_half(w->row, w->d->qLD, w->root_diag, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, 1);
  return cti_dot(w->row, w->row, m->nv);
}

// Numbers that a dot product may leave out where they are zero: what its lanes sum stays the same.
#define BLOCK 64

// The same for a row that is zero but at dof `last` and those it hangs on; it is zero afterwards. The time
// goes with their number, not with that of all dofs.
static ctReal chain_weight(const Work* w, int last) {
  const ctModel* m = w->m;
  int count = 0;
  for (int k = last, block = -1; k >= 0; k = m->dof_parentid[k]) {
    int adr = m->M_rowadr[k], above = m->M_rownnz[k] - 1;
    if (above && w->row[k] != 0)
      cti_add_scaled_sparse(w->row, w->d->qLD + adr, m->M_colind + adr, -w->row[k], above);
    count += k / BLOCK != block;
    block = k / BLOCK;
  }
  for (int k = last; k >= 0; k = m->dof_parentid[k]) w->row[k] *= w->root_diag[k];
  // the blocks with something in them, in their order
  int total = 0;
  for (int k = last, block = -1; k >= 0; k = m->dof_parentid[k]) {
    if (k / BLOCK == block) continue;
    block = k / BLOCK;
    int begin = BLOCK * block, size = m->nv - begin < BLOCK ? m->nv - begin : BLOCK;
    cti_copy(w->blocks + BLOCK * --count, w->row + begin, size);
    total += size;
  }
  ctReal weight = cti_dot(w->blocks, w->blocks, total);
  for (int k = last; k >= 0; k = m->dof_parentid[k]) w->row[k] = 0;
  return weight;
}

// Row `axis` of the body's Jacobian at its centre of mass: 0..2 translation, 3..5 rotation.
// Returns the last dof that moves the body, -1 for none.
static int body_row(const Work* w, int body, int axis) {
  const ctModel* m = w->m;
  const ctData* d = w->d;
  int holder = body;
  while (holder > 0 && m->body_dofnum[holder] == 0) holder = m->body_parentid[holder];
  if (holder == 0) return -1;
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
  int last = m->body_dofadr[holder] + m->body_dofnum[holder] - 1;
  for (int k = last; k >= 0; k = m->dof_parentid[k]) {
    ctReal motion[6];
    cti_motion_shift(motion, d->cdof + 6 * k, d->xipos + 3 * body, com);
    w->row[k] = axis < 3 ? motion[3 + axis] : motion[axis - 3];
  }
  return last;
}

static void body_inverse_weights(const Work* w) {
  ctModel* m = w->m;
  cti_zero(w->row, m->nv);
  for (int i = 1; i < m->nbody; i++) {
    ctReal* out = m->body_invweight0 + 2 * i;
    out[0] = out[1] = 0;
    if (m->body_weldid[i] == 0) continue;
    if (m->body_simple[i] == 2) {
      // only sliders: the weight is the mass, whatever their number and armature
      out[0] = 1 / cti_max(CTI_MINVAL, m->body_mass[i]);
      continue;
    }
    for (int axis = 0; axis < 6; axis++) {
      out[axis / 3] += chain_weight(w, body_row(w, i, axis)) / 3;
    }
  }
}

// One value for all dofs of a ball, and one each for translation and rotation of a free joint.
static void dof_inverse_weights(const Work* w) {
  ctModel* m = w->m;
  cti_zero(w->row, m->nv);
  for (int i = 0; i < m->nv; i++) {
    w->row[i] = 1;
    m->dof_invweight0[i] = chain_weight(w, i);
    int body = m->dof_bodyid[i];
    if (m->body_simple[body] == 2) m->dof_invweight0[i] = m->body_invweight0[2 * body];
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

// Where cameras and lights stand at the reference, seen from their body and from the centre of mass they
// track.
static void scene_constants(const Work* w) {
  ctModel* m = w->m;
  const ctData* d = w->d;
  for (int i = 0; i < m->ncam; i++) {
    int body = m->cam_bodyid[i], target = m->cam_targetbodyid[i];
    ctReal pos[3], quat[4];
    cti_mul_mat_vec3(pos, d->xmat + 9 * body, m->cam_pos + 3 * i);
    cti_copy3(m->cam_pos0 + 3 * i, pos);
    cti_add_to3(pos, d->xpos + 3 * body);
    cti_sub3(m->cam_poscom0 + 3 * i, pos, d->subtree_com + 3 * (target >= 0 ? target : body));
    cti_quat_mul(quat, d->xquat + 4 * body, m->cam_quat + 4 * i);
    cti_quat_to_mat(m->cam_mat0 + 9 * i, quat);
  }
  for (int i = 0; i < m->nlight; i++) {
    int body = m->light_bodyid[i], target = m->light_targetbodyid[i];
    ctReal pos[3];
    cti_mul_mat_vec3(pos, d->xmat + 9 * body, m->light_pos + 3 * i);
    cti_copy3(m->light_pos0 + 3 * i, pos);
    cti_add_to3(pos, d->xpos + 3 * body);
    cti_sub3(m->light_poscom0 + 3 * i, pos, d->subtree_com + 3 * (target >= 0 ? target : body));
    cti_mul_mat_vec3(m->light_dir0 + 3 * i, d->xmat + 9 * body, m->light_dir + 3 * i);
    cti_normalize3(m->light_dir0 + 3 * i);
  }
}

// Lengths of the edges, and the mean inverse mass of their ends. Where one is held or moves with others it is
// what the edge's own gradient meets.
static void flex_constants(const Work* w) {
  ctModel* m = w->m;
  const ctData* d = w->d;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) continue;
    const int first = m->flex_vertadr[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      int v1 = first + m->flex_edge[2 * e], v2 = first + m->flex_edge[2 * e + 1];
      int body1 = m->flex_vertbodyid[v1], body2 = m->flex_vertbodyid[v2];
      ctReal along[3];
      cti_sub3(along, d->flexvert_xpos + 3 * (size_t)v2, d->flexvert_xpos + 3 * (size_t)v1);
      m->flexedge_length0[e] = cti_norm3(along);
      m->flexedge_invweight0[e] = 0;
      if (m->flexedge_rigid[e]) continue;
      if (cti_only_slides(m, body1) && cti_only_slides(m, body2)) {
        m->flexedge_invweight0[e] = (m->body_invweight0[2 * body1] + m->body_invweight0[2 * body2]) / 2;
        continue;
      }
      int adr = m->flexedge_J_rowadr[e], n = m->flexedge_J_rownnz[e];
      cti_zero(w->row, m->nv);
      cti_add_scaled_sparse(w->row, d->flexedge_J + adr, m->flexedge_J_colind + adr, 1, n);
      m->flexedge_invweight0[e] = n ? inverse_weight(w) : 0;
    }
  }
}

static void tendon_constants(const Work* w) {
  ctModel* m = w->m;
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_length0[i] = w->d->ten_length[i];
    cti_zero(w->row, m->nv);
    int adr = m->ten_J_rowadr[i];
    cti_add_scaled_sparse(w->row, w->d->ten_J + adr, m->ten_J_colind + adr, 1, m->ten_J_rownnz[i]);
    m->tendon_invweight0[i] = inverse_weight(w);
  }
}

// A positive third bias number of a servo is a damping ratio: turned into damping by the mass it feels.
static void resolve_damping_ratios(const Work* w) {
  ctModel* m = w->m;
  const ctData* d = w->d;
  for (int i = 0; i < m->nactuator; i++) {
    ctReal *gain = m->actuator_gainprm + CT_NGAIN * i, *bias = m->actuator_biasprm + CT_NBIAS * i;
    bool servo = m->actuator_gaintype[i] == CT_GAIN_FIXED && m->actuator_biastype[i] == CT_BIAS_AFFINE &&
                 gain[0] == -bias[1];
    servo = servo || m->actuator_gaintype[i] == CT_GAIN_PID || m->actuator_gaintype[i] == CT_GAIN_SO3;
    if (!servo || bias[2] <= 0) continue;
    // the mean over its outputs
    ctReal inverse_mass = 0;
    for (int out = m->actuator_outadr[i]; out < m->actuator_outadr[i] + m->actuator_outnum[i]; out++) {
      int adr = d->moment_rowadr[out];
      cti_zero(w->row, m->nv);
      cti_add_scaled_sparse(w->row, d->actuator_moment + adr, d->moment_colind + adr, 1,
                            d->moment_rownnz[out]);
      inverse_mass += inverse_weight(w) / (ctReal)m->actuator_outnum[i];
    }
    // what moves nothing needs no damping
    ctReal mass = inverse_mass > CTI_MINVAL ? 1 / inverse_mass : 0;
    bias[2] = -2 * bias[2] * cti_sqrt(-bias[1] * mass);
  }
}

// Anchors, and the relative poses of welds that were given none. What is `first` given as zero is marked: it
// follows the reference configuration ever after.
static void equality_constants(const Work* w, bool first) {
  ctModel* m = w->m;
  const ctData* d = w->d;
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_objtype[i] != CT_OBJ_BODY) continue;
    int body1 = m->eq_obj1id[i], body2 = m->eq_obj2id[i];
    const ctReal *mat1 = d->xmat + 9 * body1, *mat2 = d->xmat + 9 * body2;
    ctReal* data = m->eq_data + CT_NEQDATA * i;
    ctReal point[3], inverse[4];
    if (m->eq_type[i] == CT_EQ_CONNECT) {
      cti_mul_mat_vec3(point, mat1, data);
      cti_add_to3(point, d->xpos + 3 * body1);
      cti_sub3(point, point, d->xpos + 3 * body2);
      cti_mul_mat_t_vec3(data + 3, mat2, point);
    } else if (m->eq_type[i] == CT_EQ_WELD && (first ? cti_norm(data + 6, 4) == 0 : data[11] != 0)) {
      // pose of body2 in body1, and the anchor seen from body1
      if (first) data[11] = 1;
      cti_quat_conj(inverse, d->xquat + 4 * body1);
      cti_quat_mul(data + 6, inverse, d->xquat + 4 * body2);
      cti_mul_mat_vec3(point, mat2, data);
      cti_add_to3(point, d->xpos + 3 * body2);
      cti_sub3(point, point, d->xpos + 3 * body1);
      cti_mul_mat_t_vec3(data + 3, mat1, point);
    } else if (m->eq_type[i] == CT_EQ_WELD && first) {
      cti_normalize4(data + 6);
    }
  }
}

// Tendons without a spring length of their own are relaxed in the configuration where the joints' springs
// are.
static void spring_lengths(const Work* w) {
  ctModel* m = w->m;
  ctData* d = w->d;
  cti_copy(d->qpos, m->qpos_spring, m->nq);
  cti_kinematics(m, d);
  cti_com(m, d);
  cti_tendons(m, d);
  for (int i = 0; i < m->ntendon; i++) {
    ctReal* length = m->tendon_lengthspring + 2 * i;
    if (length[0] == -1 && length[1] == -1) length[0] = length[1] = d->ten_length[i];
  }
}

static ctReal mean_diagonal(const ctModel* m, const ctData* d) {
  ctReal sum = 0;
  for (int i = 0; i < m->nv; i++) sum += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  return m->nv > 0 ? sum / (ctReal)m->nv : 1;
}

// Everything at the reference configuration. `first`: also what the author's numbers become once and for all.
static void reference_constants(const Work* w, bool first) {
  ctModel* m = w->m;
  ctData* d = w->d;
  cti_subtree_masses(m);
  cti_kinematics(m, d);
  cti_com(m, d);
  scene_constants(w);
  if (m->nflex) cti_flexes(m, d);
  cti_tendons(m, d);
  cti_mass_matrix(m, d);
  for (int i = 0; i < m->nv; i++) m->dof_M0[i] = cti_mass_diagonal(m, d, i);
  cti_mass_matrix(m, d);
  cti_tendon_inertia(m, d);
  if (first) m->stat.meaninertia = mean_diagonal(m, d);
  cti_factor_mass(m, d);
  for (int i = 0; i < m->nv; i++) w->root_diag[i] = cti_sqrt(d->qLDiagInv[i]);
  cti_transmission(m, d);
  body_inverse_weights(w);
  dof_inverse_weights(w);
  flex_constants(w);
  tendon_constants(w);
  actuator_constants(w);
  cti_body_sizes(w->size, m, d);
  cti_dof_lengths(m, w->size);
  if (first) resolve_damping_ratios(w);
  equality_constants(w, first);
}

static ctStatus work_create(Work* w, ctModel* m, ctError* err) {
  *w = (Work){.m = m,
              .row = cti_alloc(&m->allocator, sizeof(ctReal) * (3 * (size_t)m->nv + (size_t)m->nbody),
                               _Alignof(ctReal))};
  if (!w->row) return cti_error_memory(err);
  w->root_diag = w->row + m->nv;
  w->blocks = w->root_diag + m->nv;
  w->size = w->blocks + m->nv;
  ctStatus status = cti_data_create(&w->d, m, err);
  // room for the widest stage: the arena cannot grow here
  if (status == CT_OK) {
    cti_data(w->d)->arena_limit = 0;
    cti_data(w->d)->arena_wanted = sizeof(ctReal) * 64 * (size_t)(m->nv + m->nbody + 1) + w->d->narena + 1;
    if (cti_data_grow(w->d) != CT_OK) status = cti_error_memory(err);
    cti_awake_everything(m, w->d);
  }
  return status;
}

static void work_free(Work* w) {
  ct_data_free(w->d);
  cti_release(&w->m->allocator, w->row);
}

ctStatus cti_model_constants(ctModel* m, ctError* err) {
  Work w;
  ctStatus status = work_create(&w, m, err);
  if (status == CT_OK) {
    reference_constants(&w, true);
    spring_lengths(&w);
  }
  work_free(&w);
  return status;
}

ctStatus ct_model_update(ctModel* m, ctError* err) {
  if (!m) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_update: m must not be NULL");
  ctiSleepConflict conflict;
  if (cti_sleep_policies(m, &conflict) != CT_OK)
    return cti_error(err, CT_ERR_INVALID,
                     "ct_model_update: tree %d is set to sleep, but tendon %d ties it to %s", conflict.tree,
                     conflict.tendon,
                     conflict.many ? "more than one other tree" : "another tree with stiffness or damping");
  CT_TRY(cti_model_frames(m, err));
  cti_model_shapes(m);
  cti_model_reflections(m);
  CT_TRY(cti_model_boxes(m, err));
  Work w;
  ctStatus status = work_create(&w, m, err);
  if (status == CT_OK) reference_constants(&w, false);
  work_free(&w);
  m->updates++;
  return status;
}
