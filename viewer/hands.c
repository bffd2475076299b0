// Mouse and keys: the camera, choosing and pushing bodies, what is shown.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui.h"
#include "window.h"

void view_edit(Sight* s, int kind, int index, double value) {
  Wishes* w = &s->wishes;
  for (int i = 0; i < w->nedit; i++) {
    if ((int)w->edits[i].kind == kind && w->edits[i].index == index) {
      w->edits[i].value = value;
      return;
    }
  }
  if (w->nedit == MOST_EDITS) return;
  Edit* e = &w->edits[w->nedit++];
  e->kind = kind, e->index = index, e->value = value;
}

// ---- the camera

// A camera of the model becomes a free one that sees the same, before a hand moves it.
static void take_in_hand(ctCamera* c, const Sight* s) {
  if (c->kind != CT_CAMERA_FIXED) return;
  ctView view;
  if (ct_camera_view(s->m, s->d, c, &view) != CT_OK) return;
  const double degrees = 180 / 3.14159265358979323846;
  ctReal distance = (ctReal)s->m->stat.extent;
  *c = (ctCamera){.kind = CT_CAMERA_FREE,
                  .distance = distance,
                  .azimuth = (ctReal)(degrees * atan2((double)view.forward[1], (double)view.forward[0])),
                  .elevation = (ctReal)(degrees * asin(fmax(-1, fmin(1, (double)view.forward[2]))))};
  for (int k = 0; k < 3; k++) c->lookat[k] = (ctReal)view.pos[k] + distance * (ctReal)view.forward[k];
}

// Metres that a pixel is at some distance.
static float pixel_at(const Window* w, const ctView* view, float distance) {
  float height = (view->top - view->bottom) / (float)w->size[1];
  return view->orthographic ? height : height * distance / view->znear;
}

static void right_of(const ctView* view, float right[3]) {
  const float *f = view->forward, *u = view->up;
  right[0] = f[1] * u[2] - f[2] * u[1];
  right[1] = f[2] * u[0] - f[0] * u[2];
  right[2] = f[0] * u[1] - f[1] * u[0];
}

static void move_camera(Window* w, Sight* s, int button, double dx, double dy) {
  ctCamera* c = &s->camera;
  take_in_hand(c, s);
  if (button == GLFW_MOUSE_BUTTON_LEFT) {
    c->azimuth -= (ctReal)(dx / w->size[1] * 180);
    c->elevation = (ctReal)fmax(-89.9, fmin(89.9, (double)c->elevation - dy / w->size[1] * 180));
  } else if (button == GLFW_MOUSE_BUTTON_RIGHT) {
    if (c->kind == CT_CAMERA_TRACKING) return;
    float right[3], metres = pixel_at(w, &w->scene->view, (float)c->distance);
    right_of(&w->scene->view, right);
    for (int k = 0; k < 3; k++)
      c->lookat[k] -= (ctReal)(metres * ((float)dx * right[k] - (float)dy * w->scene->view.up[k]));
  } else {
    c->distance *= (ctReal)exp(dy / w->size[1] * 3);
  }
}

static void next_camera(Sight* s, int by) {
  int n = s->m->ncam + 1, now = s->camera.kind == CT_CAMERA_FIXED ? s->camera.id + 1 : 0;
  now = (now + by + n) % n;
  if (now == 0) {
    ct_camera_find(s->m, "free", &s->camera, NULL);
  } else {
    s->camera.kind = CT_CAMERA_FIXED;
    s->camera.id = now - 1;
  }
}

// ---- choosing and pushing bodies

