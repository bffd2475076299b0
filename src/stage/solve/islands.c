#include "stage/solve/islands.h"

#include "data/arena.h"
#include "data/awake.h"
#include "data/contact.h"
#include "math/dense.h"
#include "stage/constraint/constraint.h"
#include "stage/constraint/flex_contact.h"
#include "stage/position/flex.h"
#include "stage/position/position.h"
#include "stage/solve/problem.h"

// ---- sets of trees ----

// Root of a tree's set: its smallest member so far. Paths are halved in passing.
static CT_FN int set_root(int* set, int tree) {
  while (set[tree] != tree) {
    set[tree] = set[set[tree]];
    tree = set[tree];
  }
  return tree;
}

// Join the set of `tree` (negative: none) to that of `*first` (negative: none yet).
static CT_FN void join_tree(int* set, int* first, int tree) {
  if (tree < 0) return;
  if (*first < 0) {
    *first = tree;
    return;
  }
  int a = set_root(set, *first), b = set_root(set, tree);
  if (a < b) {
    set[b] = a;
  } else {
    set[a] = b;
  }
}

// A dense row does not know of elements that are zero.
static CT_FN void join_tendon(const ctModel* m, const ctData* d, int* set, int* first, int tendon) {
  const bool sparse = cti_is_sparse(m);
  for (int k = m->ten_J_rowadr[tendon]; k < m->ten_J_rowadr[tendon] + m->ten_J_rownnz[tendon]; k++) {
    if (sparse || d->ten_J[k] != 0) join_tree(set, first, m->dof_treeid[m->ten_J_colind[k]]);
  }
}

CT_INLINE int joint_tree(const ctModel* m, int joint) {
  return m->dof_treeid[m->jnt_dofadr[joint]];
}

static CT_FN void join_equality(const ctModel* m, const ctData* d, int* set, int* first, int eq) {
  int object[2];
  object[0] = m->eq_obj1id[eq];
  object[1] = m->eq_obj2id[eq];
  for (int k = 0; k < 2; k++) {
    if (object[k] < 0) continue;
    switch (m->eq_type[eq]) {
      case CT_EQ_JOINT: join_tree(set, first, joint_tree(m, object[k])); break;
      case CT_EQ_TENDON: join_tendon(m, d, set, first, object[k]); break;
      default: {
        int body = m->eq_objtype[eq] == CT_OBJ_SITE ? m->site_bodyid[object[k]] : object[k];
        join_tree(set, first, m->body_treeid[body]);
      }
    }
  }
}

// Rows of deformables do not say what they are between.
static CT_COLD void join_columns(const ctModel* m, const ctData* d, int* set, int* first, int row) {
  if (cti_is_sparse(m)) {
    int last = -1;
    for (int k = d->efc_J_rowadr[row]; k < d->efc_J_rowadr[row] + d->efc_J_rownnz[row]; k++) {
      const int tree = m->dof_treeid[d->efc_J_colind[k]];
      if (tree != last) join_tree(set, first, tree);
      last = tree;
    }
    return;
  }
  for (int k = 0; k < m->nv; k++) {
    if (d->efc_J[(int64_t)row * m->nv + k] != 0) join_tree(set, first, m->dof_treeid[k]);
  }
}

CT_INLINE bool is_flex_row(const ctModel* m, const ctData* d, int row) {
  if (!cti_has_flexes(m) || d->efc_type[row] != CT_CNSTR_EQUALITY) return false;
  int kind = m->eq_type[d->efc_id[row]];
  return kind == CT_EQ_FLEX || kind == CT_EQ_FLEXSTRAIN;
}

// A deformable that is elastic holds together, rows or not.
static CT_COLD void join_flexes(const ctModel* m, const ctData* d, int* set) {
  for (int f = 0; f < m->nflex; f++) {
    const int twists = cti_rod_twist_edges(m, f);
    if ((m->flex_dim[f] < 2 && twists == 0) || !cti_flex_is_elastic(m, f)) continue;
    int first = -1, count = m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
    for (int i = 0; i < count; i++) {
      int tree = m->body_treeid[cti_flex_body(m, f, i)];
      if (tree >= 0 && d->tree_awake[tree]) join_tree(set, &first, tree);
    }
    for (int i = 0; i < twists; i++) {
      int dof = cti_rod_twist_dof(m, f, i);
      if (dof >= 0 && d->tree_awake[m->dof_treeid[dof]]) join_tree(set, &first, m->dof_treeid[dof]);
    }
  }
}

