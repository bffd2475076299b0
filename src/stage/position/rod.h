// Frames of rods: chains of edges that resist bending and twist. Each edge carries its tangent and a
// director, which follows it without turning about it; the twist of an edge is a dof of its own. Step code.
//   reads   d->flexvert_xpos, plastic, qpos, xquat
//   before  kinematics of deformables
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "math/quat.h"
#include "stage/position/flex.h"

CT_INLINE const ctReal* cti_rod_record(const ctModel* m, int f, int i) {
  return m->flex_bending + m->flex_bendingadr[f] + 1 + CTI_ROD_RECORD * (int64_t)i;
}

// `v`, across the unit vector a, turned the shortest way to be across the unit vector b.
CT_INLINE void cti_transport(ctReal out[3], const ctReal v[3], const ctReal a[3], const ctReal b[3]) {
  ctReal sum[3], along = cti_dot3(b, v) / cti_max(1 + cti_dot3(a, b), CTI_MINVAL);
  cti_add3(sum, a, b);
  cti_copy3(out, v);
  cti_add_scaled3(out, sum, -along);
}

// Gradient by b of q . cti_transport(v, a, b), b taken as free.
CT_INLINE void cti_transport_gradient(ctReal out[3], const ctReal q[3], const ctReal v[3], const ctReal a[3],
                                      const ctReal b[3]) {
  ctReal c = cti_max(1 + cti_dot3(a, b), CTI_MINVAL), bv = cti_dot3(b, v), sum[3];
  cti_add3(sum, a, b);
  ctReal qs = cti_dot3(q, sum);
  cti_scale3(out, q, -bv / c);
  cti_add_scaled3(out, v, -qs / c);
  cti_add_scaled3(out, a, qs * bv / (c * c));
}

CT_INLINE void cti_frame_along(ctReal tangent[3], ctReal* length, const ctReal* a, const ctReal* b) {
  cti_sub3(tangent, b, a);
  *length = cti_normalize3(tangent);
}

// A clamp that moves.
CT_INLINE bool cti_clamp_moves(const ctModel* m, int clamp) {
  return clamp >= 0 && m->body_weldid[clamp] != 0;
}

// Frames of the edges of a rod with twist, in scratch.
typedef struct ctiRodFrames {
  int nedge;        // 0: the rod has no twist
  bool fresh;       // nothing is stored: frames begin here
  ctReal* tangent;  // nedge x 3 each
  ctReal* director;
  ctReal* old_tangent;
  ctReal* old_director;
  ctReal* rest_tangent;
  ctReal* rest_director;
  ctReal* length;  // nedge
  int* dof;        // nedge: of the twist; -1: held
  int* clamp;      // nedge: the body that holds both ends; -1: none
} ctiRodFrames;

CT_FN int cti_rod_records(const ctModel* m, int f);
// False when the scratch is full.
CT_FN bool cti_rod_frames(ctiRodFrames* frames, const ctModel* m, ctData* d, int f);

// Directors of the edges of rods with a rectangular section, turned by their twist, into
// cti_data(d)->rod_director: the longer half size is along them. False when the scratch is full.
CT_FN bool cti_rod_directors(const ctModel* m, ctData* d, int f);
