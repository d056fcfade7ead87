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

/// What is asked of a grouped table: the query, and what its reader has open and keeps.
struct TableRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    RowViewState kept = {};
    std::shared_ptr<TableSources> known = nullptr; ///< what was asked before; null: nothing
};

/// Whether both ask for the same rows and columns of a table.
[[nodiscard]] bool haveSameLabels(const std::shared_ptr<const analysis::Annotations>& a,
                                  const std::shared_ptr<const analysis::Annotations>& b);
[[nodiscard]] bool asksTheSame(const analysis::Query& a, const analysis::Query& b);

/// How far an opened node opens.
enum class OpenMode {
    ToNextFork, ///< a chain of single children opens in one go
    HotPath,    ///< along the largest value of the column that rows are sorted by (negative ones by their amount; if
             ///< that is not a number, Impacting Size), down to the owner's frame; from there, and without frames, down
             ///< to the leaf, or to the function that keeps more than any function that it calls
    AlongPath, ///< every row of `path`, which starts at the root
    Levels,    ///< everything below the node, down to the rows of the key column number `levels`
    Page,      ///< of a leaf: a page of its single rows, from `first` on
};

/// What is to be opened of an answer. A plain value.
struct ExpandRequest {
    static constexpr std::size_t kAllLevels = ~std::size_t{0};
    analysis::GroupedTable::NodeId node = analysis::GroupedTable::kRoot;
    OpenMode mode = OpenMode::ToNextFork;
    analysis::KeyPath path = {};
    std::size_t levels = kAllLevels; ///< 1: the first key column's rows
    std::size_t first = 0;
    bool selects = true; ///< HotPath: its last row becomes the current one
};

/// The answer: rows as far as they were opened. Immutable; any thread may read it. The GroupedTable behind it does work
/// when it is opened further, so only workers touch it, one at a time, through openRows().
class TableAnswer {
  public:
    /// A table and who works with it now. Answers to the same question about other rows share it.
    struct Source {
        std::shared_ptr<analysis::GroupedTable> table; ///< may be null in tests: it cannot be opened further
        std::shared_ptr<const void> naming;
        /// By clause of the filter: its first row and those above it as they are called in this table, step and text
        /// only, from the outside in. Empty: the table has other keys.
        std::vector<std::vector<TableRow>> filterRows;
        std::mutex mutex;
    };

    TableAnswer(analysis::Query query, std::shared_ptr<analysis::GroupedTable> table, TableRow total)
        : query_(std::move(query)), total_(std::move(total)), source_(std::make_shared<Source>()) {
        source_->table = std::move(table);
    }
    TableAnswer(analysis::Query query, std::shared_ptr<Source> source, TableRow total, RowViewState kept)
        : query_(std::move(query)), total_(std::move(total)), kept_(std::move(kept)), source_(std::move(source)) {}

    [[nodiscard]] const analysis::Query& query() const { return query_; }
    /// The totals; its rows are the top level.
    [[nodiscard]] const TableRow& total() const { return total_; }
    /// What the kept rows of the question are in this answer. They are open, those expanded.
    [[nodiscard]] const RowViewState& kept() const { return kept_; }
    /// While this is the same, frames are called the same. Null: the table has no stacks.
    [[nodiscard]] const std::shared_ptr<const void>& naming() const { return source_->naming; }
    [[nodiscard]] const std::vector<std::vector<TableRow>>& filterRows() const { return source_->filterRows; }
    /// Workers only, with the mutex.
    [[nodiscard]] const std::shared_ptr<Source>& source() const { return source_; }

  private:
    analysis::Query query_;
    TableRow total_;
    RowViewState kept_;
    std::shared_ptr<Source> source_;
};

/// The same answer for other rows that are kept: the reader went on while it was computed.
struct RowsRequest {
    std::shared_ptr<const TableAnswer> answer;
    RowViewState kept;
};
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerRows(const RowsRequest& request, std::stop_token stop);

/// Computes the answer and opens what the reader has open. Workers only.
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerTable(const TableRequest& request, std::stop_token stop);

/// Of a table that was computed for the same question but for its order. Nothing: GroupedTable::sortBy cannot. Workers
/// only.
[[nodiscard]] std::optional<Result<std::shared_ptr<const TableAnswer>>>
answerSorted(const std::shared_ptr<TableAnswer::Source>& source, const TableRequest& request, std::stop_token stop);

/// Opens a node further; the result is that node with its rows. Workers only.
[[nodiscard]] Result<TableRow> openRows(const TableAnswer& answer, const ExpandRequest& expansion,
                                        std::stop_token stop);
[[nodiscard]] inline Result<TableRow> openRows(const TableAnswer& answer, analysis::GroupedTable::NodeId node,
                                               OpenMode mode, std::stop_token stop) {
    return openRows(answer, ExpandRequest{.node = node, .mode = mode}, std::move(stop));
}

/// How many rows a expansion of OpenMode::Levels opens, without copying them; counting ends above `limit`. Workers
/// only.
[[nodiscard]] Result<std::size_t> countRows(const TableAnswer& answer, const ExpandRequest& expansion,
                                            std::size_t limit, std::stop_token stop);

} // namespace highwater::ui
