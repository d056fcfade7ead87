#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/suppressions.h"

#include <memory>

namespace highwater::ui {

/// Settings that change what numbers and stacks mean, the same for every tab. A plain value.
struct AnalysisOptions {
    bool processExitFreesHeap = false;
    /// Skipped at the leaf of a bottom-up stack; never null.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = analysis::AllocatorFrames::builtIn();
    std::shared_ptr<const analysis::Suppressions> suppressions; ///< of leaks; null: none
    friend bool operator==(const AnalysisOptions&, const AnalysisOptions&) = default;
};

} // namespace highwater::ui
