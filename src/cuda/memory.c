// Memory of a batch on the GPU, and numbers on their way.
#include <string.h>

#include "base/alloc.h"
#include "cuda/gpu.h"

ctStatus gpu_failed(ctError* err, cudaError_t e) {
  ctStatus status = e == cudaErrorMemoryAllocation ? CT_ERR_LIMIT : CT_ERR_IO;
  return cti_error(err, status, "GPU: %s", cudaGetErrorString(e));
}

ctStatus gpu_alloc(Gpu* g, void** out, size_t bytes, ctError* err) {
  *out = NULL;
  CUDA_TRY(cudaMalloc(out, bytes > 0 ? bytes : 1));
  g->bytes += bytes;
  CUDA_TRY(cudaMemsetAsync(*out, 0, bytes, g->stream));
  return CT_OK;
}

void gpu_drop(Gpu* g, void* memory, size_t bytes) {
  cudaFree(memory);
  if (memory) g->bytes -= bytes;
}

// In the order of the stream: a plain copy of a few numbers may still be on its way when it returns, and the
// kernels of a stream of their own would not wait for it.
ctStatus gpu_copy(Gpu* g, void* to, const void* from, size_t bytes, ctError* err) {
  CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, g->stream));
  CUDA_TRY(cudaStreamSynchronize(g->stream));
  return CT_OK;
}

ctStatus gpu_copy_rows(Gpu* g, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                       size_t n, ctError* err) {
  CUDA_TRY(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, n, cudaMemcpyDefault, g->stream));
  CUDA_TRY(cudaStreamSynchronize(g->stream));
  return CT_OK;
}

// Numbers between the caller's precision and this one.
void gpu_convert(void* to, int to_bytes, const void* from, int from_bytes, size_t n) {
  if (n == 0) return;
  if (to_bytes == from_bytes) {
    memcpy(to, from, n * (size_t)to_bytes);
  } else if (to_bytes == 8) {
    for (size_t i = 0; i < n; i++) ((double*)to)[i] = (double)((const float*)from)[i];
  } else {
    for (size_t i = 0; i < n; i++) ((float*)to)[i] = (float)((const double*)from)[i];
  }
}

ctStatus gpu_stage(Gpu* g, size_t bytes, ctError* err) {
  if (bytes <= g->nstaging) return CT_OK;
  ctReal* more = cti_alloc(NULL, bytes, 64);
  if (!more) return cti_error_memory(err);
  cti_release(NULL, g->staging);
  g->staging = more;
  g->nstaging = bytes;
  return CT_OK;
}
