// NumPy archives: a zip without compression, one array a member. A recording has time, qpos, qvel, ctrl and
// sensordata, with the names and units of its channels beside them. While it grows it is one array, whose
// records have these columns.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define MAX_MEMBERS 16
#define ZIP_LIMIT   0xffffffffu  // sizes and places from here on stand in 64-bit fields

static const char* const groups[] = {"time", "qpos", "qvel", "ctrl", "sensor"};
static const char* const members[] = {"time", "qpos", "qvel", "ctrl", "sensordata"};
#define GROUP_COUNT 5

static uint32_t crc32_of(uint32_t crc, const void* bytes, size_t n) {
  static const uint32_t nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const unsigned char* p = bytes;
  crc = ~crc;
  while (n--) {
    crc ^= *p++;
    crc = crc >> 4 ^ nibbles[crc & 15];
    crc = crc >> 4 ^ nibbles[crc & 15];
  }
  return ~crc;
}

static char byte_order(void) {
  const uint16_t one = 1;
  return *(const unsigned char*)&one ? '<' : '>';
}

// ---- the archive

typedef struct {
  char name[32];
  uint32_t crc;
  uint64_t size, offset;
} Member;

typedef struct {
  const cli_Recording* r;
  FILE* rows;  // all rows of the recording, one after the other, behind a head
  double* row;
  FILE* file;
  uint64_t at;  // bytes written so far
  Member members[MAX_MEMBERS];
  int count;
  bool dry;  // only sum up the member at hand
  const char* wrong;
} Zip;

static void put(Zip* z, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++) fputc((int)(x >> 8 * i & 255), z->file);
  z->at += (uint64_t)bytes;
}

static void put_name(Zip* z, const Member* m) {
  fputs(m->name, z->file);
  z->at += strlen(m->name);
}

static uint64_t short_form(uint64_t x) {
  return x < ZIP_LIMIT ? x : UINT32_MAX;
}

// Bytes of a member.
static void put_bytes(Zip* z, const void* bytes, size_t n) {
  Member* m = &z->members[z->count - 1];
  if (z->dry) {
    m->crc = crc32_of(m->crc, bytes, n);
    m->size += n;
  } else {
    fwrite(bytes, 1, n, z->file);
    z->at += n;
  }
}

// What local and central records have in common.
static void put_record(Zip* z, const Member* m, unsigned extra) {
  put(z, extra ? 45 : 20, 2);  // version needed
  put(z, 0, 2);
  put(z, 0, 2);                  // stored
  put(z, 1 << 21 | 1 << 16, 4);  // a fixed date, so that equal runs give equal files
  put(z, m->crc, 4);
  put(z, short_form(m->size), 4);
  put(z, short_form(m->size), 4);
  put(z, strlen(m->name), 2);
  put(z, extra, 2);
}

static void put_local(Zip* z, Member* m) {
  unsigned extra = m->size < ZIP_LIMIT ? 0 : 20;
  m->offset = z->at;
  put(z, 0x04034b50, 4);
  put_record(z, m, extra);
  put_name(z, m);
  if (!extra) return;
  put(z, 1, 2);
  put(z, extra - 4, 2);
  put(z, m->size, 8);
  put(z, m->size, 8);
}

static void put_central(Zip* z, const Member* m) {
  bool large = m->size >= ZIP_LIMIT, far = m->offset >= ZIP_LIMIT;
  unsigned extra = large || far ? 4 + 16 * large + 8 * far : 0;
  put(z, 0x02014b50, 4);
  put(z, extra ? 45 : 20, 2);
  put_record(z, m, extra);
  put(z, 0, 6);
  put(z, 0, 4);
  put(z, short_form(m->offset), 4);
  put_name(z, m);
  if (!extra) return;
  put(z, 1, 2);
  put(z, extra - 4, 2);
  if (large) put(z, m->size, 8);
  if (large) put(z, m->size, 8);
  if (far) put(z, m->offset, 8);
}

static void put_directory(Zip* z) {
  uint64_t start = z->at;
  for (int i = 0; i < z->count; i++) put_central(z, &z->members[i]);
  uint64_t size = z->at - start, end = z->at;
  if (end >= ZIP_LIMIT) {
    put(z, 0x06064b50, 4);
    put(z, 44, 8);
    put(z, 45, 2);
    put(z, 45, 2);
    put(z, 0, 8);
    put(z, (uint64_t)z->count, 8);
    put(z, (uint64_t)z->count, 8);
    put(z, size, 8);
    put(z, start, 8);
    put(z, 0x07064b50, 4);  // where that is
    put(z, 0, 4);
    put(z, end, 8);
    put(z, 1, 4);
  }
  put(z, 0x06054b50, 4);
  put(z, 0, 4);
  put(z, (uint64_t)z->count, 2);
  put(z, (uint64_t)z->count, 2);
  put(z, short_form(size), 4);
  put(z, end < ZIP_LIMIT ? start : UINT32_MAX, 4);
  put(z, 0, 2);
}

// ---- its members

