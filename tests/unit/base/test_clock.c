#include "base/thread.h"
#include "xt.h"

XT_TEST(clock, never_goes_back) {
  XT_UNUSED;
  int64_t last = cti_clock_ns();
  for (int i = 0; i < 10000; i++) {
    int64_t now = cti_clock_ns();
    XT_TRUE(now >= last);
    last = now;
  }
}
XT_TEST(clock, moves) {
  XT_UNUSED;
  int64_t start = cti_clock_ns();
  while (cti_clock_ns() == start) {
  }
  XT_TRUE(cti_clock_ns() > start);
}

XT_MAIN(XT_CASE(clock, never_goes_back), XT_CASE(clock, moves))
