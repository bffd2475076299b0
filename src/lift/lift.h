// Model -> spec: the way back from a compiled model. Every number is said as it was compiled, under settings
// that leave numbers alone: angles in radians, inertias explicit, no default classes.
#pragma once

#include "corten/vfs.h"
#include "spec/attrs.h"
#include "spec/defaults.h"

// Where a mesh is put by the compiler when it is read back: what geoms have to take off their pose.
typedef struct ctiLiftFrame {
  double pos[3], quat[4];
} ctiLiftFrame;

// A spec in the making.
typedef struct ctiLift {
  const ctModel* m;
  ctSpec* s;
  ctVfs* files;        // receives what text cannot hold; may be NULL
  const char* prefix;  // of the names of those files
  ctError* err;
  ctiBody** body;                      // by id
  const char** name[CT_OBJ_COUNT];     // by kind and id; NULL where there is none
  ctiElement** element[CT_OBJ_COUNT];  // likewise
  ctiLiftFrame* mesh;                  // by id
  bool renamed;                        // some object got a name
  int hulls;                           // meshes whose hulls come back in other numbers ...
  int hull;                            // ... and the first of them
} ctiLift;

// ---- parts, each in its own file

ctStatus cti_lift_settings(ctiLift* l);
ctStatus cti_lift_meshes(ctiLift* l);
ctStatus cti_lift_hfields(ctiLift* l);
ctStatus cti_lift_textures(ctiLift* l);
ctStatus cti_lift_materials(ctiLift* l);
ctStatus cti_lift_skins(ctiLift* l);
ctStatus cti_lift_tree(ctiLift* l);
ctStatus cti_lift_contacts(ctiLift* l);
ctStatus cti_lift_equalities(ctiLift* l);
ctStatus cti_lift_tendons(ctiLift* l);
ctStatus cti_lift_actuators(ctiLift* l);
ctStatus cti_lift_sensors(ctiLift* l);
ctStatus cti_lift_custom(ctiLift* l);
ctStatus cti_lift_keyframes(ctiLift* l);

// Compile the spec of a model and remark on what differs. An error when it cannot be compiled.
ctStatus cti_lift_check(const ctSpec* s, const ctModel* m, bool renamed, ctError* err);

// The whole. `files` as in ct_spec_from_model(); `prefix` begins the names of files. What comes back is
// checked when there is a log to tell; with `must_compile` a spec that does not compile is an error.
ctStatus cti_lift(ctSpec** out, const ctModel* m, ctVfs* files, const char* prefix, const ctLog* log,
                  bool must_compile, ctError* err);

// ---- elements

// Make an element the object `id` of a kind: its tag and attributes; the name follows in the end.
void cti_lift_place(ctiLift* l, ctiElement* e, ctObjType type, int id, const char* tag,
                    const ctiAttrTable* attrs);

// A default class for one element, for what only a class can say. NULL when memory runs out.
ctiClass* cti_lift_class(ctiLift* l, ctiElement* e, const char* what, int id);

// The name to refer to an object by: its own, or one made for it. NULL when memory runs out.
const char* cti_lift_ref(ctiLift* l, int type, int id);

// The same into a member: an id of -1 leaves it alone.
ctStatus cti_lift_refer(ctiLift* l, const char** member, int type, int id);

// An error about an object: CT_ERR_UNSUPPORTED, "cannot be said in MJCF: ...".
ctStatus cti_lift_cannot(ctiLift* l, int type, int id, const char* format, ...) CTI_PRINTF(4, 5);

// A text of the model in the spec. CT_ERR_UNSUPPORTED when an XML file cannot have it.
ctStatus cti_lift_text(ctiLift* l, const char** out, const char* text);

// ---- numbers

void cti_lift_reals(double* to, const ctReal* from, int n);

// A list in the spec; empty when memory runs out or there is nothing.
ctStatus cti_lift_list(ctiLift* l, ctiReals* to, const ctReal* from, int n);
ctStatus cti_lift_floats(ctiLift* l, ctiReals* to, const float* from, int n);
ctStatus cti_lift_ints(ctiLift* l, ctiReals* to, const int* from, int n);
// The numbers of the user; zeros say nothing.
ctStatus cti_lift_user(ctiLift* l, ctiReals* to, const ctReal* from, int id, int n);

void cti_lift_quat(ctiOrient* to, const ctReal quat[4]);

// The number with the fewest digits that rounds to the same float.
double cti_lift_short(float x);

// Limits that a range stands for need no word.
static inline int cti_lift_limited(ctBool on, const ctReal range[2]) {
  return on == (range[0] < range[1]) ? CTI_AUTO : (on ? CTI_TRUE : CTI_FALSE);
}

// ---- files

// Keep a file; `out` receives its name. An error about the object when there is no place for files.
ctStatus cti_lift_file(ctiLift* l, const char** out, int type, int id, const char* what, const char* ending,
                       const void* data, size_t size);
