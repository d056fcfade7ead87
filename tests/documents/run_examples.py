#!/usr/bin/env python3
"""Runs the example commands of the documents and compares exit codes and shown output.

    run_examples.py HIGHWATER_CLI HIGHWATER_EXAMPLE MEMORY_TEST_APP [--window HIGHWATER] [--update] PAGE...

Examples are the lines that start with `highwater-cli` or `highwater` in ```sh blocks, and the lines that start with
`$ ` in blocks without a language; the lines below these are the output. Each page has a folder of its own with the
files that the documents name (inputs.py): traces, runs of other builds, programs to record.

- The exit code is 0, or the N of "exit code N" in the comment behind the command. `; echo $?` also shows it.
- Shown lines of stdout must be all of stdout. Shown lines of stderr (`highwater-cli: ...`) must occur there in that
  order. A line `...` matches any number of lines, `...` in a line any text. Without any shown line, the output
  is not compared.
- ```sql blocks run in the SQLite file of the page (inputs.py).
- Durations above 2 seconds are shortened. Commands that need a missing program (jq, go) are skipped, and listed.

HTML comments before a block:

    <!-- not run: REASON -->   skips the block; the reason is printed
    <!-- file: NAME -->        writes the block into this file, for the commands after it

--update writes the output of today into the pages. Prints one line per problem; exits with 1 if there is any.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path

import inputs

LONGEST = 120  # seconds, of one command
FENCE = re.compile(r"^(\s*)(```+)(.*)$")
MARKER = re.compile(r"^\s*<!-- *(not run|file): *(.*?) *-->\s*$")
EXIT_CODE = re.compile(r"exit code (\d+)")
PROGRAMS = ("highwater-cli", "highwater")


class Block:
    """A fenced block of a page."""

    def __init__(self, page, number, indent, language, marker):
        self.page = page
        self.first = number  # index of its first line in the page
        self.indent = indent
        self.language = language
        self.marker = marker  # ("not run" or "file", text), or None
        self.lines = []


class Example:
    """A command and the output that the page shows below it."""

    def __init__(self, block, at, command, code):
        self.block = block
        self.at = at  # index of the command in the block
        self.command = command
        self.code = code
        self.shown_at = at + 1
        self.shown = []

    @property
    def place(self):
        return f"{self.block.page}:{self.block.first + self.at + 1}"


def blocks_of(page, name):
    blocks, block, marker, fence = [], None, None, None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
        found = FENCE.match(line)
        if block is not None:
            if found and found[2] == fence and not found[3].strip():
                blocks.append(block)
                block = marker = None
            else:
                block.lines.append(line[len(block.indent):] if line.startswith(block.indent) else line.lstrip())
        elif found:
            fence = found[2]
            block = Block(name, number + 1, found[1], found[3].strip(), marker)
        elif line.strip():
            comment = MARKER.match(line)
            marker = (comment[1], comment[2]) if comment else None
    return blocks


def without_comment(line):
    """The command, and the comment behind it."""
    quote = ""
    for i, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and (i == 0 or line[i - 1].isspace()):
            return line[:i].rstrip(), line[i:]
    return line.rstrip(), ""


def examples_of(block):
    if block.language == "sh":
        return script_examples(block)
    return session_examples(block) if block.language == "" else []


def script_examples(block):
    examples, at = [], 0
    while at < len(block.lines):
        first, command = at, block.lines[at].strip()
        while command.endswith("\\") and at + 1 < len(block.lines):
            at += 1
            command = command[:-1] + block.lines[at].strip()
        at += 1
        command, comment = without_comment(command)
        if command.split(" ")[0] in PROGRAMS:
            code = EXIT_CODE.search(comment)
            examples.append(Example(block, first, command, int(code[1]) if code else 0))
    return examples


def session_examples(block):
    examples = []
    for at, line in enumerate(block.lines):
        if line.startswith("$ "):
            command, comment = without_comment(line[2:])
            code = EXIT_CODE.search(comment)
            examples.append(Example(block, at, command, int(code[1]) if code else 0))
        elif examples:
            examples[-1].shown.append(line)
    return examples


def fits(shown, actual):
    if "..." not in shown:
        return shown.rstrip() == actual.rstrip()
    return re.fullmatch(".*".join(map(re.escape, shown.rstrip().split("..."))), actual.rstrip()) is not None


def is_gap(line):
    return line.strip() == "..."


def is_message(line):
    return line.startswith("highwater-cli: ") or line.startswith("highwater: ")


def difference(shown, actual):
    """None, or the first line of stdout that is not as shown."""
    def match(i, j):
        while i < len(shown):
            if is_gap(shown[i]):
                return any(match(i + 1, k) for k in range(j, len(actual) + 1))
            if j >= len(actual) or not fits(shown[i], actual[j]):
                return False
            i, j = i + 1, j + 1
        return j == len(actual)

    if match(0, 0):
        return None
    for line in shown:
        if not is_gap(line) and not any(fits(line, other) for other in actual):
            return f"not printed: {line}"
    extra = next((line for line in actual if not any(fits(shown_line, line) for shown_line in shown)), None)
    return f"not shown: {extra}" if extra is not None else "the lines are in another order"


def missing_message(shown, actual):
    """None, or the first line of stderr that does not come, or not in this order."""
    at = 0
    for line in shown:
        found = next((i for i in range(at, len(actual)) if fits(line, actual[i])), None)
        if found is None:
            return f"not printed: {line}"
        at = found + 1
    return None


def split_streams(shown, out, err):
    """The shown lines of stdout, and those of stderr: messages, and the lines below them that only stderr has."""
    of_stdout, of_stderr = [], []
    for line in shown:
        below_message = of_stderr and not any(fits(line, other) for other in out)
        goes_on = below_message and not is_gap(line) and any(fits(line, other) for other in err)
        (of_stderr if is_message(line) or goes_on else of_stdout).append(line)
    if not out and of_stderr:
        of_stdout = [line for line in of_stdout if not is_gap(line)]
    return of_stdout, of_stderr


def run(command, folder, environment):
    """Exit code, and the lines of stdout and stderr. Programs that a recording leaves behind are ended."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        try:
            process.wait(timeout=LONGEST)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace").splitlines())
    return process.returncode, *texts


