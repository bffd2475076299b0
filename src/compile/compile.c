#include "base/region.h"
#include "compile/build.h"

// The compiler, pass by pass.
static const struct {
  const char* name;
  ctStatus (*run)(ctiBuild* b);
} passes[] = {
    {"collect", cti_pass_collect},       {"support", cti_pass_support},
    {"frames", cti_pass_frames},         {"inertia", cti_pass_inertia},
    {"references", cti_pass_references}, {"tree", cti_pass_tree},
    {"allocate", cti_pass_allocate},     {"fill", cti_pass_fill},
    {"names", cti_pass_names},           {"sparsity", cti_pass_sparsity},
    {"bounds", cti_pass_bounds},         {"constants", cti_pass_constants},
    {"statistics", cti_pass_statistics},
};

ctStatus ct_model_compile(ctModel** out, const ctSpec* spec, ctError* err) {
  if (!out || !spec)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_model_compile: out and spec must not be NULL");
  *out = NULL;
  ctiBuild b = {.spec = spec, .err = err, .region = cti_region_create(&spec->allocator)};
  if (!b.region) return cti_error_memory(err);
  ctStatus status = CT_OK;
  for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]) && status == CT_OK; i++)
    status = passes[i].run(&b);
  cti_region_free(b.region);
  if (status != CT_OK) {
    ct_model_free(b.m);
    return status;
  }
  *out = b.m;
  return CT_OK;
}

ctStatus ct_model_load(ctModel** out, const char* path, const ctLoadOptions* opt, ctError* err) {
  if (!out) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load: out must not be NULL");
  *out = NULL;
  ctSpec* spec;
  CT_TRY(ct_spec_load(&spec, path, opt, err));
  ctStatus status = ct_model_compile(out, spec, err);
  ct_spec_free(spec);
  return status;
}

ctStatus ct_model_load_string(ctModel** out, const char* text, size_t len, const ctLoadOptions* opt,
                              ctError* err) {
  if (!out) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_load_string: out must not be NULL");
  *out = NULL;
  ctSpec* spec;
  CT_TRY(ct_spec_load_string(&spec, text, len, opt, err));
  ctStatus status = ct_model_compile(out, spec, err);
  ct_spec_free(spec);
  return status;
}
