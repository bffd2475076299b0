// Contact pairs, excluded body pairs and equality constraints.
#include "base/kinds.h"
#include "compile/build.h"

static int signature(int body1, int body2) {
  return body1 < body2 ? (body1 << 16) + body2 : (body2 << 16) + body1;
}

// Stable, by signature: few elements, nearly sorted.
#define SORT_BY_SIGNATURE(type, array, n)                                                               \
  for (int i_ = 1; i_ < (n); i_++) {                                                                    \
    type moved_ = (array)[i_];                                                                          \
    int k_ = i_;                                                                                        \
    for (; k_ > 0 && (array)[k_ - 1].signature > moved_.signature; k_--) (array)[k_] = (array)[k_ - 1]; \
    (array)[k_] = moved_;                                                                               \
  }

ctStatus cti_pass_contacts(ctiBuild* b) {
  const ctSpec* s = b->spec;
  b->pair = CTI_NEW_ARRAY(b->region, ctiBuildPair, s->pairs.count);
  b->exclude = CTI_NEW_ARRAY(b->region, ctiBuildExclude, s->excludes.count);
  if (!b->pair || !b->exclude) return cti_error_memory(b->err);
  for (int i = 0; i < s->pairs.count; i++) {
    ctiBuildPair* p = &b->pair[i];
    p->spec = s->pairs.data[i];
    CT_TRY(cti_check_condim(b, p->spec->condim, &p->spec->head));
    CT_TRY(cti_find_object(&p->geom1, b, CT_OBJ_GEOM, p->spec->geom1, &p->spec->head));
    CT_TRY(cti_find_object(&p->geom2, b, CT_OBJ_GEOM, p->spec->geom2, &p->spec->head));
    // the geom of the lower body comes first
    if (b->geom[p->geom1].body > b->geom[p->geom2].body) {
      int swap = p->geom1;
      p->geom1 = p->geom2;
      p->geom2 = swap;
    }
    p->signature = signature(b->geom[p->geom1].body, b->geom[p->geom2].body);
  }
  // room for the rows of all equalities; a weld has a quaternion's worth
  static const int rows[CT_EQ_COUNT] = {[CT_EQ_CONNECT] = 3, [CT_EQ_WELD] = 7, [CT_EQ_JOINT] = 1,
                                        [CT_EQ_TENDON] = 1,  [CT_EQ_FLEX] = 1, [CT_EQ_FLEXSTRAIN] = 1};
  for (int i = 0; i < s->equalities.count; i++)
    CT_TRY(CTI_GROW(b, nemax, rows[s->equalities.data[i]->type], &s->equalities.data[i]->head));
  for (int i = 0; i < s->excludes.count; i++) {
    ctiBuildExclude* x = &b->exclude[i];
    x->spec = s->excludes.data[i];
    int body1, body2;
    CT_TRY(cti_find_object(&body1, b, CT_OBJ_BODY, x->spec->body1, &x->spec->head));
    CT_TRY(cti_find_object(&body2, b, CT_OBJ_BODY, x->spec->body2, &x->spec->head));
    x->signature = signature(body1, body2);
  }
  SORT_BY_SIGNATURE(ctiBuildPair, b->pair, s->pairs.count)
  SORT_BY_SIGNATURE(ctiBuildExclude, b->exclude, s->excludes.count)
  return CT_OK;
}

static void fill_pair(ctModel* m, const ctiBuildPair* p, int i) {
  const ctiContactPair* s = p->spec;
  m->pair_dim[i] = s->condim;
  m->pair_geom1[i] = p->geom1;
  m->pair_geom2[i] = p->geom2;
  m->pair_signature[i] = p->signature;
  cti_to_real(m->pair_solref + CT_NREF * i, s->solref, CT_NREF);
  cti_to_real(m->pair_solreffriction + CT_NREF * i, s->solreffriction, CT_NREF);
  cti_to_real(m->pair_solimp + CT_NIMP * i, s->solimp, CT_NIMP);
  m->pair_margin[i] = (ctReal)s->margin;
  m->pair_gap[i] = (ctReal)s->gap;
  m->pair_adhesion[i] = (ctReal)s->adhesion;
  cti_to_real(m->pair_friction + 5 * i, s->friction, 5);
}

