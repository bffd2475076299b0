// The state of one simulation and everything computed from it.
#pragma once

#include "corten/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ctiThreads;

/// One simulation. Belongs to one thread at a time. Inputs (qpos, qvel, ctrl, ...) may be written between
/// calls, everything else is output. The arrays in `arena` (contact, efc_*, ...) are valid until the next
/// call that computes positions.
typedef struct ctData {
#define X(type, name) type name;
#include "corten/fields/data_sizes.def"
#undef X
  ctBool flg_energypos;   // energy[0] is current
  ctBool flg_energyvel;   // energy[1] is current
  ctBool flg_subtreevel;  // subtree_linvel, subtree_angmom are current
  ctBool flg_rnepost;     // cacc, cfrc_int, cfrc_ext are current
  ctReal time;
  ctReal energy[2];  // potential, kinetic
#define X(type, name, rows, cols) type* name;
#include "corten/fields/data.def"
#include "corten/fields/data_arena.def"
#undef X
  // solver report
  ctSolverStat* solver;  // CT_NISLAND rows of CT_NSOLVER iterations; NULL in worlds of a batch
  int solver_niter[CT_NISLAND];
  int solver_nnz[CT_NISLAND];  // elements of the matrix the solver works on: factor (Newton), J (CG), AR
                               // (PGS)
  ctReal solver_fwdinv[2];
  // trouble and time
  ctWarningStat warning[CT_WARN_COUNT];
  ctTimerStat timer[CT_TIMER_COUNT];
  double (*now)(void);         // clock for `timer`, such as ct_clock; NULL (the default) measures nothing
  void* user;                  // of the program around the engine, which never reads it; kept by a reset
  struct ctiThreads* threads;  // of ct_data_set_threads(), NULL for none
  // noise of sensors: see ct_data_set_noise
  ctBool noise;
  uint32_t noise_seed, noise_world;
  // arena: arrays grow up from the bottom, scratch grows down from the top
  ctByte* arena;
  size_t narena;        // bytes of the arena
  size_t parena;        // bytes used by arrays
  size_t pstack;        // bytes used by scratch
  size_t arena_wanted;  // bytes a full arena would have needed; it grows to that, and the step is taken again
  const char* arena_full;  // who last asked for more than there was; NULL if nobody
  size_t maxuse_arena;     // most bytes ever used, both ends together
  ctBool arena_fixed;      // never grow, drop contacts instead: for hosts that forbid heap calls
  size_t nbuffer;          // bytes of this struct with its fixed arrays
  ctAllocator allocator;   // the model's
} ctData;

/// Create the data of a model, at its default state.
/// @param out  receives the data; release it with ct_data_free() before the model. NULL on failure
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_data_create(ctData** out, const ctModel* m, ctError* err);

/// Release a data. NULL is allowed. `m` must be the model it was created from.
CT_API void ct_data_free(ctData* d);

/// Back to the default state: time 0, qpos0, everything else zero.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_reset(const ctModel* m, ctData* d);

/// Back to a keyframe.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or no such keyframe: then nothing is changed)
CT_API ctStatus ct_data_reset_keyframe(const ctModel* m, ctData* d, int key);

/// Copy everything but the arena arrays, which are computed anew by the next call that needs them.
/// @return CT_OK, CT_ERR_ARGUMENT (different sizes)
CT_API ctStatus ct_data_copy(const ctModel* m, ctData* to, const ctData* from);

/// Let threads solve the islands of a step: `count` in all, the caller included; 1 (the default) for none, 0
/// for as many as there are processors. The result has the same bits for any number. They are not copied by
/// ct_data_copy() and end with the data.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_LIMIT (the system has no more) or CT_ERR_MEMORY; on failure there
/// are none
CT_API ctStatus ct_data_set_threads(ctData* d, int count, ctError* err);

/// Number of reals in the parts of the state chosen by `which` (ctState bits), -1 for unknown bits.
CT_API int ct_data_state_size(const ctModel* m, unsigned which);

/// Write the chosen parts of the state to `state`, or read them from it, in the order of the bits.
/// Restoring CT_STATE_INTEGRATION continues a simulation bit for bit.
/// @return CT_OK, CT_ERR_ARGUMENT, or CT_ERR_INVALID (setting: a number is not finite); on failure nothing is
///         changed
CT_API ctStatus ct_data_get_state(const ctModel* m, const ctData* d, ctReal* state, unsigned which);
CT_API ctStatus ct_data_set_state(const ctModel* m, ctData* d, const ctReal* state, unsigned which);

/// Copy the chosen parts of the state between two data of a model, bit for bit.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, different sizes, unknown bits: then nothing is changed)
CT_API ctStatus ct_data_copy_state(const ctModel* m, ctData* to, const ctData* from, unsigned which);

