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

enum { TRANSITION, INVERSE, LINEARIZE };

// derive(model, data, kind, eps, flag, threads, matrices): None, or why linearize() took differences of steps
static PyObject* derive(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *tuple, *result = NULL;
  int kind, flag, threads;
  const char* why = NULL;
  double eps;
  Call call;
  if (!PyArg_ParseTuple(args, "OOidpiO!:derive", &model, &data, &kind, &eps, &flag, &threads, &PyTuple_Type,
                        &tuple) ||
      !call_begin(&call, state, model, data)) {
    return NULL;
  }
  const Py_ssize_t nx = ct_derive_state_size(call.m), nu = call.m->nu, ns = call.m->nsensordata,
                   nv = call.m->nv;
  const Py_ssize_t forward[] = {nx * nx, nx * nu, ns * nx, ns * nu};
  const Py_ssize_t backward[] = {nv * nv, nv * nv, nv * nv, nv * ns, nv * ns, nv * ns, nv * call.m->nC};
  Matrices out = {0};
  if (take(&out, tuple, kind == INVERSE ? backward : forward, kind == INVERSE ? 7 : 4)) {
    ctError err = {0};
    ctDerive* w = NULL;
    ctStatus status = ct_derive_create(&w, call.m, threads, &err);
    Py_BEGIN_ALLOW_THREADS;
    if (status == CT_OK && kind == INVERSE) {
      status = ct_derive_inverse_fd(w, call.d, (ctReal)eps, flag != 0, out.at[0], out.at[1], out.at[2],
                                    out.at[3], out.at[4], out.at[5], out.at[6], &err);
    } else if (status == CT_OK) {
      ctDifferences how = {.eps = (ctReal)eps, .centered = flag != 0};
      status =
          kind == LINEARIZE
              ? ct_derive_linearize(w, call.d, &how, out.at[0], out.at[1], out.at[2], out.at[3], &why, &err)
              : ct_derive_transition_fd(w, call.d, &how, out.at[0], out.at[1], out.at[2], out.at[3], &err);
    }
    ct_derive_free(w);
    Py_END_ALLOW_THREADS;
    if (!call_raise(&call) && status != CT_OK) raise_error(state, &err);
    if (!PyErr_Occurred()) result = why ? PyUnicode_FromString(why) : Py_NewRef(Py_None);
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
    {"derive", derive, METH_VARARGS, "derive(model, data, kind, eps, flag, threads, matrices)"},
    {"smooth_velocity", smooth_velocity, METH_VARARGS, "smooth_velocity(model, data, out)"},
    {NULL, NULL, 0, NULL},
};
