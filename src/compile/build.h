// Compiling: a spec goes in, passes run one after another over one shared context, a model comes out.
#pragma once

#include "asset/image.h"
#include "asset/mesh.h"
#include "base/error.h"
#include "base/files.h"
#include "math/quat.h"
#include "spec/spec.h"

// A spec element in its compiled place, with what the passes work out for it.
typedef struct ctiBuildBody {
  const ctiBody* spec;
  int parent;
  bool moves;  // it or an ancestor has joints
  int mocap;   // number among the mocap bodies, -1 for others
  int jntadr, jntnum, dofadr, dofnum, geomadr, geomnum;
  ctReal pos[3], quat[4];                      // in the parent
  ctReal ipos[3], iquat[4], mass, inertia[3];  // inertial frame
  bool inferred, adjusted;                     // from geoms; bounded or balanced
  int weld, root, tree;                        // ids; tree is -1 for bodies that do not move
  int subtree;                                 // bodies in it, itself included; their ids are consecutive
  int sameframe;                               // ctSameFrame of the inertial frame
  int simple;                                  // 1: its block of M is diagonal and constant; 2: sliders only
} ctiBuildBody;

typedef struct ctiBuildDof {
  int body, joint, tree;
  int parent;     // the dof before it on the way to the world, -1 for none
  int ancestors;  // how many dofs there are on that way
  bool simple;    // row of M is the diagonal alone
} ctiBuildDof;

typedef struct ctiBuildJoint {
  const ctiJoint* spec;
  int body, qposadr, dofadr;
  ctReal pos[3], axis[3];
  bool limited, actfrclimited;
  int plastic;  // address of its yielding spring's reference, -1 for none
} ctiBuildJoint;

typedef struct ctiBuildGeom {
  const ctiGeom* spec;
  int body;
  ctReal pos[3], quat[4], size[3];
  ctReal mass, inertia[3];  // principal moments along the geom's axes
  int mesh, hfield;         // what it has the shape of, -1 for none
} ctiBuildGeom;

typedef struct ctiBuildHField {
  int nrow, ncol;
  float* data;
  const char* path;  // NULL when it has no file
} ctiBuildHField;

typedef struct ctiBuildBone {
  const char* body_name;
  int body, count;  // the body it is, the vertices it moves
  float bindpos[3], bindquat[4];
  int* vertid;
  float* weight;
} ctiBuildBone;

typedef struct ctiBuildSkin {
  int nvert, ntexcoord, nface, nbone, material;
  float *vert, *texcoord;
  int* face;
  ctiBuildBone* bone;
  const char* path;  // NULL when it has no file
} ctiBuildSkin;

typedef struct ctiBuildSite {
  const ctiSite* spec;
  int body, mesh;  // mesh is -1 for other shapes
  ctReal pos[3], quat[4], size[3];
} ctiBuildSite;

typedef struct ctiBuildCamera {
  const ctiCamera* spec;
  int body, target;
  ctReal pos[3], quat[4];
} ctiBuildCamera;

typedef struct ctiBuildLight {
  const ctiLight* spec;
  int body, target, texture;
  ctReal pos[3], dir[3];
} ctiBuildLight;

typedef struct ctiBuildTendon {
  const ctiTendon* spec;
  bool limited, actfrclimited;
  int plastic;  // address of its yielding spring's reference, -1 for none
  int adr;      // of its path in the list of stations
  int* dofs;    // those that can move it, ascending
  int ndof;
  int trees[2], ntree;
} ctiBuildTendon;

// Controls that one actuator can take.
#define CTI_MAX_INPUTS 4

typedef struct ctiBuildActuator {
  const ctiActuator* spec;
  int trntype, trnid[2];
  bool ctrllimited, forcelimited, actlimited;
  ctReal ctrlrange[2], actrange[2];
  int actadr, actnum, historyadr;
  int ctrladr, ctrlnum, outadr, outnum;
  ctReal inputrange[CTI_MAX_INPUTS][2];  // of each control
  bool inputlimited[CTI_MAX_INPUTS];
} ctiBuildActuator;

typedef struct ctiBuildSensor {
  const ctiSensor* spec;
  int obj[2], ref[2];  // type and id
  int intprm[CT_NSENS], dim, adr, datatype, stage, historyadr;
} ctiBuildSensor;

// A pair of geoms or of bodies in the order of its signature.
typedef struct ctiBuildPair {
  const ctiPair* spec;
  int geom1, geom2, signature;
} ctiBuildPair;

typedef struct ctiBuildExclude {
  const ctiExclude* spec;
  int signature;
} ctiBuildExclude;

typedef struct ctiBuild {
  const ctSpec* spec;
  ctError* err;
  ctiRegion* region;  // scratch of the compilation
  ctModel* m;         // NULL until the allocation pass
  ctModel sizes;      // counts gathered so far
  ctiBuildBody* body;
  ctiBuildJoint* joint;
  ctiBuildDof* dof;
  ctiBuildGeom* geom;
  ctiBuildSite* site;
  ctiBuildCamera* camera;
  ctiBuildLight* light;
  ctiBuildTendon* tendon;
  ctiBuildActuator* actuator;
  ctiBuildSensor* sensor;
  ctiImage* texture;
  ctiMesh* mesh;
  ctiBuildHField* hfield;
  ctiBuildSkin* skin;
  const char **mesh_path, **texture_path;  // of the files, NULL where there is none
  ctiBuildPair* pair;
  ctiBuildExclude* exclude;
  ctiNameMap names[CT_OBJ_COUNT];  // ids by name, for every kind of object
} ctiBuild;

