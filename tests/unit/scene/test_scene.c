// What a scene lists, by option, and what cameras see.
#include "xt_alloc.h"
#include "xt_model.h"

#define WORLD                                                                                            \
  "<mujoco><option><flag sleep='enable'/></option><statistic meansize='0.1' meanmass='2' extent='2'/>"   \
  "<asset><material name='red' rgba='1 0 0 1' specular='0.25' shininess='0.75' "                         \
  "reflectance='0.125'/></asset>"                                                                        \
  "<worldbody><light name='sun' pos='0 0 3'/><light pos='1 0 3' active='false'/>"                        \
  "<camera name='side' pos='0 -2 1' xyaxes='1 0 0 0 0 1' fovy='30'/>"                                    \
  "<geom name='floor' type='plane' size='0 0 1'/>"                                                       \
  "<body name='ball' pos='0 0 0.099'><freejoint name='free'/><geom name='b' size='0.1' material='red'/>" \
  "<geom name='hidden' size='0.02' group='3' contype='0' conaffinity='0'/>"                              \
  "<geom name='clear' size='0.02' rgba='0 0 0 0' contype='0' conaffinity='0'/>"                          \
  "<site name='eye' pos='0 0 0.2' zaxis='0 0 -1'/></body>"                                               \
  "<body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0' pos='0 0 0.5'/>"                        \
  "<geom type='capsule' size='0.05 0.3' rgba='0 1 0 0.5'/><site name='hand' pos='0 0 -0.3'/></body>"     \
  "<site name='hook' pos='1 0 2'/></worldbody>"                                                          \
  "<tendon><spatial name='rope' width='0.01'><site site='hand'/><site site='hook'/></spatial></tendon>"  \
  "<actuator><motor joint='hinge' ctrlrange='-1 1'/></actuator>"                                         \
  "<sensor><rangefinder site='eye'/></sensor></mujoco>"

typedef struct {
  ctModel* m;
  ctData* d;
  ctScene* s;
} World;

static World setup(void) {
  World w = {.m = xt_load_string(WORLD)};
  w.d = xt_data(w.m);
  XT_INT(ct_forward(w.m, w.d), CT_OK);
  XT_INT(ct_scene_create(&w.s, w.m), CT_OK);
  return w;
}
static void teardown(World* w) {
  ct_scene_free(w->s);
  ct_data_free(w->d);
  ct_model_free(w->m);
}

// Items of a shape that belong to a kind of object.
static int count(const ctScene* s, ctShape shape, ctObjType type) {
  int n = 0;
  for (int i = 0; i < s->nitem; i++) n += s->items[i].shape == shape && s->items[i].type == type;
  return n;
}

static void show(World* w, const char* name) {
  ctSceneOption o;
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, name, true, NULL), CT_OK);
  XT_INT(ct_scene_update(w->s, w->m, w->d, &o, NULL), CT_OK);
}

XT_TEST(scene, shows_geoms_of_its_groups_that_are_not_clear) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  const char* const names[] = {"floor", "b"};
  for (int i = 0; i < 2; i++)
    XT_TRUE(ct_scene_find(w.s, CT_OBJ_GEOM, ct_model_name2id(w.m, CT_OBJ_GEOM, names[i])) >= 0);
  XT_INT(ct_scene_find(w.s, CT_OBJ_GEOM, ct_model_name2id(w.m, CT_OBJ_GEOM, "hidden")), -1);
  XT_INT(ct_scene_find(w.s, CT_OBJ_GEOM, ct_model_name2id(w.m, CT_OBJ_GEOM, "clear")), -1);
  show(&w, "geomgroup:3");
  XT_TRUE(ct_scene_find(w.s, CT_OBJ_GEOM, ct_model_name2id(w.m, CT_OBJ_GEOM, "hidden")) >= 0);
  teardown(&w);
}

