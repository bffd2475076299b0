#include "asset/mesh_files.h"

#include <math.h>
#include <string.h>

#include "base/files.h"
#include "base/fn.h"
#include "base/number.h"
#include "base/strings.h"

// ---- STL

// Binary: 80 bytes nobody reads, the number of triangles, and for each a normal, three corners and two
// bytes. Text: "solid", its name, and triangles in words.

enum { STL_HEADER = 80, START = 84, RECORD = 50, NORMAL = 12 };

static uint32_t read_u32(const char* p) {
  const unsigned char* b = (const unsigned char*)p;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// Vertices found so far, by their bits: open addressing over `slots`, which hold index + 1.
typedef struct Pool {
  uint32_t (*bits)[3];
  int count;
  int* slots;
  uint32_t mask;
} Pool;

static uint32_t hash_bits(const uint32_t v[3]) {
  uint64_t h = v[0] * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 29) ^ v[1]) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 29) ^ v[2]) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(h >> 32);
}

// Index of a vertex; new ones are appended.
static int pool_find(Pool* pool, const uint32_t v[3]) {
  uint32_t at = hash_bits(v) & pool->mask;
  for (; pool->slots[at]; at = (at + 1) & pool->mask) {
    int index = pool->slots[at] - 1;
    if (memcmp(pool->bits[index], v, sizeof(pool->bits[index])) == 0) return index;
  }
  memcpy(pool->bits[pool->count], v, sizeof(pool->bits[0]));
  pool->slots[at] = pool->count + 1;
  return pool->count++;
}

static bool is_finite_bits(uint32_t bits) {
  return (bits & 0x7f800000u) != 0x7f800000u;
}

// Room for the corners of `nface` triangles.
static ctStatus pool_create(Pool* pool, ctiRawMesh* out, int nface, ctiRegion* region, ctError* err) {
  *pool = (Pool){.mask = 15};
  while (pool->mask < 4 * (uint32_t)nface) pool->mask = 2 * pool->mask + 1;
  pool->bits =
      (uint32_t(*)[3])cti_region_array(region, 3 * (size_t)nface, sizeof(*pool->bits), alignof(uint32_t));
  pool->slots = CTI_NEW_ARRAY(region, int, (size_t)pool->mask + 1);
  out->face = CTI_NEW_ARRAY(region, int, 3 * (size_t)nface);
  return pool->bits && pool->slots && out->face ? CT_OK : cti_error_memory(err);
}

static ctStatus pool_finish(const Pool* pool, ctiRawMesh* out, int nface, ctiRegion* region, ctError* err) {
  out->nface = nface;
  out->nvert = pool->count;
  out->vert = cti_widen((const float*)(const void*)pool->bits, 3 * (size_t)pool->count, region);
  return out->vert ? CT_OK : cti_error_memory(err);
}

static ctStatus check_count(size_t count, ctError* err) {
  if (count == 0) return cti_error(err, CT_ERR_SYNTAX, "STL file has no triangles");
  if (count > CTI_MESH_MAX_COUNT / 3) {
    return cti_error(err, CT_ERR_LIMIT, "STL file has %zu triangles, at most %d are allowed", count,
                     CTI_MESH_MAX_COUNT / 3);
  }
  return CT_OK;
}

// ---- STL as text

typedef struct Words {
  const char *next, *end;  // what is left
  const char* word;
  size_t size;  // of the word, 0 at the end
  int line;
} Words;

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0;
}

static void next_word(Words* w) {
  for (; w->next < w->end && is_blank(*w->next); w->next++) w->line += *w->next == '\n';
  w->word = w->next;
  while (w->next < w->end && !is_blank(*w->next)) w->next++;
  w->size = (size_t)(w->next - w->word);
}

static void skip_line(Words* w) {
  while (w->next < w->end && *w->next != '\n') w->next++;
}

// In any case.
static bool is_word(const Words* w, const char* text) {
  size_t i = 0;
  for (; i < w->size && text[i]; i++) {
    char c = w->word[i];
    if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != text[i]) return false;
  }
  return i == w->size && !text[i];
}

static ctStatus wrong_word(const Words* w, const char* wanted, ctError* err) {
  if (w->size == 0)
    return cti_error(err, CT_ERR_SYNTAX, "STL text ends in line %d where %s should follow", w->line, wanted);
  return cti_error(err, CT_ERR_SYNTAX, "STL text, line %d: \"%.*s\" where %s should be", w->line,
                   (int)(w->size < 40 ? w->size : 40), w->word, wanted);
}

// A line that is always the same, word by word.
static ctStatus expect(Words* w, const char* const* words, int n, ctError* err) {
  for (int i = 0; i < n; i++) {
    next_word(w);
    if (!is_word(w, words[i])) return wrong_word(w, words[i], err);
  }
  return CT_OK;
}

