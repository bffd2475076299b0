// The face of a batch: names, ids and sizes are checked here, the work is the backend's.
#include "corten/batch.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files.h"
#include "batch/backend.h"
#include "data/awake.h"
#include "data/state.h"
#include "model/plugin.h"

// A field that every world has in the output or the value store.
typedef struct BatchField {
  char name[64];
  int offset, width;
} BatchField;

typedef struct BatchFields {
  CTI_ARRAY(BatchField) list;
  int width;  // of all
} BatchFields;

struct ctBatch {
  const ctModel* m;
  ctAllocator allocator;
  int nworld, nstate, ncarried, first_world;
  const ctiBackend* backend;
  void* self;
  BatchFields outputs, values;
  ctByte* seen;   // a mark for each world, for ids
  int* chosen;    // ids of a mask
  ctData* probe;  // sizes of fields
};

// ---- life ----

static ctStatus create_cuda(ctBatch* b, ctiBatchSetup setup, ctError* err) {
  if (cti_calls_user(b->m))
    return cti_error(err, CT_ERR_UNSUPPORTED, "functions in model->user cannot be called on a GPU");
  if (b->m->opt.enableflags & CT_ENBL_IPC)
    return cti_error(err, CT_ERR_UNSUPPORTED, "the flag ipc is not supported on a GPU");
  for (int i = 0; i < b->m->nplugin; i++) {
    if (b->m->plugin[i] >= CTI_PLUGIN_COUNT)
      return cti_error(err, CT_ERR_UNSUPPORTED,
                       "the plugin \"%s\" is a function of the program and cannot be called on a GPU",
                       b->m->plugin_kind + CT_NPLUGINNAME * (size_t)i);
  }
  b->backend = cti_backend_cuda(setup.opt.precision == CT_PRECISION_DOUBLE, err);
  if (!b->backend) return CT_ERR_UNSUPPORTED;
  setup.size = ct_model_save_bytes(b->m, NULL, 0);
  void* bytes = cti_alloc(&b->allocator, setup.size, CTI_ALIGN_ANY);
  if (!bytes) return cti_error_memory(err);
  ct_model_save_bytes(b->m, bytes, setup.size);
  setup.bytes = bytes;
  setup.m = NULL;
  ctStatus status = b->backend->create(&b->self, &setup, err);
  cti_release(&b->allocator, bytes);
  return status;
}

static const ctPrecision own_precision = sizeof(ctReal) == 8 ? CT_PRECISION_DOUBLE : CT_PRECISION_SINGLE;

static const char* precision_text(ctPrecision precision) {
  return precision == CT_PRECISION_DOUBLE ? "double" : "single";
}

static ctPrecision choose_precision(const ctBatchOptions* opt) {
  if (opt->precision != CT_PRECISION_AUTO) return opt->precision;
  return opt->backend == CT_BACKEND_CUDA ? CT_PRECISION_SINGLE : own_precision;
}

static ctStatus choose_backend(ctBatch* b, const ctBatchOptions* opt, ctError* err) {
  ctiBatchSetup setup = {.m = b->m, .nworld = b->nworld, .real_bytes = (int)sizeof(ctReal), .opt = *opt};
  setup.opt.precision = choose_precision(opt);
  bool on_cpu = setup.opt.precision == own_precision;
  if (opt->backend != CT_BACKEND_CPU) {
    ctStatus status = create_cuda(b, setup, err);
    if (status == CT_OK || opt->backend == CT_BACKEND_CUDA || !on_cpu) return status;
    if (err) *err = (ctError){0};
  }
  if (!on_cpu)
    return cti_error(err, CT_ERR_UNSUPPORTED,
                     "this library steps worlds on the CPU in %s precision, not in %s",
                     precision_text(own_precision), precision_text(setup.opt.precision));
  b->backend = &cti_backend_cpu;
  return b->backend->create(&b->self, &setup, err);
}

