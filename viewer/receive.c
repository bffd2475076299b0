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

struct Receiver {
  int listening, sender;  // -1: none
  bool greeted;           // the sender has written the magic bytes
  char path[sizeof(((struct sockaddr_un*)0)->sun_path)];
  unsigned char* bytes;  // that have come and are no message yet
  size_t count, room;
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
  r->greeted = false;
  r->count = 0;
}

void receiver_close(Receiver* r) {
  if (!r) return;
  drop_sender(r);
  if (r->listening >= 0) close(r->listening);
  if (r->path[0]) unlink(r->path);
  free(r->bytes);
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
  // the count lies right before the doubles
  unsigned char* bytes = (unsigned char*)(numbers + 1) - sizeof(n);
  memcpy(bytes, &n, sizeof(n));
  size_t size = sizeof(n) + n * sizeof(double);
  // a sender that does not listen misses answers, whole ones
  ssize_t sent = send(r->sender, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0 && (size_t)sent < size) drop_sender(r);
  free(numbers);
}

bool receiver_take(Receiver* r, const ctModel* m, ctData* d, ctError* err) {
  *err = (ctError){0};
  if (r->sender < 0) r->sender = accept4(r->listening, NULL, NULL, SOCK_CLOEXEC);
  if (r->sender < 0) return false;
  size_t largest = (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION) * sizeof(double) + sizeof(uint32_t);
  if (largest < MAGIC_SIZE) largest = MAGIC_SIZE;
  if (r->room < 4 * largest) {
    unsigned char* more = realloc(r->bytes, 4 * largest);
    if (!more) return false;
    r->bytes = more;
    r->room = 4 * largest;
  }
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
      uint32_t count;
      memcpy(&count, r->bytes, sizeof(count));
      size_t size = sizeof(count) + (size_t)count * sizeof(double);
      if (size > largest || (r->count >= size && !set_state(m, d, r->bytes + sizeof(count), (int)count))) {
        char why[160];
        snprintf(why, sizeof(why), "%u numbers are no state of this model (%d or %d): the sender was cut off",
                 (unsigned)count, ct_data_state_size(m, CT_STATE_FULLPHYSICS),
                 ct_data_state_size(m, CT_STATE_INTEGRATION));
        fail(err, CT_ERR_INVALID, r->path, why);
        drop_sender(r);
        return seen;
      }
      if (r->count < size) break;
      seen = true;
      consume(r, size);
    }
  }
  if (!there) drop_sender(r);
  return seen;
}
