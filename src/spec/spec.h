// The editable model: what a file says, with defaults applied, before anything is computed from it.
//
// Every element is a record that starts with ctiElement. Records, names and lists live in the spec's region
// and die with it. Numbers are doubles in every build; the compiler rounds once, when it fills the model.
#pragma once

#include "base/alloc.h"
#include "base/error.h"
#include "base/strings.h"
#include "corten/spec.h"
#include "spec/records.h"

// Kinds that a default class has a template of: X(record, member).
#define CTI_TEMPLATES(X)   \
  X(ctiMeshAsset, mesh)    \
  X(ctiTexture, texture)   \
  X(ctiMaterial, material) \
  X(ctiJoint, joint)       \
  X(ctiGeom, geom)         \
  X(ctiSite, site)         \
  X(ctiCamera, camera)     \
  X(ctiLight, light)       \
  X(ctiContactPair, pair) X(ctiEquality, equality) X(ctiTendon, tendon) X(ctiActuator, actuator)

// What stands in a body: X(record, list, template).
#define CTI_BODY_LISTS(X)    \
  X(ctiJoint, joints, joint) \
  X(ctiGeom, geoms, geom) X(ctiSite, sites, site) X(ctiCamera, cameras, camera) X(ctiLight, lights, light)

// What stands in a section of its own and takes defaults: X(record, list, template) ...
#define CTI_SPEC_LISTS(X)             \
  X(ctiMeshAsset, meshes, mesh)       \
  X(ctiTexture, textures, texture)    \
  X(ctiMaterial, materials, material) \
  X(ctiContactPair, pairs, pair)      \
  X(ctiEquality, equalities, equality) X(ctiTendon, tendons, tendon) X(ctiActuator, actuators, actuator)
// ... and what takes none: X(record, list).
#define CTI_SPEC_PLAIN_LISTS(X) \
  X(ctiHField, hfields)         \
  X(ctiExclude, excludes)       \
  X(ctiExtension, extensions)   \
  X(ctiInstance, instances)     \
  X(ctiFlex, flexes)            \
  X(ctiSkin, skins)             \
  X(ctiSensor, sensors) X(ctiNumeric, numerics) X(ctiText, texts) X(ctiTuple, tuples) X(ctiKey, keys)

typedef struct ctiBody {
  ctiElement head;
  int depth;  // 0 for the world
  int order;  // in the tree, where something has numbered the bodies
  double pos[3];
  ctiOrient orient;
  const char* childclass;  // default class of what stands inside, NULL: main
  bool mocap;
  double gravcomp;
  int sleep, simple, fuse;
  ctiReals user;
  ctiPluginUse use;
  ctiInertial inertial;
  bool has_inertial;
  struct ctiBody* parent;  // NULL for the world
  CTI_ARRAY(struct ctiBody*) bodies;
  CTI_ARRAY(ctiFrame*) frames;  // outer ones before those inside
#define X(record, list, template_) CTI_ARRAY(record*) list;
  CTI_BODY_LISTS(X)
#undef X
} ctiBody;

// A default class: one template a kind of element, and one drive a kind of actuator.
typedef struct ctiClass {
  const char* name;
  struct ctiClass* parent;  // NULL for main
  ctiWhere where;
#define X(record, member) record member;
  CTI_TEMPLATES(X)
#undef X
  ctiDrive drive[CTI_SHORTCUT_COUNT];
  ctiShortcutWords words[CTI_SHORTCUT_COUNT];  // as they were said, NaN where nothing was
} ctiClass;

// The groups of <visual>.
enum {
  CTI_VISUAL_GLOBAL,
  CTI_VISUAL_QUALITY,
  CTI_VISUAL_HEADLIGHT,
  CTI_VISUAL_MAP,
  CTI_VISUAL_SCALE,
  CTI_VISUAL_RGBA,
  CTI_VISUAL_COUNT
};

struct ctSpec {
  ctAllocator allocator;
  ctiRegion* region;
  ctiBudget budget;                       // what the region may take; compiling goes on where it is
  int max_elements;                       // that attach and replicate may make
  int copies;                             // elements they have made
  size_t max_arena;                       // of data of the compiled model, 0: the default
  const struct ctPlugin* const* plugins;  // those of the load options; borrowed
  int nplugin;
  const struct ctDecoder* const* decoders;  // likewise
  int ndecoder;
  const ctAllocator* in_region;  // the region as an allocator, for arrays
  ctiStrings strings;
  const ctVfs* vfs;  // where files are looked for first; borrowed while the spec is read
  const char* file;  // as the user named it, or "<string>"
  const char* modelname;
  ctLog log;
  ctiCompiler compiler;
  ctiLengthRange lengthrange;
  ctOption option;
  uint64_t given_option, given_flag, given_visual[CTI_VISUAL_COUNT];  // what is said, bits of the tables
  ctiSize size;
  ctiStatistic statistic;
  ctVisual visual;
  CTI_ARRAY(ctiClass*) classes;  // main first
  ctiNameMap class_ids;
  ctiClass plain;  // built-in defaults, untouched by the file
  ctiBody* world;
#define X(record, list, template_) CTI_ARRAY(record*) list;
  CTI_SPEC_LISTS(X)
#undef X
#define X(record, list) CTI_ARRAY(record*) list;
  CTI_SPEC_PLAIN_LISTS(X)
#undef X
};

