// Plugins of a model: the built-in ones, the numbers of an instance, and who computes for it.
#pragma once

#include "base/fn.h"
#include "corten/plugin.h"

// The built-in plugins in MuJoCo's order: X(id, name, capability).
#define CTI_BUILTIN_PLUGINS(X)                      \
  X(PID, "mujoco.pid", ACTUATOR)                    \
  X(TOUCH_GRID, "mujoco.sensor.touch_grid", SENSOR) \
  X(BOLT, "mujoco.sdf.bolt", SDF)                   \
  X(BOWL, "mujoco.sdf.bowl", SDF)                   \
  X(GEAR, "mujoco.sdf.gear", SDF)                   \
  X(NUT, "mujoco.sdf.nut", SDF) X(TORUS, "mujoco.sdf.torus", SDF)
#define X(id, name, capability) CTI_PLUGIN_##id,
enum { CTI_BUILTIN_PLUGINS(X) CTI_PLUGIN_COUNT };
#undef X

// Attributes that a plugin can have at most.
#define CTI_PLUGIN_ATTRIBUTES 256

// Numbers of built-in instances, in plugin_prm.
enum { CTI_PID_KP, CTI_PID_KI, CTI_PID_KD, CTI_PID_IMAX, CTI_PID_SLEW };  // the limits: negative for none
enum {
  CTI_GRID_CHANNELS,
  CTI_GRID_NX,
  CTI_GRID_NY,
  CTI_GRID_FOVX,
  CTI_GRID_FOVY,
  CTI_GRID_GAMMA
};  // radians

// The plugin of the program behind an instance, NULL when it is a built-in one. Host code and step code.
CT_INLINE const ctPlugin* cti_plugin_of(const ctModel* m, int instance) {
  int kind = m->plugin[instance] - CTI_PLUGIN_COUNT;
  return kind >= 0 ? m->plugins[kind] : (const ctPlugin*)0;
}

// ---- host code

// The plugin of a name: a number as m->plugin has it, -1 when there is none.
int cti_plugin_find(const char* name, const ctPlugin* const* plugins, int count);
// A plugin by that number.
const ctPlugin* cti_plugin_at(int kind, const ctPlugin* const* plugins);

// How many attributes it has, and which one a key is; -1 for none.
int cti_plugin_attribute_count(const ctPlugin* p);
int cti_plugin_attribute_find(const ctPlugin* p, const char* key);

// The numbers of an instance from the values of its attributes. NULL, or what is wrong with them, in `why`.
const char* cti_plugin_prepare(int kind, const ctPlugin* p, const char* const* values,
                               ctReal prm[CT_NPLUGINPRM], char* why, size_t size);

// What the numbers of an instance ask for; never negative.
int cti_plugin_state_size(int kind, const ctPlugin* p, const ctReal* prm);
int cti_plugin_activation_size(int kind, const ctPlugin* p, const ctReal* prm);
int64_t cti_plugin_sensor_size(int kind, const ctPlugin* p, const ctReal* prm);
int cti_plugin_stage(int kind, const ctPlugin* p);

// After a model was read from a file: find its plugins, and their numbers where the file has none. NULL, or
// the name of a plugin or a sentence that says what is wrong, in `why`.
const char* cti_plugin_resolve(ctModel* m, const ctPlugin* const* plugins, int count, char* why, size_t size);
