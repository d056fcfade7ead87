#!/usr/bin/env python3
"""Compares the output of highwater-cli.exe under Wine with that of this system's highwater-cli, byte for byte.

    same_answers.py BUILD HIGHWATER_CLI HIGHWATER_EXAMPLE TRACES

On Exercise 2's trace in every variant, and on every trace in TRACES. BUILD is the folder of build_for_windows.py.
"""

import concurrent.futures
import os
import subprocess
import sys
from pathlib import Path

from wine import Wine, skip

# Relative to the folder of the trace: a path in an answer would differ.
QUESTIONS = [
    ["info", "{}", "--json"],
    ["table", "{}", "--table", "virtualalloc", "--by", "Process,Impacting Type,Commit Stack", "--no-symbols", "--format",
     "json"],
    ["table", "{}", "--table", "virtualalloc", "--by", "Process,Committing ThreadId,Allocation Size", "--columns",
     "Count,Size,Peak Size,Allocated,Freed,Commit Time,Decommit Time", "--no-symbols", "--format", "csv"],
    ["table", "{}", "--table", "heap", "--by", "Process,Handle,Stack (bottom-up)", "--no-symbols", "--format", "json"],
    ["table", "{}", "--table", "heap", "--by", "Type,Process", "--columns", "Count,Impacting Size,Max(Size),AllocTime",
     "--range", "3:7.5", "--no-symbols", "--format", "text"],
    ["table", "{}", "--table", "frees", "--by", "Process", "--no-symbols", "--format", "json"],
    ["timeline", "{}", "--table", "virtualalloc", "--by", "Process", "--points", "200", "--format", "json"],
    ["timeline", "{}", "--table", "heap", "--points", "50", "--format", "csv"],
]


def made_traces(example, folder):
    """Exercise 2's trace in all its variants."""
    folder.mkdir(parents=True, exist_ok=True)
    text = subprocess.run([example, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    names = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    for name in names:
        subprocess.run([example, folder / f"{name}.etl", "--variant", name], check=True)
    return [folder / f"{name}.etl" for name in names]


def difference(wine, programs, trace, question):
    """The difference, or None."""
    arguments = [word.format(trace.name) for word in question]
    here = subprocess.run([programs[0], *arguments], cwd=trace.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    there = wine.run([programs[1], *arguments], cwd=trace.parent)
    for what, one, other in (("exit code", here.returncode, there.returncode), ("answer", here.stdout, there.stdout),
                             ("messages", here.stderr, there.stderr)):
        if one != other:
            return f"{trace.name}: {' '.join(arguments)}: other {what}\n  here:  {one!r:.600}\n  there: {other!r:.600}"
    return None


def main(build, cli, example, traces):
    windows_cli = build / "tree/app/cli/highwater-cli.exe"
    if not windows_cli.exists():
        skip("highwater-cli.exe was not built (see the test windows_build).")
    files = made_traces(example, build / "traces")
    real = sorted(traces.glob("*.etl"))
    if not real:
        print(f"There are no traces in {traces}: only Exercise 2's is looked at.")
    with Wine(build / "prefix") as wine, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(difference, wine, (cli, windows_cli), trace, question)
                for trace in files + real for question in QUESTIONS]
        differences = [found for found in (job.result() for job in jobs) if found]
    print("\n".join(differences))
    print(f"{len(jobs)} answers on {len(files)} + {len(real)} traces, {len(differences)} differ.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