XT_TEST(scene, gives_pose_size_and_material) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  int geom = ct_model_name2id(w.m, CT_OBJ_GEOM, "b");
  const ctItem* item = w.s->items + ct_scene_find(w.s, CT_OBJ_GEOM, geom);
  XT_INT(item->shape, CT_SHAPE_SPHERE);
  XT_NEAR(item->pos[2], 0.099, 1e-6);
  for (int k = 0; k < 3; k++) XT_NEAR(item->size[k], 0.1, 1e-6);
  XT_NEAR(item->rgba[0], 1, 0);
  XT_NEAR(item->rgba[1], 0, 0);
  XT_NEAR(item->specular, 0.25, 0);
  XT_NEAR(item->shininess, 0.75, 0);
  XT_NEAR(item->reflectance, 0.125, 0);
  XT_TRUE(item->castshadow && !item->mark);
  teardown(&w);
}

XT_TEST(scene, maps_bodies_to_items_and_back) {
  World w = setup();
  show(&w, "joint");
  int seen = 0;
  for (int body = 0; body < w.m->nbody; body++) {
    for (int k = w.s->body_itemadr[body]; k < w.s->body_itemadr[body + 1]; k++) {
      XT_INT(w.s->items[w.s->body_item[k]].body, body);
      seen++;
    }
  }
  XT_INT(seen, w.s->nitem);
  teardown(&w);
}

XT_TEST(scene, draws_a_tendon_along_its_path) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  int at = ct_scene_find(w.s, CT_OBJ_TENDON, 0);
  XT_TRUE(at >= 0);
  XT_NEAR(2 * w.s->items[at].size[2], 1.3, 1e-6);
  XT_NEAR(w.s->items[at].pos[2], 1.35, 1e-6);
  XT_NEAR(w.s->items[at].size[0], 0.01, 1e-7);
  teardown(&w);
}

XT_TEST(scene, draws_the_ray_of_a_rangefinder_as_long_as_it_is) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_LINE, CT_OBJ_SENSOR), 1);
  for (int i = 0; i < w.s->nitem; i++) {
    if (w.s->items[i].shape != CT_SHAPE_LINE) continue;
    XT_NEAR(w.s->items[i].size[2], (double)w.d->sensordata[0], 1e-6);
    XT_NEAR(w.s->items[i].mat[8], -1, 1e-6);  // downwards
  }
  teardown(&w);
}

XT_TEST(scene, shows_contact_forces_to_scale) {
  World w = setup();
  ctSceneOption o;
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, "contactforce", true, NULL), CT_OK);
  XT_INT(ct_scene_option_set(&o, "contactpoint", true, NULL), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, NULL), CT_OK);
  XT_INT(w.d->ncon, 1);
  XT_INT(count(w.s, CT_SHAPE_CYLINDER, CT_OBJ_UNKNOWN), 1);
  XT_INT(count(w.s, CT_SHAPE_ARROW, CT_OBJ_UNKNOWN), 1);
  ctReal force[6];
  XT_INT(ct_contact_force(w.m, w.d, 0, force), CT_OK);
  for (int i = 0; i < w.s->nitem; i++) {
    const ctItem* item = w.s->items + i;
    if (item->shape != CT_SHAPE_ARROW) continue;
    XT_TRUE(force[0] > 0);
    XT_NEAR(item->size[2], (double)force[0] * (double)w.m->vis.map.force / 2, 1e-4);
    XT_NEAR(item->mat[8], 1, 1e-6);  // the floor pushes the ball up
    XT_NEAR(item->size[0], 0.1 * (double)w.m->vis.scale.forcewidth, 1e-6);
    XT_TRUE(item->mark);
  }
  teardown(&w);
}

