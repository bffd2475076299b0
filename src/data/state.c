#include "data/state.h"

#include "data/awake.h"

#define STATE_ALL ((1u << CT_STATE_COUNT) - 1)

// One part of the state: its reals, or booleans that are stored as reals, and how many; of a NULL data only
// the number.
typedef struct StatePart {
  ctReal* reals;
  ctBool* bools;
  int count;
} StatePart;

static CT_FN StatePart state_part(const ctModel* m, const ctData* d, int bit) {
  StatePart p;
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
  return state_part(m, (const ctData*)0, bit).count;
}

CT_FN int cti_state_size(const ctModel* m, unsigned which) {
  int64_t size = 0;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (which & 1u << bit) size += cti_state_part_size(m, bit);
  }
  return size < INT32_MAX ? (int)size : INT32_MAX;
}

CT_FN void cti_state_store(const ctModel* m, const ctData* d, ctReal* state, size_t stride, unsigned which) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    StatePart part = state_part(m, d, bit);
    if (part.bools) {
      CT_LANES(i, part.count) state[(size_t)i * stride] = (ctReal)part.bools[i];
    } else {
      ctReal* CT_RESTRICT to = state;
      CT_LANES(i, part.count) to[(size_t)i * stride] = part.reals[i];
    }
    state += (size_t)part.count * stride;
  }
  CT_TEAM_SYNC();
}

CT_FN void cti_state_load(const ctModel* m, ctData* d, const ctReal* state, size_t stride, unsigned which) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    StatePart part = state_part(m, d, bit);
    if (part.bools) {
      CT_LANES(i, part.count) part.bools[i] = state[(size_t)i * stride] != 0;
    } else {
      ctReal* CT_RESTRICT reals = part.reals;
      CT_LANES(i, part.count) reals[i] = state[(size_t)i * stride];
    }
    state += (size_t)part.count * stride;
  }
  CT_TEAM_SYNC();
}

// ---- what a world has besides its state ----

// Reals of the data that trees asleep keep, after the measurements and the states of the trees.
#define CARRIED_PARTS(X) X(qacc_smooth, nv) X(qfrc_smooth, nv) X(act_dot, na)

static CT_FN bool sensors_last(const ctModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_interval[2 * i] > 0 || m->sensor_type[i] == CT_SENS_USER) return true;
  }
  return false;
}

static CT_FN int sleeping_size(const ctModel* m) {
  int64_t size = (int64_t)m->nsensordata + m->ntree;
#define X(field, count) size += m->count;
  CARRIED_PARTS(X)
#undef X
  return size < INT32_MAX ? (int)size : INT32_MAX;
}

// Multipliers and ages of vertices whose surfaces are kept apart. The flag does not go with sleep.
static CT_FN bool vertices_last(const ctModel* m) {
  return (m->opt.enableflags & CT_ENBL_IPC) && m->nflexvert > 0 && !cti_sleep_enabled(m);
}
static CT_FN int vertices_size(const ctModel* m) {
  int64_t size = (int64_t)m->nsensordata + 2 * (int64_t)m->nflexvert;
  return size < INT32_MAX ? (int)size : INT32_MAX;
}

CT_FN int cti_carried_size(const ctModel* m) {
  if (cti_sleep_enabled(m)) return sleeping_size(m);
  if (vertices_last(m)) return vertices_size(m);
  return sensors_last(m) ? m->nsensordata : 0;
}

CT_FN void cti_carried_store(const ctModel* m, const ctData* d, ctReal* row, size_t stride, int size) {
  if (size == 0) return;
  for (int i = 0; i < m->nsensordata; i++, row += stride) *row = d->sensordata[i];
  if (vertices_last(m) && size == vertices_size(m)) {
    for (int i = 0; i < m->nflexvert; i++, row += stride) *row = d->flexvert_lambda[i];
    for (int i = 0; i < m->nflexvert; i++, row += stride) *row = (ctReal)d->flexvert_conage[i];
    return;
  }
  if (size != sleeping_size(m)) return;
  for (int i = 0; i < m->ntree; i++, row += stride) *row = (ctReal)d->tree_asleep[i];
#define X(field, count) \
  for (int i = 0; i < m->count; i++, row += stride) *row = d->field[i];
  CARRIED_PARTS(X)
#undef X
}

