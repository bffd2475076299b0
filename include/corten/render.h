/// @file
/// Pictures of scenes, by OpenGL 3.3 and without a window: colour, depth, segmentation. In a library of its
/// own, libcorten_render; corten/corten.h does not include this.
#pragma once

#include "corten/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who draws: EGL is a driver's interface for GPUs and software, OSMesa a library that draws in memory.
typedef enum ctRenderBackend {
  CT_RENDER_AUTO,    ///< EGL, and OSMesa where that fails
  CT_RENDER_EGL,     ///< EGL
  CT_RENDER_OSMESA,  ///< OSMesa
  CT_RENDER_CURRENT  ///< the context of the caller's window: current in the thread of every call; needs
                     ///< `load`
} ctRenderBackend;

typedef void (*ctGlCall)(void);                  ///< A call of OpenGL.
typedef ctGlCall (*ctGlLoad)(const char* name);  ///< What finds one by its name.

/// How to render. Works zero-initialised.
typedef struct ctRenderOption {
  ctRenderBackend backend;  ///< who draws
  int samples;              ///< samples per pixel; 0: `vis.quality.offsamples`, 1: no smoothing of edges
  float background[3];      ///< colour where there is nothing, and no skybox
  ctGlLoad load;            ///< finds calls of OpenGL, for CT_RENDER_CURRENT
} ctRenderOption;

/// Largest width and height of a picture, pixels. Drivers may allow less.
#define CT_RENDER_MAX_SIZE 16384

typedef struct ctRenderer ctRenderer;  ///< Draws pictures of one size, of one model.

/// Make a renderer: shapes, meshes and textures of the model go to the driver. The model is not kept.
///
/// @param out     receives the renderer, to be given to ct_renderer_free(). Not NULL
/// @param width   pixels, 1 to CT_RENDER_MAX_SIZE
/// @param height  likewise
/// @param option  NULL: the default
/// @return CT_OK; CT_ERR_ARGUMENT (sizes); CT_ERR_NOT_FOUND, there is no driver; CT_ERR_UNSUPPORTED, it has
/// no OpenGL 3.3; CT_ERR_LIMIT, a picture or texture is larger than it allows; CT_ERR_MEMORY
/// @note A renderer may be used from any thread, by one at a time. What is current in the thread stays so.
CT_API ctStatus ct_renderer_create(ctRenderer** out, const ctModel* m, int width, int height,
                                   const ctRenderOption* option, ctError* err);

/// Free a renderer. NULL is ignored.
CT_API void ct_renderer_free(ctRenderer* r);

/// Who draws, as its driver says: "llvmpipe (LLVM 15)". Lives as long as the renderer.
CT_API const char* ct_renderer_name(const ctRenderer* r);

/// Give the driver the heights of height fields and the pixels of textures again, after a program changed
/// them.
/// @return CT_OK, CT_ERR_ARGUMENT, CT_ERR_MEMORY or CT_ERR_LIMIT
CT_API ctStatus ct_renderer_upload(ctRenderer* r, const ctModel* m, ctError* err);

/// Draw pictures of another size from now on.
/// @return CT_OK, CT_ERR_ARGUMENT, or CT_ERR_LIMIT when the driver has no room: then no picture can be drawn
CT_API ctStatus ct_renderer_resize(ctRenderer* r, int width, int height, ctError* err);

/// Draw a scene in colour into the window of the context (CT_RENDER_CURRENT), its lower left corner first.
/// @return as ct_render_color()
CT_API ctStatus ct_render_show(ctRenderer* r, const ctModel* m, const ctScene* scene, ctError* err);

/// Draw a scene in colour.
/// @param rgb  receives height * width * 3 bytes, the upper row first
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, a scene of another model), or CT_ERR_MEMORY when the driver has run
/// out
CT_API ctStatus ct_render_color(ctRenderer* r, const ctModel* m, const ctScene* scene, ctByte* rgb,
                                ctError* err);

/// Measure a scene: how far each pixel is, and what it shows. Marks and labels are not seen, transparent
/// things are. Either output may be NULL.
/// @param depth  receives height * width distances along the look of the camera, m; where there is nothing,
/// that
///               of the far clipping plane
/// @param ids    receives height * width pairs: the object, and its kind (ctObjType); -1 -1 for nothing
/// @return as ct_render_color()
CT_API ctStatus ct_render_measure(ctRenderer* r, const ctModel* m, const ctScene* scene, float* depth,
                                  int* ids, ctError* err);

/// A video on its way to a file.
typedef struct ctVideo ctVideo;

/// Begin a video. The program ffmpeg makes it, and decides its kind by the ending of the name.
/// @param out   receives the video, to be given to ct_video_close(). Not NULL
/// @param path  file to write; one that is there is replaced. Not NULL
/// @param rate  pictures a second
/// @return CT_OK; CT_ERR_NOT_FOUND, there is no ffmpeg; CT_ERR_ARGUMENT, CT_ERR_IO or CT_ERR_MEMORY
CT_API ctStatus ct_video_open(ctVideo** out, const char* path, int width, int height, double rate,
                              ctError* err);
/// Add a picture, as ct_render_color() gives it. @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_IO
CT_API ctStatus ct_video_frame(ctVideo* v, const ctByte* rgb, ctError* err);
/// End the video and free it. NULL is ignored. @return CT_OK, or CT_ERR_IO when it could not be written
CT_API ctStatus ct_video_close(ctVideo* v, ctError* err);

#ifdef __cplusplus
}
#endif
