// Sorting as the backend asks for it.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

cudaError_t simt_do(std::function<void()> work);  // host.h

namespace cub {
struct DeviceRadixSort {
  static cudaError_t SortPairsDescending(void* scratch, size_t& bytes, const unsigned* keys, unsigned* sorted,
                                         const int* values, int* out, int n, int, int, cudaStream_t) {
    bytes = 1;
    if (!scratch) return cudaSuccess;
    return simt_do([=] {
      std::vector<int> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] > keys[b]; });
      for (int i = 0; i < n; i++) {
        sorted[i] = keys[order[i]];
        out[i] = values[order[i]];
      }
    });
  }
};
}  // namespace cub
