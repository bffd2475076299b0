/// @file
/// The compiled model: immutable while it is simulated, shared by any number of threads and data.
#pragma once

#include "corten/error.h"
#include "corten/types.h"
#include "corten/vfs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ctModel;
struct ctData;
struct ctPlugin;
struct ctDecoder;

/// What the program around the engine computes: functions for sensors and actuators of kind `user`, written
/// to a model before it is simulated. Without one, sensors keep their numbers, rates and biases are 0 and
/// gains 1. They are called inside a step, from every thread that steps with the model, and may read
/// everything that was computed before; `d->user` tells one simulation from another. Not saved in files; a
/// batch on the GPU refuses a model that has them.
typedef struct ctCallbacks {
  void* context;  ///< handed to each

  /// Write the numbers of a sensor (m->sensor_dim[sensor]), at the end of the stage it names.
  void (*sensor)(void* context, const struct ctModel* m, const struct ctData* d, int sensor, ctReal* out);
  /// Write the rates of an actuator's activations (m->actuator_actnum[actuator]).
  void (*dyn)(void* context, const struct ctModel* m, const struct ctData* d, int actuator, ctReal* act_dot);
  /// Force per activation or control.
  ctReal (*gain)(void* context, const struct ctModel* m, const struct ctData* d, int actuator);
  /// Force beside it.
  ctReal (*bias)(void* context, const struct ctModel* m, const struct ctData* d, int actuator);

  /// Set the controls or other inputs: after everything that depends on positions and velocities, before
  /// actuation. Not called while actuation is disabled.
  void (*control)(void* context, const struct ctModel* m, struct ctData* d);
  /// Add to qfrc_passive: after the engine's own passive forces. Not called while these are disabled.
  void (*passive)(void* context, const struct ctModel* m, struct ctData* d);
  /// Whether two geoms pass through each other; asked in place of their contype and conaffinity.
  bool (*contact_filter)(void* context, const struct ctModel* m, const struct ctData* d, int geom1,
                         int geom2);
} ctCallbacks;

