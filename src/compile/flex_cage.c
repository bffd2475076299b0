// Deformables in cages: the frame of the cage, the stiffness of its cells or of its outer faces, and the
// strain modes that equalities hold.
#include <math.h>
#include <string.h>

#include "compile/flex.h"

// Nodes and dofs of the largest element.
#define MAX_NODES 27
#define MAX_DOFS  (3 * MAX_NODES)

// The material of strain modes: only their directions count.
#define MODE_YOUNG   10.0
#define MODE_POISSON 0.3

static ctiCage cage_of(const ctiBuildFlex* flex) {
  const int* c = flex->spec->cellcount;
  return (ctiCage){flex->spec->order, {c[0], c[1], c[2]}};
}

// ---- frame

// The axes of the cage from the edges of its first cell. They must be at right angles.
static ctStatus find_axes(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiCage cage = cage_of(flex);
  int n = cage.order + 1;
  const int ends[3] = {cti_cage_node(&cage, 0, (n - 1) * n * n), cti_cage_node(&cage, 0, (n - 1) * n),
                       cti_cage_node(&cage, 0, n - 1)};
  for (int a = 0; a < 3; a++) {
    double e[3], square = 0;
    for (int k = 0; k < 3; k++) {
      e[k] = flex->nodepos[3 * ends[a] + k] - flex->nodepos[k];
      square += e[k] * e[k];
    }
    for (int k = 0; k < 3; k++) flex->axes[3 * k + a] = square > 0 ? e[k] / sqrt(square) : 0;
  }
  for (int a = 0; a < 3; a++) {
    for (int c = 0; c <= a; c++) {
      double product = 0;
      for (int k = 0; k < 3; k++) product += flex->axes[3 * k + a] * flex->axes[3 * k + c];
      if (fabs(product - (a == c)) > 1e-6)
        return CTI_FLEX_FAIL(b, flex, "the edges of its cage must have a length and be at right angles: %s",
                             a == c
                                 ? "the box around its points is flat, and cages are for shapes with a volume"
                                 : "check the nodes");
    }
  }
  return CT_OK;
}

static void along_axes(double out[3], const ctiBuildFlex* flex, const double p[3]) {
  for (int a = 0; a < 3; a++) {
    out[a] = 0;
    for (int k = 0; k < 3; k++) out[a] += flex->axes[3 * k + a] * p[k];
  }
}

ctStatus cti_flex_place_in_cage(ctiBuild* b, ctiBuildFlex* flex) {
  const int* cells = flex->spec->cellcount;
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  CT_TRY(find_axes(b, flex));
  flex->node0 = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)flex->nnode);
  if (!flex->node0) return cti_error_memory(b->err);
  for (int i = 0; i < flex->nnode; i++) {
    along_axes(flex->node0 + 3 * i, flex, flex->nodepos + 3 * i);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], flex->node0[3 * i + k]);
      high[k] = fmax(high[k], flex->node0[3 * i + k]);
    }
  }
  for (int k = 0; k < 3; k++) flex->size[k] = 0.5 * (high[k] - low[k]);
  for (int i = 0; i < flex->nvert; i++) {
    double p[3];
    int cell[3];
    along_axes(p, flex, flex->vertpos + 3 * i);
    for (int k = 0; k < 3; k++) {
      flex->vert0[3 * i + k] =
          high[k] - low[k] > (double)CTI_MINVAL ? (p[k] - low[k]) / (high[k] - low[k]) : 0.5;
      double at = floor(flex->vert0[3 * i + k] * cells[k]);
      cell[k] = (int)fmin(fmax(at, 0), cells[k] - 1);
    }
    flex->vertcell[i] = (cell[0] * cells[1] + cell[1]) * cells[2] + cell[2];
  }
  return CT_OK;
}

// ---- material

typedef struct Lame {
  double mu, la;
} Lame;

static Lame lame_of(double young, double nu, bool plane) {
  return (Lame){young / (2 * (1 + nu)),
                plane ? young * nu / (1 - nu * nu) : young * nu / ((1 + nu) * (1 - 2 * nu))};
}

// ---- cells

// Adds, for two nodes, -(la div div + 2 mu sym : sym) from the integrals D of products of their derivatives.
static void add_pair(double* out, int n, int i, int j, const double D[3][3], Lame l, const int* axis,
                     int axes) {
  for (int p = 0; p < axes; p++) {
    for (int q = 0; q < axes; q++) {
      double value = l.la * D[p][q] + l.mu * D[q][p];
      for (int k = 0; p == q && k < axes; k++) value += l.mu * D[k][k];
      out[(3 * i + axis[p]) * 3 * n + 3 * j + axis[q]] -= value;
    }
  }
}

