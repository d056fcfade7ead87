#!/usr/bin/env python3
"""Counts patterns of translated English in strings, comments and documents, and refuses them in strings.

    words.py ROOT              exit code 1 if a string that users read has one; prints file, line, pattern and string
    words.py ROOT --count      how many there are, by pattern, in strings, comments and documents
    words.py ROOT --comments [FOLDER ...]
    words.py ROOT --documents
                               lists those of comments or documents
"""

import argparse
import re
import sys
from pathlib import Path

from sentences import FOLDERS, TOKEN, is_sentence, literals

# CONTRIBUTING.md, "Words", has a better sentence for each.
PATTERNS = {
    "what as a noun": r"(?<!^)(?<![.:?!] )\bwhat (?:is|was|are|were|has|had|it|they|follows|came|comes|goes|remains|they|a|the|you|he|there)\b(?!.*\?)",
    "told": r"\b(?:told|tells?|untold)\b",
    "stands": r"\b(?:stands?|stood) (?!for\b|alone\b)",
    "lies": r"\b(?:lies|lie|lay) (?!to\b)",
    "knows": r"\b(?:knows|knew)\b",
    "is no": r"\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b|one\b)\w",
    "begin as a noun": r"\b(?:its|their|the|a|whose|from|before) begins?\b(?! (?:to|with|at)\b)",
    "mended": r"\b(?:mend|mends|mended)\b",
    "let go": r"\blets? go\b",
    "persons": r"\b(?:whoever|somebody|nobody)\b",
    "so many": r"\bso (?:many|much)\b(?! (?:that|as)\b)",
    "takes no": r"\b(?:takes|knows|needs) no (?!longer\b)|\bhas no use\b",
    "X of Y": r"\b(?:files?|traces?|runs?|columns?|databases?|sessions?|recordings?|profiles?|formats?|snapshots?) of (?!(?:the|a|an|all|each|its|their|this|that|these|those|one|several|other|another|any|both|which|two|three|it|them|what|every|some|at|more|no)\b)[A-Za-z]",
    "called so": r"\b(?:called|named) so\b|\bof which\b.*\bof which\b",
    "Of first": r"^Of ",
}
COMPILED = {name: re.compile(pattern, re.IGNORECASE if name not in ("X of Y",) else 0) for name, pattern in PATTERNS.items()}
COMMENT_ONLY = {"What first": re.compile(r"^What "), "How first": re.compile(r"^How ")}


def code_files(root, folders=FOLDERS):
    for folder in folders:
        yield from (f for f in sorted((root / folder).rglob("*")) if f.suffix in (".cpp", ".h"))


def strings_of(file):
    """Line and text of each string that users read."""
    source = file.read_text(encoding="utf-8")
    for text, before in literals(source):
        if is_sentence(text, before):
            yield source.count("\n", 0, source.find(before) + len(before)) + 1, text


def comments_of(file):
    """Line and text of each comment; lines of one comment are joined."""
    source = file.read_text(encoding="utf-8")
    first, last, text = 0, -2, ""
    for token in TOKEN.finditer(source):
        if not token[0].startswith(("//", "/*")):
            continue
        line = source.count("\n", 0, token.start()) + 1
        words = re.sub(r"^(///?<?|/\*+|\*/)\s*", "", token[0]).strip()
        is_alone = not source[source.rfind("\n", 0, token.start()) + 1:token.start()].strip()
        if text and line == last + 1 and is_alone and not words.startswith(("@", "-")):
            text += " " + words
        else:
            if text:
                yield first, text
            first, text = line, words
        last = line
    if text:
        yield first, text


def documents_of(file):
    in_code = False
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def found_in(text, patterns):
    return [name for name, pattern in patterns.items() if pattern.search(text)]


def listed(root, files, texts_of, patterns):
    for file in files:
        for line, text in texts_of(file):
            for name in found_in(text, patterns):
                yield file.relative_to(root), line, name, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--comments", nargs="*")
    parser.add_argument("--documents", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    documents = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((root / "docs").glob("*.md"))
    strings = list(listed(root, code_files(root), strings_of, COMPILED))
    in_comments = {**COMPILED, **COMMENT_ONLY}
    if arguments.comments is not None or arguments.documents:
        rows = listed(root, documents, documents_of, COMPILED) if arguments.documents else listed(
            root, code_files(root, arguments.comments or FOLDERS), comments_of, in_comments)
        for file, line, name, text in rows:
            print(f"{file}:{line}: {name}: {text}")
        return 0
    if arguments.count:
        kinds = {"strings": strings, "comments": list(listed(root, code_files(root), comments_of, in_comments)),
                 "documents": list(listed(root, documents, documents_of, COMPILED))}
        for name in in_comments:
            print(f"{name:18}" + "".join(f"{sum(row[2] == name for row in rows):7}" for rows in kinds.values()))
        print(f"{'all':18}" + "".join(f"{len(rows):7}" for rows in kinds.values()))
        return 0
    for file, line, name, text in strings:
        print(f"{file}:{line}: {name}: {text}")
    return 1 if strings else 0


if __name__ == "__main__":
    sys.exit(main())
