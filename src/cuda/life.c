// A batch on the GPU: made, told of, ended.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/gpu.h"
#include "data/layout.h"
#include "data/state_parts.h"
#include "model/binary.h"

#define FIRST_ARENA 4096  // bytes; steps that need more choose a larger class

void gpu_free(void* self) {
  Gpu* g = (Gpu*)self;
  if (!g) return;
  if (g->pending) cudaStreamSynchronize(g->stream);
  void* const blocks[] = {
      g->model_block, g->k.state,      g->k.output,      g->k.carried,      g->k.value_rows,  g->k.status,
      g->k.warnings,  g->k.done,       g->k.wanted,      g->k.nshort,       g->k.order,       g->k.likeness,
      g->order.ids,   g->order.sorted, g->order.scratch, g->device_outputs, g->device_values, g->slots};
  for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) cudaFree(blocks[i]);
  if (g->nshort) cudaFreeHost(g->nshort);
  if (g->own_stream) cudaStreamDestroy(g->stream);
  ct_data_free(g->probe);
  ct_model_free(g->m);
  cti_array_free(&g->outputs, NULL);
  cti_array_free(&g->values, NULL);
  cti_release(NULL, g->staging);
  cti_release(NULL, g->host_status);
  cti_release(NULL, g->host_warnings);
  cti_release(NULL, g);
}

// A copy of the model whose pointers are right on the device.
static ctStatus upload_model(Gpu* g, ctError* err) {
  size_t bytes = (size_t)g->m->nbuffer;
  CT_TRY(gpu_alloc(g, &g->model_block, bytes, err));
  char* block = cti_alloc(NULL, bytes, 64);
  if (!block) return cti_error_memory(err);
  memcpy(block, g->m, bytes);
  ctModel* copy = (ctModel*)(void*)block;
  char* at = g->model_block;
#define X(type, name, rows, cols, ...) \
  copy->name = (type*)(void*)(at + ((const char*)g->m->name - (const char*)g->m));
#include "corten/fields/model.def"
#undef X
  ctStatus status = gpu_copy(g, g->model_block, block, bytes, err);
  cti_release(NULL, block);
  g->k.model = (const ctModel*)g->model_block;
  return status;
}

static size_t numbers_of(const Gpu* g) {
  return (size_t)(cti_state_size(g->m, CT_STATE_INTEGRATION) + cti_carried_width(g->m) + g->k.output_width +
                  g->k.value_width);
}

// Beside what every backend keeps: steps done, the order of worlds, and the arena that was wanted.
static size_t world_bytes(const Gpu* g) {
  return cti_world_bytes(numbers_of(g)) + 5 * sizeof(int) + sizeof(size_t);
}

static ctStatus no_gpu(cudaError_t e, ctError* err) {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0) return cti_error(err, CT_ERR_UNSUPPORTED, "there is no GPU: no driver is installed");
  if (e == cudaErrorInsufficientDriver) {
    return cti_error(err, CT_ERR_UNSUPPORTED,
                     "the driver of the GPU is for CUDA %d.%d, too old for this library's %d.%d: update it",
                     driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  }
  return cti_error(err, CT_ERR_UNSUPPORTED, "there is no GPU: %s",
                   e != cudaSuccess ? cudaGetErrorString(e) : "none was found");
}

static ctStatus open_device(Gpu* g, ctError* err) {
  int count = 0;
  cudaError_t e = cudaGetDeviceCount(&count);
  if (e != cudaSuccess || count == 0) return no_gpu(e, err);
  if (g->opt.device < 0 || g->opt.device >= count)
    return cti_error(err, CT_ERR_ARGUMENT, "there is no GPU %d: they are 0 to %d", g->opt.device, count - 1);
  g->device = g->opt.device;
  CUDA_TRY(cudaSetDevice(g->device));
  struct cudaDeviceProp prop;
  CUDA_TRY(cudaGetDeviceProperties(&prop, g->device));
  snprintf(g->name, sizeof(g->name), "%.63s", prop.name);
  g->k.nprocessor = prop.multiProcessorCount;
  // calls of the step nest deeply
  CUDA_TRY(cudaDeviceSetLimit(cudaLimitStackSize, 24 << 10));
  g->stream = (cudaStream_t)g->opt.stream;
  if (!g->stream) {
    CUDA_TRY(cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking));
    g->own_stream = true;
  }
  return CT_OK;
}

