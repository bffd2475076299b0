// Sweep over the bounding boxes of bodies, filtered by what may touch.
#include "collide/broad.h"

#include "collide/speculative.h"
#include "data/scenery.h"

static CT_FN bool body_collides(const ctModel* m, int body) {
  return m->body_geomnum[body] > 0 && (m->body_contype[body] || m->body_conaffinity[body]);
}

// A weld group that no joint moves: static, or a mocap body.
static CT_FN bool filter_fixed(const ctModel* m, int weld) {
  return m->body_dofnum[weld] == 0;
}

CT_FN bool cti_bodies_sleep(const ctModel* m, const ctData* d, int body1, int body2) {
  if (!(m->opt.enableflags & CT_ENBL_SLEEP)) return false;
  return d->body_awake[body1] != CT_AWAKE && d->body_awake[body2] != CT_AWAKE;
}

static CT_FN bool filter_excluded(const ctModel* m, int body1, int body2) {
  uint32_t wanted = cti_body_signature(body1, body2);
  int lo = 0, hi = m->nexclude;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    uint32_t have = (uint32_t)m->exclude_signature[mid];
    if (have == wanted) return true;
    if (have < wanted) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return false;
}

static CT_FN bool bodies_may_touch(const ctModel* m, const ctData* d, int body1, int body2) {
  if (!cti_masks_match(m->body_contype[body1], m->body_conaffinity[body1], m->body_contype[body2],
                       m->body_conaffinity[body2])) {
    return false;
  }
  int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
  if (weld1 == weld2 || (filter_fixed(m, weld1) && filter_fixed(m, weld2))) return false;
  if (cti_bodies_sleep(m, d, body1, body2)) return false;
  // parent and child, each as a weld group; the world is no parent in this sense
  if (!(m->opt.disableflags & CT_DSBL_FILTERPARENT) && weld1 != 0 && weld2 != 0) {
    int parent1 = m->body_weldid[m->body_parentid[weld1]], parent2 = m->body_weldid[m->body_parentid[weld2]];
    if (weld1 == parent2 || weld2 == parent1) return false;
  }
  return !(m->nexclude && filter_excluded(m, body1, body2));
}

// ---- deformables: they follow the bodies in the numbering of what may touch ----

static CT_FN bool item_sleeps(const ctModel* m, const ctData* d, int item) {
  if (!(m->opt.enableflags & CT_ENBL_SLEEP)) return false;
  const bool body = item < m->nbody;
  return (body ? cti_tree_state(d, m->body_treeid[item]) : cti_flex_state(m, d, item - m->nbody)) != CT_AWAKE;
}

// No joint moves it: all its bodies are static, or mocap bodies.
static CT_FN bool item_fixed(const ctModel* m, int item) {
  int n = 1;
  const int* body = item < m->nbody ? &item : cti_flex_bodies(m, item - m->nbody, &n);
  for (int i = 0; i < n; i++) {
    if (m->body_treeid[body[i]] >= 0) return false;
  }
  return true;
}

static CT_COLD bool flexes_may_touch(const ctModel* m, const ctData* d, int item1, int item2) {
  int type[2], affinity[2], item[2] = {item1, item2};
  for (int i = 0; i < 2; i++) {
    const bool body = item[i] < m->nbody;
    type[i] = body ? m->body_contype[item[i]] : m->flex_contype[item[i] - m->nbody];
    affinity[i] = body ? m->body_conaffinity[item[i]] : m->flex_conaffinity[item[i] - m->nbody];
  }
  if (!cti_masks_match(type[0], affinity[0], type[1], affinity[1])) return false;
  if (item_fixed(m, item1) && item_fixed(m, item2)) return false;
  return !item_sleeps(m, d, item1) || !item_sleeps(m, d, item2);
}

// ---- a list of keys in scratch memory that grows by doubling: pairs of bodies, pairs of geoms ----

#define KEYS_LESS(x, y, context) ((x) < (y))
CTI_DEFINE_SORT(keys_sort, uint64_t, void*, KEYS_LESS)

// Room for one more key, or for as many as a team has lanes.
CT_INLINE bool keys_grow(ctData* d, ctiKeys* list) {
  int capacity = list->capacity ? 2 * list->capacity : 64;
  uint64_t* at = list->full ? (uint64_t*)0 : CTI_SCRATCH(d, uint64_t, capacity, "collision.pairs");
  if (!at) {
    list->full = true;
    return false;
  }
  CT_LANES(i, list->n) at[i] = list->at[i];
  CT_TEAM_SYNC();
  list->at = at;
  list->capacity = capacity;
  return true;
}

