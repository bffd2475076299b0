#include "collide/collide.h"
#include "data/data.h"
#include "math/dense.h"
#include "query/forces.h"
#include "sense/sense.h"
#include "stage/constraint/constraint.h"
#include "stage/force/force.h"
#include "stage/position/position.h"
#include "stage/solve/solve.h"
#include "stage/velocity/velocity.h"
#include "step/pipeline.h"

static CT_FN ctStatus position_stages(const ctModel* m, ctData* d, bool forward) {
  double start = cti_timer_start(d), t = start;
  // an integrator that evaluates the dynamics several times holds scratch across them
  size_t held = d->pstack;
  cti_data_clear_arena(d);
  d->pstack = held;
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_kinematics(m, d);
  cti_com(m, d);
  cti_cameras(m, d);
  ctStatus status = cti_tendons(m, d);
  cti_timer_stop(d, CT_TIMER_POS_KINEMATICS, t);

  CT_RALLY();
  t = cti_timer_start(d);
  cti_mass_matrix(m, d);
  cti_tendon_inertia(m, d);
  status = cti_worse(status, cti_factor_mass(m, d));
  cti_timer_stop(d, CT_TIMER_POS_INERTIA, t);

  CT_RALLY();
  t = cti_timer_start(d);
  status = cti_worse(status, cti_collision(m, d));
  cti_timer_stop(d, CT_TIMER_POS_COLLISION, t);

  CT_RALLY();
  t = cti_timer_start(d);
  status = cti_worse(status, cti_make_constraints(m, d, forward));
  cti_timer_stop(d, CT_TIMER_POS_MAKE, t);

  CT_RALLY();
  status = cti_worse(status, cti_transmission(m, d));
  if (m->opt.enableflags & CT_ENBL_ENERGY) {
    cti_energy_position(m, d);
  } else {
    d->energy[0] = d->energy[1] = 0;
  }
  cti_timer_stop(d, CT_TIMER_POSITION, start);
  return status;
}

CT_FN ctStatus cti_forward_position(const ctModel* m, ctData* d) {
  return position_stages(m, d, true);
}

CT_FN ctStatus cti_inverse_position(const ctModel* m, ctData* d) {
  return position_stages(m, d, false);
}

CT_FN ctStatus cti_forward_velocity(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_tendon_velocity(m, d);
  cti_actuator_velocity(m, d);
  cti_com_velocity(m, d);
  cti_passive(m, d);
  cti_adhesion_force(m, d);
  cti_reference(m, d);
  ctStatus status = cti_bias_force(m, d, (const ctReal*)0, d->qfrc_bias);
  cti_tendon_bias(m, d);
  if (m->opt.enableflags & CT_ENBL_ENERGY) status = cti_worse(status, cti_energy_velocity(m, d));
  cti_timer_stop(d, CT_TIMER_VELOCITY, start);
  return status;
}

CT_FN ctStatus cti_forward_actuation(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  ctStatus status = cti_actuation(m, d);
  cti_timer_stop(d, CT_TIMER_ACTUATION, start);
  return status;
}

CT_FN ctStatus cti_forward_acceleration(const ctModel* m, ctData* d) {
  d->flg_rnepost = false;
  cti_smooth_acceleration(m, d);
  return CT_OK;
}

CT_FN ctStatus cti_forward_constraint(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  ctStatus status = cti_solve(m, d);
  cti_timer_stop(d, CT_TIMER_CONSTRAINT, start);
  return status;
}

// Sensors are read at the state the step starts from, not at those an integrator tries on the way.
static CT_FN ctStatus all_stages(const ctModel* m, ctData* d, bool sense) {
  double start = cti_timer_start(d);
  ctStatus status = cti_forward_position(m, d);
  if (sense) cti_sense(m, d, CT_STAGE_POS);
  CT_RALLY();
  status = cti_worse(status, cti_forward_velocity(m, d));
  if (sense) cti_sense(m, d, CT_STAGE_VEL);
  CT_RALLY();
  status = cti_worse(status, cti_forward_actuation(m, d));
  status = cti_worse(status, cti_forward_acceleration(m, d));
  CT_RALLY();
  status = cti_worse(status, cti_forward_constraint(m, d));
  CT_RALLY();
  if (sense) cti_sense(m, d, CT_STAGE_ACC);
  cti_timer_stop(d, CT_TIMER_FORWARD, start);
  return status;
}

CT_FN ctStatus cti_forward(const ctModel* m, ctData* d) {
  return all_stages(m, d, true);
}

CT_FN ctStatus cti_forward_dynamics(const ctModel* m, ctData* d) {
  return all_stages(m, d, false);
}
