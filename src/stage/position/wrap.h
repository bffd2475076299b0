// The shortest path of a string around (or through) a sphere or cylinder. Step code.
#pragma once

#include "base/fn.h"
#include "corten/types.h"

// What the string goes around.
typedef struct ctiWrapObject {
  int kind;  // CT_WRAP_SPHERE or CT_WRAP_CYLINDER (along z, without end)
  ctReal radius;
  const ctReal* pos;   // centre
  const ctReal* mat;   // axes
  const ctReal* side;  // point that says on which side to pass, or through: NULL for none
} ctiWrapObject;

// The string from `from` to `to` touches the object from the first to the second of `touch`, along an arc of
// length `arc`. False when it passes straight: then nothing is written.
CT_FN bool cti_wrap(ctReal touch[6], ctReal* arc, const ctiWrapObject* object, const ctReal from[3],
                    const ctReal to[3]);
