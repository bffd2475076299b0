// A renderer: what it keeps with the driver, and its passes over a scene.
#pragma once

#include "context.h"
#include "matrix.h"
#include "shapes.h"

enum { MOST_MIRRORS = 4, MOST_SHADOWS = 8, MOST_UNROLLED = 8 };

// Parts that the program of an item may have.
// clang-format off
#define PARTS(X) X(FLAT) X(CUBE) X(MIRROR) X(HAZE) X(FOG)
// clang-format on
#define X(name) PART_BIT_##name,
enum { PARTS(X) PART_COUNT };
#undef X
#define X(name) PART_##name = 1 << PART_BIT_##name,
enum { PARTS(X) };
#undef X

// What a program knows of a light without asking.
enum { LIGHT_POINT = 1, LIGHT_CONE = 2, LIGHT_FADES = 4, LIGHT_SHADOW = 8 };
#define LIGHT_ALL_SHADOWS 0x88888888u

// The lights of a picture as far as programs differ by them.
typedef struct LightKinds {
  uint32_t kinds;  // four bits a light
  int unrolled;    // lights that are written one by one
  bool more;       // and there are others
} LightKinds;

// clang-format off
#define UNIFORMS(X)                                                                                                  \
  X(project) X(turn) X(place) X(scale) X(offset) X(look) X(eye) X(clip) X(half_length) X(number) X(light_count)       \
  X(rgba) X(surface) X(orthographic) X(texture_kind) X(texture_unit) X(texture_repeat) X(flat_texture)                \
  X(cube_texture) X(shadows) X(mirror) X(picture) X(fog_colour) X(haze_colour) X(haze_plane) X(fog_range) X(haze_range)             \
  X(two_sided) X(strength) X(forward) X(right) X(up)
// clang-format on

#define X(name) GLint name;
typedef struct Program {
  GLuint id;
  UNIFORMS(X)
} Program;
#undef X

// A program for items with some parts, under some lights.
typedef struct ColorProgram {
  int parts;
  LightKinds lights;
  Program program;
} ColorProgram;
enum { MOST_PROGRAMS = 2 << PART_COUNT };  // enough for the next picture, whatever the last ones needed

// Where a pass draws: a texture or buffer of colours, and one of depths.
typedef struct Target {
  GLuint frame, color[2], depth;
} Target;

struct ctRenderer {
  ctAllocator allocator;
  Context context;
  int width, height, samples;
  float background[3];
  int nmesh, nhfield, nskin, nflex, ntex, nmat;  // of the model it was made for
  Shape builtin[CT_SHAPE_COUNT];
  Shape *meshes, *hulls, *hfields, *skins, *flexes;
  GLuint* textures;
  ColorProgram color[MOST_PROGRAMS];  // made when they are needed
  int ncolor;
  Program shadow, measure, sky;
  GLuint lights;    // buffer
  GLuint empty;     // array without corners, for the sky
  Target smooth;    // with several samples a pixel
  Target picture;   // what is read
  Target measured;  // distances and items
  Target written;   // what a window shows, with labels
  Target mirrors[MOST_MIRRORS];
  GLuint shadow_map, shadow_frame;
  int most_shadow;  // texels of the side of a map as the model wants it, and the driver allows
  int shadow_size[2], shadow_layers;
  // of the call in progress
  const ctModel* m;
  const ctScene* scene;
  LightKinds light_kinds;
  ctError trouble;  // why something is not drawn
};

// ---- setup.c: what is with the driver. The context is current.

ctStatus renderer_setup(ctRenderer* r, const ctModel* m, const ctRenderOption* option, ctError* err);
void renderer_release(ctRenderer* r);

// Targets of the size of the picture, again where there are some.
ctStatus renderer_make_targets(ctRenderer* r, ctError* err);

// A program with some parts for the lights of the picture, NULL and `trouble` when the driver does not make
// it. renderer_forget_color() makes room before a picture. A target of the size of the picture
// whose colours are a texture, for mirror images and labels. Shadow maps of so many texels.
const Program* renderer_need_color(ctRenderer* r, int parts);
void renderer_forget_color(ctRenderer* r);
ctStatus renderer_need_texture(ctRenderer* r, Target* t, ctError* err);
ctStatus renderer_need_shadows(ctRenderer* r, const int size[2], int layers, ctError* err);

// ---- draw.c: items in a pass.

// What a pass sees with.
typedef struct Pass {
  const Program* program;  // the one in use
  Mat4 project;
  float eye[3], look[3], clip[4];
  int skip;  // item that is not drawn: the mirror itself; -1: none
  bool colour;
  float strength;  // of colours: how much the mirror reflects
} Pass;

// Metres that a pixel is at some distance along the look.
float pixel_size(const ctRenderer* r, float distance);

// A plane without end, which goes with the camera. Where there is a sky and it has no end in both directions,
// it ends in haze.
bool is_endless(const ctItem* item);
bool is_hazy(const ctRenderer* r, const ctItem* item);
void set_haze(const ctRenderer* r, const Program* p, const ctItem* plane);

// Corners of a box around an item, world axes; false when there is nothing to draw of it.
bool item_box(const ctRenderer* r, const ctItem* item, float out[8][3]);

void begin_pass(const ctRenderer* r, const Pass* pass);
void draw_item(ctRenderer* r, Pass* pass, int i, int mirror);

// ---- lights.c: lights into their buffer, and a shadow map for each that throws shadows.

ctStatus draw_lights(ctRenderer* r, ctError* err);

// ---- picture.c: the scene in colour.

// A pass that sees what the camera of the scene does.
Pass view_pass(const ctRenderer* r, const Program* program);

// The texture of the sky: the first of its kind; -1: none, or not shown.
int sky_texture(const ctRenderer* r);

// Into `picture`.
ctStatus draw_picture(ctRenderer* r, ctError* err);

// ---- labels.c: labels over a picture, the upper row first. CT_OK or CT_ERR_MEMORY.

ctStatus write_labels(const ctRenderer* r, ctByte* rgb);
