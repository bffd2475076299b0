// Armature and damping that actuators add to the joint or tendon they act on: multiplied by the square of
// the first gear. Step code.
#pragma once

#include "base/fn.h"
#include "corten/model.h"

// What jnt_actuatorid and tendon_actuatorid say besides an actuator's id.
#define CTI_NO_ACTUATOR    (-1)
#define CTI_MANY_ACTUATORS (-2)

// Coefficients of a damping polynomial.
typedef struct ctiDamping {
  ctReal linear, poly[CT_NPOLY];
} ctiDamping;

CT_INLINE bool cti_damps(const ctiDamping* b) {
  return b->linear != 0 || b->poly[0] != 0 || b->poly[1] != 0;
}

CT_INLINE ctReal cti_squared_gear(const ctModel* m, int actuator) {
  ctReal gear = m->actuator_gear[6 * m->actuator_outadr[actuator]];
  return gear * gear;
}

// Does an actuator act on a joint (`tendon` false) or tendon?
CT_INLINE bool cti_acts_on(const ctModel* m, int actuator, bool tendon, int id) {
  int kind = m->actuator_trntype[actuator];
  bool fits = tendon ? kind == CT_TRN_TENDON : (kind == CT_TRN_JOINT || kind == CT_TRN_JOINTINPARENT);
  return fits && m->actuator_trnid[2 * actuator] == id;
}

// `source`: the entry of jnt_actuatorid or tendon_actuatorid.
CT_INLINE ctReal cti_reflected_armature(const ctModel* m, int source, bool tendon, int id) {
  if (source == CTI_NO_ACTUATOR) return 0;
  if (source >= 0) return m->actuator_armature[source] * cti_squared_gear(m, source);
  ctReal sum = 0;
  for (int i = 0; i < m->nactuator; i++) {
    if (cti_acts_on(m, i, tendon, id)) sum += m->actuator_armature[i] * cti_squared_gear(m, i);
  }
  return sum;
}

CT_INLINE void cti_add_reflected_damping(ctiDamping* b, const ctModel* m, int actuator) {
  ctReal scale = cti_squared_gear(m, actuator);
  b->linear += m->actuator_damping[actuator] * scale;
  for (int k = 0; k < CT_NPOLY; k++) {
    b->poly[k] += m->actuator_dampingpoly[CT_NPOLY * actuator + k] * scale;
  }
}

CT_INLINE ctiDamping cti_with_reflected(const ctModel* m, ctReal linear, const ctReal* poly, int source,
                                        bool tendon, int id) {
  ctiDamping b;
  b.linear = linear;
  for (int k = 0; k < CT_NPOLY; k++) b.poly[k] = poly[k];
  if (source >= 0) {
    cti_add_reflected_damping(&b, m, source);
  } else if (source == CTI_MANY_ACTUATORS) {
    for (int i = 0; i < m->nactuator; i++) {
      if (cti_acts_on(m, i, tendon, id)) cti_add_reflected_damping(&b, m, i);
    }
  }
  return b;
}

// Own and reflected, of a dof and of a tendon.
CT_INLINE ctReal cti_dof_armature(const ctModel* m, int dof) {
  int j = m->dof_jntid[dof];
  return m->dof_armature[dof] + cti_reflected_armature(m, m->jnt_actuatorid[j], false, j);
}
CT_INLINE ctReal cti_tendon_armature(const ctModel* m, int t) {
  return m->tendon_armature[t] + cti_reflected_armature(m, m->tendon_actuatorid[t], true, t);
}
CT_INLINE ctiDamping cti_dof_damping(const ctModel* m, int dof) {
  int j = m->dof_jntid[dof];
  return cti_with_reflected(m, m->dof_damping[dof], m->dof_dampingpoly + CT_NPOLY * dof, m->jnt_actuatorid[j],
                            false, j);
}
CT_INLINE ctiDamping cti_tendon_damping(const ctModel* m, int t) {
  return cti_with_reflected(m, m->tendon_damping[t], m->tendon_dampingpoly + CT_NPOLY * t,
                            m->tendon_actuatorid[t], true, t);
}
