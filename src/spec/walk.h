// Elements as the public calls see them.
#pragma once

#include "spec/attrs.h"
#include "spec/spec.h"

// A body or the world.
bool cti_element_is_body(const ctiElement* e);

// ---- what an element refers to

// One attribute of a record. `kind` is what a name refers to, worked out (a ctObjType or CTI_REFERS_*), 0 for
// what is no reference; `at` is the member.
typedef ctStatus (*ctiAttrVisitor)(void* context, const ctiAttr* row, int kind, void* at);

// Visit every attribute of an element, and of what is part of it: stations of tendons, items of tuples,
// layers of materials. Stops at the first status that is not CT_OK.
ctStatus cti_visit_element(ctiElement* e, ctiAttrVisitor visit, void* context);

// The same for a record without a head.
ctStatus cti_visit_record(const ctiAttrTable* table, void* record, ctiAttrVisitor visit, void* context);

// The textures of a material but for the first, which has a row of its own.
ctStatus cti_visit_layers(ctiMaterial* material, ctiAttrVisitor visit, void* context);

// Kinds that live in <asset>: they are not part of the body tree.
// The plugin of an element that can have one; NULL for others.
ctiPluginUse* cti_plugin_use(ctiElement* e);

static inline bool cti_is_asset(int kind) {
  return kind == CT_OBJ_MESH || kind == CT_OBJ_HFIELD || kind == CT_OBJ_TEXTURE || kind == CT_OBJ_MATERIAL ||
         kind == CT_OBJ_PLUGIN;
}
