#!/usr/bin/env python3
"""Fails on a comment that cites a missing page or section, and on a link between pages that leads nowhere.

    check_docs.py ROOT

Source files cite `docs/PAGE.md`, and its sections by number: `docs/PAGE.md 5.1`, `docs/PAGE.md 1.2, 2.2 and 4`. Every
other `NAME.md` in them must be a file of the tree, and no page is cited by its bare name.

Every relative link in *.md files must resolve: `[text](target)`, also wrapped over lines, `[name]: target`, `<a href>`
and `<img src>`. So must its anchor: a heading, numbered as GitHub does if it occurs several times, or an `<a id>`. A
picture that docs/pictures.sh makes may be missing in the tree; the last line counts these. Every picture below docs
must be shown by a page.

Prints one line per violation, with file and line number. Exits with 1 if there is any.
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
# Section numbers after a citation. A number followed by a unit, a percent sign or a hyphen is not a section.
SECTIONS = re.compile(rf"(?:,? sections?)? ({NUMBER}(?:(?:, | and | to |, and ){NUMBER})*)(?![\w%-])")
# A page under its bare name: `some-notes 4.2`, `some-notes section 4`.
BARE = re.compile(r"(?<![\w./-])([a-z]+(?:-[a-z]+)+),? (?:sections? \d|\d+\.\d)")
HEADING = re.compile(r"#{1,6} +(.*?)\s*$")
NUMBERED = re.compile(rf"({NUMBER})\.? ")
LINK = re.compile(r"""
    \]\(\s*<?([^()<>\s]+)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)  # [text](target "title")
    | ^[ ]{0,3}\[[^\[\]]+\]:[ ]+<?([^\s<>]+)>?[ ]*$          # [name]: target
    | <(?:a|img)\b[^>]*?\b(?:href|src)=["']([^"']+)["']       # <a href="target">
    """, re.VERBOSE | re.MULTILINE)
ANCHOR = re.compile(r"<a\b[^>]*?\b(?:id|name)=[\"']([^\"']+)[\"']")
# Code inside a paragraph, HTML comments, and characters after a backslash.
NO_LINKS = re.compile(r"(`+)(?:(?!\n[ \t]*\n).)*?(?<!`)\1(?!`)|<!--.*?-->|\\.", re.DOTALL)
FENCE = re.compile(r"\s*(```+|~~~+)")
PICTURES = "docs/pictures.sh"
# The beginning of a comment line; a citation may continue in the next line.
LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*(?:///?<?|#|\*)?[ \t]*")


def lines_of(page):
    """The lines of a page; those of code blocks are empty."""
    fence = None
    for line in page.read_text(encoding="utf-8").splitlines():
        mark = FENCE.match(line)
        if fence:
            yield ""
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = None
        else:
            yield "" if mark else line
            fence = mark[1] if mark else None


def headings_of(page):
    """The headings outside of code."""
    return [match[1] for match in map(HEADING.match, lines_of(page)) if match]


def text_of(page):
    """The text of a page in which links count: code and comments are blank, lines stay where they are."""
    return NO_LINKS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), "\n".join(lines_of(page)))


def anchor_of(heading):
    """The anchor that GitHub makes: only the text of a link in a heading counts."""
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors_of(page):
    """GitHub adds -1, -2 to headings that occur again."""
    seen = {}
    for anchor in map(anchor_of, headings_of(page)):
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        yield f"{anchor}-{number}" if number else anchor
    yield from (match[1] for match in ANCHOR.finditer(text_of(page)))


class Checker:
    """Collects the violations of one tree."""

    def __init__(self, root):
        self.root = root
        self.violations = []
        self.citations = self.links = 0
        self.shown = set()  # pictures that pages show
        self.unmade = set()  # those among them that pictures.sh has not made yet
        self.sections = {}  # page -> numbers of its headings
        self.anchors = {}

    def run(self):
        sources = sorted(f for top in SOURCE_FOLDERS for f in self.files_below(top) if f.suffix in SOURCES)
        sources += self.root.glob("CMakeLists.txt")
        pages = sorted(f for top in PAGE_FOLDERS for f in self.files_below(top) if f.suffix == ".md")
        pages += sorted(self.root.glob("*.md"))
        script = self.root / PICTURES
        made = re.findall(r"[\w/-]+\.png", script.read_text(encoding="utf-8")) if script.is_file() else ()
        self.made = {script.parent / name for name in made}
        for file in sources:
            self.check_citations(file)
        for page in pages:
            self.check_links(page)
        for picture in sorted(f for f in self.files_below("docs") if f.suffix == ".png"):
            if picture not in self.shown:
                self.report(picture, 1, "no page shows this picture")
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
            self.anchors[page] = set(anchors_of(page))
        return self.anchors[page]

    def check_links(self, page):
        text = text_of(page)
        for match in LINK.finditer(text):
            target = next(filter(None, match.groups()))
            self.check_link(page, text.count("\n", 0, match.start()) + 1, target)

    def check_link(self, page, line, target):
        if re.match(r"[a-z]+:", target):
            return  # a link to the web
        self.links += 1
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        self.shown.add(linked)
        if linked in self.made and not linked.exists():
            self.unmade.add(linked)
        elif not linked.exists() or not linked.is_relative_to(self.root):
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
        if checker.unmade:
            print(f"{len(checker.unmade)} pictures are still to be made by {PICTURES}")
    return 1 if checker.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
