#!/usr/bin/env python3
"""Runs the event tracing simulator's own test under Wine: it must behave as documented for Windows.

    etw_simulator.py BUILD HIGHWATER_EXAMPLE

BUILD is the folder of build_for_windows.py.
"""

import subprocess
import sys
from pathlib import Path

from wine import Wine, skip, windows_path


def main(build, example):
    folder = build / "tree/tests/etw_simulator"
    if not (folder / "etw_simulator_test.exe").exists():
        skip("The simulator was not built for Windows (see the test windows_build).")
    trace = folder / "played.etl"
    subprocess.run([example, trace], check=True)
    with Wine(build / "prefix") as wine:
        files = folder / "etw_simulator_test.exe", folder / "etw_simulator.dll", trace
        done = wine.run(map(windows_path, files), timeout=900)
    print(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), sep="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
