// A fuzzer without its engine: runs the inputs in a folder, as they are, cut short, and with single bytes
// changed.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

// The input, and variants of it in a block that ends where they end.
static void run(const uint8_t* data, size_t size) {
  uint8_t* exact = (uint8_t*)malloc(size > 0 ? size : 1);
  FUZZ_CHECK(exact);
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static void run_variants(uint8_t* data, size_t size) {
  const size_t step = size / 100 + 1;
  run(data, size);
  for (size_t cut = 0; cut < size; cut += step) run(data, cut);
  for (size_t at = 0; at < size; at += step) {
    const uint8_t old = data[at];
    static const uint8_t changes[] = {0x00, 0xff, 0x80, '-'};
    data[at] = (uint8_t)(old ^ (1u << at % 8));
    run(data, size);
    data[at] = changes[at / step % sizeof(changes)];
    run(data, size);
    data[at] = old;
  }
}

int main(int argc, char** argv) {
  DIR* folder = argc > 1 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int count = 0;
  for (struct dirent* entry; (entry = readdir(folder));) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
    FILE* file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
    if (!file) continue;
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    run_variants(bytes, size);
    count++;
  }
  closedir(folder);
  printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
