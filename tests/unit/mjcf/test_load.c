#include "xt_model.h"

#define WORLD(inside) "<mujoco>\n <worldbody>\n  " inside "\n </worldbody></mujoco>"

XT_TEST(mjcf, says_where_and_what_is_wrong) {
  XT_HAS(xt_refused(""), "empty");
  XT_HAS(xt_refused("<robot/>"), "1:1: the robot has no <link>");
  XT_HAS(xt_refused("<mujocco/>"), "1:1: the root element is <mujocco>");
  XT_HAS(xt_refused("<mujoco><worldbdy/></mujoco>"), "1:9: unknown element <worldbdy>");
  XT_HAS(xt_refused("<mujoco><worldbdy/></mujoco>"), "<worldbody>");
  XT_HAS(xt_refused(WORLD("<geom sise='1'/>")), "3:9: unknown attribute \"sise\"");
  XT_HAS(xt_refused(WORLD("<geom sise='1'/>")), "\"size\"");
  XT_HAS(xt_refused(WORLD("<geom type='spher' size='1'/>")), "3:9: ");
  XT_HAS(xt_refused(WORLD("<geom type='spher' size='1'/>")), "sphere");
  XT_HAS(xt_refused(WORLD("<geom size='1 2 3 4'/>")), "1 to 3 numbers, got 4");
  XT_HAS(xt_refused(WORLD("<geom size='nan'/>")), "nan");
  XT_HAS(xt_refused(WORLD("<geom size='1e999'/>")), "too large");
  XT_HAS(xt_refused(WORLD("<geom size='a'/>")), "'a'");
}

XT_TEST(mjcf, checks_the_meaning_too) {
  XT_HAS(xt_refused(WORLD("<geom/>")), "3:3: geom: size needs 1 positive number");
  XT_HAS(xt_refused(WORLD("<geom name='x' size='1'/><geom name='x' size='1'/>")),
         "3:28: geom \"x\": this name is used twice");
  XT_HAS(xt_refused(WORLD("<body><joint/></body>")), "needs mass and inertia");
  XT_HAS(xt_refused(WORLD("<body><joint axis='0 0 0'/><geom size='1'/></body>")), "axis has zero length");
  XT_HAS(xt_refused(WORLD("<geom size='1' quat='0 0 0 0'/>")), "quat has zero length");
  XT_HAS(xt_refused(WORLD("<geom size='1' quat='1 0 0 0' euler='1 2 3'/>")), "orientation is given twice");
  XT_HAS(xt_refused(WORLD("<geom size='1' class='none'/>")), "default class \"none\" is not defined");
  XT_HAS(xt_refused(WORLD("<body><freejoint/><joint/><geom size='1'/></body>")), "only joint of its body");
  XT_HAS(xt_refused(WORLD("<body><geom size='1'/><body><freejoint/><geom size='1'/></body></body>")),
         "child of the world");
  XT_HAS(xt_refused(WORLD("<body><joint type='ball'/><joint/><geom size='1'/></body>")), "last rotation");
  XT_HAS(xt_refused(WORLD("<body><inertial mass='1'/></body>")), "needs the attribute \"pos\"");
  XT_HAS(xt_refused(WORLD("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>")),
         "balanceinertia");
  XT_HAS(xt_refused("<mujoco><option timestep='0'/></mujoco>"), "timestep must be positive");
  XT_HAS(xt_refused("<mujoco><actuator><motor joint='no'/></actuator></mujoco>"), "no joint called \"no\"");
}

#define DRIVEN(text)                                                                              \
  "<mujoco><worldbody><body><joint name='h'/><geom size='1'/><body><joint name='b' type='ball'/>" \
  "<geom size='1'/></body></body></worldbody><actuator>" text "</actuator></mujoco>"

