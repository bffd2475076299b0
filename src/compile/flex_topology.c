// What follows from the elements of a deformable alone: edges and the vertices across them, the surface,
// layers below it, and the tree of boxes.
#include <math.h>
#include <string.h>

#include "compile/flex.h"
#include "math/sort.h"

const int cti_flex_edges[4][CTI_FLEX_MAX_EDGES][2] = {
    {{0, 0}}, {{0, 1}}, {{1, 2}, {2, 0}, {0, 1}}, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}}};

// The faces of an element, dim vertices each.
static const int faces[4][4][3] = {
    {{0}}, {{0}, {1}}, {{0, 1}, {2, 0}, {1, 2}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};

// ---- edges

// Ids of edges by their ends: open addressing, -1 where nothing is.
typedef struct EdgeMap {
  int* slot;
  uint64_t mask;
} EdgeMap;

static ctStatus make_map(ctiBuild* b, EdgeMap* map, int64_t count) {
  uint64_t size = 16;
  while (size < 2 * (uint64_t)count) size *= 2;
  map->mask = size - 1;
  map->slot = CTI_NEW_ARRAY(b->region, int, size);
  if (!map->slot) return cti_error_memory(b->err);
  memset(map->slot, -1, size * sizeof(int));
  return CT_OK;
}

// The id of an edge, a new one for ends that were not seen before.
static int edge_id(const EdgeMap* map, ctiBuildFlex* flex, int v0, int v1) {
  int low = v0 < v1 ? v0 : v1, high = v0 < v1 ? v1 : v0;
  uint64_t key = ((uint64_t)(uint32_t)low << 32 | (uint32_t)high) * 0x9e3779b97f4a7c15u;
  for (uint64_t at = key >> 20 & map->mask;; at = (at + 1) & map->mask) {
    int id = map->slot[at];
    if (id < 0) {
      id = map->slot[at] = flex->nedge++;
      flex->edge[2 * id] = low;
      flex->edge[2 * id + 1] = high;
    }
    if (flex->edge[2 * id] == low && flex->edge[2 * id + 1] == high) return id;
  }
}

static ctStatus find_edges(ctiBuild* b, ctiBuildFlex* flex) {
  int dim = flex->spec->dim, each = cti_flex_edge_count(dim);
  int64_t most = (int64_t)each * flex->nelem;
  EdgeMap map;
  CT_TRY(make_map(b, &map, most));
  flex->edge = CTI_NEW_ARRAY(b->region, int, 2 * (size_t)most);
  flex->elemedge = CTI_NEW_ARRAY(b->region, int, most);
  if (!flex->edge || !flex->elemedge) return cti_error_memory(b->err);
  for (int e = 0; e < flex->nelem; e++) {
    const int* v = flex->elem + (size_t)(dim + 1) * (size_t)e;
    for (int k = 0; k < each; k++)
      flex->elemedge[(size_t)each * (size_t)e + (size_t)k] =
          edge_id(&map, flex, v[cti_flex_edges[dim][k][0]], v[cti_flex_edges[dim][k][1]]);
  }
  // ends on bodies that are fixed to each other
  flex->edge_rigid = CTI_NEW_ARRAY(b->region, bool, flex->nedge);
  if (!flex->edge_rigid) return cti_error_memory(b->err);
  for (int i = 0; i < flex->nedge && !flex->interp; i++) {
    int b0 = flex->vertbody[flex->edge[2 * i]], b1 = flex->vertbody[flex->edge[2 * i + 1]];
    flex->edge_rigid[i] = flex->rigid || b->body[b0].weld == b->body[b1].weld;
  }
  return CT_OK;
}

// The vertices across an edge of the first and of the last other triangle that has it.
static ctStatus find_flaps(ctiBuild* b, ctiBuildFlex* flex) {
  flex->edgeflap = CTI_NEW_ARRAY(b->region, int, 2 * (size_t)flex->nedge);
  if (!flex->edgeflap) return cti_error_memory(b->err);
  for (int i = 0; i < 2 * flex->nedge; i++) flex->edgeflap[i] = -1;
  if (flex->spec->dim != 2 || !cti_flex_bends(flex->spec)) return CT_OK;
  for (int e = 0; e < flex->nelem; e++) {
    for (int k = 0; k < 3; k++) {
      int* flap = flex->edgeflap + 2 * flex->elemedge[3 * e + k];
      flap[flap[0] >= 0] = flex->elem[3 * e + k];
    }
  }
  return CT_OK;
}

// ---- surface

typedef struct Face {
  int vertex[3];  // ascending
  int elem, face;
} Face;

static bool same_face(const Face* a, const Face* b) {
  return memcmp(a->vertex, b->vertex, sizeof(a->vertex)) == 0;
}

static bool face_before(const Face* a, const Face* b) {
  for (int i = 0; i < 3; i++) {
    if (a->vertex[i] != b->vertex[i]) return a->vertex[i] < b->vertex[i];
  }
  return a->elem < b->elem;
}
#define FACE_BEFORE(x, y, context) face_before(&(x), &(y))
CTI_DEFINE_SORT(sort_faces, Face, void*, FACE_BEFORE)

static void sort_corners(int* v, int n) {
  for (int i = 1; i < n; i++) {
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      int swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
  }
}

// All faces of all elements, sorted.
static Face* list_faces(ctiBuild* b, const ctiBuildFlex* flex, int* count) {
  int dim = flex->spec->dim;
  *count = (dim + 1) * flex->nelem;
  Face *list = CTI_NEW_ARRAY(b->region, Face, *count), *scratch = CTI_NEW_ARRAY(b->region, Face, *count);
  if (!list || !scratch) return NULL;
  for (int i = 0; i < *count; i++) {
    list[i] = (Face){.vertex = {-1, -1, -1}, .elem = i / (dim + 1), .face = i % (dim + 1)};
    for (int k = 0; k < dim; k++)
      list[i].vertex[k] = flex->elem[(dim + 1) * list[i].elem + faces[dim][list[i].face][k]];
    sort_corners(list[i].vertex, dim);
  }
  sort_faces(list, *count, scratch, NULL);
  return list;
}

// Elements beside each other by faces they share; `layer` grows from the surface inward.
static ctStatus find_layers(ctiBuild* b, ctiBuildFlex* flex, const Face* list, int count) {
  int *next = CTI_NEW_ARRAY(b->region, int, 4 * (size_t)flex->nelem),
      *queue = CTI_NEW_ARRAY(b->region, int, flex->nelem);
  if (!next || !queue) return cti_error_memory(b->err);
  memset(next, -1, sizeof(int) * 4 * (size_t)flex->nelem);
  for (int i = 0; i + 1 < count; i++) {
    if (!same_face(&list[i], &list[i + 1])) continue;
    next[4 * list[i].elem + list[i].face] = list[i + 1].elem;
    next[4 * list[i + 1].elem + list[i + 1].face] = list[i].elem;
  }
  int head = 0, tail = 0;
  for (int e = 0; e < flex->nelem; e++) {
    if (flex->elemlayer[e] == 0) queue[tail++] = e;
  }
  while (head < tail) {
    int e = queue[head++];
    for (int k = 0; k < 4; k++) {
      int other = next[4 * e + k];
      if (other < 0 || flex->elemlayer[other] >= 0) continue;
      flex->elemlayer[other] = flex->elemlayer[e] + 1;
      queue[tail++] = other;
    }
  }
  for (int e = 0; e < flex->nelem; e++) {
    if (flex->elemlayer[e] < 0) flex->elemlayer[e] = 0;
  }
  return CT_OK;
}

static ctStatus find_surface(ctiBuild* b, ctiBuildFlex* flex) {
  int dim = flex->spec->dim, count;
  flex->elemlayer = CTI_NEW_ARRAY(b->region, int, flex->nelem);
  Face* list = list_faces(b, flex, &count);
  flex->shell = CTI_NEW_ARRAY(b->region, int, (size_t)dim*(size_t)count);
  if (!flex->elemlayer || !list || !flex->shell) return cti_error_memory(b->err);
  for (int e = 0; e < flex->nelem && dim == 3; e++) flex->elemlayer[e] = -1;
  for (int i = 0; i < count; i++) {
    bool shared =
        (i > 0 && same_face(&list[i], &list[i - 1])) || (i + 1 < count && same_face(&list[i], &list[i + 1]));
    if (shared) continue;
    for (int k = 0; k < dim; k++)
      flex->shell[dim * flex->nshell + k] =
          flex->elem[(dim + 1) * list[i].elem + faces[dim][list[i].face][k]];
    flex->nshell++;
    flex->elemlayer[list[i].elem] = 0;
  }
  return dim == 3 ? find_layers(b, flex, list, count) : CT_OK;
}

// ---- boxes

static ctStatus build_tree(ctiBuild* b, ctiBuildFlex* flex) {
  int dim = flex->spec->dim, n = 0;
  double* boxes = CTI_NEW_ARRAY(b->region, double, 6 * (size_t)flex->nelem);
  int* id = CTI_NEW_ARRAY(b->region, int, flex->nelem);
  if (!boxes || !id) return cti_error_memory(b->err);
  for (int e = 0; e < flex->nelem; e++) {
    if (dim == 3 && flex->elemlayer[e] >= flex->spec->activelayers) continue;
    for (int k = 0; k < 3; k++) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (int i = 0; i <= dim; i++) {
        double x = flex->vertpos[3 * flex->elem[(dim + 1) * e + i] + k];
        low = fmin(low, x);
        high = fmax(high, x);
      }
      boxes[6 * n + k] = 0.5 * (low + high);
      boxes[6 * n + 3 + k] = 0.5 * (high - low) + flex->radius;
    }
    id[n++] = e;
  }
  CT_TRY(cti_bvh_build(&flex->bvh, boxes, NULL, n, 0, b->region, b->err));
  for (int i = 0; i < flex->bvh.count; i++) {
    if (flex->bvh.nodeid[i] >= 0) flex->bvh.nodeid[i] = id[flex->bvh.nodeid[i]];
  }
  return CT_OK;
}

