#!/usr/bin/env python3
"""Writes seeds for all fuzz targets, a folder each, and dictionaries of the words in their formats.

    make_seeds.py BUILD FOLDER [TRACES]

BUILD contains write_seeds (tests/fuzz), TRACES are real traces; existing files are kept. Small files only, because
larger ones are changed too seldom in each place.
"""

import gzip
import io
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

LARGEST = 280_000

QUERIES = [
    '[Commit Stack]:~="Inner" AND Size:>20MB AND NOT (Type:=AIFI OR [Commit Time]:<1.5s)',
    '[Process]:~="MyApp" AND Size:>1MB', '"ntdll"', "[Decommit Time]:=[]", "[Series Name]:='it''s'",
    "Process:~*app?*", 'Stack:*"^ntdll\\.dll!.*$"', "Size >= 0x1000 OR LifeTime < 4.5ms", "Count:<>1", "Process:~!x y z",
    "((Pid:=4242))", "Thread:=4243 Handle:=0x1D0000", "Impacting:>1KB", "Type:<>AIFO", "NOT NOT Process:~<a", "Size:", "[",
]
SYMBOL_PATHS = [
    "srv*C:\\symbols*https://example.invalid/symbols;cache*C:\\cache", "SRV**https://example.invalid;!/usr/lib/debug",
    "build-id:/usr/lib/debug/.build-id;debuginfod:https://example.invalid", "%TEMP%\\x;~/symbols;%%;%", "srv*;cache*;*;!;;",
    "\\\\host\\share\\symbols;srv*\\\\host\\share", "symsrv*symsrv.dll*C:\\a*C:\\b*https://example.invalid/x",
]
PROFILES = [
    '<?xml version="1.0"?><WpaProfileContainer Version="2"><Content><Sessions><Session><FileReferences><FileReference FileName="a"/>'
    '</FileReferences></Session></Sessions><Views><View Title="v"><Graphs><Graph Guid="1a64d983-f796-45f8-aa64-ac50b95d0e45" IsShown="true">'
    '<Preset Name="p" GraphChartType="StackedLine" KeyColumnCount="1" LeftFrozenColumnCount="2" RightFrozenColumnCount="4" GraphColumnCount="6" '
    'InitialFilterQuery="[Process]:=&quot;a&quot;" InitialFilterShouldKeep="false"><HighlightEntries><HighlightEntry/></HighlightEntries><Columns>'
    '<Column Guid="06155709-500b-4182-8944-29665014b5c2" Name="Process" SortPriority="1" IsVisible="true"/>'
    '<Column Guid="759dc840-5079-49db-bae0-3c54e553b7fd" Name="Stack" IsVisible="true"><StackOptionsParameter Mode="StackTag"/></Column>'
    '<Column Guid="62f5e535-a192-475d-8d4d-a725b8a160bd" Name="Count" AggregationMode="Peak" SortOrder="Descending" SortPriority="0" IsVisible="true"/>'
    '<Column Guid="29a4dfc2-cd62-4de8-85c3-f580af6a47dd" Name="Size" AggregationMode="Sum" CellFormat="MB" IsVisible="true"/>'
    '</Columns></Preset></Graph></Graphs></View></Views><ModifiedGraphs><GraphSchema Guid="463048cb-2f2b-480d-8e94-a54f3fd88080">'
    '<ModifiedPresets><Preset Name="p"/></ModifiedPresets></GraphSchema></ModifiedGraphs></Content></WpaProfileContainer>',
    '<WpaProfile><WpaProfile.Views><AnalysisView><AnalysisView.Title><ViewTitle Title="v"/></AnalysisView.Title><CommitLifetimeGraphTreeItem>'
    '<HdvViewModelPreset Name="p" KeyColumnCount="1" GraphColumnCount="3"><HdvColumnViewModelPreset '
    'Guid="cfe19628-6612-4e45-ad6e-84b7423c8132" Name="Process" IsVisible="True"/><HdvColumnViewModelPreset '
    'Guid="355d0688-9ebd-41af-b2c4-0dc0f4294eaa" Name="Size" SortOrder="Descending" IsVisible="True"/></HdvViewModelPreset>'
    '</CommitLifetimeGraphTreeItem></AnalysisView></WpaProfile.Views></WpaProfile>',
    '{"format":"highwater-presets","version":1,"presets":[{"name":"p","table":"heap","chart":"bars","keys":[{"column":"Process"}],'
    '"columns":[{"column":"Max(Size)","unit":"MB","decimals":2}],"graphed":1,"sort":[{"column":"Max(Size)","descending":true}],'
    '"annotations":[{"label":"a","query":"Size:>1MB"}]}]}',
]
SESSIONS = [
    '{"format":"highwater-session","version":1,"trace":[{"path":"/x/a.etl","beside":"a.etl","bytes":1}],"tabs":[{"name":"t","linked":true,'
    '"visible":[1,9],"selection":[2,3],"highlight":[4,5],"instant":6,"graphs":[{"preset":{"name":"graph","table":"heap","chart":"bars",'
    '"keys":[{"column":"Process"},{"column":"Stack","width":9}],"columns":[{"column":"Size","unit":"MB"}],"graphed":1,"sort":[{"column":"Size"}]},'
    '"presetName":"p","parts":"table","filters":[{"text":"[Size]:>1MB","query":true,"allGraphs":true},{"text":"a","rows":[[["Process","a (1)"],'
    '["Stack","a!b"]]],"removes":true,"named":true}],"opened":[[["Process","a (1)"]]],"openedLines":[[["Process","b"]]]}]}],"currentTab":0,'
    '"marks":{"made":[{"ns":7,"name":"m"}],"edited":[{"ticks":4,"name":""}]},"snapshots":[8],"notes":[{"table":"frees","row":[["Process","a"]],'
    '"text":"n"}],"presets":[],"symbolPath":"/s;srv*https://x","processExitFreesHeap":true}',
]
STACK_TAGS = [
    '<?xml version="1.0" encoding="utf-8"?><?Copyright x?><!-- root --><Tag Name=""><Tag Name="HTML" Priority="255"><Entrypoint Module="jscript*.dll" '
    'Method="Js::*"/><Tag Name="O &amp; M"><Entrypoint Module="ntdll.dll"/></Tag></Tag><HintTag Name="RPC" Priority="-3" HintOperator="Callee" '
    'OnlyShowModule="false"><Entrypoint Module="app.exe" Method="+0x?2*"/></HintTag></Tag>',
    '<!DOCTYPE a [<!ENTITY b "c">]><Tag><![CDATA[<x>]]><HintTag Name="L" HintOperator="caller"><Entrypoint/></HintTag></Tag>',
    "# known\nleak:^main$\nleak:lib*.so\nrace:x\n\n",
]
WORDS = {
    "stack_tags": [b"<Tag", b"</Tag>", b"<HintTag", b"</HintTag>", b"<Entrypoint", b"/>", b' Name="', b' Priority="', b' Module="', b' Method="',
                   b' HintOperator="Callee"', b' HintOperator="Caller"', b' OnlyShowModule="false"', b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<!DOCTYPE",
                   b"<?", b"?>", b"&amp;", b"&#x10FFFF;", b"&#0;", b"\xef\xbb\xbf", b"\xff\xfe", b"leak:", b"*", b"^", b"$"],
    "session": [b'"tabs":', b'"graphs":', b'"rows":', b'"visible":[', b"-9223372036854775808", b"9223372036854775807", b"1e308", b"null", b"[[",
                b'"Process"', b'"Stack"', b'"column":', b'"notes":'],
    "profile": [b"<Column", b"<Preset", b"<Graph", b"<View", b"</Graph>", b"Guid=", b'KeyColumnCount="', b'IsVisible="true"', b"<!DOCTYPE",
                b"<!ENTITY", b"&amp;", b"2147483647", b"-1", b'"presets"', b'"keys"', b'"column"'],
    "etl": [b"MSNT_SystemTrace", *(struct.pack("<BB", kind, flags) for kind in (1, 2, 3, 4, 10, 16, 17, 18, 19, 20)
                                   for flags in (0x80, 0xC0, 0x90)), b"\xff" * 4, b"\xff" * 8, b"\0\0\0\x80",
            b"\0\x10\0\0", b"\0\0\1\0", b"PK\3\4", b"PK\1\2", b"PK\5\6"],
    "zip": [b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7", b"\1\0\x1c\0", b"\xff\xff\xff\xff", b"\xff\xff",
            b"a.etl", b"\x08\0", b"\xff" * 8],
    "query": [b"[", b"]", b":", b":=", b":<>", b":~=", b":~!", b":~<", b":~>", b":~", b":*", b":>=", b":<=", b" AND ",
              b" OR ", b" NOT ", b"(", b")", b"'", b'"', b"Process", b"Size", b"[Commit Stack]", b"[Series Name]", b"Stack",
              b"Type", b"AIFI", b"20MB", b"4.5ms", b"0x7ff6", b"[]", b"Impacting", b"Max(", b"Thread", b"Count"],
    "symbol_path": [b"srv*", b"SRV*", b"symsrv*", b"cache*", b"build-id:", b"debuginfod:", b"https://", b"http://", b";",
                    b"*", b"!", b"%", b"%TEMP%", b"~/", b"\\\\", b"\\\\?\\", b"../"],
    "agent_channel": [b"\xff\0\0\0", *(b"\xfe" + bytes([i, 0, 0]) for i in range(3))],
}


