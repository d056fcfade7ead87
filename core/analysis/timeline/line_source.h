#pragma once

#include "core/analysis/timeline/line_tree.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The source of lines: the leaves of a tree of groups, each of which has rows. One thread at a time.
class LineSource {
  public:
    using NodeId = LineTree::NodeId;
    virtual ~LineSource() = default;

    /// Assigns the rows to the tree. Call it once, before anything else. False: stopped.
    virtual bool find(const std::stop_token& stop) = 0;
    [[nodiscard]] virtual const LineTree& tree() const = 0;
    [[nodiscard]] virtual const KeyReader& reader() const = 0;
    /// The number of leaves with rows, including the root if nothing groups them.
    [[nodiscard]] virtual std::uint32_t groupCount() const = 0;
    [[nodiscard]] virtual NodeId leaf(std::uint32_t group) const = 0;
    /// Values by line and slice. lineOfGroup: the line in which each leaf counts, below `lines`. Nothing: stopped. May
    /// be called again.
    [[nodiscard]] virtual std::optional<std::vector<std::vector<SignedByteCount>>>
    measure(const std::vector<TraceTime>& edges, std::vector<std::uint32_t> lineOfGroup, std::size_t lines,
            const std::stop_token& stop) = 0;
};

} // namespace highwater::analysis
