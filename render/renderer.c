// The public calls, and the passes over a scene.
#include "renderer.h"

#include <stdlib.h>

#include "textures.h"

// ---- creation

ctStatus ct_renderer_upload(ctRenderer* r, const ctModel* m, ctError* err) {
  if (!r || !m || m->nmesh != r->nmesh || m->nhfield != r->nhfield || m->ntex != r->ntex)
    return render_error(err, CT_ERR_ARGUMENT, "renderer and model must not be NULL, and belong together");
  const Gl* g = &r->context.gl;
  if (!context_enter(&r->context))
    return render_error(err, CT_ERR_UNSUPPORTED, "the driver lost its context");
  g->ActiveTexture(GL_TEXTURE0);
  ctStatus status = textures_upload(r->textures, g, m, err);
  for (int i = 0; i < m->nhfield && status == CT_OK; i++) {
    status = shape_make_hfield(&r->hfields[i], g, m, i, &r->allocator);
    if (status != CT_OK) render_error(err, status, "no memory for height field %d", i);
  }
  context_leave(&r->context);
  return status;
}

static ctStatus make_shapes(ctRenderer* r, const ctModel* m, ctError* err) {
  const Gl* g = &r->context.gl;
  ctStatus status = shapes_make_builtin(r->builtin, g, m, &r->allocator);
  for (int i = 0; i < m->nmesh && status == CT_OK; i++)
    status = shape_make_mesh(&r->meshes[i], g, m, i, &r->allocator);
  return status == CT_OK ? CT_OK : render_error(err, status, "no memory for the shapes of the model");
}

static ctStatus create(ctRenderer* r, const ctModel* m, const ctRenderOption* option, ctError* err) {
  const ctAllocator* a = &r->allocator;
  r->meshes = render_alloc(a, (size_t)m->nmesh, sizeof(Shape));
  r->hulls = render_alloc(a, (size_t)m->nmesh, sizeof(Shape));
  r->hfields = render_alloc(a, (size_t)m->nhfield, sizeof(Shape));
  r->skins = render_alloc(a, (size_t)m->nskin, sizeof(Shape));
  r->flexes = render_alloc(a, (size_t)m->nflex, sizeof(Shape));
  r->textures = render_alloc(a, (size_t)m->ntex, sizeof(GLuint));
  if (!r->meshes || !r->hulls || !r->hfields || !r->skins || !r->flexes || !r->textures)
    return render_error(err, CT_ERR_MEMORY, "out of memory");
  ctStatus status = context_create(&r->context, option->backend, option->load, a, err);
  if (status != CT_OK) return status;
  if (!context_enter(&r->context))
    return render_error(err, CT_ERR_UNSUPPORTED, "the driver lost its context");
  status = renderer_setup(r, m, option, err);
  if (status == CT_OK) status = make_shapes(r, m, err);
  context_leave(&r->context);
  return status == CT_OK ? ct_renderer_upload(r, m, err) : status;
}

static ctStatus check_size(int width, int height, ctError* err) {
  if (width >= 1 && height >= 1 && width <= CT_RENDER_MAX_SIZE && height <= CT_RENDER_MAX_SIZE) return CT_OK;
  return render_error(err, CT_ERR_ARGUMENT, "a picture of %d x %d pixels: width and height must be 1 to %d",
                      width, height, CT_RENDER_MAX_SIZE);
}

ctStatus ct_renderer_create(ctRenderer** out, const ctModel* m, int width, int height,
                            const ctRenderOption* option, ctError* err) {
  const ctRenderOption usual = {0};
  if (!out || !m) return render_error(err, CT_ERR_ARGUMENT, "renderer and model must not be NULL");
  *out = NULL;
  ctStatus status = check_size(width, height, err);
  if (status != CT_OK) return status;
  if (!option) option = &usual;
  ctRenderer* r = render_alloc(&m->allocator, 1, sizeof(*r));
  if (!r) return render_error(err, CT_ERR_MEMORY, "out of memory");
  r->allocator = m->allocator;
  r->width = width;
  r->height = height;
  memcpy(r->background, option->background, sizeof(r->background));
  r->nmesh = m->nmesh;
  r->nhfield = m->nhfield;
  r->nskin = m->nskin;
  r->nflex = m->nflex;
  r->ntex = m->ntex;
  r->nmat = m->nmat;
  status = create(r, m, option, err);
  if (status == CT_OK) {
    *out = r;
  } else {
    ct_renderer_free(r);
  }
  return status;
}

