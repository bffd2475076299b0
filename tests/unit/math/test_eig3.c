#include "math/eig3.h"

#include "xt.h"

#define TOL CT_R(XT_TOL(1e-13, 1e-4))  // about ten rotations, each a few roundings

static int eig(ctReal ev[3], ctReal mat[9], ctReal quat[4], const ctReal a[9]) {
  return cti_eig3(ev, mat, quat, a, CTI_EIG_TOL, CTI_EIG_SORT);
}

// Random rotation times the given eigenvalues.
static void compose(ctReal a[9], const ctReal ev[3], xtRng* rng) {
  ctReal q[4], r[9], t[9];
  xt_random_quat(q, rng);
  cti_quat_to_mat(r, q);
  for (int i = 0; i < 9; i++) t[i] = r[i] * ev[i % 3];
  cti_mul_mat_mat_t3(a, t, r);
  a[3] = a[1];
  a[6] = a[2];
  a[7] = a[5];
}

static ctReal largest(const ctReal a[9]) {
  ctReal s = 0;
  for (int i = 0; i < 9; i++) s = cti_max(s, cti_abs(a[i]));
  return s;
}

// Everything that must hold for any symmetric matrix.
static void check(const ctReal a[9]) {
  ctReal ev[3], r[9], q[4], t[9], back[9], from_quat[9];
  ctReal s = largest(a) > 0 ? largest(a) : 1;
  eig(ev, r, q, a);
  XT_TRUE(ev[0] >= ev[1] - TOL * s && ev[1] >= ev[2] - TOL * s);
  XT_NEAR(cti_norm4(q), 1, TOL);
  cti_quat_to_mat(from_quat, q);
  XT_SAME(from_quat, r, 9);
  for (int i = 0; i < 9; i++) t[i] = r[i] * (ev[i % 3] / s);
  cti_mul_mat_mat_t3(back, t, r);
  for (int i = 0; i < 9; i++) XT_NEAR(back[i], a[i] / s, TOL);
}

XT_TEST(eig3, random_matrices_are_diagonalised) {
  xtRng rng = xt_rng(1);
  for (int i = 0; i < 1000; i++) {
    ctReal a[9], ev[3];
    xt_random_vec(ev, 3, &rng);
    compose(a, ev, &rng);
    check(a);
  }
}

XT_TEST(eig3, scale_does_not_matter) {
  xtRng rng = xt_rng(2);
  for (int i = 0; i < 200; i++) {
    ctReal a[9], ev[3];
    xt_random_vec(ev, 3, &rng);
    cti_scale3(ev, ev, i % 2 ? CT_R(1e-12) : CT_R(1e12));
    compose(a, ev, &rng);
    check(a);
  }
}

XT_TEST(eig3, equal_and_distant_eigenvalues_are_diagonalised) {
  xtRng rng = xt_rng(3);
  for (int i = 0; i < 300; i++) {
    ctReal a[9], twin[3] = {2, 2, 1}, twin_low[3] = {3, 1, 1}, far[3] = {CT_R(1e6), 1, CT_R(1e-6)};
    compose(a, i % 3 == 0 ? twin : i % 3 == 1 ? twin_low : far, &rng);
    check(a);
  }
}

XT_TEST(eig3, sorted_diagonal_matrix_keeps_the_identity) {
  ctReal a[9] = {3, 0, 0, 0, 2, 0, 0, 0, 1}, ev[3], r[9], q[4], unit[4] = {1, 0, 0, 0};
  XT_INT(eig(ev, r, q, a), 0);
  XT_SAME(q, unit, 4);
  ctReal zero[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  XT_INT(eig(ev, r, q, zero), 0);
  XT_SAME(q, unit, 4);
}

XT_TEST(eig3, gaps_below_the_sorting_tolerance_are_left) {
  ctReal a[9] = {1, 0, 0, 0, CT_R(1.00001), 0, 0, 0, 1}, q[4], unit[4] = {1, 0, 0, 0};
  cti_eig3(NULL, NULL, q, a, CTI_EIG_MESH_TOL, CT_R(1e-3));
  XT_SAME(q, unit, 4);
  cti_eig3(NULL, NULL, q, a, CTI_EIG_MESH_TOL, CT_R(1e-6));
  XT_TRUE(q[0] < CT_R(0.8));
}

// Order and signs of MuJoCo 4.0 (mju_eig3).
typedef struct Reference {
  double a[9], ev[3], quat[4];
} Reference;

static const Reference references[] = {
    {{1, 0, 0, 0, 2, 0, 0, 0, 3}, {3, 2, 1}, {0, 0.707106781186548, 0, 0.707106781186548}},
    {{2, 1, 0, 1, 3, 0.5, 0, 0.5, 1},
     {3.686140661634508, 1.5, 0.8138593383654931},
     {0.838304573899192, 0.221565732389239, 0.03700792633513415, 0.4967740744029311}},
    {{1, 0.2, -0.3, 0.2, 1, 0.1, -0.3, 0.1, 1},
     {1.3201911776678725, 1.0911178807646258, 0.5886909415675057},
     {0.8914091455573626, 0.27735189331542887, 0.3558795801408629, 0.04260735769563106}},
    {{5e-7, 1e-7, 0, 1e-7, 2e-7, -1e-7, 0, -1e-7, 4e-7},
     {5.377202853972956e-07, 4.2738905549642164e-07, 1.3489065910628243e-07},
     {0.5736365503415072, 0.7900138942735259, 0.21637734393201868, 0}},
};

XT_TEST(eig3, order_and_signs_match_the_reference) {
  for (int i = 0; i < (int)(sizeof(references) / sizeof(references[0])); i++) {
    const Reference* ref = &references[i];
    ctReal a[9], ev[3], r[9], q[4];
    for (int k = 0; k < 9; k++) a[k] = (ctReal)ref->a[k];
    eig(ev, r, q, a);
    XT_CLOSE(q, ref->quat, 4, XT_TOL(1e-14, 1e-4), "quat");
    for (int k = 0; k < 3; k++) XT_NEAR(ev[k], ref->ev[k], XT_TOL(1e-15, 1e-6) * 4 * ref->ev[0]);
  }
}

XT_MAIN()
