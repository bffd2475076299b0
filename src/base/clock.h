// Time, for measurements only: nothing that is simulated ever reads a clock. Thread-safe.
#pragma once

#include <stdint.h>

// Nanoseconds since some fixed moment; never goes back.
int64_t cti_clock_ns(void);

// Seconds since 1970 by the computer's calendar clock.
double cti_clock_wall(void);
