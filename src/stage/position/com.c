#include "stage/position/com.h"

#include "math/spatial.h"

static CT_FN void subtree_centres(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nbody; i++) cti_scale3(d->subtree_com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  for (int i = m->nbody - 1; i > 0; i--)
    cti_add_to3(d->subtree_com + 3 * m->body_parentid[i], d->subtree_com + 3 * i);
  for (int i = 0; i < m->nbody; i++) {
    ctReal* com = d->subtree_com + 3 * i;
    if (m->body_subtreemass[i] < CTI_MINVAL) {
      cti_copy3(com, d->xipos + 3 * i);
    } else {
      cti_scale3(com, com, 1 / m->body_subtreemass[i]);
    }
  }
}

// Motion of each dof of a joint about the point `com`.
static CT_FN void joint_motions(const ctModel* m, ctData* d, int j, const ctReal com[3]) {
  ctReal* cdof = d->cdof + 6 * m->jnt_dofadr[j];
  const ctReal* mat = d->xmat + 9 * m->jnt_bodyid[j];
  ctReal offset[3];
  cti_sub3(offset, com, d->xanchor + 3 * j);
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      for (int k = 0; k < 3; k++) {
        cti_zero6(cdof);
        cdof[3 + k] = 1;
        cdof += 6;
      }
      // its rotations are those of a ball
      // fall through
    case CT_JOINT_BALL:
      for (int k = 0; k < 3; k++) {
        ctReal axis[3] = {mat[k], mat[3 + k], mat[6 + k]};
        cti_motion_of_hinge(cdof, axis, offset);
        cdof += 6;
      }
      break;
    case CT_JOINT_SLIDE: cti_motion_of_slide(cdof, d->xaxis + 3 * j); break;
    default: cti_motion_of_hinge(cdof, d->xaxis + 3 * j, offset);
  }
}

CT_FN void cti_com(const ctModel* m, ctData* d) {
  subtree_centres(m, d);
  for (int k = 0; k < 10; k++) d->cinert[k] = 0;
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* com = d->subtree_com + 3 * m->body_rootid[i];
    ctReal offset[3];
    cti_sub3(offset, d->xipos + 3 * i, com);
    cti_inertia_about(d->cinert + 10 * i, m->body_inertia + 3 * i, d->ximat + 9 * i, offset, m->body_mass[i]);
  }
  for (int j = 0; j < m->njnt; j++)
    joint_motions(m, d, j, d->subtree_com + 3 * m->body_rootid[m->jnt_bodyid[j]]);
}
