#include "base/files.h"
#include "xt.h"
#include "xt_alloc.h"

static ctVfs* new_vfs(void) {
  ctVfs* vfs = NULL;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  return vfs;
}
XT_TEST(vfs, holds_copies) {
  ctVfs* vfs = new_vfs();
  char data[] = "hello";
  XT_INT(ct_vfs_add(vfs, "a.txt", data, 5, NULL), CT_OK);
  data[0] = 'X';
  const ctiVfsFile* file = cti_vfs_find(vfs, "a.txt");
  XT_TRUE(file != NULL);
  XT_INT(file->size, 5);
  XT_TEXT(file->data, "hello");
  ct_vfs_free(vfs);
}
XT_TEST(vfs, names_are_normalised) {
  ctVfs* vfs = new_vfs();
  XT_INT(ct_vfs_add(vfs, "./meshes\\x/../arm.stl", "x", 1, NULL), CT_OK);
  XT_TRUE(ct_vfs_contains(vfs, "meshes/arm.stl"));
  XT_TRUE(ct_vfs_contains(vfs, "meshes//arm.stl"));
  XT_TRUE(!ct_vfs_contains(vfs, "arm.stl"));
  XT_TRUE(!ct_vfs_contains(vfs, "Meshes/arm.stl"));
  ct_vfs_free(vfs);
}
XT_TEST(vfs, duplicate_name_is_refused) {
  ctVfs* vfs = new_vfs();
  ctError err;
  XT_INT(ct_vfs_add(vfs, "a", "1", 1, &err), CT_OK);
  XT_INT(ct_vfs_add(vfs, "./a", "2", 1, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "\"a\" is already");
  XT_TEXT(cti_vfs_find(vfs, "a")->data, "1");
  ct_vfs_free(vfs);
}
XT_TEST(vfs, last_part_is_a_second_chance) {
  ctVfs* vfs = new_vfs();
  XT_INT(ct_vfs_add(vfs, "arm.stl", "base", 4, NULL), CT_OK);
  XT_TEXT(cti_vfs_find(vfs, "meshes/arm.stl")->data, "base");
  XT_INT(ct_vfs_add(vfs, "meshes/arm.stl", "full", 4, NULL), CT_OK);
  XT_TEXT(cti_vfs_find(vfs, "meshes/arm.stl")->data, "full");
  XT_TEXT(cti_vfs_find(vfs, "other/arm.stl")->data, "base");
  XT_TRUE(cti_vfs_find(vfs, "other/leg.stl") == NULL);
  ct_vfs_free(vfs);
}
XT_TEST(vfs, removed_file_is_gone_and_the_others_stay) {
  ctVfs* vfs = new_vfs();
  ctError err;
  char name[8];
  for (int i = 0; i < 50; i++) {
    snprintf(name, sizeof(name), "f%d", i % 1000);
    XT_INT(ct_vfs_add(vfs, name, name, 3, NULL), CT_OK);
  }
  XT_INT(ct_vfs_remove(vfs, "f20", &err), CT_OK);
  XT_INT(ct_vfs_remove(vfs, "f49", &err), CT_OK);
  XT_INT(ct_vfs_remove(vfs, "f20", &err), CT_ERR_NOT_FOUND);
  XT_HAS(err.message, "\"f20\" is not in");
  for (int i = 0; i < 50; i++) {
    snprintf(name, sizeof(name), "f%d", i % 1000);
    XT_INT(ct_vfs_contains(vfs, name), i != 20 && i != 49);
  }
  XT_INT(ct_vfs_add(vfs, "f20", NULL, 0, NULL), CT_OK);
  ct_vfs_free(vfs);
}
XT_TEST(vfs, bad_arguments_are_reported) {
  ctVfs* vfs = new_vfs();
  static char name[6000];
  memset(name, 'x', sizeof(name) - 1);
  XT_INT(ct_vfs_create(NULL, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_add(NULL, "a", "", 0, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_add(vfs, NULL, "", 0, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_add(vfs, "", "", 0, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_add(vfs, "a", NULL, 1, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_add(vfs, name, "", 0, NULL), CT_ERR_LIMIT);
  XT_INT(ct_vfs_add(vfs, "a", "", SIZE_MAX - 1, NULL), CT_ERR_MEMORY);
  XT_INT(ct_vfs_remove(vfs, name, NULL), CT_ERR_NOT_FOUND);
  XT_INT(ct_vfs_remove(vfs, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_remove(NULL, "a", NULL), CT_ERR_ARGUMENT);
  XT_TRUE(!ct_vfs_contains(NULL, "a") && !ct_vfs_contains(vfs, NULL) && !ct_vfs_contains(vfs, name));
  XT_TRUE(cti_vfs_find(NULL, "a") == NULL);
  ct_vfs_free(vfs);
  ct_vfs_free(NULL);
}
XT_TEST(vfs, files_are_listed_in_the_order_they_came) {
  ctVfs* vfs = NULL;
  const char* name = NULL;
  const void* data = NULL;
  size_t size = 0;
  XT_INT(ct_vfs_create(&vfs, NULL, NULL), CT_OK);
  XT_INT(ct_vfs_count(vfs), 0);
  XT_INT(ct_vfs_add(vfs, "b/./c", "xyz", 3, NULL), CT_OK);
  XT_INT(ct_vfs_add(vfs, "a", NULL, 0, NULL), CT_OK);
  XT_INT(ct_vfs_count(vfs), 2);
  XT_INT(ct_vfs_file(vfs, 0, &name, &data, &size), CT_OK);
  XT_TEXT(name, "b/c");
  XT_INT(size, 3);
  XT_TEXT((const char*)data, "xyz");
  XT_INT(ct_vfs_file(vfs, 1, &name, NULL, NULL), CT_OK);
  XT_TEXT(name, "a");
  XT_INT(ct_vfs_file(vfs, 2, &name, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_file(vfs, -1, &name, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_file(NULL, 0, &name, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_vfs_count(NULL), 0);
  ct_vfs_free(vfs);
}
XT_TEST(vfs, every_failing_allocation_is_reported_and_leaks_nothing) {
  for (int fail = 1;; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctVfs* vfs = NULL;
    ctStatus status = ct_vfs_create(&vfs, &a, NULL);
    for (int i = 0; i < 20 && status == CT_OK; i++) {
      char name[16];
      snprintf(name, sizeof(name), "%d", i);
      status = ct_vfs_add(vfs, name, "x", 1, NULL);
      XT_INT(ct_vfs_contains(vfs, name), status == CT_OK);
    }
    ct_vfs_free(vfs);
    XT_INT(counter.held, 0);
    if (status == CT_OK) break;
    XT_INT(status, CT_ERR_MEMORY);
  }
}

XT_MAIN()
