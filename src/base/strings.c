#include "base/strings.h"

#include <string.h>

bool cti_text_equal(const char* a, const char* b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

bool cti_text_equal_nocase(const char* a, const char* b) {
  if (!a || !b) return a == b;
  while (*a && cti_to_lower(*a) == cti_to_lower(*b)) a++, b++;
  return cti_to_lower(*a) == cti_to_lower(*b);
}

bool cti_text_starts(const char* text, const char* prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool cti_text_ends(const char* text, const char* suffix) {
  size_t n = strlen(text), k = strlen(suffix);
  return n >= k && memcmp(text + n - k, suffix, k) == 0;
}

int cti_utf8_length(const char* s, const char* end) {
  const unsigned char* u = (const unsigned char*)s;
  if (u[0] < 0x80) return 1;
  int n = u[0] >= 0xc2 && u[0] <= 0xdf ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4 : 0;
  if (n > end - s) return 0;
  for (int i = 1; i < n; i++) {
    if ((u[i] & 0xc0) != 0x80) return 0;
  }
  if (u[0] == 0xe0 && u[1] < 0xa0) return 0;
  if (u[0] == 0xed && u[1] > 0x9f) return 0;
  if (u[0] == 0xf0 && u[1] < 0x90) return 0;
  if (u[0] == 0xf4 && u[1] > 0x8f) return 0;
  return n;
}

int cti_xml_length(const char* s, const char* end) {
  int n = cti_utf8_length(s, end);
  bool control = n == 1 && (unsigned char)*s < ' ' && *s != '\t' && *s != '\n' && *s != '\r';
  bool nobody = n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0);
  return control || nobody ? 0 : n;
}

bool cti_token_next(ctiToken* token, const char** cursor) {
  const char* p = *cursor;
  while (cti_is_space(*p)) p++;
  token->begin = p;
  while (*p && !cti_is_space(*p)) p++;
  token->end = p;
  *cursor = p;
  return token->end > token->begin;
}

size_t cti_token_count(const char* text) {
  ctiToken token;
  size_t count = 0;
  while (cti_token_next(&token, &text)) count++;
  return count;
}

void cti_strings_init(ctiStrings* pool, ctiRegion* region) {
  pool->region = region;
  cti_names_init(&pool->map, cti_region_allocator(region));
}

const char* cti_intern_sized(ctiStrings* pool, const char* text, size_t size) {
  const ctiNameSlot* slot = cti_names_lookup(&pool->map, text, size);
  if (slot) return slot->name;
  const char* copy = cti_region_strndup(pool->region, text, size);
  if (!copy || cti_names_add_sized(&pool->map, copy, size, pool->map.count) != CT_OK) return NULL;
  return copy;
}

const char* cti_intern(ctiStrings* pool, const char* text) {
  return cti_intern_sized(pool, text, strlen(text));
}
