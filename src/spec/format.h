// Records back to the text of their attributes, through the same tables.
#pragma once

#include "spec/attrs.h"

// Text that is written as far as it fits, and counted in full. With a region the buffer grows as needed.
typedef struct ctiOut {
  char* data;
  size_t size;        // of the buffer
  size_t length;      // of the text
  ctiRegion* region;  // NULL: the buffer is the caller's
  bool failed;        // memory ran out
} ctiOut;

void cti_out_text(ctiOut* out, const char* text);

// The shortest text that reads back as the same number.
void cti_out_real(ctiOut* out, double value);
void cti_out_float(ctiOut* out, float value);

// The value of a row of a record. False, and nothing written, when it says nothing.
bool cti_attr_format(ctiOut* out, const ctiAttr* row, const void* record);

// Whether a row says the same in two records.
bool cti_attr_same(const ctiAttr* row, const void* a, const void* b);

// The bytes its value takes in the record, and its value copied from one record to another.
size_t cti_attr_bytes(const ctiAttr* row);
void cti_attr_copy(const ctiAttr* row, void* to, const void* from);

// The same as cti_attr_format() with at most `count` numbers.
bool cti_attr_format_some(ctiOut* out, const ctiAttr* row, const void* record, int count);

// The numbers of a row: how many there are, -1 when it is not made of numbers. At most `max` are written.
int cti_attr_reals(const ctiAttr* row, const void* record, double* out, int max);

// The orientation a row is a notation of, NULL for other rows.
ctiOrient* cti_attr_orient(const ctiAttr* row, void* record, ctiOrientForm* form);
