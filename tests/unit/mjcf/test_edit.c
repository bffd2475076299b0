// Edits of a spec: classes, plugins, places in lists, what refers to what is removed.
#include "xt_model.h"

static ctError err;

static ctSpec* parse(const char* text) {
  ctSpec* spec = NULL;
  if (ct_spec_load_string(&spec, text, strlen(text), NULL, &err) != CT_OK) fail_msg("%s", err.message);
  return spec;
}

static const char pendulum[] =
    "<mujoco><option timestep='0.01'><flag contact='enable'/></option>"
    "<extension><plugin plugin='mujoco.pid'><instance name='pid'><config key='kp' "
    "value='4'/></instance></plugin></extension>"
    "<default><default class='a'><geom size='2'/><default class='b'><geom "
    "size='3'/></default></default></default>"
    "<worldbody><body childclass='b'><joint name='j'/><geom name='g' class='b'/><site "
    "name='s'/></body></worldbody>"
    "<actuator><general name='x' joint='j' gear='2' gainprm='3'/><motor name='y' joint='j'/></actuator>"
    "<sensor><gyro name='p' site='s'/><jointpos name='q' joint='j'/><clock name='r'/></sensor></mujoco>";

XT_TEST(edit, settings_know_whether_they_were_said) {
  ctSpec* spec = parse(pendulum);
  assert_true(ct_spec_is_set(spec, "option", "timestep"));
  assert_false(ct_spec_is_set(spec, "option", "gravity"));
  assert_true(ct_spec_is_set(spec, "option/flag", "contact"));  // also where the default is said
  assert_false(ct_spec_is_set(spec, "option/flag", "gravity"));
  XT_INT(ct_spec_set(spec, "option", "gravity", "0 0 -1", &err), CT_OK);
  assert_true(ct_spec_is_set(spec, "option", "gravity"));
  assert_false(ct_spec_is_set(spec, "option", "nothing"));
  assert_false(ct_spec_is_set(NULL, "option", "gravity"));
  ct_spec_free(spec);
}

