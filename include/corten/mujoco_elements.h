/// @file
/// Part of corten/mujoco.h: an mjSpec and its elements as structs with MuJoCo's members. A struct is filled
/// from an element of a ctSpec when it is asked for; what a program has changed in it is written back, by a
/// table of its members, before the spec is compiled, copied, searched or saved.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corten/mujoco_core.h"
#include "corten/mujoco_lists.h"
#include "corten/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- elements

/// What every struct of an element begins with a pointer to.
typedef struct mjsElement_ {
  mjtObj elemtype;     ///< kind
  uint64_t signature;  ///< 0
} mjsElement;

/// Another way to say a rotation.
typedef struct mjsOrientation_ {
  mjtOrientation type;  ///< the one that holds
  double axisangle[4];  ///< axis and angle
  double xyaxes[6];     ///< x and y axes
  double zaxis[3];      ///< z axis
  double euler[3];      ///< Euler angles
} mjsOrientation;

/// Which plugin computes: an instance by its name, or one of its own.
typedef struct mjsPlugin_ {
  mjsElement* element;    ///< its own
  mjString* name;         ///< of the instance
  mjString* plugin_name;  ///< of the plugin
  mjtBool active;         ///< whether it computes
  mjString* info;         ///< kept only
} mjsPlugin;

/// How length ranges of actuators are found.
typedef struct mjLROpt_ {
  int mode;          ///< of which actuators, mjtLRMode
  int useexisting;   ///< keep those that are there
  int uselimit;      ///< take those of joints and tendons
  mjtNum accel;      ///< acceleration that the force aims at
  mjtNum maxforce;   ///< largest force; 0: any
  mjtNum timeconst;  ///< of the slowing down
  mjtNum timestep;   ///< of the simulation; 0: that of the model
  mjtNum inttotal;   ///< simulated time
  mjtNum interval;   ///< of which the end counts
  mjtNum tolrange;   ///< how much the range may vary there
} mjLROpt;

// The members of each struct, and the attributes of MJCF they are: one number N(type, name, attribute,
// codec), several A(type, name, count, attribute, codec), a word W(type, name, attribute, words in the order
// of the enumeration), a text T(name, attribute), a list L(type, name, attribute, codec), a rotation O(name),
// and what is no attribute of its own M(declaration).
// clang-format off
#define CT_MJ_LIMITED "false true auto"
#define CT_MJ_GEOMS   "plane hfield sphere capsule ellipsoid cylinder box mesh sdf"
#define CT_MJ_MODES   "fixed track trackcom targetbody targetbodycom"
#define CT_MJ_PLACE(N, A, W, T, L, O, M) A(double, pos, 3, "pos", REAL) A(double, quat, 4, "quat", REAL) O(alt)
#define CT_MJ_SOL(A, ref, imp, reftext, imptext) A(mjtNum, ref, mjNREF, reftext, NUM) A(mjtNum, imp, mjNIMP, imptext, NUM)
#define CT_MJ_LIMITS(A) CT_MJ_SOL(A, solref_limit, solimp_limit, "solreflimit", "solimplimit") CT_MJ_SOL(A, solref_friction, solimp_friction, "solreffriction", "solimpfriction")

#define CT_MJ_BODY(N, A, W, T, L, O, M) CT_MJ_PLACE(N, A, W, T, L, O, M) T(childclass, "childclass") N(mjtBool, mocap, "mocap", BOOL) \
  N(double, gravcomp, "gravcomp", REAL) W(mjtSleepPolicy, sleep, "sleep", "auto auto_never auto_allowed never allowed init") L(mjDoubleVec, userdata, "user", REALS) \
  M(double mass;) M(double ipos[3];) M(double iquat[4];) M(double inertia[3];) M(mjsOrientation ialt;) M(double fullinertia[6];) M(mjtBool explicitinertial;) \
  W(mjtByte, simple, "simple", "false auto") W(mjtByte, fuse, "fuse", "false auto") M(mjsPlugin plugin;)
#define CT_MJ_FRAME(N, A, W, T, L, O, M) CT_MJ_PLACE(N, A, W, T, L, O, M) T(childclass, "childclass") A(double, scale, 3, "scale", REAL) N(double, massscale, "massscale", REAL) \
  W(mjtScaling, scaling, "scaling", "similar geometry")
