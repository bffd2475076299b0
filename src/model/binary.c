#include "model/binary.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files.h"
#include "base/strings.h"
#include "model/fields.h"
#include "model/mjb.h"

static const char magic[8] = "CORTENB\x02";
#define HEAD_BYTES 32

// ---- writing

// Writes when there is a destination, and counts in any case.
typedef struct Writer {
  unsigned char* to;
  size_t used;
} Writer;

static void put(Writer* w, const void* bytes, size_t n) {
  if (w->to && n) memcpy(w->to + w->used, bytes, n);
  w->used += n;
}

static void put_field(Writer* w, const ctField* f) {
  uint16_t length = (uint16_t)strlen(f->name);
  uint8_t type = (uint8_t)f->type;
  put(w, &length, sizeof(length));
  put(w, f->name, length);
  put(w, &type, sizeof(type));
  put(w, &f->rows, sizeof(f->rows));
  put(w, &f->cols, sizeof(f->cols));
  put(w, f->data, ct_field_size(f->type) * (size_t)(f->rows * f->cols));
}

static void put_model(Writer* w, const ctModel* m) {
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    cti_model_field_at(m, i, &f);
    put_field(w, &f);
  }
}

size_t ct_model_save_bytes(const ctModel* m, void* buffer, size_t size) {
  if (!m) return 0;
  Writer count = {0};
  put_model(&count, m);
  size_t bytes = HEAD_BYTES + count.used;
  if (!buffer || size < bytes) return bytes;
  Writer w = {.to = (unsigned char*)buffer, .used = HEAD_BYTES};
  put_model(&w, m);
  uint32_t real = sizeof(ctReal), records = (uint32_t)ct_model_field_count();
  uint64_t body = count.used, hash = cti_checksum((unsigned char*)buffer + HEAD_BYTES, count.used);
  w.used = 0;
  put(&w, magic, sizeof(magic));
  put(&w, &real, sizeof(real));
  put(&w, &records, sizeof(records));
  put(&w, &body, sizeof(body));
  put(&w, &hash, sizeof(hash));
  return bytes;
}

