#include "base/fn.h"
#include "transform/attach.h"

#include <stdio.h>
#include <string.h>

#include "spec/attrs.h"
#include "spec/format.h"
#include "spec/spec.h"

// What is taken when two models differ.
typedef enum Rule { SMALLER, LARGER, EITHER, NEVER } Rule;

typedef struct Group {
  const ctiAttrTable* attrs;
  size_t record, given;  // in the spec
  Rule rule;
  const char* names;  // of the attributes, blanks around each
} Group;

#define OPTION(rule, names) \
  { &cti_attrs_option, offsetof(ctSpec, option), offsetof(ctSpec, given_option), rule, names }
#define VISUAL(group, rule, names)                                      \
  {                                                                     \
    &cti_attrs_visual[CTI_VISUAL_##group], offsetof(ctSpec, visual),    \
        offsetof(ctSpec, given_visual[CTI_VISUAL_##group]), rule, names \
  }
static const Group groups[] = {
    OPTION(SMALLER, " timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "),
    OPTION(LARGER,
           " iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints "),
    OPTION(EITHER, " actuatorgroupdisable "),
    OPTION(
        NEVER,
        " gravity wind magnetic density viscosity integrator cone jacobian solver impratio o_margin o_solref "
        "o_solimp o_friction "),
    {&cti_attrs_size, offsetof(ctSpec, size), offsetof(ctSpec, size.head.given), LARGER,
     " nkey nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator "
     "nuser_sensor "},
    VISUAL(GLOBAL, SMALLER, " realtime "),
    VISUAL(MAP, SMALLER, " znear "),
    VISUAL(MAP, LARGER, " zfar "),
};

static bool named(const Group* g, const char* name) {
  char word[80];
  snprintf(word, sizeof(word), " %s ", name);
  return strstr(g->names, word) != NULL;
}

// Take the value of `theirs` where the rule says so.
static void choose(const ctiAttr* row, Rule rule, void* ours, const void* theirs) {
  if (rule == EITHER) {
    *(int*)ours |= *(const int*)theirs;
    return;
  }
  double a, b;
  const ctiAttr at = {.type = row->type, .min = 1, .max = 1};
  cti_attr_reals(&at, ours, &a, 1);
  cti_attr_reals(&at, theirs, &b, 1);
  if (rule == SMALLER ? b < a : b > a) memcpy(ours, theirs, cti_attr_bytes(row));
}

static ctStatus conflict(char* complaint, size_t size, const ctiAttr* row, const void* ours,
                         const void* theirs) {
  char a[100] = "", b[100] = "";
  ctiOut left = {.data = a, .size = sizeof(a)}, right = {.data = b, .size = sizeof(b)};
  ctiAttr at = *row;
  at.offset = 0;
  cti_attr_format(&left, &at, ours);
  cti_attr_format(&right, &at, theirs);
  snprintf(complaint, size, "%s is \"%s\" here and \"%s\" in the model that is attached", row->name, a, b);
  return CT_ERR_INVALID;
}

static ctStatus merge_group(ctSpec* to, const ctSpec* from, const Group* g, char* complaint, size_t size) {
  char* ours = (char*)to + g->record;
  const char* theirs = (const char*)from + g->record;
  uint64_t* our_given = (uint64_t*)(void*)((char*)to + g->given);
  const uint64_t their_given = *(const uint64_t*)(const void*)((const char*)from + g->given);
  bool merges = to->compiler.conflict == CTI_CONFLICT_MERGE;
  for (int i = 0; i < g->attrs->count; i++) {
    const ctiAttr* row = &g->attrs->rows[i];
    const uint64_t bit = (uint64_t)1 << i;
    if (!(their_given & bit) || !named(g, row->name)) continue;
    void* a = ours + row->offset;
    const void* b = theirs + row->offset;
    if (!(*our_given & bit)) {
      if (!merges) continue;
      memcpy(a, b, cti_attr_bytes(row));
      *our_given |= bit;
    } else if (memcmp(a, b, cti_attr_bytes(row)) != 0) {
      if (!merges || g->rule == NEVER) return conflict(complaint, size, row, a, b);
      choose(row, g->rule, a, b);
    }
  }
  return CT_OK;
}

// Nothing is taken over; what would differ is said.
static void remark_conflicts(const ctSpec* to, const ctSpec* from) {
  for (int i = 0; to->log.write && i < CT_COUNT_OF(groups); i++) {
    const Group* g = &groups[i];
    const char *ours = (const char*)to + g->record, *theirs = (const char*)from + g->record;
    const uint64_t given = *(const uint64_t*)(const void*)((const char*)from + g->given);
    for (int k = 0; k < g->attrs->count; k++) {
      const ctiAttr* row = &g->attrs->rows[k];
      if (!(given >> k & 1) || !named(g, row->name) || cti_attr_same(row, ours, theirs)) continue;
      char text[300];
      const ctiElement e = {.tag = "attach", .where = {from->file, 0, 0}};
      conflict(text, sizeof(text), row, ours + row->offset, theirs + row->offset);
      cti_remark(to, CT_LOG_WARNING, &e, "%s; it stays", text);
    }
  }
}

ctStatus cti_spec_merge(ctSpec* to, const ctSpec* from, char* complaint, size_t size) {
  if (to == from) return CT_OK;
  if (to->compiler.conflict == CTI_CONFLICT_WARNING) {
    remark_conflicts(to, from);
    return CT_OK;
  }
  const ctSpec before = *to;
  for (int i = 0; i < CT_COUNT_OF(groups); i++) {
    ctStatus status = merge_group(to, from, &groups[i], complaint, size);
    if (status == CT_OK) continue;
    *to = before;
    return status;
  }
  if (to->compiler.conflict == CTI_CONFLICT_MERGE) {
    to->option.disableflags |= from->option.disableflags;
    to->option.enableflags |= from->option.enableflags;
  }
  return CT_OK;
}
