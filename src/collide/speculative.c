#include "collide/speculative.h"

#include "collide/broad.h"
#include "collide/element.h"
#include "collide/pairs.h"
#include "data/arena.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/simplex.h"
#include "math/spatial.h"

// The gap that is left where a pair meets, as a share of that at the beginning, and from which on it has met.
#define MEET_TARGET CT_R(0.02)
#define MEET_DONE   CT_R(0.03)
#define MEET_TRIES  100

// Farther apart than anything.
#define MEET_FAR CT_R(1e10)

// ---- motions ----

static CT_FN void body_velocities(ctReal* vel, const ctModel* m, const ctData* d) {
  for (int b = 0; b < m->nbody; b++) {
    ctReal* v = vel + 6 * b;
    for (int i = 0; i < 6; i++) v[i] = b > 0 ? vel[6 * m->body_parentid[b] + i] : 0;
    for (int k = m->body_dofadr[b]; k < m->body_dofadr[b] + m->body_dofnum[b]; k++)
      cti_add_scaled6(v, d->cdof + 6 * k, d->qvel[k]);
  }
}

static CT_FN void geom_sweep(ctiSweep* out, const ctModel* m, const ctData* d, const ctReal* vel, int geom) {
  const int body = m->geom_bodyid[geom];
  const ctReal h = m->opt.timestep, *half = m->geom_aabb + 6 * geom + 3;
  ctReal motion[6];
  cti_motion_shift(motion, vel + 6 * body, d->geom_xpos + 3 * geom,
                   d->subtree_com + 3 * m->body_rootid[body]);
  cti_scale3(out->dw, motion, m->geom_type[geom] == CT_GEOM_SPHERE ? CT_R(0) : h);  // a ball looks the same
  cti_scale3(out->dx, motion + 3, h);
  out->angle = cti_norm3(out->dw);
  out->length = cti_norm3(out->dx) + out->angle * m->geom_rbound[geom];
  ctReal least = half[0] < half[1] ? half[0] : half[1];
  if (half[2] < least) least = half[2];
  out->fast = m->geom_type[geom] != CT_GEOM_PLANE && out->length > 0 && out->length >= least;
}

CT_FN ctiSweep* cti_sweeps(const ctModel* m, ctData* d) {
  ctiSweep* sweep = CTI_SCRATCH(d, ctiSweep, m->ngeom, "collision.sweeps");
  ctReal* vel = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nbody, "collision.velocities");
  if (!sweep || !vel) return (ctiSweep*)0;
  body_velocities(vel, m, d);
  for (int i = 0; i < m->ngeom; i++) geom_sweep(sweep + i, m, d, vel, i);
  return sweep;
}

CT_FN bool cti_sweeps_meet(const ctModel* m, const ctData* d, const ctiSweep* sweep, int geom1, int geom2,
                           ctReal reach) {
  const bool plane1 = m->geom_type[geom1] == CT_GEOM_PLANE, plane2 = m->geom_type[geom2] == CT_GEOM_PLANE;
  ctReal rel[3], move[3];
  cti_sub3(rel, d->geom_xpos + 3 * geom2, d->geom_xpos + 3 * geom1);
  cti_sub3(move, sweep[geom2].dx, sweep[geom1].dx);
  if (plane1 && plane2) return true;
  if (plane1 || plane2) {
    ctReal normal[3], sign = plane1 ? CT_R(1) : CT_R(-1);
    cti_column3(normal, d->geom_xmat + 9 * (plane1 ? geom1 : geom2), 2);
    ctReal height = sign * cti_dot3(rel, normal), end = height + sign * cti_dot3(move, normal);
    return (end < height ? end : height) <= m->geom_rbound[plane1 ? geom2 : geom1] + reach;
  }
  const ctReal far = m->geom_rbound[geom1] + m->geom_rbound[geom2] + reach, move2 = cti_dot3(move, move);
  ctReal t = move2 > 0 ? cti_clamp(-cti_dot3(rel, move) / move2, 0, 1) : 0;
  cti_add_scaled3(rel, move, t);
  return cti_dot3(rel, rel) <= far * far;
}

