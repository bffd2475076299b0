// The reference engine, found at run time: its shared library is opened and called through the few functions
// that need no knowledge of its structs.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void OracleStage(const void* model, void* data);

typedef struct Oracle {
  void* library;
  void* (*load)(const char* path, const void* vfs, char* error, int size);
  void* (*make_data)(const void* model);
  void (*reset_key)(const void* model, void* data, int key);
  int (*state_size)(const void* model, unsigned which);
  void (*get_state)(const void* model, const void* data, double* state, unsigned which);
  void (*set_state)(const void* model, void* data, const double* state, unsigned which);
  void (*free_data)(void* data);
  void (*free_model)(void* model);
} Oracle;

static inline void* oracle_symbol(const Oracle* o, const char* name) {
  void* symbol = dlsym(o->library, name);
  if (symbol) return symbol;
  fprintf(stderr, "the library has no %s\n", name);
  exit(1);
}

static inline Oracle oracle_open(const char* path) {
  Oracle o = {.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!o.library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  *(void**)&o.load = oracle_symbol(&o, "mj_loadXML");
  *(void**)&o.make_data = oracle_symbol(&o, "mj_makeData");
  *(void**)&o.reset_key = oracle_symbol(&o, "mj_resetDataKeyframe");
  *(void**)&o.state_size = oracle_symbol(&o, "mj_stateSize");
  *(void**)&o.get_state = oracle_symbol(&o, "mj_getState");
  *(void**)&o.set_state = oracle_symbol(&o, "mj_setState");
  *(void**)&o.free_data = oracle_symbol(&o, "mj_deleteData");
  *(void**)&o.free_model = oracle_symbol(&o, "mj_deleteModel");
  return o;
}
