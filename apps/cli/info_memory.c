#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

#define MOST_ARRAYS 16

typedef struct {
  ctField field;
  size_t bytes;
} Array;

static int by_size(const void* a, const void* b) {
  const Array *x = a, *y = b;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
  return strcmp(x->field.name, y->field.name);
}

// The arrays that are not empty, largest first. `d` is NULL for those of the model.
static int list_arrays(Array* out, const ctModel* m, const ctData* d) {
  int fields = d ? ct_data_field_count() : ct_model_field_count(), count = 0;
  for (int i = 0; i < fields; i++) {
    Array a = {0};
    ctStatus status = d ? ct_data_field(m, d, ct_data_field_name(i), &a.field)
                        : ct_model_field(m, ct_model_field_name(i), &a.field);
    a.bytes = ct_field_size(a.field.type) * (size_t)(a.field.rows * a.field.cols);
    if (status == CT_OK && a.field.ndim > 0 && a.field.data && a.bytes > 0) out[count++] = a;
  }
  qsort(out, (size_t)count, sizeof(Array), by_size);
  return count;
}

static void print_shape(const cli_Style* s, const ctField* f, int width) {
  char shape[64];
  int used = snprintf(shape, sizeof(shape), "%s", cli_count(f->rows));
  if (f->ndim > 1) snprintf(shape + used, sizeof(shape) - (size_t)used, " x %s", cli_count(f->cols));
  fprintf(s->file, "%*s %-7s", width, shape, info_type_name(f->type));
}

static void print_arrays(const cli_Style* s, const ctModel* m, const ctData* d, bool all) {
  Array* arrays = calloc((size_t)(d ? ct_data_field_count() : ct_model_field_count()), sizeof(Array));
  if (!arrays) return;
  int count = list_arrays(arrays, m, d);
  size_t total = d ? ct_data_bytes(d) : ct_model_bytes(m), rest = 0;
  fprintf(s->file, "\n  %smemory of the %s: %s%s", s->bold, d ? "data" : "model", cli_bytes((double)total),
          s->plain);
  if (d) fprintf(s->file, "  %sof which arena %s%s", s->dim, cli_bytes((double)d->narena), s->plain);
  fprintf(s->file, "\n");
  for (int i = 0; i < count; i++) {
    if (!all && i >= MOST_ARRAYS) {
      rest += arrays[i].bytes;
      continue;
    }
    fprintf(s->file, "    %-24s", arrays[i].field.name);
    print_shape(s, &arrays[i].field, 16);
    fprintf(s->file, "%12s  %5.1f %%\n", cli_bytes((double)arrays[i].bytes),
            100 * (double)arrays[i].bytes / (double)total);
  }
  if (rest > 0) {
    fprintf(s->file, "    %sand %d more with %s; --all lists them%s\n", s->dim, count - MOST_ARRAYS,
            cli_bytes((double)rest), s->plain);
  }
  free(arrays);
}

void info_memory(const cli_Style* s, const ctModel* m, const ctData* d, bool all) {
  print_arrays(s, m, NULL, all);
  print_arrays(s, m, d, all);
}
