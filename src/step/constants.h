// Constants of a model that follow from its numbers at the reference configuration. Host code.
#pragma once

#include "corten/model.h"

// All of them, when the model is compiled: also what the author's numbers become once and for all (damping
// ratios, spring lengths, equality anchors, camera and light offsets). ct_model_update() computes the rest
// again.
ctStatus cti_model_constants(ctModel* m, ctError* err);
