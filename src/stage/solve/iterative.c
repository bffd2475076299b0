#include "stage/solve/iterative.h"

#include "data/arena.h"
#include "data/contact.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/solve/row_cost.h"

// What is left of the right side, and how long to try.
#define RESIDUAL   (sizeof(ctReal) == 4 ? CT_R(1e-6) : CT_R(1e-13))
#define ITERATIONS 400

CT_FN bool cti_iterative_allocate(ctiIterative* s, const ctiProblem* p) {
  s->p = p;
  ctReal* room = CTI_SCRATCH(p->d, ctReal, 7 * (int64_t)p->nv + p->nefc, "iterative");
  if (!room) return false;
  s->low = CTI_SCRATCH(p->d, int, p->K ? p->nv : 0, "iterative.low");
  if (!s->low) return false;
  s->diag = room;
  s->r = room + p->nv;
  s->z = room + 2 * p->nv;
  s->dir = room + 3 * p->nv;
  s->Hdir = room + 4 * p->nv;
  s->joint = room + 5 * p->nv;
  s->weight = room + 6 * p->nv;
  s->row = room + 7 * p->nv;
  return true;
}

CT_FN void cti_iterative_make(ctiIterative* s) {
  CT_COPY(ctiProblem, p, s->p);
  ctReal* diag = s->diag;
  CT_LANES(i, p.nv) {
    diag[i] = p.M[p.M_rowadr[i] + p.M_rownnz[i] - 1];
    if (!p.K) continue;
    int k = p.K_rowadr[i], end = k + p.K_rownnz[i];
    while (k < end && p.K_colind[k] < i) k++;
    s->low[i] = k - p.K_rowadr[i];
    if (k < end && p.K_colind[k] == i) diag[i] += p.K[k];
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
  CT_LANES(i, p.nv) {
    s->weight[i] = cti_max(diag[i], CTI_MINVAL);
    diag[i] = 1 / s->weight[i];
  }
  CT_TEAM_SYNC();
}

// out += what the rows add to H v
static CT_FN void add_rows(const ctiIterative* s, ctReal* out, const ctReal* v) {
  const ctiProblem* p = s->p;
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
    const ctReal* H = cti_cone_hessian(p->d, p->id[i]);
    const int dim = p->contact[p->id[i]].dim;
    ctReal t[6];
    for (int k = 0; k < dim; k++) {
      t[k] = 0;
      for (int c = 0; c < dim; c++) t[k] += H[k * dim + c] * row[i + c];
    }
    for (int k = 0; k < dim; k++) row[i + k] = t[k];
    i += dim - 1;
  }
  cti_problem_mul_JT(p, s->joint, row);
  cti_team_add_to(out, s->joint, p->nv);
}

// ---- without stiffness: the diagonal says how heavy each dof is ----

static CT_FN bool solve_by_diagonal(const ctiIterative* s, ctReal* x, const ctReal* b) {
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
    cti_problem_mul_M(s->p, Hdir, dir);
    add_rows(s, Hdir, dir);
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

// ---- with stiffness: its triangles too ----
//
// H = L + D + L' + E, L the stiffness below the diagonal, D the diagonal of H, E what is left. The problem is
// turned into that of (D + L)^-1 H (D + L')^-1, whose product costs no more than one with H: with t = (D +
// L')^-1 v it is t + (D + L)^-1 (v - D t + E t) (Eisenstat 1981).

static CT_FN void solve_triangle(const ctiIterative* s, ctReal* x, bool lower) {
  const ctiProblem* p = s->p;
  if (CT_LANE == 0) {
    if (lower) {
      cti_csr_lower_solve(x, p->K, p->K_rownnz, p->K_rowadr, p->K_rowsuper, p->K_colind, s->low, s->diag,
                          p->nv);
    } else {
      cti_csr_upper_solve(x, p->K, p->K_rownnz, p->K_rowadr, p->K_rowsuper, p->K_colind, s->low, s->diag,
                          p->nv);
    }
  }
  CT_TEAM_SYNC();
}

// out += E t: M beside its diagonal, squares and rows, less what of them is on the diagonal
static CT_FN void add_rest(const ctiIterative* s, ctReal* out, const ctReal* t) {
  ctiProblem p = *s->p;
  p.K = (const ctReal*)0;
  cti_problem_mul_M(&p, s->z, t);
  add_rows(s, s->z, t);
  CT_LANES(i, p.nv) {
    int k = s->p->K_rowadr[i] + s->low[i];
    bool own = s->low[i] < s->p->K_rownnz[i] && s->p->K_colind[k] == i;
    ctReal rest = s->weight[i] - (own ? s->p->K[k] : CT_R(0));
    out[i] += s->z[i] - rest * t[i];
  }
  CT_TEAM_SYNC();
}

// Is the diagonal all there is besides stiffness?
static CT_FN bool rest_is_diagonal(const ctiProblem* p) {
  bool more = p->nefc > 0 || p->nsquare > 0;
  CT_LANES(i, p->nv) more = more || p->M_rownnz[i] > 1;
  return !cti_team_any(more);
}

static CT_FN bool solve_by_triangles(const ctiIterative* s, ctReal* x, const ctReal* b) {
  const int n = s->p->nv;
  const bool plain = rest_is_diagonal(s->p);
  const ctReal* CT_RESTRICT weight = s->weight;
  ctReal *r = s->r, *t = s->dir, *v = s->Hdir, *q = s->joint;
  // rows need a vector of their own
  size_t mark = cti_scratch_mark(s->p->d);
  if (!plain) q = CTI_SCRATCH(s->p->d, ctReal, n, "iterative.q");
  if (!q) return false;
  cti_team_zero(x, n);
  cti_team_copy(r, b, n);
  solve_triangle(s, r, true);
  ctReal rz = 0;
  for (int first = 0; first < n; first += CT_TEAM) {
    int i = first + CT_LANE;
    if (i < n) v[i] = r[i] * weight[i];
    rz = cti_team_add(rz, i < n ? r[i] * v[i] : CT_R(0), n - first);
  }
  CT_TEAM_SYNC();
  const ctReal enough = RESIDUAL * RESIDUAL * rz;
  bool done = !(rz > 0);
  for (int k = 0; k < ITERATIONS && !done; k++) {
    cti_team_copy(t, v, n);
    solve_triangle(s, t, false);
    CT_LANES(i, n) q[i] = v[i] - t[i] * weight[i];
    CT_TEAM_SYNC();
    if (!plain) add_rest(s, q, t);
    solve_triangle(s, q, true);
    cti_team_add_to(q, t, n);
    ctReal along = cti_team_dot(v, q, n);
    if (!(along > 0)) break;
    ctReal step = rz / along, next = 0;
    for (int first = 0; first < n; first += CT_TEAM) {
      int i = first + CT_LANE;
      ctReal term = 0;
      if (i < n) {
        x[i] += step * t[i];
        r[i] -= step * q[i];
        term = r[i] * r[i] * weight[i];
      }
      next = cti_team_add(next, term, n - first);
    }
    CT_TEAM_SYNC();
    done = !(next > enough);
    ctReal keep = next / rz;
    rz = next;
    CT_LANES(i, n) v[i] = r[i] * weight[i] + keep * v[i];
    CT_TEAM_SYNC();
  }
  cti_scratch_release(s->p->d, mark);
  return done;
}

CT_KERNEL_NOINLINE bool cti_iterative_solve(const ctiIterative* s, ctReal* x, const ctReal* b) {
  return s->p->K ? solve_by_triangles(s, x, b) : solve_by_diagonal(s, x, b);
}
