// The records of a spec: what each element of the language says, in the words of the language.
#pragma once

#include "base/alloc.h"
#include "corten/types.h"

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
  const struct ctiElement* parent;          // the body it stands in; NULL at the top
  const struct ctiFrame* frame;             // the innermost <frame> it stands in; NULL for none
  const char* class_;                       // the default class it was made from; NULL: main
  const struct ctiAttrTable *attrs, *more;  // its attributes; the second is NULL for most
  const struct ctiCompiler* compiler;  // settings of the model it was attached from; NULL: those of the spec
} ctiElement;

// Any number of reals.
typedef struct ctiReals {
  const double* data;
  int count;
} ctiReals;

// The plugin that computes for an element: named, with values for its attributes, or an instance that has
// them. Nothing is said where both are NULL.
typedef struct ctiPluginUse {
  const char *plugin, *instance;
  const char* config;  // key, CTI_CONFIG_VALUE, value, CTI_CONFIG_END, one after another; NULL: none
} ctiPluginUse;

#define CTI_CONFIG_VALUE '\1'
#define CTI_CONFIG_END   '\2'

// Any number of names.
typedef struct ctiNames {
  const char** data;
  int count;
} ctiNames;

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

// What happens when an attached model has other settings.
enum { CTI_CONFLICT_WARNING, CTI_CONFLICT_MERGE, CTI_CONFLICT_ERROR };

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
  const char* file;         // the model file, where relative paths start
  const struct ctVfs* vfs;  // where files are looked for first; borrowed
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
  ctiPluginUse use;
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

// What follows the size of what a frame scales: every physical quantity, or lengths and inertias only.
typedef enum ctiScaling { CTI_SCALING_SIMILAR, CTI_SCALING_GEOMETRY } ctiScaling;

// A coordinate frame that what stands inside is placed in. It vanishes when the model is compiled.
typedef struct ctiFrame {
  ctiElement head;  // its own frame is the one around it
  int index;        // among the frames of its body
  double pos[3];
  ctiOrient orient;
  const char* childclass;
  double scale[3];   // of what stands inside; one number stands for all three while the others are NaN
  double massscale;  // 0: as the volume
  int scaling;       // ctiScaling
} ctiFrame;

// What <replicate>, <attach> and <model> say: instructions that are carried out when they are read.
typedef struct ctiReplicateWords {
  int count;
  double offset[3], euler[3];
  const char *sep, *childclass;
  const char* prefix;  // accepted and without effect, as in MuJoCo
} ctiReplicateWords;

typedef struct ctiAttachWords {
  const char *model, *body, *frame, *prefix;
} ctiAttachWords;

typedef struct ctiModelWords {
  const char *name, *file, *content_type;
} ctiModelWords;

// What a camera gives: bits of cam_output.
enum {
  CTI_CAMERA_RGB = 1,
  CTI_CAMERA_DEPTH = 2,
  CTI_CAMERA_DISTANCE = 4,
  CTI_CAMERA_NORMAL = 8,
  CTI_CAMERA_SEGMENTATION = 16
};

typedef struct ctiCamera {
  ctiElement head;
  int projection, mode;
  double fovy, ipd, pos[3];
  int resolution[2], output;
  ctiOrient orient;
  const char* target;
  float focal[2], focalpixel[2], principal[2], principalpixel[2], sensorsize[2];
  ctiReals user;
} ctiCamera;

typedef struct ctiLight {
  ctiElement head;
  int type, mode;
  bool directional, castshadow, active;
  double pos[3], dir[3];
  float bulbradius, intensity, range, attenuation[3], cutoff, softness, exponent, ambient[3], diffuse[3],
      specular[3];
  const char *target, *texture;
} ctiLight;

typedef struct ctiContactPair {
  ctiElement head;
  const char *geom1, *geom2;
  int condim;
  double friction[5], solref[CT_NREF], solreffriction[CT_NREF], solimp[CT_NIMP], gap, margin, adhesion;
} ctiContactPair;

typedef struct ctiExclude {
  ctiElement head;
  const char *body1, *body2;
} ctiExclude;

typedef struct ctiEquality {
  ctiElement head;
  int type;  // ctEqType
  bool active;
  double solref[CT_NREF], solimp[CT_NIMP];
  const char *body1, *body2, *site1, *site2, *joint1, *joint2, *tendon1, *tendon2, *flex;
  double anchor[3], relpose[7], torquescale, polycoef[5], cell[3];
} ctiEquality;

// One station of a tendon's path: an object of the type, or a pulley.
typedef struct ctiWrap {
  ctiElement head;
  int type;  // ctWrapType; SPHERE stands for any geom until the geom is known
  const char *object, *sidesite;
  double value;  // coefficient of a joint, divisor of a pulley
} ctiWrap;

