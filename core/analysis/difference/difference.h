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

/// A number of a group on both sides; of several traces a side their medians. Differences wrap.
struct Change {
    std::int64_t before = 0;
    std::int64_t after = 0;
    [[nodiscard]] std::int64_t delta() const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before));
    }
    friend bool operator==(const Change&, const Change&) = default;
};

/// What the function that asked for memory has to do with a difference, in all its stacks together.
struct OwnerChange {
    std::string process; ///< its name
    std::string owner;   ///< "module!function"
    DifferenceState state = DifferenceState::Same;
    Change change; ///< of the measure that decides
};

/// How outstanding bytes went on both sides, over the time since the interval of each began. Slices are as long on
/// both; a value is the most that was outstanding at any instant of its slice. Of several traces a side the median of
/// those that reach so far.
struct DifferenceTimeline {
    std::vector<std::int64_t> edges;  ///< ns: slice i is [edges[i], edges[i + 1]); empty: no side has a length
    std::vector<std::int64_t> before; ///< by slice; fewer where the side ends earlier
    std::vector<std::int64_t> after;
    Change atEnd; ///< Outstanding, as of change()
};

/// The answer: a tree of groups that are known by what they are called, opened level by level. docs/numbers.md 15 has
/// the definitions. compute() may run on any thread; afterwards one thread at a time may use the object.
class Difference {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0; ///< all rows of all traces

    /// Errors: Cancelled, Usage (Frees; a key that means nothing in another trace; no trace on a side).
    static Result<std::shared_ptr<Difference>> compute(DifferenceQuery query, std::stop_token stop = {});
    ~Difference();

    [[nodiscard]] const DifferenceQuery& query() const;

    /// What changed first, in the order of the query; then the others. A stop leaves the node unopened and returns
    /// nothing.
    const std::vector<NodeId>& children(NodeId node, std::stop_token stop = {});
    /// Without opening it.
    [[nodiscard]] bool hasChildren(NodeId node) const;
    [[nodiscard]] NodeId parent(NodeId node) const;
    [[nodiscard]] Column column(NodeId node) const;
    [[nodiscard]] std::string text(NodeId node) const;

    [[nodiscard]] DifferenceState state(NodeId node) const;
    /// Of Peak Size after computePeaks().
    [[nodiscard]] Change change(NodeId node, Measure measure) const;
    /// What several groups that share no row have together. Not of Peak Size.
    [[nodiscard]] Change changeOf(std::span<const NodeId> nodes, Measure measure) const;
    /// By trace of the side.
    [[nodiscard]] std::vector<std::int64_t> values(NodeId node, Measure measure, Side side) const;
    /// Peak Size of these nodes: a pass over the events of each trace, a few where nodes lie in each other. What is
    /// there is not computed again. Error: Cancelled.
    Result<void> computePeaks(std::span<const NodeId> nodes, const std::stop_token& stop = {});

    /// Of what these groups, which may lie in each other, have together. A pass over the events of each trace. Error:
    /// Cancelled.
    [[nodiscard]] Result<DifferenceTimeline> timeline(std::span<const NodeId> nodes, std::uint32_t slices,
                                                      const std::stop_token& stop = {}) const;
    /// The same groups as a flame graph, whose frames are as wide as the larger of both sides; `now` is after. The keys
    /// of labels are made of their texts: equal in every difference. mostFrames: as in FlameQuery. Errors: Cancelled,
    /// Usage (several traces a side, whose medians do not add up).
    [[nodiscard]] Result<FlameTree> flames(std::uint64_t mostFrames, const std::stop_token& stop = {});
    /// What may have been renamed: programs, modules and functions that only one side has, the largest first. Error:
    /// Cancelled.
    [[nodiscard]] Result<std::vector<SuggestedRename>> suggestedRenames(const std::stop_token& stop = {}) const;

    /// Lines of the renames that no frame and no process before is called by.
    [[nodiscard]] std::vector<Renames::Line> unusedRenames() const;

    /// Those that grew first, most first. Where the query wants them.
    [[nodiscard]] const std::vector<OwnerChange>& owners() const;
    /// The groups of a trace of a side that the node stands for there: none, or several where they read the same.
    [[nodiscard]] std::vector<KeyPath> paths(NodeId node, Side side, std::size_t trace) const;
    /// How long the intervals are, as far as their traces reach: the median of a side.
    [[nodiscard]] TraceTime length(Side side) const;
    [[nodiscard]] double seconds(Side side) const { return length(side).seconds(); }
    [[nodiscard]] const MergedFrames& merged() const;
    /// Both sides have stacks, of the same groups or not, and none begins as one of the other side does.
    [[nodiscard]] bool areStacksApart() const;

  private:
    class Impl;
    explicit Difference(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
