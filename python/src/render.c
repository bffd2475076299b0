// Pictures: a Python object owns a renderer and a scene, and holds the model. Drawing runs without the GIL.
#include "core.h"

#ifdef HAS_RENDER

#include <string.h>

#include "corten/render.h"
#include "scene_object.h"

typedef struct Renderer {
  PyObject_HEAD Block* model;  // a strong reference
  ctRenderer* r;
  ctScene* scene;
  ctSceneOption option;
  int width, height;
  bool updated;  // the scene shows something
  bool busy;     // a call without the GIL is working on it
} Renderer;

static const State* state_of(PyObject* self) {
  return PyType_GetModuleState(Py_TYPE(self));
}

static Renderer* renderer_of(PyObject* object) {
  Renderer* r = (Renderer*)object;
  if (!r->r) {
    PyErr_SetString(PyExc_ValueError, "this Renderer is closed");
    return NULL;
  }
  if (!r->busy) return r;
  PyErr_SetString(PyExc_RuntimeError, "this Renderer is in use by another thread");
  return NULL;
}

static void let_go(Renderer* r) {
  ct_renderer_free(r->r);
  ct_scene_free(r->scene);
  r->r = NULL;
  r->scene = NULL;
}

static void renderer_dealloc(PyObject* self) {
  Renderer* r = (Renderer*)self;
  PyTypeObject* type = Py_TYPE(self);
  let_go(r);
  block_drop(r->model);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyObject* make_renderer(PyObject* module, PyObject* args) {
  const State* state = PyModule_GetState(module);
  PyObject* model;
  int width, height, backend;
  ctRenderOption option = {0};
  float* rgb = option.background;
  if (!PyArg_ParseTuple(args, "Oiiii(fff):make_renderer", &model, &height, &width, &backend, &option.samples,
                        &rgb[0], &rgb[1], &rgb[2]))
    return NULL;
  option.backend = (ctRenderBackend)backend;
  Block* block = block_of(state, model, KIND_MODEL);
  Renderer* r = block ? (Renderer*)PyType_GenericAlloc(state->renderer_type, 0) : NULL;
  if (!r) {
    block_drop(block);
    return NULL;
  }
  r->model = block;  // the renderer's reference from here on
  r->width = width;
  r->height = height;
  ct_scene_option_default(&r->option);
  ctStatus status;
  ctError err = {0};
  Py_BEGIN_ALLOW_THREADS status = ct_renderer_create(&r->r, block->m, width, height, &option, &err);
  Py_END_ALLOW_THREADS if (status == CT_OK && ct_scene_create(&r->scene, block->m) != CT_OK) {
    Py_DECREF(r);
    return PyErr_NoMemory();
  }
  if (status != CT_OK) {
    raise_error(state, &err);
    Py_CLEAR(r);
  }
  return (PyObject*)r;
}

static PyObject* close_renderer(PyObject* self, PyObject* unused) {
  (void)unused;
  if (((Renderer*)self)->r) {
    Renderer* r = renderer_of(self);
    if (!r) return NULL;
    let_go(r);
  }
  return Py_NewRef(Py_None);
}

static PyObject* show(PyObject* self, PyObject* args) {
  Renderer* r = renderer_of(self);
  return r ? option_show(&r->option, args) : NULL;
}

static PyObject* find_camera(PyObject* self, PyObject* arg) {
  Renderer* r = renderer_of(self);
  ctCamera c;
  ctError err = {0};
  if (!r) return NULL;
  if (arg == Py_None) {
    ct_camera_default(r->model->m, &c);
  } else {
    PyObject* bytes = PyUnicode_AsUTF8String(arg);
    const char* name = bytes ? PyBytes_AsString(bytes) : NULL;
    ctStatus status = name ? ct_camera_find(r->model->m, name, &c, &err) : CT_OK;
    Py_XDECREF(bytes);
    if (!name) return NULL;
    if (status != CT_OK) {
      PyErr_SetString(PyExc_ValueError, err.message);
      return NULL;
    }
  }
  return Py_BuildValue("(iidddddd)", (int)c.kind, c.id, (double)c.lookat[0], (double)c.lookat[1],
                       (double)c.lookat[2], (double)c.distance, (double)c.azimuth, (double)c.elevation);
}

static PyObject* update(PyObject* self, PyObject* args) {
  Renderer* r = renderer_of(self);
  if (!r) return NULL;
  r->updated = scene_update(r->scene, &r->option, state_of(self), args);
  return r->updated ? Py_NewRef(Py_None) : NULL;
}

// Work without the GIL, into a new array of bytes.
typedef ctStatus Draw(Renderer* r, const ctScene* scene, void* pixels, ctError* err);

static ctStatus draw_colour(Renderer* r, const ctScene* scene, void* pixels, ctError* err) {
  return ct_render_color(r->r, r->model->m, scene, pixels, err);
}
static ctStatus draw_depth(Renderer* r, const ctScene* scene, void* pixels, ctError* err) {
  return ct_render_measure(r->r, r->model->m, scene, pixels, NULL, err);
}
static ctStatus draw_ids(Renderer* r, const ctScene* scene, void* pixels, ctError* err) {
  return ct_render_measure(r->r, r->model->m, scene, NULL, pixels, err);
}

static const struct {
  Draw* work;
  size_t size;  // bytes of a pixel
} pictures[] = {{draw_colour, 3}, {draw_depth, sizeof(float)}, {draw_ids, 2 * sizeof(int)}};

static PyObject* draw(Renderer* r, int picture, const ctScene* scene) {
  const size_t size = pictures[picture].size * (size_t)r->width * (size_t)r->height;
  PyObject* pixels = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (!pixels) return NULL;
  ctStatus status;
  ctError err = {0};
  void* bytes = PyByteArray_AsString(pixels);
  r->busy = true;
  Py_BEGIN_ALLOW_THREADS status = pictures[picture].work(r, scene, bytes, &err);
  Py_END_ALLOW_THREADS r->busy = false;
  if (status == CT_OK) return pixels;
  Py_DECREF(pixels);
  return raise_error(state_of((PyObject*)r), &err);
}

static PyObject* draw_own(PyObject* self, int picture) {
  Renderer* r = renderer_of(self);
  if (!r) return NULL;
  if (r->updated) return draw(r, picture, r->scene);
  PyErr_SetString(PyExc_ValueError, "nothing to draw yet: call update(data) first");
  return NULL;
}

static PyObject* colour(PyObject* self, PyObject* unused) {
  (void)unused;
  return draw_own(self, 0);
}
static PyObject* depth(PyObject* self, PyObject* unused) {
  (void)unused;
  return draw_own(self, 1);
}
static PyObject* segmentation(PyObject* self, PyObject* unused) {
  (void)unused;
  return draw_own(self, 2);
}

// Another scene, with items that the program may have changed.
static PyObject* draw_scene(PyObject* self, PyObject* args) {
  Renderer* r = renderer_of(self);
  const State* state = state_of(self);
  Scene* scene;
  Py_buffer items;
  int picture;
  if (!r || !PyArg_ParseTuple(args, "O!y*i:draw", state->scene_type, &scene, &items, &picture)) return NULL;
  ctScene whole;
  PyObject* pixels = NULL;
  if (picture < 0 || picture > 2) {
    PyErr_SetString(PyExc_ValueError, "pictures are 0 colour, 1 depth, 2 segmentation");
  } else if (scene->model != r->model) {
    PyErr_SetString(PyExc_ValueError, "the scene is of another model");
  } else if (scene_with_items(scene, &items, &whole)) {
    scene->busy++;
    pixels = draw(r, picture, &whole);
    scene->busy--;
  }
  PyBuffer_Release(&items);
  return pixels;
}

static PyObject* resize(PyObject* self, PyObject* args) {
  Renderer* r = renderer_of(self);
  int width, height;
  ctError err = {0};
  if (!r || !PyArg_ParseTuple(args, "ii:resize", &height, &width)) return NULL;
  if (ct_renderer_resize(r->r, width, height, &err) != CT_OK) return raise_error(state_of(self), &err);
  r->width = width;
  r->height = height;
  return Py_NewRef(Py_None);
}

static PyObject* upload(PyObject* self, PyObject* unused) {
  (void)unused;
  Renderer* r = renderer_of(self);
  ctError err = {0};
  if (!r) return NULL;
  if (ct_renderer_upload(r->r, r->model->m, &err) != CT_OK) return raise_error(state_of(self), &err);
  return Py_NewRef(Py_None);
}

static PyObject* name(PyObject* self, PyObject* unused) {
  (void)unused;
  Renderer* r = renderer_of(self);
  return r ? PyUnicode_FromString(ct_renderer_name(r->r)) : NULL;
}

static PyMethodDef methods[] = {
    {"close", close_renderer, METH_NOARGS, "close()"},
    {"show", show, METH_VARARGS, "show(name, on)"},
    {"find_camera", find_camera, METH_O, "find_camera(name or None) -> tuple"},
    {"update", update, METH_VARARGS, "update(model, data, camera, selected)"},
    {"colour", colour, METH_NOARGS, "colour() -> bytearray"},
    {"depth", depth, METH_NOARGS, "depth() -> bytearray"},
    {"segmentation", segmentation, METH_NOARGS, "segmentation() -> bytearray"},
    {"draw", draw_scene, METH_VARARGS, "draw(scene, items, picture) -> bytearray"},
    {"resize", resize, METH_VARARGS, "resize(height, width)"},
    {"upload", upload, METH_NOARGS, "upload()"},
    {"name", name, METH_NOARGS, "name() -> str"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, renderer_dealloc}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec renderer_spec = {
    .name = "corten._core.Renderer",
    .basicsize = sizeof(Renderer),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

static PyMethodDef render_methods[] = {
    {"make_renderer", make_renderer, METH_VARARGS,
     "make_renderer(model, height, width, backend, samples, background) -> Renderer"},
    {NULL, NULL, 0, NULL},
};

bool render_init(State* state, PyObject* module) {
  state->renderer_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &renderer_spec, NULL);
  return state->renderer_type && PyModule_AddFunctions(module, render_methods) == 0;
}

#else

// Without OpenGL the package says so when it is asked for pictures.
bool render_init(State* state, PyObject* module) {
  (void)state;
  (void)module;
  return true;
}

#endif