/// Take parts out of a state vector: `from` holds the parts `from_which`, `to` receives those in `to_which`.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, unknown bits, or `to_which` has parts that `from_which` lacks)
/// @note Thread-safe.
CT_API ctStatus ct_state_extract(const ctModel* m, const ctReal* from, unsigned from_which, ctReal* to,
                                 unsigned to_which);

/// Write the whole state in a form that ct_data_load() reads back: all parts, with a head that knows the
/// format, the byte order, the precision and the model, and a checksum. Returns the bytes it takes; `buffer`
/// is written only when `size` is at least that. `buffer` may be NULL; 0 when `m` or `d` is.
CT_API size_t ct_data_save(const ctModel* m, const ctData* d, void* buffer, size_t size);

/// Read a state that ct_data_save() wrote, of the same model in the same precision; bit for bit. What the
/// parts mean has to agree (sizes, tree, joints, names); masses and other numbers of the model may differ.
/// @param err  diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_SYNTAX (damaged, cut short, or no state at all), CT_ERR_INVALID (of
///         another model, or with numbers that are not finite), CT_ERR_UNSUPPORTED (other version, byte
///         order or precision) or CT_ERR_MEMORY; on failure `d` is not changed
CT_API ctStatus ct_data_load(const ctModel* m, ctData* d, const void* bytes, size_t size, ctError* err);

/// The same to and from a file, usually called *.cts. Also CT_ERR_IO and CT_ERR_NOT_FOUND.
CT_API ctStatus ct_data_save_file(const ctModel* m, const ctData* d, const char* path, ctError* err);
CT_API ctStatus ct_data_load_file(const ctModel* m, ctData* d, const char* path, ctError* err);

/// Make the current state a keyframe of the model, in the place of keyframe `key`; ct_data_reset_keyframe()
/// brings it back.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or no such keyframe: then nothing is changed)
/// @note Nobody else may be using the model.
CT_API ctStatus ct_model_set_keyframe(ctModel* m, const ctData* d, int key);

/// What an actuator's controls, or a sensor, were at `time` minus its delay, from its history; the present
/// numbers where it has none.
/// @param interp  0 holds, 1 lines, 2 cubics between samples, -1 what the model says
/// @param out     receives actuator_ctrlnum or sensor_dim reals
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_read_ctrl(const ctModel* m, const ctData* d, int actuator, ctReal time, int interp,
                                  ctReal* out);
CT_API ctStatus ct_data_read_sensor(const ctModel* m, const ctData* d, int sensor, ctReal time, int interp,
                                    ctReal* out);

/// Fill the history of an actuator or a sensor with samples of your own, oldest first.
/// @param times   as many as the history has samples, rising; NULL keeps those it has
/// @param values  as many rows of actuator_ctrlnum or sensor_dim reals
/// @param phase   when a sensor with an interval was last due
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, no such object, no history, times that do not rise, numbers that
/// are
///         not finite: then nothing is changed)
CT_API ctStatus ct_data_set_ctrl_history(const ctModel* m, ctData* d, int actuator, const ctReal* times,
                                         const ctReal* values);
CT_API ctStatus ct_data_set_sensor_history(const ctModel* m, ctData* d, int sensor, const ctReal* times,
                                           const ctReal* values, ctReal phase);

/// Noise of sensors, off at first: what a sensor with a `noise` attribute measures gets Gaussian noise of
/// that standard deviation; axes and quaternions are turned by such angles and keep their length. The noise
/// of a measurement depends on seed, world, step (time divided by the time step), sensor and component only:
/// the same gives the same bits. A reset keeps the setting.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_set_noise(ctData* d, ctBool on, uint32_t seed, uint32_t world);

/// Everything in a data as readable text, field by field. Returns the length the whole text has, as snprintf
/// does; writes at most `size` bytes with a zero at the end. `buffer` may be NULL when `size` is 0.
CT_API size_t ct_data_print(const ctModel* m, const ctData* d, char* buffer, size_t size);

/// Find a scalar or array of the data by name ("time", "qpos", "efc_J").
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_NOT_FOUND
CT_API ctStatus ct_data_field(const ctModel* m, const ctData* d, const char* name, ctField* out);
CT_API int ct_data_field_count(void);
CT_API const char* ct_data_field_name(int i);

/// First field in which two data of a model differ, NULL when all are bitwise equal.
CT_API const char* ct_data_compare(const ctModel* m, const ctData* a, const ctData* b);

/// Bytes of a data: fixed arrays and arena.
CT_API size_t ct_data_bytes(const ctData* d);

/// Monotonic time in seconds, for `d->now`. Thread-safe.
CT_API double ct_clock(void);

#ifdef __cplusplus
}
#endif
