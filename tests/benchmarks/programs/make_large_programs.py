#!/usr/bin/env python3
"""Makes the programs of symbols_benchmark: make_large_programs.py FOLDER [MEGABYTES]

FOLDER/large.elf        at least MEGABYTES (200) of DWARF 5, by clang
FOLDER/large4.elf       a tenth of the same sources, by gcc as DWARF 4
FOLDER/large.exe, .pdb  the same sources as the first with CodeView, at least MEGABYTES of PDB

Generated C++ without any library: many structures, templates over them, and functions with calls that are inlined four
deep. Existing files that this script made are kept. A missing tool is reported, and its program left out.
"""
import concurrent.futures
import hashlib
import os
import shutil
import subprocess
import sys

OPTIONS = ["-std=c++20", "-O1", "-g", "-fno-exceptions", "-fno-rtti"]
TYPES_A_FILE = 80     # with functions
PLAIN_A_FILE = 6000   # without: as in real programs, most debug information describes types

SHARED = """
#pragma once
typedef unsigned long long u64;
extern volatile u64 sink;
extern "C" void* highwater_raw(u64 bytes);

namespace shared {
inline u64 mix(u64 value) {
    value ^= value << 13;
    value ^= value >> 7;
    return value ^ value << 17;
}
inline u64 mixTwice(u64 value) {
    const u64 once = mix(value);
    return mix(once + 1) + once;
}
template <typename Element, unsigned Count>
class Ring {
  public:
    struct Position { unsigned at; u64 turn; };
    __attribute__((noinline)) bool push(const Element& element) {
        const Position position = next();
        elements_[position.at] = element;
        if (position.turn > 3) sink = mixTwice(position.turn);
        return position.at + 1 < Count;
    }
    __attribute__((noinline)) u64 sum() const {
        u64 total = 0;
        for (unsigned i = 0; i < Count; ++i)
            total += weightOf(elements_[i], i);
        return total;
    }
  private:
    Position next() {
        const Position position{at_, turn_};
        if (++at_ == Count) { at_ = 0; ++turn_; }
        return position;
    }
    static u64 weightOf(const Element& element, unsigned i) { return mixTwice(element.weight() + i); }
    Element elements_[Count];
    unsigned at_ = 0;
    u64 turn_ = 0;
};
template <typename Key, typename Value>
class Tree {
  public:
    struct Node { Key key; Value value; Node* left; Node* right; };
    __attribute__((noinline)) Node* insert(const Key& key, const Value& value) {
        Node** place = &root_;
        while (*place != nullptr)
            place = isBefore(key, (*place)->key) ? &(*place)->left : &(*place)->right;
        *place = make(key, value);
        return *place;
    }
    __attribute__((noinline)) const Value* find(const Key& key) const {
        for (const Node* node = root_; node != nullptr;) {
            if (isBefore(key, node->key)) { node = node->left; continue; }
            if (!isBefore(node->key, key)) return &node->value;
            node = node->right;
        }
        return nullptr;
    }
  private:
    static bool isBefore(const Key& a, const Key& b) { return mix(a.weight()) < mix(b.weight()); }
    static Node* make(const Key& key, const Value& value) {
        auto* node = static_cast<Node*>(highwater_raw(sizeof(Node)));
        node->key = key;
        node->value = value;
        node->left = node->right = nullptr;
        return node;
    }
    Node* root_ = nullptr;
};
}
"""

TYPE = """
struct Record{t} {{
    u64 identity; unsigned count; unsigned short kind; double ratio; char name[{size}];
    enum class State {{ Idle, Waiting{t}, Running, Done }} state;
    u64 weight() const {{ return shared::mix(identity + count * {odd}u) + kind; }}
    __attribute__((noinline)) State step(u64 amount) {{
        count += static_cast<unsigned>(amount);
        if (weight() % 5 == {t} % 5) return state = State::Waiting{t};
        ratio *= 1.5;
        return state = ratio > 1000 ? State::Done : State::Running;
    }}
}};
__attribute__((noinline)) u64 process{t}(Record{t}& record, u64 seed) {{
    static shared::Ring<Record{t}, {ring}> ring;
    static shared::Tree<Record{t}, Record{before}> tree;
    u64 total = 0;
    for (u64 i = 0; i < seed % 9; ++i) {{
        record.identity += shared::mixTwice(i);
        if (record.step(i) == Record{t}::State::Done) break;
        if (!ring.push(record)) total += ring.sum();
        Record{before} other{{}};
        other.identity = record.weight();
        if (tree.find(record) == nullptr) tree.insert(record, other);
    }}
    return total + shared::mixTwice(record.weight());
}}
"""

PLAIN = """
struct Message{t} {{
    Message{before}* previous; u64 identity; unsigned short kind; int amounts[{size}]; const char* text;
    union Payload {{ u64 whole; unsigned halves[2]; struct {{ short x, y; int z; }} point; }} payload;
    enum Reason {{ None{t}, Requested{t}, Expired{t} = {odd} }} reason;
    Message{t}(u64 identity, const Message{before}& previous); virtual ~Message{t}();
    virtual bool handle(const Message{before}& other, unsigned short kind, u64 time); Payload take(Reason why) const;
    static Message{t}* create(u64 identity, const char* text); void swap(Message{t}& other) noexcept;
}};
"""

MAIN = """
#include "shared.h"
volatile u64 sink;
static unsigned char room[1 << 20];
static u64 used;
extern "C" void* highwater_raw(u64 bytes) {
    const u64 at = used % (sizeof(room) / 2);
    used += (bytes + 15) / 16 * 16;
    return room + at;
}
"""


