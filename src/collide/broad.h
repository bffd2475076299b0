// Broad phase: which bodies are close enough to be looked at. Step code.
//   reads   m->body_*, m->bvh_*, m->geom_*; d->xipos, d->ximat, d->geom_xpos, d->geom_xmat
//   before  kinematics
#pragma once

#include "data/arena.h"
#include "math/sort.h"

struct ctiSweep;

// A list of pairs in scratch memory that grows by doubling: pairs of bodies, pairs of geoms, each as one key.
typedef struct ctiKeys {
  uint64_t* at;
  int n, capacity;
  bool full;  // the arena had no room: later keys were dropped
} ctiKeys;

// Boxes and spheres around shapes are this much larger, so that shapes that touch exactly reach the
// colliders, whose rounding decides. A length.
#define CTI_TOUCH_SLACK (sizeof(ctReal) == 4 ? CT_R(1e-5) : CT_R(1e-9))

// Two indices as one key that sorts by the first, then the second.
CT_INLINE uint64_t cti_key(int first, int second) {
  return ((uint64_t)(uint32_t)first << 32) | (uint32_t)second;
}
CT_INLINE int cti_key_first(uint64_t key) {
  return (int)(key >> 32);
}
CT_INLINE int cti_key_second(uint64_t key) {
  return (int)(key & 0xffffffffu);
}

// Append a key, in scratch memory.
CT_FN void cti_keys_push(ctData* d, ctiKeys* list, uint64_t key);

// By a team: the keys of those lanes that have one, in the order of lanes.
CT_FN void cti_keys_push_lanes(ctData* d, ctiKeys* list, bool has, uint64_t key);

// Those from `first` on in ascending order. Without room to sort they are dropped, and the list is full.
CT_FN void cti_keys_sort(ctData* d, ctiKeys* list, int first);

// Body pairs are named by one number, the smaller body first; contacts come in this order.
CT_INLINE uint32_t cti_body_signature(int body1, int body2) {
  uint32_t lo = (uint32_t)(body1 < body2 ? body1 : body2), hi = (uint32_t)(body1 < body2 ? body2 : body1);
  return (lo << 16) + hi;
}

// Contype and conaffinity match one way or the other.
CT_INLINE bool cti_masks_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// Neither body is awake, or one sleeps and the other never moves.
CT_FN bool cti_bodies_sleep(const ctModel* m, const ctData* d, int body1, int body2);

// Append every pair of bodies that may touch and whose bounding boxes overlap to `pairs`, as cti_key(smaller
// body, larger body), in ascending order. Deformables take part as if they were bodies, numbered from nbody
// on. `pairs` lies in scratch: the caller marks and releases.
// `sweep`: NULL, or the motion of each geom, which boxes enclose.
CT_FN void cti_broad_phase(const ctModel* m, ctData* d, ctiKeys* pairs, const struct ctiSweep* sweep);

// World-aligned bounds of a deformable, grown by its radius, margin and gap.
CT_FN void cti_flex_bounds(ctiBounds* box, const ctModel* m, const ctData* d, int flex);