class Page:
    """Runs the examples of one page in a folder of its own."""

    def __init__(self, path, masters, folder):
        self.path = path
        self.name = path.name
        self.inputs = inputs.Inputs(folder, masters)
        self.environment = masters.environment
        self.problems, self.skipped = [], []
        self.ran = 0
        self.updates = []  # (first line, count, new lines)

    def run(self, updates):
        for block in blocks_of(self.path, self.name):
            kind, text = block.marker or ("", "")
            if kind == "file":
                self.inputs.write(text, "\n".join(block.lines) + "\n")
                continue
            examples = examples_of(block)
            if kind == "not run":
                self.skipped += [f"{self.name}:{block.first}: not run: {text}"] if examples or block.language else []
                continue
            if block.language == "sql":
                self.run_sql(block)
            for example in examples:
                self.run_example(example, updates)

    def run_sql(self, block):
        database = self.inputs.database(self.path.stem)
        if not database:
            return
        self.ran += 1
        # T is a placeholder for an instant.
        text = re.sub(r"\bT\b", "10000000000", "\n".join(block.lines))
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        try:
            for statement in filter(str.strip, text.split(";")):
                if re.sub(r"--.*", "", statement).strip() and not connection.execute(statement).fetchall():
                    self.problems.append(f"{self.name}:{block.first}: the query finds no row: {statement.strip()}")
        except sqlite3.Error as error:
            self.problems.append(f"{self.name}:{block.first}: {error}")
        finally:
            connection.close()

    def missing_program(self, command):
        """The first program called by the command that is not installed."""
        for part in re.split(r"\|\|?|&&|;|&", re.sub(r"'[^']*'|\"[^\"]*\"", "x", command)):
            words = [word for word in part.split() if "=" not in word.split("/")[0]]
            if words and words[0] not in ("echo", "cat", "kill", "export") and \
                    not shutil.which(words[0], path=self.environment["PATH"]) and not words[0].startswith("./"):
                return words[0]
        return None

    def run_example(self, example, updates):
        command = example.command
        if command.startswith("highwater ") and "--screenshot" not in command:
            self.skipped.append(f"{example.place}: not run: it opens a window")
            return
        missing = self.missing_program(command)
        if missing:
            self.skipped.append(f"{example.place}: not run: there is no {missing} here")
            return
        self.ran += 1
        self.inputs.restore()
        command = re.sub(r"(--duration) (?:[3-9]|\d\d+)\b", r"\1 2", command)
        try:
            code, out, err = run(command, self.inputs.folder, self.environment)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{example.place}: still running after {LONGEST} s: {example.command}")
            return
        if code != example.code:
            last = f": {err[-1]}" if err else ""
            self.problems.append(f"{example.place}: exit code {code}, not {example.code}: {example.command}{last}")
        if not any(line.strip() for line in example.shown):
            return
        of_stdout, of_stderr = split_streams(example.shown, out, err)
        problem = missing_message(of_stderr, err)
        if of_stdout and not problem:
            problem = difference(of_stdout, out)
        if not problem:
            return
        if updates:
            new = [with_gaps(line, example.shown) for line in updated(of_stdout, out) + updated_messages(of_stderr, err)]
            indent = example.block.indent
            self.updates.append((example.block.first + example.shown_at, len(example.shown),
                                 [indent + line if line else "" for line in new]))
        else:
            self.problems.append(f"{example.place}: {problem}")

    def write_updates(self):
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for first, count, new in reversed(self.updates):
            lines[first:first + count] = new
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def closest(segment, actual, start):
    """The position in the output whose lines are most similar to these."""
    def likeness(at):
        return sum(SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in zip(segment, actual[at:]))

    places = range(start, max(start + 1, len(actual) - len(segment) + 1))
    return max(places, key=likeness)


