#include "xt_alloc.h"
#include "xt_model.h"

#define ATTRS(...) ((const char* const[]){__VA_ARGS__, NULL})

static ctError err;

static ctSpec* parse(const char* text) {
  ctSpec* spec = NULL;
  if (ct_spec_load_string(&spec, text, strlen(text), NULL, &err) != CT_OK) fail_msg("%s", err.message);
  return spec;
}

static ctElement* add(ctSpec* spec, ctElement* parent, const char* tag, const char* const* attrs) {
  ctElement* e = NULL;
  if (ct_spec_add(&e, spec, parent, tag, attrs, &err) != CT_OK) fail_msg("%s: %s", tag, err.message);
  return e;
}

static ctModel* compile(const ctSpec* spec) {
  ctModel* m = NULL;
  if (ct_model_compile(&m, spec, &err) != CT_OK) fail_msg("%s:%d: %s", err.file, err.line, err.message);
  return m;
}

// Every field equal, byte by byte.
static void same_model(const ctModel* a, const ctModel* b, const char* what) {
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField x, y;
    const char* name = ct_model_field_name(i);
    if (strcmp(name, "signature") == 0) continue;
    XT_INT(ct_model_field(a, name, &x), CT_OK);
    XT_INT(ct_model_field(b, name, &y), CT_OK);
    if (x.rows != y.rows || x.cols != y.cols)
      fail_msg("%s: %s has %d and %d rows", what, name, (int)x.rows, (int)y.rows);
    static const size_t sizes[] = {[CT_FIELD_REAL] = sizeof(ctReal), [CT_FIELD_INT] = sizeof(int)};
    size_t size = x.type == CT_FIELD_REAL || x.type == CT_FIELD_INT ? sizes[x.type] : 1;
    if (x.data && memcmp(x.data, y.data, (size_t)(x.rows * x.cols) * size) != 0)
      fail_msg("%s: %s differs", what, name);
  }
}

static const char* const models[] = {"tests/models/mjcf/actuators.xml",
                                     "tests/models/mjcf/constraints.xml",
                                     "tests/models/mjcf/scene.xml",
                                     "tests/models/mjcf/tendons.xml",
                                     "tests/models/mjcf/replicate.xml",
                                     "tests/models/mjcf/attach_bodies.xml",
                                     "tests/models/mjcf/attach_world.xml",
                                     "tests/models/mjcf/attach_settings.xml",
                                     "tests/models/mjcf/frame_scale.xml",
                                     "tests/models/mjcf/frame_stretch.xml",
                                     "tests/models/chain.xml",
                                     "tests/models/inertias.xml"};

static ctSpec* load(const char* path) {
  ctSpec* spec = NULL;
  char full[512];
  snprintf(full, sizeof(full), "%s/%s", CT_SOURCE_DIR, path);
  if (ct_spec_load(&spec, full, NULL, &err) != CT_OK) fail_msg("%s:%d: %s", err.file, err.line, err.message);
  return spec;
}

