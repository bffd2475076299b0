// Static geoms that are many: a step that leaves them out has the bits of one that does not.
#include "data/scenery.h"

#include "corten/batch.h"
#include "corten/parts.h"
#include "model/fields.h"
#include "xt_model.h"

// A field of boxes, some in bodies of their own, planes, a body for mocap, and much that falls among them.
static const char* const field =
    "<mujoco><option timestep='.004' cone='elliptic'/><asset><mesh name='m' builtin='sphere' "
    "params='1'/></asset>"
    "<worldbody><geom type='plane' size='0 0 1' pos='0 0 -.1'/>"
    "<replicate count='10' offset='.3 0 0'><replicate count='10' offset='0 .3 0'>"
    "<geom type='box' size='.1 .12 .1' euler='5 10 20' pos='-1.5 -1.5 0'/></replicate></replicate>"
    "<body name='stand' pos='0 0 .1'><geom type='cylinder' size='.2 .1'/><geom type='mesh' mesh='m' pos='.5 "
    "0 0'/>"
    "<body pos='-.5 .2 0' euler='0 0 30'><geom type='capsule' size='.1 .3' margin='.05'/></body></body>"
    "<body name='hand' mocap='true' pos='.7 .7 .3'><geom size='.1'/></body>"
    "<replicate count='6' offset='.35 .04 0'><replicate count='4' offset='0 .4 0'>"
    "<body pos='-1 -.7 .6'><freejoint/><geom type='box' size='.06 .08 .1' euler='20 30 40'/>"
    "<geom type='capsule' size='.05 .1' pos='.1 0 0' margin='.02'/><site name='eye' zaxis='0 0 -1'/></body>"
    "</replicate></replicate></worldbody>"
    "<sensor><rangefinder site='eye'/></sensor></mujoco>";

// Make a data compute everything.
static ctData* plain_data(const ctModel* m) {
  ctData* d = xt_data(m);
  cti_data(d)->scenery.ngeom = 0;
  return d;
}

static void same(const ctModel* m, const ctData* a, const ctData* b) {
  XT_INT(a->ncon, b->ncon);
  for (int i = 0; i < a->ncon; i++)  // without the padding at the end
    XT_TRUE(memcmp(a->contact + i, b->contact + i, offsetof(ctContact, efc_address)) == 0);
  for (int i = 0; i < ct_data_field_count(); i++) {
    ctField x, y;
    const char* name = ct_data_field_name(i);
    XT_INT(ct_data_field(m, a, name, &x), CT_OK);
    XT_INT(ct_data_field(m, b, name, &y), CT_OK);
    const bool measured = strstr(name, "timer") || strstr(name, "arena") || x.type == CT_FIELD_CONTACT;
    if (!measured && !cti_field_equal(&x, &y)) fail_msg("%s differs at %g", name, (double)a->time);
  }
}

static void step_both(const ctModel* m, ctData* a, ctData* b, int n) {
  for (int i = 0; i < n; i++) {
    XT_INT(ct_step(m, a), CT_OK);
    XT_INT(ct_step(m, b), CT_OK);
    same(m, a, b);
  }
}

XT_TEST(scenery, is_left_out_with_the_same_bits) {
  ctModel* m = xt_load_string(field);
  for (int kind = 0; kind < 3; kind++) {
    m->opt.integrator = kind == 1 ? CT_INT_RK4 : CT_INT_EULER;
    m->opt.enableflags = kind == 2 ? CT_ENBL_OVERRIDE : 0;
    m->opt.o_margin = (ctReal)0.03;
    ctData *a = xt_data(m), *b = plain_data(m);
    XT_TRUE(cti_scenery(a)->ngeom == 104);
    int most = 0;
    for (int i = 0; i < 200; i++) {
      a->mocap_pos[0] = b->mocap_pos[0] = (ctReal)(0.7 - 0.005 * i);
      step_both(m, a, b, 1);
      most = a->ncon > most ? a->ncon : most;
      XT_TRUE(i == 0 || cti_scenery(a)->tree == cti_scenery(a)->frames);
    }
    XT_TRUE(cti_scenery(a)->tree != 0);
    XT_TRUE(most > 40);
    // on their way, at once, and from a copy
    XT_INT(ct_step_n(m, a, 20), CT_OK);
    XT_INT(ct_step_n(m, b, 20), CT_OK);
    same(m, a, b);
    ctData* c = xt_data(m);
    XT_INT(ct_data_copy(m, a, c), CT_OK);
    step_both(m, c, b, 10);
    ct_data_reset(m, a);
    ct_data_reset(m, b);
    cti_data(b)->scenery.ngeom = 0;
    step_both(m, a, b, 10);
    ct_data_free(a);
    ct_data_free(b);
    ct_data_free(c);
  }
  ct_model_free(m);
}

