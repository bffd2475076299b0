// The trees of boxes of two bodies against each other, or all pairs of a few geoms.
#include "collide/mid.h"

#include "collide/collide.h"
#include "collide/speculative.h"
#include "data/scenery.h"

// Below this many pairs of geoms a double loop is quicker than two trees.
#define MID_FEW_PAIRS 64
// Share of a size within which rounding is forgiven.
#define MID_SLACK CT_R(1e-6)
// Pairs of nodes on the stack: one per level of both trees, which are split at the median: 62 for all an int
// can count.
#define MID_STACK 256

CT_INLINE bool spheres_meet(const ctModel* m, const ctData* d, int geom1, int geom2, ctReal reach) {
  bool plane1 = m->geom_type[geom1] == CT_GEOM_PLANE, plane2 = m->geom_type[geom2] == CT_GEOM_PLANE;
  if (plane1 && plane2) return true;
  ctReal rel[3];
  cti_sub3(rel, d->geom_xpos + 3 * geom2, d->geom_xpos + 3 * geom1);
  if (!plane1 && !plane2) {
    ctReal far = m->geom_rbound[geom1] + m->geom_rbound[geom2] + reach;
    return cti_dot3(rel, rel) <= far * far;
  }
  const ctReal* mat = d->geom_xmat + 9 * (plane1 ? geom1 : geom2);
  ctReal height = mat[2] * rel[0] + mat[5] * rel[1] + mat[8] * rel[2];
  if (plane2) height = -height;
  return height <= m->geom_rbound[plane1 ? geom2 : geom1] + reach;
}

CT_FN bool cti_spheres_meet(const ctModel* m, const ctData* d, int geom1, int geom2, ctReal reach) {
  return spheres_meet(m, d, geom1, geom2, reach);
}

CT_FN ctiBox cti_geom_box(const ctModel* m, const ctData* d, int geom) {
  ctiBox box;
  box.aabb = m->geom_aabb + 6 * geom;
  box.pos = d->geom_xpos + 3 * geom;
  box.mat = d->geom_xmat + 9 * geom;
  return box;
}

CT_FN ctiBox cti_node_box(const ctModel* m, const ctData* d, int body, int node) {
  ctiBox box;
  if (m->bvh_nodeid[node] >= 0) return cti_geom_box(m, d, m->bvh_nodeid[node]);
  box.aabb = m->bvh_aabb + 6 * node;
  box.pos = d->xipos + 3 * body;
  box.mat = d->ximat + 9 * body;
  return box;
}

// A row of A' B, from column `i` of A: what an axis of the first is in the frame of the second.
CT_INLINE void box_turn(ctReal r[3], const ctReal axis[3], const ctReal mat[9]) {
  for (int k = 0; k < 3; k++) r[k] = axis[0] * mat[k] + axis[1] * mat[3 + k] + axis[2] * mat[6 + k];
}

CT_FN bool cti_boxes_meet(const ctiBox* a, const ctiBox* b, ctReal reach) {
  ctReal center[3], rel[3], turn[3][3], axis[3];
  reach += CTI_TOUCH_SLACK;
  cti_mul_mat_vec3(center, a->mat, a->aabb);
  cti_mul_mat_vec3(rel, b->mat, b->aabb);
  cti_add_to3(center, a->pos);
  cti_add_to3(rel, b->pos);
  cti_sub3(rel, rel, center);
  for (int i = 0; i < 3; i++) {
    cti_column3(axis, a->mat, i);
    box_turn(turn[i], axis, b->mat);
    ctReal wide = a->aabb[3 + i] + reach;
    for (int k = 0; k < 3; k++) wide += cti_abs(turn[i][k]) * b->aabb[3 + k];
    if (cti_abs(cti_dot3(rel, axis)) > wide) return false;
  }
  for (int i = 0; i < 3; i++) {
    cti_column3(axis, b->mat, i);
    ctReal wide = b->aabb[3 + i] + reach;
    for (int k = 0; k < 3; k++) wide += cti_abs(turn[k][i]) * a->aabb[3 + k];
    if (cti_abs(cti_dot3(rel, axis)) > wide) return false;
  }
  return true;
}

