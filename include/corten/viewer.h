/// @file
/// A window that shows a simulation and takes part in it: camera, pause and speed, pushing bodies with the
/// mouse, sliders, plots. In a library of its own, libcorten_viewer; corten/corten.h does not include this.
///
/// Two threads share a viewer. The window's thread makes it and draws:
///
///     ct_viewer_create(&viewer, m, NULL, &err);
///     while (ct_viewer_draw(viewer)) {}
///     ct_viewer_free(viewer);
///
/// and the thread of the simulation, which owns model and data, hands them over now and then:
///
///     while (ct_viewer_is_open(viewer)) ct_viewer_advance(viewer, m, d);   // steps, in real time
///
/// or ct_viewer_sync() between steps of its own. Neither waits for the other.
#pragma once

#include "corten/render.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to open a window. Works zero-initialised.
typedef struct ctViewerOption {
  const char* title;  ///< NULL: the name of the model. Copied
  int width, height;  ///< of the window, 0: 1280 and 800
  const char* file;   ///< file of the model, which the window offers to load again when it changes. Copied
  bool paused;        ///< begin with the simulation paused
  bool bare;          ///< begin without panels
  bool fixed;         ///< the options of the model cannot be changed
} ctViewerOption;

typedef struct ctViewer ctViewer;  ///< A window and what it shows.

/// Open a window. The calling thread becomes the window's.
/// @param out  receives the viewer, to be given to ct_viewer_free(). Not NULL
/// @param m    copied
/// @return CT_OK; CT_ERR_NOT_FOUND, there is no display; CT_ERR_UNSUPPORTED, it has no OpenGL 3.3;
/// CT_ERR_ARGUMENT, CT_ERR_LIMIT, CT_ERR_MEMORY
/// @note Windows of one process are opened, drawn and freed by one thread.
CT_API ctStatus ct_viewer_create(ctViewer** out, const ctModel* m, const ctViewerOption* option,
                                 ctError* err);

/// Close the window and free the viewer, which no other thread uses any more. NULL is ignored. The window's
/// thread.
CT_API void ct_viewer_free(ctViewer* v);

/// Take what the mouse and the keys did, and draw one picture; waits for the screen. The window's thread.
/// @return false once the window is closed
CT_API bool ct_viewer_draw(ctViewer* v);

/// Whether the window is open. Any thread.
CT_API bool ct_viewer_is_open(const ctViewer* v);
/// Ask the window to close. Any thread.
CT_API void ct_viewer_close(ctViewer* v);

/// Do to `m` and `d` what the user asked for (controls, joints, options, reset, keyframes, pushes through
/// `xfrc_applied`), then show them as they are. The thread of the simulation.
/// @param m  the model of the viewer, or of the same sizes; its options may be written
/// @param d  positions must be up to date, see ct_forward()
/// @return CT_OK, CT_ERR_ARGUMENT, or CT_ERR_MEMORY: then the window shows what it showed
CT_API ctStatus ct_viewer_sync(ctViewer* v, ctModel* m, ctData* d);

/// ct_viewer_sync(), and what the user wants to see of the next sixtieth of a second: steps in real time or
/// at the chosen speed, single steps, or none. Returns when that time is over.
/// @return as ct_viewer_sync(), or what ended a step early (CT_STEP_DIVERGED ...)
CT_API ctStatus ct_viewer_advance(ctViewer* v, ctModel* m, ctData* d);

/// What the user of a program with steps of its own wants: the window then has buttons for these, which
/// ct_viewer_sync() alone leaves out. Any pointer may be NULL. The thread of the simulation.
/// @param paused  receives whether no steps should be taken
/// @param speed   receives how many seconds should be simulated in one
/// @param steps   receives how many single steps were asked for since the last call
CT_API void ct_viewer_pace(ctViewer* v, bool* paused, double* speed, int* steps);

/// Whether the user wants a file loaded: one that was dropped on the window, or the model's own again. Clears
/// the wish. The caller loads it and calls ct_viewer_set_model(), or ct_viewer_tell() when that fails.
/// @param path  receives its name, `size` bytes
/// @return whether there is one. The thread of the simulation
CT_API bool ct_viewer_asks(ctViewer* v, char* path, size_t size);

/// Show another model from now on. The thread of the simulation.
/// @param file  where it is from; NULL: as before. Copied
/// @return CT_OK, CT_ERR_ARGUMENT or CT_ERR_MEMORY: then it shows the old one
CT_API ctStatus ct_viewer_set_model(ctViewer* v, const ctModel* m, const char* file, ctError* err);

