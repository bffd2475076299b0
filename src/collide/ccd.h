// Distance and penetration of two convex shapes: GJK while they are apart, EPA when they overlap. Step code.
#pragma once

#include "collide/convex.h"

typedef struct ctiCcd {
  ctReal dist;        // between the surfaces, negative for penetration; beyond the cutoff only a lower bound
  ctReal normal[3];   // from a to b
  ctReal a[3], b[3];  // nearest points of the surfaces, or the deepest ones
  ctiCorner simplex[4];  // corners of the difference that made the result
  int n;                 // how many of them
} ctiCcd;

// Signed distance. False when the shapes are farther apart than `cutoff`. `tolerance` is for curved shapes,
// as ccd_tolerance. `d` lends scratch. The shapes are changed: cores that touch are filled.
CT_FN bool cti_ccd_distance(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal cutoff, ctReal tolerance,
                            int iterations, ctData* d);

// The same for contacts: shapes up to `margin` apart overlap, each within a layer of half the margin.
CT_FN bool cti_ccd(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance, int iterations,
                   ctData* d);

// State of a search with GJK: a simplex, its point nearest to the origin, and that point's weights.
typedef struct ctiGjk {
  ctiCorner corner[4];
  ctReal weight[4];
  int n;
  ctReal v[3];     // nearest point
  bool overlap;    // the origin is inside, or on, the difference
  bool separated;  // farther than the cutoff
} ctiGjk;

CT_FN void cti_gjk(ctiGjk* s, const ctiConvex* a, const ctiConvex* b, ctReal cutoff, ctReal tolerance,
                   int iterations);

// Penetration from the simplex that GJK ended with: outward normal and depth of the face of the difference
// that is nearest to the origin, and the three corners of that face. False without scratch.
CT_FN bool cti_epa(ctiCcd* out, const ctiGjk* start, const ctiConvex* a, const ctiConvex* b, ctReal tolerance,
                   int iterations, ctData* d);
