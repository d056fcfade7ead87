#!/usr/bin/env python3
"""Fails on an include that points against the direction of the project, or of a header that has no place where it is,
and on a widget that may read the text of a trace as HTML.

    check_layers.py ROOT

Reads every include line, and the target names in every CMakeLists.txt, of core/, ui/ and app/ below ROOT, and what
widgets in ui/ and app/ are given as tooltips and labels.
Prints one line a violation, with file and line number, and ends with 1 if there is any.
"""

import re
import sys
from collections import Counter
from pathlib import Path

# What the files of a room (a folder with sources) may include besides those of their own. The longest matching room
# counts. A folder of rooms stands for all of them.
# Every arrow goes against the flow of data (a consumer includes its producer), or down to base and event.
ENGINE_FOR_WIDGETS = ["core/base", "core/files", "core/log", "core/event", "core/store/published", "core/analysis", "core/symbols"]
FOR_SOURCES = ["core/base", "core/files", "core/event", "core/etl"]
FOR_SYMBOLS = ["core/base", "core/files", "core/event", "core/store/published"]
FOR_ANALYSIS = ["core/base", "core/event", "core/store/published"]
CORE = {
    "core/base": [],
    "core/files": ["core/base"],
    "core/log": ["core/base", "core/files"],
    "core/statistics": [],
    "core/sqlite": ["core/base"],
    "core/http": ["core/base"],
    "core/event": ["core/base", "core/log"],
    "core/etl": ["core/base", "core/files", "core/event"],
    "core/source/contract": FOR_SOURCES,
    "core/source/records": FOR_SOURCES,
    "core/source/etl_files": ["core/source/contract", "core/source/records", *FOR_SOURCES],
    "core/source/profiles": ["core/source/contract", "core/source/records", *FOR_SOURCES],
    "core/source/attach": ["core/agent_linux", "core/agent_linux/programs", "core/base", "core/files"],  # agent_linux: the channel's layout
    "core/source/generated_code": ["core/source/records", *FOR_SOURCES],
    "core/source/agent": ["core/agent_linux", "core/agent_linux/programs", "core/source/attach", "core/source/generated_code", "core/source/contract", "core/source/records", *FOR_SOURCES],
    "core/source/etw": ["core/log", "core/source/contract", "core/source/records", *FOR_SOURCES],
    "core/source/wpr": ["core/source/contract", "core/source/etw", *FOR_SOURCES],
    "core/source/systems": ["core/log", "core/source/agent", "core/source/attach", "core/source/contract", "core/source/etw",
                            "core/source/wpr", *FOR_SOURCES],
    "core/decode/records": ["core/base", "core/event", "core/etl"],
    "core/decode/stacks": ["core/base", "core/event", "core/decode/records"],
    "core/decode/snapshots": ["core/base", "core/event", "core/etl", "core/decode/records"],
    "core/decode": ["core/base", "core/event", "core/etl", "core/decode/records", "core/decode/stacks", "core/decode/snapshots"],
    "core/store/published": ["core/base", "core/files", "core/event"],  # files: memory of columns
    "core/store/matching": ["core/base", "core/event", "core/store/published"],
    "core/store": ["core/base", "core/files", "core/event", "core/store/published", "core/store/matching"],  # the same
    "core/symbols/answers": FOR_SYMBOLS,
    "core/symbols/demangling": FOR_SYMBOLS,
    "core/symbols/places": FOR_SYMBOLS,
    "core/symbols/pdb": ["core/symbols/answers", "core/symbols/demangling", *FOR_SYMBOLS],
    "core/symbols/elf": ["core/symbols/answers", "core/symbols/demangling", "core/symbols/places", *FOR_SYMBOLS],
    "core/symbols/pe": ["core/symbols/answers", "core/symbols/pdb", *FOR_SYMBOLS],
    "core/symbols/portable": ["core/symbols/answers", "core/symbols/pe", *FOR_SYMBOLS],
    "core/symbols/store": ["core/http", "core/symbols/answers", "core/symbols/places", "core/symbols/pdb", "core/symbols/elf",
                           "core/symbols/pe", "core/symbols/portable", *FOR_SYMBOLS],
    "core/symbols/resolver": ["core/log", "core/symbols/answers", "core/symbols/store", *FOR_SYMBOLS],
    "core/analysis/columns": FOR_ANALYSIS,
    "core/analysis/query": ["core/analysis/columns", *FOR_ANALYSIS],
    "core/analysis/tags": ["core/base"],
    "core/analysis/frames": ["core/analysis/tags", "core/symbols", *FOR_ANALYSIS],
    "core/analysis/rows": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", *FOR_ANALYSIS],
    "core/analysis/sweeps": ["core/analysis/rows", *FOR_ANALYSIS],
    "core/analysis/table": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows",
                            "core/analysis/sweeps", *FOR_ANALYSIS],
    "core/analysis/timeline": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows",
                               "core/analysis/sweeps", *FOR_ANALYSIS],
    "core/analysis/histogram": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows", *FOR_ANALYSIS],
    "core/analysis/callers": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows", *FOR_ANALYSIS],
    "core/analysis/addresses": ["core/analysis/columns", "core/analysis/frames", "core/analysis/rows", *FOR_ANALYSIS],
    "core/analysis/leaks": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows",
                            "core/analysis/sweeps", "core/analysis/tags", *FOR_ANALYSIS],
    "core/analysis/heaps": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query",
                            "core/analysis/rows", "core/analysis/table", *FOR_ANALYSIS],
    "core/analysis/explain": ["core/analysis/columns", "core/analysis/frames", "core/analysis/leaks", "core/analysis/query",
                              "core/analysis/rows", "core/analysis/sweeps", "core/analysis/table", *FOR_ANALYSIS],
    "core/analysis/flames": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query", "core/analysis/rows",
                             "core/analysis/sweeps", "core/analysis/table", *FOR_ANALYSIS],
    "core/analysis/difference": ["core/analysis/columns", "core/analysis/flames", "core/analysis/frames", "core/analysis/leaks", "core/analysis/query",
                                 "core/analysis/rows", "core/analysis/sweeps", "core/statistics", *FOR_ANALYSIS],
    "core/analysis/generations": ["core/analysis/columns", "core/analysis/frames", "core/analysis/query",
                                  "core/analysis/rows", *FOR_ANALYSIS],
    "core/export": ["core/analysis", *FOR_ANALYSIS],
    "core/agent_linux/programs": [],
    "core/agent_linux": ["core/agent_linux/programs"],
    "core/agent_linux/hooks": ["core/agent_linux", "core/agent_linux/programs"],
}
STAGES = ["core/base", "core/files", "core/log", "core/event", "core/etl", "core/source", "core/decode", "core/store/published",
          "core/store", "core/symbols", "core/analysis"]
