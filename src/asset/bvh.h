// Trees of boxes: of the geoms of a body, and of the faces of a mesh.
#pragma once

#include "base/alloc.h"

// Box: centre xyz, half sizes xyz. Children are node numbers within the tree, -1 in a leaf; `nodeid` is the
// item of a leaf, -1 elsewhere. A tree of n items has 2n-1 nodes.
typedef struct ctiBvh {
  int count;
  int* depth;    // count
  int* child;    // count x 2
  int* nodeid;   // count
  double* aabb;  // count x 6
} ctiBvh;

// Top down: the items of a node are sorted along the longest side of its box and halved; nodes are numbered
// in the order in which a walk, first child first, meets them. `boxes` has n x 6 numbers, `centres` the n x 3
// positions by which items are sorted; NULL means those of the boxes. Items are numbered from `first`.
// CT_ERR_MEMORY.
ctStatus cti_bvh_build(ctiBvh* out, const double* boxes, const double* centres, int n, int first,
                       ctiRegion* region, ctError* err);

// ---- selection

// A leaf while the tree is built: position along the axis at hand, and which it is.
typedef struct ctiLeaf {
  double key;
  int item;
} ctiLeaf;

// Moves leaves until those before the k-th are not behind it, and those after it not before it. Keys that
// differ by rounding are in the order of their items. Keys that are not numbers are too, and so have no order
// among the others: where they end depends on the steps taken, which are those of MuJoCo's library.
void cti_select(ctiLeaf* leaves, int n, int k);