static ctStatus check_memory(const Gpu* g, ctError* err) {
  size_t have = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&have, &total));
  return cti_check_room(g->nworld, world_bytes(g), have, err);
}

static ctStatus allocate_order(Gpu* g, ctError* err) {
  size_t n = (size_t)g->nworld;
  CT_TRY(gpu_alloc(g, (void**)&g->k.order, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.likeness, n * sizeof(unsigned), err));
  CT_TRY(gpu_alloc(g, (void**)&g->order.ids, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->order.sorted, n * sizeof(unsigned), err));
  CUDA_TRY((cudaError_t)ctk_order_bytes(&g->k, &g->order.bytes));
  CT_TRY(gpu_alloc(g, &g->order.scratch, g->order.bytes, err));
  CUDA_TRY((cudaError_t)ctk_order_begin(&g->k, &g->order, g->stream));
  return CT_OK;
}

static ctStatus allocate(Gpu* g, ctError* err) {
  size_t n = (size_t)g->nworld;
  CT_TRY(check_memory(g, err));
  CT_TRY(upload_model(g, err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.state,
                   n * (size_t)cti_state_size(g->m, CT_STATE_INTEGRATION) * sizeof(ctReal), err));
  g->k.ncarried = cti_carried_width(g->m);
  CT_TRY(gpu_alloc(g, (void**)&g->k.carried, n * (size_t)g->k.ncarried * sizeof(ctReal), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.status, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.warnings, n * CT_WARN_COUNT * sizeof(ctWarningStat), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.done, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.wanted, n * sizeof(size_t), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.nshort, sizeof(int), err));
  CT_TRY(allocate_order(g, err));
  CUDA_TRY(cudaMallocHost((void**)&g->nshort, sizeof(int)));
  g->nstaging = n * sizeof(size_t);
  g->staging = cti_alloc(NULL, g->nstaging, 64);
  g->host_status = CTI_ALLOC(NULL, int, n);
  g->host_warnings = CTI_ALLOC(NULL, ctWarningStat, n * CT_WARN_COUNT);
  if (!g->staging || !g->host_status || !g->host_warnings) return cti_error_memory(err);
  return CT_OK;
}

static ctStatus create_parts(Gpu* g, const ctiBatchSetup* setup, ctError* err) {
  CT_TRY(open_device(g, err));
  CT_TRY(cti_model_from_binary(&g->m, setup->bytes, setup->size, "<batch>", NULL, err));
  CT_TRY(ct_data_create(&g->probe, g->m, err));
  g->k.nworld = g->nworld;
  g->k.reset_bad = g->opt.reset_bad;
  g->k.reset_key = g->opt.reset_key;
  CT_TRY(allocate(g, err));
  CT_TRY(gpu_choose_class(g, cti_data_array_bytes(g->m) + FIRST_ARENA, err));
  return gpu_reset(g, NULL, g->nworld, -1, err);
}

ctStatus gpu_create(void** out, const ctiBatchSetup* setup, ctError* err) {
  *out = NULL;
  Gpu* g = CTI_ALLOC(NULL, Gpu, 1);
  if (!g) return cti_error_memory(err);
  g->opt = setup->opt;
  g->nworld = setup->nworld;
  g->real_bytes = setup->real_bytes;
  ctStatus status = create_parts(g, setup, err);
  if (status != CT_OK) {
    gpu_free(g);
    return status;
  }
  *out = g;
  return CT_OK;
}

void gpu_info(const void* self, ctBatchInfo* info) {
  const Gpu* g = (const Gpu*)self;
  info->backend = CT_BACKEND_CUDA;
  info->device = g->device;
  info->real_bytes = (int)sizeof(ctReal);
  info->bytes_per_world = world_bytes(g);
  info->bytes = g->bytes;
  snprintf(info->device_name, sizeof(info->device_name), "%s", g->name);
}
