// The GPU as a backend of batches: memory, life of a batch, the table.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/gpu.h"
#include "data/data.h"
#include "data/state.h"
#include "model/binary.h"

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

// In the order of the stream: a plain copy of a few numbers may not be done when it returns, and the
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

// ---- life of a batch: create, info, free ----

#define FIRST_ARENA 4096  // bytes; steps that need more choose a larger arena

static ctStatus open_sides(ctkSides* s, ctError* err) {
  CUDA_TRY(cudaEventCreateWithFlags((cudaEvent_t*)&s->begun, cudaEventDisableTiming));
  for (int i = 0; i < CTK_PLAIN_CLASSES - 1; i++) {
    CUDA_TRY(cudaStreamCreateWithFlags((cudaStream_t*)&s->stream[i], cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags((cudaEvent_t*)&s->ended[i], cudaEventDisableTiming));
  }
  return CT_OK;
}

static void close_sides(ctkSides* s) {
  if (s->begun) cudaEventDestroy((cudaEvent_t)s->begun);
  for (int i = 0; i < CTK_PLAIN_CLASSES - 1; i++) {
    if (s->stream[i]) cudaStreamDestroy((cudaStream_t)s->stream[i]);
    if (s->ended[i]) cudaEventDestroy((cudaEvent_t)s->ended[i]);
  }
}

static void gpu_free(void* self) {
  Gpu* g = (Gpu*)self;
  if (!g) return;
  if (g->pending) cudaStreamSynchronize(g->stream);
  gpu_forget_graph(g);
  void* const blocks[] = {g->model_block,   g->k.state,        g->k.output,      g->k.carried,
                          g->k.value_rows,  g->k.status,       g->k.warnings,    g->k.done,
                          g->k.wanted,      g->k.nshort,       g->k.ready,       g->k.nready,
                          g->k.order,       g->k.work_key,     g->order.ids,     g->order.sorted,
                          g->order.scratch, g->device_outputs, g->device_values, g->slots};
  for (int i = 0; i < CT_COUNT_OF(blocks); i++) cudaFree(blocks[i]);
  if (g->nshort) cudaFreeHost(g->nshort);
  if (g->own_stream) cudaStreamDestroy(g->stream);
  close_sides(&g->sides);
  ct_data_free(g->probe);
  ct_model_free(g->m);
  cti_array_free(&g->outputs, NULL);
  cti_array_free(&g->values, NULL);
  cti_release(NULL, g->staging);
  cti_release(NULL, g->host_status);
  cti_release(NULL, g->host_warnings);
  cti_release(NULL, g);
}

ctStatus gpu_upload_model(Gpu* g, ctError* err) {
  size_t bytes = (size_t)g->m->nbuffer;
  if (!g->model_block) CT_TRY(gpu_alloc(g, &g->model_block, bytes, err));
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
  return (size_t)cti_state_size(g->m, CT_STATE_INTEGRATION) + (size_t)cti_carried_size(g->m) +
         (size_t)g->k.output_width + (size_t)g->k.value_width;
}

// Beside what every backend keeps: steps done, the order of worlds, and the arena that was wanted.
static size_t world_bytes(const Gpu* g) {
  return cti_world_bytes(numbers_of(g)) + (4 + CTK_PLAIN_CLASSES) * sizeof(int) + sizeof(size_t);
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
  return open_sides(&g->sides, err);
}

static ctStatus check_memory(const Gpu* g, ctError* err) {
  size_t have = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&have, &total));
  return cti_check_room(g->nworld, world_bytes(g), have, err);
}

static ctStatus allocate_order(Gpu* g, ctError* err) {
  size_t n = (size_t)g->nworld;
  CT_TRY(gpu_alloc(g, (void**)&g->k.order, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.work_key, n * sizeof(unsigned), err));
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
  CT_TRY(gpu_upload_model(g, err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.state,
                   n * (size_t)cti_state_size(g->m, CT_STATE_INTEGRATION) * sizeof(ctReal), err));
  g->k.ncarried = cti_carried_size(g->m);
  CT_TRY(gpu_alloc(g, (void**)&g->k.carried, n * (size_t)g->k.ncarried * sizeof(ctReal), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.status, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.warnings, n * CT_WARN_COUNT * sizeof(ctWarningStat), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.done, n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.wanted, n * sizeof(size_t), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.nshort, sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.ready, (CTK_PLAIN_CLASSES + 1) * n * sizeof(int), err));
  CT_TRY(gpu_alloc(g, (void**)&g->k.nready, (CTK_PLAIN_CLASSES + 1) * sizeof(int), err));
  CT_TRY(allocate_order(g, err));
  CUDA_TRY(cudaMallocHost((void**)&g->nshort, sizeof(int)));
  g->nstaging = n * sizeof(size_t);
  g->staging = cti_alloc(NULL, g->nstaging, 64);
  g->host_status = CTI_ALLOC(NULL, int, n);
  g->host_warnings = CTI_ALLOC(NULL, ctWarningStat, (size_t)n * CT_WARN_COUNT);
  if (!g->staging || !g->host_status || !g->host_warnings) return cti_error_memory(err);
  return CT_OK;
}

