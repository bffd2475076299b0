/// @file
/// Derivatives of a step and of inverse dynamics, for linear control, trajectory optimisation and system
/// identification.
///
/// The state is x = (tangent of qpos, qvel, act), nx = 2 nv + na numbers: a small change of qpos is a vector
/// of nv velocities times time, so that orientations have three numbers, in the frame of the body. Matrices
/// are row-major.
#pragma once

#include "corten/batch.h"
#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Memory and threads for the derivatives of one model. Opaque.
typedef struct ctDerive ctDerive;

/// Create the workspace for derivatives of a model; release it with ct_derive_free().
/// @param m        must stay where it is until the workspace is freed
/// @param threads  how many compute columns, the caller included; 0: as many as there are processors. The
/// numbers have
///                 the same bits for any
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_LIMIT (the system has no more threads) or CT_ERR_MEMORY
CT_API ctStatus ct_derive_create(ctDerive** out, const ctModel* m, int threads, ctError* err);

/// Release a workspace. NULL is allowed.
CT_API void ct_derive_free(ctDerive* w);

/// Numbers of a state: 2 nv + na; -1 for NULL.
CT_API int ct_derive_state_size(const ctModel* m);

/// How finite differences are taken.
typedef struct ctDifferences {
  ctReal eps;     ///< size of a nudge; 0: 1e-6, in single precision 1e-3
  bool centered;  ///< nudge to both sides: twice the work, an order more exact
} ctDifferences;

/// Finite differences of one step: y = A x + B u for the next state, s = C x + D u for the sensors, which a
/// step reads before it advances. A control nudged beyond its range is nudged to the other side; one that is
/// out of its range has columns of zeros. All integrators, delays and yielding springs are covered; what is
/// neither position, velocity nor activation (histories, rest positions of yielding springs) is held.
/// @param d    where to look; not changed. The step that others are compared with starts from its warm start,
///             the others where that has ended
/// @param how  NULL: forward, eps 1e-6
/// @param A    nx x nx, @param B nx x nu, @param C nsensordata x nx, @param D nsensordata x nu; each may be
/// NULL
/// @return CT_OK; CT_ERR_ARGUMENT (NULL, data of another model, eps that is not positive and finite);
/// CT_ERR_INVALID (a
///         number of the state is not finite); CT_ERR_UNSUPPORTED (the sleep flag: steps that leave out trees
///         have no derivative); CT_ERR_MEMORY; or the status of a step that met trouble: then the matrices
///         are not to be used
/// @note A workspace is for one call at a time; different ones may work on the same data.
CT_API ctStatus ct_derive_transition_fd(ctDerive* w, const ctData* d, const ctDifferences* how, ctReal* A,
                                        ctReal* B, ctReal* C, ctReal* D, ctError* err);

/// How ct_derive_linearize() finds its matrices.
typedef enum ctDeriveMethod {
  CT_DERIVE_AUTO,      ///< the first of the others that the model allows
  CT_DERIVE_ANALYTIC,  ///< closed forms
  CT_DERIVE_IMPLICIT,  ///< differences of inverse dynamics, which need no solver
  CT_DERIVE_FD         ///< differences of steps
} ctDeriveMethod;

/// How the parts of a linearisation were computed.
typedef struct ctDeriveReport {
  ctDeriveMethod method;        ///< what was done
  const char* reason;           ///< what stood in the way of a better method: static text, or NULL
  bool sensors_by_differences;  ///< C and D are differences of inverse dynamics, or of steps
  int active_rows;              ///< rows of constraints that act; with closed forms only, as what follows
  int edges;     ///< rows, and cones of contacts, that a millionth of the largest force keeps from
                 ///< acting, sliding or letting go: their derivative is that of one side
  int contacts;  ///< contacts that push
  int contacts_by_differences;  ///< those of them whose geometry was differenced
  int wraps_by_differences;     ///< pieces of tendons around geoms: always differenced
  int switching;  ///< contacts and wraps that come or go, or that other features would make, within
                  ///< the size of a difference: their derivative is that of one side, or zero
} ctDeriveReport;