void ct_renderer_free(ctRenderer* r) {
  if (!r) return;
  if (r->context.made && context_enter(&r->context)) {
    renderer_release(r);
    context_leave(&r->context);
  }
  ctAllocator a = r->allocator;
  context_free(&r->context, &a);
  render_release(&a, r->meshes);
  render_release(&a, r->hulls);
  render_release(&a, r->hfields);
  render_release(&a, r->skins);
  render_release(&a, r->flexes);
  render_release(&a, r->textures);
  render_release(&a, r);
}

ctStatus ct_renderer_resize(ctRenderer* r, int width, int height, ctError* err) {
  if (!r) return render_error(err, CT_ERR_ARGUMENT, "renderer must not be NULL");
  ctStatus status = check_size(width, height, err);
  if (status != CT_OK || (width == r->width && height == r->height)) return status;
  if (!context_enter(&r->context))
    return render_error(err, CT_ERR_UNSUPPORTED, "the driver lost its context");
  r->width = width;
  r->height = height;
  status = renderer_make_targets(r, err);
  context_leave(&r->context);
  return status;
}

const char* ct_renderer_name(const ctRenderer* r) {
  return r ? r->context.name : "";
}

// ---- one item

// What a pass sees with.
typedef struct Pass {
  const Program* program;  // the one in use
  Mat4 project;
  float eye[3], look[3], clip[4];
  int skip;  // item that is not drawn: the mirror itself; -1: none
  bool colour;
} Pass;

static float pixel_size(const ctRenderer* r, const float pos[3]) {
  const ctView* v = &r->scene->view;
  float height = (v->top - v->bottom) / (float)r->height;
  if (v->orthographic) return height;
  float away[3] = {pos[0] - v->pos[0], pos[1] - v->pos[1], pos[2] - v->pos[2]};
  float d = dot3(away, v->forward);
  return height * (d > v->znear ? d : v->znear) / v->znear;
}

static const Shape* shape_of(const ctRenderer* r, const ctItem* item) {
  switch (item->shape) {
    case CT_SHAPE_MESH: return item->data >= 0 && item->data < r->nmesh ? &r->meshes[item->data] : NULL;
    case CT_SHAPE_HULL: return item->data >= 0 && item->data < r->nmesh ? &r->hulls[item->data] : NULL;
    case CT_SHAPE_HFIELD: return item->data >= 0 && item->data < r->nhfield ? &r->hfields[item->data] : NULL;
    case CT_SHAPE_SKIN: return item->data >= 0 && item->data < r->nskin ? &r->skins[item->data] : NULL;
    case CT_SHAPE_FLEX: return item->data >= 0 && item->data < r->nflex ? &r->flexes[item->data] : NULL;
    default: return &r->builtin[item->shape];
  }
}

// Surfaces whose corners move one by one; they are seen from both sides.
static bool is_moved(const ctItem* item) {
  return item->shape == CT_SHAPE_SKIN || item->shape == CT_SHAPE_FLEX;
}

static bool is_endless(const ctItem* item) {
  return item->shape == CT_SHAPE_PLANE && (item->size[0] <= 0 || item->size[1] <= 0);
}

// From the unit shape to the item.
static void place_item(const ctRenderer* r, const Program* p, const ctItem* item) {
  const Gl* g = &r->context.gl;
  float scale[3] = {item->size[0], item->size[1], item->size[2]}, offset[3] = {0, 0, 0}, half_length = 0;
  if (item->shape == CT_SHAPE_CAPSULE) {
    half_length = scale[2];
    scale[2] = scale[0];
  } else if (item->shape == CT_SHAPE_LINE) {
    scale[0] = scale[1] = 0.5f * r->m->vis.global.linewidth * pixel_size(r, item->pos);
  } else if (item->shape == CT_SHAPE_PLANE) {
    // a plane without end goes with the camera, as far as that sees
    const ctView* v = &r->scene->view;
    for (int axis = 0; axis < 2; axis++) {
      if (scale[axis] > 0) continue;
      scale[axis] = 2 * v->zfar;
      for (int k = 0; k < 3; k++) offset[axis] += item->mat[3 * k + axis] * (v->pos[k] - item->pos[k]);
    }
    scale[2] = 1;
  }
  for (int k = 0; k < 3; k++) scale[k] = scale[k] > 1e-9f ? scale[k] : 1e-9f;
  g->UniformMatrix3fv(p->turn, 1, GL_TRUE, item->mat);
  g->Uniform3fv(p->place, 1, item->pos);
  g->Uniform3fv(p->scale, 1, scale);
  g->Uniform3fv(p->offset, 1, offset);
  g->Uniform1f(p->half_length, half_length);
}