static void fill_cell(double* out, const ctiCage* cage, const ctiCageMaterial* m, int cell, const double h[3],
                      Lame l) {
  static const int axis[3] = {0, 1, 2};
  int each = cage->order + 1, n = each * each * each;
  ctiPoly basis[2][3];  // functions, derivatives
  for (int i = 0; i < each; i++) {
    basis[0][i] = cti_poly_basis(cage->order, i);
    basis[1][i] = cti_poly_derivative(&basis[0][i]);
  }
  for (int i = 0; i < n; i++) {
    const int a[3] = {i / (each * each), i / each % each, i % each};
    for (int j = 0; j < n; j++) {
      const int c[3] = {j / (each * each), j / each % each, j % each};
      double D[3][3];
      for (int p = 0; p < 3; p++) {
        for (int q = 0; q < 3; q++) {
          ctiPoly f[3];
          for (int k = 0; k < 3; k++) f[k] = cti_poly_product(&basis[k == p][a[k]], &basis[k == q][c[k]]);
          D[p][q] = cti_cage_integral(m, cell, &f[0], &f[1], &f[2]) * h[0] * h[1] * h[2] / (h[p] * h[q]);
        }
      }
      add_pair(out, n, i, j, (const double(*)[3])D, l, axis, 3);
    }
  }
}

// ---- outer faces

// A face element: the side of the cage it is on and its place there.
typedef struct Face {
  int axis, slow, fast;  // across it, and the two along it
  int node[9];           // of the cage, slow-fast
  double width[2];       // along slow and fast
} Face;

static int face_count(const int c[3]) {
  return 2 * (c[1] * c[2] + c[0] * c[2] + c[0] * c[1]);
}

// Sides x, y, z, lower first; on each, elements slow-fast.
static Face face_at(const ctiBuildFlex* flex, const ctiCage* cage, int id) {
  Face f = {0};
  int side = 0, nodes[3], each = cage->order + 1;
  for (int a = 0; a < 3; a++) nodes[a] = cti_cage_axis_nodes(cage, a);
  for (f.axis = 0; f.axis < 3; f.axis++) {
    f.slow = (f.axis + 1) % 3;
    f.fast = (f.axis + 2) % 3;
    int on_side = cage->cells[f.slow] * cage->cells[f.fast];
    for (side = 0; side < 2 && id >= on_side; side++) id -= on_side;
    if (side < 2) break;
  }
  int at[3];
  for (int i = 0; i < each * each; i++) {
    at[f.axis] = side ? nodes[f.axis] - 1 : 0;
    at[f.slow] = cage->order * (id / cage->cells[f.fast]) + i / each;
    at[f.fast] = cage->order * (id % cage->cells[f.fast]) + i % each;
    f.node[i] = (at[0] * nodes[1] + at[1]) * nodes[2] + at[2];
  }
  f.width[0] = 2 * flex->size[f.slow] / cage->cells[f.slow];
  f.width[1] = 2 * flex->size[f.fast] / cage->cells[f.fast];
  return f;
}

static void fill_face(double* out, const Face* f, int order, double thickness, Lame l) {
  int each = order + 1, n = each * each;
  const int axis[2] = {f->slow, f->fast};
  ctiPoly basis[2][3];
  for (int i = 0; i < each; i++) {
    basis[0][i] = cti_poly_basis(order, i);
    basis[1][i] = cti_poly_derivative(&basis[0][i]);
  }
  for (int i = 0; i < n; i++) {
    const int a[2] = {i / each, i % each};
    for (int j = 0; j < n; j++) {
      const int c[2] = {j / each, j % each};
      double D[3][3] = {{0}};
      for (int p = 0; p < 2; p++) {
        for (int q = 0; q < 2; q++) {
          D[p][q] = thickness * f->width[0] * f->width[1] / (f->width[p] * f->width[q]);
          for (int k = 0; k < 2; k++) {
            ctiPoly product = cti_poly_product(&basis[k == p][a[k]], &basis[k == q][c[k]]);
            D[p][q] *= cti_poly_mean(&product);
          }
        }
      }
      add_pair(out, n, i, j, (const double(*)[3])D, l, axis, 2);
    }
  }
}

