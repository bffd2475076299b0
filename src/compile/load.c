#include <string.h>

#include "base/files.h"
#include "base/kinds.h"
#include "compile/build.h"
#include "corten/model.h"
#include "data/data.h"
#include "mjcf/read.h"
#include "mjcf/write.h"
#include "model/binary.h"
#include "spec/spec.h"

// ---- models

// The compiler knows what actuators and sensors are made of.
static ctStatus load_binary(ctModel** out, const char* bytes, size_t size, const char* file,
                            const ctLoadOptions* opt, ctError* err) {
  ctiBudget budget = cti_budget(opt ? opt->max_memory : 0);
  cti_budget_earn(&budget, size);
  CT_TRY(cti_model_from_binary(out, bytes, size, file, budget.limit, opt ? opt->allocator : NULL, err));
  (*out)->max_arena = opt ? opt->max_arena : 0;
  char why[300];
  const char* plugins = cti_plugin_resolve(*out, opt ? opt->plugins : NULL,
                                           opt && opt->plugins ? opt->nplugin : 0, why, sizeof(why));
  if (plugins) {
    ct_model_free(*out);
    *out = NULL;
    return cti_error_at(err, CT_ERR_UNSUPPORTED, file, 0, 0, NULL, "%s", plugins);
  }
  const char* refused = cti_refused_option(&(*out)->opt);
  if (refused) {
    ct_model_free(*out);
    *out = NULL;
    return cti_error_at(err, CT_ERR_UNSUPPORTED, file, 0, 0, NULL, "%s", refused);
  }
  ctiLargest largest = {0};
  int64_t data = cti_data_measure(*out, &largest);
  const char* wrong = (uint64_t)data > budget.limit ? largest.name : cti_check_devices(*out);
  if (!wrong) return CT_OK;
  ct_model_free(*out);
  *out = NULL;
  return cti_error_at(err, CT_ERR_INVALID, file, 0, 0, NULL, "this binary model is damaged: field %s", wrong);
}

ctStatus ct_model_check(const ctModel* m, ctError* err) {
  if (!m) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_check: m must not be NULL");
  const char* wrong = cti_model_check(m);
  if (!wrong) wrong = cti_check_devices(m);
  return wrong ? cti_error(err, CT_ERR_INVALID, "field %s refers to what is not there", wrong) : CT_OK;
}

// Bytes of a model in either form; `file` names them in messages, NULL for text in memory.
static ctStatus load(ctModel** out, const char* bytes, size_t size, const char* file,
                     const ctLoadOptions* opt, ctError* err) {
  if (cti_model_is_binary(bytes, size)) {
    return load_binary(out, bytes, size, file ? file : "<string>", opt, err);
  }
  ctSpec* spec;
  CT_TRY(cti_mjcf_parse(&spec, bytes, size, file, opt, NULL, err));
  ctStatus status = ct_model_compile(out, spec, err);
  ct_spec_free(spec);
  return status;
}

ctStatus ct_model_load(ctModel** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load: out and path must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiFile file;
  CT_TRY(cti_file_read(&file, opt ? opt->vfs : NULL, path, opt ? opt->max_file_size : 0, allocator, err));
  ctStatus status = load(out, file.data, file.size, path, opt, err);
  cti_file_release(&file, allocator);
  return status;
}

ctStatus ct_model_load_string(ctModel** out, const char* text, size_t len, const ctLoadOptions* opt,
                              ctError* err) {
  if (!out || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load_string: out and text must not be NULL");
  *out = NULL;
  return load(out, text, len, NULL, opt, err);
}

ctStatus ct_model_load_bytes(ctModel** out, const void* bytes, size_t size, const ctLoadOptions* opt,
                             ctError* err) {
  if (!out || !bytes)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load_bytes: out and bytes must not be NULL");
  *out = NULL;
  return load_binary(out, bytes, size, "<bytes>", opt, err);
}

// ---- specs

static ctStatus no_source(const char* path, ctError* err) {
  return cti_error_at(err, CT_ERR_UNSUPPORTED, path, 0, 0, NULL,
                      "this is a compiled model, which has no source: use the MJCF file it was made from, "
                      "or load the model and call ct_spec_from_model()");
}

ctStatus ct_spec_load(ctSpec** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load: out and path must not be NULL");
  *out = NULL;
  const ctAllocator* allocator = opt ? opt->allocator : NULL;
  ctiFile file;
  CT_TRY(cti_file_read(&file, opt ? opt->vfs : NULL, path, opt ? opt->max_file_size : 0, allocator, err));
  ctStatus status = cti_model_is_binary(file.data, file.size)
                        ? no_source(path, err)
                        : cti_mjcf_parse(out, file.data, file.size, path, opt, NULL, err);
  cti_file_release(&file, allocator);
  return status;
}

ctStatus ct_spec_load_string(ctSpec** out, const char* text, size_t len, const ctLoadOptions* opt,
                             ctError* err) {
  if (!out || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_load_string: out and text must not be NULL");
  *out = NULL;
  return cti_mjcf_parse(out, text, len, NULL, opt, NULL, err);
}

// The text of a spec; it is compiled where only that knows some of the numbers.
static ctStatus write_spec(ctiOut* out, ctiRegion* region, const ctSpec* spec, const char* folder,
                           ctError* err) {
  bool needed;
  ctModel* model = NULL;
  CT_TRY(cti_mjcf_needs_model(&needed, region, spec, err));
  if (needed) CT_TRY(ct_model_compile(&model, spec, err));
  ctStatus status = cti_mjcf_write(out, region, spec, folder, model, err);
  ct_model_free(model);
  return status;
}

ctStatus ct_spec_save_string(const ctSpec* spec, const char* folder, char* buffer, size_t size,
                             size_t* length, ctError* err) {
  if (length) *length = 0;
  if (!spec || (!buffer && size > 0))
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_save_string: spec and buffer must not be NULL");
  ctiRegion* region = cti_region_create(&spec->allocator);
  ctiOut out = {0};
  ctStatus status = region ? write_spec(&out, region, spec, folder, err) : cti_error_memory(err);
  if (status == CT_OK) {
    if (length) *length = out.length;
    size_t n = out.length < size ? out.length : size - 1;
    if (size > 0) {
      memcpy(buffer, out.data, n);
      buffer[n] = 0;
    }
  }
  cti_region_free(region);
  return status;
}

ctStatus ct_spec_save(const ctSpec* spec, const char* path, ctError* err) {
  if (!spec || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_save: spec and path must not be NULL");
  ctiRegion* region = cti_region_create(&spec->allocator);
  const char* folder = region ? cti_path_dir(region, path) : NULL;
  ctiOut out = {0};
  ctStatus status = folder ? write_spec(&out, region, spec, folder, err) : cti_error_memory(err);
  if (status == CT_OK) status = ct_file_write(path, out.data, out.length, err);
  cti_region_free(region);
  return status;
}
