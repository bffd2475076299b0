#include "asset/polygon.h"

#include "asset/polygon_group.h"
#include "asset/vec.h"

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
static void collect_edges(Outlines* o, const ctiGroups* groups, const ctiGroup* group) {
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
    const int *corner = out->polyvert + out->polyvertadr[p], n = out->polyvertnum[p];
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
  ctiGroups groups;
  CT_TRY(alloc_polygons(out, &outlines, region, err));
  if (cti_groups_init(&groups, hull->nface, region) != CT_OK) return cti_error_memory(err);
  for (int f = 0; f < hull->nface; f++) {
    double normal[3];
    if (!face_normal(normal, vert, hull->face_globalid + 3 * f)) continue;
    if (cti_groups_add(&groups, f, cti_direction_of(normal)) != CT_OK) return cti_error_memory(err);
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
