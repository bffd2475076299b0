// Many simulations in one call, each with a data of its own, or one after another on the same: the loops of
// corten.mujoco.rollout and .batch. Everything between the beginning and the end of a call runs without the
// GIL; several threads of Python each have their share of the simulations.
//
// A simulation that cannot be run as asked (numbers that are none, options that are none) is left for the
// Python side, which does it by itself and finds the words.
#include <string.h>

#include "core.h"

// Between looks at the signals.
#define PAUSE 0.05

// ---- what a call works on ---------------------------------------------------------------------------------

// Models by index; one for all where there is one.
typedef struct Models {
  Block** block;
  PyObject** object;  // borrowed
  Py_ssize_t n;
} Models;

static void models_free(Models* s) {
  for (Py_ssize_t i = 0; s->block && i < s->n; i++) block_drop(s->block[i]);
  PyMem_Free(s->block);
  PyMem_Free(s->object);
}

// Of a list or tuple of models.
static bool models_take(Models* s, const State* state, PyObject* list) {
  const bool tuple = PyTuple_Check(list);
  *s = (Models){.n = tuple ? PyTuple_Size(list) : PyList_Size(list)};
  if (s->n <= 0) return false;
  s->block = PyMem_Calloc((size_t)s->n, sizeof(Block*));
  s->object = PyMem_Calloc((size_t)s->n, sizeof(PyObject*));
  if (!s->block || !s->object) return PyErr_NoMemory() != NULL;
  for (Py_ssize_t i = 0; i < s->n; i++) {
    s->object[i] = tuple ? PyTuple_GetItem(list, i) : PyList_GetItem(list, i);
    s->block[i] = s->object[i] ? block_of(state, s->object[i], KIND_MODEL) : NULL;
    if (!s->block[i]) return false;
  }
  return true;
}

// MuJoCo counts these kinds of warnings: those before that of activations.
#define KINDS ((int)CT_WARN_BADACT)

static int count_warnings(const ctData* d) {
  int n = 0;
  for (int i = 0; i < KINDS; i++) n += d->warning[i].number;
  return n;
}

static bool is_error(ctStatus status) {
  return status != CT_OK && status < CT_STEP_DIVERGED;
}

static bool is_full(const Py_buffer* buffer, long long numbers, const char* name) {
  if (!buffer->obj || buffer->len == (Py_ssize_t)numbers * (Py_ssize_t)sizeof(ctReal)) return true;
  PyErr_Format(PyExc_ValueError, "%s: expected %lld numbers, got %zd", name, numbers,
               buffer->len / (Py_ssize_t)sizeof(ctReal));
  return false;
}

// ---- rollouts: trajectories of a data, one after another --------------------------------------------------

typedef struct Rollout {
  Call call;
  Models models;
  int nbatch, nstep, first, stride;
  unsigned spec;
  int nstate, ncontrol, nv, nsensordata;
  const ctReal *start, *warm, *control;  // NULL: none
  bool starts, warms, controls, steps;   // whether each trajectory, or each step, has a row of its own
  ctReal *state, *sensordata;
  int i, t;         // trajectory and step at hand
  ctStatus status;  // the first trouble
  bool counted[CT_WARN_COUNT];
} Rollout;

static const ctReal* row_of(const ctReal* array, bool own, int i, long long width) {
  return array ? array + (own ? (long long)i * width : 0) : NULL;
}

// Back to the default state, then to that of the trajectory.
static ctStatus rollout_start(Rollout* r) {
  const Py_ssize_t k = r->i % r->models.n;
  const ctReal *start = row_of(r->start, r->starts, r->i, r->nstate),
               *warm = row_of(r->warm, r->warms, r->i, r->nv);
  r->call.m = r->models.block[k]->m;
  r->call.model_object = r->models.object[k];
  r->call.data->trouble = CT_OK;
  ctStatus status = ct_data_reset(r->call.m, r->call.d);
  if (!is_error(status)) status = CT_OK;
  if (status == CT_OK && start) status = ct_data_set_state(r->call.m, r->call.d, start, CT_STATE_FULLPHYSICS);
  if (status == CT_OK && warm) status = ct_data_set_state(r->call.m, r->call.d, warm, CT_STATE_WARMSTART);
  return status;
}

