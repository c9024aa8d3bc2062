# SPDX-License-Identifier: GPL-3.0-or-later
"""Two nodes, left and mix, that run a show for a measurement: on this machine, or as two PCs."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

PREFIX = f"submix-{os.getpid()}-"
LINKS = 2


def run(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def ip(*words):
    run(["ip", *words])


def start_display(stack, size):
    """A private X server, in DISPLAY of what is started from now on; it ends with the stack."""
    read, write = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24"], pass_fds=[write],
                              stderr=subprocess.DEVNULL)
    stack.callback(screen.wait)
    stack.callback(screen.terminate)
    os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()


class Pcs:
    """Where the two nodes run: this machine, or two namespaces with cables of a gigabit. Needs root for two."""

    def __init__(self, count):
        self.hosts = {"left": [], "mix": []}
        if count == 1:
            self.server = "127.0.0.1"
            return
        self.server = "198.18.0.2"
        for name in self.hosts:
            ip("netns", "add", PREFIX + name)
            self.hosts[name] = ["ip", "netns", "exec", PREFIX + name]
            ip("-n", PREFIX + name, "link", "set", "lo", "up")
        for link in range(LINKS):
            card = f"eth{link}"
            ip("link", "add", card, "netns", PREFIX + "left", "type", "veth", "peer", "name", card, "netns", PREFIX + "mix")
            for number, name in enumerate(self.hosts, 1):
                ip("-n", PREFIX + name, "addr", "add", f"198.18.{link}.{number}/24", "dev", card)
                ip("-n", PREFIX + name, "link", "set", card, "up")
                run(["tc", "-n", PREFIX + name, "qdisc", "add", "dev", card, "root", "tbf", "rate", "1gbit", "burst",
                     "64kb", "latency", "50ms"])

    def remove(self):
        for words in self.hosts.values():
            if words:
                ip("netns", "del", words[-1])


class Cluster(contextlib.ExitStack):
    """A NATS server and both nodes, without a show. `folder` has their media. All ends with the context."""

    def __init__(self, programs, pcs_count, realtime="auto"):
        super().__init__()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends all processes as well
        self.pcs = Pcs(pcs_count)
        self.callback(self.pcs.remove)
        self.folder = self.enter_context(tempfile.TemporaryDirectory())
        self.nodes = {}
        self._environment = dict(os.environ, XDG_STATE_HOME=self.folder + "/state",
                                 PATH=programs + ":" + os.environ["PATH"])
        self.access = ["--nats", f"nats://{self.pcs.server}:4897", "--key", self.folder + "/key"]
        self._submix = self.pcs.hosts["mix"] + [programs + "/submix", *self.access]
        run([programs + "/submix", "key", "new", self.folder + "/key"])
        self.start("mix", programs + "/submix", "nats", "--port", "4897", "--folder", self.folder + "/nats", "--listen",
                   self.pcs.server, *self.access[2:])
        time.sleep(2)
        for node in self.pcs.hosts:
            self.nodes[node] = self.start(node, programs + "/submix-node", "--name", node, "--media", self.folder,
                                          "--recordings", self.folder, "--realtime", realtime, *self.access)
        time.sleep(2)

    def start(self, host, *words, **variables):
        child = subprocess.Popen(self.pcs.hosts[host] + list(words), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=self._environment | variables)
        self.callback(child.wait)
        self.callback(child.terminate)
        return child

    def apply(self, toml):
        with open(self.folder + "/show.toml", "w", encoding="utf-8") as file:
            file.write(toml)
        self.submix("apply", self.folder + "/show.toml")

    def status(self):
        return json.loads(self.submix("--json", "status"))

    def submix(self, *words):
        """What the command prints. What it warns of is printed here."""
        done = subprocess.run(self._submix + list(words), capture_output=True, text=True)
        if done.stderr:
            print("   ", done.stderr.strip().replace("\n", "; "), file=sys.stderr, flush=True)
        return done.stdout
