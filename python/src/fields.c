// The field tables as Python sees them, and reading and writing fields of a Block by number.
//
// The engine's tables say what is known of a field without an instance; asking an all-zero struct for it
// gives the offset of what lies inside the struct.
#include <stddef.h>
#include <string.h>

#include "core.h"

#ifdef CT_SINGLE
#define REAL_CODE "f"
#else
#define REAL_CODE "d"
#endif

// NumPy's codes.
static const char* const type_codes[CT_FIELD_COUNT] = {
    [CT_FIELD_REAL] = REAL_CODE, [CT_FIELD_FLOAT] = "f",   [CT_FIELD_INT] = "i",
    [CT_FIELD_SIZE] = "q",       [CT_FIELD_BYTE] = "B",    [CT_FIELD_BOOL] = "?",
    [CT_FIELD_CHAR] = "S1",      [CT_FIELD_POINTER] = "P", [CT_FIELD_CONTACT] = "V",
};

// What Python calls the places.
static const char* const place_names[] = {
    [CT_PLACE_SIZE] = "size",
    [CT_PLACE_MEMBER] = "inside",
    [CT_PLACE_BLOCK] = "array",
    [CT_PLACE_ARENA] = "arena",
};

// ---- tables, made once -----------------------------------------------------------------------------------

static ctStatus find_field(Kind kind, const ctModel* m, const ctData* d, const char* name, ctField* out) {
  return kind == KIND_DATA ? ct_data_field(m, d, name, out) : ct_model_field(m, name, out);
}

// Fill in one row and append (name, code, ndim, place, rows, cols, doc) to the list Python gets.
static bool add_row(FieldInfo* row, PyObject* list, Kind kind, const ctModel* m, const ctData* d,
                    const ctFieldInfo* info) {
  ctField field;
  if (find_field(kind, m, d, info->name, &field) != CT_OK) {
    PyErr_Format(PyExc_SystemError, "field %s is in the list but cannot be found", info->name);
    return false;
  }
  row->name = info->name;
  row->type = info->type;
  row->readonly = info->place == CT_PLACE_SIZE;
  row->inside = info->place == CT_PLACE_SIZE || info->place == CT_PLACE_MEMBER;
  if (row->inside) {
    const char* base = kind == KIND_DATA ? (const char*)d : (const char*)m;
    row->offset = (size_t)((const char*)field.data - base);
    row->count = field.rows * field.cols;
  }
  PyObject* item = Py_BuildValue("(ssissss)", info->name, type_codes[info->type], info->ndim,
                                 place_names[info->place], info->rows, info->cols, info->doc);
  bool ok = item && PyList_Append(list, item) == 0;
  Py_XDECREF(item);
  return ok;
}

static bool make_table(FieldTable* table, PyObject* module, Kind kind, const ctModel* m, const ctData* d) {
  int count = kind == KIND_DATA ? ct_data_field_count() : ct_model_field_count();
  PyObject* list = PyList_New(0);
  table->rows = PyMem_Calloc((size_t)count, sizeof(FieldInfo));
  table->count = count;
  bool ok = list && table->rows;
  for (int i = 0; i < count && ok; i++) {
    const ctFieldInfo* info = kind == KIND_DATA ? ct_data_field_info(i) : ct_model_field_info(i);
    ok = add_row(&table->rows[i], list, kind, m, d, info);
  }
  ok = ok && PyModule_AddObjectRef(module, kind == KIND_DATA ? "data_fields" : "model_fields", list) == 0;
  Py_XDECREF(list);
  return ok;
}

// Offsets are those in an empty model and its data.
bool fields_init(State* state, PyObject* module) {
  static const char text[] = "<mujoco/>";
  ctModel* m = NULL;
  ctData* d = NULL;
  bool ok = ct_model_load_string(&m, text, sizeof(text) - 1, NULL, NULL) == CT_OK &&
            ct_data_create(&d, m, NULL) == CT_OK;
  if (!ok) PyErr_NoMemory();
  ok = ok && make_table(&state->fields[KIND_MODEL], module, KIND_MODEL, m, d) &&
       make_table(&state->fields[KIND_DATA], module, KIND_DATA, m, d) &&
       PyModule_AddStringConstant(module, "real", REAL_CODE) == 0;
  ct_data_free(d);
  ct_model_free(m);
  return ok;
}

