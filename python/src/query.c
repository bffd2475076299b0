// Names, state vectors, and questions about a state. Arrays come in as buffers of reals; the Python side
// makes them contiguous and of the right type, this side checks their sizes.
#include <math.h>

#include "core.h"

// ---- names ------------------------------------------------------------------------------------------------

static PyObject* name2id(PyObject* module, PyObject* args) {
  PyObject* model;
  int type;
  const char* name;
  if (!PyArg_ParseTuple(args, "Ois:name2id", &model, &type, &name)) return NULL;
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  PyObject* id = PyLong_FromLong(ct_model_name2id(block->m, (ctObjType)type, name));
  block_drop(block);
  return id;
}

static PyObject* id2name(PyObject* module, PyObject* args) {
  PyObject* model;
  int type, id;
  if (!PyArg_ParseTuple(args, "Oii:id2name", &model, &type, &id)) return NULL;
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  const char* name = ct_model_id2name(block->m, (ctObjType)type, id);
  PyObject* text = name ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
  block_drop(block);
  return text;
}

static PyObject* count(PyObject* module, PyObject* args) {
  PyObject* model;
  int type;
  if (!PyArg_ParseTuple(args, "Oi:count", &model, &type)) return NULL;
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  PyObject* number = PyLong_FromLong(ct_model_count(block->m, (ctObjType)type));
  block_drop(block);
  return number;
}

// ---- buffers of reals -------------------------------------------------------------------------------------

// Whether a buffer holds `reals` numbers; an exception if not.
static bool has_reals(const Py_buffer* buffer, long long reals, const char* name) {
  if (buffer->len == (Py_ssize_t)reals * (Py_ssize_t)sizeof(ctReal)) return true;
  PyErr_Format(PyExc_ValueError, "%s: expected %lld numbers, got %zd", name, reals,
               buffer->len / (Py_ssize_t)sizeof(ctReal));
  return false;
}

// The three numbers of an optional vector.
static bool has_vector(const Py_buffer* buffer, const char* name) {
  return !buffer->obj || has_reals(buffer, 3, name);
}

static PyObject* result_of(const State* state, const char* call, ctStatus status) {
  return status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, call, status);
}

// ---- state vectors ----------------------------------------------------------------------------------------

// Numbers in the chosen parts; -1 with an exception for unknown ones.
static int length_of(const ctModel* m, int which) {
  int length = ct_data_state_size(m, (unsigned)which);
  if (length < 0) PyErr_Format(PyExc_ValueError, "unknown bits in the state signature %d", which);
  return length;
}

static PyObject* state_size(PyObject* module, PyObject* args) {
  PyObject* model;
  int which;
  if (!PyArg_ParseTuple(args, "Oi:state_size", &model, &which)) return NULL;
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  int length = block ? length_of(block->m, which) : -1;
  block_drop(block);
  return length < 0 ? NULL : PyLong_FromLong(length);
}

// Which number of a state vector is not finite: "set_state: qvel[3] is nan".
static PyObject* raise_bad_number(const State* state, const ctModel* m, const ctReal* vector, int which) {
  static const struct {
    const char* name;
    int bit;
  } parts[] = {
#define X(id, text, bit) {text, bit},
      CT_STATE_LIST(X)
#undef X
  };
  for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
    if (!(which & 1 << parts[k].bit)) continue;
    int n = ct_data_state_size(m, 1u << parts[k].bit);
    for (int i = 0; i < n; i++) {
      double x = (double)vector[i];
      if (isfinite(x)) continue;
      ctError err = {.status = CT_ERR_INVALID};
      PyOS_snprintf(err.message, sizeof(err.message), "set_state: %s[%d] is %s, numbers must be finite",
                    parts[k].name, i,
                    isnan(x) ? "nan"
                    : x > 0  ? "inf"
                             : "-inf");
      return raise_error(state, &err);
    }
    vector += n;
  }
  return raise_status(state, "set_state", CT_ERR_INVALID);
}

