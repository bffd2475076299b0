#include "derive/fluid_slope.h"

#include "math/spatial.h"
#include "stage/velocity/fluid_parts.h"

// Local slopes are 6 x 6: rows torque then force, columns spin then velocity, in the shape's frame.
#define SLOPE(s, row, col) ((s)[6 * (row) + (col)])
#define TORQUE             0
#define FORCE              3
#define SPIN               0
#define VELOCITY           3

static CT_FN void box_slope(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctiBoxDrag drag = cti_box_drag(m, shape->size);
  for (int k = 0; k < 3; k++) {
    SLOPE(s, TORQUE + k, SPIN + k) = -(drag.turn_linear + 2 * drag.turn_square[k] * cti_abs(w[k]));
    SLOPE(s, FORCE + k, VELOCITY + k) = -(drag.move_linear + 2 * drag.move_square[k] * cti_abs(v[k]));
  }
}

// Block at (row, col) += scale [a] with [a] x = a x x.
static CT_FN void add_cross_block(ctReal s[36], int row, int col, const ctReal a[3], ctReal scale) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    SLOPE(s, row + i, col + j) -= scale * a[k];
    SLOPE(s, row + j, col + i) += scale * a[k];
  }
}

// Block at (row, col) += derivative of (c y) x z by y, with c element by element.
static CT_FN void add_weighted_cross_block(ctReal s[36], int row, int col, const ctReal c[3],
                                           const ctReal z[3]) {
  // (c y) x z = -[z] (c y)
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    SLOPE(s, row + i, col + j) += c[j] * z[k];
    SLOPE(s, row + j, col + i) -= c[i] * z[k];
  }
}

static CT_FN void add_added_mass(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctReal mass[3], inertia[3], momentum[3], spin[3];
  for (int k = 0; k < 3; k++) {
    mass[k] = m->opt.density * shape->coef[CTI_FLUID_MASS + k];
    inertia[k] = m->opt.density * shape->coef[CTI_FLUID_INERTIA + k];
    momentum[k] = mass[k] * v[k];
    spin[k] = inertia[k] * w[k];
  }
  // force: momentum x w
  add_weighted_cross_block(s, FORCE, VELOCITY, mass, w);
  add_cross_block(s, FORCE, SPIN, momentum, 1);
  // torque: momentum x v + spin x w
  add_weighted_cross_block(s, TORQUE, VELOCITY, mass, v);
  add_cross_block(s, TORQUE, VELOCITY, momentum, 1);
  add_weighted_cross_block(s, TORQUE, SPIN, inertia, w);
  add_cross_block(s, TORQUE, SPIN, spin, 1);
}

static CT_FN void add_kutta(ctReal s[36], const ctiEllipsoid* e, const ctReal v[3]) {
  if (e->kutta == 0) return;
  for (int j = 0; j < 3; j++) {
    // change of the factor, relative
    ctReal factor = e->u[j] / e->p - v[j] / e->v2 - e->a[j] * e->u[j] / e->q;
    for (int i = 0; i < 3; i++) {
      ctReal lift = e->p * v[i] - e->v2 * e->u[i];
      ctReal turn = 2 * (v[i] * e->u[j] - e->u[i] * v[j]);
      if (i == j) turn += e->p - e->v2 * e->a[i];
      SLOPE(s, FORCE + i, VELOCITY + j) += e->kutta * (lift * factor + turn);
    }
  }
}

static CT_FN void add_drag(ctReal s[36], const ctiEllipsoid* e, const ctReal w[3], const ctReal v[3]) {
  bool moves = e->kutta != 0 || (e->p > 0 && e->q > 0);
  for (int j = 0; j < 3; j++) {
    ctReal by_area =
        moves ? e->drag_by_area * e->area * (e->a[j] * e->u[j] / e->q - e->u[j] / e->p) : CT_R(0);
    ctReal by_speed = e->speed > CTI_MINVAL ? e->drag * v[j] / e->speed : CT_R(0);
    ctReal by_turn = e->turn_drag > CTI_MINVAL ? e->swept[j] * e->swept[j] * w[j] / e->turn_drag : CT_R(0);
    for (int i = 0; i < 3; i++) {
      SLOPE(s, FORCE + i, VELOCITY + j) -= v[i] * (by_area * e->speed + by_speed);
      SLOPE(s, TORQUE + i, SPIN + j) -= w[i] * by_turn;
    }
    SLOPE(s, FORCE + j, VELOCITY + j) -= e->drag * e->speed + e->move_linear;
    SLOPE(s, TORQUE + j, SPIN + j) -= e->turn_drag + e->turn_linear;
  }
}

static CT_FN void ellipsoid_slope(ctReal s[36], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *w = shape->local, *v = shape->local + 3;
  ctiEllipsoid e = cti_ellipsoid(m, shape);
  add_added_mass(s, m, shape);
  // Magnus: w x v
  add_cross_block(s, FORCE, VELOCITY, w, e.magnus);
  add_cross_block(s, FORCE, SPIN, v, -e.magnus);
  add_kutta(s, &e, v);
  add_drag(s, &e, w, v);
  for (int k = 0; k < 36; k++) s[k] *= shape->coef[CTI_FLUID_SCALE];
}

// Motion about `com` in world axes to the shape's velocity in its frame: w' = R'w, v' = R'(v + w x arm).
static CT_FN void motion_map(ctReal x[36], const ctiFluidShape* shape, const ctReal com[3]) {
  ctReal arm[3];
  cti_sub3(arm, shape->pos, com);
  for (int k = 0; k < 36; k++) x[k] = 0;
  for (int k = 0; k < 3; k++) {
    ctReal axis[3] = {shape->mat[k], shape->mat[3 + k], shape->mat[6 + k]}, lever[3];
    // axis . (w x arm) = (arm x axis) . w
    cti_cross3(lever, arm, axis);
    for (int c = 0; c < 3; c++) {
      SLOPE(x, k, c) = axis[c];
      SLOPE(x, 3 + k, 3 + c) = axis[c];
      SLOPE(x, 3 + k, c) = lever[c];
    }
  }
}

CT_FN void cti_add_fluid_slope(ctReal matrix[36], const ctModel* m, const ctiFluidShape* shape,
                               const ctReal com[3]) {
  ctReal s[36], x[36], sx[36];
  for (int k = 0; k < 36; k++) s[k] = 0;
  if (shape->coef) {
    ellipsoid_slope(s, m, shape);
  } else {
    box_slope(s, m, shape);
  }
  motion_map(x, shape, com);
  // forces go back the way motions came: X' S X
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) {
      ctReal sum = 0;
      for (int k = 0; k < 6; k++) sum += SLOPE(s, r, k) * SLOPE(x, k, c);
      SLOPE(sx, r, c) = sum;
    }
  }
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) {
      ctReal sum = 0;
      for (int k = 0; k < 6; k++) sum += SLOPE(x, k, r) * SLOPE(sx, k, c);
      SLOPE(matrix, r, c) += sum;
    }
  }
}
