// Reading NumPy archives: those written here, and others that numpy.savez has made of arrays of numbers. An
// array of records, as a recording that did not end leaves, is read like an archive of its columns.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define MAX_ARRAYS 16
#define NAME_SIZE  64

typedef struct {
  char name[NAME_SIZE];
  char type;     // 'f' number, 'U' text
  size_t width;  // bytes of an element; of a text: characters
  size_t rows, cols;
  size_t stride;  // bytes from row to row
  const unsigned char* data;
} Array;

static uint32_t get16(const unsigned char* p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}
static uint32_t get32(const unsigned char* p) {
  return get16(p) | get16(p + 2) << 16;
}
static uint64_t get64(const unsigned char* p) {
  return get32(p) | (uint64_t)get32(p + 4) << 32;
}

// ---- one array

// The value of a key in the head, behind its colon; NULL when it is missing.
static const char* value_of(const char* head, const char* key) {
  const char* at = strstr(head, key);
  at = at ? strchr(at + strlen(key), ':') : NULL;
  if (!at) return NULL;
  at++;
  return at + strspn(at, " ");
}

static const char* read_type(Array* a, const char* text) {
  const uint16_t one = 1;
  char own = *(const unsigned char*)&one ? '<' : '>';
  if (text[0] != '\'' || (text[1] != own && text[1] != '|'))
    return "an array has the byte order of another machine";
  a->type = text[2];
  a->width = strtoul(text + 3, NULL, 10);
  bool number = a->type == 'f' && (a->width == 4 || a->width == 8);
  if (number || (a->type == 'U' && a->width > 0 && a->width < 4096)) return NULL;
  return "an array is neither of float32 nor of float64";
}

static const char* read_shape(Array* a, const char* text) {
  char* end;
  if (*text++ != '(') return "an array has no shape";
  a->rows = strtoull(text, &end, 10);
  if (end == text) return "an array has no dimension";
  a->cols = 1;
  text = end + strspn(end, ", ");
  if (*text == ')') return NULL;
  a->cols = strtoull(text, &end, 10);
  text = end + strspn(end, ", ");
  return *text == ')' ? NULL : "an array has more than two dimensions";
}

// What stands in front of the numbers of an array.
typedef struct {
  char text[4096];
  const char *type, *shape;
  const unsigned char* data;
  size_t size;  // of the data
} Head;

static const char* read_head(Head* h, const unsigned char* bytes, size_t size) {
  if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0) return "a member is not an array";
  size_t lead = bytes[6] == 1 ? 10 : 12, n = bytes[6] == 1 ? get16(bytes + 8) : get32(bytes + 8);
  if (n >= sizeof(h->text) || lead + n > size) return "the head of an array is damaged";
  memcpy(h->text, bytes + lead, n);
  h->text[n] = 0;
  h->type = value_of(h->text, "'descr'");
  h->shape = value_of(h->text, "'shape'");
  h->data = bytes + lead + n;
  h->size = size - lead - n;
  const char* order = value_of(h->text, "'fortran_order'");
  if (!h->type || !order || !h->shape) return "the head of an array is damaged";
  return strncmp(order, "False", 5) == 0 ? NULL
                                         : "an array is stored by columns; numpy.ascontiguousarray helps";
}

static size_t element_bytes(const Array* a) {
  return a->type == 'U' ? 4 * a->width : a->width;
}

static const char* read_array(Array* a, const unsigned char* bytes, size_t size) {
  Head h;
  const char* wrong = read_head(&h, bytes, size);
  if (!wrong) wrong = read_type(a, h.type);
  if (!wrong) wrong = read_shape(a, h.shape);
  if (wrong) return wrong;
  size_t have = h.size / element_bytes(a);
  if (a->cols && a->rows > have / a->cols) return "an array is cut short";
  a->stride = a->cols * element_bytes(a);
  a->data = h.data;
  return NULL;
}

static double number_at(const Array* a, size_t row, size_t col) {
  const unsigned char* at = a->data + row * a->stride + col * a->width;
  float f;
  double d;
  memcpy(&f, at, sizeof(f));
  if (a->width == sizeof(f)) return (double)f;
  memcpy(&d, at, sizeof(d));
  return d;
}

// ---- the archive

typedef struct {
  Array arrays[MAX_ARRAYS];
  int count;
} Archive;

