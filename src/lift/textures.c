// Textures: text has no pixels, they go into PNG files.
#include <stdio.h>
#include <string.h>

#include "lift/textures.h"

// A picture of the model as a file; `what` begins its name.
static ctStatus save_picture(ctiLift* l, const char** file, int i, const char* what, const ctiImage* image) {
  ctiRegion* scratch = cti_region_create(&l->s->allocator);
  void* bytes = NULL;
  size_t size = 0;
  ctStatus status =
      scratch ? cti_image_to_png(&bytes, &size, image, scratch, l->err) : cti_error_memory(l->err);
  if (status == CT_OK) status = cti_lift_file(l, file, CT_OBJ_TEXTURE, i, what, "png", bytes, size);
  cti_region_free(scratch);
  return status;
}

// The six sides of a cube, one below the other, each in a file: a single one would name the texture.
static ctStatus save_sides(ctiLift* l, ctiTexture* t, int i, const ctiImage* image) {
  const struct {
    const char* word;
    const char** file;
  } sides[6] = {{"right", &t->fileright}, {"left", &t->fileleft},   {"up", &t->fileup},
                {"down", &t->filedown},   {"front", &t->filefront}, {"back", &t->fileback}};
  for (int k = 0; k < 6; k++) {
    ctiImage side = *image;
    side.height = image->width;
    side.data += (size_t)k * (size_t)side.width * (size_t)side.height * (size_t)side.channels;
    char what[32];
    snprintf(what, sizeof(what), "%s_texture", sides[k].word);
    CT_TRY(save_picture(l, sides[k].file, i, what, &side));
  }
  return CT_OK;
}

static ctStatus path_at(ctiLift* l, const char** out, int adr) {
  return adr >= 0 ? cti_lift_text(l, out, l->m->paths + adr) : CT_OK;
}

// What only the program that draws can read is kept as it was.
static bool is_ktx(const ctModel* m, int i, const ctByte* data, size_t size) {
  static const unsigned char mark[4] = {0xab, 'K', 'T', 'X'};
  return m->tex_height[i] == 1 && m->tex_nchannel[i] == 1 && size > sizeof(mark) &&
         memcmp(data, mark, sizeof(mark)) == 0;
}

static ctStatus lift_texture(ctiLift* l, int i) {
  const ctModel* m = l->m;
  ctiTexture* t = cti_spec_add_texture(l->s, &l->s->plain);
  if (!t) return cti_error_memory(l->err);
  cti_lift_place(l, &t->head, CT_OBJ_TEXTURE, i, "texture", &cti_attrs_texture);
  t->type = m->tex_type[i];
  t->colorspace = m->tex_colorspace[i];
  t->nchannel = m->tex_nchannel[i];
  CT_TRY(path_at(l, &t->content_type, m->tex_contenttypeadr[i]));
  // only the sky needs no name
  if (t->type != CT_TEXTURE_SKYBOX && !cti_lift_ref(l, CT_OBJ_TEXTURE, i)) return cti_error_memory(l->err);
  // left in its file
  if (m->tex_adr[i] < 0) {
    t->embed = CTI_FALSE;
    CT_TRY(path_at(l, &t->file, m->tex_pathadr[i]));
    return t->file ? CT_OK : cti_lift_cannot(l, CT_OBJ_TEXTURE, i, "it has neither pixels nor a file");
  }
  ctByte* data = m->tex_data + m->tex_adr[i];
  size_t size = (size_t)m->tex_width[i] * (size_t)m->tex_height[i] * (size_t)t->nchannel;
  if (m->tex_width[i] <= 0 || m->tex_height[i] <= 0)
    return cti_lift_cannot(l, CT_OBJ_TEXTURE, i, "it has no pixels");
  if (is_ktx(m, i, data, size))
    return cti_lift_file(l, &t->file, CT_OBJ_TEXTURE, i, "texture", "ktx", data, size);
  if (t->nchannel == 2)
    return cti_lift_cannot(l, CT_OBJ_TEXTURE, i, "pictures have 1, 3 or 4 channels, not 2");
  t->content_type = NULL;
  const ctiImage image = {
      .width = m->tex_width[i], .height = m->tex_height[i], .channels = t->nchannel, .data = data};
  // what came from no file may have been drawn
  bool found = false;
  if (m->tex_pathadr[i] < 0) CT_TRY(cti_lift_builtin(t, &found, &image, &l->s->allocator, l->err));
  if (found) return CT_OK;
  bool cube = t->type != CT_TEXTURE_2D && image.height == 6 * image.width;
  return cube ? save_sides(l, t, i, &image) : save_picture(l, &t->file, i, "texture", &image);
}

ctStatus cti_lift_textures(ctiLift* l) {
  for (int i = 0; i < l->m->ntex; i++) CT_TRY(lift_texture(l, i));
  return CT_OK;
}
