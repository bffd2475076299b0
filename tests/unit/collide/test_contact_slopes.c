// How contacts follow their shapes: closed forms against differences of the collider, at random poses.
#include "collide/contact_slopes.h"

#include "shapes.h"

enum { POSES = 4000 };
#define EPS 1e-6

typedef struct Tally {
  int contacts, closed, switching, compared;
  double worst;
} Tally;

// Shape b moved by `step` along motion k about a point.
static xtShape moved(const xtShape* b, const ctReal about[3], int k, double step) {
  xtShape to = *b;
  if (k >= 3) {
    to.pos[k - 3] += (ctReal)step;
    return to;
  }
  ctReal axis[3] = {0, 0, 0}, quat[4], turn[9], arm[3];
  axis[k] = 1;
  cti_quat_axis_angle(quat, axis, (ctReal)step);
  cti_quat_to_mat(turn, quat);
  cti_mul_mat3(to.mat, turn, b->mat);
  cti_sub3(arm, b->pos, about);
  cti_mul_mat_vec3(to.pos, turn, arm);
  cti_add_to3(to.pos, about);
  return to;
}

// Compare one contact, the i-th of `n`, with differences; not where those meet other contacts.
static void compare(Tally* tally, const ctContact* c, const ctiContactSlopes* by, const xtShape* a,
                    const xtShape* b, int i, int n, xtScratch* s) {
  ctiPoint point[2][CTI_MAX_POINTS];
  double worst = 0;
  for (int k = 0; k < 6; k++) {
    ctReal got[7], turn[3], normal[3];
    for (int side = 0; side < 2; side++) {
      xtShape to = moved(b, c->pos, k, side ? EPS : -EPS);
      if (xt_collide(point[side], a, &to, (ctReal)0.01, s) != n) return;
      ctReal far[3];
      cti_sub3(far, point[side][i].pos, c->pos);
      if ((double)cti_norm3(far) > 100 * EPS || cti_dot3(point[side][i].normal, c->frame) < (ctReal)0.999)
        return;
    }
    for (int r = 0; r < 3; r++) {
      got[r] = by->pos[6 * r + k];
      turn[r] = by->turn[6 * r + k];
    }
    cti_cross3(normal, turn, c->frame);
    cti_copy3(got + 3, normal);
    got[6] = by->dist[k];
    for (int r = 0; r < 7; r++) {
      const ctiPoint *high = &point[1][i], *low = &point[0][i];
      ctReal change = r < 3 ? high->pos[r] - low->pos[r]
                            : (r < 6 ? high->normal[r - 3] - low->normal[r - 3] : high->dist - low->dist);
      double slope = (double)change / (2 * EPS), size = fmax(1, fabs(slope));
      worst = fmax(worst, fabs(slope - (double)got[r]) / size);
    }
  }
  tally->compared++;
  tally->worst = fmax(tally->worst, worst);
}

static const char* const names[] = {[CT_GEOM_PLANE] = "plane",
                                    [CT_GEOM_SPHERE] = "sphere",
                                    [CT_GEOM_CAPSULE] = "capsule",
                                    [CT_GEOM_BOX] = "box"};

// Random poses of two shapes, the first of them at rest in the middle.
static Tally try_pair(int first, int second) {
  char xml[512];
  xtRng rng = {(unsigned)(7 + 10 * first + second)};
  Tally tally = {0};
  xtScratch s;
  xtShape a, b;
  ctiContactSlopes by[CTI_MAX_POINTS];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody>%s<geom type='%s' size='.2 .3 .15' margin='.005'/>%s"
           "<body><freejoint/><geom type='%s' size='.1 .25 .15' margin='.005'/></body></worldbody></mujoco>",
           first == CT_GEOM_PLANE ? "" : "<body><freejoint/>", names[first],
           first == CT_GEOM_PLANE ? "" : "</body>", names[second]);
  ctModel* m = xt_load_string(xml);
  ctData* d = xt_data(m);
  xt_scratch_open(&s, 1 << 20);
  for (int pose = 0; pose < POSES; pose++) {
    ctReal* q = d->qpos + m->nq - 7;
    for (int i = 0; i < 3; i++) q[i] = (ctReal)xt_uniform(&rng, -0.35, 0.35);
    xt_random_quat(q + 3, &rng);
    if (first != CT_GEOM_PLANE) xt_random_quat(d->qpos + 3, &rng);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0;
    ct_forward(m, d);
    if (d->ncon == 0) continue;
    for (int k = 0; k < 2; k++) {
      xtShape* to = k ? &b : &a;
      xt_shape_init(to, m->geom_type[k], m->geom_size[3 * k], m->geom_size[3 * k + 1],
                    m->geom_size[3 * k + 2]);
      cti_copy3(to->pos, d->geom_xpos + 3 * k);
      memcpy(to->mat, d->geom_xmat + 9 * k, sizeof(to->mat));
    }
    XT_TRUE(cti_contact_slopes(by, m, d, 0, d->ncon, (ctReal)EPS));
    for (int i = 0; i < d->ncon; i++) {
      tally.contacts++;
      tally.closed += by[i].closed;
      tally.switching += by[i].switches;
      if (by[i].closed) compare(&tally, d->contact + i, by + i, &a, &b, i, d->ncon, &s);
    }
  }
  xt_scratch_close(&s);
  ct_data_free(d);
  ct_model_free(m);
  return tally;
}

// Differences are off by the square of the nudge over that of the distance to a corner, or of the angle
// between axes, at worst a thousandth; and by rounding over the nudge.
#define AGREES 1e-5

static void check_pair(int first, int second) {
  Tally tally = try_pair(first, second);
  print_message("%s %s: %d contacts, %d closed, %d switching, %d compared, worst %.1e\n", names[first],
                names[second], tally.contacts, tally.closed, tally.switching, tally.compared, tally.worst);
  XT_TRUE(tally.contacts > 500);
  XT_TRUE(tally.closed > 0.98 * tally.contacts);
  XT_TRUE(tally.compared > 0.95 * tally.closed);
  XT_TRUE(tally.worst < AGREES);
}

XT_TEST(closed_forms, are_what_differences_of_the_collider_say) {
  if (sizeof(ctReal) < 8) return;  // differences need more digits
  const int kinds[] = {CT_GEOM_PLANE, CT_GEOM_SPHERE, CT_GEOM_CAPSULE, CT_GEOM_BOX};
  for (int i = 0; i < 4; i++) {
    for (int k = i > 0 ? i : 1; k < 4; k++) check_pair(kinds[i], kinds[k]);
  }
}

XT_MAIN()
