// corten-view: what `corten view` runs. The window has the first thread, the simulation one of its own.
#define _POSIX_C_SOURCE 200809L
#include <corten/corten.h>
#include <corten/viewer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "receive.h"

typedef struct Job {
  ctViewer* viewer;
  ctModel* m;
  ctData* d;
  Receiver* receiver;  // states come from another process; NULL: they are simulated here
} Job;

static int fail(const ctError* err) {
  char text[1024];
  ct_error_format(err, text, sizeof(text));
  fprintf(stderr, "corten view: %s\n", text);
  return 1;
}

// Another file; the old one stays when it cannot be loaded, and the window says why.
static void load(Job* job, const char* path) {
  ctModel* m = NULL;
  ctData* d = NULL;
  ctError err = {0};
  ctStatus status = ct_model_load(&m, path, NULL, &err);
  if (status == CT_OK) status = ct_data_create(&d, m, &err);
  if (status == CT_OK) {
    (void)ct_forward(m, d);
    status = ct_viewer_set_model(job->viewer, m, path, &err);
  }
  if (status != CT_OK) {
    char text[1024];
    ct_error_format(&err, text, sizeof(text));
    ct_viewer_tell(job->viewer, text);
    ct_data_free(d);
    ct_model_free(m);
    return;
  }
  ct_data_free(job->d);
  ct_model_free(job->m);
  job->m = m;
  job->d = d;
}

// What the sender wants seen.
static void show_view(Job* job, ctCamera* camera, ctSceneOption* option) {
  const ctItem* items;
  int count;
  ct_viewer_get_view(job->viewer, camera, option);
  unsigned news = receiver_view(job->receiver, camera, option, &items, &count);
  if (news >> RECEIVED_CAMERA & 1) ct_viewer_set_view(job->viewer, camera, NULL);
  if (news >> RECEIVED_OPTION & 1) ct_viewer_set_view(job->viewer, NULL, option);
  if (news >> RECEIVED_ITEMS & 1) (void)ct_viewer_set_items(job->viewer, items, count);
  if (news >> RECEIVED_OVERLAY & 1) {
    const ctOverlay* things;
    int n = receiver_overlay(job->receiver, &things);
    if (ct_viewer_set_overlay(job->viewer, things, n) != CT_OK)
      ct_viewer_tell(job->viewer,
                     "what the sender draws over the picture is too much, or has numbers that are none");
  }
}

// Keys are told at once, also while no states come.
static void tell_keys(const Job* job) {
  int keys[64];
  if (receiver_wants_keys(job->receiver))
    receiver_tell_keys(job->receiver, keys, ct_viewer_get_keys(job->viewer, keys, 64));
}

static void tell_hands(const Job* job) {
  int area[4];
  ctViewerPull pull;
  ct_viewer_get_area(job->viewer, area);
  ct_viewer_get_pull(job->viewer, &pull);
  receiver_tell_hands(job->receiver, area, &pull);
}

// A state that has come is shown, and answered with what the user wants. What the user does between two
// states is kept for the next answer.
static void show_received(Job* job) {
  ctError err;
  int n = ct_data_state_size(job->m, CT_STATE_INTEGRATION);
  ctReal* states = malloc(2 * (size_t)n * sizeof(ctReal) + 1);
  if (!states) return;
  bool came = receiver_take(job->receiver, job->m, job->d, &err);
  if (came) (void)ct_forward(job->m, job->d);
  if (err.message[0]) ct_viewer_tell(job->viewer, err.message);
  ctCamera camera;
  ctSceneOption option;
  show_view(job, &camera, &option);
  if (came) {
    bool paused;
    int steps;
    double pace[3];
    (void)ct_data_get_state(job->m, job->d, states, CT_STATE_INTEGRATION);
    (void)ct_viewer_sync(job->viewer, job->m, job->d);
    (void)ct_data_get_state(job->m, job->d, states + n, CT_STATE_INTEGRATION);
    ct_viewer_pace(job->viewer, &paused, &pace[1], &steps);
    pace[0] = paused;
    pace[2] = steps;
    receiver_answer(job->receiver, pace, states, states + n, n);
    receiver_tell(job->receiver, &camera, &option);
    tell_hands(job);
  }
  tell_keys(job);
  free(states);
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void* simulate(void* context) {
  Job* job = context;
  char path[4096];
  while (ct_viewer_is_open(job->viewer)) {
    if (ct_viewer_asks(job->viewer, path, sizeof(path))) load(job, path);
    if (job->receiver) {
      show_received(job);
    } else {
      (void)ct_viewer_advance(job->viewer, job->m, job->d);
    }
  }
  return NULL;
}

// The options are those of `corten view`, which has checked them.
int main(int argc, char** argv) {
  const char *path = NULL, *keyframe = NULL, *listen = NULL, *plugins = NULL;
  ctViewerOption option = {0};
  for (int i = 1; i < argc; i++) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--title") == 0)
      option.title = value, i++;
    else if (strcmp(argv[i], "--paused") == 0)
      option.paused = true;
    else if (strcmp(argv[i], "--bare") == 0)
      option.bare = true;
    else if (strncmp(argv[i], "--", 2) != 0)
      path = argv[i];
    else {
      if (strcmp(argv[i], "--keyframe") == 0) keyframe = value;
      if (strcmp(argv[i], "--listen") == 0) listen = value;
      if (strcmp(argv[i], "--plugins") == 0) plugins = value;
      if (strcmp(argv[i], "--width") == 0) option.width = atoi(value);
      if (strcmp(argv[i], "--height") == 0) option.height = atoi(value);
      i++;
    }
  }
  ctError err = {0};
  Job job = {0};
  ctLoadOptions load_options = {0};
  ctPluginLibrary* library = NULL;
  if (plugins) {
    if (ct_plugin_library_open(&library, plugins, &err) != CT_OK) return fail(&err);
    load_options.plugins = ct_plugin_library_list(library, &load_options.nplugin);
  }
  if (!path || ct_model_load(&job.m, path, &load_options, &err) != CT_OK ||
      ct_data_create(&job.d, job.m, &err) != CT_OK)
    return fail(&err);
  if (keyframe) {
    int key = ct_model_name2id(job.m, CT_OBJ_KEY, keyframe);
    (void)ct_data_reset_keyframe(job.m, job.d, key >= 0 ? key : atoi(keyframe));
  }
  (void)ct_forward(job.m, job.d);
  if (listen && receiver_open(&job.receiver, listen, &err) != CT_OK) return fail(&err);
  option.file = listen ? NULL : path;
  option.fixed = listen != NULL;
  if (ct_viewer_create(&job.viewer, job.m, &option, &err) != CT_OK) {
    receiver_close(job.receiver);
    return fail(&err);
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, simulate, &job) != 0) {
    fprintf(stderr, "corten view: no thread for the simulation\n");
    return 1;
  }
  while (ct_viewer_draw(job.viewer)) {
  }
  pthread_join(thread, NULL);
  ct_viewer_free(job.viewer);
  receiver_close(job.receiver);
  ct_data_free(job.d);
  ct_model_free(job.m);
  return 0;
}
