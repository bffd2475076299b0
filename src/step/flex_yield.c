// Deformables that yield: what stays of stretching and bending at the end of a step; and the frames of rods,
// which begin the next one.
#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "stage/velocity/flex_force.h"
#include "step/step.h"

// ---- elements ----

// An element at rest: edge vectors, gradients of the vertices' weights, and the normal of a triangle.
typedef struct RestElement {
  int dim, nedge;
  ctReal edge[6][3], grad[4][3], normal[3];
} RestElement;

// Ends of the edges of an element, as they are counted.
CT_CONST int triangle_edge[3][2] = {{1, 2}, {2, 0}, {0, 1}};
CT_CONST int tetra_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

CT_INLINE const int* element_edge(int dim, int k) {
  return dim == 2 ? triangle_edge[k] : tetra_edge[k];
}

static CT_FN void rest_element(RestElement* e, const ctModel* m, int f, int element) {
  const int dim = m->flex_dim[f];
  const int* vert = m->flex_elem + m->flex_elemdataadr[f] + (dim + 1) * element;
  ctReal x[4][3], side[3][3], normal[3];
  e->dim = dim;
  e->nedge = CTI_STRETCH_EDGES(dim);
  for (int i = 0; i <= dim; i++) {
    const ctReal* place = m->flex_vert0 + 3 * (int64_t)(m->flex_vertadr[f] + vert[i]);
    for (int k = 0; k < 3; k++) x[i][k] = 2 * place[k] * m->flex_size[3 * f + k];
  }
  for (int k = 0; k < e->nedge; k++) {
    const int* end = element_edge(dim, k);
    cti_sub3(e->edge[k], x[end[1]], x[end[0]]);
  }
  for (int i = 0; i < dim; i++) cti_sub3(side[i], x[i + 1], x[0]);
  cti_cross3(normal, side[0], side[1]);
  if (dim == 2) {
    cti_copy3(e->normal, normal);
    cti_normalize3(e->normal);
    ctReal square = cti_max(cti_dot3(normal, normal), CTI_MINVAL * CTI_MINVAL);
    cti_cross3(e->grad[1], side[1], normal);
    cti_cross3(e->grad[2], normal, side[0]);
    for (int i = 1; i <= 2; i++) cti_scale3(e->grad[i], e->grad[i], 1 / square);
  } else {
    cti_zero3(e->normal);
    ctReal volume = cti_dot3(normal, side[2]);
    cti_cross3(e->grad[1], side[1], side[2]);
    cti_cross3(e->grad[2], side[2], side[0]);
    cti_cross3(e->grad[3], side[0], side[1]);
    for (int i = 1; i <= 3; i++) cti_scale3(e->grad[i], e->grad[i], 1 / volume);
  }
  cti_zero3(e->grad[0]);
  for (int i = 1; i <= dim; i++) cti_add_scaled3(e->grad[0], e->grad[i], -1);
}

// The strain that changes of the squared edge lengths make.
static CT_FN void element_tensor(ctReal E[9], const RestElement* e, const ctReal* change) {
  for (int k = 0; k < 9; k++) E[k] = 0;
  for (int k = 0; k < e->nedge; k++) {
    const int* end = element_edge(e->dim, k);
    const ctReal *a = e->grad[end[0]], *b = e->grad[end[1]];
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) E[3 * r + c] -= change[k] * (a[r] * b[c] + b[r] * a[c]) / 4;
    }
  }
}

// ... and back.
static CT_FN void edge_changes(ctReal* change, const RestElement* e, const ctReal E[9]) {
  for (int k = 0; k < e->nedge; k++) {
    ctReal t[3];
    cti_mul_mat_vec3(t, E, e->edge[k]);
    change[k] = 2 * cti_dot3(e->edge[k], t);
  }
}

static CT_FN ctReal tensor_norm(const ctReal E[9]) {
  ctReal sum = 0;
  for (int k = 0; k < 9; k++) sum += E[k] * E[k];
  return cti_sqrt(CT_R(2.0 / 3) * sum);
}

CT_INLINE ctReal determinant(const ctReal A[9]) {
  ctReal t[3];
  cti_cross3(t, A + 3, A + 6);
  return cti_dot3(A, t);
}

