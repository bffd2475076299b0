// Physics that needs no reference: conservation, symmetry of directions, closed forms.
#include "xt_model.h"

static void random_state(const ctModel* m, ctData* d, xtRng* rng) {
  ct_data_reset(m, d);
  for (int j = 0; j < m->njnt; j++) {
    ctReal* q = d->qpos + m->jnt_qposadr[j];
    switch (m->jnt_type[j]) {
      case CT_JOINT_FREE:
        xt_random_vec(q, 3, rng);
        xt_random_quat(q + 3, rng);
        break;
      case CT_JOINT_BALL: xt_random_quat(q, rng); break;
      default: q[0] = (ctReal)xt_uniform(rng, -1, 1);
    }
  }
  xt_random_vec(d->qvel, m->nv, rng);
  xt_random_vec(d->ctrl, m->nu, rng);
  xt_random_vec(d->qfrc_applied, m->nv, rng);
  xt_random_vec(d->xfrc_applied + 6, 6 * (m->nbody - 1), rng);
}

static const char* const models[] = {"tests/models/chain.xml", "tests/models/springs.xml",
                                     "tests/models/inertias.xml", "tests/models/simple_bodies.xml"};
#define MODELS ((int)(sizeof(models) / sizeof(models[0])))

// The force that inverse dynamics asks for is the one that forward dynamics was given.
XT_TEST(dynamics, inverse_undoes_forward) {
  xtRng rng = xt_rng(1);
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    ctData* d = xt_data(m);
    for (int s = 0; s < 10; s++) {
      random_state(m, d, &rng);
      xt_poison(m, d);
      XT_INT(ct_forward(m, d), CT_OK);
      ctReal* applied = calloc((size_t)m->nv, sizeof(ctReal));
      double scale = 1;
      for (int k = 0; k < m->nv; k++) {
        applied[k] = d->qfrc_smooth[k] - d->qfrc_passive[k] + d->qfrc_bias[k];
        scale = fmax(scale, fabs((double)d->qfrc_smooth[k]));
      }
      XT_INT(ct_inverse(m, d), CT_OK);
      for (int k = 0; k < m->nv; k++) XT_NEAR(d->qfrc_inverse[k], applied[k], XT_TOL(1e-11, 1e-3) * scale);
      free(applied);
    }
    ct_data_free(d);
    ct_model_free(m);
  }
}

// Seen as a change of velocity over the step, the acceleration asks for the force that the step was given.
XT_TEST(dynamics, discrete_inverse_undoes_a_step) {
  xtRng rng = xt_rng(7);
  const int integrators[] = {CT_INT_EULER, CT_INT_IMPLICIT, CT_INT_IMPLICITFAST, CT_INT_SPRINGDAMPER};
  for (int i = 0; i < MODELS * 4; i++) {
    ctModel* m = xt_load(models[i / 4]);
    m->opt.integrator = integrators[i % 4];
    m->opt.enableflags |= CT_ENBL_INVDISCRETE;
    ctData *d = xt_data(m), *next = xt_data(m);
    random_state(m, d, &rng);
    XT_INT(ct_forward(m, d), CT_OK);
    XT_INT(ct_data_copy(m, d, next), CT_OK);
    XT_INT(ct_step(m, next), CT_OK);
    double scale = 1;
    for (int k = 0; k < m->nv; k++) {
      d->qacc[k] = (next->qvel[k] - d->qvel[k]) / m->opt.timestep;
      scale = fmax(scale, fabs((double)d->qfrc_smooth[k]));
    }
    XT_INT(ct_inverse(m, d), CT_OK);
    for (int k = 0; k < m->nv; k++) {
      double applied = (double)(d->qfrc_smooth[k] - d->qfrc_passive[k] + d->qfrc_bias[k]);
      XT_NEAR(d->qfrc_inverse[k], applied, XT_TOL(1e-10, 2e-2) * scale);
    }
    m->opt.integrator = CT_INT_RK4;
    XT_INT(ct_inverse(m, d), CT_ERR_UNSUPPORTED);
    ct_data_free(next);
    ct_data_free(d);
    ct_model_free(m);
  }
}