CORE["core/pipeline/spool"] = ["core/base", "core/files", "core/log", "core/event", "core/etl", "core/source", "core/decode/records",
                               "core/store/published", "core/store/matching"]  # it writes records of what is outstanding
CORE["core/pipeline/crop"] = ["core/base", "core/files", "core/event", "core/etl", "core/source", "core/source/contract",
                              "core/source/etl_files", "core/source/records", "core/decode", "core/decode/records", "core/store",
                              "core/store/matching", "core/store/published", "core/pipeline/spool"]
CORE["core/pipeline/relay"] = ["core/base", "core/event"]
CORE["core/pipeline/index"] = ["core/base", "core/files", "core/log", "core/event", "core/etl", "core/source/contract", "core/store/published"]
CORE["core/pipeline"] = [*STAGES, "core/decode/records", "core/decode/snapshots", "core/pipeline/spool", "core/pipeline/relay", "core/pipeline/index"]
CORE["core/export/info"] = ["core/export", "core/pipeline", *STAGES]  # it says how a trace was loaded
CORE["core/export/explain"] = ["core/export", "core/export/info", "core/pipeline", *STAGES]
CORE["core/export/difference"] = ["core/export", "core/analysis", *FOR_ANALYSIS]
CORE["core/export/questions"] = ["core/export", "core/analysis", *FOR_ANALYSIS]
FOR_FORMATS = ["core/analysis", *FOR_ANALYSIS, "core/symbols"]
CORE["core/formats/facts"] = FOR_FORMATS
CORE["core/formats/calls"] = FOR_FORMATS
CORE["core/formats/sqlite"] = ["core/sqlite", "core/formats/calls", "core/export", *FOR_FORMATS]
CORE["core/formats/report"] = ["core/formats/facts", "core/export", "core/export/explain", *FOR_FORMATS]
CORE["core/formats/speedscope"] = ["core/export", *FOR_FORMATS]
CORE["core/formats/pprof"] = ["core/formats/calls", "core/formats/facts", *FOR_FORMATS]
FORMATS = ["core/formats/calls", "core/formats/facts", "core/formats/pprof", "core/formats/speedscope", "core/formats/sqlite", "core/formats/report"]
CORE["core/formats"] = ["core/files", "core/export", *FORMATS, *FOR_FORMATS]
ENGINE = [*STAGES, *FORMATS, "core/formats", "core/pipeline", "core/pipeline/index", "core/pipeline/crop", "core/export", "core/export/info", "core/export/explain", "core/export/difference",
          "core/export/questions"]
