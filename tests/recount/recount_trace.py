#!/usr/bin/env python3
"""Recomputes the numbers of docs/numbers.md 4 and 14 from the bytes of an .etl, and compares highwater-cli with them.

Shares no code with the program: its own reader of buffers and records (docs/etl-format.md 1, 2, 5), its own pairing with
dictionaries of single pages and blocks, and sums over all rows for each interval. Deliberately slow and simple.

usage: recount_trace.py HIGHWATER_CLI HIGHWATER_EXAMPLE
"""

import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = 4096
COMMIT, RESERVE, DECOMMIT, RELEASE = 0x1000, 0x2000, 0x4000, 0x8000
COLUMNS = ["Count", "Impacting Size", "Size", "Allocated", "Freed", "Peak Size"]
# Variants of the example that are written in different ways. Those with echoed reallocs need rules that are not
# implemented here.
VARIANTS = ["plain", "32-bit", "full", "event", "compressed", "shuffled", "keys", "system-time", "cpu-cycles"]
INTERVALS = 12
PAGE_FAULT, PROCESS, HEAP = 0x02, 0x03, 0x10
CLASSES = {
    "3d6fa8d3": PAGE_FAULT, "d781ca11": None, "3d6fa8d0": PROCESS, "222962ab": HEAP, "05867806": None,
}


class Record:
    def __init__(self, group, opcode, ticks, pid, bits, payload):
        self.group, self.opcode, self.ticks, self.pid = group, opcode, ticks, pid
        self.words = struct.unpack_from("<%d%s" % (len(payload) // (bits // 8), "Q" if bits == 64 else "I"), payload)
        self.width, self.payload = bits // 8, payload

    def u32(self, offset):
        return struct.unpack_from("<I", self.payload, offset)[0]


def expanded(data, size):
    """Plain LZ77 XPRESS."""
    out, at, nibble, flags, left = bytearray(), 0, None, 0, 0
    while len(out) < size:
        if left == 0:
            flags, left, at = struct.unpack_from("<I", data, at)[0], 32, at + 4
        left -= 1
        if not flags >> left & 1:
            out.append(data[at])
            at += 1
            continue
        match, at = struct.unpack_from("<H", data, at)[0], at + 2
        length = match & 7
        if length == 7:
            if nibble is None:
                nibble, length, at = at, data[at] & 15, at + 1
            else:
                nibble, length = None, data[nibble] >> 4
            if length == 15:
                length, at = data[at], at + 1
                if length == 255:
                    length, at = struct.unpack_from("<H", data, at)[0], at + 2
                    if length == 0:
                        length, at = struct.unpack_from("<I", data, at)[0], at + 4
                    length -= 22
                length += 15
            length += 7
        for _ in range(length + 3):
            out.append(out[-(match >> 3) - 1])
    return bytes(out[:size])


def record_at(data, at):
    """The record and its size. Supports only the headers in the example: no messages, no counters."""
    kind = data[at + 2]
    if kind in (1, 2, 3, 4):
        size, opcode, group = struct.unpack_from("<HBB", data, at + 4)
        pid, ticks = struct.unpack_from("<Iq", data, at + 12)
        head, bits = (32 if kind < 3 else 24), (64 if kind in (2, 4) else 32)
    elif kind in (16, 17):
        size, opcode, group = struct.unpack_from("<HBB", data, at + 4)
        pid, ticks = None, struct.unpack_from("<q", data, at + 8)[0]
        head, bits = 16, (64 if kind == 17 else 32)
    elif kind in (10, 20, 18, 19):
        size = struct.unpack_from("<H", data, at)[0]
        pid, ticks = struct.unpack_from("<Iq", data, at + 12)
        group = CLASSES.get("%08x" % struct.unpack_from("<I", data, at + 24)[0])
        opcode = data[at + 4] if kind in (10, 20) else data[at + 45]
        head, bits = (48 if kind in (10, 20) else 80), (64 if kind in (20, 19) else 32)
    else:
        return None, 0
    return Record(group, opcode, ticks, pid, bits, data[at + head:at + size]), size


def records_of(data):
    """All records in the order of time; equal times keep the order of the file, by processor."""
    found, at = [], 0
    while at + 72 <= len(data):
        size, saved = struct.unpack_from("<II", data, at)
        sequence, processor = struct.unpack_from("<q", data, at + 24)[0], struct.unpack_from("<H", data, at + 40)[0]
        end, flags = struct.unpack_from("<IH", data, at + 48)
        buffer = data[at:at + size]
        if flags & 0x40:
            buffer, end = buffer[:72] + expanded(buffer[72:], saved - 72), saved
        inside = 72
        while inside + 8 < (end or saved):
            record, length = record_at(buffer, inside)
            if record is None or length == 0:
                break
            found.append((record.ticks, processor, sequence, len(found), record))
            inside += (length + 7) & ~7
        at += size
    return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:-1])]


