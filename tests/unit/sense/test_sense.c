// Sensors: cases with a known answer, readers of the user's own, and models without sensors.
#include "xt_model.h"

static const char ball_on_floor[] =
    "<mujoco><option timestep='0.002' cone='elliptic'/><worldbody><geom name='floor' type='plane' size='0 0 "
    "1'/>"
    "<body name='b' pos='0 0 0.1'><freejoint/><geom name='g' size='0.1' mass='2'/><site name='s' "
    "size='0.12'/>"
    "</body></worldbody><sensor><touch site='s'/><contact geom1='floor' data='found force normal'/>"
    "<accelerometer site='s'/><rangefinder site='s'/><user dim='2' needstage='vel'/><user "
    "dim='1'/></sensor></mujoco>";

XT_TEST(sense, a_resting_ball_weighs_what_it_weighs) {
  ctModel* m = xt_load_string(ball_on_floor);
  ctData* d = xt_data(m);
  ct_step_n(m, d, 2000);
  double weight = 2 * 9.81;
  XT_NEAR(d->sensordata[0], weight, XT_TOL(1e-6, 1e-2));
  XT_NEAR(d->sensordata[1], 1, 0);
  XT_NEAR(d->sensordata[2], weight, XT_TOL(1e-6, 1e-2));
  XT_NEAR(d->sensordata[7], 1, XT_TOL(1e-12, 1e-6));  // the normal points up, away from the floor
  XT_NEAR(d->sensordata[10], 9.81, XT_TOL(1e-6, 1e-2));
  XT_NEAR(d->sensordata[11], -1, 0);  // nothing above
  xt_no_warnings(d);
  ct_data_free(d);
  ct_model_free(m);
}

typedef struct Seen {
  int calls, sensor[8];
} Seen;

static void read_own(void* context, const ctModel* m, const ctData* d, int sensor, ctReal* out) {
  Seen* seen = context;
  seen->sensor[seen->calls++ % 8] = sensor;
  out[0] = d->time;
  for (int k = 1; k < m->sensor_dim[sensor]; k++) out[k] = (ctReal)k;
}

XT_TEST(sense, readers_of_the_user_belong_to_a_model) {
  ctModel *m = xt_load_string(ball_on_floor), *plain = xt_load_string(ball_on_floor);
  ctData *d = xt_data(m), *other = xt_data(plain);
  Seen seen = {0};
  m->user = (ctCallbacks){.context = &seen, .sensor = read_own};
  ct_step_n(m, d, 3);
  ct_step_n(plain, other, 3);
  XT_INT(seen.calls, 6);
  XT_INT(seen.sensor[0], 4);
  XT_INT(seen.sensor[1], 5);
  int adr = m->sensor_adr[4];
  XT_NEAR(d->sensordata[adr], 2 * 0.002, XT_TOL(1e-15, 1e-8));
  XT_NEAR(d->sensordata[adr + 1], 1, 0);
  XT_NEAR(other->sensordata[adr + 1], 0, 0);
  // what is not read stays as the user left it; a reset keeps the user's pointer
  other->sensordata[adr] = 7;
  ct_step(plain, other);
  XT_NEAR(other->sensordata[adr], 7, 0);
  d->user = &seen;
  ct_data_reset(m, d);
  XT_TRUE(d->user == &seen);
  ct_data_free(d);
  ct_data_free(other);
  ct_model_free(m);
  ct_model_free(plain);
}

XT_TEST(sense, nothing_is_computed_that_nobody_reads) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  xt_poison(m, d);
  ct_step_n(m, d, 3);
  XT_TRUE(!d->flg_rnepost && !d->flg_subtreevel);
  XT_TRUE(isnan((double)d->cacc[6]) && isnan((double)d->cfrc_int[6]) && isnan((double)d->subtree_angmom[3]));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sense, refuses_histories_that_cannot_be) {
  const char* wrong[][2] = {{"delay='0.1'", "nsample"},
                            {"nsample='2' interval='-1'", "negative"},
                            {"nsample='2' interval='1 0.5'", "positive"},
                            {"nsample='2' interval='1 -1'", "period"}};
  for (int i = 0; i < 4; i++) {
    char text[256];
    snprintf(text, sizeof(text), "<mujoco><sensor><clock name='c' %s/></sensor></mujoco>", wrong[i][0]);
    const char* message = xt_refused(text);
    XT_HAS(message, wrong[i][1]);
    XT_HAS(message, "\"c\"");
  }
  XT_HAS(xt_refused(
             "<mujoco><worldbody><site name='s'/><camera name='c'/></worldbody><sensor><insidesite site='s' "
             "objtype='camera' objname='c' enclosed='true'/></sensor></mujoco>"),
         "camera");
}

