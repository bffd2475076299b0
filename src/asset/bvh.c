#include "asset/bvh.h"
