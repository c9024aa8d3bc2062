#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes one show of three bare PCs by what people type: the packages, a code for each PC, and no address.

Each PC is a bare Debian with namespaces of its own and a cable to a switch; it sees nothing of this machine but its
kernel and, for apt, its network. The time counts from the first command to the first picture that has both performers
in it. Run it as root, with the packages of `./setup.sh package`. Ends with 1 when a step fails or the time is over.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from checking import Failure, end, step, wait_for  # noqa: E402

SECONDS_MAX = 180
PREFIX = f"submix-{os.getpid()}-"
SWITCH = PREFIX + "switch"
NAMES = ("mix", "left", "right")
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"

# Process 1 of a PC.
BOOT = """
mount --make-rprivate /
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
hostname "$2"
mkdir -p run/dbus
exec chroot . sleep infinity
"""

SHOW = """[show]
name = "three bare PCs"
size = [1280, 720]
rate = 30
""" + "".join(f"""[[node]]
name = "{name}"
""" for name in NAMES) + "".join(f"""[[submix]]
name = "{name}"
node = "{name}"
slot = [
  {{ name = "pattern", plugin = "pattern" }},
  {{ name = "contrast", plugin = "frei0r/contrast0r" }},
  {{ name = "out", plugin = "stream-out" }},
]
[[stream]]
name = "{name}"
from = "{name}.out"
to = "mix.{name}"
policy = "wait"
""" for name in NAMES[1:]) + """[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "left", plugin = "stream-in" },
  { name = "right", plugin = "stream-in" },
  { name = "mix", plugin = "mix", inputs = ["left", "right"], parameters = { crossfade = 0.5 } },
  { name = "end", plugin = "null" },
]
"""


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words[-4:])}: {done.stderr or done.stdout}")
    return done.stdout


def remove_namespace(name):
    subprocess.run(["ip", "netns", "del", name], check=False)


class Pc:
    """A bare Debian that runs, at a port of the switch. All of it ends with `ending`."""

    def __init__(self, name, number, debian, work, ending):
        self.name, self.ending = name, ending
        self.root = pathlib.Path(work, name)
        changes = pathlib.Path(work, name + "-changes")
        inner = pathlib.Path(work, name + "-inner")
        for folder in (self.root, changes, inner):
            folder.mkdir()
        run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={debian},upperdir={changes},workdir={inner}", self.root)
        ending.callback(run, "umount", "--lazy", str(self.root))
        self._plug_in(number)
        boot = subprocess.Popen(["ip", "netns", "exec", PREFIX + name, "unshare", "--mount", "--pid", "--ipc", "--uts",
                                 "--fork", "--kill-child", "bash", "-euc", BOOT, "boot", str(self.root), name])
        ending.callback(end, boot)
        self.first = wait_for(f"process of {name}", lambda: subprocess.run(
            ["pgrep", "--parent", str(boot.pid)], capture_output=True, text=True, check=False).stdout.strip())
        wait_for(f"root of {name}", lambda: os.path.realpath(f"/proc/{self.first}/root") != "/")

    def _plug_in(self, number):
        space = PREFIX + self.name
        run("ip", "netns", "add", space)
        self.ending.callback(remove_namespace, space)
        run("ip", "link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", self.name, "netns", SWITCH)
        run("ip", "-n", SWITCH, "link", "set", self.name, "master", "bridge", "up")
        run("ip", "-n", space, "addr", "add", f"198.18.0.{number}/24", "dev", "eth0")
        for card in ("lo", "eth0"):
            run("ip", "-n", space, "link", "set", card, "up")

    def _inside(self, words, spaces=(), user=()):
        return ["nsenter", "--target", self.first, "--mount", "--pid", "--ipc", "--uts", *spaces, "--root", "--wdns=/",
                "env", "-i", f"PATH={PATH}", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "HOME=/root", *user, *words]

    def install(self):
        """By this machine's network."""
        begin = time.monotonic()
        run(*self._inside(["sh", "-ec", "apt-get update -q; apt-get install -y -q /packages/*.deb"]))
        return time.monotonic() - begin

    def start_services(self):
        """What an installed Debian runs by itself."""
        for words in (["dbus-daemon", "--system", "--fork"], ["avahi-daemon", "--daemonize"]):
            run(*self._inside(words, ["--net"]))

    def _of_anna(self, words):
        return self._inside(words, ["--net"], ["setpriv", "--reuid", "anna", "--regid", "anna", "--init-groups", "env",
                                               "HOME=/home/anna"])

    def types(self, *words, then=""):
        """What the command prints. `then`: typed when it asks."""
        return run(*self._of_anna(words), input=then)

    def leaves_running(self, *words):
        """The process, which reads what is typed, and the file with what it prints."""
        log = self.root / f"{words[0]}.log"
        with open(log, "wb") as output:
            child = subprocess.Popen(self._of_anna(words), stdin=subprocess.PIPE, stdout=output, stderr=output)
        self.ending.callback(end, child)
        return child, log