// M from composite inertias gives the kinetic energy that the bodies have one by one.
XT_TEST(dynamics, kinetic_energy_is_that_of_the_bodies) {
  xtRng rng = xt_rng(2);
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  for (int k = 0; k < m->nv; k++) m->dof_armature[k] = 0;
  random_state(m, d, &rng);
  ct_forward(m, d);
  ct_energy_compute(m, d);
  double sum = 0;
  for (int i = 1; i < m->nbody; i++) {
    // velocity of the centre of mass, and spin along the principal axes
    const ctReal *w = d->cvel + 6 * i, *v = w + 3, *com = d->subtree_com + 3 * m->body_rootid[i],
                 *x = d->xipos + 3 * i;
    double r[3] = {(double)(x[0] - com[0]), (double)(x[1] - com[1]), (double)(x[2] - com[2])};
    double c[3] = {(double)v[0] + (double)w[1] * r[2] - (double)w[2] * r[1],
                   (double)v[1] + (double)w[2] * r[0] - (double)w[0] * r[2],
                   (double)v[2] + (double)w[0] * r[1] - (double)w[1] * r[0]};
    sum += 0.5 * (double)m->body_mass[i] * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    for (int k = 0; k < 3; k++) {
      const ctReal* R = d->ximat + 9 * i;
      double spin =
          (double)R[k] * (double)w[0] + (double)R[3 + k] * (double)w[1] + (double)R[6 + k] * (double)w[2];
      sum += 0.5 * (double)m->body_inertia[3 * i + k] * spin * spin;
    }
  }
  XT_NEAR(d->energy[1], sum, XT_TOL(1e-12, 1e-4) * sum);
  ct_data_free(d);
  ct_model_free(m);
}

// Without outside forces the momentum of a floating chain stays, and Euler's energy error falls with the
// step.
XT_TEST(dynamics, floating_chain_keeps_its_momentum) {
  ctModel* m = xt_load_string(
      "<mujoco><option gravity='0 0 0' timestep='.0001'/><worldbody><body><freejoint/>"
      "<geom type='box' size='.1 .2 .3' contype='0' conaffinity='0'/><body pos='.3 0 0'><joint axis='0 1 0'/>"
      "<geom type='capsule' size='.05 .2' contype='0' conaffinity='0'/></body></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  xtRng rng = xt_rng(3);
  xt_random_vec(d->qvel, m->nv, &rng);
  ct_forward(m, d);
  ctReal start[3], mass = ct_model_total_mass(m);
  memcpy(start, d->subtree_com, sizeof(start));
  // velocity of the common centre of mass is the linear part of what the root's subtree reports
  double v[3] = {0};
  for (int i = 1; i < m->nbody; i++) {
    for (int k = 0; k < 3; k++) {
      const ctReal *w = d->cvel + 6 * i, *com = d->subtree_com + 3 * m->body_rootid[i], *x = d->xipos + 3 * i;
      int a = (k + 1) % 3, b = (k + 2) % 3;
      v[k] += (double)m->body_mass[i] / (double)mass *
              ((double)w[3 + k] + (double)w[a] * (double)(x[b] - com[b]) -
               (double)w[b] * (double)(x[a] - com[a]));
    }
  }
  ct_step_n(m, d, 5000);
  ct_forward(m, d);
  for (int k = 0; k < 3; k++) XT_NEAR(d->subtree_com[k], (double)start[k] + v[k] * 0.5, XT_TOL(2e-4, 5e-3));
  xt_no_warnings(d);
  ct_data_free(d);
  ct_model_free(m);
}

// A small swing takes 2 pi sqrt(I / (m g l)), a large one longer by the elliptic integral.
XT_TEST(dynamics, pendulum_has_the_period_of_the_elliptic_integral) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  m->opt.timestep = (ctReal)1e-4;
  for (int i = 0; i < 3; i++) {
    double amplitude = 0.2 + 0.8 * i;
    ctData* d = xt_data(m);
    d->qpos[0] = (ctReal)amplitude;
    ct_forward(m, d);
    double inertia = (double)m->dof_M0[0], small = 2 * 3.14159265358979 * sqrt(inertia / (1 * 9.81 * 1));
    // complete elliptic integral by the arithmetic-geometric mean
    double a = 1, g = cos(amplitude / 2);
    for (int k = 0; k < 20; k++) {
      double next = (a + g) / 2;
      g = sqrt(a * g);
      a = next;
    }
    double period = small / a;
    // the quarter swing ends where the angle changes sign
    ctReal before = d->qpos[0];
    while (d->qpos[0] > 0) {
      before = d->qpos[0];
      ct_step(m, d);
    }
    double quarter = (double)d->time - 1e-4 * (double)(-d->qpos[0] / (before - d->qpos[0]));
    XT_NEAR(4 * quarter, period, XT_TOL(1e-4, 2e-3) * period);
    ct_data_free(d);
  }
  ct_model_free(m);
}