XT_TEST(mjcf, devices_must_make_sense) {
  XT_HAS(xt_refused(DRIVEN("<pid joint='h' input='vel' ki='1'/>")), "need the input pos");
  XT_HAS(xt_refused(DRIVEN("<pid joint='h' slewmax='-1'/>")), "must not be negative");
  XT_HAS(xt_refused(DRIVEN("<pid joint='h' kv='1' dampratio='1'/>")), "exclude each other");
  XT_HAS(xt_refused(DRIVEN("<pid joint='h' input='vel pos'/>")), "input: \"pos\" comes before \"vel\"");
  XT_HAS(xt_refused(DRIVEN("<pid joint='h' input='pos none'/>")), "\"none\" stands alone");
  XT_HAS(xt_refused(DRIVEN("<orientation joint='b' input='quat expmap'/>")), "stands alone");
  XT_HAS(xt_refused(DRIVEN("<general joint='h' input='pos vel'/>")), "takes one input");
  XT_HAS(xt_refused(DRIVEN("<dcmotor joint='h' motorconst='1' resistance='1' input='pressure'/>")),
         "of a motor");
  XT_HAS(xt_refused(DRIVEN("<orientation joint='h'/>")), "needs a ball joint");
  XT_HAS(xt_refused(DRIVEN("<orientation joint='b' forcerange='-1 1'/>")), "lower bound must be 0");
  XT_HAS(xt_refused(DRIVEN("<dcmotor joint='h' resistance='1'/>")), "motor constant must be positive");
  XT_HAS(xt_refused(DRIVEN("<dcmotor joint='h' motorconst='1'/>")), "resistance must be positive");
  XT_HAS(xt_refused(DRIVEN("<dcmotor joint='h' nominal='12 1 3' controller='1'/>")), "need an input");
  XT_HAS(xt_refused(DRIVEN("<dcmotor joint='h' nominal='12 1 3' thermal='2'/>")), "capacitance");
}

XT_TEST(mjcf, setpoints_that_are_quaternions_start_as_one_that_turns_nothing) {
  ctModel* m = xt_load("tests/models/mjcf/orientation_servo.xml");
  ctData* d = xt_data(m);
  const ctReal start[] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  XT_INT(m->nu, 11);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < m->nu; k++) XT_NEAR(d->ctrl[k], start[k], 0);
    for (int k = 0; k < 3; k++) XT_NEAR(d->history[2 + 3 + 4 * k], 1, 0);
    for (int k = 0; k < m->nu; k++) d->ctrl[k] = 5;
    XT_INT(ct_data_reset(m, d), CT_OK);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(mjcf, refuses_what_it_cannot_do_with_the_remedy) {
#define BODY_PLUGIN(extension, plugin)                                                   \
  "<mujoco><extension>" extension "</extension><worldbody><body><geom size='1'/>" plugin \
  "</body></worldbody></mujoco>"
  XT_HAS(xt_refused(BODY_PLUGIN("", "<plugin plugin='a.b'/>")), "load options");
}

XT_TEST(mjcf, bodies_right_in_the_root_have_no_effect) {
  ctModel* m = xt_load_string("<mujoco><body><joint/><geom size='.1'/></body><frame/></mujoco>");
  XT_INT(m->nbody, 1);
  XT_INT(m->nq, 0);
  ct_model_free(m);
  XT_HAS(xt_refused("<mujoco><body foo='1'/></mujoco>"), "foo");
}

XT_TEST(mjcf, spring_dampers_need_both_numbers) {
#define SPRING(v) \
  "<mujoco><worldbody><body><joint springdamper='" v "'/><geom size='.1'/></body></worldbody></mujoco>"
  XT_HAS(xt_refused(SPRING("1 0")), "both positive");
  XT_HAS(xt_refused(SPRING("0 1")), "both positive");
  XT_HAS(xt_refused(SPRING("-1 -1")), "both positive");
  ct_model_free(xt_load_string(SPRING("0 0")));
}

XT_TEST(mjcf, refuses_length_ranges_that_are_not_there) {
#define RANGED(how)                                           \
  "<mujoco><compiler><lengthrange " how "/></compiler>" HINGE \
  "<actuator><muscle joint='h'/></actuator></mujoco>"
#define HINGE \
  "<worldbody><body><joint name='h' range='-30 40'/><geom size='.1' pos='0 .3 0'/></body></worldbody>"
  XT_HAS(xt_refused(DRIVEN("<muscle joint='h'/>")), "still moves");
  XT_HAS(xt_refused(RANGED("accel='0'")), "does not change");
  XT_HAS(xt_refused(RANGED("inttotal='1'")), "to its shortest");
  XT_HAS(xt_refused(RANGED("inttotal='1e12'")), "steps for each actuator");
  ctModel* m = xt_load_string(RANGED("uselimit='true'"));
  XT_NEAR(m->actuator_lengthrange[1], m->jnt_range[1], 0);
  ct_model_free(m);
}

