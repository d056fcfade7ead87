#!/usr/bin/env python3
"""Prints the strings of the programs, file by file, for proofreading.

    sentences.py ROOT

A sentence is a string literal of core, ui or app that is translated (tr, words), or that has three words or more, and is
neither SQL nor assembler. HTML is reduced to its text. Adjacent literals are joined.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("app", "core", "ui")
# Comments, raw strings, literals and characters, whichever comes first.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")|(?P<text>"(?:[^"\\\n]|\\.)*")|\'(?:[^\'\\\n]|\\.)+\'', re.S)
TRANSLATED = re.compile(r'\b(?:tr|words|said)\(\s*$|\btranslate\("\w+",\s*$')
WORD = re.compile(r"[A-Za-z]{2,}")
# Strings that users do not read, recognised by the code around them (CODE) or by their contents (NOT_SAID).
CODE = re.compile(r"#\s*include|setStyleSheet|static_assert|assert\(|qFatal|Q_ASSERT")
NOT_SAID = re.compile(r"\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|VIEW|INDEX|DATABASE)|ALTER TABLE|PRAGMA)\b"
                      r"|\\t%|\b(?:mov|push|pop|lea|jmp)[lq]? ")
TAG = re.compile(r"</?[a-z][a-z0-9]*(?: [^>]*)?/?>|<!\w[^>]*>|\\n")


def literals(source):
    """Each literal, joined with the following ones if only whitespace separates them, and the text before it."""
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
    if NOT_SAID.search(text):
        return False
    if TRANSLATED.search(before):
        return bool(WORD.search(text))
    return len([word for word in text.split() if WORD.search(word)]) >= 3


def sentences_of(file):
    found = []
    for text, before in literals(file.read_text(encoding="utf-8")):
        text = TAG.sub(" ", text.replace('\\"', '"')).strip()
        if is_sentence(text, before) and text not in found:
            found.append(text)
    return found


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = Path(arguments[0])
    for file in sorted(file for top in FOLDERS for file in (root / top).rglob("*") if file.suffix in (".cpp", ".h")):
        if found := sentences_of(file):
            print(file.relative_to(root).as_posix(), *(f"    {sentence}" for sentence in found), "", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
