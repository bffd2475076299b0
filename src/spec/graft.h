// A copy in the making: what attach, replicate, copy and remove share.
#pragma once

#include "spec/attach.h"
#include "spec/keys.h"
#include "spec/refs.h"

// The state of a copy.
typedef struct ctiGraftWork {
  const ctiGraft* g;
  bool foreign;  // from another spec
  bool whole;    // a copy of a spec: everything comes along as it is
  ctiRegion* scratch;
  ctiNameMap names[CT_OBJ_COUNT];  // old names of what is copied
  ctiCopies copies;
  const ctiCompiler *compiler_from, *compiler_to;  // the last settings copied
  ctError* err;
} ctiGraftWork;

#define CTI_TRY_MEMORY(w, expr) \
  if ((expr) != CT_OK) return cti_error_memory((w)->err)

// The lists of what may refer to the tree, each behind those it may refer to itself.
#define CTI_REFERRING_LISTS(X)                \
  X(ctiTendon, tendons, CT_OBJ_TENDON)        \
  X(ctiPair, pairs, CT_OBJ_PAIR)              \
  X(ctiExclude, excludes, CT_OBJ_EXCLUDE)     \
  X(ctiEquality, equalities, CT_OBJ_EQUALITY) \
  X(ctiActuator, actuators, CT_OBJ_ACTUATOR)  \
  X(ctiSensor, sensors, CT_OBJ_SENSOR) X(ctiSkin, skins, CT_OBJ_SKIN) X(ctiTuple, tuples, CT_OBJ_TUPLE)

// ---- what is copied (graft_scope.c)

// Whether a frame is `only` or inside it; everything is inside NULL.
bool cti_within_frame(const ctiFrame* frame, const ctiFrame* only);

// Remember the old name of an element that is copied; of the whole tree; of what refers to it.
ctStatus cti_graft_note(ctiGraftWork* w, int kind, const ctiElement* e);
ctStatus cti_graft_note_tree(ctiGraftWork* w);
ctStatus cti_graft_note_referring(ctiGraftWork* w);

// Whether an element of a section, of a kind, comes along.
bool cti_graft_takes(const ctiGraftWork* w, int kind, ctiElement* e);

// Take what refers to the originals out of the lists; with `tell`, remark on what has no copy.
ctStatus cti_graft_remove_referring(ctiGraftWork* w, bool tell);

// ---- copies of records (graft_record.c)

// A text of the source in the target; a name with its prefix and suffix. NULL when memory runs out.
const char* cti_graft_keep(ctiGraftWork* w, const char* text);
const char* cti_graft_rename(ctiGraftWork* w, const char* name);

// Bring one member of a record that was copied bit by bit into the target: a visitor for refs.h.
ctStatus cti_graft_adopt(void* context, const ctiAttr* row, int kind, void* at);
ctStatus cti_graft_adopt_head(ctiGraftWork* w, ctiElement* e, const ctiElement* parent,
                              const ctiFrame* frame);

// A copy of the record behind `e`, of `size` bytes, with everything it holds; `out` is the address of a
// pointer to it.
ctStatus cti_graft_copy(ctiGraftWork* w, const ctiElement* e, size_t size, const ctiElement* parent,
                        const ctiFrame* frame, void* out);

// ---- the whole (attach.c)

// Find out what is copied; copy it. The caller frees w->scratch, also when begin fails.
ctStatus cti_graft_begin(ctiGraftWork* w, const ctiGraft* g, ctError* err);
ctStatus cti_graft_run(ctiGraftWork* w);
