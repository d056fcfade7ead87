#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// The content of a frame of a flame graph: a group of one key column.
struct FlameLabel {
    Column column = Column::Process;
    std::uint64_t key = 0;
    std::string text;
};

/// A frame. Children are ordered by width, widest first. The width that remains without the children belongs to rows
/// that end in the frame.
struct FlameNode {
    static constexpr std::uint32_t kMore = 0xFFFFFFFFu; ///< label of a node for several frames, "(N more)"

    std::uint64_t begin = 0; ///< sum of the widths to its left, from the left edge of the whole
    std::uint64_t width = 0;
    SignedByteCount now = 0; ///< the value of the group in the table
    SignedByteCount before = 0;
    SignedByteCount ownNow = 0; ///< for the rows that end in it
    SignedByteCount ownBefore = 0;
    std::uint64_t count = 0;  ///< rows
    std::uint64_t frames = 1; ///< the frame and all nested frames; for kMore: the number of frames that it replaces
    std::uint32_t parent = 0;
    std::uint32_t firstChild = 0;
    std::uint32_t childCount = 0;
    std::uint32_t label = 0; ///< in FlameTree::labels, or kMore; unused for the root
    std::uint32_t depth = 0; ///< the root: 0

    [[nodiscard]] bool isMore() const { return label == kMore; }
};

/// The answer: an immutable plain value. docs/numbers.md 14 defines the width.
struct FlameTree {
    static constexpr std::uint32_t kRoot = 0;

    std::vector<FlameNode> nodes{FlameNode{}}; ///< the root first; the children of a node are adjacent
    std::vector<FlameLabel> labels;
    std::uint32_t depth = 0;           ///< depth of the deepest node
    std::uint64_t cut = 0;             ///< frames that are part of an "(N more)" because of the frame limit
    SignedByteCount notDrawn = 0;      ///< sum of the paths without a width, which fell
    std::optional<TraceTime> peakTime; ///< for Peak Size: the instant shown
    bool hasBefore = false;
    std::string valueName; ///< the value that the widths represent: "Impacting Size"

    [[nodiscard]] const FlameNode& root() const { return nodes.front(); }
    /// Without the root.
    [[nodiscard]] std::uint64_t frames() const { return isEmpty() ? 0 : root().frames - 1; }
    [[nodiscard]] bool isEmpty() const { return root().width == 0; }
    /// "(12 more)" for a node that replaces several; empty for the root.
    [[nodiscard]] std::string text(std::uint32_t node) const;
    /// For kMore and the root: the path of the nearest frame that has one.
    [[nodiscard]] KeyPath path(std::uint32_t node) const;
    /// The node with this path, or the last node along it.
    [[nodiscard]] std::uint32_t find(const KeyPath& path) const;
    /// The width of the rows that end in the node.
    [[nodiscard]] std::uint64_t selfWidth(std::uint32_t node) const;
    /// Between 0 and 1; 0 for an empty whole.
    [[nodiscard]] double share(std::uint32_t node, std::uint32_t of) const;
};

} // namespace highwater::analysis
