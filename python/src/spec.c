// Specs: a Python object owns a ctSpec; elements are capsules that keep it alive.
#include <string.h>

#include "core.h"

#define ELEMENT "corten.element"
#define FILES   "corten.files"

typedef struct Spec {
  PyObject_HEAD ctSpec* spec;
  PyObject* files;    // list of capsules: the files in memory it may need, shared with the specs it came from
  PyObject* remarks;  // list of what reading and editing it has to say
} Spec;

static void spec_dealloc(PyObject* self) {
  Spec* s = (Spec*)self;
  PyTypeObject* type = Py_TYPE(self);
  ct_spec_free(s->spec);
  Py_CLEAR(s->files);
  Py_CLEAR(s->remarks);
  freefunc release = PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyType_Slot slots[] = {{Py_tp_dealloc, spec_dealloc}, {0, NULL}};
PyType_Spec spec_type_spec = {.name = "corten._core.Spec",
                              .basicsize = sizeof(Spec),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              .slots = slots};

static Spec* spec_new(const State* state) {
  Spec* s = (Spec*)PyType_GenericAlloc(state->spec_type, 0);
  if (s && (!(s->files = PyList_New(0)) || !(s->remarks = PyList_New(0)))) Py_CLEAR(s);
  return s;
}

static void free_files(PyObject* capsule) {
  ct_vfs_free(PyCapsule_GetPointer(capsule, FILES));
}

// Files in memory for as long as the spec, or one that takes from it, needs them. NULL with an exception.
static ctVfs* keep_files(const State* state, Spec* s, PyObject* assets) {
  ctVfs* vfs = make_vfs(state, assets);
  PyObject* capsule = vfs ? PyCapsule_New(vfs, FILES, free_files) : NULL;
  if (vfs && !capsule) ct_vfs_free(vfs);
  bool ok = capsule && PyList_Append(s->files, capsule) == 0;
  Py_XDECREF(capsule);
  return ok ? vfs : NULL;
}

// ---- arguments

#define SPEC_TYPE(module) (((State*)PyModule_GetState(module))->spec_type)

// A capsule or None.
static int as_element(PyObject* object, void* out) {
  if (object == Py_None) {
    *(ctElement**)out = NULL;
    return 1;
  }
  *(ctElement**)out = PyCapsule_GetPointer(object, ELEMENT);
  return *(ctElement**)out != NULL;
}

static PyObject* wrap(ctElement* e) {
  return e ? PyCapsule_New(e, ELEMENT, NULL) : Py_NewRef(Py_None);
}

static PyObject* none_or_raise(PyObject* module, ctStatus status, const ctError* err) {
  return status == CT_OK ? Py_NewRef(Py_None) : raise_error(PyModule_GetState(module), err);
}

// ---- life

static PyObject* make_spec(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *path, *assets, *given;
  const char* text;
  Py_ssize_t size;
  ctLoadOptions opt = {0};
  ctUrdfOptions urdf = {0};
  if (!PyArg_ParseTuple(args, "Oz#OO:make_spec", &path, &text, &size, &assets, &given)) return NULL;
  if (!take_limits(given, &opt, &urdf)) return NULL;
  PyObject* encoded = NULL;
  if (path != Py_None && !PyUnicode_FSConverter(path, &encoded)) return NULL;
  Spec* s = spec_new(state);
  ctVfs* vfs = NULL;
  bool ok = s && (assets == Py_None || (vfs = keep_files(state, s, assets)));
  if (ok) {
    const ctLog log = {.write = collect_remark, .context = s->remarks};
    opt.vfs = vfs;
    opt.log = &log;
    ctError err = {0};
    ctStatus status;
    if (encoded) {
      status = ct_spec_load(&s->spec, PyBytes_AsString(encoded), &opt, &err);
    } else if (text) {
      status = ct_spec_load_string(&s->spec, text, (size_t)size, &opt, &err);
    } else {
      status = ct_spec_create(&s->spec, &opt, &err);
    }
    ok = status == CT_OK;
    if (!ok) raise_error(state, &err);
  }
  Py_XDECREF(encoded);
  if (!ok) Py_CLEAR(s);
  return (PyObject*)s;
}

// The spec of a compiled model; what text cannot hold becomes files in memory.
static PyObject* spec_of_model(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* block = block_of(state, model, KIND_MODEL);
  Spec* s = block ? spec_new(state) : NULL;
  PyObject* none = s ? PyDict_New() : NULL;
  ctVfs* files = none ? keep_files(state, s, none) : NULL;
  Py_XDECREF(none);
  bool ok = files != NULL;
  if (ok) {
    const ctLog log = {.write = collect_remark, .context = s->remarks};
    ctError err = {0};
    ok = ct_spec_from_model(&s->spec, block->m, files, &log, &err) == CT_OK;
    if (!ok) raise_error(state, &err);
  }
  block_drop(block);
  if (!ok) Py_CLEAR(s);
  return (PyObject*)s;
}

// {name: bytes} of the files in memory.
static PyObject* spec_files(PyObject* module, PyObject* args) {
  Spec* s;
  if (!PyArg_ParseTuple(args, "O!:spec_files", SPEC_TYPE(module), &s)) return NULL;
  PyObject* all = PyDict_New();
  for (Py_ssize_t k = 0; all && k < PyList_Size(s->files); k++) {
    const ctVfs* vfs = PyCapsule_GetPointer(PyList_GetItem(s->files, k), FILES);
    for (int i = 0; all && i < ct_vfs_count(vfs); i++) {
      const char* name;
      const void* data;
      size_t size;
      ct_vfs_file(vfs, i, &name, &data, &size);
      PyObject* bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
      if (!bytes || PyDict_SetItemString(all, name, bytes) < 0) Py_CLEAR(all);
      Py_XDECREF(bytes);
    }
  }
  return all;
}

static PyObject* spec_remarks(PyObject* module, PyObject* args) {
  Spec* s;
  if (!PyArg_ParseTuple(args, "O!:spec_remarks", SPEC_TYPE(module), &s)) return NULL;
  return PyList_AsTuple(s->remarks);
}

// `s` may need the files of `other` from now on.
static bool use(Spec* s, Spec* other) {
  if (s == other) return true;
  PyObject* list = PySequence_InPlaceConcat(s->files, other->files);
  Py_XDECREF(list);
  return list != NULL;
}

static PyObject* copy_spec(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  Spec* from;
  if (!PyArg_ParseTuple(args, "O!:copy_spec", SPEC_TYPE(module), &from)) return NULL;
  Spec* s = spec_new(state);
  ctError err = {0};
  if (s && ct_spec_copy(&s->spec, from->spec, &err) != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(s);
  }
  if (s && !use(s, from)) Py_CLEAR(s);
  if (s) ct_spec_set_log(s->spec, &(ctLog){.write = collect_remark, .context = s->remarks});
  return (PyObject*)s;
}

// What one compilation said belongs to its model.
static void forget_remarks(Spec* s, Py_ssize_t known) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  if (PyList_SetSlice(s->remarks, known, PyList_Size(s->remarks), NULL) < 0) PyErr_Clear();
  PyErr_Restore(type, value, trace);
}