def updated(shown, actual):
    """The current output, with the same parts replaced by `...` as on the page."""
    if not any(map(is_gap, shown)):
        return actual
    segments = [[]]
    for line in shown:
        if is_gap(line):
            segments.append([])
        else:
            segments[-1].append(line)
    new, at = list(actual[:len(segments[0])]), len(segments[0])
    for i, segment in enumerate(segments[1:], 1):
        new.append("...")
        is_last = i + 1 == len(segments)
        if segment:
            place = len(actual) - len(segment) if is_last else closest(segment, actual, at)
            new += actual[max(place, at):place + len(segment)]
            at = place + len(segment)
    return new


def updated_messages(shown, actual):
    new = []
    for line in shown:
        if actual and not any(fits(line, other) for other in actual):
            line = max(actual, key=lambda other: SequenceMatcher(None, line, other, autojunk=False).ratio())
        new.append(line)
    return new


def with_gaps(line, shown):
    """Keeps the `...` of the most similar shown line, which replace numbers that change from run to run."""
    gaps = [other for other in shown if "..." in other and not is_gap(other)]
    if line in shown or not gaps:
        return line
    fitting = next((other for other in gaps if fits(other, line)), None)
    if fitting:
        return fitting
    best = max(gaps, key=lambda other: SequenceMatcher(None, other, line, autojunk=False).ratio())
    if SequenceMatcher(None, best, line, autojunk=False).ratio() < 0.6:
        return line
    return re.sub(r"\d[\d.,]*\d|\d", lambda number: number[0] if number[0] in best else "...", line)


def run_pages(paths, masters, updates):
    problems, ran = 0, 0
    for path in paths:
        with tempfile.TemporaryDirectory(prefix="examples-") as folder:
            page = Page(path, masters, Path(folder))
            page.run(updates)
        for line in page.skipped + page.problems:
            print(line)
        if page.updates:
            page.write_updates()
            print(f"{path.name}: the output of {len(page.updates)} commands is new")
        problems += len(page.problems)
        ran += page.ran
    print(f"{ran} examples of {len(paths)} pages, {problems} problems")
    return 1 if problems or ran == 0 else 0


def main():
    parser = argparse.ArgumentParser(description="Runs the example commands of the documents.")
    parser.add_argument("cli")
    parser.add_argument("example")
    parser.add_argument("target")
    parser.add_argument("--window")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+", type=Path)
    arguments = parser.parse_args()
    programs = inputs.Programs(*(Path(path).resolve() if path else None for path in
                                 (arguments.cli, arguments.example, arguments.target, arguments.window)))
    with tempfile.TemporaryDirectory(prefix="examples-") as folder:
        return run_pages(arguments.pages, inputs.Masters(Path(folder), programs), arguments.update)


if __name__ == "__main__":
    sys.exit(main())
