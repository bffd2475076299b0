// Printing: numbers have a point, whatever the program around the engine has chosen.
#define _XOPEN_SOURCE 700  // mkdtemp
#include "model/print.h"

#include "xt_locale.h"
#include "xt_model.h"

static const char* const text =
    "<mujoco><option timestep='0.0125'/><worldbody><body pos='0.0216 1.5 0'><joint damping='0.25'/>"
    "<geom size='0.125' mass='1.75'/></body></worldbody></mujoco>";

// A number with a comma in it, such as 0,0216.
static bool has_comma_number(const char* t) {
  for (; *t; t++) {
    if (t[0] >= '0' && t[0] <= '9' && t[1] == ',' && t[2] >= '0' && t[2] <= '9') return true;
  }
  return false;
}

XT_TEST(print, numbers_have_a_point_in_every_locale) {
  static char out[1 << 20];
  if (!xt_comma_locale()) skip();
  ctModel* m = xt_load_string(text);
  XT_NEAR(m->body_pos[3], 0.0216, 1e-7);  // reading does not follow it either
  ctData* d = xt_data(m);
  XT_INT(ct_step(m, d), CT_OK);

  XT_TRUE(ct_model_print(m, out, sizeof(out)) < sizeof(out));
  XT_HAS(out, "0.0216");
  XT_TRUE(!has_comma_number(out));
  XT_TRUE(ct_data_print(m, d, out, sizeof(out)) < sizeof(out));
  XT_HAS(out, "0.0125");
  XT_TRUE(!has_comma_number(out));
  ctSpec* spec = NULL;
  XT_INT(ct_spec_from_model(&spec, m, NULL, NULL, NULL), CT_OK);
  XT_INT(ct_spec_save_string(spec, NULL, out, sizeof(out), NULL, NULL), CT_OK);
  ct_spec_free(spec);
  XT_HAS(out, "0.0216");
  XT_TRUE(!has_comma_number(out));
  XT_HAS(xt_refused("<mujoco><worldbody><camera fovy='180.5'/></worldbody></mujoco>"), "180.5");

  setlocale(LC_ALL, "C");
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