// ---- strain modes

// Eigenvectors of a symmetric matrix by rotations; a becomes diagonal, the columns of v are the vectors.
static void jacobi(double* a, double* v, int n) {
  memset(v, 0, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < n; i++) v[i * n + i] = 1;
  for (int sweep = 0; sweep < 200; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) off += a[p * n + q] * a[p * n + q];
    }
    if (off < 1e-24) return;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        double apq = a[p * n + q];
        if (fabs(apq) < 1e-15) continue;
        double tau = (a[q * n + q] - a[p * n + p]) / (2 * apq);
        double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau)), c = 1 / sqrt(1 + t * t),
               s = t * c;
        for (int k = 0; k < n; k++) {
          double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          double x = v[k * n + p], y = v[k * n + q];
          v[k * n + p] = c * x - s * y;
          v[k * n + q] = s * x + c * y;
        }
      }
    }
  }
}

// A (negative) stiffness becomes its number of modes and the modes, each as long as the root of its
// stiffness.
static ctStatus to_modes(ctiBuild* b, double* matrix, int n) {
  double *a = CTI_NEW_ARRAY(b->region, double, (size_t)n*(size_t)n),
         *v = CTI_NEW_ARRAY(b->region, double, (size_t)n*(size_t)n), largest = 0;
  if (!a || !v) return cti_error_memory(b->err);
  memcpy(a, matrix, (size_t)(n * n) * sizeof(double));
  jacobi(a, v, n);
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i * n + i]));
  memset(matrix, 0, (size_t)(n * n) * sizeof(double));
  for (int i = 0; i < n; i++) {
    double stiffness = -a[i * n + i];
    if (!(stiffness > 1e-8 * largest)) continue;
    int at = 1 + (int)matrix[0]++ * n;
    for (int k = 0; k < n; k++) matrix[at + k] = sqrt(stiffness) * v[k * n + i];
  }
  return CT_OK;
}

// Rigid motions of a face, made orthonormal, and taken off the pattern that warps it.
static void add_warp(double* matrix, const ctiBuildFlex* flex, const Face* f, int order) {
  int each = order + 1, n = 3 * each * each, at = 1 + (int)matrix[0] * n, kept = 0;
  double rigid[6][MAX_DOFS], warp[MAX_DOFS] = {0}, square = 0, centre[3] = {0, 0, 0};
  for (int i = 0; i < each * each; i++) {
    double s = (double)(i / each) / order, t = (double)(i % each) / order;
    warp[3 * i + f->axis] = (1 - 2 * s) * (1 - 2 * t);
    for (int k = 0; k < 3; k++) centre[k] += flex->node0[3 * f->node[i] + k] / (each * each);
  }
  for (int r = 0; r < 6; r++) {
    double* m = rigid[kept];
    memset(m, 0, sizeof(rigid[0]));
    for (int i = 0; i < each * each; i++) {
      double p[3];
      for (int k = 0; k < 3; k++) p[k] = flex->node0[3 * f->node[i] + k] - centre[k];
      int a = (r + 1) % 3, c = (r + 2) % 3;
      if (r < 3) {
        m[3 * i + r] = 1;
      } else {
        m[3 * i + a] = -p[c];
        m[3 * i + c] = p[a];
      }
    }
    for (int o = 0; o < kept; o++) {
      double product = 0;
      for (int k = 0; k < n; k++) product += m[k] * rigid[o][k];
      for (int k = 0; k < n; k++) m[k] -= product * rigid[o][k];
    }
    double length = 0;
    for (int k = 0; k < n; k++) length += m[k] * m[k];
    if (!(length > 1e-20)) continue;
    for (int k = 0; k < n; k++) m[k] /= sqrt(length);
    kept++;
  }
  for (int o = 0; o < kept; o++) {
    double product = 0;
    for (int k = 0; k < n; k++) product += warp[k] * rigid[o][k];
    for (int k = 0; k < n; k++) warp[k] -= product * rigid[o][k];
  }
  for (int k = 0; k < n; k++) square += warp[k] * warp[k];
  if (!(square > 0)) return;
  double t = flex->spec->thickness, nu = MODE_POISSON, D = MODE_YOUNG * t * t * t / (12 * (1 - nu * nu));
  double scale = sqrt(4 * D * (1 - nu) / (f->width[0] * f->width[1])) / sqrt(square);
  for (int k = 0; k < n; k++) matrix[at + k] = scale * warp[k];
  matrix[0]++;
}

