#include "stage/constraint/make.h"

#include "data/arena.h"
#include "data/warning.h"
#include "stage/constraint/contact_rows.h"
#include "stage/constraint/equality.h"
#include "stage/constraint/impedance.h"
#include "stage/constraint/limit.h"
#include "stage/constraint/project.h"
#include "stage/constraint/rows.h"

// All kinds in their order; `ends` receives the number of rows after equality, friction and limits.
static CT_FN ctStatus all_rows(ctiRows* rows, int ends[3]) {
  ctStatus status = cti_equality_rows(rows);
  ends[0] = rows->nefc;
  if (status == CT_OK) status = cti_friction_rows(rows);
  ends[1] = rows->nefc;
  if (status == CT_OK) status = cti_limit_rows(rows);
  ends[2] = rows->nefc;
  if (status == CT_OK) status = cti_contact_rows(rows);
  return status;
}

static CT_FN bool allocate_rows(ctData* d, int n, int nJ, bool sparse) {
  bool ok = true;
#define TAKE(type, name, count) ok = ok && (d->name = CTI_ARENA(d, type, (count), #name)) != (type*)0;
  TAKE(int, efc_type, n)
  TAKE(int, efc_id, n)
  if (sparse) {
    TAKE(int, efc_J_rownnz, n)
    TAKE(int, efc_J_rowadr, n)
    TAKE(int, efc_J_rowsuper, n)
    TAKE(int, efc_J_colind, nJ)
  }
  TAKE(ctReal, efc_J, nJ)
  TAKE(ctReal, efc_pos, n)
  TAKE(ctReal, efc_margin, n)
  TAKE(ctReal, efc_frictionloss, n)
  TAKE(ctReal, efc_diagA, n)
  TAKE(ctReal, efc_KBIP, 4 * n)
  TAKE(ctReal, efc_D, n)
  TAKE(ctReal, efc_R, n)
  TAKE(ctReal, efc_vel, n)
  TAKE(ctReal, efc_aref, n)
  TAKE(ctReal, efc_b, n)
  TAKE(int, efc_state, n)
  TAKE(ctReal, efc_force, n)
#undef TAKE
  return ok;
}

// How many rows after each have the same columns: they can be worked on together.
static CT_FN void find_supernodes(ctData* d) {
  for (int i = d->nefc - 1; i >= 0; i--) {
    d->efc_J_rowsuper[i] = 0;
    if (i == d->nefc - 1 || d->efc_J_rownnz[i] != d->efc_J_rownnz[i + 1]) continue;
    const int *a = d->efc_J_colind + d->efc_J_rowadr[i], *b = d->efc_J_colind + d->efc_J_rowadr[i + 1];
    bool same = true;
    for (int k = 0; k < d->efc_J_rownnz[i] && same; k++) same = a[k] == b[k];
    if (same) d->efc_J_rowsuper[i] = d->efc_J_rowsuper[i + 1] + 1;
  }
}

static CT_FN ctStatus give_up(ctData* d, int rows) {
  cti_warn(d, CT_WARN_CNSTRFULL, rows);
  d->nefc = d->nJ = d->ne = d->nf = d->nl = 0;
  for (int i = 0; i < d->ncon; i++) d->contact[i].efc_address = -1;
  return CT_STEP_OVERFLOW;
}

CT_FN ctStatus cti_make_constraints(const ctModel* m, ctData* d, bool forward) {
  d->nefc = d->nJ = d->ne = d->nf = d->nl = 0;
  if ((m->opt.disableflags & CT_DSBL_CONSTRAINT) || m->nv == 0) return CT_OK;
  ctiRows rows;
  rows.m = m;
  rows.d = d;
  rows.sparse = cti_is_sparse(m);
  rows.counting = true;
  rows.nefc = rows.nJ = 0;
  int ends[3];
  if (all_rows(&rows, ends) != CT_OK) return give_up(d, 0);
  if (rows.nefc == 0) return CT_OK;
  if (!allocate_rows(d, rows.nefc, rows.nJ, rows.sparse)) return give_up(d, rows.nefc);
  rows.counting = false;
  rows.nefc = rows.nJ = 0;
  if (all_rows(&rows, ends) != CT_OK) return give_up(d, rows.nefc);
  d->nefc = rows.nefc;
  d->nJ = rows.nJ;
  d->ne = ends[0];
  d->nf = ends[1] - ends[0];
  d->nl = ends[2] - ends[1];
  if (rows.sparse) find_supernodes(d);
  cti_impedance(m, d, (const ctReal*)0);
  if (cti_needs_dual(m, forward) && cti_project(m, d) != CT_OK) return give_up(d, rows.nefc);
  return CT_OK;
}
