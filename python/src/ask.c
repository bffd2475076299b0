// Questions about a state, all through one door: ask(model, data, name, ints, inputs, outputs). The table
// says how many numbers each array has; the Python side makes the arrays.
#include <string.h>

#include "core.h"

#define MAX_ARRAYS 2

// Sizes in terms of the model: a plain number, or one of these.
enum { NONE = 0, NV = -1, NQ = -2, NV3 = -3, NV2 = -4, NEFC = -5 };

typedef const ctReal* const* In;
typedef ctReal* const* Out;

typedef struct Question {
  const char* name;
  int nint, in[MAX_ARRAYS], out[MAX_ARRAYS];
  ctStatus (*ask)(const ctModel* m, ctData* d, const int* i, In in, Out out);
} Question;

// X(name, ints, (sizes of inputs), (sizes of outputs), call)
// clang-format off
#define QUESTION_LIST(X)                                                                                             \
  X(post_constraint, 0, NONE, NONE, NONE, NONE, ct_body_forces_compute(m, d))                                            \
  X(subtree_velocity, 0, NONE, NONE, NONE, NONE, ct_subtree_velocity_compute(m, d))                                          \
  X(jac_point, 1, 3, NONE, NV3, NV3, ct_jac_point(m, d, in[0], i[0], out[0], out[1]))                                \
  X(jac_point_dot, 1, 3, NONE, NV3, NV3, ct_jac_point_dot(m, d, in[0], i[0], out[0], out[1]))                        \
  X(jac_object, 2, NONE, NONE, NV3, NV3, ct_jac_object(m, d, (ctObjType)i[0], i[1], out[0], out[1]))                 \
  X(jac_object_dot, 2, NONE, NONE, NV3, NV3, ct_jac_object_dot(m, d, (ctObjType)i[0], i[1], out[0], out[1]))         \
  X(jac_axis, 1, 3, 3, NV3, NV3, ct_jac_axis(m, d, in[0], in[1], i[0], out[0], out[1]))                              \
  X(jac_axis_dot, 1, 3, 3, NV3, NV3, ct_jac_axis_dot(m, d, in[0], in[1], i[0], out[0], out[1]))                      \
  X(jac_subtree, 1, NONE, NONE, NV3, NONE, ct_jac_subtree(m, d, i[0], out[0]))                                       \
  X(jac_subtree_dot, 1, NONE, NONE, NV3, NONE, ct_jac_subtree_dot(m, d, i[0], out[0]))                               \
  X(angular_momentum, 1, NONE, NONE, NV3, NONE, ct_jac_angular_momentum(m, d, i[0], out[0]))                             \
  X(object_velocity, 3, NONE, NONE, 6, NONE, ct_object_velocity(m, d, (ctObjType)i[0], i[1], i[2] != 0, out[0]))     \
  X(object_acceleration, 3, NONE, NONE, 6, NONE, ct_object_acceleration(m, d, (ctObjType)i[0], i[1], i[2] != 0, out[0])) \
  X(contact_force, 1, NONE, NONE, 6, NONE, ct_contact_force(m, d, i[0], out[0]))                                     \
  X(kkt_residual, 0, NONE, NONE, 1, 1, ct_kkt_residual(m, d, out[0], out[1]))                                        \
  X(add_mass, 0, NONE, NONE, NV2, NONE, ct_mass_add(m, d, out[0]))                                                   \
  X(mul_mass, 0, NV, NONE, NV, NONE, ct_mass_mul(m, d, in[0], out[0]))                                               \
  X(solve_mass, 0, NV, NONE, NV, NONE, ct_mass_solve(m, d, in[0], out[0]))                                           \
  X(mul_mass_half, 0, NV, NONE, NV, NONE, ct_mass_mul_half(m, d, in[0], out[0]))                                     \
  X(solve_mass_half, 0, NV, NONE, NV, NONE, ct_mass_solve_half(m, d, in[0], out[0]))                                 \
  X(bias_force, 1, NONE, NONE, NV, NONE, ct_bias_force(m, d, i[0] != 0, out[0]))                                     \
  X(rows_mul, 0, NV, NONE, NEFC, NONE, ct_rows_mul(m, d, in[0], out[0]))                                             \
  X(rows_mul_transposed, 0, NEFC, NONE, NV, NONE, ct_rows_mul_transposed(m, d, in[0], out[0]))                       \
  X(set_keyframe, 1, NONE, NONE, NONE, NONE, ct_model_set_keyframe((ctModel*)m, d, i[0]))
// clang-format on

#define X(name, nint, in0, in1, out0, out1, call)                                         \
  static ctStatus ask_##name(const ctModel* m, ctData* d, const int* i, In in, Out out) { \
    (void)i;                                                                              \
    (void)in;                                                                             \
    (void)out;                                                                            \
    return call;                                                                          \
  }
QUESTION_LIST(X)
#undef X

static const Question questions[] = {
#define X(name, nint, in0, in1, out0, out1, call) {#name, nint, {in0, in1}, {out0, out1}, ask_##name},
    QUESTION_LIST(X)
#undef X
};

