#include "stage/metric/flex_pattern.h"

#include "data/arena.h"
#include "data/awake.h"

// ---- which points meet ----

CT_FN ctiFlexGroups cti_flex_groups(const ctModel* m, int f) {
  ctiFlexGroups g;
  g.m = m;
  g.flex = f;
  g.npoint = m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
  g.nedge = cti_flex_stretches(m, f) ? m->flex_edgenum[f] : 0;
  g.nhinge = cti_flex_hinges(m, f) ? m->flex_edgenum[f] : 0;
  g.nbend = cti_flex_is_rod(m, f) ? cti_rod_records(m, f) : 0;
  g.ncell = 0;
  if (m->flex_interp[f]) {
    g.cage = cti_cage(m, f);
    bool stretches =
        cti_flex_is_elastic_cage(m, f) && m->flex_stiffnessadr[f] >= 0 && m->flex_edgeequality[f] != 3;
    if (stretches) g.ncell = cti_cage_elements(&g.cage);
  }
  return g;
}

// Points of group i; returns their number.
static CT_FN int group_points(const ctiFlexGroups* g, int i, int out[CTI_CAGE_NODES]) {
  const ctModel* m = g->m;
  int n = 0, axis[3];
  if (i < g->nedge) {
    const int* end = m->flex_edge + 2 * (m->flex_edgeadr[g->flex] + i);
    out[0] = end[0];
    out[1] = end[1];
    return 2;
  }
  i -= g->nedge;
  if (i < g->nhinge) return cti_hinge_vertices(out, m, g->flex, i) ? 4 : 0;
  i -= g->nhinge;
  if (i < g->nbend) {
    const ctReal* record = m->flex_bending + m->flex_bendingadr[g->flex] + 1 + CTI_ROD_RECORD * (int64_t)i;
    n = record[3] >= 0 ? 4 : 3;
    for (int k = 0; k < n; k++) out[k] = (int)record[k];
    return n;
  }
  i -= g->nbend;
  return g->cage.shell ? cti_cage_face_nodes(&g->cage, i, out, axis) : cti_cage_cell_nodes(&g->cage, i, out);
}

// ---- by dofs ----

// Lists of numbers for each of some things: those of thing i begin at adr[i].
typedef struct Lists {
  int *adr, *to;
} Lists;

// Scratch of the pattern.
typedef struct Pattern {
  Lists points;  // that each dof moves
  Lists groups;  // of each point
  int* stamp;    // nv: the last row that had this column
  int* column;   // nv
} Pattern;

static CT_FN void close_lists(Lists* l, int n) {
  int total = 0;
  for (int i = 0; i <= n; i++) {
    int count = l->adr[i];
    l->adr[i] = total;
    total += count;
  }
}

static CT_FN void fill_incidence(const ctiFlexGroups* g, Pattern* s, bool fill) {
  int point[CTI_CAGE_NODES];
  for (int i = 0, n = cti_group_count(g); i < n; i++) {
    int count = group_points(g, i, point);
    for (int k = 0; k < count; k++) {
      if (fill) s->groups.to[s->groups.adr[point[k]]] = i;
      s->groups.adr[point[k]]++;
    }
  }
  for (int p = 0; p < g->npoint; p++) {
    for (int k = cti_last_dof(g->m, cti_flex_body(g->m, g->flex, p)); k >= 0; k = g->m->dof_parentid[k]) {
      if (fill) s->points.to[s->points.adr[k]] = p;
      s->points.adr[k]++;
    }
  }
}

// After filling, addresses have moved to the ends of the lists.
static CT_FN void rewind_lists(Lists* l, int n) {
  for (int i = n; i > 0; i--) l->adr[i] = l->adr[i - 1];
  l->adr[0] = 0;
}

