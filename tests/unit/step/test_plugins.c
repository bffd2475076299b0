// Plugins of a program: a library of one of each kind, and tables that are not what they say.
#include "corten/plugin.h"

#include <math.h>
#include <stdlib.h>

#include "xt_model.h"

typedef struct Opened {
  ctPluginLibrary* library;
  ctLoadOptions options;
} Opened;

static Opened open_examples(void) {
  Opened o = {0};
  ctError err = {0};
  if (ct_plugin_library_open(&o.library, CT_EXAMPLE_PLUGINS, &err) != CT_OK) fail_msg("%s", err.message);
  o.options.plugins = ct_plugin_library_list(o.library, &o.options.nplugin);
  return o;
}

static ctModel* load_example(const Opened* o) {
  ctModel* m = NULL;
  ctError err = {0};
  if (ct_model_load(&m, CT_SOURCE_DIR "/examples/plugins/model.xml", &o->options, &err) != CT_OK)
    fail_msg("%s", err.message);
  return m;
}

static ctData* make_data(const ctModel* m) {
  ctData* d = NULL;
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  return d;
}

XT_TEST(plugins, each_kind_does_its_part) {
  Opened o = open_examples();
  ctModel* m = load_example(&o);
  ctData* d = make_data(m);
  XT_INT(m->nplugin, 4);
  XT_INT(m->na, 1);
  XT_INT(m->npluginstate, 5);
  int hinge = m->jnt_qposadr[ct_model_name2id(m, CT_OBJ_JOINT, "hinge")];
  int string = m->jnt_qposadr[ct_model_name2id(m, CT_OBJ_JOINT, "string")];
  d->ctrl[0] = 1;
  // the spool turns by h a step; nothing moves before the gap is closed
  int free_steps = (int)(0.05 / (double)m->opt.timestep) - 2;
  ct_step_n(m, d, free_steps);
  XT_NEAR(d->qpos[hinge], 0, 1e-9);
  ct_step_n(m, d, 200);
  XT_TRUE((double)d->qpos[hinge] > 0.05);
  // the kite stands in the wind, and the odometer has counted its way
  XT_TRUE(fabs((double)d->qpos[string]) > 0.1);
  XT_TRUE((double)d->sensordata[0] > 0.04);
  // the brick lies on the plane
  ct_step_n(m, d, 1500);
  XT_NEAR(d->xpos[3 * ct_model_name2id(m, CT_OBJ_BODY, "brick") + 2], 0.04, 2e-3);
  ct_data_free(d);
  ct_model_free(m);
  ct_plugin_library_close(o.library);
}

XT_TEST(plugins, states_are_saved_restored_and_reset) {
  Opened o = open_examples();
  ctModel* m = load_example(&o);
  ctData *d = make_data(m), *e = make_data(m);
  ct_step_n(m, d, 100);
  int n = ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctReal* state = malloc((size_t)n * sizeof(ctReal));
  XT_INT(ct_data_get_state(m, d, state, CT_STATE_INTEGRATION), CT_OK);
  XT_INT(ct_data_set_state(m, e, state, CT_STATE_INTEGRATION), CT_OK);
  XT_SAME(e->plugin_state, d->plugin_state, m->npluginstate);
  ct_step_n(m, d, 50);
  ct_step_n(m, e, 50);
  XT_SAME(e->sensordata, d->sensordata, m->nsensordata);
  XT_SAME(e->qpos, d->qpos, m->nq);
  ct_data_reset(m, d);
  for (int i = 0; i < m->npluginstate; i++) XT_TRUE(d->plugin_state[i] == 0);
  free(state);
  ct_data_free(e);
  ct_data_free(d);
  ct_model_free(m);
  ct_plugin_library_close(o.library);
}

