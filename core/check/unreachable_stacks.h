#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/held/block_sum.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/tags/suppressions.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::check {

/// A stack with unreachable blocks.
struct UnreachableStack {
    std::string owner;               ///< "module!function"
    std::vector<std::string> frames; ///< innermost first
    analysis::BlockSum unreachable;
};

/// The unreachable blocks of one process in its newest picture of memory: docs/numbers.md 12.3.
struct UnreachableMemory {
    std::string process; ///< "name.exe (pid)"
    TraceTime time;      ///< of the picture
    analysis::PictureLimits limits;
    analysis::BlockSum all;               ///< without suppressed stacks
    std::vector<UnreachableStack> stacks; ///< likewise; most bytes first, then blocks that are not in the trace
    std::size_t suppressedStacks = 0;     ///< with unreachable blocks
    analysis::BlockSum suppressed;
};

/// Of each process that has a picture, in the order of the process table. One thread. Errors: Unsupported (the trace
/// has no picture, or one in which no blocks are known).
[[nodiscard]] Result<std::vector<UnreachableMemory>> findUnreachable(const store::PublishedTrace& trace,
                                                                     analysis::FrameLabels& labels,
                                                                     const analysis::Suppressions& suppressions);

/// The memory of a process of a run, and the limit.
struct UnreachableVerdict {
    std::string trace; ///< path as given by the user
    UnreachableMemory memory;
    ByteCount limit = 0;

    [[nodiscard]] bool isExceeded() const { return memory.all.bytes > limit; }
};

/// "shop (12): 22 blocks (322.3 KB) are unreachable (picture at 20.43 s), more than 0 B".
[[nodiscard]] std::string unreachableText(const UnreachableVerdict& verdict);
/// "shop!parse: 20 unreachable blocks (253.9 KB)".
[[nodiscard]] std::string unreachableText(const UnreachableStack& stack);
/// "suppressed: 1 stack of shop (12) with 2 unreachable blocks (56 B)"; empty: none is.
[[nodiscard]] std::string suppressedBlocksText(const UnreachableMemory& memory);
/// A sentence about the limits of the picture; empty: none.
[[nodiscard]] std::string limitsText(const UnreachableMemory& memory);

} // namespace highwater::check
