#include "xml/read.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/strings.h"

// ---- the nearest spelling of a word

enum {
  LONGEST = 63,  // words beyond this are not compared: no name in any table is that long
  SHORT_LIST = 12,
};

const char* cti_words_at(ctiWords words, int i) {
  const char* word;
  memcpy(&word, (const char*)words.first + (size_t)i * words.stride, sizeof(word));
  return word;
}

static int min3(int a, int b, int c) {
  int m = a < b ? a : b;
  return m < c ? m : c;
}

// Slips between two words: fewest insertions, deletions, substitutions and swaps of neighbours, letting no
// character take part twice. Row by row over `b`, with two earlier rows kept for swaps.
static int distance(const char* a, int na, const char* b, int nb) {
  int rows[3][LONGEST + 1];
  for (int j = 0; j <= nb; j++) rows[0][j] = j;
  for (int i = 1; i <= na; i++) {
    int* row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    char ai = cti_to_lower(a[i - 1]);
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      char bj = cti_to_lower(b[j - 1]);
      row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ai != bj));
      bool swapped = i > 1 && j > 1 && ai == cti_to_lower(b[j - 2]) && bj == cti_to_lower(a[i - 2]);
      if (swapped && above2[j - 2] + 1 < row[j]) row[j] = above2[j - 2] + 1;
    }
  }
  return rows[na % 3][nb];
}

const char* cti_suggest_in(const char* word, ctiWords words) {
  size_t length = strlen(word);
  if (length > LONGEST) return NULL;
  int allowed = length < 3 ? 1 : (int)length / 3;
  const char* best = NULL;
  int best_distance = allowed + 1;
  for (int i = 0; i < words.count; i++) {
    const char* candidate = cti_words_at(words, i);
    size_t n = strlen(candidate);
    if (n > LONGEST || n > length + (size_t)allowed || length > n + (size_t)allowed) continue;
    int d = distance(word, (int)length, candidate, (int)n);
    bool shares = (size_t)d < length && (size_t)d < n;  // at least one character is the same
    if (d < best_distance && (d == 0 || shares)) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

// ": use a, b, c" if the list is short; false otherwise.
static bool write_list(char* buffer, size_t size, ctiWords words) {
  if (words.count > SHORT_LIST || words.count == 0) return false;
  size_t used = 0;
  for (int i = 0; i < words.count && used < size; i++) {
    int n = snprintf(buffer + used, size - used, "%s%s", i == 0 ? ": use " : ", ", cti_words_at(words, i));
    used += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static bool write_nearest(char* buffer, size_t size, const char* word, ctiWords words) {
  const char* nearest = cti_suggest_in(word, words);
  if (!nearest) return false;
  snprintf(buffer, size, "; did you mean \"%s\"?", nearest);
  return true;
}

char* cti_suggest_list_text(char* buffer, size_t size, const char* word, ctiWords words) {
  buffer[0] = 0;
  if (!write_list(buffer, size, words)) write_nearest(buffer, size, word, words);
  return buffer;
}

char* cti_suggest_nearest_text(char* buffer, size_t size, const char* word, ctiWords words) {
  buffer[0] = 0;
  if (!write_nearest(buffer, size, word, words)) write_list(buffer, size, words);
  return buffer;
}

// ---- numbers

// What the readers of numbers and the readers of words share.
#define CTI_READ_SHOWN 60  // bytes of the user's text that a message repeats

// The beginning of a token, fit for a message.
static inline const char* cti_read_shown(char out[CTI_READ_SHOWN], const ctiToken* token) {
  return cti_copy_head_sized(out, CTI_READ_SHOWN, token->begin, (size_t)(token->end - token->begin));
}

// CT_ERR_ARGUMENT when a reader is asked for more values than fit: a bug of its caller, heard of in every
// build.
static ctStatus check_request(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, ctError* err) {
  if (min >= 0 && min <= max && max <= CTI_READ_MAX) return CT_OK;
  return cti_xml_error(err, CT_ERR_ARGUMENT, e, attr, "%s: a reader asks for %d to %d values, the most is %d",
                       attr->name, min, max, CTI_READ_MAX);
}

// CT_ERR_INVALID unless min <= got <= max: "size: expected 1 to 3 numbers, got 4".
static ctStatus check_count(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, const char* noun,
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

// ---- reals

static ctStatus parse_real(double* out, const ctiToken* token, bool infinite, const ctiXml* e,
                           const ctiXmlAttr* attr, ctError* err) {
  char text[CTI_READ_SHOWN];
  double value = 0;
  switch (cti_parse_real(token->begin, token->end, &value)) {
    case CTI_NUMBER_OK: *out = value; return CT_OK;
    case CTI_NUMBER_TOO_LARGE:
      return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s: number too large", attr->name,
                           cti_read_shown(text, token));
    case CTI_NUMBER_INF:
      if (infinite) {
        *out = value;
        return CT_OK;
      }
    // fall through
    case CTI_NUMBER_NAN:
      return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: %s is not allowed: numbers are finite",
                           attr->name, cti_read_shown(text, token));
    case CTI_NUMBER_BAD: break;
  }
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: '%s' is not a number", attr->name,
                       cti_read_shown(text, token));
}

static ctStatus read_reals(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                           bool infinite, ctError* err) {
  if (!attr) return CT_OK;
  CT_TRY(check_request(e, attr, min, max, err));
  double values[CTI_READ_MAX];
  size_t n = 0;
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor); n++) {
    if (n < (size_t)max) CT_TRY(parse_real(&values[n], &token, infinite, e, attr, err));
  }
  CT_TRY(check_count(e, attr, min, max, "number", n, err));
  if (n > 0) memcpy(out, values, n * sizeof(*out));
  if (count) *count = (int)n;
  return CT_OK;
}

