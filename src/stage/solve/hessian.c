#include "stage/solve/hessian.h"

#include "data/arena.h"
#include "data/contact.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/solve/order.h"
#include "stage/solve/row_cost.h"

// Rank-one updates are worth it up to this part of the size: each walks over the whole factor.
#define UPDATES_PER_DOF CT_R(0.1)

// H is rebuilt when what is left of a diagonal is smaller than this part of what was taken from it.
#define WORN (sizeof(ctReal) == 4 ? CT_R(1e-4) : CT_R(1e-9))

// ---- pattern ----

CT_INLINE void reach(int* last, int from, int to) {
  if (last[from] < to) last[from] = to;
}

CT_INLINE bool any_in_column(const ctReal* J, int rows, int nv, int k) {
  for (int r = 0; r < rows; r++) {
    if (J[r * nv + k] != 0) return true;
  }
  return false;
}

// A dense block of rows that are multiplied with each other: its columns are those of any of its rows.
static CT_FN void reach_dense(int* last, const ctReal* J, int rows, int nv) {
  if (CT_TEAM > 1) {
    int most = -1;
    CT_LANES(k, nv) most = any_in_column(J, rows, nv, k) ? k : most;
    most = cti_team_max(most);
    CT_LANES(k, most + 1) {
      if (last[k] < most && any_in_column(J, rows, nv, k)) last[k] = most;
    }
    CT_TEAM_SYNC();
    return;
  }
  int end = nv - 1;
  while (end >= 0 && !any_in_column(J, rows, nv, end)) end--;
  for (int k = 0; k <= end; k++) {
    if (last[k] < end && any_in_column(J, rows, nv, k)) last[k] = end;
  }
}

// The same for one row, without branches.
static CT_FN void reach_row(int* CT_RESTRICT last, const ctReal* row, int nv) {
  int end = -1;
  for (int k = 0; k < nv; k++) end = row[k] != 0 ? k : end;
  for (int k = 0; k <= end; k++) last[k] = row[k] != 0 && last[k] < end ? end : last[k];
}

static CT_FN void reach_columns(const ctiHessian* h, const int* col, int n) {
  int end = -1;
  CT_LANES(k, n) end = cti_hessian_place(h, col[k]) > end ? cti_hessian_place(h, col[k]) : end;
  end = cti_team_max(end);
  CT_LANES(k, n) reach(h->sky.last, cti_hessian_place(h, col[k]), end);
  CT_TEAM_SYNC();
}

static CT_COLD void reach_metric(ctiHessian* h) {
  const ctiProblem* p = h->p;
  // both triangles are there: what is left of the diagonal is reached from the other side
  for (int i = 0; p->K && i < p->nv;) {
    const int* col = p->K_colind + p->K_rowadr[i];
    int end = -1, rows = p->K_rowsuper[i] + 1;
    for (int k = 0; k < p->K_rownnz[i]; k++)
      end = cti_hessian_place(h, col[k]) > end ? cti_hessian_place(h, col[k]) : end;
    for (; rows > 0; rows--, i++) {
      if (end > cti_hessian_place(h, i)) reach(h->sky.last, cti_hessian_place(h, i), end);
    }
  }
  for (int i = 0; i < p->nsquare; i++)
    reach_columns(h, p->square_colind + p->square_rowadr[i], p->square_rownnz[i]);
}

