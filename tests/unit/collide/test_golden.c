// Pairs of primitives against numbers of the oracle (primitives.golden).
#include "shapes.h"

static bool read_reals(FILE* f, ctReal* r, int n) {
  for (int i = 0; i < n; i++) {
    double x;
    if (fscanf(f, "%lf", &x) != 1) return false;
    r[i] = (ctReal)x;
  }
  return true;
}

static bool read_shape(FILE* f, xtShape* s) {
  int type;
  ctReal size[3];
  if (fscanf(f, "%d", &type) != 1 || !read_reals(f, size, 3)) return false;
  xt_shape_init(s, type, size[0], size[1], size[2]);
  return true;
}

static bool read_pose(FILE* f, xtShape* s) {
  if (!read_reals(f, s->pos, 3) || !read_reals(f, s->quat, 4)) return false;
  cti_quat_to_mat(s->mat, s->quat);
  return true;
}

// The error of a point that fits best; points of convex pairs may come in another order.
static double nearest_error(const ctiPoint* ours, int n, const ctReal expected[7]) {
  double best = INFINITY;
  for (int i = 0; i < n; i++) {
    double e = fabs((double)(ours[i].dist - expected[0]));
    for (int k = 0; k < 3; k++) {
      e = fmax(e, fabs((double)(ours[i].pos[k] - expected[1 + k])));
      e = fmax(e, fabs((double)(ours[i].normal[k] - expected[4 + k])));
    }
    best = fmin(best, e);
  }
  return best;
}

// Contacts agree to rounding, but for the few whose search takes another path within ccd_tolerance: those may
// be off by more, and no more than 3 % of all may be.
XT_TEST(golden, primitives_agree_with_the_oracle) {
  FILE* f = fopen(CT_SOURCE_DIR "/tests/unit/collide/primitives.golden", "r");
  XT_TRUE(f);
  char line[512];
  for (int i = 0; i < 2; i++) XT_TRUE(fgets(line, sizeof(line), f));
  xtScratch scratch;
  xt_scratch_open(&scratch, 1 << 20);
  int cases = 0, off = 0;
  xtShape a, b;
  while (read_shape(f, &a)) {
    ctReal margin = 0, expected[7];
    int n;
    XT_TRUE(read_shape(f, &b) && read_reals(f, &margin, 1) && read_pose(f, &a) && read_pose(f, &b));
    XT_INT(fscanf(f, "%d", &n), 1);
    ctiPoint ours[CTI_MAX_POINTS];
    int count = xt_collide(ours, &a, &b, margin, &scratch);
    bool good = count == n;
    for (int i = 0; i < n; i++) {
      XT_TRUE(read_reals(f, expected, 7));
      good = good && nearest_error(ours, count, expected) < XT_TOL(1e-9, 2e-3);
    }
    cases++;
    off += !good;
  }
  fclose(f);
  xt_scratch_close(&scratch);
  XT_TRUE(cases > 200);
  if (off > 0.03 * cases) fail_msg("%d of %d cases are off", off, cases);
}

XT_MAIN()
