// Items in a pass: where they stand, what they are made of.
#include "renderer.h"

float pixel_size(const ctRenderer* r, float distance) {
  const ctView* v = &r->scene->view;
  float height = (v->top - v->bottom) / (float)r->height;
  return v->orthographic ? height : height * fmaxf(distance, v->znear) / v->znear;
}

// ---- where an item stands

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

bool is_endless(const ctItem* item) {
  return item->shape == CT_SHAPE_PLANE && (item->size[0] <= 0 || item->size[1] <= 0);
}

bool is_hazy(const ctRenderer* r, const ctItem* item) {
  return item->shape == CT_SHAPE_PLANE && item->size[0] <= 0 && item->size[1] <= 0 && sky_texture(r) >= 0;
}

// What haze covers of a plane: the outer part of a circle that a square of the size of the view fits into.
void set_haze(const ctRenderer* r, const Program* p, const ctItem* plane) {
  const Gl* g = &r->context.gl;
  const ctView* v = &r->scene->view;
  const float reach = v->zfar * 0.70710678f, *c = r->m->vis.rgba.haze;
  const float n[3] = {plane->mat[2], plane->mat[5], plane->mat[8]};
  const float ground[4] = {n[0], n[1], n[2], dot3(n, v->pos) - dot3(n, plane->pos)};
  const float colour[4] = {c[0], c[1], c[2], r->scene->option.show[CT_SHOW_HAZE] ? c[3] : 0};
  g->Uniform4fv(p->haze_plane, 1, ground);
  g->Uniform2f(p->haze_range, (1 - r->m->vis.map.haze) * reach, reach);
  g->Uniform4fv(p->haze_colour, 1, colour);
}

// From the unit shape to the item, in its own axes.
typedef struct Placement {
  float scale[3], offset[3], half_length;
} Placement;

static Placement place_of(const ctRenderer* r, const ctItem* item) {
  const ctView* v = &r->scene->view;
  Placement p = {.scale = {item->size[0], item->size[1], item->size[2]}};
  if (item->shape == CT_SHAPE_CAPSULE) {
    p.half_length = p.scale[2];
    p.scale[2] = p.scale[0];
  } else if (item->shape == CT_SHAPE_LINE) {
    float away[3] = {item->pos[0] - v->pos[0], item->pos[1] - v->pos[1], item->pos[2] - v->pos[2]};
    p.scale[0] = p.scale[1] = 0.5f * r->m->vis.global.linewidth * pixel_size(r, dot3(away, v->forward));
  } else if (item->shape == CT_SHAPE_PLANE) {
    // a plane without end goes with the camera, as far as that sees
    for (int axis = 0; axis < 2; axis++) {
      if (p.scale[axis] > 0) continue;
      p.scale[axis] = 2 * v->zfar;
      for (int k = 0; k < 3; k++) p.offset[axis] += item->mat[3 * k + axis] * (v->pos[k] - item->pos[k]);
    }
    p.scale[2] = 1;
  }
  for (int k = 0; k < 3; k++) p.scale[k] = p.scale[k] > 1e-9f ? p.scale[k] : 1e-9f;
  return p;
}

static void find_box(const Placement* p, const ctItem* item, const Shape* shape, float out[8][3]) {
  for (int i = 0; i < 8; i++) {
    float local[3];
    for (int k = 0; k < 3; k++)
      local[k] = (i >> k & 1 ? shape->high : shape->low)[k] * p->scale[k] + p->offset[k];
    local[2] += i >> 2 & 1 ? p->half_length : -p->half_length;
    for (int k = 0; k < 3; k++) out[i][k] = item->pos[k] + dot3(item->mat + 3 * k, local);
  }
}

bool item_box(const ctRenderer* r, const ctItem* item, float out[8][3]) {
  const Shape* shape = shape_of(r, item);
  if (!shape || !shape->count) return false;
  const Placement p = place_of(r, item);
  find_box(&p, item, shape, out);
  return true;
}

// Whether all of a box lies on the far side of one of the sides of the view, or behind the mirror.
static bool is_outside(const Pass* pass, float box[8][3]) {
  unsigned out = 0x7f;
  for (int i = 0; i < 8 && out; i++) {
    float c[4];
    mat4_apply(&pass->project, box[i], c);
    unsigned here = dot3(pass->clip, box[i]) + pass->clip[3] < 0 ? 0x40 : 0;
    for (unsigned k = 0; k < 3; k++)
      here |= (c[k] < -c[3] ? 1u : 0) << 2 * k | (c[k] > c[3] ? 2u : 0) << 2 * k;
    out &= here;
  }
  return out != 0;
}

