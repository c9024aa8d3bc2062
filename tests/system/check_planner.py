#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twenty changes of a show on two nodes: what `submix plan` predicts beside what is measured afterwards.

Slots, streams and the computer's cores are compared, but for slots whose plan is a guess by its own word. Each figure
is the median of three looks. A change with a figure that is further off than the limit is made four times more, and the
median of its errors counts. Two kinds of error are told apart from the planner's:
- unsteady: the same patch, started five times, showed values that are further apart than the limit, and the plan is
  within the limit of one of them. No plan can be near all of them.
- a wake-up: the plan is off by less than a thread's wake-up costs, which a slot has once more or once less a frame,
  as the scheduler likes.
Exit status 1: another figure is beyond the limit. Run it on a machine that does nothing else.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from measuring import Cluster

START_SECONDS = 20  # until new nodes have tried all their plugins, which is work beside the show
SETTLE_SECONDS = 5  # until a new patch has taken over and a second of it was measured
WAKE_UP_MS = 0.3    # what a thread's wake-up may cost; slots below are not compared
LOOKS = 3
TRIES = 5           # of a change with a figure beyond the limit

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--limit", type=float, default=0.2, help="of an error, as a part of what is found (%(default)s)")
parser.add_argument("--json", action="store_true", help="prints the figures as JSON in place of the table")
options = parser.parse_args()

# Each is what the show has from then on: size, rate, helpers of "glow", slots more, node of "left".
CHANGES = [
    {"size": (640, 360)}, {"size": (960, 544)}, {"rate": 15}, {"rate": 30}, {"size": (1280, 720)},
    {"helpers": 2}, {"helpers": 1}, {"more": ["frei0r/invert0r"]},
    {"more": ["frei0r/invert0r", "frei0r/contrast0r"]}, {"size": (640, 360)}, {"left": "mix"}, {"left": "left"},
    {"rate": 25}, {"size": (1280, 720)}, {"more": []}, {"rate": 20}, {"size": (800, 600)}, {"rate": 30},
    {"size": (1024, 576)}, {"left": "mix"},
]


def toml(now):
    more = "".join(f'  {{ name = "more{i}", plugin = "{plugin}" }},\n' for i, plugin in enumerate(now["more"]))
    return f"""[show]
name = "planned"
size = [{now["size"][0]}, {now["size"][1]}]
rate = {now["rate"]}
[[node]]
name = "left"
[[node]]
name = "mix"
[[submix]]
name = "left"
node = "{now["left"]}"
slot = [
  {{ name = "clip", plugin = "clip", parameters = {{ file = "clip.mp4", loop = true }} }},
  {{ name = "glow", plugin = "frei0r/glow", helpers = {now["helpers"]} }},
{more}  {{ name = "out", plugin = "stream-out" }},
]
[[submix]]
name = "mix"
node = "mix"
slot = [
  {{ name = "in", plugin = "stream-in" }},
  {{ name = "contrast", plugin = "frei0r/contrast0r" }},
  {{ name = "end", plugin = "null" }},
]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
local = "off"
"""


def medians(look):
    """Of each figure that every look has."""
    looks = [look() for _ in range(LOOKS)]
    return {name: statistics.median(figures[name] for figures in looks)
            for name in looks[0] if all(name in figures for figures in looks)}


def measured():
    """Milliseconds a frame for each slot, MB/s for each stream, and the cores that the nodes keep busy."""
    view = cluster.status()
    figures = {}
    for each in view["submixes"]:
        for slot in each["slots"]:
            if slot["fps"] >= 1:
                figures["slot " + each["name"] + "." + slot["slot"]] = \
                    (slot["working"] * slot["helpers"] - slot["run_delay"]) / slot["fps"] * 1e3
    for stream in view["streams"]:
        figures["stream " + stream["name"]] = stream["mb_per_second"]
    figures["cores"] = sum(node["cpu_cores"] for node in view["nodes"])
    return figures


def predicted(file):
    plan = json.loads(cluster.submix("--json", "plan", file))
    figures = {"slot " + slot["name"]: slot["ms"] for slot in plan["slots"] if slot["ms"] is not None and not slot["is_guess"]}
    for stream in plan["streams"]:
        figures["stream " + stream["name"]] = stream["needs_mb_per_second"]
    figures["cores"] = sum(machine["load"] for machine in plan["machines"])
    return figures


