/// @file
/// Files in memory: models and assets that need not be on disk.
#pragma once

#include "corten/base.h"
#include "corten/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A set of named files in memory. Loading a model looks here before it looks on disk.
///
/// Names are paths: '/' and '\' are the same, and "a/./b" or "a/x/../b" is "a/b". Upper and lower case
/// differ. A file is found by its full name or, failing that, by a file stored under the last part of the
/// path asked for: a mesh stored as "arm.stl" serves "meshes/arm.stl" too.
typedef struct ctVfs ctVfs;

/// A block of bytes that a ctVfsRead function hands to the library.
typedef struct ctBytes {
  const void* data;              ///< may be NULL when `size` is 0
  size_t size;                   ///< bytes in `data`
  void (*release)(void* owner);  ///< called once they have been used; NULL: never
  void* owner;                   ///< argument of `release`
} ctBytes;

/// Reads a file for ct_vfs_mount(): `name` is its path inside the folder.
/// @return CT_OK with the bytes in `out`; CT_ERR_NOT_FOUND: the disk is asked next; anything else ends
/// loading
typedef ctStatus (*ctVfsRead)(void* context, const char* name, ctBytes* out);

/// Create an empty file system.
///
/// @param out        receives the file system; release it with ct_vfs_free(). NULL on failure
/// @param allocator  memory hooks, copied; NULL for the default ones
/// @param err        diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT (`out` is NULL) or CT_ERR_MEMORY
/// @note Thread-safe.
CT_API ctStatus ct_vfs_create(ctVfs** out, const ctAllocator* allocator, ctError* err);

/// Release a file system and its files. NULL is ignored.
///
/// @note No other thread may be using `vfs`.
CT_API void ct_vfs_free(ctVfs* vfs);

/// Add a file.
///
/// The bytes are copied; the caller keeps `data`. On failure nothing is added.
///
/// @param vfs   file system, not NULL
/// @param name  path of the file, not NULL and not empty
/// @param data  contents; may be NULL when `size` is 0
/// @param size  bytes in `data`
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, empty name), CT_ERR_INVALID (the name is taken), CT_ERR_LIMIT
///         (a name of more than 4095 bytes) or CT_ERR_MEMORY
/// @note One thread at a time may change `vfs`, and nobody may read it meanwhile.
CT_API ctStatus ct_vfs_add(ctVfs* vfs, const char* name, const void* data, size_t size, ctError* err);

/// Remove a file by its full name.
///
/// @param vfs   file system, not NULL
/// @param name  path of the file, not NULL
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_ERR_NOT_FOUND
/// @note One thread at a time may change `vfs`, and nobody may read it meanwhile.
CT_API ctStatus ct_vfs_remove(ctVfs* vfs, const char* name, ctError* err);

/// Let a function read the files below a folder: an archive, a database, a cache of downloads. Files that
/// were added come first. Loading may ask for a file more than once, and from any thread that loads.
///
/// @param vfs      file system, not NULL
/// @param folder   path of the folder, not NULL and not empty
/// @param read     not NULL
/// @param context  first argument of `read`
/// @param err      diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_LIMIT (the path is too long) or CT_ERR_MEMORY
/// @note One thread at a time may change `vfs`, and nobody may read it meanwhile.
CT_API ctStatus ct_vfs_mount(ctVfs* vfs, const char* folder, ctVfsRead read, void* context, ctError* err);

/// Whether a file is stored under this full name.
///
/// @param vfs   file system; NULL has no files
/// @param name  path of the file; NULL is never there
/// @note Thread-safe while no other thread changes `vfs`.
CT_API bool ct_vfs_contains(const ctVfs* vfs, const char* name);

/// How many files there are; 0 for NULL.
///
/// @note Thread-safe while no other thread changes `vfs`.
CT_API int ct_vfs_count(const ctVfs* vfs);

/// A file by its number, in the order in which they were added.
///
/// @param vfs   file system, not NULL
/// @param i     0 to ct_vfs_count() - 1
/// @param name  receives its full name, may be NULL. The text belongs to the file
/// @param data  receives its contents, may be NULL; they belong to the file and are followed by a zero byte
/// @param size  receives the bytes in `data`, may be NULL
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, out of range)
/// @note Thread-safe while no other thread changes `vfs`.
CT_API ctStatus ct_vfs_file(const ctVfs* vfs, int i, const char** name, const void** data, size_t* size);

/// Write a file as a whole or not at all: into a temporary file beside it, flushed to the disk, then renamed.
/// On failure, a full disk for one, the old file stays as it was. A symbolic link stays one; devices and
/// pipes are written to directly.
///
/// @param path  the file, in a folder that can be written to; not NULL
/// @param data  its bytes, may be NULL when `size` is 0
/// @param err   diagnostic to fill in, may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_LIMIT (the path is too long) or CT_ERR_IO
/// @note Thread-safe.
CT_API ctStatus ct_file_write(const char* path, const void* data, size_t size, ctError* err);

/// Begin to write a file that grows over time, in the same manner: `temporary` receives the path of a new,
/// empty file, which the caller opens, writes and closes. Where the system has files without a name this is
/// one, which is gone with the process; otherwise it lies beside `path`. Fails at once where `path` cannot be
/// written later. Every ct_file_begin() that succeeds needs its ct_file_end().
///
/// @param temporary  room for `size` bytes; the path itself where it is a device or a pipe. It is of no use
/// in
///                   another process
/// @return as ct_file_write()
/// @note Thread-safe.
CT_API ctStatus ct_file_begin(const char* path, char* temporary, size_t size, ctError* err);

/// Finish a file that ct_file_begin() began: it replaces `path`, or it is removed.
///
/// @param temporary  from ct_file_begin(), closed by the caller
/// @param keep       true: flush and rename it; false: remove it
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_IO (the old file stays, and the temporary one is removed)
/// @note Thread-safe.
CT_API ctStatus ct_file_end(const char* path, const char* temporary, bool keep, ctError* err);

#ifdef __cplusplus
}
#endif