// Do two dofs move the same points of the deformable?
static CT_FN bool move_alike(const Pattern* s, int a, int b) {
  int n = s->points.adr[a + 1] - s->points.adr[a];
  if (n != s->points.adr[b + 1] - s->points.adr[b]) return false;
  for (int k = 0; k < n; k++) {
    if (s->points.to[s->points.adr[a] + k] != s->points.to[s->points.adr[b] + k]) return false;
  }
  return true;
}

// Columns of the row of a dof that one deformable makes, not in order.
static CT_FN int row_columns(const ctiFlexGroups* g, Pattern* s, int dof, int tag) {
  int n = 0, point[CTI_CAGE_NODES];
  for (int a = s->points.adr[dof]; a < s->points.adr[dof + 1]; a++) {
    int p = s->points.to[a];
    for (int b = s->groups.adr[p]; b < s->groups.adr[p + 1]; b++) {
      int count = group_points(g, s->groups.to[b], point);
      for (int k = 0; k < count; k++) {
        for (int j = cti_last_dof(g->m, cti_flex_body(g->m, g->flex, point[k])); j >= 0;
             j = g->m->dof_parentid[j]) {
          if (s->stamp[j] == tag) break;
          s->stamp[j] = tag;
          s->column[n++] = j;
        }
      }
    }
  }
  return n;
}

static CT_FN void sort_columns(int* column, int n) {
  // almost in order: those of neighbours come in runs
  for (int i = 1; i < n; i++) {
    int x = column[i], at = i;
    for (; at > 0 && column[at - 1] > x; at--) column[at] = column[at - 1];
    column[at] = x;
  }
}

// A pattern for the dofs of deformable f; rows that another deformable has made already are joined with it.
static CT_FN bool add_pattern(const ctModel* m, ctData* d, const ctiFlexGroups* g, Lists* rows, int* used,
                              int room) {
  size_t mark = cti_scratch_mark(d);
  Pattern s;
  s.points.adr = CTI_SCRATCH(d, int, m->nv + 1, "metric.points_adr");
  s.groups.adr = CTI_SCRATCH(d, int, g->npoint + 1, "metric.groups_adr");
  s.stamp = CTI_SCRATCH(d, int, m->nv, "metric.stamp");
  s.column = CTI_SCRATCH(d, int, m->nv, "metric.column");
  bool ok = s.points.adr && s.groups.adr && s.stamp && s.column;
  if (!ok) return false;
  for (int i = 0; i <= m->nv; i++) s.points.adr[i] = 0;
  for (int i = 0; i <= g->npoint; i++) s.groups.adr[i] = 0;
  for (int i = 0; i < m->nv; i++) s.stamp[i] = -1;
  fill_incidence(g, &s, false);
  close_lists(&s.points, m->nv);
  close_lists(&s.groups, g->npoint);
  s.points.to = CTI_SCRATCH(d, int, s.points.adr[m->nv], "metric.points");
  s.groups.to = CTI_SCRATCH(d, int, s.groups.adr[g->npoint], "metric.groups");
  ok = s.points.to && s.groups.to;
  if (ok) {
    fill_incidence(g, &s, true);
    rewind_lists(&s.points, m->nv);
    rewind_lists(&s.groups, g->npoint);
  }
  for (int i = 0; ok && i < m->nv; i++) {
    if (s.points.adr[i + 1] == s.points.adr[i]) continue;
    int before = d->efm_K_rownnz[i], adr = *used, n;
    if (before == 0 && i > 0 && d->efm_K_rownnz[i - 1] > 0 && s.points.adr[i] > s.points.adr[i - 1] &&
        move_alike(&s, i, i - 1)) {
      // the row before it has the same columns
      n = d->efm_K_rownnz[i - 1];
      ok = adr + n <= room;
      for (int k = 0; ok && k < n; k++) rows->to[adr + k] = rows->to[d->efm_K_rowadr[i - 1] + k];
    } else {
      for (int k = 0; k < before; k++) s.stamp[rows->to[d->efm_K_rowadr[i] + k]] = i;
      n = row_columns(g, &s, i, i);
      ok = adr + n + before <= room;
      for (int k = 0; ok && k < before; k++) s.column[n++] = rows->to[d->efm_K_rowadr[i] + k];
      if (ok) sort_columns(s.column, n);
      for (int k = 0; ok && k < n; k++) rows->to[adr + k] = s.column[k];
    }
    d->efm_K_rowadr[i] = adr;
    d->efm_K_rownnz[i] = n;
    *used += n;
  }
  cti_scratch_release(d, mark);
  return ok;
}

