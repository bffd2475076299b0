// What every contact must obey, whatever another engine says: searches that are symmetric, move with the
// shapes and cannot be beaten by any direction; contacts no deeper than the overlap. CT_POSES in the
// environment sets the number of poses for each pair of shapes (default 300; 1,000,000 have been run).
#include <stdlib.h>

#include "collide/collide.h"
#include "collide/convex.h"
#include "data/data.h"
#include "math/quat.h"
#include "xt_model.h"

// Shapes of every convex kind: round, flat, long, with few corners and with many.
static const char text[] =
    "<mujoco><size memory='4M'/><asset>"
    "<mesh name='wedge' vertex='0 0 0  .3 0 0  0 .2 0  0 0 .25'/>"
    "<mesh name='cube' vertex='-.1 -.15 -.2 .1 -.15 -.2 -.1 .15 -.2 .1 .15 -.2 -.1 -.15 .2 .1 -.15 .2 -.1 "
    ".15 .2 "
    ".1 .15 .2'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.15 .2 .1'/></asset><worldbody>"
    "<body><freejoint/><geom type='sphere' size='.15'/></body>"
    "<body><freejoint/><geom type='capsule' size='.08 .2'/></body>"
    "<body><freejoint/><geom type='ellipsoid' size='.1 .15 .2'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.12 .15'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .15 .2'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='wedge'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='cube'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='ball'/></body></worldbody></mujoco>";

typedef struct Pose {
  ctReal pos[3], quat[4], mat[9];
} Pose;

static ctModel* model;
static ctData* data;

static void open_model(void) {
  if (model) return;
  model = xt_load_string(text);
  data = xt_data(model);
  // searches run to the end here, so that what is left is rounding
  model->opt.ccd_iterations = 1500;
  model->opt.ccd_tolerance = (ctReal)XT_TOL(1e-10, 1e-5);
  cti_data(data)->arena_wanted = 4 << 20;  // room for all these iterations
  cti_data_grow(data);
  ct_forward(model, data);
}

static int poses(void) {
  const char* wanted = getenv("CT_POSES");
  return wanted ? atoi(wanted) : 300;
}

static ctiShape shape_at(int geom, const Pose* p) {
  ctiShape s = cti_geom_shape(model, data, geom);
  s.pos = p->pos;
  s.mat = p->mat;
  return s;
}

static void place(Pose* p, xtRng* rng, double spread) {
  xt_random_quat(p->quat, rng);
  cti_quat_to_mat(p->mat, p->quat);
  for (int i = 0; i < 3; i++) p->pos[i] = (ctReal)xt_uniform(rng, -spread, spread);
}

static void move(Pose* p, const ctReal turn[4], const ctReal shift[3]) {
  cti_quat_rotate(p->pos, turn, p->pos);
  cti_add_to3(p->pos, shift);
  cti_quat_mul(p->quat, turn, p->quat);
  cti_quat_to_mat(p->mat, p->quat);
}

static bool search(ctiCcd* r, const ctiShape* a, const ctiShape* b) {
  ctiConvex p, q;
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  return cti_ccd_distance(r, &p, &q, 100, model->opt.ccd_tolerance, model->opt.ccd_iterations, data);
}

// How far the shapes overlap along a direction: the way b has to go along it to be free of a.
static ctReal overlap(const ctiShape* a, const ctiShape* b, const ctReal dir[3]) {
  ctiConvex p, q;
  ctiCorner c;
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  cti_convex_fill(&p);
  cti_convex_fill(&q);
  cti_support_pair(&c, &p, &q, dir);
  return cti_dot3(c.w, dir);
}

// Every pair of geoms, at poses from far apart to one inside the other.
#define FOR_POSES(seed)                        \
  open_model();                                \
  xtRng rng = xt_rng(seed);                    \
  const int count = poses();                   \
  for (int g1 = 0; g1 < model->ngeom; g1++)    \
    for (int g2 = g1; g2 < model->ngeom; g2++) \
      for (int k = 0; k < count; k++)

static const double spreads[4] = {0.4, 0.2, 0.1, 0.02};