static PyObject* compile_spec(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  Spec* s;
  if (!PyArg_ParseTuple(args, "O!:compile_spec", SPEC_TYPE(module), &s)) return NULL;
  Block* block = block_new(state, KIND_MODEL);
  Py_ssize_t known = PyList_Size(s->remarks);
  ctError err = {0};
  bool ok = block && ct_model_compile(&block->m, s->spec, &err) == CT_OK;
  if (block && !ok) raise_error(state, &err);
  ok = ok && issue_remarks(block, s->remarks);
  forget_remarks(s, known);
  if (!ok) Py_CLEAR(block);
  return (PyObject*)block;
}

// The text as seen from a folder, None for that of its file.
static PyObject* write_spec(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  Spec* s;
  const char* folder;
  if (!PyArg_ParseTuple(args, "O!z:spec_write", SPEC_TYPE(module), &s, &folder)) return NULL;
  size_t length = 0;
  ctError err = {0};
  if (ct_spec_save_string(s->spec, folder, NULL, 0, &length, &err) != CT_OK) return raise_error(state, &err);
  char* buffer = PyMem_Calloc(length + 1, 1);
  if (!buffer) return PyErr_NoMemory();
  ctStatus status = ct_spec_save_string(s->spec, folder, buffer, length + 1, NULL, &err);
  PyObject* text = status == CT_OK ? PyUnicode_DecodeUTF8(buffer, (Py_ssize_t)length, "replace")
                                   : raise_error(state, &err);
  PyMem_Free(buffer);
  return text;
}

