// The words of CUDA for the host's part of the kernels, before everything else: launches go to launch.cc. The
// bodies of kernels are read by the compiler, and dropped.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

#define __device__
#define __host__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __noinline__    __attribute__((noinline))
#define __align__(n)    alignas(n)
#define __launch_bounds__(...)
#define __builtin_assume(x) ((void)0)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
void __syncwarp(unsigned);
unsigned __ballot_sync(unsigned, bool), __activemask(void), __reduce_max_sync(unsigned, unsigned);
float __shfl_sync(unsigned, float, int), __fsqrt_rn(float);
double __dsqrt_rn(double);
int __popc(unsigned), __ffs(int), __clz(int), atomicAdd(int*, int);

// Work for the device.
cudaError_t simt_do(std::function<void()> work);

// Run a kernel of a form to its end: its name as the compiler writes it, its parameters as they lie behind
// each other. `what` tells launches of one kernel apart in reports.
void simt_launch(const char* form, const std::string& kernel, const std::string& what, dim3 grid, dim3 block,
                 size_t shared, const std::vector<char>& params);

template <auto KERNEL>
std::string simt_name() {
  std::string s = __PRETTY_FUNCTION__;
  size_t from = s.find("KERNEL = ") + 9;
  return s.substr(from, s.find_first_of(";]", from) - from);
}

template <auto KERNEL, typename... A>
void simt_call(const char* form, dim3 grid, dim3 block, size_t shared, const A&... args) {
  std::vector<char> params;
  auto add = [&](const void* at, size_t size, size_t align) {
    params.resize((params.size() + align - 1) / align * align);
    params.insert(params.end(), (const char*)at, (const char*)at + size);
  };
  std::string what;  // the parts of a step
  (add(&args, sizeof(args), alignof(A)), ...);
  (
      [&](auto x) {
        if constexpr (std::is_enum<decltype(x)>::value) what += " " + std::to_string((int)x);
      }(args),
      ...);
  simt_launch(form, simt_name<KERNEL>(), what, grid, block, shared, params);
}

#define CTK_LAUNCH(kernel, grid, block, shared, stream, ...) \
  ((void)(stream), simt_call<&kernel>(SIMT_FORM, grid, block, shared, __VA_ARGS__))

// As many blocks as there is shared memory for.
template <typename F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads,
                                                                        size_t shared) {
  int room = 0;
  cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  *blocks = shared > 0 && room / (int)shared < 2048 / threads ? room / (int)shared : 2048 / threads;
  return cudaSuccess;
}

template <typename F>
static inline cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int) {
  return cudaSuccess;
}