static ctStatus read_vertex(Words* w, uint32_t out[3], ctError* err) {
  static const char* const vertex[] = {"vertex"};
  CT_TRY(expect(w, vertex, 1, err));
  for (int k = 0; k < 3; k++) {
    double x;
    next_word(w);
    if (w->size == 0 || cti_parse_real(w->word, w->word + w->size, &x) != CTI_NUMBER_OK ||
        !isfinite((float)x)) {
      return wrong_word(w, "a finite number", err);
    }
    float plain = (float)x + 0.0f;  // -0 is 0
    memcpy(&out[k], &plain, sizeof(plain));
  }
  return CT_OK;
}

// Between "facet" and "endfacet". Normals are left to the corners, as in binary files.
static ctStatus read_facet(Words* w, Pool* pool, int* face, ctError* err) {
  static const char* const normal[] = {"normal"};
  static const char* const begin[] = {"outer", "loop"};
  static const char* const end[] = {"endloop", "endfacet"};
  CT_TRY(expect(w, normal, 1, err));
  for (int k = 0; k < 3; k++) next_word(w);
  CT_TRY(expect(w, begin, 2, err));
  for (int k = 0; k < 3; k++) {
    uint32_t v[3];
    CT_TRY(read_vertex(w, v, err));
    face[k] = pool_find(pool, v);
  }
  return expect(w, end, 2, err);
}

static bool looks_like_text(const char* data, size_t size) {
  Words w = {.next = data, .end = data + size, .line = 1};
  next_word(&w);
  return is_word(&w, "solid");
}

static ctStatus decode_text(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  const Words start = {.next = data, .end = data + size, .line = 1};
  Words w = start;
  size_t count = 0;
  do {
    next_word(&w);
    count += is_word(&w, "facet");
  } while (w.size > 0);
  CT_TRY(check_count(count, err));
  Pool pool;
  CT_TRY(pool_create(&pool, out, (int)count, region, err));
  int nface = 0;
  for (w = start, next_word(&w); w.size > 0; next_word(&w)) {
    if (is_word(&w, "facet")) {
      CT_TRY(read_facet(&w, &pool, out->face + 3 * (size_t)nface++, err));
    } else if (is_word(&w, "solid") || is_word(&w, "endsolid")) {
      skip_line(&w);  // its name
    } else {
      return wrong_word(&w, "facet or endsolid", err);
    }
  }
  // names may have the word as well
  if (nface == 0) return check_count(0, err);
  return pool_finish(&pool, out, nface, region, err);
}

// ---- STL as bytes

static ctStatus check_size(int* nface, const char* data, size_t size, ctError* err) {
  if (size < START) {
    return cti_error(err, CT_ERR_SYNTAX, "STL file has %zu bytes, fewer than its header of %d", size, START);
  }
  uint32_t count = read_u32(data + STL_HEADER);
  if ((size - START) / RECORD != count || (size - START) % RECORD != 0) {
    return cti_error(err, CT_ERR_SYNTAX, "STL file of %zu bytes cannot hold the %u triangles it announces",
                     size, (unsigned)count);
  }
  CT_TRY(check_count(count, err));
  *nface = (int)count;
  return CT_OK;
}

ctStatus cti_stl_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  int nface = 0;
  // the header of a binary file may begin like a text
  if (looks_like_text(data, size) && check_size(&nface, data, size, NULL) != CT_OK)
    return decode_text(out, data, size, region, err);
  CT_TRY(check_size(&nface, data, size, err));
  Pool pool;
  CT_TRY(pool_create(&pool, out, nface, region, err));
  for (int i = 0; i < 3 * nface; i++) {
    const char* at = data + START + (size_t)(i / 3) * RECORD + NORMAL + (size_t)(i % 3) * 12;
    uint32_t v[3];
    for (int k = 0; k < 3; k++) {
      v[k] = read_u32(at + 4 * k);
      if (!is_finite_bits(v[k])) {
        return cti_error(err, CT_ERR_SYNTAX, "STL triangle %d has a coordinate that is not finite", i / 3);
      }
    }
    out->face[i] = pool_find(&pool, v);
  }
  return pool_finish(&pool, out, nface, region, err);
}

// ---- MSH

// MuJoCo's binary mesh: the numbers of vertices, normals, texture coordinates and faces, then these arrays,
// all little-endian and 4 bytes each.

enum { MSH_HEADER = 16 };

// Copy `n` words to an array of floats or ints; NULL when memory runs out.
static void* take_words(const char** at, size_t n, ctiRegion* region) {
  uint32_t* out = CTI_NEW_ARRAY(region, uint32_t, n);
  for (size_t i = 0; out && i < n; i++) out[i] = read_u32(*at + 4 * i);
  *at += 4 * n;
  return out;
}