/// A compiled model. All arrays live in one block that starts with this struct. Names, shapes and meaning
/// of the arrays are MuJoCo's; the lists the members come from are in corten/fields/.
typedef struct ctModel {
  // members of fields/model_sizes.def, by tools/members.py
  // clang-format off
  // motion
  int nq;  ///< length of qpos: the numbers of a configuration
  int nv;  ///< number of degrees of freedom (dofs): length of qvel, qacc and every joint-space force qfrc_*

  // actuation
  int nu;         ///< number of controls: length of ctrl; an actuator may have one, several or none
  int nactuator;  ///< number of actuators
  int nout;       ///< number of force outputs of all actuators: 3 for a transmission of type so3, else 1 each
  int na;         ///< number of activations: length of act

  // bodies and their shapes
  int nbody;        ///< number of bodies, the world (id 0) included
  int nbvh;         ///< number of nodes of all trees of bounding boxes: nbvhstatic + nbvhdynamic
  int nbvhstatic;   ///< number of nodes whose box is fixed to its body or mesh (bvh_aabb)
  int nbvhdynamic;  ///< number of nodes whose box follows a deformable (bvh_aabb_dyn of the data)
  int noct;         ///< number of octree cells of all meshes that serve as signed distance fields
  int njnt;         ///< number of joints
  int ntree;        ///< number of kinematic trees: moving bodies that hang together under the world
  int nM;           ///< length of the mass matrix in the older layout of MuJoCo, which dof_Madr and mapM2M
                    ///< address
  int nB;           ///< number of stored elements of the body-dof pattern (B_colind)
  int nC;           ///< number of stored elements of the mass matrix M: its lower triangle
  int nD;           ///< number of stored elements of the derivative matrices qDeriv and qLU: the square
                    ///< pattern of M
  int ngeom;        ///< number of geoms
  int nsite;        ///< number of sites
  int ncam;         ///< number of cameras
  int nlight;       ///< number of lights

  // deformables
  int nflex;           ///< number of deformables
  int nflexnode;       ///< number of nodes of all deformables that are interpolated from a cage
  int nflexvert;       ///< number of vertices of all deformables
  int nflexedge;       ///< number of edges of all deformables
  int nflexelem;       ///< number of elements of all deformables: segments, triangles or tetrahedra
  int nflexelemdata;   ///< number of vertex ids in flex_elem: dim + 1 for each element
  int nflexstiffness;  ///< length of flex_stiffness
  int nflexbending;    ///< length of flex_bending
  int nefm0dof;        ///< number of dofs covered by the constant factor of the effective metric (efm0_*)
  int nefm0L;          ///< number of stored elements of efm0_L
  int nefmCvert;       ///< number of entries of efmC_perm
  int nflexelemedge;   ///< number of edge ids in flex_elemedge
  int nflexshelldata;  ///< number of vertex ids in flex_shell: dim for each piece of surface
  int nflextexcoord;   ///< number of texture coordinates of all deformables
  int nJfe;            ///< number of stored elements of the edge Jacobian flexedge_J

  // meshes
  int nmesh;          ///< number of meshes
  int nmeshvert;      ///< number of vertices of all meshes
  int nmeshnormal;    ///< number of normals of all meshes
  int nmeshtexcoord;  ///< number of texture coordinates of all meshes
  int nmeshface;      ///< number of triangles of all meshes
  int nmeshgraph;     ///< length of mesh_graph, which describes convex hulls
  int nmeshpoly;      ///< number of polygons of all convex hulls
  int nmeshpolyvert;  ///< number of vertex ids of all hull polygons
  int nmeshpolymap;   ///< number of polygon ids in the map from vertices to polygons

  // skins
  int nskin;          ///< number of skins
  int nskinvert;      ///< number of vertices of all skins
  int nskintexvert;   ///< number of texture coordinates of all skins
  int nskinface;      ///< number of triangles of all skins
  int nskinbone;      ///< number of bones of all skins
  int nskinbonevert;  ///< number of pairs of bone and vertex in all skins

  // height fields, textures, materials
  int nhfield;      ///< number of height fields
  int nhfielddata;  ///< number of samples of all height fields
  int ntex;         ///< number of textures
  ctSize ntexdata;  ///< bytes of all textures
  int nmat;         ///< number of materials

  // constraints, tendons, sensors
  int npair;     ///< number of contact pairs that are listed explicitly
  int nexclude;  ///< number of pairs of bodies that never collide
  int neq;       ///< number of equality constraints
  int ntendon;   ///< number of tendons
  int nJten;     ///< number of stored elements of the tendon Jacobian ten_J
  int nwrap;     ///< number of stations of all tendon paths: joints, sites, pulleys, wrapping geoms
  int nsensor;   ///< number of sensors

  // custom data and keyframes
  int nnumeric;        ///< number of named lists of numbers
  int nnumericdata;    ///< length of numeric_data
  int ntext;           ///< number of named texts
  ctSize ntextdata;    ///< bytes in text_data, each text with its terminating zero
  int ntuple;          ///< number of tuples: named lists of objects
  int ntupledata;      ///< number of objects in all tuples
  int nkey;            ///< number of keyframes
  int nmocap;          ///< number of bodies moved from outside (mocap_pos, mocap_quat)
  int nplugin;         ///< number of plugin instances
  int npluginattr;     ///< bytes in plugin_attr
  int nuser_body;      ///< numbers per body in body_user
  int nuser_jnt;       ///< numbers per joint in jnt_user
  int nuser_geom;      ///< numbers per geom in geom_user
  int nuser_site;      ///< numbers per site in site_user
  int nuser_cam;       ///< numbers per camera in cam_user
  int nuser_tendon;    ///< numbers per tendon in tendon_user
  int nuser_actuator;  ///< numbers per actuator in actuator_user
  int nuser_sensor;    ///< numbers per sensor in sensor_user
  ctSize nnames;       ///< bytes of all names, each with its terminating zero
  ctSize npaths;       ///< bytes of all file paths, each with its terminating zero
  int nplastic;        ///< length of plastic: rest positions of springs that yield

  // found after the objects are known
  int nnames_map;    ///< number of slots of the hash table that finds names
  int nJmom;         ///< number of stored elements of the actuator moments actuator_moment
  int ngravcomp;     ///< number of bodies with gravity compensation
  int nemax;         ///< most rows that all equality constraints together can make
  int njmax;         ///< limit of constraint rows a model file may state; -1: none given. Kept for the file,
                     ///< memory grows as needed
  int nconmax;       ///< limit of contacts a model file may state; -1: none given. Kept for the file, memory
                     ///< grows as needed
  int npolygonmax;   ///< most vertices of a hull polygon
  int nmeshdegmax;   ///< most polygons that meet at a hull vertex
  int nuserdata;     ///< length of userdata
  int nsensordata;   ///< length of sensordata
  int npluginstate;  ///< length of plugin_state
  int nhistory;      ///< length of history: samples of delayed actuators and sensors
  ctSize narena;     ///< 0 in a compiled model: a ctData finds the size of its arena by itself
  ctSize nbuffer;    ///< bytes of the block that holds this struct and all arrays
  // clang-format on
  // end of members

  // members of fields/model_scalars.def, by tools/members.py
  // clang-format off
  // what the model has
  ctBool flg_gravcomp;    ///< some body has gravity compensation
  ctBool flg_surfacevel;  ///< some geom has a surface velocity
  ctBool flg_adhesion;    ///< some geom or contact pair is adhesive
  // clang-format on
  // end of members

  ctOption opt;      ///< physics options
  ctVisual vis;      ///< drawing settings
  ctStatistic stat;  ///< statistics

  // members of fields/model.def, by tools/members.py
  // clang-format off
  // configuration
  ctReal* qpos0;        ///< [nq] reference configuration: qpos after a reset, in the pose the model was
                        ///< written in
  ctReal* qpos_spring;  ///< [nq] configuration in which joint springs are at rest

  // bodies
  int* body_parentid;        ///< [nbody] parent body; 0 for the world itself
  int* body_rootid;          ///< [nbody] ancestor that is a child of the world; 0 for the world
  int* body_weldid;          ///< [nbody] topmost body it is fixed to without joints: itself when it has
                             ///< joints or is a mocap body, 0 when it never moves
  int* body_mocapid;         ///< [nbody] row in mocap_pos and mocap_quat; -1: not a mocap body
  int* body_jntnum;          ///< [nbody] number of joints
  int* body_jntadr;          ///< [nbody] first joint; -1: none
  int* body_dofnum;          ///< [nbody] number of dofs
  int* body_dofadr;          ///< [nbody] first dof; -1: none
  int* body_treeid;          ///< [nbody] kinematic tree; -1: static
  int* body_geomnum;         ///< [nbody] number of geoms
  int* body_geomadr;         ///< [nbody] first geom; -1: none
  ctByte* body_simple;       ///< [nbody] 1: its rows of the mass matrix are diagonal; 2: also all its joints
                             ///< slide; 0: neither
  ctByte* body_sameframe;    ///< [nbody] how the inertial frame and the body frame agree (ctSameFrame)
  ctReal* body_pos;          ///< [nbody x 3] position of the body frame in the parent's frame, m
  ctReal* body_quat;         ///< [nbody x 4] orientation of the body frame in the parent's frame, quaternion
                             ///< w x y z
  ctReal* body_ipos;         ///< [nbody x 3] centre of mass in the body frame, m
  ctReal* body_iquat;        ///< [nbody x 4] orientation of the principal axes of inertia in the body frame,
                             ///< quaternion w x y z
  ctReal* body_mass;         ///< [nbody] mass, kg
  ctReal* body_subtreemass;  ///< [nbody] mass of the body and everything below it, kg
  ctReal* body_inertia;      ///< [nbody x 3] principal moments of inertia about the centre of mass, kg m^2
  ctReal* body_invweight0;   ///< [nbody x 2] mean inverse inertia in qpos0: translation (1/kg), rotation
                             ///< (1/(kg m^2))
  ctReal* body_gravcomp;     ///< [nbody] part of the body's weight that is compensated; 1: it floats
  ctReal* body_margin;       ///< [nbody] largest margin plus gap of its geoms, m
  ctReal* body_user;         ///< [nbody x nuser_body] the user's own numbers
  int* body_plugin;          ///< [nbody] plugin instance; -1: none
  int* body_contype;         ///< [nbody] union of geom_contype over its geoms
  int* body_conaffinity;     ///< [nbody] union of geom_conaffinity over its geoms
  int* body_bvhadr;          ///< [nbody] root of its tree of bounding boxes; -1: none
  int* body_bvhnum;          ///< [nbody] number of bounding boxes

  // bounding boxes: a tree for each body and mesh
  int* bvh_depth;    ///< [nbvh] depth in the tree; 0: root
  int* bvh_child;    ///< [nbvh x 2] left and right child, counted from the root; -1: none
  int* bvh_nodeid;   ///< [nbvh] geom of a body's leaf, triangle of a mesh's leaf; -1: inner node
  ctReal* bvh_aabb;  ///< [nbvhstatic x 6] box in the inertial frame of its body, or the frame of its mesh:
                     ///< centre, half sizes; m

  // octrees: signed distance fields of meshes
  int* oct_depth;     ///< [noct] depth in the octree; 0: root
  int* oct_child;     ///< [noct x 8] children, counted from the root; all -1: leaf
  ctReal* oct_aabb;   ///< [noct x 6] box in the frame of the mesh: centre, half sizes; m
  ctReal* oct_coeff;  ///< [noct x 8] signed distances at the corners of the cell, m

  // joints
  int* jnt_type;              ///< [njnt] type of joint (ctJointType)
  int* jnt_qposadr;           ///< [njnt] first number in qpos: 7 for a free joint, 4 for a ball, 1 for others
  int* jnt_dofadr;            ///< [njnt] first dof: 6 for a free joint, 3 for a ball, 1 for others
  int* jnt_bodyid;            ///< [njnt] body it moves relative to the parent of that body
  int* jnt_actuatorid;        ///< [njnt] actuator that adds damping or armature; -1: none, -2: several
  int* jnt_group;             ///< [njnt] group for display
  int* jnt_plasticadr;        ///< [njnt] first number in plastic; -1: the spring does not yield
  ctBool* jnt_limited;        ///< [njnt] has limits
  ctBool* jnt_actfrclimited;  ///< [njnt] the total force of actuators is limited
  ctBool* jnt_actgravcomp;    ///< [njnt] gravity compensation counts as an actuator force
  ctReal* jnt_solref;         ///< [njnt x CT_NREF] reference of the limit: time constant (s) and damping
                              ///< ratio, or both negative: -stiffness, -damping
  ctReal* jnt_solimp;         ///< [njnt x CT_NIMP] impedance of the limit: at 0, at width, width, midpoint,
                              ///< power
  ctReal* jnt_pos;            ///< [njnt x 3] anchor in the body frame, m; 0 for free joints
  ctReal* jnt_axis;           ///< [njnt x 3] axis in the body frame, unit length; hinges and slides
  ctReal* jnt_stiffness;      ///< [njnt] spring stiffness, N/m or N m/rad
  ctReal* jnt_stiffnesspoly;  ///< [njnt x CT_NPOLY] coefficients of the stiffness at higher powers of the
                              ///< displacement
  ctReal* jnt_springyield;    ///< [njnt] elastic displacement at which the spring yields; 0: never
  ctReal* jnt_range;          ///< [njnt x 2] lower and upper limit, m or rad; ball: (0, largest angle)
  ctReal* jnt_actfrcrange;    ///< [njnt x 2] least and largest total force of actuators
  ctReal* jnt_margin;         ///< [njnt] distance from a limit at which its row appears, m or rad
  ctReal* jnt_user;           ///< [njnt x nuser_jnt] the user's own numbers

  // degrees of freedom
  int* dof_bodyid;           ///< [nv] body it moves
  int* dof_jntid;            ///< [nv] joint it belongs to
  int* dof_parentid;         ///< [nv] next dof towards the world; -1: none
  int* dof_treeid;           ///< [nv] kinematic tree it belongs to
  int* dof_Madr;             ///< [nv] address of the diagonal element in MuJoCo's older layout of the mass
                             ///< matrix
  int* dof_simplenum;        ///< [nv] number of dofs from here on whose rows of the mass matrix are diagonal;
                             ///< 0: this one's is not
  ctReal* dof_solref;        ///< [nv x CT_NREF] reference of the dry friction: time constant (s) and damping
                             ///< ratio, or both negative: -stiffness, -damping
  ctReal* dof_solimp;        ///< [nv x CT_NIMP] impedance of the dry friction: at 0, at width, width,
                             ///< midpoint, power
  ctReal* dof_frictionloss;  ///< [nv] dry friction, N or N m; 0: none
  ctReal* dof_armature;      ///< [nv] inertia of the rotor added to the diagonal of the mass matrix, kg or kg
                             ///< m^2
  ctReal* dof_damping;       ///< [nv] damping, N s/m or N m s/rad
  ctReal* dof_dampingpoly;   ///< [nv x CT_NPOLY] coefficients of the damping at higher powers of the velocity
  ctReal* dof_invweight0;    ///< [nv] diagonal of the inverse mass matrix in qpos0, averaged over the dofs of
                             ///< a free or ball joint
  ctReal* dof_M0;            ///< [nv] diagonal of the mass matrix in qpos0
  ctReal* dof_length;        ///< [nv] length that turns its velocity into m/s: 1 for translations, the size
                             ///< of the body for rotations

  // kinematic trees
  int* tree_bodyadr;       ///< [ntree] first body
  int* tree_bodynum;       ///< [ntree] number of bodies
  int* tree_dofadr;        ///< [ntree] first dof
  int* tree_dofnum;        ///< [ntree] number of dofs
  int* tree_sleep_policy;  ///< [ntree] when it may sleep (ctSleepPolicy): the author's word, or one of the
                           ///< outcomes of auto

  // geoms
  int* geom_type;           ///< [ngeom] shape (ctGeomType)
  int* geom_contype;        ///< [ngeom] bits of its kind: two geoms collide when contype of one meets
                            ///< conaffinity of the other
  int* geom_conaffinity;    ///< [ngeom] bits of the kinds it collides with
  int* geom_condim;         ///< [ngeom] rows of its contacts: 1 frictionless, 3 sliding, 4 also spinning, 6
                            ///< also rolling
  int* geom_bodyid;         ///< [ngeom] body it belongs to
  int* geom_dataid;         ///< [ngeom] mesh or height field; -1: none
  int* geom_matid;          ///< [ngeom] material; -1: none
  int* geom_group;          ///< [ngeom] group for display
  int* geom_priority;       ///< [ngeom] the geom of higher priority sets the parameters of a contact; equal
                            ///< ones are mixed
  int* geom_plugin;         ///< [ngeom] plugin instance; -1: none
  ctByte* geom_sameframe;   ///< [ngeom] how the geom frame and the frames of its body agree (ctSameFrame)
  ctBool* geom_castshadow;  ///< [ngeom] throws shadows
  ctReal* geom_solmix;      ///< [ngeom] weight in mixing contact parameters
  ctReal* geom_solref;      ///< [ngeom x CT_NREF] reference of contacts: time constant (s) and damping ratio,
                            ///< or both negative: -stiffness, -damping
  ctReal* geom_solimp;      ///< [ngeom x CT_NIMP] impedance of contacts: at 0, at width, width, midpoint,
                            ///< power
  ctReal* geom_size;        ///< [ngeom x 3] sizes by type, m: sphere (radius), capsule and cylinder (radius,
                            ///< half length), box and ellipsoid (half sizes), plane (half sizes, 0: infinite;
                            ///< grid spacing)
  ctReal* geom_aabb;        ///< [ngeom x 6] bounding box in the geom frame: centre, half sizes; m
  ctReal* geom_rbound;      ///< [ngeom] radius of the bounding sphere, m; 0: plane
  ctReal* geom_pos;         ///< [ngeom x 3] position in the body frame, m
  ctReal* geom_quat;        ///< [ngeom x 4] orientation in the body frame
  ctReal* geom_friction;    ///< [ngeom x 3] sliding, spinning (m), rolling (m)
  ctReal* geom_margin;      ///< [ngeom] thickness added to the surface for contacts, m
  ctReal* geom_gap;         ///< [ngeom] distance beyond the margin at which contacts are found that exert no
                            ///< force, m
  ctReal* geom_surfacevel;  ///< [ngeom x 6] velocity of the surface in the geom frame: linear (m/s), angular
                            ///< (rad/s); a conveyor belt
  ctReal* geom_adhesion;    ///< [ngeom] adhesive force of its contacts, N
  ctReal* geom_fluid;       ///< [ngeom x CT_NFLUID] fluid model: 1 for an ellipsoid (0: off), its
                            ///< coefficients, virtual mass and inertia
  ctReal* geom_user;        ///< [ngeom x nuser_geom] the user's own numbers
  float* geom_rgba;         ///< [ngeom x 4] colour without a material

  // sites
  int* site_type;          ///< [nsite] shape (ctGeomType)
  int* site_bodyid;        ///< [nsite] body it belongs to
  int* site_dataid;        ///< [nsite] mesh; -1: none
  int* site_matid;         ///< [nsite] material; -1: none
  int* site_group;         ///< [nsite] group for display
  ctByte* site_sameframe;  ///< [nsite] how the site frame and the frames of its body agree (ctSameFrame)
  ctReal* site_size;       ///< [nsite x 3] sizes by type, as geom_size, m
  ctReal* site_pos;        ///< [nsite x 3] position in the body frame, m
  ctReal* site_quat;       ///< [nsite x 4] orientation in the body frame
  ctReal* site_user;       ///< [nsite x nuser_site] the user's own numbers
  float* site_rgba;        ///< [nsite x 4] colour without a material

  // cameras
  int* cam_mode;          ///< [ncam] how it moves (ctCamLight)
  int* cam_bodyid;        ///< [ncam] body it is fixed to or follows
  int* cam_targetbodyid;  ///< [ncam] body it looks at; -1: none
  ctReal* cam_pos;        ///< [ncam x 3] position in the body frame, m
  ctReal* cam_quat;       ///< [ncam x 4] orientation in the body frame; a camera looks along -z, y is up
  ctReal* cam_poscom0;    ///< [ncam x 3] position in qpos0 relative to the centre of mass of its subtree,
                          ///< world axes, m
  ctReal* cam_pos0;       ///< [ncam x 3] position in qpos0 relative to its body, world axes, m
  ctReal* cam_mat0;       ///< [ncam x 9] orientation in qpos0, world axes, rows of a matrix
  int* cam_projection;    ///< [ncam] type of projection (ctProjection)
  ctReal* cam_fovy;       ///< [ncam] vertical field of view, degrees; orthographic: height of the view, m
  ctReal* cam_ipd;        ///< [ncam] distance between the eyes in stereo, m
  int* cam_resolution;    ///< [ncam x 2] width and height, pixels
  int* cam_output;        ///< [ncam] pictures it makes, bits: 1 colour, 2 depth, 4 distance, 8 normals, 16
                          ///< segmentation
  float* cam_sensorsize;  ///< [ncam x 2] width and height of the sensor, m; 0: use cam_fovy
  float* cam_intrinsic;   ///< [ncam x 4] focal lengths and principal point on the sensor, m: x y, x y
  ctReal* cam_user;       ///< [ncam x nuser_cam] the user's own numbers

  // lights
  int* light_mode;           ///< [nlight] how it moves (ctCamLight)
  int* light_bodyid;         ///< [nlight] body it is fixed to or follows
  int* light_targetbodyid;   ///< [nlight] body it shines at; -1: none
  int* light_type;           ///< [nlight] type of light (ctLightType)
  int* light_texid;          ///< [nlight] texture of an image light; -1: none
  ctBool* light_castshadow;  ///< [nlight] throws shadows
  float* light_bulbradius;   ///< [nlight] radius of the bulb for soft shadows, m
  float* light_intensity;    ///< [nlight] intensity, candela
  float* light_range;        ///< [nlight] distance it reaches, m
  ctBool* light_active;      ///< [nlight] is on
  ctReal* light_pos;         ///< [nlight x 3] position in the body frame, m
  ctReal* light_dir;         ///< [nlight x 3] direction in the body frame, unit length
  ctReal* light_poscom0;     ///< [nlight x 3] position in qpos0 relative to the centre of mass of its
                             ///< subtree, world axes, m
  ctReal* light_pos0;        ///< [nlight x 3] position in qpos0 relative to its body, world axes, m
  ctReal* light_dir0;        ///< [nlight x 3] direction in qpos0, world axes
  float* light_attenuation;  ///< [nlight x 3] constant, linear and quadratic attenuation with distance
  float* light_cutoff;       ///< [nlight] half angle of a spot light, degrees
  float* light_softness;     ///< [nlight] softness of the edge of a spot light
  float* light_exponent;     ///< [nlight] how a spot light fades towards its edge
  float* light_ambient;      ///< [nlight x 3] ambient colour, red green blue
  float* light_diffuse;      ///< [nlight x 3] diffuse colour, red green blue
  float* light_specular;     ///< [nlight x 3] specular colour, red green blue

  // deformables
  int* flex_contype;            ///< [nflex] bits of its kind, as geom_contype
  int* flex_conaffinity;        ///< [nflex] bits of the kinds it collides with
  int* flex_condim;             ///< [nflex] rows of its contacts: 1, 3, 4 or 6
  int* flex_priority;           ///< [nflex] as geom_priority
  ctReal* flex_solmix;          ///< [nflex] weight in mixing contact parameters
  ctReal* flex_solref;          ///< [nflex x CT_NREF] reference of contacts: time constant (s) and damping
                                ///< ratio, or both negative: -stiffness, -damping
  ctReal* flex_solimp;          ///< [nflex x CT_NIMP] impedance of contacts: at 0, at width, width, midpoint,
                                ///< power
  ctReal* flex_friction;        ///< [nflex x 3] sliding, spinning (m), rolling (m)
  ctReal* flex_margin;          ///< [nflex] thickness added to the surface for contacts, m
  ctReal* flex_gap;             ///< [nflex] distance beyond the margin at which contacts are found that exert
                                ///< no force, m
  int* flex_selfcollide;        ///< [nflex] contacts with itself: 0 none, 1 all pairs, 2 tree of boxes, 3
                                ///< sweep and prune, 4 automatic
  int* flex_activelayers;       ///< [nflex] layers of tetrahedra below the surface that collide with the
                                ///< deformable itself
  int* flex_passive;            ///< [nflex] contacts act as forces, without constraint rows: 0 or 1
  int* flex_dim;                ///< [nflex] 1 lines, 2 triangles, 3 tetrahedra
  int* flex_matid;              ///< [nflexelem] material of each element; -1: none
  int* flex_group;              ///< [nflex] group for display
  int* flex_interp;             ///< [nflex] 0: vertices move by themselves; 1, 2: interpolated from a cage of
                                ///< that order; negative: cage of a shell
  int* flex_cellnum;            ///< [nflex x 3] cells of the cage along its axes
  int* flex_nodeadr;            ///< [nflex] first node; -1: none
  int* flex_nodenum;            ///< [nflex] number of nodes
  int* flex_vertadr;            ///< [nflex] first vertex
  int* flex_vertnum;            ///< [nflex] number of vertices
  int* flex_edgeadr;            ///< [nflex] first edge
  int* flex_edgenum;            ///< [nflex] number of edges
  int* flex_elemadr;            ///< [nflex] first element
  int* flex_elemnum;            ///< [nflex] number of elements
  int* flex_elemdataadr;        ///< [nflex] first vertex id in flex_elem
  int* flex_stiffnessadr;       ///< [nflex] first number in flex_stiffness; -1: none
  int* flex_elemedgeadr;        ///< [nflex] first edge id in flex_elemedge
  int* flex_bendingadr;         ///< [nflex] first number in flex_bending; -1: none
  int* flex_plasticadr;         ///< [nflex] first number in plastic; -1: elastic
  int* flex_plasticmode;        ///< [nflex] what yields, bits: 1 bending, 2 stretching
  int* flex_shellnum;           ///< [nflex] number of surface pieces
  int* flex_shelldataadr;       ///< [nflex] first vertex id in flex_shell; -1: none
  int* flex_texcoordadr;        ///< [nflex] first row of flex_texcoord; -1: none
  int* flex_nodebodyid;         ///< [nflexnode] body of each node
  int* flex_vertbodyid;         ///< [nflexvert] body of each vertex; -1: interpolated
  int* flex_vertcell;           ///< [nflexvert] cell of the cage each vertex lies in; -1: none
  int* flex_edge;               ///< [nflexedge x 2] vertices of each edge, counted in its deformable
  int* flex_edgeflap;           ///< [nflexedge x 2] vertices across the two triangles at an edge, dim 2 with
                                ///< bending; -1: none
  int* flex_elem;               ///< [nflexelemdata] vertices of each element, dim + 1 each, counted in its
                                ///< deformable
  int* flex_elemtexcoord;       ///< [nflexelemdata] texture coordinates of each element, dim + 1 each
  int* flex_elemedge;           ///< [nflexelemedge] edges of each element, counted in its deformable
  int* flex_elemlayer;          ///< [nflexelem] distance of an element from the surface, in elements; 0 on it
                                ///< and for dim below 3
  int* flex_shell;              ///< [nflexshelldata] vertices of each surface piece, dim each
  ctReal* flex_vert;            ///< [nflexvert x 3] vertex in the frame of its body, m
  ctReal* flex_vert0;           ///< [nflexvert x 3] vertex in qpos0, as parts of the bounding box along its
                                ///< axes
  ctReal* flex_node;            ///< [nflexnode x 3] node in the frame of its body, m
  ctReal* flex_node0;           ///< [nflexnode x 3] node in qpos0, in the axes of the cage, m
  ctReal* flexedge_length0;     ///< [nflexedge] length of an edge in qpos0, m
  ctReal* flexedge_invweight0;  ///< [nflexedge] inverse weight of an edge in qpos0, 1/kg
  ctReal* flex_radius;          ///< [nflex] radius around the elements, m
  ctReal* flex_size;            ///< [nflex x 3] half sizes of the box around the vertices in qpos0, m
  ctReal* flex_stiffness;       ///< [nflexstiffness] stiffness of each element, upper triangles over its
                                ///< edges
  ctReal* flex_bending;         ///< [nflexbending] bending stiffness of each edge

  // factor of the effective metric that deformables keep constant: empty
  int* efm0_dofid;     ///< [nefm0dof] constant metric factor: dof of each row
  int* efm0_L_rownnz;  ///< [nefm0dof] constant metric factor: stored elements of each row
  int* efm0_L_rowadr;  ///< [nefm0dof] constant metric factor: address of each row
  int* efm0_L_colind;  ///< [nefm0L] constant metric factor: columns
  ctReal* efm0_L;      ///< [nefm0L] constant metric factor: factor of M plus the implicit bending stiffness
  int* efmC_perm;      ///< [nefmCvert] order of the vertices in the sparse factor: their first dof, or -1

  // deformables, continued: empty
  ctReal* flex_damping;        ///< [nflex] Rayleigh damping, s
  ctReal* flex_yield;          ///< [nflex x 2] strain at which stretching and bending yield; 0: never
  ctReal* flex_edgestiffness;  ///< [nflex] stiffness of edges, N/m
  ctReal* flex_edgedamping;    ///< [nflex] damping of edges, N s/m
  int* flex_edgeequality;      ///< [nflex] what equality constraints hold: 0 nothing, 1 edges, 3 strain
  ctBool* flex_rigid;          ///< [nflex] all vertices are on one body
  ctBool* flexedge_rigid;      ///< [nflexedge] both ends are on one body
  ctBool* flex_centered;       ///< [nflex] all vertices are at the origins of their bodies
  ctBool* flex_flatskin;       ///< [nflex] drawn with flat shading
  int* flex_bvhadr;            ///< [nflex] root of its tree of bounding boxes; -1: none
  int* flex_bvhnum;            ///< [nflex] number of bounding boxes
  int* flexedge_J_rownnz;      ///< [nflexedge] stored elements of each row of flexedge_J
  int* flexedge_J_rowadr;      ///< [nflexedge] address of each row
  int* flexedge_J_colind;      ///< [nJfe] dofs of the stored elements
  float* flex_rgba;            ///< [nflex x 4] colour without a material
  float* flex_texcoord;        ///< [nflextexcoord x 2] texture coordinates

  // meshes
  int* mesh_vertadr;        ///< [nmesh] first vertex
  int* mesh_vertnum;        ///< [nmesh] number of vertices
  int* mesh_faceadr;        ///< [nmesh] first triangle
  int* mesh_facenum;        ///< [nmesh] number of triangles
  int* mesh_bvhadr;         ///< [nmesh] root of its tree of bounding boxes
  int* mesh_bvhnum;         ///< [nmesh] number of bounding boxes
  int* mesh_octadr;         ///< [nmesh] root of its octree; -1: none
  int* mesh_octnum;         ///< [nmesh] number of octree cells
  int* mesh_normaladr;      ///< [nmesh] first normal
  int* mesh_normalnum;      ///< [nmesh] number of normals
  int* mesh_texcoordadr;    ///< [nmesh] first texture coordinate; -1: none
  int* mesh_texcoordnum;    ///< [nmesh] number of texture coordinates
  int* mesh_graphadr;       ///< [nmesh] first number in mesh_graph; -1: no convex hull
  int* mesh_extrema;        ///< [nmesh x 27] hull vertices farthest in the 27 directions of a 3 x 3 x 3 grid,
                            ///< where searches start
  float* mesh_vert;         ///< [nmeshvert x 3] vertices, about the centre of mass and along the principal
                            ///< axes, m
  float* mesh_normal;       ///< [nmeshnormal x 3] normals, unit length
  float* mesh_texcoord;     ///< [nmeshtexcoord x 2] texture coordinates
  int* mesh_face;           ///< [nmeshface x 3] vertices of each triangle, counted in its mesh
  int* mesh_facenormal;     ///< [nmeshface x 3] normals of each triangle, counted in its mesh
  int* mesh_facetexcoord;   ///< [nmeshface x 3] texture coordinates of each triangle, counted in its mesh
  int* mesh_graph;          ///< [nmeshgraph] convex hull: numbers of vertices and triangles, addresses of
                            ///< edge lists, vertex ids, edge lists (each ends with -1), triangles
  ctReal* mesh_scale;       ///< [nmesh x 3] factors that were applied to the vertices of the file
  ctReal* mesh_pos;         ///< [nmesh x 3] position of the mesh frame in the coordinates of the file, m
  ctReal* mesh_quat;        ///< [nmesh x 4] orientation of the mesh frame in the coordinates of the file
  int* mesh_pathadr;        ///< [nmesh] path of the file in paths; -1: none
  int* mesh_polynum;        ///< [nmesh] number of hull polygons
  int* mesh_polyadr;        ///< [nmesh] first hull polygon
  ctReal* mesh_polynormal;  ///< [nmeshpoly x 3] normal of each polygon, unit length
  int* mesh_polyvertadr;    ///< [nmeshpoly] first vertex id of each polygon in mesh_polyvert
  int* mesh_polyvertnum;    ///< [nmeshpoly] number of its vertices
  int* mesh_polyvert;       ///< [nmeshpolyvert] vertices of the polygons, counted in their mesh
  int* mesh_polymapadr;     ///< [nmeshvert] first polygon id of each vertex in mesh_polymap
  int* mesh_polymapnum;     ///< [nmeshvert] number of its polygons
  int* mesh_polymap;        ///< [nmeshpolymap] polygons at the vertices, counted in their mesh

  // skins, for drawing
  int* skin_matid;             ///< [nskin] material; -1: none
  int* skin_group;             ///< [nskin] group for display
  float* skin_rgba;            ///< [nskin x 4] colour without a material
  float* skin_inflate;         ///< [nskin] distance the skin is moved along its normals, m
  int* skin_vertadr;           ///< [nskin] first vertex
  int* skin_vertnum;           ///< [nskin] number of vertices
  int* skin_texcoordadr;       ///< [nskin] first texture coordinate; -1: none
  int* skin_faceadr;           ///< [nskin] first triangle
  int* skin_facenum;           ///< [nskin] number of triangles
  int* skin_boneadr;           ///< [nskin] first bone
  int* skin_bonenum;           ///< [nskin] number of bones
  float* skin_vert;            ///< [nskinvert x 3] vertices in the bind pose, world axes, m
  float* skin_texcoord;        ///< [nskintexvert x 2] texture coordinates of the vertices
  int* skin_face;              ///< [nskinface x 3] vertices of each triangle, counted in its skin
  int* skin_bonevertadr;       ///< [nskinbone] first row of each bone in skin_bonevertid
  int* skin_bonevertnum;       ///< [nskinbone] number of vertices it moves
  float* skin_bonebindpos;     ///< [nskinbone x 3] position of its body in the bind pose, m
  float* skin_bonebindquat;    ///< [nskinbone x 4] orientation of its body in the bind pose
  int* skin_bonebodyid;        ///< [nskinbone] body that moves the bone
  int* skin_bonevertid;        ///< [nskinbonevert] vertex, counted in its skin
  float* skin_bonevertweight;  ///< [nskinbonevert] weight of the bone at that vertex; those of a vertex add
                               ///< to 1
  int* skin_pathadr;           ///< [nskin] path of the file in paths; -1: none

  // height fields
  ctReal* hfield_size;  ///< [nhfield x 4] half size along x and y, height of sample 1, depth of the base
                        ///< below 0; m
  int* hfield_nrow;     ///< [nhfield] samples along y
  int* hfield_ncol;     ///< [nhfield] samples along x
  int* hfield_adr;      ///< [nhfield] first sample in hfield_data
  float* hfield_data;   ///< [nhfielddata] heights, 0 to 1, row by row
  int* hfield_pathadr;  ///< [nhfield] path of the file in paths; -1: none

  // textures
  int* tex_type;            ///< [ntex] type of texture (ctTextureType)
  int* tex_colorspace;      ///< [ntex] encoding of colours (ctColorSpace)
  int* tex_height;          ///< [ntex] rows, pixels; the six sides of a cube stand below each other, unless
                            ///< one serves for all
  int* tex_width;           ///< [ntex] columns, pixels
  int* tex_nchannel;        ///< [ntex] bytes of a pixel
  ctSize* tex_adr;          ///< [ntex] first byte in tex_data
  ctByte* tex_data;         ///< [ntexdata] pixels, row by row
  int* tex_pathadr;         ///< [ntex] path of the file in paths; -1: none
  int* tex_contenttypeadr;  ///< [ntex] content type in paths; -1: none

  // materials
  int* mat_texid;          ///< [nmat x CT_TEXROLE_COUNT] texture for each role (ctTextureRole); -1: none
  ctBool* mat_texuniform;  ///< [nmat] a cube texture keeps its scale whatever the size of the object
  float* mat_texrepeat;    ///< [nmat x 2] repetitions of a 2d texture
  float* mat_emission;     ///< [nmat] part of the colour that is emitted
  float* mat_specular;     ///< [nmat] strength of highlights, 0 to 1
  float* mat_shininess;    ///< [nmat] sharpness of highlights, 0 to 1
  float* mat_reflectance;  ///< [nmat] strength of mirror images, 0: none
  float* mat_metallic;     ///< [nmat] how metallic, 0 to 1; negative: not given
  float* mat_roughness;    ///< [nmat] how rough, 0 to 1; negative: not given
  float* mat_rgba;         ///< [nmat x 4] colour

  // contact pairs, which collide whatever the other rules say
  int* pair_dim;                ///< [npair] rows of its contacts: 1, 3, 4 or 6
  int* pair_geom1;              ///< [npair] first geom
  int* pair_geom2;              ///< [npair] second geom
  int* pair_signature;          ///< [npair] bodies of the geoms, 65536 * smaller id + larger id; pairs are
                                ///< sorted by it
  ctReal* pair_solref;          ///< [npair x CT_NREF] reference of contacts, normal direction: time constant
                                ///< (s) and damping ratio, or both negative: -stiffness, -damping
  ctReal* pair_solreffriction;  ///< [npair x CT_NREF] reference of contacts, friction directions: time
                                ///< constant (s) and damping ratio, or both negative: -stiffness, -damping; 0
                                ///< 0: as pair_solref
  ctReal* pair_solimp;          ///< [npair x CT_NIMP] impedance of contacts: at 0, at width, width, midpoint,
                                ///< power
  ctReal* pair_margin;          ///< [npair] distance below which contacts exert a force, m
  ctReal* pair_gap;             ///< [npair] distance beyond the margin at which contacts are found that exert
                                ///< no force, m
  ctReal* pair_adhesion;        ///< [npair] adhesive force, N
  ctReal* pair_friction;        ///< [npair x 5] sliding x 2, spinning (m), rolling x 2 (m)

  // pairs of bodies that do not collide
  int* exclude_signature;  ///< [nexclude] bodies that do not collide, as in pair_signature

  // equality constraints
  int* eq_type;        ///< [neq] type of constraint (ctEqType)
  int* eq_obj1id;      ///< [neq] first object: body, site, joint, tendon or geom, by type
  int* eq_obj2id;      ///< [neq] second object; -1: none
  int* eq_objtype;     ///< [neq] what the ids count (ctObjType): bodies or sites; CT_OBJ_UNKNOWN where the
                       ///< type says it
  ctBool* eq_active0;  ///< [neq] active after a reset
  ctReal* eq_solref;   ///< [neq x CT_NREF] reference of its rows: time constant (s) and damping ratio, or
                       ///< both negative: -stiffness, -damping
  ctReal* eq_solimp;   ///< [neq x CT_NIMP] impedance of its rows: at 0, at width, width, midpoint, power
  ctReal* eq_data;     ///< [neq x CT_NEQDATA] connect: anchor in body 1, in body 2; weld: anchor in body 2,
                       ///< in body 1, orientation of body 2 in body 1, at 10 the torque scale; joint and
                       ///< tendon: polynomial coefficients

  // tendons
  int* tendon_type;              ///< [ntendon] type of tendon (ctTendonType)
  int* tendon_adr;               ///< [ntendon] first station in wrap_*
  int* tendon_num;               ///< [ntendon] number of stations
  int* tendon_matid;             ///< [ntendon] material; -1: none
  int* tendon_actuatorid;        ///< [ntendon] actuator that adds damping or armature; -1: none, -2: several
  int* tendon_group;             ///< [ntendon] group for display
  int* tendon_plasticadr;        ///< [ntendon] first number in plastic; -1: the spring does not yield
  int* tendon_treenum;           ///< [ntendon] number of kinematic trees it touches
  int* tendon_treeid;            ///< [ntendon x 2] first two of them; -1: none
  int* ten_J_rownnz;             ///< [ntendon] stored elements of each row of ten_J
  int* ten_J_rowadr;             ///< [ntendon] address of each row
  int* ten_J_colind;             ///< [nJten] dofs of the stored elements
  ctBool* tendon_limited;        ///< [ntendon] has limits
  ctBool* tendon_actfrclimited;  ///< [ntendon] the total force of actuators is limited
  ctReal* tendon_width;          ///< [ntendon] width for drawing, m
  ctReal* tendon_solref_lim;     ///< [ntendon x CT_NREF] reference of the limit: time constant (s) and
                                 ///< damping ratio, or both negative: -stiffness, -damping
  ctReal* tendon_solimp_lim;     ///< [ntendon x CT_NIMP] impedance of the limit: at 0, at width, width,
                                 ///< midpoint, power
  ctReal* tendon_solref_fri;     ///< [ntendon x CT_NREF] reference of the dry friction: time constant (s) and
                                 ///< damping ratio, or both negative: -stiffness, -damping
  ctReal* tendon_solimp_fri;     ///< [ntendon x CT_NIMP] impedance of the dry friction: at 0, at width,
                                 ///< width, midpoint, power
  ctReal* tendon_range;          ///< [ntendon x 2] lower and upper limit, m
  ctReal* tendon_actfrcrange;    ///< [ntendon x 2] least and largest total force of actuators, N
  ctReal* tendon_margin;         ///< [ntendon] distance from a limit at which its row appears, m
  ctReal* tendon_stiffness;      ///< [ntendon] spring stiffness, N/m
  ctReal* tendon_stiffnesspoly;  ///< [ntendon x CT_NPOLY] coefficients of the stiffness at higher powers of
                                 ///< the displacement
  ctReal* tendon_damping;        ///< [ntendon] damping, N s/m
  ctReal* tendon_dampingpoly;    ///< [ntendon x CT_NPOLY] coefficients of the damping at higher powers of the
                                 ///< velocity
  ctReal* tendon_armature;       ///< [ntendon] inertia that moves with the length, kg
  ctReal* tendon_frictionloss;   ///< [ntendon] dry friction, N; 0: none
  ctReal* tendon_lengthspring;   ///< [ntendon x 2] lengths between which the spring is at rest, m
  ctReal* tendon_springyield;    ///< [ntendon] elastic displacement at which the spring yields; 0: never
  ctReal* tendon_length0;        ///< [ntendon] length in qpos0, m
  ctReal* tendon_invweight0;     ///< [ntendon] inverse weight in qpos0, 1/kg
  ctReal* tendon_user;           ///< [ntendon x nuser_tendon] the user's own numbers
  float* tendon_rgba;            ///< [ntendon x 4] colour without a material

  // tendon paths: their stations
  int* wrap_type;    ///< [nwrap] type of station (ctWrapType)
  int* wrap_objid;   ///< [nwrap] joint, site or geom, by type; -1 for a pulley
  ctReal* wrap_prm;  ///< [nwrap] joint: coefficient; pulley: divisor; sphere and cylinder: side site, or -1

  // actuators
  int* actuator_trntype;          ///< [nactuator] what it acts on (ctTrnType)
  int* actuator_dyntype;          ///< [nactuator] how its activation evolves (ctDynType)
  int* actuator_gaintype;         ///< [nactuator] how the gain is computed (ctGainType)
  int* actuator_biastype;         ///< [nactuator] how the bias is computed (ctBiasType)
  int* actuator_ctrladr;          ///< [nactuator] first control in ctrl
  int* actuator_ctrlnum;          ///< [nactuator] number of controls
  int* actuator_ctrlspec;         ///< [nactuator] what the controls mean, bits in their order: 1 position, 2
                                  ///< velocity, 4 feedforward, 8 voltage, 16 none, 32 pressure; gain so3: 1
                                  ///< exponential map, 2 quaternion
  int* actuator_outadr;           ///< [nactuator] first force output
  int* actuator_outnum;           ///< [nactuator] number of force outputs: 3 for so3, else 1
  int* actuator_actadr;           ///< [nactuator] first activation in act; -1: none
  int* actuator_actnum;           ///< [nactuator] number of activations
  int* actuator_trnid;            ///< [nactuator x 2] target: joint, tendon, site or body by transmission;
                                  ///< reference or slider site; -1: none
  ctReal* actuator_cranklength;   ///< [nactuator] length of the rod of a slider-crank, m
  ctReal* actuator_dynprm;        ///< [nactuator x CT_NDYN] parameters of the activation dynamics, by type
  ctReal* actuator_gainprm;       ///< [nactuator x CT_NGAIN] parameters of the gain, by type
  ctReal* actuator_biasprm;       ///< [nactuator x CT_NBIAS] parameters of the bias, by type
  ctBool* actuator_actlimited;    ///< [nactuator] activations are limited
  ctReal* actuator_actrange;      ///< [nactuator x 2] least and largest activation
  ctBool* actuator_actearly;      ///< [nactuator] the force uses the activation at the end of the step
  int* actuator_history;          ///< [nactuator x 2] samples kept of its controls (0: none); interpolation:
                                  ///< 0 holds, 1 linear, 2 cubic
  int* actuator_historyadr;       ///< [nactuator] first number in history; -1: none
  ctReal* actuator_delay;         ///< [nactuator] delay of its controls, s; 0: none
  ctReal* actuator_damping;       ///< [nactuator] damping added to its target
  ctReal* actuator_dampingpoly;   ///< [nactuator x CT_NPOLY] coefficients of the damping at higher powers of
                                  ///< the velocity
  ctReal* actuator_armature;      ///< [nactuator] armature added to its target
  int* actuator_group;            ///< [nactuator] group for display and for opt.disableactuator
  ctReal* actuator_user;          ///< [nactuator x nuser_actuator] the user's own numbers
  int* actuator_plugin;           ///< [nactuator] plugin instance; -1: none
  ctBool* actuator_forcelimited;  ///< [nactuator] the force is limited
  ctReal* actuator_forcerange;    ///< [nactuator x 2] least and largest force
  ctBool* actuator_ctrllimited;   ///< [nu] the control is limited
  ctReal* actuator_ctrlrange;     ///< [nu x 2] least and largest control
  ctReal* actuator_gear;          ///< [nout x 6] factors from the transmission to its length and force: joint
                                  ///< and tendon the first, ball and free joints and sites all
  ctReal* actuator_acc0;          ///< [nout] acceleration that a unit force causes in qpos0: norm over dofs
  ctReal* actuator_length0;       ///< [nout] length in qpos0
  ctReal* actuator_lengthrange;   ///< [nout x 2] least and largest length that occurs; muscles scale by it

  // sensors
  int* sensor_type;         ///< [nsensor] what it measures (ctSensorType)
  int* sensor_datatype;     ///< [nsensor] kind of its numbers (ctDataType)
  int* sensor_needstage;    ///< [nsensor] stage that computes it (ctStage)
  int* sensor_objtype;      ///< [nsensor] type of the object it is attached to (ctObjType)
  int* sensor_objid;        ///< [nsensor] that object; -1: none
  int* sensor_reftype;      ///< [nsensor] type of the reference frame (ctObjType)
  int* sensor_refid;        ///< [nsensor] reference frame; -1: the world
  int* sensor_intprm;       ///< [nsensor x CT_NSENS] whole-number parameters, by type: fields, reduction and
                            ///< slots of contact sensors, fields of rangefinders
  int* sensor_dim;          ///< [nsensor] how many numbers it gives
  int* sensor_adr;          ///< [nsensor] first of them in sensordata
  ctReal* sensor_cutoff;    ///< [nsensor] limit on the absolute value of real and positive numbers; 0: none
  ctReal* sensor_noise;     ///< [nsensor] standard deviation of its noise, added by ct_data_set_noise()
  int* sensor_history;      ///< [nsensor x 2] samples kept (0: none); interpolation: 0 holds, 1 linear, 2
                            ///< cubic
  int* sensor_historyadr;   ///< [nsensor] first number in history; -1: none
  ctReal* sensor_delay;     ///< [nsensor] delay, s; 0: none
  ctReal* sensor_interval;  ///< [nsensor x 2] period and phase of its measurements, s; period 0: every step
  ctReal* sensor_user;      ///< [nsensor x nuser_sensor] the user's own numbers
  int* sensor_plugin;       ///< [nsensor] plugin instance; -1: none

  // plugins
  int* plugin;           ///< [nplugin] number of the plugin: built-in ones first, then those of the load
                         ///< options
  int* plugin_stateadr;  ///< [nplugin] first number in plugin_state
  int* plugin_statenum;  ///< [nplugin] number of its state variables
  char* plugin_attr;     ///< [npluginattr] attributes, each with its terminating zero
  int* plugin_attradr;   ///< [nplugin] first byte in plugin_attr
  ctReal* plugin_prm;    ///< [nplugin x CT_NPLUGINPRM] numbers of each instance, from its attributes
  char* plugin_kind;     ///< [nplugin x CT_NPLUGINNAME] name of the plugin of each instance

  // custom numbers
  int* numeric_adr;      ///< [nnumeric] first number in numeric_data
  int* numeric_size;     ///< [nnumeric] how many numbers
  ctReal* numeric_data;  ///< [nnumericdata] the numbers

  // custom text
  int* text_adr;    ///< [ntext] first byte in text_data
  int* text_size;   ///< [ntext] bytes, the terminating zero included
  char* text_data;  ///< [ntextdata] the texts

  // custom tuples
  int* tuple_adr;        ///< [ntuple] first object in tuple_obj*
  int* tuple_size;       ///< [ntuple] number of objects
  int* tuple_objtype;    ///< [ntupledata] type of each object (ctObjType)
  int* tuple_objid;      ///< [ntupledata] id of each object
  ctReal* tuple_objprm;  ///< [ntupledata] number that goes with each object

  // keyframes, for ct_data_reset_keyframe()
  ctReal* key_time;     ///< [nkey] time of each keyframe, s
  ctReal* key_qpos;     ///< [nkey x nq] qpos of each keyframe
  ctReal* key_qvel;     ///< [nkey x nv] qvel of each keyframe
  ctReal* key_act;      ///< [nkey x na] act of each keyframe
  ctReal* key_mpos;     ///< [nkey x nmocap * 3] mocap_pos of each keyframe
  ctReal* key_mquat;    ///< [nkey x nmocap * 4] mocap_quat of each keyframe
  ctReal* key_ctrl;     ///< [nkey x nu] ctrl of each keyframe
  ctReal* key_plastic;  ///< [nkey x nplastic] plastic of each keyframe

  // names and paths
  int* name_bodyadr;      ///< [nbody] first byte in names of the name of each body
  int* name_jntadr;       ///< [njnt] first byte in names of the name of each joint
  int* name_geomadr;      ///< [ngeom] first byte in names of the name of each geom
  int* name_siteadr;      ///< [nsite] first byte in names of the name of each site
  int* name_camadr;       ///< [ncam] first byte in names of the name of each camera
  int* name_lightadr;     ///< [nlight] first byte in names of the name of each light
  int* name_flexadr;      ///< [nflex] first byte in names of the name of each deformable
  int* name_meshadr;      ///< [nmesh] first byte in names of the name of each mesh
  int* name_skinadr;      ///< [nskin] first byte in names of the name of each skin
  int* name_hfieldadr;    ///< [nhfield] first byte in names of the name of each height field
  int* name_texadr;       ///< [ntex] first byte in names of the name of each texture
  int* name_matadr;       ///< [nmat] first byte in names of the name of each material
  int* name_pairadr;      ///< [npair] first byte in names of the name of each contact pair
  int* name_excludeadr;   ///< [nexclude] first byte in names of the name of each excluded pair
  int* name_eqadr;        ///< [neq] first byte in names of the name of each equality constraint
  int* name_tendonadr;    ///< [ntendon] first byte in names of the name of each tendon
  int* name_actuatoradr;  ///< [nactuator] first byte in names of the name of each actuator
  int* name_sensoradr;    ///< [nsensor] first byte in names of the name of each sensor
  int* name_numericadr;   ///< [nnumeric] first byte in names of the name of each custom list of numbers
  int* name_textadr;      ///< [ntext] first byte in names of the name of each custom text
  int* name_tupleadr;     ///< [ntuple] first byte in names of the name of each custom tuple
  int* name_keyadr;       ///< [nkey] first byte in names of the name of each keyframe
  int* name_pluginadr;    ///< [nplugin] first byte in names of the name of each plugin instance
  char* names;            ///< [nnames] the names, each with its terminating zero; the first is the model's
  int* names_map;         ///< [nnames_map] hash table behind ct_model_name2id(); -1: empty slot
  char* paths;            ///< [npaths] file paths, each with its terminating zero

  // sparsity patterns of matrices: rows are compressed, one after the other
  int* B_rownnz;  ///< [nbody] dofs of each body: those that move it, and those of the bodies below
  int* B_rowadr;  ///< [nbody] address of each row
  int* B_colind;  ///< [nB] dofs, ascending
  int* M_rownnz;  ///< [nv] stored elements of each row of M: the dofs towards the world, then the diagonal
  int* M_rowadr;  ///< [nv] address of each row
  int* M_colind;  ///< [nC] columns, ascending
  int* mapM2M;    ///< [nC] where each element of M is in MuJoCo's older layout
  int* D_rownnz;  ///< [nv] stored elements of each row of D: dofs towards the world, itself, dofs below
  int* D_rowadr;  ///< [nv] address of each row
  int* D_diag;    ///< [nv] position of the diagonal element in its row
  int* D_colind;  ///< [nD] columns, ascending
  int* mapM2D;    ///< [nD] where each element of D is in M; -1: not stored there
  int* mapD2M;    ///< [nC] where each element of M is in D
  // clang-format on
  // end of members

  // Corten's own
  ctCallbacks user;  ///< functions of the program around the engine, none at first
  /// Those of the load options: m->plugin counts them behind the built-in ones
  const struct ctPlugin* const* plugins;
  int nplugins;           ///< how many there are
  uint64_t signature;     ///< of the source the model was compiled from
  ctAllocator allocator;  ///< what the model, and every data made from it, was allocated with
  uint64_t sizes_id;      ///< stands for the lengths of the arrays of its data
  uint64_t updates;       ///< how often ct_model_update() was called
  size_t max_arena;       ///< bytes the arena of a new data may grow to, 0: CT_ARENA_LIMIT
} ctModel;

