#include "stage/velocity/com_velocity.h"

#include "math/spatial.h"

// n dofs at once: all their axes turn with the velocity before any of them moves.
CT_INLINE void add_dofs(const ctData* d, ctReal cvel[6], int dof, int n) {
  for (int k = dof; k < dof + n; k++) cti_cross_motion(d->cdof_dot + 6 * k, cvel, d->cdof + 6 * k);
  for (int k = dof; k < dof + n; k++) cti_add_scaled6(cvel, d->cdof + 6 * k, d->qvel[k]);
}

CT_FN void cti_com_velocity(const ctModel* m, ctData* d) {
  cti_zero6(d->cvel);
  for (int i = 1; i < m->nbody; i++) {
    ctReal cvel[6];
    cti_copy6(cvel, d->cvel + 6 * m->body_parentid[i]);
    for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
      int dof = m->jnt_dofadr[j];
      switch (m->jnt_type[j]) {
        case CT_JOINT_FREE:
          // translations along world axes do not turn
          for (int k = dof; k < dof + 3; k++) {
            cti_zero6(d->cdof_dot + 6 * k);
            cti_add_scaled6(cvel, d->cdof + 6 * k, d->qvel[k]);
          }
          add_dofs(d, cvel, dof + 3, 3);
          break;
        case CT_JOINT_BALL: add_dofs(d, cvel, dof, 3); break;
        default: add_dofs(d, cvel, dof, 1);
      }
    }
    cti_copy6(d->cvel + 6 * i, cvel);
  }
}