XT_TEST(spec, a_model_built_by_code_is_the_one_of_the_file) {
  ctSpec* read = parse(
      "<mujoco model='built'><option timestep='0.01' gravity='0 0 -3'><flag contact='disable'/></option>"
      "<compiler angle='radian'/><visual><map znear='.02'/></visual>"
      "<default><geom friction='.5'/><motor gear='7'/><default class='thin'><geom "
      "size='.02'/></default></default>"
      "<asset><material name='red' rgba='1 0 0 1'/></asset>"
      "<custom><numeric name='n' data='1 2'/><text name='t' data='words'/><tuple name='u'><element "
      "objtype='body' "
      "objname='arm' prm='3'/></tuple></custom>"
      "<worldbody><frame name='f' pos='1 2 3' euler='.1 .2 .3'><body name='arm' childclass='thin'>"
      "<inertial pos='0 0 1' mass='2' diaginertia='1 1 1'/><joint name='j' axis='0 1 0' range='-1 1'/>"
      "<geom name='g' material='red'/><geom name='h' class='main' type='box' size='1 2 3'/><site name='s'/>"
      "<camera name='c'/><light name='l'/></body></frame><body name='m' mocap='true'/></worldbody>"
      "<contact><exclude body1='arm' body2='m'/><pair geom1='g' geom2='h'/></contact>"
      "<equality><joint joint1='j'/></equality><tendon><fixed name='t'><joint joint='j' "
      "coef='2'/></fixed></tendon>"
      "<actuator><motor name='a' joint='j'/><position name='p' tendon='t' kp='5' dampratio='1'/></actuator>"
      "<sensor><jointpos joint='j'/><clock/></sensor><keyframe><key name='k' "
      "qpos='.5'/></keyframe></mujoco>");
  ctSpec* spec = NULL;
  XT_INT(ct_spec_create(&spec, NULL, &err), CT_OK);
  XT_INT(ct_spec_set(spec, "mujoco", "model", "built", &err), CT_OK);
  XT_INT(ct_spec_set(spec, "option", "timestep", "0.01", &err), CT_OK);
  XT_INT(ct_spec_set(spec, "option", "gravity", "0 0 -3", &err), CT_OK);
  XT_INT(ct_spec_set(spec, "option/flag", "contact", "disable", &err), CT_OK);
  XT_INT(ct_spec_set(spec, "compiler", "angle", "radian", &err), CT_OK);
  XT_INT(ct_spec_set(spec, "visual/map", "znear", ".02", &err), CT_OK);
  XT_INT(ct_spec_set_default(spec, NULL, "geom", "friction", ".5", &err), CT_OK);
  XT_INT(ct_spec_set_default(spec, "main", "motor", "gear", "7", &err), CT_OK);
  XT_INT(ct_spec_add_class(spec, "thin", NULL, &err), CT_OK);
  XT_INT(ct_spec_set_default(spec, "thin", "geom", "size", ".02", &err), CT_OK);
  add(spec, NULL, "asset/material", ATTRS("name", "red", "rgba", "1 0 0 1"));
  add(spec, NULL, "custom/numeric", ATTRS("name", "n", "data", "1 2"));
  add(spec, NULL, "custom/text", ATTRS("name", "t", "data", "words"));
  ctElement* tuple = add(spec, NULL, "custom/tuple", ATTRS("name", "u"));
  add(spec, tuple, "element", ATTRS("objtype", "body", "objname", "arm", "prm", "3"));
  ctElement* world = ct_spec_world(spec);
  ctElement* frame = add(spec, world, "frame", ATTRS("name", "f", "pos", "1 2 3"));
  XT_INT(ct_element_set_reals(spec, frame, "euler", (double[]){.1, .2, .3}, 3, &err), CT_OK);
  ctElement* arm = add(spec, frame, "body", ATTRS("name", "arm", "childclass", "thin"));
  add(spec, arm, "inertial", ATTRS("pos", "0 0 1", "mass", "2", "diaginertia", "1 1 1"));
  add(spec, arm, "joint", ATTRS("name", "j", "axis", "0 1 0", "range", "-1 1"));
  add(spec, arm, "geom", ATTRS("name", "g", "material", "red"));
  add(spec, arm, "geom", ATTRS("name", "h", "class", "main", "type", "box", "size", "1 2 3"));
  add(spec, arm, "site", ATTRS("name", "s"));
  add(spec, arm, "camera", ATTRS("name", "c"));
  add(spec, arm, "light", ATTRS("name", "l"));
  add(spec, world, "body", ATTRS("name", "m", "mocap", "true"));
  add(spec, NULL, "contact/exclude", ATTRS("body1", "arm", "body2", "m"));
  add(spec, NULL, "contact/pair", ATTRS("geom1", "g", "geom2", "h"));
  add(spec, NULL, "equality/joint", ATTRS("joint1", "j"));
  ctElement* tendon = add(spec, NULL, "tendon/fixed", ATTRS("name", "t"));
  add(spec, tendon, "joint", ATTRS("joint", "j", "coef", "2"));
  add(spec, NULL, "actuator/motor", ATTRS("name", "a", "joint", "j"));
  ctElement* servo = add(spec, NULL, "actuator/position", ATTRS("name", "p", "tendon", "t"));
  XT_INT(ct_element_set(spec, servo, "kp", "5", &err), CT_OK);
  XT_INT(ct_element_set(spec, servo, "kv", "3", &err), CT_OK);
  XT_INT(ct_element_set(spec, servo, "dampratio", "1", &err), CT_OK);
  add(spec, NULL, "sensor/jointpos", ATTRS("joint", "j"));
  add(spec, NULL, "sensor/clock", NULL);
  add(spec, NULL, "keyframe/key", ATTRS("name", "k", "qpos", ".5"));
  ctModel *a = compile(read), *b = compile(spec);
  same_model(a, b, "built");
  ct_model_free(a);
  ct_model_free(b);
  ct_spec_free(read);
  ct_spec_free(spec);
}

