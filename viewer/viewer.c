// The public calls, and the side of the simulation: taking wishes, pacing steps, handing data to the window.
#define _POSIX_C_SOURCE 200809L
#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FRAME_SECONDS (1.0 / 60)

static ctStatus no_memory(ctError* err) {
  if (err) {
    *err = (ctError){.status = CT_ERR_MEMORY};
    snprintf(err->message, sizeof(err->message), "%s", ct_status_text(CT_ERR_MEMORY));
  }
  return CT_ERR_MEMORY;
}

// ---- models and data on their way

void view_free_feed(Feed* f) {
  if (!f) return;
  for (int i = 0; i < 3; i++) ct_data_free(f->data[i]);
  ct_model_free(f->m);
  free(f);
}

Feed* view_make_feed(const ctModel* m, ctError* err) {
  Feed* f = calloc(1, sizeof(*f));
  if (!f) {
    no_memory(err);
    return NULL;
  }
  ctStatus status = ct_model_copy(&f->m, m, err);
  if (status == CT_OK) memset(&f->m->user, 0, sizeof(f->m->user));  // nothing of the user's runs here
  for (int i = 0; i < 3 && status == CT_OK; i++) {
    status = ct_data_create(&f->data[i], f->m, err);
    if (status == CT_OK) (void)ct_forward_position(f->m, f->data[i]);
  }
  f->back = 0, f->ready = 1, f->front = 2;
  f->option = m->opt;
  if (status == CT_OK) return f;
  view_free_feed(f);
  return NULL;
}

// ---- making and freeing

ctStatus ct_viewer_create(ctViewer** out, const ctModel* m, const ctViewerOption* option, ctError* err) {
  if (out) *out = NULL;
  if (!out || !m) {
    if (err) {
      *err = (ctError){.status = CT_ERR_ARGUMENT};
      snprintf(err->message, sizeof(err->message), "ct_viewer_create: out and m must not be NULL");
    }
    return CT_ERR_ARGUMENT;
  }
  const ctViewerOption usual = {0};
  if (!option) option = &usual;
  ctViewer* v = calloc(1, sizeof(*v));
  if (!v) return no_memory(err);
  pthread_mutex_init(&v->lock, NULL);
  v->wishes = (Wishes){.paused = option->paused, .speed = 1, .keyframe = -1};
  ct_scene_option_default(&v->option);
  v->option.show[CT_SHOW_PERTURB] = 1;
  snprintf(v->path, sizeof(v->path), "%s", option->file ? option->file : "");
  v->report.fixed = option->fixed;
  ctStatus status = ct_camera_default(m, &v->camera);
  v->newest = status == CT_OK ? view_make_feed(m, err) : NULL;
  v->shown = v->newest;
  if (!v->newest) {
    status = err && err->status != CT_OK ? err->status : CT_ERR_MEMORY;
  } else {
    v->open = true;
    status = view_open(v, option, err);
  }
  if (status == CT_OK) {
    *out = v;
  } else {
    ct_viewer_free(v);
  }
  return status;
}

void ct_viewer_free(ctViewer* v) {
  if (!v) return;
  view_close(v);
  if (v->newest != v->shown) view_free_feed(v->newest);
  view_free_feed(v->shown);
  free(v->items);
  view_free_overlay(v->overlay);
  pthread_mutex_destroy(&v->lock);
  free(v);
}

bool ct_viewer_draw(ctViewer* v) {
  return v && view_frame(v);
}

bool ct_viewer_is_open(const ctViewer* v) {
  if (!v) return false;
  ctViewer* mine = (ctViewer*)(uintptr_t)v;
  pthread_mutex_lock(&mine->lock);
  bool open = v->open;
  pthread_mutex_unlock(&mine->lock);
  return open;
}

void ct_viewer_close(ctViewer* v) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  v->open = false;
  pthread_mutex_unlock(&v->lock);
}

void ct_viewer_tell(ctViewer* v, const char* message) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  snprintf(v->message, sizeof(v->message), "%s", message ? message : "");
  pthread_mutex_unlock(&v->lock);
}

void ct_viewer_get_view(ctViewer* v, ctCamera* camera, ctSceneOption* option) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  if (camera) *camera = v->camera;
  if (option) *option = v->option;
  pthread_mutex_unlock(&v->lock);
}

void ct_viewer_set_view(ctViewer* v, const ctCamera* camera, const ctSceneOption* option) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  if (camera) v->camera = *camera;
  if (option) v->option = *option;
  pthread_mutex_unlock(&v->lock);
}