XT_TEST(search, is_symmetric_and_moves_with_the_shapes) {
  const double tol = XT_TOL(1e-7, 1e-3);
  FOR_POSES(1) {
    Pose pa, pb;
    ctiCcd r, s;
    ctReal turn[4], shift[3];
    place(&pa, &rng, spreads[k % 4]);
    place(&pb, &rng, spreads[k % 4]);
    ctiShape a = shape_at(g1, &pa), b = shape_at(g2, &pb);
    XT_TRUE(search(&r, &a, &b) && search(&s, &b, &a));
    XT_NEAR(r.dist, s.dist, tol);
    xt_random_quat(turn, &rng);
    xt_random_vec(shift, 3, &rng);
    move(&pa, turn, shift);
    move(&pb, turn, shift);
    XT_TRUE(search(&s, &a, &b));
    XT_NEAR(r.dist, s.dist, tol);
  }
}

// The distance is that of two parallel planes around the shapes, and no other direction does better.
XT_TEST(search, is_not_beaten_by_any_direction) {
  const double tol = XT_TOL(1e-6, 2e-3);
  FOR_POSES(2) {
    Pose pa, pb;
    ctiCcd r;
    place(&pa, &rng, spreads[k % 4]);
    place(&pb, &rng, spreads[k % 4]);
    ctiShape a = shape_at(g1, &pa), b = shape_at(g2, &pb);
    XT_TRUE(search(&r, &a, &b));
    XT_NEAR(cti_norm3(r.normal), 1, XT_TOL(1e-12, 1e-5));
    XT_NEAR(overlap(&a, &b, r.normal), -r.dist, tol);
    for (int i = 0; i < 20; i++) {
      ctReal dir[3];
      xt_random_vec(dir, 3, &rng);
      // half of the directions near the normal, where a better one would be
      if (i % 2) cti_along3(dir, r.normal, dir, (ctReal)0.1);
      cti_normalize3(dir);
      XT_TRUE((double)overlap(&a, &b, dir) >= -(double)r.dist - tol);
    }
  }
}

// A cutoff ends searches early; what is nearer is found all the same.
XT_TEST(search, with_a_cutoff_finds_what_is_nearer) {
  const double tol = XT_TOL(1e-6, 2e-3);
  int near = 0, far = 0;
  FOR_POSES(7) {
    Pose pa, pb;
    ctiConvex p, q;
    ctiCcd r, s;
    place(&pa, &rng, spreads[k % 2]);
    place(&pb, &rng, spreads[k % 2]);
    ctiShape a = shape_at(g1, &pa), b = shape_at(g2, &pb);
    const ctReal cutoff = (ctReal)(k % 3 == 0 ? 0 : xt_uniform(&rng, 0, 0.3));
    XT_TRUE(search(&r, &a, &b));
    cti_convex_init(&p, &a, a.pos);
    cti_convex_init(&q, &b, a.pos);
    const bool found =
        cti_ccd_distance(&s, &p, &q, cutoff, model->opt.ccd_tolerance, model->opt.ccd_iterations, data);
    if (fabs((double)(r.dist - cutoff)) > tol) XT_INT(found, r.dist <= cutoff);
    if (found) XT_NEAR(s.dist, r.dist, tol);
    near += found;
    far += !found;
  }
  XT_TRUE(near > count && far > count);
}

// An ellipsoid 2e-5 from a box: the last simplex is so thin that its direction is rounding, one before is
// not.
XT_TEST(search, keeps_the_best_direction_when_rounding_takes_over) {
  open_model();
  const double at[2][7] = {
      {-0x1.38c0d417193d5p-3, -0x1.827ab744f0b6dp-3, 0x1.62fa79922e36ep-3, 0x1.c51e7c83ddcdep-2,
       0x1.92a0bbfed519cp-1, -0x1.50c1f94ce5ddfp-2, 0x1.1d55f8d84479dp-2},
      {0x1.2d4a96af2cccp-5, 0x1.523e9dadd41e4p-3, 0x1.0f2af92e313c6p-3, -0x1.7a4c13ee76decp-1,
       -0x1.38c2b91a8c51ep-1, -0x1.c5c2efba256f7p-3, 0x1.6d74590acca45p-3}};
  Pose pose[2];
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) pose[i].pos[k] = (ctReal)at[i][k];
    for (int k = 0; k < 4; k++) pose[i].quat[k] = (ctReal)at[i][3 + k];
    cti_quat_to_mat(pose[i].mat, pose[i].quat);
  }
  ctiShape a = shape_at(2, &pose[0]), b = shape_at(4, &pose[1]);
  ctiCcd r;
  XT_TRUE(search(&r, &a, &b));
  XT_NEAR(overlap(&a, &b, r.normal), -r.dist, XT_TOL(1e-9, 2e-3));
}

