#!/bin/sh
# C sources are as clang-format leaves them.
set -eu
cd "$(dirname "$0")/../.."
files=$(git ls-files '*.c' '*.cc' '*.h' '*.cu' 2>/dev/null || find include src apps python tests examples -name '*.[ch]' -o -name '*.cc' -o -name '*.cu')
clang-format --dry-run --Werror $files 2>&1 | head -n 5 | { ! grep . ; } || { echo "run: clang-format -i on the files above"; exit 1; }
echo "$(echo "$files" | wc -l) files"
