// What the language can say and the engine cannot do yet. A model that needs it is refused with the remedy;
// this list only ever gets shorter.
#include "compile/build.h"
#include "sense/sense.h"

static ctStatus refuse(const ctiBuild* b, const ctiElement* e, const char* what) {
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e, "%s", what);
}

static ctStatus check_sensors(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->option.disableflags & CT_DSBL_SENSOR) return CT_OK;
  for (int i = 0; i < s->sensors.count; i++) {
    const ctiSensor* sensor = s->sensors.data[i];
    if (!cti_sensor_supported(sensor->type)) {
      return refuse(b, &sensor->head,
                    "this kind of sensor is not supported yet; set sensor=\"disable\" in <option><flag> to "
                    "simulate without");
    }
  }
  return CT_OK;
}

static ctStatus check_settings(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  const ctiElement top = {.tag = "option", .where = {s->file, 0, 0}};
  const ctOption* o = &s->option;
  const int supported =
      CT_ENBL_ENERGY | CT_ENBL_OVERRIDE | CT_ENBL_FWDINV | CT_ENBL_DIAGEXACT | CT_ENBL_INVDISCRETE;
  if (o->integrator == CT_INT_DISCRETE)
    return refuse(b, &top, "the discrete integrator is not supported yet");
  if (o->enableflags & ~supported)
    return refuse(b, &top, "the flags sleep, ipc and speculative are not supported yet");
  return CT_OK;
}

ctStatus cti_pass_support(ctiBuild* b) {
  CT_TRY(check_settings(b));
  CT_TRY(check_sensors(b));
  return CT_OK;
}
