// Making blocks: a model from a file or a string, a data from a model, copies of both.
#include "core.h"

// ---- remarks of the loader: collected while it works, issued as Python warnings afterwards

void collect_remark(void* context, ctLogLevel level, const char* text) {
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject* line = Py_BuildValue("(is)", (int)level, text);
  if (!line || PyList_Append(context, line) < 0) PyErr_Clear();  // out of memory: loading will say so
  Py_XDECREF(line);
  PyGILState_Release(gil);
}

bool issue_remarks(Block* block, PyObject* remarks) {
  Py_ssize_t n = PyList_Size(remarks);
  block->remarks = PyTuple_New(n);
  if (!block->remarks) return false;
  for (Py_ssize_t i = 0; i < n; i++) {
    int level;
    PyObject* line;
    if (!PyArg_ParseTuple(PyList_GetItem(remarks, i), "iO", &level, &line)) return false;
    if (PyTuple_SetItem(block->remarks, i, Py_NewRef(line)) < 0) return false;
    const char* text = level == CT_LOG_WARNING ? PyUnicode_AsUTF8AndSize(line, NULL) : "";
    if (!text || (*text && PyErr_WarnEx(PyExc_UserWarning, text, 2) < 0)) return false;
  }
  return true;
}

// ---- files in memory --------------------------------------------------------------------------------------

static bool add_asset(const State* state, ctVfs* vfs, PyObject* name, PyObject* content) {
  const char* path = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  if (!path) {
    if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "assets: names are str, not %R", name);
    return false;
  }
  Py_buffer bytes;
  if (PyObject_GetBuffer(content, &bytes, PyBUF_SIMPLE) < 0) return false;
  ctError err = {0};
  ctStatus status = ct_vfs_add(vfs, path, bytes.buf, (size_t)bytes.len, &err);
  PyBuffer_Release(&bytes);
  if (status != CT_OK) raise_error(state, &err);
  return status == CT_OK;
}

// A file system with the entries of a dict; NULL with an exception on failure.
ctVfs* make_vfs(const State* state, PyObject* assets) {
  if (!PyDict_Check(assets)) {
    PyErr_Format(PyExc_TypeError, "assets: expected a dict of names and bytes, got %R", assets);
    return NULL;
  }
  ctVfs* vfs;
  ctError err = {0};
  if (ct_vfs_create(&vfs, NULL, &err) != CT_OK) {
    raise_error(state, &err);
    return NULL;
  }
  PyObject *name, *content;
  for (Py_ssize_t at = 0; PyDict_Next(assets, &at, &name, &content);) {
    if (!add_asset(state, vfs, name, content)) {
      ct_vfs_free(vfs);
      return NULL;
    }
  }
  return vfs;
}

// ---- models -----------------------------------------------------------------------------------------------

// Plugins of a list of libraries. These stay open: nobody knows how long models live.
typedef struct Plugins {
  const ctPlugin** list;
  int count;
} Plugins;

#define PLUGINS "corten.plugins"

// The plugins of one more library behind those that are there.
static bool add_library(const State* state, Plugins* all, const char* path) {
  ctPluginLibrary* library;
  ctError err = {0};
  if (ct_plugin_library_open(&library, path, &err) != CT_OK) {
    raise_error(state, &err);
    return false;
  }
  int count;
  const ctPlugin* const* list = ct_plugin_library_list(library, &count);
  const ctPlugin** longer = PyMem_Realloc(all->list, (size_t)(all->count + count) * sizeof(*longer));
  if (!longer) {
    ct_plugin_library_close(library);
    PyErr_NoMemory();
    return false;
  }
  for (int i = 0; i < count; i++) longer[all->count + i] = list[i];
  all->list = longer;
  all->count += count;
  return true;
}

// open_plugins(paths): a capsule for the fourth of the limits.
static PyObject* open_plugins(PyObject* module, PyObject* paths) {
  const State* state = PyModule_GetState(module);
  PyObject* items = PySequence_Tuple(paths);
  Plugins* all = items ? PyMem_Calloc(1, sizeof(Plugins)) : NULL;
  bool ok = all != NULL;
  for (Py_ssize_t i = 0; ok && i < PyTuple_Size(items); i++) {
    PyObject* path = NULL;
    ok = PyUnicode_FSConverter(PyTuple_GetItem(items, i), &path) != 0;
    ok = ok && add_library(state, all, PyBytes_AsString(path));
    Py_XDECREF(path);
  }
  Py_XDECREF(items);
  PyObject* capsule = ok ? PyCapsule_New(all, PLUGINS, NULL) : NULL;
  if (!ok && all) PyMem_Free(all->list);
  if (!ok) PyMem_Free(all);
  if (!ok && !PyErr_Occurred()) PyErr_NoMemory();
  return capsule;
}

