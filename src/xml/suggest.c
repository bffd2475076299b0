#include "xml/suggest.h"

#include <stdio.h>
#include <string.h>

#include "base/strings.h"

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

const char* cti_suggest(const char* word, const char* const* candidates, int n) {
  return cti_suggest_in(word, CTI_WORDS(candidates, n));
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