CT_INLINE void keys_push(ctData* d, ctiKeys* list, uint64_t key) {
  if (list->n == list->capacity && !keys_grow(d, list)) return;
  list->at[list->n++] = key;
}

CT_FN void cti_keys_push_lanes(ctData* d, ctiKeys* list, bool has, uint64_t key) {
  const int count = cti_team_count(has), place = cti_team_rank(has);
  if (count == 0 || (list->n + count > list->capacity && !keys_grow(d, list))) return;
  if (has) list->at[list->n + place] = key;
  CT_TEAM_SYNC();
  list->n += count;
}

CT_FN void cti_keys_push(ctData* d, ctiKeys* list, uint64_t key) {
  keys_push(d, list, key);
}

CT_FN void cti_keys_sort(ctData* d, ctiKeys* list, int first) {
  const int n = list->n - first;
  if (n < 2) return;  // the array of an empty list may be missing
  uint64_t* at = list->at + first;
  bool sorted = true;
  for (int i = 1 + CT_LANE; i < n && sorted; i += CT_TEAM) sorted = at[i - 1] <= at[i];
  if (!cti_team_any(!sorted)) return;
  size_t mark = cti_scratch_mark(d);
  uint64_t* other = CTI_SCRATCH(d, uint64_t, n, "collision.sort");
  if (other) {
    keys_sort(at, n, other, (void*)0);
  } else {
    list->full = true;
    list->n = first;  // without order there are no contacts rather than contacts in another order
  }
  cti_scratch_release(d, mark);
}

// A pass of sorting by counting: keys by the index at a bit, below `count`; those with the same as they were.
static CT_FN void counting_pass(uint64_t* CT_RESTRICT to, const uint64_t* CT_RESTRICT from, int n, int bit,
                                int* CT_RESTRICT place, int count) {
  for (int i = 0; i < count; i++) place[i] = 0;
  for (int i = 0; i < n; i++) place[(uint32_t)(from[i] >> bit)]++;
  for (int i = 0, before = 0; i < count; i++) {
    const int here = place[i];
    place[i] = before;
    before += here;
  }
  for (int i = 0; i < n; i++) to[place[(uint32_t)(from[i] >> bit)]++] = from[i];
}

// The same for keys whose indices are below `count`, by one lane: by the second index, then by the first.
static CT_FN void keys_sort_counted(ctData* d, ctiKeys* list, int count) {
  size_t mark = cti_scratch_mark(d);
  const int n = list->n;
  int* place = CTI_SCRATCH(d, int, count, "collision.sort");
  uint64_t *at = list->at, *other = CTI_SCRATCH(d, uint64_t, n, "collision.sort");
  if (place && other) {
    counting_pass(other, at, n, 0, place, count);
    counting_pass(at, other, n, 32, place, count);
  } else {
    list->full = true;
    list->n = 0;
  }
  cti_scratch_release(d, mark);
}

// ---- broad phase: the pairs of bodies whose bounding boxes overlap and that may touch ----
//   reads   m->body_*, m->bvh_*, m->geom_*; d->xipos, d->ximat, d->geom_xpos, d->geom_xmat
//   before  kinematics

// Half sizes from here on stand for infinity: planes.
#define BROAD_INFINITE CT_R(1e9)
// Bodies with a larger tree are bounded by its root instead of by each of their geoms.
#define BROAD_SMALL_TREE 15
// Share of a distance within which rounding is forgiven.
#define BROAD_SLACK CT_R(1e-6)
// Bounds are grown by the body's margin.
#define BROAD_LESS(x, y, axis) ((x).lo[*(axis)] < (y).lo[*(axis)])
CTI_DEFINE_SORT(broad_sort, ctiBounds, const int*, BROAD_LESS)

// Where a box begins along the axis, and which it is: quicker to move than the box.
typedef struct BroadStart {
  ctReal lo;
  int box;
} BroadStart;
#define START_LESS(x, y, context) ((x).lo < (y).lo)
CTI_DEFINE_SORT(start_sort, BroadStart, void*, START_LESS)

