// What backends share: sizes of worlds, their first trouble, and where the library of the GPU lies.
#define _GNU_SOURCE  // dladdr
#include "batch/backend.h"
#include "base/fn.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t cti_world_bytes(size_t numbers) {
  return numbers * sizeof(ctReal) + sizeof(int) + sizeof(ctWarningStat) * CT_WARN_COUNT;
}

ctStatus cti_check_room(int nworld, size_t world_bytes, size_t have, ctError* err) {
  double need = (double)world_bytes * nworld, gib = 1073741824.0;
  if (need <= (double)have) return CT_OK;
  return cti_error(err, CT_ERR_LIMIT, "%d worlds take %.1f GiB and %.1f GiB are free: there is room for %.0f",
                   nworld, need / gib, (double)have / gib, (double)have / (double)world_bytes);
}

ctStatus cti_first_trouble(const int* status, int nworld, ctError* err) {
  for (int w = 0; w < nworld; w++) {
    if (status[w] == CT_OK) continue;
    return cti_error(err, (ctStatus)status[w], "world %d: %s", w, ct_status_text((ctStatus)status[w]));
  }
  return CT_OK;
}

// ---- the GPU's backend is a library of its own ----
// Looked for when a batch asks for it: nothing else needs CUDA.

typedef const ctiBackend* GetBackend(int version);

// Folders in which the backend may lie, seen from that of this code.
static const char* const places[] = {"", "../" CTI_LIBRARY_FOLDER "/"};

// The folder of the library or program that this code is part of, with a slash at the end.
static bool own_folder(char out[PATH_MAX]) {
  Dl_info info;
  const char* name = dladdr((const void*)places, &info) ? info.dli_fname : NULL;
  if (!name || !strchr(name, '/')) name = "/proc/self/exe";  // a program that was found on PATH
  if (!realpath(name, out)) return false;
  strrchr(out, '/')[1] = '\0';
  return true;
}

// The path of `library` near this code, or its name alone: then the loader knows where to look.
static const char* path_of(const char* library, char out[PATH_MAX]) {
  char folder[PATH_MAX];
  if (!own_folder(folder)) return library;
  for (int i = 0; i < CT_COUNT_OF(places); i++) {
    int n = snprintf(out, PATH_MAX, "%s%s%s", folder, places[i], library);
    if (n > 0 && n < PATH_MAX && access(out, F_OK) == 0) return out;
  }
  return library;
}

static const ctiBackend* open_backend(const char* library, ctError* err) {
  char path[PATH_MAX];
  void* handle = dlopen(path_of(library, path), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    cti_error(err, CT_ERR_UNSUPPORTED,
              "no GPU backend: %s; CORTEN_CUDA=ON builds it, CORTEN_CUDA_DOUBLE=ON that of double precision",
              dlerror());
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
