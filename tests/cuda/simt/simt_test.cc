// The search for races finds those of racy.cu, and none where lanes wait.
#include <cstdio>
#include <cstring>

#include "warp.h"

static int failures = 0;

static void expect(simt::Program& program, const char* kernel, bool waits) {
  std::vector<int> numbers(64, 1);
  std::vector<char> params(16, 0);
  int* x = numbers.data();
  int wait = waits;
  memcpy(params.data(), &x, sizeof(x));
  memcpy(params.data() + sizeof(x), &wait, sizeof(wait));
  simt::Grid grid;
  grid.blocks = 2;
  grid.block_x = 8;
  grid.block_y = 4;
  grid.team = 8;
  const simt::Watch watch = {false, true, &program.sources()};
  const bool found = simt::run(program.kernel(kernel), grid, params, watch).races > 0;
  if (found == !waits) return;
  printf("%s %s: %s\n", kernel, waits ? "with barriers" : "without barriers", found ? "a race" : "no race");
  failures++;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  simt::Program program;
  program.add(argv[1], simt::shared_memory());
  program.link();
  for (const char* kernel : {"neighbour", "overwrite", "alike", "vote", "common"}) {
    expect(program, kernel, true);
    expect(program, kernel, false);
  }
  return failures > 0;
}