#define CT_MJ_JOINT(N, A, W, T, L, O, M) W(mjtJoint, type, "type", "free ball slide hinge") A(double, pos, 3, "pos", REAL) A(double, axis, 3, "axis", REAL) N(double, ref, "ref", REAL) \
  A(double, stiffness, mjNPOLY + 1, "stiffness", REAL) N(double, springref, "springref", REAL) N(double, springyield, "springyield", REAL) \
  A(double, springdamper, 2, "springdamper", REAL) W(mjtLimited, limited, "limited", CT_MJ_LIMITED) A(double, range, 2, "range", REAL) N(double, margin, "margin", REAL) \
  CT_MJ_LIMITS(A) W(mjtLimited, actfrclimited, "actuatorfrclimited", CT_MJ_LIMITED) A(double, actfrcrange, 2, "actuatorfrcrange", REAL) \
  N(double, armature, "armature", REAL) A(double, damping, mjNPOLY + 1, "damping", REAL) N(double, frictionloss, "frictionloss", REAL) N(int, group, "group", INT) \
  N(mjtBool, actgravcomp, "actuatorgravcomp", BOOL) W(mjtAlignFree, align, "align", CT_MJ_LIMITED) L(mjDoubleVec, userdata, "user", REALS)
#define CT_MJ_GEOM(N, A, W, T, L, O, M) W(mjtGeom, type, "type", CT_MJ_GEOMS) CT_MJ_PLACE(N, A, W, T, L, O, M) A(double, fromto, 6, "fromto", REAL) A(double, size, 3, "size", REAL) \
  N(int, contype, "contype", INT) N(int, conaffinity, "conaffinity", INT) N(int, condim, "condim", INT) N(int, priority, "priority", INT) \
  A(double, friction, 3, "friction", REAL) N(double, solmix, "solmix", REAL) CT_MJ_SOL(A, solref, solimp, "solref", "solimp") N(double, margin, "margin", REAL) \
  N(double, gap, "gap", REAL) A(double, surfacevel, 6, "surfacevel", REAL) N(double, adhesion, "adhesion", REAL) N(double, mass, "mass", REAL) N(double, density, "density", REAL) \
  W(mjtGeomInertia, typeinertia, "shellinertia", "false true") A(mjtNum, fluid_coefs, 5, "fluidcoef", NUM) T(material, "material") A(float, rgba, 4, "rgba", FLOAT) \
  N(int, group, "group", INT) N(mjtBool, castshadow, "castshadow", BOOL) T(hfieldname, "hfield") T(meshname, "mesh") N(double, fitscale, "fitscale", REAL) \
  L(mjDoubleVec, userdata, "user", REALS) M(mjtNum fluid_ellipsoid;) M(mjsPlugin plugin;)
#define CT_MJ_SITE(N, A, W, T, L, O, M) CT_MJ_PLACE(N, A, W, T, L, O, M) A(double, fromto, 6, "fromto", REAL) A(double, size, 3, "size", REAL) W(mjtGeom, type, "type", CT_MJ_GEOMS) \
  T(material, "material") N(int, group, "group", INT) A(float, rgba, 4, "rgba", FLOAT) T(meshname, "mesh") L(mjDoubleVec, userdata, "user", REALS)
#define CT_MJ_CAMERA(N, A, W, T, L, O, M) CT_MJ_PLACE(N, A, W, T, L, O, M) W(mjtCamLight, mode, "mode", CT_MJ_MODES) T(targetbody, "target") \
  W(mjtProjection, proj, "projection", "perspective orthographic") A(int, resolution, 2, "resolution", INT) N(double, fovy, "fovy", REAL) N(double, ipd, "ipd", REAL) \
  A(float, sensor_size, 2, "sensorsize", FLOAT) A(float, focal_length, 2, "focal", FLOAT) A(float, focal_pixel, 2, "focalpixel", FLOAT) \
  A(float, principal_length, 2, "principal", FLOAT) A(float, principal_pixel, 2, "principalpixel", FLOAT) L(mjDoubleVec, userdata, "user", REALS) M(int output;) M(float intrinsic[4];)
