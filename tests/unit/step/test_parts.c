// The parts of the stages by themselves, stages that run again, and the functions of the user between them.
#include "corten/parts.h"
#include "xt_model.h"

static ctModel* scene(void) {
  return xt_load_string(
      "<mujoco><worldbody><geom type='plane' size='3 3 .1'/>"
      "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 .09'><freejoint/><geom size='.1'/></body>"
      "<body pos='0 2 1'><joint name='j' axis='0 1 0' damping='.1'/><geom size='.1' pos='.3 0 0'/></body>"
      "</worldbody><actuator><motor joint='j'/></actuator></mujoco>");
}

XT_TEST(parts, together_are_a_forward_pass) {
  static const ctPart order[] = {
      CT_PART_KINEMATICS, CT_PART_COM,       CT_PART_CAMERAS,     CT_PART_TENDONS,     CT_PART_MASS,
      CT_PART_FACTOR,     CT_PART_COLLISION, CT_PART_CONSTRAINTS, CT_PART_CONSTRAINTS, CT_PART_TRANSMISSION};
  ctModel* m = scene();
  ctData *whole = xt_data(m), *d = xt_data(m);
  whole->qvel[0] = d->qvel[0] = (ctReal)0.2;
  XT_INT(ct_forward(m, whole), CT_OK);
  for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) XT_INT(ct_part_run(m, d, order[i]), CT_OK);
  XT_INT(ct_forward_velocity(m, d), CT_OK);
  XT_INT(ct_forward_actuation(m, d), CT_OK);
  XT_INT(ct_forward_acceleration(m, d), CT_OK);
  XT_INT(ct_forward_constraint(m, d), CT_OK);
  XT_INT(d->ncon, 2);
  XT_INT(d->nefc, whole->nefc);
  for (int i = 0; i < m->nv; i++) XT_NEAR(d->qacc[i], whole->qacc[i], 0);
  ct_data_free(whole);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(parts, find_the_islands_that_a_solver_finds) {
  ctModel* m = scene();
  ctData *whole = xt_data(m), *d = xt_data(m);
  XT_INT(ct_forward(m, whole), CT_OK);
  for (int way = 0; way < 3; way++) {
    XT_INT(way == 1 ? ct_step1(m, d) : ct_forward_position(m, d), CT_OK);
    if (way == 2) XT_INT(ct_part_run(m, d, CT_PART_ISLANDS), CT_OK);
    XT_INT(d->nisland, 2);
    XT_INT(d->nisland, whole->nisland);
    XT_INT(d->nidof, whole->nidof);
    for (int i = 0; i < m->nv; i++) XT_INT(d->dof_island[i], whole->dof_island[i]);
    for (int i = 0; i < d->nefc; i++) XT_INT(d->efc_island[i], whole->efc_island[i]);
  }
  ct_data_free(whole);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(parts, leave_the_inertia_of_tendons_to_the_mass_matrix) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' mass='2' pos='.3 0 "
      "0'/></body></worldbody>"
      "<tendon><fixed armature='5'><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
  ctData* d = xt_data(m);
  XT_INT(ct_forward_position(m, d), CT_OK);
  const ctReal own = (ctReal)(2 * (0.3 * 0.3 + 0.4 * 0.1 * 0.1));
  XT_NEAR(d->M[0], own + 5, XT_TOL(1e-14, 1e-6));
  XT_INT(ct_part_run(m, d, CT_PART_CRB), CT_OK);
  XT_NEAR(d->M[0], own, XT_TOL(1e-15, 1e-7));
  XT_INT(ct_part_run(m, d, CT_PART_MASS), CT_OK);
  XT_NEAR(d->M[0], own + 5, XT_TOL(1e-14, 1e-6));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(parts, refuse_bad_arguments) {
  ctModel* m = scene();
  ctData* d = xt_data(m);
  ctReal out[64];
  XT_INT(ct_part_run(NULL, d, CT_PART_COM), CT_ERR_ARGUMENT);
  XT_INT(ct_part_run(m, NULL, CT_PART_COM), CT_ERR_ARGUMENT);
  XT_INT(ct_part_run(m, d, CT_PART_COUNT), CT_ERR_ARGUMENT);
  XT_INT(ct_part_run(m, d, (ctPart)-1), CT_ERR_ARGUMENT);
  XT_INT(ct_bias_force(m, d, false, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_rows_mul(m, d, out, out), CT_ERR_ARGUMENT);
  XT_INT(ct_rows_mul_transposed(m, d, NULL, out), CT_ERR_ARGUMENT);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(stages, of_constraints_give_back_what_they_took) {
  ctModel* m = scene();
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  ctReal force = d->efc_force[0];
  size_t most = 0;
  for (int i = 0; i < 2000; i++) {
    XT_INT(ct_forward_constraint(m, d), CT_OK);
    if (i == 0) most = d->maxuse_arena;
  }
  XT_INT(d->maxuse_arena == most, 1);
  XT_NEAR(d->efc_force[0], force, XT_TOL(1e-9, 1e-3));
  ct_data_free(d);
  ct_model_free(m);
}

// What the functions of the user below have seen.
typedef struct Seen {
  int control, passive, pairs;
} Seen;

static void control(void* context, const ctModel* m, ctData* d) {
  (void)m;
  ((Seen*)context)->control++;
  d->ctrl[0] = 3;
}
static void passive(void* context, const ctModel* m, ctData* d) {
  ((Seen*)context)->passive++;
  d->qfrc_passive[m->nv - 1] += 5;
}
static bool pass(void* context, const ctModel* m, const ctData* d, int geom1, int geom2) {
  (void)m;
  (void)d;
  (void)geom1;
  ((Seen*)context)->pairs++;
  return geom2 == 1 || geom1 == 1;
}

XT_TEST(functions_of_the_user, write_inputs_forces_and_pairs) {
  ctModel* m = scene();
  ctData* d = xt_data(m);
  Seen seen = {0};
  m->user.context = &seen;
  m->user.control = control;
  m->user.passive = passive;
  m->user.contact_filter = pass;
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(seen.control, 1);
  XT_INT(seen.passive, 1);
  XT_INT(seen.pairs >= 2, 1);
  XT_INT(d->ncon, 1);
  XT_NEAR(d->qfrc_actuator[m->nv - 1], 3, XT_TOL(1e-14, 1e-6));
  XT_NEAR(d->qfrc_passive[m->nv - 1], 5, XT_TOL(1e-14, 1e-6));
  m->opt.disableflags |= CT_DSBL_ACTUATION | CT_DSBL_SPRING | CT_DSBL_DAMPER;
  XT_INT(ct_step1(m, d), CT_OK);
  XT_INT(seen.control, 1);
  XT_INT(seen.passive, 1);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(copies, have_contacts_and_rows) {
  ctModel* m = scene();
  ctData *d = xt_data(m), *copy = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(ct_data_copy(m, d, copy), CT_OK);
  XT_INT(copy->ncon, d->ncon);
  XT_INT(copy->contact != d->contact, 1);
  XT_NEAR(copy->contact[1].dist, d->contact[1].dist, 0);
  XT_NEAR(copy->efc_force[2], d->efc_force[2], 0);
  ct_data_free(d);
  XT_INT(ct_step(m, copy), CT_OK);
  ct_data_free(copy);
  ct_model_free(m);
}

XT_TEST(rays, meet_one_geom_or_a_shape_by_itself) {
  ctModel* m = scene();
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  const ctReal point[3] = {0, 0, 1}, down[3] = {0, 0, -1}, away[3] = {0, 0, 1},
               eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ctReal centre[3] = {0, 0, 0}, size[3] = {(ctReal)0.25, 0, 0};
  ctReal normal[3];
  XT_NEAR(ct_ray_geom(m, d, 1, point, down, normal), 0.81, XT_TOL(1e-14, 1e-6));
  XT_NEAR(normal[2], 1, XT_TOL(1e-14, 1e-6));
  XT_NEAR(ct_ray_geom(m, d, 1, point, away, NULL), -1, 0);
  XT_NEAR(ct_ray_geom(m, d, 99, point, down, normal), -1, 0);
  XT_NEAR(normal[2], 0, 0);
  XT_NEAR(ct_ray_shape(CT_GEOM_SPHERE, centre, eye, size, point, down, normal), 0.75, XT_TOL(1e-14, 1e-6));
  XT_NEAR(ct_ray_shape(CT_GEOM_MESH, centre, eye, size, point, down, normal), -1, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
