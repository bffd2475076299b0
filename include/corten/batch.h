/// @file
/// Many worlds of one model, stepped together on the threads of the CPU or on a GPU. The code that steps a
/// world is the one that steps a single data: every feature, the same bits, whatever the number of worlds and
/// threads.
///
///   ctBatch* batch;
///   ct_batch_create(&batch, model, 1000, NULL, &err);
///   ct_batch_output(batch, "sensordata", &err);
///   for (...) {
///     ct_batch_set(batch, "ctrl", NULL, 0, ctrl, &err);        // nworld x nu numbers
///     ct_batch_step(batch, 5, &err);
///     ct_batch_get(batch, "sensordata", NULL, 0, out, &err);   // nworld x nsensordata numbers
///   }
///
/// A batch stores the state of each world. All else that a step computes lives in a ctData of the thread that
/// runs the world, and is lost unless ct_batch_output() made it an output. Arrays that calls read or write
/// have a row for each world, or for each id.
///
/// A child of fork() has the batch, but none of its threads: there worlds are stepped by the caller alone,
/// with the same bits, and ct_batch_free() works. No call may be under way in another thread while the
/// process forks, and a batch on a GPU must not be used in the child at all: make one there.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Many worlds. Opaque; belongs to one thread at a time.
typedef struct ctBatch ctBatch;

/// Where worlds are stepped.
typedef enum ctBackend {
  CT_BACKEND_AUTO,  ///< the GPU when there is one that can take the model in the precision, the CPU otherwise
  CT_BACKEND_CPU,   ///< threads of the CPU
  CT_BACKEND_CUDA   ///< a GPU
} ctBackend;

/// Floating-point precision of the worlds. On the CPU it is that of the library, on a GPU it can be either.
typedef enum ctPrecision {
  CT_PRECISION_AUTO,    ///< the library's own; single where CT_BACKEND_CUDA is asked for by name
  CT_PRECISION_SINGLE,  ///< float
  CT_PRECISION_DOUBLE   ///< double
} ctPrecision;

/// How to make a batch. Zero-initialise it; a NULL pointer to options means all zero.
typedef struct ctBatchOptions {
  ctBackend backend;      ///< where to step
  ctPrecision precision;  ///< never changed silently: a backend that does not have it is not taken
  int threads;            ///< CPU: 0 for as many as there are processors
  int device;             ///< CUDA: number of the GPU
  void* stream;           ///< CUDA: a cudaStream_t to work on, NULL for one of its own
  int first_world;  ///< number of the first world, where a batch is a part of a larger one: noise goes by it
  bool reset_bad;   ///< a world that diverges starts again, from the default state
  bool reset_to_key;  ///< ... from keyframe `reset_key` instead
  int reset_key;      ///< looked at only with `reset_to_key`
} ctBatchOptions;

/// What a batch is and takes.
typedef struct ctBatchInfo {
  ctBackend backend;       ///< the one in use, never CT_BACKEND_AUTO
  int nworld;              ///< number of worlds
  int threads;             ///< CPU: threads
  int device;              ///< number of the GPU; -1 on the CPU
  int real_bytes;          ///< 8 or 4: precision of the worlds
  size_t bytes_per_world;  ///< state, outputs, values of its own
  size_t bytes;            ///< all of it, with the workspaces
  char device_name[64];    ///< of the GPU; empty on the CPU
} ctBatchInfo;

/// Where the time of steps goes, and on what.
typedef struct ctBatchProfile {
  ctTimerStat timer[CT_TIMER_COUNT];  ///< seconds by stage as in ctData.timer, for how many steps of a world
  int lanes;           ///< threads that run a world; worlds that have one thread have no stages on a GPU
  int processors;      ///< CPU: threads; GPU: multiprocessors
  int resident;        ///< worlds at a time on one of them, in the kernel of the solver; 0: threads of a GPU
  double hertz;        ///< clock of the GPU; 0 on the CPU
  size_t step_bytes;   ///< memory of the GPU that a world takes while it is stepped; 0 on the CPU
  size_t array_bytes;  ///< of that, for arrays of the model's size
  size_t arena_bytes;  ///< most that contacts, constraint rows and scratch of a world have taken of it
} ctBatchProfile;

/// Memory of a batch as it is: of the host, or of a GPU. Strides are in numbers, not bytes.
typedef struct ctBatchView {
  void* data;         ///< the first number
  int device;         ///< -1 for the host
  int real_bytes;     ///< 8 or 4
  int64_t shape[2];   ///< worlds, numbers of each
  int64_t stride[2];  ///< from world to world, from number to number
} ctBatchView;

