#include "spec/drive.h"

#include "model/inputs.h"

int cti_drive_controls(const ctiDrive* d) {
  if (d->gaintype == CT_GAIN_SO3) return d->ctrlspec == CTI_CHART_QUAT ? 4 : 3;
  if (d->gaintype != CT_GAIN_PID && d->gaintype != CT_GAIN_DCMOTOR) return 1;
  int n = 0;
  for (int bit = CTI_INPUT_POS; bit <= CTI_INPUT_VOLTAGE; bit <<= 1) n += (d->ctrlspec & bit) != 0;
  return n;
}

int cti_drive_motor_states(const ctiDrive* d) {
  return (d->dynprm[7] > 0) + (d->gainprm[5] > 0) + (d->dynprm[2] > 0) + (d->dynprm[5] > 0) +
         (d->dynprm[0] > 0);
}

int cti_drive_states(const ctiDrive* d) {
  switch (d->dyntype) {
    case CT_DYN_NONE: return 0;
    case CT_DYN_PID: return (d->gainprm[0] > 0) + (d->dynprm[1] > 0);
    case CT_DYN_DCMOTOR: return cti_drive_motor_states(d);
    default: return d->gaintype == CT_GAIN_SO3 ? 3 : 1;
  }
}

int cti_activation_count(const ctiActuator* a) {
  return a->shortcut == CTI_SHORTCUT_GENERAL && a->actdim >= 0 ? a->actdim : cti_drive_states(&a->drive);
}
