// The words that tables of attributes are written in.
#pragma once

#include <stddef.h>

#include "spec/attrs.h"

// clang-format off
// Tables made from the lists in corten/types.h.
#define WORDS(table, prefix, list) static const ctiKeyword table[] = {list(prefix)};
static const ctiKeyword tristate_words[] = {{"false", CTI_FALSE}, {"true", CTI_TRUE}, {"auto", CTI_AUTO}};

// `T` is the record; a name that differs from its member is written out.
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ROW(text, kind, member, lo, hi) \
  { .name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = (lo), .max = (hi) }
#define REAL(name)                     ROW(#name, REAL, name, 1, 1)
#define REALS(name, lo, hi)            ROW(#name, REAL, name, lo, hi)
#define REALS_AS(text, member, lo, hi) ROW(text, REAL, member, lo, hi)
#define CTREAL(name)                   ROW(#name, CTREAL, name, 1, 1)
#define CTREALS(name, lo, hi)          ROW(#name, CTREAL, name, lo, hi)
#define FLOATS(name, lo, hi)           ROW(#name, FLOAT, name, lo, hi)
#define INT(name)                      ROW(#name, INT, name, 1, 1)
#define INTS(name, lo, hi)             ROW(#name, INT, name, lo, hi)
#define BOOL(name)                     ROW(#name, BOOL, name, 1, 1)
#define TEXT(name)                     ROW(#name, TEXT, name, 1, 1)
#define REF(member, object) \
  {.name = #member, .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, .refers = CT_OBJ_##object}
#define REF_BY(member, kind) \
  {.name = #member, .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, .refers = CTI_REFERS_##kind}
#define USER                           ROW("user", LIST, user, 0, 0)
#define CHILDCLASS REF_BY(childclass, CLASS)
#define NAME \
  { .name = "name", .type = CTI_ATTR_NAME, .offset = offsetof(T, head.name), .refers = CTI_REFERS_SELF, .rules = CTI_ATTR_NOT_DEFAULT }
#define CLASS \
  { .name = "class", .type = CTI_ATTR_CLASS, .rules = CTI_ATTR_NOT_DEFAULT }
#define WORD_AS(text, member, table, noun)                                                       \
  {                                                                                              \
    .name = (text), .type = CTI_ATTR_KEYWORD, .offset = offsetof(T, member), .min = 1, .max = 1, \
    .keywords = (table), .nkeyword = COUNT(table), .what = (noun)                                \
  }
#define WORD(name, table, noun) WORD_AS(#name, name, table, noun)
#define FLAGS(member, table, noun) \
  {.name = #member, .type = CTI_ATTR_FLAGS, .offset = offsetof(T, member), .keywords = (table), .nkeyword = COUNT(table), .what = (noun)}
#define LIST(name)               ROW(#name, LIST, name, 0, 0)
#define NEEDED_LIST(member) \
  {.name = #member, .type = CTI_ATTR_LIST, .offset = offsetof(T, member), .rules = CTI_ATTR_REQUIRED}
#define NEEDED(text, kind, member) \
  {.name = (text), .type = CTI_ATTR_##kind, .offset = offsetof(T, member), .min = 1, .max = 1, .rules = CTI_ATTR_REQUIRED}
#define NEEDED_REF(text, member, object) \
  {.name = (text), .type = CTI_ATTR_NAME, .offset = offsetof(T, member), .min = 1, .max = 1, .rules = CTI_ATTR_REQUIRED, .refers = (object)}
#define TRISTATE(name)          WORD_AS(#name, name, tristate_words, "keyword")
#define ORIENTATION                                                                   \
  REALS_AS("quat", orient.quat, 4, 4), REALS_AS("axisangle", orient.axisangle, 4, 4), \
      REALS_AS("xyaxes", orient.xyaxes, 6, 6), REALS_AS("zaxis", orient.zaxis, 3, 3), \
      REALS_AS("euler", orient.euler, 3, 3)
#define TABLE(table, rows) const ctiAttrTable cti_attrs_##table = {(rows), COUNT(rows)}
#define REQUIRED(text, member, n)                                                                 \
  {                                                                                               \
    .name = (text), .type = CTI_ATTR_REAL, .offset = offsetof(T, member), .min = (n), .max = (n), \
    .rules = CTI_ATTR_REQUIRED                                                                    \
  }
// clang-format on
