// NumPy archives: a zip without compression, one array a member. A recording has time, qpos, qvel, ctrl and
// sensordata, with the names and units of its channels beside them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define MAX_MEMBERS 16
#define ZIP_LIMIT   0xf0000000u

static const char* const groups[] = {"time", "qpos", "qvel", "ctrl", "sensor"};
static const char* const members[] = {"time", "qpos", "qvel", "ctrl", "sensordata"};
#define GROUP_COUNT 5

static uint32_t crc32_of(uint32_t crc, const void* bytes, size_t n) {
  const unsigned char* p = bytes;
  crc = ~crc;
  while (n--) {
    crc ^= *p++;
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

static char byte_order(void) {
  const uint16_t one = 1;
  return *(const unsigned char*)&one ? '<' : '>';
}

// ---- writing

typedef struct {
  char name[32];
  uint32_t crc, size, offset;
} Member;

typedef struct {
  FILE* file;
  Member members[MAX_MEMBERS];
  int count;
  uint32_t crc, size;  // of the member at hand
} Zip;

static void put16(FILE* f, unsigned x) {
  fputc((int)(x & 255), f);
  fputc((int)(x >> 8 & 255), f);
}
static void put32(FILE* f, uint32_t x) {
  put16(f, x & 0xffff);
  put16(f, x >> 16);
}

static void put_bytes(Zip* z, const void* bytes, size_t n) {
  z->crc = crc32_of(z->crc, bytes, n);
  z->size += (uint32_t)n;
  fwrite(bytes, 1, n, z->file);
}

// What local and central records have in common.
static void put_record(Zip* z, const Member* m) {
  put16(z->file, 20);  // version needed
  put16(z->file, 0);
  put16(z->file, 0);                  // stored
  put32(z->file, 1 << 21 | 1 << 16);  // a fixed date, so that equal runs give equal files
  put32(z->file, m->crc);
  put32(z->file, m->size);
  put32(z->file, m->size);
  put16(z->file, (unsigned)strlen(m->name));
  put16(z->file, 0);
}

static void begin_member(Zip* z, const char* name, const char* type, size_t rows, int cols) {
  Member* m = &z->members[z->count++];
  snprintf(m->name, sizeof(m->name), "%s.npy", name);
  m->offset = (uint32_t)ftell(z->file);
  z->crc = z->size = 0;
  put32(z->file, 0x04034b50);
  put_record(z, m);  // written again when the sum is known
  fputs(m->name, z->file);
  char shape[64], head[128];
  snprintf(shape, sizeof(shape), cols < 0 ? "(%zu,)" : "(%zu, %d)", rows, cols);
  int n = snprintf(head, sizeof(head), "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  // the head ends at a multiple of 64 bytes
  int padded = (10 + n + 1 + 63) / 64 * 64 - 10;
  unsigned char lead[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded & 255), (unsigned char)(padded >> 8)};
  put_bytes(z, lead, sizeof(lead));
  put_bytes(z, head, (size_t)n);
  for (; n < padded - 1; n++) put_bytes(z, " ", 1);
  put_bytes(z, "\n", 1);
}

static void end_member(Zip* z) {
  Member* m = &z->members[z->count - 1];
  m->crc = z->crc;
  m->size = z->size;
  fseek(z->file, (long)m->offset + 4, SEEK_SET);
  put_record(z, m);
  fseek(z->file, 0, SEEK_END);
}

static void put_group(Zip* z, const cli_Recording* r, int group) {
  char type[8];
  snprintf(type, sizeof(type), "%cf8", byte_order());
  int first = 0, count = cli_recording_group(r, groups[group], &first);
  begin_member(z, members[group], type, r->rows, group == 0 ? -1 : count);
  for (size_t row = 0; row < r->rows && count; row++)
    put_bytes(z, r->data + row * (size_t)r->nchannel + first, sizeof(double) * (size_t)count);
  end_member(z);
}

// Texts as an array of UTF-32, as NumPy stores them.
static void put_texts(Zip* z, const cli_Recording* r, bool units) {
  size_t longest = 1;
  for (int i = 0; i < r->nchannel; i++) {
    size_t n = strlen(units ? r->channels[i].unit : r->channels[i].name);
    if (n > longest) longest = n;
  }
  char type[24];
  snprintf(type, sizeof(type), "%cU%zu", byte_order(), longest);
  begin_member(z, units ? "units" : "channels", type, (size_t)r->nchannel, -1);
  for (int i = 0; i < r->nchannel; i++) {
    const char* text = units ? r->channels[i].unit : r->channels[i].name;
    for (size_t k = 0; k < longest; k++) {
      // bytes above 127 belong to longer characters: one mark each keeps the length right
      uint32_t c = *text ? (unsigned char)*text++ : 0;
      if (c > 127) c = '?';
      put_bytes(z, &c, sizeof(c));
    }
  }
  end_member(z);
}

static void put_directory(Zip* z) {
  uint32_t start = (uint32_t)ftell(z->file);
  for (int i = 0; i < z->count; i++) {
    const Member* m = &z->members[i];
    put32(z->file, 0x02014b50);
    put16(z->file, 20);
    put_record(z, m);
    put16(z->file, 0);
    put16(z->file, 0);
    put16(z->file, 0);
    put32(z->file, 0);
    put32(z->file, m->offset);
    fputs(m->name, z->file);
  }
  uint32_t size = (uint32_t)ftell(z->file) - start;
  put32(z->file, 0x06054b50);
  put32(z->file, 0);
  put16(z->file, (unsigned)z->count);
  put16(z->file, (unsigned)z->count);
  put32(z->file, size);
  put32(z->file, start);
  put16(z->file, 0);
}

const char* cli_npz_write(const cli_Recording* r, FILE* file) {
  if ((double)r->rows * r->nchannel * sizeof(double) > ZIP_LIMIT)
    return "the recording is larger than an archive can be (4 GB): write .csv, or a shorter run";
  Zip z = {.file = file};
  for (int g = 0; g < GROUP_COUNT; g++) put_group(&z, r, g);
  put_texts(&z, r, false);
  put_texts(&z, r, true);
  put_directory(&z);
  return NULL;
}