// Make `box` enclose a local box (centre, half sizes) at a pose; no farther than `radius` from its centre.
CT_INLINE void broad_enclose(ctiBounds* box, const ctReal aabb[6], const ctReal pos[3], const ctReal mat[9],
                             ctReal radius, ctReal margin) {
  for (int i = 0; i < 3; i++) {
    const ctReal* row = mat + 3 * i;
    ctReal center = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
    ctReal half = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
    ctReal lo = center - half, hi = center + half;
    if (lo < pos[i] - radius) lo = pos[i] - radius;
    if (hi > pos[i] + radius) hi = pos[i] + radius;
    if (lo - margin < box->lo[i]) box->lo[i] = lo - margin;
    if (hi + margin > box->hi[i]) box->hi[i] = hi + margin;
  }
}

// How far elements reach beyond their vertices: as far as their boxes do.
static CT_FN ctReal flex_thickness(const ctModel* m, const ctData* d, int flex) {
  if (m->flex_elemnum[flex] == 0) return m->flex_radius[flex];
  const int* corner = m->flex_elem + m->flex_elemdataadr[flex];
  const ctReal* vert = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[flex];
  ctReal lo = vert[3 * corner[0]], hi = lo;
  for (int i = 1; i <= m->flex_dim[flex]; i++) {
    ctReal x = vert[3 * corner[i]];
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  return d->flexelem_aabb[6 * (int64_t)m->flex_elemadr[flex] + 3] - CT_R(0.5) * (hi - lo);
}

CT_FN void cti_flex_bounds(ctiBounds* box, const ctModel* m, const ctData* d, int flex) {
  const ctReal* vert = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[flex];
  ctReal reach = m->flex_margin[flex] + m->flex_gap[flex] + flex_thickness(m, d, flex) + CTI_TOUCH_SLACK;
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) reach += CT_R(0.5) * m->opt.o_margin;
  for (int i = 0; i < 3; i++) {
    box->lo[i] = CT_R(1e30);
    box->hi[i] = CT_R(-1e30);
  }
  for (int v = 0; v < m->flex_vertnum[flex]; v++) {
    for (int i = 0; i < 3; i++) {
      if (vert[3 * v + i] < box->lo[i]) box->lo[i] = vert[3 * v + i];
      if (vert[3 * v + i] > box->hi[i]) box->hi[i] = vert[3 * v + i];
    }
  }
  for (int i = 0; i < 3; i++) {
    box->lo[i] -= reach;
    box->hi[i] += reach;
  }
}

static CT_FN void broad_body_box(ctiBounds* box, const ctModel* m, const ctData* d, int body) {
  const int root = m->body_bvhadr[body], count = m->body_bvhnum[body];
  ctReal margin = m->body_margin[body] + CTI_TOUCH_SLACK;
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) margin += CT_R(0.5) * m->opt.o_margin;
  box->body = body;
  for (int i = 0; i < 3; i++) {
    box->lo[i] = CT_R(1e30);
    box->hi[i] = CT_R(-1e30);
  }
  if (count > BROAD_SMALL_TREE) {
    broad_enclose(box, m->bvh_aabb + 6 * root, d->xipos + 3 * body, d->ximat + 9 * body, CT_R(1e30), margin);
    return;
  }
  for (int node = root; node < root + count; node++) {
    int geom = m->bvh_nodeid[node];
    if (geom < 0) continue;
    broad_enclose(box, m->geom_aabb + 6 * geom, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
                  m->geom_rbound[geom], margin);
  }
}

// As far as a geom of the body goes.
static CT_FN void broad_enclose_sweep(ctiBounds* box, const ctModel* m, int body, const ctiSweep* sweep) {
  ctReal far = 0;
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
    if (sweep[g].length > far) far = sweep[g].length;
  }
  for (int i = 0; i < 3; i++) {
    box->lo[i] -= far;
    box->hi[i] += far;
  }
}

static CT_FN bool broad_infinite(const ctModel* m, int body) {
  return m->bvh_aabb[6 * m->body_bvhadr[body] + 3] > BROAD_INFINITE;
}

