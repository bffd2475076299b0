#include "model/mjb.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "model/binary.h"
#include "model/fields.h"

#define MJB_ID      54321
#define MJB_VERSION 4000000
#define HEAD_INTS   5

// The parts of a file, in order.
typedef enum Part {
  PART_SIZES,
  PART_OPTION,
  PART_VISUAL,
  PART_STATISTIC,
  PART_FLAGS,
  PART_ARRAYS,
  PART_OWN  // worked out again when a file is read
} Part;

static Part part_of(const ctFieldInfo* info) {
  if (strcmp(info->name, "plugin_prm") == 0 || strcmp(info->name, "plugin_kind") == 0) return PART_OWN;
  if (info->place == CT_PLACE_SIZE) return PART_SIZES;
  if (info->place == CT_PLACE_BLOCK) return PART_ARRAYS;
  if (strncmp(info->name, "opt.", 4) == 0) return PART_OPTION;
  if (strncmp(info->name, "vis.", 4) == 0) return PART_VISUAL;
  return strncmp(info->name, "stat.", 5) == 0 ? PART_STATISTIC : PART_FLAGS;
}

static int count_fields(Part part) {
  int n = 0;
  for (int i = 0; i < ct_model_field_count(); i++) n += part_of(ct_model_field_info(i)) == part;
  return n;
}

// ---- reading

typedef struct Reader {
  const unsigned char* at;
  size_t left;
  size_t real_bytes;
  const char* file;
  ctError* err;
} Reader;

static ctStatus broken(const Reader* r, const char* what) {
  return cti_error_at(r->err, CT_ERR_SYNTAX, r->file, 0, 0, NULL, "this .mjb is damaged: %s", what);
}

static bool take(Reader* r, void* out, size_t n) {
  if (r->left < n) return false;
  if (n) memcpy(out, r->at, n);
  r->at += n;
  r->left -= n;
  return true;
}

static bool take_real(Reader* r, ctReal* out) {
  double d;
  float f;
  if (r->real_bytes == sizeof(d)) {
    if (!take(r, &d, sizeof(d))) return false;
    *out = (ctReal)d;
    return true;
  }
  if (!take(r, &f, sizeof(f))) return false;
  *out = (ctReal)f;
  return true;
}

static bool take_bool(Reader* r, ctBool* out) {
  unsigned char byte;
  if (!take(r, &byte, 1)) return false;
  *out = byte != 0;
  return true;
}

// Sizes are i64 in the file.
static bool take_size(Reader* r, const ctField* f) {
  int64_t value;
  if (!take(r, &value, sizeof(value))) return false;
  if (f->type == CT_FIELD_SIZE) {
    *(ctSize*)f->data = value;
    return true;
  }
  if (value < INT_MIN || value > INT_MAX) return false;
  *(int*)f->data = (int)value;
  return true;
}

static bool take_field(Reader* r, const ctField* f) {
  size_t count = (size_t)(f->rows * f->cols);
  bool ok = true;
  if (f->type == CT_FIELD_REAL) {
    for (size_t i = 0; ok && i < count; i++) ok = take_real(r, (ctReal*)f->data + i);
  } else if (f->type == CT_FIELD_BOOL) {
    for (size_t i = 0; ok && i < count; i++) ok = take_bool(r, (ctBool*)f->data + i);
  } else {
    ok = take(r, f->data, count * ct_field_size(f->type));
  }
  return ok;
}

static ctStatus read_part(Reader* r, ctModel* m, Part part) {
  const unsigned char* start = r->at;
  for (int i = 0; i < ct_model_field_count(); i++) {
    if (part_of(ct_model_field_info(i)) != part) continue;
    ctField f;
    cti_model_field_at(m, i, &f);
    if (!(part == PART_SIZES ? take_size(r, &f) : take_field(r, &f)))
      return broken(r, part == PART_SIZES ? "its sizes are impossible" : "it is cut short");
  }
  // a struct of reals and ints ends at a multiple of a real
  size_t over = part == PART_OPTION ? (size_t)(r->at - start) % r->real_bytes : 0;
  unsigned char padding[8];
  return over == 0 || take(r, padding, r->real_bytes - over) ? CT_OK : broken(r, "it is cut short");
}

static ctStatus read_head(Reader* r) {
  int32_t head[HEAD_INTS];
  if (!take(r, head, sizeof(head))) return broken(r, "it is cut short");
  if (head[3] != MJB_VERSION)
    return cti_error_at(r->err, CT_ERR_UNSUPPORTED, r->file, 0, 0, NULL,
                        "this .mjb was written by MuJoCo %d.%d.%d, those of 4.0.0 are read here: compile its "
                        "source again",
                        head[3] / 1000000, head[3] / 1000 % 1000, head[3] % 1000);
  if (head[1] != sizeof(float) && head[1] != sizeof(double))
    return broken(r, "reals are neither float nor double");
  if (head[2] != count_fields(PART_SIZES) || head[4] != count_fields(PART_ARRAYS))
    return broken(r, "it has another number of fields than MuJoCo 4.0.0 writes");
  r->real_bytes = (size_t)head[1];
  return CT_OK;
}

bool cti_model_is_mjb(const void* bytes, size_t size) {
  int32_t id = 0;
  if (size >= HEAD_INTS * sizeof(int32_t)) memcpy(&id, bytes, sizeof(id));
  return id == MJB_ID;
}