// The texture of an item, -1 for none.
static int texture_of(const ctRenderer* r, const ctItem* item) {
  int tex = -1;
  if (item->material >= 0 && item->material < r->nmat) {
    const int* roles = r->m->mat_texid + (size_t)CT_TEXROLE_COUNT * (size_t)item->material;
    tex = roles[CT_TEXROLE_RGB] >= 0 ? roles[CT_TEXROLE_RGB] : roles[CT_TEXROLE_RGBA];
  }
  return tex < r->ntex ? tex : -1;
}

static void texture_item(const ctRenderer* r, const Program* p, const ctItem* item, const Shape* shape,
                         int tex) {
  const Gl* g = &r->context.gl;
  int kind = 0;
  if (tex >= 0) {
    bool cube = r->m->tex_type[tex] != CT_TEXTURE_2D;
    kind = cube ? 3 : shape->has_uv && !is_endless(item) ? 1 : 2;
    g->ActiveTexture(cube ? GL_TEXTURE1 : GL_TEXTURE0);
    g->BindTexture(cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, r->textures[tex]);
    bool uniform = r->m->mat_texuniform[item->material];
    const float* repeat = r->m->mat_texrepeat + 2 * item->material;
    // by the unit shape, or by lengths: a 2d texture is then repeated N times over two metres
    bool of_file = item->shape == CT_SHAPE_MESH || is_moved(item);
    bool unit = (!uniform || (kind == 1 && of_file)) && !is_endless(item);
    g->Uniform1i(p->texture_unit, unit);
    g->Uniform2f(p->texture_repeat, repeat[0], repeat[1]);
  }
  g->Uniform1i(p->texture_kind, kind);
}

static void colour_item(const ctRenderer* r, const Program* p, const ctItem* item, const Shape* shape,
                        int mirror, int tex) {
  const Gl* g = &r->context.gl;
  const ctByte* show = r->scene->option.show;
  const float surface[4] = {item->emission, item->specular, item->shininess,
                            mirror >= 0 ? item->reflectance : 0};
  float reach = r->scene->view.zfar;
  g->Uniform4fv(p->rgba, 1, item->rgba);
  g->Uniform4fv(p->surface, 1, surface);
  g->Uniform1i(p->two_sided, is_moved(item));
  bool hazy = show[CT_SHOW_HAZE] && is_endless(item);
  g->Uniform2f(p->haze_range, hazy ? (1 - r->m->vis.map.haze) * reach : 0, hazy ? reach : 0);
  if (mirror >= 0) {
    g->ActiveTexture(GL_TEXTURE3);
    g->BindTexture(GL_TEXTURE_2D, r->mirrors[mirror].color[0]);
  }
  texture_item(r, p, item, shape, tex);
}

static void begin_pass(const ctRenderer* r, const Pass* pass) {
  const Gl* g = &r->context.gl;
  const Program* p = pass->program;
  g->UseProgram(p->id);
  g->UniformMatrix4fv(p->project, 1, GL_FALSE, pass->project.m);
  g->Uniform3fv(p->eye, 1, pass->eye);
  g->Uniform3fv(p->look, 1, pass->look);
  g->Uniform4fv(p->clip, 1, pass->clip);
}

// What holds for all items of a pass in colour.
static void begin_colour(const ctRenderer* r, const Program* p) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  g->Uniform1i(p->light_count, s->nlight);
  g->Uniform1i(p->orthographic, s->view.orthographic);
  g->Uniform2f(p->picture, (float)r->width, (float)r->height);
  bool fog = s->option.show[CT_SHOW_FOG];
  float extent = (float)r->m->stat.extent;
  g->Uniform2f(p->fog_range, fog ? r->m->vis.map.fogstart * extent : 0,
               fog ? r->m->vis.map.fogend * extent : 0);
  g->Uniform4fv(p->fog_colour, 1, r->m->vis.rgba.fog);
  g->Uniform4fv(p->haze_colour, 1, r->m->vis.rgba.haze);
}

