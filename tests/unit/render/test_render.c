// Pictures beside the rays of the engine, own pictures beside what they must show, and bad input. Where there
// is no driver all of it is skipped, with a notice.
#include <corten/render.h>
#include <math.h>

#include "xt_alloc.h"
#include "xt_model.h"

// Drivers keep some memory for good; what is ours is counted by an allocator below.
#if defined(__SANITIZE_ADDRESS__)
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) {
  return "leak:libOSMesa\nleak:libEGL\nleak:libGLX\nleak:_dri.so\n";
}
#endif

enum { WIDTH = 96, HEIGHT = 72 };

// Shapes are drawn with so many sides that a chord is nowhere farther than 3e-4 radii from its arc.
#define FINE   "<visual><quality numslices='128' numstacks='128'/><map znear='0.005'/></visual>"
#define CAMERA "<camera pos='0.3 -3 1.4' xyaxes='1 0.1 0 -0.04 0.4 1' fovy='40'/>"
#define SCENE(assets, geoms) \
  "<mujoco>" FINE "<asset>" assets "</asset><worldbody>" CAMERA geoms "</worldbody></mujoco>"

static const char* const scenes[] = {
    SCENE("", "<geom type='plane' size='0 0 1'/>"),
    SCENE("", "<geom type='plane' size='1 0.7 1' euler='20 10 0'/>"),
    SCENE("", "<geom size='0.5'/>"),
    SCENE("", "<geom type='capsule' size='0.2 0.5' euler='30 50 10'/>"),
    SCENE("", "<geom type='capsule' size='0.3 0.05'/>"),
    SCENE("", "<geom type='ellipsoid' size='0.6 0.2 0.4' euler='30 50 10'/>"),
    SCENE("", "<geom type='cylinder' size='0.4 0.5' euler='60 20 10'/>"),
    SCENE("", "<geom type='box' size='0.4 0.3 0.5' euler='10 20 30'/>"),
    SCENE("<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
          "<geom type='mesh' mesh='m' euler='10 40 0'/>"),
    SCENE("<mesh name='m' builtin='sphere' params='2'/>", "<geom type='mesh' mesh='m'/>"),
    SCENE("<mesh name='m' builtin='supertorus' params='24 0.3 1 1'/>",
          "<geom type='mesh' mesh='m' euler='70 0 0'/>"),
    SCENE("<hfield name='h' nrow='4' ncol='5' size='1 0.8 0.5 0.2' elevation='0 1 0 2 0 3 1 0 0 1 0 2 1 0 4 "
          "1 0 0 1 0'/>",
          "<geom type='hfield' hfield='h'/>"),
    SCENE("",
          "<geom type='plane' size='0 0 1'/><geom size='0.3' pos='0 0 0.3'/><geom type='box' size='.2 .2 .2' "
          "pos='.7 0 .2'/>"),
    SCENE("",
          "<geom size='0.3'/><geom size='0.3' pos='0.2 0.3 0' rgba='1 0 0 0.3'/><geom size='0.3' pos='-0.3 "
          "-0.2 0.1'/>"),
    SCENE("", "<geom size='0.3'/><geom size='0.5' rgba='1 0 0 0'/>"),
    SCENE("",
          "<body euler='10 20 30' pos='0 0 .2'><geom type='box' size='.3 .1 .1'/><body pos='.4 0 0' euler='0 "
          "50 0'>"
          "<geom type='cylinder' size='.1 .3'/></body></body>"),
    SCENE("",
          "<geom type='box' size='2 0.1 2' pos='0 2 0'/><geom type='capsule' fromto='-1 0 -1 1 1 1' "
          "size='.1'/>"),
    SCENE("",
          "<geom type='plane' size='0 0 1' pos='0 0 -0.5'/><geom type='plane' size='0 0 1' pos='0 3 0' "
          "zaxis='0 -1 0'/>"),
    SCENE("", "<geom type='ellipsoid' size='1 1 0.05' euler='5 5 0'/><geom type='cylinder' size='.05 1'/>"),
    SCENE("",
          "<geom type='plane' size='0.5 0 1'/><geom type='plane' size='0 0.5 1' pos='0 0 .3'/><geom "
          "size='.1' pos='0 0 .5'/>"),
};
enum { NSCENE = sizeof(scenes) / sizeof(scenes[0]) };

