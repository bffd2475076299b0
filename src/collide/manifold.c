// Contact manifolds: the points where flat or straight parts of two convex shapes lie against each other.
#include "collide/convex.h"
#include "collide/pairs.h"
#include "data/arena.h"

// Area (twice) of four corners.
static CT_FN ctReal corners_area(const ctReal (*at)[3], const int c[4]) {
  ctReal u[3], v[3], x[3];
  cti_sub3(u, at[c[2]], at[c[0]]);
  cti_sub3(v, at[c[3]], at[c[1]]);
  cti_cross3(x, u, v);
  return cti_norm3(x);
}

// Move corner k one on if that makes the area larger.
static CT_FN bool corners_step(int c[4], const ctReal (*at)[3], int n, int k, ctReal* area) {
  if (c[k] + 1 >= (k == 3 ? n : c[k + 1])) return false;
  c[k]++;
  ctReal larger = corners_area(at, c);
  if (larger > *area) {
    *area = larger;
    return true;
  }
  c[k]--;
  return false;
}

CT_FN void cti_manifold_corners(int c[4], const ctReal (*at)[3], int n) {
  for (int i = 0; i < 4; i++) c[i] = i;
  ctReal area = corners_area(at, c);
  do {
    while (corners_step(c, at, n, 2, &area)) {
    }
    while (corners_step(c, at, n, 1, &area)) {
    }
  } while (corners_step(c, at, n, 3, &area));
}

// Move corner k of a closed polygon one on if that makes the area larger.
static CT_FN bool corners_turn(int c[4], const ctReal (*at)[3], int n, int k, ctReal* area) {
  int before = c[k];
  c[k] = before + 1 < n ? before + 1 : 0;
  ctReal larger = corners_area(at, c);
  if (larger > *area) {
    *area = larger;
    return true;
  }
  c[k] = before;
  return false;
}

// Four corners of a polygon with n > 4 corners that span a large area, by rotating calipers: for each first
// corner the others move on while that beats the best area so far. Corners may come twice. It is not the
// largest area always, but the one MuJoCo takes.
static CT_FN void large_quad(int best[4], const ctReal (*at)[3], int n) {
  int c[4] = {0, 1, 2, 3};
  ctReal area = corners_area(at, c);
  for (int k = 0; k < 4; k++) best[k] = c[k];
  for (c[0] = 0; c[0] < n; c[0]++) {
    bool better = false;
    while (corners_turn(c, at, n, 3, &area)) {
      while (corners_turn(c, at, n, 2, &area)) {
      }
      while (corners_turn(c, at, n, 1, &area)) {
      }
      better = true;
    }
    for (int k = 0; k < 4 && better; k++) best[k] = c[k];
    // corners that met move on, one after another
    for (int k = 1; k < 4 && c[k] == c[k - 1]; k++) c[k] = c[k] + 1 < n ? c[k] + 1 : 0;
  }
}

// ---- faces and edges of shapes ----

// A flat face (three or more corners, clockwise seen from outside) or an edge (two corners).
typedef struct Feature {
  ctReal (*at)[3];
  int n;
  ctReal normal[3];  // face: outward, unit; edge: direction, unit
} Feature;

// A face of a shape, as its number there, and its outward unit normal.
typedef struct Face {
  int number;
  ctReal normal[3];
} Face;

#define FEATURE_DISC_CORNERS 16
#define FEATURE_DISC_COS     CT_R(0.92387953251128675613)  // of 22.5 degrees
#define FEATURE_DISC_SIN     CT_R(0.38268343236508977173)

// Number of corners of the largest face of a shape.
static CT_FN int face_corners(const ctiShape* s) {
  switch (s->type) {
    case CT_GEOM_CYLINDER: return FEATURE_DISC_CORNERS;
    case CT_GEOM_MESH:
    case CT_GEOM_SDF: return s->m->npolygonmax > 4 ? s->m->npolygonmax : 4;
    default: return 4;
  }
}

