#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A film of the controller: a show is assigned to three PCs, one of its cables becomes slow, the page "What holds the show
# back" names it, the submix is moved away from that cable, the show runs on. Writes FOLDER/repair.mkv and repair.gif.
# The PCs are network namespaces, the cables shaped veth pairs, hand and eye xdotool and ffmpeg; needs root, a minute,
# build/release.
set -euo pipefail
folder=${1:?usage: tests/ui/recording.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
programs=$(cd "$(dirname "$0")/../.." && pwd)/build/release/bin
work=$(mktemp -d)
space=submix-film-$$
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  for pc in left right mix; do ip netns del "$space-$pc" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

inside() { # PC COMMAND…
  ip netns exec "$space-$1" "${@:2}"
}
# Two cables from each performer to the mix: 198.18.<cable>.1 is the mix's end, .2 the performer's.
cable() { # PC CABLE
  ip -n "$space-mix" link add "c$2" type veth peer name "c$2" netns "$space-$1"
  ip -n "$space-mix" addr add "198.18.$2.1/24" dev "c$2"
  ip -n "$space-$1" addr add "198.18.$2.2/24" dev "c$2"
  for pc in mix "$1"; do
    ip -n "$space-$pc" link set "c$2" up
    tc -n "$space-$pc" qdisc replace dev "c$2" root tbf rate 500mbit burst 256kb latency 20ms
  done
}
for pc in left right mix; do
  ip netns add "$space-$pc"
  ip -n "$space-$pc" link set lo up
done
cable left 1
cable left 2
cable right 3
cable right 4

export XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
"$programs/submix" key new "$work/show.key" >/dev/null
start_in() { # PC COMMAND…
  ip netns exec "$space-$1" "${@:2}" >>"$work/$1.log" 2>&1 & # which becomes the command: its id is the one to end
  started+=($!)
}
start_in mix "$programs/submix" --key "$work/show.key" nats --listen 0.0.0.0 --folder "$work/nats"
sleep 1.5
node() { # PC NATS-ADDRESS ADDRESS…
  local pc=$1 url=nats://$2:4222
  shift 2
  start_in "$pc" "$programs/submix-node" --name "$pc" --nats "$url" --key "$work/show.key" $(printf -- '--data-address %s ' "$@")
}
node mix 127.0.0.1 198.18.1.1 198.18.2.1 198.18.3.1 198.18.4.1
node left 198.18.1.1 198.18.1.2 198.18.2.2
node right 198.18.3.1 198.18.3.2 198.18.4.2

# The show of the demo without the nodes' names: nobody runs it yet. Pictures are made, so that no clip is needed.
sed -e 's/^node = .*/node = ""/' -e 's/plugin = "clip"/plugin = "pattern"/' -e '/file = "clip/d' \
  -e 's/plugin = "record"/plugin = "null"/' -e '/file = "mix/d' -e '/^local/d' \
  "$programs/../../../configs/shows/duo.toml" >"$work/duo.toml"
inside mix "$programs/submix" --key "$work/show.key" apply --no-wait "$work/duo.toml" >/dev/null

Xvfb -noreset -displayfd 3 -screen 0 1280x800x24 -nolisten tcp >"$work/xvfb.log" 2>&1 3>"$work/display" &
started+=($!)
for _ in $(seq 50); do [ -s "$work/display" ] && break || sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
start_in mix "$programs/submix-controller" --nats nats://127.0.0.1:4222 --key "$work/show.key" --size 1280 800 --no-tour --page overview
sleep 4
xdotool mousemove 1279 799 # or what lies under it would be explained
ffmpeg -nostdin -loglevel error -f x11grab -draw_mouse 0 -framerate 10 -video_size 1280x800 -i "$DISPLAY" -c:v libx264 -crf 26 \
  -pix_fmt yuv420p -y "$folder/repair.mkv" &
film=$!

say() { # by the palette, as fast as a person types
  xdotool keydown ctrl keydown k
  sleep 0.15
  xdotool keyup k keyup ctrl
  sleep 0.8
  xdotool type --delay 70 "$1"
  sleep 0.8
  xdotool key --delay 150 Return
  sleep 1.2
}
say "run left on left"
say "run right on right"
say "run mix on mix"
sleep 5
for end in left mix; do tc -n "$space-$end" qdisc replace dev c2 root tbf rate 50mbit burst 64kb latency 20ms; done
say "show what holds"
sleep 8
inside mix "$programs/submix" --nats nats://127.0.0.1:4222 --key "$work/show.key" bottleneck | tail -1
say "show overview"
sleep 2
say "run left on mix" # away from the cable
sleep 6
say "show what holds"
sleep 4
inside mix "$programs/submix" --nats nats://127.0.0.1:4222 --key "$work/show.key" bottleneck | tail -1
kill -INT "$film"
wait "$film" || true
ffmpeg -nostdin -loglevel error -i "$folder/repair.mkv" -vf \
  'fps=4,scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none' -y "$folder/repair.gif"
ls -l "$folder"/repair.*
