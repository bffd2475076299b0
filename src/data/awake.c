// What a step computes: lists of what is awake.
#include "data/awake.h"

#include "base/kinds.h"
#include "data/scenery.h"

// ---- states ----

CT_FN int cti_tree_state(const ctData* d, int tree) {
  if (tree < 0) return CT_STATIC;
  return d->tree_asleep[tree] < 0 ? CT_AWAKE : CT_ASLEEP;
}

// Awake where either is.
CT_INLINE int either(int a, int b) {
  return a > b ? a : b;
}

CT_INLINE int joint_state(const ctModel* m, const ctData* d, int joint) {
  return cti_tree_state(d, m->dof_treeid[m->jnt_dofadr[joint]]);
}

CT_INLINE int site_state(const ctModel* m, const ctData* d, int site) {
  return site < 0 ? CT_STATIC : d->body_awake[m->site_bodyid[site]];
}

CT_FN int cti_tendon_state(const ctModel* m, const ctData* d, int tendon) {
  const int* tree = m->tendon_treeid + 2 * tendon;
  switch (m->tendon_treenum[tendon]) {
    case 0: return CT_STATIC;
    case 1: return cti_tree_state(d, tree[0]);
    case 2: return either(cti_tree_state(d, tree[0]), cti_tree_state(d, tree[1]));
    default: return CT_AWAKE;  // trees that such a tendon joins do not sleep
  }
}

CT_FN const int* cti_flex_bodies(const ctModel* m, int flex, int* n) {
  const bool cage = m->flex_interp[flex] != 0;
  *n = cage ? m->flex_nodenum[flex] : m->flex_vertnum[flex];
  return cage ? m->flex_nodebodyid + m->flex_nodeadr[flex] : m->flex_vertbodyid + m->flex_vertadr[flex];
}

CT_FN int cti_flex_state(const ctModel* m, const ctData* d, int flex) {
  int n, state = CT_STATIC;
  const int* body = cti_flex_bodies(m, flex, &n);
  // a mocap body is none of its trees: what is pinned to one may sleep
  for (int i = 0; i < n && state != CT_AWAKE; i++)
    state = either(state, cti_tree_state(d, m->body_treeid[body[i]]));
  return state;
}

CT_FN int cti_equality_tree(const ctModel* m, int eq, int object) {
  if (object < 0) return -1;
  switch (m->eq_type[eq]) {
    case CT_EQ_CONNECT:
    case CT_EQ_WELD:
      return m->body_treeid[m->eq_objtype[eq] == CT_OBJ_SITE ? m->site_bodyid[object] : object];
    case CT_EQ_JOINT: return m->dof_treeid[m->jnt_dofadr[object]];
    default: return -1;
  }
}

CT_FN int cti_equality_state(const ctModel* m, const ctData* d, int eq, int object) {
  switch (m->eq_type[eq]) {
    case CT_EQ_CONNECT:
    case CT_EQ_WELD: return d->body_awake[m->eq_objtype[eq] == CT_OBJ_SITE ? m->site_bodyid[object] : object];
    case CT_EQ_TENDON: return cti_tendon_state(m, d, object);
    case CT_EQ_FLEX:
    case CT_EQ_FLEXSTRAIN: return cti_flex_state(m, d, object);
    default: return cti_tree_state(d, cti_equality_tree(m, eq, object));
  }
}

static CT_FN int actuator_state(const ctModel* m, const ctData* d, int actuator) {
  const int* target = m->actuator_trnid + 2 * actuator;
  switch (m->actuator_trntype[actuator]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return joint_state(m, d, target[0]);
    case CT_TRN_TENDON: return cti_tendon_state(m, d, target[0]);
    case CT_TRN_SITE: return site_state(m, d, target[0]);
    case CT_TRN_SLIDERCRANK: return either(site_state(m, d, target[0]), site_state(m, d, target[1]));
    case CT_TRN_SO3:
      if (target[1] < 0) return joint_state(m, d, target[0]);
      return either(site_state(m, d, target[0]), site_state(m, d, target[1]));
    case CT_TRN_BODY: return d->body_awake[target[0]];
    default: return CT_AWAKE;
  }
}

// What a sensor looks at. No object counts as awake.
static CT_FN int object_state(const ctModel* m, const ctData* d, int type, int id) {
  if (id < 0) return CT_AWAKE;
  switch (type) {
    case CT_OBJ_BODY:
    case CT_OBJ_XBODY: return d->body_awake[id];
    case CT_OBJ_JOINT: return joint_state(m, d, id);
    case CT_OBJ_GEOM: return d->body_awake[m->geom_bodyid[id]];
    case CT_OBJ_SITE: return site_state(m, d, id);
    case CT_OBJ_CAMERA: return d->body_awake[m->cam_bodyid[id]];
    case CT_OBJ_TENDON: return cti_tendon_state(m, d, id);
    case CT_OBJ_ACTUATOR: return actuator_state(m, d, id);
    default: return CT_AWAKE;
  }
}

