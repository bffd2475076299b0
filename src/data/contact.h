// The sides of a contact: geoms, or elements and vertices of deformables. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "data/data.h"
#include "math/vec3.h"

CT_INLINE bool cti_is_flex_contact(const ctContact* con) {
  return con->geom[0] < 0 || con->geom[1] < 0;
}

// Hessian of the cone of a contact, dim x dim. Contacts of a GPU's world do not carry it: most need none.
#if CTI_LEAN
CT_INLINE ctReal* cti_cone_hessian(const ctData* d, int contact) {
  return cti_data_const(d)->cone_hessian + 36 * contact;
}
#else
CT_INLINE ctReal* cti_cone_hessian(const ctData* d, int contact) {
  return d->contact[contact].H;
}
#endif

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

// The half sizes of a rod with a rectangular section, the longer one first; false for anything else. The
// stiffness of bending goes with the cube of the size: its ratio tells the other half size.
CT_INLINE bool cti_rod_section(const ctModel* m, int flex, ctReal half[2]) {
  if (m->flex_dim[flex] != 1 || m->flex_bendingadr[flex] < 0) return false;
  const ctReal* record = m->flex_bending + m->flex_bendingadr[flex];
  if (!(record[0] >= 1) || record[1 + 3] >= 0 || record[1 + 9] == 0) return false;
  half[1] = cti_abs(record[1 + 9]);
  half[0] = half[1] * cti_sqrt(1 + record[1 + 5] / record[1 + 4]);
  return true;
}

// Directors of its elements: the longer half size is along them.
CT_INLINE const ctReal* cti_rod_director(const ctModel* m, const ctData* d, int flex, int elem) {
  return cti_data_const(d)->awake.rod_director + m->flex_plasticadr[flex] + 3 * (int64_t)elem;
}
