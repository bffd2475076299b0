#include "spec/format.h"
#include "base/fn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Make room for `n` more bytes and the zero byte; what was written stays.
static void grow(ctiOut* out, size_t n) {
  if (!out->region || out->failed || out->length + n < out->size) return;
  size_t size = 2 * out->size > out->length + n + 1 ? 2 * out->size : out->length + n + 1;
  char* data = cti_region_alloc(out->region, size, 1);
  out->failed = !data;
  if (!data) return;
  if (out->length > 0) memcpy(data, out->data, out->length);
  out->data = data;
  out->size = size;
}

void cti_out_text(ctiOut* out, const char* text) {
  size_t n = strlen(text);
  grow(out, n);
  size_t room = out->size > out->length ? out->size - out->length - 1 : 0;
  if (room > 0) memcpy(out->data + out->length, text, n < room ? n : room);
  out->length += n;
  if (out->size > 0) out->data[out->length < out->size ? out->length : out->size - 1] = 0;
}

// With as many digits as it takes to read back as the same number.
static void put_number(ctiOut* out, double value, bool single) {
  char text[40];
  // the smallest numbers have fewer digits
  int first = fabs(value) < 1e-300 ? 1 : single ? 6 : 15;
  for (int digits = first; digits <= 17; digits++) {
    snprintf(text, sizeof(text), "%.*g", digits, value);
    // the C locale of the host may have another decimal point
    for (char* c = text; *c; c++) {
      if (!strchr("+-0123456789einfa", *c)) *c = '.';
    }
    double back = 0;
    if (cti_parse_real(text, NULL, &back) != CTI_NUMBER_OK) continue;
    if (single ? (float)back == (float)value : back == value) break;
  }
  cti_out_text(out, text);
}

void cti_out_real(ctiOut* out, double value) {
  put_number(out, value, false);
}

void cti_out_float(ctiOut* out, float value) {
  put_number(out, (double)value, true);
}

ctiOrient* cti_attr_orient(const ctiAttr* row, void* record, ctiOrientForm* form) {
  static const struct {
    const char* name;
    ctiOrientForm form;
    size_t offset;
    int count;
  } forms[] = {{"quat", CTI_ORIENT_QUAT, offsetof(ctiOrient, quat), 4},
               {"axisangle", CTI_ORIENT_AXISANGLE, offsetof(ctiOrient, axisangle), 4},
               {"xyaxes", CTI_ORIENT_XYAXES, offsetof(ctiOrient, xyaxes), 6},
               {"zaxis", CTI_ORIENT_ZAXIS, offsetof(ctiOrient, zaxis), 3},
               {"euler", CTI_ORIENT_EULER, offsetof(ctiOrient, euler), 3}};
  for (int i = 0; i < CT_COUNT_OF(forms); i++) {
    if (row->type != CTI_ATTR_REAL || row->max != forms[i].count || strcmp(row->name, forms[i].name) != 0)
      continue;
    *form = forms[i].form;
    return (ctiOrient*)(void*)((char*)record + row->offset - forms[i].offset);
  }
  return NULL;
}

int cti_attr_reals(const ctiAttr* row, const void* record, double* out, int max) {
  const void* at = (const char*)record + row->offset;
  const ctiReals* list = (const ctiReals*)at;
  int n = row->max > 0 ? row->max : 1;
  ctiOrientForm form;
  const ctiOrient* orient = cti_attr_orient(row, (void*)(uintptr_t)record, &form);
  if (orient && orient->form != form) return 0;
  if (row->type == CTI_ATTR_LIST) n = list->count;
  for (int i = 0; i < n; i++) {
    double value;
    switch (row->type) {
      case CTI_ATTR_REAL: value = ((const double*)at)[i]; break;
      case CTI_ATTR_CTREAL: value = (double)((const ctReal*)at)[i]; break;
      case CTI_ATTR_FLOAT: value = (double)((const float*)at)[i]; break;
      case CTI_ATTR_INT: value = ((const int*)at)[i]; break;
      case CTI_ATTR_LIST: value = list->data[i]; break;
      default: return -1;
    }
    // what is not said is NaN
    if (isnan(value)) return i;
    if (i < max) out[i] = value;
  }
  return n;
}

static void put_reals(ctiOut* out, const ctiAttr* row, const void* record, int n) {
  const void* at = (const char*)record + row->offset;
  for (int i = 0; i < n; i++) {
    double value = 0;
    if (row->type == CTI_ATTR_LIST) value = ((const ctiReals*)at)->data[i];
    if (row->type == CTI_ATTR_REAL) value = ((const double*)at)[i];
    if (row->type == CTI_ATTR_CTREAL) value = (double)((const ctReal*)at)[i];
    if (row->type == CTI_ATTR_FLOAT) value = (double)((const float*)at)[i];
    if (row->type == CTI_ATTR_INT) value = ((const int*)at)[i];
    if (i > 0) cti_out_text(out, " ");
    put_number(
        out, value,
        row->type == CTI_ATTR_FLOAT || (row->type == CTI_ATTR_CTREAL && sizeof(ctReal) == sizeof(float)));
  }
}

