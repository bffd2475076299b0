// The parts of a batch: making them, agreeing on what happened, and the calls that every rank makes on its
// own worlds.
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

// ---- messages

ctStatus mpi_error(ctError* err, ctStatus status, const char* format, ...) {
  if (!err) return status;
  *err = (ctError){.status = status};
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof(err->message), format, args);
  va_end(args);
  return status;
}

ctStatus mpi_no_memory(ctError* err) {
  return mpi_error(err, CT_ERR_MEMORY, "%s", ct_status_text(CT_ERR_MEMORY));
}

ctStatus mpi_ready(const ctMpiBatch* b, const char* call, ctError* err) {
  if (!b) return mpi_error(err, CT_ERR_ARGUMENT, "%s: b must not be NULL", call);
  if (b->lost) return mpi_error(err, CT_ERR_IO, "%s: a rank was lost, the batch cannot go on", call);
  return CT_OK;
}

// ---- waiting and agreeing

ctStatus mpi_wait(ctMpiBatch* b, MPI_Request* request, ctError* err) {
  double start = ct_clock();
  int done = 0;
  if (!(b->opt.timeout > 0)) {
    bool ok = MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    b->wait_seconds += ct_clock() - start;
    return ok ? CT_OK : mpi_error(err, CT_ERR_IO, "rank %d: MPI failed", b->rank);
  }
  while (!done) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return mpi_error(err, CT_ERR_IO, "rank %d: MPI failed", b->rank);
    if (done) break;
    if (ct_clock() - start > b->opt.timeout) {
      b->lost = true;
      return mpi_error(err, CT_ERR_IO,
                       "rank %d waited %g s for the others: one of them has ended or does not make this call",
                       b->rank, b->opt.timeout);
    }
    sched_yield();
  }
  b->wait_seconds += ct_clock() - start;
  return CT_OK;
}

ctStatus mpi_agree(ctMpiBatch* b, ctStatus status, ctError* err) {
  int mine = status == CT_OK ? b->ranks : b->rank, worst = 0;
  MPI_Request request;
  if (b->lost) return status == CT_OK ? CT_ERR_IO : status;
  MPI_Iallreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, b->comm, &request);
  MPI_TRY(mpi_wait(b, &request, err));
  if (worst == b->ranks) return CT_OK;
  ctError told = {0};
  if (worst == b->rank) {
    if (err) told = *err;
    told.status = status;
    if (!told.message[0]) snprintf(told.message, sizeof(told.message), "%s", ct_status_text(status));
  }
  MPI_Ibcast(&told, (int)sizeof(told), MPI_BYTE, worst, b->comm, &request);
  MPI_TRY(mpi_wait(b, &request, err));
  if (err && worst != b->rank) {
    *err = told;
    int n = snprintf(err->message, sizeof(err->message), "rank %d: %.400s", worst, told.message);
    if (n < 0) err->message[0] = 0;
  }
  return told.status;
}

