// The window's side: what it draws with, what mouse and keys are doing, what panels remember.
#pragma once

#include <GLFW/glfw3.h>
#include <sys/stat.h>

#include "viewer.h"

enum { HISTORY = 240, MOST_CURVES = 8 };

// Numbers of the last pictures, round and round.
typedef struct Curve {
  bool begun;
  float values[HISTORY];
} Curve;

typedef struct Window {
  GLFWwindow* glfw;
  ctRenderer* renderer;
  ctScene* scene;
  ctScene seen;       // the same, with the items of the program behind its own
  ctItem *own, *all;  // of the program; of both
  int nown, most_all;
  unsigned own_version;
  struct Overlay* overlay;  // of the program; NULL: none
  int area[4];              // that panels leave free: left, top, width, height
  int size[2], pixels[2];   // of the window, and of what is drawn in it
  // mouse
  double mouse[2], click_time;
  int click_button;
  int dragging;  // button, -1: none
  bool pushing;  // the drag moves a body, not the camera
  float grip;    // distance of what is held, along the look of the camera
  // panels
  bool panels, help, told;
  int curve_at;
  Curve iterations, contacts, rows, step_us, energy[2], sensor[MOST_CURVES];
  int sensors[MOST_CURVES], nsensor;  // that are plotted
  char search[64];
  // files
  struct timespec changed;  // when the model's file was last written
  double looked;            // when that was last seen
  bool watch;
  ctVideo* video;
  double next_frame;
  int pictures;
  char note[256];
  double note_until;
} Window;

// As the window sees the simulation while it draws a picture: copies, so that nothing waits.
typedef struct Sight {
  const ctModel* m;
  ctData* d;
  Wishes wishes;
  Report report;
  ctCamera camera;
  ctSceneOption option;
  char message[MOST_MESSAGE], path[MOST_PATH];
  int keys[MOST_KEYS], nkey;  // pressed since the last picture
} Sight;

// Panels over the picture (panels.c). What they change in `s` goes back to the viewer.
void view_panels(ctViewer* v, Window* w, Sight* s);
// What panels leave free; in a window that is too small for that, all of it.
void view_find_area(Window* w);
void view_remember(Window* w, const Sight* s);

// What a program draws over the picture (overlay.c).
void view_draw_overlay(Window* w);

void view_note(Window* w, const char* format, ...) __attribute__((format(printf, 2, 3)));
ctStatus view_fail(ctError* err, ctStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// Mouse and keys (hands.c). Events are listened to from view_listen() on, and wait until the picture is
// drawn, which has what they need.
bool view_listen(Window* w);
void view_take_events(ctViewer* v, Window* w, Sight* s);
// A wish to change a number of the data, also from panels.
void view_edit(Sight* s, int kind, int index, double value);

// Pictures and videos (capture.c); view_record() adds to a video that is being made.
void view_take_picture(Window* w, const Sight* s);
void view_toggle_video(Window* w, const Sight* s);
void view_record(Window* w, const Sight* s);
