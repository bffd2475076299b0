// Tendons of the kit: beside the engine's own, and their gradients beside differences.
#include "corten/corten.h"

#include "base/fn.h"
#include "xt.h"

static const char* const model =
    "<mujoco><worldbody>"
    "<site name='a' pos='0 0.05 1'/>"
    "<body name='upper' pos='0 0 0.8'><joint axis='0 1 0'/><geom size='0.02 0.2' type='capsule' pos='0 0 "
    "-0.2'/>"
    "<geom name='ball' type='sphere' size='0.05' pos='0.01 0 -0.1'/><site name='sb' pos='0.1 0 -0.1'/>"
    "<site name='b' pos='0.03 0 -0.3'/>"
    "<body name='lower' pos='0 0 -0.4'><joint axis='0 1 0'/><geom size='0.02 0.2' type='capsule' pos='0 0 "
    "-0.2'/>"
    "<geom name='rod' type='cylinder' size='0.04 0.1' euler='90 10 0'/><site name='sr' pos='0.1 0 0'/>"
    "<site name='c' pos='0.02 0.01 -0.2'/></body></body></worldbody>"
    "<tendon><spatial><site site='a'/><geom geom='ball' sidesite='sb'/><site site='b'/><geom geom='rod' "
    "sidesite='sr'/>"
    "<site site='c'/><pulley divisor='2'/><site site='a'/><site site='c'/></spatial></tendon></mujoco>";

// The same path over bodies 0 (the world), 1 and 2, with the places that the compiler has worked out.
static int path_of(ctKitStation out[9], const ctModel* m) {
  const int site[] = {0, -1, 2, -2, 4, -3, 0, 4};  // a, ball, b, rod, c, pulley, a, c
  for (int i = 0; i < 8; i++) {
    ctKitStation* s = &out[i];
    memset(s, 0, sizeof(*s));
    s->place.quat[0] = 1;
    if (site[i] >= 0) {
      s->body = m->site_bodyid[site[i]];
      memcpy(s->place.pos, m->site_pos + 3 * site[i], sizeof(s->place.pos));
    } else if (site[i] == -3) {
      s->kind = CT_KIT_STATION_PULLEY;
      s->divisor = 2;
    } else {
      int geom =
          site[i] == -1 ? ct_model_name2id(m, CT_OBJ_GEOM, "ball") : ct_model_name2id(m, CT_OBJ_GEOM, "rod");
      int side =
          site[i] == -1 ? ct_model_name2id(m, CT_OBJ_SITE, "sb") : ct_model_name2id(m, CT_OBJ_SITE, "sr");
      s->kind = site[i] == -1 ? CT_KIT_STATION_SPHERE : CT_KIT_STATION_CYLINDER;
      s->body = m->geom_bodyid[geom];
      memcpy(s->place.pos, m->geom_pos + 3 * geom, sizeof(s->place.pos));
      memcpy(s->place.quat, m->geom_quat + 4 * geom, sizeof(s->place.quat));
      s->radius = m->geom_size[3 * geom];
      s->has_side = 1;
      memcpy(s->side, m->site_pos + 3 * side, sizeof(s->side));
    }
  }
  return 8;
}

static void poses_of(ctKitPose* out, const ctModel* m, const ctData* d) {
  for (int i = 0; i < m->nbody; i++) {
    memcpy(out[i].pos, d->xpos + 3 * i, sizeof(out[i].pos));
    memcpy(out[i].quat, d->xquat + 4 * i, sizeof(out[i].quat));
  }
}

