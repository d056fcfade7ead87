#pragma once

#include "core/analysis/difference/difference_query.h"
#include "core/analysis/difference/place_texts.h"
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

    /// Those that grew first, most first. Where the query wants them.
    [[nodiscard]] const std::vector<OwnerChange>& owners() const;
    /// The groups of a trace of a side that the node stands for there: none, or several where they read the same.
    [[nodiscard]] std::vector<KeyPath> paths(NodeId node, Side side, std::size_t trace) const;
    /// How long the intervals are, as far as their traces reach: the median of a side.
    [[nodiscard]] double seconds(Side side) const;
    [[nodiscard]] const MergedFrames& merged() const;

  private:
    class Impl;
    explicit Difference(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
