#include "collide/surface.h"

#include "collide/shape.h"
#include "data/arena.h"
#include "math/vec3.h"

// A motion ends where a pair has this share of its distance left.
#define SURFACE_LEFT CT_R(0.2)

// How exactly that place is found, as a share of the distance.
#define SURFACE_EXACT CT_R(1e-6)

// Farther than anything.
#define SURFACE_FAR CT_R(1e30)

// Steps of the search for that place; it may end short of it.
#define SURFACE_ADVANCES 64

// A pair of features: how many points the first side has, and the radius around the second.
typedef struct Pair {
  int first, n;  // 1 of 4: point and face; 2 of 4: edges; 1 of 1: point and obstacle
  int point[4];
  int obstacle;
  ctReal radius;
} Pair;

CT_FN bool cti_keeps_surfaces_apart(const ctModel* m) {
  const ctOption* o = &m->opt;
  if (!(o->enableflags & CT_ENBL_IPC) || (o->enableflags & CT_ENBL_SLEEP) || o->integrator != CT_INT_DISCRETE)
    return false;
  // models with these are refused, but options can be written
  if (o->solver == CT_SOL_PGS || o->noslip_iterations > 0 ||
      (o->disableflags & (CT_DSBL_CONSTRAINT | CT_DSBL_CONTACT)))
    return false;
  for (int f = 0; f < m->nflex; f++) {
    if (cti_is_surface(m, f)) return true;
  }
  return false;
}

CT_FN bool cti_is_surface_obstacle(const ctModel* m, int geom) {
  const int type = m->geom_type[geom];
  if (m->body_weldid[m->geom_bodyid[geom]] != 0 || m->body_mocapid[m->geom_bodyid[geom]] >= 0) return false;
  return type == CT_GEOM_PLANE || type == CT_GEOM_SPHERE || type == CT_GEOM_CAPSULE || type == CT_GEOM_BOX ||
         (type == CT_GEOM_MESH && m->geom_dataid[geom] >= 0);
}

// ---- who collides ----

static CT_FN bool masks_meet(int type1, int affinity1, int type2, int affinity2) {
  return (type1 & affinity2) || (type2 & affinity1);
}

static CT_FN bool surfaces_meet(const ctModel* m, int f, int g) {
  if (f == g)
    return m->flex_selfcollide[f] && !m->flex_rigid[f] && (m->flex_contype[f] & m->flex_conaffinity[f]);
  return masks_meet(m->flex_contype[f], m->flex_conaffinity[f], m->flex_contype[g], m->flex_conaffinity[g]) &&
         !(m->flex_rigid[f] && m->flex_rigid[g]);
}

static CT_FN bool obstacle_meets(const ctModel* m, int geom, int f) {
  return masks_meet(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[f],
                    m->flex_conaffinity[f]);
}

static CT_FN bool obstacle_matters(const ctModel* m, int geom) {
  if (!cti_is_surface_obstacle(m, geom)) return false;
  for (int f = 0; f < m->nflex; f++) {
    if (cti_is_surface(m, f) && obstacle_meets(m, geom, f)) return true;
  }
  return false;
}

// ---- obstacles as points and edges ----

static CT_FN bool polygon_vertex(const ctModel* m, int mesh, int vertex) {
  return m->mesh_polymapnum[m->mesh_vertadr[mesh] + vertex] > 0;
}

// Numbers of points and edges of a geom.
static CT_FN void count_features(const ctModel* m, int geom, int* npoint, int* nedge) {
  const int type = m->geom_type[geom];
  *npoint = type == CT_GEOM_SPHERE ? 1 : (type == CT_GEOM_CAPSULE ? 2 : (type == CT_GEOM_BOX ? 8 : 0));
  *nedge = type == CT_GEOM_CAPSULE ? 1 : (type == CT_GEOM_BOX ? 12 : 0);
  if (type != CT_GEOM_MESH) return;
  const int mesh = m->geom_dataid[geom];
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) *npoint += polygon_vertex(m, mesh, i);
  for (int p = m->mesh_polyadr[mesh]; p < m->mesh_polyadr[mesh] + m->mesh_polynum[mesh]; p++)
    *nedge += m->mesh_polyvertnum[p];
  // each edge is on two polygons
  *nedge /= 2;
}

static CT_FN void place_corner(ctReal out[3], const ctiShape* shape, const ctReal local[3]) {
  cti_mul_mat_vec3(out, shape->mat, local);
  cti_add_to3(out, shape->pos);
}

