// Sleeping as a part of a step: what is computed for trees that fall asleep, for those that a reset puts to
// sleep, and for a data that was filled from outside.
#include "step/step.h"

#include "data/arena.h"
#include "data/awake.h"
#include "stage/position/position.h"
#include "stage/sleep/sleep.h"

// Those that have just fallen asleep keep the forces and measurements of a body that does not move.
static CT_FN ctStatus settle(const ctModel* m, ctData* d) {
  ctStatus status = cti_stages(m, d, CTI_STAGE_VELOCITY, CTI_STAGE_SOLVE, CTI_RUN_SENSORS);
  cti_awake_rebuild(m, d);
  cti_keep_rest_positions(m, d);
  return status;
}

CT_FN bool cti_rest_fits(const ctModel* m, ctData* d) {
  if (!cti_sleep_enabled(m) || !cti_may_fall_asleep(m, d)) return true;
  ctiData* own = cti_data(d);
  size_t wanted = d->maxuse_arena + own->pstack + sizeof(ctReal) * ((size_t)m->nv + 64);
  if (wanted <= d->narena) return true;
  if (wanted > own->arena_wanted) own->arena_wanted = wanted;
  own->arena_full = "sleep";
  return !cti_arena_short(d);
}

CT_FN ctStatus cti_rest(const ctModel* m, ctData* d, const ctReal** qacc) {
  if (!cti_sleep_enabled(m) || cti_fall_asleep(m, d) == 0) return CT_OK;
  // what stays awake moves by the acceleration it had
  ctReal* kept = CTI_SCRATCH(d, ctReal, m->nv, "sleep.qacc");
  if (kept) {
    cti_copy(kept, *qacc, m->nv);
    *qacc = kept;
  }
  return settle(m, d);
}

CT_FN ctStatus cti_warm_up(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  if (!awake->cold) return CT_OK;
  awake->cold = false;
  bool asleep = false;
  for (int t = 0; t < m->ntree && !asleep; t++) asleep = d->tree_asleep[t] >= 0;
  // a state that was loaded says who sleeps; the lists do not know yet
  cti_awake_everything(m, d);
  cti_kinematics(m, d);
  cti_com(m, d);
  cti_cameras(m, d);
  ctStatus status = cti_tendons(m, d);
  if (asleep) {
    cti_mass_matrix(m, d);
    cti_tendon_inertia(m, d);
    status = cti_worse(status, cti_factor_mass(m, d));
    status = cti_worse(status, cti_transmission(m, d));
    status = cti_worse(status, cti_forward_velocity(m, d));
  }
  cti_awake_rebuild(m, d);
  cti_keep_rest_positions(m, d);
  return status;
}

static CT_FN bool starts_asleep(const ctModel* m, int tree) {
  return m->tree_sleep_policy[tree] == CT_SLEEP_INIT;
}

// Put the trees to sleep that shall start so: one island after another, as if all had counted enough.
static CT_FN ctStatus sleep_at_start(const ctModel* m, ctData* d) {
  ctStatus status = cti_forward(m, d);
  if (cti_arena_short(d)) return status;
  for (int t = 0; t < m->ntree; t++) {
    if (starts_asleep(m, t)) d->tree_asleep[t] = -1;
  }
  if (cti_fall_asleep(m, d) > 0) status = cti_worse(status, settle(m, d));
  for (int t = 0; t < m->ntree; t++) {
    if (starts_asleep(m, t) && d->tree_asleep[t] < 0) d->tree_asleep[t] = CTI_FULLY_AWAKE;
  }
  CTI_EACH_ASLEEP(i, cti_awake(d)->dof, m->nv) d->qacc[i] = 0;
  cti_zero(d->qacc_smooth, m->nv);
  cti_zero(d->qfrc_smooth, m->nv);
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nisland = d->nidof = 0;
  return status;
}

