// Closed forms of the derivatives of
//     g(q, v, a) = M a + bias - passive - actuators - applied - J' f(J a - r)
// by position and velocity at fixed acceleration a. Host code.
//
// Motions and forces are 6-D, in world axes, about a point that stays where it is: the centre of mass of the
// tree at the base point. Moving dof j displaces everything that it carries by its motion S_j. What is
// attached there is carried along: dS_i = S_j x S_i, and a wrench that the motion carries changes by
// S_j x* W, which the change of the axes it is projected on cancels. So only what is *not* carried along
// needs a term: velocities and accelerations of what lies below the dof, gravity, and forces between bodies
// (Carpentier and Mansard 2018).
#pragma once

#include "corten/data.h"
#include "math/spatial.h"

typedef struct ctiSlopes {
  const ctModel* m;
  ctData* d;        // with everything that forward dynamics leaves
  const ctReal* a;  // the acceleration at which g is differentiated
  ctReal eps;       // of differences of a part, where there is no closed form
  ctReal *gq, *gv;  // dg/dq_j and dg/dv_j, column j at j * stride
  int64_t stride;
  ctReal *field, *acc;  // nbody x 6: motion of the bodies if a were a velocity; acceleration without gravity
  ctReal *turn_v, *turn_a;  // nv x 6: motion below the dof, of qvel and of a, on its axis: u x S
  ctReal *lift, *rate;      // nv x 6: accelerations that a change of the dof's position and velocity makes
  ctReal* by_spin;          // nbody x 18: force by angular velocity; then sums over subtrees
  bool surrounded;          // fluids or forces that keep their direction: by_drift and by_place are there
  ctReal* by_drift;         // nbody x 36: force of fluids by velocity; sums
  ctReal* by_place;         // nbody x 36: force by place of what is not carried along; sums
  ctReal* force;            // nbody x 6: force on the body; sums
  ctReal* scratch;          // 48 nv + 18 nbody
  ctReal* row;              // 2 nv
  ctReal *ten_v, *ten_a;    // nJten: derivatives of the tendons' velocity, and of J a, by position
  ctReal* tension;          // ntendon: of springs, dampers, actuators and rows together
  int* group;               // nv: first of the dofs that turn together
  int* dof;                 // nv: dofs of the pair at hand
  bool* second;             // 2 nv: do they move the second body?
  // what came how
  int contacts, contact_differences, contact_switches, wrap_differences;
} ctiSlopes;

// Column j of g by position and by velocity.
static inline ctReal* cti_column_q(const ctiSlopes* s, int j) {
  return s->gq + s->stride * j;
}
static inline ctReal* cti_column_v(const ctiSlopes* s, int j) {
  return s->gv + s->stride * j;
}

// ---- trees (smooth.c) ----

// Motions of bodies and dofs, and what body forces are made of. First of all.
void cti_slopes_begin(ctiSlopes* s);

// A wrench about `point` acts on a body and is carried along by it.
void cti_slopes_wrench(ctiSlopes* s, int body, const ctReal point[3], const ctReal wrench[6]);

// The same for one whose force and torque keep their direction in the world.
void cti_slopes_constant(ctiSlopes* s, int body, const ctReal point[3], const ctReal wrench[6]);

// Everything that acts on bodies and on dofs by themselves; adds to gq and gv. Last of all. `applied`: with
// xfrc_applied.
void cti_slopes_finish(ctiSlopes* s, bool applied);

// out += d(M w)/dq, columns as in gq.
void cti_slopes_mass(const ctiSlopes* s, const ctReal* w, ctReal* out);

// out_q, out_v += derivatives of the bias force at qvel + step along, only of the rows with `row` (NULL:
// all).
void cti_slopes_bias_along(ctiSlopes* s, const ctReal* along, ctReal step, const bool* row, ctReal* out_q,
                           ctReal* out_v, ctReal scale);

// ---- forces between two bodies (link.c) ----

// The wrench W of a pair of bodies, on the second, about `point`; the first has the opposite. It changes by
//     dW = by_place Z + by_acc (Z of a) + by_vel (Z of v)      with position,
//     dW = by_vel Z                                            with velocity,
// Z the motion of the second against the first; 6 x 6 each.
typedef struct ctiLink {
  int body[2];
  ctReal point[3], wrench[6];
  ctReal by_place[36], by_acc[36], by_vel[36];
  bool rows;  // are by_acc and by_vel there?
} ctiLink;
void cti_slopes_link(ctiSlopes* s, const ctiLink* link);

// Contacts, and tendons. CT_OK or CT_STEP_OVERFLOW (scratch).
ctStatus cti_slopes_contacts(ctiSlopes* s);
void cti_slopes_tendons(ctiSlopes* s);

// ---- rows of constraints but contacts (rows.c) ----

// Tension in tendons by rows, before cti_slopes_tendons().
void cti_slopes_row_tensions(ctiSlopes* s);
void cti_slopes_rows(ctiSlopes* s);

// Dofs that move one of two bodies but not both, ascending; `second` receives whether they move the second.
int cti_slopes_pair(const ctModel* m, int body1, int body2, int* dof, bool* second);

// ---- points of bodies (rows.c) ----

// A point of a body: where it is, how it moves and accelerates.
typedef struct ctiPlace {
  int body;
  ctReal at[3], quat[4];
  ctReal vel[6], acc[6];  // of the body, at the point, the second as a 6-D motion
} ctiPlace;

// What a dof that moves the body changes at a point, in world axes: rotation, place; spin and velocity;
// angular and linear acceleration. By position, and of the last by velocity.
typedef struct ctiPlaceSlopes {
  ctReal turn[3], move[3];
  ctReal spin[3], vel[3];
  ctReal acc[6], acc_v[6];
} ctiPlaceSlopes;

// Fill in how the place moves.
void cti_place_motion(ctiPlace* p, const ctiSlopes* s);
void cti_place_slopes(ctiPlaceSlopes* to, const ctiSlopes* s, const ctiPlace* p, int dof);
