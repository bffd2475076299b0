#include "step/integrate.h"

#include "math/dense.h"
#include "math/quat.h"

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

CT_FN void cti_advance(const ctModel* m, ctData* d, const ctReal* qacc) {
  cti_add_scaled(d->qvel, qacc, m->opt.timestep, m->nv);
  cti_integrate_pos(m, d->qpos, d->qvel, m->opt.timestep);
  d->time += m->opt.timestep;
  // what the next solve starts from is the solver's own acceleration
  cti_copy(d->qacc_warmstart, d->qacc, m->nv);
}
