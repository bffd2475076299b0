// What a small file may ask for: sizes that no int counts and models that no machine holds are refused at the
// element that asks, before anything is written.
#include "xt_model.h"

typedef struct Case {
  const char* text;   // inside <mujoco>
  const char* words;  // of the message
} Case;

#define BODY                                                               \
  "<worldbody><camera name='c' resolution='65536 65537'/><site name='s'/>" \
  "<body name='b'><joint name='j'/><geom name='g' size='1'/></body></worldbody>"
#define SENSOR(sensor)     BODY "<sensor>" sensor "</sensor>"
#define ACTUATOR(actuator) BODY "<actuator>" actuator "</actuator>"
#define TWICE(x)           x x
#define MESH(shape, params)                                   \
  "<asset><mesh name='c' builtin='" shape "' params='" params \
  "'/></asset><worldbody>"                                    \
  "<geom type='mesh' mesh='c'/></worldbody>"
#define BALL(n)                                                   \
  "<asset><mesh name='" n                                         \
  "' builtin='supersphere' params='120 1 1'/></asset><worldbody>" \
  "<geom type='mesh' mesh='" n "'/></worldbody>"
#define R(n, inside) "<replicate count='" #n "' offset='1 0 0'>" inside "</replicate>"

// clang-format off
static const Case cases[] = {
    // products
    {SENSOR("<contact name='w' num='2021161081' data='found force torque dist pos normal tangent'/>"), "contact \"w\": gives 34359738377 numbers"},
    {SENSOR("<contact name='w' num='536870912' data='found force torque dist'/>"), "contact \"w\": gives 4294967296 numbers"},
    {SENSOR("<rangefinder name='w' camera='c'/>"), "rangefinder \"w\": gives 4295032832 numbers"},
    {ACTUATOR("<motor name='w' joint='j' nsample='1073741824' delay='0.1'/>"), "motor \"w\": asks for 2147483650 more in nhistory"},
    {SENSOR("<clock name='w' nsample='1073741824'/>"), "clock \"w\": asks for 2147483650 more in nhistory"},
    {SENSOR("<contact name='w' num='65535' nsample='65536'/>"), "contact \"w\": asks for 4294967298 more in nhistory"},
    // sums
    {SENSOR(TWICE("<user dim='1073741824'/>") TWICE("<user dim='1073741824'/>")), "user: needs 4096.0 MiB"},
    {ACTUATOR("<general name='v' joint='j' dyntype='user' actdim='1073741824'/>"), "general \"v\": needs 4096.0 MiB"},
    {"<custom><numeric name='n' size='1000000000' data='1'/></custom>", "numeric \"n\": needs"},
    {"<custom>" "<numeric name='a' size='50000000'/><numeric name='b' size='50000000'/>" "</custom>", "numeric \"b\": needs"},
    {"<asset><hfield name='h' nrow='30000' ncol='30000' size='1 1 1 1'/></asset>", "hfield \"h\":"},
    {"<asset><hfield name='h' nrow='65536' ncol='65536' size='1 1 1 1'/></asset>", "hfield \"h\":"},
    {"<asset><hfield name='a' nrow='5000' ncol='3999' size='1 1 1 1'/><hfield name='b' nrow='5000' ncol='3999' size='1 1 1 1'/></asset>", "hfield \"b\": needs"},
    {"<asset><texture name='t' type='2d' builtin='flat' width='30000' height='30000'/></asset>", "texture \"t\": needs"},
    {"<size nuserdata='2147483647'/>", "size: needs"},
    {"<size nuser_body='2147483647'/>", "body_user"},
    {"<size nuser_sensor='536870912'/>" SENSOR(TWICE(TWICE(TWICE("<clock/>")))), "sensor_user"},
    {"<size nkey='1000000'/><worldbody>" R(1000, "<body><freejoint/><geom size='1'/></body>") "</worldbody>", "key"},
    // negative
    {"<size nuserdata='-1'/>", "size: asks for -1 in nuserdata"},
    {"<size nuserdata='-100'/>", "size: asks for -100 in nuserdata"},
    {"<size nuser_body='-2'/>", "nuser_body must be at least -1"},
    {"<size njmax='-100'/>", "njmax must be at least -1"},
    {"<size nconmax='-2147483648'/>", "nconmax must be at least -1"},
    {"<size nstack='-2'/>", "nstack must be at least -1"},
    // work
    {MESH("cone", "65536 0.5"), "mesh \"c\": the hull"},
    {MESH("cone", "4000 1"), "mesh \"c\": the hull"},
    {MESH("supersphere", "400 .1 .1"), "mesh \"c\": the hull"},
    {MESH("wedge", "300 300 60 40 0"), "mesh \"c\": the hull"},
    {MESH("wedge", "65536 2 60 40 0"), "mesh \"c\": the hull"},
    {BALL("a") BALL("b") BALL("c") BALL("d") BALL("e") BALL("f") BALL("g"), "\": the hull"},
    // loops
    {"<option noslip_iterations='2147483647' noslip_tolerance='0'/>", "noslip_iterations is 2147483647: at most 100000"},
    {"<option iterations='100001'/>", "iterations is 100001"},
    {"<option sdf_initpoints='1000000'/>", "sdf_initpoints is 1000000"},
    // copies
    {"<worldbody>" R(1000, R(1000, R(1000, R(1000, R(1000, R(1000, "<geom size='1'/>")))))) "</worldbody>", ": needs"},
    {"<worldbody>" R(2000000000, "<geom size='1'/>") "</worldbody>", ": needs"},
    {"<worldbody>" R(1000, R(1000, R(1000, "<frame/>"))) "</worldbody>", "MiB"},
};
// clang-format on

XT_TEST(limits, sizes_that_no_model_can_have_are_refused_at_their_element) {
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[4096];
    snprintf(text, sizeof(text), "<mujoco>%s</mujoco>", cases[i].text);
    ctModel* m = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load_string(&m, text, strlen(text), NULL, &err);
    if (status == CT_OK) fail_msg("accepted: %s", cases[i].text);
    XT_TRUE(m == NULL);
    if (!strstr(err.message, cases[i].words)) fail_msg("\"%s\" for %s", err.message, cases[i].text);
    if (status != CT_ERR_LIMIT && status != CT_ERR_INVALID && status != CT_ERR_IO)
      fail_msg("status %d, \"%s\" for %s", (int)status, err.message, cases[i].text);
  }
}

// A kilobyte may not ask for seconds.
XT_TEST(limits, distance_fields_have_a_bound) {
  char text[4096];
  for (int fields = 2; fields <= 12; fields += 10) {
    int n = snprintf(text, sizeof(text), "<mujoco><asset>");
    for (int i = 0; i < fields; i++)
      n += snprintf(text + n, sizeof(text) - (size_t)n,
                    "<mesh name='m%d' builtin='supersphere' params='40 1 1'/>", i);
    n += snprintf(text + n, sizeof(text) - (size_t)n, "</asset><worldbody>");
    for (int i = 0; i < fields; i++)
      n += snprintf(text + n, sizeof(text) - (size_t)n, "<geom type='sdf' mesh='m%d'/>", i);
    snprintf(text + n, sizeof(text) - (size_t)n, "</worldbody></mujoco>");
    if (fields == 2) {
      ct_model_free(xt_load_string(text));
    } else {
      XT_HAS(xt_refused(text), "distance fields of all meshes");
    }
  }
}

XT_MAIN()
