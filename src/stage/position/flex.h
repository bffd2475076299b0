// Deformables: where their vertices, edges and boxes are, and how their points move with the dofs. Step code.
//   reads   d->xpos, xmat, cdof, subtree_com; m->flex_*, flexedge_J_*
//   writes  d->flexvert_xpos, flexedge_length, flexedge_J, flexelem_aabb, bvh_aabb_dyn; flexedge_velocity
//   before  kinematics, com
//
// A deformable is held by points: its vertices, or, where it is interpolated, the nodes of a cage around it.
#pragma once

#include "corten/data.h"
#include "stage/position/point_motion.h"

// CT_OK or CT_STEP_OVERFLOW (arena full: vertices inside cages are not where they belong).
CT_FN ctStatus cti_flexes(const ctModel* m, ctData* d);

// Rates of the edge lengths, in the velocity stage.
CT_FN void cti_flex_velocity(const ctModel* m, ctData* d);

// ---- rods ----

// A record of flex_bending of a rod: three vertices and what their bend costs.
#define CTI_ROD_RECORD 10

// ---- cages ----

#define CTI_CAGE_NODES 27  // of a cell of order 2
#define CTI_FACE_NODES 9   // of a face of it

typedef struct ctiCage {
  int order;     // 1 or 2
  bool shell;    // only the faces are elastic; nodes inside follow them
  int cells[3];  // along the axes
  int nodes[3];
  int first;    // its first node
  int ncell;    // all cells
  int size[3];  // ... and of one: nodes along an axis, in a cell, in a face
} ctiCage;

CT_FN ctiCage cti_cage(const ctModel* m, int flex);

CT_INLINE int cti_cage_node_at(const ctiCage* cage, int i, int j, int k) {
  return (i * cage->nodes[1] + j) * cage->nodes[2] + k;
}

// Nodes of a cell (counted flat) in the order z fastest, counted in the cage.
CT_FN int cti_cage_cell_nodes(const ctiCage* cage, int cell, int out[CTI_CAGE_NODES]);

// Elements of the surface: all faces of cells on x = 0, x = max, y = 0, ...
CT_FN int cti_cage_faces(const ctiCage* cage);
// Nodes of one of them, slow axis first; `axis` receives normal, slow and fast axis.
CT_FN int cti_cage_face_nodes(const ctiCage* cage, int face, int out[CTI_FACE_NODES], int axis[3]);

// World positions of all nodes, and their velocities.
CT_FN void cti_cage_positions(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out);
CT_FN void cti_cage_velocities(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out);

// Weights of the nodes along one axis of a cell at s = 0 .. 1, and their slopes.
CT_FN void cti_cage_basis(ctReal value[3], ctReal slope[3], int order, ctReal s);

// Rotation nearest to F, by the iteration that models are compared by: F is positive.
CT_FN void cti_nearest_rotation(ctReal quat[4], const ctReal F[9]);

// The cell or face element of a cage at hand.
typedef struct ctiCageElement {
  int node[CTI_CAGE_NODES], n;
  ctReal F[9];             // how it is stretched and turned at its middle, columns by the axes of the cage
  int axis[3];             // of a face: normal, slow, fast
  ctReal quat[4], rot[9];  // how the element is turned
  const ctReal* S;         // its stiffness, 3n x 3n, negative
  bool empty;              // nothing of the body is in it
} ctiCageElement;

// Elements of a cage: cells, or faces of a shell; and one of them, with nodes at `x`.
CT_FN int cti_cage_elements(const ctiCage* cage);
CT_FN void cti_cage_element(ctiCageElement* e, const ctModel* m, int f, const ctiCage* cage, int i,
                            const ctReal* x);

// Tangents of a face at a place on it, slow and fast; and how it is stretched and turned at its middle.
CT_FN void cti_face_tangents(ctReal slow[3], ctReal fast[3], int order, const int* node, const ctReal* x,
                             const ctReal at[2]);
