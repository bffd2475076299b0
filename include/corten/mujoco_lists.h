/// @file
/// Part of corten/mujoco.h: texts and lists of an mjSpec. In C they are set and read with mjs_set*() and
/// mjs_get*(); in C++, where MuJoCo has std::string and std::vector, they are classes of the same memory that
/// convert from and to those and have their common functions.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "corten/mujoco_core.h"

#ifdef __cplusplus
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>
extern "C" {
#endif

/// A text or a list: characters, numbers, or lists themselves.
typedef struct ctMjList {
  char* items;   ///< characters with a zero byte behind them, or items
  int count;     ///< how many, without the zero byte
  bool changed;  ///< since it was last written to the spec
} ctMjList;

// Copy `count` items of `each` bytes into a list.
static inline void ct_mj_list_set(ctMjList* list, const void* items, int count, size_t each) {
  const size_t size = count > 0 ? (size_t)count * each : 0;
  char* copy = (char*)malloc(size + 1);
  if (!copy) {
    mju_error("mjs: out of memory");
    return;
  }
  if (size > 0) memcpy(copy, items, size);
  copy[size] = 0;
  free(list->items);
  list->items = copy;
  list->count = count > 0 ? count : 0;
  list->changed = true;
}
// A list of lists with `count` of them, those that are new empty.
static inline void ct_mj_nest_resize(ctMjList* list, int count) {
  ctMjList* inner = (ctMjList*)(void*)list->items;
  for (int i = count; i < list->count; i++) free(inner[i].items);
  ctMjList* resized = (ctMjList*)realloc(inner, ((size_t)count + 1) * sizeof(ctMjList));
  if (!resized) {
    mju_error("mjs: out of memory");
    return;
  }
  for (int i = list->count; i < count; i++) {
    resized[i].items = NULL;
    resized[i].count = 0;
    resized[i].changed = false;
  }
  list->items = (char*)resized;
  list->count = count;
  list->changed = true;
}
static inline ctMjList* ct_mj_nest_at(const ctMjList* list, int i) {
  return (ctMjList*)(void*)list->items + i;
}
static inline const char* ct_mj_characters(const ctMjList* text) {
  return text && text->items ? text->items : "";
}
// Names that are separated by blanks.
static inline void ct_mj_names_set(ctMjList* list, const char* text) {
  ct_mj_nest_resize(list, 0);
  for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
    const size_t length = strcspn(text, " \t\n");
    ct_mj_nest_resize(list, list->count + 1);
    ct_mj_list_set(ct_mj_nest_at(list, list->count - 1), text, (int)length, 1);
    text += length;
  }
}
// The names with blanks between them, to be freed.
static inline char* ct_mj_names_text(const ctMjList* list) {
  size_t length = 1;
  for (int i = 0; i < list->count; i++) length += (size_t)ct_mj_nest_at(list, i)->count + 1;
  char *text = (char*)calloc(length, 1), *at = text;
  for (int i = 0; text && i < list->count; i++) {
    const char* name = ct_mj_characters(ct_mj_nest_at(list, i));
    if (at > text && name[0]) *at++ = ' ';
    const size_t size = strlen(name);
    memcpy(at, name, size);
    at += size;
  }
  return text;
}
static inline void ct_mj_list_free(void* list) {
  if (list) free(((ctMjList*)list)->items);
  free(list);
}
static inline void ct_mj_nest_free(void* list) {
  if (list) ct_mj_nest_resize((ctMjList*)list, 0);
  ct_mj_list_free(list);
}

#ifdef __cplusplus
}  // extern "C"

