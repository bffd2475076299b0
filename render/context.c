#define _POSIX_C_SOURCE 200809L
#include "context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory and errors

void* render_alloc(const ctAllocator* a, size_t count, size_t size) {
  if (size && count > (size_t)INT64_MAX / size) return NULL;
  size_t bytes = count > 0 ? count * size : 1;
  void* block = a->alloc(a->context, bytes, 16);
  if (block) memset(block, 0, bytes);
  return block;
}

void render_release(const ctAllocator* a, void* block) {
  if (block) a->release(a->context, block);
}

ctStatus render_error(ctError* err, ctStatus status, const char* format, ...) {
  if (!err) return status;
  memset(err, 0, sizeof(*err));
  err->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof(err->message), format, args);
  va_end(args);
  for (char* c = err->message; *c; c++) {
    if (*c == '\n') *c = ' ';
  }
  return status;
}

// ---- EGL

// clang-format off
#define EGL_CALLS(X)                                                                                    \
  X(EGLDisplay, GetDisplay, (EGLNativeDisplayType))                                                     \
  X(EGLBoolean, Initialize, (EGLDisplay, EGLint*, EGLint*))                                             \
  X(const char*, QueryString, (EGLDisplay, EGLint))                                                     \
  X(EGLBoolean, BindAPI, (EGLenum)) X(EGLenum, QueryAPI, (void))                                        \
  X(EGLBoolean, ChooseConfig, (EGLDisplay, const EGLint*, EGLConfig*, EGLint, EGLint*))                 \
  X(EGLContext, CreateContext, (EGLDisplay, EGLConfig, EGLContext, const EGLint*))                      \
  X(EGLSurface, CreatePbufferSurface, (EGLDisplay, EGLConfig, const EGLint*))                           \
  X(EGLBoolean, MakeCurrent, (EGLDisplay, EGLSurface, EGLSurface, EGLContext))                          \
  X(EGLBoolean, DestroyContext, (EGLDisplay, EGLContext))                                               \
  X(EGLBoolean, DestroySurface, (EGLDisplay, EGLSurface))                                               \
  X(EGLContext, GetCurrentContext, (void)) X(EGLDisplay, GetCurrentDisplay, (void))                     \
  X(EGLSurface, GetCurrentSurface, (EGLint)) X(EGLint, GetError, (void))                                \
  X(GlProc, GetProcAddress, (const char*))
// clang-format on

#define X(type, name, args) type(*name) args;
typedef struct Egl {
  EGL_CALLS(X)
} Egl;
#undef X

static void* find_symbol(void* library, const char* name) {
  return dlsym(library, name);
}

static bool load_egl(Egl* e, void* library) {
#define X(type, name, args)                           \
  {                                                   \
    void* symbol = find_symbol(library, "egl" #name); \
    if (!symbol) return false;                        \
    memcpy(&e->name, &symbol, sizeof(symbol));        \
  }
  EGL_CALLS(X)
#undef X
  return true;
}

static const EGLint context_wishes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        3,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        3,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};

// A context on a display, with a surface of one pixel if it has such.
static bool egl_context_on(Context* c, Egl* e, EGLDisplay display) {
  if (!display || !e->Initialize(display, NULL, NULL) || !e->BindAPI(EGL_OPENGL_API)) return false;
  const EGLint with_pixels[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                EGL_NONE};
  const EGLint without[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = NULL;
  EGLint n = 0;
  bool pixels = e->ChooseConfig(display, with_pixels, &config, 1, &n) && n > 0;
  if (!pixels && !(e->ChooseConfig(display, without, &config, 1, &n) && n > 0)) return false;
  EGLContext context = e->CreateContext(display, config, EGL_NO_CONTEXT, context_wishes);
  if (!context) return false;
  EGLSurface surface = EGL_NO_SURFACE;
  if (pixels) {
    const EGLint one[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = e->CreatePbufferSurface(display, config, one);
  }
  c->display = display;
  c->context = context;
  c->surface = surface;
  if (context_enter(c)) {
    context_leave(c);
    return true;
  }
  if (surface) e->DestroySurface(display, surface);
  e->DestroyContext(display, context);
  c->display = c->context = c->surface = NULL;
  return false;
}

// GPUs first, as the driver lists them, then Mesa without a surface, then whatever is the default.
static bool egl_context(Context* c, Egl* e) {
  enum { MOST_DEVICES = 16 };
  const char* extensions = e->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)e->GetProcAddress("eglGetPlatformDisplayEXT");
  PFNEGLQUERYDEVICESEXTPROC query_devices =
      (PFNEGLQUERYDEVICESEXTPROC)e->GetProcAddress("eglQueryDevicesEXT");
  if (extensions && get_display && query_devices && strstr(extensions, "EGL_EXT_platform_device")) {
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint n = 0;
    if (!query_devices(MOST_DEVICES, devices, &n)) n = 0;
    for (EGLint i = 0; i < n; i++) {
      if (egl_context_on(c, e, get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL))) return true;
    }
  }
  if (extensions && get_display && strstr(extensions, "EGL_MESA_platform_surfaceless") &&
      egl_context_on(c, e, get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)))
    return true;
  return egl_context_on(c, e, e->GetDisplay(EGL_DEFAULT_DISPLAY));
}

