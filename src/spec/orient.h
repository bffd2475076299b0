// Orientations in every notation.
#pragma once

#include <math.h>

#include "math/vec3.h"
#include "spec/spec.h"

// Whether a direction comes of a vector of this length: not of none, nor of one that overflows.
static inline bool cti_has_length(ctReal norm) {
  return norm >= CTI_MINVAL && isfinite((double)norm);
}

// The unit quaternion of an orientation, in the units and sequence of the settings. NULL, or what is wrong
// with it.
const char* cti_orient_to_quat(ctReal quat[4], const ctiOrient* o, const ctiCompiler* c);

// The least turn that takes the z axis to the direction of `vec`; none for a vector without one.
void cti_orient_along(ctReal quat[4], const ctReal vec[3]);

// How many numbers of a size a shape needs, and which of them is half its length along a segment (-1: none).
typedef struct ctiShapeSize {
  int plain, length;
} ctiShapeSize;
extern const ctiShapeSize cti_shape_sizes[CT_GEOM_COUNT];

// An error unless a shape of this type and place can be given by the ends of its axis.
ctStatus cti_check_segment(ctError* err, int type, const double pos[3], const ctiElement* e);
