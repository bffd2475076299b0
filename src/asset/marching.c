#include "asset/marching.h"

#include <math.h>
#include <string.h>

// Grid points along the three half sizes together.
#define RESOLUTION 300

// The corners of a cell are numbered x + 2 y + 4 z, its edges 4 axis + a + 2 b with a and b the places along
// the other two axes, in order. A case is the set of corners inside. Its triangles are the edges they cut, in
// hexadecimal digits, three each. Where the corners inside lie on both diagonals of a face, they are kept
// apart.
static const char* const cases[256] = {
    // clang-format off
    "", "048", "509", "495489", "1a4", "1801a8", "0951a4", "51a5a99a8", "b15", "04815b", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "095286", "295256654",
    "1a4286", "a62a21120", "0951a4286", "61a621251295", "15b286", "04606215b", "09b0b1286", "14616212919b",
    "28645b4ba", "05b0ba0a6062", "09b0ba0a4286", "2a629a9ba", "927", "048279", "250275", "827874475",
    "1a4279", "01a0a8279", "0270751a4", "1a8182127175", "15b279", "04815b279", "7b1712210", "48242112717b",
    "27945b4ba", "05b0ba0a8279", "02707b0ba0a4", "7827b8ba8", "879867", "904947746", "086065567", "467475",
    "1a4679698", "01a0a6067079", "0860670751a4", "a51a65675", "15b679698", "04606707915b", "08606707b0b1",
    "17b147467", "45b4ba679698", "05b0ba0a6067079", "08606707b0ba0a4", "67b6ba", "36a", "04836a", "09536a",
    "36a489495", "341364", "680603301", "095136164", "136168189195", "15b36a", "04815b36a", "09b0b136a",
    "14818919b36a", "b36b65564", "8368030b305b", "09b0b3036064", "6b368b89b", "2a328a", "4a3430032",
    "09528a2a3", "29525424a2a3", "841812213", "013032", "095132128184", "529512132", "15b28a2a3",
    "04a0a303215b", "09b0b128a2a3", "14a1a313212919b", "28424525b2b3", "b05b30320", "09b0b3032028084",
    "32939b", "27936a", "04827936a", "02707536a", "27525424836a", "136164279", "013036068279",
    "027075136164", "136168182127175", "15b27936a", "04815b27936a", "02707b0b136a", "14818212717b36a",
    "27936434535b", "05b0b3036068279", "02707b0b3036064", "27b2b3236268", "37939aa98", "a04a30390379",
    "08a0a3037075", "34a374754", "137179198184", "937903013", "084041013037075", "137175", "15b37939838a",
    "04a0a303707915b", "08a0a303707b0b1", "14a1a313717b", "37939838434535b", "05b0b3037079", "08437b", "7b3",
    "73b", "0483b7", "0953b7", "3b7489495", "1a43b7", "01a0a83b7", "0951a43b7", "1a81891953b7", "173157",
    "048157173", "973930031", "148189197173", "3a4347745", "05707303a0a8", "a40a03309397", "3973a9a89",
    "2863b7", "0460623b7", "0952863b7", "2952542463b7", "1a42863b7", "01a0a60623b7", "0951a42863b7",
    "1a61621291953b7", "157173286", "046062157173", "097073031286", "146162129197173", "2863a4345357",
    "05707303a0a6062", "09707303a0a4286", "29727323a2a6", "3923b9", "04823b2b9", "b50b03302", "23b2b5254248",
    "1a423b2b9", "01a0a823b2b9", "02303b0b51a4", "1a818212313b1b5", "592521123", "048159192123", "031023",
    "814821231", "23a2a4245259", "05909202303a0a8", "43a403023", "23a2a8", "63b6b88b9", "04606303b0b9",
    "86383003b0b5", "b63b56546", "1a43b9398386", "01a0a606303b0b9", "08606303b0b51a4", "1a616313b1b5",
    "159198186163", "046063031015059", "608630310", "314346", "3a4345359398386", "0593a6", "08606303a0a4",
    "3a6", "6b76ab", "0486ab6b7", "0956ab6b7", "4894956ab6b7", "1b7174476", "01b0b7076068", "0951b7176164",
    "1b7176168189195", "a15a56657", "04815717616a", "09707606a0a1", "14818919717616a", "476457", "068056576",
    "940974764", "897876", "72878bb8a", "04a0ab0b7072", "09528a2ab2b7", "29525424a2ab2b7", "4284121721b7",
    "71b721201", "0951b7172128184", "1b7172129195", "15717212818a", "04a0a1015057072", "09707202808a0a1",
    "14a297", "872847457", "205257", "097072028084", "972", "26a2a99ab", "04826a2ab2b9", "02606a0ab0b5",
    "26a2ab2b5254248", "1b9192126164", "01b0b9092026068", "02606404101b0b5", "1b5268", "6a1612215259",
    "04815919212616a", "a26a12102", "14818212616a", "259265645", "059092026068", "026064", "268", "8ab8b9",
    "4904a9ab9", "0b508b8ab", "ab5a54", "1841b8b98", "01b0b9", "08404101b0b5", "b51", "5a159a98a",
    "04a0a1015059", "10818a", "14a", "459498", "590", "084", "",
    // clang-format on
};

