// Golden numbers: files made by tools/golden from the oracle, replayed line by line. The test knows none of
// them.
//   model PATH | reset | set FIELD n v... | forward | inverse | step n | get FIELD n v... | model_field FIELD
//   n v...
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "xt_model.h"

typedef struct Replay {
  ctModel* m;
  ctData* d;
  const char* file;
  int line;
} Replay;

// Tolerance of a field, relative to its largest number. Double: what the parity tests hold, with room for the
// condition of M. Float: its epsilon, amplified likewise.
static double tolerance(const char* field) {
  static const char* const solved[] = {"qacc", "qLD", "qvel", "qpos", "body_invweight0", "dof_invweight0"};
  for (size_t i = 0; i < sizeof(solved) / sizeof(solved[0]); i++) {
    if (strcmp(field, solved[i]) == 0) return XT_TOL(1e-10, 2e-2);
  }
  // principal axes are found to 1e-6 of the inertia in float, and turn by that over the gap between the
  // moments
  if (strcmp(field, "body_iquat") == 0) return XT_TOL(1e-12, 1e-3);
  return XT_TOL(1e-12, 1e-4);
}

static void compare(const Replay* r, const ctField* f, const double* expected, int n) {
  if (f->rows * f->cols != n)
    fail_msg("%s:%d: %s has %d numbers, expected %d", r->file, r->line, f->name, (int)(f->rows * f->cols), n);
  double scale = 1e-3;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(expected[i]));
  for (int i = 0; i < n; i++) {
    double got = (double)((const ctReal*)f->data)[i];
    if (!(fabs(got - expected[i]) <= tolerance(f->name) * scale)) {
      fail_msg("%s:%d: %s[%d] is %.17g, expected %.17g", r->file, r->line, f->name, i, got, expected[i]);
    }
  }
}

// FIELD n v...
static void with_vector(Replay* r, const char* word, char* rest) {
  char name[64];
  int n, used;
  XT_INT(sscanf(rest, "%63s %d%n", name, &n, &used), 2);
  double* values = malloc(sizeof(double) * (size_t)(n + 1));
  char* at = rest + used;
  for (int i = 0; i < n; i++) values[i] = strtod(at, &at);
  ctField f;
  bool of_model = strcmp(word, "model_field") == 0;
  XT_INT(of_model ? ct_model_field(r->m, name, &f) : ct_data_field(r->m, r->d, name, &f), CT_OK);
  if (strcmp(word, "set") == 0) {
    XT_INT(f.rows * f.cols, n);
    for (int i = 0; i < n; i++) ((ctReal*)f.data)[i] = (ctReal)values[i];
  } else {
    compare(r, &f, values, n);
  }
  free(values);
}

static void replay_line(Replay* r, char* line) {
  char word[32] = "";
  int used = 0;
  sscanf(line, "%31s%n", word, &used);
  char* rest = line + used + (line[used] == ' ');
  rest[strcspn(rest, "\n")] = 0;
  if (strcmp(word, "model") == 0) {
    r->m = xt_load(rest);
    r->d = xt_data(r->m);
  } else if (strcmp(word, "reset") == 0) {
    ct_data_reset(r->m, r->d);
  } else if (strcmp(word, "forward") == 0) {
    xt_poison(r->m, r->d);
    XT_INT(ct_forward(r->m, r->d), CT_OK);
  } else if (strcmp(word, "inverse") == 0) {
    xt_poison(r->m, r->d);
    XT_INT(ct_inverse(r->m, r->d), CT_OK);
  } else if (strcmp(word, "step") == 0) {
    XT_INT(ct_step_n(r->m, r->d, atoi(rest)), CT_OK);
    xt_no_warnings(r->d);
  } else if (word[0] != '#' && word[0] != 0 && strcmp(word, "sha256") != 0) {
    with_vector(r, word, rest);
  }
}

static void replay(const char* path) {
  FILE* f = fopen(path, "r");
  XT_TRUE(f != NULL);
  Replay r = {.file = path};
  size_t capacity = 0;
  char* line = NULL;
  while (getline(&line, &capacity, f) >= 0) {
    r.line++;
    replay_line(&r, line);
  }
  XT_TRUE(r.m != NULL);
  free(line);
  fclose(f);
  ct_data_free(r.d);
  ct_model_free(r.m);
}

XT_TEST(golden, numbers_are_those_of_the_oracle) {
  DIR* dir = opendir(CT_SOURCE_DIR "/tests/golden");
  XT_TRUE(dir != NULL);
  int files = 0;
  for (struct dirent* e = readdir(dir); e; e = readdir(dir)) {
    size_t n = strlen(e->d_name);
    if (n < 8 || strcmp(e->d_name + n - 7, ".golden") != 0) continue;
    char path[1024];
    snprintf(path, sizeof(path), "%s/tests/golden/%s", CT_SOURCE_DIR, e->d_name);
    replay(path);
    files++;
  }
  closedir(dir);
  XT_TRUE(files >= 6);
}

XT_MAIN()
