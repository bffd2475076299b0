// An OpenGL context without a window, through EGL, on a GPU or in software, or through OSMesa; or that of the
// caller's window.
#pragma once

#include <corten/render.h>

#include "gl.h"

typedef struct Context {
  ctRenderBackend backend;
  Gl gl;
  void* library;  // of dlopen
  void* egl;      // calls of EGL (context.c)
  void* display;
  void* context;    // NULL when it is the caller's
  bool made;        // can be used
  void* surface;    // 1 x 1, where a context needs one; NULL: none
  void* pixels;     // what OSMesa draws on
  void* before[4];  // what was current before context_enter()
  char name[256];   // of the renderer, as the driver says
} Context;

// Make a context of OpenGL 3.3. CT_ERR_UNSUPPORTED with a message that says what was tried.
ctStatus context_create(Context* c, ctRenderBackend backend, ctGlLoad load, const ctAllocator* a,
                        ctError* err);
void context_free(Context* c, const ctAllocator* a);

// Make it current in this thread, and afterwards what was current before.
bool context_enter(Context* c);
void context_leave(Context* c);

// Memory of the model's allocator: zeroed, NULL when there is none left.
void* render_alloc(const ctAllocator* a, size_t count, size_t size);
void render_release(const ctAllocator* a, void* block);

// Fill in an error; returns the status.
ctStatus render_error(ctError* err, ctStatus status, const char* format, ...);
