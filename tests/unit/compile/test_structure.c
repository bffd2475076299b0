// Trees, flags and patterns of sparse matrices, beside brute force over the parents.
#include "xt_model.h"

static const char* const models[] = {"models/humanoid.xml",
                                     "tests/models/chain.xml",
                                     "tests/models/simple_bodies.xml",
                                     "tests/models/constraint/mixed.xml",
                                     "tests/models/mjcf/tendons.xml",
                                     "tests/models/mjcf/scene.xml"};
#define MODELS ((int)(sizeof(models) / sizeof(models[0])))

static bool is_ancestor(const ctModel* m, int dof, int above) {
  for (; dof >= 0; dof = m->dof_parentid[dof]) {
    if (dof == above) return true;
  }
  return false;
}

static bool moves(const ctModel* m, int dof, int body) {
  for (; body > 0; body = m->body_parentid[body]) {
    if (m->dof_bodyid[dof] == body) return true;
  }
  return false;
}

// A row holds exactly the columns that belong to it, ascending.
typedef bool Belongs(const ctModel* m, int row, int col);
static void expect_pattern(const ctModel* m, int rows, const int* nnz, const int* adr, const int* col,
                           Belongs* belongs, int total) {
  int count = 0;
  for (int i = 0; i < rows; i++) {
    XT_INT(adr[i], count);
    int k = adr[i];
    for (int j = 0; j < m->nv; j++) {
      if (!belongs(m, i, j)) continue;
      XT_TRUE(k < adr[i] + nnz[i]);
      XT_INT(col[k], j);
      k++;
    }
    XT_INT(k, adr[i] + nnz[i]);
    count += nnz[i];
  }
  XT_INT(count, total);
}

static bool in_M(const ctModel* m, int row, int col) {
  return m->dof_simplenum[row] ? row == col : is_ancestor(m, row, col);
}
static bool in_D(const ctModel* m, int row, int col) {
  return is_ancestor(m, row, col) || is_ancestor(m, col, row);
}
// dofs that move the body, and those of the bodies it carries
static bool in_B(const ctModel* m, int body, int dof) {
  bool below = false;
  for (int b = m->dof_bodyid[dof]; b > 0; b = m->body_parentid[b]) below = below || b == body;
  return moves(m, dof, body) || below || body == 0;
}

XT_TEST(patterns, are_those_of_the_trees) {
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    expect_pattern(m, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, in_M, m->nC);
    expect_pattern(m, m->nv, m->D_rownnz, m->D_rowadr, m->D_colind, in_D, m->nD);
    expect_pattern(m, m->nbody, m->B_rownnz, m->B_rowadr, m->B_colind, in_B, m->nB);
    for (int k = 0; k < m->nv; k++) XT_INT(m->D_colind[m->D_rowadr[k] + m->D_diag[k]], k);
    ct_model_free(m);
  }
}

XT_TEST(patterns, lead_from_one_to_the_other) {
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    ctReal *M = calloc((size_t)m->nC + 1, sizeof(ctReal)), *D = calloc((size_t)m->nD + 1, sizeof(ctReal));
    for (int k = 0; k < m->nC; k++) M[k] = (ctReal)(k + 1);
    for (int k = 0; k < m->nD; k++) D[k] = m->mapM2D[k] >= 0 ? M[m->mapM2D[k]] : 0;
    for (int k = 0; k < m->nC; k++) XT_NEAR(D[m->mapD2M[k]], M[k], 0);
    // D is the whole symmetric matrix
    for (int r = 0; r < m->nv; r++) {
      for (int k = m->D_rowadr[r]; k < m->D_rowadr[r] + m->D_rownnz[r]; k++) {
        int low = r > m->D_colind[k] ? r : m->D_colind[k], high = r + m->D_colind[k] - low;
        double value = 0;
        for (int j = m->M_rowadr[low]; j < m->M_rowadr[low] + m->M_rownnz[low]; j++) {
          if (m->M_colind[j] == high) value = (double)M[j];
        }
        XT_NEAR(D[k], value, 0);
      }
    }
    free(D);
    free(M);
    ct_model_free(m);
  }
}

