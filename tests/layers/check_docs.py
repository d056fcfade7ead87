#!/usr/bin/env python3
"""Fails on a comment that cites a page or a section that is not there, and on a link between pages that leads nowhere.

    check_docs.py ROOT

Source files cite `docs/PAGE.md`, and sections of it by their numbers behind that: `docs/PAGE.md 5.1`,
`docs/PAGE.md 1.2, 2.2 and 4`. Every other `NAME.md` that they speak of must be a file of the tree, too, and no page is
cited by its bare name. Links and anchors in *.md files must resolve. Prints one line a violation, with file and line
number, and ends with 1 if there is any.
"""

import re
import sys
from pathlib import Path

SOURCE_FOLDERS = ("core", "ui", "app", "tests", "cmake", "installer", "resources")
SOURCES = {".h", ".hpp", ".cpp", ".cc", ".c", ".ipp", ".inl", ".py", ".sh", ".ps1", ".cmake", ".txt", ".in"}
PAGE_FOLDERS = (*SOURCE_FOLDERS, "docs")
# Trees that break the rules on purpose, and files of others that tests read.
LEFT_OUT = ("tests/layers/seeds", "tests/layers/doc_seeds", "tests/layers/test_seeds", "tests/layers/word_seeds",
            "tests/golden")
THIS_CHECK = "tests/layers/check_docs.py"

CITED = re.compile(r"(?<![\w./-])((?:[\w-]+/)*[\w-]+\.md)\b(?!\w)")
NUMBER = r"\d+(?:\.\d+)*"
# Numbers behind a citation. A number followed by a unit, a percent sign or a hyphen is none.
SECTIONS = re.compile(rf"(?:,? sections?)? ({NUMBER}(?:(?:, | and | to |, and ){NUMBER})*)(?![\w%-])")
# A page under its bare name: `some-notes 4.2`, `some-notes section 4`.
BARE = re.compile(r"(?<![\w./-])([a-z]+(?:-[a-z]+)+),? (?:sections? \d|\d+\.\d)")
HEADING = re.compile(r"#{1,6} +(.*?)\s*$")
NUMBERED = re.compile(rf"({NUMBER})\.? ")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)(?: \"[^\"]*\")?\)")
CODE = re.compile(r"`+[^`]*`+")
# What comments begin their lines with, so that a citation may go on in the next one.
LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*(?:///?<?|#|\*)?[ \t]*")


def headings_of(page):
    """The headings outside of code."""
    inside_code = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside_code = not inside_code
        heading = None if inside_code else HEADING.match(line)
        if heading:
            yield heading[1]


def anchor_of(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Checker:
    """Collects the violations of one tree."""

    def __init__(self, root):
        self.root = root
        self.violations = []
        self.citations = self.links = 0
        self.sections = {}  # page -> numbers of its headings
        self.anchors = {}

    def run(self):
        sources = sorted(f for top in SOURCE_FOLDERS for f in self.files_below(top) if f.suffix in SOURCES)
        sources += self.root.glob("CMakeLists.txt")
        pages = sorted(f for top in PAGE_FOLDERS for f in self.files_below(top) if f.suffix == ".md")
        pages += sorted(self.root.glob("*.md"))
        for file in sources:
            self.check_citations(file)
        for page in pages:
            self.check_links(page)
        return len(sources), len(pages)

    def files_below(self, top):
        for file in (self.root / top).rglob("*"):
            path = self.path_of(file)
            left_out = any(path.startswith(folder + "/") for folder in LEFT_OUT)
            if file.is_file() and not left_out and path != THIS_CHECK:
                yield file

    def path_of(self, file):
        return file.relative_to(self.root).as_posix()

    def report(self, file, line, what):
        self.violations.append(f"{self.path_of(file)}:{line}: {what}")

    def check_citations(self, file):
        text = file.read_text(encoding="utf-8", errors="replace")
        for match in CITED.finditer(text):
            self.citations += 1
            line = text.count("\n", 0, match.start()) + 1
            page = self.find_page(file, match[1])
            if page is None:
                self.report(file, line, f"{match[1]}: there is no such page in the repository")
                continue
            # Far enough for any list of sections.
            rest = LINE_BREAK.sub(" ", text[match.end():match.end() + 200])
            sections = SECTIONS.match(rest)
            if not sections or not match[1].startswith("docs/"):
                continue
            for number in re.findall(NUMBER, sections[1]):
                if number not in self.sections_of(page):
                    self.report(file, line, f"{match[1]} has no section {number}")

        for match in BARE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            self.report(file, line, f"{match[0]}: a page is cited as docs/{match[1]}.md")

    def find_page(self, file, name):
        """By its path in the tree; a page beside the file by its name alone."""
        return next((page for page in (self.root / name, file.parent / name) if page.is_file()), None)

    def sections_of(self, page):
        if page not in self.sections:
            numbered = (NUMBERED.match(heading) for heading in headings_of(page))
            self.sections[page] = {match[1] for match in numbered if match}
        return self.sections[page]

    def anchors_of(self, page):
        if page not in self.anchors:
            self.anchors[page] = {anchor_of(heading) for heading in headings_of(page)}
        return self.anchors[page]

    def check_links(self, page):
        inside_code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("```"):
                inside_code = not inside_code
            if inside_code:
                continue
            for match in LINK.finditer(CODE.sub("", line)):
                self.check_link(page, number, match[1])

    def check_link(self, page, line, target):
        if re.match(r"[a-z]+:", target):
            return  # of the web
        self.links += 1
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        if not linked.exists() or not linked.is_relative_to(self.root):
            self.report(page, line, f"the link {target} leads nowhere in the repository")
        elif anchor and (linked.suffix != ".md" or anchor not in self.anchors_of(linked)):
            self.report(page, line, f"the link {target} leads to no heading")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    checker = Checker(Path(arguments[0]).resolve())
    sources, pages = checker.run()
    if sources + pages == 0:
        print(f"There is nothing to check below {arguments[0]}", file=sys.stderr)
        return 2
    for violation in checker.violations:
        print(violation)
    if not checker.violations:
        cited = f"{checker.citations} citations in {sources} files"
        print(f"{cited}, {checker.links} links in {pages} pages, all resolve")
    return 1 if checker.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