// A number that a file or the user may have written.
static CT_FN int sleep_number(ctReal x, int ntree) {
  return x >= CTI_FULLY_AWAKE && x < (ctReal)ntree ? (int)x : CTI_FULLY_AWAKE;
}

static CT_FN int age_number(ctReal x) {
  return x > CT_R(-1e9) && x < CT_R(1e9) ? (int)x : 0;
}

CT_FN void cti_carried_load(const ctModel* m, ctData* d, const ctReal* row, size_t stride, int size,
                            bool others) {
  ctiAwake* awake = &cti_data(d)->awake;
  for (int i = 0; size > 0 && i < m->nsensordata; i++, row += stride) d->sensordata[i] = *row;
  if (vertices_last(m)) {
    const bool known = size == vertices_size(m);
    for (int i = 0; i < m->nflexvert; i++, row += known ? stride : 0)
      d->flexvert_lambda[i] = known && *row > 0 ? *row : CT_R(0);
    for (int i = 0; i < m->nflexvert; i++, row += known ? stride : 0)
      d->flexvert_conage[i] = known ? age_number(*row) : 0;
    return;
  }
  if (!cti_sleep_enabled(m)) return;
  bool asleep = false;
  if (size == sleeping_size(m)) {
    for (int i = 0; i < m->ntree; i++, row += stride) {
      d->tree_asleep[i] = sleep_number(*row, m->ntree);
      asleep = asleep || d->tree_asleep[i] >= 0;
    }
#define X(field, count) \
  for (int i = 0; i < m->count; i++, row += stride) d->field[i] = *row;
    CARRIED_PARTS(X)
#undef X
  } else {
    for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = CTI_FULLY_AWAKE;
  }
  cti_awake_check(m, d);
  awake->edited = awake->changed = true;
  awake->cold = awake->cold || asleep || others;
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/files.h"
#include "base/strings.h"
#include "model/fields.h"

// ---- state vectors: the chosen parts one after another, in the order of their bits ----

// The name of the part at a bit.
static const char* state_part_name(int bit) {
  static const char* const names[CT_STATE_COUNT] = {
#define X(id, text, bit_) [bit_] = (text),
      CT_STATE_LIST(X)
#undef X
  };
  return names[bit];
}

// The chosen parts as reals one after another, at an address that need not be aligned.
static void state_write(const ctModel* m, const ctData* d, void* bytes, unsigned which) {
  unsigned char* at = bytes;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    StatePart part = state_part(m, d, bit);
    for (int i = 0; i < part.count; i++, at += sizeof(ctReal)) {
      ctReal number = part.bools ? (ctReal)part.bools[i] : part.reals[i];
      memcpy(at, &number, sizeof(number));
    }
  }
}

