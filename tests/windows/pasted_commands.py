#!/usr/bin/env python3
"""Pastes commands that Highwater writes for Windows into cmd under Wine: each word must arrive unchanged, and nothing else
may run.

    pasted_commands.py ROOT FOLDER

FOLDER is created, and kept with the build and its own Wine prefix. Exits with 77 if a tool is missing.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from recorder_test import COMPILER, HEADERS, OPTIONS
from wine import Wine, skip

SOURCES = ["core/base/text.cpp", "core/export/shell_words.cpp", "core/export/shell_words_windows.cpp",
           "tests/windows/pasted_words_windows.cpp"]
INJECTED = "echo injected>injected.txt"


def words():
    """Every ASCII character except NUL in every place of a word, and sequences with a meaning in cmd. Wine's cmd cannot
    read other characters from a file, and none of them has a meaning."""
    parts = [chr(c) for c in range(1, 128)]
    parts += ["%PATH%", "^&", "!PATH!",
              f'" & {INJECTED} & "', f"& {INJECTED}", f'\\" & {INJECTED} & \\"', f"%CD:~0,0% & {INJECTED}", f"\n{INJECTED}\n",
              f"^\n{INJECTED}", f"| {INJECTED}", f"({INJECTED})", f'""" & {INJECTED}', "\\", "\\\\", "--"]
    shapes = ["{0}", "a{0}b", "{0}a b", "a b{0}", "{0}{0}", "a {0}{0} b", "--x={0}", "C:\\a b\\{0}", "[Process]:='{0} (7)'"]
    return [shape.format(part) for part in parts for shape in shapes] + [""]


def build(root, folder):
    (folder / "include").mkdir(parents=True, exist_ok=True)
    for library in HEADERS:
        if not (folder / "include" / library).exists():
            (folder / "include" / library).symlink_to(f"/usr/include/{library}")
    program = folder / "pasted-words.exe"
    subprocess.run([COMPILER, *OPTIONS, "-static", f"-I{root}", "-isystem", folder / "include", "-o", program,
                    *(root / source for source in SOURCES), "-lshell32"], check=True)
    return program


def main(root, folder):
    if not shutil.which(COMPILER):
        skip(f"{COMPILER} is missing: install g++-mingw-w64-x86-64-posix (installer/packages-test.txt).")
    with Wine(folder / "prefix") as wine:
        program = build(root, folder)
        for name in ("said.txt", "injected.txt"):
            (folder / name).unlink(missing_ok=True)
        asked = words()
        (folder / "words.txt").write_text("".join(word.encode().hex() + "\n" for word in asked), encoding="ascii")
        wine.run([program, "--write", "words.txt", "commands.txt"], cwd=folder)
        commands = (folder / "commands.txt").read_bytes().split(b"\n")[:-1]
        assert len(commands) == len(asked), "a command has a line end"
        # As if typed: a batch file treats percent signs differently. From a pipe Wine's cmd reads one line.
        (folder / "pasted.txt").write_bytes(b"".join(command + b"\r\n" for command in commands if command))
        with open(folder / "pasted.txt", "rb") as pasted:
            subprocess.run(["wine", "cmd"], stdin=pasted, env=wine.environment, cwd=folder, timeout=wine.patience(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wanted = [word.encode().hex() for word, command in zip(asked, commands) if command]
    if not (folder / "said.txt").exists():
        sys.exit("cmd ran none of the commands.")
    said = (folder / "said.txt").read_text(encoding="ascii").split("\n")[:-1]
    wrong = [(want, got) for want, got in zip(wanted, said) if want != got]
    print(f"{len(wanted)} of {len(asked)} words are written for cmd; {len(said)} arrived, {len(wrong)} otherwise")
    for want, got in wrong[:20]:
        print(f"  {bytes.fromhex(want)} arrived as {[bytes.fromhex(word) for word in got.split(' ')]}")
    if (folder / "injected.txt").exists():
        print("A word ran a command.")
    return 0 if len(wanted) > 700 and wanted == said and not (folder / "injected.txt").exists() else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