ctStatus ct_batch_create(ctBatch** out, const ctModel* m, int nworld, const ctBatchOptions* options,
                         ctError* err) {
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_create: out and m must not be NULL");
  *out = NULL;
  ctBatchOptions opt = options ? *options : (ctBatchOptions){0};
  if (nworld < 1) return cti_error(err, CT_ERR_ARGUMENT, "a batch has at least one world, not %d", nworld);
  if ((int)opt.precision < CT_PRECISION_AUTO || opt.precision > CT_PRECISION_DOUBLE)
    return cti_error(err, CT_ERR_ARGUMENT, "there is no precision %d", (int)opt.precision);
  if (opt.threads < 0) return cti_error(err, CT_ERR_ARGUMENT, "%d threads are not possible", opt.threads);
  if (opt.reset_to_key && (opt.reset_key < 0 || opt.reset_key >= m->nkey))
    return cti_error(err, CT_ERR_ARGUMENT, "reset_key %d: the model has %d keyframes", opt.reset_key,
                     m->nkey);
  ctBatch* b = cti_alloc(&m->allocator, sizeof(ctBatch), _Alignof(ctBatch));
  if (!b) return cti_error_memory(err);
  *b = (ctBatch){.m = m, .allocator = m->allocator, .nworld = nworld, .first_world = opt.first_world};
  b->nstate = cti_state_size(m, CT_STATE_INTEGRATION);
  b->ncarried = cti_carried_size(m);
  b->seen = cti_alloc(&b->allocator, (size_t)nworld, 1);
  b->chosen = cti_alloc(&b->allocator, sizeof(int) * (size_t)nworld, _Alignof(int));
  ctStatus status = b->seen && b->chosen ? ct_data_create(&b->probe, m, err) : cti_error_memory(err);
  if (status == CT_OK) memset(b->seen, 0, (size_t)nworld);
  if (status == CT_OK) status = choose_backend(b, &opt, err);
  if (status != CT_OK) {
    ct_batch_free(b);
    return status;
  }
  *out = b;
  return CT_OK;
}

void ct_batch_free(ctBatch* b) {
  if (!b) return;
  ctAllocator a = b->allocator;
  if (b->self) b->backend->free(b->self);
  ct_data_free(b->probe);
  cti_array_free(&b->outputs.list, &a);
  cti_array_free(&b->values.list, &a);
  cti_release(&a, b->seen);
  cti_release(&a, b->chosen);
  cti_release(&a, b);
}

ctStatus ct_batch_info(const ctBatch* b, ctBatchInfo* info) {
  if (!b || !info) return CT_ERR_ARGUMENT;
  *info = (ctBatchInfo){.nworld = b->nworld};
  b->backend->info(b->self, info);
  return CT_OK;
}

// ---- names ----

static const BatchField* find(const BatchFields* fields, const char* name) {
  for (int i = 0; i < fields->list.count; i++) {
    if (strcmp(fields->list.data[i].name, name) == 0) return &fields->list.data[i];
  }
  return NULL;
}

static bool find_state(const ctBatch* b, const char* name, ctiColumn* c) {
  static const char* const names[CT_STATE_COUNT] = {
#define X(id, text, bit) [bit] = (text),
      CT_STATE_LIST(X)
#undef X
  };
  *c = (ctiColumn){CTI_STORE_STATE, 0, b->nstate};
  if (strcmp(name, "state") == 0) return true;
  for (int bit = 0, offset = 0; bit < CT_STATE_COUNT; bit++) {
    if (!(CT_STATE_INTEGRATION & 1u << bit)) continue;
    int width = cti_state_part_size(b->m, bit);
    *c = (ctiColumn){CTI_STORE_STATE, offset, width};
    if (strcmp(names[bit], name) == 0) return true;
    offset += width;
  }
  return false;
}

static bool find_column(const ctBatch* b, const char* name, ctiColumn* c) {
  if (find_state(b, name, c)) return true;
  const BatchField* f = find(&b->values, name);
  if (f) *c = (ctiColumn){CTI_STORE_VALUES, f->offset, f->width};
  if (f) return true;
  f = find(&b->outputs, name);
  if (f) *c = (ctiColumn){CTI_STORE_OUTPUT, f->offset, f->width};
  return f != NULL;
}

