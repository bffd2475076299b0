// The faces of a hull bound it as half-spaces; outside, the nearest point lies on a face that sees the point.
#include "query/hull.h"

#include "math/vec3.h"

static CT_FN void face_corner(const ctModel* m, int mesh, int face, int i, ctReal out[3]) {
  int vert = m->mesh_polyvert[m->mesh_polyvertadr[face] + i];
  const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vert);
  for (int k = 0; k < 3; k++) out[k] = (ctReal)v[k];
}

// Height of a point over a face.
static CT_FN ctReal face_height(const ctModel* m, int mesh, int face, const ctReal point[3]) {
  ctReal corner[3], rel[3];
  face_corner(m, mesh, face, 0, corner);
  cti_sub3(rel, point, corner);
  return cti_dot3(rel, m->mesh_polynormal + 3 * face);
}

// The way from the nearest point of a face to a point that is `height` above it. Corners go round
// anticlockwise.
static CT_FN void way_from_face(const ctModel* m, int mesh, int face, const ctReal point[3], ctReal height,
                                ctReal way[3]) {
  const ctReal* normal = m->mesh_polynormal + 3 * face;
  int count = m->mesh_polyvertnum[face];
  ctReal a[3], b[3], edge[3], outward[3], rel[3], least = -1;
  cti_scale3(way, normal, height);
  face_corner(m, mesh, face, count - 1, a);
  for (int i = 0; i < count; i++) {
    face_corner(m, mesh, face, i, b);
    cti_sub3(edge, b, a);
    cti_cross3(outward, edge, normal);
    cti_sub3(rel, point, a);
    ctReal length2 = cti_dot3(edge, edge);
    if (cti_dot3(rel, outward) > 0 && length2 > 0) {
      cti_add_scaled3(rel, edge, -cti_clip(cti_dot3(rel, edge) / length2, 0, 1));
      ctReal dist2 = cti_dot3(rel, rel);
      if (least < 0 || dist2 < least) {
        least = dist2;
        cti_copy3(way, rel);
      }
    }
    cti_copy3(a, b);
  }
}

CT_FN ctReal cti_hull_distance(const ctModel* m, int mesh, const ctReal point[3], ctReal grad[3]) {
  int first = m->mesh_polyadr[mesh], count = m->mesh_polynum[mesh], top = first;
  ctReal highest = 0, nearest = -1;
  cti_zero3(grad);
  for (int face = first; face < first + count; face++) {
    ctReal height = face_height(m, mesh, face, point);
    if (face == first || height > highest) {
      highest = height;
      top = face;
    }
    if (height <= 0) continue;
    ctReal way[3];
    way_from_face(m, mesh, face, point, height, way);
    ctReal dist2 = cti_dot3(way, way);
    if (nearest < 0 || dist2 < nearest) {
      nearest = dist2;
      cti_copy3(grad, way);
    }
  }
  if (nearest >= 0) return cti_normalize3(grad);
  if (count) cti_copy3(grad, m->mesh_polynormal + 3 * top);
  return highest;
}

CT_FN bool cti_hull_meets_ray(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3]) {
  int first = m->mesh_polyadr[mesh], count = m->mesh_polynum[mesh];
  ctReal enter = 0, leave = CT_R(1e30);
  for (int face = first; face < first + count; face++) {
    ctReal height = face_height(m, mesh, face, point), rate = cti_dot3(dir, m->mesh_polynormal + 3 * face);
    if (rate == 0 && height > 0) return false;
    if (rate > 0) leave = cti_min(leave, -height / rate);
    if (rate < 0) enter = cti_max(enter, -height / rate);
  }
  return count > 0 && enter <= leave;
}
