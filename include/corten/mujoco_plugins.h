/// @file
/// Part of corten/mujoco.h: what stands beside the elements of an mjSpec: plugins that compute for them,
/// values of the user, and files that are made of pixels.
#pragma once

#include "corten/mujoco_sync.h"

#ifdef __cplusplus
#include <map>
extern "C" {
#endif

// ---- plugins

/// Attributes of a plugin that computes for an element, or of an instance.
typedef struct ctMjUse {
  char** words;         ///< names and values in turn, owned, NULL behind them
  int nword;            ///< how many
  bool changed;         ///< since they were last written
  void* map;            ///< mjs_getPluginAttributes() in C++
  void (*drop)(void*);  ///< releases it
} ctMjUse;

// The plugin of a struct, NULL when its kind has none.
static inline mjsPlugin* ct_mj_plugin(const ctMjBlock* b, const char* at) {
  void* now = (void*)(uintptr_t)at;
  if (!b->kind) return NULL;
  if (b->kind->type == mjOBJ_PLUGIN) return (mjsPlugin*)now;
  if (b->kind->type == mjOBJ_BODY) return &((mjsBody*)now)->plugin;
  if (b->kind->type == mjOBJ_GEOM) return &((mjsGeom*)now)->plugin;
  if (b->kind->type == mjOBJ_MESH) return &((mjsMesh*)now)->plugin;
  if (b->kind->type == mjOBJ_ACTUATOR) return &((mjsActuator*)now)->plugin;
  if (b->kind->type == mjOBJ_SENSOR) return &((mjsSensor*)now)->plugin;
  return NULL;
}
static inline void ct_mj_use_clear(ctMjUse* use) {
  for (int i = 0; i < use->nword; i++) free(use->words[i]);
  free(use->words);
  use->words = NULL;
  use->nword = 0;
}
static inline void ct_mj_use_add(ctMjUse* use, const char* name, const char* value) {
  char** longer = (char**)realloc(use->words, (size_t)(use->nword + 3) * sizeof(char*));
  char *key = (char*)malloc(strlen(name) + 1), *text = (char*)malloc(strlen(value) + 1);
  if (longer) use->words = longer;
  if (!longer || !key || !text) {
    free(key);
    free(text);
    mju_error("mjs: out of memory");
    return;
  }
  use->words[use->nword++] = strcpy(key, name);
  use->words[use->nword++] = strcpy(text, value);
  use->words[use->nword] = NULL;
}
static inline void ct_mj_open_plugin(ctMjBlock* b) {
  mjsPlugin* p = ct_mj_plugin(b, b->now);
  if (!p) return;
  ctMjUse* use = (ctMjUse*)calloc(1, sizeof(ctMjUse));
  p->name = (mjString*)calloc(1, sizeof(ctMjList));
  p->plugin_name = (mjString*)calloc(1, sizeof(ctMjList));
  if (b->kind->type != mjOBJ_PLUGIN) p->info = (mjString*)calloc(1, sizeof(ctMjList));
  if (!use || !p->name || !p->plugin_name) {
    free(use);
    mju_error("mjs: out of memory");
    return;
  }
  b->use = use;
  p->element = &b->element;  // or that of an instance, if a program says so
  const char *plugin = NULL, *instance = NULL;
  if (!b->impl || ct_element_get_plugin(b->impl, &plugin, &instance, NULL) != CT_OK) return;
  if (plugin) ct_mj_list_set(p->plugin_name, plugin, (int)strlen(plugin), 1);
  if (instance) ct_mj_list_set(p->name, instance, (int)strlen(instance), 1);
  if (b->kind->type == mjOBJ_PLUGIN && ct_element_name(b->impl))
    ct_mj_list_set(p->name, ct_element_name(b->impl), (int)strlen(ct_element_name(b->impl)), 1);
  p->active = plugin || instance;
  p->name->changed = p->plugin_name->changed = false;
  char name[1024], value[1024];
  for (int i = 0; ct_element_get_config(b->impl, i, name, value, sizeof(name), NULL) == CT_OK; i++)
    ct_mj_use_add(use, name, value);
}
static inline void ct_mj_close_plugin(ctMjBlock* b) {
  mjsPlugin* p = ct_mj_plugin(b, b->now);
  if (!p || !b->use) return;
  ct_mj_list_free(p->name);
  ct_mj_list_free(p->plugin_name);
  if (b->kind->type != mjOBJ_PLUGIN) ct_mj_list_free(p->info);
  ct_mj_use_clear(b->use);
  if (b->use->drop) b->use->drop(b->use->map);
  free(b->use);
}
// Say once that the model uses a plugin.
static inline ctStatus ct_mj_declare(mjSpec* s, const char* plugin) {
  for (int i = 0; i < s->plugins_.count; i++) {
    if (strcmp(ct_mj_characters(ct_mj_nest_at(&s->plugins_, i)), plugin) == 0) return CT_OK;
  }
  const char* words[] = {"plugin", plugin, NULL};
  const ctStatus status = ct_spec_add(NULL, s->impl_, NULL, "extension/plugin", words, &s->error_);
  if (status != CT_OK) return status;
  ct_mj_nest_resize(&s->plugins_, s->plugins_.count + 1);
  ct_mj_list_set(ct_mj_nest_at(&s->plugins_, s->plugins_.count - 1), plugin, (int)strlen(plugin), 1);
  return CT_OK;
}
// A text as the value of an attribute of XML, to be freed.
static inline char* ct_mj_escape(const char* text) {
  char *out = (char*)malloc(6 * strlen(text) + 1), *at = out;
  for (; out && *text; text++) {
    const char* word = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '"' ? "&quot;" : NULL;
    if (word)
      at += strlen(strcpy(at, word));
    else
      *at++ = *text;
  }
  if (out) *at = 0;
  return out;
}
// An instance is made when it has a name and a plugin.
static inline ctStatus ct_mj_make_instance(ctMjBlock* b, const char* plugin, const char* name) {
  mjSpec* s = b->spec;
  ctStatus status = ct_mj_declare(s, plugin);
  char *first = ct_mj_escape(plugin), *second = ct_mj_escape(name);
  const size_t room = (first ? strlen(first) : 0) + (second ? strlen(second) : 0) + 100;
  char* xml = (char*)malloc(room);
  if (first && second && xml && status == CT_OK) {
    const int length =
        snprintf(xml, room, "<extension><plugin plugin=\"%s\"><instance name=\"%s\"/></plugin></extension>",
                 first, second);
    status = ct_spec_add_xml(NULL, s->impl_, NULL, xml, (size_t)length, &s->error_);
  }
  free(first);
  free(second);
  free(xml);
  if (status == CT_OK) b->impl = ct_spec_find(s->impl_, CT_OBJ_PLUGIN, name);
  return status;
}
static inline ctStatus ct_mj_write_plugin(ctMjBlock* b) {
  const mjsPlugin *now = ct_mj_plugin(b, b->now), *old = ct_mj_plugin(b, b->before);
  if (!now || !b->use) return CT_OK;
  const ctMjBlock* from = now->element ? ct_mj_block(now->element) : b;
  if (!from->use) from = b;
  if (!now->name->changed && !now->plugin_name->changed && now->active == old->active && !b->use->changed &&
      now->element == old->element && !from->use->changed)
    return CT_OK;
  const char *name = ct_mj_characters(now->name), *plugin = ct_mj_characters(now->plugin_name);
  const mjsPlugin* other = ct_mj_plugin(from, from->now);
  if (!name[0]) name = ct_mj_characters(other->name);
  if (!plugin[0]) plugin = ct_mj_characters(other->plugin_name);
  const char* const* config = (const char* const*)from->use->words;
  ctError* err = &b->spec->error_;
  ctStatus status = CT_OK;
  if (b->kind->type == mjOBJ_PLUGIN) {
    if (!name[0] || !plugin[0]) return CT_OK;
    if (!b->impl) status = ct_mj_make_instance(b, plugin, name);
    if (status == CT_OK && b->impl)
      status = ct_element_set_plugin(b->spec->impl_, b->impl, plugin, NULL, config, err);
  } else if (now->active && (name[0] || plugin[0])) {
    if (plugin[0]) status = ct_mj_declare(b->spec, plugin);
    if (status == CT_OK)
      status = ct_element_set_plugin(b->spec->impl_, b->impl, name[0] ? NULL : plugin, name[0] ? name : NULL,
                                     name[0] ? NULL : config, err);
  } else if (old->active) {
    status = ct_element_set_plugin(b->spec->impl_, b->impl, NULL, NULL, NULL, err);
  }
  now->name->changed = now->plugin_name->changed = b->use->changed = false;
  return status;
}
static inline ctMjUse* ct_mj_use_of(const mjsPlugin* plugin) {
  return plugin->element ? ct_mj_block(plugin->element)->use : NULL;
}

#ifdef __cplusplus
}  // extern "C"

