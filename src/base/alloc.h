// Memory plumbing: every heap block of the library is asked for here, through the caller's hooks or the
// default ones. A NULL allocator always means the default. All calls are thread-safe when the hooks are.
#pragma once

#include <stdalign.h>
#include <stddef.h>

#include "corten/base.h"

// Alignment good for every type that is not over-aligned.
#define CTI_ALIGN_ANY alignof(max_align_t)

// malloc and free behind the hooks' shape. Never NULL.
const ctAllocator* cti_allocator_default(void);

// `size` bytes, not initialised, aligned to `align` (a power of two). A size of 0 gives a block of one byte,
// so that NULL always means that memory ran out. Release with cti_release().
void* cti_alloc(const ctAllocator* a, size_t size, size_t align);

// Room for `count` items of `size` bytes, all zero; NULL when memory runs out or the product overflows.
void* cti_alloc_array(const ctAllocator* a, size_t count, size_t size);

// A longer (or shorter) copy of an array: items beyond `old_count` are zero and the old block is released.
// On failure NULL comes back and the old block is untouched. `old` may be NULL when `old_count` is 0.
void* cti_realloc_array(const ctAllocator* a, void* old, size_t old_count, size_t count, size_t size);

// Give back a block from any of the above; NULL is ignored. `a` must be the allocator it came from.
void cti_release(const ctAllocator* a, void* block);

#define CTI_ALLOC(allocator, T, count) ((T*)cti_alloc_array((allocator), (size_t)(count), sizeof(T)))