typedef struct {
  ctModel* m;
  ctData* d;
  ctScene* s;
  ctRenderer* r;
} Studio;

// Whether this machine can draw; a test that cannot says so.
static bool can_draw(void) {
  ctModel* m = xt_load_string("<mujoco/>");
  ctRenderer* r = NULL;
  ctError err = {0};
  bool ok = ct_renderer_create(&r, m, 8, 8, NULL, &err) == CT_OK;
  if (!ok) printf("NOTICE: pictures are not tested: %s\n", err.message);
  ct_renderer_free(r);
  ct_model_free(m);
  return ok;
}

static Studio open_studio(const char* text, int camera, const ctRenderOption* option) {
  Studio w = {.m = xt_load_string(text)};
  ctError err = {0};
  ctCamera c = {.kind = CT_CAMERA_FIXED, .id = camera};
  w.d = xt_data(w.m);
  XT_INT(ct_forward(w.m, w.d), CT_OK);
  XT_INT(ct_scene_create(&w.s, w.m), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, NULL, camera >= 0 ? &c : NULL), CT_OK);
  if (ct_renderer_create(&w.r, w.m, WIDTH, HEIGHT, option, &err) != CT_OK) fail_msg("%s", err.message);
  return w;
}
static void close_studio(Studio* w) {
  ct_renderer_free(w->r);
  ct_scene_free(w->s);
  ct_data_free(w->d);
  ct_model_free(w->m);
}

// What the engine sees through a point of the picture: the geom, and its distance along the look.
static int look_through(const Studio* w, double x, double y, double* depth, double* facing) {
  const ctView* v = &w->s->view;
  double half = v->top, right[3], up[3];
  const float *f = v->forward, *u = v->up;
  right[0] = (double)(f[1] * u[2] - f[2] * u[1]);
  right[1] = (double)(f[2] * u[0] - f[0] * u[2]);
  right[2] = (double)(f[0] * u[1] - f[1] * u[0]);
  for (int k = 0; k < 3; k++) up[k] = (double)u[k];
  double px = (2 * x / WIDTH - 1) * half * WIDTH / HEIGHT / (double)v->znear,
         py = (1 - 2 * y / HEIGHT) * half / (double)v->znear;
  ctReal from[3], dir[3], normal[3];
  int geom;
  for (int k = 0; k < 3; k++) {
    dir[k] = (ctReal)((double)f[k] + px * right[k] + py * up[k]);
    from[k] = (ctReal)v->pos[k];
  }
  *depth = (double)ct_ray_cast(w->m, w->d, from, dir, NULL, &geom,
                               normal);  // along the look, since `dir` is 1 there
  *facing = fabs((double)(normal[0] * dir[0] + normal[1] * dir[1] + normal[2] * dir[2])) /
            sqrt(1 + px * px + py * py);
  if (*depth > (double)v->zfar) geom = -1;
  return geom;
}

// Pixels whose corners all show the same as their middle are away from edges: there the picture must agree.
XT_TEST(picture, agrees_with_the_rays_of_the_engine) {
  if (!can_draw()) skip();
  static float depth[WIDTH * HEIGHT];
  static int ids[2 * WIDTH * HEIGHT];
  for (int scene = 0; scene < NSCENE; scene++) {
    Studio w = open_studio(scenes[scene], 0, NULL);
    XT_INT(ct_render_measure(w.r, w.m, w.s, depth, ids, NULL), CT_OK);
    int compared = 0, hits = 0, near_edges = 0;
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        double want, facing, other, side;
        int at = y * WIDTH + x, geom = look_through(&w, x + 0.5, y + 0.5, &want, &facing);
        bool edge = false;
        for (int k = 0; k < 4; k++)
          edge = edge || look_through(&w, x + (k & 1), y + (k >> 1), &other, &side) != geom;
        if (edge) {
          near_edges++;
          continue;
        }
        compared++;
        hits += geom >= 0;
        if (ids[2 * at] != geom || ids[2 * at + 1] != (geom < 0 ? -1 : CT_OBJ_GEOM))
          fail_msg("scene %d, pixel %d %d shows %d, the ray hits %d", scene, x, y, ids[2 * at], geom);
        if (geom < 0) {
          XT_NEAR(depth[at], w.s->view.zfar, 0);
        } else if (facing > 0.2) {
          // a chord is within 3e-4 radii of at most 1 m, seen at an angle; the rest is single precision
          double tolerance = 3e-4 / 0.2 + 2e-5 * want;
          if (fabs((double)depth[at] - want) > tolerance)
            fail_msg("scene %d, pixel %d %d: depth %g, ray %g", scene, x, y, (double)depth[at], want);
        }
      }
    }
    if (hits < 50 || near_edges > WIDTH * HEIGHT / 4)
      fail_msg("scene %d: %d hits, %d at edges", scene, hits, near_edges);
    close_studio(&w);
  }
}