// The trace that keeps the volume, of a strain without one: det(I + 2 (E + s I)) = 1, with a positive stretch
// along every axis. Newton's iteration on the cubic in s, which is convex where stretches are positive:
// it begins at zero, or where they certainly are and the volume is too large.
#define VOLUME_STEPS    60
#define VOLUME_ROUNDING (sizeof(ctReal) == 4 ? CT_R(5e-7) : CTI_MINVAL)
static CT_FN void keep_volume(ctReal E[9]) {
  const ctReal most = tensor_norm(E);  // no eigenvalue is larger
  ctReal start = 2 * most < CT_R(0.5) ? CT_R(0) : most;
  for (int k = 0; k < 9; k += 4) E[k] += start;
  for (int step = 0; step < VOLUME_STEPS; step++) {
    ctReal A[9], minors = 0;
    for (int k = 0; k < 9; k++) A[k] = 2 * E[k] + (k % 4 == 0 ? CT_R(1) : CT_R(0));
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      minors += A[3 * i + i] * A[3 * j + j] - A[3 * i + j] * A[3 * j + i];
    }
    ctReal shift = (determinant(A) - 1) / cti_max(2 * minors, CTI_MINVAL);
    for (int k = 0; k < 9; k += 4) E[k] -= shift;
    if (cti_abs(shift) < VOLUME_ROUNDING * (1 + start)) return;
  }
}

// Solids flow without change of volume: the deviator of the elastic strain stays within the yield.
static CT_FN bool solid_yields(ctReal plastic[9], const ctReal total[9], const ctReal elastic[9],
                               ctReal yield) {
  ctReal dev[9], trace = (elastic[0] + elastic[4] + elastic[8]) / 3;
  for (int k = 0; k < 9; k++) dev[k] = elastic[k] - (k % 4 == 0 ? trace : CT_R(0));
  ctReal size = tensor_norm(dev);
  if (!(size > yield)) return false;
  ctReal mean = (total[0] + total[4] + total[8]) / 3;
  for (int k = 0; k < 9; k++) plastic[k] = total[k] - (k % 4 == 0 ? mean : CT_R(0)) - dev[k] * (yield / size);
  keep_volume(plastic);
  return true;
}

// Sheets thin out where they are pulled; pressed together they keep their area.
static CT_FN bool sheet_yields(ctReal plastic[9], const ctReal total[9], const ctReal elastic[9],
                               ctReal yield, const ctReal n[3]) {
  ctReal trace = elastic[0] + elastic[4] + elastic[8], part[9], size;
  for (int k = 0; k < 9; k++) {
    ctReal nn = n[k / 3] * n[k % 3], plane = (k % 4 == 0 ? CT_R(1) : CT_R(0)) - nn;
    part[k] = elastic[k] - (trace >= 0 ? trace * nn : trace / 2 * plane);
  }
  size = tensor_norm(part);
  if (!(size > yield)) return false;
  for (int k = 0; k < 9; k++) {
    ctReal plane = (k % 4 == 0 ? CT_R(1) : CT_R(0)) - n[k / 3] * n[k % 3];
    ctReal kept = trace >= 0 ? elastic[k] * (yield / size) : part[k] * (yield / size) + trace / 2 * plane;
    plastic[k] = total[k] - kept;
  }
  return true;
}

static CT_FN void element_yields(const ctModel* m, ctData* d, int f, int element, const ctReal* x) {
  RestElement e;
  rest_element(&e, m, f, element);
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f] + e.nedge * element;
  ctReal* offset = d->plastic + m->flex_plasticadr[f] + e.nedge * element;
  ctReal strain[6], left[6], total[9], elastic[9], plastic[9], yield = m->flex_yield[2 * f];
  for (int k = 0; k < e.nedge; k++) {
    const int* end = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge[k]);
    ctReal along[3], rest = m->flexedge_length0[m->flex_edgeadr[f] + edge[k]];
    cti_sub3(along, x + 3 * end[1], x + 3 * end[0]);
    strain[k] = cti_dot3(along, along) - rest * rest;
    left[k] = strain[k] - offset[k];
  }
  element_tensor(total, &e, strain);
  element_tensor(elastic, &e, left);
  bool yields = e.dim == 3 ? solid_yields(plastic, total, elastic, yield)
                           : sheet_yields(plastic, total, elastic, yield, e.normal);
  if (yields) edge_changes(offset, &e, plastic);
}

// ---- hinges ----

// No fold stays sharper than this.
#define SHARPEST CT_R(1.3)

static CT_FN void flap(ctReal n[3], ctReal* area, const ctReal* a, const ctReal* b, const ctReal* c) {
  ctReal u[3], v[3];
  cti_sub3(u, b, a);
  cti_sub3(v, c, a);
  cti_cross3(n, u, v);
  *area = cti_normalize3(n) / 2;
}

