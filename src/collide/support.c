#include "collide/convex.h"

// Meshes with fewer vertices are searched exhaustively.
#define SUPPORT_CLIMB_FROM 10
// A component counts in the choice of a start when it is at least this share of the largest: tan(22.5 deg).
#define SUPPORT_SHARE CT_R(0.41421356237309503)

CT_FN void cti_convex_init(ctiConvex* c, const ctiShape* shape, const ctReal origin[3]) {
  c->type = shape->type;
  cti_sub3(c->pos, shape->pos, origin);
  c->mat = shape->mat;
  c->size = shape->size;
  c->radius = shape->type == CT_GEOM_SPHERE || shape->type == CT_GEOM_CAPSULE ? shape->size[0] : 0;
  c->skin = 0;
  c->polytope = shape->type == CT_GEOM_BOX || shape->type == CT_GEOM_MESH || shape->type == CT_GEOM_SDF;
  c->vert = (const float*)0;
  c->nvert = 0;
  c->graph_adr = c->graph_id = c->graph_to = c->extrema = (const int*)0;
  if (shape->data < 0 || (shape->type != CT_GEOM_MESH && shape->type != CT_GEOM_SDF)) return;
  const ctModel* m = shape->m;
  c->vert = m->mesh_vert + 3 * m->mesh_vertadr[shape->data];
  c->nvert = m->mesh_vertnum[shape->data];
  int graph = m->mesh_graphadr[shape->data];
  if (graph < 0 || c->nvert < SUPPORT_CLIMB_FROM) return;
  const int* head = m->mesh_graph + graph;
  c->graph_adr = head + 2;
  c->graph_id = c->graph_adr + head[0];
  c->graph_to = c->graph_id + head[0];
  c->extrema = m->mesh_extrema + 27 * shape->data;
}

CT_FN void cti_convex_fill(ctiConvex* c) {
  c->skin = c->radius;
  c->radius = 0;
}

// Height of mesh vertex `i` along a local direction.
static CT_FN ctReal support_height(const ctiConvex* c, int i, const ctReal dir[3]) {
  const float* v = c->vert + 3 * i;
  return (ctReal)v[0] * dir[0] + (ctReal)v[1] * dir[1] + (ctReal)v[2] * dir[2];
}

static CT_FN int support_search(const ctiConvex* c, const ctReal dir[3]) {
  int best = 0;
  ctReal most = support_height(c, 0, dir);
  for (int i = 1; i < c->nvert; i++) {
    ctReal height = support_height(c, i, dir);
    if (height > most) {
      most = height;
      best = i;
    }
  }
  return best;
}

// Climb the hull from the extreme vertex of a nearby direction.
static CT_FN int support_climb(const ctiConvex* c, const ctReal dir[3]) {
  ctReal largest = 0;
  for (int i = 0; i < 3; i++) largest = cti_abs(dir[i]) > largest ? cti_abs(dir[i]) : largest;
  int start = 0;
  for (int i = 0; i < 3; i++) {
    ctReal share = SUPPORT_SHARE * largest;
    start = 3 * start + (dir[i] > share ? 2 : (dir[i] < -share ? 0 : 1));
  }
  int at = c->extrema[start];
  ctReal most = support_height(c, c->graph_id[at], dir);
  for (int moved = 1; moved;) {
    moved = 0;
    const int* to = c->graph_to + c->graph_adr[at];
    for (; *to >= 0; to++) {
      ctReal height = support_height(c, c->graph_id[*to], dir);
      if (height > most) {
        most = height;
        at = *to;
        moved = 1;
      }
    }
  }
  return c->graph_id[at];
}

static CT_FN int support_corner(ctReal local[3], const ctReal size[3], const ctReal dir[3]) {
  int id = 0;
  for (int i = 0; i < 3; i++) {
    id |= (dir[i] > 0) << i;
    local[i] = dir[i] > 0 ? size[i] : -size[i];
  }
  return id;
}

static CT_FN int support_local(ctReal local[3], const ctiConvex* c, const ctReal dir[3]) {
  int id = -1;
  cti_zero3(local);
  switch (c->type) {
    case CT_GEOM_SPHERE: return 0;
    case CT_GEOM_CAPSULE: local[2] = dir[2] > 0 ? c->size[1] : -c->size[1]; return dir[2] > 0;
    case CT_GEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) local[i] = c->size[i] * dir[i];
      cti_normalize3(local);
      for (int i = 0; i < 3; i++) local[i] *= c->size[i];
      return -1;
    case CT_GEOM_CYLINDER: {
      ctReal across = cti_sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
      if (across > CTI_MINVAL) {
        local[0] = dir[0] / across * c->size[0];
        local[1] = dir[1] / across * c->size[0];
      } else {
        local[0] = c->size[0];  // any rim point: keep one
      }
      local[2] = dir[2] > 0 ? c->size[1] : -c->size[1];
      return dir[2] > 0;
    }
    case CT_GEOM_BOX: return support_corner(local, c->size, dir);
    default:
      id = c->graph_adr ? support_climb(c, dir) : support_search(c, dir);
      for (int i = 0; i < 3; i++) local[i] = (ctReal)c->vert[3 * id + i];
      return id;
  }
}

CT_FN int cti_support(ctReal out[3], const ctiConvex* c, const ctReal dir[3]) {
  if (c->type == CT_GEOM_NONE) {
    // three corners below, three above; a horizontal direction looks above
    int best = dir[2] < 0 ? 0 : 3;
    const int end = best + 3;
    ctReal most = cti_dot3(c->prism[best], dir);
    for (int i = best + 1; i < end; i++) {
      ctReal height = cti_dot3(c->prism[i], dir);
      if (height > most) {
        most = height;
        best = i;
      }
    }
    cti_along3(out, c->prism[best], dir, c->skin);
    return best;
  }
  ctReal turned[3], local[3];
  cti_mul_mat_t_vec3(turned, c->mat, dir);
  int id = support_local(local, c, turned);
  cti_mul_mat_vec3(out, c->mat, local);
  cti_add_to3(out, c->pos);
  if (c->skin > 0) cti_add_scaled3(out, dir, c->skin);
  return id;
}

CT_FN void cti_support_pair(ctiCorner* out, const ctiConvex* a, const ctiConvex* b, const ctReal dir[3]) {
  ctReal back[3];
  cti_scale3(back, dir, -1);
  out->ia = cti_support(out->a, a, dir);
  out->ib = cti_support(out->b, b, back);
  cti_sub3(out->w, out->a, out->b);
}
