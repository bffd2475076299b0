// Models that must be refused: each gives an error at a position with words that help, and nothing is leaked
// or half built.
#include "xt_alloc.h"
#include "xt_model.h"

typedef struct Case {
  const char* text;   // inside <mujoco>
  const char* words;  // of the message
} Case;

#define BODY(inside)                                                                            \
  "<worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/>" inside \
  "</body></worldbody>"
#define MESH(attrs) \
  "<asset><mesh name='m' " attrs "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"
#define SENSOR(sensor) BODY("") "<sensor>" sensor "</sensor>"

#define DRIVE(attrs)         BODY("") "<actuator><general joint='j' " attrs "/></actuator>"
#define FRAME(attrs, inside) "<worldbody><frame " attrs ">" inside "</frame></worldbody>"
#define FRAME_INSIDE(inside) "<frame>" inside "</frame>"
#define STRETCH(inside)      FRAME("scale='1 2 3' scaling='geometry'", inside)

// clang-format off
static const Case cases[] = {
    // kinds of dynamics and gains that do not go together
    {DRIVE("dyntype='pid'"), "needs gaintype=\"pid\""},
    {DRIVE("gaintype='pid' biastype='affine' gainprm='0' dyntype='filter'"), "needs dyntype=\"pid\""},
    {DRIVE("gaintype='pid' biastype='affine' gainprm='0' dyntype='pid'"), "needs a state"},
    {DRIVE("dyntype='dcmotor'"), "actearly"},
    {DRIVE("gaintype='dcmotor'"), "1 states"},
    {DRIVE("gaintype='user' input='pos'"), "no input"},
    {DRIVE("actdim='1'"), "0 activations"},
    {DRIVE("dyntype='filter' actdim='0'"), "1 activation;"},
    {DRIVE("dyntype='user' actdim='0'"), "actdim is 0"},
    {SENSOR("<framequat objtype='body' objname='b' cutoff='1'/>"), "no cutoff"},
    {SENSOR("<user dim='-1'/>"), "not be negative"},
    {SENSOR("<user dim='2' datatype='axis'/>"), "dim=\"3\""},
    {SENSOR("<user dim='1' objtype='body'/>"), "needs objname"},
    // what the world cannot have, through a frame
    {FRAME("", "<joint/>"), "joint: the world has no joints"},
    {FRAME("", "<freejoint/>"), "the world has no joints"},
    {FRAME("", "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"), "inertial: the world has no inertia"},
    {FRAME("", FRAME_INSIDE("<joint/>")), "the world has no joints"},
    // height fields are a type of their own
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody><geom type='box' size='1 1 1' hfield='h'/></worldbody>", "geom: only a geom of type=\"hfield\""},
    // lengths that overflow
    {"<worldbody><body><joint axis='1e308 1e308 0'/><geom size='1'/></body></worldbody>", "joint: axis has zero length, or more"},
    {"<worldbody><body quat='1e308 1e308 0 0'/></worldbody>", "body: quat has zero length, or more"},
    {"<worldbody><geom size='1' axisangle='1e308 1e308 0 1'/></worldbody>", "geom: the axis of axisangle"},
    {"<worldbody><site zaxis='1e308 1e308 0'/></worldbody>", "site: zaxis"},
    {"<worldbody><camera xyaxes='1e308 1e308 0 0 1 0'/></worldbody>", "camera: xyaxes"},
    {"<worldbody><light dir='1e308 1e308 0'/></worldbody>", "light: dir"},
    {"<worldbody><geom type='capsule' size='1' fromto='1e308 1e308 0 0 0 0'/></worldbody>", "too far apart"},
    {"<worldbody><body><joint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1' quat='1e308 1e308 0 0'/></body></worldbody>", "inertial: quat"},
    {FRAME("quat='1e308 0 0 1e308'", "<geom size='1'/>"), "frame: quat"},
    // what excludes each other, or lacks what it needs
    {"<worldbody><geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 1 0 0'/></worldbody>", "exclude each other"},
    {"<worldbody><frame scale='2'><site size='1' fromto='0 0 0 1 0 0'/></frame></worldbody>", "fromto needs"},
    {"<worldbody><camera focal='1 1'/></worldbody>", "sensorsize"},
    {"<worldbody><camera fovy='180'/></worldbody>", "below 180"},
    {"<default><geom size='1'/><geom rgba='1 0 0 1'/></default>", "only once"},
    {BODY("") "<actuator><motor joint='j' delay='1'/></actuator>", "nsample"},
    {"<asset><material rgba='1 0 0 1'/></asset>", "needs a name"},
    {"<asset><texture builtin='flat' width='2' height='2'/></asset>", "needs a name"},
    {"<asset><mesh name='m' builtin='sphere' params='1'/></asset><worldbody><geom type='mesh' mesh='m' shellinertia='true'/></worldbody>", "inertia=\"shell\""},
    {BODY("") "<actuator><motor joint='j' cranklength='1'/></actuator>", "slider-crank"},
    {BODY("") "<actuator><motor joint='j' refsite='s'/></actuator>", "needs site"},
    {"<default><mesh file='x'/></default>", "default class"},
    {"<default><motor joint='x'/></default>", "default class"},
    // words with a slip, also for what may stand in every body
    {"<worldbody><bdy/></worldbody>", "did you mean <body>?"},
    {BODY("<fram/>"), "did you mean <frame>?"},
    {BODY("<replcate/>"), "did you mean <replicate>?"},
    {"<default><defalt/></default>", "did you mean <default>?"},
    // frames that cannot scale what they hold
    {FRAME("scale='0'", ""), "positive and finite"},
    {FRAME("scale='1 -1 1' scaling='geometry'", ""), "positive and finite"},
    {FRAME("scale='1 2'", ""), "one number or three"},
    {FRAME("scale='1 2 3'", ""), "scaling=\"geometry\""},
    {FRAME("massscale='-1'", ""), "not negative"},
    {FRAME("scaling='both'", ""), "geometry"},
    {STRETCH("<geom size='1'/>"), "use an ellipsoid"},
    {STRETCH("<geom type='capsule' size='1 1'/>"), "across its axis"},
    {STRETCH("<geom type='box' size='1 1 1' euler='10 0 0'/>"), "along its own axes"},
    {STRETCH("<body><joint axis='1 1 0'/><geom type='box' size='1 1 1'/></body>"), "axis of this joint"},
    {"<worldbody><frame scale='2'><body><joint name='j'/><geom size='1'/></body></frame></worldbody>"
     "<actuator><dcmotor joint='j' motorconst='1' resistance='1'/></actuator>", "scaling=\"geometry\""},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 2'/><mesh name='m@1' builtin='sphere' params='1'/></asset><worldbody>"
     "<geom type='mesh' mesh='m'/><frame scale='2'><geom type='mesh' mesh='m'/></frame></worldbody>", "several scales"},
    // a required attribute is missing
    {"<worldbody><body><inertial mass='1'/></body></worldbody>", "\"pos\""},
    {"<worldbody><replicate/></worldbody>", "\"count\""},
    {"<worldbody><attach/></worldbody>", "\"prefix\""},
    {"<asset><hfield name='h'/></asset>", "\"size\""},
    {"<asset><model/></asset>", "\"file\""},
    {"<custom><numeric data='1'/></custom>", "\"name\""},
    {"<custom><text name='t'/></custom>", "data"},
    {"<custom><tuple name='t'><element objtype='body'/></tuple></custom>", "\"objname\""},
    {"<contact><exclude body1='b'/></contact>", "\"body2\""},
    {"<contact><pair geom1='g'/></contact>", "\"geom2\""},
    {"<equality><joint/></equality>", "\"joint1\""},
    {"<equality><tendon/></equality>", "\"tendon1\""},
    {"<equality><connect body1='b'/></equality>", "\"anchor\""},
    {"<tendon><fixed><joint joint='j'/></fixed></tendon>", "\"coef\""},
    {"<tendon><spatial><site/></spatial></tendon>", "\"site\""},
    {"<tendon><spatial><pulley/></spatial></tendon>", "\"divisor\""},
    {SENSOR("<jointpos/>"), "\"joint\""},
    {SENSOR("<framepos objtype='body'/>"), "\"objname\""},
    {SENSOR("<user/>"), "\"dim\""},
    {BODY("") "<actuator><motor/></actuator>", "act on"},
    // a reference to nothing
    {"<worldbody><geom type='mesh' mesh='none'/></worldbody>", "none"},
    {"<worldbody><geom type='hfield' hfield='none'/></worldbody>", "none"},
    {"<worldbody><geom size='1' material='none'/></worldbody>", "none"},
    {"<worldbody><geom size='1' class='none'/></worldbody>", "none"},
    {"<worldbody><body childclass='none'/></worldbody>", "none"},
    {"<worldbody><camera mode='targetbody' target='none'/></worldbody>", "none"},
    {"<worldbody><attach model='none' prefix='p'/></worldbody>", "none"},
    {"<asset><material name='m' texture='none'/></asset>", "none"},
    {BODY("") "<contact><pair geom1='g' geom2='none'/></contact>", "none"},
    {BODY("") "<contact><exclude body1='b' body2='none'/></contact>", "none"},
    {BODY("") "<equality><weld body1='none'/></equality>", "none"},
    {BODY("") "<equality><joint joint1='none'/></equality>", "none"},
    {BODY("") "<tendon><fixed><joint joint='none' coef='1'/></fixed></tendon>", "none"},
    {BODY("") "<actuator><motor joint='none'/></actuator>", "none"},
    {SENSOR("<jointpos joint='none'/>"), "none"},
    {SENSOR("<framepos objtype='body' objname='none'/>"), "none"},
    {BODY("") "<custom><tuple name='t'><element objtype='body' objname='none'/></tuple></custom>", "none"},
    // of the wrong kind
    {SENSOR("<jointpos joint='g'/>"), "g"},
    {SENSOR("<framepos objtype='joint' objname='j'/>"), "joint"},
    {BODY("") "<actuator><motor joint='s'/></actuator>", "s"},
    {"<worldbody><geom type='ball' size='1'/></worldbody>", "ball"},
    {"<option integrator='fast'/>", "fast"},
    {"<worldbody><geom size='big'/></worldbody>", "big"},
    {"<option iterations='1.5'/>", "1.5"},
    {"<compiler autolimits='maybe'/>", "maybe"},
    // out of range
    {"<option timestep='-1'/>", "positive"},
    {"<option timestep='nan'/>", "nan"},
    {"<worldbody><geom size='-1'/></worldbody>", "positive"},
    {"<worldbody><geom size='1e999'/></worldbody>", "large"},
    {"<asset><material name='m' specular='1e60'/></asset>", "large"},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 1e99'/></asset>", "1e+99"},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 1.5'/></asset>", "1.5"},
    {"<worldbody><geom size='1' condim='2'/></worldbody>", "condim"},
    {"<worldbody><geom name='a' size='1'/><body><geom name='b' size='1'/></body></worldbody><contact><pair geom1='a' geom2='b' condim='5'/></contact>", "condim"},
    {"<worldbody><body><joint axis='0 0 0'/><geom size='1'/></body></worldbody>", "axis"},
    {"<worldbody><body quat='0 0 0 0'/></worldbody>", "quat"},
    {"<worldbody><body><joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body></worldbody>", "mass"},
    {"<worldbody><replicate count='-1'/></worldbody>", "negative"},
    {"<option actuatorgroupdisable='31'/>", "31"},
    {"<size nkey='2000000'/>", "nkey"},
    {"<custom><numeric name='n' size='1' data='1 2'/></custom>", "size"},
    {BODY("") "<keyframe><key qpos='1 2 3'/></keyframe>", "qpos"},
    {"<asset><texture name='t' type='2d' builtin='flat' width='100000' height='1'/></asset>", "at most"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='0 1 1 1'/></asset>", "size"},
    // contradictions
    {"<worldbody><body euler='0 0 1' quat='1 0 0 0'/></worldbody>", "twice"},
    {"<worldbody><camera fovy='30' sensorsize='1 1'/></worldbody>", "exclude"},
    {"<worldbody><light directional='true' type='spot'/></worldbody>", "type"},
    {"<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/></body></worldbody>", "fullinertia"},
    {BODY("") "<actuator><position joint='j' kv='1' dampratio='1'/></actuator>", "exclude"},
    {BODY("") "<actuator><position joint='j' ctrlrange='0 1' inheritrange='1'/></actuator>", "exclude"},
    {BODY("") "<equality><weld body1='b' site1='s'/></equality>", "either"},
    {"<worldbody><body><freejoint/><joint/><geom size='1'/></body></worldbody>", "only joint"},
    {"<worldbody><body mocap='true'><joint/><geom size='1'/></body></worldbody>", "mocap"},
    {"<size memory='1M' njmax='1'/>", "memory"},
    {"<asset><material name='m' texture='t'><layer texture='t' role='rgb'/></material></asset>", "layers"},
    {"<worldbody><geom name='g' size='1'/><geom name='g' size='1'/></worldbody>", "twice"},
    {"<default><default class='c'/><default class='c'/></default>", "twice"},
    {"<default class='top'/>", "main"},
    // meshes
    {MESH("vertex='0 0 0 1 0 0 0 1 0'"), "4"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 1 1 0'"), "one plane"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0'"), "3"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 nan'"), "nan"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 9'"), "9"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1'"), "face"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 3 2' inertia='exact'"), "orient"},
    {MESH("file='none.obj'"), "none.obj"},
    {MESH("builtin='teapot'"), "teapot"},
};
// clang-format on

