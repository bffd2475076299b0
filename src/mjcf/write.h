// Writing MJCF: from a spec back to text, through the same tables that read it. Elements say what differs
// from their default class; numbers read back as they are.
#pragma once

#include "spec/format.h"

// The start tag being written.
typedef struct ctiStartTag {
  bool open;           // not closed yet
  size_t begun, bare;  // where it began, and where its name ended
} ctiStartTag;

typedef struct ctiWriter {
  ctSpec* spec;  // only read
  ctError* err;
  ctiRegion* region;
  ctiOut out;
  int depth;                  // of the element being written
  ctiStartTag tag, outer[2];  // its start tag, and those of the elements around it
  ctiCompiler target;         // the settings that are written
  bool moves_files;           // names of files are written as seen from `folder`
  const char* folder;         // where the text will stand, ending in a separator or ""
  ctiClass** classes;         // what is written of each default class, in the order of the spec
  const ctModel* model;       // compiled, where only that knows the numbers; NULL otherwise
} ctiWriter;

// ---- tags and attributes

void cti_write_begin(ctiWriter* w, const char* tag);
void cti_write_end(ctiWriter* w, const char* tag);
// The same; an element that says nothing vanishes.
void cti_write_end_or_drop(ctiWriter* w, const char* tag);
void cti_write_text_attr(ctiWriter* w, const char* name, const char* text);
void cti_write_row(ctiWriter* w, const ctiAttr* row, const void* record);
// The same without the numbers at the end that `base` says as well.
void cti_write_row_from(ctiWriter* w, const ctiAttr* row, const void* record, const void* base);

// The attributes of a record that differ from those of `base`. `around` is the class that holds here; NULL
// where none is written.
void cti_write_attrs(ctiWriter* w, const ctiAttrTable* table, const void* record, const void* base,
                     const char* around);
// True when a row is written by cti_write_attrs().
bool cti_write_needs(const ctiAttrTable* table, int i, const void* record, const void* base);

// ---- parts

// Whether the inertia of a body must be said in numbers.
bool cti_write_explicit_inertia(const ctiWriter* w, const ctiBody* body);

// What is written of the default classes: what they say, less what someone who inherits it does not say.
void cti_write_classes(ctiWriter* w);
const ctiClass* cti_write_class_of(const ctiWriter* w, const ctiElement* e);

void cti_write_actuator_default(ctiWriter* w, const ctiActuator* a, const ctiActuator* base);
void cti_write_layers(ctiWriter* w, const ctiMaterial* m, const ctiMaterial* base);

ctStatus cti_write_sections(ctiWriter* w);

// Whether some numbers are known to the compiler only: keyframes that came with attached models, inertia of
// parts with other settings.
ctStatus cti_mjcf_needs_model(bool* needed, ctiRegion* region, const ctSpec* spec, ctError* err);

// The whole text; `folder` as in ct_spec_save_string(). `model` is the compiled spec where one is needed,
// else NULL.
ctStatus cti_mjcf_write(ctiOut* out, ctiRegion* region, const ctSpec* spec, const char* folder,
                        const ctModel* model, ctError* err);