def codes_in(log):
    return re.findall(r"code: ([\d ]*\d)", log.read_text(encoding="utf-8"))


def has_both_performers(pc):
    """Whether the mix has made a frame; its policy waits for both."""
    for submix in json.loads(pc.types("submix", "--json", "status"))["submixes"]:
        if submix["name"] == "mix":
            return any(slot["slot"] == "end" and slot["frames"] > 0 for slot in submix["slots"])
    return False


def perform(pcs):
    mix, left, right = pcs
    with step("installing, on all three at once"), concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(Pc.install, pcs))
    with step("what Debian starts by itself"):
        for pc in pcs:
            pc.start_services()
    with step("the desk, and two PCs join by code"):
        desk, log = mix.leaves_running("submix", "desk")
        mix.leaves_running("submix-node", "--name", mix.name)
        for count, pc in enumerate((left, right), 1):
            if count > 1:
                desk.stdin.write(b"\n")  # Enter: another code
                desk.stdin.flush()
            code = wait_for("code", lambda count=count: len(codes_in(log)) >= count and codes_in(log)[count - 1])
            pc.types("submix", "join", then=code + "\n")
            pc.leaves_running("submix-node", "--name", pc.name)
    with step("the first picture with both in it"):
        (mix.root / "show.toml").write_text(SHOW, encoding="utf-8")
        wait_for("nodes", lambda: mix.types("submix", "apply", "/show.toml"))
        wait_for("picture", lambda: has_both_performers(mix))


def make_debian(folder, packages, suite):
    with step("making a bare Debian"):
        run(str(HERE / "make_debian.sh"), str(folder), *suite)
        shutil.copytree(packages, folder / "packages", ignore=shutil.ignore_patterns("_*"))
        run("chroot", str(folder), "useradd", "--create-home", "anna")


def check(packages, suite, ending):
    work = ending.enter_context(tempfile.TemporaryDirectory(prefix="submix-three-", ignore_cleanup_errors=True))
    debian = pathlib.Path(work, "debian")
    make_debian(debian, packages, suite)
    with step("switching three PCs on"):
        run("ip", "netns", "add", SWITCH)
        ending.callback(remove_namespace, SWITCH)
        run("ip", "-n", SWITCH, "link", "add", "bridge", "type", "bridge")
        run("ip", "-n", SWITCH, "link", "set", "bridge", "up")
        pcs = [Pc(name, number, debian, work, ending) for number, name in enumerate(NAMES, 1)]
    begin = time.monotonic()
    perform(pcs)
    return time.monotonic() - begin


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("packages", help="the folder of the packages")
parser.add_argument("suite", nargs="?", help="the Debian that they were built on (this machine's)")
options = parser.parse_args()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends all of it as well
try:
    with contextlib.ExitStack() as everything:
        seconds = check(options.packages, [options.suite] if options.suite else [], everything)
except Failure as failure:
    print(f"failed\n{failure}")
    sys.exit(1)
print(f"{seconds:.0f} s from the first command to the first picture; at most {SECONDS_MAX} s are wanted")
sys.exit(seconds > SECONDS_MAX)
