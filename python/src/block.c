// Block: owner of one ctModel or ctData, and the buffer all views are made of.
#include "core.h"

Block* block_new(const State* state, Kind kind) {
  allocfunc alloc = (allocfunc)PyType_GetSlot(state->block_type, Py_tp_alloc);
  Block* block = (Block*)alloc(state->block_type, 0);  // zeroed
  if (block) block->kind = kind;
  return block;
}

static void block_dealloc(PyObject* self) {
  Block* block = (Block*)self;
  PyTypeObject* type = Py_TYPE(self);
  if (block->kind == KIND_DATA) {
    ct_data_free(block->d);
    memory_drop(block->memory);
    Py_XDECREF((PyObject*)block->model);
  } else {
    ct_derive_free(block->derive);
    ct_model_free(block->m);
    Py_XDECREF(block->remarks);
  }
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

// The struct and its fixed arrays are one piece of memory that never moves; the arena is not part of it.
static int block_buffer(PyObject* self, Py_buffer* view, int flags) {
  const Block* block = (const Block*)self;
  void* memory = block->kind == KIND_DATA ? (void*)block->d : (void*)block->m;
  size_t bytes =
      block->kind == KIND_DATA ? ct_data_bytes(block->d) - block->d->narena : ct_model_bytes(block->m);
  return PyBuffer_FillInfo(view, self, memory, (Py_ssize_t)bytes, 0, flags);
}

static PyObject* block_repr(PyObject* self) {
  const Block* block = (const Block*)self;
  return PyUnicode_FromFormat("<corten memory of a %s>", block->kind == KIND_DATA ? "Data" : "Model");
}

static char block_doc[] =
    "Memory of a model or data; exports its bytes. Made by corten.Model and corten.Data.";

static PyType_Slot block_slots[] = {
    {Py_tp_doc, block_doc},         {Py_tp_dealloc, block_dealloc},  {Py_tp_repr, block_repr},
    {Py_tp_methods, field_methods}, {Py_bf_getbuffer, block_buffer}, {0, NULL},
};

PyType_Spec block_spec = {
    .name = "corten._core.Block",
    .basicsize = sizeof(Block),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = block_slots,
};

Block* block_of(const State* state, PyObject* object, Kind kind) {
  static const char* const names[] = {[KIND_MODEL] = "corten.Model", [KIND_DATA] = "corten.Data"};
  PyObject* found = PyObject_GetAttr(object, state->block_name);
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
    PyErr_Clear();
  }
  if (found && Py_IS_TYPE(found, state->block_type) && ((Block*)found)->kind == kind) return (Block*)found;
  Py_XDECREF(found);
  PyErr_Format(PyExc_TypeError, "expected a %s, got %R", names[kind], object);
  return NULL;
}

void block_drop(Block* block) {
  Py_XDECREF((PyObject*)block);
}

bool block_is_idle(const Block* block) {
  if (!block->busy) return true;
  bool own = block->reader == PyThread_get_thread_ident();
  PyErr_SetString(
      PyExc_RuntimeError,
      own ? "this Data is in the middle of a step: a callback may read it, not call functions on it"
          : "this Data is in use by another thread; give each thread its own");
  return false;
}

bool block_is_readable(const Block* block) {
  return (block->busy && block->reader == PyThread_get_thread_ident()) || block_is_idle(block);
}

// A data can be used with its own model and with any other of the same sizes, such as an edited copy.
static bool same_sizes(const ctModel* a, const ctModel* b) {
#define X(type, name, ...) \
  if (a->name != b->name) return false;
#include "corten/fields/model_sizes.def"
#undef X
  return true;
}

static bool fit(const Block* model, const Block* data) {
  if (model->m == data->m || same_sizes(model->m, data->m)) return true;
  PyErr_SetString(PyExc_ValueError, "this Data was made from a model of other sizes");
  return false;
}

bool call_begin(Call* call, const State* state, PyObject* model, PyObject* data) {
  Block* block = block_of(state, model, KIND_MODEL);
  bool begun = block && call_begin_on(call, state, block, model, data);
  block_drop(block);
  return begun;
}

bool call_begin_on(Call* call, const State* state, Block* model, PyObject* model_object, PyObject* data) {
  *call = (Call){.model_object = model_object, .data_object = data};
  call->model = (Block*)Py_NewRef((PyObject*)model);
  call->data = block_of(state, data, KIND_DATA);
  bool inside = call->data && call->data->open && call->data->reader == PyThread_get_thread_ident();
  if (!call->data || !fit(call->model, call->data) || (!inside && !block_is_idle(call->data))) {
    block_drop(call->model);
    block_drop(call->data);
    return false;
  }
  call->m = call->model->m;
  call->d = call->data->d;
  if (inside) {
    // the call around this one holds memory of the arena, which must not move
    call->outer = call->d->user;
    call->arena_fixed = call->d->arena_fixed;
    call->d->arena_fixed = true;
  }
  for (int i = 0; i < CT_WARN_COUNT; i++) call->before[i] = call->d->warning[i].number;
  call->data->busy = true;
  call->d->user = call;
  return true;
}

void call_end(Call* call) {
  call->data->busy = call->outer != NULL;
  call->d->user = call->outer;
  if (call->outer) {
    call->d->arena_fixed = call->arena_fixed;
    call->data->reader = PyThread_get_thread_ident();
    call->data->open = true;
  }
  for (int i = 0; i < 3; i++) Py_CLEAR(call->raised[i]);
  block_drop(call->model);
  block_drop(call->data);
}
