// Surfaces of deformables that may not cross: which vertices and faces, and which edges, are near each other
// or near a geom that does not move; and how far a motion can go before two of them meet. Step code.
//   reads   m->flex_*, bvh_*, geom_*, mesh_*; d->geom_xpos, geom_xmat, flexvert_xpos
//   before  kinematics of deformables
//
// The flag ipc takes these pairs out of the ordinary narrow phase and resolves them in the step itself.
#pragma once

#include "collide/broad.h"
#include "corten/data.h"

#define CTI_SURFACE_BAND CT_R(0.003)  // pairs that come this near have a row, m
#define CTI_SURFACE_GAP  CT_R(0.001)  // and are kept this far apart

// Is a deformable such a surface: of triangles, and not inside a cage?
CT_INLINE bool cti_is_surface(const ctModel* m, int flex) {
  return m->flex_dim[flex] == 2 && m->flex_interp[flex] == 0;
}

// Are there surfaces that a step keeps apart by itself?
CT_FN bool cti_keeps_surfaces_apart(const ctModel* m);

// A geom that they are kept away from is resolved there as well: one that never moves, of a kind with corners
// and edges.
CT_FN bool cti_is_surface_obstacle(const ctModel* m, int geom);

// A geom as corners and edges with a radius around them; what is inside counts as well.
typedef struct ctiObstacle {
  int geom;
  int point, npoint;  // its corners among all points
  int edge, nedge;    // its edges
  ctReal radius;
  ctReal box[6];  // in the world: centre, half sizes
} ctiObstacle;

typedef struct ctiSurfaces {
  const ctModel* m;
  const ctData* d;
  int nvert, npoint;  // vertices of all deformables, then corners of obstacles
  ctReal *from, *to;  // where the points are, and where they are going
  ctiObstacle* obstacle;
  int nobstacle;
  int* edge;                    // of obstacles: their two points
  int *vert_elem, *edge_elem;   // the element that answers for a vertex or edge: the first that has it
  ctReal *elem_box, *node_box;  // around the motion: centre, half sizes
  ctReal reach;                 // of the last search
  ctiKeys elements;             // pairs of elements whose boxes are near, counted over all deformables
  ctiKeys solids;               // an obstacle and an element
} ctiSurfaces;

// A point and a face, two edges, or a point and an obstacle.
typedef struct ctiSurfaceContact {
  int n, point[4];
  ctReal weight[4];  // the first side is positive
  ctReal normal[3];  // unit, from the second side to the first
  ctReal dist;       // between the surfaces: normal times the weighted points, less the radius
} ctiSurfaceContact;

// All points at their places in `d`; in scratch. False when the arena is full.
CT_FN bool cti_surfaces_begin(ctiSurfaces* s, const ctModel* m, ctData* d);

// Pairs that may come into the band on the way, or that may come too near for it.
typedef enum ctiSurfaceSearch { CTI_SURFACES_NEAR, CTI_SURFACES_ON_WAY } ctiSurfaceSearch;
// False when the arena is full.
CT_FN bool cti_surfaces_search(ctiSurfaces* s, ctData* d, ctiSurfaceSearch what);

// Contacts that are, or on a straight way would be, within the band; `out` may be NULL. Returns their number.
CT_FN int cti_surfaces_contacts(const ctiSurfaces* s, ctiSurfaceContact* out);

// The part of the way that all points can go: 1, or as far as no pair comes nearer than a share of its
// distance.
CT_FN ctReal cti_surfaces_way(const ctiSurfaces* s);
