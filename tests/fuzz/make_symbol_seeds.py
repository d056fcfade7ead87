#!/usr/bin/env python3
"""Small debug files of every kind that a compiler here makes, as a corpus for symbol_file_fuzz:
make_symbol_seeds.py FOLDER [MORE_FILES...]. Kinds whose tool is missing are left out. Programs with split debug
information go to FOLDER/../split_dwarf_fuzz."""
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = """
typedef unsigned long long u64;
volatile u64 sink;
namespace ring {
template <typename T> struct Ring {
    T all[4]; unsigned at = 0;
    void push(T v) { all[at++ % 4] = v; sink = sink + at; }
};
}
static inline __attribute__((always_inline)) u64 addOne(u64 v) { sink = v; return v + 1; }
static inline __attribute__((always_inline)) u64 addTwo(u64 v) { return addOne(addOne(v)); }
__attribute__((noinline)) u64 work(u64 v) {
    ring::Ring<u64> r;
    for (u64 i = 0; i < v; ++i) r.push(addTwo(i));
    return r.at;
}
extern "C" __attribute__((noinline)) u64 plainC(u64 v) { return v > 3 ? work(v) : addTwo(v); }
extern "C" int _start() { return (int)plainC(sink); }
"""
RUST = "#![crate_type=\"cdylib\"]\n#[no_mangle] pub extern \"C\" fn add(a: u64) -> u64 { inner::twice(a) + 1 }\n" \
       "mod inner { #[inline(always)] pub fn twice(a: u64) -> u64 { a.wrapping_mul(2) } }\n"
LINK = ["-nostdlib", "-static", "-Wl,--build-id"]
BASE = ["-O1", "-g", "-ffunction-sections", "-fno-exceptions", "-fno-stack-protector", "-x", "c++", "a.cpp"]


def main():
    out = os.path.abspath(sys.argv[1])
    os.makedirs(out, exist_ok=True)
    for path in sys.argv[2:]:
        shutil.copy(path, out)
    os.chdir(tempfile.mkdtemp())
    open("a.cpp", "w").write(SOURCE)
    open("a.rs", "w").write(RUST)

    def run(name, command):
        if not shutil.which(command[0]):
            return print("missing:", command[0], "for", name)
        done = subprocess.run(command + ["-o", os.path.join(out, name)], capture_output=True, text=True)
        if done.returncode != 0:
            print("left out:", name, done.stderr[:200])

    for compiler in ("clang++-19", "g++"):
        for version in ("2", "3", "4", "5"):
            run("%s-dwarf%s" % (compiler, version), [compiler, "-gdwarf-" + version] + BASE + LINK)
        run(compiler + "-dwarf64", [compiler, "-gdwarf64"] + BASE + LINK)
        run(compiler + "-pie", [compiler, "-fPIE"] + BASE + ["-nostdlib", "-static-pie", "-Wl,--build-id"])
        run(compiler + "-no-pie", [compiler, "-no-pie", "-fno-pie"] + BASE + LINK)
        run(compiler + "-shared", [compiler, "-fPIC", "-shared"] + BASE + ["-nostdlib", "-Wl,--build-id"])
        run(compiler + "-zlib", [compiler, "-gz=zlib"] + BASE + LINK)
        run(compiler + "-split", [compiler, "-gsplit-dwarf"] + BASE + LINK)
        run(compiler + "-type-units", [compiler, "-fdebug-types-section"] + BASE + LINK)
        run(compiler + "-object", [compiler, "-c", "-fPIC"] + BASE)
        run(compiler + "-object32", [compiler, "-c", "-m32"] + BASE)
        run(compiler + "-stripped", [compiler, "-s"] + BASE + LINK)
    run("clang++-19-zstd", ["clang++-19", "-gz=zstd"] + BASE + LINK)
    run("clang++-19-aranges", ["clang++-19", "-gdwarf-aranges", "-gdwarf-4"] + BASE + LINK)
    run("clang++-19-big-endian", ["clang++-19", "--target=powerpc64-linux-gnu", "-c"] + BASE)
    run("clang++-19-arm64", ["clang++-19", "--target=aarch64-linux-gnu", "-c"] + BASE)
    run("clang++-19-arm32", ["clang++-19", "--target=armv7-linux-gnueabi", "-c"] + BASE)
    run("windows.obj", ["clang++-19", "--target=x86_64-pc-windows-msvc", "-gcodeview", "-c"] + BASE)
    if os.path.exists(os.path.join(out, "windows.obj")) and shutil.which("lld-link-19"):
        link = ["lld-link-19", "/nodefaultlib", "/entry:_start", "/subsystem:console", "/debug", "/export:plainC",
                "/out:" + os.path.join(out, "windows.exe"), os.path.join(out, "windows.obj")]
        subprocess.run(link, check=False)
    pack_symbols(os.path.join(out, "g++-shared"), os.path.join(out, "mini-debug-info"))
    split_programs(os.path.join(os.path.dirname(out), "split_dwarf_fuzz"))
    run("rust", ["rustc", "-g", "-C", "panic=abort", "-C", "opt-level=1", "--emit=obj", "a.rs"])
    for path in os.listdir(out):  # larger files are changed too seldom in each place
        if os.path.getsize(os.path.join(out, path)) > 1 << 20:
            os.remove(os.path.join(out, path))


def pack_symbols(program, out):
    """Stripped, with its symbols compressed with xz, as in Fedora."""
    if not all(map(shutil.which, ("objcopy", "xz"))) or not os.path.exists(program):
        return print("left out:", out)
    for command in (["objcopy", "-S", "--keep-symbol=_Z4workm", "--keep-symbol=_Z4worky", program, "mini"], ["xz", "-kf", "mini"],
                    ["objcopy", "-S", "--add-section", ".gnu_debugdata=mini.xz", program, out]):
        subprocess.run(command, check=False, capture_output=True)


def split_programs(out):
    """Each with its .dwo file, and with a package of it."""
    os.makedirs(out, exist_ok=True)
    for compiler in filter(shutil.which, ("clang++-19", "g++")):
        for version in ("4", "5"):
            for old in glob.glob("*.dw[op]"):
                os.remove(old)
            done = subprocess.run([compiler, "-gsplit-dwarf", "-gdwarf-" + version] + BASE + LINK + ["-o", "split"], capture_output=True)
            objects = glob.glob("*.dwo")
            if done.returncode != 0 or len(objects) != 1:
                print("left out: split by", compiler)
                continue
            if (compiler, version) != ("g++", "5"):  # llvm-dwp 19 hangs on it
                subprocess.run(["llvm-dwp-19", "-e", "split", "-o", "split.dwp"], check=False, capture_output=True)
            program = open("split", "rb").read()
            for name in objects + glob.glob("split.dwp"):
                with open(os.path.join(out, f"{compiler}-{version}-{name[-3:]}"), "wb") as seed:
                    seed.write(struct.pack("<I", len(program)) + program + open(name, "rb").read())


main()
