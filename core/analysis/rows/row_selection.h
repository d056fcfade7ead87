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

/// What is selected and what will be asked of it.
struct SelectionQuery {
    Table table = Table::VirtualAlloc;
    TimeRange interval;
    Membership membership = Membership::Table;
    ColumnSet columns; ///< all that are used as keys, values or for sorting; the filter's are added
    const RowFilter* filter = nullptr;
    bool processExitFreesHeap = false;
    const AllocatorFrames* allocatorFrames = nullptr;
    SharedMarks marks = nullptr;              ///< of the trace
    const Annotations* annotations = nullptr; ///< for Column::Annotation; null: there are none
    InstanceChoice instances = {};            ///< of Heap Snapshot
    /// A cell for each site of the table, whether or not rows of it take part, in place of rows: what groups and
    /// filters by columns of sites are found with, for all intervals. For columns of which all rows of a site have the
    /// same.
    bool bySite = false;
    const std::vector<std::uint32_t>* sites = nullptr; ///< of bySite; null: all
};

/// The frames that bottom-up stacks of the table leave out, of those asked for: the list that is built in is another
/// one for managed objects, which the runtime itself allocates.
[[nodiscard]] const AllocatorFrames* skippedIn(Table table, const AllocatorFrames* asked);

/// The rows of a table that pass the filter, and the reader of their keys. What grouped tables and timelines begin
/// with. The trace must outlive it.
class RowSelection {
  public:
    static Result<std::unique_ptr<RowSelection>> make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                      const SelectionQuery& query, const std::stop_token& stop);

    [[nodiscard]] const Population& population() const { return *population_; }
    [[nodiscard]] const Cells& cells() const { return population_->cells(); }
    [[nodiscard]] const KeyReader& reader() const { return *reader_; }
    /// The selected rows, if the filter asks for columns of single rows: then not all rows of a cell are selected.
    [[nodiscard]] const std::optional<std::vector<RowRef>>& singleRows() const { return singleRows_; }
    /// Rows of these cells (flag by cell), in row order. Nothing when stopped.
    [[nodiscard]] std::optional<std::vector<RowRef>> rowsOf(const std::vector<std::uint8_t>& cells,
                                                            const std::stop_token& stop) const;

  private:
    RowSelection() = default;
    bool applyFilter(const RowFilter& filter, const std::stop_token& stop);

    std::unique_ptr<Population> population_;
    std::unique_ptr<KeyReader> reader_;
    std::optional<std::vector<RowRef>> singleRows_;
};

[[nodiscard]] inline Error cancelled() { return Error{ErrorKind::Cancelled, "The computation was stopped."}; }

} // namespace highwater::analysis
