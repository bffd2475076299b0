#include "stage/position/point_motion.h"

CT_FN void cti_add_relative_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench0[6],
                                     int body0, const ctReal wrench1[6], int body1, ctReal scale) {
  int i = cti_last_dof(m, body0), j = cti_last_dof(m, body1);
  // dofs are numbered outwards: the larger of the two cannot be on the other chain
  while (i != j) {
    if (j > i) {
      row[j] += scale * cti_dot6(d->cdof + 6 * j, wrench1);
      j = m->dof_parentid[j];
    } else {
      row[i] -= scale * cti_dot6(d->cdof + 6 * i, wrench0);
      i = m->dof_parentid[i];
    }
  }
}

CT_FN void cti_add_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench[6], int body,
                            ctReal scale) {
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    row[k] += scale * cti_dot6(d->cdof + 6 * k, wrench);
  }
}