class Clock:
    def __init__(self, data):
        header, _ = record_at(data, 72)
        wide = header.width == 8
        self.zero = header.ticks
        frequency = struct.unpack_from("<q", header.payload, 256 if wide else 248)[0]
        kind = struct.unpack_from("<I", header.payload, 272 if wide else 264)[0]
        mhz = struct.unpack_from("<I", header.payload, 52)[0]
        self.rate = {2: 10_000_000, 3: mhz * 1_000_000}.get(kind, frequency)

    def ns(self, ticks):
        return (ticks - self.zero) * 1_000_000_000 // self.rate


class Row:
    def __init__(self, pid, begin, size):
        self.pid, self.begin, self.size, self.left, self.end = pid, begin, size, size, None
        self.releases = []  # (time, bytes)

    def release(self, time, size):
        self.releases.append((time, size))
        self.left -= size
        if self.left == 0:
            self.end = time

    def outstanding(self, time):
        if self.begin >= time:
            return 0
        return self.size - sum(size for at, size in self.releases if at < time)


class Memory:
    """Pairs allocations with frees. `changes`: (time, pid, row, bytes), in their original order."""

    def __init__(self):
        self.rows = {"virtualalloc": [], "heap": []}
        self.changes = {"virtualalloc": [], "heap": []}
        self.pages, self.reserved, self.blocks = {}, {}, {}

    def begin(self, table, pid, time, size):
        row = Row(pid, time, size)
        self.rows[table].append(row)
        self.changes[table].append((time, pid, row, size))
        return row

    def end(self, table, row, time, size):
        row.release(time, size)
        self.changes[table].append((time, row.pid, row, -size))

    def commit(self, pid, time, first, last):
        new = [page for page in range(first, last) if (pid, page) not in self.pages]
        if new:
            row = self.begin("virtualalloc", pid, time, len(new) * PAGE)
            self.pages.update({(pid, page): row for page in new})

    def release_pages(self, time, keys):
        sizes = {}
        for key in keys:
            row = self.pages.pop(key, None)
            if row is not None:
                sizes[row] = sizes.get(row, 0) + PAGE
        for row, size in sizes.items():
            self.end("virtualalloc", row, time, size)

    def virtual(self, record, time):
        base, size = record.words[:2]
        pid, flags = record.u32(2 * record.width), record.u32(2 * record.width + 4)
        first, last = base // PAGE, -(-(base + size) // PAGE)
        if flags & RESERVE:
            self.reserved[pid, first] = last
        if flags & COMMIT:
            self.commit(pid, time, first, last)
        if flags & (DECOMMIT | RELEASE):
            if size == 0:
                last = self.reserved.get((pid, first), first)
            self.release_pages(time, [(pid, page) for page in range(first, last)])

    def heap(self, record, time):
        words, pid = record.words, record.pid
        if record.opcode == 33:
            handle, size, address = words[:3]
            self.blocks[pid, handle, address] = self.begin("heap", pid, time, size)
        elif record.opcode == 34:
            handle, new, old, size = words[:4]
            self.free(pid, handle, old, time)
            self.blocks[pid, handle, new] = self.begin("heap", pid, time, size)
        elif record.opcode == 36:
            self.free(pid, words[0], words[1], time)
        elif record.opcode == 35:
            for key in [key for key in self.blocks if key[:2] == (pid, words[0])]:
                self.free(*key, time)

    def free(self, pid, handle, address, time):
        row = self.blocks.pop((pid, handle, address), None)
        if row is not None:
            self.end("heap", row, time, row.size)

    def process_ends(self, record, time):
        pid = record.u32(record.width)
        self.release_pages(time, [key for key in self.pages if key[0] == pid])

    def take(self, record, time):
        if record.group == PAGE_FAULT and record.opcode in (98, 99):
            self.virtual(record, time)
        elif record.group == HEAP and 33 <= record.opcode <= 36:
            self.heap(record, time)
        elif record.group == PROCESS and record.opcode == 2:
            self.process_ends(record, time)

    def numbers(self, table, t0, t1):
        """By pid, of [t0, t1)."""
        members = {}
        for row in self.rows[table]:
            if row.begin < t1 and (row.end is None or row.end > t0 or row.begin >= t0):
                members.setdefault(row.pid, []).append(row)
        return {pid: self.group(table, pid, rows, t0, t1) for pid, rows in members.items()}

    def generations(self, table, t0, t1, marks):
        """Growth, # Persistent and its bytes from mark to mark."""
        rows = [row for row in self.rows[table]
                if row.begin < t1 and (row.end is None or row.end > t0 or row.begin >= t0)]
        edges = [t0, *sorted({mark for mark in marks if t0 < mark < t1}), t1]
        answer = []
        for a, b in zip(edges, edges[1:]):
            kept = [row for row in rows if a <= row.begin < b and (row.end is None or row.end >= t1)]
            answer.append([sum(row.outstanding(b) - row.outstanding(a) for row in rows), len(kept),
                           sum(row.outstanding(t1) for row in kept)])
        return answer

    def group(self, table, pid, rows, t0, t1):
        allocated = sum(row.size for row in rows if row.begin >= t0)
        freed = sum(size for row in rows for at, size in row.releases if t0 <= at < t1)
        impacting = sum(row.outstanding(t1) - row.outstanding(t0) for row in rows)
        assert impacting == allocated - freed
        level = peak = sum(row.outstanding(t0) for row in rows)
        inside = set(map(id, rows))
        for at, _, row, size in self.changes[table]:
            if t0 <= at < t1 and id(row) in inside:
                level += size
                peak = max(peak, level)
        return dict(zip(COLUMNS, [len(rows), impacting, sum(row.size for row in rows), allocated, freed, peak]))


