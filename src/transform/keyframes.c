#include "transform/keyframes.h"

#include <stdlib.h>

#include "base/kinds.h"
#include "spec/spec.h"

// Where the next element's numbers begin in each vector of a keyframe.
typedef struct Cursor {
  ctSpec* to;
  ctiKey* key;
  const ctiReals* vector[CTI_KEY_VECTOR_COUNT];
  int at[CTI_KEY_VECTOR_COUNT];
} Cursor;

static ctStatus add_part(Cursor* c, ctiKeyVector vector, const ctiElement* source, const double* values,
                         int n) {
  double* copy = CTI_NEW_ARRAY(c->to->region, double, n);
  if (!copy) return CT_ERR_MEMORY;
  for (int i = 0; i < n; i++) copy[i] = values[i];
  ctiKeyPart part = {.vector = vector, .source = source, .values = {copy, n}};
  return cti_array_push(&c->key->parts, c->to->in_region, part);
}

// The next `n` numbers of a vector belong to `e`; a vector may end early.
static ctStatus take(Cursor* c, ctiKeyVector vector, const ctiElement* e, int n) {
  const ctiReals* from = c->vector[vector];
  int at = c->at[vector], rest = from->count - at;
  c->at[vector] += n;
  if (n == 0 || rest <= 0) return CT_OK;
  return add_part(c, vector, e, from->data + at, rest < n ? rest : n);
}

static ctStatus take_joint(Cursor* c, const ctiJoint* j) {
  CT_TRY(take(c, CTI_KEY_qpos, &j->head, cti_joint_nq(j->type)));
  CT_TRY(take(c, CTI_KEY_qvel, &j->head, cti_joint_nv(j->type)));
  return take(c, CTI_KEY_plastic, &j->head, j->springyield <= 0 ? 0 : cti_joint_nq(j->type));
}

ctStatus cti_key_take_apart(ctSpec* to, ctiKey* key, ctSpec* owner, const ctiKey* from, ctiRegion* scratch) {
#define X(name, kind) [CTI_KEY_##name] = &from->name,
  Cursor c = {.to = to, .key = key, .vector = {CTI_KEY_VECTORS(X)}};
#undef X
  int nbody;
  ctiBody** bodies = cti_spec_bodies(owner->world, scratch, &nbody);
  if (!bodies) return CT_ERR_MEMORY;
  for (int i = 0; i < nbody; i++) {
    for (int k = 0; k < bodies[i]->joints.count; k++) CT_TRY(take_joint(&c, bodies[i]->joints.data[k]));
    if (!bodies[i]->mocap) continue;
    CT_TRY(take(&c, CTI_KEY_mpos, &bodies[i]->head, 3));
    CT_TRY(take(&c, CTI_KEY_mquat, &bodies[i]->head, 4));
  }
  for (int i = 0; i < owner->tendons.count; i++) {
    const ctiTendon* t = owner->tendons.data[i];
    CT_TRY(take(&c, CTI_KEY_plastic, &t->head, t->springyield > 0 ? 2 : 0));
  }
  for (int i = 0; i < owner->actuators.count; i++) {
    const ctiActuator* a = owner->actuators.data[i];
    CT_TRY(take(&c, CTI_KEY_act, &a->head, cti_activation_count(a)));
    CT_TRY(take(&c, CTI_KEY_ctrl, &a->head, cti_drive_controls(&a->drive)));
  }
  // what the owner has from its own attached models
  return cti_key_copy_parts(to, key, from);
}

ctStatus cti_key_copy_parts(ctSpec* to, ctiKey* key, const ctiKey* from) {
  Cursor c = {.to = to, .key = key};
  for (int i = 0; i < from->parts.count; i++) {
    const ctiKeyPart* part = &from->parts.data[i];
    if (part->target) CT_TRY(add_part(&c, part->vector, part->target, part->values.data, part->values.count));
  }
  return CT_OK;
}

static int by_source(const void* a, const void* b) {
  uintptr_t x = (uintptr_t)((const ctiCopied*)a)->source, y = (uintptr_t)((const ctiCopied*)b)->source;
  return (x > y) - (x < y);
}

void cti_keys_bind(ctSpec* spec, ctiCopies* copies, bool move) {
  if (copies->count == 0) return;
  qsort(copies->data, (size_t)copies->count, sizeof(ctiCopied), by_source);
  for (int k = 0; k < spec->keys.count; k++) {
    ctiKey* key = spec->keys.data[k];
    for (int i = 0; i < key->parts.count; i++) {
      ctiKeyPart* part = &key->parts.data[i];
      ctiCopied wanted = {move ? part->target : part->source, NULL};
      if (!wanted.source || (!move && part->target)) continue;
      const ctiCopied* found =
          bsearch(&wanted, copies->data, (size_t)copies->count, sizeof(ctiCopied), by_source);
      if (found) part->target = found->copy;
    }
  }
}

void cti_keys_forget_sources(ctSpec* spec) {
  for (int k = 0; k < spec->keys.count; k++) {
    for (int i = 0; i < spec->keys.data[k]->parts.count; i++) spec->keys.data[k]->parts.data[i].source = NULL;
  }
}
