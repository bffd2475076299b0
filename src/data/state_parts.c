#include "data/state_parts.h"

CT_FN ctiStatePart cti_state_part(const ctModel* m, const ctData* d, int bit) {
  ctiStatePart p;
  p.reals = (ctReal*)0;
  p.bools = (ctBool*)0;
  p.count = 0;
#define PART(array, size)              \
  do {                                 \
    if (d) p.reals = (ctReal*)(array); \
    p.count = (size);                  \
  } while (0)
  switch (1 << bit) {
    case CT_STATE_TIME: PART(&d->time, 1); break;
    case CT_STATE_QPOS: PART(d->qpos, m->nq); break;
    case CT_STATE_QVEL: PART(d->qvel, m->nv); break;
    case CT_STATE_ACT: PART(d->act, m->na); break;
    case CT_STATE_HISTORY: PART(d->history, m->nhistory); break;
    case CT_STATE_WARMSTART: PART(d->qacc_warmstart, m->nv); break;
    case CT_STATE_CTRL: PART(d->ctrl, m->nu); break;
    case CT_STATE_QFRC_APPLIED: PART(d->qfrc_applied, m->nv); break;
    case CT_STATE_XFRC_APPLIED: PART(d->xfrc_applied, 6 * m->nbody); break;
    case CT_STATE_EQ_ACTIVE:
      if (d) p.bools = d->eq_active;
      p.count = m->neq;
      break;
    case CT_STATE_MOCAP_POS: PART(d->mocap_pos, 3 * m->nmocap); break;
    case CT_STATE_MOCAP_QUAT: PART(d->mocap_quat, 4 * m->nmocap); break;
    case CT_STATE_USERDATA: PART(d->userdata, m->nuserdata); break;
    case CT_STATE_PLUGIN: PART(d->plugin_state, m->npluginstate); break;
    default: PART(d->plastic, m->nplastic);
  }
#undef PART
  return p;
}

CT_FN int cti_state_part_size(const ctModel* m, int bit) {
  return cti_state_part(m, (const ctData*)0, bit).count;
}

CT_FN int cti_state_size(const ctModel* m, unsigned which) {
  int size = 0;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (which & 1u << bit) size += cti_state_part_size(m, bit);
  }
  return size;
}

CT_FN void cti_state_store(const ctModel* m, const ctData* d, ctReal* state, size_t stride, unsigned which) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    ctiStatePart part = cti_state_part(m, d, bit);
    if (part.bools) {
      for (int i = 0; i < part.count; i++) state[(size_t)i * stride] = (ctReal)part.bools[i];
    } else {
      ctReal* CT_RESTRICT to = state;
      for (int i = 0; i < part.count; i++) to[(size_t)i * stride] = part.reals[i];
    }
    state += (size_t)part.count * stride;
  }
}

CT_FN void cti_state_load(const ctModel* m, ctData* d, const ctReal* state, size_t stride, unsigned which) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    ctiStatePart part = cti_state_part(m, d, bit);
    if (part.bools) {
      for (int i = 0; i < part.count; i++) part.bools[i] = state[(size_t)i * stride] != 0;
    } else {
      ctReal* CT_RESTRICT reals = part.reals;
      for (int i = 0; i < part.count; i++) reals[i] = state[(size_t)i * stride];
    }
    state += (size_t)part.count * stride;
  }
}
