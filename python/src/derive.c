// Derivatives into arrays of the caller. They run without the GIL.
#include "batch.h"

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

// A call on a model and a data, with matrices and the workspace that waits with the model.
typedef struct Job {
  const State* state;
  Call call;
  Matrices out;
  ctDerive* w;
  int threads;
  ctStatus status;
  ctError err;
} Job;

// Take hold of both objects. False with an exception.
static bool job_begin(Job* job, PyObject* module, PyObject* model, PyObject* data, int threads) {
  *job = (Job){.state = PyModule_GetState(module), .threads = threads};
  return call_begin(&job->call, job->state, model, data);
}

// Take the matrices, and a workspace for so many threads: the one that waits, or a new one. False with an
// exception, or with a status that job_end() raises.
static bool job_take(Job* job, PyObject* tuple, const Py_ssize_t* sizes, int count) {
  Block* model = job->call.model;
  if (!take(&job->out, tuple, sizes, count)) return false;
  job->w = model->derive;
  model->derive = NULL;
  if (job->w && model->derive_threads == job->threads) return true;
  ct_derive_free(job->w);
  job->status = ct_derive_create(&job->w, model->m, job->threads, &job->err);
  return job->status == CT_OK;
}

// Give everything back. False with an exception, that of a callback or of the status among them.
static bool job_end(Job* job) {
  Block* model = job->call.model;
  if (job->w) {
    ct_derive_free(model->derive);
    model->derive = job->w;
    model->derive_threads = job->threads;
  }
  if (!call_raise(&job->call) && job->status != CT_OK) raise_error(job->state, &job->err);
  drop(&job->out);
  call_end(&job->call);
  return !PyErr_Occurred();
}

// (method, reason, sensors_by_differences, active_rows, edges, contacts, contacts_by_differences,
// wraps_by_differences, switching)
static PyObject* report_tuple(const ctDeriveReport* r) {
  return Py_BuildValue("izNiiiiii", (int)r->method, r->reason, PyBool_FromLong(r->sensors_by_differences),
                       r->active_rows, r->edges, r->contacts, r->contacts_by_differences,
                       r->wraps_by_differences, r->switching);
}

enum { TRANSITION, INVERSE_FD, LINEARIZE, INVERSE };

// derive(model, data, kind, eps, flag, threads, matrices, method): a report
static PyObject* derive(PyObject* module, PyObject* args) {
  PyObject *model, *data, *tuple;
  int kind, flag, threads, method;
  double eps;
  Job job;
  if (!PyArg_ParseTuple(args, "OOidpiO!i:derive", &model, &data, &kind, &eps, &flag, &threads, &PyTuple_Type,
                        &tuple, &method) ||
      !job_begin(&job, module, model, data, threads)) {
    return NULL;
  }
  const ctModel* m = job.call.m;
  const Py_ssize_t nx = ct_derive_state_size(m), nu = m->nu, ns = m->nsensordata, nv = m->nv;
  const Py_ssize_t forward[] = {nx * nx, nx * nu, ns * nx, ns * nu};
  const Py_ssize_t backward[] = {nv * nv, nv * nv, nv * nv, nv * ns, nv * ns, nv * ns, nv * m->nC};
  const bool inverse = kind == INVERSE_FD || kind == INVERSE;
  const int count = kind == INVERSE_FD ? 7 : (kind == INVERSE ? 6 : 4);
  ctDeriveReport report = {.method = CT_DERIVE_FD};
  if (job_take(&job, tuple, inverse ? backward : forward, count)) {
    ctReal** at = job.out.at;
    const ctDifferences how = {.eps = (ctReal)eps, .centered = flag != 0};
    Py_BEGIN_ALLOW_THREADS;
    switch (kind) {
      case TRANSITION:
        job.status = ct_derive_transition_fd(job.w, job.call.d, &how, at[0], at[1], at[2], at[3], &job.err);
        break;
      case INVERSE_FD:
        job.status = ct_derive_inverse_fd(job.w, job.call.d, how.eps, how.centered, at[0], at[1], at[2],
                                          at[3], at[4], at[5], at[6], &job.err);
        break;
      case INVERSE:
        job.status = ct_derive_inverse(job.w, job.call.d, how.centered, at[0], at[1], at[2], at[3], at[4],
                                       at[5], &report, &job.err);
        break;
      default:
        job.status = ct_derive_linearize(job.w, job.call.d, (ctDeriveMethod)method, &how, at[0], at[1], at[2],
                                         at[3], &report, &job.err);
    }
    Py_END_ALLOW_THREADS;
  }
  return job_end(&job) ? report_tuple(&report) : NULL;
}

