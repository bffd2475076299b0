/// @file
/// The state of one simulation and everything computed from it.
#pragma once

#include "corten/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One simulation. Belongs to one thread at a time. Inputs (qpos, qvel, ctrl, ...) may be written between
/// calls, everything else is output. The arrays in the arena (contact, efc_*, ...) are valid until the next
/// call that computes positions. Only ct_data_create() makes one: there is more of it behind this struct.
typedef struct ctData {
  // members of fields/data_sizes.def, by tools/members.py
  // clang-format off
  // contacts and constraint rows
  int ncon;  ///< number of contacts
  int ne;    ///< number of constraint rows of equalities: the first ones
  int nf;    ///< number of constraint rows of dry friction in dofs and tendons: the next ones
  int nl;    ///< number of constraint rows of joint and tendon limits: the next ones, before those of
             ///< contacts
  int nefc;  ///< number of constraint rows of all kinds
  int nJ;    ///< number of stored elements of the constraint Jacobian efc_J: nefc * nv when it is dense

  // effective metric M + K of the discrete integrator: all 0 with others
  int efm_active;  ///< effective metric: 0 off, 1 on, 2 on with a general stiffness matrix
  int nefmK;       ///< number of stored elements of efm_K_val
  int nefmcon;     ///< length of efm_con_ind and efm_con_val
  int nefmT;       ///< number of tendons that contribute to the effective metric
  int nefmA;       ///< number of actuators that contribute to the effective metric
  int nefmdof;     ///< number of vertices the effective metric covers, three dofs each
  int nefmL;       ///< length of efm_L

  // dual problem, islands, trees that are awake
  int nY;             ///< number of stored elements of efc_Y
  int nA;             ///< number of stored elements of efc_AR
  int nisland;        ///< number of islands: sets of trees connected by constraint rows
  int nidof;          ///< number of dofs in islands; the others are touched by no row
  int ntree_awake;    ///< number of trees that are awake: all without the sleep flag
  int nbody_awake;    ///< number of bodies that are awake or static, the length of body_awake_ind in use
  int nparent_awake;  ///< number of bodies whose parent is awake or static, the length of parent_awake_ind in
                      ///< use
  int nv_awake;       ///< number of dofs that are awake, the length of dof_awake_ind in use
  // clang-format on
  // end of members

  // members of fields/data_scalars.def, by tools/members.py
  // clang-format off
  // time and energy
  ctReal time;       ///< simulated time, s
  ctReal energy[2];  ///< potential and kinetic energy, J; computed by ct_energy_compute(), and by every step
                     ///< while the flag energy is set

  // what is current: set by the function that computes it, cleared by the next step
  ctBool flg_energypos;   ///< energy[0] is current
  ctBool flg_energyvel;   ///< energy[1] is current
  ctBool flg_subtreevel;  ///< subtree_linvel and subtree_angmom are current
  ctBool flg_rnepost;     ///< cacc, cfrc_int and cfrc_ext are current

  // report of the solver, for the first CT_NISLAND islands
  int solver_niter[CT_NISLAND];  ///< iterations the solver took
  int solver_nnz[CT_NISLAND];    ///< elements of the matrix the solver worked on: factor (Newton), J (CG) or
                                 ///< AR (PGS)
  ctReal solver_fwdinv[2];       ///< difference between forward and inverse dynamics while the flag fwdinv is
                                 ///< set: constraint force, applied force
  // clang-format on
  // end of members

  // members of fields/data.def, by tools/members.py
  // clang-format off
  // state
  ctReal* qpos;            ///< [nq] configuration: slides m, hinges rad, balls a quaternion w x y z, free
                           ///< joints position and quaternion
  ctReal* qvel;            ///< [nv] velocities of the dofs, m/s or rad/s; rotations of free joints and balls
                           ///< in the body frame
  ctReal* act;             ///< [na] activations of actuators
  ctReal* history;         ///< [nhistory] past controls and measurements of delayed actuators and sensors:
                           ///< ring buffers
  ctReal* plastic;         ///< [nplastic] rest positions of springs that yield
  ctReal* qacc_warmstart;  ///< [nv] accelerations the solver starts from: those of the last step
  ctReal* plugin_state;    ///< [npluginstate] state of plugins

  // inputs
  ctReal* ctrl;          ///< [nu] controls of actuators
  ctReal* qfrc_applied;  ///< [nv] forces on the dofs, N or N m
  ctReal* xfrc_applied;  ///< [nbody x 6] force (N), then torque (N m), on each body at its centre of mass,
                         ///< world axes
  ctBool* eq_active;     ///< [neq] whether each equality constraint is active

  // poses of mocap bodies
  ctReal* mocap_pos;   ///< [nmocap x 3] positions of mocap bodies, world axes, m
  ctReal* mocap_quat;  ///< [nmocap x 4] orientations of mocap bodies, world axes, quaternion w x y z

  // acceleration, activation rate, user and sensor data
  ctReal* qacc;        ///< [nv] accelerations of the dofs: of the forward dynamics, or given to the inverse
                       ///< dynamics
  ctReal* act_dot;     ///< [na] rates of the activations
  ctReal* userdata;    ///< [nuserdata] the user's own numbers; the engine neither reads nor writes them
  ctReal* sensordata;  ///< [nsensordata] measurements of the sensors, at sensor_adr

  // sleep and plugin state
  int* tree_asleep;        ///< [ntree] negative: awake, counting up from -11 to -1, when it may sleep; else
                           ///< asleep: the next tree of its cycle
  int* plugin;             ///< [nplugin] number of the plugin of each instance
  uintptr_t* plugin_data;  ///< [nplugin] memory of each plugin instance: 0, their memory is plugin_state

  // position: frames in world axes
  ctReal* xpos;        ///< [nbody x 3] origin of the body frame, m
  ctReal* xquat;       ///< [nbody x 4] orientation of the body frame, quaternion w x y z
  ctReal* xmat;        ///< [nbody x 9] the same as a matrix, row by row
  ctReal* xipos;       ///< [nbody x 3] centre of mass of the body, m
  ctReal* xiquat;      ///< [nbody x 4] orientation of the principal axes of inertia
  ctReal* ximat;       ///< [nbody x 9] the same as a matrix, row by row
  ctReal* xanchor;     ///< [njnt x 3] anchor of the joint, m
  ctReal* xaxis;       ///< [njnt x 3] axis of the joint, unit length
  ctReal* geom_xpos;   ///< [ngeom x 3] position of the geom, m
  ctReal* geom_xquat;  ///< [ngeom x 4] orientation of the geom
  ctReal* geom_xmat;   ///< [ngeom x 9] the same as a matrix, row by row
  ctReal* site_xpos;   ///< [nsite x 3] position of the site, m
  ctReal* site_xquat;  ///< [nsite x 4] orientation of the site
  ctReal* site_xmat;   ///< [nsite x 9] the same as a matrix, row by row
  ctReal* cam_xpos;    ///< [ncam x 3] position of the camera, m
  ctReal* cam_xmat;    ///< [ncam x 9] orientation of the camera as a matrix, row by row; it looks along -z
  ctReal* light_xpos;  ///< [nlight x 3] position of the light, m
  ctReal* light_xdir;  ///< [nlight x 3] direction of the light, unit length

  // position: centres of mass, motion axes, inertias
  ctReal* subtree_com;  ///< [nbody x 3] centre of mass of the body and everything below it, m
  ctReal* cdof;         ///< [nv x 6] motion axis of the dof: rotation, translation at the centre of mass of
                        ///< its tree; world axes
  ctReal* cinert;       ///< [nbody x 10] inertia of the body about the centre of mass of its tree, world
                        ///< axes: 6 of the tensor, mass times offset, mass

  // position: deformables; empty
  ctReal* flexvert_xpos;       ///< [nflexvert x 3] vertex, world axes, m
  ctReal* flexelem_aabb;       ///< [nflexelem x 6] box around the element, world axes: centre, half sizes; m
  ctReal* flexelem_krot;       ///< [nflexstiffness] stiffness of the element in its rotated frame
  ctBool* flex_hessian_valid;  ///< [nflex] flexvert_hessian and flexedge_hessian are current
  ctReal* flexvert_hessian;    ///< [nflexvert x 6] diagonal block of the stretching Hessian, upper triangle
  ctReal* flexedge_hessian;    ///< [nflexedge x 9] block of the stretching Hessian between the ends of the
                               ///< edge
  ctReal* flexedge_J;          ///< [nJfe] Jacobian of the edge lengths, sparse: flexedge_J_* of the model
  ctReal* flexedge_length;     ///< [nflexedge] length of the edge, m
  ctReal* bvh_aabb_dyn;        ///< [nbvhdynamic x 6] bounding box, world axes: centre, half sizes; m
  ctReal* flexvert_lambda;     ///< [nflexvert] contact multiplier kept from step to step
  int* flexvert_conage;        ///< [nflexvert] negative: in contact; positive: steps since

  // position: tendons
  int* ten_wrapadr;    ///< [ntendon] first point of the path in wrap_obj and wrap_xpos, which are lists of
                       ///< points here
  int* ten_wrapnum;    ///< [ntendon] number of points of the path
  ctReal* ten_J;       ///< [nJten] Jacobian of the tendon lengths, sparse: ten_J_* of the model
  ctReal* ten_length;  ///< [ntendon] length, m; of a fixed tendon the weighted sum of joint positions
  int* wrap_obj;       ///< [nwrap x 2] what each point is on: a geom, -1 a site, -2 a pulley; two points for
                       ///< each station
  ctReal* wrap_xpos;   ///< [nwrap x 6] the points, world axes, m; two for each station

  // position: transmissions
  ctReal* actuator_length;  ///< [nout] length of the transmission, scaled by the gear
  int* moment_rownnz;       ///< [nout] stored elements of each row of actuator_moment
  int* moment_rowadr;       ///< [nout] address of each row
  int* moment_colind;       ///< [nJmom] dofs of the stored elements
  ctReal* actuator_moment;  ///< [nJmom] Jacobian of the actuator lengths, sparse

  // position: mass matrix and its factor
  ctReal* crb;        ///< [nbody x 10] inertia of the body and everything below it, as cinert
  ctReal* M;          ///< [nC] mass matrix, lower triangle, sparse: M_* of the model
  ctReal* qLD;        ///< [nC] factor of M, L' D L, in the same pattern
  ctReal* qLDiagInv;  ///< [nv] inverse of the diagonal of D

  // sleep: lists of what is awake, all of it without the sleep flag
  int* tree_awake;        ///< [ntree] 1 awake, 0 asleep
  int* body_awake;        ///< [nbody] state of each body (ctSleepState)
  int* body_awake_ind;    ///< [nbody] bodies that are awake or static, nbody_awake of them
  int* parent_awake_ind;  ///< [nbody] bodies whose parent is awake or static, nparent_awake of them
  int* dof_awake_ind;     ///< [nv] dofs that are awake, nv_awake of them

  // velocity
  ctReal* flexedge_velocity;  ///< [nflexedge] rate of the edge length, m/s
  ctReal* ten_velocity;       ///< [ntendon] rate of the tendon length, m/s
  ctReal* actuator_velocity;  ///< [nout] rate of the actuator length
  ctReal* cvel;               ///< [nbody x 6] velocity of the body at the centre of mass of its tree:
                              ///< rotation, translation; world axes
  ctReal* cdof_dot;           ///< [nv x 6] rate of cdof

  // velocity: bias and passive forces
  ctReal* qfrc_bias;      ///< [nv] Coriolis, centrifugal and gravity forces: what must be applied for qacc 0
  ctReal* qfrc_spring;    ///< [nv] forces of springs
  ctReal* qfrc_damper;    ///< [nv] forces of dampers
  ctReal* qfrc_gravcomp;  ///< [nv] forces of gravity compensation
  ctReal* qfrc_fluid;     ///< [nv] forces of the medium
  ctReal* qfrc_adhesion;  ///< [nv] forces of adhesive contacts
  ctReal* qfrc_passive;   ///< [nv] sum of the passive forces: springs, dampers, gravity compensation (but
                          ///< where jnt_actgravcomp is set), medium, adhesion

  // velocity: subtree momentum, on demand
  ctReal* subtree_linvel;  ///< [nbody x 3] velocity of the centre of mass of the subtree, m/s
  ctReal* subtree_angmom;  ///< [nbody x 3] angular momentum of the subtree about its centre of mass, kg m^2/s

  // implicit integration
  ctReal* qH;         ///< [nC] factor of M with implicit damping, as qLD
  ctReal* qHDiagInv;  ///< [nv] inverse of the diagonal of that factor's D
  ctReal* qDeriv;     ///< [nD] derivative of passive, actuator and minus bias forces by qvel, sparse: D_* of
                      ///< the model
  ctReal* qLU;        ///< [nD] LU factor of M - timestep * qDeriv, in the same pattern

  // forces and accelerations
  ctReal* actuator_force;   ///< [nout] force of each output, N or N m
  ctReal* qfrc_actuator;    ///< [nv] forces of the actuators on the dofs
  ctReal* qfrc_smooth;      ///< [nv] sum of all forces but those of constraints
  ctReal* qacc_smooth;      ///< [nv] acceleration without constraints
  ctReal* qfrc_constraint;  ///< [nv] forces of the constraints
  ctReal* qfrc_inverse;     ///< [nv] force that must be applied from outside for qacc: the result of
                            ///< ct_inverse()

  // body accelerations and forces, on demand
  ctReal* cacc;      ///< [nbody x 6] acceleration of the body at the centre of mass of its tree, gravity
                     ///< counted as upward acceleration
  ctReal* cfrc_int;  ///< [nbody x 6] force between the body and its parent
  ctReal* cfrc_ext;  ///< [nbody x 6] external force on the body: xfrc_applied, contacts, equality constraints
  // clang-format on
  // end of members

  // members of fields/data_arena.def, by tools/members.py
  // clang-format off
  // contacts
  ctContact* contact;  ///< [ncon] contacts, those in the gap included

  // constraint rows: equalities, dry friction, limits, contacts
  int* efc_type;             ///< [nefc] type of each row (ctConstraintType)
  int* efc_id;               ///< [nefc] equality, dof, tendon, joint or contact, by type
  int* efc_J_rownnz;         ///< [nefc] stored elements of each row of efc_J
  int* efc_J_rowadr;         ///< [nefc] address of each row
  int* efc_J_rowsuper;       ///< [nefc] number of rows after it with the same columns: its supernode
  int* efc_J_colind;         ///< [nJ] dofs of the stored elements
  ctReal* efc_J;             ///< [nJ] Jacobian; dense rows of nv numbers where efc_J_rownnz is empty
  ctReal* efc_pos;           ///< [nefc] equality: error; limit and contact: distance, negative when violated;
                             ///< m or rad; dry friction: 0
  ctReal* efc_margin;        ///< [nefc] distance below which the row acts
  ctReal* efc_frictionloss;  ///< [nefc] largest force of dry friction; 0 for other types
  ctReal* efc_diagA;         ///< [nefc] diagonal of J M^-1 J', estimated, or exact with the flag diagexact
  ctReal* efc_KBIP;          ///< [nefc x 4] stiffness, damping, impedance and its derivative
  ctReal* efc_D;             ///< [nefc] 1 / efc_R: how strongly a row is enforced
  ctReal* efc_R;             ///< [nefc] regularisation: how soft a row is
  int* tendon_efcadr;        ///< [ntendon] first row that involves the tendon; -1: none
  ctReal* efc_vel;           ///< [nefc] J qvel
  ctReal* efc_aref;          ///< [nefc] reference acceleration: what the constraint asks for
  ctReal* efc_b;             ///< [nefc] J qacc_smooth - efc_aref
  int* efc_state;            ///< [nefc] 0 satisfied, 1 quadratic, 2 and 3 friction at its negative and
                             ///< positive limit, 4 on the cone
  ctReal* efc_force;         ///< [nefc] force of each row, in its own coordinate

  // dual problem: for PGS, the noslip pass and the flag diagexact
  int* efc_Y_rownnz;   ///< [nefc] stored elements of each row of efc_Y
  int* efc_Y_rowadr;   ///< [nefc] address of each row
  int* efc_Y_colind;   ///< [nY] dofs of the stored elements
  ctReal* efc_Y;       ///< [nY] J M^-1/2
  int* efc_AR_rownnz;  ///< [nefc] stored elements of each row of efc_AR
  int* efc_AR_rowadr;  ///< [nefc] address of each row
  int* efc_AR_colind;  ///< [nA] constraint rows of the stored elements
  ctReal* efc_AR;      ///< [nA] J M^-1 J' + diag(R)

  // islands: trees
  int* tree_island;      ///< [ntree] island of each tree; -1: none
  int* island_ntree;     ///< [nisland] number of trees of each island
  int* island_itreeadr;  ///< [nisland] first tree of each island in map_itree2tree
  int* map_itree2tree;   ///< [ntree] trees by island

  // islands: dofs
  int* dof_island;      ///< [nv] island of each dof; -1: none
  int* island_nv;       ///< [nisland] number of dofs of each island
  int* island_idofadr;  ///< [nisland] first dof of each island in the order of islands
  int* island_dofadr;   ///< [nisland] first dof of each island, as numbered in the model
  int* map_dof2idof;    ///< [nv] place of each dof in the order of islands
  int* map_idof2dof;    ///< [nv] dofs in the order of islands; those in none come last

  // islands: vectors over their dofs
  ctReal* ifrc_smooth;  ///< [nidof] qfrc_smooth in the order of islands
  ctReal* iacc_smooth;  ///< [nidof] qacc_smooth in the order of islands
  ctReal* iacc;         ///< [nidof] qacc in the order of islands

  // islands: constraint rows
  int* efc_island;      ///< [nefc] island of each constraint row
  int* island_ne;       ///< [nisland] number of equality rows of each island
  int* island_nf;       ///< [nisland] number of friction rows of each island
  int* island_nefc;     ///< [nisland] number of rows of each island
  int* island_iefcadr;  ///< [nisland] first row of each island in the order of islands
  int* map_efc2iefc;    ///< [nefc] place of each row in the order of islands
  int* map_iefc2efc;    ///< [nefc] rows in the order of islands

  // islands: constraint rows in their order
  int* iefc_type;             ///< [nefc] efc_type in the order of islands
  int* iefc_id;               ///< [nefc] efc_id in the order of islands
  ctReal* iefc_frictionloss;  ///< [nefc] efc_frictionloss in the order of islands
  ctReal* iefc_D;             ///< [nefc] efc_D in the order of islands
  ctReal* iefc_R;             ///< [nefc] efc_R in the order of islands
  ctReal* iefc_aref;          ///< [nefc] efc_aref in the order of islands
  int* iefc_state;            ///< [nefc] efc_state in the order of islands
  ctReal* iefc_force;         ///< [nefc] efc_force in the order of islands
  ctReal* ifrc_constraint;    ///< [nidof] qfrc_constraint in the order of islands

  // effective metric M + K of the discrete integrator; h is the time step
  ctReal* efm_c;        ///< [nv] effective metric: shift of the smooth force, h K qvel
  ctReal* efm_diag;     ///< [nv] effective metric: diagonal of h damping + h^2 stiffness
  ctReal* efm_ck;       ///< [nv] effective metric: h stiffness on the diagonal
  ctReal* efm_sdiag;    ///< [nv] effective metric: what is added to the diagonal of M
  ctReal* efm_fluid;    ///< [nC] effective metric: drag in the pattern of M
  int* efm_tid;         ///< [ntendon] effective metric: tendons that contribute
  ctReal* efm_ts;       ///< [ntendon] effective metric: h^2 stiffness + h damping of each
  ctReal* efm_tk;       ///< [ntendon] effective metric: h stiffness of each
  int* efm_aid;         ///< [nactuator] effective metric: actuators that contribute
  ctReal* efm_as;       ///< [nactuator] effective metric: h^2 and h terms of each
  ctReal* efm_ak;       ///< [nactuator] effective metric: h stiffness of each
  ctReal* efm_ca;       ///< [nv] effective metric: shift of the smooth force by actuators
  int* efm_K_rownnz;    ///< [nv] effective metric: stored elements of each row of the stiffness matrix
  int* efm_K_rowadr;    ///< [nv] effective metric: address of each row
  int* efm_K_colind;    ///< [nefmK] effective metric: columns
  ctReal* efm_K_val;    ///< [nefmK] effective metric: values
  int* efm_dofid;       ///< [nefmdof] effective metric: first dof of each vertex that is covered
  int* efm_con_ind;     ///< [nefmcon] effective metric: contact rows: count, contact, columns of each
  ctReal* efm_con_val;  ///< [nefmcon] effective metric: contact rows: scale, force, values of each
  ctReal* efm_L;        ///< [nefmL] effective metric: factor of M + K
  // clang-format on
  // end of members

  // reports
  ctSolverStat* solver;  ///< CT_NISLAND rows of CT_NSOLVER iterations; NULL in worlds of a batch
  ctWarningStat warning[CT_WARN_COUNT];  ///< trouble met since the last reset, by kind (ctWarningType)
  ctTimerStat timer[CT_TIMER_COUNT];     ///< time spent, by stage (ctTimerType); only while `now` is set
  double (*now)(void);  ///< clock for `timer`, such as ct_clock; NULL (the default) measures nothing

  // the program around the engine: Corten's own
  void* user;  ///< the program's; the engine never reads it, and a reset keeps it

  // noise of sensors, Corten's own: ct_data_set_noise() sets it
  ctBool noise;          ///< sensors are noisy
  uint32_t noise_seed;   ///< seed of the noise
  uint32_t noise_world;  ///< world of the noise

  // the arena: memory for arrays whose size changes from step to step, and for scratch
  size_t narena;        ///< bytes of the arena; only read
  size_t maxuse_arena;  ///< most bytes of it ever used
  ctBool arena_fixed;   ///< never grow, drop contacts instead: for hosts that forbid heap calls
} ctData;

