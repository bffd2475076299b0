// What tendons, equalities, pairs, sensors, actuators and tuples refer to.
#include "model/check_parts.h"

#define REQUIRE(condition, name) \
  if (!c->field && !(condition)) c->field = name

// Whether an id is one of an object of a kind; kind 0 has no objects.
static bool is_object(const ctModel* m, int kind, int id) {
  return kind > 0 && id >= 0 &&
         id < ct_model_count(m, (ctObjType)(kind == CT_OBJ_XBODY ? CT_OBJ_BODY : kind));
}

static bool is_scalar(const ctModel* m, int joint) {
  return is_object(m, CT_OBJ_JOINT, joint) &&
         (m->jnt_type[joint] == CT_JOINT_SLIDE || m->jnt_type[joint] == CT_JOINT_HINGE);
}

// The id of a side site, kept as a real number; -1 for none.
static bool is_side(const ctModel* m, ctReal side) {
  return side == -1 || (side >= 0 && side <= (ctReal)(m->nsite - 1));
}

// A geom stands between two sites of its path, and its side site is one.
static void check_paths(ctiCheck* c) {
  static const int kinds[CT_WRAP_COUNT] = {[CT_WRAP_JOINT] = CT_OBJ_JOINT,
                                           [CT_WRAP_SITE] = CT_OBJ_SITE,
                                           [CT_WRAP_SPHERE] = CT_OBJ_GEOM,
                                           [CT_WRAP_CYLINDER] = CT_OBJ_GEOM};
  const ctModel* m = c->m;
  for (int i = 0; i < m->nwrap; i++) {
    int kind = kinds[m->wrap_type[i]];
    REQUIRE(kind == 0 || is_object(m, kind, m->wrap_objid[i]), "wrap_objid");
    if (c->field) return;
    if (kind == CT_OBJ_GEOM) REQUIRE(is_side(m, m->wrap_prm[i]), "wrap_prm");
    if (kind == CT_OBJ_JOINT) REQUIRE(is_scalar(m, m->wrap_objid[i]), "wrap_objid");
  }
  for (int t = 0; t < m->ntendon && !c->field; t++) {
    const int* type = m->wrap_type + m->tendon_adr[t];
    int n = m->tendon_num[t];
    for (int k = 0; k < n; k++) {
      bool joint = type[k] == CT_WRAP_JOINT, geom = kinds[type[k]] == CT_OBJ_GEOM;
      REQUIRE(joint == (m->tendon_type[t] == CT_TENDON_FIXED), "wrap_type");
      REQUIRE(!geom || (k > 0 && k + 1 < n && type[k - 1] == CT_WRAP_SITE && type[k + 1] == CT_WRAP_SITE),
              "wrap_type");
    }
  }
}

static void check_equalities(ctiCheck* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->neq && !c->field; i++) {
    int type = m->eq_type[i], kind = m->eq_objtype[i], one = m->eq_obj1id[i], two = m->eq_obj2id[i];
    switch (type) {
      case CT_EQ_CONNECT:
      case CT_EQ_WELD:
        REQUIRE(kind == CT_OBJ_BODY || kind == CT_OBJ_SITE, "eq_objtype");
        REQUIRE(is_object(m, kind, one), "eq_obj1id");
        REQUIRE(is_object(m, kind, two), "eq_obj2id");
        break;
      case CT_EQ_JOINT:
        REQUIRE(is_scalar(m, one), "eq_obj1id");
        REQUIRE(two == -1 || is_scalar(m, two), "eq_obj2id");
        break;
      case CT_EQ_TENDON:
        REQUIRE(is_object(m, CT_OBJ_TENDON, one), "eq_obj1id");
        REQUIRE(two == -1 || is_object(m, CT_OBJ_TENDON, two), "eq_obj2id");
        break;
      default: c->field = "eq_type";
    }
  }
}

// How many dofs two chains towards the world share, and have together.
static void count_dofs(const ctModel* m, int body1, int body2, int* shared, int* all) {
  int d[2], body[2] = {body1, body2};
  for (int k = 0; k < 2; k++) {
    while (body[k] > 0 && m->body_dofnum[body[k]] == 0) body[k] = m->body_parentid[body[k]];
    d[k] = body[k] > 0 ? m->body_dofadr[body[k]] + m->body_dofnum[body[k]] - 1 : -1;
  }
  for (*shared = *all = 0; d[0] >= 0 || d[1] >= 0; ++*all) {
    int most = d[0] > d[1] ? d[0] : d[1];
    *shared += d[0] == d[1];
    for (int k = 0; k < 2; k++) {
      if (d[k] == most) d[k] = m->dof_parentid[most];
    }
  }
}

