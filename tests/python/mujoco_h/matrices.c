// Functions of matrices, rotations, muscles and texts.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void show(const char* what, const mjtNum* x, int n) {
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %.9g", (double)x[i] + 0.0);
  printf("\n");
}

static void bands(void) {
  enum { N = 6, BAND = 3, DENSE = 2 };
  mjtNum full[N * N], band[(N - DENSE) * BAND + DENSE * N], back[N * N], in[2 * N], out[2 * N];
  for (int i = 0; i < N; i++) {
    in[i] = 1 + i;
    in[N + i] = i * i - 3;
    for (int j = 0; j < N; j++) full[i * N + j] = i == j ? 8 + i : 1.0 / (1 + i + j);
  }
  memset(band, 0, sizeof(band));
  mju_dense2Band(band, full, N, BAND, DENSE);
  mju_band2Dense(back, band, N, BAND, DENSE, 1);
  show("dense", back, N * N);
  mju_band2Dense(back, band, N, BAND, DENSE, 0);
  show("lower", back, N * N);
  mju_bandMulMatVec(out, band, in, N, BAND, DENSE, 2, 1);
  show("times", out, 2 * N);
  for (int i = 0; i < N; i++) printf("%d ", mju_bandDiag(i, N, BAND, DENSE));
  mjtNum least = mju_cholFactorBand(band, N, BAND, DENSE, 0.5, 0.25);
  show("least", &least, 1);
  mju_cholSolveBand(out, band, in, N, BAND, DENSE);
  show("solved", out, N);
  mjtNum negative[3] = {1, -1, 1};
  least = mju_cholFactorBand(negative, 3, 1, 0, 0, 0);
  show("none", &least, 1);
}

static void programs(void) {
  enum { N = 3 };
  mjtNum *x, *R, *H, *g, *lower, *upper;
  int* index;
  mju_boxQPmalloc(&x, &R, &index, &H, &g, N, &lower, &upper);
  const mjtNum h[9] = {4, 1, 0, 1, 3, 0.5, 0, 0.5, 2}, start[3] = {1, -10, 20};
  mju_copy(H, h, 9);
  mju_copy(g, start, 3);
  for (int i = 0; i < N; i++) {
    x[i] = 0;
    lower[i] = -1;
    upper[i] = 2;
  }
  int nfree = mju_boxQP(x, R, index, H, g, N, lower, upper);
  printf("free %d:", nfree);
  for (int i = 0; i < nfree; i++) printf(" %d", index[i]);
  show(" at", x, N);
  show("factor", R, 1);
  nfree = mju_boxQP(x, R, NULL, H, g, N, NULL, NULL);
  printf("free %d", nfree);
  show(" at", x, N);
  H[0] = -1;
  printf("no factor: %d\n", mju_boxQP(x, R, NULL, H, g, N, NULL, NULL));
  mju_free(x), mju_free(R), mju_free(index), mju_free(H), mju_free(g), mju_free(lower), mju_free(upper);
}

static void rotations(void) {
  mjtNum q[4] = {1, 0, 0, 0}, near[9] = {0, -1, .1, 1, 0, .2, 0, .1, 1};
  mju_mat2Rot(q, near);
  show("rotation", q, 4);
  const mjtNum euler[3] = {0.3, -1.1, 2};
  const char* const seqs[] = {"xyz", "XYZ", "zYx", "zxz"};
  for (int i = 0; i < 4; i++) {
    mju_euler2Quat(q, euler, seqs[i]);
    show(seqs[i], q, 4);
  }
  const mjtNum mats[3][9] = {
      {3, 1, 0.2, 1, 2, .5, .2, .5, 1}, {3, 0, 0, 0, 5, 0, 0, 0, 1}, {2, 0, 0, 0, 2, 0, 0, 0, 2}};
  for (int k = 0; k < 3; k++) {
    mjtNum values[3], vectors[9], again[9], scaled[9];
    mju_eig3(values, vectors, q, mats[k]);
    show("eigenvalues", values, 3);
    for (int i = 0; i < 9; i++) scaled[i] = vectors[i] * values[i % 3];
    mju_mulMatMatT(again, scaled, vectors, 3, 3, 3);
    for (int i = 0; i < 9; i++) again[i] = mju_abs(again[i] - mats[k][i]) < 1e-9;
    show("made again", again, 9);
    mju_quat2Mat(again, q);
    for (int i = 0; i < 9; i++) again[i] = mju_abs(again[i] - vectors[i]) < 1e-9;
    show("the same rotation", again, 9);
  }
}

