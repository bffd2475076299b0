#include "asset/octree.h"

#include "asset/vec.h"
#include "base/alloc.h"

// ---- signed distance

// Faces whose distances differ by less than this fraction are equally near.
#define SAME_DISTANCE 1e-9

static const double PI = 3.14159265358979323846;

ctStatus cti_distance_init(ctiDistanceField* field, const double* vert, const int* face, int nface,
                           const ctiBvh* bvh, ctiRegion* region, ctError* err) {
  *field = (ctiDistanceField){.vert = vert, .face = face, .bvh = bvh};
  field->normal = CTI_NEW_ARRAY(region, double, 3 * (size_t)nface);
  if (!field->normal) return cti_error_memory(err);
  for (int i = 0; i < nface; i++) {
    const int* f = face + 3 * i;
    double a[3], b[3];
    double* n = field->normal + 3 * i;
    cti_dsub3(a, vert + 3 * f[1], vert + 3 * f[0]);
    cti_dsub3(b, vert + 3 * f[2], vert + 3 * f[0]);
    cti_dcross3(n, a, b);
    double norm = sqrt(cti_ddot3(n, n));
    for (int k = 0; k < 3; k++) n[k] = norm > 0 ? n[k] / norm : 0;
  }
  return CT_OK;
}

// The nearest face so far: squared distance, and the weighted sum of normal . (p - nearest point) over ties.
typedef struct Nearest {
  double square, side;
} Nearest;

// Angle at corner `k` of a triangle.
static double corner_angle(const double* const corner[3], int k) {
  double a[3], b[3], c[3];
  cti_dsub3(a, corner[(k + 1) % 3], corner[k]);
  cti_dsub3(b, corner[(k + 2) % 3], corner[k]);
  cti_dcross3(c, a, b);
  return atan2(sqrt(cti_ddot3(c, c)), cti_ddot3(a, b));
}

// Does the foot of the perpendicular from p lie inside the triangle?
static bool is_above(const double* const corner[3], const double normal[3], const double p[3]) {
  for (int k = 0; k < 3; k++) {
    double edge[3], to[3], across[3];
    cti_dsub3(edge, corner[(k + 1) % 3], corner[k]);
    cti_dsub3(to, p, corner[k]);
    cti_dcross3(across, edge, to);
    if (cti_ddot3(across, normal) < 0) return false;
  }
  return cti_ddot3(normal, normal) > 0;
}

// Squared distance to a triangle; `weight` is the angle it takes up around its nearest point, `offset` leads
// from there to p.
static double triangle_distance(double offset[3], double* weight, const double* const corner[3],
                                const double normal[3], const double p[3]) {
  double to[3];
  cti_dsub3(to, p, corner[0]);
  if (is_above(corner, normal, p)) {
    double height = cti_ddot3(to, normal);
    for (int k = 0; k < 3; k++) offset[k] = height * normal[k];
    *weight = 2 * PI;
    return height * height;
  }
  double best = HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    double edge[3], from[3];
    cti_dsub3(edge, corner[(k + 1) % 3], corner[k]);
    cti_dsub3(to, p, corner[k]);
    double length = cti_ddot3(edge, edge), t = length > 0 ? cti_ddot3(to, edge) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int i = 0; i < 3; i++) from[i] = to[i] - t * edge[i];
    double square = cti_ddot3(from, from);
    if (square >= best) continue;
    best = square;
    cti_dcopy3(offset, from);
    *weight = t <= 0 ? corner_angle(corner, k) : t >= 1 ? corner_angle(corner, (k + 1) % 3) : PI;
  }
  return best;
}

static void visit_face(Nearest* nearest, const ctiDistanceField* field, int face, const double p[3]) {
  const int* f = field->face + 3 * face;
  const double* corner[3] = {field->vert + 3 * f[0], field->vert + 3 * f[1], field->vert + 3 * f[2]};
  const double* normal = field->normal + 3 * face;
  double offset[3] = {0}, weight = 0;
  double square = triangle_distance(offset, &weight, corner, normal, p);
  double tolerance = SAME_DISTANCE * nearest->square;
  if (square > nearest->square + tolerance) return;
  if (square < nearest->square - tolerance) nearest->side = 0;
  if (square < nearest->square) nearest->square = square;
  nearest->side += weight * cti_ddot3(offset, normal);
}