XT_TEST(scenery, follows_edits_of_the_model) {
  ctModel* m = xt_load_string(field);
  ctData *a = xt_data(m), *b = plain_data(m);
  step_both(m, a, b, 60);
  m->geom_pos[3 * 40 + 2] += (ctReal)0.1;
  m->geom_sameframe[40] = CT_SAMEFRAME_NONE;
  step_both(m, a, b, 20);
  m->geom_quat[4 * 60] = m->geom_quat[4 * 60 + 1] = (ctReal)0.70710678;
  m->geom_quat[4 * 60 + 2] = m->geom_quat[4 * 60 + 3] = 0;
  step_both(m, a, b, 20);
  const int stand = ct_model_name2id(m, CT_OBJ_BODY, "stand");
  m->body_pos[3 * stand] += (ctReal)0.2;
  step_both(m, a, b, 20);
  // a larger box, as users of MuJoCo write it
  const int cylinder = m->body_geomadr[stand];
  m->geom_size[3 * cylinder] = m->geom_aabb[6 * cylinder + 3] = m->geom_aabb[6 * cylinder + 4] = (ctReal)0.5;
  m->geom_rbound[cylinder] = (ctReal)0.52;
  step_both(m, a, b, 40);
  // boxes alone need ct_model_update()
  m->geom_aabb[6 * cylinder + 5] = m->geom_size[3 * cylinder + 1] = (ctReal)0.12;
  XT_INT(ct_model_update(m, NULL), CT_OK);
  step_both(m, a, b, 40);
  // another model of the same sizes on the same data
  ctModel* other;
  XT_INT(ct_model_copy(&other, m, NULL), CT_OK);
  for (int i = 0; i < 20; i++) step_both(i % 2 ? m : other, a, b, 1);
  // what computes frames from an edited model leaves them behind
  m->geom_pos[3 * 40] += (ctReal)0.05;
  ct_part_run(m, a, CT_PART_KINEMATICS);
  m->geom_pos[3 * 40] -= (ctReal)0.05;
  step_both(m, a, b, 5);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(other);
  ct_model_free(m);
}

// Models of the same sizes on one data: what is static in one moves in the other.
XT_TEST(scenery, is_that_of_each_model) {
#define STANDS "<body pos='0 0 .2'><geom size='.1'/></body>"
#define FALLS  "<body pos='.05 0 .6'><freejoint/><geom size='.1'/></body>"
#define ONE_OF(first, second)                               \
  "<mujoco><worldbody>" first second                        \
  "<replicate count='80' offset='.3 0 0'><geom type='box' " \
  "size='.1 .1 .1' pos='-3 0 0'/></replicate></worldbody></mujoco>"
  ctModel *m = xt_load_string(ONE_OF(STANDS, FALLS)), *other = xt_load_string(ONE_OF(FALLS, STANDS));
  XT_TRUE(m->sizes_id == other->sizes_id);
  ctData* d = xt_data(m);
  XT_INT(ct_step_n(m, d, 5), CT_OK);
  for (int i = 0; i < 60; i++) XT_INT(ct_step(other, d), CT_OK);
  XT_NEAR(d->geom_xpos[3 * 80], d->qpos[0], 1e-6);
  XT_NEAR(d->geom_xpos[3 * 80 + 2], d->qpos[2], 1e-2);
  XT_NEAR(d->geom_xpos[3 * 81], 0, 0);
  XT_NEAR(d->geom_xpos[3 * 81 + 2], 0.2, 1e-7);
  ct_data_free(d);
  ct_model_free(m);
  ct_model_free(other);
}

// Worlds that differ in where static geoms are, and worlds that share them, also after an edit.
XT_TEST(scenery, holds_in_batches) {
  enum { N = 6 };
  ctModel* m = xt_load_string(field);
  for (int varied = 0; varied < 2; varied++) {
    ctBatch* batch;
    const ctBatchOptions opt = {.backend = CT_BACKEND_CPU, .threads = 2};
    XT_INT(ct_batch_create(&batch, m, N, &opt, NULL), CT_OK);
    ctReal* pos = malloc(sizeof(ctReal) * (size_t)(N * 3 * m->ngeom));
    ctReal* qpos = malloc(sizeof(ctReal) * (size_t)(N * m->nq));
    if (varied) {
      XT_INT(ct_batch_vary(batch, "geom_pos", NULL), CT_OK);
      XT_INT(ct_batch_get(batch, "geom_pos", NULL, 0, pos, NULL), CT_OK);
      for (int w = 0; w < N; w++) pos[(w * m->ngeom + 50) * 3 + 2] += (ctReal)(0.03 * w);
      XT_INT(ct_batch_set(batch, "geom_pos", NULL, 0, pos, NULL), CT_OK);
    }
    ctData* d[N];
    for (int w = 0; w < N; w++) d[w] = plain_data(m);
    for (int call = 0; call < 12; call++) {
      const ctReal before = m->geom_pos[3 * 30 + 2];
      if (call == 6 && !varied) m->geom_pos[3 * 30 + 2] += (ctReal)0.1;
      XT_INT(ct_batch_step(batch, 10, NULL), CT_OK);
      XT_INT(ct_batch_get(batch, "qpos", NULL, 0, qpos, NULL), CT_OK);
      for (int w = 0; w < N; w++) {
        const ctReal z = m->geom_pos[3 * 50 + 2];
        if (varied) m->geom_pos[3 * 50 + 2] = pos[(w * m->ngeom + 50) * 3 + 2];
        XT_INT(ct_step_n(m, d[w], 10), CT_OK);
        m->geom_pos[3 * 50 + 2] = z;
        XT_SAME(d[w]->qpos, qpos + w * m->nq, m->nq);
      }
      if (call == 11) m->geom_pos[3 * 30 + 2] = before;
    }
    for (int w = 0; w < N; w++) ct_data_free(d[w]);
    free(pos);
    free(qpos);
    ct_batch_free(batch);
  }
  ct_model_free(m);
}

XT_MAIN()
