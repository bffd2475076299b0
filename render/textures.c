#include "textures.h"

#define NO_NAME "without a name"

static const char* name_of(const ctModel* m, int tex) {
  const char* name = ct_model_id2name(m, CT_OBJ_TEXTURE, tex);
  return name && *name ? name : NO_NAME;
}

// A square of pixels for each side of a cube, or one for all.
static void upload_cube(const Gl* g, const ctModel* m, int tex, GLenum format) {
  int side = m->tex_width[tex];
  const ctByte* pixels = m->tex_data + m->tex_adr[tex];
  size_t step = m->tex_height[tex] > side ? (size_t)side * (size_t)side * (size_t)m->tex_nchannel[tex] : 0;
  for (int face = 0; face < 6; face++)
    g->TexImage2D((GLenum)(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), 0, GL_RGBA8, side, side, 0, format,
                  GL_UNSIGNED_BYTE, pixels + (size_t)face * step);
}

static ctStatus check(const Gl* g, const ctModel* m, int tex, ctError* err) {
  int64_t width = m->tex_width[tex], height = m->tex_height[tex], channels = m->tex_nchannel[tex];
  bool cube = m->tex_type[tex] != CT_TEXTURE_2D;
  if (width < 1 || height < 1 || channels < 1 || channels > 4 || width > 1 << 20 || height > 1 << 23 ||
      m->tex_adr[tex] < 0 || m->tex_adr[tex] > m->ntexdata - width * height * channels ||
      (cube && height != width && height != 6 * width))
    return render_error(err, CT_ERR_INVALID, "texture \"%s\": its size does not fit its pixels",
                        name_of(m, tex));
  GLint most = 0;
  g->GetIntegerv(cube ? GL_MAX_CUBE_MAP_TEXTURE_SIZE : GL_MAX_TEXTURE_SIZE, &most);
  if (width > most || (!cube && height > most))
    return render_error(err, CT_ERR_LIMIT, "texture \"%s\" has %d x %d pixels, this driver allows %d",
                        name_of(m, tex), m->tex_width[tex], m->tex_height[tex], most);
  return CT_OK;
}

ctStatus textures_upload(GLuint* out, const Gl* g, const ctModel* m, ctError* err) {
  const GLenum formats[5] = {0, GL_RED, GL_RG, GL_RGB, GL_RGBA};
  g->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (int i = 0; i < m->ntex; i++) {
    ctStatus status = check(g, m, i, err);
    if (status != CT_OK) return status;
    bool cube = m->tex_type[i] != CT_TEXTURE_2D;
    GLenum target = cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, format = formats[m->tex_nchannel[i]];
    if (!out[i]) g->GenTextures(1, out + i);
    g->BindTexture(target, out[i]);
    if (cube) {
      upload_cube(g, m, i, format);
    } else {
      g->TexImage2D(target, 0, GL_RGBA8, m->tex_width[i], m->tex_height[i], 0, format, GL_UNSIGNED_BYTE,
                    m->tex_data + m->tex_adr[i]);
    }
    GLint wrap = cube ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    g->TexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    g->TexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    g->TexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
    g->TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    g->TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    if (m->tex_nchannel[i] == 1) {  // grey
      g->TexParameteri(target, GL_TEXTURE_SWIZZLE_G, GL_RED);
      g->TexParameteri(target, GL_TEXTURE_SWIZZLE_B, GL_RED);
    }
    g->GenerateMipmap(target);
    if (g->GetError() != GL_NO_ERROR)
      return render_error(err, CT_ERR_MEMORY, "the driver has no memory for texture \"%s\"", name_of(m, i));
  }
  return CT_OK;
}
