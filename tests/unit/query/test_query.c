// Questions about a state: Jacobians beside finite differences, products with the mass matrix, bad arguments.
#include "xt_model.h"

#define MODEL  "tests/models/chain.xml"
#define MAX_NV 32

// A state that is not special, with positions and velocities.
static ctData* moving(const ctModel* m) {
  ctData* d = xt_data(m);
  xtRng rng = xt_rng(3);
  ctReal vel[MAX_NV];
  xt_random_vec(vel, m->nv, &rng);
  XT_INT(ct_pos_integrate(m, vel, (ctReal)0.5, d->qpos), CT_OK);
  xt_random_vec(d->qvel, m->nv, &rng);
  XT_INT(ct_forward(m, d), CT_OK);
  return d;
}

// The same state with one dof moved.
static ctData* pushed(const ctModel* m, const ctData* d, int dof, double step) {
  ctData* e = xt_data(m);
  ctReal vel[MAX_NV] = {0};
  vel[dof] = 1;
  memcpy(e->qpos, d->qpos, sizeof(ctReal) * (size_t)m->nq);
  XT_INT(ct_pos_integrate(m, vel, (ctReal)step, e->qpos), CT_OK);
  XT_INT(ct_forward_position(m, e), CT_OK);
  return e;
}

XT_TEST(jacobian, is_the_derivative_of_positions) {
  ctModel* m = xt_load(MODEL);
  ctData* d = moving(m);
  const double h = XT_TOL(1e-6, 1e-2), tol = XT_TOL(1e-6, 2e-3);
  for (int body = 0; body < m->nbody; body++) {
    ctReal jac[3 * MAX_NV], com[3 * MAX_NV], tree[3 * MAX_NV];
    XT_INT(ct_jac_object(m, d, CT_OBJ_XBODY, body, jac, NULL), CT_OK);
    XT_INT(ct_jac_object(m, d, CT_OBJ_BODY, body, com, NULL), CT_OK);
    XT_INT(ct_jac_subtree(m, d, body, tree), CT_OK);
    for (int dof = 0; dof < m->nv; dof++) {
      ctData *a = pushed(m, d, dof, h), *b = pushed(m, d, dof, -h);
      for (int k = 0; k < 3; k++) {
        int i = 3 * body + k, at = k * m->nv + dof;
        XT_NEAR(jac[at], (double)(a->xpos[i] - b->xpos[i]) / (2 * h), tol);
        XT_NEAR(com[at], (double)(a->xipos[i] - b->xipos[i]) / (2 * h), tol);
        XT_NEAR(tree[at], (double)(a->subtree_com[i] - b->subtree_com[i]) / (2 * h), tol);
      }
      ct_data_free(a);
      ct_data_free(b);
    }
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(jacobian, times_velocity_is_the_velocity_of_the_object) {
  ctModel* m = xt_load(MODEL);
  ctData* d = moving(m);
  for (int body = 0; body < m->nbody; body++) {
    ctReal jacp[3 * MAX_NV], jacr[3 * MAX_NV], vel[6];
    XT_INT(ct_jac_object(m, d, CT_OBJ_BODY, body, jacp, jacr), CT_OK);
    XT_INT(ct_object_velocity(m, d, CT_OBJ_BODY, body, false, vel), CT_OK);
    for (int k = 0; k < 3; k++) {
      double w = 0, v = 0;
      for (int i = 0; i < m->nv; i++) {
        w += (double)(jacr[k * m->nv + i] * d->qvel[i]);
        v += (double)(jacp[k * m->nv + i] * d->qvel[i]);
      }
      XT_NEAR(vel[k], w, XT_TOL(1e-12, 1e-4));
      XT_NEAR(vel[3 + k], v, XT_TOL(1e-12, 1e-4));
    }
  }
  ct_data_free(d);
  ct_model_free(m);
}

// What springs and gravity pull with is the slope of the potential energy.
XT_TEST(energy, falls_along_the_forces_of_springs_and_gravity) {
  const double e = XT_TOL(1e-5, 1e-2);
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><site name='w' pos='.2 .3 -.4'/><body><joint name='a' axis='0 1 0' stiffness='3 1 "
      "2'/>"
      "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.04'/><body pos='.5 0 0'><joint name='b' type='ball' "
      "stiffness='2'/><geom type='box' size='.2 .03 .1' pos='.2 0 0'/><site name='s' pos='.4 0 "
      ".1'/></body></body>"
      "<body pos='2 0 0'><freejoint/><geom size='.1'/></body></worldbody><tendon><spatial stiffness='7' "
      "springlength='.1 .2'><site site='s'/><site site='w'/></spatial><fixed stiffness='5 2 1' "
      "springlength='.3'>"
      "<joint joint='a' coef='2'/></fixed></tendon></mujoco>");
  ctData* d = moving(m);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0;  // the bias force is gravity's
  XT_INT(ct_forward(m, d), CT_OK);
  for (int i = 0; i < m->nv; i++) {
    ctData *ahead = pushed(m, d, i, e), *behind = pushed(m, d, i, -e);
    XT_INT(ct_energy_compute(m, ahead), CT_OK);
    XT_INT(ct_energy_compute(m, behind), CT_OK);
    double slope = ((double)ahead->energy[0] - (double)behind->energy[0]) / (2 * e);
    XT_NEAR(d->qfrc_spring[i] - d->qfrc_bias[i], -slope, XT_TOL(1e-8, 2e-2) * fmax(1, fabs(slope)));
    ct_data_free(behind);
    ct_data_free(ahead);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(mass, halves_multiply_to_the_whole) {
  ctModel* m = xt_load(MODEL);
  ctData* d = moving(m);
  ctReal v[MAX_NV], a[MAX_NV], b[MAX_NV];
  xtRng rng = xt_rng(4);
  xt_random_vec(v, m->nv, &rng);
  double whole = 0, half = 0;
  XT_INT(ct_mass_mul(m, d, v, a), CT_OK);
  XT_INT(ct_mass_mul_half(m, d, v, b), CT_OK);
  for (int i = 0; i < m->nv; i++) {
    whole += (double)(v[i] * a[i]);
    half += (double)(b[i] * b[i]);
  }
  XT_NEAR(half / whole, 1, XT_TOL(1e-12, 1e-4));
  // in place, and back again
  XT_INT(ct_mass_solve(m, d, a, a), CT_OK);
  XT_CLOSE(a, v, m->nv, XT_TOL(1e-9, 1e-2), "M^-1 M v");
  XT_INT(ct_mass_mul(m, d, v, v), CT_ERR_ARGUMENT);
  ctReal sum = 0;
  for (int i = 0; i < m->nbody; i++) sum += m->body_mass[i];
  XT_NEAR(ct_model_total_mass(m), sum, 0);
  XT_INT(ct_model_set_total_mass(m, 5), CT_OK);
  XT_NEAR(ct_model_total_mass(m), 5, XT_TOL(1e-12, 1e-5));
  XT_INT(ct_model_set_total_mass(m, (ctReal)NAN), CT_ERR_ARGUMENT);
  ct_data_free(d);
  ct_model_free(m);
}

// An edit of a body's mass counts at once: the masses of subtrees, which follow later, are not asked.
XT_TEST(mass, total_follows_an_edit) {
  ctModel* m = xt_load(MODEL);
  ctReal before = ct_model_total_mass(m);
  m->body_mass[1] += 10;
  XT_NEAR(ct_model_total_mass(m), (double)before + 10, XT_TOL(1e-12, 1e-5));
  XT_INT(ct_model_set_total_mass(m, 90), CT_OK);
  XT_NEAR(ct_model_total_mass(m), 90, XT_TOL(1e-10, 1e-4));
  XT_NEAR(m->body_subtreemass[0], 90, XT_TOL(1e-10, 1e-4));
  ctReal mass = m->body_mass[1];
  m->body_mass[1] = (ctReal)INFINITY;
  XT_INT(ct_model_set_total_mass(m, 90), CT_ERR_ARGUMENT);
  m->body_mass[1] = mass;
  // one rule for the rest: ct_model_update
  XT_INT(ct_model_update(m, NULL), CT_OK);
  XT_NEAR(m->body_subtreemass[0], ct_model_total_mass(m), XT_TOL(1e-10, 1e-4));
  ct_model_free(m);
}

XT_TEST(query, refuses_what_is_not_there) {
  ctModel* m = xt_load(MODEL);
  ctData* d = moving(m);
  ctReal out[3 * MAX_NV], point[3] = {0, 0, 0};
  out[0] = 42;
  const int ids[] = {-1, m->nbody, 1 << 30};
  for (int i = 0; i < 3; i++) {
    XT_INT(ct_jac_point(m, d, point, ids[i], out, NULL), CT_ERR_ARGUMENT);
    XT_INT(ct_jac_object(m, d, CT_OBJ_BODY, ids[i], out, NULL), CT_ERR_ARGUMENT);
    XT_INT(ct_jac_subtree(m, d, ids[i], out), CT_ERR_ARGUMENT);
    XT_INT(ct_jac_angular_momentum(m, d, ids[i], out), CT_ERR_ARGUMENT);
    XT_INT(ct_object_velocity(m, d, CT_OBJ_BODY, ids[i], false, out), CT_ERR_ARGUMENT);
    XT_TRUE(!ct_site_contains(m, d, ids[i], point));
  }
  XT_INT(ct_jac_object(m, d, CT_OBJ_MESH, 0, out, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_jac_point(NULL, d, point, 0, out, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_jac_point(m, d, NULL, 0, out, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_pos_differentiate(m, d->qpos, d->qpos, 0, out), CT_ERR_ARGUMENT);
  XT_NEAR(out[0], 42, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(print, counts_like_snprintf) {
  ctModel* m = xt_load(MODEL);
  ctData* d = moving(m);
  size_t size = ct_data_print(m, d, NULL, 0);
  char *text = malloc(size + 1), part[32];
  XT_INT(ct_data_print(m, d, text, size + 1), size);
  XT_INT(strlen(text), size);
  XT_HAS(text, "qpos");
  XT_INT(ct_data_print(m, d, part, sizeof(part)), size);
  XT_INT(strlen(part), sizeof(part) - 1);
  XT_TRUE(ct_model_print(m, part, sizeof(part)) > 1000);
  XT_INT(ct_model_print(NULL, part, sizeof(part)), 0);
  free(text);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
