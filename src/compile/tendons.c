// Tendons: the stations of each path, and the dofs that can move it.
#include "compile/build.h"

static ctStatus find_station(const ctiBuild* b, const ctiTendon* t, const ctiWrap* w, int* type, int* object,
                             ctReal* value) {
  *type = w->type;
  *object = -1;
  *value = (ctReal)w->value;
  switch (w->type) {
    case CT_WRAP_JOINT: return cti_find_object(object, b, CT_OBJ_JOINT, w->object, &w->head);
    case CT_WRAP_SITE: return cti_find_object(object, b, CT_OBJ_SITE, w->object, &w->head);
    case CT_WRAP_PULLEY: return CT_OK;
    default: break;
  }
  CT_TRY(cti_find_object(object, b, CT_OBJ_GEOM, w->object, &w->head));
  int shape = b->geom[*object].spec->type, side = -1;
  if (shape != CT_GEOM_SPHERE && shape != CT_GEOM_CYLINDER) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &w->head,
                          "tendon \"%s\" can wrap around spheres and cylinders only, and \"%s\" is neither",
                          t->head.name ? t->head.name : "", w->object);
  }
  *type = shape == CT_GEOM_SPHERE ? CT_WRAP_SPHERE : CT_WRAP_CYLINDER;
  if (w->sidesite) CT_TRY(cti_find_object(&side, b, CT_OBJ_SITE, w->sidesite, &w->head));
  *value = (ctReal)side;
  return CT_OK;
}

// Order of stations: a path is made of segments between sites, geoms stand between two of them.
static ctStatus check_path(const ctiBuild* b, const ctiTendon* t) {
  int n = t->path.count;
  if (n == 0) return cti_spec_error(b->err, CT_ERR_INVALID, &t->head, "the path is empty");
  if (t->type == CT_TENDON_FIXED) return CT_OK;
#define TYPE(i) ((i) >= 0 && (i) < n ? t->path.data[i]->type : CT_WRAP_PULLEY)
  for (int i = 0; i < n; i++) {
    const ctiElement* e = &t->path.data[i]->head;
    bool geom = TYPE(i) == CT_WRAP_SPHERE, site = TYPE(i) == CT_WRAP_SITE;
    if (geom && (TYPE(i - 1) != CT_WRAP_SITE || TYPE(i + 1) != CT_WRAP_SITE)) {
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a wrapping geom must stand between two sites");
    }
    if (site && TYPE(i - 1) == CT_WRAP_PULLEY && TYPE(i + 1) == CT_WRAP_PULLEY) {
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a branch of a tendon needs at least two sites");
    }
  }
#undef TYPE
  return CT_OK;
}

static void mark_ancestors(const ctiBuild* b, bool* moved, int body) {
  while (body > 0 && b->body[body].dofnum == 0) body = b->body[body].parent;
  if (body == 0) return;
  for (int d = b->body[body].dofadr + b->body[body].dofnum - 1; d >= 0; d = b->dof[d].parent) moved[d] = true;
}

static ctStatus mark_fixed(const ctiBuild* b, bool* moved, const ctiWrap* w, int joint) {
  const ctiBuildJoint* j = &b->joint[joint];
  if (j->spec->type == CT_JOINT_BALL || j->spec->type == CT_JOINT_FREE) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &w->head,
                          "a fixed tendon takes slide and hinge joints only");
  }
  if (moved[j->dofadr])
    return cti_spec_error(b->err, CT_ERR_INVALID, &w->head, "this joint is in the tendon twice");
  moved[j->dofadr] = true;
  return CT_OK;
}

// Trees in the order in which the path meets them; only the first two are kept.
static void note_tree(ctiBuildTendon* t, int tree, bool* met) {
  if (tree < 0 || met[tree]) return;
  met[tree] = true;
  if (t->ntree < 2) t->trees[t->ntree] = tree;
  t->ntree++;
}

