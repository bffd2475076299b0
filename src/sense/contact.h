// Readers of sensors that look at contacts or along rays: each writes the numbers of sensor `i` to `out`.
// Step code.
//   before  the stage of the sensor
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_sense_touch(const ctModel* m, ctData* d, int i, ctReal* out);
CT_FN void cti_sense_contact(const ctModel* m, ctData* d, int i, ctReal* out);
CT_FN void cti_sense_touch_grid(const ctModel* m, ctData* d, int i, ctReal* out);
CT_FN void cti_sense_tactile(const ctModel* m, ctData* d, int i, ctReal* out);
CT_FN void cti_sense_camprojection(const ctModel* m, ctData* d, int i, ctReal* out);
CT_FN void cti_sense_rangefinder(const ctModel* m, ctData* d, int i, ctReal* out);