// The box of a geom comes within `reach` of a plane.
static CT_FN bool mid_plane_meets(const ctModel* m, const ctData* d, int plane, int geom, ctReal reach) {
  ctiBox box = cti_geom_box(m, d, geom);
  ctReal normal[3], local[3], rel[3];
  cti_column3(normal, d->geom_xmat + 9 * plane, 2);
  cti_mul_mat_t_vec3(local, box.mat, normal);
  cti_sub3(rel, box.pos, d->geom_xpos + 3 * plane);
  ctReal low = cti_dot3(rel, normal) + cti_dot3(local, box.aabb);
  for (int i = 0; i < 3; i++) low -= cti_abs(local[i]) * box.aabb[3 + i];
  return low <= reach + MID_SLACK * (m->geom_rbound[geom] + cti_abs(low));  // one that touches is not lost
}

// May two geoms touch? A function of the user answers in place of the masks.
CT_INLINE bool geoms_may_touch(const ctModel* m, const ctData* d, int geom1, int geom2) {
  if (CT_ON_HOST && m->user.contact_filter)
    return !m->user.contact_filter(m->user.context, m, d, geom1, geom2);
  return cti_masks_match(m->geom_contype[geom1], m->geom_conaffinity[geom1], m->geom_contype[geom2],
                         m->geom_conaffinity[geom2]);
}

// A plane and a geom that is none: for a sphere its height says enough.
static CT_FN bool mid_meets_plane(const ctModel* m, const ctData* d, int plane, int geom, ctReal reach) {
  if (!spheres_meet(m, d, plane, geom, reach)) return false;
  return m->geom_type[geom] == CT_GEOM_SPHERE || mid_plane_meets(m, d, plane, geom, reach);
}

static CT_FN bool mid_boxes_meet(const ctModel* m, const ctData* d, int geom1, int geom2, ctReal reach) {
  const ctiBox a = cti_geom_box(m, d, geom1), b = cti_geom_box(m, d, geom2);
  return cti_boxes_meet(&a, &b, reach);
}

// Spheres around two geoms meet, and boxes where these say more.
CT_INLINE bool mid_meet(const ctModel* m, const ctData* d, int geom1, int geom2) {
  const int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  const ctReal reach = cti_geom_reach(m, geom1, geom2);
  if (type1 == CT_GEOM_PLANE) return mid_meets_plane(m, d, geom1, geom2, reach);
  if (type2 == CT_GEOM_PLANE) return mid_meets_plane(m, d, geom2, geom1, reach);
  const ctReal far = m->geom_rbound[geom1] + m->geom_rbound[geom2] + reach;
  ctReal rel[3];
  cti_sub3(rel, d->geom_xpos + 3 * geom2, d->geom_xpos + 3 * geom1);
  if (!(cti_dot3(rel, rel) <= far * far)) return false;
  return (type1 < CT_GEOM_ELLIPSOID && type2 < CT_GEOM_ELLIPSOID) ||
         mid_boxes_meet(m, d, geom1, geom2, reach);
}

// The smaller type first.
CT_INLINE uint64_t mid_key(const ctModel* m, int geom1, int geom2) {
  const bool swap = m->geom_type[geom1] > m->geom_type[geom2];
  return swap ? cti_key(geom2, geom1) : cti_key(geom1, geom2);
}

static CT_FN void mid_push(const ctModel* m, ctData* d, ctiKeys* geoms, int geom1, int geom2) {
  if (geoms_may_touch(m, d, geom1, geom2) && mid_meet(m, d, geom1, geom2))
    cti_keys_push(d, geoms, mid_key(m, geom1, geom2));
}