/// Show a message in the window until it is closed or another one comes; NULL: none. Any thread. Copied.
CT_API void ct_viewer_tell(ctViewer* v, const char* message);

/// The camera and what is shown, as they are. NULL for either leaves it out. Any thread.
CT_API void ct_viewer_get_view(ctViewer* v, ctCamera* camera, ctSceneOption* option);
/// Set them. NULL for either leaves it as it is. Any thread.
CT_API void ct_viewer_set_view(ctViewer* v, const ctCamera* camera, const ctSceneOption* option);

/// Things of the program to draw from now on besides those of the model: arrows, balls, labels. Copied.
/// Another model takes them away. The thread of the simulation.
/// @param count  0: none
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or one does not fit the model, see ct_item_fits()) or CT_ERR_MEMORY:
/// then nothing changes
CT_API ctStatus ct_viewer_set_items(ctViewer* v, const ctItem* items, int count);

/// What is drawn over the picture.
typedef enum ctOverlayKind {
  CT_OVERLAY_RECT,  ///< a filled rectangle
  CT_OVERLAY_LINE,  ///< a line through points
  CT_OVERLAY_TEXT,  ///< text
  CT_OVERLAY_IMAGE  ///< pixels
} ctOverlayKind;

/// A thing of the program over the picture, below panels.
typedef struct ctOverlay {
  ctOverlayKind kind;  ///< what it is
  bool inside;         ///< its place is in the part of the window that panels leave free, else in all of it
  float anchor[2];  ///< point that places are relative to: 0 0 the upper left corner, 1 1 the lower right one
  const float* points;  ///< pixels from there, right and down: RECT and IMAGE two corners, TEXT one point
  int npoint;           ///< how many: pairs of numbers
  float rgba[4];        ///< colour
  float width;          ///< LINE: pixels; TEXT: times the usual size. Positive
  float align[2];  ///< TEXT: which point of it lies there: 0 0 its upper left corner, 1 1 its lower right one
  float back[4];   ///< TEXT: colour of a box behind it
  const char* text;   ///< TEXT: UTF-8, lines end with a newline, a tab begins a second column. NULL: none
  const ctByte* rgb;  ///< IMAGE: pixels of three bytes, row by row, the upper one first
  int size[2];        ///< IMAGE: its width and height, pixels
} ctOverlay;

#define CT_OVERLAY_MAX       10000       ///< things over a picture
#define CT_OVERLAY_BYTES_MAX (32 << 20)  ///< of their points, texts and pixels

/// Things of the program to draw from now on over the picture: texts, plots, images. Copied. The thread of
/// the simulation.
/// @param count  0: none
/// @return CT_OK; CT_ERR_ARGUMENT (NULL, too few points, numbers that are none); CT_ERR_LIMIT, more than
/// CT_OVERLAY_MAX or CT_OVERLAY_BYTES_MAX; CT_ERR_MEMORY: then nothing changes
CT_API ctStatus ct_viewer_set_overlay(ctViewer* v, const ctOverlay* things, int count);

/// Keys that were pressed or repeated since the last call, as GLFW numbers them, the oldest first; the window
/// does with them what it always does. It keeps the last 64. Any thread.
/// @param keys  receives them, `most` numbers. Not NULL
/// @return how many
CT_API int ct_viewer_get_keys(ctViewer* v, int* keys, int most);

/// How the user holds a body with the mouse.
typedef struct ctViewerPull {
  int body;          ///< 0: none
  bool move;         ///< `point` is pulled to `target`
  bool turn;         ///< the body is turned to `quat`
  ctReal point[3];   ///< where it is held, in its frame, m; without one, where the selected body was clicked
  ctReal target[3];  ///< where that point should be, world axes, m
  ctReal quat[4];    ///< orientation that the body should have
} ctViewerPull;

/// How a body is held now, for programs that make forces of it themselves. ct_viewer_sync() and
/// ct_viewer_advance() do so anyway, through `xfrc_applied`. `pull` not NULL. Any thread.
CT_API void ct_viewer_get_pull(ctViewer* v, ctViewerPull* pull);

/// The part of the window that panels leave free: left, top, width and height, pixels. Any thread.
CT_API void ct_viewer_get_area(ctViewer* v, int area[4]);

#ifdef __cplusplus
}
#endif
