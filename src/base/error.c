#define _POSIX_C_SOURCE 200809L  // newlocale

#include "base/error.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/strings.h"

const char* ct_status_text(ctStatus status) {
#define AS_TEXT(id, text) [CT_##id] = text,
  static const char* const texts[CT_STATUS_COUNT] = {CT_STATUS_LIST(AS_TEXT)};
#undef AS_TEXT
  return (unsigned)status < CT_STATUS_COUNT ? texts[status] : "unknown status";
}

int ct_error_format(const ctError* err, char* buffer, size_t size) {
  const char* message = err->message[0] ? err->message : ct_status_text(err->status);
  const char* file = err->file[0] ? err->file : "line";  // a position without a file still reads well
  const char* colon = err->file[0] ? ":" : " ";
  if (err->line > 0 && err->column > 0) {
    return snprintf(buffer, size, "%s%s%d:%d: %s", file, colon, err->line, err->column, message);
  }
  if (err->line > 0) return snprintf(buffer, size, "%s%s%d: %s", file, colon, err->line, message);
  if (err->file[0]) return snprintf(buffer, size, "%s: %s", file, message);
  return snprintf(buffer, size, "%s", message);
}

// True for the control characters of ASCII and Latin-1, and for the two Unicode line separators.
static bool is_control(const char* s, int length) {
  const unsigned char* u = (const unsigned char*)s;
  if (length == 1) return u[0] < 0x20 || u[0] == 0x7f;
  if (length == 2) return u[0] == 0xc2 && u[1] < 0xa0;
  return length == 3 && u[0] == 0xe2 && u[1] == 0x80 && (u[2] == 0xa8 || u[2] == 0xa9);
}

// Write the safe form of the character at `*text` to `out` (4 bytes), move `*text` behind it, return its
// length.
static int safe_character(char* out, const char** text, const char* end) {
  int length = cti_utf8_length(*text, end);
  if (length == 0 || is_control(*text, length)) {
    out[0] = length == 0 ? '?' : ' ';
    *text += length == 0 ? 1 : length;
    return 1;
  }
  memcpy(out, *text, (size_t)length);
  *text += length;
  return length;
}

const char* cti_copy_head_sized(char* out, size_t size, const char* text, size_t length) {
  const char* end = text + length;
  size_t used = 0, cut = 0;  // `cut`: where a character ends and "..." still fits
  while (text < end) {
    char c[4];
    size_t n = (size_t)safe_character(c, &text, end);
    if (used + n + 1 > size) {
      size_t room = size > cut ? size - cut - 1 : 0;
      memcpy(out + cut, "...", room < 3 ? room : 3);
      used = cut + (room < 3 ? room : 3);
      break;
    }
    memcpy(out + used, c, n);
    used += n;
    if (used + 4 <= size) cut = used;
  }
  if (size > 0) out[used] = 0;
  return out;
}

const char* cti_copy_head(char* out, size_t size, const char* text) {
  return cti_copy_head_sized(out, size, text, strlen(text));
}

const char* cti_copy_tail(char* out, size_t size, const char* text) {
  size_t length = strlen(text);
  if (length < size || size < 8)
    return cti_copy_head(out, size, text);  // making a text safe never makes it longer
  const char* tail = text + length - (size - 4);
  while ((*tail & 0xc0) == 0x80) tail++;  // not in the middle of a character
  memcpy(out, "...", 3);
  cti_copy_head(out + 3, size - 3, tail);
  return out;
}

int cti_vformat(char* out, size_t size, const char* format, va_list args) {
  if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0) return vsnprintf(out, size, format, args);
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  locale_t before = plain ? uselocale(plain) : (locale_t)0;
  int length = vsnprintf(out, size, format, args);
  if (plain) {
    uselocale(before);
    freelocale(plain);
  }
  return length;
}

ctStatus cti_error_at_v(ctError* err, ctStatus status, const char* file, int line, int column,
                        const char* element_path, const char* format, va_list args) {
  if (!err) return status;
  // Formatted with room to spare, so that cti_copy_head makes the cut: making a text safe may shorten it to a
  // third.
  char text[3 * sizeof(err->message) + 8];
  char path[sizeof(err->element)], name[sizeof(err->file)];  // the arguments may point into *err
  cti_vformat(text, sizeof(text), format, args);
  cti_copy_tail(name, sizeof(name), file ? file : "");
  cti_copy_tail(path, sizeof(path), element_path ? element_path : "");

  memset(err, 0, sizeof(*err));
  err->status = status;
  err->line = line;
  err->column = column;
  memcpy(err->file, name, sizeof(name));
  memcpy(err->element, path, sizeof(path));
  cti_copy_head(err->message, sizeof(err->message), text);
  return status;
}

ctStatus cti_error_at(ctError* err, ctStatus status, const char* file, int line, int column,
                      const char* element_path, const char* format, ...) {
  va_list args;
  va_start(args, format);
  cti_error_at_v(err, status, file, line, column, element_path, format, args);
  va_end(args);
  return status;
}

ctStatus cti_error(ctError* err, ctStatus status, const char* format, ...) {
  va_list args;
  va_start(args, format);
  cti_error_at_v(err, status, NULL, 0, 0, NULL, format, args);
  va_end(args);
  return status;
}

ctStatus cti_error_memory(ctError* err) {
  return cti_error(err, CT_ERR_MEMORY, "out of memory");
}
