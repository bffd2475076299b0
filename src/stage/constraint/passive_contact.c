// Contacts of deformables that act as springs, without rows: stiff, frictionless, taken at the end of the
// step by the discrete integrator.
#include "data/arena.h"
#include "stage/constraint/constraint.h"
#include "stage/constraint/flex_contact.h"
#include "stage/position/flex.h"

// Stiffness for each unit of mass.
#define STIFFNESS CT_R(5e7)

// Elements and contact, then columns; scale and force, then values.
#define HEAD 2

CT_INLINE bool acts(const ctContact* con) {
  return con->exclude == CT_EXCLUDE_PASSIVE && con->dist < con->includemargin;
}

// The lightest of the vertices that hold a contact.
static CT_FN ctReal lightest(const ctiHolders* holders, const ctModel* m) {
  ctReal mass = 0;
  for (int i = 0; i < holders->n; i++) {
    int body = holders->body[i];
    if (!cti_only_slides(m, body) || holders->weight[i] == 0) continue;
    mass = mass == 0 ? m->body_mass[body] : cti_min(mass, m->body_mass[body]);
  }
  return mass;
}

CT_FN ctStatus cti_passive_contacts(const ctModel* m, ctData* d) {
  d->nefmcon = 0;
  bool any = false;
  for (int i = 0; i < d->ncon; i++) any = any || acts(d->contact + i);
  if (!any || (m->opt.disableflags & CT_DSBL_SPRING)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctiHolders holders;
  int* dof = CTI_SCRATCH(d, int, m->nv, "passive.dof");
  ctReal* row = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "passive.row");
  bool ok = dof && row && cti_holders_scratch(&holders, d);
  // counted first
  int64_t total = 0;
  for (int i = 0; ok && i < d->ncon; i++) {
    if (!acts(d->contact + i)) continue;
    cti_contact_holders(&holders, m, d, d->contact + i);
    total += HEAD + cti_holders_dofs(&holders, m, dof);
  }
  if (ok) {
    d->efm_con_ind = CTI_ARENA(d, int, total, "efm_con_ind");
    d->efm_con_val = CTI_ARENA(d, ctReal, total, "efm_con_val");
    ok = d->efm_con_ind && d->efm_con_val;
  }
  int at = 0;
  for (int i = 0; ok && i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (!acts(con)) continue;
    cti_contact_holders(&holders, m, d, con);
    int n = cti_holders_dofs(&holders, m, dof);
    if (n == 0) continue;
    cti_holders_motion(row, m->nv, &holders, m, d, con, dof, n);
    ctReal k = STIFFNESS * lightest(&holders, m), h = m->opt.timestep;
    d->efm_con_ind[at] = n;
    d->efm_con_ind[at + 1] = i;
    d->efm_con_val[at] = h * h * k;
    d->efm_con_val[at + 1] = -k * con->dist;
    for (int j = 0; j < n; j++) {
      d->efm_con_ind[at + HEAD + j] = dof[j];
      d->efm_con_val[at + HEAD + j] = row[j];
    }
    at += HEAD + n;
  }
  if (ok) d->nefmcon = at;
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
