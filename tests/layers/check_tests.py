#!/usr/bin/env python3
"""Fails on a source of more than 150 lines that has no test of its name, and on an exception that is not needed any more.

    check_tests.py ROOT

The test of core/a/b.cpp is b_test.cpp anywhere below tests/; of b_linux.cpp also b_linux_test.cpp or b_test_linux.cpp.
tests/layers/without_a_test.txt lists those that have none, each with what tests it instead, or why nothing does.
Prints one line a violation and ends with 1 if there is any.
"""

import re
import sys
from pathlib import Path

MOST_LINES = 150
EXCEPTIONS = "tests/layers/without_a_test.txt"
# Trees that break the rules on purpose.
SEEDS = ("tests/layers/",)


def sources(root):
    return sorted(path.relative_to(root).as_posix() for folder in ("core", "ui", "app") for path in (root / folder).rglob("*.cpp"))


def is_long(path):
    return len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES


def names_of_tests(source):
    stem = Path(source).stem
    plain, system = re.fullmatch(r"(.*?)(_linux|_windows)?", stem).groups()
    return {f"{stem}_test.cpp", f"{plain}_test.cpp", f"{plain}_test{system or ''}.cpp"}


def exceptions(root):
    """Path to reason. Lines `path: reason`; # begins a comment."""
    file = root / EXCEPTIONS
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    return dict((part.strip() for part in line.partition(":")[::2]) for line in lines)


def violations(root):
    tests = {path.name for path in (root / "tests").rglob("*.cpp") if not path.relative_to(root).as_posix().startswith(SEEDS)}
    allowed = exceptions(root)
    found = sources(root)
    for source in found:
        needs_test = is_long(root / source) and not (names_of_tests(source) & tests)
        if needs_test and source not in allowed:
            yield f"{source}: more than {MOST_LINES} lines and no {Path(source).stem}_test.cpp"
        if not needs_test and source in allowed:
            yield f"{EXCEPTIONS}: {source} needs no exception any more"
    for source, reason in allowed.items():
        if source not in found:
            yield f"{EXCEPTIONS}: there is no {source}"
        elif not reason:
            yield f"{EXCEPTIONS}: {source} gives no reason"


def main():
    root = Path(sys.argv[1])
    found = list(violations(root))
    for line in found:
        print(line)
    if not found:
        print(f"{len(sources(root))} sources, {len(exceptions(root))} long ones without a test of their name")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
