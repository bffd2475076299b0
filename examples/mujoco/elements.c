// What a model is made of, before and after static bodies are fused; then the matrices of a linear model of
// one step.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

static double norm(const mjtNum* x, int n) {
  return (double)mju_norm(x, n);
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc != 2) {
    printf("usage: elements MODEL\n");
    return 2;
  }
  mjSpec* s = mj_parseXML(argv[1], NULL, error, sizeof(error));
  if (!s) mju_error("could not read the model: %s", error);
  for (int pass = 0; pass < 2; pass++) {
    int geoms = 0, bodies = 0;
    for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) bodies++;
    for (mjsElement* e = mjs_firstElement(s, mjOBJ_GEOM); e; e = mjs_nextElement(s, e)) {
      if (pass == 0) printf("%s ", mjs_getString(mjs_getName(e)));
      geoms++;
    }
    printf("%d bodies, %d geoms\n", bodies, geoms);
    if (pass == 0) mjs_fuseStatic(s, NULL);
  }
  mjModel* m = mj_compile(s, NULL);
  if (!m) mju_error("could not compile the model");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mj_forward(m, d);
  const int nv = (int)m->nv, nu = (int)m->nu, nx = 2 * nv + (int)m->na;
  mjtNum* A = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)(nx * (nx + nu) + nv * nv));
  mjtNum *B = A + nx * nx, *F = B + nx * nu;
  mjd_transitionFD(m, d, (mjtNum)1e-6, 1, A, B, NULL, NULL);
  mjd_inverseFD(m, d, (mjtNum)1e-6, 0, F, NULL, NULL, NULL, NULL, NULL, NULL);
  printf("norms: %.4g of A, %.4g of B, %.4g of forces by position\n", norm(A, nx * nx), norm(B, nx * nu),
         norm(F, nv * nv));
  mjtNum qa[4] = {1, 0, 0, 0}, qb[4] = {(mjtNum)0.8, (mjtNum)0.6, 0, 0}, vel[3] = {1, 2, 3}, Da[9], Db[9],
         Ds[3];
  mjd_subQuat(qa, qb, Da, Db);
  for (int i = 0; i < 9; i++) printf("%.5g %.5g ", (double)Da[i], (double)Db[i]);
  mjd_quatIntegrate(vel, (mjtNum)0.1, Da, Db, Ds);
  for (int i = 0; i < 9; i++) printf("%.5g %.5g ", (double)Da[i], (double)Db[i]);
  printf("%.5g %.5g %.5g\n", (double)Ds[0], (double)Ds[1], (double)Ds[2]);
  free(A);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  return 0;
}