typedef struct ctiTendon {
  ctiElement head;
  int type;  // ctTendonType
  int group, limited, actfrclimited;
  double range[2], actfrcrange[2], solref_limit[CT_NREF], solimp_limit[CT_NIMP], solref_friction[CT_NREF],
      solimp_friction[CT_NIMP];
  double frictionloss, springlength[2], springyield, width, margin, armature;
  double stiffness[1 + CT_NPOLY], damping[1 + CT_NPOLY];
  const char* material;
  float rgba[4];
  ctiReals user;
  CTI_ARRAY(ctiWrap*) path;
} ctiTendon;

// clang-format off
#define CTI_SHORTCUTS(X) \
  X(GENERAL, general) X(MOTOR, motor) X(POSITION, position) X(VELOCITY, velocity) \
  X(INTVELOCITY, intvelocity) X(ORIENTATION, orientation) X(PID, pid) X(DAMPER, damper) \
  X(CYLINDER, cylinder) X(MUSCLE, muscle) X(ADHESION, adhesion) X(DCMOTOR, dcmotor)
// clang-format on
#define X(id, tag) CTI_SHORTCUT_##id,
typedef enum ctiShortcut { CTI_SHORTCUTS(X) CTI_SHORTCUT_COUNT } ctiShortcut;
#undef X

// How an actuator makes force: the part that shortcuts fill in.
typedef struct ctiDrive {
  int made_by;  // ctiShortcut
  bool known;   // some default class has set it
  int dyntype, gaintype, biastype, ctrlspec;
  double dynprm[CT_NDYN], gainprm[CT_NGAIN], biasprm[CT_NBIAS];
} ctiDrive;

// What shortcuts say in their own words, NaN where nothing is said. They are lowered to a drive as soon as
// they are read.
typedef struct ctiShortcutWords {
  double kp, kv, dampratio, timeconst[2], ki, imax, slewmax, area, diameter, bias[3];
  double tausmooth, range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax, gain;
  double motorconst[2], resistance, nominal[3], saturation[3], inductance[2], cogging[3], controller[6],
      thermal[6], lugre[5];
} ctiShortcutWords;

typedef struct ctiActuator {
  ctiElement head;
  int shortcut;  // ctiShortcut
  int group, nsample, interp, actdim;
  double delay, ctrlrange[2], velrange[2], ffrange[2], forcerange[2], actrange[2], lengthrange[2], gear[6],
      damping[1 + CT_NPOLY], armature, cranklength, inheritrange;
  int ctrllimited, forcelimited, actlimited;  // ctiTriState
  const char *joint, *jointinparent, *tendon, *slidersite, *cranksite, *site, *refsite, *body;
  int input;  // ctrlspec, -1 when not given
  bool actearly;
  ctiReals user;
  ctiDrive drive;
  ctiDrive start;          // what its shortcut started from, left by the class
  ctiShortcutWords words;  // what its shortcut says
  uint64_t words_given;
  ctiPluginUse use;
} ctiActuator;

// What a sensor is attached to: this decides which attributes it has.
typedef enum ctiAttach {
  CTI_ATTACH_NONE,
  CTI_ATTACH_SITE,
  CTI_ATTACH_SITE_CAMERA,  // both
  CTI_ATTACH_RAYS,         // a site or a camera
  CTI_ATTACH_JOINT,
  CTI_ATTACH_TENDON,
  CTI_ATTACH_ACTUATOR,
  CTI_ATTACH_FRAME,  // any object with a frame, seen from another
  CTI_ATTACH_FRAME_ONLY,
  CTI_ATTACH_BODY,
  CTI_ATTACH_INSIDE,  // an object and a site
  CTI_ATTACH_TWO,     // two geoms or bodies
  CTI_ATTACH_CONTACT,
  CTI_ATTACH_TACTILE,  // a mesh in the frame of a geom
  CTI_ATTACH_USER,
  CTI_ATTACH_PLUGIN,
  CTI_ATTACH_COUNT
} ctiAttach;

// How a reading grows with the size of the model.
typedef enum ctiQuantity {
  CTI_QUANTITY_NONE,
  CTI_QUANTITY_LENGTH,
  CTI_QUANTITY_FORCE,
  CTI_QUANTITY_TORQUE,
  CTI_QUANTITY_COORDINATE,    // of the joint, tendon or actuator that is measured
  CTI_QUANTITY_GENERAL_FORCE  // along it
} ctiQuantity;

