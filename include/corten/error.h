/// @file
/// Status codes and the caller-owned diagnostic.
#pragma once

#include "corten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CT_STATUS_LIST(X) /* id, text */                               \
  X(OK, "ok")                                                          \
  X(ERR_ARGUMENT, "bad argument")         /* NULL, wrong size, ... */  \
  X(ERR_MEMORY, "out of memory")          /* the allocator failed */   \
  X(ERR_NOT_FOUND, "not found")           /* file, name, asset */      \
  X(ERR_IO, "input or output failed")     /* file exists but fails */  \
  X(ERR_SYNTAX, "malformed input")        /* not XML, not a mesh */    \
  X(ERR_INVALID, "invalid model")         /* well formed, but wrong */ \
  X(ERR_UNSUPPORTED, "not supported yet") /* known to the format */    \
  X(ERR_LIMIT, "limit exceeded")          /* depth, size, count */     \
  X(STEP_DIVERGED, "simulation diverged") /* bad number in a step */   \
  X(STEP_OVERFLOW, "arena overflow")      /* contacts, rows dropped */ \
  X(STEP_SINGULAR, "singular inertia")    /* pivot clamped */

#define CT_AS_ENUM(id, text) CT_##id,
/// Result of every call that can fail. CT_OK is 0; a status that starts with CT_STEP comes from a
/// step that was completed, with the trouble counted in `d->warning`.
typedef enum ctStatus { CT_STATUS_LIST(CT_AS_ENUM) CT_STATUS_COUNT } ctStatus;
#undef CT_AS_ENUM

/// What went wrong and where. Owned by the caller, no pointers inside, no clean-up needed.
typedef struct ctError {
  ctStatus status;    ///< what the call returned
  int line;           ///< 1-based, 0 when there is no position
  int column;         ///< 1-based, 0 when there is no position
  char file[512];     ///< file as the user named it, or "<string>"; long paths keep their end
  char element[256];  ///< path of the element, such as mujoco/worldbody/body[arm]/joint[elbow]
  char message[512];  ///< one line, without position: joint "elbow": axis has zero length
} ctError;

/// Short text of a status, such as "out of memory". Static; never NULL, also for unknown values.
CT_API const char* ct_status_text(ctStatus status);

/// Write `file:line:column: message` into `buffer` (parts that are unknown are left out).
/// Returns the length the whole text has, as snprintf does. `err` and `buffer` must not be NULL
/// (`buffer` may be NULL when `size` is 0).
CT_API int ct_error_format(const ctError* err, char* buffer, size_t size);

#ifdef __cplusplus
}
#endif
