#!/usr/bin/env python3
"""Runs each check on every tree of its seeds, and requires exactly the violations in the tree's expected.txt.

A check that finds nothing looks like a check that passes. So each seed breaks one rule, and a rule that stops working
is noticed. The trees `allowed` do not break any.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKS = {"seeds": "check_layers.py", "doc_seeds": "check_docs.py", "test_seeds": "check_tests.py"}


def main():
    seeds = sorted(seed for folder in CHECKS for seed in (HERE / folder).iterdir() if seed.is_dir())
    failures = 0
    for seed in seeds:
        check, name = CHECKS[seed.parent.name], f"{seed.parent.name}/{seed.name}"
        expected = (seed / "expected.txt").read_text(encoding="utf-8").splitlines()
        result = subprocess.run([sys.executable, HERE / check, seed], capture_output=True, text=True)
        found = result.stdout.splitlines() if result.returncode == 1 else []
        if found == expected and result.returncode == (1 if expected else 0):
            print(f"ok    {name}")
            continue
        failures += 1
        print(f"FAIL  {name}: exit code {result.returncode}")
        for line in expected:
            if line not in found:
                print(f"  missing:  {line}")
        for line in found:
            if line not in expected:
                print(f"  too much: {line}")
        sys.stdout.write(result.stderr)
    print(f"{len(seeds)} seeds, {failures} failed")
    checked = {seed.parent.name for seed in seeds}
    return 0 if checked == CHECKS.keys() and failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
