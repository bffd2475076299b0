// Scenes apart from a renderer: a Python object owns a scene and its options, and holds the model. Items go
// to Python and come back as bytes, so that programs may add their own.
#include "core.h"

#include <string.h>

#include "scene_object.h"

static const State* state_of(PyObject* self) {
  return PyType_GetModuleState(Py_TYPE(self));
}

static void scene_dealloc(PyObject* self) {
  Scene* s = (Scene*)self;
  PyTypeObject* type = Py_TYPE(self);
  ct_scene_free(s->scene);
  block_drop(s->model);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyObject* make_scene(PyObject* module, PyObject* model) {
  const State* state = PyModule_GetState(module);
  Block* block = block_of(state, model, KIND_MODEL);
  Scene* s = block ? (Scene*)PyType_GenericAlloc(state->scene_type, 0) : NULL;
  if (!s) {
    block_drop(block);
    return NULL;
  }
  s->model = block;  // the scene's reference from here on
  ct_scene_option_default(&s->option);
  if (ct_scene_create(&s->scene, block->m) == CT_OK) return (PyObject*)s;
  Py_DECREF(s);
  return PyErr_NoMemory();
}

PyObject* option_show(ctSceneOption* option, PyObject* args) {
  const char* name;
  int on;
  ctError err = {0};
  if (!PyArg_ParseTuple(args, "sp:show", &name, &on)) return NULL;
  if (ct_scene_option_set(option, name, on != 0, &err) == CT_OK) return Py_NewRef(Py_None);
  PyErr_SetString(PyExc_ValueError, err.message);
  return NULL;
}

static PyObject* show(PyObject* self, PyObject* args) {
  return option_show(&((Scene*)self)->option, args);
}

bool scene_update(ctScene* scene, ctSceneOption* option, const State* state, PyObject* args) {
  PyObject *model, *data;
  int kind, id, selected;
  double at[3], distance, azimuth, elevation;
  if (!PyArg_ParseTuple(args, "OO(iidddddd)i:update", &model, &data, &kind, &id, &at[0], &at[1], &at[2],
                        &distance, &azimuth, &elevation, &selected))
    return false;
  ctCamera c = {.kind = (ctCameraKind)kind, .id = id};
  for (int k = 0; k < 3; k++) c.lookat[k] = (ctReal)at[k];
  c.distance = (ctReal)distance;
  c.azimuth = (ctReal)azimuth;
  c.elevation = (ctReal)elevation;
  Call call;
  if (!call_begin(&call, state, model, data)) return false;
  option->selected = selected;
  ctStatus status = ct_scene_update(scene, call.m, call.d, option, &c);
  call_end(&call);
  if (status == CT_OK) return true;
  if (status == CT_ERR_MEMORY) {
    PyErr_NoMemory();
  } else {
    PyErr_SetString(PyExc_ValueError, "there is no such camera or body, or the data is of another model");
  }
  return false;
}

static PyObject* update(PyObject* self, PyObject* args) {
  Scene* s = (Scene*)self;
  if (s->busy) {
    PyErr_SetString(PyExc_RuntimeError, "this scene is being drawn by another thread");
    return NULL;
  }
  s->updated = scene_update(s->scene, &s->option, state_of(self), args);
  return s->updated ? Py_NewRef(Py_None) : NULL;
}

static PyObject* items(PyObject* self, PyObject* unused) {
  (void)unused;
  const Scene* s = (Scene*)self;
  return PyByteArray_FromStringAndSize((const char*)s->scene->items,
                                       (Py_ssize_t)sizeof(ctItem) * s->scene->nitem);
}

static PyObject* lights(PyObject* self, PyObject* unused) {
  (void)unused;
  const Scene* s = (Scene*)self;
  return PyByteArray_FromStringAndSize((const char*)s->scene->lights,
                                       (Py_ssize_t)sizeof(ctSceneLight) * s->scene->nlight);
}

static PyObject* view(PyObject* self, PyObject* unused) {
  (void)unused;
  const ctView* v = &((Scene*)self)->scene->view;
  return Py_BuildValue("((fff)(fff)(fff)ffffffi)", v->pos[0], v->pos[1], v->pos[2], v->forward[0],
                       v->forward[1], v->forward[2], v->up[0], v->up[1], v->up[2], v->znear, v->zfar,
                       v->bottom, v->top, v->left, v->right, (int)v->orthographic);
}

bool scene_with_items(const Scene* s, const Py_buffer* given, ctScene* out) {
  if (!s->updated) {
    PyErr_SetString(PyExc_ValueError, "nothing to draw yet: update the scene first");
    return false;
  }
  const ctItem* list = given->buf;
  const Py_ssize_t count = given->len / (Py_ssize_t)sizeof(ctItem);
  bool good = given->len % (Py_ssize_t)sizeof(ctItem) == 0 && count <= INT32_MAX &&
              (uintptr_t)given->buf % _Alignof(ctItem) == 0;
  for (Py_ssize_t i = 0; good && i < count; i++) good = ct_item_fits(s->model->m, list + i);
  if (!good) {
    PyErr_SetString(PyExc_ValueError, "a shape to draw has a type, mesh or material that is not there");
    return false;
  }
  *out = *s->scene;
  out->items = list;
  out->nitem = (int)count;
  out->option = s->option;
  return true;
}

static PyMethodDef methods[] = {
    {"show", show, METH_VARARGS, "show(name, on)"},
    {"update", update, METH_VARARGS, "update(model, data, camera, selected)"},
    {"items", items, METH_NOARGS, "items() -> bytearray of ctItem"},
    {"lights", lights, METH_NOARGS, "lights() -> bytearray of ctSceneLight"},
    {"view", view, METH_NOARGS,
     "view() -> (pos, forward, up, near, far, bottom, top, left, right, parallel)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, scene_dealloc}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec scene_spec = {
    .name = "corten._core.Scene",
    .basicsize = sizeof(Scene),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

static PyMethodDef scene_methods[] = {
    {"make_scene", make_scene, METH_O, "make_scene(model) -> Scene"},
    {NULL, NULL, 0, NULL},
};

// The names of a list of scene.h, in order.
static bool add_names(PyObject* module, const char* title, const char* const* names, int count) {
  PyObject* list = PyTuple_New(count);
  for (int i = 0; list && i < count; i++) {
    PyObject* name = PyUnicode_FromString(names[i]);
    if (!name || PyTuple_SetItem(list, i, name) != 0) Py_CLEAR(list);
  }
  bool good = list && PyModule_AddObjectRef(module, title, list) == 0;
  Py_XDECREF(list);
  return good;
}

static bool add_all_names(PyObject* module) {
#define X(id, name, on) name,
  static const char* const show[] = {CT_SHOW_LIST(X)};
#undef X
#define X(id, name) name,
  static const char* const frames[] = {CT_FRAME_LIST(X)};
  static const char* const labels[] = {CT_LABEL_LIST(X)};
#undef X
  return add_names(module, "show_names", show, CT_SHOW_COUNT) &&
         add_names(module, "frame_names", frames, CT_FRAME_OF_COUNT) &&
         add_names(module, "label_names", labels, CT_LABEL_OF_COUNT);
}

bool scene_init(State* state, PyObject* module) {
  state->scene_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &scene_spec, NULL);
  return state->scene_type && PyModule_AddFunctions(module, scene_methods) == 0 && add_all_names(module) &&
         PyModule_AddIntConstant(module, "item_size", sizeof(ctItem)) == 0 &&
         PyModule_AddIntConstant(module, "light_size", sizeof(ctSceneLight)) == 0;
}