// Corners and edges of a hull; `place` (vertices of the mesh) receives the point of each corner.
static CT_FN void add_hull(ctiSurfaces* s, ctiObstacle* o, const ctiShape* shape, int* place) {
  const ctModel* m = s->m;
  const int mesh = shape->data;
  int point = o->point, edge = o->edge;
  for (int i = 0; i < m->mesh_vertnum[mesh]; i++) {
    place[i] = -1;
    if (!polygon_vertex(m, mesh, i)) continue;
    const float* v = m->mesh_vert + 3 * (int64_t)(m->mesh_vertadr[mesh] + i);
    const ctReal local[3] = {(ctReal)v[0], (ctReal)v[1], (ctReal)v[2]};
    place_corner(s->from + 3 * (int64_t)point, shape, local);
    place[i] = point++;
  }
  for (int p = m->mesh_polyadr[mesh]; p < m->mesh_polyadr[mesh] + m->mesh_polynum[mesh]; p++) {
    const int *vert = m->mesh_polyvert + m->mesh_polyvertadr[p], n = m->mesh_polyvertnum[p];
    for (int k = 0; k < n; k++) {
      const int a = vert[k], b = vert[k + 1 < n ? k + 1 : 0];
      if (a > b || edge == o->edge + o->nedge) continue;
      s->edge[2 * edge] = place[a];
      s->edge[2 * edge + 1] = place[b];
      edge++;
    }
  }
  o->nedge = edge - o->edge;
}

static CT_FN void add_features(ctiSurfaces* s, ctiObstacle* o, const ctiShape* shape) {
  const ctReal* size = shape->size;
  for (int i = 0; i < o->npoint; i++) {
    ctReal local[3] = {0, 0, 0};
    if (shape->type == CT_GEOM_CAPSULE) local[2] = i ? size[1] : -size[1];
    for (int k = 0; shape->type == CT_GEOM_BOX && k < 3; k++) local[k] = (i >> k) & 1 ? size[k] : -size[k];
    place_corner(s->from + 3 * (int64_t)(o->point + i), shape, local);
  }
  // corners of a box that differ in one bit, or the two ends
  int edge = o->edge;
  for (int i = 0; o->nedge && i < o->npoint; i++) {
    for (int bit = 1; bit < o->npoint; bit *= 2) {
      if (i & bit) continue;
      s->edge[2 * edge] = o->point + i;
      s->edge[2 * edge + 1] = o->point + (i | bit);
      edge++;
    }
  }
}

static CT_FN void obstacle_box(ctiObstacle* o, const ctModel* m, const ctiShape* shape) {
  const ctReal* aabb = m->geom_aabb + 6 * o->geom;
  for (int i = 0; i < 3; i++) {
    const ctReal* row = shape->mat + 3 * i;
    o->box[i] = shape->pos[i] + cti_dot3(row, aabb);
    o->box[3 + i] = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
  }
}

static CT_FN bool place_obstacles(ctiSurfaces* s, ctData* d) {
  const ctModel* m = s->m;
  for (int i = 0; i < s->nobstacle; i++) {
    ctiObstacle* o = s->obstacle + i;
    ctiShape shape = cti_geom_shape(m, d, o->geom);
    o->radius = shape.type == CT_GEOM_SPHERE || shape.type == CT_GEOM_CAPSULE ? shape.size[0] : CT_R(0);
    obstacle_box(o, m, &shape);
    if (shape.type == CT_GEOM_MESH) {
      size_t mark = cti_scratch_mark(d);
      int* place = CTI_SCRATCH(d, int, m->mesh_vertnum[shape.data], "surface.place");
      if (place) add_hull(s, o, &shape, place);
      cti_scratch_release(d, mark);
      if (!place) return false;
    } else {
      add_features(s, o, &shape);
    }
  }
  return true;
}

// ---- everything at its place ----

// The first element at each vertex and edge.
static CT_FN void find_owners(ctiSurfaces* s) {
  const ctModel* m = s->m;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_is_surface(m, f)) continue;
    const int *vert = m->flex_elem + m->flex_elemdataadr[f],
              *edge = m->flex_elemedge + m->flex_elemedgeadr[f];
    for (int e = m->flex_elemnum[f] - 1; e >= 0; e--) {
      for (int k = 0; k < 3; k++) {
        s->vert_elem[m->flex_vertadr[f] + vert[3 * e + k]] = m->flex_elemadr[f] + e;
        s->edge_elem[m->flex_edgeadr[f] + edge[3 * e + k]] = m->flex_elemadr[f] + e;
      }
    }
  }
}

