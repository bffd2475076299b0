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
  return "";
}
/// As there.
static inline const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                               double dampratio[1], double timeconst[1],
                                               double inheritrange) {
  const char* trouble = mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  return trouble;
}
/// As there.
static inline const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE, mjDYN_NONE);
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
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

#ifdef __cplusplus
}
#endif
