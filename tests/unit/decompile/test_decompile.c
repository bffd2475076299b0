// From a model back to a spec: what cannot be said, what must be told, and memory that runs out.
#include "xt_alloc.h"
#include "xt_model.h"

// Something of everything, small.
static const char rich[] =
    "<mujoco model='rich'><asset>"
    "<mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>"
    "<texture name='t' type='2d' builtin='checker' width='4' height='4' rgb1='1 0 0'/>"
    "<material name='r' texture='t'/></asset>"
    "<worldbody><site name='w'/><geom type='hfield' hfield='h'/>"
    "<body name='a' pos='1 0 0'><joint name='j'/><geom name='g' type='mesh' mesh='m' material='r'/>"
    "<site name='s'/><body name='b'><joint name='k' type='ball'/><geom size='.1' mass='1' pos='1 2 "
    "3'/></body>"
    "</body></worldbody>"
    "<tendon><spatial name='l'><site site='w'/><site site='s'/></spatial></tendon>"
    "<equality><connect body1='b' anchor='0 0 0'/></equality><contact><exclude body1='a' "
    "body2='b'/></contact>"
    "<actuator><position joint='j' kp='3'/></actuator><sensor><jointpos joint='j'/></sensor>"
    "<custom><text name='x' data='y'/></custom><keyframe><key qpos='1 1 0 0 0'/></keyframe></mujoco>";

// All remarks in one text.
typedef struct Remarks {
  char text[2000];
} Remarks;

static void note(void* context, ctLogLevel level, const char* text) {
  Remarks* r = (Remarks*)context;
  (void)level;
  size_t n = strlen(r->text);
  snprintf(r->text + n, sizeof(r->text) - n, "%s\n", text);
}

// Decompile, compile again; remarks are collected.
static ctModel* back_again(const ctModel* m, Remarks* remarks) {
  const ctLog log = {note, remarks};
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  ctModel* back = NULL;
  ctError err = {0};
  XT_INT(ct_vfs_create(&files, NULL, NULL), CT_OK);
  if (ct_spec_from_model(&spec, m, files, &log, &err) != CT_OK ||
      (ct_spec_set_log(spec, NULL), ct_model_compile(&back, spec, &err)) != CT_OK)
    fail_msg("%s", err.message);
  ct_spec_free(spec);
  ct_vfs_free(files);
  return back;
}

// The message of a model that cannot be said.
static const char* refused(const ctModel* m, ctVfs* files) {
  static ctError err;
  err = (ctError){0};
  ctSpec* spec = (ctSpec*)&err;
  XT_INT(ct_spec_from_model(&spec, m, files, NULL, &err), CT_ERR_UNSUPPORTED);
  XT_TRUE(spec == NULL);
  return err.message;
}