XT_TEST(scene, has_a_mark_for_every_flag) {
  const struct {
    const char* name;
    ctShape shape;
    ctObjType type;
    int n;
  } cases[] = {{"joint", CT_SHAPE_ARROW, CT_OBJ_JOINT, 1},
               {"joint", CT_SHAPE_BOX, CT_OBJ_JOINT, 1},
               {"camera", CT_SHAPE_BOX, CT_OBJ_CAMERA, 1},
               {"light", CT_SHAPE_CYLINDER, CT_OBJ_LIGHT, 2},
               {"inertia", CT_SHAPE_BOX, CT_OBJ_BODY, 2},
               {"com", CT_SHAPE_SPHERE, CT_OBJ_BODY, 2},
               {"actuator", CT_SHAPE_ARROW, CT_OBJ_ACTUATOR, 1},
               {"frame:body", CT_SHAPE_CYLINDER, CT_OBJ_XBODY, 6},
               {"frame:world", CT_SHAPE_CYLINDER, CT_OBJ_BODY, 3},
               {"frame:contact", CT_SHAPE_CYLINDER, CT_OBJ_UNKNOWN, 3},
               {"autoconnect", CT_SHAPE_CAPSULE, CT_OBJ_BODY, 2},
               {"label:body", CT_SHAPE_LABEL, CT_OBJ_BODY, 2},
               {"label:actuator", CT_SHAPE_LABEL, CT_OBJ_ACTUATOR, 1},
               {"label:camera", CT_SHAPE_LABEL, CT_OBJ_CAMERA, 1},
               {"label:sensor", CT_SHAPE_LABEL, CT_OBJ_SENSOR, 1}};
  World w = setup();
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
    XT_INT(count(w.s, cases[i].shape, cases[i].type), 0);
    show(&w, cases[i].name);
    XT_INT(count(w.s, cases[i].shape, cases[i].type), cases[i].n);
  }
  teardown(&w);
}

XT_TEST(scene, labels_sensors_with_their_readings) {
  World w = setup();
  show(&w, "label:sensor");
  char want[64];
  snprintf(want, sizeof(want), "sensor 0 %.3g", (double)w.d->sensordata[0]);
  const ctItem* item = w.s->items + w.s->nitem - 1;
  XT_TEXT(item->label, want);
  XT_NEAR(item->pos[2], 0.299, 1e-6);
  teardown(&w);
}

// A plain tendon that is held by its limit is mixed with the colour of constraints, by the impedance there.
XT_TEST(scene, colours_tendons_that_their_limits_hold) {
  const struct {
    const char* words;
    double red, green;
  } cases[] = {{"range='0 0.9'", 0.5 + 0.95 * 0.4, 0.05 * 0.5},
               {"range='0 2'", 0.5, 0.5},
               {"range='0 0.9' rgba='.2 .4 .6 1'", 0.2, 0.4}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[1024];
    snprintf(text, sizeof(text),
             "<mujoco><worldbody><site name='a'/><body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom "
             "size='.1'/>"
             "<site name='b'/></body></worldbody><tendon><spatial limited='true' %s><site site='a'/><site "
             "site='b'/>"
             "</spatial></tendon></mujoco>",
             cases[i].words);
    World w = {.m = xt_load_string(text)};
    w.d = xt_data(w.m);
    XT_INT(ct_forward(w.m, w.d), CT_OK);
    XT_INT(ct_scene_create(&w.s, w.m), CT_OK);
    XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
    const ctItem* item = w.s->items + ct_scene_find(w.s, CT_OBJ_TENDON, 0);
    XT_NEAR(item->rgba[0], cases[i].red, 1e-5);
    XT_NEAR(item->rgba[1], cases[i].green, 1e-5);
    teardown(&w);
  }
}

