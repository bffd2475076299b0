// Paths, and whole files in memory. Both '/' and '\' separate the parts of a path, so that models written on
// one system load on another; paths made here use '/'.
#pragma once

#include "base/alloc.h"
#include "corten/vfs.h"

#define CTI_FILE_LIMIT_DEFAULT ((size_t)2 << 30)  // bytes
#define CTI_PATH_MAX           4096               // bytes of a path, the zero byte included

// The bytes of a file, followed by a zero byte that `size` does not count.
typedef struct ctiFile {
  char* data;
  size_t size;
} ctiFile;

// Read a whole file: from `vfs` (may be NULL) when it has the path, or failing that the bare file name; from
// disk otherwise. `limit` is the largest size accepted, 0 for the default. On failure `*out` is empty.
// CT_ERR_NOT_FOUND, CT_ERR_IO (folder, no permission, ...), CT_ERR_SYNTAX (empty), CT_ERR_LIMIT or
// CT_ERR_MEMORY.
ctStatus cti_file_read(ctiFile* out, const ctVfs* vfs, const char* path, size_t limit, const ctAllocator* a,
                       ctError* err);

void cti_file_release(ctiFile* file, const ctAllocator* a);

// True when cti_file_read() would find something by that name.
bool cti_file_exists(const ctVfs* vfs, const char* path);

// True when the file would come from `vfs`; NULL has none.
bool cti_file_in_memory(const ctVfs* vfs, const char* path);

// True for /a, \a and C:/a.
bool cti_path_is_absolute(const char* path);

// The part behind the last separator; may be empty.
const char* cti_path_base(const char* path);

// The extension without its dot, or "". A leading dot makes no extension: ".hidden" has none.
const char* cti_path_extension(const char* path);

// The following are allocated in the region; NULL when memory runs out.

// Everything up to and including the last separator: "a/b.xml" gives "a/", "b.xml" gives "".
char* cti_path_dir(ctiRegion* region, const char* path);

// `name` seen from the folder `dir`; `name` alone when it is absolute or `dir` is "" or NULL.
char* cti_path_join(ctiRegion* region, const char* dir, const char* name);

// Separators made '/', and "//", "./" and "x/../" taken out. "" becomes ".". Symbolic links are not looked
// at.
char* cti_path_normalise(ctiRegion* region, const char* path);

// `path` as seen from the folder `dir` ("" is the current one): "../a/b.obj". Looks up the current folder
// where only one of them starts at it. `path` itself when there is no such way.
const char* cti_path_relative(ctiRegion* region, const char* dir, const char* path);

// cti_path_normalise() into a buffer; false when it does not fit.
bool cti_path_normalise_into(char* out, size_t size, const char* path);

// ---- in-memory file systems

// Looking into an in-memory file system. The public half is corten/vfs.h.

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
