// Spec -> text or file.
#include "mjcf/write.h"

#include <string.h>

#include "base/files.h"

// Some numbers are known to the compiler only: keyframes that came with attached models, inertia of parts
// with other settings.
static ctStatus compile_if_needed(ctiWriter* w) {
  bool needed = false;
  for (int i = 0; i < w->spec->keys.count; i++) needed = needed || w->spec->keys.data[i]->parts.count > 0;
  int n;
  ctiBody** bodies = cti_spec_bodies(w->spec->world, w->region, &n);
  if (!bodies) return cti_error_memory(w->err);
  for (int i = 0; i < n; i++) needed = needed || cti_write_explicit_inertia(w, bodies[i]);
  return needed ? ct_model_compile(&w->model, w->spec, w->err) : CT_OK;
}

static ctStatus write_all(ctiWriter* w) {
  CT_TRY(cti_write_choose_settings(w));
  CT_TRY(cti_write_choose_classes(w));
  CT_TRY(compile_if_needed(w));
  cti_write_begin(w, "mujoco");
  cti_write_text_attr(w, "model", w->spec->modelname);
  cti_write_settings(w);
  CT_TRY(cti_write_sections(w));
  cti_write_end(w, "mujoco");
  cti_out_text(&w->out, "\n");
  return w->out.failed ? cti_error_memory(w->err) : w->err->status;
}

ctStatus cti_mjcf_write(ctiOut* out, ctiRegion* region, const ctSpec* spec, const char* folder,
                        ctError* err) {
  ctError own = {0};
  ctiWriter w = {.spec = (ctSpec*)(uintptr_t)spec, .err = &own, .region = region, .out = {.region = region}};
  if (folder) {
    w.folder = cti_region_printf(region, folder[0] ? "%s/" : "%s", folder);
    if (!w.folder) return cti_error_memory(err);
  }
  ctStatus status = write_all(&w);
  ct_model_free(w.model);
  *out = w.out;
  if (status != CT_OK && err) *err = own;
  return status;
}

ctStatus ct_spec_write(const ctSpec* spec, const char* folder, char* buffer, size_t size, size_t* length,
                       ctError* err) {
  if (length) *length = 0;
  if (!spec || (!buffer && size > 0))
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_write: spec and buffer must not be NULL");
  ctiRegion* region = cti_region_create(&spec->allocator);
  ctiOut out = {0};
  ctStatus status = region ? cti_mjcf_write(&out, region, spec, folder, err) : cti_error_memory(err);
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
  ctStatus status = folder ? cti_mjcf_write(&out, region, spec, folder, err) : cti_error_memory(err);
  if (status == CT_OK) status = cti_file_write(path, out.data, out.length, err);
  cti_region_free(region);
  return status;
}
