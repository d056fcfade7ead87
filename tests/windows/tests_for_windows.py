#!/usr/bin/env python3
"""Runs core's tests for Windows under Wine.

    tests_for_windows.py BUILD KEEP_BUILT_PROGRAMS CORE_TEST...

BUILD is the folder of build_for_windows.py. KEEP_BUILT_PROGRAMS builds the programs with debug files that some
tests read, because no compiler runs under Wine.
"""

import concurrent.futures
import os
import subprocess
import sys
import time
from pathlib import Path

from wine import TimedOut, Wine, skip, windows_path

COMPILER_LIBRARIES = ["/usr/lib/gcc/x86_64-w64-mingw32/12-posix", "/usr/x86_64-w64-mingw32/lib"]
TEST_SECONDS = 600


def outcome(wine, program, environment):
    """Exit code and seconds of a test program, and its output."""
    said = program.with_suffix(".txt")
    begin = time.monotonic()
    # Into a file, because a pipe would not end: Wine's desktop process is started by the first program that needs it,
    # and keeps that program's output open as long as there is any other program.
    with said.open("wb") as output:
        try:
            code = subprocess.run(["wine", program], env=environment, cwd=program.parent, stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=subprocess.STDOUT, timeout=wine.patience(TEST_SECONDS),
                                  check=False).returncode
        except subprocess.TimeoutExpired as late:
            code = TimedOut(late)
    return code, time.monotonic() - begin, said.read_text(errors="replace").splitlines()


def main(build, keep_built_programs, *core_tests):
    build = Path(build).resolve()
    qt = build / "qt/qt6-mingw"
    if not qt.exists():
        skip("Qt for Windows is not here: no tests of core were built for it (see the test windows_build).")
    programs = [next((build / "tree/tests/core").rglob(f"{name}.exe"), None) for name in core_tests]
    if not all(programs):
        print("Not all of them were built.")
        return 1
    built = build / "programs"
    have_built = subprocess.run([keep_built_programs, built], check=False).returncode == 0
    with Wine(build / "prefix", [qt / "bin", *COMPILER_LIBRARIES]) as wine, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        environment = wine.environment | ({"HIGHWATER_BUILT_PROGRAMS": windows_path(built)} if have_built else {})
        jobs = [(program, pool.submit(outcome, wine, program, environment)) for program in programs]
        failures = 0
        for program, job in jobs:
            code, seconds, lines = job.result()
            totals = [line for line in lines if line.startswith("Totals: ")]
            print(f"{program.stem}: exit code {code} after {seconds:.1f} s, {len(totals)} classes", flush=True)
            failures += code != 0 or not totals
            print("\n".join(f"  {line}" for line in lines if code != 0 or line.startswith("SKIP ")), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