static ctStatus unknown(ctError* err, const char* name) {
  return cti_error(err, CT_ERR_NOT_FOUND,
                   "\"%s\" is neither a part of the state nor a field of the data or of the worlds' models",
                   name);
}

// Fields whose size is known before a step: not those in the arena.
static ctStatus data_width(const ctBatch* b, const char* name, int* width, ctError* err) {
  ctField f;
  if (ct_data_field(b->m, b->probe, name, &f) != CT_OK) return unknown(err, name);
  static const char* const growing[] = {
#define X(type, field, rows, cols, ...) #field,
#include "corten/fields/data_arena.def"
#undef X
  };
  for (int i = 0; i < CT_COUNT_OF(growing); i++) {
    if (strcmp(growing[i], name) == 0)
      return cti_error(err, CT_ERR_INVALID, "\"%s\" has another size in every step: it cannot be an output",
                       name);
  }
  if (f.type == CT_FIELD_POINTER || f.type == CT_FIELD_CHAR || f.type == CT_FIELD_CONTACT)
    return cti_error(err, CT_ERR_INVALID, "\"%s\" is not made of numbers", name);
  *width = (int)(f.rows * f.cols);
  return CT_OK;
}

static ctStatus value_width(const ctBatch* b, const char* name, int* width, ctError* err) {
  ctField f;
  if (ct_model_field(b->m, name, &f) != CT_OK)
    return cti_error(err, CT_ERR_NOT_FOUND, "\"%s\" is no field of the model", name);
  if (f.type != CT_FIELD_REAL)
    return cti_error(err, CT_ERR_INVALID, "\"%s\" is not made of real numbers: worlds cannot differ in it",
                     name);
  *width = (int)(f.rows * f.cols);
  return CT_OK;
}

int ct_batch_width(const ctBatch* b, const char* name) {
  ctiColumn c;
  int width = 0;
  if (!b || !name) return -1;
  if (find_column(b, name, &c)) return c.width;
  if (data_width(b, name, &width, NULL) == CT_OK) return width;
  return value_width(b, name, &width, NULL) == CT_OK ? width : -1;
}

// Offsets are ints.
static ctStatus check_width(const BatchFields* fields, const char* name, int width, ctError* err) {
  if (width <= INT_MAX - fields->width) return CT_OK;
  return cti_error(err, CT_ERR_LIMIT, "\"%s\" has %d numbers: with those before it, more than %d", name,
                   width, INT_MAX);
}

static ctStatus add_field(ctBatch* b, BatchFields* fields, const char* name, int width, ctError* err) {
  BatchField f = {.offset = fields->width, .width = width};
  if (strlen(name) >= sizeof(f.name)) return unknown(err, name);
  strcpy(f.name, name);
  if (cti_array_push(&fields->list, &b->allocator, f) != CT_OK) return cti_error_memory(err);
  fields->width += width;
  return CT_OK;
}

ctStatus ct_batch_output(ctBatch* b, const char* name, ctError* err) {
  if (!b || !name) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_output: b and name must not be NULL");
  if (find(&b->outputs, name)) return CT_OK;
  int width = 0;
  if (strcmp(name, "qfrc_inverse") == 0)
    return cti_error(err, CT_ERR_INVALID,
                     "\"qfrc_inverse\" is computed by inverse dynamics, which batches do not run");
  CT_TRY(data_width(b, name, &width, err));
  CT_TRY(check_width(&b->outputs, name, width, err));
  CT_TRY(b->backend->add_output(b->self, name, width, err));
  return add_field(b, &b->outputs, name, width, err);
}