static CT_FN void feature_place(ctReal out[3], const ctiConvex* c, const ctReal local[3]) {
  cti_mul_mat_vec3(out, c->mat, local);
  cti_add_to3(out, c->pos);
}

// Faces of a box are numbered 2 axis + side. Bit j of a corner's number: on the positive side of axis j.
static CT_FN int feature_box_faces(Face* out, const ctiConvex* c, const int* id, int nid) {
  int n = 0;
  for (int axis = 0; axis < 3; axis++) {
    int side = (id[0] >> axis) & 1;
    bool shared = true;
    for (int i = 1; i < nid; i++) shared = shared && ((id[i] >> axis) & 1) == side;
    if (!shared) continue;
    out[n].number = 2 * axis + side;
    cti_column3(out[n].normal, c->mat, axis);
    if (!side) cti_scale3(out[n].normal, out[n].normal, -1);
    n++;
  }
  return n;
}

static CT_FN void feature_box_face(Feature* out, const ctiConvex* c, int number) {
  CT_CONST int corner[6][4] = {{2, 6, 4, 0}, {7, 3, 1, 5}, {4, 5, 1, 0},
                               {2, 3, 7, 6}, {3, 2, 0, 1}, {6, 7, 5, 4}};
  out->n = 4;
  for (int i = 0; i < 4; i++) {
    ctReal local[3];
    for (int j = 0; j < 3; j++) local[j] = (corner[number][i] >> j) & 1 ? c->size[j] : -c->size[j];
    feature_place(out->at[i], c, local);
  }
}

static CT_FN bool feature_box_edge(Feature* out, const ctiConvex* c, const int* id, int nid, int k) {
  int axis = k;
  if (nid == 2) {
    int differ = id[0] ^ id[1];
    if (k > 0 || (differ & (differ - 1))) return false;
    axis = differ >> 1;
  } else if (nid > 2 || k > 2) {
    return false;
  }
  out->n = 2;
  for (int i = 0; i < 2; i++) {
    ctReal local[3];
    for (int j = 0; j < 3; j++) local[j] = (id[0] >> j) & 1 ? c->size[j] : -c->size[j];
    if (i) local[axis] = -local[axis];
    feature_place(out->at[i], c, local);
  }
  return true;
}

static CT_FN bool feature_mesh_has(const ctModel* m, int poly, int vertex) {
  const int* v = m->mesh_polyvert + m->mesh_polyvertadr[poly];
  for (int i = 0; i < m->mesh_polyvertnum[poly]; i++) {
    if (v[i] == vertex) return true;
  }
  return false;
}

CT_INLINE void feature_mesh_corner(ctReal out[3], const ctiConvex* c, int vertex) {
  const float* v = c->vert + 3 * (size_t)vertex;
  const ctReal local[3] = {(ctReal)v[0], (ctReal)v[1], (ctReal)v[2]};
  feature_place(out, c, local);
}

// Faces of a mesh are its polygons.
static CT_FN int feature_mesh_faces(Face* out, const ctiShape* s, const ctiConvex* c, const int* id,
                                    int nid) {
  const ctModel* m = s->m;
  const int vertex = m->mesh_vertadr[s->data] + id[0];
  const int* around = m->mesh_polymap + m->mesh_polymapadr[vertex];
  int n = 0;
  for (int i = 0; i < m->mesh_polymapnum[vertex]; i++) {
    const int poly = m->mesh_polyadr[s->data] + around[i];
    bool shared = true;
    for (int j = 1; j < nid && shared; j++) shared = feature_mesh_has(m, poly, id[j]);
    if (!shared) continue;
    out[n].number = poly;
    cti_mul_mat_vec3(out[n++].normal, c->mat, m->mesh_polynormal + 3 * poly);
  }
  return n;
}

