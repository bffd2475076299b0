// Bodies, joints, dofs and the rows of the sparse matrices: all of them follow from the tree.
#include "model/check_parts.h"

static const int joint_nq[CT_JOINT_COUNT] = {
    [CT_JOINT_FREE] = 7, [CT_JOINT_BALL] = 4, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
static const int joint_nv[CT_JOINT_COUNT] = {
    [CT_JOINT_FREE] = 6, [CT_JOINT_BALL] = 3, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};

#define REQUIRE(condition, name) \
  if (!c->field && !(condition)) c->field = name

// The joints of a body and their dofs come one after another, in the order of the bodies.
static void check_joints(ctiCheck* c) {
  const ctModel* m = c->m;
  int joint = 0, nq = 0, nv = 0;
  for (int b = 0; b < m->nbody && !c->field; b++) {
    int first = nv;
    REQUIRE(m->body_jntnum[b] == 0 || m->body_jntadr[b] == joint, "body_jntadr");
    for (int k = 0; k < m->body_jntnum[b] && !c->field; k++, joint++) {
      REQUIRE(joint < m->njnt && m->jnt_bodyid[joint] == b, "jnt_bodyid");
      if (c->field) return;
      int type = m->jnt_type[joint];
      REQUIRE(m->jnt_qposadr[joint] == nq && nq + joint_nq[type] <= m->nq, "jnt_qposadr");
      REQUIRE(m->jnt_dofadr[joint] == nv && nv + joint_nv[type] <= m->nv, "jnt_dofadr");
      for (int d = nv; d < nv + joint_nv[type] && !c->field; d++)
        REQUIRE(m->dof_jntid[d] == joint && m->dof_bodyid[d] == b, "dof_jntid");
      nq += joint_nq[type];
      nv += joint_nv[type];
    }
    REQUIRE(m->body_dofnum[b] == nv - first && (nv == first || m->body_dofadr[b] == first), "body_dofnum");
  }
  REQUIRE(joint == m->njnt, "njnt");
  REQUIRE(nq == m->nq, "nq");
  REQUIRE(nv == m->nv, "nv");
}

// The last dof of a body or of the nearest body towards the world that has one, -1 for none.
static int last_dof(const ctModel* m, int body) {
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  return body > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

static void check_plastic(ctiCheck* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->njnt; i++) {
    int adr = m->jnt_plasticadr[i], size = m->jnt_type[i] == CT_JOINT_BALL ? 4 : 1;
    REQUIRE(adr >= -1 && (adr < 0 || (int64_t)adr + size <= m->nplastic), "jnt_plasticadr");
  }
  for (int i = 0; i < m->ntendon; i++) {
    int adr = m->tendon_plasticadr[i];
    REQUIRE(adr >= -1 && (adr < 0 || (int64_t)adr + 2 <= m->nplastic), "tendon_plasticadr");
  }
}

void cti_check_tree(ctiCheck* c) {
  const ctModel* m = c->m;
  REQUIRE(m->body_dofnum[0] == 0 && m->body_jntnum[0] == 0, "body_jntnum");
  for (int i = 1; i < m->nbody; i++) {
    REQUIRE(m->body_parentid[i] < i, "body_parentid");
    REQUIRE(m->body_rootid[i] <= i, "body_rootid");
    REQUIRE(m->body_weldid[i] <= i, "body_weldid");
  }
  REQUIRE(m->body_parentid[0] == 0 && m->body_rootid[0] == 0 && m->body_weldid[0] == 0, "body_parentid");
  if (!c->field) check_joints(c);
  if (!c->field) check_plastic(c);
  for (int d = 0; d < m->nv && !c->field; d++) {
    int body = m->dof_bodyid[d], first = m->body_dofadr[body];
    REQUIRE(m->dof_parentid[d] == (d > first ? d - 1 : last_dof(m, m->body_parentid[body])), "dof_parentid");
    REQUIRE(m->dof_treeid[d] == m->body_treeid[body], "dof_treeid");
  }
  for (int b = 0; b < m->nbody && !c->field; b++) {
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b] && !c->field; g++)
      REQUIRE(m->geom_bodyid[g] == b, "geom_bodyid");
  }
}

// ---- patterns

// The row holds the ancestors of a dof in ascending order, then the dof.
static bool holds_ancestors(const ctModel* m, const int* row, int n, int dof) {
  for (int d = dof; d >= 0; d = m->dof_parentid[d]) {
    if (n == 0 || row[--n] != d) return false;
  }
  return n == 0;
}

// Ascending dofs below `dof`.
static bool holds_descendants(const ctModel* m, const int* row, int n, int dof) {
  for (int k = 0; k < n; k++) {
    int d = row[k];
    if (k > 0 && row[k - 1] >= d) return false;
    while (d > dof) d = m->dof_parentid[d];
    if (d != dof || row[k] == dof) return false;
  }
  return true;
}

static void check_row_order(ctiCheck* c, const char* name, const int* adr, const int* nnz, const int* col,
                            int rows) {
  for (int i = 0; i < rows && !c->field; i++) {
    for (int k = 1; k < nnz[i]; k++) REQUIRE(col[adr[i] + k - 1] < col[adr[i] + k], name);
  }
}

void cti_check_patterns(ctiCheck* c) {
  const ctModel* m = c->m;
  int64_t nM = 0, nC = 0;
  for (int i = 0; i < m->nv && !c->field; i++) {
    // as many ancestors as the parent, which is known to be right, and the parent
    int parent = m->dof_parentid[i], full = parent < 0 ? 1 : m->D_diag[parent] + 2;
    int nnz = m->M_rownnz[i], diag = m->D_diag[i];
    REQUIRE(m->dof_Madr[i] == nM && nM + full <= m->nM, "dof_Madr");
    REQUIRE(m->M_rowadr[i] == nC, "M_rowadr");
    REQUIRE(nnz == full || nnz == 1, "M_rownnz");
    if (c->field) return;
    const int *row = m->M_colind + m->M_rowadr[i], *all = m->D_colind + m->D_rowadr[i];
    REQUIRE(nnz == 1 ? row[0] == i : holds_ancestors(m, row, nnz, i), "M_colind");
    REQUIRE(diag == full - 1 && diag < m->D_rownnz[i], "D_diag");
    if (c->field) return;
    REQUIRE(holds_ancestors(m, all, full, i), "D_colind");
    REQUIRE(holds_descendants(m, all + full, m->D_rownnz[i] - full, i), "D_colind");
    nM += full;
    nC += nnz;
  }
  REQUIRE(nM == m->nM, "nM");
  REQUIRE(nC == m->nC, "nC");
  if (c->field) return;
  check_row_order(c, "B_colind", m->B_rowadr, m->B_rownnz, m->B_colind, m->nbody);
  check_row_order(c, "ten_J_colind", m->ten_J_rowadr, m->ten_J_rownnz, m->ten_J_colind, m->ntendon);
}
