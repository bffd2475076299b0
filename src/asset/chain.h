// Lines between points: who is beside whom, and the order of an open chain.
#pragma once

#include <stdbool.h>

#include "base/alloc.h"

// The two lines at each point, in the order of the lines; the count may be larger than two, where lines meet.
typedef struct ctiChain {
  int npoint, nline;
  const int* line;  // nline x 2 points
  int* beside;      // npoint x 2: lines, -1 for none
  int* count;       // npoint: lines that end there
} ctiChain;

ctStatus cti_chain_make(ctiChain* out, const int* line, int nline, int npoint, ctiRegion* region,
                        ctError* err);

// The other end of a line.
static inline int cti_chain_across(const ctiChain* c, int line, int point) {
  return c->line[2 * line] == point ? c->line[2 * line + 1] : c->line[2 * line];
}

// The points of one open chain that has all lines, in order; false when the lines are no such chain. It
// starts where its first line does, if that is an end, else at the end with the lower number. `order` has
// nline + 1.
bool cti_chain_order(int* order, const ctiChain* c);
