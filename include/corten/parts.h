/// @file
/// Calls that run single parts of the stages, for programs that need the frames of a configuration but not
/// its contacts, or that write a pipeline of their own. ct_forward() and ct_step() need none of them.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CT_PART_LIST(X) /* id, what it computes */                                                      \
  X(KINEMATICS, "frames of bodies, joints, geoms and sites, from qpos and mocap_*")                     \
  X(COM, "centres of mass, and inertias and motion axes about them")                                    \
  X(CAMERAS, "cameras and lights")                                                                      \
  X(TENDONS, "paths, lengths and gradients of tendons")                                                 \
  X(CRB, "composite inertias and the mass matrix, without the inertia of tendons")                      \
  X(MASS, "composite inertias and the mass matrix, with the inertia of tendons")                        \
  X(FACTOR, "the factor of the mass matrix")                                                            \
  X(COLLISION, "contacts; constraint rows are discarded")                                               \
  X(CONSTRAINTS, "constraint rows of the contacts there are, with their impedance and projection")      \
  X(TRANSMISSION, "lengths and moments of actuators")                                                   \
  X(ENERGY_POSITION, "potential energy")                                                                \
  X(TENDON_VELOCITY, "velocities of tendons")                                                           \
  X(ACTUATOR_VELOCITY, "velocities of actuators")                                                       \
  X(COM_VELOCITY, "velocities of bodies, rates of the motion axes")                                     \
  X(PASSIVE, "springs, dampers, gravity compensation, fluid")                                           \
  X(REFERENCE, "velocities and reference accelerations of the rows")                                    \
  X(BIAS, "qfrc_bias: Coriolis, centrifugal and gravity forces")                                        \
  X(ENERGY_VELOCITY, "kinetic energy")                                                                  \
  X(SUBTREE_VELOCITY, "velocity and angular momentum of subtrees, also where they are current")         \
  X(BODY_FORCES, "accelerations of bodies and the forces on them, also where they are current")         \
  X(SENSE_POSITION, "sensors of the position stage")                                                    \
  X(SENSE_VELOCITY, "sensors of the velocity stage")                                                    \
  X(SENSE_ACCELERATION, "sensors of the acceleration stage")                                            \
  X(CHECK_POSITION, "looks for a bad number in qpos; resets the data as a step does")                   \
  X(CHECK_VELOCITY, "looks for a bad number in qvel; resets the data as a step does")                   \
  X(CHECK_ACCELERATION, "looks for a bad number in qacc, which a reset computes again")                 \
  X(INVERSE_POSITION, "the position stage without what only a solver needs")                            \
  X(INVERSE_CONSTRAINT, "forces of the rows at the acceleration there is, into qfrc_constraint")        \
  X(COMPARE, "how far inverse dynamics is from the forward dynamics just computed, into solver_fwdinv") \
  X(ADVANCE_EULER, "the end of a step by the Euler integrator")                                         \
  X(ADVANCE_RK4, "the end of a step by Runge-Kutta of fourth order")                                    \
  X(ADVANCE_IMPLICIT, "the end of a step by the implicit integrator of the model, else by implicit")    \
  X(FLEXES, "vertices, edges and boxes of deformables")                                                 \
  X(ISLANDS, "sets of trees that constraint rows connect; a solver finds them again")

#define CT_AS_ENUM(id, text) CT_PART_##id,
/// A part of a stage. Each needs those before it, as in ct_forward().
typedef enum ctPart { CT_PART_LIST(CT_AS_ENUM) CT_PART_COUNT } ctPart;
#undef CT_AS_ENUM

/// Run one part. Arrays in the arena stay valid, but for those the part makes anew.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, no such part, other sizes), CT_ERR_MEMORY or a status of ct_step()
CT_API ctStatus ct_part_run(const ctModel* m, ctData* d, ctPart part);

/// Compute the force that explains the current velocity and gravity, and with `with_acc` the acceleration
/// `d->qacc` too (without armature), by recursive Newton-Euler. It reads velocities of bodies and motion
/// axes.
/// @param out  receives nv reals
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY
CT_API ctStatus ct_bias_force(const ctModel* m, ctData* d, bool with_acc, ctReal* out);

/// Multiply the constraint Jacobian by a vector, out = J in: `in` has nv reals, `out` nefc.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_rows_mul(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

/// Multiply the transposed constraint Jacobian by a vector, out = J' in: `in` has nefc reals, `out` nv.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_rows_mul_transposed(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

#ifdef __cplusplus
}
#endif