XT_TEST(scene, perturbation_and_selection_are_shown) {
  World w = setup();
  ctSceneOption o;
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, "perturb", true, NULL), CT_OK);
  o.selected = ct_model_name2id(w.m, CT_OBJ_BODY, "ball");
  w.d->xfrc_applied[6 * o.selected + 2] = 4;
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_ARROW, CT_OBJ_BODY), 1);
  XT_INT(count(w.s, CT_SHAPE_SPHERE, CT_OBJ_BODY), 1);  // the selected point
  int at = ct_scene_find(w.s, CT_OBJ_GEOM, ct_model_name2id(w.m, CT_OBJ_GEOM, "b"));
  XT_NEAR(w.s->items[at].emission, w.m->vis.global.glow, 0);
  teardown(&w);
}

XT_TEST(scene, dims_what_sleeps) {
  World w = setup();
  int geom = ct_model_name2id(w.m, CT_OBJ_GEOM, "b"), tree = w.m->body_treeid[w.m->geom_bodyid[geom]];
  show(&w, "island");
  ctItem awake = w.s->items[ct_scene_find(w.s, CT_OBJ_GEOM, geom)];
  XT_INT(ct_tree_sleep(w.m, w.d, &tree, 1, NULL), CT_OK);
  XT_INT(ct_forward(w.m, w.d), CT_OK);
  XT_INT(w.d->body_awake[w.m->geom_bodyid[geom]], CT_ASLEEP);
  show(&w, "island");
  ctItem asleep = w.s->items[ct_scene_find(w.s, CT_OBJ_GEOM, geom)];
  XT_TRUE(awake.rgba[0] + awake.rgba[1] + awake.rgba[2] >
          2 * (asleep.rgba[0] + asleep.rgba[1] + asleep.rgba[2]));
  // trees have colours of their own
  const ctItem* other =
      w.s->items + w.s->body_item[w.s->body_itemadr[ct_model_name2id(w.m, CT_OBJ_BODY, "arm")]];
  XT_TRUE(memcmp(other->rgba, awake.rgba, 3 * sizeof(float)) != 0);
  teardown(&w);
}

XT_TEST(scene, lists_lights_that_are_on_behind_the_headlight) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  XT_INT(w.s->nlight, 2);
  XT_INT(w.s->lights[0].id, -1);
  XT_INT(w.s->lights[1].id, 0);
  XT_TRUE(w.s->lights[1].spot && w.s->lights[1].castshadow);
  w.m->vis.headlight.active = 0;
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  XT_INT(w.s->nlight, 1);
  teardown(&w);
}

XT_TEST(option, unknown_names_are_refused_with_those_there_are) {
  ctSceneOption o;
  ctError err;
  ct_scene_option_default(&o);
  const char* const bad[] = {"shadows", "frame:bodies", "label:x", "geomgroup:6", "geomgroup:", ""};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    ctSceneOption before = o;
    XT_INT(ct_scene_option_set(&o, bad[i], true, &err), CT_ERR_ARGUMENT);
    XT_HAS(err.message, "there is no");
    XT_TRUE(memcmp(&before, &o, sizeof(o)) == 0);
  }
  XT_INT(ct_scene_option_set(&o, "shadows", true, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "contactforce");
  XT_HAS(err.message, "haze");
}

XT_TEST(camera, of_the_model_by_name_or_number) {
  World w = setup();
  ctCamera c;
  ctView v;
  XT_INT(ct_camera_find(w.m, "side", &c, NULL), CT_OK);
  XT_INT(c.kind, CT_CAMERA_FIXED);
  XT_INT(ct_camera_find(w.m, "0", &c, NULL), CT_OK);
  XT_INT(ct_camera_view(w.m, w.d, &c, &v), CT_OK);
  XT_NEAR(v.pos[1], -2, 1e-6);
  XT_NEAR(v.forward[1], 1, 1e-6);
  XT_NEAR(v.up[2], 1, 1e-6);
  XT_NEAR(v.top / v.znear, 0.2679491924, 1e-6);  // tan(15 degrees)
  teardown(&w);
}