static void count_remark(void* context, ctLogLevel level, const char* text) {
  XT_TRUE(level <= CT_LOG_WARNING && text[0] != 0);
  ++*(int*)context;
}

XT_TEST(spec, remarks_go_to_the_log_of_the_spec) {
  int remarks = 0;
  const ctLog log = {.write = count_remark, .context = &remarks};
  ctSpec* spec = parse("<mujoco><option><flag nativeccd='disable'/></option></mujoco>");
  ct_model_free(compile(spec));
  XT_INT(remarks, 0);
  XT_INT(ct_spec_set_log(spec, &log), CT_OK);
  XT_INT(ct_spec_set_log(NULL, &log), CT_ERR_ARGUMENT);
  ct_model_free(compile(spec));
  XT_INT(remarks, 1);
  XT_INT(ct_spec_set_log(spec, NULL), CT_OK);
  ct_model_free(compile(spec));
  XT_INT(remarks, 1);
  ct_spec_free(spec);
}

XT_TEST(spec, defaults_of_actuators_read_back) {
  char text[80];
  size_t length;
  ctSpec* spec = parse("<mujoco><default><position kp='3' ctrlrange='-1 1'/></default></mujoco>");
  XT_INT(ct_spec_get_default(spec, NULL, "position", "kp", text, sizeof(text), &length, &err), CT_OK);
  XT_TEXT(text, "3");
  XT_INT(ct_spec_get_default(spec, NULL, "motor", "ctrlrange", text, sizeof(text), &length, &err), CT_OK);
  XT_TEXT(text, "-1 1");
  XT_INT(ct_spec_get_default(spec, NULL, "position", "kv", text, sizeof(text), &length, &err), CT_OK);
  XT_INT((int)length, 0);
  XT_INT(ct_spec_get_default(spec, NULL, "position", "kq", text, sizeof(text), &length, &err),
         CT_ERR_INVALID);
  ct_spec_free(spec);
}

// Everything follows from s and m: the law is checked against the model as it is authored.
XT_TEST(spec, a_scaled_frame_changes_the_units_of_length_and_mass) {
  static const char text[] =
      "<mujoco><worldbody><frame name='f' pos='1 2 3'><body name='b' pos='4 5 6'><joint type='slide' "
      "stiffness='7' "
      "range='-1 1'/><joint stiffness='8' damping='9'/><geom type='box' size='.1 .2 .3'/><body pos='.1 .2 "
      ".3'>"
      "<joint/><geom size='.1'/></body></body></frame></worldbody></mujoco>";
  const double s = 2, m = 5;
  for (int geometry = 0; geometry < 2; geometry++) {
    ctSpec* spec = parse(text);
    ctModel* before = compile(spec);
    ctElement* frame = ct_spec_find(spec, CT_OBJ_FRAME, "f");
    XT_INT(ct_element_set(spec, frame, "scale", "2", &err), CT_OK);
    XT_INT(ct_element_set(spec, frame, "massscale", "5", &err), CT_OK);
    if (geometry) XT_INT(ct_element_set(spec, frame, "scaling", "geometry", &err), CT_OK);
    XT_INT(ct_spec_fuse_static(spec, NULL, &err), CT_ERR_UNSUPPORTED);
    ctModel* after = compile(spec);
    const double force = geometry ? 1 : m;
    for (int i = 0; i < 3; i++) {
      XT_NEAR(after->body_pos[3 + i], i + 1 + s * (i + 4), XT_TOL(1e-13, 1e-6));
      XT_NEAR(after->body_pos[6 + i], s * (double)before->body_pos[6 + i], XT_TOL(1e-13, 1e-6));
      XT_NEAR(after->body_inertia[3 + i], m * s * s * (double)before->body_inertia[3 + i],
              XT_TOL(1e-11, 1e-4));
    }
    XT_NEAR(after->body_mass[1], m * (double)before->body_mass[1], XT_TOL(1e-11, 1e-4));
    XT_NEAR(after->jnt_range[1], s, XT_TOL(1e-13, 1e-6));
    XT_NEAR(after->jnt_stiffness[0], 7 * force, XT_TOL(1e-11, 1e-4));
    XT_NEAR(after->jnt_stiffness[1], 8 * force * (geometry ? 1 : s * s), XT_TOL(1e-11, 1e-4));
    XT_NEAR(after->dof_damping[1], 9 * force * (geometry ? 1 : s * s), XT_TOL(1e-11, 1e-4));
    // the spec keeps what its author said
    XT_INT(ct_element_set(spec, frame, "scale", "1", &err), CT_OK);
    XT_INT(ct_element_set(spec, frame, "massscale", "0", &err), CT_OK);
    ctModel* again = compile(spec);
    same_model(before, again, "scaled back");
    ct_model_free(before);
    ct_model_free(after);
    ct_model_free(again);
    ct_spec_free(spec);
  }
}

