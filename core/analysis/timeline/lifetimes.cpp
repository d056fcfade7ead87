#include "core/analysis/timeline/lifetimes.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/timeline/line_tree.h"

#include <algorithm>
#include <tuple>

namespace highwater::analysis {
namespace {

Column stackOf(Table table) { return table == Table::Frees ? Column::AllocStackBottomUp : Column::StackBottomUp; }

std::uint64_t countRows(const RowSelection& selection) {
    if (selection.singleRows()) return selection.singleRows()->size();
    std::uint64_t count = 0;
    for (const auto& cell : selection.cells())
        count += cell.sums.rows;
    return count;
}

class LifetimeReader {
  public:
    LifetimeReader(const RowSelection& selection, const TimelineQuery& query)
        : selection_(selection), tree_(selection, query), stack_(stackOf(query.table)) {}

    [[nodiscard]] Lifetime read(RowRef row) {
        const auto facts = selection_.population().facts(row);
        return {facts.begin,          facts.end, facts.address, facts.size, tree_.pathOf(tree_.leafOf(facts)),
                functionOf(facts.key)};
    }

  private:
    [[nodiscard]] std::string functionOf(const CellKey& cell) const {
        const auto frames = selection_.reader().stack(stack_, cell);
        return frames.empty() ? std::string() : selection_.reader().text(stack_, frames.front());
    }

    const RowSelection& selection_;
    LineTree tree_;
    Column stack_;
};

} // namespace

Result<Lifetimes> computeLifetimes(const store::PublishedTrace& trace, FrameLabels& labels, const TimelineQuery& query,
                                   const std::stop_token& stop) {
    auto columns = LineTree::columnsOf(query);
    columns.add(stackOf(query.table));
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Table,
                                        columns,
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks,
                                        query.annotations.get()};
    const auto made = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    const auto& selection = *made;
    Lifetimes answer;
    answer.count = countRows(selection);
    if (answer.count > Lifetimes::kMost) return answer;
    const auto rows = selection.singleRows()
                          ? selection.singleRows()
                          : selection.rowsOf(std::vector<std::uint8_t>(selection.cells().size(), 1), stop);
    if (!rows) return cancelled();
    LifetimeReader reader(selection, query);
    for (const auto row : *rows) {
        if (stop.stop_requested()) return cancelled();
        answer.lifetimes.push_back(reader.read(row));
    }
    std::sort(answer.lifetimes.begin(), answer.lifetimes.end(), [](const Lifetime& a, const Lifetime& b) {
        return std::tuple(a.begin, a.address, a.end) < std::tuple(b.begin, b.address, b.end);
    });
    return answer;
}

} // namespace highwater::analysis
