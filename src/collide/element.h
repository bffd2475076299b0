// Elements of deformables in the narrow phase: a segment, a triangle or a tetrahedron with a radius around
// it. Step code.
//   reads   d->flexvert_xpos
//   before  kinematics of deformables
#pragma once

#include "collide/convex.h"
#include "data/contact.h"

// An element at its place in the world.
typedef struct ctiFlexElement {
  int dim;              // 1 segment, 2 triangle, 3 tetrahedron
  const ctReal* at[4];  // its dim + 1 corners
  ctReal radius;        // around them
  // of a rod with a rectangular section: half sizes along the director and across; NULL for others
  const ctReal* director;
  ctReal half[2];
} ctiFlexElement;

CT_INLINE ctiFlexElement cti_element(const ctModel* m, const ctData* d, int flex, int elem) {
  ctiFlexElement e;
  e.dim = m->flex_dim[flex];
  e.radius = m->flex_radius[flex];
  const int* corner = m->flex_elem + m->flex_elemdataadr[flex] + elem * (e.dim + 1);
  const ctReal* vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  for (int i = 0; i < 4; i++) e.at[i] = vert + 3 * corner[i <= e.dim ? i : 0];
  const bool flat = e.dim == 1 && cti_rod_section(m, flex, e.half);
  e.director = flat ? cti_rod_director(m, d, flex, elem) : (const ctReal*)0;
  return e;
}

// The points at which a geom that is no plane and an element are at most `margin` apart, as ctiCollider: the
// geom is the first shape. Pairs without a formula have one point, found by the convex search.
CT_KERNEL_NOINLINE int cti_geom_element(ctiPoint* out, const ctiShape* geom, const ctiFlexElement* e,
                                        ctReal margin, ctData* d);

// The same for two elements.
CT_KERNEL_NOINLINE int cti_element_element(ctiPoint* out, const ctModel* m, const ctiFlexElement* a,
                                           const ctiFlexElement* b, ctReal margin, ctData* d);

// A vertex of a deformable, a ball, and a plane.
CT_FN int cti_plane_vertex(ctiPoint* out, const ctiShape* plane, const ctReal vertex[3], ctReal radius,
                           ctReal margin);

// A plane and the corners of a rectangular section that is centred at a vertex of the element.
CT_FN int cti_plane_section(ctiPoint* out, const ctiShape* plane, const ctReal vertex[3],
                            const ctiFlexElement* e, ctReal margin);

// A height field and an element, prism by prism.
CT_FN int cti_hfield_element(ctiPoint* out, const ctiShape* field, const ctiFlexElement* e, ctReal margin,
                             ctData* d);

// The element relative to `origin`, as a shape of the convex search.
CT_FN void cti_convex_element(ctiConvex* c, const ctiFlexElement* e, const ctReal origin[3]);
