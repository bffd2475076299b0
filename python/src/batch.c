// Batches: a Python object owns a ctBatch and holds the model. Everything that works runs without the GIL.
#include "batch.h"

#include <stdint.h>
#include <string.h>

Batch* batch_of(PyObject* object) {
  Batch* batch = (Batch*)object;
  if (!batch->busy) return batch;
  PyErr_SetString(PyExc_RuntimeError, "this Batch is in use by another thread");
  return NULL;
}

static const State* state_of(const Batch* batch) {
  return PyType_GetModuleState(Py_TYPE((PyObject*)(uintptr_t)batch));
}

// Steps of worlds that met trouble were completed, and the batch's status tells; only errors raise.
static PyObject* result_of(const Batch* batch, ctStatus status, const ctError* err) {
  if (status == CT_OK || status >= CT_STEP_DIVERGED) return Py_NewRef(Py_None);
  return err->message[0] ? raise_error(state_of(batch), err) : raise_status(state_of(batch), "batch", status);
}

// Work without the GIL; sets `status` and `err`.
#define WORK(call)                        \
  ctStatus status;                        \
  ctError err = {0};                      \
  batch->busy = true;                     \
  Py_BEGIN_ALLOW_THREADS status = (call); \
  Py_END_ALLOW_THREADS batch->busy = false

// ---- life -------------------------------------------------------------------------------------------------

static void batch_dealloc(PyObject* self) {
  Batch* batch = (Batch*)self;
  PyTypeObject* type = Py_TYPE(self);
  ct_batch_free(batch->b);
  ct_data_free(batch->shapes);
  block_drop(batch->model);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyObject* make_batch(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject* model;
  int nworld, backend, precision, reset_bad;
  unsigned long long stream;
  ctBatchOptions opt = {0};
  if (!PyArg_ParseTuple(args, "OiiiiiKpii:make_batch", &model, &nworld, &backend, &opt.threads, &opt.device,
                        &precision, &stream, &reset_bad, &opt.reset_key, &opt.first_world))
    return NULL;
  opt.backend = (ctBackend)backend;
  opt.precision = (ctPrecision)precision;
  opt.reset_bad = reset_bad != 0;
  opt.reset_to_key = opt.reset_key >= 0;
  opt.stream = (void*)(uintptr_t)stream;
  Block* block = block_of(state, model, KIND_MODEL);
  if (block && has_callbacks(block->m)) {
    PyErr_SetString(PyExc_ValueError,
                    "the worlds of a batch cannot call functions of Python: clear them with set_callbacks()");
    block_drop(block);
    return NULL;
  }
  Batch* batch = block ? (Batch*)PyType_GenericAlloc(state->batch_type, 0) : NULL;
  if (!batch) {
    block_drop(block);
    return NULL;
  }
  batch->model = block;  // the batch's reference from here on
  batch->stream = stream;
  WORK(ct_batch_create(&batch->b, block->m, nworld, &opt, &err));
  if (status != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(batch);
  }
  return (PyObject*)batch;
}

// ---- work -------------------------------------------------------------------------------------------------

// Many steps on the CPU are taken in pieces, so that an interrupt is heard.
static ctStatus step_piece(Batch* batch, long* left, int* piece, ctError* err) {
  int n = *left < *piece ? (int)*left : *piece;
  double began = ct_clock();
  ctStatus status = ct_batch_step(batch->b, n, err);
  *left -= n;
  if (ct_clock() - began < 0.025 && *piece < INT32_MAX / 2) *piece *= 2;
  return status;
}

static PyObject* step(PyObject* self, PyObject* arg) {
  Batch* batch = batch_of(self);
  long left = batch ? PyLong_AsLong(arg) : -1;
  if (left < 0 || left > INT32_MAX) {
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "n must be 0 to %d, got %ld", INT32_MAX, left);
    return NULL;
  }
  ctBatchInfo info;
  ct_batch_info(batch->b, &info);
  int piece = info.backend == CT_BACKEND_CPU ? 1 : INT32_MAX;
  PyObject* result = Py_NewRef(Py_None);
  do {
    Py_DECREF(result);
    WORK(step_piece(batch, &left, &piece, &err));
    result = PyErr_CheckSignals() < 0 ? NULL : result_of(batch, status, &err);
  } while (result && left > 0);
  return result;
}

#define SIMPLE(name, call)                                  \
  static PyObject* name(PyObject* self, PyObject* unused) { \
    (void)unused;                                           \
    Batch* batch = batch_of(self);                          \
    if (!batch) return NULL;                                \
    WORK(call(batch->b, &err));                             \
    return result_of(batch, status, &err);                  \
  }