/// Create the data of a model, at its default state.
/// @param out  receives the data; release it with ct_data_free() before the model. NULL on failure
/// @return CT_OK, CT_ERR_ARGUMENT (also for a model whose sizes were changed), CT_ERR_LIMIT or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_data_create(ctData** out, const ctModel* m, ctError* err);

/// Release a data. NULL is allowed.
CT_API void ct_data_free(ctData* d);

/// Reset the data to the default state: time 0, qpos0, everything else zero.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_reset(const ctModel* m, ctData* d);

/// Reset the data to a keyframe.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or no such keyframe: then nothing is changed)
CT_API ctStatus ct_data_reset_keyframe(const ctModel* m, ctData* d, int key);

/// Numbers of contacts and constraint rows, for ct_data_make_rows().
typedef struct ctRowCounts {
  int ncon;     ///< contacts
  int ne;       ///< rows of equalities
  int nf;       ///< rows of dry friction
  int nl;       ///< rows of limits
  int nefc;     ///< rows of all kinds, at least the sum of these
  int nJ;       ///< stored elements of the Jacobian
  bool sparse;  ///< whether it has arrays of indices
} ctRowCounts;

/// Make room for contacts and constraint rows that the caller restores by filling `contact` and efc_*. All
/// numbers are zero at first, objects of contacts -1; other results of a solver are empty. The next step or
/// ct_forward() replaces them.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, a negative number, fewer rows than their kinds: then nothing is
/// changed), CT_ERR_MEMORY or CT_STEP_OVERFLOW (the arena may not grow so far: then there are none)
CT_API ctStatus ct_data_make_rows(const ctModel* m, ctData* d, const ctRowCounts* counts);