/// Linearise a step: the matrices A, B, C and D of ct_derive_transition_fd(), without steps. Forces are
/// differentiated at the acceleration that the solver found, in closed form where there is one; the
/// derivative of the acceleration follows by implicit differentiation of its optimality, with the Hessian of
/// Newton's method; the integrator and rotations are differentiated by formulas. This is many times as fast
/// as differences of steps, and free of the noise of a solver that stops early, as long as the solver has
/// converged. The set of contacts, and which rows act, are those of the state.
///
/// Closed forms cover rigid bodies with all joints, contacts (the geometry of planes, spheres, capsules and
/// boxes with each other, and of meshes on planes; that of other pairs, and where features are parallel or
/// end where they touch, by differences of the contact alone), limits, equalities, friction loss, tendons
/// (wraps by differences of the piece alone), actuators at joints, tendons and sites (forces that are not
/// linear by differences of the actuator alone), fluids, Euler and both implicit integrators; sensors of
/// joints, tendons, actuators, frames and centres of mass.
/// Differences of inverse dynamics cover all but other integrators, noslip and yielding springs; differences
/// of steps cover everything.
/// @param method  CT_DERIVE_AUTO, or what must be used
/// @param how     NULL: centred, eps 1e-6. Closed forms are always centred where they take differences
/// @param report  how the parts were computed; may be NULL
/// @return as ct_derive_transition_fd(); CT_ERR_ARGUMENT also for a method that is none;
///         CT_ERR_UNSUPPORTED also when the method that must be used does not cover the model
CT_API ctStatus ct_derive_linearize(ctDerive* w, const ctData* d, ctDeriveMethod method,
                                    const ctDifferences* how, ctReal* A, ctReal* B, ctReal* C, ctReal* D,
                                    ctDeriveReport* report, ctError* err);

/// How far differences of one size are from a linearisation.
typedef struct ctDeriveError {
  ctReal eps;       ///< size of the differences, given by the caller
  ctReal centered;  ///< the largest difference of an element from centred differences, over the largest
                    ///< element of its matrix, but at least over 1
  ctReal forward;   ///< the largest difference of an element from forward differences, scaled likewise
  char worst[256];  ///< the element that is farthest from centred differences, as "qvel of joint knee by qpos
                    ///< of joint hip"; empty when none differs
} ctDeriveError;

/// Compare ct_derive_linearize() with ct_derive_transition_fd() of several sizes: errors fall with the square
/// of the size, or with the size, until rounding and the solver's tolerance are larger. What stays large is a
/// contact or friction that a nudge switches, a solver that has not converged, or a defect.
/// @param d       where to look; not changed
/// @param errors  n of them, with `eps` filled in
/// @param report  of the linearisation; may be NULL
/// @return as ct_derive_linearize()
CT_API ctStatus ct_derive_check(ctDerive* w, const ctData* d, ctDeriveMethod method, ctDeriveError* errors,
                                int n, ctDeriveReport* report, ctError* err);

/// ct_derive_linearize() at many states at once: the threads of the workspace share them, with the same bits
/// for any number of threads.
/// @param states  n x ct_data_state_size(m, CT_STATE_INTEGRATION) numbers, as ct_data_get_state() writes them
/// @param n       how many; 0 does nothing
/// @param A,B,C,D n matrices each, one after another; each may be NULL
/// @param reports n of them, or NULL
/// @return as ct_derive_linearize(), of the first state that met trouble; the message says which
CT_API ctStatus ct_derive_linearize_states(ctDerive* w, const ctReal* states, int n, ctDeriveMethod method,
                                           const ctDifferences* how, ctReal* A, ctReal* B, ctReal* C,
                                           ctReal* D, ctDeriveReport* reports, ctError* err);

/// Linearise the worlds of a batch as ct_derive_linearize_states() does, a matrix for each world. The worlds
/// are not changed. Matrices are computed on the threads of the workspace, also for a batch on a GPU.
/// @param b  a batch of the workspace's model, owned by the same thread
/// @return as ct_derive_linearize_states(); CT_ERR_ARGUMENT also for a batch of another model;
///         CT_ERR_UNSUPPORTED also when worlds have values of their own in the model (ct_batch_vary())
CT_API ctStatus ct_derive_linearize_batch(ctDerive* w, ctBatch* b, ctDeriveMethod method,
                                          const ctDifferences* how, ctReal* A, ctReal* B, ctReal* C,
                                          ctReal* D, ctDeriveReport* reports, ctError* err);

/// ct_derive_transition_fd() for the worlds of a batch, by its own steps: one number is nudged in all worlds
/// at once, and the batch steps them wherever it does, on threads or on a GPU, in its precision. So there are
/// as many steps of the batch as columns, twice as many when centred. Worlds may have values of their own
/// (ct_batch_vary()); they stay as they are, with outputs and reports. Solvers stop at the tolerance of the
/// model, so that A and B have its noise over eps: let it be small.
/// @param b    a batch of the workspace's model, owned by the same thread
/// @param how  NULL: forward. eps 0: 1e-6, for worlds in single precision 1e-3
/// @param A,B,C,D  a matrix for each world, one after another; each may be NULL. With C or D the batch gets
///                 the output "sensordata", which it keeps
/// @return as ct_derive_transition_fd(), ct_batch_set() and ct_batch_output(); the status of the first world
///         that met trouble: then the matrices are not to be used
CT_API ctStatus ct_derive_transition_fd_batch(ctDerive* w, ctBatch* b, const ctDifferences* how, ctReal* A,
                                              ctReal* B, ctReal* C, ctReal* D, ctError* err);

