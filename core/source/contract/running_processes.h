#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// A process that could be recorded, at one moment.
struct RunningProcess {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::string name;           ///< name of the program file: "notepad.exe"; on Linux the name that it was started as
    std::string path;           ///< "" if not available
    std::string folder;         ///< current working folder; "" if not available or deleted
    std::string commandLine;    ///< "" if not available
    std::string user;           ///< "" if not available
    std::uint32_t bits = 0;     ///< 32 or 64; 0: not known
    ByteCount privateBytes = 0; ///< unshared memory
    bool isOwn = false;         ///< this program
    bool isRecordable = true;   ///< false: a process of another user or of the system
};

/// All processes, in no particular order, except those that end during the call. A few milliseconds: call it from a
/// worker.
[[nodiscard]] std::vector<RunningProcess> runningProcesses();

/// Whether this system can record running processes; startCapture() reports whether a particular process can be
/// recorded.
enum class AttachSupport : std::uint8_t {
    None,
    Experimental, ///< most can be recorded, but recording may fail and may miss some of their calls
    Works,
};
[[nodiscard]] AttachSupport attachSupport();

} // namespace highwater::source
