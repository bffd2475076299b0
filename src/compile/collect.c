// The body tree in depth-first order: ids, addresses, and the rules of joints.
#include "base/kinds.h"
#include "compile/build.h"

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

// Register the name of an element, which must be new among its kind.
static ctStatus add_name(ctiBuild* b, ctObjType type, const ctiElement* e, int id) {
  if (!e->name) return CT_OK;
  ctStatus status = cti_names_add(&b->names[type], e->name, id);
  if (status == CT_ERR_INVALID)
    return cti_spec_error(b->err, status, e, "this name is used twice; every %s needs its own", e->tag);
  return status == CT_OK ? CT_OK : cti_error_memory(b->err);
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
  CT_TRY(add_name(b, CT_OBJ_BODY, &body->head, id));
  CT_TRY(check_joints(b, body));
  for (int i = 0; i < body->joints.count; i++) {
    const ctiJoint* j = body->joints.data[i];
    CT_TRY(add_name(b, CT_OBJ_JOINT, &j->head, n->njnt));
    b->joint[n->njnt++] = (ctiBuildJoint){.spec = j, .body = id, .qposadr = n->nq, .dofadr = n->nv};
    n->nq += cti_joint_nq(j->type);
    n->nv += cti_joint_nv(j->type);
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
  return CT_OK;
}

ctStatus cti_pass_collect(ctiBuild* b) {
  for (int t = 0; t < CT_OBJ_COUNT; t++) cti_names_init(&b->names[t], cti_region_allocator(b->region));
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
