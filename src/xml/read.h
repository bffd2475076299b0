// Typed values from attributes. Every reader takes an element and one of its attributes; an attribute that is
// NULL (absent) is CT_OK and leaves the output alone, so that defaults survive:
//   CT_TRY(cti_read_reals(joint->axis, NULL, e, cti_xml_find(e, "axis"), 3, 3, err));
// An error names the attribute, stands at its position, and says what is allowed; the output is untouched
// then.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "xml/parse.h"

// ---- the nearest spelling of a word, for messages

// A list of words: an array of `const char*`, or that member of an array of structs.
typedef struct ctiWords {
  const void* first;  // address of the first `const char*`
  int count;
  size_t stride;  // bytes from one to the next
} ctiWords;

#define CTI_WORDS(array, n)           ((ctiWords){(array), (n), sizeof((array)[0])})
#define CTI_WORDS_IN(array, n, field) ((ctiWords){&(array)[0].field, (n), sizeof((array)[0])})

const char* cti_words_at(ctiWords words, int i);

// The candidate closest to `word`, or NULL when none is close. A slip is a missing, extra, wrong or swapped
// character; one slip in three characters is close. Case does not count. Among equals the first wins.
const char* cti_suggest_in(const char* word, ctiWords words);

// The end of a message about a wrong word; returns `buffer`. The first lists the words, `: use plane, hfield,
// sphere`, when they are few, else it names the nearest, `; did you mean "sphere"?`; the second tries the
// nearest first. "" when neither helps.
char* cti_suggest_list_text(char* buffer, size_t size, const char* word, ctiWords words);
char* cti_suggest_nearest_text(char* buffer, size_t size, const char* word, ctiWords words);

// ---- readers

// Most numbers or keywords a reader with a fixed destination takes.
#define CTI_READ_MAX 64

// `min` to `max` finite numbers (max <= CTI_READ_MAX). `count` receives how many there were and may be NULL.
ctStatus cti_read_reals(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                        ctError* err);
// The same for a range, whose ends may be infinite.
ctStatus cti_read_range(double* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                        ctError* err);

// Any number of finite numbers, allocated in `region`.
ctStatus cti_read_real_list(double** out, int* count, ctiRegion* region, const ctiXml* e,
                            const ctiXmlAttr* attr, ctError* err);

// Whole numbers, each in [low, high]. "3.0" is whole, "3.5" is not.
ctStatus cti_read_ints(int* out, int* count, const ctiXml* e, const ctiXmlAttr* attr, int min, int max,
                       int low, int high, ctError* err);
ctStatus cti_read_int_list(int** out, int* count, ctiRegion* region, const ctiXml* e, const ctiXmlAttr* attr,
                           int low, int high, ctError* err);

// A word of a table and what it stands for.
typedef struct ctiKeyword {
  const char* text;
  int value;
} ctiKeyword;

// One keyword. `what` completes the sentence `"spher" is not a ...` ("geom type"); NULL: "keyword".
ctStatus cti_read_keyword(int* out, const ctiXml* e, const ctiXmlAttr* attr, const ctiKeyword* table, int n,
                          const char* what, ctError* err);

// Any number of keywords, each used once at most: their values or-ed together.
ctStatus cti_read_flags(int* out, const ctiXml* e, const ctiXmlAttr* attr, const ctiKeyword* table, int n,
                        const char* what, ctError* err);

// "true" or "false".
ctStatus cti_read_bool(bool* out, const ctiXml* e, const ctiXmlAttr* attr, ctError* err);

// Exactly `n` characters, each one of `allowed`; `out` has room for n + 1.
ctStatus cti_read_chars(char* out, const ctiXml* e, const ctiXmlAttr* attr, int n, const char* allowed,
                        ctError* err);

// Errors for what the tables do not know: unknown attribute "sizee" in <geom>; did you mean "size"?
ctStatus cti_read_unknown_attr(const ctiXml* e, const ctiXmlAttr* attr, ctiWords allowed, ctError* err);
// unknown element <jiont> in <body>; did you mean <joint>?
ctStatus cti_read_unknown_element(const ctiXml* e, ctiWords allowed, ctError* err);
