#include "data/reset.h"

#include "base/kinds.h"
#include "data/history.h"
#include "data/layout.h"
#include "math/dense.h"
#include "math/quat.h"

// Steps a tree stays awake after it last moved.
#define MIN_AWAKE 10

static CT_FN void clear_arrays(const ctModel* m, ctData* d) {
#define X(type, name)           \
  const int64_t name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, field, rows, cols) \
  CT_UNROLL(1)                     \
  for (int64_t i = 0; i < (int64_t)(rows) * (cols); i++) d->field[i] = (type)0;
#include "corten/fields/data.def"
#undef X
}

static CT_FN void clear_reports(ctData* d) {
  for (int i = 0; i < CT_NISLAND; i++) d->solver_niter[i] = d->solver_nnz[i] = 0;
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i].lastinfo = d->warning[i].number = 0;
  for (int i = 0; i < CT_TIMER_COUNT; i++) {
    d->timer[i].duration = 0;
    d->timer[i].number = 0;
  }
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
}

// Everything awake; the lists hold all ids in order.
static CT_FN void wake_all(const ctModel* m, ctData* d) {
  d->ntree_awake = m->ntree;
  d->nbody_awake = m->nbody;
  d->nparent_awake = m->nbody - 1;
  d->nv_awake = m->nv;
  for (int i = 0; i < m->ntree; i++) {
    d->tree_asleep[i] = -(1 + MIN_AWAKE);
    d->tree_awake[i] = 1;
  }
  for (int i = 0; i < m->nbody; i++) {
    bool fixed = m->body_treeid[i] < 0 && m->body_mocapid[m->body_weldid[i]] < 0;
    d->body_awake[i] = fixed ? CT_STATIC : CT_AWAKE;
    d->body_awake_ind[i] = i;
    if (i > 0) d->parent_awake_ind[i - 1] = i;  // all but the world have a parent
  }
  for (int i = 0; i < m->nv; i++) d->dof_awake_ind[i] = i;
}

// Yielding springs rest where the model says.
CT_FN void cti_plastic_reference(ctReal* plastic, const ctModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_plasticadr[j];
    if (adr >= 0)
      cti_copy(plastic + adr, m->qpos_spring + m->jnt_qposadr[j], m->jnt_type[j] == CT_JOINT_BALL ? 4 : 1);
  }
  for (int t = 0; t < m->ntendon; t++) {
    int adr = m->tendon_plasticadr[t];
    if (adr >= 0) cti_copy(plastic + adr, m->tendon_lengthspring + 2 * t, 2);
  }
}

// Controls are zero, but a quaternion that turns nothing is not; the same holds for those of the past.
static CT_FN void reset_controls(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_gaintype[i] != CT_GAIN_SO3 || m->actuator_ctrlspec[i] != CTI_CHART_QUAT) continue;
    d->ctrl[m->actuator_ctrladr[i]] = 1;
    int count = m->actuator_history[2 * i];
    for (int k = 0; k < count; k++) d->history[m->actuator_historyadr[i] + 2 + count + 4 * k] = 1;
  }
}

CT_FN void cti_data_reset(const ctModel* m, ctData* d) {
  clear_arrays(m, d);
  clear_reports(d);
  cti_data_clear_arena(d);
  d->time = d->energy[0] = d->energy[1] = 0;
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_copy(d->qpos, m->qpos0, m->nq);
  cti_plastic_reference(d->plastic, m);
  cti_history_reset(m, d);
  reset_controls(m, d);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = m->eq_active0[i];
  for (int i = 0; i < m->nbody; i++) {
    int mocap = m->body_mocapid[i];
    if (mocap < 0) continue;
    cti_copy3(d->mocap_pos + 3 * mocap, m->body_pos + 3 * i);
    cti_copy4(d->mocap_quat + 4 * mocap, m->body_quat + 4 * i);
    cti_normalize4(d->mocap_quat + 4 * mocap);
  }
  wake_all(m, d);
}

CT_FN void cti_data_set_keyframe(const ctModel* m, ctData* d, int key) {
  d->time = m->key_time[key];
  cti_copy(d->qpos, m->key_qpos + key * m->nq, m->nq);
  cti_copy(d->qvel, m->key_qvel + key * m->nv, m->nv);
  cti_copy(d->act, m->key_act + key * m->na, m->na);
  cti_copy(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, 3 * m->nmocap);
  cti_copy(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, 4 * m->nmocap);
  cti_copy(d->ctrl, m->key_ctrl + key * m->nu, m->nu);
  cti_copy(d->plastic, m->key_plastic + key * m->nplastic, m->nplastic);
}