// ---- conservative advancement ----

// A geom on its way.
typedef struct Mover {
  ctiShape shape;  // where it is now
  ctReal pos[3], mat[9];
  const ctReal *pos0, *mat0;
  const ctiSweep* sweep;
  ctReal rbound;
} Mover;

static CT_FN void mover_init(Mover* v, const ctModel* m, const ctData* d, const ctiSweep* sweep, int geom) {
  v->shape = cti_geom_shape(m, d, geom);
  v->pos0 = v->shape.pos;
  v->mat0 = v->shape.mat;
  v->shape.pos = v->pos;
  v->shape.mat = v->mat;
  v->sweep = sweep + geom;
  v->rbound = m->geom_rbound[geom];
}

static CT_FN void mover_turn(ctReal turn[9], const Mover* v, ctReal t) {
  ctReal axis[3], quat[4];
  cti_copy3(axis, v->sweep->dw);
  ctReal angle = cti_normalize3(axis);
  if (!(angle > 0)) {
    axis[0] = 1;
    axis[1] = axis[2] = 0;
  }
  cti_quat_axis_angle(quat, axis, t * angle);
  cti_quat_to_mat(turn, quat);
}

static CT_FN void mover_place(Mover* v, ctReal t) {
  ctReal turn[9];
  cti_along3(v->pos, v->pos0, v->sweep->dx, t);
  mover_turn(turn, v, t);
  cti_mul_mat3(v->mat, turn, v->mat0);
}

// A point that goes with the geom, back to where it is at the beginning.
static CT_FN void mover_back(ctReal out[3], const Mover* v, const ctReal point[3]) {
  ctReal rel[3], local[3];
  cti_sub3(rel, point, v->pos);
  cti_mul_mat_t_vec3(local, v->mat, rel);
  cti_mul_mat_vec3(out, v->mat0, local);
  cti_add_to3(out, v->pos0);
}

// How far a point of it, relative to `origin`, would go along `normal`.
static CT_FN ctReal mover_speed(const Mover* v, const ctReal point[3], const ctReal origin[3],
                                const ctReal normal[3]) {
  ctReal rel[3], turn[3];
  cti_add3(rel, point, origin);
  cti_sub3(rel, rel, v->pos);
  cti_cross3(turn, v->sweep->dw, rel);
  cti_add_to3(turn, v->sweep->dx);
  return cti_dot3(turn, normal);
}

// Two geoms at one time.
typedef struct Meeting {
  Mover a, b;
  ctiConvex p, q;
  ctiCcd ccd;  // relative to the centre of the first
  ctReal dist, normal[3];
} Meeting;

static CT_FN bool meeting_look(Meeting* w, ctReal t, ctData* d) {
  const ctModel* m = w->a.shape.m;
  mover_place(&w->a, t);
  mover_place(&w->b, t);
  cti_convex_init(&w->q, &w->b.shape, w->a.pos);
  if (w->a.shape.type == CT_GEOM_PLANE) {
    ctReal down[3], low[3];
    cti_column3(w->normal, w->a.mat, 2);
    cti_scale3(down, w->normal, -1);
    cti_support(low, &w->q, down);
    cti_add_scaled3(low, down, w->q.radius);
    w->dist = cti_dot3(low, w->normal);
    cti_copy3(w->ccd.b, low);
    cti_along3(w->ccd.a, low, w->normal, -w->dist);
    return true;
  }
  cti_convex_init(&w->p, &w->a.shape, w->a.pos);
  if (!cti_ccd_distance(&w->ccd, &w->p, &w->q, MEET_FAR, m->opt.ccd_tolerance, m->opt.ccd_iterations, d))
    return false;
  w->dist = w->ccd.dist;
  cti_copy3(w->normal, w->ccd.normal);
  return true;
}

