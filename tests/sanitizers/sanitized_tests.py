#!/usr/bin/env python3
"""Builds test programs with a sanitizer, runs them, and prints one line with the result.

    sanitized_tests.py SOURCE PRESET [NAMES]

NAMES is a regular expression for ctest; by default all tests run that support sanitizers. Uses the preset's build folder.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

NOT_HERE = "^(check|installer)$"  # labels: other lanes run them


def main(source, preset, names=""):
    source = Path(source).resolve()
    jobs = str(len(os.sched_getaffinity(0)))
    selection = ["--label-exclude", NOT_HERE, *(["--tests-regex", names] if names else [])]

    def run(*command, **how):
        return subprocess.run(command, cwd=source, check=True, **how)

    run("cmake", "--preset", preset, stdout=subprocess.DEVNULL)
    targets = []
    if names:
        listing = run("ctest", "--preset", preset, "--show-only", *selection, capture_output=True, text=True).stdout
        targets = re.findall(r"Test +#\d+: (\w+)", listing)
        if not targets:
            print(f"No test is called {names}.")
            return 1
    run("cmake", "--build", "--preset", preset, "--parallel", jobs, *(["--target", *targets] if targets else []))
    tested = subprocess.run(["ctest", "--preset", preset, "--parallel", jobs, *selection], cwd=source, check=False)
    logs = source / "build" / preset / "Testing/Temporary"
    # The total does not include tests of a program that crashed or hung, so failed programs are named.
    passed = sum(map(int, re.findall(r"^Totals: (\d+) passed", (logs / "LastTest.log").read_text(errors="replace"), re.MULTILINE)))
    failed = re.findall(r":(.+)", (logs / "LastTestsFailed.log").read_text()) if tested.returncode else []
    print(f"{preset}: {passed} tests passed; {'failed: ' + ', '.join(failed) if failed else 'no program failed'}")
    return tested.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except subprocess.CalledProcessError as problem:
        print(problem.stdout or "", problem.stderr or "", problem, sep="\n")
        sys.exit(1)
