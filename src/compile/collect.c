// The body tree in depth-first order: ids, addresses, the rules of joints; the text of names and paths.
#include <string.h>

#include "base/kinds.h"
#include "compile/build.h"
#include "model/fields.h"
#include "model/names.h"
#include "spec/orient.h"

// ---- what every pass uses

ctStatus cti_resolve_orient(ctReal quat[4], const ctiBuild* b, const ctiOrient* o, const ctiElement* e) {
  const char* trouble = cti_orient_to_quat(quat, o, cti_compiler_of(b->spec, e));
  return trouble ? cti_spec_error(b->err, CT_ERR_INVALID, e, "%s", trouble) : CT_OK;
}

ctStatus cti_leave_frames(ctReal pos[3], ctReal quat[4], const ctiBuild* b, const ctiFrame* frame) {
  for (; frame; frame = frame->head.frame) {
    ctReal at[3], turn[4];
    cti_to_real(at, frame->pos, 3);
    CT_TRY(cti_resolve_orient(turn, b, &frame->orient, &frame->head));
    cti_quat_rotate_settled(pos, turn, pos);
    cti_add_to3(pos, at);
    cti_quat_mul_settled(quat, turn, quat);
  }
  return CT_OK;
}

ctStatus cti_resolve_limited(bool* out, const ctiBuild* b, int tristate, const double range[2],
                             const ctiElement* e, const char* what) {
  bool has_range = range[0] < range[1];
  if (tristate == CTI_AUTO && !cti_compiler_of(b->spec, e)->autolimits && (range[0] != 0 || range[1] != 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "%srange is given but %slimited is not, and autolimits is \"false\": set %slimited",
                          what, what, what);
  }
  *out = tristate == CTI_TRUE || (tristate == CTI_AUTO && has_range);
  if (*out && !has_range) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "%slimited=\"true\" needs %srange, with the first number below the second", what,
                          what);
  }
  return CT_OK;
}

ctStatus cti_find_object(int* out, const ctiBuild* b, ctObjType type, const char* name, const ctiElement* e) {
  *out = cti_names_find(&b->names[type == CT_OBJ_XBODY ? CT_OBJ_BODY : type], name);
  if (*out >= 0) return CT_OK;
  if (type == CT_OBJ_UNKNOWN)
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "\"%s\" is named without its kind: set objtype or reftype beside it",
                          name ? name : "");
  // an attribute that is there, but empty
  if (!name)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "needs the name of a %s", cti_object_word(type));
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "there is no %s called \"%s\"", cti_object_word(type),
                        name);
}

void cti_fill_user(ctReal* out, int id, int n, const ctiReals* user) {
  for (int i = 0; i < n; i++) out[id * n + i] = i < user->count ? (ctReal)user->data[i] : 0;
}

// ---- ids and addresses

// The body after `body` in depth-first order, NULL at the end. Uses `index`: position among the parent's
// children.
static const ctiBody* next_body(const ctiBody* body, int* index_of) {
  if (body->bodies.count > 0) {
    index_of[body->depth + 1] = 0;
    return body->bodies.data[0];
  }
  for (; body->parent; body = body->parent) {
    int next = ++index_of[body->depth];
    if (next < body->parent->bodies.count) return body->parent->bodies.data[next];
  }
  return NULL;
}

// Number of bodies and the depth of the deepest one, by walking as next_body does but without its index: the
// first visit of each body is counted from its parent's list.
static void measure(const ctiBody* world, int* count, int* depth, ctiRegion* region, ctStatus* status) {
  CTI_ARRAY(const ctiBody*) stack = {0};
  const ctAllocator* a = cti_region_allocator(region);
  *count = *depth = 0;
  *status = cti_array_push(&stack, a, world);
  while (*status == CT_OK && stack.count > 0) {
    const ctiBody* body = stack.data[--stack.count];
    ++*count;
    if (body->depth > *depth) *depth = body->depth;
    for (int i = 0; i < body->bodies.count && *status == CT_OK; i++) {
      *status = cti_array_push(&stack, a, body->bodies.data[i]);
    }
  }
}

