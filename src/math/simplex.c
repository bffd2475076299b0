#include "math/simplex.h"

#include "math/dense.h"

CT_FN ctReal cti_segment_nearest(const ctReal p[3], const ctReal q[3], const ctReal x[3]) {
  ctReal e[3], rel[3];
  cti_sub3(e, q, p);
  cti_sub3(rel, x, p);
  ctReal length2 = cti_dot3(e, e);
  return length2 > 0 ? cti_clip(cti_dot3(rel, e) / length2, 0, 1) : 0;
}

CT_FN void cti_weigh3(ctReal out[3], const ctReal* const* at, const ctReal* weight, int n) {
  cti_zero3(out);
  for (int i = 0; i < n; i++) cti_add_scaled3(out, at[i], weight[i]);
}

// The nearest point of the edges of a triangle: weights of its corners. Returns the squared distance.
static CT_FN ctReal triangle_edges_nearest(ctReal weight[3], const ctReal* const* at, const ctReal x[3]) {
  ctReal least = -1;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    ctReal t = cti_segment_nearest(at[i], at[j], x), rel[3];
    for (int k = 0; k < 3; k++) rel[k] = at[i][k] + t * (at[j][k] - at[i][k]) - x[k];
    ctReal dist2 = cti_dot3(rel, rel);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    weight[i] = 1 - t;
    weight[j] = t;
    weight[3 - i - j] = 0;
  }
  return least;
}

CT_FN void cti_triangle_nearest(ctReal weight[3], const ctReal* const* at, const ctReal x[3]) {
  ctReal e1[3], e2[3], n[3], c[3], p[3];
  cti_sub3(e1, at[1], at[0]);
  cti_sub3(e2, at[2], at[0]);
  cti_cross3(n, e1, e2);
  ctReal area2 = cti_dot3(n, n);
  if (area2 > CTI_MINVAL * CTI_MINVAL) {
    cti_sub3(p, x, at[0]);
    cti_cross3(c, p, e2);
    weight[1] = cti_dot3(c, n) / area2;
    cti_cross3(c, e1, p);
    weight[2] = cti_dot3(c, n) / area2;
    weight[0] = 1 - weight[1] - weight[2];
    if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0) return;
  }
  triangle_edges_nearest(weight, at, x);
}

// Faces of a tetrahedron: the one across corner i.
static CT_FN const int* tet_face(int i) {
  CT_CONST int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  return face[i];
}

CT_FN bool cti_tet_height(ctReal normal[3], ctReal* height, const ctReal* const* at, int i,
                          const ctReal x[3]) {
  const int* f = tet_face(i);
  ctReal e1[3], e2[3], rel[3];
  cti_sub3(e1, at[f[1]], at[f[0]]);
  cti_sub3(e2, at[f[2]], at[f[0]]);
  cti_cross3(normal, e1, e2);
  if (cti_normalize3(normal) < CTI_MINVAL) return false;
  cti_sub3(rel, at[i], at[f[0]]);
  if (cti_dot3(rel, normal) > 0) cti_scale3(normal, normal, -1);
  cti_sub3(rel, x, at[f[0]]);
  *height = cti_dot3(rel, normal);
  return true;
}

// Six times the volume over the cubed size: below this a tetrahedron is flat and has no inside.
#define TET_FLAT CT_R(1e-12)

CT_FN bool cti_tet_flat(const ctReal* const* at) {
  ctReal e[3][3], c[3], size = 0;
  for (int i = 0; i < 3; i++) {
    cti_sub3(e[i], at[i + 1], at[0]);
    ctReal length = cti_norm3(e[i]);
    if (length > size) size = length;
  }
  cti_cross3(c, e[0], e[1]);
  return !(cti_abs(cti_dot3(c, e[2])) > TET_FLAT * size * size * size);
}

CT_FN bool cti_tet_nearest(ctReal weight[4], ctReal normal[3], ctReal* height, const ctReal* const* at,
                           const ctReal x[3]) {
  bool inside = !cti_tet_flat(at);
  ctReal most = 0, least = -1;
  for (int i = 0; i < 4; i++) {
    ctReal n[3], h;
    if (!cti_tet_height(n, &h, at, i, x)) {
      inside = false;
      continue;
    }
    if (h > 0) inside = false;
    if (i > 0 && h <= most) continue;
    most = h;
    cti_copy3(normal, n);
  }
  *height = most;
  if (inside) {
    ctReal e[3][3], c[3], rel[3];
    for (int i = 0; i < 3; i++) cti_sub3(e[i], at[i + 1], at[0]);
    cti_cross3(c, e[0], e[1]);
    ctReal volume = cti_dot3(c, e[2]);
    cti_sub3(rel, x, at[0]);
    weight[0] = 1;
    for (int i = 0; i < 3; i++) {
      cti_cross3(c, e[(i + 1) % 3], e[(i + 2) % 3]);
      weight[i + 1] = cti_dot3(c, rel) / volume;
      weight[0] -= weight[i + 1];
    }
    return true;
  }
  for (int i = 0; i < 4; i++) {
    const int* f = tet_face(i);
    const ctReal* corner[3] = {at[f[0]], at[f[1]], at[f[2]]};
    ctReal w[3], p[3], rel[3];
    cti_triangle_nearest(w, corner, x);
    cti_weigh3(p, corner, w, 3);
    cti_sub3(rel, p, x);
    ctReal dist2 = cti_dot3(rel, rel);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    weight[i] = 0;
    for (int k = 0; k < 3; k++) weight[f[k]] = w[k];
  }
  return false;
}

CT_FN void cti_segments_nearest(ctReal* s, ctReal* t, const ctReal p0[3], const ctReal p1[3],
                                const ctReal q0[3], const ctReal q1[3]) {
  ctReal u[3], v[3], r[3], c[3], at[3];
  cti_sub3(u, p1, p0);
  cti_sub3(v, q1, q0);
  cti_sub3(r, p0, q0);
  cti_cross3(c, u, v);
  ctReal uu = cti_dot3(u, u), vv = cti_dot3(v, v), uv = cti_dot3(u, v), det = cti_dot3(c, c);
  *s = det > CTI_MINVAL * uu * vv ? cti_clip((uv * cti_dot3(v, r) - vv * cti_dot3(u, r)) / det, 0, 1) : 0;
  for (int i = 0; i < 3; i++) at[i] = p0[i] + *s * u[i];
  *t = cti_segment_nearest(q0, q1, at);
  for (int i = 0; i < 3; i++) at[i] = q0[i] + *t * v[i];
  *s = cti_segment_nearest(p0, p1, at);
}

CT_FN void cti_simplex_nearest(ctReal weight[4], const ctReal* const* at, int dim, const ctReal x[3]) {
  ctReal normal[3], height;
  weight[0] = 1;
  weight[1] = weight[2] = weight[3] = 0;
  if (dim == 1) {
    weight[1] = cti_segment_nearest(at[0], at[1], x);
    weight[0] = 1 - weight[1];
  } else if (dim == 2) {
    cti_triangle_nearest(weight, at, x);
  } else {
    cti_tet_nearest(weight, normal, &height, at, x);
  }
}