XT_TEST(refused, every_bad_model_gives_a_helpful_error) {
  int wrong = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[1000];
    snprintf(text, sizeof(text), "<mujoco>\n%s\n</mujoco>", cases[i].text);
    xtAlloc counter = {0};
    const ctAllocator allocator = xt_allocator(&counter);
    const ctLoadOptions opt = {.allocator = &allocator};
    ctModel* m = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load_string(&m, text, strlen(text), &opt, &err);
    bool ok = status != CT_OK && !m && err.status == status && strstr(err.message, cases[i].words) != NULL;
    if (!ok) {
      printf("%s\n  expected \"%s\", got %d: \"%s\"\n", cases[i].text, cases[i].words, (int)status,
             err.message);
      wrong++;
    }
    ct_model_free(m);
    if (counter.held != 0) {
      printf("%s\n  leaks %d blocks\n", cases[i].text, (int)counter.held);
      wrong++;
    }
  }
  XT_INT(wrong, 0);
}

// A model that asks for a file in memory.
static ctStatus load_with(const char* text, const char* name, const void* bytes, size_t size, ctError* err) {
  ctVfs* vfs;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  XT_INT(ct_vfs_add(vfs, name, bytes, size, NULL), CT_OK);
  const ctLoadOptions opt = {.vfs = vfs};
  ctModel* m = NULL;
  ctStatus status = ct_model_load_string(&m, text, strlen(text), &opt, err);
  XT_TRUE((status == CT_OK) == (m != NULL));
  ct_model_free(m);
  ct_vfs_free(vfs);
  return status;
}

