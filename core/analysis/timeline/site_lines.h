#pragma once

#include "core/analysis/sweeps/level_index_cache.h"
#include "core/analysis/timeline/line_source.h"
#include "core/analysis/timeline/site_grouping.h"

#include <memory>
#include <vector>

namespace highwater::analysis {

/// Lines of groups of sites, read from an index that all intervals share. The trace and the query must outlive it.
class SiteLines final : public LineSource {
  public:
    /// Null: rows must be read individually or by cell. Errors: Cancelled, Usage.
    static Result<std::unique_ptr<SiteLines>> make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const TimelineQuery& query, const std::stop_token& stop);
    /// Upper bounds of these lines in milliseconds, derived from earlier results without reading events or rows. Groups
    /// whose rows all have 0 bytes are omitted. Null: no earlier results.
    static Result<std::unique_ptr<SiteLines>> makeCoarse(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const TimelineQuery& query, const std::stop_token& stop);

    bool find(const std::stop_token& stop) override;
    [[nodiscard]] const LineTree& tree() const override { return tree_; }
    [[nodiscard]] const KeyReader& reader() const override { return selection_->reader(); }
    [[nodiscard]] std::uint32_t groupCount() const override { return static_cast<std::uint32_t>(leaves_.size()); }
    [[nodiscard]] NodeId leaf(std::uint32_t group) const override { return leaves_[group]; }
    [[nodiscard]] std::optional<std::vector<std::vector<SignedByteCount>>>
    measure(const std::vector<TraceTime>& edges, std::vector<std::uint32_t> lineOfGroup, std::size_t lines,
            const std::stop_token& stop) override;

  private:
    SiteLines(const store::PublishedTrace& trace, const TimelineQuery& query,
              std::shared_ptr<const SiteGrouping> grouping, std::unique_ptr<RowSelection> selection);
    static Result<std::unique_ptr<SiteLines>> makeOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                     const TimelineQuery& query,
                                                     std::shared_ptr<const SiteGrouping> grouping,
                                                     const std::stop_token& stop);

    [[nodiscard]] LevelIndex::Source source() const { return {&view_, levelMeasure_}; }
    /// If the blocks are too long for this number of slices, building an index of the lines themselves takes no longer
    /// than reading all blocks, and can be reused. Nothing: stopped; empty: not worthwhile.
    using Peaks = std::optional<LevelIndex::Peaks>;
    [[nodiscard]] std::optional<Peaks> measureByLines(const std::vector<TraceTime>& edges,
                                                      const LevelIndex::Lines& lines, const std::stop_token& stop);
    [[nodiscard]] Peaks readIndex(const std::vector<TraceTime>& edges, const LevelIndex::Lines& lines,
                                  const std::stop_token& stop) const {
        return isCoarse_ ? found_.index->bounds(source(), edges, lines, stop)
                         : found_.index->peaks(source(), edges, lines, stop);
    }
    /// By group of the grouping: the peak in the interval.
    bool measureGroups(const std::stop_token& stop);
    /// Groups that only have rows of 0 bytes have no level.
    bool findEmptyRows(std::vector<std::uint8_t>& isThere, const std::stop_token& stop) const;
    std::uint32_t numberOf(NodeId leaf);

    const TimelineQuery& query_;
    const store::PublishedTrace& trace_;
    const store::TableView& view_;
    RowSweep::Measure levelMeasure_;
    std::shared_ptr<const SiteGrouping> grouping_;
    std::unique_ptr<RowSelection> selection_; ///< with one site per group
    LineTree tree_;
    bool isCoarse_ = false;
    LevelIndexCache::Found found_;           ///< set by find(), or from the start
    std::vector<SignedByteCount> peaks_;     ///< by group of the grouping
    std::vector<std::uint32_t> leafOfGroup_; ///< likewise; LevelIndex::kNoLine: it has no member rows
    std::vector<NodeId> leaves_;
    std::vector<SignedByteCount> peakOfLeaf_; ///< kNotMeasured: several groups
    tsl::robin_map<NodeId, std::uint32_t, SeededHash> numbers_;
};

} // namespace highwater::analysis