bool take_limits(PyObject* given, ctLoadOptions* out, ctUrdfOptions* urdf) {
  Py_ssize_t memory, arena;
  int elements;
  PyObject *capsule = NULL, *robot = NULL;
  if (!PyArg_ParseTuple(given, "nin|OO!:limits", &memory, &elements, &arena, &capsule, &PyTuple_Type, &robot))
    return false;
  if (robot) {
    int mujoco, floating, actuators;
    int balance, strict;
    if (!PyArg_ParseTuple(robot, "pppzpdddp:urdf", &mujoco, &floating, &actuators, &urdf->package_path,
                          &balance, &urdf->bound_mass, &urdf->bound_inertia, &urdf->total_mass, &strict))
      return false;
    urdf->strict_inertia = strict != 0;
    urdf->balance_inertia = balance != 0;
    urdf->mujoco = mujoco != 0;
    urdf->floating_base = floating != 0;
    urdf->actuators = actuators != 0;
    out->urdf = urdf;
  }
  if (capsule && capsule != Py_None) {
    const Plugins* plugins = PyCapsule_GetPointer(capsule, PLUGINS);
    if (!plugins) return false;
    out->plugins = plugins->list;
    out->nplugin = plugins->count;
  }
  if (memory < 0 || elements < 0 || arena < 0) {
    PyErr_SetString(PyExc_ValueError, "max_memory, max_elements and max_arena must not be negative");
    return false;
  }
  out->max_memory = (size_t)memory;
  out->max_elements = elements;
  out->max_arena = (size_t)arena;
  return true;
}

// From a file when `path`, else from `size` bytes of `text`.
static PyObject* load(const State* state, const char* path, const char* text, size_t size, PyObject* assets,
                      const ctLoadOptions* limits) {
  ctVfs* vfs = NULL;
  if (assets != Py_None && !(vfs = make_vfs(state, assets))) return NULL;
  Block* block = block_new(state, KIND_MODEL);
  PyObject* remarks = block ? PyList_New(0) : NULL;
  bool ok = remarks != NULL;
  if (ok) {
    ctLog log = {.write = collect_remark, .context = remarks};
    ctLoadOptions options = *limits;
    options.vfs = vfs;
    options.log = &log;
    ctError err = {0};
    ctStatus status;
    Py_BEGIN_ALLOW_THREADS if (path) {
      status = ct_model_load(&block->m, path, &options, &err);
    }
    else {
      status = ct_model_load_string(&block->m, text, size, &options, &err);
    }
    Py_END_ALLOW_THREADS if (status != CT_OK) raise_error(state, &err);
    ok = status == CT_OK && issue_remarks(block, remarks);
  }
  ct_vfs_free(vfs);
  Py_XDECREF(remarks);
  if (!ok) Py_CLEAR(block);
  return (PyObject*)block;
}

static PyObject* remarks_of(PyObject* module, PyObject* model) {
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  PyObject* remarks = block->remarks ? Py_NewRef(block->remarks) : PyTuple_New(0);
  block_drop(block);
  return remarks;
}

static PyObject* load_path(PyObject* module, PyObject* args) {
  PyObject *path, *assets, *given;
  ctLoadOptions limits = {0};
  ctUrdfOptions urdf = {0};
  if (!PyArg_ParseTuple(args, "O&OO:load_path", PyUnicode_FSConverter, &path, &assets, &given)) return NULL;
  PyObject* block = NULL;
  if (take_limits(given, &limits, &urdf))
    block = load(PyModule_GetState(module), PyBytes_AsString(path), NULL, 0, assets, &limits);
  Py_DECREF(path);
  return block;
}

static PyObject* load_string(PyObject* module, PyObject* args) {
  const char* text;
  Py_ssize_t size;
  PyObject *assets, *given;
  ctLoadOptions limits = {0};
  ctUrdfOptions urdf = {0};
  if (!PyArg_ParseTuple(args, "s#OO:load_string", &text, &size, &assets, &given)) return NULL;
  if (!take_limits(given, &limits, &urdf)) return NULL;
  return load(PyModule_GetState(module), NULL, text, (size_t)size, assets, &limits);
}

// FNV-1a.
static PyObject* hash_bytes(PyObject* module, PyObject* content) {
  (void)module;
  Py_buffer bytes;
  if (PyObject_GetBuffer(content, &bytes, PyBUF_SIMPLE) < 0) return NULL;
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (Py_ssize_t i = 0; i < bytes.len; i++)
    h = (h ^ ((const unsigned char*)bytes.buf)[i]) * UINT64_C(0x100000001b3);
  PyBuffer_Release(&bytes);
  return PyLong_FromUnsignedLongLong(h);
}

