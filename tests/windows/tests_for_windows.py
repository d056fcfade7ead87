#!/usr/bin/env python3
"""Runs tests of core that were built for Windows, under Wine.

    tests_for_windows.py BUILD CORE_TEST...

BUILD is the folder of build_for_windows.py.
"""

import os
import sys
from pathlib import Path

from wine import Wine, skip

COMPILER_LIBRARIES = ["/usr/lib/gcc/x86_64-w64-mingw32/12-posix", "/usr/x86_64-w64-mingw32/lib"]


def main(build, *core_tests):
    build = Path(build).resolve()
    qt = build / "qt/qt6-mingw"
    if not qt.exists():
        skip("Qt for Windows is not here: no tests of core were built for it (see the test windows_build).")
    with Wine(build / "prefix", [qt / "bin", *COMPILER_LIBRARIES]) as wine:
        return wine.exit_code(["ctest", "--test-dir", build / "tree", "--output-on-failure", "--no-tests=error", "-R",
                               f"^({'|'.join(core_tests)})$", "-j", str(os.cpu_count()), "--timeout", "600"],
                              wine.environment)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
