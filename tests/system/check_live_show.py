#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A live show of two PCs: a screen through five shaders that a kick drum moves, mixed on the other PC.

The screen is a private X server that shows a moving pattern. The drum is the sound of a clip. The PCs are two network
namespaces with two cables of a gigabit. Each picture is stamped behind the shaders and checked on the other PC: none may be lost,
doubled, torn or out of order. Then a show of the clip alone is made into a film twice, which must be equal, and once
without the drum, which must differ. Run it as root. Needs Xvfb and ffmpeg. Status 1: something was not as it must be.
"""
import argparse
import contextlib
import os
import subprocess
import sys
import time

from measuring import Cluster, run, start_display

SHADERS = [("Ripple", "strength", 0.0, 0.15), ("RGB Split", "amount", 0.0, 0.2), ("Mosaic", "rows", 30.0, 120.0),
           ("Kaleidoscope", "angle", 0.0, 0.3), ("Scan Lines", "bend", 0.0, 0.4)]  # what the drum moves, and how far
KICK = "aevalsrc=0.9*sin(2*PI*55*t)*exp(-12*mod(t\\,0.5)):s=48000"
FILM_FRAMES = 300
FAULTS = ["lost", "duplicated", "reordered", "torn", "unreadable", "wrong_source"]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--frames", type=int, default=10_000, help="of the live show (%(default)s)")
parser.add_argument("--size", default="320x240", help="of the show (%(default)s)")
parser.add_argument("--rate", type=int, default=30, help="of the show (%(default)s)")
options = parser.parse_args()
programs = os.path.abspath(options.programs)
width, height = options.size.split("x")


def shader_slots():
    return "".join(f"""  {{ name = "shader{i}", plugin = "isf/{shader}", oscillators = {{ {moved} = {{ waveform = "sound-bass", from = {least}, to = {most} }} }} }},
""" for i, (shader, moved, least, most) in enumerate(SHADERS))


def head(sound):
    return f"""[show]
name = "live"
size = [{width}, {height}]
rate = {options.rate}
{sound}
[[node]]
name = "left"
"""


def live_show():
    return head('sound = { node = "left", device = "clip:music.clip" }') + f"""[[node]]
name = "mix"
[[submix]]
name = "music"
node = "left"
slot = [ {{ name = "clip", plugin = "clip", parameters = {{ file = "music.mkv" }} }}, {{ name = "end", plugin = "null" }} ]
[[submix]]
name = "desktop"
node = "left"
slot = [ {{ name = "pattern", plugin = "pattern" }}, {{ name = "screen", plugin = "window", parameters = {{ fullscreen = true }} }} ]
[[submix]]
name = "left"
node = "left"
slot = [
  {{ name = "screen", plugin = "capture", parameters = {{ device = "screen" }} }},
{shader_slots()}  {{ name = "stamp", plugin = "stamp" }},
  {{ name = "out", plugin = "stream-out" }},
]
[[submix]]
name = "mix"
node = "mix"
slot = [
  {{ name = "in", plugin = "stream-in" }},
  {{ name = "check", plugin = "checker" }},
  {{ name = "back", plugin = "pattern" }},
  {{ name = "mix", plugin = "mix", inputs = ["back", "check"] }},
  {{ name = "end", plugin = "null" }},
]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
"""


def film_show(sound):
    return head(sound) + f"""[[submix]]
name = "music"
node = "left"
slot = [
  {{ name = "clip", plugin = "clip", parameters = {{ file = "music.mkv" }} }},
{shader_slots()}  {{ name = "end", plugin = "null" }},
]
"""


def make_music(folder):
    run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc2=size={options.size}:rate={options.rate}", "-f", "lavfi", "-i", KICK,
         "-t", "10", "-c:v", "mpeg4", "-q:v", "3", "-c:a", "pcm_s16le", folder + "/music.mkv"])


def play(cluster):
    """The readings once the other PC has checked enough frames, or none has come for 30 s."""
    cluster.apply(live_show())
    checked, changed = 0, time.monotonic()
    while True:
        time.sleep(1)
        status = cluster.status()
        now = status["checks"].get("checked", 0)
        if now != checked:
            checked, changed = now, time.monotonic()
        if checked >= options.frames or time.monotonic() - changed > 30:
            return status


def judge_live(status):
    checks = status["checks"]
    print(f"live: {checks.get('checked', 0)} frames checked, " + ", ".join(f"{checks.get(fault, 0)} {fault}" for fault in FAULTS))
    for submix in status["submixes"]:
        print(f"  {submix['name']}: {submix['state']}, {submix['fps']:.1f} fps, {submix['late_frames']} late, "
              f"{submix['missed_frames']} missed")
        for slot in submix["slots"]:
            if slot["trouble"]:
                print(f"    {slot['slot']}: {slot['trouble']}")
    return checks.get("checked", 0) >= options.frames and not any(checks[fault] for fault in FAULTS)


def film(folder, name, sound):
    """The digests of its pictures."""
    with open(f"{folder}/{name}.toml", "w", encoding="utf-8") as file:
        file.write(film_show(sound))
    run([programs + "/submix", "render", f"{folder}/{name}.toml", "--frames", str(FILM_FRAMES), "--media", folder,
         "--codec", "ffv1", "-o", f"{folder}/{name}.mkv"])
    made = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", f"{folder}/{name}.mkv", "-f", "framemd5", "-"],
                          check=True, capture_output=True, text=True)
    return [line.split(",")[-1] for line in made.stdout.splitlines() if not line.startswith("#")]


def judge_films(folder):
    drum = 'sound = { node = "left", device = "clip:music.clip" }'
    first, second, silent = film(folder, "first", drum), film(folder, "second", drum), film(folder, "silent", "")
    same = sum(one == other for one, other in zip(first, second))
    moved = sum(one != other for one, other in zip(first, silent))
    print(f"films: {same} of {FILM_FRAMES} pictures are the same twice; {moved} differ without the drum")
    return len(first) == FILM_FRAMES and first == second and moved > FILM_FRAMES / 4


def main():
    with contextlib.ExitStack() as stack:
        start_display(stack, options.size)
        with Cluster(programs, 2) as cluster:
            make_music(cluster.folder)
            is_lossless = judge_live(play(cluster))
            are_equal = judge_films(cluster.folder)
    return 0 if is_lossless and are_equal else 1


sys.exit(main())