static ctStatus rollout_step(Rollout* r) {
  const ctModel* m = r->call.m;
  ctData* d = r->call.d;
  if (r->control) {
    const long long nrow = r->steps ? r->nstep : 1;
    const ctReal* rows = row_of(r->control, r->controls, r->i, nrow * r->ncontrol);
    const ctReal* row = rows + (r->steps ? (long long)r->t * r->ncontrol : 0);
    // what is written most is written at once
    ctStatus status = ct_data_set_state(m, d, row, r->spec);
    if (status != CT_OK) return status;
  }
  return ct_step(m, d);
}

// Records what the step gave; after a step that diverged also for all steps that would follow.
static void rollout_note(Rollout* r, int last) {
  const long long at = (long long)r->i * r->nstep + r->t;
  ctReal *state = r->state + at * r->nstate, *sensors = r->sensordata + at * r->nsensordata;
  ct_data_get_state(r->call.m, r->call.d, state, CT_STATE_FULLPHYSICS);
  if (r->nsensordata) memcpy(sensors, r->call.d->sensordata, sizeof(ctReal) * (size_t)r->nsensordata);
  for (int t = r->t + 1; t <= last; t++) {
    const long long next = t - r->t;
    memcpy(state + next * r->nstate, state, sizeof(ctReal) * (size_t)r->nstate);
    if (r->nsensordata)
      memcpy(sensors + next * r->nsensordata, sensors, sizeof(ctReal) * (size_t)r->nsensordata);
  }
  r->t = last;
}

// Until all is done, a trajectory cannot be run, or it is time to look at the signals.
static bool rollout_a_while(Rollout* r) {
  const double start = ct_clock();
  for (; r->i < r->nbatch; r->i += r->stride, r->t = 0) {
    ctStatus status = r->t == 0 ? rollout_start(r) : CT_OK;
    for (; status == CT_OK && r->t < r->nstep; r->t++) {
      const int before = count_warnings(r->call.d);
      status = rollout_step(r);
      if (is_error(status) || r->call.raised[0]) break;
      if (r->status == CT_OK) r->status = status;
      if (r->call.data->trouble == CT_OK) r->call.data->trouble = status;
      status = CT_OK;
      const bool diverged = count_warnings(r->call.d) != before;
      for (int k = 0; k < CT_WARN_COUNT && diverged; k++)
        r->counted[k] = r->counted[k] || r->call.d->warning[k].number > 0;
      rollout_note(r, diverged ? r->nstep - 1 : r->t);
      if (r->t + 1 < r->nstep && (r->t & 31) == 31 && ct_clock() - start > PAUSE) {
        r->t++;
        return false;
      }
    }
    if (is_error(status) || r->call.raised[0]) return true;
    if (ct_clock() - start > PAUSE) {
      r->i += r->stride;
      r->t = 0;
      return r->i >= r->nbatch;
    }
  }
  return true;
}

static bool rollout_fits(Rollout* r, const Py_buffer buffer[5]) {
  const ctModel* m = r->call.m;
  r->nstate = ct_data_state_size(m, CT_STATE_FULLPHYSICS);
  r->ncontrol = ct_data_state_size(m, r->spec);
  r->nv = m->nv;
  r->nsensordata = (int)m->nsensordata;
  const long long n = r->nbatch, steps = r->steps ? r->nstep : 1;
  for (Py_ssize_t i = 0; i < r->models.n; i++) {
    const ctModel* other = r->models.block[i]->m;
    if (other->sizes_id == m->sizes_id) continue;
    PyErr_SetString(PyExc_ValueError, "models are not compatible");
    return false;
  }
  return is_full(buffer, (r->starts ? n : 1) * r->nstate, "initial_state") &&
         is_full(buffer + 1, (r->warms ? n : 1) * r->nv, "initial_warmstart") &&
         is_full(buffer + 2, (r->controls ? n : 1) * steps * r->ncontrol, "control") &&
         is_full(buffer + 3, n * r->nstep * r->nstate, "state") &&
         is_full(buffer + 4, n * r->nstep * r->nsensordata, "sensordata");
}

