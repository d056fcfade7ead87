#!/usr/bin/env python3
"""Cross-builds this tree for Windows, for the tests beside it.

    build_for_windows.py SOURCE BUILD QT_ARCHIVE CORE_TEST...

With the archive (Qt for mingw-w64, see its README) the window, its test and these tests of core are also built; it is
unpacked once into BUILD.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wine import PACKAGES, skip

COMPILER = "x86_64-w64-mingw32-g++-posix"
PROGRAMS = ["highwater-cli", "memory_test_app", "symbol-names", "etw_simulator", "etw_simulator_test"]
WITH_QT = ["highwater", "windows_window_test"]


def unpacked_qt(archive, build):
    """The folder of Qt for Windows, or None."""
    if not archive.is_file():
        print(f"{archive} is not there: neither the window nor tests of core are built for Windows.")
        return None
    folder = build / "qt"
    mark = folder / "unpacked"
    if not mark.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run(["tar", "xJf", archive, "-C", folder], check=True)
        mark.touch()
    return folder / "qt6-mingw"


def main(source, build, archive, *core_tests):
    source, build, archive = (Path(word).resolve() for word in (source, build, archive))
    for program in (COMPILER, "wine"):
        if not shutil.which(program):
            skip(f"{program} is not installed ({PACKAGES}).")
    if not Path("/usr/x86_64-w64-mingw32/include/zlib.h").exists():
        skip(f"zlib for mingw-w64 is not installed ({PACKAGES}).")
    build.mkdir(parents=True, exist_ok=True)
    # Compiler flags of this system's build are not meant for this one.
    environment = {name: value for name, value in os.environ.items() if name not in ("LDFLAGS", "CFLAGS", "CXXFLAGS")}
    # Little optimised, because compiling takes most of the time.
    qt = unpacked_qt(archive, build)
    switch = "ON" if qt else "OFF"
    options = ["-DHIGHWATER_ETW_SIMULATOR=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", f"-DHIGHWATER_WINDOW={switch}",
               f"-DHIGHWATER_TESTS={switch}"]
    if qt:
        options.append(f"-DHIGHWATER_WINDOWS_QT={qt}")
    targets = [*PROGRAMS, *([*WITH_QT, *core_tests] if qt else [])]
    configure = ["cmake", "--preset", "windows-cross", "-S", source, "-B", build / "tree", *options]
    for command in (configure, ["cmake", "--build", build / "tree", "--target", *targets]):
        code = subprocess.run(command, cwd=source, env=environment, check=False).returncode
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
