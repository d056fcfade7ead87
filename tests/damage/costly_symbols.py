"""Debug files with the highest cost for their size: names, lists and tables that everything refers to, sections that
unpack to far more. Each has at most 10 MB."""

import lzma
import struct
import zlib

LONG = b"n" * (5 << 20) + b"\0"  # a name
CODE_AT = 0x1000
CODE_BYTES = 0x2000  # addresses in it are queried
MUCH = 9 << 20


def uleb(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


# ---- ELF ----

PROGBITS, SYMTAB, STRTAB = 1, 2, 3
COMPRESSED = 0x800


def packed(content, claimed=None):
    """A section with SHF_COMPRESSED: its header, and zlib."""
    return struct.pack("<IIQQ", 1, 0, claimed or len(content), 1) + zlib.compress(content, 9)


def elf(*sections):
    """An x86-64 file, linked at 0. Each section: name, type, content, flags, link, entry size."""
    sections = [(".text", PROGBITS, b"\x90" * 16, 6, 0, 0), *sections]
    names = b"\0" + b"\0".join(name.encode() for name, *_ in sections) + b"\0.shstrtab\0"
    sections.append((".shstrtab", STRTAB, names, 0, 0, 0))
    head = 64 + 56
    at, body, table = head, b"", struct.pack("<IIQQQQIIQQ", *[0] * 10)
    for name, kind, content, flags, link, entry in sections:
        address = CODE_AT if name == ".text" else 0
        table += struct.pack("<IIQQQQIIQQ", names.index(b"\0" + name.encode() + b"\0") + 1, kind, flags, address, at,
                             len(content), link, 0, 1, entry)
        body += content
        at += len(content)
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, CODE_AT, 64, at, 0, 64, 56, 1, 64,
                                                       len(sections) + 1, len(sections))
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, CODE_AT + CODE_BYTES, CODE_AT + CODE_BYTES, 4096)
    return header + load + body + table


def debug(info, abbreviations, flags=0, **others):
    others = {"debug_info": info, "debug_abbrev": abbreviations, **others}
    return elf(*((f".{name}", PROGBITS, packed(content) if flags else content, flags, 0, 0)
                 for name, content in others.items()))


# ---- DWARF ----

ADDR, DATA1, DATA2, DATA4, DATA8, STRP, REF4, SEC_OFFSET, LINE_STRP = 1, 0x0B, 5, 6, 7, 0x0E, 0x13, 0x17, 0x1F
NAME, STMT_LIST, LOW_PC, HIGH_PC, RANGES, ORIGIN, COMP_DIR = 3, 0x10, 0x11, 0x12, 0x55, 0x31, 0x1B
CALL_FILE = 0x58
UNIT, FUNCTION, INLINED, NAMESPACE, CLASS = 0x11, 0x2E, 0x1D, 0x39, 2


def abbreviation(code, tag, children, *pairs):
    return uleb(code) + uleb(tag) + bytes([children]) + b"".join(uleb(a) + uleb(f) for a, f in pairs) + b"\0\0"


def unit(entries, version=5):
    rest = (struct.pack("<HBBI", 5, 1, 8, 0) if version == 5 else struct.pack("<HIB", 4, 0, 8)) + entries
    return struct.pack("<I", len(rest)) + rest


HEAD = abbreviation(1, UNIT, 1, (LOW_PC, ADDR), (HIGH_PC, DATA4))
HEAD_ENTRY = b"\1" + struct.pack("<QI", CODE_AT, CODE_BYTES)
HEAD_OF_LINES = abbreviation(1, UNIT, 1, (LOW_PC, ADDR), (HIGH_PC, DATA4), (STMT_LIST, SEC_OFFSET))
HEAD_OF_LINES_ENTRY = HEAD_ENTRY + bytes(4)
EVERYWHERE = struct.pack("<QI", CODE_AT, CODE_BYTES)