/// Create worlds of a model, all at its default state.
/// @param out     receives the batch; release it with ct_batch_free() before the model. NULL on failure
/// @param m       not NULL; only read, must outlive the batch
/// @param nworld  at least 1; the memory is checked before
/// @param opt     may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_UNSUPPORTED (no GPU, no library for it, a model it cannot take, a
///         precision that the CPU does not have),
///         CT_ERR_LIMIT (the memory would not suffice; the message says for how many it would) or
///         CT_ERR_MEMORY
CT_API ctStatus ct_batch_create(ctBatch** out, const ctModel* m, int nworld, const ctBatchOptions* opt,
                                ctError* err);

/// Release a batch. NULL is allowed.
CT_API void ct_batch_free(ctBatch* b);

/// What a batch is and takes, into `info`.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_batch_info(const ctBatch* b, ctBatchInfo* info);

/// Advance all worlds by `n` steps with constant inputs, then gather the outputs.
///
/// On the CPU the call returns when the work is done. On a GPU it returns when the work is queued: trouble of
/// the worlds is not known then, ct_batch_status() waits for it, and a device that is lost may show in a
/// later call.
///
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY, CT_ERR_IO (the device is lost); on the CPU also the first
///         trouble of the world with the lowest number
CT_API ctStatus ct_batch_step(ctBatch* b, int n, ctError* err);

/// Advance all worlds by `n` steps as ct_batch_step() does, with the same results, and measure the time of
/// every stage. Waiting for each stage takes longer. Returns when the work is done.
/// @param out  receives the times: on the CPU those of all threads together. Not NULL
/// @return as ct_batch_step(), and the first trouble of the world with the lowest number on a GPU, too
CT_API ctStatus ct_batch_profile(ctBatch* b, int n, ctBatchProfile* out, ctError* err);

/// Compute everything of the current states without advancing, then gather the outputs. Returns as
/// ct_batch_step() does.
CT_API ctStatus ct_batch_forward(ctBatch* b, ctError* err);

/// Advance all worlds by `nstep` steps, each with its own controls, and record the outputs of every step.
/// @param ctrl  nworld x nstep x nu numbers, NULL to leave the controls as they are
/// @param out   nworld x nstep x (all outputs in the order of their registration) numbers, may be NULL
CT_API ctStatus ct_batch_rollout(ctBatch* b, int nstep, const ctReal* ctrl, ctReal* out, ctError* err);

/// Reset worlds to the default state, or to keyframe `key` when it is not negative.
/// @param ids  the worlds, NULL for all; each at most once
/// @return CT_OK or CT_ERR_ARGUMENT (no such keyframe or world, a world twice: then nothing is changed)
CT_API ctStatus ct_batch_reset(ctBatch* b, const int* ids, int nids, int key, ctError* err);

/// Reset the worlds whose byte in `mask` (nworld bytes) is not 0, as ct_batch_reset() does.
CT_API ctStatus ct_batch_reset_mask(ctBatch* b, const ctByte* mask, int key, ctError* err);

/// Read a part of the state ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied",
/// "mocap_pos", "time", ...), the whole of it ("state", as CT_STATE_INTEGRATION), or values of the worlds'
/// models, or an output. A field of the data that is no output yet becomes one, computed for the current
/// state.
/// @param ids     worlds to read, NULL for all; each at most once
/// @param values  receives a row for each of them; never NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_NOT_FOUND, CT_ERR_INVALID (not made of numbers, or of another size
/// in
///         every step), CT_ERR_MEMORY or CT_ERR_IO (the GPU is lost: every call says so from then on, other
///         batches go on); then nothing is changed
CT_API ctStatus ct_batch_get(ctBatch* b, const char* name, const int* ids, int nids, ctReal* values,
                             ctError* err);

/// Write a part of the state, the whole of it, or values of the worlds' models, by the names of
/// ct_batch_get(). Outputs cannot be written: CT_ERR_INVALID.
/// @param ids     worlds to write, NULL for all; each at most once
/// @param values  a row for each of them; never NULL
/// @return as ct_batch_get(); then nothing is changed
CT_API ctStatus ct_batch_set(ctBatch* b, const char* name, const int* ids, int nids, const ctReal* values,
                             ctError* err);

/// Numbers a world has of a part of the state, an output, a field of the data or a real field of the model;
/// -1 for unknown names.
CT_API int ct_batch_width(const ctBatch* b, const char* name);

/// Gather a field of the data ("sensordata", "xpos", "ncon", ...) after each step. Nothing happens when it is
/// an output already.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_NOT_FOUND, CT_ERR_INVALID (its size changes from step to step) or
///         CT_ERR_MEMORY
CT_API ctStatus ct_batch_output(ctBatch* b, const char* name, ctError* err);

/// Name of an output, in the order of their registration; NULL out of range. It belongs to the batch. Some
/// are registered by ct_batch_get().
CT_API const char* ct_batch_output_name(const ctBatch* b, int i);

