// Two boxes: the axis of least penetration among 15, then either the clipped faces or one point of two edges.
#include "collide/pairs.h"

// Separations closer than this (times the size of the boxes) count as equal to the margin.
#define BOX_SLACK CT_R(1e-13)
// Edges whose squared sine is below this are parallel: their cross product is no axis.
#define BOX_PARALLEL CT_R(1e-16)
// An edge axis must be better than the best face axis by this share of the depth, because faces give more
// points; and by a larger one where it nearly is the face axis.
#define BOX_EDGE_BIAS CT_R(1e-6)
// ... or by this share of the boxes' size: what is less is rounding.
#define BOX_EDGE_ROUNDING (sizeof(ctReal) == 4 ? CT_R(1e-6) : CT_R(1e-14))
#define BOX_EDGE_SHARE    CT_R(0.05)
#define BOX_EDGE_NEAR     CT_R(0.99)

// Both boxes, and where the second is seen from the first.
typedef struct BoxPair {
  const ctiShape *a, *b;
  ctReal world[3];  // centre of b from a, in the world
  ctReal rel[3];    // the same in a's frame
  ctReal turn[9];   // b's axes in a's frame, as columns
  ctReal abs[9];    // their absolute values
} BoxPair;

static CT_FN void box_pair(BoxPair* p, const ctiShape* a, const ctiShape* b) {
  p->a = a;
  p->b = b;
  cti_sub3(p->world, b->pos, a->pos);
  cti_mul_mat_t_vec3(p->rel, a->mat, p->world);
  cti_mul_mat_t_mat3(p->turn, a->mat, b->mat);
  for (int i = 0; i < 9; i++) p->abs[i] = cti_abs(p->turn[i]);
}

// Best of the six face axes; false when one separates.
static CT_FN bool box_face_axis(ctiBoxAxis* best, const BoxPair* p, ctReal limit) {
  const ctReal *sa = p->a->size, *sb = p->b->size;
  best->kind = -1;
  for (int k = 0; k < 6; k++) {
    int i = k % 3;
    ctReal along, own, other;
    if (k < 3) {
      along = p->rel[i];
      own = sa[i];
      other = p->abs[3 * i] * sb[0] + p->abs[3 * i + 1] * sb[1] + p->abs[3 * i + 2] * sb[2];
    } else {
      ctReal axis[3];
      cti_column3(axis, p->b->mat, i);
      along = cti_dot3(p->world, axis);
      own = sb[i];
      other = p->abs[i] * sa[0] + p->abs[3 + i] * sa[1] + p->abs[6 + i] * sa[2];
    }
    ctReal sep = cti_abs(along) - own - other;
    if (sep > limit) return false;
    if (best->kind >= 0 && sep <= best->sep) continue;
    best->sep = sep;
    best->kind = k;
    cti_zero3(best->normal);
    if (k < 3) {
      best->normal[i] = 1;
    } else {
      cti_column3(best->normal, p->turn, i);
    }
    if (along < 0) cti_scale3(best->normal, best->normal, -1);
  }
  return true;
}

// Replace the best axis by an edge axis that is clearly better; false when one separates.
static CT_FN bool box_edge_axis(ctiBoxAxis* best, const BoxPair* p, ctReal limit) {
  const ctiBoxAxis face = *best;
  ctiBoxAxis edge = face;
  bool found = false;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      ctReal e[3] = {0, 0, 0}, f[3], axis[3];
      e[i] = 1;
      cti_column3(f, p->turn, k);
      cti_cross3(axis, e, f);
      ctReal square = cti_dot3(axis, axis);
      if (square < BOX_PARALLEL) continue;
      cti_scale3(axis, axis, 1 / cti_sqrt(square));
      ctReal along = cti_dot3(axis, p->rel), width = 0;
      for (int c = 0; c < 3; c++) {
        ctReal g[3];
        cti_column3(g, p->turn, c);
        width += p->a->size[c] * cti_abs(axis[c]) + p->b->size[c] * cti_abs(cti_dot3(axis, g));
      }
      ctReal sep = cti_abs(along) - width;
      if (sep > limit) return false;
      if (found && sep <= edge.sep) continue;
      found = true;
      edge.sep = sep;
      edge.kind = 6 + 3 * i + k;
      cti_scale3(edge.normal, axis, along < 0 ? CT_R(-1) : CT_R(1));
    }
  }
  if (!found) return true;
  ctReal need = BOX_EDGE_BIAS * cti_abs(face.sep);
  for (int i = 0; i < 3; i++) need += BOX_EDGE_ROUNDING * (p->a->size[i] + p->b->size[i]);
  if (cti_abs(cti_dot3(edge.normal, face.normal)) > BOX_EDGE_NEAR) need += BOX_EDGE_SHARE * cti_abs(face.sep);
  if (edge.sep > face.sep + need) *best = edge;
  return true;
}

