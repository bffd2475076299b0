// A viewer from inside: what two threads share, and what each has for itself.
#pragma once

#include <corten/corten.h>
#include <corten/viewer.h>
#include <pthread.h>
#include <stdbool.h>

// A model as the window sees it, and the data on its way there: the simulation writes one, the window draws
// another, a third is the newest that was written.
typedef struct Feed {
  ctModel* m;
  ctData* data[3];
  int back, ready, front;
  bool fresh;       // `ready` is newer than `front`
  ctOption option;  // of the simulation's model, on its way to `m`
} Feed;

// How a body is pushed.
typedef enum PushKind { PUSH_NONE, PUSH_MOVE, PUSH_TURN } PushKind;
typedef struct Push {
  PushKind kind;
  int body;
  ctReal point[3];   // where it is held, in its frame
  ctReal target[3];  // where that point should be, world axes
  ctReal turn[4];    // how the body should be turned
} Push;

// A number that the user changed.
typedef struct Edit {
  enum { EDIT_CTRL, EDIT_QPOS, EDIT_EQUALITY } kind;
  int index;
  double value;
} Edit;

enum { MOST_EDITS = 64, MOST_KEYS = 64, MOST_MESSAGE = 1024, MOST_PATH = 4096 };

// What the user wants of the simulation.
typedef struct Wishes {
  bool paused;
  double speed;  // simulated seconds per second
  int steps;     // single steps to take
  bool reset;
  int keyframe;     // to go to, -1: none
  bool set_option;  // `option` replaces that of the model
  ctOption option;
  Edit edits[MOST_EDITS];
  int nedit;
  Push push;
  bool load;  // `path` should be loaded
} Wishes;

// What the simulation says about itself.
typedef struct Report {
  double factor;   // simulated seconds per second, of the last second
  double step_us;  // microseconds a step takes
  ctStatus status;
  bool own_pace;  // the caller decides when steps are taken: no pause, no speed
  bool fixed;     // options of the model cannot be changed
} Report;

struct ctViewer {
  pthread_mutex_t lock;
  // under the lock
  Feed *newest, *shown;
  Wishes wishes;
  Report report;
  ctCamera camera;
  ctSceneOption option;
  char message[MOST_MESSAGE], path[MOST_PATH];
  bool open;
  ctItem* items;  // of the program
  int nitem;
  unsigned items_version;
  struct Overlay* overlay;  // of the program, on its way to the window
  bool fresh_overlay;
  int keys[MOST_KEYS], nkey;  // that nobody has asked for yet
  int area[4];                // that panels leave free
  // of the simulation
  bool paced;               // ct_viewer_pace() was called
  int asked;                // single steps that it has not told yet
  int pushed;               // body with a push of ours in xfrc_applied; 0: none
  double began, simulated;  // when the pace was last set, and the time of the data then
  double window_began, window_simulated, busy;
  long long window_steps;
  // of the window
  struct Window* window;
};

// The pieces of the public calls that window and simulation do for each other.
Feed* view_make_feed(const ctModel* m, ctError* err);
void view_free_feed(Feed* f);

// The window (window.c). The window's thread.
ctStatus view_open(ctViewer* v, const ctViewerOption* option, ctError* err);
void view_close(ctViewer* v);
bool view_frame(ctViewer* v);

// Copies of what a program draws over the picture (overlay.c).
void view_free_overlay(struct Overlay* overlay);

// Force or displacement of a push, once per step (push.c).
void view_push(const Push* push, const ctModel* m, ctData* d, bool paused);
