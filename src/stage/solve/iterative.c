#include "stage/solve/iterative.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/row_cost.h"

// What is left of the right side, and how long to try.
#define RESIDUAL   (sizeof(ctReal) == 4 ? CT_R(1e-6) : CT_R(1e-13))
#define ITERATIONS 400

CT_FN bool cti_iterative_allocate(ctiIterative* s, const ctiProblem* p) {
  s->p = p;
  ctReal* room = CTI_SCRATCH(p->d, ctReal, 6 * (int64_t)p->nv + p->nefc, "iterative");
  if (!room) return false;
  s->diag = room;
  s->r = room + p->nv;
  s->z = room + 2 * p->nv;
  s->dir = room + 3 * p->nv;
  s->Hdir = room + 4 * p->nv;
  s->joint = room + 5 * p->nv;
  s->row = room + 6 * p->nv;
  return true;
}

CT_FN void cti_iterative_make(ctiIterative* s) {
  CT_COPY(ctiProblem, p, s->p);
  ctReal* diag = s->diag;
  CT_LANES(i, p.nv) {
    diag[i] = p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
    for (int k = p.K ? p.K_rowadr[i] : 0, end = p.K ? k + p.K_rownnz[i] : 0; k < end; k++) {
      if (p.K_colind[k] != i) continue;
      diag[i] += p.K[k];
      break;
    }
  }
  CT_TEAM_SYNC();
  for (int i = 0; i < p.nsquare; i++) {
    for (int k = p.square_rowadr[i]; k < p.square_rowadr[i] + p.square_rownnz[i]; k++)
      diag[p.square_colind[k]] += p.square_scale[i] * p.square[k] * p.square[k];
  }
  for (int i = 0; i < p.nefc; i++) {
    if (p.state[i] != CTI_ROW_QUADRATIC && p.state[i] != CTI_ROW_CONE) continue;
    const ctReal* J = p.J + (p.sparse ? p.J_rowadr[i] : (int64_t)i * p.nv);
    const int n = p.sparse ? p.J_rownnz[i] : p.nv;
    for (int k = 0; k < n; k++) diag[p.sparse ? p.J_colind[p.J_rowadr[i] + k] : k] += p.D[i] * J[k] * J[k];
  }
  CT_LANES(i, p.nv) diag[i] = 1 / cti_max(diag[i], CTI_MINVAL);
  CT_TEAM_SYNC();
}

// out = H v
static CT_FN void apply(const ctiIterative* s, ctReal* out, const ctReal* v) {
  const ctiProblem* p = s->p;
  cti_problem_mul_M(p, out, v);
  if (p->nefc == 0) return;
  ctReal* row = s->row;
  cti_problem_mul_J(p, row, v);
  CT_LANES(i, p->nefc) {
    if (p->state[i] == CTI_ROW_CONE) continue;
    row[i] = p->state[i] == CTI_ROW_QUADRATIC ? p->D[i] * row[i] : CT_R(0);
  }
  CT_TEAM_SYNC();
  for (int i = p->ne + p->nf; i < p->nefc; i++) {
    if (p->state[i] != CTI_ROW_CONE) continue;
    const ctContact* con = p->contact + p->id[i];
    ctReal t[6];
    for (int k = 0; k < con->dim; k++) {
      t[k] = 0;
      for (int c = 0; c < con->dim; c++) t[k] += con->H[k * con->dim + c] * row[i + c];
    }
    for (int k = 0; k < con->dim; k++) row[i + k] = t[k];
    i += con->dim - 1;
  }
  cti_problem_mul_JT(p, s->joint, row);
  cti_team_add_to(out, s->joint, p->nv);
}

CT_FN bool cti_iterative_solve(const ctiIterative* s, ctReal* x, const ctReal* b) {
  const int n = s->p->nv;
  ctReal *r = s->r, *z = s->z, *dir = s->dir, *Hdir = s->Hdir;
  const ctReal enough = RESIDUAL * cti_team_norm(b, n);
  cti_team_zero(x, n);
  cti_team_copy(r, b, n);
  CT_LANES(i, n) z[i] = dir[i] = s->diag[i] * r[i];
  CT_TEAM_SYNC();
  ctReal rz = cti_team_dot(r, z, n);
  for (int k = 0; k < ITERATIONS; k++) {
    if (!(cti_team_norm(r, n) > enough)) return true;
    apply(s, Hdir, dir);
    ctReal along = cti_team_dot(dir, Hdir, n);
    if (!(along > 0)) return false;
    ctReal step = rz / along;
    cti_team_add_scaled(x, dir, step, n);
    cti_team_add_scaled(r, Hdir, -step, n);
    CT_LANES(i, n) z[i] = s->diag[i] * r[i];
    CT_TEAM_SYNC();
    ctReal next = cti_team_dot(r, z, n), keep = next / rz;
    rz = next;
    CT_LANES(i, n) dir[i] = z[i] + keep * dir[i];
    CT_TEAM_SYNC();
  }
  return false;
}