static CT_FN bool sensor_sleeps(const ctModel* m, const ctData* d, int i) {
  int type = m->sensor_type[i];
  if (type == CT_SENS_USER || type == CT_SENS_PLUGIN || type == CT_SENS_RANGEFINDER) return false;
  if (type == CT_SENS_CONTACT && m->sensor_objtype[i] == CT_OBJ_SITE) return false;
  int state = object_state(m, d, m->sensor_objtype[i], m->sensor_objid[i]);
  int other = CT_STATIC;
  if (m->sensor_refid[i] >= 0) other = object_state(m, d, m->sensor_reftype[i], m->sensor_refid[i]);
  // what nothing moves is measured always
  return state != CT_AWAKE && other != CT_AWAKE && (state == CT_ASLEEP || other == CT_ASLEEP);
}

// ---- spans ----

// Ids come in ascending order.
static CT_FN void add_id(ctiSpans* spans, int id) {
  if (spans->n > 0 && spans->at[spans->n - 1].end == id) {
    spans->at[spans->n - 1].end++;
    return;
  }
  spans->at[spans->n].begin = id;
  spans->at[spans->n++].end = id + 1;
}

static CT_FN void span_all(ctiSpans* spans, int count) {
  spans->n = count > 0;
  if (count == 0) return;
  spans->at[0].begin = 0;
  spans->at[0].end = count;
}

CT_FN void cti_awake_everything(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  awake->changed = true;
  awake->com_known = false;
#define X(list, count) span_all(&awake->list, m->count);
  CTI_AWAKE_LISTS(X)
#undef X
  awake->hung.n = 0;
  // all but the world
  awake->body.n = awake->mover.n = m->nbody > 1;
  if (m->nbody > 1) awake->body.at[0].begin = awake->mover.at[0].begin = 1;
}

// Things that move with a body, and those that something else decides about.
static CT_FN void span_things(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  const int* state = d->body_awake;
  for (int i = 0; i < m->njnt; i++) {
    if (state[m->jnt_bodyid[i]] == CT_AWAKE) add_id(&awake->jnt, i);
  }
  for (int i = 0; i < m->ngeom; i++) {
    if (state[m->geom_bodyid[i]] == CT_AWAKE) add_id(&awake->geom, i);
  }
  for (int i = 0; i < m->nsite; i++) {
    if (state[m->site_bodyid[i]] == CT_AWAKE) add_id(&awake->site, i);
  }
  for (int i = 0; i < m->ncam; i++) {
    int target = m->cam_targetbodyid[i];
    if (state[m->cam_bodyid[i]] == CT_AWAKE || (target >= 0 && state[target] == CT_AWAKE))
      add_id(&awake->cam, i);
  }
  for (int i = 0; i < m->nlight; i++) {
    int target = m->light_targetbodyid[i];
    if (state[m->light_bodyid[i]] == CT_AWAKE || (target >= 0 && state[target] == CT_AWAKE))
      add_id(&awake->light, i);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (cti_tendon_state(m, d, i) == CT_AWAKE) add_id(&awake->tendon, i);
  }
  for (int i = 0; i < m->nactuator; i++) {
    if (actuator_state(m, d, i) != CT_ASLEEP) add_id(&awake->actuator, i);
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!sensor_sleeps(m, d, i)) add_id(&awake->sensor, i);
  }
}

// Spans by the states of trees and bodies; static things are left to cti_awake_everything().
static CT_FN void span_awake(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
#define X(list, count) awake->list.n = 0;
  CTI_AWAKE_LISTS(X)
#undef X
  for (int i = 0; i < m->ntree; i++) {
    if (d->tree_awake[i]) {
      add_id(&awake->tree, i);
    } else if (m->body_parentid[m->tree_bodyadr[i]] > 0) {
      add_id(&awake->hung, i);
    }
  }
  for (int i = 0; i < d->nv_awake; i++) add_id(&awake->dof, d->dof_awake_ind[i]);
  for (int i = 1; i < m->nbody; i++) {
    if (d->body_awake[i] != CT_ASLEEP) add_id(&awake->body, i);
    if (d->body_awake[i] == CT_AWAKE) add_id(&awake->mover, i);
  }
  span_things(m, d);
}

// ---- the lists of the data ----

