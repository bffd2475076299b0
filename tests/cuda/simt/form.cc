// The host's part of a form of the kernels.
#include "host.h"

#include SIMT_SOURCE