/// Copy everything from one data of a model to another, the arena arrays too; where the arena of `to` is too
/// small for them and may not grow, they are empty in `to` until a call computes them. Threads, `user` and
/// `arena_fixed` stay its own.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, different sizes: then nothing is changed)
CT_API ctStatus ct_data_copy(const ctModel* m, const ctData* from, ctData* to);

/// Bytes the arena of a data may grow to when no limit is given.
#define CT_ARENA_LIMIT ((size_t)1 << 30)

/// Limit the size that the arena may grow to. A step that needs more than `bytes` drops what does
/// not fit and returns CT_STEP_OVERFLOW, counted in `warning`. A new data has the limit that
/// `max_arena` of the load options of its model says. An arena that is larger already keeps its size.
/// @param bytes  0: CT_ARENA_LIMIT
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_set_arena_limit(ctData* d, size_t bytes);

/// Let threads solve the islands of a step: `count` in all, the caller included; 1 (the default) for none, 0
/// for as many as there are processors. The result has the same bits for any number. They are not copied by
/// ct_data_copy() and end with the data. A child of fork() has none of them and goes on alone, with the same
/// bits.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_LIMIT (the system has no more) or CT_ERR_MEMORY; on failure there
///         are none
CT_API ctStatus ct_data_set_threads(ctData* d, int count, ctError* err);