// Change to the program that has just what an item needs. One that cannot be made is replaced by that with
// all parts.
static void use_parts(ctRenderer* r, Pass* pass, int tex, int mirror) {
  int parts = (tex < 0                                ? 0
               : r->m->tex_type[tex] == CT_TEXTURE_2D ? PART_FLAT
                                                      : PART_CUBE) |
              (r->shadows > 0 ? PART_SHADOW : 0) | (mirror >= 0 ? PART_MIRROR : 0);
  const Program* p =
      renderer_need_color(r, parts, NULL) == CT_OK ? &r->color[parts] : &r->color[PART_COUNT - 1];
  if (p == pass->program) return;
  pass->program = p;
  begin_pass(r, pass);
  begin_colour(r, p);
}

static void draw_item(ctRenderer* r, Pass* pass, int i, int mirror) {
  const Gl* g = &r->context.gl;
  const ctItem* item = r->scene->items + i;
  const Shape* shape = shape_of(r, item);
  if (!shape || !shape->count || i == pass->skip) return;
  if (pass->colour) {
    int tex = texture_of(r, item);
    use_parts(r, pass, tex, mirror);
    colour_item(r, pass->program, item, shape, mirror, tex);
  }
  place_item(r, pass->program, item);
  bool two_sided = is_moved(item);
  if (two_sided) g->Disable(GL_CULL_FACE);
  g->BindVertexArray(shape->array);
  g->DrawElements(GL_TRIANGLES, shape->count, GL_UNSIGNED_INT, NULL);
  if (two_sided) g->Enable(GL_CULL_FACE);
}

// ---- views

// The sides of the view, with the aspect ratio of the picture where the camera leaves it open.
static void view_sides(const ctRenderer* r, float side[4]) {
  const ctView* v = &r->scene->view;
  side[0] = v->left;
  side[1] = v->right;
  side[2] = v->bottom;
  side[3] = v->top;
  if (side[0] == 0 && side[1] == 0) {
    side[1] = (v->top - v->bottom) / 2 * (float)r->width / (float)r->height;
    side[0] = -side[1];
  }
}

static Pass view_pass(const ctRenderer* r, const Program* program) {
  const ctView* v = &r->scene->view;
  float s[4];
  view_sides(r, s);
  Mat4 look = mat4_look(v->pos, v->forward, v->up);
  Mat4 lens = v->orthographic ? mat4_orthographic(s[0], s[1], s[2], s[3], v->znear, v->zfar)
                              : mat4_perspective(s[0], s[1], s[2], s[3], v->znear, v->zfar);
  Pass pass = {.program = program, .project = mat4_mul(&lens, &look), .skip = -1};
  memcpy(pass.eye, v->pos, sizeof(pass.eye));
  memcpy(pass.look, v->forward, sizeof(pass.look));
  return pass;
}

// ---- shadows