static const ctByte* pixel(const ctByte* rgb, double x, double y) {
  return rgb + 3 * ((int)(y * HEIGHT) * WIDTH + (int)(x * WIDTH));
}

// Colours within 8 of 255: a driver may round otherwise, light it may not.
#define IS_COLOUR(rgb, x, y, r_, g_, b_)       \
  do {                                         \
    const ctByte* p_ = pixel((rgb), (x), (y)); \
    XT_NEAR(p_[0], r_, 8);                     \
    XT_NEAR(p_[1], g_, 8);                     \
    XT_NEAR(p_[2], b_, 8);                     \
  } while (0)

// Only ambient light, so that colours are those of the model.
#define PLAIN "<visual><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/></visual>"
#define FRONT "<camera pos='0 -3 0' xyaxes='1 0 0 0 0 1'/>"

XT_TEST(picture, has_colours_materials_and_background) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w =
      open_studio("<mujoco>" PLAIN "<asset><material name='g' rgba='0 0.5 0 1'/></asset><worldbody>" FRONT
                  "<geom type='box' size='.3 .3 .3' pos='-.6 0 0' rgba='1 0 0 1'/>"
                  "<geom type='box' size='.3 .3 .3' pos='.6 0 0' material='g'/></worldbody></mujoco>",
                  0, &(ctRenderOption){.background = {0, 0, 1}});
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  IS_COLOUR(rgb, 0.25, 0.5, 255, 0, 0);
  IS_COLOUR(rgb, 0.75, 0.5, 0, 128, 0);
  IS_COLOUR(rgb, 0.5, 0.5, 0, 0, 255);
  close_studio(&w);
}

XT_TEST(picture, lets_light_through_what_is_transparent) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  // two panes before a wall, listed from near to far
  Studio w = open_studio("<mujoco>" PLAIN "<worldbody>" FRONT
                         "<geom type='box' size='1 .01 1' pos='0 -1 0' rgba='1 0 0 .5'/>"
                         "<geom type='box' size='1 .01 1' pos='0 0 0' rgba='0 1 0 .5'/>"
                         "<geom type='box' size='3 .01 3' pos='0 1 0' rgba='0 0 1 1'/></worldbody></mujoco>",
                         0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  IS_COLOUR(rgb, 0.5, 0.5, 191, 48, 16);  // each has two sides, and each side lets a half through
  close_studio(&w);
}

XT_TEST(picture, has_shadows_where_light_does_not_reach) {
  if (!can_draw()) skip();
  static ctByte with[3 * WIDTH * HEIGHT], without[3 * WIDTH * HEIGHT];
  Studio w = open_studio(
      "<mujoco><visual><headlight active='0'/><quality shadowsize='1024'/></visual><statistic extent='2' "
      "center='0 0 0'/>"
      "<worldbody><light directional='true' pos='0 0 3' dir='0 0 -1' diffuse='1 1 1' ambient='0.2 0.2 0.2' "
      "specular='0 0 0'/>"
      "<camera pos='0 -3 3' xyaxes='1 0 0 0 1 1'/>"
      "<geom type='plane' size='3 3 1'/><geom type='box' size='.3 .3 .1' pos='0 0 1'/></worldbody></mujoco>",
      0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, with, NULL), CT_OK);
  ctSceneOption o;
  ctCamera c = {.kind = CT_CAMERA_FIXED};
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, "shadow", false, NULL), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, &c), CT_OK);
  XT_INT(ct_render_color(w.r, w.m, w.s, without, NULL), CT_OK);
  // the origin is in the middle of the picture, below the box
  // no part of a light reaches its shadow, the ambient one included
  const double lit = 0.5 * 1.2 * 255;
  IS_COLOUR(without, 0.5, 0.53, lit, lit, lit);
  IS_COLOUR(with, 0.5, 0.53, 0, 0, 0);
  IS_COLOUR(with, 0.1, 0.8, lit, lit, lit);
  close_studio(&w);
}