// The axis of the world along which the boxes are spread most. Pairs do not depend on it: a team may add up
// in another order.
static CT_FN int broad_axis(const ctiBounds* box, int n) {
  int best = 0;
  ctReal most = -1;
  for (int i = 0; i < 3; i++) {
    ctReal sum = 0, square = 0;
    CT_LANES(k, n) {
      ctReal x = box[k].lo[i] + box[k].hi[i];
      sum += x;
      square += x * x;
    }
    sum = cti_team_add(0, sum, CT_TEAM);
    square = cti_team_add(0, square, CT_TEAM);
    ctReal spread = square - sum * sum / (ctReal)n;
    if (spread > most) {
      most = spread;
      best = i;
    }
  }
  return best;
}

static CT_COLD void broad_push_flex(const ctModel* m, ctData* d, ctiKeys* pairs, int item1, int item2) {
  if (!flexes_may_touch(m, d, item1, item2)) return;
  keys_push(d, pairs, item1 < item2 ? cti_key(item1, item2) : cti_key(item2, item1));
}

CT_INLINE uint64_t body_key(int body1, int body2) {
  return body1 < body2 ? cti_key(body1, body2) : cti_key(body2, body1);
}

static CT_FN void broad_push(const ctModel* m, ctData* d, ctiKeys* pairs, int body1, int body2) {
  if (!bodies_may_touch(m, d, body1, body2)) return;
  keys_push(d, pairs, body_key(body1, body2));
}

// The same for what may be a deformable.
CT_INLINE void broad_push_item(const ctModel* m, ctData* d, ctiKeys* pairs, int item1, int item2) {
  if (m->nflex > 0 && (item1 >= m->nbody || item2 >= m->nbody)) {
    broad_push_flex(m, d, pairs, item1, item2);
  } else {
    broad_push(m, d, pairs, item1, item2);
  }
}

// Boxes sorted along one axis: each meets those that begin before it ends. `flexes` is known where this is
// compiled.
CT_INLINE void broad_sweep_sorted(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* box, int n,
                                  int axis, const bool flexes) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int i = 0; i < n; i++) {
    const ctiBounds* p = box + i;
    for (int k = i + 1; k < n && box[k].lo[axis] <= p->hi[axis]; k++) {
      const ctiBounds* q = box + k;
      if (p->lo[u] > q->hi[u] || q->lo[u] > p->hi[u] || p->lo[v] > q->hi[v] || q->lo[v] > p->hi[v]) continue;
      if (flexes) {
        broad_push_item(m, d, pairs, p->body, q->body);
      } else {
        broad_push(m, d, pairs, p->body, q->body);
      }
    }
  }
}

static CT_COLD void broad_sweep_flexes(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* box,
                                       int n, int axis) {
  broad_sweep_sorted(m, d, pairs, box, n, axis, true);
}

// A team looks at all pairs of so many boxes: that takes less than sorting them.
#define BROAD_ALL_PAIRS 128

CT_INLINE bool bounds_overlap(const ctiBounds* p, const ctiBounds* q) {
  return !(p->lo[0] > q->hi[0] || q->lo[0] > p->hi[0] || p->lo[1] > q->hi[1] || q->lo[1] > p->hi[1] ||
           p->lo[2] > q->hi[2] || q->lo[2] > p->hi[2]);
}

// A box and those from `first` to `end` that it overlaps.
CT_INLINE void broad_meet_some(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* p,
                               const ctiBounds* box, int first, int end) {
  for (int k = first; k < end; k++) {
    if (bounds_overlap(p, box + k)) broad_push_item(m, d, pairs, p->body, box[k].body);
  }
}

// Boxes that are sorted, by a team: one and as many others as there are lanes at a time. Pairs are sorted in
// the end.
static CT_FN void broad_sweep_lanes(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* box, int n,
                                    int axis) {
  for (int i = 0; i < n; i++) {
    for (int first = i + 1; first < n; first += CT_TEAM) {
      if (box[first].lo[axis] > box[i].hi[axis]) break;
      const int k = first + CT_LANE;
      const bool meet =
          k < n && bounds_overlap(box + i, box + k) && bodies_may_touch(m, d, box[i].body, box[k].body);
      cti_keys_push_lanes(d, pairs, meet, meet ? body_key(box[i].body, box[k].body) : 0);
    }
  }
}

