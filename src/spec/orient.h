// Orientations in every notation.
#pragma once

#include "spec/spec.h"

// The unit quaternion of an orientation, in the units and sequence of the settings. NULL, or what is wrong
// with it.
const char* cti_orient_to_quat(ctReal quat[4], const ctiOrient* o, const ctiCompiler* c);

// The least turn that takes the z axis to the direction of `vec`; none for a vector without one.
void cti_orient_along(ctReal quat[4], const ctReal vec[3]);
