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
    "", "048", "509", "495489", "1a4", "1801a8", "1a4950", "51a5a99a8", "b15", "5b1804", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "950628", "295256654",
    "41a286", "a62a21120", "0958621a4", "61a621251295", "28615b", "604620b15", "b09b10628", "46162916919b",
    "5a45ba286", "2a625a5ba052", "286a9ba49409", "2a629a9ba", "927", "048792", "250275", "827874475",
    "1a4279", "1801a8792", "250275a41", "827871175a81", "b15279", "0485b1279", "7b1712210", "48242112717b",
    "a5ba45279", "7928ba80b05b", "ba7a407a0702", "7827b8ba8", "879867", "904947746", "086065567", "467475",
    "7867981a4", "01a0a6067079", "a41567506086", "a51a65675", "87986715b", "15b746794904", "08606707b0b1",
    "17b147467", "4ba45b698679", "670ba0a605b0790", "ba06707b0860a40", "67b6ba", "36a", "a36048", "36a095",
    "94895436a", "341364", "680603301", "341364950", "958836538513", "36a5b1", "15b48036a", "0b109b6a3",
    "6a3b89b18148", "b36b65564", "8368030b305b", "6b360b09b406", "6b368b89b", "2a328a", "4a3430032",
    "a28a32509", "34a394954293", "841812213", "013032", "509213281841", "529512132", "2a328a5b1",
    "b150320434a3", "38a32819b109", "9b4324294a34b14", "28424525b2b3", "b05b30320", "3249b4b34094284",
    "32939b", "792a36", "2796a3048", "527502a36", "36a475487827", "436413927", "927301360680",
    "164136075027", "138758518278368", "36a79215b", "04815b27936a", "a362102717b1", "14818212717b36a",
    "2795645b6b36", "05b0b3036068279", "02b64b40b36b27b", "27b2b3236268", "37939aa98", "a04a30390379",
    "8a0a370a7075", "34a374754", "184178798371", "937903013", "758138378418508", "137175", "5b1a98a39379",
    "04a0a303707915b", "8a7107087b17a37", "14a1a313717b", "4539838437935b3", "9070370b305b", "08437b", "7b3",
    "73b", "0483b7", "5093b7", "4954893b7", "b7341a", "81a80173b", "1a4b73095", "3b79a895a51a", "173157",
    "715731804", "973930031", "148187789317", "3a4347745", "80aa7307a057", "a40a03309397", "3973a9a89",
    "286b73", "062046b73", "2869503b7", "b73654625295", "3b7a41286", "73b1201a2a62", "0951a42863b7",
    "1a61621291953b7", "173157862", "246204357315", "628031093973", "469319149739629", "8627457343a4",
    "57a20a05a62a73a", "09707303a0a4286", "29727323a2a6", "3923b9", "3923b9480", "b50b03302", "23b2b5254248",
    "93b92341a", "0a801a2b923b", "41a3023b0b50", "235a858251a53b5", "592521123", "804123152592", "031023",
    "814821231", "23a2a4245259", "a852353a5925805", "43a403023", "23a2a8", "63b6b88b9", "63b6b00b9460",
    "86383003b0b5", "b63b56546", "1a48b986b63b", "016b969063b61a6", "08606303b0b51a4", "1a616313b1b5",
    "985863583531", "319469639049159", "608630310", "314346", "983453593a43863", "3a6059", "08606303a0a4",
    "3a6", "6b76ab", "b6ab76048", "6b76ab095", "854895a76ab7", "1b7174476", "0680b6b761b0", "9504764171b7",
    "891761681b71951", "a15a56657", "0486576a5a15", "09707606a0a1", "7618919714816a1", "476457", "068056576",
    "940974764", "897876", "72878bb8a", "b7aa0470a720", "095b8ab78728", "ab25424a2952b72", "4284121721b7",
    "71b721201", "0951b7172128184", "5191291721b7", "872817157a18", "20a57a72a15a04a", "1078a7a17287097",
    "14a297", "872847457", "205257", "097072028084", "972", "26a2a99ab", "4809ab92a26a", "26a2a55ab025",
    "542ab2b526a2482", "4166921961b9", "b960161b6806926", "64b02b26b50b41b", "2681b5", "6a1612215259",
    "04815919212616a", "a26a12102", "a16126182148", "259265645", "059092026068", "026064", "268", "8ab8b9",
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
