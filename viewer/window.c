// The window: opening it, and a picture after the other.
#define _POSIX_C_SOURCE 200809L
#include "window.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui.h"

ctStatus view_fail(ctError* err, ctStatus status, const char* format, ...) {
  if (!err) return status;
  *err = (ctError){.status = status};
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof(err->message), format, args);
  va_end(args);
  return status;
}

void view_note(Window* w, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(w->note, sizeof(w->note), format, args);
  va_end(args);
  w->note_until = ct_clock() + 4;
}

// ---- opening and closing

static ctStatus make_renderer(Window* w, const ctModel* m, ctError* err) {
  const ctRenderOption option = {
      .backend = CT_RENDER_CURRENT, .load = glfwGetProcAddress, .background = {0.72f, 0.78f, 0.85f}};
  ct_renderer_free(w->renderer);
  ct_scene_free(w->scene);
  w->renderer = NULL;
  w->scene = NULL;
  ctStatus status = ct_renderer_create(&w->renderer, m, w->pixels[0], w->pixels[1], &option, err);
  if (status == CT_OK && ct_scene_create(&w->scene, m) != CT_OK)
    status = view_fail(err, CT_ERR_MEMORY, "out of memory");
  Curve* const curves[] = {&w->iterations, &w->contacts, &w->rows, &w->step_us, &w->energy[0], &w->energy[1]};
  for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) curves[i]->begun = false;
  for (int i = 0; i < MOST_CURVES; i++) w->sensor[i].begun = false;
  w->nsensor = 0;
  for (int i = 0; i < MOST_CURVES && i < m->nsensor; i++) w->sensors[w->nsensor++] = i;
  return status;
}

static void measure_window(Window* w) {
  glfwGetWindowSize(w->glfw, &w->size[0], &w->size[1]);
  glfwGetFramebufferSize(w->glfw, &w->pixels[0], &w->pixels[1]);
  for (int i = 0; i < 2; i++) {
    if (w->size[i] < 1) w->size[i] = 1;
    if (w->pixels[i] < 1) w->pixels[i] = 1;
  }
}