/// A text of an element: what a std::string is asked for most, and that itself by conversion.
struct ctMjString : ctMjList {
  ctMjString() : ctMjList{nullptr, 0, false} {}
  ctMjString(const ctMjString& other) : ctMjString() { *this = other; }
  ~ctMjString() { free(items); }
  ctMjString& operator=(const ctMjString& other) { return put(other.c_str(), other.size()); }
  ctMjString& operator=(const std::string& text) { return put(text.data(), text.size()); }
  ctMjString& operator=(const char* text) { return put(text, strlen(text)); }
  ctMjString& operator+=(const std::string& text) { return *this = std::string(*this) + text; }
  ctMjString& assign(const std::string& text) { return *this = text; }
  ctMjString& append(const std::string& text) { return *this += text; }
  operator std::string() const { return std::string(c_str(), size()); }
  const char* c_str() const { return ct_mj_characters(this); }
  const char* data() const { return c_str(); }
  size_t size() const { return static_cast<size_t>(count); }
  size_t length() const { return size(); }
  bool empty() const { return count == 0; }
  void clear() { put("", 0); }
  const char* begin() const { return c_str(); }
  const char* end() const { return c_str() + size(); }
  const char& operator[](size_t i) const { return c_str()[i]; }
  size_t find(const std::string& text, size_t from = 0) const { return std::string(*this).find(text, from); }
  std::string substr(size_t from, size_t n = std::string::npos) const {
    return std::string(*this).substr(from, n);
  }

 private:
  ctMjString& put(const char* text, size_t n) {
    if (text != items || n != size()) ct_mj_list_set(this, text, static_cast<int>(n), 1);
    return *this;
  }
};
inline bool operator==(const ctMjString& a, const std::string& b) {
  return std::string(a) == b;
}
inline bool operator==(const std::string& a, const ctMjString& b) {
  return b == a;
}
inline bool operator==(const ctMjString& a, const char* b) {
  return strcmp(a.c_str(), b) == 0;
}
inline bool operator==(const ctMjString& a, const ctMjString& b) {
  return strcmp(a.c_str(), b.c_str()) == 0;
}
template <class Text>
inline bool operator!=(const ctMjString& a, const Text& b) {
  return !(a == b);
}
inline std::string operator+(const ctMjString& a, const std::string& b) {
  return std::string(a) + b;
}
inline std::string operator+(const std::string& a, const ctMjString& b) {
  return a + std::string(b);
}
inline std::ostream& operator<<(std::ostream& out, const ctMjString& text) {
  return out << text.c_str();
}

