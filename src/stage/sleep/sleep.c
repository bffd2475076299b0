#include "stage/sleep/sleep.h"

#include "base/kinds.h"
#include "data/awake.h"
#include "data/contact.h"
#include "stage/position/position.h"

// ---- may it sleep? ----

static CT_FN bool policy_allows(const ctModel* m, int tree) {
  int policy = m->tree_sleep_policy[tree];
  return policy != CT_SLEEP_AUTO_NEVER && policy != CT_SLEEP_NEVER;
}

// Numbers that are not zero by value but by their bits count: minus zero is somebody's force.
CT_FN bool cti_nothing_applied(const ctModel* m, const ctData* d, int tree) {
  return cti_no_bits(d->xfrc_applied + 6 * m->tree_bodyadr[tree], 6 * m->tree_bodynum[tree]) &&
         cti_no_bits(d->qfrc_applied + m->tree_dofadr[tree], m->tree_dofnum[tree]);
}

CT_FN bool cti_can_sleep(const ctModel* m, const ctData* d, int tree, ctReal tolerance) {
  int dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  if (!policy_allows(m, tree)) return false;
  if (tolerance > 0) {
    // what moves says so with its first dofs
    for (int i = dof; i < dof + n; i++) {
      if (!(m->dof_length[i] * cti_abs(d->qvel[i]) < tolerance)) return false;
    }
  } else if (!cti_no_bits(d->qvel + dof, n)) {
    return false;
  }
  return cti_nothing_applied(m, d, tree);
}

// ---- waking: what the user wrote ----

// Where the positions of joints from `begin` to `end` lie.
static CT_FN ctiSpan positions_of(const ctModel* m, int begin, int end) {
  ctiSpan s;
  s.begin = begin < m->njnt ? m->jnt_qposadr[begin] : m->nq;
  s.end = end < m->njnt ? m->jnt_qposadr[end] : m->nq;
  return s;
}

// Nothing was written where trees sleep.
static CT_FN bool rest_is_untouched(const ctModel* m, const ctData* d) {
  const ctiAwake* awake = cti_awake(d);
  for (int k = 0; k <= awake->dof.n; k++) {
    int begin = k > 0 ? awake->dof.at[k - 1].end : 0, end = k < awake->dof.n ? awake->dof.at[k].begin : m->nv;
    if (!cti_no_bits(d->qvel + begin, end - begin) || !cti_no_bits(d->qfrc_applied + begin, end - begin))
      return false;
  }
  for (int k = 0; k <= awake->body.n; k++) {
    int begin = k > 0 ? awake->body.at[k - 1].end : 0;
    int end = k < awake->body.n ? awake->body.at[k].begin : m->nbody;
    if (!cti_no_bits(d->xfrc_applied + 6 * begin, 6 * (end - begin))) return false;
  }
  for (int k = 0; k <= awake->jnt.n; k++) {
    int begin = k > 0 ? awake->jnt.at[k - 1].end : 0,
        end = k < awake->jnt.n ? awake->jnt.at[k].begin : m->njnt;
    ctiSpan s = positions_of(m, begin, end);
    if (!cti_same_bits(d->qpos + s.begin, awake->rest_qpos + s.begin, s.end - s.begin)) return false;
  }
  return true;
}

CT_FN void cti_keep_rest_positions(const ctModel* m, ctData* d) {
  ctReal* to = cti_data(d)->awake.rest_qpos;
  CTI_EACH_ASLEEP(j, cti_awake(d)->jnt, m->njnt) {
    int adr = m->jnt_qposadr[j];
    cti_copy(to + adr, d->qpos + adr, cti_joint_nq(m->jnt_type[j]));
  }
}

CT_FN bool cti_wake_edited(const ctModel* m, ctData* d) {
  const ctiAwake* awake = cti_awake(d);
  if (!awake->edited || !cti_some_asleep(m, d)) return false;
  bool touched = !rest_is_untouched(m, d), woken = false;
  CTI_EACH_ASLEEP(t, awake->tree, m->ntree) {
    bool carried = d->body_awake[m->body_parentid[m->tree_bodyadr[t]]] == CT_AWAKE;  // by a mocap body
    bool moved = (touched || carried) && cti_tree_moved(m, d, t);
    bool held = touched ? cti_can_sleep(m, d, t, 0) : policy_allows(m, t);
    if (moved || !held) woken = cti_wake_tree(m, d, t, CTI_FULLY_AWAKE) > 0 || woken;
  }
  if (woken) cti_awake_rebuild(m, d);
  if (touched) cti_keep_rest_positions(m, d);
  return woken;
}

