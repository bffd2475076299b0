// Frames that scale their contents. A copy of the spec is made in which everything has its final size and no
// frame scales any more; the other passes know nothing of scales.
//
// A quantity of dimension L^a M^b is multiplied by s^a m^b. Lengths and masses follow every frame around an
// element; whatever has to do with force follows only the frames whose policy is "similar".
#pragma once

#include "spec/spec.h"

// What the frames around an element multiply, all of them together.
typedef struct ctiScale {
  const struct ctiScale* outer;  // of the next scaled frame around this one; NULL outside of all
  int depth;
  double length, mass;              // a length without direction takes the mean of the three
  double force_length, force_mass;  // of frames that are similar
} ctiScale;

// Lengths in the coordinates of a place: times a factor, or a linear map when they depend on the direction.
typedef struct ctiStretch {
  bool uniform;
  double factor;
  double map[9];  // when it is not uniform
} ctiStretch;

// Inside a body or frame.
typedef struct ctiPlace {
  const ctiScale* scale;
  ctiStretch stretch;
  double turn[9], before[3], after[3];  // of frames in the world: orientation, origin before and after
} ctiPlace;

// The units of a coordinate: of a joint, a tendon or an actuator.
typedef struct ctiUnits {
  const ctiScale* scale;
  bool length;      // it is a length and its force a force; else an angle and a torque
  double position;  // factor of the coordinate
} ctiUnits;

typedef struct ctiScaleWork {
  ctSpec* spec;  // the copy that is scaled
  ctiRegion* region;
  ctError* err;
  ctiScale none;  // outside of all scaled frames
  ctiBody** body;
  int nbody;
  ctiPlace* inside;  // of each body
  ctiPlace** frame;  // of each frame of each body
  ctiNameMap names[CT_OBJ_COUNT];
  CTI_ARRAY(const ctiElement*) found[CT_OBJ_COUNT];  // by the ids of the names
  ctiUnits *tendon, *actuator;
} ctiScaleWork;

// Whether some frame of the spec scales. CT_ERR_MEMORY.
ctStatus cti_spec_is_scaled(bool* scaled, const ctSpec* spec, ctError* err);

// An error for a spec that scales: what depends on sizes can only be done to a copy that was scaled.
ctStatus cti_refuse_scaled(const ctSpec* spec, ctError* err);

// Give everything its final size.
ctStatus cti_scale_spec(ctSpec* spec, ctError* err);

// ---- factors

// L^length M^mass of what has to do with force.
double cti_force_factor(const ctiScale* s, int length, int mass);
// Force over coordinate^power.
double cti_units_force(const ctiUnits* u, int power);

// v = A v; |A u| of a unit vector; whether A u points along u.
void cti_stretch_vector(const ctiStretch* s, double v[3]);
double cti_stretch_along(const ctiStretch* s, const double u[3]);
bool cti_stretch_keeps(const ctiStretch* s, const double u[3]);

// Two factors that are equal as far as shapes and axes are held to be aligned.
bool cti_nearly_equal(double a, double b);

// What is wrong with a shape that needs its axes kept; NULL when they are.
const char* cti_stretch_needs_axes(const ctiStretch* s);

// The same map in coordinates that are turned.
void cti_turn_stretch(ctiStretch* out, const ctiStretch* s, const double turn[9]);
ctStatus cti_scale_turn(double turn[9], ctiScaleWork* w, const ctiOrient* orient, const ctiElement* e);
ctStatus cti_stretch_turned(ctiStretch* out, ctiScaleWork* w, const ctiStretch* s, const ctiOrient* orient,
                            const ctiElement* e);

// ---- places

// Find the place of every body and frame.
ctStatus cti_place_all(ctiScaleWork* w);
// Where an element stands.
const ctiPlace* cti_place_of(const ctiScaleWork* w, const ctiElement* e);
// The element of a name, NULL when there is none.
const ctiElement* cti_scale_find(const ctiScaleWork* w, ctObjType type, const char* name);
// The units of a joint.
ctiUnits cti_joint_units(const ctiScaleWork* w, const ctiJoint* joint);

// ---- elements

// What stands in sections: an instance of a mesh or height field for each of its sizes; tendons, actuators,
// pairs, equalities, sensors, keyframes. Fills w->tendon and w->actuator.
ctStatus cti_scale_sections(ctiScaleWork* w);
