#!/usr/bin/env python3
"""Kills the recorder while it attaches to running programs, and checks these programs.

    attach_kills.py BUILD_DIR COUNT [--loader] [--seed N] [--recorder PROGRAM]

A fresh program every time: one whose threads all allocate, one that is idle, one that constantly starts threads. Its
recorder is killed at a random instant of attaching, by SIGKILL, SIGTERM and SIGHUP in turn (sent to its whole process
group, as a terminal does). Afterwards no process may trace the program, none of its threads may be stopped, and each of
them must continue its work. --loader: the process that the recorder attaches with is killed (SIGKILL) as well. In this
case core/source/attach/agent_loading_linux.h permits, rarely, that a program is lost that was about to allocate.

Prints one line, and the problems. Exits with 1 if any program was dead or stuck; also if recorders that are not killed do
not attach, or if none of the killed ones (at least a dozen) had attached, because such a run proves nothing.
"""

import argparse
import collections
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = ("allocate", "idle", "threads")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
LIBRARY = "libhighwater-agent.so"
PATIENCE = 20.0  # seconds; machines are busy
# The share of busy programs that may be lost when the loader is killed as well. Measured: 2 to 3 of 100; 10 to 16 where
# the processor's breakpoints do not stop threads, so that these are followed step by step.
MOST_LOST = 0.1
MOST_LOST_STEPWISE = 0.3


def read(path):
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


class Target:
    """A program to attach to, and its output."""

    def __init__(self, program, way):
        self.way = way
        self.process = subprocess.Popen([program, way], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""
        self.counts = None
        if not self.wait_for(lambda: self.counts is not None):
            raise RuntimeError(f"{program} {way} says nothing")

    def listen(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return
        self.rest += self.process.stdout.read() or b""
        *lines, self.rest = self.rest.split(b"\n")
        if lines:
            self.counts = [int(word) for word in lines[-1].split()]

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > until or self.process.poll() is not None:
                return False
            self.listen(0.02)
        return True

    def is_busy(self):
        return self.way != "idle"

    def has_agent(self):
        return LIBRARY in read(f"/proc/{self.process.pid}/maps")

    def held_threads(self):
        held = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            facts = dict(line.split(":", 1) for line in read(task / "status").splitlines() if ":" in line)
            if facts and (facts["TracerPid"].strip() != "0" or facts["State"].strip()[0] in "tT"):
                held.append(f"thread {task.name}: {facts['State'].strip()}, traced by {facts['TracerPid'].strip()}")
        return held

    def what_is_wrong(self):
        """None if it works as before."""
        self.wait_for(lambda: not self.held_threads())
        held = [] if self.process.poll() is not None else self.held_threads()
        while self.process.poll() is None and select.select([self.process.stdout], [], [], 0)[0]:
            self.listen(0)
        before = self.counts
        goes_on = self.wait_for(lambda: all(now > then + 1 for now, then in zip(self.counts, before)))
        if self.process.poll() is not None:
            return f"dead ({self.process.returncode})"
        if held:
            return "held: " + "; ".join(held)
        return None if goes_on else f"stuck: {before} -> {self.counts}"

    def end(self):
        self.process.kill()
        self.process.communicate()


class Recorder:
    def __init__(self, program, pid, output):
        self.started = time.monotonic()
        self.process = subprocess.Popen([program, "record", "--pid", str(pid), "-o", output], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def has_ended(self):
        return self.process.poll() is not None

    def children(self):
        return [int(pid) for pid in read(f"/proc/{self.process.pid}/task/{self.process.pid}/children").split()] + [
            int(pid) for task in Path(f"/proc/{self.process.pid}/task").glob("*")
            for pid in read(task / "children").split()]

    def kill(self, number, with_loader):
        children = self.children() if with_loader else []
        if not self.has_ended():
            os.killpg(self.process.pid, number)
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Kills:
    def __init__(self, build, recorder, seed, with_loader):
        self.cli = str(recorder or build / "app/cli/highwater-cli")
        self.program = str(build / "tests/kills/kill_target")
        self.random = random.Random(seed)
        self.with_loader = with_loader
        self.breakpoints_stop = subprocess.run([build / "tests/kills/breakpoints_stop"]).returncode == 0
        self.folder = tempfile.TemporaryDirectory()
        self.attached = 0
        self.busy = 0
        self.lost = []
        self.faults = []
        self.attach_seconds = {way: self.measure(way) for way in WAYS}

    def output(self):
        return str(Path(self.folder.name) / "recorded.etl")

    def clear(self):
        for file in Path(self.folder.name).iterdir():
            file.unlink()

    def measure(self, way):
        """The time a recorder needs to attach: kills are spread over it."""
        taken = []
        for _ in range(3):
            target = Target(self.program, way)
            recorder = Recorder(self.cli, target.process.pid, self.output())
            target.wait_for(lambda: target.has_agent() or recorder.has_ended())
            taken.append(time.monotonic() - recorder.started)
            if not target.has_agent():
                self.faults.append(f"{way}: a recorder that nobody killed did not attach")
            recorder.kill(signal.SIGTERM, False)
            target.end()
            self.clear()
        return sorted(taken)[1]

    def kill_once(self, way, number):
        target = Target(self.program, way)
        recorder = Recorder(self.cli, target.process.pid, self.output())
        time.sleep(self.attach_seconds[way] * self.random.uniform(0.2, 1.3))
        recorder.kill(number, self.with_loader)
        wrong = target.what_is_wrong()
        self.busy += target.is_busy()
        if wrong and self.is_admitted(target):
            self.lost.append(f"{way}, {number.name}: {wrong}")
        elif wrong:
            self.faults.append(f"{way}, {number.name}: {wrong}")
        elif target.has_agent():
            self.attached += 1
        target.end()
        self.clear()

    def is_admitted(self, target):
        """Killed by a breakpoint or a step, which only the loader could have removed."""
        return self.with_loader and target.is_busy() and target.process.poll() == -signal.SIGTRAP

    def run(self, count):
        for i in range(count if not self.faults else 0):
            self.kill_once(WAYS[i % len(WAYS)], SIGNALS[i // len(WAYS) % len(SIGNALS)])
        most = MOST_LOST if self.breakpoints_stop else MOST_LOST_STEPWISE
        if len(self.lost) > max(1, self.busy * most):
            self.faults += self.lost
        if self.attached == 0:
            self.faults.append("no recorder attached before it was killed")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--loader", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recorder", type=Path, help="instead of that of the build")
    arguments = parser.parse_args()
    begin = time.monotonic()
    kills = Kills(arguments.build, arguments.recorder, arguments.seed, arguments.loader)
    kills.run(arguments.count)
    kinds = collections.Counter(fault.split(":")[0] for fault in kills.faults)
    for fault in kills.faults:
        print(fault)
    print(f"{arguments.count} recorders{' and loaders' * arguments.loader} killed while attaching: "
          f"{len(kills.faults)} faults{' ' + str(dict(kinds)) if kinds else ''}, {kills.attached} programs with the agent "
          f"in them,{f' {len(kills.lost)} of {kills.busy} busy ones lost,' * arguments.loader}"
          f" {time.monotonic() - begin:.0f} s{'' if kills.breakpoints_stop else '; no breakpoints that stop on this machine'}")
    return 1 if kills.faults else 0


if __name__ == "__main__":
    sys.exit(main())
