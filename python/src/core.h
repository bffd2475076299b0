// The extension module corten._core: what its files share.
//
// Python objects own engine memory through Blocks. A Block is one ctModel or one ctData; it exports its bytes
// through the buffer protocol, so that every array of the package is a NumPy view of a Block at an offset,
// and keeps it alive. Blocks refer only to Blocks (a data to its model), never to Python objects that could
// refer back: reference counting alone frees everything.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "corten/corten.h"

// CPython passes functions through void*, which POSIX allows and ISO C does not.
#pragma GCC diagnostic ignored "-Wpedantic"

typedef enum Kind { KIND_MODEL, KIND_DATA } Kind;

typedef struct Block {
  PyObject_HEAD Kind kind;
  ctModel* m;             // own, or the one `model` owns
  ctData* d;              // NULL in a model
  struct Block* model;    // of a data: the block of its model, a strong reference
  PyObject* remarks;      // of a model: a tuple of texts, NULL for none
  ctDerive* derive;       // of a model: a workspace that no call is using, NULL for none
  int derive_threads;     // of that
  bool busy;              // a call without the GIL is working on the data
  unsigned long reader;   // the thread of that call while it is in a callback, else 0
  bool open;              // that callback may also call functions on the data
  struct Memory* memory;  // of a data: where its arena comes from, see arena.c
  ctStatus trouble;       // of a data: the first that its steps met since the last reset
  bool warned;            // of a data: its first trouble was issued as a warning
} Block;

// What is known of a field without an instance: see fields.c.
typedef struct FieldInfo {
  const char* name;
  ctFieldType type;
  bool inside;    // a scalar or short array inside the struct, at `offset`
  bool readonly;  // a size: other arrays depend on it
  size_t offset;
  int64_t count;  // elements when inside
} FieldInfo;

typedef struct FieldTable {
  FieldInfo* rows;
  int count;
} FieldTable;

typedef struct State {
  PyTypeObject* block_type;
  PyTypeObject* arena_type;
  PyTypeObject* spec_type;
  PyTypeObject* batch_type;
  PyTypeObject* batch_array_type;
  PyTypeObject* scene_type;
  PyTypeObject* renderer_type;  // NULL without OpenGL
  PyObject* error;              // corten.Error
  PyObject* warning;            // corten.SimulationWarning
  PyObject* block_name;         // "_block"
  PyObject* hears;              // a function of kind, index and time that is told of warnings; NULL: none
  FieldTable fields[2];         // by Kind
} State;

// errors.c: raise corten.Error; always NULL.
PyObject* raise_error(const State* state, const ctError* err);
PyObject* raise_status(const State* state, const char* call, ctStatus status);
PyObject* make_error_type(void);
PyObject* make_warning_type(void);

// block.c: life of a Block, and the way from a corten.Model or corten.Data to it. All references are strong,
// so that nothing Python does meanwhile can free what a call works on.
extern PyType_Spec block_spec;
Block* block_new(const State* state, Kind kind);
Block* block_of(const State* state, PyObject* object, Kind kind);
void block_drop(Block* block);               // NULL is allowed
bool block_is_idle(const Block* block);      // false with an exception while a call works on the data
bool block_is_readable(const Block* block);  // the same, but true in a callback of that call

// A call that works on a model and a data: between begin and end both are held, and the data is marked busy.
typedef struct Call {
  Block *model, *data;
  const ctModel* m;
  ctData* d;
  PyObject *model_object, *data_object;  // borrowed from the caller
  PyObject* raised[3];                   // exception of a callback, all NULL for none
  struct Call* outer;                    // the call whose callback makes this one, else NULL
  bool arena_fixed;                      // of the data, when it is
  int before[CT_WARN_COUNT];             // warnings that were counted when it began
} Call;
bool call_begin(Call* call, const State* state, PyObject* model, PyObject* data);  // false with an exception
// The same for a model whose block is known.
bool call_begin_on(Call* call, const State* state, Block* model, PyObject* model_object, PyObject* data);
void call_end(Call* call);

// sim.c: the end of a call that ran steps or stages, and what it gives: None, or NULL with an exception. The
// first trouble of a data is a warning.
PyObject* finish_call(Call* call, const State* state, const char* name, ctStatus status);

// callbacks.c: functions of the user. call_raise: set the exception of a callback, false when there is none.
bool call_raise(Call* call);
bool has_callbacks(const ctModel* m);
extern PyMethodDef callback_methods[];

// derive.c: derivatives.
extern PyMethodDef derive_methods[];

// kit.c: the kit of parts.
extern PyMethodDef kit_methods[];

// arena.c: the memory of a data. Views of its arena keep that alive when the data takes a larger one.
typedef struct Memory Memory;
extern PyType_Spec arena_spec;
Memory* memory_new(void);          // NULL when there is none
void memory_drop(Memory* memory);  // NULL is allowed
ctAllocator memory_allocator(Memory* memory);
PyObject* arena_view(const State* state, Block* block, const void* at, Py_ssize_t* offset);

// fields.c: the field tables, and the methods of a Block that use them.
bool fields_init(State* state, PyObject* module);
void fields_free(State* state);
extern PyMethodDef field_methods[];

// spec.c: the owner of a ctSpec. load.c: files in memory from a dict; NULL with an exception on failure.
extern PyType_Spec spec_type_spec;
// Append a remark with its level to the Python list `context`; the GIL may be held or not.
void collect_remark(void* context, ctLogLevel level, const char* text);

// Keep the remarks of such a list with a model, and issue what matters as Python warnings. False with an
// exception when warnings are errors.
bool issue_remarks(Block* block, PyObject* remarks);

// (max_memory, max_elements, max_arena[, plugins[, URDF]]), URDF = (mujoco, floating_base, actuators,
// package_path, balance_inertia, bound_mass, bound_inertia, total_mass, strict_inertia), into the options,
// which borrow from both; false with an exception when they are none.
bool take_limits(PyObject* given, ctLoadOptions* out, ctUrdfOptions* urdf);

ctVfs* make_vfs(const State* state, PyObject* assets);

// batch.c: the owner of a ctBatch. batch_array.c: its memory, shared.
extern PyType_Spec batch_spec;
extern PyType_Spec batch_array_spec;
bool batch_init(PyObject* module);

// Methods of the module, by file: load.c, sim.c, worlds.c, query.c, ask.c, shapes.c, state.c, spec.c; enums.c
// and records.c add constants.
extern PyMethodDef load_methods[];
extern PyMethodDef sim_methods[];
extern PyMethodDef worlds_methods[];
extern PyMethodDef query_methods[];
extern PyMethodDef ask_methods[];
extern PyMethodDef shape_methods[];
extern PyMethodDef state_methods[];
extern PyMethodDef spec_methods[];
bool enums_init(PyObject* module);
bool records_init(PyObject* module);

// scene.c: the owner of a scene. render.c: the owner of a renderer and its scene.
bool scene_init(State* state, PyObject* module);
bool render_init(State* state, PyObject* module);

// Methods taken as an array of arguments have another C type than the table's.
#define AS_METHOD(function) ((PyCFunction)(void (*)(void))(function))
