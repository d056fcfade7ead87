#!/usr/bin/env python3
"""Reads crafted files with the highest cost for their size: each must be read or refused within the limits.

    crafted_files.py BUILD [--found FOLDER]

The files come from the programs write_hostile_* in BUILD/tests/fixtures, and from costly_*.py. --only NAME restricts
them to one maker. Prints one line with the result, the slowest file and the largest one; the exit code is 1 if a
problem was found.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import costly_inputs
import costly_profiles
import costly_symbols
from trial import MOST_ADDRESS_SPACE, QUESTIONS, READERS, Found, Trial


SCRIPTS = (costly_profiles, costly_symbols, costly_inputs)
QUESTIONS_OF_PROFILES = ("info", "heap")  # they contain nothing else


def questions_of(path):
    """The questions asked about a file, by the folders that it is in."""
    readers = [part for part in path.parts if part in READERS]
    return readers or (QUESTIONS_OF_PROFILES if costly_profiles.__name__ in path.parts else QUESTIONS)


def make_files(build, folder, only):
    """Each maker's files in a folder of its own; returns the number of makers."""
    makers = [path for path in sorted((build / "tests/fixtures").glob("write_hostile_*"))
              if path.is_file() and os.access(path, os.X_OK) and only in ("", path.name)]
    for maker in makers:
        out = folder / maker.name
        out.mkdir()
        subprocess.run([maker, out], check=True, stdout=subprocess.DEVNULL)
    scripts = [script for script in SCRIPTS if only in ("", script.__name__)]
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for script in scripts:
            (folder / script.__name__).mkdir()
        jobs = [pool.submit(script.make_files, make, folder / script.__name__) for script in scripts for make in script.MAKERS]
        for job in jobs:
            job.result()
    return len(makers) + len(scripts)


def most_at_once():
    """The number of runs for which there are processors, and memory if each uses all that it may."""
    available = int(re.search(r"MemAvailable: +([0-9]+) kB", Path("/proc/meminfo").read_text())[1]) << 10
    return max(1, min(len(os.sched_getaffinity(0)), available // MOST_ADDRESS_SPACE))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--found", default="build/check/found")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    trial, found = Trial(arguments.build.resolve()), Found(arguments.found)
    with tempfile.TemporaryDirectory(prefix="highwater-crafted-") as name:
        makers = make_files(arguments.build.resolve(), Path(name), arguments.only)
        files = sorted(path for path in Path(name).rglob("*") if path.is_file())
        asked = [(path, question) for path in files for question in questions_of(path)]
        with concurrent.futures.ThreadPoolExecutor(most_at_once()) as pool:
            outcomes = list(pool.map(lambda one: trial.run(one[1], one[0]), asked))
        outcomes = [trial.confirm(outcome, question, path) for (path, question), outcome in zip(asked, outcomes)]
        for (path, question), outcome in zip(asked, outcomes):
            if outcome.problem:
                print(found.keep(trial, question, path, outcome), file=sys.stderr)
    if not outcomes:
        print(f"no files: {makers} makers are built")
        return 1
    worst = sorted(zip(asked, outcomes), key=lambda one: one[1].seconds)[-1]
    largest = sorted(zip(asked, outcomes), key=lambda one: one[1].peak_bytes)[-1]
    print(f"{len(files)} files of {makers} makers: {found.count} wrong; at most {worst[1].seconds:.1f} s "
          f"({worst[0][0].name} {worst[0][1]}), {largest[1].peak_bytes >> 20} MB ({largest[0][0].name} {largest[0][1]})")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
