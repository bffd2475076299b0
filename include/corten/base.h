/// @file
/// Corten: the words every other header uses: export macro, scalar type, version, allocator and log hooks.
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#ifdef CT_SINGLE
#include "corten/single.h"
#endif

#define CT_VERSION_MAJOR  0        ///< of the headers; ct_version() says that of the library
#define CT_VERSION_MINOR  2        ///< second number
#define CT_VERSION_PATCH  0        ///< third number
#define CT_VERSION_STRING "0.2.0"  ///< all three; read by CMake and the Python package

#if defined(CT_STATIC_LIBRARY)
#define CT_API
#elif defined(_WIN32)
#if defined(CT_BUILDING)
#define CT_API __declspec(dllexport)
#else
#define CT_API __declspec(dllimport)
#endif
#else
#define CT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The real number of the engine: double, or float when the library was built with CT_SINGLE. Programs must
/// be compiled with the same: every public function has another link name in single precision (single.h), so
/// that one that was compiled for the other precision does not link.
#ifdef CT_SINGLE
typedef float ctReal;
#else
typedef double ctReal;  ///< see above
#endif

typedef uint8_t ctByte;  ///< small integer or raw data
typedef bool ctBool;     ///< one byte, 0 or 1
typedef int64_t ctSize;  ///< count that may exceed an int

/// Memory hooks. `alloc` returns `size` bytes aligned to `align` (a power of two) or NULL; `release`
/// takes what `alloc` returned, or NULL. Both must be callable from any thread.
typedef struct ctAllocator {
  void* (*alloc)(void* context, size_t size, size_t align);  ///< memory, or NULL
  void (*release)(void* context, void* block);               ///< gives it back
  void* context;                                             ///< handed to both
} ctAllocator;

/// How much a remark matters: good to know, or probably not what was meant.
typedef enum ctLogLevel { CT_LOG_INFO, CT_LOG_WARNING } ctLogLevel;

/// Receives remarks made while a model is loaded (deprecated input and the like), one line each,
/// without a newline. The text is valid only during the call.
typedef struct ctLog {
  void (*write)(void* context, ctLogLevel level, const char* text);  ///< takes a remark
  void* context;                                                     ///< handed to it
} ctLog;

/// Version of the library in use, such as "0.2.0". Static text. Thread-safe.
CT_API const char* ct_version(void);

/// One line that says how the library was built: version, precision, compiler, instruction set.
/// Static text. Thread-safe.
CT_API const char* ct_build_info(void);

#ifdef __cplusplus
}
#endif
