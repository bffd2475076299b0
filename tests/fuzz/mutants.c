// Models with a few attributes changed: each is refused with a message, or loads, is saved and read back
// the same, and steps. Run by hand, under sanitizers:
//   mutants SECONDS SEED MODEL...
// The mutant at hand lies in mutant.xml, so that a crash leaves what caused it. With MUTANTS_CUDA=1 what
// loads is stepped on the GPU as well and must have the bits of the CPU.
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "fuzz.h"
#include "xt.h"

static const char* const hostile[] = {"",
                                      "0",
                                      "-1",
                                      "1e308",
                                      "-1e308",
                                      "1e-320",
                                      "nan",
                                      "inf",
                                      "2147483647",
                                      "-2147483648",
                                      "4294967297",
                                      "65536 65537",
                                      "1000000",
                                      "0 0 0",
                                      "0 0 0 0",
                                      "1e-9 1e-9 1e-9",
                                      "1 2 3 4 5 6 7 8 9 10",
                                      "true",
                                      "x",
                                      "../../../../etc/passwd"};

typedef struct Text {
  char* bytes;
  size_t size;
} Text;

// A part of a text.
typedef struct Span {
  size_t begin, end;
} Span;

static Text read_file(const char* path) {
  Text t = {0};
  FILE* file = fopen(path, "rb");
  if (!file) return t;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  t.bytes = size >= 0 ? (char*)malloc((size_t)size + 1) : NULL;
  if (t.bytes) t.size = fread(t.bytes, 1, (size_t)size, file);
  fclose(file);
  return t;
}

// `with` in place of a span.
static void replace(Text* t, Span at, const char* with, size_t n) {
  size_t size = t->size - (at.end - at.begin) + n;
  char* bytes = (char*)malloc(size + 1);
  FUZZ_CHECK(bytes != NULL);
  memcpy(bytes, t->bytes, at.begin);
  memcpy(bytes + at.begin, with, n);
  memcpy(bytes + at.begin + n, t->bytes + at.end, t->size - at.end);
  free(t->bytes);
  *t = (Text){bytes, size};
}

// A random value of an attribute; empty spans where there is none.
static Span some_value(const Text* t, xtRng* rng) {
  for (int tries = 0; tries < 50; tries++) {
    size_t at = xt_bits(rng) % (t->size + 1);
    while (at < t->size && t->bytes[at] != '=') at++;
    if (at + 1 >= t->size || (t->bytes[at + 1] != '"' && t->bytes[at + 1] != '\'')) continue;
    const char* end = memchr(t->bytes + at + 2, t->bytes[at + 1], t->size - at - 2);
    if (end) return (Span){at + 2, (size_t)(end - t->bytes)};
  }
  return (Span){0, 0};
}

// A random element without content.
static Span some_element(const Text* t, xtRng* rng) {
  for (int tries = 0; tries < 50; tries++) {
    size_t begin = xt_bits(rng) % (t->size + 1), end;
    while (begin < t->size && t->bytes[begin] != '<') begin++;
    for (end = begin; end < t->size && t->bytes[end] != '>';) end++;
    if (end < t->size && t->bytes[end - 1] == '/') return (Span){begin, end + 1};
  }
  return (Span){0, 0};
}

// One number of several, the others as they are.
static void change_number(Text* t, Span value, xtRng* rng) {
  size_t begin = value.begin + xt_bits(rng) % (value.end - value.begin), end = begin;
  while (begin > value.begin && t->bytes[begin - 1] != ' ') begin--;
  while (end < value.end && t->bytes[end] != ' ') end++;
  const char* with = hostile[xt_bits(rng) % 11];
  replace(t, (Span){begin, end}, with, strlen(with));
}

static void mutate(Text* t, xtRng* rng) {
  int changes = 1 + (int)(xt_bits(rng) % 3);
  for (int i = 0; i < changes; i++) {
    Span value = some_value(t, rng), other = some_value(t, rng);
    if (value.end <= value.begin) continue;
    char copy[4096];
    size_t n = other.end - other.begin;
    const char* with = hostile[xt_bits(rng) % (sizeof(hostile) / sizeof(hostile[0]))];
    switch (xt_bits(rng) % 3) {
      case 0: replace(t, value, with, strlen(with)); break;
      case 1:
        if (n >= sizeof(copy)) break;
        memcpy(copy, t->bytes + other.begin, n);
        replace(t, value, copy, n);
        break;
      default: change_number(t, value, rng);
    }
  }
  Span element = some_element(t, rng);
  char copy[4096];
  size_t n = element.end - element.begin;
  if (n == 0 || n >= sizeof(copy)) return;
  memcpy(copy, t->bytes + element.begin, n);
  if (xt_bits(rng) % 8 == 0) replace(t, element, "", 0);
  if (xt_bits(rng) % 8 == 0) replace(t, (Span){element.begin, element.begin}, copy, n);
}

// ---- what is done with one that loads ---------------------------------------------------------------------

