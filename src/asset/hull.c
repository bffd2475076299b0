#include "asset/hull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "asset/vec.h"

// Largest number of hull vertices and faces for which the graph still fits an int.
#define GRAPH_MAX_ITEMS (1 << 26)

#ifdef _WIN32
#define NOWHERE "NUL"
#else
#define NOWHERE "/dev/null"
#endif

// qhull insists on a stream for its remarks.
static FILE* open_sink(void) {
  FILE* sink = fopen(NOWHERE, "w");
  return sink ? sink : tmpfile();
}

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
  const double slack = 1e-6;
  double along[3] = {0}, normal[3] = {0}, unused[3];
  double length = farthest(along, vert, n, NULL, 1);
  if (!(length > 1e-12)) {
    return cti_error(err, CT_ERR_INVALID,
                     "all vertices are in one place: there is no convex hull; use a small sphere");
  }
  cti_dnormalize3(along, 0);
  double width = farthest(normal, vert, n, along, 2);
  if (!(width > slack * length)) {
    return cti_error(err, CT_ERR_INVALID,
                     "all vertices are on one line: there is no convex hull; use a thin capsule");
  }
  cti_dnormalize3(normal, 0);
  double height = farthest(unused, vert, n, normal, 3);
  if (!(height > slack * length)) {
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

  FILE* sink = open_sink();
  if (!sink) return cti_error(err, CT_ERR_IO, "cannot open %s", NOWHERE);
  char options[64] = "qhull Qt";
  if (maxvert > CTI_HULL_MAXVERT_MIN) snprintf(options, sizeof(options), "qhull Qt Q9 TA%d", maxvert - 4);
  qhT state, *qh = &state;
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