// Coverage of the model by a light's shadow map: a cone, or parallel rays over what the model extends to.
static Mat4 shadow_view(const ctRenderer* r, const ctSceneLight* light) {
  const ctModel* m = r->m;
  float extent = (float)m->stat.extent, pos[3], up[3] = {0, 0, 1};
  if (fabsf(light->dir[2]) > 0.9f) up[0] = 1, up[2] = 0;
  float along = dot3(up, light->dir);
  for (int k = 0; k < 3; k++) up[k] -= along * light->dir[k];
  normalize3(up);
  Mat4 lens;
  if (light->directional) {
    float reach = m->vis.map.shadowclip * extent;
    for (int k = 0; k < 3; k++) pos[k] = (float)m->stat.center[k] - 2 * reach * light->dir[k];
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

// What the shader knows of a light, as std140 lays it out.
typedef struct LightBlock {
  float pos[4], dir[4], ambient[4], diffuse[4], specular[4], attenuation[4];
  Mat4 shadow;
} LightBlock;

static bool throws_shadow(const ctRenderer* r, const ctSceneLight* light) {
  return r->scene->option.show[CT_SHOW_SHADOW] && light->castshadow && (light->directional || light->spot) &&
         r->shadow_size > 0;
}

static void draw_shadow_map(ctRenderer* r, const Mat4* project, int layer) {
  const Gl* g = &r->context.gl;
  Pass pass = {.program = &r->shadow, .project = *project, .skip = -1};
  g->BindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
  g->FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, r->shadow_map, 0, layer);
  g->DrawBuffer(GL_NONE);
  g->Viewport(0, 0, r->shadow_size, r->shadow_size);
  g->Clear(GL_DEPTH_BUFFER_BIT);
  begin_pass(r, &pass);
  g->Enable(GL_POLYGON_OFFSET_FILL);
  g->PolygonOffset(1.5f, 4);
  for (int i = 0; i < r->scene->nitem; i++) {
    const ctItem* item = r->scene->items + i;
    if (item->castshadow && !item->mark && item->shape != CT_SHAPE_PLANE && item->rgba[3] > 0.3f)
      draw_item(r, &pass, i, -1);
  }
  g->Disable(GL_POLYGON_OFFSET_FILL);
}

// Lights into their buffer, and a shadow map for each that throws shadows.
static ctStatus draw_lights(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  LightBlock block[CT_LIGHT_MAX];
  int layers = 0;
  for (int i = 0; i < s->nlight; i++) layers += throws_shadow(r, s->lights + i);
  if (layers > MOST_SHADOWS) layers = MOST_SHADOWS;
  r->shadows = layers;
  if (layers > 0) {
    ctStatus status = renderer_need_shadows(r, layers, err);
    if (status != CT_OK) return status;
  }
  memset(block, 0, sizeof(block));
  int layer = 0;
  for (int i = 0; i < s->nlight; i++) {
    const ctSceneLight* light = s->lights + i;
    LightBlock* b = block + i;
    memcpy(b->pos, light->pos, sizeof(light->pos));
    memcpy(b->dir, light->dir, sizeof(light->dir));
    memcpy(b->ambient, light->ambient, sizeof(light->ambient));
    memcpy(b->diffuse, light->diffuse, sizeof(light->diffuse));
    memcpy(b->specular, light->specular, sizeof(light->specular));
    memcpy(b->attenuation, light->attenuation, sizeof(light->attenuation));
    b->pos[3] = light->directional ? 0 : 1;
    b->dir[3] = light->spot ? cosf(light->cutoff * 3.14159265f / 180) : -2;
    b->ambient[3] = light->exponent;
    b->diffuse[3] = -1;
    b->specular[3] = (float)r->m->stat.extent;
    if (throws_shadow(r, light) && layer < layers) {
      b->shadow = shadow_view(r, light);
      b->diffuse[3] = (float)layer;
      draw_shadow_map(r, &b->shadow, layer++);
    }
  }
  g->BindBuffer(GL_UNIFORM_BUFFER, r->lights);
  g->BufferData(GL_UNIFORM_BUFFER, sizeof(block), block, GL_DYNAMIC_DRAW);
  g->BindBufferBase(GL_UNIFORM_BUFFER, 0, r->lights);
  return CT_OK;
}

// ---- colour

// The texture of the sky: the first of its kind; -1: none.
static int sky_texture(const ctRenderer* r) {
  for (int i = 0; i < r->ntex && r->scene->option.show[CT_SHOW_SKYBOX]; i++) {
    if (r->m->tex_type[i] == CT_TEXTURE_SKYBOX) return i;
  }
  return -1;
}

static void draw_sky(const ctRenderer* r) {
  const Gl* g = &r->context.gl;
  const ctView* v = &r->scene->view;
  int tex = sky_texture(r);
  if (tex < 0) return;
  float s[4], right[3], up[3], forward[3];
  view_sides(r, s);
  cross3(right, v->forward, v->up);
  for (int k = 0; k < 3; k++) {
    forward[k] = v->forward[k];
    up[k] = v->orthographic ? 0 : v->up[k] * (s[3] - s[2]) / 2 / v->znear;
    if (!v->orthographic) forward[k] += (right[k] * (s[0] + s[1]) + v->up[k] * (s[2] + s[3])) / 2 / v->znear;
  }
  for (int k = 0; k < 3; k++) right[k] *= v->orthographic ? 0 : (s[1] - s[0]) / 2 / v->znear;
  g->UseProgram(r->sky.id);
  g->ActiveTexture(GL_TEXTURE1);
  g->BindTexture(GL_TEXTURE_CUBE_MAP, r->textures[tex]);
  g->Uniform3fv(r->sky.forward, 1, forward);
  g->Uniform3fv(r->sky.right, 1, right);
  g->Uniform3fv(r->sky.up, 1, up);
  g->BindVertexArray(r->empty);
  g->DepthMask(GL_FALSE);
  g->Disable(GL_CULL_FACE);
  g->DrawArrays(GL_TRIANGLES, 0, 3);
  g->Enable(GL_CULL_FACE);
  g->DepthMask(GL_TRUE);
}

typedef struct Far {
  float distance;
  int item;
} Far;

static int compare_far(const void* a, const void* b) {
  float x = ((const Far*)a)->distance, y = ((const Far*)b)->distance;
  return x < y ? 1 : x > y ? -1 : ((const Far*)a)->item - ((const Far*)b)->item;
}

// What is seen through goes last, from far to near.
static ctStatus draw_transparent(ctRenderer* r, Pass* pass) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  int n = 0;
  for (int i = 0; i < s->nitem; i++) n += s->items[i].rgba[3] < 1;
  if (n == 0) return CT_OK;
  Far* far = render_alloc(&r->allocator, (size_t)n, sizeof(Far));
  if (!far) return CT_ERR_MEMORY;
  n = 0;
  for (int i = 0; i < s->nitem; i++) {
    const ctItem* item = s->items + i;
    if (item->rgba[3] >= 1) continue;
    float away[3] = {item->pos[0] - pass->eye[0], item->pos[1] - pass->eye[1], item->pos[2] - pass->eye[2]};
    far[n++] = (Far){is_endless(item) ? s->view.zfar : dot3(away, pass->look), i};
  }
  qsort(far, (size_t)n, sizeof(Far), compare_far);
  g->Enable(GL_BLEND);
  g->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  g->DepthMask(GL_FALSE);
  for (int i = 0; i < n; i++) draw_item(r, pass, far[i].item, -1);
  g->DepthMask(GL_TRUE);
  g->Disable(GL_BLEND);
  render_release(&r->allocator, far);
  return CT_OK;
}