XT_TEST(contacts, are_finite_with_unit_normals_and_no_deeper_than_the_overlap) {
  const double tol = XT_TOL(1e-6, 2e-3);
  ctiPoint point[CTI_MAX_POINTS];
  FOR_POSES(3) {
    Pose pa, pb;
    place(&pa, &rng, spreads[k % 4]);
    place(&pb, &rng, spreads[k % 4]);
    bool swap = model->geom_type[g1] > model->geom_type[g2];
    ctiShape a = shape_at(swap ? g2 : g1, &pa), b = shape_at(swap ? g1 : g2, &pb);
    ctReal margin = (ctReal)(k % 3 == 0 ? 0.05 : 0);
    int n = cti_collider(a.type, b.type)(point, &a, &b, margin, data);
    XT_TRUE(n >= 0 && n <= CTI_MAX_POINTS);
    for (int i = 0; i < n; i++) {
      const ctiPoint* p = point + i;
      XT_TRUE(isfinite((double)p->dist) && isfinite((double)(p->pos[0] + p->pos[1] + p->pos[2])));
      XT_NEAR(cti_norm3(p->normal), 1, XT_TOL(1e-9, 1e-4));
      XT_TRUE((double)p->dist <= (double)margin + tol);
      XT_TRUE(-(double)p->dist <= (double)overlap(&a, &b, p->normal) + tol);
    }
  }
}

XT_TEST(contacts, are_found_between_shapes_nearer_than_the_margin) {
  const double tol = XT_TOL(1e-6, 2e-3);
  ctiPoint point[CTI_MAX_POINTS];
  FOR_POSES(8) {
    Pose pa, pb;
    ctiCcd r;
    place(&pa, &rng, spreads[k % 2]);
    place(&pb, &rng, spreads[k % 2]);
    bool swap = model->geom_type[g1] > model->geom_type[g2];
    ctiShape a = shape_at(swap ? g2 : g1, &pa), b = shape_at(swap ? g1 : g2, &pb);
    const ctReal margin = (ctReal)(k % 3 == 0 ? 0 : xt_uniform(&rng, 0, 0.1));
    XT_TRUE(search(&r, &a, &b));
    int n = cti_collider(a.type, b.type)(point, &a, &b, margin, data);
    if (fabs((double)(r.dist - margin)) > tol) XT_INT(n > 0, r.dist < margin);
  }
}

// A heap of bodies: each pair that touches, in the order of bodies.
XT_TEST(heaps, have_the_contacts_of_all_pairs_in_order) {
  enum { BODIES = 30 };
  static char heap[8000];
  static const char* kinds[3] = {"sphere' size='.06", "capsule' size='.04 .06", "box' size='.04 .06 .05"};
  int at = snprintf(heap, sizeof(heap), "<mujoco><worldbody>");
  for (int i = 0; i < BODIES; i++)
    at += snprintf(heap + at, sizeof(heap) - (size_t)at, "<body><freejoint/><geom type='%s'/></body>",
                   kinds[i % 3]);
  snprintf(heap + at, sizeof(heap) - (size_t)at, "</worldbody></mujoco>");
  ctModel* m = xt_load_string(heap);
  ctData* d = xt_data(m);
  xtRng rng = xt_rng(9);
  ctiPoint point[CTI_MAX_POINTS];
  for (int k = 0; k < 60; k++) {
    // from a dense heap to one with few pairs
    for (int i = 0; i < BODIES; i++) {
      xt_random_vec(d->qpos + 7 * i, 3, &rng);
      cti_scale3(d->qpos + 7 * i, d->qpos + 7 * i, (ctReal)(0.1 + 0.01 * k));
      xt_random_quat(d->qpos + 7 * i + 3, &rng);
    }
    while (ct_forward(m, d) != CT_OK) {
    }
    int c = 0;
    for (int g1 = 0; g1 < BODIES; g1++) {
      for (int g2 = g1 + 1; g2 < BODIES; g2++) {
        const bool swap = m->geom_type[g1] > m->geom_type[g2];
        const int first = swap ? g2 : g1, second = swap ? g1 : g2;
        ctiShape a = cti_geom_shape(m, d, first), b = cti_geom_shape(m, d, second);
        const int n = cti_collider(a.type, b.type)(point, &a, &b, 0, d);
        for (int i = 0; i < n; i++, c++) {
          XT_TRUE(c < d->ncon);
          XT_INT(d->contact[c].geom1, first);
          XT_INT(d->contact[c].geom2, second);
        }
      }
    }
    XT_INT(d->ncon, c);
  }
  ct_data_free(d);
  ct_model_free(m);
}

