// What a renderer needs before it can draw: programs, buffers, targets.
#include <stdio.h>

#include "renderer.h"
#include "shaders.h"

// ---- programs

static GLuint make_shader(const Gl* g, GLenum kind, const char* parts, const char* text, ctError* err) {
  const char* const lines[3] = {SHADER_VERSION, parts, text};
  GLuint shader = g->CreateShader(kind);
  g->ShaderSource(shader, 3, lines, NULL);
  g->CompileShader(shader);
  GLint ok = 0;
  g->GetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  char log[400] = "";
  g->GetShaderInfoLog(shader, sizeof(log), NULL, log);
  g->DeleteShader(shader);
  render_error(err, CT_ERR_UNSUPPORTED, "the driver does not compile a shader: %s", log);
  return 0;
}

static ctStatus make_program(Program* p, const Gl* g, const char* vertex, const char* parts,
                             const char* fragment, ctError* err) {
  GLuint a = make_shader(g, GL_VERTEX_SHADER, "", vertex, err);
  if (!a) return CT_ERR_UNSUPPORTED;
  GLuint b = make_shader(g, GL_FRAGMENT_SHADER, parts, fragment, err);
  if (!b) {
    g->DeleteShader(a);
    return CT_ERR_UNSUPPORTED;
  }
  p->id = g->CreateProgram();
  g->AttachShader(p->id, a);
  g->AttachShader(p->id, b);
  g->LinkProgram(p->id);
  g->DeleteShader(a);
  g->DeleteShader(b);
  GLint ok = 0;
  g->GetProgramiv(p->id, GL_LINK_STATUS, &ok);
  if (!ok) {
    char log[400] = "";
    g->GetProgramInfoLog(p->id, sizeof(log), NULL, log);
    return render_error(err, CT_ERR_UNSUPPORTED, "the driver does not link a program: %s", log);
  }
#define X(name) p->name = g->GetUniformLocation(p->id, #name);
  UNIFORMS(X)
#undef X
  return CT_OK;
}

static bool same_lights(const LightKinds* a, const LightKinds* b) {
  return a->kinds == b->kinds && a->unrolled == b->unrolled && a->more == b->more;
}

// What the text of a program depends on: its parts, and a call for each light.
static void write_defines(char* out, size_t size, int parts, const LightKinds* lights) {
#define X(name) "#define WITH_" #name "\n",
  static const char* const names[PART_COUNT] = {PARTS(X)};
#undef X
  static const char* const truth[2] = {"false", "true"};
  size_t n = 0;
  for (int i = 0; i < PART_COUNT; i++) {
    if (parts >> i & 1) n += (size_t)snprintf(out + n, size - n, "%s", names[i]);
  }
  n += (size_t)snprintf(out + n, size - n, "%s#define UNROLLED %d\n#define ADD_LIGHTS",
                        lights->more ? "#define WITH_MORE\n" : "", lights->unrolled);
  for (int i = 0; i < lights->unrolled; i++) {
    uint32_t kind = lights->kinds >> 4 * i;
    n += (size_t)snprintf(out + n, size - n, " add_light(%d, %s, %s, %s, %s);", i,
                          truth[(kind & LIGHT_POINT) != 0], truth[(kind & LIGHT_CONE) != 0],
                          truth[(kind & LIGHT_FADES) != 0], truth[(kind & LIGHT_SHADOW) != 0]);
  }
  snprintf(out + n, size - n, "\n");
}

static ctStatus make_color(ctRenderer* r, ColorProgram* c, ctError* err) {
  const Gl* g = &r->context.gl;
  char defines[1024];
  Program* p = &c->program;
  write_defines(defines, sizeof(defines), c->parts, &c->lights);
  ctStatus status = make_program(p, g, vertex_shader, defines, color_shader, err);
  if (status != CT_OK) return status;
  g->UniformBlockBinding(p->id, g->GetUniformBlockIndex(p->id, "Lights"), 0);
  // units of textures: each kind has its own
  g->UseProgram(p->id);
  g->Uniform1i(p->flat_texture, 0);
  g->Uniform1i(p->cube_texture, 1);
  g->Uniform1i(p->shadows, 2);
  g->Uniform1i(p->mirror, 3);
  return CT_OK;
}

const Program* renderer_need_color(ctRenderer* r, int parts) {
  for (int i = 0; i < r->ncolor; i++) {
    if (r->color[i].parts == parts && same_lights(&r->color[i].lights, &r->light_kinds))
      return &r->color[i].program;
  }
  if (r->ncolor == MOST_PROGRAMS) return NULL;
  ColorProgram* c = &r->color[r->ncolor];
  *c = (ColorProgram){.parts = parts, .lights = r->light_kinds};
  if (make_color(r, c, &r->trouble) != CT_OK) return NULL;
  r->ncolor++;
  return &c->program;
}