XT_TEST(spec, every_attribute_reads_back_as_it_was_set) {
  int seen = 0;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    ctSpec* spec = load(models[i]);
    ctModel* before = compile(spec);
    for (int type = CT_OBJ_BODY; type <= CT_OBJ_FRAME; type++) {
      ctElement* all[400];
      int n = ct_spec_list(spec, (ctObjType)type, all, 400);
      XT_TRUE(n >= 0 && n < 400);
      for (int k = 0; k < n; k++) {
        XT_TRUE(all[k] == ct_spec_world(spec) ||
                (int)ct_element_type(all[k]) == (type == CT_OBJ_XBODY ? CT_OBJ_BODY : type));
        for (int a = 0; a < ct_element_attr_count(all[k]); a++) {
          ctAttr attr;
          XT_INT(ct_element_attr(all[k], a, &attr), CT_OK);
          const char* name = attr.name;
          char text[20000], back[20000];
          XT_INT(ct_element_get(all[k], name, text, sizeof(text), NULL, &err), CT_OK);
          if (text[0] == 0 || strcmp(name, "class") == 0) continue;
          // a shortcut is set by its words, a range that is inherited takes the given one back, and the old
          // word for the type of a light overrules it
          if (strcmp(name, "inheritrange") == 0 || strcmp(name, "ctrlrange") == 0 ||
              strcmp(name, "actrange") == 0 || strcmp(name, "posrange") == 0 ||
              strcmp(name, "directional") == 0 || strcmp(name, "input") == 0 ||
              strcmp(name, "gaintype") == 0 || strcmp(name, "diaginertia") == 0)
            continue;
          if (ct_element_set(spec, all[k], name, text, &err) != CT_OK)
            fail_msg("%s %s=\"%s\": %s", ct_element_tag(all[k]), name, text, err.message);
          XT_INT(ct_element_get(all[k], name, back, sizeof(back), NULL, &err), CT_OK);
          XT_TEXT(back, text);
          seen++;
        }
      }
    }
    ctModel* after = compile(spec);
    same_model(before, after, models[i]);
    ct_model_free(before);
    ct_model_free(after);
    ct_spec_free(spec);
  }
  XT_TRUE(seen > 5000);
}

XT_TEST(spec, a_copy_compiles_to_the_same_model_and_shares_nothing) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    ctSpec *spec = load(models[i]), *copy = NULL;
    ctModel* a = compile(spec);
    if (ct_spec_copy(&copy, spec, &err) != CT_OK) fail_msg("%s", err.message);
    ct_spec_free(spec);
    ctModel* b = compile(copy);
    same_model(a, b, models[i]);
    ct_model_free(a);
    ct_model_free(b);
    ct_spec_free(copy);
  }
}

