// Looking into an in-memory file system. The public half is corten/vfs.h.
#pragma once

#include "corten/vfs.h"

// One file, owned by the file system.
typedef struct ctiVfsFile {
  uint64_t hash;     // of `name`
  const char* name;  // normalised
  const char* data;
  size_t size;
} ctiVfsFile;

// The file with this normalised name, or else the one named like its last part; NULL if there is neither.
// `vfs` may be NULL. Valid until the file is removed.
const ctiVfsFile* cti_vfs_find(const ctVfs* vfs, const char* normalised_path);