static CT_FN void feature_mesh_face(Feature* out, const ctModel* m, const ctiConvex* c, int poly) {
  const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[poly];
  out->n = m->mesh_polyvertnum[poly];
  for (int j = 0; j < out->n; j++) feature_mesh_corner(out->at[out->n - 1 - j], c, vert[j]);
}

// Edges at one corner: each polygon around it brings the edge that leaves it, so that none comes twice.
static CT_FN bool feature_mesh_edge(Feature* out, const ctiShape* s, const ctiConvex* c, const int* id,
                                    int nid, int k) {
  const ctModel* m = s->m;
  int other = -1;
  if (nid == 2) {
    if (k == 0) other = id[1];
  } else if (nid == 1) {
    const int vertex = m->mesh_vertadr[s->data] + id[0];
    if (k >= m->mesh_polymapnum[vertex]) return false;
    int poly = m->mesh_polyadr[s->data] + m->mesh_polymap[m->mesh_polymapadr[vertex] + k];
    const int* v = m->mesh_polyvert + m->mesh_polyvertadr[poly];
    const int n = m->mesh_polyvertnum[poly];
    for (int i = 0; i < n; i++) {
      if (v[i] == id[0]) other = v[(i + n - 1) % n];
    }
  }
  if (other < 0) return false;
  out->n = 2;
  feature_mesh_corner(out->at[0], c, id[0]);
  feature_mesh_corner(out->at[1], c, other);
  return true;
}

// The ends of a cylinder: 0 below, 1 above; as a face, a polygon.
static CT_FN int feature_disc(Face* out, const ctiConvex* c, const ctReal dir[3]) {
  cti_column3(out->normal, c->mat, 2);
  out->number = cti_dot3(out->normal, dir) > 0;
  if (!out->number) cti_scale3(out->normal, out->normal, -1);
  return 1;
}

static CT_FN void feature_disc_face(Feature* out, const ctiConvex* c, bool up) {
  ctReal x = c->size[0], y = 0;
  out->n = FEATURE_DISC_CORNERS;
  for (int i = 0; i < FEATURE_DISC_CORNERS; i++) {
    ctReal local[3] = {x, up ? -y : y, up ? c->size[1] : -c->size[1]};
    feature_place(out->at[i], c, local);
    ctReal turned = FEATURE_DISC_COS * x - FEATURE_DISC_SIN * y;
    y = FEATURE_DISC_SIN * x + FEATURE_DISC_COS * y;
    x = turned;
  }
}

// The line of a cylinder's side or a capsule's surface through the witness point. A cylinder's begins at the
// end where the witness is.
static CT_FN bool feature_line(Feature* out, const ctiConvex* c, const ctReal witness[3], int k) {
  if (k > 0) return false;
  ctReal axis[3], shift[3], middle[3];
  cti_column3(axis, c->mat, 2);
  cti_sub3(shift, witness, c->pos);
  ctReal along = cti_dot3(shift, axis), half = c->size[1];
  cti_add_scaled3(shift, axis, -along);
  if (c->type == CT_GEOM_CYLINDER) {
    if (cti_normalize3(shift) < CTI_MINVAL) return false;
    cti_scale3(shift, shift, c->size[0]);
    if (along > 0) half = -half;
  }
  cti_add3(middle, c->pos, shift);
  out->n = 2;
  cti_along3(out->at[0], middle, axis, -half);
  cti_along3(out->at[1], middle, axis, half);
  return true;
}

// How many faces there are at corner `id` at most.
static CT_FN int shape_faces_room(const ctiShape* s, int id) {
  const bool mesh = s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF;
  return mesh ? s->m->mesh_polymapnum[s->m->mesh_vertadr[s->data] + id] : 3;
}

// The faces of a shape that have all of the corners `id` (1 to 3 distinct ones), of a cylinder the end that
// looks along `dir`. Returns how many.
static CT_FN int shape_faces(Face* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
                             const ctReal dir[3]) {
  switch (s->type) {
    case CT_GEOM_BOX: return feature_box_faces(out, c, id, nid);
    case CT_GEOM_MESH:
    case CT_GEOM_SDF: return feature_mesh_faces(out, s, c, id, nid);
    case CT_GEOM_CYLINDER: return feature_disc(out, c, dir);
    default: return 0;
  }
}