/// Advance by `steps` steps and store the state before each, for ct_derive_rollout_vjp().
/// @param d       where they start; not changed
/// @param ctrl    steps x nu controls; NULL: those of the data throughout
/// @param states  receives (steps + 1) x ct_data_state_size(m, CT_STATE_INTEGRATION) numbers: before each
///                step, with its controls, and after the last
/// @return as ct_derive_transition_fd(); the status of a step that met trouble
CT_API ctStatus ct_derive_rollout(ctDerive* w, const ctData* d, const ctReal* ctrl, int steps, ctReal* states,
                                  ctError* err);

/// The gradient of a number that depends on the states of a rollout (and on the sensors in its steps) by
/// where it started and by its controls: back through time, a linearisation for each step.
/// @param states       as ct_derive_rollout() has left them
/// @param state_grad   (steps + 1) x nx: the number by each state
/// @param sensor_grad  steps x nsensordata: the number by the sensors that each step reads; may be NULL
/// @param start_grad   nx: receives the gradient by the first state; may be NULL
/// @param ctrl_grad    steps x nu: receives the gradient by the controls; may be NULL
/// @return as ct_derive_linearize_states()
CT_API ctStatus ct_derive_rollout_vjp(ctDerive* w, const ctReal* states, int steps, ctDeriveMethod method,
                                      const ctReal* state_grad, const ctReal* sensor_grad, ctReal* start_grad,
                                      ctReal* ctrl_grad, ctError* err);

/// Derivatives of inverse dynamics at (qpos, qvel, qacc) of the data in closed form, as
/// ct_derive_inverse_fd() has them: of f = qfrc_inverse and of sensors by position, velocity and
/// acceleration. Row i of each matrix belongs to input i.
/// @param actuation  f = qfrc_inverse - qfrc_actuator
/// @param DfDq,DfDv,DfDa  nv x nv; @param DsDq,DsDv,DsDa  nv x nsensordata; each may be NULL
/// @param report  how the parts were computed; may be NULL
/// @return as ct_derive_inverse_fd(); CT_ERR_UNSUPPORTED also where there is no closed form: the message says
///         why
CT_API ctStatus ct_derive_inverse(ctDerive* w, const ctData* d, bool actuation, ctReal* DfDq, ctReal* DfDv,
                                  ctReal* DfDa, ctReal* DsDq, ctReal* DsDv, ctReal* DsDa,
                                  ctDeriveReport* report, ctError* err);

/// Finite differences of inverse dynamics at (qpos, qvel, qacc) of the data: of f = qfrc_inverse, and of
/// sensors and the mass matrix. Row i of each matrix belongs to input i, as in MuJoCo. Forward differences.
/// @param actuation  f = qfrc_inverse - qfrc_actuator
/// @param DfDq,DfDv,DfDa  nv x nv, by position, velocity, acceleration; @param DsDq,DsDv,DsDa  nv x
/// nsensordata
/// @param DmDq       nv x nC, of the mass matrix as it is stored; each may be NULL
/// @return as ct_derive_transition_fd(); CT_ERR_UNSUPPORTED also for noslip, which has no inverse, and for
/// RK4 with
///         invdiscrete
CT_API ctStatus ct_derive_inverse_fd(ctDerive* w, const ctData* d, ctReal eps, bool actuation, ctReal* DfDq,
                                     ctReal* DfDv, ctReal* DfDa, ctReal* DsDq, ctReal* DsDv, ctReal* DsDa,
                                     ctReal* DmDq, ctError* err);

/// Derivative of the smooth forces by velocity, analytic: qfrc_passive + qfrc_actuator - qfrc_bias, as the
/// implicit integrators use it. Elements between branches or trees that only a tendon or a servo couples are
/// left out. Needs what ct_forward() leaves.
/// @param out  nv x nv
/// @return CT_OK, CT_ERR_ARGUMENT or CT_STEP_OVERFLOW (the arena is full)
CT_API ctStatus ct_derive_smooth_velocity(const ctModel* m, ctData* d, ctReal* out);

/// Derivatives of the rotation vector from orientation `from` to `to` by both, 3 x 3 in the tangents at each
/// (see ct_pos_differentiate()). Each may be NULL. Thread-safe.
CT_API void ct_derive_quat_difference(const ctReal from[4], const ctReal to[4], ctReal by_from[9],
                                      ctReal by_to[9]);

/// Derivatives of an orientation that has turned with velocity `vel` for the time `dt`: by the orientation at
/// the start, by the velocity times time, and by the time (3 numbers). Each may be NULL. Thread-safe.
CT_API void ct_derive_quat_integration(const ctReal vel[3], ctReal dt, ctReal by_quat[9], ctReal by_turn[9],
                                       ctReal by_time[3]);

#ifdef __cplusplus
}
#endif
