// Wavefront OBJ. Of the many statements only v, vt, vn and f say something about the mesh, and o and g where
// it ends.
#include <float.h>
#include <math.h>
#include <string.h>

#include "asset/mesh_files.h"
#include "base/alloc.h"
#include "base/number.h"

// ---- polygons cut into triangles

// Everything is in floats and in the order of MuJoCo, since the choice of diagonals decides volume and
// inertia of surfaces whose polygons are not flat.

static float squared_distance(const float* a, const float* b) {
  float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return x * x + y * y + z * z;
}

static int* put(int* out, int a, int b, int c) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  return out + 3;
}

// The two axes that span the plane in which ears are sought: the third is the largest component of the normal
// at the first corner that is not straight.
static void choose_axes(int axes[2], const float* at, int n) {
  axes[0] = 1;
  axes[1] = 2;
  for (int k = 0; k < n; k++) {
    const float *p = at + 3 * k, *q = at + 3 * ((k + 1) % n), *r = at + 3 * ((k + 2) % n);
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
      a[i] = q[i] - p[i];
      b[i] = r[i] - q[i];
    }
    float x = fabsf(a[1] * b[2] - a[2] * b[1]), y = fabsf(a[2] * b[0] - a[0] * b[2]),
          z = fabsf(a[0] * b[1] - a[1] * b[0]);
    if (x <= FLT_EPSILON && y <= FLT_EPSILON && z <= FLT_EPSILON) continue;
    if (x > y && x > z) return;
    axes[0] = 0;
    if (z > x && z > y) axes[1] = 1;
    return;
  }
}

// Is (x, y) inside the triangle? Counts crossings of the ray to the right.
static bool inside(const float tx[3], const float ty[3], float x, float y) {
  bool in = false;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if ((ty[i] > y) != (ty[j] > y) && x < (tx[j] - tx[i]) * (y - ty[i]) / (ty[j] - ty[i]) + tx[i]) in = !in;
  }
  return in;
}

// May corners k, k+1, k+2 of what is left be cut off? The turn at the middle one must have the sign with
// which the first edge goes round the origin, and no other corner may lie inside.
static bool is_ear(const float* at, const int* left, int n, int k, const int axes[2]) {
  float x[3], y[3];
  for (int i = 0; i < 3; i++) {
    const float* p = at + 3 * left[(k + i) % n];
    x[i] = p[axes[0]];
    y[i] = p[axes[1]];
  }
  float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
  float area = (x[0] * y[1] - y[0] * x[1]) * 0.5f;
  if (turn * area < 0) return false;
  for (int i = 3; i < n; i++) {
    const float* p = at + 3 * left[(k + i) % n];
    if (inside(x, y, p[axes[0]], p[axes[1]])) return false;
  }
  return true;
}

// Once round what is left without finding an ear is the end: the rest of a polygon that crosses itself is
// given up. So is, as in MuJoCo, what is left when only the very last try found an ear.
static int clip_ears(int* out, const float* at, int n, int* left) {
  int axes[2], k = 0, tries = n;
  int* first = out;
  bool fresh = false;  // an ear was cut in the last round
  choose_axes(axes, at, n);
  for (int i = 0; i < n; i++) left[i] = i;
  while (n > 3 && tries > 0) {
    if (k >= n) k -= n;
    tries = fresh ? n : tries - 1;
    fresh = is_ear(at, left, n, k, axes);
    if (!fresh) {
      k++;
      continue;
    }
    out = put(out, left[k], left[(k + 1) % n], left[(k + 2) % n]);
    int cut = (k + 1) % n;
    memmove(left + cut, left + cut + 1, sizeof(*left) * (size_t)(n - cut - 1));
    n--;
  }
  if (n == 3) out = put(out, left[0], left[1], left[2]);
  return (int)(out - first) / 3;
}

int cti_triangulate(int* out, const float* at, int n, int* left) {
  if (n > CTI_POLYGON_MAX) return 0;
  if (n > 4) return clip_ears(out, at, n, left);
  if (n == 3) {
    put(out, 0, 1, 2);
    return 1;
  }
  bool first = squared_distance(at, at + 6) < squared_distance(at + 3, at + 9);
  put(out, 0, 1, first ? 2 : 3);
  put(out + 3, first ? 0 : 1, 2, 3);
  return 2;
}

// ---- reading