static const Array* find_array(const Archive* z, const char* name) {
  for (int i = 0; i < z->count; i++) {
    if (strcmp(z->arrays[i].name, name) == 0) return &z->arrays[i];
  }
  return NULL;
}

// Sizes and places that do not fit into 32 bits stand in a field of kind 1, in this order.
static bool read_long_forms(const unsigned char* field, size_t size, uint64_t* const numbers[3]) {
  while (size >= 4 && get16(field) != 1) {
    size_t n = 4 + (size_t)get16(field + 2);
    if (n > size) return false;
    field += n;
    size -= n;
  }
  size_t left = size >= 4 ? get16(field + 2) : 0;
  if (left + 4 > size) left = 0;
  field += 4;
  for (int i = 0; i < 3; i++) {
    if (*numbers[i] != UINT32_MAX) continue;
    if (left < 8) return false;
    *numbers[i] = get64(field);
    field += 8;
    left -= 8;
  }
  return true;
}

// One entry of the directory; moves `*at` to the next.
static const char* read_entry(Archive* z, const unsigned char* bytes, size_t size, size_t* at) {
  if (*at > size || size - *at < 46 || get32(bytes + *at) != 0x02014b50)
    return "the directory of this archive is damaged";
  const unsigned char* e = bytes + *at;
  uint32_t method = get16(e + 10), name = get16(e + 28), extra = get16(e + 30);
  uint64_t stored = get32(e + 20), whole = get32(e + 24), offset = get32(e + 42);
  uint64_t* const numbers[3] = {&whole, &stored, &offset};
  *at += 46 + (size_t)name + extra + get16(e + 32);
  if (*at > size) return "the directory of this archive is damaged";
  if (method != 0) return "this archive is compressed: write it with numpy.savez instead of savez_compressed";
  if (!read_long_forms(e + 46 + name, extra, numbers)) return "the directory of this archive is damaged";
  if (offset > size || size - offset < 30 || get32(bytes + offset) != 0x04034b50)
    return "this archive is damaged";
  size_t data = (size_t)offset + 30 + get16(bytes + offset + 26) + get16(bytes + offset + 28);
  if (data > size || stored > size - data) return "this archive is cut short";
  if (z->count == MAX_ARRAYS) return "this archive has too many arrays";
  Array* a = &z->arrays[z->count++];
  size_t n = name < NAME_SIZE ? name : NAME_SIZE - 1;
  memcpy(a->name, e + 46, n);
  a->name[n] = 0;
  char* dot = strstr(a->name, ".npy");
  if (dot) *dot = 0;
  return read_array(a, bytes + data, (size_t)stored);
}

static const char* read_archive(Archive* z, const unsigned char* bytes, size_t size) {
  size_t end = size >= 22 ? size - 22 : 0;
  // the end of the directory may be followed by a remark
  while (end > 0 && size - end < 65557 && get32(bytes + end) != 0x06054b50) end--;
  if (size < 22 || get32(bytes + end) != 0x06054b50) return "this archive is cut short";
  size_t count = get16(bytes + end + 10);
  uint64_t start = get32(bytes + end + 16);
  if (start == UINT32_MAX) {
    // the long form stands before it, behind it the place where it stands
    uint64_t head = end >= 20 && get32(bytes + end - 20) == 0x07064b50 ? get64(bytes + end - 12) : size;
    if (head > end || end - head < 56 || get32(bytes + head) != 0x06064b50)
      return "the directory of this archive is damaged";
    start = get64(bytes + head + 48);
  }
  size_t at = start < size ? (size_t)start : size;
  const char* wrong = NULL;
  for (size_t i = 0; i < count && !wrong; i++) wrong = read_entry(z, bytes, size, &at);
  return wrong;
}

// ---- arrays to channels

// Text `i` of an array of texts; "" when there is no such array.
static void text_at(const Array* a, size_t i, char* out, size_t size) {
  size_t n = 0;
  for (size_t k = 0; a && k < a->width && n + 1 < size; k++, n++) {
    uint32_t c;
    memcpy(&c, a->data + 4 * (i * a->width + k), sizeof(c));
    if (c == 0) break;
    out[n] = (char)(c < 128 ? c : '?');
  }
  out[n] = 0;
}