// A kind of sensor, from corten/fields/sensors.def: its row is its ctSensorType. A size of 0 is worked out
// from the attributes.
typedef struct ctiSensorKind {
  const char* tag;
  ctiAttach attach;
  int dim, datatype, stage;
  ctiQuantity quantity;
} ctiSensorKind;
extern const ctiSensorKind cti_sensor_kinds[CT_SENS_COUNT];

typedef struct ctiSensor {
  ctiElement head;
  int type;  // ctSensorType
  int nsample, interp;
  double delay, interval[2], cutoff, noise;
  ctiReals user;
  int objtype, reftype;  // ctObjType
  const char *objname, *refname;
  const char *site, *camera, *joint, *tendon, *actuator, *body, *geom, *mesh, *geom1, *geom2, *body1, *body2,
      *subtree1, *subtree2;
  bool enclosed;
  int num, data, reduce;         // contact, rangefinder: fields as a bit mask
  int dim, datatype, needstage;  // user
  ctiPluginUse use;
} ctiSensor;

// A plugin that the model says it uses, and an instance of one that elements refer to.
typedef struct ctiExtension {
  ctiElement head;
  const char* plugin;
} ctiExtension;

typedef struct ctiInstance {
  ctiElement head;
  ctiPluginUse use;  // without an instance
} ctiInstance;

// What <config> says.
typedef struct ctiConfigWords {
  const char *key, *value;
} ctiConfigWords;

typedef struct ctiNumeric {
  ctiElement head;
  int size;
  ctiReals data;
} ctiNumeric;

typedef struct ctiText {
  ctiElement head;
  const char* data;
} ctiText;

typedef struct ctiTupleItem {
  ctiElement head;
  const char *objtype, *objname;
  double prm;
} ctiTupleItem;

typedef struct ctiTuple {
  ctiElement head;
  CTI_ARRAY(ctiTupleItem*) items;
} ctiTuple;

// A body that moves some vertices of a skin.
typedef struct ctiBone {
  ctiElement head;
  const char* body;
  double bindpos[3], bindquat[4];
  ctiReals vertid, vertweight;
} ctiBone;

// A surface that follows bodies: only drawn.
typedef struct ctiSkin {
  ctiElement head;
  const char *file, *material;
  float rgba[4], inflate;
  int group;
  ctiReals vertex, texcoord, face;
  CTI_ARRAY(ctiBone*) bones;
  // what the bodies named in the file are called here, CTI_NAME_IN_FILE for the name: it was attached. NULL:
  // so
  const char* bone_names;
} ctiSkin;

#define CTI_NAME_IN_FILE "\1"

// What holds a deformable together: which elastic forces a surface has, the shape of a rod's section, who
// finds contacts of a deformable with itself, what the equality of a flexcomp keeps.
enum { CTI_ELASTIC2D_NONE, CTI_ELASTIC2D_BEND, CTI_ELASTIC2D_STRETCH, CTI_ELASTIC2D_BOTH };
enum { CTI_SECTION_CIRCLE, CTI_SECTION_BOX };
enum { CTI_SELF_NONE, CTI_SELF_NARROW, CTI_SELF_BVH, CTI_SELF_SAP, CTI_SELF_AUTO };
enum { CTI_FLEXEQ_NONE = 0, CTI_FLEXEQ_EDGES = 1, CTI_FLEXEQ_STRAIN = 3 };

// A deformable: elements between vertices on bodies, or inside a cage whose nodes are on bodies.
typedef struct ctiFlex {
  ctiElement head;
  int group, dim, order;  // order of the cage, 0 for none
  double radius;
  ctiNames material;  // one for all elements, or one for each
  float rgba[4];
  bool flatskin;
  ctiNames body, node;
  ctiReals vertex, element, texcoord, elemtexcoord, nodecoord;
  int cellcount[3];
  // contact
  int contype, conaffinity, condim, priority, selfcollide, activelayers;
  bool passive;
  double friction[3], solmix, solref[CT_NREF], solimp[CT_NIMP], margin, gap;
  // edges
  double edgestiffness, edgedamping;
  // material; the second yield strain is NaN where only one is said
  double young, poisson, shear, damping, thickness, yield[2], sectionsize[2];
  int elastic2d, section;
} ctiFlex;

// What <flexcomp> says: the deformable, the bodies and the equalities are made when it is read.
// clang-format off
#define CTI_FLEXCOMP_TYPES(X) X(GRID, "grid") X(BOX, "box") X(CYLINDER, "cylinder") X(ELLIPSOID, "ellipsoid") X(SQUARE, "square") X(DISC, "disc") X(CIRCLE, "circle") X(MESH, "mesh") X(GMSH, "gmsh") X(DIRECT, "direc" "t")
// clang-format on
#define X(id, text) CTI_FLEXCOMP_##id,
typedef enum ctiFlexcompType { CTI_FLEXCOMP_TYPES(X) CTI_FLEXCOMP_COUNT } ctiFlexcompType;
#undef X
enum { CTI_FLEXDOF_FULL, CTI_FLEXDOF_RADIAL, CTI_FLEXDOF_TRILINEAR, CTI_FLEXDOF_QUADRATIC, CTI_FLEXDOF_2D };

