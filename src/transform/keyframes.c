#include "transform/keyframes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/kinds.h"
#include "base/strings.h"
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

// ---- what has yielded of deformables: as many numbers as the compiler will give them ----

static bool held_by_one_body(const ctiNames* body) {
  for (int i = 1; i < body->count; i++) {
    if (strcmp(body->data[i], body->data[0]) != 0) return false;
  }
  return true;
}

static bool strain_is_held(const ctSpec* s, const ctiFlex* f) {
  for (int i = 0; i < s->equalities.count; i++) {
    const ctiEquality* eq = s->equalities.data[i];
    if (eq->type == CT_EQ_FLEXSTRAIN && eq->flex && f->head.name && strcmp(eq->flex, f->head.name) == 0)
      return true;
  }
  return false;
}

// Rods keep their frames where their edges twist by joints.
static bool has_twist_joints(ctiBody* const* bodies, int nbody, const ctiFlex* f, ctiRegion* scratch) {
  const char* name = f->head.name ? cti_region_printf(scratch, "%s_twist", f->head.name) : NULL;
  for (int i = 0; name && i < nbody; i++) {
    for (int k = 0; k < bodies[i]->joints.count; k++) {
      const char* own = bodies[i]->joints.data[k]->head.name;
      if (own && strcmp(own, name) == 0) return true;
    }
  }
  return false;
}

static int by_edge(const void* a, const void* b) {
  uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

// Sides of triangles, each counted once; -1 without memory.
static int count_sides(const ctiReals* triangles, ctiRegion* scratch) {
  const int n = triangles->count / 3 * 3;
  uint64_t* side = CTI_NEW_ARRAY(scratch, uint64_t, n);
  if (!side && n > 0) return -1;
  for (int i = 0; i < n; i++) {
    const int next = i % 3 == 2 ? i - 2 : i + 1;
    const uint32_t a = (uint32_t)triangles->data[i], b = (uint32_t)triangles->data[next];
    side[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  }
  if (n > 0) qsort(side, (size_t)n, sizeof(side[0]), by_edge);
  int count = 0;
  for (int i = 0; i < n; i++) count += i == 0 || side[i] != side[i - 1];
  return count;
}

// -1 without memory.
static int yielding_numbers(const ctSpec* s, const ctiFlex* f, ctiBody* const* bodies, int nbody,
                            ctiRegion* scratch) {
  const int *cell = f->cellcount, nelem = f->dim >= 1 ? f->element.count / (f->dim + 1) : 0;
  const bool stretches = f->elastic2d == CTI_ELASTIC2D_STRETCH || f->elastic2d == CTI_ELASTIC2D_BOTH;
  const bool bends = f->elastic2d == CTI_ELASTIC2D_BEND || f->elastic2d == CTI_ELASTIC2D_BOTH;
  if (!(f->young > 0) || held_by_one_body(f->order ? &f->node : &f->body)) return 0;
  if (f->order) {
    const bool shell = f->elastic2d != CTI_ELASTIC2D_NONE;
    if (!(f->yield[0] > 0) || strain_is_held(s, f) || (shell && !stretches)) return 0;
    if (shell) return 6 * (cell[1] * cell[2] + cell[0] * cell[2] + cell[0] * cell[1]);
    return 6 * cell[0] * cell[1] * cell[2];
  }
  if (f->dim == 1) return has_twist_joints(bodies, nbody, f, scratch) ? 7 * nelem - 1 : 0;
  if (f->dim == 3) return f->yield[0] > 0 ? 6 * nelem : 0;
  const double bend = isnan(f->yield[1]) ? f->yield[0] : f->yield[1];
  const int of_sides = bends && bend > 0 ? count_sides(&f->element, scratch) : 0;
  return of_sides < 0 ? -1 : of_sides + (stretches && f->yield[0] > 0 ? 3 * nelem : 0);
}

// All of the vectors, by the elements of their owner.
static ctStatus take_all(Cursor* at, ctSpec* owner, ctiRegion* scratch) {
  Cursor c = *at;
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
  for (int i = 0; c.vector[CTI_KEY_plastic]->count > c.at[CTI_KEY_plastic] && i < owner->flexes.count; i++) {
    const ctiFlex* f = owner->flexes.data[i];
    const int n = yielding_numbers(owner, f, bodies, nbody, scratch);
    if (n < 0) return CT_ERR_MEMORY;
    CT_TRY(take(&c, CTI_KEY_plastic, &f->head, n));
  }
  for (int i = 0; i < owner->actuators.count; i++) {
    const ctiActuator* a = owner->actuators.data[i];
    CT_TRY(take(&c, CTI_KEY_act, &a->head, cti_activation_count(a)));
    CT_TRY(take(&c, CTI_KEY_ctrl, &a->head, cti_drive_controls(&a->drive)));
  }
  *at = c;
  return CT_OK;
}

ctStatus cti_key_take_apart(ctSpec* to, ctiKey* key, ctSpec* owner, const ctiKey* from, ctiRegion* scratch) {
#define X(name, kind) [CTI_KEY_##name] = &from->name,
  Cursor c = {.to = to, .key = key, .vector = {CTI_KEY_VECTORS(X)}};
#undef X
  CT_TRY(take_all(&c, owner, scratch));
  // what the owner has from its own attached models
  return cti_key_copy_parts(to, key, from);
}

ctStatus cti_key_keep(ctSpec* spec, ctiKey* key, ctiRegion* scratch) {
#define X(name, kind) [CTI_KEY_##name] = &key->name,
  ctiReals* const vectors[] = {CTI_KEY_VECTORS(X)};
#undef X
  Cursor c = {.to = spec, .key = key};
  for (int i = 0; i < CTI_KEY_VECTOR_COUNT; i++) c.vector[i] = vectors[i];
  const int before = key->parts.count;
  CT_TRY(take_all(&c, spec, scratch));
  for (int i = before; i < key->parts.count; i++) key->parts.data[i].target = key->parts.data[i].source;
  for (int i = 0; i < CTI_KEY_VECTOR_COUNT; i++) {
    if (vectors[i]->count <= c.at[i]) vectors[i]->count = 0;
  }
  return CT_OK;
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

void cti_keys_bind(ctSpec* spec, ctiCopies* copies, bool move, bool foreign) {
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
      if (found) {
        part->target = found->copy;
      } else if (!foreign && !move) {
        part->target = part->source;
      }
    }
  }
}

void cti_keys_forget_sources(ctSpec* spec) {
  for (int k = 0; k < spec->keys.count; k++) {
    for (int i = 0; i < spec->keys.data[k]->parts.count; i++) spec->keys.data[k]->parts.data[i].source = NULL;
  }
}
