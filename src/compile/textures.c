// Textures: drawn by a formula, or read from files. They are for drawing only and enter no number of the
// physics.
#include "compile/textures.h"

#include <string.h>

static ctStatus make(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  if (s->nchannel < 1 || s->nchannel > 4)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "nchannel is 1 to 4");
  if (s->builtin == CTI_PICTURE_NONE) return cti_texture_read(b, s, path, out);
  if (s->nchannel != 3)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a builtin texture has nchannel=\"3\"");
  if (s->embed == CTI_FALSE) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a builtin texture is always part of the model; remove embed=\"false\"");
  }
  return cti_texture_draw(b, s, out);
}

ctStatus cti_pass_textures(ctiBuild* b) {
  int n = b->spec->textures.count;
  b->texture = CTI_NEW_ARRAY(b->region, ctiImage, n);
  b->texture_path = CTI_NEW_ARRAY(b->region, const char*, n);
  if (!b->texture || !b->texture_path) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    CT_TRY(make(b, b->spec->textures.data[i], &b->texture_path[i], &b->texture[i]));
    b->sizes.ntexdata += (ctSize)b->texture[i].width * b->texture[i].height * b->texture[i].channels;
  }
  return CT_OK;
}

ctStatus cti_pass_fill_textures(ctiBuild* b) {
  ctModel* m = b->m;
  ctSize adr = 0;
  for (int i = 0; i < m->ntex; i++) {
    const ctiTexture* s = b->spec->textures.data[i];
    const ctiImage* image = &b->texture[i];
    size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    m->tex_type[i] = s->type;
    // a file that does not say is taken as linear
    bool unsaid = s->colorspace == CT_COLORSPACE_AUTO && s->builtin == CTI_PICTURE_NONE && image->data;
    m->tex_colorspace[i] = !unsaid ? s->colorspace : image->srgb ? CT_COLORSPACE_SRGB : CT_COLORSPACE_LINEAR;
    m->tex_height[i] = image->height;
    m->tex_width[i] = image->width;
    m->tex_nchannel[i] = image->channels;
    m->tex_adr[i] = image->data ? adr : -1;
    if (image->data) memcpy(m->tex_data + adr, image->data, bytes);
    adr += (ctSize)bytes;
  }
  return CT_OK;
}