// The metric of the discrete integrator holds trees together too: tendons, whether or not their spring is
// slack, actuators, and contacts that are forces.
static CT_COLD void join_metric(const ctModel* m, const ctData* d, int* set) {
  const ctiMetric* metric = &cti_data_const(d)->metric;
  for (int i = 0; i < d->nefmT; i++) {
    int first = -1;
    for (int k = m->ten_J_rowadr[d->efm_tid[i]], n = k + m->ten_J_rownnz[d->efm_tid[i]]; k < n; k++)
      join_tree(set, &first, m->dof_treeid[m->ten_J_colind[k]]);
  }
  for (int i = 0; i < metric->ncoupling; i++) {
    int first = -1;
    for (int k = metric->rowadr[i]; k < metric->rowadr[i] + metric->rownnz[i]; k++)
      join_tree(set, &first, m->dof_treeid[metric->colind[k]]);
  }
  for (int i = 0; d->nefmK && i < m->nv; i++) {
    int first = m->dof_treeid[i], last = first;
    for (int k = d->efm_K_rowadr[i]; k < d->efm_K_rowadr[i] + d->efm_K_rownnz[i]; k++) {
      int tree = m->dof_treeid[d->efm_K_colind[k]];
      if (tree != last) join_tree(set, &first, tree);
      last = tree;
    }
  }
}

// Join all trees that a row touches; returns one of them.
static CT_FN int join_row(const ctModel* m, const ctData* d, int* set, int row) {
  int id = d->efc_id[row], first = -1;
  switch (d->efc_type[row]) {
    case CT_CNSTR_EQUALITY:
      if (is_flex_row(m, d, row)) {
        join_columns(m, d, set, &first, row);
      } else {
        join_equality(m, d, set, &first, id);
      }
      break;
    case CT_CNSTR_FRICTION_DOF: first = m->dof_treeid[id]; break;
    case CT_CNSTR_LIMIT_JOINT: first = joint_tree(m, id); break;
    case CT_CNSTR_FRICTION_TENDON:
    case CT_CNSTR_LIMIT_TENDON: join_tendon(m, d, set, &first, id); break;
    default:
      // those of surfaces that are kept apart have no contact
      if (!CT_PLAIN && (id < 0 || cti_is_flex_contact(d->contact + id))) {
        join_columns(m, d, set, &first, row);
        break;
      }
      for (int k = 0; k < 2; k++)
        join_tree(set, &first, m->body_treeid[m->geom_bodyid[d->contact[id].geom[k]]]);
  }
  return first;
}

// ---- numbering ----

// tree_island and efc_island from the sets; returns the number of islands.
// `held`: something else than rows holds trees together.
static CT_FN int number_islands(ctData* d, int* set, const int* row_tree, bool held) {
  int n = 0;
  const ctiSpans trees = cti_awake(d)->tree;
  CTI_EACH(t, trees) d->tree_island[t] = -1;
  // roots are marked first, then numbered in the order of trees
  for (int i = 0; i < d->nefc; i++) d->tree_island[set_root(set, row_tree[i])] = 0;
  // they are an island too
  if (held) {
    CTI_EACH(t, trees) {
      int root = set_root(set, t);
      if (root != t) d->tree_island[root] = 0;
    }
  }
  CTI_EACH(t, trees) {
    int root = set_root(set, t);
    if (d->tree_island[root] < 0) continue;
    d->tree_island[t] = root == t ? n++ : d->tree_island[root];
  }
  CT_LANES(i, d->nefc) d->efc_island[i] = d->tree_island[row_tree[i]];
  CT_TEAM_SYNC();
  return n;
}

