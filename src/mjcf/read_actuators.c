// Actuators: every shortcut is lowered to the general form.
#include "mjcf/reader.h"

static ctStatus read_motor(ctiReader* r, const ctiXml* e) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, NULL, &from));
  ctiActuator* motor = cti_spec_add_actuator(r->spec, from);
  if (!motor) return cti_error_memory(r->err);
  return cti_mjcf_read_element(r, e, &cti_attrs_motor, &motor->head);
}

ctStatus cti_mjcf_read_actuators(ctiReader* r, const ctiXml* section) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    if (cti_text_equal(e->name, "motor")) CT_TRY(read_motor(r, e));
  }
  return CT_OK;
}