/// Attributes of a plugin, as MuJoCo keeps them.
using ctMjAttributes = std::map<std::string, std::string, std::less<>>;

extern "C" {
/// As there: `attributes` is a std::map<std::string, std::string, std::less<>>*, which is emptied.
static inline void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  ctMjUse* use = ct_mj_use_of(plugin);
  if (!use) return;
  ct_mj_use_clear(use);
  auto* map = static_cast<ctMjAttributes*>(attributes);
  for (const auto& pair : *map) ct_mj_use_add(use, pair.first.c_str(), pair.second.c_str());
  map->clear();
  use->changed = true;
}
/// As there: a const std::map<std::string, std::string, std::less<>>*, valid until the next call for the
/// plugin.
static inline const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  ctMjUse* use = ct_mj_use_of(plugin);
  if (!use) return nullptr;
  if (use->drop) use->drop(use->map);
  auto* map = new ctMjAttributes();
  for (int i = 0; i + 1 < use->nword; i += 2) (*map)[use->words[i]] = use->words[i + 1];
  use->map = map;
  use->drop = [](void* old) { delete static_cast<ctMjAttributes*>(old); };
  return map;
}
#endif

// ---- values of the user

/// A value of the user, under a name.
typedef struct ctMjValue {
  char* key;                     ///< the name
  const void* data;              ///< what is kept
  void (*cleanup)(const void*);  ///< releases it, may be NULL
  struct ctMjValue* next;        ///< of the element
} ctMjValue;

