// Running a simulation. Every call here works without the GIL.
#include "core.h"

// A step that met trouble was completed, and counted it in data.warning; only errors raise. Trouble is kept
// as the status of the data, and the first of its life is a Python warning.
static bool failed(ctStatus status) {
  return status != CT_OK && status < CT_STEP_DIVERGED;
}

// "simulation diverged: bad number in qacc, 50 times (last at index 3); the state was reset"
static void describe(char* out, size_t size, const Call* call, ctStatus trouble) {
  static const char* const texts[] = {
#define X(id, text) text,
      CT_WARNING_LIST(X)
#undef X
  };
  size_t n = (size_t)PyOS_snprintf(out, size, "%s", ct_status_text(trouble));
  const char* link = ":";
  for (int i = 0; i < CT_WARN_COUNT && n < size; i++) {
    const ctWarningStat* seen = &call->d->warning[i];
    if (seen->number == 0) continue;
    n += (size_t)PyOS_snprintf(out + n, size - n, "%s %s, %d time%s (last at index %d)", link, texts[i],
                               seen->number, seen->number == 1 ? "" : "s", seen->lastinfo);
    link = ",";
  }
  bool reset = trouble == CT_STEP_DIVERGED && !(call->m->opt.disableflags & CT_DSBL_AUTORESET);
  if (n < size) PyOS_snprintf(out + n, size - n, "%s", reset ? "; the state was reset" : "");
}

// Keep the first trouble. True when it is to be issued as a warning, with the text of that.
static bool hear(const Call* call, ctStatus trouble, char* text, size_t size) {
  Block* data = call->data;
  if (trouble < CT_STEP_DIVERGED) return false;
  if (data->trouble == CT_OK) data->trouble = trouble;
  if (data->warned) return false;
  data->warned = true;
  describe(text, size, call, trouble);
  return true;
}

// What a call has counted, to be told to the user's function.
typedef struct Told {
  int kind, info;
} Told;

static int list_told(Told* told, const Call* call) {
  int n = 0;
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    const ctWarningStat* seen = &call->d->warning[i];
    if (seen->number > call->before[i]) told[n++] = (Told){i, seen->lastinfo};
  }
  return n;
}

static bool tell(const State* state, const Told* told, int n, double time) {
  for (int i = 0; i < n; i++) {
    PyObject* result = PyObject_CallFunction(state->hears, "iid", told[i].kind, told[i].info, time);
    if (!result) return false;
    Py_DECREF(result);
  }
  return true;
}

// The end of a call, and what it gives. The warning comes last: what it runs may use the data.
PyObject* finish_call(Call* call, const State* state, const char* name, ctStatus status) {
  char text[1024];
  Told told[CT_WARN_COUNT];
  const bool raised = call_raise(call), warn = hear(call, status, text, sizeof(text));
  const int n = state->hears ? list_told(told, call) : 0;
  const double time = (double)call->d->time;
  call_end(call);
  if (raised) return NULL;
  if (state->hears ? !tell(state, told, n, time) : warn && PyErr_WarnEx(state->warning, text, 1) < 0)
    return NULL;
  return failed(status) ? raise_status(state, name, status) : Py_NewRef(Py_None);
}

static PyObject* run(PyObject* module, PyObject* const* args, Py_ssize_t nargs, const char* name,
                     ctStatus (*stage)(const ctModel*, ctData*)) {
  const State* state = PyModule_GetState(module);
  Call call;
  if (nargs != 2)
    return PyErr_Format(PyExc_TypeError, "%s(model, data) takes 2 arguments, got %zd", name, nargs);
  if (!call_begin(&call, state, args[0], args[1])) return NULL;
  ctStatus status;
  Py_BEGIN_ALLOW_THREADS status = stage(call.m, call.d);
  Py_END_ALLOW_THREADS return finish_call(&call, state, name, status);
}

// X(name in Python, function, one line)
#define STAGE_LIST(X)                                                                                   \
  X(forward, ct_forward, "Compute everything of the current state, as a step does, without advancing.") \
  X(inverse, ct_inverse, "From qpos, qvel and qacc to the force qfrc_inverse that explains them.")      \
  X(step1, ct_step1, "First half of a step: everything that does not depend on the inputs.")            \
  X(step2, ct_step2, "Second half of a step: forces, accelerations, integration.")                      \
  X(forward_position, ct_forward_position, "First stage of forward(): all that depends on qpos only.")  \
  X(forward_velocity, ct_forward_velocity, "Second stage of forward(): all that depends on qvel too.")  \
  X(forward_actuation, ct_forward_actuation, "Third stage of forward(): actuator forces.")              \
  X(forward_acceleration, ct_forward_acceleration,                                                      \
    "Fourth stage of forward(): acceleration without constraints.")                                     \
  X(forward_constraint, ct_forward_constraint, "Fifth stage of forward(): constraint forces.")