def line_table(folders, files, program, minimum=1):
    """A version 5 table; folders and files: their columns, number of rows, and the rows."""
    head = bytes([minimum, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    for columns, count, rows in (folders, files):
        head += bytes([len(columns)]) + b"".join(uleb(a) + uleb(b) for a, b in columns) + uleb(count) + rows
    rest = struct.pack("<HBBI", 5, 8, 0, len(head)) + head + program
    return struct.pack("<I", len(rest)) + rest


FOLDERS = ([(1, 0x08)], 1, b"/\0")
FILES = ([(1, 0x08), (2, 0x0B)], 1, b"a.c\0\0")
SET_ADDRESS = b"\0\x09\2" + struct.pack("<Q", CODE_AT)
END = b"\0\1\1"


def dwarf_names():
    inlined = abbreviation(2, INLINED, 1, (NAME, STRP), (LOW_PC, ADDR), (HIGH_PC, DATA4))
    yield "parts_of_a_name", debug(
        unit(HEAD_ENTRY + b"".join(b"\2" + struct.pack("<I", i) + EVERYWHERE for i in range(128))), HEAD + inlined + b"\0",
        debug_str=LONG)
    # Each address has frames of its own.
    small = (struct.pack("<QI", CODE_AT + i // 96 * 16, 16) for i in range(49_152))
    yield "parts_of_a_name_at_all", debug(
        unit(HEAD_ENTRY + b"".join(b"\2" + struct.pack("<I", i) + place for i, place in enumerate(small))),
        HEAD + inlined.replace(b"\x1d\1", b"\x1d\0") + b"\0", debug_str=LONG)
    named = abbreviation(3, NAMESPACE, 1, (NAME, STRP))
    function = abbreviation(2, FUNCTION, 0, (NAME, STRP), (LOW_PC, ADDR), (HIGH_PC, DATA4))
    yield "long_namespaces", debug(
        unit(HEAD_ENTRY + b"".join(b"\3" + struct.pack("<I", i % 1000) for i in range(800_000)) + b"\2" + bytes(4) +
             EVERYWHERE), HEAD + named + function + b"\0", debug_str=LONG)
    yield "a_name_of_all_units", debug(
        b"".join(unit(HEAD_ENTRY + b"\2" + struct.pack("<I", i % 4000) + struct.pack("<QI", CODE_AT + i % 8192, 1))
                 for i in range(100_000)), HEAD + function + b"\0", debug_str=LONG)
    linked = abbreviation(2, INLINED, 0, (ORIGIN, REF4), (LOW_PC, ADDR), (HIGH_PC, DATA4))
    begin = 12 + len(HEAD_ENTRY)
    yield "origins_in_circles", debug(
        unit(HEAD_ENTRY + b"".join(b"\2" + struct.pack("<I", begin + 17 * ((i + 1) % 300_000)) + EVERYWHERE
                                   for i in range(300_000))), HEAD + linked + b"\0")


def dwarf_lists():
    function = abbreviation(2, FUNCTION, 0, (NAME, STRP), (RANGES, SEC_OFFSET))
    functions = b"".join(b"\2" + bytes(4) + struct.pack("<I", 12) for i in range(400_000))
    lists = {"of_bases": b"\1\0" * 2_000_000 + b"\0", "without_end": b"\1\0" * 2_000_000,
             "of_ranges": b"\4" + uleb(1) + uleb(2) + b"\4\1\2" * 1_500_000 + b"\0",
             "of_empty_ranges": b"\4\1\1" * 1_500_000 + b"\0"}
    for name, content in lists.items():
        content = struct.pack("<IHBBI", len(content) + 8, 5, 8, 0, 0) + content
        yield f"functions_of_a_list_{name}", debug(unit(HEAD_ENTRY + functions), HEAD + function + b"\0",
                                                   debug_str=b"f\0", debug_rnglists=content)
        units = abbreviation(1, UNIT, 0, (RANGES, SEC_OFFSET))
        yield f"units_of_a_list_{name}", debug(unit(b"\1" + struct.pack("<I", 12)) * 300_000, units + b"\0",
                                               debug_rnglists=content)
    old = abbreviation(2, FUNCTION, 0, (NAME, STRP), (RANGES, SEC_OFFSET))
    yield "functions_of_an_old_list", debug(
        unit(HEAD_ENTRY + functions, 4), HEAD + old + b"\0", debug_str=b"f\0",
        debug_ranges=struct.pack("<QQ", 0xFFFFFFFFFFFFFFFF, 0) * 300_000 + bytes(16))
    yield "many_abbreviations", debug(
        b"".join(unit(b"\1") for _ in range(200_000)),
        b"".join(abbreviation(i + 1, FUNCTION, 0, *[(NAME, STRP)] * 3) for i in range(400_000)) + b"\0")
    nested = abbreviation(2, INLINED, 1, (NAME, STRP), (LOW_PC, ADDR), (HIGH_PC, DATA4))
    yield "deep_inlining", debug(unit(HEAD_ENTRY + (b"\2" + bytes(4) + EVERYWHERE) * 500_000), HEAD + nested + b"\0",
                                 debug_str=b"f\0")


def dwarf_lines():
    abbreviations = HEAD_OF_LINES + b"\0"
    entry = unit(HEAD_OF_LINES_ENTRY + b"\0")

    def lines(name, table, count=1, **others):
        return name, debug(entry * count, abbreviations, debug_line=table, **others)

    program = SET_ADDRESS + b"\x0f" * MUCH + END
    yield lines("many_lines", line_table(FOLDERS, FILES, program))
    yield lines("lines_of_all_units", line_table(FOLDERS, FILES, program[:5 << 20] + END), 100_000)
    yield lines("many_files", line_table(FOLDERS, ([(1, DATA1)], MUCH, bytes(MUCH)), SET_ADDRESS + b"\x0f\x4a" + END))
    yield lines("many_folders", line_table(([(1, DATA1)], MUCH, bytes(MUCH)), FILES, SET_ADDRESS + b"\x0f\x4a" + END))
    yield lines("files_of_many_columns",
                line_table(FOLDERS, ([(1, DATA1)] + [(0x2002, 0x19)] * 200, MUCH, bytes(MUCH)), SET_ADDRESS + b"\x0f\x4a" + END))
    step = b"\4"  # the next file: DW_LNS_set_file, and a row at the next address
    program = SET_ADDRESS + b"".join(step + uleb(i) + bytes([0x4A]) for i in range(8000)) + END
    yield lines("parts_of_a_path",
                line_table(FOLDERS, ([(1, LINE_STRP)], 8000, b"".join(struct.pack("<I", i) for i in range(8000))), program,
                           4), debug_line_str=LONG)
    yield lines("a_long_folder",
                line_table(([(1, LINE_STRP)], 1, bytes(4)),
                           ([(1, 0x08)], 8000, b"".join(b"%d\0" % i for i in range(8000))), program, 4),
                debug_line_str=LONG)


def dwarf_packed():
    much = 250 << 20
    function = abbreviation(2, FUNCTION, 0)
    function_at = abbreviation(2, FUNCTION, 0, (LOW_PC, ADDR), (HIGH_PC, DATA4))
    entry = unit(HEAD_OF_LINES_ENTRY + b"\0")

    def with_size(name, kept, *arguments, **others):
        file = debug(*arguments, flags=COMPRESSED, **others)
        return name, file + b"\0" * max(0, kept - len(file))

    yield with_size("packed_entries", MUCH, unit(HEAD_ENTRY + b"\2" * much), HEAD + function + b"\0")
    yield with_size("packed_functions", MUCH, unit(HEAD_ENTRY + (b"\2" + EVERYWHERE) * (much // 13)),
                    HEAD + function_at + b"\0")
    yield with_size("packed_units", MUCH, unit(HEAD_ENTRY) * (much // 25), HEAD + b"\0")
    yield with_size("packed_lines", MUCH, entry, HEAD_OF_LINES + b"\0",
                    debug_line=line_table(FOLDERS, FILES, SET_ADDRESS + b"\x0f" * much + END))
    yield with_size("packed_files", MUCH, entry, HEAD_OF_LINES + b"\0",
                    debug_line=line_table(FOLDERS, ([(1, DATA1)], much, bytes(much)), SET_ADDRESS + b"\x0f\x4a" + END))
    yield with_size("packed_abbreviations", MUCH, unit(HEAD_ENTRY),
                    HEAD + abbreviation(2, FUNCTION, 0, (3, 8)) * (much // 7) + b"\0")
    yield with_size("packed_much", 0, unit(HEAD_ENTRY), HEAD + b"\0", debug_str=bytes(1 << 30))


# ---- symbols ----

def symbols(count, name, begin=lambda i: CODE_AT + i % CODE_BYTES):
    return b"".join(struct.pack("<IBBHQQ", name(i), 0x12, 0, 1, begin(i), 16) for i in range(count))


def elf_symbols():
    def file(name, table, texts):
        return name, elf((".symtab", SYMTAB, table, 0, 3, 24), (".strtab", STRTAB, texts, 0, 0, 0))

    yield file("symbols_of_a_name", symbols(180_000, lambda i: i), LONG)
    yield file("symbols_at_one_place", symbols(400_000, lambda i: 0, lambda i: CODE_AT), b"\0f\0")
    bomb = b"_Z1f" + b"St4pairI" + b"".join(b"S%s_S%s_ESt4pairI" % (b"", b"") for _ in range(20))
    chain = b"_Z1fSt4pairIiiE" + b"".join(b"St4pairIS%s_S%s_E" % ((b"%X" % i if i else b"",) * 2) for i in range(60))
    texts = b"\0" + bomb + b"\0" + chain + b"\0"
    yield file("names_that_double", symbols(8000, lambda i: len(bomb) + 2), texts)
    deep = b"_Z1f" + b"P" * 4_000_000 + b"i"
    yield file("a_deep_name", symbols(8000, lambda i: 1), b"\0" + deep + b"\0")
    rust = b"_RNvC1a" + b"1" * 10 + b"_" + b"B_" * 1000
    yield file("names_of_rust", symbols(8000, lambda i: 1), b"\0" + rust + b"\0")
    microsoft = b"?f@@YAX" + b"PEA" * 100_000 + b"H@Z"
    yield file("a_name_of_microsoft", symbols(8000, lambda i: 1), b"\0" + microsoft + b"\0")


def mini_debug():
    inner = elf((".symtab", SYMTAB, symbols(400_000, lambda i: 1), 0, 3, 24), (".strtab", STRTAB, b"\0f\0", 0, 0, 0))
    for name, content in (("unpacks_to_much", bytes(1 << 30)), ("of_many_symbols", inner),
                          ("in_itself", elf((".gnu_debugdata", PROGBITS, lzma.compress(inner), 0, 0, 0)))):
        yield f"mini_debug_{name}", elf((".gnu_debugdata", PROGBITS, lzma.compress(content, preset=1), 0, 0, 0))


# ---- Windows ----

def programs():
    """Exports whose names are parts of one."""
    count = 700_000
    address = 0x1000
    tables = 40
    functions = struct.pack("<I", 0x1800) * 1
    ordinals, names = bytes(2 * count), b"".join(struct.pack("<I", 0x2000000 + i) for i in range(count))
    begin = address + tables + len(functions)
    export = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, 0, 1, 1, count, address + tables, begin + len(ordinals), begin)
    content = export + functions + ordinals + names
    head = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 2, 0, 0, 0, 240, 0x22)
    optional = struct.pack("<H", 0x20B) + bytes(54) + struct.pack("<I", 0x4000000) + bytes(48) + struct.pack("<I", 16)
    optional += struct.pack("<II", address, len(content)) + bytes(8 * 15)
    offset = len(head) + 240 + 80
    sections = b".a\0\0\0\0\0\0" + struct.pack("<IIIIIIHHI", len(content), address, len(content), offset, 0, 0, 0, 0, 0)
    sections += b".b\0\0\0\0\0\0" + struct.pack("<IIIIIIHHI", len(LONG), 0x2000000, len(LONG), offset + len(content),
                                               0, 0, 0, 0, 0)
    yield "exports_of_a_name", head + optional + sections + content + LONG


# ---- PDB ----

PAGE = 4096
SYMBOLS = 4  # offset of the first symbol in a module's stream


def blocks_of(content):
    return [content[i:i + PAGE].ljust(PAGE, b"\0") for i in range(0, len(content), PAGE)]


def msf(streams):
    blocks, numbers = [b""] + [b"\xff" * PAGE] * 2, []

    def add(content):
        added = blocks_of(content)
        blocks.extend(added)
        return range(len(blocks) - len(added), len(blocks))

    for stream in streams:
        numbers += add(stream)
    directory = struct.pack(f"<I{len(streams)}I{len(numbers)}I", len(streams), *map(len, streams), *numbers)
    places = add(directory)
    at = len(blocks)
    add(struct.pack(f"<{len(places)}I", *places))
    blocks[0] = (b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0" +
                 struct.pack("<6I", PAGE, 1, len(blocks), len(directory), 0, at)).ljust(PAGE, b"\0")
    return b"".join(blocks)


def record(kind, content):
    content = content.ljust((len(content) + 5) // 4 * 4 - 2, b"\0")
    return struct.pack("<HH", len(content) + 2, kind) + content


def pdb_function(at=0, size=CODE_BYTES, inner=b"", name=b"f"):
    """A function in the module's only section; `inner` must be the first thing in the module."""
    def head(end):
        return record(0x1110, struct.pack("<8IHB", 0, end, 0, size, 0, 0, 0, at, 1, 0) + name + b"\0")

    return head(SYMBOLS + len(head(0)) + len(inner) if inner else 0) + inner + record(6, b"")


def site(inlinee, annotations=b"\3\0\4\xc0\0\x20\0"):  # from the start, all bytes
    return record(0x114D, struct.pack("<3I", 0, 0, inlinee) + annotations)


def pdb_part(kind, content):
    return struct.pack("<II", kind, len(content)) + content.ljust((len(content) + 3) // 4 * 4, b"\0")


def pdb_lines(*lines):
    """Lines for all code: each an offset, a file, a line."""
    blocks = b"".join(struct.pack("<5I", file, 1, 20, at, line | 1 << 31) for at, file, line in lines)
    return pdb_part(0xF2, struct.pack("<IHHI", 0, 1, 0, CODE_BYTES) + blocks)


def pdb(*modules, places=((0, CODE_BYTES, 0),), texts=b"\0", ids=b"", id_count=0, id_places=b""):
    """Modules: symbols, lines, name, and the module whose stream it uses if any. Places: offset, bytes, module."""
    streams, entries, own = [], b"", {}
    for number, (symbols, lines, name, *of) in enumerate(modules):
        if not of:
            own[number] = (9 + len(streams), 4 + len(symbols), len(lines))
            streams.append(struct.pack("<I", 4) + symbols + lines)
        stream, symbol_bytes, line_bytes = own[of[0] if of else number]
        entry = bytes(34) + struct.pack("<HIII", stream, symbol_bytes, 0, line_bytes) + bytes(16) + name + b"\0\0"
        entries += entry.ljust((len(entry) + 3) // 4 * 4, b"\0")
    contributions = struct.pack("<I", 0xEFFE0000 + 19970605) + b"".join(
        struct.pack("<HHIIIHHII", 1, 0, at, size, 0, module, 0, 0, 0) for at, size, module in places)
    debug_streams = struct.pack("<11H", *[0xFFFF] * 5, 5, *[0xFFFF] * 5)
    dbi = struct.pack("<iII6H8IHHI", -1, 19990903, 1, 0xFFFF, 0, 0xFFFF, 0, 6, 0, len(entries), len(contributions), 0,
                      0, 0, 0, len(debug_streams), 0, 0, 0x8664, 0) + entries + contributions + debug_streams
    types = [struct.pack("<5IHH6I", 20040203, 56, 0x1000, 0x1000 + count, len(content), 8, 0xFFFF, 4, 0, 0, 0, 0,
                         len(id_places)) + content for count, content in ((0, b""), (id_count, ids))]
    head = struct.pack("<III16sI7s", 20000404, 1, 1, b"g" * 16, 7, b"/names\0") + struct.pack("<7I", 1, 1, 1, 1, 0, 0, 7)
    section = b".text\0\0\0" + struct.pack("<II", CODE_BYTES, CODE_AT) + bytes(24)
    return msf([b"", head, types[0], dbi, types[1], section, b"",
                struct.pack("<III", 0xEFFEEFFE, 1, len(texts)) + texts, id_places, *streams])


def pdbs():
    steps = [(16 * i, 8 * i, 1) for i in range(CODE_BYTES // 16)]
    checksums = pdb_part(0xF4, b"".join(struct.pack("<II", 1 + i, 0) for i in range(len(steps))))
    yield "parts_of_a_path", pdb((pdb_function(), pdb_lines(*steps) + checksums, b"m"), texts=b"\0" + b"n" * MUCH + b"\0")
    functions = b"".join(pdb_function(16 * i, 16) for i in range(190_000))
    yield "a_stream_of_all_modules", pdb((functions, b"", b"m"), *[(b"", b"", b"m", 0)] * 4000,
                                         places=[(16 * i, 16, i) for i in range(CODE_BYTES // 16)])
    exports = pdb_part(0xF8, b"".join(struct.pack("<II", i, i) for i in range(400_000)))
    imports = pdb_part(0xF7, b"".join(struct.pack("<III", 2 * i, 1, 0) for i in range(2040)))
    sites = b"".join(site(1 << 31 | i << 20) for i in range(2040))
    yield "exports_of_many_names", pdb((pdb_function(inner=sites), imports, b"o"), (b"", exports, b"m"), texts=b"m\0" * 2040)
    imports = pdb_part(0xF7, bytes(8) * 2040 + struct.pack("<III", 0, 1, 0))
    yield "far_imports", pdb((pdb_function(inner=site(1 << 31 | 2040 << 20) * 200_000), imports, b"m"))
    yield "deep_calls", pdb((pdb_function(inner=site(0x1000) * 300_000), b"", b"m"))
    ids = b"".join(record(0x1601, bytes(8) + b"f%07d\0" % i) for i in range(250_000))
    sites = b"".join(site(0x1000 + 200_000 + i) for i in range(40_000))
    yield "ids_without_places", pdb((pdb_function(inner=sites), b"", b"m"), ids=ids, id_count=250_000)
    # Each nests in the previous ones, and every other place leads far ahead.
    count = 50_000
    ids = b"".join(struct.pack("<HHI", 0xFFF1, 0x1601, 0x01010101 + i) for i in range(count + 9000))
    places = b"".join(struct.pack("<II", 0x1000 + i, i // 2 * 8 if i % 2 == 0 else len(ids)) for i in range(2 * count))
    yield "ids_in_each_other", pdb((pdb_function(inner=b"".join(site(0x1000 + 2 * i) for i in range(count))), b"", b"m"),
                                   ids=ids, id_count=2 * count, id_places=places)


MAKERS = (dwarf_names, dwarf_lists, dwarf_lines, dwarf_packed, elf_symbols, mini_debug, programs, pdbs)


def make_files(make, folder):
    out = folder / "symbol_file_fuzz"  # reads them
    out.mkdir(exist_ok=True)
    for name, content in make():
        (out / name).write_bytes(content)
