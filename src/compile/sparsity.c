// Patterns of the sparse matrices.
//   M  nv rows: mass matrix, lower triangle; row i holds the ancestors of dof i and its diagonal last
//   D  nv rows: ancestors, itself, descendants; for derivatives, which are not symmetric
//   B  nbody rows: dofs that move the body or are moved with it
// mapM2M leads to the older layout of M (diagonal first, dofs towards the world after it).
#include "compile/build.h"

static int row_length(const ctiBuildDof* dof) {
  return dof->simple ? 1 : dof->ancestors + 1;
}

ctStatus cti_count_sparsity(ctiBuild* b) {
  const ctModel* n = &b->sizes;
  for (int i = 0; i < n->nv; i++) {
    const ctiElement* e = &b->joint[b->dof[i].joint].spec->head;
    CT_TRY(CTI_GROW(b, nM, b->dof[i].ancestors + 1, e));
    CT_TRY(CTI_GROW(b, nC, row_length(&b->dof[i]), e));
    CT_TRY(CTI_GROW(b, nD, 2 * (int64_t)b->dof[i].ancestors + 1, e));
  }
  // each dof counts for the bodies on its path to the world, for its own body and for all bodies below
  for (int i = 0; i < n->nbody; i++) {
    const ctiBuildBody* body = &b->body[i];
    int64_t entries = body->dofnum;
    for (int p = i; p > 0; p = b->body[p].parent) entries += b->body[b->body[p].parent].dofnum + body->dofnum;
    CT_TRY(CTI_GROW(b, nB, entries, &body->spec->head));
  }
  return CT_OK;
}

// The ancestors of a dof, ascending, then itself.
static void fill_ancestors(const ctiBuild* b, int dof, int* out) {
  int at = b->dof[dof].ancestors;
  for (int i = dof; i >= 0; i = b->dof[i].parent) out[at--] = i;
}

static void fill_M(const ctiBuild* b, ctModel* m) {
  int adr = 0, old = 0;
  for (int i = 0; i < m->nv; i++) {
    int full = b->dof[i].ancestors + 1, nnz = row_length(&b->dof[i]);
    m->dof_Madr[i] = old;
    m->M_rowadr[i] = adr;
    m->M_rownnz[i] = nnz;
    if (nnz == full) {
      fill_ancestors(b, i, m->M_colind + adr);
    } else {
      m->M_colind[adr] = i;
    }
    for (int k = 0; k < nnz; k++) m->mapM2M[adr + k] = old + nnz - 1 - k;
    adr += nnz;
    old += full;
  }
}

// Rows filled in the order of the columns: each dof adds itself to the rows of its ancestors, and they to its
// own.
static void fill_D(const ctiBuild* b, ctModel* m) {
  for (int i = 0; i < m->nv; i++) {
    for (int k = i; k >= 0; k = b->dof[k].parent) {
      m->D_rownnz[i]++;
      if (k != i) m->D_rownnz[k]++;
    }
  }
  for (int i = 1; i < m->nv; i++) m->D_rowadr[i] = m->D_rowadr[i - 1] + m->D_rownnz[i - 1];
  for (int i = 0; i < m->nv; i++) {
    fill_ancestors(b, i, m->D_colind + m->D_rowadr[i]);
    m->D_diag[i] = b->dof[i].ancestors;
    m->D_rownnz[i] = b->dof[i].ancestors + 1;
  }
  for (int i = 0; i < m->nv; i++) {
    for (int k = b->dof[i].parent; k >= 0; k = b->dof[k].parent)
      m->D_colind[m->D_rowadr[k] + m->D_rownnz[k]++] = i;
  }
}

// Position of (row, col) in the stored lower triangle of M, -1 when it is not stored.
static int find_in_M(const ctModel* m, int row, int col) {
  if (row < col) {
    int swap = row;
    row = col;
    col = swap;
  }
  for (int k = 0; k < m->M_rownnz[row]; k++) {
    if (m->M_colind[m->M_rowadr[row] + k] == col) return m->M_rowadr[row] + k;
  }
  return -1;
}

static void map_D(ctModel* m) {
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k < m->D_rownnz[i]; k++) {
      int at = m->D_rowadr[i] + k, col = m->D_colind[at], in_M = find_in_M(m, i, col);
      m->mapM2D[at] = in_M;
      if (col <= i && in_M >= 0) m->mapD2M[in_M] = at;
    }
  }
}

static void fill_B(const ctiBuild* b, ctModel* m) {
  int adr = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->B_rowadr[i] = adr;
    // dofs are numbered along the bodies: those towards the world come first, then its own and those below
    int* row = m->B_colind + adr;
    int last = -1;
    for (int p = b->body[i].parent; i > 0 && p > 0 && last < 0; p = b->body[p].parent) {
      if (b->body[p].dofnum > 0) last = b->body[p].dofadr + b->body[p].dofnum - 1;
    }
    int nnz = 0;
    if (last >= 0) {
      fill_ancestors(b, last, row);
      nnz = b->dof[last].ancestors + 1;
    }
    for (int k = i; k < i + b->body[i].subtree; k++) {
      for (int d = b->body[k].dofadr; d < b->body[k].dofadr + b->body[k].dofnum; d++) row[nnz++] = d;
    }
    m->B_rownnz[i] = nnz;
    adr += nnz;
  }
}

ctStatus cti_pass_sparsity(ctiBuild* b) {
  fill_M(b, b->m);
  fill_D(b, b->m);
  map_D(b->m);
  fill_B(b, b->m);
  return CT_OK;
}