// The trouble of the data is that of its last trajectory; what is told is that of all.
static PyObject* rollout_end(Rollout* r, const State* state) {
  Block* data = (Block*)Py_NewRef((PyObject*)r->call.data);
  const ctStatus trouble = data->trouble;
  for (int k = 0; k < CT_WARN_COUNT; k++)
    r->call.before[k] = r->call.d->warning[k].number - (r->counted[k] ? 1 : 0);
  PyObject* end = finish_call(&r->call, state, "rollout", r->status);
  data->trouble = trouble;
  block_drop(data);
  if (!end) return NULL;
  Py_DECREF(end);
  return PyLong_FromLong(r->i < r->nbatch ? r->i : -1);
}

// rollout_worlds(models, data, (nbatch, nstep, first, stride, spec, flags), start, warm, control, state,
// sensordata): the trajectories first, first + stride, ... of nbatch. flags: 1, 2, 4: each has a start, a
// warm start, controls of its own; 8: each step has. Gives the trajectory that could not be run, -1 for none.
static PyObject* rollout_worlds(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *models, *data, *result = NULL;
  Py_buffer buffer[5] = {0};
  Rollout r = {0};
  int flags;
  if (!PyArg_ParseTuple(args, "OO(iiiiIi)z*z*z*w*w*:rollout_worlds", &models, &data, &r.nbatch, &r.nstep,
                        &r.first, &r.stride, &r.spec, &flags, buffer, buffer + 1, buffer + 2, buffer + 3,
                        buffer + 4))
    return NULL;
  r.starts = flags & 1;
  r.warms = flags & 2;
  r.controls = flags & 4;
  r.steps = flags & 8;
  r.i = r.first;
  if (models_take(&r.models, state, models) && call_begin(&r.call, state, r.models.object[0], data)) {
    r.start = buffer[0].buf;
    r.warm = buffer[1].buf;
    r.control = buffer[2].buf;
    r.state = buffer[3].buf;
    r.sensordata = buffer[4].buf;
    bool ok = r.stride > 0 && rollout_fits(&r, buffer), done = !ok;
    while (!done) {
      Py_BEGIN_ALLOW_THREADS done = rollout_a_while(&r);
      Py_END_ALLOW_THREADS if (!r.call.raised[0] && PyErr_CheckSignals() < 0) {
        ok = false;
        done = true;
      }
    }
    if (!ok) {
      call_end(&r.call);
    } else {
      result = rollout_end(&r, state);
    }
  }
  models_free(&r.models);
  for (int k = 0; k < 5; k++) PyBuffer_Release(buffer + k);
  return result;
}

// ---- batches: a data for each simulation ------------------------------------------------------------------

// A field of the data that is copied out: where in a data, and into what.
typedef struct Copied {
  size_t offset, bytes;
  Py_buffer buffer;
} Copied;

typedef struct Batch {
  Call* call;   // one for each simulation, or a single one where they share a data
  bool shared;  // they do: what is no state is that of whoever came last
  const int* ids;
  int n, begun, at;  // simulations of this call
  unsigned spec;
  int nstate, stage;
  long nstep;
  ctReal* state;
  int* warning;
  ctByte* left;  // by place among the ids: what was not run
  ctStatus* status;
  Copied* copied;
  int ncopied;
} Batch;

static void batch_copy(const Batch* b, const Call* call, int id) {
  for (int k = 0; k < b->ncopied; k++) {
    const Copied* c = b->copied + k;
    memcpy((char*)c->buffer.buf + (size_t)id * c->bytes, (const char*)call->d + c->offset, c->bytes);
  }
  int* to = b->warning + (size_t)id * 2 * KINDS;
  for (int k = 0; k < KINDS; k++) {
    to[2 * k] = call->d->warning[k].lastinfo;
    to[2 * k + 1] = call->d->warning[k].number;
  }
}