// What is seen through throws as dark a shadow as anything, and none falls on it.
XT_TEST(picture, has_shadows_of_what_is_transparent) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w = open_studio(
      "<mujoco><visual><headlight active='0'/><quality shadowsize='1024'/></visual><statistic extent='2' "
      "center='0 0 0'/>"
      "<worldbody><light directional='true' pos='0 0 3' dir='0 0 -1' diffuse='1 1 1' specular='0 0 0'/>"
      "<camera pos='0 -3 3' xyaxes='1 0 0 0 1 1'/><geom type='plane' size='3 3 1'/>"
      "<geom type='box' size='.3 .3 .1' pos='0 0 1' rgba='1 0 0 .1'/>"
      "<geom type='box' size='.15 .15 .01' pos='0 0 .02' rgba='0 0 1 .5'/></worldbody></mujoco>",
      0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  IS_COLOUR(rgb, 0.5, 0.5, 0, 0, 0.75 * 255);
  IS_COLOUR(rgb, 0.45, 0.5, 0, 0, 0);
  close_studio(&w);
}

XT_TEST(picture, mirrors_in_planes) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w = open_studio(
      "<mujoco>" PLAIN
      "<asset><material name='m' rgba='.2 0 0 1' reflectance='0.5'/></asset>"
      "<worldbody><camera pos='0 -3 .5' xyaxes='1 0 0 0 0 1'/><geom type='plane' size='5 5 1' material='m'/>"
      "<geom type='box' size='.4 .001 .3' pos='0 0 .5' rgba='1 1 0 1'/></worldbody></mujoco>",
      0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  IS_COLOUR(rgb, 0.5, 0.5, 255, 255, 0);
  // its mirror image is as far below the floor, and added as bright as the mirror is strong
  IS_COLOUR(rgb, 0.5, 0.5 + 0.5 * (1.0 / 3) / tan(22.5 * 3.14159265 / 180), 179, 128, 0);
  IS_COLOUR(rgb, 0.1, 0.9, 51, 0, 0);
  close_studio(&w);
}

// Lights are written into programs one by one, and many of them looped over: their sum is the same. Point
// lights do not shine in MuJoCo's pictures.
XT_TEST(picture, has_the_light_of_all_lights) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
#define LAMP(rest) "<light specular='0 0 0' castshadow='false' diffuse='.05 .05 .05' " rest "/>"
#define SUN        LAMP("directional='true' dir='0 1 0'")
#define LAMPS      SUN SUN LAMP("type='point' pos='0 -9 0'") LAMP("pos='0 -9 0' dir='0 1 0'")
  const char* const lamps[] = {LAMPS, LAMPS LAMPS, LAMPS LAMPS LAMPS};
  for (int i = 0; i < 3; i++) {
    char text[4096];
    snprintf(text, sizeof(text),
             "<mujoco><visual><headlight active='0'/></visual><worldbody>" FRONT
             "%s<geom type='box' size='3 .1 3' rgba='1 1 1 1'/></worldbody></mujoco>",
             lamps[i]);
    Studio w = open_studio(text, 0, NULL);
    XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
    const double want = (i + 1) * 3 * 0.05 * 255;
    IS_COLOUR(rgb, 0.5, 0.5, want, want, want);
    close_studio(&w);
  }
}

// A cube of eight vertices has one normal a vertex, far from those of its sides: these are flat all the same.
XT_TEST(picture, has_flat_sides_where_meshes_have_edges) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w = open_studio(
      "<mujoco><visual><headlight ambient='0 0 0' diffuse='1 1 1' specular='0 0 0'/></visual><asset>"
      "<mesh name='m' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 "
      "1'/></asset><worldbody>"
      "<camera pos='0 -4 0' xyaxes='1 0 0 0 0 1'/><geom type='mesh' mesh='m' rgba='1 1 1 "
      "1'/></worldbody></mujoco>",
      0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  IS_COLOUR(rgb, 0.5, 0.5, 255, 255, 255);
  IS_COLOUR(rgb, 0.35, 0.3, 255, 255, 255);
  close_studio(&w);
}

