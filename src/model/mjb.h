// Binary models of MuJoCo 4.0 (.mjb): the sizes, options and arrays of its model one after the other, in the
// order of our lists of fields, which is that of its header.
//
//   file:  i32 54321, i32 bytes of a real, i32 number of sizes, i32 version (4000000), i32 number of arrays;
//          the sizes as i64; the structs opt, vis and stat; the flags; the arrays
//
// Numbers are little-endian. Other versions are refused by name.
#pragma once

#include "base/error.h"
#include "corten/model.h"

// Do these bytes start like one?
bool cti_model_is_mjb(const void* bytes, size_t size);

// As cti_model_from_binary(); CT_ERR_UNSUPPORTED also for another version, and for what the engine refuses.
ctStatus cti_model_from_mjb(ctModel** out, const void* bytes, size_t size, const char* file, size_t limit,
                            const ctAllocator* allocator, ctError* err);
