// The GPU as a backend of batches: its table, and the reports of worlds.
#include "cuda/gpu.h"

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
  return version == CTI_BACKEND_VERSION ? &backend : NULL;
}
