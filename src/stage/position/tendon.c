#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"
#include "stage/position/wrap.h"

// The problem is solved in a plane with the circle of the object at the origin. For a sphere it is the plane
// of its centre and both ends, for a cylinder the one across its axis.
typedef struct WrapPlane {
  ctReal x[3], y[3];
  ctReal ends[2][2];  // both ends of the string
} WrapPlane;

CT_INLINE ctReal norm2(const ctReal a[2]) {
  return cti_sqrt(a[0] * a[0] + a[1] * a[1]);
}

// Signed angle from a to b, counter-clockwise.
CT_INLINE ctReal angle2(const ctReal a[2], const ctReal b[2]) {
  return cti_atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

CT_INLINE void into_plane(ctReal out[2], const WrapPlane* plane, const ctReal offset[3]) {
  out[0] = cti_dot3(offset, plane->x);
  out[1] = cti_dot3(offset, plane->y);
}

// A unit vector across a unit vector. It decides the plane of a string through the centre, so it is the one
// MuJoCo takes.
static CT_FN void some_normal(ctReal out[3], const ctReal a[3]) {
  ctReal other[3] = {1, 1, 1};
  int largest = 0;
  for (int k = 1; k < 3; k++) {
    if (cti_abs(a[k]) > cti_abs(a[largest])) largest = k;
  }
  other[largest] = 0;
  cti_cross3(out, a, other);
  cti_normalize3(out);
}

static CT_FN void find_plane(WrapPlane* plane, const ctiWrapObject* object, const ctReal from[3],
                             const ctReal to[3]) {
  if (object->kind == CT_WRAP_SPHERE) {
    ctReal normal[3], end[3];
    cti_copy3(plane->x, from);
    cti_normalize3(plane->x);
    cti_copy3(end, to);
    cti_normalize3(end);
    cti_cross3(normal, plane->x, end);
    if (cti_normalize3(normal) < CTI_MINVAL) some_normal(normal, plane->x);
    cti_cross3(plane->y, normal, plane->x);
    cti_normalize3(plane->y);
  } else {
    for (int k = 0; k < 3; k++) {
      plane->x[k] = object->mat[3 * k];
      plane->y[k] = object->mat[3 * k + 1];
    }
  }
  into_plane(plane->ends[0], plane, from);
  into_plane(plane->ends[1], plane, to);
}

// Tangent point of the circle seen from `end`, turned counter-clockwise (turn = 1) or clockwise (-1) from it.
// Returns the angle between them.
static CT_FN ctReal tangent_point(ctReal out[2], const ctReal end[2], ctReal radius, ctReal turn) {
  ctReal distance2 = end[0] * end[0] + end[1] * end[1];
  ctReal height = cti_sqrt(cti_max(distance2 - radius * radius, 0));
  ctReal along = radius * radius / distance2, across = turn * radius * height / distance2;
  out[0] = along * end[0] - across * end[1];
  out[1] = along * end[1] + across * end[0];
  return cti_atan2(height, radius);
}

// Around the circle: the string turns by `winding` about the centre, of which the two straight pieces take
// their part and the arc the rest. Returns the arc's length, negative when the string does not touch.
static CT_FN ctReal wrap_around(ctReal touch[2][2], const WrapPlane* plane, ctReal radius, ctReal winding) {
  ctReal turn = winding > 0 ? CT_R(1) : CT_R(-1);
  ctReal rest = turn * winding;
  rest -= tangent_point(touch[0], plane->ends[0], radius, turn);
  rest -= tangent_point(touch[1], plane->ends[1], radius, -turn);
  return rest * radius;
}

// Angle between the string and the normal of the circle where it touches from outside: there both pieces meet
// the normal at the same angle. `near0` and `near1`: radius over the distance of each end; `between`: angle
// between the ends. Newton's iteration from grazing incidence falls monotonically; it ends when the angles
// add up to `between` within INCIDENCE_TOLERANCE, which is part of the result that models are compared by.
#define INCIDENCE_TOLERANCE CT_R(1e-6)
#define INCIDENCE_STEPS     20
static CT_FN ctReal incidence(ctReal near0, ctReal near1, ctReal between) {
  ctReal angle = CT_R(0.5 * CTI_PI);
  for (int i = 0; i < INCIDENCE_STEPS; i++) {
    ctReal sine, cosine;
    cti_sincos(angle, &sine, &cosine);
    ctReal sine0 = near0 * sine, sine1 = near1 * sine;
    ctReal excess = cti_asin(sine0) + cti_asin(sine1) - 2 * angle + between;
    if (cti_abs(excess) < INCIDENCE_TOLERANCE) break;
    ctReal slope = near0 * cosine / cti_sqrt(cti_max(1 - sine0 * sine0, CTI_MINVAL)) +
                   near1 * cosine / cti_sqrt(cti_max(1 - sine1 * sine1, CTI_MINVAL)) - 2;
    angle -= excess / slope;
  }
  return angle;
}

// Does the string miss the circle on its straight path?
static CT_FN bool passes_clear(const WrapPlane* plane, ctReal radius) {
  const ctReal *a = plane->ends[0], *b = plane->ends[1];
  ctReal along[2] = {b[0] - a[0], b[1] - a[1]};
  ctReal length2 = along[0] * along[0] + along[1] * along[1];
  ctReal t = length2 > 0 ? cti_clip(-(a[0] * along[0] + a[1] * along[1]) / length2, 0, 1) : CT_R(0);
  ctReal nearest[2] = {a[0] + t * along[0], a[1] + t * along[1]};
  return norm2(nearest) > radius;
}

// Through the circle: one point of it, where the path from end to end is shortest. It is found from the end
// that comes first counter-clockwise.
static CT_FN bool wrap_through(ctReal touch[2][2], const WrapPlane* plane, ctReal radius) {
  if (!passes_clear(plane, radius)) return false;
  ctReal between = angle2(plane->ends[0], plane->ends[1]), sine, cosine;
  const ctReal* first = plane->ends[between > 0 ? 0 : 1];
  const ctReal* second = plane->ends[between > 0 ? 1 : 0];
  ctReal distance = norm2(first);
  ctReal angle = incidence(radius / distance, radius / norm2(second), cti_abs(between));
  cti_sincos(angle - cti_asin(radius / distance * cti_sin(angle)), &sine, &cosine);
  ctReal scale = radius / distance;
  touch[0][0] = touch[1][0] = scale * (cosine * first[0] - sine * first[1]);
  touch[0][1] = touch[1][1] = scale * (cosine * first[1] + sine * first[0]);
  return true;
}

// Total turn of the string about the centre: along the straight line, or by the side point. One above
// the centre has no side: it is taken as on the first axis of the plane.
static CT_FN ctReal string_winding(const WrapPlane* plane, const ctReal* side) {
  if (!side) {
    const ctReal *a = plane->ends[0], *b = plane->ends[1];
    ctReal cross = a[0] * b[1] - a[1] * b[0], dot = a[0] * b[0] + a[1] * b[1];
    // both ways round are as long: counter-clockwise, whatever the sign of the zero
    return cti_atan2(cross == 0 ? CT_R(0) : cross, dot);
  }
  ctReal s[2];
  into_plane(s, plane, side);
  if (norm2(s) < CTI_MINVAL) {
    s[0] = 1;
    s[1] = 0;
  }
  return angle2(plane->ends[0], s) + angle2(s, plane->ends[1]);
}

// From the plane to the world; along a cylinder the height grows evenly with the length of the path.
static CT_FN void lift_to_space(ctReal out[6], ctReal* arc, const WrapPlane* plane, ctReal touch[2][2],
                                const ctiWrapObject* object, const ctReal from[3], const ctReal to[3]) {
  ctReal height[2] = {0, 0}, z[3] = {0, 0, 0};
  if (object->kind == CT_WRAP_CYLINDER) {
    for (int k = 0; k < 3; k++) z[k] = object->mat[3 * k + 2];
    ctReal straight[2];
    for (int e = 0; e < 2; e++) {
      ctReal gap[2] = {plane->ends[e][0] - touch[e][0], plane->ends[e][1] - touch[e][1]};
      straight[e] = norm2(gap);
    }
    ctReal start = cti_dot3(from, z), rise = cti_dot3(to, z) - start;
    ctReal total = straight[0] + *arc + straight[1];
    height[0] = start + rise * straight[0] / total;
    height[1] = start + rise * (straight[0] + *arc) / total;
    ctReal step = height[1] - height[0];
    *arc = cti_sqrt(*arc * *arc + step * step);
  }
  for (int e = 0; e < 2; e++) {
    ctReal* p = out + 3 * e;
    cti_copy3(p, object->pos);
    cti_add_scaled3(p, plane->x, touch[e][0]);
    cti_add_scaled3(p, plane->y, touch[e][1]);
    cti_add_scaled3(p, z, height[e]);
  }
}

CT_FN bool cti_wrap(ctReal out[6], ctReal* arc, const ctiWrapObject* object, const ctReal from[3],
                    const ctReal to[3]) {
  ctReal start[3], end[3], side[3];
  WrapPlane plane;
  cti_sub3(start, from, object->pos);
  cti_sub3(end, to, object->pos);
  find_plane(&plane, object, start, end);
  ctReal radius = object->radius;
  // an end inside: the string cannot go around
  if (norm2(plane.ends[0]) < radius || norm2(plane.ends[1]) < radius) return false;

  bool through = false;
  if (object->side) {
    cti_sub3(side, object->side, object->pos);
    through = cti_norm3(side) < radius;
  }
  ctReal touch[2][2];
  if (through) {
    if (!wrap_through(touch, &plane, radius)) return false;
    *arc = 0;
  } else {
    ctReal length =
        wrap_around(touch, &plane, radius, string_winding(&plane, object->side ? side : (const ctReal*)0));
    if (!(length > 0)) return false;
    *arc = length;
  }
  lift_to_space(out, arc, &plane, touch, object, start, end);
  return true;
}

// ---- tendons, and what they add to inertia ----
//   reads   d->qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com; m->tendon_*, wrap_*, ten_J_*
//   writes  d->ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos; adds to d->M
//   before  kinematics, com; the mass matrix before its tendon part

// What the path passes, besides ids of geoms.
#define PASSES_SITE   (-1)
#define PASSES_PULLEY (-2)

// The path of one tendon while it is followed.
typedef struct TendonPath {
  const ctModel* m;
  ctData* d;
  ctReal* row;  // gradient of the length, one number a dof
  ctReal length;
  ctReal divisor;  // of the branch at hand
  ctReal* xpos;    // its points, ...
  int* object;     // ... and what each is on
  int npoint;      // how many there are
} TendonPath;

static CT_FN void write_point(TendonPath* path, const ctReal point[3], int object) {
  cti_copy3(path->xpos + 3 * path->npoint, point);
  path->object[path->npoint] = object;
  path->npoint++;
}

// A straight piece between points of two bodies.
static CT_FN void add_piece(TendonPath* path, const ctReal from[3], int body0, const ctReal to[3],
                            int body1) {
  ctReal dir[3], wrench0[6], wrench1[6];
  cti_sub3(dir, to, from);
  path->length += cti_normalize3(dir) / path->divisor;
  if (body0 == body1) return;
  cti_wrench_at(wrench0, path->m, path->d, dir, from, body0);
  cti_wrench_at(wrench1, path->m, path->d, dir, to, body1);
  cti_add_relative_gradient(path->row, path->m, path->d, wrench0, body0, wrench1, body1, 1 / path->divisor);
}

// The site at whose side a path passes; -1: none, also where the number was overwritten with one that is no
// site.
static CT_FN int side_site(const ctModel* m, int wrap) {
  ctReal side = m->wrap_prm[wrap];
  return side >= 0 && side <= (ctReal)(m->nsite - 1) ? (int)cti_round(side) : -1;
}

// From a site over a geom to a site.
static CT_FN void add_wrapped(TendonPath* path, int site0, int wrap, int site1) {
  const ctModel* m = path->m;
  const ctData* d = path->d;
  const ctReal *from = d->site_xpos + 3 * site0, *to = d->site_xpos + 3 * site1;
  int geom = m->wrap_objid[wrap], side = side_site(m, wrap);
  ctiWrapObject object;
  object.kind = m->wrap_type[wrap];
  object.radius = m->geom_size[3 * geom];
  object.pos = d->geom_xpos + 3 * geom;
  object.mat = d->geom_xmat + 9 * geom;
  object.side = side >= 0 ? d->site_xpos + 3 * side : (const ctReal*)0;
  ctReal touch[6], arc;
  int body0 = m->site_bodyid[site0], body1 = m->site_bodyid[site1], body = m->geom_bodyid[geom];
  if (!cti_wrap(touch, &arc, &object, from, to)) {
    add_piece(path, from, body0, to, body1);
    return;
  }
  write_point(path, touch, geom);
  write_point(path, touch + 3, geom);
  add_piece(path, from, body0, touch, body);
  path->length += arc / path->divisor;
  add_piece(path, touch + 3, body, to, body1);
}

static CT_FN void follow_path(TendonPath* path, int begin, int end) {
  const ctModel* m = path->m;
  const ctReal nowhere[3] = {0, 0, 0};
  for (int w = begin; w < end;) {
    if (m->wrap_type[w] == CT_WRAP_PULLEY) {
      path->divisor = m->wrap_prm[w];
      write_point(path, nowhere, PASSES_PULLEY);
      w++;
      continue;
    }
    int site = m->wrap_objid[w];
    const ctReal* from = path->d->site_xpos + 3 * site;
    write_point(path, from, PASSES_SITE);
    // the last site of a branch is where it ends
    if (w + 1 >= end || m->wrap_type[w + 1] == CT_WRAP_PULLEY) {
      w++;
    } else if (m->wrap_type[w + 1] == CT_WRAP_SITE) {
      int next = m->wrap_objid[w + 1];
      add_piece(path, from, m->site_bodyid[site], path->d->site_xpos + 3 * next, m->site_bodyid[next]);
      w++;
    } else {
      add_wrapped(path, site, w + 1, m->wrap_objid[w + 2]);
      w += 2;
    }
  }
}

// Begin the dense row of a tendon: no gradient yet at the dofs of its pattern, the only ones that it can
// reach.
static CT_FN void clear_row(const ctModel* m, int t, ctReal* row) {
  const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
  for (int k = 0; k < m->ten_J_rownnz[t]; k++) row[col[k]] = 0;
}

// Take the gradient from the dense row into the tendon's pattern.
static CT_FN void gather_row(const ctModel* m, ctData* d, int t, const ctReal* row) {
  const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
  ctReal* to = d->ten_J + m->ten_J_rowadr[t];
  for (int k = 0; k < m->ten_J_rownnz[t]; k++) to[k] = row[col[k]];
}

// Its points go to `xpos` and `object`; returns how many there are.
static CT_FN int spatial_tendon(const ctModel* m, ctData* d, int t, ctReal* row, ctReal* xpos, int* object) {
  TendonPath path;
  path.m = m;
  path.d = d;
  path.row = row;
  path.length = 0;
  path.divisor = 1;
  path.xpos = xpos;
  path.object = object;
  path.npoint = 0;
  follow_path(&path, m->tendon_adr[t], m->tendon_adr[t] + m->tendon_num[t]);
  d->ten_length[t] = path.length;
  gather_row(m, d, t, row);
  return path.npoint;
}

// Weighted sum of joint positions.
static CT_FN void fixed_tendon(const ctModel* m, ctData* d, int t, ctReal* row) {
  ctReal length = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    int j = m->wrap_objid[w];
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[j]];
    row[m->jnt_dofadr[j]] = m->wrap_prm[w];
  }
  d->ten_length[t] = length;
  gather_row(m, d, t, row);
}

