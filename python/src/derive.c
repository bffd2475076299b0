// Derivatives into arrays of the caller. They run without the GIL.
#include "core.h"

enum { MOST_ARRAYS = 7 };

// Matrices of a call, in its order; None leaves one out.
typedef struct Matrices {
  Py_buffer buffers[MOST_ARRAYS];
  ctReal* at[MOST_ARRAYS];
  int count;
} Matrices;

// The sizes are those the Python side has made the arrays with: a model does not change them.
static bool take(Matrices* out, PyObject* tuple, const Py_ssize_t* sizes, int count) {
  for (; out->count < count; out->count++) {
    int k = out->count;
    PyObject* item = PyTuple_GetItem(tuple, k);
    if (!item) return false;
    if (item == Py_None) continue;
    if (PyObject_GetBuffer(item, &out->buffers[k], PyBUF_WRITABLE) < 0) return false;
    out->at[k] = out->buffers[k].buf;
    if (out->buffers[k].len == sizes[k] * (Py_ssize_t)sizeof(ctReal)) continue;
    out->count++;
    PyErr_Format(PyExc_ValueError, "matrix %d: expected %zd numbers", k, sizes[k]);
    return false;
  }
  return true;
}

static void drop(Matrices* out) {
  for (int k = 0; k < out->count; k++) {
    if (out->at[k]) PyBuffer_Release(&out->buffers[k]);
  }
}

enum { TRANSITION, INVERSE_FD, LINEARIZE, INVERSE };

// A workspace for so many threads: the one that waits with the model, or a new one. With the GIL.
static ctStatus borrow(ctDerive** out, Block* model, int threads, ctError* err) {
  *out = model->derive;
  model->derive = NULL;
  if (*out && model->derive_threads == threads) return CT_OK;
  ct_derive_free(*out);
  return ct_derive_create(out, model->m, threads, err);
}

// Let it wait for the next call.
static void give_back(ctDerive* w, Block* model, int threads) {
  ct_derive_free(model->derive);
  model->derive = w;
  model->derive_threads = threads;
}

// (method, reason, sensors_by_differences, active_rows, edges, contacts, contacts_by_differences,
// wraps_by_differences, switching)
static PyObject* report_tuple(const ctDeriveReport* r) {
  return Py_BuildValue("izNiiiiii", (int)r->method, r->reason, PyBool_FromLong(r->sensors_by_differences),
                       r->active_rows, r->edges, r->contacts, r->contacts_by_differences,
                       r->wraps_by_differences, r->switching);
}

// derive(model, data, kind, eps, flag, threads, matrices, method): a report
static PyObject* derive(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *tuple, *result = NULL;
  int kind, flag, threads, method;
  double eps;
  Call call;
  if (!PyArg_ParseTuple(args, "OOidpiO!i:derive", &model, &data, &kind, &eps, &flag, &threads, &PyTuple_Type,
                        &tuple, &method) ||
      !call_begin(&call, state, model, data)) {
    return NULL;
  }
  const Py_ssize_t nx = ct_derive_state_size(call.m), nu = call.m->nu, ns = call.m->nsensordata,
                   nv = call.m->nv;
  const Py_ssize_t forward[] = {nx * nx, nx * nu, ns * nx, ns * nu};
  const Py_ssize_t backward[] = {nv * nv, nv * nv, nv * nv, nv * ns, nv * ns, nv * ns, nv * call.m->nC};
  const bool inverse = kind == INVERSE_FD || kind == INVERSE;
  const int count = kind == INVERSE_FD ? 7 : (kind == INVERSE ? 6 : 4);
  Matrices out = {0};
  if (take(&out, tuple, inverse ? backward : forward, count)) {
    ctError err = {0};
    ctDerive* w = NULL;
    ctDeriveReport report = {.method = CT_DERIVE_FD};
    ctReal** at = out.at;
    ctStatus status = borrow(&w, call.model, threads, &err);
    Py_BEGIN_ALLOW_THREADS;
    ctDifferences how = {.eps = (ctReal)eps, .centered = flag != 0};
    if (status == CT_OK && kind == INVERSE_FD)
      status = ct_derive_inverse_fd(w, call.d, (ctReal)eps, flag != 0, at[0], at[1], at[2], at[3], at[4],
                                    at[5], at[6], &err);
    if (status == CT_OK && kind == INVERSE)
      status =
          ct_derive_inverse(w, call.d, flag != 0, at[0], at[1], at[2], at[3], at[4], at[5], &report, &err);
    if (status == CT_OK && kind == LINEARIZE)
      status = ct_derive_linearize(w, call.d, (ctDeriveMethod)method, &how, at[0], at[1], at[2], at[3],
                                   &report, &err);
    if (status == CT_OK && kind == TRANSITION)
      status = ct_derive_transition_fd(w, call.d, &how, at[0], at[1], at[2], at[3], &err);
    Py_END_ALLOW_THREADS;
    give_back(w, call.model, threads);
    if (!call_raise(&call) && status != CT_OK) raise_error(state, &err);
    if (!PyErr_Occurred()) result = report_tuple(&report);
  }
  drop(&out);
  call_end(&call);
  return result;
}

