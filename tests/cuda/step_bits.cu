// Steps a model on the GPU and with the float CPU build, and compares every array of the data bit by bit.
//   step_bits MODEL.xml... (without arguments: a pendulum)
// Needs a GPU; built by hand or by tools/cuda_bits, never part of the ordinary test run.
#include <cstdio>
#include <cstring>
#include <vector>

#include "corten/sim.h"
#include "cuda/engine.cu"

static const char pendulum[] =
    "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0' damping='.01'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 .3 0 -.1'/></body></worldbody></mujoco>";

#define CUDA_TRY(call)                                                 \
  do {                                                                 \
    cudaError_t e_ = (call);                                           \
    if (e_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)); \
      return 1;                                                        \
    }                                                                  \
  } while (0)

// A copy of the model's block whose pointers are right at address `at`.
static std::vector<char> relocated(const ctModel* m, char* at) {
  std::vector<char> block((const char*)m, (const char*)m + m->nbuffer);
  ctModel* copy = (ctModel*)block.data();
#define X(type, name, rows, cols) copy->name = (type*)(at + ((const char*)m->name - (const char*)m));
#include "corten/fields/model.def"
#include "corten/fields/model_plan.def"
#undef X
  return block;
}

static int compare(const char* name, ctModel* m, int nstep, int nworld) {
  ctData* d;
  if (ct_data_create(&d, m, nullptr) != CT_OK) return 1;
  ct_step_n(m, d, nstep);
  size_t arrays = d->nbuffer - (size_t)((char*)d->qpos - (char*)d), bytes = arrays + d->narena;

  char* model;
  CUDA_TRY(cudaMalloc(&model, m->nbuffer));
  std::vector<char> block = relocated(m, model);
  CUDA_TRY(cudaMemcpy(model, block.data(), block.size(), cudaMemcpyHostToDevice));
  ctData* worlds;
  ctByte* blocks;
  CUDA_TRY(cudaMalloc(&worlds, sizeof(ctData) * nworld));
  CUDA_TRY(cudaMemset(worlds, 0, sizeof(ctData) * nworld));
  CUDA_TRY(cudaMalloc(&blocks, bytes * nworld));
  CUDA_TRY(cudaMemset(blocks, 0, bytes * nworld));
  ctk_step<<<(nworld + 63) / 64, 64>>>((const ctModel*)model, worlds, blocks, bytes, d->narena, nworld, nstep,
                                       true);
  CUDA_TRY(cudaDeviceSynchronize());

  std::vector<char> result(bytes * nworld);
  CUDA_TRY(cudaMemcpy(result.data(), blocks, result.size(), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int w = 0; w < nworld; w++) wrong += std::memcmp(result.data() + bytes * w, d->qpos, arrays) != 0;
  std::printf("%-40s %d steps, %d worlds, %zu bytes of arrays: %s\n", name, nstep, nworld, arrays,
              wrong ? "DIFFERENT" : "same bits");
  cudaFree(model);
  cudaFree(worlds);
  cudaFree(blocks);
  ct_data_free(d);
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  CUDA_TRY(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  int failed = 0;
  for (int i = 1; i < argc || (argc == 1 && i == 1); i++) {
    ctModel* m = nullptr;
    ctError err;
    ctStatus status = argc == 1 ? ct_model_load_string(&m, pendulum, sizeof(pendulum) - 1, nullptr, &err)
                                : ct_model_load(&m, argv[i], nullptr, &err);
    if (status != CT_OK) {
      std::fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message);
      return 1;
    }
    failed += compare(argc == 1 ? "pendulum" : argv[i], m, 500, 100);
    ct_model_free(m);
  }
  std::printf("%s\n", failed ? "FAILED" : "passed");
  return failed != 0;
}
