#include "base/strings.h"

#include <string.h>

// ---- hashes and maps of names

uint64_t cti_hash_bytes(const void* bytes, size_t size) {
  const unsigned char* p = (const unsigned char*)bytes;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

// Four lanes of eight bytes each, turned and multiplied; what is left goes byte by byte into a hash of the
// lanes and the size.
uint64_t cti_checksum(const void* bytes, size_t size) {
  const uint64_t factor = 0x9e3779b97f4a7c15u;
  const unsigned char* p = (const unsigned char*)bytes;
  uint64_t lane[4] = {1, 2, 3, 4}, hash = 0xcbf29ce484222325u ^ size;
  for (; size >= sizeof(lane); p += sizeof(lane), size -= sizeof(lane)) {
    uint64_t word[4];
    memcpy(word, p, sizeof(word));
    for (int k = 0; k < 4; k++) {
      uint64_t x = lane[k] ^ word[k];
      lane[k] = (x << 29 | x >> 35) * factor;
    }
  }
  for (int k = 0; k < 4; k++) hash = (hash ^ lane[k]) * 0x100000001b3u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

uint64_t cti_hash_text(const char* text) {
  return cti_hash_bytes(text, strlen(text));
}

void cti_names_init(ctiNameMap* map, const ctAllocator* a) {
  *map = (ctiNameMap){.allocator = a};
}

void cti_names_free(ctiNameMap* map) {
  cti_release(map->allocator, map->slots);
  cti_names_init(map, map->allocator);
}

// The slot that holds the name, or the free one where it belongs. The table is never full.
static ctiNameSlot* probe(ctiNameSlot* slots, int capacity, uint64_t hash, const char* name, size_t size) {
  uint64_t mask = (uint64_t)capacity - 1;
  for (uint64_t i = hash ^ (hash >> 32);; i++) {
    ctiNameSlot* slot = &slots[i & mask];
    if (!slot->name) return slot;
    if (slot->hash == hash && slot->size == size && memcmp(slot->name, name, size) == 0) return slot;
  }
}

// Double the table, so that at most half of it is in use and probes stay short.
static ctStatus grow(ctiNameMap* map) {
  if (map->capacity > (1 << 29)) return CT_ERR_MEMORY;
  int capacity = map->capacity > 0 ? 2 * map->capacity : 16;
  ctiNameSlot* slots = CTI_ALLOC(map->allocator, ctiNameSlot, capacity);
  if (!slots) return CT_ERR_MEMORY;
  for (int i = 0; i < map->capacity; i++) {
    const ctiNameSlot* old = &map->slots[i];
    if (old->name) *probe(slots, capacity, old->hash, old->name, old->size) = *old;
  }
  cti_release(map->allocator, map->slots);
  map->slots = slots;
  map->capacity = capacity;
  return CT_OK;
}

ctStatus cti_names_add_sized(ctiNameMap* map, const char* name, size_t size, int value) {
  if (cti_names_lookup(map, name, size)) return CT_ERR_INVALID;
  if (2 * ((int64_t)map->count + 1) > map->capacity) {
    ctStatus status = grow(map);
    if (status != CT_OK) return status;
  }
  uint64_t hash = cti_hash_bytes(name, size);
  *probe(map->slots, map->capacity, hash, name, size) = (ctiNameSlot){hash, name, size, value};
  map->count++;
  return CT_OK;
}

ctStatus cti_names_add(ctiNameMap* map, const char* name, int value) {
  return cti_names_add_sized(map, name, strlen(name), value);
}

const ctiNameSlot* cti_names_lookup(const ctiNameMap* map, const char* name, size_t size) {
  if (map->capacity == 0) return NULL;
  const ctiNameSlot* slot = probe(map->slots, map->capacity, cti_hash_bytes(name, size), name, size);
  return slot->name ? slot : NULL;
}

int cti_names_find(const ctiNameMap* map, const char* name) {
  const ctiNameSlot* slot = name ? cti_names_lookup(map, name, strlen(name)) : NULL;
  return slot ? slot->value : -1;
}

// ---- text

bool cti_text_equal(const char* a, const char* b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

bool cti_text_equal_nocase(const char* a, const char* b) {
  if (!a || !b) return a == b;
  while (*a && cti_to_lower(*a) == cti_to_lower(*b)) a++, b++;
  return cti_to_lower(*a) == cti_to_lower(*b);
}

bool cti_text_starts(const char* text, const char* prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

int cti_utf8_length(const char* s, const char* end) {
  const unsigned char* u = (const unsigned char*)s;
  if (u[0] < 0x80) return 1;
  int n = u[0] >= 0xc2 && u[0] <= 0xdf ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4 : 0;
  if (n > end - s) return 0;
  for (int i = 1; i < n; i++) {
    if ((u[i] & 0xc0) != 0x80) return 0;
  }
  if (u[0] == 0xe0 && u[1] < 0xa0) return 0;
  if (u[0] == 0xed && u[1] > 0x9f) return 0;
  if (u[0] == 0xf0 && u[1] < 0x90) return 0;
  if (u[0] == 0xf4 && u[1] > 0x8f) return 0;
  return n;
}

int cti_xml_length(const char* s, const char* end) {
  int n = cti_utf8_length(s, end);
  bool control = n == 1 && (unsigned char)*s < ' ' && *s != '\t' && *s != '\n' && *s != '\r';
  bool nobody = n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0);
  return control || nobody ? 0 : n;
}

bool cti_token_next(ctiToken* token, const char** cursor) {
  const char* p = *cursor;
  while (cti_is_space(*p)) p++;
  token->begin = p;
  while (*p && !cti_is_space(*p)) p++;
  token->end = p;
  *cursor = p;
  return token->end > token->begin;
}

size_t cti_token_count(const char* text) {
  ctiToken token;
  size_t count = 0;
  while (cti_token_next(&token, &text)) count++;
  return count;
}

void cti_strings_init(ctiStrings* pool, ctiRegion* region) {
  pool->region = region;
  cti_names_init(&pool->map, cti_region_allocator(region));
}

const char* cti_intern_sized(ctiStrings* pool, const char* text, size_t size) {
  const ctiNameSlot* slot = cti_names_lookup(&pool->map, text, size);
  if (slot) return slot->name;
  const char* copy = cti_region_strndup(pool->region, text, size);
  if (!copy || cti_names_add_sized(&pool->map, copy, size, pool->map.count) != CT_OK) return NULL;
  return copy;
}

const char* cti_intern(ctiStrings* pool, const char* text) {
  return cti_intern_sized(pool, text, strlen(text));
}
