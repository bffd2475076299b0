#include "corten/base.h"

#define AS_TEXT_(x) #x
#define AS_TEXT(x)  AS_TEXT_(x)

#ifdef CT_SINGLE
#define PRECISION "float"
#else
#define PRECISION "double"
#endif

#if defined(__clang__)
#define COMPILER \
  "clang " AS_TEXT(__clang_major__) "." AS_TEXT(__clang_minor__) "." AS_TEXT(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " AS_TEXT(__GNUC__) "." AS_TEXT(__GNUC_MINOR__) "." AS_TEXT(__GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown compiler"
#endif

#if defined(__x86_64__)
#define MACHINE "x86-64"
#elif defined(__aarch64__)
#define MACHINE "arm64"
#else
#define MACHINE "unknown machine"
#endif

#if defined(__AVX512F__)
#define VECTOR " avx512"
#elif defined(__AVX2__)
#define VECTOR " avx2"
#else
#define VECTOR ""
#endif

const char* ct_version(void) {
  return CT_VERSION_STRING;
}

const char* ct_build_info(void) {
  return "corten " CT_VERSION_STRING ", " PRECISION ", " COMPILER ", " MACHINE VECTOR;
}
