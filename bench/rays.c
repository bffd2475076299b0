// Time of a bundle of 1,000 rays beside the reference engine's, from one point over the model to all sides of
// the lower half space, and how many of the distances agree, in one run:
//   bench_rays LIBRARY MODEL.xml...
#include <math.h>

#include "base/thread.h"
#include "corten/corten.h"
#include "oracle.h"

#define RAYS    1000
#define REPEATS 15

typedef void OracleRays(const void* m, void* d, const double* point, const double* dir,
                        const unsigned char* group, unsigned char statics, int exclude, int* geom,
                        double* dist, double* normal, int nray, double cutoff);

static double now(void) {
  return 1e-3 * (double)cti_clock_ns();
}

// Directions on a spiral over the lower half sphere.
static void aim(double* dir) {
  for (int i = 0; i < RAYS; i++) {
    double z = -((double)i + 0.5) / RAYS, r = sqrt(1 - z * z), angle = 2.399963229728653 * i;
    dir[3 * i] = r * cos(angle);
    dir[3 * i + 1] = r * sin(angle);
    dir[3 * i + 2] = z;
  }
}

static int run(const Oracle* oracle, OracleRays* their_rays, const char* path) {
  static double dir[3 * RAYS], dist[RAYS], normal[3 * RAYS];
  static ctReal real_dir[3 * RAYS], ours[RAYS], real_normal[3 * RAYS];
  static int geom[RAYS], our_geom[RAYS];
  char message[1000] = "";
  ctError err = {0};
  ctModel* m = NULL;
  ctData* d = NULL;
  void* their_model = oracle->load(path, NULL, message, sizeof(message));
  if (!their_model || ct_model_load(&m, path, NULL, &err) != CT_OK || ct_data_create(&d, m, &err) != CT_OK) {
    fprintf(stderr, "%s: %s%s\n", path, message, err.message);
    return 1;
  }
  void* their_data = oracle->make_data(their_model);
  OracleStage* forward;
  *(void**)&forward = oracle_symbol(oracle, "mj_forward");
  forward(their_model, their_data);
  ct_forward(m, d);
  aim(dir);
  double point[3], best[3] = {INFINITY, INFINITY, INFINITY};
  ctReal origin[3];
  for (int i = 0; i < 3; i++) {
    point[i] = (double)m->stat.center[i] + (i == 2 ? (double)m->stat.extent : 0);
    origin[i] = (ctReal)point[i];
  }
  for (int i = 0; i < 3 * RAYS; i++) real_dir[i] = (ctReal)dir[i];
  for (int r = 0; r < REPEATS; r++) {
    double t0 = now();
    their_rays(their_model, their_data, point, dir, NULL, 1, -1, geom, dist, normal, RAYS, 1e10);
    double t1 = now();
    ct_ray_cast_many(m, d, origin, true, real_dir, RAYS, NULL, ours, our_geom, real_normal);
    double t2 = now();
    for (int i = 0; i < RAYS; i++) ct_ray_cast(m, d, origin, real_dir + 3 * i, NULL, NULL, NULL);
    double t3 = now();
    best[0] = fmin(best[0], t1 - t0);
    best[1] = fmin(best[1], t2 - t1);
    best[2] = fmin(best[2], t3 - t2);
  }
  int hits = 0, same = 0, equal = 0;
  for (int i = 0; i < RAYS; i++) {
    hits += dist[i] >= 0;
    same += geom[i] == our_geom[i] && fabs(dist[i] - (double)ours[i]) <= 1e-9 * (1 + fabs(dist[i]));
    equal += ct_ray_cast(m, d, origin, real_dir + 3 * i, NULL, NULL, NULL) == ours[i];
  }
  printf("%s (%d geoms)\n  us: bundle %.0f, theirs %.0f, ratio %.2f; one by one %.0f\n", path, m->ngeom,
         best[1], best[0], best[1] / best[0], best[2]);
  printf("  %d of %d rays hit; %d as theirs; %d equal to single rays\n", hits, RAYS, same, equal);
  ct_data_free(d);
  ct_model_free(m);
  oracle->free_data(their_data);
  oracle->free_model(their_model);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_rays LIBRARY MODEL.xml...\n");
    return 2;
  }
  Oracle oracle = oracle_open(argv[1]);
  OracleRays* rays;
  *(void**)&rays = oracle_symbol(&oracle, "mj_multiRay");
  int failed = 0;
  for (int i = 2; i < argc; i++) failed |= run(&oracle, rays, argv[i]);
  return failed;
}