static void place_item(const ctRenderer* r, const Program* p, const ctItem* item, const Placement* at) {
  const Gl* g = &r->context.gl;
  g->UniformMatrix3fv(p->turn, 1, GL_TRUE, item->mat);
  g->Uniform3fv(p->place, 1, item->pos);
  g->Uniform3fv(p->scale, 1, at->scale);
  g->Uniform3fv(p->offset, 1, at->offset);
  g->Uniform1f(p->half_length, at->half_length);
}

// ---- what it is made of

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
  const float surface[4] = {item->emission, item->specular, item->shininess, 0};
  g->Uniform4fv(p->rgba, 1, item->rgba);
  g->Uniform4fv(p->surface, 1, surface);
  g->Uniform1i(p->two_sided, is_moved(item));
  if (is_hazy(r, item)) set_haze(r, p, item);
  if (mirror >= 0) {
    g->ActiveTexture(GL_TEXTURE3);
    g->BindTexture(GL_TEXTURE_2D, r->mirrors[mirror].color[0]);
  }
  texture_item(r, p, item, shape, tex);
}

// ---- a pass

void begin_pass(const ctRenderer* r, const Pass* pass) {
  const Gl* g = &r->context.gl;
  const Program* p = pass->program;
  g->UseProgram(p->id);
  g->UniformMatrix4fv(p->project, 1, GL_FALSE, pass->project.m);
  g->Uniform3fv(p->eye, 1, pass->eye);
  g->Uniform3fv(p->look, 1, pass->look);
  g->Uniform4fv(p->clip, 1, pass->clip);
}

// What holds for all items of a pass in colour.
static void begin_colour(const ctRenderer* r, const Pass* pass) {
  const Program* p = pass->program;
  const Gl* g = &r->context.gl;
  const ctScene* s = r->scene;
  const float extent = (float)r->m->stat.extent;
  g->Uniform1i(p->light_count, s->nlight);
  g->Uniform1i(p->orthographic, s->view.orthographic);
  g->Uniform1f(p->strength, pass->strength);
  g->Uniform2f(p->picture, (float)r->width, (float)r->height);
  g->Uniform2f(p->fog_range, r->m->vis.map.fogstart * extent, r->m->vis.map.fogend * extent);
  g->Uniform4fv(p->fog_colour, 1, r->m->vis.rgba.fog);
}

// Change to the program that has just what an item needs; false when the driver does not make it.
static bool use_parts(ctRenderer* r, Pass* pass, const ctItem* item, int tex, int mirror) {
  const ctByte* show = r->scene->option.show;
  const struct {
    int part;
    bool wanted;
  } parts[] = {{PART_FLAT, tex >= 0 && r->m->tex_type[tex] == CT_TEXTURE_2D},
               {PART_CUBE, tex >= 0 && r->m->tex_type[tex] != CT_TEXTURE_2D},
               {PART_MIRROR, mirror >= 0},
               {PART_HAZE, is_hazy(r, item)},
               {PART_FOG, show[CT_SHOW_FOG] && r->m->vis.map.fogend > r->m->vis.map.fogstart}};
  int wanted = 0;
  for (int i = 0; i < PART_COUNT; i++) wanted |= parts[i].wanted ? parts[i].part : 0;
  const Program* p = renderer_need_color(r, wanted);
  if (p && p != pass->program) {
    pass->program = p;
    begin_pass(r, pass);
    begin_colour(r, pass);
  }
  return p != NULL;
}

void draw_item(ctRenderer* r, Pass* pass, int i, int mirror) {
  const Gl* g = &r->context.gl;
  const ctItem* item = r->scene->items + i;
  const Shape* shape = shape_of(r, item);
  if (!shape || !shape->count || i == pass->skip) return;
  const Placement at = place_of(r, item);
  float box[8][3];
  find_box(&at, item, shape, box);
  if (is_outside(pass, box)) return;
  if (pass->colour) {
    int tex = texture_of(r, item);
    if (!use_parts(r, pass, item, tex, mirror)) return;
    colour_item(r, pass->program, item, shape, mirror, tex);
  }
  place_item(r, pass->program, item, &at);
  bool two_sided = is_moved(item);
  if (two_sided) g->Disable(GL_CULL_FACE);
  g->BindVertexArray(shape->array);
  g->DrawElements(GL_TRIANGLES, shape->count, GL_UNSIGNED_INT, NULL);
  if (two_sided) g->Enable(GL_CULL_FACE);
}