static GlProc find_by_egl(void* context, const char* name) {
  return ((Egl*)context)->GetProcAddress(name);
}

static ctStatus create_by_egl(Context* c, const ctAllocator* a, ctError* err) {
  c->backend = CT_RENDER_EGL;
  c->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!c->library)
    return render_error(err, CT_ERR_NOT_FOUND,
                        "no EGL here: libEGL.so.1 is missing (Debian packages libegl1, libgl1-mesa-dri)");
  Egl* e = c->egl = render_alloc(a, 1, sizeof(Egl));
  if (!e) return render_error(err, CT_ERR_MEMORY, "out of memory");
  if (!load_egl(e, c->library))
    return render_error(err, CT_ERR_UNSUPPORTED, "libEGL.so.1 is older than EGL 1.4");
  if (!egl_context(c, e))
    return render_error(
        err, CT_ERR_UNSUPPORTED,
        "EGL has no device with OpenGL 3.3 (the Debian package libgl1-mesa-dri draws in software)");
  if (!context_enter(c))
    return render_error(err, CT_ERR_UNSUPPORTED, "EGL could not make its context current");
  const char* lacks = gl_load(&c->gl, find_by_egl, e);
  context_leave(c);
  if (lacks) return render_error(err, CT_ERR_UNSUPPORTED, "the OpenGL of EGL has no %s", lacks);
  return CT_OK;
}

// ---- OSMesa

// Its header is rarely installed, and these are all of it that is needed.
enum {
  OSMESA_FORMAT = 0x22,
  OSMESA_DEPTH_BITS = 0x30,
  OSMESA_PROFILE = 0x33,
  OSMESA_CORE_PROFILE = 0x34,
  OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
  OSMESA_CONTEXT_MINOR_VERSION = 0x37,
  OSMESA_RGBA = 0x1908,
  OSMESA_UNSIGNED_BYTE = 0x1401
};
typedef struct Osmesa {
  void* (*CreateContextAttribs)(const int* attributes, void* share);
  void (*DestroyContext)(void* context);
  unsigned char (*MakeCurrent)(void* context, void* pixels, unsigned type, int width, int height);
  GlProc (*GetProcAddress)(const char* name);
} Osmesa;

static GlProc find_by_osmesa(void* context, const char* name) {
  return ((Osmesa*)context)->GetProcAddress(name);
}

static ctStatus create_by_osmesa(Context* c, const ctAllocator* a, ctError* err) {
  c->backend = CT_RENDER_OSMESA;
  const char* const names[] = {"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"};
  for (int i = 0; i < 3 && !c->library; i++) c->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!c->library)
    return render_error(err, CT_ERR_NOT_FOUND,
                        "no OSMesa here: libOSMesa.so.8 is missing (Debian package libosmesa6)");
  Osmesa* o = c->egl = render_alloc(a, 1, sizeof(Osmesa));
  c->pixels = render_alloc(a, 16 * 16, 4);
  if (!o || !c->pixels) return render_error(err, CT_ERR_MEMORY, "out of memory");
  void* symbols[4] = {
      find_symbol(c->library, "OSMesaCreateContextAttribs"), find_symbol(c->library, "OSMesaDestroyContext"),
      find_symbol(c->library, "OSMesaMakeCurrent"), find_symbol(c->library, "OSMesaGetProcAddress")};
  for (int i = 0; i < 4; i++) {
    if (!symbols[i])
      return render_error(err, CT_ERR_UNSUPPORTED, "OSMesa is too old to make a context of OpenGL 3.3");
  }
  memcpy(o, symbols, sizeof(symbols));
  const int wishes[] = {OSMESA_FORMAT,
                        OSMESA_RGBA,
                        OSMESA_DEPTH_BITS,
                        0,
                        OSMESA_PROFILE,
                        OSMESA_CORE_PROFILE,
                        OSMESA_CONTEXT_MAJOR_VERSION,
                        3,
                        OSMESA_CONTEXT_MINOR_VERSION,
                        3,
                        0};
  c->context = o->CreateContextAttribs(wishes, NULL);
  if (!c->context || !context_enter(c))
    return render_error(err, CT_ERR_UNSUPPORTED, "OSMesa has no OpenGL 3.3");
  const char* lacks = gl_load(&c->gl, find_by_osmesa, o);
  context_leave(c);
  if (lacks) return render_error(err, CT_ERR_UNSUPPORTED, "the OpenGL of OSMesa has no %s", lacks);
  return CT_OK;
}

