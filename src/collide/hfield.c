// Height field and a convex shape: the field is a row of triangular prisms from its bottom to its surface;
// those below the shape are searched one by one, in the frame of the field.
#include "collide/convex.h"
#include "collide/element.h"
#include "collide/pairs.h"

// Bounds of a convex shape in the frame of the field; false when it is beside or above the field.
static CT_FN bool hfield_patch(ctiPatch* patch, const ctiShape* field, const ctiConvex* shape,
                               ctReal margin) {
  const ctModel* m = field->m;
  const ctReal* size = m->hfield_size + 4 * field->data;
  int nrow = m->hfield_nrow[field->data], ncol = m->hfield_ncol[field->data];
  ctReal lo[3], hi[3];
  for (int i = 0; i < 3; i++) {
    ctReal axis[3] = {0, 0, 0}, point[3];
    axis[i] = 1;
    cti_support(point, shape, axis);
    hi[i] = point[i] + shape->radius + margin;
    axis[i] = -1;
    cti_support(point, shape, axis);
    lo[i] = point[i] - shape->radius - margin;
  }
  if (lo[0] > size[0] || hi[0] < -size[0] || lo[1] > size[1] || hi[1] < -size[1] || lo[2] > size[2] ||
      hi[2] < -size[3]) {
    return false;
  }
  ctReal across = 2 * size[0] / (ctReal)(ncol - 1), along = 2 * size[1] / (ctReal)(nrow - 1);
  ctReal c0 = (lo[0] + size[0]) / across, c1 = (hi[0] + size[0]) / across;
  ctReal r0 = (lo[1] + size[1]) / along, r1 = (hi[1] + size[1]) / along;
  patch->col0 = cti_cell(c0, ncol - 1);
  patch->row0 = cti_cell(r0, nrow - 1);
  patch->col1 = cti_cell(c1, ncol - 2);
  patch->row1 = cti_cell(r1, nrow - 2);
  patch->low = lo[2];
  return true;
}

// Corner of the field's grid; returns its height.
static CT_FN ctReal hfield_corner(ctReal out[3], const ctiShape* field, int row, int col) {
  const ctModel* m = field->m;
  const ctReal* size = m->hfield_size + 4 * field->data;
  int nrow = m->hfield_nrow[field->data], ncol = m->hfield_ncol[field->data];
  out[0] = 2 * size[0] / (ctReal)(ncol - 1) * (ctReal)col - size[0];
  out[1] = 2 * size[1] / (ctReal)(nrow - 1) * (ctReal)row - size[1];
  out[2] = (ctReal)m->hfield_data[m->hfield_adr[field->data] + row * ncol + col] * size[2];
  return out[2];
}

// Triangle `half` of a cell as a prism; returns its highest point.
static CT_FN ctReal hfield_prism(ctiConvex* prism, const ctiShape* field, int row, int col, int half) {
  ctReal top = CT_R(-1e30), bottom = -field->m->hfield_size[4 * field->data + 3];
  cti_zero3(prism->pos);
  for (int i = 0; i < 3; i++) {
    // in rows and columns: (0,0) (1,0) (1,1) is the first half, (0,0) (1,1) (0,1) the second
    int r = row + (half ? i == 1 : i > 0), c = col + (half ? i > 0 : i == 2);
    ctReal height = hfield_corner(prism->prism[3 + i], field, r, c);
    if (height > top) top = height;
    cti_copy3(prism->prism[i], prism->prism[3 + i]);
    prism->prism[i][2] = bottom;
  }
  for (int i = 0; i < 6; i++) cti_add_scaled3(prism->pos, prism->prism[i], CT_R(1) / 6);
  return top;
}

// A result in the frame of the field as a point in the world.
static CT_FN void hfield_point(ctiPoint* out, const ctiShape* field, const ctiCcd* r) {
  ctReal middle[3];
  for (int i = 0; i < 3; i++) middle[i] = CT_R(0.5) * (r->a[i] + r->b[i]);
  out->dist = r->dist;
  cti_mul_mat_vec3(out->normal, field->mat, r->normal);
  cti_mul_mat_vec3(out->pos, field->mat, middle);
  cti_add_to3(out->pos, field->pos);
  cti_zero3(out->tangent);
}