static int count_white(const ctByte* rgb) {
  int n = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    n += rgb[3 * i] == 255 && rgb[3 * i + 1] == 255 && rgb[3 * i + 2] == 255;
  return n;
}

// A capital I has 11 dots. Labels in one place make way for each other.
XT_TEST(picture, has_labels_that_do_not_hide_each_other) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
#define BALL(name) "<body name='" name "'><geom size='.3' rgba='1 0 0 1'/></body>"
  const struct {
    const char* bodies;
    int dots;
  } cases[] = {{BALL("I"), 11},
               {BALL("I") BALL("II"), 33},
               {BALL("a"), 14},
               {BALL("\u00e4"), 14 + 2},
               {BALL("\u00c4"), 18 + 2},  // its dots are above the line
               {BALL("\u00e7"), 10 + 2},  // below
               {BALL("\u0393"), 11},      // Gamma
               {BALL("\u0391"), 18},      // Alpha looks like A
               {BALL("\u0416"), 9},       // a letter that the font has not is a '?'
               {"<body name='I' pos='0 -9 0'><geom size='.3'/></body>", 0}};  // behind the camera
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[1024];
    snprintf(text, sizeof(text), "<mujoco>" PLAIN "<worldbody>" FRONT "%s</worldbody></mujoco>",
             cases[i].bodies);
    Studio w = open_studio(text, 0, NULL);
    ctSceneOption o;
    ctCamera c = {.kind = CT_CAMERA_FIXED};
    ct_scene_option_default(&o);
    XT_INT(ct_scene_option_set(&o, "label:body", true, NULL), CT_OK);
    XT_INT(ct_scene_update(w.s, w.m, w.d, &o, &c), CT_OK);
    XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
    XT_INT(count_white(rgb), cases[i].dots);
    close_studio(&w);
  }
}

// Light is cut at one before a texture multiplies it, its specular part included: values of MuJoCo's
// pictures.
XT_TEST(picture, has_textures_no_brighter_than_they_are) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  static const struct {
    double ambient, diffuse, specular, textured, plain;
  } rows[] = {{.1, .4, 0, 51, 51}, {.4, .8, 0, 102, 122}, {.8, .8, 0, 102, 163}, {.1, .4, .5, 76, 115}};
  for (int i = 0; i < 8; i++) {
    char text[1024];
    const double a = rows[i / 2].ambient, d = rows[i / 2].diffuse, s = rows[i / 2].specular;
    snprintf(text, sizeof(text),
             "<mujoco><visual><headlight ambient='%g %g %g' diffuse='%g %g %g' specular='%g %g "
             "%g'/></visual><asset>"
             "<texture name='t' type='2d' builtin='flat' rgb1='.4 .4 .4' width='8' height='8'/>"
             "<material name='m' %s/></asset><worldbody><geom type='plane' size='5 5 .1' material='m'/>"
             "<camera pos='0 0 4'/></worldbody></mujoco>",
             a, a, a, d, d, d, s, s, s, i % 2 ? "rgba='.4 .4 .4 1'" : "texture='t'");
    Studio w = open_studio(text, 0, NULL);
    XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
    const double want = i % 2 ? rows[i / 2].plain : rows[i / 2].textured;
    IS_COLOUR(rgb, 0.5, 0.5, want, want, want);
    close_studio(&w);
  }
}

XT_TEST(picture, has_textures) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w =
      open_studio("<mujoco>" PLAIN
                  "<asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 0 1' width='64' "
                  "height='64'/>"
                  "<texture name='s' type='skybox' builtin='flat' rgb1='0 1 0' width='16' height='16'/>"
                  "<material name='m' texture='t' rgba='1 1 1 1'/></asset><worldbody>" FRONT
                  "<geom type='box' size='.5 .5 .5' material='m'/></worldbody></mujoco>",
                  0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  const ctByte *a = pixel(rgb, 0.45, 0.45), *b = pixel(rgb, 0.55, 0.45), *c = pixel(rgb, 0.55, 0.55);
  XT_TRUE((a[0] > 200) != (b[0] > 200));  // neighbours differ, squares across are alike
  XT_TRUE((a[0] > 200) == (c[0] > 200));
  XT_TRUE(a[1] < 50 && b[1] < 50);
  IS_COLOUR(rgb, 0.05, 0.05, 0, 255, 0);
  close_studio(&w);
}

