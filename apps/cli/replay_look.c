#define _POSIX_C_SOURCE 200809L  // open_memstream
#include "replay_look.h"

#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "replay_put.h"

#define MOST_TEXTURE_BYTES (16 << 20)  // of all images, as PNG; in the page they take a third more
#define MOST_TEXTURE_SIDE  4096        // pixels that drivers of browsers have room for

// ---- materials

// The texture that colours a material, -1 for none.
static int texture_of(const ctModel* m, int material) {
  if (material < 0 || material >= m->nmat) return -1;
  const int* roles = m->mat_texid + (size_t)CT_TEXROLE_COUNT * (size_t)material;
  return roles[CT_TEXROLE_RGB] >= 0 ? roles[CT_TEXROLE_RGB] : roles[CT_TEXROLE_RGBA];
}

void put_look(FILE* file, const ctModel* m, const ctItem* item) {
  const int tex = texture_of(m, item->material);
  const float surface[4] = {item->emission, item->specular, item->shininess, item->reflectance};
  put_numbers(file, "rgba", item->rgba, 4);
  put_numbers(file, "surface", surface, 4);
  fprintf(file, "shadow:%d,texture:%d,", item->castshadow, tex);
  if (tex < 0) return;
  put_numbers(file, "repeat", m->mat_texrepeat + 2 * item->material, 2);
  fprintf(file, "uniform:%d,", m->mat_texuniform[item->material]);
}

// ---- textures

// A texture as the page gets it: one image, or six of a cube, halved some times.
typedef struct {
  int width, height, channels, faces, halved;
  ctByte* pixels;   // face after face
  char* image[6];   // PNG
  size_t bytes[6];  // of each
} Texture;

static void drop_images(Texture* t) {
  for (int i = 0; i < 6; i++) {
    free(t->image[i]);
    t->image[i] = NULL;
    t->bytes[i] = 0;
  }
}

static size_t size_of(const Texture* t) {
  size_t sum = 0;
  for (int i = 0; i < t->faces; i++) sum += t->bytes[i];
  return sum;
}

// Pixels of their own; a texture of two channels gets a third without light, as drivers see it.
static bool copy_pixels(Texture* t, const ctModel* m, int tex) {
  const int channels = m->tex_nchannel[tex], width = m->tex_width[tex], height = m->tex_height[tex];
  const bool cube = m->tex_type[tex] != CT_TEXTURE_2D;
  const size_t n = (size_t)width * (size_t)height;
  t->channels = channels == 2 ? 3 : channels;
  t->faces = cube && height >= 6 * width ? 6 : 1;
  t->width = width;
  t->height = cube ? width : height;
  t->pixels = calloc(n, (size_t)t->channels);
  const ctByte* from = m->tex_data + m->tex_adr[tex];
  for (size_t i = 0; i < n && t->pixels; i++)
    memcpy(t->pixels + i * (size_t)t->channels, from + i * (size_t)channels, (size_t)channels);
  return t->pixels != NULL;
}

// Each pixel becomes the mean of four; in place, because it is written behind where it is read.
static void halve(Texture* t) {
  const int width = t->width > 1 ? t->width / 2 : 1, height = t->height > 1 ? t->height / 2 : 1;
  const size_t c = (size_t)t->channels, row = (size_t)t->width * c, face = row * (size_t)t->height;
  const size_t right = t->width > 1 ? c : 0, below = t->height > 1 ? row : 0;
  ctByte* out = t->pixels;
  for (int f = 0; f < t->faces; f++) {
    for (int y = 0; y < height; y++) {
      const ctByte* in = t->pixels + (size_t)f * face + (t->height > 1 ? 2 * (size_t)y : 0) * row;
      for (int x = 0; x<width; x++, in += t->width> 1 ? 2 * c : c) {
        for (size_t k = 0; k < c; k++)
          *out++ = (ctByte)((in[k] + in[k + right] + in[k + below] + in[k + right + below] + 2) / 4);
      }
    }
  }
  t->width = width;
  t->height = height;
  t->halved++;
}

static bool encode(Texture* t) {
  drop_images(t);
  const size_t face = (size_t)t->width * (size_t)t->height * (size_t)t->channels;
  bool ok = true;
  for (int i = 0; i < t->faces && ok; i++) {
    const cli_Picture picture = {.width = t->width,
                                 .height = t->height,
                                 .channels = t->channels,
                                 .bits = 8,
                                 .pixels = t->pixels + (size_t)i * face};
    FILE* memory = open_memstream(&t->image[i], &t->bytes[i]);
    ok = memory && cli_picture_write(&picture, memory);
    if (memory && fclose(memory) != 0) ok = false;
  }
  return ok;
}

