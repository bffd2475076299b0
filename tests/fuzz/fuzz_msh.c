#define FUZZ_FILE "mesh.msh"
#include "fuzz_mesh.h"
