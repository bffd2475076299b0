// Readers of words: keywords, truth values, names; and the errors for words that nobody knows.
#include <stdio.h>
#include <string.h>

#include "xml/read_common.h"

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

ctStatus cti_read_keywords(int* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                           const ctiKeyword* table, int n, const char* what, ctError* err) {
  if (!attr) return CT_OK;
  CT_TRY(cti_read_check_request(e, attr, min, max, err));
  int values[CTI_READ_MAX], used = 0;
  size_t words = cti_token_count(attr->value);
  CT_TRY(cti_read_check_count(e, attr, min, max, "word", words, err));
  const char* cursor = attr->value;
  for (ctiToken token; cti_token_next(&token, &cursor);) {
    int index = 0;
    CT_TRY(parse_keyword(&index, &token, e, attr, table, n, what, err));
    values[used++] = table[index].value;
  }
  if (used > 0) memcpy(out, values, (size_t)used * sizeof(*out));
  if (count) *count = used;
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

ctStatus cti_read_text(const char** out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err) {
  (void)e, (void)err;  // every text is fine
  if (attr) *out = attr->value;
  return CT_OK;
}

ctStatus cti_read_name(const char** out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err) {
  if (attr && !attr->value[0]) {
    return cti_xml_error(err, CT_ERR_INVALID, e, attr, "%s: must not be empty", attr->name);
  }
  return cti_read_text(out, e, attr, err);
}

ctStatus cti_read_word_list(const char*** out, int* count, ctiRegion* region, const ctiXml* e,
                            const ctiXmlAttr* attr, ctError* err) {
  (void)e;
  if (!attr) return CT_OK;
  size_t n = cti_token_count(attr->value);  // fits an int: the text has at most 1 GiB
  const char** words = CTI_NEW_ARRAY(region, const char*, n);
  if (!words) return cti_error_memory(err);
  const char* cursor = attr->value;
  ctiToken token;
  for (size_t i = 0; cti_token_next(&token, &cursor); i++) {
    words[i] = cti_region_strndup(region, token.begin, (size_t)(token.end - token.begin));
    if (!words[i]) return cti_error_memory(err);
  }
  *out = words;
  *count = (int)n;
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
