#define _POSIX_C_SOURCE 200809L  // fmemopen

#include "asset/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/vec.h"
#include "base/alloc.h"

// ---- hulls

// Largest number of hull vertices and faces for which the graph still fits an int.
#define GRAPH_MAX_ITEMS (1 << 26)

static ctStatus alloc_graph(ctiHull* hull, ctiRegion* region, ctError* err) {
  if (hull->nvert > GRAPH_MAX_ITEMS || hull->nface > GRAPH_MAX_ITEMS) {
    return cti_error(err, CT_ERR_LIMIT, "the convex hull has %d vertices, at most %d are allowed",
                     hull->nvert, GRAPH_MAX_ITEMS);
  }
  int nedge = hull->nvert + 3 * hull->nface;
  hull->ngraph = 2 + 2 * hull->nvert + nedge + 3 * hull->nface;
  hull->graph = CTI_NEW_ARRAY(region, int, hull->ngraph);
  if (!hull->graph) return cti_error_memory(err);
  hull->graph[0] = hull->nvert;
  hull->graph[1] = hull->nface;
  hull->vert_edgeadr = hull->graph + 2;
  hull->vert_globalid = hull->vert_edgeadr + hull->nvert;
  hull->edge_localid = hull->vert_globalid + hull->nvert;
  hull->face_globalid = hull->edge_localid + nedge;
  return CT_OK;
}

// Add a neighbour to the list that starts at `first`, unless it is there already.
static int add_edge(int* edges, int first, int next, int local) {
  for (int i = first; i < next; i++) {
    if (edges[i] == local) return next;
  }
  edges[next] = local;
  return next + 1;
}

// Fill the graph from a finished hull. qhull's vertex `visitid` carries the hull number. False when the
// surface is not closed: its edges then do not fit.
static bool read_graph(ctiHull* hull, qhT* qh) {
  vertexT *vertex, **vertexp, *other;
  facetT *facet, *neighbor, **neighborp;
  int local = 0, next = 0, nedge = hull->nvert + 3 * hull->nface;
  FORALLvertices {
    hull->vert_globalid[local] = qh_pointid(qh, vertex->point);
    vertex->visitid = (unsigned int)local++;
  }
  other = qh->vertex_list;
  for (local = 0; local < hull->nvert; local++, other = other->next) {
    int first = hull->vert_edgeadr[local] = next;
    FOREACHneighbor_(other) {
      FOREACHvertex_(neighbor->vertices) {
        if (vertex == other) continue;
        next = add_edge(hull->edge_localid, first, next, (int)vertex->visitid);
        if (next >= nedge) return false;  // no room for the end mark
      }
    }
    hull->edge_localid[next++] = -1;
  }
  int* face = hull->face_globalid;
  FORALLfacets {
    int corner = 0, ids[3] = {0};
    FOREACHvertex_(facet->vertices) {
      if (corner == 3) return false;
      ids[corner++] = hull->vert_globalid[vertex->visitid];
    }
    if (corner != 3) return false;
    // counter-clockwise seen from outside
    *face++ = ids[facet->toporient ? 1 : 0];
    *face++ = ids[facet->toporient ? 0 : 1];
    *face++ = ids[2];
  }
  return next == nedge;
}

// Make sure that every vertex knows its faces. qhull leaves by a jump when it fails, and only to who has
// asked for it.
static bool link_vertices(qhT* qh) {
  int failed = setjmp(qh->errexit);
  if (!failed) {
    qh->NOerrexit = False;
    qh_vertexneighbors(qh);
  }
  qh->NOerrexit = True;
  return !failed;
}

static ctStatus take_hull(ctiHull* out, qhT* qh, ctiRegion* region, ctError* err) {
  out->nvert = qh->num_vertices;
  out->nface = qh->num_facets;
  if (!link_vertices(qh)) return cti_error_memory(err);
  CT_TRY(alloc_graph(out, region, err));
  if (!read_graph(out, qh)) return cti_error(err, CT_ERR_INVALID, "the convex hull is not a closed surface");
  return CT_OK;
}

