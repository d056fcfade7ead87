#!/usr/bin/env python3
"""Fails on an include that a room does not list in its CMakeLists.txt or that points against the direction of the project,
and on headers, waits, tooltips and error handling that are not allowed in their file.

    check_layers.py ROOT

A room is a folder whose CMakeLists.txt makes a library or a program; a folder without one belongs to the nearest room above.
A room includes only the rooms in its DEPENDS, and in its PRIVATE_DEPENDS if only its sources include them. A library
without sources (core_analysis) represents the libraries that it bundles. Reads core/, ui/ and app/ below ROOT, and the table
of rooms in docs/architecture.md.
Prints one line per violation, with file and line number, and ends with 1 if there are any.
"""

import re
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# Folders that a folder must not include, regardless of its CMakeLists.txt. It may include itself: app/cli is in app.
NEVER = {
    "core": ("ui", "app"),
    "ui": ("app", "core/source", "core/etl", "core/decode", "core/pipeline"),
    "app/cli": ("ui", "app"),
}
NO_QT = ("core", "app/cli")
# The list of tools, which contains no Qt types. Its macros are expanded where the tools are included: commands in app/cli,
# pages in app/window.
TOOLS = "app/tools"
TOOL_PARTS = {"command": "app/cli", "page": "app/window"}
# The agent is a separate library, loaded into other programs. These rooms use the layout of its channel and do not link it.
# The agent itself includes only headers with names and numbers.
WITHOUT_LINKING = [("core/source/agent", "core/agent_linux"), ("core/source/attach", "core/agent_linux"),
                   ("core/references", "core/agent_linux"),
                   ("core/agent_linux", "core/event"), ("core/agent_linux", "core/event/trial")]

# Headers that exist on one system only. They belong into *_windows.* and *_linux.* files.
WINDOWS_HEADERS = re.compile(
    r"(windows|windowsx|winsock2?|ws2tcpip|win(base|def|nt|reg|error|ternl|user|http|inet|svc|ver)|ev(ntrace|ntcons|ntprov|entlog)"
    r"|tdh|relogger|wmistr|tlhelp32|psapi|dbghelp|imagehlp|shellapi|shlobj|shlwapi|sddl|aclapi|io|direct|process|intrin|tchar"
    r"|(file|memory|heap|handle|process(threads|topology)|sysinfo|synch|io|security|profile|errhandling|libloader)api"
    r"|objbase|ole2|com(baseapi|def|mctrl|mdlg)|unknwn|wrl(/.*)?|winrt/.*|atlbase|versionhelpers|dwmapi|uxtheme)(\.h)?",
    re.IGNORECASE)
LINUX_HEADERS = re.compile(
    r"(sys|linux|asm|arpa|net|netinet|bits|gnu|X11|xcb)/.*"
    r"|(unistd|fcntl|dlfcn|pthread|poll|sched|dirent|termios|pwd|grp|elf|link|ucontext|execinfo|spawn|semaphore|mqueue|aio"
    r"|glob|ftw|fts|netdb|ifaddrs|syslog|wait|endian|byteswap|utmpx?|strings|libgen|err|getopt|libunwind(-.*)?|malloc)\.h")

# Classes of the standard library that may wait for ever on systems without futexes, such as mingw's for Windows: libstdc++
# reads the value before it takes the lock with which it then waits, and a wake-up in between is lost.
WAITS_FOR_EVER = {"latch", "semaphore", "barrier"}
# These have such a wait inside: a callback's destructor waits for one that is being called.
CALLBACK_OF_STOP = re.compile(r"\bstd::(stop_callback|condition_variable_any)\b")

# Qt interprets text that looks like HTML in tooltips, labels and questions, so these get plain text. These files write HTML
# themselves, with the program's own words and escaped text.
WRITES_HTML = {"ui/view/parts/message_strip.cpp", "ui/view/parts/help_page.cpp", "app/window/help_controller.cpp"}
HTML = re.compile(r"\bnew QLabel\b|\bnew QMessageBox\b|\bQStaticText\b|\bsetHtml\(|Qt::RichText\b|Qt::AutoText\b")
PLAIN_WIDGETS = "ui/view/parts/plain_widgets.cpp"
TOOLTIP = re.compile(r"(?:\bsetToolTip|\bsetWhatsThis|\bsetTabToolTip|QToolTip::showText)\(((?:\"(?:[^\"\\]|\\.)*\"|[^;\"])*);")
# Only the program's own words, without inserted text: `{}`, `0, tr("Size")`.
OWN_WORDS = re.compile(r'(?:\w+, *)?(?:\{\}|tr\((?:\s*"(?:[^"\\]|\\.)*")+\))\)\s*')
TOOLTIP_ROLE = re.compile(r"\bcase Qt::(?:ToolTip|WhatsThis)Role|== Qt::(?:ToolTip|WhatsThis)Role")