int mpi_owner(const ctMpiBatch* b, int world) {
  int low = 0, high = b->ranks - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (b->first[middle] <= world) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// ---- making

// What must be the same on all ranks, in words a person can compare.
typedef struct Identity {
  char version[32];
  int real_bytes, has_model;
  uint64_t bytes, hash;
} Identity;

static uint64_t hash_bytes(const unsigned char* bytes, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
  return h;
}

// Rank 0's identity against one's own.
static ctStatus compare(const ctMpiBatch* b, const Identity* first, const Identity* own, ctError* err) {
  if (strcmp(first->version, own->version) != 0)
    return mpi_error(err, CT_ERR_INVALID, "rank %d runs version %s, rank 0 %s", b->rank, own->version,
                     first->version);
  if (first->real_bytes != own->real_bytes)
    return mpi_error(err, CT_ERR_INVALID, "rank %d has numbers of %d bytes, rank 0 of %d", b->rank,
                     own->real_bytes, first->real_bytes);
  if (own->has_model && (first->bytes != own->bytes || first->hash != own->hash))
    return mpi_error(err, CT_ERR_INVALID, "rank %d has another model than rank 0", b->rank);
  return CT_OK;
}

// Large buffers go in pieces whose size is an int.
static ctStatus broadcast(ctMpiBatch* b, unsigned char* bytes, size_t size, ctError* err) {
  const size_t piece = (size_t)1 << 28;
  for (size_t at = 0; at < size; at += piece) {
    MPI_Request request;
    MPI_Ibcast(bytes + at, (int)(size - at < piece ? size - at : piece), MPI_BYTE, 0, b->comm, &request);
    MPI_TRY(mpi_wait(b, &request, err));
  }
  if (b->rank == 0) b->bytes_sent += (int64_t)size;
  return CT_OK;
}

static ctStatus share_model(ctMpiBatch* b, const ctModel* m, ctError* err) {
  Identity own = {.real_bytes = (int)sizeof(ctReal), .has_model = m != NULL};
  snprintf(own.version, sizeof(own.version), "%s", ct_version());
  size_t size = m ? ct_model_save_bytes(m, NULL, 0) : 0;
  unsigned char* bytes = size ? malloc(size) : NULL;
  ctStatus status = size && !bytes ? mpi_no_memory(err) : CT_OK;
  if (b->rank == 0 && !m)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_create: m must not be NULL on rank 0");
  if (bytes) {
    ct_model_save_bytes(m, bytes, size);
    own.bytes = size;
    own.hash = hash_bytes(bytes, size);
  }
  Identity first = own;
  if ((status = mpi_agree(b, status, err)) != CT_OK) goto done;
  MPI_Request request;
  MPI_Ibcast(&first, (int)sizeof(first), MPI_BYTE, 0, b->comm, &request);
  if ((status = mpi_wait(b, &request, err)) != CT_OK) goto done;
  if (!m) {
    bytes = malloc((size_t)first.bytes);
    if (!bytes) status = mpi_no_memory(err);
  }
  if (status == CT_OK) status = compare(b, &first, &own, err);
  if ((status = mpi_agree(b, status, err)) != CT_OK) goto done;
  if ((status = broadcast(b, bytes, (size_t)first.bytes, err)) != CT_OK) goto done;
  b->m = m;
  b->model_hash = first.hash;
  if (!m) {
    const ctLoadOptions any = {.max_memory = SIZE_MAX};
    status = ct_model_load_bytes(&b->copy, bytes, (size_t)first.bytes, &any, err);
    b->m = b->copy;
  }
  status = mpi_agree(b, status, err);
done:
  free(bytes);
  return status;
}

static int rank_on_machine(MPI_Comm comm) {
  MPI_Comm machine;
  int rank = 0;
  if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) != MPI_SUCCESS) return 0;
  MPI_Comm_rank(machine, &rank);
  MPI_Comm_free(&machine);
  return rank;
}

static ctStatus restore_names(ctMpiBatch* b, ctBatch* local, ctError* err) {
  const char* name;
  for (int i = 0; (name = ct_batch_values_name(b->local, i)); i++) MPI_TRY(ct_batch_vary(local, name, err));
  for (int i = 0; (name = ct_batch_output_name(b->local, i)); i++) MPI_TRY(ct_batch_output(local, name, err));
  return b->noise ? ct_batch_set_noise(local, true, b->noise_seed, err) : CT_OK;
}

ctStatus mpi_make_local(ctMpiBatch* b, int first, int count, ctBatch** out, ctError* err) {
  ctBatchOptions opt = b->opt.batch;
  opt.first_world = first;
  ctStatus status = ct_batch_create(out, b->m, count, &opt, err);
  if (status == CT_OK) status = restore_names(b, *out, err);
  if (status != CT_OK) {
    ct_batch_free(*out);
    *out = NULL;
  }
  return status;
}

// The GPU of the rank's number on its machine, or the one that was named.
static ctStatus make_first(ctMpiBatch* b, ctError* err) {
  int count = mpi_count(b, b->rank), named = b->opt.batch.device, local = rank_on_machine(b->comm);
  if (b->opt.batch.backend != CT_BACKEND_CPU && local > 0) {
    b->opt.batch.device = named + local;
    if (mpi_make_local(b, b->first[b->rank], count, &b->local, NULL) == CT_OK) return CT_OK;
    b->opt.batch.device = named;
  }
  return mpi_make_local(b, b->first[b->rank], count, &b->local, err);
}

ctStatus ct_mpi_batch_create(ctMpiBatch** out, MPI_Comm comm, const ctModel* m, int nworld,
                             const ctMpiOptions* opt, ctError* err) {
  if (!out) return mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_create: out must not be NULL");
  *out = NULL;
  int started = 0;
  if (MPI_Initialized(&started) != MPI_SUCCESS || !started)
    return mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_create: MPI_Init() comes first");
  ctMpiBatch* b = calloc(1, sizeof(*b));
  if (!b) return mpi_no_memory(err);
  if (opt) b->opt = *opt;
  if (MPI_Comm_dup(comm, &b->comm) != MPI_SUCCESS) {
    free(b);
    return mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_create: this is no communicator");
  }
  MPI_Comm_set_errhandler(b->comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(b->comm, &b->rank);
  MPI_Comm_size(b->comm, &b->ranks);
  b->nworld = nworld;
  b->first = malloc(((size_t)b->ranks + 1) * sizeof(int));
  ctStatus status = b->first ? CT_OK : mpi_no_memory(err);
  if (status == CT_OK && nworld < b->ranks)
    status = mpi_error(err, CT_ERR_ARGUMENT, "%d worlds are too few for %d ranks: each has at least one",
                       nworld, b->ranks);
  status = mpi_agree(b, status, err);
  for (int r = 0; status == CT_OK && r <= b->ranks; r++) b->first[r] = (int)((int64_t)nworld * r / b->ranks);
  if (status == CT_OK) status = share_model(b, m, err);
  if (status == CT_OK) status = mpi_agree(b, make_first(b, err), err);
  if (status != CT_OK) {
    ct_mpi_batch_free(b);
    return status;
  }
  *out = b;
  return CT_OK;
}

void ct_mpi_batch_free(ctMpiBatch* b) {
  if (!b) return;
  ct_batch_free(b->local);
  ct_model_free(b->copy);
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended && !b->lost) MPI_Comm_free(&b->comm);
  free(b->kept);
  free(b->first);
  free(b);
}