void renderer_forget_color(ctRenderer* r) {
  if (r->ncolor < MOST_PROGRAMS / 2) return;
  for (int i = 0; i < r->ncolor; i++) r->context.gl.DeleteProgram(r->color[i].program.id);
  r->ncolor = 0;
}

static ctStatus make_programs(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  // one with much in it, so that a driver shows its limits now
  ColorProgram much = {.parts = PART_FLAT | PART_MIRROR | PART_FOG, .lights = {.more = true}};
  ctStatus status = make_color(r, &much, err);
  if (much.program.id) g->DeleteProgram(much.program.id);
  if (status == CT_OK) status = make_program(&r->shadow, g, vertex_shader, "", shadow_shader, err);
  if (status == CT_OK) status = make_program(&r->measure, g, vertex_shader, "", measure_shader, err);
  if (status == CT_OK) status = make_program(&r->sky, g, sky_vertex_shader, "", sky_shader, err);
  if (status != CT_OK) return status;
  g->UseProgram(r->sky.id);
  g->Uniform1i(r->sky.cube_texture, 1);
  return CT_OK;
}

// ---- targets

static ctStatus finish_target(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  if (g->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && g->GetError() == GL_NO_ERROR)
    return CT_OK;
  return render_error(err, CT_ERR_LIMIT, "the driver has no room for a picture of %d x %d pixels", r->width,
                      r->height);
}

// A buffer that nobody samples, attached to the current target.
static void attach_buffer(ctRenderer* r, GLuint* buffer, GLenum place, GLenum format, int samples) {
  const Gl* g = &r->context.gl;
  g->GenRenderbuffers(1, buffer);
  g->BindRenderbuffer(GL_RENDERBUFFER, *buffer);
  if (samples > 1) {
    g->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, r->width, r->height);
  } else {
    g->RenderbufferStorage(GL_RENDERBUFFER, format, r->width, r->height);
  }
  g->FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, *buffer);
}

static void begin_target(ctRenderer* r, Target* t) {
  r->context.gl.GenFramebuffers(1, &t->frame);
  r->context.gl.BindFramebuffer(GL_FRAMEBUFFER, t->frame);
}

static ctStatus make_picture(ctRenderer* r, Target* t, int samples, ctError* err) {
  begin_target(r, t);
  attach_buffer(r, &t->color[0], GL_COLOR_ATTACHMENT0, GL_RGBA8, samples);
  attach_buffer(r, &t->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples);
  return finish_target(r, err);
}

static ctStatus make_measured(ctRenderer* r, ctError* err) {
  Target* t = &r->measured;
  begin_target(r, t);
  attach_buffer(r, &t->color[0], GL_COLOR_ATTACHMENT0, GL_R32F, 1);
  attach_buffer(r, &t->color[1], GL_COLOR_ATTACHMENT1, GL_R32I, 1);
  attach_buffer(r, &t->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, 1);
  const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  r->context.gl.DrawBuffers(2, both);
  return finish_target(r, err);
}

ctStatus renderer_need_texture(ctRenderer* r, Target* t, ctError* err) {
  const Gl* g = &r->context.gl;
  if (t->frame) return CT_OK;
  begin_target(r, t);
  g->GenTextures(1, &t->color[0]);
  g->ActiveTexture(GL_TEXTURE3);
  g->BindTexture(GL_TEXTURE_2D, t->color[0]);
  g->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, r->width, r->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  g->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  g->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  g->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  g->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  g->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->color[0], 0);
  attach_buffer(r, &t->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 1);
  return finish_target(r, err);
}