CT_FN ctStatus cti_reset(const ctModel* m, ctData* d) {
  cti_data_reset(m, d);
  if (!cti_sleep_enabled(m)) return CT_OK;
  ctStatus status = cti_warm_up(m, d);
  bool any = false;
  for (int t = 0; t < m->ntree && !any; t++) any = starts_asleep(m, t);
  if (any) status = cti_worse(status, sleep_at_start(m, d));
  return status;
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include "base/error.h"
#include "corten/sim.h"

// With as large an arena as the first forward pass needs.
static ctStatus reset(const ctModel* m, ctData* d) {
  ctStatus status;
  do {
    CT_TRY(cti_data_grow(d));
    status = cti_reset(m, d);
  } while (cti_arena_short(d));
  return status;
}

ctStatus ct_data_create(ctData** out, const ctModel* m, ctError* err) {
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_data_create: out and m must not be NULL");
  *out = NULL;
  ctData* d;
  CT_TRY(cti_data_create(&d, m, err));
  if (reset(m, d) == CT_ERR_MEMORY) {
    ct_data_free(d);
    return cti_error_memory(err);
  }
  *out = d;
  return CT_OK;
}

ctStatus ct_data_reset(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  return reset(m, d) == CT_ERR_MEMORY ? CT_ERR_MEMORY : CT_OK;
}

ctStatus ct_data_reset_keyframe(const ctModel* m, ctData* d, int key) {
  if (!cti_data_fits(m, d) || key < 0 || key >= m->nkey) return CT_ERR_ARGUMENT;
  CT_TRY(ct_data_reset(m, d));
  cti_data_set_keyframe(m, d, key);
  return CT_OK;
}

// ---- the public calls on sleeping ----

ctStatus ct_tree_state(const ctModel* m, const ctData* d, int tree, ctSleepState* out) {
  if (!cti_data_fits(m, d) || !out || tree < 0 || tree >= m->ntree) return CT_ERR_ARGUMENT;
  *out = (ctSleepState)cti_tree_state(d, tree);
  return CT_OK;
}

ctStatus ct_body_state(const ctModel* m, const ctData* d, int body, ctSleepState* out) {
  if (!cti_data_fits(m, d) || !out || body < 0 || body >= m->nbody) return CT_ERR_ARGUMENT;
  *out = (ctSleepState)d->body_awake[body];
  return CT_OK;
}

int ct_tree_cycle(const ctModel* m, const ctData* d, int tree, int* trees, int size) {
  if (!cti_data_fits(m, d) || tree < 0 || tree >= m->ntree || (size > 0 && !trees)) return -1;
  int n = 0, t = tree;
  // numbers that the user wrote may lead anywhere
  do {
    if (n < size) trees[n] = t;
    n++;
    t = d->tree_asleep[t];
  } while (t >= 0 && t < m->ntree && t != tree && n < m->ntree);
  return n;
}

ctStatus ct_tree_wake(const ctModel* m, ctData* d, int tree) {
  if (!cti_data_fits(m, d) || tree < -1 || tree >= m->ntree) return CT_ERR_ARGUMENT;
  cti_awake_check(m, d);
  for (int t = 0; t < m->ntree; t++) {
    if (tree == -1 || t == tree) cti_wake_tree(m, d, t, CTI_FULLY_AWAKE);
  }
  cti_awake_rebuild(m, d);
  return CT_OK;
}

// Why a tree cannot be put to sleep; NULL when it can.
static const char* sleep_obstacle(const ctModel* m, const ctData* d, int tree) {
  int policy = m->tree_sleep_policy[tree];
  if (policy == CT_SLEEP_NEVER) return "its policy is never";
  if (policy == CT_SLEEP_AUTO_NEVER)
    return "it is driven or tied by a tendon; sleep=\"allowed\" on its root body allows it";
  if (!cti_nothing_applied(m, d, tree))
    return "a force is applied to it: xfrc_applied or qfrc_applied is not zero";
  return NULL;
}

static ctStatus check_sleepers(const ctModel* m, ctData* d, const int* trees, int n, ctError* err) {
  if (!cti_data_fits(m, d) || n < 0 || (n > 0 && !trees))
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_tree_sleep: m, d and trees must be there, and belong together");
  if (!cti_sleep_enabled(m))
    return cti_error(err, CT_ERR_INVALID,
                     "ct_tree_sleep: the sleep flag is off: <option><flag sleep=\"enable\"/></option>");
  cti_awake_check(m, d);
  for (int k = 0; k < n; k++) {
    int t = trees[k];
    if (t < 0 || t >= m->ntree)
      return cti_error(err, CT_ERR_ARGUMENT, "ct_tree_sleep: tree %d: the model has %d", t, m->ntree);
    if (d->tree_asleep[t] >= 0)
      return cti_error(err, CT_ERR_ARGUMENT, "ct_tree_sleep: tree %d sleeps already", t);
    for (int i = 0; i < k; i++) {
      if (trees[i] == t) return cti_error(err, CT_ERR_ARGUMENT, "ct_tree_sleep: tree %d is named twice", t);
    }
    const char* obstacle = sleep_obstacle(m, d, t);
    if (obstacle) return cti_error(err, CT_ERR_INVALID, "ct_tree_sleep: tree %d: %s", t, obstacle);
  }
  return CT_OK;
}

ctStatus ct_tree_sleep(const ctModel* m, ctData* d, const int* trees, int n, ctError* err) {
  CT_TRY(check_sleepers(m, d, trees, n, err));
  if (n == 0) return CT_OK;
  for (int k = 0; k < n; k++) cti_zero(d->qvel + m->tree_dofadr[trees[k]], m->tree_dofnum[trees[k]]);
  if (ct_forward(m, d) == CT_ERR_MEMORY) return cti_error_memory(err);
  cti_make_cycle(m, d, trees, n);
  cti_awake_rebuild(m, d);
  cti_keep_rest_positions(m, d);
  return CT_OK;
}

#endif
