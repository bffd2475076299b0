#include "spec/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/kinds.h"
#include "spec/defaults.h"

#define MAX_ELEMENTS_DEFAULT 1000000

ctStatus ct_spec_create(ctSpec** out, const ctLoadOptions* opt, ctError* err) {
  if (!out) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_create: out must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt && opt->allocator ? opt->allocator : cti_allocator_default();
  ctiRegion* region = cti_region_create(allocator);
  ctSpec* spec = region ? CTI_NEW(region, ctSpec) : NULL;
  if (!spec) {
    cti_region_free(region);
    return cti_error_memory(err);
  }
  spec->allocator = *allocator;
  spec->region = region;
  spec->in_region = cti_region_allocator(region);
  spec->budget = cti_budget(opt ? opt->max_memory : 0);
  cti_region_charge(region, &spec->budget);
  spec->max_elements = opt && opt->max_elements > 0 ? opt->max_elements : MAX_ELEMENTS_DEFAULT;
  spec->max_arena = opt ? opt->max_arena : 0;
  spec->plugins = opt ? opt->plugins : NULL;
  spec->nplugin = opt && opt->plugins ? opt->nplugin : 0;
  spec->decoders = opt ? opt->decoders : NULL;
  spec->ndecoder = opt && opt->decoders ? opt->ndecoder : 0;
  cti_strings_init(&spec->strings, region);
  cti_names_init(&spec->class_ids, spec->in_region);
  if (opt && opt->log) spec->log = *opt->log;
  if (opt) spec->vfs = opt->vfs;
  spec->file = "<string>";
  spec->modelname = "MuJoCo Model";
  cti_default_compiler(&spec->compiler);
  spec->compiler.file = spec->file;
  spec->compiler.vfs = spec->vfs;
  cti_default_option(&spec->option);
  cti_default_visual(&spec->visual);
  cti_default_size(&spec->size);
  spec->size.head.tag = "size";
  cti_default_length_range(&spec->lengthrange);
  cti_default_statistic(&spec->statistic);
  cti_default_class(&spec->plain);
  spec->world = cti_spec_add_body(spec, NULL);
  if (!spec->world || !cti_spec_add_class(spec, "main", NULL)) {
    ct_spec_free(spec);
    return cti_error_memory(err);
  }
  spec->world->head.name = "world";
  *out = spec;
  return CT_OK;
}

ctStatus ct_spec_set_log(ctSpec* spec, const ctLog* log) {
  if (!spec) return CT_ERR_ARGUMENT;
  spec->log = log ? *log : (ctLog){0};
  return CT_OK;
}

ctStatus ct_spec_set_vfs(ctSpec* spec, const ctVfs* vfs) {
  if (!spec) return CT_ERR_ARGUMENT;
  spec->vfs = spec->compiler.vfs = vfs;
  return CT_OK;
}

void ct_spec_free(ctSpec* spec) {
  if (spec) cti_region_free(spec->region);
}

ctiBody* cti_spec_add_body(ctSpec* spec, ctiBody* parent) {
  ctiBody* body = CTI_NEW(spec->region, ctiBody);
  if (!body) return NULL;
  cti_default_body(body);
  body->head.tag = parent ? "body" : "worldbody";
  body->parent = parent;
  if (parent) {
    body->head.parent = &parent->head;
    body->depth = parent->depth + 1;
    if (cti_array_push(&parent->bodies, spec->in_region, body) != CT_OK) return NULL;
  }
  return body;
}

ctiFrame* cti_spec_add_frame(ctSpec* spec, ctiBody* body, const ctiFrame* outer) {
  ctiFrame* frame = CTI_NEW(spec->region, ctiFrame);
  if (!frame) return NULL;
  cti_default_frame(frame);
  frame->head = (ctiElement){.tag = "frame", .parent = &body->head, .frame = outer};
  frame->index = body->frames.count;
  return cti_array_push(&body->frames, spec->in_region, frame) == CT_OK ? frame : NULL;
}

