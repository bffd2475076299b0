// Sensors: each reads its object at the end of the stage it belongs to.
//   reads   what the stage has computed
//   writes  d->sensordata
//   before  position, velocity or acceleration stage
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Read the sensors of a stage (ctStage). Those that are delayed, or not due yet, give what they have stored.
CT_FN void cti_sense(const ctModel* m, ctData* d, int stage);

// Before a step advances: sensordata in scratch, with what delayed sensors measure now; d->sensordata itself
// where there are no histories. NULL when the scratch is full.
CT_FN const ctReal* cti_sense_now(const ctModel* m, ctData* d);

// After it has: sensors with a history store what they measured at `time`, where the step began.
CT_FN void cti_sense_record(const ctModel* m, ctData* d, const ctReal* now, ctReal time);

// Can the engine read this kind of sensor?
CT_FN bool cti_sensor_supported(int type);
