// The public questions. Host code.
#include "corten/query.h"

#include "query/energy.h"
#include "stage/force/acceleration.h"

ctStatus ct_energy(const ctModel* m, ctData* d) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  cti_energy_position(m, d);
  return cti_energy_velocity(m, d);
}

ctStatus ct_apply_force(const ctModel* m, ctData* d, const ctReal* force, const ctReal* torque,
                        const ctReal* point, int body, ctReal* qfrc) {
  if (!m || !d || !point || !qfrc || body < 0 || body >= m->nbody) return CT_ERR_ARGUMENT;
  const ctReal zero[3] = {0, 0, 0};
  cti_add_force_at(m, d, qfrc, force ? force : zero, torque ? torque : zero, point, body);
  return CT_OK;
}
