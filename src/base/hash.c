#include "base/hash.h"

#include <string.h>

uint64_t cti_hash_bytes(const void* bytes, size_t size) {
  const unsigned char* p = (const unsigned char*)bytes;
  uint64_t hash = 0xcbf29ce484222325u;
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
  const ctiNameSlot* slot = cti_names_lookup(map, name, strlen(name));
  return slot ? slot->value : -1;
}