// The point of a shape, which is given in the frame of the field, and of a prism that reaches up to `low`.
// What the search changes in the shape is put back.
static CT_FN int hfield_meet(ctiPoint* out, const ctiShape* field, ctiConvex* shape, ctReal margin,
                             ctReal low, int row, int col, int half, ctData* d) {
  const ctOption* opt = &field->m->opt;
  ctiConvex prism;
  if (hfield_prism(&prism, field, row, col, half) < low) return 0;
  const ctReal radius = shape->radius, skin = shape->skin;
  const bool polytope = shape->polytope;
  ctiCcd r;
  prism.type = CTI_CONVEX_PRISM;
  prism.mat = prism.size = (const ctReal*)0;
  prism.polytope = true;
  prism.radius = prism.skin = 0;
  const bool found = cti_ccd(&r, &prism, shape, margin, opt->ccd_tolerance, opt->ccd_iterations, d);
  shape->radius = radius;
  shape->skin = skin;
  shape->polytope = polytope;
  if (found) hfield_point(out, field, &r);
  return found;
}

// All points of such a shape.
static CT_FN int hfield_search(ctiPoint* out, const ctiShape* field, ctiConvex* shape, ctReal margin,
                               ctData* d) {
  ctiPatch p;
  if (!hfield_patch(&p, field, shape, margin)) return 0;
  int n = 0;
  for (int row = p.row0; row <= p.row1; row++) {
    for (int col = p.col0; col <= p.col1; col++) {
      for (int half = 0; half < 2 && n < CTI_MAX_POINTS; half++)
        n += hfield_meet(out + n, field, shape, margin, p.low, row, col, half, d);
    }
  }
  return n;
}

// A geom in the frame of a field.
typedef struct LocalShape {
  ctReal pos[3], mat[9];
  ctiConvex convex;
} LocalShape;

static CT_FN void hfield_local(LocalShape* out, const ctiShape* field, const ctiShape* geom) {
  ctReal origin[3] = {0, 0, 0}, rel[3];
  cti_sub3(rel, geom->pos, field->pos);
  cti_mul_mat_t_vec3(out->pos, field->mat, rel);
  cti_mul_mat_t_mat3(out->mat, field->mat, geom->mat);
  ctiShape local = *geom;
  local.pos = out->pos;
  local.mat = out->mat;
  cti_convex_init(&out->convex, &local, origin);
}

CT_FN int cti_hfield_convex(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  if (a->data < 0) return 0;
  LocalShape local;
  hfield_local(&local, a, b);
  return hfield_search(out, a, &local.convex, margin, d);
}

CT_FN bool cti_hfield_patch(ctiPatch* out, const ctiShape* a, const ctiShape* b, ctReal margin) {
  if (a->data < 0) return false;
  LocalShape local;
  hfield_local(&local, a, b);
  return hfield_patch(out, a, &local.convex, margin);
}

CT_FN bool cti_hfield_reaches(const ctiShape* field, const ctiPatch* p, int row, int col, int half) {
  ctiConvex prism;
  return !(hfield_prism(&prism, field, row, col, half) < p->low);
}

CT_KERNEL_NOINLINE int cti_hfield_cell(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin,
                                       int row, int col, int half, ctData* d) {
  LocalShape local;
  hfield_local(&local, a, b);
  return hfield_meet(out, a, &local.convex, margin, CT_R(-1e30), row, col, half, d);
}

CT_FN int cti_hfield_element(ctiPoint* out, const ctiShape* field, const ctiFlexElement* e, ctReal margin,
                             ctData* d) {
  if (field->data < 0) return 0;
  ctReal origin[3] = {0, 0, 0}, at[4][3], rel[3];
  ctiFlexElement local = *e;
  for (int i = 0; i <= e->dim; i++) {
    cti_sub3(rel, e->at[i], field->pos);
    cti_mul_mat_t_vec3(at[i], field->mat, rel);
    local.at[i] = at[i];
  }
  ctiConvex shape;
  cti_convex_element(&shape, &local, origin);
  return hfield_search(out, field, &shape, margin, d);
}