// The corners of a face.
static CT_FN void shape_face(Feature* out, const ctiShape* s, const ctiConvex* c, const Face* face) {
  cti_copy3(out->normal, face->normal);
  switch (s->type) {
    case CT_GEOM_BOX: feature_box_face(out, c, face->number); break;
    case CT_GEOM_CYLINDER: feature_disc_face(out, c, face->number != 0); break;
    default: feature_mesh_face(out, s->m, c, face->number); break;
  }
}

// The k-th edge of a shape at the corners `id` (false when there are fewer); `witness` is the point of the
// surface that the search found.
static CT_FN bool shape_edge(Feature* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
                             const ctReal witness[3], int k) {
  bool found;
  if (nid == 0) return false;
  switch (s->type) {
    case CT_GEOM_BOX: found = feature_box_edge(out, c, id, nid, k); break;
    case CT_GEOM_MESH:
    case CT_GEOM_SDF: found = feature_mesh_edge(out, s, c, id, nid, k); break;
    case CT_GEOM_CYLINDER:
    case CT_GEOM_CAPSULE: found = feature_line(out, c, witness, k); break;
    default: return false;
  }
  if (found) {
    cti_sub3(out->normal, out->at[1], out->at[0]);
    cti_normalize3(out->normal);
  }
  return found;
}

// ---- several points where flat or straight parts of two convex shapes lie against each other ----

#define MULTI_FACES CT_R(0.996)   // two faces match when the cosine of their normals is below minus this
#define MULTI_EDGE  CT_R(0.0888)  // a face and an edge when the sine of their angle is below this
#define MULTI_LOOK  CT_R(0.0888)  // a face must look at the face of the other shape at least this much
#define MULTI_GRAZE CT_R(1e-3)    // ... and at its edge this much: the search knows directions so well

// One side of the contact.
typedef struct ManifoldSide {
  const ctiShape* shape;
  const ctiConvex* convex;
  bool first;         // of the two
  int id[3], nid;     // corners that made the result
  ctReal dir[3];      // towards the other shape
  ctReal witness[3];  // point of the surface; of a cylinder the first corner of the result
  ctReal layer;       // a capsule's line is sought this far outside
  Face* face;         // faces at those corners
  int nface;
} ManifoldSide;

static CT_FN void manifold_side(ManifoldSide* s, const ctiCcd* r, const ctiShape* shape,
                                const ctiConvex* convex, bool first, ctReal margin) {
  s->shape = shape;
  s->convex = convex;
  s->first = first;
  s->nid = 0;
  for (int i = 0; i < r->n && s->nid < 3; i++) {
    int id = first ? r->simplex[i].ia : r->simplex[i].ib;
    bool known = false;
    for (int k = 0; k < s->nid; k++) known = known || s->id[k] == id;
    if (!known) s->id[s->nid++] = id;
  }
  cti_scale3(s->dir, r->normal, first ? CT_R(1) : CT_R(-1));
  s->layer = 0;
  if (shape->type == CT_GEOM_CYLINDER) {
    cti_copy3(s->witness, first ? r->simplex[0].a : r->simplex[0].b);
  } else {
    if (shape->type == CT_GEOM_CAPSULE && margin > 0) s->layer = CT_R(0.5) * margin;
    cti_along3(s->witness, first ? r->a : r->b, s->dir, s->layer);
  }
}

// Whether a face looks at the other shape.
static CT_FN bool manifold_looks(const ManifoldSide* s, const Face* f, ctReal least) {
  return cti_dot3(f->normal, s->dir) > least;
}

