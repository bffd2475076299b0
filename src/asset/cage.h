// Cages: boxes of cells whose nodes carry a deformable inside, and where in them its material is.
//
// A cage of order 1 has nodes at the corners of its cells, one of order 2 also between them; z runs fastest
// in all numberings. Points are in cage coordinates: cell (i, j, k) reaches from i to i+1 along the first
// axis, and so on.
#pragma once

#include <stdbool.h>

#include "base/alloc.h"

#define CTI_CAGE_MAX_ORDER  2
#define CTI_CAGE_MAX_DEGREE (2 * CTI_CAGE_MAX_ORDER)
// Cells of one cage.
#define CTI_CAGE_MAX_CELLS (1 << 20)

typedef struct ctiCage {
  int order, cells[3];
} ctiCage;

static inline int cti_cage_axis_nodes(const ctiCage* c, int axis) {
  return c->order * c->cells[axis] + 1;
}
static inline int64_t cti_cage_cell_count(const ctiCage* c) {
  return cti_size_mul(cti_size_mul(c->cells[0], c->cells[1]), c->cells[2]);
}
static inline int64_t cti_cage_node_count(const ctiCage* c) {
  return cti_size_mul(cti_size_mul(cti_cage_axis_nodes(c, 0), cti_cage_axis_nodes(c, 1)),
                      cti_cage_axis_nodes(c, 2));
}
// The number of node `local` (z fastest) of cell `cell`.
int cti_cage_node(const ctiCage* c, int cell, int local);
// Whether a node lies on the outside.
bool cti_cage_node_outside(const ctiCage* c, int node);

// A polynomial of one coordinate, which runs from -1 to 1 in a cell: sums of powers stay well conditioned.
typedef struct ctiPoly {
  double c[CTI_CAGE_MAX_DEGREE + 1];
} ctiPoly;

// Basis function i of an axis, and its derivative along the cell, whose width is 1.
ctiPoly cti_poly_basis(int order, int i);
ctiPoly cti_poly_derivative(const ctiPoly* p);
ctiPoly cti_poly_product(const ctiPoly* p, const ctiPoly* q);
// The mean over a cell.
double cti_poly_mean(const ctiPoly* p);

// Integrals of x^a y^b z^c over the material in a cell of volume 1; (degree + 1)^3 numbers a cell, c fastest.
// Material counts once, the rest of the cell a little.
typedef struct ctiCageMaterial {
  int degree;
  bool* empty;  // cells without material
  double* moment;
} ctiCageMaterial;

// Material of tetrahedra (dim 3), or inside a closed surface of triangles (dim 2). What an open surface
// encloses is found by samples.
ctStatus cti_cage_material(ctiCageMaterial* out, const ctiCage* c, int dim, const double* point,
                           const int* element, int nelement, ctiRegion* region, ctError* err);

// The integral of a product of polynomials, one an axis, over the material of a cell.
double cti_cage_integral(const ctiCageMaterial* m, int cell, const ctiPoly* x, const ctiPoly* y,
                         const ctiPoly* z);

// Shares of the mass of all nodes: how much material each carries. Nodes of empty cells alone have none.
void cti_cage_masses(double* out, const ctiCage* c, const ctiCageMaterial* m);
// The same for a shell: by the nodes' places alone.
void cti_cage_shell_masses(double* out, const ctiCage* c);
