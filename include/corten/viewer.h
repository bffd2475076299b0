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

#ifdef __cplusplus
}
#endif
