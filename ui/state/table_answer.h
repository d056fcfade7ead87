#pragma once

#include "core/analysis/grouped_table.h"

#include <QString>

#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace highwater::ui {

/// What is asked of a grouped table: the query, and which of its nodes the reader has open.
struct TableRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    std::vector<analysis::KeyPath> expanded;
};

/// One row, copied out of a GroupedTable with all that a view shows of it.
struct TableRow {
    analysis::GroupedTable::NodeId node = 0;
    analysis::KeyStep step;
    QString text;
    std::vector<analysis::CellValue> values; ///< one per query.columns
    bool hasChildren = false;
    bool isOpen = false; ///< `rows` is filled
    bool isHot = false;  ///< OpenMode::HotPath went this way
    std::vector<TableRow> rows;
};

/// How far an opened node opens: to the next fork (a chain of single children opens in one go), or along the largest
/// Impacting Size down to the leaf.
enum class OpenMode { ToNextFork, HotPath };

/// The answer: rows as far as they were opened. Immutable; any thread may read it. The GroupedTable behind it does work
/// when it is opened further, so only workers touch it, one at a time, through openRows().
class TableAnswer {
  public:
    TableAnswer(analysis::Query query, std::shared_ptr<analysis::GroupedTable> table, TableRow total)
        : query_(std::move(query)), total_(std::move(total)), table_(std::move(table)) {}

    [[nodiscard]] const analysis::Query& query() const { return query_; }
    /// The totals; its rows are the top level.
    [[nodiscard]] const TableRow& total() const { return total_; }

  private:
    friend Result<TableRow> openRows(const TableAnswer&, analysis::GroupedTable::NodeId, OpenMode, std::stop_token);

    analysis::Query query_;
    TableRow total_;
    std::shared_ptr<analysis::GroupedTable> table_; ///< may be null in tests: such an answer cannot be opened further
    mutable std::mutex mutex_;
};

/// Computes the answer and opens what the reader has open. Workers only.
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop);

/// Opens a node further; the result is that node with its rows. Workers only.
[[nodiscard]] Result<TableRow> openRows(const TableAnswer& answer, analysis::GroupedTable::NodeId node, OpenMode mode,
                                        std::stop_token stop);

} // namespace highwater::ui
