#include "model/plugin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

// ---- the built-in ones

static const char* const pid_keys[] = {"kp", "ki", "kd", "imax", "slewmax", NULL};
static const char* const grid_keys[] = {"nchannel", "size", "fov", "gamma", NULL};
static const char* const screw_keys[] = {"radius", NULL};
static const char* const bowl_keys[] = {"height", "radius", "thickness", NULL};
static const char* const gear_keys[] = {"alpha", "diameter", "teeth", "thickness", "innerdiameter", NULL};
static const char* const torus_keys[] = {"radius1", "radius2", NULL};

static const ctPlugin builtins[CTI_PLUGIN_COUNT] = {
#define X(id, text, can) \
  [CTI_PLUGIN_##id] = {.name = text, .capability = CT_PLUGIN_##can, .attributes = KEYS_##id},
#define KEYS_PID        pid_keys
#define KEYS_TOUCH_GRID grid_keys
#define KEYS_BOLT       screw_keys
#define KEYS_BOWL       bowl_keys
#define KEYS_GEAR       gear_keys
#define KEYS_NUT        screw_keys
#define KEYS_TORUS      torus_keys
    CTI_BUILTIN_PLUGINS(X)
#undef X
};

const ctPlugin* ct_plugin_builtin(int i) {
  return i >= 0 && i < CTI_PLUGIN_COUNT ? &builtins[i] : NULL;
}

int cti_plugin_find(const char* name, const ctPlugin* const* plugins, int count) {
  for (int i = count - 1; i >= 0; i--) {
    if (plugins[i] && plugins[i]->name && strcmp(plugins[i]->name, name) == 0) return CTI_PLUGIN_COUNT + i;
  }
  for (int i = 0; i < CTI_PLUGIN_COUNT; i++) {
    if (strcmp(builtins[i].name, name) == 0) return i;
  }
  return -1;
}

const ctPlugin* cti_plugin_at(int kind, const ctPlugin* const* plugins) {
  return kind < CTI_PLUGIN_COUNT ? &builtins[kind] : plugins[kind - CTI_PLUGIN_COUNT];
}

int cti_plugin_attribute_count(const ctPlugin* p) {
  int n = 0;
  while (p->attributes && p->attributes[n]) n++;
  return n;
}

int cti_plugin_attribute_find(const ctPlugin* p, const char* key) {
  for (int i = 0; p->attributes && p->attributes[i]; i++) {
    if (strcmp(p->attributes[i], key) == 0) return i;
  }
  return -1;
}

const char* ct_plugin_attribute(const ctModel* m, int instance, const char* key) {
  if (!m || !key || instance < 0 || instance >= m->nplugin) return NULL;
  int i = cti_plugin_attribute_find(cti_plugin_at(m->plugin[instance], m->plugins), key);
  if (i < 0) return NULL;
  const char* text = m->plugin_attr + m->plugin_attradr[instance];
  while (i-- > 0) text += strlen(text) + 1;
  return text;
}

// ---- numbers of instances

// What is wrong, printed into the caller's buffer.
typedef struct Complaint {
  char* text;
  size_t size;
} Complaint;

#define COMPLAIN(c, ...) (snprintf((c)->text, (c)->size, __VA_ARGS__), (c)->text)

// Up to `most` numbers of a value, separated by blanks; returns how many, -1 when they are none.
static int read_numbers(double* out, int most, const char* value) {
  int n = 0;
  for (const char* at = value;;) {
    at += strspn(at, " \t\r\n");
    if (!*at) return n;
    size_t length = strcspn(at, " \t\r\n");
    if (n == most || cti_parse_real(at, at + length, &out[n++]) != CTI_NUMBER_OK) return -1;
    at += length;
  }
}

// One number for each attribute, `otherwise` where nothing is said.
static const char* read_each(const ctPlugin* p, const char* const* values, const double* otherwise,
                             ctReal* prm, Complaint* c) {
  int n = cti_plugin_attribute_count(p);
  if (n > CT_NPLUGINPRM)
    return COMPLAIN(c, "the plugin has %d attributes: with more than %d it needs a function prepare", n,
                    CT_NPLUGINPRM);
  for (int i = 0; i < n; i++) {
    double x = otherwise ? otherwise[i] : 0;
    int count = read_numbers(&x, 1, values[i]);
    if (count < 0) return COMPLAIN(c, "%s: \"%s\" is not a number", p->attributes[i], values[i]);
    prm[i] = (ctReal)x;
  }
  return NULL;
}

// The largest integral of the error is the largest force it may make, over its gain.
static const char* prepare_pid(const ctPlugin* p, const char* const* values, ctReal* prm, Complaint* c) {
  static const double none[] = {0, 0, 0, -1, -1};
  const char* wrong = read_each(p, values, none, prm, c);
  if (wrong) return wrong;
  bool limited = values[CTI_PID_IMAX][0] != 0, slew = values[CTI_PID_SLEW][0] != 0;
  if (limited && prm[CTI_PID_KI] != 0) prm[CTI_PID_IMAX] /= prm[CTI_PID_KI];
  if (limited && prm[CTI_PID_IMAX] < 0) return COMPLAIN(c, "imax / ki must not be negative");
  if (!limited || prm[CTI_PID_KI] == 0) prm[CTI_PID_IMAX] = -1;
  if (slew && prm[CTI_PID_SLEW] < 0) return COMPLAIN(c, "slewmax must not be negative");
  return NULL;
}

#define DEGREE 0.01745329251994329577

static const char* prepare_grid(const char* const* values, ctReal* prm, Complaint* c) {
  double channels = 1, size[2], fov[2], gamma = 0;
  const double most = 1 << 15;
  if (read_numbers(&channels, 1, values[0]) < 0 || !(channels >= 1 && channels <= 6) ||
      channels != floor(channels))
    return COMPLAIN(c, "nchannel must be 1 to 6, not \"%s\"", values[0]);
  if (read_numbers(size, 2, values[1]) != 2 || size[0] != floor(size[0]) || size[1] != floor(size[1]) ||
      !(size[0] >= 1 && size[1] >= 1 && size[0] <= most && size[1] <= most))
    return COMPLAIN(c, "size must be the numbers of columns and rows, such as \"8 8\", not \"%s\"",
                    values[1]);
  if (read_numbers(fov, 2, values[2]) != 2 || !(fov[0] > 0 && fov[0] <= 180 && fov[1] > 0 && fov[1] <= 90))
    return COMPLAIN(c, "fov must be two angles in degrees, up to 180 across and 90 upwards, not \"%s\"",
                    values[2]);
  if (read_numbers(&gamma, 1, values[3]) < 0 || !(gamma >= 0 && gamma <= 1))
    return COMPLAIN(c, "gamma must be 0 to 1, not \"%s\"", values[3]);
  prm[CTI_GRID_CHANNELS] = (ctReal)channels;
  prm[CTI_GRID_NX] = (ctReal)size[0];
  prm[CTI_GRID_NY] = (ctReal)size[1];
  prm[CTI_GRID_FOVX] = (ctReal)(fov[0] * DEGREE);
  prm[CTI_GRID_FOVY] = (ctReal)(fov[1] * DEGREE);
  prm[CTI_GRID_GAMMA] = (ctReal)gamma;
  return NULL;
}

// Sizes by which a shape has an inside.
static const char* prepare_shape(int kind, const ctPlugin* p, const char* const* values, ctReal* prm,
                                 Complaint* c) {
  static const double screw[] = {0.26}, bowl[] = {0.4, 1, 0.02}, gear[] = {0, 2.8, 25, 0.2, -1},
                      torus[] = {0.35, 0.15};
  const double* otherwise[CTI_PLUGIN_COUNT] = {[CTI_PLUGIN_BOLT] = screw,
                                               [CTI_PLUGIN_NUT] = screw,
                                               [CTI_PLUGIN_BOWL] = bowl,
                                               [CTI_PLUGIN_GEAR] = gear,
                                               [CTI_PLUGIN_TORUS] = torus};
  const char* wrong = read_each(p, values, otherwise[kind], prm, c);
  if (wrong) return wrong;
  for (int i = 0; p->attributes[i]; i++) {
    bool free_sign = kind == CTI_PLUGIN_GEAR && (i == 0 || i == 4);
    if (!free_sign && !(prm[i] > 0)) return COMPLAIN(c, "%s must be positive", p->attributes[i]);
  }
  if (kind == CTI_PLUGIN_BOWL && !(prm[0] < prm[1])) return COMPLAIN(c, "height must be below radius");
  return NULL;
}

const char* cti_plugin_prepare(int kind, const ctPlugin* p, const char* const* values,
                               ctReal prm[CT_NPLUGINPRM], char* why, size_t size) {
  Complaint c = {why, size};
  memset(prm, 0, CT_NPLUGINPRM * sizeof(prm[0]));
  why[0] = 0;
  const char* wrong = NULL;
  if (kind == CTI_PLUGIN_PID) {
    wrong = prepare_pid(p, values, prm, &c);
  } else if (kind == CTI_PLUGIN_TOUCH_GRID) {
    wrong = prepare_grid(values, prm, &c);
  } else if (kind < CTI_PLUGIN_COUNT) {
    wrong = prepare_shape(kind, p, values, prm, &c);
  } else if (!p->prepare) {
    wrong = read_each(p, values, NULL, prm, &c);
  } else if (p->prepare(p, values, prm, why, size) != CT_OK) {
    wrong = why[0] ? why : COMPLAIN(&c, "the plugin refuses its attributes");
  }
  for (int i = 0; !wrong && i < CT_NPLUGINPRM; i++) {
    if (!isfinite(prm[i])) wrong = COMPLAIN(&c, "the plugin makes number %d of its attributes not finite", i);
  }
  return wrong;
}

static int not_negative(int n) {
  return n > 0 ? n : 0;
}

int cti_plugin_state_size(int kind, const ctPlugin* p, const ctReal* prm) {
  return kind >= CTI_PLUGIN_COUNT && p->state_size ? not_negative(p->state_size(p, prm)) : 0;
}

int cti_plugin_activation_size(int kind, const ctPlugin* p, const ctReal* prm) {
  if (kind == CTI_PLUGIN_PID) return (prm[CTI_PID_KI] != 0) + (prm[CTI_PID_SLEW] >= 0);
  return kind >= CTI_PLUGIN_COUNT && p->activation_size ? not_negative(p->activation_size(p, prm)) : 0;
}

int64_t cti_plugin_sensor_size(int kind, const ctPlugin* p, const ctReal* prm) {
  if (kind == CTI_PLUGIN_TOUCH_GRID)
    return (int64_t)prm[CTI_GRID_CHANNELS] * (int64_t)prm[CTI_GRID_NX] * (int64_t)prm[CTI_GRID_NY];
  return kind >= CTI_PLUGIN_COUNT && p->sensor_size ? not_negative(p->sensor_size(p, prm)) : 0;
}

int cti_plugin_stage(int kind, const ctPlugin* p) {
  return kind == CTI_PLUGIN_TOUCH_GRID ? CT_STAGE_ACC : p->stage;
}

// ---- models from files

// A file of MuJoCo's has the number of a plugin and no name.
static const char* resolve_one(ctModel* m, int i, const ctPlugin* const* plugins, int count, char* why,
                               size_t size) {
  char* name = m->plugin_kind + CT_NPLUGINNAME * (size_t)i;
  name[CT_NPLUGINNAME - 1] = 0;
  if (!name[0] && m->plugin[i] >= 0 && m->plugin[i] < CTI_PLUGIN_COUNT)
    strcpy(name, builtins[m->plugin[i]].name);
  int kind = name[0] ? cti_plugin_find(name, plugins, count) : -1;
  if (kind < 0) {
    snprintf(why, size,
             "it uses the plugin \"%s\", which is not built in: hand its library to the loader (plugins of "
             "the load options; --plugins FILE)",
             name[0] ? name : "(unnamed)");
    return why;
  }
  const ctPlugin* p = cti_plugin_at(kind, plugins);
  const char *values[CTI_PLUGIN_ATTRIBUTES], *end = m->plugin_attr + m->npluginattr;
  int n = cti_plugin_attribute_count(p), limit = CT_COUNT_OF(values);
  const char* text = m->plugin_attr + m->plugin_attradr[i];
  for (int k = 0; k < n; k++) {
    const char* stop = text < end && k < limit ? memchr(text, 0, (size_t)(end - text)) : NULL;
    if (!stop) {
      snprintf(why, size, "field plugin_attr has fewer attributes than the plugin \"%s\"", name);
      return why;
    }
    values[k] = text;
    text = stop + 1;
  }
  m->plugin[i] = kind;
  ctReal* prm = m->plugin_prm + CT_NPLUGINPRM * (size_t)i;
  const char* wrong = cti_plugin_prepare(kind, p, values, prm, why, size);
  if (!wrong && m->plugin_statenum[i] != cti_plugin_state_size(kind, p, prm)) {
    snprintf(why, size, "the plugin \"%s\" has another number of state variables now", name);
    return why;
  }
  return wrong;
}

const char* cti_plugin_resolve(ctModel* m, const ctPlugin* const* plugins, int count, char* why,
                               size_t size) {
  m->plugins = plugins;
  m->nplugins = count;
  for (int i = 0; i < m->nplugin; i++) {
    const char* wrong = resolve_one(m, i, plugins, count, why, size);
    if (wrong) return wrong;
  }
  return NULL;
}
