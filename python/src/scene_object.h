// The Python object of a scene (scene.c), which renderers draw (render.c).
#pragma once

#include "core.h"
#include "corten/scene.h"

typedef struct Scene {
  PyObject_HEAD Block* model;  // a strong reference
  ctScene* scene;
  ctSceneOption option;
  bool updated;  // the scene shows something
  int busy;      // renderers that are drawing it without the GIL
} Scene;

// show(name, on) and update(model, data, camera, selected), from the arguments of Python.
PyObject* option_show(ctSceneOption* option, PyObject* args);
bool scene_update(ctScene* scene, ctSceneOption* option, const State* state, PyObject* args);

// A scene with other items, which stay the caller's: false with an exception when they cannot be drawn.
bool scene_with_items(const Scene* s, const Py_buffer* items, ctScene* out);
