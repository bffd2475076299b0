// Products with the Jacobian of the rows.
#include "stage/constraint/constraint.h"

#include "math/dense.h"
#include "xt_model.h"

#define ROWS 60
#define DOFS 10

// Equalities, friction of some dofs and of a tendon, limits.
static const char* mixed =
    "<mujoco><option jacobian='%s'/><worldbody>"
    "<body><joint name='a' axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='.2 0 0'/>"
    "<body pos='.4 0 0'><joint name='b' axis='0 1 0' limited='true' range='50 90'/>"
    "<joint name='c' axis='0 0 1' frictionloss='.2'/><geom size='.1' pos='.2 0 0'/>"
    "<body name='end' pos='.4 0 0'><joint name='d' axis='0 1 0' frictionloss='.3'/><geom size='.1' pos='.2 0 "
    "0'/>"
    "</body></body></body><geom type='plane' size='1 1 .1' pos='0 0 -.09'/>"
    "<body name='foot' pos='2 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
    "<tendon><fixed name='t' frictionloss='.1'><joint joint='a' coef='2'/><joint joint='d' "
    "coef='-1'/></fixed>"
    "</tendon><equality><joint joint1='b' joint2='d' polycoef='0 .5 0 0 0'/>"
    "<joint joint1='a' joint2='c' polycoef='.1 .2 0 0 0'/><joint joint1='d' joint2='a' polycoef='.3 1 0 0 "
    "0'/>"
    "<connect body1='end' body2='foot' anchor='.1 .2 .3'/></equality></mujoco>";

static void expect_plain_products(ctModel* m, ctData* d, xtRng* rng) {
  ctReal dense[ROWS * DOFS], v[ROWS], expected[ROWS], found[ROWS];
  for (int i = 0; i < d->nefc; i++) {
    for (int k = 0; k < m->nv; k++) dense[i * m->nv + k] = cti_is_sparse(m) ? 0 : d->efc_J[i * m->nv + k];
    for (int k = 0; cti_is_sparse(m) && k < d->efc_J_rownnz[i]; k++)
      dense[i * m->nv + d->efc_J_colind[d->efc_J_rowadr[i] + k]] = d->efc_J[d->efc_J_rowadr[i] + k];
  }
  xt_random_vec(v, ROWS, rng);
  cti_mul_mat_vec(expected, dense, v, d->nefc, m->nv);
  cti_mul_J(m, d, found, v);
  if (cti_is_sparse(m)) {
    XT_CLOSE(found, expected, d->nefc, XT_TOL(1e-14, 1e-6), "J v");
  } else {
    XT_SAME(found, expected, d->nefc);
  }
  cti_mul_mat_t_vec(expected, dense, v, d->nefc, m->nv);
  cti_mul_JT(m, d, found, v);
  XT_SAME(found, expected, m->nv);
}

XT_TEST(rows, products_are_those_of_the_whole_matrix) {
  xtRng rng = xt_rng(1);
  const char* kind[2] = {"dense", "sparse"};
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof(text), mixed, kind[k]);
    ctModel* m = xt_load_string(text);
    ctData* d = xt_data(m);
    XT_INT(ct_forward(m, d), CT_OK);
    XT_INT(d->ne, 6);
    XT_INT(d->nf, 4);
    XT_TRUE(d->nefc >= d->ne + d->nf + 5);
    expect_plain_products(m, d, &rng);
    ct_data_free(d);
    ct_model_free(m);
  }
}

XT_TEST(rows, those_of_the_friction_of_dofs_have_a_single_one) {
  char text[2000];
  snprintf(text, sizeof(text), mixed, "dense");
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  const ctiUnitRows units = cti_unit_rows(d->efc_type, d->efc_id, d->ne, d->nf);
  XT_INT(units.first, d->ne);
  XT_INT(units.n, 3);
  for (int i = 0; i < units.n; i++) {
    for (int k = 0; k < m->nv; k++)
      XT_NEAR(d->efc_J[(units.first + i) * m->nv + k], k == units.col[i] ? 1 : 0, 0);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
