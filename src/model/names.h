// Names of the objects of a model: one text, an address for each object, and a hash table for each kind.
#pragma once

#include "corten/model.h"

// Kinds of objects that have names, in the order in which their names and hash tables are stored.
typedef struct ctiNamedKind {
  ctObjType type;
  size_t count;    // offset of the count in ctModel
  size_t address;  // offset of the address array in ctModel
} ctiNamedKind;

// Slots of the hash table for each object.
#define CTI_NAMES_MAP_LOAD 2

extern const ctiNamedKind cti_named_kinds[];
extern const int cti_named_kind_count;

int cti_named_count(const ctModel* m, const ctiNamedKind* kind);
int* cti_named_addresses(const ctModel* m, const ctiNamedKind* kind);

// Fill names_map from names and addresses. Unnamed objects are left out.
void cti_names_map_build(ctModel* m);
