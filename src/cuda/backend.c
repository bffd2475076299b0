// The GPU as a backend of batches: memory, transfers, and the choice of a class of data. Host code, built in
// the precision of the GPU.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "batch/backend.h"
#include "cuda/worlds.h"
#include "data/layout.h"
#include "data/state_parts.h"
#include "model/binary.h"

#define BACKEND_VERSION  1
#define IN_DEVICE_MEMORY 1000  // "class" of worlds that fit no local memory
#define DEVICE_SLOTS     4096  // of them at a time
#define FIRST_ARENA      4096  // bytes; steps that need more choose a larger class

typedef struct Gpu {
  ctModel* m;  // in host memory, in this precision
  ctData* probe;
  int real_bytes;  // of the caller
  ctBatchOptions opt;
  cudaStream_t stream;
  bool own_stream;
  int nworld, class_, device;
  char name[64];
  ctkWorlds k;  // addresses on the device
  void* model_block;
  CTI_ARRAY(ctkItem) outputs;
  CTI_ARRAY(ctkItem) values;
  ctkItem *device_outputs, *device_values;
  ctByte* slots;  // data of worlds in device memory
  size_t slot_bytes;
  // the run that may still be under way
  bool pending;
  ctkTask task;
  int* nshort;      // pinned
  ctReal* staging;  // host memory for transfers
  size_t nstaging;
  int* host_status;
  ctWarningStat* host_warnings;
  size_t bytes;  // allocated on the device
} Gpu;

static ctStatus failed(ctError* err, cudaError_t e) {
  ctStatus status = e == cudaErrorMemoryAllocation ? CT_ERR_LIMIT : CT_ERR_IO;
  return cti_error(err, status, "GPU: %s", cudaGetErrorString(e));
}

#define CUDA_TRY(call)                             \
  do {                                             \
    cudaError_t e_ = (call);                       \
    if (e_ != cudaSuccess) return failed(err, e_); \
  } while (0)

static ctStatus device_alloc(Gpu* g, void** out, size_t bytes, ctError* err) {
  *out = NULL;
  CUDA_TRY(cudaMalloc(out, bytes > 0 ? bytes : 16));
  g->bytes += bytes;
  CUDA_TRY(cudaMemsetAsync(*out, 0, bytes > 0 ? bytes : 16, g->stream));
  return CT_OK;
}

// ---- running

static ctStatus launch(Gpu* g, ctError* err) {
  g->k.outputs = g->device_outputs;
  g->k.values = g->device_values;
  g->k.noutput = g->outputs.count;
  g->k.nvalue = g->values.count;
  CUDA_TRY(cudaMemsetAsync(g->k.nshort, 0, sizeof(int), g->stream));
  int e = g->class_ == IN_DEVICE_MEMORY
              ? ctk_launch_device(&g->k, &g->task, g->slots, g->slot_bytes, g->stream)
              : ctk_launch_local(g->class_, &g->k, &g->task, g->stream);
  if (e != 0) return failed(err, (cudaError_t)e);
  CUDA_TRY(cudaMemcpyAsync(g->nshort, g->k.nshort, sizeof(int), cudaMemcpyDeviceToHost, g->stream));
  g->pending = true;
  return CT_OK;
}

static ctStatus use_device_memory(Gpu* g, size_t bytes, ctError* err) {
  if (g->slots) cudaFree(g->slots);
  g->class_ = IN_DEVICE_MEMORY;
  g->slot_bytes = (bytes + 63) / 64 * 64;
  g->task.slots = g->nworld < DEVICE_SLOTS ? g->nworld : DEVICE_SLOTS;
  return device_alloc(g, (void**)&g->slots, g->slot_bytes * (size_t)g->task.slots, err);
}

// The smallest class with room for `bytes`.
static ctStatus choose_class(Gpu* g, size_t bytes, ctError* err) {
  for (int i = 0; i < ctk_class_count(); i++) {
    if (ctk_class_bytes(i) < bytes) continue;
    g->class_ = i;
    return CT_OK;
  }
  return use_device_memory(g, bytes + bytes / 4, err);
}