// check_derivatives(model, data, method, threads, sizes): a report and a list of (eps, centered, forward,
// worst)
static PyObject* check_derivatives(PyObject* module, PyObject* args) {
  PyObject *model, *data, *sizes, *list = NULL;
  int method, threads;
  Job job;
  if (!PyArg_ParseTuple(args, "OOiiO!:check_derivatives", &model, &data, &method, &threads, &PyTuple_Type,
                        &sizes) ||
      !job_begin(&job, module, model, data, threads))
    return NULL;
  const Py_ssize_t n = PyTuple_Size(sizes);
  ctDeriveReport report = {.method = CT_DERIVE_FD};
  ctDeriveError* errors = PyMem_Calloc((size_t)n + 1, sizeof(ctDeriveError));
  if (!errors) PyErr_NoMemory();
  for (Py_ssize_t i = 0; errors && i < n; i++)
    errors[i].eps = (ctReal)PyFloat_AsDouble(PyTuple_GetItem(sizes, i));
  if (!PyErr_Occurred() && job_take(&job, NULL, NULL, 0)) {
    Py_BEGIN_ALLOW_THREADS;
    job.status =
        ct_derive_check(job.w, job.call.d, (ctDeriveMethod)method, errors, (int)n, &report, &job.err);
    Py_END_ALLOW_THREADS;
  }
  if (job_end(&job)) list = PyList_New(n);
  for (Py_ssize_t i = 0; list && i < n; i++) {
    const ctDeriveError* e = &errors[i];
    PyObject* row = Py_BuildValue("ddds", (double)e->eps, (double)e->centered, (double)e->forward, e->worst);
    if (!row || PyList_SetItem(list, i, row) < 0) Py_CLEAR(list);
  }
  PyMem_Free(errors);
  return list ? Py_BuildValue("NN", report_tuple(&report), list) : NULL;
}

// linearize_states(model, data, n, method, eps, centered, threads, (A, B, C, D, states)): reports. `data`
// only holds the model.
static PyObject* linearize_states(PyObject* module, PyObject* args) {
  PyObject *model, *data, *tuple, *result = NULL;
  int n, method, centered, threads;
  double eps;
  Job job;
  if (!PyArg_ParseTuple(args, "OOiidpiO!:linearize_states", &model, &data, &n, &method, &eps, &centered,
                        &threads, &PyTuple_Type, &tuple) ||
      !job_begin(&job, module, model, data, threads))
    return NULL;
  const ctModel* m = job.call.m;
  const Py_ssize_t nx = ct_derive_state_size(m), nu = m->nu, ns = m->nsensordata, rows = n;
  const Py_ssize_t sizes[] = {rows * nx * nx, rows * nx * nu, rows * ns * nx, rows * ns * nu,
                              rows * ct_data_state_size(m, CT_STATE_INTEGRATION)};
  ctDeriveReport* reports = PyMem_Calloc((size_t)n + 1, sizeof(ctDeriveReport));
  if (!reports) PyErr_NoMemory();
  if (reports && job_take(&job, tuple, sizes, 5)) {
    ctReal** at = job.out.at;
    const ctDifferences how = {.eps = (ctReal)eps, .centered = centered != 0};
    Py_BEGIN_ALLOW_THREADS;
    job.status = ct_derive_linearize_states(job.w, at[4], n, (ctDeriveMethod)method, &how, at[0], at[1],
                                            at[2], at[3], reports, &job.err);
    Py_END_ALLOW_THREADS;
  }
  if (job_end(&job)) result = PyList_New(n);
  for (int i = 0; result && i < n; i++) {
    PyObject* one = report_tuple(&reports[i]);
    if (!one || PyList_SetItem(result, i, one) < 0) Py_CLEAR(result);
  }
  PyMem_Free(reports);
  return result;
}

