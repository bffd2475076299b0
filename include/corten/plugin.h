/// @file
/// Plugins: what a model file calls `<plugin>`, and a program computes.
///
/// A plugin is a table of functions, handed to the load options of the models that may use it: there is no
/// registry, and no library is opened by a name in a model. Those that come with MuJoCo are built in:
/// `mujoco.pid`, `mujoco.sensor.touch_grid`, `mujoco.sdf.bolt`, `bowl`, `gear`, `nut` and `torus`.
///
/// An instance has numbers (`prm`), worked out from its attributes once, when the model is loaded, and a
/// state in `d->plugin_state`. It has no memory besides, so that states are saved and restored, data copied
/// and batches run in threads without a plugin noticing. Functions are called inside a step, from every
/// thread that steps with the model; they must not allocate, block, or write what others may read.
#pragma once

#include "corten/data.h"
#include "corten/vfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a plugin can do: bits of ctPlugin.capability.
typedef enum ctPluginCapability {
  CT_PLUGIN_ACTUATOR = 1,  ///< forces of `<actuator><plugin>`
  CT_PLUGIN_SENSOR = 2,    ///< numbers of `<sensor><plugin>`
  CT_PLUGIN_PASSIVE = 4,   ///< passive forces, for a `<body>` with a `<plugin>` inside
  CT_PLUGIN_SDF = 8        ///< a shape, for meshes and geoms of type sdf with a `<plugin>` inside
} ctPluginCapability;

/// A kind of plugin. Zero-initialise it; functions that it does not need stay NULL. `prm` are the
/// CT_NPLUGINPRM numbers of the instance (m->plugin_prm), `p` is the plugin itself.
typedef struct ctPlugin {
  const char* name;               ///< as `plugin="..."` names it; shorter than CT_NPLUGINNAME
  int capability;                 ///< bits of ctPluginCapability
  const char* const* attributes;  ///< keys of `<config>`, ended by NULL; NULL: there are none
  void* context;                  ///< the program's

  /// Work out the numbers of an instance. `values` are those of `attributes`, in their order, "" where
  /// nothing is said; `prm` is zero. A failure is CT_ERR_INVALID with a sentence in `why`: it ends loading,
  /// at the element. NULL: each value is a number, 0 where nothing is said.
  ctStatus (*prepare)(const struct ctPlugin* p, const char* const* values, ctReal* prm, char* why,
                      size_t why_size);

  /// How many state variables an instance has. NULL: none.
  int (*state_size)(const struct ctPlugin* p, const ctReal* prm);
  /// The state after a reset. NULL: zero.
  void (*reset)(const struct ctPlugin* p, const ctReal* prm, ctReal* state);
  /// The state after a step: called at its end, once for each instance. NULL: it stays.
  void (*advance)(const struct ctPlugin* p, const ctModel* m, ctData* d, int instance);

  /// How many activations of an actuator are the plugin's: they come before the one of its dyntype. NULL:
  /// none.
  int (*activation_size)(const struct ctPlugin* p, const ctReal* prm);
  /// Write the rates of those activations; `act_dot` is the first. NULL: zero.
  void (*activation_rate)(const struct ctPlugin* p, const ctModel* m, const ctData* d, int instance,
                          int actuator, ctReal* act_dot);
  /// Force of an actuator, before its limits. Needed with CT_PLUGIN_ACTUATOR.
  ctReal (*force)(const struct ctPlugin* p, const ctModel* m, const ctData* d, int instance, int actuator);

  int stage;  ///< of its sensors: a ctStage, after which everything that they may read is there
  /// How many numbers a sensor has. Needed with CT_PLUGIN_SENSOR.
  int (*sensor_size)(const struct ctPlugin* p, const ctReal* prm);
  /// Write them. Needed with CT_PLUGIN_SENSOR.
  void (*sensor)(const struct ctPlugin* p, const ctModel* m, const ctData* d, int instance, int sensor,
                 ctReal* out);

  /// Add the passive forces of a body to d->qfrc_passive. Needed with CT_PLUGIN_PASSIVE.
  void (*passive)(const struct ctPlugin* p, const ctModel* m, ctData* d, int instance, int body);

  /// Signed distance of a point in the frame of the shape, negative inside. Needed with CT_PLUGIN_SDF.
  ctReal (*distance)(const struct ctPlugin* p, const ctReal* prm, const ctReal x[3]);
  /// Its gradient. NULL: by differences.
  void (*gradient)(const struct ctPlugin* p, const ctReal* prm, const ctReal x[3], ctReal out[3]);
  /// Box around the shape: centre, half sizes; the surface that is drawn is looked for inside. Needed with
  /// CT_PLUGIN_SDF.
  void (*bounds)(const struct ctPlugin* p, const ctReal* prm, ctReal aabb[6]);
} ctPlugin;

/// A reader of mesh files in a format that the engine does not know: it turns them into one that it does.
typedef struct ctDecoder {
  const char* extension;  ///< of the files, without the dot; NULL: they are known by their content type alone
  /// Of the files, as `content_type="..."` of a mesh says it; NULL: they are known by their extension alone
  const char* content_type;
  const char* result;  ///< what comes out: "model/obj" or "model/stl"
  void* context;       ///< the program's
  /// Turn the bytes of the file `name` into those of the result. A failure is CT_ERR_SYNTAX, or another
  /// status, with a sentence in `why`: it ends loading, at the mesh.
  ctStatus (*decode)(const struct ctDecoder* decoder, const char* name, const void* data, size_t size,
                     ctBytes* out, char* why, size_t why_size);
} ctDecoder;

/// A shared library with plugins. It has a function that lists them,
///
///     CT_PLUGIN_EXPORT const ctPlugin* const* CT_PLUGIN_ENTRY(int* count)
///
/// compiled with the precision of the engine that opens it.
typedef struct ctPluginLibrary ctPluginLibrary;

#ifdef CT_SINGLE
#define CT_PLUGIN_ENTRY corten_plugins_single
#else
#define CT_PLUGIN_ENTRY corten_plugins
#endif
#ifdef __cplusplus
#define CT_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define CT_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/// Open a library of plugins. Its code runs in the program: open only what you trust.
///
/// @param out   receives the library; release it with ct_plugin_library_close(). NULL on failure
/// @param path  file name, as for dlopen(): with a '/' in it, else it is looked for where libraries are; not
/// NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_NOT_FOUND (it cannot be opened), CT_ERR_INVALID (it lists no
/// plugins, or
///         has another precision) or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_plugin_library_open(ctPluginLibrary** out, const char* path, ctError* err);

/// Its plugins, for the load options; valid until the library is closed. NULL and 0 for NULL. Thread-safe.
CT_API const ctPlugin* const* ct_plugin_library_list(const ctPluginLibrary* library, int* count);

/// Close a library. Every model that uses its plugins must have been freed before. NULL is ignored.
CT_API void ct_plugin_library_close(ctPluginLibrary* library);

/// The built-in plugins, in MuJoCo's order; NULL out of range. Only their names, capabilities and attributes
/// are filled in. Static. Thread-safe.
CT_API const ctPlugin* ct_plugin_builtin(int i);

/// Value of an attribute of an instance; "" when nothing was said, NULL when the instance or the attribute is
/// not there. The text belongs to the model. Thread-safe.
CT_API const char* ct_plugin_attribute(const ctModel* m, int instance, const char* key);

#ifdef __cplusplus
}
#endif