static ctStatus batch_stages(const Batch* b, const Call* call) {
  if (b->stage >= CT_STAGE_ACC) return ct_forward(call->m, call->d);
  ctStatus status = b->stage > CT_STAGE_NONE ? ct_forward_position(call->m, call->d) : CT_OK;
  if (!is_error(status) && b->stage >= CT_STAGE_VEL) status = ct_forward_velocity(call->m, call->d);
  return status;
}

// A shared data counts the warnings of the simulation at hand.
static void batch_load_warnings(const Batch* b, Call* call, int id) {
  const int* from = b->warning + (size_t)id * 2 * KINDS;
  for (int k = 0; k < KINDS; k++) {
    call->d->warning[k].lastinfo = from[2 * k];
    call->d->warning[k].number = from[2 * k + 1];
  }
}

static Call* batch_call(const Batch* b, int k) {
  return b->call + (b->shared ? 0 : k);
}

// One simulation: its state in, steps, stages, everything out. What is not run leaves its row alone.
static void batch_one(Batch* b, int k) {
  Call* call = batch_call(b, k);
  const int id = b->ids[k];
  if (b->shared) batch_load_warnings(b, call, id);
  ctReal* row = b->state + (size_t)id * (size_t)b->nstate;
  ctStatus status = ct_data_set_state(call->m, call->d, row, b->spec), found;
  if (status == CT_OK) {
    status = ct_step_n(call->m, call->d, (int)b->nstep);
    found = is_error(status) ? status : batch_stages(b, call);
    if (status == CT_OK || is_error(found)) status = found;
  }
  b->status[k] = status;
  b->left[k] = is_error(status);
  if (b->left[k] || call->raised[0]) return;
  ct_data_get_state(call->m, call->d, row, b->spec);
  batch_copy(b, call, id);
}

static bool batch_a_while(Batch* b) {
  const double start = ct_clock();
  while (b->at < b->n) {
    batch_one(b, b->at++);
    if (batch_call(b, b->at - 1)->raised[0]) return true;
    if ((b->at & 7) == 0 && ct_clock() - start > PAUSE) break;
  }
  return b->at >= b->n;
}

// Fields by name, into arrays with a row for each simulation.
static bool take_copied(Batch* b, PyObject* list, int nsim) {
  const Call* call = b->call;
  b->ncopied = (int)PyTuple_Size(list) / 2;
  b->copied = PyMem_Calloc((size_t)b->ncopied + 1, sizeof(Copied));
  if (!b->copied) return PyErr_NoMemory() != NULL;
  for (int k = 0; k < b->ncopied; k++) {
    Copied* c = b->copied + k;
    ctField field;
    const char* name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(list, 2 * k), NULL);
    if (!name || PyObject_GetBuffer(PyTuple_GetItem(list, 2 * k + 1), &c->buffer, PyBUF_WRITABLE) < 0)
      return false;
    if (ct_data_field(call->m, call->d, name, &field) != CT_OK)
      return PyErr_Format(PyExc_ValueError, "no field %s", name) != NULL;
    c->bytes = ct_field_size(field.type) * (size_t)(field.rows * field.cols);
    c->offset = c->bytes ? (size_t)((const char*)field.data - (const char*)call->d) : 0;
    if ((size_t)c->buffer.len != c->bytes * (size_t)nsim)
      return PyErr_Format(PyExc_ValueError, "%s: %zd bytes", name, c->buffer.len) != NULL;
  }
  return true;
}

static bool batch_begin(Batch* b, const State* state, const Models* models, PyObject* datas) {
  const int count = b->shared && b->n > 0 ? 1 : b->n;
  for (; b->begun < count; b->begun++) {
    const int id = b->shared ? 0 : b->ids[b->begun];
    PyObject* data = id >= 0 ? PyList_GetItem(datas, id) : NULL;
    const Py_ssize_t k = models->n > 1 ? id : 0;
    if (!data || k >= models->n ||
        !call_begin_on(b->call + b->begun, state, models->block[k], models->object[k], data))
      return false;
  }
  return true;
}

