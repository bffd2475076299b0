// What all backends say of worlds in the same way.
#include "batch/backend.h"

size_t cti_world_bytes(size_t numbers) {
  return numbers * sizeof(ctReal) + sizeof(int) + sizeof(ctWarningStat) * CT_WARN_COUNT;
}

ctStatus cti_check_room(int nworld, size_t world_bytes, size_t have, ctError* err) {
  double need = (double)world_bytes * nworld, gib = 1073741824.0;
  if (need <= (double)have) return CT_OK;
  return cti_error(err, CT_ERR_LIMIT, "%d worlds take %.1f GiB and %.1f GiB are free: there is room for %.0f",
                   nworld, need / gib, (double)have / gib, (double)have / (double)world_bytes);
}

int cti_carried_width(const ctModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_interval[2 * i] > 0 || m->sensor_type[i] == CT_SENS_USER) return m->nsensordata;
  }
  return 0;
}

ctStatus cti_first_trouble(const int* status, int nworld, ctError* err) {
  for (int w = 0; w < nworld; w++) {
    if (status[w] == CT_OK) continue;
    return cti_error(err, (ctStatus)status[w], "world %d: %s", w, ct_status_text((ctStatus)status[w]));
  }
  return CT_OK;
}
