#include "stage/solve/problem.h"

#include "data/arena.h"
#include "data/awake.h"
#include "math/tree_ldl.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/solve/row_cost.h"

static CT_FN ctReal trace_scale(const ctiProblem* p) {
  ctReal trace = 0;
  for (int first = 0; first < p->nv; first += CT_TEAM) {
    int i = first + CT_LANE;
    ctReal term = i < p->nv ? p->mass[p->M_rowadr[i] + p->M_rownnz[i] - 1] : CT_R(0);
    trace = cti_team_add(trace, term, p->nv - first);
  }
  return 1 / cti_max(CTI_MINVAL, trace);
}

// What the discrete integrator adds to the pattern of M.
static CT_COLD void metric_fields(ctiProblem* p, const ctData* d, const ctiMetric* metric) {
  p->K = d->nefmK ? d->efm_K_val : (const ctReal*)0;
  p->K_rownnz = d->efm_K_rownnz;
  p->K_rowadr = d->efm_K_rowadr;
  p->K_rowsuper = metric->K_rowsuper;
  p->K_colind = d->efm_K_colind;
  p->nsquare = metric->nrow;
  p->square = metric->value;
  p->square_scale = metric->scale;
  p->square_rownnz = metric->rownnz;
  p->square_rowadr = metric->rowadr;
  p->square_colind = metric->colind;
  p->general = p->K || p->nsquare > 0;
}

static CT_FN void problem_fields(ctiProblem* p, const ctModel* m, ctData* d) {
  p->nv = m->nv;
  p->nefc = d->nefc;
  p->ne = d->ne;
  p->nf = d->nf;
  const ctiMetric* metric = &cti_data_const(d)->metric;
  const bool shifted = cti_has_metric(d);
  p->mass = d->M;
  p->M = shifted ? metric->H : d->M;
  p->LD = shifted ? metric->LD : d->qLD;
  p->Dinv = shifted ? metric->Dinv : d->qLDiagInv;
  p->K = (const ctReal*)0;
  p->nsquare = 0;
  p->general = false;
  if (shifted) metric_fields(p, d, metric);
  p->flexes = cti_has_flexes(m);
  // as where all bodies are points: then M has as many elements as dofs
  p->diagonal = p->flexes && m->nC == m->nv;
  p->M_rownnz = m->M_rownnz;
  p->M_rowadr = m->M_rowadr;
  p->M_colind = m->M_colind;
  p->nC = (int)m->nC;
  p->tree = m->dof_treeid;
  p->sparse = cti_is_sparse(m);
  p->J = d->efc_J;
  p->J_rownnz = d->efc_J_rownnz;
  p->J_rowadr = d->efc_J_rowadr;
  p->J_rowsuper = d->efc_J_rowsuper;
  p->J_colind = d->efc_J_colind;
  p->type = d->efc_type;
  p->id = d->efc_id;
  p->D = d->efc_D;
  p->R = d->efc_R;
  p->frictionloss = d->efc_frictionloss;
  p->aref = d->efc_aref;
  p->contact = d->contact;
  p->Ma0 = p->jar0 = (const ctReal*)0;
  p->dof = p->row = (const int*)0;
  p->qacc_smooth = d->qacc_smooth;
  p->qfrc_smooth = shifted ? metric->force : d->qfrc_smooth;
  p->qacc = d->qacc;
  p->qfrc_constraint = d->qfrc_constraint;
  p->force = d->efc_force;
  p->state = d->efc_state;
  p->opt = &m->opt;
  p->stat = d->solver;
  p->niter = p->nnz = 0;
  p->d = d;
}

CT_FN void cti_problem_whole(ctiProblem* p, const ctModel* m, ctData* d) {
  problem_fields(p, m, d);
  p->units = cti_unit_rows(p->type, p->id, p->ne, p->sparse ? 0 : p->nf);
  p->scale = 0;
}

CT_FN void cti_problem_scale(ctiProblem* p) {
  p->scale = trace_scale(p);
}

