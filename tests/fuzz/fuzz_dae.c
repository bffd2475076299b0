#define FUZZ_FILE "mesh.dae"
#include "fuzz_mesh.h"
