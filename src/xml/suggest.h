// The nearest spelling of a word, for messages.
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
const char* cti_suggest(const char* word, const char* const* candidates, int n);
const char* cti_suggest_in(const char* word, ctiWords words);

// The end of a message about a wrong word; returns `buffer`.
//   list first     ": use plane, hfield, sphere" when the list is short, else "; did you mean "sphere"?",
//   else "" nearest first  "; did you mean "size"?" when something is close, else ": use ..." when the list
//   is short, else ""
char* cti_suggest_list_text(char* buffer, size_t size, const char* word, ctiWords words);
char* cti_suggest_nearest_text(char* buffer, size_t size, const char* word, ctiWords words);