// Group things by island, keeping their order; those without island (negative) come last.
// adr and num have an entry for each island; map_to: place of each thing, map_from: its inverse.
static CT_PLAIN_NOINLINE int group_by_island(const int* island, ctiSpans things, int nisland, int* num,
                                             int* adr, int* map_to, int* map_from) {
  if (nisland == 1 && things.n == 1) {
    int inside = 0, seen = 0, end = things.at[0].end;
    for (int first = things.at[0].begin; first < end; first += CT_TEAM) {
      int i = first + CT_LANE;
      inside += cti_team_count(i < end && island[i] >= 0);
    }
    for (int first = things.at[0].begin; first < end; first += CT_TEAM) {
      int i = first + CT_LANE;
      bool in = i < end && island[i] >= 0;
      int before = seen + cti_team_rank(in), place = in ? before : inside + i - things.at[0].begin - before;
      seen += cti_team_count(in);
      if (i < end && map_to) map_to[i] = place;
      if (i < end) map_from[place] = i;
    }
    num[0] = inside;
    adr[0] = 0;
    CT_TEAM_SYNC();
    return inside;
  }
  for (int k = 0; k < nisland; k++) num[k] = 0;
  CTI_EACH(i, things) {
    if (island[i] >= 0) num[island[i]]++;
  }
  int total = 0;
  for (int k = 0; k < nisland; k++) {
    adr[k] = total;
    total += num[k];
    num[k] = 0;
  }
  int outside = total;
  CTI_EACH(i, things) {
    int place = island[i] >= 0 ? adr[island[i]] + num[island[i]]++ : outside++;
    if (map_to) map_to[i] = place;
    map_from[place] = i;
  }
  return total;
}

static CT_FN void count_kinds(ctData* d) {
  if (d->nisland == 1) {
    d->island_ne[0] = d->ne;
    d->island_nf[0] = d->nf;
    return;
  }
  for (int k = 0; k < d->nisland; k++) d->island_ne[k] = d->island_nf[k] = 0;
  for (int i = 0; i < d->ne; i++) d->island_ne[d->efc_island[i]]++;
  for (int i = d->ne; i < d->ne + d->nf; i++) d->island_nf[d->efc_island[i]]++;
}