ctStatus ct_model_save(const ctModel* m, const char* path, ctError* err) {
  if (!m || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_save: m and path must not be NULL");
  size_t size = ct_model_save_bytes(m, NULL, 0);
  void* bytes = cti_alloc(&m->allocator, size, CTI_ALIGN_ANY);
  if (!bytes) return cti_error_memory(err);
  ct_model_save_bytes(m, bytes, size);
  ctStatus status = ct_file_write(path, bytes, size, err);
  cti_release(&m->allocator, bytes);
  return status;
}

// ---- reading

typedef struct Reader {
  const unsigned char* at;
  size_t left;
  uint32_t real_bytes;
  uint32_t records;
  const char* file;
  ctError* err;
} Reader;

typedef struct Record {
  char name[128];
  ctFieldType type;
  int64_t rows, cols;
  const unsigned char* data;
} Record;

static ctStatus broken(const Reader* r, const char* what) {
  return cti_error_at(r->err, CT_ERR_SYNTAX, r->file, 0, 0, NULL, "this binary model is damaged: %s", what);
}

static bool take(Reader* r, void* out, size_t n) {
  if (r->left < n) return false;
  memcpy(out, r->at, n);
  r->at += n;
  r->left -= n;
  return true;
}

static size_t stored_size(const Reader* r, ctFieldType type) {
  return type == CT_FIELD_REAL ? r->real_bytes : ct_field_size(type);
}

static ctStatus take_record(Reader* r, Record* out) {
  uint16_t length;
  uint8_t type;
  bool ok = take(r, &length, sizeof(length)) && length < sizeof(out->name) && take(r, out->name, length) &&
            take(r, &type, sizeof(type)) && take(r, &out->rows, sizeof(out->rows)) &&
            take(r, &out->cols, sizeof(out->cols));
  if (!ok) return broken(r, "a record is cut short");
  out->name[length] = 0;
  out->type = (ctFieldType)type;
  size_t element = type < CT_FIELD_COUNT ? stored_size(r, out->type) : 0;
  bool sane = element > 0 && out->rows >= 0 && out->cols >= 0 && out->rows <= INT_MAX && out->cols <= INT_MAX;
  if (!sane) return broken(r, "a record has an impossible shape");
  uint64_t count = (uint64_t)out->rows * (uint64_t)out->cols;
  if (count > r->left / element) return broken(r, "an array is cut short");
  out->data = r->at;
  r->at += count * element;
  r->left -= count * element;
  return CT_OK;
}

static ctStatus read_head(Reader* r, const void* bytes, size_t size) {
  const unsigned char* head = (const unsigned char*)bytes;
  if (!cti_model_is_binary(bytes, size)) return broken(r, "it does not start with CORTENB 2");
  if (memcmp(bytes, magic, sizeof(magic)) != 0)
    return cti_error_at(r->err, CT_ERR_UNSUPPORTED, r->file, 0, 0, NULL,
                        "this binary model has format %d, format %d is read here: compile its source again",
                        head[7], magic[7]);
  uint64_t body, hash;
  memcpy(&r->real_bytes, head + 8, 4);
  memcpy(&r->records, head + 12, 4);
  memcpy(&body, head + 16, 8);
  memcpy(&hash, head + 24, 8);
  r->at = head + HEAD_BYTES;
  r->left = size - HEAD_BYTES;
  if (r->real_bytes != 4 && r->real_bytes != 8) return broken(r, "reals are neither float nor double");
  if (body != r->left) return broken(r, "its length is not what its head says");
  if (hash != cti_checksum(r->at, r->left)) return broken(r, "its checksum is wrong");
  return CT_OK;
}

// Copy elements, converting reals between precisions.
static void copy_elements(const Reader* r, const ctField* to, const Record* from) {
  size_t count = (size_t)(to->rows * to->cols);
  // any byte but 0 is true: a bool must not hold it as it is
  for (size_t i = 0; to->type == CT_FIELD_BOOL && i < count; i++) ((ctBool*)to->data)[i] = from->data[i] != 0;
  if (to->type == CT_FIELD_BOOL) return;
  if (to->type != CT_FIELD_REAL || r->real_bytes == sizeof(ctReal)) {
    if (count) memcpy(to->data, from->data, count * ct_field_size(to->type));
    return;
  }
  for (size_t i = 0; i < count; i++) {
    double d;
    float f;
    if (r->real_bytes == sizeof(double)) {
      memcpy(&d, from->data + i * sizeof(d), sizeof(d));
      ((ctReal*)to->data)[i] = (ctReal)d;
    } else {
      memcpy(&f, from->data + i * sizeof(f), sizeof(f));
      ((ctReal*)to->data)[i] = (ctReal)f;
    }
  }
}

// The field of a record: most often the one after the last. False when there is none.
static bool find_field(const ctModel* m, const char* name, int* next, ctField* out) {
  int count = ct_model_field_count();
  for (int k = 0; k < count; k++) {
    int i = (*next + k) % count;
    if (strcmp(ct_model_field_name(i), name) != 0) continue;
    cti_model_field_at(m, i, out);
    *next = i + 1;
    return true;
  }
  return false;
}

// Fields inside the struct (sizes, options) fill `m` directly; arrays must have the shape the sizes give
// them.
static ctStatus read_fields(Reader r, ctModel* m, bool inside) {
  int next = 0;
  for (uint32_t i = 0; i < r.records; i++) {
    Record record;
    CT_TRY(take_record(&r, &record));
    ctField field;
    if (!find_field(m, record.name, &next, &field)) continue;  // written by a newer version
    bool scalar = field.ndim == 0 || strchr(record.name, '.') != NULL;
    if (scalar != inside) continue;
    if (field.type != record.type || field.rows != record.rows || field.cols != record.cols) {
      return cti_error_at(r.err, CT_ERR_INVALID, r.file, 0, 0, NULL,
                          "field %s has another shape or type than the model's sizes ask for", record.name);
    }
    copy_elements(&r, &field, &record);
  }
  return r.left == 0 ? CT_OK : broken(&r, "it has more records than its head says");
}

const char* cti_sizes_check(const ctModel* sizes) {
  // -1 stands for "not given" in the two limits
  if (sizes->njmax < -1) return "njmax";
  if (sizes->nconmax < -1) return "nconmax";
  ctModel without = *sizes;
  ctModel* m = &without;
  m->njmax = m->nconmax = 0;
#define X(type, name, ...) \
  if (m->name < 0) return #name;
#include "corten/fields/model_sizes.def"
#undef X
  return m->nbody < 1 ? "nbody" : m->nnames < 1 ? "nnames" : NULL;
}

bool cti_model_is_binary(const void* bytes, size_t size) {
  // of any format: one that is not read here gets a better message than text would
  return (size >= HEAD_BYTES && memcmp(bytes, magic, sizeof(magic) - 1) == 0) ||
         cti_model_is_mjb(bytes, size);
}

ctStatus cti_model_from_binary(ctModel** out, const void* bytes, size_t size, const char* file, size_t limit,
                               const ctAllocator* allocator, ctError* err) {
  *out = NULL;
  if (cti_model_is_mjb(bytes, size)) return cti_model_from_mjb(out, bytes, size, file, limit, allocator, err);
  Reader r = {.file = file, .err = err};
  CT_TRY(read_head(&r, bytes, size));
  ctModel sizes = {0};
  ctModel* m = NULL;
  CT_TRY(read_fields(r, &sizes, true));
  if (cti_sizes_check(&sizes)) return broken(&r, "its sizes are impossible");
  ctiLargest largest = {0};
  int64_t needed = cti_model_measure(&sizes, &largest);
  if ((uint64_t)needed > limit)
    return cti_error_at(err, CT_ERR_LIMIT, file, 0, 0, NULL,
                        "the model takes %.1f MiB, most of it for %s, and loading may take %.1f MiB; "
                        "max_memory of the load options allows more",
                        (double)needed / 1048576.0, largest.name, (double)limit / 1048576.0);
  CT_TRY(cti_model_alloc(&m, &sizes, allocator, err));
  ctSize nbuffer = m->nbuffer;
  ctStatus status = read_fields(r, m, true);
  m->nbuffer = nbuffer;
  if (status == CT_OK) status = read_fields(r, m, false);
  const char* wrong = status == CT_OK ? cti_model_check(m) : NULL;
  if (wrong) {
    status = cti_error_at(err, CT_ERR_INVALID, file, 0, 0, NULL,
                          "this binary model is damaged: field %s refers to what is not there", wrong);
  }
  if (status != CT_OK) {
    ct_model_free(m);
    return status;
  }
  *out = m;
  return CT_OK;
}