CORE["core/summary"] = ["core/analysis", "core/formats/calls", "core/formats/facts", *STAGES]
CORE["core/fleet/contract"] = ["core/base", "core/summary", "core/analysis/columns"]
FOR_FLEET = ["core/base", "core/summary", "core/analysis/columns", "core/fleet/contract"]
CORE["core/fleet/questions"] = ["core/statistics", *FOR_FLEET]
CORE["core/fleet/sqlite"] = ["core/sqlite", "core/fleet/questions", *FOR_FLEET]
CORE["core/fleet/clickhouse"] = ["core/http", "core/fleet/questions", *FOR_FLEET]
CORE["core/fleet/stores"] = ["core/fleet/clickhouse", "core/fleet/sqlite", *FOR_FLEET]
CORE["core/check"] = ["core/summary", "core/statistics", "core/export", "core/export/explain", "core/formats/facts", "core/formats/report", *FOR_FORMATS]
ENGINE += ["core/check", "core/statistics", "core/summary", "core/fleet/contract", "core/fleet/stores"]
FOR_FLEET_PAGES = ["core/fleet/contract", "core/summary"]
FOR_VIEWS = ["ui/theme", "ui/view/access", "ui/format", "ui/state", "ui/state/finders", "ui/state/table", "ui/model", *ENGINE_FOR_WIDGETS]
UI = {
    "ui/theme": [],
    "ui/format": ENGINE_FOR_WIDGETS,
    "ui/state/table": ["core/export", "core/formats", "ui/format", *ENGINE_FOR_WIDGETS],
    "ui/state": ["ui/theme", "ui/format", "ui/state/table", *ENGINE_FOR_WIDGETS],
    "ui/state/finders": ["ui/format", "ui/state", "ui/state/table", *ENGINE_FOR_WIDGETS],
    "ui/state/fleet": ["core/export", "ui/format", "ui/state", *FOR_FLEET_PAGES, *ENGINE_FOR_WIDGETS],
    "ui/session": ["ui/format", "ui/state", "ui/state/table", *ENGINE_FOR_WIDGETS],
    "ui/profiles": ["ui/format", "ui/state", "ui/state/table", *ENGINE_FOR_WIDGETS],
    "ui/model": ["ui/theme", "ui/format", "ui/state", "ui/state/finders", "ui/state/fleet", "ui/state/table", *ENGINE_FOR_WIDGETS],
    "ui/view/access": [],
    "ui/view/parts": ["ui/view/access", "ui/theme", "ui/format", *ENGINE_FOR_WIDGETS],
    "ui/view/notes": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/table": ["core/export", "core/formats", "ui/view/notes", "ui/view/parts", *FOR_VIEWS],
    "ui/view/timeline": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/flames": ["core/export", "ui/view/parts", *FOR_VIEWS],
    "ui/view/analysis": ["ui/view/flames", "ui/view/parts", "ui/view/table", "ui/view/timeline", *FOR_VIEWS],
    "ui/view/recording": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/symbols": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/console": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/leaks": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/difference": ["ui/view/flames", "ui/view/parts", *FOR_VIEWS],
    "ui/view/heaps": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/histogram": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/callers": ["ui/view/parts", *FOR_VIEWS],
    "ui/view/addresses": ["ui/view/parts", "ui/view/timeline", *FOR_VIEWS],
    "ui/view/fleet": ["ui/view/parts", "ui/state/fleet", *FOR_FLEET_PAGES, *FOR_VIEWS],
    "ui/view/window": ["ui/view/parts", *FOR_VIEWS],
}
ALLOWED = {
    **CORE,
    **UI,
    "app/settings": ["core/base", "core/files", "core/log", "ui/format", "ui/state", "ui/theme", "ui/view/parts", "ui/view/window"],
    "app/symbols": ["app/pages", "app/settings", *ENGINE, *UI],
    "app/recording": ["app/settings", "app/symbols", "core/pipeline/spool", *ENGINE, *UI],
    "app/pages": ["app/settings", *ENGINE, *UI],
    "app/bars": ["app/settings", *ENGINE, *UI],
    "app/sessions": ["app/recording", "app/settings", "app/symbols", *ENGINE, *UI],
    "app/fleet": ["app/cli/fleet", "app/pages", "app/settings", "app/symbols", *ENGINE, *UI],
    "app/window": ["app/bars", "app/fleet", "app/pages", "app/sessions", "app/settings", "app/symbols", "app/recording", *ENGINE, *UI],
    "app": ["app/bars", "app/fleet", "app/pages", "app/sessions", "app/settings", "app/symbols", "app/recording", "app/window", *ENGINE, *UI, "app/cli"],
    "app/cli/manual": ["core/export", *FOR_ANALYSIS, "core/analysis"],
    "app/cli/arguments": [*STAGES, "core/pipeline"],
    "app/cli/options": ["app/cli/arguments", *FOR_ANALYSIS],
    "app/cli/questions": ["app/cli/arguments", "app/cli/options", "core/analysis", "core/export", "core/export/questions", *FOR_ANALYSIS],
    "app/cli/traces": [*ENGINE, "app/cli/arguments"],
    "app/cli/formats": [*ENGINE, "app/cli/arguments", "app/cli/options", "app/cli/traces"],
    "app/cli/fleet": [*ENGINE, "app/cli/arguments", "app/cli/options", "app/cli/traces"],
    "app/cli/check": [*ENGINE, "app/cli/arguments", "app/cli/options", "app/cli/traces"],
    "app/cli": [*ENGINE, "app/cli/arguments", "app/cli/check", "app/cli/fleet", "app/cli/formats", "app/cli/manual", "app/cli/options", "app/cli/questions", "app/cli/traces"],
}
NO_QT = ("core", "app/cli")

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

