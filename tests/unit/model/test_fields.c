#include "xt_model.h"

static const char text[] =
    "<mujoco model='m'><worldbody><body name='a'><joint name='j'/><geom name='g' size='1' user='1 2'/></body>"
    "<body name='b'/></worldbody></mujoco>";

XT_TEST(model_fields, are_found_by_name_with_their_shape) {
  ctModel* m = xt_load_string(text);
  ctField f;
  XT_INT(ct_model_field(m, "body_inertia", &f), CT_OK);
  XT_INT(f.type, CT_FIELD_REAL);
  XT_INT(f.rows, 3);
  XT_INT(f.cols, 3);
  XT_INT(f.ndim, 2);
  XT_TRUE(f.data == m->body_inertia);
  XT_INT(ct_model_field(m, "body_mass", &f), CT_OK);
  XT_INT(f.ndim, 1);
  XT_INT(ct_model_field(m, "geom_user", &f), CT_OK);
  XT_INT(f.cols, 2);
  XT_INT(f.ndim, 2);
  ct_model_free(m);
}

XT_TEST(model_fields, include_sizes_options_statistics_and_drawing) {
  ctModel* m = xt_load_string(text);
  ctField f;
  XT_INT(ct_model_field(m, "nbody", &f), CT_OK);
  XT_INT(f.ndim, 0);
  XT_INT(*(int*)f.data, 3);
  XT_INT(ct_model_field(m, "opt.gravity", &f), CT_OK);
  XT_INT(f.rows, 3);
  XT_TRUE(f.data == m->opt.gravity);
  XT_INT(ct_model_field(m, "stat.extent", &f), CT_OK);
  XT_INT(ct_model_field(m, "vis.map.znear", &f), CT_OK);
  XT_INT(f.type, CT_FIELD_FLOAT);
  ct_model_free(m);
}

XT_TEST(model_fields, every_listed_name_is_found_and_unique) {
  ctModel* m = xt_load_string(text);
  XT_TRUE(ct_model_field_count() > 600);
  XT_TRUE(ct_model_field_name(-1) == NULL && ct_model_field_name(ct_model_field_count()) == NULL);
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    XT_INT(ct_model_field(m, ct_model_field_name(i), &f), CT_OK);
    XT_TEXT(f.name, ct_model_field_name(i));
    XT_TRUE(ct_field_size(f.type) > 0);
    for (int k = 0; k < i; k++) XT_TRUE(strcmp(ct_model_field_name(i), ct_model_field_name(k)) != 0);
  }
  ctField f;
  XT_INT(ct_model_field(m, "body_weight", &f), CT_ERR_NOT_FOUND);
  XT_INT(ct_model_field(NULL, "nq", &f), CT_ERR_ARGUMENT);
  ct_model_free(m);
}

XT_TEST(model_fields, are_explained_as_they_are_found) {
  ctModel* m = xt_load_string(text);
  XT_TRUE(ct_model_field_info(-1) == NULL && ct_model_field_info(ct_model_field_count()) == NULL);
  for (int i = 0; i < ct_model_field_count(); i++) {
    const ctFieldInfo* info = ct_model_field_info(i);
    ctField f;
    XT_TEXT(info->name, ct_model_field_name(i));
    XT_INT(ct_model_field(m, info->name, &f), CT_OK);
    XT_INT(info->type, f.type);
    XT_INT(info->ndim, f.ndim);
    XT_TRUE(strlen(info->doc) > 3);
    // a shape that is a name is a size of the model
    ctField size;
    if (ct_model_field(m, info->rows, &size) == CT_OK && size.type == CT_FIELD_INT)
      XT_INT(*(int*)size.data, f.rows);
  }
  ct_model_free(m);
}

XT_TEST(model_fields, arrays_are_aligned_and_inside_the_block) {
  ctModel* m = xt_load_string(text);
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    ct_model_field(m, ct_model_field_name(i), &f);
    if (f.ndim == 0 || strchr(f.name, '.') || !f.data) continue;
    XT_INT((uintptr_t)f.data % 64, 0);
    size_t end = (size_t)((char*)f.data - (char*)m) + ct_field_size(f.type) * (size_t)(f.rows * f.cols);
    XT_TRUE(end <= ct_model_bytes(m));
  }
  ct_model_free(m);
}

