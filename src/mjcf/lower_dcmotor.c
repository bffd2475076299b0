// A DC motor from its data sheet to the parameters of the engine.
#include <math.h>
#include <string.h>

#include "mjcf/lower.h"

// Numbers given here replace those of the class one by one.
static void override(double* to, const double* given, int n) {
  for (int i = 0; i < n; i++) {
    if (!isnan(given[i])) to[i] = given[i];
  }
}

static double given_or(double given, double otherwise) {
  return isnan(given) ? otherwise : given;
}

// Torque and back-EMF constants make one; the nominal point fills in what is not given.
static const char* lower_electric(ctiDrive* d, const ctiShortcutWords* w, bool driven) {
  double voltage = given_or(w->nominal[0], 0), stall = given_or(w->nominal[1], 0),
         speed = given_or(w->nominal[2], 0);
  double k[2] = {given_or(w->motorconst[0], 0), given_or(w->motorconst[1], 0)};
  if (k[0] < 0 || k[1] < 0) return "motorconst must not be negative";
  bool nominal = voltage > 0 && speed > 0;
  for (int i = 0; nominal && i < 2; i++) {
    if (k[i] == 0) k[i] = voltage / speed;
  }
  if (!isnan(w->motorconst[0]) || nominal)
    d->gainprm[1] = k[0] > 0 && k[1] > 0 ? sqrt(k[0] * k[1]) : fmax(k[0], k[1]);
  if (!isnan(w->resistance)) {
    d->gainprm[0] = w->resistance;
  } else if (nominal && stall > 0) {
    d->gainprm[0] = d->gainprm[1] * voltage / stall;
  }
  if (driven && !(d->gainprm[1] > 0)) return "the motor constant must be positive: set motorconst or nominal";
  if (!(d->gainprm[0] > 0)) return "the resistance must be positive: set resistance or nominal";
  if (!isnan(w->inductance[0])) {
    double constant = given_or(w->inductance[1], 0);
    if (w->inductance[0] < 0 || constant < 0) return "inductance must not be negative";
    d->dynprm[0] = w->inductance[0] > 0 ? w->inductance[0] / d->gainprm[0] : constant;
  }
  return NULL;
}

// Two of heat resistance, capacity and time constant give the third.
static const char* lower_thermal(ctiDrive* d, const ctiShortcutWords* w) {
  if (isnan(w->thermal[0])) return NULL;
  double v[6] = {0};
  override(v, w->thermal, 6);
  double resistance = v[0], capacity = v[1], time = v[2];
  if (resistance < 0 || capacity < 0 || time < 0)
    return "thermal resistance, capacitance and time constant must not be negative";
  if (resistance > 0 && time > 0) capacity = time / resistance;
  if (resistance == 0 && capacity > 0 && time > 0) resistance = time / capacity;
  if (resistance > 0 && !(capacity > 0)) return "thermal capacitance must be positive";
  d->dynprm[2] = resistance;
  d->dynprm[3] = capacity;
  d->dynprm[4] = v[5];
  d->gainprm[2] = v[3];
  d->gainprm[3] = v[4];
  return NULL;
}

static void lower_saturation(ctiActuator* a, const ctiShortcutWords* w) {
  if (isnan(w->saturation[0])) return;
  double v[3] = {0};
  override(v, w->saturation, 3);
  double torque = v[0] > 0 ? v[0] : a->drive.gainprm[1] * v[1];
  a->forcerange[0] = -torque;
  a->forcerange[1] = torque;
  a->drive.dynprm[1] = v[2];
}

const char* cti_lower_dcmotor(ctiActuator* a, const ctiShortcutWords* w) {
  ctiDrive* d = &a->drive;
  if (d->made_by != CTI_SHORTCUT_DCMOTOR) {
    memset(d->dynprm, 0, sizeof(d->dynprm));
    memset(d->gainprm, 0, sizeof(d->gainprm));
    memset(d->biasprm, 0, sizeof(d->biasprm));
  }
  d->dyntype = CT_DYN_DCMOTOR;
  d->gaintype = CT_GAIN_DCMOTOR;
  d->biastype = CT_BIAS_DCMOTOR;
  const char* complaint = lower_electric(d, w, !(d->ctrlspec & CTI_INPUT_NONE));
  if (!complaint) complaint = lower_thermal(d, w);
  if (complaint) return complaint;
  lower_saturation(a, w);
  // gains and largest voltage; slew and integral limits
  double controller[6] = {d->gainprm[4], d->gainprm[5], d->gainprm[6],
                          d->dynprm[7],  d->dynprm[8],  d->gainprm[7]};
  override(controller, w->controller, 6);
  memcpy(d->gainprm + 4, controller, 3 * sizeof(double));
  memcpy(d->dynprm + 7, controller + 3, 2 * sizeof(double));
  d->gainprm[7] = controller[5];
  // friction of bristles: stiffness and damping; Coulomb, static and Stribeck numbers
  override(d->dynprm + 5, w->lugre, 2);
  override(d->biasprm + 3, w->lugre + 2, 3);
  override(d->biasprm, w->cogging, 3);
  return NULL;
}
