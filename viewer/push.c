// Bodies that are held with the mouse: a damped spring from a point of the body to the mouse, as strong as
// the body is heavy; bodies that the user places (mocap, or free while the simulation is paused) follow at
// once.
#include <math.h>

#include "viewer.h"

static void rotate(ctReal out[3], const ctReal mat[9], const ctReal v[3]) {
  for (int i = 0; i < 3; i++) out[i] = mat[3 * i] * v[0] + mat[3 * i + 1] * v[1] + mat[3 * i + 2] * v[2];
}

static void cross(ctReal out[3], const ctReal a[3], const ctReal b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// Rotation vector from one orientation to another, world axes.
static void turn_between(ctReal out[3], const ctReal from[4], const ctReal to[4]) {
  // to * conjugate(from)
  double w = (double)(to[0] * from[0] + to[1] * from[1] + to[2] * from[2] + to[3] * from[3]);
  double v[3] = {(double)(-to[0] * from[1] + to[1] * from[0] - to[2] * from[3] + to[3] * from[2]),
                 (double)(-to[0] * from[2] + to[1] * from[3] + to[2] * from[0] - to[3] * from[1]),
                 (double)(-to[0] * from[3] - to[1] * from[2] + to[2] * from[1] + to[3] * from[0])};
  double n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), angle = 2 * atan2(n, fabs(w));
  for (int k = 0; k < 3; k++) out[k] = (ctReal)(n > 1e-12 ? v[k] / n * (w < 0 ? -angle : angle) : 0);
}

// A body whose place is not computed: that of the world's mocap frames, or the free joint of a paused one.
static bool place(const Push* p, const ctModel* m, ctData* d, bool paused) {
  int b = p->body, mocap = m->body_mocapid[b];
  ctReal *pos = NULL, *quat = NULL;
  if (mocap >= 0) {
    pos = d->mocap_pos + 3 * mocap;
    quat = d->mocap_quat + 4 * mocap;
  } else if (paused && m->body_jntnum[b] == 1 && m->jnt_type[m->body_jntadr[b]] == CT_JOINT_FREE) {
    pos = d->qpos + m->jnt_qposadr[m->body_jntadr[b]];
    quat = pos + 3;
  }
  if (!pos) return false;
  if (p->kind == PUSH_TURN) {
    for (int k = 0; k < 4; k++) quat[k] = p->turn[k];
  } else {
    ctReal arm[3];
    rotate(arm, d->xmat + 9 * b, p->point);
    for (int k = 0; k < 3; k++) pos[k] = p->target[k] - arm[k];
  }
  return true;
}

void view_push(const Push* p, const ctModel* m, ctData* d, bool paused) {
  int b = p->body;
  if (place(p, m, d, paused)) return;
  ctReal velocity[6], *force = d->xfrc_applied + 6 * b, *torque = force + 3;
  if (ct_object_velocity(m, d, CT_OBJ_BODY, b, false, velocity) != CT_OK) return;
  for (int k = 0; k < 6; k++) force[k] = 0;
  if (p->kind == PUSH_TURN) {
    ctReal angle[3], weight = m->body_invweight0[2 * b + 1], stiffness = (ctReal)m->vis.map.stiffnessrot;
    ctReal inertia = weight > 0 ? 1 / weight : 0, damping = 2 * (ctReal)sqrt((double)stiffness);
    turn_between(angle, d->xquat + 4 * b, p->turn);
    for (int k = 0; k < 3; k++) torque[k] = inertia * (stiffness * angle[k] - damping * velocity[k]);
    return;
  }
  ctReal arm[3], from_com[3], spin[3], weight = m->body_invweight0[2 * b];
  ctReal stiffness = (ctReal)m->vis.map.stiffness, mass = weight > 0 ? 1 / weight : 0,
         damping = 2 * (ctReal)sqrt((double)stiffness);
  rotate(arm, d->xmat + 9 * b, p->point);
  cross(spin, velocity, arm);  // of the point, about the body's frame
  for (int k = 0; k < 3; k++) {
    ctReal at = d->xpos[3 * b + k] + arm[k];
    from_com[k] = at - d->xipos[3 * b + k];
    force[k] = mass * (stiffness * (p->target[k] - at) - damping * (velocity[3 + k] + spin[k]));
  }
  cross(torque, from_com, force);
}
