// Numbers of a model that a program has overwritten, with whatever: a step tells or survives, and writes to
// nothing but its own data. Most useful under the address sanitizer.
#include "data/data.h"
#include "xt_model.h"

static const char* const models[] = {
    "tests/models/smooth/actuator_dcmotor.xml", "tests/models/smooth/actuator_pid.xml",
    "tests/models/smooth/actuator_muscle.xml",  "tests/models/smooth/transmission_slidercrank.xml",
    "tests/models/smooth/delay_cubic.xml",      "tests/models/smooth/wrap_cylinder_side.xml",
    "tests/models/smooth/wrap_sphere_side.xml", "tests/models/smooth/plastic.xml",
    "tests/models/smooth/fluid_ellipsoid.xml",  "tests/models/smooth/integrator_implicit.xml",
    "tests/models/mjcf/orientation_servo.xml",  "tests/models/mjcf/tendons.xml",
    "tests/models/mjcf/mesh_trees.xml",         "tests/models/mjcf/sensors.xml",
    "tests/models/sensors/history.xml",         "tests/models/sensors/contacts.xml",
    "tests/models/sensors/sdf_mesh.xml",        "tests/models/sensors/rays.xml",
    "tests/models/sensors/tactile.xml",         "tests/models/constraint/mixed.xml",
    "tests/models/mjcf/hfield_mass.xml",        "tests/models/mismatch/wedge_bins.xml",
};

#define STEPS  2
#define PLACES 3  // of a field, at most

static bool is_finite(const ctReal* v, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite((double)v[i])) return false;
  }
  return true;
}

static void run(const ctModel* m, ctData* d, const char* what, double value) {
  ct_data_reset(m, d);
  ctStatus status = ct_step_n(m, d, STEPS);
  bool good = is_finite(d->qpos, m->nq) && is_finite(d->qvel, m->nv) && is_finite(d->act, m->na);
  // what the end of a step leaves is looked at when the next begins
  if (status == CT_OK && !good && ct_step(m, d) == CT_OK)
    fail_msg("%s = %g: not finite, and nobody says so", what, value);
}

static void poke(const ctModel* m, ctData* d, const ctField* f, const char* name) {
  const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, -1e308, 0, -1, 1e-300};
  int64_t count = f->rows * f->cols, stride = count > PLACES ? count / PLACES : 1;
  for (int64_t i = 0; i < count; i += stride) {
    ctReal* real = (ctReal*)f->data + i;
    float* single = (float*)f->data + i;
    for (int v = 0; v < 8; v++) {
      if (f->type == CT_FIELD_REAL) {
        ctReal kept = *real;
        *real = (ctReal)values[v];
        run(m, d, name, values[v]);
        *real = kept;
      } else {
        float kept = *single;
        *single = (float)fmin(fmax(values[v], -3e38), 3e38);
        run(m, d, name, values[v]);
        *single = kept;
      }
    }
  }
}

static void try_model(const char* path) {
  ctModel *m = xt_load(path), *same = NULL;
  XT_INT(ct_model_copy(&same, m, NULL), CT_OK);
  ctData *d = xt_data(m), *fresh = xt_data(m);
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    XT_INT(ct_model_field(m, ct_model_field_name(i), &f), CT_OK);
    if (f.type == CT_FIELD_REAL || f.type == CT_FIELD_FLOAT) poke(m, d, &f, ct_model_field_name(i));
  }
  // nothing is left of it
  const char* differs = ct_model_compare(m, same);
  if (differs) fail_msg("%s: %s was written to", path, differs);
  ct_data_reset(m, d);
  ct_step_n(m, d, STEPS);
  ct_step_n(m, fresh, STEPS);
  XT_SAME(d->qpos, fresh->qpos, m->nq);
  XT_SAME(d->qvel, fresh->qvel, m->nv);
  ct_data_free(fresh);
  ct_data_free(d);
  ct_model_free(same);
  ct_model_free(m);
}

XT_TEST(edited_models, any_number_is_told_or_survived) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) try_model(models[i]);
}

// The states of a motor follow from its parameters, their number from when the model was compiled.
XT_TEST(edited_models, a_motor_does_not_write_into_the_states_of_another) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>"
      "<body pos='1 0 0'><joint name='b' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body></worldbody>"
      "<actuator><dcmotor joint='a' motorconst='.1' resistance='1' inductance='.01'/>"
      "<general joint='b' dyntype='user' actdim='1'/></actuator></mujoco>");
  XT_INT(m->na, 2);
  ctData* d = xt_data(m);
  const int optional[] = {2, 5, 7};  // heat, bristles, slew
  for (int k = 0; k < 3; k++) {
    ctReal* number = m->actuator_dynprm + optional[k];
    ctReal kept = *number;
    *number = 3;
    ct_data_reset(m, d);
    d->ctrl[0] = 5;
    ct_step_n(m, d, 3);
    XT_TRUE(d->act[1] == 0 && d->act_dot[1] == 0);
    XT_INT(ct_model_check(m, NULL), CT_ERR_INVALID);
    *number = kept;
    XT_INT(ct_model_check(m, NULL), CT_OK);
  }
  ct_data_free(d);
  ct_model_free(m);
}

// The site at whose side a tendon passes is kept as a real number; worlds of a batch may differ in those.
XT_TEST(edited_models, a_side_that_is_no_site_is_none) {
  ctModel* m = xt_load("tests/models/smooth/wrap_cylinder_side.xml");
  ctData* d = xt_data(m);
  int wrap = 0;
  while (m->wrap_type[wrap] != CT_WRAP_CYLINDER && m->wrap_type[wrap] != CT_WRAP_SPHERE) wrap++;
  m->wrap_prm[wrap] = -1;
  XT_INT(ct_step_n(m, d, STEPS), CT_OK);
  ctReal length = d->ten_length[0];
  const double values[] = {1e9, (double)m->nsite, 1e308, (double)NAN, -2};
  for (int i = 0; i < 5; i++) {
    m->wrap_prm[wrap] = (ctReal)values[i];
    ct_data_reset(m, d);
    XT_INT(ct_step_n(m, d, STEPS), CT_OK);
    XT_TRUE(d->ten_length[0] == length);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
