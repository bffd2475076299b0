// Options of a scene by name.
#include <stdio.h>
#include <string.h>

#include "base/fn.h"
#include "base/strings.h"
#include "scene/scene.h"

#define X(id, name, on) {name, on},
static const struct {
  const char* name;
  ctByte on;
} flags[CT_SHOW_COUNT] = {CT_SHOW_LIST(X)};
#undef X
#define X(id, name) name,
static const char* const frames[CT_FRAME_OF_COUNT] = {CT_FRAME_LIST(X)};
static const char* const labels[CT_LABEL_OF_COUNT] = {CT_LABEL_LIST(X)};
#undef X

static const struct {
  const char* name;
  size_t offset;
} groups[] = {{"geomgroup:", offsetof(ctSceneOption, geomgroup)},
              {"sitegroup:", offsetof(ctSceneOption, sitegroup)},
              {"jointgroup:", offsetof(ctSceneOption, jointgroup)},
              {"tendongroup:", offsetof(ctSceneOption, tendongroup)},
              {"actuatorgroup:", offsetof(ctSceneOption, actuatorgroup)},
              {"skingroup:", offsetof(ctSceneOption, skingroup)},
              {"flexgroup:", offsetof(ctSceneOption, flexgroup)}};
#define GROUP_KINDS CT_COUNT_OF(groups)

void ct_scene_option_default(ctSceneOption* option) {
  if (!option) return;
  memset(option, 0, sizeof(*option));
  for (int i = 0; i < CT_SHOW_COUNT; i++) option->show[i] = flags[i].on;
  for (int k = 0; k < GROUP_KINDS; k++) {
    for (int g = 0; g < 3; g++) ((ctByte*)option + groups[k].offset)[g] = 1;
  }
}

static int find(const char* const* names, int count, const char* name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

// All names in one line.
static ctStatus no_such_option(ctError* err, const char* name) {
  char all[520] = "";
  for (int i = 0; i < CT_SHOW_COUNT; i++) {
    size_t n = strlen(all);
    snprintf(all + n, sizeof(all) - n, "%s, ", flags[i].name);
  }
  return cti_error(err, CT_ERR_ARGUMENT,
                   "there is no \"%s\" to show; there are %sframe:, label:, geomgroup:", name, all);
}

static ctStatus no_such_kind(ctError* err, const char* name, const char* const* names, int count) {
  char all[256] = "";
  for (int i = 0; i < count; i++) {
    size_t n = strlen(all);
    snprintf(all + n, sizeof(all) - n, i ? ", %s" : "%s", names[i]);
  }
  return cti_error(err, CT_ERR_ARGUMENT, "there is no \"%s\"; there are %s", name, all);
}

ctStatus ct_scene_option_set(ctSceneOption* option, const char* name, bool on, ctError* err) {
  if (!option || !name) return cti_error(err, CT_ERR_ARGUMENT, "option and name must not be NULL");
  for (int i = 0; i < CT_SHOW_COUNT; i++) {
    if (strcmp(flags[i].name, name) != 0) continue;
    option->show[i] = on;
    return CT_OK;
  }
  if (cti_text_starts(name, "frame:")) {
    int i = find(frames, CT_FRAME_OF_COUNT, name + 6);
    if (i < 0) return no_such_kind(err, name, frames, CT_FRAME_OF_COUNT);
    option->frame = on ? (ctFrameOf)i : CT_FRAME_OF_NONE;
    return CT_OK;
  }
  if (cti_text_starts(name, "label:")) {
    int i = find(labels, CT_LABEL_OF_COUNT, name + 6);
    if (i < 0) return no_such_kind(err, name, labels, CT_LABEL_OF_COUNT);
    option->label = on ? (ctLabelOf)i : CT_LABEL_OF_NONE;
    return CT_OK;
  }
  for (int k = 0; k < GROUP_KINDS; k++) {
    if (!cti_text_starts(name, groups[k].name)) continue;
    const char* digit = name + strlen(groups[k].name);
    if (digit[0] < '0' || digit[0] >= '0' + CT_NGROUP || digit[1])
      return cti_error(err, CT_ERR_ARGUMENT, "there is no \"%s\"; groups are 0 to %d", name, CT_NGROUP - 1);
    ((ctByte*)option + groups[k].offset)[digit[0] - '0'] = on;
    return CT_OK;
  }
  return no_such_option(err, name);
}
