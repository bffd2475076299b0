// Trees of boxes around geoms.
#include "data/box_tree.h"

#include "math/vec3.h"

// ---- the tree: halves by the middle one along the longest axis ----

// Geoms in a leaf.
#define LEAF 4
// Boxes are wider by this share of where they are, so that no rounding loses anything.
#define SLACK CT_R(1e-6)
// Half sizes from here on stand for infinity.
#define INFINITE CT_R(1e9)

CT_INLINE float below(ctReal x) {
  return (float)(x - SLACK * cti_abs(x) - CTI_MINVAL);
}
CT_INLINE float above(ctReal x) {
  return (float)(x + SLACK * cti_abs(x) + CTI_MINVAL);
}

// False for what has no bounds.
static CT_FN bool bound_geom(float box[6], const ctModel* m, const ctData* d, int geom) {
  const ctReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom,
               *pos = d->geom_xpos + 3 * geom;
  if (m->geom_type[geom] == CT_GEOM_PLANE) return false;
  for (int i = 0; i < 3; i++) {
    const ctReal* row = mat + 3 * i;
    const ctReal center = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
    const ctReal half = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
    if (!(half < INFINITE && cti_abs(center) < INFINITE)) return false;
    box[i] = below(center - half);
    box[3 + i] = above(center + half);
  }
  return true;
}

static CT_FN void swap_members(ctiBoxTree* t, int i, int k) {
  const int geom = t->member[i];
  t->member[i] = t->member[k];
  t->member[k] = geom;
  for (int c = 0; c < 6; c++) {
    const float x = t->box[6 * i + c];
    t->box[6 * i + c] = t->box[6 * k + c];
    t->box[6 * k + c] = x;
  }
}

// The middle of a run, with smaller ones before it and larger ones behind, along an axis.
static CT_FN void find_middle(ctiBoxTree* t, int first, int count, int axis) {
  const int wanted = first + count / 2;
  for (int lo = first, hi = first + count - 1; lo < hi;) {
    const float* at = t->box + 6 * ((lo + hi) / 2) + axis;
    const float pivot = at[0] + at[3];
    int i = lo, k = hi;
    while (i <= k) {
      while (t->box[6 * i + axis] + t->box[6 * i + 3 + axis] < pivot) i++;
      while (t->box[6 * k + axis] + t->box[6 * k + 3 + axis] > pivot) k--;
      if (i <= k) swap_members(t, i++, k--);
    }
    if (wanted <= k) {
      hi = k;
    } else if (wanted >= i) {
      lo = i;
    } else {
      return;
    }
  }
}

// Bounds of a run; returns the axis along which it is longest.
static CT_FN int bound_run(ctiBoxNode* node, const ctiBoxTree* t) {
  for (int k = 0; k < node->count; k++) {
    const float* box = t->box + 6 * (node->first + k);
    for (int i = 0; i < 3; i++) {
      if (k == 0 || box[i] < node->lo[i]) node->lo[i] = box[i];
      if (k == 0 || box[3 + i] > node->hi[i]) node->hi[i] = box[3 + i];
    }
  }
  int axis = 0;
  for (int i = 1; i < 3; i++) {
    if (node->hi[i] - node->lo[i] > node->hi[axis] - node->lo[axis]) axis = i;
  }
  return axis;
}

CT_FN void cti_box_tree_make(ctiBoxTree* t) {
  // those without bounds lie at the end of the room
  for (int i = 0; i < t->nfar; i++) t->member[t->n + i] = t->member[t->room - t->nfar + i];
  if (t->n == 0) return;
  int stack[CTI_BOX_STACK], top = 0, nodes = 1;
  t->node[0].first = 0;
  t->node[0].count = t->n;
  stack[top++] = 0;
  while (top > 0) {
    ctiBoxNode* node = t->node + stack[--top];
    const int axis = bound_run(node, t), lower = node->count / 2;
    node->child = -1;
    if (node->count <= LEAF) continue;
    find_middle(t, node->first, node->count, axis);
    node->child = nodes;
    for (int i = 0; i < 2; i++) {
      ctiBoxNode* child = t->node + nodes;
      child->first = i ? node->first + lower : node->first;
      child->count = i ? node->count - lower : lower;
      stack[top++] = nodes++;
    }
  }
}

CT_FN void cti_box_tree_add(ctiBoxTree* t, const ctModel* m, const ctData* d, int geom) {
  const bool bounded = bound_geom(t->box + 6 * t->n, m, d, geom);
  t->member[bounded ? t->n++ : t->room - 1 - t->nfar++] = geom;
}

// ---- the geoms whose boxes meet a box ----

CT_FN void cti_box_tree_ask(ctiBoxWalk* w, const ctReal lo[3], const ctReal hi[3]) {
  for (int i = 0; i < 3; i++) {
    w->lo[i] = below(lo[i]);
    w->hi[i] = above(hi[i]);
  }
  w->stack[0] = 0;
  w->top = 1;
  w->at = w->end = 0;
}

CT_INLINE bool meets(const ctiBoxWalk* w, const float lo[3], const float hi[3]) {
  return w->lo[0] <= hi[0] && lo[0] <= w->hi[0] && w->lo[1] <= hi[1] && lo[1] <= w->hi[1] &&
         w->lo[2] <= hi[2] && lo[2] <= w->hi[2];
}

CT_FN int cti_box_tree_next(ctiBoxWalk* w, const ctiBoxTree* t) {
  for (;;) {
    while (w->at < w->end) {
      const int i = w->at++;
      if (meets(w, t->box + 6 * i, t->box + 6 * i + 3)) return t->member[i];
    }
    if (w->top == 0 || t->n == 0) return -1;
    const ctiBoxNode* node = t->node + w->stack[--w->top];
    if (!meets(w, node->lo, node->hi)) continue;
    if (node->child < 0) {
      w->at = node->first;
      w->end = node->first + node->count;
    } else {
      w->stack[w->top++] = node->child + 1;
      w->stack[w->top++] = node->child;
    }
  }
}