static PyObject* simplify(PyObject* module, PyObject* args, ctStatus (*how)(ctSpec*, int*, ctError*)) {
  Spec* s;
  if (!PyArg_ParseTuple(args, "O!", SPEC_TYPE(module), &s)) return NULL;
  ctError err = {0};
  int count = 0;
  ctStatus status = how(s->spec, &count, &err);
  return status == CT_OK ? PyLong_FromLong(count) : raise_error(PyModule_GetState(module), &err);
}

static PyObject* fuse_static(PyObject* module, PyObject* args) {
  return simplify(module, args, ct_spec_fuse_static);
}

static PyObject* discard_visual(PyObject* module, PyObject* args) {
  return simplify(module, args, ct_spec_discard_visual);
}

static PyObject* save_spec(PyObject* module, PyObject* args) {
  Spec* s;
  PyObject* path;
  if (!PyArg_ParseTuple(args, "O!O&:spec_save", SPEC_TYPE(module), &s, PyUnicode_FSConverter, &path))
    return NULL;
  ctError err = {0};
  ctStatus status = ct_spec_save(s->spec, PyBytes_AsString(path), &err);
  Py_DECREF(path);
  return none_or_raise(module, status, &err);
}

// The old model and data stay as they are: copies of them are recompiled.
static PyObject* recompile_spec(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  Spec* s;
  PyObject *model, *data;
  if (!PyArg_ParseTuple(args, "O!OO:recompile_spec", SPEC_TYPE(module), &s, &model, &data)) return NULL;
  Call call;
  if (!call_begin(&call, state, model, data)) return NULL;
  ctModel* m = NULL;
  ctData* d = NULL;
  ctError err = {0};
  ctStatus status = ct_model_copy(&m, call.m, &err);
  if (status == CT_OK) status = ct_data_create(&d, m, &err);
  if (status == CT_OK) status = ct_data_copy(m, call.d, d);
  Py_ssize_t known = PyList_Size(s->remarks);
  if (status == CT_OK) status = ct_model_recompile(&m, &d, s->spec, &err);
  call_end(&call);
  Block* new_model = status == CT_OK ? block_new(state, KIND_MODEL) : NULL;
  bool told = new_model && issue_remarks(new_model, s->remarks);
  forget_remarks(s, known);
  Block* new_data = told ? block_new(state, KIND_DATA) : NULL;
  if (!new_data) {
    if (status != CT_OK && err.status != CT_OK) raise_error(state, &err);
    if (status != CT_OK && err.status == CT_OK) raise_status(state, "recompile", status);
    ct_data_free(d);
    ct_model_free(m);
    Py_XDECREF((PyObject*)new_model);
    return NULL;
  }
  new_model->m = new_data->m = m;
  new_data->d = d;
  new_data->model = (Block*)Py_NewRef((PyObject*)new_model);
  return Py_BuildValue("NN", new_model, new_data);
}

// ---- the tree

// A tuple of names and values in turn; NULL with an exception on failure.
static const char** pairs_of(PyObject* tuple) {
  Py_ssize_t n = PyTuple_Size(tuple);
  const char** pairs = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof(char*));
  if (!pairs) return n < 0 ? NULL : (const char**)PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < n; i++) {
    pairs[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
    if (!pairs[i]) {
      PyMem_Free(pairs);
      return NULL;
    }
  }
  return pairs;
}

static PyObject* add(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement *parent, *e = NULL;
  const char* tag;
  PyObject* tuple;
  if (!PyArg_ParseTuple(args, "O!O&sO!:spec_add", SPEC_TYPE(module), &s, as_element, &parent, &tag,
                        &PyTuple_Type, &tuple))
    return NULL;
  const char** pairs = pairs_of(tuple);
  if (!pairs) return NULL;
  ctError err = {0};
  ctStatus status = ct_spec_add(&e, s->spec, parent, tag, pairs, &err);
  PyMem_Free(pairs);
  return status == CT_OK ? wrap(e) : raise_error(PyModule_GetState(module), &err);
}

