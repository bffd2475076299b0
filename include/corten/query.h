/// @file
/// Questions about a state that ct_forward has been run for.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Potential and kinetic energy into `d->energy`, whatever the energy flag says. Needs positions and
/// velocities. `d` is written. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_energy_compute(const ctModel* m, ctData* d);

/// Accelerations of bodies and the forces on them, into `d->cacc, cfrc_int, cfrc_ext`. A step computes them
/// only when a sensor reads them; this call does where they are not current. Needs ct_forward.
/// @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_body_forces_compute(const ctModel* m, ctData* d);

/// Velocity and angular momentum of subtrees, into `d->subtree_linvel, subtree_angmom`, where they are not
/// current. Needs positions and velocities. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_subtree_velocity_compute(const ctModel* m, ctData* d);

// ---- Jacobians -------------------------------------------------------------------------------------------
// Matrices have 3 rows of nv reals: `jacp` times qvel is a velocity, `jacr` times qvel an angular velocity,
// in world axes. Either may be NULL. The functions with `_dot` give the time derivative at the current qvel
// and need velocities, the others positions. All return CT_OK or CT_ERR_ARGUMENT (NULL, no such object) and
// are thread-safe while `d` is not written.

/// Of a world point fixed to a body, and of the body's rotation.
CT_API ctStatus ct_jac_point(const ctModel* m, const ctData* d, const ctReal* point, int body, ctReal* jacp,
                             ctReal* jacr);

/// Time derivative of ct_jac_point().
CT_API ctStatus ct_jac_point_dot(const ctModel* m, const ctData* d, const ctReal* point, int body,
                                 ctReal* jacp, ctReal* jacr);

/// Of the origin of an object: CT_OBJ_BODY (centre of mass), CT_OBJ_XBODY (frame), CT_OBJ_GEOM, CT_OBJ_SITE.
CT_API ctStatus ct_jac_object(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                              ctReal* jacr);

/// Time derivative of ct_jac_object().
CT_API ctStatus ct_jac_object_dot(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                                  ctReal* jacr);

/// Of a point and of an axis (a world direction), both fixed to a body: `jacaxis` times qvel is the rate of
/// the axis.
CT_API ctStatus ct_jac_axis(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* axis,
                            int body, ctReal* jacp, ctReal* jacaxis);

/// Time derivative of ct_jac_axis().
CT_API ctStatus ct_jac_axis_dot(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* axis,
                                int body, ctReal* jacp, ctReal* jacaxis);

/// Of the centre of mass of a subtree.
CT_API ctStatus ct_jac_subtree(const ctModel* m, const ctData* d, int body, ctReal* jacp);

/// Time derivative of ct_jac_subtree().
CT_API ctStatus ct_jac_subtree_dot(const ctModel* m, const ctData* d, int body, ctReal* jacp);

/// The matrix (3 * nv reals) that turns qvel into the angular momentum of a subtree about its centre of mass.
CT_API ctStatus ct_jac_angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out);

// ---- motion of objects -----------------------------------------------------------------------------------

/// Velocity of an object's origin into `out`: rotation, then translation; along world axes, or its own when
/// `local`. Objects as in ct_jac_object, and cameras. Needs velocities. @return CT_OK or CT_ERR_ARGUMENT
/// @note Thread-safe while `d` is not written.
CT_API ctStatus ct_object_velocity(const ctModel* m, const ctData* d, ctObjType type, int id, bool local,
                                   ctReal out[6]);

/// Acceleration likewise, as an accelerometer feels it: gravity counts as an acceleration upwards. Needs
/// ct_forward; calls ct_body_forces_compute. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_object_acceleration(const ctModel* m, ctData* d, ctObjType type, int id, bool local,
                                       ctReal out[6]);

/// Whether a world point is in the volume of a site; false for bad arguments. Needs positions.
/// @note Thread-safe while `d` is not written.
CT_API bool ct_site_contains(const ctModel* m, const ctData* d, int site, const ctReal* point);

// ---- mass ------------------------------------------------------------------------------------------------
// All need positions and return CT_OK or CT_ERR_ARGUMENT. `out` and `in` (nv reals) may be the same array
// unless said otherwise. Thread-safe while `d` is not written.

/// Mass of the whole model: the sum of `body_mass`, as it is now. Thread-safe. 0 when `m` is NULL.
CT_API ctReal ct_model_total_mass(const ctModel* m);

/// Scale all masses and inertias, as they are now, to a total mass. Masses of subtrees and `dof_M0` follow;
/// the other constants follow with ct_model_update(). @return CT_OK or CT_ERR_ARGUMENT (NULL, a
/// mass that is not positive and finite, a model without mass: then nothing is changed)
/// @note Nobody else may be using the model.
CT_API ctStatus ct_model_set_total_mass(ctModel* m, ctReal mass);

/// Dense mass matrix, row by row, into `out` (nv * nv reals).
CT_API ctStatus ct_mass_full(const ctModel* m, const ctData* d, ctReal* out);

/// out += mass matrix, in the lower triangle of a dense matrix (nv * nv reals).
CT_API ctStatus ct_mass_add(const ctModel* m, const ctData* d, ctReal* out);

/// out = M in. `out` and `in` must be different arrays.
CT_API ctStatus ct_mass_mul(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

/// out = M^-1 in
CT_API ctStatus ct_mass_solve(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

/// out = R in with M = R'R, so that |out|^2 = in' M in.
CT_API ctStatus ct_mass_mul_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

/// out = R'^-1 in with the same R, so that |out|^2 = in' M^-1 in.
CT_API ctStatus ct_mass_solve_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out);

// ---- positions -------------------------------------------------------------------------------------------
// Where joints are balls or free, nq and nv differ: these know how. CT_OK or CT_ERR_ARGUMENT. Thread-safe.

/// The velocity (nv reals) that leads from one position to another (nq reals each) in time `dt`.
CT_API ctStatus ct_pos_differentiate(const ctModel* m, const ctReal* from, const ctReal* to, ctReal dt,
                                     ctReal* qvel);

/// Move `qpos` (nq reals) by a velocity (nv reals) for a time `dt`, in place.
CT_API ctStatus ct_pos_integrate(const ctModel* m, const ctReal* qvel, ctReal dt, ctReal* qpos);

/// All quaternions in qpos scaled to length one; those of length zero become the identity.
CT_API ctStatus ct_pos_normalize(const ctModel* m, ctReal* qpos);

// ---- forces ----------------------------------------------------------------------------------------------

/// Add to `qfrc` (nv reals) the effect of a world force and torque at a world point fixed to a body.
/// `force` or `torque` may be NULL. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_force_apply(const ctModel* m, ctData* d, const ctReal* force, const ctReal* torque,
                               const ctReal* point, int body, ctReal* qfrc);

/// Force and torque of a contact in its own frame, into `out`: along the normal and the two tangents, then
/// about them. It acts on the second geom's body, its opposite on the first's. Zero for a contact without
/// constraint rows. @return CT_OK or CT_ERR_ARGUMENT (NULL, or no such contact)
CT_API ctStatus ct_contact_force(const ctModel* m, const ctData* d, int contact, ctReal out[6]);

/// How well the constraints were solved. `balance`: what M qacc - qfrc_smooth - qfrc_constraint leaves,
/// relative to the largest force in it. `force`: how far `efc_force` is from the forces that the constraints
/// exert at `qacc`, relative to the largest force. Both are zero at the exact solution and only there; the
/// noslip pass leaves it on purpose. Nothing but scratch of `d` is written.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_STEP_OVERFLOW (full arena)
CT_API ctStatus ct_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force);

#ifdef __cplusplus
}
#endif
