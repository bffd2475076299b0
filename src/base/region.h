// A region: memory for objects that are built piece by piece and die together (specs, XML trees). Allocation
// moves a pointer; nothing is released before the region is. A region belongs to one thread at a time.
#pragma once

#include "base/alloc.h"
#include "base/error.h"

typedef struct ctiRegion ctiRegion;

// NULL when memory runs out. `a` NULL means the default allocator.
ctiRegion* cti_region_create(const ctAllocator* a);

// Release everything allocated from the region, and the region. NULL is ignored.
void cti_region_free(ctiRegion* region);

// `size` zero bytes aligned to `align` (a power of two); NULL when memory runs out. A size of 0 gives a
// pointer that is valid but must not be written to.
void* cti_region_alloc(ctiRegion* region, size_t size, size_t align);

// Room for `count` zeroed items of `size` bytes; the product may not overflow (NULL then).
void* cti_region_array(ctiRegion* region, size_t count, size_t size, size_t align);

// Copies of text, zero-terminated; NULL when memory runs out.
char* cti_region_strdup(ctiRegion* region, const char* text);
char* cti_region_strndup(ctiRegion* region, const char* text, size_t size);
char* cti_region_printf(ctiRegion* region, const char* format, ...) CTI_PRINTF(2, 3);

// Bytes handed out so far, padding included.
size_t cti_region_used(const ctiRegion* region);

// The region dressed as an allocator, for arrays and maps that shall live in it. Its `release` does nothing.
// Valid as long as the region.
const ctAllocator* cti_region_allocator(ctiRegion* region);

#define CTI_NEW(region, T) ((T*)cti_region_alloc((region), sizeof(T), alignof(T)))
#define CTI_NEW_ARRAY(region, T, count) \
  ((T*)cti_region_array((region), (size_t)(count), sizeof(T), alignof(T)))
