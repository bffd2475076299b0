// A renderer: what it keeps with the driver, and its passes over a scene.
#pragma once

#include "context.h"
#include "matrix.h"
#include "shapes.h"

enum { MOST_MIRRORS = 4, MOST_SHADOWS = 8 };

// Parts that the program of an item may have.
enum { PART_FLAT = 1, PART_CUBE = 2, PART_SHADOW = 4, PART_MIRROR = 8, PART_COUNT = 16 };

// clang-format off
#define UNIFORMS(X)                                                                                                  \
  X(project) X(turn) X(place) X(scale) X(offset) X(look) X(eye) X(clip) X(half_length) X(number) X(light_count)       \
  X(rgba) X(surface) X(orthographic) X(texture_kind) X(texture_unit) X(texture_repeat) X(flat_texture)                \
  X(cube_texture) X(shadows) X(mirror) X(picture) X(fog_colour) X(haze_colour) X(fog_range) X(haze_range)             \
  X(two_sided) X(forward) X(right) X(up)
// clang-format on

#define X(name) GLint name;
typedef struct Program {
  GLuint id;
  UNIFORMS(X)
} Program;
#undef X

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
  Program color[PART_COUNT];  // by parts, made when they are needed
  Program shadow, measure, sky;
  GLuint lights;    // buffer
  GLuint empty;     // array without corners, for the sky
  Target smooth;    // with several samples a pixel
  Target picture;   // what is read
  Target measured;  // distances and items
  Target mirrors[MOST_MIRRORS];
  GLuint shadow_map, shadow_frame;
  int shadow_size, shadow_layers;
  // of the call in progress
  const ctModel* m;
  const ctScene* scene;
  int shadows;  // lights that throw some
};

// Make programs, lights and targets (setup.c). The context is current.
ctStatus renderer_setup(ctRenderer* r, const ctModel* m, const ctRenderOption* option, ctError* err);
void renderer_release(ctRenderer* r);

// Targets of the size of the picture, again where there are some.
ctStatus renderer_make_targets(ctRenderer* r, ctError* err);

// A program with some parts; a target of the size of the picture, for mirror images; a shadow map of so many
// layers.
ctStatus renderer_need_color(ctRenderer* r, int parts, ctError* err);
ctStatus renderer_need_mirror(ctRenderer* r, int i, ctError* err);
ctStatus renderer_need_shadows(ctRenderer* r, int layers, ctError* err);
