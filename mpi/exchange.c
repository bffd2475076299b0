// Numbers between ranks: gathering, scattering, reductions whose bits do not depend on how many ranks there
// are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#ifdef CT_SINGLE
#define MPI_REAL_TYPE MPI_FLOAT
#else
#define MPI_REAL_TYPE MPI_DOUBLE
#endif

// ---- which rows are whose

// Rows of the chosen worlds, sorted by the rank that has them. All worlds are in that order already.
typedef struct Rows {
  int width;
  int* place;           // row of the caller's array, in the order of ranks and of the ids of each; NULL: all
  int *own, nown;       // local numbers of this rank's worlds, in that order; NULL: all
  int *counts, *begin;  // rows and first row of each rank
  int total;            // rows
  MPI_Datatype row;
} Rows;

static void free_rows(Rows* r) {
  free(r->place);
  free(r->own);
  free(r->counts);
  free(r->begin);
  if (r->width > 0) MPI_Type_free(&r->row);
}

static ctStatus sort_rows(Rows* r, const ctMpiBatch* b, const int* ids, ctError* err) {
  size_t n = r->total > 0 ? (size_t)r->total : 1;
  r->place = malloc(n * sizeof(int));
  r->own = malloc(n * sizeof(int));
  int* at = malloc((size_t)b->ranks * sizeof(int));
  unsigned char* seen = calloc((size_t)b->nworld, 1);
  ctStatus status = r->place && r->own && at && seen ? CT_OK : mpi_no_memory(err);
  for (int i = 0; i < r->total && status == CT_OK; i++) {
    bool known = ids[i] >= 0 && ids[i] < b->nworld;
    if (!known || seen[ids[i]])
      status =
          mpi_error(err, CT_ERR_ARGUMENT, known ? "world %d is named twice" : "there is no world %d", ids[i]);
    else
      seen[ids[i]] = 1, r->counts[mpi_owner(b, ids[i])]++;
  }
  for (int k = 0; k < b->ranks && status == CT_OK; k++) {
    at[k] = r->begin[k];
    r->begin[k + 1] = r->begin[k] + r->counts[k];
  }
  for (int i = 0; i < r->total && status == CT_OK; i++) {
    int rank = mpi_owner(b, ids[i]);
    r->place[at[rank]++] = i;
    if (rank == b->rank) r->own[r->nown++] = ids[i] - b->first[b->rank];
  }
  free(seen);
  free(at);
  return status;
}

static ctStatus find_rows(Rows* r, const ctMpiBatch* b, const char* name, const int* ids, int nids,
                          ctError* err) {
  *r = (Rows){.width = name ? ct_batch_width(b->local, name) : -1, .total = ids ? nids : b->nworld};
  if (r->width < 0) return mpi_error(err, CT_ERR_NOT_FOUND, "there is no \"%s\"", name ? name : "(null)");
  if (r->width > 0) {
    MPI_Type_contiguous(r->width, MPI_REAL_TYPE, &r->row);
    MPI_Type_commit(&r->row);
  }
  r->counts = calloc((size_t)b->ranks, sizeof(int));
  r->begin = calloc((size_t)b->ranks + 1, sizeof(int));
  if (!r->counts || !r->begin) return mpi_no_memory(err);
  if (ids) return sort_rows(r, b, ids, err);
  for (int k = 0; k < b->ranks; k++) r->counts[k] = mpi_count(b, k);
  memcpy(r->begin, b->first, ((size_t)b->ranks + 1) * sizeof(int));
  r->nown = mpi_count(b, b->rank);
  return CT_OK;
}

static ctReal* room(int rows, int width) {
  size_t n = (size_t)rows * (size_t)width;
  return malloc((n > 0 ? n : 1) * sizeof(ctReal));
}

