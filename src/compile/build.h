// Compiling: a spec goes in, passes run one after another over one shared context, a model comes out.
#pragma once

#include "asset/image.h"
#include "asset/mesh.h"
#include "base/error.h"
#include "base/files.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/plugin.h"
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
  int plugin;                                  // instance, -1 for none
} ctiBuildBody;

typedef struct ctiBuildDof {
  int body, joint, tree;
  int parent;     // the dof before it on the path to the world, -1 for none
  int ancestors;  // how many dofs there are on that path
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
  int plugin;               // instance, -1 for none
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

// A deformable with everything the model keeps of it. Positions are those of qpos0, in the world.
typedef struct ctiBuildFlex {
  const ctiFlex* spec;
  int nvert, nelem, nedge, nnode, nshell, ntexcoord;
  int interp;    // order of the cage, negative for that of a shell; 0: none
  int equality;  // CTI_FLEXEQ_*
  bool rigid, centered, needs_jacobian;
  double radius, yield[2];
  double *vert, *vertpos, *vert0;  // in its body, in the world, in the box; nvert x 3
  double *node, *nodepos, *node0;  // in its body, in the world, along the cage; nnode x 3
  double size[3], axes[9];         // half sizes of the box; axes of the cage as columns
  int *vertbody, *nodebody, *vertcell;
  int *elem, *elemedge, *elemtexcoord, *elemlayer, *elemmaterial, *edge, *edgeflap, *shell;
  bool* edge_rigid;
  float* texcoord;
  ctiBvh bvh;
  int nstiffness, nbending, nplastic, plasticmode, plasticadr;
  double *stiffness, *bending;
  int64_t njacobian;  // entries of the edge Jacobian
} ctiBuildFlex;

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

// An instance of a plugin.
typedef struct ctiBuildPlugin {
  const ctiElement* at;  // where it is declared, or the element that brings it along
  int kind;              // as in m->plugin
  const ctPlugin* plugin;
  const char** values;  // of its attributes
  int nvalue, stateadr, statenum;
  ctReal prm[CT_NPLUGINPRM];
} ctiBuildPlugin;

// A pair of geoms or of bodies in the order of its signature.
typedef struct ctiBuildPair {
  const ctiContactPair* spec;
  int geom1, geom2, signature;
} ctiBuildPair;

typedef struct ctiBuildExclude {
  const ctiExclude* spec;
  int signature;
} ctiBuildExclude;

typedef struct ctiBuild {
  const ctSpec* spec;
  ctError* err;
  ctiRegion* region;     // scratch of the compilation
  ctModel* m;            // NULL until the allocation pass
  ctModel sizes;         // counts gathered so far
  ctiBudget budget;      // what the region and the model may take
  size_t asked;          // bytes that the sizes so far will take, at least
  const ctiElement* at;  // what is worked on, for when memory runs out; may be NULL
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
  ctiBuildFlex* flex;
  const char **mesh_path, **texture_path;  // of the files, NULL where there is none
  ctiBuildPlugin* plugin;
  int *mesh_plugin, *actuator_plugin, *sensor_plugin;  // instances, -1 for none
  ctiBuildPair* pair;
  ctiBuildExclude* exclude;
  ctiNameMap names[CT_OBJ_COUNT];  // ids by name, for every kind of object
  ctiNameMap frames;               // names of frames, which a model does not keep
} ctiBuild;

// The passes in the order they run. Each file of an object has its passes: first what it means, then its
// arrays.
// clang-format off
#define CTI_PASSES(X) \
  X(collect)               /* tree order, ids, addresses, unique names */             \
  X(support)               /* refuse what the engine cannot do yet */                 \
  X(plugins)               /* instances, their numbers */                             \
  X(bodies)                /* poses of bodies and joints */                           \
  X(geoms)                 /* poses, from-to segments and sizes of geoms and sites */ \
  X(cameras)               /* poses of cameras and lights */                          \
  X(meshes)                /* files read, hulls, geoms fitted */                      \
  X(hfields)               /* files read */                                           \
  X(inertia)               /* masses and inertias, given or inferred */               \
  X(align)                 /* frames of free bodies */                                \
  X(tree)                  /* kinematic trees, ancestors of dofs, simple bodies */    \
  X(geom_materials)        /* of geoms and sites: they exist */                       \
  X(joint_limits)          /* given, or decided by the range */                       \
  X(camera_targets)        /* of cameras and lights */                                \
  X(contacts)              /* pairs and excludes */                                   \
  X(tendons)               /* paths, which dofs move them */                          \
  X(actuators)             /* transmissions, ranges, activations */                   \
  X(skins)                 /* files read, weights */                                  \
  X(flexes)                /* elements, edges, trees of boxes, stiffness */          \
  X(textures)              /* pictures drawn or read */                               \
  X(sensors)               /* attachments, sizes */                                   \
  X(allocate)              /* sizes -> the block of the model, settings */            \
  X(fill_bodies)           /* bodies, joints, dofs */                                 \
  X(fill_geoms)            /* geoms, sites */                                         \
  X(fill_actuators)                                                                   \
  X(fill_plugins)          /* and who they compute for */                             \
  X(fill_trees)                                                                       \
  X(fill_cameras)          /* cameras, lights */                                      \
  X(fill_materials)                                                                   \
  X(fill_constraints)      /* pairs, excludes, equalities */                          \
  X(fill_tendons)                                                                     \
  X(fill_textures)                                                                    \
  X(fill_hfields)                                                                     \
  X(fill_skins)                                                                       \
  X(fill_flexes)                                                                      \
  X(sleep)                 /* which trees may: not those that are driven or tied */   \
  X(fill_sensors)                                                                     \
  X(fill_custom)           /* numbers, texts, tuples */                               \
  X(names)                 /* the text of all names, and ids by name */               \
  X(sparsity)              /* patterns of M, B and D */                               \
  X(bounds)                /* bounding boxes, radii, body trees of boxes */           \
  X(fill_meshes)           /* needs the bounds of the bodies */                       \
  X(fill_paths)            /* of asset files */                                       \
  X(constants)             /* what needs a forward pass at qpos0 */                   \
  X(statistics)            /* sizes and masses on average, extent */                  \
  X(length_ranges)         /* found by simulation */                                  \
  X(keyframes)                                                                        \
  X(remarks)               /* to the log */
// clang-format on
#define X(name) ctStatus cti_pass_##name(ctiBuild* b);
CTI_PASSES(X)
#undef X

// Id of an object by name; an error at `e` when there is none.
ctStatus cti_find_object(int* out, const ctiBuild* b, ctObjType type, const char* name, const ctiElement* e);

// Move a pose given inside the frames around an element to the frame of the body.
ctStatus cti_leave_frames(ctReal pos[3], ctReal quat[4], const ctiBuild* b, const ctiFrame* frame);

// Whether a geom adds to the inertia inferred for its body.
bool cti_geom_counts(const ctiBuild* b, const ctiBuildGeom* g);

// An error unless a geom of type sdf and its mesh are the same shape.
ctStatus cti_check_sdf_geom(const ctiBuild* b, const ctiBuildGeom* g);
// The shape of a plugin as a field.
void cti_plugin_surface(const ctiBuildPlugin* p, ctiField* out);

// An error unless contacts can have this many dimensions.
ctStatus cti_check_condim(const ctiBuild* b, int condim, const ctiElement* e);

// The bytes of an asset file; the caller releases them. `path` receives the path it was found at.
ctStatus cti_read_asset(ctiBuild* b, const ctiElement* e, const char* dir, const char* name, ctiFile* file,
                        const char** path);

// Numbers of a list into the row of an object; what is not given is 0.
void cti_fill_user(ctReal* out, int id, int n, const ctiReals* user);

// Entries of the patterns, of names, paths and custom data, into b->sizes: the allocation needs them before
// they are filled.
ctStatus cti_count_sparsity(ctiBuild* b);
ctStatus cti_count_names(ctiBuild* b);
ctStatus cti_count_paths(ctiBuild* b);
ctStatus cti_count_custom(ctiBuild* b);

// ---- sizes

// A size of the model grows by `more` for what an element asks for. CT_ERR_LIMIT at the element when that is
// negative, when no int can count so many, or when they take more memory than loading may. All sizes grow
// this way: sums of what a file says wrap in an int.
#define CTI_GROW(b, size, more, e) CTI_GROW_(b, size, int, more, sizeof(int), e)
// Bytes of texts, whose addresses are ints.
#define CTI_GROW_TEXT(b, size, more, e) CTI_GROW_(b, size, ctSize, more, 1, e)
#define CTI_GROW_(b, size, type, more, unit, e)                                 \
  (cti_grow((b), (b)->sizes.size, (int64_t)(more), (unit), #size, (e)) == CT_OK \
       ? ((b)->sizes.size = (type)((b)->sizes.size + (int64_t)(more)), CT_OK)   \
       : CT_ERR_LIMIT)
ctStatus cti_grow(ctiBuild* b, int64_t have, int64_t more, size_t unit, const char* name,
                  const ctiElement* e);

// Open a build of a spec: a region for it, and what is left of the budget of the spec. CT_ERR_MEMORY.
ctStatus cti_build_begin(ctiBuild* b, const ctSpec* spec, ctError* err);
// Release the region; a failure for want of memory gets its place.
ctStatus cti_build_end(ctiBuild* b, ctStatus status);

// Geoms that can touch nothing have no place in the tree of boxes.
static inline bool cti_geom_collides(int contype, int conaffinity) {
  return contype != 0 || conaffinity != 0;
}

// Armature of a tendon couples the dofs it runs over: their bodies are not simple.
void cti_couple_tendon(ctiBuild* b, int tendon);

// The quaternion of an orientation in any notation. CT_ERR_INVALID with a message about `e` when it is
// degenerate.
ctStatus cti_resolve_orient(ctReal quat[4], const ctiBuild* b, const ctiOrient* o, const ctiElement* e);

// true, false, or decided by the range: limited when it is not empty.
ctStatus cti_resolve_limited(bool* out, const ctiBuild* b, int tristate, const double range[2],
                             const ctiElement* e, const char* what);

// Adds R diag R' of a part with this mass, whose centre is moved by `d`, to the inertia `sum`.
void cti_inertia_add(ctReal sum[9], const ctReal quat[4], const ctReal diag[3], ctReal mass,
                     const ctReal d[3]);

// The first field of actuators and sensors that does not fit its kind; NULL when all do. The indices of the
// model must have been checked.
const char* cti_check_devices(const ctModel* m);

// Why options are refused, NULL when they are not: of a spec that is compiled and of a binary model.
const char* cti_refused_option(const ctOption* o);

// ---- simplifying

// The passes up to and including the one called `last`.
ctStatus cti_run_passes_to(ctiBuild* b, const char* last);

// A copy of the spec with what its compiler attributes ask for carried out. NULL in `out` when they ask for
// nothing.
ctStatus cti_simplified(ctSpec** out, const ctSpec* spec, ctError* err);
