#!/bin/sh
# symbols.sh BUILD: only ct_ symbols leave the shared library, and no object has writable data of its own.
set -eu
build=$1
if [ -e "$build/render/libcorten_render.so" ]; then
  foreign=$(nm -D --defined-only "$build/render/libcorten_render.so" | awk '{print $3}' | grep -v '^ct_render\|^ct_video_' || true)
  [ -z "$foreign" ] || { echo "exported by the renderer: $foreign"; exit 1; }
  writable=$(nm -A "$build/render/libcorten_render.a" 2>/dev/null | awk '$2 ~ /^[0-9a-f]+$/ && $3 ~ /^[dDbBC]$/' || true)
  [ -z "$writable" ] || { echo "writable data in the renderer: $writable"; exit 1; }
fi
if [ -e "$build/viewer/libcorten_viewer.so" ]; then
  foreign=$(nm -D --defined-only "$build/viewer/libcorten_viewer.so" | awk '{print $3}' | grep -v -e '^ct_viewer' -e '^__bss_start$' -e '^_edata$' -e '^_end$' || true)
  [ -z "$foreign" ] || { echo "exported by the viewer: $foreign"; exit 1; }
fi
foreign=$(nm -D --defined-only "$build/src/libcorten.so" | awk '{print $3}' | grep -v '^ct_' || true)
[ -z "$foreign" ] || { echo "exported without ct_ prefix: $foreign"; exit 1; }
writable=$(nm -A "$build/src/libcorten.a" 2>/dev/null | awk '$2 ~ /^[0-9a-f]+$/ && $3 ~ /^[dDbBC]$/' | grep -v -e '\.rel\.ro' -e '__gcov' -e '__asan' -e '_ZL' || true)
[ -z "$writable" ] || { echo "writable data in the library:"; echo "$writable"; exit 1; }
echo "$(nm -D --defined-only "$build/src/libcorten.so" | wc -l) symbols exported, all ct_; no writable data"