// Find the two faces that are most against each other.
static CT_FN bool manifold_match_faces(Feature* f, Feature* g, const ManifoldSide* a, const ManifoldSide* b) {
  const Face *best_a = (const Face*)0, *best_b = (const Face*)0;
  ctReal best = -MULTI_FACES;
  for (int i = 0; i < a->nface; i++) {
    const Face* x = a->face + i;
    if (!manifold_looks(a, x, MULTI_LOOK)) continue;
    for (int k = 0; k < b->nface; k++) {
      const Face* y = b->face + k;
      ctReal cosine = cti_dot3(x->normal, y->normal);
      if (cosine >= best || !manifold_looks(b, y, MULTI_LOOK)) continue;
      best = cosine;
      best_a = x;
      best_b = y;
    }
  }
  if (!best_a) return false;
  shape_face(f, a->shape, a->convex, best_a);
  shape_face(g, b->shape, b->convex, best_b);
  return true;
}

// Faces of a side that are not seen edge-on along the normal of the contact.
static CT_FN int manifold_count_faces(const ManifoldSide* s) {
  int n = 0;
  for (int i = 0; i < s->nface; i++) n += cti_abs(cti_dot3(s->face[i].normal, s->dir)) > MULTI_LOOK;
  return n;
}

// What offers no edge to the end of a cylinder that comes first, as measured: one end of a second cylinder,
// and the corner of a polytope at which fewer than three faces are left when those seen edge-on are not
// counted.
static CT_FN bool manifold_no_edge(const ManifoldSide* a, const ManifoldSide* b) {
  return a->shape->type == CT_GEOM_CYLINDER && a->first && b->nid == 1 && manifold_count_faces(b) < 3;
}

// Find a face of `a` and an edge of `b` that lies in it.
static CT_FN bool manifold_match_edge(Feature* f, Feature* e, const ManifoldSide* a, const ManifoldSide* b) {
  if (manifold_no_edge(a, b)) return false;
  for (int i = 0; i < a->nface; i++) {
    const Face* x = a->face + i;
    if (!manifold_looks(a, x, MULTI_GRAZE)) continue;
    for (int k = 0; shape_edge(e, b->shape, b->convex, b->id, b->nid, b->witness, k); k++) {
      if (cti_abs(cti_dot3(x->normal, e->normal)) >= MULTI_EDGE) continue;
      shape_face(f, a->shape, a->convex, x);
      return true;
    }
  }
  return false;
}

// How far a point lies inside of a side through `p`.
CT_INLINE ctReal clip_depth(const ctReal at[3], const ctReal p[3], const ctReal inward[3]) {
  ctReal rel[3];
  cti_sub3(rel, at, p);
  return cti_dot3(rel, inward);
}

// Keep what lies inside the sides of `face`, which go along its normal; `other` is room for as many corners.
// An edge is a polygon with two corners and two sides.
static CT_FN void manifold_clip(Feature* poly, ctReal (*other)[3], const Feature* face) {
  ctReal(*at)[3] = poly->at;
  int count = poly->n;
  for (int i = 0; i < face->n && count > 0; i++) {
    const ctReal *p = face->at[i], *q = face->at[i + 1 < face->n ? i + 1 : 0];
    ctReal edge[3], inward[3];
    cti_sub3(edge, q, p);
    cti_cross3(inward, edge, face->normal);
    const ctReal first = clip_depth(at[0], p, inward);
    ctReal df = first;
    int n = 0;
    for (int k = 0; k < count; k++) {
      const bool last = k + 1 == count;
      const ctReal *from = at[k], *to = at[last ? 0 : k + 1];
      const ctReal dt = last ? first : clip_depth(to, p, inward);
      if ((df >= 0) != (dt >= 0)) {
        // from inside out, so that both directions of an edge give the same bits
        const ctReal *in = df >= 0 ? from : to, *out = df >= 0 ? to : from;
        ctReal depth = df >= 0 ? df : dt, beyond = df >= 0 ? dt : df, x = depth / (depth - beyond);
        for (int c = 0; c < 3; c++) other[n][c] = in[c] + x * (out[c] - in[c]);
        n++;
      }
      if (dt >= 0) cti_copy3(other[n++], to);
      df = dt;
    }
    ctReal(*swap)[3] = at;
    at = other;
    other = swap;
    count = n;
  }
  poly->at = at;
  poly->n = count;
}

