// State vectors: the chosen parts one after another, in the order of their bits.
#include "data/state.h"

#include <math.h>
#include <string.h>

const char* cti_state_part_name(int bit) {
  static const char* const names[CT_STATE_COUNT] = {
#define X(id, text, bit_) [bit_] = (text),
      CT_STATE_LIST(X)
#undef X
  };
  return names[bit];
}

void cti_state_write(const ctModel* m, const ctData* d, void* bytes, unsigned which) {
  unsigned char* at = bytes;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    ctiStatePart part = cti_state_part(m, d, bit);
    for (int i = 0; i < part.count; i++, at += sizeof(ctReal)) {
      ctReal number = part.bools ? (ctReal)part.bools[i] : part.reals[i];
      memcpy(at, &number, sizeof(number));
    }
  }
}

void cti_state_read(const ctModel* m, ctData* d, const void* bytes, unsigned which) {
  const unsigned char* at = bytes;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    ctiStatePart part = cti_state_part(m, d, bit);
    for (int i = 0; i < part.count; i++, at += sizeof(ctReal)) {
      ctReal number;
      memcpy(&number, at, sizeof(number));
      if (part.bools) {
        part.bools[i] = number != 0;
      } else {
        part.reals[i] = number;
      }
    }
  }
}

int cti_state_bad_part(const ctModel* m, const void* bytes, unsigned which) {
  const unsigned char* at = bytes;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    for (int i = 0; i < cti_state_part_size(m, bit); i++, at += sizeof(ctReal)) {
      ctReal number;
      memcpy(&number, at, sizeof(number));
      if (!isfinite(number)) return bit;
    }
  }
  return -1;
}

int ct_data_state_size(const ctModel* m, unsigned which) {
  if (!m || (which & ~CTI_STATE_ALL)) return -1;
  return cti_state_size(m, which);
}

ctStatus ct_data_get_state(const ctModel* m, const ctData* d, ctReal* state, unsigned which) {
  if (!m || !d || !state || (which & ~CTI_STATE_ALL)) return CT_ERR_ARGUMENT;
  cti_state_write(m, d, state, which);
  return CT_OK;
}

ctStatus ct_data_set_state(const ctModel* m, ctData* d, const ctReal* state, unsigned which) {
  if (!m || !d || !state || (which & ~CTI_STATE_ALL)) return CT_ERR_ARGUMENT;
  if (cti_state_bad_part(m, state, which) >= 0) return CT_ERR_INVALID;
  cti_state_read(m, d, state, which);
  return CT_OK;
}

ctStatus ct_data_copy_state(const ctModel* m, ctData* to, const ctData* from, unsigned which) {
  if (!m || !to || !from || to->nbuffer != from->nbuffer || (which & ~CTI_STATE_ALL)) return CT_ERR_ARGUMENT;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    ctiStatePart a = cti_state_part(m, to, bit), b = cti_state_part(m, from, bit);
    if (a.count == 0 || to == from) continue;
    if (a.bools) {
      memcpy(a.bools, b.bools, sizeof(ctBool) * (size_t)a.count);
    } else {
      memcpy(a.reals, b.reals, sizeof(ctReal) * (size_t)a.count);
    }
  }
  return CT_OK;
}

ctStatus ct_state_extract(const ctModel* m, const ctReal* from, unsigned from_which, ctReal* to,
                          unsigned to_which) {
  if (!m || !from || !to || (from_which & ~CTI_STATE_ALL) || (to_which & ~from_which)) return CT_ERR_ARGUMENT;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(from_which & 1u << bit)) continue;
    int count = cti_state_part_size(m, bit);
    if (to_which & 1u << bit) {
      for (int i = 0; i < count; i++) *to++ = from[i];
    }
    from += count;
  }
  return CT_OK;
}

ctStatus ct_model_set_keyframe(ctModel* m, const ctData* d, int key) {
  if (!m || !d || key < 0 || key >= m->nkey) return CT_ERR_ARGUMENT;
  const struct {
    ctReal* to;
    const ctReal* from;
    int count;
  } parts[] = {{m->key_time, &d->time, 1},
               {m->key_qpos, d->qpos, m->nq},
               {m->key_qvel, d->qvel, m->nv},
               {m->key_act, d->act, m->na},
               {m->key_mpos, d->mocap_pos, 3 * m->nmocap},
               {m->key_mquat, d->mocap_quat, 4 * m->nmocap},
               {m->key_ctrl, d->ctrl, m->nu},
               {m->key_plastic, d->plastic, m->nplastic}};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    for (int k = 0; k < parts[i].count; k++) parts[i].to[key * parts[i].count + k] = parts[i].from[k];
  }
  return CT_OK;
}
