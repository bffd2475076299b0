#include "step/integrate.h"

#include "math/dense.h"
#include "math/quat.h"
#include "stage/force/activation.h"
#include "stage/force/history.h"

CT_FN void cti_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* vel, ctReal dt) {
  for (int j = 0; j < m->njnt; j++) {
    ctReal* q = qpos + m->jnt_qposadr[j];
    const ctReal* v = vel + m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case CT_JOINT_FREE:
        cti_add_scaled3(q, v, dt);
        q += 3;
        v += 3;
        // its rotation is that of a ball
        // fall through
      case CT_JOINT_BALL: cti_quat_integrate(q, v, dt); break;
      default: q[0] += dt * v[0];
    }
  }
}

CT_FN void cti_advance(const ctModel* m, ctData* d, const ctReal* qacc, const ctReal* act_dot,
                       const ctReal* vel) {
  cti_history_push(m, d);
  if (!(m->opt.disableflags & CT_DSBL_ACTUATION)) cti_advance_activations(m, d, act_dot);
  cti_add_scaled(d->qvel, qacc, m->opt.timestep, m->nv);
  if (!vel) vel = d->qvel;
  cti_integrate_pos(m, d->qpos, vel, m->opt.timestep);
  d->time += m->opt.timestep;
  if (m->nplastic) cti_plastic_yield(m, d, vel);
  // what the next solve starts from is the solver's own acceleration
  cti_copy(d->qacc_warmstart, d->qacc, m->nv);
}
