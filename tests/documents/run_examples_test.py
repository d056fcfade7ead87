#!/usr/bin/env python3
"""Checks that run_examples.py accepts correct examples, notices each kind of wrong example, and updates stale output."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEEDS = HERE / "seeds"
FAKE_CLI = """#!/bin/sh
case $1 in
answer) printf 'Title\\n\\nfirst   1\\nsecond  2\\nTotal   3\\n'
    printf 'highwater-cli: A note.\\nhighwater-cli: Another note.\\n' >&2 ;;
fails) printf 'highwater-cli: It failed for\\n  no reason\\n' >&2
    exit 2 ;;
print) cat "$2" ;;
recorded) echo "highwater-cli: Recorded $$ blocks in 0.$$ s: 7.etl." >&2 ;;
esac
"""
FAKE_EXAMPLE = "#!/bin/sh\necho trace > \"$1\"\n"
SKIPPED = ["right:47: not run: there is no no-such-program here", "right:52: not run: needs a server",
           "7 examples of 1 pages, 0 problems"]


def program(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="ascii")
    path.chmod(0o755)
    return path


def run(programs, page, *options):
    command = [sys.executable, HERE / "run_examples.py", *programs, *options, page]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    sys.stderr.write(result.stderr)
    return result.returncode, result.stdout.replace(f"{page.name}:", f"{page.stem}:").splitlines()


def seed(name):
    return SEEDS / f"{name}.md"


def main():
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = [program(folder, "cli", FAKE_CLI), program(folder, "example", FAKE_EXAMPLE),
                    program(folder, "target", "#!/bin/sh\n")]
        expected = (SEEDS / "wrong.txt").read_text(encoding="utf-8").splitlines()
        copy = folder / seed("stale").name
        shutil.copyfile(seed("stale"), copy)
        for what, found, wanted in (("right examples", run(programs, seed("right")), (0, SKIPPED)),
                                    ("wrong examples", run(programs, seed("wrong")), (1, expected)),
                                    ("no examples", run(programs, HERE.parents[1] / "SECURITY.md")[0], 1),
                                    ("stale output", run(programs, copy)[0], 1),
                                    ("stale output, updated", run(programs, copy, "--update")[0], 0),
                                    ("the updated page", copy.read_text(), seed("updated").read_text()),
                                    ("the updated page, run", run(programs, copy)[0], 0)):
            print(f"{'ok  ' if found == wanted else 'FAIL'}  {what}")
            if found != wanted:
                failures.append(what)
                print(f"  found:  {found}\n  wanted: {wanted}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