// How far right each row of H goes, over M and all rows of J, active or not.
static CT_FN void hessian_pattern(ctiHessian* h) {
  const ctiProblem* p = h->p;
  int* last = h->sky.last;
  if (CT_TEAM > 1) {
    // dofs of a tree stay in order: a row of M reaches to the last dof that hangs on it
    CT_LANES(i, p->nv) {
      int end = CT_PLAIN ? p->M_last[i] : cti_tree_last(p->M_rownnz, p->M_rowadr, p->M_colind, i, p->nv);
      last[cti_hessian_place(h, i)] = cti_hessian_place(h, end);
    }
    CT_TEAM_SYNC();
  } else {
    // a dof reaches as far as those that hang on it
    for (int i = 0; i < p->nv; i++) last[cti_hessian_place(h, i)] = cti_hessian_place(h, i);
    for (int i = p->nv - 1; i > 0; i--) {
      const int above = p->M_rownnz[i] - 2;
      if (above >= 0)
        reach(last, cti_hessian_place(h, p->M_colind[p->M_rowadr[i] + above]), last[cti_hessian_place(h, i)]);
    }
  }
  if (p->general) reach_metric(h);
  for (int i = 0; i < p->nefc;) {
    if (CT_TEAM == 1 && p->units.n > 0 && i == p->units.first) {  // they reach no other
      i += p->units.n;
      continue;
    }
    // rows with the same columns, and those of an elliptic contact, make one block
    int rows = p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? p->contact[p->id[i]].dim : 1;
    if (p->sparse) {
      reach_columns(h, p->J_colind + p->J_rowadr[i], p->J_rownnz[i]);
      rows = p->J_rowsuper[i] + 1;
    } else if (rows == 1 && CT_TEAM == 1) {
      reach_row(last, p->J + i * p->nv, p->nv);
    } else {
      reach_dense(last, p->J + i * p->nv, rows, p->nv);
    }
    i += rows;
  }
}

// What a factor with this pattern costs, more or less.
static CT_FN int64_t pattern_cost(const ctiSkyline* s) {
  int64_t cost = 0;
  for (int i = 0; i < s->n; i++) {
    int64_t width = s->last[i] - i + 1;
    cost += width * width;
  }
  CT_TEAM_SYNC();
  return cost;
}

// The better of two orders: dofs as they are, or with trees that touch each other close together.
CT_INLINE void choose_order(ctiHessian* h, int* place) {
  h->place = (int*)0;
  hessian_pattern(h);
  if (!h->p->sparse) return;
  int64_t cost = pattern_cost(&h->sky);
  if (!cti_order_trees(h->p, place)) return;
  h->place = place;
  hessian_pattern(h);
  if (pattern_cost(&h->sky) < cost) return;
  h->place = (int*)0;
  hessian_pattern(h);
}

// ---- factor or conjugate gradients ----

// Conjugate gradients need about so many products with H for each root of how unlike its scales are.
#define PRODUCTS CT_R(15)

// How many they will need: with as many as this they are not tried.
#define MOST_PRODUCTS CT_R(350)
static CT_FN ctReal expected_products(const ctiHessian* h) {
  const ctiProblem* p = h->p;
  ctReal most = 1;
  for (int i = 0; i < p->nv; i++)
    most = cti_max(most, 1 / (h->pcg.diag[i] * p->mass[p->M_rowadr[i] + p->M_rownnz[i] - 1]));
  return PRODUCTS * cti_sqrt(most);
}

// Sheets and solids have bodies that meet more others than those of a rod do. No order makes a small factor
// of them.
#define SOLID_FROM 600
static CT_FN bool is_solid(const ctiProblem* p, int64_t stiff) {
  return p->K && p->nv >= SOLID_FROM && stiff > 24 * (int64_t)p->nv;
}

// Only for deformables: others have few bodies that meet many. Makes the order of the factor when there is
// one.
static CT_FN bool choose_iterative(ctiHessian* h, int* place) {
  const ctiProblem* p = h->p;
  h->place = (int*)0;
  h->ordered = false;
  int64_t elements = 0, stiff = 0;
  if (!CT_PLAIN && p->flexes && p->sparse) {
    for (int i = 0; i < p->nv; i++) {
      elements += p->M_rownnz[i];
      stiff += p->K ? p->K_rownnz[i] : 0;
    }
    for (int i = 0; i < p->nefc; i++) elements += 2 * p->J_rownnz[i];
    elements += stiff;
  }
  if (!CT_PLAIN && elements > 0 && is_solid(p, stiff)) {
    if (!cti_iterative_allocate(&h->pcg, p)) return false;
    cti_iterative_make(&h->pcg);
    if (expected_products(h) < MOST_PRODUCTS) return true;
  }
  choose_order(h, place);
  h->ordered = true;
  if (CT_PLAIN || elements == 0) return false;
  const ctReal cost = (ctReal)pattern_cost(&h->sky);
  if (cost < 50 * (ctReal)elements || !cti_iterative_allocate(&h->pcg, p)) return false;
  cti_iterative_make(&h->pcg);
  const ctReal products = expected_products(h);
  return products < MOST_PRODUCTS && products * (ctReal)elements < cost;
}

