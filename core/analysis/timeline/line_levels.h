#pragma once

#include "core/analysis/rows/row_population.h"
#include "core/analysis/sweeps/peak_pass.h"
#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/sweeps/slice_levels.h"
#include "core/analysis/timeline/line_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The rows of a selection in the leaves of its tree: by cell or, for per-row columns and filters, row by row.
/// Measures lines, each of which consists of some of the leaves. The selection must outlive it.
class LineLevels final : public LineSource {
  public:
    LineLevels(const RowSelection& selection, const TimelineQuery& query);

    bool find(const std::stop_token& stop) override;
    [[nodiscard]] const LineTree& tree() const override { return tree_; }
    [[nodiscard]] const KeyReader& reader() const override { return selection_.reader(); }
    [[nodiscard]] std::uint32_t groupCount() const override { return static_cast<std::uint32_t>(leaves_.size()); }
    [[nodiscard]] NodeId leaf(std::uint32_t group) const override { return leaves_[group]; }
    [[nodiscard]] std::optional<std::vector<std::vector<SignedByteCount>>>
    measure(const std::vector<TraceTime>& edges, std::vector<std::uint32_t> lineOfGroup, std::size_t lines,
            const std::stop_token& stop) override;

  private:
    static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

    std::uint32_t groupOf(NodeId leaf);
    bool addRows(std::vector<RowRef> rows, const std::stop_token& stop);
    bool measure(const std::vector<TraceTime>& edges, std::size_t lines, SliceLevels& slices,
                 const std::stop_token& stop);
    /// The part that a sweep or a pass over words supports.
    bool measureFast(const RowPopulation& population, const std::vector<TraceTime>& edges, std::size_t lines,
                     SliceLevels& slices, const std::stop_token& stop);
    [[nodiscard]] RowSweep::Measure sweepMeasure() const {
        return measure_ == TimelineMeasure::Bytes ? RowSweep::Measure::Bytes : RowSweep::Measure::Rows;
    }
    bool measureEvents(SliceLevels& slices, const std::stop_token& stop) const;
    void measureInstances(const std::vector<TraceTime>& edges, SliceLevels& slices) const;
    /// The amount of rows with these sums and this type at the start of the interval.
    [[nodiscard]] std::uint64_t opening(RowType type, const Sums& sums) const;

    const RowSelection& selection_;
    Table table_;
    TimelineMeasure measure_;
    LineTree tree_;
    std::vector<NodeId> leaves_;
    tsl::robin_map<NodeId, std::uint32_t, SeededHash> groups_;
    std::vector<std::uint32_t> groupOfCell_; ///< kNoGroup: its rows are distinguished; empty: all rows are
    std::vector<RowRef> rows_;               ///< the distinguished rows
    std::vector<std::uint32_t> groupOfRow_;
    std::vector<std::uint32_t> lineOf_; ///< by group
    GroupsOfRows ofRows_;               ///< for the pass
    std::unique_ptr<PeakPass> pass_;
};

} // namespace highwater::analysis
