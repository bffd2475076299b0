// Operations on a spec that leave its motion as it is: static bodies fused with their parents, visual
// elements discarded. They need what the first passes of the compiler know: poses, masses, inertias.
#pragma once

#include "compile/build.h"

// The passes up to and including the one called `last`.
ctStatus cti_run_passes_to(ctiBuild* b, const char* last);

// A copy of the spec with what its compiler attributes ask for carried out. NULL in `out` when they ask for
// nothing.
ctStatus cti_simplified(ctSpec** out, const ctSpec* spec, ctError* err);
