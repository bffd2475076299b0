#define _XOPEN_SOURCE 700  // mkdtemp, symlink

#include "base/files.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "xt.h"
#include "xt_alloc.h"

static const char* normal(const char* path) {
  static char out[256];
  XT_TRUE(cti_path_normalise_into(out, sizeof(out), path));
  return out;
}
XT_TEST(path, normalise) {
  const char* const pairs[][2] = {{"a/b", "a/b"},
                                  {"a//b", "a/b"},
                                  {"./a", "a"},
                                  {"a/./b", "a/b"},
                                  {"a/../b", "b"},
                                  {"a/b/../../c", "c"},
                                  {"../a", "../a"},
                                  {"../../a", "../../a"},
                                  {"a/../../b", "../b"},
                                  {"/a/../..", "/"},
                                  {"/../a", "/a"},
                                  {"", "."},
                                  {".", "."},
                                  {"a/..", "."},
                                  {"a/", "a"},
                                  {"a\\b\\..\\c", "a/c"},
                                  {"/", "/"},
                                  {"//a", "/a"},
                                  {"C:\\x\\y", "C:/x/y"},
                                  {"C:/../y", "C:/y"},
                                  {"...", "..."},
                                  {"a/.../b", "a/.../b"},
                                  {"..a/b", "..a/b"},
                                  {".hidden", ".hidden"},
                                  {"../..", "../.."}};
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) XT_TEXT(normal(pairs[i][0]), pairs[i][1]);
}
XT_TEST(path, normalise_is_idempotent_and_never_longer) {
  xtRng rng = xt_rng(3);
  for (int i = 0; i < 50000; i++) {
    char text[24], once[32], twice[32];
    int n = (int)(xt_bits(&rng) % 20);
    for (int k = 0; k < n; k++) text[k] = "./\\aC:."[xt_bits(&rng) % 7];
    text[n] = 0;
    XT_TRUE(cti_path_normalise_into(once, sizeof(once), text));
    XT_TRUE(cti_path_normalise_into(twice, sizeof(twice), once));
    XT_TEXT(twice, once);
    XT_TRUE(strlen(once) <= strlen(text) || n == 0 || strcmp(once, ".") == 0);
  }
}
XT_TEST(path, normalise_refuses_a_small_buffer) {
  char out[8];
  XT_TRUE(!cti_path_normalise_into(out, sizeof(out), "abcdefg"));
  XT_TRUE(cti_path_normalise_into(out, sizeof(out), "abcdef"));
}
XT_TEST(path, parts) {
  ctiRegion* r = cti_region_create(NULL);
  XT_TEXT(cti_path_dir(r, "a/b.xml"), "a/");
  XT_TEXT(cti_path_dir(r, "b.xml"), "");
  XT_TEXT(cti_path_dir(r, "a\\b.xml"), "a\\");
  XT_TEXT(cti_path_base("a/b.xml"), "b.xml");
  XT_TEXT(cti_path_base("a/"), "");
  XT_TEXT(cti_path_extension("a.b/c.tar.gz"), "gz");
  XT_TEXT(cti_path_extension("a.b/c"), "");
  XT_TEXT(cti_path_extension(".hidden"), "");
  XT_TEXT(cti_path_extension("x."), "");
  XT_TEXT(cti_path_join(r, "a", "b"), "a/b");
  XT_TEXT(cti_path_join(r, "a/", "b"), "a/b");
  XT_TEXT(cti_path_join(r, "", "b"), "b");
  XT_TEXT(cti_path_join(r, NULL, "b"), "b");
  XT_TEXT(cti_path_join(r, "a", "/b"), "/b");
  XT_TEXT(cti_path_normalise(r, "a/./b"), "a/b");
  XT_TRUE(cti_path_is_absolute("/a") && cti_path_is_absolute("\\a") && cti_path_is_absolute("C:/a"));
  XT_TRUE(!cti_path_is_absolute("a") && !cti_path_is_absolute("C:a") && !cti_path_is_absolute(""));
  cti_region_free(r);
}

