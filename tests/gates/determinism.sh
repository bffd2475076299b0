#!/bin/sh
# The same bits from gcc and clang, -O1 and -O3, with and without SIMD: hashes of states along runs of the models.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build/determinism}
mkdir -p "$out"
models=$(ls models/*.xml tests/models/*.xml tests/models/*/*.xml)
first=
for compiler in gcc clang; do
  command -v $compiler >/dev/null 2>&1 || { echo "$compiler is missing"; exit 1; }
  for flags in "-O1" "-O3" "-O3 -march=native" "-O3 -DCT_NO_SIMD"; do
    case "$compiler $flags" in "clang -O3 -DCT_NO_SIMD" | "gcc -O3 -march=native") continue ;; esac
    dir=$out/$(echo "$compiler$flags" | tr -d ' =')
    simd=ON
    case $flags in *NO_SIMD*) simd=OFF ;; esac
    cmake -S . -B "$dir" -G Ninja -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=None -DCORTEN_CUDA=OFF -DCMAKE_C_FLAGS="${flags% -DCT_NO_SIMD}" \
      -DCORTEN_SIMD=$simd -DCORTEN_CLI=OFF -DCORTEN_TESTS=OFF >/dev/null
    cmake --build "$dir" --target corten_static >"$dir/log" 2>&1 || { tail -n 20 "$dir/log"; exit 1; }
    $compiler ${flags% -DCT_NO_SIMD} -ffp-contract=off -DCT_STATIC_LIBRARY -Iinclude tests/determinism/state_hash.c "$dir/src/libcorten.a" -lexpat -lpng -lqhull_r -lpthread -lm -o "$dir/state_hash"
    "$dir/state_hash" $models >"$dir/hashes"
    if [ -z "$first" ]; then
      first=$dir/hashes
    else
      diff "$first" "$dir/hashes" || { echo "$compiler $flags gives other bits than gcc -O1"; exit 1; }
    fi
  done
done
echo "$(wc -l <"$first") models, 6 builds, the same bits"
