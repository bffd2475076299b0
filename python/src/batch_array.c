// BatchArray: memory of a batch, shared without a copy. On the CPU it exports a buffer, which NumPy takes; on
// a GPU it speaks DLPack and the CUDA array interface. Both hold the batch.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"

#define MAX_DIMS 3

typedef struct BatchArray {
  PyObject_HEAD Batch* batch;  // a strong reference
  void* data;
  int device, item, ndim;  // device -1: the CPU; bytes of an element
  bool moves;              // counted in batch->lent
  char name[64];           // of the field
  Py_ssize_t shape[MAX_DIMS];
  Py_ssize_t strides[MAX_DIMS];  // in bytes
} BatchArray;

static void array_dealloc(PyObject* self) {
  BatchArray* a = (BatchArray*)self;
  PyTypeObject* type = Py_TYPE(self);
  if (a->batch && a->moves) a->batch->lent--;
  Py_XDECREF((PyObject*)a->batch);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

// A world's numbers lie together: rows of the given shape, one stride apart.
static bool lay_out(BatchArray* a, const ctBatchView* view, PyObject* shape) {
  Py_ssize_t inner = PyTuple_Size(shape), count = 1;
  a->ndim = (int)inner + 1;
  a->shape[0] = (Py_ssize_t)view->shape[0];
  a->strides[0] = (Py_ssize_t)view->stride[0] * a->item;
  for (Py_ssize_t i = inner; i > 0; i--) {
    a->shape[i] = PyLong_AsSsize_t(PyTuple_GetItem(shape, i - 1));
    if (a->shape[i] < 0) return false;
    a->strides[i] = count * (Py_ssize_t)view->stride[1] * a->item;
    count *= a->shape[i];
  }
  if (count == (Py_ssize_t)view->shape[1]) return true;
  PyErr_SetString(PyExc_ValueError, "the shape does not fit the field");
  return false;
}

PyObject* batch_array(PyObject* self, PyObject* args) {
  Batch* batch = (Batch*)self;
  const State* state = PyType_GetModuleState(Py_TYPE(self));
  const char* name;
  PyObject* shape;
  int moves;
  if (!PyArg_ParseTuple(args, "sO!p:array", &name, &PyTuple_Type, &shape, &moves)) return NULL;
  ctBatchView view;
  ctError err = {0};
  if (PyTuple_Size(shape) >= MAX_DIMS) return PyErr_Format(PyExc_ValueError, "too many dimensions");
  if (ct_batch_view(batch->b, name, &view, &err) != CT_OK) return raise_error(state, &err);
  BatchArray* a = (BatchArray*)PyType_GenericAlloc(state->batch_array_type, 0);
  if (!a) return NULL;
  a->batch = (Batch*)Py_NewRef(self);
  a->data = view.data ? view.data : (void*)batch->b;  // arrays without elements still point somewhere
  a->device = view.device;
  a->item = view.real_bytes;
  if (!lay_out(a, &view, shape)) {
    Py_DECREF((PyObject*)a);
    return NULL;
  }
  a->moves = moves && a->device >= 0;
  snprintf(a->name, sizeof(a->name), "%s", name);
  if (a->moves) batch->lent++;
  return (PyObject*)a;
}

static Py_ssize_t element_count(const BatchArray* a) {
  Py_ssize_t count = 1;
  for (int i = 0; i < a->ndim; i++) count *= a->shape[i];
  return count;
}

// ---- the CPU: a buffer ------------------------------------------------------------------------------------

static int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  static char formats[2][2] = {"f", "d"};
  BatchArray* a = (BatchArray*)self;
  view->obj = NULL;
  if (a->device >= 0) {
    PyErr_SetString(PyExc_BufferError, "this array is on a GPU: use DLPack, or Batch.get() for a copy");
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "arrays of a batch have strides");
    return -1;
  }
  *view = (Py_buffer){.buf = a->data,
                      .obj = Py_NewRef(self),
                      .len = element_count(a) * a->item,
                      .itemsize = a->item,
                      .ndim = a->ndim,
                      .format = flags & PyBUF_FORMAT ? formats[a->item == 8] : NULL,
                      .shape = a->shape,
                      .strides = a->strides};
  return 0;
}

// ---- the GPU: the CUDA array interface, version 3 ---------------------------------------------------------

static PyObject* tuple_of(const Py_ssize_t* numbers, int count) {
  PyObject* tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; i++) {
    PyObject* number = PyLong_FromSsize_t(numbers[i]);
    if (!number || PyTuple_SetItem(tuple, i, number) < 0) Py_CLEAR(tuple);
  }
  return tuple;
}

