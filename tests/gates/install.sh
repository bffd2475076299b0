#!/bin/sh
# install.sh BUILD: an example builds against the installed library, through CMake and through pkg-config, and runs;
# a program compiled for the other precision does not link, whatever it calls.
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

# sources written for MuJoCo, C and C++, compile unchanged and run
mujoco() { PKG_CONFIG_PATH=$pc $1 -Wall -Wextra -Werror "$root/examples/mujoco/$2" -o "$out/$2.bin" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs corten-mujoco) -pthread; }
for source in basic.c testspeed.c compile.c record.c elements.c build.c; do mujoco "gcc -std=gnu17" $source; done
mujoco "g++ -std=c++17" derivative.cc
LD_LIBRARY_PATH=$(dirname "$pc") "$out/basic.c.bin" "$root/models/humanoid.xml" >"$out/basic.out"
LD_LIBRARY_PATH=$(dirname "$pc") "$out/record.c.bin" >"$out/record.out"
LD_LIBRARY_PATH=$(dirname "$pc") "$out/testspeed.c.bin" "$root/models/humanoid.xml" 50 2 | grep -q "steps counted: 50"
LD_LIBRARY_PATH=$(dirname "$pc") "$out/derivative.cc.bin" "$root/models/humanoid.xml" | grep -q norms
LD_LIBRARY_PATH=$(dirname "$pc") "$out/compile.c.bin" "$root/models/humanoid.xml" "$out/h.mjb" >/dev/null
LD_LIBRARY_PATH=$(dirname "$pc") "$out/compile.c.bin" "$out/h.mjb" "$out/h.xml" | grep -q bodies

# the program, its manual page and what shells complete, where each looks for it
for file in bin/corten share/man/man1/corten.1 share/bash-completion/completions/corten share/zsh/site-functions/_corten share/fish/vendor_completions.d/corten.fish; do
  [ -s "$out/prefix/$file" ] || { echo "$file is not installed"; exit 1; }
done

# one version: header, package, changelog; it is part of the name of the shared library
version=$(sed -n 's/.*CT_VERSION_STRING "\(.*\)".*/\1/p' "$root/include/corten/base.h")
[ "$version" = "$(PKG_CONFIG_PATH=$pc pkg-config --modversion corten)" ] || { echo "pkg-config has another version than base.h"; exit 1; }
[ "$version" = "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$root/CHANGELOG.md" | head -n 1)" ] || { echo "CHANGELOG.md does not begin with $version"; exit 1; }
case $version in 0.*) interface=${version%.*} ;; *) interface=${version%%.*} ;; esac
readelf -d "$(dirname "$pc")/libcorten.so" | grep -q "SONAME.*\[libcorten\.so\.$interface\]" || { echo "the shared library is not called libcorten.so.$interface"; exit 1; }

# a program that names every public function, in the precision of the library and in the other
single() { case " $(PKG_CONFIG_PATH=$pc pkg-config --cflags corten)" in *-DCT_SINGLE*) true ;; *) false ;; esac; }
if single; then right=-DCT_SINGLE wrong=-UCT_SINGLE suffix=; else right=-UCT_SINGLE wrong=-DCT_SINGLE suffix=_single; fi
names=$(grep -hoE '^#define ct_[a-z0-9_]+' "$out/prefix/include/corten/single.h" | cut -d' ' -f2)
# the renderer is a library of its own, which is not built everywhere
render=-lcorten_render
if [ ! -e "$(dirname "$pc")/libcorten_render.so" ]; then
  render= names=$(echo "$names" | grep -v '^ct_render\|^ct_video')
fi
# those of MPI are in a library that is not built here
names=$(echo "$names" | tr ' ' '\n' | grep -v '^ct_mpi_')
viewer=-lcorten_viewer
if [ ! -e "$(dirname "$pc")/libcorten_viewer.so" ]; then
  viewer= names=$(echo "$names" | grep -v '^ct_viewer')
fi
{
  echo '#include <corten/corten.h>'
  echo '#include <corten/render.h>'
  echo '#include <corten/viewer.h>'
  echo 'void (*const calls[])(void) = {'
  for name in $names; do echo "  (void (*)(void))$name,"; done
  echo '};'
  echo 'int main(void) { return calls[0] == 0; }'
} >"$out/all.c"
link() { gcc $1 -I"$out/prefix/include" "$out/all.c" -o "$out/all" -L"$(dirname "$pc")" $viewer $render -lcorten; }
link $right
! link $wrong 2>"$out/errors" || { echo "a program in the other precision links"; exit 1; }
for name in $names; do
  grep -q "undefined reference to .$name$suffix'" "$out/errors" || { echo "$name links in the other precision"; exit 1; }
done
echo "$expected" | tail -n 1
echo "$(echo "$names" | wc -l) functions, none links in the other precision"
