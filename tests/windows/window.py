#!/usr/bin/env python3
"""Tests the Windows version of the window, under Wine, on an invisible screen.

    window.py BUILD HIGHWATER_CLI HIGHWATER_EXAMPLE

BUILD is the folder of build_for_windows.py. By mouse and keys: a trace is opened, regrouped, zoomed, filtered; a program
is recorded from the event tracing simulator and saved, and the file is read on this system. highwater.exe itself draws
the trace, and records.
"""

import json
import struct
import subprocess
import sys
from pathlib import Path

from etw_scenarios import APP, APP_HEAP, APP_VIRTUAL
from tests_for_windows import COMPILER_LIBRARIES
from wine import Screen, Wine, skip, windows_path

SPEED = 10  # recording_test_windows.cpp relies on it
SIZE = 1000, 700
PATIENCE = 400  # seconds


def fail(what):
    print(f"FAILED: {what}")
    sys.exit(1)


class Lane:
    def __init__(self, wine, build, cli, example):
        self.wine, self.cli, self.tree = wine, cli, build / "tree"
        self.folder = build / "window"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.trace = self.folder / "exercise2.etl"
        self.saved = self.folder / "saved.etl"
        subprocess.run([example, self.trace], check=True)

    def run(self, program, *arguments, **variables):
        """Its exit code; None if it did not end. Its own output is shown because it contains the error."""
        command = ["wine", windows_path(self.tree / program), *arguments]
        process = subprocess.Popen(command, env=self.wine.environment | variables, cwd=self.folder,
                                   stdin=subprocess.DEVNULL)
        try:
            return process.wait(self.wine.patience(PATIENCE))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def test(self, name, **variables):
        """A class of the window's test. If it fails, it runs once more: Wine loses events that Windows would not."""
        if not self.passes(name, variables):
            print(f"Once more: {name}", flush=True)
            if not self.passes(name, variables):
                fail(name)

    def passes(self, name, variables):
        """Qt writes its messages into a file, because Wine's programs have no console here."""
        log = self.folder / f"{name}.txt"
        for file in (log, self.saved):
            file.unlink(missing_ok=True)
        code = self.run("tests/app/main_window_test/windows_window_test.exe", name, "-o", f"{name}.txt,txt", **variables)
        words = log.read_text(errors="replace").splitlines() if log.is_file() else []
        print("\n".join(line for line in words if "EnableNonClientDpiScaling" not in line), flush=True)  # Wine lacks it
        print(f"{name} ends with {code}", flush=True)
        return code == 0 and any(line.startswith("Totals: ") for line in words)

    def simulator(self, speed):
        """A new one for each program: without a state file its sessions end with the program."""
        return {"HIGHWATER_ETW_SIMULATOR": windows_path(self.tree / "tests/etw_simulator/etw_simulator.dll"),
                "HIGHWATER_ETW_SIMULATOR_SCENARIO": f"trace={windows_path(self.trace)};speed={speed};target={APP}"}

    def picture(self, name, *arguments, **variables):
        file = self.folder / name
        file.unlink(missing_ok=True)
        code = self.run("app/highwater.exe", "--size", f"{SIZE[0]}x{SIZE[1]}", "--screenshot", windows_path(file),
                        *arguments, **variables)
        if code != 0:
            fail(f"highwater.exe ends with {code}")
        check_picture(file)


def check_picture(file):
    """It has the requested size, and shows something: a single colour is tiny in a PNG."""
    data = file.read_bytes() if file.is_file() else b""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        fail(f"{file} is no picture")
    size = struct.unpack_from(">II", data, 16)
    if size != SIZE:
        fail(f"{file.name} is {size[0]}x{size[1]}")
    if len(data) < 20_000:
        fail(f"{file.name} shows next to nothing: {len(data)} bytes")
    print(f"{file}: {len(data)} bytes", flush=True)


def check_saved(lane):
    file = lane.saved
    if not file.is_file():
        fail("nothing was saved")
    for table, expected in (("heap", APP_HEAP), ("virtualalloc", APP_VIRTUAL)):
        question = ["table", file, "--table", table, "--by", "Process", "--no-symbols", "--format", "json"]
        rows = json.loads(subprocess.run([lane.cli, *question], stdout=subprocess.PIPE, check=True).stdout)["rows"]
        values = [row["values"] for row in rows if row["key"].startswith("MemoryTestApp.exe (")]
        if values != [expected]:
            fail(f"{file.name}, {table}: {values}, not {expected}")
    print(f"{file}: the numbers of what was played", flush=True)


def main(build, cli, example):
    if not (build / "tree/app/highwater.exe").exists():
        skip("The window was not built for Windows (see the test windows_build).")
    qt = build / "qt/qt6-mingw"
    with Screen() as screen, Wine(build / "prefix", [qt / "bin", *COMPILER_LIBRARIES], screen) as wine:
        wine.give_fonts()
        lane = Lane(wine, build, cli, example)
        for theme in ("light", "dark"):
            lane.picture(f"{theme}.png", "--theme", theme, windows_path(lane.trace))
        # At full speed: at its original speed it takes half a minute.
        lane.picture("recorded.png", "--record", windows_path(lane.tree / "tests/memory_test_app/memory_test_app.exe"),
                     "--seconds", "3", **lane.simulator("max"))
        lane.test("WalkThroughTest")
        lane.test("WindowsRecordingTest", HIGHWATER_SAVED_RECORDING=windows_path(lane.saved), **lane.simulator(SPEED))
        check_saved(lane)
    print("All well.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