#define CT_MJ_LIGHT(N, A, W, T, L, O, M) A(double, pos, 3, "pos", REAL) A(double, dir, 3, "dir", REAL) W(mjtCamLight, mode, "mode", CT_MJ_MODES) T(targetbody, "target") \
  N(mjtBool, active, "active", BOOL) W(mjtLightType, type, "type", "spot directional point image") T(texture, "texture") N(mjtBool, castshadow, "castshadow", BOOL) \
  N(float, bulbradius, "bulbradius", FLOAT) N(float, intensity, "intensity", FLOAT) N(float, range, "range", FLOAT) A(float, attenuation, 3, "attenuation", FLOAT) \
  N(float, cutoff, "cutoff", FLOAT) N(float, softness, "softness", FLOAT) N(float, exponent, "exponent", FLOAT) A(float, ambient, 3, "ambient", FLOAT) \
  A(float, diffuse, 3, "diffuse", FLOAT) A(float, specular, 3, "specular", FLOAT)
#define CT_MJ_MESH(N, A, W, T, L, O, M) T(content_type, "content_type") T(file, "file") A(double, refpos, 3, "refpos", REAL) A(double, refquat, 4, "refquat", REAL) \
  A(double, scale, 3, "scale", REAL) W(mjtMeshInertia, inertia, "inertia", "convex exact legacy shell") N(mjtBool, smoothnormal, "smoothnormal", BOOL) N(int, maxhullvert, "maxhullvert", INT) \
  L(mjFloatVec, uservert, "vertex", FLOATS) L(mjFloatVec, usernormal, "normal", FLOATS) L(mjFloatVec, usertexcoord, "texcoord", FLOATS) L(mjIntVec, userface, "face", INTS) T(material, "material") \
  M(mjtBool needsdf;) M(mjIntVec* userfacenormal;) M(mjIntVec* userfacetexcoord;) M(mjDoubleVec* usernode;) M(mjIntVec* usertet;) M(mjsPlugin plugin;) M(int octree_maxdepth;)
#define CT_MJ_HFIELD(N, A, W, T, L, O, M) T(content_type, "content_type") T(file, "file") A(double, size, 4, "size", REAL) N(int, nrow, "nrow", INT) N(int, ncol, "ncol", INT) \
  L(mjFloatVec, userdata, "elevation", FLOATS)
#define CT_MJ_TEXTURE(N, A, W, T, L, O, M) W(mjtTexture, type, "type", "2d cube skybox") W(mjtColorSpace, colorspace, "colorspace", "auto linear sRGB") \
  W(mjtBuiltin, builtin, "builtin", "none gradient checker flat") W(mjtMark, mark, "mark", "none edge cross random") A(double, rgb1, 3, "rgb1", REAL) A(double, rgb2, 3, "rgb2", REAL) \
  A(double, markrgb, 3, "markrgb", REAL) N(double, random, "random", REAL) N(int, height, "height", INT) N(int, width, "width", INT) N(int, nchannel, "nchannel", INT) \
  T(content_type, "content_type") T(file, "file") A(int, gridsize, 2, "gridsize", INT) N(mjtBool, hflip, "hflip", BOOL) N(mjtBool, vflip, "vflip", BOOL) W(mjtEmbed, embed, "embed", CT_MJ_LIMITED) M(char gridlayout[12];) M(mjStringVec* cubefiles;) M(mjByteVec* data;)
#define CT_MJ_MATERIAL(N, A, W, T, L, O, M) N(mjtBool, texuniform, "texuniform", BOOL) A(float, texrepeat, 2, "texrepeat", FLOAT) N(float, emission, "emission", FLOAT) \
  N(float, specular, "specular", FLOAT) N(float, shininess, "shininess", FLOAT) N(float, reflectance, "reflectance", FLOAT) N(float, metallic, "metallic", FLOAT) \
  N(float, roughness, "roughness", FLOAT) A(float, rgba, 4, "rgba", FLOAT) M(mjStringVec* textures;)
#define CT_MJ_PAIR(N, A, W, T, L, O, M) T(geomname1, "geom1") T(geomname2, "geom2") N(int, condim, "condim", INT) CT_MJ_SOL(A, solref, solimp, "solref", "solimp") \
  A(mjtNum, solreffriction, mjNREF, "solreffriction", NUM) N(double, margin, "margin", REAL) N(double, gap, "gap", REAL) N(double, adhesion, "adhesion", REAL) A(double, friction, 5, "friction", REAL)
