// Several points where flat or straight parts of two convex shapes lie against each other. Step code.
#pragma once

#include "collide/ccd.h"

// A flat face (three or more corners, clockwise seen from outside) or an edge (two corners).
typedef struct ctiFeature {
  ctReal (*at)[3];
  int n;
  ctReal normal[3];  // face: outward, unit; edge: direction, unit
} ctiFeature;

// Points of two shapes around the result of a search, relative to the origin of the search; `p` and `q` are
// the shapes of `a` and `b`. Returns 0 when no parts match: then the one point of the search is all there is.
CT_FN int cti_multi_contact(ctiPoint* out, const ctiCcd* result, const ctiShape* p, const ctiConvex* a,
                            const ctiShape* q, const ctiConvex* b, ctReal margin, ctData* d);

// Number of corners of the largest face of a shape.
CT_FN int cti_face_corners(const ctiShape* s);

// A face of a shape, as its number there, and its outward unit normal.
typedef struct ctiFace {
  int number;
  ctReal normal[3];
} ctiFace;

// How many faces there are at corner `id` at most.
CT_FN int cti_shape_faces_room(const ctiShape* s, int id);

// The faces of a shape that have all of the corners `id` (1 to 3 distinct ones), of a cylinder the end that
// looks along `dir`. Returns how many.
CT_FN int cti_shape_faces(ctiFace* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
                          const ctReal dir[3]);

// The corners of a face.
CT_FN void cti_shape_face(ctiFeature* out, const ctiShape* s, const ctiConvex* c, const ctiFace* face);

// The k-th edge of a shape at the corners `id` (false when there are fewer); `witness` is the point of the
// surface that the search found.
CT_FN bool cti_shape_edge(ctiFeature* out, const ctiShape* s, const ctiConvex* c, const int* id, int nid,
                          const ctReal witness[3], int k);