// The factor of a matrix that conjugate gradients cannot cope with.
CT_INLINE bool allocate_factor(ctiHessian* h) {
  const ctiProblem* p = h->p;
  int ordered = h->place ? p->nv : 0;  // what only an order needs
  h->value = CTI_SHARED(p->d, ctReal, 6 * (int64_t)ordered, "hessian.value");
  h->col = CTI_SHARED(p->d, int, ordered, "hessian.col");
  h->order = CTI_SHARED(p->d, int, ordered, "hessian.order");
  if (!h->value || !h->col || !h->order) return false;
  cti_skyline_layout(&h->sky);
  // a team shares the elements of H: it has to know the row of each
  h->row_of = CTI_SHARED(p->d, uint16_t, CT_TEAM > 1 && !p->sparse ? h->sky.size : 0, "hessian.row_of");
  if (!h->row_of) return false;
  if (CT_TEAM > 1 && !p->sparse) {
    CT_LANES(i, p->nv) {
      for (int k = h->sky.adr[i]; k <= h->sky.adr[i] + h->sky.last[i] - i; k++) h->row_of[k] = (uint16_t)i;
    }
    CT_TEAM_SYNC();
  }
  h->U = CTI_SHARED(p->d, ctReal, h->sky.size, "hessian.U");
  h->H = CTI_SHARED(p->d, ctReal, h->sky.size, "hessian.H");
  return h->H && h->U;
}

CT_FN bool cti_hessian_allocate(ctiHessian* h, const ctiProblem* p) {
  h->p = p;
  h->sky.n = p->nv;
  h->sky.last = CTI_SHARED(p->d, int, p->nv, "hessian.last");
  h->sky.first = CTI_SHARED(p->d, int, p->nv, "hessian.first");
  h->sky.adr = CTI_SHARED(p->d, int, p->nv, "hessian.adr");
  const bool cones = !CT_PLAIN || p->opt->cone == CT_CONE_ELLIPTIC;
  h->work = CTI_SHARED(p->d, ctReal, (cones ? 6 : 1) * (int64_t)p->nv, "hessian.work");
  h->state = CTI_SHARED(p->d, int, p->nefc, "hessian.state");
  h->rows = CTI_SHARED(p->d, int, p->nefc, "hessian.rows");
  int* place = CTI_SHARED(p->d, int, p->sparse ? p->nv : 0, "hessian.place");
  if (!h->sky.last || !h->sky.first || !h->sky.adr || !h->work || !h->state || !h->rows || !place)
    return false;
  h->order_of = place;
  h->cones = false;
  h->updates = 0;
  h->iterative = choose_iterative(h, place);
  return h->iterative || allocate_factor(h);
}

// ---- anew ----

static CT_FN int factor_with_cones(ctiHessian* h) {
  const ctiProblem* p = h->p;
  cti_team_copy(h->U, h->H, (int)h->sky.size);
  h->cones = false;
  for (int i = 0; i < p->nefc; i++) {
    if (p->state[i] != CTI_ROW_CONE) continue;
    const ctContact* con = p->contact + p->id[i];
    cti_hessian_add_cone(h, h->U, i, cti_cone_hessian(p->d, p->id[i]), con->dim);
    h->cones = true;
    i += con->dim - 1;
  }
  return cti_skyline_factor(&h->sky, h->U, CTI_MINVAL);
}

// M where it belongs in H.
static CT_FN void place_mass(ctiHessian* h) {
  CT_COPY(ctiProblem, p, h->p);
  const ctiSkyline sky = h->sky;
  ctReal* CT_RESTRICT H = h->H;
  cti_team_zero(H, (int)sky.size);
  CT_LANES(i, p.nv) {
    int end = p.M_rowadr[i] + p.M_rownnz[i];
    for (int k = p.M_rowadr[i]; k < end; k++)
      H[cti_skyline_at(&sky, cti_hessian_place(h, cti_problem_column(&p, k)), cti_hessian_place(h, i))] =
          p.M[k];
  }
  CT_TEAM_SYNC();
}

