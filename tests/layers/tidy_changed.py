#!/usr/bin/env python3
"""Runs clang-tidy over the sources that have changed.

    tidy_changed.py ROOT BUILD_DIR [SINCE]

Checks the files that changed since SINCE (a commit). Without SINCE, these are uncommitted changes, or, if there are none,
the changes of the last commit. For a header, it checks the source with the same name, otherwise the first source that
includes it. BUILD_DIR contains compile_commands.json; that of the preset linux-dev has one entry per file. Ends with 1 if
there are findings, with 2 if it could not start.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOOLS = ("clang-tidy-19", "clang-tidy")
# The commands are those of GCC, some of whose warnings Clang does not support.
ARGUMENTS = ("--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error", "--warnings-as-errors=*")


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True, text=True).stdout.split()


def changed_files(root, since):
    if since:
        return git(root, "diff", "--name-only", "--diff-filter=d", since)
    files = git(root, "diff", "--name-only", "--diff-filter=d", "HEAD") + git(
        root, "ls-files", "--others", "--exclude-standard")
    return files or git(root, "diff", "--name-only", "--diff-filter=d", "HEAD~1")


def includes(source, header):
    return re.search(rf'^#include "{re.escape(header)}"', source.read_text(encoding="utf-8", errors="replace"), re.M)


def sources_of(root, files):
    """The sources that a build for this system compiles."""
    sources = []
    for file in files:
        path = Path(file)
        if path.suffix == ".h":
            own = path.with_suffix(".cpp")
            every = (source.relative_to(root) for top in ("core", "ui", "app", "tests")
                     for source in sorted((root / top).rglob("*.cpp")))
            path = own if (root / own).is_file() else next((source for source in every if includes(root / source, file)), path)
        if path.suffix == ".cpp" and not path.stem.endswith("_windows") and path not in sources:
            sources.append(path)
    return sources


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root, build = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    tool = next((found for found in map(shutil.which, TOOLS) if found), None)
    if tool is None:
        print("clang-tidy is not installed (package clang-tidy).", file=sys.stderr)
        return 2
    if not (build / "compile_commands.json").is_file():
        print(f"{build} has no compile_commands.json: configure it first.", file=sys.stderr)
        return 2
    commands = (build / "compile_commands.json").read_text(encoding="utf-8")
    since = arguments[2] if len(arguments) == 3 else None
    sources = [source for source in sources_of(root, changed_files(root, since)) if f'{source}"' in commands]

    def check(source):
        return source, subprocess.run([tool, "-p", build, *ARGUMENTS, root / source], capture_output=True, text=True)

    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, result in pool.map(check, sources):
            print(f"{'ok  ' if result.returncode == 0 else 'FAIL'}  {source}")
            failed += result.returncode != 0
            sys.stdout.write(result.stdout)
    print(f"{len(sources)} sources, {failed} to be mended")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
