// Closed forms of what sensors read. Host code.
#pragma once

#include "derive/devices.h"

// Where the derivatives of sensors go: by positions and velocities, activations and controls, a column each,
// and by accelerations.
typedef struct ctiSensorSlopes {
  ctReal* columns;  // positions, velocities, activations, controls
  int64_t stride;
  int at;          // where sensors begin in a column
  ctReal* by_acc;  // nv x nsensordata
} ctiSensorSlopes;

// Has every sensor of the model a closed form?
bool cti_sensors_closed(const ctModel* m, const ctData* d);

// After the slopes and the devices; both parts start at zero.
void cti_sensor_slopes(const ctiSensorSlopes* to, ctiSlopes* s, const ctiDevices* dev);
