#!/usr/bin/env python3
"""Records with highwater-cli.exe, under Wine, from the event tracing simulator, and reads the files on this system.

    etw_scenarios.py BUILD HIGHWATER_CLI HIGHWATER_EXAMPLE WRITE_MANAGED_PROGRAM [SCENARIO...]

Each function named scenario_* is a scenario with its expected results. tests/etw_simulator/scenario.h describes the
entries of a scenario's text. BUILD is the folder of build_for_windows.py.
"""

import concurrent.futures
import contextlib
import json
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from wine import TimedOut, Wine, skip, windows_path

APP = 4242  # MemoryTestApp.exe in the played trace of Exercise 2; its numbers are known to the byte
SHELL = 1200  # explorer.exe in it, the parent of the others
NOBODY = 99999  # no process has this number
APP_HEAP = {"Count": 6242, "Impacting Size": 143360, "Size": 463660}
APP_VIRTUAL = {"Count": 24, "Impacting Size": 0, "Size": 132120576}
# Wine lists the resident pages of a process only for that process itself.
NOT_SAMPLED = re.compile(r"The resident memory of \S+ \(\d+\) was not sampled because Windows did not list its resident "
                         r"pages \(error 87\)\.")


class Failed(Exception):
    """A scenario did not have the expected result."""


def check(fact, what):
    if not fact:
        raise Failed(what)


def find_sessions(state):
    """The names of the sessions in a simulator's state file (see sessions_windows.h)."""
    if not state.exists():
        return []  # the simulator was not used
    data = state.read_bytes()
    first, places = 24, 256
    size = (len(data) - first) // places
    names = []
    for place in range(places):
        at = first + place * size
        if struct.unpack_from("<Q", data, at)[0] != 0:
            names.append(data[at + 24:at + 24 + 2050].decode("utf-16-le").split("\0")[0])
    return names


class Recording:
    """The result of one call of highwater-cli.exe record."""

    def __init__(self, lane, code, messages, file, state):
        self.lane, self.code, self.messages, self.file, self.state = lane, code, messages, file, state
        self.not_sampled = []

    @property
    def sessions(self):
        return find_sessions(self.state)

    def must_say(self, *words):
        for word in words:
            check(word in self.messages, f"it must say {word!r}, and says: {self.messages}")
        return self

    def must_succeed(self):
        """Succeeded, with a file, and left no session of its own."""
        check(self.code == 0, f"exit code {self.code}: {self.messages}")
        check(self.file.exists(), "nothing was saved")
        self.must_leave_nothing()
        return self

    def must_fail(self, *words):
        """Exit code 2, a message with these words, and nothing left behind."""
        check(self.code == 2, f"exit code {self.code}, not 2: {self.messages}")
        self.must_say(*words)
        check(not self.file.exists(), "there is a file of a recording that failed")
        self.must_leave_nothing()
        return self

    def must_leave_nothing(self):
        ours = [name for name in self.sessions if name.startswith("Highwater ")]
        check(not ours, f"sessions are left: {ours}")
        check(not self.spool.exists(), "the spool is left")

    @property
    def spool(self):
        return self.file.with_name(self.file.name + ".recording")

    def ask(self, *question, file=None):
        return json.loads(self.lane.ask(file or self.file, *question))

    def app(self, table, by="", **options):
        """The row of the played program, whatever its number is here."""
        rows = self.ask("table", "--table", table, "--by", "Process" + by, "--no-symbols", "--format", "json",
                        **options)["rows"]
        found = [row for row in rows if row["key"].startswith("MemoryTestApp.exe (")]
        return found[0] if found else {"values": {"Count": 0}, "rows": []}

    def must_have_all(self):
        for table, all_of_it in (("heap", APP_HEAP), ("virtualalloc", APP_VIRTUAL)):
            found = self.app(table)["values"]
            check(found == all_of_it, f"{table}: {found}, and it says: {self.messages}")
        return self

    def health(self):
        """Without the note that every recording under Wine has, if its program ran long enough for a sample."""
        answer = self.ask("table", "--table", "heap", "--by", "Process", "--no-symbols", "--format", "json")
        counts = {entry["what"]: entry["count"] for entry in answer["health"]}
        self.not_sampled = [what for what in counts if NOT_SAMPLED.fullmatch(what)]
        return {what: count for what, count in counts.items() if what not in self.not_sampled}