XT_TEST(camera, free_one_looks_at_the_middle) {
  World w = setup();
  ctCamera c;
  ctView v;
  XT_INT(ct_camera_find(w.m, "free", &c, NULL), CT_OK);
  c.azimuth = 90;
  c.elevation = 0;
  c.distance = 3;
  c.lookat[0] = 1;
  c.lookat[1] = c.lookat[2] = 2;
  XT_INT(ct_camera_view(w.m, w.d, &c, &v), CT_OK);
  const float pos[3] = {1, -1, 2};
  for (int k = 0; k < 3; k++) XT_NEAR(v.pos[k], pos[k], 1e-6);
  XT_INT(ct_camera_find(w.m, "track:ball", &c, NULL), CT_OK);
  c.azimuth = 0;
  c.elevation = -90;
  c.distance = 1;
  XT_INT(ct_camera_view(w.m, w.d, &c, &v), CT_OK);
  XT_NEAR(v.pos[2], 1.099, 1e-6);
  XT_NEAR(v.up[0], 1, 1e-6);
  teardown(&w);
}

XT_TEST(camera, unknown_ones_are_refused) {
  World w = setup();
  ctCamera c;
  ctError err;
  XT_INT(ct_camera_find(w.m, "sid", &c, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "side");
  XT_INT(ct_camera_find(w.m, "1", &c, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_camera_find(w.m, "track:bal", &c, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "ball");
  c = (ctCamera){.kind = CT_CAMERA_FIXED, .id = 7};
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, &c), CT_ERR_ARGUMENT);
  teardown(&w);
}

// Two bones hold a strip; when the second turns, the vertices it holds go with it, and the shared one half
// way.
XT_TEST(skin, follows_its_bones) {
  World w = {.m = xt_load_string(
                 "<mujoco><worldbody><body name='a'><geom size='0.1' contype='0' conaffinity='0'/>"
                 "<body name='b' pos='1 0 0'><joint axis='0 0 1'/><geom size='0.1' contype='0' "
                 "conaffinity='0'/></body></body></worldbody>"
                 "<deformable><skin name='s' vertex='0 0 0 1 0 0 2 0 0 1 1 0' face='0 1 3 1 2 3'>"
                 "<bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 3' vertweight='1 0.5 1'/>"
                 "<bone body='b' bindpos='1 0 0' bindquat='1 0 0 0' vertid='1 2' vertweight='0.5 "
                 "1'/></skin></deformable></mujoco>")};
  w.d = xt_data(w.m);
  w.d->qpos[0] = (ctReal)1.5707963267948966;
  XT_INT(ct_forward(w.m, w.d), CT_OK);
  XT_INT(ct_scene_create(&w.s, w.m), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_SKIN, CT_OBJ_SKIN), 1);
  XT_NEAR(w.s->items[w.s->nitem - 1].size[0], 1, 0);  // as it is
  const float want[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0};
  XT_CLOSE(w.s->skin_vert, want, 12, 1e-6, "vertices");
  XT_NEAR(w.s->skin_normal[2], 1, 1e-6);
  teardown(&w);
}