// `moved`: nv flags, `met`: ntree flags of scratch.
static ctStatus trace_path(ctiBuild* b, ctiBuildTendon* t, bool* moved, bool* met) {
  for (int d = 0; d < b->sizes.nv; d++) moved[d] = false;
  for (int k = 0; k < b->sizes.ntree; k++) met[k] = false;
  t->trees[0] = t->trees[1] = -1;
  for (int i = 0; i < t->spec->path.count; i++) {
    const ctiWrap* w = t->spec->path.data[i];
    int type, object, body = -1;
    ctReal value;
    CT_TRY(find_station(b, t->spec, w, &type, &object, &value));
    if (type == CT_WRAP_PULLEY) continue;
    if (type == CT_WRAP_JOINT) {
      CT_TRY(mark_fixed(b, moved, w, object));
      body = b->joint[object].body;
    } else {
      body = type == CT_WRAP_SITE ? b->site[object].body : b->geom[object].body;
      mark_ancestors(b, moved, body);
    }
    note_tree(t, b->body[body].tree, met);
  }
  for (int d = 0; d < b->sizes.nv; d++) t->ndof += moved[d];
  t->dofs = CTI_NEW_ARRAY(b->region, int, t->ndof);
  if (!t->dofs) return cti_error_memory(b->err);
  int n = 0;
  for (int d = 0; d < b->sizes.nv; d++) {
    if (moved[d]) t->dofs[n++] = d;
  }
  return CT_OK;
}

static void couple_body(ctiBuild* b, int id) {
  ctiBuildBody* body = &b->body[id];
  body->simple = 0;
  for (int d = body->dofadr; d < body->dofadr + body->dofnum; d++) b->dof[d].simple = false;
}

// The bodies whose dofs move it, and those it is fastened to.
void cti_couple_tendon(ctiBuild* b, int tendon) {
  const ctiBuildTendon* t = &b->tendon[tendon];
  for (int k = 0; k < t->ndof; k++) couple_body(b, b->dof[t->dofs[k]].body);
  for (int i = 0; i < t->spec->path.count; i++) {
    const ctiWrap* w = t->spec->path.data[i];
    if (w->type == CT_WRAP_SITE)
      couple_body(b, b->site[cti_names_find(&b->names[CT_OBJ_SITE], w->object)].body);
    if (w->type == CT_WRAP_SPHERE)
      couple_body(b, b->geom[cti_names_find(&b->names[CT_OBJ_GEOM], w->object)].body);
  }
}

static ctStatus check_numbers(const ctiBuild* b, const ctiBuildTendon* t) {
  const ctiTendon* s = t->spec;
  const char* wrong = NULL;
  bool wraps = false;
  for (int i = 0; i < s->path.count; i++) wraps = wraps || s->path.data[i]->type == CT_WRAP_SPHERE;
  if (s->armature < 0) wrong = "armature must not be negative";
  if (s->armature != 0 && wraps)
    wrong = "a tendon with armature cannot wrap around geoms: take one of them away";
  if (t->actfrclimited && (s->actfrcrange[0] > 0 || s->actfrcrange[1] < 0))
    wrong = "actuatorfrcrange must contain 0: no force at all is always allowed";
  if (s->springlength[0] > s->springlength[1])
    wrong = "the first number of springlength must not be above the second: the spring rests between them";
  return wrong ? cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "%s", wrong) : CT_OK;
}

ctStatus cti_pass_tendons(ctiBuild* b) {
  int n = b->spec->tendons.count;
  b->tendon = CTI_NEW_ARRAY(b->region, ctiBuildTendon, n);
  bool *moved = CTI_NEW_ARRAY(b->region, bool, b->sizes.nv),
       *met = CTI_NEW_ARRAY(b->region, bool, b->sizes.ntree);
  if (!b->tendon || !moved || !met) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    ctiBuildTendon* t = &b->tendon[i];
    t->spec = b->spec->tendons.data[i];
    t->adr = b->sizes.nwrap;
    CT_TRY(CTI_GROW(b, nwrap, t->spec->path.count, &t->spec->head));
    CT_TRY(check_path(b, t->spec));
    CT_TRY(trace_path(b, t, moved, met));
    if (t->spec->armature != 0) cti_couple_tendon(b, i);
    CT_TRY(CTI_GROW(b, nJten, t->ndof, &t->spec->head));
    CT_TRY(cti_resolve_limited(&t->limited, b, t->spec->limited, t->spec->range, &t->spec->head, ""));
    CT_TRY(cti_resolve_limited(&t->actfrclimited, b, t->spec->actfrclimited, t->spec->actfrcrange,
                               &t->spec->head, "actuatorfrc"));
    CT_TRY(check_numbers(b, t));
  }
  return CT_OK;
}

