// The sizes of the model: how they grow by what elements ask for, and the block they lead to.
#include <limits.h>

#include "compile/build.h"
#include "data/data.h"
#include "model/binary.h"
#include "model/fields.h"

// ---- growth

ctStatus cti_grow(ctiBuild* b, int64_t have, int64_t more, size_t unit, const char* name,
                  const ctiElement* e) {
  if (more < 0)
    return cti_spec_error(b->err, CT_ERR_LIMIT, e, "asks for %lld in %s: it must not be negative",
                          (long long)more, name);
  if (cti_size_add(have, more) > INT_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, e,
                          "asks for %lld more in %s, which has %lld: a model can have at most %d",
                          (long long)more, name, (long long)have, INT_MAX);
  size_t bytes = (size_t)more * unit;
  if (!cti_budget_allows(&b->budget, b->asked + bytes)) {
    b->budget.refused = bytes;
    return cti_spec_no_memory(b->err, &b->budget, e);
  }
  b->asked += bytes;
  return CT_OK;
}

// What <size> asks for: numbers there are at least -1, which stands for "not given".
static ctStatus check_given(ctiBuild* b) {
  const ctiSize* s = &b->spec->size;
#define GIVEN(name)                                                                                          \
  if (s->name < -1)                                                                                          \
    return cti_spec_error(b->err, CT_ERR_INVALID, &b->spec->size.head, #name " must be at least -1, not %d", \
                          s->name);
  GIVEN(njmax)
  GIVEN(nconmax)
  GIVEN(nstack)
  GIVEN(nuser_body)
  GIVEN(nuser_jnt)
  GIVEN(nuser_geom)
  GIVEN(nuser_site)
  GIVEN(nuser_cam)
  GIVEN(nuser_tendon)
  GIVEN(nuser_actuator)
  GIVEN(nuser_sensor)
#undef GIVEN
  return CT_OK;
}

// ---- columns of users

// Columns of a user array: the size given in <size>, or the longest list met.
static ctStatus count_user(ctiBuild* b, int* out, int given, const ctiReals* user, const ctiElement* e) {
  if (given >= 0) *out = given;
  if (given >= 0 && user->count > given) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "user has %d numbers, but <size> allows %d", user->count,
                          given);
  }
  if (user->count > *out) *out = user->count;
  return CT_OK;
}

static ctStatus count_users(ctiBuild* b) {
  ctModel* n = &b->sizes;
  const ctiSize* s = &b->spec->size;
  const ctiReals none = {0};
  CT_TRY(count_user(b, &n->nuser_body, s->nuser_body, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_jnt, s->nuser_jnt, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_geom, s->nuser_geom, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_site, s->nuser_site, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_cam, s->nuser_cam, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_tendon, s->nuser_tendon, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_actuator, s->nuser_actuator, &none, &b->spec->size.head));
  CT_TRY(count_user(b, &n->nuser_sensor, s->nuser_sensor, &none, &b->spec->size.head));
#define COUNT(number, list, size)                                                             \
  for (int i = 0; i < n->number; i++) {                                                       \
    CT_TRY(count_user(b, &n->size, s->size, &b->list[i].spec->user, &b->list[i].spec->head)); \
  }
  COUNT(nbody, body, nuser_body)
  COUNT(njnt, joint, nuser_jnt)
  COUNT(ngeom, geom, nuser_geom)
  COUNT(nsite, site, nuser_site)
  COUNT(ncam, camera, nuser_cam)
  COUNT(ntendon, tendon, nuser_tendon)
  COUNT(nactuator, actuator, nuser_actuator)
  COUNT(nsensor, sensor, nuser_sensor)
#undef COUNT
  return CT_OK;
}