# Of the standard library on systems without futexes, as mingw's for Windows: libstdc++ looks at the value before it takes
# the lock under which it then waits, and whoever is woken in between sleeps for ever.
WAITS_FOR_EVER = {"latch", "semaphore", "barrier"}
# These have such a wait inside: a callback's destructor waits for one that is being called.
CALLBACK_OF_STOP = re.compile(r"\bstd::(stop_callback|condition_variable_any)\b")

# Qt reads what looks like HTML as HTML in tooltips, labels and questions: they get plain text. The files that write HTML
# themselves, of the program's own words and escaped ones.
WRITES_HTML = {"ui/view/parts/message_strip.cpp", "ui/view/parts/help_page.cpp", "app/window/help_controller.cpp"}
HTML = re.compile(r"\bnew QLabel\b|\bnew QMessageBox\b|\bQStaticText\b|\bsetHtml\(|Qt::RichText\b|Qt::AutoText\b")
PLAIN_WIDGETS = "ui/view/parts/plain_widgets.cpp"
TOOLTIP = re.compile(r"(?:\bsetToolTip|\bsetWhatsThis|\bsetTabToolTip|QToolTip::showText)\(((?:\"(?:[^\"\\]|\\.)*\"|[^;\"])*);")
# The program's own words, and nothing put into them: `{}`, `0, tr("Size")`.
OWN_WORDS = re.compile(r'(?:\w+, *)?(?:\{\}|tr\((?:\s*"(?:[^"\\]|\\.)*")+\))\)\s*')
TOOLTIP_ROLE = re.compile(r"\bcase Qt::(?:ToolTip|WhatsThis)Role|== Qt::(?:ToolTip|WhatsThis)Role")

MOST_UNITS_OF_A_ROOM = 25  # a header, its source and their forms for each system are one

SOURCES = {".h", ".hpp", ".cpp", ".cc", ".c", ".ipp", ".inl"}
INCLUDE = re.compile(r'\s*#\s*include(?:_next)?\s*(?:(["<])([^">]*)[">]|(\S+))')
TARGET = re.compile(r"\b(core|ui|app)_([a-z0-9_]+)\b")


