#include "xml/source.h"

#include "xt.h"

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
  XT_UNUSED;
  check("<e0 u0='1' u1=\"2\"><e1 u2=''/></e0>", false);
}
XT_TEST(locate, over_newlines_and_tabs) {
  XT_UNUSED;
  check("<e0\n  u0='1'\n\tu1='2'\tu2='3'\r\n u3='a\nb' u4=''\r u5='x\r\ny' u6=''>\n\n  <e1\n u7=''\n/></e0>",
        false);
}
XT_TEST(locate, over_characters_of_several_bytes) {
  XT_UNUSED;
  check("<e0 u0='\xc3\xa9\xe2\x82\xac' u1='\xf0\x9f\xa4\x96' u2=''>\xc3\xa9<e1 u3=''/></e0>", false);
}
XT_TEST(locate, over_references_and_the_other_quotation_mark) {
  XT_UNUSED;
  check("<e0 u0='&lt;&#10;&quot;\" u9 >/' u1=\"it's = fine\" u2='&#x41;'><e1 u3=''/></e0>", false);
}
XT_TEST(locate, after_declaration_comment_and_cdata) {
  XT_UNUSED;
  check("<?xml version='1.0'?>\n<!-- u0= \n -->\n<e0 u1=''><![CDATA[\n<]]><e1 u2=''/></e0>", false);
}
XT_TEST(locate, in_latin_1) {
  XT_UNUSED;
  check("<?xml version='1.0' encoding='iso-8859-1'?>\n<e0 u0='\xe9\xe9\xbf' u1=''><e1 u2='\xa0' u3=''/></e0>",
        true);
}
XT_TEST(locate, blanks_around_the_equals_sign) {
  XT_UNUSED;
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
  XT_UNUSED;
  ctiXmlDoc* doc = NULL;
  const char* text = "\xef\xbb\xbf<a x=''/>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, NULL), CT_OK);
  XT_INT(doc->root->attrs[0].column - doc->root->column, 3);
  cti_xml_free(doc);
}
XT_TEST(locate, random_tags) {
  XT_UNUSED;
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

XT_MAIN(XT_CASE(locate, plain), XT_CASE(locate, over_newlines_and_tabs),
        XT_CASE(locate, over_characters_of_several_bytes),
        XT_CASE(locate, over_references_and_the_other_quotation_mark),
        XT_CASE(locate, after_declaration_comment_and_cdata), XT_CASE(locate, in_latin_1),
        XT_CASE(locate, blanks_around_the_equals_sign), XT_CASE(locate, byte_order_mark_is_no_column),
        XT_CASE(locate, random_tags))
