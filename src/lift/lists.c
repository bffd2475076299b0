// Contacts, equalities, tendons, custom data and keyframes.
#include <string.h>

#include "lift/lift.h"

// ---- contacts

static ctStatus lift_pair(ctiLift* l, int i) {
  const ctModel* m = l->m;
  ctiPair* p = cti_spec_add_pair(l->s, &l->s->plain);
  if (!p) return cti_error_memory(l->err);
  cti_lift_place(l, &p->head, CT_OBJ_PAIR, i, "pair", &cti_attrs_pair);
  p->condim = m->pair_dim[i];
  p->margin = (double)m->pair_margin[i];
  p->gap = (double)m->pair_gap[i];
  p->adhesion = (double)m->pair_adhesion[i];
  cti_lift_reals(p->solref, m->pair_solref + CT_NREF * i, CT_NREF);
  cti_lift_reals(p->solreffriction, m->pair_solreffriction + CT_NREF * i, CT_NREF);
  cti_lift_reals(p->solimp, m->pair_solimp + CT_NIMP * i, CT_NIMP);
  cti_lift_reals(p->friction, m->pair_friction + 5 * i, 5);
  CT_TRY(cti_lift_refer(l, &p->geom1, CT_OBJ_GEOM, m->pair_geom1[i]));
  return cti_lift_refer(l, &p->geom2, CT_OBJ_GEOM, m->pair_geom2[i]);
}

// Both bodies in one number.
static ctStatus lift_exclude(ctiLift* l, int i) {
  int first = l->m->exclude_signature[i] >> 16, second = l->m->exclude_signature[i] & 0xffff;
  ctiExclude* x = cti_spec_add_to_excludes(l->s);
  if (!x) return cti_error_memory(l->err);
  cti_lift_place(l, &x->head, CT_OBJ_EXCLUDE, i, "exclude", &cti_attrs_exclude);
  if (first < 0 || first >= l->m->nbody || second >= l->m->nbody)
    return cti_lift_cannot(l, CT_OBJ_EXCLUDE, i, "it names a body that is not there");
  CT_TRY(cti_lift_refer(l, &x->body1, CT_OBJ_BODY, first));
  return cti_lift_refer(l, &x->body2, CT_OBJ_BODY, second);
}

ctStatus cti_lift_contacts(ctiLift* l) {
  for (int i = 0; i < l->m->npair; i++) CT_TRY(lift_pair(l, i));
  for (int i = 0; i < l->m->nexclude; i++) CT_TRY(lift_exclude(l, i));
  return CT_OK;
}

// ---- equalities

static ctStatus lift_equality(ctiLift* l, int i) {
  static const struct {
    const char* tag;
    const ctiAttrTable* attrs;
  } kinds[CT_EQ_COUNT] = {[CT_EQ_CONNECT] = {"connect", &cti_attrs_connect},
                          [CT_EQ_WELD] = {"weld", &cti_attrs_weld},
                          [CT_EQ_JOINT] = {"joint", &cti_attrs_eq_joint},
                          [CT_EQ_TENDON] = {"tendon", &cti_attrs_eq_tendon}};
  const ctModel* m = l->m;
  const ctReal* data = m->eq_data + CT_NEQDATA * i;
  int type = m->eq_type[i], first = m->eq_obj1id[i], second = m->eq_obj2id[i];
  ctiEquality* e = cti_spec_add_equality(l->s, &l->s->plain);
  if (!e) return cti_error_memory(l->err);
  if (type < 0 || type >= CT_EQ_COUNT || !kinds[type].tag)
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "equality %d is of a kind that cannot be written", i);
  cti_lift_place(l, &e->head, CT_OBJ_EQUALITY, i, kinds[type].tag, kinds[type].attrs);
  e->type = type;
  e->active = m->eq_active0[i];
  cti_lift_reals(e->solref, m->eq_solref + CT_NREF * i, CT_NREF);
  cti_lift_reals(e->solimp, m->eq_solimp + CT_NIMP * i, CT_NIMP);
  if (type == CT_EQ_JOINT || type == CT_EQ_TENDON) {
    bool joint = type == CT_EQ_JOINT;
    int kind = joint ? CT_OBJ_JOINT : CT_OBJ_TENDON;
    cti_lift_reals(e->polycoef, data, 5);
    CT_TRY(cti_lift_refer(l, joint ? &e->joint1 : &e->tendon1, kind, first));
    return cti_lift_refer(l, joint ? &e->joint2 : &e->tendon2, kind, second);
  }
  if (type == CT_EQ_WELD) e->torquescale = (double)data[10];
  if (m->eq_objtype[i] == CT_OBJ_SITE) {
    CT_TRY(cti_lift_refer(l, &e->site1, CT_OBJ_SITE, first));
    return cti_lift_refer(l, &e->site2, CT_OBJ_SITE, second);
  }
  cti_lift_reals(e->anchor, data, 3);
  // a pose that was taken from the reference configuration is found there again
  if (type == CT_EQ_WELD && data[11] == 0) cti_lift_reals(e->relpose, data + 3, 7);
  CT_TRY(cti_lift_refer(l, &e->body1, CT_OBJ_BODY, first));
  // the world is meant when nothing is said
  return second > 0 ? cti_lift_refer(l, &e->body2, CT_OBJ_BODY, second) : CT_OK;
}