/// Name of a field of the model that every world has its own values of, in the order of their registration by
/// ct_batch_vary() and ct_batch_update(); NULL out of range. It belongs to the batch.
CT_API const char* ct_batch_values_name(const ctBatch* b, int i);

/// Give every world its own values of a real field of the model ("body_mass", "geom_friction", "opt.gravity",
/// ...), which start as those of the model and are written with ct_batch_set(). What depends on them follows
/// with ct_batch_update().
CT_API ctStatus ct_batch_vary(ctBatch* b, const char* name, ctError* err);

/// Switch the noise of sensors on or off in all worlds; it is off at first. World `w` gets the noise that
/// ct_data_set_noise() gives to world `w`. A reset keeps the setting, ct_batch_save_bytes() does not hold it.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_IO (the GPU is lost)
CT_API ctStatus ct_batch_set_noise(ctBatch* b, bool on, uint32_t seed, ctError* err);

/// Update the constants that follow from the values of every world, as ct_model_update() does.
CT_API ctStatus ct_batch_update(ctBatch* b, ctError* err);

/// The memory of a part of the state, of an output or of values of the worlds' models, without a copy. Valid
/// until ct_batch_free(); on a GPU, outputs and values until the next call of ct_batch_output(),
/// ct_batch_vary() or ct_batch_update() too. Work on memory of a GPU belongs on the batch's stream, or after
/// ct_batch_sync().
CT_API ctStatus ct_batch_view(ctBatch* b, const char* name, ctBatchView* view, ctError* err);

/// The first trouble of each world since its last reset (nworld numbers, ctStatus). The array belongs to the
/// batch and is brought up to date by this call. NULL for a NULL batch or a GPU that is lost.
CT_API const int* ct_batch_status(ctBatch* b);

/// The warnings a world has counted since its last reset (CT_WARN_COUNT of them, by ctWarningType). The array
/// belongs to the batch and is brought up to date by this call. NULL for a NULL batch, a world that is not
/// there, or a GPU that is lost.
CT_API const ctWarningStat* ct_batch_warnings(ctBatch* b, int world);

/// Write everything that makes the worlds go on bit for bit, in binary form. Returns the bytes it takes;
/// `buffer` is written only when `size` is at least that. `buffer` may be NULL; 0 for a NULL batch or a GPU
/// that is lost.
CT_API size_t ct_batch_save_bytes(ctBatch* b, void* buffer, size_t size);

/// Restore the worlds that ct_batch_save_bytes() wrote; they continue bit for bit.
/// @param b      with the same model, number of worlds, outputs and values as the batch that was saved
/// @param bytes  not NULL; copied
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or of another batch: then nothing is changed) or CT_ERR_IO (the GPU
///         is lost)
CT_API ctStatus ct_batch_load_bytes(ctBatch* b, const void* bytes, size_t size, ctError* err);

/// Write `count` worlds from `first` on as records of one size without a head: for moving worlds from one
/// batch to another, and for files that several batches share. Returns the bytes they take, as
/// ct_batch_save_bytes() does; 0 also when there are no such worlds.
CT_API size_t ct_batch_save_worlds(ctBatch* b, int first, int count, void* buffer, size_t size);

/// Restore `count` worlds from `first` on from records that ct_batch_save_worlds() wrote.
/// @param b      with the same model, outputs and values as the batch they come from
/// @param bytes  not NULL; as many as ct_batch_save_worlds() takes for `count`
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_IO (the GPU is lost)
CT_API ctStatus ct_batch_load_worlds(ctBatch* b, int first, int count, const void* bytes, size_t size,
                                     ctError* err);

/// Compute a hash of the states of all worlds, bit for bit. It is a sum over the worlds, each hashed with its
/// number, counted from `first_world` of the options: the hashes of parts of a larger batch add up to that of
/// the whole.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_IO (the GPU is lost)
CT_API ctStatus ct_batch_hash(ctBatch* b, uint64_t* out, ctError* err);

/// ct_batch_save_bytes() to a file.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL), CT_ERR_MEMORY or CT_ERR_IO
CT_API ctStatus ct_batch_save(ctBatch* b, const char* path, ctError* err);

/// ct_batch_load_bytes() from a file.
/// @return as ct_batch_load_bytes(), and CT_ERR_NOT_FOUND, CT_ERR_SYNTAX (empty), CT_ERR_LIMIT, CT_ERR_MEMORY
CT_API ctStatus ct_batch_load(ctBatch* b, const char* path, ctError* err);

/// Wait until the GPU has finished the work that was queued. On the CPU the call does nothing.
CT_API ctStatus ct_batch_sync(ctBatch* b, ctError* err);

#ifdef __cplusplus
}
#endif
