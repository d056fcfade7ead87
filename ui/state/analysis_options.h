#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/suppressions.h"

#include <memory>

namespace highwater::ui {

/// Settings that affect numbers and stacks, shared by all tabs. A plain value.
struct AnalysisOptions {
    bool processExitFreesHeap = false;
    /// Frames skipped at the leaf of a bottom-up stack; never null.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = analysis::AllocatorFrames::builtIn();
    std::shared_ptr<const analysis::Suppressions> suppressions; ///< for leaks; null: none
    friend bool operator==(const AnalysisOptions&, const AnalysisOptions&) = default;
};

} // namespace highwater::ui
