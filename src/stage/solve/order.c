#include "stage/solve/order.h"

#include "data/arena.h"
#include "math/sparse.h"

// Fewer trees have no better order.
#define ORDER_FROM 3

// Trees that share a row are neighbours; a pair may be named several times.
typedef struct Graph {
  int n;          // trees
  int* begin;     // n + 1: first dof of each
  int* node;      // tree of each dof
  int *adr, *to;  // neighbours of tree i: to[adr[i]] .. to[adr[i + 1] - 1]
  int* order;     // trees as they were visited
  int* seen;      // 1 for those
} Graph;

static CT_FN int find_trees(const ctiProblem* p, Graph* g) {
  int n = 0;
  for (int i = 0; i < p->nv; i++) {
    if (i == 0 || p->tree[i] != p->tree[i - 1]) g->begin[n++] = i;
    g->node[i] = n - 1;
  }
  g->begin[n] = p->nv;
  return n;
}

CT_INLINE void note_pair(Graph* g, int a, int b, bool fill) {
  if (fill) {
    g->to[g->adr[a]++] = b;
    g->to[g->adr[b]++] = a;
  } else {
    g->adr[a]++;
    g->adr[b]++;
  }
}

// Neighbours that the metric makes, besides M.
static CT_FN void scan_metric(const ctiProblem* p, Graph* g, bool fill) {
  for (int i = 0; p->K && i < p->nv; i++) {
    // dofs of a tree have the same neighbours, more or less
    if (i > 0 && g->node[i] == g->node[i - 1] && p->K_rownnz[i] == p->K_rownnz[i - 1]) continue;
    int last = g->node[i];
    for (int k = p->K_rowadr[i]; k < p->K_rowadr[i] + p->K_rownnz[i]; k++) {
      int node = g->node[p->K_colind[k]];
      if (node <= g->node[i] || node == last) continue;
      last = node;
      note_pair(g, g->node[i], node, fill);
    }
  }
  for (int i = 0; i < p->nsquare; i++) {
    const int* col = p->square_colind + p->square_rowadr[i];
    int first = g->node[col[0]], last = first;
    for (int k = 1; k < p->square_rownnz[i]; k++) {
      int node = g->node[col[k]];
      if (node == last || node == first) continue;
      last = node;
      note_pair(g, first, node, fill);
    }
  }
}

// Neighbours that a row makes: each of its trees with the first. `before`: the last pair.
static CT_FN void scan_row(const ctiProblem* p, Graph* g, int i, int before[2], bool fill) {
  const int* col = p->J_colind + p->J_rowadr[i];
  int first = p->J_rownnz[i] > 0 ? g->node[col[0]] : -1, last = first;
  for (int k = 1; k < p->J_rownnz[i]; k++) {
    int node = g->node[col[k]];
    if (node == last) continue;
    last = node;
    if (first == before[0] && node == before[1]) continue;
    before[0] = first;
    before[1] = node;
    note_pair(g, first, node, fill);
  }
}

#if defined(CTK_TEAMS)
// The same for rows of two trees, by a team that looks at many at once.
static CT_FN void team_scan_rows(const ctiProblem* p, Graph* g, int before[2], bool fill) {
  for (int begin = 0; begin < p->nefc; begin += CT_TEAM) {
    const int i = begin + CT_LANE;
    const int n = i < p->nefc && !cti_row_follows(p->J_rowsuper, i) ? p->J_rownnz[i] : 0;
    const int* col = p->J_colind + (n > 0 ? p->J_rowadr[i] : 0);
    int first = n > 0 ? g->node[col[0]] : -1, last = first, second = -1, changes = 0;
    for (int k = 1; k < n; k++) {
      const int node = g->node[col[k]];
      if (node == last) continue;
      last = node;
      second = node;
      changes++;
    }
    for (unsigned left = cti_team_ballot(changes > 0); left; left &= left - 1) {
      const int from = __ffs((int)left) - 1;
      if (cti_team_max(CT_LANE == from ? changes : 0) > 1) {
        scan_row(p, g, begin + from, before, fill);
        continue;
      }
      const int a = cti_team_max(CT_LANE == from ? first : -1),
                b = cti_team_max(CT_LANE == from ? second : -1);
      if (a == before[0] && b == before[1]) continue;
      before[0] = a;
      before[1] = b;
      note_pair(g, a, b, fill);
    }
  }
}
#endif

