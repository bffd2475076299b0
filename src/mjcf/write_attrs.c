// Spec -> text: tags and attributes.
#include "base/fn.h"
#include "mjcf/write.h"

#include <string.h>

static void put(ctiWriter* w, const char* text) {
  cti_out_text(&w->out, text);
}

static void indent(ctiWriter* w) {
  if (w->out.length > 0) put(w, "\n");
  for (int i = 0; i < w->depth; i++) put(w, "  ");
}

void cti_write_begin(ctiWriter* w, const char* tag) {
  w->outer[1] = w->outer[0];
  w->outer[0] = w->tag;
  w->tag.begun = w->out.length;
  if (w->tag.open) put(w, ">");
  indent(w);
  put(w, "<");
  put(w, tag);
  w->tag.bare = w->out.length;
  w->tag.open = true;
  w->depth++;
}

void cti_write_end(ctiWriter* w, const char* tag) {
  w->depth--;
  if (w->tag.open) {
    put(w, "/>");
  } else {
    indent(w);
    put(w, "</");
    put(w, tag);
    put(w, ">");
  }
  w->tag.open = false;
}

void cti_write_end_or_drop(ctiWriter* w, const char* tag) {
  if (!w->tag.open || w->out.length != w->tag.bare) {
    cti_write_end(w, tag);
    return;
  }
  w->depth--;
  w->out.length = w->tag.begun;
  if (w->out.size > w->out.length) w->out.data[w->out.length] = 0;
  w->tag = w->outer[0];
  w->outer[0] = w->outer[1];
}

// Text between quotes. Line breaks and tabs would come back as blanks.
static void put_escaped(ctiWriter* w, const char* text) {
  static const struct {
    char c;
    const char* as;
  } special[] = {{'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},  {'"', "&quot;"},
                 {'\n', "&#10;"}, {'\t', "&#9;"}, {'\r', "&#13;"}};
  while (*text) {
    size_t plain = strcspn(text, "&<>\"\n\t\r");
    char part[256];
    if (plain > sizeof(part) - 1) plain = sizeof(part) - 1;
    memcpy(part, text, plain);
    part[plain] = 0;
    put(w, part);
    text += plain;
    for (int i = 0; i < CT_COUNT_OF(special); i++) {
      if (*text != special[i].c) continue;
      put(w, special[i].as);
      text++;
      break;
    }
  }
}

void cti_write_text_attr(ctiWriter* w, const char* name, const char* text) {
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  put_escaped(w, text);
  put(w, "\"");
}

static void write_numbers(ctiWriter* w, const ctiAttr* row, const void* record, int count) {
  put(w, " ");
  put(w, row->name);
  put(w, "=\"");
  cti_attr_format_some(&w->out, row, record, count);
  put(w, "\"");
}

void cti_write_row(ctiWriter* w, const ctiAttr* row, const void* record) {
  if (row->type == CTI_ATTR_TEXT || row->type == CTI_ATTR_NAME) {
    const char* text = *(const char* const*)(const void*)((const char*)record + row->offset);
    if (text) cti_write_text_attr(w, row->name, text);
    return;
  }
  if (row->type == CTI_ATTR_NAMES) {
    ctiOut names = {.region = w->region};
    if (cti_attr_format(&names, row, record) && names.data) cti_write_text_attr(w, row->name, names.data);
    return;
  }
  ctiOut none = {0};
  if (cti_attr_format_some(&none, row, record, 1)) write_numbers(w, row, record, INT32_MAX);
}

// How many numbers must be said: those behind are the same in `base`. One that stands for all must not be
// alone.
static int numbers_needed(const ctiAttr* row, const void* record, const void* base) {
  double ours[CTI_READ_MAX], theirs[CTI_READ_MAX];
  if (row->max <= row->min || row->max > CTI_READ_MAX || (row->rules & CTI_ATTR_REPEAT)) return INT32_MAX;
  int n = cti_attr_reals(row, record, ours, CTI_READ_MAX),
      m = cti_attr_reals(row, base, theirs, CTI_READ_MAX);
  if (n < 0) return INT32_MAX;
  while (n > row->min && n <= m && memcmp(&ours[n - 1], &theirs[n - 1], sizeof(double)) == 0) n--;
  return n;
}

void cti_write_row_from(ctiWriter* w, const ctiAttr* row, const void* record, const void* base) {
  int count = numbers_needed(row, record, base);
  if (count == INT32_MAX) {
    cti_write_row(w, row, record);
  } else {
    write_numbers(w, row, record, count);
  }
}

// An earlier row for the same member, or of the same name.
static bool repeats(const ctiAttrTable* table, int i) {
  const ctiAttr* row = &table->rows[i];
  bool bit = row->type == CTI_ATTR_ENABLE || row->type == CTI_ATTR_DISABLE;
  for (int k = 0; k < i && !bit; k++) {
    if (table->rows[k].offset == row->offset && table->rows[k].type == row->type) return true;
    if (strcmp(table->rows[k].name, row->name) == 0) return true;
  }
  return false;
}

// Rows that are written in another way, or not at all.
static bool left_out(const ctiAttrTable* table, const ctiAttr* row, const void* record) {
  if (row->type == CTI_ATTR_CLASS) return true;
  if (row->refers == CTI_REFERS_CLASS) return true;
  // an old word for the type
  if (table == &cti_attrs_light && strcmp(row->name, "directional") == 0) return true;
  // the sensor decides
  if (table == &cti_attrs_camera && strcmp(row->name, "fovy") == 0)
    return ((const ctiCamera*)record)->sensorsize[0] > 0;
  return false;
}

bool cti_write_needs(const ctiAttrTable* table, int i, const void* record, const void* base) {
  const ctiAttr* row = &table->rows[i];
  if (left_out(table, row, record) || repeats(table, i)) return false;
  if (row->rules & CTI_ATTR_REQUIRED) return true;
  ctiOrientForm form;
  const ctiOrient* ours = cti_attr_orient(row, (void*)(uintptr_t)record, &form);
  if (!ours) return !cti_attr_same(row, record, base);
  const ctiOrient* theirs = cti_attr_orient(row, (void*)(uintptr_t)base, &form);
  return ours->form == form && (theirs->form != form || !cti_attr_same(row, record, base));
}

void cti_write_attrs(ctiWriter* w, const ctiAttrTable* table, const void* record, const void* base,
                     const char* around) {
  for (int i = 0; table && i < table->count; i++) {
    const ctiAttr* row = &table->rows[i];
    if (row->type == CTI_ATTR_CLASS && around) {
      const char* own = ((const ctiElement*)record)->class_;
      if (!own) own = "main";
      if (strcmp(own, around) != 0) cti_write_text_attr(w, "class", own);
    }
    if (!cti_write_needs(table, i, record, base)) continue;
    cti_write_row_from(w, row, record, base);
  }
}
