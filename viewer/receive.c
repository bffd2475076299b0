#define _GNU_SOURCE
#include "receive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MAGIC      "CTVIEW1\n"
#define MAGIC_SIZE 8
#define KIND_SHIFT 28  // of a count
enum {
  CAMERA_NUMBERS = 8,
  GROUPS = 7 * CT_NGROUP,
  OPTION_NUMBERS = CT_SHOW_COUNT + GROUPS + 3,
  MOST_ITEMS = 10000,
  HANDS_NUMBERS = 4 + 3 + 3 + 3 + 4,
  MOST_KEYS_TOLD = 64,
  OVERLAY_WHOLE = 5,    // numbers of the head of a thing over the picture: whole ones,
  OVERLAY_FLOATS = 13,  // and others
  OVERLAY_HEAD = (OVERLAY_WHOLE + OVERLAY_FLOATS) * 4
};

struct Receiver {
  int listening, sender;  // -1: none
  bool greeted;           // the sender has written the magic bytes
  char path[sizeof(((struct sockaddr_un*)0)->sun_path)];
  unsigned char* bytes;  // that have come and are no message yet
  size_t count, room;
  // of a sender that sets more than states
  unsigned news;                                          // bits of what it has set
  bool listens;                                           // wants to know the camera and what is shown
  double camera[CAMERA_NUMBERS], option[OPTION_NUMBERS];  // that it has set
  double told_camera[CAMERA_NUMBERS], told_option[OPTION_NUMBERS];  // as it knows them
  ctItem* items;
  int nitem;
  ctOverlay* things;  // over the picture; their points, texts and pixels are in `kept`
  unsigned char* kept;
  int nthing;
  bool hands, keys;  // wants to know them
  double told_hands[HANDS_NUMBERS];
};

static ctStatus fail(ctError* err, ctStatus status, const char* path, const char* why) {
  *err = (ctError){.status = status};
  snprintf(err->message, sizeof(err->message), "%s: %s", path, why);
  return status;
}

static bool is_socket(const char* path) {
  struct stat seen;
  return stat(path, &seen) == 0 && S_ISSOCK(seen.st_mode);
}

ctStatus receiver_open(Receiver** out, const char* path, ctError* err) {
  *out = NULL;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path))
    return fail(err, CT_ERR_ARGUMENT, path, "the name of a socket has at most 107 bytes");
  memcpy(address.sun_path, path, strlen(path) + 1);
  Receiver* r = calloc(1, sizeof(*r));
  if (!r) return fail(err, CT_ERR_MEMORY, path, "out of memory");
  r->sender = -1;
  memset(r->told_hands, 0xff, sizeof(r->told_hands));
  r->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  memcpy(r->path, path, strlen(path) + 1);
  if (r->listening >= 0 && is_socket(path)) {  // of a window that is gone, or of one that is there?
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool used = probe >= 0 && connect(probe, (struct sockaddr*)&address, sizeof(address)) == 0;
    if (probe >= 0) close(probe);
    if (!used) unlink(path);
  }
  if (r->listening < 0 || bind(r->listening, (struct sockaddr*)&address, sizeof(address)) != 0 ||
      listen(r->listening, 1) != 0) {
    ctStatus status = fail(err, CT_ERR_IO, path, strerror(errno));
    r->path[0] = 0;
    receiver_close(r);
    return status;
  }
  *out = r;
  return CT_OK;
}

static void drop_sender(Receiver* r) {
  if (r->sender >= 0) close(r->sender);
  r->sender = -1;
  r->greeted = r->listens = false;
  r->count = 0;
  // what it has drawn goes with it
  if (r->nitem > 0) r->news |= 1u << RECEIVED_ITEMS;
  r->nitem = 0;
  if (r->nthing > 0) r->news |= 1u << RECEIVED_OVERLAY;
  r->nthing = 0;
  r->hands = r->keys = false;
  memset(r->told_hands, 0xff, sizeof(r->told_hands));  // nothing is like that: it will be told
  memset(r->told_camera, 0, sizeof(r->told_camera));
  memset(r->told_option, 0, sizeof(r->told_option));
}

void receiver_close(Receiver* r) {
  if (!r) return;
  drop_sender(r);
  if (r->listening >= 0) close(r->listening);
  if (r->path[0]) unlink(r->path);
  free(r->bytes);
  free(r->items);
  free(r->things);
  free(r->kept);
  free(r);
}