static double box_distance(const double box[6], const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double out = fabs(p[k] - box[k]) - box[3 + k];
    if (out > 0) square += out * out;
  }
  return square;
}

double cti_distance(const ctiDistanceField* field, const double point[3]) {
  enum { STACK = 128 };  // one sibling a level
  const ctiBvh* t = field->bvh;
  Nearest nearest = {1e300, 0};
  int stack[STACK], waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    int node = stack[--waiting];
    if (box_distance(t->aabb + 6 * node, point) > nearest.square * (1 + SAME_DISTANCE)) continue;
    if (t->nodeid[node] >= 0) {
      visit_face(&nearest, field, t->nodeid[node], point);
      continue;
    }
    int a = t->child[2 * node], b = t->child[2 * node + 1];
    bool a_first = box_distance(t->aabb + 6 * a, point) <= box_distance(t->aabb + 6 * b, point);
    stack[waiting++] = a_first ? b : a;
    stack[waiting++] = a_first ? a : b;
  }
  double distance = sqrt(nearest.square);
  return nearest.side < 0 ? -distance : distance;
}

// ---- the tree

enum {
  DEPTH = 6,
  CELLS = 1 << DEPTH,  // smallest cells along an axis
  CORNERS = CELLS + 1,
};

// The root is this much larger than the box of the mesh.
#define ROOM 1.1

// A cell: position among the cells of its depth; its eight children are consecutive, x varies fastest.
typedef struct Cell {
  int depth, at[3];
  int child;  // first, -1 in a leaf
} Cell;

typedef CTI_ARRAY(Cell) Cells;
typedef CTI_ARRAY(int) Ints;

typedef struct Builder {
  ctiMesh* m;
  const double* vert;
  double centre[3], half[3];  // of the root
  Cells cells;
  double* value;  // by corner of the finest grid; NAN while unknown
  ctiDistanceField field;
  const ctAllocator* allocator;
} Builder;

static void cell_box(double centre[3], double half[3], const Builder* b, const Cell* cell) {
  for (int k = 0; k < 3; k++) {
    half[k] = b->half[k] / (1 << cell->depth);
    centre[k] = b->centre[k] - b->half[k] + half[k] * (2 * cell->at[k] + 1);
  }
}

// Do a triangle and a box of half sizes 1 about the origin keep apart along an axis?
static bool is_apart(const double axis[3], const double corner[9]) {
  double reach = fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2]);
  double p = cti_ddot3(axis, corner), q = cti_ddot3(axis, corner + 3), r = cti_ddot3(axis, corner + 6);
  return fmin(p, fmin(q, r)) > reach || fmax(p, fmax(q, r)) < -reach;
}

// Separating axes: the sides of the box, the plane of the triangle, and the products of their edges.
static bool overlaps(const double centre[3], const double half[3], const double* vert, const int face[3]) {
  double corner[9], edge[3][3], normal[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) corner[3 * i + k] = (vert[3 * face[i] + k] - centre[k]) / half[k];
  }
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    if (is_apart(axis, corner)) return false;
  }
  for (int i = 0; i < 3; i++) cti_dsub3(edge[i], corner + 3 * ((i + 1) % 3), corner + 3 * i);
  cti_dcross3(normal, edge[0], edge[1]);
  if (is_apart(normal, corner)) return false;
  for (int i = 0; i < 3; i++) {
    const double* e = edge[i];
    const double x[3] = {0, -e[2], e[1]}, y[3] = {e[2], 0, -e[0]}, z[3] = {-e[1], e[0], 0};
    if (is_apart(x, corner) || is_apart(y, corner) || is_apart(z, corner)) return false;
  }
  return true;
}

static ctStatus divide(Builder* b, int index) {
  Cell cell = b->cells.data[index];
  b->cells.data[index].child = b->cells.count;
  for (int i = 0; i < 8; i++) {
    Cell child = {.depth = cell.depth + 1, .child = -1};
    for (int k = 0; k < 3; k++) child.at[k] = 2 * cell.at[k] + (i >> k & 1);
    CT_TRY(cti_array_push(&b->cells, b->allocator, child));
  }
  return CT_OK;
}