ctStatus view_open(ctViewer* v, const ctViewerOption* option, ctError* err) {
  Window* w = v->window = calloc(1, sizeof(*w));
  if (!w) return view_fail(err, CT_ERR_MEMORY, "out of memory");
  w->dragging = -1;
  w->panels = !option->bare;
  w->watch = true;
  const char* why = NULL;
  if (!glfwInit()) {
    glfwGetError(&why);
    return view_fail(err, CT_ERR_NOT_FOUND,
                     "no window can be opened here (%.200s); `corten render` draws without a display",
                     why ? why : "no display");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  const char* title = option->title ? option->title : v->newest->m->names;
  w->glfw =
      glfwCreateWindow(option->width > 0 ? option->width : 1280, option->height > 0 ? option->height : 800,
                       title && title[0] ? title : "Corten", NULL, NULL);
  if (!w->glfw) {
    glfwGetError(&why);
    return view_fail(err, CT_ERR_UNSUPPORTED, "no window with OpenGL 3.3 can be opened here (%.200s)",
                     why ? why : "the driver refused");
  }
  glfwMakeContextCurrent(w->glfw);
  glfwSwapInterval(1);
  if (!view_listen(w)) return view_fail(err, CT_ERR_MEMORY, "out of memory");
  float scale = 1, other = 1;
  glfwGetWindowContentScale(w->glfw, &scale, &other);
  ui_open(w->glfw, scale);
  w->told = true;
  measure_window(w);
  view_find_area(w);
  memcpy(v->area, w->area, sizeof(v->area));
  ctStatus status = make_renderer(w, v->newest->m, err);
  glfwMakeContextCurrent(NULL);
  return status;
}

void view_close(ctViewer* v) {
  Window* w = v->window;
  if (!w) return;
  if (w->glfw) {
    glfwMakeContextCurrent(w->glfw);
    if (w->video) ct_video_close(w->video, NULL);
    ct_renderer_free(w->renderer);
    ct_scene_free(w->scene);
    view_free_overlay(w->overlay);
    free(w->own);
    free(w->all);
    if (w->told) ui_close();
    free(glfwGetWindowUserPointer(w->glfw));
    glfwDestroyWindow(w->glfw);
  }
  free(w);
  v->window = NULL;
}

// ---- a picture

// Items of the program, when there are others. Under the lock.
static void look_at_items(const ctViewer* v, Window* w) {
  if (w->own_version == v->items_version) return;
  ctItem* own = malloc(((size_t)v->nitem + 1) * sizeof(ctItem));
  if (!own) return;
  if (v->nitem > 0) memcpy(own, v->items, (size_t)v->nitem * sizeof(ctItem));
  free(w->own);
  w->own = own;
  w->nown = v->nitem;
  w->own_version = v->items_version;
}

// The scene as it is now, with the items of the program; without memory they are left out.
static ctStatus update_scene(Window* w, const Sight* s) {
  ctStatus status = ct_scene_update(w->scene, s->m, s->d, &s->option, &s->camera);
  w->seen = *w->scene;
  int count = w->scene->nitem + w->nown;
  if (status != CT_OK || w->nown == 0) return status;
  if (w->most_all < count) {
    ctItem* all = realloc(w->all, (size_t)count * sizeof(ctItem));
    if (!all) return CT_OK;
    w->all = all;
    w->most_all = count;
  }
  memcpy(w->all, w->scene->items, (size_t)w->scene->nitem * sizeof(ctItem));
  memcpy(w->all + w->scene->nitem, w->own, (size_t)w->nown * sizeof(ctItem));
  w->seen.items = w->all;
  w->seen.nitem = count;
  return CT_OK;
}

// Look at what is shared, once.
static Feed* look(ctViewer* v, Sight* s, Feed** old) {
  pthread_mutex_lock(&v->lock);
  *old = v->shown != v->newest ? v->shown : NULL;
  v->shown = v->newest;
  Feed* f = v->shown;
  if (f->fresh) {
    int front = f->front;
    f->front = f->ready;
    f->ready = front;
    f->fresh = false;
  }
  f->m->opt = f->option;
  *s = (Sight){.m = f->m,
               .d = f->data[f->front],
               .wishes = v->wishes,
               .report = v->report,
               .camera = v->camera,
               .option = v->option};
  memcpy(s->message, v->message, sizeof(s->message));
  memcpy(s->path, v->path, sizeof(s->path));
  look_at_items(v, v->window);
  struct Overlay* worn = v->fresh_overlay ? v->window->overlay : NULL;
  if (v->fresh_overlay) v->window->overlay = v->overlay, v->overlay = NULL, v->fresh_overlay = false;
  // counted from here, so that what the simulation takes meanwhile is not asked for twice
  s->wishes.steps = s->wishes.nedit = 0;
  s->wishes.reset = s->wishes.set_option = s->wishes.load = false;
  s->wishes.keyframe = -1;
  pthread_mutex_unlock(&v->lock);
  view_free_overlay(worn);
  return f;
}

// Give back what mouse, keys and panels changed since look().
static void answer(ctViewer* v, const Sight* before, const Sight* s) {
  pthread_mutex_lock(&v->lock);
  Wishes* w = &v->wishes;
  w->paused = s->wishes.paused;
  w->speed = s->wishes.speed;
  w->push = s->wishes.push;
  w->steps += s->wishes.steps;
  w->reset = w->reset || s->wishes.reset;
  w->load = w->load || s->wishes.load;
  if (s->wishes.keyframe >= 0) w->keyframe = s->wishes.keyframe;
  if (s->wishes.set_option) w->set_option = true, w->option = s->wishes.option;
  for (int i = 0; i < s->wishes.nedit && w->nedit < MOST_EDITS; i++)
    w->edits[w->nedit++] = s->wishes.edits[i];
  if (s->wishes.load) memcpy(v->path, s->path, sizeof(v->path));
  // what a program has set meanwhile stays, unless the user changed it too
  if (memcmp(&before->camera, &s->camera, sizeof(s->camera)) != 0) v->camera = s->camera;
  if (memcmp(&before->option, &s->option, sizeof(s->option)) != 0) v->option = s->option;
  int drop = v->nkey + s->nkey - MOST_KEYS;  // the oldest
  if (drop > 0) memmove(v->keys, v->keys + drop, (size_t)(v->nkey -= drop) * sizeof(int));
  memcpy(v->keys + v->nkey, s->keys, (size_t)s->nkey * sizeof(int));
  v->nkey += s->nkey;
  memcpy(v->area, v->window->area, sizeof(v->area));
  if (strcmp(before->message, s->message) != 0) memcpy(v->message, s->message, sizeof(v->message));
  pthread_mutex_unlock(&v->lock);
}

// A file that changes on disk is loaded again.
static void watch_file(Window* w, Sight* s) {
  struct stat seen;
  double now = ct_clock();
  if (!s->path[0] || now - w->looked < 0.5) return;
  bool first = w->looked == 0;
  w->looked = now;
  if (stat(s->path, &seen) != 0) return;
  bool changed = seen.st_mtim.tv_sec != w->changed.tv_sec || seen.st_mtim.tv_nsec != w->changed.tv_nsec;
  w->changed = seen.st_mtim;
  if (changed && !first && w->watch) s->wishes.load = true;
}

bool view_frame(ctViewer* v) {
  Window* w = v->window;
  Feed* old = NULL;
  Sight s;
  ctError err = {0};
  glfwMakeContextCurrent(w->glfw);
  glfwPollEvents();
  look(v, &s, &old);
  if (old) {
    w->looked = 0;
    w->pushing = false;
    w->dragging = -1;
    if (make_renderer(w, s.m, &err) != CT_OK) ct_viewer_tell(v, err.message);
    view_free_feed(old);
  }
  const Sight before = s;
  // a step leaves positions and contacts of its beginning; at rest one sees where it has led. It is a copy
  if (s.wishes.paused && !s.report.own_pace) (void)ct_forward(s.m, s.d);
  measure_window(w);
  ui_begin();
  if (w->renderer) {
    if (ct_renderer_resize(w->renderer, w->pixels[0], w->pixels[1], &err) != CT_OK ||
        update_scene(w, &s) != CT_OK)
      view_note(w, "%s", err.message[0] ? err.message : "the scene cannot be drawn");
    view_take_events(v, w, &s);
    watch_file(w, &s);
    view_remember(w, &s);
    if (update_scene(w, &s) == CT_OK && ct_render_show(w->renderer, s.m, &w->seen, &err) != CT_OK)
      view_note(w, "%s", err.message);
    view_record(w, &s);
  }
  view_panels(v, w, &s);
  view_draw_overlay(w);
  ui_end();
  glfwSwapBuffers(w->glfw);
  answer(v, &before, &s);
  if (glfwWindowShouldClose(w->glfw)) ct_viewer_close(v);
  glfwMakeContextCurrent(NULL);
  return ct_viewer_is_open(v);
}