// Is there a point that does not just slide?
static CT_FN bool is_carried(const ctModel* m, const ctiFlexGroups* g) {
  for (int p = 0; p < g->npoint; p++) {
    int body = cti_flex_body(m, g->flex, p);
    if (m->body_weldid[body] != 0 && !(cti_only_slides(m, body) && m->body_dofnum[body] == 3)) return true;
  }
  return false;
}

// Elements that all patterns together can have at most.
static CT_FN int64_t pattern_room(const ctModel* m) {
  int64_t room = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    ctiFlexGroups g = cti_flex_groups(m, f);
    int point[CTI_CAGE_NODES];
    for (int i = 0, n = cti_group_count(&g); i < n; i++) {
      int count = group_points(&g, i, point), dofs = 0;
      for (int k = 0; k < count; k++) {
        for (int j = cti_last_dof(m, cti_flex_body(m, f, point[k])); j >= 0; j = m->dof_parentid[j]) dofs++;
      }
      room += (int64_t)dofs * dofs;
    }
  }
  return room;
}

static CT_FN void list_dofs(const ctModel* m, ctData* d, bool fill) {
  d->nefmdof = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    ctiFlexGroups g = cti_flex_groups(m, f);
    if (cti_group_count(&g) == 0) continue;
    for (int p = 0; p < g.npoint; p++) {
      int body = cti_flex_body(m, f, p);
      if (!cti_only_slides(m, body) || m->body_dofnum[body] != 3) continue;
      if (fill) d->efm_dofid[d->nefmdof] = m->body_dofadr[body];
      d->nefmdof++;
    }
  }
}

// Rows with the same columns.
static CT_FN void find_alike(const ctModel* m, const ctData* d, int* rowsuper) {
  for (int i = m->nv - 1; i >= 0; i--) {
    rowsuper[i] = 0;
    const int n = d->efm_K_rownnz[i];
    if (i == m->nv - 1 || n == 0 || d->efm_K_rownnz[i + 1] != n) continue;
    if (m->dof_bodyid[i] == m->dof_bodyid[i + 1]) {
      // dofs of a body move the same points
      rowsuper[i] = rowsuper[i + 1] + 1;
      continue;
    }
    const int *a = d->efm_K_colind + d->efm_K_rowadr[i], *b = d->efm_K_colind + d->efm_K_rowadr[i + 1];
    bool same = true;
    for (int k = 0; k < n && same; k++) same = a[k] == b[k];
    if (same) rowsuper[i] = rowsuper[i + 1] + 1;
  }
}

// ---- blocks ----

// The points of a deformable; `taken` marks dofs. False where one does not slide along the axes of the world,
// or shares its dofs.
static CT_FN bool plain_points(const ctModel* m, const ctData* d, const ctiFlexGroups* g, int* dof,
                               ctByte* taken) {
  for (int p = 0; p < g->npoint; p++) {
    const int body = cti_flex_body(m, g->flex, p);
    dof[p] = m->body_weldid[body] == 0 ? -1 : cti_plain_dof(m, d, body);
    if (dof[p] < 0 && m->body_weldid[body] != 0) return false;
    if (dof[p] < 0) continue;
    if (taken[dof[p]]) return false;
    taken[dof[p]] = 1;
  }
  return true;
}