static PyObject* add_xml(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement *parent, *e = NULL;
  const char* text;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "O!O&s#:spec_add_xml", SPEC_TYPE(module), &s, as_element, &parent, &text,
                        &size))
    return NULL;
  ctError err = {0};
  ctStatus status = ct_spec_add_xml(&e, s->spec, parent, text, (size_t)size, &err);
  return status == CT_OK ? wrap(e) : raise_error(PyModule_GetState(module), &err);
}

static PyObject* remove_element(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  if (!PyArg_ParseTuple(args, "O!O&:spec_remove", SPEC_TYPE(module), &s, as_element, &e)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_remove(s->spec, e, &err), &err);
}

static PyObject* move(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  int place;
  if (!PyArg_ParseTuple(args, "O!O&i:spec_move", SPEC_TYPE(module), &s, as_element, &e, &place)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_move(s->spec, e, place, &err), &err);
}

static PyObject* remove_alone(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  if (!PyArg_ParseTuple(args, "O!O&:spec_remove_alone", SPEC_TYPE(module), &s, as_element, &e)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_remove_alone(s->spec, e, &err), &err);
}

static PyObject* set_frame(PyObject* module, PyObject* args) {
  ctElement *e, *frame;
  if (!PyArg_ParseTuple(args, "O&O&:element_set_frame", as_element, &e, as_element, &frame)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_element_set_frame(e, frame, &err), &err);
}

static PyObject* attach(PyObject* module, PyObject* args) {
  Spec *s, *from;
  ctElement *parent, *part, *e = NULL;
  const char *prefix, *suffix;
  if (!PyArg_ParseTuple(args, "O!O&O!O&ss:spec_attach", SPEC_TYPE(module), &s, as_element, &parent,
                        SPEC_TYPE(module), &from, as_element, &part, &prefix, &suffix))
    return NULL;
  ctError err = {0};
  if (!use(s, from)) return NULL;
  ctStatus status = ct_spec_attach(&e, s->spec, parent, from->spec, part, prefix, suffix, &err);
  return status == CT_OK ? wrap(e) : raise_error(PyModule_GetState(module), &err);
}

static PyObject* dissolve(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement *body, *frame = NULL;
  if (!PyArg_ParseTuple(args, "O!O&:spec_dissolve", SPEC_TYPE(module), &s, as_element, &body)) return NULL;
  ctError err = {0};
  ctStatus status = ct_spec_dissolve(&frame, s->spec, body, &err);
  return status == CT_OK ? wrap(frame) : raise_error(PyModule_GetState(module), &err);
}

static PyObject* world(PyObject* module, PyObject* args) {
  Spec* s;
  return PyArg_ParseTuple(args, "O!:spec_world", SPEC_TYPE(module), &s) ? wrap(ct_spec_world(s->spec)) : NULL;
}

static PyObject* find(PyObject* module, PyObject* args) {
  Spec* s;
  int type;
  const char* name;
  if (!PyArg_ParseTuple(args, "O!is:spec_find", SPEC_TYPE(module), &s, &type, &name)) return NULL;
  return wrap(ct_spec_find(s->spec, (ctObjType)type, name));
}

// `count` elements as a list; takes over `all`.
static PyObject* list_of(ctElement** all, int count) {
  PyObject* list = PyList_New(0);
  for (int i = 0; list && i < count; i++) {
    PyObject* e = wrap(all[i]);
    if (!e || PyList_Append(list, e) < 0) Py_CLEAR(list);
    Py_XDECREF(e);
  }
  PyMem_Free(all);
  return list;
}

static PyObject* list_kind(PyObject* module, PyObject* args) {
  Spec* s;
  int type;
  if (!PyArg_ParseTuple(args, "O!i:spec_list", SPEC_TYPE(module), &s, &type)) return NULL;
  int n = ct_spec_list(s->spec, (ctObjType)type, NULL, 0);
  ctElement** all = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof(ctElement*));
  if (!all || ct_spec_list(s->spec, (ctObjType)type, all, n) != n) {
    PyMem_Free(all);
    return PyErr_NoMemory();
  }
  return list_of(all, n);
}

