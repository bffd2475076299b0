// What the narrow phase works on: a geom with its world pose, and the points where two geoms touch. Step
// code.
#pragma once

#include "corten/data.h"
#include "math/vec3.h"

// Most points a pair of geoms can have: a height field under a large geom.
#define CTI_MAX_POINTS    50
#define CTI_CONVEX_POINTS 8  // of two convex shapes, planes among them

// A geom placed in the world. Meshes bring their arrays, height fields their table.
typedef struct ctiShape {
  int type;            // ctGeomType
  const ctReal* pos;   // centre
  const ctReal* mat;   // orientation, rows
  const ctReal* size;  // as m->geom_size
  const ctModel* m;    // for meshes and height fields
  int data;            // mesh or height field, -1 for a primitive
  int plugin;          // instance that describes it, -1 for none; fields only
  const ctReal* aabb;  // bounds in its own frame: centre, half sizes; only fields look at it
} ctiShape;

// One point of contact, as a collider reports it.
typedef struct ctiPoint {
  ctReal dist;        // between the surfaces; negative is penetration
  ctReal pos[3];      // midpoint between the surfaces
  ctReal normal[3];   // from the first shape to the second
  ctReal tangent[3];  // preferred first tangent, zero for none
} ctiPoint;

// Writes the points at which two shapes are at most `margin` apart and returns how many. `out` has room for
// CTI_MAX_POINTS. Scratch comes from `d`.
typedef int (*ctiCollider)(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);

// Geom `geom` of a model at the pose it has in `d`.
CT_INLINE ctiShape cti_geom_shape(const ctModel* m, const ctData* d, int geom) {
  ctiShape s;
  s.type = m->geom_type[geom];
  s.pos = d->geom_xpos + 3 * geom;
  s.mat = d->geom_xmat + 9 * geom;
  s.size = m->geom_size + 3 * geom;
  s.m = m;
  s.data = m->geom_dataid[geom];
  s.plugin = m->geom_plugin[geom];
  s.aabb = m->geom_aabb + 6 * geom;
  return s;
}

// Column `i` of a matrix: the world direction of a shape's axis.
CT_INLINE void cti_column3(ctReal r[3], const ctReal mat[9], int i) {
  r[0] = mat[i];
  r[1] = mat[3 + i];
  r[2] = mat[6 + i];
}

// r = a + s * b
CT_INLINE void cti_along3(ctReal r[3], const ctReal a[3], const ctReal b[3], ctReal s) {
  r[0] = a[0] + s * b[0];
  r[1] = a[1] + s * b[1];
  r[2] = a[2] + s * b[2];
}

CT_INLINE ctReal cti_clamp(ctReal x, ctReal lo, ctReal hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

// Any unit vector across a unit vector.
CT_INLINE void cti_across3(ctReal r[3], const ctReal n[3]) {
  ctReal e[3] = {0, 0, 0};
  e[cti_abs(n[0]) < CT_R(0.5) ? 0 : 1] = 1;
  cti_cross3(r, n, e);
  cti_normalize3(r);
}