CT_FN bool cti_surfaces_begin(ctiSurfaces* s, const ctModel* m, ctData* d) {
  const ctiKeys none = {(uint64_t*)0, 0, 0, false};
  s->m = m;
  s->d = d;
  s->nvert = s->npoint = m->nflexvert;
  s->nobstacle = 0;
  s->elements = s->solids = none;
  int nedge = 0;
  for (int g = 0; g < m->ngeom; g++) s->nobstacle += obstacle_matters(m, g);
  s->obstacle = CTI_SCRATCH(d, ctiObstacle, s->nobstacle, "surface.obstacles");
  if (!s->obstacle) return false;
  for (int g = 0, i = 0; g < m->ngeom; g++) {
    if (!obstacle_matters(m, g)) continue;
    ctiObstacle* o = s->obstacle + i++;
    o->geom = g;
    o->point = s->npoint;
    o->edge = nedge;
    count_features(m, g, &o->npoint, &o->nedge);
    s->npoint += o->npoint;
    nedge += o->nedge;
  }
  s->from = CTI_SCRATCH(d, ctReal, 3 * (int64_t)s->npoint, "surface.from");
  s->to = CTI_SCRATCH(d, ctReal, 3 * (int64_t)s->npoint, "surface.to");
  s->edge = CTI_SCRATCH(d, int, 2 * (int64_t)nedge, "surface.edges");
  s->vert_elem = CTI_SCRATCH(d, int, m->nflexvert, "surface.vert_elem");
  s->edge_elem = CTI_SCRATCH(d, int, m->nflexedge, "surface.edge_elem");
  s->elem_box = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nflexelem, "surface.boxes");
  s->node_box = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nbvhdynamic, "surface.nodes");
  if (!s->from || !s->to || !s->edge || !s->vert_elem || !s->edge_elem || !s->elem_box || !s->node_box)
    return false;
  for (int64_t i = 0; i < 3 * (int64_t)s->nvert; i++) s->from[i] = s->to[i] = d->flexvert_xpos[i];
  find_owners(s);
  if (!place_obstacles(s, d)) return false;
  for (int64_t i = 3 * (int64_t)s->nvert; i < 3 * (int64_t)s->npoint; i++) s->to[i] = s->from[i];
  return true;
}

// ---- boxes around motions, and which of them meet ----

static CT_FN const int* surface_corners(const ctModel* m, int f, int elem) {
  return m->flex_elem + m->flex_elemdataadr[f] + 3 * (int64_t)(elem - m->flex_elemadr[f]);
}

static CT_FN void wrap_element(const ctiSurfaces* s, int f, int elem) {
  const int* corner = surface_corners(s->m, f, elem);
  ctReal* box = s->elem_box + 6 * (int64_t)elem;
  for (int i = 0; i < 3; i++) {
    ctReal lo = s->from[3 * (int64_t)(s->m->flex_vertadr[f] + corner[0]) + i], hi = lo;
    for (int k = 0; k < 6; k++) {
      const ctReal* at = k < 3 ? s->from : s->to;
      const ctReal x = at[3 * (int64_t)(s->m->flex_vertadr[f] + corner[k % 3]) + i];
      if (x < lo) lo = x;
      if (x > hi) hi = x;
    }
    box[i] = (lo + hi) / 2;
    box[3 + i] = (hi - lo) / 2;
  }
}

static CT_FN void join_boxes(ctReal* out, const ctReal* a, const ctReal* b) {
  for (int i = 0; i < 3; i++) {
    const ctReal lo = cti_min(a[i] - a[3 + i], b[i] - b[3 + i]),
                 hi = cti_max(a[i] + a[3 + i], b[i] + b[3 + i]);
    out[i] = (lo + hi) / 2;
    out[3 + i] = (hi - lo) / 2;
  }
}

static CT_FN bool boxes_near(const ctReal* a, const ctReal* b, ctReal reach) {
  for (int i = 0; i < 3; i++) {
    if (cti_abs(a[i] - b[i]) > a[3 + i] + b[3 + i] + reach) return false;
  }
  return true;
}

static CT_FN bool obstacle_near(const ctiSurfaces* s, const ctiObstacle* o, const ctReal* box, ctReal reach) {
  if (s->m->geom_type[o->geom] != CT_GEOM_PLANE) return boxes_near(o->box, box, reach);
  ctReal normal[3], apart[3];
  cti_column3(normal, s->d->geom_xmat + 9 * o->geom, 2);
  cti_sub3(apart, box, s->d->geom_xpos + 3 * o->geom);
  ctReal extent = 0;
  for (int i = 0; i < 3; i++) extent += cti_abs(normal[i]) * box[3 + i];
  return cti_dot3(normal, apart) - extent <= reach;
}

// A surface as a tree over its elements; without one every element is a leaf below a root of its own.
typedef struct SurfaceTree {
  const ctReal* box;
  const int *child, *elem;
  int first;  // element
} SurfaceTree;

static CT_FN bool has_surface_tree(const ctModel* m, int f) {
  return m->flex_bvhadr[f] >= 0 && m->flex_bvhnum[f] > 0;
}