def write(folder, contents):
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(contents):
        (folder / f"seed{number:03}").write_bytes(content)


def traces_of(build, folder, more):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([build / "tests/fuzz/write_seeds", folder, folder.parent / "name_cache_fuzz",
                    folder.parent / "symbol_file_fuzz"], check=True)
    for path in sorted(more.glob("*.etl")) if more else []:
        if path.stat().st_size <= LARGEST:
            shutil.copy(path, folder / path.name)
            (folder / path.name).chmod(0o644)
    return [path.read_bytes() for path in sorted(folder.glob("*.etl"))]


def archive_of(entries, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue()


def archives_of(traces):
    small = sorted(traces, key=len)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield archive_of([("trace.etl", small[0])], method)
        yield archive_of([("a.etl", small[0]), ("folder/b.txt", b"words"), ("b.etl", small[1])], method)
    large = io.BytesIO()
    with zipfile.ZipFile(large, "w") as archive, archive.open("a.etl", "w", force_zip64=True) as entry:
        entry.write(small[0])
    yield large.getvalue()
    yield archive_of([], zipfile.ZIP_STORED)


def agent_scripts():
    """Input of agent_channel_fuzz: where, offset, length, bytes; 0xFE starts a thread, 0xFF lets the recorder read."""
    def words(*values):
        return struct.pack(f"<{len(values)}Q", *values)

    def put(where, offset, content):
        return struct.pack("<BHB", where, offset, len(content)) + content

    begin, pause = b"\xfe\0\0\0", b"\xff\0\0\0"
    second = b"\xfe\1\0\0"
    stack = words(5 << 8 | 11, 77, 2, 0x1000, 0x2000)
    module = words(4 << 8 | 12, 0x400000, 0x1000, 8 | 4 << 32 | 1 << 48) + b"/bin/ls\0" + b"\1\2\3\4\0\0\0\0"
    records = module + stack + words(6 << 8 | 1, 0x5000, 64, 77, 7 << 8 | 2, 0x5000)
    moved = words(8 << 8 | 4, 0x6000, 128, 0x5000, 77, 7)
    pages = words(9 << 8 | 5, 0x10000, 8192, 3 | 0x22 << 32, 77, 10 << 8 | 6, 0x10000, 4096, 77, 11 << 8 | 10, 1, 2, 77)
    at_records = 16  # after the header of a chunk
    yield put(4, at_records, records) + begin + pause
    yield put(4, at_records, records + moved) + put(12, at_records, pages) + begin + second + pause + pause
    yield begin + pause + put(4, at_records, stack) + put(2, 128, words(3)) + pause
    yield put(4, 0, struct.pack("<II", 0xFFFFFFFF, 1)) + begin + pause + put(0, 128, words(0)) + pause


def generated_code():
    """Runtimes' files as generated_code_fuzz reads them: the size of the pieces, then the file."""
    lines = (b"7f3381fc6980 e4 JS:*leak /srv/app.js:12:3\n0x00007fc7f0ecad40 0x0000000000001190 void Leaky.leak(int)\n"
             b"40560620 ec Leaky:Leak (int)\n7f00 10 py::leak:/srv/app.py\n"
             b"7f10 20 void [App] App.Leaky::Leak(int32)[Tier0]\n")
    load = b"leak\0" + b"\xcc" * 16
    records = struct.pack("<IIQIIQQQQ", 0, 56 + len(load), 1000, 7, 7, 0x7000, 0x7000, 16, 0) + load
    records += struct.pack("<IIQIIQQQQQ", 1, 64, 2000, 7, 7, 0x9000, 0x7000, 0x9000, 16, 0)
    dump = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1, 0) + records
    maps = b"00b72000-025fe000 r-xp 00772000 fe:00 2 /usr/bin/node\n7f36dfe40000-7f36dffd2000 r-xp 014c4000 fe:00 2 /usr/bin/node\n"
    return [bytes([piece]) + content for piece in (3, 63) for content in (lines, dump, maps)]


