// A tree of world-aligned boxes over the geoms that rays may see, for bundles of rays. Step code.
//   reads   m->geom_*, d->geom_xpos, d->geom_xmat
#pragma once

#include "query/ray.h"

// Box of a node. Inner nodes have two children side by side, leaves a run of geoms.
typedef struct ctiRayNode {
  ctReal lo[3], hi[3];
  int child;         // first child, -1 for a leaf
  int first, count;  // geoms of a leaf
} ctiRayNode;

typedef struct ctiRayTree {
  int* geom;         // planes first, then the others in the order of the leaves
  int nplane, n;     // planes, all
  ctiRayNode* node;  // the first is the root
  ctReal* box;       // 6 for each geom: lower and upper corner
} ctiRayTree;

// Build in scratch of `d`, which the caller marks and releases; false without room.
CT_FN bool cti_ray_tree_build(ctiRayTree* t, const ctModel* m, ctData* d, const ctiRayFilter* filter);

// The nearest geom, as cti_ray.
CT_FN ctReal cti_ray_tree_cast(const ctiRayTree* t, const ctModel* m, const ctData* d, const ctReal point[3],
                               const ctReal dir[3], int* geom, ctReal* normal);
