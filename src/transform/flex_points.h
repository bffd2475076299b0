// The points and elements of a flexcomp: generated, given, or read from a file.
#pragma once

#include "spec/spec.h"

// Points that one of these may have; memory sets a closer limit.
#define CTI_FLEX_MAX_POINTS (1 << 24)

// A deformable in the making, in the axes of the flexcomp.
typedef struct ctiFlexPoints {
  int dim;
  bool given;                   // not generated: scaled, and points without elements are dropped
  CTI_ARRAY(double) point;      // x y z
  CTI_ARRAY(int) element;       // dim + 1 point ids each
  CTI_ARRAY(int) elemtexcoord;  // dim + 1 rows of texcoord each; none: by point
  CTI_ARRAY(double) texcoord;   // two a point, or none
} ctiFlexPoints;

static inline int cti_flex_point_count(const ctiFlexPoints* p) {
  return p->point.count / 3;
}

// All arrays live in the region of the spec. CT_ERR_INVALID, CT_ERR_LIMIT, CT_ERR_MEMORY, or what reading a
// file gives.
ctStatus cti_flex_points(ctiFlexPoints* out, ctSpec* spec, const ctiFlexcompWords* f, ctError* err);