static CT_FN SurfaceTree surface_tree(const ctiSurfaces* s, int f) {
  const ctModel* m = s->m;
  const int root = m->flex_bvhadr[f];
  SurfaceTree t;
  t.box = s->node_box + 6 * (int64_t)(root - m->nbvhstatic);
  t.child = m->bvh_child + 2 * (int64_t)root;
  t.elem = m->bvh_nodeid + root;
  t.first = m->flex_elemadr[f];
  return t;
}

// Children come behind their parents.
static CT_FN void wrap_surface(const ctiSurfaces* s, int f) {
  const ctModel* m = s->m;
  for (int e = 0; e < m->flex_elemnum[f]; e++) wrap_element(s, f, m->flex_elemadr[f] + e);
  if (!has_surface_tree(m, f)) return;
  SurfaceTree t = surface_tree(s, f);
  ctReal* box = s->node_box + 6 * (int64_t)(m->flex_bvhadr[f] - m->nbvhstatic);
  for (int i = m->flex_bvhnum[f] - 1; i >= 0; i--) {
    const int *child = t.child + 2 * i, first = child[0] >= 0 ? child[0] : child[1];
    if (t.elem[i] >= 0) {
      const ctReal* own = s->elem_box + 6 * (int64_t)(t.first + t.elem[i]);
      join_boxes(box + 6 * i, own, own);
    } else if (first >= 0) {
      join_boxes(box + 6 * i, t.box + 6 * first, t.box + 6 * (child[1] >= 0 ? child[1] : first));
    }
  }
}

#define SURFACE_STACK 256

static CT_FN void search_elements(ctiSurfaces* s, ctData* d, int f, int g, ctReal reach) {
  const ctModel* m = s->m;
  if (!has_surface_tree(m, f) || !has_surface_tree(m, g)) {
    for (int a = m->flex_elemadr[f]; a < m->flex_elemadr[f] + m->flex_elemnum[f]; a++) {
      for (int b = f == g ? a + 1 : m->flex_elemadr[g]; b < m->flex_elemadr[g] + m->flex_elemnum[g]; b++) {
        if (boxes_near(s->elem_box + 6 * (int64_t)a, s->elem_box + 6 * (int64_t)b, reach))
          cti_keys_push(d, &s->elements, cti_key(a, b));
      }
    }
    return;
  }
  SurfaceTree t = surface_tree(s, f), u = surface_tree(s, g);
  int stack[SURFACE_STACK][2], top = 1;
  stack[0][0] = stack[0][1] = 0;
  while (top > 0) {
    top--;
    const int a = stack[top][0], b = stack[top][1];
    const bool same = f == g && a == b, leaf1 = t.elem[a] >= 0, leaf2 = u.elem[b] >= 0;
    if (same ? leaf1 : !boxes_near(t.box + 6 * a, u.box + 6 * b, reach)) continue;
    if (leaf1 && leaf2) {
      cti_keys_push(d, &s->elements, cti_key(t.first + t.elem[a], u.first + u.elem[b]));
      continue;
    }
    if (top + 3 > SURFACE_STACK) {
      s->elements.full = true;
      return;
    }
    const ctReal *p = t.box + 6 * a, *q = u.box + 6 * b;
    const bool open1 = leaf2 || (!leaf1 && p[3] + p[4] + p[5] >= q[3] + q[4] + q[5]);
    const int* child = open1 ? t.child + 2 * a : u.child + 2 * b;
    for (int i = 0; i < 2; i++) {
      if (child[i] < 0) continue;
      stack[top][0] = open1 || same ? child[i] : a;
      stack[top++][1] = open1 && !same ? b : child[i];
    }
    if (same && child[0] >= 0 && child[1] >= 0) {
      stack[top][0] = child[0];
      stack[top++][1] = child[1];
    }
  }
}

static CT_FN void search_obstacle(ctiSurfaces* s, ctData* d, int obstacle, int f, ctReal reach) {
  const ctModel* m = s->m;
  const ctiObstacle* o = s->obstacle + obstacle;
  if (!has_surface_tree(m, f)) {
    for (int e = m->flex_elemadr[f]; e < m->flex_elemadr[f] + m->flex_elemnum[f]; e++) {
      if (obstacle_near(s, o, s->elem_box + 6 * (int64_t)e, reach))
        cti_keys_push(d, &s->solids, cti_key(obstacle, e));
    }
    return;
  }
  SurfaceTree t = surface_tree(s, f);
  int stack[SURFACE_STACK], top = 1;
  stack[0] = 0;
  while (top > 0) {
    const int node = stack[--top];
    if (!obstacle_near(s, o, t.box + 6 * node, reach)) continue;
    if (t.elem[node] >= 0) cti_keys_push(d, &s->solids, cti_key(obstacle, t.first + t.elem[node]));
    for (int i = 0; t.elem[node] < 0 && i < 2; i++) {
      if (t.child[2 * node + i] >= 0 && top < SURFACE_STACK) stack[top++] = t.child[2 * node + i];
    }
  }
}

