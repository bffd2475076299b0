// Which dofs are stiff against each other: the pattern of the stiffness of deformables. Step code.
//   reads   m->flex_*, bodies and dofs; d->cdof
//   writes  d->efm_K_rownnz, efm_K_rowadr, efm_K_colind, efm_dofid; cti_data(d)->metric.K_rowsuper
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "stage/velocity/flex_force.h"

// Groups of points of a deformable that are stiff against each other: elements, hinges, bends of rods, cells
// of cages. Kinds are counted one after another.
typedef struct ctiFlexGroups {
  const ctModel* m;
  int flex, npoint;
  ctiCage cage;
  int nedge, nhinge, nbend, ncell;
} ctiFlexGroups;

CT_FN ctiFlexGroups cti_flex_groups(const ctModel* m, int f);

CT_INLINE int cti_group_count(const ctiFlexGroups* g) {
  return g->nedge + g->nhinge + g->nbend + g->ncell;
}

// A point that another one is stiff against, or the point itself: its first dof, the edge between them (-1:
// none), and what all hinges that both belong to have between them.
typedef struct ctiNeighbour {
  int dof, point, edge;
  ctReal hinge;
} ctiNeighbour;

// Where every point has three sliders along the axes of the world, or does not move, the pattern is one of
// points: 3 x 3 blocks, ascending in a row. Points of all elastic deformables are numbered one after another.
typedef struct ctiFlexBlocks {
  bool plain;  // is it like this?
  int* dof;    // first dof of each point, or -1
  int* adr;    // first neighbour of each point, and the end of the last one's
  ctiNeighbour* to;
} ctiFlexBlocks;

// The pattern, with room for the values; `blocks` is in scratch. Values are zero, but for blocks of edges and
// hinges, which are written as a whole. False when the arena is full.
CT_FN bool cti_flex_pattern(ctiFlexBlocks* blocks, const ctModel* m, ctData* d);

// Does a deformable add to the stiffness?
CT_INLINE bool cti_flex_in_metric(const ctModel* m, const ctiFlexGroups* g) {
  return cti_flex_is_elastic(m, g->flex) && cti_group_count(g) > 0;
}

// Three sliders along the axes of the world: blocks go in as they are. Returns the first dof, or -1.
CT_INLINE int cti_plain_dof(const ctModel* m, const ctData* d, int body) {
  if (!cti_only_slides(m, body) || m->body_dofnum[body] != 3) return -1;
  int dof = m->body_dofadr[body];
  const ctReal* axes = d->cdof + 6 * dof;
  bool plain = axes[3] == 1 && axes[6 + 4] == 1 && axes[12 + 5] == 1;
  return plain ? dof : -1;
}
