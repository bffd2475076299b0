// Plugins: the instances of a model, those with a name and those that elements bring along.
#include <string.h>

#include "collide/sdf.h"
#include "compile/build.h"
#include "spec/attrs.h"
#include "xml/read.h"

// The nearest of the known words to one that is not.
static const char* nearest(const char* word, const char* const* words, int count) {
  return count > 0 ? cti_suggest_in(word, CTI_WORDS(words, count)) : NULL;
}

static ctStatus unknown_plugin(const ctiBuild* b, const char* name, const ctiElement* e) {
  const char* words[CTI_PLUGIN_COUNT];
  for (int i = 0; i < CTI_PLUGIN_COUNT; i++) words[i] = ct_plugin_builtin(i)->name;
  const char* near = nearest(name, words, CTI_PLUGIN_COUNT);
  if (near)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "there is no plugin \"%s\"; did you mean \"%s\"?", name,
                          near);
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e,
                        "the plugin \"%s\" is not built in: hand its library to the loader (plugins of the "
                        "load options; --plugins FILE)",
                        name);
}

static bool is_declared(const ctSpec* s, const char* name) {
  for (int i = 0; i < s->extensions.count; i++) {
    if (cti_text_equal(s->extensions.data[i]->plugin, name)) return true;
  }
  return false;
}

// A table that lacks what it says it can do.
static const char* missing_function(const ctPlugin* p) {
  if (!p->name[0] || strlen(p->name) >= CT_NPLUGINNAME) return "a name that is short enough";
  if (cti_plugin_attribute_count(p) > CTI_PLUGIN_ATTRIBUTES) return "fewer attributes";
  if ((p->capability & CT_PLUGIN_ACTUATOR) && !p->force) return "a function force";
  if ((p->capability & CT_PLUGIN_SENSOR) && (!p->sensor_size || !p->sensor))
    return "functions sensor_size and sensor";
  if ((p->capability & CT_PLUGIN_PASSIVE) && !p->passive) return "a function passive";
  if ((p->capability & CT_PLUGIN_SDF) && (!p->distance || !p->bounds)) return "functions distance and bounds";
  if (p->stage < 0 || p->stage >= CT_STAGE_COUNT) return "a stage of ctStage";
  return NULL;
}

static ctStatus find_plugin(const ctiBuild* b, const char* name, const ctiElement* e, ctiBuildPlugin* out) {
  out->kind = cti_plugin_find(name, b->spec->plugins, b->spec->nplugin);
  if (out->kind < 0) return unknown_plugin(b, name, e);
  if (!is_declared(b->spec, name))
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "the plugin \"%s\" is not declared: add <extension><plugin plugin=\"%s\"/>", name,
                          name);
  out->plugin = cti_plugin_at(out->kind, b->spec->plugins);
  const char* lacks = out->kind >= CTI_PLUGIN_COUNT ? missing_function(out->plugin) : NULL;
  return lacks ? cti_spec_error(b->err, CT_ERR_INVALID, e, "the plugin \"%s\" needs %s", name, lacks) : CT_OK;
}

// The values of its attributes, in their order; a key must be one of them.
static ctStatus read_config(ctiBuild* b, const char* config, const ctiElement* e, ctiBuildPlugin* out) {
  const ctPlugin* p = out->plugin;
  int n = cti_plugin_attribute_count(p);
  out->nvalue = n;
  out->values = CTI_NEW_ARRAY(b->region, const char*, n);
  if (!out->values) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) out->values[i] = "";
  for (const char* at = config; at && *at;) {
    const char *value = strchr(at, CTI_CONFIG_VALUE), *end = value ? strchr(value, CTI_CONFIG_END) : NULL;
    if (!end) break;
    const char* key = cti_region_printf(b->region, "%.*s", (int)(value - at), at);
    const char* text = cti_region_printf(b->region, "%.*s", (int)(end - value - 1), value + 1);
    if (!key || !text) return cti_error_memory(b->err);
    int k = cti_plugin_attribute_find(p, key);
    if (k < 0) {
      const char* near = nearest(key, p->attributes, n);
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "the plugin \"%s\" has no attribute \"%s\"%s%s%s",
                            p->name, key, near ? "; did you mean \"" : "", near ? near : "",
                            near ? "\"?" : "");
    }
    out->values[k] = text;
    at = end + 1;
  }
  char why[300];
  const char* wrong = cti_plugin_prepare(out->kind, p, out->values, out->prm, why, sizeof(why));
  return wrong ? cti_spec_error(b->err, CT_ERR_INVALID, e, "plugin \"%s\": %s", p->name, wrong) : CT_OK;
}

