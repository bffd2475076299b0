// Binary STL: 80 bytes nobody reads, the number of triangles, and for each a normal, three corners and two
// bytes.
#include <string.h>

#include "asset/decode.h"

enum { HEADER = 80, START = 84, RECORD = 50, NORMAL = 12 };

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

static bool looks_like_text(const char* data, size_t size) {
  return size >= 5 && memcmp(data, "solid", 5) == 0;
}

static ctStatus check_size(int* nface, const char* data, size_t size, ctError* err) {
  const char* hint =
      looks_like_text(data, size) ? " (it looks like a text STL; only binary STL is read)" : "";
  if (size < START) {
    return cti_error(err, CT_ERR_SYNTAX, "STL file has %zu bytes, fewer than its header of %d%s", size, START,
                     hint);
  }
  uint32_t count = read_u32(data + HEADER);
  if ((size - START) / RECORD != count || (size - START) % RECORD != 0) {
    return cti_error(err, CT_ERR_SYNTAX, "STL file of %zu bytes cannot hold the %u triangles it announces%s",
                     size, (unsigned)count, hint);
  }
  if (count == 0) return cti_error(err, CT_ERR_SYNTAX, "STL file has no triangles");
  if (count > CTI_MESH_MAX_COUNT / 3) {
    return cti_error(err, CT_ERR_LIMIT, "STL file has %u triangles, at most %d are allowed", (unsigned)count,
                     CTI_MESH_MAX_COUNT / 3);
  }
  *nface = (int)count;
  return CT_OK;
}

ctStatus cti_stl_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  int nface = 0;
  CT_TRY(check_size(&nface, data, size, err));
  Pool pool = {.mask = 15};
  while (pool.mask < 4 * (uint32_t)nface) pool.mask = 2 * pool.mask + 1;
  pool.bits =
      (uint32_t(*)[3])cti_region_array(region, 3 * (size_t)nface, sizeof(*pool.bits), alignof(uint32_t));
  pool.slots = CTI_NEW_ARRAY(region, int, (size_t)pool.mask + 1);
  out->face = CTI_NEW_ARRAY(region, int, 3 * (size_t)nface);
  if (!pool.bits || !pool.slots || !out->face) return cti_error_memory(err);

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
  out->nface = nface;
  out->nvert = pool.count;
  out->vert = cti_widen((const float*)(const void*)pool.bits, 3 * (size_t)pool.count, region);
  return out->vert ? CT_OK : cti_error_memory(err);
}
