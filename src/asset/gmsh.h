// GMSH files, versions 2.2 and 4.1, text and binary: points and the elements between them. Counts are
// compared with the size of the file before they are trusted.
#pragma once

#include "base/alloc.h"

// Largest number of points and of elements.
#define CTI_GMSH_MAX_COUNT (1 << 26)

typedef struct ctiGmsh {
  int dim;  // 1 lines, 2 triangles, 3 tetrahedra
  int npoint, nelement;
  double* point;  // npoint x 3
  int* element;   // nelement x (dim + 1), ids from 0
} ctiGmsh;

// Arrays live in `region`; `data` is only read. A file has one block of nodes and one of elements, all of one
// kind. CT_ERR_SYNTAX, CT_ERR_UNSUPPORTED, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_gmsh_decode(ctiGmsh* out, const char* data, size_t size, ctiRegion* region, ctError* err);
