// Which bodies and geoms may touch at all, before anything is measured. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Body pairs are named by one number, the smaller body first; contacts come in this order.
CT_INLINE uint32_t cti_body_signature(int body1, int body2) {
  uint32_t lo = (uint32_t)(body1 < body2 ? body1 : body2), hi = (uint32_t)(body1 < body2 ? body2 : body1);
  return (lo << 16) + hi;
}

// Contype and conaffinity match one way or the other.
CT_INLINE bool cti_masks_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// The body can take part: it has geoms that collide with something.
CT_FN bool cti_body_collides(const ctModel* m, int body);

// Geoms of the two bodies may touch: masks, weld groups, parent and child, dofs, sleep, excludes.
CT_FN bool cti_bodies_may_touch(const ctModel* m, const ctData* d, int body1, int body2);

// Neither body is awake, or one sleeps and the other never moves.
CT_FN bool cti_bodies_sleep(const ctModel* m, const ctData* d, int body1, int body2);