static CT_FN void hinge_yields(const ctModel* m, int f, int e, ctReal* stored, const ctReal* x) {
  int vert[4];
  if (!cti_hinge_vertices(vert, m, f, e)) return;
  const ctReal* b = m->flex_bending + m->flex_bendingadr[f] + (int64_t)CTI_BEND_RECORD * e;
  const ctReal rest = m->flexedge_length0[m->flex_edgeadr[f] + e], stiffness = b[11] / rest;
  const ctReal thickness = m->flex_stiffness[m->flex_stiffnessadr[f] + 6];
  if (stiffness == 0 || !(thickness > 0)) return;
  ctReal n1[3], n2[3], along[3], t[3], area[2];
  flap(n1, &area[0], x + 3 * vert[0], x + 3 * vert[1], x + 3 * vert[2]);
  flap(n2, &area[1], x + 3 * vert[0], x + 3 * vert[1], x + 3 * vert[3]);
  cti_scale3(n2, n2, -1);
  cti_sub3(along, x + 3 * vert[1], x + 3 * vert[0]);
  ctReal length = cti_normalize3(along);
  cti_cross3(t, n1, n2);
  ctReal sine = cti_dot3(t, along), cosine = cti_dot3(n1, n2);
  ctReal angle = cti_atan2(rest * sine, length * cosine), kept = cti_atan2(*stored / stiffness, 1);
  ctReal bound = 2 * m->flex_yield[2 * f + 1] / thickness * (area[0] + area[1]) / rest;
  if (angle - kept > bound) {
    kept = angle - bound;
  } else if (angle - kept < -bound) {
    kept = angle + bound;
  } else {
    return;
  }
  kept = cti_clip(kept, -SHARPEST, SHARPEST);
  ctReal s, c;
  cti_sincos(kept, &s, &c);
  *stored = stiffness * s / c;
}

// ---- cages ----

// The strain at the middle of an element, turned along with it; of a face, in its plane.
static CT_FN void cage_strain(ctReal E[9], const ctiCage* cage, const ctiCageElement* e) {
  ctReal RF[9];
  cti_mul_mat_t_mat3(RF, e->rot, e->F);
  for (int k = 0; k < 9; k++)
    E[k] = CT_R(0.5) * (RF[k] + RF[3 * (k % 3) + k / 3]) - (k % 4 == 0 ? CT_R(1) : CT_R(0));
  for (int k = 0; cage->shell && k < 3; k++) E[3 * e->axis[0] + k] = E[3 * k + e->axis[0]] = 0;
}

// Pulled, all of the strain is cut, by its size with half of the trace; pressed together the area is kept.
static CT_FN bool face_yields(ctReal plastic[9], const ctReal total[9], const ctReal elastic[9], ctReal yield,
                              const int axis[3]) {
  const ctReal half = (elastic[0] + elastic[4] + elastic[8]) / 2;
  ctReal dev[9];
  for (int k = 0; k < 9; k++) dev[k] = elastic[k] - (k % 4 == 0 && k / 4 != axis[0] ? half : CT_R(0));
  ctReal size = tensor_norm(dev);
  if (half >= 0) size = cti_sqrt(size * size + half * half);
  if (!(size > yield)) return false;
  const ctReal* cut = half >= 0 ? elastic : dev;
  for (int k = 0; k < 9; k++) plastic[k] = total[k] - elastic[k] + cut[k] * (1 - yield / size);
  return true;
}

static CT_FN void cage_yields(const ctModel* m, ctData* d, int f, const ctiCage* cage, const ctReal* x) {
  const int each = CTI_CAGE_OFFSETS(cage->shell);
  CT_LANES(i, cti_cage_elements(cage)) {
    ctiCageElement e;
    ctReal *stored = d->plastic + m->flex_plasticadr[f] + each * i, total[9], elastic[9], plastic[9], yield;
    cti_cage_element(&e, m, f, cage, i, x);
    if (e.empty) continue;
    cage_strain(total, cage, &e);
    cti_cage_offset(plastic, cage, &e, stored);
    for (int k = 0; k < 9; k++) elastic[k] = total[k] - plastic[k];
    yield = m->flex_yield[2 * f];
    if (cage->shell) {
      if (!face_yields(plastic, total, elastic, yield, e.axis)) continue;
    } else {
      // strains are small: the volume is kept by the trace alone
      ctReal mean = (elastic[0] + elastic[4] + elastic[8]) / 3, dev[9];
      for (int k = 0; k < 9; k++) dev[k] = elastic[k] - (k % 4 == 0 ? mean : CT_R(0));
      ctReal size = tensor_norm(dev);
      if (!(size > yield)) continue;
      for (int k = 0; k < 9; k++) plastic[k] += dev[k] * (1 - yield / size);
    }
    cti_cage_store(stored, cage, &e, plastic);
  }
  CT_TEAM_SYNC();
}