// Halving the step halves the error of semi-implicit Euler.
XT_TEST(dynamics, euler_is_of_first_order) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  double end[4];
  for (int i = 0; i < 4; i++) {
    m->opt.timestep = (ctReal)(4e-3 / (1 << i));
    ctData* d = xt_data(m);
    d->qpos[0] = 1;
    ct_step_n(m, d, 100 << i);
    end[i] = (double)d->qpos[0];
    ct_data_free(d);
  }
  // differences of neighbours fall by two
  double ratio = (end[0] - end[1]) / (end[1] - end[2]);
  XT_NEAR(ratio, 2, 0.1);
#ifndef CT_SINGLE
  XT_NEAR((end[1] - end[2]) / (end[2] - end[3]), 2, 0.05);
#endif
  ct_model_free(m);
}

// A torque-free top keeps its angular momentum in the world.
XT_TEST(dynamics, asymmetric_top_keeps_its_angular_momentum) {
  ctModel* m = xt_load_string(
      "<mujoco><option gravity='0 0 0' timestep='.0001'/><worldbody><body><joint type='ball'/>"
      "<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  d->qvel[0] = (ctReal)0.1;
  d->qvel[1] = 3;
  d->qvel[2] = (ctReal)0.2;
  double start[3] = {0}, now[3];
  for (int pass = 0; pass < 2; pass++) {
    ct_forward(m, d);
    for (int r = 0; r < 3; r++) {
      now[r] = 0;
      for (int k = 0; k < 3; k++)
        now[r] += (double)d->xmat[9 + 3 * r + k] * (double)m->body_inertia[3 + k] * (double)d->qvel[k];
      if (pass == 0) start[r] = now[r];
    }
    if (pass == 0) ct_step_n(m, d, 20000);
  }
  double norm = sqrt(start[0] * start[0] + start[1] * start[1] + start[2] * start[2]);
  for (int r = 0; r < 3; r++) XT_NEAR(now[r], start[r], XT_TOL(2e-4, 2e-3) * norm);
  ct_data_free(d);
  ct_model_free(m);
}

// A force at a point does the work of the point's velocity.
XT_TEST(dynamics, applied_force_has_the_power_of_its_point) {
  xtRng rng = xt_rng(5);
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  random_state(m, d, &rng);
  ct_forward(m, d);
  int site = ct_model_name2id(m, CT_OBJ_SITE, "grip"), body = m->site_bodyid[site];
  ctReal force[3], torque[3], qfrc[64] = {0};
  xt_random_vec(force, 3, &rng);
  xt_random_vec(torque, 3, &rng);
  XT_INT(ct_force_apply(m, d, force, torque, d->site_xpos + 3 * site, body, qfrc), CT_OK);
  double power = 0, expected = 0;
  for (int k = 0; k < m->nv; k++) power += (double)qfrc[k] * (double)d->qvel[k];
  const ctReal *w = d->cvel + 6 * body, *com = d->subtree_com + 3 * m->body_rootid[body],
               *x = d->site_xpos + 3 * site;
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    double v =
        (double)w[3 + k] + (double)w[a] * (double)(x[b] - com[b]) - (double)w[b] * (double)(x[a] - com[a]);
    expected += (double)force[k] * v + (double)torque[k] * (double)w[k];
  }
  XT_NEAR(power, expected, XT_TOL(1e-12, 1e-4));
  ct_data_free(d);
  ct_model_free(m);
}

// Two halves make a step.
XT_TEST(dynamics, step_is_step1_then_step2) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData *a = xt_data(m), *b = xt_data(m);
  for (int i = 0; i < 20; i++) {
    ct_step(m, a);
    XT_INT(ct_step1(m, b), CT_OK);
    XT_INT(ct_step2(m, b), CT_OK);
  }
  XT_TRUE(ct_data_compare(m, a, b) == NULL);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_MAIN()
