// Worlds as records: moved between ranks, written to one file and read from it.
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

// ---- moving

// What one rank has of another's new block: the common part of two spans.
static int common(int a0, int a1, int b0, int b1, int* from) {
  int low = a0 > b0 ? a0 : b0, high = a1 < b1 ? a1 : b1;
  *from = low;
  return high > low ? high - low : 0;
}

// Records in units of one, so that counts stay small.
static ctStatus exchange(ctMpiBatch* b, const int* to, const unsigned char* mine, unsigned char* theirs,
                         size_t record, ctError* err) {
  int n = b->ranks, at;
  int* plan = calloc(4 * (size_t)n, sizeof(int));
  ctStatus status = plan && record <= INT_MAX ? CT_OK : mpi_no_memory(err);
  MPI_TRY(mpi_agree(b, status, err));
  int *send = plan, *send_at = plan + n, *receive = plan + 2 * n, *receive_at = plan + 3 * n;
  for (int r = 0; r < n; r++) {
    send[r] = common(b->first[b->rank], b->first[b->rank + 1], to[r], to[r + 1], &at);
    send_at[r] = send[r] ? at - b->first[b->rank] : 0;
    receive[r] = common(to[b->rank], to[b->rank + 1], b->first[r], b->first[r + 1], &at);
    receive_at[r] = receive[r] ? at - to[b->rank] : 0;
    if (r != b->rank) b->bytes_sent += (int64_t)send[r] * (int64_t)record;
  }
  MPI_Datatype type;
  MPI_Type_contiguous((int)record, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Request request;
  MPI_Ialltoallv(mine, send, send_at, type, theirs, receive, receive_at, type, b->comm, &request);
  status = mpi_wait(b, &request, err);
  MPI_Type_free(&type);
  if (!b->lost) free(plan);
  return status;
}

// `to`: where the new blocks begin, with nworld at the end.
static ctStatus move_worlds(ctMpiBatch* b, const int* to, ctError* err) {
  int have = mpi_count(b, b->rank), get = to[b->rank + 1] - to[b->rank];
  size_t record = ct_batch_save_worlds(b->local, 0, 1, NULL, 0);
  unsigned char *mine = malloc((size_t)have * record), *theirs = malloc((size_t)get * record);
  ctBatch* next = NULL;
  ctStatus status = mine && theirs ? CT_OK : mpi_no_memory(err);
  if (status == CT_OK && ct_batch_save_worlds(b->local, 0, have, mine, (size_t)have * record) == 0)
    status = mpi_error(err, CT_ERR_IO, "the worlds of rank %d cannot be read: the GPU is lost", b->rank);
  if (status == CT_OK) status = mpi_make_local(b, to[b->rank], get, &next, err);
  status = mpi_agree(b, status, err);
  if (status == CT_OK) status = exchange(b, to, mine, theirs, record, err);
  if (status == CT_OK)
    status = mpi_agree(b, ct_batch_load_worlds(next, 0, get, theirs, (size_t)get * record, err), err);
  if (status == CT_OK) {
    ct_batch_free(b->local);
    b->local = next;
    memcpy(b->first, to, ((size_t)b->ranks + 1) * sizeof(int));
    b->balance_seconds = 0;
  } else {
    ct_batch_free(next);
  }
  if (!b->lost) free(mine);
  if (!b->lost) free(theirs);
  return status;
}

ctStatus ct_mpi_batch_distribute(ctMpiBatch* b, const int* counts, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_distribute", err));
  int* to = calloc((size_t)b->ranks + 1, sizeof(int));
  ctStatus status = to ? CT_OK : mpi_no_memory(err);
  int64_t sum = 0;
  if (status == CT_OK && !counts)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_distribute: counts must not be NULL");
  for (int r = 0; r < b->ranks && status == CT_OK; r++) {
    sum += counts[r];
    if (counts[r] < 1 || sum > b->nworld)
      status =
          mpi_error(err, CT_ERR_ARGUMENT,
                    "ct_mpi_batch_distribute: each rank has at least one world, all together %d", b->nworld);
    else
      to[r + 1] = (int)sum;
  }
  if (status == CT_OK && sum != b->nworld)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_distribute: %lld worlds of %d", (long long)sum,
                       b->nworld);
  status = mpi_agree(b, status, err);
  if (status == CT_OK) status = move_worlds(b, to, err);
  free(to);
  return status;
}

