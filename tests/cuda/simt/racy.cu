// Kernels with and without races, for simt_test.cc: teams of 8 lanes, 8 numbers each.
static __device__ unsigned team_mask(void) {
  return 0xffu << (threadIdx.y * 8 & 31);
}
static __device__ int* own_numbers(int* x) {
  return x + 8 * (blockIdx.x * blockDim.y + threadIdx.y);
}
#define LANE ((int)threadIdx.x)

__global__ void neighbour(int* x, int waits) {
  int* own = own_numbers(x);
  own[LANE] = LANE;
  if (waits) __syncwarp(team_mask());
  int y = own[(LANE + 1) % 8];
  __syncwarp(team_mask());
  own[LANE] = y;
}

// What all lanes have read is written by one.
__global__ void overwrite(int* x, int waits) {
  volatile int* own = own_numbers(x);
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += own[i];
  if (waits) __syncwarp(team_mask());
  own[LANE] = sum + LANE;
}

// All lanes do the same, once they are together again.
__global__ void alike(int* x, int waits) {
  volatile int* own = own_numbers(x);
  int n = 0;
  for (int i = 0; i < LANE; i++) n += own[1 + i % 7];
  if (waits) __ballot_sync(team_mask(), n > 0);
  own[0] = own[0] + 1;
}

// A vote orders no memory.
__global__ void vote(int* x, int waits) {
  volatile int* own = own_numbers(x);
  own[LANE] = LANE;
  unsigned all = waits ? 0 : __ballot_sync(team_mask(), LANE > 3);
  if (waits) __syncwarp(team_mask());
  int y = own[7 - LANE] + (int)all;
  __syncwarp(team_mask());
  own[LANE] = y;
}

// Teams have nothing to do with each other.
__global__ void common(int* x, int waits) {
  volatile int* first = waits ? own_numbers(x) : x;
  if (LANE == 0) first[0] = first[0] + 1;
}
