/// @file
/// Part of corten/mujoco.h: what shortcuts make of an actuator of an mjSpec.
#pragma once

#include "corten/mujoco_elements.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline void ct_mj_become(mjsActuator* a, mjtGain gain, mjtBias bias, mjtDyn dyn) {
  a->gaintype = gain;
  a->biastype = bias;
  a->dyntype = dyn;
  memset(a->gainprm, 0, sizeof(a->gainprm));
  memset(a->biasprm, 0, sizeof(a->biasprm));
  a->ctrlspec = 0;
}
/// As there: "" or what is wrong.
static inline const char* mjs_setToMotor(mjsActuator* actuator) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_NONE, mjDYN_NONE);
  actuator->gainprm[0] = 1;
  return "";
}
/// As there.
static inline const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1],
                                            double dampratio[1], double timeconst[1], double inheritrange) {
  if (kv && dampratio) return "kv and dampratio cannot both be set";
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE,
               timeconst && timeconst[0] > 0 ? mjDYN_FILTEREXACT : mjDYN_NONE);
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  if (kv) actuator->biasprm[2] = -kv[0];
  if (dampratio) actuator->biasprm[2] = dampratio[0];
  if (timeconst && timeconst[0] > 0) actuator->dynprm[0] = timeconst[0];
  actuator->inheritrange = inheritrange;
  actuator->ctrlspec = 1;
  return "";
}
/// As there.
static inline const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                               double dampratio[1], double timeconst[1],
                                               double inheritrange) {
  const char* trouble = mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->ctrlspec = 2;
  return trouble;
}
/// As there.
static inline const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE, mjDYN_NONE);
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  actuator->ctrlspec = 2;
  return "";
}
/// As there.
static inline const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  ct_mj_become(actuator, mjGAIN_AFFINE, mjBIAS_NONE, mjDYN_NONE);
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = mjLIMITED_TRUE;
  return kv < 0 ? "damping coefficient cannot be negative" : "";
}
/// As there.
static inline const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                                            double diameter) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE, mjDYN_FILTER);
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->ctrlspec = 32;
  actuator->gainprm[0] = diameter >= 0 ? 3.14159265358979323846 / 4 * diameter * diameter : area;
  return "";
}
/// As there.
static inline const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_NONE, mjDYN_NONE);
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  return gain < 0 ? "adhesion gain cannot be negative" : "";
}

/// As there.
static inline const char* mjs_setToOrientation(mjsActuator* actuator, double kp, double kv[1],
                                               double dampratio[1], int ctrlspec) {
  if (kv && dampratio) return "kv and dampratio cannot both be set";
  ct_mj_become(actuator, mjGAIN_SO3, mjBIAS_SO3, mjDYN_NONE);
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  actuator->biasprm[2] = kv ? -kv[0] : dampratio ? dampratio[0] : 0;
  actuator->ctrlspec = ctrlspec;
  return "";
}
/// As there.
static inline const char* mjs_setToPID(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                       double ki[1], double imax[1], double slewmax[1], double inheritrange,
                                       int ctrlspec) {
  if (kv && dampratio) return "kv and dampratio cannot both be set";
  const double i = ki && ki[0] > 0 ? ki[0] : 0, slew = slewmax && slewmax[0] > 0 ? slewmax[0] : 0;
  ct_mj_become(actuator, mjGAIN_PID, mjBIAS_AFFINE, i > 0 || slew > 0 ? mjDYN_PID : mjDYN_NONE);
  memset(actuator->dynprm, 0, sizeof(actuator->dynprm));
  actuator->gainprm[0] = i;
  actuator->biasprm[1] = -kp;
  actuator->biasprm[2] = kv ? -kv[0] : dampratio ? dampratio[0] : 0;
  actuator->dynprm[0] = imax && imax[0] > 0 ? imax[0] : 0;
  actuator->dynprm[1] = slew;
  actuator->inheritrange = inheritrange;
  actuator->ctrlspec = ctrlspec;
  return "";
}
/// As there. Negative numbers stand for the defaults, NULL for those of `timeconst` and `range`.
static inline const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                                          double range[2], double force, double scale, double lmin,
                                          double lmax, double vmax, double fpmax, double fvmax) {
  const double given[6] = {scale, lmin, lmax, vmax, fpmax, fvmax}, usual[6] = {200, 0.5, 1.6, 1.5, 1.3, 1.2};
  ct_mj_become(actuator, mjGAIN_MUSCLE, mjBIAS_MUSCLE, mjDYN_MUSCLE);
  memset(actuator->dynprm, 0, sizeof(actuator->dynprm));
  actuator->dynprm[0] = timeconst ? timeconst[0] : 0.01;
  actuator->dynprm[1] = timeconst ? timeconst[1] : 0.04;
  actuator->dynprm[2] = tausmooth;
  actuator->gainprm[0] = range ? range[0] : 0.75;
  actuator->gainprm[1] = range ? range[1] : 1.05;
  actuator->gainprm[2] = force;
  for (int k = 0; k < 6; k++) actuator->gainprm[3 + k] = given[k] >= 0 ? given[k] : usual[k];
  memcpy(actuator->biasprm, actuator->gainprm, sizeof(actuator->biasprm));
  return tausmooth < 0 ? "muscle tausmooth cannot be negative" : "";
}

#ifdef __cplusplus
}
#endif
