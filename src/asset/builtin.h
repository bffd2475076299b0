// Generated meshes: asset/mesh builtin="..." params="...".
#pragma once

#include "asset/raw.h"

#define CTI_MESH_BUILTINS(X) /* id, keyword, fewest params, most params */ \
  X(NONE, "none", 0, 0)                                                    \
  X(SPHERE, "sphere", 1, 1)                                                \
  X(HEMISPHERE, "hemisphere", 1, 1)                                        \
  X(CONE, "cone", 2, 2)                                                    \
  X(SUPERSPHERE, "supersphere", 3, 3)                                      \
  X(SUPERTORUS, "supertorus", 4, 4)                                        \
  X(WEDGE, "wedge", 5, 5)                                                  \
  X(PLATE, "plate", 2, 2)                                                  \
  X(GRID, "grid", 6, 7)                                                    \
  X(BOX, "box", 6, 7)                                                      \
  X(CYLINDER, "cylinder", 6, 7)                                            \
  X(ELLIPSOID, "ellipsoid", 6, 7)                                          \
  X(SQUARE, "square", 6, 6)                                                \
  X(DISC, "disc", 6, 6)

#define CTI_AS_ENUM(id, keyword, fewest, most) CTI_BUILTIN_##id,
typedef enum ctiMeshBuiltin { CTI_MESH_BUILTINS(CTI_AS_ENUM) CTI_BUILTIN_COUNT } ctiMeshBuiltin;
#undef CTI_AS_ENUM

// Make a shape. `flat` (may be NULL) is set when it has no volume: legacy inertia then becomes that of a
// shell. CT_ERR_INVALID for parameters out of range, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_builtin_make(ctiRawMesh* out, bool* flat, ctiMeshBuiltin shape, const double* params, int nparam,
                          ctiRegion* region, ctError* err);