CT_FN void cti_face_gradient(ctReal F[9], const ctModel* m, int f, const ctiCage* cage, const int* node,
                             const int axis[3], const ctReal* x);

// ---- what is elastic ----

// Does a deformable of triangles or tetrahedra resist stretching, or bending of its hinges?
CT_INLINE bool cti_flex_stretches(const ctModel* m, int f) {
  if (m->flex_dim[f] < 2 || m->flex_stiffnessadr[f] < 0 || m->flex_interp[f] || m->flex_rigid[f])
    return false;
  // records may be there for their thickness alone
  return m->flex_stiffness[m->flex_stiffnessadr[f]] != 0;
}
CT_INLINE bool cti_flex_hinges(const ctModel* m, int f) {
  return m->flex_dim[f] == 2 && m->flex_bendingadr[f] >= 0 && !m->flex_interp[f] && !m->flex_rigid[f];
}
CT_INLINE bool cti_flex_is_rod(const ctModel* m, int f) {
  return m->flex_dim[f] == 1 && m->flex_bendingadr[f] >= 0 && !m->flex_interp[f] && !m->flex_rigid[f];
}
CT_INLINE bool cti_flex_is_elastic_cage(const ctModel* m, int f) {
  if (!m->flex_interp[f] || m->flex_rigid[f]) return false;
  bool stretches = m->flex_stiffnessadr[f] >= 0 && m->flex_edgeequality[f] != 3;
  return stretches || m->flex_bendingadr[f] >= 0;
}

// Does anything of it resist being deformed?
CT_INLINE bool cti_flex_is_elastic(const ctModel* m, int f) {
  return cti_flex_stretches(m, f) || cti_flex_hinges(m, f) || cti_flex_is_rod(m, f) ||
         cti_flex_is_elastic_cage(m, f);
}

// ---- points ----

// Body of a vertex, or of a node of a cage.
CT_INLINE int cti_flex_body(const ctModel* m, int flex, int point) {
  return m->flex_interp[flex] ? m->flex_nodebodyid[m->flex_nodeadr[flex] + point]
                              : m->flex_vertbodyid[m->flex_vertadr[flex] + point];
}

// A body that only slides, by joints of its own: all its points move alike, whatever the configuration.
CT_INLINE bool cti_only_slides(const ctModel* m, int body) {
  return m->body_simple[body] == 2;
}

// A point fixed to a body; most are at its origin.
CT_INLINE void cti_place_point(ctReal out[3], const ctData* d, int body, const ctReal local[3]) {
  if (local[0] == 0 && local[1] == 0 && local[2] == 0) {
    cti_copy3(out, d->xpos + 3 * body);
  } else {
    cti_mul_mat_vec3(out, d->xmat + 9 * body, local);
    cti_add_to3(out, d->xpos + 3 * body);
  }
}

// Velocity of a point fixed to a body.
CT_INLINE void cti_point_velocity(ctReal vel[3], const ctModel* m, const ctData* d, const ctReal point[3],
                                  int body) {
  if (cti_only_slides(m, body)) {
    cti_zero3(vel);
    for (int k = m->body_dofadr[body]; k < m->body_dofadr[body] + m->body_dofnum[body]; k++)
      cti_add_scaled3(vel, d->cdof + 6 * k + 3, d->qvel[k]);
  } else {
    ctReal motion[6];
    cti_zero6(motion);
    for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k])
      cti_add_scaled6(motion, d->cdof + 6 * k, d->qvel[k]);
    cti_motion_shift(motion, motion, point, d->subtree_com + 3 * m->body_rootid[body]);
    cti_copy3(vel, motion + 3);
  }
}

// qfrc += effect of a world force at a point fixed to a body.
CT_FN void cti_add_point_force(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                               const ctReal point[3], int body);

// Dof of the twist of an edge of one, counted along it; -1 where it is clamped.
CT_FN int cti_rod_twist_dof(const ctModel* m, int flex, int edge);
