"""Memory profiler files with the highest cost for their size: a name that everything refers to, chains of stacks, many
stacks times their depth, endless lists, endless texts. Each has at most 10 MB, most have a few kilobytes."""

import os
import shutil
import subprocess
import zlib

PIECE = 1 << 20
LONG = b"n" * (1 << 20)  # a name
MOST_PACKED = 9 << 20
MUCH = 240 << 20  # bytes that are still unpacked


def repeated(unit, total):
    """Repeats it up to `total` bytes, in pieces."""
    piece = unit * max(1, PIECE // len(unit))
    for _ in range(max(1, total // len(piece))):
        yield piece


def numbered(make, count):
    """make(0), make(1), ..., in pieces."""
    for first in range(0, count, 10_000):
        yield b"".join(make(i) for i in range(first, min(first + 10_000, count)))


def gzipped(path, *parts):
    """The parts up to a total of 9 MB, packed."""
    with open(path, "wb") as file:
        packer = zlib.compressobj(1, wbits=31)
        for part in parts:
            for piece in [part] if isinstance(part, bytes) else part:
                file.write(packer.compress(piece))
                if file.tell() > MOST_PACKED and not isinstance(part, bytes):
                    break
        file.write(packer.flush())


def zstd_packed(path, *parts):
    with open(path, "wb") as file:
        packer = subprocess.Popen(["zstd", "-q", "-c", "-1", "--long=27"], stdin=subprocess.PIPE, stdout=file)
        for part in parts:
            for piece in [part] if isinstance(part, bytes) else part:
                packer.stdin.write(piece)
                if os.fstat(file.fileno()).st_size > MOST_PACKED and not isinstance(part, bytes):
                    break
        packer.stdin.close()
        packer.wait()


# ---- pprof ----

def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(tag, content):
    return varint(tag << 3 | 2) + varint(len(content)) + content


def numbers(*pairs):
    return b"".join(varint(tag << 3) + varint(value) for tag, value in pairs)


TYPE = field(1, numbers((1, 1), (2, 2)))  # in_use space, bytes
TEXTS = field(6, b"") + field(6, b"inuse_space") + field(6, b"bytes")
FUNCTION = field(5, numbers((1, 1), (2, 3), (3, 3), (4, 3)))
LINE = field(4, numbers((1, 1), (2, 7)))


def sample(locations, value=5):
    return field(2, field(1, b"".join(map(varint, locations))) + field(2, varint(value)))


def location(number, lines=b"", mapping=1):
    return field(4, numbers((1, number), (2, mapping), (3, 4096 + number)) + lines)


def pprofs(folder):
    def pprof(name, *parts):
        gzipped(folder / f"pprof_{name}.pb.gz", TYPE, TEXTS, field(6, LONG), *parts)

    pprof("long_name_in_all_lines", FUNCTION, numbered(lambda i: location(i + 1, LINE * 256), 60_000),
          numbered(lambda i: sample([i + 1]), 60_000))
    pprof("long_module_of_all", numbered(lambda i: field(3, numbers((1, i + 1), (5, 3))), 300_000), FUNCTION,
          numbered(lambda i: location(i + 1, LINE, i + 1), 300_000), numbered(lambda i: sample([i + 1]), 300_000))
    pprof("one_place_of_many_lines", FUNCTION, field(4, numbers((1, 1)) + LINE * (100 << 20 >> 3)), sample([1]))
    pprof("empty_texts", repeated(b"\x32\x00", MUCH), sample([1]))
    pprof("long_types", repeated(field(1, numbers((1, 3), (2, 3))), 20 << 20), sample([1]))
    pprof("long_types_of_no_heap", field(1, numbers((1, 3), (2, 3))) * 100_000)
    pprof("functions", numbered(lambda i: field(5, numbers((1, i))), 5_000_000))
    pprof("locations", numbered(lambda i: field(4, numbers((1, i))), 5_000_000))
    pprof("mappings", numbered(lambda i: field(3, numbers((1, i))), 5_000_000))
    pprof("samples_without_stack", repeated(sample([]), MUCH))
    pprof("equal_deep_samples", FUNCTION, location(1, LINE), repeated(sample([1] * 4000), MUCH))
    pprof("deep_samples", FUNCTION, numbered(lambda i: location(i + 1, LINE), 20_000),
          (sample(range(1 + i % 19_000, 1 + i % 19_000 + 512)) for i in range(100_000)))
    pprof("short_samples", FUNCTION, numbered(lambda i: location(i + 1, LINE), 1_000),
          numbered(lambda i: sample([1 + i % 1000, 1 + i // 1000 % 1000, 1 + i * 7 % 1000]), 2_200_000))
    pprof("long_names", numbered(lambda i: field(6, b"%08d" % i + LONG[:4000]), 50_000),
          numbered(lambda i: field(5, numbers((1, i + 1), (2, i + 4))), 50_000),
          numbered(lambda i: location(i + 1, field(4, numbers((1, i + 1)))), 50_000),
          numbered(lambda i: sample([i + 1]), 50_000))
    pprof("short_names", numbered(lambda i: field(6, b"%d" % i), 3_000_000),
          numbered(lambda i: field(5, numbers((1, i + 1), (2, i + 4))), 3_000_000),
          numbered(lambda i: location(i + 1, field(4, numbers((1, i + 1)))), 3_000_000),
          numbered(lambda i: sample([i + 1]), 3_000_000))


# ---- text ----

SNAPSHOT = b"#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nheap_tree=detailed\n"
MASSIF = b"desc: (none)\ncmd: ./app\ntime_unit: i\n"


def massifs(folder):
    def massif(name, *parts):
        gzipped(folder / f"massif_{name}.gz", MASSIF, *parts)

    def tree(first, count, bytes_of_all):
        return b"n%d: %d (heap)\n" % (count, bytes_of_all) + b"".join(
            b" n0: 1 0x%x: f (a.cc:1)\n" % (first + i) for i in range(count))

    chain = b"".join(b" " * depth + b"n1: %d 0x%x: f%d (a.cc:1)\n" % (513 - depth, depth, depth)
                     for depth in range(1, 513))
    massif("new_stacks_at_each_snapshot",
           (SNAPSHOT % (i, i, 100) + tree(i * 100, 100, 100) for i in range(60_000)))
    massif("deep_chains_of_owners",
           (SNAPSHOT % (i, i, 513) + b"n1: 513 (heap)\n" + chain.replace(b"0x", b"0x%x" % (i + 1))
            for i in range(9_000)))
    massif("grows_and_shrinks",
           (SNAPSHOT % (i, i, 100 + i % 2 * 100) + b"n1: %d (heap)\n n0: %d 0x1: f\n" % ((100 + i % 2 * 100,) * 2)
            for i in range(1_000_000)))
    massif("many_snapshots_of_one_stack", repeated(SNAPSHOT % (1, 1, 1) + b"n0: 1 0x1: f\n", MUCH))
    massif("long_names", SNAPSHOT % (1, 1, 1), b"n0: 1 (heap)\n", (b" n0: 0 0x%x: " % i + LONG[:4000] + b"%d\n" % i for i in range(60_000)))
    massif("long_lines", SNAPSHOT % (1, 1, 1), b"n0: 1 (heap)\n", repeated(b" n0: 0 0x1: " + LONG + b"\n", MUCH))
    massif("long_command", b"cmd: ", repeated(LONG, MUCH // 2), b"\n", SNAPSHOT % (1, 1, 1), b"n0: 1 0x1: f\n")
    massif("blanks", SNAPSHOT % (1, 1, 1), b"n0: 1 (heap)\n", repeated(b" " * 100 + b"n0: 1 0x1: f\n", MUCH))
    massif("parentheses", SNAPSHOT % (1, 1, 1), b"n0: 1 (heap)\n",
           (b" n0: 0 0x%x: f" % i + b" (in " * 4000 + b")\n" for i in range(10_000)))


def heap_texts(folder):
    def text(name, *parts):
        gzipped(folder / f"{name}.heap.gz", *parts)

    head, rest = b"heap profile: 1: 1 [1: 1] @ heapprofile\n", b"\nMAPPED_LIBRARIES:\n"
    symbols = b"--- symbol\nbinary=/app\n"
    text("text_stacks", head, numbered(lambda i: b"1: 1 [1: 1] @ 0x%x 0x1\n" % i, 2_200_000), rest)
    text("text_deep_stacks", head,
         (b"1: 1 [1: 1] @" + b"".join(b" 0x%x" % (i * 7 + k) for k in range(500)) + b"\n" for i in range(50_000)), rest)
    text("text_symbols", symbols, numbered(lambda i: b"0x%x f%d\n" % (i, i), 5_000_000), b"---\n", head, rest)
    text("text_long_symbols", symbols, numbered(lambda i: b"0x%x %d" % (i, i) + LONG[:4000] + b"\n", 50_000), b"---\n",
         head, numbered(lambda i: b"1: 1 [1: 1] @ 0x%x\n" % (i + 1), 50_000), rest)
    text("text_mappings", head, rest, numbered(lambda i: b"%x-%x r-xp 0 0:0 0 /m%d\n" % (i * 16, i * 16 + 9, i),
                                               4_000_000))
    text("jemalloc_stacks", b"heap_v2/524288\n", numbered(lambda i: b"@ 0x%x\n t*: 1: 1 [1: 1]\n" % i, 2_200_000))


# ---- JSON ----

def jsons(folder):
    dhat = b'{"dhatFileVersion":2,"mode":"heap","cmd":"./app","pid":1,'

    def both(name, *parts):
        gzipped(folder / f"dhat_{name}.json.gz", dhat, *parts)

    def v8(name, *parts):
        gzipped(folder / f"v8_{name}.heapprofile.gz", *parts)

    names = b'"ftbl":["[root]","0x1: f (a.cc:1)"]}'
    both("points", b'"pps":[{}', repeated(b',{"tb":1,"tbk":1,"fs":[1]}', MUCH), b"],", names)
    both("deep_points", b'"pps":[{}', repeated(b',{"tb":1,"tbk":1,"fs":[1' + b",1" * 2000 + b"]}", MUCH), b"],", names)
    both("one_point", b'"pps":[{"tb":1,"tbk":1,"fs":[1', repeated(b",1", MUCH), b"]}],", names)
    both("names", b'"pps":[],"ftbl":["[root]"', numbered(lambda i: b',"0x%x: f%d (a.cc:%d)"' % (i, i, i), 5_000_000),
         b"]}")
    both("long_names", b'"pps":[],"ftbl":["[root]"',
         (b',"0x%x: ' % i + LONG[:4000] + b'%d"' % i for i in range(60_000)), b"]}")
    both("long_text", b'"verb":"', repeated(LONG, MUCH), b'","pps":[],', names)
    both("long_mode", b'"mode":"', repeated(LONG, MUCH), b'","pps":[],', names)
    both("long_number", b'"te":1', repeated(b"0" * PIECE, MUCH), b',"pps":[],', names)
    both("nested", b'"pps":', repeated(b"[", MUCH))
    call = b'"callFrame":{"functionName":"f%d","url":"u"},"selfSize":1'
    open_nodes = b'{"head":{' + call % 0
    v8("nodes", open_nodes + b',"children":[', (b"{" + call % 1 + b"}," for _ in range(3_000_000)))
    v8("deep", b'{"head":{' + call % 0 + b"".join(b',"children":[{' + call % i for i in range(1000)) + b',"children":[',
       (b"{" + call % i + b"}," for i in range(60_000)))
    v8("names", open_nodes + b',"children":[', (b"{" + call % i + b"}," for i in range(3_000_000)))
    v8("long_names", open_nodes + b',"children":[',
       (b'{"callFrame":{"functionName":"%d%s"},"selfSize":1},' % (i, LONG[:4000]) for i in range(50_000)))
    v8("nested", open_nodes, repeated(b',"children":[{"selfSize":1', MUCH))


# ---- heaptrack ----

def heaptracks(folder):
    pack = zstd_packed if shutil.which("zstd") else gzipped
    head = b"v 10500 3\nX ./app\nI 1000 1000\ns 6 /app.so\ns 4 main\n"
    much = 256 << 20

    def heaptrack(name, *parts):
        pack(folder / f"heaptrack_{name}.zst", head, *parts)

    frame = b"i 1000 1 2\n"
    chain = frame + b"i 1001 1 2\nt 1 0\n"
    heaptrack("chain", chain, numbered(lambda i: b"t %x %x\na 8 %x\n+ %x\n" % (1 + i % 2, i + 1, i + 2, i), 1_000_000))
    heaptrack("chain_of_nothing", chain, numbered(lambda i: b"t 0 %x\n" % (i + 1), 2_000_000),
              numbered(lambda i: b"a 8 %x\n" % (2_000_001 - i % 9), 2_000_000))
    heaptrack("wide", chain, b"".join(b"t %x %x\n" % (1 + i % 2, i + 1) for i in range(600)),
              numbered(lambda i: b"t %x 200\na 8 %x\n+ %x\n" % (1 + i % 2, i + 602, i), 3_000_000))
    heaptrack("allocations", frame, b"t 1 0\na 8 1\n", repeated(b"+ 0\n", much))
    heaptrack("churn", frame, b"t 1 0\na 8 1\n", repeated(b"+ 0\n- 0\n", much))
    heaptrack("definitions", frame, b"t 1 0\n", repeated(b"a 8 1\n", much))
    heaptrack("times", repeated(b"c 1\n", much))
    heaptrack("comments", repeated(b"# " + LONG + b"\n", 4 * much))
    heaptrack("nonsense", repeated(b"?\x00\n", much))
    heaptrack("long_name_of_all", b"s fffff " + LONG[:0xfffff] + b"\n",
              (b"i %x 3" % (i + 1) + b" 3 3 1" * 256 + b"\n" for i in range(60_000)))
    heaptrack("long_names", (b"s fa8 " + b"%08d" % i + LONG[:4000] + b"\ni %x %x %x\n" % (i, i + 3, i + 3)
                             for i in range(60_000)))
    heaptrack("short_names", numbered(lambda i: b"s 8 %08d\ni %x 1 %x\n" % (i, i, i + 3), 3_000_000))
    heaptrack("frames", numbered(lambda i: b"i %x 1 2\nt %x 1\n" % (i, i), 5_000_000))
    heaptrack("longest_line", repeated(b"t" * PIECE, 4 * much))


MAKERS = (pprofs, massifs, heap_texts, jsons, heaptracks)


def make_files(make, folder):
    out = folder / make.__name__
    out.mkdir()
    make(out)