// transition_fd_batch(model, data, batch, eps, centered, (A, B, C, D)). `data` only holds the model.
static PyObject* transition_fd_batch(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *object, *tuple;
  int centered;
  double eps;
  Job job;
  if (!PyArg_ParseTuple(args, "OOO!dpO!:transition_fd_batch", &model, &data, state->batch_type, &object, &eps,
                        &centered, &PyTuple_Type, &tuple))
    return NULL;
  Batch* batch = batch_of(object);
  if (!batch || !job_begin(&job, module, model, data, 1)) return NULL;
  ctBatchInfo info = {0};
  ct_batch_info(batch->b, &info);
  const ctModel* m = job.call.m;
  const Py_ssize_t nx = ct_derive_state_size(m), nu = m->nu, ns = m->nsensordata, n = info.nworld;
  const Py_ssize_t sizes[] = {n * nx * nx, n * nx * nu, n * ns * nx, n * ns * nu};
  if (job_take(&job, tuple, sizes, 4)) {
    ctReal** at = job.out.at;
    const ctDifferences how = {.eps = (ctReal)eps, .centered = centered != 0};
    batch->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    job.status = ct_derive_transition_fd_batch(job.w, batch->b, &how, at[0], at[1], at[2], at[3], &job.err);
    Py_END_ALLOW_THREADS;
    batch->busy = false;
  }
  return job_end(&job) ? Py_NewRef(Py_None) : NULL;
}

// derive_rollout(model, data, steps, threads, (ctrl or None, states))
static PyObject* derive_rollout(PyObject* module, PyObject* args) {
  PyObject *model, *data, *tuple;
  int steps, threads;
  Job job;
  if (!PyArg_ParseTuple(args, "OOiiO!:derive_rollout", &model, &data, &steps, &threads, &PyTuple_Type,
                        &tuple) ||
      !job_begin(&job, module, model, data, threads))
    return NULL;
  const Py_ssize_t n = steps, size = ct_data_state_size(job.call.m, CT_STATE_INTEGRATION);
  const Py_ssize_t sizes[] = {n * job.call.m->nu, (n + 1) * size};
  if (job_take(&job, tuple, sizes, 2)) {
    Py_BEGIN_ALLOW_THREADS;
    job.status = ct_derive_rollout(job.w, job.call.d, job.out.at[0], steps, job.out.at[1], &job.err);
    Py_END_ALLOW_THREADS;
  }
  return job_end(&job) ? Py_NewRef(Py_None) : NULL;
}

// rollout_vjp(model, data, steps, method, threads, (states, state_grad, sensor_grad or None, start_grad,
// ctrl_grad)). `data` only holds the model.
static PyObject* rollout_vjp(PyObject* module, PyObject* args) {
  PyObject *model, *data, *tuple;
  int steps, method, threads;
  Job job;
  if (!PyArg_ParseTuple(args, "OOiiiO!:rollout_vjp", &model, &data, &steps, &method, &threads, &PyTuple_Type,
                        &tuple) ||
      !job_begin(&job, module, model, data, threads))
    return NULL;
  const ctModel* m = job.call.m;
  const Py_ssize_t n = steps, size = ct_data_state_size(m, CT_STATE_INTEGRATION),
                   nx = ct_derive_state_size(m);
  const Py_ssize_t sizes[] = {(n + 1) * size, (n + 1) * nx, n * m->nsensordata, nx, n * m->nu};
  if (job_take(&job, tuple, sizes, 5)) {
    ctReal** at = job.out.at;
    Py_BEGIN_ALLOW_THREADS;
    job.status = ct_derive_rollout_vjp(job.w, at[0], steps, (ctDeriveMethod)method, at[1], at[2], at[3],
                                       at[4], &job.err);
    Py_END_ALLOW_THREADS;
  }
  return job_end(&job) ? Py_NewRef(Py_None) : NULL;
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
    {"check_derivatives", check_derivatives, METH_VARARGS,
     "check_derivatives(model, data, method, threads, sizes)"},
    {"linearize_states", linearize_states, METH_VARARGS,
     "linearize_states(model, data, n, method, eps, centered, threads, arrays)"},
    {"transition_fd_batch", transition_fd_batch, METH_VARARGS,
     "transition_fd_batch(model, data, batch, eps, centered, matrices)"},
    {"derive_rollout", derive_rollout, METH_VARARGS, "derive_rollout(model, data, steps, threads, arrays)"},
    {"rollout_vjp", rollout_vjp, METH_VARARGS, "rollout_vjp(model, data, steps, method, threads, arrays)"},
    {"smooth_velocity", smooth_velocity, METH_VARARGS, "smooth_velocity(model, data, out)"},
    {NULL, NULL, 0, NULL},
};
