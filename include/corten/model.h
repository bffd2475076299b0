// The compiled model: immutable while it is simulated, shared by any number of threads and data.
#pragma once

#include "corten/error.h"
#include "corten/types.h"
#include "corten/vfs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ctModel;
struct ctData;

/// What the program around the engine computes: functions for sensors and actuators of kind `user`, written
/// to a model before it is simulated. Without one, sensors keep their numbers, rates and biases are 0 and
/// gains 1. They are called inside a step, from every thread that steps with the model, and may read
/// everything that was computed before; `d->user` tells one simulation from another. Not saved in files; a
/// batch on the GPU refuses a model that has them.
typedef struct ctCallbacks {
  void* context;  // handed to each

  // Write the numbers of a sensor (m->sensor_dim[sensor]), at the end of the stage it names.
  void (*sensor)(void* context, const struct ctModel* m, const struct ctData* d, int sensor, ctReal* out);
  // Write the rates of an actuator's activations (m->actuator_actnum[actuator]).
  void (*dyn)(void* context, const struct ctModel* m, const struct ctData* d, int actuator, ctReal* act_dot);
  // Force per activation or control, and the force beside it.
  ctReal (*gain)(void* context, const struct ctModel* m, const struct ctData* d, int actuator);
  ctReal (*bias)(void* context, const struct ctModel* m, const struct ctData* d, int actuator);
} ctCallbacks;

/// A compiled model. All arrays live in one block that starts with this struct. Names, shapes and meaning
/// of the arrays are MuJoCo's; the lists are in corten/fields/.
typedef struct ctModel {
#define X(type, name) type name;
#include "corten/fields/model_sizes.def"
#undef X
  ctBool flg_gravcomp;    // some body has gravity compensation
  ctBool flg_surfacevel;  // some geom has a surface velocity
  ctBool flg_adhesion;    // some geom or pair is adhesive
  ctOption opt;
  ctVisual vis;
  ctStatistic stat;
#define X(type, name, rows, cols) type* name;
#include "corten/fields/model.def"
#undef X
#define X(type, name, rows, cols) type* name;
#include "corten/fields/model_plan.def"
#undef X
  ctCallbacks user;       // of the program around the engine, none at first
  uint64_t signature;     // of the source the model was compiled from
  ctAllocator allocator;  // what the model, and every data made from it, was allocated with
} ctModel;

/// How to load a model. Zero-initialise it; a NULL pointer to options means all zero.
typedef struct ctLoadOptions {
  const ctAllocator* allocator;  // NULL: the C library's heap. Copied into the model
  const ctVfs* vfs;              // NULL: disk only. Files looked up here first; only read
  const ctLog* log;              // NULL: remarks are dropped
  size_t max_file_size;          // bytes of one input file, 0: 1 GiB
  int max_depth;                 // nesting of elements, 0: 1,000
} ctLoadOptions;

/// Load a model file; its kind (MJCF, binary) is recognised by its content.
///
/// @param out   receives the model; release it with ct_model_free(). NULL on failure
/// @param path  file name, looked up in opt->vfs and then on disk; not NULL
/// @param opt   may be NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_NOT_FOUND, CT_ERR_IO, CT_ERR_SYNTAX, CT_ERR_INVALID,
///         CT_ERR_UNSUPPORTED, CT_ERR_LIMIT or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_model_load(ctModel** out, const char* path, const ctLoadOptions* opt, ctError* err);

/// The same from text in memory (`len` bytes, no terminator needed). Messages call it "<string>".
CT_API ctStatus ct_model_load_string(ctModel** out, const char* text, size_t len, const ctLoadOptions* opt,
                                     ctError* err);

/// Release a model. NULL is allowed. Every data made from it must have been freed before.
CT_API void ct_model_free(ctModel* m);

/// Copy a model with the same allocator.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
/// @note Thread-safe while nobody writes to `m`.
CT_API ctStatus ct_model_copy(ctModel** out, const ctModel* m, ctError* err);

/// Compute again what follows from masses, inertias, armatures, positions and gears at the reference
/// configuration, after they were changed in a model: masses of subtrees, inverse weights, lengths,
/// strengths. Damping ratios, spring lengths and equality anchors keep the numbers they were given at
/// compilation.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
/// @note Nobody else may use the model meanwhile.
CT_API ctStatus ct_model_update(ctModel* m, ctError* err);

/// Id of the object of a type with a name, -1 when there is none. Thread-safe.
CT_API int ct_model_name2id(const ctModel* m, ctObjType type, const char* name);

/// Name of an object, NULL when the id is out of range or the object has no name. The text belongs to
/// the model. Thread-safe.
CT_API const char* ct_model_id2name(const ctModel* m, ctObjType type, int id);

/// Number of objects of a type, 0 for types that are not stored in a model. Thread-safe.
CT_API int ct_model_count(const ctModel* m, ctObjType type);

/// Find a size, scalar or array of the model by name ("nq", "body_mass", "opt.timestep", "stat.center",
/// "vis.map.znear").
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_NOT_FOUND
/// @note Thread-safe.
CT_API ctStatus ct_model_field(const ctModel* m, const char* name, ctField* out);

/// Number of fields ct_model_field() knows, and the name of each (NULL out of range). Static. Thread-safe.
CT_API int ct_model_field_count(void);
CT_API const char* ct_model_field_name(int i);

/// First field in which two models differ, NULL when they are bitwise equal (padding and signature
/// aside). Thread-safe.
CT_API const char* ct_model_compare(const ctModel* a, const ctModel* b);

/// Write a model in binary form, which ct_model_load() reads back. Returns the bytes it takes; `buffer` is
/// written only when `size` is at least that. `buffer` may be NULL; 0 when `m` is NULL. Thread-safe.
CT_API size_t ct_model_save(const ctModel* m, void* buffer, size_t size);

/// Everything in a model as readable text: names, then field by field. Returns the length the whole text has,
/// as snprintf does; writes at most `size` bytes with a zero at the end. `buffer` may be NULL when `size` is
/// 0. Thread-safe.
CT_API size_t ct_model_print(const ctModel* m, char* buffer, size_t size);

/// Bytes of the model's block. Thread-safe.
CT_API size_t ct_model_bytes(const ctModel* m);

#ifdef __cplusplus
}
#endif
