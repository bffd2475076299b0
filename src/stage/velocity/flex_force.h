// Elastic forces of deformables: what they are made of, shared by the passive forces and the metric of the
// discrete integrator. Step code.
//   reads   d->flexvert_xpos, flexedge_length, flexedge_velocity, qpos, qvel, plastic; m->flex_*
//   before  deformables of the position stage, their edge velocities
#pragma once

#include "stage/position/flex.h"
#include "stage/position/rod.h"

// A deformable while its forces are summed: numbers of its points, three each. `spring` and `damper` are NULL
// where the options switch them off, `v` where no damper needs it.
typedef struct ctiFlexForce {
  const ctModel* m;
  ctData* d;
  int flex;
  int npoint;
  const ctReal *x, *v;
  ctReal *spring, *damper;
} ctiFlexForce;

// On a GPU each thing that is summed belongs to one lane: so that sums keep their order.
CT_INLINE bool cti_is_mine(int id) {
  return CT_TEAM == 1 || id % CT_TEAM == CT_LANE;
}

// All elastic forces, into d->qfrc_spring and qfrc_damper. CT_OK or CT_STEP_OVERFLOW (arena full: none).
CT_FN ctStatus cti_flex_forces(const ctModel* m, ctData* d);

// ---- elements that stretch ----

// Edges of an element, and numbers of its record in flex_stiffness.
#define CTI_STRETCH_EDGES(dim)  ((dim) == 2 ? 3 : 6)
#define CTI_STRETCH_RECORD(dim) ((dim) == 2 ? 21 : 24)
#define CTI_BEND_RECORD         17

// Plastic offsets of an element's edges, and of a hinge; NULL: none.
CT_INLINE const ctReal* cti_flex_offsets(const ctModel* m, const ctData* d, int f, int element) {
  if (m->flex_plasticadr[f] < 0 || !(m->flex_plasticmode[f] & 2)) return (const ctReal*)0;
  return d->plastic + m->flex_plasticadr[f] + CTI_STRETCH_EDGES(m->flex_dim[f]) * element;
}
CT_INLINE int cti_flex_hinge_adr(const ctModel* m, int f) {
  if (m->flex_plasticadr[f] < 0 || !(m->flex_plasticmode[f] & 1)) return -1;
  int stretch = m->flex_plasticmode[f] & 2 ? CTI_STRETCH_EDGES(m->flex_dim[f]) * m->flex_elemnum[f] : 0;
  return m->flex_plasticadr[f] + stretch;
}

// tension = K strain, K symmetric n x n, upper triangle row by row.
CT_INLINE void cti_tension(ctReal* tension, const ctReal* K, const ctReal* strain, int n) {
  for (int i = 0; i < n; i++) tension[i] = 0;
  for (int i = 0; i < n; i++) {
    tension[i] += *K++ * strain[i];
    for (int j = i + 1; j < n; j++, K++) {
      tension[i] += *K * strain[j];
      tension[j] += *K * strain[i];
    }
  }
}

// Twice the strain of an element's edges: squared length less that at rest, less what has yielded.
CT_FN void cti_element_strain(ctReal* strain, const ctModel* m, const ctData* d, int f, int element);

// Vertices of a hinge: the edge, then those across. False at a border.
CT_FN bool cti_hinge_vertices(int out[4], const ctModel* m, int f, int edge);

// ---- cages ----

// What has yielded of an element of a cage, as a tensor in the axes of the cage, from its numbers: those of a
// face are along its slow and fast axis, angles are shear strains. And back.
CT_FN void cti_cage_offset(ctReal E[9], const ctiCage* cage, const ctiCageElement* e, const ctReal* numbers);
CT_FN void cti_cage_store(ctReal* numbers, const ctiCage* cage, const ctiCageElement* e, const ctReal E[9]);
#define CTI_CAGE_OFFSETS(shell) ((shell) ? 3 : 6)

CT_FN void cti_cage_forces(const ctiFlexForce* w, const ctiCage* cage);

// ---- rods ----

// What a bend costs: scalars of the configuration, each with its gradient by the positions of the vertices
// and by the twist of the two edges. Forces are minus slope times gradient.
typedef struct ctiRodTerm {
  ctReal slope;     // of the energy by this scalar
  ctReal ks, kd;    // curvature that counts as stiffness, and as damping
  ctReal grad[12];  // 3 a vertex
  ctReal twist[2];  // by the angle of the first and of the second edge
  bool is_twist;    // the scalar is the twist between the edges
} ctiRodTerm;

#define CTI_ROD_TERMS 16
typedef struct ctiRodBend {
  int vert[4], nvert;
  int dof[2];          // of the twist of its two edges; -1: held
  int clamp[2];        // the moving bodies that hold them; -1: none
  ctReal along[2][3];  // their tangents
  int nterm;
  ctiRodTerm term[CTI_ROD_TERMS];
  ctReal stiffen[2];  // curvature of the bending energy by each twist, as far as it is positive
} ctiRodBend;

typedef enum ctiRodPart { CTI_ROD_FORCE = 1, CTI_ROD_STIFFNESS = 2 } ctiRodPart;
// Bend i, with the terms that forces need, or those that stiffness does; forces have what dampers need.
CT_FN void cti_rod_bend(ctiRodBend* bend, int parts, const ctModel* m, const ctData* d, int f,
                        const ctiRodFrames* frames, int i);
// The block of d->plastic that begins the next step with these frames.
CT_FN void cti_rod_store(const ctModel* m, ctData* d, int f, const ctiRodFrames* frames);
CT_FN ctStatus cti_rod_forces(const ctiFlexForce* w);
