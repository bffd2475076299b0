// The editable model: what a file says, with defaults applied, before anything is computed from it.
//
// Every element is a record that starts with ctiElement. Records, names and lists live in the spec's region
// and die with it. Numbers are doubles in every build; the compiler rounds once, when it fills the model.
#pragma once

#include "base/array.h"
#include "base/region.h"
#include "base/strings.h"
#include "corten/model.h"
#include "corten/spec.h"

// Where an element came from; file is NULL for elements made by code.
typedef struct ctiWhere {
  const char* file;
  int line, column;
} ctiWhere;

typedef struct ctiElement {
  const char* tag;   // as in the file: "geom", "freejoint", "motor"
  const char* name;  // NULL when it has none
  uint64_t given;    // attributes written on the element itself, one bit for each row of its table
  ctiWhere where;
  const struct ctiElement* parent;  // the body it stands in; NULL at the top
} ctiElement;

// Any number of reals.
typedef struct ctiReals {
  const double* data;
  int count;
} ctiReals;

// false, true or decided by the compiler.
typedef enum ctiTriState { CTI_FALSE, CTI_TRUE, CTI_AUTO } ctiTriState;

// Orientation in the notation it was written in.
typedef enum ctiOrientForm {
  CTI_ORIENT_QUAT,
  CTI_ORIENT_AXISANGLE,
  CTI_ORIENT_XYAXES,
  CTI_ORIENT_ZAXIS,
  CTI_ORIENT_EULER
} ctiOrientForm;

typedef struct ctiOrient {
  ctiOrientForm form;
  double quat[4], axisangle[4], xyaxes[6], zaxis[3], euler[3];
} ctiOrient;

typedef struct ctiCompiler {
  ctiElement head;
  bool autolimits, balanceinertia, fitaabb, fusestatic, discardvisual, strippath, usethread, saveinertial,
      alignfree, savecompiled, savecanonical;
  double boundmass, boundinertia, settotalmass;
  bool degree;  // angles are in degrees
  int coordinate;
  char eulerseq[4];
  int inertiafromgeom;  // ctiTriState
  int inertiagrouprange[2];
  const char *meshdir, *texturedir, *assetdir;
  int conflict, passthrough;
} ctiCompiler;

typedef struct ctiSize {
  ctiElement head;
  const char* memory;
  int njmax, nconmax, nstack, nuserdata, nkey;
  int nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator, nuser_sensor;
} ctiSize;

// Statistics given by the user; NaN where the compiler decides.
typedef struct ctiStatistic {
  ctiElement head;
  double meaninertia, meanmass, meansize, extent, center[3];
} ctiStatistic;

typedef struct ctiInertial {
  ctiElement head;
  double pos[3], mass, diaginertia[3], fullinertia[6];
  ctiOrient orient;
} ctiInertial;

typedef struct ctiJoint {
  ctiElement head;
  int type;     // ctJointType
  bool isfree;  // written as <freejoint>
  int group, align;
  double pos[3], axis[3], springdamper[2];
  int limited, actfrclimited;  // ctiTriState
  double solref_limit[CT_NREF], solimp_limit[CT_NIMP], solref_friction[CT_NREF], solimp_friction[CT_NIMP];
  double stiffness[1 + CT_NPOLY], damping[1 + CT_NPOLY];
  double range[2], actfrcrange[2], margin, ref, springref, armature, frictionloss, springyield;
  bool actgravcomp;
  ctiReals user;
} ctiJoint;

typedef struct ctiGeom {
  ctiElement head;
  int type;  // ctGeomType
  int contype, conaffinity, condim, group, priority;
  double size[3], friction[3], mass, density, solmix, solref[CT_NREF], solimp[CT_NIMP], margin, gap;
  bool shellinertia, castshadow;
  double surfacevel[6], adhesion, fromto[6], pos[3];
  ctiOrient orient;
  const char *material, *hfield, *mesh;
  double fitscale;
  float rgba[4];
  int fluidshape;
  double fluidcoef[5];
  ctiReals user;
} ctiGeom;

