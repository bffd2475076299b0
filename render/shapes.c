#include "shapes.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979f

// ---- a list of corners

typedef struct List {
  const ctAllocator* a;
  Corner* data;
  size_t count, capacity;
  bool failed;
} List;

static void push(List* l, Corner c) {
  if (l->count == l->capacity && !l->failed) {
    size_t capacity = l->capacity ? 2 * l->capacity : 256;
    Corner* data = render_alloc(l->a, capacity, sizeof(Corner));
    if (data && l->count) memcpy(data, l->data, l->count * sizeof(Corner));
    l->failed = !data;
    if (data) {
      render_release(l->a, l->data);
      l->data = data;
      l->capacity = capacity;
    }
  }
  if (!l->failed) l->data[l->count++] = c;
}

// Two triangles; corners go round counterclockwise seen from outside.
static void push_quad(List* l, const Corner q[4]) {
  const int order[6] = {0, 1, 2, 0, 2, 3};
  for (int i = 0; i < 6; i++) push(l, q[order[i]]);
}

// Number of each corner among those that differ; the list keeps the first of each. Returns false without
// memory.
static bool find_equal(List* l, uint32_t* index) {
  size_t room = 64;
  while (room < 2 * l->count) room *= 2;
  uint32_t* table = render_alloc(l->a, room, sizeof(uint32_t));  // number plus one, 0: free
  if (!table) return false;
  size_t kept = 0;
  for (size_t i = 0; i < l->count; i++) {
    const unsigned char* bytes = (const unsigned char*)&l->data[i];
    uint64_t hash = 1469598103934665603u;
    for (size_t k = 0; k < sizeof(Corner); k++) hash = (hash ^ bytes[k]) * 1099511628211u;
    size_t at = (size_t)(hash ^ hash >> 29) & (room - 1);
    while (table[at] && memcmp(&l->data[table[at] - 1], bytes, sizeof(Corner)) != 0)
      at = (at + 1) & (room - 1);
    if (!table[at]) {
      l->data[kept] = l->data[i];
      table[at] = (uint32_t)++kept;
    }
    index[i] = table[at] - 1;
  }
  l->count = kept;
  render_release(l->a, table);
  return true;
}

static void give_to_driver(Shape* out, const Gl* g, const List* l, const uint32_t* index, size_t count) {
  if (!out->array) {
    g->GenVertexArrays(1, &out->array);
    g->GenBuffers(2, out->buffers);
  }
  g->BindVertexArray(out->array);
  g->BindBuffer(GL_ARRAY_BUFFER, out->buffers[0]);
  g->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(l->count * sizeof(Corner)), l->data, GL_STATIC_DRAW);
  g->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->buffers[1]);
  g->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(uint32_t)), index, GL_STATIC_DRAW);
  const size_t at[3] = {offsetof(Corner, pos), offsetof(Corner, normal), offsetof(Corner, uv)};
  const int size[3] = {4, 3, 2};
  for (GLuint i = 0; i < 3; i++) {
    g->VertexAttribPointer(i, size[i], GL_FLOAT, GL_FALSE, sizeof(Corner), (const void*)at[i]);
    g->EnableVertexAttribArray(i);
  }
  out->count = (int)count;
  for (int k = 0; k < 3; k++) out->low[k] = out->high[k] = l->count ? l->data[0].pos[k] : 0;
  for (size_t i = 1; i < l->count; i++) {
    for (int k = 0; k < 3; k++) {
      out->low[k] = fminf(out->low[k], l->data[i].pos[k]);
      out->high[k] = fmaxf(out->high[k], l->data[i].pos[k]);
    }
  }
}

// Give the list to the driver, each corner once, and empty it.
static ctStatus upload(Shape* out, const Gl* g, List* l) {
  ctStatus status = CT_ERR_MEMORY;
  size_t count = l->count;
  uint32_t* index = l->failed || count >= INT32_MAX ? NULL : render_alloc(l->a, count, sizeof(uint32_t));
  if (index && find_equal(l, index)) {
    give_to_driver(out, g, l, index, count);
    status = g->GetError() == GL_NO_ERROR ? CT_OK : CT_ERR_MEMORY;
  }
  render_release(l->a, index);
  render_release(l->a, l->data);
  memset(l, 0, sizeof(*l));
  return status;
}