static char folder[] = "xt-files-XXXXXX";
static char place[512];
static const char* in_folder(const char* name) {
  snprintf(place, sizeof(place), "%s/%s", folder, name);
  return place;
}
static void write_file(const char* name, const char* data, size_t size) {
  FILE* f = fopen(in_folder(name), "wb");
  XT_TRUE(f != NULL);
  XT_INT(fwrite(data, 1, size, f), size);
  fclose(f);
}
static int setup(void** state) {
  (void)state;
  return mkdtemp(folder) ? 0 : 1;
}
static int teardown(void** state) {
  (void)state;
  const char* const names[] = {"plain", "empty", "secret", "big", "sub/inner"};
  for (int i = 0; i < 5; i++) remove(in_folder(names[i]));
  rmdir(in_folder("sub"));
  return rmdir(folder);
}

XT_TEST(read, gives_every_byte_and_a_zero_behind) {
  ctError err;
  ctiFile file;
  write_file("plain", "a\0b\r\n", 5);
  XT_INT(cti_file_read(&file, NULL, in_folder("plain"), 0, NULL, &err), CT_OK);
  XT_INT(file.size, 5);
  XT_TRUE(memcmp(file.data, "a\0b\r\n", 6) == 0);
  cti_file_release(&file, NULL);
  XT_TRUE(file.data == NULL);
}
XT_TEST(read, missing_file_is_not_found) {
  ctError err;
  ctiFile file;
  XT_INT(cti_file_read(&file, NULL, in_folder("nothing"), 0, NULL, &err), CT_ERR_NOT_FOUND);
  XT_HAS(err.message, "no such file");
  XT_HAS(err.file, "nothing");
  XT_TRUE(file.data == NULL && file.size == 0);
  XT_INT(cti_file_read(&file, NULL, in_folder("plain/x"), 0, NULL, NULL), CT_ERR_NOT_FOUND);
}
XT_TEST(read, folder_is_named_as_such) {
  ctError err;
  ctiFile file;
  XT_INT(cti_file_read(&file, NULL, folder, 0, NULL, &err), CT_ERR_IO);
  XT_HAS(err.message, "a folder");
}
XT_TEST(read, device_is_refused) {
  ctError err;
  ctiFile file;
  XT_INT(cti_file_read(&file, NULL, "/dev/zero", 0, NULL, &err), CT_ERR_IO);
  XT_HAS(err.message, "not a file");
}
XT_TEST(read, empty_file_is_an_error) {
  ctError err;
  ctiFile file;
  write_file("empty", "", 0);
  XT_INT(cti_file_read(&file, NULL, in_folder("empty"), 0, NULL, &err), CT_ERR_SYNTAX);
  XT_HAS(err.message, "is empty");
}
XT_TEST(read, unreadable_file_says_why) {
  if (geteuid() == 0) skip();  // the superuser may read everything
  ctError err;
  ctiFile file;
  write_file("secret", "x", 1);
  chmod(in_folder("secret"), 0);
  XT_INT(cti_file_read(&file, NULL, in_folder("secret"), 0, NULL, &err), CT_ERR_IO);
  XT_HAS(err.message, "permission denied");
}
XT_TEST(read, limit_is_exact) {
  ctError err;
  ctiFile file;
  write_file("plain", "12345", 5);
  XT_INT(cti_file_read(&file, NULL, in_folder("plain"), 4, NULL, &err), CT_ERR_LIMIT);
  XT_HAS(err.message, "larger than the limit of 4 bytes");
  XT_INT(cti_file_read(&file, NULL, in_folder("plain"), 5, NULL, &err), CT_OK);
  cti_file_release(&file, NULL);
}
XT_TEST(read, file_whose_size_is_not_known_is_read_to_its_end) {
  ctiFile file;
  if (access("/proc/self/status", R_OK) != 0) skip();
  XT_INT(cti_file_read(&file, NULL, "/proc/self/status", 0, NULL, NULL), CT_OK);  // claims to have 0 bytes
  XT_TRUE(file.size > 100);
  XT_INT(strlen(file.data), file.size);
  cti_file_release(&file, NULL);
}
XT_TEST(read, bad_names_are_refused) {
  ctError err;
  ctiFile file;
  XT_INT(cti_file_read(&file, NULL, "", 0, NULL, &err), CT_ERR_ARGUMENT);
  XT_INT(cti_file_read(&file, NULL, NULL, 0, NULL, &err), CT_ERR_ARGUMENT);
  static char name[6000];
  memset(name, 'x', sizeof(name) - 1);
  XT_INT(cti_file_read(&file, NULL, name, 0, NULL, &err), CT_ERR_LIMIT);
  XT_HAS(err.message, "the path");
}
XT_TEST(read, backslashes_find_the_file_too) {
  ctiFile file;
  char path[512];
  mkdir(in_folder("sub"), 0777);
  write_file("sub/inner", "x", 1);
  snprintf(path, sizeof(path), "%s\\sub\\inner", folder);
  XT_INT(cti_file_read(&file, NULL, path, 0, NULL, NULL), CT_OK);
  cti_file_release(&file, NULL);
  XT_TRUE(cti_file_exists(NULL, path));
}
XT_TEST(read, memory_comes_before_disk) {
  ctVfs* vfs = NULL;
  ctiFile file;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  write_file("plain", "disk", 4);
  XT_INT(ct_vfs_add(vfs, "plain", "base", 4, NULL), CT_OK);
  XT_INT(cti_file_read(&file, vfs, in_folder("./plain"), 0, NULL, NULL), CT_OK);
  XT_TEXT(file.data, "base");  // by its last part
  cti_file_release(&file, NULL);
  XT_INT(ct_vfs_add(vfs, in_folder("plain"), "full", 4, NULL), CT_OK);
  XT_INT(cti_file_read(&file, vfs, in_folder("sub/../plain"), 0, NULL, NULL), CT_OK);
  XT_TEXT(file.data, "full");  // the full name is preferred
  cti_file_release(&file, NULL);
  ctError err;
  XT_INT(ct_vfs_add(vfs, "none", NULL, 0, NULL), CT_OK);
  XT_INT(cti_file_read(&file, vfs, "none", 0, NULL, &err), CT_ERR_SYNTAX);
  XT_TRUE(cti_file_exists(vfs, "x/none") && !cti_file_exists(vfs, "nowhere") && !cti_file_exists(vfs, ""));
  ct_vfs_free(vfs);
}
XT_TEST(read, every_failing_allocation_is_reported_and_leaks_nothing) {
  static char data[100000];
  memset(data, 'x', sizeof(data));
  write_file("big", data, sizeof(data));
  for (int fail = 1;; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctiFile file;
    ctStatus status = cti_file_read(&file, NULL, in_folder("big"), 0, &a, NULL);
    cti_file_release(&file, &a);
    XT_INT(counter.held, 0);
    if (status == CT_OK) break;
    XT_INT(status, CT_ERR_MEMORY);
  }
}

