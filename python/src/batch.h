// What the files about batches share.
#pragma once

#include "core.h"

typedef struct Batch {
  PyObject_HEAD ctBatch* b;
  Block* model;    // a strong reference
  ctData* shapes;  // knows columns and dimensions of fields; NULL until it is needed
  unsigned long long stream;
  int lent;   // arrays on a GPU that would be left behind when memory moves
  bool busy;  // a call without the GIL is working on it
} Batch;

// batch_array.c: memory of a batch as an object of its own, which keeps the batch alive.
PyObject* batch_array(PyObject* self, PyObject* args);

// batch.c: the batch, unless another thread is using it; NULL with an exception.
Batch* batch_of(PyObject* object);