XT_TEST(picture, fades_into_fog) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio w = open_studio(
      "<mujoco><visual><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/><map fogstart='1' "
      "fogend='3'/>"
      "<rgba fog='0 0 0 1'/></visual><statistic extent='1.5' center='0 0 0'/><worldbody>" FRONT
      "<geom type='box' size='.3 .01 .3' pos='0 0 0' rgba='1 1 1 1'/></worldbody></mujoco>",
      0, NULL);
  ctSceneOption o;
  ctCamera c = {.kind = CT_CAMERA_FIXED};
  ct_scene_option_default(&o);
  XT_INT(ct_scene_option_set(&o, "fog", true, NULL), CT_OK);
  XT_INT(ct_scene_update(w.s, w.m, w.d, &o, &c), CT_OK);
  XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
  const double left = 255 * (1 - (2.99 - 1.5) / 3);  // fog from 1.5 m to 4.5 m, the box is at 2.99 m
  IS_COLOUR(rgb, 0.5, 0.5, left, left, left);
  close_studio(&w);
}

XT_TEST(picture, smooths_edges_as_often_as_asked) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  const int samples[2] = {1, 4};
  for (int i = 0; i < 2; i++) {
    Studio w =
        open_studio("<mujoco>" PLAIN "<worldbody>" FRONT
                    "<geom type='box' size='.5 .5 .5' euler='0 20 0' rgba='1 1 1 1'/></worldbody></mujoco>",
                    0, &(ctRenderOption){.samples = samples[i]});
    XT_INT(ct_render_color(w.r, w.m, w.s, rgb, NULL), CT_OK);
    int between = 0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) between += rgb[k] > 20 && rgb[k] < 235;
    XT_TRUE(i == 0 ? between == 0 : between > 50);
    close_studio(&w);
  }
}

XT_TEST(picture, of_one_size_and_of_the_next_is_the_same_each_time) {
  if (!can_draw()) skip();
  static ctByte a[3 * WIDTH * HEIGHT], b[3 * WIDTH * HEIGHT];
  Studio w = open_studio(scenes[12], 0, NULL), other = open_studio(scenes[3], 0, NULL);
  XT_INT(ct_render_color(w.r, w.m, w.s, a, NULL), CT_OK);
  XT_INT(ct_render_color(other.r, other.m, other.s, b, NULL), CT_OK);  // another renderer in between
  XT_INT(ct_render_color(w.r, w.m, w.s, b, NULL), CT_OK);
  XT_SAME(a, b, sizeof(a));
  close_studio(&w);
  close_studio(&other);
}

