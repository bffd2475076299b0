#include <string.h>

#include "info.h"
#include "json.h"

static void write_sizes(cli_Json* j, const ctModel* m) {
  json_open(j, "sizes", '{');
#define X(type, name, ...) json_int(j, #name, (long long)m->name);
#include <corten/fields/model_sizes.def>
#undef X
  json_close(j, '}');
}

// All fields whose name starts with a prefix ("opt."), under the rest of their name.
static void write_group(cli_Json* j, const ctModel* m, const char* key, const char* prefix) {
  json_open(j, key, '{');
  for (int i = 0; i < ct_model_field_count(); i++) {
    const char* name = ct_model_field_name(i);
    ctField f;
    if (strncmp(name, prefix, strlen(prefix)) != 0 || ct_model_field(m, name, &f) != CT_OK) continue;
    const char* short_name = name + strlen(prefix);
    const char* keyword =
        f.type == CT_FIELD_INT ? info_option_keyword(short_name, *(const int*)f.data) : NULL;
    if (keyword) {
      json_text(j, short_name, keyword);
    } else {
      json_field(j, short_name, &f);
    }
  }
  json_close(j, '}');
}

static void write_names(cli_Json* j, const ctModel* m) {
#define X(id, text) [CT_OBJ_##id] = text,
  static const char* const kinds[CT_OBJ_COUNT] = {CT_OBJ_LIST(X)};
#undef X
  json_open(j, "names", '{');
  for (int type = 0; type < CT_OBJ_COUNT; type++) {
    int count = type == CT_OBJ_XBODY || type == CT_OBJ_DOF ? 0 : ct_model_count(m, (ctObjType)type);
    if (count == 0) continue;
    json_open(j, kinds[type], '[');
    for (int i = 0; i < count; i++) json_text(j, NULL, ct_model_id2name(m, (ctObjType)type, i));
    json_close(j, ']');
  }
  json_close(j, '}');
}

static void write_array_bytes(cli_Json* j, const ctField* f) {
  size_t bytes = ct_field_size(f->type) * (size_t)(f->rows * f->cols);
  if (f->ndim > 0 && f->data && bytes > 0) json_int(j, f->name, (long long)bytes);
}

static void write_memory(cli_Json* j, const ctModel* m, const ctData* d) {
  ctField f;
  json_open(j, "memory", '{');
  json_int(j, "model", (long long)ct_model_bytes(m));
  json_int(j, "data", (long long)ct_data_bytes(d));
  json_int(j, "arena", (long long)d->narena);
  json_open(j, "model_arrays", '{');
  for (int i = 0; i < ct_model_field_count(); i++) {
    if (ct_model_field(m, ct_model_field_name(i), &f) == CT_OK) write_array_bytes(j, &f);
  }
  json_close(j, '}');
  json_open(j, "data_arrays", '{');
  for (int i = 0; i < ct_data_field_count(); i++) {
    if (ct_data_field(m, d, ct_data_field_name(i), &f) == CT_OK) write_array_bytes(j, &f);
  }
  json_close(j, '}');
  json_close(j, '}');
}

// Bodies with what hangs on them.
static void write_bodies(cli_Json* j, const ctModel* m) {
  json_open(j, "bodies", '[');
  for (int i = 0; i < m->nbody; i++) {
    json_open(j, NULL, '{');
    json_text(j, "name", ct_model_id2name(m, CT_OBJ_BODY, i));
    json_int(j, "parent", m->body_parentid[i]);
    json_real(j, "mass", (double)m->body_mass[i]);
    json_int(j, "joints", m->body_jntnum[i]);
    json_int(j, "dofs", m->body_dofnum[i]);
    json_int(j, "geoms", m->body_geomnum[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void info_json(FILE* out, const ctModel* m, const ctData* d) {
  cli_Json j = {.file = out};
  json_open(&j, NULL, '{');
  json_text(&j, "name", m->names);
  json_real(&j, "mass", (double)ct_model_total_mass(m));
  write_sizes(&j, m);
  write_group(&j, m, "options", "opt.");
  write_group(&j, m, "statistic", "stat.");
  write_bodies(&j, m);
  write_names(&j, m);
  write_memory(&j, m, d);
  json_close(&j, '}');
  json_end(&j);
}