// How far points reach from the first: along any direction (1), off the line along `a` (2), or off the plane
// with normal `a` (3). `out` receives the vector that reaches farthest.
static double farthest(double out[3], const double* vert, int n, const double* a, int dimension) {
  double best = 0;
  for (int i = 0; i < n; i++) {
    double d[3], x[3];
    cti_dsub3(d, vert + 3 * i, vert);
    cti_dcopy3(x, d);
    if (dimension == 2) cti_dcross3(x, a, d);
    double reach = dimension == 3 ? fabs(cti_ddot3(a, d)) : sqrt(cti_ddot3(x, x));
    if (reach <= best) continue;
    best = reach;
    cti_dcopy3(out, x);
  }
  return best;
}

// Why there is no hull: how the points lie.
static ctStatus explain_failure(const double* vert, int n, ctError* err) {
  const double tolerance = 1e-6;
  double along[3] = {0}, normal[3] = {0}, unused[3];
  double length = farthest(along, vert, n, NULL, 1);
  if (!(length > 1e-12)) {
    return cti_error(err, CT_ERR_INVALID,
                     "all vertices are in one place: there is no convex hull; use a small sphere");
  }
  cti_dnormalize3(along, 0);
  double width = farthest(normal, vert, n, along, 2);
  if (!(width > tolerance * length)) {
    return cti_error(err, CT_ERR_INVALID,
                     "all vertices are on one line: there is no convex hull; use a thin capsule");
  }
  cti_dnormalize3(normal, 0);
  double height = farthest(unused, vert, n, normal, 3);
  if (!(height > tolerance * length)) {
    return cti_error(err, CT_ERR_INVALID,
                     "all vertices are in one plane: there is no convex hull; use a plane or a thin box");
  }
  return cti_error(err, CT_ERR_INVALID,
                   "the convex hull could not be found: vertices are too close to a plane or too far apart");
}

ctStatus cti_hull_make(ctiHull* out, const double* vert, int n, int maxvert, ctiRegion* region,
                       ctError* err) {
  *out = (ctiHull){0};
  double* points = CTI_NEW_ARRAY(region, double, 3 * (size_t)n);
  if (!points) return cti_error_memory(err);
  memcpy(points, vert, 3 * (size_t)n * sizeof(*points));  // qhull may change them

  // qhull insists on a stream for its remarks; what does not fit is lost
  char remarks[256];
  FILE* sink = fmemopen(remarks, sizeof(remarks), "w");
  if (!sink) return cti_error_memory(err);
  char options[64] = "qhull Qt";
  if (maxvert > CTI_HULL_MAXVERT_MIN) snprintf(options, sizeof(options), "qhull Qt Q9 TA%d", maxvert - 4);
  qhT state;
  qhT* qh = &state;
  qh_zero(qh, sink);
  int failed = qh_new_qhull(qh, 3, n, points, false, options, NULL, sink);
  ctStatus status = failed == qh_ERRmem ? cti_error_memory(err)
                    : failed            ? explain_failure(vert, n, err)
                                        : take_hull(out, qh, region, err);
  int left = 0, blocks = 0;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &left, &blocks);
  fclose(sink);
  if (status != CT_OK) *out = (ctiHull){0};
  return status;
}

void cti_hull_extrema(int extrema[27], const ctiHull* hull, const float* vert) {
  for (int d = 0; d < 27; d++) {
    // in floats, as the vertices are: what is equal to a float is a tie, and ties go to the first
    float x = (float)(d / 9 - 1), y = (float)(d / 3 % 3 - 1), z = (float)(d % 3 - 1), best = 0;
    extrema[d] = 0;
    for (int i = 0; i < hull->nvert; i++) {
      const float* v = vert + 3 * hull->vert_globalid[i];
      float along = x * v[0] + y * v[1] + z * v[2];
      if (i > 0 && along <= best) continue;
      best = along;
      extrema[d] = i;
    }
  }
}

// ---- groups of faces by direction

// Their order fixes the numbers of hull polygons, and with them which of
// several equally good polygons collision picks; it is therefore the order in which MuJoCo's hash table
// lists its entries.

// A direction: polar and azimuth angle in steps of a hundredth of a radian, rounded.
typedef struct Direction {
  double polar, azimuth;
} Direction;

typedef struct Group {
  Direction key;
  uint64_t hash;
  int next;                   // in listing order, -1 at the end
  int first_face, last_face;  // chain of faces, in the order they came
} Group;