static bool put_keyword(ctiOut* out, const ctiAttr* row, int value) {
  for (int i = 0; i < row->nkeyword; i++) {
    if (row->keywords[i].value != value) continue;
    cti_out_text(out, row->keywords[i].text);
    return true;
  }
  return false;
}

static bool put_flags(ctiOut* out, const ctiAttr* row, int value) {
  bool any = false;
  if (value <= 0) return false;
  for (int i = 0; i < row->nkeyword && value; i++) {
    if (!(value & row->keywords[i].value)) continue;
    value &= ~row->keywords[i].value;
    if (any) cti_out_text(out, " ");
    cti_out_text(out, row->keywords[i].text);
    any = true;
  }
  return any;
}

static bool put_names(ctiOut* out, const ctiNames* names) {
  for (int i = 0; i < names->count; i++) {
    if (i > 0) cti_out_text(out, " ");
    cti_out_text(out, names->data[i]);
  }
  return names->count > 0;
}

static bool put_groups(ctiOut* out, int mask) {
  bool any = false;
  for (int i = 0; i <= 30; i++) {
    if (!(mask >> i & 1)) continue;
    if (any) cti_out_text(out, " ");
    cti_out_real(out, i);
    any = true;
  }
  return any;
}

size_t cti_attr_bytes(const ctiAttr* row) {
  const size_t n = row->max > 0 ? (size_t)row->max : 1;
  switch (row->type) {
    case CTI_ATTR_REAL: return n * sizeof(double);
    case CTI_ATTR_CTREAL: return n * sizeof(ctReal);
    case CTI_ATTR_FLOAT: return n * sizeof(float);
    case CTI_ATTR_INT: return n * sizeof(int);
    case CTI_ATTR_BOOL:
    case CTI_ATTR_DEGREE: return sizeof(bool);
    case CTI_ATTR_EULERSEQ: return 4;
    case CTI_ATTR_TEXT:
    case CTI_ATTR_NAME: return sizeof(char*);
    case CTI_ATTR_LIST: return sizeof(ctiReals);
    case CTI_ATTR_NAMES: return sizeof(ctiNames);
    case CTI_ATTR_CLASS: return 0;
    default: return sizeof(int);
  }
}

void cti_attr_copy(const ctiAttr* row, void* to, const void* from) {
  memcpy((char*)to + row->offset, (const char*)from + row->offset, cti_attr_bytes(row));
}

bool cti_attr_same(const ctiAttr* row, const void* a, const void* b) {
  const void *x = (const char*)a + row->offset, *y = (const char*)b + row->offset;
  switch (row->type) {
    case CTI_ATTR_TEXT:
    case CTI_ATTR_NAME: return cti_text_equal(*(const char* const*)x, *(const char* const*)y);
    case CTI_ATTR_ENABLE:
    case CTI_ATTR_DISABLE: return ((*(const int*)x ^ *(const int*)y) >> row->max & 1) == 0;
    case CTI_ATTR_LIST: {
      const ctiReals *p = x, *q = y;
      return p->count == q->count &&
             (p->count == 0 || memcmp(p->data, q->data, (size_t)p->count * sizeof(double)) == 0);
    }
    case CTI_ATTR_NAMES: {
      const ctiNames *p = x, *q = y;
      bool same = p->count == q->count;
      for (int i = 0; same && i < p->count; i++) same = cti_text_equal(p->data[i], q->data[i]);
      return same;
    }
    case CTI_ATTR_EULERSEQ: return strcmp(x, y) == 0;
    default: return memcmp(x, y, cti_attr_bytes(row)) == 0;
  }
}

bool cti_attr_format(ctiOut* out, const ctiAttr* row, const void* record) {
  return cti_attr_format_some(out, row, record, INT32_MAX);
}

bool cti_attr_format_some(ctiOut* out, const ctiAttr* row, const void* record, int count) {
  const void* at = (const char*)record + row->offset;
  const char* word = NULL;
  switch (row->type) {
    case CTI_ATTR_BOOL: word = *(const bool*)at ? "true" : "false"; break;
    case CTI_ATTR_FLAG: word = *(const int*)at ? "true" : "false"; break;
    case CTI_ATTR_DEGREE: word = *(const bool*)at ? "degree" : "radian"; break;
    case CTI_ATTR_EULERSEQ: word = (const char*)at; break;
    case CTI_ATTR_TEXT:
    case CTI_ATTR_NAME: word = *(const char* const*)at; break;
    case CTI_ATTR_ENABLE: word = *(const int*)at >> row->max & 1 ? "enable" : "disable"; break;
    case CTI_ATTR_DISABLE: word = *(const int*)at >> row->max & 1 ? "disable" : "enable"; break;
    case CTI_ATTR_KEYWORD: return put_keyword(out, row, *(const int*)at);
    case CTI_ATTR_FLAGS: return put_flags(out, row, *(const int*)at);
    case CTI_ATTR_GROUPS: return put_groups(out, *(const int*)at);
    case CTI_ATTR_NAMES: return put_names(out, at);
    case CTI_ATTR_CLASS: return false;
    default: {
      int n = cti_attr_reals(row, record, NULL, 0);
      if (n > count) n = count;
      put_reals(out, row, record, n);
      return n > 0;
    }
  }
  if (!word) return false;
  cti_out_text(out, word);
  return true;
}
