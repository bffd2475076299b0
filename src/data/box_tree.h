// Trees of world-aligned boxes around geoms, halved by the middle one along the longest axis. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Two children side by side, or a run of members where there are none (-1).
typedef struct ctiBoxNode {
  float lo[3], hi[3];
  int child, first, count;
} ctiBoxNode;

// Each array has `room` of its elements. Boxes are somewhat too large, so that no rounding loses anything.
typedef struct ctiBoxTree {
  ctiBoxNode* node;
  float* box;   // lower and upper corner: 6 numbers for each of the `n` in the tree
  int* member;  // geoms: those in the tree, behind them `nfar` without bounds
  int room, n, nfar;
} ctiBoxTree;

// Start with n = nfar = 0; one after another, then all are put in order.
CT_FN void cti_box_tree_add(ctiBoxTree* t, const ctModel* m, const ctData* d, int geom);
CT_FN void cti_box_tree_make(ctiBoxTree* t);

// ---- the geoms in the tree whose boxes meet a box, one after another ----

#define CTI_BOX_STACK 64

typedef struct ctiBoxWalk {
  float lo[3], hi[3];
  int stack[CTI_BOX_STACK], top;
  int at, end;  // of the leaf at hand
} ctiBoxWalk;

CT_FN void cti_box_tree_ask(ctiBoxWalk* w, const ctReal lo[3], const ctReal hi[3]);

// -1 when there are no more.
CT_FN int cti_box_tree_next(ctiBoxWalk* w, const ctiBoxTree* t);