static PyObject* children(PyObject* module, PyObject* args) {
  (void)module;
  ctElement* e;
  if (!PyArg_ParseTuple(args, "O&:element_children", as_element, &e)) return NULL;
  int n = ct_element_children(e, NULL, 0);
  ctElement** all = PyMem_Calloc((size_t)n + 1, sizeof(ctElement*));
  if (!all) return PyErr_NoMemory();
  ct_element_children(e, all, n);
  return list_of(all, n);
}

// (address, tag, name, kind, parent): what an element is.
static PyObject* describe(PyObject* module, PyObject* args) {
  (void)module;
  ctElement* e;
  if (!PyArg_ParseTuple(args, "O&:element_describe", as_element, &e)) return NULL;
  return Py_BuildValue("KsziN", (unsigned long long)(uintptr_t)e, ct_element_tag(e), ct_element_name(e),
                       (int)ct_element_type(e), wrap(ct_element_parent(e)));
}

// {name: (kind, min, max)}
static PyObject* attrs(PyObject* module, PyObject* args) {
  (void)module;
  ctElement* e;
  if (!PyArg_ParseTuple(args, "O&:element_attrs", as_element, &e)) return NULL;
  PyObject* all = PyDict_New();
  for (int i = 0; all && i < ct_element_attr_count(e); i++) {
    ctAttr a;
    ct_element_attr(e, i, &a);
    PyObject* row = Py_BuildValue("iii", (int)a.kind, a.min, a.max);
    if (!row || PyDict_SetItemString(all, a.name, row) < 0) Py_CLEAR(all);
    Py_XDECREF(row);
  }
  return all;
}

// ---- attributes

static PyObject* set(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  const char *name, *text;
  if (!PyArg_ParseTuple(args, "O!O&ss:element_set", SPEC_TYPE(module), &s, as_element, &e, &name, &text))
    return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_element_set(s->spec, e, name, text, &err), &err);
}

// One of the three calls that give text, made twice: for the length, for the text.
typedef struct TextCall {
  Spec* s;
  ctElement* e;
  const char *section, *tag, *name;
} TextCall;

static ctStatus call_text(const TextCall* c, char* buffer, size_t size, size_t* length, ctError* err) {
  if (c->e) return ct_element_get(c->e, c->name, buffer, size, length, err);
  if (c->tag) return ct_spec_get_default(c->s->spec, c->section, c->tag, c->name, buffer, size, length, err);
  return ct_spec_get(c->s->spec, c->section, c->name, buffer, size, length, err);
}

static PyObject* text_of(PyObject* module, const TextCall* c) {
  size_t length = 0;
  ctError err = {0};
  if (call_text(c, NULL, 0, &length, &err) != CT_OK) return raise_error(PyModule_GetState(module), &err);
  char* buffer = PyMem_Calloc(length + 1, 1);
  if (!buffer) return PyErr_NoMemory();
  call_text(c, buffer, length + 1, NULL, &err);
  PyObject* text = PyUnicode_DecodeUTF8(buffer, (Py_ssize_t)length, "replace");
  PyMem_Free(buffer);
  return text;
}

static PyObject* get(PyObject* module, PyObject* args) {
  TextCall c = {0};
  if (!PyArg_ParseTuple(args, "O&s:element_get", as_element, &c.e, &c.name)) return NULL;
  return text_of(module, &c);
}

static PyObject* set_setting(PyObject* module, PyObject* args) {
  Spec* s;
  const char *section, *name, *text;
  if (!PyArg_ParseTuple(args, "O!sss:spec_set", SPEC_TYPE(module), &s, &section, &name, &text)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_set(s->spec, section, name, text, &err), &err);
}

static PyObject* get_setting(PyObject* module, PyObject* args) {
  TextCall c = {0};
  if (!PyArg_ParseTuple(args, "O!ss:spec_get", SPEC_TYPE(module), &c.s, &c.section, &c.name)) return NULL;
  return text_of(module, &c);
}

static PyObject* setting_is_set(PyObject* module, PyObject* args) {
  Spec* s;
  const char *section, *name;
  if (!PyArg_ParseTuple(args, "O!ss:spec_is_set", SPEC_TYPE(module), &s, &section, &name)) return NULL;
  return PyBool_FromLong(ct_spec_is_set(s->spec, section, name));
}

