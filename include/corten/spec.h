/// @file
/// The editable model: read from a file or built by code, changed at will, compiled as often as one likes.
///
/// A spec is a tree of elements, with the names and attributes of MJCF: everything the XML can say, code can
/// build, through the same tables. Attributes are set and read as the text that would stand in the file, or
/// as numbers.
///
///   ctSpec* spec;
///   ctElement* body;
///   ct_spec_create(&spec, NULL, &err);
///   const char* at[] = {"name", "ball", "pos", "0 0 1", NULL};
///   ct_spec_add(&body, spec, ct_spec_world(spec), "body", at, &err);
///   ct_spec_add(NULL, spec, body, "freejoint", NULL, &err);
///   const char* round[] = {"size", "0.1", NULL};
///   ct_spec_add(NULL, spec, body, "geom", round, &err);
///   ct_model_compile(&model, spec, &err);
///
/// Default classes work as in a file: an element takes over the values of its class when it is made. A call
/// that fails leaves the spec as it was, but for CT_ERR_MEMORY and CT_ERR_LIMIT after ct_spec_attach(): that
/// spec is only good to be freed. A spec and its elements belong to one thread at a time.
#pragma once

#include "corten/data.h"
#include "corten/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model before compilation. Opaque; belongs to one thread at a time.
typedef struct ctSpec ctSpec;

/// An element of a spec: a body, a geom, a sensor, ... Opaque. It belongs to its spec and is valid until it
/// is removed or the spec is freed; one that was removed must not be used again.
typedef struct ctElement ctElement;

// ---- life

/// An empty spec: a world without bodies.
/// @param out  receives the spec; release it with ct_spec_free(). NULL on failure
/// @param opt  may be NULL; allocator and log are taken over; a vfs is borrowed and must outlive the spec,
///             the specs it is attached to, and their copies
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
CT_API ctStatus ct_spec_create(ctSpec** out, const ctLoadOptions* opt, ctError* err);

/// Read a model file without compiling it. Parameters and statuses as for ct_model_load().
CT_API ctStatus ct_spec_load(ctSpec** out, const char* path, const ctLoadOptions* opt, ctError* err);

/// The same from text in memory, as ct_model_load_string().
CT_API ctStatus ct_spec_load_string(ctSpec** out, const char* text, size_t len, const ctLoadOptions* opt,
                                    ctError* err);

