"""Files for the traces of hostile-traces that are not traces: the bait, folders beside traces, and archives."""

import shutil
import subprocess
import zipfile

GUID_AND_AGE = "11111111222233334444444444444444" + "1"  # kTreeGuid in hostile_traces.cpp
BUILD_ID = "ab" * 20


def beside(traces, name):
    """A tree of debug files as Windows could have saved it with the trace."""
    folder = traces / name / "trace.etl.NGENPDB"
    folder.mkdir()
    return folder


def put_pointer(folder, target):
    place = folder / "x.pdb" / GUID_AND_AGE
    place.mkdir(parents=True)
    (place / "file.ptr").write_text(f"PATH:{target}")


def put_alternate(folder, target, work):
    """A debug file that refers to another file for the rest of it. Needs the GNU tools."""
    if not (shutil.which("gcc") and shutil.which("objcopy")):
        return
    source, library, link = work / "x.c", work / "x.so", work / "link"
    source.write_text("int take(void) { return 1; }")
    subprocess.run(["gcc", "-g", "-shared", "-fPIC", f"-Wl,--build-id=0x{BUILD_ID}", "-o", library, source], check=True)
    link.write_bytes(str(target).encode() + b"\0" + bytes.fromhex("cd" * 20))
    debug = folder / BUILD_ID[:2] / f"{BUILD_ID[2:]}.debug"
    debug.parent.mkdir()
    subprocess.run(["objcopy", "--add-section", f".gnu_debugaltlink={link}", library, debug], check=True)


def put_archives(traces):
    """Entries whose names lead out of the folder that they are unpacked into."""
    trace = (traces / "unc" / "trace.etl").read_bytes()
    names = {"zip-out-of-here": "../../../../tmp/trace.etl", "zip-absolute": "/etc/trace.etl",
             "zip-unc": r"\\host\share\trace.etl", "zip-with-nul": "trace\n\u202e.etl"}
    for name, entry in names.items():
        folder = traces / name
        folder.mkdir()
        with zipfile.ZipFile(folder / "trace.etl.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(entry, trace)
            archive.writestr(f"{entry}.NGENPDB/x.pdb/{GUID_AND_AGE}/file.ptr", r"PATH:\\host\share\x.pdb")


def finish_traces(traces, bait, work=None):
    """`bait`: a folder that no trace may lead to."""
    (bait / "x.dll").write_bytes(b"MZ")
    work = work or bait.parent / "work"
    work.mkdir(exist_ok=True)
    put_pointer(beside(traces, "pointer"), bait / "x.dll")
    for name, target in {"pointer-unc": r"\\host\share\x.pdb", "pointer-relative": "../../../../../bait/x.dll"}.items():
        shutil.copytree(traces / "pointer", traces / name)
        (traces / name / "trace.etl.NGENPDB/x.pdb" / GUID_AND_AGE / "file.ptr").write_text(f"PATH:{target}")
    (traces / "alternate-automount").mkdir()
    shutil.copy(traces / "alternate/trace.etl", traces / "alternate-automount")
    put_alternate(beside(traces, "alternate"), bait / "x.debug", work)
    put_alternate(beside(traces, "alternate-automount"), "/net/host/x.debug", work)
    put_archives(traces)