XT_TEST(plugins, binary_models_find_them_again_by_name) {
  Opened o = open_examples();
  ctModel *m = load_example(&o), *back = NULL;
  size_t size = ct_model_save_bytes(m, NULL, 0);
  void* bytes = malloc(size);
  ct_model_save_bytes(m, bytes, size);
  ctError err = {0};
  XT_INT(ct_model_load_bytes(&back, bytes, size, NULL, &err), CT_ERR_UNSUPPORTED);
  XT_HAS(err.message, "example.spool");
  // in another order
  const ctPlugin* turned[4];
  for (int i = 0; i < 4; i++) turned[i] = o.options.plugins[3 - i];
  ctLoadOptions options = {.plugins = turned, .nplugin = 4};
  if (ct_model_load_bytes(&back, bytes, size, &options, &err) != CT_OK) fail_msg("%s", err.message);
  ctData *d = make_data(m), *e = make_data(back);
  d->ctrl[0] = e->ctrl[0] = 1;
  ct_step_n(m, d, 100);
  ct_step_n(back, e, 100);
  XT_SAME(e->qpos, d->qpos, m->nq);
  free(bytes);
  ct_data_free(e);
  ct_data_free(d);
  ct_model_free(back);
  ct_model_free(m);
  ct_plugin_library_close(o.library);
}

// ---- bad input

#define MODEL(extension, body)                                                                           \
  "<mujoco><extension>" extension "</extension><worldbody><body><joint name='j'/><geom size='.1'/>" body \
  "</body></worldbody></mujoco>"

static const char* refused_with(const ctPlugin* p, const char* text, char out[600]) {
  ctModel* m = NULL;
  ctError err = {0};
  const ctPlugin* list[] = {p};
  ctLoadOptions options = {.plugins = list, .nplugin = 1};
  ctStatus status = ct_model_load_string(&m, text, strlen(text), &options, &err);
  if (status == CT_OK) fail_msg("accepted: %s", text);
  snprintf(out, 600, "%s", err.message);
  return out;
}

static ctStatus fail_prepare(const ctPlugin* p, const char* const* values, ctReal* prm, char* why,
                             size_t size) {
  (void)p, (void)values, (void)prm, (void)why, (void)size;
  return CT_ERR_INVALID;
}

static ctStatus infinite_prepare(const ctPlugin* p, const char* const* values, ctReal* prm, char* why,
                                 size_t size) {
  (void)p, (void)values, (void)why, (void)size;
  prm[3] = (ctReal)INFINITY;
  return CT_OK;
}

static void nan_passive(const ctPlugin* p, const ctModel* m, ctData* d, int instance, int body) {
  (void)p, (void)m, (void)instance, (void)body;
  d->qfrc_passive[0] = (ctReal)NAN;
}

static void no_passive(const ctPlugin* p, const ctModel* m, ctData* d, int instance, int body) {
  (void)p, (void)m, (void)d, (void)instance, (void)body;
}

XT_TEST(plugins, what_is_wrong_is_said_with_the_remedy) {
  char text[600];
  static const char* const keys[] = {"gain", "bias", NULL};
  const char* used = MODEL("<plugin plugin='t.p'/>", "<plugin plugin='t.p'/>");
  const ctPlugin good = {
      .name = "t.p", .capability = CT_PLUGIN_PASSIVE, .attributes = keys, .passive = no_passive};
  ctPlugin p = good;
  p.passive = NULL;
  XT_HAS(refused_with(&p, used, text), "needs a function passive");
  p = good;
  p.prepare = fail_prepare;
  XT_HAS(refused_with(&p, used, text), "refuses its attributes");
  p.prepare = infinite_prepare;
  XT_HAS(refused_with(&p, used, text), "not finite");
  p = good;
  p.capability = CT_PLUGIN_SENSOR | CT_PLUGIN_PASSIVE;
  XT_HAS(refused_with(&p, used, text), "sensor_size and sensor");
  p = good;
  XT_HAS(refused_with(&p, MODEL("", "<plugin plugin='t.p'/>"), text), "not declared");
  XT_HAS(refused_with(&p, MODEL("<plugin plugin='t.p'/>", "<plugin plugin='t.q'/>"), text), "load options");
  XT_HAS(refused_with(&p, MODEL("<plugin plugin='t.p'/>", "<plugin instance='x'/>"), text),
         "no plugin instance called \"x\"");
  XT_HAS(
      refused_with(
          &p, MODEL("<plugin plugin='t.p'/>", "<plugin plugin='t.p'><config key='gian' value='1'/></plugin>"),
          text),
      "did you mean \"gain\"");
  XT_HAS(
      refused_with(
          &p, MODEL("<plugin plugin='t.p'/>", "<plugin plugin='t.p'><config key='gain' value='x'/></plugin>"),
          text),
      "\"x\" is not a number");
  XT_HAS(refused_with(&p,
                      MODEL("<plugin plugin='t.p'><instance name='i'/></plugin>",
                            "<plugin instance='i'><config key='gain' value='1'/></plugin>"),
                      text),
         "where it is declared");
  XT_HAS(refused_with(&p, MODEL("<plugin plugin='t.p'><instance name='i'/><instance name='i'/></plugin>", ""),
                      text),
         "twice");
  XT_HAS(refused_with(&p, MODEL("<plugin plugin='mujoco.pdi'/>", "<plugin plugin='mujoco.pdi'/>"), text),
         "did you mean \"mujoco.pid\"");
  XT_HAS(refused_with(&p, MODEL("<plugin plugin='mujoco.pid'/>", "<plugin plugin='mujoco.pid'/>"), text),
         "does not compute passive forces");
}