static bool add_channels(cli_Recording* r, const Array* a, const Array* names, const Array* units) {
  const char* group = strcmp(a->name, "sensordata") == 0 ? "sensor" : a->name;
  for (size_t k = 0; k < a->cols; k++) {
    char name[512], unit[64];
    size_t i = (size_t)r->nchannel;
    text_at(names, i, name, sizeof(name));
    text_at(units, i, unit, sizeof(unit));
    if (!names) snprintf(name, sizeof(name), a->cols == 1 ? "%s" : "%s.%zu", group, k);
    if (!cli_recording_add_channel(r, name, strlen(name), unit)) return false;
  }
  return true;
}

static const char* take_columns(cli_Recording* r, const Archive* z) {
  size_t rows = 0, cols = 0;
  for (int i = 0; i < z->count; i++) {
    const Array* a = &z->arrays[i];
    if (a->type != 'f' || a->cols == 0) continue;
    if (cols > 0 && a->rows != rows) return "the arrays of this archive have different lengths";
    rows = a->rows;
    cols += a->cols;
  }
  if (cols == 0 || cols > 1000000) return "this archive holds no arrays of numbers";
  // names belong to a recording of ours only when there is one for each column
  const Array *names = find_array(z, "channels"), *units = find_array(z, "units");
  if (names && (names->type != 'U' || names->rows != cols)) names = NULL;
  if (units && (!names || units->type != 'U' || units->rows != cols)) units = NULL;
  for (int i = 0; i < z->count; i++) {
    const Array* a = &z->arrays[i];
    if (a->type == 'f' && a->cols > 0 && !add_channels(r, a, names, units)) return "out of memory";
  }
  for (size_t row = 0; row < rows; row++) {
    double* to = cli_recording_row(r);
    if (!to) return "out of memory";
    for (int i = 0; i < z->count; i++) {
      const Array* a = &z->arrays[i];
      for (size_t k = 0; a->type == 'f' && k < a->cols; k++) *to++ = number_at(a, row, k);
    }
  }
  return NULL;
}

const char* cli_npz_read(cli_Recording* r, const unsigned char* bytes, size_t size) {
  Archive z = {0};
  const char* wrong = read_archive(&z, bytes, size);
  return wrong ? wrong : take_columns(r, &z);
}

// ---- records

// The next field of a record, ('name', 'type') or ('name', 'type', (columns,)); moves `*at` behind it.
static const char* read_field(Array* a, const char** at) {
  static const char damaged[] = "the fields of these records are damaged";
  const char* name = strchr(*at, '\'');
  const char* name_end = name ? strchr(name + 1, '\'') : NULL;
  const char* type = name_end ? strchr(name_end + 1, '\'') : NULL;
  const char* type_end = type ? strchr(type + 1, '\'') : NULL;
  if (!type_end || (size_t)(name_end - name) > NAME_SIZE) return damaged;
  memcpy(a->name, name + 1, (size_t)(name_end - name) - 1);
  a->cols = 1;
  const char* wrong = read_type(a, type);
  if (wrong) return wrong;
  if (a->type != 'f') return "a field of these records is not a number";
  *at = type_end + 1;
  if (strncmp(*at, ", (", 3) == 0) {
    a->cols = strtoull(*at + 3, NULL, 10);
    *at = strchr(*at, ')');
    if (!*at) return damaged;
    ++*at;
  }
  return NULL;
}

const char* cli_npy_read(cli_Recording* r, const unsigned char* bytes, size_t size) {
  Head h;
  Archive z = {0};
  Array shape = {0};
  const char* wrong = read_head(&h, bytes, size);
  if (!wrong && h.type[0] != '[') wrong = "this array has no records";
  if (!wrong) wrong = read_shape(&shape, h.shape);
  size_t stride = 0;
  for (const char* at = wrong ? "" : h.type; !wrong && (at = strchr(at, '(')) && at < h.shape;) {
    if (z.count == MAX_ARRAYS) return "these records have too many fields";
    Array* a = &z.arrays[z.count++];
    wrong = read_field(a, &at);
    if (!wrong && a->cols > h.size) wrong = "a record is larger than this file";
    if (wrong) return wrong;
    a->rows = shape.rows;
    a->data = h.data + stride;
    stride += a->cols * a->width;
  }
  if (wrong) return wrong;
  if (stride == 0 || shape.rows > h.size / stride) return "this array is cut short";
  for (int i = 0; i < z.count; i++) z.arrays[i].stride = stride;
  return take_columns(r, &z);
}
