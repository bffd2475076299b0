// Marching cubes: a triangle mesh of the surface where a field is zero.
#pragma once

#include "asset/raw.h"
#include "base/error.h"

// A field over space, negative inside.
typedef struct ctiField {
  double (*value)(const void* context, const double x[3]);
  const void* context;
  double aabb[6];  // where its surface is: centre, half sizes
} ctiField;

// The surface of `field`, in its box. CT_ERR_INVALID when the box has no volume or the surface no faces,
// CT_ERR_MEMORY.
ctStatus cti_marching_cubes(ctiRawMesh* out, const ctiField* field, ctiRegion* region, ctError* err);
