// Nearest points of segments, triangles and tetrahedra. Flat ones are what is left of them: edges and
// corners. Step code.
#pragma once

#include "math/vec3.h"

// The sum of n points by weight.
CT_FN void cti_weigh3(ctReal out[3], const ctReal* const* at, const ctReal* weight, int n);

// Weight of the second end of the segment p, q at its point nearest to x.
CT_FN ctReal cti_segment_nearest(const ctReal p[3], const ctReal q[3], const ctReal x[3]);

// Nearest points of two segments: weights of their second ends.
CT_FN void cti_segments_nearest(ctReal* s, ctReal* t, const ctReal p0[3], const ctReal p1[3],
                                const ctReal q0[3], const ctReal q1[3]);

// Weights of the corners at the point of a triangle nearest to x.
CT_FN void cti_triangle_nearest(ctReal weight[3], const ctReal* const* at, const ctReal x[3]);

// Has a tetrahedron no inside?
CT_FN bool cti_tet_flat(const ctReal* const* at);

// Outward normal of the face across corner i and the height of x above it; false for a face without a normal.
CT_FN bool cti_tet_height(ctReal normal[3], ctReal* height, const ctReal* const* at, int i,
                          const ctReal x[3]);

// Weights of the corners at the point of a tetrahedron nearest to x. Returns whether x is inside: then they
// are those of x itself. `normal` and `height` belong to the face that x is highest above, or least below.
CT_FN bool cti_tet_nearest(ctReal weight[4], ctReal normal[3], ctReal* height, const ctReal* const* at,
                           const ctReal x[3]);

// The nearest point of a segment (dim 1), a triangle (2) or a tetrahedron (3): weights of its corners, unused
// ones zero.
CT_FN void cti_simplex_nearest(ctReal weight[4], const ctReal* const* at, int dim, const ctReal x[3]);