XT_TEST(spec, what_is_removed_takes_along_what_refers_to_it) {
  ctSpec* spec = parse(
      "<mujoco><worldbody><frame name='f'><body name='a'><joint name='j'/><geom size='1'/></body><geom "
      "name='g' "
      "size='1'/></frame><body name='b'><joint name='k'/><geom size='1'/></body></worldbody><tendon><fixed "
      "name='t'><joint joint='j' coef='1'/><joint joint='k' coef='1'/></fixed></tendon><actuator><motor "
      "name='m' "
      "tendon='t'/><motor name='n' joint='k'/></actuator><sensor><actuatorfrc actuator='m'/><jointpos "
      "joint='k'/></sensor></mujoco>");
  XT_INT(ct_spec_remove(spec, ct_spec_find(spec, CT_OBJ_BODY, "a"), &err), CT_OK);
  ctModel* m = compile(spec);
  XT_INT(m->nbody, 2);
  XT_INT(m->ntendon, 0);
  XT_INT(m->nactuator, 1);
  XT_INT(m->nsensor, 1);
  ct_model_free(m);
  XT_INT(ct_spec_remove(spec, ct_spec_find(spec, CT_OBJ_FRAME, "f"), &err), CT_OK);
  XT_INT(ct_spec_list(spec, CT_OBJ_GEOM, NULL, 0), 1);
  XT_INT(ct_spec_remove(spec, ct_spec_find(spec, CT_OBJ_ACTUATOR, "n"), &err), CT_OK);
  XT_INT(ct_spec_remove(spec, ct_spec_find(spec, CT_OBJ_JOINT, "k"), &err), CT_OK);
  m = compile(spec);
  XT_INT(m->nv + m->nactuator + m->nsensor, 0);
  ct_model_free(m);
  XT_INT(ct_spec_remove(spec, ct_spec_world(spec), &err), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
}

XT_TEST(spec, one_spec_attaches_to_another_with_prefix_and_suffix) {
  ctSpec* child = parse(
      "<mujoco><compiler angle='radian'/><asset><material name='red'/></asset><worldbody><frame "
      "name='f'><body "
      "name='leg'><joint name='hip' range='-1 1'/><geom size='.1' material='red'/></body></frame></worldbody>"
      "<actuator><motor name='drive' joint='hip'/></actuator></mujoco>");
  ctSpec* spec = parse("<mujoco><worldbody><frame name='at' pos='1 2 3'/></worldbody></mujoco>");
  ctElement *leg = NULL, *frame = NULL, *at = ct_spec_find(spec, CT_OBJ_FRAME, "at");
  for (int i = 0; i < 2; i++) {
    XT_INT(ct_spec_attach(&leg, spec, at, child, ct_spec_find(child, CT_OBJ_BODY, "leg"),
                          i ? "left_" : "right_", "_x", &err),
           CT_OK);
  }
  XT_TEXT(ct_element_name(leg), "left_leg_x");
  XT_TRUE(ct_element_parent(leg) == at);
  XT_INT(ct_spec_attach(&frame, spec, ct_spec_world(spec), child, ct_spec_find(child, CT_OBJ_FRAME, "f"),
                        NULL, "2", &err),
         CT_OK);
  XT_TEXT(ct_element_name(frame), "f2");
  ct_spec_free(child);
  ctModel* m = compile(spec);
  XT_INT(m->nbody, 4);
  XT_INT(m->nactuator, 3);
  XT_NEAR(m->jnt_range[1], 1, 0);
  XT_TRUE(ct_model_name2id(m, CT_OBJ_ACTUATOR, "left_drive_x") >= 0);
  XT_NEAR(m->body_pos[3 * ct_model_name2id(m, CT_OBJ_BODY, "left_leg_x")], 1, 0);
  ct_model_free(m);
  ct_spec_free(spec);
}

XT_TEST(spec, elements_move_into_frames_of_their_body) {
  ctSpec* spec = parse(
      "<mujoco><worldbody><frame name='a' pos='1 0 0'/><frame name='b' pos='0 2 0'/>"
      "<body name='x'><frame name='in'/><geom name='g' size='.1'/></body></worldbody>"
      "<sensor><framepos objtype='geom' objname='g'/></sensor></mujoco>");
  ctElement* a = ct_spec_find(spec, CT_OBJ_FRAME, "a");
  ctElement* b = ct_spec_find(spec, CT_OBJ_FRAME, "b");
  ctElement* x = ct_spec_find(spec, CT_OBJ_BODY, "x");
  ctElement* g = ct_spec_find(spec, CT_OBJ_GEOM, "g");
  XT_INT(ct_element_set_frame(x, b, &err), CT_OK);
  XT_INT(ct_element_set_frame(b, a, &err), CT_OK);
  XT_TRUE(ct_element_parent(x) == b && ct_element_parent(b) == a);
  ctModel* m = compile(spec);
  XT_CLOSE(m->body_pos + 3, ((ctReal[]){1, 2, 0}), 3, 0, "both frames");
  XT_INT(m->nsensor, 1);  // what refers to it stays
  ct_model_free(m);
  XT_INT(ct_element_set_frame(a, b, &err), CT_ERR_INVALID);  // around in a circle
  XT_INT(ct_element_set_frame(g, a, &err), CT_ERR_INVALID);  // another body
  XT_INT(ct_element_set_frame(g, x, &err), CT_ERR_INVALID);  // no frame
  XT_INT(ct_element_set_frame(ct_spec_world(spec), a, &err), CT_ERR_INVALID);
  XT_INT(ct_element_set_frame(NULL, a, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_element_set_frame(x, NULL, &err), CT_OK);
  m = compile(spec);
  XT_CLOSE(m->body_pos + 3, ((ctReal[]){0, 0, 0}), 3, 0, "no frame");
  ct_model_free(m);
  ct_spec_free(spec);
}

XT_TEST(spec, recompiling_keeps_the_state_of_what_keeps_its_name) {
  ctSpec* spec = parse(
      "<mujoco><worldbody><body name='a'><joint name='x'/><geom size='1'/></body><body name='b'><joint "
      "name='y'/><geom size='1'/></body><body name='m' mocap='true'/></worldbody><actuator><position "
      "name='p' joint='y' "
      "timeconst='1'/></actuator></mujoco>");
  ctModel* m = compile(spec);
  ctData* d = xt_data(m);
  d->qpos[1] = 3;
  d->qvel[1] = 4;
  d->ctrl[0] = 5;
  d->act[0] = 6;
  d->mocap_pos[2] = 7;
  d->time = 8;
  XT_INT(ct_spec_remove(spec, ct_spec_find(spec, CT_OBJ_BODY, "a"), &err), CT_OK);
  ctElement* b = ct_spec_find(spec, CT_OBJ_BODY, "b");
  XT_INT(ct_spec_add_xml(NULL, spec, b, "<body><joint name='z'/><geom size='1'/></body>", 46, &err), CT_OK);
  XT_INT(ct_model_recompile(&m, &d, spec, &err), CT_OK);
  XT_INT(m->nq, 2);
  XT_NEAR(d->qpos[0], 3, 0);
  XT_NEAR(d->qpos[1], 0, 0);
  XT_NEAR(d->qvel[0], 4, 0);
  XT_NEAR(d->ctrl[0], 5, 0);
  XT_NEAR(d->act[0], 6, 0);
  XT_NEAR(d->mocap_pos[2], 7, 0);
  XT_NEAR(d->time, 8, 0);
  XT_INT(ct_step(m, d), CT_OK);
  // a spec that does not compile changes neither
  XT_INT(ct_element_set(spec, ct_spec_find(spec, CT_OBJ_ACTUATOR, "p"), "joint", "none", &err), CT_OK);
  ctModel* kept = m;
  XT_INT(ct_model_recompile(&m, &d, spec, &err), CT_ERR_INVALID);
  XT_TRUE(m == kept);
  ct_data_free(d);
  ct_model_free(m);
  ct_spec_free(spec);
}

XT_TEST(spec, what_goes_wrong_says_so_and_changes_nothing) {
  ctSpec* spec = load("tests/models/mjcf/scene.xml");
  ctModel* before = compile(spec);
  ctElement* world = ct_spec_world(spec);
  static const struct {
    const char *tag, *name, *value, *complaint;
  } bad[] = {{"geom", "sise", "1", "did you mean \"size\""},
             {"geom", "size", "x", "'x'"},
             {"jeom", "size", "1", "<geom>"},
             {"joint", "axis", "1 0 0", "unknown element <joint>"},
             {"body", "childclass", "none", "not defined"},
             {"geom", "class", "none", "not defined"},
             {"inertial", "mass", "1", "<inertial>"}};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    ctElement* e = world;
    XT_INT(ct_spec_add(&e, spec, world, bad[i].tag, ATTRS(bad[i].name, bad[i].value), &err), CT_ERR_INVALID);
    XT_TRUE(e == NULL);
    XT_HAS(err.message, bad[i].complaint);
  }
  XT_INT(ct_spec_add(NULL, spec, NULL, "geom", NULL, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "needs a parent");
  XT_INT(ct_spec_add(NULL, spec, NULL, "sensor/jointpos", NULL, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "needs the attribute \"joint\"");
  const char* broken = "<body><geom size='1'/><body>\n<geom sise='1'/></body></body>";
  XT_INT(ct_spec_add_xml(NULL, spec, world, broken, strlen(broken), &err), CT_ERR_INVALID);
  XT_INT(err.line, 2);
  const char* half = "<body><geom size='1'/><body><geom class='none'/></body></body>";
  XT_INT(ct_spec_add_xml(NULL, spec, world, half, strlen(half), &err), CT_ERR_INVALID);
  const char* classes =
      "<default><default class='fresh'><geom size='1'/><default class='fresh'/></default></default>";
  for (int i = 0; i < 2; i++) {
    XT_INT(ct_spec_add_xml(NULL, spec, NULL, classes, strlen(classes), &err), CT_ERR_INVALID);
    XT_HAS(err.message, "\"fresh\" is defined twice");
    XT_INT(ct_spec_set_default(spec, "fresh", "geom", "size", "1", &err), CT_ERR_INVALID);
  }
  ctElement* geom;
  XT_TRUE(ct_spec_list(spec, CT_OBJ_GEOM, &geom, 1) > 0);
  XT_INT(ct_element_set(spec, geom, "type", "spher", &err), CT_ERR_INVALID);
  XT_HAS(err.message, "sphere");
  XT_INT(ct_element_set(spec, geom, "colour", "1", &err), CT_ERR_INVALID);
  XT_INT(ct_element_set(spec, geom, "class", "main", &err), CT_ERR_INVALID);
  XT_INT(ct_element_set_reals(spec, geom, "size", (double[]){1, 2, 3, 4}, 4, &err), CT_ERR_INVALID);
  XT_INT(ct_element_set_reals(spec, geom, "size", (double[]){NAN}, 1, &err), CT_ERR_INVALID);
  XT_INT(ct_element_set(spec, world, "pos", "1 2 3", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_set(spec, "options", "timestep", "1", &err), CT_ERR_INVALID);
  XT_HAS(err.message, "\"option\"");
  XT_INT(ct_spec_set(spec, "option", "timestep", "0", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_add_class(spec, "main", NULL, &err), CT_ERR_INVALID);
  XT_INT(ct_spec_add_class(spec, "new", "none", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_set_default(spec, "none", "geom", "size", "1", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_set_default(spec, NULL, "geom", "name", "x", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_attach(NULL, spec, world, spec, NULL, "x", NULL, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_spec_attach(NULL, spec, geom, spec, world, "x", NULL, &err), CT_ERR_ARGUMENT);
  ctModel* after = compile(spec);
  same_model(before, after, "after errors");
  ct_model_free(before);
  ct_model_free(after);
  ct_spec_free(spec);
}

XT_TEST(spec, running_out_of_memory_in_an_edit_is_reported_and_leaks_nothing) {
  bool done = false;
  for (int fail = 1; !done; fail++) {
    XT_TRUE(fail < 10000);
    xtAlloc counter = {.fail_at = fail};
    ctAllocator allocator = xt_allocator(&counter);
    ctLoadOptions opt = {.allocator = &allocator};
    ctSpec *spec = NULL, *copy = NULL;
    ctElement* body = NULL;
    ctStatus status = ct_spec_create(&spec, &opt, &err);
    for (int i = 0; i < 30 && status == CT_OK; i++) {
      status = ct_spec_add(&body, spec, ct_spec_world(spec), "body", ATTRS("pos", "1 2 3"), &err);
      if (status == CT_OK)
        status = ct_spec_add(NULL, spec, body, "geom", ATTRS("size", "1", "user", "1 2 3 4"), &err);
    }
    if (status == CT_OK) status = ct_spec_copy(&copy, spec, &err);
    if (status == CT_OK) status = ct_spec_attach(NULL, spec, body, copy, NULL, "x", NULL, &err);
    if (status == CT_OK) status = ct_spec_remove(spec, body, &err);
    done = status == CT_OK;
    if (!done) XT_INT(status, CT_ERR_MEMORY);
    ct_spec_free(copy);
    ct_spec_free(spec);
    XT_INT(counter.held, 0);
  }
}

XT_TEST(spec, a_body_becomes_a_frame_with_everything_in_it) {
  ctSpec* spec = parse(
      "<mujoco><worldbody><body name='p'><joint/><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
      "<body name='b' pos='0 2 0' euler='0 0 90'><joint name='j' axis='1 0 0'/><inertial pos='1 0 0' "
      "mass='1' "
      "diaginertia='1 1 1'/><geom name='g' pos='1 0 0' size='.1'/><body name='c' pos='0 0 3'><geom "
      "size='.1'/></body>"
      "</body></body></worldbody></mujoco>");
  ctElement *frame = NULL, *geom = ct_spec_find(spec, CT_OBJ_GEOM, "g");
  XT_INT(ct_spec_dissolve(&frame, spec, ct_spec_find(spec, CT_OBJ_BODY, "b"), &err), CT_OK);
  XT_TRUE(ct_element_parent(geom) == frame);
  ctModel* m = compile(spec);
  XT_INT(m->nbody, 3);
  XT_INT(m->njnt, 2);
  XT_INT(m->jnt_bodyid[1], 1);
  // the centre of mass of 3 kg at the origin and 1 kg at (0, 3, 0)
  XT_NEAR(m->body_mass[1], 4, 1e-6);
  XT_NEAR(m->body_ipos[4], 0.75, 1e-6);
  XT_NEAR(m->geom_pos[1], 3, 1e-6);
  XT_NEAR(m->body_pos[7], 2, 1e-6);
  XT_NEAR(m->body_pos[8], 3, 1e-6);
  ct_model_free(m);
  XT_INT(ct_spec_dissolve(NULL, spec, ct_spec_world(spec), &err), CT_ERR_INVALID);
  XT_INT(ct_spec_dissolve(NULL, spec, geom, &err), CT_ERR_INVALID);
  XT_INT(ct_spec_dissolve(NULL, spec, NULL, &err), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
}

XT_TEST(spec, files_are_looked_for_in_the_vfs_that_was_set_last) {
  static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  ctVfs* vfs = NULL;
  XT_INT(ct_vfs_create(&vfs, NULL, &err), CT_OK);
  XT_INT(ct_vfs_add(vfs, "a.obj", obj, sizeof(obj) - 1, &err), CT_OK);
  ctSpec *spec = parse("<mujoco/>"),
         *part = parse(
             "<mujoco><asset><mesh name='a' file='a.obj'/></asset><worldbody><body name='b'><geom "
             "type='mesh' mesh='a'/></body>"
             "</worldbody></mujoco>");
  XT_INT(ct_spec_attach(NULL, spec, ct_spec_world(spec), part, NULL, "", "", &err), CT_OK);
  ct_spec_free(part);
  ctModel* m = NULL;
  XT_TRUE(ct_model_compile(&m, spec, &err) != CT_OK);
  XT_INT(ct_spec_set_vfs(spec, vfs), CT_OK);
  m = compile(spec);
  XT_INT(m->nmeshvert, 4);
  ct_model_free(m);
  XT_INT(ct_spec_set_vfs(spec, NULL), CT_OK);
  XT_TRUE(ct_model_compile(&m, spec, &err) != CT_OK);
  XT_INT(ct_spec_set_vfs(NULL, vfs), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
  ct_vfs_free(vfs);
}

XT_MAIN()
