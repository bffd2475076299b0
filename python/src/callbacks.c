// Functions of the user in Python: C functions in model->user that call those kept in the model's dictionary.
// While a call works on a data, data->user points to the Call, which knows the Python objects.
#include "core.h"

// The first exception stays, to be raised when the call is over; nothing more is called until then.
static void keep_exception(Call* call) {
  PyErr_Fetch(&call->raised[0], &call->raised[1], &call->raised[2]);
}

bool call_raise(Call* call) {
  if (!call->raised[0]) return false;
  PyErr_Restore(call->raised[0], call->raised[1], call->raised[2]);
  call->raised[0] = call->raised[1] = call->raised[2] = NULL;  // taken over
  return true;
}

// What the function of a kind returns, NULL with an exception.
static PyObject* answer(Call* call, const char* kind, int id) {
  PyObject* functions = PyObject_GetAttrString(call->model_object, "_callbacks");
  PyObject* function = functions ? PyMapping_GetItemString(functions, kind) : NULL;
  PyObject* result =
      function ? PyObject_CallFunction(function, "OOi", call->model_object, call->data_object, id) : NULL;
  Py_XDECREF(function);
  Py_XDECREF(functions);
  return result;
}

// One number, or a sequence of them.
static bool take_numbers(PyObject* value, const char* kind, int id, ctReal* out, int count) {
  Py_ssize_t length = PySequence_Check(value) ? PySequence_Size(value) : -1;
  bool plain = length < 0;  // an array without dimensions, too
  if (plain) PyErr_Clear();
  if ((plain ? 1 : length) != count) {
    PyErr_Format(PyExc_ValueError, "the %s callback gave %zd numbers for id %d, which has %d", kind,
                 plain ? 1 : length, id, count);
    return false;
  }
  for (int i = 0; i < count; i++) {
    PyObject* item = plain ? Py_NewRef(value) : PySequence_GetItem(value, i);
    double number = item ? PyFloat_AsDouble(item) : -1;
    Py_XDECREF(item);
    if (number == -1 && PyErr_Occurred()) return false;
    out[i] = (ctReal)number;
  }
  return true;
}

static void ask_user(const ctData* d, const char* kind, int id, ctReal* out, int count) {
  Call* call = d->user;
  if (!call || call->raised[0]) return;
  PyGILState_STATE gil = PyGILState_Ensure();
  call->data->reader = PyThread_get_thread_ident();
  PyObject* value = answer(call, kind, id);
  if (!value || !take_numbers(value, kind, id, out, count)) keep_exception(call);
  Py_XDECREF(value);
  call->data->reader = 0;
  PyGILState_Release(gil);
}

static void user_sensor(void* context, const ctModel* m, const ctData* d, int sensor, ctReal* out) {
  (void)context;
  ask_user(d, "sensor", sensor, out, m->sensor_dim[sensor]);
}

static void user_dyn(void* context, const ctModel* m, const ctData* d, int actuator, ctReal* act_dot) {
  (void)context;
  ask_user(d, "dyn", actuator, act_dot, m->actuator_actnum[actuator]);
}

static ctReal user_gain(void* context, const ctModel* m, const ctData* d, int actuator) {
  (void)context;
  (void)m;
  ctReal gain = 1;
  ask_user(d, "gain", actuator, &gain, 1);
  return gain;
}

static ctReal user_bias(void* context, const ctModel* m, const ctData* d, int actuator) {
  (void)context;
  (void)m;
  ctReal bias = 0;
  ask_user(d, "bias", actuator, &bias, 1);
  return bias;
}

bool has_callbacks(const ctModel* m) {
  return m->user.sensor || m->user.dyn || m->user.gain || m->user.bias;
}

// Which kinds have a function.
static PyObject* enable_callbacks(PyObject* module, PyObject* args) {
  PyObject* model;
  int sensor, dyn, gain, bias;
  if (!PyArg_ParseTuple(args, "Opppp:enable_callbacks", &model, &sensor, &dyn, &gain, &bias)) return NULL;
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  block->m->user = (ctCallbacks){.sensor = sensor ? user_sensor : NULL,
                                 .dyn = dyn ? user_dyn : NULL,
                                 .gain = gain ? user_gain : NULL,
                                 .bias = bias ? user_bias : NULL};
  block_drop(block);
  return Py_NewRef(Py_None);
}

PyMethodDef callback_methods[] = {
    {"enable_callbacks", enable_callbacks, METH_VARARGS, "enable_callbacks(model, sensor, dyn, gain, bias)"},
    {NULL, NULL, 0, NULL},
};
