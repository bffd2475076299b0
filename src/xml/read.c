#include <limits.h>
#include <string.h>

#include "xml/read_common.h"

ctStatus cti_read_check_request(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, ctError* err) {
  if (min >= 0 && min <= max && max <= CTI_READ_MAX) return CT_OK;
  return cti_xml_error(err, CT_ERR_ARGUMENT, e, attr, "%s: a reader asks for %d to %d values, the most is %d",
                       attr->name, min, max, CTI_READ_MAX);
}

ctStatus cti_read_check_count(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, const char* noun,
                              size_t got, ctError* err) {
  if (got >= (size_t)min && got <= (size_t)max) return CT_OK;
  const char* plural = max == 1 ? "" : "s";
  if (min == max) {
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: expected %d %s%s, got %zu", attr->name, max, noun,
                         plural, got);
  }
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: expected %d to %d %s%s, got %zu", attr->name, min,
                       max, noun, plural, got);
}

ctStatus cti_read_require(const ctiXmlAttr** out, const ctiXml* e, const char* name, ctError* err) {
  const ctiXmlAttr* attr = cti_xml_find(e, name);
  if (!attr) {
    return cti_xml_error(err, CT_ERR_INVALID, e, NULL, "element <%s> needs the attribute \"%s\"", e->name,
                         name);
  }
  *out = attr;
  return CT_OK;
}

// ---- reals ----

static ctStatus parse_real(double* out, const ctiToken* token, const ctiXml* e, const ctiXmlAttr* attr,
                           ctError* err) {
  char text[CTI_READ_SHOWN];
  double value = 0;
  switch (cti_parse_real(token->begin, token->end, &value)) {
    case CTI_NUMBER_OK: *out = value; return CT_OK;
    case CTI_NUMBER_TOO_LARGE:
      return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s: number too large", attr->name,
                           cti_read_shown(text, token));
    case CTI_NUMBER_INF:
    case CTI_NUMBER_NAN:
      return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s is not allowed", attr->name,
                           cti_read_shown(text, token));
    case CTI_NUMBER_BAD: break;
  }
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: '%s' is not a number", attr->name,
                       cti_read_shown(text, token));
}

ctStatus cti_read_reals(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                        ctError* err) {
  if (!attr) return CT_OK;
  CT_TRY(cti_read_check_request(e, attr, min, max, err));
  double values[CTI_READ_MAX];
  size_t n = 0;
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor); n++) {
    if (n < (size_t)max) CT_TRY(parse_real(&values[n], &token, e, attr, err));
  }
  CT_TRY(cti_read_check_count(e, attr, min, max, "number", n, err));
  if (n > 0) memcpy(out, values, n * sizeof(*out));
  if (count) *count = (int)n;
  return CT_OK;
}

ctStatus cti_read_real(double* out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err) {
  return cti_read_reals(out, NULL, e, attr, 1, 1, err);
}

// Tokens of a list without bound, as far as an int can count them.
static ctStatus list_length(int* out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err) {
  size_t n = cti_token_count(attr->value);
  if (n > INT_MAX) return cti_xml_error(err, CT_ERR_LIMIT, e, attr, "%s: the list is too long", attr->name);
  *out = (int)n;
  return CT_OK;
}

ctStatus cti_read_real_list(double** out, int* count, ctiRegion* region, const ctiXml* e,
                            const ctiXmlAttr* attr, ctError* err) {
  if (!attr) return CT_OK;
  int n = 0;
  CT_TRY(list_length(&n, e, attr, err));
  double* values = CTI_NEW_ARRAY(region, double, n);
  if (!values) return cti_error_memory(err);
  const char* cursor = attr->value;
  ctiToken token;
  for (int i = 0; cti_token_next(&token, &cursor); i++) CT_TRY(parse_real(&values[i], &token, e, attr, err));
  *out = values;
  *count = n;
  return CT_OK;
}

// ---- whole numbers ----

static ctStatus range_error(const ctiToken* token, const ctiXml* e, const ctiXmlAttr* attr, int low, int high,
                            ctError* err) {
  char text[CTI_READ_SHOWN];
  cti_read_shown(text, token);
  if (high == INT_MAX && low > INT_MIN) {
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s is out of range, allowed are %d and more",
                         attr->name, text, low);
  }
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s is out of range, allowed are %d to %d",
                       attr->name, text, low, high);
}

static ctStatus parse_int(int* out, const ctiToken* token, const ctiXml* e, const ctiXmlAttr* attr, int low,
                          int high, ctError* err) {
  char text[CTI_READ_SHOWN];
  int64_t value = 0;
  ctiNumber result = cti_parse_int(token->begin, token->end, &value);
  if (result == CTI_NUMBER_BAD) {  // written as a real number it may still be whole
    double real = 0;
    result = cti_parse_real(token->begin, token->end, &real);
    bool huge = result == CTI_NUMBER_TOO_LARGE || real >= 0x1p62 || real <= -0x1p62;
    if (result == CTI_NUMBER_OK && huge) result = CTI_NUMBER_TOO_LARGE;
    if (result == CTI_NUMBER_OK) value = (int64_t)real;
    if (result == CTI_NUMBER_OK && (double)value != real) result = CTI_NUMBER_BAD;
  }
  if (result == CTI_NUMBER_TOO_LARGE) return range_error(token, e, attr, low, high, err);
  if (result != CTI_NUMBER_OK) {
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s is not a whole number", attr->name,
                         cti_read_shown(text, token));
  }
  if (value < low || value > high) return range_error(token, e, attr, low, high, err);
  *out = (int)value;
  return CT_OK;
}

ctStatus cti_read_ints(int* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                       int low, int high, ctError* err) {
  if (!attr) return CT_OK;
  CT_TRY(cti_read_check_request(e, attr, min, max, err));
  int values[CTI_READ_MAX];
  size_t n = 0;
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor); n++) {
    if (n < (size_t)max) CT_TRY(parse_int(&values[n], &token, e, attr, low, high, err));
  }
  CT_TRY(cti_read_check_count(e, attr, min, max, "whole number", n, err));
  if (n > 0) memcpy(out, values, n * sizeof(*out));
  if (count) *count = (int)n;
  return CT_OK;
}

ctStatus cti_read_int(int* out, const ctiXml* e, const ctiXmlAttr* attr, int low, int high, ctError* err) {
  return cti_read_ints(out, NULL, e, attr, 1, 1, low, high, err);
}

ctStatus cti_read_int_list(int** out, int* count, ctiRegion* region, const ctiXml* e, const ctiXmlAttr* attr,
                           int low, int high, ctError* err) {
  if (!attr) return CT_OK;
  int n = 0;
  CT_TRY(list_length(&n, e, attr, err));
  int* values = CTI_NEW_ARRAY(region, int, n);
  if (!values) return cti_error_memory(err);
  const char* cursor = attr->value;
  ctiToken token;
  for (int i = 0; cti_token_next(&token, &cursor); i++) {
    CT_TRY(parse_int(&values[i], &token, e, attr, low, high, err));
  }
  *out = values;
  *count = n;
  return CT_OK;
}