// Walk both trees at once, opening the larger of two boxes that meet.
static CT_FN void mid_trees(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2) {
  int stack[MID_STACK][2], top = 0;
  ctReal reach = m->body_margin[body1] + m->body_margin[body2];
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) reach += m->opt.o_margin;
  const int root1 = m->body_bvhadr[body1], root2 = m->body_bvhadr[body2];
  stack[top][0] = root1;
  stack[top++][1] = root2;
  while (top > 0) {
    top--;
    int node1 = stack[top][0], node2 = stack[top][1];
    ctiBox box1 = cti_node_box(m, d, body1, node1), box2 = cti_node_box(m, d, body2, node2);
    if (!cti_boxes_meet(&box1, &box2, reach)) continue;
    int geom1 = m->bvh_nodeid[node1], geom2 = m->bvh_nodeid[node2];
    if (geom1 >= 0 && geom2 >= 0) {
      mid_push(m, d, geoms, geom1, geom2);
      continue;
    }
    bool open1 = geom2 >= 0 || (geom1 < 0 && m->bvh_aabb[6 * node1 + 3] + m->bvh_aabb[6 * node1 + 4] >=
                                                 m->bvh_aabb[6 * node2 + 3] + m->bvh_aabb[6 * node2 + 4]);
    const int* child = m->bvh_child + 2 * (open1 ? node1 : node2);
    int base = open1 ? root1 : root2;
    for (int i = 0; i < 2; i++) {
      if (child[i] < 0 || top == MID_STACK) continue;
      stack[top][0] = open1 ? base + child[i] : node1;
      stack[top++][1] = open1 ? node2 : base + child[i];
    }
  }
}

// ---- scenery: the geoms of a static body near those of another ----

// The geom of the body with the smaller number first, as elsewhere.
static CT_FN void mid_leaf(const ctModel* m, ctData* d, ctiKeys* geoms, int geom, int near, int fixed,
                           ctReal reach) {
  if (m->geom_bodyid[near] != fixed || !mid_boxes_meet(m, d, geom, near, reach)) return;
  const bool first = m->geom_bodyid[geom] < fixed;
  mid_push(m, d, geoms, first ? geom : near, first ? near : geom);
}

static CT_FN void mid_scenery(const ctModel* m, ctData* d, ctiKeys* geoms, int body, int fixed) {
  const ctiBoxTree* tree = &cti_scenery(d)->box_tree;
  ctReal reach = m->body_margin[body] + m->body_margin[fixed];
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) reach += m->opt.o_margin;
  const int first = m->body_geomadr[body];
  for (int geom = first; geom < first + m->body_geomnum[body]; geom++) {
    if (!m->geom_contype[geom] && !m->geom_conaffinity[geom]) continue;
    const ctReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom,
                 *pos = d->geom_xpos + 3 * geom, far = reach + CTI_TOUCH_SLACK;
    ctReal lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
      const ctReal* row = mat + 3 * i;
      const ctReal center = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
      const ctReal half =
          cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5] + far;
      lo[i] = center - half;
      hi[i] = center + half;
    }
    ctiBoxWalk w;
    cti_box_tree_ask(&w, lo, hi);
    for (int near = cti_box_tree_next(&w, tree); near >= 0; near = cti_box_tree_next(&w, tree))
      mid_leaf(m, d, geoms, geom, near, fixed, reach);
    for (int i = tree->n; i < tree->n + tree->nfar; i++)
      mid_leaf(m, d, geoms, geom, tree->member[i], fixed, reach);
  }
}

// With a fast geom boxes do not tell: spheres on their way do.
static CT_FN void mid_push_swept(const ctModel* m, ctData* d, ctiKeys* geoms, int geom1, int geom2,
                                 const ctiSweep* sweep) {
  if (!geoms_may_touch(m, d, geom1, geom2)) return;
  if (!cti_sweeps_meet(m, d, sweep, geom1, geom2, cti_geom_reach(m, geom1, geom2))) return;
  cti_keys_push(d, geoms, mid_key(m, geom1, geom2));
}

static CT_FN bool has_fast_geom(const ctModel* m, int body, const ctiSweep* sweep) {
  bool fast = false;
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++)
    fast = fast || sweep[g].fast;
  return fast;
}