def part_source(part):
    text = ['#include "shared.h"\nnamespace part%d { namespace {' % part]
    text.append("struct Record%d { u64 identity; u64 weight() const { return identity; } };" % (part * 1000))
    for i in range(1, TYPES_A_FILE + 1):
        t = part * 1000 + i
        text.append(TYPE.format(t=t, before=t - 1, size=8 + t % 50, odd=2 * t + 1, ring=3 + t % 40))
    text.append("struct Message%d { u64 identity; };" % (part * 10000))
    for i in range(1, PLAIN_A_FILE + 1):
        t = part * 10000 + i
        text.append(PLAIN.format(t=t, before=t - 1, size=1 + t % 9, odd=t % 1000 + 3))
    text.append("struct All {")
    for i in range(1, PLAIN_A_FILE + 1):
        text.append("    Message%d m%d;" % (part * 10000 + i, i))
    text.append("};\n__attribute__((noinline)) u64 look(const All* all) { return all->m1.identity; }")
    text.append("}\nu64 run(u64 seed) {")
    text.append("    u64 total = seed == 77 ? look(static_cast<const All*>(highwater_raw(8))) : 0;")
    for i in range(1, TYPES_A_FILE + 1):
        t = part * 1000 + i
        text.append("    { Record%d record{}; total += process%d(record, seed + %d); }" % (t, t, i))
    text.append("    return total;\n}\n}")
    return "\n".join(text)


def main_source(parts):
    declared = "".join("namespace part%d { u64 run(u64 seed); }\n" % part for part in range(parts))
    calls = "".join("    total += part%d::run(static_cast<u64>(argc));\n" % part for part in range(parts))
    return MAIN + declared + "int main(int argc, char**) {\n    u64 total = 0;\n" + calls + \
        "    return static_cast<int>(total & 1);\n}\n" + \
        'extern "C" {\nint _fltused = 0;\nint mainCRTStartup() { return main(1, nullptr); }\n}\n'


def tool(*names):
    return next((found for name in names for found in [shutil.which(name)] if found), None)


def build(folder, name, parts, compile_command, link_command):
    """Compiles main and the parts, links them, and removes the object files."""
    work = os.path.join(folder, name)
    os.makedirs(work, exist_ok=True)

    def write(file, text):
        with open(os.path.join(work, file), "w") as out:
            out.write(text)

    write("shared.h", SHARED)
    write("main.cpp", main_source(parts))
    units = ["main"]
    for part in range(parts):
        write("part%d.cpp" % part, part_source(part))
        units.append("part%d" % part)

    def compile_unit(unit):
        subprocess.run(compile_command + ["-c", unit + ".cpp", "-o", unit + ".o"], cwd=work, check=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_unit, units))
    subprocess.run(link_command + [unit + ".o" for unit in units], cwd=work, check=True)
    for unit in units:
        os.remove(os.path.join(work, unit + ".o"))


def megabytes_of(path):
    return os.path.getsize(path) / (1 << 20) if os.path.exists(path) else 0


def main():
    folder = os.path.abspath(sys.argv[1])
    wanted = float(sys.argv[2]) if len(sys.argv) > 2 else 200
    os.makedirs(folder, exist_ok=True)
    stamp = os.path.join(folder, "made-by")
    with open(__file__, "rb") as file:
        key = hashlib.sha256(file.read()).hexdigest() + " %g\n" % wanted
    if os.path.exists(stamp) and open(stamp).read() == key:
        return print("the large programs are there:", folder)
    clang, gcc, lld = tool("clang++-19", "clang++"), tool("g++"), tool("lld-link-19", "lld-link")
    missing = []

    def make(name, output, megabytes_a_part, least, compile_command, link_command, measured):
        parts = int(least / megabytes_a_part * 1.03) + 1
        print("%s: %d source files, some minutes" % (output, parts), flush=True)
        build(folder, name, parts, compile_command, link_command)
        print("%s: %.0f MB" % (output, megabytes_of(os.path.join(folder, measured))), flush=True)

    if clang:
        make("dwarf5", "large.elf", DWARF_PER_PART, wanted, [clang, "-fstandalone-debug", "-gdwarf-5"] + OPTIONS,
             [clang, "-Wl,--build-id", "-o", "../large.elf"], "large.elf")
    else:
        missing.append("clang++-19: no large.elf")
    if gcc:
        make("dwarf4", "large4.elf", DWARF_PER_PART, wanted / 10, [gcc, "-gdwarf-4"] + OPTIONS,
             [gcc, "-Wl,--build-id", "-o", "../large4.elf"], "large4.elf")
    else:
        missing.append("g++: no large4.elf")
    if clang and lld:
        make("codeview", "large.pdb", PDB_PER_PART, wanted,
             [clang, "--target=x86_64-pc-windows-msvc", "-fstandalone-debug", "-gcodeview", "-fno-threadsafe-statics",
              "-fno-stack-protector", "-mno-stack-arg-probe"] + OPTIONS,
             [lld, "/debug", "/nodefaultlib", "/entry:mainCRTStartup", "/subsystem:console", "/out:../large.exe",
              "/pdb:../large.pdb"], "large.pdb")
    else:
        missing.append("lld-link-19: no large.pdb")
    for line in missing:
        print("missing:", line)
    if not missing:
        with open(stamp, "w") as out:
            out.write(key)


# Measured: the size that one source file adds.
DWARF_PER_PART = 4.6
PDB_PER_PART = 12.5

main()