// ---- saving

static int files_there(void) {
  int count = 0;
  DIR* dir = opendir(in_folder("saves"));
  XT_TRUE(dir != NULL);
  for (struct dirent* e = readdir(dir); e; e = readdir(dir))
    count += e->d_name[0] != '.' || strlen(e->d_name) > 2;
  closedir(dir);
  return count;
}

static void expect_file(const char* path, const char* text) {
  ctiFile file;
  XT_INT(cti_file_read(&file, NULL, path, 0, NULL, NULL), CT_OK);
  XT_TEXT(file.data, text);
  cti_file_release(&file, NULL);
}

XT_TEST(save, is_whole_or_leaves_the_old_file) {
  char path[512], link_path[520];
  mkdir(in_folder("saves"), 0700);
  snprintf(path, sizeof(path), "%s", in_folder("saves/x"));
  XT_INT(ct_file_write(path, "old", 3, NULL), CT_OK);
  chmod(path, 0640);
  // a disk that is full after 100 bytes
  char many[4096];
  memset(many, 'n', sizeof(many));
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 100;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  ctError err = {0};
  ctStatus status = ct_file_write(path, many, sizeof(many), &err);
  setrlimit(RLIMIT_FSIZE, &before);
  XT_INT(status, CT_ERR_IO);
  XT_HAS(err.message, "cannot be written");
  expect_file(path, "old");
  XT_INT(files_there(), 1);
  // and now there is room; the rights stay, a link stays a link
  snprintf(link_path, sizeof(link_path), "%s.link", path);
  XT_INT(symlink("x", link_path), 0);
  XT_INT(ct_file_write(link_path, "new", 3, NULL), CT_OK);
  expect_file(path, "new");
  struct stat info;
  XT_INT(lstat(link_path, &info), 0);
  XT_TRUE(S_ISLNK(info.st_mode));
  XT_INT(stat(path, &info), 0);
  XT_INT(info.st_mode & 0777, 0640);
  XT_INT(files_there(), 2);
  unlink(link_path);
  unlink(path);
  rmdir(in_folder("saves"));
}

