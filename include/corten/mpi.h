/// @file
/// One batch over the ranks of an MPI communicator: libcorten_mpi, which needs MPI 3 and nothing else.
///
///   MPI_Init(&argc, &argv);
///   ctMpiBatch* batch;
///   ct_mpi_batch_create(&batch, MPI_COMM_WORLD, model, 100000, NULL, &err);   // `model` on rank 0, NULL
///   elsewhere ct_mpi_batch_output(batch, "sensordata", &err); for (...) {
///     ct_mpi_batch_step(batch, 5, &err);
///     ct_mpi_batch_get(batch, "sensordata", NULL, 0, values, 0, &err);        // all worlds, to rank 0
///   }
///   ct_mpi_batch_free(batch);
///
/// Worlds are spread in contiguous blocks, in the order of the ranks; each rank has a ctBatch of its block,
/// on its threads or its GPU. States, noise and resets go by the number of a world in the whole batch: the
/// same bits for any number of ranks.
///
/// Every call that takes an `err` is collective: all ranks make it, with the same arguments where nothing
/// else is said, and all return the same status, that of the lowest rank in trouble, with its message. A rank
/// that does not come is waited for; with ctMpiOptions.timeout the others return CT_ERR_IO instead.
#pragma once

#include <mpi.h>

#include "corten/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Worlds on many ranks. Opaque; each rank has its part.
typedef struct ctMpiBatch ctMpiBatch;

/// How to make one. Zero-initialise it; a NULL pointer to options means all zero.
typedef struct ctMpiOptions {
  /// Of the part of each rank; may differ from rank to rank but for reset_*. `first_world` is set here. On a
  /// GPU a rank takes the device of its number on its machine, `batch.device` where that is not there.
  ctBatchOptions batch;
  double timeout;  ///< seconds that ranks wait for each other in a call, 0: for ever
} ctMpiOptions;

/// What the part of a rank is, and what it has cost.
typedef struct ctMpiInfo {
  int rank, ranks;      ///< of the communicator
  int nworld;           ///< worlds of the whole batch
  int first, count;     ///< block of this rank
  ctBatchInfo local;    ///< of its batch
  int64_t bytes_sent;   ///< of numbers and records, by this rank, since the batch was made
  double step_seconds;  ///< spent in steps, forwards and rollouts
  double wait_seconds;  ///< spent waiting for other ranks
} ctMpiInfo;

/// How ct_mpi_batch_reduce() makes one number of many.
typedef enum ctMpiReduction { CT_MPI_SUM, CT_MPI_MEAN, CT_MPI_MIN, CT_MPI_MAX } ctMpiReduction;

/// Create worlds of a model.
/// @param out     receives the batch; release it with ct_mpi_batch_free(). NULL on failure
/// @param comm    duplicated; MPI must have been initialised, threads of MPI are not needed
/// @param m       on rank 0 not NULL. Other ranks pass NULL and get a copy of it, or a model of their own
/// that must be
///                the same (one with plugins, say). Only read, must outlive the batch
/// @param nworld  at least the number of ranks
/// @param opt     may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (ranks with another version, precision or model), or what
///         ct_batch_create() returns
CT_API ctStatus ct_mpi_batch_create(ctMpiBatch** out, MPI_Comm comm, const ctModel* m, int nworld,
                                    const ctMpiOptions* opt, ctError* err);

/// Release the part of this rank. NULL is allowed. Collective, for the communicator goes too.
CT_API void ct_mpi_batch_free(ctMpiBatch* b);

/// What this rank has, into `info`. Not collective.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_mpi_batch_info(const ctMpiBatch* b, ctMpiInfo* info);

/// The batch of this rank, for views and for calls on its worlds alone, which are numbered from 0 there. It
/// must not be freed; outputs and values are added through the calls here, on all ranks. It is another one
/// after ct_mpi_batch_balance(). NULL for NULL. Not collective.
CT_API ctBatch* ct_mpi_batch_local(ctMpiBatch* b);
/// The model of this rank: its own, or its copy. Belongs to the batch or the caller. Not collective.
CT_API const ctModel* ct_mpi_batch_model(const ctMpiBatch* b);

// ---- as those of ctBatch, for the worlds of all ranks