// All pairs, in the order of the loop.
static CT_COLD void mid_phase_swept(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2,
                                    const ctiSweep* sweep) {
  const int first1 = m->body_geomadr[body1], first2 = m->body_geomadr[body2];
  for (int i = first1; i < first1 + m->body_geomnum[body1]; i++) {
    if (!(m->geom_contype[i] || m->geom_conaffinity[i])) continue;
    for (int k = first2; k < first2 + m->body_geomnum[body2]; k++) {
      if (sweep[i].fast || sweep[k].fast) {
        mid_push_swept(m, d, geoms, i, k, sweep);
      } else {
        mid_push(m, d, geoms, i, k);
      }
    }
  }
}

CT_INLINE bool mid_ordered(const ctModel* m) {
  return !(m->opt.disableflags & CT_DSBL_MIDPHASE);
}

// Are the trees of two bodies worth walking?
CT_INLINE bool mid_many(const ctModel* m, int body1, int body2) {
  return mid_ordered(m) && (ctSize)m->body_bvhnum[body1] * m->body_bvhnum[body2] > 4 * MID_FEW_PAIRS;
}

// All pairs of geoms of two bodies.
CT_INLINE void mid_loop(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2) {
  const int first1 = m->body_geomadr[body1], end1 = first1 + m->body_geomnum[body1];
  const int first2 = m->body_geomadr[body2], end2 = first2 + m->body_geomnum[body2];
  for (int i = first1; i < end1; i++) {
    for (int k = first2; k < end2; k++) {
      if (geoms_may_touch(m, d, i, k) && mid_meet(m, d, i, k)) cti_keys_push(d, geoms, mid_key(m, i, k));
    }
  }
}

CT_INLINE void mid_bodies(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2) {
  const int first = geoms->n;
  if (mid_many(m, body1, body2)) {
    const bool fixed1 = cti_is_scenery(m, body1), fixed2 = cti_is_scenery(m, body2);
    if (cti_scenery_on(d) && fixed1 != fixed2) {
      mid_scenery(m, d, geoms, fixed1 ? body2 : body1, fixed1 ? body1 : body2);
    } else {
      mid_trees(m, d, geoms, body1, body2);
    }
  } else {
    mid_loop(m, d, geoms, body1, body2);
  }
  if (geoms->n > first + 1 && mid_ordered(m)) cti_keys_sort(d, geoms, first);
}

CT_FN void cti_mid_phase(const ctModel* m, ctData* d, ctiKeys* geoms, int body1, int body2,
                         const ctiSweep* sweep) {
  if (sweep && (has_fast_geom(m, body1, sweep) || has_fast_geom(m, body2, sweep))) {
    mid_phase_swept(m, d, geoms, body1, body2, sweep);
  } else {
    mid_bodies(m, d, geoms, body1, body2);
  }
}

// ---- by a team: the pairs of geoms of many pairs of bodies, one after another, each by a lane ----

// Those of the pairs of bodies [begin, end), none of which goes alone.
static CT_FN void mid_lanes(const ctModel* m, ctData* d, ctiKeys* geoms, const ctiKeys* bodies, int begin,
                            int end) {
  // a lane walks along the list to the pair of bodies that its pair of geoms belongs to
  int next = begin, ahead = CT_LANE, n = 0, n2 = 1, first1 = 0, first2 = 0;
  for (bool more = true; more;) {
    while (ahead >= n && next < end) {
      const int body1 = cti_key_first(bodies->at[next]), body2 = cti_key_second(bodies->at[next]);
      next++;
      ahead -= n;
      first1 = m->body_geomadr[body1];
      first2 = m->body_geomadr[body2];
      n2 = m->body_geomnum[body2];
      n = m->body_geomnum[body1] * n2;
    }
    const bool there = ahead < n;
    bool meet = false;
    uint64_t key = 0;
    if (there) {
      const int row = ahead / n2, geom1 = first1 + row, geom2 = first2 + ahead - row * n2;
      meet = geoms_may_touch(m, d, geom1, geom2) && mid_meet(m, d, geom1, geom2);
      key = mid_key(m, geom1, geom2);
    }
    cti_keys_push_lanes(d, geoms, meet, key);
    ahead += CT_TEAM;
    more = cti_team_any(there);
  }
}