// Planes that mirror and that the camera sees from the front; returns how many.
static int find_mirrors(const ctRenderer* r, int out[MOST_MIRRORS]) {
  const ctScene* s = r->scene;
  int n = 0;
  for (int i = 0; i < s->nitem && n < MOST_MIRRORS && s->option.show[CT_SHOW_REFLECTION]; i++) {
    const ctItem* item = s->items + i;
    if (item->shape != CT_SHAPE_PLANE || item->reflectance <= 0 || item->rgba[3] < 1) continue;
    float height = 0;
    for (int k = 0; k < 3; k++) height += item->mat[3 * k + 2] * (s->view.pos[k] - item->pos[k]);
    if (height > 0) out[n++] = i;
  }
  return n;
}

// A mirror image is transparent where there are no items: planes mirror what is there, not the sky.
static ctStatus draw_colours(ctRenderer* r, Pass* pass, bool mirrored, const int* mirrors, int nmirror) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  g->Viewport(0, 0, r->width, r->height);
  g->ClearColor(r->background[0], r->background[1], r->background[2], mirrored ? 0 : 1);
  g->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (!mirrored) draw_sky(r);
  if (s->option.show[CT_SHOW_WIREFRAME]) g->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  for (int i = 0; i < s->nitem; i++) {
    if (s->items[i].rgba[3] < 1) continue;
    int mirror = -1;
    for (int k = 0; k < nmirror; k++) {
      if (mirrors[k] == i) mirror = k;
    }
    draw_item(r, pass, i, mirror);
  }
  ctStatus status = draw_transparent(r, pass);
  g->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  return status;
}

// The scene as a plane mirrors it, without the plane and what is behind it.
static ctStatus draw_mirror(ctRenderer* r, int item_id, int i, ctError* err) {
  const Gl* g = &r->context.gl;
  const ctItem* item = r->scene->items + item_id;
  ctStatus status = renderer_need_mirror(r, i, err);
  if (status != CT_OK) return status;
  const float n[3] = {item->mat[2], item->mat[5], item->mat[8]};
  Pass pass = view_pass(r, NULL);
  Mat4 mirror = mat4_mirror(n, item->pos);
  pass.project = mat4_mul(&pass.project, &mirror);
  mirror_point(pass.eye, n, item->pos);
  mirror_vector(pass.look, n);
  memcpy(pass.clip, n, sizeof(n));
  pass.clip[3] = -dot3(n, item->pos);
  pass.skip = item_id;
  pass.colour = true;
  g->BindFramebuffer(GL_FRAMEBUFFER, r->mirrors[i].frame);
  g->Enable(GL_CLIP_DISTANCE0);
  g->FrontFace(GL_CW);
  status = draw_colours(r, &pass, true, NULL, 0);
  g->FrontFace(GL_CCW);
  g->Disable(GL_CLIP_DISTANCE0);
  return status;
}

