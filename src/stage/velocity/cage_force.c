// Elastic cages: cells or faces whose nodes are pulled back into the shape they have at rest, turned along
// with the element.
#include "math/quat.h"
#include "stage/velocity/flex_force.h"

// ---- forces ----

// out[n] += scale R S u, u in the axes of the cage
static CT_FN void add_rotated(ctReal* out, const ctiCageElement* e, const ctReal* u, ctReal scale) {
  const int n3 = 3 * e->n;
  for (int i = 0; i < e->n; i++) {
    ctReal f[3];
    if (!cti_is_mine(e->node[i])) continue;
    for (int k = 0; k < 3; k++) {
      const ctReal* row = e->S + (int64_t)(3 * i + k) * n3;
      ctReal sum = 0;
      for (int j = 0; j < n3; j++) sum += row[j] * u[j];
      f[k] = sum;
    }
    cti_mul_mat_vec3(f, e->rot, f);
    cti_add_scaled3(out + 3 * e->node[i], f, scale);
  }
}

// Rows and columns of the numbers that have yielded.
CT_CONST int offset_at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
CT_CONST int face_offset_at[3][2] = {{1, 1}, {2, 2}, {1, 2}};

static CT_FN void offset_place(int at[2], const ctiCage* cage, const ctiCageElement* e, int k) {
  for (int i = 0; i < 2; i++) at[i] = cage->shell ? e->axis[face_offset_at[k][i]] : offset_at[k][i];
}

CT_FN void cti_cage_offset(ctReal E[9], const ctiCage* cage, const ctiCageElement* e, const ctReal* numbers) {
  for (int k = 0; k < 9; k++) E[k] = 0;
  for (int k = 0; k < CTI_CAGE_OFFSETS(cage->shell); k++) {
    int at[2];
    offset_place(at, cage, e, k);
    E[3 * at[0] + at[1]] += numbers[k] / 2;
    E[3 * at[1] + at[0]] += numbers[k] / 2;
  }
}

CT_FN void cti_cage_store(ctReal* numbers, const ctiCage* cage, const ctiCageElement* e, const ctReal E[9]) {
  for (int k = 0; k < CTI_CAGE_OFFSETS(cage->shell); k++) {
    int at[2];
    offset_place(at, cage, e, k);
    numbers[k] = (at[0] == at[1] ? CT_R(1) : CT_R(2)) * E[3 * at[0] + at[1]];
  }
}

static CT_FN void element_forces(const ctiFlexForce* w, const ctiCage* cage, const ctiCageElement* e,
                                 const ctReal* yielded) {
  ctReal u[3 * CTI_CAGE_NODES];
  const ctReal* rest = w->m->flex_node0 + 3 * (int64_t)cage->first;
  if (w->spring) {
    for (int i = 0; i < e->n; i++) {
      cti_mul_mat_t_vec3(u + 3 * i, e->rot, w->x + 3 * e->node[i]);
      cti_sub3(u + 3 * i, u + 3 * i, rest + 3 * e->node[i]);
    }
    if (yielded) {
      ctReal E[9], t[3];
      cti_cage_offset(E, cage, e, yielded);
      for (int i = 0; i < e->n; i++) {
        cti_mul_mat_vec3(t, E, rest + 3 * e->node[i]);
        cti_sub3(u + 3 * i, u + 3 * i, t);
      }
    }
    add_rotated(w->spring, e, u, 1);
  }
  if (w->damper) {
    for (int i = 0; i < e->n; i++) cti_mul_mat_t_vec3(u + 3 * i, e->rot, w->v + 3 * e->node[i]);
    add_rotated(w->damper, e, u, w->m->flex_damping[w->flex]);
  }
}

// ---- bending of shells: faces that meet at an edge keep the angle between their normals ----

// A face at the middle of the edge it shares.
typedef struct FaceEnd {
  int node[CTI_FACE_NODES], n;
  ctReal quat[4];
  ctReal slow[3], fast[3], normal[3], area;
  const ctReal* at;
} FaceEnd;

