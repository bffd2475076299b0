#include "compile/simplify.h"

#include <math.h>
#include <string.h>

#include "compile/scale.h"
#include "spec/attrs.h"
#include "spec/walk.h"

ctStatus cti_build_inertias(ctiBuild* b, ctSpec* spec, ctError* err) {
  *b = (ctiBuild){.spec = spec, .err = err, .region = cti_region_create(&spec->allocator)};
  if (!b->region) return cti_error_memory(err);
  const double total = spec->compiler.settotalmass;
  spec->compiler.settotalmass = -1;
  ctStatus status = cti_run_passes_to(b, "inertia");
  spec->compiler.settotalmass = total;
  return status;
}

static ctStatus note(void* context, const ctiAttr* row, int kind, void* at) {
  ctiNameMap* names = (ctiNameMap*)context;
  const char* name = row->type == CTI_ATTR_NAME ? *(const char**)at : NULL;
  bool looks = (kind == CT_OBJ_MATERIAL || kind == CT_OBJ_TEXTURE) && strcmp(row->name, "objname") != 0;
  if (!name || kind <= 0 || looks) return CT_OK;
  return cti_names_add(&names[kind], name, 1) == CT_ERR_MEMORY ? CT_ERR_MEMORY : CT_OK;
}

ctiNameMap* cti_referred_names(const ctSpec* spec, ctiRegion* region) {
  ctiNameMap* names = CTI_NEW_ARRAY(region, ctiNameMap, CT_OBJ_COUNT);
  int n;
  ctiBody** bodies = cti_spec_bodies(spec->world, region, &n);
  if (!names || !bodies) return NULL;
  for (int i = 0; i < CT_OBJ_COUNT; i++) cti_names_init(&names[i], cti_region_allocator(region));
  ctStatus status = CT_OK;
#define VISIT(list)                                         \
  for (int i = 0; i < (list).count && status == CT_OK; i++) \
    status = cti_visit_element(&(list).data[i]->head, note, names);
#define X(record, list, kind) VISIT(spec->list)
  CTI_REFERRING_LISTS(X)
#undef X
  for (int k = 0; k < n; k++) {
    VISIT(bodies[k]->cameras)
    VISIT(bodies[k]->lights)
  }
#undef VISIT
  return status == CT_OK ? names : NULL;
}

void cti_set_inertial(ctiBody* body, const ctiElement* like, ctReal mass, const ctReal pos[3],
                      const ctReal quat[4], const ctReal inertia[3]) {
  ctiInertial* s = &body->inertial;
  s->head = (ctiElement){
      .tag = "inertial", .where = like->where, .parent = &body->head, .attrs = &cti_attrs_inertial};
  s->head.compiler = body->head.compiler;
  s->mass = (double)mass;
  s->fullinertia[0] = NAN;
  s->orient.form = CTI_ORIENT_QUAT;
  for (int i = 0; i < 4; i++) s->orient.quat[i] = (double)quat[i];
  for (int i = 0; i < 3; i++) {
    s->pos[i] = (double)pos[i];
    s->diaginertia[i] = (double)inertia[i];
  }
  body->has_inertial = true;
}

ctStatus cti_simplified(ctSpec** out, const ctSpec* spec, ctError* err) {
  *out = NULL;
  bool scaled;
  CT_TRY(cti_spec_is_scaled(&scaled, spec, err));
  if (!spec->compiler.fusestatic && !spec->compiler.discardvisual && !scaled) return CT_OK;
  ctSpec* copy;
  CT_TRY(ct_spec_copy(&copy, spec, err));
  copy->log = spec->log;
  copy->compiler.fusestatic = copy->compiler.discardvisual = false;
  ctStatus status = scaled ? cti_scale_spec(copy, err) : CT_OK;
  if (status == CT_OK && spec->compiler.discardvisual) status = ct_spec_discard_visual(copy, NULL, err);
  if (status == CT_OK && spec->compiler.fusestatic) status = ct_spec_fuse_static(copy, NULL, err);
  if (status != CT_OK) {
    ct_spec_free(copy);
    return status;
  }
  *out = copy;
  return CT_OK;
}