/// ct_batch_step(). On a GPU, trouble of the device may show in a later call.
CT_API ctStatus ct_mpi_batch_step(ctMpiBatch* b, int n, ctError* err);
/// ct_batch_forward().
CT_API ctStatus ct_mpi_batch_forward(ctMpiBatch* b, ctError* err);
/// ct_batch_rollout() with the controls and the record of the rank's own worlds (`count` of ctMpiInfo).
CT_API ctStatus ct_mpi_batch_rollout(ctMpiBatch* b, int nstep, const ctReal* ctrl, ctReal* out, ctError* err);
/// ct_batch_reset(); `ids` are numbers in the whole batch.
CT_API ctStatus ct_mpi_batch_reset(ctMpiBatch* b, const int* ids, int nids, int key, ctError* err);
/// ct_batch_output().
CT_API ctStatus ct_mpi_batch_output(ctMpiBatch* b, const char* name, ctError* err);
/// ct_batch_vary().
CT_API ctStatus ct_mpi_batch_vary(ctMpiBatch* b, const char* name, ctError* err);
/// ct_batch_update().
CT_API ctStatus ct_mpi_batch_update(ctMpiBatch* b, ctError* err);
/// ct_batch_set_noise(); the same noise for any number of ranks.
CT_API ctStatus ct_mpi_batch_set_noise(ctMpiBatch* b, bool on, uint32_t seed, ctError* err);

/// Gather what ct_batch_get() reads.
/// @param ids     worlds in the whole batch, NULL for all; each at most once
/// @param values  on `root` a row for each of them; NULL elsewhere
/// @param root    the rank that gets them, -1: all ranks
CT_API ctStatus ct_mpi_batch_get(ctMpiBatch* b, const char* name, const int* ids, int nids, ctReal* values,
                                 int root, ctError* err);

/// Scatter what ct_batch_set() writes.
/// @param values  on `root` a row for each of `ids`; NULL elsewhere
/// @param root    the rank that has them
CT_API ctStatus ct_mpi_batch_set(ctMpiBatch* b, const char* name, const int* ids, int nids,
                                 const ctReal* values, int root, ctError* err);

/// A gathering that goes on while worlds are stepped.
typedef struct ctMpiGather ctMpiGather;

/// Begin to gather a name of all worlds to `root`, as it is now. `values` must stay until
/// ct_mpi_batch_gather_end().
CT_API ctStatus ct_mpi_batch_gather_begin(ctMpiBatch* b, const char* name, ctReal* values, int root,
                                          ctMpiGather** out, ctError* err);
/// Wait for its end and release it. NULL is allowed.
CT_API ctStatus ct_mpi_batch_gather_end(ctMpiBatch* b, ctMpiGather* gather, ctError* err);

/// One number for each column of a name, over all worlds; on every rank, the same bits for any number of
/// ranks: sums are exact and rounded once. Numbers that are not finite make a sum or mean NaN.
/// @param out  ct_batch_width() numbers
CT_API ctStatus ct_mpi_batch_reduce(ctMpiBatch* b, const char* name, ctMpiReduction how, double* out,
                                    ctError* err);

/// How many worlds have a column of a name in each of `nbin` equal parts of [low, high); those outside count
/// in the first or last part, NaN nowhere. On every rank.
CT_API ctStatus ct_mpi_batch_histogram(ctMpiBatch* b, const char* name, int column, double low, double high,
                                       int nbin, int64_t* counts, ctError* err);

/// ct_batch_hash() over the worlds of all ranks: the same for any number of them. On every rank.
CT_API ctStatus ct_mpi_batch_hash(ctMpiBatch* b, uint64_t* out, ctError* err);

/// Move worlds so that all ranks have about the same work, measured by the time their steps took since the
/// last call. States, outputs and values move bit for bit; blocks stay contiguous.
CT_API ctStatus ct_mpi_batch_balance(ctMpiBatch* b, ctError* err);
/// The same with blocks of given sizes: `counts` has one for each rank, at least 1.
CT_API ctStatus ct_mpi_batch_distribute(ctMpiBatch* b, const int* counts, ctError* err);

/// Write all worlds to one file, every rank its part (MPI-IO): into a file beside it that is renamed when it
/// is complete, so that a crash leaves the last good one.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_IO
CT_API ctStatus ct_mpi_batch_save(ctMpiBatch* b, const char* path, ctError* err);
/// Go on from such a file, on any number of ranks.
/// @return as ct_mpi_batch_save(), and CT_ERR_SYNTAX (no such file, cut short), CT_ERR_INVALID (of another
/// model, number
///         of worlds, outputs, values or precision)
CT_API ctStatus ct_mpi_batch_load(ctMpiBatch* b, const char* path, ctError* err);

#ifdef __cplusplus
}
#endif
