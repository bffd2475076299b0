#include "xml/parse.h"
#include "xml/source.h"
#include "xt.h"

// ---- locate

// Where `needle` begins in the text, counted character by character the slow way.
static void expect_at(const char* text, const char* needle, bool one_byte, int line, int column) {
  int l = 1, c = 1;
  const char* end = strstr(text, needle);
  XT_TRUE(end != NULL);
  for (const char* p = text; p < end; p++) {
    if (*p == '\n' || (*p == '\r' && p[1] != '\n')) {
      l++;
      c = 1;
    } else if (one_byte || (p[1] & 0xc0) != 0x80) {
      c++;
    }
  }
  XT_INT(line, l);
  XT_INT(column, c);
}
// The element behind `e` in the order of the text, inside the subtree of `top`; NULL at the end.
static const ctiXml* walk(const ctiXml* e, const ctiXml* top) {
  if (e->first) return e->first;
  while (e != top && !e->next) e = e->parent;
  return e == top ? NULL : e->next;
}
// Attributes named u0, u1, ... and elements named e0, e1, ... must be found where the text has them.
static void check(const char* text, bool one_byte) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  if (cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err) != CT_OK) fail_msg("%s", err.message);
  for (const ctiXml* e = doc->root; e; e = walk(e, doc->root)) {
    char needle[32];
    snprintf(needle, sizeof(needle), "<%s", e->name);
    expect_at(text, needle, one_byte, e->line, e->column);
    for (int i = 0; i < e->nattr; i++) {
      snprintf(needle, sizeof(needle), "%s=", e->attrs[i].name);
      expect_at(text, needle, one_byte, e->attrs[i].line, e->attrs[i].column);
    }
  }
  cti_xml_free(doc);
}
XT_TEST(locate, plain) {
  check("<e0 u0='1' u1=\"2\"><e1 u2=''/></e0>", false);
}
XT_TEST(locate, over_newlines_and_tabs) {
  check("<e0\n  u0='1'\n\tu1='2'\tu2='3'\r\n u3='a\nb' u4=''\r u5='x\r\ny' u6=''>\n\n  <e1\n u7=''\n/></e0>",
        false);
}
XT_TEST(locate, over_characters_of_several_bytes) {
  check("<e0 u0='\xc3\xa9\xe2\x82\xac' u1='\xf0\x9f\xa4\x96' u2=''>\xc3\xa9<e1 u3=''/></e0>", false);
}
XT_TEST(locate, over_references_and_the_other_quotation_mark) {
  check("<e0 u0='&lt;&#10;&quot;\" u9 >/' u1=\"it's = fine\" u2='&#x41;'><e1 u3=''/></e0>", false);
}
XT_TEST(locate, after_declaration_comment_and_cdata) {
  check("<?xml version='1.0'?>\n<!-- u0= \n -->\n<e0 u1=''><![CDATA[\n<]]><e1 u2=''/></e0>", false);
}
XT_TEST(locate, in_latin_1) {
  check("<?xml version='1.0' encoding='iso-8859-1'?>\n<e0 u0='\xe9\xe9\xbf' u1=''><e1 u2='\xa0' u3=''/></e0>",
        true);
}
XT_TEST(locate, blanks_around_the_equals_sign) {
  const char* text = "<a  x = '1'\n y\n=\n'2'   z\t=\t\"3\" >\n</a >";
  ctiXmlDoc* doc = NULL;
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, NULL), CT_OK);
  const ctiXmlAttr* a = doc->root->attrs;
  XT_INT(a[0].line, 1);
  XT_INT(a[0].column, 5);
  XT_INT(a[1].line, 2);
  XT_INT(a[1].column, 2);
  XT_INT(a[2].line, 4);
  XT_INT(a[2].column, 7);
  cti_xml_free(doc);
}
XT_TEST(locate, byte_order_mark_is_no_column) {
  ctiXmlDoc* doc = NULL;
  const char* text = "\xef\xbb\xbf<a x=''/>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, NULL), CT_OK);
  XT_INT(doc->root->attrs[0].column - doc->root->column, 3);
  cti_xml_free(doc);
}
XT_TEST(locate, random_tags) {
  xtRng rng = xt_rng(21);
  const char* const blanks[] = {" ", "\n", "\t", "\r\n", "  ", " \n\t ", "\r"};
  const char* const values[] = {"", "1 2 3", "a\nb", "\xc3\xa9", "&amp;", "x\r\n\r\ny", "/>", "=\t="};
  for (int i = 0; i < 3000; i++) {
    char text[800] = "<e0";
    int n = (int)(xt_bits(&rng) % 8);
    for (int k = 0; k < n; k++) {
      const char* quote = xt_bits(&rng) % 2 ? "'" : "\"";
      size_t used = strlen(text);
      snprintf(text + used, sizeof(text) - used, "%su%d=%s%s%s%s", blanks[xt_bits(&rng) % 7], k,
               xt_bits(&rng) % 4 ? "" : "\n", quote, values[xt_bits(&rng) % 8], quote);
    }
    strcat(text, "/>");
    check(text, false);
  }
}

