#!/usr/bin/env python3
"""Collects what the programs say into docs/sentences.md, where it is reviewed, and fails if that page is not up to date.

    sentences.py ROOT            compares the page with the sources
    sentences.py ROOT --write    writes it

A sentence is a string literal of core, ui or app that is translated (tr, words), or that has three words or more.
Literals that stand one behind the other are one.
Prints one line a difference and ends with 1 if there is any.
"""

import difflib
import re
import sys
from pathlib import Path

PAGE = "docs/sentences.md"
FOLDERS = ("app", "core", "ui")
HEAD = """# What the programs say

All sentences and labels of the window and of the command line, file by file, as the sources have them. This page is the place to
read them one after the other; it is made of the sources by `python3 tests/layers/sentences.py . --write`, and a test compares it
with them. `%1` and `{}` stand for what is put in, `&` is the key of a menu.
"""
# Comments, raw strings, literals and characters, whichever comes first.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")|(?P<text>"(?:[^"\\\n]|\\.)*")|\'(?:[^\'\\\n]|\\.)+\'', re.S)
TRANSLATED = re.compile(r'\b(?:tr|words|said)\(\s*$|\btranslate\("\w+",\s*$')
WORD = re.compile(r"[A-Za-z]{2,}")
# Neither said nor read by anybody.
CODE = re.compile(r"#\s*include|setStyleSheet|static_assert|assert\(|qFatal|Q_ASSERT")


def literals(source):
    """Each literal, with those behind it that only blanks separate, and the text before it."""
    parts, begin, end = [], 0, 0
    for token in TOKEN.finditer(source):
        between = source[end:token.start()]
        is_text = token["text"] is not None
        if parts and (between.strip() or not (is_text or token[0].startswith(("//", "/*")))):
            yield "".join(parts), source[max(0, begin - 120):begin]
            parts = []
        if is_text:
            if not parts:
                begin = token.start()
            parts.append(token["text"][1:-1])
        if is_text or not parts or not between.strip():
            end = token.end()
    if parts:
        yield "".join(parts), source[max(0, begin - 120):begin]


def is_sentence(text, before):
    if CODE.search(before.rsplit("\n", 1)[-1]) or before.rstrip().endswith(("static_assert(", "assert(")):
        return False
    if TRANSLATED.search(before):
        return bool(WORD.search(text))
    return len([word for word in text.split() if WORD.search(word)]) >= 3


def sentences_of(file):
    found = []
    for text, before in literals(file.read_text(encoding="utf-8")):
        text = text.replace('\\"', '"').strip()
        if is_sentence(text, before) and text not in found:
            found.append(text)
    return found


def page_of(root):
    lines = [HEAD]
    files = sorted(file for top in FOLDERS for file in (root / top).rglob("*") if file.suffix in (".cpp", ".h"))
    for file in files:
        found = sentences_of(file)
        if found:
            lines += [f"**{file.relative_to(root).as_posix()}**", "", "```text", *found, "```", ""]
    return "\n".join(lines)


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--write"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = Path(arguments[0])
    page = page_of(root)
    if arguments[1:]:
        (root / PAGE).write_text(page, encoding="utf-8")
        return 0
    file = root / PAGE
    there = file.read_text(encoding="utf-8") if file.is_file() else ""
    compared = difflib.unified_diff(there.splitlines(), page.splitlines(), n=0, lineterm="")
    differences = [line for line in list(compared)[2:] if line[0] in "+-"]
    for line in differences:
        print(f"{PAGE}: {'is missing' if line[0] == '+' else 'is not said any more'}: {line[1:]}")
    if differences:
        print("python3 tests/layers/sentences.py . --write", file=sys.stderr)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
