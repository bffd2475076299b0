// The attributes of every element as tables: which member of which record each fills, how its value is
// written, and what it refers to. Readers, writers, editing by name, copying and messages are derived from
// these tables.
#pragma once

#include "spec/spec.h"
#include "xml/read.h"

typedef enum ctiAttrType {
  CTI_ATTR_REAL,      // doubles
  CTI_ATTR_CTREAL,    // ctReals
  CTI_ATTR_FLOAT,     // floats
  CTI_ATTR_INT,       // ints
  CTI_ATTR_BOOL,      // bool
  CTI_ATTR_FLAG,      // int, true or false
  CTI_ATTR_KEYWORD,   // int, one word of a table
  CTI_ATTR_FLAGS,     // int, any words of a table or-ed together
  CTI_ATTR_DEGREE,    // bool, degree or radian
  CTI_ATTR_EULERSEQ,  // char[4]
  CTI_ATTR_TEXT,      // const char*, may be empty
  CTI_ATTR_NAME,      // const char*, a name
  CTI_ATTR_LIST,      // ctiReals
  CTI_ATTR_NAMES,     // ctiNames, separated by blanks
  CTI_ATTR_GROUPS,    // int, list of group numbers 0..30 as a bit mask
  CTI_ATTR_ENABLE,    // bit of an int: enable sets it
  CTI_ATTR_DISABLE,   // bit of an int: disable sets it
  CTI_ATTR_CLASS,     // the default class; read before all others
} ctiAttrType;

enum {
  CTI_ATTR_REQUIRED = 1,
  CTI_ATTR_NOT_DEFAULT = 2,  // cannot be set by a default class
  CTI_ATTR_ORDERED = 4,    // words stand in the order of the table; those behind the first `max` stand alone
  CTI_ATTR_REPEAT = 8,     // one number stands for all
  CTI_ATTR_POSITIVE = 16,  // of a number
  CTI_ATTR_NOT_NEGATIVE = 32,  // of a number
  CTI_ATTR_RANGE = 64,         // ends may be infinite
};

// What a name refers to: a ctObjType, or one of these.
enum {
  CTI_REFERS_SELF = -1,     // it is the element's own name
  CTI_REFERS_CLASS = -2,    // a default class
  CTI_REFERS_OBJTYPE = -3,  // an object of the kind in the element's `objtype`
  CTI_REFERS_REFTYPE = -4,  // the same with `reftype`
};

typedef struct ctiAttr {
  const char* name;
  ctiAttrType type;
  size_t offset;  // in the record
  int min, max;   // number of values; for flag bits, max is the bit
  const ctiKeyword* keywords;
  int nkeyword;
  const char* what;  // completes: "x" is not a ...
  unsigned rules;
  int refers;  // of names: what they name
} ctiAttr;

typedef struct ctiAttrTable {
  const ctiAttr* rows;
  int count;
} ctiAttrTable;

// Attribute tables, one an element.
// clang-format off
#define CTI_ATTR_TABLES(X) \
  X(none) X(model) X(compiler) X(lengthrange) X(option) X(flag) X(size) X(statistic) X(default) \
  X(body) X(frame) X(inertial) X(joint) X(freejoint) X(geom) X(site) X(camera) X(light) X(pair) \
  X(exclude) X(connect) X(weld) X(eq_joint) X(eq_tendon) X(equality) X(spatial) X(fixed) X(tendon) \
  X(wrap_site) X(wrap_geom) X(wrap_pulley) X(wrap_joint) X(numeric) X(text) X(tuple) X(tuple_item) X(skin) X(bone) \
  X(flex) X(flex_own) X(flex_contact) X(flex_edge) X(flex_elasticity) X(flexcomp) X(flexcomp_edge) X(pin) X(eq_flex) X(eq_flexstrain) \
  X(extension) X(instance) X(plugin) X(config) X(plugin_config) X(plugin_actuator) \
  X(replicate) X(attach) X(submodel) X(key) X(texture) X(material) X(layer) X(hfield) X(mesh)
// clang-format on
#define X(table) extern const ctiAttrTable cti_attrs_##table;
CTI_ATTR_TABLES(X)
#undef X
extern const ctiAttrTable cti_attrs_visual[CTI_VISUAL_COUNT];

// Sensors have one for each way to be attached.
extern const ctiAttrTable cti_attrs_sensor[CTI_ATTACH_COUNT];

// Actuators have two tables each: what every actuator can say, and the words of the shortcut.
extern const ctiAttrTable cti_attrs_actuator[CTI_SHORTCUT_COUNT];
extern const ctiAttrTable cti_attrs_shortcut[CTI_SHORTCUT_COUNT];

// The templates of a default class but for actuators: which attributes fill them.
typedef struct ctiTemplate {
  const char* tag;
  const ctiAttrTable* attrs;
  size_t record;  // offset in ctiClass
  size_t orient;  // of its orientation in ctiClass; 0 when the element has none
} ctiTemplate;
extern const ctiTemplate cti_templates[];
extern const int cti_template_count;
