"""Wine for the tests: its own prefix, no windows, no questions, and nothing left running."""

import ctypes
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

SKIPPED = 77  # SKIP_RETURN_CODE in CMakeLists.txt
PACKAGES = "installer/packages-test.txt"
LANE_SECONDS = 1500  # limit of a whole test; TIMEOUT in CMakeLists.txt, which would leave Wine running, is longer


class TimedOut(Exception):
    """A program did not end in time; contains its output until then."""

    def __init__(self, late):
        command = late.cmd if isinstance(late.cmd, (list, tuple)) else [late.cmd]
        said = "".join((text or b"").decode(errors="replace") for text in (late.stdout, late.stderr))
        super().__init__(f"{' '.join(map(str, command))} did not end within {late.timeout:.0f} s, and said: "
                         f"{said or 'nothing'}")


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def windows_path(path):
    """The Windows path of a file of this system: Wine shows its root as drive Z."""
    return "Z:" + str(Path(path).resolve()).replace("/", "\\")


def keep_addresses():
    """Gives all programs started from here the same memory addresses every time.

    Debian's 64-bit Wine comes without a preloader that would reserve addresses. It needs those around 0x7FFE0000, and
    Linux 6 puts the heap of a program anywhere within 1 GB after it: in one start of a thousand they are taken, and Wine
    exits with code 1 without a message, or a new program is refused with error 1359.
    """
    no_randomizing, what_is_so = 0x0040000, ctypes.c_ulong(0xFFFFFFFF)
    personality = ctypes.CDLL(None).personality
    if personality(ctypes.c_ulong(personality(what_is_so) | no_randomizing)) == -1:
        print("Addresses remain random here: now and then a program may not start under Wine.", flush=True)


class Screen:
    """An invisible X screen on which Wine can show windows. Use it with `with`."""

    def __init__(self, size="1600x1000"):
        if not shutil.which("Xvfb"):
            skip(f"Xvfb is not installed ({PACKAGES}).")
        self.size, self.server, self.display = size, None, None

    def __enter__(self):
        reads, writes = os.pipe()
        command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", f"{self.size}x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, pass_fds=[writes], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        os.close(writes)
        with os.fdopen(reads) as answer:  # the number of the display, once it exists
            number = answer.readline().strip() if select.select([answer], [], [], 120)[0] else ""
        if not number:
            self.__exit__()
            raise RuntimeError("Xvfb does not start")
        self.display = ":" + number
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()


class Wine:
    """Use it with `with`: programs that it started are ended afterwards. `folder` is created, and kept for the next
    time. Without a screen there are no windows."""

    def __init__(self, folder, library_folders=(), screen=None):
        if not shutil.which("wine"):
            skip(f"wine is not installed ({PACKAGES}).")
        keep_addresses()
        self.until = time.monotonic() + LANE_SECONDS
        self.prefix = Path(folder)
        self.environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.environment |= {
            "WINEPREFIX": str(self.prefix),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",  # otherwise it would offer to download them
            "WINEPATH": ";".join(windows_path(folder) for folder in library_folders),
        }
        # Wine does not pass Qt's variables to its programs, except those that are marked as meant for them.
        self.environment["WINEQT_QPA_PLATFORM"] = "windows" if screen else "offscreen"
        if screen:
            self.environment["DISPLAY"] = screen.display

    def __enter__(self):
        self.prefix.mkdir(parents=True, exist_ok=True)
        # The first program starts Wine's services. They keep its output open, and their messages are not part of an
        # answer.
        subprocess.run(["wineserver", "--persistent"], env=self.environment, timeout=60, check=False)
        subprocess.run(["wine", "wineboot"], env=self.environment, timeout=900, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        for option in ("-k", "-w"):
            try:
                subprocess.run(["wineserver", option], env=self.environment, timeout=60, check=False)
            except subprocess.TimeoutExpired as late:
                print(TimedOut(late))

    def patience(self, most=LANE_SECONDS):
        """Seconds to wait for something: `most`, or the rest of the test's time."""
        return max(1, min(most, self.until - time.monotonic()))

    def give_fonts(self):
        """Wine has no fonts of its own; without one texts are boxes."""
        folder = self.prefix / "drive_c/windows/Fonts"
        folder.mkdir(parents=True, exist_ok=True)
        for font in Path("/usr/share/fonts/truetype/dejavu").glob("DejaVuSans*.ttf"):
            shutil.copy(font, folder)

    def run(self, command, timeout=300, **options):
        """Runs a program with its arguments; returns its output, as bytes."""
        try:
            return subprocess.run(["wine", *map(str, command)], env=self.environment, timeout=self.patience(timeout),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  **options)
        except subprocess.TimeoutExpired as late:
            raise TimedOut(late) from None

    def exit_code(self, command, environment):
        """Runs a program of this system that starts others under Wine, and prints by itself."""
        try:
            return subprocess.run(command, env=environment, timeout=self.patience(), check=False).returncode
        except subprocess.TimeoutExpired as late:
            raise TimedOut(late) from None
