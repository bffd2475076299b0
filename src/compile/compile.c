#include "base/alloc.h"
#include "base/files.h"
#include "compile/check_devices.h"
#include "compile/simplify.h"
#include "mjcf/load.h"
#include "model/binary.h"

// The compiler, pass by pass.
static const struct {
  const char* name;
  ctStatus (*run)(ctiBuild* b);
} passes[] = {
    {"collect", cti_pass_collect},
    {"support", cti_pass_support},
    {"frames", cti_pass_frames},
    {"meshes", cti_pass_meshes},
    {"hfields", cti_pass_hfields},
    {"inertia", cti_pass_inertia},
    {"align", cti_pass_align},
    {"tree", cti_pass_tree},
    {"references", cti_pass_references},
    {"contacts", cti_pass_contacts},
    {"tendons", cti_pass_tendons},
    {"actuators", cti_pass_actuators},
    {"skins", cti_pass_skins},
    {"textures", cti_pass_textures},
    {"sensors", cti_pass_sensors},
    {"allocate", cti_pass_allocate},
    {"fill", cti_pass_fill},
    {"fluid", cti_pass_fluid},
    {"fill scene", cti_pass_fill_scene},
    {"fill constraints", cti_pass_fill_constraints},
    {"fill tendons", cti_pass_fill_tendons},
    {"fill textures", cti_pass_fill_textures},
    {"fill hfields", cti_pass_fill_hfields},
    {"fill skins", cti_pass_fill_skins},
    {"fill sensors", cti_pass_fill_sensors},
    {"fill custom", cti_pass_fill_custom},
    {"names", cti_pass_names},
    {"sparsity", cti_pass_sparsity},
    {"bounds", cti_pass_bounds},
    {"fill meshes", cti_pass_fill_meshes},
    {"fill paths", cti_pass_fill_paths},
    {"constants", cti_pass_constants},
    {"statistics", cti_pass_statistics},
    {"length ranges", cti_pass_length_ranges},
    {"keyframes", cti_pass_keyframes},
    {"remarks", cti_pass_remarks},
};

ctStatus cti_run_passes_to(ctiBuild* b, const char* last) {
  for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
    CT_TRY(passes[i].run(b));
    if (cti_text_equal(passes[i].name, last)) break;
  }
  return CT_OK;
}

ctStatus ct_model_compile(ctModel** out, const ctSpec* spec, ctError* err) {
  if (!out || !spec)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_compile: out and spec must not be NULL");
  *out = NULL;
  ctSpec* simpler;
  CT_TRY(cti_simplified(&simpler, spec, err));
  ctiBuild b = {.spec = simpler ? simpler : spec, .err = err, .region = cti_region_create(&spec->allocator)};
  ctStatus status = b.region ? cti_run_passes_to(&b, NULL) : cti_error_memory(err);
  cti_region_free(b.region);
  ct_spec_free(simpler);
  if (status != CT_OK) {
    ct_model_free(b.m);
    return status;
  }
  *out = b.m;
  return CT_OK;
}

// The compiler knows what actuators and sensors are made of.
static ctStatus load_binary(ctModel** out, const char* bytes, size_t size, const char* file,
                            const ctAllocator* allocator, ctError* err) {
  CT_TRY(cti_model_from_binary(out, bytes, size, file, allocator, err));
  const char* wrong = cti_check_devices(*out);
  if (!wrong) return CT_OK;
  ct_model_free(*out);
  *out = NULL;
  return cti_error_at(err, CT_ERR_INVALID, file, 0, 0, NULL, "this binary model is damaged: field %s", wrong);
}

// Bytes of a model in either form; `file` names them in messages, NULL for text in memory.
static ctStatus load(ctModel** out, const char* bytes, size_t size, const char* file,
                     const ctLoadOptions* opt, ctError* err) {
  if (cti_model_is_binary(bytes, size)) {
    return load_binary(out, bytes, size, file ? file : "<string>", opt ? opt->allocator : NULL, err);
  }
  ctSpec* spec;
  CT_TRY(cti_spec_parse(&spec, bytes, size, file, opt, err));
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