// Chained hash table whose chains form one list: an entry with an empty bucket goes to the front of the list,
// others to the front of their bucket. `before[b]` is the entry in front of bucket b: -1 none, 0 the head, i
// + 1 entry i.
typedef struct Groups {
  Group* items;
  int count, head;
  int* before;
  int nbucket;
  int* next_face;  // chain links, one a face
  const ctAllocator* allocator;
} Groups;

// Steps per radian.
#define RESOLUTION 100
// Normals this close to the poles have no azimuth.
#define POLE (1 - 1e-7)

enum { NONE = -1, HEAD = 0 };

static Direction direction_of(const double normal[3]) {
  double z = fmax(-1, fmin(1, normal[2]));
  double azimuth = fabs(z) > POLE ? 0 : atan2(normal[1] + 0.0, normal[0]);
  double step = round(RESOLUTION * azimuth);
  return (Direction){round(RESOLUTION * acos(z)), step};
}

static uint64_t bits_of(double x) {
  uint64_t bits = 0;
  if (x != 0) memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static uint64_t hash_of(Direction key) {
  uint64_t h = bits_of(key.azimuth);
  return h ^ (bits_of(key.polar) + 0x9e3779b9u + (h << 6) + (h >> 2));
}

static bool same_key(Direction a, Direction b) {
  return a.polar == b.polar && a.azimuth == b.azimuth;
}

// Bucket counts are primes.
static int next_prime(int n) {
  for (;; n++) {
    bool prime = n >= 2;
    for (int d = 2; prime && d * d <= n; d++) prime = n % d != 0;
    if (prime) return n;
  }
}

static int bucket_of(const Groups* g, int item) {
  return (int)(g->items[item].hash % (uint64_t)g->nbucket);
}

// The link behind a position: of the head, or of entry at - 1.
static int* link_behind(Groups* g, int at) {
  return at == HEAD ? &g->head : &g->items[at - 1].next;
}

// Move all entries to more buckets, keeping the list in order but for entries that join a bucket further up.
static ctStatus grow(Groups* g) {
  int nbucket = next_prime(2 * g->nbucket + 1);
  int* before = CTI_ALLOC(g->allocator, int, nbucket);
  if (!before) return CT_ERR_MEMORY;
  cti_release(g->allocator, g->before);
  g->before = before;
  g->nbucket = nbucket;
  for (int b = 0; b < nbucket; b++) before[b] = NONE;
  int last = HEAD, last_bucket = NONE;
  for (int item = g->head; item != NONE; item = *link_behind(g, last)) {
    int b = bucket_of(g, item);
    if (b == last_bucket || before[b] == NONE) {
      if (b != last_bucket) before[b] = last;
      last = item + 1;
      last_bucket = b;
    } else {
      int* front = link_behind(g, before[b]);
      *link_behind(g, last) = g->items[item].next;
      g->items[item].next = *front;
      *front = item;
    }
  }
  return CT_OK;
}

static int find(Groups* g, uint64_t hash, Direction key) {
  if (g->nbucket == 0) return NONE;
  int b = (int)(hash % (uint64_t)g->nbucket);
  if (g->before[b] == NONE) return NONE;
  for (int item = *link_behind(g, g->before[b]); item != NONE && bucket_of(g, item) == b;
       item = g->items[item].next) {
    if (g->items[item].hash == hash && same_key(g->items[item].key, key)) return item;
  }
  return NONE;
}

static void link_entry(Groups* g, int item) {
  int b = bucket_of(g, item);
  if (g->before[b] != NONE) {
    int* front = link_behind(g, g->before[b]);
    g->items[item].next = *front;
    *front = item;
    return;
  }
  g->items[item].next = g->head;
  g->head = item;
  g->before[b] = HEAD;
  if (g->items[item].next != NONE) g->before[bucket_of(g, g->items[item].next)] = item + 1;
}

// Room for `nface` faces, in `region`.
static ctStatus groups_init(Groups* groups, int nface, ctiRegion* region) {
  *groups = (Groups){.head = NONE, .allocator = cti_region_allocator(region)};
  groups->items = CTI_NEW_ARRAY(region, Group, nface);
  groups->next_face = CTI_NEW_ARRAY(region, int, nface);
  return groups->items && groups->next_face ? CT_OK : CT_ERR_MEMORY;
}

// Put a face into the group of its direction.
static ctStatus groups_add(Groups* groups, int face, Direction key) {
  uint64_t hash = hash_of(key);
  int item = find(groups, hash, key);
  groups->next_face[face] = NONE;
  if (item != NONE) {
    Group* group = &groups->items[item];
    groups->next_face[group->last_face] = face;
    group->last_face = face;
    return CT_OK;
  }
  if (groups->count + 1 > groups->nbucket) CT_TRY(grow(groups));
  item = groups->count++;
  groups->items[item] = (Group){.key = key, .hash = hash, .first_face = face, .last_face = face};
  link_entry(groups, item);
  return CT_OK;
}

// ---- polygons

// Twice the area below which a polygon has no direction, and a face of the hull is no part of any.
#define MIN_AREA      1e-14
#define MIN_FACE_AREA 1e-15

// Outlines under construction. `edge` holds the directed edges of the group at hand; `start_of[v]` and
// `next_from` chain those that leave a vertex.
typedef struct Outlines {
  const ctiHull* hull;
  int* edge;       // 2 a face edge of the group: from, to
  bool* used;      // inner edges, and outline edges walked already
  int* part;       // by face of the group: another of its part, or itself; faces of a part share edges
  int* next_from;  // next edge that leaves the same vertex
  int* start_of;   // by mesh vertex: its first edge, -1
  int nedge;
} Outlines;

// 3 nface edges make at most as many outline corners.
static ctStatus alloc_polygons(ctiMesh* m, Outlines* o, ctiRegion* region, ctError* err) {
  int most = 3 * o->hull->nface;
  m->polyvertadr = CTI_NEW_ARRAY(region, int, o->hull->nface);
  m->polyvertnum = CTI_NEW_ARRAY(region, int, o->hull->nface);
  m->polyvert = CTI_NEW_ARRAY(region, int, most);
  m->polymap = CTI_NEW_ARRAY(region, int, most);
  m->polymapadr = CTI_NEW_ARRAY(region, int, m->nvert);
  m->polymapnum = CTI_NEW_ARRAY(region, int, m->nvert);
  o->edge = CTI_NEW_ARRAY(region, int, 2 * (size_t)most);
  o->used = CTI_NEW_ARRAY(region, bool, most);
  o->part = CTI_NEW_ARRAY(region, int, o->hull->nface);
  o->next_from = CTI_NEW_ARRAY(region, int, most);
  o->start_of = CTI_NEW_ARRAY(region, int, m->nvert);
  bool ok = m->polyvertadr && m->polyvertnum && m->polyvert && m->polymap && m->polymapadr && m->polymapnum &&
            o->edge && o->used && o->part && o->next_from && o->start_of;
  for (int i = 0; ok && i < m->nvert; i++) o->start_of[i] = -1;
  return ok ? CT_OK : cti_error_memory(err);
}

static int find_edge(const Outlines* o, int from, int to) {
  int e = o->start_of[from];
  while (e >= 0 && o->edge[2 * e + 1] != to) e = o->next_from[e];
  return e;
}

// The face that stands for the part of an edge's face.
static int part_of(Outlines* o, int edge) {
  int f = edge / 3;
  while (o->part[f] != f) f = o->part[f] = o->part[o->part[f]];
  return f;
}

// Collect the edges of a group's faces; those met in both directions are inside, join two faces and do not
// count.
static void collect_edges(Outlines* o, const Groups* groups, const Group* group) {
  o->nedge = 0;
  for (int f = group->first_face; f >= 0; f = groups->next_face[f]) {
    const int* corner = o->hull->face_globalid + 3 * f;
    o->part[o->nedge / 3] = o->nedge / 3;
    for (int k = 0; k < 3; k++) {
      int e = o->nedge++, from = corner[k], to = corner[(k + 1) % 3];
      int back = find_edge(o, to, from);
      o->edge[2 * e] = from;
      o->edge[2 * e + 1] = to;
      o->used[e] = back >= 0;
      if (back >= 0) {
        o->used[back] = true;
        o->part[part_of(o, e)] = part_of(o, back);
      }
      o->next_from[e] = o->start_of[from];
      o->start_of[from] = e;
    }
  }
}

// The outline edge that follows `edge`: leaves where it ends, and bounds the same part. -1 when the outline
// is closed.
static int next_edge(Outlines* o, int edge) {
  int next = -1, part = part_of(o, edge);
  for (int e = o->start_of[o->edge[2 * edge + 1]]; e >= 0; e = o->next_from[e]) {
    if (!o->used[e] && part_of(o, e) == part) next = e;
  }
  return next;
}

// Walk the outlines, each from its first edge in the order the faces gave them.
static void walk_outlines(ctiMesh* m, Outlines* o) {
  for (int first = 0; first < o->nedge; first++) {
    if (o->used[first]) continue;
    m->polyvertadr[m->npoly] = m->npolyvert;
    for (int e = first; e >= 0; e = next_edge(o, e)) {
      o->used[e] = true;
      m->polyvert[m->npolyvert++] = o->edge[2 * e];
    }
    m->polyvertnum[m->npoly] = m->npolyvert - m->polyvertadr[m->npoly];
    m->npoly++;
  }
  for (int e = 0; e < o->nedge; e++) o->start_of[o->edge[2 * e]] = -1;
}

// For each vertex, the polygons it is a corner of.
static void map_vertices(ctiMesh* m) {
  for (int i = 0; i < m->npolyvert; i++) m->polymapnum[m->polyvert[i]]++;
  for (int i = 0; i < m->nvert; i++) {
    m->polymapadr[i] = m->npolymap;
    m->npolymap += m->polymapnum[i];
    m->polymapnum[i] = 0;
  }
  for (int p = 0; p < m->npoly; p++) {
    for (int k = 0; k < m->polyvertnum[p]; k++) {
      int v = m->polyvert[m->polyvertadr[p] + k];
      m->polymap[m->polymapadr[v] + m->polymapnum[v]++] = p;
    }
  }
}

// False for a face that is too thin.
static bool face_normal(double normal[3], const double* vert, const int face[3]) {
  double a[3], b[3];
  cti_dsub3(a, vert + 3 * face[1], vert + 3 * face[0]);
  cti_dsub3(b, vert + 3 * face[2], vert + 3 * face[0]);
  cti_dcross3(normal, a, b);
  return cti_dnormalize3(normal, MIN_FACE_AREA) >= MIN_FACE_AREA;
}

ctStatus cti_polygons_normals(ctiMesh* out, const double* vert, ctiRegion* region, ctError* err) {
  out->polynormal = CTI_NEW_ARRAY(region, double, 3 * (size_t)out->npoly);
  if (!out->polynormal) return cti_error_memory(err);
  for (int p = 0; p < out->npoly; p++) {
    const int* corner = out->polyvert + out->polyvertadr[p];
    const int n = out->polyvertnum[p];
    double* sum = out->polynormal + 3 * p;
    for (int k = 0; k < n; k++) {
      const double *o = vert + 3 * corner[0], *a = vert + 3 * corner[k], *b = vert + 3 * corner[(k + 1) % n];
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        sum[i] += (a[j] - o[j]) * (b[l] - o[l]) - (a[l] - o[l]) * (b[j] - o[j]);
      }
    }
    cti_dnormalize3(sum, MIN_AREA);
  }
  return CT_OK;
}

ctStatus cti_polygons_merge(ctiMesh* out, const ctiHull* hull, const double* vert, ctiRegion* region,
                            ctError* err) {
  Outlines outlines = {.hull = hull};
  Groups groups;
  CT_TRY(alloc_polygons(out, &outlines, region, err));
  if (groups_init(&groups, hull->nface, region) != CT_OK) return cti_error_memory(err);
  for (int f = 0; f < hull->nface; f++) {
    double normal[3];
    if (!face_normal(normal, vert, hull->face_globalid + 3 * f)) continue;
    if (groups_add(&groups, f, direction_of(normal)) != CT_OK) return cti_error_memory(err);
  }
  for (int g = groups.head; g >= 0; g = groups.items[g].next) {
    collect_edges(&outlines, &groups, &groups.items[g]);
    walk_outlines(out, &outlines);
  }
  map_vertices(out);
  return CT_OK;
}

void cti_polygons_mirror(ctiMesh* m) {
  for (int p = 0; p < m->npoly; p++) {
    int* corner = m->polyvert + m->polyvertadr[p];
    for (int i = 1, j = m->polyvertnum[p] - 1; i < j; i++, j--) {
      int swap = corner[i];
      corner[i] = corner[j];
      corner[j] = swap;
    }
  }
}