// Read what has come, at most what `most` bytes hold. Returns whether the sender is still there.
static bool read_more(Receiver* r, size_t most) {
  while (r->count < most) {
    ssize_t n = recv(r->sender, r->bytes + r->count, most - r->count, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (n == 0) return false;
    r->count += (size_t)n;
  }
  return true;
}

static void consume(Receiver* r, size_t n) {
  memmove(r->bytes, r->bytes + n, r->count - n);
  r->count -= n;
}

// One state of the doubles of a message.
static bool set_state(const ctModel* m, ctData* d, const unsigned char* numbers, int count) {
  const unsigned kinds[] = {CT_STATE_FULLPHYSICS, CT_STATE_INTEGRATION};
  for (int k = 0; k < 2; k++) {
    if (ct_data_state_size(m, kinds[k]) != count) continue;
    ctReal* state = malloc((size_t)count * sizeof(ctReal) + 1);
    bool good = state != NULL;
    for (int i = 0; i < count && good; i++) {
      double x;
      memcpy(&x, numbers + (size_t)i * sizeof(x), sizeof(x));
      state[i] = (ctReal)x;
    }
    good = good && ct_data_set_state(m, d, state, kinds[k]) == CT_OK;
    free(state);
    return good;
  }
  return false;
}

// ---- what is seen, as numbers

static void camera_numbers(const ctCamera* c, double out[CAMERA_NUMBERS]) {
  const double all[CAMERA_NUMBERS] = {(double)c->kind,      (double)c->id,        (double)c->lookat[0],
                                      (double)c->lookat[1], (double)c->lookat[2], (double)c->distance,
                                      (double)c->azimuth,   (double)c->elevation};
  memcpy(out, all, sizeof(all));
}

// The groups lie behind each other, as those of the first.
static void option_numbers(const ctSceneOption* o, double out[OPTION_NUMBERS]) {
  int n = 0;
  for (int i = 0; i < CT_SHOW_COUNT; i++) out[n++] = o->show[i];
  for (int i = 0; i < GROUPS; i++)
    out[n++] = ((const ctByte*)o)[offsetof(ctSceneOption, geomgroup) + (size_t)i];
  out[n++] = o->frame;
  out[n++] = o->label;
  out[n++] = o->selected;
}

static bool is_whole(double x, double low, double high) {
  return x >= low && x <= high && x == (double)(int)x;
}

static bool is_camera(const ctModel* m, const double x[CAMERA_NUMBERS]) {
  const int count = x[0] == CT_CAMERA_FIXED ? m->ncam : m->nbody;
  bool good = is_whole(x[0], CT_CAMERA_FREE, CT_CAMERA_FIXED) &&
              (x[0] == CT_CAMERA_FREE || is_whole(x[1], 0, count - 1));
  for (int k = 2; k < CAMERA_NUMBERS; k++) good = good && x[k] - x[k] == 0;  // finite
  return good;
}

static bool is_option(const ctModel* m, const double x[OPTION_NUMBERS]) {
  bool good = true;
  for (int i = 0; i < OPTION_NUMBERS - 3; i++) good = good && is_whole(x[i], 0, 1);
  return good && is_whole(x[OPTION_NUMBERS - 3], 0, CT_FRAME_OF_COUNT - 1) &&
         is_whole(x[OPTION_NUMBERS - 2], 0, CT_LABEL_OF_COUNT - 1) &&
         is_whole(x[OPTION_NUMBERS - 1], 0, m->nbody - 1);
}

static bool set_items(Receiver* r, const ctModel* m, const unsigned char* bytes, size_t size) {
  int n = (int)(size / sizeof(ctItem));
  if (n > MOST_ITEMS || size - (size_t)n * sizeof(ctItem) >= sizeof(double)) return false;
  ctItem* items = malloc(((size_t)n + 1) * sizeof(ctItem));
  if (!items) return false;
  if (n > 0) memcpy(items, bytes, (size_t)n * sizeof(ctItem));
  bool good = true;
  for (int i = 0; i < n && good; i++) good = ct_item_fits(m, items + i);
  if (good) {
    free(r->items);
    r->items = items;
    r->nitem = n;
  } else {
    free(items);
  }
  return good;
}

// ---- things over the picture

static size_t fill_up(size_t n) {
  return (n + 3) / 4 * 4;
}

// The thing that begins at `*at`; moves that behind it. False when the bytes end before it does. A text gets
// its end in the byte behind it, which is why it has one.
static bool read_thing(ctOverlay* t, unsigned char** at, const unsigned char* end) {
  uint32_t whole[OVERLAY_WHOLE];
  float x[OVERLAY_FLOATS];
  if ((size_t)(end - *at) < OVERLAY_HEAD) return false;
  memcpy(whole, *at, sizeof(whole));
  memcpy(x, *at + sizeof(whole), sizeof(x));
  const uint32_t width = whole[4] & 0xffff, height = whole[4] >> 16;
  const size_t points = 8 * (size_t)whole[2], text = whole[3] ? fill_up((size_t)whole[3] + 1) : 0;
  const size_t pixels = fill_up(3 * (size_t)width * height);
  *at += OVERLAY_HEAD;
  if (whole[0] > CT_OVERLAY_IMAGE || whole[1] > 1 || whole[2] > CT_OVERLAY_BYTES_MAX / 8 ||
      whole[3] > CT_OVERLAY_BYTES_MAX || points + text + pixels > (size_t)(end - *at))
    return false;
  *t = (ctOverlay){.kind = (ctOverlayKind)whole[0],
                   .inside = whole[1] != 0,
                   .anchor = {x[0], x[1]},
                   .points = (const float*)(const void*)*at,
                   .npoint = (int)whole[2],
                   .rgba = {x[2], x[3], x[4], x[5]},
                   .width = x[6],
                   .align = {x[7], x[8]},
                   .back = {x[9], x[10], x[11], x[12]},
                   .text = text ? (const char*)*at + points : NULL,
                   .rgb = pixels ? *at + points + text : NULL,
                   .size = {(int)width, (int)height}};
  if (text) (*at)[points + whole[3]] = 0;
  *at += points + text + pixels;
  return true;
}

static bool set_overlay(Receiver* r, const unsigned char* bytes, size_t size) {
  unsigned char* kept = malloc(size + 1);
  ctOverlay* things = calloc(size / OVERLAY_HEAD + 1, sizeof(ctOverlay));
  bool good = kept && things;
  int n = 0;
  if (good) {
    memcpy(kept, bytes, size);
    unsigned char *at = kept, *end = kept + size;
    while (good && (size_t)(end - at) >= OVERLAY_HEAD) good = read_thing(things + n++, &at, end);
    good = good && n <= CT_OVERLAY_MAX && end - at < 8;
  }
  unsigned char* old = good ? r->kept : kept;
  ctOverlay* worn = good ? r->things : things;
  if (good) r->kept = kept, r->things = things, r->nthing = n;
  free(old);
  free(worn);
  return good;
}

int receiver_overlay(Receiver* r, const ctOverlay** things) {
  *things = r->things;
  return r->nthing;
}

// Take one message of a kind; false when it is none.
static bool take_message(Receiver* r, const ctModel* m, ctData* d, unsigned kind, const unsigned char* bytes,
                         size_t count) {
  const size_t size = count * sizeof(double);
  bool good = false;
  if (kind == RECEIVED_STATE) return set_state(m, d, bytes, (int)count);
  if (kind == RECEIVED_ITEMS) good = set_items(r, m, bytes, size);
  if (kind == RECEIVED_OVERLAY) good = set_overlay(r, bytes, size);
  if (kind == RECEIVED_HANDS) r->hands = good = true;
  if (kind == RECEIVED_KEYS) r->keys = good = true;
  if (kind == RECEIVED_CAMERA || kind == RECEIVED_OPTION) {
    r->listens = true;
    if (count == 0) return true;
  }
  if (kind == RECEIVED_CAMERA && count == CAMERA_NUMBERS) {
    double camera[CAMERA_NUMBERS];
    memcpy(camera, bytes, size);
    good = is_camera(m, camera);
    if (good) memcpy(r->camera, camera, size);
  }
  if (kind == RECEIVED_OPTION && count == OPTION_NUMBERS) {
    double option[OPTION_NUMBERS];
    memcpy(option, bytes, size);
    good = is_option(m, option);
    if (good) memcpy(r->option, option, size);
  }
  if (good) r->news |= 1u << kind;
  return good;
}

unsigned receiver_view(Receiver* r, ctCamera* camera, ctSceneOption* option, const ctItem** items,
                       int* count) {
  unsigned news = r->news;
  r->news = 0;
  if (news >> RECEIVED_CAMERA & 1) {
    const double* x = r->camera;
    *camera = (ctCamera){.kind = (ctCameraKind)x[0],
                         .id = (int)x[1],
                         .lookat = {(ctReal)x[2], (ctReal)x[3], (ctReal)x[4]},
                         .distance = (ctReal)x[5],
                         .azimuth = (ctReal)x[6],
                         .elevation = (ctReal)x[7]};
    memcpy(r->told_camera, x, sizeof(r->told_camera));
  }
  if (news >> RECEIVED_OPTION & 1) {
    const double* x = r->option;
    for (int i = 0; i < CT_SHOW_COUNT; i++) option->show[i] = (ctByte)*x++;
    for (int i = 0; i < GROUPS; i++)
      ((ctByte*)option)[offsetof(ctSceneOption, geomgroup) + (size_t)i] = (ctByte)*x++;
    option->frame = (ctFrameOf)*x++;
    option->label = (ctLabelOf)*x++;
    option->selected = (int)*x++;
    memcpy(r->told_option, r->option, sizeof(r->told_option));
  }
  *items = r->items;
  *count = r->nitem;
  return news;
}

// ---- answers

// Send a whole message, its count in the four bytes before the numbers. A sender that does not listen misses
// messages, whole ones; false then.
static bool send_numbers(Receiver* r, double* numbers, uint32_t count, unsigned kind) {
  uint32_t head = count | kind << KIND_SHIFT;
  unsigned char* bytes = (unsigned char*)numbers - sizeof(head);
  memcpy(bytes, &head, sizeof(head));
  size_t size = sizeof(head) + count * sizeof(double);
  ssize_t sent = send(r->sender, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0 && (size_t)sent < size) drop_sender(r);
  return sent == (ssize_t)size;
}

void receiver_tell(Receiver* r, const ctCamera* camera, const ctSceneOption* option) {
  double numbers[1 + OPTION_NUMBERS];
  if (r->sender < 0 || !r->listens) return;
  camera_numbers(camera, numbers + 1);
  if (memcmp(r->told_camera, numbers + 1, sizeof(r->told_camera)) != 0 &&
      send_numbers(r, numbers + 1, CAMERA_NUMBERS, RECEIVED_CAMERA))
    memcpy(r->told_camera, numbers + 1, sizeof(r->told_camera));
  option_numbers(option, numbers + 1);
  if (r->sender >= 0 && memcmp(r->told_option, numbers + 1, sizeof(r->told_option)) != 0 &&
      send_numbers(r, numbers + 1, OPTION_NUMBERS, RECEIVED_OPTION))
    memcpy(r->told_option, numbers + 1, sizeof(r->told_option));
}

void receiver_tell_hands(Receiver* r, const int area[4], const ctViewerPull* pull) {
  double numbers[1 + HANDS_NUMBERS], *n = numbers + 1;
  if (r->sender < 0 || !r->hands) return;
  for (int k = 0; k < 4; k++) *n++ = area[k];
  *n++ = pull->body;
  *n++ = pull->move;
  *n++ = pull->turn;
  for (int k = 0; k < 3; k++) *n++ = (double)pull->point[k];
  for (int k = 0; k < 3; k++) *n++ = (double)pull->target[k];
  for (int k = 0; k < 4; k++) *n++ = (double)pull->quat[k];
  if (memcmp(r->told_hands, numbers + 1, sizeof(r->told_hands)) != 0 &&
      send_numbers(r, numbers + 1, HANDS_NUMBERS, RECEIVED_HANDS))
    memcpy(r->told_hands, numbers + 1, sizeof(r->told_hands));
}

bool receiver_wants_keys(const Receiver* r) {
  return r->sender >= 0 && r->keys;
}

void receiver_tell_keys(Receiver* r, const int* keys, int count) {
  double numbers[1 + MOST_KEYS_TOLD];
  for (int i = 0; i < count && i < MOST_KEYS_TOLD; i++) numbers[1 + i] = keys[i];
  if (receiver_wants_keys(r) && count > 0)
    (void)send_numbers(r, numbers + 1, (uint32_t)(count < MOST_KEYS_TOLD ? count : MOST_KEYS_TOLD),
                       RECEIVED_KEYS);
}

void receiver_answer(Receiver* r, const double pace[3], const ctReal* before, const ctReal* after,
                     int count) {
  if (r->sender < 0) return;
  double* numbers = malloc((4 + 2 * (size_t)count) * sizeof(double));
  if (!numbers) return;
  uint32_t n = 3;
  memcpy(numbers + 1, pace, 3 * sizeof(double));
  for (int i = 0; i < count; i++) {
    if (before[i] == after[i] && before[0] == after[0]) continue;  // the first is time: it jumps in a reset
    numbers[1 + n++] = i;
    numbers[1 + n++] = (double)after[i];
  }
  (void)send_numbers(r, numbers + 1, n, RECEIVED_STATE);
  free(numbers);
}

// ---- messages

// The most bytes that a message of a kind has for a model.
static size_t most_bytes(const ctModel* m, unsigned kind) {
  const size_t most[RECEIVED_KINDS] = {
      [RECEIVED_STATE] = (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION) * sizeof(double),
      [RECEIVED_CAMERA] = CAMERA_NUMBERS * sizeof(double),
      [RECEIVED_OPTION] = OPTION_NUMBERS * sizeof(double),
      [RECEIVED_ITEMS] = MOST_ITEMS * sizeof(ctItem) + sizeof(double),
      [RECEIVED_OVERLAY] = CT_OVERLAY_BYTES_MAX + (size_t)CT_OVERLAY_MAX * (OVERLAY_HEAD + 16)};
  return kind < RECEIVED_KINDS ? most[kind] : 0;
}

// Room for bytes that come.
static bool make_room(Receiver* r, size_t room) {
  if (r->room >= room) return true;
  unsigned char* more = realloc(r->bytes, room);
  if (!more) return false;
  r->bytes = more;
  r->room = room;
  return true;
}

static void cut_off(Receiver* r, const ctModel* m, unsigned kind, size_t count, ctError* err) {
  static const char* const what[RECEIVED_KINDS] = {NULL,      "camera", "options", "items",
                                                   "overlay", "hands",  "keys"};
  char why[200];
  if (kind == RECEIVED_STATE || kind >= RECEIVED_KINDS) {
    snprintf(why, sizeof(why), "%zu numbers are no state of this model (%d or %d): the sender was cut off",
             count | (size_t)kind << KIND_SHIFT, ct_data_state_size(m, CT_STATE_FULLPHYSICS),
             ct_data_state_size(m, CT_STATE_INTEGRATION));
  } else {
    snprintf(why, sizeof(why), "%zu numbers are no %s for this model: the sender was cut off", count,
             what[kind]);
  }
  fail(err, CT_ERR_INVALID, r->path, why);
  drop_sender(r);
}

bool receiver_take(Receiver* r, const ctModel* m, ctData* d, ctError* err) {
  *err = (ctError){0};
  if (r->sender < 0) r->sender = accept4(r->listening, NULL, NULL, SOCK_CLOEXEC);
  if (r->sender < 0) return false;
  if (!make_room(r, 4 * (most_bytes(m, RECEIVED_STATE) + most_bytes(m, RECEIVED_OPTION)) + MAGIC_SIZE))
    return false;
  bool seen = false, there = true;
  for (size_t before = r->count + 1; there && before != r->count;) {  // until nothing more comes
    before = r->count;
    there = read_more(r, r->room);
    if (!r->greeted && r->count >= MAGIC_SIZE) {
      if (memcmp(r->bytes, MAGIC, MAGIC_SIZE) != 0) {
        fail(err, CT_ERR_SYNTAX, r->path, "the sender does not begin with CTVIEW1: it was cut off");
        drop_sender(r);
        return seen;
      }
      r->greeted = true;
      consume(r, MAGIC_SIZE);
    }
    while (r->greeted && r->count >= sizeof(uint32_t)) {
      uint32_t head;
      memcpy(&head, r->bytes, sizeof(head));
      const unsigned kind = head >> KIND_SHIFT;
      const size_t count = head & ((1u << KIND_SHIFT) - 1), size = sizeof(head) + count * sizeof(double);
      if (count * sizeof(double) > most_bytes(m, kind) || !make_room(r, size) ||
          (r->count >= size && !take_message(r, m, d, kind, r->bytes + sizeof(head), count))) {
        cut_off(r, m, kind, count, err);
        return seen;
      }
      if (r->count < size) break;
      seen = seen || kind == RECEIVED_STATE;
      consume(r, size);
    }
  }
  if (!there) drop_sender(r);
  return seen;
}