/// Number of reals in the parts of the state chosen by `which` (ctState bits), -1 for unknown bits.
CT_API int ct_data_state_size(const ctModel* m, unsigned which);

/// Write the chosen parts of the state to `state`, in the order of the bits.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_get_state(const ctModel* m, const ctData* d, ctReal* state, unsigned which);

/// Read the chosen parts of the state from `state`: the inverse of ct_data_get_state(). Restoring
/// CT_STATE_INTEGRATION continues a simulation bit for bit.
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_INVALID (a number is not finite); on failure nothing is changed
CT_API ctStatus ct_data_set_state(const ctModel* m, ctData* d, const ctReal* state, unsigned which);

/// Copy the chosen parts of the state between two data of a model, bit for bit.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, different sizes, unknown bits: then nothing is changed)
CT_API ctStatus ct_data_copy_state(const ctModel* m, const ctData* from, ctData* to, unsigned which);

/// Take parts out of a state vector: `from` holds the parts `from_which`, `to` receives those in `to_which`.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, unknown bits, or `to_which` has parts that `from_which` lacks)
/// @note Thread-safe.
CT_API ctStatus ct_state_extract(const ctModel* m, const ctReal* from, unsigned from_which, ctReal* to,
                                 unsigned to_which);

/// Write the whole state in a form that ct_data_load_bytes() reads back: all parts, with a head that knows
/// the format, the byte order, the precision and the model, and a checksum. Returns the bytes it takes;
/// `buffer` is written only when `size` is at least that. `buffer` may be NULL; 0 when `m` or `d` is.
CT_API size_t ct_data_save_bytes(const ctModel* m, const ctData* d, void* buffer, size_t size);

