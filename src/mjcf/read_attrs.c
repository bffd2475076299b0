// Attributes into records: one reader a kind of value.
#include <float.h>
#include <math.h>
#include <string.h>

#include "mjcf/reader.h"

typedef ctStatus (*AttrReader)(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                               void* at);

static ctStatus read_reals(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  return cti_read_reals(at, NULL, e, a, row->min, row->max, r->err);
}

// What is kept in fewer bits must fit into them.
static ctStatus check_size(const ctiXml* e, const ctiXmlAttr* a, const double* values, int count, double most,
                           ctError* err) {
  for (int i = 0; i < count; i++) {
    if (fabs(values[i]) > most)
      return cti_xml_error(err, CT_ERR_INVALID, e, a, "%s: %g: number too large, the limit is %g", a->name,
                           values[i], most);
  }
  return CT_OK;
}

static ctStatus read_ctreals(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                             void* at) {
  double values[CTI_READ_MAX];
  int count;
  CT_TRY(cti_read_reals(values, &count, e, a, row->min, row->max, r->err));
  if (sizeof(ctReal) < sizeof(double)) CT_TRY(check_size(e, a, values, count, FLT_MAX, r->err));
  for (int i = 0; i < count; i++) ((ctReal*)at)[i] = (ctReal)values[i];
  return CT_OK;
}

static ctStatus read_floats(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  double values[CTI_READ_MAX];
  int count;
  CT_TRY(cti_read_reals(values, &count, e, a, row->min, row->max, r->err));
  CT_TRY(check_size(e, a, values, count, FLT_MAX, r->err));
  for (int i = 0; i < count; i++) ((float*)at)[i] = (float)values[i];
  return CT_OK;
}

static ctStatus read_ints(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  return cti_read_ints(at, NULL, e, a, row->min, row->max, INT32_MIN, INT32_MAX, r->err);
}

static ctStatus read_bool(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  return cti_read_bool(at, e, a, r->err);
}

static ctStatus read_flag(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  bool value;
  CT_TRY(cti_read_bool(&value, e, a, r->err));
  *(int*)at = value;
  return CT_OK;
}

static ctStatus read_keyword(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                             void* at) {
  return cti_read_keyword(at, e, a, row->keywords, row->nkeyword, row->what, r->err);
}

// The words of an ordered list, which are known to be in the table.
static ctStatus check_order(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row) {
  const char* cursor = a->value;
  ctiToken token;
  int last = -1, count = (int)cti_token_count(a->value);
  while (cti_token_next(&token, &cursor)) {
    int i = 0;
    size_t size = (size_t)(token.end - token.begin);
    while (strlen(row->keywords[i].text) != size || strncmp(row->keywords[i].text, token.begin, size) != 0)
      i++;
    if (i >= row->max && count > 1)
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "%s: \"%s\" stands alone", row->name,
                           row->keywords[i].text);
    if (i < last) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "%s: \"%s\" comes before \"%s\"", row->name,
                           row->keywords[i].text, row->keywords[last].text);
    }
    last = i;
  }
  return CT_OK;
}

static ctStatus read_flags(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  int value = *(const int*)at;
  CT_TRY(cti_read_flags(&value, e, a, row->keywords, row->nkeyword, row->what, r->err));
  if (row->rules & CTI_ATTR_ORDERED) CT_TRY(check_order(r, e, a, row));
  *(int*)at = value;
  return CT_OK;
}

static ctStatus read_degree(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  (void)row;
  static const ctiKeyword words[] = {{"radian", 0}, {"degree", 1}};
  int value;
  CT_TRY(cti_read_keyword(&value, e, a, words, 2, "unit of angle", r->err));
  *(bool*)at = value != 0;
  return CT_OK;
}

static ctStatus read_eulerseq(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                              void* at) {
  (void)row;
  return cti_read_chars(at, e, a, 3, "xyzXYZ", r->err);
}

static ctStatus read_text(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)e;
  (void)row;
  const char* text = cti_intern(&r->spec->strings, a->value);
  if (!text) return cti_error_memory(r->err);
  *(const char**)at = text;
  return CT_OK;
}

static ctStatus read_name(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  // an empty name is no name
  if (a->value[0] == 0) return CT_OK;
  return read_text(r, e, a, row, at);
}

static ctStatus read_list(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  (void)row;
  double* values;
  int count;
  CT_TRY(cti_read_real_list(&values, &count, r->spec->region, e, a, r->err));
  *(ctiReals*)at = (ctiReals){values, count};
  return CT_OK;
}

