#!/usr/bin/env python3
"""Builds the recorder's test for Windows with mingw-w64 and runs it under Wine.

    recorder_test.py ROOT FOLDER LLVM_TOOLS

FOLDER is created, and kept with the build and its own Wine prefix. Exits with 77 if a tool is missing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wine import Wine, skip, windows_path

COMPILER = "x86_64-w64-mingw32-g++-posix"
OPTIONS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DUNICODE", "-D_UNICODE", "-DNOMINMAX",
           "-DWIN32_LEAN_AND_MEAN", "-D_WIN32_WINNT=0x0A00", "-DWINVER=0x0A00", "-DFMT_HEADER_ONLY", "-DHIGHWATER_TESTS",
           "-DSPDLOG_FMT_EXTERNAL", "-DSPDLOG_WCHAR_FILENAMES", "-DSPDLOG_PREVENT_CHILD_FD"]
# Commonly included headers, compiled once.
COMMON = ["fmt/format.h", "algorithm", "array", "chrono", "filesystem", "functional", "map", "memory", "optional", "string",
          "thread", "vector"]
# The recorder's sources, and those that they use.
SOURCES = ["core/base/byte_reader.cpp", "core/files/mapped_file.cpp", "core/files/open_mapped_file_windows.cpp", "core/files/scratch_file_windows.cpp",
           "core/files/output_file.cpp", "core/files/output_file_windows.cpp", "core/files/private_folder_windows.cpp",
           "core/base/sha256.cpp", "core/base/text.cpp", "core/base/within_memory.cpp",
           "core/etl/class_guids.cpp", "core/event/lost_zones.cpp", "core/event/mapping_names.cpp", "core/event/resident_sample.cpp", "core/event/trace_health.cpp",
           "tests/windows/recorder_test_windows.cpp"]
ROOMS = ["core/log", "core/source/records", "core/source/etw", "core/source/systems", "core/source/wpr"]
HEADERS = ["fmt", "spdlog"]
LIBRARIES = ["-ladvapi32", "-lpsapi", "-lshell32", "-lntdll"]


def build(root, folder):
    """The test program, rebuilt if something has changed."""
    (folder / "include").mkdir(parents=True, exist_ok=True)
    for library in HEADERS:  # only these of this system's headers
        if not (folder / "include" / library).exists():
            (folder / "include" / library).symlink_to(f"/usr/include/{library}")
    compiler = [COMPILER, *OPTIONS, f"-I{root}", "-isystem", folder / "include"]
    common = folder / "common.h"
    if not (folder / "common.h.gch").exists():
        common.write_text("".join(f"#include <{name}>\n" for name in COMMON), encoding="utf-8")
        run_all([[*compiler, "-x", "c++-header", common, "-o", folder / "common.h.gch"]])
    headers = [*(root / "core").rglob("*.h"), folder / "common.h.gch", Path(__file__)]
    objects, commands = [], []
    rooms = [source for room in ROOMS for source in sorted((root / room).glob("*.cpp")) if not source.stem.endswith("_linux")]
    for source in [*(root / name for name in SOURCES), *rooms]:
        objects.append(folder / (source.stem + ".o"))
        if is_older(objects[-1], [source, *headers]):
            commands.append([*compiler, "-include", common, "-c", source, "-o", objects[-1]])
    run_all(commands)
    program = folder / "recorder-test.exe"
    if is_older(program, objects):
        run_all([[COMPILER, "-static", "-o", program, *objects, *LIBRARIES]])
    return program


def is_older(file, others):
    return not file.exists() or file.stat().st_mtime < max(other.stat().st_mtime for other in others)


def run_all(commands):
    """As many at a time as there are processors."""
    running = []
    for command in commands:
        if len(running) >= (os.cpu_count() or 1):
            finish(running.pop(0))
        running.append(subprocess.Popen(list(map(str, command))))
    for process in running:
        finish(process)


def finish(process):
    if process.wait() != 0:
        sys.exit(f"failed: {' '.join(process.args)}")


def image_with_pdb(folder, llvm):
    """A Windows library whose PDB is image.pdb; None if clang and lld are missing."""
    clang, linker = Path(llvm) / "clang", Path(llvm) / "lld-link"
    if not clang.exists() or not linker.exists():
        return None
    source, binary = folder / "image.c", folder / "image.dll"
    source.write_text("__declspec(dllexport) int answer(void) { return 42; }\n", encoding="utf-8")
    subprocess.run([clang, "--target=x86_64-pc-windows-msvc", "-g", "-gcodeview", "-c", source, "-o", folder / "image.obj"],
                   check=True)
    subprocess.run([linker, "/dll", "/nodefaultlib", "/noentry", "/debug", f"/out:{binary}", folder / "image.obj"], check=True)
    return binary


def main(root, folder, llvm):
    if not shutil.which(COMPILER):
        skip(f"{COMPILER} is missing: install g++-mingw-w64-x86-64-posix (installer/packages-test.txt).")
    with Wine(folder / "prefix") as wine:
        program = build(root, folder)
        image = image_with_pdb(folder, llvm)
        done = wine.run([program, *(["--image", windows_path(image), "image.pdb"] if image else [])], timeout=900)
    print(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]))