ctStatus ct_viewer_set_items(ctViewer* v, const ctItem* items, int count) {
  if (!v || count < 0 || (count > 0 && !items)) return CT_ERR_ARGUMENT;
  for (int i = 0; i < count; i++) {
    if (!ct_item_fits(v->newest->m, items + i)) return CT_ERR_ARGUMENT;
  }
  ctItem* copy = malloc(((size_t)count + 1) * sizeof(ctItem));
  if (!copy) return CT_ERR_MEMORY;
  if (count > 0) memcpy(copy, items, (size_t)count * sizeof(ctItem));
  pthread_mutex_lock(&v->lock);
  ctItem* old = v->items;
  v->items = copy;
  v->nitem = count;
  v->items_version++;
  pthread_mutex_unlock(&v->lock);
  free(old);
  return CT_OK;
}

int ct_viewer_get_keys(ctViewer* v, int* keys, int most) {
  if (!v || !keys || most <= 0) return 0;
  pthread_mutex_lock(&v->lock);
  int n = v->nkey < most ? v->nkey : most;
  memcpy(keys, v->keys, (size_t)n * sizeof(int));
  v->nkey -= n;
  memmove(v->keys, v->keys + n, (size_t)v->nkey * sizeof(int));
  pthread_mutex_unlock(&v->lock);
  return n;
}

void ct_viewer_get_pull(ctViewer* v, ctViewerPull* pull) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  const Push* p = &v->wishes.push;
  *pull = (ctViewerPull){
      .body = p->kind == PUSH_NONE ? 0 : p->body, .move = p->kind == PUSH_MOVE, .turn = p->kind == PUSH_TURN};
  memcpy(pull->point, pull->body > 0 ? p->point : v->option.selected_point, sizeof(pull->point));
  memcpy(pull->target, p->target, sizeof(pull->target));
  memcpy(pull->quat, p->turn, sizeof(pull->quat));
  pthread_mutex_unlock(&v->lock);
}

void ct_viewer_get_area(ctViewer* v, int area[4]) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  memcpy(area, v->area, sizeof(v->area));
  pthread_mutex_unlock(&v->lock);
}

bool ct_viewer_asks(ctViewer* v, char* path, size_t size) {
  if (!v || !path || size == 0) return false;
  pthread_mutex_lock(&v->lock);
  bool asks = v->wishes.load && v->path[0];
  v->wishes.load = false;
  if (asks) snprintf(path, size, "%s", v->path);
  pthread_mutex_unlock(&v->lock);
  return asks;
}

ctStatus ct_viewer_set_model(ctViewer* v, const ctModel* m, const char* file, ctError* err) {
  if (!v || !m) return CT_ERR_ARGUMENT;
  Feed* feed = view_make_feed(m, err);
  if (!feed) return err && err->status != CT_OK ? err->status : CT_ERR_MEMORY;
  pthread_mutex_lock(&v->lock);
  Feed* unseen = v->newest != v->shown ? v->newest : NULL;
  v->newest = feed;
  v->message[0] = 0;
  if (file) snprintf(v->path, sizeof(v->path), "%s", file);
  v->wishes.nedit = 0;
  v->wishes.push = (Push){0};
  v->wishes.set_option = v->wishes.reset = false;
  v->wishes.keyframe = -1;
  v->option.selected = 0;
  v->nitem = 0;
  v->items_version++;
  ct_camera_default(m, &v->camera);
  pthread_mutex_unlock(&v->lock);
  v->pushed = 0;
  v->window_steps = 0, v->window_began = 0;
  view_free_feed(unseen);
  return CT_OK;
}

// ---- the side of the simulation

static void edit(const Edit* e, const ctModel* m, ctData* d) {
  if (e->kind == EDIT_CTRL && e->index < m->nu) d->ctrl[e->index] = (ctReal)e->value;
  if (e->kind == EDIT_QPOS && e->index < m->nq) d->qpos[e->index] = (ctReal)e->value;
  if (e->kind == EDIT_EQUALITY && e->index < m->neq) d->eq_active[e->index] = e->value != 0;
}

// Take what the user asked for. Returns whether positions have changed.
static bool take_wishes(ctViewer* v, ctModel* m, ctData* d, Wishes* w) {
  pthread_mutex_lock(&v->lock);
  *w = v->wishes;
  v->wishes.steps = v->wishes.nedit = 0;
  v->wishes.reset = v->wishes.set_option = false;
  v->wishes.keyframe = -1;
  pthread_mutex_unlock(&v->lock);
  bool moved = false;
  if (v->pushed > 0 && (w->push.kind == PUSH_NONE || w->push.body != v->pushed)) {
    for (int k = 0; k < 6; k++) d->xfrc_applied[6 * v->pushed + k] = 0;
    v->pushed = 0;
  }
  if (w->set_option) m->opt = w->option;
  if (w->reset) moved = ct_data_reset(m, d) == CT_OK;
  if (w->keyframe >= 0) moved = ct_data_reset_keyframe(m, d, w->keyframe) == CT_OK || moved;
  for (int i = 0; i < w->nedit; i++) {
    edit(&w->edits[i], m, d);
    moved = moved || w->edits[i].kind == EDIT_QPOS;
  }
  if (w->push.kind != PUSH_NONE && w->push.body > 0 && w->push.body < m->nbody) {
    view_push(&w->push, m, d, w->paused);
    v->pushed = w->push.body;
    moved = moved || w->paused || m->body_mocapid[w->push.body] >= 0;
  }
  return moved;
}