// element_set_plugin(spec, element, plugin or None, instance or None, (name, value, ...))
static PyObject* set_plugin(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  const char *plugin, *instance;
  PyObject* tuple;
  if (!PyArg_ParseTuple(args, "O!O&zzO!:element_set_plugin", SPEC_TYPE(module), &s, as_element, &e, &plugin,
                        &instance, &PyTuple_Type, &tuple))
    return NULL;
  const char** config = pairs_of(tuple);
  if (!config) return NULL;
  ctError err = {0};
  ctStatus status = ct_element_set_plugin(s->spec, e, plugin, instance, config, &err);
  PyMem_Free(config);
  return none_or_raise(module, status, &err);
}

// (plugin or None, instance or None, {name: value})
static PyObject* get_plugin(PyObject* module, PyObject* args) {
  ctElement* e;
  const char *plugin = NULL, *instance = NULL;
  ctError err = {0};
  if (!PyArg_ParseTuple(args, "O&:element_plugin", as_element, &e)) return NULL;
  if (ct_element_get_plugin(e, &plugin, &instance, &err) != CT_OK)
    return raise_error(PyModule_GetState(module), &err);
  PyObject* config = PyDict_New();
  char name[1000], value[1000];
  for (int i = 0; config && ct_element_get_config(e, i, name, value, sizeof(name), &err) == CT_OK; i++) {
    PyObject* text = PyUnicode_DecodeUTF8(value, (Py_ssize_t)strlen(value), "replace");
    if (!text || PyDict_SetItemString(config, name, text) < 0) Py_CLEAR(config);
    Py_XDECREF(text);
  }
  return config ? Py_BuildValue("zzN", plugin, instance, config) : NULL;
}

static PyObject* add_class(PyObject* module, PyObject* args) {
  Spec* s;
  const char *name, *parent;
  if (!PyArg_ParseTuple(args, "O!sz:spec_add_class", SPEC_TYPE(module), &s, &name, &parent)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_add_class(s->spec, name, parent, &err), &err);
}

static PyObject* remove_class(PyObject* module, PyObject* args) {
  Spec* s;
  const char* name;
  if (!PyArg_ParseTuple(args, "O!s:spec_remove_class", SPEC_TYPE(module), &s, &name)) return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_remove_class(s->spec, name, &err), &err);
}

static PyObject* set_class(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* e;
  const char* name;
  if (!PyArg_ParseTuple(args, "O!O&s:element_set_class", SPEC_TYPE(module), &s, as_element, &e, &name))
    return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_element_set_class(s->spec, e, name, &err), &err);
}

static PyObject* set_default(PyObject* module, PyObject* args) {
  Spec* s;
  const char *class_name, *tag, *name, *text;
  if (!PyArg_ParseTuple(args, "O!ssss:spec_set_default", SPEC_TYPE(module), &s, &class_name, &tag, &name,
                        &text))
    return NULL;
  ctError err = {0};
  return none_or_raise(module, ct_spec_set_default(s->spec, class_name, tag, name, text, &err), &err);
}

static PyObject* get_default(PyObject* module, PyObject* args) {
  TextCall c = {0};
  if (!PyArg_ParseTuple(args, "O!sss:spec_get_default", SPEC_TYPE(module), &c.s, &c.section, &c.tag, &c.name))
    return NULL;
  return text_of(module, &c);
}

// spec_add_kit_joint(spec, body, joint, name or None)
static PyObject* add_kit_joint(PyObject* module, PyObject* args) {
  Spec* s;
  ctElement* body;
  Py_buffer joint;
  const char* name;
  ctError err = {0};
  if (!PyArg_ParseTuple(args, "O!O&y*z:spec_add_kit_joint", SPEC_TYPE(module), &s, as_element, &body, &joint,
                        &name)) {
    return NULL;
  }
  ctStatus status = CT_ERR_ARGUMENT;
  bool fits = joint.len == (Py_ssize_t)sizeof(ctKitJoint);
  if (fits) status = ct_kit_joint_to_spec(joint.buf, s->spec, body, name, &err);
  PyBuffer_Release(&joint);
  if (!fits) return PyErr_Format(PyExc_ValueError, "that is no joint of the kit");
  return status == CT_OK ? Py_NewRef(Py_None) : raise_error(PyModule_GetState(module), &err);
}

