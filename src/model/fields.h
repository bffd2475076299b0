// Model fields by name and by number: the table behind ct_model_field().
#pragma once

#include "corten/model.h"

// The i-th field, 0 <= i < ct_model_field_count().
void cti_model_field_at(const ctModel* m, int i, ctField* out);

// Same shape, same bits.
bool cti_field_equal(const ctField* a, const ctField* b);

// Element i of a field as a number; 0 for what is none (text, addresses, contacts).
double cti_field_number(const ctField* f, int64_t i);
