#!/usr/bin/env python3
"""Packages the cross build for Windows, installs it under Wine, uses it there, uninstalls it, and looks for leftovers.

    windows_package_test.py BUILD HIGHWATER_CLI HIGHWATER_EXAMPLE

BUILD is a folder of the preset windows-cross; the two programs are those of this system. Under Wine an
installer may exit with 0 without doing anything, so the test checks files and keys instead of exit codes.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "windows"))
from wine import PACKAGES, Screen, Wine, skip, windows_path  # noqa: E402 (the folder has to be known first)

INSTALLED = ["highwater.exe", "highwater-cli.exe", "uninstall.exe", "LICENSE.txt", "Qt6Core.dll", "Qt6Gui.dll",
             "Qt6Widgets.dll", "libstdc++-6.dll", "platforms/qwindows.dll"]
START_MENU = "ProgramData/Microsoft/Windows/Start Menu/Programs/Highwater.lnk"
UNINSTALL = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\Highwater"
IMAGE_OPTIONS = r"HKLM\Software\Microsoft\Windows NT\CurrentVersion\Image File Execution Options"
# The window's list of recent traces stays, as its settings do.
OWN_OF_USER = re.compile(r"(?i)/AppData/Local/Highwater(/cache(/outlines(/[0-9a-f]+\.outline)?)?)?$")
# Files that Wine and Windows themselves write while programs run.
NOT_OURS = re.compile(r"(?i)windows/(temp|prefetch|fonts)/|/AppData/Local/Temp/|/\.update-timestamp$")


def fail(what):
    print(f"FAILED: {what}")
    sys.exit(1)


def step(what):
    print(f"== {what}", flush=True)


class Machine:
    """A Windows system, as implemented by Wine."""

    def __init__(self, wine):
        self.wine = wine
        self.drive = wine.prefix / "drive_c"

    def run(self, *command, **options):
        return self.wine.run(command, **options)

    def files(self):
        found = (path.relative_to(self.drive).as_posix() for path in self.drive.rglob("*"))
        return {path for path in found if not NOT_OURS.search("/" + path)}

    def keys(self):
        """The registry of the machine and of the user: lines, each with its key."""
        lines = set()
        for root in ("HKLM\\Software", "HKCU\\Software"):
            file = self.drive / "export.reg"
            self.run("reg", "export", root, "C:\\export.reg", "/y")
            key = ""
            for line in file.read_text(encoding="utf-16").splitlines():
                key = line if line.startswith("[") else key
                lines.add(f"{key} {line}")
            file.unlink()
        return lines

    def value(self, key, name):
        """The output of reg for a value ("" is the default one), or None."""
        answer = self.run("reg", "query", key, *(["/v", name] if name else ["/ve"]))
        text = answer.stdout.decode(errors="replace")
        return text if answer.returncode == 0 and "(value not set)" not in text else None

    def picture(self, program, trace, file):
        """Saves a picture of the real window."""
        self.run(program, windows_path(trace), "--theme", "light", "--size", "1000x700", "--screenshot",
                 windows_path(file))


def packed(build, folder):
    """The installer and the .zip."""
    log = subprocess.run(["cpack", "--config", build / "CPackConfig.cmake", "-B", folder], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    files = [*folder.glob("highwater-*.exe"), *folder.glob("highwater-*.zip")]
    if log.returncode != 0 or len(files) != 2:
        print(log.stdout.decode(errors="replace"))
        fail(f"cpack made {[file.name for file in files]}")
    for file in files:
        print(f"{file.name}: {file.stat().st_size / (1 << 20):.1f} MB")
    return files


def check_installed(machine, folder):
    for name in INSTALLED:
        if not (folder / name).is_file():
            fail(f"{name} was not installed")
    if not (machine.drive / START_MENU).is_file():
        fail("there is no entry in the Start menu")
    if "Highwater.Trace" not in (machine.value(r"HKLM\Software\Classes\.etl\OpenWithProgids", "Highwater.Trace") or ""):
        fail("Highwater is not offered to open .etl files")
    if machine.value(r"HKLM\Software\Classes\.etl", ""):
        fail("the program that opens .etl files was changed")
    if "Highwater.Session" not in (machine.value(r"HKLM\Software\Classes\.highwater", "") or ""):
        fail("a session (.highwater) does not open")
    if not machine.value(UNINSTALL, "QuietUninstallString"):
        fail("Windows does not know how to uninstall it")


def check_programs(machine, folder, cli, trace, picture):
    here = subprocess.run([cli, "info", trace, "--json"], stdout=subprocess.PIPE, check=True).stdout
    there = machine.run(folder / "highwater-cli.exe", "info", windows_path(trace), "--json")
    if there.stdout != here:
        fail(f"highwater-cli.exe says of {trace.name}: {there.stdout!r} {there.stderr!r}")
    picture.unlink(missing_ok=True)
    machine.picture(folder / "highwater.exe", trace, picture)
    if not picture.is_file() or picture.stat().st_size < 20_000:
        fail("highwater.exe left no picture of its window")
    print(f"Its window is in {picture}")


def leave_a_flag(machine):
    """Leaves the traces of a recording whose program was killed: the flag, and the note of the process that set it."""
    flagged = IMAGE_OPTIONS + r"\left_behind.exe"
    journal = r"HKLM\Software\Highwater\HeapTracing\left_behind.exe"
    machine.run("reg", "add", flagged, "/v", "TracingFlags", "/t", "REG_DWORD", "/d", "1", "/f")
    machine.run("reg", "add", journal, "/v", "KeyExisted", "/t", "REG_DWORD", "/d", "0", "/f")
    machine.run("reg", "add", journal, "/v", "Owner", "/t", "REG_DWORD", "/d", "999996", "/f")
    if not machine.value(flagged, "TracingFlags"):
        fail("the test could not set a flag")


def uninstall(machine, folder):
    machine.run(folder / "uninstall.exe", "/S")
    for _ in range(60):  # it continues as a copy of itself
        if not folder.exists():
            return
        time.sleep(1)
    fail(f"left behind: {[str(path) for path in folder.rglob('*')]}")


def check_portable(machine, archive, trace, cli):
    folder = machine.drive / "Ein Ordner für Highwater"
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
    program = next(folder.rglob("highwater-cli.exe"))
    if not (program.parent / "platforms/qwindows.dll").is_file() or not (program.parent / "highwater.exe").is_file():
        fail("the .zip lacks the window or its plugin")
    here = subprocess.run([cli, "info", trace, "--json"], stdout=subprocess.PIPE, check=True).stdout
    if machine.run(program, "info", windows_path(trace), "--json").stdout != here:
        fail("highwater-cli.exe of the .zip does not run where it was unpacked")
    shutil.rmtree(folder)


def main(build, cli, example):
    if not shutil.which("makensis"):
        skip(f"makensis is not installed ({PACKAGES}).")
    if not (build / "app/highwater.exe").exists():
        skip(f"there is no highwater.exe in {build} (see the test windows_build).")
    with tempfile.TemporaryDirectory() as work, Screen() as screen, Wine(Path(work) / "prefix", screen=screen) as wine:
        machine = Machine(wine)
        wine.give_fonts()
        trace = Path(work) / "exercise2.etl"
        subprocess.run([example, trace], check=True)

        step("The packages are made")
        installer, archive = packed(build, Path(work) / "packages")
        before = machine.files(), machine.keys()

        step("The installer installs")
        machine.run(installer, "/S")
        folder = machine.drive / "Program Files/Highwater"
        check_installed(machine, folder)

        step("What it installed runs")
        check_programs(machine, folder, cli, trace, build / "window.png")

        step("It installs over itself")
        (folder / "Qt6Gone.dll").touch()  # from a version that had it
        machine.run(installer, "/S")
        check_installed(machine, folder)
        (folder / "Qt6Gone.dll").unlink()

        step("The uninstaller takes back what recordings left, and leaves nothing")
        leave_a_flag(machine)
        uninstall(machine, folder)
        files, keys = machine.files() - before[0], machine.keys() - before[1]
        ours = [line for line in keys if re.search(r"(?i)highwater|\.etl|left_behind", line)]
        settings = [line for line in ours if line.startswith("[HKEY_CURRENT_USER")]  # the window's: the user's own
        if set(ours) - set(settings):
            fail(f"keys were left behind: {sorted(set(ours) - set(settings))}")
        ours = [path for path in files if "highwater" in path.lower()]
        left = [path for path in ours if not OWN_OF_USER.search(path)]
        if left:
            fail(f"files were left behind: {sorted(left)}")
        print(f"{len(files)} files and {len(keys)} lines of the registry are new, of Wine itself: {sorted(files)[:5]}")

        step("The .zip runs where it is unpacked")
        check_portable(machine, archive, trace, cli)
    print("All well.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
