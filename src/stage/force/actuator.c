#include "stage/force/actuator.h"

#include "math/dense.h"

// Length of a full turn for transmissions whose length is an angle in space; 0 for others.
static CT_FN ctReal full_turn(const ctModel* m, int id) {
  const ctReal* gear = m->actuator_gear + 6 * m->actuator_outadr[id];
  const int* target = m->actuator_trnid + 2 * id;
  switch (m->actuator_trntype[id]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT:
      return m->jnt_type[target[0]] == CT_JOINT_BALL ? CT_R(2 * CTI_PI) * cti_norm3(gear) : CT_R(0);
    case CT_TRN_SITE:
      if (target[1] < 0 || gear[0] != 0 || gear[1] != 0 || gear[2] != 0) return 0;
      return CT_R(2 * CTI_PI) * cti_norm3(gear + 3);
    default: return 0;
  }
}

CT_FN ctiActuatorView cti_actuator(const ctModel* m, const ctData* d, int id, const ctReal* ctrl) {
  ctiActuatorView a;
  a.m = m;
  a.d = d;
  a.id = id;
  a.out = m->actuator_outadr[id];
  a.ctrl = ctrl + m->actuator_ctrladr[id];
  a.gain = m->actuator_gainprm + CT_NGAIN * id;
  a.bias = m->actuator_biasprm + CT_NBIAS * id;
  a.dyn = m->actuator_dynprm + CT_NDYN * id;
  a.length = d->actuator_length[a.out];
  a.velocity = d->actuator_velocity[a.out];
  a.period = full_turn(m, id);
  return a;
}
