#pragma once

#include "core/analysis/flames/flame_tree.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The columns that can define the width of frames; the first is the default. For Frees: Size and Count.
[[nodiscard]] std::span<const Column> flameMeasuresOf(Table table);

/// A question for a flame graph. A plain value.
struct FlameQuery {
    /// More than any screen has pixels; the rest of each frame is one "(N more)".
    static constexpr std::uint64_t kMostFrames = 200'000;

    Table table = Table::Heap;
    TimeRange interval;
    std::optional<TimeRange> before = std::nullopt; ///< the interval to compare with
    /// The columns that group frames, from the root, like the keys of a table. Per-row columns are ignored.
    std::vector<Column> keys;
    Column measure = Column::ImpactingSize;
    RowFilter filter = {};
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames = nullptr; ///< for StackBottomUp; null: none are skipped
    std::uint64_t mostFrames = kMostFrames;                           ///< 0: all frames

    friend bool operator==(const FlameQuery&, const FlameQuery&) = default;
};

/// Any thread. Errors: Cancelled, and Usage for columns that the table does not have.
[[nodiscard]] Result<FlameTree> computeFlames(const store::PublishedTrace& trace, FrameLabels& labels,
                                              const FlameQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