static ctStatus read_groups(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* at) {
  (void)row;
  int *groups, count, mask = 0;
  CT_TRY(cti_read_int_list(&groups, &count, r->spec->region, e, a, 0, 30, r->err));
  for (int i = 0; i < count; i++) mask |= 1 << groups[i];
  *(int*)at = mask;
  return CT_OK;
}

static ctStatus read_bit(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row, void* at) {
  static const ctiKeyword words[] = {{"disable", 0}, {"enable", 1}};
  int enable, bit = 1 << row->max;
  CT_TRY(cti_read_keyword(&enable, e, a, words, 2, "keyword", r->err));
  bool on = row->type == CTI_ATTR_ENABLE ? enable == 1 : enable == 0;
  *(int*)at = on ? *(int*)at | bit : *(int*)at & ~bit;
  return CT_OK;
}

static const AttrReader readers[] = {
    [CTI_ATTR_REAL] = read_reals,        [CTI_ATTR_CTREAL] = read_ctreals, [CTI_ATTR_FLOAT] = read_floats,
    [CTI_ATTR_INT] = read_ints,          [CTI_ATTR_BOOL] = read_bool,      [CTI_ATTR_FLAG] = read_flag,
    [CTI_ATTR_KEYWORD] = read_keyword,   [CTI_ATTR_DEGREE] = read_degree,  [CTI_ATTR_FLAGS] = read_flags,
    [CTI_ATTR_EULERSEQ] = read_eulerseq, [CTI_ATTR_TEXT] = read_text,      [CTI_ATTR_NAME] = read_name,
    [CTI_ATTR_LIST] = read_list,         [CTI_ATTR_GROUPS] = read_groups,  [CTI_ATTR_ENABLE] = read_bit,
    [CTI_ATTR_DISABLE] = read_bit,
};

ctStatus cti_mjcf_read_attr(ctiReader* r, const ctiXml* e, const ctiXmlAttr* a, const ctiAttr* row,
                            void* record) {
  return readers[row->type](r, e, a, row, (char*)record + row->offset);
}

static int find_row(const ctiAttrTable* table, const char* name) {
  for (int i = 0; i < table->count; i++) {
    if (strcmp(table->rows[i].name, name) == 0) return i;
  }
  return -1;
}

ctStatus cti_mjcf_read_attrs(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, void* record,
                             uint64_t* given) {
  uint64_t seen = 0;
  for (int i = 0; i < e->nattr; i++) {
    int k = find_row(table, e->attrs[i].name);
    // the document is valid: what is not in this table belongs to the element's other one
    if (k < 0 || table->rows[k].type == CTI_ATTR_CLASS) continue;
    const ctiAttr* row = &table->rows[k];
    CT_TRY(cti_mjcf_read_attr(r, e, &e->attrs[i], row, record));
    seen |= (uint64_t)1 << k;
  }
  for (int k = 0; k < table->count; k++) {
    bool required = (table->rows[k].rules & CTI_ATTR_REQUIRED) != 0;
    if (required && !(seen & (uint64_t)1 << k)) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "<%s> needs the attribute \"%s\"", e->name,
                           table->rows[k].name);
    }
  }
  if (given) *given |= seen;
  return CT_OK;
}

bool cti_mjcf_given(const ctiAttrTable* table, uint64_t given, const char* name) {
  int k = find_row(table, name);
  return k >= 0 && (given & (uint64_t)1 << k) != 0;
}

ctStatus cti_mjcf_read_orient(ctiReader* r, const ctiXml* e, ctiOrient* orient) {
  static const struct {
    const char* name;
    ctiOrientForm form;
  } forms[] = {{"quat", CTI_ORIENT_QUAT},
               {"axisangle", CTI_ORIENT_AXISANGLE},
               {"xyaxes", CTI_ORIENT_XYAXES},
               {"zaxis", CTI_ORIENT_ZAXIS},
               {"euler", CTI_ORIENT_EULER}};
  const char* first = NULL;
  for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
    const ctiXmlAttr* a = cti_xml_find(e, forms[i].name);
    if (!a) continue;
    if (first) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a,
                           "orientation is given twice, as \"%s\" and \"%s\": keep one", first, a->name);
    }
    first = a->name;
    orient->form = forms[i].form;
  }
  return CT_OK;
}
