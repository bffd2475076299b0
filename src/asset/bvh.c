#include "asset/bvh.h"

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

// ---- selection

// Quickselect about the median of first, middle and last.

// Keys that differ by less are equal.
#define SAME_KEY 1e-14
// Ranges this short are sorted.
#define SHORT_RANGE 7

static bool is_before(const ctiLeaf* a, const ctiLeaf* b) {
  if (fabs(a->key - b->key) > SAME_KEY) return a->key < b->key;
  return a->item < b->item;
}

static int swap(ctiLeaf* a, ctiLeaf* b) {
  ctiLeaf t = *a;
  *a = *b;
  *b = t;
  return 1;
}

// Sorts three and returns how many swaps it took.
static int sort_three(ctiLeaf* a, ctiLeaf* b, ctiLeaf* c) {
  bool first = is_before(b, a), second = is_before(c, b);
  if (first && second) return swap(a, c);
  if (!first && !second) return 0;
  if (first) return swap(a, b) + (is_before(c, b) ? swap(b, c) : 0);
  return swap(b, c) + (is_before(b, a) ? swap(a, b) : 0);
}

static void sort_short(ctiLeaf* first, ctiLeaf* last) {
  for (; first < last; first++) {
    ctiLeaf* least = first;
    for (ctiLeaf* p = first + 1; p < last; p++) least = is_before(p, least) ? p : least;
    swap(first, least);
  }
}

static bool is_sorted(const ctiLeaf* first, const ctiLeaf* last) {
  for (const ctiLeaf* p = first + 1; p < last; p++) {
    if (is_before(p, p - 1)) return false;
  }
  return true;
}

// The last leaf in (first, end) that is before the pivot; `first` when there is none.
static ctiLeaf* last_before(ctiLeaf* first, ctiLeaf* end, const ctiLeaf* pivot) {
  do end--;
  while (end > first && !is_before(end, pivot));
  return end;
}

// None is before the first: those it is before go to the end. Returns where they begin.
static ctiLeaf* split_behind(ctiLeaf* first, ctiLeaf* last) {
  ctiLeaf *i = first + 1, *j = last;
  for (;;) {
    while (i < last && !is_before(first, i)) i++;
    do j--;
    while (j > first && is_before(first, j));
    if (i >= j) return i;
    swap(i++, j);
  }
}

// Leaves before the pivot go to the front of [i, end). Returns where the others begin; the pivot may move.
static ctiLeaf* split_before(ctiLeaf* i, ctiLeaf* end, ctiLeaf** pivot, int* swaps) {
  ctiLeaf *j = end, *first = i;
  if (i >= j) return i;
  for (;;) {
    while (i < end && is_before(i, *pivot)) i++;
    do j--;
    while (j >= first && !is_before(j, *pivot));
    if (i >= j) return i;
    *swaps += swap(i, j);
    if (*pivot == i) *pivot = j;
    i++;
  }
}

void cti_select(ctiLeaf* leaves, int n, int k) {
  ctiLeaf *first = leaves, *last = leaves + n, *nth = leaves + k;
  while (nth < last && last - first > 1) {
    if (last - first == 2) {
      if (is_before(first + 1, first)) swap(first, first + 1);
      return;
    }
    if (last - first == 3) {
      sort_three(first, first + 1, first + 2);
      return;
    }
    if (last - first <= SHORT_RANGE) {
      sort_short(first, last);
      return;
    }
    ctiLeaf *middle = first + (last - first) / 2, *end = last - 1;
    int swaps = sort_three(first, middle, end);
    if (!is_before(first, middle)) {
      end = last_before(first, end, middle);
      if (end == first) {
        first = split_behind(first, last);
        if (nth < first) return;
        continue;
      }
      swaps += swap(first, end);
    }
    ctiLeaf* at = split_before(first + 1, end, &middle, &swaps);
    if (at != middle && is_before(middle, at)) swaps += swap(at, middle);
    if (at == nth) return;
    bool front = nth < at;
    if (swaps == 0 && (front ? is_sorted(first, at) : is_sorted(at, last))) return;
    if (front)
      last = at;
    else
      first = at + 1;
  }
}

// ---- the tree

// A node to be made: which leaves it holds, and the child slot of its parent that waits for it.
typedef struct Pending {
  int first, count, depth;
  int* slot;
} Pending;

typedef struct Builder {
  ctiBvh* tree;
  const double *boxes, *centres;
  size_t stride;  // of centres
  ctiLeaf* leaves;
  Pending* stack;
} Builder;

// Smallest box around those of n leaves, with a thickness.
static void box_union(double out[6], const Builder* b, const ctiLeaf* leaves, int n) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < n; k++) {
    const double* box = b->boxes + 6 * (size_t)leaves[k].item;
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], box[i] - box[3 + i]);
      high[i] = fmax(high[i], box[i] + box[3 + i]);
    }
  }
  for (int i = 0; i < 3; i++) {
    if (high[i] - low[i] < CTI_THIN_BOX) {
      low[i] -= CTI_THIN_BOX;
      high[i] += CTI_THIN_BOX;
    }
    out[i] = (low[i] + high[i]) / 2;
    out[3 + i] = (high[i] - low[i]) / 2;
  }
}

// The longest side of a box. Sides that differ by rounding count as equal, and the first of them wins.
static int longest_axis(const double box[6]) {
  const double tolerance = 1e-14;
  double side[3] = {2 * box[3], 2 * box[4], 2 * box[5]};
  int axis = side[0] + tolerance > side[1] ? 0 : 1;
  return side[axis] + tolerance > side[2] ? axis : 2;
}

// Bring the smaller half of a node's leaves along an axis to the front.
static void halve(const Builder* b, const Pending* p, int axis) {
  ctiLeaf* leaves = b->leaves + p->first;
  for (int k = 0; k < p->count; k++)
    leaves[k].key = b->centres[b->stride * (size_t)leaves[k].item + (size_t)axis];
  cti_select(leaves, p->count, p->count / 2);
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
    halve(b, &p, longest_axis(box));
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
                 .child = CTI_NEW_ARRAY(region, int, 2 * (size_t)nodes),
                 .nodeid = CTI_NEW_ARRAY(region, int, nodes),
                 .aabb = CTI_NEW_ARRAY(region, double, 6 * (size_t)nodes)};
  // the stack holds at most one node a level and its sibling
  enum { STACK = 128 };
  Pending stack[STACK];
  Builder b = {.tree = &tree, .boxes = boxes, .stack = stack};
  b.centres = centres ? centres : boxes;
  b.stride = centres ? 3 : 6;
  b.leaves = CTI_NEW_ARRAY(region, ctiLeaf, n);
  if (!tree.depth || !tree.child || !tree.nodeid || !tree.aabb || !b.leaves) return cti_error_memory(err);
  for (int i = 0; i < n; i++) b.leaves[i].item = i;
  build_nodes(&b, n, first);
  *out = tree;
  return CT_OK;
}
