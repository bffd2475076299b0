// What the files of libcorten_mpi share: the batch of a rank, and ways to agree and to wait.
#pragma once

#include "corten/mpi.h"

struct ctMpiBatch {
  MPI_Comm comm;
  int rank, ranks, nworld;
  int* first;  // of each rank, and nworld at the end
  ctMpiOptions opt;
  ctModel* copy;  // NULL when the caller has the model
  const ctModel* m;
  ctBatch* local;
  uint64_t model_hash;
  bool noise, lost;  // lost: a rank did not come; no call works any more
  uint32_t noise_seed;
  int64_t bytes_sent;
  double step_seconds, wait_seconds;
  double balance_seconds;  // of steps since worlds were moved last
  ctReal* kept;            // rows on their way, kept from call to call
  size_t kept_size;
};

#define MPI_TRY(expr)                       \
  do {                                      \
    ctStatus mpi_try_ = (expr);             \
    if (mpi_try_ != CT_OK) return mpi_try_; \
  } while (0)

static inline int mpi_count(const ctMpiBatch* b, int rank) {
  return b->first[rank + 1] - b->first[rank];
}

// The rank that has a world.
int mpi_owner(const ctMpiBatch* b, int world);

// A message; returns the status. `err` may be NULL.
ctStatus mpi_error(ctError* err, ctStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
ctStatus mpi_no_memory(ctError* err);

// Wait for a request of MPI, up to the timeout. CT_OK or CT_ERR_IO.
ctStatus mpi_wait(ctMpiBatch* b, MPI_Request* request, ctError* err);

// All ranks learn whether all are well: the status and message of the lowest one that is not.
ctStatus mpi_agree(ctMpiBatch* b, ctStatus status, ctError* err);

// A local batch of `count` worlds from `first` on, with the outputs, values and noise of the present one. Not
// collective.
ctStatus mpi_make_local(ctMpiBatch* b, int first, int count, ctBatch** out, ctError* err);

// Whether a batch can be used; an error otherwise.
ctStatus mpi_ready(const ctMpiBatch* b, const char* call, ctError* err);
