"""Wine for the tests: its own prefix, no windows, no questions, and nothing left running."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77  # SKIP_RETURN_CODE in CMakeLists.txt
PACKAGES = "installer/packages-test.txt"


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def windows_path(path):
    """Of a file of this system: Wine shows its root as drive Z."""
    return "Z:" + str(Path(path).resolve()).replace("/", "\\")


class Wine:
    """Use it with `with`: what it started is ended behind it. `folder` is made, and kept for the next time."""

    def __init__(self, folder, library_folders=()):
        if not shutil.which("wine"):
            skip(f"wine is not installed ({PACKAGES}).")
        self.prefix = Path(folder)
        self.environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.environment |= {
            "WINEPREFIX": str(self.prefix),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",  # it would ask to download them
            "WINEPATH": ";".join(windows_path(folder) for folder in library_folders),
            "QT_QPA_PLATFORM": "offscreen",
        }

    def __enter__(self):
        self.prefix.mkdir(parents=True, exist_ok=True)
        # The first program starts Wine's services. They keep its output open, and what they say is not an answer.
        subprocess.run(["wineserver", "--persistent"], env=self.environment, timeout=60, check=False)
        subprocess.run(["wine", "wineboot"], env=self.environment, timeout=900, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        for option in ("-k", "-w"):
            subprocess.run(["wineserver", option], env=self.environment, timeout=60, check=False)

    def run(self, command, timeout=300, **options):
        """A program with its arguments; what it printed, as bytes."""
        return subprocess.run(["wine", *map(str, command)], env=self.environment, timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              **options)
