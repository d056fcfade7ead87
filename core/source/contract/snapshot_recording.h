#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace highwater::source {

/// Which processes Windows shall take heap snapshots of, by its own wpr.exe. A value.
struct SnapshotPlan {
    std::vector<std::uint32_t> pids; ///< that run already; at most 8, as wpr allows
    std::string name;                ///< "app.exe": also those of this name that start from now on; "": none
    std::uint32_t everySeconds = 0;  ///< wpr takes one so often, too: at least 5; 0: only when asked
};

/// Windows records snapshots into a trace while this lives. Who lets go of it without stop() has nothing saved, and
/// everything that it changed in the system is taken back. One thread; each call takes seconds.
class SnapshotRecording {
  public:
    virtual ~SnapshotRecording() = default;
    /// Of the pids of the plan, now. An error does not end the recording.
    virtual Result<void> takeSnapshot() = 0;
    /// Ends it and saves the trace; takes back what was changed in the system. Sentences: what could not be. After an
    /// error nothing is saved, and everything is taken back as far as that goes. Once.
    virtual Result<std::vector<std::string>> stop(const std::filesystem::path& output) = 0;
};

/// Errors are sentences: it is not Windows, wpr.exe is missing or too old, rights are missing, another recording runs.
/// What was changed until then has been taken back.
[[nodiscard]] Result<std::unique_ptr<SnapshotRecording>> startSnapshotRecording(const SnapshotPlan& plan);

} // namespace highwater::source
