// Words of the step subset: code that runs inside a step is valid C17, valid C++17 and valid CUDA.
//
//   CT_FN           marks every function of the step; nothing in C, device code under CUDA
//   CT_INLINE       the same for small functions that live in headers
//   CT_CONST        marks constant tables
//   CT_RESTRICT     no aliasing
//   CT_BARRIER()    the worlds of a block wait for each other, to run the same code: for speed alone
//   CT_WARP_MAX(n)  the largest n among the worlds of a warp that are here now, so that their
//                   arrays begin at the same place
//   CT_UNROLL(n)    before a loop: how far the GPU's compiler unrolls it, so that hot code fits
//                   into its cache
//   CT_ON_HOST      1 where functions of the user can be called
//   CT_COPY(T, name, from)
//                   a constant copy of a struct of pointers and sizes: the compiler then knows that no
//                   store in the loops below can change them, and keeps them in registers
//   CT_R(x)         a literal in the engine's precision: float builds never compute in double
#pragma once

#include "corten/base.h"

#if defined(__CUDACC__)
#define CT_PRAGMA(text) _Pragma(#text)
#define CT_UNROLL(n)    CT_PRAGMA(unroll n)
#define CT_FN           __device__
#define CT_INLINE       static inline __device__
#define CT_CONST        static __device__ const
// thread by thread: worlds of a warp may arrive from different places, or a different number of times
#define CT_BARRIER() asm volatile("barrier.sync 0;" ::: "memory")
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define CT_WARP_MAX(n) (n)
#else
#define CT_WARP_MAX(n) ((size_t)__reduce_max_sync(__activemask(), (unsigned)(n)))
#endif
#else
#define CT_UNROLL(n)
#define CT_FN
#define CT_INLINE      static inline
#define CT_CONST       static const
#define CT_BARRIER()   ((void)0)
#define CT_WARP_MAX(n) (n)
#endif

#if defined(__cplusplus) || defined(__GNUC__)
#define CT_RESTRICT __restrict__
#else
#define CT_RESTRICT restrict
#endif

#if defined(__CUDA_ARCH__)
#define CT_ON_HOST 0
#else
#define CT_ON_HOST 1
#endif

#define CT_R(x) ((ctReal)(x))

#define CT_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define CT_COPY(T, name, from) const T name = *(from)
