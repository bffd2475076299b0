// Keyframes that come with an attached model: their vectors are taken apart by element, and find their places
// again when the combined model is compiled.
#pragma once

#include "spec/spec.h"

// An element and its copy.
typedef struct ctiCopied {
  const ctiElement *source, *copy;
} ctiCopied;
typedef CTI_ARRAY(ctiCopied) ctiCopies;

// Take the vectors of `from`, a keyframe of the spec `owner`, apart into parts of `key`, which belongs to
// `to`.
ctStatus cti_key_take_apart(ctSpec* to, ctiKey* key, ctSpec* owner, const ctiKey* from, ctiRegion* scratch);

// Take the vectors of a keyframe apart in its own spec, before its elements change places. A vector that is
// too long stays, for the compiler to refuse.
ctStatus cti_key_keep(ctSpec* spec, ctiKey* key, ctiRegion* scratch);

// Copy the parts of a keyframe of another spec; they wait for the copies of their elements.
ctStatus cti_key_copy_parts(ctSpec* to, ctiKey* key, const ctiKey* from);

// Give the parts of keyframes that wait for one of the copied elements their target: those that are new, or
// with `move`, those whose target was copied. What was not copied keeps its own part, if it is of this spec
// (not `foreign`). Sorts the copies.
void cti_keys_bind(ctSpec* spec, ctiCopies* copies, bool move, bool foreign);

// Forget where parts came from: what was attached is gone.
void cti_keys_forget_sources(ctSpec* spec);
