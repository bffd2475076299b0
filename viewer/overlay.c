// What a program draws over the picture: a copy of it, images in the driver, and drawing it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui.h"
#include "window.h"

typedef struct Overlay {
  ctOverlay* things;
  unsigned* images;  // in the driver, of things that are images; 0: not yet
  int count;
} Overlay;

// Images belong to the context of the window's thread: only that has made any.
void view_free_overlay(Overlay* o) {
  if (!o) return;
  for (int i = 0; i < o->count; i++) {
    if (o->images[i]) ui_image_free(o->images[i]);
  }
  free(o);
}

static bool are_finite(const float* x, int count) {
  for (int i = 0; i < count; i++) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

static bool is_good(const ctOverlay* t) {
  const int least[] = {
      [CT_OVERLAY_RECT] = 2, [CT_OVERLAY_LINE] = 0, [CT_OVERLAY_TEXT] = 1, [CT_OVERLAY_IMAGE] = 2};
  if ((unsigned)t->kind > CT_OVERLAY_IMAGE || t->npoint < least[t->kind] ||
      t->npoint > CT_OVERLAY_BYTES_MAX / 8 || (t->npoint > 0 && !t->points))
    return false;
  if (t->kind == CT_OVERLAY_IMAGE && (!t->rgb || t->size[0] < 1 || t->size[1] < 1)) return false;
  return are_finite(t->points, 2 * t->npoint) && are_finite(t->anchor, 2) && are_finite(t->align, 2) &&
         are_finite(t->rgba, 4) && are_finite(t->back, 4) && isfinite(t->width) && t->width >= 0;
}

static size_t pixels_of(const ctOverlay* t) {
  return t->kind == CT_OVERLAY_IMAGE ? 3 * (size_t)t->size[0] * (size_t)t->size[1] : 0;
}

static size_t bytes_of(const ctOverlay* t) {
  return 2 * sizeof(float) * (size_t)t->npoint + (t->text ? strlen(t->text) + 1 : 0) + pixels_of(t);
}

// One block: the overlay, things, images, then points, and the bytes of texts and pixels.
static Overlay* copy(const ctOverlay* things, int count, size_t bytes) {
  const size_t head = sizeof(Overlay) + (size_t)count * (sizeof(ctOverlay) + sizeof(unsigned));
  Overlay* o = calloc(1, head + bytes);
  if (!o) return NULL;
  o->things = (ctOverlay*)(o + 1);
  o->images = (unsigned*)(o->things + count);
  o->count = count;
  float* points = (float*)(o->images + count);
  for (int i = 0; i < count; i++) {
    ctOverlay* t = o->things + i;
    *t = things[i];
    if (t->npoint > 0) memcpy(points, t->points, 2 * sizeof(float) * (size_t)t->npoint);
    t->points = points;
    points += 2 * t->npoint;
  }
  char* rest = (char*)points;
  for (int i = 0; i < count; i++) {
    ctOverlay* t = o->things + i;
    if (t->text) {
      size_t n = strlen(t->text) + 1;
      t->text = memcpy(rest, t->text, n);
      rest += n;
    }
    size_t n = pixels_of(t);
    if (n > 0) t->rgb = memcpy(rest, t->rgb, n);
    rest += n;
  }
  return o;
}

ctStatus ct_viewer_set_overlay(ctViewer* v, const ctOverlay* things, int count) {
  if (!v || count < 0 || (count > 0 && !things)) return CT_ERR_ARGUMENT;
  if (count > CT_OVERLAY_MAX) return CT_ERR_LIMIT;
  size_t bytes = 0;
  for (int i = 0; i < count; i++) {
    if (!is_good(things + i)) return CT_ERR_ARGUMENT;
    if ((int64_t)things[i].size[0] * things[i].size[1] > CT_OVERLAY_BYTES_MAX &&
        things[i].kind == CT_OVERLAY_IMAGE)
      return CT_ERR_LIMIT;
    bytes += bytes_of(things + i);
    if (bytes > CT_OVERLAY_BYTES_MAX) return CT_ERR_LIMIT;
  }
  Overlay* o = count > 0 ? copy(things, count, bytes) : NULL;
  if (count > 0 && !o) return CT_ERR_MEMORY;
  pthread_mutex_lock(&v->lock);
  Overlay* unseen = v->overlay;
  v->overlay = o;
  v->fresh_overlay = true;
  pthread_mutex_unlock(&v->lock);
  view_free_overlay(unseen);
  return CT_OK;
}

// ---- drawing

void view_draw_overlay(Window* w) {
  for (int i = 0; w->overlay && i < w->overlay->count; i++) {
    const ctOverlay* t = w->overlay->things + i;
    const int whole[4] = {0, 0, w->size[0], w->size[1]}, *area = t->inside ? w->area : whole;
    const float at[2] = {(float)area[0] + t->anchor[0] * (float)area[2],
                         (float)area[1] + t->anchor[1] * (float)area[3]};
    float box[4] = {0, 0, 0, 0};
    for (int k = 0; k < 4 && k < 2 * t->npoint; k++) box[k] = at[k % 2] + t->points[k];
    switch (t->kind) {
      case CT_OVERLAY_RECT: ui_rect(box, t->rgba); break;
      case CT_OVERLAY_TEXT:
        if (t->text) ui_columns(box, t->align, t->width > 0 ? t->width : 1, t->rgba, t->back, t->text);
        break;
      case CT_OVERLAY_IMAGE:
        if (!w->overlay->images[i]) w->overlay->images[i] = ui_image_make(t->rgb, t->size[0], t->size[1]);
        ui_image(w->overlay->images[i], box);
        break;
      default:
        for (int k = 0; k + 1 < t->npoint; k++) {
          const float* p = t->points + 2 * k;
          const float ends[4] = {at[0] + p[0], at[1] + p[1], at[0] + p[2], at[1] + p[3]};
          ui_line_between(ends, t->width, t->rgba);
        }
    }
  }
}
