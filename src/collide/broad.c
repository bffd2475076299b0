#include "collide/broad.h"

#include "collide/contact.h"
#include "collide/filter.h"

// Half sizes from here on stand for infinity: planes.
#define BROAD_INFINITE CT_R(1e9)
// Bodies with a larger tree are bounded by its root instead of by each of their geoms.
#define BROAD_SMALL_TREE 15

// Share of a distance within which rounding is forgiven.
#define BROAD_SLACK CT_R(1e-6)

// World-aligned bounds of a body, grown by the body's margin.
typedef struct BroadBox {
  ctReal lo[3], hi[3];
  int body;
} BroadBox;

#define BROAD_LESS(x, y, axis) ((x).lo[*(axis)] < (y).lo[*(axis)])
CTI_DEFINE_SORT(broad_sort, BroadBox, const int*, BROAD_LESS)

// Make `box` enclose a local box (centre, half sizes) at a pose; no farther than `radius` from its centre.
static CT_FN void broad_enclose(BroadBox* box, const ctReal aabb[6], const ctReal pos[3], const ctReal mat[9],
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

static CT_FN void broad_body_box(BroadBox* box, const ctModel* m, const ctData* d, int body) {
  const int root = m->body_bvhadr[body], count = m->body_bvhnum[body];
  ctReal margin = m->body_margin[body];
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

static CT_FN bool broad_infinite(const ctModel* m, int body) {
  return m->bvh_aabb[6 * m->body_bvhadr[body] + 3] > BROAD_INFINITE;
}

// The axis of the world along which the boxes are spread most.
static CT_FN int broad_axis(const BroadBox* box, int n) {
  int best = 0;
  ctReal most = -1;
  for (int i = 0; i < 3; i++) {
    ctReal sum = 0, square = 0;
    for (int k = 0; k < n; k++) {
      ctReal x = box[k].lo[i] + box[k].hi[i];
      sum += x;
      square += x * x;
    }
    ctReal spread = square - sum * sum / (ctReal)n;
    if (spread > most) {
      most = spread;
      best = i;
    }
  }
  return best;
}

static CT_FN void broad_push(const ctModel* m, ctData* d, ctiKeys* pairs, int body1, int body2) {
  if (!cti_bodies_may_touch(m, d, body1, body2)) return;
  cti_keys_push(d, pairs, body1 < body2 ? cti_key(body1, body2) : cti_key(body2, body1));
}

// Boxes sorted along one axis: each meets those that begin before it ends.
static CT_FN void broad_sweep(const ctModel* m, ctData* d, ctiKeys* pairs, BroadBox* box, BroadBox* other,
                              int n) {
  int axis = broad_axis(box, n), u = (axis + 1) % 3, v = (axis + 2) % 3;
  broad_sort(box, n, other, &axis);
  for (int i = 0; i < n; i++) {
    const BroadBox* p = box + i;
    for (int k = i + 1; k < n && box[k].lo[axis] <= p->hi[axis]; k++) {
      const BroadBox* q = box + k;
      if (p->lo[u] > q->hi[u] || q->lo[u] > p->hi[u] || p->lo[v] > q->hi[v] || q->lo[v] > p->hi[v]) continue;
      broad_push(m, d, pairs, p->body, q->body);
    }
  }
}

// A box in the air: the body has no other geoms than planes that collide, and all of them are below the box.
static CT_FN bool broad_above(const ctModel* m, const ctData* d, int body, const BroadBox* box) {
  ctReal margin = m->body_margin[body];
  if (m->opt.enableflags & CT_ENBL_OVERRIDE) margin += CT_R(0.5) * m->opt.o_margin;
  const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  for (int geom = first; geom < end; geom++) {
    if (!m->geom_contype[geom] && !m->geom_conaffinity[geom]) continue;
    if (m->geom_type[geom] != CT_GEOM_PLANE) return false;
    const ctReal *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
    ctReal low = 0, size = 0;
    for (int i = 0; i < 3; i++) {
      const ctReal up = mat[3 * i + 2], below = (up > 0 ? box->lo[i] : box->hi[i]) - pos[i];
      low += up * below;
      size += cti_abs(below);
    }
    if (!(low > margin + BROAD_SLACK * size)) return false;
  }
  return true;
}

// Planes meet everything that is not above them; another body with a plane takes its pair with this one
// itself.
static CT_FN void broad_planes(const ctModel* m, ctData* d, ctiKeys* pairs, int body, const BroadBox* box,
                               int n) {
  for (int k = 0; k < n; k++) {
    if (!broad_above(m, d, body, box + k)) broad_push(m, d, pairs, body, box[k].body);
  }
  for (int other = body + 1; other < m->nbody; other++) {
    if (!cti_body_collides(m, other) || m->body_bvhnum[other] == 0 || !broad_infinite(m, other)) continue;
    broad_push(m, d, pairs, body, other);
  }
}

CT_FN void cti_broad_phase(const ctModel* m, ctData* d, ctiKeys* pairs) {
  // the boxes stay below the list, which grows while they are in use
  BroadBox* box = CTI_SCRATCH(d, BroadBox, 2 * m->nbody, "collision.boxes");
  if (!box) {
    pairs->full = true;
    return;
  }
  int n = 0, first = m->nbody;  // boxes, and the first body with a plane
  for (int body = 0; body < m->nbody; body++) {
    if (!cti_body_collides(m, body) || m->body_bvhnum[body] == 0) continue;
    if (!broad_infinite(m, body)) {
      broad_body_box(box + n++, m, d, body);
    } else if (body < first) {
      first = body;
    }
  }
  for (int body = first; body < m->nbody; body++) {
    if (!cti_body_collides(m, body) || m->body_bvhnum[body] == 0 || !broad_infinite(m, body)) continue;
    broad_planes(m, d, pairs, body, box, n);
  }
  if (n > 1) broad_sweep(m, d, pairs, box, box + m->nbody, n);
  cti_keys_sort(d, pairs);
}