class Lane:
    """The programs, and their folder."""

    def __init__(self, wine, build, cli, example, managed):
        self.wine, self.cli = wine, cli
        tree = build / "tree"
        self.recorder = tree / "app/cli/highwater-cli.exe"
        self.app = tree / "tests/memory_test_app/memory_test_app.exe"
        self.simulator = tree / "tests/etw_simulator/etw_simulator.dll"
        self.folder = build / "scenarios"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.trace = self.folder / "played.etl"
        subprocess.run([example, self.trace], check=True)
        self.managed = self.folder / "played_managed.etl"
        subprocess.run([managed, self.managed], check=True)

    def playing(self, more="", speed="max", target=APP):
        return f"trace={windows_path(self.trace)};speed={speed};target={target}" + (f";{more}" if more else "")

    def playing_managed(self, more=""):
        return f"trace={windows_path(self.managed)};speed=max;target={APP}" + (f";{more}" if more else "")

    def launching(self, seconds=2):
        return ["--", windows_path(self.app), "--seconds", seconds]

    def begin(self, name, scenario, *arguments, state=None, simulated=True):
        """Starts the recorder. `name` of its files; `arguments` after the output."""
        state = state or self.folder / f"{name}.state"
        environment = dict(self.wine.environment)
        if simulated:
            environment["HIGHWATER_ETW_SIMULATOR"] = windows_path(self.simulator)
            environment["HIGHWATER_ETW_SIMULATOR_SCENARIO"] = f"{scenario};state={windows_path(state)}"
        file = self.folder / f"{name}.etl"
        command = ["wine", windows_path(self.recorder), "record", "-o", windows_path(file), *map(str, arguments)]
        process = subprocess.Popen(command, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return process, file, state

    def end(self, begun):
        process, file, state = begun
        try:
            messages = process.communicate(timeout=self.wine.patience(300))[1]
        except subprocess.TimeoutExpired as late:
            process.kill()
            raise TimedOut(late) from None
        return Recording(self, process.returncode, messages.decode(errors="replace"), file, state)

    def record(self, name, scenario, *arguments, **options):
        return self.end(self.begin(name, scenario, *arguments, **options))

    def wait_for_sessions(self, begun, count):
        process, _, state = begun
        until = time.monotonic() + self.wine.patience(300)
        while len(find_sessions(state)) != count:
            if process.poll() is not None or time.monotonic() > until:
                raise Failed(f"there are not {count} sessions: {self.end(begun).messages}")
            time.sleep(0.1)

    def ask(self, file, command, *question):
        """An answer of highwater-cli on this system."""
        done = subprocess.run([self.cli, command, file, *question], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        check(done.returncode == 0, f"{file.name} cannot be read: {done.stderr.decode()}")
        return done.stdout.decode()

    def wine_output(self, *command):
        return self.wine.run(command).stdout.decode(errors="replace")

    def registry(self, action, key, *words):
        return self.wine.run(["reg", action, "HKLM\\SOFTWARE\\" + key, *words])

    @contextlib.contextmanager
    def running_app(self, name, seconds=300):
        """Starts the program first; yields its pid. Its name is unique: programs of other scenarios come and go."""
        program = self.folder / f"{name}.exe"
        shutil.copy(self.app, program)
        process = subprocess.Popen(["wine", windows_path(program), "--seconds", str(seconds)],
                                   env=self.wine.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            yield self.find_pid(program.name, process)
        finally:
            process.kill()
            process.wait()

    def find_pid(self, program, process):
        for _ in range(100):
            check(process.poll() is None, f"{program} has ended")
            processes = self.wine_output("winedbg", "--command", "info proc")
            listed = re.findall(rf"^ *([0-9a-f]{{8}}) .*'{program}'", processes, re.MULTILINE)
            if listed:
                return int(listed[-1], 16)
            time.sleep(0.1)
        raise Failed(f"{program} is not listed")


def without_pids(rows):
    """A tree of rows without the process numbers, which differ from recording to recording."""
    def name(key):
        return re.sub(r"^(MemoryTestApp|Managed).exe \(\d+\)", r"\1.exe", key)

    return [(name(row["key"]), row["values"], without_pids(row["rows"])) for row in rows]


# ---- recorded data ----


def scenario_launched_program_is_recorded_to_the_byte(lane):
    """The saved file gives the played file's numbers: by heap, by kind, by every frame of every stack."""
    recording = lane.record("launched", lane.playing(), *lane.launching()).must_succeed().must_have_all()
    for table, by in (("heap", ",Handle,Impacting Type,Stack"), ("virtualalloc", ",Impacting Type,Commit Stack")):
        played = Recording(lane, 0, "", lane.trace, None).app(table, by)
        check(without_pids([recording.app(table, by)]) == without_pids([played]), f"{table} by {by} differs")
    check(recording.health() == {"unmatched frees": 2}, f"health: {recording.health()}")
    check(len(recording.not_sampled) == 1, f"there must be one note on resident memory: {recording.not_sampled}")


def scenario_real_time_keeps_the_times(lane):
    """Played at its original speed, 34 seconds long: every interval has the same numbers."""
    recording = lane.record("real_time", lane.playing(speed=1), *lane.launching(36)).must_succeed().must_have_all()

    def first(file):
        question = ["table", "--table", "virtualalloc", "--by", "Process", "--columns", "Min(Commit Time)",
                    "--no-symbols", "--format", "json", "--filter", '[Process]:~="MemoryTestApp"']
        answer = json.loads(lane.ask(file, *question))
        return next(iter(answer["rows"][0]["values"].values()))

    shift = first(recording.file) - first(lane.trace)
    for start, end in ((5, 15.5), (16, 18), (17.2, 30), (20, 31.5)):
        rows = []
        for file, by in ((recording.file, shift), (lane.trace, 0)):
            answer = json.loads(lane.ask(file, "table", "--table", "virtualalloc", "--by", "Process,Impacting Type",
                                         "--range", f"{start + by}:{end + by}", "--format", "json", "--no-symbols",
                                         "--filter", '[Process]:~="MemoryTestApp"'))
            rows.append(without_pids(answer["rows"]))
        check(rows[0] == rows[1], f"{start} s to {end} s: {rows[0]}, not {rows[1]}")


def scenario_running_program_is_recorded(lane):
    """Attaching: the system itself lists running programs, event tracing reports their allocations."""
    with lane.running_app("runs_already") as pid:
        recording = lane.record("attached", lane.playing(), "--pid", pid, "--duration", 4).must_succeed()
    check(recording.app("heap")["values"]["Count"] == APP_HEAP["Count"], recording.messages)
    notes = [entry["sentence"] for entry in recording.ask("info", "--json")["health"] if entry["id"] == "note"]
    check(any("was already running when its recording started" in note for note in notes),
          f"the file does not say so: {notes}")


def scenario_only_virtualalloc(lane):
    """Without the heap session; another user may own the machine's only heap session then."""
    scenario = lane.playing("begin=child;session=UIforETW Heap/heap")
    recording = lane.record("only_virtual", scenario, "--virtualalloc", *lane.launching(6)).must_succeed()
    check(recording.app("virtualalloc")["values"] == APP_VIRTUAL, f"{recording.app('virtualalloc')['values']}")
    check(recording.app("heap")["values"]["Count"] == 0, "heap events without a heap session")


def scenario_picture_of_memory(lane):
    """The running program is copied; none of its memory refers to the blocks of the played one."""
    recording = lane.record("picture", lane.playing(speed=1), "--picture-at-stop", "--duration", 4, *lane.launching(9))
    pictured = recording.must_succeed().ask("holders", "--no-symbols", "--format", "json")["processes"]
    check([process["process"].split()[0] for process in pictured] == ["MemoryTestApp.exe"], f"{pictured}")
    check(pictured[0]["blocks"] > 0 and pictured[0]["unread_threads"] == 0, f"{pictured}")


def scenario_only_heap(lane):
    recording = lane.record("only_heap", lane.playing(), "--heap", *lane.launching()).must_succeed()
    check(recording.app("heap")["values"] == APP_HEAP, f"{recording.app('heap')['values']}")
    check(recording.app("virtualalloc")["values"]["Count"] == 0, "VirtualAlloc was not asked for")


def scenario_no_rundown(lane):
    """Windows may not report earlier programs (docs/etw.md 8)."""
    lane.record("no_rundown", lane.playing("rundown=no"), *lane.launching()).must_succeed().must_have_all()


# ---- failing starts (docs/etw.md 1.6, 1.7) ----

REFUSALS = {
    5: "administrator",
    24: "settings",
    87: "settings",
    112: "free space",
    161: "in use",
    183: "already running",
    1314: "right",
    1450: "cannot run another session",
}


def refusal(lane, function, code, word):
    name = re.sub(r"\W", "_", f"refused_{function}_{code}")
    recording = lane.record(name, lane.playing(f"fail={function}:{code}"), *lane.launching(60))
    recording.must_fail(f"error {code}", word)


def scenario_kernel_session_is_refused(lane):
    for code, word in REFUSALS.items():
        refusal(lane, "StartTraceW/kernel", code, word)


def scenario_heap_session_is_refused(lane):
    """The program was created by then, but not started: it is removed, and so is the other session."""
    for code, word in REFUSALS.items():
        refusal(lane, "StartTraceW/heap", code, word)


def scenario_settings_and_consumers_are_refused(lane):
    refusal(lane, "TraceSetInformation", 87, "enable stacks")
    refusal(lane, "TraceSetInformation#2", 120, "enable system events")
    refusal(lane, "OpenTraceW/kernel", 5, "administrator")
    refusal(lane, "OpenTraceW/heap", 1450, "cannot run another session")


def scenario_ordinary_user(lane):
    lane.record("ordinary", lane.playing("elevated=no"), *lane.launching(60)).must_fail("error 5", "as administrator")


def scenario_no_room_for_another_session(lane):
    for name, filled in (("full", "fill=64"), ("full_system", "fill_system=6"), ("full_but_one", "fill=63")):
        recording = lane.record(name, lane.playing(filled), *lane.launching(60))
        recording.must_fail("error 1450", "logman query -ets")


def scenario_no_such_program(lane):
    recording = lane.record("no_program", lane.playing(), "--", "Z:\\nowhere\\nothing.exe")
    recording.must_fail("nothing.exe cannot be started", "the program does not exist")
    recording = lane.record("no_process", lane.playing(), "--pid", NOBODY)
    recording.must_fail(f"Process {NOBODY} does not exist")


def scenario_wine_without_the_simulator(lane):
    """Wine's own functions are stubs."""
    begun = lane.begin("plain_wine", "", *lane.launching(60), simulated=False)
    recording = lane.end(begun)
    check(recording.code == 2, f"exit code {recording.code}: {recording.messages}")
    recording.must_say("does not support event tracing (it may be Wine)")
    check(not recording.file.exists() and not recording.spool.exists(), "files are left")


# ---- names, collisions, orphans (docs/etw.md 1.6) ----


def scenario_heap_session_of_another_program(lane):
    """It is named, and continues."""
    recording = lane.record("foreign", lane.playing("session=UIforETW Heap/heap"), *lane.launching(60))
    recording.must_fail('"UIforETW Heap"', "logman stop")
    check(recording.sessions == ["UIforETW Heap"], f"sessions: {recording.sessions}")


def scenario_orphans_are_stopped(lane):
    """Sessions of a Highwater process that has ended are stopped; sessions of others stay."""
    orphans = f"session=Highwater Kernel {NOBODY}/system;session=highwater heap {NOBODY}/heap"
    scenario = lane.playing(orphans + ";session=WPR_initiated;session=Highwater Kernelized")
    recording = lane.record("orphans", scenario, *lane.launching())
    check(recording.code == 0, recording.messages)
    recording.must_have_all().must_say(f'"Highwater Kernel {NOBODY}" of an interrupted recording was stopped')
    check(recording.sessions == ["WPR_initiated", "Highwater Kernelized"], f"sessions: {recording.sessions}")


def scenario_orphan_among_many_sessions(lane):
    """Windows may have up to 256 sessions: those after the 64th are found as well."""
    scenario = lane.playing(f"most_sessions=256;fill=100;session=Highwater Heap {NOBODY}/heap")
    recording = lane.record("many", scenario, *lane.launching()).must_succeed().must_have_all()
    check(len(recording.sessions) == 100, f"{len(recording.sessions)} sessions")


def scenario_name_of_ours_is_taken(lane):
    """By a session with our own number, left by an earlier process that had it. It is stopped, then retried once."""
    scenario = lane.playing("session=Highwater Heap {pid}/heap;session=Highwater Kernel {pid}/system")
    lane.record("own_name", scenario, *lane.launching()).must_succeed().must_have_all()


def scenario_second_recording(lane):
    """A recording Highwater is not disturbed by another one."""
    first = lane.begin("first", lane.playing(speed=4), *lane.launching(30))
    lane.wait_for_sessions(first, 3)
    second = lane.record("second", lane.playing(), *lane.launching(60), state=first[2])
    check(second.code == 2, f"exit code {second.code}: {second.messages}")
    second.must_say("Highwater is already recording")
    lane.end(first).must_succeed().must_have_all()


def scenario_killed_recorder(lane):
    """Its sessions stay, its spool file can be opened; the next one stops them and records."""
    killed = lane.record("killed", lane.playing("kill_consumer_at=30", speed=4), *lane.launching(10))
    check(killed.code != 0 and len(killed.sessions) == 3, f"sessions after the kill: {killed.sessions}")
    check(killed.ask("info", "--json", file=killed.spool)["heap_events"] > 1000, "the spool lacks what was flushed")
    following = lane.record("after_kill", lane.playing(), *lane.launching(), state=killed.state)
    following.must_succeed().must_have_all().must_say("of an interrupted recording was stopped")


def scenario_crashed_recorder(lane):
    """After a crash it stops its sessions itself."""
    debugger = "Microsoft\\Windows NT\\CurrentVersion\\AeDebug"
    lane.registry("add", debugger, "/v", "Debugger", "/d", "cmd.exe /c exit", "/f")  # Wine's own takes half a minute
    crashed = lane.record("crashed", lane.playing("crash_consumer_at=30", speed=8), *lane.launching(5))
    check(crashed.code != 0, "it survived")
    check(not crashed.sessions, f"sessions are left: {crashed.sessions}")


OPTIONS = "Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\"
JOURNAL = "Highwater\\HeapTracing\\"


def scenario_flag_of_a_killed_recorder(lane):
    """The heap tracing flag of a program is removed at the next start; its other bits stay."""
    for program, before, flags in (("left_alone.exe", None, 1), ("left_with.exe", 4, 5)):
        lane.registry("add", OPTIONS + program, "/v", "TracingFlags", "/t", "REG_DWORD", "/d", str(flags), "/f")
        for name, value in (("Owner", NOBODY), ("KeyExisted", 0 if before is None else 1), ("FlagsBefore", before)):
            if value is not None:
                lane.registry("add", JOURNAL + program, "/v", name, "/t", "REG_DWORD", "/d", str(value), "/f")
    lane.record("flag", lane.playing(), *lane.launching()).must_succeed()
    check(lane.registry("query", OPTIONS + "left_alone.exe").returncode != 0, "the key is left")
    kept = lane.registry("query", OPTIONS + "left_with.exe", "/v", "TracingFlags").stdout.decode(errors="replace")
    lane.registry("delete", OPTIONS + "left_with.exe", "/f")
    check("0x4" in kept, f"the other bit is gone: {kept}")
    for program in ("left_alone.exe", "left_with.exe"):  # other scenarios have entries of their own
        check(lane.registry("query", JOURNAL + program).returncode != 0, f"the journal of {program} is left")


def scenario_32_bit_program_that_does_not_start(lane):
    """For 32-bit programs the flag is set before they start; if that fails, it is removed at once."""
    program = lane.folder / "small_app.exe"
    image = bytearray(lane.app.read_bytes())
    header = struct.unpack_from("<I", image, 0x3C)[0]
    struct.pack_into("<H", image, header + 4, 0x14C)  # claims i386; no system can run it
    program.write_bytes(image)
    recording = lane.record("small", lane.playing(), "--", windows_path(program))
    recording.must_fail("cannot be started")
    check(lane.registry("query", OPTIONS + "small_app.exe").returncode != 0, "the flag is left")


# ---- processes that start while it records (docs/etw.md 2.3) ----


def children(lane, name, more):
    """The shell plays the recorded program; MemoryTestApp.exe and chrome.exe are its children, the first for half a
    minute, long enough to be noticed on a busy machine."""
    scenario = lane.playing(more, speed=1, target=SHELL)
    return lane.record(name, scenario, "--children", *lane.launching(36)).must_succeed()


def scenario_children_are_added(lane):
    """With ControlTrace(UPDATE), otherwise with NtSetSystemInformation: without a gap."""
    for name, more in (("children", ""), ("children_nt", "heap_update=refused")):
        recording = children(lane, name, more)
        count = recording.app("heap")["values"]["Count"]
        check(0 < count <= APP_HEAP["Count"], f"{name}: {count} blocks")
        virtual = recording.app("virtualalloc")["values"]["Count"]
        check(virtual == APP_VIRTUAL["Count"], f"{name}: {virtual} commits")
        recording.must_say("first heap blocks are missing")
        check("the recording was restarted" not in recording.messages, recording.messages)


def scenario_children_need_a_new_session(lane):
    """If nothing else works, the recording is stopped and started again, with a message."""
    recording = children(lane, "children_restart", "heap_update=refused;fail=NtSetSystemInformation:3221225506")
    recording.must_say("the recording was restarted")
    check(recording.app("heap")["values"]["Count"] > 0, "the child's heap is missing")


def scenario_too_many_processes(lane):
    """Windows accepts fewer processes than there are: the others are recorded without heaps, with a message."""
    more = "heap_update=refused;most_pids=1;fail=NtSetSystemInformation:3221225506"
    children(lane, "children_many", more).must_say("Only VirtualAlloc is recorded for further children")


# ---- names of managed code (docs/etw.md 2.7) ----


def managed_rows(lane, file):
    """Stacks of the played program, below its name."""
    answer = json.loads(lane.ask(file, "table", "--table", "heap", "--by", "Process,Stack", "--no-symbols", "--format",
                                 "json", "--filter", '[Process]:~="Managed.exe"'))
    return without_pids(answer["rows"][0]["rows"]) if answer["rows"] else []


def managed(lane, name, more="", duration=3):
    """The program continues when the recording ends: its runtime is asked for the code that it has generated."""
    return lane.record(name, lane.playing_managed(more), "--duration", duration, *lane.launching(8)).must_succeed()


def scenario_managed_code_has_names(lane):
    """Methods that load while it records, and those that only the rundown reports."""
    recording = managed(lane, "managed")
    rows, played = managed_rows(lane, recording.file), managed_rows(lane, lane.managed)
    check("App.dll!App.Program.Main" in str(played), f"the trace itself lacks the name: {played}")
    check(rows == played, f"{rows}, not {played}")
    info, of_played = recording.ask("info", "--json"), lane.ask(lane.managed, "info", "--json")
    check(info["clr_methods"] == json.loads(of_played)["clr_methods"], f"{info['clr_methods']} methods")
    check("names of managed code may be missing" not in recording.messages.lower(), recording.messages)


def scenario_managed_code_without_an_end_of_its_rundown(lane):
    """A second of silence ends it."""
    recording = managed(lane, "managed_silent", "code_rundown=silent")
    check(managed_rows(lane, recording.file) == managed_rows(lane, lane.managed), "names are missing")


def scenario_managed_code_without_a_rundown(lane):
    """Names of code that was generated during the recording are there."""
    with lane.running_app("managed_before") as pid:
        recording = lane.record("managed_alone", lane.playing_managed("code_rundown=no"), "--pid", pid, "--duration", 3)
    recording.must_succeed()
    rows = str(managed_rows(lane, recording.file))
    check("App.Cache.New" in rows and "App.Program.Main" not in rows, rows)


def scenario_running_managed_program(lane):
    """Attached: its runtime is asked immediately as well."""
    with lane.running_app("managed_running") as pid:
        recording = lane.record("managed_attached", lane.playing_managed(), "--pid", pid, "--duration", 3).must_succeed()
    check("App.dll!App.Program.Main" in str(managed_rows(lane, recording.file)), recording.messages)


def scenario_names_are_refused(lane):
    """Memory is recorded nevertheless, with a message."""
    for name, failure in (("session", "StartTraceW/code:1450"), ("provider", "EnableTraceEx2:5"),
                          ("consumer", "OpenTraceW/code:1450")):
        recording = lane.record(f"names_{name}", lane.playing(f"fail={failure}"), *lane.launching()).must_succeed()
        recording.must_have_all().must_say("Names of managed code are not recorded")


def scenario_stacks_of_managed_allocations_are_refused(lane):
    """Not every Windows accepts such a filter: the rest is recorded."""
    recording = managed(lane, "names_plain", "fail=EnableTraceEx2#1:87")
    check("App.dll!App.Program.Main" in str(managed_rows(lane, recording.file)), recording.messages)


def scenario_names_are_stopped_by_others(lane):
    recording = lane.record("names_stopped", lane.playing("stopped_by_others_at=17/code", speed=8), *lane.launching(6))
    recording.must_succeed().must_have_all().must_say("names of managed code are missing from then on")


# ---- losses and stacks (docs/etw.md 4.2, 4.4) ----


def scenario_losses_are_counted(lane):
    """Wherever they are reported: markers in the stream, the session's counters, or the buffer callback."""
    for told in ("records,query,callback", "records", "query", "callback"):
        more = f"lose_events_at=5:7;lose_buffers_at=10:2;loss_told={told}"
        recording = lane.record("lost_" + told.replace(",", "_"), lane.playing(more), *lane.launching()).must_succeed()
        info = recording.ask("info", "--json")
        events = 7 if told == "records" else 207
        buffers = 0 if told == "callback" else 2
        check(info["events_lost"] == events, f"{told}: {info['events_lost']} events lost")
        check(info["buffers_lost"] == buffers, f"{told}: {info['buffers_lost']} buffers lost")
        recording.must_say(f"{events} events were lost")


def scenario_burst(lane):
    """A burst beyond the capacity: every block is there or counted as lost."""
    blocks = 1_000_000
    scenario = f"speed=1;target={APP};burst=0.5:{blocks}"
    recording = lane.record("burst", scenario, "--heap", *lane.launching(8)).must_succeed()
    info = recording.ask("info", "--json")
    check(info["heap_events"] + info["events_lost"] == blocks,
          f"{info['heap_events']} recorded + {info['events_lost']} lost is not {blocks}")


def must_lack_stacks(recording, count):
    """At least this many blocks without a stack, with a message."""
    without = [row for row in recording.app("heap", ",Stack")["rows"] if row["key"] == "(no stack)"]
    check(without and without[0]["values"]["Count"] >= count, f"rows without stack: {without}")
    check(any("stack" in what for what in recording.health()), f"nothing is said of them: {recording.health()}")


def scenario_late_stacks(lane):
    """A stack that comes 300 ms after its event is joined; one that comes after two seconds changes no amount."""
    late = lane.record("late", lane.playing("late_stacks=300"), *lane.launching()).must_succeed().must_have_all()
    check(late.ask("info", "--json")["stacks_unresolved"] == 0, "stacks were not joined")
    by = ",Impacting Type,Stack"
    played = Recording(lane, 0, "", lane.trace, None).app("heap", by)
    check(without_pids([late.app("heap", by)]) == without_pids([played]), "other stacks")
    lane.record("too_late", lane.playing("late_stacks=2000"), *lane.launching(5)).must_succeed().must_have_all()


def scenario_lost_stacks(lane):
    """Events without their armed stack are counted."""
    lost = lane.record("lost_stacks", lane.playing("lost_stacks=2"), *lane.launching()).must_succeed().must_have_all()
    must_lack_stacks(lost, 1000)


# ---- the end (docs/etw.md 4.5) ----


def scenario_stopped_by_others(lane):
    """With either result of ProcessTrace; data until then is kept, and the message names the cause."""
    for kind, code in (("heap", 0), ("heap", 4201), ("kernel", 0), ("kernel", 4201)):
        more = f"stopped_by_others_at=17/{kind};stopped_result={code}"
        scenario = lane.playing(more, speed=8)
        recording = lane.record(f"stopped_{kind}_{code}", scenario, *lane.launching(12)).must_succeed()
        recording.must_say("another program stopped the session")
        count = recording.app("heap")["values"]["Count"]
        check(2000 < count < 6000, f"{count} blocks")


def scenario_duration(lane):
    """Highwater stops while the program continues; the remaining buffers are delivered."""
    recording = lane.record("duration", lane.playing(), "--duration", 2, *lane.launching(6)).must_succeed()
    recording.must_have_all()


def scenario_windows_takes_long_to_end(lane):
    """ProcessTrace returns late, or only when it is closed: nothing hangs, nothing is missing."""
    for name, ms in (("slow_end", 1500), ("no_end", 3600_000)):
        recording = lane.record(name, lane.playing(f"drain_takes={ms}"), "--heap", *lane.launching()).must_succeed()
        check(recording.app("heap")["values"] == APP_HEAP, f"{recording.app('heap')['values']}")


# They start first, so that the others finish beside them.
LONG = ("children_are_added", "stopped_by_others", "real_time_keeps_the_times", "children_need_a_new_session",
        "too_many_processes", "second_recording")
SCENARIOS = {name.removeprefix("scenario_"): function for name, function in list(globals().items())
             if name.startswith("scenario_")}


def run(lane, name):
    begin = time.monotonic()
    try:
        SCENARIOS[name](lane)
        result = "PASS"
    except (Failed, TimedOut) as failure:
        result = f"FAIL  {failure}"
    except Exception as error:  # pylint: disable=broad-exception-caught  # of the lane itself
        result = f"FAIL  {type(error).__name__}: {error}"
    print(f"{time.monotonic() - begin:6.1f} s  {name}: {result}", flush=True)
    return result == "PASS"


def main(build, cli, example, managed, wanted):
    if not (build / "tree/tests/etw_simulator/etw_simulator.dll").exists():
        skip("The simulator was not built for Windows (see the test windows_build).")
    with Wine(build / "prefix") as wine, concurrent.futures.ThreadPoolExecutor(4) as pool:
        lane = Lane(wine, build, cli, example, managed)
        names = wanted or sorted(SCENARIOS, key=lambda name: name not in LONG)
        results = list(pool.map(lambda name: run(lane, name), names))
    print(f"{len(results)} scenarios, {results.count(False)} failed.")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:5]), sys.argv[5:]))
