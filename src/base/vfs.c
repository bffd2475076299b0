#include "base/vfs.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"

struct ctVfs {
  ctAllocator allocator;
  CTI_ARRAY(ctiVfsFile) files;  // in the order they were added
};

ctStatus ct_vfs_create(ctVfs** out, const ctAllocator* allocator, ctError* err) {
  if (!out) return cti_error(err, CT_ERR_ARGUMENT, "ct_vfs_create: out is NULL");
  *out = CTI_ALLOC(allocator, ctVfs, 1);
  if (!*out) return cti_error_memory(err);
  (*out)->allocator = allocator ? *allocator : *cti_allocator_default();
  return CT_OK;
}

// A file is one block: its bytes, a zero byte, its name.
static void release_file(ctVfs* vfs, const ctiVfsFile* file) {
  cti_release(&vfs->allocator, (void*)(uintptr_t)file->data);
}

void ct_vfs_free(ctVfs* vfs) {
  if (!vfs) return;
  const ctAllocator allocator = vfs->allocator;
  for (int i = 0; i < vfs->files.count; i++) release_file(vfs, &vfs->files.data[i]);
  cti_array_free(&vfs->files, &allocator);
  cti_release(&allocator, vfs);
}

// Index of the file with this normalised name, or -1.
static int find_exact(const ctVfs* vfs, const char* name) {
  uint64_t hash = cti_hash_text(name);
  for (int i = 0; i < vfs->files.count; i++) {
    const ctiVfsFile* file = &vfs->files.data[i];
    if (file->hash == hash && strcmp(file->name, name) == 0) return i;
  }
  return -1;
}

ctStatus ct_vfs_add(ctVfs* vfs, const char* name, const void* data, size_t size, ctError* err) {
  if (!vfs || !name || (!data && size > 0))
    return cti_error(err, CT_ERR_ARGUMENT, "ct_vfs_add: NULL argument");
  if (!name[0]) return cti_error(err, CT_ERR_ARGUMENT, "ct_vfs_add: the file name is empty");
  char path[CTI_PATH_MAX];
  if (!cti_path_normalise_into(path, sizeof(path), name)) {
    return cti_error(err, CT_ERR_LIMIT, "ct_vfs_add: the file name is longer than %d bytes",
                     CTI_PATH_MAX - 1);
  }
  if (find_exact(vfs, path) >= 0) {
    return cti_error(err, CT_ERR_INVALID, "file \"%s\" is already in the file system", path);
  }

  size_t name_size = strlen(path) + 1;
  if (size > SIZE_MAX - 1 - name_size) return cti_error_memory(err);
  char* block = (char*)cti_alloc(&vfs->allocator, size + 1 + name_size, CTI_ALIGN_ANY);
  if (!block) return cti_error_memory(err);
  if (size > 0) memcpy(block, data, size);
  block[size] = 0;
  memcpy(block + size + 1, path, name_size);

  ctiVfsFile file = {cti_hash_text(path), block + size + 1, block, size};
  if (cti_array_push(&vfs->files, &vfs->allocator, file) != CT_OK) {
    cti_release(&vfs->allocator, block);
    return cti_error_memory(err);
  }
  return CT_OK;
}

ctStatus ct_vfs_remove(ctVfs* vfs, const char* name, ctError* err) {
  if (!vfs || !name) return cti_error(err, CT_ERR_ARGUMENT, "ct_vfs_remove: NULL argument");
  char path[CTI_PATH_MAX];
  int index = cti_path_normalise_into(path, sizeof(path), name) ? find_exact(vfs, path) : -1;
  if (index < 0) return cti_error(err, CT_ERR_NOT_FOUND, "file \"%s\" is not in the file system", name);

  release_file(vfs, &vfs->files.data[index]);
  vfs->files.count--;
  memmove(&vfs->files.data[index], &vfs->files.data[index + 1],
          (size_t)(vfs->files.count - index) * sizeof(ctiVfsFile));
  return CT_OK;
}

bool ct_vfs_contains(const ctVfs* vfs, const char* name) {
  char path[CTI_PATH_MAX];
  return vfs && name && name[0] && cti_path_normalise_into(path, sizeof(path), name) &&
         find_exact(vfs, path) >= 0;
}

int ct_vfs_count(const ctVfs* vfs) {
  return vfs ? vfs->files.count : 0;
}

ctStatus ct_vfs_file(const ctVfs* vfs, int i, const char** name, const void** data, size_t* size) {
  if (i < 0 || i >= ct_vfs_count(vfs)) return CT_ERR_ARGUMENT;
  if (name) *name = vfs->files.data[i].name;
  if (data) *data = vfs->files.data[i].data;
  if (size) *size = vfs->files.data[i].size;
  return CT_OK;
}

const ctiVfsFile* cti_vfs_find(const ctVfs* vfs, const char* normalised_path) {
  if (!vfs) return NULL;
  int index = find_exact(vfs, normalised_path);
  if (index < 0) index = find_exact(vfs, cti_path_base(normalised_path));
  return index >= 0 ? &vfs->files.data[index] : NULL;
}
