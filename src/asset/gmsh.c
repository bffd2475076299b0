#include "asset/gmsh.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

// A cursor in the file: what is left of it, and whether it went beyond.
typedef struct Source {
  const char *at, *end;
  bool binary, failed;
  ctError* err;
} Source;

static ctStatus fail(const Source* s, ctStatus status, const char* what) {
  return cti_error(s->err, status, "GMSH file: %s", what);
}

// ---- text

// The next word, empty at the end.
static const char* next_word(Source* s, const char** end) {
  while (s->at < s->end && (unsigned char)*s->at <= ' ') s->at++;
  const char* word = s->at;
  while (s->at < s->end && (unsigned char)*s->at > ' ') s->at++;
  *end = s->at;
  if (word == *end) s->failed = true;
  return word;
}

static double text_real(Source* s) {
  const char *end, *word = next_word(s, &end);
  double value = 0;
  if (cti_parse_real(word, end, &value) != CTI_NUMBER_OK) s->failed = true;
  return value;
}

static int64_t text_int(Source* s) {
  const char *end, *word = next_word(s, &end);
  int64_t value = 0;
  if (cti_parse_int(word, end, &value) != CTI_NUMBER_OK) s->failed = true;
  return value;
}

// ---- binary, little-endian

static void take(Source* s, void* out, size_t size) {
  if (s->failed || (size_t)(s->end - s->at) < size) {
    s->failed = true;
    memset(out, 0, size);
    return;
  }
  memcpy(out, s->at, size);
  s->at += size;
}

static int64_t take_i32(Source* s) {
  int32_t value;
  take(s, &value, sizeof(value));
  return value;
}