// All pairs of a few boxes, likewise. Box i and box n - i have n others before them together, which fills the
// lanes.
static CT_FN void broad_all_pairs(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* box, int n) {
  for (int i = 1; 2 * i <= n; i++) {
    const int count = 2 * i < n ? n : i;
    for (int first = 0; first < count; first += CT_TEAM) {
      const int at = first + CT_LANE;
      const ctiBounds *p = box + (at < i ? i : n - i), *q = box + (at < i ? at : at - i);
      const bool meet = at < count && bounds_overlap(p, q) && bodies_may_touch(m, d, p->body, q->body);
      cti_keys_push_lanes(d, pairs, meet, meet ? body_key(p->body, q->body) : 0);
    }
  }
}

// ---- by groups: boxes that follow each other mostly belong to the same tree, and lie near each other ----

// So many boxes make a group, or at least half as many where a tree ends.
#define BROAD_GROUP 16
// More groups are not compared with each other; and each meets so many others at most in the mean, or sorting
// takes less.
#define BROAD_GROUPS 128
#define BROAD_MEET   4

// The tree of a body; -1 for static bodies, and for deformables.
CT_INLINE int item_tree(const ctModel* m, int item) {
  return item < m->nbody ? m->body_treeid[item] : -1;
}

// Bounds of groups; their `body` is the first box. Returns how many there are.
static CT_FN int broad_group(ctiBounds* group, const ctModel* m, const ctiBounds* box, int n) {
  int count = 0;
  for (int i = 0; i < n;) {
    ctiBounds* g = group + count++;
    *g = box[i];
    g->body = i;
    for (int first = i++; i < n && i < first + BROAD_GROUP; i++) {
      if (i >= first + BROAD_GROUP / 2 && item_tree(m, box[i].body) != item_tree(m, box[i - 1].body)) break;
      for (int k = 0; k < 3; k++) {
        if (box[i].lo[k] < g->lo[k]) g->lo[k] = box[i].lo[k];
        if (box[i].hi[k] > g->hi[k]) g->hi[k] = box[i].hi[k];
      }
    }
  }
  return count;
}

// False where sorting takes less: then there are no pairs yet. `group` has room for `n`.
static CT_FN bool broad_by_groups(const ctModel* m, ctData* d, ctiKeys* pairs, ctiBounds* group,
                                  const ctiBounds* box, int n) {
  if (n > BROAD_GROUPS * BROAD_GROUP / 2) return false;
  const int count = broad_group(group, m, box, n);
  int meet = 0;
  for (int g = 0; g < count; g++) {
    for (int h = g + 1; h < count; h++) meet += bounds_overlap(group + g, group + h);
  }
  if (meet > BROAD_MEET * count) return false;
  for (int g = 0; g < count; g++) {
    const int end = g + 1 < count ? group[g + 1].body : n;
    for (int i = group[g].body; i < end; i++) broad_meet_some(m, d, pairs, box + i, box, i + 1, end);
    for (int h = g + 1; h < count; h++) {
      if (!bounds_overlap(group + g, group + h)) continue;
      const int last = h + 1 < count ? group[h + 1].body : n;
      for (int i = group[g].body; i < end; i++) {
        if (bounds_overlap(box + i, group + h))
          broad_meet_some(m, d, pairs, box + i, box, group[h].body, last);
      }
    }
  }
  return true;
}

// Boxes by where they begin along an axis, into `sorted`. False without room.
static CT_FN bool broad_order(ctData* d, ctiBounds* sorted, const ctiBounds* box, int n, int axis) {
  size_t mark = cti_scratch_mark(d);
  BroadStart* start = CTI_SCRATCH(d, BroadStart, 2 * (int64_t)n, "collision.starts");
  if (!start) return false;
  for (int i = 0; i < n; i++) {
    start[i].lo = box[i].lo[axis];
    start[i].box = i;
  }
  start_sort(start, n, start + n, (void*)0);
  for (int i = 0; i < n; i++) sorted[i] = box[start[i].box];
  cti_scratch_release(d, mark);
  return true;
}