// The world stands still: a frame may hold what the world cannot have.
static ctStatus check_world(const ctiBuild* b, const ctiBody* world) {
  if (world->joints.count > 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &world->joints.data[0]->head,
                          "the world has no joints: put it into a <body>");
  if (world->has_inertial)
    return cti_spec_error(b->err, CT_ERR_INVALID, &world->inertial.head,
                          "the world has no inertia: put it into a <body>");
  return CT_OK;
}

static ctStatus check_joints(const ctiBuild* b, const ctiBody* body) {
  int dofs = 0;
  bool ball = false;
  for (int i = 0; i < body->joints.count; i++) {
    const ctiJoint* j = body->joints.data[i];
    dofs += cti_joint_nv(j->type);
    if (j->type == CT_JOINT_FREE) {
      if (body->joints.count > 1) {
        return cti_spec_error(b->err, CT_ERR_INVALID, &j->head,
                              "a free joint must be the only joint of its body");
      }
      if (body->depth != 1) {
        return cti_spec_error(b->err, CT_ERR_INVALID, &j->head,
                              "a free joint is only allowed in a child of the world");
      }
    }
    if (ball && j->type != CT_JOINT_SLIDE) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &j->head,
                            "a ball joint must be the last rotation of its body");
    }
    ball = ball || j->type == CT_JOINT_BALL;
    if (dofs > 6)
      return cti_spec_error(b->err, CT_ERR_INVALID, &j->head, "a body can have at most 6 degrees of freedom");
  }
  if (body->mocap && (body->depth != 1 || body->joints.count > 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &body->head,
                          "a mocap body must be a child of the world without joints");
  }
  return CT_OK;
}

static ctStatus add_name_to(ctiBuild* b, ctiNameMap* names, const ctiElement* e, int id) {
  if (!e->name) return CT_OK;
  ctStatus status = cti_names_add(names, e->name, id);
  if (status == CT_ERR_INVALID)
    return cti_spec_error(b->err, status, e, "this name is used twice; every %s needs its own", e->tag);
  return status == CT_OK ? CT_OK : cti_error_memory(b->err);
}

// Register the name of an element, which must be new among its kind.
static ctStatus add_name(ctiBuild* b, ctObjType type, const ctiElement* e, int id) {
  return add_name_to(b, &b->names[type], e, id);
}

static ctStatus collect_body(ctiBuild* b, const ctiBody* body, int id, int parent) {
  ctModel* n = &b->sizes;
  ctiBuildBody* out = &b->body[id];
  *out = (ctiBuildBody){.spec = body,
                        .parent = parent,
                        .jntadr = n->njnt,
                        .dofadr = n->nv,
                        .geomadr = n->ngeom,
                        .jntnum = body->joints.count,
                        .geomnum = body->geoms.count};
  out->moves = body->joints.count > 0 || (id > 0 && b->body[parent].moves);
  for (int i = 0; i < body->frames.count; i++)
    CT_TRY(add_name_to(b, &b->frames, &body->frames.data[i]->head, i));
  CT_TRY(add_name(b, CT_OBJ_BODY, &body->head, id));
  CT_TRY(id == 0 ? check_world(b, body) : check_joints(b, body));
  for (int i = 0; i < body->joints.count; i++) {
    const ctiJoint* j = body->joints.data[i];
    CT_TRY(add_name(b, CT_OBJ_JOINT, &j->head, n->njnt));
    b->joint[n->njnt++] = (ctiBuildJoint){.spec = j, .body = id, .qposadr = n->nq, .dofadr = n->nv};
    CT_TRY(CTI_GROW(b, nq, cti_joint_nq(j->type), &j->head));
    CT_TRY(CTI_GROW(b, nv, cti_joint_nv(j->type), &j->head));
    out->dofnum += cti_joint_nv(j->type);
  }
  for (int i = 0; i < body->geoms.count; i++) {
    CT_TRY(add_name(b, CT_OBJ_GEOM, &body->geoms.data[i]->head, n->ngeom));
    b->geom[n->ngeom++] = (ctiBuildGeom){.spec = body->geoms.data[i], .body = id};
  }
  for (int i = 0; i < body->sites.count; i++) {
    CT_TRY(add_name(b, CT_OBJ_SITE, &body->sites.data[i]->head, n->nsite));
    b->site[n->nsite++] = (ctiBuildSite){.spec = body->sites.data[i], .body = id};
  }
  for (int i = 0; i < body->cameras.count; i++) {
    CT_TRY(add_name(b, CT_OBJ_CAMERA, &body->cameras.data[i]->head, n->ncam));
    b->camera[n->ncam++] = (ctiBuildCamera){.spec = body->cameras.data[i], .body = id, .target = -1};
  }
  for (int i = 0; i < body->lights.count; i++) {
    CT_TRY(add_name(b, CT_OBJ_LIGHT, &body->lights.data[i]->head, n->nlight));
    b->light[n->nlight++] =
        (ctiBuildLight){.spec = body->lights.data[i], .body = id, .target = -1, .texture = -1};
  }
  out->mocap = body->mocap ? n->nmocap++ : -1;
  return CT_OK;
}