// Columns of a row, counted from the first dof of their island.
CT_INLINE void island_row(int* CT_RESTRICT to, const int* col, int n, const int* place, int base) {
  for (int k = 0; k < n; k++) to[k] = place[col[k]] - base;
}

// The same for the metric. Its rows stay within an island, or outside of all.
static CT_COLD bool metric_columns(ctiIslandColumns* columns, const ctModel* m, ctData* d) {
  const ctiMetric* metric = &cti_data_const(d)->metric;
  const int *place = d->map_dof2idof, *adr = d->island_idofadr;
  if (d->nefmK) {
    int* K = CTI_SCRATCH(d, int, d->nefmK, "island.K_colind");
    if (!K) return false;
    CT_LANES(i, m->nv) {
      if (d->dof_island[i] >= 0)
        island_row(K + d->efm_K_rowadr[i], d->efm_K_colind + d->efm_K_rowadr[i], d->efm_K_rownnz[i], place,
                   adr[d->dof_island[i]]);
    }
    CT_TEAM_SYNC();
    columns->K = K;
  }
  if (metric->nrow) {
    int last = metric->nrow - 1;
    int* square = CTI_SCRATCH(d, int, metric->rowadr[last] + metric->rownnz[last], "island.square_colind");
    if (!square) return false;
    CT_LANES(i, metric->nrow) {
      const int *col = metric->colind + metric->rowadr[i], n = metric->rownnz[i];
      if (n > 0 && d->dof_island[col[0]] >= 0)
        island_row(square + metric->rowadr[i], col, n, place, adr[d->dof_island[col[0]]]);
    }
    columns->square = square;
  }
  CT_TEAM_SYNC();
  return true;
}

CT_FN bool cti_island_columns(ctiIslandColumns* columns, const ctModel* m, ctData* d) {
  if (d->nidof == m->nv && d->nisland == 1) {
    const ctiMetric* metric = &cti_data_const(d)->metric;
    columns->M = m->M_colind;
    columns->J = d->efc_J_colind;
    columns->K = d->efm_K_colind;
    columns->square = metric->colind;
    return true;
  }
  bool sparse = cti_is_sparse(m);
  int* M = CTI_SCRATCH(d, int, m->nC, "island.M_colind");
  int* J = sparse ? CTI_SCRATCH(d, int, d->nJ, "island.J_colind") : (int*)0;
  if (!M || (sparse && !J)) return false;
  columns->M = M;
  columns->J = J;
  columns->K = columns->square = (const int*)0;
  if (cti_has_metric(d) && !metric_columns(columns, m, d)) return false;
  const int *place = d->map_dof2idof, *adr = d->island_idofadr, *of_dof = d->dof_island,
            *M_rowadr = m->M_rowadr, *M_rownnz = m->M_rownnz, *M_colind = m->M_colind;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    if (of_dof[i] < 0) continue;
    island_row(M + M_rowadr[i], M_colind + M_rowadr[i], M_rownnz[i], place, adr[of_dof[i]]);
  }
  const int *J_rowadr = d->efc_J_rowadr, *J_rownnz = d->efc_J_rownnz, *J_colind = d->efc_J_colind,
            *of_row = d->efc_island;
  CT_LANES(i, sparse ? d->nefc : 0) {
    island_row(J + J_rowadr[i], J_colind + J_rowadr[i], J_rownnz[i], place, adr[of_row[i]]);
  }
  CT_TEAM_SYNC();
  return true;
}

// Addresses of the rows of M, trees, and the inverse diagonal of its factor.
static CT_FN bool island_mass(ctiProblem* p, const ctModel* m, ctData* d, const int* dof) {
  int* rownnz = CTI_SCRATCH(d, int, p->nv, "island.M_rownnz");
  int* rowadr = CTI_SCRATCH(d, int, p->nv, "island.M_rowadr");
  int* tree = CTI_SCRATCH(d, int, p->nv, "island.tree");
  ctReal* Dinv = CTI_SCRATCH(d, ctReal, p->nv, "island.Dinv");
  if (!rownnz || !rowadr || !tree || !Dinv) return false;
  CT_LANES(i, p->nv) {
    rownnz[i] = m->M_rownnz[dof[i]];
    rowadr[i] = m->M_rowadr[dof[i]];
    tree[i] = m->dof_treeid[dof[i]];
    Dinv[i] = p->Dinv[dof[i]];
  }
  CT_TEAM_SYNC();
  p->M_rownnz = rownnz;
  p->M_rowadr = rowadr;
  p->tree = tree;
  p->Dinv = Dinv;
  return true;
}

