#include "base/alloc.h"
#include "compile/simplify.h"

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
