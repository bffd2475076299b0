// The public questions about constraint forces. Host code.
#include "corten/query.h"
#include "query/post_constraint.h"
#include "stage/solve/kkt.h"

ctStatus ct_contact_force(const ctModel* m, const ctData* d, int contact, ctReal out[6]) {
  if (!m || !d || !out || contact < 0 || contact >= d->ncon) return CT_ERR_ARGUMENT;
  cti_contact_wrench(m, d, contact, out);
  return CT_OK;
}

ctStatus ct_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force) {
  if (!m || !d || !balance || !force) return CT_ERR_ARGUMENT;
  return cti_kkt_residual(m, d, balance, force);
}
