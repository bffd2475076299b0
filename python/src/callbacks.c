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

// The function of a kind, NULL with an exception.
static PyObject* function_of(Call* call, const char* kind) {
  PyObject* functions = PyObject_GetAttrString(call->model_object, "_callbacks");
  PyObject* function = functions ? PyMapping_GetItemString(functions, kind) : NULL;
  Py_XDECREF(functions);
  return function;
}

// What it returns for an object, NULL with an exception.
static PyObject* answer(Call* call, const char* kind, int id) {
  PyObject* function = function_of(call, kind);
  PyObject* result =
      function ? PyObject_CallFunction(function, "OOi", call->model_object, call->data_object, id) : NULL;
  Py_XDECREF(function);
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

// A function of model and data that writes inputs; it may also call functions on the data.
static void run_user(const ctData* d, const char* kind) {
  Call* call = d->user;
  if (!call || call->raised[0]) return;
  PyGILState_STATE gil = PyGILState_Ensure();
  call->data->reader = PyThread_get_thread_ident();
  call->data->open = true;
  PyObject* function = function_of(call, kind);
  PyObject* result =
      function ? PyObject_CallFunction(function, "OO", call->model_object, call->data_object) : NULL;
  if (!result) keep_exception(call);
  Py_XDECREF(result);
  Py_XDECREF(function);
  call->data->open = false;
  call->data->reader = 0;
  PyGILState_Release(gil);
}

static void user_control(void* context, const ctModel* m, ctData* d) {
  (void)context;
  (void)m;
  run_user(d, "control");
}

static void user_passive(void* context, const ctModel* m, ctData* d) {
  (void)context;
  (void)m;
  run_user(d, "passive");
}

// An exception lets the geoms touch, as without a function.
static bool user_contact_filter(void* context, const ctModel* m, const ctData* d, int geom1, int geom2) {
  (void)context;
  (void)m;
  Call* call = d->user;
  if (!call || call->raised[0]) return false;
  PyGILState_STATE gil = PyGILState_Ensure();
  call->data->reader = PyThread_get_thread_ident();
  PyObject* function = function_of(call, "contact_filter");
  PyObject* result =
      function ? PyObject_CallFunction(function, "OOii", call->model_object, call->data_object, geom1, geom2)
               : NULL;
  int pass = result ? PyObject_IsTrue(result) : -1;
  if (pass < 0) keep_exception(call);
  Py_XDECREF(result);
  Py_XDECREF(function);
  call->data->reader = 0;
  PyGILState_Release(gil);
  return pass > 0;
}

bool has_callbacks(const ctModel* m) {
  return m->user.sensor || m->user.dyn || m->user.gain || m->user.bias || m->user.control ||
         m->user.passive || m->user.contact_filter;
}

// Which kinds have a function.
static PyObject* enable_callbacks(PyObject* module, PyObject* args) {
  PyObject* model;
  int sensor, dyn, gain, bias, control, passive, filter;
  if (!PyArg_ParseTuple(args, "Oppppppp:enable_callbacks", &model, &sensor, &dyn, &gain, &bias, &control,
                        &passive, &filter)) {
    return NULL;
  }
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  block->m->user = (ctCallbacks){.sensor = sensor ? user_sensor : NULL,
                                 .dyn = dyn ? user_dyn : NULL,
                                 .gain = gain ? user_gain : NULL,
                                 .bias = bias ? user_bias : NULL,
                                 .control = control ? user_control : NULL,
                                 .passive = passive ? user_passive : NULL,
                                 .contact_filter = filter ? user_contact_filter : NULL};
  block_drop(block);
  return Py_NewRef(Py_None);
}

PyMethodDef callback_methods[] = {
    {"enable_callbacks", enable_callbacks, METH_VARARGS,
     "enable_callbacks(model, sensor, dyn, gain, bias, control, passive, contact_filter)"},
    {NULL, NULL, 0, NULL},
};