// Groups of each point: `groups.to` has group and place in it.
static CT_FN void list_groups(const ctiFlexGroups* g, Lists* groups, const int* dof, bool fill) {
  int point[CTI_CAGE_NODES];
  for (int i = 0, n = cti_group_count(g); i < n; i++) {
    const int count = group_points(g, i, point);
    for (int k = 0; k < count; k++) {
      if (dof[point[k]] < 0) continue;
      int* at = groups->adr + point[k];
      if (fill) {
        groups->to[2 * *at] = i;
        groups->to[2 * *at + 1] = k;
      }
      (*at)++;
    }
  }
}

// What a hinge has between all its vertices; NULL for other groups, and for hinges that are bent by more than
// a right angle at rest.
static CT_FN const ctReal* hinge_of(const ctiFlexGroups* g, int i) {
  if (i < g->nedge || i >= g->nedge + g->nhinge) return (const ctReal*)0;
  const ctModel* m = g->m;
  const ctReal* b = m->flex_bending + m->flex_bendingadr[g->flex] + (int64_t)CTI_BEND_RECORD * (i - g->nedge);
  return b[0] + b[5] + b[10] + b[15] > 0 ? b : (const ctReal*)0;
}

// Neighbours of point p, in the order of their dofs; returns their number. `place`: where a point is among
// them, if its stamp is p.
static CT_FN int neighbours(const ctiFlexGroups* g, const Lists* groups, const int* dof, int p, int* stamp,
                            int* place, ctiNeighbour* to) {
  int n = 0, point[CTI_CAGE_NODES];
  for (int a = groups->adr[p]; a < groups->adr[p + 1]; a++) {
    const int group = groups->to[2 * a], own = groups->to[2 * a + 1];
    const int count = group_points(g, group, point);
    const ctReal* b = hinge_of(g, group);
    const bool is_edge = group < g->nedge;
    for (int k = 0; k < count; k++) {
      const int q = point[k];
      if (dof[q] < 0) continue;
      if (stamp[q] != p) {
        stamp[q] = p;
        place[q] = n;
        to[n].dof = dof[q];
        to[n].point = q;
        to[n].edge = -1;
        to[n++].hinge = 0;
      }
      ctiNeighbour* at = to + place[q];
      if (b) at->hinge += b[own < k ? 4 * own + k : 4 * k + own];
      if (is_edge && q != p) at->edge = group;
    }
  }
  for (int i = 1; i < n; i++) {
    const ctiNeighbour x = to[i];
    int at = i;
    for (; at > 0 && to[at - 1].dof > x.dof; at--) to[at] = to[at - 1];
    to[at] = x;
  }
  return n;
}

static CT_FN bool add_blocks(const ctModel* m, ctData* d, const ctiFlexGroups* g, const int* dof, int* adr,
                             ctiNeighbour* to, int used) {
  size_t mark = cti_scratch_mark(d);
  Lists groups;
  groups.adr = CTI_SCRATCH(d, int, g->npoint + 1, "metric.groups_adr");
  int* stamp = CTI_SCRATCH(d, int, g->npoint, "metric.stamp");
  int* place = CTI_SCRATCH(d, int, g->npoint, "metric.place");
  if (!groups.adr || !stamp || !place) return false;
  if (CT_LANE == 0) {
    for (int i = 0; i <= g->npoint; i++) groups.adr[i] = 0;
    list_groups(g, &groups, dof, false);
    close_lists(&groups, g->npoint);
  }
  CT_TEAM_SYNC();
  groups.to = CTI_SCRATCH(d, int, 2 * (int64_t)groups.adr[g->npoint], "metric.groups");
  if (!groups.to) return false;
  if (CT_LANE == 0) {
    list_groups(g, &groups, dof, true);
    rewind_lists(&groups, g->npoint);
    for (int p = 0; p < g->npoint; p++) stamp[p] = -1;
    for (int p = 0; p < g->npoint; p++) {
      adr[p] = used;
      const int n = dof[p] < 0 ? 0 : neighbours(g, &groups, dof, p, stamp, place, to + used);
      used += n;
      for (int k = 0; dof[p] >= 0 && k < 3; k++) d->efm_K_rownnz[dof[p] + k] = 3 * n;
    }
    adr[g->npoint] = used;
  }
  CT_TEAM_SYNC();
  (void)m;
  cti_scratch_release(d, mark);
  return true;
}

