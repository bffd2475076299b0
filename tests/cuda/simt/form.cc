// The host's part of a form of the kernels.
#include "host.h"

#include "cuda/device.h"

#include SIMT_SOURCE