// Append the faces among list[first .. first + count) that pass through a cell; returns how many, -1 without
// memory.
static int filter_faces(const Builder* b, Ints* list, const Cell* cell, int first, int count) {
  double centre[3], half[3];
  int found = 0;
  cell_box(centre, half, b, cell);
  for (int i = first; i < first + count; i++) {
    int face = list->data[i];
    if (!overlaps(centre, half, b->vert, b->m->face + 3 * face)) continue;
    if (cti_array_push(list, b->allocator, face) != CT_OK) return -1;
    found++;
  }
  return found;
}

// Breadth first. Each cell knows its stretch of `list`, from which its children choose theirs.
static ctStatus divide_at_surface(Builder* b) {
  Ints list = {0}, first = {0}, count = {0};
  for (int f = 0; f < b->m->nface; f++) CT_TRY(cti_array_push(&list, b->allocator, f));
  CT_TRY(cti_array_push(&b->cells, b->allocator, ((Cell){.child = -1})));
  CT_TRY(cti_array_push(&first, b->allocator, 0));
  CT_TRY(cti_array_push(&count, b->allocator, list.count));
  for (int i = 0; i < b->cells.count; i++) {
    if (b->cells.data[i].depth == DEPTH || count.data[i] == 0) continue;
    CT_TRY(divide(b, i));
    for (int c = b->cells.count - 8; c < b->cells.count; c++) {
      int start = list.count, found = filter_faces(b, &list, &b->cells.data[c], first.data[i], count.data[i]);
      if (found < 0) return CT_ERR_MEMORY;
      CT_TRY(cti_array_push(&first, b->allocator, start));
      CT_TRY(cti_array_push(&count, b->allocator, found));
    }
  }
  return CT_OK;
}

// The leaf that holds a cell of the finest grid.
static int leaf_at(const Builder* b, const int at[3]) {
  int index = 0;
  for (int shift = DEPTH - 1; b->cells.data[index].child >= 0; shift--) {
    int which = (at[0] >> shift & 1) | (at[1] >> shift & 1) << 1 | (at[2] >> shift & 1) << 2;
    index = b->cells.data[index].child + which;
  }
  return index;
}

// The leaf beyond a side of a cell, at the low corner of that side; -1 outside the root.
static int neighbour(const Builder* b, const Cell* cell, int axis, int step) {
  int size = CELLS >> cell->depth, at[3] = {cell->at[0] * size, cell->at[1] * size, cell->at[2] * size};
  at[axis] += step > 0 ? size : -1;
  return at[axis] < 0 || at[axis] >= CELLS ? -1 : leaf_at(b, at);
}

// One pass over the leaves: note which must be divided so that neighbours differ by one level at most.
static ctStatus find_unbalanced(const Builder* b, Ints* found, bool* noted) {
  for (int i = 0; i < b->cells.count; i++) {
    const Cell* cell = &b->cells.data[i];
    if (cell->child >= 0) continue;
    for (int side = 0; side < 6; side++) {
      int other = neighbour(b, cell, side / 2, side % 2 ? 1 : -1);
      if (other < 0) continue;
      int ahead = b->cells.data[other].depth - cell->depth;
      int coarse = ahead > 1 ? i : ahead < -1 ? other : -1;
      if (coarse < 0 || noted[coarse]) continue;
      noted[coarse] = true;
      CT_TRY(cti_array_push(found, b->allocator, coarse));
    }
  }
  return CT_OK;
}

static ctStatus balance(Builder* b) {
  for (;;) {
    Ints found = {0};
    bool* noted = CTI_ALLOC(b->allocator, bool, b->cells.count);
    if (!noted) return CT_ERR_MEMORY;
    CT_TRY(find_unbalanced(b, &found, noted));
    if (found.count == 0) return CT_OK;
    for (int i = 0; i < found.count; i++) CT_TRY(divide(b, found.data[i]));
  }
}

// The largest leaf that touches a corner of the grid without having it as its own corner; -1 if there is
// none.
static int hanging_in(const Builder* b, const int at[3]) {
  int best = -1;
  for (int i = 0; i < 8; i++) {
    int cell[3] = {at[0] - (i & 1), at[1] - (i >> 1 & 1), at[2] - (i >> 2 & 1)};
    bool inside = true, own = true;
    for (int k = 0; k < 3; k++) inside = inside && cell[k] >= 0 && cell[k] < CELLS;
    if (!inside) continue;
    int leaf = leaf_at(b, cell), size = CELLS >> b->cells.data[leaf].depth;
    for (int k = 0; k < 3; k++) own = own && at[k] % size == 0;
    if (!own && (best < 0 || b->cells.data[leaf].depth < b->cells.data[best].depth)) best = leaf;
  }
  return best;
}