// ---- waking: what ties trees together ----

// A tendon's length is beyond a limit, or close to it.
static CT_FN bool at_limit(const ctModel* m, const ctData* d, int t) {
  if (!m->tendon_limited[t]) return false;
  ctReal length = d->ten_length[t], margin = m->tendon_margin[t];
  return length - m->tendon_range[2 * t] < margin || m->tendon_range[2 * t + 1] - length < margin;
}

CT_FN bool cti_wake_tendons(const ctModel* m, ctData* d) {
  if (m->ntendon == 0 || !cti_some_asleep(m, d)) return false;
  int woken = 0;
  CTI_EACH(t, cti_awake(d)->tendon) {
    if (m->tendon_treenum[t] != 2) continue;
    int a = m->tendon_treeid[2 * t], b = m->tendon_treeid[2 * t + 1];
    if (d->tree_awake[a] == d->tree_awake[b]) continue;
    if (!at_limit(m, d, t) && !(m->tendon_frictionloss[t] > 0)) continue;
    int asleep = d->tree_awake[a] ? b : a, partner = d->tree_awake[a] ? a : b;
    woken += cti_wake_tree(m, d, asleep, d->tree_asleep[partner]);
  }
  if (woken) cti_awake_rebuild(m, d);
  return woken > 0;
}

CT_FN bool cti_wake_contacts(const ctModel* m, ctData* d, bool pressed) {
  if (!cti_some_asleep(m, d)) return false;
  int woken = 0;
  for (int i = 0; i < d->ncon; i++) {
    if (pressed && d->contact[i].exclude != CT_EXCLUDE_NONE) continue;
    int body[2], state[2];
    for (int k = 0; k < 2; k++) {
      body[k] = cti_contact_body(m, d->contact + i, k);
      state[k] = d->body_awake[body[k]];
    }
    if (state[0] == state[1] || state[0] == CT_STATIC || state[1] == CT_STATIC) continue;
    int asleep = state[0] == CT_ASLEEP ? 0 : 1, partner = m->body_treeid[body[1 - asleep]];
    int count = partner >= 0 ? d->tree_asleep[partner] : CTI_FULLY_AWAKE;  // a mocap body has no tree
    woken += cti_wake_tree(m, d, m->body_treeid[body[asleep]], count);
  }
  if (woken) cti_awake_rebuild(m, d);
  return woken > 0;
}

static CT_FN bool in_one_cycle(const ctData* d, int a, int b) {
  for (int t = d->tree_asleep[a]; t != a; t = d->tree_asleep[t]) {
    if (t == b) return true;
  }
  return a == b;
}

// Trees that a tendon equality moves do not sleep: models with one are refused, but it may be switched on
// later.
static CT_FN int wake_path(const ctModel* m, ctData* d, int tendon) {
  int woken = 0;
  for (int k = m->ten_J_rowadr[tendon]; k < m->ten_J_rowadr[tendon] + m->ten_J_rownnz[tendon]; k++) {
    int tree = m->dof_treeid[m->ten_J_colind[k]];
    if (d->tree_asleep[tree] >= 0) woken += cti_wake_tree(m, d, tree, CTI_FULLY_AWAKE);
  }
  return woken;
}

// An equality holds a deformable together: awake in one place, awake in all.
static CT_FN int wake_flex(const ctModel* m, ctData* d, int flex) {
  int n, awake = -1, woken = 0;
  const int* body = cti_flex_bodies(m, flex, &n);
  for (int i = 0; i < n && awake < 0; i++) {
    const int tree = m->body_treeid[body[i]];
    if (tree >= 0 && d->tree_asleep[tree] < 0) awake = tree;
  }
  for (int i = 0; awake >= 0 && i < n; i++) {
    const int tree = m->body_treeid[body[i]];
    if (tree >= 0 && d->tree_asleep[tree] >= 0) woken += cti_wake_tree(m, d, tree, d->tree_asleep[awake]);
  }
  return woken;
}

