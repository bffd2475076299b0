// States as bytes, text, histories, noise, and what needs only a model.
#include <stdlib.h>

#include "core.h"

static PyObject* done(const State* state, const char* call, ctStatus status) {
  return status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, call, status);
}

// ---- states as bytes

static PyObject* save_state(PyObject* module, PyObject* args) {
  PyObject *model, *data;
  Call call;
  if (!PyArg_ParseTuple(args, "OO:save_state", &model, &data)) return NULL;
  if (!call_begin(&call, PyModule_GetState(module), model, data)) return NULL;
  size_t size = ct_data_save_bytes(call.m, call.d, NULL, 0);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes) ct_data_save_bytes(call.m, call.d, PyBytes_AsString(bytes), size);
  call_end(&call);
  return bytes;
}

static PyObject* save_state_file(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *path, *result = NULL;
  Call call;
  if (!PyArg_ParseTuple(args, "OOO&:save_state_file", &model, &data, PyUnicode_FSConverter, &path))
    return NULL;
  if (call_begin(&call, state, model, data)) {
    ctError err = {0};
    ctStatus status = ct_data_save(call.m, call.d, PyBytes_AsString(path), &err);
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
    call_end(&call);
  }
  Py_DECREF(path);
  return result;
}

static PyObject* load_state(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer bytes;
  Call call;
  if (!PyArg_ParseTuple(args, "OOy*:load_state", &model, &data, &bytes)) return NULL;
  if (call_begin(&call, state, model, data)) {
    ctError err = {0};
    ctStatus status = ct_data_load_bytes(call.m, call.d, bytes.buf, (size_t)bytes.len, &err);
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
    call_end(&call);
  }
  PyBuffer_Release(&bytes);
  return result;
}

static PyObject* copy_state(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *to, *from;
  int which;
  Call call;
  if (!PyArg_ParseTuple(args, "OOOi:copy_state", &model, &to, &from, &which)) return NULL;
  Block* source = block_of(state, from, KIND_DATA);
  if (!source) return NULL;
  PyObject* result = NULL;
  if (block_is_idle(source) && call_begin(&call, state, model, to)) {
    result = done(state, "copy_state", ct_data_copy_state(call.m, source->d, call.d, (unsigned)which));
    call_end(&call);
  }
  block_drop(source);
  return result;
}

static PyObject* extract_state(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *result = NULL;
  Py_buffer from, to;
  int from_which, to_which;
  if (!PyArg_ParseTuple(args, "Oy*iw*i:extract_state", &model, &from, &from_which, &to, &to_which))
    return NULL;
  Block* block = block_of(state, model, KIND_MODEL);
  if (block) {
    const Py_ssize_t real = sizeof(ctReal);
    bool fits = from.len == real * ct_data_state_size(block->m, (unsigned)from_which) &&
                to.len == real * ct_data_state_size(block->m, (unsigned)to_which);
    ctStatus status =
        fits ? ct_state_extract(block->m, from.buf, (unsigned)from_which, to.buf, (unsigned)to_which)
             : CT_ERR_ARGUMENT;
    result = done(state, "extract_state", status);
  }
  block_drop(block);
  PyBuffer_Release(&from);
  PyBuffer_Release(&to);
  return result;
}

// ---- text

static PyObject* print_data(PyObject* module, PyObject* args) {
  PyObject *model, *data, *text = NULL;
  Call call;
  if (!PyArg_ParseTuple(args, "OO:print_data", &model, &data)) return NULL;
  if (!call_begin(&call, PyModule_GetState(module), model, data)) return NULL;
  size_t size = ct_data_print(call.m, call.d, NULL, 0) + 1;
  char* buffer = malloc(size);
  if (buffer) ct_data_print(call.m, call.d, buffer, size);
  call_end(&call);
  text = buffer ? PyUnicode_DecodeUTF8(buffer, (Py_ssize_t)size - 1, "replace") : PyErr_NoMemory();
  free(buffer);
  return text;
}

