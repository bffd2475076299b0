#include "xml/source.h"

#include "xt.h"

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
  XT_UNUSED;
  refused("", 1, 1, "the text is empty: expected an XML element");
  refused_sized(NULL, 0, 1, 1, CT_ERR_SYNTAX, "the text is empty: expected an XML element");
  refused("  \n ", 2, 2, "the text is empty: expected an XML element");
  refused("<!-- only a comment -->", 1, 24, "unexpected end of file: there is no element");
}
XT_TEST(explain, not_xml) {
  XT_UNUSED;
  refused("hello", 1, 1, "this is not XML: expected '<'");
  refused("{\"json\": 1}", 1, 1, "this is not XML: expected '<'");
  refused_sized(
      "\x7f"
      "ELF\x02\x01",
      6, 1, 1, CT_ERR_SYNTAX, "this is not XML: expected '<'");
  refused_sized("\x89PNG\r\n", 6, 1, 1, CT_ERR_SYNTAX, "this is not XML: expected '<'");
}
XT_TEST(explain, elements_left_open) {
  XT_UNUSED;
  refused("<mujoco>\n  <body>\n", 3, 1,
          "unexpected end of file: element <body> opened at line 2 is not closed");
  refused("<a>text", 1, 8, "unexpected end of file: element <a> opened at line 1 is not closed");
}
XT_TEST(explain, pieces_left_open) {
  XT_UNUSED;
  refused("<a>\n  <geom size='1", 2, 3, "unexpected end of file: the tag that begins here is not complete");
  refused("<a><!-- x", 1, 4, "unexpected end of file: the comment that begins here is not complete");
  refused("<a>\n</a", 2, 1, "unexpected end of file: the closing tag that begins here is not complete");
  refused("<a><?x", 1, 4, "unexpected end of file: the instruction that begins here is not complete");
  refused("<a>&am", 1, 4, "unexpected end of file: the reference that begins here is not complete");
}
XT_TEST(explain, tags_that_do_not_match) {
  XT_UNUSED;
  refused("<a>\n <b>\n </a>", 3, 4, "</a> does not match <b> opened at line 2");
  refused("<a></a></b>", 1, 9, "unexpected text after the end of the root element <a>");
}
XT_TEST(explain, trailing_garbage) {
  XT_UNUSED;
  refused("<a/>\nhello", 2, 1, "unexpected text after the end of the root element <a>");
  refused("<a/>\n<!-- x", 2, 1, "unexpected end of file: the comment that begins here is not complete");
  refused("<a/><b/>", 1, 5, "unexpected text after the end of the root element <a>");
}
XT_TEST(explain, attributes) {
  XT_UNUSED;
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
  XT_UNUSED;
  refused("<a>&foo;</a>", 1, 4, "entity &foo; is not defined");
  refused("<a x='&foo;'/>", 1, 7, "entity &foo; is not defined");
  refused("<a b='&lt;&#65;'\n x='1 &foo;'/>", 2, 7, "entity &foo; is not defined");
  refused("<a>&#0;</a>", 1, 4, "character reference to a character that XML does not allow");
}
XT_TEST(explain, bytes) {
  XT_UNUSED;
  refused_sized("<a>\0</a>", 8, 1, 4, CT_ERR_SYNTAX, "byte 0x00 is not allowed");
  refused("<a>\x01</a>", 1, 4, "byte 0x01 is not allowed");
  refused("<a>\xff</a>", 1, 4, "byte 0xff: not allowed here, or the text is not UTF-8");
}
XT_TEST(explain, declarations) {
  XT_UNUSED;
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
  XT_UNUSED;
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  const char* text = "<mujoco><body name='arm'><geom></body>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
  XT_TEXT(err.element, "mujoco/body[arm]/geom");
}
XT_TEST(explain, utf_16_gets_a_position_and_plain_words) {
  XT_UNUSED;
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
  XT_UNUSED;
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

XT_MAIN(XT_CASE(explain, nothing_at_all), XT_CASE(explain, not_xml), XT_CASE(explain, elements_left_open),
        XT_CASE(explain, pieces_left_open), XT_CASE(explain, tags_that_do_not_match),
        XT_CASE(explain, trailing_garbage), XT_CASE(explain, attributes), XT_CASE(explain, references),
        XT_CASE(explain, bytes), XT_CASE(explain, declarations), XT_CASE(explain, element_path_is_filled_in),
        XT_CASE(explain, utf_16_gets_a_position_and_plain_words), XT_CASE(explain, long_names_are_cut))