// Each world costs what the worlds of its rank cost on average: blocks end where the cost so far is a rank's
// share.
ctStatus ct_mpi_batch_balance(ctMpiBatch* b, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_balance", err));
  double own = b->balance_seconds / mpi_count(b, b->rank);
  double* cost = calloc((size_t)b->ranks, sizeof(double));
  int* to = calloc((size_t)b->ranks + 1, sizeof(int));
  ctStatus status = mpi_agree(b, cost && to ? CT_OK : mpi_no_memory(err), err);
  if (status == CT_OK) {
    MPI_Request request;
    MPI_Iallgather(&own, 1, MPI_DOUBLE, cost, 1, MPI_DOUBLE, b->comm, &request);
    status = mpi_wait(b, &request, err);
  }
  if (status == CT_OK) {
    double total = 0, so_far = 0;
    for (int r = 0; r < b->ranks; r++) {
      if (!(cost[r] > 0)) cost[r] = 1e-9;  // has not stepped yet
      total += cost[r] * mpi_count(b, r);
    }
    int rank = 1;
    for (int r = 0; r < b->ranks; r++) {
      for (int w = b->first[r]; w < b->first[r + 1]; w++) {
        so_far += cost[r];
        // every rank after this one still needs a world
        bool must = b->nworld - (w + 1) <= b->ranks - rank, may = w + 1 > to[rank - 1];
        if (rank < b->ranks && may && (must || so_far >= total * rank / b->ranks)) to[rank++] = w + 1;
      }
    }
    to[b->ranks] = b->nworld;
    status = move_worlds(b, to, err);
  }
  free(cost);
  free(to);
  return status;
}

// ---- files

typedef struct FileHead {
  char magic[8];
  uint64_t model, record;
  int64_t nworld;
  int32_t real_bytes, version;
} FileHead;

static FileHead file_head(ctMpiBatch* b) {
  FileHead h = {.magic = "CTMPIB1", .real_bytes = (int32_t)sizeof(ctReal), .version = 1};
  h.model = b->model_hash;
  h.record = ct_batch_save_worlds(b->local, 0, 1, NULL, 0);
  h.nworld = b->nworld;
  return h;
}

// Pieces whose size is an int.
static bool move_file(MPI_File file, MPI_Offset at, unsigned char* bytes, size_t size, bool write) {
  const size_t piece = (size_t)1 << 28;
  for (size_t done = 0; done < size; done += piece) {
    int n = (int)(size - done < piece ? size - done : piece), moved = 0;
    MPI_Status status;
    int code = write ? MPI_File_write_at(file, at + (MPI_Offset)done, bytes + done, n, MPI_BYTE, &status)
                     : MPI_File_read_at(file, at + (MPI_Offset)done, bytes + done, n, MPI_BYTE, &status);
    if (code != MPI_SUCCESS) return false;
    MPI_Get_count(&status, MPI_BYTE, &moved);
    if (moved != n) return false;
  }
  return true;
}

static ctStatus write_part(ctMpiBatch* b, MPI_File file, const char* path, ctError* err) {
  FileHead h = file_head(b);
  int count = mpi_count(b, b->rank);
  size_t size = (size_t)count * (size_t)h.record;
  unsigned char* bytes = malloc(size > 0 ? size : 1);
  if (!bytes) return mpi_no_memory(err);
  bool ok = ct_batch_save_worlds(b->local, 0, count, bytes, size) == size;
  if (ok && b->rank == 0) ok = move_file(file, 0, (unsigned char*)&h, sizeof(h), true);
  MPI_Offset at = (MPI_Offset)sizeof(h) + (MPI_Offset)b->first[b->rank] * (MPI_Offset)h.record;
  if (ok) ok = move_file(file, at, bytes, size, true);
  free(bytes);
  return ok ? CT_OK : mpi_error(err, CT_ERR_IO, "%s: cannot be written: is the disk full?", path);
}

