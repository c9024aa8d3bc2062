# SPDX-License-Identifier: GPL-3.0-or-later
"""For checks by real programs: steps with their times, waiting, and children that end with the check."""
import contextlib
import subprocess
import time

PATIENCE_SECONDS = 30


class Failure(Exception):
    """What went wrong, for people."""


@contextlib.contextmanager
def step(title):
    """Prints the step and how long it took."""
    print(f"  {title} … ", end="", flush=True)
    begin = time.monotonic()
    yield
    print(f"done ({time.monotonic() - begin:.1f} s)", flush=True)


def wait_for(what, find):
    """What `find` returns, once it is neither false nor empty. A Failure counts as empty."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    why = ""
    while time.monotonic() < deadline:
        try:
            if found := find():
                return found
        except Failure as failure:
            why = f": {failure}"
        time.sleep(0.2)
    raise Failure(f"no {what} within {PATIENCE_SECONDS} s{why}")


def end(child):
    """By SIGTERM, then by SIGKILL."""
    child.terminate()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
