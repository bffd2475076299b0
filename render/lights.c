// Lights, and the shadow maps of those that throw shadows.
#include "renderer.h"

// Texels of a shadow map are no smaller than this part of a pixel: smaller ones are not seen. Where light
// falls aslant they are stretched.
#define TEXEL_OF_PIXEL 0.5f
enum { MARGIN = 2 };  // texels around what throws shadows, without any

// What the shader knows of a light, as std140 lays it out.
typedef struct LightBlock {
  float pos[4], dir[4], ambient[4], diffuse[4], specular[4], attenuation[4], part[4];
  Mat4 shadow;
} LightBlock;

// A shadow map: what a light sees of all that throws shadows.
typedef struct ShadowMap {
  Mat4 project;
  int size[2];  // texels
} ShadowMap;

static bool throws_shadow(const ctRenderer* r, const ctSceneLight* light) {
  return r->scene->option.show[CT_SHOW_SHADOW] && light->castshadow && (light->directional || light->spot) &&
         r->most_shadow > 0;
}

static bool is_caster(const ctItem* item) {
  return item->castshadow && !item->mark && item->shape != CT_SHAPE_PLANE;
}

// ---- what a light sees

// Coverage of the model by a light's shadow map: a cone, or parallel rays about the line through the light,
// over what the model extends to.
static Mat4 whole_view(const ctRenderer* r, const ctSceneLight* light) {
  const ctModel* m = r->m;
  float extent = (float)m->stat.extent, pos[3], up[3] = {0, 0, 1};
  if (fabsf(light->dir[2]) > 0.9f) up[0] = 1, up[2] = 0;
  float along = dot3(up, light->dir);
  for (int k = 0; k < 3; k++) up[k] -= along * light->dir[k];
  normalize3(up);
  Mat4 lens;
  if (light->directional) {
    float reach = m->vis.map.shadowclip * extent;
    float away[3];
    for (int k = 0; k < 3; k++) away[k] = (float)m->stat.center[k] - light->pos[k];
    float depth = dot3(away, light->dir) - 2 * reach;
    for (int k = 0; k < 3; k++) pos[k] = light->pos[k] + depth * light->dir[k];
    lens = mat4_orthographic(-reach, reach, -reach, reach, 0.1f * reach, 4 * reach);
  } else {
    memcpy(pos, light->pos, sizeof(pos));
    float angle = fminf(m->vis.map.shadowscale * light->cutoff, 80) * 3.14159265f / 180,
          znear = 0.02f * extent;
    float t = znear * tanf(angle);
    lens = mat4_perspective(-t, t, -t, t, znear, 20 * extent);
  }
  Mat4 look = mat4_look(pos, light->dir, up);
  return mat4_mul(&lens, &look);
}

// What throws shadows, as a light and the camera see it.
typedef struct Casters {
  float low[2], high[2];  // sides in the view of the light, -1 to 1
  float texel;            // largest side of a texel of the whole view, m
  float pixel;            // smallest side of a pixel, m
} Casters;

static void add_point(const ctRenderer* r, Casters* c, const Mat4* whole, bool directional,
                      const float at[3]) {
  const ctView* v = &r->scene->view;
  float clip[4];
  mat4_apply(whole, at, clip);
  bool behind = clip[3] <= 1e-6f;  // then it may be seen anywhere
  for (int k = 0; k < 2; k++) {
    float x = clip[k] / clip[3];
    c->low[k] = fminf(c->low[k], behind ? -1 : x);
    c->high[k] = fmaxf(c->high[k], behind ? 1 : x);
  }
  // the first row of the matrix is the right side of the light, as long as the whole is wide
  const float row[3] = {whole->m[0], whole->m[4], whole->m[8]};
  float texel = 2 / sqrtf(dot3(row, row)) / (float)r->most_shadow * (directional || behind ? 1 : clip[3]);
  c->texel = fmaxf(c->texel, behind ? 1e30f : texel);
  const float away[3] = {at[0] - v->pos[0], at[1] - v->pos[1], at[2] - v->pos[2]};
  c->pixel = fminf(c->pixel, pixel_size(r, dot3(away, v->forward)));
}

// The part of the view of a light that has casters, with texels as fine as the model wants them and as can be
// seen. False when there are none.
static bool fit_map(const ctRenderer* r, const ctSceneLight* light, ShadowMap* out) {
  const ctScene* s = r->scene;
  const Mat4 whole = whole_view(r, light);
  Casters c = {.low = {1, 1}, .high = {-1, -1}, .pixel = 1e30f};
  for (int i = 0; i < s->nitem; i++) {
    float box[8][3];
    if (!is_caster(s->items + i) || !item_box(r, s->items + i, box)) continue;
    for (int k = 0; k < 8; k++) add_point(r, &c, &whole, light->directional, box[k]);
  }
  Mat4 crop = {{0}};
  crop.m[10] = crop.m[15] = 1;
  float coarser = fmaxf(1, TEXEL_OF_PIXEL * c.pixel / c.texel);
  for (int k = 0; k < 2; k++) {
    float low = fmaxf(c.low[k], -1), high = fminf(c.high[k], 1);
    if (!(high > low)) return false;
    float texels = ceilf((high - low) / 2 * (float)r->most_shadow / coarser);
    out->size[k] = (int)fminf(texels, (float)(r->most_shadow - 2 * MARGIN)) + 2 * MARGIN;
    if (out->size[k] <= 2 * MARGIN) return false;
    float inner = (float)(out->size[k] - 2 * MARGIN) / (float)out->size[k];  // -1 to 1 without the margin
    crop.m[5 * k] = 2 * inner / (high - low);
    crop.m[12 + k] = -inner * (high + low) / (high - low);
  }
  out->project = mat4_mul(&crop, &whole);
  return true;
}

