// The MJCF language: which elements stand where, and which tables of attributes they have (spec/attrs.h).
// Reader, validator and messages are derived from it.
#pragma once

#include "spec/attrs.h"

// An element in its place.
typedef struct ctiSchema {
  const char* tag;
  const ctiAttrTable* attrs;
  const ctiAttrTable* more;  // a second table, NULL for most
  const struct ctiSchema* children;
  int nchild;
  bool recursive;  // may contain itself
  bool tree;       // may contain bodies, frames and replicas
} ctiSchema;

extern const ctiSchema cti_schema_body, cti_schema_frame, cti_schema_replicate;

// The root element <mujoco>.
extern const ctiSchema cti_schema_root;
extern const ctiSchema
    cti_schema_document;  // the root as files have it: bodies may stand in it, without effect

// Child of an element by tag, NULL when it may not stand there.
const ctiSchema* cti_schema_child(const ctiSchema* s, const char* tag);
