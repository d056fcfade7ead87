#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <memory>

namespace highwater::ui {

/// Settings that change what numbers and stacks mean, the same for every tab. A plain value.
struct AnalysisOptions {
    bool processExitFreesHeap = false;
    /// Skipped at the leaf of a bottom-up stack; never null.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = analysis::AllocatorFrames::builtIn();
    friend bool operator==(const AnalysisOptions&, const AnalysisOptions&) = default;
};

} // namespace highwater::ui