static void state_read(const ctModel* m, ctData* d, const void* bytes, unsigned which) {
  const unsigned char* at = bytes;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    StatePart part = state_part(m, d, bit);
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

static bool all_finite(const void* bytes, int n) {
  // all bits of the exponent say what is not; without branches many are looked at at a time
  const unsigned char* at = bytes;
  int bad = 0;
  for (int i = 0; i < n; i++, at += sizeof(ctReal)) {
#ifdef CT_SINGLE
    const uint32_t exponent = 0x7f800000u;
    uint32_t bits;
#else
    const uint64_t exponent = 0x7ff0000000000000u;
    uint64_t bits;
#endif
    memcpy(&bits, at, sizeof(bits));
    bad |= (bits & exponent) == exponent;
  }
  return !bad;
}

// The first of the chosen parts that holds a number that is not finite, -1 when there is none.
static int state_bad_part(const ctModel* m, const void* bytes, unsigned which) {
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
  if (!m || (which & ~STATE_ALL)) return -1;
  return cti_state_size(m, which);
}

ctStatus ct_data_get_state(const ctModel* m, const ctData* d, ctReal* state, unsigned which) {
  if (!cti_data_fits(m, d) || !state || (which & ~STATE_ALL)) return CT_ERR_ARGUMENT;
  state_write(m, d, state, which);
  return CT_OK;
}

ctStatus ct_data_set_state(const ctModel* m, ctData* d, const ctReal* state, unsigned which) {
  if (!cti_data_fits(m, d) || !state || (which & ~STATE_ALL)) return CT_ERR_ARGUMENT;
  if (state_bad_part(m, state, which) >= 0) return CT_ERR_INVALID;
  state_read(m, d, state, which);
  return CT_OK;
}

ctStatus ct_data_copy_state(const ctModel* m, const ctData* from, ctData* to, unsigned which) {
  if (!m || !to || !from || cti_data(to)->nbuffer != cti_data_const(from)->nbuffer || (which & ~STATE_ALL))
    return CT_ERR_ARGUMENT;
  for (int bit = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(which & 1u << bit)) continue;
    StatePart a = state_part(m, to, bit), b = state_part(m, from, bit);
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
  if (!m || !from || !to || (from_which & ~STATE_ALL) || (to_which & ~from_which)) return CT_ERR_ARGUMENT;
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
  if (!cti_data_fits(m, d) || key < 0 || key >= m->nkey) return CT_ERR_ARGUMENT;
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
  for (int i = 0; i < CT_COUNT_OF(parts); i++) {
    for (int k = 0; k < parts[i].count; k++) parts[i].to[key * parts[i].count + k] = parts[i].from[k];
  }
  return CT_OK;
}

// ---- states as bytes: head, one count a part, the parts, what else a world has, a checksum of all before it
// ---- Version 1 has no more than the parts.

#define FORMAT_VERSION 2u
#define ORDER_MARK     0x01020304u

static const char magic[8] = "CORTENS";

typedef struct Head {
  char magic[8];
  uint32_t order;    // ORDER_MARK as the writer's machine stores it
  uint32_t version;  // of the format
  uint32_t real;     // bytes of a real
  uint32_t parts;    // counts that follow, and after them that of the rest from version 2 on
  uint64_t model;    // what the parts mean
} Head;

// The hash of everything that says what a number of the state belongs to.
static uint64_t model_meaning(const ctModel* m) {
  uint64_t sums[] = {
      cti_hash_bytes(m->jnt_type, sizeof(int) * (size_t)m->njnt),
      cti_hash_bytes(m->jnt_bodyid, sizeof(int) * (size_t)m->njnt),
      cti_hash_bytes(m->body_parentid, sizeof(int) * (size_t)m->nbody),
      cti_hash_bytes(m->body_mocapid, sizeof(int) * (size_t)m->nbody),
      cti_hash_bytes(m->actuator_dyntype, sizeof(int) * (size_t)m->nactuator),
      cti_hash_bytes(m->actuator_history, sizeof(int) * 2 * (size_t)m->nactuator),
      cti_hash_bytes(m->sensor_history, sizeof(int) * 2 * (size_t)m->nsensor),
      cti_hash_bytes(m->eq_type, sizeof(int) * (size_t)m->neq),
      cti_hash_bytes(m->names, (size_t)m->nnames),
  };
  return cti_hash_bytes(sums, sizeof(sums));
}

// Without the flags sleep and ipc the first version says everything.
// Reals behind the state in a file.
static int rest_size(const ctModel* m) {
  return vertices_last(m) ? vertices_size(m) : sleeping_size(m);
}

static uint32_t format_of(const ctModel* m) {
  return cti_sleep_enabled(m) || vertices_last(m) ? FORMAT_VERSION : 1u;
}

static size_t front_bytes(uint32_t version) {
  return sizeof(Head) + sizeof(uint32_t) * (CT_STATE_COUNT + (version > 1 ? 1 : 0));
}

static size_t file_bytes(const ctModel* m, uint32_t version) {
  size_t numbers = (size_t)ct_data_state_size(m, STATE_ALL) + (version > 1 ? (size_t)rest_size(m) : 0);
  return front_bytes(version) + sizeof(ctReal) * numbers + sizeof(uint64_t);
}

// The rest of a world as bytes that need not be aligned.
static ctStatus write_rest(const ctModel* m, const ctData* d, unsigned char* at) {
  int n = rest_size(m);
  ctReal* row = cti_alloc_array(&m->allocator, (size_t)n, sizeof(ctReal));
  if (!row) return CT_ERR_MEMORY;
  cti_carried_store(m, d, row, 1, n);
  memcpy(at, row, sizeof(ctReal) * (size_t)n);
  cti_release(&m->allocator, row);
  return CT_OK;
}

static ctStatus read_rest(const ctModel* m, ctData* d, const unsigned char* at) {
  int n = rest_size(m);
  ctReal* row = cti_alloc_array(&m->allocator, (size_t)n, sizeof(ctReal));
  if (!row) return CT_ERR_MEMORY;
  memcpy(row, at, sizeof(ctReal) * (size_t)n);
  cti_carried_load(m, d, row, 1, n, false);
  cti_release(&m->allocator, row);
  return CT_OK;
}

size_t ct_data_save_bytes(const ctModel* m, const ctData* d, void* buffer, size_t size) {
  if (!cti_data_fits(m, d)) return 0;
  const uint32_t version = format_of(m);
  size_t bytes = file_bytes(m, version);
  if (!buffer || size < bytes) return bytes;
  Head head = {.order = ORDER_MARK,
               .version = version,
               .real = sizeof(ctReal),
               .parts = CT_STATE_COUNT,
               .model = model_meaning(m)};
  memcpy(head.magic, magic, sizeof(magic));
  unsigned char* at = buffer;
  memcpy(at, &head, sizeof(head));
  at += sizeof(head);
  for (int bit = 0; bit < CT_STATE_COUNT; bit++, at += sizeof(uint32_t)) {
    uint32_t count = (uint32_t)cti_state_part_size(m, bit);
    memcpy(at, &count, sizeof(count));
  }
  if (version > 1) {
    uint32_t count = (uint32_t)rest_size(m);
    memcpy(at, &count, sizeof(count));
    at += sizeof(count);
  }
  state_write(m, d, at, STATE_ALL);
  at += sizeof(ctReal) * (size_t)ct_data_state_size(m, STATE_ALL);
  if (version > 1 && write_rest(m, d, at) != CT_OK) return 0;
  uint64_t sum = cti_hash_bytes(buffer, bytes - sizeof(sum));
  memcpy((unsigned char*)buffer + bytes - sizeof(sum), &sum, sizeof(sum));
  return bytes;
}

// ---- reading ----

static ctStatus check_head(const Head* head, size_t size, const char* file, ctError* err) {
#define REFUSE(status, ...) return cti_error_at(err, (status), file, 0, 0, NULL, __VA_ARGS__)
  if (size < sizeof(Head) || memcmp(head->magic, magic, sizeof(magic)) != 0)
    REFUSE(CT_ERR_SYNTAX, "this is not a saved state: it does not start with %s", magic);
  if (head->order != ORDER_MARK)
    REFUSE(CT_ERR_UNSUPPORTED, "this state was saved on a machine with the other byte order");
  if (head->version < 1 || head->version > FORMAT_VERSION)
    REFUSE(CT_ERR_UNSUPPORTED, "this state has format version %u, versions 1 to %u are read here",
           (unsigned)head->version, FORMAT_VERSION);
  if (head->real != sizeof(ctReal))
    REFUSE(CT_ERR_UNSUPPORTED, "this state holds reals of %u bytes, this build computes with %u",
           (unsigned)head->real, (unsigned)sizeof(ctReal));
  if (head->parts != CT_STATE_COUNT)
    REFUSE(CT_ERR_SYNTAX, "this state is damaged: it has %u parts instead of %d", (unsigned)head->parts,
           CT_STATE_COUNT);
  return CT_OK;
}

static ctStatus check_counts(const ctModel* m, const unsigned char* counts, uint32_t version,
                             const char* file, ctError* err) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++, counts += sizeof(uint32_t)) {
    uint32_t count;
    memcpy(&count, counts, sizeof(count));
    if (count != (uint32_t)cti_state_part_size(m, bit))
      REFUSE(CT_ERR_INVALID, "this state is of another model: it has %u numbers in %s, the model %d",
             (unsigned)count, state_part_name(bit), cti_state_part_size(m, bit));
  }
  uint32_t rest = (uint32_t)rest_size(m);
  if (version > 1) memcpy(&rest, counts, sizeof(rest));
  if (rest != (uint32_t)rest_size(m))
    REFUSE(CT_ERR_INVALID, "this state is of another model: %u numbers say who sleeps, the model has %d",
           (unsigned)rest, rest_size(m));
  return CT_OK;
}

