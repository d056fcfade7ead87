#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/table/grouped_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Finds groups of a table in display order, as if all nodes were open. It uses its own table, which it opens only
/// where matches are possible, and keeps it, so that the next step is fast.
///
/// Values of a group in a query:
/// - its aggregates: `Size:>1MB` refers to the group's sum;
/// - its own key; for a stack column, its single frame (under the name of either stack column, if the table shows the
///   other);
/// - the keys of the groups that contain it: `[Process]:~=app AND Size:>1MB` finds frames below the process. A query
///   that needs only these finds the topmost matching groups, not everything below them;
/// - the value of a column that is not a key, if all its rows share it. Never for stacks that are not keys;
/// - [Series Name]: WPA's name of its column. A text without a column: the text of its own key.
/// Unknown values (keys further right, several values) are neither true nor false, with or without NOT.
///
/// Any thread, one at a time. Every call computes, so do not use it on the GUI thread.
class TableSearch {
  public:
    /// Counting stops above this: "more than 10,000".
    static constexpr std::uint64_t kMostCounted = 10'000;
    enum class Direction : std::uint8_t { Forward, Backward };
    struct Hits {
        std::uint64_t count = 0;
        bool isMore = false; ///< count is kMostCounted, and there are more
        /// Single rows of the table that match the query; set by the caller if no group matches.
        std::uint64_t rows = 0;
    };

    /// `query`: the query of the table. Errors: those of GroupedTable::compute; Usage: an expression for another table.
    static Result<std::unique_ptr<TableSearch>> make(std::shared_ptr<const store::PublishedTrace> trace,
                                                     std::shared_ptr<FrameLabels> labels, Query query,
                                                     const QueryExpression& expression, std::stop_token stop = {});
    ~TableSearch();

    /// The nearest match after or before `from`; empty: starting at the first or last row. Nothing: no match on that
    /// side (to wrap around, call it again with an empty path). If the table does not have the whole path, its known
    /// part counts. Error: Cancelled.
    Result<std::optional<KeyPath>> next(const KeyPath& from, Direction direction, std::stop_token stop = {});
    /// Error: Cancelled.
    Result<Hits> count(std::stop_token stop = {});
    /// The matches, without those nested in others: together they have all rows of all matches. Nothing: more than
    /// `limit`. Error: Cancelled.
    Result<std::optional<std::vector<KeyPath>>> groups(std::size_t limit, std::stop_token stop = {});

  private:
    class Impl;
    explicit TableSearch(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
