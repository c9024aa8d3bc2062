#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A first performance in the real window, by a real mouse and real keys: what each step of it takes.

A new show on three nodes of this machine, which has two displays. A person sends the output to display 2, puts a clip on
screen, three effects on it and another layer above it, fades by the mouse and by a MIDI fader, records, blacks out, saves
and opens again. A step ends when the cluster has what the person wanted. The mix has to keep its rate meanwhile. --film
FILE keeps a film of display 1; --slowly takes the pace of somebody who looks around. Exit status 1: a step took more than
ten seconds, was not done, or the mix was slower than its rate. Needs Xorg with its driver dummy, xrandr, xdotool, import,
ffmpeg, librtmidi, build/release, and jackd where there is no ALSA sequencer.
"""
import argparse
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
from measuring import Cluster  # noqa: E402

LIMIT_SECONDS = 10
FPS_MIN = 29  # of 30; a step is short
SCREEN = (1440, 900)
PROJECTOR = (1280, 720)  # display 2, to the right of display 1
# Where things are in the window, of the page Perform.
DISPLAY_OF_OUTPUT = (430, 725)
SECOND_DISPLAY = (430, 796)
FULL_SCREEN = (626, 725)
NEW_LAYER = (636, 796)
THIRD_PICTURE = (600, 796)
THIRD_FADER = (460, 859)  # of four
NEW_EFFECT_FIRST_Y = 685
EFFECT_ROW = 29
NEW_LAYER_BESIDE_THREE = (836, 796)
SIDE_B = (1104, 774)
LEARN_MIDI = (THIRD_FADER[0] + 40, 884)
REC = (736, 29)
BLACK_OUT = (434, 29)

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("--film", metavar="FILE", help="writes a film of the window, e.g. first.webp")
parser.add_argument("--pictures", metavar="FOLDER", help="writes a picture of display 1 after each step")
parser.add_argument("--slowly", action="store_true", help="with pauses between the steps")
options = parser.parse_args()
programs = os.path.abspath(options.programs)


class Desk(contextlib.ExitStack):
    """Two displays, and a MIDI fader. The programs that are started afterwards find both."""

    SERVER = """
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "memory"
  Driver "dummy"
  VideoRam 65536
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-200
  Modeline "1440x900" 106.5 1440 1528 1672 1904 900 903 909 934
EndSection
Section "Screen"
  Identifier "screen"
  Device "memory"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1440x900" "1280x720"
    Virtual 2720 900
  EndSubSection
