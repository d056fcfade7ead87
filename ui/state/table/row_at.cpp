#include "ui/state/table/row_at.h"

#include "core/analysis/columns/column_specs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;
using analysis::KeyPath;
using analysis::Query;
using Clause = analysis::RowFilter::Clause;

namespace {

/// Whether the column depends on the interval, so that it differs between the slice and the table.
bool isOfInterval(Column column, const Query& query) {
    return query.annotations ? analysis::isOfInterval(column, *query.annotations)
                             : analysis::specOf(column).isOfInterval;
}

/// The clauses without interval-dependent columns: they match at least the same rows.
analysis::RowFilter withoutInterval(const Query& query) {
    auto filter = query.filter;
    const auto isRelative = [&](const analysis::KeyStep& step) { return isOfInterval(step.column, query); };
    for (auto& clause : filter.clauses) {
        if (clause.mode == Clause::Mode::Keep) {
            for (auto& path : clause.anyOf)
                std::erase_if(path, isRelative);
        } else {
            std::erase_if(clause.anyOf,
                          [&](const KeyPath& path) { return std::any_of(path.begin(), path.end(), isRelative); });
        }
    }
    for (const auto& spec : analysis::kColumnSpecs) {
        const bool isRelativeQuery = filter.query && filter.query->columns().contains(spec.column);
        if (isRelativeQuery && isOfInterval(spec.column, query)) filter.query.reset();
    }
    return filter;
}

/// Follows the largest group from level to level.
class HeaviestPath {
  public:
    HeaviestPath(GroupedTable& table, std::stop_token stop) : table_(table), stop_(std::move(stop)) {}

    /// Uses outstanding bytes if all groups are 0 in this column. Empty: there are no rows.
    KeyPath follow(Column by) {
        if (bytes(GroupedTable::kRoot, by) == 0) by = Column::PeakSize;
        auto node = GroupedTable::kRoot;
        while (true) {
            const auto children = table_.children(node, stop_);
            if (children.empty() || stop_.stop_requested()) break;
            if (by == Column::PeakSize && !table_.computePeaks(children, stop_).hasValue()) break;
            node = *std::max_element(children.begin(), children.end(),
                                     [&](auto a, auto b) { return bytes(a, by) < bytes(b, by); });
        }
        return node == GroupedTable::kRoot ? KeyPath() : table_.path(node);
    }

  private:
    std::int64_t bytes(GroupedTable::NodeId node, Column by) const {
        const auto value = table_.value(node, by);
        const auto* number = std::get_if<std::int64_t>(&value);
        return number ? *number : 0;
    }

    GroupedTable& table_;
    std::stop_token stop_;
};

struct Heaviest {
    KeyPath path;
    std::shared_ptr<GroupedTable> table; ///< that contains it
};

Result<Heaviest> heaviest(const RowAtRequest& request, Query query, Column by, const std::stop_token& stop) {
    query.sort.clear();
    query.columns = {by};
    auto table = TRY(GroupedTable::compute(request.trace, request.labels, std::move(query), stop));
    auto path = HeaviestPath(*table, stop).follow(by);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The query was replaced by a newer one."};
    return Heaviest{std::move(path), std::move(table)};
}

/// Of a recursive function, the first call in the order of the table.
Result<KeyPath> rowOfFunction(const RowAtRequest& request, const std::stop_token& stop) {
    auto table = request.table;
    table.filter.clauses.push_back({Clause::Mode::Keep, {request.function}});
    // Not by size, because a function may also allocate much memory that it frees again.
    auto [row, from] = TRY(heaviest(request, std::move(table), Column::ImpactingSize, stop));
    // The function may have been found before its name was.
    const auto function = from->renewed(request.function).back().key;
    const auto found = std::ranges::find_if(
        row, [&](const analysis::KeyStep& step) { return analysis::isStack(step.column) && step.key == function; });
    if (found != row.end()) row.erase(std::next(found), row.end());
    return std::move(row);
}

} // namespace

Result<KeyPath> findRowAt(const RowAtRequest& request, std::stop_token stop) {
    if (!request.function.empty()) return rowOfFunction(request, stop);
    const auto asked = request.table.table;
    const auto time = asked == analysis::Table::Frees      ? Column::EndTime
                      : asked == analysis::Table::Snapshot ? Column::SnapTime
                                                           : Column::BeginTime;
    auto table = request.table;
    if (!request.series.empty()) table.filter.clauses.push_back({Clause::Mode::Keep, {request.series}});
    // First finds the row in the slice, down to the instant of its start.
    auto slice = table;
    slice.interval = request.slice;
    slice.filter = withoutInterval(slice);
    std::erase_if(slice.keys, [&](auto column) { return isOfInterval(column, table); });
    if (std::find(slice.keys.begin(), slice.keys.end(), time) == slice.keys.end()) slice.keys.push_back(time);
    const auto by = analysis::isOfAllocations(asked) ? Column::Allocated : Column::Size;
    auto first = TRY(heaviest(request, std::move(slice), by, stop));
    if (first.path.empty()) return std::move(first.path);
    // Then finds its position in the table.
    table.filter.clauses.push_back({Clause::Mode::Keep, {std::move(first.path)}});
    auto inTable = TRY(heaviest(request, std::move(table), Column::Size, stop));
    return std::move(inTable.path);
}

} // namespace highwater::ui