CT_FN bool cti_surfaces_search(ctiSurfaces* s, ctData* d, ctiSurfaceSearch what) {
  const ctModel* m = s->m;
  s->elements.n = s->solids.n = 0;
  s->reach = CTI_SURFACE_BAND;
  for (int f = 0; f < m->nflex; f++) {
    if (cti_is_surface(m, f)) wrap_surface(s, f);
  }
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_is_surface(m, f)) continue;
    for (int g = f; g < m->nflex; g++) {
      if (!cti_is_surface(m, g) || !surfaces_meet(m, f, g)) continue;
      const bool near = what == CTI_SURFACES_NEAR;
      search_elements(s, d, f, g, near ? CTI_SURFACE_BAND : m->flex_radius[f] + m->flex_radius[g]);
    }
    for (int i = 0; !m->flex_rigid[f] && i < s->nobstacle; i++) {
      if (!obstacle_meets(m, s->obstacle[i].geom, f)) continue;
      const ctReal reach = what == CTI_SURFACES_NEAR ? CTI_SURFACE_BAND : 2 * m->flex_radius[f];
      if (reach > s->reach) s->reach = reach;
      search_obstacle(s, d, i, f, reach);
    }
  }
  return !s->elements.full && !s->solids.full;
}

// ---- pairs of features of two elements, or of an obstacle and an element ----

static CT_FN int flex_of(const ctModel* m, int elem) {
  int f = 0;
  while (f + 1 < m->nflex && elem >= m->flex_elemadr[f + 1]) f++;
  return f;
}

// What an element has: its vertices and edges as points, and which of them it answers for.
typedef struct Facet {
  int vert[3], edge[3][2];
  bool has_vert[3], has_edge[3];
} Facet;

static CT_FN void surface_facet(Facet* out, const ctiSurfaces* s, int elem) {
  const ctModel* m = s->m;
  const int f = flex_of(m, elem), *corner = surface_corners(m, f, elem);
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f] + 3 * (int64_t)(elem - m->flex_elemadr[f]);
  for (int k = 0; k < 3; k++) {
    const int e = m->flex_edgeadr[f] + edge[k];
    out->vert[k] = m->flex_vertadr[f] + corner[k];
    out->has_vert[k] = s->vert_elem[out->vert[k]] == elem;
    out->has_edge[k] = s->edge_elem[e] == elem;
    for (int i = 0; i < 2; i++) out->edge[k][i] = m->flex_vertadr[f] + m->flex_edge[2 * (int64_t)e + i];
  }
}

// Features that share a point stay together, whatever the motion.
static CT_FN bool points_differ(const Pair* p) {
  for (int i = 0; i < p->first; i++) {
    for (int k = p->first; k < p->n; k++) {
      if (p->point[i] == p->point[k]) return false;
    }
  }
  return true;
}

static CT_FN void set_pair(Pair* p, int first, int a, int b, int c, int e, ctReal radius) {
  p->first = first;
  p->n = 4;
  p->point[0] = a;
  p->point[1] = b;
  p->point[2] = c;
  p->point[3] = e;
  p->radius = radius;
}

// Pair `i` of 15 of two elements; false when another element answers for it.
#define ELEMENT_PAIRS 15
static CT_FN bool element_pair(Pair* p, const Facet* a, const Facet* b, int i) {
  if (i < 6) {
    const Facet *from = i < 3 ? a : b, *face = i < 3 ? b : a;
    if (!from->has_vert[i % 3]) return false;
    set_pair(p, 1, from->vert[i % 3], face->vert[0], face->vert[1], face->vert[2], 0);
  } else {
    const int k = (i - 6) / 3, l = (i - 6) % 3;
    if (!a->has_edge[k] || !b->has_edge[l]) return false;
    set_pair(p, 2, a->edge[k][0], a->edge[k][1], b->edge[l][0], b->edge[l][1], 0);
  }
  return points_differ(p);
}

