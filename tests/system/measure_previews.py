#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What previews cost a show: sixteen layers on two nodes, without a window and with two of them.

One window shows the programme at 30 fps, the other one a wall of all pictures at 10 fps. --patch measures the page Patch
instead, which shows a picture on each edge of a patch of eight slots. Both states are measured in
turn, and the medians of the rounds printed. Exit status 1: with windows a frame was late, or the rate fell by more
than 1 %. Needs Xvfb.
"""
import argparse
import os
import statistics
import sys
import time

from measuring import Cluster

LAYERS = 16
EFFECTS = 6
SETTLE_SECONDS = 4
DISPLAY = ":79"
FIGURES = {"fps": "frames a second", "late": "late or missed frames", "p50": "delay p50, ms", "p99": "delay p99, ms",
           "nodes": "cores of the nodes", "windows": "cores of the windows"}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--seconds", type=int, default=10, help="of each measurement (%(default)s)")
parser.add_argument("--patch", action="store_true", help="the pictures of a patch")
options = parser.parse_args()
programs = os.path.abspath(options.programs)


def add_show(cluster):
    cluster.submix("show", "new", "previews", "--node", "left", "--node", "mix", "--size", "640x360", "--no-window")
    for number in range(2, LAYERS + 1):
        cluster.submix("layer", "add", f"layer-{number}", "--node", "left", "--level", "0.3")
    if options.patch:
        add_effects(cluster)
    time.sleep(SETTLE_SECONDS)


def add_effects(cluster):
    """To the first submix, which the page Patch shows."""
    for _ in range(EFFECTS):
        cluster.submix("slot", "insert", "layer-1.pattern", "colour")


def seconds_of(processes):
    """Of the processor, so far."""
    ticks = 0
    for process in processes:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
            ticks += sum(int(word) for word in stat.read().rsplit(")", 1)[1].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def look(cluster, windows):
    mix = next(submix for submix in cluster.status()["submixes"] if submix["name"] == "mix")
    return {"time": time.monotonic(), "frames": mix["frames"], "late": mix["late_frames"] + mix["missed_frames"],
            "p50": mix["delay_ms_p50"], "p99": mix["delay_ms_p99"], "nodes": seconds_of(cluster.nodes.values()),
            "windows": seconds_of(windows)}


def measured(cluster, windows):
    before = look(cluster, windows)
    time.sleep(options.seconds)
    after = look(cluster, windows)
    length = after["time"] - before["time"]
    return {"fps": (after["frames"] - before["frames"]) / length, "late": after["late"] - before["late"],
            "p50": after["p50"], "p99": after["p99"],
            "nodes": (after["nodes"] - before["nodes"]) / length,
            "windows": (after["windows"] - before["windows"]) / length}


def with_windows(cluster):
    pages = ["patch"] if options.patch else ["perform", "monitor"]
    windows = [cluster.start("mix", programs + "/submix-controller", *cluster.access, "--size", "1440", "900",
                             "--page", page, DISPLAY=DISPLAY) for page in pages]
    time.sleep(SETTLE_SECONDS)
    figures = measured(cluster, windows)
    for window in windows:
        window.terminate()
        window.wait()
    return figures


def main():
    with Cluster(programs, 1) as cluster:
        cluster.start("mix", "Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-noreset", "-nolisten", "tcp")
        add_show(cluster)
        rounds = []
        for _ in range(options.rounds):
            rounds.append((measured(cluster, []), with_windows(cluster)))
            time.sleep(SETTLE_SECONDS)
    print(f"{'':24}  {'without':>9}  {'with':>9}")
    for name, words in FIGURES.items():
        without, shown = (statistics.median(each[i][name] for each in rounds) for i in (0, 1))
        print(f"{words:24}  {without:9.2f}  {shown:9.2f}")
    is_late = any(shown["late"] > 0 for _, shown in rounds)
    is_slower = any(shown["fps"] < 0.99 * without["fps"] for without, shown in rounds)
    return 1 if is_late or is_slower else 0


sys.exit(main())