// Addresses of the rows of the metric beside it.
static CT_FN bool island_metric(ctiProblem* p, ctData* d, const ctiIslandColumns* columns, const int* dof,
                                int island) {
  const ctiMetric* metric = &cti_data_const(d)->metric;
  if (p->K) {
    int* rownnz = CTI_SCRATCH(d, int, p->nv, "island.K_rownnz");
    int* rowadr = CTI_SCRATCH(d, int, p->nv, "island.K_rowadr");
    int* rowsuper = CTI_SCRATCH(d, int, p->nv, "island.K_rowsuper");
    if (!rownnz || !rowadr || !rowsuper) return false;
    CT_LANES(i, p->nv) {
      rownnz[i] = d->efm_K_rownnz[dof[i]];
      rowadr[i] = d->efm_K_rowadr[dof[i]];
      rowsuper[i] = metric->K_rowsuper[dof[i]];  // rows with the same columns follow each other in the island
    }
    CT_TEAM_SYNC();
    p->K_rownnz = rownnz;
    p->K_rowadr = rowadr;
    p->K_rowsuper = rowsuper;
    p->K_colind = columns->K;
  }
  if (p->nsquare > 0) {
    int* rownnz = CTI_SCRATCH(d, int, metric->nrow, "island.square_rownnz");
    int* rowadr = CTI_SCRATCH(d, int, metric->nrow, "island.square_rowadr");
    ctReal* scale = CTI_SCRATCH(d, ctReal, metric->nrow, "island.square_scale");
    if (!rownnz || !rowadr || !scale) return false;
    p->nsquare = 0;
    for (int i = 0; i < metric->nrow; i++) {
      if (metric->rownnz[i] == 0 || d->dof_island[metric->colind[metric->rowadr[i]]] != island) continue;
      rownnz[p->nsquare] = metric->rownnz[i];
      rowadr[p->nsquare] = metric->rowadr[i];
      scale[p->nsquare++] = metric->scale[i];
    }
    p->square_rownnz = rownnz;
    p->square_rowadr = rowadr;
    p->square_scale = scale;
    p->square_colind = columns->square;
  }
  return true;
}

// Addresses of the rows of a sparse J, or a copy of the island's part of a dense one.
static CT_FN bool island_jacobian(ctiProblem* p, const ctModel* m, ctData* d, const int* dof,
                                  const int* row) {
  if (p->nv == m->nv && p->nefc == d->nefc) return true;
  if (p->sparse) {
    int* rownnz = CTI_SCRATCH(d, int, p->nefc, "island.J_rownnz");
    int* rowadr = CTI_SCRATCH(d, int, p->nefc, "island.J_rowadr");
    int* rowsuper = CTI_SCRATCH(d, int, p->nefc, "island.J_rowsuper");
    if (!rownnz || !rowadr || !rowsuper) return false;
    CT_LANES(i, p->nefc) {
      rownnz[i] = d->efc_J_rownnz[row[i]];
      rowadr[i] = d->efc_J_rowadr[row[i]];
      rowsuper[i] = d->efc_J_rowsuper[row[i]];  // rows with the same columns are in the same island
    }
    CT_TEAM_SYNC();
    p->J_rownnz = rownnz;
    p->J_rowadr = rowadr;
    p->J_rowsuper = rowsuper;
    return true;
  }
  ctReal* J = CTI_SCRATCH(d, ctReal, (int64_t)p->nefc * p->nv, "island.J");
  if (!J) return false;
  if (CT_TEAM > 1) {
    for (int i = 0; i < p->nefc; i++) {
      const ctReal* from = d->efc_J + row[i] * m->nv;
      CT_LANES(k, p->nv) J[i * p->nv + k] = from[dof[k]];
    }
    CT_TEAM_SYNC();
  } else {
    // dofs that follow each other in the model, as those of trees do, together
    for (int k = 0, end = 0; k < p->nv; k = end) {
      for (end = k + 1; end < p->nv && dof[end] == dof[end - 1] + 1;) end++;
      for (int i = 0; i < p->nefc; i++)
        cti_copy(J + i * p->nv + k, d->efc_J + row[i] * m->nv + dof[k], end - k);
    }
  }
  p->J = J;
  return true;
}

