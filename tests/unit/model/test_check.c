// A binary model is not trusted: every number that leads somewhere is held against what is there.
#include "model/binary.h"
#include "xt_model.h"

XT_TEST(check, every_field_of_whole_numbers_is_thought_of) {
  ctModel* m = xt_load("tests/models/chain.xml");
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    const char* name = ct_model_field_name(i);
    XT_INT(ct_model_field(m, name, &f), CT_OK);
    bool array = f.ndim > 0 && !strchr(name, '.');
    if (array && f.type == CT_FIELD_INT && !cti_model_check_knows(name)) fail_msg("%s is not checked", name);
  }
  ct_model_free(m);
}

// Puts a number into an array of a model.
static void put(const ctField* f, int64_t at, double value) {
  if (f->type == CT_FIELD_INT) ((int*)f->data)[at] = (int)value;
  if (f->type == CT_FIELD_REAL) ((ctReal*)f->data)[at] = (ctReal)value;
  if (f->type == CT_FIELD_FLOAT) ((float*)f->data)[at] = (float)value;
}

static double get(const ctField* f, int64_t at) {
  if (f->type == CT_FIELD_INT) return ((int*)f->data)[at];
  return f->type == CT_FIELD_REAL ? (double)((ctReal*)f->data)[at] : (double)((float*)f->data)[at];
}

// The bytes of a model with one number replaced and the checksum made right.
static ctStatus load_with(const ctModel* m, const ctField* f, int64_t at, double value) {
  double old = get(f, at);
  put(f, at, value);
  size_t size = ct_model_save_bytes(m, NULL, 0);
  unsigned char* bytes = (unsigned char*)malloc(size);
  XT_TRUE(ct_model_save_bytes(m, bytes, size) == size);
  put(f, at, old);
  ctModel* read = NULL;
  ctStatus status = ct_model_load_bytes(&read, bytes, size, NULL, NULL);
  free(bytes);
  if (read) {
    // what loads can be run
    ctData* d = xt_data(read);
    (void)ct_step(read, d);
    ct_data_free(d);
    ct_model_free(read);
  }
  return status;
}

static void poison(const char* path) {
  static const double whole[] = {-2, 0, 1000000000}, real[] = {-2, 0, 1e30, NAN};
  ctModel* m = xt_load(path);
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    const char* name = ct_model_field_name(i);
    XT_INT(ct_model_field(m, name, &f), CT_OK);
    bool number = f.type == CT_FIELD_INT || f.type == CT_FIELD_REAL || f.type == CT_FIELD_FLOAT;
    if (f.ndim == 0 || !number || strchr(name, '.')) continue;
    const double* values = f.type == CT_FIELD_INT ? whole : real;
    const size_t count = f.type == CT_FIELD_INT ? 3 : 4;
    const int64_t n = f.rows * f.cols;
    for (int64_t at = 0; at < n; at += 1 + n / 2) {
      for (size_t k = 0; k < count; k++) (void)load_with(m, &f, at, values[k]);
    }
  }
  ct_model_free(m);
}

XT_TEST(check, no_number_in_a_file_leads_out_of_bounds) {
  static const char* const models[] = {
      "tests/models/mjcf/tendons.xml",        "tests/models/mjcf/constraints.xml",
      "tests/models/mjcf/discardvisual.xml",  "tests/models/mjcf/hfield_mass.xml",
      "tests/models/mjcf/general_drives.xml", "tests/models/sensors/rays.xml"};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) poison(models[i]);
}

XT_TEST(check, an_index_out_of_range_is_refused_by_name) {
  static const struct {
    const char *model, *field;
    int at;
    double value;
  } cases[] = {
      {"tests/models/mjcf/constraints.xml", "eq_obj1id", 0, 1000},
      {"tests/models/mjcf/tendons.xml", "wrap_objid", 0, 1000},
      {"tests/models/smooth/wrap_sphere_side.xml", "wrap_prm", 1, 6.5},  // half a site rounds to the next
      {"tests/models/mjcf/actuators.xml", "actuator_trnid", 0, 1000},
      {"tests/models/mjcf/sensors.xml", "sensor_objid", 0, 100000},
      {"tests/models/mjcf/sensors.xml", "sensor_dim", 0, 2},
      {"tests/models/mjcf/discardvisual.xml", "mesh_graph", 5, 100000},
      {"tests/models/mjcf/discardvisual.xml", "mesh_polyvert", 0, 100000},
      {"tests/models/mjcf/discardvisual.xml", "bvh_nodeid", 0, 100000},
      {"tests/models/mjcf/discardvisual.xml", "bvh_child", 0, 0},
      {"tests/models/chain.xml", "dof_parentid", 1, -1},
      {"tests/models/chain.xml", "M_colind", 1, 1},
      {"tests/models/chain.xml", "names_map", 0, 100000},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ctModel* m = xt_load(cases[i].model);
    ctField f;
    XT_INT(ct_model_field(m, cases[i].field, &f), CT_OK);
    if (load_with(m, &f, cases[i].at, cases[i].value) != CT_ERR_INVALID)
      fail_msg("%s was taken", cases[i].field);
    ct_model_free(m);
  }
}

XT_MAIN()