// ---- calls

// Shapes that are made when they are first seen, or that change every time.
static ctStatus prepare(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  for (int i = 0; i < r->scene->nitem; i++) {
    const ctItem* item = r->scene->items + i;
    ctStatus status = CT_OK;
    if (item->shape == CT_SHAPE_HULL && item->data < r->nmesh && !r->hulls[item->data].count)
      status = shape_make_hull(&r->hulls[item->data], g, r->m, item->data, &r->allocator);
    if (item->shape == CT_SHAPE_SKIN && item->data < r->nskin)
      status = shape_make_skin(&r->skins[item->data], g, r->m, item->data, r->scene, &r->allocator);
    if (item->shape == CT_SHAPE_FLEX && item->data < r->nflex) {
      const bool flat = r->m->flex_flatskin[item->data] || !r->scene->option.show[CT_SHOW_FLEXSKIN];
      status = shape_make_flex(&r->flexes[item->data], g, r->m, item->data, r->scene, flat, &r->allocator);
    }
    if (status != CT_OK) return render_error(err, status, "no memory for the shapes of the scene");
  }
  return CT_OK;
}

static ctStatus begin(ctRenderer* r, const ctModel* m, const ctScene* scene, ctError* err) {
  if (!r || !m || !scene)
    return render_error(err, CT_ERR_ARGUMENT, "renderer, model and scene must not be NULL");
  if (m->nmesh != r->nmesh || m->nhfield != r->nhfield || m->nskin != r->nskin || m->nflex != r->nflex ||
      m->ntex != r->ntex || m->nmat != r->nmat)
    return render_error(err, CT_ERR_ARGUMENT, "the renderer was made for another model");
  if (!context_enter(&r->context))
    return render_error(err, CT_ERR_UNSUPPORTED, "the driver lost its context");
  r->m = m;
  r->scene = scene;
  const Gl* g = &r->context.gl;
  g->Enable(GL_DEPTH_TEST);
  g->DepthFunc(GL_LEQUAL);
  g->Enable(GL_CULL_FACE);
  g->Enable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
  g->PixelStorei(GL_PACK_ALIGNMENT, 1);
  return CT_OK;
}

static ctStatus finish(ctRenderer* r, ctStatus status, ctError* err) {
  GLenum code = r->context.gl.GetError();
  context_leave(&r->context);
  r->m = NULL;
  r->scene = NULL;
  if (status == CT_OK && code != GL_NO_ERROR)
    return render_error(err, CT_ERR_MEMORY, "the driver failed to draw (code 0x%x)", (unsigned)code);
  if (status == CT_ERR_MEMORY && err && !err->message[0]) render_error(err, status, "out of memory");
  return status;
}

// OpenGL has the lower row first.
static void flip_rows(void* pixels, size_t row, int height, ctByte* scratch) {
  ctByte* p = pixels;
  for (int i = 0; i < height / 2; i++) {
    ctByte *a = p + row * (size_t)i, *b = p + row * (size_t)(height - 1 - i);
    memcpy(scratch, a, row);
    memcpy(a, b, row);
    memcpy(b, scratch, row);
  }
}

