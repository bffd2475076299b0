#include "stage/solve/kkt.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/cost.h"

// The problem with forces and states of its own, so that looking does not change what was solved.
typedef struct Mirror {
  ctiProblem p;
  ctReal *jar, *Ma, *joint;
} Mirror;

// Forces of the rows at d->qacc, into p.force, and what they do to the joints.
static CT_FN bool mirror_forces(Mirror* s, const ctModel* m, ctData* d) {
  s->jar = CTI_SCRATCH(d, ctReal, d->nefc, "kkt.jar");
  s->Ma = CTI_SCRATCH(d, ctReal, m->nv, "kkt.Ma");
  s->joint = CTI_SCRATCH(d, ctReal, m->nv, "kkt.joint");
  ctReal* force = CTI_SCRATCH(d, ctReal, d->nefc, "kkt.force");
  int* state = CTI_SCRATCH(d, int, d->nefc, "kkt.state");
  if (!s->jar || !s->Ma || !s->joint || !force || !state) return false;
  cti_problem_whole(&s->p, m, d);
  s->p.force = force;
  s->p.state = state;
  cti_problem_residual(&s->p, s->jar, d->qacc);
  cti_row_costs(&s->p, s->jar, false);
  cti_problem_mul_JT(&s->p, s->joint, force);
  cti_problem_mul_M(&s->p, s->Ma, d->qacc);
  return true;
}

// Largest magnitude. Something that is not a number is larger than everything.
static CT_FN ctReal largest(ctReal so_far, ctReal x) {
  return cti_abs(x) <= so_far ? so_far : cti_abs(x);
}

CT_INLINE ctReal relative(ctReal rest, ctReal size) {
  return rest == 0 ? 0 : rest / cti_max(CTI_MINVAL, size);
}

CT_FN ctStatus cti_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force) {
  size_t mark = cti_scratch_mark(d);
  Mirror s;
  if (!mirror_forces(&s, m, d)) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  ctReal rest = 0, size = 0;
  for (int i = 0; i < d->nefc; i++) {
    rest = largest(rest, d->efc_force[i] - s.p.force[i]);
    size = largest(size, d->efc_force[i]);
    size = largest(size, s.p.force[i]);
  }
  *force = relative(rest, size);
  cti_problem_mul_JT(&s.p, s.joint, d->efc_force);
  rest = size = 0;
  for (int i = 0; i < m->nv; i++) {
    rest = largest(rest, s.Ma[i] - d->qfrc_smooth[i] - s.joint[i]);
    size = largest(size, s.Ma[i]);
    size = largest(size, d->qfrc_smooth[i]);
    size = largest(size, s.joint[i]);
  }
  *balance = relative(rest, size);
  cti_scratch_release(d, mark);
  return CT_OK;
}