/// How URDF files (`<robot>`) are read; zero-initialised, nothing that has a counterpart is lost.
typedef struct ctUrdfOptions {
  /// Read the file as MuJoCo does: static links are fused, visual elements discarded, several roots and
  /// reversed limits taken; `<mujoco><compiler .../></mujoco>` in the file may say otherwise
  bool mujoco;
  bool floating_base;  ///< the root gets a free joint, called like the link with `_free_joint` behind it
  bool actuators;      ///< transmissions become motors, with the reduction as gear
  /// Folders in which packages (`package://name/...`) are looked for, separated as in PATH, before those of
  /// ROS_PACKAGE_PATH and AMENT_PREFIX_PATH and the folders above the file. NULL: none
  const char* package_path;
  bool balance_inertia;  ///< moments of inertia that no body has become their mean
  double bound_mass;     ///< least mass of a link, 0: none
  double bound_inertia;  ///< least moment of inertia of a link, 0: none
  double total_mass;     ///< of the robot: masses are scaled to it; 0: as they are
  /// Refuse moments of inertia that no body has, and links that move and have no mass or inertia. Without it
  /// they are adjusted, with a remark
  bool strict_inertia;
} ctUrdfOptions;

/// How to load a model. Zero-initialise it; a NULL pointer to options means all zero.
typedef struct ctLoadOptions {
  const ctAllocator* allocator;  ///< NULL: the C library's heap. Copied into the model
  const ctVfs* vfs;              ///< NULL: disk only. Files looked up here first; only read
  const ctLog* log;              ///< NULL: remarks are dropped
  size_t max_file_size;          ///< bytes of one input file, 0: 1 GiB
  int max_depth;                 ///< nesting of elements, 0: 1,000
  /// Bytes that loading may take: elements, what compiling needs besides, the model and the arrays of a data
  /// of it. 0: 256 MiB, and 512 for each byte of the files that are read, so that a small file cannot ask for
  /// a large model; SIZE_MAX: no limit. A model that asks for more is CT_ERR_LIMIT. Hulls of generated meshes
  /// are limited in proportion: 80,000 vertices in all by default, fewer on circles
  size_t max_memory;
  /// Elements a spec may have, with those that `replicate` and `attach` make; 0: 1,000,000. More are
  /// CT_ERR_LIMIT
  int max_elements;
  /// Plugins (plugin.h) that the model may use besides the built-in ones. Borrowed: the list and what it
  /// leads to must outlive the model and everything made from it. A later one replaces an earlier one of its
  /// name
  const struct ctPlugin* const* plugins;
  int nplugin;  ///< length of the list
  /// Decoders (plugin.h) of mesh files; they come before the readers that are built in. Borrowed, as
  /// `plugins`
  const struct ctDecoder* const* decoders;
  int ndecoder;  ///< length of the list
  /// Bytes that the arena of a data may grow to, 0: 1 GiB. A step that needs more gives CT_STEP_OVERFLOW, see
  /// ct_data_set_arena_limit()
  size_t max_arena;
  const ctUrdfOptions* urdf;  ///< NULL: the defaults. How URDF files are read; only read while loading
} ctLoadOptions;