static ctStatus add_instance(ctiBuild* b, const ctiPluginUse* use, const ctiElement* e) {
  ctiBuildPlugin* out = &b->plugin[b->sizes.nplugin];
  *out = (ctiBuildPlugin){.at = e};
  CT_TRY(find_plugin(b, use->plugin, e, out));
  CT_TRY(read_config(b, use->config, e, out));
  out->stateadr = b->sizes.npluginstate;
  out->statenum = cti_plugin_state_size(out->kind, out->plugin, out->prm);
  CT_TRY(CTI_GROW(b, npluginstate, out->statenum, e));
  for (int i = 0; i < out->nvalue; i++) CT_TRY(CTI_GROW(b, npluginattr, strlen(out->values[i]) + 1, e));
  return CTI_GROW(b, nplugin, 1, e);
}

static ctStatus check_capability(const ctiBuild* b, int instance, int capability, const ctiElement* e) {
  static const char* const what[] = {[CT_PLUGIN_ACTUATOR] = "actuators",
                                     [CT_PLUGIN_SENSOR] = "sensors",
                                     [CT_PLUGIN_PASSIVE] = "passive forces",
                                     [CT_PLUGIN_SDF] = "shapes"};
  const ctPlugin* p = b->plugin[instance].plugin;
  if (p->capability & capability) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "the plugin \"%s\" does not compute %s", p->name,
                        what[capability]);
}

// The instance of an element, -1 for none: one that has a name, or its own.
static ctStatus resolve_use(ctiBuild* b, const ctiPluginUse* use, int capability, const ctiElement* e,
                            int* out) {
  *out = -1;
  if (!use->plugin && !use->instance) return CT_OK;
  if (!use->instance) {
    *out = b->sizes.nplugin;
    CT_TRY(add_instance(b, use, e));
    return check_capability(b, *out, capability, e);
  }
  *out = cti_names_find(&b->names[CT_OBJ_PLUGIN], use->instance);
  if (*out < 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "there is no plugin instance called \"%s\"",
                          use->instance);
  if (use->plugin && !cti_text_equal(use->plugin, b->plugin[*out].plugin->name))
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "\"%s\" is an instance of \"%s\", not of \"%s\"",
                          use->instance, b->plugin[*out].plugin->name, use->plugin);
  if (use->config)
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "the attributes of an instance are set where it is declared");
  return check_capability(b, *out, capability, e);
}

// What is computed by a plugin says so; with nothing named there is nobody to compute it.
static ctStatus check_named(const ctiBuild* b, const ctiPluginUse* use, const ctiElement* e) {
  if (use->plugin || use->instance) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "needs the attribute \"plugin\" or \"instance\"");
}

ctStatus cti_pass_plugins(ctiBuild* b) {
  const ctSpec* s = b->spec;
  int nmesh = s->meshes.count, nact = s->actuators.count, nsens = s->sensors.count;
  size_t most = (size_t)s->instances.count + (size_t)nmesh + (size_t)nact + (size_t)nsens +
                (size_t)b->sizes.nbody + (size_t)b->sizes.ngeom;
  b->plugin = CTI_NEW_ARRAY(b->region, ctiBuildPlugin, most);
  b->mesh_plugin = CTI_NEW_ARRAY(b->region, int, nmesh);
  b->actuator_plugin = CTI_NEW_ARRAY(b->region, int, nact);
  b->sensor_plugin = CTI_NEW_ARRAY(b->region, int, nsens);
  if (!b->plugin || !b->mesh_plugin || !b->actuator_plugin || !b->sensor_plugin)
    return cti_error_memory(b->err);
  for (int i = 0; i < s->instances.count; i++) {
    const ctiInstance* instance = s->instances.data[i];
    CT_TRY(check_named(b, &instance->use, &instance->head));
    CT_TRY(add_instance(b, &instance->use, &instance->head));
  }
  // the order in which elements are read
  for (int i = 0; i < nmesh; i++)
    CT_TRY(
        resolve_use(b, &s->meshes.data[i]->use, CT_PLUGIN_SDF, &s->meshes.data[i]->head, &b->mesh_plugin[i]));
  for (int i = 0; i < nact; i++) {
    const ctiActuator* a = s->actuators.data[i];
    if (a->head.attrs == &cti_attrs_plugin_actuator) CT_TRY(check_named(b, &a->use, &a->head));
    CT_TRY(resolve_use(b, &a->use, CT_PLUGIN_ACTUATOR, &a->head, &b->actuator_plugin[i]));
  }
  for (int i = 0; i < nsens; i++) {
    const ctiSensor* e = s->sensors.data[i];
    if (e->type == CT_SENS_PLUGIN) CT_TRY(check_named(b, &e->use, &e->head));
    CT_TRY(resolve_use(b, &e->use, CT_PLUGIN_SENSOR, &e->head, &b->sensor_plugin[i]));
  }
  for (int i = 0; i < b->sizes.nbody; i++) {
    ctiBuildBody* body = &b->body[i];
    CT_TRY(resolve_use(b, &body->spec->use, CT_PLUGIN_PASSIVE, &body->spec->head, &body->plugin));
    for (int g = body->geomadr; g < body->geomadr + body->geomnum; g++) {
      const ctiGeom* geom = b->geom[g].spec;
      CT_TRY(resolve_use(b, &geom->use, CT_PLUGIN_SDF, &geom->head, &b->geom[g].plugin));
      if (b->geom[g].plugin >= 0 && geom->type != CT_GEOM_SDF)
        return cti_spec_error(b->err, CT_ERR_INVALID, &geom->head, "a geom with a plugin has type=\"sdf\"");
    }
  }
  return CT_OK;
}

