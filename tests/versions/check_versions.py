#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a show whose PCs have different versions of Submix, as if only one of them had been updated.

Two PCs are two network namespaces with two cables of a gigabit each. Twice, with the versions changed over: a desk is
opened on one and joined by code from the other, frames stream between both, each side changes the show, and the
joined PC's node is replaced by the desk's version and back while the show runs. At the end no frame may be missing.
Run it as root. Prints each step; ends with 1 at the first that fails.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

for folder in ("support", "system"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / folder))
from checking import PATIENCE_SECONDS, Failure, end, step, wait_for  # noqa: E402
from measuring import Pcs  # noqa: E402

FRAMES = 90
LOSSES = ("skipped_latest", "skipped_detached", "lost_with_epoch", "lost_in_gap")
CARRIER_SECONDS = 2  # until the kernel calls new cables plugged in

SHOW = """[show]
name = "two versions"
size = [1280, 720]
rate = 30
[[node]]
name = "left"
[[node]]
name = "mix"
[[submix]]
name = "left"
node = "left"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "glow", plugin = "frei0r/contrast0r" },
  { name = "out", plugin = "stream-out" },
]
[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "in", plugin = "stream-in" },
  { name = "back", plugin = "pattern" },
  { name = "mix", plugin = "mix", inputs = ["back", "in"] },
  { name = "end", plugin = "null" },
]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
policy = "wait"
"""


class Pc:
    """Programs of one version on one PC, with a home of their own."""

    def __init__(self, name, host, programs, home, ending):
        self.name, self.host, self.programs, self.ending = name, host, programs, ending
        self.home = pathlib.Path(home, name)
        self.home.mkdir()
        self.environment = {word: value for word, value in os.environ.items() if not word.startswith("SUBMIX_")}
        self.environment |= {"HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home)}
        for word in ("CONFIG", "STATE", "DATA", "CACHE"):
            self.environment[f"XDG_{word}_HOME"] = str(self.home / word.lower())

    def start(self, *words):
        log = open(self.home / f"{pathlib.Path(words[0]).name}.log", "ab")
        child = subprocess.Popen(self.host + list(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                 env=self.environment)
        self.ending.callback(end, child)
        return child

    def start_node(self, programs):
        return self.start(f"{programs}/submix-node", "--name", self.name)

    def submix(self, *words, typed=""):
        done = subprocess.run(self.host + [f"{self.programs}/submix", *words], input=typed, capture_output=True,
                              text=True, env=self.environment, timeout=PATIENCE_SECONDS, check=False)
        if done.returncode != 0:
            raise Failure(f"{self.name}: submix {' '.join(words)}: {done.stderr or done.stdout}")
        return done.stdout

    def status(self):
        return json.loads(self.submix("--json", "status"))

    def frames(self):
        """Shown by the mix so far."""
        return next((slot["frames"] for one in self.status()["submixes"] if one["name"] == "mix"
                     for slot in one["slots"] if slot["slot"] == "end"), 0)


def expect_frames(pc):
    begin = wait_for("status of the mix", pc.status) and pc.frames()
    wait_for(f"{FRAMES} more frames of the mix", lambda: pc.frames() > begin + FRAMES)


def check_ledger(pc):
    """`submix ledger` itself fails if a sum is wrong."""
    for edge in json.loads(pc.submix("--json", "ledger"))["edges"]:
        if edge["kind"] == "stream" and any(edge[word] for word in LOSSES):
            raise Failure(f"frames are missing: {edge}")


def run(desk_programs, guest_programs):
    with contextlib.ExitStack() as ending:
        home = ending.enter_context(tempfile.TemporaryDirectory())
        pcs = Pcs(2)
        ending.callback(pcs.remove)
        time.sleep(CARRIER_SECONDS)
        desk = Pc("mix", pcs.hosts["mix"], desk_programs, home, ending)
        guest = Pc("left", pcs.hosts["left"], guest_programs, home, ending)
        with step("joining by code"):
            desk.start(f"{desk.programs}/submix", "desk")
            log = desk.home / "submix.log"
            code = wait_for("code", lambda: re.search(r"code: ([\d ]*\d)", log.read_text(encoding="utf-8")))[1]
            guest.submix("join", pcs.server, typed=code + "\n")
        with step("the first frames"):
            desk.start_node(desk.programs)
            node = guest.start_node(guest.programs)
            show = pathlib.Path(home, "show.toml")
            show.write_text(SHOW, encoding="utf-8")
            wait_for("show", lambda: guest.submix("apply", str(show)))
            expect_frames(desk)
        with step("changes by either side"):
            desk.submix("set", "left.glow.Contrast", "0.7")
            guest.submix("set", "mix.mix.crossfade", "0.4")
            for pc in (desk, guest):
                wait_for("followed show", lambda pc=pc: "0.7" in pc.submix("show", "save", "-"))
            expect_frames(desk)
        check_ledger(desk)
        for title, programs in (("the joined PC is updated", desk.programs), ("and taken back", guest.programs)):
            with step(title):
                end(node)
                node = guest.start_node(programs)
                expect_frames(desk)
        check_ledger(desk)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of this version's programs")
parser.add_argument("former", help="the folder of the former release's programs")
options = parser.parse_args()
for one, other in ((options.programs, options.former), (options.former, options.programs)):
    versions = [subprocess.run([f"{folder}/submix", "--version"], capture_output=True, text=True, check=True).stdout.strip()
                for folder in (one, other)]
    print(f"The desk has {versions[0]}, the joined PC {versions[1]}")
    try:
        run(one, other)
    except Failure as failure:
        print(f"failed\n{failure}")
        sys.exit(1)
print("Both versions work together.")
