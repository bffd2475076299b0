#include "gl.h"

#include <string.h>

const char* gl_load(Gl* g, GlProc (*find)(void* context, const char* name), void* context) {
#define X(type, name)                        \
  {                                          \
    GlProc proc = find(context, "gl" #name); \
    if (!proc) return "gl" #name;            \
    memcpy(&g->name, &proc, sizeof(proc));   \
  }
  GL_CALLS(X)
#undef X
  return NULL;
}