/// Read a state that ct_data_save_bytes() wrote, of the same model in the same precision; bit for bit. What
/// the parts mean has to agree (sizes, tree, joints, names); masses and other numbers of the model may
/// differ.
/// @param err  diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_SYNTAX (damaged, cut short, or no state at all), CT_ERR_INVALID (of
///         another model, or with numbers that are not finite), CT_ERR_UNSUPPORTED (other version, byte
///         order or precision) or CT_ERR_MEMORY; on failure `d` is not changed
CT_API ctStatus ct_data_load_bytes(const ctModel* m, ctData* d, const void* bytes, size_t size, ctError* err);

/// ct_data_save_bytes() to a file, usually called *.cts.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_IO
CT_API ctStatus ct_data_save(const ctModel* m, const ctData* d, const char* path, ctError* err);

/// ct_data_load_bytes() from a file.
/// @return as ct_data_load_bytes(), and CT_ERR_IO or CT_ERR_NOT_FOUND
CT_API ctStatus ct_data_load(const ctModel* m, ctData* d, const char* path, ctError* err);

/// Make the current state a keyframe of the model, in the place of keyframe `key`; ct_data_reset_keyframe()
/// brings it back.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or no such keyframe: then nothing is changed)
/// @note Nobody else may be using the model.
CT_API ctStatus ct_model_set_keyframe(ctModel* m, const ctData* d, int key);