// Pair `i` of an obstacle and an element: vertices with the obstacle, its corners with the face, edges with
// edges.
static CT_FN bool segment_near(const ctReal* box, const ctReal a[3], const ctReal b[3], ctReal reach) {
  for (int i = 0; i < 3; i++) {
    const ctReal lo = cti_min(a[i], b[i]), hi = cti_max(a[i], b[i]);
    if (lo > box[i] + box[3 + i] + reach || hi < box[i] - box[3 + i] - reach) return false;
  }
  return true;
}
static CT_FN int solid_pairs(const ctiObstacle* o) {
  return 3 + o->npoint + 3 * o->nedge;
}
static CT_FN bool solid_pair(Pair* p, const ctiSurfaces* s, int obstacle, const Facet* a, const ctReal* box,
                             int i) {
  const ctiObstacle* o = s->obstacle + obstacle;
  if (i < 3) {
    set_pair(p, 1, a->vert[i], -1, -1, -1, 0);
    p->n = 1;
    p->obstacle = obstacle;
    return a->has_vert[i];
  }
  if (i < 3 + o->npoint) {
    const ctReal* corner = s->from + 3 * (int64_t)(o->point + i - 3);
    if (!segment_near(box, corner, corner, s->reach + o->radius)) return false;
    set_pair(p, 1, o->point + i - 3, a->vert[0], a->vert[1], a->vert[2], o->radius);
    return true;
  }
  const int k = (i - 3 - o->npoint) / 3, l = (i - 3 - o->npoint) % 3;
  const int* edge = s->edge + 2 * (int64_t)(o->edge + k);
  if (!a->has_edge[l] || !segment_near(box, s->from + 3 * (int64_t)edge[0], s->from + 3 * (int64_t)edge[1],
                                       s->reach + o->radius))
    return false;
  set_pair(p, 2, a->edge[l][0], a->edge[l][1], edge[0], edge[1], o->radius);
  return true;
}

// ---- distances ----

// Barycentric coordinates of the point of a triangle that is closest to p.
static CT_FN void closest_on_face(ctReal w[3], const ctReal p[3], const ctReal a[3], const ctReal b[3],
                                  const ctReal c[3]) {
  ctReal ab[3], ac[3], ap[3], bp[3], cp[3];
  cti_sub3(ab, b, a);
  cti_sub3(ac, c, a);
  cti_sub3(ap, p, a);
  cti_sub3(bp, p, b);
  cti_sub3(cp, p, c);
  const ctReal d1 = cti_dot3(ab, ap), d2 = cti_dot3(ac, ap), d3 = cti_dot3(ab, bp), d4 = cti_dot3(ac, bp),
               d5 = cti_dot3(ab, cp), d6 = cti_dot3(ac, cp);
  const ctReal va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  w[0] = w[1] = w[2] = 0;
  if (d1 <= 0 && d2 <= 0) {
    w[0] = 1;
  } else if (d3 >= 0 && d4 <= d3) {
    w[1] = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    w[2] = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    w[1] = d1 / (d1 - d3);
    w[0] = 1 - w[1];
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w[2] = d2 / (d2 - d6);
    w[0] = 1 - w[2];
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    w[1] = 1 - w[2];
  } else {
    const ctReal all = va + vb + vc;
    w[1] = vb / all;
    w[2] = vc / all;
    w[0] = 1 - w[1] - w[2];
  }
}

// Places of the closest points of two segments, 0 at the first end and 1 at the second.
static CT_FN void closest_on_edges(ctReal* s, ctReal* t, const ctReal p1[3], const ctReal q1[3],
                                   const ctReal p2[3], const ctReal q2[3]) {
  ctReal u[3], v[3], r[3];
  cti_sub3(u, q1, p1);
  cti_sub3(v, q2, p2);
  cti_sub3(r, p1, p2);
  const ctReal a = cti_dot3(u, u), e = cti_dot3(v, v), f = cti_dot3(v, r), c = cti_dot3(u, r),
               b = cti_dot3(u, v);
  const ctReal across = a * e - b * b;
  *s = across > CTI_MINVAL * a * e ? cti_clamp((b * f - c * e) / across, 0, 1) : CT_R(0);
  *t = e > 0 ? (b * *s + f) / e : CT_R(0);
  if (*t < 0 || *t > 1) {
    *t = *t < 0 ? CT_R(0) : CT_R(1);
    *s = a > 0 ? cti_clamp((b * *t - c) / a, 0, 1) : CT_R(0);
  }
}

// Nearest place of a hull to a point in its frame: the direction away from it, and how far it is.
static CT_FN ctReal hull_distance(ctReal normal[3], const ctModel* m, int mesh, const ctReal p[3]) {
  ctReal inside = -SURFACE_FAR, outside = SURFACE_FAR;
  const float* vert = m->mesh_vert + 3 * (int64_t)m->mesh_vertadr[mesh];
  cti_zero3(normal);
  for (int i = m->mesh_polyadr[mesh]; i < m->mesh_polyadr[mesh] + m->mesh_polynum[mesh]; i++) {
    const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[i];
    const ctReal* n = m->mesh_polynormal + 3 * (int64_t)i;
    ctReal at[3][3], to[3];
    for (int k = 0; k < 3; k++) at[0][k] = (ctReal)vert[3 * corner[0] + k];
    cti_sub3(to, p, at[0]);
    const ctReal height = cti_dot3(n, to);
    if (height > inside) {
      inside = height;
      if (outside == SURFACE_FAR) cti_copy3(normal, n);
    }
    if (height <= 0) continue;
    for (int k = 2; k < m->mesh_polyvertnum[i]; k++) {
      ctReal w[3];
      for (int c = 0; c < 3; c++) {
        at[1][c] = (ctReal)vert[3 * corner[k - 1] + c];
        at[2][c] = (ctReal)vert[3 * corner[k] + c];
      }
      closest_on_face(w, p, at[0], at[1], at[2]);
      for (int c = 0; c < 3; c++) to[c] = p[c] - w[0] * at[0][c] - w[1] * at[1][c] - w[2] * at[2][c];
      const ctReal far = cti_norm3(to);
      if (far >= outside) continue;
      outside = far;
      if (far > CTI_MINVAL) cti_scale3(normal, to, 1 / far);
    }
  }
  return outside < SURFACE_FAR ? outside : inside;
}