// A cube of half size 0.5 around (1, 0, 0), as a mesh whose file has it elsewhere.
static const char cube_zone[] =
    "<mujoco><option gravity='0 0 0'/><asset><mesh name='cube' vertex='3 3 3 4 3 3 3 4 3 4 4 3 3 3 4 4 3 4 3 "
    "4 4 4 4 4'/></asset><worldbody><site name='zone' type='mesh' mesh='cube' pos='-2.5 -3.5 -3.5'/>"
    "<body name='b' pos='1 0 0'><freejoint/><geom name='g' size='.1'/></body></worldbody><sensor>"
    "<insidesite site='zone' objtype='body' objname='b'/>"
    "<insidesite site='zone' objtype='geom' objname='g' enclosed='true'/></sensor></mujoco>";

XT_TEST(sense, a_mesh_is_a_zone_like_its_hull) {
  ctModel* m = xt_load_string(cube_zone);
  ctData* d = xt_data(m);
  const struct {
    double x, y, z, inside, sticks_out;
  } cases[] = {
      {1, 0, 0, 1, -0.4},  {1.3, 0, 0.1, 1, -0.1}, {1.45, -0.2, 0, 1, 0.05},
      {1.8, 0, 0, 0, 0.4}, {1.8, 0.9, 0, 0, 0.6},  {1 + 0.5 + 0.2, 0.5 + 0.3, 0.5 + 0.6, 0, 0.7 + 0.1},
  };
  for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
    d->qpos[0] = (ctReal)cases[i].x;
    d->qpos[1] = (ctReal)cases[i].y;
    d->qpos[2] = (ctReal)cases[i].z;
    ct_forward(m, d);
    XT_NEAR(d->sensordata[0], cases[i].inside, 0);
    XT_NEAR(d->sensordata[1], cases[i].sticks_out, XT_TOL(1e-12, 1e-6));
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(sense, a_mesh_feels_what_touches_within_it) {
  ctModel* m = xt_load_string(
      "<mujoco><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1' "
      "scale='.2 .2 .05'/></asset><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/>"
      "<geom size='.1' mass='2'/><site name='low' type='mesh' mesh='cube' pos='0 0 -.1'/>"
      "<site name='high' type='mesh' mesh='cube' pos='0 0 .3'/><site name='beside' type='mesh' mesh='cube' "
      "pos='.5 0 -.1'/></body></worldbody>"
      "<sensor><touch site='low'/><touch site='high'/><touch site='beside'/></sensor></mujoco>");
  ctData* d = xt_data(m);
  ct_step_n(m, d, 2000);
  XT_NEAR(d->sensordata[0], 2 * 9.81, XT_TOL(1e-6, 1e-2));
  XT_NEAR(d->sensordata[2], 0, 0);
  // a contact that sank below the skin counts where its normal leaves it: not through what lies above
  XT_NEAR(d->sensordata[1], 0, 0);
  ct_data_free(d);
  ct_model_free(m);
}

// 20,000 readings of a sensor whose value is 0.3: spread and mean are known to a hundredth of the noise.
XT_TEST(sense, noise_has_the_deviation_it_is_given) {
  ctModel* m = xt_load_string(
      "<mujoco><option timestep='0.01'><flag gravity='disable'/></option><worldbody><body><joint name='j' "
      "type='slide'/><geom size='.1'/></body></worldbody><sensor><jointpos joint='j' noise='0.2'/></sensor>"
      "</mujoco>");
  ctData* d = xt_data(m);
  double sum = 0, square = 0;
  const int n = 20000;
  d->qpos[0] = (ctReal)0.3;
  XT_INT(ct_data_set_noise(d, true, 5, 0), CT_OK);
  for (int k = 0; k < n; k++) {
    XT_INT(ct_step(m, d), CT_OK);
    double x = (double)d->sensordata[0] - 0.3;
    sum += x;
    square += x * x;
  }
  XT_NEAR(sum / n, 0, 0.01 * 0.2 * 3);
  XT_NEAR(sqrt(square / n), 0.2, 0.01 * 0.2 * 3);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
