#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/table/grouped_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Finds groups of a table, in the order in which the table shows them when all is open, whether it is or not. It opens
/// a table of its own, only where something may be found, and keeps it: the next step is quick.
///
/// What a group answers a query with:
/// - its aggregates: `Size:>1MB` is about the group's sum;
/// - its own key, of a stack column the one frame (asked for by either stack column, if the table shows the other);
/// - the keys of the groups that it is in: `[Process]:~=app AND Size:>1MB` finds frames below the process. A query that
///   these answer alone finds the groups where it begins to hold, not everything below them;
/// - the value of a column that is no key, if all its rows share it. Stacks that are no keys: never;
/// - [Series Name]: WPA's name of the column that it is a group of. A text without a column: its own key's text.
/// What a group cannot tell (keys further right, several values) is neither true nor false: NOT does not help.
///
/// Any thread, one at a time: every call computes, never on the GUI thread.
class TableSearch {
  public:
    /// Counting stops above this: "more than 10,000".
    static constexpr std::uint64_t kMostCounted = 10'000;
    enum class Direction : std::uint8_t { Forward, Backward };
    struct Hits {
        std::uint64_t count = 0;
        bool isMore = false; ///< count is kMostCounted, and there are more
        /// Single rows of the table that the query holds for; told by who asks where no group is a match.
        std::uint64_t rows = 0;
    };

    /// `query` as the table was asked. Errors: those of GroupedTable::compute; Usage: an expression of another table.
    static Result<std::unique_ptr<TableSearch>> make(std::shared_ptr<const store::PublishedTrace> trace,
                                                     std::shared_ptr<FrameLabels> labels, Query query,
                                                     const QueryExpression& expression, std::stop_token stop = {});
    ~TableSearch();

    /// The nearest match behind or before `from`; empty: from the first or the last row on. Nothing: there is none on
    /// that side (who wants to go round asks again with an empty path). Of a path that the table does not have the part
    /// that it has counts. Error: Cancelled.
    Result<std::optional<KeyPath>> next(const KeyPath& from, Direction direction, std::stop_token stop = {});
    /// Error: Cancelled.
    Result<Hits> count(std::stop_token stop = {});
    /// The matches, without those below others: together they have all rows of all matches. Nothing: these are more
    /// than `limit`. Error: Cancelled.
    Result<std::optional<std::vector<KeyPath>>> groups(std::size_t limit, std::stop_token stop = {});

  private:
    class Impl;
    explicit TableSearch(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
