// Settings of a model that is attached, against those of the model it is attached to.
#pragma once

#include "spec/spec.h"

// Resolve the conflicts as the settings of `to` demand: its own values stay; or they are merged; or it is an
// error when both models say something and differ. CT_ERR_INVALID with the conflict in `complaint`; nothing
// is changed then.
ctStatus cti_spec_merge(ctSpec* to, const ctSpec* from, char* complaint, size_t size);