// Wait for the run; worlds that ran out of arena take their step again in a larger class.
static ctStatus settle(Gpu* g, ctError* err) {
  while (g->pending) {
    CUDA_TRY(cudaStreamSynchronize(g->stream));
    g->pending = false;
    if (*g->nshort == 0) break;
    size_t arrays = cti_data_array_bytes(g->m), most = 0, *wanted = (size_t*)(void*)g->staging;
    size_t n = (size_t)g->nworld;
    if (g->nstaging < n * sizeof(size_t)) return cti_error_memory(err);
    CUDA_TRY(cudaMemcpy(wanted, g->k.wanted, n * sizeof(size_t), cudaMemcpyDeviceToHost));
    for (size_t w = 0; w < n; w++) most = wanted[w] > most ? wanted[w] : most;
    size_t have = g->class_ == IN_DEVICE_MEMORY ? g->slot_bytes : ctk_class_bytes(g->class_);
    size_t need = arrays + most + most / 2;
    CT_TRY(choose_class(g, need > have ? need : have + 1, err));
    CT_TRY(launch(g, err));
  }
  return CT_OK;
}

static ctStatus start(Gpu* g, ctkTask task, ctError* err) {
  CT_TRY(settle(g, err));
  task.slots = g->task.slots;
  g->task = task;
  CUDA_TRY(cudaMemsetAsync(g->k.done, 0, sizeof(int) * (size_t)g->nworld, g->stream));
  return launch(g, err);
}

// ---- life

static void gpu_free(void* self) {
  Gpu* g = (Gpu*)self;
  if (!g) return;
  if (g->pending) cudaStreamSynchronize(g->stream);
  void* const blocks[] = {g->model_block,    g->k.state,       g->k.output, g->k.carried, g->k.value_rows,
                          g->k.status,       g->k.warnings,    g->k.done,   g->k.wanted,  g->k.nshort,
                          g->device_outputs, g->device_values, g->slots};
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
  CT_TRY(device_alloc(g, &g->model_block, bytes, err));
  char* block = cti_alloc(NULL, bytes, 64);
  if (!block) return cti_error_memory(err);
  memcpy(block, g->m, bytes);
  ctModel* copy = (ctModel*)(void*)block;
  char* at = g->model_block;
#define X(type, name, rows, cols) \
  copy->name = (type*)(void*)(at + ((const char*)g->m->name - (const char*)g->m));
#include "corten/fields/model.def"
#include "corten/fields/model_plan.def"
#undef X
  cudaError_t e = cudaMemcpy(g->model_block, block, bytes, cudaMemcpyHostToDevice);
  cti_release(NULL, block);
  if (e != cudaSuccess) return failed(err, e);
  g->k.model = (const ctModel*)g->model_block;
  return CT_OK;
}

static size_t world_bytes(const Gpu* g) {
  size_t reals = (size_t)cti_state_size(g->m, CT_STATE_INTEGRATION) + (size_t)g->k.output_width +
                 (size_t)g->k.value_width + (cti_sensors_last(g->m) ? (size_t)g->m->nsensordata : 0);
  return reals * sizeof(ctReal) + 2 * sizeof(int) + sizeof(size_t) + sizeof(ctWarningStat) * CT_WARN_COUNT;
}

static ctStatus open_device(Gpu* g, ctError* err) {
  int count = 0;
  cudaError_t e = cudaGetDeviceCount(&count);
  if (e != cudaSuccess || count == 0) {
    return cti_error(err, CT_ERR_UNSUPPORTED, "there is no GPU: %s",
                     e != cudaSuccess ? cudaGetErrorString(e) : "none was found");
  }
  if (g->opt.device < 0 || g->opt.device >= count)
    return cti_error(err, CT_ERR_ARGUMENT, "there is no GPU %d: they are 0 to %d", g->opt.device, count - 1);
  g->device = g->opt.device;
  CUDA_TRY(cudaSetDevice(g->device));
  struct cudaDeviceProp prop;
  CUDA_TRY(cudaGetDeviceProperties(&prop, g->device));
  snprintf(g->name, sizeof(g->name), "%.63s", prop.name);
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
  size_t have = 0, total = 0, need = world_bytes(g) * (size_t)g->nworld;
  CUDA_TRY(cudaMemGetInfo(&have, &total));
  if (need <= have) return CT_OK;
  return cti_error(err, CT_ERR_LIMIT,
                   "%d worlds take %.1f GiB and the GPU has %.1f GiB free: there is room for %.0f", g->nworld,
                   (double)need / 1073741824.0, (double)have / 1073741824.0,
                   (double)have / (double)world_bytes(g));
}

