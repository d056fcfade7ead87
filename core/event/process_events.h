#pragma once

#include "core/base/units.h"
#include "core/event/module_identity.h"

#include <cstdint>
#include <string>

namespace highwater {

/// Whether an event is a change, or reports the state when the recording started or ended (DCStart, DCEnd).
enum class Occasion : std::uint8_t {
    Start,
    End,
    RundownStart,
    RundownEnd,
    Named,    ///< threads and processes only: a name was set
    Executed, ///< processes only, like those below: the process continues as another program, in a new address space
    Forked,   ///< the process started as a copy of its parent, with its parent's blocks
    Attached, ///< the process was already running; its earlier blocks are not known
};

/// Process start, end or rundown.
struct ProcessEvent {
    TraceTime time;
    Occasion occasion = Occasion::Start;
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t sessionId = 0;
    std::uint32_t exitStatus = 0;
    std::string name; ///< "notepad.exe"; old systems may cut it to 15 characters
    std::string commandLine;
};

/// Thread start, end, rundown or rename.
struct ThreadEvent {
    TraceTime time;
    Occasion occasion = Occasion::Start;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::string name; ///< empty: not in the event
    /// Committed part of its user mode stack at that time: [limit, base). Both 0: not in the event.
    Address stackBase = 0;
    Address stackLimit = 0;
};

/// Image load, unload or rundown. pid 0 = kernel.
struct ImageEvent {
    TraceTime time;
    Occasion occasion = Occasion::Start; ///< Start = load, End = unload
    std::uint32_t pid = 0;
    Address base = 0;
    ByteCount size = 0;
    std::uint32_t timeDateStamp = 0;
    std::string path; ///< as recorded: \Device\HarddiskVolume3\...
};

/// The identity of the image at (pid, base), from an ImageID record (KernelTraceControl).
struct ImageIdentityEvent {
    TraceTime time;
    std::uint32_t pid = 0;
    Address base = 0;
    ModuleIdentity identity; ///< only the fields in this record are set
};

/// \Device\HarddiskVolume3\ -> C:\ (SystemConfigEx 35).
struct VolumeMappingEvent {
    std::string ntPath;
    std::string dosPath;
};

} // namespace highwater