// A geom and its mesh are the same shape: the one that touches and the one that is seen.
ctStatus cti_check_sdf_geom(const ctiBuild* b, const ctiBuildGeom* g) {
  int mesh = b->mesh_plugin[g->mesh];
  const ctiElement* e = &g->spec->head;
  if (g->plugin < 0 && mesh < 0) return CT_OK;
  if (g->plugin < 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "the mesh \"%s\" is the shape of a plugin: the geom needs the same <plugin>",
                          g->spec->mesh);
  if (mesh < 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "the mesh \"%s\" needs the same <plugin> as the geom",
                          g->spec->mesh);
  const ctiBuildPlugin *a = &b->plugin[g->plugin], *c = &b->plugin[mesh];
  if (a->kind == c->kind && memcmp(a->prm, c->prm, sizeof(a->prm)) == 0) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e,
                        "the mesh \"%s\" and the geom have different plugins, or different attributes",
                        g->spec->mesh);
}

static double field_value(const void* context, const double x[3]) {
  const ctiBuildPlugin* p = context;
  const ctReal at[3] = {(ctReal)x[0], (ctReal)x[1], (ctReal)x[2]};
  return (double)cti_sdf_shape(p->kind, p->plugin, p->prm, at);
}

void cti_plugin_surface(const ctiBuildPlugin* p, ctiField* out) {
  ctReal aabb[6];
  cti_sdf_bounds(p->kind, p->plugin, p->prm, aabb);
  *out = (ctiField){.value = field_value, .context = p};
  for (int i = 0; i < 6; i++) out->aabb[i] = (double)aabb[i];
}

ctStatus cti_pass_fill_plugins(ctiBuild* b) {
  ctModel* m = b->m;
  int at = 0;
  m->plugins = b->spec->plugins;
  m->nplugins = b->spec->nplugin;
  for (int i = 0; i < m->nplugin; i++) {
    const ctiBuildPlugin* p = &b->plugin[i];
    m->plugin[i] = p->kind;
    m->plugin_stateadr[i] = p->stateadr;
    m->plugin_statenum[i] = p->statenum;
    m->plugin_attradr[i] = at;
    for (int k = 0; k < p->nvalue; k++) {
      size_t size = strlen(p->values[k]) + 1;
      memcpy(m->plugin_attr + at, p->values[k], size);
      at += (int)size;
    }
    memcpy(m->plugin_prm + CT_NPLUGINPRM * (size_t)i, p->prm, sizeof(p->prm));
    strcpy(m->plugin_kind + CT_NPLUGINNAME * (size_t)i, p->plugin->name);
  }
  for (int i = 0; i < m->nbody; i++) m->body_plugin[i] = b->body[i].plugin;
  for (int i = 0; i < m->ngeom; i++) m->geom_plugin[i] = b->geom[i].plugin;
  for (int i = 0; i < m->nactuator; i++) m->actuator_plugin[i] = b->actuator_plugin[i];
  for (int i = 0; i < m->nsensor; i++) m->sensor_plugin[i] = b->sensor_plugin[i];
  return CT_OK;
}