// What is under the mouse: its body and the point in the world. Body 0 for the world and for nothing.
static int look_under_mouse(Window* w, const Sight* s, float point[3]) {
  size_t n = (size_t)w->pixels[0] * (size_t)w->pixels[1];
  float* depth = malloc(n * sizeof(float));
  int* ids = malloc(2 * n * sizeof(int));
  int body = -1;
  double x = w->mouse[0] / w->size[0], y = w->mouse[1] / w->size[1];
  if (depth && ids && x >= 0 && y >= 0 && x < 1 && y < 1 &&
      ct_render_measure(w->renderer, s->m, w->scene, depth, ids, NULL) == CT_OK) {
    int column = (int)(x * w->pixels[0]), row = (int)(y * w->pixels[1]);
    size_t at = (size_t)row * (size_t)w->pixels[0] + (size_t)column;
    int item = ids[2 * at] >= 0 ? ct_scene_find(w->scene, (ctObjType)ids[2 * at + 1], ids[2 * at]) : -1;
    if (item >= 0) {
      const ctView* view = &w->scene->view;
      float right[3], half = (float)w->size[0] / 2, metres = pixel_at(w, view, depth[at]);
      right_of(view, right);
      body = w->scene->items[item].body;
      for (int k = 0; k < 3; k++)
        point[k] = view->pos[k] + depth[at] * view->forward[k] +
                   metres * (((float)w->mouse[0] - half) * right[k] +
                             ((float)w->size[1] / 2 - (float)w->mouse[1]) * view->up[k]);
    }
  }
  free(depth);
  free(ids);
  return body;
}

static void select_body(Window* w, Sight* s, int button) {
  float point[3];
  int body = look_under_mouse(w, s, point);
  if (button == GLFW_MOUSE_BUTTON_RIGHT) {  // look at it; with Ctrl follow it
    if (body < 0) return;
    take_in_hand(&s->camera, s);
    bool follow = body > 0 && glfwGetKey(w->glfw, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS;
    s->camera.kind = follow ? CT_CAMERA_TRACKING : CT_CAMERA_FREE;
    s->camera.id = follow ? s->m->body_rootid[body] : 0;
    for (int k = 0; k < 3; k++) s->camera.lookat[k] = (ctReal)point[k];
    return;
  }
  s->option.selected = body > 0 ? body : 0;
  if (body <= 0) return;
  const ctReal *mat = s->d->xmat + 9 * body, *pos = s->d->xpos + 3 * body;
  for (int k = 0; k < 3; k++) {
    s->option.selected_point[k] = 0;
    for (int i = 0; i < 3; i++) s->option.selected_point[k] += mat[3 * i + k] * ((ctReal)point[i] - pos[i]);
  }
}

static void start_push(Window* w, Sight* s, int button) {
  int b = s->option.selected;
  Push* p = &s->wishes.push;
  *p = (Push){.kind = button == GLFW_MOUSE_BUTTON_LEFT ? PUSH_TURN : PUSH_MOVE, .body = b};
  const ctReal *mat = s->d->xmat + 9 * b, *pos = s->d->xpos + 3 * b;
  w->grip = 0;
  for (int k = 0; k < 3; k++) {
    p->point[k] = s->option.selected_point[k];
    p->target[k] = pos[k];
    for (int i = 0; i < 3; i++) p->target[k] += mat[3 * k + i] * p->point[i];
    w->grip += ((float)p->target[k] - w->scene->view.pos[k]) * w->scene->view.forward[k];
  }
  for (int k = 0; k < 4; k++) p->turn[k] = s->d->xquat[4 * b + k];
}

static void drag_push(Window* w, Sight* s, double dx, double dy) {
  Push* p = &s->wishes.push;
  const ctView* view = &w->scene->view;
  float right[3];
  right_of(view, right);
  if (p->kind == PUSH_MOVE) {
    float metres = pixel_at(w, view, w->grip);
    for (int k = 0; k < 3; k++)
      p->target[k] += (ctReal)(metres * ((float)dx * right[k] - (float)dy * view->up[k]));
    return;
  }
  // about the axis across the motion, half a turn for a window's height
  double axis[3], n = 0, angle = sqrt(dx * dx + dy * dy) / w->size[1] * 3.14159265358979323846;
  for (int k = 0; k < 3; k++) {
    axis[k] = dx * (double)view->up[k] + dy * (double)right[k];
    n += axis[k] * axis[k];
  }
  if (!(n > 0)) return;
  double half = sin(angle / 2) / sqrt(n),
         q[4] = {cos(angle / 2), axis[0] * half, axis[1] * half, axis[2] * half};
  const ctReal* t = p->turn;
  double a[4] = {(double)t[0], (double)t[1], (double)t[2], (double)t[3]};
  p->turn[0] = (ctReal)(q[0] * a[0] - q[1] * a[1] - q[2] * a[2] - q[3] * a[3]);
  p->turn[1] = (ctReal)(q[0] * a[1] + q[1] * a[0] + q[2] * a[3] - q[3] * a[2]);
  p->turn[2] = (ctReal)(q[0] * a[2] - q[1] * a[3] + q[2] * a[0] + q[3] * a[1]);
  p->turn[3] = (ctReal)(q[0] * a[3] + q[1] * a[2] - q[2] * a[1] + q[3] * a[0]);
}

// ---- events

// Events wait in a list until the picture is drawn, which has what they need.
typedef struct Event {
  enum { EVENT_MOVE, EVENT_BUTTON, EVENT_KEY, EVENT_SCROLL, EVENT_DROP } kind;
  int code, action, mods;
  double x, y;  // of the mouse, or how far the wheel was turned
  char path[MOST_PATH];
} Event;
enum { MOST_EVENTS = 64 };
typedef struct Events {
  Event list[MOST_EVENTS];
  int count;
} Events;

static Event* new_event(GLFWwindow* window) {
  Events* e = glfwGetWindowUserPointer(window);
  if (e->count == MOST_EVENTS) return NULL;
  Event* at = &e->list[e->count++];
  *at = (Event){0};
  return at;
}

static void on_button(GLFWwindow* window, int button, int action, int mods) {
  Event* e = new_event(window);
  if (e) e->kind = EVENT_BUTTON, e->code = button, e->action = action, e->mods = mods;
}

static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  (void)scancode;
  Event* e = action != GLFW_RELEASE ? new_event(window) : NULL;
  if (e) e->kind = EVENT_KEY, e->code = key, e->action = action, e->mods = mods;
}