/// Load a model file; its kind (MJCF, URDF, binary) is recognised by its content.
///
/// @param out   receives the model; release it with ct_model_free(). NULL on failure
/// @param path  file name, looked up in opt->vfs and then on disk; not NULL
/// @param opt   may be NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_NOT_FOUND, CT_ERR_IO, CT_ERR_SYNTAX, CT_ERR_INVALID,
///         CT_ERR_UNSUPPORTED, CT_ERR_LIMIT or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_model_load(ctModel** out, const char* path, const ctLoadOptions* opt, ctError* err);

/// The same from text in memory (`len` bytes, no terminator needed). Messages call it "<string>". The binary
/// form is recognised here too.
CT_API ctStatus ct_model_load_string(ctModel** out, const char* text, size_t len, const ctLoadOptions* opt,
                                     ctError* err);

/// The same from the binary form in memory, as ct_model_save_bytes() writes it.
/// @param bytes  not NULL; copied, of any alignment
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_SYNTAX (damaged, cut short, or no binary model at all),
///         CT_ERR_INVALID or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_model_load_bytes(ctModel** out, const void* bytes, size_t size, const ctLoadOptions* opt,
                                    ctError* err);

/// Release a model. NULL is allowed. Every data made from it must have been freed before.
CT_API void ct_model_free(ctModel* m);

