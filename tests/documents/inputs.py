"""The files and programs that the examples of the documents name, in a folder of a test."""

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Programs = namedtuple("Programs", "cli example target window")

# Runs of the editor of docs/fleet_example.py: build and machine.
RUNS = {
    "OLD.etl": "8121-lab-01", "NEW.etl": "8123-lab-01", "heaptrack.app.1234.zst": "8123-lab-02",
    "a1.etl": "8121-lab-01", "a2.etl": "8121-lab-02", "a3.etl": "8121-lab-03",
    "b1.etl": "8123-lab-01", "b2.etl": "8123-lab-02", "b3.etl": "8123-lab-03",
    "main1.etl": "8121-lab-01", "main2.etl": "8121-lab-02", "main3.etl": "8121-lab-03",
    "new1.etl": "8123-lab-01", "new2.etl": "8123-lab-02", "new3.etl": "8123-lab-03",
    "night/start.etl": "8123-lab-04",
}
EXAMPLE_TRACES = ("exercise2.etl", "TRACE.etl", "app.etl", "night/load.etl")
CUT_AT = 700_000  # bytes of cut.etl
# Databases that SQL on these pages is about.
DATABASES = {"sqlite": "exercise2.sqlite", "fleet": "lab.sqlite"}
SCRIPTS = {"app": "exec sleep 0.2", "crashes": "kill -SEGV $$"}


def static_program():
    """The header of a program without a dynamic linker: it is never run."""
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 128, 128, 0x1000) + bytes(8)


def environment_in(home, bin_folder):
    return {
        **os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": f"{home}/config", "XDG_CACHE_HOME": f"{home}/cache", "XDG_STATE_HOME": f"{home}/state",
        "XDG_DATA_HOME": f"{home}/data", "XDG_RUNTIME_DIR": str(home), "QT_QPA_PLATFORM": "offscreen",
        "HIGHWATER_LOG": "info", "_NT_SYMBOL_PATH": "", "DEBUGINFOD_URLS": "",
    }


class Masters:
    """The files as they are at first, made once for all pages."""

    def __init__(self, folder, programs):
        self.programs = programs
        self.folder = folder / "masters"
        self.runs = folder / "runs"
        self.home = folder / "home"
        self.bin_folder = folder / "bin"
        for made in (self.folder / "night", self.folder / "symbols", self.home, self.bin_folder):
            made.mkdir(parents=True)
        self.home.chmod(0o700)
        self.environment = environment_in(self.home, self.bin_folder)
        self.make_programs()
        self.make_traces()
        self.make_recordings()
        self.make_fleet()

    def make_programs(self):
        (self.bin_folder / "highwater-cli").symlink_to(self.programs.cli)
        if self.programs.window:
            (self.bin_folder / "highwater").symlink_to(self.programs.window)
        (self.bin_folder / "memory_test_app").symlink_to(self.programs.target)
        scripts = {self.folder / name: command for name, command in SCRIPTS.items()}
        scripts[self.bin_folder / "PROGRAM"] = f'exec "{self.programs.target}"'
        for script, command in scripts.items():
            script.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
            script.chmod(0o755)
        program = self.folder / "static_program"
        program.write_bytes(static_program())
        program.chmod(0o755)

    def make_traces(self):
        example = self.folder / EXAMPLE_TRACES[0]
        self.call(self.programs.example, example)
        for name in EXAMPLE_TRACES[1:]:
            shutil.copyfile(example, self.folder / name)
            if Path(f"{example}.NGENPDB").is_dir():
                shutil.copytree(f"{example}.NGENPDB", f"{self.folder / name}.NGENPDB")
        (self.folder / "cut.etl").write_bytes(example.read_bytes()[:CUT_AT])
        (self.folder / "night/cut.etl").write_bytes(b"no trace\n")
        self.call(sys.executable, ROOT / "docs/fleet_example.py", self.runs)
        for name, run in RUNS.items():
            shutil.copyfile(self.runs / f"{run}.heaptrack", self.folder / name)

    def make_recordings(self):
        """Records two programs that run at the same time."""
        quiet = subprocess.DEVNULL
        recordings = [subprocess.Popen([self.programs.cli, "record", "-o", self.folder / name, "--duration", "1", "--",
                                        self.programs.target], stdin=quiet, stdout=quiet, stderr=quiet,
                                       env=self.environment, start_new_session=True)
                      for name in ("server.etl", "client.etl")]
        for recording in recordings:
            recording.wait(timeout=60)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(recording.pid, signal.SIGKILL)  # the program, which runs on

    def make_fleet(self):
        for run in sorted(self.runs.glob("812*.heaptrack")):
            build, machine = run.stem.split("-", 1)
            self.call(self.programs.cli, "fleet", "add", self.folder / "lab.sqlite", run, "--label", f"build={build}",
                      "--label", f"machine={machine}")

    def call(self, *command):
        subprocess.run([str(word) for word in command], check=True, capture_output=True, env=self.environment,
                       timeout=120)


class Inputs:
    """The files of one page, made again if a command has changed them."""

    def __init__(self, folder, masters):
        self.folder = folder
        self.masters = masters
        self.restore()

    def restore(self):
        for master in sorted(self.masters.folder.rglob("*")):
            copy = self.folder / master.relative_to(self.masters.folder)
            if master.is_dir():
                copy.mkdir(exist_ok=True)
            elif not is_copy(copy, master):
                copy.unlink(missing_ok=True)
                shutil.copy2(master, copy)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def database(self, page):
        """The path of the database for SQL on this page; None if there is none."""
        if page not in DATABASES:
            return None
        path = self.folder / DATABASES[page]
        if not path.exists():
            self.masters.call(self.masters.programs.cli, "sqlite", self.folder / "exercise2.etl", "-o", path)
        return path


def is_copy(copy, master):
    if not copy.is_file():
        return False
    a, b = copy.stat(), master.stat()
    return (a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns)