// ---- mend

// What a text becomes; NULL: nothing to mend.
static void mends(const char* text, const char* expected) {
  ctiRegion* region = cti_region_create(NULL);
  const char* out;
  size_t size = 0;
  XT_INT(cti_xml_mend(&out, &size, text, strlen(text), region, NULL), CT_OK);
  XT_TRUE((out != NULL) == (expected != NULL));
  if (out) {
    XT_INT(size, strlen(expected));
    XT_TRUE(memcmp(out, expected, size) == 0);
  }
  cti_region_free(region);
}

XT_TEST(mend, strict_text_is_left_alone) {
  mends("", NULL);
  mends("<?xml version='1.0' encoding='UTF-8'?>\n<!-- a - b \xc3\xa9 --><a x='1' y=\"2\"/>", NULL);
  mends("<a x='1'/><!-- --", NULL);
  mends("<a><![CDATA[ <!-- -- --> ]]></a>", NULL);
  mends("<a x='<!-- -- -->'/>", NULL);
}
XT_TEST(mend, comments_become_blank) {
  mends("<a><!-- b -- \n --></a>", "<a>          \n    </a>");
  mends("<a><!-- b ---></a>", "<a>           </a>");
  mends("<a><!-- \xe9 --></a>", "<a>          </a>");
  mends("<a><!-- \x01 --></a>", "<a>          </a>");
}
XT_TEST(mend, attributes_that_touch_are_parted) {
  mends("<a x='1'y='>'z=\"3\"/>", "<a x='1' y='>' z=\"3\"/>");
}
XT_TEST(mend, declarations_give_way) {
  mends(" <?xml version='1.0'?><a/>", "                      <a/>");
  mends("<?xml version='1.0' encoding='UTF8'?>\n<a/>", "                                     \n<a/>");
  mends("<a/><?xml version='1.0'?>", NULL);
}
XT_TEST(mend, what_is_wrong_elsewhere_is_still_told) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  const char* text = "<a x='1'y='2'>\n<!-- a -- b -->\n</b>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
  XT_INT(err.line, 3);
  XT_TEXT(err.message, "</b> does not match <a> opened at line 1");
}

// ---- explain