void shape_free(Shape* shape, const Gl* g) {
  if (shape->array) {
    g->DeleteVertexArrays(1, &shape->array);
    g->DeleteBuffers(2, shape->buffers);
  }
  memset(shape, 0, sizeof(*shape));
}

// ---- built-in shapes

// A point of the unit sphere; latitude from -1 to 1.
static Corner on_sphere(float turn, float latitude, float end) {
  float a = 2 * PI * turn, b = PI / 2 * latitude, r = cosf(b);
  Corner c = {.pos = {r * cosf(a), r * sinf(a), sinf(b)}, .end = end};
  memcpy(c.normal, c.pos, sizeof(c.normal));
  c.uv[0] = turn;
  c.uv[1] = 0.5f - 0.5f * latitude;
  return c;
}

// The part of the sphere between two latitudes.
static void push_sphere(List* l, int slices, int stacks, float low, float high, float end) {
  for (int j = 0; j < stacks; j++) {
    float b0 = low + (high - low) * (float)j / (float)stacks,
          b1 = low + (high - low) * (float)(j + 1) / (float)stacks;
    for (int i = 0; i < slices; i++) {
      float a0 = (float)i / (float)slices, a1 = (float)(i + 1) / (float)slices;
      const Corner q[4] = {on_sphere(a0, b0, end), on_sphere(a1, b0, end), on_sphere(a1, b1, end),
                           on_sphere(a0, b1, end)};
      push_quad(l, q);
    }
  }
}

static Corner on_ring(float turn, float r, float z, float end, float nr, float nz) {
  float a = 2 * PI * turn;
  return (Corner){.pos = {r * cosf(a), r * sinf(a), z},
                  .end = end,
                  .normal = {nr * cosf(a), nr * sinf(a), nz},
                  .uv = {turn, 0.5f - 0.5f * (z + end)}};
}

// Texture coordinates of what looks up or down: the picture lies on it.
static Corner lying(Corner c) {
  c.uv[0] = 0.5f + 0.5f * c.pos[0];
  c.uv[1] = 0.5f - 0.5f * c.pos[1];
  return c;
}

// The side of a cylinder or cone, from one ring to the next.
static void push_side(List* l, int slices, float r0, float z0, float e0, float r1, float z1, float e1) {
  float slope = z1 - z0 + e1 - e0, nr = slope / hypotf(slope, r0 - r1),
        nz = (r0 - r1) / hypotf(slope, r0 - r1);
  for (int i = 0; i < slices; i++) {
    float a0 = (float)i / (float)slices, a1 = (float)(i + 1) / (float)slices;
    const Corner q[4] = {on_ring(a0, r0, z0, e0, nr, nz), on_ring(a1, r0, z0, e0, nr, nz),
                         on_ring(a1, r1, z1, e1, nr, nz), on_ring(a0, r1, z1, e1, nr, nz)};
    push_quad(l, q);
  }
}

// A disc that looks up or down.
static void push_disc(List* l, int slices, float r, float z, float up) {
  for (int i = 0; i < slices; i++) {
    float a0 = (float)i / (float)slices, a1 = (float)(i + 1) / (float)slices;
    push(l, lying(on_ring(0, 0, z, 0, 0, up)));
    push(l, lying(on_ring(up > 0 ? a0 : a1, r, z, 0, 0, up)));
    push(l, lying(on_ring(up > 0 ? a1 : a0, r, z, 0, 0, up)));
  }
}

static void push_box(List* l) {
  for (int axis = 0; axis < 3; axis++) {
    for (int side = -1; side <= 1; side += 2) {
      const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
      Corner q[4];
      for (int i = 0; i < 4; i++) {
        memset(&q[i], 0, sizeof(q[i]));
        q[i].pos[axis] = (float)side;
        q[i].pos[(axis + 1) % 3] = corners[side > 0 ? i : 3 - i][0];
        q[i].pos[(axis + 2) % 3] = corners[side > 0 ? i : 3 - i][1];
        q[i].normal[axis] = (float)side;
        // upright on the sides, seen from outside
        float across = axis == 0   ? (float)side * q[i].pos[1]
                       : axis == 1 ? -(float)side * q[i].pos[0]
                                   : q[i].pos[0];
        q[i].uv[0] = 0.5f + 0.5f * across;
        q[i].uv[1] = 0.5f - 0.5f * q[i].pos[axis == 2 ? 1 : 2];
      }
      push_quad(l, q);
    }
  }
}

