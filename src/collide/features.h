// Which features of two shapes make a contact: points, edges, faces. Host code.
#pragma once

#include "collide/shape.h"

typedef enum ctiFeature {
  CTI_FEATURE_NONE,    // not known, or degenerate
  CTI_FEATURE_PLANE,   // a point of the second shape over a plane of the first
  CTI_FEATURE_FACE,    // a point of the first shape over a face of the second
  CTI_FEATURE_POINTS,  // nearest points, each fixed to its shape or sliding along an axis of it
  CTI_FEATURE_EDGES,   // two edges of boxes: the normal is across both
  CTI_FEATURE_CORNER   // a corner that walls of both boxes make, over a face of one of them
} ctiFeature;

// Points are relative to the contact, directions in the world.
typedef struct ctiMeeting {
  ctiFeature kind;
  bool switches;      // other features are as near: the derivatives are those of one side
  ctReal at[2][3];    // points of both; of a corner, the first
  ctReal axis[2][3];  // where they slide along
  bool slides[2];     // so that the line between them stays across
  ctReal slip[6];     // or how the first one slides by each motion of the second shape
  ctReal out;         // from the first point to the contact, along the normal
  bool leans;         // the first tangent leans on `tangent`, fixed to the second shape
  ctReal tangent[3];
  // of a corner
  ctReal wall[3][3], dual[3][3];  // normals of its walls, and what is along one and across the others
  int of[3];                      // whose they are
  int face;                       // whose face it is over
} ctiMeeting;

// Contact `c`, one of `n` of its pair. `eps`: features closer than this count as equally near.
ctiMeeting cti_meeting(const ctModel* m, const ctData* d, const ctContact* c, int n, ctReal eps);
