// The scene in colour: sky, mirror images, what is seen through.
#include <stdlib.h>

#include "renderer.h"

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

Pass view_pass(const ctRenderer* r, const Program* program) {
  const ctView* v = &r->scene->view;
  float s[4];
  view_sides(r, s);
  Mat4 look = mat4_look(v->pos, v->forward, v->up);
  Mat4 lens = v->orthographic ? mat4_orthographic(s[0], s[1], s[2], s[3], v->znear, v->zfar)
                              : mat4_perspective(s[0], s[1], s[2], s[3], v->znear, v->zfar);
  Pass pass = {.program = program, .project = mat4_mul(&lens, &look), .skip = -1, .strength = 1};
  memcpy(pass.eye, v->pos, sizeof(pass.eye));
  memcpy(pass.look, v->forward, sizeof(pass.look));
  return pass;
}

// ---- colour

int sky_texture(const ctRenderer* r) {
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
  const float none[4] = {0, 0, 0, 0};
  g->Uniform4fv(r->sky.haze_colour, 1, none);
  for (int i = 0; i < r->scene->nitem && !v->orthographic; i++) {
    if (!is_hazy(r, r->scene->items + i)) continue;
    set_haze(r, &r->sky, r->scene->items + i);
    break;
  }
  g->BindVertexArray(r->empty);
  g->DepthMask(GL_FALSE);
  g->Disable(GL_CULL_FACE);
  g->DrawArrays(GL_TRIANGLES, 0, 3);
  g->Enable(GL_CULL_FACE);
  g->DepthMask(GL_TRUE);
}

// ---- the order of items

typedef struct Rank {
  float distance;
  int item;
} Rank;

static int compare_near(const void* a, const void* b) {
  float x = ((const Rank*)a)->distance, y = ((const Rank*)b)->distance;
  return x < y ? -1 : x > y ? 1 : ((const Rank*)a)->item - ((const Rank*)b)->item;
}

static bool is_clear(const ctItem* item) {
  return item->rgba[3] < 1;
}

// All items from near to far, planes without end last. NULL without memory.
static Rank* rank_items(const ctRenderer* r, const Pass* pass) {
  const ctScene* s = r->scene;
  Rank* rank = render_alloc(&r->allocator, (size_t)s->nitem, sizeof(Rank));
  for (int i = 0; rank && i < s->nitem; i++) {
    const float* p = s->items[i].pos;
    const float away[3] = {p[0] - pass->eye[0], p[1] - pass->eye[1], p[2] - pass->eye[2]};
    rank[i] = (Rank){is_endless(s->items + i) ? s->view.zfar : dot3(away, pass->look), i};
  }
  if (rank) qsort(rank, (size_t)s->nitem, sizeof(Rank), compare_near);
  return rank;
}

// What hides others first, from near to far, so that little is drawn in vain. Of two in one place the first
// stays.
static void draw_solid(ctRenderer* r, Pass* pass, const Rank* rank, const int* mirrors, int nmirror) {
  const Gl* g = &r->context.gl;
  g->DepthFunc(GL_LESS);
  for (int i = 0; i < r->scene->nitem; i++) {
    const int item = rank[i].item;
    if (is_clear(r->scene->items + item)) continue;
    int mirror = -1;
    for (int k = 0; k < nmirror; k++) {
      if (mirrors[k] == item) mirror = k;
    }
    draw_item(r, pass, item, mirror);
  }
  g->DepthFunc(GL_LEQUAL);
}

// Lights then throw none; returns what they did.
static uint32_t without_shadows(ctRenderer* r) {
  const uint32_t kinds = r->light_kinds.kinds;
  r->light_kinds.kinds &= ~LIGHT_ALL_SHADOWS;
  return kinds;
}

// What is seen through goes last, from far to near, and twice: as opaque as in MuJoCo's pictures. No shadow
// falls on it.
static void draw_clear(ctRenderer* r, Pass* pass, const Rank* rank) {
  const Gl* g = &r->context.gl;
  g->Enable(GL_BLEND);
  g->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  g->DepthMask(GL_FALSE);
  const uint32_t kinds = without_shadows(r);
  for (int i = r->scene->nitem - 1; i >= 0; i--) {
    if (!is_clear(r->scene->items + rank[i].item)) continue;
    for (int k = 0; k < 2; k++) draw_item(r, pass, rank[i].item, -1);
  }
  r->light_kinds.kinds = kinds;
  g->DepthMask(GL_TRUE);
  g->Disable(GL_BLEND);
}

// ---- mirrors

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

// A mirror image is black where there are no items: planes mirror what is there, not the sky.
static ctStatus draw_colours(ctRenderer* r, Pass* pass, bool mirrored, const int* mirrors, int nmirror) {
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  Rank* rank = rank_items(r, pass);
  if (!rank) return CT_ERR_MEMORY;
  g->Viewport(0, 0, r->width, r->height);
  const float black[3] = {0, 0, 0}, *back = mirrored ? black : r->background;
  g->ClearColor(back[0], back[1], back[2], 1);
  g->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  const GLenum mode = s->option.show[CT_SHOW_WIREFRAME] ? GL_LINE : GL_FILL;
  g->PolygonMode(GL_FRONT_AND_BACK, mode);
  draw_solid(r, pass, rank, mirrors, nmirror);
  g->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  if (!mirrored) draw_sky(r);
  pass->program = NULL;  // that of the sky is in use
  g->PolygonMode(GL_FRONT_AND_BACK, mode);
  draw_clear(r, pass, rank);
  g->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  render_release(&r->allocator, rank);
  return CT_OK;
}

// The scene as a plane mirrors it, without the plane, what is behind it, and shadows.
static ctStatus draw_mirror(ctRenderer* r, int item_id, int i, ctError* err) {
  const Gl* g = &r->context.gl;
  const ctItem* item = r->scene->items + item_id;
  ctStatus status = renderer_need_texture(r, &r->mirrors[i], err);
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
  pass.strength = item->reflectance;
  g->BindFramebuffer(GL_FRAMEBUFFER, r->mirrors[i].frame);
  g->Enable(GL_CLIP_DISTANCE0);
  g->FrontFace(GL_CW);
  const uint32_t kinds = without_shadows(r);
  status = draw_colours(r, &pass, true, NULL, 0);
  r->light_kinds.kinds = kinds;
  g->FrontFace(GL_CCW);
  g->Disable(GL_CLIP_DISTANCE0);
  return status;
}

ctStatus draw_picture(ctRenderer* r, ctError* err) {
  const Gl* g = &r->context.gl;
  int mirrors[MOST_MIRRORS];
  renderer_forget_color(r);
  ctStatus status = draw_lights(r, err);
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
