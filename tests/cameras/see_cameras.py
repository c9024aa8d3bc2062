#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a show with cameras inside the virtual machine of check_cameras.py, and says "passed" at its end.

The camera is of the kernel's driver vivid, the loopback devices of v4l2loopback. The show writes a card of coloured bars
to one loopback device and looks at it by `capture`.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checking  # noqa: E402
from checking import Failure, end, step, wait_for  # noqa: E402

checking.PATIENCE_SECONDS = 120  # an emulated processor is slow

sys.stdout.reconfigure(line_buffering=True)
PROGRAMS = pathlib.Path(sys.argv[1])
FOLDER = pathlib.Path("/run/show")
STATUS = FOLDER / "status.json"
WIDTH, HEIGHT = 320, 180
BARS = ((255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0),
        (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0), (200, 100, 50), (18, 52, 86))
VIVID_BARS = [(True, True, True), (True, True, False), (False, True, True), (False, True, False),
              (True, False, True), (True, False, False), (False, False, True), (False, False, False)]
BAR_WIDTH = WIDTH // len(BARS)
COMMAND_SECONDS = 120
OFF_MAX = 5  # of 255: libswscale computes RGB from 4:2:2 by short tables
VIVID = pathlib.Path("/sys/bus/platform/drivers/vivid")
GET_FORMAT = 0xC0D05604  # VIDIOC_G_FMT
OF_CAPTURE = 1  # V4L2_BUF_TYPE_VIDEO_CAPTURE

SHOW = f"""[show]
name = "cameras"
size = [{WIDTH}, {HEIGHT}]
rate = 5
[[node]]
name = "pc"
""" + "".join(f"""[[submix]]
name = "{name}"
node = "pc"
slot = [
  {slots}
  {{ name = "end", plugin = "null" }},
]
""" for name, slots in (
    ("mix", """{ name = "card", plugin = "still", parameters = { file = "card.png" } },
  { name = "camera", plugin = "camera-out", parameters = { device = "Submix" } },"""),
    ("webcam", '{ name = "camera", plugin = "capture", parameters = { device = "vivid", fit = "stretch" } },'),
    ("mirror", '{ name = "camera", plugin = "capture", parameters = { device = "Submix", fit = "stretch" } },'),
    ("second", """{ name = "pattern", plugin = "pattern" },
  { name = "camera", plugin = "camera-out", parameters = { device = "Other" } },"""),
))


