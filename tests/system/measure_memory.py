#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a mixing node takes, and how soon it shows a picture: a row for each count and size of its inputs.

Performers on one node, a mixer with as many inputs on another. Memory is what the mixing node's process has for itself
and its part of what it shares (Pss), at its most in the seconds after the show was applied. The start is the time
from the beginning of `apply` to the first mixed frame, by the mixing node's own trace. Before each start as much memory
is written to as the nodes need: a virtual machine may have to fetch it from its host, which takes longer than the start,
and which a PC does not know. With --pcs 2 the nodes are in two network namespaces, which needs root. With --other FOLDER
the programs there are measured in turns with the first, row by row.
"""
import argparse
import json
import mmap
import os
import time

from measuring import Cluster

SECONDS = 6  # of each row; a trace has the last 10
FETCHED_BYTES = 3 << 30

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


def fetch_memory():
    with mmap.mmap(-1, FETCHED_BYTES) as memory:
        memory[:: mmap.PAGESIZE] = bytes(FETCHED_BYTES // mmap.PAGESIZE)


def mixed_frames(trace):
    """When each frame was shown, in seconds since the epoch."""
    with open(trace, encoding="utf-8") as file:
        trace = json.load(file)
    events, clocks = trace["traceEvents"], trace["otherData"]
    end = next(event["tid"] for event in events if event["ph"] == "M" and event["args"].get("name") == "mix.end")
    shown = {}
    for event in events:
        if event.get("tid") == end and event["name"] == "working":
            shown[event["args"]["frame"]] = (clocks["wall_ns"] - clocks["steady_ns"] + event["ts"] * 1e3) / 1e9
    return sorted(shown.values())


def measure(programs, count, width, height):
    with Cluster(programs, options.pcs) as cluster:
        node = cluster.nodes["mix"]  # also in a namespace: `ip netns exec` becomes the node
        before = most = megabytes_of(node.pid)
        fetch_memory()
        begin = time.time()
        cluster.apply(toml(count, width, height))
        while time.time() < begin + SECONDS:
            most = max(most, megabytes_of(node.pid))
            time.sleep(0.2)
        node.terminate()
        node.wait()
        frames = mixed_frames(cluster.folder + "/state/submix/traces/mix-end.json")
        half = len(frames) // 2
        return before, most, frames[0] - begin, (len(frames) - 1 - half) / (frames[-1] - frames[half])


print("inputs          before MB  most MB  start s  frames/s  programs")
for row in options.inputs:
    for folder in [os.path.abspath(each) for each in (options.programs, options.other) if each]:
        before, most, started, fps = measure(folder, *(int(part) for part in row.split("x")))
        print(f"{row:14}  {before:9.0f}  {most:7.0f}  {started:7.2f}  {fps:8.1f}  {os.path.relpath(folder)}", flush=True)
