#!/usr/bin/env python3
"""Prepares Wine and runs windows_symbols_test.

    same_symbols.py BUILD WINDOWS_SYMBOLS_TEST

BUILD is the folder of build_for_windows.py.
"""

import sys
from pathlib import Path

from wine import Wine, skip


def main(build, test):
    program = build / "tree/tests/symbol_names/symbol-names.exe"
    if not program.exists():
        skip("symbol-names.exe was not built (see the test windows_build).")
    with Wine(build / "prefix") as wine:
        environment = wine.environment | {"HIGHWATER_SYMBOL_NAMES": str(program)}
        return wine.exit_code([test], environment)


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
