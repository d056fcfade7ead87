#pragma once

#include "core/analysis/query/row_filter.h"

#include <algorithm>
#include <cstddef>

namespace highwater::analysis {

/// The start of the path of a stack, up to the frame of its owner. The path omits allocator frames, which the stack
/// has.
[[nodiscard]] inline KeyPath pathToOwner(KeyPath path, std::size_t stackFrames, std::size_t owner) {
    const auto leftOut = stackFrames - std::min(stackFrames, path.size() - 1);
    path.resize(std::min(path.size(), 2 + owner - std::min(owner, leftOut)));
    return path;
}

} // namespace highwater::analysis