// linearize_states(model, data, states, n, method, eps, centered, threads, matrices): reports. `data` only
// holds the model.
static PyObject* linearize_states(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *tuple, *result = NULL;
  Py_buffer states;
  int n, method, centered, threads;
  double eps;
  Call call;
  if (!PyArg_ParseTuple(args, "OOy*iidpiO!:linearize_states", &model, &data, &states, &n, &method, &eps,
                        &centered, &threads, &PyTuple_Type, &tuple))
    return NULL;
  if (!call_begin(&call, state, model, data)) {
    PyBuffer_Release(&states);
    return NULL;
  }
  const Py_ssize_t nx = ct_derive_state_size(call.m), nu = call.m->nu, ns = call.m->nsensordata, rows = n;
  const Py_ssize_t sizes[] = {rows * nx * nx, rows * nx * nu, rows * ns * nx, rows * ns * nu};
  const Py_ssize_t expected = rows * ct_data_state_size(call.m, CT_STATE_INTEGRATION);
  Matrices out = {0};
  if (states.len != expected * (Py_ssize_t)sizeof(ctReal)) {
    PyErr_Format(PyExc_ValueError, "states: expected %zd numbers", expected);
  } else if (take(&out, tuple, sizes, 4)) {
    ctError err = {0};
    ctDerive* w = NULL;
    ctDeriveReport* reports = PyMem_Calloc((size_t)n + 1, sizeof(ctDeriveReport));
    ctStatus status = borrow(&w, call.model, threads, &err);
    Py_BEGIN_ALLOW_THREADS;
    ctDifferences how = {.eps = (ctReal)eps, .centered = centered != 0};
    if (status == CT_OK)
      status = ct_derive_linearize_states(w, states.buf, n, (ctDeriveMethod)method, &how, out.at[0],
                                          out.at[1], out.at[2], out.at[3], reports, &err);
    Py_END_ALLOW_THREADS;
    give_back(w, call.model, threads);
    if (!call_raise(&call) && status != CT_OK) raise_error(state, &err);
    if (!PyErr_Occurred()) result = reports ? PyList_New(n) : PyErr_NoMemory();
    for (int i = 0; result && i < n; i++) {
      PyObject* one = report_tuple(&reports[i]);
      if (!one || PyList_SetItem(result, i, one) < 0) Py_CLEAR(result);
    }
    PyMem_Free(reports);
  }
  drop(&out);
  call_end(&call);
  PyBuffer_Release(&states);
  return result;
}

// derive_rollout(model, data, steps, threads, (ctrl or None, states))
static PyObject* derive_rollout(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *tuple, *result = NULL;
  int steps, threads;
  Call call;
  if (!PyArg_ParseTuple(args, "OOiiO!:derive_rollout", &model, &data, &steps, &threads, &PyTuple_Type,
                        &tuple) ||
      !call_begin(&call, state, model, data))
    return NULL;
  const Py_ssize_t n = steps, size = ct_data_state_size(call.m, CT_STATE_INTEGRATION);
  const Py_ssize_t sizes[] = {n * call.m->nu, (n + 1) * size};
  Matrices out = {0};
  if (take(&out, tuple, sizes, 2)) {
    ctError err = {0};
    ctDerive* w = NULL;
    ctStatus status = borrow(&w, call.model, threads, &err);
    Py_BEGIN_ALLOW_THREADS;
    if (status == CT_OK) status = ct_derive_rollout(w, call.d, out.at[0], steps, out.at[1], &err);
    Py_END_ALLOW_THREADS;
    give_back(w, call.model, threads);
    if (!call_raise(&call) && status != CT_OK) raise_error(state, &err);
    if (!PyErr_Occurred()) result = Py_NewRef(Py_None);
  }
  drop(&out);
  call_end(&call);
  return result;
}

