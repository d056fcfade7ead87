#!/usr/bin/env python3
"""Runs the fuzz targets of a build, and prints one line for each.

    run_fuzzers.py BUILD WORK SECONDS [--traces FOLDER] [--found FOLDER]

SECONDS of wall-clock time for all targets together, divided by weight; one target runs on each processor. The corpus of
libFuzzer's targets (preset fuzz) grows in WORK/corpus/TARGET from one run to the next, and is minimised at the end; the
others (any other preset) only change the seeds. Failing inputs are kept in FOLDER (WORK/found), logs in
WORK/fuzz_TARGET.log. The exit code is 1 if a problem was found.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# A target's share of the time, its input length, and the dictionary of its words.
TARGETS = {
    "heap_snapshot_fuzz": (1, 65_536, None),
    "load_fuzz": (6, 300_000, "etl"),
    "etl_file_fuzz": (3, 300_000, "etl"),
    "symbol_file_fuzz": (4, 1_100_000, None),
    "split_dwarf_fuzz": (2, 300_000, None),
    "agent_channel_fuzz": (3, 8_192, "agent_channel"),
    "zip_archive_fuzz": (2, 300_000, "zip"),
    "generated_code_fuzz": (1, 8_192, None),
    "profiler_file_fuzz": (3, 65_536, None),
    "fleet_answer_fuzz": (1, 8_192, None),
    "program_file_fuzz": (1, 16_384, None),
    "query_fuzz": (2, 2_048, "query"),
    "resident_record_fuzz": (1, 65_536, None),
    "core_file_fuzz": (2, 65_536, None),
    "name_cache_fuzz": (1, 8_192, None),
    "profile_fuzz": (1, 16_384, "profile"),
    "stack_tags_fuzz": (1, 16_384, "stack_tags"),
    "session_fuzz": (1, 16_384, "session"),
    "symbol_path_fuzz": (1, 2_048, "symbol_path"),
}
SECONDS_OF_AN_INPUT = 25  # ten, times the factor of the sanitizers
MOST_MEGABYTES = 2_560


@dataclass
class Run:
    target: str
    is_ok: bool
    line: str


class Fuzzing:
    def __init__(self, build, work, found, seeds):
        self.programs = build / "tests/fuzz"
        self.is_libfuzzer = "fuzzer" in (build / "CMakeCache.txt").read_text().split("HIGHWATER_SANITIZE:", 1)[-1].split("\n", 1)[0]
        self.work, self.found, self.seeds = work, found, seeds

    def targets(self):
        return [target for target in TARGETS if (self.programs / target).exists()]

    def run(self, target, seconds):
        begin = time.monotonic()
        before = set(self.found.iterdir())
        with open(self.work / f"fuzz_{target}.log", "wb") as log:
            command = self._libfuzzer(target, seconds) if self.is_libfuzzer else self._replay(target, seconds)
            status = subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False).returncode
        kept = sorted(path for path in set(self.found.iterdir()) - before if path.name.startswith(target))
        text = (self.work / f"fuzz_{target}.log").read_text(errors="replace")
        done = [re.search(pattern, text) for pattern in (r"number_of_executed_units: (\d+)", r"Done (\d+) runs")]
        runs = next((int(match.group(1)) for match in done if match), 0)
        line = f"{runs:,} runs {runs / max(time.monotonic() - begin, 0.001):,.0f}/s"
        if self.is_libfuzzer:
            self._minimise(target)
            line += f" corpus {sum(1 for _ in self._corpus(target).iterdir()):,}"
        line += "".join(f"; found {path}" for path in kept)
        return Run(target, status == 0 and runs > 0 and not kept, line if status == 0 else f"{line}; exit code {status}")

    def _corpus(self, target):
        folder = self.work / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _flags(self, target):
        _, longest, _ = TARGETS[target]
        return [f"-max_len={longest}", f"-timeout={SECONDS_OF_AN_INPUT}", f"-rss_limit_mb={MOST_MEGABYTES}",
                f"-artifact_prefix={self.found}/{target}-"]

    def _libfuzzer(self, target, seconds):
        _, _, words = TARGETS[target]
        more = [f"-dict={self.seeds / words}.dict"] if words else []
        return [self.programs / target, *self._flags(target), *more, f"-max_total_time={max(1, round(seconds))}",
                "-print_final_stats=1", self._corpus(target), self.seeds / target]

    def _replay(self, target, seconds):
        return [self.programs / target, "--seconds", f"{seconds:.1f}", "--found", self.found, self.seeds / target]

    def _minimise(self, target):
        """Removes inputs that do not add coverage; keeps the old corpus if that does not finish."""
        corpus, smaller = self._corpus(target), self.work / "corpus" / f"{target}.new"
        shutil.rmtree(smaller, ignore_errors=True)
        smaller.mkdir()
        with open(self.work / f"fuzz_{target}.log", "ab") as log:
            merged = subprocess.run([self.programs / target, "-merge=1", *self._flags(target), smaller, corpus],
                                    stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False)
        if merged.returncode == 0 and any(smaller.iterdir()):
            shutil.rmtree(corpus)
            smaller.rename(corpus)
        else:
            shutil.rmtree(smaller)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--traces", type=Path)
    parser.add_argument("--found", type=Path)
    arguments = parser.parse_args()
    build, work = arguments.build.resolve(), arguments.work.resolve()
    found = (arguments.found or work / "found").resolve()
    seeds = work / "seeds"
    shutil.rmtree(seeds, ignore_errors=True)
    for folder in (found, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    traces = [arguments.traces] if arguments.traces else []
    subprocess.run([sys.executable, Path(__file__).with_name("make_seeds.py"), build, seeds, *traces], check=True)

    fuzzing = Fuzzing(build, work, found, seeds)
    at_once = len(os.sched_getaffinity(0))
    targets = fuzzing.targets()
    weights = sum(TARGETS[target][0] for target in targets)
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        runs = list(pool.map(lambda t: fuzzing.run(t, arguments.seconds * at_once * TARGETS[t][0] / weights), targets))
    for run in runs:
        print(f"{run.target:<20} {'ok' if run.is_ok else 'FAILED':<7} {run.line}")
    return 0 if runs and all(run.is_ok for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
