"""Other inputs from untrusted sources, as costly as 10 MB can be: runtimes' descriptions of their code, sessions and
profiles of the window. Each maker is named after the fuzz target that reads its files."""

import json
import struct

MUCH = 9 << 20
LONG = b"n" * 60_000


def filled(head, unit, tail=b""):
    return head + unit * ((MUCH - len(head) - len(tail)) // len(unit)) + tail


def lines(make):
    """make(0), make(1), ..., as many as fit."""
    out, size = [], 0
    while size < MUCH:
        out.append(make(len(out)))
        size += len(out[-1])
    return b"".join(out)


# ---- perf maps and jitdump files ----

def generated_code_fuzz():
    pieces = b"\x3f"  # pieces of 64 bytes
    yield "map_of_lines", pieces + lines(lambda i: b"%x 10 f%d\n" % (i * 16, i))
    yield "map_of_lines_down", pieces + lines(lambda i: b"%x 10 f%d\n" % (0x7fffffff0000 - i * 16, i))
    yield "map_of_lines_over_each_other", pieces + lines(lambda i: b"%x ffffffff f%d\n" % (i, i))
    yield "map_of_one_place", pieces + lines(lambda i: b"1000 10 f%d\n" % i)
    yield "map_of_long_names", pieces + lines(lambda i: b"%x 10 %d" % (i * 16, i) + LONG + b"\n")
    yield "map_of_one_line", pieces + filled(b"1000 10 ", LONG)
    yield "map_of_blanks", pieces + filled(b"", b" " * 1000 + b"1000 10 f\n")
    for name, unit in (("java", b"(L"), ("dots", b"."), ("colons", b"::"), ("brackets", b"[<("), ("csharp", b"[A] B::")):
        yield f"map_of_names_of_{name}", pieces + lines(lambda i: b"%x 10 " % (i * 16) + unit * 20_000 + b"\n")
    yield "list_of_mappings", pieces + lines(lambda i: b"%x-%x r-xp 0 0:0 %d /tmp/jit-%d.dum\n" % (i * 16, i * 16 + 8, i, i))
    yield "list_of_equal_mappings", pieces + lines(lambda i: b"%x-%x r-xp 0 08:01 7 /app\n" % (i * 16, i * 16 + 8))
    head = b"DTiJ" + struct.pack("<IIIIIQQ", 1, 40, 62, 0, 1, 1, 0)
    loaded = struct.pack("<IIQ", 0, 16 + 40 + 2, 1) + struct.pack("<IIQQQQ", 1, 1, 4096, 4096, 0, 1) + b"f\0"
    yield "dump_of_code", pieces + filled(head, loaded)
    yield "dump_of_moves", pieces + filled(head + loaded,
                                           struct.pack("<IIQ", 1, 64, 1) + struct.pack("<IIQQQQQ", 1, 1, 0, 4096, 4096, 16, 0))
    yield "dump_of_nothing", pieces + filled(head, struct.pack("<IIQ", 9, 16, 1))


# ---- sessions ----

def session_fuzz():
    def session(**content):
        return json.dumps({"format": "highwater-session", "version": 1, **content}).encode()

    def repeated(key, unit, **content):
        text = session(**content)
        return text[:-1] + b', "' + key + b'": [' + b",".join([unit] * (MUCH // (len(unit) + 1))) + b"]}"

    graph = {"preset": {"table": "heap", "keys": ["Process", "Stack"], "columns": ["Size"], "graphed": 1}}
    tab = json.dumps({"graphs": [graph] * 20}).encode()
    yield "session_of_tabs", repeated(b"tabs", tab)
    yield "session_of_marks", repeated(b"marks", b'{"ns":1,"name":"m"}')
    yield "session_of_presets", repeated(b"presets", json.dumps(graph["preset"]).encode())
    yield "session_of_traces", repeated(b"traces", b'"a.etl"')
    yield "session_of_brackets", filled(b'{"format":"highwater-session","version":1,"tabs":', b"[")
    yield "session_of_braces", filled(b'{"format":"highwater-session","version":1,"tabs":', b'{"a":')
    yield "session_of_a_text", filled(b'{"format":"highwater-session","version":1,"symbolPath":"', b"srv*a;", b'"}')
    yield "session_of_keys", b"{" + lines(lambda i: b'"%d":1,' % i) + b'"a":1}'
    yield "session_of_numbers", filled(b'{"format":"highwater-session","tabs":[1', b"0", b"]}")
    row = json.dumps([["Process", "a"]] * 4000).encode()
    yield "session_of_rows", session(tabs=[{"graphs": [{**graph, "expanded": "ROWS"}]}]).replace(
        b'"ROWS"', b"[" + b",".join([row] * (MUCH // (len(row) + 1))) + b"]")
    yield "session_of_filters", repeated(b"tabs", json.dumps({"graphs": [graph], "filters": ["[Size] > 1"] * 100}).encode())


# ---- Windows Performance Analyzer profiles, presets ----

def profile_fuzz():
    head = b'<?xml version="1.0" encoding="utf-8"?><WpaProfileContainer Version="2">'
    tail = b"</WpaProfileContainer>"
    yield "profile_of_elements", filled(head, b"<a></a>", tail)
    yield "profile_of_depth", filled(head, b"<a>", tail)
    yield "profile_of_attributes", head + b"<a " + lines(lambda i: b'a%d="" ' % i) + b"></a>" + tail
    yield "profile_of_long_names", filled(head, b"<" + LONG + b"/>", tail)
    yield "profile_of_an_attribute", filled(head + b'<a b="', b"&amp;", b'"/>' + tail)
    yield "profile_of_comments", filled(head, b"<!---->", tail)
    graph = (b'<Graph Guid="00000000-0000-0000-0000-000000000000"><Preset Name="p"><MetadataEntries/><Columns>' +
             b'<Column Name="Process" Width="1" IsVisible="true"/>' * 20 + b"</Columns></Preset></Graph>")
    yield "profile_of_graphs", filled(head + b"<Content><Views><View><Graphs>", graph,
                                      b"</Graphs></View></Views></Content>" + tail)
    yield "presets_of_brackets", filled(b'{"presets":', b"[")
    preset = json.dumps({"name": "p", "table": "heap", "keys": ["Process"], "columns": ["Size"]}).encode()
    yield "presets", b'{"format":"highwater-presets","version":1,"presets":[' + b",".join([preset] * 80_000) + b"]}"


MAKERS = (generated_code_fuzz, session_fuzz, profile_fuzz)


def make_files(make, folder):
    out = folder / make.__name__
    out.mkdir()
    for name, content in make():
        (out / name).write_bytes(content)
