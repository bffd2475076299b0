// OpenGL 3.3 core, loaded at run time: the library has no graphics library as a dependency, and a machine
// without one gets a message. All names go through a table of the context: g->DrawArrays().
#pragma once

#include <GL/glcorearb.h>
#include <stdbool.h>

// clang-format off
#define GL_CALLS(X)                                                                                             \
  X(GETSTRING, GetString) X(GETINTEGERV, GetIntegerv) X(GETERROR, GetError)                                     \
  X(ENABLE, Enable) X(DISABLE, Disable) X(VIEWPORT, Viewport) X(SCISSOR, Scissor) X(CLEAR, Clear) X(CLEARCOLOR, ClearColor)         \
  X(CLEARBUFFERFV, ClearBufferfv) X(CLEARBUFFERIV, ClearBufferiv)                                               \
  X(DEPTHMASK, DepthMask) X(DEPTHFUNC, DepthFunc) X(BLENDFUNCSEPARATE, BlendFuncSeparate)                       \
  X(FRONTFACE, FrontFace) X(CULLFACE, CullFace) X(POLYGONMODE, PolygonMode) X(POLYGONOFFSET, PolygonOffset)     \
  X(GENBUFFERS, GenBuffers) X(DELETEBUFFERS, DeleteBuffers) X(BINDBUFFER, BindBuffer)                           \
  X(BUFFERDATA, BufferData) X(BUFFERSUBDATA, BufferSubData) X(BINDBUFFERBASE, BindBufferBase)                   \
  X(GENVERTEXARRAYS, GenVertexArrays) X(DELETEVERTEXARRAYS, DeleteVertexArrays)                                 \
  X(BINDVERTEXARRAY, BindVertexArray) X(VERTEXATTRIBPOINTER, VertexAttribPointer)                               \
  X(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray) X(DRAWARRAYS, DrawArrays) X(DRAWELEMENTS, DrawElements)                                 \
  X(CREATESHADER, CreateShader) X(SHADERSOURCE, ShaderSource) X(COMPILESHADER, CompileShader)                   \
  X(GETSHADERIV, GetShaderiv) X(GETSHADERINFOLOG, GetShaderInfoLog) X(DELETESHADER, DeleteShader)               \
  X(CREATEPROGRAM, CreateProgram) X(ATTACHSHADER, AttachShader) X(LINKPROGRAM, LinkProgram)                     \
  X(GETPROGRAMIV, GetProgramiv) X(GETPROGRAMINFOLOG, GetProgramInfoLog) X(DELETEPROGRAM, DeleteProgram)         \
  X(USEPROGRAM, UseProgram) X(GETUNIFORMLOCATION, GetUniformLocation)                                           \
  X(GETUNIFORMBLOCKINDEX, GetUniformBlockIndex) X(UNIFORMBLOCKBINDING, UniformBlockBinding)                     \
  X(BINDFRAGDATALOCATION, BindFragDataLocation)                                                                 \
  X(UNIFORM1I, Uniform1i) X(UNIFORM1F, Uniform1f) X(UNIFORM2F, Uniform2f) X(UNIFORM3FV, Uniform3fv)             \
  X(UNIFORM4FV, Uniform4fv) X(UNIFORMMATRIX3FV, UniformMatrix3fv) X(UNIFORMMATRIX4FV, UniformMatrix4fv)         \
  X(GENTEXTURES, GenTextures) X(DELETETEXTURES, DeleteTextures) X(BINDTEXTURE, BindTexture)                     \
  X(ACTIVETEXTURE, ActiveTexture) X(TEXIMAGE2D, TexImage2D) X(TEXIMAGE3D, TexImage3D)                           \
  X(TEXPARAMETERI, TexParameteri) X(TEXPARAMETERFV, TexParameterfv) X(GENERATEMIPMAP, GenerateMipmap)           \
  X(PIXELSTOREI, PixelStorei) X(READPIXELS, ReadPixels) X(READBUFFER, ReadBuffer) X(DRAWBUFFERS, DrawBuffers)   \
  X(DRAWBUFFER, DrawBuffer)                                                                                     \
  X(GENFRAMEBUFFERS, GenFramebuffers) X(DELETEFRAMEBUFFERS, DeleteFramebuffers)                                 \
  X(BINDFRAMEBUFFER, BindFramebuffer) X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                         \
  X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D) X(FRAMEBUFFERTEXTURELAYER, FramebufferTextureLayer)             \
  X(FRAMEBUFFERRENDERBUFFER, FramebufferRenderbuffer) X(BLITFRAMEBUFFER, BlitFramebuffer)                       \
  X(GENRENDERBUFFERS, GenRenderbuffers) X(DELETERENDERBUFFERS, DeleteRenderbuffers)                             \
  X(BINDRENDERBUFFER, BindRenderbuffer) X(RENDERBUFFERSTORAGE, RenderbufferStorage)                             \
  X(RENDERBUFFERSTORAGEMULTISAMPLE, RenderbufferStorageMultisample)
// clang-format on

#define X(type, name) PFNGL##type##PROC name;
typedef struct Gl {
  GL_CALLS(X)
} Gl;
#undef X

typedef void (*GlProc)(void);

// Fill the table from a function that finds calls by name. Returns the first name that is not there, or NULL.
const char* gl_load(Gl* g, GlProc (*find)(void* context, const char* name), void* context);
