#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/export/table_walk.h"
#include "core/formats/sqlite/sqlite_database.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace highwater::formats {

/// Selects rows of a table.
struct SqliteRowsQuery {
    analysis::Table table = analysis::Table::Heap; ///< VirtualAlloc, Heap, Managed or GcHeap
    TimeRange interval;
    const analysis::RowFilter& filter;
    bool processExitFreesHeap = false;
};

/// The SQL that creates the row tables.
[[nodiscard]] std::string sqlOfRowTables();

/// Writes the rows of one table after another, in their order and as they are read, so that memory does not grow with
/// them. One thread; all arguments must outlive it.
class SqliteRows {
  public:
    SqliteRows(const store::PublishedTrace& trace, analysis::FrameLabels& labels, SqliteDatabase& database)
        : trace_(trace), labels_(labels), database_(database), isStackUsed_(trace.stackCount) {}

    /// Returns the number of rows. Errors: Cancelled, Usage of the filter; errors of the database remain there.
    [[nodiscard]] Result<std::size_t> write(const SqliteRowsQuery& query, const std::stop_token& stop,
                                            const exports::ExportProgress& progress);
    /// Stacks of the written rows, by StackId.
    [[nodiscard]] const std::vector<bool>& usedStacks() const { return isStackUsed_; }

  private:
    class TableRows;

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
    SqliteDatabase& database_;
    std::vector<bool> isStackUsed_;
    std::size_t written_ = 0; ///< in all tables
};

} // namespace highwater::formats