// The lists of what may refer to the tree, each behind those it may refer to itself.
#define CTI_REFERRING_LISTS(X)                \
  X(ctiFlex, flexes, CT_OBJ_FLEX)             \
  X(ctiTendon, tendons, CT_OBJ_TENDON)        \
  X(ctiContactPair, pairs, CT_OBJ_PAIR)       \
  X(ctiExclude, excludes, CT_OBJ_EXCLUDE)     \
  X(ctiEquality, equalities, CT_OBJ_EQUALITY) \
  X(ctiActuator, actuators, CT_OBJ_ACTUATOR)  \
  X(ctiSensor, sensors, CT_OBJ_SENSOR) X(ctiSkin, skins, CT_OBJ_SKIN) X(ctiTuple, tuples, CT_OBJ_TUPLE)

// New elements, filled in from the templates of a class; NULL when memory runs out.
ctiBody* cti_spec_add_body(ctSpec* spec, ctiBody* parent);
#define X(record, list, template_) \
  record* cti_spec_add_##template_(ctSpec* spec, ctiBody* body, const ctiClass* from);
CTI_BODY_LISTS(X)
#undef X
#define X(record, list, template_) record* cti_spec_add_##template_(ctSpec* spec, const ctiClass* from);
CTI_SPEC_LISTS(X)
#undef X
#define X(record, list) record* cti_spec_add_to_##list(ctSpec* spec);
CTI_SPEC_PLAIN_LISTS(X)
#undef X

// A frame in a body, inside `outer` (NULL: directly in the body).
ctiFrame* cti_spec_add_frame(ctSpec* spec, ctiBody* body, const ctiFrame* outer);

// The bodies below and including `top`, each before those inside it, in the order of the compiled model. NULL
// when memory runs out.
ctiBody** cti_spec_bodies(ctiBody* top, ctiRegion* region, int* count);

// Numbers of a spec, which are doubles, in the precision of the engine.
static inline void cti_to_real(ctReal* out, const double* in, int n) {
  for (int i = 0; i < n; i++) out[i] = (ctReal)in[i];
}

// The settings an element is compiled with.
static inline const ctiCompiler* cti_compiler_of(const ctSpec* spec, const ctiElement* e) {
  return e->compiler ? e->compiler : &spec->compiler;
}

// The kind of object a word of the language stands for; CT_OBJ_UNKNOWN when it is none.
ctObjType cti_object_type(const char* word);
// The word of a kind; NULL for what is none.
const char* cti_object_word(ctObjType type);

// A new class that starts as a copy of its parent (NULL: main). NULL when memory runs out.
ctiClass* cti_spec_add_class(ctSpec* spec, const char* name, ctiClass* parent);

// Build the index of class names again, after classes were dropped.
ctStatus cti_spec_index_classes(ctSpec* spec);

// The built-in defaults that no <default> has touched, for elements that take nothing from classes.
const ctiClass* cti_spec_plain_class(const ctSpec* spec);

// The class of a name; NULL when there is none.
ctiClass* cti_spec_find_class(const ctSpec* spec, const char* name);

// An error at an element: position, path, and a message that starts with its tag and name.
ctStatus cti_spec_error(ctError* err, ctStatus status, const ctiElement* e, const char* format, ...)
    CTI_PRINTF(4, 5);

// Memory ran out at an element, or the budget of the spec did: CT_ERR_MEMORY or CT_ERR_LIMIT, with the place.
ctStatus cti_spec_no_memory(ctError* err, const ctiBudget* budget, const ctiElement* e);

// The folder of a kind of assets, `dir`; NULL for that of all. In the region; NULL when memory runs out.
const char* cti_asset_folder(ctiRegion* region, const ctiCompiler* c, const char* dir);

// Where a file that an element names is: in `dir`, the folder for its kind, or NULL for that of all assets;
// when it is not there and the element was included, beside the file that has the element. In the region;
// NULL when memory runs out.
const char* cti_asset_path(ctiRegion* region, const ctiCompiler* c, const ctiElement* e, const char* dir,
                           const char* file);

// ---- sizes of actuators

// Controls.
int cti_drive_controls(const ctiDrive* d);

// States that the features of a motor ask for: slew, integral, temperature, bristles, current.
int cti_drive_motor_states(const ctiDrive* d);

// Activations that the kind of dynamics needs.
int cti_drive_states(const ctiDrive* d);

// Activations it has: as many as the author of a general actuator says, else as many as it needs.
int cti_activation_count(const ctiActuator* a);

// ---- remarks

// Write a remark about an element to the log of the spec, if it has one: position, path, message.
void cti_remark(const ctSpec* spec, ctLogLevel level, const ctiElement* e, const char* format, ...)
    CTI_PRINTF(4, 5);