XT_TEST(refused, a_model_cannot_be_part_of_itself) {
  ctError err = {0};
  const char* include = "<mujoco><include file='a.xml'/></mujoco>";
  XT_TRUE(load_with(include, "a.xml", include, strlen(include), &err) != CT_OK);
  XT_HAS(err.message, "a.xml");
  const char* attach = "<mujoco><asset><model name='a' file='a.xml'/></asset></mujoco>";
  XT_TRUE(load_with(attach, "a.xml", attach, strlen(attach), &err) != CT_OK);
  XT_HAS(err.message, "part of itself");
}

XT_TEST(refused, a_picture_that_unfolds_to_gigabytes) {
  // 4e9 x 4e9 pixels in 45 bytes
  static const unsigned char bomb[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,    0,    13,
                                       'I',  'H', 'D', 'R', 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff,
                                       8,    2,   0,   0,   0,    0,    0,    0,    0,    0,    0,    0,
                                       0,    'I', 'D', 'A', 'T',  0,    0,    0,    0};
  ctError err = {0};
  const char* text = "<mujoco><asset><texture name='t' type='2d' file='t.png'/></asset></mujoco>";
  XT_TRUE(load_with(text, "t.png", bomb, sizeof(bomb), &err) != CT_OK);
  XT_HAS(err.message, "t.png");
}