static void save_and_read(const ctModel* m) {
  size_t size = ct_model_save_bytes(m, NULL, 0);
  void* bytes = malloc(size + 1);
  FUZZ_CHECK(bytes != NULL);
  ct_model_save_bytes(m, bytes, size);
  ctModel* again = NULL;
  ctError err = {0};
  const ctLoadOptions any = {.max_memory = SIZE_MAX};
  if (ct_model_load_bytes(&again, bytes, size, &any, &err) != CT_OK) {
    fprintf(stderr, "%s\n", err.message);
    FUZZ_CHECK(false);
  }
  const char* field = ct_model_compare(m, again);
  if (field) fprintf(stderr, "field %s\n", field);
  FUZZ_CHECK(!field);
  ct_model_free(again);
  free(bytes);
}

static void step(const ctModel* m, xtRng* rng) {
  ctData* d = NULL;
  if (ct_data_create(&d, m, NULL) != CT_OK) return;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (ctReal)xt_uniform(rng, -1, 1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (ctReal)xt_uniform(rng, -1, 1);
  (void)ct_step_n(m, d, 4);
  ct_data_free(d);
}

// The same bits; machines write a number that is none in different ways.
static bool are_same(const ctReal* a, const ctReal* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (memcmp(a + i, b + i, sizeof(ctReal)) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
  }
  return true;
}

// 1: the bits of the CPU, 0: others, -1: not run there.
static int step_on_gpu(const ctModel* m) {
  enum { WORLDS = 3 };
  ctReal* state[2] = {NULL, NULL};
  size_t width = 0;
  bool ran = true;
  for (int k = 0; k < 2; k++) {
    const ctBatchOptions opt = {
        .backend = k ? CT_BACKEND_CUDA : CT_BACKEND_CPU, .threads = 1, .precision = CT_PRECISION_SINGLE};
    ctBatch* b = NULL;
    ctError err = {0};
    if (ct_batch_create(&b, m, WORLDS, &opt, &err) == CT_OK) {
      (void)ct_batch_step(b, 4, &err);
      width = (size_t)ct_batch_width(b, "state");
      state[k] = (ctReal*)calloc(WORLDS * width + 1, sizeof(ctReal));
      ran = ran && state[k] && ct_batch_get(b, "state", NULL, 0, state[k], &err) == CT_OK;
    } else {
      ran = false;
    }
    if (!ran) printf("not run: %s\n", err.message);
    ct_batch_free(b);
  }
  int same = !ran ? -1 : are_same(state[0], state[1], WORLDS * width);
  free(state[0]);
  free(state[1]);
  return same;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "mutants SECONDS SEED MODEL...\n");
    return 2;
  }
  double seconds = atof(argv[1]), start = ct_clock(), slowest = 0;
  xtRng rng = xt_rng(strtoull(argv[2], NULL, 10));
  bool gpu = getenv("MUTANTS_CUDA") != NULL;
  long long made = 0, refused = 0, loaded = 0, on_gpu[3] = {0};  // not run, other bits, the bits of the CPU
  while (ct_clock() - start < seconds) {
    const char* path = argv[3 + xt_bits(&rng) % (uint64_t)(argc - 3)];
    Text text = read_file(path);
    if (!text.bytes) continue;
    mutate(&text, &rng);
    FILE* file = fopen("mutant.xml", "wb");
    if (file) fwrite(text.bytes, 1, text.size, file), fclose(file);
    ctVfs* files = NULL;
    ctModel* m = NULL;
    ctError err = {0};
    FUZZ_CHECK(ct_vfs_create(&files, NULL, &err) == CT_OK);
    FUZZ_CHECK(ct_vfs_add(files, path, text.bytes, text.size, &err) == CT_OK);
    const ctLoadOptions opt = {.vfs = files};
    double began = ct_clock();
    ctStatus status = ct_model_load(&m, path, &opt, &err);
    made++;
    if (status == CT_OK) {
      loaded++;
      save_and_read(m);
      step(m, &rng);
      int bits = gpu ? step_on_gpu(m) : 1;
      if (bits == 0) {
        char name[64];
        snprintf(name, sizeof(name), "differs-%lld.xml", made);
        rename("mutant.xml", name);
        printf("%s: mutant of %s: the GPU has other bits\n", name, path);
      }
      on_gpu[bits + 1]++;
    } else {
      refused++;
      FUZZ_CHECK(err.status == status && err.message[0]);
      slowest = fmax(slowest, ct_clock() - began);
    }
    ct_model_free(m);
    ct_vfs_free(files);
    free(text.bytes);
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%lld mutants of %d models: %lld refused (slowest %.2f s), %lld loaded; peak memory %ld MB\n", made,
         argc - 3, refused, slowest, loaded, usage.ru_maxrss / 1024);
  if (gpu)
    printf("on the GPU: %lld with the bits of the CPU, %lld not, %lld not run\n", on_gpu[2], on_gpu[1],
           on_gpu[0]);
  remove("mutant.xml");
  return on_gpu[1] > 0;
}