// Do two pairs of geoms belong to the same two bodies?
static CT_FN bool same_bodies(const ctModel* m, uint64_t pair1, uint64_t pair2) {
  const int a = m->geom_bodyid[cti_key_first(pair1)], b = m->geom_bodyid[cti_key_second(pair1)];
  const int c = m->geom_bodyid[cti_key_first(pair2)], e = m->geom_bodyid[cti_key_second(pair2)];
  return (a == c && b == e) || (a == e && b == c);
}

// Those from `first` on, of each pair of bodies in ascending order. A pair has few: each finds its own place.
static CT_FN void mid_order(const ctModel* m, ctData* d, ctiKeys* geoms, int first) {
  uint64_t* at = geoms->at + first;
  const int n = geoms->n - first;
  bool sorted = true;
  for (int i = 1 + CT_LANE; i < n && sorted; i += CT_TEAM)
    sorted = at[i - 1] < at[i] || !same_bodies(m, at[i - 1], at[i]);
  if (!cti_team_any(!sorted)) return;
  size_t mark = cti_scratch_mark(d);
  uint64_t* other = CTI_SCRATCH(d, uint64_t, n, "collision.sort");
  if (other) {
    CT_LANES(i, n) {
      int place = i;
      for (int k = i - 1; k >= 0 && same_bodies(m, at[k], at[i]); k--) place -= at[k] > at[i];
      for (int k = i + 1; k < n && same_bodies(m, at[k], at[i]); k++) place += at[k] < at[i];
      other[place] = at[i];
    }
    CT_TEAM_SYNC();
    CT_LANES(i, n) at[i] = other[i];
    CT_TEAM_SYNC();
  } else {
    geoms->full = true;
    geoms->n = first;
  }
  cti_scratch_release(d, mark);
}

// Not by lanes: trees are worth walking, or there are more pairs of geoms than an int counts.
CT_INLINE bool mid_alone(const ctModel* m, const ctiKeys* bodies, int i) {
  const int body1 = cti_key_first(bodies->at[i]), body2 = cti_key_second(bodies->at[i]);
  return mid_many(m, body1, body2) ||
         (int64_t)m->body_geomnum[body1] * m->body_geomnum[body2] > INT32_MAX / 2;
}

static CT_FN void mid_all_by_lanes(const ctModel* m, ctData* d, ctiKeys* geoms, const ctiKeys* bodies) {
  for (int begin = 0, end = 0; begin < bodies->n; begin = end) {
    // up to the next pair that goes alone
    unsigned alone = 0;
    for (; end < bodies->n && !alone; end += alone ? 0 : CT_TEAM) {
      const int i = end + CT_LANE;
      alone = cti_team_ballot(i < bodies->n && mid_alone(m, bodies, i));
    }
    for (; alone && !(alone & 1); alone >>= 1) end++;
    if (end > bodies->n) end = bodies->n;
    const int first = geoms->n;
    if (begin < end) mid_lanes(m, d, geoms, bodies, begin, end);
    if (mid_ordered(m)) mid_order(m, d, geoms, first);
    if (alone) {
      mid_bodies(m, d, geoms, cti_key_first(bodies->at[end]), cti_key_second(bodies->at[end]));
      end++;
    }
  }
}

CT_FN void cti_mid_phase_all(const ctModel* m, ctData* d, ctiKeys* geoms, const ctiKeys* bodies) {
  if (CT_TEAM > 1) {
    mid_all_by_lanes(m, d, geoms, bodies);
    return;
  }
  for (int i = 0; i < bodies->n; i++)
    mid_bodies(m, d, geoms, cti_key_first(bodies->at[i]), cti_key_second(bodies->at[i]));
}
