#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// A process that could be recorded, as it is at one moment.
struct RunningProcess {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::string name;           ///< of the program's file: "notepad.exe"; on Linux what it was started as
    std::string path;           ///< "" when the system does not tell
    std::string folder;         ///< in which it works now; "" when the system does not tell, or it is gone
    std::string commandLine;    ///< "" when the system does not tell
    std::string user;           ///< "" when the system does not tell
    std::uint32_t bits = 0;     ///< 32 or 64; 0: not known
    ByteCount privateBytes = 0; ///< memory that nobody shares with it
    bool isOwn = false;         ///< this program
    bool isRecordable = true;   ///< false: a process of another user, or the system's own
};

/// All processes, in no order; without those that end while they are listed. A few milliseconds: call it from a worker.
[[nodiscard]] std::vector<RunningProcess> runningProcesses();

/// Whether processes that run already can be recorded on this system; of a certain one startCapture() tells.
enum class AttachSupport : std::uint8_t {
    None,
    Experimental, ///< most can, but something may go wrong, and not all of their calls are seen
    Works,
};
[[nodiscard]] AttachSupport attachSupport();

} // namespace highwater::source
