// How long warps would take on a multiprocessor, estimated from what they did: see timing.cc for what is
// known of it and what is not.
#pragma once

#include <cstdint>
#include <vector>

namespace simt {

// How an instruction is carried out.
enum Unit : uint8_t { FREE, ALU, SLOW, LOAD, STORE, SHARED_LOAD, SHARED_STORE, VOTE, JUMP, ENTER, MEET };

struct Event {
  Unit unit;
  uint8_t issues;     // slots of the scheduler
  uint8_t waves;      // of a request: lines, or accesses to the same bank, one after the other
  uint8_t last;       // of a stretch of code that runs from its beginning to its end
  uint16_t latency;   // until others can use it, where memory has no say
  uint16_t sectors;   // of a request, from `first` on
  uint32_t first;     // index of Trace::sectors
  uint32_t needs[3];  // events whose results it uses; 0: none
  double* cycles;     // those of the stretch that it begins are added here, for the first warp of a block
};

// A warp from its beginning to its end. Event 0 is none.
struct Trace {
  std::vector<Event> events{Event()};
  std::vector<uint64_t> sectors;
};

// What a launch needs of a multiprocessor.
struct Block {
  int warps;        // of a block
  int at_a_time;    // blocks on a multiprocessor
  int cache_bytes;  // what shared memory leaves
  int processors;   // multiprocessors that blocks are dealt to
};

struct Estimate {
  double cycles = 0;
  double issued = 0;            // slots of the schedulers
  double hits = 0, misses = 0;  // sectors that are read
  double written = 0;           // sectors
};

// Blocks follow each other on their multiprocessor as there is room; cycles are those of the slowest.
Estimate estimate(std::vector<Trace>& warps, const Block& block);

}  // namespace simt
