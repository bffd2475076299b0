// A batch as bytes: signature, then every store and the reports.
#include <string.h>

#include "batch/batch.h"

typedef struct SavedHead {
  char magic[8];
  uint64_t signature;
  int32_t nworld, widths[CTI_STORE_COUNT], real;
} SavedHead;

static SavedHead saved_head(const ctBatch* b) {
  SavedHead h;
  memset(&h, 0, sizeof(h));
  memcpy(h.magic, "CTBATCH1", 8);
  h.signature = (uint64_t)b->m->signature;
  h.nworld = b->nworld;
  h.widths[CTI_STORE_STATE] = b->nstate;
  h.widths[CTI_STORE_CARRIED] = cti_carried_width(b->m);
  h.widths[CTI_STORE_OUTPUT] = b->outputs.width;
  h.widths[CTI_STORE_VALUES] = b->values.width;
  h.real = (int32_t)sizeof(ctReal);
  return h;
}

static size_t report_bytes(const ctBatch* b) {
  return (size_t)b->nworld * (sizeof(int) + sizeof(ctWarningStat) * CT_WARN_COUNT);
}

size_t ct_batch_save(ctBatch* b, void* buffer, size_t size) {
  if (!b) return 0;
  SavedHead h = saved_head(b);
  size_t reals = 0;
  for (int s = 0; s < CTI_STORE_COUNT; s++) reals += (size_t)b->nworld * (size_t)h.widths[s];
  size_t bytes = sizeof(h) + reals * sizeof(ctReal) + report_bytes(b);
  if (!buffer || size < bytes) return bytes;
  unsigned char* at = buffer;
  memcpy(at, &h, sizeof(h));
  at += sizeof(h);
  for (int s = 0; s < CTI_STORE_COUNT; s++) {
    ctiColumn c = {(ctiStore)s, 0, h.widths[s]};
    if (c.width > 0 && b->backend->read(b->self, c, NULL, b->nworld, at, NULL) != CT_OK) return 0;
    at += (size_t)b->nworld * (size_t)c.width * sizeof(ctReal);
  }
  const int* status = b->backend->status(b->self);
  const ctWarningStat* warnings = b->backend->warnings(b->self);
  if (!status || !warnings) return 0;
  memcpy(at, status, sizeof(int) * (size_t)b->nworld);
  at += sizeof(int) * (size_t)b->nworld;
  memcpy(at, warnings, sizeof(ctWarningStat) * CT_WARN_COUNT * (size_t)b->nworld);
  return bytes;
}

ctStatus ct_batch_restore(ctBatch* b, const void* buffer, size_t size, ctError* err) {
  if (!b || !buffer)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_restore: b and buffer must not be NULL");
  SavedHead h = saved_head(b);
  if (size != ct_batch_save(b, NULL, 0) || memcmp(buffer, &h, sizeof(h)) != 0) {
    return cti_error(err, CT_ERR_ARGUMENT,
                     "this was saved from a batch with another model, number of worlds, outputs or values");
  }
  const unsigned char* at = (const unsigned char*)buffer + sizeof(h);
  for (int s = 0; s < CTI_STORE_COUNT; s++) {
    ctiColumn c = {(ctiStore)s, 0, h.widths[s]};
    if (c.width > 0)
      CT_TRY(b->backend->write(b->self, c, NULL, b->nworld, (const ctReal*)(const void*)at, err));
    at += (size_t)b->nworld * (size_t)c.width * sizeof(ctReal);
  }
  const int* status = (const int*)(const void*)at;
  return b->backend->restore_reports(
      b->self, status, (const ctWarningStat*)(const void*)(at + sizeof(int) * (size_t)b->nworld), err);
}
