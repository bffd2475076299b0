// Batched vectors and contacts: the bits of plain loops.
#include "corten/kit.h"

#include "base/fn.h"
#include "xt.h"

XT_TEST(lanes, find_the_same_point_as_a_plain_loop) {
  xtRng rng = xt_rng(5);
  float p[3 * 300];
  for (int round = 0; round < 300; round++) {
    int n = 1 + (int)(xt_bits(&rng) % 300), best = 0;
    // few different values: many ties
    for (int i = 0; i < 3 * n; i++)
      p[i] = round % 2 ? (float)xt_uniform(&rng, -1, 1) : (float)(xt_bits(&rng) % 3) - 1;
    ctReal dir[3], most = 0, found;
    xt_random_vec(dir, 3, &rng);
    for (int i = 0; i < n; i++) {
      ctReal h = (ctReal)p[3 * i] * dir[0] + (ctReal)p[3 * i + 1] * dir[1] + (ctReal)p[3 * i + 2] * dir[2];
      if (i == 0 || h > most) {
        most = h;
        best = i;
      }
    }
    XT_INT(ct_kit_max_dot(p, n, dir, &found), best);
    XT_SAME(&found, &most, 1);
  }
  XT_INT(ct_kit_max_dot(p, 0, NULL, NULL), -1);
}

XT_TEST(lanes, give_the_bits_of_plain_code) {
  xtRng rng = xt_rng(6);
  ctKitVec3x8 a[5], b[5];
  ctKitVec3x4 c[5], d[5];
  ctReal out[40], plain[40];
  xt_random_vec((ctReal*)a, 120, &rng);
  xt_random_vec((ctReal*)b, 120, &rng);
  xt_random_vec((ctReal*)c, 60, &rng);
  xt_random_vec((ctReal*)d, 60, &rng);
  ct_kit_dot8(a, b, 5, out);
  for (int i = 0; i < 40; i++) {
    const ctKitVec3x8 *p = &a[i / 8], *q = &b[i / 8];
    plain[i] = p->x[i % 8] * q->x[i % 8] + p->y[i % 8] * q->y[i % 8] + p->z[i % 8] * q->z[i % 8];
  }
  XT_SAME(out, plain, 40);
  ct_kit_dot4(c, d, 5, out);
  for (int i = 0; i < 20; i++) {
    const ctKitVec3x4 *p = &c[i / 4], *q = &d[i / 4];
    plain[i] = p->x[i % 4] * q->x[i % 4] + p->y[i % 4] * q->y[i % 4] + p->z[i % 4] * q->z[i % 4];
  }
  XT_SAME(out, plain, 20);
}

XT_TEST(lanes, boxes_overlap_when_they_do_in_every_direction) {
  xtRng rng = xt_rng(7);
  for (int n = 0; n < 40; n++) {
    ctReal boxes[6 * 40];
    ctByte out[40];
    const ctReal least[3] = {0, 0, 0}, most[3] = {1, 1, 1};
    for (int i = 0; i < 3 * n; i++) {
      boxes[i] = (ctReal)((double)(xt_bits(&rng) % 9) / 2 - 2);
      boxes[3 * n + i] = boxes[i] + (ctReal)((double)(xt_bits(&rng) % 4) / 2);
    }
    ct_kit_box_overlap(boxes, n, least, most, out);
    for (int i = 0; i < n; i++) {
      int expected = 1;
      for (int k = 0; k < 3; k++) expected &= boxes[k * n + i] <= 1 && boxes[(3 + k) * n + i] >= 0;
      XT_INT(out[i], expected);
    }
  }
}

XT_TEST(lanes, move_points_as_a_plain_loop_does) {
  xtRng rng = xt_rng(8);
  ctKitVec3x8 x[3], v[3], f[3];
  ctReal w[24], pos[72], vel[72];
  const ctReal gravity[3] = {CT_R(0.1), CT_R(-0.2), CT_R(-9.81)}, dt = CT_R(0.002);
  xt_random_vec((ctReal*)x, 72, &rng);
  xt_random_vec((ctReal*)v, 72, &rng);
  xt_random_vec((ctReal*)f, 72, &rng);
  xt_random_vec(w, 24, &rng);
  for (int g = 0; g < 3; g++) {
    for (int i = 0; i < 8; i++) {
      const ctReal force[3] = {f[g].x[i], f[g].y[i], f[g].z[i]};
      ctReal at[3] = {x[g].x[i], x[g].y[i], x[g].z[i]}, speed[3] = {v[g].x[i], v[g].y[i], v[g].z[i]};
      for (int k = 0; k < 3; k++) {
        speed[k] += dt * (force[k] * w[8 * g + i] + gravity[k]);
        at[k] += dt * speed[k];
        pos[24 * g + 8 * k + i] = at[k];
        vel[24 * g + 8 * k + i] = speed[k];
      }
    }
  }
  ct_kit_integrate8(f, w, 3, gravity, dt, v, x);
  XT_SAME((const ctReal*)x, pos, 72);
  XT_SAME((const ctReal*)v, vel, 72);
  ct_kit_integrate8(f, w, 0, gravity, dt, v, x);
  XT_SAME((const ctReal*)x, pos, 72);
}