#define CT_MJ_EXCLUDE(N, A, W, T, L, O, M) T(bodyname1, "body1") T(bodyname2, "body2")
#define CT_MJ_EQUALITY(N, A, W, T, L, O, M) M(mjtEq type;) M(double data[mjNEQDATA];) N(mjtBool, active, "active", BOOL) M(mjString* name1;) M(mjString* name2;) M(mjtObj objtype;) \
  CT_MJ_SOL(A, solref, solimp, "solref", "solimp")
#define CT_MJ_TENDON(N, A, W, T, L, O, M) A(double, stiffness, mjNPOLY + 1, "stiffness", REAL) A(double, springlength, 2, "springlength", REAL) N(double, springyield, "springyield", REAL) \
  A(double, damping, mjNPOLY + 1, "damping", REAL) N(double, frictionloss, "frictionloss", REAL) CT_MJ_LIMITS(A) N(double, armature, "armature", REAL) \
  W(mjtLimited, limited, "limited", CT_MJ_LIMITED) W(mjtLimited, actfrclimited, "actuatorfrclimited", CT_MJ_LIMITED) A(double, range, 2, "range", REAL) \
  A(double, actfrcrange, 2, "actuatorfrcrange", REAL) N(double, margin, "margin", REAL) T(material, "material") N(double, width, "width", REAL) A(float, rgba, 4, "rgba", FLOAT) \
  N(int, group, "group", INT) L(mjDoubleVec, userdata, "user", REALS)
#define CT_MJ_ACTUATOR(N, A, W, T, L, O, M) W(mjtGain, gaintype, "gaintype", "fixed affine muscle dcmotor so3 pid user") A(double, gainprm, mjNGAIN, "gainprm", REAL) \
  W(mjtBias, biastype, "biastype", "none affine muscle dcmotor so3 user") A(double, biasprm, mjNBIAS, "biasprm", REAL) \
  W(mjtDyn, dyntype, "dyntype", "none integrator filter filterexact muscle dcmotor pid user") A(double, dynprm, mjNDYN, "dynprm", REAL) N(int, actdim, "actdim", INT) \
  A(double, velrange, 2, "velrange", REAL) A(double, ffrange, 2, "ffrange", REAL) N(mjtBool, actearly, "actearly", BOOL) M(int ctrlspec;) M(mjtTrn trntype;) M(mjString* target;) A(double, gear, 6, "gear", REAL) \
  T(refsite, "refsite") T(slidersite, "slidersite") N(double, cranklength, "cranklength", REAL) A(double, lengthrange, 2, "lengthrange", REAL) N(double, inheritrange, "inheritrange", REAL) \
  A(double, damping, mjNPOLY + 1, "damping", REAL) N(double, armature, "armature", REAL) W(mjtLimited, ctrllimited, "ctrllimited", CT_MJ_LIMITED) A(double, ctrlrange, 2, "ctrlrange", REAL) \
  W(mjtLimited, forcelimited, "forcelimited", CT_MJ_LIMITED) A(double, forcerange, 2, "forcerange", REAL) W(mjtLimited, actlimited, "actlimited", CT_MJ_LIMITED) \
  A(double, actrange, 2, "actrange", REAL) N(int, group, "group", INT) N(int, nsample, "nsample", INT) N(double, delay, "delay", REAL) L(mjDoubleVec, userdata, "user", REALS) \
  W(int, interp, "interp", "zoh linear cubic") M(mjtActuator type;) M(mjsPlugin plugin;)
#define CT_MJ_SENSOR(N, A, W, T, L, O, M) M(mjtSensor type;) M(mjtObj objtype;) M(mjString* objname;) M(mjtObj reftype;) M(mjString* refname;) M(int intprm[mjNSENS];) M(mjtDataType datatype;) \
  M(mjtStage needstage;) M(int dim;) N(double, cutoff, "cutoff", REAL) N(double, noise, "noise", REAL) N(int, nsample, "nsample", INT) N(double, delay, "delay", REAL) \
  A(double, interval, 2, "interval", REAL) L(mjDoubleVec, userdata, "user", REALS) W(int, interp, "interp", "zoh linear cubic") M(mjsPlugin plugin;)
