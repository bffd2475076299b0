# Warnings of every target of the project, in one place.
add_library(corten_warnings INTERFACE)
target_compile_options(corten_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef -Wpointer-arith -Wcast-align -Wwrite-strings
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes -Wold-style-definition>)
if(CORTEN_WERROR)
  target_compile_options(corten_warnings INTERFACE -Werror)
endif()
if(CORTEN_SINGLE)
  # a literal without CT_R() would silently compute in double
  target_compile_options(corten_warnings INTERFACE -Wdouble-promotion)
endif()