static void factors(void) {
  mjtNum a[9] = {4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2}, x[3] = {1, 0, -0.5}, less[3] = {9, 1, 1};
  mju_cholFactor(a, 3, 0);
  printf("rank %d", mju_cholUpdate(a, x, 3, 1));
  const mjtNum lower[6] = {a[0], a[3], a[4], a[6], a[7], a[8]};
  show(" plus", lower, 6);
  printf("rank %d\n", mju_cholUpdate(a, less, 3, 0));
  const mjtNum dense[6] = {0, 2, 0, 3, 0, 4};
  mjtNum sparse[3];
  int nnz[2], adr[2], col[3];
  printf("sparse %d %d", mju_dense2sparse(sparse, dense, 2, 3, nnz, adr, col, 2),
         mju_dense2sparse(sparse, dense, 2, 3, nnz, adr, col, 3));
  printf(" %d %d %d %d %d %d %d", nnz[0], nnz[1], adr[0], adr[1], col[0], col[1], col[2]);
  show(":", sparse, 3);
  mju_printMat(dense, 2, 3);
  mju_printMatSparse(sparse, 2, nnz, adr, col);
}

static void muscles(void) {
  const mjtNum prm[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2}, range[2] = {0.2, 0.5},
               act[3] = {0.01, 0.04, 0}, soft[3] = {0.01, 0.04, 0.2};
  for (int i = 0; i < 9; i++) {
    const mjtNum len = -0.1 + 0.15 * i, vel = -2 + 0.5 * i;
    const mjtNum all[4] = {mju_muscleGain(len, vel, range, 3, prm), mju_muscleBias(len, range, 3, prm),
                           mju_muscleDynamics(0.15 * i, 0.4, act), mju_muscleDynamics(0.15 * i, 0.4, soft)};
    show("muscle", all, 4);
  }
  const mjtNum force[4] = {5, 1, -0.5, 0.1}, mu[3] = {1, 0.8, 0.1};
  mjtNum pyramid[6], back[4];
  mju_encodePyramid(pyramid, force, mu, 4);
  show("pyramid", pyramid, 6);
  mju_decodePyramid(back, pyramid, mu, 4);
  show("force", back, 4);
  const mjtNum springs[3] = {mju_springDamper(1, 0.2, 4, 1, 0.3), mju_springDamper(1, 0.2, 4, 4, 0.3),
                             mju_springDamper(1, 0.2, 4, 9, 0.3)};
  show("springs", springs, 3);
}

static void texts(void) {
  const size_t sizes[] = {0, 1000, 1024, 3 << 20, 1536, (size_t)5 << 30};
  for (int i = 0; i < 6; i++) printf("%s ", mju_writeNumBytes(sizes[i]));
  for (int i = 3; i < 9; i++) printf("%s\n", mju_warningText(i, 3));
  for (int i = -1; i < 30; i++) printf("%s ", mju_type2Str(i) ? mju_type2Str(i) : "none");
  printf("%d %d %d\n", mju_str2Type("body"), mju_str2Type("BODY"), mju_str2Type("nothing"));
  char short_[5];
  int list[5] = {3, -1, 7, 0, 3};
  mju_insertionSortInt(list, 5);
  printf("%s %d %d %d %d %d\n", mju_strncpy(short_, "abcdefgh", 5), list[0], list[1], list[2], list[3],
         list[4]);
  mjtNum sum = 0, squares = 0, second;
  for (int i = 0; i < 20000; i++) {
    const mjtNum x = mju_standardNormal(&second);
    sum += x + second;
    squares += x * x + second * second;
  }
  printf("normal: %d %d\n", mju_abs(sum / 40000) < 0.03, mju_abs(squares / 40000 - 1) < 0.03);
}

int main(void) {
  bands();
  programs();
  rotations();
  factors();
  muscles();
  texts();
}