/// Numbers of an element, or texts and lists of numbers: what a std::vector is asked for most. `Item` is what
/// is kept, `Value` what programs give.
template <class Item, class Value = Item>
struct ctMjVector : ctMjList {
  static constexpr bool nested = sizeof(Item) == sizeof(ctMjList) && !std::is_arithmetic<Item>::value;
  using value_type = Value;
  ctMjVector() : ctMjList{nullptr, 0, false} {}
  ctMjVector(const ctMjVector& other) : ctMjVector() { *this = other; }
  ~ctMjVector() {
    clear();
    free(items);
  }
  ctMjVector& operator=(const ctMjVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  ctMjVector& operator=(const std::vector<Value>& values) {
    assign(values.begin(), values.end());
    return *this;
  }
  ctMjVector& operator=(std::initializer_list<Value> values) {
    assign(values.begin(), values.end());
    return *this;
  }
  operator std::vector<Value>() const { return std::vector<Value>(begin(), end()); }
  size_t size() const { return static_cast<size_t>(count); }
  bool empty() const { return count == 0; }
  void reserve(size_t) {}
  void clear() { resize(0); }
  void resize(size_t n, const Value& value = Value()) {
    const size_t before = size();
    if constexpr (nested) {
      ct_mj_nest_resize(this, static_cast<int>(n));
    } else {
      std::vector<Value> longer(begin(), end());
      longer.resize(n, value);
      ct_mj_list_set(this, longer.data(), static_cast<int>(n), sizeof(Item));
      return;
    }
    for (size_t i = before; i < n; i++) data()[i] = value;
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void assign(It first, It last) {
    std::vector<Value> values(first, last);
    resize(0);
    if constexpr (nested) {
      resize(values.size());
      for (size_t i = 0; i < values.size(); i++) data()[i] = values[i];
    } else {
      ct_mj_list_set(this, values.data(), static_cast<int>(values.size()), sizeof(Item));
    }
  }
  void assign(size_t n, const Value& value) {
    resize(0);
    resize(n, value);
  }
  void assign(std::initializer_list<Value> values) { assign(values.begin(), values.end()); }
  void push_back(const Value& value) { resize(size() + 1, value); }
  void emplace_back(const Value& value) { push_back(value); }
  template <class It>
  void insert(const Item* where, It first, It last) {
    std::vector<Value> values(begin(), end());
    values.insert(values.begin() + (where - begin()), first, last);
    *this = values;
  }
  Item* data() {
    changed = true;
    return reinterpret_cast<Item*>(items);
  }
  const Item* data() const { return reinterpret_cast<const Item*>(items); }
  Item& operator[](size_t i) { return data()[i]; }
  const Item& operator[](size_t i) const { return data()[i]; }
  Item& at(size_t i) { return data()[check(i)]; }
  const Item& at(size_t i) const { return data()[check(i)]; }
  Item& front() { return data()[0]; }
  Item& back() { return data()[size() - 1]; }
  Item* begin() { return data(); }
  Item* end() { return data() + size(); }
  const Item* begin() const { return data(); }
  const Item* end() const { return data() + size(); }

 private:
  size_t check(size_t i) const {
    if (i >= size()) mju_error("mjs: index %lu in a list of %d", static_cast<unsigned long>(i), count);
    return i;
  }
};
using mjString = ctMjString;
using mjStringVec = ctMjVector<ctMjString, std::string>;
using mjIntVec = ctMjVector<int>;
using mjIntVecVec = ctMjVector<ctMjVector<int>, std::vector<int>>;
using mjFloatVec = ctMjVector<float>;
using mjFloatVecVec = ctMjVector<ctMjVector<float>, std::vector<float>>;
using mjDoubleVec = ctMjVector<double>;
using mjByteVec = ctMjVector<std::byte>;

extern "C" {
#else
typedef ctMjList mjString;       ///< text
typedef ctMjList mjStringVec;    ///< of texts
typedef ctMjList mjIntVec;       ///< of int
typedef ctMjList mjIntVecVec;    ///< of lists of int
typedef ctMjList mjFloatVec;     ///< of float
typedef ctMjList mjFloatVecVec;  ///< of lists of float
typedef ctMjList mjDoubleVec;    ///< of double
typedef ctMjList mjByteVec;      ///< of bytes
#endif

/// As there.
static inline void mjs_setString(mjString* dest, const char* text) {
  ct_mj_list_set(dest, text, (int)strlen(text), 1);
}
/// As there: names that are separated by blanks.
static inline void mjs_setStringVec(mjStringVec* dest, const char* text) {
  ct_mj_names_set(dest, text);
}
/// As there: an error when there is no text `i`.
static inline mjtBool mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  if (i < 0 || i >= dest->count) {
    mju_error("mjs_setInStringVec: index %d in a list of %d", i, dest->count);
    return false;
  }
  ct_mj_list_set(ct_mj_nest_at(dest, i), text, (int)strlen(text), 1);
  dest->changed = true;
  return true;
}
/// As there.
static inline void mjs_appendString(mjStringVec* dest, const char* text) {
  ct_mj_nest_resize(dest, dest->count + 1);
  mjs_setInStringVec(dest, dest->count - 1, text);
}
/// As there.
static inline void mjs_setInt(mjIntVec* dest, const int* array, int size) {
  ct_mj_list_set(dest, array, size, sizeof(int));
}
/// As there.
static inline void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  ct_mj_nest_resize(dest, dest->count + 1);
  ct_mj_list_set(ct_mj_nest_at(dest, dest->count - 1), array, size, sizeof(int));
}
/// As there.
static inline void mjs_setFloat(mjFloatVec* dest, const float* array, int size) {
  ct_mj_list_set(dest, array, size, sizeof(float));
}
/// As there.
static inline void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  ct_mj_nest_resize(dest, dest->count + 1);
  ct_mj_list_set(ct_mj_nest_at(dest, dest->count - 1), array, size, sizeof(float));
}
/// As there.
static inline void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) {
  ct_mj_list_set(dest, array, size, sizeof(double));
}
/// As there.
static inline void mjs_setBuffer(mjByteVec* dest, const void* array, int size) {
  ct_mj_list_set(dest, array, size, 1);
}
/// The text itself.
static inline const char* mjs_getString(const mjString* source) {
  return ct_mj_characters(source);
}
/// As there.
static inline const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  if (size) *size = source->count;
  return (const double*)(const void*)source->items;
}

#ifdef __cplusplus
}
#endif