// The flat lists keep their order; names are registered and counts taken.
static ctStatus collect_lists(ctiBuild* b) {
  const ctSpec* s = b->spec;
  ctModel* n = &b->sizes;
  // an asset without a name is nothing to anybody; a sky is looked at
#define NEED_NAME(list, exempt)                                                                        \
  for (int i = 0; i < s->list.count; i++) {                                                            \
    if (!s->list.data[i]->head.name && !(exempt))                                                      \
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->list.data[i]->head, "needs a name or a file"); \
  }
  NEED_NAME(meshes, false)
  NEED_NAME(hfields, false)
  NEED_NAME(materials, false)
  NEED_NAME(textures, s->textures.data[i]->type == CT_TEXTURE_SKYBOX)
#undef NEED_NAME
#define COLLECT(list, type, size)                                                               \
  for (int i = 0; i < s->list.count; i++) CT_TRY(add_name(b, type, &s->list.data[i]->head, i)); \
  n->size = s->list.count;
  COLLECT(meshes, CT_OBJ_MESH, nmesh)
  COLLECT(hfields, CT_OBJ_HFIELD, nhfield)
  COLLECT(flexes, CT_OBJ_FLEX, nflex)
  COLLECT(skins, CT_OBJ_SKIN, nskin)
  COLLECT(textures, CT_OBJ_TEXTURE, ntex)
  COLLECT(materials, CT_OBJ_MATERIAL, nmat)
  COLLECT(pairs, CT_OBJ_PAIR, npair)
  COLLECT(excludes, CT_OBJ_EXCLUDE, nexclude)
  COLLECT(equalities, CT_OBJ_EQUALITY, neq)
  COLLECT(tendons, CT_OBJ_TENDON, ntendon)
  COLLECT(actuators, CT_OBJ_ACTUATOR, nactuator)
  COLLECT(sensors, CT_OBJ_SENSOR, nsensor)
  COLLECT(numerics, CT_OBJ_NUMERIC, nnumeric)
  COLLECT(texts, CT_OBJ_TEXT, ntext)
  COLLECT(tuples, CT_OBJ_TUPLE, ntuple)
  COLLECT(keys, CT_OBJ_KEY, nkey)
#undef COLLECT
  for (int i = 0; i < s->instances.count; i++)
    CT_TRY(add_name(b, CT_OBJ_PLUGIN, &s->instances.data[i]->head, i));
  return CT_OK;
}

