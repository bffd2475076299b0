#include "read_case.h"
#include "xt_alloc.h"

static const ctiKeyword types[] = {{"plane", 0}, {"sphere", 2}, {"ellipsoid", 4}};
static const ctiKeyword flags[] = {{"contact", 1}, {"energy", 2}, {"gravity", 4}};

XT_TEST(absent, leaves_every_output_alone) {
  XT_UNUSED;
  ReadCase c = read_case("");
  int value = 7;
  bool truth = true;
  char chars[4] = "abc";
  XT_INT(cti_read_keyword(&value, &c.element, NULL, types, 3, NULL, &c.err), CT_OK);
  XT_INT(cti_read_flags(&value, &c.element, NULL, types, 3, NULL, &c.err), CT_OK);
  XT_INT(cti_read_bool(&truth, &c.element, NULL, &c.err), CT_OK);
  XT_INT(cti_read_chars(chars, &c.element, NULL, 3, "xyz", &c.err), CT_OK);
  XT_TRUE(value == 7 && truth);
  XT_TEXT(chars, "abc");
}
XT_TEST(keyword, gives_its_value) {
  XT_UNUSED;
  int value = 7;
  ReadCase c = read_case("sphere");
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, "geom type", &c.err), CT_OK);
  XT_INT(value, 2);
  c = read_case("  ellipsoid\n");
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, "geom type", &c.err), CT_OK);
  XT_INT(value, 4);
}
static const char* keyword_error(const char* word, const char* what) {
  static ReadCase c;
  c = read_case(word);
  int value = 7;
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, what, &c.err), CT_ERR_INVALID);
  XT_INT(value, 7);
  return read_message(&c);
}
XT_TEST(keyword, unknown_one_lists_what_is_allowed) {
  XT_UNUSED;
  XT_TEXT(keyword_error("spher", "geom type"),
          "x: \"spher\" is not a geom type: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("Sphere", "actuator type"),
          "x: \"Sphere\" is not an actuator type: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("", NULL), "x: \"\" is not a keyword: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("plane sphere", NULL),
          "x: \"plane sphere\" is not a keyword: use plane, sphere, ellipsoid");
}
XT_TEST(flags, are_joined) {
  XT_UNUSED;
  int mask = 7;
  ReadCase c = read_case("gravity contact");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_OK);
  XT_INT(mask, 5);
  c = read_case("");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_OK);
  XT_INT(mask, 0);
}
XT_TEST(flags, given_twice_or_unknown_are_refused) {
  XT_UNUSED;
  int mask = 7;
  ReadCase c = read_case("gravity contact gravity");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "x: \"gravity\" is given twice");
  c = read_case("gravity wind");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, "flag", &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "x: \"wind\" is not a flag: use contact, energy, gravity");
  XT_INT(mask, 7);
}
XT_TEST(truth, is_true_or_false_only) {
  XT_UNUSED;
  bool value = false;
  ReadCase c = read_case("true");
  XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_OK);
  XT_TRUE(value);
  c = read_case("false");
  XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_OK);
  XT_TRUE(!value);
  const char* const bad[] = {"True", "1", "", "yes", "true false"};
  for (int i = 0; i < 5; i++) {
    c = read_case(bad[i]);
    XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_ERR_INVALID);
    XT_HAS(read_message(&c), "is not allowed: use true, false");
    XT_TRUE(!value);
  }
}
XT_TEST(chars, number_and_kind_are_checked) {
  XT_UNUSED;
  char out[4] = "old";
  ReadCase c = read_case("xYz");
  XT_INT(cti_read_chars(out, &c.element, &c.attr, 3, "xyzXYZ", &c.err), CT_OK);
  XT_TEXT(out, "xYz");
  const char* const bad[] = {"xy", "xyzz", "abc", ""};
  for (int i = 0; i < 4; i++) {
    c = read_case(bad[i]);
    XT_INT(cti_read_chars(out, &c.element, &c.attr, 3, "xyzXYZ", &c.err), CT_ERR_INVALID);
    XT_HAS(read_message(&c), "x: expected 3 characters out of \"xyzXYZ\", got \"");
    XT_TEXT(out, "xYz");
  }
}
XT_TEST(unknown, attribute_gets_a_suggestion) {
  XT_UNUSED;
  const char* const allowed[] = {"size", "pos"};
  ReadCase c = read_case("1");
  c.attr.name = "sizee";
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 2), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"sizee\" in <geom>; did you mean \"size\"?");
  c.attr.name = "banana";
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 2), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"banana\" in <geom>: use size, pos");
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 0), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"banana\" in <geom>");
}
XT_TEST(unknown, element_gets_a_suggestion) {
  XT_UNUSED;
  const char* const allowed[] = {"joint", "geom"};
  ctiXml body = {.name = "body", .file = "m.xml"};
  ctiXml child = {.name = "jiont", .parent = &body, .file = "m.xml", .line = 4, .column = 5};
  ctError err;
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 2), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <jiont> in <body>; did you mean <joint>?");
  XT_INT(err.line, 4);
  child.name = "banana";
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 2), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <banana> in <body>: use joint, geom");
  child.parent = NULL;
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 0), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <banana>");
}

XT_MAIN(XT_CASE(absent, leaves_every_output_alone), XT_CASE(keyword, gives_its_value),
        XT_CASE(keyword, unknown_one_lists_what_is_allowed), XT_CASE(flags, are_joined),
        XT_CASE(flags, given_twice_or_unknown_are_refused), XT_CASE(truth, is_true_or_false_only),
        XT_CASE(chars, number_and_kind_are_checked), XT_CASE(unknown, attribute_gets_a_suggestion),
        XT_CASE(unknown, element_gets_a_suggestion))