// A sheet is a surface, or edges and vertices; a rope is capsules.
XT_TEST(flex, is_a_surface_or_what_it_is_made_of) {
  World w = {
      .m = xt_load_string(
          "<mujoco><worldbody><flexcomp name='c' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' "
          "radius='.01' mass='1'><edge equality='true'/></flexcomp><flexcomp name='r' type='grid' dim='1' "
          "count='4 1 1' spacing='.1 .1 .1' radius='.01' mass='1' pos='0 0 1'><edge equality='true'/>"
          "</flexcomp></worldbody></mujoco>")};
  w.d = xt_data(w.m);
  XT_INT(ct_forward(w.m, w.d), CT_OK);
  XT_INT(ct_scene_create(&w.s, w.m), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_FLEX, CT_OBJ_FLEX), 1);
  XT_INT(count(w.s, CT_SHAPE_CAPSULE, CT_OBJ_FLEX), 3);
  for (int i = 0; i < 9; i++) XT_NEAR(fabs((double)w.s->flex_normal[3 * i + 2]), 1, 1e-6);
  for (int i = 0; i < 3 * w.m->nflexvert; i++) XT_NEAR(w.s->flex_vert[i], w.d->flexvert_xpos[i], 1e-6);
  ctSceneOption o;
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, "flexskin", false, NULL), CT_OK);
  XT_INT(ct_scene_option_set(&o, "flexvert", true, NULL), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_FLEX, CT_OBJ_FLEX), 0);
  XT_INT(count(w.s, CT_SHAPE_CAPSULE, CT_OBJ_FLEX), 16 + 3);
  XT_INT(count(w.s, CT_SHAPE_SPHERE, CT_OBJ_FLEX), 9 + 4);
  XT_INT(ct_scene_option_set(&o, "flexgroup:0", false, NULL), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, NULL), CT_OK);
  XT_INT(count(w.s, CT_SHAPE_SPHERE, CT_OBJ_FLEX), 0);
  teardown(&w);
}

XT_TEST(item, of_a_program_fits_when_what_it_refers_to_is_there) {
  World w = setup();
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, NULL), CT_OK);
  for (int i = 0; i < w.s->nitem; i++) XT_TRUE(ct_item_fits(w.m, w.s->items + i));
  ctItem bad[6];
  for (int i = 0; i < 6; i++) bad[i] = w.s->items[0];
  bad[0].shape = CT_SHAPE_COUNT;
  bad[1].shape = (ctShape)-1;
  bad[2].shape = CT_SHAPE_MESH, bad[2].data = 0;  // the model has none
  bad[3].shape = CT_SHAPE_SKIN, bad[3].data = -1;
  bad[4].material = w.m->nmat;
  memset(bad[5].label, 'x', sizeof(bad[5].label));
  for (int i = 0; i < 6; i++) XT_TRUE(!ct_item_fits(w.m, bad + i));
  XT_TRUE(!ct_item_fits(NULL, w.s->items) && !ct_item_fits(w.m, NULL));
  teardown(&w);
}

XT_TEST(scene, survives_a_lack_of_memory) {
  bool done = false;
  for (int fail = 1; !done; fail++) {
    XT_TRUE(fail < 1000);
    xtAlloc counter = {0};
    ctAllocator allocator = xt_allocator(&counter);
    ctModel* m = NULL;
    ctScene* s = NULL;
    XT_INT(ct_model_load_string(&m, WORLD, strlen(WORLD), &(ctLoadOptions){.allocator = &allocator}, NULL),
           CT_OK);
    ctData* d = xt_data(m);
    XT_INT(ct_forward(m, d), CT_OK);
    int held = counter.held;
    counter.fail_at = counter.calls + fail;
    ctStatus status = ct_scene_create(&s, m);
    if (status == CT_OK) {
      status = ct_scene_update(s, m, d, NULL, NULL);
      if (status == CT_ERR_MEMORY) XT_INT(s->nitem, 0);
      if (status == CT_ERR_MEMORY) XT_INT(ct_scene_update(s, m, d, NULL, NULL), CT_OK);
      done = counter.calls < counter.fail_at;
    }
    XT_TRUE(status == CT_OK || status == CT_ERR_MEMORY);
    ct_scene_free(s);
    XT_INT(counter.held, held);
    ct_data_free(d);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
}

XT_TEST(scene, refuses_null_and_other_models) {
  World w = setup();
  ctModel* other = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(other);
  XT_INT(ct_scene_update(w.s, other, d, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_scene_update(NULL, w.m, w.d, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_scene_create(NULL, w.m), CT_ERR_ARGUMENT);
  XT_INT(ct_scene_find(NULL, CT_OBJ_GEOM, 0), -1);
  ct_scene_free(NULL);
  ct_data_free(d);
  ct_model_free(other);
  teardown(&w);
}

XT_MAIN()
