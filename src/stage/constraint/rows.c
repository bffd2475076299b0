#include "stage/constraint/rows.h"

#include "math/spatial.h"
#include "stage/position/point_motion.h"

CT_FN bool cti_block_is_empty(const ctiRows* rows, const ctReal* value, int n, int count) {
  if (rows->sparse) return n == 0;
  for (int r = 0; r < count; r++) {
    for (int k = 0; k < n; k++) {
      if (value[r * rows->m->nv + k] != 0) return false;
    }
  }
  return true;
}

CT_FN bool cti_add_row(ctiRows* rows, const ctiRow* row, const int* dof, const ctReal* value, int n) {
  bool contact = row->type >= CT_CNSTR_CONTACT_FRICTIONLESS;
  if (!contact && cti_block_is_empty(rows, value, n, 1)) return false;
  cti_append_row(rows, row, dof, value, n);
  return true;
}

CT_FN void cti_append_row(ctiRows* rows, const ctiRow* row, const int* dof, const ctReal* value, int n) {
  ctData* d = rows->d;
  int i = rows->nefc++, adr = rows->nJ, nv = rows->m->nv;
  rows->nJ += rows->sparse ? n : nv;
  if (rows->counting) return;
  d->efc_type[i] = row->type;
  d->efc_id[i] = row->id;
  d->efc_pos[i] = row->pos;
  d->efc_margin[i] = row->margin;
  d->efc_frictionloss[i] = row->frictionloss;
  if (rows->sparse) {
    d->efc_J_rownnz[i] = n;
    d->efc_J_rowadr[i] = adr;
    for (int k = 0; k < n; k++) {
      d->efc_J_colind[adr + k] = dof[k];
      d->efc_J[adr + k] = value[k];
    }
  } else {
    ctReal* CT_RESTRICT J = d->efc_J + adr;
    cti_zero(J, nv);
    for (int k = 0; k < n; k++) J[dof[k]] = value[k];
  }
}

CT_FN int cti_pair_dofs(const ctModel* m, int body1, int body2, bool apart, int* dof) {
  int a = cti_last_dof(m, body1), b = cti_last_dof(m, body2), n = 0;
  // both ways to the world, merged from the largest dof down
  while (a >= 0 || b >= 0) {
    if (a == b) {
      if (apart) break;  // from here on the ways are the same
      dof[n++] = a;
      a = m->dof_parentid[a];
      b = m->dof_parentid[b];
    } else if (a > b) {
      dof[n++] = a;
      a = m->dof_parentid[a];
    } else {
      dof[n++] = b;
      b = m->dof_parentid[b];
    }
  }
  for (int i = 0, k = n - 1; i < k; i++, k--) {
    int swap = dof[i];
    dof[i] = dof[k];
    dof[k] = swap;
  }
  return n;
}

CT_FN bool cti_dof_moves(const ctModel* m, int dof, int body) {
  int k = cti_last_dof(m, body);
  while (k > dof) k = m->dof_parentid[k];
  return k == dof;
}

CT_FN void cti_point_motion(ctReal motion[6], const ctModel* m, const ctData* d, int dof, int body,
                            const ctReal point[3]) {
  cti_motion_shift(motion, d->cdof + 6 * dof, point, d->subtree_com + 3 * m->body_rootid[body]);
}

CT_FN void cti_mul_J(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v) {
  if (cti_is_sparse(m)) {
    cti_csr_mul_vec(r, d->efc_J, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind, v,
                    d->nefc);
  } else {
    cti_mul_mat_vec(r, d->efc_J, v, d->nefc, m->nv);
  }
}

CT_FN void cti_mul_JT(const ctModel* m, const ctData* d, ctReal* r, const ctReal* f) {
  if (cti_is_sparse(m)) {
    cti_csr_mul_t_vec(r, d->efc_J, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind, f,
                      d->nefc, m->nv);
  } else {
    cti_mul_mat_t_vec(r, d->efc_J, f, d->nefc, m->nv);
  }
}