def compare(before, after):
    """{figure: (planned, found, error)}"""
    errors = {}
    for name, planned in before.items():
        found = after.get(name)
        if found is None or (name.startswith("slot") and max(found, planned) < WAKE_UP_MS):
            continue
        errors[name] = (planned, found, (planned - found) / found if found > 0 else float("inf"))
    return errors


def apply(file):
    cluster.submix("apply", file, "--force")
    time.sleep(SETTLE_SECONDS)


def middle(tries, name):
    """(planned, found, error, least found, most found) of the try with the median error."""
    of_figure = sorted((each[name] for each in tries if name in each), key=lambda figure: figure[2])
    founds = [found for _, found, _ in of_figure]
    return of_figure[len(of_figure) // 2] + (min(founds), max(founds))


def make(before, after):
    """Makes one change, again where a figure is beyond the limit. {figure: what middle() returns}"""
    tries = []
    while len(tries) < TRIES:
        if tries:
            apply(before)
        plan = medians(lambda: predicted(after))
        apply(after)
        tries.append(compare(plan, medians(measured)))
        if all(abs(error) <= options.limit for _, _, error in tries[0].values()):
            break
    return {name: middle(tries, name) for name in tries[0]}


def make_clip(file):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "gradients=size=1280x720:rate=30:speed=0.03",
                    "-t", "60", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file], check=True)


def write(file, now):
    with open(file, "w", encoding="utf-8") as text:
        text.write(toml(now))


def is_missed(row):
    return abs(row["error"]) > options.limit


def excuse(row):
    """Why an error beyond the limit is not the planner's; empty: it is."""
    is_near_one = row["least"] * (1 - options.limit) <= row["planned"] <= row["most"] * (1 + options.limit)
    if row["most"] > row["least"] * (1 + options.limit) and is_near_one:
        return f"unsteady, {row['least']:.2f} to {row['most']:.2f}"
    if row["figure"].startswith("slot") and abs(row["planned"] - row["found"]) < WAKE_UP_MS:
        return "a wake-up"
    return ""


def print_rows(rows):
    for row in rows:
        print(f"{row['number']:2}  {row['change']:45.45}  {row['figure']:18}  {row['planned']:8.2f}  "
              f"{row['found']:8.2f}  {row['error']:+7.0%}" +
              (f"  {excuse(row) or 'the planner'}" if is_missed(row) else ""), flush=True)


def run(folder):
    make_clip(folder + "/clip.mp4")
    now = {"size": (1280, 720), "rate": 30, "helpers": 1, "more": [], "left": "left"}
    files = [folder + "/before.toml", folder + "/after.toml"]
    write(files[1], now)
    apply(files[1])
    time.sleep(START_SECONDS)
    rows = []
    if not options.json:
        print(f" #  {'change':45}  {'what':18}  {'planned':>8}  {'found':>8}    error")
    for number, change in enumerate(CHANGES, 1):
        os.replace(files[1], files[0])
        now.update(change)
        write(files[1], now)
        words = ", ".join(f"{key} {value}" for key, value in change.items())
        new = [{"number": number, "change": words, "figure": name, "planned": planned, "found": found, "error": error,
                "least": least, "most": most}
               for name, (planned, found, error, least, most) in make(*files).items()]
        rows += new
        if not options.json:
            print_rows(new)
    return rows


def judge(rows):
    """The exit status."""
    worst = max(rows, key=lambda row: abs(row["error"]))
    within = sum(not is_missed(row) for row in rows)
    excused = sum(is_missed(row) and excuse(row) != "" for row in rows)
    middle_error = statistics.median(abs(row["error"]) for row in rows)
    if options.json:
        print(json.dumps({"limit": options.limit, "median_error": middle_error, "excused": excused, "figures": rows}, indent=1))
    else:
        print(f"median error {middle_error:.0%}, worst {worst['error']:+.0%} ({worst['figure']}, change "
              f"{worst['number']}), {within} of {len(rows)} figures within {options.limit:.0%}, {excused} others unsteady or off by a wake-up")
    return 0 if within + excused == len(rows) else 1


with Cluster(os.path.abspath(options.programs), 1) as cluster:
    status = judge(run(cluster.folder))
sys.exit(status)