static Py_ssize_t numbers(const Call* call, int size) {
  const ctModel* m = call->m;
  const Py_ssize_t nv = m->nv;
  switch (size) {
    case NV: return nv;
    case NQ: return m->nq;
    case NV3: return 3 * nv;
    case NV2: return nv * nv;
    case NEFC: return call->d->nefc;
    default: return size;
  }
}

// The arrays of a tuple, as many as the question has.
typedef struct Arrays {
  Py_buffer buffers[MAX_ARRAYS];
  ctReal* at[MAX_ARRAYS];
  int taken;
} Arrays;

// None stands for an output that is not wanted.
static bool take_arrays(Arrays* a, const Call* call, PyObject* tuple, const int* sizes, int flags) {
  for (; a->taken < MAX_ARRAYS && sizes[a->taken] != NONE; a->taken++) {
    int k = a->taken;
    PyObject* item = PyTuple_GetItem(tuple, k);
    if (item == Py_None && (flags & PyBUF_WRITABLE)) continue;
    if (!item || PyObject_GetBuffer(item, &a->buffers[k], flags) < 0) return false;
    a->at[k] = a->buffers[k].buf;
    Py_ssize_t have = a->buffers[k].len / (Py_ssize_t)sizeof(ctReal), want = numbers(call, sizes[k]);
    if (have == want) continue;
    a->taken++;
    PyErr_Format(PyExc_ValueError, "expected %zd numbers, got %zd", want, have);
    return false;
  }
  return true;
}

static void drop_arrays(Arrays* a) {
  for (int k = 0; k < a->taken; k++) PyBuffer_Release(&a->buffers[k]);
}

static const Question* find_question(const char* name) {
  for (size_t k = 0; k < sizeof(questions) / sizeof(questions[0]); k++) {
    if (strcmp(questions[k].name, name) == 0) return &questions[k];
  }
  PyErr_Format(PyExc_ValueError, "unknown question \"%s\"", name);
  return NULL;
}

// What is out of range, where an id is.
static PyObject* raise_bad_argument(const State* state, const Question* q, const Call* call, const int* i) {
  ctError err = {.status = CT_ERR_ARGUMENT};
  bool contact = strcmp(q->name, "contact_force") == 0;
  bool object = strncmp(q->name, "jac_object", 10) == 0 || strncmp(q->name, "object_", 7) == 0;
  if (!contact && !object) return raise_status(state, q->name, CT_ERR_ARGUMENT);
  int id = contact ? i[0] : i[1], count = contact ? call->d->ncon : ct_model_count(call->m, (ctObjType)i[0]);
  if (count == 0) {
    PyOS_snprintf(err.message, sizeof(err.message), "%s: there is no %s %d, there are none", q->name,
                  contact ? "contact" : "object", id);
  } else if (id < 0 || id >= count) {
    PyOS_snprintf(err.message, sizeof(err.message), "%s: there is no %s %d, they are 0 to %d", q->name,
                  contact ? "contact" : "object", id, count - 1);
  } else {
    PyOS_snprintf(err.message, sizeof(err.message), "%s: objects of type %d cannot be asked", q->name, i[0]);
  }
  return raise_error(state, &err);
}

static PyObject* answer(const State* state, const Question* q, const Call* call, PyObject* ints,
                        PyObject* inputs, PyObject* outputs) {
  int i[3] = {0};
  Arrays in = {0}, out = {0};
  PyObject* result = NULL;
  for (int k = 0; k < q->nint; k++) {
    PyObject* item = PyTuple_GetItem(ints, k);
    i[k] = item ? (int)PyLong_AsLong(item) : 0;
    if (PyErr_Occurred()) return NULL;
  }
  if (take_arrays(&in, call, inputs, q->in, PyBUF_SIMPLE) &&
      take_arrays(&out, call, outputs, q->out, PyBUF_WRITABLE)) {
    ctStatus status = q->ask(call->m, call->d, i, (In)in.at, out.at);
    if (status == CT_OK) {
      result = Py_NewRef(Py_None);
    } else {
      result = status == CT_ERR_ARGUMENT ? raise_bad_argument(state, q, call, i)
                                         : raise_status(state, q->name, status);
    }
  }
  drop_arrays(&in);
  drop_arrays(&out);
  return result;
}

static PyObject* ask(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *data, *ints, *inputs, *outputs, *result = NULL;
  const char* name;
  Call call;
  if (!PyArg_ParseTuple(args, "OOsO!O!O!:ask", &model, &data, &name, &PyTuple_Type, &ints, &PyTuple_Type,
                        &inputs, &PyTuple_Type, &outputs)) {
    return NULL;
  }
  const Question* q = find_question(name);
  if (!q || !call_begin(&call, state, model, data)) return NULL;
  result = answer(state, q, &call, ints, inputs, outputs);
  call_end(&call);
  return result;
}

PyMethodDef ask_methods[] = {
    {"ask", ask, METH_VARARGS, "ask(model, data, name, ints, inputs, outputs)"},
    {NULL, NULL, 0, NULL},
};
