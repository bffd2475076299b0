// Cutting a polygon of an OBJ face into triangles.
#pragma once

#include "base/region.h"

// A polygon with more corners is left out, as in MuJoCo.
#define CTI_POLYGON_MAX 100

// Corners 0..n-1 have positions `at` (3 floats each; n >= 3). Writes three corner numbers a triangle to
// `out`, which has room for 3 (n - 2), and returns the number of triangles: n - 2, or fewer when the polygon
// crosses itself, or is too large. A quadrilateral is cut along its shorter diagonal, larger polygons by
// clipping ears. `left` is scratch for n numbers.
int cti_triangulate(int* out, const float* at, int n, int* left);