void fields_free(State* state) {
  for (int kind = KIND_MODEL; kind <= KIND_DATA; kind++) PyMem_Free(state->fields[kind].rows);
}

// ---- fields of a block -----------------------------------------------------------------------------------

static const FieldInfo* row_at(Block* block, PyObject* index) {
  const State* state = PyType_GetModuleState(Py_TYPE((PyObject*)block));
  const FieldTable* table = &state->fields[block->kind];
  long i = PyLong_AsLong(index);
  if (i == -1 && PyErr_Occurred()) return NULL;
  if (i < 0 || i >= table->count) {
    PyErr_SetString(PyExc_IndexError, "no such field");
    return NULL;
  }
  return &table->rows[i];
}

static char* memory_of(const Block* block) {
  return block->kind == KIND_DATA ? (char*)block->d : (char*)block->m;
}

static bool field_of(Block* block, PyObject* index, ctField* out) {
  const FieldInfo* row = row_at(block, index);
  return row && find_field(block->kind, block->m, block->d, row->name, out) == CT_OK;
}

static Py_ssize_t byte_count(const ctField* field) {
  return (Py_ssize_t)ct_field_size(field->type) * (Py_ssize_t)(field->rows * field->cols);
}

static const FieldInfo* scalar_at(Block* block, PyObject* index) {
  const FieldInfo* row = row_at(block, index);
  if (!row || (row->inside && row->count == 1)) return row;
  PyErr_Format(PyExc_TypeError, "%s is an array", row->name);
  return NULL;
}

static PyObject* get_scalar(PyObject* self, PyObject* index) {
  const FieldInfo* row = scalar_at((Block*)self, index);
  if (!row) return NULL;
  const void* at = memory_of((Block*)self) + row->offset;
  switch (row->type) {
    case CT_FIELD_REAL: return PyFloat_FromDouble((double)*(const ctReal*)at);
    case CT_FIELD_FLOAT: return PyFloat_FromDouble((double)*(const float*)at);
    case CT_FIELD_INT: return PyLong_FromLong(*(const int*)at);
    case CT_FIELD_SIZE: return PyLong_FromLongLong(*(const ctSize*)at);
    case CT_FIELD_BYTE: return PyLong_FromLong(*(const ctByte*)at);
    case CT_FIELD_BOOL: return PyBool_FromLong(*(const ctBool*)at);
    default: PyErr_Format(PyExc_SystemError, "%s is of no scalar type", row->name); return NULL;
  }
}

static bool store_int(void* at, PyObject* value, const char* name) {
  long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred()) return false;
  if (number < INT32_MIN || number > INT32_MAX) {
    PyErr_Format(PyExc_OverflowError, "%s: %ld does not fit 32 bits", name, number);
    return false;
  }
  *(int*)at = (int)number;
  return true;
}

static bool store_bool(void* at, PyObject* value) {
  int truth = PyObject_IsTrue(value);
  if (truth >= 0) *(ctBool*)at = truth != 0;
  return truth >= 0;
}

static bool store_real(void* at, PyObject* value, ctFieldType type) {
  double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return false;
  if (type == CT_FIELD_REAL) {
    *(ctReal*)at = (ctReal)number;
  } else {
    *(float*)at = (float)number;
  }
  return true;
}

