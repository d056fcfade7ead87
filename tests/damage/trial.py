"""Runs highwater-cli on an untrusted file, and reports the problems of the run.

The limits are those that SECURITY.md promises for 10 MB. A run's time is its processor time or its wall-clock time,
whichever is less, so that other load on the machine does not count. The limits are scaled on a slower processor than the
one that they were set on.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

MOST_SECONDS = 10
MOST_BYTES = 2 << 30
MOST_ADDRESS_SPACE = 4 << 30  # so that a mistake does not take down the machine; memory that is only reserved counts
WITH_SANITIZERS = 10  # times as slow and as large, at most
SECONDS_OF_LOOP = 0.4  # the loop below, on the processor that the limits were set on
MOST_SLOWNESS = 3
LATE = "it took longer than allowed:"

QUESTIONS = {
    "info": ["info", "{}", "--json"],
    "virtualalloc": ["table", "{}", "--table", "virtualalloc", "--by", "Process,Impacting Type,Commit Stack", "--depth", "6",
                     "--top", "20", "--no-symbols", "--format", "json"],
    "heap": ["table", "{}", "--table", "heap", "--by", "Process,Handle,Stack", "--depth", "6", "--top", "20", "--no-symbols",
             "--format", "json"],
    "frees": ["table", "{}", "--table", "frees", "--by", "Process,Free Type", "--no-symbols", "--format", "json"],
    "address": ["table", "{}", "--table", "heap", "--by", "Address", "--top", "20", "--no-symbols", "--format", "json"],
    "timeline": ["timeline", "{}", "--table", "virtualalloc", "--by", "Process", "--points", "100", "--format", "json"],
}

# For files that are not traces: the fuzz target that processes them like the program.
READERS = ("generated_code_fuzz", "profile_fuzz", "session_fuzz", "symbol_file_fuzz")


def slowness():
    """The factor by which this processor is slower now, at least 1."""
    begin = time.thread_time()
    cells = {}
    for i in range(3_000_000):
        cells[i * 7919 % 1_000_003] = i
    return min(max((time.thread_time() - begin) / SECONDS_OF_LOOP, 1), MOST_SLOWNESS)


@dataclass
class Outcome:
    problem: str  # "": no problem
    exit_code: int
    seconds: float
    peak_bytes: int

    @property
    def is_late(self):
        """It ended, but too late."""
        return self.problem.startswith(LATE)


class Trial:
    """The program under test, and its kind of build."""

    def __init__(self, build):
        self.cli = build / "app/cli/highwater-cli"
        self.readers = build / "tests/fuzz"
        cache = (build / "CMakeCache.txt").read_text() if (build / "CMakeCache.txt").exists() else ""
        sanitize = re.search(r"^HIGHWATER_SANITIZE:\w+=(.+)$", cache, re.MULTILINE)
        self.is_sanitized = bool(sanitize)
        self.most_seconds = MOST_SECONDS * (WITH_SANITIZERS if self.is_sanitized else 1)
        self.most_bytes = MOST_BYTES * (WITH_SANITIZERS if self.is_sanitized else 1)
        self.patience = self.most_seconds * 6  # wall-clock time

    def command(self, question, path):
        if question in READERS:
            return [str(self.readers / question), "--patience", str(self.patience), str(path)]
        return [str(self.cli), *(part.replace("{}", str(path)) for part in QUESTIONS[question])]

    def run(self, question, path):
        """Queries the file in an empty folder of its own. Any thread. Parallel runs share memory and caches, which slows
        them down: a late outcome counts only if confirm() agrees."""
        with tempfile.TemporaryDirectory(prefix="highwater-trial-") as home:
            return self._run(question, path, home)

    def confirm(self, outcome, question, path):
        """The outcome of another run if this one was late. Nothing else may run meanwhile."""
        return self.run(question, path) if outcome.is_late else outcome

    def _run(self, question, path, home):
        command = self.command(question, path)
        if not self.is_sanitized:
            command = ["prlimit", f"--as={MOST_ADDRESS_SPACE}", "--core=0", *command]
        environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8"}
        with tempfile.TemporaryFile(dir=home) as answers, tempfile.TemporaryFile(dir=home) as messages:
            begin = time.monotonic()
            process = subprocess.Popen(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=answers,
                                       stderr=messages)
            is_late = threading.Event()

            def give_up():
                is_late.set()
                os.kill(process.pid, 9)  # before it is waited for: the number is still its own

            timer = threading.Timer(self.patience, give_up)
            timer.start()
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            timer.cancel()
            timer.join()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = min(time.monotonic() - begin, usage.ru_utime + usage.ru_stime)
            answers.seek(0)
            messages.seek(0)
            outcome = Outcome("", process.returncode, seconds, usage.ru_maxrss * 1024)
            outcome.problem = "it hung" if is_late.is_set() else self._problem(outcome, messages.read())
            if not outcome.problem and question in QUESTIONS:
                outcome.problem = self._json_problem(outcome, answers.read())
            return outcome

    def _problem(self, outcome, messages):
        text = messages.decode("utf-8", "replace")
        if "Sanitizer" in text or "runtime error:" in text:
            return "a sanitizer reported " + (re.search(r".*(?:Sanitizer|runtime error:).*", text).group(0)[:200])
        if outcome.exit_code < 0:
            return f"it ended by signal {-outcome.exit_code}"
        if outcome.exit_code not in (0, 2):
            return f"exit code {outcome.exit_code}: {text[:200]!r}"
        if outcome.exit_code == 2 and not re.search(r"\w.*\.$", text.strip()):
            return f"it refused without a sentence: {text[:200]!r}"
        if outcome.seconds > self.most_seconds and outcome.seconds > self.most_seconds * slowness():
            return f"{LATE} {outcome.seconds:.1f} s"
        if outcome.peak_bytes > self.most_bytes:
            return f"it took {outcome.peak_bytes >> 20} MB"
        return ""

    @staticmethod
    def _json_problem(outcome, answers):
        if outcome.exit_code != 0:
            return ""
        try:
            json.loads(answers)
        except ValueError as error:
            return f"its answer is not JSON: {error}"
        return ""


class Found:
    """Keeps failing files, with the command that shows each failure."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.count = 0
        self._lock = threading.Lock()

    def keep(self, trial, question, path, outcome):
        with self._lock:
            self.folder.mkdir(parents=True, exist_ok=True)
            kept = self.folder / Path(path).name
            if not kept.exists():
                shutil.copy(path, kept)
            self.count += 1
        command = " ".join(f"'{word}'" if " " in word else word for word in trial.command(question, kept))
        return f"{outcome.problem}\n    {command}"
