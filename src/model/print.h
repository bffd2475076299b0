// Fields as readable text. Host code.
#pragma once

#include "corten/model.h"

// A text that is counted whole and written as far as the buffer goes.
typedef struct ctiPrinter {
  char* buffer;
  size_t size, length;
} ctiPrinter;

void cti_print(ctiPrinter* p, const char* format, ...);

// One field: a scalar on a line of its own, an array row by row, each with the name of the object it belongs
// to.
void cti_print_field(ctiPrinter* p, const ctModel* m, const ctField* f);
