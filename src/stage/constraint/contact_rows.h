// Constraint stage: rows of contacts.
//   reads   d->contact, cdof
//   writes  rows; contact.efc_address, contact.exclude
//   before  collision, com
#pragma once

#include "stage/constraint/rows.h"

CT_FN ctStatus cti_contact_rows(ctiRows* rows);