EndSection
"""

    def __init__(self):
        super().__init__()
        self.folder = self.enter_context(tempfile.TemporaryDirectory())
        os.environ["XDG_CONFIG_HOME"] = self.folder  # of the window: it learns MIDI
        os.environ["DISPLAY"] = self._start_displays()
        self.fader = Fader(self._start_midi())

    def start(self, *words, **more):
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
        self.callback(child.wait)
        self.callback(child.terminate)

    def _start_displays(self):
        settings = self.folder + "/xorg.conf"
        with open(settings, "w", encoding="utf-8") as file:
            file.write(self.SERVER)
        number, tell = os.pipe()
        self.start("Xorg", "-displayfd", str(tell), "-config", settings, "-logfile", self.folder + "/xorg.log", "-nolisten",
                   "tcp", "-novtswitch", "-sharevts", "-noreset", pass_fds=[tell])
        os.close(tell)
        with os.fdopen(number) as told:
            display = ":" + told.readline().strip()
        mode = "x".join(map(str, PROJECTOR))
        for words in (["--addmode", "DUMMY1", mode], ["--output", "DUMMY1", "--mode", mode, "--right-of", "DUMMY0"],
                      []):  # the last one lets the server look at its outputs again
            subprocess.run(["xrandr", "--display", display, *words], check=True, stdout=subprocess.DEVNULL)
        return display

    def _start_midi(self):
        """The system that the window uses, too."""
        if os.access("/dev/snd/seq", os.R_OK | os.W_OK):
            return Fader.ALSA
        os.environ["JACK_DEFAULT_SERVER"] = f"submix-{os.getpid()}"
        # Synchronous and patient: on a busy machine JACK else drops MIDI messages of the programs that were late.
        self.start("jackd", "--no-realtime", "--sync", "--timeout", "5000", "-n", os.environ["JACK_DEFAULT_SERVER"],
                   "-d", "dummy", "-p", "256")
        time.sleep(2)
        return Fader.JACK

    def is_projector_lit(self):
        shown = subprocess.run(["import", "-silent", "-window", "root", "-crop",
                                f"64x64+{SCREEN[0] + PROJECTOR[0] // 2}+{PROJECTOR[1] // 2}", "-format", "%[fx:maxima]",
                                "info:"], check=True, capture_output=True, text=True).stdout
        return float(shown) > 0.1


class Fader:
    """The port of a MIDI device with one fader."""

    ALSA, JACK = 2, 3  # in rtmidi_c.h

    def __init__(self, system):
        self.library = ctypes.CDLL("librtmidi.so.6")
        self.library.rtmidi_out_create.restype = ctypes.c_void_p
        self.port = ctypes.c_void_p(self.library.rtmidi_out_create(system, b"desk"))
        self.library.rtmidi_open_virtual_port(self.port, b"fader")

    def push_up(self):
        for value in (*range(0, 127, 3), 127):
            self.library.rtmidi_out_send_message(self.port, bytes([0xb0, 7, value]), 3)
            time.sleep(0.02)


class Film:
    """A film of display 1, with the name of each step below the window. A long performance runs faster."""

    FRAMES_A_SECOND = 4
    SECONDS_MAX = 60
    WIDTH = 800
    CAPTION_HEIGHT = 40
    FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

    def __init__(self, folder):
        self.whole = folder + "/film.mkv"
        self.folder = folder
        self.begins = []
        self.camera = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "x11grab", "-framerate", "15", "-video_size",
             "x".join(map(str, SCREEN)), "-i", os.environ["DISPLAY"], "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18",
             "-pix_fmt", "yuv420p", self.whole])
        self.begin = time.monotonic()

    def note(self, what):
        self.begins.append((time.monotonic() - self.begin, what))

    def write(self, file):
        """GitHub shows an animated WebP on a page, and no MP4."""
        end = time.monotonic() - self.begin
        self.camera.send_signal(signal.SIGINT)
        self.camera.wait()
        height = self.WIDTH * SCREEN[1] // SCREEN[0]
        speed = max(1, end / self.SECONDS_MAX)
        filters = [f"setpts=PTS/{speed:.4f}", f"fps={self.FRAMES_A_SECOND}", f"scale={self.WIDTH}:{height}:flags=lanczos",
                   f"pad={self.WIDTH}:{height + self.CAPTION_HEIGHT}"]
        for number, (begin, what) in enumerate(self.begins):
            words = f"{self.folder}/caption{number}"
            with open(words, "w", encoding="utf-8") as text:
                text.write(f"{number + 1}. {what}")
            until_next = self.begins[number + 1][0] if number + 1 < len(self.begins) else end
            filters.append(f"drawtext=fontfile={self.FONT}:textfile={words}:fontcolor=white:fontsize=20:x=16:"
                           f"y={height}+10:enable='between(t,{begin / speed:.2f},{until_next / speed:.2f})'")
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", self.whole, "-vf", ",".join(filters), "-c:v",
                        "libwebp_anim", "-quality", "35", "-compression_level", "4", "-loop", "0", os.path.abspath(file)],
                       check=True)


class Hands:
    """A mouse that travels, and keys that are typed one by one."""

    def __init__(self):
        self.acts = 0
        self.at = (SCREEN[0] // 2, SCREEN[1] // 2)

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], check=True)

    def travel(self, to):
        steps = 12
        for step in range(1, steps + 1):
            self.do("mousemove", *(round(a + (b - a) * step / steps) for a, b in zip(self.at, to)))
            time.sleep(0.02)
        self.at = to

    def click(self, at, button=1):
        self.acts += 1
        self.travel(at)
        self.do("click", button)
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


def output_to_projector(hands):
    hands.click(DISPLAY_OF_OUTPUT)
    hands.click(SECOND_DISPLAY)
    hands.click(FULL_SCREEN)


def fader_by_midi(hands, fader):
    hands.click(THIRD_FADER, 3)
    hands.click(LEARN_MIDI)
    time.sleep(1)  # to read what the window asks for
    hands.acts += 1
    fader.push_up()


def own_clip(hands):
    hands.click(NEW_LAYER)
    hands.type("mine")
    hands.press("Return")


def third_layer(hands):
    hands.click(NEW_LAYER_BESIDE_THREE)
    hands.type("title")
    hands.press("Return")


def save(hands, file):
    hands.press("ctrl+shift+s")
    hands.press("ctrl+a")
    hands.type(file)
    hands.press("Return")


def reopen(hands, file):
    hands.press("ctrl+o")
    hands.type(file)
    hands.press("Return")


def steps_of(show, hands, desk, folder):
    """(what, acts of the hands, whether it is done), in order."""
    kept = folder + "/first.toml"
    has = lambda *words: all(word in show.text() for word in words)
    return [
        ("output to display 2", lambda: output_to_projector(hands),
         lambda: has("fullscreen = true") and desk.is_projector_lit()),
        ("own clip on screen", lambda: own_clip(hands), lambda: show.is_running("layer-3")),
        ("three effects on it", lambda: effects(hands), lambda: has("frei0r/glow", "contrast0r", "vignette")),
        ("another layer above", lambda: third_layer(hands), lambda: show.is_running("layer-4")),
        ("a fader", lambda: hands.drag(THIRD_FADER, (THIRD_FADER[0] + 60, THIRD_FADER[1])),
         lambda: "level3 = 0.5\n" not in show.text()),
        ("a fader by MIDI", lambda: fader_by_midi(hands, desk.fader), lambda: has("level3 = 1\n")),
        ("crossfade to B", lambda: hands.click(SIDE_B), lambda: "crossfade = 1" in show.text()),
        ("record", lambda: hands.click(REC), lambda: has('plugin = "record"')),
        ("black-out", lambda: hands.click(BLACK_OUT), lambda: show.cluster.status()["transport"]["is_black"]),
        ("and back", lambda: hands.click(BLACK_OUT), lambda: not show.cluster.status()["transport"]["is_black"]),
        ("save", lambda: save(hands, kept), lambda: os.path.exists(kept)),
        ("open it again", lambda: reopen(hands, kept), lambda: show.is_running("layer-4")),
    ]


def keep_picture(what):
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
        subprocess.run(["import", "-silent", "-window", "root", "-crop", f"{SCREEN[0]}x{SCREEN[1]}+0+0",
                        f"{options.pictures}/{what.replace(' ', '-')}.png"], check=True)


def perform(cluster, desk, film):
    hands = Hands()
    show = Show(cluster)
    is_good = True
    for what, act, is_done in steps_of(show, hands, desk, cluster.folder):
        if film:
            film.note(what)
        if options.slowly:
            time.sleep(2)
        before = hands.acts
        frames = show.frames_of("mix")
        begin = time.monotonic()
        act()
        by_hand = time.monotonic() - begin
        done = until(is_done)
        seconds = time.monotonic() - begin
        fps = (show.frames_of("mix") - frames) / (time.monotonic() - begin)
        if options.slowly:
            time.sleep(2)
        keep_picture(what)
        is_good = is_good and done and seconds <= LIMIT_SECONDS and fps >= FPS_MIN
        print(f"{what:24} {hands.acts - before:3} acts  {by_hand:5.1f} s of hands  "
              f"{f'{seconds:5.1f} s until it is there' if done else 'NOT DONE'}  {fps:5.1f} frames a second",
              flush=True)
    return is_good


def make_clip(file):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "mandelbrot=size=1280x720:rate=30", "-t", "10",
                    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file], check=True)


def main():
    with Desk() as desk, Cluster(programs, 1) as cluster:
        make_clip(cluster.folder + "/mine.mp4")
        cluster.start("left", programs + "/submix-node", "--name", "right", "--media", cluster.folder,
                      *cluster.access)
        time.sleep(2)
        cluster.submix("show", "new", "first", "--node", "left", "--node", "right", "--node", "mix")
        time.sleep(2)  # the window comes last, and lies over the output
        cluster.start("mix", programs + "/submix-controller", *cluster.access, "--no-tour", "--size",
                      *map(str, SCREEN), "--page", "perform")
        time.sleep(4)
        film = Film(desk.folder) if options.film else None
        is_good = perform(cluster, desk, film)
        if film:
            film.write(options.film)
        return 0 if is_good else 1


sys.exit(main())
