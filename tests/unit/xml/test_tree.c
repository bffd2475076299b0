#include "xml/parse.h"
#include "xt.h"

static ctiXmlDoc* parse(const char* text) {
  ctiXmlDoc* doc = NULL;
  ctError err = {0};
  if (cti_xml_parse(&doc, text, strlen(text), "m.xml", NULL, NULL, &err) != CT_OK)
    fail_msg("%s", err.message);
  return doc;
}
XT_TEST(find, attribute_by_name) {
  XT_UNUSED;
  ctiXmlDoc* doc = parse("<a x='1' xx='2'/>");
  XT_TEXT(cti_xml_find(doc->root, "xx")->value, "2");
  XT_TRUE(cti_xml_find(doc->root, "y") == NULL);
  cti_xml_free(doc);
}
XT_TEST(find, children_by_name) {
  XT_UNUSED;
  ctiXmlDoc* doc = parse("<a><b/><c/><b i='2'/></a>");
  const ctiXml* b = cti_xml_child(doc->root, "b");
  XT_TRUE(b == doc->root->first && cti_xml_child(doc->root, NULL) == b);
  XT_TEXT(cti_xml_next(b, "b")->attrs[0].value, "2");
  XT_TEXT(cti_xml_next(b, NULL)->name, "c");
  XT_TRUE(cti_xml_child(doc->root, "d") == NULL && cti_xml_next(b, "d") == NULL);
  cti_xml_free(doc);
}
XT_TEST(path, names_in_brackets) {
  XT_UNUSED;
  ctiXmlDoc* doc =
      parse("<mujoco><worldbody><body name='arm'><joint name='elbow'/></body></worldbody></mujoco>");
  const ctiXml* joint = doc->root->first->first->first;
  char path[100];
  XT_TEXT(cti_xml_path(joint, path, sizeof(path)), "mujoco/worldbody/body[arm]/joint[elbow]");
  XT_TEXT(cti_xml_path(doc->root, path, sizeof(path)), "mujoco");
  cti_xml_free(doc);
}
XT_TEST(path, of_any_size_keeps_its_end) {
  XT_UNUSED;
  const char* full = "mujoco/worldbody/body[\xc3\xa9\xc3\xa9\xc3\xa9]/joint[elbow]";
  ctiXmlDoc* doc = parse(
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
  XT_UNUSED;
  static char text[100000];
  for (int i = 0; i < 9000; i++) memcpy(text + 3 * i, "<b>", 3);
  for (int i = 0; i < 9000; i++) memcpy(text + 27000 + 4 * i, "</b>", 4);
  ctiXmlDoc* doc = parse(text);
  const ctiXml* deepest = doc->root;
  while (deepest->first) deepest = deepest->first;
  char path[256];
  for (int i = 0; i < 10000; i++) cti_xml_path(deepest, path, sizeof(path));
  XT_INT(strlen(path), 255);
  cti_xml_free(doc);
}
XT_TEST(error, stands_at_the_element_or_the_attribute) {
  XT_UNUSED;
  ctiXmlDoc* doc = parse("<a>\n <b name='n'\n  size='1'/></a>");
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
  XT_UNUSED;
  ctiXmlDoc* doc = parse("<a name='x&#10;y'/>");
  ctError err;
  cti_xml_error(&err, CT_ERR_INVALID, doc->root, NULL, "%s", doc->root->attrs[0].value);
  XT_TEXT(err.element, "a[x y]");
  XT_TEXT(err.message, "x y");
  cti_xml_free(doc);
}

XT_MAIN(XT_CASE(find, attribute_by_name), XT_CASE(find, children_by_name), XT_CASE(path, names_in_brackets),
        XT_CASE(path, of_any_size_keeps_its_end), XT_CASE(path, of_a_deep_element_is_quick),
        XT_CASE(error, stands_at_the_element_or_the_attribute),
        XT_CASE(error, stays_one_line_whatever_a_name_holds))