ctStatus renderer_need_shadows(ctRenderer* r, const int size[2], int layers, ctError* err) {
  const Gl* g = &r->context.gl;
  g->ActiveTexture(GL_TEXTURE2);
  if (r->shadow_layers >= layers && r->shadow_size[0] >= size[0] && r->shadow_size[1] >= size[1]) {
    g->BindTexture(GL_TEXTURE_2D_ARRAY, r->shadow_map);
    return CT_OK;
  }
  if (!r->shadow_map) {
    g->GenTextures(1, &r->shadow_map);
    g->GenFramebuffers(1, &r->shadow_frame);
  }
  // some more than is needed, for the next pictures
  for (int k = 0; k < 2; k++) {
    int more = size[k] + size[k] / 4 > r->shadow_size[k] ? size[k] + size[k] / 4 : r->shadow_size[k];
    r->shadow_size[k] = more < r->most_shadow ? more : r->most_shadow;
  }
  r->shadow_layers = layers > r->shadow_layers ? layers : r->shadow_layers;
  g->BindTexture(GL_TEXTURE_2D_ARRAY, r->shadow_map);
  g->TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, r->shadow_size[0], r->shadow_size[1],
                r->shadow_layers, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  g->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  if (g->GetError() == GL_NO_ERROR) return CT_OK;
  ctStatus status = render_error(err, CT_ERR_MEMORY, "the driver has no memory for %d shadow maps of %d x %d",
                                 r->shadow_layers, r->shadow_size[0], r->shadow_size[1]);
  r->shadow_size[0] = r->shadow_size[1] = r->shadow_layers = 0;
  return status;
}

static void free_target(const Gl* g, Target* t, bool texture) {
  if (!t->frame) return;
  g->DeleteFramebuffers(1, &t->frame);
  if (texture) {
    g->DeleteTextures(1, t->color);
  } else {
    g->DeleteRenderbuffers(2, t->color);
  }
  g->DeleteRenderbuffers(1, &t->depth);
  *t = (Target){0};
}

static void free_targets(ctRenderer* r) {
  const Gl* g = &r->context.gl;
  free_target(g, &r->smooth, false);
  free_target(g, &r->picture, false);
  free_target(g, &r->measured, false);
  free_target(g, &r->written, true);
  for (int i = 0; i < MOST_MIRRORS; i++) free_target(g, &r->mirrors[i], true);
}

ctStatus renderer_make_targets(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  GLint most = 0;
  g->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (r->width > most || r->height > most)
    return render_error(err, CT_ERR_LIMIT,
                        "a picture of %d x %d pixels is larger than this driver allows: %d", r->width,
                        r->height, most);
  free_targets(r);
  ctStatus status = CT_OK;
  if (r->samples > 1) status = make_picture(r, &r->smooth, r->samples, err);
  if (status == CT_OK) status = make_picture(r, &r->picture, 1, err);
  if (status == CT_OK) status = make_measured(r, err);
  return status;
}

// ---- all of it

ctStatus renderer_setup(ctRenderer* r, const ctModel* m, const ctRenderOption* option, ctError* err) {
  const Gl* g = &r->context.gl;
  GLint most = 0, samples = 0;
  g->GetIntegerv(GL_MAX_SAMPLES, &samples);
  r->samples = option->samples > 0 ? option->samples : m->vis.quality.offsamples;
  if (r->samples > samples) r->samples = samples;
  g->GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  r->most_shadow = m->vis.quality.shadowsize < most ? m->vis.quality.shadowsize : most;
  ctStatus status = make_programs(r, err);
  if (status != CT_OK) return status;
  g->GenVertexArrays(1, &r->empty);
  g->GenBuffers(1, &r->lights);
  return renderer_make_targets(r, err);
}

void renderer_release(ctRenderer* r) {
  const Gl* g = &r->context.gl;
  const Program* programs[3] = {&r->shadow, &r->measure, &r->sky};
  for (int i = 0; i < 3; i++) {
    if (programs[i]->id) g->DeleteProgram(programs[i]->id);
  }
  for (int i = 0; i < r->ncolor; i++) g->DeleteProgram(r->color[i].program.id);
  free_targets(r);
  if (r->shadow_map) {
    g->DeleteTextures(1, &r->shadow_map);
    g->DeleteFramebuffers(1, &r->shadow_frame);
  }
  if (r->empty) g->DeleteVertexArrays(1, &r->empty);
  if (r->lights) g->DeleteBuffers(1, &r->lights);
  for (int i = 0; i < CT_SHAPE_COUNT; i++) shape_free(&r->builtin[i], g);
  for (int i = 0; r->meshes && i < r->nmesh; i++) shape_free(&r->meshes[i], g);
  for (int i = 0; r->hulls && i < r->nmesh; i++) shape_free(&r->hulls[i], g);
  for (int i = 0; r->hfields && i < r->nhfield; i++) shape_free(&r->hfields[i], g);
  for (int i = 0; r->skins && i < r->nskin; i++) shape_free(&r->skins[i], g);
  for (int i = 0; r->flexes && i < r->nflex; i++) shape_free(&r->flexes[i], g);
  if (r->textures && r->ntex) g->DeleteTextures(r->ntex, r->textures);
}