// Neighbours that all points together can have at most.
static CT_FN int64_t block_room(const ctModel* m) {
  int64_t room = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    const ctiFlexGroups g = cti_flex_groups(m, f);
    const int64_t size = g.ncell ? CTI_CAGE_NODES : 4;
    room += 4 * (int64_t)g.nedge + 16 * (int64_t)(g.nhinge + g.nbend) + size * size * g.ncell;
  }
  return room;
}

// True where the pattern is one of points. `ok`: there was room.
static CT_FN bool blocks_pattern(ctiFlexBlocks* out, const ctModel* m, ctData* d, bool* ok) {
  int64_t points = 0, room = block_room(m);
  for (int f = 0; f < m->nflex; f++) {
    const ctiFlexGroups g = cti_flex_groups(m, f);
    if (cti_flex_in_metric(m, &g)) points += g.npoint;
  }
  out->plain = false;
  out->dof = CTI_SCRATCH(d, int, points, "metric.point_dof");
  out->adr = CTI_SCRATCH(d, int, points + 1, "metric.neighbours_adr");
  size_t mark = cti_scratch_mark(d);
  ctByte* taken = CTI_SCRATCH(d, ctByte, m->nv, "metric.taken");
  *ok = out->dof && out->adr && taken;
  if (!*ok) return false;
  bool plain = true;
  int at = 0;
  if (CT_LANE == 0) {
    for (int i = 0; i < m->nv; i++) taken[i] = 0;
    for (int f = 0; f < m->nflex && plain; f++) {
      const ctiFlexGroups g = cti_flex_groups(m, f);
      if (!cti_flex_in_metric(m, &g)) continue;
      plain = plain_points(m, d, &g, out->dof + at, taken);
      at += g.npoint;
    }
  }
  CT_TEAM_SYNC();
  cti_scratch_release(d, mark);
  if (cti_team_any(!plain)) return false;
  out->to = CTI_SCRATCH(d, ctiNeighbour, room, "metric.neighbours");
  *ok = out->to != (ctiNeighbour*)0;
  out->plain = true;
  at = 0;
  for (int f = 0; f < m->nflex && *ok; f++) {
    const ctiFlexGroups g = cti_flex_groups(m, f);
    if (!cti_flex_in_metric(m, &g)) continue;
    *ok = add_blocks(m, d, &g, out->dof + at, out->adr + at, out->to, at ? out->adr[at] : 0);
    at += g.npoint;
  }
  return true;
}

static CT_FN void blocks_columns(const ctiFlexBlocks* b, ctData* d, int points) {
  CT_LANES(p, points) {
    const int row = b->dof[p], n = b->adr[p + 1] - b->adr[p];
    if (row < 0) continue;
    const ctiNeighbour* near = b->to + b->adr[p];
    int *to = d->efm_K_colind + d->efm_K_rowadr[row], *second = d->efm_K_colind + d->efm_K_rowadr[row + 1],
        *third = d->efm_K_colind + d->efm_K_rowadr[row + 2];
    for (int k = 0; k < n; k++) {
      const int col = near[k].dof;
      for (int c = 0; c < 3; c++) to[3 * k + c] = second[3 * k + c] = third[3 * k + c] = col + c;
    }
  }
  CT_TEAM_SYNC();
}

// ---- all ----

// Rows one after another; returns their elements.
static CT_FN int64_t address_rows(const ctModel* m, ctData* d) {
  int64_t total = 0;
  for (int i = 0; i < m->nv; i++) {
    d->efm_K_rowadr[i] = (int)total;
    total += d->efm_K_rownnz[i];
  }
  return total;
}