// What was computed is there before anyone looks.
static bool wait(const BatchArray* a) {
  ctError err = {0};
  ctStatus status;
  Py_BEGIN_ALLOW_THREADS status = ct_batch_sync(a->batch->b, &err);
  Py_END_ALLOW_THREADS if (status != CT_OK)
      raise_error(PyType_GetModuleState(Py_TYPE((PyObject*)a->batch)), &err);
  return status == CT_OK;
}

static PyObject* cuda_interface(PyObject* self, void* unused) {
  (void)unused;
  BatchArray* a = (BatchArray*)self;
  if (a->device < 0) {
    PyErr_SetString(PyExc_AttributeError, "this array is not on a GPU");
    return NULL;
  }
  if (!wait(a)) return NULL;
  PyObject* shape = tuple_of(a->shape, a->ndim);
  PyObject* strides = shape ? tuple_of(a->strides, a->ndim) : NULL;
  if (!strides) {
    Py_XDECREF(shape);
    return NULL;
  }
  // An array without elements has no address there.
  unsigned long long address = element_count(a) > 0 ? (unsigned long long)(uintptr_t)a->data : 0;
  return Py_BuildValue("{s:N,s:N,s:s,s:(KO),s:i,s:O}", "shape", shape, "strides", strides, "typestr",
                       a->item == 8 ? "<f8" : "<f4", "data", address, Py_False, "version", 3, "stream",
                       Py_None);
}

// ---- DLPack -----------------------------------------------------------------------------------------------

typedef struct DLDevice {
  int32_t type, id;
} DLDevice;
typedef struct DLType {
  uint8_t code, bits;
  uint16_t lanes;
} DLType;
typedef struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManaged {
  DLTensor tensor;
  void* context;
  void (*deleter)(struct DLManaged*);
} DLManaged;
typedef struct DLManagedVersioned {
  uint32_t major, minor;
  void* context;
  void (*deleter)(struct DLManagedVersioned*);
  uint64_t flags;
  DLTensor tensor;
} DLManagedVersioned;

enum { DL_CPU = 1, DL_CUDA = 2, DL_FLOAT = 2 };

// One piece of memory: either kind of tensor, and the numbers it points to.
typedef struct Export {
  union {
    DLManaged plain;
    DLManagedVersioned versioned;
  } as;
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  PyObject* owner;
} Export;

static void export_free(Export* e) {
  PyGILState_STATE gil = PyGILState_Ensure();  // consumers may call from any thread
  Py_DECREF(e->owner);
  PyMem_Free(e);
  PyGILState_Release(gil);
}

static void delete_plain(DLManaged* managed) {
  export_free(managed->context);
}

static void delete_versioned(DLManagedVersioned* managed) {
  export_free(managed->context);
}

static const char* const capsule_names[] = {"dltensor", "dltensor_versioned"};

// A capsule that nobody took over still owns its tensor; one that was taken has another name.
static void drop_capsule(PyObject* capsule) {
  for (int versioned = 0; versioned < 2; versioned++) {
    if (!PyCapsule_IsValid(capsule, capsule_names[versioned])) continue;
    void* managed = PyCapsule_GetPointer(capsule, capsule_names[versioned]);
    if (versioned) {
      delete_versioned(managed);
    } else {
      delete_plain(managed);
    }
  }
}

static DLTensor tensor_of(Export* e, const BatchArray* a) {
  for (int i = 0; i < a->ndim; i++) {
    e->shape[i] = a->shape[i];
    e->strides[i] = a->strides[i] / a->item;
  }
  DLDevice device = {a->device >= 0 ? DL_CUDA : DL_CPU, a->device >= 0 ? a->device : 0};
  return (DLTensor){.data = a->data,
                    .device = device,
                    .ndim = a->ndim,
                    .dtype = {DL_FLOAT, (uint8_t)(8 * a->item), 1},
                    .shape = e->shape,
                    .strides = e->strides};
}

static PyObject* make_capsule(BatchArray* a, bool versioned) {
  Export* e = PyMem_Calloc(1, sizeof(Export));
  if (!e) return PyErr_NoMemory();
  e->owner = Py_NewRef((PyObject*)a);
  if (versioned) {
    e->as.versioned = (DLManagedVersioned){
        .major = 1, .minor = 0, .context = e, .deleter = delete_versioned, .tensor = tensor_of(e, a)};
  } else {
    e->as.plain = (DLManaged){.tensor = tensor_of(e, a), .context = e, .deleter = delete_plain};
  }
  PyObject* capsule = PyCapsule_New(&e->as, capsule_names[versioned], drop_capsule);
  if (!capsule) export_free(e);
  return capsule;
}

