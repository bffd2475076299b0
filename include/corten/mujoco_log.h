/// @file
/// Part of corten/mujoco.h: errors, warnings and other messages, and who hears them.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corten/mujoco_enums.h"

#ifdef __cplusplus
extern "C" {
#endif

// Variables that all sources of a program share, and those of a thread.
#if defined(_MSC_VER)
#define CT_MJ_SHARED(type, name) __declspec(selectany) type name = 0
#else
#define CT_MJ_SHARED(type, name) __attribute__((weak)) type name = 0
#endif
#if defined(__cplusplus)
#define CT_MJ_THREAD thread_local
#else
#define CT_MJ_THREAD _Thread_local
#endif

typedef void (*mjfMessage)(const char* text);  ///< hears an error or warning
CT_MJ_SHARED(mjfMessage, mju_user_error);
CT_MJ_SHARED(mjfMessage, mju_user_warning);
typedef void* (*ctMjMalloc)(size_t size);  ///< gives memory
typedef void (*ctMjFree)(void* ptr);       ///< takes it back
CT_MJ_SHARED(ctMjMalloc, mju_user_malloc);
CT_MJ_SHARED(ctMjFree, mju_user_free);

/// A message and where it comes from.
typedef struct mjLogMessage_ {
  int level;           ///< mjtLogLevel
  int topic;           ///< mjtLogTopic; 0: none
  char subject[1024];  ///< one line
  const char* body;    ///< more lines, or NULL
  const char* func;    ///< function, or NULL
  const char* file;    ///< source file, or NULL
  int line;            ///< in it, or 0
  bool timestamp;      ///< write the time before it
} mjLogMessage;

/// Where messages go when no handler is set.
typedef struct mjLogConfig_ {
  bool logto_console;  ///< errors and warnings to stderr, others to stdout
  bool logto_file;     ///< to a file; false at first, so that nothing is written that nobody asked for
  char logfile[1024];  ///< its path
  int topics;          ///< bits 1 << (mjtLogTopic - 1) of what is told besides errors and warnings
} mjLogConfig;

typedef void (*mjfLogHandler)(const mjLogMessage* message);  ///< hears everything

#define CT_MJ_LOG_DEFAULT \
  { true, false, "MUJOCO_LOG.TXT", 0 }
CT_MJ_SHARED(mjfLogHandler, ct_mj_log_handler);
#if defined(_MSC_VER)
__declspec(selectany) mjLogConfig ct_mj_log_config = CT_MJ_LOG_DEFAULT;
#else
__attribute__((weak)) mjLogConfig ct_mj_log_config = CT_MJ_LOG_DEFAULT;
#endif

static inline void ct_mj_log_line(FILE* out, const mjLogMessage* m, bool stamp) {
  static const char* const levels[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  char when[64] = "";
  const time_t now = time(NULL);
  if (stamp || m->timestamp) strftime(when, sizeof(when), " %a %b %e %H:%M:%S %Y", localtime(&now));
  fprintf(out, "%s%s: %s\n", levels[m->level & 3], when, m->subject);
  if (m->body) fprintf(out, "%s\n", m->body);
  fprintf(out, "\n");
}
/// What happens to messages when no handler is set: mju_user_error and mju_user_warning hear theirs, the rest
/// goes where mju_setLogConfig() says.
static inline void ct_mj_log_default(const mjLogMessage* m) {
  const mjLogConfig* config = &ct_mj_log_config;
  mjfMessage user = m->level == mjLOG_ERROR     ? mju_user_error
                    : m->level == mjLOG_WARNING ? mju_user_warning
                                                : 0;
  if (user) {
    user(m->subject);
    return;
  }
  if (m->level < mjLOG_WARNING && m->topic > 0 && !(config->topics >> (m->topic - 1) & 1)) return;
  if (config->logto_console) ct_mj_log_line(m->level >= mjLOG_WARNING ? stderr : stdout, m, false);
  FILE* file = config->logto_file ? fopen(config->logfile, "a") : NULL;
  if (!file) return;
  ct_mj_log_line(file, m, true);
  fclose(file);
}
/// Hand a message to whoever hears them.
static inline void mju_message(const mjLogMessage* msg) {
  if (ct_mj_log_handler)
    ct_mj_log_handler(msg);
  else
    ct_mj_log_default(msg);
}
/// Returns the handler that was set before; NULL sets the default one.
static inline mjfLogHandler mju_setLogHandler(mjfLogHandler handler) {
  mjfLogHandler before = ct_mj_log_handler ? ct_mj_log_handler : ct_mj_log_default;
  ct_mj_log_handler = handler;
  return before;
}
static inline mjLogConfig mju_getLogConfig(void) {
  return ct_mj_log_config;
}
static inline void mju_setLogConfig(mjLogConfig config) {
  ct_mj_log_config = config;
}
static inline void ct_mj_say(int level, int topic, const char* format, va_list args) {
  mjLogMessage m;
  memset(&m, 0, sizeof(m));
  m.level = level;
  m.topic = topic;
  vsnprintf(m.subject, sizeof(m.subject), format, args);
  mju_message(&m);
}
/// Report an error to a handler or to mju_user_error, or print it and end the program.
static inline void mju_error(const char* msg, ...) {
  va_list args;
  va_start(args, msg);
  ct_mj_say(mjLOG_ERROR, 0, msg, args);
  va_end(args);
  if (!mju_user_error && !ct_mj_log_handler) exit(EXIT_FAILURE);
}
/// Report a warning to a handler or to mju_user_warning, or print it.
static inline void mju_warning(const char* msg, ...) {
  va_list args;
  va_start(args, msg);
  ct_mj_say(mjLOG_WARNING, 0, msg, args);
  va_end(args);
}
/// Report something about a topic; without one (0) it is always told.
static inline void mju_info(int topic, const char* msg, ...) {
  va_list args;
  va_start(args, msg);
  ct_mj_say(mjLOG_INFO, topic, msg, args);
  va_end(args);
}
/// Append a line to MUJOCO_LOG.TXT in the current folder.
static inline void mju_writeLog(const char* type, const char* msg) {
  FILE* file = fopen("MUJOCO_LOG.TXT", "a");
  if (!file) return;
  fprintf(file, "%s: %s\n\n", type, msg);
  fclose(file);
}
static inline void mju_clearHandlers(void) {
  const mjLogConfig config = CT_MJ_LOG_DEFAULT;
  mju_user_error = mju_user_warning = 0;
  mju_user_malloc = 0;
  mju_user_free = 0;
  ct_mj_log_handler = 0;
  ct_mj_log_config = config;
}

#ifdef __cplusplus
}
#endif
