#include "compile/build.h"

#include <math.h>
#include <string.h>

#include "math/eig3.h"
#include "spec/attrs.h"
#include "spec/walk.h"
#include "transform/scale.h"

// ---- what both need

// A build of the spec up to its inertias, its total mass left alone. The caller frees b->region, also when it
// fails.
static ctStatus build_inertias(ctiBuild* b, ctSpec* spec, ctError* err) {
  CT_TRY(cti_build_begin(b, spec, err));
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

// Names that elements of the spec refer to, by kind: in sections, and the targets of cameras and lights. How
// something is drawn does not count, but where sensors or tuples say it. NULL when memory runs out.
static ctiNameMap* referred_names(const ctSpec* spec, ctiRegion* region) {
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

// Give a body an <inertial> with these numbers.
static void set_inertial(ctiBody* body, const ctiElement* like, ctReal mass, const ctReal pos[3],
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

// ---- visual elements are discarded: materials, textures, geoms that touch nothing, meshes nobody uses then

// Keep the elements of a list for which `keep` holds; `e` is each of them.
#define KEEP_IF(list, keep)                         \
  {                                                 \
    int kept_ = 0;                                  \
    for (int i_ = 0; i_ < (list).count; i_++) {     \
      const ctiElement* e = &(list).data[i_]->head; \
      if (!(keep)) continue;                        \
      (list).data[kept_++] = (list).data[i_];       \
    }                                               \
    *count += (list).count - kept_;                 \
    (list).count = kept_;                           \
  }

static bool referred(const ctiNameMap* names, int kind, const ctiElement* e) {
  return e->name && cti_names_find(&names[kind], e->name) >= 0;
}

static bool is_visual(const ctiGeom* g, const ctiNameMap* names) {
  return g->contype == 0 && g->conaffinity == 0 && g->fluidshape == 0 &&
         !referred(names, CT_OBJ_GEOM, &g->head);
}

// Whether the inertia of the body would change without its visual geoms.
static bool weighs(const ctiBuild* b, const ctiBuildBody* body, const ctiNameMap* names) {
  if (!body->inferred) return false;
  for (int i = body->geomadr; i < body->geomadr + body->geomnum; i++) {
    if (is_visual(b->geom[i].spec, names) && cti_geom_counts(b, &b->geom[i])) return true;
  }
  return false;
}

// Bodies that would become lighter keep what they had.
static ctStatus adopt_inertias(ctSpec* spec, const ctiNameMap* names, ctError* err) {
  ctiBuild b;
  ctStatus status = build_inertias(&b, spec, err);
  for (int i = 1; status == CT_OK && i < b.sizes.nbody; i++) {
    const ctiBuildBody* body = &b.body[i];
    if (!weighs(&b, body, names)) continue;
    if (cti_compiler_of(spec, &body->spec->head)->inertiafromgeom == CTI_TRUE) {
      status = cti_spec_error(err, CT_ERR_INVALID, &body->spec->head,
                              "without its visual geoms it would have another inertia, which "
                              "inertiafromgeom=\"true\" infers from them; \"auto\" lets it keep what it has");
      continue;
    }
    set_inertial((ctiBody*)(uintptr_t)body->spec, &body->spec->head, body->mass, body->ipos, body->iquat,
                 body->inertia);
  }
  cti_region_free(b.region);
  return status;
}

// Without the inertia of anything in doubt, files need not be read.
static bool any_inertia_in_doubt(const ctSpec* spec, ctiBody** bodies, int n, const ctiNameMap* names) {
  for (int i = 1; i < n; i++) {
    int how = cti_compiler_of(spec, &bodies[i]->head)->inertiafromgeom;
    if (how == CTI_FALSE || (how == CTI_AUTO && bodies[i]->has_inertial)) continue;
    for (int k = 0; k < bodies[i]->geoms.count; k++) {
      if (is_visual(bodies[i]->geoms.data[k], names)) return true;
    }
  }
  return false;
}

static void forget_looks(ctSpec* spec, ctiBody** bodies, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < bodies[i]->geoms.count; k++) bodies[i]->geoms.data[k]->material = NULL;
    for (int k = 0; k < bodies[i]->sites.count; k++) bodies[i]->sites.data[k]->material = NULL;
    for (int k = 0; k < bodies[i]->lights.count; k++) bodies[i]->lights.data[k]->texture = NULL;
  }
  for (int i = 0; i < spec->tendons.count; i++) spec->tendons.data[i]->material = NULL;
  for (int i = 0; i < spec->meshes.count; i++) spec->meshes.data[i]->material = NULL;
  for (int i = 0; i < spec->skins.count; i++) spec->skins.data[i]->material = NULL;
  for (int i = 0; i < spec->flexes.count; i++) spec->flexes.data[i]->material.count = 0;
  for (int i = 0; i < spec->materials.count; i++) {
    for (int k = 0; k < CT_TEXROLE_COUNT; k++) spec->materials.data[i]->texture[k] = NULL;
  }
  for (int i = 0; i < spec->classes.count; i++) {
    ctiClass* c = spec->classes.data[i];
    c->geom.material = c->site.material = c->tendon.material = c->mesh.material = c->light.texture = NULL;
    for (int k = 0; k < CT_TEXROLE_COUNT; k++) c->material.texture[k] = NULL;
  }
}

static ctStatus discard(ctSpec* spec, ctiRegion* region, int* count, ctError* err) {
  int n;
  ctiBody** bodies = cti_spec_bodies(spec->world, region, &n);
  ctiNameMap* names = referred_names(spec, region);
  if (!bodies || !names) return cti_error_memory(err);
  if (any_inertia_in_doubt(spec, bodies, n, names)) CT_TRY(adopt_inertias(spec, names, err));
  // meshes of what is left are used as well
  ctiNameMap used;
  cti_names_init(&used, cti_region_allocator(region));
  for (int i = 0; i < n; i++) {
    KEEP_IF(bodies[i]->geoms, !is_visual((const ctiGeom*)(const void*)e, names))
    for (int k = 0; k < bodies[i]->geoms.count + bodies[i]->sites.count; k++) {
      int geoms = bodies[i]->geoms.count;
      const char* mesh = k < geoms ? bodies[i]->geoms.data[k]->mesh : bodies[i]->sites.data[k - geoms]->mesh;
      if (mesh && cti_names_add(&used, mesh, 1) == CT_ERR_MEMORY) return cti_error_memory(err);
    }
  }
  KEEP_IF(spec->meshes, referred(names, CT_OBJ_MESH, e) || (e->name && cti_names_find(&used, e->name) >= 0))
  KEEP_IF(spec->materials, referred(names, CT_OBJ_MATERIAL, e))
  KEEP_IF(spec->textures, referred(names, CT_OBJ_TEXTURE, e))
  forget_looks(spec, bodies, n);
  return CT_OK;
}

ctStatus ct_spec_discard_visual(ctSpec* spec, int* count, ctError* err) {
  int discarded = 0;
  if (count) *count = 0;
  if (!spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_discard_visual: spec must not be NULL");
  CT_TRY(cti_refuse_scaled(spec, err));
  ctiRegion* region = cti_region_create(&spec->allocator);
  ctStatus status = region ? discard(spec, region, &discarded, err) : cti_error_memory(err);
  cti_region_free(region);
  if (count) *count = discarded;
  return status;
}

// ---- static bodies become frames of their parents, with everything that stands in them

// A body with what is known of its inertia while others are fused with it.
typedef struct Part {
  ctiBody* spec;
  ctReal mass, pos[3], quat[4], inertia[3];  // its inertial frame, in the body
  bool inferred;                             // from its geoms, and nothing was changed about it
  bool adjusted, moves;
  bool fused;  // it is part of its parent now
} Part;

typedef struct Fusion {
  ctSpec* spec;
  ctiBuild b;
  const ctiNameMap* referred;
  ctError* err;
  Part* part;  // one per body, in the order of the tree
  int count;
} Fusion;

static bool has_mass(const Part* p) {
  return p->mass > 0;
}

// A site in it measures forces between the body and its parent.
static bool measures_force(const Fusion* f, const ctiBody* body) {
  for (int i = 0; i < f->spec->sensors.count; i++) {
    const ctiSensor* s = f->spec->sensors.data[i];
    if (s->type != CT_SENS_FORCE && s->type != CT_SENS_TORQUE) continue;
    for (int k = 0; k < body->sites.count; k++) {
      if (cti_text_equal(body->sites.data[k]->head.name, s->site)) return true;
    }
  }
  return false;
}

static bool feels_fluid(const Fusion* f, const Part* p) {
  const ctOption* o = &f->spec->option;
  if (o->density == 0 && o->viscosity == 0) return false;
  for (int i = 0; i < p->spec->geoms.count; i++) {
    if (p->spec->geoms.data[i]->fluidshape != 0) return true;
  }
  return has_mass(p);
}

static bool can_fuse(const Fusion* f, const Part* p, const Part* parent) {
  const ctiBody* body = p->spec;
  if (body->joints.count > 0 || body->mocap || body->fuse == CTI_FALSE || body->sleep != CT_SLEEP_AUTO)
    return false;
  if (body->head.name && cti_names_find(&f->referred[CT_OBJ_BODY], body->head.name) >= 0) return false;
  if (measures_force(f, body)) return false;
  // forces on what cannot move do nothing
  if (p->moves && has_mass(p) && body->gravcomp != parent->spec->gravcomp) return false;
  if (p->moves && feels_fluid(f, p)) return false;
  bool geoms_decide = cti_compiler_of(f->spec, &body->head)->inertiafromgeom == CTI_TRUE;
  bool weighs = parent->spec->parent != NULL;  // what is fused with the world does not
  return !geoms_decide || !weighs || !(p->adjusted || parent->adjusted);
}

// ---- inertia

// Add the inertia of `p`, whose body stands at `pos` and `quat` in the body of `parent`.
static void add_inertia(Part* parent, const Part* p, const ctReal pos[3], const ctReal quat[4]) {
  ctReal at[3], turn[4], mass = parent->mass + p->mass;
  cti_quat_rotate(at, quat, p->pos);
  cti_add_to3(at, pos);
  cti_quat_mul(turn, quat, p->quat);
  if (mass <= 0) return;
  ctReal centre[3], from_parent[3], from_part[3], sum[9] = {0};
  for (int i = 0; i < 3; i++) {
    centre[i] = (parent->mass * parent->pos[i] + p->mass * at[i]) / mass;
    from_parent[i] = parent->pos[i] - centre[i];
    from_part[i] = at[i] - centre[i];
  }
  cti_inertia_add(sum, parent->quat, parent->inertia, parent->mass, from_parent);
  cti_inertia_add(sum, turn, p->inertia, p->mass, from_part);
  cti_eig3(parent->inertia, NULL, parent->quat, sum, CTI_EIG_TOL, CTI_EIG_SORT);
  cti_copy3(parent->pos, centre);
  parent->mass = mass;
}

static ctStatus merge_inertia(Fusion* f, Part* parent, const Part* p) {
  if (!parent->spec->parent) return CT_OK;
  bool nothing = p->mass == 0 && p->inertia[0] == 0 && p->inertia[1] == 0 && p->inertia[2] == 0;
  if (nothing && !parent->inferred) return CT_OK;
  ctReal pos[3], quat[4];
  cti_to_real(pos, p->spec->pos, 3);
  CT_TRY(cti_resolve_orient(quat, &f->b, &p->spec->orient, &p->spec->head));
  CT_TRY(cti_leave_frames(pos, quat, &f->b, p->spec->head.frame));
  if (!nothing) add_inertia(parent, p, pos, quat);
  // the geoms of both go on saying what they weigh; what is known counts when another part is fused
  if (parent->inferred && p->inferred) return CT_OK;
  parent->inferred = false;
  set_inertial(parent->spec, &p->spec->head, parent->mass, parent->pos, parent->quat, parent->inertia);
  return CT_OK;
}

// ---- the tree

// The body as a frame of its parent.
static ctStatus make_frame(Fusion* f, const ctiBody* body, ctiBody* parent, ctiFrame** out) {
  ctiFrame* frame = cti_spec_add_frame(f->spec, parent, body->head.frame);
  if (!frame) return cti_error_memory(f->err);
  frame->head.attrs = &cti_attrs_frame;
  frame->head.where = body->head.where;
  frame->head.compiler = body->head.compiler;
  frame->childclass = body->childclass;
  memcpy(frame->pos, body->pos, sizeof(frame->pos));
  frame->orient = body->orient;
  *out = frame;
  return CT_OK;
}

static void move_head(ctiElement* e, ctiBody* parent, const ctiFrame* frame) {
  e->parent = &parent->head;
  if (!e->frame) e->frame = frame;
}

static ctStatus move_contents(Fusion* f, ctiBody* body, ctiBody* parent, const ctiFrame* frame) {
  const ctAllocator* a = f->spec->in_region;
#define MOVE(list)                                                                                      \
  for (int i = 0; i < body->list.count; i++) {                                                          \
    move_head(&body->list.data[i]->head, parent, frame);                                                \
    if (cti_array_push(&parent->list, a, body->list.data[i]) != CT_OK) return cti_error_memory(f->err); \
  }
  for (int i = 0; i < body->frames.count; i++) body->frames.data[i]->index = parent->frames.count + i;
  MOVE(frames)
#define X(record, list, template_) MOVE(list)
  CTI_BODY_LISTS(X)
#undef X
#undef MOVE
  // the children take the place of the body
  CTI_ARRAY(ctiBody*) bodies = {0};
  ctStatus status = CT_OK;
  for (int i = 0; i < parent->bodies.count && status == CT_OK; i++) {
    ctiBody* child = parent->bodies.data[i];
    if (child != body) {
      status = cti_array_push(&bodies, a, child);
      continue;
    }
    for (int k = 0; k < body->bodies.count && status == CT_OK; k++) {
      move_head(&body->bodies.data[k]->head, parent, frame);
      body->bodies.data[k]->parent = parent;
      status = cti_array_push(&bodies, a, body->bodies.data[k]);
    }
  }
  if (status != CT_OK) return cti_error_memory(f->err);
  parent->bodies.data = bodies.data;
  parent->bodies.count = bodies.count;
  parent->bodies.capacity = bodies.capacity;
  return CT_OK;
}

// The part that the parent of part `i` has become part of.
static Part* parent_of(const Fusion* f, int i) {
  int k = f->b.body[i].parent;
  while (f->part[k].fused) k = f->b.body[k].parent;
  return &f->part[k];
}

static ctStatus prepare(Fusion* f) {
  CT_TRY(build_inertias(&f->b, f->spec, f->err));
  f->count = f->b.sizes.nbody;
  f->part = CTI_NEW_ARRAY(f->b.region, Part, f->count);
  f->referred = referred_names(f->spec, f->b.region);
  if (!f->part || !f->referred) return cti_error_memory(f->err);
  for (int i = 0; i < f->count; i++) {
    const ctiBuildBody* b = &f->b.body[i];
    Part* p = &f->part[i];
    *p = (Part){
        .spec = (ctiBody*)(uintptr_t)b->spec, .mass = b->mass, .adjusted = b->adjusted, .moves = b->moves};
    p->inferred = b->inferred && !b->adjusted;
    cti_copy3(p->pos, b->ipos);
    cti_copy4(p->quat, b->iquat);
    cti_copy3(p->inertia, b->inertia);
  }
  return CT_OK;
}

static ctStatus fuse(Fusion* f, int* count) {
  CT_TRY(prepare(f));
  // parents come first: each body meets the one it stays in
  for (int i = 1; i < f->count; i++) {
    Part *p = &f->part[i], *parent = parent_of(f, i);
    if (!can_fuse(f, p, parent)) continue;
    CT_TRY(merge_inertia(f, parent, p));
    ctiFrame* frame = NULL;
    CT_TRY(make_frame(f, p->spec, parent->spec, &frame));
    CT_TRY(move_contents(f, p->spec, parent->spec, frame));
    p->fused = true;
    ++*count;
  }
  for (int i = 1; i < f->count; i++) {
    ctiBody* body = f->part[i].spec;
    if (!f->part[i].fused) body->depth = body->parent->depth + 1;
  }
  return CT_OK;
}

static void count_depth(ctiBody* body) {
  body->depth = body->parent->depth + 1;
  for (int i = 0; i < body->bodies.count; i++) count_depth(body->bodies.data[i]);
}

static ctStatus dissolve(Fusion* f, ctiBody* body, ctiFrame** frame) {
  ctiBody* parent = body->parent;
  if (body->has_inertial || parent->has_inertial) {
    CT_TRY(prepare(f));
    Part *own = NULL, *above = NULL;
    for (int i = 0; i < f->count; i++) {
      if (f->part[i].spec == body) own = &f->part[i];
      if (f->part[i].spec == parent) above = &f->part[i];
    }
    if (own && above) CT_TRY(merge_inertia(f, above, own));
  }
  CT_TRY(make_frame(f, body, parent, frame));
  CT_TRY(move_contents(f, body, parent, *frame));
  for (int i = 0; i < parent->bodies.count; i++) count_depth(parent->bodies.data[i]);
  return CT_OK;
}

ctStatus ct_spec_dissolve(ctElement** out, ctSpec* spec, ctElement* body, ctError* err) {
  ctiElement* e = (ctiElement*)body;
  if (out) *out = NULL;
  if (!spec || !e) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_dissolve: spec and body must not be NULL");
  if (!cti_element_is_body(e) || !e->parent)
    return cti_spec_error(err, CT_ERR_INVALID, e, "only a body inside another one can become a frame");
  CT_TRY(cti_refuse_scaled(spec, err));
  Fusion f = {.spec = spec, .err = err};
  ctiFrame* frame = NULL;
  ctStatus status = dissolve(&f, (ctiBody*)(void*)e, &frame);
  cti_region_free(f.b.region);
  if (status == CT_OK && out) *out = (ctElement*)(void*)frame;
  return status;
}

ctStatus ct_spec_fuse_static(ctSpec* spec, int* count, ctError* err) {
  int fused = 0;
  if (count) *count = 0;
  if (!spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_fuse_static: spec must not be NULL");
  CT_TRY(cti_refuse_scaled(spec, err));
  Fusion f = {.spec = spec, .err = err};
  ctStatus status = fuse(&f, &fused);
  cti_region_free(f.b.region);
  if (count) *count = fused;
  return status;
}