static CT_FN ctReal box_distance(ctReal normal[3], const ctReal size[3], const ctReal p[3]) {
  ctReal over[3], out[3] = {0, 0, 0};
  int least = 0;
  for (int i = 0; i < 3; i++) {
    over[i] = cti_abs(p[i]) - size[i];
    if (over[i] > 0) out[i] = p[i] > 0 ? over[i] : -over[i];
    if (over[i] > over[least]) least = i;
  }
  cti_zero3(normal);
  normal[least] = p[least] >= 0 ? CT_R(1) : CT_R(-1);
  if (over[least] <= 0) return over[least];
  const ctReal far = cti_norm3(out);
  cti_scale3(normal, out, 1 / far);
  return far;
}

// How far a point is outside of an obstacle, and the direction out of it; negative inside.
static CT_FN ctReal obstacle_distance(ctReal normal[3], const ctiSurfaces* s, int obstacle,
                                      const ctReal point[3]) {
  ctiShape shape = cti_geom_shape(s->m, s->d, s->obstacle[obstacle].geom);
  ctReal p[3], apart[3], out[3] = {0, 0, 1}, far;
  cti_sub3(apart, point, shape.pos);
  cti_mul_mat_t_vec3(p, shape.mat, apart);
  switch (shape.type) {
    case CT_GEOM_PLANE: far = p[2]; break;
    case CT_GEOM_BOX: far = box_distance(out, shape.size, p); break;
    case CT_GEOM_MESH: far = hull_distance(out, s->m, shape.data, p); break;
    default:
      if (shape.type == CT_GEOM_CAPSULE) p[2] -= cti_clamp(p[2], -shape.size[1], shape.size[1]);
      far = cti_norm3(p);
      if (far > CTI_MINVAL) cti_scale3(out, p, 1 / far);
      far -= shape.size[0];
  }
  cti_mul_mat_vec3(normal, shape.mat, out);
  return far;
}

// The contact of a pair whose points are at `x`.
static CT_FN ctReal pair_contact(ctiSurfaceContact* c, const ctiSurfaces* s, const Pair* p, ctReal x[4][3]) {
  c->n = p->n;
  for (int i = 0; i < 4; i++) c->point[i] = p->point[i];
  if (p->n == 1) {
    c->weight[0] = 1;
    c->dist = obstacle_distance(c->normal, s, p->obstacle, x[0]);
    return c->dist;
  }
  ctReal apart[3] = {0, 0, 0};
  if (p->first == 1) {
    ctReal w[3];
    closest_on_face(w, x[0], x[1], x[2], x[3]);
    c->weight[0] = 1;
    for (int i = 0; i < 3; i++) c->weight[1 + i] = -w[i];
  } else {
    ctReal a, b;
    closest_on_edges(&a, &b, x[0], x[1], x[2], x[3]);
    c->weight[0] = 1 - a;
    c->weight[1] = a;
    c->weight[2] = b - 1;
    c->weight[3] = -b;
  }
  for (int i = 0; i < 4; i++) cti_add_scaled3(apart, x[i], c->weight[i]);
  ctReal far = cti_norm3(apart);
  if (far > CTI_MINVAL) {
    cti_scale3(c->normal, apart, 1 / far);
  } else {
    // they touch: across both
    ctReal u[3], v[3];
    cti_sub3(u, x[p->first == 1 ? 2 : 1], x[p->first == 1 ? 1 : 0]);
    cti_sub3(v, x[3], x[p->first == 1 ? 1 : 2]);
    cti_cross3(c->normal, u, v);
    cti_normalize3(c->normal);
  }
  c->dist = far - p->radius;
  return c->dist;
}

CT_INLINE void point_on_way(ctReal out[3], const ctiSurfaces* s, int point, ctReal t) {
  const ctReal *a = s->from + 3 * (int64_t)point, *b = s->to + 3 * (int64_t)point;
  for (int i = 0; i < 3; i++) out[i] = a[i] + t * (b[i] - a[i]);
}