#define X(name, function, text)                                                      \
  static PyObject* name(PyObject* module, PyObject* const* args, Py_ssize_t nargs) { \
    return run(module, args, nargs, #name, function);                                \
  }
STAGE_LIST(X)
#undef X

// run_part(model, data, part)
static PyObject* run_part(PyObject* module, PyObject* const* args, Py_ssize_t nargs) {
  const State* state = PyModule_GetState(module);
  Call call;
  if (nargs != 3)
    return PyErr_Format(PyExc_TypeError, "run_part(model, data, part) takes 3 arguments, got %zd", nargs);
  long part = PyLong_AsLong(args[2]);
  if (part == -1 && PyErr_Occurred()) return NULL;
  if (part < 0 || part >= CT_PART_COUNT) return PyErr_Format(PyExc_ValueError, "there is no part %ld", part);
  if (!call_begin(&call, state, args[0], args[1])) return NULL;
  ctStatus status;
  Py_BEGIN_ALLOW_THREADS status = ct_part_run(call.m, call.d, (ctPart)part);
  Py_END_ALLOW_THREADS return finish_call(&call, state, "run_part", status);
}

static PyObject* reset(PyObject* module, PyObject* const* args, Py_ssize_t nargs) {
  PyObject* result = run(module, args, nargs, "reset", ct_data_reset);
  Block* block = result ? block_of(PyModule_GetState(module), args[1], KIND_DATA) : NULL;
  if (block) block->trouble = CT_OK;
  block_drop(block);
  return result;
}

// Step until done or until the signals (an interrupt, say) should be looked at, in runs that double while
// they are short: within a run nobody looks at what sleeps. Returns the steps left; the status is that of the
// first step in trouble, or of the one that failed.
static long step_a_while(Call* call, long left, ctStatus* status) {
  const double pause = 0.05, start = ct_clock();
  const bool asked = has_callbacks(call->m);
  for (long run = 1, n; left > 0; left -= n) {
    n = run < left ? run : left;
    ctStatus now = ct_step_n(call->m, call->d, (int)n);
    if (*status == CT_OK || failed(now)) *status = now;
    if (failed(*status) || call->raised[0]) break;
    double spent = ct_clock() - start;
    if (spent > pause) return left - n;
    // a function of the user's may raise: then the steps end with that one
    if (!asked && 4 * spent < pause && run < 1 << 20) run *= 2;
  }
  return left;
}

// The optional third argument of step(), by position or by name; -1 with an exception when there is something
// wrong.
static long take_nstep(PyObject* const* args, Py_ssize_t nargs, PyObject* names) {
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  bool by_name = named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "nstep") == 0;
  if (nargs < 2 || nargs + named > 3 || (named > 0 && !by_name)) {
    PyErr_SetString(PyExc_TypeError, "expected step(model, data, nstep=1)");
    return -1;
  }
  if (nargs + named == 2) return 1;
  long nstep = PyLong_AsLong(args[2]);
  if (nstep < 0 && !PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "nstep must not be negative, got %ld", nstep);
  return nstep < 0 ? -1 : nstep;
}

static PyObject* step(PyObject* module, PyObject* const* args, Py_ssize_t nargs, PyObject* names) {
  const State* state = PyModule_GetState(module);
  long left = take_nstep(args, nargs, names);
  Call call;
  if (left < 0 || !call_begin(&call, state, args[0], args[1])) return NULL;
  ctStatus status = CT_OK;
  while (left > 0 && !failed(status) && !call.raised[0]) {
    Py_BEGIN_ALLOW_THREADS left = step_a_while(&call, left, &status);
    Py_END_ALLOW_THREADS if (!call.raised[0] && PyErr_CheckSignals() < 0) {
      call_end(&call);
      return NULL;
    }
  }
  return finish_call(&call, state, "step", status);
}

static PyObject* wake(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data;
  int tree;
  Call call;
  if (!PyArg_ParseTuple(args, "OOi:wake", &model, &data, &tree)) return NULL;
  if (!call_begin(&call, state, model, data)) return NULL;
  return finish_call(&call, state, "wake", ct_tree_wake(call.m, call.d, tree));
}

// sleep(model, data, trees): an array of ints
static PyObject* put_to_sleep(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data;
  Py_buffer trees;
  Call call;
  if (!PyArg_ParseTuple(args, "OOy*:sleep", &model, &data, &trees)) return NULL;
  PyObject* result = NULL;
  if (call_begin(&call, state, model, data)) {
    ctError err = {0};
    int n = (int)(trees.len / (Py_ssize_t)sizeof(int));
    ctStatus status = ct_tree_sleep(call.m, call.d, trees.buf, n, &err);
    bool raised = call_raise(&call);
    call_end(&call);
    if (!raised) result = failed(status) ? raise_error(state, &err) : Py_NewRef(Py_None);
  }
  PyBuffer_Release(&trees);
  return result;
}