/// Read the controls of an actuator at `time` minus its delay from its history; the present controls where
/// it has no history.
/// @param interp  between samples: 0 holds, 1 linear, 2 cubic, -1 as the model says
/// @param out     receives actuator_ctrlnum reals
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_get_ctrl_at(const ctModel* m, const ctData* d, int actuator, ctReal time, int interp,
                                    ctReal* out);

/// Read the measurement of a sensor at `time` minus its delay from its history, as ct_data_get_ctrl_at() does
/// for controls.
/// @param interp  between samples: 0 holds, 1 linear, 2 cubic, -1 as the model says
/// @param out     receives sensor_dim reals
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_get_sensor_at(const ctModel* m, const ctData* d, int sensor, ctReal time, int interp,
                                      ctReal* out);

/// Fill the history of an actuator with samples of your own, oldest first.
/// @param times   as many as the history has samples, rising; NULL keeps those it has
/// @param values  as many rows of actuator_ctrlnum reals
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, no such object, no history, times that do not rise, numbers that
///         are not finite: then nothing is changed)
CT_API ctStatus ct_data_set_ctrl_history(const ctModel* m, ctData* d, int actuator, const ctReal* times,
                                         const ctReal* values);

/// Fill the history of a sensor, as ct_data_set_ctrl_history() that of an actuator.
/// @param values  as many rows of sensor_dim reals as there are samples
/// @param phase   when a sensor with an interval was last due
/// @return as ct_data_set_ctrl_history()
CT_API ctStatus ct_data_set_sensor_history(const ctModel* m, ctData* d, int sensor, const ctReal* times,
                                           const ctReal* values, ctReal phase);