ctStatus ct_batch_vary(ctBatch* b, const char* name, ctError* err) {
  if (!b || !name) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_vary: b and name must not be NULL");
  if (find(&b->values, name)) return CT_OK;
  int width = 0;
  CT_TRY(value_width(b, name, &width, err));
  CT_TRY(check_width(&b->values, name, width, err));
  CT_TRY(b->backend->add_values(b->self, name, width, err));
  return add_field(b, &b->values, name, width, err);
}

ctStatus ct_batch_set_noise(ctBatch* b, bool on, uint32_t seed, ctError* err) {
  if (!b) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_set_noise: b must not be NULL");
  return b->backend->set_noise(b->self, on, seed, err);
}

// What can be varied that ct_model_update() reads, as far as not all it computes follows from it.
enum {
  MARGINS = 1,
  SHAPES = 2,
  FRAMES = 4,
  POSES = 8,
  MASSES = 16,
  SCENE = 32,
  EQUALITIES = 64,
  ALWAYS = 128
};

static const struct {
  const char* name;
  unsigned kind;
} sources[] = {
    {"geom_margin", MARGINS},
    {"geom_gap", MARGINS},
    {"geom_size", SHAPES},
    {"geom_aabb", SHAPES},
    {"geom_rbound", SHAPES},
    {"hfield_size", SHAPES},
    {"geom_pos", FRAMES},
    {"geom_quat", FRAMES},
    {"body_ipos", FRAMES},
    {"body_iquat", FRAMES},
    {"site_pos", FRAMES},
    {"site_quat", FRAMES},
    {"body_pos", POSES},
    {"body_quat", POSES},
    {"jnt_pos", POSES},
    {"jnt_axis", POSES},
    {"qpos0", POSES},
    {"flex_vert", POSES},
    {"flex_node", POSES},
    {"body_mass", MASSES},
    {"body_inertia", MASSES},
    {"dof_armature", MASSES},
    {"tendon_armature", MASSES},
    {"actuator_armature", MASSES},
    {"cam_pos", SCENE},
    {"cam_quat", SCENE},
    {"light_pos", SCENE},
    {"light_dir", SCENE},
    {"eq_data", EQUALITIES},
};

static const struct {
  const char* name;
  unsigned follows;
} updated[] = {
    {"body_subtreemass", ALWAYS},
    {"body_invweight0", ALWAYS},
    {"dof_M0", ALWAYS},
    {"dof_invweight0", ALWAYS},
    {"tendon_length0", ALWAYS},
    {"tendon_invweight0", ALWAYS},
    {"actuator_length0", ALWAYS},
    {"actuator_acc0", ALWAYS},
    {"body_margin", MARGINS},
    {"geom_size", SHAPES},  // of height fields
    {"geom_aabb", SHAPES},
    {"geom_rbound", SHAPES},
    {"geom_fluid", SHAPES},
    {"bvh_aabb", SHAPES | FRAMES},
    {"dof_length", SHAPES | FRAMES | POSES},
    {"flexedge_length0", POSES},
    {"flexedge_invweight0", FRAMES | POSES | MASSES},
    {"cam_pos0", SCENE | POSES},
    {"cam_poscom0", SCENE | FRAMES | POSES | MASSES},
    {"cam_mat0", SCENE | POSES},
    {"light_pos0", SCENE | POSES},
    {"light_poscom0", SCENE | FRAMES | POSES | MASSES},
    {"light_dir0", SCENE | POSES},
    {"eq_data", EQUALITIES | POSES},
};

ctStatus ct_batch_update(ctBatch* b, ctError* err) {
  if (!b) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_update: b must not be NULL");
  unsigned varied = ALWAYS;
  for (int i = 0; i < CT_COUNT_OF(sources); i++)
    varied |= find(&b->values, sources[i].name) ? sources[i].kind : 0;
  for (int i = 0; i < CT_COUNT_OF(updated); i++)
    if (updated[i].follows & varied) CT_TRY(ct_batch_vary(b, updated[i].name, err));
  return b->backend->update(b->self, err);
}

// ---- ids ----