// The end of a call, with the first trouble of the simulations that ran.
static bool batch_end_call(Batch* b, const State* state, int k) {
  ctStatus status = CT_OK;
  bool ran = false;
  for (int i = b->shared ? 0 : k; i < (b->shared ? b->n : k + 1); i++) {
    if (b->left[i]) continue;
    ran = true;
    if (status == CT_OK) status = b->status[i];
  }
  if (!ran) {
    call_end(b->call + k);
    return true;
  }
  PyObject* end = finish_call(b->call + k, state, "step", status);
  Py_XDECREF(end);
  return end != NULL;
}

// The ends of all calls, and which simulations were not run.
static PyObject* batch_end(Batch* b, const State* state, bool ok) {
  PyObject* left = ok ? PyList_New(0) : NULL;
  for (int k = 0; k < b->begun; k++) {
    if (!left) {
      call_end(b->call + k);
    } else if (!batch_end_call(b, state, k)) {
      Py_CLEAR(left);
    }
  }
  for (int k = 0; k < b->n && left; k++) {
    PyObject* id = b->left[k] ? PyLong_FromLong(b->ids[k]) : NULL;
    if (b->left[k] && (!id || PyList_Append(left, id) < 0)) Py_CLEAR(left);
    Py_XDECREF(id);
  }
  return left;
}

// step_worlds(models, datas, ids, state, (spec, nstep, stage, nsim), warning, (name, array, ...)): the
// simulations `ids` of nsim, which have a data each, or share a single one. Gives a list of those that could
// not be run.
static PyObject* step_worlds(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *list, *datas, *copied, *result = NULL;
  Py_buffer ids, rows, warning;
  Batch b = {0};
  int nsim;
  Models models = {0};
  if (!PyArg_ParseTuple(args, "OO!y*w*(Ilii)w*O!:step_worlds", &list, &PyList_Type, &datas, &ids, &rows,
                        &b.spec, &b.nstep, &b.stage, &nsim, &warning, &PyTuple_Type, &copied))
    return NULL;
  b.shared = nsim > 1 && PyList_Size(datas) == 1;
  b.n = (int)(ids.len / (Py_ssize_t)sizeof(int));
  b.ids = ids.buf;
  b.state = rows.buf;
  b.warning = warning.buf;
  const size_t room = (size_t)b.n + 1;
  b.call = PyMem_Calloc(room, sizeof(Call));
  b.left = PyMem_Calloc(room, 1);
  b.status = PyMem_Calloc(room, sizeof(ctStatus));
  bool ok = b.call && b.left && b.status;
  if (!ok) PyErr_NoMemory();
  ok = ok && models_take(&models, state, list) && batch_begin(&b, state, &models, datas);
  if (ok && b.n > 0) {
    b.nstate = ct_data_state_size(b.call->m, b.spec);
    ok = is_full(&rows, (long long)nsim * b.nstate, "state") && take_copied(&b, copied, nsim);
    if (ok && warning.len != (Py_ssize_t)sizeof(int) * 2 * KINDS * nsim) {
      PyErr_SetString(PyExc_ValueError, "warning: two numbers for each kind");
      ok = false;
    }
  }
  for (bool done = !ok || b.n == 0; !done;) {
    Py_BEGIN_ALLOW_THREADS done = batch_a_while(&b);
    Py_END_ALLOW_THREADS if (!done && PyErr_CheckSignals() < 0) {
      ok = false;
      done = true;
    }
  }
  result = batch_end(&b, state, ok);
  for (int k = 0; k < b.ncopied && b.copied; k++) PyBuffer_Release(&b.copied[k].buffer);
  PyMem_Free(b.copied);
  PyMem_Free(b.call);
  PyMem_Free(b.left);
  PyMem_Free(b.status);
  models_free(&models);
  PyBuffer_Release(&ids);
  PyBuffer_Release(&rows);
  PyBuffer_Release(&warning);
  return result;
}

PyMethodDef worlds_methods[] = {
    {"rollout_worlds", rollout_worlds, METH_VARARGS,
     "rollout_worlds(models, data, sizes, start, warm, control, state, sensordata)"},
    {"step_worlds", step_worlds, METH_VARARGS,
     "step_worlds(models, datas, ids, state, how, warning, fields)"},
    {NULL, NULL, 0, NULL},
};