CT_FN ctStatus cti_find_islands(const ctModel* m, ctData* d) {
  d->nisland = d->nidof = 0;
  if (d->nefc == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  const unsigned fast = cti_shared_mark();
  int* set = CTI_SHARED(d, int, m->ntree, "island.set");
  int* row_tree = CTI_SHARED(d, int, d->nefc, "island.row_tree");
  bool ok = set && row_tree && cti_take_arrays(m, d, CTI_GROUP_SETS);
  const bool flexes = cti_has_flexes(m), shifted = cti_has_metric(d), held = flexes || shifted;
  if (ok) {
    CTI_EACH(t, cti_awake(d)->tree) set[t] = t;
    if (held) {
      if (flexes) join_flexes(m, d, set);
      if (shifted) join_metric(m, d, set);
    }
    int joined = m->ntree == 1 ? d->nefc : 0;  // a single tree has all rows
    CT_LANES(i, joined) row_tree[i] = 0;
    CT_TEAM_SYNC();
    const int ne = flexes ? d->ne : 0;  // rows of one deformable are each for itself
    for (int i = joined; i < d->nefc; i++) {
      // rows of one constraint touch the same trees
      bool repeated = i > 0 && d->efc_type[i] == d->efc_type[i - 1] && d->efc_id[i] == d->efc_id[i - 1] &&
                      (i >= ne || !is_flex_row(m, d, i));
      row_tree[i] = repeated ? row_tree[i - 1] : join_row(m, d, set, i);
      ok = ok && row_tree[i] >= 0;
    }
  }
  int n = ok ? number_islands(d, set, row_tree, held) : 0;
  cti_scratch_release(d, mark);
  cti_shared_release(fast);
  d->nisland = n;
  if (!ok || !cti_take_arrays(m, d, CTI_GROUP_ISLANDS)) {
    d->nisland = 0;
    if (!CT_PLAIN) cti_warn(d, CT_WARN_CNSTRFULL, d->nefc);
    return CT_STEP_OVERFLOW;
  }
  // those that sleep are in no island, as those that no row touches; who is not looking does not need to know
  const ctiAwake* awake = cti_awake(d);
  ctiSpan all_trees = {0, m->ntree}, all_dofs = {0, m->nv}, all_rows = {0, d->nefc};
  ctiSpans trees = {&all_trees, 1}, dofs = {&all_dofs, 1}, rows = {&all_rows, 1};
  if (awake->shown) {
    CTI_EACH_ASLEEP(t, awake->tree, m->ntree) d->tree_island[t] = -1;
  } else {
    trees = awake->tree;
    dofs = awake->dof;
  }
  CTI_EACH_LANES(i, dofs) d->dof_island[i] = d->tree_island[m->dof_treeid[i]];
  CT_TEAM_SYNC();
  group_by_island(d->tree_island, trees, n, d->island_ntree, d->island_itreeadr, (int*)0, d->map_itree2tree);
  d->nidof = group_by_island(d->dof_island, dofs, n, d->island_nv, d->island_idofadr, d->map_dof2idof,
                             d->map_idof2dof);
  group_by_island(d->efc_island, rows, n, d->island_nefc, d->island_iefcadr, d->map_efc2iefc,
                  d->map_iefc2efc);
  for (int k = 0; k < n; k++) d->island_dofadr[k] = d->map_idof2dof[d->island_idofadr[k]];
  count_kinds(d);
  return CT_OK;
}

// ---- copies in the order of islands ----

// Every place takes what the map says.
static CT_FN void pick_reals(ctReal* CT_RESTRICT to, const ctReal* from, const int* map, int n) {
  CT_LANES(i, n) to[i] = from[map[i]];
  CT_TEAM_SYNC();
}
static CT_FN void pick_ints(int* CT_RESTRICT to, const int* from, const int* map, int n) {
  CT_LANES(i, n) to[i] = from[map[i]];
  CT_TEAM_SYNC();
}

CT_FN ctStatus cti_gather_islands(const ctModel* m, ctData* d) {
  if (!cti_take_arrays(m, d, CTI_GROUP_COPIES)) {
    if (!CT_PLAIN) cti_warn(d, CT_WARN_CNSTRFULL, d->nefc);
    return CT_STEP_OVERFLOW;
  }
  const int *dof = d->map_idof2dof, *row = d->map_iefc2efc;
  const int nv = d->nidof, n = d->nefc;
  const ctiMetric* metric = &cti_data_const(d)->metric;
  pick_reals(d->ifrc_smooth, cti_has_metric(d) ? metric->force : d->qfrc_smooth, dof, nv);
  pick_reals(d->iacc_smooth, d->qacc_smooth, dof, nv);
  pick_reals(d->iacc, d->qacc, dof, nv);
  cti_team_zero(d->ifrc_constraint, nv);
  pick_ints(d->iefc_type, d->efc_type, row, n);
  pick_ints(d->iefc_id, d->efc_id, row, n);
  pick_reals(d->iefc_frictionloss, d->efc_frictionloss, row, n);
  pick_reals(d->iefc_D, d->efc_D, row, n);
  pick_reals(d->iefc_R, d->efc_R, row, n);
  pick_reals(d->iefc_aref, d->efc_aref, row, n);
  pick_ints(d->iefc_state, d->efc_state, row, n);
  pick_reals(d->iefc_force, d->efc_force, row, n);
  return CT_OK;
}

CT_FN void cti_rest_dofs(const ctModel* m, ctData* d) {
  CTI_EACH_ASLEEP(i, cti_awake(d)->dof, m->nv) {
    d->qacc[i] = d->qacc_smooth[i];
    d->qfrc_constraint[i] = 0;
  }
}

CT_FN void cti_scatter_islands(const ctModel* m, ctData* d) {
  if (cti_whole_arrays(d)) cti_rest_dofs(m, d);
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    int place = d->map_dof2idof[i];
    bool inside = place < d->nidof;
    d->qacc[i] = inside ? d->iacc[place] : d->qacc_smooth[i];
    d->qfrc_constraint[i] = inside ? d->ifrc_constraint[place] : 0;
  }
  CT_TEAM_SYNC();
  pick_reals(d->efc_force, d->iefc_force, d->map_efc2iefc, d->nefc);
  pick_ints(d->efc_state, d->iefc_state, d->map_efc2iefc, d->nefc);
}