static ctStatus load_state(const ctModel* m, ctData* d, const void* bytes, size_t size, const char* file,
                           ctError* err) {
  const unsigned char* at = bytes;
  Head head = {0};
  memcpy(&head, bytes, size < sizeof(head) ? size : sizeof(head));
  CT_TRY(check_head(&head, size, file, err));
  const size_t front = front_bytes(head.version);
  uint64_t sum;
  if (size < front + sizeof(sum)) REFUSE(CT_ERR_SYNTAX, "this state is cut short");
  memcpy(&sum, at + size - sizeof(sum), sizeof(sum));
  if (sum != cti_hash_bytes(bytes, size - sizeof(sum)))
    REFUSE(CT_ERR_SYNTAX, "this state is damaged or cut short: its checksum is wrong");
  CT_TRY(check_counts(m, at + sizeof(Head), head.version, file, err));
  if (size != file_bytes(m, head.version))
    REFUSE(CT_ERR_SYNTAX, "this state has more or fewer bytes than its parts");
  if (head.model != model_meaning(m))
    REFUSE(CT_ERR_INVALID, "this state is of another model: its tree, joints or names are others");
  int bad = state_bad_part(m, at + front, STATE_ALL);
  if (bad >= 0)
    REFUSE(CT_ERR_INVALID, "%s of this state holds a number that is not finite", state_part_name(bad));
  const unsigned char* rest = at + front + sizeof(ctReal) * (size_t)ct_data_state_size(m, STATE_ALL);
  if (head.version > 1 && !all_finite(rest, rest_size(m)))
    REFUSE(CT_ERR_INVALID, "what sleeps in this state holds a number that is not finite");
  state_read(m, d, at + front, STATE_ALL);
  if (head.version > 1 && read_rest(m, d, rest) != CT_OK) return cti_error_memory(err);
  return CT_OK;
#undef REFUSE
}