static PyObject* device_of(PyObject* self, PyObject* unused) {
  (void)unused;
  const BatchArray* a = (const BatchArray*)self;
  return a->device >= 0 ? Py_BuildValue("(ii)", DL_CUDA, a->device) : Py_BuildValue("(ii)", DL_CPU, 0);
}

// Two whole numbers; false with an exception for anything else.
static bool take_pair(PyObject* object, const char* name, int* first, int* second) {
  if (PyTuple_Check(object) && PyArg_ParseTuple(object, "ii", first, second)) return true;
  PyErr_Format(PyExc_TypeError, "%s is a pair of whole numbers, not %R", name, object);
  return false;
}

// __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)
static PyObject* dlpack(PyObject* self, PyObject* args, PyObject* names) {
  static char words[][12] = {"stream", "max_version", "dl_device", "copy"};
  static char* keywords[] = {words[0], words[1], words[2], words[3], NULL};
  BatchArray* a = (BatchArray*)self;
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
  int major = 0, minor = 0, type, id;
  if (!PyArg_ParseTupleAndKeywords(args, names, "|$OOOO:__dlpack__", keywords, &stream, &version, &device,
                                   &copy))
    return NULL;
  if (version != Py_None && !take_pair(version, "max_version", &major, &minor)) return NULL;
  if (copy == Py_True) {
    PyErr_SetString(PyExc_BufferError, "arrays of a batch are shared, not copied: use Batch.get()");
    return NULL;
  }
  if (device != Py_None) {
    if (!take_pair(device, "dl_device", &type, &id)) return NULL;
    if (type != (a->device >= 0 ? DL_CUDA : DL_CPU) || (a->device >= 0 && id != a->device)) {
      PyErr_SetString(PyExc_BufferError, "arrays of a batch stay on their device: use Batch.get()");
      return NULL;
    }
  }
  // -1 asks for no waiting; any other stream may read once everything was computed.
  long asked = stream == Py_None ? 0 : PyLong_AsLong(stream);
  if (asked == -1 && PyErr_Occurred()) return NULL;
  if (asked != -1 && !wait(a)) return NULL;
  return make_capsule(a, major >= 1);
}

// ---- the type ---------------------------------------------------------------------------------------------

static PyObject* get_shape(PyObject* self, void* unused) {
  (void)unused;
  const BatchArray* a = (const BatchArray*)self;
  return tuple_of(a->shape, a->ndim);
}

static PyObject* get_device(PyObject* self, void* unused) {
  (void)unused;
  return PyLong_FromLong(((const BatchArray*)self)->device);
}

// array[key] = value, by way of the host: see _batch.py.
static int array_assign(PyObject* self, PyObject* key, PyObject* value) {
  BatchArray* a = (BatchArray*)self;
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "elements of a batch cannot be deleted");
    return -1;
  }
  PyObject* module = PyImport_ImportModule("corten._batch");
  PyObject* done =
      module ? PyObject_CallMethod(module, "_assign", "OsOOO", (PyObject*)a->batch, a->name, self, key, value)
             : NULL;
  Py_XDECREF(module);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

static PyObject* array_repr(PyObject* self) {
  const BatchArray* a = (const BatchArray*)self;
  PyObject* shape = tuple_of(a->shape, a->ndim);
  PyObject* text =
      shape ? PyUnicode_FromFormat("<corten.BatchArray: %R of %s on %s %d>", shape,
                                   a->item == 8 ? "float64" : "float32", a->device >= 0 ? "GPU" : "the CPU,",
                                   a->device >= 0 ? a->device : 0)
            : NULL;
  Py_XDECREF(shape);
  return text;
}

static PyMethodDef methods[] = {
    {"__dlpack__", AS_METHOD(dlpack), METH_VARARGS | METH_KEYWORDS,
     "Share the memory as a DLPack capsule, after waiting for the batch."},
    {"__dlpack_device__", device_of, METH_NOARGS, "Kind and number of the device, as DLPack counts them."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"__cuda_array_interface__", cuda_interface, NULL, "Version 3; only on a GPU.", NULL},
    {"shape", get_shape, NULL, "Worlds first, then the shape of the field.", NULL},
    {"device", get_device, NULL, "Number of the GPU, -1 for the CPU.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static char array_doc[] = "Memory of a batch, shared without a copy. Given by Batch on a GPU.";

static PyType_Slot slots[] = {
    {Py_tp_doc, array_doc},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_repr, array_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_bf_getbuffer, get_buffer},
    {Py_mp_ass_subscript, array_assign},
    {0, NULL},
};

PyType_Spec batch_array_spec = {
    .name = "corten.BatchArray",
    .basicsize = sizeof(BatchArray),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