// The mass matrix as it follows from bodies and Jacobians has nothing outside the pattern.
XT_TEST(patterns, hold_the_whole_mass_matrix) {
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    ctData* d = xt_data(m);
    int nv = m->nv;
    for (int k = 0; k < nv; k++) d->qvel[k] = (ctReal)(0.4 * sin(1.0 + k));
    XT_INT(ct_pos_integrate(m, d->qvel, 1, d->qpos), CT_OK);
    XT_INT(ct_forward(m, d), CT_OK);
    size_t size = (size_t)(nv * nv);
    ctReal *full = calloc(size, sizeof(ctReal)), *jac = calloc((size_t)(6 * nv), sizeof(ctReal));
    double* sum = calloc(size, sizeof(double));
    XT_INT(ct_mass_full(m, d, full), CT_OK);
    for (int b = 1; b < m->nbody; b++) {
      XT_INT(ct_jac_point(m, d, d->xipos + 3 * b, b, jac, jac + 3 * nv), CT_OK);
      const ctReal* mat = d->ximat + 9 * b;
      for (int r = 0; r < nv; r++) {
        for (int c = 0; c < nv; c++) {
          double value = 0;
          for (int k = 0; k < 3; k++) {
            double x = 0, y = 0;  // rates of turning about the k-th principal axis
            for (int j = 0; j < 3; j++) x += (double)(mat[3 * j + k] * jac[(3 + j) * nv + r]);
            for (int j = 0; j < 3; j++) y += (double)(mat[3 * j + k] * jac[(3 + j) * nv + c]);
            value += (double)m->body_inertia[3 * b + k] * x * y;
            value += (double)m->body_mass[b] * (double)(jac[k * nv + r] * jac[k * nv + c]);
          }
          sum[r * nv + c] += value;
        }
      }
    }
    for (int k = 0; k < nv; k++) sum[k * nv + k] += (double)m->dof_armature[k];
    bool geared = false;  // tendons have inertia of their own
    for (int t = 0; t < m->ntendon; t++) geared = geared || m->tendon_armature[t] > 0;
    if (!geared) XT_CLOSE(full, sum, nv * nv, XT_TOL(1e-12, 1e-4), models[i]);
    free(sum);
    free(jac);
    free(full);
    ct_data_free(d);
    ct_model_free(m);
  }
}

XT_TEST(trees, number_bodies_and_dofs_without_gaps) {
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    int dofs = 0;
    for (int b = 1; b < m->nbody; b++) {
      int parent = m->body_parentid[b];
      XT_TRUE(parent < b);
      XT_INT(m->body_rootid[b], parent == 0 ? b : m->body_rootid[parent]);
      XT_INT(m->body_weldid[b], m->body_dofnum[b] > 0 ? b : m->body_weldid[parent]);
      XT_INT(m->body_dofadr[b], m->body_dofnum[b] > 0 ? dofs : -1);
      dofs += m->body_dofnum[b];
    }
    XT_INT(dofs, m->nv);
    int next = 0;
    for (int t = 0; t < m->ntree; t++) {
      XT_INT(m->tree_dofadr[t], next);
      for (int k = next; k < next + m->tree_dofnum[t]; k++) XT_INT(m->dof_treeid[k], t);
      next += m->tree_dofnum[t];
    }
    XT_INT(next, m->nv);
    ct_model_free(m);
  }
}

