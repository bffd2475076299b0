// The lanes of a warp, and the memories that they have.
#pragma once

#include <cstdint>

namespace simt {

enum { LANES = 32 };

enum Memory : uint8_t { DEVICE, SHARED, STACK };  // STACK: of one lane

template <typename F>
void each_lane(uint32_t mask, F f) {
  if (mask == 0xffffffffu) {
    for (int i = 0; i < LANES; i++) f(i);
    return;
  }
  for (uint32_t left = mask; left; left &= left - 1) f(__builtin_ctz(left));
}

}  // namespace simt
