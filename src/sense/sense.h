// Sensors: each reads its object at the end of the stage it belongs to.
//   reads   what the stage has computed
//   writes  d->sensordata
//   before  position, velocity or acceleration stage
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Read the sensors of a stage (ctStage). Those that are delayed, or not due yet, give what they have stored.
CT_FN void cti_sense(const ctModel* m, ctData* d, int stage);

// Before a step advances: sensors with a history store what they measure now.
CT_FN void cti_sense_record(const ctModel* m, ctData* d);

// Can the engine read this kind of sensor?
CT_FN bool cti_sensor_supported(int type);