// Whatever is above a plane is left out early; what comes within the margin never is.
XT_TEST(planes, lose_no_shape_that_touches) {
  ctModel* m = xt_load_string(
      "<mujoco><asset><mesh name='wedge' vertex='0 0 0  .3 0 0  0 .2 0  0 0 .25'/></asset><worldbody>"
      "<body mocap='true'><geom type='plane' size='1 1 1' margin='.01'/></body>"
      "<body><freejoint/><geom type='sphere' size='.15' margin='.02'/></body>"
      "<body><freejoint/><geom type='capsule' size='.08 .2' pos='.3 0 .1' margin='.03'/></body>"
      "<body><freejoint/><geom type='ellipsoid' size='.1 .15 .2'/></body>"
      "<body><freejoint/><geom type='box' size='.1 .15 .2' pos='0 .2 0'/></body>"
      "<body><freejoint/><geom type='mesh' mesh='wedge' margin='.05'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  xtRng rng = xt_rng(6);
  ctiPoint point[CTI_MAX_POINTS];
  int touching = 0, apart = 0;
  for (int k = 0; k < 2000; k++) {
    // the override option comes with a margin of its own
    m->opt.enableflags = k % 4 == 0 ? CT_ENBL_OVERRIDE : 0;
    m->opt.o_margin = (ctReal)0.04;
    xt_random_quat(d->mocap_quat, &rng);
    for (int i = 0; i < 3; i++) d->mocap_pos[i] = (ctReal)xt_uniform(&rng, -1, 1);
    for (int b = 0; b < 5; b++) {
      xt_random_quat(d->qpos + 7 * b + 3, &rng);
      for (int i = 0; i < 3; i++) d->qpos[7 * b + i] = d->mocap_pos[i] + (ctReal)xt_uniform(&rng, -0.5, 0.5);
    }
    XT_INT(ct_forward(m, d), CT_OK);
    for (int g = 1; g < m->ngeom; g++) {
      ctiShape plane = cti_geom_shape(m, d, 0), shape = cti_geom_shape(m, d, g);
      ctReal reach = k % 4 == 0 ? m->opt.o_margin : m->geom_margin[0] + m->geom_margin[g];
      int n = cti_collider(plane.type, shape.type)(point, &plane, &shape, reach, d), found = 0;
      for (int i = 0; i < d->ncon; i++) found += d->contact[i].geom1 == 0 && d->contact[i].geom2 == g;
      XT_INT(found, n);
      touching += n > 0;
      apart += n == 0;
    }
  }
  XT_TRUE(touching > 1000 && apart > 1000);
  ct_data_free(d);
  ct_model_free(m);
}

// Bodies with so many geoms that trees are walked give the contacts of a double loop.
XT_TEST(trees, find_the_contacts_of_a_double_loop) {
  enum { GEOMS = 60 };
  static char many[40000];
  xtRng rng = xt_rng(4);
  int at = snprintf(many, sizeof(many), "<mujoco><worldbody>");
  for (int body = 0; body < 2; body++) {
    at += snprintf(many + at, sizeof(many) - (size_t)at, "<body><freejoint/>");
    for (int i = 0; i < GEOMS; i++) {
      static const char* kinds[3] = {"sphere' size='.05", "capsule' size='.03 .06", "box' size='.03 .05 .04"};
      at += snprintf(many + at, sizeof(many) - (size_t)at,
                     "<geom type='%s' pos='%.3f %.3f %.3f' euler='%.0f %.0f 0'/>", kinds[i % 3],
                     xt_uniform(&rng, -0.5, 0.5), xt_uniform(&rng, -0.5, 0.5), xt_uniform(&rng, -0.5, 0.5),
                     xt_uniform(&rng, 0, 180), xt_uniform(&rng, 0, 180));
    }
    at += snprintf(many + at, sizeof(many) - (size_t)at, "</body>");
  }
  snprintf(many + at, sizeof(many) - (size_t)at, "</worldbody></mujoco>");
  ctModel* m = xt_load_string(many);
  ctData *trees = xt_data(m), *loop = xt_data(m);
  int seen = 0;
  for (int k = 0; k < 50; k++) {
    for (int i = 0; i < 3; i++) trees->qpos[7 + i] = (ctReal)xt_uniform(&rng, -0.3, 0.3);
    xt_random_quat(trees->qpos + 10, &rng);
    memcpy(loop->qpos, trees->qpos, (size_t)m->nq * sizeof(ctReal));
    m->opt.disableflags = 0;
    while (ct_forward(m, trees) != CT_OK) {
    }
    m->opt.disableflags = CT_DSBL_MIDPHASE;
    while (ct_forward(m, loop) != CT_OK) {
    }
    XT_INT(trees->ncon, loop->ncon);
    seen += trees->ncon;
    // the loop has another order: every contact must be among the others
    for (int i = 0; i < trees->ncon; i++) {
      bool found = false;
      for (int j = 0; j < loop->ncon && !found; j++) {
        found = memcmp(trees->contact[i].pos, loop->contact[j].pos, sizeof(trees->contact[i].pos)) == 0 &&
                trees->contact[i].geom1 == loop->contact[j].geom1 &&
                trees->contact[i].geom2 == loop->contact[j].geom2;
      }
      XT_TRUE(found);
    }
  }
  XT_TRUE(seen > 500);
  ct_data_free(trees);
  ct_data_free(loop);
  ct_model_free(m);
}

// Points inside a field of a cube have the distance to its nearest face; contacts with it are inside both.
XT_TEST(fields, of_a_cube_hold_a_ball) {
  ctModel* m = xt_load_string(
      "<mujoco><asset><mesh name='c' vertex='-.2 -.2 -.2 .2 -.2 -.2 -.2 .2 -.2 .2 .2 -.2 -.2 -.2 .2 .2 -.2 "
      ".2 -.2 .2 .2 "
      ".2 .2 .2'/></asset><worldbody><geom type='sdf' mesh='c'/>"
      "<body pos='.02 .01 .28'><freejoint/><geom type='sphere' size='.1'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  XT_TRUE(d->ncon > 0);
  double deepest = 0;
  for (int i = 0; i < d->ncon; i++) {
    XT_TRUE((double)d->contact[i].dist < 0);
    XT_NEAR(cti_norm3(d->contact[i].frame), 1, XT_TOL(1e-12, 1e-5));
    deepest = fmin(deepest, (double)d->contact[i].dist);
  }
  // the deepest point is as far inside the one as inside the other: at most half of the overlap of 0.02
  XT_TRUE(deepest >= -0.01 - 1e-6 && deepest < -0.005);
  // a ray from above meets the top face
  ctReal from[3] = {(ctReal)0.15, (ctReal)0.1, 1}, down[3] = {0, 0, -2}, normal[3];
  int geom;
  XT_NEAR(ct_ray_cast(m, d, from, down, NULL, &geom, normal), 0.4, XT_TOL(1e-6, 1e-4));
  XT_INT(geom, 0);
  XT_NEAR(normal[2], 1, XT_TOL(1e-9, 1e-4));
  ct_data_free(d);
  ct_model_free(m);
}

// The tip of a tetrahedron in the field of a cube: every contact lies on the tetrahedron, as deep as the top
// face is near, and none is deeper than the tip.
XT_TEST(fields, of_a_cube_hold_the_tip_of_a_mesh) {
  ctModel* m = xt_load_string(
      "<mujoco><option sdf_initpoints='4'/><asset><mesh name='c' vertex='-.2 -.2 -.2 .2 -.2 -.2 -.2 .2 -.2 "
      ".2 .2 -.2 -.2 -.2 .2 .2 -.2 .2 -.2 .2 .2 .2 .2 .2'/>"
      "<mesh name='t' vertex='0 0 -.3 .1 0 .1 -.1 .1 .1 -.1 -.1 .1'/></asset><worldbody>"
      "<geom type='sdf' mesh='c'/><body pos='0 0 .48'><freejoint/><geom type='mesh' mesh='t'/></body>"
      "</worldbody></mujoco>");
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  XT_TRUE(d->ncon > 0);
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* c = d->contact + i;
    XT_INT(c->geom1, 1);
    XT_NEAR(c->frame[2], -1, XT_TOL(1e-6, 1e-4));
    XT_TRUE((double)c->dist >= -0.02 - 1e-6 && (double)c->dist < 0);
    // halfway between the mesh and the face
    XT_NEAR(c->pos[2] - c->dist / 2, 0.2, XT_TOL(1e-6, 1e-4));
  }
  // out of the field there is nothing
  d->qpos[2] = (ctReal)0.51;
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(d->ncon, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
