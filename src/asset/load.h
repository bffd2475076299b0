// The first half of building a mesh: read or generate it, and make sure that everything later steps rely on
// holds.
#pragma once

#include "asset/mesh.h"

// All arrays of `out` are fresh: they may be changed. Counts are within limits, coordinates finite, indices
// in range. `flat`: a generated shape without volume.
ctStatus cti_mesh_load(ctiRawMesh* out, bool* flat, const ctiMeshSource* source, ctiRegion* region,
                       ctError* err);
