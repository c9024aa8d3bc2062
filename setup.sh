#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Submix needs, builds it, runs the demo or the tests.
set -euo pipefail
called_from=$PWD
cd "$(dirname "$0")"
root=$PWD

usage() {
  cat <<'TEXT'
Usage: ./setup.sh COMMAND [OPTIONS]

  demo [OPTIONS]   install, build and run the demo show: two performers, one mix
                   (options are those of `submix demo`, e.g. --clip FILE --seconds N --out DIR)
  test             install, build and run every test; the last line is ctest's
  build            install and build the release preset into build/release/bin/
  package          build Debian packages into build/release/packages/: build once, install on every PC
  check-packages   build them and try them: lint, a bare Debian, the demo, services, three bare PCs (by sudo)
  check-versions   build the former release, and run a show with one PC of each version (by sudo)
  check-cameras    run capture and camera-out with cameras of a real kernel, in a virtual machine
  check            what CI runs beside the tests: lint, fuzz and sanitizers
  lint             check the format, headers on their own, clang-tidy's rules, and alert rules
  sanitizers       run the unit tests with the address and the thread sanitizer (--build-only: build them)
  fuzz [SECONDS]   run each parser of others' texts on mutations, with the address sanitizer (default: a minute)
  install          install the packages that all commands need, and build nothing
  packages         print the Debian packages that are needed, one a line

Packages come from Debian 12 or 13 by apt (with sudo when not root); nothing is done when all are there.
TEXT
}

# "a|b": whichever of them is installed, else the first that apt offers.
run_packages=(
  ffmpeg frei0r-plugins nats-server fonts-inter fonts-dejavu-core fonts-jetbrains-mono libgl1-mesa-dri
)
build_packages=(
  build-essential cmake ninja-build pkg-config ccache
  'libboost1.81-dev|libboost1.83-dev' libfmt-dev libspdlog-dev libexpected-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev
  libdbus-1-dev libsodium-dev libssl-dev libbotan-2-dev libavahi-client-dev libxxhash-dev libnats-dev prometheus-cpp-dev libswscale-dev libswresample-dev libavformat-dev libavdevice-dev libavcodec-dev libavutil-dev libyuv-dev libpng-dev libturbojpeg0-dev libpango1.0-dev libfontconfig-dev
  frei0r-plugins-dev libseccomp-dev libsdl2-dev libx11-dev libxrandr-dev libimgui-dev libopengl-dev libegl-dev
  libaubio-dev libpulse-dev librtmidi-dev libasound2-dev libjack-jackd2-dev liblo-dev ableton-link-dev
)
[ "$(dpkg --print-architecture)" != amd64 ] || build_packages+=(libipsec-mb-dev) # AES with wide vectors
test_packages=(
  avahi-daemon dbus-daemon jackd2 pulseaudio pulseaudio-utils libgtest-dev libgmock-dev xvfb xdotool x11-utils imagemagick iproute2 mold
  xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
)
check_packages=(
  clang-19 libclang-rt-19-dev clang-format-19 clang-tidy-22 # 22 skips what system headers declare
)
all_packages=("${run_packages[@]}" "${build_packages[@]}" "${test_packages[@]}" "${check_packages[@]}") # but for packaging
package_packages=(
  file help2man # CPack asks `file` which programs need libraries
)
package_check_packages=(
  lintian mmdebstrap desktop-file-utils shared-mime-info imagemagick iproute2 python3
)
camera_check_packages=(
  qemu-system-x86 busybox-static cpio kmod python3 # the kernel's own packages are unpacked only
)

