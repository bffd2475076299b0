#include "collide/multi.h"

#include "collide/spread.h"
#include "data/arena.h"

#define MULTI_FACES CT_R(0.996)   // two faces match when the cosine of their normals is below minus this
#define MULTI_EDGE  CT_R(0.0888)  // a face and an edge when the sine of their angle is below this
#define MULTI_LOOK  CT_R(0.0888)  // a face must look at the other shape at least this much

// One side of the contact.
typedef struct MultiSide {
  const ctiShape* shape;
  const ctiConvex* convex;
  bool first;         // of the two
  int id[3], nid;     // corners that made the result
  ctReal dir[3];      // towards the other shape
  ctReal witness[3];  // point of the surface; of a cylinder the first corner of the result
  ctReal layer;       // a capsule's line is sought this far outside
  ctiFace* face;      // faces at those corners
  int nface;
} MultiSide;

static CT_FN void multi_side(MultiSide* s, const ctiCcd* r, const ctiShape* shape, const ctiConvex* convex,
                             bool first, ctReal margin) {
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
static CT_FN bool multi_looks(const MultiSide* s, const ctiFace* f) {
  return cti_dot3(f->normal, s->dir) > MULTI_LOOK;
}

// Find the two faces that are most against each other.
static CT_FN bool multi_match_faces(ctiFeature* f, ctiFeature* g, const MultiSide* a, const MultiSide* b) {
  const ctiFace *best_a = (const ctiFace*)0, *best_b = (const ctiFace*)0;
  ctReal best = -MULTI_FACES;
  for (int i = 0; i < a->nface; i++) {
    const ctiFace* x = a->face + i;
    if (!multi_looks(a, x)) continue;
    for (int k = 0; k < b->nface; k++) {
      const ctiFace* y = b->face + k;
      ctReal cosine = cti_dot3(x->normal, y->normal);
      if (cosine >= best || !multi_looks(b, y)) continue;
      best = cosine;
      best_a = x;
      best_b = y;
    }
  }
  if (!best_a) return false;
  cti_shape_face(f, a->shape, a->convex, best_a);
  cti_shape_face(g, b->shape, b->convex, best_b);
  return true;
}

// Faces of a side that are not seen edge-on along the normal of the contact.
static CT_FN int multi_count_faces(const MultiSide* s) {
  int n = 0;
  for (int i = 0; i < s->nface; i++) n += cti_abs(cti_dot3(s->face[i].normal, s->dir)) > MULTI_LOOK;
  return n;
}

// What offers no edge to the end of a cylinder that comes first, as measured: one end of a second cylinder,
// and the corner of a polytope at which fewer than three faces are left when those seen edge-on are not
// counted.
static CT_FN bool multi_no_edge(const MultiSide* a, const MultiSide* b) {
  return a->shape->type == CT_GEOM_CYLINDER && a->first && b->nid == 1 && multi_count_faces(b) < 3;
}

// Find a face of `a` and an edge of `b` that lies in it.
static CT_FN bool multi_match_edge(ctiFeature* f, ctiFeature* e, const MultiSide* a, const MultiSide* b) {
  if (multi_no_edge(a, b)) return false;
  for (int i = 0; i < a->nface; i++) {
    const ctiFace* x = a->face + i;
    if (!multi_looks(a, x)) continue;
    for (int k = 0; cti_shape_edge(e, b->shape, b->convex, b->id, b->nid, b->witness, k); k++) {
      if (cti_abs(cti_dot3(x->normal, e->normal)) >= MULTI_EDGE) continue;
      cti_shape_face(f, a->shape, a->convex, x);
      return true;
    }
  }
  return false;
}

// Keep what lies inside the sides of `face`, which go along its normal; `other` is room for as many corners.
// An edge is a polygon with two corners and two sides.
static CT_FN void multi_clip(ctiFeature* poly, ctReal (*other)[3], const ctiFeature* face) {
  for (int i = 0; i < face->n && poly->n > 0; i++) {
    const ctReal *p = face->at[i], *q = face->at[(i + 1) % face->n];
    ctReal edge[3], inward[3], rel[3];
    cti_sub3(edge, q, p);
    cti_cross3(inward, edge, face->normal);
    int n = 0;
    for (int k = 0; k < poly->n; k++) {
      const ctReal *from = poly->at[k], *to = poly->at[(k + 1) % poly->n];
      cti_sub3(rel, from, p);
      ctReal df = cti_dot3(rel, inward);
      cti_sub3(rel, to, p);
      ctReal dt = cti_dot3(rel, inward);
      if ((df >= 0) != (dt >= 0)) {
        // from inside out, so that both directions of an edge give the same bits
        const ctReal *in = df >= 0 ? from : to, *out = df >= 0 ? to : from;
        ctReal depth = df >= 0 ? df : dt, beyond = df >= 0 ? dt : df, x = depth / (depth - beyond);
        for (int c = 0; c < 3; c++) other[n][c] = in[c] + x * (out[c] - in[c]);
        n++;
      }
      if (dt >= 0) cti_copy3(other[n++], to);
    }
    ctReal(*swap)[3] = poly->at;
    poly->at = other;
    other = swap;
    poly->n = n;
  }
}

// The plane that distances are measured from.
typedef struct MultiFloor {
  ctReal point[3], normal[3];
} MultiFloor;

static CT_FN MultiFloor multi_floor(const ctiFeature* face) {
  MultiFloor floor;
  cti_copy3(floor.point, face->at[0]);
  cti_copy3(floor.normal, face->normal);
  return floor;
}

// Of the corners that are left of an edge, the two that are farthest from each other.
static CT_FN void multi_ends(ctiFeature* poly, const MultiFloor* floor, ctReal margin) {
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
static CT_FN void multi_reduce(ctiFeature* poly) {
  if (poly->n <= 4) return;
  int c[4];
  cti_spread(c, (const ctReal(*)[3])poly->at, poly->n);
  for (int k = 0; k < 4; k++) cti_copy3(poly->at[k], poly->at[c[k]]);
  poly->n = 4;
}

// Points of `poly` against the floor, which belongs to the first shape or the second.
static CT_FN int multi_points(ctiPoint* out, const ctiFeature* poly, const MultiFloor* floor, bool first,
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
static CT_FN int multi_faces(ctiPoint* out, const ctiFeature* f, ctiFeature* g, ctReal (*other)[3],
                             ctReal margin) {
  const ctReal cosine = cti_dot3(f->normal, g->normal);
  ctReal rel[3], seen[3];
  multi_clip(g, other, f);
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    cti_sub3(rel, f->at[0], g->at[i]);
    if (cti_dot3(rel, f->normal) * cosine <= margin) cti_copy3(g->at[n++], g->at[i]);
  }
  g->n = n;
  multi_reduce(g);
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
static CT_FN int multi_edge(ctiPoint* out, ctiFeature* face, ctiFeature* edge, ctReal (*other)[3], bool first,
                            ctReal layer, ctReal margin) {
  MultiFloor floor = multi_floor(face);
  multi_clip(edge, other, face);
  for (int i = 0; i < edge->n; i++) cti_add_scaled3(edge->at[i], floor.normal, layer);
  multi_ends(edge, &floor, margin);
  return multi_points(out, edge, &floor, first, margin);
}

// The points of two sides whose faces are known; `block` is room for three polygons.
static CT_FN int multi_match(ctiPoint* out, const MultiSide* s, const MultiSide* t, ctReal* block, int room,
                             ctReal margin) {
  ctiFeature f, g;
  f.at = (ctReal(*)[3])block;
  g.at = (ctReal(*)[3])(block + 3 * room);
  ctReal(*other)[3] = (ctReal(*)[3])(block + 6 * room);
  if (multi_match_faces(&f, &g, s, t)) return multi_faces(out, &f, &g, other, margin);
  if (multi_match_edge(&g, &f, t, s)) return multi_edge(out, &g, &f, other, false, s->layer, margin);
  if (multi_match_edge(&f, &g, s, t)) return multi_edge(out, &f, &g, other, true, t->layer, margin);
  return 0;
}

CT_FN int cti_multi_contact(ctiPoint* out, const ctiCcd* result, const ctiShape* p, const ctiConvex* a,
                            const ctiShape* q, const ctiConvex* b, ctReal margin, ctData* d) {
  MultiSide side[2];
  multi_side(&side[0], result, p, a, true, margin);
  multi_side(&side[1], result, q, b, false, margin);
  const int room = 2 * (cti_face_corners(p) + cti_face_corners(q));
  size_t mark = cti_scratch_mark(d);
  ctReal* block = CTI_SCRATCH(d, ctReal, 3 * 3 * room, "multi.corners");
  bool ready = block != (ctReal*)0;
  for (int i = 0; i < 2; i++) {
    MultiSide* s = side + i;
    s->nface = 0;
    if (s->nid == 0) continue;
    s->face = CTI_SCRATCH(d, ctiFace, cti_shape_faces_room(s->shape, s->id[0]), "multi.faces");
    ready = ready && s->face;
    if (s->face) s->nface = cti_shape_faces(s->face, s->shape, s->convex, s->id, s->nid, s->dir);
  }
  int n = ready ? multi_match(out, side, side + 1, block, room, margin) : 0;
  cti_scratch_release(d, mark);
  return n;
}
