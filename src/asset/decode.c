#include "asset/decode.h"

#include "base/files.h"
#include "base/strings.h"

typedef ctStatus Decoder(ctiRawMesh* out, const char* data, size_t size, ctiRegion* region, ctError* err);

static const struct Format {
  const char *extension, *content_type;
  Decoder* decode;
} formats[] = {
    {"obj", "model/obj", cti_obj_decode},
    {"stl", "model/stl", cti_stl_decode},
    {"msh", "model/vnd.mujoco.msh", cti_msh_decode},
};

ctStatus cti_mesh_decode(ctiRawMesh* out, const char* file, const char* content_type, const char* data,
                         size_t size, ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  const char* extension = file ? cti_path_extension(file) : "";
  bool by_type = content_type && *content_type;
  for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
    const struct Format* f = &formats[i];
    if (by_type ? cti_text_equal_nocase(content_type, f->content_type)
                : cti_text_equal_nocase(extension, f->extension)) {
      return f->decode(out, data, size, region, err);
    }
  }
  if (by_type) {
    return cti_error(
        err, CT_ERR_UNSUPPORTED,
        "content type \"%s\" is not that of a mesh: model/obj, model/stl or model/vnd.mujoco.msh",
        content_type);
  }
  return cti_error(err, CT_ERR_UNSUPPORTED,
                   "\"%s\" is not a mesh file: the extension must be obj, stl or msh", file ? file : "");
}