static void push_plane(List* l) {
  const Corner q[4] = {{.pos = {-1, -1, 0}, .normal = {0, 0, 1}},
                       {.pos = {1, -1, 0}, .normal = {0, 0, 1}},
                       {.pos = {1, 1, 0}, .normal = {0, 0, 1}},
                       {.pos = {-1, 1, 0}, .normal = {0, 0, 1}}};
  Corner lie[4];
  for (int i = 0; i < 4; i++) lie[i] = lying(q[i]);
  push_quad(l, lie);
}

// A shaft of three quarters of the width, and a head.
static void push_arrow(List* l, int slices) {
  push_disc(l, slices, 0.6f, 0, -1);
  push_side(l, slices, 0.6f, 0, 0, 0.6f, 0.75f, 0);
  push_disc(l, slices, 1.2f, 0.75f, -1);
  push_side(l, slices, 1.2f, 0.75f, 0, 0, 1, 0);
}

static int within(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

ctStatus shapes_make_builtin(Shape out[CT_SHAPE_COUNT], const Gl* g, const ctModel* m, const ctAllocator* a) {
  int slices = within(m->vis.quality.numslices, 3, 512), stacks = within(m->vis.quality.numstacks, 2, 512);
  for (int shape = 0; shape < CT_SHAPE_COUNT; shape++) {
    List l = {.a = a};
    switch (shape) {
      case CT_SHAPE_PLANE: push_plane(&l); break;
      case CT_SHAPE_BOX: push_box(&l); break;
      case CT_SHAPE_SPHERE:
      case CT_SHAPE_ELLIPSOID: push_sphere(&l, slices, stacks, -1, 1, 0); break;
      case CT_SHAPE_CAPSULE:
        push_sphere(&l, slices, (stacks + 1) / 2, -1, 0, -1);
        push_side(&l, slices, 1, 0, -1, 1, 0, 1);
        push_sphere(&l, slices, (stacks + 1) / 2, 0, 1, 1);
        break;
      case CT_SHAPE_CYLINDER:
        push_disc(&l, slices, 1, -1, -1);
        push_side(&l, slices, 1, -1, 0, 1, 1, 0);
        push_disc(&l, slices, 1, 1, 1);
        break;
      case CT_SHAPE_LINE: push_side(&l, 6, 1, 0, 0, 1, 1, 0); break;
      case CT_SHAPE_ARROW: push_arrow(&l, slices); break;
      default: continue;
    }
    out[shape].has_uv = true;
    ctStatus status = upload(out + shape, g, &l);
    if (status != CT_OK) return status;
  }
  return CT_OK;
}

// ---- meshes

static void set_flat_normal(Corner c[3]) {
  float u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = c[1].pos[k] - c[0].pos[k];
    v[k] = c[2].pos[k] - c[0].pos[k];
  }
  float n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  float size = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) c[i].normal[k] = size > 0 ? n[k] / size : k == 2;
  }
}

// Corners whose normals lean far from their triangle belong to an edge: the triangle is flat.
static void flatten_at_edge(Corner c[3]) {
  const float most = 0.8f;  // cosine
  Corner flat[3] = {c[0], c[1], c[2]};
  set_flat_normal(flat);
  bool leans = false;
  for (int i = 0; i < 3; i++)
    leans = leans || c[i].normal[0] * flat[i].normal[0] + c[i].normal[1] * flat[i].normal[1] +
                             c[i].normal[2] * flat[i].normal[2] <
                         most;
  if (leans) memcpy(c, flat, sizeof(flat));
}

ctStatus shape_make_mesh(Shape* out, const Gl* g, const ctModel* m, int mesh, const ctAllocator* a) {
  List l = {.a = a};
  const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  const float* normal = m->mesh_normal + 3 * (size_t)m->mesh_normaladr[mesh];
  out->has_uv = m->mesh_texcoordadr[mesh] >= 0;
  const float* uv = out->has_uv ? m->mesh_texcoord + 2 * (size_t)m->mesh_texcoordadr[mesh] : NULL;
  for (int f = m->mesh_faceadr[mesh]; f < m->mesh_faceadr[mesh] + m->mesh_facenum[mesh]; f++) {
    Corner c[3];
    memset(c, 0, sizeof(c));
    for (size_t i = 0; i < 3; i++) {
      size_t k = 3 * (size_t)f + i;
      memcpy(c[i].pos, vert + 3 * (size_t)m->mesh_face[k], sizeof(c[i].pos));
      memcpy(c[i].normal, normal + 3 * (size_t)m->mesh_facenormal[k], sizeof(c[i].normal));
      if (uv) memcpy(c[i].uv, uv + 2 * (size_t)m->mesh_facetexcoord[k], sizeof(c[i].uv));
    }
    flatten_at_edge(c);
    for (int i = 0; i < 3; i++) push(&l, c[i]);
  }
  return upload(out, g, &l);
}

