// The fields of model and data with their descriptions: corten info --fields.
#include <string.h>

#include "info.h"
#include "json.h"

const char* info_type_name(ctFieldType type) {
  static const char* const names[CT_FIELD_COUNT] = {
      [CT_FIELD_REAL] = "real", [CT_FIELD_FLOAT] = "float",     [CT_FIELD_INT] = "int",
      [CT_FIELD_SIZE] = "size", [CT_FIELD_BYTE] = "byte",       [CT_FIELD_BOOL] = "bool",
      [CT_FIELD_CHAR] = "char", [CT_FIELD_POINTER] = "pointer", [CT_FIELD_CONTACT] = "contact",
  };
  return names[type];
}

static int count_fields(bool of_data) {
  return of_data ? ct_data_field_count() : ct_model_field_count();
}

static const ctFieldInfo* field_at(bool of_data, int i) {
  return of_data ? ct_data_field_info(i) : ct_model_field_info(i);
}

static bool is_chosen(const ctFieldInfo* f, const char* only) {
  return !only || strstr(f->name, only) || strstr(f->doc, only);
}

bool info_has_field(const char* text) {
  for (int of_data = 0; of_data < 2; of_data++) {
    for (int i = 0; i < count_fields(of_data); i++) {
      if (is_chosen(field_at(of_data, i), text)) return true;
    }
  }
  return false;
}

// Rows and columns in a model; false for an array in the arena, which has others in every step.
static bool find_size(const ctFieldInfo* f, const ctModel* m, const ctData* d, bool of_data, ctField* out) {
  if (!m || f->place == CT_PLACE_ARENA) return false;
  return (of_data ? ct_data_field(m, d, f->name, out) : ct_model_field(m, f->name, out)) == CT_OK;
}

// ---- text ------------------------------------------------------------------------------------------------

#define SHAPE_BYTES 64

static void write_shape(char shape[SHAPE_BYTES], int ndim, const char* rows, const char* cols) {
  snprintf(shape, SHAPE_BYTES, "%s%s%s", ndim > 0 ? rows : "", ndim > 1 ? " x " : "", ndim > 1 ? cols : "");
}

static void print_field(const cli_Style* s, const ctFieldInfo* f, const ctModel* m, const ctData* d,
                        bool of_data) {
  char shape[SHAPE_BYTES];
  ctField sized;
  write_shape(shape, f->ndim, f->rows, f->cols);
  fprintf(s->file, "    %-26s %s%-8s%s%-24s", f->name, s->dim, info_type_name(f->type), s->plain, shape);
  if (m) {
    bool known = find_size(f, m, d, of_data, &sized);
    if (known) write_shape(shape, f->ndim, cli_count(sized.rows), cli_count(sized.cols));
    fprintf(s->file, "%-14s", known ? shape : "varies");
  }
  fprintf(s->file, "%s\n", f->doc);
}

void info_fields(const cli_Style* s, const ctModel* m, const ctData* d, const char* only) {
  for (int of_data = 0; of_data < 2; of_data++) {
    bool first = true;
    for (int i = 0; i < count_fields(of_data); i++) {
      const ctFieldInfo* f = field_at(of_data, i);
      if (!is_chosen(f, only)) continue;
      if (first)
        fprintf(s->file, "\n  %sfields of the %s%s\n", s->bold, of_data ? "data" : "model", s->plain);
      first = false;
      print_field(s, f, m, d, of_data);
    }
  }
}

// ---- JSON ------------------------------------------------------------------------------------------------

static void write_field(cli_Json* j, const ctFieldInfo* f, const ctModel* m, const ctData* d, bool of_data) {
  ctField sized;
  json_open(j, NULL, '{');
  json_text(j, "name", f->name);
  json_text(j, "type", info_type_name(f->type));
  json_open(j, "shape", '[');
  if (f->ndim > 0) json_text(j, NULL, f->rows);
  if (f->ndim > 1) json_text(j, NULL, f->cols);
  json_close(j, ']');
  if (find_size(f, m, d, of_data, &sized)) {
    json_open(j, "size", '[');
    if (f->ndim > 0) json_int(j, NULL, sized.rows);
    if (f->ndim > 1) json_int(j, NULL, sized.cols);
    json_close(j, ']');
  }
  json_text(j, "description", f->doc);
  json_close(j, '}');
}

void info_fields_json(FILE* out, const ctModel* m, const ctData* d, const char* only) {
  cli_Json j = {.file = out};
  json_open(&j, NULL, '{');
  for (int of_data = 0; of_data < 2; of_data++) {
    json_open(&j, of_data ? "data" : "model", '[');
    for (int i = 0; i < count_fields(of_data); i++) {
      if (is_chosen(field_at(of_data, i), only)) write_field(&j, field_at(of_data, i), m, d, of_data);
    }
    json_close(&j, ']');
  }
  json_close(&j, '}');
  json_end(&j);
}
