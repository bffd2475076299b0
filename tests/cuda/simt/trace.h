// Notes what a warp does, for timing.h: instructions, what their results depend on, what requests touch.
#pragma once

#include <unordered_map>

#include "lanes.h"
#include "ptx.h"
#include "timing.h"

namespace simt {

class Tracer {
 public:
  // From here on a warp is noted in `trace`; NULL: none is. `warp` is a number that no other has.
  void begin(Trace* trace, uint64_t warp);
  bool on() const { return trace_ != nullptr; }

  // An instruction; registers of its function have numbers from `first` on.
  void note(const Instruction& x, size_t first, double* cycles);
  // What a request of the last instruction touches; `offset`: in the stack of a lane, where that is touched.
  // Returns its waves.
  int note_request(Memory memory, uint32_t mask, const uint64_t* at, int bytes, bool store, uint64_t offset);

 private:
  Trace* trace_ = nullptr;
  uint64_t warp_ = 0;
  std::vector<uint32_t> maker_;                         // event that wrote each register
  std::unordered_map<uint64_t, uint32_t> stack_maker_;  // ... and each place of the stack

  void need(Event* e, const Operand& o, size_t first) const;
  int note_stack(Event* e, int bytes, bool store, uint64_t offset);
};

}  // namespace simt