SIMPLE(forward, ct_batch_forward)
SIMPLE(synchronize, ct_batch_sync)

// Arrays on a GPU would be left behind when memory moves there.
static bool may_move(const Batch* batch) {
  if (batch->lent == 0) return true;
  PyErr_Format(
      PyExc_BufferError,
      "%d arrays of outputs or model values on the GPU are in use: let go of them first, or register "
      "outputs and values before",
      batch->lent);
  return false;
}

static PyObject* update(PyObject* self, PyObject* unused) {
  (void)unused;
  Batch* batch = batch_of(self);
  if (!batch || !may_move(batch)) return NULL;
  WORK(ct_batch_update(batch->b, &err));
  return result_of(batch, status, &err);
}

#define NAMED(function, call)                                \
  static PyObject* function(PyObject* self, PyObject* arg) { \
    Batch* batch = batch_of(self);                           \
    const char* name = PyUnicode_AsUTF8AndSize(arg, NULL);   \
    if (!batch || !name || !may_move(batch)) return NULL;    \
    WORK(call(batch->b, name, &err));                        \
    return result_of(batch, status, &err);                   \
  }
NAMED(output, ct_batch_output)
NAMED(vary, ct_batch_vary)

// set_noise(on, seed)
static PyObject* set_noise(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  int on;
  unsigned seed;
  if (!batch || !PyArg_ParseTuple(args, "pI:set_noise", &on, &seed)) return NULL;
  WORK(ct_batch_set_noise(batch->b, on != 0, seed, &err));
  return result_of(batch, status, &err);
}

// rollout(nstep, controls or None, out): arrays of reals whose sizes are checked here.
static PyObject* rollout(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  int nstep;
  long long per_step;
  Py_buffer in, out;
  if (!batch || !PyArg_ParseTuple(args, "iLz*w*:rollout", &nstep, &per_step, &in, &out)) return NULL;
  PyObject* result = NULL;
  ctBatchInfo info;
  ct_batch_info(batch->b, &info);
  long long rows = (long long)info.nworld * nstep * (long long)sizeof(ctReal);
  if ((in.obj && in.len != rows * batch->model->m->nu) || out.len != rows * per_step) {
    PyErr_SetString(PyExc_ValueError, "rollout: arrays of another size");
  } else {
    WORK(ct_batch_rollout(batch->b, nstep, in.buf, out.len > 0 ? out.buf : NULL, &err));
    result = result_of(batch, status, &err);
  }
  PyBuffer_Release(&in);
  PyBuffer_Release(&out);
  return result;
}

// ---- worlds by number: ids are arrays of int32, or None ---------------------------------------------------

static PyObject* reset(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  Py_buffer ids;
  int key;
  if (!batch || !PyArg_ParseTuple(args, "z*i:reset", &ids, &key)) return NULL;
  WORK(ct_batch_reset(batch->b, ids.buf, (int)(ids.len / (Py_ssize_t)sizeof(int)), key, &err));
  PyBuffer_Release(&ids);
  return result_of(batch, status, &err);
}

// transfer(name, ids, values, write): `values` has a row for each id.
static PyObject* transfer(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  const char* name;
  Py_buffer ids, values;
  int write;
  if (!batch || !PyArg_ParseTuple(args, "sz*y*p:transfer", &name, &ids, &values, &write)) return NULL;
  PyObject* result = NULL;
  ctBatchInfo info;
  ct_batch_info(batch->b, &info);
  int n = ids.obj ? (int)(ids.len / (Py_ssize_t)sizeof(int)) : info.nworld, width;
  width = ct_batch_width(batch->b, name);
  if (width >= 0 && values.len != (Py_ssize_t)sizeof(ctReal) * n * width) {
    PyErr_Format(PyExc_ValueError, "%s: expected %d x %d numbers", name, n, width);
  } else if (!write && values.readonly) {
    PyErr_SetString(PyExc_ValueError, "the array cannot be written to");
  } else {
    WORK(write ? ct_batch_set(batch->b, name, ids.buf, n, values.buf, &err)
               : ct_batch_get(batch->b, name, ids.buf, n, values.buf, &err));
    result = result_of(batch, status, &err);
  }
  PyBuffer_Release(&ids);
  PyBuffer_Release(&values);
  return result;
}

// ---- what it says about itself ----------------------------------------------------------------------------

static PyObject* info(PyObject* self, PyObject* unused) {
  (void)unused;
  ctBatchInfo i;
  Batch* batch = (Batch*)self;
  ct_batch_info(batch->b, &i);
  return Py_BuildValue("iiiiinns", (int)i.backend, i.nworld, i.threads, i.device, i.real_bytes,
                       (Py_ssize_t)i.bytes_per_world, (Py_ssize_t)i.bytes, i.device_name);
}

