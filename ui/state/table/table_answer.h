#pragma once

#include "core/analysis/table/grouped_table.h"
#include "ui/state/table/row_view_state.h"
#include "ui/state/table/table_row.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::ui {

class TableSources;

/// Query of a grouped table, and the rows that the user has open or marked.
struct TableRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    RowViewState kept = {};
    std::shared_ptr<TableSources> known = nullptr; ///< earlier answers; null: none
};

/// Whether both have the same labels.
[[nodiscard]] bool haveSameLabels(const std::shared_ptr<const analysis::Annotations>& a,
                                  const std::shared_ptr<const analysis::Annotations>& b);
[[nodiscard]] bool asksTheSame(const analysis::Query& a, const analysis::Query& b);

/// The part of the answer to open below a node.
enum class OpenMode {
    ToNextFork, ///< opens a chain of single children at once
    /// Along the largest absolute value of the sort column, or of Impacting Size if that is not a number: down to the
    /// owner's frame. From there, and without frames: down to the leaf, or to the function that keeps more itself than
    /// any function that it calls.
    HotPath,
    AlongPath, ///< every row of `path`, which starts at the root
    Levels,    ///< everything below the node, down to the rows of the key column number `levels`
    Page,      ///< for a leaf: a page of its single rows, starting at `first`
};

/// Request to open part of an answer. A plain value.
struct ExpandRequest {
    static constexpr std::size_t kAllLevels = ~std::size_t{0};
    analysis::GroupedTable::NodeId node = analysis::GroupedTable::kRoot;
    OpenMode mode = OpenMode::ToNextFork;
    analysis::KeyPath path = {};
    std::size_t levels = kAllLevels; ///< 1: the rows of the first key column
    std::size_t first = 0;
    bool selects = true; ///< HotPath: its last row becomes the current one
};

/// The answer: the opened rows. Immutable; any thread may read it. Opening it further uses the
/// GroupedTable behind it, so only workers access that, one at a time, through openRows().
class TableAnswer {
  public:
    /// A table and its lock. Answers that differ only in their rows share it.
    struct Source {
        std::shared_ptr<analysis::GroupedTable> table; ///< may be null in tests: cannot be opened further
        std::shared_ptr<const void> naming;
        /// For each clause of the filter: its first row and that row's ancestors as named in this table, step and text
        /// only, outermost first. Empty: the table has other keys.
        std::vector<std::vector<TableRow>> filterRows;
        std::mutex mutex;
    };

    TableAnswer(analysis::Query query, std::shared_ptr<analysis::GroupedTable> table, TableRow total)
        : query_(std::move(query)), total_(std::move(total)), source_(std::make_shared<Source>()) {
        source_->table = std::move(table);
    }
    TableAnswer(analysis::Query query, std::shared_ptr<Source> source, TableRow total, RowViewState kept,
                std::uint64_t rowsOnUnknownPages = 0)
        : query_(std::move(query)),
          total_(std::move(total)),
          kept_(std::move(kept)),
          rowsOnUnknownPages_(rowsOnUnknownPages),
          source_(std::move(source)) {}

    [[nodiscard]] const analysis::Query& query() const { return query_; }
    /// The totals; their children are the top level.
    [[nodiscard]] const TableRow& total() const { return total_; }
    /// As GroupedTable::rowsOnUnknownPages().
    [[nodiscard]] std::uint64_t rowsOnUnknownPages() const { return rowsOnUnknownPages_; }
    /// The updated paths of the query's marked rows. These rows are open; expanded ones have their children.
    [[nodiscard]] const RowViewState& kept() const { return kept_; }
    /// Unchanged while frames have the same names. Null: the table has no stacks.
    [[nodiscard]] const std::shared_ptr<const void>& naming() const { return source_->naming; }
    [[nodiscard]] const std::vector<std::vector<TableRow>>& filterRows() const { return source_->filterRows; }
    /// Workers only, while holding the mutex.
    [[nodiscard]] const std::shared_ptr<Source>& source() const { return source_; }

  private:
    analysis::Query query_;
    TableRow total_;
    RowViewState kept_;
    std::uint64_t rowsOnUnknownPages_ = 0;
    std::shared_ptr<Source> source_;
};

/// Request for the same answer with other marked rows, because the user continued during the query.
struct RowsRequest {
    std::shared_ptr<const TableAnswer> answer;
    RowViewState kept;
};
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerRows(const RowsRequest& request, std::stop_token stop);

/// Computes the answer and opens the user's open rows. Workers only.
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop);

/// Reuses a table that was computed for the same query in another order. Nothing: GroupedTable::sortBy is not possible.
/// Workers only.
[[nodiscard]] std::optional<Result<std::shared_ptr<const TableAnswer>>>
answerSorted(const std::shared_ptr<TableAnswer::Source>& source, const TableRequest& request, std::stop_token stop);

/// Opens a node further; returns that node with its rows. Workers only.
[[nodiscard]] Result<TableRow> openRows(const TableAnswer& answer, const ExpandRequest& expansion,
                                        std::stop_token stop);
[[nodiscard]] inline Result<TableRow> openRows(const TableAnswer& answer, analysis::GroupedTable::NodeId node,
                                               OpenMode mode, std::stop_token stop) {
    return openRows(answer, ExpandRequest{.node = node, .mode = mode}, std::move(stop));
}

/// Counts the rows that an expansion of OpenMode::Levels opens, without copying them; stops above `limit`. Workers
/// only.
[[nodiscard]] Result<std::size_t> countRows(const TableAnswer& answer, const ExpandRequest& expansion,
                                            std::size_t limit, std::stop_token stop);

} // namespace highwater::ui