// Room that the batch keeps from call to call: new pages cost more than the numbers on them.
static ctReal* kept_room(ctMpiBatch* b, int rows, int width) {
  size_t n = (size_t)rows * (size_t)width;
  if (b->kept && n <= b->kept_size) return b->kept;
  free(b->kept);
  b->kept = room(rows, width);
  b->kept_size = b->kept ? n : 0;
  return b->kept;
}

// ---- gathering and scattering

// The rows of this rank; reading may make a new output, on all ranks alike.
static ctStatus read_own(ctMpiBatch* b, const Rows* r, const char* name, ctReal* own, ctError* err) {
  if (r->nown > 0) return ct_batch_get(b->local, name, r->own, r->own ? r->nown : 0, own, err);
  ctReal* unused = room(1, r->width);
  ctStatus status = unused ? ct_batch_get(b->local, name, &(int){0}, 1, unused, err) : mpi_no_memory(err);
  free(unused);
  return status;
}

// Into the order of the caller, unless they came in it: then both are the same array.
static void put_in_order(ctReal* to, const ctReal* from, const Rows* r) {
  for (int i = 0; i < r->total && r->place; i++)
    memcpy(to + (size_t)r->place[i] * (size_t)r->width, from + (size_t)i * (size_t)r->width,
           (size_t)r->width * sizeof(ctReal));
}

ctStatus ct_mpi_batch_get(ctMpiBatch* b, const char* name, const int* ids, int nids, ctReal* values, int root,
                          ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_get", err));
  Rows r = {0};
  ctReal *own = NULL, *all = NULL;
  bool receives = root < 0 || root == b->rank;
  ctStatus status = root < b->ranks
                        ? find_rows(&r, b, name, ids, nids, err)
                        : mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_get: there is no rank %d", root);
  if (status == CT_OK && receives && !values)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_get: values must not be NULL");
  if (status == CT_OK) {
    all = receives && r.place ? room(r.total, r.width) : values;
    // rows that need no sorting are read where they belong
    own = receives && !r.place ? values + (size_t)r.begin[b->rank] * (size_t)r.width
                               : kept_room(b, r.nown, r.width);
    status = own && (all || !receives) ? read_own(b, &r, name, own, err) : mpi_no_memory(err);
  }
  status = mpi_agree(b, status, err);
  if (status == CT_OK && r.width > 0) {
    MPI_Request request;
    const void* sent = receives && !r.place ? MPI_IN_PLACE : own;
    if (root < 0) {
      MPI_Iallgatherv(sent, r.nown, r.row, all, r.counts, r.begin, r.row, b->comm, &request);
    } else {
      MPI_Igatherv(sent, r.nown, r.row, all, r.counts, r.begin, r.row, root, b->comm, &request);
    }
    status = mpi_wait(b, &request, err);
    b->bytes_sent += (int64_t)r.nown * r.width * (int64_t)sizeof(ctReal);
    if (status == CT_OK && receives) put_in_order(values, all, &r);
  }
  if (all != values) free(all);
  free_rows(&r);
  return status;
}

ctStatus ct_mpi_batch_set(ctMpiBatch* b, const char* name, const int* ids, int nids, const ctReal* values,
                          int root, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_set", err));
  Rows r = {0};
  ctReal *own = NULL, *sorted = NULL;
  bool sends = root == b->rank;
  ctStatus status = root >= 0 && root < b->ranks
                        ? find_rows(&r, b, name, ids, nids, err)
                        : mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_set: there is no rank %d", root);
  if (status == CT_OK && sends && !values)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_set: values must not be NULL");
  if (status == CT_OK) {
    own = kept_room(b, r.nown, r.width);
    sorted = sends && r.place ? room(r.total, r.width) : NULL;
    if (!own || (sends && r.place && !sorted)) status = mpi_no_memory(err);
  }
  for (int i = 0; status == CT_OK && sorted && i < r.total; i++)
    memcpy(sorted + (size_t)i * (size_t)r.width, values + (size_t)r.place[i] * (size_t)r.width,
           (size_t)r.width * sizeof(ctReal));
  status = mpi_agree(b, status, err);
  if (status == CT_OK && r.width > 0) {
    MPI_Request request;
    MPI_Iscatterv(sorted ? sorted : values, r.counts, r.begin, r.row, own, r.nown, r.row, root, b->comm,
                  &request);
    status = mpi_wait(b, &request, err);
    if (sends) b->bytes_sent += (int64_t)r.total * r.width * (int64_t)sizeof(ctReal);
    if (status == CT_OK && r.nown > 0)
      status = ct_batch_set(b->local, name, r.own, r.own ? r.nown : 0, own, err);
    status = mpi_agree(b, status, err);
  }
  free(sorted);
  free_rows(&r);
  return status;
}