static ctStatus create_parts(Gpu* g, const ctiBatchSetup* setup, ctError* err) {
  CT_TRY(open_device(g, err));
  CT_TRY(cti_model_from_binary(&g->m, setup->bytes, setup->size, "<batch>", SIZE_MAX, NULL, err));
  CT_TRY(ct_data_create(&g->probe, g->m, err));
  g->k.nworld = g->nworld;
  g->k.reset_bad = g->opt.reset_bad;
  g->k.reset_key = g->opt.reset_to_key ? g->opt.reset_key : -1;
  CT_TRY(allocate(g, err));
  g->k.lifetimes = cti_model_lifetimes(g->m);
  gpu_choose_room(g, cti_data_array_bytes(g->m, g->k.lifetimes) + FIRST_ARENA);
  return gpu_reset(g, NULL, g->nworld, -1, err);
}

static ctStatus gpu_create(void** out, const ctiBatchSetup* setup, ctError* err) {
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

static void gpu_info(const void* self, ctBatchInfo* info) {
  const Gpu* g = (const Gpu*)self;
  info->backend = CT_BACKEND_CUDA;
  info->device = g->device;
  info->real_bytes = (int)sizeof(ctReal);
  info->bytes_per_world = world_bytes(g);
  info->bytes = g->bytes;
  snprintf(info->device_name, sizeof(info->device_name), "%s", g->name);
}

// ---- the table of the backend, and the reports of worlds ----

// Bring an array to the host unless it is known there.
static bool fetch(Gpu* g, bool* known, void* to, const void* from, size_t bytes) {
  if (gpu_settle(g, NULL) != CT_OK) return false;
  if (!*known) *known = gpu_copy(g, to, from, bytes, NULL) == CT_OK;
  return *known;
}

static const int* gpu_status(void* self) {
  Gpu* g = (Gpu*)self;
  bool ok = fetch(g, &g->status_known, g->host_status, g->k.status, sizeof(int) * (size_t)g->nworld);
  return ok ? g->host_status : NULL;
}

static const ctWarningStat* gpu_warnings(void* self) {
  Gpu* g = (Gpu*)self;
  bool ok = fetch(g, &g->warnings_known, g->host_warnings, g->k.warnings,
                  sizeof(ctWarningStat) * CT_WARN_COUNT * (size_t)g->nworld);
  return ok ? g->host_warnings : NULL;
}

static ctStatus gpu_restore_reports(void* self, const int* status, const ctWarningStat* warnings,
                                    ctError* err) {
  Gpu* g = (Gpu*)self;
  size_t n = (size_t)g->nworld;
  CT_TRY(gpu_settle(g, err));
  g->status_known = g->warnings_known = false;
  CT_TRY(gpu_copy(g, g->k.status, status, sizeof(int) * n, err));
  return gpu_copy(g, g->k.warnings, warnings, sizeof(ctWarningStat) * CT_WARN_COUNT * n, err);
}

static const ctiBackend backend = {
    .create = gpu_create,
    .free = gpu_free,
    .info = gpu_info,
    .run = gpu_run,
    .profile = gpu_profile,
    .rollout = gpu_rollout,
    .reset = gpu_reset,
    .read = gpu_read,
    .write = gpu_write,
    .add_output = gpu_add_output,
    .add_values = gpu_add_values,
    .set_noise = gpu_set_noise,
    .update = gpu_update,
    .view = gpu_view,
    .status = gpu_status,
    .warnings = gpu_warnings,
    .restore_reports = gpu_restore_reports,
    .sync = gpu_sync,
};

__attribute__((visibility("default"))) const ctiBackend* corten_cuda_backend(int version);
const ctiBackend* corten_cuda_backend(int version) {
  return version == CTI_BACKEND_VERSION ? &backend : NULL;
}
