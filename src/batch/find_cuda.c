// The GPU's backend is a library of its own, looked for when a batch asks for it: nothing else needs CUDA.
#include <dlfcn.h>

#include "batch/backend.h"

typedef const ctiBackend* GetBackend(int version);

static const ctiBackend* open_backend(const char* library, ctError* err) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    cti_error(err, CT_ERR_UNSUPPORTED, "no GPU backend: %s", dlerror());
    return NULL;
  }
  GetBackend* get;
  *(void**)&get = dlsym(handle, "corten_cuda_backend");
  const ctiBackend* backend = get ? get(CTI_BACKEND_VERSION) : NULL;
  if (!backend) cti_error(err, CT_ERR_UNSUPPORTED, "%s belongs to another version of the library", library);
  return backend;
}

const ctiBackend* cti_backend_cuda(bool in_double, ctError* err) {
  return open_backend(in_double ? "libcorten_cuda_f64.so" : "libcorten_cuda.so", err);
}