// ---- gathering beside steps

struct ctMpiGather {
  Rows rows;
  ctReal* own;
  MPI_Request request;
};

static void free_gather(ctMpiGather* g) {
  free(g->own);
  free_rows(&g->rows);
  free(g);
}

ctStatus ct_mpi_batch_gather_begin(ctMpiBatch* b, const char* name, ctReal* values, int root,
                                   ctMpiGather** out, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_gather_begin", err));
  if (out) *out = NULL;
  ctMpiGather* g = calloc(1, sizeof(*g));
  ctStatus status = g ? CT_OK : mpi_no_memory(err);
  if (status == CT_OK && (!out || root < 0 || root >= b->ranks || (root == b->rank && !values)))
    status = mpi_error(
        err, CT_ERR_ARGUMENT,
        "ct_mpi_batch_gather_begin: out, or values on the root, is NULL, or there is no rank %d", root);
  if (status == CT_OK) status = find_rows(&g->rows, b, name, NULL, 0, err);
  if (status == CT_OK) {
    g->own = room(g->rows.nown, g->rows.width);
    status = g->own ? read_own(b, &g->rows, name, g->own, err) : mpi_no_memory(err);
  }
  status = mpi_agree(b, status, err);
  if (status != CT_OK || g->rows.width == 0) {
    if (status == CT_OK) *out = g;
    if (status != CT_OK && g) free_gather(g);
    return status;
  }
  MPI_Igatherv(g->own, g->rows.nown, g->rows.row, values, g->rows.counts, g->rows.begin, g->rows.row, root,
               b->comm, &g->request);
  b->bytes_sent += (int64_t)g->rows.nown * g->rows.width * (int64_t)sizeof(ctReal);
  *out = g;
  return CT_OK;
}

ctStatus ct_mpi_batch_gather_end(ctMpiBatch* b, ctMpiGather* g, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_gather_end", err));
  if (!g) return CT_OK;
  ctStatus status = g->rows.width > 0 ? mpi_wait(b, &g->request, err) : CT_OK;
  if (!b->lost) free_gather(g);
  return status;
}

// ---- exact sums
//
// A double is a whole number times 2^-1074. Sums of such numbers, kept in limbs of 32 bits with room for
// carries, are exact, so that it does not matter who adds what first; they are rounded once, at the end.

enum { LIMBS = 68, LIMB_BITS = 32, LOWEST = -1074, SPECIAL = LIMBS, SUM_WORDS };

static void sum_add(int64_t* sum, double x) {
  if (!isfinite(x)) {
    sum[SPECIAL]++;
    return;
  }
  int exponent;
  int64_t whole = (int64_t)ldexp(frexp(x, &exponent), 53);
  int shift = exponent - 53 - LOWEST;
  if (shift < 0) {  // below the smallest normal number: the bits there are zero
    whole /= (int64_t)1 << -shift;
    shift = 0;
  }
  int64_t sign = whole < 0 ? -1 : 1;
  uint64_t bits = (uint64_t)(whole < 0 ? -whole : whole);
  int limb = shift / LIMB_BITS, by = shift % LIMB_BITS;
  // 53 bits moved by up to 31 touch three limbs
  uint64_t low = bits << by, high = by ? bits >> (64 - by) : 0;
  sum[limb] += sign * (int64_t)(low & 0xffffffffu);
  sum[limb + 1] += sign * (int64_t)(low >> 32);
  sum[limb + 2] += sign * (int64_t)high;
}

