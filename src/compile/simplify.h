// Operations on a spec that leave its motion as it is: static bodies fused with their parents, visual
// elements discarded. They need what the first passes of the compiler know: poses, masses, inertias.
#pragma once

#include "compile/build.h"

// The passes up to and including the one called `last`.
ctStatus cti_run_passes_to(ctiBuild* b, const char* last);

// A build of the spec up to its inertias, its total mass left alone. The caller frees b->region, also when it
// fails.
ctStatus cti_build_inertias(ctiBuild* b, ctSpec* spec, ctError* err);

// Names that elements of the spec refer to, by kind: in sections, and the targets of cameras and lights. How
// something is drawn does not count, but where sensors or tuples say it. NULL when memory runs out.
ctiNameMap* cti_referred_names(const ctSpec* spec, ctiRegion* region);

// Give a body an <inertial> with these numbers.
void cti_set_inertial(ctiBody* body, const ctiElement* like, ctReal mass, const ctReal pos[3],
                      const ctReal quat[4], const ctReal inertia[3]);

// A copy of the spec with what its compiler attributes ask for carried out. NULL in `out` when they ask for
// nothing.
ctStatus cti_simplified(ctSpec** out, const ctSpec* spec, ctError* err);