// The plane that distances are measured from.
typedef struct ManifoldFloor {
  ctReal point[3], normal[3];
} ManifoldFloor;

static CT_FN ManifoldFloor manifold_floor(const Feature* face) {
  ManifoldFloor floor;
  cti_copy3(floor.point, face->at[0]);
  cti_copy3(floor.normal, face->normal);
  return floor;
}

// Of the corners that are left of an edge, the two that are farthest from each other.
static CT_FN void manifold_ends(Feature* poly, const ManifoldFloor* floor, ctReal margin) {
  int n = 0, a = 0, b = 0;
  ctReal far = -1;
  for (int i = 0; i < poly->n; i++) {
    ctReal rel[3];
    cti_sub3(rel, poly->at[i], floor->point);
    if (cti_dot3(rel, floor->normal) <= margin) cti_copy3(poly->at[n++], poly->at[i]);
  }
  poly->n = n;
  if (n < 2) return;
  for (int i = 0; i < n; i++) {
    for (int k = i + 1; k < n; k++) {
      ctReal rel[3];
      cti_sub3(rel, poly->at[k], poly->at[i]);
      ctReal dist2 = cti_dot3(rel, rel);
      if (dist2 <= far) continue;
      far = dist2;
      a = i;
      b = k;
    }
  }
  ctReal keep[3];
  cti_copy3(keep, poly->at[b]);
  cti_copy3(poly->at[0], poly->at[a]);
  cti_copy3(poly->at[1], keep);
  poly->n = 2;
}

// Reduce a polygon to a quadrilateral of large area.
static CT_FN void manifold_reduce(Feature* poly) {
  if (poly->n <= 4) return;
  int c[4];
  ctReal quad[4][3];
  large_quad(c, (const ctReal(*)[3])poly->at, poly->n);
  for (int k = 0; k < 4; k++) cti_copy3(quad[k], poly->at[c[k]]);
  for (int k = 0; k < 4; k++) cti_copy3(poly->at[k], quad[k]);
  poly->n = 4;
}

// Points of `poly` against the floor, which belongs to the first shape or the second.
static CT_FN int manifold_points(ctiPoint* out, const Feature* poly, const ManifoldFloor* floor, bool first,
                                 ctReal margin) {
  int n = 0;
  for (int i = 0; i < poly->n; i++) {
    ctReal rel[3];
    cti_sub3(rel, poly->at[i], floor->point);
    ctReal dist = cti_dot3(rel, floor->normal);
    if (dist > margin) continue;
    out[n].dist = dist;
    cti_along3(out[n].pos, poly->at[i], floor->normal, CT_R(-0.5) * dist);
    cti_scale3(out[n].normal, floor->normal, first ? CT_R(1) : CT_R(-1));
    cti_zero3(out[n].tangent);
    n++;
  }
  return n;
}

// Two faces: that of the second shape is clipped by the sides of the first, which go along the first one's
// normal. Each corner is then seen on the first face, and its distance from there measured along the second
// one's normal.
static CT_FN int manifold_faces(ctiPoint* out, const Feature* f, Feature* g, ctReal (*other)[3],
                                ctReal margin) {
  const ctReal cosine = cti_dot3(f->normal, g->normal);
  ctReal rel[3], seen[3];
  manifold_clip(g, other, f);
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    cti_sub3(rel, f->at[0], g->at[i]);
    if (cti_dot3(rel, f->normal) * cosine <= margin) cti_copy3(g->at[n++], g->at[i]);
  }
  g->n = n;
  manifold_reduce(g);
  for (int i = 0; i < g->n; i++) {
    cti_sub3(rel, f->at[0], g->at[i]);
    ctReal height = cti_dot3(rel, f->normal), dist = height * cosine;
    cti_along3(seen, g->at[i], f->normal, height);
    out[i].dist = dist;
    cti_along3(out[i].pos, seen, g->normal, CT_R(-0.5) * dist);
    cti_scale3(out[i].normal, g->normal, -1);
    cti_zero3(out[i].tangent);
  }
  return g->n;
}