static CT_FN void broad_sweep(const ctModel* m, ctData* d, ctiKeys* pairs, ctiBounds* box, ctiBounds* other,
                              int n) {
  if (CT_TEAM > 1 && n <= BROAD_ALL_PAIRS && m->nflex == 0) {
    broad_all_pairs(m, d, pairs, box, n);
    return;
  }
  if (CT_TEAM == 1 && broad_by_groups(m, d, pairs, other, box, n)) return;
  int axis = broad_axis(box, n);
  if (CT_TEAM > 1) {
    broad_sort(box, n, other, &axis);
  } else {
    if (!broad_order(d, other, box, n, axis)) {
      pairs->full = true;
      return;
    }
    box = other;
  }
  if (m->nflex > 0) {
    broad_sweep_flexes(m, d, pairs, box, n, axis);
  } else if (CT_TEAM > 1) {
    broad_sweep_lanes(m, d, pairs, box, n, axis);
  } else {
    broad_sweep_sorted(m, d, pairs, box, n, axis, false);
  }
}

// A plane as boxes see it.
typedef struct BroadPlane {
  ctReal pos[3], up[3], margin;
} BroadPlane;

CT_INLINE BroadPlane broad_plane(const ctModel* m, const ctData* d, int geom) {
  const int body = m->geom_bodyid[geom];
  BroadPlane p;
  p.margin = m->body_margin[body];
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) p.margin += CT_R(0.5) * m->opt.o_margin;
  cti_copy3(p.pos, d->geom_xpos + 3 * geom);
  cti_column3(p.up, d->geom_xmat + 9 * geom, 2);
  return p;
}

CT_INLINE bool plane_below(const BroadPlane* p, const ctiBounds* box) {
  ctReal low = 0, size = 0;
  for (int i = 0; i < 3; i++) {
    const ctReal below = (p->up[i] > 0 ? box->lo[i] : box->hi[i]) - p->pos[i];
    low += p->up[i] * below;
    size += cti_abs(below);
  }
  return low > p->margin + BROAD_SLACK * size;
}

// How many geoms of a body collide, and the last of them.
static CT_FN int colliding_geoms(int* last, const ctModel* m, int body) {
  const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  int n = 0;
  *last = first;
  for (int geom = first; geom < end; geom++) {
    if (!m->geom_contype[geom] && !m->geom_conaffinity[geom]) continue;
    n++;
    *last = geom;
  }
  return n;
}

// A box in the air: the body has no other geoms than planes that collide, and all of them are below the box.
static CT_FN bool broad_above(const ctModel* m, const ctData* d, int body, const ctiBounds* box) {
  const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  for (int geom = first; geom < end; geom++) {
    if (!m->geom_contype[geom] && !m->geom_conaffinity[geom]) continue;
    if (m->geom_type[geom] != CT_GEOM_PLANE) return false;
    const BroadPlane plane = broad_plane(m, d, geom);
    if (!plane_below(&plane, box)) return false;
  }
  return true;
}

// Planes meet everything that is not above them.
static CT_FN void broad_planes(const ctModel* m, ctData* d, ctiKeys* pairs, int body, const ctiBounds* box,
                               int n) {
  int geom;
  const bool alone = colliding_geoms(&geom, m, body) == 1 && m->geom_type[geom] == CT_GEOM_PLANE;
  const BroadPlane plane = broad_plane(m, d, geom);
  if (CT_TEAM > 1 && m->nflex == 0) {
    for (int first = 0; first < n; first += CT_TEAM) {
      const int k = first + CT_LANE;
      const bool meet = k < n && !(alone ? plane_below(&plane, box + k) : broad_above(m, d, body, box + k)) &&
                        bodies_may_touch(m, d, body, box[k].body);
      cti_keys_push_lanes(d, pairs, meet, meet ? body_key(body, box[k].body) : 0);
    }
    return;
  }
  for (int k = 0; k < n; k++) {
    if (!(alone ? plane_below(&plane, box + k) : broad_above(m, d, body, box + k)))
      broad_push_item(m, d, pairs, body, box[k].body);
  }
}

// The same by a team, each body by a lane.
static CT_FN void collect_by_lanes(const ctModel* m, const ctData* d, ctiSpans bodies, ctiBounds* box, int* n,
                                   int* plane, int* nplane) {
  CTI_EACH_SPAN(s, bodies) {
    for (int first = s->begin; first < s->end; first += CT_TEAM) {
      const int body = first + CT_LANE;
      const bool there = body < s->end && body_collides(m, body) && m->body_bvhnum[body] > 0;
      const bool flat = there && broad_infinite(m, body), bounded = there && !flat;
      const int place = *n + cti_team_rank(bounded), to = *nplane + cti_team_rank(flat);
      if (flat) plane[to] = body;
      if (bounded) broad_body_box(box + place, m, d, body);
      *nplane += cti_team_count(flat);
      *n += cti_team_count(bounded);
    }
  }
  CT_TEAM_SYNC();
}