ctStatus cti_pass_fill_tendons(ctiBuild* b) {
  ctModel* m = b->m;
  int adr = 0;
  for (int i = 0; i < m->ntendon; i++) {
    const ctiBuildTendon* t = &b->tendon[i];
    const ctiTendon* s = t->spec;
    m->tendon_type[i] = s->type;
    m->tendon_adr[i] = t->adr;
    m->tendon_num[i] = s->path.count;
    m->tendon_matid[i] = -1;
    if (s->material) CT_TRY(cti_find_object(&m->tendon_matid[i], b, CT_OBJ_MATERIAL, s->material, &s->head));
    m->tendon_plasticadr[i] = t->plastic;
    m->tendon_group[i] = s->group;
    m->tendon_treenum[i] = t->ntree;
    for (int k = 0; k < 2; k++) {
      m->tendon_treeid[2 * i + k] = t->trees[k];
      m->tendon_range[2 * i + k] = (ctReal)s->range[k];
      m->tendon_actfrcrange[2 * i + k] = (ctReal)s->actfrcrange[k];
      m->tendon_lengthspring[2 * i + k] = (ctReal)s->springlength[k];
    }
    m->ten_J_rowadr[i] = adr;
    m->ten_J_rownnz[i] = t->ndof;
    for (int k = 0; k < t->ndof; k++) m->ten_J_colind[adr++] = t->dofs[k];
    m->tendon_limited[i] = t->limited;
    m->tendon_actfrclimited[i] = t->actfrclimited;
    m->tendon_width[i] = (ctReal)s->width;
    cti_to_real(m->tendon_solref_lim + CT_NREF * i, s->solref_limit, CT_NREF);
    cti_to_real(m->tendon_solimp_lim + CT_NIMP * i, s->solimp_limit, CT_NIMP);
    cti_to_real(m->tendon_solref_fri + CT_NREF * i, s->solref_friction, CT_NREF);
    cti_to_real(m->tendon_solimp_fri + CT_NIMP * i, s->solimp_friction, CT_NIMP);
    m->tendon_margin[i] = (ctReal)s->margin;
    m->tendon_stiffness[i] = (ctReal)s->stiffness[0];
    cti_to_real(m->tendon_stiffnesspoly + CT_NPOLY * i, s->stiffness + 1, CT_NPOLY);
    m->tendon_damping[i] = (ctReal)s->damping[0];
    cti_to_real(m->tendon_dampingpoly + CT_NPOLY * i, s->damping + 1, CT_NPOLY);
    m->tendon_armature[i] = (ctReal)s->armature;
    m->tendon_frictionloss[i] = (ctReal)s->frictionloss;
    m->tendon_springyield[i] = (ctReal)s->springyield;
    for (int k = 0; k < 4; k++) m->tendon_rgba[4 * i + k] = s->rgba[k];
    for (int k = 0; k < m->nuser_tendon; k++)
      m->tendon_user[i * m->nuser_tendon + k] = k < s->user.count ? (ctReal)s->user.data[k] : 0;
    for (int k = 0; k < s->path.count; k++) {
      int at = t->adr + k;
      CT_TRY(find_station(b, s, s->path.data[k], &m->wrap_type[at], &m->wrap_objid[at], &m->wrap_prm[at]));
    }
  }
  return CT_OK;
}
