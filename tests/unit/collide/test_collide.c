// The whole of collision detection on small models: who meets whom, in which order, with which parameters.
#include "collide/collide.h"

#include "shapes.h"

typedef struct Scene {
  ctModel* m;
  ctData* d;
} Scene;

static Scene open_scene(const char* xml) {
  Scene s;
  s.m = xt_load_string(xml);
  s.d = xt_data(s.m);
  ct_forward(s.m, s.d);
  return s;
}

// Contacts alone, in an arena that is otherwise empty.
static ctStatus detect(Scene* s) {
  cti_data(s->d)->parena = cti_data(s->d)->pstack = 0;
  return cti_collision(s->m, s->d);
}

static void close_scene(Scene* s) {
  ct_data_free(s->d);
  ct_model_free(s->m);
}

static const char* const three =
    "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='a' pos='0 0 .09'><freejoint/><geom type='sphere' size='.1'/></body>"
    "<body name='b' pos='.15 0 .09'><freejoint/><geom type='sphere' size='.1'/></body>"
    "<body name='c' pos='.3 0 .09'><freejoint/><geom type='sphere' size='.1'/></body>"
    "</worldbody></mujoco>";

XT_TEST(order, is_by_body_pair) {
  Scene s = open_scene(three);
  XT_INT(detect(&s), CT_OK);
  const int expected[5][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}};
  XT_INT(s.d->ncon, 5);
  for (int i = 0; i < 5; i++) {
    XT_INT(s.d->contact[i].geom[0], expected[i][0]);
    XT_INT(s.d->contact[i].geom[1], expected[i][1]);
    XT_INT(s.d->contact[i].efc_address, -1);
    XT_INT(s.d->contact[i].flex[0], -1);
    XT_INT(s.d->contact[i].exclude, CT_EXCLUDE_NONE);
  }
  close_scene(&s);
}

XT_TEST(disabled, contact_flag_gives_none) {
  Scene s = open_scene(three);
  s.m->opt.disableflags |= CT_DSBL_CONTACT;
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 0);
  close_scene(&s);
}

XT_TEST(filter, parent_and_child_do_not_touch) {
  Scene s = open_scene(
      "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom type='sphere' size='.1'/>"
      "<body pos='.1 0 0'><joint axis='0 1 0'/><geom type='sphere' size='.1'/>"
      "<body pos='.05 0 0'><joint axis='0 1 0'/><geom type='sphere' size='.1'/></body></body></body>"
      "</worldbody></mujoco>");
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 1);  // grandparent and grandchild only
  s.m->opt.disableflags |= CT_DSBL_FILTERPARENT;
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 3);
  close_scene(&s);
}

XT_TEST(filter, masks_must_match) {
  Scene s = open_scene(
      "<mujoco><worldbody><body><freejoint/><geom type='sphere' size='.1' contype='2' "
      "conaffinity='4'/></body>"
      "<body><freejoint/><geom type='sphere' size='.1' contype='1' conaffinity='1'/></body>"
      "<body><freejoint/><geom type='sphere' size='.1' contype='0' "
      "conaffinity='2'/></body></worldbody></mujoco>");
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 1);
  XT_INT(s.d->contact[0].geom[0], 0);
  XT_INT(s.d->contact[0].geom[1], 2);
  close_scene(&s);
}

XT_TEST(parameters, margins_add_and_friction_takes_the_larger) {
  Scene s = open_scene(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='.5 .02 .003' margin='.01' gap='.02'/>"
      "<body pos='0 0 .125'><freejoint/><geom type='sphere' size='.1' friction='.7 .001 .004' margin='.02' "
      "condim='4'/></body></worldbody></mujoco>");
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 1);
  const ctContact* c = s.d->contact;
  XT_NEAR(c->includemargin, 0.03, 1e-7);
  XT_NEAR(c->friction[0], 0.7, 1e-7);
  XT_NEAR(c->friction[2], 0.02, 1e-7);
  XT_NEAR(c->friction[4], 0.004, 1e-7);
  XT_INT(c->dim, 4);
  XT_INT(c->exclude, CT_EXCLUDE_NONE);
  // farther up it is in the gap
  s.d->qpos[2] = (ctReal)0.14;
  ct_forward(s.m, s.d);
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 1);
  XT_INT(s.d->contact[0].exclude, CT_EXCLUDE_GAP);
  close_scene(&s);
}

XT_TEST(frame, is_orthonormal) {
  Scene s = open_scene(three);
  XT_INT(detect(&s), CT_OK);
  for (int i = 0; i < s.d->ncon; i++) {
    const ctReal* f = s.d->contact[i].frame;
    ctReal product[9];
    cti_mul_mat_mat_t3(product, f, f);
    const ctReal unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    XT_CLOSE(product, unit, 9, 1e-6, "frame");
  }
  close_scene(&s);
}

