#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace highwater::pipeline {

/// Heap snapshots of a trace that were written to files.
struct SavedHeapSnapshots {
    std::vector<std::filesystem::path> files;
    std::uint64_t bytes = 0;
    std::uint64_t notSaved = 0; ///< too large to be held in memory, or more than the limit
};

/// Writes each heap snapshot that Windows took (docs/etl-format.md 5.6), decoded or not, to a separate file in the
/// folder, which is created if necessary: heap-snapshot-PID-INSTANCE.bin, or .incomplete.bin if pieces are missing.
/// Existing files are left alone; a new file gets another name. Reads the trace again; call on a worker.
[[nodiscard]] Result<SavedHeapSnapshots> saveHeapSnapshots(const std::vector<std::filesystem::path>& traces,
                                                           const std::filesystem::path& folder);

} // namespace highwater::pipeline