// Elements in the moment rows of an actuator, -1 when it acts on what is not there.
static int64_t moment_elements(const ctModel* m, int i) {
  static const int joint_nv[CT_JOINT_COUNT] = {
      [CT_JOINT_FREE] = 6, [CT_JOINT_BALL] = 3, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
  const int* id = m->actuator_trnid + 2 * i;
  bool site = is_object(m, CT_OBJ_SITE, id[0]), both = site && is_object(m, CT_OBJ_SITE, id[1]);
  int shared, all;
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return is_object(m, CT_OBJ_JOINT, id[0]) ? joint_nv[m->jnt_type[id[0]]] : -1;
    case CT_TRN_TENDON: return is_object(m, CT_OBJ_TENDON, id[0]) ? m->ten_J_rownnz[id[0]] : -1;
    case CT_TRN_SITE:
      if (!site || (id[1] != -1 && !both)) return -1;
      count_dofs(m, m->site_bodyid[id[0]], both ? m->site_bodyid[id[1]] : 0, &shared, &all);
      return all - shared;
    case CT_TRN_SLIDERCRANK:
      if (!both) return -1;
      count_dofs(m, m->site_bodyid[id[0]], m->site_bodyid[id[1]], &shared, &all);
      return all;
    case CT_TRN_BODY: return is_object(m, CT_OBJ_BODY, id[0]) ? m->nv : -1;
    case CT_TRN_SO3:
      if (id[1] >= 0) return both ? 3 * (int64_t)m->nv : -1;
      return is_object(m, CT_OBJ_JOINT, id[0]) && m->jnt_type[id[0]] == CT_JOINT_BALL ? 3 : -1;
    default: return -1;
  }
}

static void check_actuators(ctiCheck* c) {
  const ctModel* m = c->m;
  int64_t room = 0;
  for (int i = 0; i < m->nactuator && !c->field; i++) {
    int64_t elements = moment_elements(m, i);
    REQUIRE(elements >= 0, "actuator_trnid");
    REQUIRE(m->actuator_outnum[i] == (m->actuator_trntype[i] == CT_TRN_SO3 ? 3 : 1), "actuator_outnum");
    room += elements;
  }
  REQUIRE(room <= m->nJmom, "nJmom");
}

// User slot, cursor, times, samples.
static void check_history(ctiCheck* c, const char* name, const int* history, int64_t adr, int64_t width) {
  const ctModel* m = c->m;
  if (history[0] <= 0) return;
  REQUIRE(history[1] >= 0 && history[1] <= 2, name);
  REQUIRE(adr >= 0 && adr + 2 + history[0] * (1 + width) <= m->nhistory, name);
}

static void check_histories(ctiCheck* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->nactuator; i++)
    check_history(c, "actuator_historyadr", m->actuator_history + 2 * i, m->actuator_historyadr[i],
                  m->actuator_ctrlnum[i]);
  for (int i = 0; i < m->nsensor; i++)
    check_history(c, "sensor_historyadr", m->sensor_history + 2 * i, m->sensor_historyadr[i],
                  m->sensor_dim[i]);
}

static void check_sensors(ctiCheck* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_objtype[i], ref = m->sensor_reftype[i];
    REQUIRE(m->sensor_objid[i] == -1 || is_object(m, type, m->sensor_objid[i]), "sensor_objid");
    REQUIRE(m->sensor_refid[i] == -1 || is_object(m, ref, m->sensor_refid[i]), "sensor_refid");
  }
}

void cti_check_objects(ctiCheck* c) {
  const ctModel* m = c->m;
  check_paths(c);
  if (!c->field) check_equalities(c);
  if (!c->field) check_actuators(c);
  if (!c->field) check_sensors(c);
  if (!c->field) check_histories(c);
  for (int i = 0; i < m->ntupledata; i++)
    REQUIRE(is_object(m, m->tuple_objtype[i], m->tuple_objid[i]), "tuple_objid");
}
