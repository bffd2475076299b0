// Binary models (.ctb): every field of a model by name, so that a file outlives changes of the layout.
//
//   file:    "CORTENB" 0x02, u32 bytes of a real, u32 number of records, u64 bytes of the records,
//            u64 checksum (cti_checksum) of them, the records
//   record:  u16 length of the name, name, u8 type, i64 rows, i64 cols, the elements
//
// Numbers are little-endian. A file may come from a build of the other precision: reals are converted.
#pragma once

#include "base/error.h"
#include "corten/model.h"

// Do these bytes start like a binary model, ours or MuJoCo's (mjb.h)?
bool cti_model_is_binary(const void* bytes, size_t size);

// A model of at most `limit` bytes from the bytes of a file; `file` names it in messages. CT_ERR_SYNTAX,
// CT_ERR_INVALID, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_model_from_binary(ctModel** out, const void* bytes, size_t size, const char* file, size_t limit,
                               const ctAllocator* allocator, ctError* err);

// The first of the sizes of a model that no model can have; NULL when all are good.
const char* cti_sizes_check(const ctModel* sizes);

// The first field with an index that is out of range; NULL when all are good. What actuators and sensors need
// beyond that is known to the compiler (compile/load.c).
const char* cti_model_check(const ctModel* m);

// Loops whose count a file says end here at the latest.
#define CTI_MOST_ITERATIONS 100000

// Whether the check has thought of a field of whole numbers.
bool cti_model_check_knows(const char* name);