// Every id in range and there once.
static ctStatus check_ids(ctBatch* b, const int* ids, int nids, ctError* err) {
  if (!ids) return CT_OK;
  if (nids < 0) return cti_error(err, CT_ERR_ARGUMENT, "%d worlds are not possible", nids);
  ctStatus status = CT_OK;
  int checked = 0;
  for (; checked < nids && status == CT_OK; checked++) {
    int id = ids[checked];
    bool known = id >= 0 && id < b->nworld;
    if (!known) {
      status = cti_error(err, CT_ERR_ARGUMENT, "there is no world %d: they are 0 to %d", id, b->nworld - 1);
    } else if (b->seen[id]) {
      status = cti_error(err, CT_ERR_ARGUMENT, "world %d is named twice", id);
    }
    if (known) b->seen[id] = 1;
  }
  for (int i = 0; i < checked; i++) {
    if (ids[i] >= 0 && ids[i] < b->nworld) b->seen[ids[i]] = 0;
  }
  return status;
}

// ---- work ----

ctStatus ct_batch_step(ctBatch* b, int n, ctError* err) {
  if (!b || n < 0) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_step: b NULL or n negative");
  return b->backend->run(b->self, n, true, err);
}

ctStatus ct_batch_profile(ctBatch* b, int n, ctBatchProfile* out, ctError* err) {
  if (!b || n < 0 || !out)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_profile: b or out NULL, or n negative");
  *out = (ctBatchProfile){0};
  return b->backend->profile(b->self, n, out, err);
}

ctStatus ct_batch_forward(ctBatch* b, ctError* err) {
  if (!b) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_forward: b must not be NULL");
  return b->backend->run(b->self, 1, false, err);
}

ctStatus ct_batch_rollout(ctBatch* b, int nstep, const ctReal* ctrl, ctReal* out, ctError* err) {
  if (!b || nstep < 0) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_rollout: b NULL or nstep negative");
  return b->backend->rollout(b->self, nstep, ctrl, out, err);
}

ctStatus ct_batch_reset(ctBatch* b, const int* ids, int nids, int key, ctError* err) {
  if (!b) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_reset: b must not be NULL");
  if (key >= b->m->nkey)
    return cti_error(err, CT_ERR_ARGUMENT, "there is no keyframe %d: the model has %d", key, b->m->nkey);
  CT_TRY(check_ids(b, ids, nids, err));
  return b->backend->reset(b->self, ids, ids ? nids : b->nworld, key, err);
}

ctStatus ct_batch_reset_mask(ctBatch* b, const ctByte* mask, int key, ctError* err) {
  if (!b || !mask) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_reset_mask: b and mask must not be NULL");
  int n = 0;
  for (int w = 0; w < b->nworld; w++) {
    if (mask[w]) b->chosen[n++] = w;
  }
  return ct_batch_reset(b, b->chosen, n, key, err);
}

ctStatus ct_batch_get(ctBatch* b, const char* name, const int* ids, int nids, ctReal* values, ctError* err) {
  if (!b || !name || !values)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_get: b, name and values must not be NULL");
  CT_TRY(check_ids(b, ids, nids, err));
  ctiColumn c;
  if (!find_column(b, name, &c)) {
    CT_TRY(ct_batch_output(b, name, err));
    ctStatus status = ct_batch_forward(b, err);
    if (status == CT_ERR_MEMORY || status == CT_ERR_IO) return status;
    find_column(b, name, &c);
  }
  return b->backend->read(b->self, c, ids, ids ? nids : b->nworld, values, err);
}

ctStatus ct_batch_set(ctBatch* b, const char* name, const int* ids, int nids, const ctReal* values,
                      ctError* err) {
  if (!b || !name || !values)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_set: b, name and values must not be NULL");
  CT_TRY(check_ids(b, ids, nids, err));
  ctiColumn c;
  if (!find_column(b, name, &c)) {
    ctField f;
    if (ct_model_field(b->m, name, &f) == CT_OK)
      return cti_error(err, CT_ERR_INVALID, "\"%s\" is the same in all worlds; call ct_batch_vary() first",
                       name);
    return unknown(err, name);
  }
  if (c.store == CTI_STORE_OUTPUT)
    return cti_error(err, CT_ERR_INVALID, "\"%s\" is an output: it is computed, not set", name);
  return b->backend->write(b->self, c, ids, ids ? nids : b->nworld, values, err);
}