// Springs that yield remember where they rest: joints first, then tendons and deformables.
static ctStatus count_plastic(ctiBuild* b) {
  const ctModel* n = &b->sizes;
  for (int i = 0; i < n->njnt; i++) {
    const ctiJoint* s = b->joint[i].spec;
    b->joint[i].plastic = s->springyield > 0 ? n->nplastic : -1;
    if (s->springyield > 0) CT_TRY(CTI_GROW(b, nplastic, s->type == CT_JOINT_BALL ? 4 : 1, &s->head));
  }
  for (int i = 0; i < n->ntendon; i++) {
    const ctiTendon* s = b->tendon[i].spec;
    b->tendon[i].plastic = s->springyield > 0 ? n->nplastic : -1;
    if (s->springyield > 0) CT_TRY(CTI_GROW(b, nplastic, 2, &s->head));
  }
  for (int i = 0; i < n->nflex; i++) {
    ctiBuildFlex* flex = &b->flex[i];
    flex->plasticadr = flex->nplastic > 0 ? n->nplastic : -1;
    CT_TRY(CTI_GROW(b, nplastic, flex->nplastic, &flex->spec->head));
  }
  return CT_OK;
}

// A tree of boxes for every body with geoms: one leaf a geom, joined in pairs.
static ctStatus count_boxes(ctiBuild* b) {
  for (int i = 0; i < b->sizes.nbody; i++) {
    int64_t leaves = 0;
    for (int g = b->body[i].geomadr; g < b->body[i].geomadr + b->body[i].geomnum; g++) {
      leaves += cti_geom_collides(b->geom[g].spec->contype, b->geom[g].spec->conaffinity);
    }
    if (leaves > 0) CT_TRY(CTI_GROW(b, nbvhstatic, 2 * leaves - 1, &b->body[i].spec->head));
  }
  CT_TRY(CTI_GROW(b, nbvh, b->sizes.nbvhstatic, &b->spec->size.head));
  CT_TRY(CTI_GROW(b, nbvh, b->sizes.nbvhdynamic, &b->spec->size.head));
  return CT_OK;
}

// The model, and a data of it, within what loading may take: the field that takes most is named.
static ctStatus check_bytes(ctiBuild* b) {
  ctiLargest largest = {0};
  const char* wrong = cti_sizes_check(&b->sizes);
  if (wrong)
    return cti_spec_error(b->err, CT_ERR_INVALID, &b->spec->size.head, "a model cannot have this %s", wrong);
  int64_t bytes = cti_model_measure(&b->sizes, &largest), data = cti_data_measure(&b->sizes, &largest);
  const ctiElement* top = &b->spec->world->head;
  if (largest.elements > INT_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, top, "the field %s would have %lld elements: at most %d",
                          largest.name, (long long)largest.elements, INT_MAX);
  if (cti_budget_allows(&b->budget, (size_t)cti_size_add(bytes, data))) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_LIMIT, top,
                        "the model takes %.1f MiB and its data %.1f MiB, most of it for %s, and loading may "
                        "take %.1f MiB in all; max_memory of the load options allows more",
                        (double)bytes / 1048576.0, (double)data / 1048576.0, largest.name,
                        (double)b->budget.limit / 1048576.0);
}

ctStatus cti_pass_allocate(ctiBuild* b) {
  ctModel* n = &b->sizes;
  CT_TRY(check_given(b));
  CT_TRY(count_users(b));
  CT_TRY(cti_count_sparsity(b));
  CT_TRY(cti_count_names(b));
  CT_TRY(cti_count_custom(b));
  CT_TRY(count_boxes(b));
  CT_TRY(cti_count_paths(b));
  CT_TRY(CTI_GROW(b, nuserdata, b->spec->size.nuserdata, &b->spec->size.head));
  for (int i = 0; i < n->nbody; i++)
    CT_TRY(CTI_GROW(b, ngravcomp, b->body[i].spec->gravcomp > 0, &b->body[i].spec->head));
  CT_TRY(count_plastic(b));
  n->njmax = b->spec->size.njmax;
  n->nconmax = b->spec->size.nconmax;
  CT_TRY(check_bytes(b));
  CT_TRY(cti_model_alloc(&b->m, n, &b->spec->allocator, b->err));
  b->m->max_arena = b->spec->max_arena;
  b->m->opt = b->spec->option;
  b->m->vis = b->spec->visual;
  return CT_OK;
}