XT_TEST(plugins, numbers_that_are_none_are_noticed) {
  const ctPlugin p = {.name = "t.p", .capability = CT_PLUGIN_PASSIVE, .passive = nan_passive};
  const ctPlugin* list[] = {&p};
  ctLoadOptions options = {.plugins = list, .nplugin = 1};
  const char* text = MODEL("<plugin plugin='t.p'/>", "<plugin plugin='t.p'/>");
  ctModel* m = NULL;
  XT_INT(ct_model_load_string(&m, text, strlen(text), &options, NULL), CT_OK);
  ctData* d = make_data(m);
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_TRUE(d->warning[CT_WARN_BADQACC].number > 0);
  ct_data_free(d);
  ct_model_free(m);
}

// The bodies of a deformable share one instance.
static void count_passive(const ctPlugin* p, const ctModel* m, ctData* d, int instance, int body) {
  (void)p, (void)d;
  if (instance == 0 && m->plugin_prm[0] == 3 && body > 0) d->qfrc_passive[m->body_dofadr[body]] += 1;
}

XT_TEST(plugins, a_flexcomp_gives_its_bodies_a_plugin) {
  static const char* const keys[] = {"gain", NULL};
  const ctPlugin p = {
      .name = "t.p", .capability = CT_PLUGIN_PASSIVE, .attributes = keys, .passive = count_passive};
  const ctPlugin* list[] = {&p};
  ctLoadOptions options = {.plugins = list, .nplugin = 1};
  static const char* const uses[] = {
      "<plugin plugin='t.p'/></extension>|<plugin plugin='t.p'><config key='gain' value='3'/></plugin>",
      "<plugin plugin='t.p'><instance name='i'><config key='gain' "
      "value='3'/></instance></plugin></extension>|"
      "<plugin instance='i'/>"};
  for (int use = 0; use < 2; use++) {
    char text[1000];
    const char* bar = strchr(uses[use], '|');
    snprintf(
        text, sizeof(text),
        "<mujoco><extension>%.*s<worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' "
        "radius='.01' mass='1'><pin id='0'/><edge equality='true'/>%s</flexcomp></worldbody></mujoco>",
        (int)(bar - uses[use]), uses[use], bar + 1);
    ctModel* m = NULL;
    ctError err = {0};
    XT_INT(ct_model_load_string(&m, text, strlen(text), &options, &err), CT_OK);
    if (!m) continue;
    XT_INT(m->nplugin, 1);
    XT_INT(m->body_plugin[0], -1);
    for (int i = 1; i < m->nbody; i++) XT_INT(m->body_plugin[i], 0);
    ctData* d = make_data(m);
    XT_INT(ct_forward(m, d), CT_OK);
    for (int i = 1; i < m->nbody; i++) XT_TRUE(d->qfrc_passive[m->body_dofadr[i]] == 1);
    ct_data_free(d);
    ct_model_free(m);
  }
}

