// Mid phase: the pairs of geoms of two bodies whose bounding volumes overlap. Step code.
#pragma once

#include "collide/keys.h"

// Append the pairs to `geoms`, as cti_key(geom of smaller type, geom of larger type). They come in ascending
// order, or in the order of a double loop over the geoms when the midphase flag is disabled.
CT_FN void cti_mid_phase(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2);

// Bounding spheres (or plane and sphere) are at most `reach` apart.
CT_FN bool cti_spheres_meet(const ctModel* m, const ctData* d, int geom1, int geom2, ctReal reach);