XT_TEST(model_copy, is_equal_and_independent) {
  ctModel *m = xt_load_string(text), *copy = NULL;
  XT_INT(ct_model_copy(&copy, m, NULL), CT_OK);
  XT_TRUE(ct_model_compare(m, copy) == NULL);
  copy->body_mass[1] += 1;
  XT_TEXT(ct_model_compare(m, copy), "body_mass");
  ct_model_free(m);
  XT_INT(ct_model_name2id(copy, CT_OBJ_BODY, "a"), 1);
  ct_model_free(copy);
}

XT_TEST(model_binary, comes_back_equal_and_notices_every_flipped_byte) {
  ctModel *m = xt_load("tests/models/chain.xml"), *back = NULL;
  size_t size = ct_model_save_bytes(m, NULL, 0);
  unsigned char* bytes = malloc(size);
  XT_INT(ct_model_save_bytes(m, bytes, size), size);
  XT_INT(ct_model_load_bytes(&back, bytes, size, NULL, NULL), CT_OK);
  XT_TRUE(ct_model_compare(m, back) == NULL);
  ct_model_free(back);

  // the same through a file
  const char* path = "model_test.ctb";
  XT_INT(ct_model_save(m, path, NULL), CT_OK);
  XT_INT(ct_model_load(&back, path, NULL, NULL), CT_OK);
  remove(path);
  XT_TRUE(ct_model_compare(m, back) == NULL);
  ct_model_free(back);
  XT_INT(ct_model_save(m, "no/such/folder.ctb", NULL), CT_ERR_IO);
  XT_INT(ct_model_save(NULL, path, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_load_bytes(&back, text, strlen(text), NULL, NULL), CT_ERR_SYNTAX);
  XT_INT(ct_model_load_bytes(&back, NULL, 0, NULL, NULL), CT_ERR_ARGUMENT);

  for (size_t i = 0; i < 64; i++) {
    bytes[i] ^= 0x55;
    ctError err = {0};
    XT_TRUE(ct_model_load_bytes(&back, bytes, size, NULL, &err) != CT_OK && back == NULL);
    XT_TRUE(err.message[0] != 0);
    bytes[i] ^= 0x55;
  }
  for (size_t n = 0; n < size; n += 97) XT_TRUE(ct_model_load_bytes(&back, bytes, n, NULL, NULL) != CT_OK);
  free(bytes);
  ct_model_free(m);
}

XT_TEST(model_names, lead_to_ids_and_back) {
  ctModel* m = xt_load_string(text);
  XT_INT(ct_model_name2id(m, CT_OBJ_BODY, "world"), 0);
  XT_INT(ct_model_name2id(m, CT_OBJ_XBODY, "b"), 2);
  XT_INT(ct_model_name2id(m, CT_OBJ_JOINT, "j"), 0);
  XT_INT(ct_model_name2id(m, CT_OBJ_JOINT, "a"), -1);
  XT_INT(ct_model_name2id(m, CT_OBJ_GEOM, ""), -1);
  XT_INT(ct_model_name2id(m, CT_OBJ_MESH, "a"), -1);
  XT_INT(ct_model_name2id(m, (ctObjType)77, "a"), -1);
  XT_TEXT(ct_model_id2name(m, CT_OBJ_GEOM, 0), "g");
  XT_TRUE(ct_model_id2name(m, CT_OBJ_GEOM, 1) == NULL);
  XT_TRUE(ct_model_id2name(m, CT_OBJ_GEOM, -1) == NULL);
  XT_INT(ct_model_count(m, CT_OBJ_BODY), 3);
  XT_INT(ct_model_count(m, CT_OBJ_DOF), 1);
  ct_model_free(m);
}

XT_TEST(model_names, survive_many_collisions) {
  enum { N = 500 };
  static char big[N * 64 + 100];
  int at = snprintf(big, sizeof(big), "<mujoco><worldbody>");
  for (int i = 0; i < N; i++)
    at += snprintf(big + at, sizeof(big) - (size_t)at, "<site name='s%d'/>", i * 7919);
  snprintf(big + at, sizeof(big) - (size_t)at, "</worldbody></mujoco>");
  ctModel* m = xt_load_string(big);
  for (int i = 0; i < N; i++) {
    char name[32];
    snprintf(name, sizeof(name), "s%d", i * 7919);
    XT_INT(ct_model_name2id(m, CT_OBJ_SITE, name), i);
  }
  XT_INT(ct_model_name2id(m, CT_OBJ_SITE, "s1"), -1);
  ct_model_free(m);
}

XT_MAIN()