ctStatus cti_model_from_mjb(ctModel** out, const void* bytes, size_t size, const char* file, size_t limit,
                            const ctAllocator* allocator, ctError* err) {
  *out = NULL;
  Reader r = {.at = bytes, .left = size, .file = file, .err = err};
  CT_TRY(read_head(&r));
  ctModel sizes = {0};
  for (int part = PART_SIZES; part < PART_ARRAYS; part++) CT_TRY(read_part(&r, &sizes, (Part)part));
  sizes.narena = 0;
  if (cti_sizes_check(&sizes)) return broken(&r, "its sizes are impossible");
  ctiLargest largest = {0};
  int64_t needed = cti_model_measure(&sizes, &largest);
  if ((uint64_t)needed > limit)
    return cti_error_at(err, CT_ERR_LIMIT, file, 0, 0, NULL,
                        "the model takes %.1f MiB, most of it for %s, and loading may take %.1f MiB; "
                        "max_memory of the load options allows more",
                        (double)needed / 1048576.0, largest.name, (double)limit / 1048576.0);
  ctModel* m = NULL;
  CT_TRY(cti_model_alloc(&m, &sizes, allocator, err));
  m->opt = sizes.opt;
  m->vis = sizes.vis;
  m->stat = sizes.stat;
  m->flg_gravcomp = sizes.flg_gravcomp;
  m->flg_surfacevel = sizes.flg_surfacevel;
  m->flg_adhesion = sizes.flg_adhesion;
  ctStatus status = read_part(&r, m, PART_ARRAYS);
  if (status == CT_OK && r.left > 0) status = broken(&r, "it is longer than its sizes say");
  const char* wrong = status == CT_OK ? cti_model_check(m) : NULL;
  if (wrong)
    status = cti_error_at(err, CT_ERR_INVALID, file, 0, 0, NULL,
                          "this .mjb is damaged: field %s refers to what is not there", wrong);
  if (status != CT_OK) {
    ct_model_free(m);
    return status;
  }
  *out = m;
  return CT_OK;
}

// ---- writing

typedef struct Writer {
  unsigned char* to;  // NULL: only count
  size_t used;
} Writer;

static void put(Writer* w, const void* bytes, size_t n) {
  if (w->to && n) memcpy(w->to + w->used, bytes, n);
  w->used += n;
}

static size_t stored_size(ctFieldType type) {
  return type == CT_FIELD_REAL ? sizeof(double) : ct_field_size(type);
}

static void put_field(Writer* w, const ctField* f) {
  size_t count = (size_t)(f->rows * f->cols);
  if (f->type != CT_FIELD_REAL) {
    put(w, f->data, count * ct_field_size(f->type));
    return;
  }
  for (size_t i = 0; i < count; i++) {
    double x = (double)((const ctReal*)f->data)[i];
    put(w, &x, sizeof(x));
  }
}

// What MuJoCo's block of the arrays takes: each starts at a multiple of 64 bytes, empty ones too.
static int64_t block_bytes(const ctModel* m) {
  int64_t bytes = 0;
  for (int i = 0; i < ct_model_field_count(); i++) {
    if (part_of(ct_model_field_info(i)) != PART_ARRAYS) continue;
    ctField f;
    cti_model_field_at(m, i, &f);
    bytes = (bytes + 63) / 64 * 64 + f.rows * f.cols * (int64_t)stored_size(f.type);
  }
  return bytes + 63;
}

// Room for contacts and rows of a usual scene: there the arena does not grow.
static int64_t arena_bytes(const ctModel* m) {
  int64_t nv = m->nv;
  return ((int64_t)16 << 20) + 4000 * nv * (int64_t)sizeof(double) + 4 * nv * nv * (int64_t)sizeof(double);
}

static void put_sizes(Writer* w, const ctModel* m) {
  for (int i = 0; i < ct_model_field_count(); i++) {
    const ctFieldInfo* info = ct_model_field_info(i);
    if (part_of(info) != PART_SIZES) continue;
    ctField f;
    cti_model_field_at(m, i, &f);
    int64_t value = f.type == CT_FIELD_SIZE ? *(const ctSize*)f.data : *(const int*)f.data;
    if (strcmp(info->name, "nbuffer") == 0) value = block_bytes(m);
    if (strcmp(info->name, "narena") == 0) value = arena_bytes(m);
    put(w, &value, sizeof(value));
  }
}

static void put_part(Writer* w, const ctModel* m, Part part) {
  static const unsigned char padding[8] = {0};
  size_t start = w->used;
  for (int i = 0; i < ct_model_field_count(); i++) {
    if (part_of(ct_model_field_info(i)) != part) continue;
    ctField f;
    cti_model_field_at(m, i, &f);
    put_field(w, &f);
  }
  if (part == PART_OPTION)
    put(w, padding, (sizeof(double) - (w->used - start) % sizeof(double)) % sizeof(double));
}

static void put_model(Writer* w, const ctModel* m) {
  const int32_t head[HEAD_INTS] = {MJB_ID, sizeof(double), count_fields(PART_SIZES), MJB_VERSION,
                                   count_fields(PART_ARRAYS)};
  put(w, head, sizeof(head));
  put_sizes(w, m);
  for (int part = PART_OPTION; part < PART_OWN; part++) put_part(w, m, (Part)part);
}

size_t ct_model_save_mjb_bytes(const ctModel* m, void* buffer, size_t size) {
  if (!m) return 0;
  Writer count = {0};
  put_model(&count, m);
  if (!buffer || size < count.used) return count.used;
  Writer w = {.to = (unsigned char*)buffer};
  put_model(&w, m);
  return w.used;
}