static CT_FN void face_end(FaceEnd* end, const ctModel* m, int f, const ctiCage* cage, int face,
                           const ctReal* at, const ctReal* x) {
  int axis[3];
  ctReal F[9];
  end->n = cti_cage_face_nodes(cage, face, end->node, axis);
  cti_face_gradient(F, m, f, cage, end->node, axis, x);
  cti_nearest_rotation(end->quat, F);
  end->at = at;
  cti_face_tangents(end->slow, end->fast, cage->order, end->node, x, at);
  cti_cross3(end->normal, end->slow, end->fast);
  end->area = cti_normalize3(end->normal);
}

// out -= scale (derivative of the normal by the nodes)' r
static CT_FN void push_normal(ctReal* out, const FaceEnd* end, int order, const ctReal r[3], ctReal scale) {
  ctReal g[3], by_slow[3], by_fast[3], value[2][3], slope[2][3];
  cti_copy3(g, r);
  cti_add_scaled3(g, end->normal, -cti_dot3(end->normal, r));
  cti_scale3(g, g, scale / cti_max(end->area, CTI_MINVAL));
  cti_cross3(by_slow, end->fast, g);
  cti_cross3(by_fast, g, end->slow);
  for (int k = 0; k < 2; k++) cti_cage_basis(value[k], slope[k], order, end->at[k]);
  for (int i = 0, n = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++, n++) {
      if (!cti_is_mine(end->node[n])) continue;
      cti_add_scaled3(out + 3 * end->node[n], by_slow, -slope[0][i] * value[1][j]);
      cti_add_scaled3(out + 3 * end->node[n], by_fast, -value[0][i] * slope[1][j]);
    }
  }
}

#define FOLD_RECORD 10
static CT_FN void fold_forces(const ctiFlexForce* w, const ctiCage* cage) {
  const ctReal* record = w->m->flex_bending + w->m->flex_bendingadr[w->flex];
  const int count = (int)*record++;
  for (int i = 0; i < count; i++, record += FOLD_RECORD) {
    FaceEnd a, b;
    face_end(&a, w->m, w->flex, cage, (int)record[0], record + 2, w->x);
    face_end(&b, w->m, w->flex, cage, (int)record[1], record + 4, w->x);
    // the rest shape turns with the mean of both faces
    ctReal sign =
        a.quat[0] * b.quat[0] + a.quat[1] * b.quat[1] + a.quat[2] * b.quat[2] + a.quat[3] * b.quat[3] < 0
            ? CT_R(-1)
            : CT_R(1);
    ctReal quat[4], rest[3], r[3];
    for (int k = 0; k < 4; k++) quat[k] = a.quat[k] + sign * b.quat[k];
    cti_normalize4(quat);
    cti_quat_rotate(rest, quat, record + 7);
    cti_sub3(r, a.normal, b.normal);
    cti_sub3(r, r, rest);
    push_normal(w->spring, &a, cage->order, r, record[6]);
    push_normal(w->spring, &b, cage->order, r, -record[6]);
  }
  CT_TEAM_SYNC();
}

CT_FN void cti_cage_forces(const ctiFlexForce* w, const ctiCage* cage) {
  const ctModel* m = w->m;
  const bool stretches = m->flex_stiffnessadr[w->flex] >= 0 && m->flex_edgeequality[w->flex] != 3;
  const int count = stretches ? cti_cage_elements(cage) : 0, each = CTI_CAGE_OFFSETS(cage->shell);
  const int yields = m->flex_plasticmode[w->flex] & 2 ? m->flex_plasticadr[w->flex] : -1;
  for (int i = 0; i < count; i++) {
    ctiCageElement e;
    cti_cage_element(&e, m, w->flex, cage, i, w->x);
    if (!e.empty)
      element_forces(w, cage, &e, yields < 0 ? (const ctReal*)0 : w->d->plastic + yields + each * i);
  }
  CT_TEAM_SYNC();
  if (m->flex_bendingadr[w->flex] >= 0 && w->spring) fold_forces(w, cage);
}
