// What mjs_setTo*() makes of an actuator.
#include <mujoco/mujoco.h>
#include <stdio.h>

static void numbers(const char* what, const double* x) {
  printf("  %s", what);
  for (int i = 0; i < 10; i++) printf(" %.8g", x[i] + 0.0);
  printf("\n");
}

static void show(const char* name, const mjsActuator* a, const char* trouble) {
  if (trouble && trouble[0]) {
    printf("%s: wrong\n", name);
    return;
  }
  printf("%s: type %d gain %d bias %d dyn %d actdim %d limited %d %d early %d input %d inherit %g\n", name,
         a->type, a->gaintype, a->biastype, a->dyntype, a->actdim, a->actlimited, a->ctrllimited, a->actearly,
         a->ctrlspec, a->inheritrange);
  numbers("gain", a->gainprm);
  numbers("bias", a->biasprm);
  numbers("dyn", a->dynprm);
}

int main(void) {
  mjSpec* s = mj_makeSpec();
  mjsActuator* a;
  double constants[2] = {0.05, 0.06}, nominal[3] = {24, 3, 100}, saturation[3] = {1, 2, 3},
         inductance[2] = {0.001, 0};
  double cogging[3] = {.1, 4, 0}, controller[6] = {1, 2, 3, 0, 0, 0}, thermal[6] = {1, 2, 3, 4, 5, 6},
         lugre[5] = {1, 2, 3, 4, 5};
  double none[6] = {0}, kv = 1, ratio = 0.5, time = 0.1, ki = 2, slew = 3;
#define TRY(name, call)      \
  a = mjs_addActuator(s, 0); \
  show(name, a, call);
  TRY("general", "")
  TRY("dcmotor", mjs_setToDCMotor(a, constants, 2, none, none, none, none, none, none, none, 0))
  TRY("dcmotor",
      mjs_setToDCMotor(a, constants, 2, nominal, saturation, inductance, cogging, none, none, lugre, 0))
  TRY("dcmotor", mjs_setToDCMotor(a, constants, 2, none, none, none, none, controller, thermal, none, 1))
  TRY("dcmotor", mjs_setToDCMotor(a, none, 0, none, none, none, none, none, none, none, 0))
  TRY("dcmotor", mjs_setToDCMotor(a, constants, -2, none, none, none, none, none, none, none, 0))
  TRY("motor", mjs_setToMotor(a))
  TRY("position", mjs_setToPosition(a, 3, 0, 0, 0, 0))
  TRY("position", mjs_setToPosition(a, 3, &kv, 0, &time, 1))
  TRY("position", mjs_setToPosition(a, 3, 0, &ratio, 0, 0))
  TRY("position", mjs_setToPosition(a, 3, &kv, &ratio, 0, 0))
  TRY("intvelocity", mjs_setToIntVelocity(a, 3, 0, 0, 0, 0))
  TRY("velocity", mjs_setToVelocity(a, 3))
  TRY("damper", mjs_setToDamper(a, 3))
  TRY("damper", mjs_setToDamper(a, -3))
  TRY("cylinder", mjs_setToCylinder(a, 3, 1, 2, -1))
  TRY("cylinder", mjs_setToCylinder(a, 3, 1, 2, 0.3))
  TRY("muscle", mjs_setToMuscle(a, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1))
  TRY("adhesion", mjs_setToAdhesion(a, 3))
  TRY("orientation", mjs_setToOrientation(a, 3, &kv, 0, 0))
  TRY("pid", mjs_setToPID(a, 3, &kv, 0, &ki, 0, &slew, 0, 0))
  mj_deleteSpec(s);
}
