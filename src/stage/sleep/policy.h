// Which trees may sleep: what the author says, and for the others what drives them and what ties them
// together. Host code.
#pragma once

#include "corten/model.h"

// A tree with an author's word that cannot be kept, and the tendon that is in its way.
typedef struct ctiSleepConflict {
  int tree, tendon;
  bool many;  // the tendon joins more than two trees; otherwise it has stiffness or damping
} ctiSleepConflict;

// Resolve m->tree_sleep_policy. Never, allowed and init are the author's and stay; all others become one of
// the two outcomes of auto. CT_OK, or CT_ERR_INVALID with the first conflict.
ctStatus cti_sleep_policies(ctModel* m, ctiSleepConflict* conflict);

// The first equality between tendons that starts active, -1 when there is none. They do not go with sleeping.
int cti_tendon_equality(const ctModel* m);