XT_TEST(mjcf, nested_classes_start_as_copies_of_their_parents) {
  ctModel* m = xt_load_string(
      "<mujoco><default><default class='a'><default class='b'><geom friction='.3'/></default><geom "
      "density='7'/></default>"
      "<geom rgba='1 0 0 1'/></default><worldbody><body childclass='b'><geom size='1'/><geom class='a' "
      "size='1'/></body>"
      "<geom size='1'/></worldbody></mujoco>");
  XT_NEAR(m->geom_friction[0], 1, 0);  // the world's geom comes first
  XT_NEAR(m->geom_friction[3], 0.3, 1e-7);
  XT_NEAR(m->geom_friction[6], 1, 0);
  for (int i = 0; i < 3; i++) XT_NEAR(m->geom_rgba[4 * i + 1], 0, 0);
  XT_NEAR(m->body_mass[1], 7 * 2 * 4 * 3.14159265358979 / 3, 1e-4);
  ct_model_free(m);
}

XT_TEST(mjcf, freejoint_takes_nothing_from_the_defaults) {
  ctModel* m = xt_load_string(
      "<mujoco><default><joint damping='3' armature='2'/></default><worldbody><body><freejoint/>"
      "<geom size='1'/></body></worldbody></mujoco>");
  XT_NEAR(m->dof_damping[0], 0, 0);
  XT_NEAR(m->dof_armature[5], 0, 0);
  ct_model_free(m);
}

XT_TEST(mjcf, files_come_from_memory_first) {
  const char text[] = "<mujoco model='from memory'/>";
  ctVfs* vfs = NULL;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  XT_INT(ct_vfs_add(vfs, "there/model.xml", text, sizeof(text) - 1, NULL), CT_OK);
  ctLoadOptions opt = {.vfs = vfs};
  ctModel* m = NULL;
  XT_INT(ct_model_load(&m, "there/model.xml", &opt, NULL), CT_OK);
  XT_TEXT(m->names, "from memory");
  ct_model_free(m);
  XT_INT(ct_model_load(&m, "elsewhere.xml", &opt, NULL), CT_ERR_NOT_FOUND);
  XT_TRUE(m == NULL);
  ct_vfs_free(vfs);
}

// A model made of files in memory.
static ctStatus load_files(ctModel** m, ctError* err, const char* const (*files)[2], int n) {
  ctVfs* vfs = NULL;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  for (int i = 0; i < n; i++)
    XT_INT(ct_vfs_add(vfs, files[i][0], files[i][1], strlen(files[i][1]), NULL), CT_OK);
  ctLoadOptions opt = {.vfs = vfs};
  ctStatus status = ct_model_load(m, files[0][0], &opt, err);
  ct_vfs_free(vfs);
  return status;
}

XT_TEST(mjcf, includes_are_spliced_in_place_and_nest) {
  const char* const files[][2] = {
      {"dir/main.xml",
       "<mujoco><include file='defaults.xml'/><worldbody><site name='a'/><include file='sub/more.xml'/><site "
       "name='z'/></worldbody></mujoco>"},
      {"dir/defaults.xml", "<anything><default><site size='.5'/></default></anything>"},
      {"dir/sub/more.xml", "<x><site name='b'/><include file='deep.xml'/></x>"},
      {"dir/sub/deep.xml", "<x><body name='c'><site name='d'/></body></x>"}};
  ctModel* m = NULL;
  ctError err = {0};
  ctStatus status = load_files(&m, &err, files, 4);
  if (status != CT_OK) fail_msg("%s:%d: %s", err.file, err.line, err.message);
  XT_INT(m->nsite, 4);
  XT_TEXT(ct_model_id2name(m, CT_OBJ_SITE, 1), "b");
  XT_TEXT(ct_model_id2name(m, CT_OBJ_SITE, 2), "z");
  XT_NEAR(m->site_size[0], 0.5, 0);
  ct_model_free(m);
}

