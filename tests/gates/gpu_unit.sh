#!/bin/sh
# Every step source compiles for the GPU: with nvcc where there is one, as C++17 in both precisions anywhere.
set -eu
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sed -n '/^set(CORTEN_STEP_SOURCES$/,/)/p' src/CMakeLists.txt | grep -oE '[a-z0-9_/]+\.c' >"$out/sources"
jobs=$(nproc 2>/dev/null || echo 2)

# each COMMAND...: run it for every source, its name at the end
each() {
  xargs -P "$jobs" -I{} "$@" "src/{}" <"$out/sources"
}

each g++ -x c++ -std=c++17 -Wall -Wextra -Werror -Isrc -Iinclude -fsyntax-only
each g++ -x c++ -std=c++17 -Wall -Wextra -Werror -DCT_SINGLE -Isrc -Iinclude -fsyntax-only
if command -v nvcc >/dev/null 2>&1; then
  # shellcheck disable=SC2016
  each sh -c 'nvcc -ptx -x cu -rdc=true -arch=sm_90 -fmad=false -std=c++17 -DCT_SINGLE -DCTK_LEAN -include cuda/device.h -Isrc -Iinclude "$1" -o "$0/$(echo "$1" | tr / _).ptx"' "$out"
  ! grep -lE 'fma\.rn' "$out"/*.ptx || { echo "the GPU code contains fused multiply-adds"; exit 1; }
  echo "$(wc -l <"$out/sources") step sources: C++17 and PTX for sm_90"
else
  echo "$(wc -l <"$out/sources") step sources: C++17 (no nvcc here)"
fi