// ---- bending of shells

#define EDGE_RECORD 10

// An edge of a face element: direction across it (0 slow, 1 fast) and side.
typedef struct Edge {
  int low, high;  // its corner nodes
  int face, across, side;
} Edge;

static Edge edge_of(const Face* f, int face, int order, int k) {
  int each = order + 1, across = k / 2, side = k % 2;
  int first = across == 0 ? side * order * each : side * order;
  int last = across == 0 ? first + order : first + order * each;
  int a = f->node[first], c = f->node[last];
  return (Edge){a < c ? a : c, a < c ? c : a, face, across, side};
}

// The unit normal of a face at rest, along the axes of the cage.
static void face_normal(double out[3], const Face* f) {
  for (int k = 0; k < 3; k++) out[k] = k == f->axis;
}

static void local_point(double out[2], const Edge* e) {
  out[0] = out[1] = 0.5;
  out[e->across] = e->side;
}

static void fill_bend(double* out, const ctiFlex* s, const Face* fa, const Edge* ea, const Face* fb,
                      const Edge* eb) {
  double na[3], nb[3], nu = s->poisson,
                       D = s->young * s->thickness * s->thickness * s->thickness / (12 * (1 - nu * nu));
  double along = (fa->width[1 - ea->across] + fb->width[1 - eb->across]) / 2,
         across = (fa->width[ea->across] + fb->width[eb->across]) / 2;
  face_normal(na, fa);
  face_normal(nb, fb);
  out[0] = ea->face;
  out[1] = eb->face;
  local_point(out + 2, ea);
  local_point(out + 4, eb);
  out[6] = D * along / across;
  for (int k = 0; k < 3; k++) out[7 + k] = na[k] - nb[k];
}

static ctStatus bend_shell(ctiBuild* b, ctiBuildFlex* flex, const ctiCage* cage) {
  int faces = face_count(cage->cells);
  flex->nbending = 1 + EDGE_RECORD * 2 * faces;
  flex->bending = CTI_NEW_ARRAY(b->region, double, flex->nbending);
  // the first edge met at each pair of nodes; as many slots as leave room
  uint64_t size = 16;
  while (size < 8 * (uint64_t)faces) size *= 2;
  Edge* all = CTI_NEW_ARRAY(b->region, Edge, 4 * (size_t)faces);
  int* slot = CTI_NEW_ARRAY(b->region, int, size);
  int* partner = CTI_NEW_ARRAY(b->region, int, 4 * (size_t)faces);
  if (!flex->bending || !all || !slot || !partner) return cti_error_memory(b->err);
  for (int i = 0; i < 4 * faces; i++) {
    Face f = face_at(flex, cage, i / 4);
    all[i] = edge_of(&f, i / 4, cage->order, i % 4);
    partner[i] = -1;
    uint64_t key = ((uint64_t)(uint32_t)all[i].low << 32 | (uint32_t)all[i].high) * 0x9e3779b97f4a7c15u;
    uint64_t at = key >> 20 & (size - 1);
    for (; slot[at]; at = (at + 1) & (size - 1)) {
      const Edge* other = &all[slot[at] - 1];
      if (other->low == all[i].low && other->high == all[i].high) break;
    }
    if (slot[at]) {
      partner[i] = slot[at] - 1;
      partner[slot[at] - 1] = i;
    } else {
      slot[at] = i + 1;
    }
  }
  int count = 0;
  for (int i = 0; i < 4 * faces; i++) {
    if (partner[i] < 0 || all[partner[i]].face <= all[i].face) continue;
    Face fa = face_at(flex, cage, all[i].face), fb = face_at(flex, cage, all[partner[i]].face);
    fill_bend(flex->bending + 1 + EDGE_RECORD * count++, flex->spec, &fa, &all[i], &fb, &all[partner[i]]);
  }
  flex->bending[0] = count;
  return CT_OK;
}

// ---- the whole

static ctStatus allot_stiffness(ctiBuild* b, ctiBuildFlex* flex, int elements, int dofs) {
  if (cti_size_mul(elements, (int64_t)dofs * dofs) > INT32_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &flex->spec->head, "has too many cells for their stiffness");
  flex->nstiffness = elements * dofs * dofs;
  flex->stiffness = CTI_NEW_ARRAY(b->region, double, flex->nstiffness);
  return flex->stiffness ? CT_OK : cti_error_memory(b->err);
}