// Either way between a data and a state vector.
static PyObject* move_state(PyObject* module, PyObject* args, bool get) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer vector;
  int which;
  Call call;
  if (!PyArg_ParseTuple(args, get ? "OOw*i:get_state" : "OOy*i:set_state", &model, &data, &vector, &which))
    return NULL;
  if (call_begin(&call, state, model, data)) {
    int length = length_of(call.m, which);
    if (length >= 0 && has_reals(&vector, length, "state")) {
      ctStatus status = get ? ct_data_get_state(call.m, call.d, vector.buf, (unsigned)which)
                            : ct_data_set_state(call.m, call.d, vector.buf, (unsigned)which);
      result = status == CT_ERR_INVALID ? raise_bad_number(state, call.m, vector.buf, which)
                                        : result_of(state, get ? "get_state" : "set_state", status);
    }
    call_end(&call);
  }
  PyBuffer_Release(&vector);
  return result;
}

static PyObject* get_state(PyObject* module, PyObject* args) {
  return move_state(module, args, true);
}

static PyObject* set_state(PyObject* module, PyObject* args) {
  return move_state(module, args, false);
}

// ---- dynamics ---------------------------------------------------------------------------------------------

static PyObject* full_mass(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer out;
  Call call;
  if (!PyArg_ParseTuple(args, "OOw*:full_mass", &model, &data, &out)) return NULL;
  if (call_begin(&call, state, model, data)) {
    if (has_reals(&out, (long long)call.m->nv * call.m->nv, "out")) {
      result = result_of(state, "full_mass", ct_mass_full(call.m, call.d, out.buf));
    }
    call_end(&call);
  }
  PyBuffer_Release(&out);
  return result;
}

static PyObject* energy(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data;
  Call call;
  if (!PyArg_ParseTuple(args, "OO:energy", &model, &data)) return NULL;
  if (!call_begin(&call, state, model, data)) return NULL;
  ctStatus status = ct_energy_compute(call.m, call.d);
  double potential = (double)call.d->energy[0], kinetic = (double)call.d->energy[1];
  call_end(&call);
  return status == CT_OK ? Py_BuildValue("dd", potential, kinetic) : raise_status(state, "energy", status);
}

static PyObject* apply_force(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer force, torque, point, qfrc;
  int body;
  Call call;
  if (!PyArg_ParseTuple(args, "OOz*z*y*iw*:apply_force", &model, &data, &force, &torque, &point, &body,
                        &qfrc)) {
    return NULL;
  }
  if (call_begin(&call, state, model, data)) {
    if (has_vector(&force, "force") && has_vector(&torque, "torque") && has_reals(&point, 3, "point") &&
        has_reals(&qfrc, call.m->nv, "qfrc")) {
      ctStatus status = ct_force_apply(call.m, call.d, force.buf, torque.buf, point.buf, body, qfrc.buf);
      result = result_of(state, "apply_force", status);
    }
    call_end(&call);
  }
  Py_buffer* const taken[] = {&force, &torque, &point, &qfrc};
  for (int i = 0; i < 4; i++) PyBuffer_Release(taken[i]);
  return result;
}

PyMethodDef query_methods[] = {
    {"name2id", name2id, METH_VARARGS, "name2id(model, type, name) -> int"},
    {"id2name", id2name, METH_VARARGS, "id2name(model, type, id) -> str | None"},
    {"count", count, METH_VARARGS, "count(model, type) -> int"},
    {"state_size", state_size, METH_VARARGS, "state_size(model, which) -> int"},
    {"get_state", get_state, METH_VARARGS, "get_state(model, data, out, which)"},
    {"set_state", set_state, METH_VARARGS, "set_state(model, data, state, which)"},
    {"full_mass", full_mass, METH_VARARGS, "full_mass(model, data, out)"},
    {"energy", energy, METH_VARARGS, "energy(model, data) -> (potential, kinetic)"},
    {"apply_force", apply_force, METH_VARARGS, "apply_force(model, data, force, torque, point, body, qfrc)"},
    {NULL, NULL, 0, NULL},
};
