// The MJCF language as tables: which elements stand where, which attributes they have, and which member of
// which record each attribute fills. Reader, validator and messages are derived from these tables.
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
  CTI_ATTR_DEGREE,    // bool, degree or radian
  CTI_ATTR_EULERSEQ,  // char[4]
  CTI_ATTR_TEXT,      // const char*, may be empty
  CTI_ATTR_NAME,      // const char*, a name
  CTI_ATTR_LIST,      // ctiReals
  CTI_ATTR_GROUPS,    // int, list of group numbers 0..30 as a bit mask
  CTI_ATTR_ENABLE,    // bit of an int: enable sets it
  CTI_ATTR_DISABLE,   // bit of an int: disable sets it
  CTI_ATTR_CLASS,     // the default class; read before all others
} ctiAttrType;

enum {
  CTI_ATTR_REQUIRED = 1,
  CTI_ATTR_NOT_DEFAULT = 2,  // cannot be set by a default class
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
} ctiAttr;

typedef struct ctiAttrTable {
  const ctiAttr* rows;
  int count;
} ctiAttrTable;

// An element in its place. An element with `missing` is part of the language but not supported yet.
typedef struct ctiSchema {
  const char* tag;
  const ctiAttrTable* attrs;
  const struct ctiSchema* children;
  int nchild;
  bool recursive;  // may contain itself
  bool missing;
} ctiSchema;

// Attribute tables, one an element.
extern const ctiAttrTable cti_attrs_none, cti_attrs_model, cti_attrs_compiler, cti_attrs_option,
    cti_attrs_flag, cti_attrs_size, cti_attrs_statistic, cti_attrs_visual[6], cti_attrs_default,
    cti_attrs_body, cti_attrs_inertial, cti_attrs_joint, cti_attrs_freejoint, cti_attrs_geom, cti_attrs_site,
    cti_attrs_motor;

// The root element <mujoco>.
extern const ctiSchema cti_schema_root;

// Child of an element by tag, NULL when it may not stand there.
const ctiSchema* cti_schema_child(const ctiSchema* s, const char* tag);
