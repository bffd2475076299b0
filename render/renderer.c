// The public calls.
#include "renderer.h"

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
  r->trouble = (ctError){0};
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
  if (status == CT_OK && r->trouble.status != CT_OK)
    return render_error(err, r->trouble.status, "%s", r->trouble.message);
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

// The picture as bytes, the upper row first, with its labels.
static ctStatus read_picture(ctRenderer* r, ctByte* rgb) {
  const Gl* g = &r->context.gl;
  const size_t row = 3 * (size_t)r->width;
  ctByte* scratch = render_alloc(&r->allocator, row, 1);
  if (!scratch) return CT_ERR_MEMORY;
  g->BindFramebuffer(GL_READ_FRAMEBUFFER, r->picture.frame);
  g->ReadBuffer(GL_COLOR_ATTACHMENT0);
  g->ReadPixels(0, 0, r->width, r->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  flip_rows(rgb, row, r->height, scratch);
  render_release(&r->allocator, scratch);
  return write_labels(r, rgb);
}

ctStatus ct_render_color(ctRenderer* r, const ctModel* m, const ctScene* scene, ctByte* rgb, ctError* err) {
  if (err) memset(err, 0, sizeof(*err));
  if (!rgb) return render_error(err, CT_ERR_ARGUMENT, "there must be room for the picture");
  ctStatus status = begin(r, m, scene, err);
  if (status != CT_OK) return status;
  status = prepare(r, err);
  if (status == CT_OK) status = draw_picture(r, err);
  if (status == CT_OK) status = read_picture(r, rgb);
  return finish(r, status, err);
}

static bool has_labels(const ctScene* s) {
  for (int i = 0; i < s->nitem; i++) {
    if (s->items[i].label[0]) return true;
  }
  return false;
}

// The picture with its labels back to the driver.
static ctStatus write_picture(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  const size_t row = 3 * (size_t)r->width;
  ctStatus status = renderer_need_texture(r, &r->written, err);
  if (status != CT_OK) return status;
  ctByte* rgb = render_alloc(&r->allocator, row, (size_t)r->height + 1);  // and a row to turn it with
  if (!rgb) return CT_ERR_MEMORY;
  status = read_picture(r, rgb);
  if (status == CT_OK) {
    flip_rows(rgb, row, r->height, rgb + row * (size_t)r->height);
    g->ActiveTexture(GL_TEXTURE3);
    g->BindTexture(GL_TEXTURE_2D, r->written.color[0]);
    g->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    g->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, r->width, r->height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  }
  render_release(&r->allocator, rgb);
  return status;
}

ctStatus ct_render_show(ctRenderer* r, const ctModel* m, const ctScene* scene, ctError* err) {
  if (err) memset(err, 0, sizeof(*err));
  ctStatus status = begin(r, m, scene, err);
  if (status != CT_OK) return status;
  const Gl* g = &r->context.gl;
  const bool labels = has_labels(scene);
  status = prepare(r, err);
  if (status == CT_OK) status = draw_picture(r, err);
  if (status == CT_OK && labels) status = write_picture(r, err);
  if (status == CT_OK) {
    g->BindFramebuffer(GL_READ_FRAMEBUFFER, labels ? r->written.frame : r->picture.frame);
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