ctStatus cti_pass_collect(ctiBuild* b) {
  for (int t = 0; t < CT_OBJ_COUNT; t++) cti_names_init(&b->names[t], cti_region_allocator(b->region));
  cti_names_init(&b->frames, cti_region_allocator(b->region));
  int nbody, depth;
  ctStatus status;
  measure(b->spec->world, &nbody, &depth, b->region, &status);
  if (status != CT_OK) return cti_error_memory(b->err);

  // room for everything: count the parts first
  int* index_of = CTI_NEW_ARRAY(b->region, int, depth + 2);
  int* id_of = CTI_NEW_ARRAY(b->region, int, depth + 2);  // id of the body at each depth of the current path
  b->body = CTI_NEW_ARRAY(b->region, ctiBuildBody, nbody);
  if (!index_of || !id_of || !b->body) return cti_error_memory(b->err);
  int njnt = 0, ngeom = 0, nsite = 0, ncam = 0, nlight = 0;
  for (const ctiBody* body = b->spec->world; body; body = next_body(body, index_of)) {
    njnt += body->joints.count;
    ngeom += body->geoms.count;
    nsite += body->sites.count;
    ncam += body->cameras.count;
    nlight += body->lights.count;
  }
  b->joint = CTI_NEW_ARRAY(b->region, ctiBuildJoint, njnt);
  b->geom = CTI_NEW_ARRAY(b->region, ctiBuildGeom, ngeom);
  b->site = CTI_NEW_ARRAY(b->region, ctiBuildSite, nsite);
  b->camera = CTI_NEW_ARRAY(b->region, ctiBuildCamera, ncam);
  b->light = CTI_NEW_ARRAY(b->region, ctiBuildLight, nlight);
  if (!b->joint || !b->geom || !b->site || !b->camera || !b->light) return cti_error_memory(b->err);

  // now in order
  for (const ctiBody* body = b->spec->world; body; body = next_body(body, index_of)) {
    int id = b->sizes.nbody++;
    id_of[body->depth] = id;
    CT_TRY(collect_body(b, body, id, body->depth > 0 ? id_of[body->depth - 1] : 0));
  }
  return collect_lists(b);
}

// ---- the text of all names: the model's first, then kind after kind

// Name of an object of a kind, "" when it has none.
static const char* name_of(const ctiBuild* b, ctObjType type, int id) {
  const ctiElement* e = NULL;
  switch (type) {
    case CT_OBJ_BODY: e = &b->body[id].spec->head; break;
    case CT_OBJ_JOINT: e = &b->joint[id].spec->head; break;
    case CT_OBJ_GEOM: e = &b->geom[id].spec->head; break;
    case CT_OBJ_SITE: e = &b->site[id].spec->head; break;
    case CT_OBJ_CAMERA: e = &b->camera[id].spec->head; break;
    case CT_OBJ_LIGHT: e = &b->light[id].spec->head; break;
    case CT_OBJ_MESH: e = &b->spec->meshes.data[id]->head; break;
    case CT_OBJ_HFIELD: e = &b->spec->hfields.data[id]->head; break;
    case CT_OBJ_FLEX: e = &b->spec->flexes.data[id]->head; break;
    case CT_OBJ_SKIN: e = &b->spec->skins.data[id]->head; break;
    case CT_OBJ_TEXTURE: e = &b->spec->textures.data[id]->head; break;
    case CT_OBJ_MATERIAL: e = &b->spec->materials.data[id]->head; break;
    case CT_OBJ_PAIR: e = &b->pair[id].spec->head; break;
    case CT_OBJ_EXCLUDE: e = &b->exclude[id].spec->head; break;
    case CT_OBJ_EQUALITY: e = &b->spec->equalities.data[id]->head; break;
    case CT_OBJ_TENDON: e = &b->tendon[id].spec->head; break;
    case CT_OBJ_ACTUATOR: e = &b->actuator[id].spec->head; break;
    case CT_OBJ_SENSOR: e = &b->sensor[id].spec->head; break;
    case CT_OBJ_NUMERIC: e = &b->spec->numerics.data[id]->head; break;
    case CT_OBJ_TEXT: e = &b->spec->texts.data[id]->head; break;
    case CT_OBJ_TUPLE: e = &b->spec->tuples.data[id]->head; break;
    case CT_OBJ_KEY: e = &b->spec->keys.data[id]->head; break;
    case CT_OBJ_PLUGIN: e = id < b->spec->instances.count ? &b->spec->instances.data[id]->head : NULL; break;
    default: break;
  }
  return e && e->name ? e->name : "";
}