// ---- contacts ----

static CT_FN bool pair_is_near(ctiSurfaceContact* c, const ctiSurfaces* s, const Pair* p) {
  ctReal x[4][3], closing = 0;
  for (int i = 0; i < p->n; i++) cti_copy3(x[i], s->from + 3 * (int64_t)p->point[i]);
  pair_contact(c, s, p, x);
  if (c->dist <= CTI_SURFACE_BAND) return true;
  for (int i = 0; i < p->n; i++) {
    ctReal motion[3];
    cti_sub3(motion, s->to + 3 * (int64_t)p->point[i], x[i]);
    closing -= c->weight[i] * cti_dot3(c->normal, motion);
  }
  return c->dist - closing <= CTI_SURFACE_BAND;
}

CT_FN int cti_surfaces_contacts(const ctiSurfaces* s, ctiSurfaceContact* out) {
  int n = 0;
  Pair p;
  ctiSurfaceContact one;
  Facet a, b;
  for (int i = 0; i < s->elements.n; i++) {
    surface_facet(&a, s, cti_key_first(s->elements.at[i]));
    surface_facet(&b, s, cti_key_second(s->elements.at[i]));
    for (int k = 0; k < ELEMENT_PAIRS; k++) {
      if (!element_pair(&p, &a, &b, k) || !pair_is_near(&one, s, &p)) continue;
      if (out) out[n] = one;
      n++;
    }
  }
  for (int i = 0; i < s->solids.n; i++) {
    const int o = cti_key_first(s->solids.at[i]), elem = cti_key_second(s->solids.at[i]);
    surface_facet(&a, s, elem);
    for (int k = 0; k < solid_pairs(s->obstacle + o); k++) {
      if (!solid_pair(&p, s, o, &a, s->elem_box + 6 * (int64_t)elem, k) || !pair_is_near(&one, s, &p))
        continue;
      if (out) out[n] = one;
      n++;
    }
  }
  return n;
}

// ---- motion ----

// No pair comes nearer than its sides move against each other: that much it can be moved, again and again.
static CT_FN ctReal pair_way(const ctiSurfaces* s, const Pair* p, ctReal most) {
  ctiSurfaceContact c;
  ctReal x[4][3], mean[3] = {0, 0, 0}, reach[2] = {0, 0};
  for (int i = 0; i < p->n; i++) {
    cti_copy3(x[i], s->from + 3 * (int64_t)p->point[i]);
    cti_sub3(c.normal, s->to + 3 * (int64_t)p->point[i], x[i]);
    cti_add_scaled3(mean, c.normal, p->n > 1 ? CT_R(1) / (ctReal)p->n : CT_R(0));
  }
  for (int i = 0; i < p->n; i++) {
    ctReal motion[3];
    cti_sub3(motion, s->to + 3 * (int64_t)p->point[i], x[i]);
    for (int k = 0; k < 3; k++) motion[k] -= mean[k];
    reach[i >= p->first] = cti_max(reach[i >= p->first], cti_norm3(motion));
  }
  const ctReal motion = reach[0] + reach[1], start = pair_contact(&c, s, p, x), left = SURFACE_LEFT * start;
  // what is inside already is pushed out
  if (!(start > 0) || motion * most <= start - left) return most;
  ctReal t = 0, dist = start;
  for (int i = 0; i < SURFACE_ADVANCES; i++) {
    t += (dist - left) / motion;
    if (t >= most) return most;
    for (int k = 0; k < p->n; k++) point_on_way(x[k], s, p->point[k], t);
    dist = pair_contact(&c, s, p, x);
    if (dist - left <= SURFACE_EXACT * start) break;
  }
  return t;
}

CT_FN ctReal cti_surfaces_way(const ctiSurfaces* s) {
  ctReal most = 1;
  Pair p;
  Facet a, b;
  for (int i = 0; i < s->elements.n; i++) {
    surface_facet(&a, s, cti_key_first(s->elements.at[i]));
    surface_facet(&b, s, cti_key_second(s->elements.at[i]));
    for (int k = 0; k < ELEMENT_PAIRS; k++) {
      if (element_pair(&p, &a, &b, k)) most = pair_way(s, &p, most);
    }
  }
  for (int i = 0; i < s->solids.n; i++) {
    const int o = cti_key_first(s->solids.at[i]), elem = cti_key_second(s->solids.at[i]);
    surface_facet(&a, s, elem);
    for (int k = 0; k < solid_pairs(s->obstacle + o); k++) {
      if (solid_pair(&p, s, o, &a, s->elem_box + 6 * (int64_t)elem, k)) most = pair_way(s, &p, most);
    }
  }
  return most;
}