static void refused_sized(const char* text, size_t size, int line, int column, ctStatus status,
                          const char* message) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  XT_INT(cti_xml_parse(&doc, text, size, "m.xml", NULL, NULL, &err), status);
  XT_TEXT(err.message, message);
  XT_INT(err.line, line);
  XT_INT(err.column, column);
  XT_TEXT(err.file, "m.xml");
}
static void refused(const char* text, int line, int column, const char* message) {
  refused_sized(text, strlen(text), line, column, CT_ERR_SYNTAX, message);
}
// Taken, with a remark.
static void remarked(const char* text, const char* remark) {
  ctiXmlDoc* doc = NULL;
  XT_INT(cti_xml_parse(&doc, text, strlen(text), "m.xml", NULL, NULL, NULL), CT_OK);
  XT_TEXT(doc->remark, remark);
  cti_xml_free(doc);
}
XT_TEST(explain, nothing_at_all) {
  refused("", 1, 1, "the text is empty: expected an XML element");
  refused_sized(NULL, 0, 1, 1, CT_ERR_SYNTAX, "the text is empty: expected an XML element");
  refused("  \n ", 2, 2, "the text is empty: expected an XML element");
  refused("<!-- only a comment -->", 1, 24, "unexpected end of file: there is no element");
}
XT_TEST(explain, not_xml) {
  refused("hello", 1, 1, "this is not XML: expected '<'");
  refused("{\"json\": 1}", 1, 1, "this is not XML: expected '<'");
  refused_sized(
      "\x7f"
      "ELF\x02\x01",
      6, 1, 1, CT_ERR_SYNTAX, "this is not XML: expected '<'");
  refused_sized("\x89PNG\r\n", 6, 1, 1, CT_ERR_SYNTAX, "this is not XML: expected '<'");
}
XT_TEST(explain, elements_left_open) {
  refused("<mujoco>\n  <body>\n", 3, 1,
          "unexpected end of file: element <body> opened at line 2 is not closed");
  refused("<a>text", 1, 8, "unexpected end of file: element <a> opened at line 1 is not closed");
}
XT_TEST(explain, pieces_left_open) {
  refused("<a>\n  <geom size='1", 2, 3, "unexpected end of file: the tag that begins here is not complete");
  refused("<a><!-- x", 1, 4, "unexpected end of file: the comment that begins here is not complete");
  refused("<a>\n</a", 2, 1, "unexpected end of file: the closing tag that begins here is not complete");
  refused("<a><?x", 1, 4, "unexpected end of file: the instruction that begins here is not complete");
  refused("<a>&am", 1, 4, "unexpected end of file: the reference that begins here is not complete");
}
XT_TEST(explain, tags_that_do_not_match) {
  refused("<a>\n <b>\n </a>", 3, 4, "</a> does not match <b> opened at line 2");
  refused("<a></a></b>", 1, 9, "unexpected text after the end of the root element <a>");
}
XT_TEST(explain, trailing_garbage) {
  refused("<a/>\nhello", 2, 1, "unexpected text after the end of the root element <a>");
  refused("<a/>\n<!-- x", 2, 1, "unexpected end of file: the comment that begins here is not complete");
  refused("<a/><b/>", 1, 5, "unexpected text after the end of the root element <a>");
}
XT_TEST(explain, attributes) {
  refused("<a size='1' pos='' size='2'/>", 1, 20, "attribute \"size\" is given twice");
  refused("<a x=1/>", 1, 6, "unexpected '1'");
  refused("<a x/>", 1, 5, "unexpected '/'");
  remarked("<a x='1'y='2'/>", "m.xml:1:9: unexpected 'y'");
  refused("<a x='1>\n<b/></a>", 2, 1,
          "unexpected '<': a quotation mark or '>' is missing before it, or it should be written &lt;");
  refused("<a x='a & b'/>", 1, 10, "'&' before ' ': it should be written &amp;");
  refused("<a>b && c</a>", 1, 7, "unexpected '&': it should be written &amp;");
}
XT_TEST(explain, references) {
  refused("<a>&foo;</a>", 1, 4, "entity &foo; is not defined");
  refused("<a x='&foo;'/>", 1, 7, "entity &foo; is not defined");
  refused("<a b='&lt;&#65;'\n x='1 &foo;'/>", 2, 7, "entity &foo; is not defined");
  refused("<a>&#0;</a>", 1, 4, "character reference to a character that XML does not allow");
}
XT_TEST(explain, bytes) {
  refused_sized("<a>\0</a>", 8, 1, 4, CT_ERR_SYNTAX, "byte 0x00 is not allowed");
  refused("<a>\x01</a>", 1, 4, "byte 0x01 is not allowed");
  refused("<a>\xff</a>", 1, 4, "byte 0xff: not allowed here, or the text is not UTF-8");
}
XT_TEST(explain, declarations) {
  remarked("\n<?xml version='1.0'?><a/>",
           "m.xml:2:1: the <?xml ...?> line must be the very beginning of the text");
  refused("<!-- --><?xml version='1.0'?><a/>", 1, 9,
          "the <?xml ...?> line must be the very beginning of the text");
  refused("<?xml verson='1.0'?><a/>", 1, 7, "the <?xml ...?> line is malformed");
  remarked("<?xml version='1.0' encoding='klingon'?><a/>",
           "m.xml:1:31: unknown encoding: use UTF-8, UTF-16, ISO-8859-1 or US-ASCII");
  refused("<?xml version='1.0' encoding='utf-16'?><a/>", 1, 31,
          "the encoding declared is not the one the text is written in");
}
XT_TEST(explain, element_path_is_filled_in) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  const char* text = "<mujoco><body name='arm'><geom></body>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
  XT_TEXT(err.element, "mujoco/body[arm]/geom");
}
XT_TEST(explain, utf_16_gets_a_position_and_plain_words) {
  const char* const pairs[][2] = {
      {"<a>\n</b>", "closing tag does not match the element that is open"},
      {"<a>\n<b x='' x=''/></a>", "an attribute is given twice"},
      {"<a>\n&foo;</a>", "reference to an entity that is not defined"},
      {"<a>\n<b", "unexpected end of file: element <a> opened at line 1 is not closed"},
      {"<a>\n<b x=1/></a>", "unexpected character"}};
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    char wide[200] = "\xff\xfe";
    size_t n = 2;
    for (const char* p = pairs[i][0]; *p; p++, n += 2) wide[n] = *p;
    ctiXmlDoc* doc = NULL;
    ctError err = {0};
    XT_INT(cti_xml_parse(&doc, wide, n, NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
    XT_TEXT(err.message, pairs[i][1]);
    XT_INT(err.line, 2);
  }
}
XT_TEST(explain, long_names_are_cut) {
  static char text[3000];
  memset(text, 'n', sizeof(text) - 1);
  text[0] = '<';
  text[2000] = '>';
  text[2001] = '<';
  text[2002] = '/';
  text[2500] = '>';
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
  XT_HAS(err.message, "...> does not match <nnn");
  XT_HAS(err.message, "...> opened at line 1");
}

XT_MAIN()
