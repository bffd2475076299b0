/// @file
/// Part of corten/mujoco.h: what shortcuts make of an actuator of an mjSpec.
#pragma once

#include "corten/mujoco_elements.h"
#include "corten/spec.h"

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
  actuator->type = mjACTUATOR_MOTOR;
  actuator->gainprm[0] = 1;
  return "";
}
/// As there.
static inline const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1],
                                            double dampratio[1], double timeconst[1], double inheritrange) {
  if (kv && dampratio) return "kv and dampratio cannot both be set";
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE,
               timeconst && timeconst[0] > 0 ? mjDYN_FILTEREXACT : mjDYN_NONE);
  actuator->type = mjACTUATOR_POSITION;
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
  if (trouble[0]) return trouble;
  actuator->type = mjACTUATOR_INTVELOCITY;
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->ctrlspec = 2;
  return trouble;
}
/// As there.
static inline const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE, mjDYN_NONE);
  actuator->type = mjACTUATOR_VELOCITY;
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  actuator->ctrlspec = 2;
  return "";
}
/// As there.
static inline const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  ct_mj_become(actuator, mjGAIN_AFFINE, mjBIAS_NONE, mjDYN_NONE);
  actuator->type = mjACTUATOR_DAMPER;
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = mjLIMITED_TRUE;
  return kv < 0 ? "damping coefficient cannot be negative" : "";
}
/// As there.
static inline const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                                            double diameter) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_AFFINE, mjDYN_FILTER);
  actuator->type = mjACTUATOR_CYLINDER;
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->ctrlspec = 32;
  actuator->gainprm[0] = diameter >= 0 ? 3.14159265358979323846 / 4 * diameter * diameter : area;
  return "";
}
/// As there.
static inline const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  ct_mj_become(actuator, mjGAIN_FIXED, mjBIAS_NONE, mjDYN_NONE);
  actuator->type = mjACTUATOR_ADHESION;
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  return gain < 0 ? "adhesion gain cannot be negative" : "";
}

/// As there.
static inline const char* mjs_setToOrientation(mjsActuator* actuator, double kp, double kv[1],
                                               double dampratio[1], int ctrlspec) {
  if (kv && dampratio) return "kv and dampratio cannot both be set";
  ct_mj_become(actuator, mjGAIN_SO3, mjBIAS_SO3, mjDYN_NONE);
  actuator->type = mjACTUATOR_ORIENTATION;
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
  actuator->type = mjACTUATOR_PID;
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
  actuator->type = mjACTUATOR_MUSCLE;
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

// Numbers of an attribute behind those of others, where one is not 0.
static inline int ct_mj_say_numbers(const char** words, int n, char* text, const char* attr, const double* x,
                                    int count) {
  bool any = false;
  size_t length = 0;
  for (int i = 0; x && i < count; i++) any = any || x[i] != 0;
  if (!any) return n;
  for (int i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, 200 - length, "%s%.17g", i ? " " : "", x[i]);
  words[n] = attr;
  words[n + 1] = text;
  words[n + 2] = NULL;
  return n + 2;
}
/// As there. The engine works out the numbers, those of a motor alone; a text is valid until the next call of
/// the thread.
static inline const char* mjs_setToDCMotor(mjsActuator* actuator, double motorconst[2], double resistance,
                                           double nominal[3], double saturation[3], double inductance[2],
                                           double cogging[3], double controller[6], double thermal[6],
                                           double lugre[5], int ctrlspec) {
  static CT_MJ_THREAD char trouble[512];
  static const char xml[] = "<body><joint name='joint'/><geom size='1'/></body>";
  const char* words[24] = {"joint", "joint", NULL};
  char text[9][200];
  int n = ct_mj_say_numbers(words, 2, text[0], "motorconst", motorconst, 2);
  n = ct_mj_say_numbers(words, n, text[1], "resistance", &resistance, 1);
  n = ct_mj_say_numbers(words, n, text[2], "nominal", nominal, 3);
  n = ct_mj_say_numbers(words, n, text[3], "saturation", saturation, 3);
  n = ct_mj_say_numbers(words, n, text[4], "inductance", inductance, 2);
  n = ct_mj_say_numbers(words, n, text[5], "cogging", cogging, 3);
  n = ct_mj_say_numbers(words, n, text[6], "controller", controller, 6);
  n = ct_mj_say_numbers(words, n, text[7], "thermal", thermal, 6);
  n = ct_mj_say_numbers(words, n, text[8], "lugre", lugre, 5);
  char input[60] = "";
  static const char* const inputs[] = {"pos", "vel", "ff", "voltage"};
  for (int i = 0; i < 4; i++) {
    if (!(ctrlspec >> i & 1)) continue;
    if (input[0]) strcat(input, " ");
    strcat(input, inputs[i]);
  }
  if (input[0]) {
    words[n] = "input";
    words[n + 1] = input;
    words[n + 2] = NULL;
  }
  ctSpec* s = NULL;
  ctModel* m = NULL;
  ctError err;
  memset(&err, 0, sizeof(err));
  ctStatus status = ct_spec_create(&s, NULL, &err);
  if (status == CT_OK) status = ct_spec_add_xml(NULL, s, ct_spec_world(s), xml, sizeof(xml) - 1, &err);
  if (status == CT_OK) status = ct_spec_add(NULL, s, NULL, "actuator/dcmotor", words, &err);
  if (status == CT_OK) status = ct_model_compile(&m, s, &err);
  snprintf(trouble, sizeof(trouble), "%s", status == CT_OK ? "" : err.message);
  if (status == CT_OK) {
    ct_mj_become(actuator, mjGAIN_DCMOTOR, mjBIAS_DCMOTOR, mjDYN_DCMOTOR);
    for (int i = 0; i < mjNGAIN; i++) actuator->gainprm[i] = (double)m->actuator_gainprm[i];
    for (int i = 0; i < mjNBIAS; i++) actuator->biasprm[i] = (double)m->actuator_biasprm[i];
    for (int i = 0; i < mjNDYN; i++) actuator->dynprm[i] = (double)m->actuator_dynprm[i];
    actuator->type = mjACTUATOR_DCMOTOR;
    actuator->actdim = m->actuator_actnum[0];
    actuator->actlimited = mjLIMITED_FALSE;
    actuator->actearly = true;
    actuator->ctrlspec = ctrlspec;
  }
  ct_model_free(m);
  ct_spec_free(s);
  return trouble;
}

#ifdef __cplusplus
}
#endif