XT_TEST(edit, the_place_in_a_section_is_the_number_in_the_model) {
  ctSpec* spec = parse(pendulum);
  ctElement* e = ct_spec_find(spec, CT_OBJ_SENSOR, "r");
  XT_INT(ct_spec_move(spec, e, 0, &err), CT_OK);
  XT_INT(ct_spec_move(spec, ct_spec_find(spec, CT_OBJ_SENSOR, "p"), 2, &err), CT_OK);
  ctModel* m = NULL;
  XT_INT(ct_model_compile(&m, spec, &err), CT_OK);
  const char* const order[] = {"r", "q", "p"};
  for (int i = 0; i < 3; i++) XT_INT(ct_model_name2id(m, CT_OBJ_SENSOR, order[i]), i);
  ct_model_free(m);
  XT_INT(ct_spec_move(spec, e, 3, &err), CT_ERR_INVALID);
  XT_INT(ct_spec_move(spec, e, -1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_spec_move(spec, ct_spec_find(spec, CT_OBJ_GEOM, "g"), 0, &err), CT_ERR_INVALID);
  ct_spec_free(spec);
}

XT_TEST(edit, an_element_removed_alone_leaves_what_refers_to_it) {
  ctSpec* spec = parse(pendulum);
  ctModel* m = NULL;
  XT_INT(ct_spec_remove_alone(spec, ct_spec_find(spec, CT_OBJ_SITE, "s"), &err), CT_OK);
  XT_INT(ct_model_compile(&m, spec, &err), CT_ERR_INVALID);
  ctElement* gyro = ct_spec_find(spec, CT_OBJ_SENSOR, "p");
  assert_non_null(gyro);
  XT_INT(ct_spec_remove_alone(spec, gyro, &err), CT_OK);
  XT_INT(ct_model_compile(&m, spec, &err), CT_OK);
  XT_INT(m->nsensor, 2);
  ct_model_free(m);
  XT_INT(ct_spec_remove_alone(spec, ct_spec_world(spec), &err), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
}

XT_TEST(edit, a_class_that_goes_leaves_the_values) {
  ctSpec* spec = parse(pendulum);
  ctElement* g = ct_spec_find(spec, CT_OBJ_GEOM, "g");
  char text[20];
  XT_INT(ct_spec_remove_class(spec, "main", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_remove_class(spec, "none", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_remove_class(spec, "b", &err), CT_OK);
  XT_INT(ct_element_get(g, "class", text, sizeof(text), NULL, &err), CT_OK);
  assert_string_equal(text, "a");
  XT_INT(ct_element_get(g, "size", text, sizeof(text), NULL, &err), CT_OK);
  assert_string_equal(text, "3 0 0");
  XT_INT(ct_element_set_class(spec, g, "main", &err), CT_OK);
  XT_INT(ct_element_set_class(spec, g, "b", &err), CT_ERR_INVALID);
  XT_INT(ct_element_set_class(spec, ct_spec_world(spec), "a", &err), CT_ERR_INVALID);
  XT_INT(ct_spec_remove_class(spec, "a", &err), CT_OK);
  // what is written reads back
  size_t length = 0;
  XT_INT(ct_spec_save_string(spec, NULL, NULL, 0, &length, &err), CT_OK);
  char* written = malloc(length + 1);
  assert_non_null(written);
  XT_INT(ct_spec_save_string(spec, NULL, written, length + 1, NULL, &err), CT_OK);
  assert_null(strstr(written, "class"));
  assert_non_null(strstr(written, "size=\"3\""));
  free(written);
  ct_spec_free(spec);
}

XT_TEST(edit, plugins_of_elements_are_said_and_read_back) {
  ctSpec* spec = parse(pendulum);
  ctElement *x = ct_spec_find(spec, CT_OBJ_ACTUATOR, "x"), *pid = ct_spec_find(spec, CT_OBJ_PLUGIN, "pid");
  const char *plugin, *instance;
  char name[20], value[20];
  XT_INT(ct_element_get_plugin(pid, &plugin, &instance, &err), CT_OK);
  assert_string_equal(plugin, "mujoco.pid");
  assert_null(instance);
  XT_INT(ct_element_get_config(pid, 0, name, value, sizeof(name), &err), CT_OK);
  assert_string_equal(name, "kp");
  assert_string_equal(value, "4");
  XT_INT(ct_element_get_config(pid, 1, name, value, sizeof(name), &err), CT_ERR_INVALID);
  XT_INT(ct_element_get_config(pid, 0, name, value, 2, &err), CT_ERR_INVALID);
  XT_INT(ct_element_set_plugin(spec, x, NULL, "pid", NULL, &err), CT_OK);
  ctModel* m = NULL;
  XT_INT(ct_model_compile(&m, spec, &err), CT_OK);
  XT_INT(m->nplugin, 1);
  XT_INT(m->actuator_plugin[0], 0);
  XT_INT(m->actuator_plugin[1], -1);
  XT_NEAR(m->actuator_gear[0], 2, 0);
  ct_model_free(m);
  // one of its own, then none
  XT_INT(ct_element_set_plugin(spec, x, "mujoco.pid", NULL, (const char* const[]){"kp", "1", "kd", "2", NULL},
                               &err),
         CT_OK);
  XT_INT(ct_model_compile(&m, spec, &err), CT_OK);
  XT_INT(m->nplugin, 2);
  ct_model_free(m);
  XT_INT(ct_element_set_plugin(spec, x, NULL, NULL, NULL, &err), CT_OK);
  assert_string_equal(ct_element_tag(x), "general");
  XT_INT(ct_model_compile(&m, spec, &err), CT_OK);
  XT_INT(m->actuator_plugin[0], -1);
  XT_NEAR(m->actuator_gainprm[0], 3, 0);
  ct_model_free(m);
  XT_INT(ct_element_set_plugin(spec, ct_spec_find(spec, CT_OBJ_SITE, "s"), "mujoco.pid", NULL, NULL, &err),
         CT_ERR_INVALID);
  XT_INT(ct_element_set_plugin(spec, NULL, "mujoco.pid", NULL, NULL, &err), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
}

static const char sheet[] =
    "<mujoco><asset><material name='m0'/><material name='m1'/></asset><worldbody><body name='a'/><body "
    "name='b'/>"
    "<body name='c'/><body name='d'/></worldbody><deformable><flex name='f' dim='2' body='a b c d' "
    "vertex='0 0 0  1 0 0  0 1 0  1 1 0' element='0 1 2  1 3 2' material='%s'/></deformable></mujoco>";

XT_TEST(edit, elements_of_a_flex_have_one_material_or_one_each) {
  static const struct {
    const char* names;
    int material[2];
  } cases[] = {{"m1", {1, 1}}, {"m1 m0", {1, 0}}, {"", {-1, -1}}};
  char text[1000];
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof(text), sheet, cases[i].names);
    ctModel* m = NULL;
    if (ct_model_load_string(&m, text, strlen(text), NULL, &err) != CT_OK) fail_msg("%s", err.message);
    for (int k = 0; k < 2; k++) XT_INT(m->flex_matid[k], cases[i].material[k]);
    // and a spec of the model says the same
    ctSpec* spec = NULL;
    ctModel* again = NULL;
    if (ct_spec_from_model(&spec, m, NULL, NULL, &err) != CT_OK) fail_msg("%s", err.message);
    XT_INT(ct_model_compile(&again, spec, &err), CT_OK);
    for (int k = 0; k < 2; k++) XT_INT(again->flex_matid[k], cases[i].material[k]);
    ct_model_free(again);
    ct_spec_free(spec);
    ct_model_free(m);
  }
  ctModel* m = NULL;
  snprintf(text, sizeof(text), sheet, "m0 m1 m0");
  XT_INT(ct_model_load_string(&m, text, strlen(text), NULL, &err), CT_ERR_INVALID);
  snprintf(text, sizeof(text), sheet, "m0 m2");
  XT_INT(ct_model_load_string(&m, text, strlen(text), NULL, &err), CT_ERR_INVALID);
}

XT_MAIN()