MOST_UNITS_OF_A_ROOM = 25  # a header, its source and their forms for each system are one
SOURCES = {".h", ".hpp", ".cpp", ".cc", ".c", ".ipp", ".inl"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:(["<])([^">\n]*)[">]|(\S+))', re.MULTILINE)

# The page that lists the rooms for developers.
MAP = "docs/architecture.md"
MAP_ROW = re.compile(r"^\| `((?:core|ui|app)/[a-z_/]*)` \| (.*) \|$", re.MULTILINE)
MOST_WORDS_OF_A_ROW = 12

MAKES_TRY = "core/base/result.h"
COMMENT_OR_TEXT = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\[^']*|[^\\'])'""", re.DOTALL)
PASSED_ON = re.compile(r"(?:\bif \(|;\s*)!([^\s!;&|]+?)(\.|->)hasValue\(\)\)\s*\{?\s*return \1(\2error\(\))?;")
BEFORE_TRY = re.compile(r"([{};)]|\belse|(?<![=!<>])=)$")

COMMAND = re.compile(r"\b(highwater_library|highwater_program|add_library|add_executable|target_link_libraries)\(([^()]*)\)")
# The names after these words are targets that headers need (True), targets that only sources need (False), or files (None).
IS_PUBLIC = {"DEPENDS": True, "PUBLIC": True, "INTERFACE": True, "PRIVATE_DEPENDS": False, "PRIVATE": False, "SOURCES": None}


def is_in(path, folders):
    return any((path + "/").startswith(folder + "/") for folder in folders)


def seat_of(path):
    """The path to which the rules apply: the command of a tool counts as part of app/cli."""
    return re.sub(rf"^{TOOLS}/[^/]+/command(?=/|$)", TOOL_PARTS["command"], path)


def may_never_know(source, target):
    source, target = seat_of(source), seat_of(target)
    return any(is_in(source, [folder]) and is_in(target, others) and not is_in(target, [folder])
               for folder, others in NEVER.items()) and target != TOOLS


def part_of(path):
    """One name for a header, its .cpp, those of single systems and its private header, X_impl.h."""
    return re.sub(r"(_(windows|linux|plain|impl))?(\.[a-z]+)+$", "", path)


def system_of(path):
    """The one system whose headers this file may include ("windows", "linux"), or None."""
    parts = [*Path(path).parent.parts, Path(path).stem]
    return next((name for name in ("windows", "linux") if any(part.endswith("_" + name) for part in parts)), None)


def found(pattern, path, text, *span):
    """Each match, and "file:line" of it."""
    return [(match, f"{path}:{text.count(chr(10), 0, match.start()) + 1}") for match in re.compile(pattern).finditer(text, *span)]


def is_whole_try(code, start, at):
    """Whether TRY is all of an initializer or of a statement: it starts there, and its arguments at `at`."""
    depth = 1
    while depth > 0 and at < len(code):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return BEFORE_TRY.search(code[:start].rstrip()[-5:]) and code[at:].lstrip().startswith(";")


class Rooms:
    """The rooms and the dependencies that they list."""

    def __init__(self, lists):
        self.makers = {}  # target -> the room that makes it; None: it bundles others
        self.statements = []  # (target, target that it needs, whether its headers do, "file:line")
        for path, code in lists.items():
            for command in COMMAND.finditer(code):
                self.read(path, command)
        self.folders = set(self.makers.values())
        self.stated = {pair: True for pair in WITHOUT_LINKING}  # (room, other) -> whether headers may include it
        for target, name, is_public, _ in self.statements:
            for pair in self.pairs(target, name):
                self.stated[pair] = self.stated.get(pair, False) or is_public

    def read(self, path, command):
        words = [(word[0], where) for word, where in found(r"\S+", path, command.string, *command.span(2))]
        target, is_public = words[0][0], None
        if command[1] != "target_link_libraries":
            is_bundle = command[1] == "add_library" and words[1][0] == "INTERFACE"
            self.makers[target] = None if is_bundle else Path(path).parent.as_posix()
        for word, where in words[1:]:
            if word in IS_PUBLIC:
                is_public = IS_PUBLIC[word]
            elif is_public is not None:
                self.statements.append((target, word, is_public, where))

    def room_of(self, path):
        return next((folder.as_posix() for folder in Path(path).parents if folder.as_posix() in self.folders), None)

    def rooms_of(self, target):
        """What a target stands for: a room, all rooms of a bundle, or nothing of this project."""
        room = self.makers.get(target, "")
        if room is not None:
            return [room] if room else []
        return [other for source, name, *_ in self.statements if source == target for other in self.rooms_of(name)]

    def pairs(self, target, name):
        """(room, other room) for all that one statement says."""
        room = self.makers.get(target)
        return [(room, other) for other in self.rooms_of(name) if room not in (None, other)]


class Checker:
    """Collects the violations of one tree, and the arrows between its rooms."""

    def __init__(self, root):
        self.root = root
        self.violations = []
        self.arrows = {}  # (from room, to room) -> "file:line" of the first include that makes it
        self.parts = {}  # the same, of files

    def run(self):
        files = sorted(f for top in ("core", "ui", "app") for f in (self.root / top).rglob("*"))
        texts = {f.relative_to(self.root).as_posix(): f.read_text(encoding="utf-8", errors="replace")
                 for f in files if f.suffix in SOURCES or f.name == "CMakeLists.txt"}
        lists = {path: re.sub("#[^\n]*", "", texts[path]) for path in texts if path.endswith("CMakeLists.txt")}
        self.rooms = Rooms(lists)
        for path, text in texts.items():
            if path not in lists:
                self.check_source(path, text)
        self.check_statements(lists)
        self.check_map()
        self.check_sizes(texts.keys() - lists.keys())
        self.check_cycles()
        return len(texts)

    def report(self, where, what):
        self.violations.append(f"{where}: {what}")

    def check_sizes(self, sources):
        """A folder with too many units must be divided."""
        units = {re.sub(r"(_(linux|windows))?\.[a-z]+$", "", path) for path in sources}
        for folder, size in sorted(Counter(unit.rpartition("/")[0] for unit in units).items()):
            if size > MOST_UNITS_OF_A_ROOM:
                self.report(folder, f"{size} units: a room holds at most {MOST_UNITS_OF_A_ROOM}")

    def check_source(self, path, text):
        room = self.rooms.room_of(path)
        if room is None:
            return self.report(path, "no CMakeLists.txt here or above makes a library: this file is in no room")
        if not is_in(seat_of(path), NO_QT):
            self.check_texts(path, text)
        if system_of(path) != "linux":
            for match, where in found(CALLBACK_OF_STOP, path, text):
                self.report(where, f"{match[0]}: libstdc++ for Windows misses wake-ups: ask the token in steps")
        if path != MAKES_TRY:
            self.check_errors(path, COMMENT_OR_TEXT.sub(lambda match: re.sub("[^\n]", " ", match[0]), text))
        for include, where in found(INCLUDE, path, text):
            quote, name, computed = include.groups()
            if computed:
                self.report(where, f"the include {computed} cannot be checked: name the header")
            elif quote == "<":
                self.check_system_header(where, path, name)
            else:
                self.check_own_header(where, path, room, name)

    def check_texts(self, path, text):
        """Text from a trace must not be interpreted as HTML."""
        for match, where in found(HTML, path, text):
            if path not in WRITES_HTML and path != PLAIN_WIDGETS:
                self.report(where, f"{match[0]}: may read a name as HTML: take ui/view/parts/plain_widgets.h")
        for match, where in found(TOOLTIP, path, text):
            if "tooltipText(" not in match[1] and not OWN_WORDS.fullmatch(match[1]):
                self.report(where, "a tooltip may read a name as HTML: it needs tooltipText")
        for _, where in found(TOOLTIP_ROLE, path, text):
            if "tooltipText(" not in text:
                self.report(where, "a tooltip of a row may read a name as HTML: it needs tooltipText")

    def check_errors(self, path, code):
        """TRY passes errors on. GCC leaks other temporary objects in the same expression."""
        for match, where in found(PASSED_ON, path, code):
            self.report(where, f"the error of {match[1]} is passed on by hand: take TRY of {MAKES_TRY}")
        for match, where in found(r"\bTRY\(", path, code):
            if not is_whole_try(code, match.start(), match.end()):
                self.report(where, "TRY in a larger expression: it is a whole initializer or a whole statement")

    def check_system_header(self, where, path, name):
        if is_in(seat_of(path), NO_QT) and re.match(r"Q[A-Z]|Qt|q[a-z]+\.h$", name):
            self.report(where, f"<{name}>: no Qt in {' and '.join(NO_QT)}")
        elif name.startswith(("core/", "ui/", "app/")):
            self.report(where, f"<{name}>: headers of this project are included with quotes")
        elif name in WAITS_FOR_EVER and system_of(path) != "linux":
            self.report(where, f"<{name}>: libstdc++ for Windows misses wake-ups: take a mutex and a condition variable")
        elif WINDOWS_HEADERS.fullmatch(name) and system_of(path) != "windows":
            self.report(where, f"<{name}>: Windows headers belong into *_windows.* files")
        elif LINUX_HEADERS.fullmatch(name) and system_of(path) != "linux":
            self.report(where, f"<{name}>: Linux headers belong into *_linux.* files")

    def check_own_header(self, where, path, room, name):
        other = self.rooms.room_of(name)
        if name in (Path(path).stem + ".moc", "moc_" + Path(path).name):
            return
        if not name.startswith(("core/", "ui/", "app/")):
            self.report(where, f'"{name}": not a full path below core/, ui/ or app/')
        elif not any((self.root / candidate).is_file() for candidate in (name, name + ".in")):
            self.report(where, f'"{name}": there is no such file')
        elif other == room:
            if part_of(path) != part_of(name):  # circles of rooms are reported once
                self.parts.setdefault((part_of(path), part_of(name)), where)
        elif other is not None:  # else the file itself is reported
            self.arrows.setdefault((room, other), where)
            if may_never_know(room, other):
                self.report(where, f"{room} may never know {other}")
            elif (room, other) not in self.rooms.stated:
                self.report(where, f"{room}/CMakeLists.txt does not name {other}")
            elif not path.endswith((".cpp", ".cc", ".c")) and not self.rooms.stated[room, other]:
                self.report(where, f"{room}/CMakeLists.txt names {other} for sources only: a header needs DEPENDS")

    def check_statements(self, lists):
        """No room lists a forbidden dependency, or one that it does not include."""
        for path, code in lists.items():
            for _, where in found(r"\bQt6", path, code) if is_in(seat_of(path), NO_QT) else ():
                self.report(where, f"Qt6: no Qt in {' and '.join(NO_QT)}")
        included = set(self.arrows)
        for target, name, _, where in self.rooms.statements:
            pairs = self.rooms.pairs(target, name)
            for pair in pairs:
                self.arrows.setdefault(pair, where)
            if any(may_never_know(*pair) for pair in pairs):
                self.report(where, f"{self.rooms.makers[target]} may never know {name}")
            elif pairs and included.isdisjoint(pairs):
                self.report(where, f"nothing in {self.rooms.makers[target]} includes {name}")

    def check_map(self):
        """The map names each room, in few words, and nothing else."""
        file = self.root / MAP
        rows = dict(MAP_ROW.findall(file.read_text(encoding="utf-8"))) if file.is_file() else None
        if rows is None:
            return
        rooms = {re.sub(rf"^({TOOLS}/[^/]+)/.*", r"\1", room) for room in self.rooms.folders - {None}} - {"app"}
        for room in sorted(rooms - rows.keys()):
            self.report(MAP, f"has no row for {room}")
        for name, purpose in sorted(rows.items()):
            if name not in rooms:
                self.report(MAP, f"{name} is not a room")
            elif len(purpose.split()) > MOST_WORDS_OF_A_ROW:
                self.report(MAP, f"the row of {name} has more than {MOST_WORDS_OF_A_ROW} words")

    def check_cycles(self):
        """Reports one circle of rooms and one of files. To understand one member of a circle, one has to read them all."""
        for room in sorted(self.rooms.folders - {None}):
            tool, _, part = room.rpartition("/")
            if is_in(tool, [TOOLS]) and part in TOOL_PARTS:
                self.arrows.setdefault((TOOL_PARTS[part], room), TOOLS + "/tools.h")
        for arrows in (self.arrows, self.parts):
            targets = {}
            for source, target in sorted(arrows):
                targets.setdefault(source, []).append(target)
            try:
                TopologicalSorter(targets).prepare()
            except CycleError as error:
                circle = error.args[1][::-1]  # its steps go from the included one to the including one
                steps = "; ".join(arrows[step] for step in zip(circle, circle[1:]))
                self.report("circle", f"{' -> '.join(circle)} ({steps})")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    checker = Checker(Path(arguments[0]))
    count = checker.run()
    if count == 0:
        print(f"There is nothing to check below {arguments[0]}", file=sys.stderr)
        return 2
    for violation in checker.violations:
        print(violation)
    if not checker.violations:
        print(f"{count} files, {len(checker.arrows)} arrows between rooms, none points the wrong way")
    return 1 if checker.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