// Rows of the friction of dofs name dofs of the model: their columns in the island.
static CT_FN bool island_units(ctiProblem* p, const ctModel* m, ctData* d, int first_dof) {
  p->units = cti_unit_rows(p->type, p->id, p->ne, p->sparse ? 0 : p->nf);
  if (p->units.n == 0 || p->nv == m->nv) return true;
  int* col = CTI_SCRATCH(d, int, p->units.n, "island.unit_columns");
  if (!col) return false;
  for (int k = 0; k < p->units.n; k++) col[k] = d->map_dof2idof[p->units.col[k]] - first_dof;
  p->units.col = col;
  return true;
}

CT_FN bool cti_problem_island(ctiProblem* p, const ctModel* m, ctData* d, const ctiIslandColumns* columns,
                              int island) {
  int idof = d->island_idofadr[island], iefc = d->island_iefcadr[island];
  const int *dof = d->map_idof2dof + idof, *row = d->map_iefc2efc + iefc;
  problem_fields(p, m, d);
  p->nv = d->island_nv[island];
  p->nefc = d->island_nefc[island];
  p->ne = d->island_ne[island];
  p->nf = d->island_nf[island];
  p->M_colind = columns->M;
  p->J_colind = columns->J;
  // an island with all dofs has the rows of M as they are
  if (p->nv < m->nv && !island_mass(p, m, d, dof)) return false;
  if (!island_jacobian(p, m, d, dof, row)) return false;
  if (p->general && !island_metric(p, d, columns, dof, island)) return false;
  p->type = d->iefc_type + iefc;
  p->id = d->iefc_id + iefc;
  if (!island_units(p, m, d, idof)) return false;
  p->D = d->iefc_D + iefc;
  p->R = d->iefc_R + iefc;
  p->frictionloss = d->iefc_frictionloss + iefc;
  p->aref = d->iefc_aref + iefc;
  p->force = d->iefc_force + iefc;
  p->state = d->iefc_state + iefc;
  p->dof = dof;
  p->row = row;
  p->qacc_smooth = d->iacc_smooth + idof;
  p->qfrc_smooth = d->ifrc_smooth + idof;
  p->qacc = d->iacc + idof;
  p->qfrc_constraint = d->ifrc_constraint + idof;
  p->stat = d->solver && island < CT_NISLAND ? d->solver + island * CT_NSOLVER : (ctSolverStat*)0;
  p->scale = trace_scale(p);
  return true;
}

// ---- in fast memory ----
#if CT_PLAIN

// The next n numbers of a block, with copies of others.
CT_INLINE ctReal* near_reals(ctByte** block, const ctReal* from, int n) {
  ctReal* to = (ctReal*)*block;
  *block += sizeof(ctReal) * (size_t)n;
  CT_LANES(i, n) to[i] = from[i];
  return to;
}
CT_INLINE int* near_ints(ctByte** block, const int* from, int n) {
  int* to = (int*)*block;
  *block += sizeof(int) * (size_t)n;
  CT_LANES(i, n) to[i] = from[i];
  return to;
}