static ctStatus draw_picture(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  int mirrors[MOST_MIRRORS];
  ctStatus status = prepare(r, err);
  if (status == CT_OK) status = draw_lights(r, err);
  int nmirror = find_mirrors(r, mirrors);
  for (int i = 0; i < nmirror && status == CT_OK; i++) status = draw_mirror(r, mirrors[i], i, err);
  if (status != CT_OK) return status;
  Pass pass = view_pass(r, NULL);
  pass.colour = true;
  g->BindFramebuffer(GL_FRAMEBUFFER, r->samples > 1 ? r->smooth.frame : r->picture.frame);
  status = draw_colours(r, &pass, false, mirrors, nmirror);
  if (r->samples > 1) {
    g->BindFramebuffer(GL_READ_FRAMEBUFFER, r->smooth.frame);
    g->BindFramebuffer(GL_DRAW_FRAMEBUFFER, r->picture.frame);
    g->BlitFramebuffer(0, 0, r->width, r->height, 0, 0, r->width, r->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  return status;
}

ctStatus ct_render_color(ctRenderer* r, const ctModel* m, const ctScene* scene, ctByte* rgb, ctError* err) {
  if (err) memset(err, 0, sizeof(*err));
  if (!rgb) return render_error(err, CT_ERR_ARGUMENT, "there must be room for the picture");
  ctStatus status = begin(r, m, scene, err);
  if (status != CT_OK) return status;
  const Gl* g = &r->context.gl;
  size_t row = 3 * (size_t)r->width;
  ctByte* scratch = render_alloc(&r->allocator, row, 1);
  status = scratch ? draw_picture(r, err) : CT_ERR_MEMORY;
  if (status == CT_OK) {
    g->BindFramebuffer(GL_READ_FRAMEBUFFER, r->picture.frame);
    g->ReadBuffer(GL_COLOR_ATTACHMENT0);
    g->ReadPixels(0, 0, r->width, r->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    flip_rows(rgb, row, r->height, scratch);
  }
  render_release(&r->allocator, scratch);
  return finish(r, status, err);
}

ctStatus ct_render_show(ctRenderer* r, const ctModel* m, const ctScene* scene, ctError* err) {
  if (err) memset(err, 0, sizeof(*err));
  ctStatus status = begin(r, m, scene, err);
  if (status != CT_OK) return status;
  const Gl* g = &r->context.gl;
  status = draw_picture(r, err);
  if (status == CT_OK) {
    g->BindFramebuffer(GL_READ_FRAMEBUFFER, r->picture.frame);
    g->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    g->BlitFramebuffer(0, 0, r->width, r->height, 0, 0, r->width, r->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  g->BindFramebuffer(GL_FRAMEBUFFER, 0);
  return finish(r, status, err);
}

static void draw_measured(ctRenderer* r) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  Pass pass = view_pass(r, &r->measure);
  g->BindFramebuffer(GL_FRAMEBUFFER, r->measured.frame);
  g->Viewport(0, 0, r->width, r->height);
  const float nothing[4] = {s->view.zfar, 0, 0, 0}, far = 1;
  const GLint none[4] = {-1, 0, 0, 0};
  g->ClearBufferfv(GL_COLOR, 0, nothing);
  g->ClearBufferiv(GL_COLOR, 1, none);
  g->ClearBufferfv(GL_DEPTH, 0, &far);
  begin_pass(r, &pass);
  for (int i = 0; i < s->nitem; i++) {
    if (s->items[i].mark) continue;
    g->Uniform1i(r->measure.number, i);
    draw_item(r, &pass, i, -1);
  }
}

ctStatus ct_render_measure(ctRenderer* r, const ctModel* m, const ctScene* scene, float* depth, int* ids,
                           ctError* err) {
  if (err) memset(err, 0, sizeof(*err));
  ctStatus status = begin(r, m, scene, err);
  if (status != CT_OK) return status;
  const Gl* g = &r->context.gl;
  size_t width = (size_t)r->width, row = width * sizeof(float);
  ctByte* scratch = render_alloc(&r->allocator, row, 1);
  GLint* items = render_alloc(&r->allocator, ids ? width * (size_t)r->height : 1, sizeof(GLint));
  status = scratch && items ? prepare(r, err) : CT_ERR_MEMORY;
  if (status == CT_OK) {
    draw_measured(r);
    if (depth) {
      g->ReadBuffer(GL_COLOR_ATTACHMENT0);
      g->ReadPixels(0, 0, r->width, r->height, GL_RED, GL_FLOAT, depth);
      flip_rows(depth, row, r->height, scratch);
    }
    if (ids) {
      g->ReadBuffer(GL_COLOR_ATTACHMENT1);
      g->ReadPixels(0, 0, r->width, r->height, GL_RED_INTEGER, GL_INT, items);
      flip_rows(items, width * sizeof(GLint), r->height, scratch);
      for (size_t i = 0; i < width * (size_t)r->height; i++) {
        bool seen = items[i] >= 0 && items[i] < scene->nitem;
        ids[2 * i] = seen ? scene->items[items[i]].id : -1;
        ids[2 * i + 1] = seen ? (int)scene->items[items[i]].type : -1;
      }
    }
  }
  render_release(&r->allocator, scratch);
  render_release(&r->allocator, items);
  return finish(r, status, err);
}
