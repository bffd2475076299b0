#include "stage/constraint/reference.h"

#include "math/vec3.h"
#include "stage/constraint/equality.h"
#include "stage/constraint/rows.h"
#include "stage/force/acceleration.h"

// Moving surfaces add to the velocity along and about the axes of the contact.
static CT_FN void add_surface_velocity(const ctModel* m, ctData* d) {
  if (!m->flg_surfacevel) return;
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->dim == 1) continue;
    ctReal* vel = d->efc_vel + con->efc_address;
    int directions = con->dim - 1 < 3 ? con->dim - 1 : 3;
    for (int k = 0; k < directions; k++) {
      if (m->opt.cone == CT_CONE_PYRAMIDAL) {
        vel[2 * k] += con->friction[k] * con->surfacevel[k];
        vel[2 * k + 1] -= con->friction[k] * con->surfacevel[k];
      } else {
        vel[1 + k] += con->surfacevel[k];
      }
    }
  }
}

// Adhesion pulls along the normal: as if the row wanted to close that much faster.
static CT_FN void add_adhesion(const ctModel* m, ctData* d) {
  if (!m->flg_adhesion) return;
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->adhesion == 0) continue;
    bool pyramidal = con->dim > 1 && m->opt.cone == CT_CONE_PYRAMIDAL;
    int n = pyramidal ? 2 * (con->dim - 1) : 1;
    for (int k = 0; k < n; k++)
      d->efc_aref[con->efc_address + k] += d->efc_R[con->efc_address + k] * con->adhesion / (ctReal)n;
  }
}

CT_FN void cti_adhesion_force(const ctModel* m, ctData* d) {
  cti_zero(d->qfrc_adhesion, m->nv);
  bool off = (m->opt.disableflags & CT_DSBL_SPRING) && (m->opt.disableflags & CT_DSBL_DAMPER);
  if (!m->flg_adhesion || off) return;
  const ctReal none[3] = {0, 0, 0};
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->adhesion == 0) continue;
    ctReal pull[3], push[3];
    cti_scale3(pull, con->frame, con->adhesion);
    cti_scale3(push, con->frame, -con->adhesion);
    cti_add_force_at(m, d, d->qfrc_adhesion, pull, none, con->pos, m->geom_bodyid[con->geom[0]]);
    cti_add_force_at(m, d, d->qfrc_adhesion, push, none, con->pos, m->geom_bodyid[con->geom[1]]);
  }
  cti_add_to(d->qfrc_passive, d->qfrc_adhesion, m->nv);
}

CT_FN void cti_reference(const ctModel* m, ctData* d) {
  if (d->nefc == 0) return;
  cti_mul_J(m, d, d->efc_vel, d->qvel);
  add_surface_velocity(m, d);
  for (int i = 0; i < d->nefc; i++) {
    const ctReal* kbip = d->efc_KBIP + 4 * i;
    d->efc_aref[i] = -kbip[1] * d->efc_vel[i] - kbip[0] * kbip[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
  add_adhesion(m, d);
  for (int i = 0; i < d->ne;) {
    int eq = d->efc_id[i], n = 1;
    if (m->eq_type[eq] == CT_EQ_CONNECT || m->eq_type[eq] == CT_EQ_WELD) {
      ctReal drift[6];
      int rows = cti_equality_drift(m, d, eq, drift);
      // rows that were empty have been dropped: the block is complete or it is not there
      n = 0;
      while (i + n < d->ne && n < rows && d->efc_id[i + n] == eq) {
        d->efc_aref[i + n] -= drift[n];
        n++;
      }
    }
    i += n;
  }
}
