// Reading MJCF: from a tree of XML elements to a spec, driven by the tables of schema.h.
#pragma once

#include "mjcf/schema.h"

typedef struct ctiReader {
  ctSpec* spec;
  ctError* err;
  const ctiFrame* frame;  // the innermost frame around what is being read; NULL for none
} ctiReader;

// Check the whole document against the schema: every element in its place, every attribute known.
ctStatus cti_mjcf_validate(const ctiXml* root, const ctAllocator* a, ctError* err);

// Read the attributes of an element into a record. Bit i of `*given` is set when row i was written; NULL is
// allowed.
ctStatus cti_mjcf_read_attrs(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, void* record,
                             uint64_t* given);

// True when the attribute `name` of the table is among `given`.
bool cti_mjcf_given(const ctiAttrTable* table, uint64_t given, const char* name);

// Settle the notation of an orientation after its attributes were read.
ctStatus cti_mjcf_read_orient(ctiReader* r, const ctiXml* e, ctiOrient* orient);

// The sections, each in its own file.
ctStatus cti_mjcf_read_settings(ctiReader* r, const ctiXml* root);
ctStatus cti_mjcf_read_defaults(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_custom(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_assets(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_contact(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_equality(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_tendons(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_actuators(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_sensors(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_keyframes(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_world(ctiReader* r, const ctiXml* section);

// Read an actuator default into a class: what every actuator says, and the drive of the shortcut.
ctStatus cti_mjcf_read_actuator_default(ctiReader* r, const ctiXml* e, ctiClass* class_);

// The layers of a material into its texture roles.
ctStatus cti_mjcf_read_layers(ctiReader* r, const ctiXml* e, ctiMaterial* material);

// The class an element asks for with `class`, else `fallback`, else main.
ctStatus cti_mjcf_class_of(ctiReader* r, const ctiXml* e, const char* fallback, ctiClass** out);

// Tag, name and position of an element just made.
void cti_mjcf_place(ctiReader* r, const ctiXml* e, ctiElement* head);

// Read a joint, geom, ... whose record has a head: attributes, given bits, position, name.
ctStatus cti_mjcf_read_element(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, ctiElement* head);