static CT_FN void list_trees(const ctModel* m, ctData* d) {
  d->ntree_awake = 0;
  for (int i = 0; i < m->ntree; i++) {
    d->tree_awake[i] = d->tree_asleep[i] < 0;
    d->ntree_awake += d->tree_awake[i];
  }
}

static CT_FN void list_bodies(const ctModel* m, ctData* d) {
  CT_LANES(i, m->nbody) {
    int tree = m->body_treeid[i];
    bool mocap = m->body_mocapid[m->body_weldid[i]] >= 0;
    d->body_awake[i] = tree >= 0 ? d->tree_awake[tree] : (mocap ? CT_AWAKE : CT_STATIC);
    // the lists while nobody sleeps
    d->body_awake_ind[i] = i;
    if (i > 0) d->parent_awake_ind[i - 1] = i;
  }
  CT_TEAM_SYNC();
  d->nbody_awake = m->nbody;
  d->nparent_awake = m->nbody - 1;
  if (!cti_some_asleep(m, d)) return;
  d->nbody_awake = d->nparent_awake = 0;
  for (int i = 0; i < m->nbody; i++) {
    if (d->body_awake[i] != CT_ASLEEP) d->body_awake_ind[d->nbody_awake++] = i;
    if (i > 0 && d->body_awake[m->body_parentid[i]] != CT_ASLEEP) d->parent_awake_ind[d->nparent_awake++] = i;
  }
}

static CT_FN void list_dofs(const ctModel* m, ctData* d) {
  CT_LANES(i, m->nv) d->dof_awake_ind[i] = i;
  CT_TEAM_SYNC();
  d->nv_awake = m->nv;
  if (!cti_some_asleep(m, d)) return;
  d->nv_awake = 0;
  for (int i = 0; i < m->nv; i++) {
    if (d->tree_awake[m->dof_treeid[i]]) d->dof_awake_ind[d->nv_awake++] = i;
  }
}

CT_FN void cti_awake_rebuild(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  awake->on = cti_sleep_enabled(m);
  awake->changed = true;
  awake->nresting = -1;
  awake->com_known = false;
  if (!awake->on) {
    for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = CTI_FULLY_AWAKE;
  }
  list_trees(m, d);
  list_bodies(m, d);
  list_dofs(m, d);
  cti_scenery_count(m, d);
  if (awake->on) {
    span_awake(m, d);
  } else {
    cti_awake_everything(m, d);
  }
}

CT_FN int cti_wake_tree(const ctModel* m, ctData* d, int tree, int count) {
  ctiAwake* awake = &cti_data(d)->awake;
  if (!awake->has_before) {
    for (int t = 0; t < m->ntree; t++) awake->before[t] = d->tree_asleep[t];
    awake->has_before = true;
  }
  if (d->tree_asleep[tree] < 0) {
    if (count < d->tree_asleep[tree]) d->tree_asleep[tree] = count;
    return 0;
  }
  int woken = 0;
  for (int next = tree; d->tree_asleep[next] >= 0; woken++) {
    int at = next;
    next = d->tree_asleep[at];
    d->tree_asleep[at] = count;
  }
  return woken;
}

CT_FN void cti_awake_undo(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  if (!awake->has_before) return;
  for (int t = 0; t < m->ntree; t++) d->tree_asleep[t] = awake->before[t];
  awake->has_before = false;
  cti_awake_rebuild(m, d);
}

// Every tree asleep follows exactly one other. Marks are left in d->tree_awake.
static CT_FN bool cycles_close(const ctModel* m, ctData* d) {
  bool closed = true;
  for (int t = 0; t < m->ntree; t++) d->tree_awake[t] = 0;
  for (int t = 0; t < m->ntree && closed; t++) {
    int next = d->tree_asleep[t];
    if (next < 0) continue;
    closed = next < m->ntree && d->tree_asleep[next] >= 0 && !d->tree_awake[next];
    if (closed) d->tree_awake[next] = 1;
  }
  return closed;
}

CT_FN void cti_awake_check(const ctModel* m, ctData* d) {
  bool same = true, asleep = false;
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] < CTI_FULLY_AWAKE) d->tree_asleep[t] = CTI_FULLY_AWAKE;
    same = same && (d->tree_asleep[t] < 0) == (d->tree_awake[t] != 0);
    asleep = asleep || d->tree_asleep[t] >= 0;
  }
  if (same && !asleep) return;
  bool closed = !asleep || cycles_close(m, d);
  for (int t = 0; t < m->ntree; t++) {
    if (!closed && d->tree_asleep[t] >= 0) d->tree_asleep[t] = CTI_FULLY_AWAKE;
    d->tree_awake[t] = d->tree_asleep[t] < 0;
  }
  if (!same || !closed) cti_awake_rebuild(m, d);
}
