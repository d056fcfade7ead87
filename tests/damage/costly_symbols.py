"""Debug files that cost as much as they can for their size: names, lists and tables that everything refers to, sections
that unpack to much more. Each is at most 10 MB."""

import lzma
import struct
import zlib

LONG = b"n" * (5 << 20) + b"\0"  # a name
CODE_AT = 0x1000
CODE_BYTES = 0x2000  # addresses in it are asked for
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
    """A section with SHF_COMPRESSED: its head, and zlib."""
    return struct.pack("<IIQQ", 1, 0, claimed or len(content), 1) + zlib.compress(content, 9)


def elf(*sections):
    """Of x86-64, linked at 0. Each section: name, type, content, flags, link, size of entries."""
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
    """Of version 5; folders and files: their columns, how many rows, and the rows."""
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


MAKERS = (dwarf_names, dwarf_lists, dwarf_lines, dwarf_packed, elf_symbols, mini_debug, programs)


def make_files(folder):
    out = folder / "symbol_file_fuzz"  # reads them
    out.mkdir()
    for make in MAKERS:
        for name, content in make():
            (out / name).write_bytes(content)
