// The editable model: read from a file, then compiled as often as one likes.
#pragma once

#include "corten/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model before compilation. Opaque; belongs to one thread at a time.
typedef struct ctSpec ctSpec;

/// An empty spec: a world without bodies.
/// @param out  receives the spec; release it with ct_spec_free(). NULL on failure
/// @param opt  may be NULL; allocator and log are taken over
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
CT_API ctStatus ct_spec_create(ctSpec** out, const ctLoadOptions* opt, ctError* err);

/// Read a model file without compiling it. Parameters and statuses as for ct_model_load().
CT_API ctStatus ct_spec_load(ctSpec** out, const char* path, const ctLoadOptions* opt, ctError* err);
CT_API ctStatus ct_spec_load_string(ctSpec** out, const char* text, size_t len, const ctLoadOptions* opt,
                                    ctError* err);

/// Release a spec and everything in it. NULL is allowed.
CT_API void ct_spec_free(ctSpec* spec);

/// Compile a spec into an immutable model.
///
/// The spec is only read and may be compiled again. On failure `*out` is NULL and `err` names the
/// element at fault.
///
/// @param out   receives the model; release it with ct_model_free()
/// @param spec  not NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID, CT_ERR_UNSUPPORTED, CT_ERR_NOT_FOUND or CT_ERR_MEMORY
CT_API ctStatus ct_model_compile(ctModel** out, const ctSpec* spec, ctError* err);

#ifdef __cplusplus
}
#endif