XT_TEST(plugins, libraries_that_are_none) {
  ctPluginLibrary* library = NULL;
  ctError err = {0};
  XT_INT(ct_plugin_library_open(&library, "/nowhere/libnone.so", &err), CT_ERR_NOT_FOUND);
  XT_TRUE(library == NULL);
  XT_INT(ct_plugin_library_open(&library, "libm.so.6", &err), CT_ERR_INVALID);
  XT_HAS(err.message, "lists no plugins");
  XT_INT(ct_plugin_library_open(NULL, NULL, &err), CT_ERR_ARGUMENT);
  ct_plugin_library_close(NULL);
  int count = 1;
  XT_TRUE(ct_plugin_library_list(NULL, &count) == NULL && count == 0);
}

// ---- files from elsewhere

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static ctStatus read_archive(void* context, const char* name, ctBytes* out) {
  int* asked = context;
  ++*asked;
  if (strcmp(name, "parts/t.tet") != 0) return strcmp(name, "broken.tet") == 0 ? CT_ERR_IO : CT_ERR_NOT_FOUND;
  *out = (ctBytes){.data = "tet 1", .size = 5};
  return CT_OK;
}

static ctStatus decode_tet(const ctDecoder* decoder, const char* name, const void* data, size_t size,
                           ctBytes* out, char* why, size_t why_size) {
  (void)decoder, (void)name;
  if (size != 5 || memcmp(data, "tet 1", 5) != 0) {
    snprintf(why, why_size, "it does not begin with \"tet 1\"");
    return CT_ERR_SYNTAX;
  }
  *out = (ctBytes){.data = tetrahedron, .size = sizeof(tetrahedron) - 1};
  return CT_OK;
}

#define MESH(file)                            \
  "<mujoco><asset><mesh name='t' file='" file \
  "'/></asset><worldbody><geom type='mesh' mesh='t'/></worldbody></mujoco>"

XT_TEST(plugins, a_mounted_folder_and_a_decoder_bring_a_mesh) {
  int asked = 0;
  ctVfs* vfs = NULL;
  ctError err = {0};
  XT_INT(ct_vfs_create(&vfs, NULL, &err), CT_OK);
  XT_INT(ct_vfs_mount(vfs, "archive", read_archive, &asked, &err), CT_OK);
  const ctDecoder tet = {
      .extension = "tet", .content_type = "model/tet", .result = "model/obj", .decode = decode_tet};
  const ctDecoder* decoders[] = {&tet};
  ctLoadOptions options = {.vfs = vfs, .decoders = decoders, .ndecoder = 1};
  ctModel* m = NULL;
  const char* text = MESH("archive/parts/t.tet");
  if (ct_model_load_string(&m, text, strlen(text), &options, &err) != CT_OK) fail_msg("%s", err.message);
  XT_INT(m->nmeshvert, 4);
  XT_INT(m->nmeshface, 4);
  XT_TRUE(asked > 0);
  ct_model_free(m);
  text = MESH("archive/parts/none.tet");
  XT_INT(ct_model_load_string(&m, text, strlen(text), &options, &err), CT_ERR_NOT_FOUND);
  text = MESH("archive/broken.tet");
  XT_INT(ct_model_load_string(&m, text, strlen(text), &options, &err), CT_ERR_IO);
  XT_HAS(err.message, "archive");
  XT_INT(ct_vfs_add(vfs, "bad.tet", "tot 1", 5, &err), CT_OK);
  text = MESH("bad.tet");
  XT_INT(ct_model_load_string(&m, text, strlen(text), &options, &err), CT_ERR_SYNTAX);
  XT_HAS(err.message, "does not begin with");
  XT_INT(ct_vfs_mount(vfs, "", read_archive, &asked, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_mount(NULL, "a", read_archive, &asked, &err), CT_ERR_ARGUMENT);
  ct_vfs_free(vfs);
}

XT_MAIN()
