#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a mixing node takes, and how soon it shows a picture: a row for each count and size of its inputs.

Performers on one node, a mixer with as many inputs on another. Memory is what the mixing node's process has for itself
and its part of what it shares (Pss), at its most in the seconds after the show was applied. The start is the time
from the beginning of `apply` to the first frame at the mixer's end, as the first look at its frames tells. It is less if
the frames came more slowly than the show's rate. With --pcs 2 the nodes are in two network
namespaces, which needs root. With --other FOLDER the programs there are measured in turns with the first, row by row.
"""
import argparse
import os
import time

from measuring import Cluster

SECONDS = 8  # of each row

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--other", help="a folder of other programs to compare with")
parser.add_argument("--inputs", nargs="+", default=["4x3840x2160", "15x1360x768"],
                    help="count and size of the inputs (%(default)s)")
parser.add_argument("--pcs", type=int, default=1, help="one or two (%(default)s)")
parser.add_argument("--mixer", default="mix", help="the plugin that mixes two inputs (%(default)s)")
parser.add_argument("--rate", type=int, default=30, help="of the show (%(default)s)")
options = parser.parse_args()


def toml(count, width, height):
    names = [f"p{i}" for i in range(count)]
    text = f"""[show]
name = "memory"
size = [{width}, {height}]
rate = {options.rate}
[[node]]
name = "left"
[[node]]
name = "mix"
"""
    for name in names:
        text += f"""[[submix]]
name = "{name}"
node = "left"
slot = [ {{ name = "pattern", plugin = "pattern" }}, {{ name = "out", plugin = "stream-out" }} ]
[[stream]]
name = "{name}"
from = "{name}.out"
to = "mix.{name}"
policy = "wait"
"""
    text += '[[submix]]\nname = "mix"\nnode = "mix"\nslot = [\n'
    for name in names:
        text += f'  {{ name = "{name}", plugin = "stream-in" }},\n'
    below = names[0]
    for name in names[1:]:
        text += f'  {{ name = "m-{name}", plugin = "{options.mixer}", inputs = ["{below}", "{name}"] }},\n'
        below = "m-" + name
    return text + f'  {{ name = "end", plugin = "null", inputs = ["{below}"] }},\n]\n'


def megabytes_of(process):
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024


def frames_of(view):
    return sum(slot["frames"] for submix in view["submixes"] if submix["name"] == "mix" for slot in submix["slots"]
               if slot["slot"] == "end")


def measure(programs, count, width, height):
    with Cluster(programs, options.pcs) as cluster:
        mix = cluster.nodes["mix"].pid  # also in a namespace: `ip netns exec` becomes the node
        before = megabytes_of(mix)
        begin, most, frames = time.monotonic(), 0.0, []
        cluster.apply(toml(count, width, height))
        while time.monotonic() < begin + SECONDS:
            view = cluster.status()
            frames.append((time.monotonic(), frames_of(view)))
            most = max(most, megabytes_of(mix))
        half = len(frames) // 2
        fps = (frames[-1][1] - frames[half][1]) / (frames[-1][0] - frames[half][0])
        started = next((at - begin - count / options.rate for at, count in frames if count > 0), None)
        return before, most, started, fps


print("inputs          before MB  most MB  start s  frames/s  programs")
for row in options.inputs:
    for folder in [os.path.abspath(each) for each in (options.programs, options.other) if each]:
        before, most, started, fps = measure(folder, *(int(part) for part in row.split("x")))
        told = "      -" if started is None else f"{started:7.2f}"
        print(f"{row:14}  {before:9.0f}  {most:7.0f}  {told}  {fps:8.1f}  {os.path.relpath(folder)}", flush=True)