// Where files can be without a name, what a killed program had begun is gone with it.
XT_TEST(save, that_is_killed_leaves_nothing) {
  char path[512], temporary[512];
  mkdir(in_folder("saves"), 0700);
  snprintf(path, sizeof(path), "%s", in_folder("saves/x"));
  XT_INT(ct_file_begin(path, temporary, sizeof(temporary), NULL), CT_OK);
  const bool nameless = strncmp(temporary, "/proc/", 6) == 0;
  XT_INT(files_there(), nameless ? 0 : 1);
  FILE* file = fopen(temporary, "wb");
  XT_TRUE(file && fputs("whole", file) >= 0 && fclose(file) == 0);
  pid_t child = fork();
  if (child == 0) {
    if (ct_file_begin(path, temporary, sizeof(temporary), NULL) == CT_OK) raise(SIGKILL);
    _exit(1);
  }
  int status = 0;
  XT_INT(waitpid(child, &status, 0), child);
  XT_TRUE(WIFSIGNALED(status));
  XT_INT(files_there(), nameless ? 0 : 2);
  XT_INT(ct_file_end(path, temporary, true, NULL), CT_OK);
  expect_file(path, "whole");
  if (nameless) XT_INT(files_there(), 1);
  unlink(path);
  rmdir(in_folder("saves"));
}

XT_TEST(save, what_cannot_be_written_says_so) {
  ctError err = {0};
  char temporary[512];
  XT_INT(ct_file_write("/dev/full", "x", 1, &err), CT_ERR_IO);
  XT_INT(ct_file_write("/dev/null", "x", 1, &err), CT_OK);
  XT_INT(ct_file_write(in_folder("no/such/x"), "x", 1, &err), CT_ERR_IO);
  XT_INT(ct_file_write(in_folder(""), "x", 1, &err), CT_ERR_IO);
  XT_INT(ct_file_write(NULL, "x", 1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_file_begin("x", temporary, 3, &err), CT_ERR_LIMIT);
  XT_INT(ct_file_begin(in_folder("given_up"), temporary, sizeof(temporary), &err), CT_OK);
  XT_INT(ct_file_end(in_folder("given_up"), temporary, false, &err), CT_OK);
  XT_TRUE(access(temporary, F_OK) != 0);
  XT_TRUE(access(in_folder("given_up"), F_OK) != 0);
}

XT_MAIN_WITH(setup, teardown)