XT_TEST(renderer, refuses_sizes_that_make_no_picture) {
  ctModel* m = xt_load_string("<mujoco/>");
  const int sizes[][2] = {{0, 10}, {10, 0}, {-1, 10}, {16385, 10}, {10, 1 << 30}};
  for (int i = 0; i < 5; i++) {
    ctRenderer* r = (ctRenderer*)m;
    ctError err = {0};
    XT_INT(ct_renderer_create(&r, m, sizes[i][0], sizes[i][1], NULL, &err), CT_ERR_ARGUMENT);
    XT_TRUE(r == NULL);
    XT_HAS(err.message, "1 to 16384");
  }
  ctError err = {0};
  ctRenderer* r = NULL;
  XT_TRUE(ct_renderer_create(&r, m, 8, 8, &(ctRenderOption){.backend = (ctRenderBackend)7}, &err) != CT_OK);
  XT_HAS(err.message, "no such backend");
  XT_INT(ct_renderer_create(NULL, m, 8, 8, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_renderer_create(&r, NULL, 8, 8, NULL, NULL), CT_ERR_ARGUMENT);
  ct_renderer_free(NULL);
  ct_model_free(m);
}

XT_TEST(renderer, refuses_broken_textures) {
  if (!can_draw()) skip();
  ctModel* m = xt_load_string(
      "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='8' height='8'/></asset></mujoco>");
  ctRenderer* r = NULL;
  ctError err = {0};
  const struct {
    int width, height, channels;
    ctStatus status;
  } cases[] = {{9, 8, 3, CT_ERR_INVALID},
               {0, 8, 3, CT_ERR_INVALID},
               {8, -8, 3, CT_ERR_INVALID},
               {8, 8, 9, CT_ERR_INVALID},
               {1 << 30, 1 << 30, 3, CT_ERR_INVALID}};
  for (int i = 0; i < 5; i++) {
    m->tex_width[0] = cases[i].width;
    m->tex_height[0] = cases[i].height;
    m->tex_nchannel[0] = cases[i].channels;
    XT_INT(ct_renderer_create(&r, m, 8, 8, NULL, &err), cases[i].status);
    XT_HAS(err.message, "texture \"t\"");
  }
  ct_model_free(m);
}

XT_TEST(renderer, refuses_scenes_of_other_models) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * WIDTH * HEIGHT];
  Studio a = open_studio(scenes[8], 0, NULL), b = open_studio(scenes[0], 0, NULL);
  ctError err = {0};
  XT_INT(ct_render_color(a.r, b.m, b.s, rgb, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "another model");
  XT_INT(ct_render_color(a.r, a.m, a.s, NULL, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_render_color(NULL, a.m, a.s, rgb, &err), CT_ERR_ARGUMENT);
  close_studio(&a);
  close_studio(&b);
}

XT_TEST(renderer, survives_a_lack_of_memory) {
  if (!can_draw()) skip();
  static ctByte rgb[3 * 8 * 8];
  bool done = false;
  for (int fail = 1; !done; fail++) {
    XT_TRUE(fail < 200);
    xtAlloc counter = {0};
    ctAllocator allocator = xt_allocator(&counter);
    ctModel* m = NULL;
    XT_INT(ct_model_load_string(&m, scenes[13], strlen(scenes[13]), &(ctLoadOptions){.allocator = &allocator},
                                NULL),
           CT_OK);
    ctData* d = xt_data(m);
    ctScene* s = NULL;
    ctRenderer* r = NULL;
    XT_INT(ct_forward(m, d), CT_OK);
    XT_INT(ct_scene_create(&s, m), CT_OK);
    XT_INT(ct_scene_update(s, m, d, NULL, NULL), CT_OK);
    counter.fail_at = counter.calls + fail;
    ctStatus status = ct_renderer_create(&r, m, 8, 8, NULL, NULL);
    if (status == CT_OK) status = ct_render_color(r, m, s, rgb, NULL);
    XT_TRUE(status == CT_OK || status == CT_ERR_MEMORY);
    done = counter.calls < counter.fail_at;
    if (done) XT_INT(status, CT_OK);
    ct_renderer_free(r);
    ct_scene_free(s);
    ct_data_free(d);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
}

// Both ways to a picture give the same one, up to a rounding of colours.
XT_TEST(renderer, draws_the_same_by_egl_and_osmesa) {
  static ctByte pictures[2][3 * WIDTH * HEIGHT];
  const ctRenderBackend backends[2] = {CT_RENDER_EGL, CT_RENDER_OSMESA};
  ctModel* m = xt_load_string("<mujoco/>");
  for (int i = 0; i < 2; i++) {
    ctRenderer* r = NULL;
    ctError err = {0};
    if (ct_renderer_create(&r, m, 8, 8, &(ctRenderOption){.backend = backends[i]}, &err) != CT_OK) {
      printf("NOTICE: EGL and OSMesa are not compared: %s\n", err.message);
      ct_model_free(m);
      skip();
    }
    ct_renderer_free(r);
  }
  ct_model_free(m);
  for (int scene = 0; scene < NSCENE; scene++) {
    for (int i = 0; i < 2; i++) {
      Studio w = open_studio(scenes[scene], 0, &(ctRenderOption){.backend = backends[i], .samples = 1});
      XT_INT(ct_render_color(w.r, w.m, w.s, pictures[i], NULL), CT_OK);
      close_studio(&w);
    }
    int differ = 0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) differ += abs(pictures[0][k] - pictures[1][k]) > 4;
    XT_TRUE(differ < 3 * WIDTH * HEIGHT / 500);  // a pixel at an edge may fall on the other side
  }
}

XT_MAIN()