def field(number, content):
    """A protobuf field: a number, or bytes (fewer than 128 of them)."""
    return bytes([number << 3, content]) if isinstance(content, int) else bytes([number << 3 | 2, len(content)]) + content


def profiles():
    """Files of other profilers, small ones, also compressed."""
    heaptrack = (b"v 10400 3\nX ./app --fast\ns 8 /bin/app\ns 4 main\ns 6 leak()\ns 4 a.cc\ni 401000 1 2 4 a\nt 1 0\n"
                 b"i 402000 1 3 4 7 2 4 5\nt 2 1\na 3e8 2\n+ 0\nc a\na 40 1\n+ 1\n- 1\nc 14\n+ 0\nA\nR 100\n")
    older = heaptrack.replace(b"v 10400 3", b"v 10100 2")
    dhat = (b'{"dhatFileVersion":2,"mode":"heap","cmd":"./app","pid":42,"pps":[{"tb":100,"tbk":10,"eb":40,"ebk":4,"fs":[1,2]}],'
            b'"ftbl":["[root]","0x1: malloc (in /x.so)","0x2: leak() (a.cc:4)"]}')
    massif = (b"desc: (none)\ncmd: ./app\ntime_unit: i\n#-\nsnapshot=0\n#-\ntime=5\nmem_heap_B=1128\nheap_tree=detailed\n"
              b"n2: 1128 (heap allocation functions)\n n1: 1000 0x109164: leak() (a.cc:4)\n  n0: 1000 0x1091EF: main (a.cc:7)\n"
              b" n0: 128 in 2 places, all below massif's threshold (1.00%)\n#-\nsnapshot=1\n#-\ntime=9\nheap_tree=peak\n"
              b"n1: 500 (heap allocation functions)\n n0: 500 0x109164: leak() (a.cc:4)\n")
    pprof = b"".join([field(1, field(1, 1) + field(2, 3)), field(1, field(1, 2) + field(2, 4)),
                      field(3, field(1, 1) + field(5, 5)), field(5, field(1, 7) + field(2, 6) + field(4, 7)),
                      field(4, field(1, 1) + field(2, 1) + field(3, 64) + field(4, field(1, 7) + field(2, 12))),
                      field(2, field(1, bytes([1, 1])) + field(2, bytes([3, 100])))] +
                     [field(6, text) for text in (b"", b"inuse_objects", b"inuse_space", b"count", b"bytes", b"/srv/app",
                                                  b"main.leak", b"leak.go")])
    maps = b"\nMAPPED_LIBRARIES:\n55a28cd0d000-55a28cd0e000 r-xp 00001000 fe:00 1 /srv/app\n"
    gperftools = (b"heap profile:    100:   100000 [ 5100:   420000] @ heap_v2/524288\n"
                  b"   100:   100000 [   100:   100000] @ 0x55a28cd0d165 0x7f0465645305\n" + maps)
    jemalloc = (b"--- symbol\nbinary=./app\n0x000055a28cd0d164 leak(int)<0000000000001159>\n---\n--- heap\nheap_v2/1\n"
                b"  t*: 100: 102400 [5100: 422400]\n@ 0x55a28cd0d165 0x7f0465645305\n  t*: 100: 102400 [100: 102400]\n" + maps)
    go = (b"heap profile: 1: 1024 [3: 3072] @ heap/1048576\n-1: 1024 [3: 3072] @ 0x4b3e16 0x4374f2\n"
          b"#\t0x4b3e15\tmain.inl+0x55\t\t/src/a.go:6\n#\t0x4b3e15\tmain.main+0x55\t/src/a.go:7\n\n0: 7 [1: 64] @\n"
          b"\n# runtime.MemStats\n# Alloc = 12\n")
    difference = b"".join([field(1, field(1, 1) + field(2, 5)), field(1, field(1, 2) + field(2, 6)),
                           field(1, field(1, 3) + field(2, 5)), field(1, field(1, 4) + field(2, 6)),
                           field(2, field(2, bytes([5, 50]) + b"\xff" * 9 + b"\x01" + b"\x9c" + b"\xff" * 8 + b"\x01"))] +
                          [field(6, text) for text in (b"", b"Total count", b"Total size", b"Unreleased count",
                                                       b"Unreleased size", b"count", b"kilobytes")])
    v8 = (b'{"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"selfSize":0,"id":1,"children":['
          b'{"callFrame":{"functionName":"leak","scriptId":"8","url":"a.js","lineNumber":4,"columnNumber":2},"selfSize":1000,"id":2,'
          b'"children":[]}]},"samples":[{"size":1000,"nodeId":2,"ordinal":1}]}')
    plain = [heaptrack, older, dhat, massif, pprof, difference, gperftools, jemalloc, go, v8]
    return plain + [gzip.compress(content, mtime=0) for content in plain]