// A block of M that is diagonal and constant: 2 for bodies that only slide, 1 for others.
XT_TEST(flags, of_simple_bodies) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
      "<body><freejoint/><geom size='.1' pos='.1 0 0'/></body>"
      "<body><joint type='slide'/><geom size='.1'/></body>"
      "<body><joint axis='1 0 0'/><geom size='.1'/></body>"
      "<body><joint axis='1 1 0'/><geom type='box' size='.1 .2 .3'/></body>"
      "<body><freejoint/><geom size='.1'/><body><joint/><geom "
      "size='.1'/></body></body></worldbody></mujoco>");
  const int simple[8] = {1, 1, 0, 2, 1, 0, 0, 0};
  for (int b = 0; b < m->nbody; b++) XT_INT(m->body_simple[b], simple[b]);
  // simple dofs count those that follow, themselves included
  const int count[15] = {6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 2, 1, 0};
  for (int k = 0; k < 15; k++) XT_INT(m->dof_simplenum[k], count[k]);
  ct_model_free(m);
}

XT_TEST(flags, of_frames_that_coincide) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint/><inertial pos='.1 0 0' mass='1' diaginertia='1 1 1'/>"
      "<geom size='.1'/><geom size='.1' pos='.2 0 0'/><geom size='.1' pos='.2 0 0' euler='30 0 0'/></body>"
      "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom size='.1'/></body>"
      "<body><joint/><inertial pos='.1 0 0' euler='30 0 0' mass='1' diaginertia='1 1 1'/>"
      "<geom size='.1' pos='.1 0 0' euler='30 0 0'/><geom size='.1' pos='.3 0 0' euler='30 0 0'/></body>"
      "</worldbody></mujoco>");
  const int frames[6] = {CT_SAMEFRAME_BODY, CT_SAMEFRAME_BODYROT, CT_SAMEFRAME_NONE,
                         CT_SAMEFRAME_BODY, CT_SAMEFRAME_INERTIA, CT_SAMEFRAME_INERTIAROT};
  for (int g = 0; g < 6; g++) XT_INT(m->geom_sameframe[g], frames[g]);
  XT_INT(m->body_sameframe[1], CT_SAMEFRAME_BODYROT);
  XT_INT(m->body_sameframe[2], CT_SAMEFRAME_BODY);
  XT_INT(m->body_sameframe[3], CT_SAMEFRAME_NONE);
  ct_model_free(m);
}

// Whatever the flags let stages skip: frames are what poses and offsets give.
XT_TEST(flags, change_no_frame) {
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = xt_load(models[i]);
    ctData *d = xt_data(m), *plain = xt_data(m);
    for (int k = 0; k < m->nv; k++) d->qvel[k] = (ctReal)(0.4 * sin(1.0 + k));
    XT_INT(ct_pos_integrate(m, d->qvel, 1, d->qpos), CT_OK);
    XT_INT(ct_data_copy(m, d, plain), CT_OK);
    XT_INT(ct_forward(m, d), CT_OK);
    memset(m->geom_sameframe, CT_SAMEFRAME_NONE, (size_t)m->ngeom);
    memset(m->body_sameframe, CT_SAMEFRAME_NONE, (size_t)m->nbody);
    if (m->nsite) memset(m->site_sameframe, CT_SAMEFRAME_NONE, (size_t)m->nsite);
    XT_INT(ct_forward(m, plain), CT_OK);
    XT_CLOSE(d->geom_xpos, plain->geom_xpos, 3 * m->ngeom, XT_TOL(1e-14, 1e-6), "geom_xpos");
    XT_CLOSE(d->geom_xmat, plain->geom_xmat, 9 * m->ngeom, XT_TOL(1e-14, 1e-6), "geom_xmat");
    XT_CLOSE(d->site_xmat, plain->site_xmat, 9 * m->nsite, XT_TOL(1e-14, 1e-6), "site_xmat");
    XT_CLOSE(d->xipos, plain->xipos, 3 * m->nbody, XT_TOL(1e-14, 1e-6), "xipos");
    XT_CLOSE(d->ximat, plain->ximat, 9 * m->nbody, XT_TOL(1e-14, 1e-6), "ximat");
    ct_data_free(plain);
    ct_data_free(d);
    ct_model_free(m);
  }
}

XT_MAIN()
