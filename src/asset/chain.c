#include "asset/chain.h"

#include <string.h>

#include "base/error.h"

ctStatus cti_chain_make(ctiChain* out, const int* line, int nline, int npoint, ctiRegion* region,
                        ctError* err) {
  *out = (ctiChain){.npoint = npoint, .nline = nline, .line = line};
  out->beside = CTI_NEW_ARRAY(region, int, 2 * (size_t)npoint);
  out->count = CTI_NEW_ARRAY(region, int, npoint);
  if (!out->beside || !out->count) return cti_error_memory(err);
  memset(out->beside, -1, 2 * (size_t)npoint * sizeof(int));
  for (int i = 0; i < 2 * nline; i++) {
    int point = line[i], at = out->count[point]++;
    if (at < 2) out->beside[2 * point + at] = i / 2;
  }
  return CT_OK;
}

bool cti_chain_order(int* order, const ctiChain* c) {
  int first = -1;
  if (c->nline < 1) return false;
  for (int i = c->npoint - 1; i >= 0; i--) {
    if (c->count[i] > 2) return false;
    if (c->count[i] == 1) first = i;
  }
  if (first < 0) return false;
  if (c->count[c->line[0]] == 1) first = c->line[0];
  order[0] = first;
  for (int i = 0, line = c->beside[2 * first]; i < c->nline; i++) {
    if (line < 0) return false;
    int next = order[i + 1] = cti_chain_across(c, line, order[i]);
    line = c->beside[2 * next] == line ? c->beside[2 * next + 1] : c->beside[2 * next];
  }
  return true;
}
