#!/usr/bin/env python3
"""Reads real traces, damaged as by a disk, a transfer or an attacker: each must be read or refused with an error.

    damaged_files.py BUILD COUNT [SEED] [--found FOLDER] [--traces FOLDER]

The same seed damages the same files in the same way. Files with problems are kept in FOLDER. Prints one line with the
result; the exit code is 1 if a problem was found.
"""

import argparse
import concurrent.futures
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from trial import Found, Trial

LARGEST_HONEST = 4 << 20
EXTREMES = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF,
            0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF]


def made_traces(build, folder):
    """The example trace in every variant, one of them in archives, and a new recording of this machine."""
    example = build / "tests/fixtures/highwater-example"
    text = subprocess.run([example, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for name in [line.split()[0] for line in text.splitlines() if line.startswith("  ")]:
        subprocess.run([example, folder / f"{name}.etl", "--variant", name], check=True)
    for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(folder / f"{name}.etl.zip", "w", method) as archive:
            archive.write(folder / "plain.etl", "plain.etl")
            archive.writestr("words.txt", "words")
    record(build, folder)


def record(build, folder):
    target = build / "tests/memory_test_app/memory_test_app"
    if not (build / "agent/libhighwater-agent.so").exists():
        return
    for name, options in (("recorded", []), ("recorded-plain", ["--plain", "--stacks-on-free"])):
        subprocess.run([build / "app/cli/highwater-cli", "record", *options, "-o", folder / f"{name}.etl", "--", target,
                        "--seconds", "30", "--speed", "30"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def honest_traces(build, folder, more):
    made_traces(build, folder)
    paths = sorted(path for path in folder.iterdir() if path.is_file())  # not the folders of symbols
    if more and more.is_dir():
        paths += [path for path in sorted(more.glob("*.etl")) if path.stat().st_size <= LARGEST_HONEST]
    return paths


def place(chance, data):
    """Mostly where headers are: the beginning, the beginning of a buffer, after another change; otherwise anywhere."""
    where = chance.randrange(4)
    if where == 0:
        return chance.randrange(min(len(data), 1024) or 1)
    if where == 1:
        return min(chance.randrange(len(data) // 65536 + 1) * 65536 + chance.randrange(160), max(len(data) - 1, 0))
    if where == 2:
        return max(len(data) - 1 - chance.randrange(min(len(data), 512) or 1), 0)  # an archive's directory
    return chance.randrange(len(data) or 1)


def flip(chance, data, _):
    if data:
        data[place(chance, data)] ^= 1 << chance.randrange(8)


def cut(chance, data, _):
    del data[place(chance, data):]


def remove(chance, data, _):
    at = place(chance, data)
    del data[at:at + chance.choice([1, 2, 4, 8, 16, 64, 4096, 65536])]


def repeat(chance, data, _):
    at = place(chance, data)
    part = data[at:at + chance.choice([1, 4, 8, 64, 4096, 65536])]
    data[at:at] = part * chance.choice([1, 1, 1, 2, 16])


def fill(chance, data, _):
    at = place(chance, data)
    length = min(chance.choice([1, 8, 64, 512, 4096, 65536]), len(data) - at)
    data[at:at + length] = bytes([chance.choice([0, 0, 0xFF])]) * length


def extreme(chance, data, _):
    size = chance.choice([1, 2, 4, 8])
    at = place(chance, data) & ~(size - 1)
    if at + size <= len(data):
        data[at:at + size] = struct.pack("<Q", chance.choice(EXTREMES))[:size]


def nudge(chance, data, _):
    """A field with an almost correct value."""
    size = chance.choice([2, 4, 8])
    at = place(chance, data) & ~(size - 1)
    if at + size <= len(data):
        value = int.from_bytes(data[at:at + size], "little") + chance.choice([-8, -4, -1, 1, 4, 8, 1 << 8 * size - 2])
        data[at:at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")


def splice(chance, data, other):
    """The beginning of one file, the end of another; often cut at buffers of both."""
    unit = chance.choice([1, 8, 4096, 65536])
    at = place(chance, data) // unit * unit
    begin = chance.randrange(len(other) or 1) // unit * unit
    data[at:] = other[begin:]


def swap(chance, data, _):
    unit = chance.choice([8, 512, 4096, 65536])
    a, b = sorted(chance.randrange(len(data) // unit + 1) * unit for _ in range(2))
    if a + unit <= b and b + unit <= len(data):
        data[a:a + unit], data[b:b + unit] = data[b:b + unit], data[a:a + unit]


DAMAGES = [flip, flip, cut, remove, repeat, fill, extreme, extreme, nudge, nudge, splice, swap]


def damaged(seed, number, honest):
    """The content and the name of the file with that number."""
    chance = random.Random(f"{seed}:{number}")
    path = chance.choice(honest)
    data = bytearray(path.read_bytes())
    names = []
    for _ in range(chance.choice([1, 1, 2, 3, 5, 8, 40])):
        damage = chance.choice(DAMAGES)
        damage(chance, data, chance.choice(honest).read_bytes() if damage is splice else b"")
        names.append(damage.__name__)
    ending = "etl.zip" if path.name.endswith(".zip") else "etl"
    return bytes(data[:2 * LARGEST_HONEST]), f"{seed}-{number:05}-{path.name.split('.')[0]}-{names[-1]}.{ending}"


def try_one(trial, found, seed, number, honest, folder):
    """Queries one file; returns the outcomes, and the problems."""
    content, name = damaged(seed, number, honest)
    path = folder / name
    path.write_bytes(content)
    table = random.Random(number).choice(["virtualalloc", "heap", "frees", "timeline"])
    outcomes, problems = [], []
    for question in ("info", table):
        outcome = trial.run(question, path)
        outcomes.append(outcome)
        if outcome.problem:
            problems.append(found.keep(trial, question, path, outcome))
    path.unlink()
    return outcomes, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="1")
    parser.add_argument("--found", default="build/check/found")
    parser.add_argument("--traces", type=Path)
    arguments = parser.parse_args()
    trial, found = Trial(arguments.build.resolve()), Found(arguments.found)
    with tempfile.TemporaryDirectory(prefix="highwater-damaged-") as name:
        folder = Path(name)
        (folder / "honest").mkdir()
        honest = honest_traces(arguments.build.resolve(), folder / "honest", arguments.traces)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            results = list(pool.map(lambda i: try_one(trial, found, arguments.seed, i, honest, folder),
                                    range(arguments.count)))
    outcomes = [outcome for some, _ in results for outcome in some]
    read, refused = (sum(some[0].exit_code == code for some, _ in results) for code in (0, 2))
    for _, problems in results:
        for problem in problems:
            print(problem, file=sys.stderr)
    print(f"{arguments.count:,} files: {read:,} read, {refused:,} refused, {found.count} wrong; "
          f"at most {max(o.seconds for o in outcomes):.1f} s and {max(o.peak_bytes for o in outcomes) >> 20} MB")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
