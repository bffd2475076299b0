// A program written for MuJoCo: load a model, simulate, report. Compiled with MuJoCo's headers and library or
// with those of `pkg-config --cflags --libs corten-mujoco`, it prints the same numbers.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc < 2 || argc > 3) {
    printf("usage: basic MODEL [SECONDS]\n");
    return 2;
  }
  mjModel* m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) {
    printf("could not load the model: %s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  double seconds = argc > 2 ? atof(argv[2]) : 0.1;
  while (d->time < seconds) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.1;
    mj_step(m, d);
  }
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  printf("%d bodies, %d dofs, %d contacts at %.3f s\n", (int)m->nbody, (int)m->nv, (int)d->ncon,
         (double)d->time);
  for (int i = 1; i < m->nbody && i < 4; i++) {
    const char* name = mj_id2name(m, mjOBJ_BODY, i);
    printf("%-16s %9.6f %9.6f %9.6f\n", name ? name : "", (double)d->xpos[3 * i], (double)d->xpos[3 * i + 1],
           (double)d->xpos[3 * i + 2]);
  }
  printf("energy %.6f %.6f\n", (double)d->energy[0], (double)d->energy[1]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