static ctStatus allocate(Gpu* g, ctError* err) {
  size_t n = (size_t)g->nworld;
  CT_TRY(check_memory(g, err));
  CT_TRY(upload_model(g, err));
  CT_TRY(device_alloc(g, (void**)&g->k.state,
                      n * (size_t)cti_state_size(g->m, CT_STATE_INTEGRATION) * sizeof(ctReal), err));
  if (cti_sensors_last(g->m))
    CT_TRY(device_alloc(g, (void**)&g->k.carried, n * (size_t)g->m->nsensordata * sizeof(ctReal), err));
  CT_TRY(device_alloc(g, (void**)&g->k.status, n * sizeof(int), err));
  CT_TRY(device_alloc(g, (void**)&g->k.warnings, n * CT_WARN_COUNT * sizeof(ctWarningStat), err));
  CT_TRY(device_alloc(g, (void**)&g->k.done, n * sizeof(int), err));
  CT_TRY(device_alloc(g, (void**)&g->k.wanted, n * sizeof(size_t), err));
  CT_TRY(device_alloc(g, (void**)&g->k.nshort, sizeof(int), err));
  CUDA_TRY(cudaMallocHost((void**)&g->nshort, sizeof(int)));
  g->nstaging = n * sizeof(size_t);
  g->staging = cti_alloc(NULL, g->nstaging, 64);
  g->host_status = CTI_ALLOC(NULL, int, n);
  g->host_warnings = CTI_ALLOC(NULL, ctWarningStat, n * CT_WARN_COUNT);
  if (!g->staging || !g->host_status || !g->host_warnings) return cti_error_memory(err);
  return CT_OK;
}

static ctStatus gpu_reset(void* self, const int* ids, int nids, int key, ctError* err) {
  Gpu* g = (Gpu*)self;
  int* chosen = NULL;
  if (ids) CUDA_TRY(cudaMalloc((void**)&chosen, sizeof(int) * (size_t)(nids + 1)));
  if (ids) CUDA_TRY(cudaMemcpy(chosen, ids, sizeof(int) * (size_t)nids, cudaMemcpyHostToDevice));
  ctkTask task = {.ids = chosen, .count = nids, .reset = true, .key = key};
  ctStatus status = start(g, task, err);
  if (status == CT_OK) status = settle(g, err);
  cudaFree(chosen);
  return status;
}