// The passes, in the order of the list in compile.c.
ctStatus cti_pass_collect(ctiBuild* b);     // tree order, ids, addresses, unique names
ctStatus cti_pass_support(ctiBuild* b);     // refuse what the engine cannot do yet
ctStatus cti_pass_frames(ctiBuild* b);      // orientations, from-to segments, sizes
ctStatus cti_pass_meshes(ctiBuild* b);      // files read, hulls, geoms fitted
ctStatus cti_pass_hfields(ctiBuild* b);     // files read
ctStatus cti_pass_inertia(ctiBuild* b);     // masses and inertias, given or inferred
ctStatus cti_pass_align(ctiBuild* b);       // frames of free bodies
ctStatus cti_pass_tree(ctiBuild* b);        // kinematic trees, ancestors of dofs, simple bodies
ctStatus cti_pass_references(ctiBuild* b);  // names -> ids, limits: joints, cameras, lights
ctStatus cti_pass_contacts(ctiBuild* b);    // pairs and excludes
ctStatus cti_pass_tendons(ctiBuild* b);     // paths, which dofs move them
ctStatus cti_pass_actuators(ctiBuild* b);   // transmissions, ranges, activations
ctStatus cti_pass_skins(ctiBuild* b);       // files read, weights
ctStatus cti_pass_textures(ctiBuild* b);    // pictures drawn or read
ctStatus cti_pass_sensors(ctiBuild* b);     // attachments, sizes
ctStatus cti_pass_allocate(ctiBuild* b);    // sizes -> the model's block
ctStatus cti_pass_fill(ctiBuild* b);        // elements -> arrays: bodies, joints, geoms, sites, actuators
ctStatus cti_pass_fluid(ctiBuild* b);       // ellipsoids in place of geoms
ctStatus cti_pass_fill_scene(ctiBuild* b);  // cameras, lights, textures, materials
ctStatus cti_pass_fill_constraints(ctiBuild* b);  // pairs, excludes, equalities
ctStatus cti_pass_fill_tendons(ctiBuild* b);
ctStatus cti_pass_fill_textures(ctiBuild* b);
ctStatus cti_pass_fill_hfields(ctiBuild* b);
ctStatus cti_pass_fill_skins(ctiBuild* b);
ctStatus cti_pass_fill_sensors(ctiBuild* b);
ctStatus cti_pass_fill_custom(ctiBuild* b);    // numbers, texts, tuples
ctStatus cti_pass_names(ctiBuild* b);          // the text of all names, and the way back
ctStatus cti_pass_sparsity(ctiBuild* b);       // patterns of M, B and D
ctStatus cti_pass_bounds(ctiBuild* b);         // bounding boxes, radii, body trees of boxes
ctStatus cti_pass_fill_meshes(ctiBuild* b);    // needs the bounds of the bodies
ctStatus cti_pass_fill_paths(ctiBuild* b);     // of asset files
ctStatus cti_pass_constants(ctiBuild* b);      // what needs a forward pass at qpos0
ctStatus cti_pass_statistics(ctiBuild* b);     // sizes and masses on average, extent
ctStatus cti_pass_length_ranges(ctiBuild* b);  // found by simulation
ctStatus cti_pass_keyframes(ctiBuild* b);
ctStatus cti_pass_remarks(ctiBuild* b);  // to the log

// Numbers that a ray or a contact gives a sensor, by its fields as a bit mask.
int cti_ray_numbers(int fields);
int cti_contact_numbers(int fields);

// Id of an object by name; an error at `e` when there is none.
ctStatus cti_find_object(int* out, const ctiBuild* b, ctObjType type, const char* name, const ctiElement* e);

// Move a pose given inside the frames around an element to the frame of the body.
ctStatus cti_leave_frames(ctReal pos[3], ctReal quat[4], const ctiBuild* b, const ctiFrame* frame);

// An error unless a shape of this type and place can be given by the ends of its axis.
ctStatus cti_check_segment(ctError* err, int type, const double pos[3], const ctiElement* e);

// Whether a geom adds to the inertia inferred for its body.
bool cti_geom_counts(const ctiBuild* b, const ctiBuildGeom* g);

// An error unless contacts can have this many dimensions.
ctStatus cti_check_condim(const ctiBuild* b, int condim, const ctiElement* e);

// The bytes of an asset file; the caller releases them. `path` receives the path it was found at.
ctStatus cti_read_asset(ctiBuild* b, const ctiElement* e, const char* dir, const char* name, ctiFile* file,
                        const char** path);

// Numbers of a list into reals.
void cti_to_real(ctReal* out, const double* in, int n);

// Entries of the patterns and of the names, into b->sizes: the allocation needs them before they are filled.
void cti_count_sparsity(ctiBuild* b);
void cti_count_names(ctiBuild* b);
void cti_count_custom(ctiBuild* b);
void cti_count_paths(ctiBuild* b);

// Geoms that can touch nothing have no place in the tree of boxes.
static inline bool cti_geom_collides(int contype, int conaffinity) {
  return contype != 0 || conaffinity != 0;
}

// Armature of a tendon couples the dofs it runs over: their bodies are not simple.
void cti_couple_tendon(ctiBuild* b, int tendon);

// How a frame in a body relates to the body's own and its inertial frame.
int cti_same_frame(const ctReal pos[3], const ctReal quat[4], const ctReal ipos[3], const ctReal iquat[4]);

// The quaternion of an orientation in any notation. CT_ERR_INVALID with a message about `e` when it is
// degenerate.
ctStatus cti_resolve_orient(ctReal quat[4], const ctiBuild* b, const ctiOrient* o, const ctiElement* e);

// true, false, or decided by the range: limited when it is not empty.
ctStatus cti_resolve_limited(bool* out, const ctiBuild* b, int tristate, const double range[2],
                             const ctiElement* e, const char* what);