/// Switch the noise of sensors on or off; it is off at first. A sensor with a `noise` attribute gets Gaussian
/// noise of that standard deviation; axes and quaternions are turned by such angles and keep their length.
/// The bits of the noise depend on seed, world, step (time divided by the time step), sensor and component
/// only. A reset keeps the setting.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_data_set_noise(ctData* d, bool on, uint32_t seed, uint32_t world);

/// Print everything in a data as readable text, field by field. Returns the length the whole text has, as
/// snprintf does; writes at most `size` bytes with a zero at the end. `buffer` may be NULL when `size` is 0.
CT_API size_t ct_data_print(const ctModel* m, const ctData* d, char* buffer, size_t size);

/// Find a scalar or array of the data by name ("time", "qpos", "efc_J").
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_NOT_FOUND
CT_API ctStatus ct_data_field(const ctModel* m, const ctData* d, const char* name, ctField* out);

/// Number of fields ct_data_field() knows. Thread-safe.
CT_API int ct_data_field_count(void);

/// Name of the i-th field; NULL out of range. Static. Thread-safe.
CT_API const char* ct_data_field_name(int i);

/// Type, shape and description of the i-th field; NULL out of range. Static. Thread-safe.
CT_API const ctFieldInfo* ct_data_field_info(int i);

/// First field in which two data of a model differ, NULL when all are bitwise equal. "" when one of them is
/// NULL, or not of this model.
CT_API const char* ct_data_compare(const ctModel* m, const ctData* a, const ctData* b);

/// Bytes of a data: fixed arrays and arena.
CT_API size_t ct_data_bytes(const ctData* d);

/// Monotonic time in seconds, for `d->now`. Thread-safe.
CT_API double ct_clock(void);

#ifdef __cplusplus
}
#endif