ctiBody** cti_spec_bodies(ctiBody* top, ctiRegion* region, int* count) {
  const ctAllocator* a = cti_region_allocator(region);
  CTI_ARRAY(ctiBody*) stack = {0}, found = {0};
  ctStatus status = cti_array_push(&stack, a, top);
  while (status == CT_OK && stack.count > 0) {
    ctiBody* body = stack.data[--stack.count];
    status = cti_array_push(&found, a, body);
    for (int i = body->bodies.count - 1; i >= 0 && status == CT_OK; i--)
      status = cti_array_push(&stack, a, body->bodies.data[i]);
  }
  *count = found.count;
  return status == CT_OK ? found.data : NULL;
}

const char* cti_object_word(ctObjType type) {
  static const char* const words[CT_OBJ_COUNT] = {
#define X(id, text) [CT_OBJ_##id] = text,
      CT_OBJ_LIST(X)
#undef X
  };
  return (int)type >= 0 && type < CT_OBJ_COUNT ? words[type] : NULL;
}

ctObjType cti_object_type(const char* word) {
  for (int t = 1; word && t < CT_OBJ_COUNT; t++) {
    if (strcmp(cti_object_word((ctObjType)t), word) == 0) return (ctObjType)t;
  }
  return CT_OBJ_UNKNOWN;
}

// A record in the region, filled from `source`, appended to a list; NULL when memory runs out.
#define ADD_ELEMENT(record, list, source, holder, class_name)                \
  record* added = CTI_NEW(spec->region, record);                             \
  if (!added) return NULL;                                                   \
  *added = (source);                                                         \
  added->head = (ctiElement){.parent = (holder), .class_ = (class_name)};    \
  if (cti_array_push(&(list), spec->in_region, added) != CT_OK) return NULL; \
  return added

#define X(record, list, template_)                                                      \
  record* cti_spec_add_##template_(ctSpec* spec, ctiBody* body, const ctiClass* from) { \
    ADD_ELEMENT(record, body->list, from->template_, &body->head, from->name);          \
  }
CTI_BODY_LISTS(X)
#undef X
#define X(record, list, template_)                                       \
  record* cti_spec_add_##template_(ctSpec* spec, const ctiClass* from) { \
    ADD_ELEMENT(record, spec->list, from->template_, NULL, from->name);  \
  }
CTI_SPEC_LISTS(X)
#undef X
#define X(record, list)                                       \
  record* cti_spec_add_to_##list(ctSpec* spec) {              \
    ADD_ELEMENT(record, spec->list, (record){0}, NULL, NULL); \
  }
CTI_SPEC_PLAIN_LISTS(X)
#undef X

ctiClass* cti_spec_add_class(ctSpec* spec, const char* name, ctiClass* parent) {
  ctiClass* added = CTI_NEW(spec->region, ctiClass);
  if (!added) return NULL;
  if (parent) {
    *added = *parent;
  } else {
    cti_default_class(added);
  }
  added->name = cti_intern(&spec->strings, name);
  added->parent = parent;
  added->where = (ctiWhere){0};
  if (!added->name) return NULL;
  if (cti_names_add(&spec->class_ids, added->name, spec->classes.count) != CT_OK) return NULL;
  if (cti_array_push(&spec->classes, spec->in_region, added) != CT_OK) return NULL;
  return added;
}

ctStatus cti_spec_index_classes(ctSpec* spec) {
  cti_names_init(&spec->class_ids, spec->in_region);
  for (int i = 0; i < spec->classes.count; i++)
    CT_TRY(cti_names_add(&spec->class_ids, spec->classes.data[i]->name, i));
  return CT_OK;
}

const ctiClass* cti_spec_plain_class(const ctSpec* spec) {
  return &spec->plain;
}

ctiClass* cti_spec_find_class(const ctSpec* spec, const char* name) {
  int i = cti_names_find(&spec->class_ids, name);
  return i < 0 || i >= spec->classes.count ? NULL : spec->classes.data[i];
}

// mujoco/worldbody/body[arm]/geom[hand]; the beginning is cut when it is too long.
static void element_path(const ctiElement* e, char* out, size_t size) {
  char text[2048];
  size_t at = sizeof(text) - 1;
  text[at] = 0;
  for (; e; e = e->parent) {
    char part[300];
    int n = e->name && e->parent ? snprintf(part, sizeof(part), "/%s[%.200s]", e->tag, e->name)
                                 : snprintf(part, sizeof(part), "/%s", e->tag);
    if ((size_t)n > at) break;
    at -= (size_t)n;
    memcpy(text + at, part, (size_t)n);
  }
  if (at >= 6) memcpy(text + (at -= 6), "mujoco", 6);
  cti_copy_tail(out, size, text + at);
}

