// The search for races finds those of racy.cu, and none where lanes wait.
#include <cstdio>
#include <cstring>

#include "warp.h"

static int failures = 0;

static void expect(simt::Program& program, const char* kernel, bool waits, unsigned lanes, unsigned crew) {
  std::vector<int> numbers(128, 1);
  std::vector<char> params(16, 0);
  int* x = numbers.data();
  int wait = waits;
  memcpy(params.data(), &x, sizeof(x));
  memcpy(params.data() + sizeof(x), &wait, sizeof(wait));
  simt::Grid grid;
  grid.blocks = 2;
  grid.block_x = grid.team = lanes;
  grid.block_y = crew > 1 ? crew : 32 / lanes;
  grid.crew = crew;
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
    expect(program, kernel, true, 8, 1);
    expect(program, kernel, false, 8, 1);
  }
  expect(program, "crew", true, 32, 2);
  expect(program, "crew", false, 32, 2);
  return failures > 0;
}