// The rest of the metric.
static CT_COLD void add_metric(ctiHessian* h) {
  CT_COPY(ctiProblem, p, h->p);
  const ctiSkyline sky = h->sky;
  CT_LANES(i, p.K ? p.nv : 0) {
    int a = cti_hessian_place(h, i);
    for (int k = p.K_rowadr[i]; k < p.K_rowadr[i] + p.K_rownnz[i]; k++) {
      int b = cti_hessian_place(h, p.K_colind[k]);
      if (b >= a) h->H[cti_skyline_at(&sky, a, b)] += p.K[k];
    }
  }
  CT_TEAM_SYNC();
  for (int i = 0; i < p.nsquare; i++) {
    const int adr = p.square_rowadr[i], n = p.square_rownnz[i];
    CT_LANES(r, n) {
      int a = cti_hessian_place(h, p.square_colind[adr + r]);
      ctReal scaled = p.square_scale[i] * p.square[adr + r];
      for (int c = 0; c < n; c++) {
        int b = cti_hessian_place(h, p.square_colind[adr + c]);
        if (b >= a) h->H[cti_skyline_at(&sky, a, b)] += scaled * p.square[adr + c];
      }
    }
    CT_TEAM_SYNC();
  }
}

// List the rows that are active; returns how many.
static CT_FN int list_active(ctiHessian* h) {
  const int* state = h->p->state;
  const int n = h->p->nefc;
  int *CT_RESTRICT seen = h->state, *CT_RESTRICT rows = h->rows;
  int count = 0;
  for (int first = 0; first < n; first += CT_TEAM) {
    int i = first + CT_LANE, is = i < n ? state[i] : CTI_ROW_SATISFIED;
    bool active = is == CTI_ROW_QUADRATIC;
    if (i < n) seen[i] = is;
    int place = count + cti_team_rank(active);
    if (active) rows[place] = i;
    count += cti_team_count(active);
  }
  CT_TEAM_SYNC();
  return count;
}

// ---- changes ----

// One row joins or leaves the factor.
static CT_FN int update_factor(ctiHessian* h, int i) {
  const ctiProblem* p = h->p;
  ctReal* v = h->work;
  ctReal root = cti_sqrt(p->D[i]);
  int top = p->nv - 1;
  if (p->sparse) {
    int n = p->J_rownnz[i];
    const int* col = p->J_colind + p->J_rowadr[i];
    cti_team_zero(v, p->nv);
    top = -1;
    CT_LANES(k, n) {
      int to = cti_hessian_place(h, col[k]);
      v[to] = root * p->J[p->J_rowadr[i] + k];
      top = to > top ? to : top;
    }
    top = cti_team_max(top);
    CT_TEAM_SYNC();
  } else {
    cti_team_scale(v, p->J + i * p->nv, root, p->nv);
  }
  h->updates++;
  return cti_skyline_update(&h->sky, h->U, v, top, p->state[i] == CTI_ROW_QUADRATIC);
}

// Has a row that was taken out of H left so little in its columns that it is mostly rounding?
static CT_FN bool leaves_rounding(const ctiHessian* h, int i) {
  const ctiProblem* p = h->p;
  const int* col = p->sparse ? p->J_colind + p->J_rowadr[i] : (const int*)0;
  const ctReal* row = p->J + (p->sparse ? p->J_rowadr[i] : i * p->nv);
  int n = p->sparse ? p->J_rownnz[i] : p->nv;
  bool rounding = false;
  CT_LANES(k, n) {
    ctReal left = h->H[h->sky.adr[cti_hessian_place(h, col ? col[k] : k)]];
    rounding = rounding || (row[k] != 0 && !(left > WORN * p->D[i] * row[k] * row[k]));
    if (CT_TEAM == 1 && rounding) return true;
  }
  rounding = cti_team_any(rounding);
  CT_TEAM_SYNC();
  return rounding;
}