// (seconds and number of every timer as a dict, lanes, processors, resident, hertz, step_bytes, array_bytes,
// arena_bytes)
static PyObject* profile(PyObject* self, PyObject* arg) {
#define X(id, text) text,
  static const char* const names[] = {CT_TIMER_LIST(X)};
#undef X
  Batch* batch = batch_of(self);
  long n = batch ? PyLong_AsLong(arg) : -1;
  if (n < 0 || n > INT32_MAX) {
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "n must be 0 to %d, got %ld", INT32_MAX, n);
    return NULL;
  }
  ctBatchProfile p;
  WORK(ct_batch_profile(batch->b, (int)n, &p, &err));
  PyObject* done = result_of(batch, status, &err);
  PyObject* timers = done ? PyDict_New() : NULL;
  Py_XDECREF(done);
  for (int t = 0; timers && t < CT_TIMER_COUNT; t++) {
    PyObject* pair = Py_BuildValue("dL", p.timer[t].duration, (long long)p.timer[t].number);
    if (!pair || PyDict_SetItemString(timers, names[t], pair) < 0) Py_CLEAR(timers);
    Py_XDECREF(pair);
  }
  return timers
             ? Py_BuildValue("Niiidnnn", timers, p.lanes, p.processors, p.resident, p.hertz,
                             (Py_ssize_t)p.step_bytes, (Py_ssize_t)p.array_bytes, (Py_ssize_t)p.arena_bytes)
             : NULL;
}

// Shape of a field in one world: that of the data or the model; () for numbers, None for unknown names.
static PyObject* shape(PyObject* self, PyObject* arg) {
  Batch* batch = (Batch*)self;
  const char* name = PyUnicode_AsUTF8AndSize(arg, NULL);
  if (!name) return NULL;
  int width = ct_batch_width(batch->b, name);
  ctField f;
  if (width < 0) return Py_NewRef(Py_None);
  if (!batch->shapes && ct_data_create(&batch->shapes, batch->model->m, NULL) != CT_OK)
    return PyErr_NoMemory();
  bool known = ct_data_field(batch->model->m, batch->shapes, name, &f) == CT_OK ||
               ct_model_field(batch->model->m, name, &f) == CT_OK;
  if (known && f.ndim == 0) return PyTuple_New(0);
  if (!known || f.ndim == 1) return Py_BuildValue("(i)", width);
  return Py_BuildValue("(LL)", f.cols > 0 ? width / (long long)f.cols : 0, (long long)f.cols);
}

// Reports cannot be had from a GPU that is lost: waiting for it tells why.
static PyObject* raise_lost(Batch* batch) {
  WORK(ct_batch_sync(batch->b, &err));
  return err.message[0] ? raise_error(state_of(batch), &err) : raise_status(state_of(batch), "batch", status);
}

static PyObject* status_bytes(PyObject* self, PyObject* unused) {
  (void)unused;
  Batch* batch = batch_of(self);
  if (!batch) return NULL;
  ctBatchInfo i;
  ct_batch_info(batch->b, &i);
  const int* status = ct_batch_status(batch->b);
  if (!status) return raise_lost(batch);
  return PyBytes_FromStringAndSize((const char*)status, (Py_ssize_t)sizeof(int) * i.nworld);
}

static PyObject* warning_bytes(PyObject* self, PyObject* unused) {
  (void)unused;
  Batch* batch = batch_of(self);
  if (!batch) return NULL;
  ctBatchInfo i;
  ct_batch_info(batch->b, &i);
  const ctWarningStat* all = ct_batch_warnings(batch->b, 0);
  if (!all) return raise_lost(batch);
  return PyBytes_FromStringAndSize((const char*)all,
                                   (Py_ssize_t)sizeof(ctWarningStat) * CT_WARN_COUNT * i.nworld);
}

static PyObject* save(PyObject* self, PyObject* unused) {
  (void)unused;
  Batch* batch = batch_of(self);
  if (!batch) return NULL;
  size_t size = ct_batch_save_bytes(batch->b, NULL, 0);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes && ct_batch_save_bytes(batch->b, PyBytes_AsString(bytes), size) == 0) {
    Py_DECREF(bytes);
    return raise_lost(batch);
  }
  return bytes;
}

static PyObject* restore(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  Py_buffer bytes;
  if (!batch || !PyArg_ParseTuple(args, "y*:restore", &bytes)) return NULL;
  WORK(ct_batch_load_bytes(batch->b, bytes.buf, (size_t)bytes.len, &err));
  PyBuffer_Release(&bytes);
  return result_of(batch, status, &err);
}

