#pragma once

#include "ui/state/table/table_answer.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace highwater::ui {

/// The tables behind the last few answers of one graph: to sort one in another way, and to go back to an interval, keys
/// or a filter, asks nothing of the store. Of one publication of one trace; as long as frames are called the same. Any
/// thread.
class TableSources {
  public:
    static constexpr std::size_t kMost = 3;
    /// Larger tables are not kept: groups of rows that no site tells apart, by the million.
    static constexpr std::size_t kMostCells = 400'000;

    /// Its table may have to be sorted: GroupedTable::sortBy. Null: none has these rows and columns.
    [[nodiscard]] std::shared_ptr<TableAnswer::Source> find(const TableRequest& request);
    void add(const TableRequest& request, std::shared_ptr<TableAnswer::Source> source);
    void clear();

  private:
    struct Entry {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<const void> naming; ///< null: nothing in it depends on names
        analysis::Query query;
        std::shared_ptr<TableAnswer::Source> source;
    };
    static std::shared_ptr<const void> namingOf(const TableRequest& request);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< the one that was asked for last comes first
};

/// answerTable(), by what request.known has, which learns of it. Workers only.
[[nodiscard]] Result<std::shared_ptr<const TableAnswer>> answerTableOrKnown(const TableRequest& request,
                                                                            std::stop_token stop);

} // namespace highwater::ui
