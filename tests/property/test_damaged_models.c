// Models with one thing wrong: each attribute in turn is emptied, taken away or given a value it cannot have,
// each element in turn is taken away. What comes of it is a model that can be saved and stepped, or an error
// with a message; never a crash.
#include "xt_model.h"

static const char* const models[] = {
    "tests/models/mjcf/actuator_attributes.xml",
    "tests/models/mjcf/actuators.xml",
    "tests/models/mjcf/asset_attributes.xml",
    "tests/models/mjcf/attach_bodies.xml",
    "tests/models/mjcf/constraints.xml",
    "tests/models/mjcf/corners.xml",
    "tests/models/mjcf/by_reference.xml",
    "tests/models/mjcf/discardvisual.xml",
    "tests/models/mjcf/fusestatic.xml",
    "tests/models/mjcf/replicate.xml",
    "tests/models/mjcf/scene.xml",
    "tests/models/mjcf/sensor_attributes.xml",
    "tests/models/mjcf/sensors.xml",
    "tests/models/mjcf/skin.xml",
    "tests/models/mjcf/tendons.xml",
    "tests/models/mjcf/general_drives.xml",
    "tests/models/mjcf/orientation_servo.xml",
    "tests/models/mjcf/frame_scale.xml",
    "tests/models/sensors/tactile.xml",
    "tests/models/sensors/rays.xml",
    "tests/models/sensors/outputs.xml",
    "tests/models/smooth/transmission_slidercrank.xml",
    "tests/models/smooth/wrap_cylinder_side.xml",
    "tests/models/constraint/equality.xml",
    "tests/models/sensors/contacts.xml",
    "tests/models/constraint/mixed.xml",
};

static char* read_text(const char* path, size_t* size) {
  char full[512];
  snprintf(full, sizeof(full), "%s/%s", CT_SOURCE_DIR, path);
  FILE* file = fopen(full, "rb");
  XT_TRUE(file);
  char* text = calloc(1, 1 << 20);
  *size = fread(text, 1, (1 << 20) - 1, file);
  XT_TRUE(feof(file));
  fclose(file);
  return text;
}

// The text under the path of the original, so that files beside it are found.
static void try_text(const char* path, const char* text, size_t size) {
  char full[512];
  snprintf(full, sizeof(full), "%s/%s", CT_SOURCE_DIR, path);
  ctVfs* vfs = NULL;
  ctModel *m = NULL, *again = NULL;
  ctError err = {0};
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  XT_INT(ct_vfs_add(vfs, full, text, size, NULL), CT_OK);
  const ctLoadOptions opt = {.vfs = vfs, .max_memory = (size_t)16 << 20};  // large ones are refused sooner
  ctStatus status = ct_model_load(&m, full, &opt, &err);
  if (status != CT_OK) {
    XT_TRUE(m == NULL);
    if (err.status != status || !err.message[0] || strstr(err.message, "(null)"))
      fail_msg("%s: status %d, error %d \"%s\"\n%s", path, (int)status, (int)err.status, err.message, text);
  } else {
    size_t bytes = ct_model_save_bytes(m, NULL, 0);
    void* saved = malloc(bytes);
    ct_model_save_bytes(m, saved, bytes);
    status = ct_model_load_bytes(&again, saved, bytes, NULL, &err);
    if (status != CT_OK) fail_msg("%s: its own binary is refused: %s\n%s", path, err.message, text);
    free(saved);
    ctData* d = xt_data(m);
    ct_step_n(m, d, 2);
    ct_data_free(d);
  }
  ct_model_free(again);
  ct_model_free(m);
  ct_vfs_free(vfs);
}

// Try the text with [begin, end) replaced.
static void replace(const char* path, const char* text, size_t size, size_t begin, size_t end,
                    const char* by) {
  size_t n = strlen(by);
  char* changed = malloc(size + n + 1);
  memcpy(changed, text, begin);
  memcpy(changed + begin, by, n);
  memcpy(changed + begin + n, text + end, size - end + 1);
  try_text(path, changed, size - (end - begin) + n);
  free(changed);
}

static void damage(const char* path) {
  static const char* const values[] = {"", "-1"};
  size_t size;
  char* text = read_text(path, &size);
  bool comment = false;
  size_t element = 0;
  for (size_t i = 0; i < size; i++) {
    if (strncmp(text + i, "<!--", 4) == 0) comment = true;
    if (strncmp(text + i, "-->", 3) == 0) comment = false;
    if (comment) continue;
    if (text[i] == '<') element = i;
    if (text[i] == '>' && text[i - 1] == '/') replace(path, text, size, element, i + 1, "");
    if (text[i] != '=' || (text[i + 1] != '"' && text[i + 1] != '\'')) continue;
    size_t begin = i + 2, end = begin, name = i;
    while (text[end] != text[i + 1]) end++;
    while (text[name - 1] != ' ' && text[name - 1] != '\n') name--;
    for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
      replace(path, text, size, begin, end, values[k]);
    replace(path, text, size, name, end + 1, "");
    i = end;
  }
  free(text);
}

XT_TEST(damaged_models, are_refused_or_work) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) damage(models[i]);
}

XT_MAIN()