static ctStatus create_parts(Gpu* g, const ctiBatchSetup* setup, ctError* err) {
  CT_TRY(open_device(g, err));
  CT_TRY(cti_model_from_binary(&g->m, setup->bytes, setup->size, "<batch>", NULL, err));
  CT_TRY(ct_data_create(&g->probe, g->m, err));
  g->k.nworld = g->nworld;
  g->k.reset_bad = g->opt.reset_bad;
  g->k.reset_key = g->opt.reset_key;
  CT_TRY(allocate(g, err));
  CT_TRY(choose_class(g, cti_data_array_bytes(g->m) + FIRST_ARENA, err));
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

// ---- work

static ctStatus first_trouble(Gpu* g, ctError* err) {
  CUDA_TRY(cudaMemcpy(g->host_status, g->k.status, sizeof(int) * (size_t)g->nworld, cudaMemcpyDeviceToHost));
  for (int w = 0; w < g->nworld; w++) {
    if (g->host_status[w] == CT_OK) continue;
    return cti_error(err, (ctStatus)g->host_status[w], "world %d: %s", w,
                     ct_status_text((ctStatus)g->host_status[w]));
  }
  return CT_OK;
}

// Asynchronous: trouble of worlds is told by ct_batch_status().
static ctStatus gpu_run(void* self, int nstep, bool advance, ctError* err) {
  Gpu* g = (Gpu*)self;
  ctkTask task = {.count = g->nworld, .nstep = nstep, .advance = advance};
  return start(g, task, err);
}

// Numbers between the caller's precision and this one.
static void convert(void* to, int to_bytes, const void* from, int from_bytes, size_t n) {
  if (to_bytes == from_bytes) {
    memcpy(to, from, n * (size_t)to_bytes);
  } else if (to_bytes == 8) {
    for (size_t i = 0; i < n; i++) ((double*)to)[i] = (double)((const float*)from)[i];
  } else {
    for (size_t i = 0; i < n; i++) ((float*)to)[i] = (float)((const double*)from)[i];
  }
}

static ctStatus stage(Gpu* g, size_t bytes, ctError* err) {
  if (bytes <= g->nstaging) return CT_OK;
  ctReal* more = cti_alloc(NULL, bytes, 64);
  if (!more) return cti_error_memory(err);
  cti_release(NULL, g->staging);
  g->staging = more;
  g->nstaging = bytes;
  return CT_OK;
}

static ctStatus gpu_rollout(void* self, int nstep, const void* controls, void* out, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  const int mine = (int)sizeof(ctReal);
  size_t nin = (size_t)g->nworld * (size_t)nstep * (size_t)g->m->nu;
  size_t nout = (size_t)g->nworld * (size_t)nstep * (size_t)g->k.output_width;
  ctkTask task = {.count = g->nworld, .nstep = nstep, .advance = true};
  ctReal *in_device = NULL, *out_device = NULL;
  CT_TRY(stage(g, (nin > nout ? nin : nout) * sizeof(ctReal), err));
  ctStatus status = CT_OK;
  if (controls && nin > 0) {
    convert(g->staging, mine, controls, g->real_bytes, nin);
    status = device_alloc(g, (void**)&in_device, nin * sizeof(ctReal), err);
    if (status == CT_OK) {
      cudaMemcpyAsync(in_device, g->staging, nin * sizeof(ctReal), cudaMemcpyHostToDevice, g->stream);
      cudaStreamSynchronize(g->stream);
    }
    task.controls = in_device;
    g->bytes -= nin * sizeof(ctReal);
  }
  if (status == CT_OK && out && nout > 0) {
    status = device_alloc(g, (void**)&out_device, nout * sizeof(ctReal), err);
    task.record = out_device;
    g->bytes -= nout * sizeof(ctReal);
  }
  if (status == CT_OK) status = start(g, task, err);
  if (status == CT_OK) status = settle(g, err);
  if (status == CT_OK && out_device) {
    cudaError_t e = cudaMemcpy(g->staging, out_device, nout * sizeof(ctReal), cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) status = failed(err, e);
    convert(out, g->real_bytes, g->staging, mine, nout);
  }
  cudaFree(in_device);
  cudaFree(out_device);
  return status == CT_OK ? first_trouble(g, err) : status;
}

// ---- numbers: columns of a store, world by world in host memory

static bool is_row_major(ctiStore store) {
  return store == CTI_STORE_VALUES;
}

static ctReal* store_of(const Gpu* g, ctiStore store) {
  return store == CTI_STORE_STATE ? g->k.state : (store == CTI_STORE_OUTPUT ? g->k.output : g->k.value_rows);
}

// The columns as they lie on the device, to or from the staging memory: column by column, or row by row.
static ctStatus transfer(Gpu* g, ctiColumn c, bool to_device, ctError* err) {
  size_t n = (size_t)g->nworld, width = (size_t)c.width * sizeof(ctReal);
  enum cudaMemcpyKind kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (is_row_major(c.store)) {
    size_t pitch = (size_t)g->k.value_width * sizeof(ctReal);
    char* at = (char*)(g->k.value_rows + c.offset);
    CUDA_TRY(to_device ? cudaMemcpy2D(at, pitch, g->staging, width, width, n, kind)
                       : cudaMemcpy2D(g->staging, width, at, pitch, width, n, kind));
    return CT_OK;
  }
  ctReal* at = store_of(g, c.store) + (size_t)c.offset * n;
  CUDA_TRY(to_device ? cudaMemcpy(at, g->staging, width * n, kind)
                     : cudaMemcpy(g->staging, at, width * n, kind));
  return CT_OK;
}

static ctReal* staged(const Gpu* g, ctiColumn c, int world, int k) {
  return is_row_major(c.store) ? g->staging + (size_t)world * (size_t)c.width + (size_t)k
                               : g->staging + (size_t)k * (size_t)g->nworld + (size_t)world;
}

static ctStatus gpu_read(void* self, ctiColumn c, const int* ids, int nids, void* values, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  CT_TRY(stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  CT_TRY(transfer(g, c, false, err));
  char* to = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, to += g->real_bytes)
      convert(to, g->real_bytes, staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), 1);
  }
  return CT_OK;
}