def read(path):
    data = path.read_bytes()
    clock, memory = Clock(data), Memory()
    for record in records_of(data):
        memory.take(record, clock.ns(record.ticks))
    return memory


def seconds(ns):
    return "%d.%09d" % divmod(ns, 1_000_000_000)


def asked(cli, path, table, t0, t1):
    answer = subprocess.run([cli, "table", str(path), "--table", table, "--by", "PID", "--columns", ",".join(COLUMNS),
                             "--range", f"{seconds(t0)}:{seconds(t1)}", "--format", "json", "--no-symbols"],
                            capture_output=True, check=True)
    return {int(row["key"]): row["values"] for row in json.loads(answer.stdout)["rows"]}


def generations_asked(cli, path, table, t0, t1, marks):
    command = [cli, "generations", str(path), "--table", table, "--range", f"{seconds(t0)}:{seconds(t1)}",
               "--format", "json", "--no-symbols"]
    for mark in marks:
        command += ["--mark", seconds(mark)]
    answer = subprocess.run(command, capture_output=True, check=True)
    return [[part["growth_bytes"], part["persistent_count"], part["persistent_bytes"]]
            for part in json.loads(answer.stdout)["generations"]]


def intervals(memory, table, random_numbers):
    """Between any two times, and between two times with events, where the bounds matter."""
    times = [row.begin for row in memory.rows[table]]
    times += [at for row in memory.rows[table] for at, _ in row.releases]
    for turn in range(INTERVALS):
        if turn % 2:
            yield tuple(sorted(random_numbers.sample(sorted(set(times)), 2)))
        else:
            yield tuple(sorted(random_numbers.randrange(34_000_000_000) for _ in range(2)))


def marks_between(memory, table, t0, t1, random_numbers):
    """Some at times with events, also at the ends of the interval."""
    times = sorted({row.begin for row in memory.rows[table] if t0 <= row.begin < t1} |
                   {at for row in memory.rows[table] for at, _ in row.releases if t0 <= at < t1})
    marks = random_numbers.sample(times, min(len(times), random_numbers.randrange(4)))
    return marks + [random_numbers.randrange(t0, t1), t0]


def main(cli, example):
    random_numbers = random.Random(19)
    compared = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for variant in VARIANTS:
            path = Path(folder) / (variant + ".etl")
            subprocess.run([example, str(path), "--variant", variant], check=True)
            memory = read(path)
            for table in ("virtualalloc", "heap"):
                if not memory.rows[table]:
                    sys.exit(f"{variant}: this script has found no rows of {table}")
                for t0, t1 in intervals(memory, table, random_numbers):
                    expected, found = memory.numbers(table, t0, t1), asked(cli, path, table, t0, t1)
                    compared += len(expected) * len(COLUMNS)
                    if expected != found:
                        wrong += 1
                        print(f"{variant}, {table}, {t0} ns to {t1} ns:\n  expected {expected}\n  found    {found}")
                    marks = marks_between(memory, table, t0, t1, random_numbers)
                    expected = memory.generations(table, t0, t1, marks)
                    found = generations_asked(cli, path, table, t0, t1, marks)
                    compared += 3 * len(expected)
                    if expected != found:
                        wrong += 1
                        print(f"{variant}, {table}, {t0} ns to {t1} ns, marks {marks}:\n  expected {expected}\n"
                              f"  found    {found}")
    print(f"{compared} numbers compared, {wrong} answers differ")
    return 1 if wrong or compared < 1500 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
