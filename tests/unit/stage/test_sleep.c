// Sleeping: who falls asleep when, what wakes, what the calls say.
#include "data/data.h"
#include "xt_model.h"

static const char tower[] =
    "<mujoco><option timestep='.002'><flag sleep='enable'/></option><worldbody>"
    "<geom type='plane' size='5 5 .1'/>"
    "<body name='lower' pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='upper' pos='0 0 .2997'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='alone' pos='.6 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>";

static const char floating[] =
    "<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom size='.1'/></body>"
    "<body pos='1 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

static void asleep(const ctModel* m, const ctData* d, int tree, bool expected) {
  ctSleepState state;
  XT_INT(ct_tree_state(m, d, tree, &state), CT_OK);
  XT_INT(state, expected ? CT_ASLEEP : CT_AWAKE);
}

XT_TEST(sleep, ten_slow_steps_and_the_tenth_is_the_last) {
  ctModel* m = xt_load_string(floating);
  ctData* d = xt_data(m);
  for (int i = 0; i < 9; i++) {
    XT_INT(ct_step(m, d), CT_OK);
    XT_INT(d->tree_asleep[0], -10 + i);
  }
  XT_INT(ct_step(m, d), CT_OK);
  XT_INT(d->tree_asleep[0], 0);
  XT_INT(d->tree_asleep[1], 1);
  XT_INT(d->ntree_awake, 0);
  XT_INT(d->nv_awake, 0);
  XT_INT(d->nbody_awake, 1);  // the world
  ct_data_free(d);
  ct_model_free(m);
}