static ctStatus gpu_write(void* self, ctiColumn c, const int* ids, int nids, const void* values,
                          ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  CT_TRY(stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  if (ids) CT_TRY(transfer(g, c, false, err));
  const char* from = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, from += g->real_bytes)
      convert(staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), from, g->real_bytes, 1);
  }
  return transfer(g, c, true, err);
}

// ---- outputs and values

// The member of `base` that holds a field, or the address of it.
static ctkItem find_member(const ctField* f, const void* base, size_t size, int column, int width) {
  ctkItem item = {.column = column, .width = width, .type = (int)f->type};
  const char* at = f->data;
  if (at >= (const char*)base && at < (const char*)base + size) {
    item.offset = (size_t)(at - (const char*)base);
    return item;
  }
  item.pointer = true;
  for (size_t i = 0; i + sizeof(void*) <= size; i += sizeof(void*)) {
    const void* member;
    memcpy(&member, (const char*)base + i, sizeof(member));
    if (member == f->data) item.offset = i;
  }
  return item;
}

static ctStatus upload_items(Gpu* g, ctkItem** device, const ctkItem* items, int count, ctError* err) {
  cudaFree(*device);
  CT_TRY(device_alloc(g, (void**)device, sizeof(ctkItem) * (size_t)count, err));
  CUDA_TRY(cudaStreamSynchronize(g->stream));
  CUDA_TRY(cudaMemcpy(*device, items, sizeof(ctkItem) * (size_t)count, cudaMemcpyHostToDevice));
  return CT_OK;
}