// When do they meet? Steps that are never too long; false when not in this step.
static CT_FN bool meeting_time(Meeting* w, ctReal* time, ctReal* start, ctReal margin, ctData* d) {
  const ctiSweep *s1 = w->a.sweep, *s2 = w->b.sweep;
  ctReal t = 0, gap0 = 0, rel[3];
  cti_sub3(rel, s1->dx, s2->dx);
  for (int i = 0; i < MEET_TRIES; i++) {
    if (!meeting_look(w, t, d)) return false;
    const ctReal gap = w->dist - margin;
    if (i == 0) {
      gap0 = gap;
      *start = w->dist;
      if (!(gap0 > 0)) return false;
    }
    if (i > 0 && gap <= MEET_DONE * gap0) {
      *time = t;
      return true;
    }
    const ctReal closing = cti_dot3(w->normal, rel) + s1->angle * w->a.rbound + s2->angle * w->b.rbound;
    if (!(closing > 0)) return false;
    t += (gap - MEET_TARGET * gap0) / closing;
    if (!(t < 1)) return false;
  }
  return false;
}

// ---- points ----

static CT_FN bool may_hide(const ctModel* m, int geom, int other) {
  const int body = m->geom_bodyid[other];
  if (m->geom_bodyid[geom] == body && m->body_weldid[body] != 0) return false;
  return cti_masks_match(m->geom_contype[geom], m->geom_conaffinity[geom], m->geom_contype[other],
                         m->geom_conaffinity[other]);
}

// Does a geom meet the segment between two points?
static CT_FN bool geom_meets_segment(const ctModel* m, ctData* d, int geom, const ctReal from[3],
                                     const ctReal to[3]) {
  ctiShape shape = cti_geom_shape(m, d, geom);
  if (shape.type == CT_GEOM_PLANE) {
    ctReal normal[3], rel[3];
    cti_column3(normal, shape.mat, 2);
    cti_sub3(rel, from, shape.pos);
    const ctReal height = cti_dot3(rel, normal);
    cti_sub3(rel, to, shape.pos);
    return (height > 0) != (cti_dot3(rel, normal) > 0);
  }
  // off its bounding sphere it does not
  ctReal at[3], rel[3];
  const ctReal t = cti_segment_nearest(from, to, shape.pos), radius = m->geom_rbound[geom];
  for (int i = 0; i < 3; i++) at[i] = from[i] + t * (to[i] - from[i]);
  cti_sub3(rel, at, shape.pos);
  if (cti_dot3(rel, rel) > radius * radius) return false;
  ctiFlexElement segment;
  segment.dim = 1;
  segment.radius = 0;
  segment.at[0] = segment.at[2] = segment.at[3] = from;
  segment.at[1] = to;
  if (shape.type == CT_GEOM_HFIELD) {
    size_t mark = cti_scratch_mark(d);
    ctiPoint* point = CTI_SCRATCH(d, ctiPoint, CTI_MAX_POINTS, "collision.hidden");
    const bool meets = point && cti_hfield_element(point, &shape, &segment, 0, d) > 0;
    cti_scratch_release(d, mark);
    return meets;
  }
  ctiConvex p, q;
  ctiCcd ccd;
  cti_convex_init(&p, &shape, shape.pos);
  cti_convex_element(&q, &segment, shape.pos);
  return cti_ccd_cores(&ccd, &p, &q, 0, m->opt.ccd_tolerance, m->opt.ccd_iterations, d);
}

// Is something else in the way from one point to another, that would touch both?
static CT_FN bool meeting_hidden(const ctModel* m, ctData* d, int geom1, int geom2, const ctReal from[3],
                                 const ctReal to[3]) {
  for (int g = 0; g < m->ngeom; g++) {
    if (g == geom1 || g == geom2 || !may_hide(m, g, geom1) || !may_hide(m, g, geom2)) continue;
    if (geom_meets_segment(m, d, g, from, to)) return true;
  }
  return false;
}

