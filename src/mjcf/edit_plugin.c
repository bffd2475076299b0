// Plugins of elements through the public calls.
#include <string.h>

#include "mjcf/read.h"
#include "spec/walk.h"

static ctStatus find_use(ctiPluginUse** out, const ctElement* element, const char* call, ctError* err) {
  ctiElement* e = (ctiElement*)(uintptr_t)element;
  *out = NULL;
  if (!e) return cti_error(err, CT_ERR_ARGUMENT, "%s: no element", call);
  *out = cti_plugin_use(e);
  return *out ? CT_OK : cti_spec_error(err, CT_ERR_INVALID, e, "<%s> has no place for a plugin", e->tag);
}

// What is said, by the rows of another table: those of the same name.
static uint64_t given_in(const ctiAttrTable* to, const ctiAttrTable* from, uint64_t given) {
  uint64_t said = 0;
  for (int i = 0; i < from->count; i++) {
    for (int k = 0; given >> i & 1 && k < to->count; k++) {
      if (strcmp(from->rows[i].name, to->rows[k].name) == 0) said |= (uint64_t)1 << k;
    }
  }
  return said;
}

// An actuator with a plugin is an element of its own.
static void retag_actuator(ctiActuator* a, bool plugin) {
  const ctiAttrTable* table = plugin ? &cti_attrs_plugin_actuator : &cti_attrs_actuator[CTI_SHORTCUT_GENERAL];
  if (a->head.attrs == table || (!plugin && a->head.attrs != &cti_attrs_plugin_actuator)) return;
  a->head.given = given_in(table, a->head.attrs, a->head.given);
  a->head.attrs = table;
  a->head.tag = plugin ? "plugin" : "general";
  a->shortcut = CTI_SHORTCUT_GENERAL;
  a->head.more = &cti_attrs_shortcut[CTI_SHORTCUT_GENERAL];
}

static ctStatus keep(const char** out, ctSpec* spec, const char* text, ctError* err) {
  *out = text ? cti_intern(&spec->strings, text) : NULL;
  return text && !*out ? cti_error_memory(err) : CT_OK;
}

ctStatus ct_element_set_plugin(ctSpec* spec, ctElement* element, const char* plugin, const char* instance,
                               const char* const* config, ctError* err) {
  ctiPluginUse *use, made = {0};
  if (!spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_element_set_plugin: no spec");
  CT_TRY(find_use(&use, element, "ct_element_set_plugin", err));
  CT_TRY(keep(&made.plugin, spec, plugin, err));
  CT_TRY(keep(&made.instance, spec, instance, err));
  for (int i = 0; config && config[i] && config[i + 1]; i += 2) {
    const char* before = made.config ? made.config : "";
    made.config = cti_region_printf(spec->region, "%s%s%c%s%c", before, config[i], CTI_CONFIG_VALUE,
                                    config[i + 1], CTI_CONFIG_END);
    if (!made.config) return cti_error_memory(err);
  }
  if (ct_element_type(element) == CT_OBJ_ACTUATOR)
    retag_actuator((ctiActuator*)(void*)element, plugin || instance);
  *use = made;
  return CT_OK;
}

ctStatus ct_element_get_plugin(const ctElement* element, const char** plugin, const char** instance,
                               ctError* err) {
  ctiPluginUse* use;
  if (!plugin || !instance) return cti_error(err, CT_ERR_ARGUMENT, "ct_element_get_plugin: no room");
  CT_TRY(find_use(&use, element, "ct_element_get_plugin", err));
  *plugin = use->plugin;
  *instance = use->instance;
  return CT_OK;
}

static bool give_piece(char* out, size_t size, const char* from, const char* to) {
  const size_t length = (size_t)(to - from);
  if (length >= size) return false;
  memcpy(out, from, length);
  out[length] = 0;
  return true;
}

ctStatus ct_element_get_config(const ctElement* element, int i, char* name, char* value, size_t size,
                               ctError* err) {
  ctiPluginUse* use;
  if (!name || !value || i < 0) return cti_error(err, CT_ERR_ARGUMENT, "ct_element_get_config: no room");
  CT_TRY(find_use(&use, element, "ct_element_get_config", err));
  const char* at = use->config;
  for (; at && *at && i > 0; i--) {
    at = strchr(at, CTI_CONFIG_END);
    at = at ? at + 1 : NULL;
  }
  const char* middle = at ? strchr(at, CTI_CONFIG_VALUE) : NULL;
  const char* end = middle ? strchr(middle, CTI_CONFIG_END) : NULL;
  if (!end || !give_piece(name, size, at, middle) || !give_piece(value, size, middle + 1, end))
    return cti_error(err, CT_ERR_INVALID, "there is no such attribute of a plugin, or it is longer");
  return CT_OK;
}
