#include "asset/decode.h"

#include "base/files.h"
#include "base/strings.h"

typedef ctStatus Decoder(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);

typedef struct Format {
  const char *extension, *content_type;
  Decoder* decode;
} Format;

static const Format formats[] = {
    {"obj", "model/obj", cti_obj_decode},
    {"stl", "model/stl", cti_stl_decode},
    {"msh", "model/vnd.mujoco.msh", cti_msh_decode},
};

static const Format* find_format(const char* file, const char* content_type) {
  const char* extension = file ? cti_path_extension(file) : "";
  const int count = (int)(sizeof(formats) / sizeof(formats[0]));
  for (int i = 0; i < count && content_type; i++) {
    if (cti_text_equal_nocase(content_type, formats[i].content_type)) return &formats[i];
  }
  for (int i = 0; i < count; i++) {
    if (cti_text_equal_nocase(extension, formats[i].extension)) return &formats[i];
  }
  return NULL;
}

ctStatus cti_mesh_decode(ctiRawMesh* out, const char* file, const char* content_type, const char* data,
                         size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  const Format* format = find_format(file, content_type);
  if (format) return format->decode(out, data, size, region, err);
  return cti_error(
      err, CT_ERR_UNSUPPORTED,
      "\"%s\" is not a mesh file: the extension must be obj, stl or msh, or the content type model/obj, "
      "model/stl or model/vnd.mujoco.msh",
      file ? file : "");
}