// The sky is the first texture of its kind; -1: none.
static int sky_of(const ctModel* m) {
  for (int i = 0; i < m->ntex; i++) {
    if (m->tex_type[i] == CT_TEXTURE_SKYBOX) return i;
  }
  return -1;
}

// Halve the largest until all together fit.
static bool make_fit(Texture* t, int n) {
  for (;;) {
    size_t sum = 0;
    int largest = 0;
    for (int i = 0; i < n; i++) {
      sum += size_of(t + i);
      if (size_of(t + i) > size_of(t + largest)) largest = i;
    }
    if (sum <= MOST_TEXTURE_BYTES) return true;
    halve(t + largest);
    if (!encode(t + largest)) return false;
  }
}

static void put_texture(FILE* file, const Texture* t, bool cube) {
  fprintf(file, "{cube:%d,images:[", cube);
  for (int i = 0; i < t->faces; i++) {
    Base64 b = {.file = file};
    fprintf(file, "\"");
    put_bytes(&b, t->image[i], t->bytes[i]);
    put_end(&b);
    fprintf(file, "\",");
  }
  fprintf(file, "]},\n");
}

bool put_textures(FILE* file, const ctModel* m, const ctScene* scene) {
  Texture* t = calloc((size_t)m->ntex + 1, sizeof(Texture));
  bool* used = calloc((size_t)m->ntex + 1, sizeof(bool));
  bool ok = t && used;
  if (ok && sky_of(m) >= 0) used[sky_of(m)] = true;
  for (int i = 0; i < scene->nitem && ok; i++) {
    int tex = texture_of(m, scene->items[i].material);
    if (tex >= 0) used[tex] = true;
  }
  for (int i = 0; i < m->ntex && ok; i++) {
    if (!used[i]) continue;
    ok = copy_pixels(t + i, m, i);
    while (ok && (t[i].width > MOST_TEXTURE_SIDE || t[i].height > MOST_TEXTURE_SIDE)) halve(t + i);
    ok = ok && encode(t + i);
  }
  ok = ok && make_fit(t, m->ntex);
  if (ok) fprintf(file, "sky:%d,\ntextures:[", sky_of(m));
  for (int i = 0; i < m->ntex && ok; i++) {
    if (t[i].halved) {
      const char* name = ct_model_id2name(m, CT_OBJ_TEXTURE, i);
      fprintf(stderr,
              "corten: the replay has texture \"%s\" with 1/%d of its width and height: images may have %d "
              "pixels a side and %d MB together\n",
              name ? name : "", 1 << t[i].halved, MOST_TEXTURE_SIDE, MOST_TEXTURE_BYTES >> 20);
    }
    if (used[i]) {
      put_texture(file, t + i, m->tex_type[i] != CT_TEXTURE_2D);
    } else {
      fprintf(file, "null,");
    }
  }
  if (ok) fprintf(file, "],\n");
  for (int i = 0; t && i < m->ntex; i++) {
    drop_images(t + i);
    free(t[i].pixels);
  }
  free(t);
  free(used);
  return ok;
}

// ---- lights

LightPose light_pose(const ctSceneLight* light) {
  LightPose p;
  memcpy(p.pos, light->pos, sizeof(p.pos));
  memcpy(p.dir, light->dir, sizeof(p.dir));
  return p;
}

void put_lights(FILE* file, const ctModel* m, const ctScene* scene) {
  const ctView* v = &scene->view;
  const float extent = (float)m->stat.extent;
  fprintf(file, "lights:[");
  for (int i = 0; i < scene->nlight; i++) {
    const ctSceneLight* l = scene->lights + i;
    fprintf(file, "{head:%d,directional:%d,spot:%d,shadow:%d,cutoff:%.7g,exponent:%.7g,", l->id < 0,
            l->directional, l->spot, l->castshadow, (double)l->cutoff, (double)l->exponent);
    put_numbers(file, "ambient", l->ambient, 3);
    put_numbers(file, "diffuse", l->diffuse, 3);
    put_numbers(file, "specular", l->specular, 3);
    put_numbers(file, "attenuation", l->attenuation, 3);
    fprintf(file, "},\n");
  }
  const float center[3] = {(float)m->stat.center[0], (float)m->stat.center[1], (float)m->stat.center[2]};
  const float reach = v->zfar * 0.70710678f, haze[2] = {(1 - m->vis.map.haze) * reach, reach};
  fprintf(file, "],\nextent:%.7g,", (double)extent);
  put_numbers(file, "center", center, 3);
  fprintf(file, "shadow:{size:%d,clip:%.7g,scale:%.7g},", m->vis.quality.shadowsize,
          (double)m->vis.map.shadowclip, (double)m->vis.map.shadowscale);
  put_numbers(file, "haze", haze, 2);
  put_numbers(file, "haze_rgba", m->vis.rgba.haze, 4);
  fprintf(file, "\n");
}