// To the world, with the point halfway between the surfaces.
static CT_FN void box_report(ctiPoint* out, const BoxPair* p, const ctReal local[3], const ctReal normal[3],
                             ctReal dist) {
  out->dist = dist;
  cti_mul_mat_vec3(out->pos, p->a->mat, local);
  cti_add_to3(out->pos, p->a->pos);
  cti_mul_mat_vec3(out->normal, p->a->mat, normal);
  cti_zero3(out->tangent);
}

// A polygon in the plane of the reference face: two coordinates in it and the height above it.
#define BOX_MAX_CORNERS 8
typedef struct BoxPolygon {
  ctReal at[BOX_MAX_CORNERS][3];
  int n;
} BoxPolygon;

// Keep the part where sign * coordinate `axis` is at most `limit`.
static CT_FN void box_clip(BoxPolygon* poly, int axis, ctReal sign, ctReal limit) {
  BoxPolygon in = *poly;
  poly->n = 0;
  for (int i = 0; i < in.n; i++) {
    const ctReal *p = in.at[i], *q = in.at[(i + 1) % in.n];
    ctReal dp = sign * p[axis] - limit, dq = sign * q[axis] - limit;
    if (dp <= 0 && poly->n < BOX_MAX_CORNERS) cti_copy3(poly->at[poly->n++], p);
    if ((dp <= 0) != (dq <= 0) && poly->n < BOX_MAX_CORNERS) {
      ctReal t = dp / (dp - dq);
      ctReal* r = poly->at[poly->n++];
      for (int c = 0; c < 3; c++) r[c] = p[c] + t * (q[c] - p[c]);
    }
  }
}

