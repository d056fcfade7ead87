#!/usr/bin/env python3
"""Checks that docs/sqlite.md names all tables and columns of a database, and docs/fleet.md all tables of a fleet.

    check_tables.py HIGHWATER_CLI HIGHWATER_EXAMPLE

Prints one line per name that is missing in the document, or that a table of the document names and the database does
not have. Exits with 1 if there is any.
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
    """Of the first column of the tables whose title is "Table"."""
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


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    cli, example = arguments
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trace, rows, fleet = folder / "exercise2.etl", folder / "rows.sqlite", folder / "fleet.sqlite"
        for command in ([example, trace], [cli, "sqlite", trace, "--no-symbols", "-o", rows],
                        [cli, "fleet", "init", fleet]):
            subprocess.run(command, check=True, capture_output=True, timeout=60)
        for page, path, with_columns in (("docs/sqlite.md", rows, True), ("docs/fleet.md", fleet, False)):
            text = BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
            tables = schema(path)
            problems += problems_of(page, text, tables, with_columns)
            # The check itself: a table that nobody describes, and one that is gone.
            if not problems_of(page, text, {**tables, "seeded": []}, with_columns) or \
                    not problems_of(page, text, {}, with_columns):
                problems.append(f"{page}: a table that is not described, or is gone, is not noticed")
    print("\n".join(problems) or "Every table is described.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