ctStatus cti_lift_equalities(ctiLift* l) {
  for (int i = 0; i < l->m->neq; i++) CT_TRY(lift_equality(l, i));
  return CT_OK;
}

// ---- tendons

static ctStatus lift_station(ctiLift* l, ctiTendon* t, int at) {
  static const struct {
    const char* tag;
    const ctiAttrTable* attrs;
    int type, object;
  } kinds[CT_WRAP_COUNT] = {[CT_WRAP_JOINT] = {"joint", &cti_attrs_wrap_joint, CT_WRAP_JOINT, CT_OBJ_JOINT},
                            [CT_WRAP_PULLEY] = {"pulley", &cti_attrs_wrap_pulley, CT_WRAP_PULLEY, 0},
                            [CT_WRAP_SITE] = {"site", &cti_attrs_wrap_site, CT_WRAP_SITE, CT_OBJ_SITE},
                            [CT_WRAP_SPHERE] = {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE, CT_OBJ_GEOM},
                            [CT_WRAP_CYLINDER] = {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE, CT_OBJ_GEOM}};
  const ctModel* m = l->m;
  int type = m->wrap_type[at];
  double prm = (double)m->wrap_prm[at];
  if (type < 0 || type >= CT_WRAP_COUNT || !kinds[type].tag)
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "station %d of a tendon is of a kind that cannot be written",
                     at);
  ctiWrap* w = CTI_NEW(l->s->region, ctiWrap);
  if (!w || cti_array_push(&t->path, l->s->in_region, w) != CT_OK) return cti_error_memory(l->err);
  w->head = (ctiElement){.tag = kinds[type].tag, .attrs = kinds[type].attrs, .parent = &t->head};
  w->type = kinds[type].type;
  if (kinds[type].object) CT_TRY(cti_lift_refer(l, &w->object, kinds[type].object, m->wrap_objid[at]));
  if (kinds[type].object == CT_OBJ_GEOM) return cti_lift_refer(l, &w->sidesite, CT_OBJ_SITE, (int)prm);
  w->value = prm;
  return CT_OK;
}

// Only a default class can say how a fixed tendon is drawn.
static ctStatus class_for_drawing(ctiLift* l, ctiTendon* t, int i) {
  const ctiTendon* plain = &l->s->plain.tendon;
  bool same = t->width == plain->width && memcmp(t->rgba, plain->rgba, sizeof(t->rgba)) == 0 && !t->material;
  if (t->type != CT_TENDON_FIXED || same) return CT_OK;
  ctiClass* c = cti_lift_class(l, &t->head, "tendon", i);
  if (!c) return cti_error_memory(l->err);
  c->tendon.width = t->width;
  c->tendon.material = t->material;
  memcpy(c->tendon.rgba, t->rgba, sizeof(t->rgba));
  return CT_OK;
}

static ctStatus lift_tendon(ctiLift* l, int i) {
  const ctModel* m = l->m;
  bool fixed = m->tendon_type[i] == CT_TENDON_FIXED;
  ctiTendon* t = cti_spec_add_tendon(l->s, &l->s->plain);
  if (!t) return cti_error_memory(l->err);
  cti_lift_place(l, &t->head, CT_OBJ_TENDON, i, fixed ? "fixed" : "spatial",
                 fixed ? &cti_attrs_fixed : &cti_attrs_spatial);
  t->type = m->tendon_type[i];
  t->group = m->tendon_group[i];
  t->limited = cti_lift_limited(m->tendon_limited[i], m->tendon_range + 2 * i);
  t->actfrclimited = cti_lift_limited(m->tendon_actfrclimited[i], m->tendon_actfrcrange + 2 * i);
  cti_lift_reals(t->range, m->tendon_range + 2 * i, 2);
  cti_lift_reals(t->actfrcrange, m->tendon_actfrcrange + 2 * i, 2);
  cti_lift_reals(t->springlength, m->tendon_lengthspring + 2 * i, 2);
  cti_lift_reals(t->solref_limit, m->tendon_solref_lim + CT_NREF * i, CT_NREF);
  cti_lift_reals(t->solimp_limit, m->tendon_solimp_lim + CT_NIMP * i, CT_NIMP);
  cti_lift_reals(t->solref_friction, m->tendon_solref_fri + CT_NREF * i, CT_NREF);
  cti_lift_reals(t->solimp_friction, m->tendon_solimp_fri + CT_NIMP * i, CT_NIMP);
  t->frictionloss = (double)m->tendon_frictionloss[i];
  t->springyield = (double)m->tendon_springyield[i];
  t->width = (double)m->tendon_width[i];
  t->margin = (double)m->tendon_margin[i];
  t->armature = (double)m->tendon_armature[i];
  t->stiffness[0] = (double)m->tendon_stiffness[i];
  t->damping[0] = (double)m->tendon_damping[i];
  cti_lift_reals(t->stiffness + 1, m->tendon_stiffnesspoly + CT_NPOLY * i, CT_NPOLY);
  cti_lift_reals(t->damping + 1, m->tendon_dampingpoly + CT_NPOLY * i, CT_NPOLY);
  memcpy(t->rgba, m->tendon_rgba + 4 * i, sizeof(t->rgba));
  CT_TRY(cti_lift_refer(l, &t->material, CT_OBJ_MATERIAL, m->tendon_matid[i]));
  for (int k = 0; k < m->tendon_num[i]; k++) CT_TRY(lift_station(l, t, m->tendon_adr[i] + k));
  CT_TRY(class_for_drawing(l, t, i));
  return cti_lift_user(l, &t->user, m->tendon_user, i, m->nuser_tendon);
}

