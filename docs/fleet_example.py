#!/usr/bin/env python3
"""Writes runs of a made-up program for the pictures of the Fleet page: fleet_example.py FOLDER

BUILD-MACHINE.heaptrack for six builds on eight machines, each a run of 30 s in heaptrack's own format. Machines differ by
some percent, as machines do; from build 8123 on three functions keep more than before, Pages::thumbnails() most.
"""

import random
import sys
from pathlib import Path

BUILDS = ["8116", "8117", "8118", "8120", "8121", "8123"]
MACHINES = [f"lab-{number:02}" for number in range(1, 9)]
BAD = "8123"
KEEPS = {"Pages::thumbnails()": (0.35, 0.5), "Cache::insert()": (0.6, 0.75), "Undo::push()": (0.5, 0.6)}  # parts of freed blocks
MAIN = ["main()"]
# Calls, outermost first; bytes of one allocation; how many; how many of them are given back.
STACKS = [
    (MAIN + ["Window::show()", "Font::load()"], 65536, 24, 0),
    (MAIN + ["Window::show()", "Icons::load()"], 16384, 60, 12),
    (MAIN + ["Document::open()", "Document::parse()"], 4096, 900, 640),
    (MAIN + ["Document::open()", "Cache::insert()"], 32768, 120, 70),
    (MAIN + ["Document::open()", "Pages::thumbnails()"], 24576, 200, 190),
    (MAIN + ["Document::save()", "Zip::deflate()"], 262144, 8, 8),
    (MAIN + ["Undo::push()"], 2048, 700, 300),
]


class Heaptrack:
    """A heaptrack file, version 3: strings, calls and allocations, each defined before its use."""

    def __init__(self):
        self.lines = ["v 10400 3", "X /opt/editor/editor report.odt", "I 1000 5e298f"]
        self.strings, self.calls, self.traces, self.sizes = {}, {}, {}, {}
        self.module = self.string("/opt/editor/editor")

    def number(self, known, key, line):
        if key not in known:
            self.lines.append(line)
            known[key] = len(known) + 1
        return known[key]

    def string(self, text):
        return self.number(self.strings, text, f"s {len(text):x} {text}")

    def trace(self, functions):
        above = 0
        for function in functions:
            name = self.string(function)
            address = 0x401000 + 0x100 * len(self.calls)
            call = self.number(self.calls, function, f"i {address:x} {self.module:x} {name:x}")
            above = self.number(self.traces, (above, call), f"t {call:x} {above:x}")
        return above

    def allocation(self, size, functions):
        trace = self.trace(functions)
        return self.number(self.sizes, (size, trace), f"a {size:x} {trace:x}") - 1

    def text(self):
        return "\n".join(self.lines) + "\n"


def run(build, machine):
    luck = random.Random(f"{build} {machine}")
    file = Heaptrack()
    events = []
    for functions, size, count, freed in STACKS:
        count = round(count * luck.uniform(0.95, 1.05))
        if functions[-1] in KEEPS and build >= BAD:
            freed = round(freed * luck.uniform(*KEEPS[functions[-1]]))
        info = file.allocation(size, functions)
        for number in range(count):
            begin = luck.uniform(0.5, 27)
            events.append((begin, "+", info))
            if number < freed:
                events.append((begin + luck.uniform(0.1, 2), "-", info))
    last = 0
    for time, sign, info in sorted(events):
        if int(time * 1000) > last:
            last = int(time * 1000)
            file.lines.append(f"c {last:x}")
        file.lines.append(f"{sign} {info:x}")
    file.lines.append("c 7530")
    return file.text()


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for build in BUILDS:
        for machine in MACHINES:
            (folder / f"{build}-{machine}.heaptrack").write_text(run(build, machine), encoding="ascii")


if __name__ == "__main__":
    main()