// Points that stay on the parent body.
typedef struct ctiPin {
  ctiReals id, range, grid, gridrange;
} ctiPin;

typedef struct ctiFlexcompWords {
  ctiElement head;
  int type, dof, dim, group, count[3], cellcount[3];
  double spacing[3], scale[3], origin[3], pos[3], radius, mass, inertiabox;
  ctiOrient orient;
  bool rigid, flatskin;
  const char *file, *mesh;
  ctiNames material;
  ctiReals point, element, texcoord;
  float rgba[4];
  // of <edge>
  int equality;
  double solref[CT_NREF], solimp[CT_NIMP];
  CTI_ARRAY(ctiPin) pins;
  bool has_origin, has_dim, has_flatskin;
  ctiPluginUse use;  // of every body that is made for a point
} ctiFlexcompWords;

// The vectors of a keyframe: X(name, kind of the element each piece belongs to).
#define CTI_KEY_VECTORS(X) \
  X(qpos, JOINT)           \
  X(qvel, JOINT) X(act, ACTUATOR) X(mpos, BODY) X(mquat, BODY) X(ctrl, ACTUATOR) X(plastic, JOINT)
#define X(name, kind) CTI_KEY_##name,
typedef enum ctiKeyVector { CTI_KEY_VECTORS(X) CTI_KEY_VECTOR_COUNT } ctiKeyVector;
#undef X

// The piece of a vector that belongs to one element, for keyframes that came with an attached model.
typedef struct ctiKeyPart {
  ctiKeyVector vector;
  const ctiElement* source;  // in the attached model; only compared, and NULL once that model is gone
  const ctiElement* target;  // here; NULL until it is attached
  ctiReals values;
} ctiKeyPart;

typedef struct ctiKey {
  ctiElement head;
  double time;
  ctiReals qpos, qvel, act, mpos, mquat, ctrl,
      plastic;                  // of the whole model; the rest stays at its reference
  CTI_ARRAY(ctiKeyPart) parts;  // for vectors that are not given
} ctiKey;

// What a builtin texture shows, and the marks on it.
enum { CTI_PICTURE_NONE, CTI_PICTURE_GRADIENT, CTI_PICTURE_CHECKER, CTI_PICTURE_FLAT };
enum { CTI_MARK_NONE, CTI_MARK_EDGE, CTI_MARK_CROSS, CTI_MARK_RANDOM, CTI_MARK_COUNT };

typedef struct ctiTexture {
  ctiElement head;
  int type, colorspace, builtin, mark, nchannel, embed;
  const char *content_type, *file, *fileright, *fileleft, *fileup, *filedown, *filefront, *fileback,
      *gridlayout;
  int gridsize[2], width, height;
  double rgb1[3], rgb2[3], markrgb[3], random;
  bool hflip, vflip;
} ctiTexture;

typedef struct ctiMaterial {
  ctiElement head;
  const char* texture[CT_TEXROLE_COUNT];
  bool texuniform;
  float texrepeat[2], emission, specular, shininess, reflectance, metallic, roughness, rgba[4];
} ctiMaterial;

// One <layer> of a material, read and put into its place at once.
typedef struct ctiMaterialLayer {
  const char* texture;
  int role;
} ctiMaterialLayer;

// For which actuators a length range is found, and how.
enum { CTI_LENGTH_NONE, CTI_LENGTH_MUSCLE, CTI_LENGTH_MUSCLEUSER, CTI_LENGTH_ALL };
typedef struct ctiLengthRange {
  int mode;
  bool useexisting, uselimit;
  double accel, maxforce, timeconst, timestep, inttotal, interval, tolrange;
} ctiLengthRange;

typedef struct ctiHField {
  ctiElement head;
  const char *content_type, *file;
  int nrow, ncol;
  double size[4];
  ctiReals elevation;
} ctiHField;

typedef struct ctiMeshAsset {
  ctiElement head;
  const char *content_type, *file, *material;
  ctiReals vertex, normal, texcoord, face, params;
  double refpos[3], refquat[4], scale[3];
  const double* map;  // 3x3, applied after the scale: a scaled frame stretches it across its axes; or NULL
  bool smoothnormal;
  int maxhullvert, inertia;
  const char* builtin;
  ctiPluginUse use;
} ctiMeshAsset;
