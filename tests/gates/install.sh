#!/bin/sh
# install.sh BUILD: an example builds against the installed library, through CMake and through pkg-config, and runs.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cmake --install "$build" --prefix "$out/prefix" >/dev/null
cmake -S "$root/examples/pendulum" -B "$out/example" -DCMAKE_PREFIX_PATH="$out/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$out/example" >/dev/null
expected=$("$out/example/pendulum")
[ "$expected" = "$("$out/example/pendulum_static")" ]
pc=$(dirname "$(find "$out/prefix" -name corten.pc)")
PKG_CONFIG_PATH=$pc gcc "$root/examples/pendulum/pendulum.c" -o "$out/by_pkgconfig" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs corten)
[ "$expected" = "$(LD_LIBRARY_PATH=$(dirname "$pc") "$out/by_pkgconfig")" ]
echo "$expected" | tail -n 1
