// Reading MJCF: from a tree of XML elements to a spec, driven by the tables of schema.h.
#pragma once

#include "base/kinds.h"
#include "corten/spec.h"
#include "mjcf/schema.h"
#include "spec/spec.h"

// A model that <attach> may take parts from.
typedef struct ctiSubmodel {
  const char* name;
  ctSpec* spec;
  size_t charged;  // bytes of it in the budget of the spec that reads it
} ctiSubmodel;

// The files being read, innermost first: a model may not attach itself.
typedef struct ctiOrigin {
  const char* file;
  const struct ctiOrigin* outer;
  const ctiBudget* budget;  // what reading it may take
} ctiOrigin;

typedef struct ctiReader {
  ctSpec* spec;
  ctError* err;
  const ctLoadOptions* opt;  // may be NULL
  const ctiOrigin* origin;
  CTI_ARRAY(ctiSubmodel) models;
  ctiElement* first;      // the first element made
  const ctiFrame* frame;  // the innermost frame around what is being read; NULL for none
} ctiReader;

// Check the whole document against the schema: every element in its place, every attribute known. What is not
// known inside of frames and replicas is taken out, with a remark to the log of the spec.
ctStatus cti_mjcf_validate(const ctSpec* spec, ctiXml* root, ctError* err);

// The same for what stands inside `holder`, whose place in the language is `schema`.
ctStatus cti_mjcf_validate_in(const ctSpec* spec, ctiXml* holder, const ctiSchema* schema, ctError* err);

// One attribute into its row of a record.
ctStatus cti_mjcf_read_attr(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* record);

// Read the attributes of an element into a record. Bit i of `*given` is set when row i was written; NULL is
// allowed.
ctStatus cti_mjcf_read_attrs(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, void* record,
                             uint64_t* given);

// True when the attribute `name` of the table is among `given`.
bool cti_mjcf_given(const ctiAttrTable* table, uint64_t given, const char* name);

// Settle the notation of an orientation after its attributes were read.
ctStatus cti_mjcf_read_orient(ctiReader* r, const ctiXml* e, ctiOrient* orient);

// The sections, each in its own file.
ctStatus cti_mjcf_read_actuators(ctiReader* r, const ctiXml* section);
ctStatus cti_mjcf_read_world(ctiReader* r, const ctiXml* section);

// What stands inside `holder` into the element it is part of: layers of a material, stations of a tendon,
// items of a tuple, bones of a skin.
ctStatus cti_mjcf_read_parts(ctiReader* r, const ctiXml* holder, ctiElement* owner);

// Deformables: <flex>, a part of it (contact, edge, elasticity), <flexcomp>.
ctStatus cti_mjcf_read_flex(ctiReader* r, const ctiXml* e);
ctStatus cti_mjcf_read_flex_part(ctiReader* r, const ctiXml* e, ctiFlex* flex);
ctStatus cti_mjcf_read_flexcomp(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_);

// The settings of a document: compiler, option, size, visual, statistic.
ctStatus cti_mjcf_read_settings(ctiReader* r, const ctiXml* root);

// Everything a document says, section by section.
ctStatus cti_mjcf_read_sections(ctiReader* r, const ctiXml* root);

// What stands inside `holder` into a body, and a frame of it, with the default class that holds there.
ctStatus cti_mjcf_read_tree(ctiReader* r, const ctiXml* holder, ctiBody* body, const ctiFrame* frame,
                            const char* class_);

// The <config> elements in `e` into a plugin's values.
ctStatus cti_mjcf_read_config(ctiReader* r, const ctiXml* e, ctiPluginUse* use);
// What a <plugin> says; the <plugin> in `e`, if there is one.
ctStatus cti_mjcf_read_use(ctiReader* r, const ctiXml* p, ctiPluginUse* use);
ctStatus cti_mjcf_read_plugin(ctiReader* r, const ctiXml* e, ctiPluginUse* use);

// What a default class says for a kind of element.
ctStatus cti_mjcf_read_template(ctiReader* r, const ctiXml* e, ctiClass* class_);

// Read an actuator default into a class: what every actuator says, and the drive of the shortcut.
ctStatus cti_mjcf_read_actuator_default(ctiReader* r, const ctiXml* e, ctiClass* class_);

// <model> in <asset>: a model that <attach> may take parts from.
ctStatus cti_mjcf_read_model(ctiReader* r, const ctiXml* e);

// Text -> spec. `file` names the text in messages and is where relative paths start; NULL for text in memory.
// `outer` are the files around it, NULL for the model itself.
ctStatus cti_mjcf_parse(ctSpec** out, const char* text, size_t size, const char* file,
                        const ctLoadOptions* opt, const ctiOrigin* outer, ctError* err);

// Free the models that were read to be attached.
void cti_mjcf_free_models(ctiReader* r);

// The class an element asks for with `class`, else `fallback`, else main.
ctStatus cti_mjcf_class_of(ctiReader* r, const ctiXml* e, const char* fallback, ctiClass** out);

// Tag, name and position of an element just made.
void cti_mjcf_place(ctiReader* r, const ctiXml* e, ctiElement* head);

// Read a joint, geom, ... whose record has a head: attributes, given bits, position, name.
ctStatus cti_mjcf_read_element(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, ctiElement* head);

// ---- shortcuts of actuators

// The shortcut of a tag, -1 when it is none.
int cti_find_shortcut(const char* tag);

// Work out the drive of an actuator again after its words have changed. NULL, or what is wrong: nothing
// changes then.
const char* cti_actuator_update_drive(ctiActuator* a);
