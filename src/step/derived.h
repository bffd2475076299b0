// What a model keeps of its frames, shapes and masses so that steps need not look for it: frames that
// coincide, bounds, masks, flags, sizes of bodies. Host code, for the compiler and for ct_model_update().
#pragma once

#include "corten/model.h"
#include "corten/sim.h"

// Which frames of the body a frame on it can be taken for (ctSameFrame); `ipos` NULL: only the body's own.
int cti_same_frame(const ctReal pos[3], const ctReal quat[4], const ctReal ipos[3], const ctReal iquat[4]);

// body_, geom_ and site_sameframe. CT_ERR_INVALID, with nothing changed, when a body was compiled as simple
// and its inertial frame is no longer that of the body.
ctStatus cti_model_frames(ctModel* m, ctError* err);

// Worlds are about to have values of their own of a field, and share what says that frames coincide or that
// there is nothing of a kind: it is no longer relied on. Returns whether something was changed.
bool cti_model_loosen(ctModel* m, const char* field);

// What follows from geoms: bounds of all that have no mesh, margins and masks of bodies, coefficients of
// ellipsoids, and the flags that say whether there is anything of a kind.
void cti_model_shapes(ctModel* m);

// jnt_actuatorid and tendon_actuatorid: who adds damping or armature to a joint or a tendon.
void cti_model_reflections(ctModel* m);

// Box (centre, half sizes) and position of a geom in the inertial frame of its body.
void cti_box_of_geom(double out[6], double pos[3], const ctModel* m, int geom);

// The boxes of all nodes of the trees of bodies.
ctStatus cti_model_boxes(ctModel* m, ctError* err);

// How far from its centre of mass each body reaches: its geoms, its joints, the joints of its children and
// the edges of deformables. `d` at the reference configuration.
void cti_body_sizes(ctReal* size, const ctModel* m, const ctData* d);

// dof_length, which follows from them.
void cti_dof_lengths(ctModel* m, const ctReal* size);
