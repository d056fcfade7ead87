#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace highwater::pipeline {

/// What of the heap snapshots of a trace lies in files now.
struct SavedHeapSnapshots {
    std::vector<std::filesystem::path> files;
    std::uint64_t bytes = 0;
    std::uint64_t notSaved = 0; ///< too large to be held, or one of too many
};

/// Writes each heap snapshot that Windows took (docs/etl-format.md 5.6), decoded or not, to a file of its own in the
/// folder, which is made where there is none: heap-snapshot-PID-INSTANCE.bin, and .incomplete.bin of what lacks pieces.
/// Files that are there are left alone: a new one gets another name. Reads the trace anew; on a worker.
[[nodiscard]] Result<SavedHeapSnapshots> saveHeapSnapshots(const std::vector<std::filesystem::path>& traces,
                                                           const std::filesystem::path& folder);

} // namespace highwater::pipeline
