#define FUZZ_FILE "mesh.obj"
#include "fuzz_mesh.h"
