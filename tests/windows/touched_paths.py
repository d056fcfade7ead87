#!/usr/bin/env python3
"""Opens traces whose paths lead elsewhere with highwater-cli.exe under Wine, and looks at every file that Wine was asked
for meanwhile. A name on another machine makes Windows send who the user is to it.

    touched_paths.py BUILD HOSTILE_TRACES

BUILD is the folder of build_for_windows.py; HOSTILE_TRACES a program of this system. Allowed is what the test
touched_paths allows: the trace and what lies beside it under its name, the places for symbols that the user named, the
program's own folders, and what the program touches for a trace that names no file at all.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "touched_paths"))
from crafted_files import finish_traces  # noqa: E402 (the folder has to be known first)
from wine import Wine, skip, windows_path  # noqa: E402

RUN_SECONDS = 120
# `name=L"\\??\\Z:\\x.dll"`: what the kernel of Windows would be asked for.
ASKED = re.compile(r'(?:Nt(?:Create|Open)File .*?\bname=|Nt\w*AttributesFile \(?|nt_to_unix_file_name_no_root )L"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(r"\\([0-9a-f]{4}|.)")
# Of Windows itself: libraries, time zones, names of languages.
RUNTIME = ("c:\\windows\\",)


def plain(escaped):
    """Wine writes `\\\\`, `\\n`, and other letters as four digits."""
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)) if len(found[1]) == 4 else {"n": "\n", "r": "\r", "t": "\t"}
                      .get(found[1], found[1]), escaped)


def asked_for(log):
    """Without case, and without the folder of all devices: "z:\\x.dll", "unc\\host\\share\\x.dll"."""
    paths = set()
    for line in log.splitlines():
        for name in ASKED.findall(line):
            path = plain(name).lower()
            # What nt_to_unix_file_name_no_root did not find is told without its drive, and was told with it before.
            if path.startswith("\\"):
                paths.add(path.removeprefix("\\??\\").rstrip("\\"))
    return paths


def touched(wine, command, folder):
    """Paths, and how the program ended. Wine tells of files in the program's stderr."""
    environment = dict(wine.environment)
    wine.environment = environment | {"WINEDEBUG": "-all,+file"}
    try:
        done = wine.run(command, RUN_SECONDS, cwd=folder)
    finally:
        wine.environment = environment
    return asked_for(done.stderr.decode(errors="replace")), done


def is_below(path, folder):
    return path == folder or path.startswith(folder + "\\")


def is_allowed(path, trace, folders):
    trace = windows_path(trace).lower()
    unpacked = trace.removesuffix(".zip")
    if path.startswith(unpacked) or is_below(path, unpacked.removesuffix(".etl") + ".ngenpdb"):
        return True
    if any(is_below(path, folder) for folder in folders) or path.startswith(RUNTIME):
        return True
    return any(is_below(place, path) for place in (trace, *folders))  # folders on the way


def notices_what_is_touched(wine, folder):
    """Else the test would find nothing in any case."""
    paths, _ = touched(wine, ["cmd", "/c", "type", r"\\host\share\noticed.txt"], folder)
    return r"unc\host\share\noticed.txt" in paths


def ways(cli, trace, symbols):
    yield "info", [cli, "info", windows_path(trace)]
    yield "table", [cli, "table", windows_path(trace), "--table", "heap", "--by", "Process,Stack", "--symbols",
                    windows_path(symbols)]


def main(build, hostile_traces):
    cli = next((build / "tree").glob("**/highwater-cli.exe"), None)
    if not cli:
        skip("highwater-cli.exe was not built (see the test windows_build).")
    with tempfile.TemporaryDirectory() as temporary, Wine(build / "prefix") as wine:
        scratch = Path(temporary).resolve()
        places = {name: scratch / name for name in ("traces", "bait", "symbols", "start")}
        for place in places.values():
            place.mkdir()
        subprocess.run([hostile_traces, places["traces"], places["bait"]], check=True)
        finish_traces(places["traces"], places["bait"], scratch / "work")
        if not notices_what_is_touched(wine, places["start"]):
            print("Wine does not tell what is touched.")
            return 1
        folders = [windows_path(folder).lower() for folder in (cli.parent, places["symbols"])] + ["c:\\users"]
        honest = {way: touched(wine, command, places["start"])[0]
                  for way, command in ways(cli, places["traces"] / "honest/trace.etl", places["symbols"])}
        files = sorted(file for file in places["traces"].glob("*/trace.*") if file.is_file())
        failures = 0
        for file in files:
            for way, command in ways(cli, file, places["symbols"]):
                paths, done = touched(wine, command, places["start"])
                wrong = sorted(path for path in paths - honest[way] if not is_allowed(path, file, folders))
                failures += bool(wrong) or done.returncode not in (0, 2)
                for path in wrong:
                    print(f"FAIL  {file.parent.name}, {way}: touches {path!r}"[:300], flush=True)
                if done.returncode not in (0, 2):
                    print(f"FAIL  {file.parent.name}, {way}: ended with {done.returncode}", flush=True)
        print(f"{len(files)} traces, {failures} runs that touch what the user did not name")
        return 1 if failures or len(files) < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
