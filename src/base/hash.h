// Hashing of text, and maps from names to numbers.
#pragma once

#include "base/alloc.h"
#include "corten/error.h"

// 64-bit FNV-1a: the same on every machine, in every run.
uint64_t cti_hash_bytes(const void* bytes, size_t size);
uint64_t cti_hash_text(const char* text);

// One name. Names are borrowed: they must outlive the map. `name` NULL marks an unused slot.
typedef struct ctiNameSlot {
  uint64_t hash;
  const char* name;
  size_t size;
  int value;
} ctiNameSlot;

// Open addressing; what is found depends on the names alone, never on addresses.
typedef struct ctiNameMap {
  const ctAllocator* allocator;
  ctiNameSlot* slots;
  int count;
  int capacity;  // a power of two, or 0
} ctiNameMap;

// An empty map; takes no memory until the first name. `a` may come from cti_region_allocator().
void cti_names_init(ctiNameMap* map, const ctAllocator* a);
void cti_names_free(ctiNameMap* map);

// Add a name. CT_ERR_INVALID when it is there already (the first value stays), or CT_ERR_MEMORY.
ctStatus cti_names_add(ctiNameMap* map, const char* name, int value);
ctStatus cti_names_add_sized(ctiNameMap* map, const char* name, size_t size, int value);

// The value of a name, or -1.
int cti_names_find(const ctiNameMap* map, const char* name);

// The slot of a name given by start and size, or NULL. Valid until the next add.
const ctiNameSlot* cti_names_lookup(const ctiNameMap* map, const char* name, size_t size);
