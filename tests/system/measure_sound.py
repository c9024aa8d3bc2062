#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long after a drum the picture flashes.

A private PulseAudio plays drums on an output that nobody hears. A node listens to it, and a picture is white at each
onset. A pixel of the output window, on a private X server, is looked at a thousand times a second. Each time is counted
from when another program that records the same output has the drum. The rows: the node that shows the picture listens, or
the other one, which tells it by NATS. Needs pulseaudio, pulseaudio-utils and Xvfb.
"""
import argparse
import array
import contextlib
import ctypes
import json
import math
import os
import random
import statistics
import subprocess
import tempfile
import threading
import time

from measuring import Cluster, run, start_display

RATE_HZ = 48000
DRUMS = 40
DARK, BRIGHT = 60, 120  # of 255
LOUD = 0.1

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--rates", type=int, nargs="+", default=[30, 60], help="of the show (%(default)s)")
parser.add_argument("--json", action="store_true", help="prints the figures as JSON in place of the table")
options = parser.parse_args()


def toml(rate, listener):
    return f"""[show]
name = "sound"
size = [320, 240]
rate = {rate}
sound = {{ node = "{listener}", device = "stage.monitor" }}
[[node]]
name = "left"
[[node]]
name = "mix"
[[submix]]
name = "mix"
node = "mix"
slot = [
  {{ name = "light", plugin = "still", parameters = {{ file = "white.png" }} }},
  {{ name = "flash", plugin = "mix", inputs = ["light", "light"], oscillators = {{ master = {{ waveform = "sound-onset" }} }} }},
  {{ name = "screen", plugin = "window", parameters = {{ fullscreen = true }} }},
]
"""


def drum():
    samples = (0.8 * math.exp(-i / 2400) * math.sin(2 * math.pi * 60 * i / RATE_HZ) for i in range(RATE_HZ // 5))
    return array.array("h", (int(32000 * sample) for sample in samples)).tobytes()


class Screen:
    """The brightness of a pixel of an X display."""

    def __init__(self, display):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.x11.XOpenDisplay.restype = self.x11.XGetImage.restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [
            ctypes.c_ulong, ctypes.c_int]
        self.x11.XGetPixel.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        self.x11.XGetPixel.restype = ctypes.c_ulong
        self.x11.XDestroyImage.argtypes = [ctypes.c_void_p]
        self.display = self.x11.XOpenDisplay(display.encode())
        self.root = self.x11.XDefaultRootWindow(self.display)

    def brightness(self):
        image = self.x11.XGetImage(self.display, self.root, 160, 120, 1, 1, 0xFFFFFFFF, 2)
        pixel = self.x11.XGetPixel(image, 0, 0)
        self.x11.XDestroyImage(image)
        return pixel & 0xFF


def note_flashes(screen, times, stop):
    is_dark = False
    while not stop.is_set():
        brightness = screen.brightness()
        if is_dark and brightness > BRIGHT:
            times.append(time.monotonic())
            is_dark = False
        is_dark = is_dark or brightness < DARK
        time.sleep(0.001)


def note_drums(recorder, times, stop):
    quiet = 0
    while not stop.is_set():
        samples = array.array("h", recorder.stdout.read(96))  # a millisecond
        if max(map(abs, samples)) > 32000 * LOUD:
            if quiet > 300:
                times.append(time.monotonic())
            quiet = 0
        quiet += 1


def play(player):
    silence = bytes(2 * RATE_HZ // 100)
    for _ in range(DRUMS):
        player.stdin.write(drum() + silence * random.randint(40, 60))
        player.stdin.flush()
    player.stdin.write(silence * 100)


def measure(rate, listener, display):
    """Milliseconds from each drum to its flash."""
    with Cluster(os.path.abspath(options.programs), 1) as cluster:
        run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=white:size=320x240", "-frames:v", "1",
             cluster.folder + "/white.png"])
        cluster.apply(toml(rate, listener))
        pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        recorder = subprocess.Popen(["pacat", "--record", "--raw", "--device=stage.monitor", "--rate=48000", "--channels=1",
                                     "--format=s16le", "--latency-msec=1"], **pipe)
        player = subprocess.Popen(["pacat", "--playback", "--raw", "--device=stage", "--rate=48000", "--channels=1",
                                   "--format=s16le", "--latency-msec=20"], stdin=subprocess.PIPE)
        time.sleep(5)
        drums, flashes, stop = [], [], threading.Event()
        threads = [threading.Thread(target=note_flashes, args=(Screen(display), flashes, stop)),
                   threading.Thread(target=note_drums, args=(recorder, drums, stop))]
        for thread in threads:
            thread.start()
        play(player)
        player.stdin.close()
        player.wait()
        time.sleep(1)
        stop.set()
        for thread in threads:
            thread.join()
        recorder.terminate()
        recorder.wait()
    after = [[flash - drum for flash in flashes if 0 < flash - drum < 0.4] for drum in drums]
    return {"rate": rate, "listener": listener, "drums": len(drums), "flashes": len(flashes),
            "delays_ms": sorted(1e3 * each[0] for each in after if each)}


def server(folder):
    socket = folder + "/socket"
    os.environ.update(PULSE_SERVER="unix:" + socket, HOME=folder, XDG_RUNTIME_DIR=folder)
    return ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "-L",
            f"module-native-protocol-unix auth-anonymous=1 socket={socket}", "-L", "module-null-sink sink_name=stage"]


def main():
    with contextlib.ExitStack() as stack:
        start_display(stack, "320x240")
        daemon = subprocess.Popen(server(stack.enter_context(tempfile.TemporaryDirectory())), stderr=subprocess.DEVNULL)
        stack.callback(daemon.wait)
        stack.callback(daemon.terminate)
        time.sleep(2)
        rows = [measure(rate, listener, os.environ["DISPLAY"]) for rate in options.rates for listener in ("mix", "left")]
    if options.json:
        return print(json.dumps(rows, indent=1))
    print("fps  listens     drums  flashes  p50      p90      worst    in frames (p50)")
    for row in rows:
        delays = row["delays_ms"]
        middle = statistics.median(delays)
        who = "the same" if row["listener"] == "mix" else "another"
        print(f"{row['rate']:3}  {who:10}  {row['drums']:5}  {row['flashes']:7}  {middle:5.1f}    "
              f"{delays[int(len(delays) * 0.9)]:5.1f}    {delays[-1]:5.1f}    {middle * row['rate'] / 1e3:.2f}")
    return None


main()
