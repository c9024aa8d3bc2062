#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Usage: check_demo.sh DIR: whether what `submix demo --out DIR` left behind is a picture and a film of the mix.
set -euo pipefail
out=$1

complain() {
  echo "check_demo.sh: $*" >&2
  exit 1
}

[ -s "$out/mix.png" ] || complain "$out/mix.png is missing"
[ "$(identify -format '%wx%h' "$out/mix.png")" = 1280x720 ] || complain "mix.png is not 1280x720"
colours=$(identify -format '%k' "$out/mix.png")
[ "$colours" -ge 500 ] || complain "mix.png has only $colours colours: a clip and a pattern have more"

[ -s "$out/mix.mkv" ] || complain "$out/mix.mkv is missing"
ffmpeg -nostdin -v error -xerror -i "$out/mix.mkv" -f null - || complain "mix.mkv does not play to its end"
frames=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 "$out/mix.mkv")
[ "$frames" -ge 30 ] || complain "mix.mkv has only $frames frames"
echo "The demo's picture has $colours colours, its film $frames frames."