ctStatus cti_read_reals(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                        ctError* err) {
  return read_reals(out, count, e, attr, min, max, false, err);
}

ctStatus cti_read_range(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                        ctError* err) {
  return read_reals(out, count, e, attr, min, max, true, err);
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
  for (int i = 0; cti_token_next(&token, &cursor); i++)
    CT_TRY(parse_real(&values[i], &token, false, e, attr, err));
  *out = values;
  *count = n;
  return CT_OK;
}

// ---- whole numbers

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
  CT_TRY(check_request(e, attr, min, max, err));
  int values[CTI_READ_MAX];
  size_t n = 0;
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor); n++) {
    if (n < (size_t)max) CT_TRY(parse_int(&values[n], &token, e, attr, low, high, err));
  }
  CT_TRY(check_count(e, attr, min, max, "whole number", n, err));
  if (n > 0) memcpy(out, values, n * sizeof(*out));
  if (count) *count = (int)n;
  return CT_OK;
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

// ---- words

enum { SHOWN = CTI_READ_SHOWN, HELP = 400 };  // bytes of the user's word, and of the advice, in a message

static const char* article(const char* noun) {
  return noun[0] && strchr("aeiou", noun[0]) ? "an" : "a";
}

static ctStatus parse_keyword(int* index, const ctiToken* token, const ctiXml* e, const ctiXmlAttr* attr,
                              const ctiKeyword* table, int n, const char* what, ctError* err) {
  size_t length = (size_t)(token->end - token->begin);
  for (int i = 0; i < n; i++) {
    if (strlen(table[i].text) == length && memcmp(table[i].text, token->begin, length) == 0) {
      *index = i;
      return CT_OK;
    }
  }
  char word[SHOWN], help[HELP];
  cti_read_shown(word, token);
  cti_suggest_list_text(help, sizeof(help), word, CTI_WORDS_IN(table, n, text));
  if (!what) what = "keyword";
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: \"%s\" is not %s %s%s", attr->name, word,
                       article(what), what, help);
}

// The value without white space around it.
static ctiToken whole_value(const ctiXmlAttr* attr) {
  ctiToken token = {attr->value, attr->value + strlen(attr->value)};
  while (token.begin < token.end && cti_is_space(*token.begin)) token.begin++;
  while (token.end > token.begin && cti_is_space(token.end[-1])) token.end--;
  return token;
}

ctStatus cti_read_keyword(int* out, const ctiXml* e, const ctiXmlAttr* attr, const ctiKeyword* table, int n,
                          const char* what, ctError* err) {
  if (!attr) return CT_OK;
  int index = 0;
  ctiToken token = whole_value(attr);
  CT_TRY(parse_keyword(&index, &token, e, attr, table, n, what, err));
  *out = table[index].value;
  return CT_OK;
}

ctStatus cti_read_flags(int* out, const ctiXml* e, const ctiXmlAttr* attr, const ctiKeyword* table, int n,
                        const char* what, ctError* err) {
  if (!attr) return CT_OK;
  int mask = 0;
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor);) {
    int index = 0;
    CT_TRY(parse_keyword(&index, &token, e, attr, table, n, what, err));
    if (table[index].value & mask) {
      return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: \"%s\" is given twice", attr->name,
                           table[index].text);
    }
    mask |= table[index].value;
  }
  *out = mask;
  return CT_OK;
}

ctStatus cti_read_bool(bool* out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err) {
  if (!attr) return CT_OK;
  char word[SHOWN];
  ctiToken token = whole_value(attr);
  cti_read_shown(word, &token);
  bool yes = strcmp(word, "true") == 0;
  if (!yes && strcmp(word, "false") != 0) {
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: \"%s\" is not allowed: use true, false",
                         attr->name, word);
  }
  *out = yes;
  return CT_OK;
}

ctStatus cti_read_chars(char* out, const ctiXml* e, const ctiXmlAttr* attr, int n, const char* allowed,
                        ctError* err) {
  if (!attr) return CT_OK;
  ctiToken token = whole_value(attr);
  bool good = token.end - token.begin == n;
  for (const char* p = token.begin; p < token.end && good; p++) good = strchr(allowed, *p) != NULL;
  if (!good) {
    char word[SHOWN];
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: expected %d characters out of \"%s\", got \"%s\"",
                         attr->name, n, allowed, cti_read_shown(word, &token));
  }
  memcpy(out, token.begin, (size_t)n);
  out[n] = 0;
  return CT_OK;
}

ctStatus cti_read_unknown_attr(const ctiXml* e, const ctiXmlAttr* attr, ctiWords allowed, ctError* err) {
  char help[HELP], word[SHOWN];
  cti_copy_head(word, sizeof(word), attr->name);
  cti_suggest_nearest_text(help, sizeof(help), attr->name, allowed);
  return cti_xml_error(err, CT_ERR_INVALID, e, attr, "unknown attribute \"%s\" in <%s>%s", word, e->name,
                       help);
}

ctStatus cti_read_unknown_element(const ctiXml* e, ctiWords allowed, ctError* err) {
  char help[HELP] = "", word[SHOWN], place[SHOWN + 8] = "";
  cti_copy_head(word, sizeof(word), e->name);
  if (e->parent) snprintf(place, sizeof(place), " in <%.*s>", SHOWN, e->parent->name);
  const char* nearest = cti_suggest_in(e->name, allowed);
  if (nearest) {
    snprintf(help, sizeof(help), "; did you mean <%s>?", nearest);
  } else {
    cti_suggest_nearest_text(help, sizeof(help), e->name, allowed);
  }
  return cti_xml_error(err, CT_ERR_INVALID, e, NULL, "unknown element <%s>%s%s", word, place, help);
}