ctStatus cti_spec_error(ctError* err, ctStatus status, const ctiElement* e, const char* format, ...) {
  if (!err) return status;
  char what[512], path[256];
  va_list args;
  va_start(args, format);
  cti_vformat(what, sizeof(what), format, args);
  va_end(args);
  element_path(e, path, sizeof(path));
  const ctiWhere* w = &e->where;
  if (e->name)
    return cti_error_at(err, status, w->file, w->line, w->column, path, "%s \"%s\": %s", e->tag, e->name,
                        what);
  return cti_error_at(err, status, w->file, w->line, w->column, path, "%s: %s", e->tag, what);
}

ctStatus cti_spec_no_memory(ctError* err, const ctiBudget* budget, const ctiElement* e) {
  if (!budget->refused) return cti_spec_error(err, CT_ERR_MEMORY, e, "out of memory");
  return cti_spec_error(err, CT_ERR_LIMIT, e,
                        "needs %.1f MiB more, and loading may take %.1f MiB in all; max_memory of the load "
                        "options allows more",
                        (double)budget->refused / 1048576.0, (double)budget->limit / 1048576.0);
}

const char* cti_asset_folder(ctiRegion* region, const ctiCompiler* c, const char* dir) {
  const char *model_dir = cti_path_dir(region, c->file), *folder = dir ? dir : c->assetdir;
  return model_dir && folder ? cti_path_join(region, model_dir, folder) : model_dir;
}

const char* cti_asset_path(ctiRegion* region, const ctiCompiler* c, const ctiElement* e, const char* dir,
                           const char* file) {
  const char* folder = cti_asset_folder(region, c, dir);
  const char* path = folder ? cti_path_join(region, folder, c->strippath ? cti_path_base(file) : file) : NULL;
  bool included = e->where.file && c->file && !cti_text_equal(e->where.file, c->file);
  if (!path || !included || c->strippath || cti_file_exists(c->vfs, path)) return path;
  const char* own_dir = cti_path_dir(region, e->where.file);
  const char* nearby = own_dir ? cti_path_join(region, own_dir, file) : NULL;
  return nearby && cti_file_exists(c->vfs, nearby) ? nearby : path;
}

// ---- sizes of actuators

int cti_drive_controls(const ctiDrive* d) {
  if (d->gaintype == CT_GAIN_SO3) return d->ctrlspec == CTI_CHART_QUAT ? 4 : 3;
  if (d->gaintype != CT_GAIN_PID && d->gaintype != CT_GAIN_DCMOTOR) return 1;
  int n = 0;
  for (int bit = CTI_INPUT_POS; bit <= CTI_INPUT_VOLTAGE; bit <<= 1) n += (d->ctrlspec & bit) != 0;
  return n;
}

int cti_drive_motor_states(const ctiDrive* d) {
  return (d->dynprm[7] > 0) + (d->gainprm[5] > 0) + (d->dynprm[2] > 0) + (d->dynprm[5] > 0) +
         (d->dynprm[0] > 0);
}

int cti_drive_states(const ctiDrive* d) {
  switch (d->dyntype) {
    case CT_DYN_NONE: return 0;
    case CT_DYN_PID: return (d->gainprm[0] > 0) + (d->dynprm[1] > 0);
    case CT_DYN_DCMOTOR: return cti_drive_motor_states(d);
    default: return d->gaintype == CT_GAIN_SO3 ? 3 : 1;
  }
}

int cti_activation_count(const ctiActuator* a) {
  return a->shortcut == CTI_SHORTCUT_GENERAL && a->actdim >= 0 ? a->actdim : cti_drive_states(&a->drive);
}

// ---- remarks

void cti_remark(const ctSpec* spec, ctLogLevel level, const ctiElement* e, const char* format, ...) {
  if (!spec->log.write) return;
  char what[512], line[1024];
  va_list args;
  va_start(args, format);
  cti_vformat(what, sizeof(what), format, args);
  va_end(args);
  ctError err = {0};
  cti_spec_error(&err, CT_ERR_INVALID, e, "%s", what);
  ct_error_format(&err, line, sizeof(line));
  spec->log.write(spec->log.context, level, line);
}