/// The spec of a compiled model, for editing or writing one that came without its source. Compiled again it
/// gives the same model: the same objects in the same order with the same numbers, but for what single
/// precision has taken from meshes. Every number is said explicitly; classes, frames and shortcuts of
/// actuators are gone.
///
/// @param out    receives the spec; release it with ct_spec_free(). NULL on failure
/// @param m      only read; its allocator is used. Not NULL
/// @param files  receives what MJCF text has no place for: pictures of textures (PNG), and meshes whose
///               normals or texture coordinates have numbers of their own (OBJ). The spec borrows it: it must
///               outlive the spec. May be NULL; a model that needs files is CT_ERR_UNSUPPORTED then
/// @param log    receives remarks on what does not come back as it was; for that the spec is compiled. May be
///               NULL. The spec keeps it
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_UNSUPPORTED (the message names the object that MJCF has no words
///         for), CT_ERR_INVALID (a name in `files` is taken) or CT_ERR_MEMORY; `files` may hold some then
/// @note Thread-safe while nobody writes to `m` or uses `files`.
CT_API ctStatus ct_spec_from_model(ctSpec** out, const ctModel* m, ctVfs* files, const ctLog* log,
                                   ctError* err);

/// A copy that shares nothing with the original.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
CT_API ctStatus ct_spec_copy(ctSpec** out, const ctSpec* spec, ctError* err);

/// Where remarks go from now on: what reading, editing and compiling has to say about a model that works. The
/// log is copied, its context borrowed. NULL: nowhere, as in a copy of a spec.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_spec_set_log(ctSpec* spec, const ctLog* log);

/// Where files are looked for first from now on, as the vfs of the load options: those of the spec itself,
/// and of parts that were attached from specs without one. It is borrowed until it is set again or the spec
/// is freed. NULL: only on the disk.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_spec_set_vfs(ctSpec* spec, const ctVfs* vfs);

/// Release a spec and everything in it. NULL is allowed.
CT_API void ct_spec_free(ctSpec* spec);

/// Compile a spec into an immutable model.
///
/// The spec is only read and may be compiled again. On failure `*out` is NULL and `err` names the
/// element at fault.
///
/// @param out   receives the model; release it with ct_model_free()
/// @param spec  not NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID, CT_ERR_UNSUPPORTED, CT_ERR_NOT_FOUND or CT_ERR_MEMORY
CT_API ctStatus ct_model_compile(ctModel** out, const ctSpec* spec, ctError* err);

/// Compile again and carry the state over: what has a name, and the same kind and size as before, keeps its
/// numbers (qpos, qvel and warm start of joints, activations and controls of actuators, poses of mocap
/// bodies, active equalities), and so does the time. The rest starts as after ct_data_reset().
///
/// @param model  the old model, replaced by the new one; the old is freed. Not NULL
/// @param data   a data of the old model, replaced likewise. Not NULL
/// @return as ct_model_compile(); on failure both stay as they are
CT_API ctStatus ct_model_recompile(ctModel** model, ctData** data, const ctSpec* spec, ctError* err);

/// The spec as MJCF text that reads back to the same model. What was attached, included or replicated is
/// written out; elements say what differs from their default class. Parts that were attached from models with
/// other compiler settings are rewritten to mean the same under one.
///
/// @param folder  where the text will stand: files are named as seen from there ("" is the current folder).
///                NULL: where the spec was read from
/// @param buffer  receives as much as fits, zero-terminated; may be NULL when `size` is 0
/// @param length  receives the length of the whole text, without the zero byte; may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY, CT_ERR_UNSUPPORTED (a part that cannot be said under the
///         common settings), or what ct_model_compile() returns where its numbers are needed
CT_API ctStatus ct_spec_save_string(const ctSpec* spec, const char* folder, char* buffer, size_t size,
                                    size_t* length, ctError* err);

/// The same to a file, with file names as seen from its folder.
/// @return as ct_spec_save_string(), and CT_ERR_IO
CT_API ctStatus ct_spec_save(const ctSpec* spec, const char* path, ctError* err);

/// A compiled model as an MJCF file: the spec that ct_spec_from_model() gives. Files it needs are written
/// beside it, their names begin with that of the file: robot.xml, robot_texture0_grid.png.
///
/// @param m     only read, not NULL
/// @param path  not NULL
/// @param log   as in ct_spec_from_model()
/// @return as ct_spec_from_model() and ct_spec_save_string(), and CT_ERR_IO
/// @note Thread-safe while nobody writes to `m`.
CT_API ctStatus ct_model_save_mjcf(const ctModel* m, const char* path, const ctLog* log, ctError* err);

// ---- the tree

/// The world: the body everything stands in. It has no attributes. NULL for NULL.
CT_API ctElement* ct_spec_world(ctSpec* spec);

/// Add an element.
///
/// @param out     receives the element, may be NULL. Elements that are instructions (attach, layer) give NULL
/// @param spec    not NULL
/// @param parent  where it stands: a body or a frame for what stands in the body tree; a tendon for the
///                stations of its path; a tuple or a material for its parts; NULL for what stands in a
///                section
/// @param tag     "geom", "body", "frame", ...; in a section "actuator/motor", "sensor/jointpos",
///                "asset/mesh", "keyframe/key", ...
/// @param attrs   names and values in turn, ended by NULL: {"type", "box", "size", "1 1 1", NULL}. May be
///                NULL. The attribute "class" chooses the default class; otherwise it is that of the bodies
///                and frames around
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID, CT_ERR_UNSUPPORTED or CT_ERR_MEMORY
CT_API ctStatus ct_spec_add(ctElement** out, ctSpec* spec, ctElement* parent, const char* tag,
                            const char* const* attrs, ctError* err);

/// Add one element given as MJCF text, with everything inside it: "<body><geom size='1'/></body>" into a body
/// or frame, or with `parent` NULL a section: "<asset>...</asset>", "<default>...</default>". <replicate> and
/// <attach> work.
///
/// @param out  receives the first element made, NULL when there is none; may be NULL
/// @return as ct_spec_add(), and CT_ERR_SYNTAX
CT_API ctStatus ct_spec_add_xml(ctElement** out, ctSpec* spec, ctElement* parent, const char* text,
                                size_t len, ctError* err);

/// Remove an element, everything inside it, and everything that refers to any of it (sensors, actuators,
/// tendons, equalities, pairs, excludes, tuples). What uses an asset that is removed stays, and must be
/// changed before the next compilation.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, the world) or CT_ERR_MEMORY
CT_API ctStatus ct_spec_remove(ctSpec* spec, ctElement* element, ctError* err);

/// Put an element of a section (an asset, actuator, sensor, ...) to another place among those of its kind:
/// that is its number in the compiled model.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (it stands in no section, or there is no such place)
CT_API ctStatus ct_spec_move(ctSpec* spec, ctElement* element, int place, ctError* err);

/// Remove an element and everything inside it. What refers to any of it stays, and must be changed or removed
/// before the next compilation.
/// @return as ct_spec_remove()
CT_API ctStatus ct_spec_remove_alone(ctSpec* spec, ctElement* element, ctError* err);

/// Put an element of a body into a frame of the same body, or out of its frame. It moves along with the frame
/// then; its own place is not changed.
/// @param frame  NULL: directly in the body
/// @return CT_OK; CT_ERR_ARGUMENT (NULL); CT_ERR_INVALID when it cannot stand there: `frame` is in
/// another body, or `element` is a frame that is older than `frame`, or is in no body
CT_API ctStatus ct_element_set_frame(ctElement* element, ctElement* frame, ctError* err);

/// The element of a kind with a name, NULL when there is none. CT_OBJ_FRAME finds frames.
CT_API ctElement* ct_spec_find(const ctSpec* spec, ctObjType type, const char* name);

/// All elements of a kind, in the order they have in the compiled model; at most `max` of them are written to
/// `out`, which may be NULL. Returns how many there are, -1 when memory runs out.
CT_API int ct_spec_list(const ctSpec* spec, ctObjType type, ctElement** out, int max);

/// What stands directly in a body, frame, tendon or tuple, by kind: frames, inertial, joints, geoms, sites,
/// cameras, lights, bodies. Counts and writes as ct_spec_list().
CT_API int ct_element_children(const ctElement* element, ctElement** out, int max);

/// The frame or body an element stands in; NULL for the world and in sections.
CT_API ctElement* ct_element_parent(const ctElement* element);

/// As in the file: "geom", "motor". Never NULL.
CT_API const char* ct_element_tag(const ctElement* element);

/// NULL when it has none. The text lives as long as the spec.
CT_API const char* ct_element_name(const ctElement* element);

/// The kind of object it becomes; CT_OBJ_UNKNOWN for parts of others.
CT_API ctObjType ct_element_type(const ctElement* element);

// ---- attributes

/// How the value of an attribute is made.
typedef enum ctAttrKind {
  CT_ATTR_TEXT,     ///< a name, a file, free text
  CT_ATTR_KEYWORD,  ///< words of a list
  CT_ATTR_BOOL,     ///< true or false
  CT_ATTR_INT,      ///< whole numbers
  CT_ATTR_REAL      ///< numbers
} ctAttrKind;

/// An attribute of an element.
typedef struct ctAttr {
  const char* name;  ///< as in the file
  ctAttrKind kind;   ///< how its value is made
  int min;           ///< least count of numbers
  int max;           ///< largest count of numbers; 0: any
} ctAttr;

/// How many attributes an element has; 0 for NULL.
CT_API int ct_element_attr_count(const ctElement* element);

/// The i-th attribute of an element, into `out`.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, out of range)
CT_API ctStatus ct_element_attr(const ctElement* element, int i, ctAttr* out);

/// Set an attribute from text, as it would stand in the file. Of attributes that exclude each other the last
/// one set counts. A name is taken away with "".
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (unknown attribute, bad value) or CT_ERR_MEMORY
CT_API ctStatus ct_element_set(ctSpec* spec, ctElement* element, const char* name, const char* text,
                               ctError* err);

/// Set an attribute from numbers.
CT_API ctStatus ct_element_set_reals(ctSpec* spec, ctElement* element, const char* name, const double* values,
                                     int count, ctError* err);

/// The value of an attribute as text, "" when nothing is said. As much as fits is written to `buffer`
/// (zero-terminated, may be NULL when `size` is 0); `length` receives the full length without the zero byte
/// and may be NULL.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (no such attribute)
CT_API ctStatus ct_element_get(const ctElement* element, const char* name, char* buffer, size_t size,
                               size_t* length, ctError* err);

/// The value of an attribute that is made of numbers: at most `max` are written to `out`; `count` receives
/// how many there are, 0 when nothing is said.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (no such attribute, not numbers)
CT_API ctStatus ct_element_get_reals(const ctElement* element, const char* name, double* out, int max,
                                     int* count, ctError* err);

/// Let a plugin compute for a body, geom, mesh or actuator; or give an instance (an element of kind
/// CT_OBJ_PLUGIN), or a sensor of kind "plugin", its values. An actuator is written as <actuator/plugin>,
/// which has no gain and bias.
///
/// @param plugin    its name; NULL with an instance. Both NULL: no plugin any more
/// @param instance  the name of the instance that computes; NULL: one of its own
/// @param config    names and values of the plugin's attributes in turn, NULL last; NULL: none
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (the element has no place for a plugin) or CT_ERR_MEMORY
CT_API ctStatus ct_element_set_plugin(ctSpec* spec, ctElement* element, const char* plugin,
                                      const char* instance, const char* const* config, ctError* err);

/// What ct_element_set_plugin() or a file has said. The texts belong to the spec; NULL where nothing is said.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (no place for a plugin)
CT_API ctStatus ct_element_get_plugin(const ctElement* element, const char** plugin, const char** instance,
                                      ctError* err);

/// Attribute `i` of an element's plugin, in the order they were said. Texts as for ct_element_get(): at most
/// `size` characters each, the end of the string among them.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (there are no more, or they are longer)
CT_API ctStatus ct_element_get_config(const ctElement* element, int i, char* name, char* value, size_t size,
                                      ctError* err);

// ---- settings and default classes

/// Set an attribute of a section that is a setting: "compiler", "compiler/lengthrange", "option",
/// "option/flag", "size", "statistic", "visual/global", "visual/map", ..., and "mujoco" for the name of the
/// model. Parameters and statuses as for ct_element_set().
CT_API ctStatus ct_spec_set(ctSpec* spec, const char* section, const char* name, const char* text,
                            ctError* err);

/// The value of a setting as text; parameters and statuses as for ct_element_get().
CT_API ctStatus ct_spec_get(const ctSpec* spec, const char* section, const char* name, char* buffer,
                            size_t size, size_t* length, ctError* err);

/// Whether a setting was said, by a file or by ct_spec_set(), rather than left at its default.
/// @return false also for what is no setting, and for those of "mujoco" and "compiler/lengthrange"
CT_API bool ct_spec_is_set(const ctSpec* spec, const char* section, const char* name);

/// Add a default class that starts as a copy of its parent (NULL: "main").
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (the name is taken, no such parent) or CT_ERR_MEMORY
CT_API ctStatus ct_spec_add_class(ctSpec* spec, const char* name, const char* parent, ctError* err);

/// Remove a default class and those inside it. What has been made with one keeps its values, and belongs to
/// the class around it from then on.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (no such class, or "main") or CT_ERR_MEMORY
CT_API ctStatus ct_spec_remove_class(ctSpec* spec, const char* name, ctError* err);

/// Say that an element belongs to another default class. Its values stay as they are: what differs from the
/// class is written.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (no such class, or elements of its kind have none)
CT_API ctStatus ct_element_set_class(ctSpec* spec, ctElement* element, const char* name, ctError* err);

/// Set what a default class says for a kind of element ("geom", "motor", "equality", ...). `class_name` NULL
/// is "main". It holds for elements and classes made afterwards.
CT_API ctStatus ct_spec_set_default(ctSpec* spec, const char* class_name, const char* tag, const char* name,
                                    const char* text, ctError* err);

/// What a default class says, as text; parameters and statuses as for ct_element_get(). Of the words of an
/// actuator, such as kp, those are read that a class has said.
CT_API ctStatus ct_spec_get_default(const ctSpec* spec, const char* class_name, const char* tag,
                                    const char* name, char* buffer, size_t size, size_t* length,
                                    ctError* err);

// ---- simplification

/// Fuse static bodies with their parents: a body without joints becomes a frame, and its inertia is added to
/// that of the parent. Bodies that would change the motion stay: those an element refers to, with a site that
/// measures a force or torque, with fuse="false" or a sleep policy, that move with mass and another gravcomp
/// than their parent, or in a fluid, or whose inertia was bounded while inertiafromgeom is "true". Elements
/// for fused bodies are no longer valid. The attribute fusestatic of <compiler> does this to a copy before it
/// is compiled.
///
/// @param count  receives how many bodies were fused, may be NULL
/// @return CT_OK, CT_ERR_UNSUPPORTED (a frame has a scale), or as ct_model_compile(); nothing is fused then,
///         but for CT_ERR_MEMORY
CT_API ctStatus ct_spec_fuse_static(ctSpec* spec, int* count, ctError* err);

/// Let a body become a frame of the body it stands in, with everything in it, its joints too. Where one of
/// both says its inertia, that of both is written down for the one that stays. What refers to the body must
/// be changed before the next compilation.
///
/// @param out   receives the frame, may be NULL
/// @param body  not the world; no longer valid afterwards
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (no body, or the world), CT_ERR_UNSUPPORTED (a frame has a
///         scale), or as ct_model_compile() where inertias are needed
CT_API ctStatus ct_spec_dissolve(ctElement** out, ctSpec* spec, ctElement* body, ctError* err);

/// Discard what is only seen: materials and textures that no sensor or tuple refers to, geoms that cannot
/// touch anything, and meshes nobody uses then. A body that had its inertia from such geoms gets it as
/// <inertial>. The attribute discardvisual of <compiler> does this to a copy before it is compiled.
///
/// @param count  receives how many elements were discarded, may be NULL
/// @return CT_OK, CT_ERR_INVALID (the inertia would change, see inertiafromgeom), CT_ERR_UNSUPPORTED (a frame
///         has a scale), or as ct_model_compile()
CT_API ctStatus ct_spec_discard_visual(ctSpec* spec, int* count, ctError* err);

// ---- attachment

/// Copy a part of a spec into a body or frame of another, or of the same: with the tree come the elements
/// that refer to it, keyframes, and from another spec its assets, default classes and custom data. All names
/// get the prefix and the suffix. What also refers to something that is not copied comes along when `spec`
/// has that under its new name; a tendon, pair, exclude or sensor also when it has it under its old one; else
/// it stays behind, with a remark. The elements keep being compiled with the compiler settings of their spec;
/// options stay those of `spec`.
///
/// @param out     receives the copy of `part`, NULL when that is everything; may be NULL
/// @param parent  a body or frame of `spec`
/// @param from    may be `spec`; only read otherwise, and may be freed afterwards
/// @param part    a body or frame of `from`; NULL: everything in its world
/// @param prefix  NULL is ""
/// @param suffix  NULL is ""
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_INVALID (settings conflict, see the attribute "conflict" of
///         <compiler>), CT_ERR_LIMIT or CT_ERR_MEMORY
CT_API ctStatus ct_spec_attach(ctElement** out, ctSpec* spec, ctElement* parent, ctSpec* from,
                               ctElement* part, const char* prefix, const char* suffix, ctError* err);

#ifdef __cplusplus
}
#endif
