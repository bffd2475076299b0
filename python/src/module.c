// The module corten._core, put together.
#include "core.h"

static int exec(PyObject* module) {
  State* state = PyModule_GetState(module);
  state->block_name = PyUnicode_InternFromString("_block");
  state->error = make_error_type();
  state->warning = make_warning_type();
  state->block_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &block_spec, NULL);
  state->arena_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &arena_spec, NULL);
  state->spec_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &spec_type_spec, NULL);
  state->batch_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &batch_spec, NULL);
  state->batch_array_type = (PyTypeObject*)PyType_FromModuleAndSpec(module, &batch_array_spec, NULL);
  bool ok =
      state->block_name && state->error && state->warning && state->block_type && state->arena_type &&
      state->spec_type && state->batch_type && state->batch_array_type && batch_init(module) &&
      PyModule_AddObjectRef(module, "BatchArray", (PyObject*)state->batch_array_type) == 0 &&
      PyModule_AddFunctions(module, spec_methods) == 0 &&
      PyModule_AddObjectRef(module, "Error", state->error) == 0 &&
      PyModule_AddObjectRef(module, "SimulationWarning", state->warning) == 0 &&
      PyModule_AddFunctions(module, shape_methods) == 0 && PyModule_AddFunctions(module, load_methods) == 0 &&
      PyModule_AddFunctions(module, sim_methods) == 0 && PyModule_AddFunctions(module, worlds_methods) == 0 &&
      PyModule_AddFunctions(module, callback_methods) == 0 &&
      PyModule_AddFunctions(module, derive_methods) == 0 && PyModule_AddFunctions(module, kit_methods) == 0 &&
      PyModule_AddFunctions(module, query_methods) == 0 && PyModule_AddFunctions(module, ask_methods) == 0 &&
      PyModule_AddFunctions(module, state_methods) == 0 && fields_init(state, module) && enums_init(module) &&
      records_init(module) && scene_init(state, module) && render_init(state, module) &&
      PyModule_AddStringConstant(module, "version", ct_version()) == 0 &&
      PyModule_AddStringConstant(module, "build_info", ct_build_info()) == 0;
  return ok ? 0 : -1;
}

static int traverse(PyObject* module, visitproc visit, void* arg) {
  State* state = PyModule_GetState(module);
  Py_VISIT((PyObject*)state->block_type);
  Py_VISIT((PyObject*)state->arena_type);
  Py_VISIT((PyObject*)state->spec_type);
  Py_VISIT((PyObject*)state->batch_type);
  Py_VISIT((PyObject*)state->batch_array_type);
  Py_VISIT((PyObject*)state->scene_type);
  Py_VISIT((PyObject*)state->renderer_type);
  Py_VISIT(state->error);
  Py_VISIT(state->warning);
  Py_VISIT(state->hears);
  return 0;
}

static int clear(PyObject* module) {
  State* state = PyModule_GetState(module);
  Py_CLEAR(state->block_type);
  Py_CLEAR(state->arena_type);
  Py_CLEAR(state->spec_type);
  Py_CLEAR(state->batch_type);
  Py_CLEAR(state->batch_array_type);
  Py_CLEAR(state->scene_type);
  Py_CLEAR(state->renderer_type);
  Py_CLEAR(state->error);
  Py_CLEAR(state->warning);
  Py_CLEAR(state->block_name);
  Py_CLEAR(state->hears);
  return 0;
}

static void release(void* module) {
  clear(module);
  fields_free(PyModule_GetState(module));
}

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void) {
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, exec}, {0, NULL}};
  static PyModuleDef definition = {
      .m_base = PyModuleDef_HEAD_INIT,
      .m_name = "corten._core",
      .m_doc = "The engine. Use it through the package corten.",
      .m_size = sizeof(State),
      .m_slots = slots,
      .m_traverse = traverse,
      .m_clear = clear,
      .m_free = release,
  };
  return PyModuleDef_Init(&definition);
}
