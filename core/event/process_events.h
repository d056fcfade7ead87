#pragma once

#include "core/base/units.h"
#include "core/event/module_identity.h"

#include <cstdint>
#include <string>

namespace highwater {

/// Whether a fact happened now, or existed when the recording began or ended (DCStart, DCEnd).
enum class Occasion : std::uint8_t {
    Start,
    End,
    RundownStart,
    RundownEnd,
    Named,    ///< threads and processes only: it has this name
    Executed, ///< processes only, like those below: it goes on as another program, in a new address space
    Forked,   ///< it began as a copy of its parent, with its parent's blocks
    Attached, ///< it ran already, with blocks that nobody saw
};

/// Process start, end or rundown.
struct ProcessEvent {
    TraceTime time;
    Occasion occasion = Occasion::Start;
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t sessionId = 0;
    std::uint32_t exitStatus = 0;
    std::string name; ///< "notepad.exe"; may be cut to 15 characters by old systems
    std::string commandLine;
};

/// Thread start, end or rundown, or its new name.
struct ThreadEvent {
    TraceTime time;
    Occasion occasion = Occasion::Start;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::string name; ///< empty: the event does not say
    /// Its stack in user mode, as far as it was committed then: [limit, base). Both 0: the event does not say.
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

/// What an ImageID record (KernelTraceControl) says of the image at (pid, base).
struct ImageIdentityEvent {
    TraceTime time;
    std::uint32_t pid = 0;
    Address base = 0;
    ModuleIdentity identity; ///< only the fields that this record carries are set
};

/// \Device\HarddiskVolume3\ -> C:\ (SystemConfigEx 35).
struct VolumeMappingEvent {
    std::string ntPath;
    std::string dosPath;
};

} // namespace highwater