static inline ctMjValue** ct_mj_value(ctMjBlock* b, const char* key) {
  ctMjValue** at = &b->user;
  while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
  return at;
}
/// As there: `cleanup` is called with the value when it is replaced, deleted, or goes with its element.
static inline void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                               void (*cleanup)(const void*)) {
  ctMjValue** at = ct_mj_value(ct_mj_block(element), key);
  if (!*at) {
    ctMjValue* value = (ctMjValue*)calloc(1, sizeof(ctMjValue));
    char* copy = (char*)malloc(strlen(key) + 1);
    if (!value || !copy) {
      free(value);
      free(copy);
      mju_error("mjs_setUserValue: out of memory");
      return;
    }
    value->key = strcpy(copy, key);
    *at = value;
  } else if ((*at)->cleanup) {
    (*at)->cleanup((*at)->data);
  }
  (*at)->data = data;
  (*at)->cleanup = cleanup;
}
/// As there.
static inline void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  mjs_setUserValueWithCleanup(element, key, data, NULL);
}
/// As there: NULL when there is none.
static inline const void* mjs_getUserValue(mjsElement* element, const char* key) {
  const ctMjValue* value = *ct_mj_value(ct_mj_block(element), key);
  return value ? value->data : NULL;
}
/// As there.
static inline void mjs_deleteUserValue(mjsElement* element, const char* key) {
  ctMjValue **at = ct_mj_value(ct_mj_block(element), key), *value = *at;
  if (!value) return;
  *at = value->next;
  if (value->cleanup) value->cleanup(value->data);
  free(value->key);
  free(value);
}

// ---- pictures

/// Files that were made of pixels, for the specs that use them.
typedef struct ctMjFiles {
  ctVfs* vfs;  ///< the files
  int users;   ///< specs that hold it
} ctMjFiles;