static CT_FN bool take_elements(ctData* d, int64_t total) {
  d->efm_K_colind = CTI_ARENA(d, int, total, "efm_K_colind");
  d->efm_K_val = CTI_ARENA(d, ctReal, total, "efm_K_val");
  return d->efm_K_colind && d->efm_K_val;
}

// By dofs, where bodies are not points.
static CT_FN bool general_pattern(const ctModel* m, ctData* d) {
  const int64_t room = pattern_room(m);
  size_t mark = cti_scratch_mark(d);
  Lists rows;
  rows.adr = CTI_SCRATCH(d, int, m->nv, "metric.rows");
  rows.to = CTI_SCRATCH(d, int, room, "metric.columns");
  bool ok = rows.adr && rows.to, carried = false;
  int used = 0;
  for (int f = 0; f < m->nflex && ok; f++) {
    ctiFlexGroups g = cti_flex_groups(m, f);
    if (!cti_flex_in_metric(m, &g)) continue;
    carried = carried || is_carried(m, &g);
    ok = add_pattern(m, d, &g, &rows, &used, (int)room);
  }
  if (ok) {
    CT_LANES(i, m->nv) rows.adr[i] = d->efm_K_rowadr[i];
    CT_TEAM_SYNC();
    const int64_t total = address_rows(m, d);
    ok = take_elements(d, total);
    for (int i = 0; i < m->nv && ok; i++) {
      for (int k = 0; k < d->efm_K_rownnz[i]; k++)
        d->efm_K_colind[d->efm_K_rowadr[i] + k] = rows.to[rows.adr[i] + k];
    }
    d->nefmK = ok ? (int)total : 0;
  }
  d->efm_active = carried ? 2 : 1;
  cti_scratch_release(d, mark);
  return ok;
}

// Are there rods or cages, whose parts are added one by one?
static CT_FN bool has_added_groups(const ctModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    const ctiFlexGroups g = cti_flex_groups(m, f);
    if (cti_flex_in_metric(m, &g) && g.nbend + g.ncell > 0) return true;
  }
  return false;
}

CT_FN bool cti_flex_pattern(ctiFlexBlocks* blocks, const ctModel* m, ctData* d) {
  blocks->plain = false;
  d->nefmK = 0;
  if (block_room(m) == 0) return true;
  d->efm_K_rownnz = CTI_ARENA(d, int, m->nv, "efm_K_rownnz");
  d->efm_K_rowadr = CTI_ARENA(d, int, m->nv, "efm_K_rowadr");
  cti_data(d)->metric.K_rowsuper = CTI_ARENA(d, int, m->nv, "metric.K_rowsuper");
  if (!d->efm_K_rownnz || !d->efm_K_rowadr || !cti_data(d)->metric.K_rowsuper) return false;
  CT_LANES(i, m->nv) d->efm_K_rownnz[i] = d->efm_K_rowadr[i] = 0;
  CT_TEAM_SYNC();
  bool ok;
  if (blocks_pattern(blocks, m, d, &ok)) {
    const int64_t total = ok ? address_rows(m, d) : 0;
    int points = 0;
    for (int f = 0; f < m->nflex; f++) {
      const ctiFlexGroups g = cti_flex_groups(m, f);
      if (cti_flex_in_metric(m, &g)) points += g.npoint;
    }
    ok = ok && take_elements(d, total);
    if (ok) blocks_columns(blocks, d, points);
    d->nefmK = ok ? (int)total : 0;
    d->efm_active = 1;
  } else {
    ok = ok && general_pattern(m, d);
  }
  if (!ok) return false;
  // blocks of edges and hinges are written as a whole
  if (!blocks->plain || has_added_groups(m)) cti_team_zero(d->efm_K_val, d->nefmK);
  find_alike(m, d, cti_data(d)->metric.K_rowsuper);
  list_dofs(m, d, false);
  d->efm_dofid = CTI_ARENA(d, int, d->nefmdof, "efm_dofid");
  if (d->efm_dofid) list_dofs(m, d, true);
  return d->efm_dofid != (int*)0;
}
