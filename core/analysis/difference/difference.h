#pragma once

#include "core/analysis/difference/difference_query.h"
#include "core/analysis/difference/place_texts.h"
#include "core/analysis/difference/suggested_renames.h"
#include "core/analysis/flames/flame_tree.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A number of a group on both sides; the median if a side has several traces. Differences wrap.
struct Change {
    std::int64_t before = 0;
    std::int64_t after = 0;
    [[nodiscard]] std::int64_t delta() const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before));
    }
    friend bool operator==(const Change&, const Change&) = default;
};

/// The share of an owner function in a difference, over all its stacks.
struct OwnerChange {
    std::string process; ///< process name
    std::string owner;   ///< "module!function"
    DifferenceState state = DifferenceState::Same;
    Change change; ///< for the deciding measure
};

/// Outstanding bytes on both sides over the time since the start of each interval. Slices have the same length on both
/// sides; a value is the peak of its slice. If a side has several traces, the value is the median of the traces that
/// reach the slice.
struct DifferenceTimeline {
    std::vector<std::int64_t> edges;  ///< ns: slice i is [edges[i], edges[i + 1]); empty: both sides have length 0
    std::vector<std::int64_t> before; ///< by slice; fewer if the side ends earlier
    std::vector<std::int64_t> after;
    Change atEnd; ///< Outstanding, as in change()
};

/// The answer: a tree of groups, identified by their texts and opened level by level. Defined in docs/numbers.md 15.
/// compute() may run on any thread; afterwards one thread at a time may use the object.
class Difference {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0; ///< all rows of all traces

    /// Errors: Cancelled, Usage (Frees; a key without meaning in other traces; a side without a trace).
    static Result<std::shared_ptr<Difference>> compute(DifferenceQuery query, std::stop_token stop = {});
    ~Difference();

    [[nodiscard]] const DifferenceQuery& query() const;

    /// Changed groups first, in the order of the query; then the others. If stopped, leaves the node unopened and
    /// returns nothing.
    const std::vector<NodeId>& children(NodeId node, std::stop_token stop = {});
    /// Does not open the node.
    [[nodiscard]] bool hasChildren(NodeId node) const;
    [[nodiscard]] NodeId parent(NodeId node) const;
    [[nodiscard]] Column column(NodeId node) const;
    [[nodiscard]] std::string text(NodeId node) const;

    [[nodiscard]] DifferenceState state(NodeId node) const;
    /// For Peak Size, call computePeaks() first.
    [[nodiscard]] Change change(NodeId node, Measure measure) const;
    /// The sums of several groups without common rows. Not for Peak Size.
    [[nodiscard]] Change changeOf(std::span<const NodeId> nodes, Measure measure) const;
    /// By trace of the side.
    [[nodiscard]] std::vector<std::int64_t> values(NodeId node, Measure measure, Side side) const;
    /// Computes Peak Size for these nodes: a pass over the events of each trace, several if nodes are nested. Does not
    /// recompute known values. Error: Cancelled.
    Result<void> computePeaks(std::span<const NodeId> nodes, const std::stop_token& stop = {});

    /// For the sum of these groups, which may be nested. A pass over the events of each trace. Error: Cancelled.
    [[nodiscard]] Result<DifferenceTimeline> timeline(std::span<const NodeId> nodes, std::uint32_t slices,
                                                      const std::stop_token& stop = {}) const;
    /// The same groups as a flame graph whose frames have the width of the larger side; `now` is the side after. The
    /// keys of labels are derived from their texts, so they are equal in every difference. mostFrames: as in
    /// FlameQuery. Errors: Cancelled, Usage (several traces per side, whose medians do not add up).
    [[nodiscard]] Result<FlameTree> flames(std::uint64_t mostFrames, const std::stop_token& stop = {});
    /// Possible renames: programs, modules and functions on one side only, the largest first. Error: Cancelled.
    [[nodiscard]] Result<std::vector<SuggestedRename>> suggestedRenames(const std::stop_token& stop = {}) const;

    /// Lines of the renames that match no frame and no process of the side before.
    [[nodiscard]] std::vector<Renames::Line> unusedRenames() const;

    /// The owners with the most growth first, if the query asks for owners.
    [[nodiscard]] const std::vector<OwnerChange>& owners() const;
    /// The groups that the node represents in a trace of a side: none, or several with the same text.
    [[nodiscard]] std::vector<KeyPath> paths(NodeId node, Side side, std::size_t trace) const;
    /// The length of the intervals, limited to the extent of their traces: the median of a side.
    [[nodiscard]] TraceTime length(Side side) const;
    [[nodiscard]] double seconds(Side side) const { return length(side).seconds(); }
    [[nodiscard]] const MergedFrames& merged() const;
    /// Whether both sides have stacks, in the same groups or not, and no stacks of both sides start the same.
    [[nodiscard]] bool haveNoCommonStacks() const;

  private:
    class Impl;
    explicit Difference(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
