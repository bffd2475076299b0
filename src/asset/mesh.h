// Mesh assets: from a source (file, arrays or generated shape) to the arrays a model stores. One call does
// all of it: decode, transform, normals, hull, inertia, centring, polygons, tree of boxes, distance field.
#pragma once

#include "asset/builtin.h"
#include "asset/bvh.h"
#include "asset/marching.h"
#include "asset/raw.h"

// How mass is spread: inside the hull, inside the surface, inside the surface the old way (pyramids from the
// centre of the surface, all counted as positive), over the surface. The order is that of the model format.
#define CTI_MESH_INERTIAS(X)     X(CONVEX, "convex") X(EXACT, "exact") X(LEGACY, "legacy") X(SHELL, "shell")
#define CTI_AS_ENUM(id, keyword) CTI_INERTIA_##id,
typedef enum ctiMeshInertia { CTI_MESH_INERTIAS(CTI_AS_ENUM) CTI_INERTIA_COUNT } ctiMeshInertia;
#undef CTI_AS_ENUM

// Where a mesh comes from and how it is wanted: fill with cti_mesh_source_default() first. Exactly one of the
// four kinds of source is given. Nothing is changed or kept.
typedef struct ctiMeshSource {
  const char* name;  // for messages, may be NULL

  // a file: its bytes, and its name or content type to choose the reader
  const char* data;
  size_t size;
  const char* file;
  const char* content_type;  // may be NULL

  // a generated shape
  ctiMeshBuiltin builtin;
  const double* params;
  int nparam;

  // the surface of a distance field; it stays in the frame of the field, whatever its centre of mass
  const ctiField* surface;

  // arrays; a file may be completed by texture coordinates and normals only through its own format
  const float *vertex, *normal, *texcoord;
  const int* face;
  int nvertex, nnormal, ntexcoord, nface;  // in numbers, not in tuples, as they are written

  double scale[3], refpos[3], refquat[4];
  const double* map;  // 3x3, applied after the scale; NULL for none
  ctiMeshInertia inertia;
  bool smoothnormal;
  int maxhullvert;    // -1: no limit
  bool needs_hull;    // a geom collides with it (by masks or by a pair), or a site has its shape
  bool needs_sdf;     // a geom has type sdf, or the spec asks for a distance field
  double* hull_left;  // vertices that hulls of generated shapes may still have; NULL: any number
} ctiMeshSource;

void cti_mesh_source_default(ctiMeshSource* source);

// What a model stores, named as there without mesh_, and what geoms need to know. Counts are in tuples.
// Absent arrays have count 0.
typedef struct ctiMesh {
  // drawing and collision; in the frame below
  int nvert, nnormal, ntexcoord, nface;
  float* vert;        // nvert x 3
  float* normal;      // nnormal x 3, unit
  float* texcoord;    // ntexcoord x 2
  int* face;          // nface x 3
  int* facenormal;    // nface x 3
  int* facetexcoord;  // nface x 3; zero when there are no texture coordinates

  // centre of mass and principal axes in the frame of the source (scaled, refpos and refquat taken off)
  double pos[3], quat[4], scale[3];

  // for geoms: density times `volume` is the mass (area when `shell`); a box of half sizes `boxsz` and that
  // mass has the same inertia; `aabb` is min xyz, max xyz of the vertices
  double volume;
  double boxsz[3];
  double aabb[6];
  bool shell;

  // hull; ngraph is 0 when it was not asked for
  int ngraph;
  int* graph;
  int extrema[27];  // hull vertex (as numbered in graph) farthest along (i-1, j-1, k-1) at 9i + 3j + k

  // hull polygons: coplanar hull faces merged
  int npoly, npolyvert, npolymap;
  double* polynormal;  // npoly x 3
  int* polyvertadr;    // npoly
  int* polyvertnum;    // npoly
  int* polyvert;       // npolyvert
  int* polymapadr;     // nvert
  int* polymapnum;     // nvert
  int* polymap;        // npolymap

  ctiBvh bvh;  // over faces

  // distance field; noct is 0 when it was not asked for
  int noct;
  int* oct_depth;     // noct
  int* oct_child;     // noct x 8
  double* oct_aabb;   // noct x 6
  double* oct_coeff;  // noct x 8
} ctiMesh;

// Build a mesh. All arrays live in `region`. On failure `*out` is zero and `err` names the mesh.
// CT_ERR_INVALID, CT_ERR_SYNTAX, CT_ERR_UNSUPPORTED, CT_ERR_LIMIT or CT_ERR_MEMORY. Thread-safe: several
// meshes may be built at once, each in a region of its own.
ctStatus cti_mesh_build(ctiMesh* out, const ctiMeshSource* source, ctiRegion* region, ctError* err);
