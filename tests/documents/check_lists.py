#!/usr/bin/env python3
"""Checks the lists that documents repeat from the programs.

    check_lists.py HIGHWATER_CLI HIGHWATER_EXAMPLE [HIGHWATER]

- docs/sqlite.md names all tables and columns of a database of rows, docs/fleet.md all tables of a fleet.
- docs/command-line.md lists the commands of `highwater-cli --help`, each with a chapter.
- docs/manual.md lists the options of `highwater --help`.

Prints one line per name that is missing in a document, or that only the document has. Exits with 1 if there is any.
"""

import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")


def schema(path):
    """Columns by table or view, without those of SQLite itself."""
    connection = sqlite3.connect(path)
    names = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    found = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for (name,) in names
             if not name.startswith("sqlite_")}
    connection.close()
    return found


def missing_names(text, names):
    code = {word for quoted in CODE.findall(text) for word in re.findall(r"\w+", quoted)}
    return sorted(name for name in names if name not in code)


def unknown_tables(text, tables):
    """The unknown names in the first column of tables whose title is "Table"."""
    named, inside = set(), False
    for line in text.splitlines():
        first = line.split("|")[1].strip() if line.startswith("|") and line.count("|") > 2 else ""
        inside = (first == "Table" or inside) and line.startswith("|")
        if inside:
            named.update(CODE.findall(first))
    return sorted(named - set(tables))


def problems_of(page, text, tables, with_columns):
    names = {*tables, *(column for columns in tables.values() for column in columns if with_columns)}
    found = [f"{page}: {name} of the database is not described" for name in missing_names(text, names)]
    return found + [f"{page}: the database has no table {name}" for name in unknown_tables(text, tables)]


def differences(page, what, printed, documented):
    found = [f"{page}: the {what} {name} is not described" for name in sorted(set(printed) - set(documented))]
    return found + [f"{page}: there is no {what} {name}" for name in sorted(set(documented) - set(printed))]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def section_of(text, title):
    return re.split(rf"^## {title}$", text, maxsplit=1, flags=re.MULTILINE)[1].split("\n## ")[0]


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def check_databases(cli, example):
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trace, rows, fleet = folder / "exercise2.etl", folder / "rows.sqlite", folder / "fleet.sqlite"
        for command in ([example, trace], [cli, "sqlite", trace, "--no-symbols", "-o", rows],
                        [cli, "fleet", "init", fleet]):
            output_of(*command)
        for page, path, with_columns in (("docs/sqlite.md", rows, True), ("docs/fleet.md", fleet, False)):
            text = BLOCK.sub("", read(page))
            tables = schema(path)
            problems += problems_of(page, text, tables, with_columns)
            # Checks the check itself: it must notice an undescribed table and a missing one.
            if not problems_of(page, text, {**tables, "seeded": []}, with_columns) or \
                    not problems_of(page, text, {}, with_columns):
                problems.append(f"{page}: a table that is not described, or is gone, is not noticed")
    return problems


def check_commands(cli):
    page = "docs/command-line.md"
    printed = re.findall(r"^  ([a-z]+)  ", output_of(cli, "--help").split("Subcommands:")[1], re.MULTILINE)
    text = read(page)
    listed = re.findall(r"^\| `highwater-cli ([a-z]+)", section_of(text, "Commands"), re.MULTILINE)
    chapters = re.findall(r"^## ([a-z]+)$", text, re.MULTILINE)
    return differences(page, "command", printed, listed) + differences(page, "chapter", printed, chapters)


def check_options(window):
    page = "docs/manual.md"
    option = re.compile(r"--?[a-z][a-z-]*|--(?= |`)")
    rows = re.findall(r"^  (-.*?)(?:  +|(?<=END) )", output_of(window, "--help"), re.MULTILINE)
    usage = re.findall(r"\[OPTIONS\] (--[a-z-]+)", output_of(window, "--help"))
    printed = {word for row in rows for word in option.findall(row + " ")} | set(usage)
    text = section_of(read(page), "The command line of the window")
    documented = {word for line in text.splitlines() if line.startswith("| `-")
                  for word in option.findall(line.split("|")[1])}
    return differences(page, "option", printed, documented)


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    problems = check_databases(*arguments[:2]) + check_commands(arguments[0])
    if len(arguments) == 3:
        problems += check_options(arguments[2])
    print("\n".join(problems) or "The lists are complete.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
