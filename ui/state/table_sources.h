#pragma once

#include "ui/state/table/table_answer.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace highwater::ui {

/// The tables of a graph's most recent answers, so that changing the sort order or returning to an interval, keys or a
/// filter does not access the store. Valid for one publication of one trace, while frames keep their names. Any thread.
class TableSources {
  public:
    static constexpr std::size_t kMost = 3;
    /// Larger tables are not cached, such as millions of groups that sites do not distinguish.
    static constexpr std::size_t kMostCells = 400'000;

    /// The table may have to be sorted: GroupedTable::sortBy. Null: no table has these rows and columns.
    [[nodiscard]] std::shared_ptr<TableAnswer::Source> find(const TableRequest& request);
    void add(const TableRequest& request, std::shared_ptr<TableAnswer::Source> source);
    void clear();

  private:
    struct Entry {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<const void> naming; ///< null: it does not depend on names
        analysis::Query query;
        std::shared_ptr<TableAnswer::Source> source;
    };
    static std::shared_ptr<const void> namingOf(const TableRequest& request);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< most recently used first
};

/// answerTable() with request.known as a cache, which stores the result. Workers only.
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerTableCached(const TableRequest& request,
                                                                           std::stop_token stop);

} // namespace highwater::ui
