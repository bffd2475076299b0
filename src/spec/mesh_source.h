// A mesh asset as a source for the builder of meshes.
#pragma once

#include "asset/mesh.h"
#include "spec/spec.h"

// Arrays and settings of the source, in the region; the file is read by the caller.
ctStatus cti_mesh_describe(ctiMeshSource* source, const ctiMeshAsset* s, ctiRegion* region, ctError* err);
