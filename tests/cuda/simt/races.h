// Races between lanes: two of them touch the same memory, one of them writes, and nothing says who comes
// first. Only __syncwarp does: votes and shuffles bring lanes together, but order no memory.
//
// Lanes of a team that do the same with the same memory, in one instruction, are no race: see warp.h. So a
// lane may read what others have written if it has written the same itself; and lanes may write what they
// have written or read before if all of them do so now, unless they have parted since they last waited for
// each other: then only the compiler's good will has brought them together again. Lanes of different teams
// have no order in a launch.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lanes.h"
#include "ptx.h"

namespace simt {

class Races {
 public:
  bool on = false;

  // A launch; `sources` are the names of files in messages.
  void begin_launch(const std::vector<std::string>* sources);
  // A warp: the team of each lane, a number that no other team of the launch has.
  void begin_warp(const uint32_t team[LANES]);
  // Shared memory belongs to another block from here on.
  void forget(uint64_t at, size_t bytes);

  // Lanes of `mask` have waited, each for `waits`; what they wrote before, others see only after a barrier.
  void wait(uint32_t mask, const uint64_t* waits, bool barrier);
  // Of the lanes in `mask` some go another way than the others.
  void part(const Function* f, const Instruction& x, uint32_t mask, uint32_t some);
  void read(const Function* f, const Instruction& x, uint32_t mask, const uint64_t* at, int bytes);
  // Before it is done. `values`: what lane i writes, at values[i].
  void write(const Function* f, const Instruction& x, uint32_t mask, const uint64_t* at, int bytes,
             const char (*values)[32]);

  int64_t count() const { return count_; }

 private:
  struct Site {
    const Function* f;
    const Instruction* x;
  };
  // A byte: who has written and read it since when.
  struct Access {
    uint32_t epoch = 0, team = 0, lanes = 0;
    Site site = {nullptr, nullptr};
  };
  struct Cell {
    Access write, read;
    bool many_read = false;  // teams
  };
  enum { PAGE = 1 << 10 };

  std::unordered_map<uint64_t, std::vector<Cell>> pages_;
  uint64_t last_page_ = ~(uint64_t)0;
  std::vector<Cell>* last_ = nullptr;
  const std::vector<std::string>* sources_ = nullptr;
  std::set<std::string> known_;      // messages
  uint32_t epoch_ = 0, launch_ = 0;  // the last number given, and that before the launch
  uint32_t lane_epoch_[LANES], team_[LANES];
  uint32_t parted_ = 0;  // lanes whose teams have parted since they last waited, and where
  Site parted_at_[LANES];
  int64_t count_ = 0;

  Cell& cell(uint64_t at);
  std::string name(const Site& s) const;
  void report(const std::string& what, const Access& before, Site now, int lane, uint64_t at);
};

}  // namespace simt
