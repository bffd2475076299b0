// What a batch is made of, for the files that are its face.
#pragma once

#include "base/alloc.h"
#include "batch/backend.h"
#include "corten/batch.h"

// A field that every world has in the output or the value store.
typedef struct ctiBatchField {
  char name[64];
  int offset, width;
} ctiBatchField;

typedef struct ctiBatchFields {
  CTI_ARRAY(ctiBatchField) list;
  int width;  // of all
} ctiBatchFields;

struct ctBatch {
  const ctModel* m;
  ctAllocator allocator;
  int nworld, nstate;
  const ctiBackend* backend;
  void* self;
  ctiBatchFields outputs, values;
  ctByte* seen;   // a mark a world, for ids
  int* chosen;    // ids of a mask
  ctData* probe;  // sizes of fields
};