// One of both, with a row for its gradient.
static CT_FN int one_tendon(const ctModel* m, ctData* d, int t, ctReal* row, ctReal* xpos, int* object) {
  clear_row(m, t, row);
  if (m->tendon_type[t] != CT_TENDON_FIXED) return spatial_tendon(m, d, t, row, xpos, object);
  fixed_tendon(m, d, t, row);
  return 0;
}

// A tendon that sleeps has neither length nor gradient, as in MuJoCo.
static CT_FN void forget_tendon(const ctModel* m, ctData* d, int t) {
  d->ten_length[t] = 0;
  cti_zero(d->ten_J + m->ten_J_rowadr[t], m->ten_J_rownnz[t]);
}

// All tendons by a team, a lane for each: their points lie apart first, then behind each other.
static CT_FN ctStatus team_tendons(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctReal* rows = CTI_SCRATCH(d, ctReal, (int64_t)CT_TEAM * m->nv, "tendon.rows");
  ctReal* xpos = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nwrap, "tendon.points");
  int* object = CTI_SCRATCH(d, int, 2 * (int64_t)m->nwrap, "tendon.objects");
  if (!rows || !xpos || !object) {
    cti_scratch_release(d, mark);
    cti_team_zero(d->ten_J, (int)m->nJten);
    return CT_STEP_OVERFLOW;
  }
  int npoint = 0, total;
  for (int first = 0; first < m->ntendon; first += CT_TEAM) {
    const int t = first + CT_LANE, at = t < m->ntendon ? 2 * m->tendon_adr[t] : 0;
    int count = 0;
    if (t < m->ntendon)
      count = one_tendon(m, d, t, rows + (int64_t)CT_LANE * m->nv, xpos + 3 * at, object + at);
    const int to = npoint + cti_team_before(count, &total);
    if (t < m->ntendon) {
      d->ten_wrapadr[t] = to;
      d->ten_wrapnum[t] = count;
    }
    for (int k = 0; k < count; k++) {
      cti_copy3(d->wrap_xpos + 3 * (to + k), xpos + 3 * (at + k));
      d->wrap_obj[to + k] = object[at + k];
    }
    npoint += total;
  }
  CT_TEAM_SYNC();
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_FN ctStatus cti_tendons(const ctModel* m, ctData* d) {
  if (m->ntendon == 0) return CT_OK;
  if (CT_TEAM > 1 && !cti_some_asleep(m, d)) return team_tendons(m, d);
  size_t mark = cti_scratch_mark(d);
  ctReal* row = CTI_SCRATCH(d, ctReal, m->nv, "tendon.row");
  if (!row) {
    cti_zero(d->ten_J, m->nJten);
    return CT_STEP_OVERFLOW;
  }
  int npoint = 0;
  const ctiSpans* spans = &cti_awake(d)->tendon;
  const bool whole = cti_whole_arrays(d);
  for (int t = 0, k = 0; t < m->ntendon; t++) {
    while (k < spans->n && t >= spans->at[k].end) k++;
    // the points of one that rests stay where they are, unless those before it are more or fewer than they
    // were
    bool rests = k == spans->n || t < spans->at[k].begin;
    if (rests && whole && cti_tendon_state(m, d, t) == CT_ASLEEP) forget_tendon(m, d, t);
    if (rests && d->ten_wrapadr[t] == npoint) {
      npoint += d->ten_wrapnum[t];
      continue;
    }
    d->ten_wrapadr[t] = npoint;
    d->ten_wrapnum[t] = one_tendon(m, d, t, row, d->wrap_xpos + 3 * npoint, d->wrap_obj + npoint);
    npoint += d->ten_wrapnum[t];
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_FN void cti_tendon_inertia(const ctModel* m, ctData* d) {
  CTI_EACH(t, cti_awake(d)->tendon) {
    ctReal armature = cti_tendon_armature(m, t);
    if (armature == 0) continue;
    const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
    const ctReal* value = d->ten_J + m->ten_J_rowadr[t];
    for (int k = 0; k < m->ten_J_rownnz[t]; k++) {
      if (!d->tree_awake[m->dof_treeid[col[k]]]) continue;  // its row of M has it already
      // both the row of M and the gradient have ascending columns
      const int* to = m->M_colind + m->M_rowadr[col[k]];
      ctReal* row = d->M + m->M_rowadr[col[k]];
      ctReal weight = armature * value[k];
      for (int a = 0, b = 0; a < m->M_rownnz[col[k]] && b <= k;) {
        if (to[a] == col[b]) row[a] += weight * value[b];
        int x = to[a], y = col[b];
        a += x <= y;
        b += y <= x;
      }
    }
  }
}
