#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// What stands in a frame of a flame graph: a group of one key column.
struct FlameLabel {
    Column column = Column::Process;
    std::uint64_t key = 0;
    std::string text;
};

/// A frame. Children stand beside each other in the order of their widths, the widest first; what the frame is
/// wider than all of them are the rows that end in it.
struct FlameNode {
    static constexpr std::uint32_t kMore = 0xFFFFFFFFu; ///< label of what stands for several frames, "(N more)"

    std::uint64_t begin = 0; ///< widths left of it, from the left edge of the whole
    std::uint64_t width = 0;
    SignedByteCount now = 0; ///< the value of the group in the table
    SignedByteCount before = 0;
    SignedByteCount ownNow = 0; ///< of the rows that end in it
    SignedByteCount ownBefore = 0;
    std::uint64_t count = 0;  ///< rows
    std::uint64_t frames = 1; ///< it and all frames within it; of kMore: how many it stands for
    std::uint32_t parent = 0;
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
    std::uint32_t label = 0; ///< of FlameTree::labels, or kMore; the root has none
    std::uint32_t depth = 0; ///< the root: 0

    [[nodiscard]] bool isMore() const { return label == kMore; }
};

/// The answer: a plain value that does not change. docs/numbers.md 14 says what a width is.
struct FlameTree {
    static constexpr std::uint32_t kRoot = 0;

    std::vector<FlameNode> nodes{FlameNode{}}; ///< the root first; the children of a node are neighbours
    std::vector<FlameLabel> labels;
    std::uint32_t depth = 0;           ///< of the deepest node
    std::uint64_t cut = 0;             ///< frames that stand in some "(N more)" for want of room
    SignedByteCount notDrawn = 0;      ///< sum of the paths without width: those that fell
    std::optional<TraceTime> peakTime; ///< of Peak Size: the instant that is shown
    bool hasBefore = false;
    std::string valueName; ///< what frames are as wide as: "Impacting Size"

    [[nodiscard]] const FlameNode& root() const { return nodes.front(); }
    /// Without the root.
    [[nodiscard]] std::uint64_t frames() const { return isEmpty() ? 0 : root().frames - 1; }
    [[nodiscard]] bool isEmpty() const { return root().width == 0; }
    /// "(12 more)" for what stands for several; empty for the root.
    [[nodiscard]] std::string text(std::uint32_t node) const;
    /// Of kMore, and of the root: that of the nearest frame that has one.
    [[nodiscard]] KeyPath path(std::uint32_t node) const;
    /// The node with this path, or the last one on the way to it.
    [[nodiscard]] std::uint32_t find(const KeyPath& path) const;
    /// Of rows that end in the node.
    [[nodiscard]] std::uint64_t selfWidth(std::uint32_t node) const;
    /// Between 0 and 1; 0 of nothing.
    [[nodiscard]] double share(std::uint32_t node, std::uint32_t of) const;
};

} // namespace highwater::analysis