ctStatus ct_data_load_bytes(const ctModel* m, ctData* d, const void* bytes, size_t size, ctError* err) {
  if (!cti_data_fits(m, d) || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_load_bytes: m, d and bytes must not be NULL");
  return load_state(m, d, bytes, size, NULL, err);
}

// ---- files ----

ctStatus ct_data_save(const ctModel* m, const ctData* d, const char* path, ctError* err) {
  if (!cti_data_fits(m, d) || !path)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_save: m, d and path must not be NULL");
  size_t size = ct_data_save_bytes(m, d, NULL, 0);
  void* bytes = cti_alloc(&m->allocator, size, CTI_ALIGN);
  if (!bytes) return cti_error_memory(err);
  ct_data_save_bytes(m, d, bytes, size);
  ctStatus status = ct_file_write(path, bytes, size, err);
  cti_release(&m->allocator, bytes);
  return status;
}

ctStatus ct_data_load(const ctModel* m, ctData* d, const char* path, ctError* err) {
  if (!cti_data_fits(m, d) || !path)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_load: m, d and path must not be NULL");
  ctiFile file;
  CT_TRY(cti_file_read(&file, NULL, path, 0, &m->allocator, err));
  ctStatus status = load_state(m, d, file.data, file.size, path, err);
  cti_file_release(&file, &m->allocator);
  return status;
}

#endif