// The addresses of names are ints, as those of everything else.
ctStatus cti_count_names(ctiBuild* b) {
  ctModel* n = &b->sizes;
  const ctiElement* top = &b->spec->world->head;
  CT_TRY(CTI_GROW_TEXT(b, nnames, strlen(b->spec->modelname) + 1, top));
  for (int k = 0; k < cti_named_kind_count; k++) {
    int count = cti_named_count(n, &cti_named_kinds[k]);
    CT_TRY(CTI_GROW(b, nnames_map, CTI_NAMES_MAP_LOAD * (int64_t)count, top));
    for (int i = 0; i < count; i++)
      CT_TRY(CTI_GROW_TEXT(b, nnames, strlen(name_of(b, cti_named_kinds[k].type, i)) + 1, top));
  }
  return CT_OK;
}

ctStatus cti_pass_names(ctiBuild* b) {
  ctModel* m = b->m;
  strcpy(m->names, b->spec->modelname);
  int at = (int)strlen(m->names) + 1;
  for (int k = 0; k < cti_named_kind_count; k++) {
    int* address = cti_named_addresses(m, &cti_named_kinds[k]);
    for (int i = 0; i < cti_named_count(m, &cti_named_kinds[k]); i++) {
      const char* name = name_of(b, cti_named_kinds[k].type, i);
      address[i] = at;
      strcpy(m->names + at, name);
      at += (int)strlen(name) + 1;
    }
  }
  cti_names_map_build(m);
  return CT_OK;
}

// ---- paths of asset files

// One after another in one text: height fields, meshes, skins, textures, then the content types of textures.

// Visit each text in order; `adr` is the field with its address, NULL before there is a model.
typedef ctStatus Visit(ctiBuild* b, const char* text, int* adr, int* at);

static ctStatus each_path(ctiBuild* b, Visit* visit) {
  const ctModel *n = &b->sizes, *m = b->m;
  int at = 0;
  for (int i = 0; i < n->nhfield; i++)
    CT_TRY(visit(b, b->hfield[i].path, m ? m->hfield_pathadr + i : NULL, &at));
  for (int i = 0; i < n->nmesh; i++) CT_TRY(visit(b, b->mesh_path[i], m ? m->mesh_pathadr + i : NULL, &at));
  for (int i = 0; i < n->nskin; i++) CT_TRY(visit(b, b->skin[i].path, m ? m->skin_pathadr + i : NULL, &at));
  for (int i = 0; i < n->ntex; i++) CT_TRY(visit(b, b->texture_path[i], m ? m->tex_pathadr + i : NULL, &at));
  for (int i = 0; i < n->ntex; i++) {
    CT_TRY(visit(b, b->spec->textures.data[i]->content_type, m ? m->tex_contenttypeadr + i : NULL, &at));
  }
  return CT_OK;
}

static ctStatus count(ctiBuild* b, const char* text, int* adr, int* at) {
  (void)adr, (void)at;
  return text ? CTI_GROW_TEXT(b, npaths, strlen(text) + 1, &b->spec->world->head) : CT_OK;
}

static ctStatus write(ctiBuild* b, const char* text, int* adr, int* at) {
  *adr = text ? *at : -1;
  if (!text) return CT_OK;
  size_t size = strlen(text) + 1;
  memcpy(b->m->paths + *at, text, size);
  *at += (int)size;
  return CT_OK;
}

ctStatus cti_count_paths(ctiBuild* b) {
  CT_TRY(each_path(b, count));
  if (b->sizes.npaths == 0) b->sizes.npaths = 1;
  return CT_OK;
}

ctStatus cti_pass_fill_paths(ctiBuild* b) {
  return each_path(b, write);
}