// Boxes of the bodies of some spans, appended to `box`; bodies with planes go to `plane`.
static CT_FN void broad_collect(const ctModel* m, const ctData* d, ctiSpans bodies, ctiBounds* box, int* n,
                                int* plane, int* nplane, const ctiSweep* sweep) {
  const int first = *n;
  if (CT_TEAM > 1) {
    collect_by_lanes(m, d, bodies, box, n, plane, nplane);
    for (int i = first; sweep && i < *n; i++) broad_enclose_sweep(box + i, m, box[i].body, sweep);
    return;
  }
  CTI_EACH(body, bodies) {
    if (!body_collides(m, body) || m->body_bvhnum[body] == 0) continue;
    if (broad_infinite(m, body)) {
      plane[(*nplane)++] = body;
    } else {
      broad_body_box(box + (*n)++, m, d, body);
    }
  }
  for (int i = first; sweep && i < *n; i++) broad_enclose_sweep(box + i, m, box[i].body, sweep);
}

// Boxes of deformables, appended to `box`.
static CT_FN void broad_flexes(const ctModel* m, const ctData* d, ctiBounds* box, int* n) {
  for (int flex = 0; flex < m->nflex; flex++) {
    if (m->flex_vertnum[flex] == 0 || !(m->flex_contype[flex] || m->flex_conaffinity[flex])) continue;
    ctiBounds* to = box + (*n)++;
    to->body = m->nbody + flex;
    cti_flex_bounds(to, m, d, flex);
  }
}

// ---- what rests: bodies that sleep, and static ones while somebody sleeps ----
// Their boxes stay where they are, sorted, until the lists of what is awake change. They do not meet each
// other.

static CT_FN bool broad_sort_resting(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  size_t mark = cti_scratch_mark(d);
  ctiBounds* other = CTI_SCRATCH(d, ctiBounds, m->nbody, "collision.resting");
  if (!other) return false;
  int n = 0;
  for (int body = 0; body < m->nbody; body++) {
    bool rests = d->body_awake[body] != CT_AWAKE;
    if (!rests || !body_collides(m, body) || m->body_bvhnum[body] == 0 || broad_infinite(m, body)) continue;
    broad_body_box(awake->resting + n++, m, d, body);
  }
  awake->nresting = n;
  awake->resting_axis = broad_axis(awake->resting, n);
  broad_sort(awake->resting, n, other, &awake->resting_axis);
  for (int i = 0; i < n; i++) {
    ctReal top = awake->resting[i].hi[awake->resting_axis];
    awake->resting[i].top = i > 0 ? cti_max(top, awake->resting[i - 1].top) : top;
  }
  cti_scratch_release(d, mark);
  return true;
}

// Boxes at rest that a box meets: those that begin before it ends, backwards until all before end too early.
static CT_FN void broad_meet_resting(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* p) {
  const ctiAwake* awake = cti_awake(d);
  const int axis = awake->resting_axis, u = (axis + 1) % 3, v = (axis + 2) % 3;
  int lo = 0, hi = awake->nresting;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (awake->resting[mid].lo[axis] <= p->hi[axis]) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  for (int k = lo - 1; k >= 0 && awake->resting[k].top >= p->lo[axis]; k--) {
    const ctiBounds* q = awake->resting + k;
    if (q->hi[axis] < p->lo[axis] || p->lo[u] > q->hi[u] || q->lo[u] > p->hi[u] || p->lo[v] > q->hi[v] ||
        q->lo[v] > p->hi[v]) {
      continue;
    }
    broad_push_item(m, d, pairs, p->body, q->body);
  }
}

// ---- scenery: the static geoms near each box are looked up ----

// A pair that came last is not listed again.
static CT_FN void push_new(const ctModel* m, ctData* d, ctiKeys* pairs, int body1, int body2) {
  if (pairs->n > 0 && pairs->at[pairs->n - 1] == body_key(body1, body2)) return;
  broad_push(m, d, pairs, body1, body2);
}