ctStatus ct_batch_view(ctBatch* b, const char* name, ctBatchView* view, ctError* err) {
  if (!b || !name || !view)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_view: b, name and view must not be NULL");
  ctiColumn c;
  if (!find_column(b, name, &c)) return unknown(err, name);
  *view = (ctBatchView){.device = -1, .shape = {b->nworld, c.width}};
  return b->backend->view(b->self, c, view, err);
}

const int* ct_batch_status(ctBatch* b) {
  return b ? b->backend->status(b->self) : NULL;
}

const ctWarningStat* ct_batch_warnings(ctBatch* b, int world) {
  if (!b || world < 0 || world >= b->nworld) return NULL;
  const ctWarningStat* all = b->backend->warnings(b->self);
  return all ? all + (size_t)CT_WARN_COUNT * (size_t)world : NULL;
}

ctStatus ct_batch_sync(ctBatch* b, ctError* err) {
  if (!b) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_sync: b must not be NULL");
  return b->backend->sync(b->self, err);
}

// ---- a batch as bytes: signature, then every store and the reports ----

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
  h.widths[CTI_STORE_CARRIED] = b->ncarried;
  h.widths[CTI_STORE_OUTPUT] = b->outputs.width;
  h.widths[CTI_STORE_VALUES] = b->values.width;
  h.real = (int32_t)sizeof(ctReal);
  return h;
}

static size_t report_bytes(const ctBatch* b) {
  return (size_t)b->nworld * (sizeof(int) + sizeof(ctWarningStat) * CT_WARN_COUNT);
}