// ---- saving -----------------------------------------------------------------------------------------------

static PyObject* save_model(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *path, *result = NULL;
  if (!PyArg_ParseTuple(args, "OO&:save_model", &model, PyUnicode_FSConverter, &path)) return NULL;
  Block* block = block_of(state, model, KIND_MODEL);
  ctError err = {0};
  if (block) {
    ctStatus status = ct_model_save(block->m, PyBytes_AsString(path), &err);
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
  }
  block_drop(block);
  Py_DECREF(path);
  return result;
}

static PyObject* write_file(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject* path;
  Py_buffer bytes;
  if (!PyArg_ParseTuple(args, "O&y*:write_file", PyUnicode_FSConverter, &path, &bytes)) return NULL;
  ctError err = {0};
  ctStatus status;
  const char* name = PyBytes_AsString(path);
  Py_BEGIN_ALLOW_THREADS status = ct_file_write(name, bytes.buf, (size_t)bytes.len, &err);
  Py_END_ALLOW_THREADS PyBuffer_Release(&bytes);
  Py_DECREF(path);
  return status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
}

static PyObject* check_model(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* block = block_of(state, model, KIND_MODEL);
  if (!block) return NULL;
  ctError err = {0};
  ctStatus status = ct_model_check(block->m, &err);
  block_drop(block);
  return status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
}

static PyObject* model_bytes(PyObject* module, PyObject* model) {
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  size_t size = ct_model_save_bytes(block->m, NULL, 0);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes) ct_model_save_bytes(block->m, PyBytes_AsString(bytes), size);
  block_drop(block);
  return bytes;
}

// model_of_bytes(bytes, remarks): what model_bytes() gave, with the remarks it had.
static PyObject* model_mjb(PyObject* module, PyObject* model) {
  Block* block = block_of(PyModule_GetState(module), model, KIND_MODEL);
  if (!block) return NULL;
  size_t size = ct_model_save_mjb_bytes(block->m, NULL, 0);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes) ct_model_save_mjb_bytes(block->m, PyBytes_AsString(bytes), size);
  block_drop(block);
  return bytes;
}

static PyObject* model_of_bytes(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  Py_buffer bytes;
  PyObject* remarks;
  if (!PyArg_ParseTuple(args, "y*O!:model_of_bytes", &bytes, &PyTuple_Type, &remarks)) return NULL;
  Block* block = block_new(state, KIND_MODEL);
  ctError err = {0};
  if (block && ct_model_load_bytes(&block->m, bytes.buf, (size_t)bytes.len, NULL, &err) != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(block);
  }
  if (block) block->remarks = Py_NewRef(remarks);
  PyBuffer_Release(&bytes);
  return (PyObject*)block;
}

static PyObject* update_model(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* block = block_of(state, model, KIND_MODEL);
  if (!block) return NULL;
  ctError err = {0};
  ctStatus status = ct_model_update(block->m, &err);
  block_drop(block);
  return status == CT_OK ? Py_NewRef(Py_None) : raise_error(state, &err);
}

static PyObject* save_mjcf(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *path;
  if (!PyArg_ParseTuple(args, "OO&:save_mjcf", &model, PyUnicode_FSConverter, &path)) return NULL;
  Block* block = block_of(state, model, KIND_MODEL);
  PyObject* remarks = block ? PyList_New(0) : NULL;
  if (remarks) {
    const ctLog log = {.write = collect_remark, .context = remarks};
    ctError err = {0};
    if (ct_model_save_mjcf(block->m, PyBytes_AsString(path), &log, &err) != CT_OK) {
      raise_error(state, &err);
      Py_CLEAR(remarks);
    }
  }
  block_drop(block);
  Py_DECREF(path);
  return remarks;
}

static PyObject* copy_model(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* from = block_of(state, model, KIND_MODEL);
  Block* to = from ? block_new(state, KIND_MODEL) : NULL;
  ctError err = {0};
  if (to && ct_model_copy(&to->m, from->m, &err) != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(to);
  }
  if (to) to->remarks = Py_XNewRef(from->remarks);
  block_drop(from);
  return (PyObject*)to;
}

// ---- data -------------------------------------------------------------------------------------------------