static void on_scroll(GLFWwindow* window, double x, double y) {
  (void)x;
  Event* e = new_event(window);
  if (e) e->kind = EVENT_SCROLL, e->y = y;
}

// Moves that follow each other are one.
static void on_move(GLFWwindow* window, double x, double y) {
  Events* events = glfwGetWindowUserPointer(window);
  Event* e = events->count > 0 ? &events->list[events->count - 1] : NULL;
  if (!e || e->kind != EVENT_MOVE) e = new_event(window);
  if (e) e->kind = EVENT_MOVE, e->x = x, e->y = y;
}

static void on_drop(GLFWwindow* window, int count, const char** paths) {
  Event* e = count > 0 ? new_event(window) : NULL;
  if (e) e->kind = EVENT_DROP, snprintf(e->path, sizeof(e->path), "%s", paths[0]);
}

static void press(Window* w, Sight* s, const Event* e) {
  if (e->action == GLFW_RELEASE) {
    if (w->dragging == e->code) w->dragging = -1;
    if (w->pushing) s->wishes.push = (Push){0};
    w->pushing = false;
    return;
  }
  if (ui_has_mouse()) return;
  double now = ct_clock();
  bool twice = now - w->click_time < 0.35 && w->click_button == e->code;
  w->click_time = twice ? 0 : now;
  w->click_button = e->code;
  if (twice) {
    select_body(w, s, e->code);
    return;
  }
  w->dragging = e->code;
  w->pushing = (e->mods & GLFW_MOD_CONTROL) && s->option.selected > 0 && e->code != GLFW_MOUSE_BUTTON_MIDDLE;
  if (w->pushing) start_push(w, s, e->code);
}

// Letters switch what is shown.
static const struct {
  int key;
  ctShow show;
} show_keys[] = {
    {GLFW_KEY_C, CT_SHOW_CONTACTPOINT}, {GLFW_KEY_F, CT_SHOW_CONTACTFORCE}, {GLFW_KEY_J, CT_SHOW_JOINT},
    {GLFW_KEY_U, CT_SHOW_ACTUATOR},     {GLFW_KEY_T, CT_SHOW_TRANSPARENT},  {GLFW_KEY_I, CT_SHOW_INERTIA},
    {GLFW_KEY_M, CT_SHOW_COM},          {GLFW_KEY_W, CT_SHOW_WIREFRAME},    {GLFW_KEY_H, CT_SHOW_CONVEXHULL},
    {GLFW_KEY_S, CT_SHOW_SHADOW},       {GLFW_KEY_Y, CT_SHOW_TENDON},       {GLFW_KEY_K, CT_SHOW_SKIN},
    {GLFW_KEY_Z, CT_SHOW_STATIC},       {GLFW_KEY_X, CT_SHOW_TEXTURE},      {GLFW_KEY_A, CT_SHOW_ISLAND}};