CT_FN bool cti_wake_equalities(const ctModel* m, ctData* d) {
  if (m->neq == 0 || !cti_some_asleep(m, d)) return false;
  int woken = 0;
  for (int i = 0; i < m->neq; i++) {
    if (!d->eq_active[i]) continue;
    int object[2] = {m->eq_obj1id[i], m->eq_obj2id[i]}, tree[2], state[2];
    if (m->eq_type[i] == CT_EQ_TENDON) {
      for (int k = 0; k < 2; k++) woken += object[k] < 0 ? 0 : wake_path(m, d, object[k]);
      continue;
    }
    if (m->eq_type[i] == CT_EQ_FLEX || m->eq_type[i] == CT_EQ_FLEXSTRAIN) {
      if (object[0] >= 0) woken += wake_flex(m, d, object[0]);
      continue;
    }
    if (object[0] < 0 || object[1] < 0) continue;
    for (int k = 0; k < 2; k++) {
      tree[k] = cti_equality_tree(m, i, object[k]);
      state[k] = cti_equality_state(m, d, i, object[k]);
    }
    if (state[0] == CT_STATIC || state[1] == CT_STATIC || tree[0] == tree[1]) continue;
    bool apart = state[0] != state[1];
    if (state[0] == CT_ASLEEP && state[1] == CT_ASLEEP && d->tree_asleep[tree[0]] >= 0)
      apart = !in_one_cycle(d, tree[0], tree[1]);
    for (int k = 0; k < 2 && apart; k++) {
      if (state[k] == CT_ASLEEP) woken += cti_wake_tree(m, d, tree[k], CTI_FULLY_AWAKE);
    }
  }
  if (woken) cti_awake_rebuild(m, d);
  return woken > 0;
}

// ---- falling asleep ----

CT_FN void cti_make_cycle(const ctModel* m, ctData* d, const int* trees, int n) {
  for (int k = 0; k < n; k++) {
    int t = trees[k];
    d->tree_asleep[t] = trees[(k + 1) % n];
    for (int i = m->tree_dofadr[t]; i < m->tree_dofadr[t] + m->tree_dofnum[t]; i++)
      d->qvel[i] = d->qacc[i] = 0;
  }
}

// Without islands where there are rows, who rests on whom is not known: counters stand still.
static CT_FN bool groups_known(const ctData* d) {
  return d->nefc == 0 || d->nisland > 0;
}

CT_FN bool cti_may_fall_asleep(const ctModel* m, const ctData* d) {
  if (!groups_known(d)) return false;
  CTI_EACH(t, cti_awake(d)->tree) {
    if (d->tree_asleep[t] >= -2 && cti_can_sleep(m, d, t, m->opt.sleep_tolerance)) return true;
  }
  return false;
}

CT_FN int cti_fall_asleep(const ctModel* m, ctData* d) {
  if (!groups_known(d)) return 0;
  const ctiSpans trees = cti_awake(d)->tree;
  const ctReal tolerance = m->opt.sleep_tolerance;
  bool some = false;
  CTI_EACH(t, trees) {
    int dof = m->tree_dofadr[t];
    // most that are awake move, and say so with their first dof
    bool moves = tolerance > 0 && m->dof_length[dof] * cti_abs(d->qvel[dof]) >= tolerance;
    if (moves || !cti_can_sleep(m, d, t, tolerance)) {
      d->tree_asleep[t] = CTI_FULLY_AWAKE;
    } else {
      if (d->tree_asleep[t] < -1) d->tree_asleep[t]++;
      some = some || d->tree_asleep[t] == -1;
    }
  }
  if (!some) return 0;
  int asleep = 0;
  for (int k = 0; k < d->nisland; k++) {
    const int *tree = d->map_itree2tree + d->island_itreeadr[k], n = d->island_ntree[k];
    bool ready = true;
    for (int i = 0; i < n && ready; i++) ready = d->tree_asleep[tree[i]] == -1;
    if (!ready) continue;
    cti_make_cycle(m, d, tree, n);
    asleep += n;
  }
  CTI_EACH(t, trees) {
    if (d->tree_asleep[t] != -1 || (d->nisland > 0 && d->tree_island[t] >= 0)) continue;
    int alone = t;
    cti_make_cycle(m, d, &alone, 1);
    asleep++;
  }
  return asleep;
}
