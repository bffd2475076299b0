// The memory of a data. Its arena is replaced by a larger one when a step needs it, between which a view of
// the old one may still be held: every piece of memory counts who holds it, the engine and the views.
#include <stdatomic.h>
#include <stdlib.h>

#include "core.h"

#define ALIGN 64
#define MOST  64  // pieces one data has at a time: its block, its arena, both arenas while it grows, threads

typedef struct Piece {
  atomic_int holders;
  size_t size;
} Piece;

struct Memory {
  void* pieces[MOST];  // what the engine holds; written by the thread that works on the data
};

static Piece* piece_of(void* block) {
  return (Piece*)(void*)((char*)block - ALIGN);
}

static void let_go(void* block) {
  if (atomic_fetch_sub(&piece_of(block)->holders, 1) == 1) free(piece_of(block));
}

static void* take(void* context, size_t size, size_t align) {
  Memory* memory = context;
  if (align > ALIGN || size > SIZE_MAX - 2 * ALIGN) return NULL;
  Piece* piece = aligned_alloc(ALIGN, (size + 2 * ALIGN - 1) / ALIGN * ALIGN);
  if (!piece) return NULL;
  atomic_init(&piece->holders, 1);
  piece->size = size;
  void* block = (char*)piece + ALIGN;
  for (int i = 0; i < MOST; i++) {
    if (memory->pieces[i]) continue;
    memory->pieces[i] = block;
    break;
  }
  return block;
}

static void give_back(void* context, void* block) {
  Memory* memory = context;
  if (!block) return;
  for (int i = 0; i < MOST; i++) {
    if (memory->pieces[i] == block) memory->pieces[i] = NULL;
  }
  let_go(block);
}

Memory* memory_new(void) {
  return calloc(1, sizeof(Memory));
}

void memory_drop(Memory* memory) {
  free(memory);
}

ctAllocator memory_allocator(Memory* memory) {
  return (ctAllocator){.alloc = take, .release = give_back, .context = memory};
}

// ---- views -----------------------------------------------------------------------------------------------

typedef struct Arena {
  PyObject_HEAD void* memory;
} Arena;

static void arena_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  let_go(((Arena*)self)->memory);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static int arena_buffer(PyObject* self, Py_buffer* view, int flags) {
  void* memory = ((Arena*)self)->memory;
  return PyBuffer_FillInfo(view, self, memory, (Py_ssize_t)piece_of(memory)->size, 0, flags);
}

static char arena_doc[] = "Memory of the arrays that steps rebuild; exports its bytes.";

static PyType_Slot arena_slots[] = {
    {Py_tp_doc, arena_doc},
    {Py_tp_dealloc, arena_dealloc},
    {Py_bf_getbuffer, arena_buffer},
    {0, NULL},
};

PyType_Spec arena_spec = {
    .name = "corten._core.Arena",
    .basicsize = sizeof(Arena),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = arena_slots,
};

PyObject* arena_view(const State* state, Block* block, const void* at, Py_ssize_t* offset) {
  for (int i = 0; i < MOST; i++) {
    char* memory = block->memory->pieces[i];
    if (!memory || (const char*)at < memory || (const char*)at >= memory + piece_of(memory)->size) continue;
    allocfunc alloc = (allocfunc)PyType_GetSlot(state->arena_type, Py_tp_alloc);
    Arena* view = (Arena*)alloc(state->arena_type, 0);
    if (!view) return NULL;
    atomic_fetch_add(&piece_of(memory)->holders, 1);
    view->memory = memory;
    *offset = (const char*)at - memory;
    return (PyObject*)view;
  }
  PyErr_SetString(PyExc_SystemError, "an array lies outside the memory of its data");
  return NULL;
}
