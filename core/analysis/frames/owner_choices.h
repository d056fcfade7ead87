#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::analysis {

/// Functions that the user defines as owners or as wrappers of allocators, with priority over lists and the trace.
/// Null: none.
struct OwnerChoices {
    std::shared_ptr<const AllocatorFrames> owners;
    std::shared_ptr<const AllocatorFrames> wrappers;
};

/// resources/wrapper_frames.txt, which is built in.
[[nodiscard]] const AllocatorFrames& knownWrappers();
/// Patterns for function names, `function` or `module!function`, where * is any text. Null if empty.
[[nodiscard]] inline std::shared_ptr<const AllocatorFrames> functionPatterns(const std::vector<std::string>& names) {
    if (names.empty()) return nullptr;
    std::string lines;
    for (const auto& name : names)
        lines += (name.find('!') == std::string::npos ? "*!" : "") + name + '\n';
    return std::make_shared<const AllocatorFrames>(lines);
}

} // namespace highwater::analysis