def folder_of(path):
    """The row of ALLOWED that holds this path ("core/store/column.h"), or None."""
    rows = [row for row in ALLOWED if path.startswith(row + "/")]
    return max(rows, key=len, default=None)


def part_of(path):
    """The files that are one part together, without ending: a header, its .cpp, those of single systems and its private
    header, X_impl.h."""
    return re.sub(r"(_(windows|linux|plain|impl))?(\.[a-z]+)+$", "", path)


def rooms_of(name):
    """A room (if it is the door to others, without these), or all rooms of a folder of rooms."""
    return [row for row in ALLOWED if row == name] or [row for row in ALLOWED if row.startswith(name + "/")]


def rooms_of_target(target):
    """What a library is made of: core_event, or all rooms of ui_view."""
    rows = [row for row in ALLOWED if row.replace("/", "_") == target]
    return rows or [row for row in ALLOWED if (row.replace("/", "_") + "_").startswith(target + "_")]


def may_know(source, target):
    return any(target in rooms_of(name) for name in ALLOWED[source])


def is_below(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


def system_of(path):
    """The one system whose headers this file may include ("windows", "linux"), or None."""
    parts = [*Path(path).parent.parts, Path(path).stem]
    return next((name for name in ("windows", "linux") if any(part.endswith("_" + name) for part in parts)), None)


class Checker:
    """Collects the violations of one tree, and the arrows between its folders."""

    def __init__(self, root):
        self.root = root
        self.violations = []
        self.arrows = {}  # (from folder, to folder) -> "file:line" of the first include that makes it
        self.parts = {}  # the same, of files

    def run(self):
        files = sorted(f for top in ("core", "ui", "app") for f in (self.root / top).rglob("*") if f.is_file())
        for file in files:
            path = file.relative_to(self.root).as_posix()
            if file.name == "CMakeLists.txt":
                self.check_targets(file, path)
            elif file.suffix in SOURCES:
                self.check_source(file, path)
        self.check_sizes(files)
        self.check_cycles()
        return len(files)

    def check_sizes(self, files):
        """A folder that nobody can overlook any more is to be divided."""
        units = {(f.parent.relative_to(self.root).as_posix(), re.sub("_(linux|windows)$", "", f.stem))
                 for f in files if f.suffix in SOURCES}
        sizes = Counter(folder for folder, _ in units)
        for folder, size in sorted(sizes.items()):
            if size > MOST_UNITS_OF_A_ROOM:
                self.report(folder, f"{size} units: a room holds at most {MOST_UNITS_OF_A_ROOM}")

    def report(self, where, what):
        self.violations.append(f"{where}: {what}")

    def check_source(self, file, path):
        folder = folder_of(path)
        if folder is None:
            self.report(path, "this folder has no row in tests/layers/check_layers.py: say there what it may include")
            return
        text = file.read_text(encoding="utf-8", errors="replace")
        if not is_below(path, NO_QT):
            self.check_texts(path, text)
        if system_of(path) != "linux":
            self.check_waits(path, text)
        for number, line in enumerate(text.splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            where = f"{path}:{number}"
            quote, name, computed = include.groups()
            if computed:
                self.report(where, f"the include {computed} cannot be checked: name the header")
            elif quote == "<":
                self.check_system_header(where, path, name)
            else:
                self.check_own_header(where, path, folder, name)

    def check_waits(self, path, text):
        for number, line in enumerate(text.splitlines(), 1):
            for match in CALLBACK_OF_STOP.finditer(line):
                self.report(f"{path}:{number}", f"{match[0]}: libstdc++ for Windows misses wake-ups: ask the token in steps")

    def check_texts(self, path, text):
        """Nothing that comes from a trace is read as HTML."""
        def where(match):
            return f"{path}:{text.count(chr(10), 0, match.start()) + 1}"

        for match in HTML.finditer(text):
            if path not in WRITES_HTML and path != PLAIN_WIDGETS:
                self.report(where(match), f"{match[0]}: may read a name as HTML: take ui/view/parts/plain_widgets.h")
        for match in TOOLTIP.finditer(text):
            if "tooltipText(" not in match[1] and not OWN_WORDS.fullmatch(match[1]):
                self.report(where(match), "a tooltip may read a name as HTML: it needs tooltipText")
        for match in TOOLTIP_ROLE.finditer(text):
            if "tooltipText(" not in text:
                self.report(where(match), "a tooltip of a row may read a name as HTML: it needs tooltipText")

    def check_system_header(self, where, path, name):
        if is_below(path, NO_QT) and re.match(r"Q[A-Z]|Qt|q[a-z]+\.h$", name):
            self.report(where, f"<{name}>: no Qt in {' and '.join(NO_QT)}")
        elif name.startswith(("core/", "ui/", "app/")):
            self.report(where, f"<{name}>: headers of this project are included with quotes")
        elif name in WAITS_FOR_EVER and system_of(path) != "linux":
            self.report(where, f"<{name}>: libstdc++ for Windows misses wake-ups: take a mutex and a condition variable")
        elif WINDOWS_HEADERS.fullmatch(name) and system_of(path) != "windows":
            self.report(where, f"<{name}>: Windows headers belong into *_windows.* files")
        elif LINUX_HEADERS.fullmatch(name) and system_of(path) != "linux":
            self.report(where, f"<{name}>: Linux headers belong into *_linux.* files")

    def check_own_header(self, where, path, folder, name):
        if name in (Path(path).stem + ".moc", "moc_" + Path(path).name):
            return
        if not name.startswith(("core/", "ui/", "app/")):
            self.report(where, f'"{name}": not a full path below core/, ui/ or app/')
        elif not any((self.root / candidate).is_file() for candidate in (name, name + ".in")):
            self.report(where, f'"{name}": there is no such file')
        elif folder_of(name) is not None:  # else the file itself is reported
            if folder == folder_of(name) and part_of(path) != part_of(name):  # circles of folders are told once
                self.parts.setdefault((part_of(path), part_of(name)), where)
            self.check_arrow(where, folder, folder_of(name))

    def check_targets(self, file, path):
        """The names of libraries say the same as the includes, so that none can be linked unseen."""
        folder = folder_of(path)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            where, code = f"{path}:{number}", line.split("#")[0]
            if is_below(path, NO_QT) and re.search(r"\bQt6", code):
                self.report(where, f"Qt6: no Qt in {' and '.join(NO_QT)}")
            for top, rest in TARGET.findall(code):
                rooms = rooms_of_target(f"{top}_{rest}")
                if folder is not None and rooms:
                    self.check_arrow(where, folder, *rooms, name=rooms[0] if len(rooms) == 1 else f"{top}/{rest}")

    def check_arrow(self, where, source, *targets, name=None):
        """`name`: of the folder of rooms that these targets are."""
        targets = [target for target in targets if target != source]
        for target in targets:
            self.arrows.setdefault((source, target), where)
        forbidden = [target for target in targets if not may_know(source, target)]
        if forbidden:
            allowed = ", ".join(ALLOWED[source]) or "nothing else of this project"
            self.report(where, f"{source} may not know {name or forbidden[0]} (it may know: {allowed})")

    def check_cycles(self):
        """Of folders, and of files: who reads one of a circle has to read them all."""
        for arrows in (self.arrows, self.parts):
            for cycle in sorted(find_cycles(arrows)):
                steps = "; ".join(arrows[step] for step in zip(cycle, cycle[1:]))
                self.report("cycle", f"{' -> '.join(cycle)} ({steps})")


def find_cycles(arrows):
    """One shortest cycle through each folder that lies on any, written from its alphabetically first folder."""
    targets = {}
    for source, target in sorted(arrows):
        targets.setdefault(source, []).append(target)
    found = set()
    for start in targets:
        ways = [[start]]
        seen = set()
        while ways:
            way = ways.pop(0)
            for target in targets.get(way[-1], []):
                if target == start:
                    first = way.index(min(way))
                    found.add((*way[first:], *way[:first], way[first]))
                    ways = []
                    break
                if target not in seen:
                    seen.add(target)
                    ways.append([*way, target])
    return found


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    assert not find_cycles({(row, other): "" for row in [*CORE, *UI] for name in ALLOWED[row] for other in rooms_of(name)
                            if other != row}), "the table has a cycle"
    checker = Checker(Path(arguments[0]))
    count = checker.run()
    if count == 0:
        print(f"There is nothing to check below {arguments[0]}", file=sys.stderr)
        return 2
    for violation in checker.violations:
        print(violation)
    if not checker.violations:
        print(f"{count} files, {len(checker.arrows)} arrows between folders, none points the wrong way")
    return 1 if checker.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
