#include "stage/solve/order.h"

#include "data/arena.h"

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

// Count (`fill` false) or note the neighbours that rows make: each tree of a row with its first.
static CT_FN void scan_rows(const ctiProblem* p, Graph* g, bool fill) {
  int before[2] = {-1, -1};
  for (int i = 0; i < p->nefc; i += p->J_rowsuper[i] + 1) {
    const int* col = p->J_colind + p->J_rowadr[i];
    int first = p->J_rownnz[i] > 0 ? g->node[col[0]] : -1, last = first;
    for (int k = 1; k < p->J_rownnz[i]; k++) {
      int node = g->node[col[k]];
      if (node == last) continue;
      last = node;
      if (first == before[0] && node == before[1]) continue;
      before[0] = first;
      before[1] = node;
      if (fill) {
        g->to[g->adr[first]++] = node;
        g->to[g->adr[node]++] = first;
      } else {
        g->adr[first]++;
        g->adr[node]++;
      }
    }
  }
}

static CT_FN bool find_neighbours(const ctiProblem* p, Graph* g) {
  for (int i = 0; i <= g->n; i++) g->adr[i] = 0;
  scan_rows(p, g, false);
  int total = 0;
  for (int i = 0; i <= g->n; i++) {
    int count = g->adr[i];
    g->adr[i] = total;
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

CT_FN bool cti_order_trees(const ctiProblem* p, int* place) {
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
