#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A first performance in the real window, by a real mouse and real keys: what each step of it takes.

A new show on three nodes of this machine. A person puts a clip on screen, three effects on it and a third layer above
it, fades, records, blacks out, saves and opens again. A step ends when the cluster has what the person wanted. The
mix has to keep its rate meanwhile. --film FILE keeps a film of it; --slowly takes the pace of somebody who looks around.
Exit status 1: a step took more than ten seconds, was not done, or the mix was slower than its rate. Needs Xvfb, xdotool,
ffmpeg and build/release.
"""
import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
from measuring import Cluster  # noqa: E402

LIMIT_SECONDS = 10
FPS_MIN = 29  # of 30; a step is short
SCREEN = (1440, 900)
DISPLAY = ":81"
# Where things are in the window, of the page Perform.
NEW_LAYER = (436, 804)
FIRST_FILE = (600, 350)
THIRD_PICTURE = (437, 804)
THIRD_FADER = (430, 869)
NEW_EFFECT_FIRST_Y = 631
EFFECT_ROW = 29
NEW_LAYER_BESIDE_THREE = (622, 804)
LAST_SOURCE = (652, 884)
SIDE_B = (1104, 790)
REC = (736, 29)
BLACK_OUT = (434, 29)

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--film", metavar="FILE", help="writes a film of the window, e.g. first.mp4")
parser.add_argument("--slowly", action="store_true", help="with pauses between the steps")
options = parser.parse_args()
programs = os.path.abspath(options.programs)


class Hands:
    """A mouse that travels, and keys that are typed one by one."""

    def __init__(self):
        self.acts = 0
        self.at = (SCREEN[0] // 2, SCREEN[1] // 2)

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], check=True, env=dict(os.environ, DISPLAY=DISPLAY))

    def travel(self, to):
        steps = 12
        for step in range(1, steps + 1):
            self.do("mousemove", *(round(a + (b - a) * step / steps) for a, b in zip(self.at, to)))
            time.sleep(0.02)
        self.at = to

    def click(self, at):
        self.acts += 1
        self.travel(at)
        self.do("click", 1)
        time.sleep(0.3)

    def drag(self, begin, end):
        self.acts += 1
        self.travel(begin)
        self.do("mousedown", 1)
        self.travel(end)
        self.do("mouseup", 1)

    def type(self, words):
        self.acts += 1
        self.do("type", "--delay", 60, words)

    def press(self, keys):
        self.acts += 1
        self.do("key", keys)
        time.sleep(0.2)


class Show:
    """What the cluster has."""

    def __init__(self, cluster):
        self.cluster = cluster

    def text(self):
        file = self.cluster.folder + "/present.toml"
        self.cluster.submix("show", "save", file, "--force")
        with open(file, encoding="utf-8") as text:
            return text.read()

    def is_running(self, submix):
        return any(each["name"] == submix and each["state"] == "running" and each["fps"] > 20
                   for each in self.cluster.status()["submixes"])

    def frames_of(self, submix):
        return next(each["frames"] for each in self.cluster.status()["submixes"] if each["name"] == submix)


def until(holds):
    end = time.monotonic() + 3 * LIMIT_SECONDS
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.1)
    return False


def effects(hands):
    hands.click(THIRD_PICTURE)
    for number, word in enumerate(("glow", "contrast", "vignette")):
        hands.click((1284, NEW_EFFECT_FIRST_Y + number * EFFECT_ROW))
        hands.type(word)
        hands.press("Return")
        time.sleep(1)


def own_clip(hands):
    hands.click(NEW_LAYER)
    hands.click(FIRST_FILE)


def third_layer(hands):
    hands.click(NEW_LAYER_BESIDE_THREE)
    hands.click(LAST_SOURCE)


def save(hands, file):
    hands.press("ctrl+shift+s")
    hands.press("ctrl+a")
    hands.type(file)
    hands.press("Return")


def reopen(hands, file):
    hands.press("ctrl+o")
    hands.type(file)
    hands.press("Return")


def steps_of(show, hands, folder):
    """(what, acts of the hands, whether it is done), in order."""
    kept = folder + "/first.toml"
    has = lambda *words: all(word in show.text() for word in words)
    return [
        ("own clip on screen", lambda: own_clip(hands), lambda: show.is_running("layer-3")),
        ("three effects on it", lambda: effects(hands), lambda: has("frei0r/glow", "contrast0r", "vignette")),
        ("another layer above", lambda: third_layer(hands), lambda: show.is_running("layer-4")),
        ("a fader", lambda: hands.drag(THIRD_FADER, (THIRD_FADER[0] + 60, THIRD_FADER[1])),
         lambda: "level3 = 0.5\n" not in show.text()),
        ("crossfade to B", lambda: hands.click(SIDE_B), lambda: "crossfade = 1" in show.text()),
        ("record", lambda: hands.click(REC), lambda: has('plugin = "record"')),
        ("black-out", lambda: hands.click(BLACK_OUT), lambda: show.cluster.status()["transport"]["is_black"]),
        ("and back", lambda: hands.click(BLACK_OUT), lambda: not show.cluster.status()["transport"]["is_black"]),
        ("save", lambda: save(hands, kept), lambda: os.path.exists(kept)),
        ("open it again", lambda: reopen(hands, kept), lambda: show.is_running("layer-4")),
    ]


def perform(cluster):
    hands = Hands()
    show = Show(cluster)
    is_good = True
    for what, act, is_done in steps_of(show, hands, cluster.folder):
        if options.slowly:
            time.sleep(3)
        before = hands.acts
        frames = show.frames_of("mix")
        begin = time.monotonic()
        act()
        by_hand = time.monotonic() - begin
        done = until(is_done)
        seconds = time.monotonic() - begin
        fps = (show.frames_of("mix") - frames) / (time.monotonic() - begin)
        is_good = is_good and done and seconds <= LIMIT_SECONDS and fps >= FPS_MIN
        print(f"{what:24} {hands.acts - before:3} acts  {by_hand:5.1f} s of hands  "
              f"{f'{seconds:5.1f} s until it is there' if done else 'NOT DONE'}  {fps:5.1f} frames a second",
              flush=True)
    return is_good


def main():
    with Cluster(programs, 1) as cluster:
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "mandelbrot=size=1280x720:rate=30", "-t", "10",
                        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", cluster.folder + "/mine.mp4"],
                       check=True)
        cluster.start("left", programs + "/submix-node", "--name", "right", "--media", cluster.folder,
                      *cluster.access)
        cluster.start("mix", "Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-noreset", "-nolisten", "tcp")
        time.sleep(2)
        cluster.submix("show", "new", "first", "--node", "left", "--node", "right", "--node", "mix", "--no-window")
        cluster.start("mix", programs + "/submix-controller", *cluster.access, "--no-tour", "--size",
                      *map(str, SCREEN), "--page", "perform", DISPLAY=DISPLAY)
        time.sleep(4)
        if options.film:
            cluster.start("mix", "ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-framerate", "15", "-video_size",
                          "1440x900", "-i", DISPLAY, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "26", "-pix_fmt",
                          "yuv420p", os.path.abspath(options.film))
        return 0 if perform(cluster) else 1


sys.exit(main())