// The layers of the grid below and above the cells that are worked on: values, and the vertex on the edge
// from each grid point along each axis, -1 where there is none yet.
typedef struct Layer {
  float* value;
  int (*vertex)[3];
} Layer;

typedef struct March {
  const ctiField* field;
  int n[3];  // grid points along each axis
  Layer low, high;
  CTI_ARRAY(float) vert;  // in units of the grid
  CTI_ARRAY(int) face;
  const ctAllocator* a;
} March;

static double coordinate(const March* m, int axis, double at) {
  const double *centre = m->field->aabb, *half = m->field->aabb + 3;
  return centre[axis] - half[axis] + 2 * half[axis] * at / (m->n[axis] - 1);
}

static void fill_layer(const March* m, Layer* layer, int z) {
  for (int y = 0; y < m->n[1]; y++) {
    for (int x = 0; x < m->n[0]; x++) {
      const double point[3] = {coordinate(m, 0, x), coordinate(m, 1, y), coordinate(m, 2, z)};
      int i = y * m->n[0] + x;
      layer->value[i] = (float)m->field->value(m->field->context, point);
      for (int k = 0; k < 3; k++) layer->vertex[i][k] = -1;
    }
  }
}

// The grid point at a corner of the cell at (x, y), and the layer it is in.
static const Layer* corner(const March* m, int x, int y, int which, int* i) {
  *i = (y + (which >> 1 & 1)) * m->n[0] + x + (which & 1);
  return which >> 2 ? &m->high : &m->low;
}

// The corner an edge starts at, and the axis it runs along.
static int edge_start(int edge, int* axis) {
  int a = edge & 1, b = edge >> 1 & 1;
  *axis = edge / 4;
  return *axis == 0 ? 2 * a + 4 * b : *axis == 1 ? a + 4 * b : a + 2 * b;
}

// The vertex on an edge of a cell, made when the surface cuts the edge and nobody has made it before.
static ctStatus cut_edge(March* m, int x, int y, int z, int edge) {
  int axis, i, k, which = edge_start(edge, &axis);
  const Layer *lower = corner(m, x, y, which, &i), *upper = corner(m, x, y, which + (1 << axis), &k);
  float low = lower->value[i], high = upper->value[k];
  if ((low < 0) == (high < 0) || lower->vertex[i][axis] >= 0) return CT_OK;
  lower->vertex[i][axis] = m->vert.count / 3;
  float at[3] = {(float)(x + (which & 1)), (float)(y + (which >> 1 & 1)), (float)(z + (which >> 2))};
  at[axis] += low / (low - high);
  return cti_array_append(&m->vert, m->a, at, 3);
}

static int vertex_of(const March* m, int x, int y, int edge) {
  int axis, i, which = edge_start(edge, &axis);
  const Layer* layer = corner(m, x, y, which, &i);
  return layer->vertex[i][axis];
}

