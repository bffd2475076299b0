// Mesh files: bytes in memory -> raw mesh. Readers never trust a count before comparing it with the size of
// the file.
#pragma once

#include "asset/mesh.h"
#include "asset/raw.h"

// The four formats.
//   OBJ  text; v, vn, vt and f are read, everything else is ignored; polygons are cut into triangles
//   STL  binary or text; vertices with equal coordinates are merged
//   MSH  binary; MuJoCo's own layout of four counts and four arrays
//   DAE  XML (COLLADA); triangles and polygons of the scene with their transforms, in metres
// Arrays live in `region`; `data` is only read. CT_ERR_SYNTAX, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_obj_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
ctStatus cti_stl_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
ctStatus cti_msh_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
ctStatus cti_dae_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);

// The first diffuse colour of a DAE file; false when it has none, or cannot be read.
bool cti_dae_colour(float rgba[4], const char* data, size_t size, ctiRegion* region);

// Choose the reader by `content_type` (model/obj, model/stl, model/vnd.collada+xml,
// model/vnd.mujoco.msh), or when that is NULL or
// unknown by the extension of `file`, in any case. CT_ERR_UNSUPPORTED for other formats.
ctStatus cti_mesh_decode(ctiRawMesh* out, const char* file, const char* content_type, const char* data,
                         size_t size, ctiRegion* region, ctError* err);

// ---- from a source to checked arrays

// The first half of building a mesh: read or generate it, and make sure that everything later steps rely
// on holds.

// All arrays of `out` are fresh: they may be changed. Counts are within limits, coordinates finite, indices
// in range. `flat`: a generated shape without volume.
ctStatus cti_mesh_load(ctiRawMesh* out, bool* flat, const ctiMeshSource* source, ctiRegion* region,
                       ctError* err);

// ---- polygons of OBJ faces cut into triangles

// A polygon with more corners is left out, as in MuJoCo.
#define CTI_POLYGON_MAX 100

// Corners 0..n-1 have positions `at` (3 floats each; n >= 3). Writes three corner numbers a triangle to
// `out`, which has room for 3 (n - 2), and returns the number of triangles: n - 2, or fewer when the polygon
// crosses itself, or is too large. A quadrilateral is cut along its shorter diagonal, larger polygons by
// clipping ears. `left` is scratch for n numbers.
int cti_triangulate(int* out, const float* at, int n, int* left);
