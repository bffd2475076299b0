// The sides of a contact: geoms, or elements and vertices of deformables. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_INLINE bool cti_is_flex_contact(const ctContact* con) {
  return con->geom[0] < 0 || con->geom[1] < 0;
}

// The body of a side; of a deformable one that stands for all of it: that of the vertex, of the element's
// first vertex, or of the first node of a cage.
CT_INLINE int cti_contact_body(const ctModel* m, const ctContact* con, int side) {
  if (con->geom[side] >= 0) return m->geom_bodyid[con->geom[side]];
  const int flex = con->flex[side];
  if (m->flex_interp[flex] != 0) return m->flex_nodebodyid[m->flex_nodeadr[flex]];
  int vert = con->vert[side];
  if (vert < 0)
    vert = m->flex_elem[m->flex_elemdataadr[flex] + (int64_t)con->elem[side] * (m->flex_dim[flex] + 1)];
  return m->flex_vertbodyid[m->flex_vertadr[flex] + vert];
}