def heap_snapshots():
    """Two heaps, in 32 and 64 bits; then the same as heap_snapshot_fuzz reads it: kind, length, payload."""
    def snapshot(pointer, gap):
        def words(*values):
            return struct.pack(f"<{len(values)}{pointer}", *values)

        def block(address, size, *frames):
            return words(address) + struct.pack("<I", 1) + gap + words(size, *frames)

        size = struct.calcsize("<" + pointer)
        end = words(0x1234CDEF) + struct.pack("<I", 0) + gap + words((1 << 8 * size) - 1)
        header = struct.pack("<HH", 2, size) + gap
        first = header + words(0x1D0000, 0x2000, 0x10000) + block(0x1D1000, 40, 0x401000, 0x402000) + block(0x1D2000, 8) + end
        return struct.pack("<III", 2, 2, 0) + first + header + words(0x2E0000, 0, 0) + end

    for whole in (snapshot("I", b""), snapshot("Q", b"\0" * 4)):
        yield whole
        pieces = [whole[at:at + 60] for at in range(0, len(whole), 60)]
        records = [struct.pack("<BBIII", 1, 12 + len(piece), 5, i, len(piece)) + piece for i, piece in enumerate(pieces)]
        yield b"".join(records) + struct.pack("<BBII", 25, 8, 5, len(whole))
        yield b"".join(reversed(records)) + struct.pack("<BBII", 25, 8, 5, len(whole) + 1)


