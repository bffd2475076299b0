// Labels of items, written over a picture that has been read: white letters with a dark rim.
#include "font.h"
#include "renderer.h"

enum { GAP = 1, MOST_MOVES = 24 };  // dots between letters; places that are tried for a label

typedef struct Box {
  int left, top, right, bottom;  // the last two are outside
} Box;

// ---- letters

static int count_letters(const char* text) {
  int n = 0;
  for (; *text; n++) font_next(&text);
  return n;
}

// Rows above the letter have negative numbers.
static bool has_dot(const Glyph* letter, int x, int y) {
  return x >= 0 && y >= -FONT_ABOVE && x < FONT_WIDTH && y < FONT_HEIGHT &&
         (letter->rows[FONT_ABOVE + y] >> (FONT_WIDTH - 1 - x) & 1);
}

// Ink of a letter whose dots are `size` pixels. The quarters of a dot follow their neighbours, so that
// slanted strokes are not stairs.
static bool has_ink(const Glyph* letter, int size, int x, int y) {
  if (x < 0 || y < -FONT_ABOVE * size) return false;
  y += FONT_ABOVE * size;  // from the upper row on, so that division rounds down
  int column = x / size, row = y / size - FONT_ABOVE, right = 2 * (x % size) >= size,
      low = 2 * (y % size) >= size;
  bool dot = has_dot(letter, column, row);
  if (size < 2) return dot;
  bool side = has_dot(letter, column + (right ? 1 : -1), row),
       other = has_dot(letter, column - (right ? 1 : -1), row);
  bool above = has_dot(letter, column, row + (low ? 1 : -1)),
       below = has_dot(letter, column, row - (low ? 1 : -1));
  return side == above && side != below && above != other ? side : dot;
}

static void blend(const ctRenderer* r, ctByte* rgb, int x, int y, int level, int part) {
  if (x < 0 || y < 0 || x >= r->width || y >= r->height) return;
  ctByte* p = rgb + 3 * ((size_t)y * (size_t)r->width + (size_t)x);
  for (int k = 0; k < 3; k++) p[k] = (ctByte)((p[k] * (256 - part) + level * part) >> 8);
}

static void write_letter(const ctRenderer* r, ctByte* rgb, const Glyph* letter, int size, int left, int top) {
  for (int y = -1 - FONT_ABOVE * size; y <= FONT_HEIGHT * size; y++) {
    for (int x = -1; x <= FONT_WIDTH * size; x++) {
      bool rim = false;
      for (int k = 0; k < 9; k++) rim = rim || has_ink(letter, size, x + k % 3 - 1, y + k / 3 - 1);
      if (has_ink(letter, size, x, y)) {
        blend(r, rgb, left + x, top + y, 255, 256);
      } else if (rim) {
        blend(r, rgb, left + x, top + y, 0, 160);
      }
    }
  }
}

// ---- places

// The middle of the item in the picture; false when it is not seen.
static bool find_item(const ctRenderer* r, const Mat4* project, const ctItem* item, int out[2]) {
  float c[4];
  mat4_apply(project, item->pos, c);
  for (int k = 0; k < 3; k++) {
    if (!(fabsf(c[k]) <= c[3])) return false;
  }
  out[0] = (int)((0.5f + 0.5f * c[0] / c[3]) * (float)r->width);
  out[1] = (int)((0.5f - 0.5f * c[1] / c[3]) * (float)r->height);
  return true;
}

static bool overlap(const Box* a, const Box* b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool is_free(const Box* box, const Box* others, int count) {
  for (int i = 0; i < count; i++) {
    if (overlap(box, others + i)) return false;
  }
  return true;
}

// Down or up by lines, until it lies on none of those before it.
static void make_way(Box* box, const Box* others, int count) {
  const Box first = *box;
  int line = first.bottom - first.top;
  for (int move = 1; move <= MOST_MOVES && !is_free(box, others, count); move++) {
    int by = (move % 2 ? move + 1 : -move) / 2 * line;
    box->top = first.top + by;
    box->bottom = first.bottom + by;
  }
}

ctStatus write_labels(const ctRenderer* r, ctByte* rgb) {
  const ctScene* s = r->scene;
  int count = 0, size = 1 + r->height / 600;
  for (int i = 0; i < s->nitem; i++) count += s->items[i].label[0] != 0;
  if (count == 0) return CT_OK;
  Box* boxes = render_alloc(&r->allocator, (size_t)count, sizeof(Box));
  if (!boxes) return CT_ERR_MEMORY;
  const Mat4 project = view_pass(r, NULL).project;
  count = 0;
  for (int i = 0; i < s->nitem; i++) {
    const char* text = s->items[i].label;
    int at[2];
    if (!*text || !find_item(r, &project, s->items + i, at)) continue;
    int width = size * (FONT_WIDTH + GAP) * count_letters(text), height = size * FONT_HEIGHT;
    Box* box = &boxes[count];
    *box =
        (Box){at[0] - width / 2, at[1] - height / 2, at[0] + width - width / 2, at[1] + height - height / 2};
    make_way(box, boxes, count);
    count++;
    for (int x = box->left; *text; x += size * (FONT_WIDTH + GAP)) {
      const Glyph letter = font_glyph(font_next(&text));
      write_letter(r, rgb, &letter, size, x, box->top);
    }
  }
  render_release(&r->allocator, boxes);
  return CT_OK;
}