static ctStatus gpu_add_output(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  ctField f;
  CT_TRY(ct_data_field(g->m, g->probe, name, &f));
  ctkItem item = find_member(&f, g->probe, sizeof(ctData), g->k.output_width, width);
  if (width > 0 && item.pointer && item.offset == 0)
    return cti_error(err, CT_ERR_INVALID, "\"%s\" cannot be an output on the GPU", name);
  ctReal* wider;
  size_t n = (size_t)g->nworld, old = n * (size_t)g->k.output_width * sizeof(ctReal);
  CT_TRY(device_alloc(g, (void**)&wider, old + n * (size_t)width * sizeof(ctReal), err));
  CUDA_TRY(cudaStreamSynchronize(g->stream));
  if (old) CUDA_TRY(cudaMemcpy(wider, g->k.output, old, cudaMemcpyDeviceToDevice));
  cudaFree(g->k.output);
  g->bytes -= old;
  g->k.output = wider;
  g->k.output_width += width;
  if (cti_array_push(&g->outputs, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_outputs, g->outputs.data, g->outputs.count, err);
}

static ctStatus gpu_add_values(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  ctField f;
  CT_TRY(ct_model_field(g->m, name, &f));
  ctkItem item = find_member(&f, g->m, sizeof(ctModel), g->k.value_width, width);
  size_t n = (size_t)g->nworld, old_width = (size_t)g->k.value_width, all = old_width + (size_t)width;
  ctReal* wider;
  CT_TRY(device_alloc(g, (void**)&wider, n * all * sizeof(ctReal), err));
  CT_TRY(stage(g, n * (size_t)width * sizeof(ctReal), err));
  for (size_t w = 0; w < n; w++)
    memcpy(g->staging + w * (size_t)width, f.data, (size_t)width * sizeof(ctReal));
  CUDA_TRY(cudaStreamSynchronize(g->stream));
  if (old_width) {
    CUDA_TRY(cudaMemcpy2D(wider, all * sizeof(ctReal), g->k.value_rows, old_width * sizeof(ctReal),
                          old_width * sizeof(ctReal), n, cudaMemcpyDeviceToDevice));
  }
  CUDA_TRY(cudaMemcpy2D(wider + old_width, all * sizeof(ctReal), g->staging, (size_t)width * sizeof(ctReal),
                        (size_t)width * sizeof(ctReal), n, cudaMemcpyHostToDevice));
  cudaFree(g->k.value_rows);
  g->k.value_rows = wider;
  g->k.value_width = (int)all;
  if (cti_array_push(&g->values, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_values, g->values.data, g->values.count, err);
}

// On the host, world by world: constants change seldom.
static ctStatus gpu_update(void* self, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  size_t n = (size_t)g->nworld, width = (size_t)g->k.value_width;
  ctiColumn all = {CTI_STORE_VALUES, 0, g->k.value_width};
  CT_TRY(stage(g, n * width * sizeof(ctReal), err));
  CT_TRY(transfer(g, all, false, err));
  ctModel* m;
  CT_TRY(ct_model_copy(&m, g->m, err));
  ctStatus status = CT_OK;
  for (size_t w = 0; w < n && status == CT_OK; w++) {
    for (int pass = 0; pass < 2; pass++) {
      if (pass == 1) status = ct_model_update(m, err);
      for (int i = 0; i < g->values.count; i++) {
        const ctkItem* item = &g->values.data[i];
        char* member = (char*)m + item->offset;
        ctReal *there = item->pointer ? *(ctReal**)(void*)member : (ctReal*)(void*)member,
               *here = g->staging + w * width + (size_t)item->column;
        memcpy(pass == 0 ? there : here, pass == 0 ? here : there, sizeof(ctReal) * (size_t)item->width);
      }
    }
  }
  ct_model_free(m);
  return status == CT_OK ? transfer(g, all, true, err) : status;
}

static void gpu_view(void* self, ctiColumn c, ctBatchView* view) {
  Gpu* g = (Gpu*)self;
  settle(g, NULL);
  bool rows = is_row_major(c.store);
  view->device = g->device;
  view->real_bytes = (int)sizeof(ctReal);
  view->data =
      rows ? g->k.value_rows + c.offset : store_of(g, c.store) + (size_t)c.offset * (size_t)g->nworld;
  view->stride[0] = rows ? g->k.value_width : 1;
  view->stride[1] = rows ? 1 : g->nworld;
}

static const int* gpu_status(void* self) {
  Gpu* g = (Gpu*)self;
  if (settle(g, NULL) != CT_OK) return NULL;
  cudaMemcpy(g->host_status, g->k.status, sizeof(int) * (size_t)g->nworld, cudaMemcpyDeviceToHost);
  return g->host_status;
}

static const ctWarningStat* gpu_warnings(void* self) {
  Gpu* g = (Gpu*)self;
  if (settle(g, NULL) != CT_OK) return NULL;
  size_t bytes = sizeof(ctWarningStat) * CT_WARN_COUNT * (size_t)g->nworld;
  cudaMemcpy(g->host_warnings, g->k.warnings, bytes, cudaMemcpyDeviceToHost);
  return g->host_warnings;
}

static ctStatus gpu_restore_reports(void* self, const int* status, const ctWarningStat* warnings) {
  Gpu* g = (Gpu*)self;
  size_t n = (size_t)g->nworld;
  cudaMemcpy(g->k.status, status, sizeof(int) * n, cudaMemcpyHostToDevice);
  cudaError_t e =
      cudaMemcpy(g->k.warnings, warnings, sizeof(ctWarningStat) * CT_WARN_COUNT * n, cudaMemcpyHostToDevice);
  return e == cudaSuccess ? CT_OK : CT_ERR_IO;
}

static ctStatus gpu_sync(void* self, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(settle(g, err));
  return first_trouble(g, err);
}

static const ctiBackend backend = {
    .create = gpu_create,
    .free = gpu_free,
    .info = gpu_info,
    .run = gpu_run,
    .rollout = gpu_rollout,
    .reset = gpu_reset,
    .read = gpu_read,
    .write = gpu_write,
    .add_output = gpu_add_output,
    .add_values = gpu_add_values,
    .update = gpu_update,
    .view = gpu_view,
    .status = gpu_status,
    .warnings = gpu_warnings,
    .restore_reports = gpu_restore_reports,
    .sync = gpu_sync,
};

__attribute__((visibility("default"))) const ctiBackend* corten_cuda_backend(int version);
const ctiBackend* corten_cuda_backend(int version) {
  return version == BACKEND_VERSION ? &backend : NULL;
}
