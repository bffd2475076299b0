// Where a model's arrays lie: one 64-byte-aligned block that starts with the struct.
#pragma once

#include "base/error.h"
#include "corten/model.h"

#define CTI_ALIGN 64

// Next multiple of CTI_ALIGN.
#define CTI_ALIGNED(bytes) (((size_t)(bytes) + CTI_ALIGN - 1) / CTI_ALIGN * CTI_ALIGN)

// Allocate a model with the sizes of `sizes` (its other members are ignored), all else zero.
ctStatus cti_model_alloc(ctModel** out, const ctModel* sizes, const ctAllocator* allocator, ctError* err);
