// Text without the C locale: hashes, maps from names to numbers, comparisons, tokens, and a pool that keeps
// one copy of every text.
#pragma once

#include "base/alloc.h"
#include "base/number.h"
#include "corten/error.h"

// 64-bit FNV-1a: the same on every machine, in every run.
uint64_t cti_hash_bytes(const void* bytes, size_t size);
uint64_t cti_hash_text(const char* text);

// The sum that guards binary files, of many bytes at a time.
uint64_t cti_checksum(const void* bytes, size_t size);

// One name. Names are borrowed: they must outlive the map. `name` NULL marks an unused slot.
typedef struct ctiNameSlot {
  uint64_t hash;
  const char* name;
  size_t size;
  int value;
} ctiNameSlot;

// Open addressing; what is found depends on the names alone, never on addresses.
typedef struct ctiNameMap {
  const ctAllocator* allocator;
  ctiNameSlot* slots;
  int count;
  int capacity;  // a power of two, or 0
} ctiNameMap;

// An empty map; takes no memory until the first name. `a` may come from cti_region_allocator().
void cti_names_init(ctiNameMap* map, const ctAllocator* a);
void cti_names_free(ctiNameMap* map);

// Add a name. CT_ERR_INVALID when it is there already (the first value stays), or CT_ERR_MEMORY.
ctStatus cti_names_add(ctiNameMap* map, const char* name, int value);
ctStatus cti_names_add_sized(ctiNameMap* map, const char* name, size_t size, int value);

// The value of a name, or -1; NULL is no name.
int cti_names_find(const ctiNameMap* map, const char* name);

// The slot of a name given by start and size, or NULL. Valid until the next add.
const ctiNameSlot* cti_names_lookup(const ctiNameMap* map, const char* name, size_t size);

// ---- text

// Text without the C locale: comparisons, tokens, and a pool that keeps one copy of every text.

// Blank, tab, line feed, vertical tab, form feed, carriage return.
static inline bool cti_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// ASCII only: other bytes are returned as they are.
static inline char cti_to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Two NULLs are equal; NULL differs from every text.
bool cti_text_equal(const char* a, const char* b);
bool cti_text_equal_nocase(const char* a, const char* b);
bool cti_text_starts(const char* text, const char* prefix);

// Length of the UTF-8 character at `s`, or 0 if the bytes are none. Over-long forms, surrogates and values
// past U+10FFFF are none.
int cti_utf8_length(const char* s, const char* end);
// The same, and 0 for characters that XML does not have: most control characters, U+FFFE and U+FFFF.
int cti_xml_length(const char* s, const char* end);

// A piece of a longer text.
typedef struct ctiToken {
  const char* begin;
  const char* end;
} ctiToken;

// The next run of characters that are not white space; moves `*cursor` behind it. False at the end of the
// text.
bool cti_token_next(ctiToken* token, const char** cursor);

// How many tokens a text has.
size_t cti_token_count(const char* text);

// Pool of texts: equal texts are stored once, so that they may be compared by address.
typedef struct ctiStrings {
  ctiRegion* region;
  ctiNameMap map;
} ctiStrings;

// The pool lives in `region` and needs no clean-up of its own.
void cti_strings_init(ctiStrings* pool, ctiRegion* region);

// The pool's copy of a text, zero-terminated; NULL when memory runs out.
const char* cti_intern(ctiStrings* pool, const char* text);
const char* cti_intern_sized(ctiStrings* pool, const char* text, size_t size);