def fleet_answers():
    """ClickHouse's answers to each query of fleet_answer_fuzz, about six runs of two builds with two stacks."""
    def text(words):
        return bytes([len(words)]) + words

    def texts(*words):
        return bytes([len(words)]) + b"".join(text(word) for word in words)

    def answer(*rows):
        whole = b"".join(rows)
        return struct.pack("<H", len(whole)) + whole

    def run(number):
        times = b"\x01" if number == 3 else b"\0" + struct.pack("<q", number)
        return (struct.pack("<32sQ", b"%032d" % number, number) + text(b"/a.etl") + struct.pack("<q", 9) + times + struct.pack("<q", 60) +
                text(b"r") + text(b"s") + struct.pack("<qqqB", 0, 0, 1, number != 2) + texts(b"lost") + text(b"%d" % (1 + number % 2)) +
                text(b"lab-%d" % (number % 3)) + text(b"night") + texts(b"branch") + texts(b"main") + struct.pack("<qqqq", 7, 2, 1 << 20, 1))

    numbers = range(6)
    keys = [struct.pack(">QQ", 1, 2), struct.pack(">QQ", 3, 4)]
    runs = answer(*map(run, numbers))
    present = answer(*(struct.pack("<QQ", number, 77) for number in numbers))
    processes = answer(struct.pack("<Q", 77) + text(b"app"))
    loads = answer(*(struct.pack("<32sQ", b"%032d" % number, number) for number in numbers))
    windows = answer(*(struct.pack("<32s", b"%032d" % number) + texts(b"whole") for number in numbers))
    found = processes + loads
    values = answer(*(key + struct.pack("<BQ", 1, 77) + b"\x06" + struct.pack("<6Q", *numbers) + b"\x06" +
                      struct.pack("<6q", *(9000 * (1 + number % 2) + number for number in numbers)) for key in keys)) + processes
    names = answer(*(key + text(b"app!work") + texts(b"libc!malloc", b"app!work") + b"\0" for key in keys))
    stack = (answer(*(struct.pack("<Qqq", number, 0, 60) for number in numbers)) +
             answer(*(struct.pack("<QQqqq", number, 77, 9000 * (1 + number % 2), 1, 59) for number in numbers)) + found)
    yield b"\0" + runs + windows
    yield b"\x01" + runs + present + found + answer(keys[1]) + values + names
    yield b"\x02" + runs + present + found + answer() + values + names
    yield b"\x22" + runs + present + found + answer() + values + names
    yield b"\x03" + runs + present + found + names + stack
    yield b"\x04" + runs + present + found + names + stack
    yield b"\x05" + runs + present + found + values + names
    yield b"\x06" + runs
    there = answer(struct.pack("<Q", 0))
    yield b"\x07" + there + answer(*keys) + answer(text(b"app!work") + b"\x01" + text(b"")) + answer(struct.pack("<Q", 5)) + answer() * 5
    unnamed = text(b"app!+0x10")
    stacks = keys[0] + unnamed + b"\x01" + unnamed + b"\x01" + struct.pack("<I", 1) + texts(b"aa")
    sample = keys[0] + struct.pack("<BQQQ10q", 1, 77, 0, 7, *range(10))
    yield (b"\x40" + answer(unnamed + text(b"app") + text(b"aa") + struct.pack("<Q", 16)) + answer(keys[0] + b"\x01" + struct.pack("<Q", 7)) +
           answer(stacks) + answer() * 5 + answer(struct.pack("<QQ", 7, 1)) + answer(sample) + answer() * 3)
    refusal = b"Code: 60, e.displayText() = DB::Exception: Table runs.runs doesn't exist., e.what() = DB::Exception"
    yield b"\0" + struct.pack("<H", 0x8000 | len(refusal)) + refusal