typedef CTI_ARRAY(float) Floats;
typedef CTI_ARRAY(int) Ints;

enum { POSITION, TEXTURE, NORMAL, KINDS };

// Texts and tuple lengths by kind.
static const struct Kind {
  const char* what;
  int length, required;
} kinds[KINDS] = {
    [POSITION] = {"vertex", 3, 3}, [TEXTURE] = {"texture coordinate", 2, 1}, [NORMAL] = {"normal", 3, 3}};

// Reader state. Corners hold one index of each kind, 0-based, -1 when not given.
typedef struct Reader {
  const char *at, *end;
  int line;
  Floats values[KINDS];
  Ints corners;  // KINDS a corner
  Ints sizes;    // corners of each polygon
  int ntriangle, largest;
  bool begun, closed;  // the object at hand has faces or lines; a later one has begun
  ctiRegion* region;
  ctError* err;
  CTI_ARRAY(int) lines;  // ends of segments
} Reader;

static ctStatus fail(const Reader* r, ctStatus status, const char* text, const char* what) {
  return cti_error(r->err, status, "OBJ line %d: %s%s", r->line, text, what);
}

// Blanks within a line. A backslash at its end joins the next line.
static void skip_blanks(Reader* r) {
  for (;; r->at++) {
    const char* p = r->at;
    if (p == r->end) return;
    if (*p == ' ' || *p == '\t') continue;
    if (*p != '\\') return;
    if (p + 1 < r->end && p[1] == '\n') {
      r->at += 1;
    } else if (p + 2 < r->end && p[1] == '\r' && p[2] == '\n') {
      r->at += 2;
    } else {
      return;
    }
    r->line++;
  }
}

static bool at_line_end(const Reader* r) {
  return r->at == r->end || *r->at == '\n' || *r->at == '\r' || *r->at == '#';
}

static void skip_line(Reader* r) {
  const char* stop = r->at;
  while (stop < r->end && *stop != '\n' && *stop != '\r') stop++;
  if (stop < r->end && *stop == '\r' && stop + 1 < r->end && stop[1] == '\n') stop++;
  r->at = stop < r->end ? stop + 1 : stop;
  r->line++;
}

static ctStatus read_float(Reader* r, float* out) {
  const char* p = r->at;
  while (p < r->end && (unsigned char)*p > ' ' && *p != '#') p++;
  double value = 0;
  ctiNumber kind = cti_parse_real(r->at, p, &value);
  if (kind == CTI_NUMBER_BAD) return fail(r, CT_ERR_SYNTAX, "expected a number", "");
  if (kind != CTI_NUMBER_OK || fabs(value) > (double)FLT_MAX) {
    return fail(r, CT_ERR_SYNTAX, "number is not finite or too large", "");
  }
  *out = (float)value;
  r->at = p;
  return CT_OK;
}

// A tuple: missing numbers at the end are 0 where allowed, numbers too many are ignored (weights, colours).
static ctStatus read_tuple(Reader* r, int kind) {
  float tuple[3] = {0};
  const struct Kind* k = &kinds[kind];
  for (int i = 0; i < k->length; i++) {
    skip_blanks(r);
    if (at_line_end(r)) {
      if (i < k->required) return fail(r, CT_ERR_SYNTAX, "too few numbers for a ", k->what);
      break;
    }
    CT_TRY(read_float(r, &tuple[i]));
  }
  Floats* list = &r->values[kind];
  if (list->count / k->length >= CTI_MESH_MAX_COUNT) return fail(r, CT_ERR_LIMIT, "too many of: ", k->what);
  if (cti_array_append(list, cti_region_allocator(r->region), tuple, k->length) != CT_OK) {
    return cti_error_memory(r->err);
  }
  return CT_OK;
}

// A whole number other than 0, made 0-based; negative ones count back from the last tuple so far.
static ctStatus read_index(Reader* r, int kind, int* out) {
  bool negative = r->at < r->end && *r->at == '-';
  int64_t value = 0;
  const char* p = r->at + negative;
  for (; p < r->end && *p >= '0' && *p <= '9' && value <= CTI_MESH_MAX_COUNT; p++)
    value = 10 * value + (*p - '0');
  if (p == r->at + negative || value == 0 || value > CTI_MESH_MAX_COUNT) {
    return fail(r, CT_ERR_SYNTAX, "expected a whole number from 1 or -1 on as the index of a ",
                kinds[kind].what);
  }
  int64_t index = negative ? r->values[kind].count / kinds[kind].length - value : value - 1;
  if (index < 0) return fail(r, CT_ERR_SYNTAX, "relative index reaches before the first ", kinds[kind].what);
  r->at = p;
  *out = (int)index;
  return CT_OK;
}