// The head of an array, which ends at a multiple of 64 bytes; NULL when memory runs out. `type` is written as
// it is. The caller frees it.
static char* make_head(size_t* size, const char* type, const char* shape) {
  static const char form[] = "{'descr': %s, 'fortran_order': False, 'shape': %s, }";
  const size_t lead = 10, n = strlen(form) - 4 + strlen(type) + strlen(shape);
  const size_t all = (lead + n + 1 + 63) / 64 * 64, behind = all - lead;
  char* head = malloc(all + 1);
  if (!head) return NULL;
  memcpy(head, "\x93NUMPY\x01", 7);
  head[7] = 0;
  head[8] = (char)(behind & 255);
  head[9] = (char)(behind >> 8);
  snprintf(head + lead, n + 1, form, type, shape);
  memset(head + lead + n, ' ', behind - n - 1);
  head[all - 1] = '\n';
  *size = all;
  return head;
}

static void put_head(Zip* z, const char* type, size_t rows, int cols) {
  char shape[64], quoted[64];
  size_t size = 0;
  snprintf(shape, sizeof(shape), cols < 0 ? "(%zu,)" : "(%zu, %d)", rows, cols);
  snprintf(quoted, sizeof(quoted), "'%s'", type);
  char* head = make_head(&size, quoted, shape);
  if (head) {
    put_bytes(z, head, size);
  } else {
    z->wrong = "out of memory";
  }
  free(head);
}

// The columns of the groups, and of what is behind them. The number of rows has a fixed place: it is written
// again and again.
static char* make_record_head(size_t* size, const cli_Recording* r) {
  char type[512] = "[", shape[64];
  size_t n = 1;
  int named = 0;
  for (int g = 0; g <= GROUP_COUNT; g++) {
    int first = 0, count = g < GROUP_COUNT ? cli_recording_group(r, groups[g], &first) : r->nchannel - named;
    named += count;
    if (count == 0) continue;
    n += (size_t)snprintf(type + n, sizeof(type) - n, "('%s', '%cf8'", g < GROUP_COUNT ? members[g] : "other",
                          byte_order());
    if (g > 0) n += (size_t)snprintf(type + n, sizeof(type) - n, ", (%d,)", count);
    n += (size_t)snprintf(type + n, sizeof(type) - n, "), ");
  }
  snprintf(type + n, sizeof(type) - n, "]");
  snprintf(shape, sizeof(shape), "(%20zu,)", r->total);
  return make_head(size, type, shape);
}

void cli_npy_head(FILE* file, const cli_Recording* r) {
  size_t size = 0;
  char* head = make_record_head(&size, r);
  if (head) fwrite(head, 1, size, file);
  free(head);
}

static bool skip_record_head(FILE* file, const cli_Recording* r) {
  size_t size = 0;
  char* head = make_record_head(&size, r);
  free(head);
  return head && fseek(file, (long)size, SEEK_SET) == 0;
}

// The columns of a group, of every row.
static void put_group(Zip* z, int group) {
  const cli_Recording* r = z->r;
  char type[8];
  snprintf(type, sizeof(type), "%cf8", byte_order());
  int first = 0, count = cli_recording_group(r, groups[group], &first);
  put_head(z, type, r->total, group == 0 ? -1 : count);
  if (count == 0) return;
  if (!skip_record_head(z->rows, r)) z->wrong = "cannot read back what was recorded";
  for (size_t i = 0; i < r->total && !z->wrong; i++) {
    if (fread(z->row, sizeof(double), (size_t)r->nchannel, z->rows) != (size_t)r->nchannel)
      z->wrong = "cannot read back what was recorded";
    put_bytes(z, z->row + first, sizeof(double) * (size_t)count);
  }
}

// Texts as an array of UTF-32, as NumPy stores them.
static void put_texts(Zip* z, bool units) {
  const cli_Recording* r = z->r;
  size_t longest = 1;
  for (int i = 0; i < r->nchannel; i++) {
    size_t n = strlen(units ? r->channels[i].unit : r->channels[i].name);
    if (n > longest) longest = n;
  }
  char type[24];
  snprintf(type, sizeof(type), "%cU%zu", byte_order(), longest);
  put_head(z, type, (size_t)r->nchannel, -1);
  for (int i = 0; i < r->nchannel; i++) {
    const char* text = units ? r->channels[i].unit : r->channels[i].name;
    for (size_t k = 0; k < longest; k++) {
      // bytes above 127 belong to longer characters: one mark each keeps the length right
      uint32_t c = *text ? (unsigned char)*text++ : 0;
      if (c > 127) c = '?';
      put_bytes(z, &c, sizeof(c));
    }
  }
}

static void put_content(Zip* z, int member) {
  if (member < GROUP_COUNT) {
    put_group(z, member);
  } else {
    put_texts(z, member > GROUP_COUNT);
  }
}

// Size and sum stand before the bytes, and a pipe cannot go back: each member is gone through twice.
static void put_member(Zip* z, int member) {
  static const char* const texts[] = {"channels", "units"};
  Member* m = &z->members[z->count++];
  snprintf(m->name, sizeof(m->name), "%s.npy",
           member < GROUP_COUNT ? members[member] : texts[member - GROUP_COUNT]);
  z->dry = true;
  put_content(z, member);
  z->dry = false;
  put_local(z, m);
  put_content(z, member);
}

const char* cli_npz_write(const cli_Recording* r, FILE* rows, FILE* file) {
  Zip z = {.r = r, .rows = rows, .file = file};
  z.row = malloc(sizeof(double) * (size_t)r->nchannel);
  if (!z.row) return "out of memory";
  for (int i = 0; i < GROUP_COUNT + 2 && !z.wrong; i++) put_member(&z, i);
  put_directory(&z);
  free(z.row);
  return z.wrong;
}