/// Copy a model with the same allocator.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
/// @note Thread-safe while nobody writes to `m`.
CT_API ctStatus ct_model_copy(ctModel** out, const ctModel* m, ctError* err);

/// Whether every index and count of a model leads to something that is there, as in a model that was just
/// loaded: to be called after whole numbers of it were edited, for the steps trust them.
/// @return CT_OK, CT_ERR_ARGUMENT, or CT_ERR_INVALID with the first field that is wrong in the message
/// @note Thread-safe while nobody writes to `m`.
CT_API ctStatus ct_model_check(const ctModel* m, ctError* err);

/// Compute again what follows from other numbers of a model, after some were changed.
///
/// The rule: a number written to a model is used from the next call on, and changes nothing else in the
/// model. What the compiler had worked out from it stays until this call is made. It follows then, as with
/// mj_setConst of MuJoCo 4.0: which frames coincide (`body_sameframe`, `geom_sameframe`, `site_sameframe`:
/// what is moved out of the frame of its body, or into it, is seen there from now on), bounds, masks and
/// margins of bodies, boxes and radii of geoms, coefficients in fluids, whether there is adhesion or gravity
/// compensation, masses of subtrees, `dof_M0`, `dof_length`, inverse weights, lengths and strengths at the
/// reference configuration, places of cameras and lights there, anchors of equalities and the poses of welds
/// that were given none. Damping ratios, spring lengths and statistics keep the numbers they were given at
/// compilation, meshes their boxes. Sizes, ids, addresses and names cannot be changed: that takes a spec
/// (spec.h).
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_INVALID (a tree that may not sleep is set to; the
///         inertial frame of a body that was compiled as simple is no longer the frame of the body)
/// @note Nobody else may use the model meanwhile.
CT_API ctStatus ct_model_update(ctModel* m, ctError* err);

/// Id of the object of a type with a name, -1 when there is none. Thread-safe.
CT_API int ct_model_name2id(const ctModel* m, ctObjType type, const char* name);

/// Name of an object, NULL when the id is out of range or the object has no name. The text belongs to
/// the model. Thread-safe.
CT_API const char* ct_model_id2name(const ctModel* m, ctObjType type, int id);

/// Number of objects of a type, 0 for types that are not stored in a model. Thread-safe.
CT_API int ct_model_count(const ctModel* m, ctObjType type);

/// Find a size, scalar or array of the model by name ("nq", "body_mass", "opt.timestep", "stat.center",
/// "vis.map.znear").
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_NOT_FOUND
/// @note Thread-safe.
CT_API ctStatus ct_model_field(const ctModel* m, const char* name, ctField* out);

/// Number of fields ct_model_field() knows. Thread-safe.
CT_API int ct_model_field_count(void);

/// Name of the i-th field; NULL out of range. Static. Thread-safe.
CT_API const char* ct_model_field_name(int i);

/// Type, shape and description of the i-th field; NULL out of range. Static. Thread-safe.
CT_API const ctFieldInfo* ct_model_field_info(int i);

/// First field in which two models differ, NULL when they are bitwise equal (padding and signature
/// aside). "" when one of them is NULL. Thread-safe.
CT_API const char* ct_model_compare(const ctModel* a, const ctModel* b);

/// Write a model in binary form, which ct_model_load_bytes() reads back. Returns the bytes it takes; `buffer`
/// is written only when `size` is at least that. `buffer` may be NULL; 0 when `m` is NULL. Thread-safe.
CT_API size_t ct_model_save_bytes(const ctModel* m, void* buffer, size_t size);

/// Write a model as MuJoCo 4.0's own binary form (.mjb), for interchange with it; ct_model_load() and
/// ct_model_load_bytes() read that form too. Reals are written as doubles. Otherwise as
/// ct_model_save_bytes().
CT_API size_t ct_model_save_mjb_bytes(const ctModel* m, void* buffer, size_t size);

/// The same to a file, usually called *.ctb, which ct_model_load() reads back.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL), CT_ERR_MEMORY or CT_ERR_IO
/// @note Thread-safe while nobody writes to `m`.
CT_API ctStatus ct_model_save(const ctModel* m, const char* path, ctError* err);

/// Everything in a model as readable text: names, then field by field. Returns the length the whole text has,
/// as snprintf does; writes at most `size` bytes with a zero at the end. `buffer` may be NULL when `size` is
/// 0. Thread-safe.
CT_API size_t ct_model_print(const ctModel* m, char* buffer, size_t size);

/// Bytes of the model's block. Thread-safe.
CT_API size_t ct_model_bytes(const ctModel* m);

#ifdef __cplusplus
}
#endif
