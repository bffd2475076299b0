# Turns a file into a C array: cmake -D INPUT=file -D OUTPUT=file.c -D NAME=symbol -D HEADER=builtin.h -P embed.cmake
file(READ "${INPUT}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
# as numbers, because a string literal may not be longer than 4095 characters; sixteen to a line
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REPEAT "0x..," 16 line)
string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
cmake_path(GET INPUT FILENAME file)
file(WRITE "${OUTPUT}" "// Generated from ${file} by embed.cmake.
#include \"${HEADER}\"

const char ${NAME}[] = {
    ${bytes}
};
const size_t ${NAME}_size = ${size};
")
