#!/usr/bin/env python3
"""Makes the PDB files of the example trace, so that its frames have names without a symbol server.

    make_symbols.py HIGHWATER_EXAMPLE     the program that writes the example; needs clang-19 and lld-19

highwater-example --modules prints each module of the trace, its GUID and its functions in the order of their addresses.
For each module this script compiles functions of these names, 256 bytes apart, as the trace has them, and writes
MODULE.pdb beside this script with the GUID of the trace. MemoryTestApp.exe is compiled from the
program of tests/built_programs, so that its frames have source lines; the other modules only have names.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

LLVM = Path("/usr/lib/llvm-19/bin")
HERE = Path(__file__).resolve().parent
SOURCES = {"MemoryTestApp.exe": HERE.parents[1] / "tests/built_programs/programs/memory_test_app.cpp"}
DEBUG = ["-g", "-gcodeview", "-gno-codeview-command-line", "-fdebug-compilation-dir=C:\\Examples"]
BASE = 0x140000000
WORK = "sink = sink + 1; " * 16
LINKED = {"operator new": "??2@YAPEAX_K@Z", "operator delete": "??3@YAXPEAX@Z", "Operation1": "?Operation1@@YAXXZ",
          "Operation2": "?Operation2@@YAXXZ", "ManipulateTemporaryBuffer": "?ManipulateTemporaryBuffer@@YAXXZ",
          "InnerLoopOperation": "?InnerLoopOperation@@YAXXZ", "__scrt_common_main_seh": "?__scrt_common_main_seh@@YAHXZ"}


def generated(functions, folder):
    """A source with one function of each name, all long enough for the return addresses of the trace."""
    source = folder / "functions.cpp"
    source.write_text("static volatile int sink;\n" + "".join(
        f'extern "C" __attribute__((noinline)) void {name}() {{ {WORK}}}\n' for name in functions))
    return source


def make_pdb(module, guid, functions, folder):
    source = shutil.copy(SOURCES[module], folder) if module in SOURCES else generated(functions, folder)
    subprocess.run([LLVM / "clang", "--target=x86_64-pc-windows-msvc", "-O1", "-fno-exceptions", "-fno-stack-protector",
                    "-fno-builtin", "-ffunction-sections", "-falign-functions=256", "-Wno-main", "-c", Path(source).name,
                    "-o", "module.obj", *(DEBUG if module in SOURCES else [])], check=True, cwd=folder)
    linked = [LINKED.get(name, name) if module in SOURCES else name for name in functions]
    (folder / "order.txt").write_text("\n".join(linked))
    pdb = f"{Path(module).stem}.pdb"
    subprocess.run(["lld-link", "/nodefaultlib", "/nologo", "/dll", "/noentry", "/debug", "/opt:noref,noicf", "/brepro",
                    f"/base:{BASE:#x}", "/order:@order.txt", "/map:module.map", "/pdbsourcepath:C:\\Examples",
                    f"/pdb:{pdb}", "/out:module.dll", "module.obj"], executable=LLVM / "lld-link",
                   check=True, cwd=folder)
    places = {name: int(address, 16) - BASE for name, address in
              re.findall(r"^ *0001:[0-9a-f]{8} +(\S+) +([0-9a-f]{16})", (folder / "module.map").read_text(), re.MULTILINE)}
    for i, name in enumerate(linked):
        if places.get(name) != 0x1000 + i * 0x100:
            sys.exit(f"{module}!{name} is at {places.get(name, 0):#x}, the trace has it at {0x1000 + i * 0x100:#x}.")
    image = (folder / "module.dll").read_bytes()
    at = image.index(b"RSDS") + 4
    content = (folder / pdb).read_bytes()
    if content.count(image[at:at + 16]) != 1:
        sys.exit(f"{module}: its GUID is not in its PDB exactly once.")
    (HERE / pdb).write_bytes(content.replace(image[at:at + 16], uuid.UUID(guid).bytes_le))


def main():
    modules = subprocess.run([sys.argv[1], "--modules"], check=True, capture_output=True, text=True).stdout
    for line in modules.splitlines():
        module, guid, *functions = line.split("\t")
        with tempfile.TemporaryDirectory() as folder:
            make_pdb(module, guid, functions, Path(folder))
        print(module)


if __name__ == "__main__":
    main()