// Numbers beyond what an int64 holds are nowhere in range.
static int64_t take_u64(Source* s) {
  uint64_t value;
  take(s, &value, sizeof(value));
  return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static double take_f64(Source* s) {
  double value;
  take(s, &value, sizeof(value));
  return value;
}

static int64_t wide(Source* s) {
  return s->binary ? take_u64(s) : text_int(s);
}
static int64_t narrow(Source* s) {
  return s->binary ? take_i32(s) : text_int(s);
}
static double real(Source* s) {
  return s->binary ? take_f64(s) : text_real(s);
}

// ---- sections

// The place behind a section's name and the one character after it; false when there is none.
static bool find_section(Source* out, const Source* file, const char* name) {
  size_t n = strlen(name);
  *out = *file;
  for (const char* p = file->at; (size_t)(file->end - p) > n; p++) {
    p = memchr(p, '$', (size_t)(file->end - p));
    if (!p || (size_t)(file->end - p) <= n) return false;
    if (memcmp(p, name, n) != 0) continue;
    out->at = p + n + 1;
    // a line may end in two characters
    if (p[n] == '\r' && out->at < out->end && *out->at == '\n') out->at++;
    return true;
  }
  return false;
}

// As many things of at least `bytes` bytes each must fit what is left.
static ctStatus check_count(const Source* s, int64_t count, size_t bytes, const char* what) {
  if (count < 0 || count > (int64_t)((size_t)(s->end - s->at) / bytes))
    return cti_error(s->err, CT_ERR_SYNTAX,
                     "GMSH file: it has %lld %s, but not the bytes for them: it is cut off", (long long)count,
                     what);
  if (count == 0) return cti_error(s->err, CT_ERR_SYNTAX, "GMSH file: it has no %s", what);
  if (count > CTI_GMSH_MAX_COUNT)
    return cti_error(s->err, CT_ERR_LIMIT, "GMSH file: it has %lld %s: at most %d", (long long)count, what,
                     CTI_GMSH_MAX_COUNT);
  return CT_OK;
}

static ctStatus allot_points(ctiGmsh* out, const Source* s, int64_t count, size_t bytes, ctiRegion* region) {
  CT_TRY(check_count(s, count, bytes, "nodes"));
  out->npoint = (int)count;
  out->point = CTI_NEW_ARRAY(region, double, 3 * (size_t)count);
  return out->point ? CT_OK : cti_error_memory(s->err);
}

static ctStatus allot_elements(ctiGmsh* out, const Source* s, int64_t count, size_t bytes,
                               ctiRegion* region) {
  CT_TRY(check_count(s, count, bytes, "elements"));
  out->nelement = (int)count;
  out->element = CTI_NEW_ARRAY(region, int, (size_t)(out->dim + 1) * (size_t)count);
  return out->element ? CT_OK : cti_error_memory(s->err);
}

static ctStatus read_point(ctiGmsh* out, Source* s, int i) {
  for (int k = 0; k < 3; k++) {
    double x = out->point[3 * (size_t)i + (size_t)k] = real(s);
    if (!isfinite(x)) s->failed = true;
  }
  if (!s->failed) return CT_OK;
  return cti_error(s->err, CT_ERR_SYNTAX,
                   "GMSH file: the coordinates of node %d of %d are no numbers, or the "
                   "file ends there",
                   i + 1, out->npoint);
}

// The corners of an element; `first` is the tag of the first node.
static ctStatus read_corners(ctiGmsh* out, Source* s, int i, int64_t first, bool wide_ids) {
  for (int k = 0; k <= out->dim; k++) {
    int64_t tag = wide_ids ? wide(s) : narrow(s), id = tag - first;
    if (s->failed)
      return cti_error(s->err, CT_ERR_SYNTAX, "GMSH file: element %d of %d is cut off or has no numbers",
                       i + 1, out->nelement);
    if (tag < first || id >= out->npoint)
      return cti_error(s->err, CT_ERR_SYNTAX,
                       "GMSH file: element %d has node %lld, and nodes are %lld to %lld", i + 1,
                       (long long)tag, (long long)first, (long long)(first + out->npoint - 1));
    out->element[(size_t)(out->dim + 1) * (size_t)i + (size_t)k] = (int)id;
  }
  return CT_OK;
}

// ---- version 4.1

static ctStatus read_nodes_41(ctiGmsh* out, Source* s, int64_t* first, ctiRegion* region) {
  int64_t blocks = wide(s);
  (void)wide(s);
  *first = wide(s);
  int64_t last = wide(s), dim = narrow(s);
  (void)narrow(s);
  int64_t parametric = narrow(s), count = wide(s);
  if (s->failed) return fail(s, CT_ERR_SYNTAX, "the head of $Nodes is cut off");
  if (blocks != 1) return fail(s, CT_ERR_UNSUPPORTED, "all nodes must be in one block");
  if (dim < 1 || dim > 3)
    return fail(s, CT_ERR_UNSUPPORTED, "the block of nodes must have dimension 1, 2 or 3");
  if (parametric != 0) return fail(s, CT_ERR_UNSUPPORTED, "nodes with parametric coordinates");
  out->dim = (int)dim;
  CT_TRY(allot_points(out, s, count, s->binary ? 32 : 8, region));
  if (!s->binary && last != count)
    return fail(s, CT_ERR_SYNTAX, "the largest tag of a node is not the number of nodes");
  if (*first < 0) return fail(s, CT_ERR_SYNTAX, "tags of nodes must not be negative");
  for (int64_t i = 0; i < count; i++) {
    int64_t tag = wide(s);
    if (s->failed || tag - i != *first)
      return fail(s, CT_ERR_SYNTAX, "the tags of nodes must follow each other, from the smallest");
  }
  for (int i = 0; i < out->npoint; i++) CT_TRY(read_point(out, s, i));
  return CT_OK;
}

static ctStatus read_elements_41(ctiGmsh* out, Source* s, int64_t first, ctiRegion* region) {
  static const int types[4] = {0, 1, 2, 4};
  int64_t blocks = wide(s);
  for (int i = 0; i < 3; i++) (void)wide(s);
  (void)narrow(s);
  (void)narrow(s);
  int64_t type = narrow(s), count = wide(s);
  if (s->failed) return fail(s, CT_ERR_SYNTAX, "the head of $Elements is cut off");
  if (blocks != 1) return fail(s, CT_ERR_UNSUPPORTED, "all elements must be in one block");
  if (type != types[out->dim])
    return fail(s, CT_ERR_UNSUPPORTED,
                "elements must be lines (type 1), triangles (2) or tetrahedra (4), as the dimension of the "
                "nodes says");
  CT_TRY(allot_elements(out, s, count, (size_t)(out->dim + 2) * (s->binary ? 8 : 2), region));
  for (int i = 0; i < out->nelement; i++) {
    (void)wide(s);
    CT_TRY(read_corners(out, s, i, first, true));
  }
  return CT_OK;
}

// ---- version 2.2

// Counts are text, also in a binary file: a line of its own.
static int64_t count_line(Source* s) {
  int64_t count = text_int(s);
  if (s->at < s->end && *s->at == '\r') s->at++;
  if (s->at < s->end && *s->at == '\n') s->at++;
  return count;
}

static ctStatus read_nodes_22(ctiGmsh* out, Source* s, ctiRegion* region) {
  int64_t count = count_line(s);
  if (s->failed) return fail(s, CT_ERR_SYNTAX, "the number of nodes is missing");
  CT_TRY(allot_points(out, s, count, s->binary ? 28 : 8, region));
  for (int i = 0; i < out->npoint; i++) {
    int64_t tag = narrow(s);
    if (s->failed || tag != i + 1)
      return fail(s, CT_ERR_SYNTAX, "the tags of nodes must follow each other, from 1");
    CT_TRY(read_point(out, s, i));
  }
  return CT_OK;
}

// The head of an element in text, or of a run of elements in a binary file.
typedef struct Run {
  int64_t type, count, tags;
} Run;

static Run read_run(Source* s) {
  Run r;
  if (!s->binary) (void)narrow(s);
  r.type = narrow(s);
  r.count = s->binary ? narrow(s) : 1;
  r.tags = narrow(s);
  return r;
}

static ctStatus read_elements_22(ctiGmsh* out, Source* s, ctiRegion* region) {
  int64_t count = count_line(s);
  if (s->failed) return fail(s, CT_ERR_SYNTAX, "the number of elements is missing");
  Run run = {0};
  int64_t type = 0;
  for (int i = 0; i == 0 || i < out->nelement; i++, run.count--) {
    if (run.count <= 0) {
      run = read_run(s);
      if (s->failed || run.count < 1 || run.tags < 0)
        return cti_error(s->err, CT_ERR_SYNTAX, "GMSH file: element %d is cut off or has no numbers", i + 1);
    }
    if (i == 0) {
      type = run.type;
      if (type != 2 && type != 4)
        return fail(s, CT_ERR_UNSUPPORTED, "elements must be triangles (type 2) or tetrahedra (type 4)");
      out->dim = type == 2 ? 2 : 3;
      CT_TRY(allot_elements(out, s, count, (size_t)(out->dim + 1) * (s->binary ? 4 : 2), region));
    }
    if (run.type != type)
      return cti_error(s->err, CT_ERR_UNSUPPORTED,
                       "GMSH file: element %d has type %lld, and the first has %lld: all must be of one type",
                       i + 1, (long long)run.type, (long long)type);
    if (s->binary) (void)narrow(s);
    for (int64_t k = 0; k < run.tags && !s->failed; k++) (void)narrow(s);
    CT_TRY(read_corners(out, s, i, 1, false));
  }
  return CT_OK;
}

// ---- the file

static ctStatus read_format(Source* s, int* version) {
  static const char head[] = "$MeshFormat";
  if ((size_t)(s->end - s->at) <= sizeof(head) || memcmp(s->at, head, sizeof(head) - 1) != 0)
    return fail(s, CT_ERR_SYNTAX, "it must begin with $MeshFormat");
  s->at += sizeof(head) - 1;
  double number = text_real(s);
  int64_t binary = text_int(s), bytes = text_int(s);
  if (s->failed || (binary != 0 && binary != 1))
    return fail(s, CT_ERR_SYNTAX, "behind $MeshFormat stand the version, 0 for text or 1 for binary, and 8");
  *version = number == 4.1 ? 41 : number == 2.2 ? 22 : 0;
  if (!*version)
    return fail(s, CT_ERR_UNSUPPORTED, "versions 2.2 and 4.1 are supported; export it as one of them");
  if (bytes != 8) return fail(s, CT_ERR_UNSUPPORTED, "numbers of other than 8 bytes are not supported");
  s->binary = binary == 1;
  if (!s->binary) return CT_OK;
  // a binary file shows its byte order by a one
  if (s->at < s->end && *s->at == '\r') s->at++;
  if (s->at < s->end && *s->at == '\n') s->at++;
  Source probe = *s;
  if (take_i32(&probe) == 1) return CT_OK;
  // some writers leave it out: then the section ends here
  if (s->at < s->end && *s->at == '$') return CT_OK;
  return fail(s, CT_ERR_UNSUPPORTED, "binary files must be little-endian");
}

ctStatus cti_gmsh_decode(ctiGmsh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiGmsh){0};
  if (size == 0) return cti_error(err, CT_ERR_SYNTAX, "GMSH file: it is empty");
  Source file = {.at = data, .end = data + size, .err = err}, nodes, elements;
  int version = 0;
  int64_t first = 0;
  CT_TRY(read_format(&file, &version));
  if (!find_section(&nodes, &file, "$Nodes"))
    return fail(&file, CT_ERR_SYNTAX, "the section $Nodes is missing");
  if (!find_section(&elements, &file, "$Elements"))
    return fail(&file, CT_ERR_SYNTAX, "the section $Elements is missing");
  if (version == 22) {
    CT_TRY(read_nodes_22(out, &nodes, region));
    return read_elements_22(out, &elements, region);
  }
  CT_TRY(read_nodes_41(out, &nodes, &first, region));
  return read_elements_41(out, &elements, first, region);
}
