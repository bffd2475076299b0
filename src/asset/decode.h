// Mesh files: bytes in memory -> raw mesh. Readers never trust a count before comparing it with the size of
// the file.
#pragma once

#include "asset/raw.h"

// The three formats.
//   OBJ  text; v, vn, vt and f are read, everything else is ignored; polygons are cut into triangles
//   STL  binary; vertices with equal coordinates are merged
//   MSH  binary; MuJoCo's own layout of four counts and four arrays
// Arrays live in `region`; `data` is only read. CT_ERR_SYNTAX, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_obj_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
ctStatus cti_stl_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
ctStatus cti_msh_decode(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);

// Choose the reader by `content_type` (model/obj, model/stl, model/vnd.mujoco.msh), or when that is NULL or
// unknown by the extension of `file`, in any case. CT_ERR_UNSUPPORTED for other formats.
ctStatus cti_mesh_decode(ctiRawMesh* out, const char* file, const char* content_type, const char* data,
                         size_t size, ctiRegion* region, ctError* err);