// ---- maps

static void draw_map(ctRenderer* r, const ShadowMap* map, int layer) {
  const Gl* g = &r->context.gl;
  Pass pass = {.program = &r->shadow, .project = map->project, .skip = -1};
  g->FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, r->shadow_map, 0, layer);
  g->DrawBuffer(GL_NONE);
  g->Viewport(0, 0, map->size[0], map->size[1]);
  g->Enable(GL_SCISSOR_TEST);
  g->Scissor(0, 0, map->size[0], map->size[1]);
  g->Clear(GL_DEPTH_BUFFER_BIT);
  g->Scissor(MARGIN, MARGIN, map->size[0] - 2 * MARGIN, map->size[1] - 2 * MARGIN);
  begin_pass(r, &pass);
  g->Enable(GL_POLYGON_OFFSET_FILL);
  g->PolygonOffset(1.5f, 4);
  for (int i = 0; i < r->scene->nitem; i++) {
    if (is_caster(r->scene->items + i)) draw_item(r, &pass, i, -1);
  }
  g->Disable(GL_POLYGON_OFFSET_FILL);
  g->Disable(GL_SCISSOR_TEST);
}

// How the program reads a map: from the world to coordinates of the texture, and where that ends.
static void show_map(const ctRenderer* r, const ShadowMap* map, int layer, LightBlock* b) {
  Mat4 to_texture = {{0}};
  to_texture.m[10] = to_texture.m[14] = 0.5f;
  to_texture.m[15] = 1;
  for (int k = 0; k < 2; k++) {
    float texel = 1 / (float)r->shadow_size[k], size = (float)map->size[k] * texel;
    to_texture.m[5 * k] = to_texture.m[12 + k] = 0.5f * size;
    b->part[k] = 0.5f * texel;
    b->part[2 + k] = size - 0.5f * texel;
  }
  b->shadow = mat4_mul(&to_texture, &map->project);
  b->diffuse[3] = (float)layer;
}

static ctStatus draw_maps(ctRenderer* r, LightBlock* block, ctError* err) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  ShadowMap maps[MOST_SHADOWS];
  int owners[MOST_SHADOWS], layers = 0, size[2] = {0, 0};
  for (int i = 0; i < s->nlight && layers < MOST_SHADOWS; i++) {
    if (!throws_shadow(r, s->lights + i) || !fit_map(r, s->lights + i, &maps[layers])) continue;
    for (int k = 0; k < 2; k++) size[k] = maps[layers].size[k] > size[k] ? maps[layers].size[k] : size[k];
    owners[layers++] = i;
  }
  if (layers == 0) return CT_OK;
  ctStatus status = renderer_need_shadows(r, size, layers, err);
  if (status != CT_OK) return status;
  g->BindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
  for (int i = 0; i < layers; i++) {
    draw_map(r, &maps[i], i);
    show_map(r, &maps[i], i, &block[owners[i]]);
  }
  return CT_OK;
}

// ---- all lights

static uint32_t kind_of(const LightBlock* b) {
  const bool fades = b->attenuation[0] != 1 || b->attenuation[1] != 0 || b->attenuation[2] != 0;
  return (b->pos[3] > 0 ? LIGHT_POINT | (fades ? LIGHT_FADES : 0u) : 0u) |
         (b->dir[3] > -1.5f ? LIGHT_CONE : 0u) | (b->diffuse[3] >= 0 ? LIGHT_SHADOW : 0u);
}

ctStatus draw_lights(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  LightBlock block[CT_LIGHT_MAX];
  memset(block, 0, sizeof(block));
  for (int i = 0; i < s->nlight; i++) {
    const ctSceneLight* light = s->lights + i;
    LightBlock* b = block + i;
    b->dir[3] = -2;
    b->diffuse[3] = -1;
    if (!light->directional && !light->spot) continue;  // as in MuJoCo's pictures, only these shine
    memcpy(b->pos, light->pos, sizeof(light->pos));
    memcpy(b->dir, light->dir, sizeof(light->dir));
    memcpy(b->ambient, light->ambient, sizeof(light->ambient));
    memcpy(b->diffuse, light->diffuse, sizeof(light->diffuse));
    memcpy(b->specular, light->specular, sizeof(light->specular));
    memcpy(b->attenuation, light->attenuation, sizeof(light->attenuation));
    b->pos[3] = light->directional ? 0 : 1;
    b->dir[3] = light->spot ? cosf(light->cutoff * 3.14159265f / 180) : -2;
    b->ambient[3] = light->exponent;
    b->diffuse[3] = -1;  // until it has a map
    b->specular[3] = 0.002f * fmaxf((float)r->m->stat.extent, 0.001f);
  }
  ctStatus status = draw_maps(r, block, err);
  r->light_kinds = (LightKinds){.unrolled = s->nlight < MOST_UNROLLED ? s->nlight : MOST_UNROLLED,
                                .more = s->nlight > MOST_UNROLLED};
  for (int i = 0; i < r->light_kinds.unrolled; i++) r->light_kinds.kinds |= kind_of(&block[i]) << 4 * i;
  g->BindBuffer(GL_UNIFORM_BUFFER, r->lights);
  g->BufferData(GL_UNIFORM_BUFFER, sizeof(block), block, GL_DYNAMIC_DRAW);
  g->BindBufferBase(GL_UNIFORM_BUFFER, 0, r->lights);
  return status;
}
