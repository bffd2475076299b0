#define FUZZ_FILE "mesh.stl"
#include "fuzz_mesh.h"