def run(*words, given=b""):
    done = subprocess.run(words, input=given, capture_output=True, timeout=COMMAND_SECONDS, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: {(done.stderr or done.stdout).decode()}")
    return done.stdout


def submix(*words):
    return run(PROGRAMS / "submix", *words)


def status():
    """The next one of those that `submix watch` writes each second."""
    begin = STATUS.stat().st_size
    wait_for("status", lambda: STATUS.read_text(encoding="utf-8").count("\n", begin) >= 2)
    return json.loads(STATUS.read_text(encoding="utf-8")[begin:].splitlines()[1])


def slot_of(name):
    """The slot `camera` of a submix."""
    for one in status()["submixes"]:
        for slot in one["slots"]:
            if (one["name"], slot["slot"]) == (name, "camera"):
                return slot
    raise Failure(f"{name}.camera does not run")


def expect_frames(name, count=10):
    begin = slot_of(name)["frames"]
    wait_for(f"{count} more frames of {name}", lambda: slot_of(name)["frames"] >= begin + count)


def expect_trouble(name, words):
    wait_for(f'"{words}" about {name}.camera', lambda: words in slot_of(name)["trouble"])


def expect_no_trouble(name):
    wait_for(f"good state of {name}.camera", lambda: not slot_of(name)["trouble"])


def device_of(label):
    for folder in sorted(pathlib.Path("/sys/class/video4linux").iterdir()):
        if label in (folder / "name").read_text(encoding="utf-8"):
            return f"/dev/{folder.name}"
    raise Failure(f"no camera {label}")


def read_camera(device):
    """Its size, the name of its format, and a picture."""
    camera = os.open(device, os.O_RDWR)
    try:
        got = bytearray(208)
        struct.pack_into("I", got, 0, OF_CAPTURE)
        fcntl.ioctl(camera, GET_FORMAT, got)
        width, height, kind, _, _, size = struct.unpack_from("II4sIII", got, 8)
        return (width, height), kind.decode(), os.read(camera, size)
    except OSError as error:
        raise Failure(f"{device} gives no picture: {error}") from error
    finally:
        os.close(camera)


def as_yuv(red, green, blue):
    """BT.601 from 16 to 235, as the standard has it."""
    y = 0.299 * red + 0.587 * green + 0.114 * blue
    return (16 + 219 * y / 255, 128 + 224 * (blue - y) / 1.772 / 255, 128 + 224 * (red - y) / 1.402 / 255)


def check_card(device):
    size, kind, picture = read_camera(device)
    if (size, kind, len(picture)) != ((WIDTH, HEIGHT), "YUYV", WIDTH * HEIGHT * 2):
        raise Failure(f"the camera has {size} {kind} in {len(picture)} bytes")
    for row in (0, HEIGHT // 2, HEIGHT - 1):
        for number, color in enumerate(BARS):
            at = (row * WIDTH + number * BAR_WIDTH + BAR_WIDTH // 2) * 2
            y, u, _, v = picture[at:at + 4]
            if any(abs(found - wanted) > 1 for found, wanted in zip((y, u, v), as_yuv(*color))):
                raise Failure(f"bar {number} of row {row} is {(y, u, v)} instead of {as_yuv(*color)}")
    return True


def colors_of(name, count):
    """Of the middles of `count` bars near the lower edge of a submix' picture; vivid writes texts above."""
    submix("snapshot", name, "--output", "seen.png")
    raw = run("ffmpeg", "-v", "error", "-i", "seen.png", "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    row = (HEIGHT - 5) * WIDTH
    middles = [int((number + 0.5) * WIDTH / count) for number in range(count)]
    return [tuple(raw[(row + x) * 3:(row + x) * 3 + 3]) for x in middles]


def check_colors(name, wanted, tolerance):
    found = colors_of(name, len(wanted))
    for one, other in zip(found, wanted):
        if any(abs(a - b) > tolerance for a, b in zip(one, other)):
            raise Failure(f"{name} shows {found} instead of {wanted}")
    return True


def check_vivid():
    """Its bars are mixed from red, green and blue of three quarters."""
    mixed = [tuple(part > 96 for part in color) for color in colors_of("webcam", len(VIVID_BARS))]
    if mixed != VIVID_BARS:
        raise Failure(f"webcam shows {mixed} instead of {VIVID_BARS}")
    return True


def start(ending, log, *words):
    with open(FOLDER / log, "wb") as output:
        ending.callback(end, subprocess.Popen(words, stdout=output, stderr=output, stdin=subprocess.DEVNULL))


def start_show(ending):
    FOLDER.mkdir()
    os.chdir(FOLDER)
    card = b"".join(bytes(color) * BAR_WIDTH for color in BARS) * HEIGHT
    run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-i", "-",
        "card.png", given=card)
    (FOLDER / "show.toml").write_text(SHOW, encoding="utf-8")
    start(ending, "nats.log", "nats-server", "-js", "-a", "127.0.0.1", "-sd", FOLDER / "nats")
    start(ending, "node.log", PROGRAMS / "submix-node", "--name", "pc", "--media", FOLDER, "--recordings", FOLDER)
    wait_for("applied show", lambda: submix("apply", FOLDER / "show.toml"))
    start(ending, STATUS.name, PROGRAMS / "submix", "--json", "watch")


def check_readers(device):
    """A reader that is stopped for a while, then killed."""
    reader = subprocess.Popen(("ffmpeg", "-v", "error", "-f", "v4l2", "-i", device, "-f", "null", "-"),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        expect_frames("mix")
        if reader.poll() is not None:
            raise Failure(f"FFmpeg does not read {device}")
        reader.send_signal(signal.SIGSTOP)
        begin = slot_of("mix")["counters"]["written"]
        expect_frames("mix")
        wait_for("written pictures", lambda: slot_of("mix")["counters"]["written"] >= begin + 10)
        check_card(device)
    finally:
        reader.kill()
        reader.wait()
    expect_frames("mix")
    expect_no_trouble("mix")
    check_card(device)


def main():
    print("the machine runs")
    with contextlib.ExitStack() as ending:
        with step("a show without the module"):
            run("modprobe", "vivid", "n_devs=1", "node_types=0x1")
            start_show(ending)
            expect_trouble("mix", "sudo modprobe v4l2loopback")
            expect_frames("mix")
        with step("the module is loaded, and the camera has the card"):
            run("modprobe", "v4l2loopback", "devices=2", "video_nr=10,11", "exclusive_caps=1,1",
                "card_label=Submix,Other")
            expect_no_trouble("mix")
            wait_for("card", lambda: check_card(device_of("Submix")))
        with step("capture shows the card"):
            wait_for("card", lambda: check_colors("mirror", BARS, OFF_MAX))
        with step("a reader that stops, and dies"):
            check_readers(device_of("Submix"))
        with step("a second writer is refused"):
            submix("set", "second.camera.device", "Submix")
            expect_trouble("second", "is written by another slot or program")
            check_card(device_of("Submix"))
            submix("set", "second.camera.device", "Other")
            expect_no_trouble("second")
        with step("a camera that goes and comes back"):
            wait_for("bars of vivid", check_vivid)
            (VIVID / "unbind").write_text("vivid.0", encoding="utf-8")
            expect_trouble("webcam", "vivid")
            expect_frames("webcam")
            (VIVID / "bind").write_text("vivid.0", encoding="utf-8")
            expect_no_trouble("webcam")
            wait_for("bars of vivid", check_vivid)


try:
    main()
    print("passed")
except (Failure, OSError, subprocess.SubprocessError) as failure:
    print(f"failed\n{failure}")
    log = FOLDER / "node.log"
    print("\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:]))
