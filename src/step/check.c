#include "step/check.h"

#include "data/reset.h"
#include "data/warning.h"
#include "math/elementary.h"

// Reset, but remember the warnings: they are what the user is told.
static CT_FN void reset_after(const ctModel* m, ctData* d) {
  ctWarningStat seen[CT_WARN_COUNT];
  ctTimerStat spent[CT_TIMER_COUNT];
  for (int i = 0; i < CT_WARN_COUNT; i++) seen[i] = d->warning[i];
  for (int i = 0; i < CT_TIMER_COUNT; i++) spent[i] = d->timer[i];
  cti_data_reset(m, d);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = seen[i];
  for (int i = 0; i < CT_TIMER_COUNT; i++) d->timer[i] = spent[i];
}

CT_FN ctStatus cti_check(const ctModel* m, ctData* d, const ctReal* v, int n, ctWarningType warning) {
  int bad = 0;
  for (int i = 0; i < n; i++) bad += cti_is_bad(v[i]);
  if (bad == 0) return CT_OK;
  int first = 0;
  while (!cti_is_bad(v[first])) first++;
  cti_warn(d, warning, first);
  if (!(m->opt.disableflags & CT_DSBL_AUTORESET)) reset_after(m, d);
  return CT_STEP_DIVERGED;
}