// v, v/vt, v//vn or v/vt/vn
static ctStatus read_corner(Reader* r) {
  int corner[KINDS] = {-1, -1, -1};
  CT_TRY(read_index(r, POSITION, &corner[POSITION]));
  for (int kind = TEXTURE; kind < KINDS && r->at < r->end && *r->at == '/'; kind++) {
    r->at++;
    bool given = r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'));
    if (given) CT_TRY(read_index(r, kind, &corner[kind]));
  }
  if (!at_line_end(r) && *r->at != ' ' && *r->at != '\t' && *r->at != '\\') {
    return fail(r, CT_ERR_SYNTAX, "a corner is written v, v/vt, v//vn or v/vt/vn", "");
  }
  if (cti_array_append(&r->corners, cti_region_allocator(r->region), corner, KINDS) != CT_OK) {
    return cti_error_memory(r->err);
  }
  return CT_OK;
}

// Polygons of fewer than three corners have no area and are dropped.
static ctStatus read_face(Reader* r) {
  int start = r->corners.count, n = 0;
  for (skip_blanks(r); !at_line_end(r); skip_blanks(r), n++) {
    if (r->corners.count > INT32_MAX - 2 * KINDS) return fail(r, CT_ERR_LIMIT, "too many corners", "");
    CT_TRY(read_corner(r));
  }
  if (n < 3) {
    r->corners.count = start;
    return CT_OK;
  }
  r->ntriangle += n - 2;
  if (r->ntriangle > CTI_MESH_MAX_COUNT) return fail(r, CT_ERR_LIMIT, "too many faces", "");
  if (n > r->largest) r->largest = n;
  return cti_array_push(&r->sizes, cti_region_allocator(r->region), n) == CT_OK ? CT_OK
                                                                                : cti_error_memory(r->err);
}

// The segments of a polyline, by the positions of their ends.
static ctStatus read_line(Reader* r) {
  int start = r->corners.count, last = -1;
  for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
    CT_TRY(read_corner(r));
    int corner = r->corners.data[start + POSITION];
    r->corners.count = start;
    for (int k = 0; k < 2 && last >= 0; k++) {
      if (cti_array_push(&r->lines, cti_region_allocator(r->region), k ? corner : last) != CT_OK)
        return cti_error_memory(r->err);
    }
    last = corner;
  }
  return CT_OK;
}

static ctStatus read_statement(Reader* r) {
  const char* word = r->at;
  size_t size = 0;
  while (word + size < r->end && (unsigned char)word[size] > ' ') size++;
  r->at = word + size;
  if (size == 1 && word[0] == 'v') return read_tuple(r, POSITION);
  if (size == 1 && (word[0] == 'o' || word[0] == 'g')) {
    // as in MuJoCo, a mesh has the faces of the first object that has any; those of later ones are left out
    r->closed = r->closed || r->begun;
    return CT_OK;
  }
  if (size == 1 && (word[0] == 'f' || word[0] == 'l')) {
    if (r->closed) return CT_OK;
    r->begun = true;
    return word[0] == 'f' ? read_face(r) : read_line(r);
  }
  if (size == 2 && word[0] == 'v' && word[1] == 't') return read_tuple(r, TEXTURE);
  if (size == 2 && word[0] == 'v' && word[1] == 'n') return read_tuple(r, NORMAL);
  return CT_OK;
}

static ctStatus read_all(Reader* r) {
  while (r->at < r->end) {
    skip_blanks(r);
    if (!at_line_end(r)) CT_TRY(read_statement(r));
    skip_line(r);
  }
  return CT_OK;
}