// Faces: clip the face of one box that looks at the reference face of the other.
static CT_FN int box_faces(ctiPoint* out, const BoxPair* p, const ctiBoxAxis* best, ctReal margin) {
  const bool on_b = best->kind >= 3;
  const int axis = best->kind % 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
  const ctReal *ref = on_b ? p->b->size : p->a->size, *inc = on_b ? p->a->size : p->b->size;
  // normal of the reference face, outwards, and the incident box in the frame of the reference box
  ctReal outward[3], local[3], center[3], mat[9], normal[3] = {0, 0, 0};
  cti_scale3(outward, best->normal, on_b ? CT_R(-1) : CT_R(1));
  if (on_b) {
    cti_mul_mat_t_vec3(local, p->turn, p->rel);
    cti_scale3(center, local, -1);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) mat[3 * i + k] = p->turn[3 * k + i];
    }
    cti_mul_mat_t_vec3(normal, p->turn, outward);
  } else {
    cti_copy3(center, p->rel);
    for (int i = 0; i < 9; i++) mat[i] = p->turn[i];
    cti_copy3(normal, outward);
  }
  ctReal side = normal[axis] > 0 ? CT_R(1) : CT_R(-1);
  // incident face: the axis most along the normal, on the near side
  int face = 0;
  for (int i = 1; i < 3; i++) {
    if (cti_abs(mat[3 * axis + i]) > cti_abs(mat[3 * axis + face])) face = i;
  }
  ctReal near = side * mat[3 * axis + face] > 0 ? CT_R(-1) : CT_R(1);
  int f1 = (face + 1) % 3, f2 = (face + 2) % 3;
  BoxPolygon poly;
  poly.n = 4;
  for (int i = 0; i < 4; i++) {
    ctReal c[3], corner[3];
    c[face] = near * inc[face];
    c[f1] = i == 0 || i == 3 ? inc[f1] : -inc[f1];
    c[f2] = i < 2 ? inc[f2] : -inc[f2];
    cti_mul_mat_vec3(corner, mat, c);
    cti_add_to3(corner, center);
    poly.at[i][0] = corner[u];
    poly.at[i][1] = corner[v];
    poly.at[i][2] = side * corner[axis] - ref[axis];
  }
  for (int i = 0; i < 2; i++) {
    box_clip(&poly, i, 1, ref[i ? v : u]);
    box_clip(&poly, i, -1, ref[i ? v : u]);
  }
  int n = 0;
  for (int i = 0; i < poly.n; i++) {
    ctReal dist = poly.at[i][2], point[3];
    if (dist > margin) continue;
    point[u] = poly.at[i][0];
    point[v] = poly.at[i][1];
    point[axis] = side * (ref[axis] + CT_R(0.5) * dist);
    if (on_b) {
      cti_mul_mat_vec3(local, p->turn, point);
      cti_add3(point, local, p->rel);
    }
    box_report(out + n++, p, point, best->normal, dist);
  }
  return n;
}

// Edges: the nearest points of the two edges that support the axis.
static CT_FN int box_edges(ctiPoint* out, const BoxPair* p, const ctiBoxAxis* best) {
  int i = (best->kind - 6) / 3, k = (best->kind - 6) % 3;
  ctReal pa[3], pb[3], e[3] = {0, 0, 0}, f[3], g[3], rel[3];
  e[i] = 1;
  cti_column3(f, p->turn, k);
  cti_copy3(pb, p->rel);
  for (int c = 0; c < 3; c++) {
    pa[c] = c == i ? 0 : (best->normal[c] > 0 ? p->a->size[c] : -p->a->size[c]);
    if (c == k) continue;
    cti_column3(g, p->turn, c);
    cti_add_scaled3(pb, g, cti_dot3(best->normal, g) > 0 ? -p->b->size[c] : p->b->size[c]);
  }
  // lines pa + s e and pb + t f
  cti_sub3(rel, pb, pa);
  ctReal ef = cti_dot3(e, f), er = cti_dot3(e, rel), fr = cti_dot3(f, rel), det = 1 - ef * ef;
  ctReal s = cti_clamp((er - ef * fr) / det, -p->a->size[i], p->a->size[i]);
  ctReal t = cti_clamp(ef * s - fr, -p->b->size[k], p->b->size[k]);
  s = cti_clamp(ef * t + er, -p->a->size[i], p->a->size[i]);
  cti_add_scaled3(pa, e, s);
  cti_add_scaled3(pb, f, t);
  cti_add3(pa, pa, pb);
  cti_scale3(pa, pa, CT_R(0.5));
  box_report(out, p, pa, best->normal, best->sep);
  return 1;
}

CT_FN bool cti_box_axis(ctiBoxAxis* best, const ctiShape* a, const ctiShape* b, ctReal limit) {
  BoxPair p;
  box_pair(&p, a, b);
  return box_face_axis(best, &p, limit) && box_edge_axis(best, &p, limit);
}

CT_FN int cti_box_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  BoxPair p;
  box_pair(&p, a, b);
  ctReal scale = 0;
  for (int i = 0; i < 3; i++) scale += a->size[i] + b->size[i];
  ctReal limit = margin + BOX_SLACK * scale;
  ctiBoxAxis best;
  if (!box_face_axis(&best, &p, limit) || !box_edge_axis(&best, &p, limit)) return 0;
  return best.kind < 6 ? box_faces(out, &p, &best, margin) : box_edges(out, &p, &best);
}
