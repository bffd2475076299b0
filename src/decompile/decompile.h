// Model -> spec: back from a compiled model. Every number is said as it was compiled, under settings
// that leave numbers alone: angles in radians, inertias explicit, no default classes.
#pragma once

#include "corten/vfs.h"
#include "spec/attrs.h"
#include "spec/defaults.h"

// Where a mesh is put by the compiler when it is read back: what geoms have to take off their pose.
typedef struct ctiMeshFrame {
  double pos[3], quat[4];
} ctiMeshFrame;

// A spec in the making.
typedef struct ctiDecompiler {
  const ctModel* m;
  ctSpec* s;
  ctVfs* files;        // receives what text cannot hold; may be NULL
  const char* prefix;  // of the names of those files
  ctError* err;
  ctiBody** body;                      // by id
  const char** name[CT_OBJ_COUNT];     // by kind and id; NULL where there is none
  ctiElement** element[CT_OBJ_COUNT];  // likewise
  ctiMeshFrame* mesh;                  // by id
  bool renamed;                        // some object got a name
  int hulls;                           // meshes whose hulls come back in other numbers ...
  int hull;                            // ... and the first of them
} ctiDecompiler;

// ---- parts, in the order they run

// clang-format off
#define CTI_DECOMPILE_PARTS(X) \
  X(settings) X(plugins) X(meshes) X(hfields) X(textures) X(materials) X(tree) X(flexes) X(skins) X(contacts) X(equalities) \
  X(tendons) X(actuators) X(sensors) X(custom) X(keyframes)
// clang-format on
#define X(part) ctStatus cti_decompile_##part(ctiDecompiler* l);
CTI_DECOMPILE_PARTS(X)
#undef X

// The material of deformables, when everything else is said and named: by trial compilations.
ctStatus cti_decompile_flex_materials(ctiDecompiler* l);

// ---- elements

// Make an element the object `id` of a kind: its tag and attributes; the name follows in the end.
void cti_decompile_place(ctiDecompiler* l, ctiElement* e, ctObjType type, int id, const char* tag,
                         const ctiAttrTable* attrs);

// The name to refer to an object by: its own, or one made for it. NULL when memory runs out.
const char* cti_decompile_ref(ctiDecompiler* l, int type, int id);

// The same into a member: an id of -1 leaves it alone.
ctStatus cti_decompile_refer(ctiDecompiler* l, const char** member, int type, int id);

// An error about an object: CT_ERR_UNSUPPORTED, "cannot be said in MJCF: ...".
ctStatus cti_decompile_cannot(ctiDecompiler* l, int type, int id, const char* format, ...) CTI_PRINTF(4, 5);

// The plugin of an object: an instance by its name, or the plugin with its attributes. -1 leaves it alone.
ctStatus cti_decompile_use(ctiDecompiler* l, ctiPluginUse* use, int instance);

// A text of the model in the spec. CT_ERR_UNSUPPORTED when an XML file cannot have it.
ctStatus cti_decompile_text(ctiDecompiler* l, const char** out, const char* text);

// ---- numbers

void cti_decompile_reals(double* to, const ctReal* from, int n);

// A list in the spec; empty when memory runs out or there is nothing.
ctStatus cti_decompile_list(ctiDecompiler* l, ctiReals* to, const ctReal* from, int n);
ctStatus cti_decompile_floats(ctiDecompiler* l, ctiReals* to, const float* from, int n);
ctStatus cti_decompile_ints(ctiDecompiler* l, ctiReals* to, const int* from, int n);
// The numbers of the user; zeros say nothing.
ctStatus cti_decompile_user(ctiDecompiler* l, ctiReals* to, const ctReal* from, int id, int n);

// The number with the fewest digits that rounds to the same float.
double cti_decompile_short(float x);

// Limits that a range stands for need no word.
static inline int cti_decompile_limited(ctBool on, const ctReal range[2]) {
  return on == (range[0] < range[1]) ? CTI_AUTO : (on ? CTI_TRUE : CTI_FALSE);
}

// ---- files

// Keep a file; `out` receives its name. An error about the object when there is no place for files.
ctStatus cti_decompile_file(ctiDecompiler* l, const char** out, int type, int id, const char* what,
                            const char* ending, const void* data, size_t size);