// True when every corner has an index of this kind, within range. Positions and normals that are out of range
// are errors; texture coordinates are then given up, as only drawing needs them.
static ctStatus check_kind(const Reader* r, int kind, bool* complete) {
  int count = r->values[kind].count / kinds[kind].length, ncorner = r->corners.count / KINDS;
  *complete = count > 0 && ncorner > 0;
  for (int i = 0; i < ncorner; i++) {
    int index = r->corners.data[KINDS * i + kind];
    if (index >= 0 && index < count) continue;
    *complete = false;
    if (index >= count && kind != TEXTURE) {
      return cti_error(r->err, CT_ERR_SYNTAX, "OBJ face refers to %s %d, but there are %d", kinds[kind].what,
                       index + 1, count);
    }
  }
  return CT_OK;
}

// Index array of one kind, in the order of the triangles.
static int* index_kind(const Reader* r, const int* triangles, int kind) {
  int* out = CTI_NEW_ARRAY(r->region, int, 3 * (size_t)r->ntriangle);
  for (int i = 0; out && i < 3 * r->ntriangle; i++) out[i] = r->corners.data[KINDS * triangles[i] + kind];
  return out;
}

// Corner numbers of all triangles.
static int* cut_polygons(Reader* r) {
  int* triangles = CTI_NEW_ARRAY(r->region, int, 3 * (size_t)r->ntriangle);
  int* left = CTI_NEW_ARRAY(r->region, int, r->largest);
  float* at = CTI_NEW_ARRAY(r->region, float, 3 * (size_t)r->largest);
  if (!triangles || !left || !at) return NULL;
  int first = 0;
  int* out = triangles;
  r->ntriangle = 0;
  for (int p = 0; p < r->sizes.count; p++) {
    int n = r->sizes.data[p];
    for (int i = 0; i < n; i++) {
      const float* v = r->values[POSITION].data + 3 * r->corners.data[KINDS * (first + i)];
      memcpy(at + 3 * i, v, 3 * sizeof(*v));
    }
    int count = cti_triangulate(out, at, n, left);
    for (int i = 0; i < 3 * count; i++) *out++ += first;
    r->ntriangle += count;
    first += n;
  }
  return triangles;
}

static ctStatus finish(ctiRawMesh* out, Reader* r) {
  bool complete[KINDS];
  for (int kind = 0; kind < KINDS; kind++) CT_TRY(check_kind(r, kind, &complete[kind]));
  out->nvert = r->values[POSITION].count / 3;
  out->vert = cti_widen(r->values[POSITION].data, (size_t)r->values[POSITION].count, r->region);
  if (!out->vert) return cti_error_memory(r->err);
  if (complete[NORMAL]) {
    out->nnormal = r->values[NORMAL].count / 3;
    out->normal = r->values[NORMAL].data;
  }
  if (complete[TEXTURE]) {
    out->ntexcoord = r->values[TEXTURE].count / 2;
    out->texcoord = r->values[TEXTURE].data;
    // images start at the top
    for (int i = 0; i < out->ntexcoord; i++) out->texcoord[2 * i + 1] = 1 - out->texcoord[2 * i + 1];
  }
  for (int i = 0; i < r->lines.count; i++) {
    if (r->lines.data[i] >= 0 && r->lines.data[i] < out->nvert) continue;
    return cti_error(r->err, CT_ERR_SYNTAX, "OBJ line refers to vertex %d, but there are %d",
                     r->lines.data[i] + 1, out->nvert);
  }
  out->nline = r->lines.count / 2;
  out->line = r->lines.data;
  if (r->ntriangle == 0 && r->closed)
    return cti_error(r->err, CT_ERR_INVALID,
                     "OBJ: the first object has no faces; put the one with the faces first");
  if (r->ntriangle == 0) return CT_OK;
  int* triangles = cut_polygons(r);
  if (!triangles) return cti_error_memory(r->err);
  out->nface = r->ntriangle;
  out->face = index_kind(r, triangles, POSITION);
  if (complete[NORMAL]) out->facenormal = index_kind(r, triangles, NORMAL);
  if (complete[TEXTURE]) out->facetexcoord = index_kind(r, triangles, TEXTURE);
  bool ok = out->face && (!complete[NORMAL] || out->facenormal) && (!complete[TEXTURE] || out->facetexcoord);
  return ok ? CT_OK : cti_error_memory(r->err);
}

ctStatus cti_obj_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  Reader reader = {.at = data, .end = data + size, .line = 1, .region = region, .err = err};
  CT_TRY(read_all(&reader));
  ctStatus status = finish(out, &reader);
  if (status != CT_OK) *out = (ctiRawMesh){0};
  return status;
}
