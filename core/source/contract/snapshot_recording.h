#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace highwater::source {

/// The processes of which Windows takes heap snapshots with its own wpr.exe. A value.
struct SnapshotPlan {
    std::vector<std::uint32_t> pids; ///< running processes; wpr allows at most 8
    std::string name;                ///< "app.exe": also processes of this name that start later; "": none
    std::uint32_t everySeconds = 0;  ///< interval of additional snapshots by wpr: at least 5; 0: only on request
};

/// Windows records snapshots into a trace while this object exists. Destroying it without stop() saves nothing and
/// undoes all changes to the system. One thread; each call takes seconds.
class SnapshotRecording {
  public:
    virtual ~SnapshotRecording() = default;
    /// Takes a snapshot of the pids in the plan. An error does not end the recording.
    virtual Result<void> takeSnapshot() = 0;
    /// Ends the recording, saves the trace and undoes the changes to the system. Returns sentences about changes that
    /// could not be undone. If it fails, nothing is saved and changes are undone as far as possible. Call it once.
    virtual Result<std::vector<std::string>> stop(const std::filesystem::path& output) = 0;
};

/// Errors are sentences: not Windows, wpr.exe missing or too old, missing rights, another recording running. Changes
/// made until then have been undone.
[[nodiscard]] Result<std::unique_ptr<SnapshotRecording>> startSnapshotRecording(const SnapshotPlan& plan);

} // namespace highwater::source
