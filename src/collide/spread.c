#include "collide/spread.h"

// Area (twice) of four corners.
static CT_FN ctReal spread_area(const ctReal (*at)[3], const int c[4]) {
  ctReal u[3], v[3], x[3];
  cti_sub3(u, at[c[2]], at[c[0]]);
  cti_sub3(v, at[c[3]], at[c[1]]);
  cti_cross3(x, u, v);
  return cti_norm3(x);
}

// Move corner k one on if that makes the area larger.
static CT_FN bool spread_step(int c[4], const ctReal (*at)[3], int n, int k, ctReal* area) {
  if (c[k] + 1 >= (k == 3 ? n : c[k + 1])) return false;
  c[k]++;
  ctReal larger = spread_area(at, c);
  if (larger > *area) {
    *area = larger;
    return true;
  }
  c[k]--;
  return false;
}

CT_FN void cti_spread(int c[4], const ctReal (*at)[3], int n) {
  for (int i = 0; i < 4; i++) c[i] = i;
  ctReal area = spread_area(at, c);
  do {
    while (spread_step(c, at, n, 2, &area)) {
    }
    while (spread_step(c, at, n, 1, &area)) {
    }
  } while (spread_step(c, at, n, 3, &area));
}
