// State vectors: the chosen parts one after another, in the order of their bits.
#include "base/fn.h"
#include "corten/data.h"

#define ALL_PARTS ((1u << CT_STATE_COUNT) - 1)

// One part of the state: its reals (or booleans, stored as reals) and how many.
typedef struct Part {
  ctReal* reals;
  ctBool* bools;
  int count;
} Part;

static Part state_part(const ctModel* m, const ctData* d, int bit) {
  switch (1 << bit) {
    case CT_STATE_TIME: return (Part){d ? (ctReal*)&d->time : NULL, NULL, 1};
    case CT_STATE_QPOS: return (Part){d ? d->qpos : NULL, NULL, m->nq};
    case CT_STATE_QVEL: return (Part){d ? d->qvel : NULL, NULL, m->nv};
    case CT_STATE_ACT: return (Part){d ? d->act : NULL, NULL, m->na};
    case CT_STATE_HISTORY: return (Part){d ? d->history : NULL, NULL, m->nhistory};
    case CT_STATE_WARMSTART: return (Part){d ? d->qacc_warmstart : NULL, NULL, m->nv};
    case CT_STATE_CTRL: return (Part){d ? d->ctrl : NULL, NULL, m->nu};
    case CT_STATE_QFRC_APPLIED: return (Part){d ? d->qfrc_applied : NULL, NULL, m->nv};
    case CT_STATE_XFRC_APPLIED: return (Part){d ? d->xfrc_applied : NULL, NULL, 6 * m->nbody};
    case CT_STATE_EQ_ACTIVE: return (Part){NULL, d ? d->eq_active : NULL, m->neq};
    case CT_STATE_MOCAP_POS: return (Part){d ? d->mocap_pos : NULL, NULL, 3 * m->nmocap};
    case CT_STATE_MOCAP_QUAT: return (Part){d ? d->mocap_quat : NULL, NULL, 4 * m->nmocap};
    case CT_STATE_USERDATA: return (Part){d ? d->userdata : NULL, NULL, m->nuserdata};
    case CT_STATE_PLUGIN: return (Part){d ? d->plugin_state : NULL, NULL, m->npluginstate};
    default: return (Part){d ? d->plastic : NULL, NULL, m->nplastic};
  }
}

int ct_data_state_size(const ctModel* m, unsigned which) {
  if (!m || (which & ~ALL_PARTS)) return -1;
  int size = 0;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (which & 1u << bit) size += state_part(m, NULL, bit).count;
  }
  return size;
}

ctStatus ct_data_get_state(const ctModel* m, const ctData* d, ctReal* state, unsigned which) {
  if (!m || !d || !state || (which & ~ALL_PARTS)) return CT_ERR_ARGUMENT;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    Part part = state_part(m, d, bit);
    for (int i = 0; i < part.count; i++) *state++ = part.bools ? (ctReal)part.bools[i] : part.reals[i];
  }
  return CT_OK;
}

ctStatus ct_data_set_state(const ctModel* m, ctData* d, const ctReal* state, unsigned which) {
  if (!m || !d || !state || (which & ~ALL_PARTS)) return CT_ERR_ARGUMENT;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    Part part = state_part(m, d, bit);
    for (int i = 0; i < part.count; i++) {
      if (part.bools) {
        part.bools[i] = *state++ != 0;
      } else {
        part.reals[i] = *state++;
      }
    }
  }
  return CT_OK;
}