#define CT_MJ_NUMERIC(N, A, W, T, L, O, M) L(mjDoubleVec, data, "data", REALS) N(int, size, "size", INT)
#define CT_MJ_TEXT(N, A, W, T, L, O, M) T(data, "data")
#define CT_MJ_TUPLE(N, A, W, T, L, O, M) M(mjIntVec* objtype;) M(mjStringVec* objname;) M(mjDoubleVec* objprm;)
#define CT_MJ_KEY(N, A, W, T, L, O, M) N(double, time, "time", REAL) L(mjDoubleVec, qpos, "qpos", REALS) L(mjDoubleVec, qvel, "qvel", REALS) L(mjDoubleVec, act, "act", REALS) \
  L(mjDoubleVec, mpos, "mpos", REALS) L(mjDoubleVec, mquat, "mquat", REALS) L(mjDoubleVec, ctrl, "ctrl", REALS) L(mjDoubleVec, plastic, "plastic", REALS)

#define CT_MJ_FLEX(N, A, W, T, L, O, M) N(int, contype, "contype", INT) N(int, conaffinity, "conaffinity", INT) N(int, condim, "condim", INT) N(int, priority, "priority", INT) \
  A(double, friction, 3, "friction", REAL) N(double, solmix, "solmix", REAL) CT_MJ_SOL(A, solref, solimp, "solref", "solimp") N(double, margin, "margin", REAL) N(double, gap, "gap", REAL) \
  N(int, dim, "dim", INT) N(double, radius, "radius", REAL) M(double size[3];) N(mjtBool, flatskin, "flatskin", BOOL) W(mjtFlexSelf, selfcollide, "selfcollide", "none narrow bvh sap auto") \
  W(int, passive, "passive", "false true") N(int, activelayers, "activelayers", INT) N(int, group, "group", INT) N(double, edgestiffness, "edgestiffness", REAL) \
  N(double, edgedamping, "edgedamping", REAL) A(float, rgba, 4, "rgba", FLOAT) L(mjStringVec, material, "material", NAMES) N(double, young, "young", REAL) N(double, poisson, "poisson", REAL) \
  N(double, shear, "shear", REAL) N(double, damping, "damping", REAL) N(double, thickness, "thickness", REAL) A(double, stressyield, 2, "yield", REAL) \
  W(int, elastic2d, "elastic2d", "none bend stretch both") M(int elastic3d;) W(mjtFlexSection, section, "section", "circle box") A(double, sectionsize, 2, "sectionsize", REAL) \
  A(int, cellcount, 3, "cellcount", INT) W(int, order, "dof", "full trilinear quadratic") L(mjStringVec, nodebody, "node", NAMES) L(mjStringVec, vertbody, "body", NAMES) \
  L(mjDoubleVec, node, "nodecoord", REALS) L(mjDoubleVec, vert, "vertex", REALS) L(mjIntVec, elem, "element", INTS) L(mjFloatVec, texcoord, "texcoord", FLOATS) \
  L(mjIntVec, elemtexcoord, "elemtexcoord", INTS)
#define CT_MJ_SKIN(N, A, W, T, L, O, M) T(file, "file") T(material, "material") A(float, rgba, 4, "rgba", FLOAT) N(float, inflate, "inflate", FLOAT) N(int, group, "group", INT) \
  L(mjFloatVec, vert, "vertex", FLOATS) L(mjFloatVec, texcoord, "texcoord", FLOATS) L(mjIntVec, face, "face", INTS) \
  M(mjStringVec* bodyname;) M(mjFloatVec* bindpos;) M(mjFloatVec* bindquat;) M(mjIntVecVec* vertid;) M(mjFloatVecVec* vertweight;)

