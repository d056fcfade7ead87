#!/usr/bin/env python3
"""Cross-builds this tree for Windows, for the tests beside it.

    build_for_windows.py SOURCE BUILD
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wine import PACKAGES, skip

COMPILER = "x86_64-w64-mingw32-g++-posix"



def main(source, build):
    for program in (COMPILER, "wine"):
        if not shutil.which(program):
            skip(f"{program} is not installed ({PACKAGES}).")
    if not Path("/usr/x86_64-w64-mingw32/include/zlib.h").exists():
        skip(f"zlib for mingw-w64 is not installed ({PACKAGES}).")
    build.mkdir(parents=True, exist_ok=True)
    # Flags of this system's build are not meant for this one.
    environment = {name: value for name, value in os.environ.items() if name not in ("LDFLAGS", "CFLAGS", "CXXFLAGS")}
    # Little optimised: what takes long here is the compiler.
    options = ["-DHIGHWATER_ETW_SIMULATOR=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
    configure = ["cmake", "--preset", "windows-cross", "-S", source, "-B", build / "tree", *options]
    for command in (configure, ["cmake", "--build", build / "tree"]):
        code = subprocess.run(command, cwd=source, env=environment, check=False).returncode
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))
