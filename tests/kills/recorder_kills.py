#!/usr/bin/env python3
"""Kills a recorder again and again, and checks the files that it leaves.

    recorder_kills.py BUILD_DIR COUNT

Each time highwater-cli records a program that reports its progress, and is killed (SIGKILL) after a second or two. The
unsaved recording must be readable and lack at most the last second, and the program must survive. Prints one line: the
number of kills, the longest and the usual missing time, programs that died, files that could not be read. Exits with 1 if
there was a problem.
"""

import csv
import io
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_MISSING_MS = 1000
BASE = 100_000  # the program adds this to its milliseconds to get a size
RATES = (1, 20, 300)  # blocks per millisecond, in turn


def progress(file):
    """The latest number from the program, in milliseconds; None before it runs."""
    try:
        return struct.unpack("<Q", file.read_bytes()[:8])[0]
    except (OSError, struct.error):
        return None


def child_of(pid):
    """The program that the recorder has started."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        state, parent = rest.split()[:2]
        if name == "progress_target" and state != "Z" and int(parent) == pid:
            return int(stat.parent.name)
    return None


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(what, seconds=30.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = what()
        if value is not None:
            return value
        time.sleep(0.02)
    return None


def last_in(cli, recording):
    """The largest number in the recording; None if it cannot be read."""
    answer = subprocess.run([cli, "table", recording, "--table", "heap", "--by", "Process", "--columns",
                             "Max(Allocation Size)", "--no-symbols", "--format", "csv"], capture_output=True, text=True)
    rows = list(csv.reader(io.StringIO(answer.stdout)))
    if answer.returncode != 0 or len(rows) < 2:
        print(answer.stderr, answer.stdout, file=sys.stderr)
        return None
    sizes = [int(cell) for row in rows[1:] for cell in row[1:] if cell.isdigit()]
    return max(sizes, default=BASE) - BASE


class Kill:
    """One recording that was killed."""

    def __init__(self, build, folder, number):
        self.missing, self.is_dead, self.is_unreadable = None, False, True
        file = folder / f"{number}.etl"
        told = folder / f"{number}.progress"
        cli = build / "app/cli/highwater-cli"
        recorder = subprocess.Popen([cli, "record", "-o", file, "--", build / "tests/kills/progress_target", told,
                                     str(RATES[number % len(RATES)])], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        target = wait_for(lambda: child_of(recorder.pid) if progress(told) else None)
        time.sleep(random.uniform(0.8, 2.2))
        recorder.send_signal(signal.SIGKILL)
        reached = progress(told) or 0
        recorder.wait()
        time.sleep(0.2)
        self.is_dead = target is None or not is_alive(target)
        if not self.is_dead:
            subprocess.run(["kill", "-KILL", str(target)], check=False)
        last = last_in(cli, f"{file}.recording")
        self.is_unreadable = last is None
        self.missing = reached - (last or 0)
        for left in folder.glob(f"{number}.*"):
            left.unlink()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, count = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        kills = [Kill(build, Path(folder), number) for number in range(count)]
    missing = [kill.missing for kill in kills]
    late = sum(ms > MOST_MISSING_MS for ms in missing)
    dead = sum(kill.is_dead for kill in kills)
    unreadable = sum(kill.is_unreadable for kill in kills)
    print(f"{count} kills of the recorder: at most {max(missing) / 1000:.2f} s missing (median "
          f"{statistics.median(missing) / 1000:.2f} s, {late} above {MOST_MISSING_MS / 1000:.1f} s), {dead} programs dead, "
          f"{unreadable} files unreadable")
    sys.exit(1 if late or dead or unreadable else 0)


main()