#define CONTACTS 61

// One at a time and all at once: one contact never fills a register.
XT_TEST(normal_force, has_the_same_bits_for_one_contact_and_for_many) {
  xtRng rng = xt_rng(9);
  const ctReal laws[][5] = {
      {CT_R(0.9), CT_R(0.95), CT_R(0.001), CT_R(0.5), 2}, {CT_R(0.5), CT_R(0.95), CT_R(0.01), CT_R(0.3), 2},
      {CT_R(0.5), CT_R(0.95), CT_R(0.01), CT_R(0.5), 1},  {CT_R(0.5), CT_R(0.95), CT_R(0.01), CT_R(0.4), 3},
      {CT_R(0.9), CT_R(0.9), CT_R(0.001), CT_R(0.5), 2},  {CT_R(0.9), CT_R(0.95), 0, CT_R(0.5), 2}};
  const ctReal references[2][2] = {{CT_R(0.02), 1}, {-1000, -50}};
  for (int l = 0; l < 12; l++) {
    const ctReal *solimp = laws[l / 2], *solref = references[l % 2];
    ctReal distance[CONTACTS], velocity[CONTACTS], free[CONTACTS], mass[CONTACTS], all[CONTACTS],
        alone[CONTACTS];
    int pushing = 0;
    for (int i = 0; i < CONTACTS; i++) {
      // some lie on the edges of the law
      distance[i] = (ctReal)xt_uniform(&rng, -0.02, 0.005);
      if (i % 5 == 0) distance[i] = CT_R(0.002);
      if (i % 7 == 0) distance[i] = CT_R(0.002) - solimp[2];
      if (i % 11 == 0) distance[i] = CT_R(0.002) - solimp[2] * solimp[3];
      velocity[i] = (ctReal)xt_uniform(&rng, -0.1, 0.1);
      free[i] = (ctReal)xt_uniform(&rng, -10, 10);
      mass[i] = (ctReal)xt_uniform(&rng, 0.1, 5);
    }
    XT_INT(ct_kit_normal_force(distance, velocity, free, mass, CONTACTS, solref, solimp, CT_R(0.002),
                               CT_R(0.001), all),
           CT_OK);
    ctKitLimit limit;
    ct_kit_limit_default(&limit);
    limit.lower = 0;
    limit.margin = CT_R(0.002);
    for (int k = 0; k < 2; k++) limit.solref[k] = solref[k];
    for (int k = 0; k < 5; k++) limit.solimp[k] = solimp[k];
    for (int i = 0; i < CONTACTS; i++) {
      ctReal force;
      XT_INT(ct_kit_normal_force(distance + i, velocity + i, free + i, mass + i, 1, solref, solimp,
                                 CT_R(0.002), CT_R(0.001), alone + i),
             CT_OK);
      // a limit says the same, but for the rounding of the inverse
      XT_INT(ct_kit_limit_force(&limit, distance[i], velocity[i], free[i], 1 / mass[i], CT_R(0.001), &force),
             CT_OK);
      XT_NEAR(alone[i], force, XT_TOL(1e-12, 1e-4) * fmax(1, fabs((double)force)));
      pushing += alone[i] > 0;
    }
    XT_SAME(all, alone, CONTACTS);
    XT_TRUE(pushing > 10 && pushing < CONTACTS - 10);
  }
}

XT_TEST(normal_force, of_a_law_that_makes_no_sense_is_refused) {
  const ctReal solref[2] = {CT_R(0.02), 1}, solimp[5] = {CT_R(0.9), CT_R(0.95), CT_R(0.001), CT_R(0.5), 2},
               bad[5] = {CT_R(0.9), (ctReal)NAN, CT_R(0.001), CT_R(0.5), 2}, one[1] = {1};
  ctReal out[1];
  XT_INT(ct_kit_normal_force(one, one, one, one, 1, solref, bad, 0, 0, out), CT_ERR_INVALID);
  XT_INT(ct_kit_normal_force(one, one, one, one, 1, bad, solimp, 0, 0, out), CT_ERR_INVALID);
  XT_INT(ct_kit_normal_force(one, one, one, one, 1, solref, solimp, -1, 0, out), CT_ERR_INVALID);
  XT_INT(ct_kit_normal_force(one, one, one, one, 1, solref, solimp, 0, (ctReal)NAN, out), CT_ERR_INVALID);
  XT_INT(ct_kit_normal_force(one, one, NULL, one, 1, solref, solimp, 0, 0, out), CT_ERR_ARGUMENT);
  XT_INT(ct_kit_normal_force(NULL, NULL, NULL, NULL, 0, solref, solimp, 0, 0, NULL), CT_OK);
}

XT_MAIN()