static PyObject* print_model(PyObject* module, PyObject* model) {
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  size_t size = ct_model_print(block->m, NULL, 0) + 1;
  char* buffer = malloc(size);
  if (buffer) ct_model_print(block->m, buffer, size);
  block_drop(block);
  PyObject* text = buffer ? PyUnicode_DecodeUTF8(buffer, (Py_ssize_t)size - 1, "replace") : PyErr_NoMemory();
  free(buffer);
  return text;
}

// ---- noise and histories

static PyObject* set_noise(PyObject* module, PyObject* args) {
  PyObject* data;
  int on;
  unsigned seed, world;
  if (!PyArg_ParseTuple(args, "OpII:set_noise", &data, &on, &seed, &world)) return NULL;
  Block* block = block_of(PyModule_GetState(module), data, KIND_DATA);
  bool ok = block && block_is_idle(block) && ct_data_set_noise(block->d, on != 0, seed, world) == CT_OK;
  block_drop(block);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject* get_noise(PyObject* module, PyObject* data) {
  Block* block = block_of(PyModule_GetState(module), data, KIND_DATA);
  if (!block) return NULL;
  const ctData* d = block->d;
  PyObject* noise = Py_BuildValue("NII", PyBool_FromLong(d->noise), d->noise_seed, d->noise_world);
  block_drop(block);
  return noise;
}

// Numbers a sample has, 0 with an exception when there is no such object.
static Py_ssize_t sample_size(const ctModel* m, bool sensor, int id) {
  if (id >= 0 && id < (sensor ? m->nsensor : m->nactuator))
    return sensor ? m->sensor_dim[id] : m->actuator_ctrlnum[id];
  PyErr_Format(PyExc_IndexError, "there is no %s %d", sensor ? "sensor" : "actuator", id);
  return 0;
}

static PyObject* read_history(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer out;
  int sensor, id, interp;
  double time;
  Call call;
  if (!PyArg_ParseTuple(args, "OOpidiw*:read_history", &model, &data, &sensor, &id, &time, &interp, &out))
    return NULL;
  if (call_begin(&call, state, model, data)) {
    Py_ssize_t n = sample_size(call.m, sensor, id);
    if (n > 0 && out.len == n * (Py_ssize_t)sizeof(ctReal)) {
      ctStatus status = sensor ? ct_data_get_sensor_at(call.m, call.d, id, (ctReal)time, interp, out.buf)
                               : ct_data_get_ctrl_at(call.m, call.d, id, (ctReal)time, interp, out.buf);
      result = done(state, "read_history", status);
    } else if (n > 0) {
      PyErr_Format(PyExc_ValueError, "expected room for %zd numbers", n);
    }
    call_end(&call);
  }
  PyBuffer_Release(&out);
  return result;
}

static PyObject* set_history(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer times, values;
  int sensor, id;
  double phase;
  Call call;
  if (!PyArg_ParseTuple(args, "OOpiz*y*d:set_history", &model, &data, &sensor, &id, &times, &values, &phase))
    return NULL;
  if (call_begin(&call, state, model, data)) {
    Py_ssize_t n = sample_size(call.m, sensor, id), real = sizeof(ctReal);
    Py_ssize_t rows = n > 0 ? (sensor ? call.m->sensor_history : call.m->actuator_history)[2 * id] : 0;
    if (n > 0 && values.len == rows * n * real && (!times.obj || times.len == rows * real)) {
      ctStatus status =
          sensor ? ct_data_set_sensor_history(call.m, call.d, id, times.buf, values.buf, (ctReal)phase)
                 : ct_data_set_ctrl_history(call.m, call.d, id, times.buf, values.buf);
      result = done(state, "set_history", status);
    } else if (n > 0) {
      PyErr_Format(PyExc_ValueError, "the history has %zd samples of %zd numbers", rows, n);
    }
    call_end(&call);
  }
  PyBuffer_Release(&times);
  PyBuffer_Release(&values);
  return result;
}

// ---- what needs a model only

static PyObject* total_mass(PyObject* module, PyObject* model) {
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  double mass = (double)ct_model_total_mass(block->m);
  block_drop(block);
  return PyFloat_FromDouble(mass);
}

static PyObject* set_total_mass(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject* model;
  double mass;
  if (!PyArg_ParseTuple(args, "Od:set_total_mass", &model, &mass)) return NULL;
  Block* block = block_of(state, model, KIND_MODEL);
  if (!block) return NULL;
  ctStatus status = ct_model_set_total_mass(block->m, (ctReal)mass);
  block_drop(block);
  return done(state, "set_total_mass", status);
}

// positions(model, what, a, b, c, dt): 0 c = velocity from a to b, 1 c moved by a, 2 c normalised
static PyObject* positions(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *result = NULL;
  Py_buffer a, b, c;
  int what;
  double dt;
  if (!PyArg_ParseTuple(args, "Oiz*z*w*d:positions", &model, &what, &a, &b, &c, &dt)) return NULL;
  Block* block = block_of(state, model, KIND_MODEL);
  if (block) {
    const ctModel* m = block->m;
    Py_ssize_t nq = m->nq * (Py_ssize_t)sizeof(ctReal), nv = m->nv * (Py_ssize_t)sizeof(ctReal);
    bool fits =
        what == 0 ? a.len == nq && b.len == nq && c.len == nv : c.len == nq && (what == 2 || a.len == nv);
    ctStatus status = CT_ERR_ARGUMENT;
    if (fits && what == 0) status = ct_pos_differentiate(m, a.buf, b.buf, (ctReal)dt, c.buf);
    if (fits && what == 1) status = ct_pos_integrate(m, a.buf, (ctReal)dt, c.buf);
    if (fits && what == 2) status = ct_pos_normalize(m, c.buf);
    result = done(state, "positions", status);
  }
  block_drop(block);
  PyBuffer_Release(&a);
  PyBuffer_Release(&b);
  PyBuffer_Release(&c);
  return result;
}

static PyObject* site_contains(PyObject* module, PyObject* args) {
  PyObject *model, *data;
  Py_buffer point;
  int site;
  bool known = false, inside = false;
  Call call;
  if (!PyArg_ParseTuple(args, "OOiy*:site_contains", &model, &data, &site, &point)) return NULL;
  bool fits = point.len == 3 * (Py_ssize_t)sizeof(ctReal);
  if (!fits) PyErr_SetString(PyExc_ValueError, "a point has 3 numbers");
  if (fits && call_begin(&call, PyModule_GetState(module), model, data)) {
    known = site >= 0 && site < call.m->nsite;
    inside = ct_site_contains(call.m, call.d, site, point.buf);
    call_end(&call);
    if (!known) PyErr_Format(PyExc_IndexError, "there is no site %d", site);
  }
  PyBuffer_Release(&point);
  return known ? PyBool_FromLong(inside) : NULL;
}

PyMethodDef state_methods[] = {
    {"save_state", save_state, METH_VARARGS, "save_state(model, data) -> bytes"},
    {"save_state_file", save_state_file, METH_VARARGS, "save_state_file(model, data, path)"},
    {"load_state", load_state, METH_VARARGS, "load_state(model, data, bytes)"},
    {"copy_state", copy_state, METH_VARARGS, "copy_state(model, to, from, which)"},
    {"extract_state", extract_state, METH_VARARGS, "extract_state(model, from, from_which, to, to_which)"},
    {"print_data", print_data, METH_VARARGS, "print_data(model, data) -> str"},
    {"print_model", print_model, METH_O, "print_model(model) -> str"},
    {"set_noise", set_noise, METH_VARARGS, "set_noise(data, on, seed, world)"},
    {"get_noise", get_noise, METH_O, "get_noise(data) -> (on, seed, world)"},
    {"read_history", read_history, METH_VARARGS, "read_history(model, data, sensor, id, time, interp, out)"},
    {"set_history", set_history, METH_VARARGS, "set_history(model, data, sensor, id, times, values, phase)"},
    {"total_mass", total_mass, METH_O, "total_mass(model) -> float"},
    {"set_total_mass", set_total_mass, METH_VARARGS, "set_total_mass(model, mass)"},
    {"positions", positions, METH_VARARGS, "positions(model, what, a, b, c, dt)"},
    {"site_contains", site_contains, METH_VARARGS, "site_contains(model, data, site, point) -> bool"},
    {NULL, NULL, 0, NULL},
};