ctStatus cti_msh_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  if (size < MSH_HEADER)
    return cti_error(err, CT_ERR_SYNTAX, "MSH file has %zu bytes, fewer than its header of %d", size,
                     MSH_HEADER);
  uint32_t n[4];
  for (int i = 0; i < 4; i++) {
    n[i] = read_u32(data + 4 * i);
    if (n[i] > CTI_MESH_MAX_COUNT) {
      return cti_error(err, CT_ERR_SYNTAX, "MSH file: count number %d is negative or larger than %d", i + 1,
                       CTI_MESH_MAX_COUNT);
    }
  }
  if (n[0] < 4)
    return cti_error(err, CT_ERR_SYNTAX, "MSH file has %u vertices, at least 4 are needed", (unsigned)n[0]);
  if ((n[1] && n[1] != n[0]) || (n[2] && n[2] != n[0])) {
    return cti_error(
        err, CT_ERR_SYNTAX,
        "MSH file has %u vertices, %u normals and %u texture coordinates: the last two must be 0 or as many",
        (unsigned)n[0], (unsigned)n[1], (unsigned)n[2]);
  }
  uint64_t needed = MSH_HEADER + 12 * ((uint64_t)n[0] + n[1] + n[3]) + 8 * (uint64_t)n[2];
  if (size != needed) {
    return cti_error(err, CT_ERR_SYNTAX, "MSH file has %zu bytes, its counts ask for %llu", size,
                     (unsigned long long)needed);
  }

  const char* at = data + MSH_HEADER;
  ctiRawMesh m = {.nvert = (int)n[0], .nnormal = (int)n[1], .ntexcoord = (int)n[2], .nface = (int)n[3]};
  const float* vert = (const float*)take_words(&at, 3 * (size_t)n[0], region);
  if (vert) m.vert = cti_widen(vert, 3 * (size_t)n[0], region);
  if (n[1]) m.normal = (float*)take_words(&at, 3 * (size_t)n[1], region);
  if (n[2]) m.texcoord = (float*)take_words(&at, 2 * (size_t)n[2], region);
  if (n[3]) m.face = (int*)take_words(&at, 3 * (size_t)n[3], region);
  if (!m.vert || (n[1] && !m.normal) || (n[2] && !m.texcoord) || (n[3] && !m.face))
    return cti_error_memory(err);
  *out = m;
  return CT_OK;
}

// ---- the format of a file

typedef ctStatus Decoder(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);

typedef struct Format {
  const char *extension, *content_type;
  Decoder* decode;
} Format;

static const Format formats[] = {
    {"obj", "model/obj", cti_obj_decode},
    {"stl", "model/stl", cti_stl_decode},
    {"msh", "model/vnd.mujoco.msh", cti_msh_decode},
    {"dae", "model/vnd.collada+xml", cti_dae_decode},
};

static const Format* find_format(const char* file, const char* content_type) {
  const char* extension = file ? cti_path_extension(file) : "";
  const int count = CT_COUNT_OF(formats);
  for (int i = 0; i < count && content_type; i++) {
    if (cti_text_equal_nocase(content_type, formats[i].content_type)) return &formats[i];
  }
  for (int i = 0; i < count; i++) {
    if (cti_text_equal_nocase(extension, formats[i].extension)) return &formats[i];
  }
  return NULL;
}

ctStatus cti_mesh_decode(ctiRawMesh* out, const char* file, const char* content_type, const char* data,
                         size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  const Format* format = find_format(file, content_type);
  if (format) return format->decode(out, data, size, region, err);
  // formats that others write, and users ask for
  static const struct {
    const char *extension, *name;
  } known[] = {{"ply", "PLY"}, {"glb", "glTF"}, {"gltf", "glTF"},
               {"3ds", "3DS"}, {"fbx", "FBX"},  {"usd", "USD"}};
  const char* extension = file ? cti_path_extension(file) : "";
  for (int i = 0; i < CT_COUNT_OF(known); i++) {
    if (cti_text_equal_nocase(extension, known[i].extension))
      return cti_error(err, CT_ERR_UNSUPPORTED,
                       "\"%s\": %s files are not read; convert it to OBJ or STL, or give a decoder", file,
                       known[i].name);
  }
  return cti_error(
      err, CT_ERR_UNSUPPORTED,
      "\"%s\" is not a mesh file: the extension must be obj, stl, dae or msh, or the content type model/obj, "
      "model/stl, model/vnd.collada+xml or model/vnd.mujoco.msh",
      file ? file : "");
}

// ---- from a source to checked arrays

