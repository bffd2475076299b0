// corten.Error: made from a ctError, with its parts as attributes.
#include <string.h>

#include "core.h"

PyObject* make_error_type(void) {
  return PyErr_NewExceptionWithDoc(
      "corten.Error",
      "A call failed. The text is `file:line:column: message`; the parts are attributes:\n"
      "file, line, column, element (None where unknown), message, and status (a corten.Status).",
      NULL, NULL);
}

PyObject* make_warning_type(void) {
  return PyErr_NewExceptionWithDoc(
      "corten.SimulationWarning",
      "Steps of a Data met trouble, such as bad numbers after which the state was reset. Issued once for "
      "each\n"
      "Data, with the kind and how often; `data.status` and `data.warning` tell from then on.",
      PyExc_RuntimeWarning, NULL);
}

// Set an attribute to `value`, which is consumed and may be NULL after a failure.
static bool set(PyObject* object, const char* name, PyObject* value) {
  bool ok = value && PyObject_SetAttrString(object, name, value) == 0;
  Py_XDECREF(value);
  return ok;
}

static PyObject* text_or_none(const char* text) {
  if (!text[0]) return Py_NewRef(Py_None);
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject* number_or_none(int number) {
  return number > 0 ? PyLong_FromLong(number) : Py_NewRef(Py_None);
}

PyObject* raise_error(const State* state, const ctError* err) {
  char line[sizeof(err->file) + sizeof(err->message) + 64];
  ct_error_format(err, line, sizeof(line));
  PyObject* text = PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace");
  PyObject* error = text ? PyObject_CallFunctionObjArgs(state->error, text, NULL) : NULL;
  Py_XDECREF(text);
  if (error && set(error, "status", PyLong_FromLong(err->status)) &&
      set(error, "file", text_or_none(err->file)) && set(error, "line", number_or_none(err->line)) &&
      set(error, "column", number_or_none(err->column)) &&
      set(error, "element", text_or_none(err->element)) &&
      set(error, "message", text_or_none(err->message))) {
    PyErr_SetObject(state->error, error);
  }
  Py_XDECREF(error);
  return NULL;
}

PyObject* raise_status(const State* state, const char* call, ctStatus status) {
  ctError err = {.status = status};
  PyOS_snprintf(err.message, sizeof(err.message), "%s: %s", call, ct_status_text(status));
  return raise_error(state, &err);
}