static ctStatus shell_elasticity(ctiBuild* b, ctiBuildFlex* flex, const ctiCage* cage, bool strain) {
  const ctiFlex* s = flex->spec;
  int faces = face_count(cage->cells), each = cage->order + 1, dofs = 3 * each * each;
  if (s->young > 0 && cti_flex_bends(s)) CT_TRY(bend_shell(b, flex, cage));
  if (!strain && !(s->young > 0 && cti_flex_stretches(s))) return CT_OK;
  CT_TRY(allot_stiffness(b, flex, faces, dofs));
  Lame l = strain ? lame_of(MODE_YOUNG, MODE_POISSON, true) : lame_of(s->young, s->poisson, true);
  for (int i = 0; i < faces; i++) {
    Face f = face_at(flex, cage, i);
    double* matrix = flex->stiffness + (size_t)i * (size_t)(dofs * dofs);
    fill_face(matrix, &f, cage->order, s->thickness, l);
    if (!strain) continue;
    CT_TRY(to_modes(b, matrix, dofs));
    add_warp(matrix, flex, &f, cage->order);
  }
  return CT_OK;
}

// A node that no material holds must not move on its own.
static ctStatus check_idle(ctiBuild* b, const ctiBuildFlex* flex, const ctiCage* cage,
                           const ctiCageMaterial* m) {
  int each = cage->order + 1, cells = (int)cti_cage_cell_count(cage);
  bool* held = CTI_NEW_ARRAY(b->region, bool, flex->nnode);
  if (!held) return cti_error_memory(b->err);
  for (int i = 0; i < cells; i++) {
    for (int k = 0; k < each * each * each && !m->empty[i]; k++) held[cti_cage_node(cage, i, k)] = true;
  }
  for (int i = 0; i < flex->nnode; i++) {
    const ctiBuildBody* body = &b->body[flex->nodebody[i]];
    bool own = flex->node[3 * i] == 0 && flex->node[3 * i + 1] == 0 && flex->node[3 * i + 2] == 0;
    if (!held[i] && own && body->jntnum > 0)
      return CTI_FLEX_FAIL(
          b, flex, "node %d is in cells without material, and its body \"%s\" moves: put it on a fixed one",
          i, body->spec->head.name ? body->spec->head.name : "");
  }
  return CT_OK;
}

static ctStatus volume_elasticity(ctiBuild* b, ctiBuildFlex* flex, const ctiCage* cage, bool strain) {
  const ctiFlex* s = flex->spec;
  int cells = (int)cti_cage_cell_count(cage), each = cage->order + 1, dofs = 3 * each * each * each;
  if (!strain && !(s->young > 0)) return CT_OK;
  ctiCageMaterial material;
  double* point = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)flex->nvert);
  if (!point) return cti_error_memory(b->err);
  for (int i = 0; i < 3 * flex->nvert; i++) point[i] = flex->vert0[i] * cage->cells[i % 3];
  CT_TRY(allot_stiffness(b, flex, cells, dofs));
  CT_TRY(cti_cage_material(&material, cage, s->dim, point, flex->elem, flex->nelem, b->region, b->err));
  CT_TRY(check_idle(b, flex, cage, &material));
  double h[3];
  for (int k = 0; k < 3; k++) h[k] = 2 * flex->size[k] / cage->cells[k];
  Lame l = strain ? lame_of(MODE_YOUNG, MODE_POISSON, false) : lame_of(s->young, s->poisson, false);
  for (int i = 0; i < cells; i++) {
    if (material.empty[i]) continue;
    double* matrix = flex->stiffness + (size_t)i * (size_t)(dofs * dofs);
    fill_cell(matrix, cage, &material, i, h, l);
    if (strain) CT_TRY(to_modes(b, matrix, dofs));
  }
  return CT_OK;
}

ctStatus cti_flex_cage_elasticity(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  const ctiCage cage = cage_of(flex);
  bool strain = flex->equality == CTI_FLEXEQ_STRAIN, shell = flex->interp < 0;
  flex->yield[0] = s->yield[0];
  bool yields =
      s->yield[0] > 0 && s->young > 0 && !flex->rigid && !strain && (!shell || cti_flex_stretches(s));
  if (yields) {
    flex->plasticmode = 2;
    flex->nplastic = shell ? 3 * face_count(cage.cells) : 6 * (int)cti_cage_cell_count(&cage);
  }
  return shell ? shell_elasticity(b, flex, &cage, strain) : volume_elasticity(b, flex, &cage, strain);
}