XT_TEST(decompile, null_is_a_status) {
  ctModel* m = xt_load_string("<mujoco/>");
  ctSpec* spec = NULL;
  XT_INT(ct_spec_from_model(NULL, m, NULL, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_spec_from_model(&spec, NULL, NULL, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_save_mjcf(NULL, "x.xml", NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_save_mjcf(m, NULL, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_save_mjcf(m, "/no/such/folder/x.xml", NULL, NULL), CT_ERR_IO);
  ct_model_free(m);
}

XT_TEST(decompile, an_empty_model_comes_back_bit_by_bit) {
  Remarks remarks = {0};
  ctModel *m = xt_load_string("<mujoco/>"), *back = back_again(m, &remarks);
  XT_TRUE(ct_model_compare(m, back) == NULL);
  XT_TEXT(remarks.text, "");
  ct_model_free(back);
  ct_model_free(m);
}

XT_TEST(decompile, a_model_of_everything_comes_back_without_a_remark) {
  Remarks remarks = {0};
  ctModel *m = xt_load_string(rich), *back = back_again(m, &remarks);
  XT_TEXT(remarks.text, "");
  XT_TEXT(back->names, "rich");
  XT_INT(back->nmesh, 1);
  for (int i = 0; i < 3 * m->nmeshvert; i++) XT_NEAR(back->mesh_vert[i], m->mesh_vert[i], 1e-6);
  for (int i = 0; i < 3 * m->ngeom; i++) XT_NEAR(back->geom_pos[i], m->geom_pos[i], 1e-6);
  ct_model_free(back);
  ct_model_free(m);
}

XT_TEST(decompile, what_is_referred_to_gets_a_name_that_is_free) {
  Remarks remarks = {0};
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='j'/><joint name='joint0' axis='1 0 0'/><geom size='1'/></body>"
      "</worldbody><actuator><motor joint='j'/></actuator></mujoco>");
  // the name of joint 0 is gone: that of the world's first geom is empty
  m->name_jntadr[0] = m->name_geomadr[0];
  ctModel* back = back_again(m, &remarks);
  XT_TEXT(ct_model_id2name(back, CT_OBJ_JOINT, 0), "joint0_1");
  XT_TEXT(ct_model_id2name(back, CT_OBJ_JOINT, 1), "joint0");
  XT_INT(back->actuator_trnid[0], 0);
  XT_TRUE(ct_model_id2name(back, CT_OBJ_GEOM, 0) == NULL);
  XT_HAS(remarks.text, "joint \"joint0_1\": it had no name");
  ct_model_free(back);
  ct_model_free(m);
}

XT_TEST(decompile, texts_that_no_file_can_have_are_refused) {
  ctModel* m =
      xt_load_string("<mujoco model='ab\xc3\xa9'><custom><text name='t' data='xyz'/></custom></mujoco>");
  Remarks remarks = {0};
  ctModel* back = back_again(m, &remarks);
  XT_TEXT(back->names, "ab\xc3\xa9");
  ct_model_free(back);
  m->text_data[1] = 7;
  XT_HAS(refused(m, NULL), "a text of the model has byte 7");
  m->text_data[1] = (char)0xc3;
  XT_HAS(refused(m, NULL), "has byte 195");
  m->text_data[1] = 'y';
  m->names[3] = ' ';  // the second half of a letter is gone
  XT_HAS(refused(m, NULL), "has byte 195");
  ct_model_free(m);
}

XT_TEST(decompile, numbers_without_words_are_told) {
  Remarks remarks = {0};
  ctModel* m = xt_load_string(rich);
  m->dof_damping[2] = 3;  // of a ball: all of its dofs share one word
  m->qpos0[1] = 0;        // its reference is always the unit
  ct_model_free(back_again(m, &remarks));
  XT_HAS(remarks.text, "field \"dof_damping\": row 2 has 3 in the model and 0 when it comes back");
  XT_HAS(remarks.text, "field \"qpos0\": row 1");
  ct_model_free(m);
}

XT_TEST(decompile, a_model_that_does_not_compile_again_is_not_saved) {
  Remarks remarks = {0};
  const ctLog log = {note, &remarks};
  ctError err = {0};
  ctSpec* spec = NULL;
  ctModel* m = xt_load_string(rich);
  m->body_mass[1] = -1;
  XT_INT(ct_spec_from_model(&spec, m, NULL, &log, NULL), CT_OK);
  XT_HAS(remarks.text, "does not compile again");
  XT_INT(ct_model_save_mjcf(m, "never_written.xml", NULL, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "needs mass and inertia");
  XT_TRUE(fopen("never_written.xml", "rb") == NULL);
  ct_spec_free(spec);
  ct_model_free(m);
}

XT_TEST(decompile, pictures_need_a_place) {
  ctModel* m = xt_load_string(
      "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='3' height='2'/></asset></mujoco>");
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  XT_INT(ct_vfs_create(&files, NULL, NULL), CT_OK);
  // no formula draws this
  m->tex_data[4] = 7;
  XT_HAS(refused(m, NULL), "<texture> 0 \"t\" cannot be said in MJCF: it needs a file");
  XT_INT(ct_spec_from_model(&spec, m, files, NULL, NULL), CT_OK);
  XT_INT(ct_vfs_count(files), 1);
  const char* name;
  XT_INT(ct_vfs_file(files, 0, &name, NULL, NULL), CT_OK);
  XT_TEXT(name, "texture0_t.png");
  XT_INT(ct_vfs_file(files, 1, &name, NULL, NULL), CT_ERR_ARGUMENT);
  ct_spec_free(spec);
  // a second time the name is taken
  ctError err = {0};
  XT_INT(ct_spec_from_model(&spec, m, files, NULL, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "texture0_t.png");
  m->tex_nchannel[0] = 2;
  XT_HAS(refused(m, files), "1, 3 or 4 channels");
  ct_vfs_free(files);
  ct_model_free(m);
}

XT_TEST(decompile, an_order_that_no_file_has_is_refused) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><site/><body><geom size='1'/><site/><body/></body><body/></worldbody></mujoco>");
  m->site_bodyid[0] = 1;
  m->site_bodyid[1] = 0;
  XT_HAS(refused(m, NULL), "the sites of the model are not in the order of their bodies");
  m->site_bodyid[1] = 1;
  m->body_parentid[3] = 1;
  m->body_parentid[2] = 0;
  XT_HAS(refused(m, NULL), "do not stand depth first");
  ct_model_free(m);
}

XT_TEST(decompile, ids_that_lead_nowhere_are_refused) {
  ctModel* m = xt_load_string(rich);
  m->actuator_trnid[0] = 99;
  XT_HAS(refused(m, NULL), "there is no object 99");
  m->actuator_trnid[0] = 0;
  m->geom_dataid[1] = -1;
  XT_HAS(refused(m, NULL), "<geom> 1 \"g\" cannot be said in MJCF: it has no mesh");
  m->geom_dataid[1] = 0;
  m->exclude_signature[0] = 0x7fff0001;
  XT_HAS(refused(m, NULL), "a body that is not there");
  ct_model_free(m);
}

XT_TEST(decompile, running_out_of_memory_at_any_point_is_reported_and_leaks_nothing) {
  bool done = false;
  for (int fail = 1; !done; fail++) {
    XT_TRUE(fail < 100000);
    xtAlloc counter = {0};
    ctAllocator allocator = xt_allocator(&counter);
    ctLoadOptions opt = {.allocator = &allocator};
    ctModel* m = NULL;
    XT_INT(ct_model_load_string(&m, rich, strlen(rich), &opt, NULL), CT_OK);
    m->tex_data[4] = 7;  // a file as well
    counter.fail_at = counter.calls + fail;
    ctVfs* files = NULL;
    ctSpec* spec = NULL;
    ctError err = {0};
    Remarks remarks = {0};
    const ctLog log = {note, &remarks};
    ctStatus status = ct_vfs_create(&files, &allocator, &err);
    if (status == CT_OK) status = ct_spec_from_model(&spec, m, files, &log, &err);
    done = status == CT_OK;
    if (!done) {
      XT_INT(status, CT_ERR_MEMORY);
      XT_HAS(err.message, "memory");
      XT_TRUE(spec == NULL);
    }
    ct_spec_free(spec);
    ct_vfs_free(files);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
}

XT_MAIN()