// Polygons of the hull, as fans.
ctStatus shape_make_hull(Shape* out, const Gl* g, const ctModel* m, int mesh, const ctAllocator* a) {
  List l = {.a = a};
  const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  for (int p = m->mesh_polyadr[mesh]; p < m->mesh_polyadr[mesh] + m->mesh_polynum[mesh]; p++) {
    const int* ids = m->mesh_polyvert + m->mesh_polyvertadr[p];
    for (int i = 2; i < m->mesh_polyvertnum[p]; i++) {
      const int corner[3] = {ids[0], ids[i - 1], ids[i]};
      Corner c[3];
      memset(c, 0, sizeof(c));
      for (int k = 0; k < 3; k++) memcpy(c[k].pos, vert + 3 * (size_t)corner[k], sizeof(c[k].pos));
      set_flat_normal(c);
      for (int k = 0; k < 3; k++) push(&l, c[k]);
    }
  }
  return upload(out, g, &l);
}

// ---- height fields

typedef struct Field {
  const float* height;
  int nrow, ncol;
  float x, y, z, base;
} Field;

static float height_at(const Field* f, int r, int c) {
  return f->z *
         f->height[(size_t)within(r, 0, f->nrow - 1) * (size_t)f->ncol + (size_t)within(c, 0, f->ncol - 1)];
}

static Corner field_corner(const Field* f, int r, int c) {
  float dx = 2 * f->x / (float)(f->ncol - 1), dy = 2 * f->y / (float)(f->nrow - 1);
  Corner at = {.pos = {dx * (float)c - f->x, dy * (float)r - f->y, height_at(f, r, c)}};
  // slopes between the neighbours; at the border those of one side count
  float sx = (height_at(f, r, c + 1) - height_at(f, r, c - 1)) / (c > 0 && c < f->ncol - 1 ? 2 * dx : dx);
  float sy = (height_at(f, r + 1, c) - height_at(f, r - 1, c)) / (r > 0 && r < f->nrow - 1 ? 2 * dy : dy);
  float size = sqrtf(1 + sx * sx + sy * sy);
  at.normal[0] = -sx / size;
  at.normal[1] = -sy / size;
  at.normal[2] = 1 / size;
  return at;
}

// A wall below an edge of the surface; `from` and `to` go counterclockwise seen from above.
static void push_wall(List* l, Corner from, Corner to, const float base) {
  float dx = to.pos[0] - from.pos[0], dy = to.pos[1] - from.pos[1], size = hypotf(dx, dy);
  const float n[3] = {dy / size, -dx / size, 0};
  Corner q[4] = {from, to, to, from};
  q[0].pos[2] = q[1].pos[2] = -base;
  for (int i = 0; i < 4; i++) memcpy(q[i].normal, n, sizeof(n));
  push_quad(l, q);
}

