#!/bin/sh
# Public headers compile alone, as C11, C17 and C++17, in both precisions, without a warning.
set -eu
cd "$(dirname "$0")/../.."
count=0
for header in include/corten/*.h; do
  # it needs the header of MPI, which not every machine has
  [ "$(basename "$header")" = mpi.h ] && ! echo '#include <mpi.h>' | gcc -fsyntax-only -x c - 2>/dev/null && continue
  unit="#include \"corten/$(basename "$header")\"
typedef int not_empty;"
  for precision in -UCT_SINGLE -DCT_SINGLE; do
    for std in c11 c17; do
      echo "$unit" | gcc -std=$std -Wall -Wextra -Wpedantic -Werror $precision -Iinclude -x c -fsyntax-only -
    done
    echo "$unit" | g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $precision -Iinclude -x c++ -fsyntax-only -
  done
  count=$((count + 1))
done
echo "$count headers, each as C11, C17 and C++17 in both precisions"