XT_TEST(refused, mesh_files_that_are_cut_short) {
  unsigned char stl[84 + 50] = {0};
  stl[80] = 4;  // triangles, of which one is there
  ctError err = {0};
  const char* text = "<mujoco><asset><mesh name='m' file='m.stl'/></asset></mujoco>";
  for (size_t size = 1; size <= sizeof(stl); size++)
    XT_TRUE(load_with(text, "m.stl", stl, size, &err) != CT_OK);
  const int msh[8] = {4, 0, 0, 4, 0, 0, 0, 0};
  text = "<mujoco><asset><mesh name='m' file='m.msh'/></asset></mujoco>";
  for (size_t size = 1; size <= sizeof(msh); size++)
    XT_TRUE(load_with(text, "m.msh", msh, size, &err) != CT_OK);
}

XT_TEST(refused, binary_models_with_any_bit_of_the_head_flipped_or_cut_short) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  size_t size = ct_model_save_bytes(m, NULL, 0);
  char* bytes = malloc(size);
  ct_model_save_bytes(m, bytes, size);
  for (int bit = 0; bit < 8 * 32; bit++) {
    ctModel* back = NULL;
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    if (ct_model_load_bytes(&back, bytes, size, NULL, NULL) == CT_OK) fail_msg("bit %d may be flipped", bit);
    XT_TRUE(back == NULL);
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
  }
  for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 97) {
    ctModel* back = NULL;
    XT_TRUE(ct_model_load_bytes(&back, bytes, cut, NULL, NULL) != CT_OK && !back);
  }
  free(bytes);
  ct_model_free(m);
}

XT_TEST(refused, names_that_are_empty) {
  XT_HAS(xt_refused("<mujoco><tendon><fixed><joint joint='' coef='1'/></fixed></tendon></mujoco>"),
         "needs the name of a joint");
  XT_HAS(xt_refused("<mujoco><tendon><spatial><site site=''/><site site=''/></spatial></tendon></mujoco>"),
         "needs the name of a site");
  XT_HAS(xt_refused("<mujoco><asset><mesh name='m' builtin='plate' params='2 2'/></asset><worldbody><geom "
                    "name='g' size='1'/>"
                    "</worldbody><sensor><tactile geom='g' mesh=''/></sensor></mujoco>"),
         "needs the name");
  XT_HAS(xt_refused("<mujoco><sensor><actuatorpos actuator=''/></sensor></mujoco>"), "needs the name");
  XT_HAS(xt_refused("<mujoco><contact><exclude body1='' body2='world'/></contact></mujoco>"),
         "needs the name of a body");
  XT_HAS(xt_refused(
             "<mujoco><custom><tuple name='t'><element objtype='' objname='x'/></tuple></custom></mujoco>"),
         "is not a kind of object");
}

XT_MAIN()
