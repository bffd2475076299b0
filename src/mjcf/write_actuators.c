// Actuators: as the shortcut they were written as where that reads back the same, as <general> otherwise.
#include <string.h>

#include "mjcf/lower.h"
#include "mjcf/write.h"

static const ctiAttrTable* const general = &cti_attrs_actuator[CTI_SHORTCUT_GENERAL];

static bool is(const ctiAttr* row, const char* name) {
  return strcmp(row->name, name) == 0;
}

// ---- as a general actuator

// The inputs in words; charts of orientations share their numbers with others.
static const char* input_words(const ctiWriter* w, const ctiDrive* d) {
  if (d->gaintype == CT_GAIN_SO3) return d->ctrlspec == CTI_CHART_QUAT ? "quat" : "expmap";
  for (int i = 0; i < general->count; i++) {
    if (!is(&general->rows[i], "input")) continue;
    ctiActuator a = {.input = d->ctrlspec};
    ctiOut out = {.region = w->region};
    cti_attr_format(&out, &general->rows[i], &a);
    return out.data;
  }
  return NULL;
}

static void write_general(ctiWriter* w, const ctiActuator* a, const ctiActuator* base, const char* around) {
  // a range that is written takes back one that is inherited, and the other way round
  bool inherits = a->inheritrange != 0, takes_back = !inherits && base->inheritrange != 0;
  bool other_inputs = a->drive.ctrlspec != base->drive.ctrlspec;
  for (int i = 0; i < general->count; i++) {
    const ctiAttr* row = &general->rows[i];
    bool needed = cti_write_needs(general, i, a, base);
    if (is(row, "ctrlrange") || is(row, "actrange"))
      needed = !inherits && (needed || (takes_back && is(row, "ctrlrange")));
    if (is(row, "inheritrange")) needed = inherits && needed;
    if (is(row, "gaintype")) needed = needed || (other_inputs && a->drive.ctrlspec == 0);
    if (is(row, "input")) {
      bool chosen_anew = a->drive.gaintype != base->drive.gaintype;
      if (a->drive.ctrlspec != 0 && (other_inputs || chosen_anew)) {
        const char* words = input_words(w, &a->drive);
        if (words) cti_write_text_attr(w, "input", words);
      }
      continue;
    }
    if (row->type == CTI_ATTR_CLASS && around) {
      const char* own = a->head.class_ ? a->head.class_ : "main";
      if (strcmp(own, around) != 0) cti_write_text_attr(w, "class", own);
    }
    if (needed) cti_write_row_from(w, row, a, base);
  }
}

void cti_write_actuator_default(ctiWriter* w, const ctiActuator* a, const ctiActuator* base) {
  cti_write_begin(w, "general");
  write_general(w, a, base, NULL);
  cti_write_end_or_drop(w, "general");
}

// ---- as a shortcut

// The rows that are written on the element itself.
static uint64_t rows_said(const ctiActuator* a, const ctiAttrTable* table, const ctiActuator* base) {
  uint64_t said = 0;
  for (int i = 0; i < table->count; i++) {
    bool given =
        is(&table->rows[i], "input") ? (a->head.given >> i & 1) != 0 : cti_write_needs(table, i, a, base);
    if (given) said |= (uint64_t)1 << i;
  }
  return said;
}

static bool names_row(const ctiAttrTable* table, uint64_t said, const char* name) {
  for (int i = 0; i < table->count; i++) {
    if ((said >> i & 1) && is(&table->rows[i], name)) return true;
  }
  return false;
}

// Read the rows back into a fresh actuator of the class, and compare.
static bool reads_back(const ctiActuator* a, uint64_t said, const ctiActuator* base) {
  const ctiAttrTable* table = a->head.attrs;
  if (names_row(table, said, "inheritrange") &&
      (names_row(table, said, "ctrlrange") || names_row(table, said, "actrange")))
    return false;
  ctiActuator back = *base;
  back.head = a->head;
  back.head.given = said;
  back.shortcut = a->shortcut;
  back.words = a->words;
  back.words_given = a->words_given;
  back.start = base->drive;
  back.start.made_by = CTI_SHORTCUT_GENERAL;
  for (int i = 0; i < table->count; i++) {
    if (said >> i & 1) cti_attr_copy(&table->rows[i], &back, a);
  }
  if (cti_actuator_relower(&back) != NULL || back.drive.ctrlspec != a->drive.ctrlspec) return false;
  for (int i = 0; i < general->count; i++) {
    const ctiAttr* row = &general->rows[i];
    if (row->type != CTI_ATTR_CLASS && !is(row, "input") && !cti_attr_same(row, &back, a)) return false;
  }
  return true;
}

void cti_write_actuator(ctiWriter* w, const ctiActuator* a) {
  const ctiActuator* base = &cti_write_class_of(w, &a->head)->actuator;
  const ctiAttrTable* table = a->head.attrs;
  uint64_t said = rows_said(a, table, base);
  if (a->shortcut != CTI_SHORTCUT_GENERAL && reads_back(a, said, base)) {
    cti_write_begin(w, a->head.tag);
    for (int i = 0; i < table->count; i++) {
      const ctiAttr* row = &table->rows[i];
      if (row->type == CTI_ATTR_CLASS && a->head.class_ && strcmp(a->head.class_, "main") != 0)
        cti_write_text_attr(w, "class", a->head.class_);
      if (said >> i & 1) cti_write_row_from(w, row, a, base);
    }
    for (int i = 0; i < a->head.more->count; i++) {
      if (a->words_given >> i & 1) cti_write_row(w, &a->head.more->rows[i], &a->words);
    }
    cti_write_end(w, a->head.tag);
    return;
  }
  // what the shortcut means without saying it
  ctiActuator said_so = *a;
  if (a->shortcut == CTI_SHORTCUT_DAMPER || a->shortcut == CTI_SHORTCUT_ADHESION)
    said_so.ctrllimited = CTI_TRUE;
  if (a->shortcut == CTI_SHORTCUT_DCMOTOR) said_so.actearly = true;
  if (a->shortcut == CTI_SHORTCUT_INTVELOCITY) said_so.actlimited = CTI_AUTO;
  cti_write_begin(w, "general");
  write_general(w, &said_so, base, "main");
  cti_write_end(w, "general");
}