def program_files():
    """A script, and a program with a dynamic linker, a table of names, and the dynamic entries that lead to it."""
    yield b"#! /bin/sh -e\nexit 0\n"
    names = b"\0ld-linux-x86-64.so.2\0GLIBC_2.34\0__asan_init\0"
    linker = b"/lib64/ld-linux-x86-64.so.2\0"
    at = 64 + 3 * 56
    entries = [(5, at), (10, len(names)), (14, 1), (0, 0)]
    header = struct.pack("<4s5B7xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 0, 3, 62, 1, 0x40, 64, 0, 0, 64, 56, 3, 64, 0, 0)
    dynamic_at = at + len(names) + len(linker)
    size = dynamic_at + 16 * len(entries)

    def segment(kind, offset, count):
        return struct.pack("<IIQQQQQQ", kind, 4, offset, offset, offset, count, count, 8)

    segments = segment(1, 0, size) + segment(2, dynamic_at, 16 * len(entries)) + segment(3, at + len(names), len(linker))
    rest = names + linker + b"".join(struct.pack("<QQ", *entry) for entry in entries)
    yield header + segments + rest
    yield header + segment(1, 0, size) + segment(2, dynamic_at, 16 * len(entries)) + segment(4, 0, 0) + rest


def resident_records():
    """A sample in one part and in three, as resident_record_fuzz reads them: length, payload."""
    def number(value):
        return bytes([value & 0x7F | 0x80]) + number(value >> 7) if value > 0x7F else bytes([value])

    def text(content):
        return number(len(content)) + content

    def mapping(gap, pages, resident, flags, name, runs):
        sizes = b"".join(number(value) for value in (gap, pages, resident, 4096 * resident, resident, 0, flags, name))
        return sizes + text(b"".join(number(value) for run in runs for value in run))

    mappings = [mapping(0x400, 20, 3, 21, 1, []), mapping(5, 300, 12, 35, 0, [(0, 4), (200, 8)]),
                mapping(0x7F0000000, 1 << 20, 2, 35, 2, [(0, 1), (1 << 19, 1)]), mapping(1, 1, 0, 4, 0, [])]
    names = [b"", b"/usr/bin/a (deleted)", b"[heap]"]
    sample = number(len(names)) + b"".join(map(text, names)) + number(len(mappings)) + b"".join(mappings)
    for size in (len(sample), len(sample) // 3 + 1):
        parts = [sample[at:at + size] for at in range(0, len(sample), size)]
        payloads = [struct.pack("<IIII", 10, 1, i, len(parts)) + part for i, part in enumerate(parts)]
        yield b"".join(struct.pack("<H", len(payload)) + payload for payload in payloads)


def core_files():
    """A process with two threads, a heap of glibc, a heap of a thread, and a block with a mapping of its own, as
    core_file_fuzz reads it: a byte, and the core file."""
    def words(size, values):
        memory = bytearray(size)
        for at, value in values.items():
            struct.pack_into("<Q", memory, at, value)
        return bytes(memory)

    def note(kind, content):
        content += bytes(-len(content) % 4)
        return struct.pack("<III", 5, len(content), kind) + b"CORE\0\0\0\0" + content

    def thread(tid, stack):
        registers = [0x1000 + 16 * i for i in range(27)]
        registers[19], registers[21] = stack, stack + 0x800
        return note(1, bytes(32) + struct.pack("<I", tid) + bytes(76) + struct.pack("<27Q", *registers) + bytes(8))

    program, heap, library, arena, mapped, stack = 0x400000, 0x500000, 0x7F0000, 0x4000000, 0x7F0000000, 0x7FFF0000
    chunks = {8: 0x291, 0x298: 0x51, 0x2A0: heap + 0x300, 0x2E8: 0x31, 0x318: 0x31, 0x348: 0x1000 - 0x340 + 1}
    state = {0x160: heap + 0x340, **{0x170 + 8 * i: library + 0x160 + i // 2 * 16 for i in range(8)}}
    of_thread = {0: arena + 48, 16: 0x1000, 0x8D8: 0x41, 0x918: 0x1000 - 0x910 + 1}
    memory = [(program, 5, words(0x1000, {0: 0x00010102464C457F})), (program + 0x1000, 6, words(0x1000, {64: heap + 0x2A0})),
              (heap, 6, words(0x1000, chunks)), (library, 6, words(0x1000, state)),
              (arena, 6, words(0x1000, of_thread)), (mapped, 6, words(0x1000, {8: 0x1002, 32: heap + 0x2F0})),
              (stack, 6, words(0x1000, {0x800: stack + 0x800, 0x880: mapped + 16}))]
    files = [(program, program + 0x1000), (program + 0x1000, program + 0x2000), (library, library + 0x1000)]
    notes = note(3, bytes(24) + struct.pack("<I", 7) + bytes(12) + b"app".ljust(96, b"\0")) + thread(7, stack + 0x700)
    notes += thread(8, heap + 0x300) + note(6, struct.pack("<4Q", 25, stack + 0x900, 0, 0))
    notes += note(0x46494C45, struct.pack("<2Q", len(files), 4096) + b"".join(struct.pack("<3Q", *each, 0) for each in files) +
                  b"/bin/app\0/bin/app\0/lib/libc.so.6\0")
    at = 64 + 56 * (len(memory) + 1)
    header = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(memory) + 1, 0, 0, 0)
    header += struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(notes), 0, 4)
    at += len(notes)
    for begin, flags, content in memory:
        header += struct.pack("<IIQQQQQQ", 1, flags, at, begin, 0, len(content), len(content), 4096)
        at += len(content)
    core = header + notes + b"".join(content for _, _, content in memory)
    yield from (bytes([first]) + core for first in (0, 0x8C))


def dictionary(words):
    return "".join('"%s"\n' % "".join(f"\\x{b:02x}" for b in word) for word in words)


def main():
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    more = Path(sys.argv[3]) if len(sys.argv) > 3 and Path(sys.argv[3]).is_dir() else None
    traces = traces_of(build, folder / "etl_file_fuzz", more)
    shutil.copytree(folder / "etl_file_fuzz", folder / "load_fuzz", dirs_exist_ok=True)
    archives = list(archives_of(traces))
    write(folder / "zip_archive_fuzz", archives)
    write(folder / "etl_file_fuzz", archives)
    write(folder / "profile_fuzz", [text.encode() for text in PROFILES])
    write(folder / "stack_tags_fuzz", [text.encode() for text in STACK_TAGS])
    write(folder / "session_fuzz", [text.encode() for text in SESSIONS])
    write(folder / "program_file_fuzz", program_files())
    write(folder / "query_fuzz", [text.encode() for text in QUERIES])
    write(folder / "symbol_path_fuzz", [text.encode() for text in SYMBOL_PATHS])
    write(folder / "agent_channel_fuzz", agent_scripts())
    write(folder / "heap_snapshot_fuzz", heap_snapshots())
    write(folder / "resident_record_fuzz", resident_records())
    write(folder / "core_file_fuzz", core_files())
    write(folder / "fleet_answer_fuzz", fleet_answers())
    write(folder / "generated_code_fuzz", generated_code())
    write(folder / "profiler_file_fuzz", profiles())
    subprocess.run([sys.executable, Path(__file__).with_name("make_symbol_seeds.py"), folder / "symbol_file_fuzz"],
                   stdout=subprocess.DEVNULL, check=True)
    for name, words in WORDS.items():
        (folder / f"{name}.dict").write_text(dictionary(words))


if __name__ == "__main__":
    main()