size_t ct_batch_save_bytes(ctBatch* b, void* buffer, size_t size) {
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

ctStatus ct_batch_load_bytes(ctBatch* b, const void* bytes, size_t size, ctError* err) {
  if (!b || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_load_bytes: b and bytes must not be NULL");
  SavedHead h = saved_head(b);
  if (size != ct_batch_save_bytes(b, NULL, 0) || memcmp(bytes, &h, sizeof(h)) != 0) {
    return cti_error(err, CT_ERR_ARGUMENT,
                     "this was saved from a batch with another model, number of worlds, outputs or values");
  }
  const unsigned char* at = (const unsigned char*)bytes + sizeof(h);
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

static const char* field_name(const BatchFields* fields, int i) {
  return i >= 0 && i < fields->list.count ? fields->list.data[i].name : NULL;
}

const char* ct_batch_output_name(const ctBatch* b, int i) {
  return b ? field_name(&b->outputs, i) : NULL;
}

const char* ct_batch_values_name(const ctBatch* b, int i) {
  return b ? field_name(&b->values, i) : NULL;
}

// ---- worlds as records: every store, then status and warnings ----

static size_t record_bytes(const ctBatch* b) {
  SavedHead h = saved_head(b);
  size_t reals = 0;
  for (int s = 0; s < CTI_STORE_COUNT; s++) reals += (size_t)h.widths[s];
  return reals * sizeof(ctReal) + sizeof(int) + sizeof(ctWarningStat) * CT_WARN_COUNT;
}

static bool has_worlds(const ctBatch* b, int first, int count) {
  return b && first >= 0 && count >= 0 && count <= b->nworld && first <= b->nworld - count;
}

// The numbers of the worlds, as many as the widest store has of one, and their ids.
typedef struct Records {
  ctReal* row;
  int* ids;
} Records;

static bool open_records(Records* r, const ctBatch* b, int first, int count) {
  SavedHead h = saved_head(b);
  int widest = 1;
  for (int s = 0; s < CTI_STORE_COUNT; s++) widest = h.widths[s] > widest ? h.widths[s] : widest;
  r->row = cti_alloc_array(&b->allocator, (size_t)count * (size_t)widest, sizeof(ctReal));
  r->ids = CTI_ALLOC(&b->allocator, int, count);
  for (int i = 0; r->ids && i < count; i++) r->ids[i] = first + i;
  return r->row && r->ids;
}

static void close_records(const Records* r, const ctBatch* b) {
  cti_release(&b->allocator, r->row);
  cti_release(&b->allocator, r->ids);
}

static bool read_records(ctBatch* b, const Records* r, int first, int count, unsigned char* to) {
  SavedHead h = saved_head(b);
  size_t record = record_bytes(b), at = 0;
  for (int s = 0; s < CTI_STORE_COUNT; s++) {
    ctiColumn c = {(ctiStore)s, 0, h.widths[s]};
    size_t bytes = (size_t)c.width * sizeof(ctReal);
    if (c.width > 0 && b->backend->read(b->self, c, r->ids, count, r->row, NULL) != CT_OK) return false;
    for (int i = 0; i < count && bytes; i++)
      memcpy(to + (size_t)i * record + at, r->row + (size_t)i * (size_t)c.width, bytes);
    at += bytes;
  }
  const int* status = b->backend->status(b->self);
  const ctWarningStat* warnings = b->backend->warnings(b->self);
  if (!status || !warnings) return false;
  for (int i = 0; i < count; i++) {
    unsigned char* report = to + (size_t)i * record + at;
    memcpy(report, status + first + i, sizeof(int));
    memcpy(report + sizeof(int), warnings + (size_t)CT_WARN_COUNT * (size_t)(first + i),
           sizeof(ctWarningStat) * CT_WARN_COUNT);
  }
  return true;
}

size_t ct_batch_save_worlds(ctBatch* b, int first, int count, void* buffer, size_t size) {
  if (!has_worlds(b, first, count)) return 0;
  size_t bytes = (size_t)count * record_bytes(b);
  if (!buffer || size < bytes || count == 0) return bytes;
  Records r;
  bool ok = open_records(&r, b, first, count) && read_records(b, &r, first, count, buffer);
  close_records(&r, b);
  return ok ? bytes : 0;
}

static ctStatus write_records(ctBatch* b, const Records* r, int first, int count, const unsigned char* from,
                              ctError* err) {
  SavedHead h = saved_head(b);
  size_t record = record_bytes(b), at = 0;
  for (int s = 0; s < CTI_STORE_COUNT; s++) {
    ctiColumn c = {(ctiStore)s, 0, h.widths[s]};
    size_t bytes = (size_t)c.width * sizeof(ctReal);
    for (int i = 0; i < count && bytes; i++)
      memcpy(r->row + (size_t)i * (size_t)c.width, from + (size_t)i * record + at, bytes);
    if (c.width > 0) CT_TRY(b->backend->write(b->self, c, r->ids, count, r->row, err));
    at += bytes;
  }
  const int* status = b->backend->status(b->self);
  const ctWarningStat* warnings = b->backend->warnings(b->self);
  if (!status || !warnings) return cti_error(err, CT_ERR_IO, "ct_batch_load_worlds: the GPU is lost");
  // the reports of all worlds go back, with those of these ones changed
  int* all = CTI_ALLOC(&b->allocator, int, b->nworld);
  ctWarningStat* counts = CTI_ALLOC(&b->allocator, ctWarningStat, (size_t)b->nworld * CT_WARN_COUNT);
  ctStatus done = all && counts ? CT_OK : cti_error_memory(err);
  if (done == CT_OK) {
    memcpy(all, status, sizeof(int) * (size_t)b->nworld);
    memcpy(counts, warnings, sizeof(ctWarningStat) * CT_WARN_COUNT * (size_t)b->nworld);
    for (int i = 0; i < count; i++) {
      const unsigned char* report = from + (size_t)i * record + at;
      memcpy(all + first + i, report, sizeof(int));
      memcpy(counts + (size_t)CT_WARN_COUNT * (size_t)(first + i), report + sizeof(int),
             sizeof(ctWarningStat) * CT_WARN_COUNT);
    }
    done = b->backend->restore_reports(b->self, all, counts, err);
  }
  cti_release(&b->allocator, all);
  cti_release(&b->allocator, counts);
  return done;
}

ctStatus ct_batch_load_worlds(ctBatch* b, int first, int count, const void* bytes, size_t size,
                              ctError* err) {
  if (!has_worlds(b, first, count) || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_batch_load_worlds: there are no worlds %d to %d, or bytes is NULL", first,
                     first + count - 1);
  if (size != (size_t)count * record_bytes(b))
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_batch_load_worlds: %d worlds take %zu bytes, not %zu: these come from a batch with "
                     "another model, outputs or values",
                     count, (size_t)count * record_bytes(b), size);
  if (count == 0) return CT_OK;
  Records r;
  ctStatus status = open_records(&r, b, first, count) ? write_records(b, &r, first, count, bytes, err)
                                                      : cti_error_memory(err);
  close_records(&r, b);
  return status;
}

// FNV-1a over the bytes, then mixed so that sums do not cancel.
static uint64_t world_hash(uint64_t world, const ctReal* state, int n) {
  const unsigned char* bytes = (const unsigned char*)state;
  uint64_t h = UINT64_C(0xcbf29ce484222325) ^ (world * UINT64_C(0x9e3779b97f4a7c15));
  for (size_t i = 0; i < (size_t)n * sizeof(ctReal); i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
  h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
  return h ^ (h >> 31);
}

ctStatus ct_batch_hash(ctBatch* b, uint64_t* out, ctError* err) {
  enum { CHUNK = 256 };
  if (!b || !out) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_hash: b and out must not be NULL");
  *out = 0;
  Records r;
  ctStatus status =
      open_records(&r, b, 0, b->nworld < CHUNK ? b->nworld : CHUNK) ? CT_OK : cti_error_memory(err);
  for (int first = 0; first < b->nworld && status == CT_OK; first += CHUNK) {
    int count = b->nworld - first < CHUNK ? b->nworld - first : CHUNK;
    ctiColumn c = {CTI_STORE_STATE, 0, b->nstate};
    for (int i = 0; i < count; i++) r.ids[i] = first + i;
    status = b->backend->read(b->self, c, r.ids, count, r.row, err);
    for (int i = 0; i < count && status == CT_OK; i++)
      *out += world_hash((uint64_t)b->first_world + (uint64_t)(first + i),
                         r.row + (size_t)i * (size_t)b->nstate, b->nstate);
  }
  close_records(&r, b);
  return status;
}

ctStatus ct_batch_save(ctBatch* b, const char* path, ctError* err) {
  if (!b || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_save: b and path must not be NULL");
  size_t size = ct_batch_save_bytes(b, NULL, 0);
  void* bytes = cti_alloc(&b->allocator, size, CTI_ALIGN_ANY);
  if (!bytes) return cti_error_memory(err);
  ctStatus status = ct_batch_save_bytes(b, bytes, size) == size
                        ? ct_file_write(path, bytes, size, err)
                        : cti_error(err, CT_ERR_IO, "ct_batch_save: the GPU is lost");
  cti_release(&b->allocator, bytes);
  return status;
}

ctStatus ct_batch_load(ctBatch* b, const char* path, ctError* err) {
  if (!b || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_batch_load: b and path must not be NULL");
  // many worlds may take more than files of a model are allowed to
  size_t limit = ct_batch_save_bytes(b, NULL, 0);
  if (limit < CTI_FILE_LIMIT_DEFAULT) limit = CTI_FILE_LIMIT_DEFAULT;
  ctiFile file;
  CT_TRY(cti_file_read(&file, NULL, path, limit, &b->allocator, err));
  ctStatus status = ct_batch_load_bytes(b, file.data, file.size, err);
  cti_file_release(&file, &b->allocator);
  return status;
}
