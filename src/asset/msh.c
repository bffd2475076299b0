// MuJoCo's binary mesh: the numbers of vertices, normals, texture coordinates and faces, then these arrays,
// all little-endian and 4 bytes each.
#include <string.h>

#include "asset/decode.h"

enum { HEADER = 16 };

static uint32_t read_u32(const char* p) {
  const unsigned char* b = (const unsigned char*)p;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// Copy `n` words to an array of floats or ints; NULL when memory runs out.
static void* take_words(const char** at, size_t n, ctiRegion* region) {
  uint32_t* out = CTI_NEW_ARRAY(region, uint32_t, n);
  for (size_t i = 0; out && i < n; i++) out[i] = read_u32(*at + 4 * i);
  *at += 4 * n;
  return out;
}

ctStatus cti_msh_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  if (size < HEADER)
    return cti_error(err, CT_ERR_SYNTAX, "MSH file has %zu bytes, fewer than its header of %d", size, HEADER);
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
  uint64_t needed = HEADER + 12 * ((uint64_t)n[0] + n[1] + n[3]) + 8 * (uint64_t)n[2];
  if (size != needed) {
    return cti_error(err, CT_ERR_SYNTAX, "MSH file has %zu bytes, its counts ask for %llu", size,
                     (unsigned long long)needed);
  }

  const char* at = data + HEADER;
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
