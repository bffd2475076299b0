#include "xt.h"

XT_TEST(version, agrees_with_the_numbers) {
  char text[32];
  snprintf(text, sizeof(text), "%d.%d.%d", CT_VERSION_MAJOR, CT_VERSION_MINOR, CT_VERSION_PATCH);
  XT_TEXT(ct_version(), text);
}
XT_TEST(version, build_info_names_version_and_precision) {
  XT_HAS(ct_build_info(), "corten " CT_VERSION_STRING ", ");
  XT_HAS(ct_build_info(), sizeof(ctReal) == 8 ? "double" : "float");
  XT_TRUE(strchr(ct_build_info(), '\n') == NULL);
}

XT_MAIN()