// A face and an edge of the other shape: the edge is clipped by the sides of the face.
static CT_FN int manifold_edge(ctiPoint* out, Feature* face, Feature* edge, ctReal (*other)[3], bool first,
                               ctReal layer, ctReal margin) {
  ManifoldFloor floor = manifold_floor(face);
  manifold_clip(edge, other, face);
  for (int i = 0; i < edge->n; i++) cti_add_scaled3(edge->at[i], floor.normal, layer);
  manifold_ends(edge, &floor, margin);
  return manifold_points(out, edge, &floor, first, margin);
}

// The points of two sides whose faces are known; `block` is room for three polygons.
static CT_FN int manifold_match(ctiPoint* out, const ManifoldSide* s, const ManifoldSide* t, ctReal* block,
                                int room, ctReal margin) {
  Feature f, g;
  f.at = (ctReal(*)[3])block;
  g.at = (ctReal(*)[3])(block + 3 * room);
  ctReal(*other)[3] = (ctReal(*)[3])(block + 6 * room);
  if (manifold_match_faces(&f, &g, s, t)) return manifold_faces(out, &f, &g, other, margin);
  if (manifold_match_edge(&g, &f, t, s)) return manifold_edge(out, &g, &f, other, false, s->layer, margin);
  if (manifold_match_edge(&f, &g, s, t)) return manifold_edge(out, &f, &g, other, true, t->layer, margin);
  return 0;
}

// Points of two shapes around the result of a search, relative to the origin of the search; `p` and `q` are
// the convex forms of the shapes `a` and `b`. Returns 0 when no parts match: then the one point of the search
// is all there is.
static CT_FN int manifold_contact(ctiPoint* out, const ctiCcd* result, const ctiShape* a, const ctiConvex* p,
                                  const ctiShape* b, const ctiConvex* q, ctReal margin, ctData* d) {
  ManifoldSide side[2];
  manifold_side(&side[0], result, a, p, true, margin);
  manifold_side(&side[1], result, b, q, false, margin);
  const int room = 2 * (face_corners(a) + face_corners(b));
  size_t mark = cti_scratch_mark(d);
  ctReal* block = CTI_SCRATCH(d, ctReal, 9 * (int64_t)room, "manifold.corners");
  bool ready = block != (ctReal*)0;
  for (int i = 0; i < 2; i++) {
    ManifoldSide* s = side + i;
    s->nface = 0;
    if (s->nid == 0) continue;
    s->face = CTI_SCRATCH(d, Face, shape_faces_room(s->shape, s->id[0]), "manifold.faces");
    ready = ready && s->face;
    if (s->face) s->nface = shape_faces(s->face, s->shape, s->convex, s->id, s->nid, s->dir);
  }
  int n = ready ? manifold_match(out, side, side + 1, block, room, margin) : 0;
  cti_scratch_release(d, mark);
  return n;
}

// ---- shapes that will meet ----

// The face that looks most along `dir`, from all faces.
static CT_FN bool shape_facing(Face* out, const ctiShape* s, const ctiConvex* c, const ctReal dir[3]) {
  ctReal best = 0, normal[3];
  bool found = false;
  if (s->type == CT_GEOM_CYLINDER) return feature_disc(out, c, dir) > 0;
  const bool mesh = s->type == CT_GEOM_MESH && s->data >= 0, box = s->type == CT_GEOM_BOX;
  const int first = mesh ? s->m->mesh_polyadr[s->data] : 0,
            n = mesh ? s->m->mesh_polynum[s->data] : (box ? 6 : 0);
  for (int i = first; i < first + n; i++) {
    if (mesh) {
      cti_mul_mat_vec3(normal, c->mat, s->m->mesh_polynormal + 3 * i);
    } else {
      cti_column3(normal, c->mat, i / 2);
      if (i % 2 == 0) cti_scale3(normal, normal, -1);
    }
    ctReal look = cti_dot3(normal, dir);
    if (found && look <= best) continue;
    found = true;
    best = look;
    out->number = i;
    cti_copy3(out->normal, normal);
  }
  return found;
}