// rollout_vjp(model, data, steps, method, threads, (states, state_grad, sensor_grad or None, start_grad,
// ctrl_grad)). `data` only holds the model.
static PyObject* rollout_vjp(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *tuple, *result = NULL;
  int steps, method, threads;
  Call call;
  if (!PyArg_ParseTuple(args, "OOiiiO!:rollout_vjp", &model, &data, &steps, &method, &threads, &PyTuple_Type,
                        &tuple) ||
      !call_begin(&call, state, model, data))
    return NULL;
  const Py_ssize_t n = steps, size = ct_data_state_size(call.m, CT_STATE_INTEGRATION),
                   nx = ct_derive_state_size(call.m);
  const Py_ssize_t sizes[] = {(n + 1) * size, (n + 1) * nx, n * call.m->nsensordata, nx, n * call.m->nu};
  Matrices out = {0};
  if (take(&out, tuple, sizes, 5)) {
    ctError err = {0};
    ctDerive* w = NULL;
    ctStatus status = borrow(&w, call.model, threads, &err);
    Py_BEGIN_ALLOW_THREADS;
    if (status == CT_OK)
      status = ct_derive_rollout_vjp(w, out.at[0], steps, (ctDeriveMethod)method, out.at[1], out.at[2],
                                     out.at[3], out.at[4], &err);
    Py_END_ALLOW_THREADS;
    give_back(w, call.model, threads);
    if (!call_raise(&call) && status != CT_OK) raise_error(state, &err);
    if (!PyErr_Occurred()) result = Py_NewRef(Py_None);
  }
  drop(&out);
  call_end(&call);
  return result;
}

static PyObject* smooth_velocity(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *result = NULL;
  Py_buffer out;
  Call call;
  if (!PyArg_ParseTuple(args, "OOw*:smooth_velocity", &model, &data, &out)) return NULL;
  if (call_begin(&call, state, model, data)) {
    Py_ssize_t nv = call.m->nv;
    if (out.len == nv * nv * (Py_ssize_t)sizeof(ctReal)) {
      ctStatus status = ct_derive_smooth_velocity(call.m, call.d, out.buf);
      result = status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, "smooth_velocity", status);
    } else {
      PyErr_SetString(PyExc_ValueError, "the matrix must be nv x nv");
    }
    call_end(&call);
  }
  PyBuffer_Release(&out);
  return result;
}

// quat_derivative(integration, a, b, dt, out0, out1): quaternions from and to, or a velocity twice
static PyObject* quat_derivative(PyObject* module, PyObject* args) {
  (void)module;
  int integration;
  double dt;
  Py_buffer a, b, out0, out1;
  if (!PyArg_ParseTuple(args, "py*y*dw*w*:quat_derivative", &integration, &a, &b, &dt, &out0, &out1))
    return NULL;
  const Py_ssize_t real = sizeof(ctReal), n = integration ? 3 : 4;
  bool ok = a.len == n * real && b.len == n * real && out0.len == 9 * real && out1.len == 9 * real;
  if (ok && integration) ct_derive_quat_integration(a.buf, (ctReal)dt, out0.buf, out1.buf, NULL);
  if (ok && !integration) ct_derive_quat_difference(a.buf, b.buf, out0.buf, out1.buf);
  if (!ok) PyErr_Format(PyExc_ValueError, "expected %zd numbers", n);
  PyBuffer_Release(&a);
  PyBuffer_Release(&b);
  PyBuffer_Release(&out0);
  PyBuffer_Release(&out1);
  return ok ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef derive_methods[] = {
    {"quat_derivative", quat_derivative, METH_VARARGS, "quat_derivative(integration, a, b, dt, out0, out1)"},
    {"derive", derive, METH_VARARGS, "derive(model, data, kind, eps, flag, threads, matrices, method)"},
    {"linearize_states", linearize_states, METH_VARARGS,
     "linearize_states(model, data, states, n, method, eps, centered, threads, matrices)"},
    {"derive_rollout", derive_rollout, METH_VARARGS, "derive_rollout(model, data, steps, threads, arrays)"},
    {"rollout_vjp", rollout_vjp, METH_VARARGS, "rollout_vjp(model, data, steps, method, threads, arrays)"},
    {"smooth_velocity", smooth_velocity, METH_VARARGS, "smooth_velocity(model, data, out)"},
    {NULL, NULL, 0, NULL},
};