static void change_speed(Sight* s, double factor) {
  s->wishes.speed = fmax(1.0 / 256, fmin(256, s->wishes.speed * factor));
}

static void type(ctViewer* v, Window* w, Sight* s, const Event* e) {
  (void)v;
  if (ui_has_keys()) return;
  bool ctrl = e->mods & GLFW_MOD_CONTROL;
  if (ctrl) {
    if (e->code == GLFW_KEY_Q) glfwSetWindowShouldClose(w->glfw, GLFW_TRUE);
    if (e->code == GLFW_KEY_L && s->path[0]) s->wishes.load = true;
    if (e->code == GLFW_KEY_P) view_take_picture(w, s);
    if (e->code == GLFW_KEY_R) view_toggle_video(w, s);
    return;
  }
  switch (e->code) {
    case GLFW_KEY_SPACE: s->wishes.paused = !s->wishes.paused; return;
    case GLFW_KEY_RIGHT: s->wishes.paused = true, s->wishes.steps++; return;
    case GLFW_KEY_BACKSPACE: s->wishes.reset = true; return;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT: change_speed(s, 0.5); return;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD: change_speed(s, 2); return;
    case GLFW_KEY_TAB: w->panels = !w->panels; return;
    case GLFW_KEY_F1: w->help = !w->help; return;
    case GLFW_KEY_LEFT_BRACKET: next_camera(s, -1); return;
    case GLFW_KEY_RIGHT_BRACKET: next_camera(s, 1); return;
    case GLFW_KEY_E: s->option.frame = (ctFrameOf)((s->option.frame + 1) % CT_FRAME_OF_COUNT); return;
    case GLFW_KEY_L: s->option.label = (ctLabelOf)((s->option.label + 1) % CT_LABEL_OF_COUNT); return;
    case GLFW_KEY_ESCAPE:
      w->help = false;
      s->option.selected = 0;
      s->message[0] = 0;
      ct_camera_find(s->m, "free", &s->camera, NULL);
      return;
    default: break;
  }
  if (e->code >= GLFW_KEY_0 && e->code < GLFW_KEY_0 + CT_NGROUP) {
    ctByte* group = e->mods & GLFW_MOD_SHIFT ? s->option.sitegroup : s->option.geomgroup;
    group[e->code - GLFW_KEY_0] ^= 1;
  }
  for (size_t i = 0; i < sizeof(show_keys) / sizeof(show_keys[0]); i++) {
    if (show_keys[i].key == e->code) s->option.show[show_keys[i].show] ^= 1;
  }
}

static void move_mouse(Window* w, Sight* s, double x, double y) {
  double dx = x - w->mouse[0], dy = y - w->mouse[1];
  w->mouse[0] = x, w->mouse[1] = y;
  if (w->dragging < 0) return;
  if (w->pushing) {
    drag_push(w, s, dx, dy);
  } else {
    move_camera(w, s, w->dragging, dx, dy);
  }
}

void view_take_events(ctViewer* v, Window* w, Sight* s) {
  Events* events = glfwGetWindowUserPointer(w->glfw);
  for (int i = 0; i < events->count; i++) {
    const Event* e = &events->list[i];
    switch (e->kind) {
      case EVENT_MOVE: move_mouse(w, s, e->x, e->y); break;
      case EVENT_BUTTON: press(w, s, e); break;
      case EVENT_KEY:
        if (!ui_has_keys() && s->nkey < MOST_KEYS) s->keys[s->nkey++] = e->code;
        type(v, w, s, e);
        break;
      case EVENT_SCROLL:
        if (!ui_has_mouse()) move_camera(w, s, GLFW_MOUSE_BUTTON_MIDDLE, 0, -e->y * w->size[1] / 30);
        break;
      default: snprintf(s->path, sizeof(s->path), "%s", e->path); s->wishes.load = true;
    }
  }
  events->count = 0;
}

bool view_listen(Window* w) {
  Events* events = calloc(1, sizeof(*events));
  glfwSetWindowUserPointer(w->glfw, events);
  if (!events) return false;
  glfwSetCursorPosCallback(w->glfw, on_move);
  glfwSetMouseButtonCallback(w->glfw, on_button);
  glfwSetKeyCallback(w->glfw, on_key);
  glfwSetScrollCallback(w->glfw, on_scroll);
  glfwSetDropCallback(w->glfw, on_drop);
  return true;
}