// The line of a capsule or cylinder that lies along a plane; a capsule's is sought `layer` outside.
static CT_FN bool shape_lying(Feature* out, const ctiShape* s, const ctiConvex* c, const ctReal dir[3],
                              const ctReal witness[3], ctReal layer) {
  ctReal axis[3], at[3];
  cti_column3(axis, c->mat, 2);
  if (cti_abs(cti_dot3(axis, dir)) >= MULTI_EDGE) return false;
  if (s->type == CT_GEOM_CYLINDER) return feature_line(out, c, witness, 0);
  cti_along3(at, witness, dir, layer);
  if (!feature_line(out, c, at, 0)) return false;
  for (int i = 0; i < 2; i++) cti_add_scaled3(out->at[i], dir, -layer);
  return true;
}

CT_FN int cti_facing_corners(ctReal (*out)[3], const ctiShape* s, const ctiConvex* c, const ctReal dir[3],
                             const ctReal witness[3], ctReal reach, ctData* d) {
  const bool line = s->type == CT_GEOM_CAPSULE || s->type == CT_GEOM_CYLINDER;
  Face face;
  Feature poly;
  int n = 0;
  size_t mark = cti_scratch_mark(d);
  poly.n = 0;
  poly.at = (ctReal(*)[3])CTI_SCRATCH(d, ctReal, 3 * (int64_t)face_corners(s), "manifold.corners");
  if (poly.at && !(line && shape_lying(&poly, s, c, dir, witness, CT_R(0.5) * reach))) {
    poly.n = 0;
    if (shape_facing(&face, s, c, dir)) shape_face(&poly, s, c, &face);
  }
  for (int i = 0; i < poly.n; i++) {
    if (-cti_dot3(poly.at[i], dir) <= reach) cti_copy3(poly.at[n++], poly.at[i]);
  }
  poly.n = n;
  manifold_reduce(&poly);
  for (int i = 0; i < poly.n; i++) cti_copy3(out[i], poly.at[i]);
  cti_scratch_release(d, mark);
  return poly.n;
}

// ---- pairs without a formula: one or several points from the convex search ----

// Shapes with flat or straight parts.
static CT_FN bool convex_multiplies(const ctiShape* s) {
  return s->type == CT_GEOM_CAPSULE || s->type == CT_GEOM_CYLINDER || s->type == CT_GEOM_BOX ||
         s->type == CT_GEOM_MESH;
}

CT_FN int cti_convex_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  ctiConvex p, q;
  ctiCcd r;
  // work near the shapes, far from the origin of the world digits are lost
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  if (!cti_ccd(&r, &p, &q, margin, a->m->opt.ccd_tolerance, a->m->opt.ccd_iterations, d)) return 0;
  if (convex_multiplies(a) && convex_multiplies(b) && !(a->m->opt.disableflags & CT_DSBL_MULTICCD)) {
    int n = manifold_contact(out, &r, a, &p, b, &q, margin, d);
    for (int i = 0; i < n; i++) cti_add_to3(out[i].pos, a->pos);
    if (n > 0) return n;
  }
  out->dist = r.dist;
  cti_copy3(out->normal, r.normal);
  for (int i = 0; i < 3; i++) out->pos[i] = a->pos[i] + CT_R(0.5) * (r.a[i] + r.b[i]);
  cti_zero3(out->tangent);
  return 1;
}
