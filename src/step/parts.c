// The parts of the stages as public calls. Host code.
#include "corten/parts.h"

#include "base/error.h"
#include "collide/collide.h"
#include "data/arena.h"
#include "data/data.h"
#include "math/dense.h"
#include "query/forces.h"
#include "sense/sense.h"
#include "stage/constraint/constraint.h"
#include "stage/force/force.h"
#include "stage/position/flex.h"
#include "stage/position/position.h"
#include "stage/solve/islands.h"
#include "stage/velocity/velocity.h"
#include "step/step.h"

static ctStatus kinematics(const ctModel* m, ctData* d) {
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_kinematics(m, d);
  return CT_OK;
}

static ctStatus mass(const ctModel* m, ctData* d) {
  cti_mass_matrix(m, d);
  cti_tendon_inertia(m, d);
  return CT_OK;
}

static ctStatus collision(const ctModel* m, ctData* d) {
  cti_data_clear_arena(d);
  ctStatus status = cti_collision(m, d);
  cti_data(d)->parena_rows = cti_data(d)->parena;
  return status;
}

// Only the contacts stay in the arena: they were taken first.
static void discard_rows(ctData* d) {
  ctiData* own = cti_data(d);
  ctContact* contact = d->contact;
  int ncon = d->ncon;
  size_t end = contact ? (size_t)((ctByte*)(contact + ncon) - own->arena) : 0;
  cti_data_clear_arena(d);
  d->contact = contact;
  d->ncon = ncon;
  own->parena = own->parena_rows = CTI_ALIGNED(end);
}

static ctStatus make_rows(const ctModel* m, ctData* d) {
  discard_rows(d);
  ctStatus status = cti_make_constraints(m, d, true);
  cti_data(d)->parena_rows = cti_data(d)->parena;
  return status;
}

// An arena that grows loses the contacts.
static ctStatus collision_and_rows(const ctModel* m, ctData* d) {
  ctStatus status = collision(m, d);
  return cti_arena_short(d) ? status : cti_worse(status, make_rows(m, d));
}

// What an earlier solve of the rows has made is not needed.
static ctStatus islands(const ctModel* m, ctData* d) {
  cti_data(d)->parena = cti_data(d)->parena_rows;
  return cti_find_islands(m, d);
}

static ctStatus rows_and_islands(const ctModel* m, ctData* d) {
  ctStatus status = collision_and_rows(m, d);
  return cti_arena_short(d) ? status : cti_worse(status, islands(m, d));
}

static ctStatus com_velocity(const ctModel* m, ctData* d) {
  d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_com_velocity(m, d);
  return CT_OK;
}

static ctStatus bias(const ctModel* m, ctData* d) {
  ctStatus status = cti_bias_force(m, d, NULL, d->qfrc_bias);
  cti_tendon_bias(m, d);
  return status;
}

static ctStatus implicit(const ctModel* m, ctData* d) {
  int kind = m->opt.integrator;
  bool own = kind == CT_INT_IMPLICIT || kind == CT_INT_IMPLICITFAST;
  return cti_advance(m, d, own ? kind : CT_INT_IMPLICIT);
}

// X(part, call)
#define CALL_LIST(X)                                                  \
  X(COM, (cti_com(m, d), CT_OK))                                      \
  X(CAMERAS, (cti_cameras(m, d), CT_OK))                              \
  X(CRB, (cti_mass_matrix(m, d), CT_OK))                              \
  X(ENERGY_POSITION, (cti_energy_position(m, d), CT_OK))              \
  X(TENDON_VELOCITY, (cti_tendon_velocity(m, d), CT_OK))              \
  X(ACTUATOR_VELOCITY, (cti_actuator_velocity(m, d), CT_OK))          \
  X(PASSIVE, cti_passive(m, d))                                       \
  X(REFERENCE, (cti_reference(m, d), CT_OK))                          \
  X(SUBTREE_VELOCITY, (cti_subtree_velocity(m, d), CT_OK))            \
  X(BODY_FORCES, (cti_post_constraint(m, d), CT_OK))                  \
  X(SENSE_POSITION, (cti_sense(m, d, CT_STAGE_POS), CT_OK))           \
  X(SENSE_VELOCITY, (cti_sense(m, d, CT_STAGE_VEL), CT_OK))           \
  X(SENSE_ACCELERATION, (cti_sense(m, d, CT_STAGE_ACC), CT_OK))       \
  X(CHECK_POSITION, cti_check(m, d, d->qpos, m->nq, CT_WARN_BADQPOS)) \
  X(CHECK_VELOCITY, cti_check(m, d, d->qvel, m->nv, CT_WARN_BADQVEL)) \
  X(ADVANCE_EULER, cti_advance(m, d, CT_INT_EULER))                   \
  X(ADVANCE_RK4, cti_advance(m, d, CT_INT_RK4))                       \
  X(FLEXES, m->nflex ? cti_flexes(m, d) : CT_OK)

#define X(part, call)                                        \
  static ctStatus call_##part(const ctModel* m, ctData* d) { \
    return call;                                             \
  }
CALL_LIST(X)
#undef X

static ctiCall* const parts[CT_PART_COUNT] = {
#define X(part, call) [CT_PART_##part] = call_##part,
    CALL_LIST(X)
#undef X
        [CT_PART_KINEMATICS] = kinematics,
    [CT_PART_TENDONS] = cti_tendons,
    [CT_PART_MASS] = mass,
    [CT_PART_FACTOR] = cti_factor_mass,
    [CT_PART_COLLISION] = collision,
    [CT_PART_TRANSMISSION] = cti_transmission,
    [CT_PART_COM_VELOCITY] = com_velocity,
    [CT_PART_BIAS] = bias,
    [CT_PART_ENERGY_VELOCITY] = cti_energy_velocity,
    [CT_PART_CHECK_ACCELERATION] = cti_check_acceleration,
    [CT_PART_INVERSE_POSITION] = cti_inverse_position,
    [CT_PART_INVERSE_CONSTRAINT] = cti_inverse_constraint,
    [CT_PART_COMPARE] = cti_compare_forward_inverse,
    [CT_PART_ADVANCE_IMPLICIT] = implicit,
    [CT_PART_ISLANDS] = islands,
};

ctStatus ct_part_run(const ctModel* m, ctData* d, ctPart part) {
  if (!cti_data_fits(m, d) || (int)part < 0 || part >= CT_PART_COUNT) return CT_ERR_ARGUMENT;
  if (part == CT_PART_ISLANDS) {
    ctStatus found = islands(m, d);
    return cti_arena_short(d) ? cti_run(m, d, rows_and_islands) : found;
  }
  if (part != CT_PART_CONSTRAINTS) return cti_run(m, d, parts[part]);
  ctStatus status = make_rows(m, d);
  return cti_arena_short(d) ? cti_run(m, d, collision_and_rows) : status;
}

ctStatus ct_bias_force(const ctModel* m, ctData* d, bool with_acc, ctReal* out) {
  if (!cti_data_fits(m, d) || !out) return CT_ERR_ARGUMENT;
  return cti_bias_force(m, d, with_acc ? d->qacc : NULL, out);
}

ctStatus ct_rows_mul(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out || in == out) return CT_ERR_ARGUMENT;
  if (d->nefc > 0) cti_mul_J(m, d, out, in);
  return CT_OK;
}

ctStatus ct_rows_mul_transposed(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out || in == out) return CT_ERR_ARGUMENT;
  cti_zero(out, m->nv);
  if (d->nefc > 0) cti_mul_JT(m, d, out, in);
  return CT_OK;
}
