#include "asset/bvh.h"

#include <math.h>
#include <string.h>

// Boxes of nodes that are thinner than this get as much on either side.
#define THIN 1e-14
// Runs this short are sorted by insertion.
#define SHORT_RUN 12
// Keys that differ by less are equal.
#define SAME_KEY 1e-14

// An item on its way through the sorts: position along the axis at hand, and which it is.
typedef struct Leaf {
  double key;
  int item;
} Leaf;

// A node to be made: which leaves it holds, and the child slot of its parent that waits for it.
typedef struct Pending {
  int first, count, depth;
  int* slot;
} Pending;

typedef struct Builder {
  ctiBvh* tree;
  const double *boxes, *centres;
  size_t stride;  // of centres
  Leaf *leaves, *spare;
  Pending* stack;
} Builder;

static bool is_before(const Leaf* a, const Leaf* b) {
  if (fabs(a->key - b->key) > SAME_KEY) return a->key < b->key;
  return a->item < b->item;
}

static void sort_short(Leaf* leaves, int n) {
  for (int i = 1; i < n; i++) {
    Leaf leaf = leaves[i];
    int k = i;
    for (; k > 0 && is_before(&leaf, &leaves[k - 1]); k--) leaves[k] = leaves[k - 1];
    leaves[k] = leaf;
  }
}

// Merge [0, half) and [half, n) of `from` into `to`; equal keys keep their order.
static void merge(Leaf* to, const Leaf* from, int half, int n) {
  for (int i = 0, j = half, k = 0; k < n; k++) {
    bool left = j == n || (i < half && !is_before(&from[j], &from[i]));
    to[k] = left ? from[i++] : from[j++];
  }
}

// Stable: leaves with equal keys keep their order. Runs double in length and move between the two arrays.
static void sort_leaves(Leaf* leaves, Leaf* spare, int n) {
  for (int at = 0; at < n; at += SHORT_RUN) sort_short(leaves + at, n - at < SHORT_RUN ? n - at : SHORT_RUN);
  Leaf *from = leaves, *to = spare;
  for (int run = SHORT_RUN; run < n; run *= 2) {
    for (int at = 0; at < n; at += 2 * run) {
      int count = n - at < 2 * run ? n - at : 2 * run, half = count < run ? count : run;
      merge(to + at, from + at, half, count);
    }
    Leaf* swap = from;
    from = to;
    to = swap;
  }
  if (from != leaves) memcpy(leaves, from, sizeof(*leaves) * (size_t)n);
}

// Smallest box around those of n leaves, with a thickness.
static void box_union(double out[6], const Builder* b, const Leaf* leaves, int n) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < n; k++) {
    const double* box = b->boxes + 6 * (size_t)leaves[k].item;
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], box[i] - box[3 + i]);
      high[i] = fmax(high[i], box[i] + box[3 + i]);
    }
  }
  for (int i = 0; i < 3; i++) {
    if (high[i] - low[i] < THIN) {
      low[i] -= THIN;
      high[i] += THIN;
    }
    out[i] = (low[i] + high[i]) / 2;
    out[3 + i] = (high[i] - low[i]) / 2;
  }
}

// The longest side of a box. Sides that differ by rounding count as equal, and the first of them wins.
static int longest_axis(const double box[6]) {
  const double slack = 1e-14;
  double side[3] = {2 * box[3], 2 * box[4], 2 * box[5]};
  int axis = side[0] + slack > side[1] ? 0 : 1;
  return side[axis] + slack > side[2] ? axis : 2;
}

// Sort a node's leaves along an axis, unless they are in order already.
static void order_leaves(const Builder* b, const Pending* p, int axis) {
  Leaf* leaves = b->leaves + p->first;
  bool sorted = true;
  for (int k = 0; k < p->count; k++) {
    leaves[k].key = b->centres[b->stride * (size_t)leaves[k].item + (size_t)axis];
    sorted = sorted && (k == 0 || !is_before(&leaves[k], &leaves[k - 1]));
  }
  if (!sorted) sort_leaves(leaves, b->spare, p->count);
}

static void build_nodes(const Builder* b, int n, int first) {
  ctiBvh* tree = b->tree;
  int waiting = 0;
  b->stack[waiting++] = (Pending){0, n, 0, NULL};
  while (waiting > 0) {
    Pending p = b->stack[--waiting];
    int node = tree->count++;
    double* box = tree->aabb + 6 * (size_t)node;
    int* child = tree->child + 2 * (size_t)node;
    if (p.slot) *p.slot = node;
    box_union(box, b, b->leaves + p.first, p.count);
    tree->depth[node] = p.depth;
    child[0] = child[1] = tree->nodeid[node] = -1;
    if (p.count == 1) {
      tree->nodeid[node] = first + b->leaves[p.first].item;
      continue;
    }
    order_leaves(b, &p, longest_axis(box));
    int half = p.count / 2;
    b->stack[waiting++] = (Pending){p.first + half, p.count - half, p.depth + 1, &child[1]};
    b->stack[waiting++] = (Pending){p.first, half, p.depth + 1, &child[0]};
  }
}

ctStatus cti_bvh_build(ctiBvh* out, const double* boxes, const double* centres, int n, int first,
                       ctiRegion* region, ctError* err) {
  *out = (ctiBvh){0};
  if (n == 0) return CT_OK;
  size_t nodes = 2 * (size_t)n - 1;
  ctiBvh tree = {.depth = CTI_NEW_ARRAY(region, int, nodes),
                 .child = CTI_NEW_ARRAY(region, int, 2 * nodes),
                 .nodeid = CTI_NEW_ARRAY(region, int, nodes),
                 .aabb = CTI_NEW_ARRAY(region, double, 6 * nodes)};
  // the stack holds at most one node a level and its sibling
  enum { STACK = 128 };
  Pending stack[STACK];
  Builder b = {.tree = &tree, .boxes = boxes, .stack = stack};
  b.centres = centres ? centres : boxes;
  b.stride = centres ? 3 : 6;
  b.leaves = CTI_NEW_ARRAY(region, Leaf, n);
  b.spare = CTI_NEW_ARRAY(region, Leaf, n);
  if (!tree.depth || !tree.child || !tree.nodeid || !tree.aabb || !b.leaves || !b.spare)
    return cti_error_memory(err);
  for (int i = 0; i < n; i++) b.leaves[i].item = i;
  build_nodes(&b, n, first);
  *out = tree;
  return CT_OK;
}
