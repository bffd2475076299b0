// Shared libraries of plugins. Host code.
#include <dlfcn.h>

#include "base/alloc.h"
#include "base/error.h"
#include "corten/plugin.h"

#define ENTRY_TEXT_(name) #name
#define ENTRY_TEXT(name)  ENTRY_TEXT_(name)

struct ctPluginLibrary {
  void* handle;
  const ctPlugin* const* list;
  int count;
};

typedef const ctPlugin* const* GetPlugins(int* count);

static ctStatus find_plugins(ctPluginLibrary* library, const char* path, ctError* err) {
  GetPlugins* get;
  *(void**)&get = dlsym(library->handle, ENTRY_TEXT(CT_PLUGIN_ENTRY));
  if (!get)
    return cti_error(err, CT_ERR_INVALID,
                     "%s has no function %s: it lists no plugins, or is of another precision", path,
                     ENTRY_TEXT(CT_PLUGIN_ENTRY));
  library->list = get(&library->count);
  for (int i = 0; library->list && i < library->count; i++) {
    if (!library->list[i] || !library->list[i]->name)
      return cti_error(err, CT_ERR_INVALID, "%s: plugin %d has no name", path, i);
  }
  return library->list && library->count > 0 ? CT_OK
                                             : cti_error(err, CT_ERR_INVALID, "%s lists no plugins", path);
}

ctStatus ct_plugin_library_open(ctPluginLibrary** out, const char* path, ctError* err) {
  if (!out || !path)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_plugin_library_open: out and path must not be NULL");
  *out = NULL;
  ctPluginLibrary* library = CTI_ALLOC(NULL, ctPluginLibrary, 1);
  if (!library) return cti_error_memory(err);
  library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ctStatus status = library->handle ? find_plugins(library, path, err)
                                    : cti_error(err, CT_ERR_NOT_FOUND, "cannot open plugins: %s", dlerror());
  if (status != CT_OK) {
    ct_plugin_library_close(library);
    return status;
  }
  *out = library;
  return CT_OK;
}

const ctPlugin* const* ct_plugin_library_list(const ctPluginLibrary* library, int* count) {
  if (count) *count = library ? library->count : 0;
  return library ? library->list : NULL;
}

void ct_plugin_library_close(ctPluginLibrary* library) {
  if (!library) return;
  if (library->handle) dlclose(library->handle);
  cti_release(NULL, library);
}