ctStatus cti_flex_topology(ctiBuild* b, ctiBuildFlex* flex) {
  CT_TRY(find_edges(b, flex));
  CT_TRY(find_flaps(b, flex));
  CT_TRY(find_surface(b, flex));
  return build_tree(b, flex);
}

// ---- remarks

static double flatness(const ctiBuildFlex* flex, int e) {
  int dim = flex->spec->dim;
  const int* v = flex->elem + (dim + 1) * e;
  double d[3][3] = {{0}}, n[3], longest = 0;
  for (int i = 0; i < dim; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      d[i][k] = flex->vertpos[3 * v[i + 1] + k] - flex->vertpos[3 * v[0] + k];
      square += d[i][k] * d[i][k];
    }
    longest = fmax(longest, sqrt(square));
  }
  if (dim == 1) return longest;
  n[0] = d[0][1] * d[1][2] - d[0][2] * d[1][1];
  n[1] = d[0][2] * d[1][0] - d[0][0] * d[1][2];
  n[2] = d[0][0] * d[1][1] - d[0][1] * d[1][0];
  double measure = dim == 2 ? sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
                            : fabs(n[0] * d[2][0] + n[1] * d[2][1] + n[2] * d[2][2]);
  return longest > 0 ? measure / pow(longest, dim) : 0;
}

