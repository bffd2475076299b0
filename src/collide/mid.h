// Mid phase: which geoms of two bodies are close enough to be looked at. Step code.
//   reads   m->body_*, m->bvh_*, m->geom_*; d->xipos, d->ximat, d->geom_xpos, d->geom_xmat
//   before  kinematics
#pragma once

#include "collide/broad.h"

// Append the pairs of geoms of two bodies whose bounding volumes overlap to `geoms`, as cti_key(geom of
// smaller type, geom of larger type). They come in ascending order, or in the order of a double loop over the
// geoms when the midphase flag is disabled.
// With a fast geom they come in the order of the loop, too.
CT_FN void cti_mid_phase(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2,
                         const struct ctiSweep* sweep);

// The same for a list of pairs of bodies without fast geoms: in the order of that list, and as
// above for each of them.
CT_FN void cti_mid_phase_all(const ctModel* m, ctData* d, ctiKeys* geoms, const ctiKeys* bodies);

// Bounding spheres (or plane and sphere) are at most `reach` apart.
CT_FN bool cti_spheres_meet(const ctModel* m, const ctData* d, int geom1, int geom2, ctReal reach);

// A box fixed to a body or geom.
typedef struct ctiBox {
  const ctReal *aabb, *pos, *mat;
} ctiBox;

// The box of a geom, and of a node in the tree of a body: that of its geom for a leaf.
CT_FN ctiBox cti_geom_box(const ctModel* m, const ctData* d, int geom);
CT_FN ctiBox cti_node_box(const ctModel* m, const ctData* d, int body, int node);

// Boxes are not separated along any of their six face normals by more than `reach`.
CT_FN bool cti_boxes_meet(const ctiBox* a, const ctiBox* b, ctReal reach);
