// Deformables in the compiler: what its files share.
#pragma once

#include "asset/cage.h"
#include "compile/build.h"

#define CTI_FLEX_MAX_EDGES 6  // of an element

// The edges of an element of each dimension, as pairs of its corners, in the order of the model.
extern const int cti_flex_edges[4][CTI_FLEX_MAX_EDGES][2];
static inline int cti_flex_edge_count(int dim) {
  return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

// An error at a deformable.
#define CTI_FLEX_FAIL(b, flex, ...) cti_spec_error((b)->err, CT_ERR_INVALID, &(flex)->spec->head, __VA_ARGS__)

// A deformable that is elastic: by its material, beside what equalities hold.
static inline bool cti_flex_bends(const ctiFlex* s) {
  return s->elastic2d == CTI_ELASTIC2D_BEND || s->elastic2d == CTI_ELASTIC2D_BOTH;
}
static inline bool cti_flex_stretches(const ctiFlex* s) {
  return s->elastic2d == CTI_ELASTIC2D_STRETCH || s->elastic2d == CTI_ELASTIC2D_BOTH;
}

// Edges, flaps, surface, layers, tree of boxes.
ctStatus cti_flex_topology(ctiBuild* b, ctiBuildFlex* flex);

// Remarks to the log: nothing holds it together, elements without a measure, faces that do not fit.
void cti_flex_remark(const ctiBuild* b, const ctiBuildFlex* flex);

// Stretching and bending of elements between vertices on bodies.
ctStatus cti_flex_elasticity(ctiBuild* b, ctiBuildFlex* flex);

// The frame of a cage and where the vertices are in it; its stiffness, or the modes of strain equalities.
ctStatus cti_flex_place_in_cage(ctiBuild* b, ctiBuildFlex* flex);
ctStatus cti_flex_cage_elasticity(ctiBuild* b, ctiBuildFlex* flex);

// Bending and twist of lines.
ctStatus cti_flex_rod(ctiBuild* b, ctiBuildFlex* flex);