typedef struct RowChanges {
  int count;
  int joined;  // those of them that join or leave H
  bool cones;  // are there any now?
} RowChanges;

// List the rows that join or leave H.
static CT_FN RowChanges list_changes(ctiHessian* h) {
  const int* state = h->p->state;
  const int n = h->p->nefc;
  int *CT_RESTRICT seen = h->state, *CT_RESTRICT rows = h->rows;
  RowChanges changes = {0, 0, false};
  for (int first = 0; first < n; first += CT_TEAM) {
    int i = first + CT_LANE;
    int is = i < n ? state[i] : CTI_ROW_SATISFIED, was = i < n ? seen[i] : CTI_ROW_SATISFIED;
    bool joins = (was == CTI_ROW_QUADRATIC) != (is == CTI_ROW_QUADRATIC);
    changes.cones = cti_team_any(is == CTI_ROW_CONE) || changes.cones;
    changes.count += cti_team_count(is != was);
    int place = changes.joined + cti_team_rank(joins);
    if (joins) rows[place] = i;
    changes.joined += cti_team_count(joins);
    if (i < n) seen[i] = is;
  }
  CT_TEAM_SYNC();
  return changes;
}

// Bring H and the factor up to date with the rows. What is left of H may be mostly rounding: then `worn`.
// Returns whether the factor has to be computed again.
static CT_FN bool change_rows(ctiHessian* h, bool* worn) {
  const ctiProblem* p = h->p;
  RowChanges changes = list_changes(h);
  bool many = (ctReal)changes.count > UPDATES_PER_DOF * (ctReal)p->nv;
  bool refactor = changes.cones || h->cones || many;
  // additions and subtractions in turn may lose a pivot: then the factor is computed again
  for (int k = 0; k < changes.joined && !refactor; k++) refactor = update_factor(h, h->rows[k]) < p->nv;
  cti_hessian_add_rows(h, changes.joined);
  for (int k = 0; k < changes.joined && !*worn; k++)
    *worn = p->state[h->rows[k]] != CTI_ROW_QUADRATIC && leaves_rounding(h, h->rows[k]);
  return refactor;
}

CT_FN int cti_hessian_update(ctiHessian* h, bool anew) {
  const ctiProblem* p = h->p;
  bool refactor = true;
  h->updates = 0;
  if (!CT_PLAIN && h->iterative) {
    cti_iterative_make(&h->pcg);
    return p->nv;
  }
  if (!anew) refactor = change_rows(h, &anew);
  if (anew) {
    place_mass(h);
    if (p->general) add_metric(h);
    cti_hessian_add_rows(h, list_active(h));
    refactor = true;
  }
  return refactor ? factor_with_cones(h) : p->nv;
}

CT_FN int cti_hessian_make(ctiHessian* h) {
  return cti_hessian_update(h, true);
}

static CT_FN void factor_solve(const ctiHessian* h, ctReal* x, const ctReal* b) {
  if (!h->place) {
    cti_skyline_solve(&h->sky, h->U, x, b);
    return;
  }
  CT_LANES(i, h->sky.n) h->work[h->place[i]] = b[i];
  CT_TEAM_SYNC();
  cti_skyline_solve(&h->sky, h->U, h->work, h->work);
  CT_LANES(i, h->sky.n) x[i] = h->work[h->place[i]];
  CT_TEAM_SYNC();
}

// False when it takes too long: from here on with a factor.
static CT_COLD bool solve_by_iteration(ctiHessian* h, ctReal* x, const ctReal* b) {
  ctReal* found = h->work;
  bool done = cti_iterative_solve(&h->pcg, found, b);
  if (!done && !h->ordered) choose_order(h, h->order_of);
  if (done || !allocate_factor(h)) {
    cti_team_copy(x, found, h->p->nv);
    return true;
  }
  h->iterative = false;
  cti_hessian_make(h);
  return false;
}

CT_KERNEL_NOINLINE void cti_hessian_solve(ctiHessian* h, ctReal* x, const ctReal* b) {
  if (!CT_PLAIN && h->iterative && solve_by_iteration(h, x, b)) return;
  factor_solve(h, x, b);
}
