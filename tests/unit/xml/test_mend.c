#include "xml/source.h"

#include "xml/parse.h"
#include "xt.h"

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
  XT_UNUSED;
  mends("", NULL);
  mends("<?xml version='1.0' encoding='UTF-8'?>\n<!-- a - b \xc3\xa9 --><a x='1' y=\"2\"/>", NULL);
  mends("<a x='1'/><!-- --", NULL);
  mends("<a><![CDATA[ <!-- -- --> ]]></a>", NULL);
  mends("<a x='<!-- -- -->'/>", NULL);
}
XT_TEST(mend, comments_become_blank) {
  XT_UNUSED;
  mends("<a><!-- b -- \n --></a>", "<a>          \n    </a>");
  mends("<a><!-- b ---></a>", "<a>           </a>");
  mends("<a><!-- \xe9 --></a>", "<a>          </a>");
  mends("<a><!-- \x01 --></a>", "<a>          </a>");
}
XT_TEST(mend, attributes_that_touch_are_parted) {
  XT_UNUSED;
  mends("<a x='1'y='>'z=\"3\"/>", "<a x='1' y='>' z=\"3\"/>");
}
XT_TEST(mend, declarations_give_way) {
  XT_UNUSED;
  mends(" <?xml version='1.0'?><a/>", "                      <a/>");
  mends("<?xml version='1.0' encoding='UTF8'?>\n<a/>", "                                     \n<a/>");
  mends("<a/><?xml version='1.0'?>", NULL);
}
XT_TEST(mend, what_is_wrong_elsewhere_is_still_told) {
  XT_UNUSED;
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  const char* text = "<a x='1'y='2'>\n<!-- a -- b -->\n</b>";
  XT_INT(cti_xml_parse(&doc, text, strlen(text), NULL, NULL, NULL, &err), CT_ERR_SYNTAX);
  XT_INT(err.line, 3);
  XT_TEXT(err.message, "</b> does not match <a> opened at line 1");
}

XT_MAIN(XT_CASE(mend, strict_text_is_left_alone), XT_CASE(mend, comments_become_blank),
        XT_CASE(mend, attributes_that_touch_are_parted), XT_CASE(mend, declarations_give_way),
        XT_CASE(mend, what_is_wrong_elsewhere_is_still_told))
