#if defined(__linux__)
#define _GNU_SOURCE  // O_TMPFILE
#endif
#define _XOPEN_SOURCE 700  // fileno, fstat, realpath

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strings.h"

typedef struct Mount {
  char* folder;  // normalised
  ctVfsRead read;
  void* context;
} Mount;

struct ctVfs {
  ctAllocator allocator;
  CTI_ARRAY(ctiVfsFile) files;  // in the order they were added
  CTI_ARRAY(Mount) mounts;
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
  for (int i = 0; i < vfs->mounts.count; i++) cti_release(&allocator, vfs->mounts.data[i].folder);
  cti_array_free(&vfs->mounts, &allocator);
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

ctStatus ct_vfs_mount(ctVfs* vfs, const char* folder, ctVfsRead read, void* context, ctError* err) {
  if (!vfs || !folder || !folder[0] || !read)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_vfs_mount: vfs, folder and read must not be NULL or empty");
  char path[CTI_PATH_MAX];
  if (!cti_path_normalise_into(path, sizeof(path), folder))
    return cti_error(err, CT_ERR_LIMIT, "ct_vfs_mount: the path is longer than %d bytes", CTI_PATH_MAX - 1);
  size_t size = strlen(path) + 1;
  Mount mount = {cti_alloc(&vfs->allocator, size, CTI_ALIGN_ANY), read, context};
  if (!mount.folder) return cti_error_memory(err);
  memcpy(mount.folder, path, size);
  if (cti_array_push(&vfs->mounts, &vfs->allocator, mount) == CT_OK) return CT_OK;
  cti_release(&vfs->allocator, mount.folder);
  return cti_error_memory(err);
}

// The mount that a normalised path lies below, and the rest of the path; the last one that was made counts.
static const Mount* find_mount(const ctVfs* vfs, const char* path, const char** rest) {
  for (int i = vfs ? vfs->mounts.count - 1 : -1; i >= 0; i--) {
    const Mount* mount = &vfs->mounts.data[i];
    size_t length = strlen(mount->folder);
    if (strncmp(path, mount->folder, length) != 0 || path[length] != '/') continue;
    *rest = path + length + 1;
    return mount;
  }
  return NULL;
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

#ifdef _WIN32
#include <direct.h>
#define getcwd _getcwd
#else
#include <unistd.h>
#endif

// An error about the file `path` as a whole.
#define FILE_ERROR(status, ...) cti_error_at(err, (status), path, 0, 0, NULL, __VA_ARGS__)

// ---- paths

static bool is_separator(char c) {
  return c == '/' || c == '\\';
}

// A drive of Windows at the beginning, as in C:/a.
static bool has_drive(const char* path) {
  char c = (char)(path[0] | 0x20);
  return c >= 'a' && c <= 'z' && path[1] == ':' && is_separator(path[2]);
}

bool cti_path_is_absolute(const char* path) {
  return is_separator(path[0]) || has_drive(path);
}

const char* cti_path_base(const char* path) {
  const char* base = path;
  for (; *path; path++) {
    if (is_separator(*path)) base = path + 1;
  }
  return base;
}

const char* cti_path_extension(const char* path) {
  const char* base = cti_path_base(path);
  while (*base == '.') base++;
  const char* dot = strrchr(base, '.');
  return dot ? dot + 1 : "";
}

char* cti_path_dir(ctiRegion* region, const char* path) {
  return cti_region_strndup(region, path, (size_t)(cti_path_base(path) - path));
}

char* cti_path_join(ctiRegion* region, const char* dir, const char* name) {
  if (!dir || !dir[0] || cti_path_is_absolute(name)) return cti_region_strdup(region, name);
  const char* between = is_separator(dir[strlen(dir) - 1]) ? "" : "/";
  return cti_region_printf(region, "%s%s%s", dir, between, name);
}

// Take the last part off out[floor .. used) if it is one that ".." can undo; true if so.
static bool drop_part(const char* out, size_t floor, size_t* used) {
  size_t begin = *used;
  while (begin > floor && out[begin - 1] != '/') begin--;
  size_t length = *used - begin;
  if (length == 0 || (length == 2 && out[begin] == '.' && out[begin + 1] == '.')) return false;
  *used = begin > floor ? begin - 1 : begin;
  return true;
}

bool cti_path_normalise_into(char* out, size_t size, const char* path) {
  if (strlen(path) + 2 > size) return false;
  size_t used = 0;
  if (has_drive(path)) {
    out[used++] = *path++;
    out[used++] = *path++;
  }
  bool rooted = is_separator(*path);
  if (rooted) out[used++] = '/';
  const size_t floor = used;  // what is before never changes

  while (*path) {
    while (is_separator(*path)) path++;
    const char* part = path;
    while (*path && !is_separator(*path)) path++;
    size_t length = (size_t)(path - part);
    bool here = length == 0 || (length == 1 && part[0] == '.');
    bool up = length == 2 && part[0] == '.' && part[1] == '.';
    if (here || (up && drop_part(out, floor, &used)) || (up && rooted)) continue;
    if (used > floor) out[used++] = '/';
    memcpy(out + used, part, length);
    used += length;
  }
  if (used == 0) out[used++] = '.';
  out[used] = 0;
  return true;
}

char* cti_path_normalise(ctiRegion* region, const char* path) {
  size_t size = strlen(path) + 2;
  char* out = (char*)cti_region_alloc(region, size, 1);
  if (out) cti_path_normalise_into(out, size, path);
  return out;
}

// From the root, with the current folder in front where needed; NULL when that is unknown or memory runs out.
static char* from_root(ctiRegion* region, const char* path) {
  char here[CTI_PATH_MAX];
  if (cti_path_is_absolute(path)) return cti_path_normalise(region, path);
  if (!getcwd(here, sizeof(here) - 1)) return NULL;
  strcat(here, "/");
  char* joined = cti_path_join(region, here, path);
  return joined ? cti_path_normalise(region, joined) : NULL;
}

const char* cti_path_relative(ctiRegion* region, const char* dir, const char* path) {
  // a way out of a folder that is only known as ".." leads through the root
  bool rooted = cti_path_is_absolute(dir) || cti_path_is_absolute(path) || cti_text_starts(dir, "..");
  const char* from = rooted ? from_root(region, dir) : cti_path_normalise(region, dir);
  const char* to = rooted ? from_root(region, path) : cti_path_normalise(region, path);
  if (!from || !to) return path;
  if (strcmp(from, ".") == 0) from = "";
  // leave out the folders they share
  size_t shared = 0;
  for (size_t i = 0; from[i] == to[i]; i++) {
    if (to[i] == 0) break;
    if (to[i] == '/') shared = i + 1;
    if (from[i + 1] == 0 && to[i + 1] == '/') shared = i + 2;
  }
  const char* rest = strlen(from) < shared ? "" : from + shared;
  char* out = cti_region_printf(region, "%s", to + shared);
  while (out && *rest) {
    out = cti_region_printf(region, "../%s", out);
    rest += strcspn(rest, "/");
    if (*rest == '/') rest++;
  }
  return out ? out : path;
}

// ---- whole files

static ctStatus open_error(int number, const char* path, ctError* err) {
  switch (number) {
    case ENOENT:
    case ENOTDIR: return FILE_ERROR(CT_ERR_NOT_FOUND, "there is no such file");
    case EACCES: return FILE_ERROR(CT_ERR_IO, "cannot be opened: permission denied");
    case EISDIR: return FILE_ERROR(CT_ERR_IO, "this is a folder, not a file");
    case ENAMETOOLONG: return FILE_ERROR(CT_ERR_LIMIT, "the path is too long");
    case ENOMEM: return cti_error_memory(err);
    default: return FILE_ERROR(CT_ERR_IO, "cannot be opened: system error %d", number);
  }
}

static ctStatus check_size(size_t size, size_t limit, const char* path, ctError* err) {
  if (size == 0) return FILE_ERROR(CT_ERR_SYNTAX, "the file is empty");
  if (size > limit) {
    return FILE_ERROR(CT_ERR_LIMIT, "the file is larger than the limit of %zu bytes", limit);
  }
  return CT_OK;
}

// Read a stream to its end. The size it claims is a hint only: the file may be changing.
static ctStatus read_stream(ctiFile* out, FILE* stream, size_t hint, const char* path, size_t limit,
                            const ctAllocator* a, ctError* err) {
  size_t capacity = (hint < limit ? hint : limit) + 1, used = 0;
  char* data = (char*)cti_alloc(a, capacity + 1, CTI_ALIGN_ANY);
  if (!data) return cti_error_memory(err);

  ctStatus status = CT_OK;
  for (;;) {
    used += fread(data + used, 1, capacity - used, stream);
    if (used < capacity || used > limit) break;  // the end, an error, or too much
    size_t grown = capacity < limit / 2 ? 2 * capacity : limit + 1;
    char* longer = (char*)cti_realloc_array(a, data, used, grown + 1, 1);
    if (!longer) {
      status = cti_error_memory(err);
      goto done;
    }
    data = longer;
    capacity = grown;
  }
  if (ferror(stream)) {
    status = FILE_ERROR(CT_ERR_IO, "reading failed");
    goto done;
  }
  status = check_size(used, limit, path, err);

done:
  if (status != CT_OK) {
    cti_release(a, data);
    return status;
  }
  data[used] = 0;
  *out = (ctiFile){data, used};
  return CT_OK;
}

static ctStatus read_disk(ctiFile* out, const char* path, size_t limit, const ctAllocator* a, ctError* err) {
  struct stat info;
  FILE* stream = NULL;
  // Asked before it is opened: opening a pipe or a device might wait or have effects.
  if (stat(path, &info) != 0) return open_error(errno, path, err);
  if (S_ISDIR(info.st_mode)) return open_error(EISDIR, path, err);
  if (!S_ISREG(info.st_mode)) return FILE_ERROR(CT_ERR_IO, "this is not a file");
  stream = fopen(path, "rb");
  if (!stream) return open_error(errno, path, err);
  ctStatus status = read_stream(out, stream, (size_t)info.st_size, path, limit, a, err);
  fclose(stream);
  return status;
}

static ctStatus read_memory(ctiFile* out, const ctiVfsFile* file, size_t limit, const ctAllocator* a,
                            ctError* err) {
  ctStatus status = check_size(file->size, limit, file->name, err);
  if (status != CT_OK) return status;
  char* data = (char*)cti_alloc(a, file->size + 1, CTI_ALIGN_ANY);
  if (!data) return cti_error_memory(err);
  memcpy(data, file->data, file->size);
  data[file->size] = 0;
  *out = (ctiFile){data, file->size};
  return CT_OK;
}

static ctStatus read_mount(ctiFile* out, const Mount* mount, const char* rest, const char* path, size_t limit,
                           const ctAllocator* a, ctError* err) {
  ctBytes bytes = {0};
  ctStatus status = mount->read(mount->context, rest, &bytes);
  if (status == CT_ERR_NOT_FOUND) return status;
  if (status != CT_OK) return FILE_ERROR(status, "the function that reads \"%s\" failed", mount->folder);
  if (!bytes.data) bytes.size = 0;
  const ctiVfsFile file = {.name = path, .data = bytes.data, .size = bytes.size};
  status = read_memory(out, &file, limit, a, err);
  if (bytes.release) bytes.release(bytes.owner);
  return status;
}

ctStatus cti_file_read(ctiFile* out, const ctVfs* vfs, const char* path, size_t limit, const ctAllocator* a,
                       ctError* err) {
  *out = (ctiFile){0};
  if (limit == 0) limit = CTI_FILE_LIMIT_DEFAULT;
  if (limit > SIZE_MAX - 2) limit = SIZE_MAX - 2;
  if (!path || !path[0]) return cti_error(err, CT_ERR_ARGUMENT, "the file name is empty");
  char normal[CTI_PATH_MAX];
  if (!cti_path_normalise_into(normal, sizeof(normal), path)) return open_error(ENAMETOOLONG, path, err);

  const ctiVfsFile* file = cti_vfs_find(vfs, normal);
  if (file) return read_memory(out, file, limit, a, err);
  const char* rest;
  const Mount* mount = find_mount(vfs, normal, &rest);
  ctStatus mounted = mount ? read_mount(out, mount, rest, path, limit, a, err) : CT_ERR_NOT_FOUND;
  if (mounted != CT_ERR_NOT_FOUND) return mounted;
  // The path as given comes first: ".." behind a symbolic link cannot be taken out by looking at the text.
  ctStatus status = read_disk(out, path, limit, a, err);
  if (status != CT_ERR_NOT_FOUND || !strchr(path, '\\')) return status;
  if (read_disk(out, normal, limit, a, NULL) == CT_OK) return CT_OK;
  return status;
}

// ---- saving

static ctStatus write_error(const char* path, ctError* err) {
  return FILE_ERROR(CT_ERR_IO, "cannot be written: %s", strerror(errno));
}

// Where the bytes of a path end up: behind symbolic links, for a rename would replace the link.
static const char* behind_links(const char* path, char real[PATH_MAX]) {
  return realpath(path, real) ? real : path;
}

// Devices and pipes cannot be replaced: they are written to as they are.
static bool is_replaced(const char* path, struct stat* info) {
  return stat(path, info) != 0 || S_ISREG(info->st_mode);
}

// A new name in the folder of `target`, which `make` takes; it fails with EEXIST where the name is taken.
static bool take_name(char* name, size_t size, const char* target,
                      bool (*make)(const char* name, void* context), void* context) {
  const int folder = (int)(cti_path_base(target) - target);
  for (int i = 0; i < 1000; i++) {
    int n = snprintf(name, size, "%.*s.corten-%ld-%d.tmp", folder, target, (long)getpid(), i);
    if (n < 0 || (size_t)n >= size) {
      errno = ENAMETOOLONG;
      return false;
    }
    if (make(name, context)) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

static bool make_file(const char* name, void* context) {
  *(int*)context = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return *(int*)context >= 0;
}

// A file without a name goes with the process, whatever ends it. Its path is that of its descriptor.
#define DESCRIPTORS "/proc/self/fd/"

static int descriptor_of(const char* temporary) {
  const size_t lead = sizeof(DESCRIPTORS) - 1;
  return strncmp(temporary, DESCRIPTORS, lead) == 0 ? atoi(temporary + lead) : -1;
}

// A descriptor, -1 where the system or the file system has no such files.
static int make_nameless(char* temporary, size_t size, const char* target) {
#if defined(O_TMPFILE)
  char folder[PATH_MAX];
  const int length = (int)(cti_path_base(target) - target);
  if (snprintf(folder, sizeof(folder), "%.*s.", length, target) >= (int)sizeof(folder)) return -1;
  int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  if ((size_t)snprintf(temporary, size, DESCRIPTORS "%d", fd) < size && access(temporary, W_OK) == 0)
    return fd;
  close(fd);
#else
  (void)temporary, (void)size, (void)target;
#endif
  return -1;
}

static bool link_name(const char* name, void* context) {
  return linkat(AT_FDCWD, context, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

ctStatus ct_file_begin(const char* path, char* temporary, size_t size, ctError* err) {
  if (!path || !path[0] || !temporary || size == 0)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_file_begin: path and temporary must not be NULL or empty");
  char real[PATH_MAX];
  struct stat info = {0};
  const char* target = behind_links(path, real);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return open_error(EISDIR, path, err);
  if (!is_replaced(path, &info)) {
    if ((size_t)snprintf(temporary, size, "%s", path) < size) return CT_OK;
    return open_error(ENAMETOOLONG, path, err);
  }
  bool old = stat(target, &info) == 0;
  if (old && access(target, W_OK) != 0) return write_error(path, err);
  int fd = make_nameless(temporary, size, target);
  const bool nameless = fd >= 0;
  if (!nameless && !take_name(temporary, size, target, make_file, &fd))
    return errno == ENAMETOOLONG ? open_error(ENAMETOOLONG, path, err) : write_error(path, err);
  const bool ok = !old || fchmod(fd, info.st_mode & 07777) == 0;
  if (ok && nameless) return CT_OK;
  ctStatus status = (close(fd) == 0) && ok ? CT_OK : write_error(path, err);
  if (status != CT_OK && !nameless) unlink(temporary);
  return status;
}

static bool flush_to_disk(const char* path) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = fsync(fd) == 0;
  return close(fd) == 0 && ok;
}

ctStatus ct_file_end(const char* path, const char* temporary, bool keep, ctError* err) {
  if (!path || !temporary)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_file_end: path and temporary must not be NULL");
  if (strcmp(path, temporary) == 0) return CT_OK;
  char real[PATH_MAX], name[PATH_MAX];
  const char* target = behind_links(path, real);
  const int nameless = descriptor_of(temporary);
  bool named = nameless < 0, ok = keep && flush_to_disk(temporary);
  if (ok && !named)
    ok = named = take_name(name, sizeof(name), target, link_name, (void*)(uintptr_t)temporary);
  const char* at = nameless < 0 ? temporary : name;
  ok = ok && rename(at, target) == 0;
  ctStatus status = ok || !keep ? CT_OK : write_error(path, err);
  if (named && !ok) unlink(at);
  if (nameless >= 0) close(nameless);
  return status;
}

ctStatus ct_file_write(const char* path, const void* data, size_t size, ctError* err) {
  if (!path || (!data && size > 0))
    return cti_error(err, CT_ERR_ARGUMENT, "ct_file_write: path and data must not be NULL");
  char temporary[PATH_MAX];
  CT_TRY(ct_file_begin(path, temporary, sizeof(temporary), err));
  FILE* file = fopen(temporary, "wb");
  bool ok = file && fwrite(data, 1, size, file) == size;
  if (file) ok = fclose(file) == 0 && ok;
  ctStatus status = ok ? CT_OK : write_error(path, err);
  ctStatus ended = ct_file_end(path, temporary, ok, err);
  return ok ? ended : status;
}

void cti_file_release(ctiFile* file, const ctAllocator* a) {
  cti_release(a, file->data);
  *file = (ctiFile){0};
}

// A mount only knows by reading.
static bool mount_has(const ctVfs* vfs, const char* normal) {
  const char* rest;
  const Mount* mount = find_mount(vfs, normal, &rest);
  ctBytes bytes = {0};
  if (!mount || mount->read(mount->context, rest, &bytes) != CT_OK) return false;
  if (bytes.release) bytes.release(bytes.owner);
  return true;
}

bool cti_file_exists(const ctVfs* vfs, const char* path) {
  struct stat info;
  char normal[CTI_PATH_MAX];
  if (!path || !path[0] || !cti_path_normalise_into(normal, sizeof(normal), path)) return false;
  if (cti_vfs_find(vfs, normal) || mount_has(vfs, normal)) return true;
  return (stat(path, &info) == 0 && S_ISREG(info.st_mode)) ||
         (stat(normal, &info) == 0 && S_ISREG(info.st_mode));
}

bool cti_file_in_memory(const ctVfs* vfs, const char* path) {
  char normal[CTI_PATH_MAX];
  return cti_path_normalise_into(normal, sizeof(normal), path) && cti_vfs_find(vfs, normal);
}
