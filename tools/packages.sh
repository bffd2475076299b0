# shellcheck shell=bash
# What the scripts at the root need on this machine, and how to get it. To be sourced by bash.
#
#   need_for_run; need_for_test    fill `missing` with the Debian packages that are not there
#   install_missing                install them, or say how, and fail
#   install_optional               try to install what is good to have; a remark when that fails, never an error
#
# A row is: kind of check, what is checked, Debian package. Checks are ordered so that a later one may rely on
# what an earlier one found (headers are looked for with the compiler).

readonly packages_for_run="
command cc            gcc
header  stdio.h       libc6-dev
command ninja         ninja-build
cmake   3.25          cmake
header  expat.h       libexpat1-dev
header  png.h         libpng-dev
header  libqhull_r/libqhull_r.h libqhull-dev
"
readonly packages_for_test="
header  cmocka.h      libcmocka-dev
header  mpfr.h        libmpfr-dev
command clang         clang
command clang-format  clang-format
command python3       python3
python  ensurepip     python3-venv
python  Python.h      python3-dev
"
# Good to have: what is built without them says so when it is asked for.
readonly packages_optional="
header  cairo/cairo.h libcairo2-dev
header  GL/glcorearb.h libgl-dev
header  EGL/egl.h     libegl-dev
driver  libEGL        libegl1
driver  llvmpipe      libgl1-mesa-dri
command c++           g++
header  GLFW/glfw3.h  libglfw3-dev
header  imgui/imgui.h libimgui-dev
"
# What tests look with: a display without a screen, hands for it, videos, a browser.
readonly packages_to_look="
driver  libOSMesa     libosmesa6
command Xvfb          xvfb
command xdotool       xdotool
command ffmpeg        ffmpeg
command chromium      chromium
"
missing=()

has_command() { command -v "$1" >/dev/null 2>&1; }

# The compiler knows where headers are, also those in unusual places. All at once first: usually all are there.
has_headers() {
  has_command cc && printf '#include <%s>\n' "$@" | cc -E -x c - >/dev/null 2>&1
}

has_cmake() {
  has_command cmake || return 1
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  [[ $(printf '%s\n%s\n' "$1" "$version" | sort -V | head -n 1) == "$1" ]]
}

has_python() {
  has_command python3 || return 1
  case $1 in
    Python.h) python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' ;;
    *) python3 -c "import $1" ;;
  esac >/dev/null 2>&1
}

# What draws pictures: EGL itself, and Mesa's drivers, one of which draws in software.
has_driver() {
  case $1 in
    lib*) ldconfig -p 2>/dev/null | grep -q "$1\.so" ;;
    *) compgen -G '/usr/lib/*/dri/*_dri.so' >/dev/null || compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null ;;
  esac
}

is_there() { # kind, what
  case $1 in
    command) has_command "$2" ;;
    header) has_headers "$2" ;;
    cmake) has_cmake "$2" ;;
    python) has_python "$2" ;;
    driver) has_driver "$2" ;;
  esac
}

find_missing() { # table
  local kind what package headers
  # one run of the compiler settles all headers in the usual case
  mapfile -t headers < <(awk '$1 == "header" {print $2}' <<<"$1")
  local all_headers=no
  has_headers "${headers[@]}" && all_headers=yes
  while read -r kind what package; do
    [[ -z $kind || ($kind == header && $all_headers == yes) ]] && continue
    is_there "$kind" "$what" || missing+=("$package")
  done <<<"$1"
}

need_for_run() { find_missing "$packages_for_run"; }
need_for_test() { find_missing "$packages_for_run$packages_for_test"; }

may_install() {
  has_command apt-get && { ((EUID == 0)) || { has_command sudo && sudo -n true 2>/dev/null; }; }
}

apt_get() {
  local as=()
  ((EUID == 0)) || as=(sudo -n)
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@"
}

say_what_to_install() {
  echo "These packages are missing: ${missing[*]}" >&2
  if has_command apt-get; then
    echo "Install them with: sudo apt-get install ${missing[*]}" >&2
  else
    echo "The names are Debian's; install what your system calls them, then run this again." >&2
  fi
  return 1
}

install_missing() {
  ((${#missing[@]} == 0)) && return 0
  may_install || { say_what_to_install; return 1; }
  echo "Installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  # the package lists may be absent or old: fetch them only when the first try fails
  if ! apt_get install --no-install-recommends "${missing[@]}" >"$log" 2>&1 &&
    ! { apt_get update && apt_get install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    say_what_to_install
    return 1
  fi
  rm -f "$log"
}

install_optional() { # a further table, for tests
  local needed=("${missing[@]}")
  missing=()
  find_missing "$packages_optional${1:-}"
  if ((${#missing[@]} > 0)) && ! { may_install && install_missing; } >/dev/null 2>&1; then
    # one that this system does not have must not keep the others away
    local left=() package all=("${missing[@]}")
    for package in "${all[@]}"; do
      missing=("$package")
      { may_install && install_missing; } >/dev/null 2>&1 || left+=("$package")
    done
    ((${#left[@]} == 0)) || echo "Without ${left[*]}: corten will not draw plots, scenes or windows, or not all of that is tested" >&2
  fi
  missing=("${needed[@]}")
}

# Check again after installing: a package may be too old on this system.
confirm_present() { # need_for_run or need_for_test
  missing=()
  "$1"
  ((${#missing[@]} == 0)) && return 0
  echo "Still missing or too old: ${missing[*]} (CMake must be 3.25 or newer)" >&2
  return 1
}
