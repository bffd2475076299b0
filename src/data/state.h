// Parts of a state, for state vectors and state files. Host code.
#pragma once

#include "data/state_parts.h"

// The name of the part at a bit.
const char* cti_state_part_name(int bit);

// The chosen parts as reals one after another, at an address that need not be aligned.
void cti_state_write(const ctModel* m, const ctData* d, void* bytes, unsigned which);
void cti_state_read(const ctModel* m, ctData* d, const void* bytes, unsigned which);

// The first of the chosen parts that holds a number that is not finite, -1 when there is none.
int cti_state_bad_part(const ctModel* m, const void* bytes, unsigned which);
