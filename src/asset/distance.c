#include "asset/distance.h"

#include "asset/vec.h"

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
    double a[3], b[3], *n = field->normal + 3 * i;
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
  double slack = SAME_DISTANCE * nearest->square;
  if (square > nearest->square + slack) return;
  if (square < nearest->square - slack) nearest->side = 0;
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
