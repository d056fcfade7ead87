#!/usr/bin/env python3
"""Opens traces whose paths lead elsewhere with highwater-cli.exe under Wine, and checks every file that Wine was asked for
meanwhile. A path on another machine makes Windows send the user's identity to it.

    touched_paths.py BUILD HOSTILE_TRACES

BUILD is the folder of build_for_windows.py; HOSTILE_TRACES a program of this system. The same paths are allowed as
in the test touched_paths: the trace and the files beside it with its name, the symbol folders that the user named, the
program's own folders, and every path that the program touches for a trace that does not name any file.
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
# `name=L"\\??\\Z:\\x.dll"`: the path that the Windows kernel would be asked for.
ASKED = re.compile(r'(?:Nt(?:Create|Open)File .*?\bname=|Nt\w*AttributesFile \(?|nt_to_unix_file_name_no_root )L"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(r"\\([0-9a-f]{4}|.)")
# Files of Windows itself: libraries, time zones, names of languages.
RUNTIME = ("c:\\windows\\",)


def plain(escaped):
    """Wine writes `\\\\`, `\\n`, and other letters as four digits."""
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)) if len(found[1]) == 4 else {"n": "\n", "r": "\r", "t": "\t"}
                      .get(found[1], found[1]), escaped)


def asked_for(log):
    """In lower case, and without the folder of all devices: "z:\\x.dll", "unc\\host\\share\\x.dll"."""
    paths = set()
    for line in log.splitlines():
        for name in ASKED.findall(line):
            path = plain(name).lower()
            # Paths that nt_to_unix_file_name_no_root did not find are logged without their drive, and were logged with
            # it before.
            if path.startswith("\\"):
                paths.add(path.removeprefix("\\??\\").rstrip("\\"))
    return paths


def touched(wine, command, folder):
    """Paths, and the program's exit. Wine logs files in the program's stderr."""
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
    """Otherwise the test would never find anything."""
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