// Triangles at an edge: more than two, or two that run along it the same way; one alone where a cage holds
// what the surface encloses.
static void remark_surface(const ctiBuild* b, const ctiBuildFlex* flex) {
  int* count = CTI_NEW_ARRAY(b->region, int, 2 * (size_t)flex->nedge);
  if (!count) return;
  for (int e = 0; e < flex->nelem; e++) {
    for (int k = 0; k < 3; k++) {
      int from = flex->elem[3 * e + cti_flex_edges[2][k][0]],
          to = flex->elem[3 * e + cti_flex_edges[2][k][1]];
      count[2 * flex->elemedge[3 * e + k] + (from < to)]++;
    }
  }
  for (int i = 0; i < flex->nedge; i++) {
    const char* what = NULL;
    if (count[2 * i] + count[2 * i + 1] > 2) {
      what = "more than two triangles share";
    } else if (count[2 * i] == 2 || count[2 * i + 1] == 2) {
      what = "triangles with opposite sides up share";
    } else if (flex->interp > 0 && count[2 * i] + count[2 * i + 1] == 1) {
      cti_remark(
          b->spec, CT_LOG_WARNING, &flex->spec->head,
          "the surface is open at the edge between vertices %d and %d: what the cage holds near its mouth "
          "is a guess, and may be another one in MuJoCo; close it",
          flex->edge[2 * i], flex->edge[2 * i + 1]);
      return;
    }
    if (!what) continue;
    cti_remark(b->spec, CT_LOG_WARNING, &flex->spec->head,
               "%s the edge between vertices %d and %d: check the order of the vertices", what,
               flex->edge[2 * i], flex->edge[2 * i + 1]);
    return;
  }
}

void cti_flex_remark(const ctiBuild* b, const ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  bool elastic = flex->nbending > 0;
  for (int i = 0; i < flex->nstiffness && !elastic; i++) elastic = flex->stiffness[i] != 0;
  if (!flex->rigid && !flex->equality && !elastic && s->edgestiffness == 0 && s->edgedamping == 0)
    cti_remark(b->spec, CT_LOG_WARNING, &s->head,
               "nothing holds it together: add an equality, elasticity, or stiffness or damping of edges");
  for (int e = 0; e < flex->nelem; e++) {
    if (flatness(flex, e) > 1e-12) continue;
    cti_remark(b->spec, CT_LOG_WARNING, &s->head, "element %d has no %s", e,
               s->dim == 1   ? "length"
               : s->dim == 2 ? "area"
                             : "volume");
    break;
  }
  if (s->dim == 2) remark_surface(b, flex);
}