// The two objects of an equality: by the names its kind uses. The second may be missing: the world, or
// nothing.
static ctStatus find_objects(const ctiBuild* b, const ctiEquality* s, int* type, int* first, int* second) {
  const char *name1 = s->body1, *name2 = s->body2;
  *type = CT_OBJ_BODY;
  *second = 0;
  if (s->type == CT_EQ_JOINT) {
    name1 = s->joint1;
    name2 = s->joint2;
    *type = CT_OBJ_JOINT;
    *second = -1;
  } else if (s->type == CT_EQ_TENDON) {
    name1 = s->tendon1;
    name2 = s->tendon2;
    *type = CT_OBJ_TENDON;
    *second = -1;
  } else if (s->type == CT_EQ_FLEX || s->type == CT_EQ_FLEXSTRAIN) {
    name1 = s->flex;
    name2 = NULL;
    *type = CT_OBJ_FLEX;
    *second = -1;
  } else if (s->site1) {
    name1 = s->site1;
    name2 = s->site2;
    *type = CT_OBJ_SITE;
  }
  CT_TRY(cti_find_object(first, b, (ctObjType)*type, name1, &s->head));
  return name2 ? cti_find_object(second, b, (ctObjType)*type, name2, &s->head) : CT_OK;
}

static ctStatus fill_equality(const ctiBuild* b, ctModel* m, int i) {
  const ctiEquality* s = b->spec->equalities.data[i];
  ctReal* data = m->eq_data + CT_NEQDATA * i;
  CT_TRY(find_objects(b, s, &m->eq_objtype[i], &m->eq_obj1id[i], &m->eq_obj2id[i]));
  // the kind says it all where there is no choice
  if (s->type != CT_EQ_CONNECT && s->type != CT_EQ_WELD) m->eq_objtype[i] = CT_OBJ_UNKNOWN;
  m->eq_type[i] = s->type;
  m->eq_active0[i] = s->active;
  cti_to_real(m->eq_solref + CT_NREF * i, s->solref, CT_NREF);
  cti_to_real(m->eq_solimp + CT_NIMP * i, s->solimp, CT_NIMP);
  // what a kind does not use keeps the defaults of the format: 1 as the second number and as the torque scale
  data[1] = 1;
  data[10] = (ctReal)s->torquescale;
  switch (s->type) {
    case CT_EQ_CONNECT:
      cti_to_real(data, s->anchor, 3);
      if (s->site1) data[10] = 0;
      break;
    case CT_EQ_WELD:
      if (s->site1) break;
      cti_to_real(data, s->anchor, 3);
      cti_to_real(data + 3, s->relpose, 7);
      break;
    case CT_EQ_FLEX: break;
    case CT_EQ_FLEXSTRAIN: cti_to_real(data, s->cell, 3); break;
    default: cti_to_real(data, s->polycoef, 5);
  }
  if (s->type == CT_EQ_JOINT) {
    for (int k = 0; k < 2; k++) {
      int j = k == 0 ? m->eq_obj1id[i] : m->eq_obj2id[i];
      bool scalar = j < 0 || cti_joint_is_scalar(b->joint[j].spec->type);
      if (!scalar)
        return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "only slide and hinge joints can be coupled");
    }
  }
  return CT_OK;
}

ctStatus cti_pass_fill_constraints(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->npair; i++) fill_pair(m, &b->pair[i], i);
  for (int i = 0; i < m->nexclude; i++) m->exclude_signature[i] = b->exclude[i].signature;
  for (int i = 0; i < m->neq; i++) CT_TRY(fill_equality(b, m, i));
  return CT_OK;
}
