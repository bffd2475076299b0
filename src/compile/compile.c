// Spec -> model: the passes one after another.
#include "base/alloc.h"
#include "base/error.h"
#include "base/kinds.h"
#include "compile/build.h"
#include "corten/spec.h"
#include "math/dense.h"
#include "model/binary.h"

// The compiler, pass by pass.
static const struct {
  const char* name;
  ctStatus (*run)(ctiBuild* b);
} passes[] = {
#define X(name) {#name, cti_pass_##name},
    CTI_PASSES(X)
#undef X
};

ctStatus cti_run_passes_to(ctiBuild* b, const char* last) {
  for (int i = 0; i < CT_COUNT_OF(passes); i++) {
    CT_TRY(passes[i].run(b));
    if (cti_text_equal(passes[i].name, last)) break;
  }
  return CT_OK;
}

ctStatus cti_build_begin(ctiBuild* b, const ctSpec* spec, ctError* err) {
  *b = (ctiBuild){.spec = spec, .err = err, .region = cti_region_create(&spec->allocator)};
  b->budget = spec->budget;
  b->budget.refused = 0;
  if (!b->region) return cti_error_memory(err);
  cti_region_charge(b->region, &b->budget);
  return CT_OK;
}

ctStatus cti_build_end(ctiBuild* b, ctStatus status) {
  if (status == CT_ERR_MEMORY)
    status = cti_spec_no_memory(b->err, &b->budget, b->at ? b->at : &b->spec->world->head);
  cti_region_free(b->region);
  b->region = NULL;
  return status;
}

// The first field of orientations that are none; NULL when all are unit quaternions.
static const char* check_units(const ctModel* m) {
  const struct {
    const char* name;
    const ctReal* quat;
    int count;
  } fields[] = {{"body_quat", m->body_quat, m->nbody},
                {"body_iquat", m->body_iquat, m->nbody},
                {"geom_quat", m->geom_quat, m->ngeom},
                {"site_quat", m->site_quat, m->nsite},
                {"cam_quat", m->cam_quat, m->ncam}};
  for (int f = 0; f < CT_COUNT_OF(fields); f++) {
    for (int i = 0; i < fields[f].count; i++) {
      ctReal square = cti_dot(fields[f].quat + 4 * i, fields[f].quat + 4 * i, 4);
      if (!(square > CT_R(0.99) && square < CT_R(1.01))) return fields[f].name;
    }
  }
  return NULL;
}

// What guards binary models guards compiled ones as well: whatever a pass has overlooked in a file ends here,
// and every model that was compiled can be saved and loaded.
static ctStatus check_compiled(const ctiBuild* b) {
  const char* wrong = cti_model_check(b->m);
  if (!wrong) wrong = cti_check_devices(b->m);
  if (!wrong) wrong = check_units(b->m);
  if (!wrong) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, &b->spec->world->head,
                        "the compiled model is not consistent: field %s", wrong);
}

ctStatus ct_model_compile(ctModel** out, const ctSpec* spec, ctError* err) {
  if (!out || !spec)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_compile: out and spec must not be NULL");
  *out = NULL;
  ctSpec* simpler;
  CT_TRY(cti_simplified(&simpler, spec, err));
  ctiBuild b;
  ctStatus status = cti_build_begin(&b, simpler ? simpler : spec, err);
  if (status == CT_OK) status = cti_run_passes_to(&b, NULL);
  if (status == CT_OK) status = check_compiled(&b);
  status = cti_build_end(&b, status);
  ct_spec_free(simpler);
  if (status != CT_OK) {
    ct_model_free(b.m);
    return status;
  }
  *out = b.m;
  return CT_OK;
}

// ---- a new model in the place of an old one, and the state carried over by name

// The object of the new model that goes by the name of an old one, -1 for none.
static int same(const ctModel* to, const ctModel* from, ctObjType type, int id) {
  const char* name = ct_model_id2name(from, type, id);
  return name ? ct_model_name2id(to, type, name) : -1;
}

static void carry_joints(const ctModel* to, ctData* new_, const ctModel* from, const ctData* old) {
  for (int j = 0; j < from->njnt; j++) {
    int k = same(to, from, CT_OBJ_JOINT, j);
    if (k < 0 || to->jnt_type[k] != from->jnt_type[j]) continue;
    int type = from->jnt_type[j], a = from->jnt_dofadr[j], b = to->jnt_dofadr[k];
    cti_copy(new_->qpos + to->jnt_qposadr[k], old->qpos + from->jnt_qposadr[j], cti_joint_nq(type));
    cti_copy(new_->qvel + b, old->qvel + a, cti_joint_nv(type));
    cti_copy(new_->qacc_warmstart + b, old->qacc_warmstart + a, cti_joint_nv(type));
    cti_copy(new_->qfrc_applied + b, old->qfrc_applied + a, cti_joint_nv(type));
  }
}

static void carry_actuators(const ctModel* to, ctData* new_, const ctModel* from, const ctData* old) {
  for (int i = 0; i < from->nactuator; i++) {
    int k = same(to, from, CT_OBJ_ACTUATOR, i);
    if (k < 0) continue;
    if (to->actuator_actnum[k] == from->actuator_actnum[i] && to->actuator_actnum[k] > 0)
      cti_copy(new_->act + to->actuator_actadr[k], old->act + from->actuator_actadr[i],
               to->actuator_actnum[k]);
    if (to->actuator_ctrlnum[k] == from->actuator_ctrlnum[i])
      cti_copy(new_->ctrl + to->actuator_ctrladr[k], old->ctrl + from->actuator_ctrladr[i],
               to->actuator_ctrlnum[k]);
  }
}

static void carry_bodies(const ctModel* to, ctData* new_, const ctModel* from, const ctData* old) {
  for (int i = 1; i < from->nbody; i++) {
    int k = same(to, from, CT_OBJ_BODY, i);
    if (k < 0) continue;
    cti_copy(new_->xfrc_applied + 6 * k, old->xfrc_applied + 6 * i, 6);
    int a = from->body_mocapid[i], b = to->body_mocapid[k];
    if (a < 0 || b < 0) continue;
    cti_copy(new_->mocap_pos + 3 * b, old->mocap_pos + 3 * a, 3);
    cti_copy(new_->mocap_quat + 4 * b, old->mocap_quat + 4 * a, 4);
  }
}

ctStatus ct_model_recompile(ctModel** model, ctData** data, const ctSpec* spec, ctError* err) {
  if (!model || !data || !*model || !*data || !spec)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_recompile: no argument may be NULL");
  ctModel *from = *model, *to;
  ctData *old = *data, *new_;
  CT_TRY(ct_model_compile(&to, spec, err));
  ctStatus status = ct_data_create(&new_, to, err);
  if (status != CT_OK) {
    ct_model_free(to);
    return status;
  }
  new_->time = old->time;
  carry_joints(to, new_, from, old);
  carry_actuators(to, new_, from, old);
  carry_bodies(to, new_, from, old);
  for (int i = 0; i < from->neq; i++) {
    int k = same(to, from, CT_OBJ_EQUALITY, i);
    if (k >= 0) new_->eq_active[k] = old->eq_active[i];
  }
  ct_data_free(old);
  ct_model_free(from);
  *model = to;
  *data = new_;
  return CT_OK;
}
