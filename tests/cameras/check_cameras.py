#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the plugins capture and camera-out with real cameras of the kernel, in a virtual machine.

The machine runs Debian's kernel by QEMU, with an emulated processor, and has this machine's files, which it only reads.
see_cameras.py is what it runs. The kernel and the source of v4l2loopback are unpacked from Debian's packages into a folder
that is removed at the end; this machine's own kernel and modules stay as they are. Ends with 1 when a step fails, which it also does where other
programs leave the emulated processor too little time.
"""
import argparse
import contextlib
import lzma
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from checking import Failure, end, step  # noqa: E402

SECONDS_MAX = 540
BOOT_MODULES = ("virtio_pci", "9pnet_virtio", "9p", "overlay")  # the root folder's; the others are loaded from there
KERNEL = "linux-image-amd64"


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: {done.stderr or done.stdout}")
    return done.stdout


def dependencies(package, pattern):
    found = re.findall(rf"Depends: ({pattern})$", run("apt-cache", "depends", package), re.MULTILINE)
    if not found:
        raise Failure(f"{package} depends on no {pattern}; run: sudo apt-get update")
    return found


class Machine:
    """Files of the virtual machine below a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.release = dependencies(KERNEL, r"linux-image-[0-9]\S*")[0].removeprefix("linux-image-")

    def unpack(self):
        headers = f"linux-headers-{self.release}"
        packages = [f"linux-image-{self.release}", headers, "v4l2loopback-dkms",
                    *dependencies(headers, r"linux-(?:headers|kbuild)-\S*")]
        run("apt-get", "download", "-q", *packages, cwd=self.folder)
        for package in self.folder.glob("*.deb"):
            run("dpkg-deb", "-x", package, self.folder)

    def find(self, pattern):
        found = next(self.folder.glob(pattern), None)
        if found is None:
            raise Failure(f"the packages of {KERNEL} lack {pattern}")
        return found

    @property
    def modules(self):
        return self.find(f"**/modules/{self.release}/kernel").parent

    def build_loopback(self):
        headers = self.find(f"usr/src/linux-headers-{self.release}")
        makefile = headers / "Makefile"
        makefile.write_text(makefile.read_text(encoding="utf-8").replace(" /usr/src", f" {self.folder}/usr/src"),
                            encoding="utf-8")
        source = self.find("usr/src/v4l2loopback-*")
        run("make", "-C", headers, f"M={source}", "modules")
        (self.modules / "updates").mkdir(exist_ok=True)
        shutil.copy(source / "v4l2loopback.ko", self.modules / "updates")
        run("/sbin/depmod", "-b", self.modules.parent.parent.parent, self.release)

    def boot_modules(self):
        """Files in the order in which they are loaded."""
        files = {}
        for module in BOOT_MODULES:
            needed = run("/sbin/modprobe", "-d", self.modules.parent.parent.parent, "-S", self.release,
                         "--show-depends", module)
            files |= dict.fromkeys(re.findall(r"^insmod (\S+)", needed, re.MULTILINE))
        return [pathlib.Path(file) for file in files]

    def pack_start(self):
        """The archive that the kernel unpacks into its memory."""
        start = self.folder / "start"
        for folder in ("bin", "modules", "root", "proc", "sys", "dev", "below", "changes"):
            (start / folder).mkdir(parents=True)
        shutil.copy(shutil.which("busybox"), start / "bin")
        shutil.copy(HERE / "start_machine.sh", start / "init")
        for number, file in enumerate(self.boot_modules()):
            plain = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
            (start / "modules" / f"{number:02} {file.name.removesuffix('.xz')}").write_bytes(plain)
        names = "\n".join(str(file.relative_to(start)) for file in sorted(start.rglob("*")))
        with open(self.folder / "start.cpio", "wb") as archive:
            subprocess.run(("cpio", "--quiet", "-o", "-H", "newc"), cwd=start, input=names.encode(), stdout=archive,
                           check=True)

    def command(self, programs):
        """QEMU's: the first serial port is the kernel's, the second tells the steps."""
        shared = "local,id=files,path=/,security_model=none,readonly=on,multidevs=remap"
        words = f"console=ttyS0 panic=-1 modules={self.modules.parent} check={HERE}/see_cameras.py programs={programs}"
        return ("qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048",
                "-display", "none", "-nodefaults", "-no-reboot", "-kernel", self.find("boot/vmlinuz-*"),
                "-initrd", self.folder / "start.cpio", "-append", words, "-fsdev", shared,
                "-device", "virtio-9p-pci,fsdev=files,mount_tag=root",
                "-serial", f"file:{self.folder}/kernel.log", "-serial", "stdio")


def watch(machine, programs):
    """Prints what the machine says. Tells whether it passed."""
    with contextlib.ExitStack() as ending:
        qemu = subprocess.Popen(machine.command(programs), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        ending.callback(end, qemu)
        limit = threading.Timer(SECONDS_MAX, qemu.terminate)
        ending.callback(limit.cancel)
        limit.start()
        last = ""
        for line in qemu.stdout:
            print(f"  {line}", end="", flush=True)
            last = line.strip()
        return last == "passed"


def check(programs):
    with tempfile.TemporaryDirectory(prefix="submix-cameras-") as folder:
        machine = Machine(pathlib.Path(folder))
        with step(f"unpacking Linux {machine.release}"):
            machine.unpack()
        with step("building v4l2loopback"):
            machine.build_loopback()
        machine.pack_start()
        print("  the virtual machine starts, which takes half a minute", flush=True)
        if not watch(machine, programs):
            kernel = pathlib.Path(folder, "kernel.log").read_text(encoding="utf-8", errors="replace")
            raise Failure("The machine's own log ends with:\n" + "\n".join(kernel.splitlines()[-20:]))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", type=pathlib.Path, help="the folder of the programs")
options = parser.parse_args()
if platform.machine() != "x86_64":
    sys.exit("check_cameras.py: the kernel is of an amd64 PC; run the check there")
try:
    check(options.programs.resolve())
except Failure as failure:
    print(f"failed\n{failure}")
    sys.exit(1)
print("Cameras work both ways.")