static ctStatus check_multiple(const char* what, int count, int width, ctError* err) {
  if (count < 0 || count % width != 0) {
    return cti_error(err, CT_ERR_INVALID, "%s has %d numbers: must be a multiple of %d", what, count, width);
  }
  if (count / width > CTI_MESH_MAX_COUNT) {
    return cti_error(err, CT_ERR_LIMIT, "%s has %d rows, at most %d are allowed", what, count / width,
                     CTI_MESH_MAX_COUNT);
  }
  return CT_OK;
}

static void* copy_array(const void* from, int count, size_t size, ctiRegion* region) {
  void* to = cti_region_array(region, (size_t)count, size, size);
  if (to && count > 0) memcpy(to, from, size * (size_t)count);
  return to;
}

static ctStatus copy_arrays(ctiRawMesh* out, const ctiMeshSource* s, ctiRegion* region, ctError* err) {
  CT_TRY(check_multiple("vertex", s->nvertex, 3, err));
  CT_TRY(check_multiple("normal", s->nnormal, 3, err));
  CT_TRY(check_multiple("texcoord", s->ntexcoord, 2, err));
  CT_TRY(check_multiple("face", s->nface, 3, err));
  *out = (ctiRawMesh){.nvert = s->nvertex / 3,
                      .nnormal = s->nnormal / 3,
                      .ntexcoord = s->ntexcoord / 2,
                      .nface = s->nface / 3};
  out->vert = cti_widen(s->vertex, (size_t)s->nvertex, region);
  out->normal = (float*)copy_array(s->normal, s->nnormal, sizeof(float), region);
  out->texcoord = (float*)copy_array(s->texcoord, s->ntexcoord, sizeof(float), region);
  out->face = (int*)copy_array(s->face, s->nface, sizeof(int), region);
  if (!out->vert || !out->normal || !out->texcoord || !out->face) return cti_error_memory(err);
  return CT_OK;
}

static ctStatus read_source(ctiRawMesh* out, bool* flat, const ctiMeshSource* s, ctiRegion* region,
                            ctError* err) {
  int given = (s->data != NULL) + (s->builtin != CTI_BUILTIN_NONE) + (s->nvertex > 0) + (s->surface != NULL);
  if (given > 1)
    return cti_error(err, CT_ERR_INVALID, "only one of file, builtin, vertex and plugin may be given");
  if (given == 0)
    return cti_error(err, CT_ERR_INVALID, "one of file, builtin, vertex and plugin must be given");
  if (s->surface) return cti_marching_cubes(out, s->surface, region, err);
  if (s->data) return cti_mesh_decode(out, s->file, s->content_type, s->data, s->size, region, err);
  if (s->builtin != CTI_BUILTIN_NONE) {
    return cti_builtin_make(out, flat, s->builtin, s->params, s->nparam, region, err);
  }
  return copy_arrays(out, s, region, err);
}

static ctStatus check_finite(const ctiRawMesh* m, ctError* err) {
  for (int i = 0; i < 3 * m->nvert; i++) {
    if (!isfinite(m->vert[i])) return cti_error(err, CT_ERR_INVALID, "vertex %d is not finite", i / 3);
  }
  for (int i = 0; i < 3 * m->nnormal; i++) {
    if (!isfinite(m->normal[i])) return cti_error(err, CT_ERR_INVALID, "normal %d is not finite", i / 3);
  }
  return CT_OK;
}

static ctStatus check_indices(const char* what, const int* index, int nface, int count, ctError* err) {
  for (int i = 0; index && i < 3 * nface; i++) {
    if (index[i] < 0 || index[i] >= count) {
      return cti_error(err, CT_ERR_INVALID, "face %d refers to %s %d, but there are %d (counted from 0)",
                       i / 3, what, index[i], count);
    }
  }
  return CT_OK;
}

static ctStatus check_mesh(const ctiRawMesh* m, ctError* err) {
  if (m->nvert < 4)
    return cti_error(err, CT_ERR_INVALID, "there are %d vertices, at least 4 are needed", m->nvert);
  CT_TRY(check_finite(m, err));
  CT_TRY(check_indices("vertex", m->face, m->nface, m->nvert, err));
  CT_TRY(check_indices("normal", m->facenormal, m->nface, m->nnormal, err));
  CT_TRY(check_indices("texture coordinate", m->facetexcoord, m->nface, m->ntexcoord, err));
  if (m->ntexcoord > 0 && !m->facetexcoord && m->ntexcoord != m->nvert) {
    return cti_error(err, CT_ERR_INVALID, "there are %d vertices and %d texture coordinates: must be as many",
                     m->nvert, m->ntexcoord);
  }
  return CT_OK;
}

ctStatus cti_mesh_load(ctiRawMesh* out, bool* flat, const ctiMeshSource* source, ctiRegion* region,
                       ctError* err) {
  *out = (ctiRawMesh){0};
  *flat = false;
  CT_TRY(read_source(out, flat, source, region, err));
  return check_mesh(out, err);
}
