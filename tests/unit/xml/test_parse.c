#include <stdlib.h>

#include "base/thread.h"
#include "xml/parse.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- parse

static ctiXmlDoc* parse(const char* text) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  if (cti_xml_parse(&doc, text, strlen(text), "m.xml", NULL, NULL, &err) != CT_OK) {
    fail_msg("%d:%d: %s", err.line, err.column, err.message);
  }
  return doc;
}

XT_TEST(tree, keeps_order_parents_and_counts) {
  ctiXmlDoc* doc = parse("<a><b/><c><d/></c><b/></a>");
  const ctiXml* a = doc->root;
  XT_INT(doc->count, 5);
  XT_TEXT(a->name, "a");
  XT_TRUE(a->parent == NULL && a->next == NULL);
  const ctiXml *b = a->first, *c = b->next, *b2 = c->next;
  XT_TEXT(b->name, "b");
  XT_TEXT(c->name, "c");
  XT_TEXT(b2->name, "b");
  XT_TRUE(b2->next == NULL && b->parent == a && c->first->parent == c && c->first->first == NULL);
  XT_TRUE(b->name == b2->name);  // names are stored once
  XT_TEXT(b2->file, "m.xml");
  cti_xml_free(doc);
}
XT_TEST(tree, without_a_file_name_says_string) {
  ctiXmlDoc* doc = NULL;
  XT_INT(cti_xml_parse(&doc, "<a/>", 4, NULL, NULL, NULL, NULL), CT_OK);
  XT_TEXT(doc->root->file, "<string>");
  cti_xml_free(doc);
}
XT_TEST(tree, outlives_the_text) {
  char text[] = "<a x='1'>hello</a>", file[] = "f";
  ctiXmlDoc* doc = NULL;
  XT_INT(cti_xml_parse(&doc, text, strlen(text), file, NULL, NULL, NULL), CT_OK);
  memset(text, 'z', sizeof(text));
  file[0] = 'z';
  XT_TEXT(doc->root->name, "a");
  XT_TEXT(doc->root->attrs[0].value, "1");
  XT_TEXT(doc->root->text, "hello");
  XT_TEXT(doc->root->file, "f");
  cti_xml_free(doc);
}
XT_TEST(tree, may_have_more_names_than_are_shared) {
  static char text[200000] = "<a>";
  size_t used = 3;
  for (int i = 0; i < 5000; i++)
    used += (size_t)snprintf(text + used, sizeof(text) - used, "<e%d u%d=''/>", i, i);
  strcpy(text + used, "</a>");
  ctiXmlDoc* doc = parse(text);
  int i = 0;
  for (const ctiXml* e = doc->root->first; e; e = e->next, i++) {
    char name[16];
    snprintf(name, sizeof(name), "e%d", i);
    XT_TEXT(e->name, name);
    XT_TEXT(e->attrs[0].name + 1, name + 1);
  }
  XT_INT(i, 5000);
  cti_xml_free(doc);
}
XT_TEST(attr, keeps_order_and_resolves_references) {
  ctiXmlDoc* doc = parse("<a z='&lt;&#65;&#x42;&amp;' b=\"it's\ta\nline\" empty=''/>");
  XT_INT(doc->root->nattr, 3);
  XT_TEXT(doc->root->attrs[0].name, "z");
  XT_TEXT(doc->root->attrs[0].value, "<AB&");
  XT_TEXT(doc->root->attrs[1].value, "it's a line");
  XT_TEXT(doc->root->attrs[2].value, "");
  cti_xml_free(doc);
}
XT_TEST(text, is_kept_trimmed_with_cdata) {
  ctiXmlDoc* doc = parse("<a>\n  one <![CDATA[<two>]]> &amp;\n three \n</a>");
  XT_TEXT(doc->root->text, "one <two> &\n three");
  XT_INT(doc->root->text_size, strlen(doc->root->text));
  cti_xml_free(doc);
}
XT_TEST(text, of_white_space_only_is_none) {
  ctiXmlDoc* doc = parse("<a> \n <b/> \t <c></c> <!-- note --> </a>");
  XT_TRUE(doc->root->text == NULL && doc->root->text_size == 0 && doc->root->first->text == NULL);
  cti_xml_free(doc);
}
XT_TEST(text, around_children_is_joined_and_theirs_is_their_own) {
  ctiXmlDoc* doc = parse("<a>x<b>inner<c>deep</c>!</b>y<b/>z</a>");
  XT_TEXT(doc->root->text, "xyz");
  XT_TEXT(doc->root->first->text, "inner!");
  XT_TEXT(doc->root->first->first->text, "deep");
  cti_xml_free(doc);
}
XT_TEST(input, may_have_declaration_comments_and_plain_doctype) {
  cti_xml_free(
      parse("<?xml version='1.0' encoding='utf-8'?>\n<!-- hi --><!DOCTYPE a>\n<?pi x?><a/>\n<!-- end -->\n"));
  cti_xml_free(parse("\xef\xbb\xbf<a/>"));
}
XT_TEST(input, encodings_have_several_spellings) {
  static const struct {
    const char *name, *letter;
  } cases[] = {{"utf8", "\xc3\xa9"},   {"UTF8", "\xc3\xa9"}, {"Utf_8", "\xc3\xa9"},
               {"latin1", "\xe9"},     {"Latin-1", "\xe9"},  {"ISO8859-1", "\xe9"},
               {"iso_8859_1", "\xe9"}, {"ascii", "e"},       {"utf-8", "\xc3\xa9"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[100];
    snprintf(text, sizeof(text), "<?xml version='1.0' encoding='%s'?><a n='%s'/>", cases[i].name,
             cases[i].letter);
    ctiXmlDoc* doc = parse(text);
    XT_TRUE(doc->remark == NULL);
    XT_TEXT(doc->root->attrs[0].value, cases[i].letter[1] || cases[i].letter[0] != 'e' ? "\xc3\xa9" : "e");
    cti_xml_free(doc);
  }
}

XT_TEST(input, may_be_latin_1) {
  ctiXmlDoc* doc = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a n='\xe9' m=''/>");
  XT_TEXT(doc->root->attrs[0].value, "\xc3\xa9");
  XT_INT(doc->root->attrs[1].column, 53);
  cti_xml_free(doc);
}
XT_TEST(input, may_be_utf_16) {
  const char ascii[] = "<a>\n <b name='x'/></a>";
  for (int big = 0; big < 2; big++) {
    char wide[2 * sizeof(ascii)];
    size_t n = 0;
    wide[n++] = big ? '\xfe' : '\xff';
    wide[n++] = big ? '\xff' : '\xfe';
    for (const char* p = ascii; *p; p++) {
      wide[n++] = big ? 0 : *p;
      wide[n++] = big ? *p : 0;
    }
    ctiXmlDoc* doc = NULL;
    XT_INT(cti_xml_parse(&doc, wide, n, NULL, NULL, NULL, NULL), CT_OK);
    const ctiXml* b = doc->root->first;
    XT_TEXT(b->attrs[0].value, "x");
    XT_INT(b->line, 2);
    XT_INT(b->column, 2);
    XT_INT(b->attrs[0].line, 2);  // the element's position stands in for the attribute's
    cti_xml_free(doc);
  }
}

// ---- limits ----

static char* repeated(const char* before, const char* part, int n, const char* after) {
  size_t k = strlen(part);
  char* text = malloc(strlen(before) + k * (size_t)n + strlen(after) + 1);
  strcpy(text, before);
  char* p = text + strlen(before);
  for (int i = 0; i < n; i++, p += k) memcpy(p, part, k);
  strcpy(p, after);
  return text;
}
static ctStatus parse_limited(char* text, const ctiXmlLimits* limits, ctError* err) {
  ctiXmlDoc* doc = NULL;
  ctStatus status = cti_xml_parse(&doc, text, strlen(text), "m.xml", limits, NULL, err);
  XT_TRUE((doc != NULL) == (status == CT_OK));
  cti_xml_free(doc);
  free(text);
  return status;
}
XT_TEST(limit, a_hundred_thousand_nested_bodies_are_refused_clearly) {
  ctError err;
  XT_INT(parse_limited(repeated("", "<body>", 100000, ""), NULL, &err), CT_ERR_LIMIT);
  XT_TEXT(err.message, "elements are nested more than 10000 deep");
  XT_INT(err.line, 1);
  XT_INT(err.column, 60001);
  XT_TRUE(strncmp(err.element, "...", 3) == 0);
}
XT_TEST(limit, depth_is_exact) {
  ctError err;
  ctiXmlLimits limits = {.depth = 3};
  XT_INT(parse_limited(repeated("<a><a><a>", "", 0, "</a></a></a>"), &limits, &err), CT_OK);
  XT_INT(parse_limited(repeated("<a><a><a>", "<a/>", 1, "</a></a></a>"), &limits, &err), CT_ERR_LIMIT);
  XT_TEXT(err.element, "a/a/a");
}
XT_TEST(limit, a_million_nested_elements_work_when_allowed) {
  ctError err;
  ctiXmlLimits limits = {.depth = 1000000};
  char* open = repeated("", "<b>", 1000000, "");
  char* all = repeated(open, "</b>", 1000000, "");
  free(open);
  XT_INT(parse_limited(all, &limits, &err), CT_OK);
}
XT_TEST(limit, elements_attributes_and_size_are_exact) {
  ctError err;
  ctiXmlLimits limits = {.elements = 3, .attrs = 2, .size = 30};
  XT_INT(parse_limited(repeated("<a>", "<b/>", 2, "</a>"), &limits, &err), CT_OK);
  XT_INT(parse_limited(repeated("<a>", "<b/>", 3, "</a>"), &limits, &err), CT_ERR_LIMIT);
  XT_TEXT(err.message, "more than 3 elements");
  XT_INT(parse_limited(repeated("<a x='' y=''/>", "", 0, ""), &limits, &err), CT_OK);
  XT_INT(parse_limited(repeated("<a x='' y='' z=''/>", "", 0, ""), &limits, &err), CT_ERR_LIMIT);
  XT_TEXT(err.message, "element <a> has 3 attributes, the limit is 2");
  XT_INT(parse_limited(repeated("<a>", " ", 23, "</a>"), &limits, &err), CT_OK);
  XT_INT(parse_limited(repeated("<a>", " ", 24, "</a>"), &limits, &err), CT_ERR_LIMIT);
  XT_TEXT(err.message, "the text has 31 bytes, the limit is 30");
}
static double seconds(char* text) {
  ctError err;
  int64_t start = cti_clock_ns();
  if (parse_limited(text, NULL, &err) != CT_OK) fail_msg("%s", err.message);
  return 1e-9 * (double)(cti_clock_ns() - start);
}
XT_TEST(limit, a_huge_attribute_costs_linear_time) {
  // Quadratic behaviour would take hours here; linear takes about a second.
  XT_TRUE(seconds(repeated("<a x='", "0.125 0.5\n", 10000000, "'/>")) < 60);
}
XT_TEST(limit, huge_texts_and_comments_cost_linear_time) {
  XT_TRUE(seconds(repeated("<a>", "line\n", 4000000, "</a>")) < 60);
  XT_TRUE(seconds(repeated("<a>", "\n", 10000000, "</a>")) < 60);
  XT_TRUE(seconds(repeated("<a><!--", "line\n", 4000000, "--></a>")) < 60);
  XT_TRUE(seconds(repeated("<a>x", "<b/>\n", 300000, "</a>")) < 60);
  XT_TRUE(seconds(repeated("<a>", "<b name='x' pos='1 2 3'/>", 200000, "</a>")) < 60);
}
XT_TEST(limit, text_between_many_children_is_not_copied_for_each) {
  char* start = repeated("<a>", "text ", 1000000, "");
  char* all = repeated(start, "<b>t</b>", 200000, "</a>");
  free(start);
  XT_TRUE(seconds(all) < 60);
}

// ---- hostile documents ----

static void refused(const char* text, ctStatus status, const char* part) {
  ctiXmlDoc* doc = NULL;
  ctError err;
  XT_INT(cti_xml_parse(&doc, text, strlen(text), "m.xml", NULL, NULL, &err), status);
  XT_TRUE(doc == NULL);
  XT_HAS(err.message, part);
  XT_TRUE(err.line >= 1 && err.column >= 1);
}
XT_TEST(hostile, billion_laughs_is_refused) {
  refused("<!DOCTYPE a [<!ENTITY l 'lol'><!ENTITY m '&l;&l;&l;'>]><a>&m;</a>", CT_ERR_UNSUPPORTED,
          "entity declarations are not allowed (\"l\")");
  refused("<!DOCTYPE a [<!ENTITY % p 'x'>]><a/>", CT_ERR_UNSUPPORTED, "entity declarations are not allowed");
}
XT_TEST(hostile, external_entities_and_dtds_are_refused) {
  refused("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", CT_ERR_UNSUPPORTED,
          "entity declarations");
  refused("<!DOCTYPE a SYSTEM 'x.dtd'><a b='&x;'/>", CT_ERR_UNSUPPORTED, "external DTDs and");
  refused("<!DOCTYPE a PUBLIC 'p' 'x.dtd'><a/>", CT_ERR_UNSUPPORTED, "external DTDs and");
  refused("<!DOCTYPE a [%x;]><a b='&y;'/>", CT_ERR_UNSUPPORTED, "parameter entities are not supported");
  refused("<?xml version='1.0' standalone='yes'?><!DOCTYPE a [%x;]><a b='&y;'/>", CT_ERR_SYNTAX,
          "entity &y; is not defined");
}
XT_TEST(hostile, defaulted_attributes_stand_at_their_element) {
  ctiXmlDoc* doc = parse("<!DOCTYPE a [<!ATTLIST a x CDATA 'd' y CDATA 'e'>]>\n  <a y='1'/>");
  XT_INT(doc->root->nattr, 2);
  XT_TEXT(doc->root->attrs[0].name, "y");
  XT_INT(doc->root->attrs[0].column, 6);
  XT_TEXT(doc->root->attrs[1].value, "d");
  XT_INT(doc->root->attrs[1].column, 3);
  cti_xml_free(doc);
}

// ---- trouble everywhere ----

static const char sample[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- arm -->\n<mujoco model=\"&lt;arm&gt; \xc3\xa9\">\n"
    "  <worldbody>\n    <body name='arm'\n\tpos=\"0 0 1\">text <![CDATA[<raw>]]>\n      <joint "
    "name=\"elbow\"/>\n"
    "    </body>\n  </worldbody>\n</mujoco>\n";

XT_TEST(truncated, every_prefix_gives_one_clear_error) {
  size_t whole = strlen(sample);
  for (size_t n = 0; n < whole - 1; n++) {
    char* copy = malloc(n + 1);  // of exactly that size, so that a sanitizer sees every byte read too many
    memcpy(copy, sample, n);
    ctiXmlDoc* doc = NULL;
    ctError err = {0};
    ctStatus status = cti_xml_parse(&doc, copy, n, "m.xml", NULL, NULL, &err);
    free(copy);
    if (status != CT_ERR_SYNTAX || doc) fail_msg("%zu bytes: status %d", n, status);
    XT_TRUE(err.line >= 1 && err.column >= 1 && err.line <= 11);
    if (!strstr(err.message, "unexpected end of file") && !strstr(err.message, "the text is empty")) {
      fail_msg("%zu bytes: %d:%d %s", n, err.line, err.column, err.message);
    }
    XT_TEXT(err.file, "m.xml");
  }
}
XT_TEST(garbage, changed_bytes_never_crash) {
  xtRng rng = xt_rng(11);
  char copy[sizeof(sample)];
  for (int i = 0; i < 30000; i++) {
    memcpy(copy, sample, sizeof(sample));
    for (int k = (int)(xt_bits(&rng) % 4); k >= 0; k--) {
      copy[xt_bits(&rng) % (sizeof(sample) - 1)] =
          (char)(xt_bits(&rng) % 3 ? "<>&'\"/=!-[] \n\0\xff;#"[xt_bits(&rng) % 18]
                                   : (int)(xt_bits(&rng) & 0xff));
    }
    ctiXmlDoc* doc = NULL;
    ctError err = {0};
    ctStatus status = cti_xml_parse(&doc, copy, sizeof(sample) - 1, "m.xml", NULL, NULL, &err);
    if (status != CT_OK) {
      XT_TRUE(doc == NULL && err.message[0] && err.line >= 1 && err.column >= 1);
    }
    cti_xml_free(doc);
  }
}
XT_TEST(garbage, random_bytes_never_crash) {
  xtRng rng = xt_rng(12);
  for (int i = 0; i < 30000; i++) {
    char text[40];
    size_t n = (size_t)(xt_bits(&rng) % sizeof(text));
    for (size_t k = 0; k < n; k++) text[k] = (char)xt_bits(&rng);
    if (i % 2) text[0] = '<';
    ctiXmlDoc* doc = NULL;
    ctError err = {0};
    XT_TRUE(cti_xml_parse(&doc, text, n, NULL, NULL, NULL, &err) != CT_OK);
    XT_TRUE(doc == NULL && err.message[0] && err.line >= 1);
  }
}
XT_TEST(memory, every_failing_allocation_is_reported_and_leaks_nothing) {
  char* many = repeated("<a>", "<b x='1'>some text</b>", 2000, "</a>");
  const char* const texts[] = {sample, many};
  for (int i = 0; i < 2; i++) {
    for (int fail = 1;; fail++) {
      xtAlloc counter = {.fail_at = fail};
      ctAllocator a = xt_allocator(&counter);
      ctiXmlDoc* doc = NULL;
      ctError err = {0};
      ctStatus status = cti_xml_parse(&doc, texts[i], strlen(texts[i]), NULL, NULL, &a, &err);
      cti_xml_free(doc);
      XT_INT(counter.held, 0);
      if (status == CT_OK) {
        XT_TRUE(fail > 4);
        break;
      }
      XT_INT(status, CT_ERR_MEMORY);
      XT_INT(err.status, CT_ERR_MEMORY);
    }
  }
  free(many);
}
XT_TEST(memory, freeing_null_does_nothing) {
  cti_xml_free(NULL);
}

// ---- tree

static ctiXmlDoc* parse_tree(const char* text) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  if (cti_xml_parse(&doc, text, strlen(text), "m.xml", NULL, NULL, &err) != CT_OK)
    fail_msg("%s", err.message);
  return doc;
}
XT_TEST(find, attribute_by_name) {
  ctiXmlDoc* doc = parse_tree("<a x='1' xx='2'/>");
  XT_TEXT(cti_xml_find(doc->root, "xx")->value, "2");
  XT_TRUE(cti_xml_find(doc->root, "y") == NULL);
  cti_xml_free(doc);
}
XT_TEST(find, children_by_name) {
  ctiXmlDoc* doc = parse_tree("<a><b/><c/><b i='2'/></a>");
  const ctiXml* b = cti_xml_child(doc->root, "b");
  XT_TRUE(b == doc->root->first && cti_xml_child(doc->root, NULL) == b);
  XT_TEXT(cti_xml_next(b, "b")->attrs[0].value, "2");
  XT_TEXT(cti_xml_next(b, NULL)->name, "c");
  XT_TRUE(cti_xml_child(doc->root, "d") == NULL && cti_xml_next(b, "d") == NULL);
  cti_xml_free(doc);
}
XT_TEST(path, names_in_brackets) {
  ctiXmlDoc* doc =
      parse_tree("<mujoco><worldbody><body name='arm'><joint name='elbow'/></body></worldbody></mujoco>");
  const ctiXml* joint = doc->root->first->first->first;
  char path[100];
  XT_TEXT(cti_xml_path(joint, path, sizeof(path)), "mujoco/worldbody/body[arm]/joint[elbow]");
  XT_TEXT(cti_xml_path(doc->root, path, sizeof(path)), "mujoco");
  cti_xml_free(doc);
}
XT_TEST(path, of_any_size_keeps_its_end) {
  const char* full = "mujoco/worldbody/body[\xc3\xa9\xc3\xa9\xc3\xa9]/joint[elbow]";
  ctiXmlDoc* doc = parse_tree(
      "<mujoco><worldbody><body name='\xc3\xa9\xc3\xa9\xc3\xa9'><joint "
      "name='elbow'/></body></worldbody></mujoco>");
  const ctiXml* joint = doc->root->first->first->first;
  size_t length = strlen(full);
  for (size_t size = 8; size < 60; size++) {
    char path[64];
    memset(path, '#', sizeof(path));
    cti_xml_path(joint, path, size);
    XT_INT(path[size], '#');
    size_t n = strlen(path);
    if (size > length) {
      XT_TEXT(path, full);
    } else {
      XT_TRUE(n < size && n + 3 > size - 1 - 2);
      XT_TRUE(strncmp(path, "...", 3) == 0);
      XT_TEXT(path + 3, full + length - (n - 3));
      XT_TRUE((path[3] & 0xc0) != 0x80);
    }
  }
  cti_xml_free(doc);
}
XT_TEST(path, of_a_deep_element_is_quick) {
  static char text[100000];
  for (int i = 0; i < 9000; i++) memcpy(text + 3 * i, "<b>", 3);
  for (int i = 0; i < 9000; i++) memcpy(text + 27000 + 4 * i, "</b>", 4);
  ctiXmlDoc* doc = parse_tree(text);
  const ctiXml* deepest = doc->root;
  while (deepest->first) deepest = deepest->first;
  char path[256];
  for (int i = 0; i < 10000; i++) cti_xml_path(deepest, path, sizeof(path));
  XT_INT(strlen(path), 255);
  cti_xml_free(doc);
}
XT_TEST(error, stands_at_the_element_or_the_attribute) {
  ctiXmlDoc* doc = parse_tree("<a>\n <b name='n'\n  size='1'/></a>");
  const ctiXml* b = doc->root->first;
  ctError err;
  XT_INT(cti_xml_error(&err, CT_ERR_INVALID, b, NULL, "bad %s", "thing"), CT_ERR_INVALID);
  XT_INT(err.line, 2);
  XT_INT(err.column, 2);
  XT_TEXT(err.file, "m.xml");
  XT_TEXT(err.element, "a/b[n]");
  XT_TEXT(err.message, "bad thing");
  XT_INT(cti_xml_error(&err, CT_ERR_INVALID, b, &b->attrs[1], "bad"), CT_ERR_INVALID);
  XT_INT(err.line, 3);
  XT_INT(err.column, 3);
  XT_INT(cti_xml_error(NULL, CT_ERR_LIMIT, b, NULL, "bad"), CT_ERR_LIMIT);
  cti_xml_free(doc);
}
XT_TEST(error, stays_one_line_whatever_a_name_holds) {
  ctiXmlDoc* doc = parse_tree("<a name='x&#10;y'/>");
  ctError err;
  cti_xml_error(&err, CT_ERR_INVALID, doc->root, NULL, "%s", doc->root->attrs[0].value);
  XT_TEXT(err.element, "a[x y]");
  XT_TEXT(err.message, "x y");
  cti_xml_free(doc);
}

XT_MAIN()