// A rotation counts by the size of what turns.
XT_TEST(sleep, the_tolerance_is_strict) {
  ctModel* m = xt_load_string(floating);
  ctData* d = xt_data(m);
  ctReal limit = m->opt.sleep_tolerance;
  for (int k = 0; k < 6; k++) {
    for (int side = 0; side < 2; side++) {
      ct_data_reset(m, d);
      d->qvel[k] = limit / m->dof_length[k] * (side ? CT_R(1.001) : CT_R(0.999));
      ct_step_n(m, d, 10);
      asleep(m, d, 0, side == 0);
      asleep(m, d, 1, true);
    }
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sleep, islands_fall_asleep_and_wake_together) {
  ctModel* m = xt_load_string(tower);
  ctData* d = xt_data(m);
  XT_INT(ct_step_n(m, d, 400), CT_OK);
  XT_INT(d->ntree_awake, 0);
  XT_INT(d->tree_asleep[0], 1);
  XT_INT(d->tree_asleep[1], 0);
  int cycle[4];
  XT_INT(ct_tree_cycle(m, d, 1, cycle, 4), 2);
  XT_INT(cycle[0], 1);
  XT_INT(cycle[1], 0);
  XT_INT(ct_tree_cycle(m, d, 2, NULL, 0), 1);
  XT_INT(ct_tree_wake(m, d, 0), CT_OK);
  asleep(m, d, 1, false);
  asleep(m, d, 2, true);
  XT_INT(ct_tree_wake(m, d, -1), CT_OK);
  XT_INT(d->ntree_awake, 3);
  ct_data_free(d);
  ct_model_free(m);
}

// Whatever is written to a tree that sleeps, at once and in all its bits.
XT_TEST(sleep, what_is_written_wakes) {
  ctModel* m = xt_load_string(tower);
  ctData* d = xt_data(m);
  ctData* rested = xt_data(m);
  ct_step_n(m, rested, 400);
  ctReal tiny = sizeof(ctReal) == 8 ? CT_R(1e-300) : CT_R(1e-37);
  for (int kind = 0; kind < 8; kind++) {
    XT_INT(ct_data_copy(m, rested, d), CT_OK);
    ctReal *q = d->qpos + 14, *v = d->qvel + 12;
    switch (kind) {
      case 0: break;  // nothing
      case 1: d->xfrc_applied[6 * 3 + 4] = CT_R(-0.0); break;
      case 2: d->qfrc_applied[12] = tiny; break;
      case 3: v[5] = CT_R(-0.0); break;
      case 4: q[0] = (ctReal)nextafterf((float)q[0], 3); break;
      case 5:  // the same orientation, longer: its length says nothing
        for (int k = 3; k < 7; k++) q[k] *= 2;
        break;
      case 6:
        for (int k = 3; k < 7; k++) q[k] = -q[k];
        break;
      default:
        d->ctrl = d->ctrl;
        m->opt.gravity[2] = 3;
        break;
    }
    XT_INT(ct_step(m, d), CT_OK);
    bool wakes = kind != 0 && kind != 5 && kind != 7;
    asleep(m, d, 2, !wakes);
    asleep(m, d, 0, true);
    m->opt.gravity[2] = CT_R(-9.81);
  }
  ct_data_free(rested);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sleep, contact_with_something_awake_wakes) {
  ctModel* m = xt_load_string(tower);
  ctData* d = xt_data(m);
  ct_step_n(m, d, 400);
  // the lone box is thrown at the tower
  d->qvel[12] = -4;
  bool woken = false;
  for (int i = 0; i < 2000 && !woken; i++) {
    ct_step_n(m, d, 1);
    woken = d->tree_asleep[0] < 0;
  }
  XT_TRUE(woken);
  asleep(m, d, 1, false);
  ct_data_free(d);
  ct_model_free(m);
}

// MuJoCo gives up here. Two boxes that fell asleep one by one, because contacts were switched off, are
// pressed together; the first is woken by a third.
XT_TEST(sleep, pressed_together_is_woken_together) {
  ctModel* m = xt_load_string(
      "<mujoco><option timestep='.002' jacobian='sparse'><flag sleep='enable' contact='disable' "
      "gravity='disable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='.1999 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='-.4 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  ct_step_n(m, d, 12);
  XT_INT(d->ntree_awake, 0);
  m->opt.disableflags = 0;
  ct_step_n(m, d, 2);
  XT_INT(d->ntree_awake, 0);
  d->qpos[14] = CT_R(-0.1999);
  d->qvel[12] = CT_R(0.5);
  XT_INT(ct_step(m, d), CT_OK);
  XT_INT(d->ntree_awake, 3);
  XT_TRUE(d->qvel[6] > 0);  // the third is pushed too
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sleep, looking_changes_nothing) {
  ctModel* m = xt_load_string(tower);
  ctData *a = xt_data(m), *b = xt_data(m);
  for (int round = 0; round < 20; round++) {
    a->qvel[12] = b->qvel[12] = round % 4 == 3 ? CT_R(-1.5) : b->qvel[12];
    for (int i = 0; i < 37; i++) ct_step(m, a);
    ct_step_n(m, b, 37);
    XT_INT(a->ntree_awake, b->ntree_awake);
    XT_SAME(a->qpos, b->qpos, m->nq);
    XT_SAME(a->qvel, b->qvel, m->nv);
    XT_SAME(a->qacc, b->qacc, m->nv);
    XT_SAME(a->qacc_warmstart, b->qacc_warmstart, m->nv);
    XT_SAME(a->qfrc_constraint, b->qfrc_constraint, m->nv);
    XT_SAME(a->tree_asleep, b->tree_asleep, m->ntree);
  }
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

// A step that is taken again with a larger arena wakes the same trees.
XT_TEST(sleep, the_size_of_the_arena_changes_nothing) {
  ctModel* m = xt_load_string(tower);
  ctData *a = xt_data(m), *b = xt_data(m);
  size_t whole = b->narena;
  int grown = 0;
  for (int i = 0; i < 1500; i++) {
    if (i % 300 == 299) a->qvel[12] = b->qvel[12] = -2;
    if (i % 7 == 0) b->narena = (size_t)64 * (size_t)(4 + i % 90);  // forget most of it
    size_t before = b->narena;
    XT_INT(ct_step(m, a), CT_OK);
    XT_INT(ct_step(m, b), CT_OK);
    grown += b->narena > before;
    XT_SAME(a->tree_asleep, b->tree_asleep, m->ntree);
    XT_SAME(a->qpos, b->qpos, m->nq);
  }
  XT_TRUE(grown > 100 && whole > 0);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_TEST(sleep, the_flag_off_is_as_if_there_were_none) {
  ctModel* m = xt_load_string(tower);
  m->opt.enableflags &= ~CT_ENBL_SLEEP;
  ctData *plain = xt_data(m), *d = xt_data(m);
  m->opt.enableflags |= CT_ENBL_SLEEP;
  ct_step_n(m, d, 300);
  XT_INT(d->ntree_awake, 0);
  // switched off, everybody is awake; and on again, everybody may sleep
  m->opt.enableflags &= ~CT_ENBL_SLEEP;
  ct_step_n(m, d, 1);
  XT_INT(d->ntree_awake, 3);
  ct_data_copy_state(m, d, plain, CT_STATE_INTEGRATION);
  for (int i = 0; i < 50; i++) {
    ct_step_n(m, d, 1);
    ct_step_n(m, plain, 1);
    XT_SAME(d->qpos, plain->qpos, m->nq);
    XT_SAME(d->qvel, plain->qvel, m->nv);
  }
  m->opt.enableflags |= CT_ENBL_SLEEP;
  ct_step_n(m, d, 100);
  XT_INT(d->ntree_awake, 0);
  ct_data_free(plain);
  ct_data_free(d);
  ct_model_free(m);
}

// Where they are, with zero velocity, until something happens.
XT_TEST(sleep, by_hand) {
  ctModel* m = xt_load_string(floating);
  ctData* d = xt_data(m);
  ctError err = {0};
  d->qvel[0] = 3;
  d->qvel[9] = 2;
  const int both[] = {1, 0}, twice[] = {0, 0}, none[] = {2};
  XT_INT(ct_tree_sleep(m, d, twice, 2, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_tree_sleep(m, d, none, 1, &err), CT_ERR_ARGUMENT);
  d->xfrc_applied[6] = 1;
  XT_INT(ct_tree_sleep(m, d, both, 2, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "xfrc_applied");
  XT_NEAR(d->qvel[0], 3, 0);
  d->xfrc_applied[6] = 0;
  XT_INT(ct_tree_sleep(m, d, both, 2, &err), CT_OK);
  XT_INT(d->tree_asleep[1], 0);
  XT_INT(d->tree_asleep[0], 1);
  ctReal before[14];
  memcpy(before, d->qpos, sizeof(before));
  ct_step_n(m, d, 50);
  XT_SAME(d->qpos, before, 14);
  XT_INT(d->ntree_awake, 0);
  XT_INT(ct_tree_sleep(m, d, both, 1, &err), CT_ERR_ARGUMENT);
  m->opt.enableflags &= ~CT_ENBL_SLEEP;
  XT_INT(ct_tree_sleep(m, d, both, 1, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "sleep flag");
  ctSleepState state;
  XT_INT(ct_tree_state(m, d, 2, &state), CT_ERR_ARGUMENT);
  XT_INT(ct_tree_state(NULL, d, 0, &state), CT_ERR_ARGUMENT);
  XT_INT(ct_body_state(m, d, 0, &state), CT_OK);
  XT_INT(state, CT_STATIC);
  XT_INT(ct_body_state(m, d, 3, &state), CT_ERR_ARGUMENT);
  XT_INT(ct_tree_wake(m, d, 2), CT_ERR_ARGUMENT);
  XT_INT(ct_tree_cycle(m, d, -1, NULL, 0), -1);
  ct_data_free(d);
  ct_model_free(m);
}

// Numbers that are no cycle lead nowhere.
XT_TEST(sleep, a_spoilt_list_is_mended) {
  ctModel* m = xt_load_string(tower);
  ctData* d = xt_data(m);
  const int bad[][3] = {{1000000, 0, 2},           {1, 1, 1}, {1, -5, 0}, {2, 2, 0},
                        {INT32_MIN, INT32_MAX, 1}, {1, 2, 2}};
  for (int i = 0; i < 6; i++) {
    ct_data_reset(m, d);
    ct_step_n(m, d, 400);
    for (int k = 0; k < 3; k++) d->tree_asleep[k] = bad[i][k];
    XT_TRUE(ct_tree_cycle(m, d, 0, NULL, 0) <= 3);
    if (i % 2) ct_tree_wake(m, d, 1);
    XT_INT(ct_step_n(m, d, 20), CT_OK);
    for (int k = 0; k < 3; k++) XT_TRUE(d->tree_asleep[k] >= -11 && d->tree_asleep[k] < 3);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sleep, trees_that_start_asleep) {
  ctModel* m = xt_load_string(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 2' sleep='init'><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 2'><freejoint/><geom size='.1'/></body></worldbody>"
      "<keyframe><key qpos='0 0 2 1 0 0 0 1 0 3 1 0 0 0'/><key qpos='0 0 3 1 0 0 0 1 0 2 1 0 0 "
      "0'/></keyframe></mujoco>");
  ctData* d = xt_data(m);
  asleep(m, d, 0, true);
  asleep(m, d, 1, false);
  ct_step_n(m, d, 100);
  XT_NEAR(d->qpos[2], 2, 0);  // in mid-air
  XT_TRUE(d->qpos[9] < 2);
  ct_data_reset_keyframe(m, d, 0);  // where it was
  ct_step(m, d);
  asleep(m, d, 0, true);
  ct_data_reset_keyframe(m, d, 1);  // elsewhere
  ct_step(m, d);
  asleep(m, d, 0, false);
  ct_data_free(d);
  ct_model_free(m);
}

// A saved state and a copy go on with the bits of the one they were taken from.
XT_TEST(sleep, saved_and_copied) {
  ctModel* m = xt_load("tests/models/sleep/frozen_sensors.xml");
  ctData *a = xt_data(m), *b = xt_data(m), *c = xt_data(m);
  ct_step_n(m, a, 500);
  XT_TRUE(a->ntree_awake < m->ntree);
  size_t size = ct_data_save_bytes(m, a, NULL, 0);
  void* bytes = malloc(size);
  XT_INT(ct_data_save_bytes(m, a, bytes, size), size);
  XT_INT(ct_data_load_bytes(m, b, bytes, size, NULL), CT_OK);
  XT_INT(ct_data_copy(m, a, c), CT_OK);
  for (int i = 0; i < 300; i++) {
    if (i == 100) a->qvel[0] = b->qvel[0] = c->qvel[0] = 1;
    ct_step(m, a);
    ct_step(m, b);
    ct_step(m, c);
    for (int k = 0; k < 2; k++) {
      const ctData* other = k ? c : b;
      XT_SAME(a->tree_asleep, other->tree_asleep, m->ntree);
      XT_SAME(a->qpos, other->qpos, m->nq);
      XT_SAME(a->qvel, other->qvel, m->nv);
      XT_SAME(a->qacc, other->qacc, m->nv);
      XT_SAME(a->sensordata, other->sensordata, m->nsensordata);
      XT_SAME(a->xpos, other->xpos, 3 * m->nbody);
      XT_SAME(a->qfrc_passive, other->qfrc_passive, m->nv);
    }
  }
  // a number that leads out of the trees is refused with the checksum, or mended
  ((unsigned char*)bytes)[size - 20] ^= 1;
  XT_INT(ct_data_load_bytes(m, b, bytes, size, NULL), CT_ERR_SYNTAX);
  free(bytes);
  ct_data_free(a);
  ct_data_free(b);
  ct_data_free(c);
  ct_model_free(m);
}

XT_TEST(sleep, what_is_refused) {
#define SLEEPY(body) "<mujoco>\n<option><flag sleep='enable'/></option>\n<worldbody>\n" body
  XT_HAS(xt_refused(SLEEPY("<body sleep='never'><geom size='.1'/></body></worldbody></mujoco>")),
         "remove the attribute");
  XT_HAS(
      xt_refused(SLEEPY("<body mocap='true' sleep='allowed'><geom size='.1'/></body></worldbody></mujoco>")),
      "remove the attribute");
  XT_HAS(xt_refused(SLEEPY("<body name='top'><freejoint/><geom size='.1'/>\n<body sleep='init'><geom "
                           "size='.1'/></body></body></worldbody></mujoco>")),
         "move the attribute to body \"top\"");
#define TWO                                                                    \
  "<body sleep='allowed'><freejoint/><geom size='.1'/><site name='a'/></body>" \
  "<body pos='1 0 0'><freejoint/><geom size='.1'/><site name='b'/></body>"     \
  "<body pos='2 0 0'><freejoint/><geom size='.1'/><site name='c'/></body></worldbody>"
  XT_HAS(xt_refused(SLEEPY(TWO "<tendon><spatial name='rope' stiffness='1'><site site='a'/><site "
                               "site='b'/></spatial></tendon></mujoco>")),
         "tendon \"rope\", line 4, ties it to another tree with stiffness or damping");
  XT_HAS(xt_refused(SLEEPY(TWO "<tendon><spatial><site site='a'/><site site='b'/><site "
                               "site='c'/></spatial></tendon></mujoco>")),
         "more than one other tree");
  XT_HAS(xt_refused(SLEEPY(TWO "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>"
                               "<equality><tendon tendon1='t'/></equality></mujoco>")),
         "does not go with the sleep flag");
}

XT_MAIN()
