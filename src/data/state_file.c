// States as bytes: head, one count a part, the parts, a checksum of all before it. Host code.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/files.h"
#include "base/strings.h"
#include "data/state.h"
#include "model/fields.h"

#define FORMAT_VERSION 1u
#define ORDER_MARK     0x01020304u

static const char magic[8] = "CORTENS";

typedef struct Head {
  char magic[8];
  uint32_t order;    // ORDER_MARK as the writer's machine stores it
  uint32_t version;  // of the format
  uint32_t real;     // bytes of a real
  uint32_t parts;    // counts that follow
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

static size_t file_bytes(const ctModel* m) {
  return sizeof(Head) + sizeof(uint32_t) * CT_STATE_COUNT +
         sizeof(ctReal) * (size_t)ct_data_state_size(m, CTI_STATE_ALL) + sizeof(uint64_t);
}

size_t ct_data_save(const ctModel* m, const ctData* d, void* buffer, size_t size) {
  if (!m || !d) return 0;
  size_t bytes = file_bytes(m);
  if (!buffer || size < bytes) return bytes;
  Head head = {.order = ORDER_MARK,
               .version = FORMAT_VERSION,
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
  cti_state_write(m, d, at, CTI_STATE_ALL);
  uint64_t sum = cti_hash_bytes(buffer, bytes - sizeof(sum));
  memcpy((unsigned char*)buffer + bytes - sizeof(sum), &sum, sizeof(sum));
  return bytes;
}

// ---- reading

static ctStatus check_head(const Head* head, size_t size, const char* file, ctError* err) {
#define REFUSE(status, ...) return cti_error_at(err, (status), file, 0, 0, NULL, __VA_ARGS__)
  if (size < sizeof(Head) || memcmp(head->magic, magic, sizeof(magic)) != 0)
    REFUSE(CT_ERR_SYNTAX, "this is not a saved state: it does not start with %s", magic);
  if (head->order != ORDER_MARK)
    REFUSE(CT_ERR_UNSUPPORTED, "this state was saved on a machine with the other byte order");
  if (head->version != FORMAT_VERSION)
    REFUSE(CT_ERR_UNSUPPORTED, "this state has format version %u, version %u is read here",
           (unsigned)head->version, FORMAT_VERSION);
  if (head->real != sizeof(ctReal))
    REFUSE(CT_ERR_UNSUPPORTED, "this state holds reals of %u bytes, this build computes with %u",
           (unsigned)head->real, (unsigned)sizeof(ctReal));
  if (head->parts != CT_STATE_COUNT)
    REFUSE(CT_ERR_SYNTAX, "this state is damaged: it has %u parts instead of %d", (unsigned)head->parts,
           CT_STATE_COUNT);
  return CT_OK;
}

static ctStatus check_counts(const ctModel* m, const unsigned char* counts, const char* file, ctError* err) {
  for (int bit = 0; bit < CT_STATE_COUNT; bit++, counts += sizeof(uint32_t)) {
    uint32_t count;
    memcpy(&count, counts, sizeof(count));
    if (count != (uint32_t)cti_state_part_size(m, bit))
      REFUSE(CT_ERR_INVALID, "this state is of another model: it has %u numbers in %s, the model %d",
             (unsigned)count, cti_state_part_name(bit), cti_state_part_size(m, bit));
  }
  return CT_OK;
}

static ctStatus load_state(const ctModel* m, ctData* d, const void* bytes, size_t size, const char* file,
                           ctError* err) {
  const unsigned char* at = bytes;
  Head head = {0};
  memcpy(&head, bytes, size < sizeof(head) ? size : sizeof(head));
  CT_TRY(check_head(&head, size, file, err));
  const size_t front = sizeof(Head) + sizeof(uint32_t) * CT_STATE_COUNT;
  uint64_t sum;
  if (size < front + sizeof(sum)) REFUSE(CT_ERR_SYNTAX, "this state is cut short");
  memcpy(&sum, at + size - sizeof(sum), sizeof(sum));
  if (sum != cti_hash_bytes(bytes, size - sizeof(sum)))
    REFUSE(CT_ERR_SYNTAX, "this state is damaged or cut short: its checksum is wrong");
  CT_TRY(check_counts(m, at + sizeof(Head), file, err));
  if (size != file_bytes(m)) REFUSE(CT_ERR_SYNTAX, "this state has more or fewer bytes than its parts");
  if (head.model != model_meaning(m))
    REFUSE(CT_ERR_INVALID, "this state is of another model: its tree, joints or names are others");
  int bad = cti_state_bad_part(m, at + front, CTI_STATE_ALL);
  if (bad >= 0)
    REFUSE(CT_ERR_INVALID, "%s of this state holds a number that is not finite", cti_state_part_name(bad));
  cti_state_read(m, d, at + front, CTI_STATE_ALL);
  return CT_OK;
#undef REFUSE
}

ctStatus ct_data_load(const ctModel* m, ctData* d, const void* bytes, size_t size, ctError* err) {
  if (!m || !d || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_load: m, d and bytes must not be NULL");
  return load_state(m, d, bytes, size, NULL, err);
}

// ---- files

ctStatus ct_data_save_file(const ctModel* m, const ctData* d, const char* path, ctError* err) {
  if (!m || !d || !path)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_save_file: m, d and path must not be NULL");
  size_t size = ct_data_save(m, d, NULL, 0);
  void* bytes = cti_alloc(&m->allocator, size, CTI_ALIGN);
  if (!bytes) return cti_error_memory(err);
  ct_data_save(m, d, bytes, size);
  FILE* file = fopen(path, "wb");
  bool ok = file && fwrite(bytes, 1, size, file) == size;
  if (file) ok = fclose(file) == 0 && ok;
  cti_release(&m->allocator, bytes);
  return ok ? CT_OK : cti_error_at(err, CT_ERR_IO, path, 0, 0, NULL, "cannot write this file");
}

ctStatus ct_data_load_file(const ctModel* m, ctData* d, const char* path, ctError* err) {
  if (!m || !d || !path)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_load_file: m, d and path must not be NULL");
  ctiFile file;
  CT_TRY(cti_file_read(&file, NULL, path, 0, &m->allocator, err));
  ctStatus status = load_state(m, d, file.data, file.size, path, err);
  cti_file_release(&file, &m->allocator);
  return status;
}
