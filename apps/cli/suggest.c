#include "suggest.h"

#include <string.h>

#define LONGEST 40

// Number of letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
static int distance(const char* a, const char* b) {
  int na = (int)strlen(a), nb = (int)strlen(b);
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  int rows[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= na; i++) rows[i][0] = i;
  for (int j = 0; j <= nb; j++) rows[0][j] = j;
  for (int i = 1; i <= na; i++) {
    for (int j = 1; j <= nb; j++) {
      int best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (rows[i - 1][j] + 1 < best) best = rows[i - 1][j] + 1;
      if (rows[i][j - 1] + 1 < best) best = rows[i][j - 1] + 1;
      int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && rows[i - 2][j - 2] + 1 < best) best = rows[i - 2][j - 2] + 1;
      rows[i][j] = best;
    }
  }
  return rows[na][nb];
}

const char* cli_suggest(const char* word, const char* const* known, int count) {
  const char* nearest = NULL;
  int least = 1 + (int)strlen(word) / 3;  // short words allow one slip, long ones a few
  for (int i = 0; i < count; i++) {
    int d = distance(word, known[i]);
    if (d <= least && (!nearest || d < least)) {
      least = d;
      nearest = known[i];
    }
  }
  return nearest;
}