XT_TEST(mjcf, includes_that_go_wrong_say_where) {
  ctModel* m = NULL;
  ctError err = {0};
  const char* const cycle[][2] = {{"a.xml", "<mujoco><include file='b.xml'/></mujoco>"},
                                  {"b.xml", "<x><include file='a.xml'/></x>"}};
  XT_TRUE(load_files(&m, &err, cycle, 2) != CT_OK);
  XT_HAS(err.message, "included twice");
  XT_TEXT(err.file, "b.xml");
  const char* const missing[][2] = {{"a.xml", "<mujoco>\n <include file='none.xml'/></mujoco>"}};
  XT_INT(load_files(&m, &err, missing, 1), CT_ERR_NOT_FOUND);
  XT_INT(err.line, 2);
  XT_HAS(err.message, "none.xml");
  const char* const wrong[][2] = {
      {"a.xml", "<mujoco><worldbody><include file='b.xml'/></worldbody></mujoco>"},
      {"b.xml", "<x>\n<geom sise='1'/></x>"}};
  XT_TRUE(load_files(&m, &err, wrong, 2) != CT_OK);
  XT_TEXT(err.file, "b.xml");
  XT_INT(err.line, 2);
}

XT_TEST(mjcf, a_deep_chain_is_no_trouble_and_a_deeper_one_an_error) {
  for (int depth = 3000; depth <= 100000; depth += 97000) {
    size_t size = (size_t)depth * 32 + 200;
    char* text = malloc(size);
    char* at = text + sprintf(text, "<mujoco><worldbody>");
    for (int i = 0; i < depth; i++) at += sprintf(at, "<body pos='0 0 1'>");
    for (int i = 0; i < depth; i++) at += sprintf(at, "</body>");
    sprintf(at, "</worldbody></mujoco>");
    ctModel* m = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load_string(&m, text, strlen(text), NULL, &err);
    if (depth == 3000) {
      XT_INT(status, CT_OK);
      XT_INT(m->nbody, 3001);
    } else {
      XT_INT(status, CT_ERR_LIMIT);
      XT_TRUE(err.line == 1 && err.column > 1);
    }
    ct_model_free(m);
    free(text);
  }
}

static void count_line(void* context, ctLogLevel level, const char* text) {
  int* lines = (int*)context;
  if (level == CT_LOG_WARNING && strstr(text, "left out")) lines[0]++;
  if (strstr(text, "<string>:3:") && strstr(text, "unknown")) lines[1]++;
}

// Every mistake of a kind inside of frames and replicas, where MuJoCo does not look for them.
XT_TEST(mjcf, mistakes_inside_of_frames_are_left_out_with_a_remark) {
  const char* const inside[] = {"<geom size='1' sise='2'/>", "<geom size='1'><foo><bar/></foo></geom>",
                                "<body nane='x'><geom size='1'/></body>",
                                "<frame foo='1'><geom size='1'/></frame>"};
  for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
    for (int k = 0; k < 2; k++) {
      char text[512];
      int lines[2] = {0};
      const char* holder = k == 0 ? "frame" : "replicate";
      snprintf(text, sizeof(text), "<mujoco><worldbody>\n<%s%s>\n%s</%s></worldbody></mujoco>", holder,
               k == 0 ? "" : " count='1'", inside[i], holder);
      ctModel* m = NULL;
      const ctLog log = {count_line, lines};
      const ctLoadOptions opt = {.log = &log};
      XT_INT(ct_model_load_string(&m, text, strlen(text), &opt, NULL), CT_OK);
      XT_INT(m->ngeom, 1);
      XT_INT(lines[0], 1);
      XT_INT(lines[1], 1);
      ct_model_free(m);
    }
  }
  // elements of the tree itself, values, and what comes after
  XT_HAS(xt_refused(WORLD("<frame><foo/></frame>")), "unknown element <foo> in <frame>");
  XT_HAS(xt_refused(WORLD("<frame><body><foo/></body></frame>")), "unknown element <foo> in <body>");
  XT_HAS(xt_refused(WORLD("<frame><geom size='x'/></frame>")), "'x'");
  XT_HAS(xt_refused(WORLD("<frame><geom size='1'/></frame><geom sise='1'/>")), "unknown attribute \"sise\"");
}

XT_MAIN()
