#!/bin/sh
# The step compiles for the GPU: with nvcc where there is one, as C++17 otherwise; and the unit misses no step source.
set -eu
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sed -n '/CORTEN_STEP_SOURCES/,/)/p' src/CMakeLists.txt | grep -oE '[a-z0-9_/]+\.c' | sort >"$out/listed"
grep -oE '#include "[a-z0-9_/]+\.c"' src/cuda/engine.cu | grep -oE '[a-z0-9_/]+\.c' | sort >"$out/included"
diff "$out/listed" "$out/included" || { echo "src/cuda/engine.cu and CORTEN_STEP_SOURCES differ"; exit 1; }
g++ -x c++ -std=c++17 -Wall -Wextra -Werror -Isrc -Iinclude -O0 -c src/cuda/engine.cu -o "$out/engine.o"
g++ -x c++ -std=c++17 -Wall -Wextra -Werror -DCT_SINGLE -Isrc -Iinclude -O0 -c src/cuda/engine.cu -o "$out/engine.o"
if command -v nvcc >/dev/null 2>&1; then
  nvcc -ptx -arch=sm_90 -fmad=false -std=c++17 -DCT_SINGLE -Isrc -Iinclude src/cuda/engine.cu -o "$out/engine.ptx"
  ! grep -qE 'fma\.rn' "$out/engine.ptx" || { echo "the GPU code contains fused multiply-adds"; exit 1; }
  echo "$(wc -l <"$out/listed") step sources: C++17 and PTX for sm_90"
else
  echo "$(wc -l <"$out/listed") step sources: C++17 (no nvcc here)"
fi