// Kinds of elements: X(struct, list, kind, where it is added, in which default class).
#define CT_MJ_KINDS(X) \
  X(mjsBody, BODY, "body", NULL) X(mjsFrame, FRAME, "frame", NULL) X(mjsJoint, JOINT, "joint", "joint") X(mjsGeom, GEOM, "geom", "geom") X(mjsSite, SITE, "site", "site") \
  X(mjsCamera, CAMERA, "camera", "camera") X(mjsLight, LIGHT, "light", "light") X(mjsMesh, MESH, "asset/mesh", "mesh") X(mjsHField, HFIELD, "asset/hfield", NULL) \
  X(mjsTexture, TEXTURE, "asset/texture", "texture") X(mjsMaterial, MATERIAL, "asset/material", "material") X(mjsPair, PAIR, "contact/pair", "pair") \
  X(mjsExclude, EXCLUDE, "contact/exclude", NULL) X(mjsEquality, EQUALITY, "equality", "equality") X(mjsTendon, TENDON, "tendon", "tendon") \
  X(mjsActuator, ACTUATOR, "actuator/general", "general") X(mjsSensor, SENSOR, "sensor", NULL) X(mjsNumeric, NUMERIC, "custom/numeric", NULL) X(mjsText, TEXT, "custom/text", NULL) \
  X(mjsTuple, TUPLE, "custom/tuple", NULL) X(mjsKey, KEY, "keyframe/key", NULL) X(mjsFlex, FLEX, "deformable/flex", NULL) X(mjsSkin, SKIN, "asset/skin", NULL)

#define CT_MJ_AS_N(type, name, attr, codec) type name;
#define CT_MJ_AS_A(type, name, count, attr, codec) type name[count];
#define CT_MJ_AS_W(type, name, attr, words) type name;
#define CT_MJ_AS_T(name, attr) mjString* name;
#define CT_MJ_AS_L(type, name, attr, codec) type* name;
#define CT_MJ_AS_O(name) mjsOrientation name;
#define CT_MJ_AS_M(declaration) declaration
/// The struct of a kind of element: its members, and a text that is appended to messages.
#define CT_MJ_STRUCT(name, list) typedef struct name##_ { mjsElement* element; CT_MJ_##list(CT_MJ_AS_N, CT_MJ_AS_A, CT_MJ_AS_W, CT_MJ_AS_T, CT_MJ_AS_L, CT_MJ_AS_O, CT_MJ_AS_M) mjString* info; } name;
#define X(name, list, place, class_) CT_MJ_STRUCT(name, list)
CT_MJ_KINDS(X)
#undef X

#define CT_MJ_COMPILER(N, A, W, T, L, O, M) N(mjtBool, autolimits, "autolimits", BOOL) N(double, boundmass, "boundmass", REAL) N(double, boundinertia, "boundinertia", REAL) \
  N(double, settotalmass, "settotalmass", REAL) N(mjtBool, balanceinertia, "balanceinertia", BOOL) N(mjtBool, fitaabb, "fitaabb", BOOL) W(mjtBool, degree, "angle", "radian degree") \
  N(mjtBool, discardvisual, "discardvisual", BOOL) N(mjtBool, usethread, "usethread", BOOL) N(mjtBool, fusestatic, "fusestatic", BOOL) \
  W(mjtInertiaFromGeom, inertiafromgeom, "inertiafromgeom", CT_MJ_LIMITED) A(int, inertiagrouprange, 2, "inertiagrouprange", INT) N(mjtBool, saveinertial, "saveinertial", BOOL) \
  N(mjtBool, alignfree, "alignfree", BOOL) W(mjtConflict, conflict, "conflict", "warning merge error") T(meshdir, "meshdir") T(texturedir, "texturedir") M(char eulerseq[3];) \
  N(mjtBool, savecompiled, "savecompiled", BOOL) N(mjtBool, savecanonical, "savecanonical", BOOL) W(mjtPassthrough, passthrough, "passthrough", "none textures") M(mjLROpt LRopt;) M(uint64_t authored;)
// clang-format on

/// How a spec is compiled.
typedef struct mjsCompiler_ {
  CT_MJ_COMPILER(CT_MJ_AS_N, CT_MJ_AS_A, CT_MJ_AS_W, CT_MJ_AS_T, CT_MJ_AS_L, CT_MJ_AS_O, CT_MJ_AS_M)
} mjsCompiler;

/// A default class: what it says of each kind of element.
typedef struct mjsDefault_ {
  mjsElement* element;    ///< its own
  mjsJoint* joint;        ///< joints
  mjsGeom* geom;          ///< geoms
  mjsSite* site;          ///< sites
  mjsCamera* camera;      ///< cameras
  mjsLight* light;        ///< lights
  mjsFlex* flex;          ///< flexes: their defaults, which a class cannot change
  mjsMesh* mesh;          ///< meshes
  mjsTexture* texture;    ///< textures
  mjsMaterial* material;  ///< materials
  mjsPair* pair;          ///< pairs
  mjsEquality* equality;  ///< equalities
  mjsTendon* tendon;      ///< tendons
  mjsActuator* actuator;  ///< actuators
} mjsDefault;

