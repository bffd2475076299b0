// Rays and distances.
#include "corten/collide.h"

#include "query/ray.h"
#include "shapes.h"
#include "xt_alloc.h"

static const char* const room =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/><geom type='sphere' size='.2' pos='1 0 .5'/>"
    "<geom type='capsule' size='.1 .2' pos='0 1 .5'/><geom type='ellipsoid' size='.1 .2 .3' pos='-1 0 .5'/>"
    "<geom type='cylinder' size='.2 .1' pos='0 -1 .5' group='3'/>"
    "<body pos='1 1 .5'><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>";

XT_TEST(ray, hits_the_nearest_geom_with_its_normal) {
  ctModel* m = xt_load_string(room);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  ctReal point[3] = {0, 0, (ctReal)0.5}, dir[3] = {2, 0, 0}, normal[3];
  int geom;
  XT_NEAR(ct_ray_cast(m, d, point, dir, NULL, &geom, normal), 0.4, 1e-6);
  XT_INT(geom, 1);
  XT_NEAR(normal[0], -1, 1e-6);
  ctReal up[3] = {0, 0, 1};
  XT_NEAR(ct_ray_cast(m, d, point, up, NULL, &geom, normal), -1, 0);
  XT_INT(geom, -1);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(ray, filters_groups_bodies_and_statics) {
  ctModel* m = xt_load_string(room);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  ctReal point[3] = {0, 0, (ctReal)0.5}, south[3] = {0, -1, 0}, corner[3] = {1, 1, 0};
  ctByte groups[6] = {1, 1, 1, 0, 1, 1};
  ctRayFilter filter = {.geomgroup = groups};
  XT_NEAR(ct_ray_cast(m, d, point, south, NULL, NULL, NULL), 0.8, 1e-6);
  XT_NEAR(ct_ray_cast(m, d, point, south, &filter, NULL, NULL), -1, 0);
  const ctRayFilter zero = {0};  // sees the world too
  XT_NEAR(ct_ray_cast(m, d, point, south, &zero, NULL, NULL), 0.8, 1e-6);
  ctRayFilter moving = {.skip_static = true}, not_box = {.skip_body = true, .body = 1};
  int geom;
  ct_ray_cast(m, d, point, corner, &moving, &geom, NULL);
  XT_INT(geom, 5);
  ct_ray_cast(m, d, point, corner, &not_box, &geom, NULL);
  XT_INT(geom, -1);
  ct_data_free(d);
  ct_model_free(m);
}

static void many_equal_single(const char* xml) {
  enum { N = 1000 };
  ctModel* m = xt_load_string(xml);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  static ctReal point[3 * N], dir[3 * N], dist[N], normal[3 * N];
  static int geom[N];
  xtRng rng = xt_rng(3);
  xt_random_vec(point, 3 * N, &rng);
  xt_random_vec(dir, 3 * N, &rng);
  for (int shared = 0; shared < 2; shared++) {
    XT_INT(ct_ray_cast_many(m, d, point, shared, dir, N, NULL, dist, geom, normal), CT_OK);
    for (int i = 0; i < N; i++) {
      ctReal n[3];
      int g;
      ctReal x = ct_ray_cast(m, d, shared ? point : point + 3 * i, dir + 3 * i, NULL, &g, n);
      XT_SAME(&x, dist + i, 1);
      XT_INT(g, geom[i]);
      XT_SAME(n, normal + 3 * i, 3);
    }
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(multi_ray, equals_single_rays_bit_for_bit) {
  many_equal_single(room);
}

// What is static and many has a tree of its own, that of the data.
XT_TEST(multi_ray, equals_single_rays_among_scenery) {
  many_equal_single(
      "<mujoco><worldbody><geom type='plane' size='0 0 1'/><replicate count='12' offset='.15 0 0'><replicate "
      "count='12' offset='0 .15 0'><geom type='box' size='.05 .03 .05' pos='-1 -1 .1' euler='10 20 30'/>"
      "</replicate></replicate><body pos='0 0 .5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
}

// The tree of many geoms does not fit into the arena of a small model: it has the heap, or the call fails.
XT_TEST(multi_ray, has_its_tree_or_says_so) {
  enum { N = 8 };
  xtAlloc counter = {.forever = true};
  const ctAllocator allocator = xt_allocator(&counter);
  const ctLoadOptions opt = {.allocator = &allocator};
  ctError err;
  ctModel* m = NULL;
  static const char xml[] =
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/>"
      "</body><body pos='0 0 5'><freejoint/><replicate count='9000' offset='1 0 0'><geom type='box' "
      "size='.1 .1 .1' pos='1 0 0'/></replicate></body></worldbody></mujoco>";
  XT_INT(ct_model_load_string(&m, xml, sizeof(xml) - 1, &opt, &err), CT_OK);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  const int ncon = d->ncon, last = d->contact[ncon - 1].geom[1];
  const size_t narena = d->narena;
  const ctReal point[3] = {-1, 0, 5};
  ctReal dir[3 * N], dist[N];
  int geom[N];
  for (int i = 0; i < N; i++) {
    dir[3 * i] = 1;
    dir[3 * i + 1] = dir[3 * i + 2] = (ctReal)0.0001 * (ctReal)i;
    dist[i] = 7;
  }
  counter.fail_at = counter.calls + 1;
  XT_INT(ct_ray_cast_many(m, d, point, true, dir, N, NULL, dist, geom, NULL), CT_ERR_MEMORY);
  for (int i = 0; i < N; i++) XT_NEAR(dist[i], 7, 0);
  counter.fail_at = 0;
  XT_INT(ct_ray_cast_many(m, d, point, true, dir, N, NULL, dist, geom, NULL), CT_OK);
  for (int i = 0; i < N; i++) {
    const ctReal x = ct_ray_cast(m, d, point, dir + 3 * i, NULL, NULL, NULL);
    XT_SAME(&x, dist + i, 1);
  }
  // what the step left behind is there
  XT_INT(d->ncon, ncon);
  XT_TRUE(d->narena == narena);
  XT_INT(d->contact[ncon - 1].geom[1], last);
  ct_data_free(d);
  ct_model_free(m);
}

// Where a ray enters a shape, the signed distance to the surface is zero: walk a point along it.
XT_TEST(ray, meets_the_surface) {
  xtRng rng = xt_rng(4);
  xtScratch scratch;
  xt_scratch_open(&scratch, 1 << 20);
  int hits = 0;
  for (int k = 0; k < 20000; k++) {
    xtShape s, probe;
    xt_shape_random(&s, CT_GEOM_SPHERE + k % 5, &rng);
    xt_shape_random_pose(&s, &rng, 0.1);
    ctReal point[3], dir[3], normal[3];
    xt_random_vec(point, 3, &rng);
    for (int i = 0; i < 3; i++) dir[i] = s.pos[i] + (ctReal)xt_uniform(&rng, -0.1, 0.1) - point[i];
    ctReal x = cti_ray_primitive(s.type, s.pos, s.mat, s.size, point, dir, normal);
    if (x < 0) continue;
    hits++;
    XT_NEAR(cti_norm3(normal), 1, 1e-5);
    // a small ball at the hit touches the shape at distance minus its radius
    xt_shape_init(&probe, CT_GEOM_SPHERE, (ctReal)0.01, 0, 0);
    cti_along3(probe.pos, point, dir, x);
    ctiPoint p[CTI_MAX_POINTS];
    XT_INT(xt_collide(p, &probe, &s, (ctReal)0.01, &scratch), 1);
    // a ball against an ellipsoid is searched on curved surfaces, in a limited number of steps
    XT_NEAR(p[0].dist, -0.01, s.type == CT_GEOM_ELLIPSOID ? XT_TOL(1e-4, 2e-3) : XT_TOL(1e-9, 1e-4));
  }
  XT_TRUE(hits > 5000);
  xt_scratch_close(&scratch);
}

XT_TEST(distance, gives_the_nearest_points_in_the_order_asked) {
  ctModel* m = xt_load_string(room);
  ctData* d = xt_data(m);
  ct_forward(m, d);
  ctReal fromto[6];
  // sphere (1) and capsule (2): types in order and swapped
  for (int swap = 0; swap < 2; swap++) {
    ctReal x = ct_geom_distance(m, d, swap ? 2 : 1, swap ? 1 : 2, 10, fromto);
    XT_NEAR(x, sqrt(2) - 0.3, 1e-6);
    ctReal rel[3];
    cti_sub3(rel, fromto + 3, fromto);
    XT_NEAR(cti_norm3(rel), x, 1e-6);
    XT_TRUE(swap ? rel[0] > 0 : rel[0] < 0);
  }
  XT_NEAR(ct_geom_distance(m, d, 1, 2, (ctReal)0.5, fromto), 0.5, 0);
  XT_NEAR(fromto[0], 0, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