static PyObject* set_scalar(PyObject* self, PyObject* args) {
  PyObject *index, *value;
  if (!PyArg_ParseTuple(args, "OO:set_scalar", &index, &value)) return NULL;
  const FieldInfo* row = scalar_at((Block*)self, index);
  if (!row) return NULL;
  void* at = memory_of((Block*)self) + row->offset;
  bool ok = false;
  switch (row->readonly ? CT_FIELD_COUNT : row->type) {
    case CT_FIELD_REAL:
    case CT_FIELD_FLOAT: ok = store_real(at, value, row->type); break;
    case CT_FIELD_INT: ok = store_int(at, value, row->name); break;
    case CT_FIELD_BOOL: ok = store_bool(at, value); break;
    default: PyErr_Format(PyExc_AttributeError, "%s cannot be set", row->name);
  }
  return ok ? Py_NewRef(Py_None) : NULL;
}

// Where an array lies in the block: (offset, rows, cols). Arrays in the arena have no such place.
static PyObject* place(PyObject* self, PyObject* index) {
  Block* block = (Block*)self;
  ctField field;
  if (!field_of(block, index, &field)) return NULL;
  Py_ssize_t offset = field.data ? (char*)field.data - memory_of(block) : 0;
  return Py_BuildValue("nLL", offset, (long long)field.rows, (long long)field.cols);
}

// The elements of an array as they are now: (bytes, rows, cols). Safe for the arena, whose memory comes and
// goes.
static PyObject* snapshot(PyObject* self, PyObject* index) {
  Block* block = (Block*)self;
  ctField field;
  if (!block_is_readable(block) || !field_of(block, index, &field)) return NULL;
  return Py_BuildValue("NLL", PyBytes_FromStringAndSize(field.data, byte_count(&field)),
                       (long long)field.rows, (long long)field.cols);
}

// The arena of a data as a buffer, and where an array lies in it: (buffer, offset, rows, cols), with None for
// an array without elements. The memory stays as long as the buffer; the next step writes something else
// there.
static PyObject* arena(PyObject* self, PyObject* index) {
  Block* block = (Block*)self;
  ctField field;
  Py_ssize_t offset = 0;
  if (!block_is_readable(block) || !field_of(block, index, &field)) return NULL;
  PyObject* view = field.data && field.rows * field.cols > 0
                       ? arena_view(PyType_GetModuleState(Py_TYPE(self)), block, field.data, &offset)
                       : Py_NewRef(Py_None);
  if (!view) return NULL;
  return Py_BuildValue("NnLL", view, offset, (long long)field.rows, (long long)field.cols);
}

// Overwrite the elements of an array in the arena by those of a buffer of the same size.
static PyObject* overwrite(PyObject* self, PyObject* args) {
  Block* block = (Block*)self;
  PyObject* index;
  Py_buffer source;
  if (!PyArg_ParseTuple(args, "Oy*:overwrite", &index, &source)) return NULL;
  bool ok = false;
  ctField field;
  if (block_is_idle(block) && field_of(block, index, &field)) {
    Py_ssize_t bytes = byte_count(&field);
    ok = bytes == source.len;
    if (ok && bytes > 0) memcpy(field.data, source.buf, (size_t)bytes);
    if (!ok) PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", field.name, bytes, source.len);
  }
  PyBuffer_Release(&source);
  return ok ? Py_NewRef(Py_None) : NULL;
}

// Where in the block the solver's report begins.
static PyObject* solver_offset(PyObject* self, PyObject* unused) {
  (void)unused;
  const Block* block = (const Block*)self;
  return PyLong_FromSsize_t((const char*)block->d->solver - (const char*)block->d);
}

PyMethodDef field_methods[] = {
    {"solver_offset", solver_offset, METH_NOARGS, "solver_offset() -> int, of a data"},
    {"get_scalar", get_scalar, METH_O, "get_scalar(field) -> number"},
    {"set_scalar", set_scalar, METH_VARARGS, "set_scalar(field, value)"},
    {"place", place, METH_O, "place(field) -> (offset, rows, cols)"},
    {"snapshot", snapshot, METH_O, "snapshot(field) -> (bytes, rows, cols)"},
    {"arena", arena, METH_O, "arena(field) -> (buffer, offset, rows, cols)"},
    {"overwrite", overwrite, METH_VARARGS, "overwrite(field, buffer)"},
    {NULL, NULL, 0, NULL},
};
