// A model as an MJCF file, with its other files beside it.
#include <string.h>

#include "base/files.h"
#include "lift/lift.h"

// The name of the file without folder and ending begins those of the others.
static const char* prefix_of(ctiRegion* region, const char* path) {
  const char *base = cti_path_base(path), *ending = cti_path_extension(path);
  int n = (int)(strlen(base) - strlen(ending)) - (*ending ? 1 : 0);
  return cti_region_printf(region, "%.*s_", n, base);
}

static ctStatus write_files(const ctVfs* files, ctiRegion* region, const char* folder, ctError* err) {
  for (int i = 0; i < ct_vfs_count(files); i++) {
    const char* name;
    const void* data;
    size_t size;
    ct_vfs_file(files, i, &name, &data, &size);
    const char* path = cti_path_join(region, folder, name);
    if (!path) return cti_error_memory(err);
    CT_TRY(cti_file_write(path, data, size, err));
  }
  return CT_OK;
}

ctStatus ct_model_save_mjcf(const ctModel* m, const char* path, const ctLog* log, ctError* err) {
  if (!m || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_save_mjcf: m and path must not be NULL");
  ctiRegion* region = cti_region_create(&m->allocator);
  const char* folder = region ? cti_path_dir(region, path) : NULL;
  const char* prefix = folder ? prefix_of(region, path) : NULL;
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  ctStatus status = prefix ? ct_vfs_create(&files, &m->allocator, err) : cti_error_memory(err);
  if (status == CT_OK) status = cti_lift(&spec, m, files, prefix, log, true, err);
  if (status == CT_OK) status = write_files(files, region, folder, err);
  if (status == CT_OK) status = ct_spec_save(spec, path, err);
  ct_spec_free(spec);
  ct_vfs_free(files);
  cti_region_free(region);
  return status;
}