static Block* new_data(const State* state, Block* model) {
  Block* block = block_new(state, KIND_DATA);
  if (!block) return NULL;
  block->model = (Block*)Py_NewRef((PyObject*)model);
  block->m = model->m;
  block->memory = memory_new();
  if (!block->memory) {
    Py_DECREF((PyObject*)block);
    PyErr_NoMemory();
    return NULL;
  }
  // a data takes its memory where its model says
  ctModel with = *model->m;
  with.allocator = memory_allocator(block->memory);
  ctError err = {0};
  if (ct_data_create(&block->d, &with, &err) != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(block);
  }
  return block;
}

static PyObject* make_data(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* from = block_of(state, model, KIND_MODEL);
  Block* data = from ? new_data(state, from) : NULL;
  block_drop(from);
  return (PyObject*)data;
}

static PyObject* copy_data(PyObject* module, PyObject* data) {
  const State* state = PyModule_GetState(module);
  Block* from = block_of(state, data, KIND_DATA);
  Block* to = from && block_is_idle(from) ? new_data(state, from->model) : NULL;
  ctStatus status = to ? ct_data_copy(from->m, from->d, to->d) : CT_OK;
  if (to) to->trouble = from->trouble;
  if (status != CT_OK) {
    raise_status(state, "copy", status);
    Py_CLEAR(to);
  }
  block_drop(from);
  return (PyObject*)to;
}

// make_rows(data, (ncon, ne, nf, nl, nefc, nJ), sparse): room for contacts and rows that are restored.
static PyObject* make_rows(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject* data;
  ctRowCounts n = {0};
  int sparse;
  if (!PyArg_ParseTuple(args, "O(iiiiii)p:make_rows", &data, &n.ncon, &n.ne, &n.nf, &n.nl, &n.nefc, &n.nJ,
                        &sparse))
    return NULL;
  n.sparse = sparse != 0;
  Block* block = block_of(state, data, KIND_DATA);
  if (!block) return NULL;
  bool idle = block_is_idle(block);
  ctStatus status = idle ? ct_data_make_rows(block->m, block->d, &n) : CT_OK;
  block_drop(block);
  if (!idle) return NULL;
  return status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, "make_rows", status);
}

// copy_into(model, to, from): everything, between two data of a model.
static PyObject* copy_into(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject *model, *target, *source, *result = NULL;
  Call call;
  if (!PyArg_ParseTuple(args, "OOO:copy_into", &model, &target, &source)) return NULL;
  Block* from = block_of(state, source, KIND_DATA);
  if (!from) return NULL;
  if (block_is_idle(from) && call_begin(&call, state, model, target)) {
    ctStatus status = ct_data_copy(call.m, from->d, call.d);
    call.data->trouble = from->trouble;
    result = status == CT_OK ? Py_NewRef(Py_None) : raise_status(state, "copy", status);
    call_end(&call);
  }
  block_drop(from);
  return result;
}

PyMethodDef load_methods[] = {
    {"copy_into", copy_into, METH_VARARGS, "copy_into(model, to, from)"},
    {"hash_bytes", hash_bytes, METH_O, "hash_bytes(bytes) -> int: as files of libcorten_mpi have it"},
    {"open_plugins", open_plugins, METH_O, "open_plugins(paths) -> capsule: the plugins of shared libraries"},
    {"load_path", load_path, METH_VARARGS, "load_path(path, assets, limits) -> Block"},
    {"load_string", load_string, METH_VARARGS, "load_string(text, assets, limits) -> Block"},
    {"remarks", remarks_of, METH_O, "remarks(model) -> (text, ...)"},
    {"save_model", save_model, METH_VARARGS, "save_model(model, path)"},
    {"check_model", check_model, METH_O, "check_model(model)"},
    {"write_file", write_file, METH_VARARGS, "write_file(path, bytes)"},
    {"save_mjcf", save_mjcf, METH_VARARGS, "save_mjcf(model, path) -> [(level, text), ...]"},
    {"model_bytes", model_bytes, METH_O, "model_bytes(model) -> bytes"},
    {"model_mjb", model_mjb, METH_O, "model_mjb(model) -> bytes"},
    {"model_of_bytes", model_of_bytes, METH_VARARGS, "model_of_bytes(bytes, remarks) -> Block"},
    {"update_model", update_model, METH_O, "update_model(model)"},
    {"copy_model", copy_model, METH_O, "copy_model(model) -> Block"},
    {"make_data", make_data, METH_O, "make_data(model) -> Block"},
    {"make_rows", make_rows, METH_VARARGS, "make_rows(data, (ncon, ne, nf, nl, nefc, nJ), sparse)"},
    {"copy_data", copy_data, METH_O, "copy_data(data) -> Block"},
    {NULL, NULL, 0, NULL},
};