ctStatus ct_mpi_batch_save(ctMpiBatch* b, const char* path, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_save", err));
  char temporary[PATH_MAX];
  int n = path ? snprintf(temporary, sizeof(temporary), "%s.part", path) : 0;
  ctStatus status = n > 0 && n < PATH_MAX
                        ? CT_OK
                        : mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_save: path is NULL, or too long");
  MPI_TRY(mpi_agree(b, status, err));
  MPI_File file;
  bool open = MPI_File_open(b->comm, temporary, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
              MPI_SUCCESS;
  status = open ? CT_OK : mpi_error(err, CT_ERR_IO, "%s: cannot be opened for writing", temporary);
  status = mpi_agree(b, status, err);
  if (status == CT_OK) {
    // room first: a disk that is full says so before much is written
    FileHead h = file_head(b);
    MPI_Offset size = (MPI_Offset)sizeof(h) + (MPI_Offset)b->nworld * (MPI_Offset)h.record;
    bool room = MPI_File_set_size(file, 0) == MPI_SUCCESS && MPI_File_preallocate(file, size) == MPI_SUCCESS;
    status =
        room ? write_part(b, file, temporary, err)
             : mpi_error(err, CT_ERR_IO, "%s: there is no room for %lld bytes", temporary, (long long)size);
    if (status == CT_OK && MPI_File_sync(file) != MPI_SUCCESS)
      status = mpi_error(err, CT_ERR_IO, "%s: cannot be flushed to the disk", temporary);
    status = mpi_agree(b, status, err);
  }
  if (open && MPI_File_close(&file) != MPI_SUCCESS && status == CT_OK)
    status = mpi_error(err, CT_ERR_IO, "%s: cannot be closed", temporary);
  if (b->rank == 0 && status == CT_OK && rename(temporary, path) != 0)
    status = mpi_error(err, CT_ERR_IO, "%s: cannot be replaced", path);
  status = mpi_agree(b, status, err);
  if (status != CT_OK && b->rank == 0) unlink(temporary);
  return status;
}

static ctStatus read_part(ctMpiBatch* b, MPI_File file, const char* path, ctError* err) {
  FileHead own = file_head(b), h;
  MPI_Offset size = 0;
  if (MPI_File_get_size(file, &size) != MPI_SUCCESS || size < (MPI_Offset)sizeof(h) ||
      !move_file(file, 0, (unsigned char*)&h, sizeof(h), false) ||
      memcmp(h.magic, own.magic, sizeof(h.magic)) != 0)
    return mpi_error(err, CT_ERR_SYNTAX, "%s: this is no saved batch", path);
  if (h.version != own.version || h.real_bytes != own.real_bytes)
    return mpi_error(err, CT_ERR_INVALID, "%s: it was saved in version %d with numbers of %d bytes", path,
                     (int)h.version, (int)h.real_bytes);
  if (h.model != own.model)
    return mpi_error(err, CT_ERR_INVALID, "%s: it was saved from another model", path);
  if (h.nworld != own.nworld)
    return mpi_error(err, CT_ERR_INVALID, "%s: it has %lld worlds, not %d", path, (long long)h.nworld,
                     b->nworld);
  if (h.record != own.record)
    return mpi_error(err, CT_ERR_INVALID, "%s: it was saved from a batch with other outputs or values", path);
  if (size != (MPI_Offset)sizeof(h) + (MPI_Offset)h.nworld * (MPI_Offset)h.record)
    return mpi_error(err, CT_ERR_SYNTAX, "%s: it is cut short, or longer than it says", path);
  int count = mpi_count(b, b->rank);
  size_t bytes = (size_t)count * (size_t)h.record;
  unsigned char* part = malloc(bytes > 0 ? bytes : 1);
  if (!part) return mpi_no_memory(err);
  MPI_Offset at = (MPI_Offset)sizeof(h) + (MPI_Offset)b->first[b->rank] * (MPI_Offset)h.record;
  ctStatus status = move_file(file, at, part, bytes, false)
                        ? ct_batch_load_worlds(b->local, 0, count, part, bytes, err)
                        : mpi_error(err, CT_ERR_IO, "%s: reading failed", path);
  free(part);
  return status;
}

ctStatus ct_mpi_batch_load(ctMpiBatch* b, const char* path, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_load", err));
  MPI_TRY(mpi_agree(
      b, path ? CT_OK : mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_load: path must not be NULL"), err));
  MPI_File file;
  bool open = MPI_File_open(b->comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS;
  ctStatus status =
      mpi_agree(b, open ? CT_OK : mpi_error(err, CT_ERR_NOT_FOUND, "%s: cannot be opened", path), err);
  if (status == CT_OK) status = mpi_agree(b, read_part(b, file, path, err), err);
  if (open) MPI_File_close(&file);
  return status;
}