/// One thing that a tendon passes.
typedef struct mjsWrap_ {
  mjsElement* element;  ///< of the tendon
  mjtWrap type;         ///< kind
  mjString* info;       ///< NULL
  char target[128];     ///< name of what it passes
  char sidesite[128];   ///< name of the site that says on which side
  double number;        ///< coefficient of a joint, divisor of a pulley
} mjsWrap;

// Sizes of a spec, under the names of MJCF.
// clang-format off
#define CT_MJ_SIZES(X) \
  X(nuserdata) X(nuser_body) X(nuser_jnt) X(nuser_geom) X(nuser_site) X(nuser_cam) X(nuser_tendon) X(nuser_actuator) X(nuser_sensor) X(nkey) X(njmax) X(nconmax)
// clang-format on

/// What was said in a spec, a bit for each member.
typedef struct mjsAuthored_ {
  uint64_t option;            ///< of mjOption
  int disableflags;           ///< flags that disable
  int enableflags;            ///< flags that enable
  int disableactuator;        ///< groups of actuators
  uint64_t visual_global;     ///< of mjVisual.global
  uint64_t visual_quality;    ///< of mjVisual.quality
  uint64_t visual_headlight;  ///< of mjVisual.headlight
  uint64_t visual_map;        ///< of mjVisual.map
  uint64_t visual_scale;      ///< of mjVisual.scale
  uint64_t visual_rgba;       ///< of mjVisual.rgba
} mjsAuthored;

/// A model before it is compiled. Settings in `option`, `compiler` and the sizes are written to it when it is
/// compiled.
typedef struct mjSpec_ {
  mjsElement* element;   ///< its own
  mjString* modelname;   ///< name of the model
  mjsCompiler compiler;  ///< how it is compiled
  mjtBool strippath;     ///< only the names of files count, not their folders
  mjOption option;       ///< physics options
  mjVisual visual;       ///< drawing options
  mjStatistic stat;      ///< statistics; NaN: computed
  mjtSize memory;        ///< not needed: the arena grows
  int nemax;             ///< not needed
#define CT_MJ_AS_SIZE(name) int name;
  CT_MJ_SIZES(CT_MJ_AS_SIZE)
  mjtSize nstack;                  ///< not needed
  mjString* comment;               ///< kept only
  mjString* modelfiledir;          ///< folder of the file it was read from
  mjtBool hasImplicitPluginElem;   ///< false
  mjsAuthored authored;            ///< what a file has said of options and drawing
  ctSpec* impl_;                   ///< its own
  struct ctMjBlock* blocks_;       ///< the structs that were asked for
  struct ctMjBlock* last_;         ///< the last of them
  struct ctMjBlock* compiler_;     ///< that of the compiler
  struct mjsDefault_** defaults_;  ///< default classes that were asked for
  char** class_names_;             ///< their names
  int ndefault_;                   ///< how many
  bool deep_;                      ///< mjs_setDeepCopy()
  mjOption option_before_;         ///< as it was when it was read
  mjStatistic stat_before_;        ///< likewise
  mjVisual visual_before_;         ///< likewise
  mjLROpt lropt_before_;           ///< likewise
  bool strippath_before_;          ///< likewise
  int sizes_before_[12];           ///< likewise
  ctMjList plugins_;               ///< names of those that are declared
  struct ctMjFiles* files_;        ///< what was made of pixels
  struct ctMjFiles** held_;        ///< those of specs that were attached
  int nheld_;                      ///< how many
  ctMjList warnings_;              ///< what the compiler has remarked
  double timer_[mjNCTIMER];        ///< how long it took
  ctElement** order_[3];           ///< joints, actuators, bodies when it was last compiled
  int norder_[3];                  ///< how many
  ctError error_;                  ///< of the last call
  char said_[1200];                ///< its words, for mjs_getError()
} mjSpec;

#ifdef __cplusplus
}
#endif