PyMethodDef spec_methods[] = {
    {"spec_add_kit_joint", add_kit_joint, METH_VARARGS, "spec_add_kit_joint(spec, body, joint, name)"},
    {"make_spec", make_spec, METH_VARARGS, "make_spec(path, text, assets, limits) -> Spec"},
    {"spec_of_model", spec_of_model, METH_O, "spec_of_model(model) -> Spec"},
    {"spec_files", spec_files, METH_VARARGS, "spec_files(spec) -> {name: bytes}"},
    {"spec_remarks", spec_remarks, METH_VARARGS, "spec_remarks(spec) -> (line, ...)"},
    {"copy_spec", copy_spec, METH_VARARGS, "copy_spec(spec) -> Spec"},
    {"compile_spec", compile_spec, METH_VARARGS, "compile_spec(spec) -> Block"},
    {"spec_write", write_spec, METH_VARARGS, "spec_write(spec, folder) -> text"},
    {"spec_fuse_static", fuse_static, METH_VARARGS, "spec_fuse_static(spec) -> number of bodies"},
    {"spec_discard_visual", discard_visual, METH_VARARGS, "spec_discard_visual(spec) -> number of elements"},
    {"spec_save", save_spec, METH_VARARGS, "spec_save(spec, path)"},
    {"recompile_spec", recompile_spec, METH_VARARGS, "recompile_spec(spec, model, data) -> (Block, Block)"},
    {"spec_add", add, METH_VARARGS, "spec_add(spec, parent, tag, (name, value, ...)) -> element"},
    {"spec_add_xml", add_xml, METH_VARARGS, "spec_add_xml(spec, parent, text) -> element"},
    {"spec_remove", remove_element, METH_VARARGS, "spec_remove(spec, element)"},
    {"spec_move", move, METH_VARARGS, "spec_move(spec, element, place)"},
    {"spec_remove_alone", remove_alone, METH_VARARGS, "spec_remove_alone(spec, element)"},
    {"element_set_frame", set_frame, METH_VARARGS, "element_set_frame(element, frame or None)"},
    {"spec_attach", attach, METH_VARARGS, "spec_attach(spec, parent, from, part, prefix, suffix) -> element"},
    {"spec_dissolve", dissolve, METH_VARARGS, "spec_dissolve(spec, body) -> frame"},
    {"spec_world", world, METH_VARARGS, "spec_world(spec) -> element"},
    {"spec_find", find, METH_VARARGS, "spec_find(spec, type, name) -> element or None"},
    {"spec_list", list_kind, METH_VARARGS, "spec_list(spec, type) -> [element]"},
    {"spec_set", set_setting, METH_VARARGS, "spec_set(spec, section, name, text)"},
    {"spec_get", get_setting, METH_VARARGS, "spec_get(spec, section, name) -> text"},
    {"spec_is_set", setting_is_set, METH_VARARGS, "spec_is_set(spec, section, name) -> bool"},
    {"element_set_plugin", set_plugin, METH_VARARGS,
     "element_set_plugin(spec, element, plugin, instance, (name, value, ...))"},
    {"element_plugin", get_plugin, METH_VARARGS, "element_plugin(element) -> (plugin, instance, config)"},
    {"spec_add_class", add_class, METH_VARARGS, "spec_add_class(spec, name, parent)"},
    {"spec_remove_class", remove_class, METH_VARARGS, "spec_remove_class(spec, name)"},
    {"element_set_class", set_class, METH_VARARGS, "element_set_class(spec, element, class)"},
    {"spec_set_default", set_default, METH_VARARGS, "spec_set_default(spec, class, tag, name, text)"},
    {"spec_get_default", get_default, METH_VARARGS, "spec_get_default(spec, class, tag, name) -> text"},
    {"element_children", children, METH_VARARGS, "element_children(element) -> [element]"},
    {"element_describe", describe, METH_VARARGS,
     "element_describe(element) -> (id, tag, name, kind, parent)"},
    {"element_attrs", attrs, METH_VARARGS, "element_attrs(element) -> {name: (kind, min, max)}"},
    {"element_set", set, METH_VARARGS, "element_set(spec, element, name, text)"},
    {"element_get", get, METH_VARARGS, "element_get(element, name) -> text"},
    {NULL, NULL, 0, NULL},
};