// ---- the caller's own

static GlProc find_by_caller(void* context, const char* name) {
  ctGlLoad load;
  memcpy(&load, context, sizeof(load));
  return load(name);
}

static ctStatus take_current(Context* c, ctGlLoad load, ctError* err) {
  c->backend = CT_RENDER_CURRENT;
  if (!load)
    return render_error(err, CT_ERR_ARGUMENT, "CT_RENDER_CURRENT needs `load`, which finds OpenGL's calls");
  const char* lacks = gl_load(&c->gl, find_by_caller, &load);
  if (lacks) return render_error(err, CT_ERR_UNSUPPORTED, "the OpenGL of the window has no %s", lacks);
  return CT_OK;
}

// ---- any of them

ctStatus context_create(Context* c, ctRenderBackend backend, ctGlLoad load, const ctAllocator* a,
                        ctError* err) {
  memset(c, 0, sizeof(*c));
  ctStatus status = CT_ERR_ARGUMENT;
  ctError first = {0}, second = {0};
  if (backend == CT_RENDER_EGL || backend == CT_RENDER_AUTO) {
    status = create_by_egl(c, a, &first);
    if (status != CT_OK) context_free(c, a);
  }
  // another driver does not help against a lack of memory
  bool missing = status != CT_OK && status != CT_ERR_MEMORY;
  if (backend == CT_RENDER_OSMESA || (backend == CT_RENDER_AUTO && missing)) {
    status = create_by_osmesa(c, a, &second);
    if (status != CT_OK) context_free(c, a);
  }
  if (backend == CT_RENDER_CURRENT) status = take_current(c, load, &first);
  if (status == CT_OK) {
    c->made = true;
    if (!context_enter(c)) return render_error(err, CT_ERR_UNSUPPORTED, "the driver lost its context");
    const GLubyte* name = c->gl.GetString(GL_RENDERER);
    snprintf(c->name, sizeof(c->name), "%s", name ? (const char*)name : "unknown");
    context_leave(c);
    return CT_OK;
  }
  if (!first.message[0] && !second.message[0]) return render_error(err, status, "there is no such backend");
  return render_error(err, status, "%.230s%s%.230s", first.message,
                      first.message[0] && second.message[0] ? "; " : "", second.message);
}

void context_free(Context* c, const ctAllocator* a) {
  if (c->context && c->backend == CT_RENDER_EGL) {
    Egl* e = c->egl;
    if (c->surface) e->DestroySurface(c->display, c->surface);
    e->DestroyContext(c->display,
                      c->context);  // the display is shared with others of this process, and stays
  }
  if (c->context && c->backend == CT_RENDER_OSMESA) ((Osmesa*)c->egl)->DestroyContext(c->context);
  render_release(a, c->egl);
  render_release(a, c->pixels);
  // the library stays: drivers do not like to be unloaded
  memset(c, 0, sizeof(*c));
}

bool context_enter(Context* c) {
  if (c->backend == CT_RENDER_CURRENT) return true;
  if (c->backend == CT_RENDER_OSMESA)
    return ((Osmesa*)c->egl)->MakeCurrent(c->context, c->pixels, OSMESA_UNSIGNED_BYTE, 16, 16) != 0;
  Egl* e = c->egl;
  c->before[0] = e->GetCurrentDisplay();
  c->before[1] = e->GetCurrentContext();
  c->before[2] = e->GetCurrentSurface(EGL_DRAW);
  c->before[3] = e->GetCurrentSurface(EGL_READ);
  return e->MakeCurrent(c->display, c->surface, c->surface, c->context) != 0;
}

void context_leave(Context* c) {
  if (c->backend == CT_RENDER_CURRENT) return;
  if (c->backend == CT_RENDER_OSMESA) {
    ((Osmesa*)c->egl)->MakeCurrent(NULL, NULL, OSMESA_UNSIGNED_BYTE, 0, 0);
    return;
  }
  Egl* e = c->egl;
  if (c->before[0] && c->before[1]) {
    e->MakeCurrent(c->before[0], c->before[2], c->before[3], c->before[1]);
  } else {
    e->MakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
}
