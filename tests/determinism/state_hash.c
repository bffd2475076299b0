// Prints a hash of the state along a run of each model: the same for every compiler, optimisation and
// instruction set.
//   state_hash MODEL.xml...
#include <corten/corten.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_bytes(uint64_t h, const void* bytes, size_t n) {
  for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  return h;
}

// Every real field of the data, so that an output nobody integrates counts too.
static uint64_t hash_data(uint64_t h, const ctModel* m, const ctData* d) {
  for (int i = 0; i < ct_data_field_count(); i++) {
    ctField f;
    if (ct_data_field(m, d, ct_data_field_name(i), &f) != CT_OK || f.type != CT_FIELD_REAL || !f.data)
      continue;
    h = hash_bytes(h, f.data, sizeof(ctReal) * (size_t)(f.rows * f.cols));
  }
  return h;
}

static uint64_t hash_model(const ctModel* m) {
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    if (ct_model_field(m, ct_model_field_name(i), &f) != CT_OK || f.type != CT_FIELD_REAL || !f.data)
      continue;
    h = hash_bytes(h, f.data, sizeof(ctReal) * (size_t)(f.rows * f.cols));
  }
  return h;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    ctModel* m;
    ctData* d;
    ctError err;
    if (ct_model_load(&m, argv[i], NULL, &err) != CT_OK || ct_data_create(&d, m, &err) != CT_OK) {
      fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message);
      return 1;
    }
    uint64_t h = hash_model(m);
    for (int step = 0; step < 500; step++) {
      // controls that wander over [-1, 1], from whole numbers
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = (ctReal)((step * 37 + k * 101) % 201 - 100) / 100;
      ct_step(m, d);
      if (step % 50 == 0) h = hash_data(h, m, d);
    }
    ct_inverse(m, d);
    const char* name = strrchr(argv[i], '/');
    printf("%-28s %016llx\n", name ? name + 1 : argv[i], (unsigned long long)hash_data(h, m, d));
    ct_data_free(d);
    ct_model_free(m);
  }
  return 0;
}
