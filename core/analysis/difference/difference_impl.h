#pragma once

#include "core/analysis/difference/difference.h"
#include "core/analysis/difference/difference_entries.h"
#include "core/analysis/rows/row_selection.h"
#include "core/statistics/noise.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace highwater::analysis {

/// A group that was opened or listed.
struct DifferenceNode {
    EntryRange range;
    std::uint32_t parent = 0;
    std::uint32_t depth = 0; ///< steps from the root
    bool isOpen = false;
    std::vector<std::uint32_t> children{};
};

/// Private to difference*.cpp.
class Difference::Impl {
  public:
    explicit Impl(DifferenceQuery asked)
        : query(std::move(asked)),
          traces(query.before.size() + query.after.size()),
          texts(query),
          tree(traces),
          byOwner(traces) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] const ComparedTrace& traceOf(std::size_t trace) const {
        const auto first = query.before.size();
        return trace < first ? query.before[trace] : query.after[trace - first];
    }
    Result<void> select(const std::stop_token& stop);
    Result<void> collect(const std::stop_token& stop);
    Result<void> collectTrace(std::uint32_t trace, const std::stop_token& stop);
    [[nodiscard]] std::vector<Sums> sumsOfCells(const RowSelection& selection) const;
    void findPath(std::uint32_t trace, const CellKey& cell, std::vector<DifferenceEntries::Step>& path);
    [[nodiscard]] std::uint32_t processOf(std::uint32_t trace, const CellKey& cell);
    [[nodiscard]] std::uint32_t placeOfKey(std::uint32_t trace, Column key, const CellKey& cell);

    Result<void> computePeaks(std::vector<EntryRange> ranges, const std::stop_token& stop);
    [[nodiscard]] std::vector<std::int64_t> values(const DifferenceEntries& of, EntryRange range,
                                                   Measure measure) const;
    [[nodiscard]] std::vector<std::int64_t> values(EntryRange range, Measure measure) const {
        return values(tree, range, measure);
    }
    [[nodiscard]] Change changeOf(const std::vector<std::int64_t>& values) const;
    [[nodiscard]] bool isSignificant(const std::vector<std::int64_t>& values, double limit) const;
    [[nodiscard]] DifferenceState stateOf(const std::vector<std::int64_t>& values,
                                          const std::vector<std::int64_t>& counts, double limit) const;
    [[nodiscard]] std::span<const std::int64_t> sideOf(const std::vector<std::int64_t>& values, Side side) const {
        const auto first = query.before.size();
        return side == Side::Before ? std::span(values).first(first) : std::span(values).subspan(first);
    }
    [[nodiscard]] bool hasEnoughForRanks() const {
        return std::min(query.before.size(), query.after.size()) >= kEnoughForRanks;
    }
    [[nodiscard]] double limitOf(const DifferenceEntries& of, const std::vector<EntryRange>& groups) const;
    Result<void> judge(const std::stop_token& stop);
    Result<void> judgeOwners(const std::stop_token& stop);
    [[nodiscard]] std::vector<EntryRange> joined(std::span<const NodeId> nodes) const;
    void sortChildren(std::vector<NodeId>& children) const;

    DifferenceQuery query;
    std::size_t traces;
    std::vector<std::unique_ptr<RowSelection>> selections; ///< by trace
    PlaceTexts texts;
    DifferenceEntries tree;
    DifferenceEntries byOwner;                             ///< paths are process and owner
    std::map<EntryRange, std::vector<std::int64_t>> peaks; ///< by group and trace
    std::map<EntryRange, std::vector<std::int64_t>> peaksOfOwners;
    double limit = -1; ///< probabilities up to this limit indicate changes
    std::deque<DifferenceNode> nodes;
    std::vector<OwnerChange> owners;
    std::vector<NodeId> none;
};

/// The number of the place of a step, and the number of its key.
[[nodiscard]] inline std::uint32_t placeOfStep(DifferenceEntries::Step step) {
    return static_cast<std::uint32_t>(step);
}
[[nodiscard]] inline std::size_t keyOfStep(DifferenceEntries::Step step) {
    return static_cast<std::size_t>(step >> 32);
}

} // namespace highwater::analysis
