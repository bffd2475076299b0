// Worlds that resemble each other become neighbours: threads of a warp then run the same code, and their
// arrays lie alike in local memory. The worlds with most to do come first, so that none of them is last.
#include <cub/device/device_radix_sort.cuh>

#include "cuda/worlds.h"

static __global__ void count_up(int* ids, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) ids[i] = i;
}

static cudaError_t sort(const ctkWorlds* k, const ctkOrder* o, size_t* bytes, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairsDescending(o->scratch, *bytes, k->likeness, o->sorted, o->ids,
                                                   k->order, k->nworld, 0, 32, stream);
}

extern "C" int ctk_order_bytes(const ctkWorlds* k, size_t* bytes) {
  ctkOrder none = {};
  return (int)sort(k, &none, bytes, 0);
}

extern "C" int ctk_order_begin(const ctkWorlds* k, const ctkOrder* o, void* stream) {
  int blocks = (k->nworld + 255) / 256;
  count_up<<<blocks, 256, 0, (cudaStream_t)stream>>>(o->ids, k->nworld);
  count_up<<<blocks, 256, 0, (cudaStream_t)stream>>>(k->order, k->nworld);
  return (int)cudaGetLastError();
}

extern "C" int ctk_order(const ctkWorlds* k, const ctkOrder* o, void* stream) {
  size_t bytes = o->bytes;
  return (int)sort(k, o, &bytes, (cudaStream_t)stream);
}
