#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How old a clip's picture is when another PC shows it: a table for 30 and 60 fps, on one PC and on two.

A clip, two filters, a stream and a mixer. Two PCs are two network namespaces with two cables of a gigabit each. For each
row: the frames on their way between clip and screen, counted at many looks, times a frame's time; the delay that the
nodes measure; and what it should be at most: two frames' time, the slots' p99 and the time that both cables together
need for a frame. Rows "loaded" have another program busy on a core. Run it as root on a machine that does nothing else. With --other FOLDER the programs there
are measured in turns with the first, row by row.
"""
import argparse
import json
import os
import statistics
import sys
import time

from measuring import LINKS, Cluster, run

SETTLE_SECONDS = 12  # until the windows of streams and patches have found their size
LOOKS = 16  # each takes more than a second

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--other", help="a folder of other programs to compare with")
parser.add_argument("--size", default="1280x720", help="of the show (%(default)s)")
parser.add_argument("--pcs", type=int, nargs="+", default=[2, 1], help="one, two or both (%(default)s)")
parser.add_argument("--rates", type=int, nargs="+", default=[30, 60], help="of the show (%(default)s)")
parser.add_argument("--json", action="store_true", help="prints the figures as JSON in place of the table")
options = parser.parse_args()
width, height = (int(part) for part in options.size.split("x"))
WIRE_MS = width * height * 3 * 8 / (LINKS * 1e9) * 1e3


def toml(rate):
    return f"""[show]
name = "delay"
size = [{width}, {height}]
rate = {rate}
[[node]]
name = "left"
[[node]]
name = "mix"
[[submix]]
name = "left"
node = "left"
slot = [
  {{ name = "clip", plugin = "clip", parameters = {{ file = "clip.mp4", loop = true }} }},
  {{ name = "contrast", plugin = "frei0r/contrast0r" }},
  {{ name = "invert", plugin = "frei0r/invert0r" }},
  {{ name = "out", plugin = "stream-out" }},
]
[[submix]]
name = "mix"
node = "mix"
slot = [
  {{ name = "in", plugin = "stream-in" }},
  {{ name = "back", plugin = "pattern" }},
  {{ name = "mix", plugin = "mix", inputs = ["back", "in"] }},
  {{ name = "end", plugin = "null" }},
]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
policy = "wait"
"""


def frames_of(view, submix, slot):
    return next(each["frames"] for one in view["submixes"] if one["name"] == submix
                for each in one["slots"] if each["slot"] == slot)


def figures_of(looks, rate):
    """All in milliseconds, but `fps`."""
    last = looks[-1]
    on_way = statistics.mean(frames_of(view, "left", "clip") - frames_of(view, "mix", "end") for view in looks)
    slots = sum(slot["frame_ms_p99"] for submix in last["submixes"] for slot in submix["slots"])
    stream = last["streams"][0]
    delays = [view["delays"][0] for view in looks if view.get("delays")]
    return {
        "fps": statistics.median(view["fps"] for view in looks),
        "counted": on_way * 1e3 / rate,
        "p50": statistics.median(each["ms_p50"] for each in delays) if delays else None,
        "p99": statistics.median(each["ms_p99"] for each in delays) if delays else None,
        "stream_p50": stream["latency_ms_p50"],
        "slots_p99": slots,
    }


def measure(programs, pcs_count, rate, is_loaded):
    with Cluster(programs, pcs_count) as cluster:
        run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"gradients=size={options.size}:rate={rate}:speed=0.03",
             "-t", "5", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", cluster.folder + "/clip.mp4"])
        cluster.apply(toml(rate))
        if is_loaded:
            cluster.start("mix", sys.executable, "-c", "while True: pass")
        time.sleep(SETTLE_SECONDS)
        return figures_of([cluster.status() for _ in range(LOOKS)], rate)


def words(figure):
    return "      -" if figure is None else f"{figure:7.1f}"


rows = []
folders = [os.path.abspath(folder) for folder in (options.programs, options.other) if folder]
for pcs_count in options.pcs:
    for rate in options.rates:
        for is_loaded in (False, True):
            for folder in folders:
                row = {"programs": folder, "pcs": pcs_count, "rate": rate, "is_loaded": is_loaded}
                row.update(measure(folder, pcs_count, rate, is_loaded))
                row["goal"] = 2e3 / rate + row["slots_p99"] + (WIRE_MS if pcs_count == 2 else 0)
                rows.append(row)
                if not options.json:
                    if len(rows) == 1:
                        print("PCs fps load  shown   counted  delay p50  p99      stream p50  slots' p99  goal     programs")
                    print(f"{pcs_count:3} {rate:3} {'yes' if is_loaded else 'no':4} {row['fps']:6.1f}  {words(row['counted'])}"
                          f"  {words(row['p50'])}    {words(row['p99'])}  {words(row['stream_p50'])}   {words(row['slots_p99'])}"
                          f"     {words(row['goal'])}  {os.path.relpath(folder)}", flush=True)
if options.json:
    print(json.dumps(rows, indent=1))