// Count (`fill` false) or note the neighbours that rows make.
static CT_FN void scan_rows(const ctiProblem* p, Graph* g, bool fill) {
  if (p->general) scan_metric(p, g, fill);
  int before[2] = {-1, -1};
#if defined(CTK_TEAMS)
  team_scan_rows(p, g, before, fill);
#else
  for (int i = 0; i < p->nefc; i += p->J_rowsuper[i] + 1) scan_row(p, g, i, before, fill);
#endif
}

static CT_FN bool find_neighbours(const ctiProblem* p, Graph* g) {
  for (int i = 0; i <= g->n; i++) g->adr[i] = 0;
  scan_rows(p, g, false);
  int64_t total = 0;
  for (int i = 0; i <= g->n; i++) {
    int count = g->adr[i];
    g->adr[i] = (int)total;
    total += count;
  }
  g->to = CTI_SCRATCH(p->d, int, total, "order.to");
  if (!g->to) return false;
  scan_rows(p, g, true);
  for (int i = g->n; i > 0; i--) g->adr[i] = g->adr[i - 1];
  g->adr[0] = 0;
  return true;
}

CT_INLINE int degree(const Graph* g, int i) {
  return g->adr[i + 1] - g->adr[i];
}

// Visit what can be reached from `start` level by level, neighbours with few neighbours first, and note it in
// `order` from `at` on. Returns where that ends.
static CT_FN int visit(Graph* g, int start, int at) {
  int end = at;
  g->seen[start] = 1;
  g->order[end++] = start;
  for (; at < end; at++) {
    int node = g->order[at], level = end;
    for (int k = g->adr[node]; k < g->adr[node + 1]; k++) {
      int next = g->to[k], place = end;
      if (g->seen[next]) continue;
      g->seen[next] = 1;
      for (; place > level && degree(g, g->order[place - 1]) > degree(g, next); place--)
        g->order[place] = g->order[place - 1];
      g->order[place] = next;
      end++;
    }
  }
  return end;
}

// A tree at the end of what can be reached from `start`: twice to the other end.
static CT_FN int find_end(Graph* g, int start, int at) {
  for (int round = 0; round < 2; round++) {
    int end = visit(g, start, at);
    for (int k = at; k < end; k++) g->seen[g->order[k]] = 0;
    start = g->order[end - 1];
  }
  return start;
}

CT_KERNEL_NOINLINE bool cti_order_trees(const ctiProblem* p, int* place) {
  size_t mark = cti_scratch_mark(p->d);
  Graph g;
  g.begin = CTI_SCRATCH(p->d, int, p->nv + 1, "order.begin");
  g.node = CTI_SCRATCH(p->d, int, p->nv, "order.node");
  g.adr = CTI_SCRATCH(p->d, int, p->nv + 1, "order.adr");
  g.order = CTI_SCRATCH(p->d, int, p->nv, "order.order");
  g.seen = CTI_SCRATCH(p->d, int, p->nv, "order.seen");
  bool ok = g.begin && g.node && g.adr && g.order && g.seen;
  if (ok) g.n = find_trees(p, &g);
  ok = ok && g.n >= ORDER_FROM && find_neighbours(p, &g);
  if (ok) {
    int end = 0, to = 0;
    for (int i = 0; i < g.n; i++) g.seen[i] = 0;
    for (int i = 0; i < g.n; i++) {
      if (!g.seen[i]) end = visit(&g, find_end(&g, i, end), end);
    }
    for (int k = 0; k < g.n; k++) {
      for (int dof = g.begin[g.order[k]]; dof < g.begin[g.order[k] + 1]; dof++) place[dof] = to++;
    }
  }
  cti_scratch_release(p->d, mark);
  return ok;
}