// The distance for which the row stops the pair where it meets: (1 - t) of the closing speed shall go.
static CT_FN ctReal meeting_distance(const ctModel* m, const ctiPairing* pairing, ctReal t, ctReal approach) {
  const ctReal h = m->opt.timestep, *ref = pairing->solref;
  ctReal stiff, damp;
  const bool standard = ref[0] > 0;
  if (standard) {
    ctReal time = ref[0];
    if (!(m->opt.disableflags & CT_DSBL_REFSAFE) && time < 2 * h) time = 2 * h;
    damp = 2 * h / time;
    stiff = h * h / (time * time * ref[1] * ref[1]);
  } else {
    damp = -h * ref[1];
    stiff = -h * h * ref[0];
  }
  if (!(stiff > 0)) return pairing->margin - pairing->solimp[2];
  const ctReal shift = m->opt.integrator == CT_INT_DISCRETE ? t * (damp + stiff) : damp;
  return pairing->margin - (1 - t - shift) / stiff * approach;
}

CT_KERNEL_NOINLINE int cti_speculate(ctiPoint* out, const ctModel* m, ctData* d, const ctiSweep* sweep,
                                     const ctiPairing* pairing) {
  const int geom1 = pairing->geom[0], geom2 = pairing->geom[1];
  Meeting w;
  ctReal t, start, at[4][3];
  mover_init(&w.a, m, d, sweep, geom1);
  mover_init(&w.b, m, d, sweep, geom2);
  if (!meeting_time(&w, &t, &start, pairing->margin, d)) return 0;
  // the gap closes as fast as it did until they meet, or as the points do that meet
  const ctReal mean = (start - w.dist) / t, last = mover_speed(&w.a, w.ccd.a, w.a.pos, w.normal) -
                                                   mover_speed(&w.b, w.ccd.b, w.a.pos, w.normal);
  const ctReal closing = cti_max(mean, last), dist = meeting_distance(m, pairing, t, closing);
  // the rest of the gap must close within the step, too
  if (w.dist - pairing->margin > (1 - t) * closing) return 0;
  // other points count where they come as near within the step
  const ctReal reach = 2 * w.dist + (1 - t) * closing;
  const ctReal total = w.a.sweep->length + w.b.sweep->length, share = w.a.sweep->length / total;

  // points of both surfaces where they meet, relative to the centre of the first
  int n = 0;
  const bool plane = w.a.shape.type == CT_GEOM_PLANE;
  if (plane) {
    ctReal down[3];
    cti_scale3(down, w.normal, -1);
    n = cti_facing_corners(at, &w.b.shape, &w.q, down, w.ccd.b, reach, d);
    for (int i = 0; i < n; i++) {
      cti_copy3(out[i].pos, at[i]);
      out[i].dist = cti_dot3(at[i], w.normal);
      cti_copy3(out[i].normal, w.normal);
    }
  } else {
    n = cti_convex_pair(out, &w.a.shape, &w.b.shape, reach, d);
    for (int i = 0; i < n; i++) cti_sub3(out[i].pos, out[i].pos, w.a.pos);
  }
  const bool several = n > 0;
  if (!several) n = 1;
  int kept = 0;
  for (int i = 0; i < n; i++) {
    ctReal x1[3], x2[3], normal[3];
    if (!several) {
      cti_copy3(x1, w.ccd.a);
      cti_copy3(x2, w.ccd.b);
      cti_copy3(normal, w.normal);
    } else if (plane) {
      cti_copy3(x2, out[i].pos);
      cti_along3(x1, out[i].pos, out[i].normal, -out[i].dist);
      cti_copy3(normal, out[i].normal);
    } else {
      cti_along3(x1, out[i].pos, w.normal, CT_R(-0.5) * out[i].dist);
      cti_along3(x2, out[i].pos, w.normal, CT_R(0.5) * out[i].dist);
      cti_copy3(normal, w.normal);
    }
    cti_add_to3(x1, w.a.pos);
    cti_add_to3(x2, w.a.pos);
    mover_back(x1, &w.a, x1);
    mover_back(x2, &w.b, x2);
    if (meeting_hidden(m, d, geom1, geom2, x1, x2)) continue;
    ctiPoint* to = out + kept++;
    for (int k = 0; k < 3; k++) to->pos[k] = share * x1[k] + (1 - share) * x2[k];
    cti_copy3(to->normal, normal);
    to->dist = dist;
    cti_zero3(to->tangent);
  }
  return kept;
}