static CT_FN void broad_meet_scenery(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiBounds* p) {
  const ctiBoxTree* tree = &cti_scenery(d)->box_tree;
  ctReal lo[3], hi[3], reach = cti_scenery(d)->margin + CTI_TOUCH_SLACK;
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) reach += CT_R(0.5) * m->opt.o_margin;
  for (int i = 0; i < 3; i++) {
    lo[i] = p->lo[i] - reach;
    hi[i] = p->hi[i] + reach;
  }
  ctiBoxWalk w;
  cti_box_tree_ask(&w, lo, hi);
  for (int geom = cti_box_tree_next(&w, tree); geom >= 0; geom = cti_box_tree_next(&w, tree))
    push_new(m, d, pairs, p->body, m->geom_bodyid[geom]);
  for (int i = tree->n; i < tree->n + tree->nfar; i++) {
    const int geom = tree->member[i];
    if (!m->geom_contype[geom] && !m->geom_conaffinity[geom]) continue;
    if (m->geom_type[geom] == CT_GEOM_PLANE) {
      const BroadPlane plane = broad_plane(m, d, geom);
      if (plane_below(&plane, p)) continue;
    }
    push_new(m, d, pairs, p->body, m->geom_bodyid[geom]);
  }
}

// Each pair once, in a list that is in order.
static CT_FN void keys_unique(ctiKeys* list) {
  int n = 0;
  for (int i = 0; i < list->n; i++) {
    if (i == 0 || list->at[i] != list->at[i - 1]) list->at[n++] = list->at[i];
  }
  list->n = n;
}

// Static bodies with planes, which meet what is awake.
static CT_FN void broad_static_planes(const ctModel* m, const ctData* d, int* plane, int* nplane) {
  for (int i = 0; i < d->nbody_awake; i++) {
    int body = d->body_awake_ind[i];
    bool fixed = d->body_awake[body] == CT_STATIC;
    if (!fixed || !body_collides(m, body) || m->body_bvhnum[body] == 0 || !broad_infinite(m, body)) continue;
    plane[(*nplane)++] = body;
  }
}

CT_FN void cti_broad_phase(const ctModel* m, ctData* d, ctiKeys* pairs, const ctiSweep* sweep) {
  const ctiAwake* awake = cti_awake(d);
  const bool asleep = cti_some_asleep(m, d), scenery = cti_scenery_on(d) && !sweep && m->nflex == 0;
  const int most = asleep ? d->nbody_awake : m->nbody;
  // the boxes stay below the list, which grows while they are in use
  const int64_t room = (int64_t)most + m->nflex;
  ctiBounds* box = CTI_SCRATCH(d, ctiBounds, 2 * (int64_t)room, "collision.boxes");
  int* plane = CTI_SCRATCH(d, int, most, "collision.planes");
  if (!box || !plane || (asleep && awake->nresting < 0 && !broad_sort_resting(m, d))) {
    pairs->full = true;
    return;
  }
  int n = 0, nplane = 0;
  if (scenery) {
    broad_collect(m, d, cti_moving_bodies(d), box, &n, plane, &nplane, sweep);
    for (int i = 0; i < n; i++) broad_meet_scenery(m, d, pairs, box + i);
  } else if (!asleep) {
    ctiSpan all = {0, m->nbody};
    ctiSpans bodies = {&all, 1};
    broad_collect(m, d, bodies, box, &n, plane, &nplane, sweep);
    broad_flexes(m, d, box, &n);
  } else {
    broad_collect(m, d, awake->mover, box, &n, plane, &nplane, sweep);
    broad_flexes(m, d, box, &n);
    for (int i = 0; i < nplane; i++) broad_planes(m, d, pairs, plane[i], awake->resting, awake->nresting);
    for (int i = 0; i < n; i++) broad_meet_resting(m, d, pairs, box + i);
    broad_static_planes(m, d, plane, &nplane);
  }
  for (int i = 0; i < nplane; i++) {
    broad_planes(m, d, pairs, plane[i], box, n);
    for (int k = 0; k < i; k++) broad_push(m, d, pairs, plane[k], plane[i]);
  }
  if (n > 1) broad_sweep(m, d, pairs, box, box + room, n);
  if (CT_TEAM > 1 || pairs->n <= CTI_SORT_RUN || 2 * pairs->n < m->nbody + m->nflex) {
    cti_keys_sort(d, pairs, 0);
  } else {
    keys_sort_counted(d, pairs, m->nbody + m->nflex);
  }
  if (scenery) keys_unique(pairs);
}
