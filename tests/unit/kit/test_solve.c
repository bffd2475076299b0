// Conjugate gradients and batched vectors of the kit.
#include "corten/kit.h"

#include "base/fn.h"
#include "xt.h"

enum { N = 48 };

// Blocks of different scale, loosely coupled, as the rows of several constraints are.
static void make_matrix(ctReal* a, xtRng* rng, double couple) {
  for (int i = 0; i < N * N; i++) a[i] = 0;
  for (int k = 0; k < 3 * N; k++) {
    double v[N];
    for (int i = 0; i < N; i++) {
      double scale = pow(10, (i / 3 % 4) - 2.0);
      v[i] = scale * (i / 3 == k % (N / 3) ? xt_uniform(rng, -1, 1) : couple * xt_uniform(rng, -1, 1));
    }
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) a[N * i + j] += (ctReal)(v[i] * v[j]);
    }
  }
}

XT_TEST(cg, solves_and_blocks_save_iterations) {
  XT_UNUSED;
  xtRng rng = xt_rng(3);
  static ctReal a[N * N], work[N * N + 4 * N];
  int three[N / 3], one[N];
  for (int i = 0; i < N; i++) one[i] = 1;
  for (int i = 0; i < N / 3; i++) three[i] = 3;
  make_matrix(a, &rng, 0.02);
  ctReal b[N], x[N] = {0}, y[N] = {0};
  xt_random_vec(b, N, &rng);
  ctKitCgStats with, without;
  XT_INT(ct_kit_cg_work(N, three, N / 3), 3 * N + 4 * N);
  XT_INT(ct_kit_cg_solve(a, b, N, three, N / 3, XT_TOL(1e-10, CT_R(1e-4)), 500, x, work, &with), CT_OK);
  XT_INT(ct_kit_cg_solve(a, b, N, one, N, XT_TOL(1e-10, CT_R(1e-4)), 500, y, work, &without), CT_OK);
  XT_INT(with.converged, 1);
  XT_INT(with.repaired, 0);
  XT_TRUE(with.iterations < without.iterations);
  XT_TRUE(with.most_rate >= with.least_rate && with.least_rate > 0);
  double norm = 0, wrong = 0;
  for (int i = 0; i < N; i++) {
    double r = -(double)b[i];
    for (int j = 0; j < N; j++) r += (double)a[N * i + j] * (double)x[j];
    wrong += r * r;
    norm += (double)(b[i] * b[i]);
  }
  XT_TRUE(sqrt(wrong / norm) <= XT_TOL(3e-10, 1e-3));
}

XT_TEST(cg, with_one_block_needs_one_iteration) {
  XT_UNUSED;
  xtRng rng = xt_rng(4);
  static ctReal a[N * N], work[N * N + 4 * N];
  const int whole = N;
  make_matrix(a, &rng, 0.3);
  ctReal b[N], x[N] = {0};
  xt_random_vec(b, N, &rng);
  ctKitCgStats stats;
  XT_INT(ct_kit_cg_solve(a, b, N, &whole, 1, XT_TOL(1e-9, CT_R(1e-2)), 10, x, work, &stats), CT_OK);
  XT_TRUE(stats.iterations <= 2);
  XT_INT(stats.converged, 1);
}

XT_TEST(cg, refuses_what_is_not_positive_definite) {
  XT_UNUSED;
  const ctReal a[4] = {1, 2, 2, 1}, b[2] = {1, -1}, nan[4] = {1, 0, 0, (ctReal)NAN};
  ctReal x[2] = {0, 0}, work[12];
  const int one[2] = {1, 1};
  ctKitCgStats stats;
  XT_INT(ct_kit_cg_solve(a, b, 2, one, 2, CT_R(1e-6), 10, x, work, &stats), CT_ERR_INVALID);
  XT_INT(ct_kit_cg_solve(nan, b, 2, one, 2, CT_R(1e-6), 10, x, work, &stats), CT_ERR_INVALID);
  XT_INT(ct_kit_cg_solve(a, b, 2, one, 1, CT_R(1e-6), 10, x, work, &stats), CT_ERR_ARGUMENT);
  XT_INT(ct_kit_cg_work(3, one, 2), -1);
}

XT_TEST(lanes, find_the_same_point_as_a_plain_loop) {
  XT_UNUSED;
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
  XT_UNUSED;
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
  XT_UNUSED;
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

XT_MAIN(XT_CASE(cg, solves_and_blocks_save_iterations), XT_CASE(cg, with_one_block_needs_one_iteration),
        XT_CASE(cg, refuses_what_is_not_positive_definite),
        XT_CASE(lanes, find_the_same_point_as_a_plain_loop), XT_CASE(lanes, give_the_bits_of_plain_code),
        XT_CASE(lanes, boxes_overlap_when_they_do_in_every_direction))
