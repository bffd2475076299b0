// Runs kernels without a GPU: warps of 32 lanes that take each instruction together, as far as they are at
// the same place. Lanes that part at a branch run one side after the other, and meet where both sides do.
//
// That is what the engine expects of a GPU: lanes of a team that have not parted stay together, so that all
// of them may do the same with the same memory. Lanes that wait for others which are elsewhere, or have
// ended, stop the program with a message.
#pragma once

#include <string>

#include "lanes.h"
#include "ptx.h"
#include "races.h"
#include "timing.h"
#include "trace.h"

namespace simt {

struct Grid {
  unsigned blocks = 1, block_x = 1, block_y = 1;
  unsigned team = 1;  // lanes
  size_t shared_bytes = 0;
  int at_a_time = 1;  // blocks on a multiprocessor, and the cache that they share: for estimates
  int cache_bytes = 0;
  int processors = 1;  // ... that blocks are dealt to
};

// What the warps of a kernel did, summed over launches.
struct Counts {
  int64_t launches = 0, warps = 0;
  int64_t instructions = 0;           // by warps
  int64_t lanes = 0;                  // ... with a part in them
  int64_t requests = 0, sectors = 0;  // of device memory: instructions, and 32 bytes each that these touch
  int64_t distinct = 0;  // sectors of a warp, each counted once; only where reports are asked for
  Estimate estimate;     // likewise: as if all of it ran on one multiprocessor
  int64_t races = 0;     // where they are looked for
};

enum { SHARED_BYTES = 227 << 10 };  // of a block at most
char* shared_memory();              // below 4 GiB: code has addresses of 32 bits there

// What is looked at beside the results.
struct Watch {
  bool times = false;  // estimates, distinct sectors
  bool races = false;
  const std::vector<std::string>* sources = nullptr;  // for messages
};

// Run a kernel to its end; `params` as the kernel's parameters lie behind each other.
Counts run(Function* kernel, const Grid& grid, const std::vector<char>& params, const Watch& watch);

}  // namespace simt