CT_FN bool cti_problem_near(ctiProblem* near, const ctiProblem* p) {
  const int nv = p->nv, n = p->nefc, nC = p->nC, nf = p->nf > 0 ? n : 0;
  const bool cones = p->opt->cone == CT_CONE_ELLIPTIC;
  const int64_t reals = (int64_t)n * nv + 4 * nv + nC + 3 * n + 2 * nf, ints = 3 * nv + (cones ? 3 : 1) * n;
  ctByte* block =
      CTI_SHARED(p->d, ctByte, reals * (int)sizeof(ctReal) + ints * (int)sizeof(int) + nC, "near");
  if (!block || nv > UINT8_MAX) return false;
  *near = *p;
  near->J = near_reals(&block, p->J, n * nv);
  near->M = near->mass = near_reals(&block, p->M, nC);
  near->qacc = near_reals(&block, p->qacc, nv);
  near->qacc_smooth = near_reals(&block, p->qacc_smooth, nv);
  near->qfrc_smooth = near_reals(&block, p->qfrc_smooth, nv);
  near->qfrc_constraint = near_reals(&block, p->qfrc_constraint, 0);
  block += sizeof(ctReal) * (size_t)nv;
  near->D = near_reals(&block, p->D, n);
  near->aref = near_reals(&block, p->aref, n);
  near->R = near_reals(&block, p->R, nf);
  near->frictionloss = near_reals(&block, p->frictionloss, nf);
  near->force = near_reals(&block, p->force, n);
  near->M_rownnz = near_ints(&block, p->M_rownnz, nv);
  near->M_rowadr = near_ints(&block, p->M_rowadr, nv);
  near->state = near_ints(&block, p->state, n);
  int* last = near_ints(&block, p->M_rownnz, nv);
  if (cones) {
    near->type = near_ints(&block, p->type, n);
    near->id = near_ints(&block, p->id, n);
  }
  near->M_last = last;
  near->M_column = block;
  CT_LANES(k, nC) block[k] = (ctByte)p->M_colind[k];
  CT_TEAM_SYNC();
  // those that hang on a dof follow it, and have longer rows
  CT_LANES(i, nv) {
    int end = i;
    while (end + 1 < nv && near->M_rownnz[end + 1] > near->M_rownnz[i]) end++;
    last[i] = end;
  }
  CT_TEAM_SYNC();
  return true;
}

CT_FN void cti_problem_home(const ctiProblem* near, const ctiProblem* p) {
  CT_LANES(i, p->nv) {
    p->qacc[i] = near->qacc[i];
    p->qfrc_constraint[i] = near->qfrc_constraint[i];
  }
  CT_LANES(i, p->nefc) {
    p->force[i] = near->force[i];
    p->state[i] = near->state[i];
  }
  CT_TEAM_SYNC();
}

#endif
CT_FN void cti_problem_report_states(const ctiProblem* p, int* before, ctSolverStat* stat) {
  int active = 0, changed = 0;
  for (int first = 0; first < p->nefc; first += CT_TEAM) {
    int i = first + CT_LANE, is = i < p->nefc ? p->state[i] : CTI_ROW_SATISFIED;
    bool changes = i < p->nefc && is != before[i];
    active += cti_team_count(is != CTI_ROW_SATISFIED);
    changed += cti_team_count(changes);
    if (changes) before[i] = is;
  }
  CT_TEAM_SYNC();
  stat->nactive = active;
  stat->nchange = changed;
}

CT_FN int cti_problem_J_elements(const ctiProblem* p) {
  if (!p->sparse) return p->nefc * p->nv;
  int count = 0;
  for (int i = 0; i < p->nefc; i++) count += p->J_rownnz[i];
  return count;
}

