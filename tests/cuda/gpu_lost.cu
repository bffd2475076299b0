// A GPU that is lost in the middle: every call says so, nothing crashes, other backends go on. Needs a GPU;
// run by hand: gpu_lost MODEL
#include <cstdio>

#include "corten/corten.h"

static __global__ void fail() {
  __trap();
}

static int expect_error(const char* call, ctStatus status, const ctError* err) {
  std::printf("%-18s %s: %s\n", call, ct_status_text(status), err->message);
  return status == CT_OK || err->message[0] == 0;
}

int main(int argc, char** argv) {
  ctModel* m = nullptr;
  ctError err = {};
  if (argc != 2 || ct_model_load(&m, argv[1], nullptr, &err) != CT_OK) {
    std::fprintf(stderr, "usage: gpu_lost MODEL %s\n", err.message);
    return 2;
  }
  ctBatch *gpu = nullptr, *cpu = nullptr;
  ctBatchOptions opt = {};
  opt.backend = CT_BACKEND_CPU;
  int failed = ct_batch_create(&cpu, m, 4, &opt, &err) != CT_OK;
  opt.backend = CT_BACKEND_CUDA;
  failed += ct_batch_create(&gpu, m, 64, &opt, &err) != CT_OK;
  failed += ct_batch_step(gpu, 10, &err) != CT_OK || ct_batch_sync(gpu, &err) != CT_OK;
  fail<<<1, 1>>>();
  cudaDeviceSynchronize();
  err = ctError{};
  failed += expect_error("step", ct_batch_step(gpu, 1, &err), &err);
  err = ctError{};
  failed += expect_error("sync", ct_batch_sync(gpu, &err), &err);
  err = ctError{};
  ctReal time[64];
  failed += expect_error("get", ct_batch_get(gpu, "time", nullptr, 0, time, &err), &err);
  err = ctError{};
  failed += expect_error("reset", ct_batch_reset(gpu, nullptr, 0, -1, &err), &err);
  ctBatchView view;
  err = ctError{};
  failed += expect_error("view", ct_batch_view(gpu, "qpos", &view, &err), &err);
  failed += ct_batch_status(gpu) != nullptr || ct_batch_warnings(gpu, 0) != nullptr;
  static char saved[1 << 20];
  failed += ct_batch_save_bytes(gpu, saved, sizeof(saved)) != 0;
  ct_batch_free(gpu);
  failed += ct_batch_step(cpu, 10, &err) != CT_OK;
  ct_batch_free(cpu);
  ct_model_free(m);
  std::printf("%s\n", failed ? "FAILED" : "passed");
  return failed != 0;
}
