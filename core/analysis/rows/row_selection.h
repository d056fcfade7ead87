#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/rows/instances.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/rows/population.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"

#include <memory>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// A selection and its later use.
struct SelectionQuery {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    Membership membership = Membership::Table;
    ColumnSet columns; ///< all columns used as keys, as values or for sorting; those of the filter are added
    const RowFilter* filter = nullptr;
    bool processExitFreesHeap = false;
    const AllocatorFrames* allocatorFrames = nullptr;
    SharedMarks marks = nullptr;              ///< marks in the trace
    const Annotations* annotations = nullptr; ///< for Column::Annotation; null: none
    InstanceChoice instances = {};            ///< for Heap Snapshot
    /// A cell for each site of the table, whether or not any of its rows are members, instead of rows. Used to find
    /// groups and filters by site columns, for all intervals. Only for columns in which all rows of a site have the
    /// same key.
    bool bySite = false;
    const std::vector<std::uint32_t>* sites = nullptr; ///< for bySite; null: all
};

/// The frames that bottom-up stacks of the table skip: `asked`, except that managed objects use their own built-in
/// list, because the runtime itself allocates them.
[[nodiscard]] const AllocatorFrames* skippedIn(Table table, const AllocatorFrames* asked);

/// The rows of a table that match the filter, and the reader of their keys: the basis of grouped tables and timelines.
/// The trace must outlive it.
class RowSelection {
  public:
    static Result<std::unique_ptr<RowSelection>> make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                      const SelectionQuery& query, const std::stop_token& stop);

    [[nodiscard]] const Population& population() const { return *population_; }
    [[nodiscard]] const Cells& cells() const { return population_->cells(); }
    [[nodiscard]] const KeyReader& reader() const { return *reader_; }
    /// The selected rows, if the filter uses per-row columns: then it may select only some rows of a cell.
    [[nodiscard]] const std::optional<std::vector<RowRef>>& singleRows() const { return singleRows_; }
    /// Rows of these cells (flag by cell), in row order. Nothing: stopped.
    [[nodiscard]] std::optional<std::vector<RowRef>> rowsOf(const std::vector<std::uint8_t>& cells,
                                                            const std::stop_token& stop) const;

  private:
    RowSelection() = default;
    bool applyFilter(const RowFilter& filter, const std::stop_token& stop);

    std::unique_ptr<Population> population_;
    std::unique_ptr<KeyReader> reader_;
    std::optional<std::vector<RowRef>> singleRows_;
};

[[nodiscard]] inline Error cancelled() { return Error{ErrorKind::Cancelled, "The computation was cancelled."}; }

} // namespace highwater::analysis