static PyObject* save_worlds(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  int first, count;
  if (!batch || !PyArg_ParseTuple(args, "ii:save_worlds", &first, &count)) return NULL;
  size_t size = ct_batch_save_worlds(batch->b, first, count, NULL, 0);
  if (size == 0 && count != 0) {
    PyErr_Format(PyExc_IndexError, "there are no %d worlds from %d on", count, first);
    return NULL;
  }
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes && size && ct_batch_save_worlds(batch->b, first, count, PyBytes_AsString(bytes), size) == 0) {
    Py_DECREF(bytes);
    return raise_lost(batch);
  }
  return bytes;
}

static PyObject* load_worlds(PyObject* self, PyObject* args) {
  Batch* batch = batch_of(self);
  Py_buffer bytes;
  int first, count;
  if (!batch || !PyArg_ParseTuple(args, "iiy*:load_worlds", &first, &count, &bytes)) return NULL;
  WORK(ct_batch_load_worlds(batch->b, first, count, bytes.buf, (size_t)bytes.len, &err));
  PyBuffer_Release(&bytes);
  return result_of(batch, status, &err);
}

static PyObject* hash_worlds(PyObject* self, PyObject* unused) {
  (void)unused;
  Batch* batch = batch_of(self);
  if (!batch) return NULL;
  uint64_t hash = 0;
  WORK(ct_batch_hash(batch->b, &hash, &err));
  PyObject* none = result_of(batch, status, &err);
  if (!none) return NULL;
  Py_DECREF(none);
  return PyLong_FromUnsignedLongLong(hash);
}

static PyMethodDef methods[] = {
    {"step", step, METH_O, "step(n)"},
    {"forward", forward, METH_NOARGS, "forward()"},
    {"sync", synchronize, METH_NOARGS, "sync()"},
    {"update", update, METH_NOARGS, "update()"},
    {"output", output, METH_O, "output(name)"},
    {"vary", vary, METH_O, "vary(name)"},
    {"set_noise", set_noise, METH_VARARGS, "set_noise(on, seed)"},
    {"rollout", rollout, METH_VARARGS, "rollout(nstep, numbers a step, controls or None, out)"},
    {"reset", reset, METH_VARARGS, "reset(ids or None, key)"},
    {"transfer", transfer, METH_VARARGS, "transfer(name, ids or None, values, write)"},
    {"info", info, METH_NOARGS, "info() -> tuple"},
    {"profile", profile, METH_O, "profile(n) -> tuple"},
    {"shape", shape, METH_O, "shape(name) -> tuple or None"},
    {"status", status_bytes, METH_NOARGS, "status() -> bytes"},
    {"warnings", warning_bytes, METH_NOARGS, "warnings() -> bytes"},
    {"save", save, METH_NOARGS, "save() -> bytes"},
    {"restore", restore, METH_VARARGS, "restore(bytes)"},
    {"save_worlds", save_worlds, METH_VARARGS, "save_worlds(first, count) -> bytes"},
    {"load_worlds", load_worlds, METH_VARARGS, "load_worlds(first, count, bytes)"},
    {"hash", hash_worlds, METH_NOARGS, "hash() -> int"},
    {"array", batch_array, METH_VARARGS, "array(name, shape, moves) -> BatchArray"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, batch_dealloc}, {Py_tp_methods, methods}, {0, NULL}};

PyType_Spec batch_spec = {
    .name = "corten._core.Batch",
    .basicsize = sizeof(Batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

static PyMethodDef batch_methods[] = {
    {"make_batch", make_batch, METH_VARARGS,
     "make_batch(model, nworld, backend, threads, device, precision, stream, reset_bad, reset_key, "
     "first_world) -> Batch"},
    {NULL, NULL, 0, NULL},
};

bool batch_init(PyObject* module) {
#define X(id, text, bit) (CT_STATE_INTEGRATION & 1u << (bit)) ? (text) : NULL,
  static const char* const names[] = {CT_STATE_LIST(X)};
#undef X
  PyObject* list = PyList_New(0);
  bool ok = list && PyModule_AddFunctions(module, batch_methods) == 0;
  for (size_t i = 0; ok && i < sizeof(names) / sizeof(names[0]); i++) {
    PyObject* name = names[i] ? PyUnicode_FromString(names[i]) : NULL;
    ok = !names[i] || (name && PyList_Append(list, name) == 0);
    Py_XDECREF(name);
  }
  ok = ok && PyModule_AddObjectRef(module, "state_names", list) == 0;
  Py_XDECREF(list);
  return ok;
}