// Carries on, so that every limb but the last is 0 to 2^32 - 1.
static void sum_settle(int64_t* sum) {
  for (int i = 0; i + 1 < LIMBS; i++) {
    int64_t carry = sum[i] >> LIMB_BITS;
    sum[i] -= carry * ((int64_t)1 << LIMB_BITS);
    sum[i + 1] += carry;
  }
}

static double sum_round(int64_t* sum) {
  if (sum[SPECIAL]) return NAN;
  sum_settle(sum);
  bool negative = sum[LIMBS - 1] < 0;
  if (negative) {
    for (int i = 0; i < LIMBS; i++) sum[i] = -sum[i];
    sum_settle(sum);
  }
  int top = LIMBS - 1;
  while (top > 0 && sum[top] == 0) top--;
  // the leading 64 bits and whether anything is below decide the rounding
  uint64_t lead = (uint64_t)sum[top];
  int bits = 0, limb = top;
  while (bits < 64 && lead >> bits) bits++;
  while (bits <= 32 && limb > 0) {
    lead = lead << 32 | (uint64_t)sum[--limb];
    bits += 32;
  }
  int exponent = limb * LIMB_BITS + LOWEST, extra = bits - 55;  // two bits more than a double keeps
  bool below = false;
  for (int i = 0; i < limb; i++) below = below || sum[i] != 0;
  if (extra > 0) {
    below = below || (lead & (((uint64_t)1 << extra) - 1)) != 0;
    lead >>= extra;
    exponent += extra;
  } else if (limb > 0 && below) {
    int more = -extra;  // take bits from the next limb
    lead = lead << more | (uint64_t)sum[limb - 1] >> (LIMB_BITS - more);
    exponent -= more;
    below = (sum[limb - 1] & (((int64_t)1 << (LIMB_BITS - more)) - 1)) != 0;
    for (int i = 0; i + 1 < limb; i++) below = below || sum[i] != 0;
  }
  double x = ldexp((double)(lead | (below ? 1 : 0)), exponent);
  return negative ? -x : x;
}

// ---- reductions

// All rows of this rank.
static ctStatus own_rows(ctMpiBatch* b, const char* name, ctReal** rows, int* width, ctError* err) {
  *rows = NULL;
  *width = name ? ct_batch_width(b->local, name) : -1;
  if (*width < 0) return mpi_error(err, CT_ERR_NOT_FOUND, "there is no \"%s\"", name ? name : "(null)");
  *rows = room(mpi_count(b, b->rank), *width);
  return *rows ? ct_batch_get(b->local, name, NULL, 0, *rows, err) : mpi_no_memory(err);
}

static ctStatus reduce_sums(ctMpiBatch* b, const ctReal* rows, int width, double divide, double* out,
                            ctError* err) {
  int64_t* sums = calloc((size_t)width * SUM_WORDS + 1, sizeof(int64_t));
  ctStatus status = sums ? CT_OK : mpi_no_memory(err);
  for (int i = 0; i < mpi_count(b, b->rank) && status == CT_OK; i++) {
    for (int k = 0; k < width; k++) {
      sum_add(sums + (size_t)k * SUM_WORDS, (double)rows[(size_t)i * (size_t)width + (size_t)k]);
      if (i % (1 << 28) == (1 << 28) - 1) sum_settle(sums + (size_t)k * SUM_WORDS);
    }
  }
  status = mpi_agree(b, status, err);
  if (status == CT_OK) {
    for (int k = 0; k < width; k++) sum_settle(sums + (size_t)k * SUM_WORDS);
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, sums, width * SUM_WORDS, MPI_INT64_T, MPI_SUM, b->comm, &request);
    status = mpi_wait(b, &request, err);
    b->bytes_sent += (int64_t)width * SUM_WORDS * (int64_t)sizeof(int64_t);
    for (int k = 0; k < width && status == CT_OK; k++)
      out[k] = sum_round(sums + (size_t)k * SUM_WORDS) / divide;
  }
  free(sums);
  return status;
}