ctStatus shape_make_hfield(Shape* out, const Gl* g, const ctModel* m, int h, const ctAllocator* a) {
  List l = {.a = a};
  const ctReal* size = m->hfield_size + 4 * h;
  const Field f = {.height = m->hfield_data + m->hfield_adr[h],
                   .nrow = m->hfield_nrow[h],
                   .ncol = m->hfield_ncol[h],
                   .x = (float)size[0],
                   .y = (float)size[1],
                   .z = (float)size[2],
                   .base = (float)size[3]};
  // cells are cut along the same diagonal as in collisions
  for (int r = 0; r + 1 < f.nrow; r++) {
    for (int c = 0; c + 1 < f.ncol; c++) {
      Corner v[4] = {field_corner(&f, r, c), field_corner(&f, r, c + 1), field_corner(&f, r + 1, c),
                     field_corner(&f, r + 1, c + 1)};
      const int order[6] = {0, 3, 2, 0, 1, 3};
      for (int k = 0; k < 6; k++) push(&l, v[order[k]]);
    }
  }
  for (int c = 0; c + 1 < f.ncol; c++) {
    push_wall(&l, field_corner(&f, 0, c), field_corner(&f, 0, c + 1), f.base);
    push_wall(&l, field_corner(&f, f.nrow - 1, c + 1), field_corner(&f, f.nrow - 1, c), f.base);
  }
  for (int r = 0; r + 1 < f.nrow; r++) {
    push_wall(&l, field_corner(&f, r, f.ncol - 1), field_corner(&f, r + 1, f.ncol - 1), f.base);
    push_wall(&l, field_corner(&f, r + 1, 0), field_corner(&f, r, 0), f.base);
  }
  const float down[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
  Corner q[4];
  memset(q, 0, sizeof(q));
  for (int i = 0; i < 4; i++) {
    q[i].pos[0] = down[i][0] * f.x;
    q[i].pos[1] = down[i][1] * f.y;
    q[i].pos[2] = -f.base;
    q[i].normal[2] = -1;
  }
  push_quad(&l, q);
  return upload(out, g, &l);
}

// ---- skins

ctStatus shape_make_skin(Shape* out, const Gl* g, const ctModel* m, int skin, const ctScene* scene,
                         const ctAllocator* a) {
  List l = {.a = a};
  const float* vert = scene->skin_vert + 3 * (size_t)m->skin_vertadr[skin];
  const float* normal = scene->skin_normal + 3 * (size_t)m->skin_vertadr[skin];
  out->has_uv = m->skin_texcoordadr[skin] >= 0;
  const float* uv = out->has_uv ? m->skin_texcoord + 2 * (size_t)m->skin_texcoordadr[skin] : NULL;
  const int* face = m->skin_face + 3 * (size_t)m->skin_faceadr[skin];
  for (int i = 0; i < 3 * m->skin_facenum[skin]; i++) {
    Corner c = {.end = 0};
    memcpy(c.pos, vert + 3 * (size_t)face[i], sizeof(c.pos));
    memcpy(c.normal, normal + 3 * (size_t)face[i], sizeof(c.normal));
    if (uv) memcpy(c.uv, uv + 2 * (size_t)face[i], sizeof(c.uv));
    push(&l, c);
  }
  return upload(out, g, &l);
}

// ---- deformables

static void face_normal(float out[3], const float* a, const float* b, const float* c) {
  float u[3], v[3], length = 0;
  for (int k = 0; k < 3; k++) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
  }
  for (int k = 0; k < 3; k++) {
    out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    length += out[k] * out[k];
  }
  length = sqrtf(length);
  for (int k = 0; k < 3 && length > 0; k++) out[k] /= length;
}

ctStatus shape_make_flex(Shape* out, const Gl* g, const ctModel* m, int flex, const ctScene* scene, bool flat,
                         const ctAllocator* a) {
  List l = {.a = a};
  const float* vert = scene->flex_vert + 3 * (size_t)m->flex_vertadr[flex];
  const float* normal = scene->flex_normal + 3 * (size_t)m->flex_vertadr[flex];
  const bool sheet = m->flex_dim[flex] == 2;
  const int* face =
      sheet ? m->flex_elem + m->flex_elemdataadr[flex] : m->flex_shell + m->flex_shelldataadr[flex];
  // coordinates of a sheet are those of its elements' corners
  out->has_uv = sheet && m->flex_texcoordadr[flex] >= 0;
  const float* uv = out->has_uv ? m->flex_texcoord + 2 * (size_t)m->flex_texcoordadr[flex] : NULL;
  const int* corner = m->flex_elemtexcoord + m->flex_elemdataadr[flex];
  for (int i = 0; i < 3 * (sheet ? m->flex_elemnum[flex] : m->flex_shellnum[flex]); i++) {
    const int* f = face + i - i % 3;
    Corner c = {.end = 0};
    memcpy(c.pos, vert + 3 * (size_t)face[i], sizeof(c.pos));
    memcpy(c.normal, normal + 3 * (size_t)face[i], sizeof(c.normal));
    if (flat)
      face_normal(c.normal, vert + 3 * (size_t)f[0], vert + 3 * (size_t)f[1], vert + 3 * (size_t)f[2]);
    if (uv) memcpy(c.uv, uv + 2 * (size_t)corner[i], sizeof(c.uv));
    push(&l, c);
  }
  return upload(out, g, &l);
}
