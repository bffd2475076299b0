// From any form of a model to another: .xml or .mjb in, .xml, .mjb or .txt out.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static int ends(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc != 3) {
    printf("usage: compile IN OUT\n");
    return 2;
  }
  mjModel* m =
      ends(argv[1], ".mjb") ? mj_loadModel(argv[1], NULL) : mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) {
    printf("could not load the model: %s\n", error);
    return 1;
  }
  if (ends(argv[2], ".mjb")) {
    mj_saveModel(m, argv[2], NULL, 0);
  } else if (ends(argv[2], ".txt")) {
    mj_printModel(m, argv[2]);
  } else if (!mj_saveLastXML(argv[2], m, error, sizeof(error))) {
    printf("could not write the model: %s\n", error);
    return 1;
  }
  printf("%d bodies, %d geoms, %d actuators\n", (int)m->nbody, (int)m->ngeom, (int)m->nactuator);
  mj_deleteModel(m);
  return 0;
}