static ctStatus reduce_extremes(ctMpiBatch* b, const ctReal* rows, int width, bool most, double* out,
                                ctError* err) {
  for (int k = 0; k < width; k++) {
    out[k] = most ? -HUGE_VAL : HUGE_VAL;
    for (int i = 0; i < mpi_count(b, b->rank); i++) {
      double x = (double)rows[(size_t)i * (size_t)width + (size_t)k];
      if (most ? x > out[k] : x < out[k]) out[k] = x;
    }
  }
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, out, width, MPI_DOUBLE, most ? MPI_MAX : MPI_MIN, b->comm, &request);
  b->bytes_sent += (int64_t)width * (int64_t)sizeof(double);
  return mpi_wait(b, &request, err);
}

ctStatus ct_mpi_batch_reduce(ctMpiBatch* b, const char* name, ctMpiReduction how, double* out, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_reduce", err));
  ctReal* rows;
  int width;
  ctStatus status = own_rows(b, name, &rows, &width, err);
  if (status == CT_OK && !out)
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_reduce: out must not be NULL");
  if (status == CT_OK && ((int)how < CT_MPI_SUM || how > CT_MPI_MAX))
    status = mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_reduce: there is no reduction %d", (int)how);
  status = mpi_agree(b, status, err);
  if (status == CT_OK && width > 0) {
    if (how == CT_MPI_SUM || how == CT_MPI_MEAN)
      status = reduce_sums(b, rows, width, how == CT_MPI_MEAN ? (double)b->nworld : 1, out, err);
    else
      status = reduce_extremes(b, rows, width, how == CT_MPI_MAX, out, err);
  }
  free(rows);
  return status;
}

ctStatus ct_mpi_batch_histogram(ctMpiBatch* b, const char* name, int column, double low, double high,
                                int nbin, int64_t* counts, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_histogram", err));
  ctReal* rows;
  int width;
  ctStatus status = own_rows(b, name, &rows, &width, err);
  if (status == CT_OK && (!counts || nbin < 1 || !(low < high) || column < 0 || column >= width))
    status = mpi_error(err, CT_ERR_ARGUMENT,
                       "ct_mpi_batch_histogram: \"%s\" has %d columns; low must be below high, nbin "
                       "positive, counts not NULL",
                       name, width);
  status = mpi_agree(b, status, err);
  if (status == CT_OK) {
    for (int k = 0; k < nbin; k++) counts[k] = 0;
    for (int i = 0; i < mpi_count(b, b->rank); i++) {
      double x = (double)rows[(size_t)i * (size_t)width + (size_t)column];
      double place = floor((x - low) / (high - low) * nbin);
      if (isnan(place)) continue;
      counts[place < 0 ? 0 : place >= nbin ? nbin - 1 : (int)place]++;
    }
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, counts, nbin, MPI_INT64_T, MPI_SUM, b->comm, &request);
    status = mpi_wait(b, &request, err);
  }
  free(rows);
  return status;
}

ctStatus ct_mpi_batch_hash(ctMpiBatch* b, uint64_t* out, ctError* err) {
  MPI_TRY(mpi_ready(b, "ct_mpi_batch_hash", err));
  uint64_t own = 0;
  ctStatus status = out ? ct_batch_hash(b->local, &own, err)
                        : mpi_error(err, CT_ERR_ARGUMENT, "ct_mpi_batch_hash: out must not be NULL");
  MPI_TRY(mpi_agree(b, status, err));
  MPI_Request request;
  MPI_Iallreduce(&own, out, 1, MPI_UINT64_T, MPI_SUM, b->comm, &request);
  return mpi_wait(b, &request, err);
}