ctStatus ct_mpi_batch_info(const ctMpiBatch* b, ctMpiInfo* info) {
  if (!b || !info) return CT_ERR_ARGUMENT;
  *info = (ctMpiInfo){.rank = b->rank,
                      .ranks = b->ranks,
                      .nworld = b->nworld,
                      .first = b->first[b->rank],
                      .count = mpi_count(b, b->rank),
                      .bytes_sent = b->bytes_sent,
                      .step_seconds = b->step_seconds,
                      .wait_seconds = b->wait_seconds};
  return ct_batch_info(b->local, &info->local);
}

ctBatch* ct_mpi_batch_local(ctMpiBatch* b) {
  return b ? b->local : NULL;
}

const ctModel* ct_mpi_batch_model(const ctMpiBatch* b) {
  return b ? b->m : NULL;
}

// ---- calls on the rank's own worlds

// Work of the rank, counted; then all agree.
static ctStatus finish_step(ctMpiBatch* b, double start, ctStatus status, ctError* err) {
  double seconds = ct_clock() - start;
  b->step_seconds += seconds;
  b->balance_seconds += seconds;
  return mpi_agree(b, status, err);
}

ctStatus ct_mpi_batch_step(ctMpiBatch* b, int n, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_step", err));
  double start = ct_clock();
  return finish_step(b, start, ct_batch_step(b->local, n, err), err);
}

ctStatus ct_mpi_batch_forward(ctMpiBatch* b, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_forward", err));
  double start = ct_clock();
  return finish_step(b, start, ct_batch_forward(b->local, err), err);
}

ctStatus ct_mpi_batch_rollout(ctMpiBatch* b, int nstep, const ctReal* ctrl, ctReal* out, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_rollout", err));
  double start = ct_clock();
  return finish_step(b, start, ct_batch_rollout(b->local, nstep, ctrl, out, err), err);
}

ctStatus ct_mpi_batch_reset(ctMpiBatch* b, const int* ids, int nids, int key, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_reset", err));
  if (!ids) return mpi_agree(b, ct_batch_reset(b->local, NULL, 0, key, err), err);
  int* own = malloc((nids > 0 ? (size_t)nids : 1) * sizeof(int));
  ctStatus status = own ? CT_OK : mpi_no_memory(err);
  int count = 0, first = b->first[b->rank];
  for (int i = 0; i < nids && status == CT_OK; i++) {
    if (ids[i] < 0 || ids[i] >= b->nworld)
      status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_reset: there is no world %d: they are 0 to %d",
                         ids[i], b->nworld - 1);
    else if (ids[i] >= first && ids[i] < b->first[b->rank + 1])
      own[count++] = ids[i] - first;
  }
  if (status == CT_OK && count > 0) status = ct_batch_reset(b->local, own, count, key, err);
  free(own);
  return mpi_agree(b, status, err);
}

// Names are looked at before any rank adds one: all have the same.
static ctStatus check_name(ctMpiBatch* b, const char* name, ctError* err) {
  bool known = name && ct_batch_width(b->local, name) >= 0;
  return mpi_agree(
      b, known ? CT_OK : mpi_error(err, CT_ERR_NOT_FOUND, "there is no \"%s\"", name ? name : "(null)"), err);
}

ctStatus ct_mpi_batch_output(ctMpiBatch* b, const char* name, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_output", err));
  MPI_TRY(check_name(b, name, err));
  return mpi_agree(b, ct_batch_output(b->local, name, err), err);
}

ctStatus ct_mpi_batch_vary(ctMpiBatch* b, const char* name, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_vary", err));
  MPI_TRY(check_name(b, name, err));
  return mpi_agree(b, ct_batch_vary(b->local, name, err), err);
}

ctStatus ct_mpi_batch_update(ctMpiBatch* b, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_update", err));
  return mpi_agree(b, ct_batch_update(b->local, err), err);
}

ctStatus ct_mpi_batch_set_noise(ctMpiBatch* b, bool on, uint32_t seed, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_set_noise", err));
  b->noise = on;
  b->noise_seed = seed;
  return mpi_agree(b, ct_batch_set_noise(b->local, on, seed, err), err);
}