static ctStatus march_cell(March* m, int x, int y, int z) {
  int inside = 0;
  for (int k = 0; k < 8; k++) {
    int i;
    const Layer* layer = corner(m, x, y, k, &i);
    inside |= (layer->value[i] < 0) << k;
  }
  const char* triangles = cases[inside];
  if (!*triangles) return CT_OK;
  for (int edge = 0; edge < 12; edge++) CT_TRY(cut_edge(m, x, y, z, edge));
  for (const char* t = triangles; *t; t++) {
    int edge = *t <= '9' ? *t - '0' : *t - 'a' + 10;
    CT_TRY(cti_array_push(&m->face, m->a, vertex_of(m, x, y, edge)));
  }
  return CT_OK;
}

static ctStatus march(March* m) {
  fill_layer(m, &m->high, 0);
  for (int z = 0; z + 1 < m->n[2]; z++) {
    Layer free_layer = m->low;
    m->low = m->high;
    m->high = free_layer;
    fill_layer(m, &m->high, z + 1);
    for (int y = 0; y + 1 < m->n[1]; y++) {
      for (int x = 0; x + 1 < m->n[0]; x++) CT_TRY(march_cell(m, x, y, z));
    }
  }
  return CT_OK;
}

// Normals weighted by area, in the grid: its cells are nearly cubes.
static void add_normals(float* normal, const March* m) {
  for (int t = 0; t < m->face.count; t += 3) {
    const int* f = m->face.data + t;
    const float *p = m->vert.data + 3 * f[0], *q = m->vert.data + 3 * f[1], *r = m->vert.data + 3 * f[2];
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
      u[k] = q[k] - p[k];
      v[k] = r[k] - p[k];
    }
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      for (int i = 0; i < 3; i++) normal[3 * f[i] + k] += u[a] * v[b] - u[b] * v[a];
    }
  }
}

// The surface in the frame of the field.
static ctStatus give_mesh(ctiRawMesh* out, const March* m, ctiRegion* region) {
  int n = m->vert.count / 3;
  *out = (ctiRawMesh){.nvert = n, .nnormal = n, .nface = m->face.count / 3, .face = m->face.data};
  out->vert = CTI_NEW_ARRAY(region, double, m->vert.count);
  out->normal = CTI_NEW_ARRAY(region, float, m->vert.count);
  if (!out->vert || !out->normal) return CT_ERR_MEMORY;
  for (int i = 0; i < m->vert.count; i++)
    out->vert[i] = (double)(float)coordinate(m, i % 3, (double)m->vert.data[i]);
  add_normals(out->normal, m);
  return CT_OK;
}

ctStatus cti_marching_cubes(ctiRawMesh* out, const ctiField* field, ctiRegion* region, ctError* err) {
  const double *half = field->aabb + 3, total = half[0] + half[1] + half[2];
  *out = (ctiRawMesh){0};
  if (!(half[0] > 0 && half[1] > 0 && half[2] > 0 && total < HUGE_VAL))
    return cti_error(err, CT_ERR_INVALID, "the box around the shape must have a volume: check its sizes");
  March m = {.field = field, .a = cti_region_allocator(region)};
  for (int k = 0; k < 3; k++) m.n[k] = (int)floor(RESOLUTION / total * half[k]) + 1;
  size_t points = (size_t)m.n[0] * (size_t)m.n[1];
  Layer* layers[2] = {&m.low, &m.high};
  for (int k = 0; k < 2; k++) {
    layers[k]->value = CTI_NEW_ARRAY(region, float, points);
    layers[k]->vertex = cti_region_alloc(region, points * sizeof(*layers[k]->vertex), alignof(int));
    if (!layers[k]->value || !layers[k]->vertex) return cti_error_memory(err);
  }
  if (march(&m) != CT_OK) return cti_error_memory(err);
  if (m.face.count == 0)
    return cti_error(err, CT_ERR_INVALID,
                     "the shape has no surface in its box, or is too thin to be seen there");
  return give_mesh(out, &m, region) == CT_OK ? CT_OK : cti_error_memory(err);
}