// r += the rest of the metric times v.
static CT_FN void add_rest_of_metric(const ctiProblem* p, ctReal* r, const ctReal* v) {
  if (p->K) {
    size_t mark = cti_scratch_mark(p->d);
    ctReal* t = CTI_SCRATCH(p->d, ctReal, p->nv, "metric.product");
    if (t) {
      cti_csr_mul_vec(t, p->K, p->K_rownnz, p->K_rowadr, p->K_rowsuper, p->K_colind, v, p->nv);
      cti_team_add_to(r, t, p->nv);
    } else {
      CT_LANES(i, p->nv) {
        int adr = p->K_rowadr[i];
        r[i] += cti_dot_sparse(p->K + adr, p->K_colind + adr, v, p->K_rownnz[i]);
      }
      CT_TEAM_SYNC();
    }
    cti_scratch_release(p->d, mark);
  }
  for (int i = 0; i < p->nsquare; i++) {
    int adr = p->square_rowadr[i], n = p->square_rownnz[i];
    const int* col = p->square_colind + adr;
    ctReal along = p->square_scale[i] * cti_dot_sparse(p->square + adr, col, v, n);
    cti_team_add_scaled_sparse(r, p->square + adr, col, along, n);
  }
}

static CT_COLD void mul_metric(const ctiProblem* p, ctReal* r, const ctReal* v) {
  if (p->diagonal) {
    CT_LANES(i, p->nv) r[i] = p->M[p->M_rowadr[i]] * v[i];
    CT_TEAM_SYNC();
  } else {
    cti_csr_mul_sym_vec(r, p->M, p->M_rownnz, p->M_rowadr, p->M_colind, v, 0, p->nv);
  }
  add_rest_of_metric(p, r, v);
}

CT_FN void cti_problem_mul_M(const ctiProblem* p, ctReal* r, const ctReal* v) {
  if (p->general || p->diagonal) {
    mul_metric(p, r, v);
    return;
  }
#if CT_PLAIN
  cti_tree_mul_vec(r, p->M, p->M_rownnz, p->M_rowadr, p->M_column, p->M_last, v, p->nv);
  return;
#endif
  cti_csr_mul_sym_vec(r, p->M, p->M_rownnz, p->M_rowadr, p->M_colind, v, 0, p->nv);
}

CT_FN void cti_problem_solve_M(const ctiProblem* p, ctReal* x) {
  if (p->diagonal) {
    CT_LANES(i, p->nv) x[i] *= p->Dinv[i];
    CT_TEAM_SYNC();
  } else {
    cti_ldl_solve(x, p->LD, p->Dinv, p->M_rownnz, p->M_rowadr, p->M_colind, 0, p->nv);
  }
}

CT_FN void cti_problem_mul_J(const ctiProblem* p, ctReal* r, const ctReal* v) {
  if (p->sparse) {
    cti_csr_mul_vec(r, p->J, p->J_rownnz, p->J_rowadr, p->J_rowsuper, p->J_colind, v, p->nefc);
  } else {
    cti_mul_dense_J(r, p->J, &p->units, v, p->nefc, p->nv);
  }
}

CT_FN void cti_problem_mul_JT(const ctiProblem* p, ctReal* r, const ctReal* f) {
  if (p->sparse) {
    cti_csr_mul_t_vec(r, p->J, p->J_rownnz, p->J_rowadr, p->J_rowsuper, p->J_colind, f, p->nefc, p->nv);
  } else {
    cti_mul_dense_JT(r, p->J, &p->units, f, p->nefc, p->nv);
  }
}

CT_FN void cti_problem_residual(const ctiProblem* p, ctReal* jar, const ctReal* qacc) {
  cti_problem_mul_J(p, jar, qacc);
  cti_team_sub_from(jar, p->aref, p->nefc);
}

// What the map says, or all as they are.
static CT_FN void pick(ctReal* CT_RESTRICT to, const ctReal* from, const int* map, int n) {
  CT_LANES(i, n) to[i] = from[map ? map[i] : i];
  CT_TEAM_SYNC();
}

CT_FN void cti_problem_start(const ctiProblem* p, ctReal* Ma, ctReal* jar) {
  if (p->Ma0) {
    pick(Ma, p->Ma0, p->dof, p->nv);
  } else {
    cti_problem_mul_M(p, Ma, p->qacc);
  }
  if (p->jar0) {
    pick(jar, p->jar0, p->row, p->nefc);
  } else {
    cti_problem_residual(p, jar, p->qacc);
  }
}
