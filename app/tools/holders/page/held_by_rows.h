#pragma once

#include "core/analysis/held/held_by.h"

#include <cstdint>
#include <vector>

namespace highwater::ui {

/// A row of the page: a process, or a step of it that holds blocks of the question.
struct HeldRow {
    static constexpr std::uint32_t kNone = analysis::HeldNode::kNoParent;

    std::uint32_t process = 0;    ///< index in HeldByPageFound::processes
    std::uint32_t node = kNone;   ///< index in HeldBy::nodes; kNone: the process
    std::uint32_t holder = kNone; ///< of a root: index in HeldBy::holders
    std::uint32_t parent = kNone; ///< kNone: a process
    std::uint32_t firstChild = 0; ///< the children are adjacent
    std::uint32_t children = 0;
    bool isReachable = true; ///< its blocks are
};

/// The order of the roots of a process. Processes and steps are always in that of their bytes.
enum class HeldRowOrder : std::uint8_t {
    LeaksFirst, ///< unreachable blocks, then the roots in the order of the answer
    MostBytes,
};

/// Processes without a matching block are left out. Any thread.
[[nodiscard]] std::vector<HeldRow> heldRowsOf(const std::vector<analysis::HeldBy>& processes,
                                              HeldRowOrder order = HeldRowOrder::LeaksFirst);
/// All blocks of the question in a process.
[[nodiscard]] analysis::BlockSum totalOf(const analysis::HeldBy& process);

} // namespace highwater::ui