// The data goes to the window: copied aside, then exchanged.
static ctStatus hand_over(ctViewer* v, const ctModel* m, const ctData* d) {
  Feed* f = v->newest;
  if (ct_data_state_size(m, CT_STATE_INTEGRATION) != ct_data_state_size(f->m, CT_STATE_INTEGRATION) ||
      m->nbody != f->m->nbody || m->ngeom != f->m->ngeom)
    return CT_ERR_ARGUMENT;
  ctStatus status = ct_data_copy(f->m, d, f->data[f->back]);
  if (status != CT_OK) return status;
  pthread_mutex_lock(&v->lock);
  int ready = f->ready;
  f->ready = f->back;
  f->back = ready;
  f->fresh = true;
  f->option = m->opt;
  pthread_mutex_unlock(&v->lock);
  return CT_OK;
}

static ctStatus sync_with(ctViewer* v, ctModel* m, ctData* d, bool own_pace, Wishes* w) {
  if (!v || !m || !d) return CT_ERR_ARGUMENT;
  if (take_wishes(v, m, d, w)) (void)ct_forward(m, d);
  pthread_mutex_lock(&v->lock);
  v->report.own_pace = own_pace;
  pthread_mutex_unlock(&v->lock);
  return hand_over(v, m, d);
}

ctStatus ct_viewer_sync(ctViewer* v, ctModel* m, ctData* d) {
  Wishes w;
  ctStatus status = sync_with(v, m, d, v && !v->paced, &w);
  if (status == CT_OK) v->asked += w.steps;
  return status;
}

void ct_viewer_pace(ctViewer* v, bool* paused, double* speed, int* steps) {
  if (!v) return;
  pthread_mutex_lock(&v->lock);
  if (paused) *paused = v->wishes.paused;
  if (speed) *speed = v->wishes.speed;
  pthread_mutex_unlock(&v->lock);
  v->paced = true;
  if (steps) *steps = v->asked;
  v->asked = 0;
}

static void wait_until(double moment) {
  double left = moment - ct_clock();
  if (left <= 0) return;
  struct timespec pause = {.tv_sec = (time_t)left, .tv_nsec = (long)(fmod(left, 1) * 1e9)};
  nanosleep(&pause, NULL);
}

// What the last second was like.
static void measure(ctViewer* v, const ctData* d, int steps, double seconds) {
  double now = ct_clock();
  v->window_steps += steps;
  v->busy += seconds;
  if (v->window_began > 0 && now - v->window_began < 0.5) return;
  pthread_mutex_lock(&v->lock);
  if (v->window_began > 0) {
    v->report.factor = ((double)d->time - v->window_simulated) / (now - v->window_began);
    v->report.step_us = v->window_steps > 0 ? 1e6 * v->busy / (double)v->window_steps : 0;
  }
  pthread_mutex_unlock(&v->lock);
  v->window_began = now;
  v->window_simulated = (double)d->time;
  v->window_steps = 0;
  v->busy = 0;
}

ctStatus ct_viewer_advance(ctViewer* v, ctModel* m, ctData* d) {
  Wishes w;
  ctStatus status = sync_with(v, m, d, false, &w);
  if (status != CT_OK) return status;
  double start = ct_clock(), end = start + FRAME_SECONDS, timestep = (double)m->opt.timestep;
  int steps = 0, most = w.paused ? w.steps : INT32_MAX;
  // the clock starts again after a pause, a jump of time, or when the simulation cannot keep up
  double due = (start - v->began) * w.speed - ((double)d->time - v->simulated);
  if (w.paused || w.reset || w.keyframe >= 0 || v->began == 0 || fabs(due) > 0.1 * fmax(w.speed, 1)) {
    v->began = start;
    v->simulated = (double)d->time;
  }
  while (steps < most && (status == CT_OK || status == CT_STEP_SINGULAR)) {
    double now = ct_clock();
    if (!w.paused && (now >= end || (double)d->time - v->simulated + timestep > (end - v->began) * w.speed))
      break;
    if (w.push.kind != PUSH_NONE && w.push.body > 0 && w.push.body < m->nbody)
      view_push(&w.push, m, d, w.paused);
    status = ct_step(m, d);
    steps++;
  }
  measure(v, d, steps, ct_clock() - start);
  pthread_mutex_lock(&v->lock);
  if (status != CT_OK) v->report.status = status;
  pthread_mutex_unlock(&v->lock);
  wait_until(end);
  return status;
}