static PyObject* reset_keyframe(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data;
  int key;
  Call call;
  if (!PyArg_ParseTuple(args, "OOi:reset_keyframe", &model, &data, &key)) return NULL;
  if (!call_begin(&call, state, model, data)) return NULL;
  ctStatus status = ct_data_reset_keyframe(call.m, call.d, key);
  if (status == CT_OK) call.data->trouble = CT_OK;
  return finish_call(&call, state, "reset_keyframe", status);
}

// status(data): the first trouble since the last reset; status(data, value) sets it.
static PyObject* status_of(PyObject* module, PyObject* args) {
  PyObject* data;
  int value = -1;
  if (!PyArg_ParseTuple(args, "O|i:status", &data, &value)) return NULL;
  Block* block = block_of(PyModule_GetState(module), data, KIND_DATA);
  if (!block) return NULL;
  if (value >= 0 && value < CT_STATUS_COUNT) block->trouble = (ctStatus)value;
  PyObject* status = PyLong_FromLong((long)block->trouble);
  block_drop(block);
  return status;
}

// hear_warnings(function of kind, index and time, or None): told of warnings in place of Python's
static PyObject* hear_warnings(PyObject* module, PyObject* function) {
  State* state = PyModule_GetState(module);
  PyObject* old = state->hears;
  state->hears = function == Py_None ? NULL : Py_NewRef(function);
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

static PyObject* set_threads(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *data, *result = NULL;
  int count;
  if (!PyArg_ParseTuple(args, "Oi:set_threads", &data, &count)) return NULL;
  Block* block = block_of(state, data, KIND_DATA);
  if (block && block_is_idle(block)) {
    ctError err = {0};
    ctStatus status = ct_data_set_threads(block->d, count, &err);
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
  }
  block_drop(block);
  return result;
}

// A clock in Python, corten._core.clock: it takes care of its own exceptions.
static double python_clock(void) {
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject* module = PyImport_ImportModule("corten._core");
  PyObject* function = module ? PyObject_GetAttrString(module, "clock") : NULL;
  PyObject* result = function ? PyObject_CallNoArgs(function) : NULL;
  double now = result ? PyFloat_AsDouble(result) : 0;
  PyErr_Clear();
  Py_XDECREF(result);
  Py_XDECREF(function);
  Py_XDECREF(module);
  PyGILState_Release(gil);
  return now;
}

// Measure the time of stages into data.timer, or not: 0 no, 1 by the clock of the system, 2 by
// corten._core.clock.
static PyObject* set_timing(PyObject* module, PyObject* args) {
  PyObject* data;
  int on;
  if (!PyArg_ParseTuple(args, "Oi:set_timing", &data, &on)) return NULL;
  Block* block = block_of(PyModule_GetState(module), data, KIND_DATA);
  bool ok = block && block_is_idle(block);
  if (ok) block->d->now = on == 2 ? python_clock : on ? ct_clock : NULL;
  block_drop(block);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject* get_timing(PyObject* module, PyObject* data) {
  Block* block = block_of(PyModule_GetState(module), data, KIND_DATA);
  if (!block) return NULL;
  bool on = block->d->now != NULL;
  block_drop(block);
  return PyBool_FromLong(on);
}

PyMethodDef sim_methods[] = {
#define X(name, function, text) \
  {#name, AS_METHOD(name), METH_FASTCALL, #name "($module, model, data, /)\n--\n\n" text},
    STAGE_LIST(X)
#undef X
        {"reset", AS_METHOD(reset), METH_FASTCALL,
         "reset($module, model, data, /)\n--\n\nBack to the default state: time 0, qpos0, everything else "
         "zero."},
    {"step", AS_METHOD(step), METH_FASTCALL | METH_KEYWORDS,
     "step($module, model, data, /, nstep=1)\n--\n\nAdvance by nstep time steps with constant inputs. A step "
     "that meets trouble is completed:\n"
     "the first of a Data issues a SimulationWarning, data.status and data.warning tell what it was."},
    {"run_part", AS_METHOD(run_part), METH_FASTCALL,
     "run_part($module, model, data, part, /)\n--\n\nRun one part of a stage (corten.Part): for "
     "pipelines of your own. Each needs those before it."},
    {"status", status_of, METH_VARARGS, "status(data[, value]) -> int"},
    {"hear_warnings", hear_warnings, METH_O, "hear_warnings(function of kind, index and time, or None)"},
    {"set_threads", set_threads, METH_VARARGS, "set_threads(data, count)"},
    {"reset_keyframe", reset_keyframe, METH_VARARGS, "reset_keyframe(model, data, key)"},
    {"wake", wake, METH_VARARGS, "wake(model, data, tree)"},
    {"sleep", put_to_sleep, METH_VARARGS, "sleep(model, data, trees)"},
    {"set_timing", set_timing, METH_VARARGS, "set_timing(data, on)"},
    {"get_timing", get_timing, METH_O, "get_timing(data) -> bool"},
    {NULL, NULL, 0, NULL},
};
