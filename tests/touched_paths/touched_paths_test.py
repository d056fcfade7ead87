#!/usr/bin/env python3
"""Opens traces whose paths lead elsewhere, under strace, and checks every path that was touched meanwhile.

    touched_paths_test.py HOSTILE_TRACES HIGHWATER_CLI [HIGHWATER]

Allowed are the trace and the files beside it with its name, the symbol folders that the user named, the program's own
folders, and every path that the program touches for a trace that does not name any file. Network calls are not allowed.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from crafted_files import finish_traces

SKIPPED = 77  # SKIP_RETURN_CODE in CMakeLists.txt
RUN_SECONDS = 120
# Libraries, fonts, locales and pictures of the system, which are loaded on demand, and the number of its processors.
RUNTIME = ("/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/", "/usr/local/lib/", "/usr/share/", "/usr/local/share/",
           "/etc/ld.so.", "/etc/fonts/", "/sys/devices/system/cpu/",
           # The identity of this machine, and the places of its drives: they show whether a trace was recorded here.
           "/etc/machine-id", "/proc/sys/kernel/random/boot_id", "/proc/stat", "/proc/mounts", "/proc/self/mounts",
           "/proc/self/mountinfo", "/etc/mtab")
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)")
# `AT_FDCWD</home>, "x"`, or just `"x"`.
PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?"((?:[^"\\]|\\.)*)"')
TWO_PATHS = {"rename", "renameat", "renameat2", "link", "linkat"}
NO_PATH = {"getcwd"}


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def plain(escaped):
    """The text that strace wrote with \\n and octal numbers."""
    return escaped.encode().decode("unicode_escape").encode("latin-1").decode(errors="replace")


def touched(log, folder):
    """Paths, and network calls, in the output of strace. `folder`: where the program was started."""
    paths, network = set(), set()
    for line in log.read_text(errors="replace").splitlines():
        call = CALL.match(line)
        if not call or call[1] in NO_PATH:
            continue
        if call[1] in ("socket", "connect", "bind", "sendto", "sendmsg") and re.search(r"AF_(INET|BLUETOOTH|VSOCK)", line):
            network.add(line)
        found = PATH.findall(call[2])
        for base, name in found[:2 if call[1] in TWO_PATHS else 1]:
            if name and ("@" not in name or not call[1].startswith("connect")):
                path = os.path.normpath(os.path.join(plain(base) or folder, plain(name)))
                # Numbers of processes and of open files differ each time.
                path = re.sub(r"^/proc/\d+(/task/\d+)?", "/proc/self", path)
                paths.add(re.sub(r"^/proc/self/fd/\d+", "/proc/self/fd", path))
    return paths, network


class Ways:
    """A way to open a trace. `of(way)`: the command."""

    def __init__(self, cli, window, symbols):
        self.cli, self.window, self.symbols = cli, window, symbols
        self.names = ["info", "table"] + (["window"] if window else [])

    def of(self, way, trace, out):
        if way == "info":
            return [self.cli, "info", trace]
        if way == "table":
            return [self.cli, "table", trace, "--table", "heap", "--by", "Process,Stack", "--symbols", self.symbols]
        return [self.window, trace, "--graph", "heap", "--expand-hot-path", "--screenshot", out / "picture.png"]


class Watch:
    """Runs programs under strace, in a home folder of its own."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.symbols = self.folder("symbols")
        self.start = self.folder("start")

    def folder(self, name):
        path = self.scratch / name
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        return path

    def environment(self, home):
        places = {f"XDG_{kind}_HOME": self.folder(f"{home}/{kind.lower()}") for kind in ("CONFIG", "CACHE", "DATA", "STATE")}
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", "HOME": self.folder(home),
                "TMPDIR": self.folder(f"{home}/tmp"), "XDG_RUNTIME_DIR": self.folder(f"{home}/run"),
                "_NT_SYMBOL_PATH": str(self.symbols), **places}

    def run(self, command, home):
        """Touched paths, network calls, and the exit status."""
        log = self.folder(home) / "strace.log"
        strace = ["strace", "-f", "-y", "-s", "70000", "-e", "trace=%file,%network", "-o", log]
        done = subprocess.run([*strace, *command], env=self.environment(home), cwd=self.start, timeout=RUN_SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return *touched(log, str(self.start)), done


def is_below(path, folder):
    return path == str(folder) or path.startswith(f"{folder}/")


def is_allowed(path, trace, home, symbols, programs):
    named = [trace, home, symbols]
    if any(is_below(path, folder) for folder in [home, symbols, *programs]):
        return True
    # "trace.etl", "trace.etl.NGENPDB/x.pdb", "trace.NGENPDB".
    if path.startswith(str(trace)) or is_below(path, trace.with_suffix(".NGENPDB")):
        return True
    return path.startswith(RUNTIME) or any(is_below(str(place), path) for place in named)  # folders on the way


def notices_what_is_touched(watch, bait):
    """Otherwise the test would never find anything."""
    paths, _ = watch.run(["cat", bait / "x.dll"], "noticing-files")[:2]
    _, network = watch.run([sys.executable, "-c", "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"],
                           "noticing-network")[:2]
    return str(bait / "x.dll") in paths and network


def check(watch, ways, name, trace, way, honest, programs):
    """The problem; empty if there is none."""
    home = f"homes/{name}-{way}"
    paths, network, done = watch.run(ways.of(way, trace, watch.folder(home)), home)
    wrong = [f"touches {path!r}"[:200] for path in sorted(paths - honest)
             if not is_allowed(path, trace, watch.scratch / home, watch.symbols, programs)]
    wrong += [f"calls the network: {line[:200]}" for line in sorted(network)]
    if done.returncode not in (0, 2):  # a file that cannot be read is reported
        wrong.append(f"ended with {done.returncode}: {done.stdout.decode(errors='replace')[-500:]}")
    return wrong


def main(hostile_traces, cli, window=None):
    if not shutil.which("strace"):
        skip("strace is not installed (installer/packages-test.txt).")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        skip("strace may not look at programs here.")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary).resolve()
        watch = Watch(scratch)
        bait, traces = watch.folder("bait"), watch.folder("traces")
        subprocess.run([hostile_traces, traces, bait], check=True)
        finish_traces(traces, bait)
        if not notices_what_is_touched(watch, bait):
            print("strace does not tell what is touched.")
            return 1
        ways = Ways(cli, window, watch.symbols)
        programs = {str(Path(program).resolve().parent) for program in (cli, window) if program}
        honest = {}
        for way in ways.names:
            trace, home = traces / "honest/trace.etl", f"homes/honest-{way}"
            paths, _, done = watch.run(ways.of(way, trace, watch.folder(home)), home)
            if done.returncode != 0:
                print(f"The honest trace: {way} ended with {done.returncode}: {done.stdout.decode(errors='replace')}")
                return 1
            honest[way] = paths
        files = sorted(file for file in traces.glob("*/trace.*") if file.is_file())
        with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
            jobs = [(file, way, pool.submit(check, watch, ways, file.parent.name, file, way, honest[way], programs))
                    for file in files for way in ways.names]
            failures = 0
            for file, way, job in jobs:
                wrong = job.result()
                failures += bool(wrong)
                for line in wrong:
                    print(f"FAIL  {file.parent.name}, {way}: {line}", flush=True)
        print(f"{len(files)} traces, {len(jobs)} runs, {failures} touch what the user did not name")
        return 1 if failures or len(files) < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