# Steps print one line each; their output goes to a log that is shown when they fail.
logs=build/logs
step() { # TITLE COMMAND…
  local title=$1 log
  shift
  mkdir -p "$logs"
  log=$logs/$(tr -c 'a-z0-9\n' '-' <<<"${title,,}").log
  printf '%s … ' "$title"
  local begin=$SECONDS
  if "$@" >"$log" 2>&1 </dev/null; then
    echo "done ($((SECONDS - begin)) s)"
  else
    echo failed
    tail -n 60 "$log"
    echo "The whole log: $log"
    exit 1
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() { # PACKAGE|PACKAGE…
  local package
  for package in ${1//|/ }; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed && return
  done
  return 1
}

missing_packages() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo "$package"
  done
}

offered_packages() { # PACKAGE|PACKAGE…
  local choice package
  for choice in "$@"; do
    for package in ${choice//|/ }; do
      [ "$package" != "$choice" ] || break
      [ -z "$(apt-cache madison "$package" 2>/dev/null)" ] || break # `show` succeeds where others only name it
    done
    echo "$package"
  done
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -eq 0 ] && return
  step "Updating the package lists" as_root apt-get update -q
  mapfile -t missing < <(offered_packages "${missing[@]}")
  step "Installing ${#missing[@]} packages" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Time left at this pace, for people.
time_left() { # SECONDS_SO_FAR DONE ALL
  local left=$(($1 * ($3 - $2) / $2))
  if ((left < 90)); then echo "about $left s left"; else echo "about $(((left + 30) / 60)) min left"; fi
}

# Ninja's "[12/240]" as one line that moves, or as a line for each tenth without a terminal. The log gets
# everything.
show_progress() { # LOG
  local line shown=0 begin=$SECONDS at all
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    at=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [ -t 1 ]; then
      printf '\rBuilding %d of %d, %s   ' "$at" "$all" "$(time_left $((SECONDS - begin)) "$at" "$all")"
    elif ((at * 10 / all > shown)); then
      shown=$((at * 10 / all))
      echo "Building $at of $all, $(time_left $((SECONDS - begin)) "$at" "$all")"
    fi
  done
  if [ -t 1 ]; then echo; fi
}

# Waits where another of these commands builds the same. `targets`: only these; nothing: all.
build() { # PRESET [CMAKE OPTIONS]
  local preset=$1 log=$logs/build-$1.log lock
  shift
  mkdir -p "$logs"
  exec {lock}>"$logs/build-$preset.lock"
  flock "$lock"
  step "Configuring $preset" cmake --preset "$preset" "$@"
  : >"$log"
  if ! cmake --build --preset "$preset" ${targets:+--target $targets} 2>&1 | show_progress "$log"; then
    tail -n 60 "$log"
    echo "The build failed. The whole log: $log"
    exit 1
  fi
  exec {lock}>&-
}

check_format() {
  git ls-files '*.cpp' '*.hpp' | xargs clang-format-19 --dry-run --Werror
}

# The product's sources as the release build joins them: clang-tidy reads the headers that they share once. GCC has
# looked for shadowed names; here names of one source would seem to shadow those of another.
check_tidy() {
  sed -n "s|^ *\"file\": \"$root/\(.*\)\",\?\$|\1|p" build/release/compile_commands.json |
    grep -v -e '^tests/' -e '^build/release/tests/' -e verify_interface_header_sets |
    xargs -P "$(nproc)" -n 1 clang-tidy-22 --quiet -p build/release --checks=-bugprone-suspicious-include \
      --extra-arg=-Wthread-safety --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations \
      --extra-arg=-Wno-shadow --extra-arg=-Wno-unused-command-line-argument 2>&1 |
    sed -u -e '/warnings\? generated\.$/d' -e '/Processing file/d'
}

lint() {
  step "Checking the format" check_format
  build release -DSUBMIX_TESTS=ON
  step "Compiling headers on their own" cmake --build --preset release --target all_verify_interface_header_sets
  step "Checking with clang-tidy" check_tidy
  step "Checking metrics and alert rules" tests/metrics/check_monitoring.sh build/release/bin
}

fuzz() { # [SECONDS]
  local seconds=${1:-60}
  build asan -DSUBMIX_FUZZ_SECONDS="$seconds"
  step "Trying each parser for $seconds s" ctest --test-dir build/asan -L "^fuzz$" --no-tests=error -j "$(nproc)"
}

# Both at once: either alone waits for its longest test in the end.
sanitizers() { # [--build-only]
  build asan
  build tsan
  [ "${1:-}" != --build-only ] || return 0
  local jobs=$(($(nproc) + 1)) log=$logs/tests-with-asan.log status=0 # many mostly wait
  ctest --preset asan -j "$jobs" >"$log" 2>&1 &
  local asan=$!
  trap "kill $asan 2>/dev/null || true" EXIT
  ctest --preset tsan --progress -j "$jobs" || status=$?
  wait "$asan" || status=$?
  cat "$log"
  return "$status"
}

package() {
  build release -DSUBMIX_TESTS=OFF
  step "Writing manual pages" cmake --build --preset release --target package_files
  rm -rf build/release/packages
  step "Making packages" cpack --config build/release/CPackConfig.cmake
}

# From this repository's history, as it was built then.
build_former_release() {
  local name commit
  read -r name commit <tests/versions/former_release
  [ -d build/former ] || git clone -q --shared . build/former
  if ! git -C build/former checkout -q "$commit"; then
    echo "The history lacks release $name (commit $commit): git fetch --unshallow"
    exit 1
  fi
  echo "Release $name:"
  build/former/setup.sh build
}

command=${1:-help}
shift || true
case $command in
  demo)
    install_packages "${run_packages[@]}" "${build_packages[@]}"
    targets="node/all controller/all" build release -DSUBMIX_TESTS=OFF # without the measuring programs
    cd "$called_from" # what the options name is there
    exec "$root/build/release/bin/submix" demo "$@"
    ;;
  test)
    install_packages "${run_packages[@]}" "${build_packages[@]}" "${test_packages[@]}"
    build release -DSUBMIX_TESTS=ON
    exec ctest --preset release -j "$(($(nproc) + 1))" # many mostly wait; those that may be disturbed run alone
    ;;
  build)
    install_packages "${run_packages[@]}" "${build_packages[@]}"
    build release -DSUBMIX_TESTS=OFF
    ;;
  package)
    install_packages "${build_packages[@]}" "${package_packages[@]}"
    package
    echo "Copy these to every PC, and install them there: sudo apt install ./*.deb"
    ls build/release/packages/*.deb
    ;;
  check-packages)
    install_packages "${run_packages[@]}" "${build_packages[@]}" "${package_packages[@]}" "${package_check_packages[@]}"
    package
    as_root tests/packages/check_packages.sh build/release/packages
    as_root tests/packages/check_three_pcs.py build/release/packages
    ;;
  check-versions)
    install_packages "${run_packages[@]}" "${build_packages[@]}" iproute2 python3
    build release -DSUBMIX_TESTS=OFF
    build_former_release
    as_root tests/versions/check_versions.py build/release/bin build/former/build/release/bin
    ;;
  check-cameras)
    install_packages "${run_packages[@]}" "${build_packages[@]}" "${camera_check_packages[@]}"
    build release -DSUBMIX_TESTS=OFF
    exec tests/cameras/check_cameras.py build/release/bin
    ;;
  check)
    install_packages "${all_packages[@]}"
    lint
    fuzz
    sanitizers
    ;;
  lint)
    install_packages "${all_packages[@]}"
    lint
    ;;
  fuzz)
    install_packages "${all_packages[@]}"
    fuzz "$@"
    ;;
  sanitizers)
    install_packages "${all_packages[@]}"
    sanitizers "$@"
    ;;
  install) install_packages "${all_packages[@]}" ;;
  packages) offered_packages "${all_packages[@]}" ;;
  help | -h | --help) usage ;;
  *)
    echo "setup.sh: unknown command \"$command\"" >&2
    usage >&2
    exit 2
    ;;
esac