typedef struct ctiSite {
  ctiElement head;
  int type;  // ctGeomType
  int group;
  double pos[3], size[3], fromto[6];
  ctiOrient orient;
  const char *material, *mesh;
  float rgba[4];
  ctiReals user;
} ctiSite;

typedef struct ctiActuator {
  ctiElement head;
  int group, nsample, interp, actdim;
  double delay, ctrlrange[2], forcerange[2], actrange[2], lengthrange[2], gear[6], damping[1 + CT_NPOLY],
      armature, cranklength;
  int ctrllimited, forcelimited, actlimited;  // ctiTriState
  const char *joint, *jointinparent, *tendon, *slidersite, *cranksite, *site, *refsite, *body;
  int dyntype, gaintype, biastype;
  double dynprm[CT_NDYN], gainprm[CT_NGAIN], biasprm[CT_NBIAS];
  bool actearly;
  ctiReals user;
} ctiActuator;

typedef struct ctiBody {
  ctiElement head;
  int id;     // in the compiled order
  int depth;  // 0 for the world
  double pos[3];
  ctiOrient orient;
  const char* childclass;  // default class of what stands inside, NULL: the parent's
  bool mocap;
  double gravcomp;
  int sleep, simple, fuse;
  ctiReals user;
  ctiInertial inertial;
  bool has_inertial;
  struct ctiBody* parent;  // NULL for the world
  CTI_ARRAY(struct ctiBody*) bodies;
  CTI_ARRAY(ctiJoint*) joints;
  CTI_ARRAY(ctiGeom*) geoms;
  CTI_ARRAY(ctiSite*) sites;
} ctiBody;

// A default class: one template a kind of element.
typedef struct ctiClass {
  const char* name;
  struct ctiClass* parent;  // NULL for main
  ctiWhere where;
  ctiJoint joint;
  ctiGeom geom;
  ctiSite site;
  ctiActuator actuator;
} ctiClass;

struct ctSpec {
  ctAllocator allocator;
  ctiRegion* region;
  const ctAllocator* in_region;  // the region as an allocator, for arrays
  ctiStrings strings;
  const char* file;  // as the user named it, or "<string>"
  const char* modelname;
  ctLog log;
  ctiCompiler compiler;
  ctOption option;
  ctiSize size;
  ctiStatistic statistic;
  ctVisual visual;
  CTI_ARRAY(ctiClass*) classes;  // main first
  ctiNameMap class_ids;
  ctiClass plain;  // built-in defaults, untouched by the file
  ctiBody* world;
  CTI_ARRAY(ctiActuator*) actuators;
};

// New elements, filled in from the templates of a class; NULL when memory runs out.
ctiBody* cti_spec_add_body(ctSpec* spec, ctiBody* parent);
ctiJoint* cti_spec_add_joint(ctSpec* spec, ctiBody* body, const ctiClass* from);
ctiGeom* cti_spec_add_geom(ctSpec* spec, ctiBody* body, const ctiClass* from);
ctiSite* cti_spec_add_site(ctSpec* spec, ctiBody* body, const ctiClass* from);
ctiActuator* cti_spec_add_actuator(ctSpec* spec, const ctiClass* from);

// A new class that starts as a copy of its parent (NULL: main). NULL when memory runs out.
ctiClass* cti_spec_add_class(ctSpec* spec, const char* name, ctiClass* parent);

// The built-in defaults that no <default> has touched, for elements that take nothing from classes.
const ctiClass* cti_spec_plain_class(const ctSpec* spec);

// The class of a name; NULL when there is none.
ctiClass* cti_spec_find_class(const ctSpec* spec, const char* name);

// An error at an element: position, path, and a message that starts with its tag and name.
ctStatus cti_spec_error(ctError* err, ctStatus status, const ctiElement* e, const char* format, ...)
    CTI_PRINTF(4, 5);
