// Faces and edges of shapes, as multiple contacts need them.
#include "collide/multi.h"

#define FEATURE_DISC_CORNERS 16
#define FEATURE_DISC_COS     CT_R(0.92387953251128675613)  // of 22.5 degrees
#define FEATURE_DISC_SIN     CT_R(0.38268343236508977173)

CT_FN int cti_face_corners(const ctiShape* s) {
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
static CT_FN int feature_box_faces(ctiFace* out, const ctiConvex* c, const int* id, int nid) {
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

static CT_FN void feature_box_face(ctiFeature* out, const ctiConvex* c, int number) {
  CT_CONST int corner[6][4] = {{2, 6, 4, 0}, {7, 3, 1, 5}, {4, 5, 1, 0},
                               {2, 3, 7, 6}, {3, 2, 0, 1}, {6, 7, 5, 4}};
  out->n = 4;
  for (int i = 0; i < 4; i++) {
    ctReal local[3];
    for (int j = 0; j < 3; j++) local[j] = (corner[number][i] >> j) & 1 ? c->size[j] : -c->size[j];
    feature_place(out->at[i], c, local);
  }
}

static CT_FN bool feature_box_edge(ctiFeature* out, const ctiConvex* c, const int* id, int nid, int k) {
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

static CT_FN void feature_mesh_corner(ctReal out[3], const ctiConvex* c, int vertex) {
  ctReal local[3];
  for (int i = 0; i < 3; i++) local[i] = (ctReal)c->vert[3 * vertex + i];
  feature_place(out, c, local);
}

// Faces of a mesh are its polygons.
static CT_FN int feature_mesh_faces(ctiFace* out, const ctiShape* s, const ctiConvex* c, const int* id,
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

static CT_FN void feature_mesh_face(ctiFeature* out, const ctModel* m, const ctiConvex* c, int poly) {
  const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[poly];
  out->n = m->mesh_polyvertnum[poly];
  for (int j = 0; j < out->n; j++) feature_mesh_corner(out->at[out->n - 1 - j], c, vert[j]);
}

// Edges at one corner: each polygon around it brings the edge that leaves it, so that none comes twice.
static CT_FN bool feature_mesh_edge(ctiFeature* out, const ctiShape* s, const ctiConvex* c, const int* id,
                                    int nid, int k) {
  const ctModel* m = s->m;
  int other = -1;
  if (nid == 2) {
    if (k == 0) other = id[1];
  } else if (nid == 1) {
    const int vertex = m->mesh_vertadr[s->data] + id[0];
    if (k >= m->mesh_polymapnum[vertex]) return false;
    int poly = m->mesh_polyadr[s->data] + m->mesh_polymap[m->mesh_polymapadr[vertex] + k];
    const int *v = m->mesh_polyvert + m->mesh_polyvertadr[poly], n = m->mesh_polyvertnum[poly];
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
static CT_FN int feature_disc(ctiFace* out, const ctiConvex* c, const ctReal dir[3]) {
  cti_column3(out->normal, c->mat, 2);
  out->number = cti_dot3(out->normal, dir) > 0;
  if (!out->number) cti_scale3(out->normal, out->normal, -1);
  return 1;
}

static CT_FN void feature_disc_face(ctiFeature* out, const ctiConvex* c, bool up) {
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
static CT_FN bool feature_line(ctiFeature* out, const ctiConvex* c, const ctReal witness[3], int k) {
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

CT_FN int cti_shape_faces_room(const ctiShape* s, int id) {
  const bool mesh = s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF;
  return mesh ? s->m->mesh_polymapnum[s->m->mesh_vertadr[s->data] + id] : 3;
}

CT_FN int cti_shape_faces(ctiFace* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
                          const ctReal dir[3]) {
  switch (s->type) {
    case CT_GEOM_BOX: return feature_box_faces(out, c, id, nid);
    case CT_GEOM_MESH:
    case CT_GEOM_SDF: return feature_mesh_faces(out, s, c, id, nid);
    case CT_GEOM_CYLINDER: return feature_disc(out, c, dir);
    default: return 0;
  }
}

CT_FN void cti_shape_face(ctiFeature* out, const ctiShape* s, const ctiConvex* c, const ctiFace* face) {
  cti_copy3(out->normal, face->normal);
  switch (s->type) {
    case CT_GEOM_BOX: feature_box_face(out, c, face->number); break;
    case CT_GEOM_CYLINDER: feature_disc_face(out, c, face->number != 0); break;
    default: feature_mesh_face(out, s->m, c, face->number); break;
  }
}

CT_FN bool cti_shape_edge(ctiFeature* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
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