// Value at a corner of the grid. Recursion goes to corners of larger cells, at most DEPTH deep.
static double corner_value(Builder* b, const int at[3]) {
  double* slot = b->value + (at[0] * CORNERS + at[1]) * CORNERS + at[2];
  if (!isnan(*slot)) return *slot;
  int leaf = hanging_in(b, at);
  if (leaf < 0) {
    double p[3];
    for (int k = 0; k < 3; k++) p[k] = b->centre[k] - b->half[k] + 2 * b->half[k] * at[k] / CELLS;
    return *slot = cti_distance(&b->field, p);
  }
  const Cell cell = b->cells.data[leaf];
  int size = CELLS >> cell.depth;
  double sum = 0;
  for (int i = 0; i < 8; i++) {
    double weight = 1;
    int corner[3];
    for (int k = 0; k < 3; k++) {
      double t = (double)(at[k] - cell.at[k] * size) / size;
      weight *= i >> k & 1 ? t : 1 - t;
      corner[k] = (cell.at[k] + (i >> k & 1)) * size;
    }
    if (weight > 0) sum += weight * corner_value(b, corner);
  }
  return *slot = sum;
}

static ctStatus write_cells(Builder* b, ctiRegion* region) {
  ctiMesh* m = b->m;
  size_t n = (size_t)b->cells.count;
  m->oct_depth = CTI_NEW_ARRAY(region, int, n);
  m->oct_child = CTI_NEW_ARRAY(region, int, 8 * (size_t)n);
  m->oct_aabb = CTI_NEW_ARRAY(region, double, 6 * (size_t)n);
  m->oct_coeff = CTI_NEW_ARRAY(region, double, 8 * (size_t)n);
  if (!m->oct_depth || !m->oct_child || !m->oct_aabb || !m->oct_coeff) return CT_ERR_MEMORY;
  m->noct = b->cells.count;
  for (int i = 0; i < m->noct; i++) {
    const Cell* cell = &b->cells.data[i];
    int size = CELLS >> cell->depth;
    m->oct_depth[i] = cell->depth;
    cell_box(m->oct_aabb + 6 * (size_t)i, m->oct_aabb + 6 * (size_t)i + 3, b, cell);
    for (int c = 0; c < 8; c++) {
      const int at[3] = {(cell->at[0] + (c & 1)) * size, (cell->at[1] + (c >> 1 & 1)) * size,
                         (cell->at[2] + (c >> 2 & 1)) * size};
      m->oct_child[8 * i + c] = cell->child < 0 ? -1 : cell->child + c;
      m->oct_coeff[8 * (size_t)i + (size_t)c] = corner_value(b, at);
    }
  }
  return CT_OK;
}

ctStatus cti_octree_build(ctiMesh* m, const double* vert, ctiRegion* region, ctError* err) {
  Builder b = {.m = m, .vert = vert, .allocator = cti_region_allocator(region)};
  for (int k = 0; k < 3; k++) {
    b.centre[k] = (m->aabb[k] + m->aabb[3 + k]) / 2;
    b.half[k] = ROOM * (m->aabb[3 + k] - m->aabb[k]) / 2;
    if (!(b.half[k] > 0))
      return cti_error(err, CT_ERR_INVALID, "a signed distance field needs a mesh with a thickness");
  }
  const size_t corners = (size_t)CORNERS * CORNERS * CORNERS;
  b.value = CTI_NEW_ARRAY(region, double, corners);
  if (!b.value) return cti_error_memory(err);
  for (size_t i = 0; i < corners; i++) b.value[i] = (double)NAN;
  CT_TRY(cti_distance_init(&b.field, vert, m->face, m->nface, &m->bvh, region, err));
  ctStatus status = divide_at_surface(&b);
  if (status == CT_OK) status = balance(&b);
  if (status == CT_OK) status = write_cells(&b, region);
  return status == CT_OK ? CT_OK : cti_error_memory(err);
}