ctStatus cti_lift_tendons(ctiLift* l) {
  for (int i = 0; i < l->m->ntendon; i++) CT_TRY(lift_tendon(l, i));
  return CT_OK;
}

// ---- custom data

static ctStatus lift_tuple(ctiLift* l, int i) {
  const ctModel* m = l->m;
  ctiTuple* t = cti_spec_add_to_tuples(l->s);
  if (!t || !cti_lift_ref(l, CT_OBJ_TUPLE, i)) return cti_error_memory(l->err);
  cti_lift_place(l, &t->head, CT_OBJ_TUPLE, i, "tuple", &cti_attrs_tuple);
  for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
    ctiTupleItem* item = CTI_NEW(l->s->region, ctiTupleItem);
    if (!item || cti_array_push(&t->items, l->s->in_region, item) != CT_OK) return cti_error_memory(l->err);
    item->head = (ctiElement){.tag = "element", .attrs = &cti_attrs_tuple_item, .parent = &t->head};
    item->objtype = cti_object_word((ctObjType)m->tuple_objtype[k]);
    item->prm = (double)m->tuple_objprm[k];
    CT_TRY(cti_lift_refer(l, &item->objname, m->tuple_objtype[k], m->tuple_objid[k]));
  }
  return CT_OK;
}

ctStatus cti_lift_custom(ctiLift* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nnumeric; i++) {
    ctiNumeric* n = cti_spec_add_to_numerics(l->s);
    if (!n || !cti_lift_ref(l, CT_OBJ_NUMERIC, i)) return cti_error_memory(l->err);
    cti_lift_place(l, &n->head, CT_OBJ_NUMERIC, i, "numeric", &cti_attrs_numeric);
    n->size = m->numeric_size[i];
    CT_TRY(cti_lift_list(l, &n->data, m->numeric_data + m->numeric_adr[i], n->size));
  }
  for (int i = 0; i < m->ntext; i++) {
    ctiText* t = cti_spec_add_to_texts(l->s);
    if (!t || !cti_lift_ref(l, CT_OBJ_TEXT, i)) return cti_error_memory(l->err);
    cti_lift_place(l, &t->head, CT_OBJ_TEXT, i, "text", &cti_attrs_text);
    CT_TRY(cti_lift_text(l, &t->data, m->text_data + m->text_adr[i]));
  }
  for (int i = 0; i < m->ntuple; i++) CT_TRY(lift_tuple(l, i));
  return CT_OK;
}

// ---- keyframes

ctStatus cti_lift_keyframes(ctiLift* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nkey; i++) {
    ctiKey* k = cti_spec_add_to_keys(l->s);
    if (!k) return cti_error_memory(l->err);
    cti_lift_place(l, &k->head, CT_OBJ_KEY, i, "key", &cti_attrs_key);
    k->time = (double)m->key_time[i];
    CT_TRY(cti_lift_list(l, &k->qpos, m->key_qpos + i * m->nq, m->nq));
    CT_TRY(cti_lift_list(l, &k->qvel, m->key_qvel + i * m->nv, m->nv));
    CT_TRY(cti_lift_list(l, &k->act, m->key_act + i * m->na, m->na));
    CT_TRY(cti_lift_list(l, &k->ctrl, m->key_ctrl + i * m->nu, m->nu));
    CT_TRY(cti_lift_list(l, &k->mpos, m->key_mpos + 3 * i * m->nmocap, 3 * m->nmocap));
    CT_TRY(cti_lift_list(l, &k->mquat, m->key_mquat + 4 * i * m->nmocap, 4 * m->nmocap));
    CT_TRY(cti_lift_list(l, &k->plastic, m->key_plastic + i * m->nplastic, m->nplastic));
  }
  return CT_OK;
}