// ---- all ----

// Where a point is after the step: on bodies that slide exactly, on others to first order.
static CT_FN void next_position(ctReal out[3], const ctModel* m, const ctData* d, int body,
                                const ctReal from[3], const ctReal* vel) {
  ctReal motion[6];
  cti_zero6(motion);
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k])
    cti_add_scaled6(motion, d->cdof + 6 * k, vel[k]);
  cti_motion_shift(motion, motion, from, d->subtree_com + 3 * m->body_rootid[body]);
  cti_copy3(out, from);
  cti_add_scaled3(out, motion + 3, m->opt.timestep);
}

static CT_FN void next_positions(const ctModel* m, const ctData* d, int f, const ctReal* vel, ctReal* x,
                                 int n) {
  const ctReal* from = m->flex_interp[f] ? x : d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  CT_LANES(i, n) next_position(x + 3 * i, m, d, cti_flex_body(m, f, i), from + 3 * i, vel);
  CT_TEAM_SYNC();
}

static CT_FN ctStatus flex_yields(const ctModel* m, ctData* d, int f, const ctReal* vel) {
  const int mode = m->flex_plasticmode[f];
  if (cti_flex_is_rod(m, f)) {
    ctiRodFrames frames;
    if (!cti_rod_frames(&frames, m, d, f)) return CT_STEP_OVERFLOW;
    cti_rod_store(m, d, f, &frames);
    return CT_OK;
  }
  if (mode == 0) return CT_OK;
  const int n = m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
  ctReal* x = CTI_SCRATCH(d, ctReal, 3 * (int64_t)n, "yield.x");
  if (!x) return CT_STEP_OVERFLOW;
  if (m->flex_interp[f]) {
    ctiCage cage = cti_cage(m, f);
    // bodies are where they were when the step began
    cti_cage_positions(m, d, &cage, x);
    next_positions(m, d, f, vel, x, n);
    cage_yields(m, d, f, &cage, x);
    return CT_OK;
  }
  next_positions(m, d, f, vel, x, n);
  if (mode & 2) {
    CT_LANES(e, m->flex_elemnum[f]) element_yields(m, d, f, e, x);
    CT_TEAM_SYNC();
  }
  if (mode & 1) {
    int adr = cti_flex_hinge_adr(m, f);
    CT_LANES(e, m->flex_edgenum[f]) hinge_yields(m, f, e, d->plastic + adr + e, x);
    CT_TEAM_SYNC();
  }
  return CT_OK;
}

// Is every point of it asleep?
static CT_FN bool flex_rests(const ctModel* m, const ctData* d, int f) {
  if (!cti_some_asleep(m, d)) return false;
  int count = m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
  for (int i = 0; i < count; i++) {
    if (d->body_awake[cti_flex_body(m, f, i)] == CT_AWAKE) return false;
  }
  return true;
}

// The largest of what flex_yields() takes.
CT_FN bool cti_flex_yield_fits(const ctModel* m, ctData* d) {
  int64_t most = 0;
  for (int f = 0; f < m->nflex; f++) {
    int64_t n = 3 * (int64_t)(m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f]);
    if (m->flex_plasticadr[f] < 0) continue;
    if (cti_flex_is_rod(m, f)) n = 20 * (int64_t)(cti_rod_records(m, f) + 2) + 64;
    if (n > most) most = n;
  }
  size_t mark = cti_scratch_mark(d);
  bool fits = most == 0 || CTI_SCRATCH(d, ctReal, most, "yield.room") != (ctReal*)0;
  cti_scratch_release(d, mark);
  return fits;
}

CT_KERNEL_NOINLINE ctStatus cti_flex_yield(const ctModel* m, ctData* d, const ctReal* vel) {
  ctStatus status = CT_OK;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_plasticadr[f] < 0 || flex_rests(m, d, f)) continue;
    size_t mark = cti_scratch_mark(d);
    status = cti_worse(status, flex_yields(m, d, f, vel));
    cti_scratch_release(d, mark);
  }
  return status;
}
