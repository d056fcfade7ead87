#!/usr/bin/env python3
"""Refuses translated English in the strings that users read, and finds it in comments and documents.

    words.py ROOT              lists the strings that match a pattern and ends with 1 if there are any
    words.py ROOT --count      counts the matches of each pattern in strings, comments and documents
    words.py ROOT --comments [FOLDER ...]
                               lists the comments that match (default: those of app, core and ui)
    words.py ROOT --documents  lists the lines of documents that match

Each line of a list has the file, the line number, the name of the pattern and the text. The patterns match only
frequent mistakes: a text that passes may still be bad English. The rule is in CONTRIBUTING.md, "Plain English".
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from sentences import FOLDERS, TOKEN, is_sentence, literals

DOCUMENTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


class Pattern(NamedTuple):
    name: str
    advice: str  # Printed once below the list
    expression: re.Pattern


def pattern(name, advice, expression, flags=re.IGNORECASE):
    return Pattern(name, advice, re.compile(expression, flags))


# The words behind "trace of", "file of" and so on that do not make it a compound noun.
DETERMINERS = ("the|a|an|all|each|its|their|this|that|these|those|one|several|other|another|any|both|which|two|three|it"
               "|them|what|every|some|many|few|at|more|no")
# A question ("What is wrong here?") and the tool of that name may start with "what is"; a clause may not.
PATTERNS = (
    pattern("what as a noun", 'name the thing: "freed memory", not "what was freed"',
            r"(?<!^)(?<![.:?!] )\bwhat (?!is wrong here\b)(?:is|was|are|were|has|had|it|they|follows|came|comes|goes"
            r"|remains|a|the|you|he|there)\b(?!.*\?)"),
    pattern("data that tells", "data shows, reports, lists or contains", r"\b(?:told|tells?|untold)\b"),
    pattern("data that stands", "data is at, in or before something; it means or represents something", r"\b(?:stands?|stood) (?!alone\b)"),
    pattern("data that lies", "data is at, in or outside something", r"\b(?:lies|lie|lay) (?!to\b)"),
    pattern("data that knows", "a program supports, accepts or has", r"\b(?:knows|knew)\b"),
    pattern("is no", '"is not a", "does not exist"',
            r"(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b|one\b)\w"),
    pattern("in part", '"partly", "some of"', r"\bin part\b(?! of\b)"),
    pattern("to no", '"does not belong to any", "without a"', r"\b(?:belongs?|refers?|leads?|appl(?:y|ies)) to no (?!one\b)\w"),
    pattern("any more", '"no longer"', r"\b(?:nothing|not?|nobody)\b[^.;:]* any ?more\b"),
    pattern("hang on", "hold, refer to or depend on", r"\bhangs? on (?!to\b)|\bc[ao]mes? to (?:hang|stand|lie)\b"),
    pattern("begin as a noun", '"start"', r"\b(?:its|their|the|a|whose|from|before) begins?\b(?! (?:to|with|at)\b)"),
    pattern("mended", '"fixed"', r"\b(?:mend|mends|mended)\b"),
    pattern("let go", "discard, free or drop", r"\blets? go\b|\blets (?:it|them) go\b"),
    pattern("whoever", "name the user, the program or the caller", r"\b(?:whoever|somebody|nobody)\b"),
    pattern("so many", "N, that many, at most N", r"\bso (?:many|much)\b(?!(?: \w+){0,3} (?:that|as)\b)"),
    pattern("takes no", '"does not accept", "does not need", "does not support"',
            r"\b(?:takes|knows|needs) no (?!longer\b)|\bhas no use\b"),
    pattern("of for a compound", 'a compound noun: "trace file", not "file of traces"',
            r"\b(?:files?|traces?|runs?|columns?|databases?|sessions?|recordings?|profiles?|formats?|snapshots?) of "
            rf"(?!(?:{DETERMINERS})\b)[A-Za-z]", flags=0),
    pattern("called so", "repeat the name", r"\b(?:called|named) so\b|\bof which\b.*\bof which\b"),
    pattern("Of first", "start with the subject", r"^Of ", flags=0),
)
# A string may start with "of" if it is part of a sentence, and a label with "How many". A comment has no subject then.
COMMENT_PATTERNS = (
    *PATTERNS[:-1],
    pattern("Of first", "start with the subject", r"^Of "),
    pattern("What first", "name the thing that the comment describes", r"^What ", flags=0),
    pattern("How first", "name the thing that the comment describes", r"^How ", flags=0),
)


class Match(NamedTuple):
    file: Path
    line: int
    pattern: Pattern
    text: str

    def __str__(self):
        return f"{self.file.as_posix()}:{self.line}: {self.pattern.name}: {self.text}"


def code_files(root, folders=FOLDERS):
    for folder in folders:
        yield from (file for file in sorted((root / folder).rglob("*")) if file.suffix in (".cpp", ".h"))


def document_files(root):
    yield from (root / name for name in DOCUMENTS if (root / name).is_file())
    yield from sorted((root / "docs").glob("*.md"))


def strings_of(file):
    """The strings that users read, each with the number of its first line."""
    source = file.read_text(encoding="utf-8")
    start = -1
    for text, before in literals(source):
        start = source.index(before + '"', max(0, start + 1 - len(before))) + len(before)
        if is_sentence(text, before):
            yield source.count("\n", 0, start) + 1, text


def comments_of(file):
    """The comments, each with the number of its first line. Comments in consecutive lines are joined."""
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


def lines_of(document):
    """The lines outside of code blocks, with their numbers."""
    inside_code = False
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            inside_code = not inside_code
        elif not inside_code:
            yield number, line


def matches_in(root, files, texts_of, patterns):
    for file in files:
        for line, text in texts_of(file):
            for tried in patterns:
                if tried.expression.search(text.lstrip("&")):  # A mnemonic is no part of the first word.
                    yield Match(file.relative_to(root), line, tried, text)


def print_counts(columns):
    """A row for each pattern, a column for each kind of text."""
    print(f"{'':18}" + "".join(f"{kind:>11}" for kind in columns))
    counts = {kind: Counter(match.pattern.name for match in matches) for kind, matches in columns.items()}
    for counted in COMMENT_PATTERNS:
        print(f"{counted.name:18}" + "".join(f"{count[counted.name]:11}" for count in counts.values()))
    print(f"{'all':18}" + "".join(f"{count.total():11}" for count in counts.values()))


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--count", action="store_true", help="count the matches in strings, comments and documents")
    kinds.add_argument("--comments", nargs="*", metavar="FOLDER", help="list the comments that match")
    kinds.add_argument("--documents", action="store_true", help="list the lines of documents that match")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    root = arguments.root.resolve()
    code = list(code_files(root))
    if not code:
        print(f"There is nothing to check below {arguments.root}", file=sys.stderr)
        return 2

    strings = matches_in(root, code, strings_of, PATTERNS)
    comments = matches_in(root, code_files(root, arguments.comments or FOLDERS), comments_of, COMMENT_PATTERNS)
    documents = matches_in(root, document_files(root), lines_of, PATTERNS)
    if arguments.count:
        print_counts({"strings": strings, "comments": comments, "documents": documents})
        return 0

    is_required = arguments.comments is None and not arguments.documents
    matches = list(strings if is_required else documents if arguments.documents else comments)
    for match in matches:
        print(match)
    for name, advice in dict((match.pattern.name, match.pattern.advice) for match in matches).items():
        print(f"{name}: {advice}", file=sys.stderr)
    return 1 if is_required and matches else 0


if __name__ == "__main__":
    sys.exit(main())
