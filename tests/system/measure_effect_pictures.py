#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pictures of effects cost a show: the choice of an effect is open, or not.

Two nodes run four layers of 1280x720 at 30 fps, and a window shows the page Perform. The open choice is scrolled all the
time, so that a node tries one effect after the other. Both states are measured in turn, and the medians of the rounds
printed. Exit status 1: by the medians more frames were late while the choice was open, or the rate fell by more than 1 %.
Needs Xvfb and xdotool.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

from measuring import Cluster

SETTLE_SECONDS = 4
DISPLAY = ":78"
LAYERS = 4
FIRST_LAYER = (64, 804)  # where things are in a window of 1440x900
NEW_EFFECT = (1284, 357)
LIST = (1000, 700)
FIGURES = {"fps": "frames a second", "late": "late or missed frames", "p50": "delay p50, ms", "p99": "delay p99, ms",
           "nodes": "cores of the nodes", "hosts": "cores of what they started"}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--seconds", type=int, default=10, help="of each measurement (%(default)s)")
parser.add_argument("--picture", help="a PNG of the open choice")
options = parser.parse_args()
programs = os.path.abspath(options.programs)


def act(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, env=dict(os.environ, DISPLAY=DISPLAY))


def click(at, button=1):
    act("mousemove", *at, "sleep", 0.1, "click", button)


def seconds_of(processes, first):
    """Of the processor so far: field `first` of each stat, and the next one."""
    ticks = 0
    for process in processes:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
            ticks += sum(int(word) for word in stat.read().rsplit(")", 1)[1].split()[first:first + 2])
    return ticks / os.sysconf("SC_CLK_TCK")


def look(cluster):
    mix = next(submix for submix in cluster.status()["submixes"] if submix["name"] == "mix")
    nodes = cluster.nodes.values()
    return {"time": time.monotonic(), "frames": mix["frames"], "late": mix["late_frames"] + mix["missed_frames"],
            "p50": mix["delay_ms_p50"], "p99": mix["delay_ms_p99"], "nodes": seconds_of(nodes, 11),
            "hosts": seconds_of(nodes, 13)}


def measured(cluster, while_waiting):
    before = look(cluster)
    end = before["time"] + options.seconds
    while time.monotonic() < end:
        while_waiting()
        time.sleep(0.5)
    after = look(cluster)
    length = after["time"] - before["time"]
    rates = {name: (after[name] - before[name]) / length for name in ("nodes", "hosts")}
    return rates | {"fps": (after["frames"] - before["frames"]) / length, "late": after["late"] - before["late"],
                    "p50": after["p50"], "p99": after["p99"]}


def with_choice(cluster):
    click(FIRST_LAYER)
    time.sleep(1)
    click(NEW_EFFECT)
    time.sleep(1)
    figures = measured(cluster, lambda: click(LIST, 5))
    if options.picture:
        subprocess.run(["import", "-display", DISPLAY, "-window", "root", options.picture], check=True)
    act("key", "Escape")
    return figures


def main():
    with Cluster(programs, 1) as cluster:
        cluster.start("mix", "Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-noreset", "-nolisten", "tcp")
        cluster.submix("show", "new", "effects", "--node", "left", "--node", "mix", "--size", "1280x720", "--no-window")
        for number in range(2, LAYERS + 1):
            cluster.submix("layer", "add", f"layer-{number}", "--node", "left", "--level", "0.3")
        cluster.start("mix", programs + "/submix-controller", *cluster.access, "--size", "1440", "900", "--page", "perform",
                      DISPLAY=DISPLAY)
        time.sleep(2 * SETTLE_SECONDS)
        rounds = []
        for _ in range(options.rounds):
            rounds.append((measured(cluster, lambda: None), with_choice(cluster)))
            time.sleep(SETTLE_SECONDS)
    closed, opened = ({name: statistics.median(each[i][name] for each in rounds) for name in FIGURES} for i in (0, 1))
    print(f"{'':26}  {'closed':>9}  {'open':>9}")
    for name, words in FIGURES.items():
        print(f"{words:26}  {closed[name]:9.2f}  {opened[name]:9.2f}")
    return 1 if opened["late"] > closed["late"] or opened["fps"] < 0.99 * closed["fps"] else 0


sys.exit(main())