XT_TEST(path, is_as_long_as_in_the_engine_and_changes_as_there) {
  ctModel* m = NULL;
  ctData* d = NULL;
  ctError err;
  if (ct_model_load_string(&m, model, strlen(model), NULL, &err) != CT_OK) fail_msg("%s", err.message);
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  ctKitStation path[9];
  const int count = path_of(path, m);
  int wrapped = 0;
  xtRng rng = xt_rng(1);
  for (int i = 0; i < 50; i++) {
    ctKitPose pose[3];
    ctReal length, gradient[18], point[48], jacobian[36], row[2], velocity;
    ctKitTwist twist[3];
    int npoint;
    xt_random_vec(d->qpos, 2, &rng);
    xt_random_vec(d->qvel, 2, &rng);
    ct_forward(m, d);
    poses_of(pose, m, d);
    XT_INT(ct_kit_path_length(path, count, pose, 3, &length, gradient, point, &npoint), CT_OK);
    XT_NEAR(length, d->ten_length[0], XT_TOL(1e-13, 1e-6));
    wrapped += npoint > 5;
    for (int b = 0; b < 3; b++) {
      ctReal translation[6], rotation[6];
      ct_jac_object(m, d, CT_OBJ_XBODY, b, translation, rotation);
      memcpy(jacobian + 12 * b, rotation, sizeof(rotation));
      memcpy(jacobian + 12 * b + 6, translation, sizeof(translation));
      for (int k = 0; k < 3; k++) {
        twist[b].angular[k] = rotation[2 * k] * d->qvel[0] + rotation[2 * k + 1] * d->qvel[1];
        twist[b].linear[k] = translation[2 * k] * d->qvel[0] + translation[2 * k + 1] * d->qvel[1];
      }
    }
    ct_kit_path_jacobian(gradient, jacobian, 3, 2, row);
    XT_CLOSE(row, d->ten_J, 2, XT_TOL(1e-13, 1e-6), "gradient");
    velocity = ct_kit_path_velocity(gradient, twist, 3);
    XT_NEAR(velocity, d->ten_velocity[0], XT_TOL(1e-13, 1e-6));
  }
  XT_TRUE(wrapped > 10);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(path, gradient_is_the_difference_of_lengths) {
  const double e = XT_TOL(1e-6, 4e-3);
  ctKitStation path[3];
  memset(path, 0, sizeof(path));
  for (int i = 0; i < 3; i++) path[i].place.quat[0] = 1;
  path[1].kind = CT_KIT_STATION_CYLINDER;
  path[1].body = 1;
  path[1].radius = CT_R(0.1);
  path[2].body = 2;
  path[0].place.pos[0] = -1;
  path[0].place.pos[1] = CT_R(0.02);
  path[2].place.pos[0] = 1;
  path[2].place.pos[2] = CT_R(0.3);
  ctKitPose pose[3] = {
      {{0, 0, 0}, {1, 0, 0, 0}}, {{0, CT_R(-0.01), 0}, {1, 0, 0, 0}}, {{0, 0, 0}, {1, 0, 0, 0}}};
  ctReal length, gradient[18], ends[2];
  int npoint;
  XT_INT(ct_kit_path_length(path, 3, pose, 3, &length, gradient, NULL, &npoint), CT_OK);
  XT_INT(npoint, 4);
  for (int k = 0; k < 18; k++) {
    for (int side = 0; side < 2; side++) {
      ctKitPose moved[3] = {pose[0], pose[1], pose[2]};
      ctKitTwist t = {{0, 0, 0}, {0, 0, 0}};
      (k % 6 < 3 ? t.angular : t.linear)[k % 3] = 1;
      // rotations are the identity: world axes are those of the bodies
      ct_kit_pose_exp(&moved[k / 6], &t, (ctReal)(side ? e : -e), &moved[k / 6]);
      XT_INT(ct_kit_path_length(path, 3, moved, 3, &ends[side], NULL, NULL, NULL), CT_OK);
    }
    XT_NEAR(gradient[k], (ends[1] - ends[0]) / (ctReal)(2 * e), XT_TOL(1e-8, 2e-3));
  }
}

XT_TEST(path, that_cannot_be_followed_is_refused) {
  ctKitStation path[4];
  memset(path, 0, sizeof(path));
  for (int i = 0; i < 4; i++) path[i].place.quat[0] = 1;
  XT_INT(ct_kit_path_check(path, 2, 1), CT_OK);
  XT_INT(ct_kit_path_check(path, 1, 1), CT_ERR_INVALID);
  XT_INT(ct_kit_path_check(path, 2, 0), CT_ERR_INVALID);
  XT_INT(ct_kit_path_check(NULL, 2, 1), CT_ERR_ARGUMENT);
  path[0].kind = CT_KIT_STATION_SPHERE;
  path[0].radius = 1;
  XT_INT(ct_kit_path_check(path, 3, 1), CT_ERR_INVALID);  // nothing before it
  path[0].kind = CT_KIT_STATION_POINT;
  path[1].kind = CT_KIT_STATION_SPHERE;
  XT_INT(ct_kit_path_check(path, 3, 1), CT_ERR_INVALID);  // no radius
  path[1].radius = 1;
  XT_INT(ct_kit_path_check(path, 3, 1), CT_OK);
  path[1].kind = CT_KIT_STATION_PULLEY;
  XT_INT(ct_kit_path_check(path, 4, 1), CT_ERR_INVALID);  // a branch of one point
}

XT_TEST(tendon, pulls_between_its_rest_lengths_not_at_all) {
  ctKitTendon t = {{CT_R(0.4), CT_R(0.5)}, 100, 2, 0};
  ctReal f;
  XT_INT(ct_kit_tendon_force(&t, CT_R(0.45), 0, &f), CT_OK);
  XT_NEAR(f, 0, 0);
  ct_kit_tendon_force(&t, CT_R(0.6), 1, &f);
  XT_NEAR(f, -12, XT_TOL(1e-12, 1e-4));
  ct_kit_tendon_force(&t, CT_R(0.3), 0, &f);
  XT_NEAR(f, 10, XT_TOL(1e-12, 1e-4));
  t.slack = 1;
  ct_kit_tendon_force(&t, CT_R(0.3), 1, &f);
  XT_NEAR(f, 0, 0);
  t.rest[1] = CT_R(0.1);
  XT_INT(ct_kit_tendon_force(&t, CT_R(0.3), 0, &f), CT_ERR_INVALID);
  const ctReal coef[2] = {2, -1}, q[2] = {CT_R(0.5), CT_R(0.25)};
  XT_NEAR(ct_kit_fixed_length(coef, q, 2), 0.75, 0);
  const ctReal jacobian[4] = {1, 0, CT_R(-0.5), 0};
  XT_INT(ct_kit_tendon_joints(jacobian, 4), 2);
  XT_INT(ct_kit_tendon_joints(jacobian, 0), 0);
}

XT_MAIN()