static inline void ct_mj_files_drop(ctMjFiles* files) {
  if (!files || --files->users > 0) return;
  ct_vfs_free(files->vfs);
  free(files);
}
static inline unsigned char* ct_mj_put32(unsigned char* at, uint32_t x) {
  for (int i = 3; i >= 0; i--) *at++ = (unsigned char)(x >> 8 * i);
  return at;
}
static inline unsigned char* ct_mj_put_chunk(unsigned char* at, const char* kind, const unsigned char* data,
                                             size_t size) {
  unsigned char* start = ct_mj_put32(at, (uint32_t)size);
  memcpy(start, kind, 4);
  if (size > 0) memmove(start + 4, data, size);
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size + 4; i++) {
    crc ^= start[i];
    for (int k = 0; k < 8; k++) crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
  }
  return ct_mj_put32(start + 4 + size, ~crc);
}
// Pixels as a PNG file, not compressed; to be freed. NULL when memory runs out.
static inline unsigned char* ct_mj_png(const unsigned char* pixels, uint32_t width, uint32_t height,
                                       uint32_t channels, size_t* size) {
  const size_t row = (size_t)width * channels + 1, raw = row * height, most = 65535;
  const size_t blocks = (raw + most - 1) / most, packed = 2 + raw + 5 * blocks + 4;
  unsigned char* png = (unsigned char*)malloc(packed + 100);
  if (!png) return NULL;
  static const unsigned char magic[] = {137, 'P', 'N', 'G', 13, 10, 26, 10}, colors[] = {0, 0, 4, 2, 6};
  memcpy(png, magic, 8);
  unsigned char head[13] = {0};
  ct_mj_put32(ct_mj_put32(head, width), height);
  head[8] = 8;
  head[9] = colors[channels <= 4 ? channels : 3];
  unsigned char* at = ct_mj_put_chunk(png + 8, "IHDR", head, 13);
  unsigned char *start = at + 8, *out = start;
  *out++ = 0x78;
  *out++ = 0x01;
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < raw; i++) {
    if (i % most == 0) {
      const size_t left = raw - i < most ? raw - i : most;
      *out++ = i + left == raw;
      *out++ = (unsigned char)left;
      *out++ = (unsigned char)(left >> 8);
      *out++ = (unsigned char)~left;
      *out++ = (unsigned char)(~left >> 8);
    }
    const unsigned char byte = i % row == 0 ? 0 : pixels[i / row * (row - 1) + i % row - 1];
    *out++ = byte;
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  out = ct_mj_put32(out, b << 16 | a);
  at = ct_mj_put_chunk(at, "IDAT", start, (size_t)(out - start));
  at = ct_mj_put_chunk(at, "IEND", NULL, 0);
  *size = (size_t)(at - png);
  return png;
}
// The picture of a texture of pixels; NULL when memory runs out.
static inline unsigned char* ct_mj_png_of(const mjsTexture* t, size_t* size) {
  return ct_mj_png((const unsigned char*)t->data->items, (uint32_t)t->width, (uint32_t)t->height,
                   (uint32_t)(t->nchannel > 0 ? t->nchannel : 3), size);
}
static inline void ct_mj_pixel_name(const ctMjBlock* b, char* name, size_t size) {
  snprintf(name, size, "ct_pixels_%p.png", (const void*)b);
}
// A texture of pixels becomes one of a file in memory.
static inline ctStatus ct_mj_write_pixels(ctMjBlock* b) {
  const mjsTexture* t = (const mjsTexture*)(void*)b->now;
  mjSpec* s = b->spec;
  const int channels = t->nchannel > 0 ? t->nchannel : 3;
  if (channels > 4 || t->width < 1 || t->height < 1 ||
      (int64_t)t->width * t->height * channels != t->data->count) {
    snprintf(s->error_.message, sizeof(s->error_.message),
             "texture: %d bytes of data for %d x %d pixels of %d channels", t->data->count, t->width,
             t->height, channels);
    return CT_ERR_INVALID;
  }
  if (!s->files_) {
    s->files_ = (ctMjFiles*)calloc(1, sizeof(ctMjFiles));
    if (!s->files_ || ct_vfs_create(&s->files_->vfs, NULL, &s->error_) != CT_OK) return CT_ERR_MEMORY;
    s->files_->users = 1;
    ct_spec_set_vfs(s->impl_, s->files_->vfs);
  }
  size_t size = 0;
  unsigned char* png = ct_mj_png_of(t, &size);
  if (!png) return CT_ERR_MEMORY;
  char name[64];
  ct_mj_pixel_name(b, name, sizeof(name));
  ct_vfs_remove(s->files_->vfs, name, NULL);
  ctStatus status = ct_vfs_add(s->files_->vfs, name, png, size, &s->error_);
  free(png);
  const bool named = ct_element_name(b->impl) != NULL;
  if (status == CT_OK) status = ct_element_set(s->impl_, b->impl, "file", name, &s->error_);
  if (status == CT_OK && !named) status = ct_element_set(s->impl_, b->impl, "name", "", &s->error_);
  return status;
}

#ifdef __cplusplus
}
#endif
