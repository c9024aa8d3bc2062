#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of each page of the controller with the demo show, or of those that are named, into FOLDER (usually
# controller/ui/screenshots): those of the guide. On a screen without a monitor, from build/release; two minutes.
set -euo pipefail
folder=${1:?usage: tests/ui/screenshots.sh FOLDER [PAGE...]}
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
programs=$(cd "$(dirname "$0")/../.." && pwd)/build/release/bin
work=$(mktemp -d)
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap finish EXIT

exec 3<>"$work/display"
Xvfb -displayfd 3 -screen 0 1920x1200x24 -noreset -nolisten tcp >"$work/xvfb.log" 2>&1 3>"$work/display" &
started+=($!)
for _ in $(seq 50); do [ -s "$work/display" ] && break || sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config HOME=/tmp
xdotool mousemove 1919 1199 # off every window

(cd "$work" && exec "$programs/submix" demo --headless --out "$work/out" >"$work/demo.log" 2>&1) &
started+=($!)
for _ in $(seq 300); do grep -q 'runs\.' "$work/demo.log" 2>/dev/null && break || sleep 0.2; done
url=$(sed -n 's/.*SUBMIX_NATS=\([^ ]*\).*/\1/p' "$work/demo.log" | head -1)

shoot() { # NAME OPTIONS
  local name=$1
  shift
  "$programs/submix-controller" --nats "${url:-nats://127.0.0.1:4222}" --size ${size:-1440 900} --after 8 \
    --screenshot "$work/$name.png" "$@" 2>>"$work/controller.log"
  convert "$work/$name.png" -strip -define png:compression-level=9 -colors 256 "$folder/$name.png"
  echo "$folder/$name.png"
}
pages=("$@")
if [ ${#pages[@]} -eq 0 ]; then
  mapfile -t pages < <("$programs/submix-controller" --help | sed -n 's/.*--page [^{]*{\([^}]*\)}.*/\1/p' | tr ',' '\n')
fi
for page in "${pages[@]}"; do
  shoot "$page" --page "$page" --theme dark
done
[ $# -gt 0 ] && exit
shoot overview-light --page overview --theme light
size="1920 1200" shoot overview-large --page overview --theme dark --scale 2