// The last contacts in the order are left out, the rest is as ever; the data knows how much was missing.
XT_TEST(full_arena, drops_the_last_contacts) {
  Scene s = open_scene(three);
  XT_INT(detect(&s), CT_OK);
  ctContact first[2];
  memcpy(first, s.d->contact, sizeof(first));
  size_t whole = s.d->narena;
  bool dropped = false;
  for (size_t bytes = 64; bytes < 65536 && bytes < whole; bytes += 512) {
    s.d->narena = bytes;
    cti_data(s.d)->arena_wanted = 0;
    ctStatus status = detect(&s);
    if (status == CT_OK) break;
    XT_INT(status, CT_STEP_OVERFLOW);
    XT_TRUE(s.d->ncon < 5 && cti_data(s.d)->arena_wanted > bytes);
    XT_INT(cti_data(s.d)->pstack, 0);
    if (s.d->ncon >= 2) {
      dropped = true;
      // number by number: what lies between the members is whatever the arena held
      for (int i = 0; i < 2; i++) {
        const ctContact *a = s.d->contact + i, *b = first + i;
        XT_SAME(a->geom, b->geom, 2);
        XT_SAME(&a->dist, &b->dist, 1);
        XT_SAME(a->pos, b->pos, 3);
        XT_SAME(a->frame, b->frame, 9);
        XT_SAME(a->friction, b->friction, 5);
        XT_SAME(a->solref, b->solref, CT_NREF);
      }
    }
  }
  XT_TRUE(dropped);
  XT_TRUE(s.d->warning[CT_WARN_CONTACTFULL].number > 0);
  s.d->narena = whole;
  XT_INT(detect(&s), CT_OK);
  XT_INT(s.d->ncon, 5);
  close_scene(&s);
}

// Contacts of a shape that stands exactly on another, by numbers whose sums are rounded either way.
static int standing(const char* type, int low, int high) {
  char text[400];
  snprintf(text, sizeof(text),
           "<mujoco><worldbody><geom type='box' size='.08 .1 %g' margin='.001'/><body pos='.04 .04 %g'>"
           "<freejoint/><geom type='%s' size='.02 %g %g'/></body></worldbody></mujoco>",
           low / 100.0, (low + high) / 100.0, type, high / 100.0, high / 100.0);
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  int n = d->ncon;
  ct_data_free(d);
  ct_model_free(m);
  return n;
}

XT_TEST(touching, shapes_have_the_contacts_of_their_faces) {
  for (int low = 1; low < 20; low++) {
    for (int high = 1; high < 20; high++) {
      XT_INT(standing("box", low, high), 4);
      XT_INT(standing("cylinder", low, high), 4);
      XT_INT(standing("sphere", low, 2), 1);
    }
  }
}

// Spheres of one size, the first `loose` of them free: by runs of 16 in `spread` clumps, or all over the
// place.
static void clumps(int n, int loose, int spread, bool ordered, uint64_t seed) {
  const ctReal radius = CT_R(0.05);
  xtRng rng = xt_rng(seed);
  ctReal(*at)[3] = calloc((size_t)n, sizeof(*at));
  char* text = malloc((size_t)n * 160 + 200);
  int length = sprintf(text, "<mujoco><worldbody>");
  for (int i = 0; i < n; i++) {
    xt_random_vec(at[i], 3, &rng);
    for (int k = 0; k < 3; k++) at[i][k] = (ctReal)((int)(at[i][k] * CT_R(200))) / 1000;  // exact in the text
    at[i][0] += (ctReal)((ordered ? i / 16 : i) % spread);
    length += sprintf(text + length, "<body pos='%.3f %.3f %.3f'>%s<geom size='.05'/></body>",
                      (double)at[i][0], (double)at[i][1], (double)at[i][2], i < loose ? "<freejoint/>" : "");
  }
  sprintf(text + length, "</worldbody></mujoco>");
  Scene s = open_scene(text);
  XT_INT(detect(&s), CT_OK);
  int count = 0;
  for (int i = 0; i < loose; i++) {
    for (int k = i + 1; k < n; k++) {
      ctReal rel[3];
      cti_sub3(rel, at[k], at[i]);
      const ctReal gap = cti_norm3(rel) - 2 * radius;
      if (cti_abs(gap) < CT_R(1e-5) || gap > 0) continue;  // rounding decides about those that just touch
      while (count < s.d->ncon && s.d->contact[count].dist > CT_R(-1e-5)) count++;
      XT_TRUE(count < s.d->ncon);
      XT_INT(s.d->contact[count].geom[0], i);
      XT_INT(s.d->contact[count].geom[1], k);
      count++;
    }
  }
  while (count < s.d->ncon && s.d->contact[count].dist > CT_R(-1e-5)) count++;
  XT_INT(count, s.d->ncon);
  close_scene(&s);
  free(text);
  free(at);
}

XT_TEST(pairs, are_all_that_touch_however_bodies_lie) {
  const int sizes[] = {2, 15, 16, 17, 40, 120};
  for (int i = 0; i < CT_COUNT_OF(sizes); i++) {
    for (int spread = 1; spread <= 9; spread += 4) {
      clumps(sizes[i], sizes[i], spread, true, (uint64_t)(10 * i + spread));
      clumps(sizes[i], sizes[i], spread, false, (uint64_t)(10 * i + spread));
    }
  }
  clumps(1100, 40, 5, true, 3);  // too many for groups
}

XT_MAIN()
