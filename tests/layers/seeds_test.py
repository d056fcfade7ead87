#!/usr/bin/env python3
"""Runs check_layers.py on every tree below seeds/ and demands exactly the violations that its expected.txt lists.

A check that finds nothing looks like a check that passes: each seed breaks one rule, so that a rule that stops working
is noticed. The tree `allowed` breaks none.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    seeds = sorted(seed for seed in (HERE / "seeds").iterdir() if seed.is_dir())
    failures = 0
    for seed in seeds:
        expected = (seed / "expected.txt").read_text(encoding="utf-8").splitlines()
        result = subprocess.run([sys.executable, HERE / "check_layers.py", seed], capture_output=True, text=True)
        found = result.stdout.splitlines() if result.returncode == 1 else []
        if found == expected and result.returncode == (1 if expected else 0):
            print(f"ok    {seed.name}")
            continue
        failures += 1
        print(f"FAIL  {seed.name}: exit code {result.returncode}")
        for line in expected:
            if line not in found:
                print(f"  missing:  {line}")
        for line in found:
            if line not in expected:
                print(f"  too much: {line}")
        sys.stdout.write(result.stderr)
    print(f"{len(seeds)} seeds, {failures} failed")
    return 0 if seeds and failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
