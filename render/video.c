// Videos: pictures go through a socket to ffmpeg, which is looked for when the first video is opened.
#define _GNU_SOURCE
#include <corten/render.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "context.h"

struct ctVideo {
  int socket;
  pid_t encoder;
  size_t bytes;  // of a picture
  char path[4096];
};

extern char** environ;

ctStatus ct_video_open(ctVideo** out, const char* path, int width, int height, double rate, ctError* err) {
  if (!out || !path)
    return render_error(err, CT_ERR_ARGUMENT, "ct_video_open: out and path must not be NULL");
  *out = NULL;
  if (width < 2 || height < 2 || width > CT_RENDER_MAX_SIZE || height > CT_RENDER_MAX_SIZE ||
      !(rate > 0 && rate <= 1000))
    return render_error(
        err, CT_ERR_ARGUMENT,
        "a video of %d x %d pixels and %g pictures a second: sizes are 2 to %d, rates to 1000", width, height,
        rate, CT_RENDER_MAX_SIZE);
  ctVideo* v = calloc(1, sizeof(*v));
  if (!v) return render_error(err, CT_ERR_MEMORY, "out of memory");
  v->bytes = 3 * (size_t)width * (size_t)height;
  snprintf(v->path, sizeof(v->path), "%s", path);
  char size[32], speed[32], cut[64], name[4096 + 8];
  snprintf(name, sizeof(name), "file:%s", path);  // whatever it begins with
  snprintf(size, sizeof(size), "%dx%d", width, height);
  snprintf(speed, sizeof(speed), "%g", rate);
  // colours at half the resolution need even sizes
  snprintf(cut, sizeof(cut), "crop=%d:%d:0:0", width & ~1, height & ~1);
  const char* const arguments[] = {
      "ffmpeg", "-loglevel", "error", "-y",  "-f", "rawvideo", "-pix_fmt", "rgb24",   "-s", size, "-r",
      speed,    "-i",        "-",     "-vf", cut,  "-an",      "-pix_fmt", "yuv420p", name, NULL};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(v);
    return render_error(err, CT_ERR_IO, "no socket for ffmpeg: %s", strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  int code = posix_spawnp(&v->encoder, "ffmpeg", &actions, NULL, (char* const*)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  v->socket = ends[0];
  if (code != 0) {
    close(ends[0]);
    free(v);
    return render_error(err, CT_ERR_NOT_FOUND,
                        "ffmpeg makes the video and is not here (Debian package ffmpeg)");
  }
  *out = v;
  return CT_OK;
}

ctStatus ct_video_frame(ctVideo* v, const ctByte* rgb, ctError* err) {
  if (!v || !rgb) return render_error(err, CT_ERR_ARGUMENT, "ct_video_frame: v and rgb must not be NULL");
  for (size_t at = 0; at < v->bytes;) {
    ssize_t n = send(v->socket, rgb + at, v->bytes - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return render_error(err, CT_ERR_IO,
                          "%.300s: ffmpeg stopped; can the file be written, and does it know this kind?",
                          v->path);
    at += (size_t)n;
  }
  return CT_OK;
}

ctStatus ct_video_close(ctVideo* v, ctError* err) {
  if (!v) return CT_OK;
  close(v->socket);
  int code = 0;
  while (waitpid(v->encoder, &code, 0) < 0 && errno == EINTR) {
  }
  ctStatus status = CT_OK;
  if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
    status =
        render_error(err, CT_ERR_IO,
                     "%.300s: ffmpeg failed; can the file be written, and does it know this kind?", v->path);
  free(v);
  return status;
}
